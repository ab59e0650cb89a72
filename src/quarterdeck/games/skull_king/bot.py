"""Skull King: what a bot should know. Worlds that fit a seat's knowledge, and a rule of thumb.

Everything here works from `seen` and `memory` alone: what the seat sees and what it was shown.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from quarterdeck.contract import Row, below, compiled, copy_list

from . import rules
from .rules import (
    BIDDING,
    BLACK,
    CARD_KINDS,
    ESCAPE,
    FIRST_PLAY,
    KING,
    LARGEST_PACK,
    LAST_HAND,
    MARY,
    MARY_ESCAPE,
    MARY_PIRATE,
    MERMAID,
    MOST_PLAYERS,
    NONE,
    PIRATE,
    PLAYING,
    RANKS,
    TO_DEAL,
)

_TRIES = 64


# Worlds --------------------------------------------------------------------------------------


@compiled
def unseen_cards(kit: Row, seen: Row, memory: Row, seat: int, cards: npt.NDArray[np.int8]) -> int:
    """Writes every card the seat has neither held nor seen played in this hand; how many."""
    left = np.empty(CARD_KINDS, np.int8)
    for card in range(CARD_KINDS):
        left[card] = kit.copies[card] - memory.played[card]
    for card in seen.hands[seat]:
        if card != NONE:
            left[card] -= 1
    # In a game begun from a position some cards lie on the table that nobody saw played.
    for pile in (seen.trick, seen.last):
        for card in pile:
            if card != NONE and memory.played[rules.held_as(card)] == 0:
                left[rules.held_as(card)] -= 1
    count = 0
    for card in range(CARD_KINDS):
        for _ in range(left[card]):
            cards[count] = card
            count += 1
    return count


@compiled
def imagine(kit: Row, seen: Row, memory: Row, seat: int, rng: Row, state: Row) -> None:
    """Writes a whole state that fits what the seat knows: the other hands dealt from the cards it
    has not seen, the bids of others guessed as long as they are sealed.

    Seats that showed a void get no card of that suit, wherever such a deal can be found.
    """
    cards = np.empty(LARGEST_PACK, np.int8)
    count = unseen_cards(kit, seen, memory, seat, cards)
    state.players = seen.players
    state.phase = seen.phase
    state.hand = seen.hand
    state.dealer = seen.dealer
    state.leader = seen.leader
    state.last_leader = seen.last_leader
    copy_list(state.tricks, seen.tricks)
    copy_list(state.trick, seen.trick)
    copy_list(state.last, seen.last)
    copy_list(state.bonus, seen.bonus)
    copy_list(state.scores, seen.scores)
    for hand in range(LAST_HAND):
        copy_list(state.pad_bids[hand], seen.pad_bids[hand])
        copy_list(state.pad_points[hand], seen.pad_points[hand])
    for other in range(MOST_PLAYERS):
        sealed = other != seat and seen.phase == BIDDING and seen.bids[other] != NONE
        state.bids[other] = below(rng, seen.hand + 1) if sealed else seen.bids[other]
    for attempt in range(_TRIES):
        heed_voids = attempt + 1 < _TRIES
        if deal_unseen(seen, memory, seat, rng, cards, count, heed_voids, state):
            return


@compiled
def deal_unseen(
    seen: Row,
    memory: Row,
    seat: int,
    rng: Row,
    cards: npt.NDArray[np.int8],
    count: int,
    heed_voids: bool,
    state: Row,
) -> bool:
    """Deals unseen cards to the other seats, those with most voids first; False if stuck."""
    state.hands[:] = NONE
    copy_list(state.hands[seat], seen.hands[seat])
    size = count
    for voids in range(4, -1, -1):
        for other in range(seen.players):
            shown = 0
            for suit in range(4):
                shown += memory.void[other][suit]
            if shown != voids or other == seat:
                continue
            for place in range(rules.cards_in(seen.hands[other])):
                # draw among the fitting cards only: they are moved to the front
                fitting = 0
                for i in range(size):
                    suit = rules.suit_of(cards[i])
                    if suit == NONE or not heed_voids or memory.void[other][suit] == 0:
                        cards[i], cards[fitting] = cards[fitting], cards[i]
                        fitting += 1
                if fitting == 0:
                    return False
                i = below(rng, fitting)
                rules.insert_card(state.hands[other], place, cards[i])
                size -= 1
                cards[i], cards[size] = cards[size], cards[i]
    return True


@compiled
def shift(kit: Row, seen: Row, memory: Row, seat: int, rng: Row, state: Row) -> bool:
    """Swaps a few hidden cards of an imagined world, so that hands come up as often as they fit
    the bids: a swap is made or left by how well the two hands promise what their seats bid."""
    if seen.phase != BIDDING and seen.phase != PLAYING:
        return False
    # the cards nobody holds: what is unseen less the hands of the others
    stock = np.empty(LARGEST_PACK, np.int8)
    left = np.zeros(CARD_KINDS, np.int8)
    count = unseen_cards(kit, seen, memory, seat, stock)
    for i in range(count):
        left[stock[i]] += 1
    held = np.zeros(MOST_PLAYERS, np.int64)
    sums = np.zeros(MOST_PLAYERS)
    for other in range(seen.players):
        if other == seat:
            continue
        held[other] = rules.cards_in(state.hands[other])
        for i in range(held[other]):
            card = state.hands[other][i]
            left[card] -= 1
            sums[other] += swap_promise(int(card))
        for card in memory.shown[other]:
            if card > 0:
                sums[other] += swap_promise(int(card) - 1)
    size = 0
    for card in range(CARD_KINDS):
        for _ in range(left[card]):
            stock[size] = card
            size += 1
    for _ in range(SWAPS):
        one = below(rng, seen.players)
        two = below(rng, seen.players + 1)  # the last is the stock
        if one == two or one == seat or two == seat or held[one] == 0:
            continue
        mine = below(rng, held[one])
        card = int(state.hands[one][mine])
        to_stock = two == seen.players
        if to_stock:
            if size == 0:
                continue
            theirs = below(rng, size)
            other_card = int(stock[theirs])
        else:
            if held[two] == 0:
                continue
            other_card = int(state.hands[two][below(rng, held[two])])
        if card == other_card or not may_hold(memory, one, other_card):
            continue
        gain = swap_promise(other_card) - swap_promise(card)
        change = misfit(seen, one, sums[one]) - misfit(seen, one, sums[one] + gain)
        if not to_stock:
            if not may_hold(memory, two, card):
                continue
            change += misfit(seen, two, sums[two]) - misfit(seen, two, sums[two] - gain)
        if change < 0.0 and below(rng, 1 << 20) >= math.exp(change) * (1 << 20):
            continue
        sums[one] += gain
        rules.remove_card(state.hands[one], card)
        rules.insert_card(state.hands[one], held[one] - 1, other_card)
        if to_stock:
            stock[theirs] = card
        else:
            sums[two] -= gain
            rules.remove_card(state.hands[two], other_card)
            rules.insert_card(state.hands[two], held[two] - 1, card)
    if seen.phase == BIDDING:
        for other in range(seen.players):
            if other != seat and seen.bids[other] != NONE:
                state.bids[other] = bid(state, other)
    return True


@compiled
def may_hold(memory: Row, seat: int, card: int) -> bool:
    """Whether the seat has not shown that it lacks the card's suit."""
    suit = rules.suit_of(card)
    return suit == NONE or memory.void[seat][suit] == 0


@compiled
def swap_promise(card: int) -> float:
    return min(1.0, promise(card, 5))


@compiled
def misfit(seen: Row, seat: int, total: float) -> float:
    """How badly a hand of so much promise fits the seat's open bid."""
    if seen.phase == BIDDING:
        return 0.0
    gap = total - FIT_SLOPE * seen.bids[seat] - FIT_BASE
    return gap * gap * FIT_WEIGHT


@compiled
def worth(kit: Row, state: Row, values: npt.NDArray[np.float64]) -> bool:
    """The score: a hand is played for its points."""
    total = 0.0
    for seat in range(state.players):
        total += state.scores[seat]
    for seat in range(state.players):
        own = float(state.scores[seat])
        values[seat] = own - SPOIL * (total - own) / (state.players - 1)
    return state.phase == TO_DEAL


SWAPS = 10
FIT_SLOPE, FIT_BASE, FIT_WEIGHT = 0.9, 0.3, 1.0
SPOIL = 0.0


# A rule of thumb -----------------------------------------------------------------------------


@compiled
def promise(card: int, size: int) -> float:
    """The chance that a card kept in a hand of so many wins a trick later."""
    if card == KING or card == PIRATE:
        return 0.98
    if card == MARY:
        return 0.69
    if card == MERMAID:
        return 0.8
    if card == ESCAPE:
        return 0.0
    height = (card % RANKS) / (RANKS - 1)
    if card // RANKS == BLACK:
        return 0.16 + 0.66 * height
    return max(0.0, 0.41 * height - 0.17) * (1.37 - 0.074 * size)


@compiled
def survival(card: int) -> float:
    """The chance that the next player does not beat a card that wins so far."""
    if card == KING or card == PIRATE or card == MARY_PIRATE:
        return 1.0
    if card == MERMAID:
        return 0.8
    if card == ESCAPE or card == MARY_ESCAPE:
        return 0.07
    height = (card % RANKS) / (RANKS - 1)
    if card // RANKS == BLACK:
        return 0.39 + 0.33 * height
    return 0.31 + 0.5 * height + 0.2 * height * height


@compiled
def add_card(chances: npt.NDArray[np.float64], cards: int, chance: float) -> None:
    """To the chances of 0, 1, … tricks from so many cards, adds another card's."""
    for tricks in range(cards + 1, 0, -1):
        chances[tricks] += (chances[tricks - 1] - chances[tricks]) * chance
    chances[0] *= 1.0 - chance


@compiled
def bid(state: Row, seat: int) -> int:
    """The bid that promises most."""
    size = int(state.hand)
    chances = np.zeros(LAST_HAND + 2)
    chances[0] = 1.0
    dodged = 1.0
    for place in range(size):
        chance = promise(int(state.hands[seat][place]), size)
        add_card(chances, place, chance)
        dodged *= 1.0 - 0.46 * chance
    total = 0.0
    for tricks in range(size + 1):
        chances[tricks] = chances[tricks] ** 0.65
        total += chances[tricks]
    best, most = 0, 10.0 * size * (2.0 * dodged - 1.0)
    for number in range(1, size + 1):
        expected = 0.2 * number
        for tricks in range(size + 1):
            points = rules.hand_points(size, number, tricks, 0)
            expected += chances[tricks] / total * points
        if expected > most:
            best, most = number, expected
    return best


@compiled
def take_card(chances: npt.NDArray[np.float64], cards: int, chance: float, kept: Any) -> None:
    """From the chances of 0, 1, … tricks from so many cards, takes one card's: what the others
    come to."""
    if chance <= 0.5:  # from the end that keeps errors small
        kept[0] = chances[0] / (1.0 - chance)
        for tricks in range(1, cards):
            kept[tricks] = (chances[tricks] - chance * kept[tricks - 1]) / (1.0 - chance)
    else:
        kept[cards - 1] = chances[cards] / chance
        for tricks in range(cards - 1, 0, -1):
            kept[tricks - 1] = (chances[tricks] - (1.0 - chance) * kept[tricks]) / chance


@compiled
def play(kit: Row, state: Row, seat: int) -> int:
    """The card after which the expected points of the hand are highest."""
    numbers = np.empty(2 * LAST_HAND, np.int16)
    options = rules.legal(kit, state, seat, numbers)
    if options == 1:
        return int(numbers[0])
    hand, trick = state.hands[seat], state.trick
    size = rules.cards_in(hand)
    place = rules.cards_in(trick)
    after = state.players - 1 - place
    number, tricks = int(state.bids[seat]), int(state.tricks[seat])
    done = tricks >= number

    # the tricks that all cards in the hand might win, and the points of so many
    scratch = np.zeros((3, LAST_HAND + 2))
    chances, kept, points = scratch[0], scratch[1], scratch[2]
    chances[0] = 1.0
    cards, promised = 0, 0.0
    trust = 0.86 if done else 1.0
    for i in range(size):
        chance = trust * promise(int(hand[i]), size - 1)
        if chance > 0.0:
            add_card(chances, cards, chance)
            promised += chance
            cards += 1
    for more in range(cards + 2):
        points[more] = rules.hand_points(int(state.hand), number, tricks + more, 0)
    usual, usual_gain = 0.0, 0.0
    for more in range(cards + 1):
        usual += chances[more] * points[more]
        usual_gain += chances[more] * (points[more + 1] - points[more])

    best, most = int(numbers[0]), -1e9
    for i in range(options):
        card = int(numbers[i]) - FIRST_PLAY
        trick[place] = card
        win = 0.0
        if rules.winning_place(trick) == place:
            win, chance = 1.0, survival(card)
            for _ in range(after):
                win *= chance
        trick[place] = NONE
        chance = trust * promise(rules.held_as(card), size - 1)
        expected, gain = usual, usual_gain
        if chance > 0.0:
            take_card(chances, cards, chance, kept)
            expected, gain = 0.0, 0.0
            for more in range(cards):
                expected += kept[more] * points[more]
                gain += kept[more] * (points[more + 1] - points[more])
        expected += win * gain + (-0.3 if done else 0.1) * (promised - chance)
        if expected > most:
            best, most = int(numbers[i]), expected
    return best


@compiled
def hunch(kit: Row, state: Row, seat: int, rng: Row) -> int:
    """A quick choice: what `choose` does, without looking at what was played before."""
    if state.phase == BIDDING:
        return bid(state, seat)
    return play(kit, state, seat)


@compiled
def choose(kit: Row, seen: Row, memory: Row, seat: int, rng: Row) -> int:
    """The number of a sensible action: bid what the cards promise, then play to the bid."""
    return hunch(kit, seen, seat, rng)


@compiled
def fumble(kit: Row, seen: Row, memory: Row, seat: int, rng: Row) -> int:
    """What a beginner does: counts strong cards and is often one off, wins with the best card while
    tricks are wanted, hides the low cards first otherwise, and overlooks things."""
    hand = seen.hands[seat]
    if seen.phase == BIDDING:
        number = 0
        for place in range(seen.hand):
            number += promise(int(hand[place]), int(seen.hand)) > 0.5
        slip = below(rng, 4)
        number += 1 if slip == 0 else -1 if slip == 1 else 0
        return max(0, min(number, int(seen.hand)))
    numbers = np.empty(2 * LAST_HAND, np.int16)
    options = rules.legal(kit, seen, seat, numbers)
    best = int(numbers[below(rng, options)])
    if below(rng, 8) == 0:
        return best
    trick, place = seen.trick, rules.cards_in(seen.trick)
    wants = seen.tricks[seat] < seen.bids[seat]
    most = -1e9
    for i in range(options):
        card = int(numbers[i]) - FIRST_PLAY
        trick[place] = card
        wins = rules.winning_place(trick) == place
        trick[place] = NONE
        strength = promise(rules.held_as(card), 1)
        liking = strength if wants and wins else -strength
        if liking > most:
            best, most = int(numbers[i]), liking
    return best

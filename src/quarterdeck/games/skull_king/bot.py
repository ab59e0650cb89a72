"""Skull King: what a bot should know. Worlds that fit a seat's knowledge, and a rule of thumb.

Everything here works from `seen` and `memory` alone: what the seat sees and what it was shown.
"""

from __future__ import annotations

import math

import numpy as np

from quarterdeck.contract import (
    Array,
    Float64,
    Int8,
    Rng,
    below,
    compiled,
    copy_list,
    insert_sorted,
)

from . import rules
from .state import (
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
    RANKS,
    Kit,
    Memory,
    State,
)

_TRIES = 64
_ROOM = LARGEST_PACK + CARD_KINDS
_SWAPS = 10
_FINE = 1 << 20
USUAL_HAND = 5


# Worlds --------------------------------------------------------------------------------------


@compiled
def unseen_cards(kit: Kit, seen: State, memory: Memory, seat: int, cards: Array[Int8]) -> int:
    """Writes every card the seat has neither held nor seen played in this hand; how many.

    `cards` has room for the pack and behind it for one number a kind of card.
    """
    left = cards[LARGEST_PACK:]
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
        cards[count] = card
        count += left[card] > 0
        for _ in range(1, left[card]):
            cards[count] = card
            count += 1
    return count


@compiled
def imagine(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng, state: State) -> None:
    """Writes a whole state that fits what the seat knows: the other hands dealt from the cards it
    has not seen, the bids of others guessed as long as they are sealed.

    Seats that showed a void get no card of that suit, wherever such a deal can be found.
    """
    cards = np.empty(_ROOM, np.int8)
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
    seen: State,
    memory: Memory,
    seat: int,
    rng: Rng,
    cards: Array[Int8],
    size: int,
    heed_voids: bool,
    state: State,
) -> bool:
    """Deals unseen cards to the other seats, those with most voids first; False if stuck."""
    state.hands[:] = NONE
    copy_list(state.hands[seat], seen.hands[seat])
    most = 0
    for other in range(seen.players):
        most = max(most, voids_shown(memory, other))
    for voids in range(most, -1, -1):
        for other in range(seen.players):
            if other == seat or voids_shown(memory, other) != voids:
                continue
            # draw among the fitting cards only: they are moved to the front
            fitting = size
            if voids > 0 and heed_voids:
                fitting = 0
                for i in range(size):
                    if may_hold(memory, other, cards[i]):
                        cards[i], cards[fitting] = cards[fitting], cards[i]
                        fitting += 1
            count = rules.cards_in(seen.hands[other])
            if fitting < count:
                return False
            for place in range(count):
                i = below(rng, fitting)
                insert_sorted(state.hands[other], place, cards[i])
                fitting -= 1
                size -= 1
                cards[i], cards[fitting] = cards[fitting], cards[i]
                cards[fitting], cards[size] = cards[size], cards[fitting]
    return True


@compiled
def voids_shown(memory: Memory, seat: int) -> int:
    """In how many suits the seat has shown that it lacks them."""
    shown = 0
    for suit in range(4):
        shown += memory.void[seat][suit]
    return shown


@compiled
def shift(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng, state: State) -> bool:
    """Swaps a few hidden cards of an imagined world, so that hands come up as often as they fit
    the bids: a swap is made or left by how well the two hands then promise what their seats bid."""
    held = np.zeros(MOST_PLAYERS + 1, np.int64)  # cards of each seat; the last is the stock
    promised = np.zeros(MOST_PLAYERS)
    stock = np.empty(_ROOM, np.int8)
    held[seen.players] = take_stock(kit, seen, memory, seat, state, stock)
    for other in range(seen.players):
        if other != seat:
            held[other] = rules.cards_in(state.hands[other])
            promised[other] = promise_at_bid(memory, state, other)

    for _ in range(_SWAPS):
        one, two = below(rng, seen.players), below(rng, seen.players + 1)
        if one == two or held[one] == 0 or held[two] == 0:
            continue
        place = below(rng, held[two])
        card = state.hands[one][below(rng, held[one])]
        is_stock = two == seen.players
        other_card = stock[place] if is_stock else state.hands[two][place]
        if card == other_card or not may_hold(memory, one, other_card):
            continue
        more = promise(other_card, USUAL_HAND, 4) - promise(card, USUAL_HAND, 4)
        change = misfit(seen, one, promised[one]) - misfit(seen, one, promised[one] + more)
        if not is_stock:
            if not may_hold(memory, two, card):
                continue
            change += misfit(seen, two, promised[two]) - misfit(seen, two, promised[two] - more)
        if change < 0.0 and below(rng, _FINE) >= _FINE * math.exp(change):
            continue
        exchange(state.hands[one], held[one], card, other_card)
        promised[one] += more
        if is_stock:
            stock[place] = card
        else:
            exchange(state.hands[two], held[two], other_card, card)
            promised[two] -= more
    if seen.phase == BIDDING:  # a sealed bid goes with the hand
        for other in range(seen.players):
            if other != seat and seen.bids[other] != NONE:
                state.bids[other] = bid(state, other)
    return True


@compiled
def take_stock(
    kit: Kit, seen: State, memory: Memory, seat: int, state: State, stock: Array[Int8]
) -> int:
    """Writes the cards that nobody holds in an imagined world, and were not played; how many."""
    left = np.zeros(CARD_KINDS, np.int8)
    for i in range(unseen_cards(kit, seen, memory, seat, stock)):
        left[stock[i]] += 1
    for other in range(seen.players):
        if other != seat:
            for card in state.hands[other]:
                if card != NONE:
                    left[card] -= 1
    count = 0
    for card in range(CARD_KINDS):
        for _ in range(left[card]):
            stock[count] = card
            count += 1
    return count


@compiled
def promise_at_bid(memory: Memory, state: State, seat: int) -> float:
    """What a seat's cards promised when it bid: those it holds and those it has played."""
    total = 0.0
    for place in range(LAST_HAND):
        if state.hands[seat][place] != NONE:
            total += promise(state.hands[seat][place], USUAL_HAND, 4)
        if memory.shown[seat][place] > 0:
            total += promise(memory.shown[seat][place] - 1, USUAL_HAND, 4)
    return total


@compiled
def misfit(seen: State, seat: int, promised: float) -> float:
    """How badly cards of so much promise fit the seat's bid, once that is open."""
    if seen.phase == BIDDING:
        return 0.0
    gap: float = promised - 0.5 - 0.75 * seen.bids[seat]
    return 1.5 * gap * gap


@compiled
def may_hold(memory: Memory, seat: int, card: int) -> bool:
    """Whether the seat has not shown that it lacks the card's suit."""
    suit = rules.suit_of(card)
    return suit == NONE or memory.void[seat][suit] == 0


@compiled
def exchange(hand: Array[Int8], count: int, card: int, other_card: int) -> None:
    """Puts another card in the place of one."""
    rules.remove_card(hand, card)
    insert_sorted(hand, count - 1, other_card)


# What cards promise --------------------------------------------------------------------------


@compiled
def promise(card: int, size: int, players: int) -> float:
    """The chance that a card kept in a hand of so many wins a trick later.

    These figures, and those below, were tuned by games of four among themselves.
    """
    height = (card % RANKS) / (RANKS - 1)
    if card == KING or card == PIRATE:
        chance = 0.98
    elif card == MARY:
        chance = 0.69
    elif card == MERMAID:
        chance = 0.8
    elif card == ESCAPE:
        chance = 0.0
    elif card // RANKS == BLACK:
        chance = 0.16 + 0.66 * height
    else:
        chance = max(0.0, 0.41 * height - 0.17) * (1.37 - 0.074 * size)
    if players != 4 and chance > 0.0:
        chance **= (players - 1) / 3
    return chance


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
def add_card(chances: Array[Float64], cards: int, chance: float) -> None:
    """To the chances of 0, 1, … tricks from so many cards, adds another card's."""
    for tricks in range(cards + 1, 0, -1):
        chances[tricks] += (chances[tricks - 1] - chances[tricks]) * chance
    chances[0] *= 1.0 - chance


@compiled
def take_card(chances: Array[Float64], cards: int, chance: float, kept: Array[Float64]) -> None:
    """From the chances of 0, 1, … tricks from so many cards, takes one card's; writes the rest."""
    if chance <= 0.5:  # from the end that keeps errors small
        kept[0] = chances[0] / (1.0 - chance)
        for tricks in range(1, cards):
            kept[tricks] = (chances[tricks] - chance * kept[tricks - 1]) / (1.0 - chance)
    else:
        kept[cards - 1] = chances[cards] / chance
        for tricks in range(cards - 1, 0, -1):
            kept[tricks - 1] = (chances[tricks] - (1.0 - chance) * kept[tricks]) / chance


# A rule of thumb -----------------------------------------------------------------------------


@compiled
def bid(state: State, seat: int) -> int:
    """The bid that promises most."""
    size = int(state.hand)
    chances = np.zeros(LAST_HAND + 2)
    chances[0] = 1.0
    dodged = 1.0
    for place in range(size):
        chance = promise(state.hands[seat][place], size, state.players)
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
def play(kit: Kit, state: State, seat: int) -> int:
    """The card after which the expected points of the hand are highest."""
    numbers = np.empty(2 * LAST_HAND, np.int16)
    options = rules.legal(kit, state, seat, numbers)
    if options == 1:
        return int(numbers[0])
    hand, trick = state.hands[seat], state.trick
    size = rules.cards_in(hand)
    place = rules.cards_in(trick)
    players = int(state.players)
    after = players - 1 - place
    number, tricks = int(state.bids[seat]), int(state.tricks[seat])
    done = tricks >= number

    # the tricks that all cards in the hand might win, and the points of so many
    scratch = np.zeros((3, LAST_HAND + 2))
    chances, kept, points = scratch[0], scratch[1], scratch[2]
    chances[0] = 1.0
    cards, promised = 0, 0.0
    trust = 0.86 if done else 1.0
    for i in range(size):
        chance = trust * promise(hand[i], size - 1, players)
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
        chance = trust * promise(rules.held_as(card), size - 1, players)
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
def hunch(kit: Kit, state: State, seat: int, rng: Rng) -> int:
    """A sensible action, from what the seat sees alone: bid what promises most, play to the bid."""
    if state.phase == BIDDING:
        return bid(state, seat)
    return play(kit, state, seat)


@compiled
def choose(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng) -> int:
    """The number of a sensible action."""
    return hunch(kit, seen, seat, rng)


@compiled
def worth(kit: Kit, state: State, values: Array[Float64]) -> bool:
    """The scores after the hand: each hand is played for its points."""
    for seat in range(state.players):
        values[seat] = state.scores[seat]
    return True


@compiled
def fumble(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng) -> int:
    """What a beginner does: counts strong cards and is often one off, wins with the best card while
    tricks are wanted, hides the low cards first otherwise, and overlooks things."""
    hand = seen.hands[seat]
    if seen.phase == BIDDING:
        number = 0
        for place in range(seen.hand):
            number += promise(hand[place], seen.hand, seen.players) > 0.5
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
        strength = promise(rules.held_as(card), 1, seen.players)
        liking = strength if wants and wins else -strength
        if liking > most:
            best, most = int(numbers[i]), liking
    return best

"""Skull King: what a bot should know. Worlds that fit a seat's knowledge, and a rule of thumb.

Everything here works from `seen` and `memory` alone: what the seat sees and what it was shown.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from quarterdeck.contract import Row, below, compiled

from . import rules
from .rules import (
    BIDDING,
    BLACK,
    CARD_KINDS,
    ESCAPE,
    FIRST_PLAY,
    HIDDEN,
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
)

_TRIES = 64


# Worlds --------------------------------------------------------------------------------------


@compiled
def unseen_cards(kit: Row, seen: Row, memory: Row, cards: npt.NDArray[np.int8]) -> int:
    """Writes every card the seat has not seen in this hand; answers how many."""
    left = np.empty(CARD_KINDS, np.int8)
    for card in range(CARD_KINDS):
        left[card] = kit.copies[card] - memory.played[card]
    for seat in range(seen.players):
        for card in seen.hands[seat]:
            if card >= 0:
                left[card] -= 1
    # In a game begun from a position some cards lie on the table that nobody saw played.
    for pile in (seen.trick, seen.last):
        for card in pile:
            if card >= 0 and memory.played[rules.held_as(card)] == 0:
                left[rules.held_as(card)] -= 1
    count = 0
    for card in range(CARD_KINDS):
        for _ in range(left[card]):
            cards[count] = card
            count += 1
    return count


@compiled
def imagine(kit: Row, seen: Row, memory: Row, seat: int, rng: Row, state: Row) -> None:
    """Writes a whole state that fits what the seat knows: hidden hands dealt, hidden bids guessed.

    Seats that showed a void get no card of that suit, wherever such a deal can be found.
    """
    cards = np.empty(LARGEST_PACK, np.int8)
    count = unseen_cards(kit, seen, memory, cards)
    state.players = seen.players
    state.phase = seen.phase
    state.hand = seen.hand
    state.dealer = seen.dealer
    state.leader = seen.leader
    state.last_leader = seen.last_leader
    state.tricks[:] = seen.tricks
    state.trick[:] = seen.trick
    state.last[:] = seen.last
    state.bonus[:] = seen.bonus
    state.scores[:] = seen.scores
    state.pad_bids[:] = seen.pad_bids
    state.pad_points[:] = seen.pad_points
    for other in range(MOST_PLAYERS):
        guess = seen.bids[other] == HIDDEN
        state.bids[other] = below(rng, seen.hand + 1) if guess else seen.bids[other]
    for attempt in range(_TRIES):
        heed_voids = attempt + 1 < _TRIES
        if deal_unseen(seen, memory, rng, cards, count, heed_voids, state):
            return


@compiled
def deal_unseen(
    seen: Row,
    memory: Row,
    rng: Row,
    cards: npt.NDArray[np.int8],
    count: int,
    heed_voids: bool,
    state: Row,
) -> bool:
    """Deals unseen cards to the hidden places, the seats with most voids first; False if stuck."""
    state.hands[:] = seen.hands
    size = count
    for voids in range(4, -1, -1):
        for other in range(seen.players):
            shown = 0
            for suit in range(4):
                shown += memory.void[other][suit]
            if shown != voids or seen.hands[other][0] != HIDDEN:
                continue
            for place in range(LAST_HAND):
                if seen.hands[other][place] != HIDDEN:
                    break
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


# A rule of thumb -----------------------------------------------------------------------------


@compiled
def promise(card: int, players: int) -> float:
    """How many tricks a card in the hand is worth on average: the chance that it wins one."""
    if card == KING:
        return 0.93
    if card == PIRATE:
        return 0.84 - 0.03 * (players - 2)
    if card == MARY:
        return 0.5
    if card == MERMAID:
        return 0.62 - 0.05 * (players - 2)
    if card == ESCAPE:
        return 0.0
    height = (card % RANKS) / (RANKS - 1)
    if card // RANKS == BLACK:
        return 0.18 + (0.62 - 0.03 * (players - 2)) * height
    return max(0.0, (0.72 - 0.06 * (players - 2)) * height**3 - 0.01 * (players - 2))


@compiled
def beats_now(trick: npt.NDArray[np.int8], card: int) -> bool:
    """Whether the card, played now, would be the one that wins so far."""
    longer = trick.copy()
    place = rules.cards_in(trick)
    longer[place] = card
    return rules.winning_place(longer) == place


@compiled
def chance_to_win(
    seen: Row, unseen: npt.NDArray[np.int8], count: int, card: int, still_to_play: int
) -> float:
    """About how likely the card, played now, takes the trick, given the cards not yet seen."""
    if not beats_now(seen.trick, card):
        return 0.0
    if still_to_play == 0 or count == 0:
        return 1.0
    longer = seen.trick.copy()
    place = rules.cards_in(longer)
    longer[place] = card
    danger = 0.0
    for i in range(count):
        other = MARY_PIRATE if unseen[i] == MARY else unseen[i]
        longer[place + 1] = other
        if rules.winning_place(longer) == place + 1:
            # a trump or a special card is kept back more often than a higher card of the suit
            danger += 1.0 if rules.suit_of(other) == rules.suit_of(card) else 0.7
    held = 0.0
    for seat in range(seen.players):
        held += rules.cards_in(seen.hands[seat])
    per_seat = max(1.0, held / seen.players)
    safe = (1.0 - danger / count) ** (0.55 * per_seat + 0.45)
    return safe**still_to_play


@compiled
def choose(kit: Row, seen: Row, memory: Row, seat: int, rng: Row) -> int:
    """The number of a sensible action: bid what the cards promise, then play to the bid.

    A card is judged by how near it brings the expected number of tricks to the bid: its own chance
    to win now, plus what the cards kept promise for later.
    """
    hand = seen.hands[seat]
    total = 0.0
    for card in hand:
        if card >= 0:
            total += promise(card, seen.players)
    if seen.phase == BIDDING:
        return min(int(seen.hand), int(total + 0.5))

    numbers = np.empty(2 * LAST_HAND, np.int16)
    options = rules.legal(kit, seen, seat, numbers)
    unseen = np.empty(LARGEST_PACK, np.int8)
    count = unseen_cards(kit, seen, memory, unseen)
    need = seen.bids[seat] - seen.tricks[seat]
    still_to_play = seen.players - 1 - rules.cards_in(seen.trick)
    left = rules.cards_in(hand)
    best = numbers[0]
    best_miss = 1e9
    for i in range(options):
        card = numbers[i] - FIRST_PLAY
        win = chance_to_win(seen, unseen, count, card, still_to_play)
        later = total - promise(rules.held_as(card), seen.players)
        if need <= 0:
            # nothing more is wanted: lose now, and get rid of what might win later
            miss = 3.0 * win + later
            if card == MARY_ESCAPE:
                miss += 0.3
        elif need >= left:
            miss = -win - 0.05 * later
        else:
            miss = abs(need - win - later) + 0.15 * win * (1.0 - win)
        # between equals spend the card of less promise
        miss += 0.001 * promise(rules.held_as(card), seen.players) * (1 if need > 0 else -1)
        if miss < best_miss - 1e-9:
            best_miss = miss
            best = numbers[i]
    return int(best)


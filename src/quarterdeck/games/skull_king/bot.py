"""Skull King: what a bot should know. Worlds that fit a seat's knowledge, and a rule of thumb.

Everything here works from `seen` and `memory` alone: what the seat sees and what it was shown.
"""

from __future__ import annotations

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
    RANKS,
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
def chance_to_win(
    seen: Row, unseen: npt.NDArray[np.int8], count: int, card: int, still_to_play: int
) -> float:
    """About how likely the card, played now, takes the trick, given the cards not yet seen."""
    trick = seen.trick  # cards are laid here to compare them, and taken up again
    place = rules.cards_in(trick)
    trick[place] = card
    wins_so_far = rules.winning_place(trick) == place
    danger = 0.0
    if wins_so_far and still_to_play > 0:
        for i in range(count):
            other = MARY_PIRATE if unseen[i] == MARY else int(unseen[i])
            trick[place + 1] = other
            if rules.winning_place(trick) == place + 1:
                # a trump or a special card is kept back more often than a card of the suit
                danger += 1.0 if rules.suit_of(other) == rules.suit_of(card) else 0.7
        trick[place + 1] = NONE
    trick[place] = NONE
    if not wins_so_far:
        return 0.0
    if still_to_play == 0 or count == 0:
        return 1.0
    held = 0.0
    for seat in range(seen.players):
        held += rules.cards_in(seen.hands[seat])
    per_seat = max(1.0, held / seen.players)
    safe = (1.0 - danger / count) ** (0.55 * per_seat + 0.45)
    all_safe: float = safe**still_to_play
    return all_safe


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
            total += promise(int(card), seen.players)
    if seen.phase == BIDDING:
        return min(int(seen.hand), int(total + 0.5))

    numbers = np.empty(2 * LAST_HAND, np.int16)
    options = rules.legal(kit, seen, seat, numbers)
    unseen = np.empty(LARGEST_PACK, np.int8)
    count = unseen_cards(kit, seen, memory, seat, unseen)
    need = seen.bids[seat] - seen.tricks[seat]
    still_to_play = seen.players - 1 - rules.cards_in(seen.trick)
    left = rules.cards_in(hand)
    best = numbers[0]
    best_miss = 1e9
    for i in range(options):
        card = int(numbers[i]) - FIRST_PLAY
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

"""Skull King: what a seat may see, what it may remember, and what is told to it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from quarterdeck.contract import NATURE, Array, Event, Int8, compiled, copy_list

from . import rules
from .notation import CARD_NAMES, SUIT_NAMES
from .positions import Bid, bid_names, hand_names, read_state
from .state import (
    BID,
    BIDDING,
    BLACK,
    DEAL,
    ENDED,
    HIDDEN,
    KING,
    LAST_HAND,
    MARY_ESCAPE,
    MARY_PIRATE,
    MERMAID,
    MOST_PLAYERS,
    NONE,
    PIRATE,
    PLAY,
    START,
    SUIT_CARDS,
    Action,
    Kit,
    Memory,
    State,
)


@compiled
def see(kit: Kit, state: State, seat: int, seen: State) -> None:
    """Writes what a seat may see: all but the other hands, and the bids until all have bid."""
    seen.players = state.players
    seen.phase = state.phase
    seen.hand = state.hand
    seen.dealer = state.dealer
    seen.leader = state.leader
    seen.last_leader = state.last_leader
    copy_list(seen.tricks, state.tricks)
    copy_list(seen.trick, state.trick)
    copy_list(seen.last, state.last)  # SK-R3: the last finished trick, no earlier one
    copy_list(seen.bonus, state.bonus)
    copy_list(seen.scores, state.scores)
    for hand in range(LAST_HAND):
        copy_list(seen.pad_bids[hand], state.pad_bids[hand])
        copy_list(seen.pad_points[hand], state.pad_points[hand])
    for other in range(MOST_PLAYERS):
        mine = other == seat
        # SK-R4: that a seat has bid is public, what it bid is not
        open_bid = mine or state.phase != BIDDING or state.bids[other] == NONE
        seen.bids[other] = state.bids[other] if open_bid else HIDDEN
        for place in range(LAST_HAND):
            open_card = mine or state.hands[other][place] == NONE
            seen.hands[other][place] = state.hands[other][place] if open_card else HIDDEN


@compiled
def glimpse(kit: Kit, state: State, seat: int, actor: int, action: Action, seen: Action) -> None:
    """Writes what a seat may see of an action: of a deal its own cards, no other seat's bid."""
    seen.verb = action.verb
    seen.args[:] = NONE
    if action.verb == DEAL:
        for other in range(MOST_PLAYERS):
            for place in range(other * LAST_HAND, (other + 1) * LAST_HAND):
                open_card = other == seat or action.args[place] == NONE
                seen.args[place] = action.args[place] if open_card else HIDDEN
    elif action.verb == BID and actor != seat:
        seen.args[0] = HIDDEN
    else:
        seen.args[0] = action.args[0]


@compiled
def remember(kit: Kit, memory: Memory, seat: int, seen: State, actor: int, action: Action) -> None:
    """Adds an action, as glimpsed, to what the seat remembers. `seen` is the table before it."""
    if action.verb == DEAL:
        memory.played[:] = 0
        memory.void[:] = 0
        memory.shown[:] = 0
    elif action.verb == PLAY:
        card = action.args[0]
        memory.played[rules.held_as(card)] += 1
        place = 0
        while memory.shown[actor][place] != 0:
            place += 1
        memory.shown[actor][place] = rules.held_as(card) + 1
        suit = rules.suit_to_follow(seen.trick)
        if suit != NONE and card < SUIT_CARDS and rules.suit_of(card) != suit:
            memory.void[actor][suit] = 1  # SK-5: who holds the suit does not throw another


# What is told --------------------------------------------------------------------------------


class Own(Struct, frozen=True):
    """What a seat sees otherwise than everybody: its cards, and its bid while bids are sealed."""

    hands: list[list[str]]
    bids: list[Bid]


def own(kit: Kit, seen: State, seat: int) -> Own:
    """The seat's own part of its view, from what it sees."""
    fields = read_state(seen)
    players, bids, hands = fields[0], fields[6], fields[10]
    return Own(hand_names(hands, players), bid_names(bids[:players]))


def events(kit: Kit, before: State, actor: int, action: Action, after: State) -> list[Event]:
    """What happened, to be told to the seat that sees these records."""
    if actor == NATURE:
        if action.verb == START:
            return [Event("dealer-drawn", {"seat": int(after.dealer)})]
        return [
            Event("hand-dealt", {"hand": int(after.hand), "seat": int(after.dealer)}),
        ]
    if action.verb == BID:
        told = [Event("bid-sealed", {"seat": actor})]
        if after.phase != BIDDING:
            bids = [int(after.bids[seat]) for seat in range(after.players)]
            told.append(Event("bids-open", {"bids": bids, "total": sum(bids)}))
        return told

    told = [Event("card-played", {"seat": actor, "card": CARD_NAMES[action.args[0]]})]
    if after.trick[0] == NONE:
        told += _trick_events(before, action)
        if after.phase != before.phase:
            told += _hand_events(before, after)
    return told


def _trick_events(before: State, action: Action) -> list[Event]:
    trick = before.trick.copy()
    trick[before.players - 1] = action.args[0]
    place = rules.winning_place(trick)
    winner = int((before.leader + place) % before.players)
    why, values = _why(trick, place)
    values |= {"seat": winner, "card": CARD_NAMES[trick[place]], "why": why}
    told = [Event("trick-won", values)]
    bonus = rules.trick_bonus(trick, place)
    if bonus:
        told.append(Event("bonus", {"seat": winner, "points": bonus, "with": why}))
    return told


def _why(trick: Array[Int8], place: int) -> tuple[str, dict[str, Any]]:
    """Why the card at `place` wins: a key of the catalogue and what it needs to be said."""
    card = int(trick[place])
    cards = [int(other) for other in trick if other != NONE]
    others = cards[:place] + cards[place + 1 :]
    suit = rules.suit_to_follow(trick)
    if card == MERMAID:
        if KING in others:
            return "mermaid-charms-king", {}
        return ("first-mermaid" if MERMAID in others else "mermaid-over-suits"), {}
    if card == KING:
        pirates = sum(other in _PIRATES for other in others)
        return ("king-over-pirates" if pirates else "king-over-all"), {}
    if card in _PIRATES and card != MARY_ESCAPE:
        if any(other in _PIRATES and other != MARY_ESCAPE for other in others):
            return "first-pirate", {}
        return ("pirate-over-mermaid" if MERMAID in others else "pirate-over-suits"), {}
    if card >= SUIT_CARDS:
        return "all-escapes", {}
    if rules.suit_of(card) == BLACK and suit != BLACK:
        return "trump", {"suit": SUIT_NAMES[suit]}
    same = sum(rules.suit_of(other) == suit for other in others)
    return ("highest" if same else "alone"), {"suit": SUIT_NAMES[suit]}


_PIRATES = (PIRATE, MARY_PIRATE, MARY_ESCAPE)


def _hand_events(before: State, after: State) -> list[Event]:
    hand = int(before.hand)
    told = [Event("hand-over", {"hand": hand})]
    for seat in range(after.players):
        bid, points = int(after.pad_bids[hand - 1][seat]), int(after.pad_points[hand - 1][seat])
        told.append(
            Event(
                "hand-scored",
                {"seat": seat, "bid": bid, "points": points, "total": int(after.scores[seat])},
            )
        )
    if after.phase == ENDED:
        best = max(int(after.scores[seat]) for seat in range(after.players))
        winners = [seat for seat in range(after.players) if after.scores[seat] == best]
        key = "game-won" if len(winners) == 1 else "game-shared"
        told.append(Event(key, {"seats": winners, "points": best}))
    return told

"""Riff Raff: what a seat may see, what it may remember, and what is told to it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from quarterdeck.contract import (
    Event,
    compiled,
    copy_list,
)

from . import rules
from .notation import SHAPE_NAMES
from .positions import Card, hand_cards, played_cards
from .state import (
    ANNOUNCE,
    AREAS,
    ASTRAY,
    BACK,
    CAPTAIN,
    CARD,
    CARDS,
    CAUGHT,
    CHOOSING,
    ENDED,
    FALLEN,
    HIDDEN,
    MOST_PLAYERS,
    MOVED,
    NONE,
    ORDER,
    SHAPES,
    START,
    TAKE,
    TO_START,
    Action,
    Kit,
    Memory,
    State,
    list_size,
    pieces_of,
)


@compiled
def see(kit: Kit, state: State, seat: int, seen: State) -> None:
    """Writes what a seat may see: all but the cards in other hands, and those chosen in secret."""
    seen.players = state.players
    seen.fitted = state.fitted
    seen.phase = state.phase
    seen.round = state.round
    seen.captain = state.captain
    seen.active = state.active
    seen.announced = state.announced
    seen.loaded = state.loaded
    seen.hand = state.hand
    copy_list(seen.last, state.last)  # RR-6, RR-R10: the last card, no earlier one
    copy_list(seen.order, state.order)
    for area in range(AREAS):
        copy_list(seen.aboard[area], state.aboard[area])
    for other in range(MOST_PLAYERS):
        copy_list(seen.supply[other], state.supply[other])
        mine = other == seat
        # RR-3: that a seat has chosen is public, what it chose is not
        is_open = mine or state.phase != CHOOSING or state.played[other] == NONE
        seen.played[other] = state.played[other] if is_open else HIDDEN
        for place in range(CARDS):  # RR-1
            is_open = mine or state.cards[other][place] == NONE
            seen.cards[other][place] = state.cards[other][place] if is_open else HIDDEN


@compiled
def glimpse(kit: Kit, state: State, seat: int, actor: int, action: Action, seen: Action) -> None:
    """Writes what a seat may see of an action: everything but another seat's card."""
    seen.verb = action.verb
    copy_list(seen.args, action.args)
    if action.verb == CARD and actor != seat:
        seen.args[0] = HIDDEN


@compiled
def remember(kit: Kit, memory: Memory, seat: int, seen: State, actor: int, action: Action) -> None:
    """RR-R10: adds the cards on the table to what the seat remembers.

    `seen` is the table before the action.
    """
    if seen.phase == CHOOSING:
        if (seen.round - 1) % CARDS == 0:  # RR-19: all cards are in hand
            memory.played[:] = 0
    elif seen.phase != TO_START:
        for other in range(seen.players):
            memory.played[other][seen.played[other]] = 1


# What is told --------------------------------------------------------------------------------


class Own(Struct, frozen=True):
    """What a seat sees otherwise than everybody does: its cards, and the one it chose in secret."""

    cards: list[list[Card]]
    played: list[Card | None]


def own(kit: Kit, seen: State, seat: int) -> Own:
    """The seat's own part of its view, from what it sees."""
    players = int(seen.players)
    cards, played = seen.cards[:players].tolist(), seen.played[:players].tolist()
    return Own(hand_cards(cards), played_cards(played))


def events(kit: Kit, before: State, actor: int, action: Action, after: State) -> list[Event]:
    """What happened, to be told to everybody alike."""
    first = int(action.args[0])
    if action.verb == START:
        return [Event("captain-drawn", {"seat": first})]
    if action.verb == CARD:
        return [Event("card-chosen", {"seat": actor}), *_reveal_events(before, after)]
    if action.verb == CAPTAIN:
        return [Event("captain-named", {"seat": actor, "captain": first})]
    if action.verb == ORDER:
        seats = [int(seat) for seat in action.args[: list_size(action)]]
        return [Event("order-named", {"seat": actor, "seats": seats})]
    if action.verb == ANNOUNCE:
        return [Event("announced", {"seat": actor, "pieces": first})]
    if action.verb == TAKE:
        area = rules.area_of(before)
        return [Event("taken", {"seat": actor, "piece": SHAPE_NAMES[first], "area": int(area)})]
    return _settle_events(before, action, after)


def _reveal_events(before: State, after: State) -> list[Event]:
    """The last card turns all of them up."""
    if after.phase == CHOOSING:
        return []
    players = range(after.players)
    told = [Event("card-open", {"seat": seat, "card": int(after.played[seat])}) for seat in players]
    leading = rules.highest(after)
    if leading & (leading - 1):
        tied = [seat for seat in players if leading >> seat & 1]
        told.append(Event("captain-open", {"seat": int(before.captain), "seats": tied}))
    else:
        told.append(Event("captain", {"seat": int(after.captain)}))
    return told


def _settle_events(before: State, action: Action, after: State) -> list[Event]:
    seat = int(before.active)
    args = action.args.tolist()
    piece, end = SHAPE_NAMES[args[0]], args[1]
    mine: dict[str, Any] = {"seat": seat, "piece": piece, "area": int(rules.area_of(before))}
    told = []
    if args[0] != before.hand:
        told.append(Event("exchanged", {**mine, "other": SHAPE_NAMES[before.hand]}))
    told += [
        Event("shifted", {"piece": SHAPE_NAMES[args[i]], "area": args[i + 1], "to": args[i + 2]})
        for i in range(MOVED, FALLEN, 3)
        if args[i] != NONE
    ]
    fell, caught = _fallen(args[FALLEN:CAUGHT]), _fallen(args[CAUGHT:])
    if end <= AREAS:
        told.append(Event("lies", mine))
    elif end == ASTRAY:
        told.append(Event("astray", mine))
    elif end == BACK:
        told.append(Event("back", mine))
    elif not args[2]:
        told.append(Event("fell", mine))
    elif caught:  # RR-R3
        caught = [piece, *caught]
    else:
        told.append(Event("caught-own", mine))  # RR-15
    if fell:
        told.append(Event("others-fell", {"seat": seat, "pieces": fell}))
    if caught:
        told.append(Event("caught", {"seat": seat, "pieces": caught}))

    if after.phase == ENDED:
        told.append(_end_event(after))
    elif after.round != before.round:
        told.append(Event("round", {"round": int(after.round), "seat": int(after.captain)}))
    elif after.active == before.active and before.loaded == 0 and after.loaded == 1:
        told.append(Event("second", {"seat": seat}))
    return told


def _fallen(counts: list[int]) -> list[str]:
    return [SHAPE_NAMES[place % SHAPES] for place, count in enumerate(counts) for _ in range(count)]


def _end_event(after: State) -> Event:
    left = [int(pieces_of(after, seat)) for seat in range(after.players)]
    winners = [seat for seat, count in enumerate(left) if count == min(left)]
    if min(left) == 0:
        return Event("game-won-empty", {"seats": winners})
    key = "game-won" if len(winners) == 1 else "game-shared"
    return Event(key, {"seats": winners, "pieces": min(left)})

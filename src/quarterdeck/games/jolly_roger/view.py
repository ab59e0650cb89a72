"""Jolly & Roger: what a seat may see, and what is told to it. All that is seen is seen by all."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from quarterdeck.contract import NATURE, Event, compiled, copy_list

from . import rules
from .notation import CARD_NAMES, SHIP_NAMES, names
from .positions import standing
from .state import (
    BOARD,
    CREW,
    ENDED,
    NONE,
    OFFER,
    PARROT,
    PARROTS,
    PICK,
    PIRATES,
    PLAY_KRAKEN,
    SHIPS,
    SPLIT,
    START,
    VALUES,
    Action,
    Kit,
    Memory,
    State,
)


@compiled
def see(kit: Kit, state: State, seat: int, seen: State) -> None:
    """Writes what a seat may see. JR-R2: everything, parrots included; no card of the pile."""
    seen.variant = state.variant
    seen.phase = state.phase
    seen.turn = state.turn
    seen.splitter = state.splitter
    copy_list(seen.offer, state.offer)
    copy_list(seen.removed, state.removed)
    for side in range(2):
        copy_list(seen.sets[side], state.sets[side])
        copy_list(seen.hands[side], state.hands[side])
        copy_list(seen.chests[side], state.chests[side])
        for ship in range(SHIPS):
            copy_list(seen.crews[ship][side], state.crews[ship][side])


@compiled
def glimpse(kit: Kit, state: State, seat: int, actor: int, action: Action, seen: Action) -> None:
    """Writes what a seat may see of an action: all of it."""
    seen.verb = action.verb
    copy_list(seen.args, action.args)


@compiled
def remember(kit: Kit, memory: Memory, seat: int, seen: State, actor: int, action: Action) -> None:
    """There is nothing to remember (JR-R2)."""


# What is told --------------------------------------------------------------------------------


class Own(Struct, frozen=True):
    """What a seat sees otherwise than everybody does: nothing (JR-R2)."""


def own(kit: Kit, seen: State, seat: int) -> Own:
    """The seat's own part of its view."""
    return _NOTHING


_NOTHING = Own()


def events(kit: Kit, before: State, actor: int, action: Action, after: State) -> list[Event]:
    """What happened, to be told."""
    if actor == NATURE:
        if action.verb == START:
            return [Event("splitter-drawn", {"seat": int(after.splitter)})]
        return [
            Event(
                "turned-up",
                {
                    "turn": int(after.turn),
                    "seat": int(after.splitter),
                    "cards": names(after.offer.tolist()),
                },
            )
        ]
    if action.verb == SPLIT:
        args = action.args.tolist()
        first, second = names(args[:OFFER]), names(args[OFFER:])
        return [Event("split", {"seat": actor, "first": first, "second": second})]
    if action.verb == PICK:
        return [
            Event(
                "picked",
                {
                    "seat": actor,
                    "set": int(action.args[0]),
                    "cards": names(after.hands[actor].tolist()),
                },
            )
        ]
    told = [_use_event(before, actor, action)]
    told += _captain_events(before, after)
    if after.phase == ENDED:
        told += _end_events(kit, after)
    return told


def _use_event(before: State, actor: int, action: Action) -> Event:
    card, ship = int(action.args[0]), int(action.args[1])
    if action.verb == CREW:
        return Event("crew", {"seat": actor, "card": CARD_NAMES[card], "ship": SHIP_NAMES[ship]})
    if action.verb == PARROTS:
        return Event("parrot", {"seat": actor, "card": CARD_NAMES[card], "ship": SHIP_NAMES[ship]})
    if action.verb == BOARD:
        return Event(
            "board",
            {
                "seat": actor,
                "card": CARD_NAMES[card],
                "ship": SHIP_NAMES[card // VALUES],
                "gold": card % VALUES + 1,
            },
        )
    if action.verb == PLAY_KRAKEN:
        if card == NONE:
            return Event("kraken-none", {"seat": actor})
        crew = [member for member in before.crews[card][1 - actor].tolist() if member != NONE]
        return Event(
            "kraken",
            {
                "seat": actor,
                "other": 1 - actor,
                "card": CARD_NAMES[crew[-1] % PARROT],
                "ship": SHIP_NAMES[card],
            },
        )
    crews = [both[actor] for both in before.crews.tolist()]
    turned = sum(PARROT <= card < PARROT + PIRATES for crew in crews for card in crew)
    return Event("tortuga", {"seat": actor, "count": turned})


def _captain_events(before: State, after: State) -> list[Event]:
    """JR-11: captains that come and go."""
    told = []
    captains = zip(standing(before).captains, standing(after).captains, strict=True)
    for ship, (old, new) in zip(SHIP_NAMES, captains, strict=True):
        if old == new:
            continue
        if new is None:
            told.append(Event("captain-leaves", {"seat": old, "ship": ship}))
        else:
            told.append(Event("captain-comes", {"seat": new, "ship": ship}))
    return told


def _end_events(kit: Kit, after: State) -> list[Event]:
    """The end, step by step: chests, ships, the sum, the winner."""
    told = []
    for seat in range(2):
        gold = int(rules.gold_in_chest(after, seat))
        told.append(Event("chest-counted", {"seat": seat, "gold": gold}))
    for ship in range(SHIPS):
        owner = rules.captain(after, ship)
        name, gold = SHIP_NAMES[ship], int(kit.gold[ship])
        if owner == NONE:
            told.append(Event("ship-free", {"ship": name}))
        else:
            told.append(Event("ship-won", {"seat": owner, "ship": name, "gold": gold}))
    scores = np.zeros(2, np.int64)
    winners = rules.outcome(kit, after, scores)
    gold = int(max(scores))
    if winners == 3:
        told.append(Event("game-shared", {"seats": [0, 1], "gold": gold}))
    else:
        seat = 0 if winners == 1 else 1
        key = "game-won" if scores[0] != scores[1] else "game-won-by-ship"
        told.append(Event(key, {"seats": [seat], "gold": gold}))
    return told

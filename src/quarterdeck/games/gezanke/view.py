"""Gezanke auf der Planke: what a seat may see, what it remembers, and what is told to it."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from msgspec import Struct

from quarterdeck.contract import Event, compiled, copy_list, copy_record, records

from . import rules, splash
from .balance import FIGURES, OVER, PRESS, SPEED, Integers
from .moves import push_length
from .notation import (
    COLOUR_NAMES,
    DIRECTION_NAMES,
    FIGURE_NAMES,
    PLACE_NAMES,
    PLANK_NAMES,
    SIDE_NAMES,
)
from .positions import purse_names
from .state import (
    BOARDING,
    CHOOSING,
    COLLECT,
    COLLECTS_GOLD,
    COLOURS,
    ENDED,
    GETS_NOTHING,
    HAND,
    LAY,
    LIFT,
    LIFTING,
    MOST_SEATS,
    NONE,
    OATH_PRICE,
    OPEN_PURSES,
    PLACE,
    PLANKS,
    PUTTING_NEUTRALS,
    RESCUE,
    ROLL,
    SET,
    SETTING,
    SLIDE,
    SPACES,
    START,
    STAY,
    STEADY,
    TO_ROLL,
    Action,
    Kit,
    Memory,
    State,
    hand_seat,
    owner,
    pile_of,
    pirates_on,
    seat_after,
)


@compiled
def see(kit: Kit, state: State, seat: int, seen: State) -> None:
    """Writes what a seat may see: everything but the purses of others (GP-22, GP-R9).

    The stacks lie open, whatever is hidden.
    """
    seen.players = state.players
    seen.hands = state.hands
    seen.open_purses = state.open_purses
    seen.phase = state.phase
    seen.active = state.active
    seen.fins = state.fins
    copy_list(seen.order, state.order)
    copy_list(seen.sides, state.sides)
    copy_list(seen.offsets, state.offsets)
    for plank in range(PLANKS):
        copy_list(seen.board[plank], state.board[plank])
    copy_list(seen.dice, state.dice)
    seen.slid = state.slid
    seen.held = state.held
    seen.lifted = state.lifted
    seen.gesture = state.gesture
    seen.gesture_at = state.gesture_at
    seen.gesture_side = state.gesture_side
    copy_list(seen.lost, state.lost)
    seen.culprit = state.culprit
    copy_list(seen.choices, state.choices)
    copy_list(seen.boarding, state.boarding)
    seen.boarder = state.boarder
    is_open = state.open_purses == OPEN_PURSES or state.phase == ENDED
    pile = pile_of(kit, state)
    for other in range(MOST_SEATS):
        shown = is_open or other == seat or other >= state.players
        seen.purses[other] = state.purses[other] if shown else NONE - pile


@compiled
def glimpse(kit: Kit, state: State, seat: int, actor: int, action: Action, seen: Action) -> None:
    """Writes what a seat may see of an action: all of it."""
    seen.verb = action.verb
    copy_list(seen.args, action.args)


@compiled
def remember(kit: Kit, memory: Memory, seat: int, seen: State, actor: int, action: Action) -> None:
    """Counts what everybody takes: it is taken openly, wherever it is kept then."""
    if action.verb == START:
        memory.since_start = 1
        for other in range(MOST_SEATS):
            memory.counted[other] = 0
    after = records(State, 1)
    after[0] = seen
    copy_list(after[0].purses, memory.counted)
    rules.apply(kit, after[0], actor, action)
    copy_list(memory.counted, after[0].purses)


# What is told --------------------------------------------------------------------------------


class Own(Struct, frozen=True):
    """What a seat sees otherwise than everybody does: its purse."""

    purses: list[int | Literal["?"]]


def own(kit: Kit, seen: State, seat: int) -> Own:
    """The seat's own part of its view, from what it sees."""
    return Own(purse_names(seen.purses.tolist()[: seen.players]))


def events(kit: Kit, before: State, actor: int, action: Action, after: State) -> list[Event]:
    """What happened, to be told: what was done, what fell, and what follows from that."""
    args = action.args.tolist()
    told: list[Event] = []
    if action.verb == START:
        return [Event("starter-drawn", {"seat": args[0]})]
    if action.verb == LAY:
        planks = [PLANK_NAMES[laid // 2] for laid in args]
        sides = [SIDE_NAMES[laid % 2] for laid in args]
        return [Event("laid", {"planks": planks, "sides": sides})]
    if action.verb == ROLL:
        colours = [PLANK_NAMES[plank] for plank in args[:2]]
        return [Event("rolled", {"seat": int(after.active), "planks": colours})]
    if action.verb == PLACE:
        told.append(Event("placed", {"seat": actor, **_pirate(args[0], args[1])}))
        return told + ([Event("all-aboard")] if after.phase == TO_ROLL else [])
    if action.verb == COLLECT or action.verb == RESCUE:
        colour = args[0] if args[0] != NONE else actor
        key = "chose-collect" if action.verb == COLLECT else "chose-rescue"
        told.append(Event(key, {"seat": actor, "colour": COLOUR_NAMES[colour]}))
    elif action.verb != HAND:
        told.append(_deed(before, actor, args, int(action.verb)))
    at = copy_record(before)  # the state in which a gesture is judged, then that after it
    figures = np.array(args[:FIGURES] if action.verb == HAND else [0] * FIGURES, np.int64)
    if action.verb == COLLECT or action.verb == RESCUE:
        at.choices[args[0] if args[0] != NONE else actor] = action.verb - COLLECT
    elif _is_judged(kit, at, action):
        told += _fall_events(kit, at, figures)
        splash.fall(kit, at, figures)
    if before.phase <= SETTING and after.phase not in (LIFTING, SETTING) and at.lost.any():
        splash.begin_choices(at)
    return told + _following_events(kit, before, action, after, at)


def _deed(before: State, actor: int, args: list[int], verb: int) -> Event:
    """What a seat did to a plank or a pirate."""
    if verb == SLIDE:
        if args[1] == STAY:
            return Event("stayed", {"seat": actor, "plank": PLANK_NAMES[args[0]]})
        return Event(
            "slid",
            {
                "seat": actor,
                "plank": PLANK_NAMES[args[0]],
                "direction": DIRECTION_NAMES[args[1]],
                "spaces": pirates_on(before, args[0]),
            },
        )
    if verb == LIFT:
        colour = before.board[args[0] // SPACES][args[0] % SPACES]
        return Event("lifted", {"seat": actor, **_pirate(int(colour), args[0])})
    colour, place, direction = (int(before.held), *args[:2]) if verb == SET else args[:3]
    pushed = push_length(before, place // SPACES, place % SPACES, direction)
    key = ("set" if verb == SET else "boarded") + ("-pushing" if pushed else "")
    return Event(key, {"seat": actor, **_pirate(colour, place), "pushed": pushed})


def _pirate(colour: int, place: int) -> dict[str, Any]:
    return {"colour": COLOUR_NAMES[colour], "space": PLACE_NAMES[place]}


def _is_judged(kit: Kit, at: State, action: Action) -> bool:
    """Whether a gesture is judged by this action; the move of a steady hand is made on the way."""
    if action.verb == HAND:
        return True
    return bool(rules.move(kit, at, action)) and at.hands == STEADY


def _fall_events(kit: Kit, moved: State, measured: Integers) -> list[Event]:
    """What fell, plank by plank, and how the ship lay as the first one left; and if an oath was
    broken, which, and who is paid for it."""
    told = []
    seat = hand_seat(moved)
    if measured.any():
        values = dict(zip(FIGURE_NAMES, measured.tolist(), strict=True))
        values["whole"], values["tenth"] = divmod(values["over"], 10)
        told.append(Event("hand", {"seat": seat, **values}))
    falls, overs = np.zeros(PLANKS, np.int64), np.zeros(PLANKS, np.int64)
    judged = splash.judge(kit, moved, measured, falls, overs)
    lean = splash.lean(kit, moved, measured, falls[0]) if judged & 255 else ()
    roll = [int(side) for side in lean]
    paid = dict.fromkeys(range(moved.players), 0)
    is_broken = False
    for plank, over in zip(falls[: judged & 255].tolist(), overs.tolist(), strict=False):
        crew = [int(colour) for colour in moved.board[plank] if colour != NONE]
        told.append(
            Event(
                "toppled" if crew else "toppled-empty",
                {
                    "plank": PLANK_NAMES[plank],
                    "whole": over // 10,
                    "tenth": over % 10,
                    "count": len(crew),
                    "pirates": [COLOUR_NAMES[colour] for colour in crew],
                    "roll": roll,
                },
            )
        )
        if judged >> (8 + plank) & 1 and crew:
            is_broken = True
            for colour in crew:
                if owner(moved, colour) not in (NONE, seat):
                    paid[owner(moved, colour)] += OATH_PRICE
    if is_broken:
        oath = _broken_oath(kit, moved, measured)
        told.append(Event("oath-broken", {"seat": seat, "oath": oath}))
        told += [
            Event("oath-paid", {"seat": other, "doubloons": doubloons})
            for other, doubloons in paid.items()
            if doubloons
        ]
    return told


def _broken_oath(kit: Kit, moved: State, figures: Integers) -> str:
    """The oath that was broken: the figure without which less would have fallen."""
    if moved.phase in (PUTTING_NEUTRALS, BOARDING) and not figures.any():
        return "boarding"
    falls, overs = np.zeros(PLANKS, np.int64), np.zeros(PLANKS, np.int64)
    for oath, figure in (("too-far", OVER), ("pressed", PRESS), ("dropped", SPEED)):
        alone = np.zeros(FIGURES, np.int64)
        alone[figure] = figures[figure]
        if alone.any() and splash.judge(kit, moved, alone, falls, overs) >> 8:
            return "too-fast" if oath == "dropped" and moved.gesture == SLIDE else oath
    return "rocked" if figures.any() else "boarding"


def _following_events(
    kit: Kit, before: State, action: Action, after: State, at: State
) -> list[Event]:
    """What follows of itself: lapsed moves, doubloons, neutral pirates, fins, the end."""
    told = []
    was_sliding = action.verb == SLIDE or (action.verb == HAND and before.gesture == SLIDE)
    if was_sliding and after.gesture == NONE and after.phase != LIFTING:
        told.append(Event("move-lapses", {"seat": int(before.active)}))
    if at.phase == CHOOSING and after.phase != CHOOSING:
        told += _collecting_events(kit, at)
    if after.phase == PUTTING_NEUTRALS and before.phase != PUTTING_NEUTRALS:
        told.append(Event("neutrals-return"))
    if after.fins < before.fins:
        told.append(Event("fin-leaves", {"fins": int(after.fins)}))
        if after.fins == 2:  # GP-18
            told.append(Event("two-fins"))
    if after.phase == ENDED:
        told += _end_events(kit, after)
    return told


def _collecting_events(kit: Kit, at: State) -> list[Event]:
    """GP-14: what everybody collects when the choices are made."""
    told = []
    for step in range(at.players):
        seat = seat_after(at, int(at.active), step)
        own = [colour for colour in range(COLOURS) if owner(at, colour) == seat]
        if all(at.choices[colour] == GETS_NOTHING for colour in own):
            told.append(Event("collects-nothing", {"seat": seat}))
        elif any(at.choices[colour] == COLLECTS_GOLD for colour in own):
            gold = [c for c in own if at.choices[c] == COLLECTS_GOLD]
            doubloons = sum(int(splash.doubloons(kit, at, colour)) for colour in gold)
            told.append(Event("collected", {"seat": seat, "doubloons": doubloons}))
    return told


def _end_events(kit: Kit, after: State) -> list[Event]:
    """GP-21, GP-22, GP-R11: why the game is over, and who has won."""
    scores = np.zeros(after.players, np.int64)
    winners = rules.outcome(kit, after, scores)
    seats = [seat for seat in range(after.players) if winners >> seat & 1]
    key = "game-won" if len(seats) == 1 else "game-shared"
    why = "piles-gone" if pile_of(kit, after) == 0 else "ship-empty"
    return [
        Event("fins-gone" if after.fins == 0 else why),
        Event(key, {"seats": seats, "doubloons": int(scores.max())}),
    ]

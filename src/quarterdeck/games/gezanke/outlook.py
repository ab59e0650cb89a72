"""Gezanke auf der Planke: what follows from what is seen, by the rules, for eyes.

The client draws the ship as it rolls, and beside every action one may choose what would come of it:
who is pushed where, how far each plank would be from tipping, and which would fall.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quarterdeck.contract import Array, Grid, Int64, Numbers, Rows, boxed, compiled, record, records

from .balance import FIGURES, margins_of
from .moves import push_length, push_side, target_plank
from .notation import (
    COLOUR_NAMES,
    HAND_NAMES,
    PLACE_NAMES,
    PLANK_NAMES,
    text,
)
from .rules import decode, legal, move
from .splash import doubloons, judge
from .state import (
    ACTIONS,
    BOARDING,
    CHOOSING,
    COLLECT,
    COLOURS,
    LIFTING,
    NONE,
    PLANKS,
    PUTTING_NEUTRALS,
    SETTING,
    SETTING_UP,
    SLIDE,
    SPACES,
    Action,
    Kit,
    State,
    hand_seat,
    overboard,
    owner,
    pile_of,
    pirates_on,
    to_act,
)


@compiled
def forecast(
    kits: Rows[Kit],
    states: Rows[State],
    numbers: Numbers,
    margins: Grid[Int64],
    rolls: Grid[Int64],
    falls: Array[Int64],
) -> None:
    """Writes, for each action, the margins and the roll right after it, by a careful hand, and the
    planks that fall then, as bits."""
    kit, state = kits[0], states[0]
    trial, action = records(State, 1), records(Action, 1)
    careful = np.zeros(FIGURES, np.int64)
    fallen, overs = np.empty(PLANKS, np.int64), np.empty(PLANKS, np.int64)
    for i in range(len(numbers)):
        trial[0] = state
        decode(kit, state, int(numbers[i]), action[0])
        move(kit, trial[0], action[0])
        margins_of(kit, trial[0], margins[i], rolls[i])
        falls[i] = 0
        if min(margins[i]) < 0:
            count = judge(kit, trial[0], careful, fallen, overs) & 255
            for j in range(count):
                falls[i] |= 1 << fallen[j]


def outlook(kit: Kit, seen: State, seat: int) -> dict[str, Any]:
    """What follows from what is seen.

    What `hands` the table plays with; `owners` of the colours; how far the ship `roll`s (the two
    sides of its tangent, starboard down is positive); from bow to stern the `doubloons` on each
    plank and its `margins`, how far it is from tipping, in tenths of a millimetre; the doubloons
    left in the `pile`, the two open stacks together; the `target`, the plank a pirate is moved
    onto; the seat whose `hand` is awaited; and under `outlook` for every action of this seat now
    what it would come to: the `margins` and the `roll` after it, which planks `falls`, by how many
    `spaces` a plank is slid, and the `push`ed pirates from where to where; or the `doubloons` it
    collects or the `pirates` it brings back.
    """
    is_laid = seen.order[0] != NONE
    margins, roll = np.zeros(PLANKS, np.int64), np.array([0, 1])
    if is_laid:
        margins_of(kit, seen, margins, roll)
    lanes = seen.order.tolist() if is_laid else []
    is_moving = seen.phase in (LIFTING, SETTING)
    owners = [owner(seen, colour) for colour in range(COLOURS)]
    return {
        "hands": HAND_NAMES[seen.hands],
        "owners": {
            name: None if seat == NONE else seat
            for name, seat in zip(COLOUR_NAMES, owners, strict=True)
        },
        "roll": roll.tolist(),
        "doubloons": [kit.doubloons[plank][seen.sides[plank]].tolist() for plank in lanes],
        "margins": margins.tolist() if is_laid else [],
        "pile": pile_of(kit, seen),
        "target": PLANK_NAMES[target_plank(seen)] if is_moving else None,
        "hand": None if seen.gesture == NONE else hand_seat(seen),
        "outlook": _outlook(kit, seen) if seat != NONE and to_act(seen) == seat else {},
    }


def _outlook(kit: Kit, seen: State) -> dict[str, Any]:
    """What would come of every action, by its text: of a choice what it brings, of a move where the
    planks are then."""
    if seen.phase == SETTING_UP:
        return {}
    numbers = np.zeros(ACTIONS, np.int16)
    numbers = numbers[: legal(kit, seen, to_act(seen), numbers)]
    action = record(Action)
    told: dict[str, Any] = {}
    if seen.phase == CHOOSING:
        for number in numbers:
            decode(kit, seen, int(number), action)
            colour = to_act(seen) if action.args[0] == NONE else int(action.args[0])
            told[text(kit, action)] = (
                {"doubloons": int(doubloons(kit, seen, colour))}
                if action.verb == COLLECT
                else {"pirates": int(overboard(seen, colour))}
            )
        return told
    count = len(numbers)
    margins, rolls = np.zeros((count, PLANKS), np.int64), np.zeros((count, 2), np.int64)
    falls = np.zeros(count, np.int64)
    forecast(boxed(kit), boxed(seen), numbers, margins, rolls, falls)
    for i in range(count):
        decode(kit, seen, int(numbers[i]), action)
        told[text(kit, action)] = {
            "margins": margins[i].tolist(),
            "roll": rolls[i].tolist(),
            "falls": [PLANK_NAMES[plank] for plank in seen.order if falls[i] >> plank & 1],
            "spaces": pirates_on(seen, int(action.args[0])) if action.verb == SLIDE else 0,
            "push": _pushed(seen, action),
        }
    return told


def _pushed(seen: State, action: Action) -> list[list[str]]:
    """Who would be pushed: from where to where, the first one first."""
    if seen.phase not in (SETTING, PUTTING_NEUTRALS, BOARDING):
        return []
    at = 0 if seen.phase == SETTING else 1
    place, direction = int(action.args[at]), int(action.args[at + 1])
    plank, space = divmod(place, SPACES)
    side = push_side(space, direction)
    return [
        [PLACE_NAMES[place + step * side], PLACE_NAMES[place + (step + 1) * side]]
        for step in range(push_length(seen, plank, space, direction))
    ]

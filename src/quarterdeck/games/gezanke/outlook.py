"""Gezanke auf der Planke: what follows from what is seen, by the rules, for eyes.

The client draws the ship as it rolls, and beside every action one may choose what would come of it:
who is pushed where, how far each plank would be from tipping, and which would fall.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from msgspec import UNSET, Struct, UnsetType

from quarterdeck.contract import (
    Array,
    Grid,
    Int16,
    Int64,
    Rows,
    boxed,
    compiled,
    record,
    records,
)

from .balance import FIGURES, margins_of
from .moves import push_length, push_side, target_plank
from .notation import HAND_NAMES, PLACE_NAMES, PLANK_NAMES, Hands, Plank, text
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
    RESCUES,
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


class Owners(Struct, frozen=True):
    """The seat each colour belongs to; null for the one nobody has."""

    grey: int | None
    white: int | None
    black: int | None
    brown: int | None


class Forecast(Struct, frozen=True, omit_defaults=True):
    """What an action would come to.

    Of one that moves something: the `margins` and the `roll` after it, the planks that `falls`
    names, by how many `spaces` a plank is slid, and who is `push`ed from where to where. Of a
    choice after a splash: the `doubloons` it collects, or the `pirates` it brings back.
    """

    margins: list[int] | UnsetType = UNSET
    roll: list[int] | UnsetType = UNSET
    falls: list[Plank] | UnsetType = UNSET
    spaces: int | UnsetType = UNSET
    push: list[list[str]] | UnsetType = UNSET
    doubloons: int | UnsetType = UNSET
    pirates: int | UnsetType = UNSET


class Outlook(Struct, frozen=True):
    """What follows from what everybody sees.

    What `hands` the table plays with; `owners` of the colours; how far the ship `roll`s (the two
    sides of its tangent, starboard down is positive); from bow to stern the `doubloons` on each
    plank and its `margins`, how far it is from tipping, in tenths of a millimetre; the doubloons
    left in the `pile`, the two open stacks together; the `target`, the plank a pirate is moved
    onto; and the seat whose `hand` is awaited. `outlook` is for the seat that is to act.
    """

    hands: Hands
    owners: Owners
    roll: list[int]
    doubloons: list[list[int]]
    margins: list[int]
    pile: int
    target: Plank | None
    hand: int | None
    outlook: dict[str, Forecast]


class OwnOutlook(Struct, frozen=True):
    """What every action of the seat that is to act would come to, by its text."""

    outlook: dict[str, Forecast]


# What `survey` writes: one number each, then lists
_PILE, _TARGET, _HAND = range(3)
_OWNERS = 3
_ROLL = _OWNERS + COLOURS
_MARGINS = _ROLL + 2
_DOUBLOONS = _MARGINS + PLANKS
_SURVEYED = _DOUBLOONS + PLANKS * SPACES


@compiled
def survey(kits: Rows[Kit], states: Rows[State], told: Array[Int64]) -> None:
    """Writes the numbers of an outlook. Where no planks lie, there are no margins nor doubloons."""
    kit, state = kits[0], states[0]
    told[_PILE] = pile_of(kit, state)
    is_moving = state.phase == LIFTING or state.phase == SETTING
    told[_TARGET] = target_plank(state) if is_moving else NONE
    told[_HAND] = NONE if state.gesture == NONE else hand_seat(state)
    for colour in range(COLOURS):
        told[_OWNERS + colour] = owner(state, colour)
    told[_ROLL], told[_ROLL + 1] = 0, 1
    if state.order[0] == NONE:
        return
    margins_of(kit, state, told[_MARGINS:_DOUBLOONS], told[_ROLL:_MARGINS])
    for lane in range(PLANKS):
        plank = int(state.order[lane])
        for space in range(SPACES):
            gold = kit.doubloons[plank][state.sides[plank]][space]
            told[_DOUBLOONS + lane * SPACES + space] = gold


def outlook(kit: Kit, seen: State) -> Outlook:
    """What follows from what everybody sees."""
    numbers = np.zeros(_SURVEYED, np.int64)
    survey(boxed(kit), boxed(seen), numbers)
    told = numbers.tolist()
    is_laid = seen.order[0] != NONE
    places = range(_DOUBLOONS, _SURVEYED if is_laid else _DOUBLOONS, SPACES)
    return Outlook(
        HAND_NAMES[seen.hands],
        Owners(*[_or_none(seat) for seat in told[_OWNERS:_ROLL]]),
        told[_ROLL:_MARGINS],
        [told[place : place + SPACES] for place in places],
        told[_MARGINS:_DOUBLOONS] if is_laid else [],
        told[_PILE],
        None if told[_TARGET] == NONE else PLANK_NAMES[told[_TARGET]],
        _or_none(told[_HAND]),
        {},
    )


def _or_none(seat: int) -> int | None:
    return None if seat == NONE else seat


# What would come of every action -------------------------------------------------------------

# What `forecast` writes of a move: margins, roll, and then
_AFTER_ROLL = PLANKS
_FALLS = _AFTER_ROLL + 2
_SPACES, _PUSHED_FROM, _PUSHED_TO, _PUSHED = range(_FALLS + 1, _FALLS + 5)
_FORESEEN = _PUSHED + 1


@compiled
def foreseer(states: Rows[State]) -> int:
    """The seat for whose actions there is a forecast; NONE for nobody."""
    return NONE if states[0].phase == SETTING_UP else to_act(states[0])


@compiled
def forecast(kits: Rows[Kit], states: Rows[State], numbers: Array[Int16], told: Grid[Int64]) -> int:
    """Writes the numbers of all actions of the seat that is to act, and what each would come to;
    answers how many there are.

    Of a choice it is one number, what it brings. Of a move it is the margins and the roll right
    after it, by a careful hand; the planks that fall then, as bits; by how many spaces a plank is
    slid; where pushing begins, to which side it goes, and how many are pushed.
    """
    kit, state = kits[0], states[0]
    seat = to_act(state)
    count = legal(kit, state, seat, numbers)
    trials, actions = records(State, 1), records(Action, 1)
    trial, action = trials[0], actions[0]
    careful = np.zeros(FIGURES, np.int64)
    fallen, overs = np.empty(PLANKS, np.int64), np.empty(PLANKS, np.int64)
    for i in range(count):
        decode(kit, state, int(numbers[i]), action)
        line = told[i]
        if state.phase == CHOOSING:
            colour = seat if action.args[0] == NONE else int(action.args[0])
            is_gold = action.verb == COLLECT
            line[0] = doubloons(kit, state, colour) if is_gold else overboard(state, colour)
            continue
        trials[0] = state
        move(kit, trial, action)
        margins_of(kit, trial, line[:_AFTER_ROLL], line[_AFTER_ROLL:_FALLS])
        line[_FALLS] = 0
        if min(line[:_AFTER_ROLL]) < 0:
            for j in range(judge(kit, trial, careful, fallen, overs) & 255):
                line[_FALLS] |= 1 << fallen[j]
        line[_SPACES] = pirates_on(state, int(action.args[0])) if action.verb == SLIDE else 0
        line[_PUSHED] = 0
        if state.phase == SETTING or state.phase == PUTTING_NEUTRALS or state.phase == BOARDING:
            at = 0 if state.phase == SETTING else 1
            place, direction = int(action.args[at]), int(action.args[at + 1])
            plank, space = place // SPACES, place % SPACES
            line[_PUSHED_FROM] = place
            line[_PUSHED_TO] = push_side(space, direction)
            line[_PUSHED] = push_length(state, plank, space, direction)
    return count


def own_outlook(kit: Kit, seen: State, seat: int) -> OwnOutlook | None:
    """What every action of the seat would come to; None for a seat that is not to act, and where
    pirates are still to be placed."""
    states = boxed(seen)
    if foreseer(states) != seat:
        return None
    numbers, lines = np.empty(ACTIONS, np.int16), np.empty((ACTIONS, _FORESEEN), np.int64)
    count = forecast(boxed(kit), states, numbers, lines)
    texts = [_text_of(number) for number in numbers[:count].tolist()]
    told = zip(texts, numbers[:count].tolist(), lines[:count].tolist(), strict=True)
    if seen.phase == CHOOSING:
        return OwnOutlook({text: _choice(number, line[0]) for text, number, line in told})
    order = seen.order.tolist()
    return OwnOutlook({text: _move(order, line) for text, _, line in told})


def _choice(number: int, brings: int) -> Forecast:
    return Forecast(doubloons=brings) if number < RESCUES else Forecast(pirates=brings)


def _move(order: Sequence[int], line: list[int]) -> Forecast:
    falls, pushed = line[_FALLS], line[_PUSHED]
    place, side = line[_PUSHED_FROM], line[_PUSHED_TO]
    return Forecast(
        line[:_AFTER_ROLL],
        line[_AFTER_ROLL:_FALLS],
        [PLANK_NAMES[plank] for plank in order if falls >> plank & 1] if falls else [],
        line[_SPACES],
        [
            [PLACE_NAMES[place + step * side], PLACE_NAMES[place + (step + 1) * side]]
            for step in range(pushed)
        ],
    )


@lru_cache(maxsize=ACTIONS)
def _text_of(number: int) -> str:
    """The text of an action. What a number stands for is the same in every state."""
    action = record(Action)
    decode(record(Kit), record(State), number, action)
    return text(record(Kit), action)

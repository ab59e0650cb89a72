"""Plank Race: positions as JSON, both ways. What cannot occur is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import Struct

from quarterdeck.contract import Array, Int8, Invariant, check_invariants, reading, record

from . import rules
from .notation import PHASE_NAMES
from .state import (
    ENDED,
    HIDDEN,
    LARGEST_WAGER,
    NONE,
    RACING,
    SETTLING,
    TO_SHARE,
    WAGERING,
    WATER,
    Kit,
    State,
)


class Position(Struct, frozen=True):
    """The keys of a position; `?` stands for what is hidden from whoever looks."""

    phase: str
    purses: list[int | str | None]
    wagers: list[int | str | None]
    steps: list[int]
    drop: list[int] | None
    floats: bool | None


def position(kit: Kit, state: State) -> Position:
    """The position keys of a state, or of what a seat may see of it."""
    players = int(state.players)
    return Position(
        PHASE_NAMES[state.phase],
        by_seat(state.purses, players),
        by_seat(state.wagers, players),
        state.steps[:players].tolist(),
        None if state.drop[0] == NONE else state.drop.tolist(),
        None if state.floats == NONE else bool(state.floats),
    )


def by_seat(numbers: Array[Int8], players: int) -> list[int | str | None]:
    """What each seat has; null for nothing yet."""
    return [_NAMES.get(number, number) for number in numbers[:players].tolist()]


_NAMES: dict[int, str | None] = {HIDDEN: "?", NONE: None}


def from_position(kit: Kit, options: Mapping[str, Any], position: Mapping[str, Any]) -> State:
    """The state a position describes, all keys given. Raises `BadPosition`."""
    reading.check_keys(position, Position.__struct_fields__, "Plank Race")
    players = options["players"]
    state = record(State)
    rules.new(kit, np.array([players]), state)
    state.phase = reading.one_of("phase", position.get("phase"), PHASE_NAMES)
    for key, low, high, target in (
        ("purses", 1, kit.purses, state.purses),
        ("wagers", 0, LARGEST_WAGER, state.wagers),
        ("steps", 0, kit.plank, state.steps),
    ):
        values = reading.listed(key, position.get(key), players)
        target[:players] = [
            NONE if value is None else reading.whole_in(key, value, low, high) for value in values
        ]
    if position.get("drop") is not None:
        drop = reading.listed("drop", position["drop"], 2)
        state.drop[:] = [reading.whole_in("drop", value, 0, WATER - 1) for value in drop]
    if position.get("floats") is not None:
        state.floats = reading.truth("floats", position["floats"])
    check_invariants(INVARIANTS, kit, state)
    return state


# What can occur ------------------------------------------------------------------------------


def _breach_of_purses(kit: Kit, state: State) -> str | None:
    purses = [purse for purse in state.purses[: state.players].tolist() if purse != NONE]
    if len(purses) != (0 if state.phase == TO_SHARE else state.players):
        return "chance shares all purses, first of all"
    return "no two purses are alike" if len(set(purses)) < len(purses) else None


def _breach_of_wagers(kit: Kit, state: State) -> str | None:
    missing = state.wagers[: state.players].tolist().count(NONE)
    if state.phase == TO_SHARE:
        return None if missing == state.players else "nobody wagers yet"
    if (missing > 0) != (state.phase == WAGERING):
        return "all have wagered when the race begins"
    return None


def _breach_of_steps(kit: Kit, state: State) -> str | None:
    steps = state.steps[: state.players].tolist()
    if min(steps) < 0 or (max(steps) > 0 and state.phase < RACING):
        return "nobody walks before the race"
    if min(steps) == kit.plank and state.phase == RACING:
        return "nobody can walk on: the race is over"
    return None


def _breach_of_drop(kit: Kit, state: State) -> str | None:
    is_dropped = state.drop[0] != NONE
    if is_dropped != (state.phase == SETTLING) and state.phase != ENDED:
        return "what is dropped settles at once"
    return None


def _breach_of_float(kit: Kit, state: State) -> str | None:
    if (state.floats != NONE) != (state.phase == ENDED and state.drop[0] != NONE):
        return "what was dropped floats or sinks in the end"
    return None


INVARIANTS: tuple[Invariant, ...] = (
    Invariant("PR-1", "everybody has a purse of their own", _breach_of_purses),
    Invariant("PR-2", "everybody wagers, and then the race begins", _breach_of_wagers),
    Invariant("PR-3", "the race lasts while somebody can walk", _breach_of_steps),
    Invariant("PR-4", "something is dropped after the race, or nothing", _breach_of_drop),
    Invariant("PR-5", "what was dropped settles", _breach_of_float),
)
"""What holds in every state that can occur."""

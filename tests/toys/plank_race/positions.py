"""Plank Race: positions as JSON, both ways. What cannot occur is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import Struct

from quarterdeck.contract import Array, BadPosition, Int8, record

from . import rules
from .notation import PHASE_NAMES
from .state import HIDDEN, NONE, Kit, State


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
    players = options["players"]
    state = record(State)
    rules.new(kit, np.array([players]), state)
    try:
        state.phase = PHASE_NAMES.index(position["phase"])
        for key, low, high, target in (
            ("purses", 1, kit.purses, state.purses),
            ("wagers", 0, 2, state.wagers),
            ("steps", 0, 2, state.steps),
        ):
            values = [NONE if value is None else value for value in position[key]]
            if len(values) != players or not all(
                low <= value <= high or value == NONE for value in values
            ):
                raise BadPosition(f"{key!r} cannot be {position[key]!r}")
            target[:players] = values
        if position["drop"] is not None:
            state.drop[:] = position["drop"]
        if position["floats"] is not None:
            state.floats = position["floats"]
    except (KeyError, TypeError, ValueError) as error:
        raise BadPosition(f"this is no position of Plank Race: {error}") from error
    shared = [purse for purse in state.purses[:players] if purse != NONE]
    if len(set(shared)) != len(shared):
        raise BadPosition("no two purses are alike", rule="PR-1")
    return state

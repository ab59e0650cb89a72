"""Plank Race: positions as JSON, both ways. What cannot occur is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from quarterdeck.contract import BadPosition, record

from . import rules
from .notation import PHASE_NAMES
from .state import HIDDEN, NONE, Kit, State


def position(kit: Kit, state: State) -> dict[str, Any]:
    """The position keys of a state, or of what a seat may see of it."""
    players = int(state.players)
    return {
        "phase": PHASE_NAMES[state.phase],
        "purses": [_or_null(purse) for purse in state.purses[:players]],
        "wagers": [_or_null(wager) for wager in state.wagers[:players]],
        "steps": state.steps[:players].tolist(),
        "drop": None if state.drop[0] == NONE else state.drop.tolist(),
        "floats": None if state.floats == NONE else bool(state.floats),
    }


def _or_null(number: int) -> int | str | None:
    return "?" if number == HIDDEN else None if number == NONE else int(number)


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

"""Plank Race as text: actions and positions, both ways."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from quarterdeck.contract import AnyRecord, BadNotation, BadPosition, Range, Template, record

from . import rules
from .rules import DROP, DROPPING, HIDDEN, NONE, PASS, SAND, SETTLE, SHARE, STEP, WAGER, WATER

PHASE_NAMES = ("share", "wager", "race", "drop", "settle", "over")
_FORMS = {
    WAGER: r"wager (\d)",
    STEP: r"step",
    PASS: r"pass",
    DROP: r"drop @(\d\d?),(\d\d?)",
    SHARE: r"share (\d)/(\d)(?:/(\d))?",
    SAND: r"sand",
    SETTLE: r"settle (floats|sank)",
}


def load_kit(data: Mapping[str, Any]) -> AnyRecord:
    """The kit record: how many purses there are, and how long the plank is."""
    kit = record(rules.Kit)
    kit.purses, kit.plank = data["purses"], data["plank"]
    return kit


def text(kit: AnyRecord, action: AnyRecord) -> str:
    """The one text of an action; what is hidden in it is `?`."""
    words = ["?" if arg == HIDDEN else str(arg) for arg in action.args if arg != NONE]
    if action.verb == DROP:
        return f"drop @{words[0]},{words[1]}"
    if action.verb == SETTLE:
        return "settle floats" if action.args[0] else "settle sank"
    verb = ("wager", "step", "pass", "drop", "share", "sand", "settle")[action.verb]
    return f"{verb} {'/'.join(words)}".rstrip()


def parse(kit: AnyRecord, text: str) -> AnyRecord:
    """The action a text stands for. Raises `BadNotation` if it stands for none."""
    action = record(rules.Action)
    action.args[:] = NONE
    for verb, form in _FORMS.items():
        match = re.fullmatch(form, text, re.ASCII)
        if match:
            action.verb = verb
            words = [word for word in match.groups() if word is not None]
            numbers = [int(w) if w.isdecimal() else int(w == "floats") for w in words]
            action.args[: len(numbers)] = numbers
            return action
    raise BadNotation(f"{text!r} is no action")


def pool(kit: AnyRecord, state: AnyRecord) -> list[str]:
    """What chance draws from."""
    return [str(purse) for purse in range(1, kit.purses + 1)]


def composites(kit: AnyRecord, seen: AnyRecord, seat: int) -> Sequence[Template]:
    """PR-4: a drop is too rich to be listed."""
    if seen.phase != DROPPING or seat != rules.furthest(seen):
        return ()
    return (Template("drop @{x},{y}", (Range("x", 0, WATER - 1), Range("y", 0, WATER - 1))),)


# Positions -----------------------------------------------------------------------------------


def position(kit: AnyRecord, state: AnyRecord) -> dict[str, Any]:
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


def from_position(
    kit: AnyRecord, options: Mapping[str, Any], position: Mapping[str, Any]
) -> AnyRecord:
    """The state a position describes, all keys given. Raises `BadPosition`."""
    players = options["players"]
    state = record(rules.State)
    rules.new(kit, np.array([players]), state)
    try:
        state.phase = PHASE_NAMES.index(position["phase"])
        for key, low, high in (("purses", 1, kit.purses), ("wagers", 0, 2), ("steps", 0, 2)):
            values = [NONE if value is None else value for value in position[key]]
            if len(values) != players or not all(
                low <= value <= high or value == NONE for value in values
            ):
                raise BadPosition(f"{key!r} cannot be {position[key]!r}")
            state[key][:players] = values
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

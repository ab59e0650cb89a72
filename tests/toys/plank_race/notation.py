"""Plank Race as text: actions, both ways; and the kit, from its data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from quarterdeck.contract import BadNotation, Draw, Pool, Range, Template, record

from . import rules
from .state import (
    DROP,
    DROPPING,
    HIDDEN,
    NONE,
    PASS,
    SAND,
    SETTLE,
    SHARE,
    STEP,
    WAGER,
    WATER,
    Action,
    Kit,
    State,
)

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


def load_kit(data: Mapping[str, Any]) -> Kit:
    """The kit record: how many purses there are, and how long the plank is."""
    kit = record(Kit)
    kit.purses, kit.plank = data["purses"], data["plank"]
    return kit


def text(kit: Kit, action: Action) -> str:
    """The one text of an action; what is hidden in it is `?`."""
    words = ["?" if arg == HIDDEN else str(arg) for arg in action.args if arg != NONE]
    if action.verb == DROP:
        return f"drop @{words[0]},{words[1]}"
    if action.verb == SETTLE:
        return "settle floats" if action.args[0] else "settle sank"
    verb = ("wager", "step", "pass", "drop", "share", "sand", "settle")[action.verb]
    return f"{verb} {'/'.join(words)}".rstrip()


def parse(kit: Kit, text: str) -> Action:
    """The action a text stands for. Raises `BadNotation` if it stands for none."""
    action = record(Action)
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


def draws(kit: Kit, options: Mapping[str, Any]) -> dict[str, Draw]:
    """What chance draws from: purses, one for each seat."""
    purses = Pool(tuple(str(purse) for purse in range(1, kit.purses + 1)), options["players"])
    return {"share": Draw((purses,), between="/", ordered=True)}


def composites(kit: Kit, seen: State, seat: int) -> Sequence[Template]:
    """PR-4: a drop is too rich to be listed."""
    if seen.phase != DROPPING or seat != rules.furthest(seen):
        return ()
    return (Template("drop @{x},{y}", (Range("x", 0, WATER - 1), Range("y", 0, WATER - 1))),)

"""Gezanke auf der Planke: two to four players squabble over doubloons on a rocking ship."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quarterdeck.contract import Game, LiveWorld, Option, Row

from . import bot, notation, outlook, rules, terminal, view
from .names import HAND_NAMES, PURSE_NAMES

_FOLDER = Path(__file__).parent


def _open_world(kit: Row, state: Row, attached: Mapping[str, Any]) -> LiveWorld:
    """The hand that is awaited. The physics is loaded when first needed."""
    physics = importlib.import_module("quarterdeck.physics.gezanke")
    may_be_steady = HAND_NAMES[state.hands] != "real"
    world: LiveWorld = physics.open_world(*outlook.task(kit, state), may_be_steady)
    return world


GAME = Game(
    id="gezanke",
    name="Gezanke auf der Planke",
    prefix="GP",
    options=(
        Option("players", (2, 3, 4), 4),
        Option("hands", HAND_NAMES, "steady"),
        Option("purses", PURSE_NAMES, "hidden"),
    ),
    folder=_FOLDER,
    kit=notation.load_kit(tomllib.loads((_FOLDER / "kit.toml").read_text())),
    rules=rules,
    notation=notation,
    view=view,
    bot=bot,
    terminal=terminal,
    outlook=outlook.outlook,
    open_world=_open_world,
    live_seat=rules.live_seat,
    worldless={"hands": "steady"},
)

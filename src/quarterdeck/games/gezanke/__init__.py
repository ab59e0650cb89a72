"""Gezanke auf der Planke: two to four players squabble over doubloons on a rocking ship."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from quarterdeck.contract import Game, Option

from . import bot, notation, outlook, positions, rules, terminal, view
from .names import HAND_NAMES, PURSE_NAMES

_FOLDER = Path(__file__).parent


_RECORDS: Any = SimpleNamespace(
    Kit=rules.Kit,
    State=rules.State,
    Action=rules.Action,
    Memory=view.Memory,
    ACTIONS=rules.ACTIONS,
)

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
    records=_RECORDS,
    rules=rules,
    notation=notation,
    positions=positions,
    view=view,
    bot=bot,
    terminal=terminal,
    outlook=outlook.outlook,
    has_world=True,
    live_seat=rules.live_seat,
    worldless={"hands": "steady"},
)

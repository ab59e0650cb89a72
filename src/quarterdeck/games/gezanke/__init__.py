"""Gezanke auf der Planke: two to four players squabble over doubloons on a rocking ship."""

from __future__ import annotations

import tomllib
from pathlib import Path

from quarterdeck.contract import Game, Option

from . import bot, notation, outlook, positions, rules, state, terminal, view

_FOLDER = Path(__file__).parent

GAME = Game(
    id="gezanke",
    name="Gezanke auf der Planke",
    prefix="GP",
    options=(
        Option("players", (2, 3, 4), 4),
        Option("hands", notation.HAND_NAMES, "steady"),
        Option("purses", notation.PURSE_NAMES, "hidden"),
    ),
    folder=_FOLDER,
    kit=notation.load_kit(tomllib.loads((_FOLDER / "kit.toml").read_text())),
    records=state,
    rules=rules,
    notation=notation,
    positions=positions,
    view=view,
    bot=bot,
    terminal=terminal,
    outlook=outlook.outlook,
    own_outlook=outlook.own_outlook,
    has_world=True,
    live_seat=rules.live_seat,
    worldless={"hands": "steady"},
)

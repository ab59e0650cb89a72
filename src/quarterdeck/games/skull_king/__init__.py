"""Skull King: two to six players, ten hands, tricks bid exactly."""

from __future__ import annotations

import tomllib
from pathlib import Path

from quarterdeck.contract import Game, Option

from . import bot, notation, outlook, positions, rules, state, terminal, view

_FOLDER = Path(__file__).parent

GAME = Game(
    id="skull-king",
    name="Skull King",
    prefix="SK",
    options=(Option("players", (2, 3, 4, 5, 6), 4),),  # SK-C2
    folder=_FOLDER,
    kit=notation.load_kit(tomllib.loads((_FOLDER / "kit.toml").read_text())),
    records=state,
    rules=rules,
    notation=notation,
    positions=positions,
    view=view,
    bot=bot,
    terminal=terminal,
    statistics=outlook.statistics,
)

"""Skull King: two to six players, ten hands, tricks bid exactly."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from quarterdeck.contract import Game, Option

from . import bot, notation, rules, terminal, view

_FOLDER = Path(__file__).parent

_RECORDS: Any = SimpleNamespace(
    Kit=rules.Kit,
    State=rules.State,
    Action=rules.Action,
    Memory=view.Memory,
    ACTIONS=rules.ACTIONS,
)

GAME = Game(
    id="skull-king",
    name="Skull King",
    prefix="SK",
    options=(Option("players", (2, 3, 4, 5, 6), 4),),
    folder=_FOLDER,
    kit=notation.load_kit(tomllib.loads((_FOLDER / "kit.toml").read_text())),
    records=_RECORDS,
    rules=rules,
    notation=notation,
    positions=notation,
    view=view,
    bot=bot,
    terminal=terminal,
    statistics=view.statistics,
)

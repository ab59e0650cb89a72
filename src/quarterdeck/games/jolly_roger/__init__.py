"""Jolly & Roger: two players; one splits five cards, the other picks."""

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
    id="jolly-roger",
    name="Jolly & Roger",
    prefix="JR",
    options=(Option("players", (2,), 2), Option("variant", notation.VARIANT_NAMES, "intro")),
    folder=_FOLDER,
    kit=notation.load_kit(tomllib.loads((_FOLDER / "kit.toml").read_text())),
    records=_RECORDS,
    rules=rules,
    notation=notation,
    positions=notation,
    view=view,
    bot=bot,
    terminal=terminal,
    outlook=view.outlook,
)

"""Riff Raff: two to four players load a rocking ship and let nothing fall."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from quarterdeck.contract import Game, Option

from . import bot, notation, outlook, positions, rules, state, terminal, view

_FOLDER = Path(__file__).parent


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_FOLDER / name).read_text("utf-8"))


GAME = Game(
    id="riff-raff",
    name="Riff Raff",
    prefix="RR",
    options=(
        Option("players", (2, 3, 4), 4),
        Option("world", notation.WORLDS, "real", at_tables=False),
    ),
    folder=_FOLDER,
    kit=notation.load_kit(_read("kit.toml") | {"fitted": _read("fitted.toml")}),
    records=state,
    rules=rules,
    notation=notation,
    positions=positions,
    view=view,
    bot=bot,
    terminal=terminal,
    statistics=outlook.statistics,
    has_world=True,
    live_seat=rules.live_seat,
    worldless={"world": "fitted"},
)

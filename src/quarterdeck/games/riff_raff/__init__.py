"""Riff Raff: two to four players load a rocking ship and let nothing fall."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quarterdeck.contract import Game, LiveWorld, Option, Row

from . import bot, notation, rules, terminal, view

_FOLDER = Path(__file__).parent


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_FOLDER / name).read_text("utf-8"))


def _open_world(kit: Row, state: Row, attached: Mapping[str, Any]) -> LiveWorld:
    """The ship as it rests, with a piece in the hand. The physics is loaded when first needed."""
    physics = importlib.import_module("quarterdeck.physics.riff_raff")
    world: LiveWorld = physics.open_world(kit, state, attached)
    return world


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
    rules=rules,
    notation=notation,
    view=view,
    bot=bot,
    terminal=terminal,
    open_world=_open_world,
    live_seat=rules.live_seat,
    worldless={"world": "fitted"},
)

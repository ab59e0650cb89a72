"""Jolly & Roger: two players; one splits five cards, the other picks."""

from __future__ import annotations

import tomllib
from pathlib import Path

from quarterdeck.contract import Game, Option

from . import bot, notation, outlook, positions, rules, state, terminal, view

_FOLDER = Path(__file__).parent

GAME = Game(
    id="jolly-roger",
    name="Jolly & Roger",
    prefix="JR",
    options=(Option("players", (2,), 2), Option("variant", notation.VARIANT_NAMES, "intro")),
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
)

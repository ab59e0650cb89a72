"""Plank Race: a toy, and the whole contract in one small game.

- PR-1  Chance gives every seat a purse of 1 to 6 doubloons, no two alike. Only its seat sees it.
- PR-2  All wager at the same moment how many steps they will walk: 0 to 2.
- PR-3  Everybody walks the plank at will, at most two steps, until the sand has run out.
- PR-4  Whoever walked furthest, the lowest seat among equals, drops something at x,y, or passes.
- PR-5  What was dropped floats or sinks: the sea decides, and one may kick.
- PR-6  A seat scores its purse, 5 for a wager that came true, and 3 if what it dropped floats. The
        highest score wins, or shares the win.

There is a node of every kind: chance deals purses, wagers are sealed, the race is open, one seat
drops, and the sea is a live world. A drop is a composite action.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from quarterdeck.contract import Game, Option, register_world

from . import bot, notation, positions, rules, state, view
from .sea import Sea

_FOLDER = Path(__file__).parent

GAME = Game(
    id="plank-race",
    name="Plank Race",
    prefix="PR",
    options=(Option("players", (2, 3), 2),),
    folder=_FOLDER,
    kit=notation.load_kit(tomllib.loads((_FOLDER / "kit.toml").read_text())),
    records=state,
    rules=rules,
    notation=notation,
    positions=positions,
    view=view,
    bot=bot,
    composites=notation.composites,
    compose=bot.compose,
    has_world=True,
    live_seat=rules.live_seat,
)

register_world(GAME.id, Sea)

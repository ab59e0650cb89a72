"""Piratoons: two to four players plunder a chest against the sandglass and build ships."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quarterdeck.contract import OPEN, Due, Game, Option

from . import bot, notation, outlook, positions, rules, state, terminal, view

_FOLDER = Path(__file__).parent


def _clock(kit: state.Kit, now: state.State, options: Mapping[str, Any]) -> Due | None:
    """PT-6, PT-R3: the sand runs while the chest is open, and after it the table's limit."""
    if rules.node(kit, now) != OPEN:
        return None
    if now.ran_out:
        return Due("close", 1000 * int(options["limit"]))
    return Due("sand", 1000 * int(options["glass"]))


GAME = Game(
    id="piratoons",
    name="Piratoons",
    prefix="PT",
    options=(
        Option("players", (2, 3, 4), 4),
        Option("glass", (1, 3, 10, 15, 20, 30, 60), 15, is_timing=True),
        Option("limit", (5, 15, 30, 60, 120), 60, is_timing=True),
    ),
    folder=_FOLDER,
    kit=notation.load_kit(tomllib.loads((_FOLDER / "kit.toml").read_text("utf-8"))),
    records=state,
    rules=rules,
    notation=notation,
    positions=positions,
    view=view,
    bot=bot,
    terminal=terminal,
    outlook=outlook.outlook,
    own_outlook=outlook.own_outlook,
    preview=outlook.preview,
    composites=notation.composites,
    compose=bot.compose,
    resolve=notation.resolve,
    clock=_clock,
    has_kits=True,
)

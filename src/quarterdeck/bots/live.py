"""Bots' hands in live worlds, as fast as these run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import quarterdeck.physics  # noqa: F401  # registers the games' worlds
from quarterdeck.contract import AnyRecord, Game, LiveWorld
from quarterdeck.engine.match import Match

_TICK_MS = 33


def needs_world(game: Game, filled: Mapping[str, Any]) -> bool:
    """Whether a game with these options comes to live worlds."""
    is_worldless = all(filled[key] == value for key, value in game.worldless.items())
    return game.has_world and not (game.worldless and is_worldless)


def open_world(match: Match) -> LiveWorld:
    """The live world that is due in a match."""
    return match.game.open_world(match.state, match.attached)


def run_world(world: LiveWorld) -> tuple[str, dict[str, Any]]:
    """What comes of a world whose hand follows a plan, or nobody's."""
    while True:
        answer = world.advance(world.idle_ms or _TICK_MS)
        if answer is not None:
            return answer


def play_by_hand(match: Match, level: str, rng: AnyRecord) -> tuple[str, dict[str, Any]]:
    """What comes of the live world that is due if a bot of this level plays it."""
    world = open_world(match)
    world.obey(world.think(level, rng))
    return run_world(world)

"""The machine bots run on: its cores, and their code compiled before anybody waits for it."""

from __future__ import annotations

import contextlib
import os
import sys
import time

from quarterdeck import COMPILE_CACHE
from quarterdeck.contract import Game
from quarterdeck.engine.fairness import SeededChance
from quarterdeck.engine.loops import is_compiled, loops_of
from quarterdeck.engine.match import Match
from quarterdeck.games import games

from .levels import LEVELS, decide
from .search import Budget


def cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def warm_up(game: Game) -> None:
    """Compiles a game's loops and its search now, if they are not, and says so; loads them."""
    loops = loops_of(game)
    marker = COMPILE_CACHE / f"{game.id}.warm"
    is_new = is_compiled() and loops.in_package and not marker.exists()
    started = time.monotonic()
    if is_new:
        print(f"Compiling the bots of {game.name}, once ...", end="", file=sys.stderr, flush=True)
    chance = SeededChance(seed=0)
    match = Match(game, chance=chance)
    match.draw_chance()
    for seat in match.seats_to_act[:1]:
        for level in LEVELS:
            decide(game, match.knowledge(seat), level, chance.rng(0), Budget(None, 1))
    if is_new:
        print(f" {time.monotonic() - started:.0f} s.", file=sys.stderr)
        # a cache that cannot be written only costs the next start its time
        with contextlib.suppress(OSError):
            marker.touch()


if __name__ == "__main__":  # so that tests need not wait for it
    for game in games():
        warm_up(game)

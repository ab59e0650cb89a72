"""The machine bots run on: its cores, and their code compiled before anybody waits for it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from quarterdeck import COMPILE_CACHE
from quarterdeck.contract import Game
from quarterdeck.engine.fairness import SeededChance
from quarterdeck.engine.loops import is_compiled, loops_of
from quarterdeck.engine.match import Match
from quarterdeck.games import find_game, games

from .levels import LEVELS, decide
from .search import Budget


def cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def warm_up_all() -> None:
    """The same for every game: what is new is compiled side by side, each in its own process."""
    new = [game.id for game in games() if is_compiled() and not _marker(game).exists()]
    if len(new) > 1:
        command = [sys.executable, "-m", __name__]
        with ThreadPoolExecutor(cores()) as pool:
            # one that fails is compiled below, where it says why
            list(pool.map(lambda id: subprocess.run([*command, id], check=False), new))
    for game in games():
        warm_up(game)


def warm_up(game: Game) -> None:
    """Compiles a game's loops and its search now, if they are not, and says so; loads them."""
    loops = loops_of(game)
    marker = _marker(game)
    is_new = is_compiled() and loops.in_package and not marker.exists()
    if is_new:
        print(f"Compiling the bots of {game.name}, once ...", file=sys.stderr, flush=True)
    chance = SeededChance(seed=0)
    match = Match(game, chance=chance)
    match.draw_chance()
    for seat in match.seats_to_act[:1]:
        for level in LEVELS:
            decide(game, match.knowledge(seat), level, chance.rng(0), Budget(None, 1))
    if is_new:
        # a cache that cannot be written only costs the next start its time
        with contextlib.suppress(OSError):
            marker.touch()


def _marker(game: Game) -> Path:
    """A file that is there once all of a game is compiled."""
    return COMPILE_CACHE / f"{game.id}.warm"


if __name__ == "__main__":
    if sys.argv[1:]:
        warm_up(find_game(sys.argv[1]))
    else:
        warm_up_all()

"""The machine bots run on: its cores, and their code compiled before anybody waits for it."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from quarterdeck.contract import Game
from quarterdeck.engine.fairness import SeededChance
from quarterdeck.engine.loops import compiling, is_new_here, loops_of
from quarterdeck.engine.match import Match
from quarterdeck.games import find_game, games

from .levels import LEVELS, decide
from .search import Budget

PARTS = ("rules", "bots", "whole games")
"""What is compiled of a game; no table needs the last."""


def cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def warm_up_all(*, whole_games: bool = False) -> None:
    """The same for every game: what is new is compiled side by side, each in its own process."""
    parts = PARTS if whole_games else PARTS[:-1]
    new = [game.id for game in games() if any(is_new_here(game, part) for part in parts)]
    if len(new) > 1:
        command = [sys.executable, "-m", "quarterdeck.bots.machine"]
        command += ["--whole-games"] * whole_games
        with ThreadPoolExecutor(cores()) as pool:
            # one that fails is compiled below, where it says why
            list(pool.map(lambda id: subprocess.run([*command, id], check=False), new))
    for game in games():
        warm_up(game, whole_games=whole_games)


def warm_up(game: Game, *, whole_games: bool = False) -> None:
    """Compiles a game's rules and its search now, if they are not, and says so; loads them.

    Whole games among bots, in one call, only if asked for: no table needs them.
    """
    loops = loops_of(game)
    with compiling(game, "bots", loops.in_package):
        chance = SeededChance(seed=0)
        match = Match(game, chance=chance)
        match.draw_chance()
        for seat in match.seats_to_act[:1]:
            for level in LEVELS:
                decide(game, match.knowledge(seat), level, chance.rng(0), Budget(None, 1))
    loops.bind(whole_games=whole_games)


def main() -> None:
    """Of the games named, or of all: `python -m quarterdeck.bots.machine [--whole-games] [ID]`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID")
    parser.add_argument("--whole-games", action="store_true")
    given = parser.parse_args()
    for id in given.ids:
        warm_up(find_game(id), whole_games=given.whole_games)
    if not given.ids:
        warm_up_all(whole_games=given.whole_games)


if __name__ == "__main__":
    main()

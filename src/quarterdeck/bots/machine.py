"""The machine bots run on: its cores, and their code compiled before anybody waits for it."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from quarterdeck.contract import Game
from quarterdeck.engine.fairness import SeededChance
from quarterdeck.engine.loops import compiling, is_new_here, loops_of, register_part
from quarterdeck.engine.match import Match
from quarterdeck.games import find_game, games

from .exact import LOOPS as EXACT_LOOPS
from .levels import LEVELS, decide
from .search import LOOPS as SEARCH_LOOPS
from .search import Budget, search
from .worker import NICENESS

PARTS = ("rules", "bots", "whole games")
"""What is compiled of a game; no table needs the last."""

register_part("bots", (*SEARCH_LOOPS, *EXACT_LOOPS))

COMPILE_COMMAND = (sys.executable, "-m", "quarterdeck.bots.machine")


def cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def needs_compiling(game: Game, *, whole_games: bool = False) -> bool:
    """Whether some of it has to be compiled still; else it is only loaded."""
    return any(is_new_here(game, part) for part in (PARTS if whole_games else PARTS[:-1]))


def be_patient() -> None:
    """Lets everybody else go first: this thread, where threads have a priority of their own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def warm_up_all(*, whole_games: bool = False) -> None:
    """The same for every game: what is new is compiled side by side, each in its own process."""
    new = [game for game in games() if needs_compiling(game, whole_games=whole_games)]
    if len(new) > 1:
        command = [*COMPILE_COMMAND, *["--whole-games"] * whole_games]
        with ThreadPoolExecutor(cores()) as pool:
            # one that fails is compiled below, where it says why
            list(pool.map(lambda game: subprocess.run([*command, game.id], check=False), new))
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
            known, once = match.knowledge(seat), Budget(None, 1)
            for level in LEVELS:
                decide(game, known, level, chance.rng(0), once)
            search(game, known, chance.rng(0), once)  # where no level needed it for this decision
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

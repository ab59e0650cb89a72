"""Games compiled before anybody waits for them: what a table needs first, on all cores.

What is compiled of a game are *pieces*: functions that Python calls, each with everything it calls
in turn. They belong to three parts: what a table of people and of bots that do not search needs,
what bots need that search, and whole games in one call. Several processes share the pieces of a
part among them; what one has compiled the others load.

    python -m quarterdeck.bots.warm ID PART     compiles what no other process is compiling
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from quarterdeck.contract import Game, is_compiled, is_kept, make_ready
from quarterdeck.engine.loops import announced, loops_of, unready_loops
from quarterdeck.games import find_game

from .cores import cores
from .exact import solve_loop
from .search import search_loop

TABLE, THINKING, WHOLE_GAMES = PARTS = ("table", "thinking", "whole-games")
"""What is compiled of a game, in this order; no table needs the last."""

_POLL_SECONDS = 0.1


def pieces(game: Game, part: str) -> list[Any]:
    """The compiled functions of a part, those that take longest first."""
    if part == WHOLE_GAMES:
        return [unready_loops(game).whole]
    if part == THINKING:
        own = _compiled_of(game.bot, ("reflex", "imagine", "compose"))
        return [search_loop(game), *own, solve_loop(game)]
    fold, offer, tell, learn, decode = unready_loops(game).short
    own = _compiled_of(game.bot, ("choose", "fumble"))
    asked = _compiled_of(game.rules, ("sample", "new", "node", "seats", "legal", "outcome"))
    looked = _compiled_of(game.positions)
    if game.outlook is not None:
        looked += _compiled_of(sys.modules[game.outlook.__module__])
    return [*own, fold, offer, learn, *looked, tell, *asked, decode]


def _compiled_of(module: Any, names: Iterable[str] | None = None) -> list[Any]:
    """The compiled functions of a module: those named, or all that are its own."""
    if names is not None:
        found = [getattr(module, name, None) for name in names]
    else:
        found = [
            value
            for value in vars(module).values()
            if getattr(value, "__module__", None) == module.__name__
        ]
    return [function for function in found if hasattr(function, "py_func")]


def missing(game: Game, part: str) -> list[Any]:
    """The pieces of a part that are not in the cache yet."""
    return [piece for piece in pieces(game, part) if not is_kept(piece)] if is_compiled() else []


def command(game: Game, part: str) -> list[str]:
    """How to start a process that helps to compile a part."""
    return [sys.executable, "-m", "quarterdeck.bots.warm", game.id, part]


def load(game: Game, part: str) -> None:
    """Loads a part into this process; what is missing is compiled here, one after the other."""
    for piece in pieces(game, part):
        make_ready(piece)
    loops_of(game)


def warm_up(
    game: Game, parts: Iterable[str] = (TABLE,), tell: Callable[[int], None] | None = None
) -> None:
    """Compiles parts of a game on all cores, if they are not in the cache, and loads them.

    `tell` is called now and then with how many pieces became ready since it was called last.
    """
    tell = tell or (lambda ready: None)
    for part in parts:
        with announced(game, part.replace("-", " "), pieces(game, part)):
            for ready in _compile_together(game, part):
                tell(ready)
            left = len(missing(game, part))
            load(game, part)
            tell(left)


def _compile_together(game: Game, part: str) -> Iterator[int]:
    left = missing(game, part)
    if len(left) < 2 or cores() < 2:
        return  # what one process can do is done where it is loaded
    helpers = [subprocess.Popen(command(game, part)) for _ in range(min(cores(), len(left)))]
    try:
        before = len(left)
        while any(helper.poll() is None for helper in helpers):
            time.sleep(_POLL_SECONDS)
            now = len(missing(game, part))
            yield before - now
            before = now
    finally:
        for helper in helpers:
            helper.kill()
            helper.wait()


def main() -> None:
    """Compiles what is missing of a part and what no other process is at."""
    game, part = find_game(sys.argv[1]), sys.argv[2]
    for piece in missing(game, part):
        if not is_kept(piece):
            make_ready(piece, wait=False)


if __name__ == "__main__":
    main()

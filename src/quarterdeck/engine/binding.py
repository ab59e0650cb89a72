"""Loops over any game's rules: written once over the names of the contract, compiled for each game.

A loop is an ordinary function that calls `node`, `legal`, `apply` and so on by the names below, and
is annotated with `Kit`, `State`, `Action` and `Memory`. `bind` puts a game's own functions and
records in the place of these names. Numba keeps such a copy on disk like any other function;
functions passed as arguments or closed over would be compiled anew in every process, and typed
function pointers (`FunctionType`) cost 0.1 ms each to hand over.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeAlias

from quarterdeck.contract import Array, Float64, Game, Record, Rng, compiled, unkept
from quarterdeck.games import GAME_IDS, find_game

from .asides import with_all

Kit: TypeAlias = Record
State: TypeAlias = Record
Action: TypeAlias = Record
Memory: TypeAlias = Record


def _unbound(*_: Any) -> Any:
    raise TypeError("a loop runs only as bound to a game")


new = node = seats = legal = decode = refuse = apply = sample = outcome = _unbound
see = glimpse = remember = imagine = choose = _unbound


# What a game's rules and bot need not have, and what is done without it.
@compiled
def aside(kit: Any, action: Any) -> bool:
    """Every action answers what is to be decided."""
    return False


@compiled
def fumble(kit: Any, seen: Any, memory: Any, seat: int, rng: Rng) -> int:
    """A game without a `fumble`: -1, no beginner is described."""
    return -1


@compiled
def hunch(kit: Any, state: Any, seat: int, rng: Rng) -> int:
    """A game without a `hunch`: -1, anything legal may be played."""
    return -1


@compiled
def shift(kit: Any, seen: Any, memory: Any, seat: int, rng: Rng, state: Any) -> bool:
    """A game without a `shift`: False, worlds are imagined anew."""
    return False


@compiled
def worth(kit: Any, state: Any, values: Array[Float64]) -> bool:
    """A game without a `worth`: False, games are played to the end, for their scores."""
    return False


@compiled
def compose(kit: Any, seen: Any, memory: Any, seat: int, rng: Rng, action: Any) -> bool:
    """All actions can be listed."""
    return False


_RECORDS = ("Kit", "State", "Action", "Memory")
_RULES = (
    "new", "node", "seats", "legal", "aside", "decode", "refuse", "apply", "sample", "outcome",
)  # fmt: skip
_VIEW = ("see", "glimpse", "remember")
_BOT = ("imagine", "choose", "fumble", "hunch", "shift", "worth", "compose")


def bind(loop: Callable[..., Any], game: Game) -> FunctionType:
    """The loop with the functions and records of a game, not yet compiled."""
    assert isinstance(loop, FunctionType)
    names = dict(loop.__globals__)
    rooms = ((game.records, _RECORDS), (game.rules, _RULES), (game.view, _VIEW), (game.bot, _BOT))
    for module, offered in rooms:
        names |= {name: getattr(module, name) for name in offered if hasattr(module, name)}
    if "without_asides" in names and not hasattr(game.rules, "aside"):
        names["without_asides"] = with_all
    bound = FunctionType(loop.__code__, names, loop.__name__)
    bound.__annotations__ = loop.__annotations__
    bound.__qualname__ = f"{loop.__name__}_{game.id}"
    bound.__module__ = loop.__module__
    return bound


def compile_loop(loop: Callable[..., Any], game: Game) -> Callable[..., Any]:
    """The loop for a game, to be compiled when first called or by `make_ready`.

    Only for the games of the package is it kept on disk: of a game made elsewhere, in a test or a
    notebook, nobody vouches that equal names mean equal rules.
    """
    bound = bind(loop, game)
    return compiled(bound) if is_in_package(game) else unkept(bound)


def is_in_package(game: Game) -> bool:
    """Whether it is one of our games, as it is in its folder."""
    return game.id in GAME_IDS and game is find_game(game.id)

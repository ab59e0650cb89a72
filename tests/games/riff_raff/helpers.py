"""Small tools for the tests of Riff Raff: positions in, texts and rule numbers out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quarterdeck.games import find_game
from quarterdeck.games.riff_raff.state import Action, Kit, State

from ..helpers import INTERPRETED, Bench

__all__ = ["INTERPRETED"]

BENCH = Bench(find_game("riff-raff"), State, Action)
GAME = BENCH.game
KIT: Kit = BENCH.kit
PLAYERS = (2, 3, 4)
SHAPES = ("boat", "barrel", "flacon", "crate", "sailor", "plank", "rat", "chest")

do, do_all, legal, refusal = BENCH.do, BENCH.do_all, BENCH.legal, BENCH.refusal
node, to_act, outcome, sampled = BENCH.node, BENCH.to_act, BENCH.outcome, BENCH.sampled
position, seen_by, parse = BENCH.position, BENCH.seen_by, BENCH.parse


def state_of(players: int, /, *, world: str = "real", **position: Any) -> State:
    """The state a position describes."""
    return BENCH.state_of({"players": players, "world": world}, position)


def new_game(players: int, world: str = "real") -> State:
    """A game about to begin."""
    return BENCH.new_game(players=players, world=world)


def turn(*played: int, captain: int = 0, **position: Any) -> State:
    """A turn about to begin in round one: these cards are open, and the order follows."""
    return state_of(len(played), captain=captain, played=list(played), **position)


def random_game(players: int, seed: int) -> Iterator[tuple[State, int, str]]:
    """A random game in the fitted world: each state with actor and text of what follows."""
    return BENCH.random_game(new_game(players, "fitted"), str(players), seed)

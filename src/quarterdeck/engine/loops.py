"""Compiled loops that run any game's rules without coming back to Python.

Each loop is written once, over the names of the contract, and compiled once for each game with that
game's functions in the place of these names. Numba caches such a copy on disk like any other
function; functions passed as arguments or closed over would be compiled anew in every process, and
typed function pointers (`FunctionType`) cost 0.1 ms each to hand over.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from functools import cache, cached_property
from types import FunctionType
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from quarterdeck import COMPILE_CACHE
from quarterdeck.contract import (
    CHANCE,
    LIVE,
    NATURE,
    OPEN,
    OVER,
    SEALED,
    Game,
    Rng,
    Row,
    below,
    record,
    seed_rng,
)
from quarterdeck.games import GAME_IDS, find_game

RANDOM, GAME_BOT = 0, 1
"""Who decides for a seat: any legal action alike, or the game's own rule of thumb."""

NATURE_STREAM, SEAT_STREAM = 0, 1
"""Of one seed: the draws of chance, each seeded anew, and the decisions of the seats."""


def _unbound(*_: Any) -> Any:
    raise TypeError("a loop runs only as bound to a game")


# The rules of the game at hand: `_bind` puts each game's own functions in the place of these.
new = node = seats = legal = decode = refuse = apply = sample = outcome = _unbound
see = glimpse = remember = choose = _unbound


def _fold(
    kit: Row,
    state: Row,
    actors: npt.NDArray[np.int64],
    actions: Any,
    progress: npt.NDArray[np.int64],
) -> int:
    """Applies a log to a state until an action is refused; answers the rule that refused it, or 0.

    `progress` goes on from what it holds: entries applied, draws of chance among them, and the
    entry at which the decision now open began. Sealed choices, and actions in an open phase, leave
    the decision open that they belong to.
    """
    for i in range(len(actors)):
        rule = refuse(kit, state, actors[i], actions[i])
        if rule != 0:
            return rule  # type: ignore[no-any-return]
        kind = node(kit, state)
        due = seats(kit, state)
        apply(kit, state, actors[i], actions[i])
        progress[0] += 1
        if kind == CHANCE:
            progress[1] += 1
        same_kind = node(kit, state) == kind
        still_sealed = kind == SEALED and seats(kit, state) == due & ~(1 << actors[i])
        if not (same_kind and (kind == OPEN or still_sealed)):
            progress[2] = progress[0]
    return 0


def _play(
    kit: Row,
    options: npt.NDArray[np.int64],
    bots: npt.NDArray[np.int8],
    seed: int,
    first: int,
    scratch: Any,
    scores: npt.NDArray[np.int64],
    winners: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    log_actors: npt.NDArray[np.int64],
    log: Any,
) -> int:
    """Plays games number `first`, `first` + 1, … of a seed to their ends; answers decisions made.

    `ends[i]` becomes the number of log entries up to the end of game i. With a log, a game that no
    longer fits stays unplayed with end -1, and so do those after it; with a log of length 0
    nothing is kept. A game that comes to a live world stops there.
    """
    state, seen, memories, action, glimpsed, rng, seat_rng, numbers = scratch
    room = len(log_actors)
    thinking = False
    for bot in bots:
        thinking = thinking or bot != RANDOM
    entries = 0
    decisions = 0
    ends[:] = -1
    for game in range(len(ends)):
        new(kit, options, state)
        draws = 0
        seed_rng(seat_rng, seed, first + game, SEAT_STREAM, draws)
        while True:
            kind = node(kit, state)
            if kind == OVER or kind == LIVE:
                break
            if room > 0 and entries == room:
                return decisions

            # who acts: nature, the first seat due, or in an open node anybody, the clock included
            actor = NATURE
            if kind != CHANCE:
                due = seats(kit, state)
                skip = 0
                if kind == OPEN:
                    for seat in range(len(bots)):
                        skip += (due >> seat) & 1
                    skip = below(seat_rng, skip + 1)
                for seat in range(len(bots)):
                    if (due >> seat) & 1:
                        if skip == 0:
                            actor = seat
                            break
                        skip -= 1

            # what it does; the clock of an open node is nature too, but no draw of chance
            if kind == CHANCE:
                seed_rng(rng, seed, first + game, NATURE_STREAM, draws)
                sample(kit, state, rng, action)
                draws += 1
            elif actor == NATURE:
                sample(kit, state, seat_rng, action)
            else:
                if bots[actor] == RANDOM:
                    choice = numbers[below(seat_rng, legal(kit, state, actor, numbers))]
                else:
                    see(kit, state, actor, seen)
                    choice = choose(kit, seen, memories[actor], actor, seat_rng)
                decode(kit, state, choice, action)
                decisions += 1

            # who remembers it
            if thinking:
                for seat in range(len(bots)):
                    if bots[seat] != RANDOM:
                        see(kit, state, seat, seen)
                        glimpse(kit, state, seat, actor, action, glimpsed)
                        remember(kit, memories[seat], seat, seen, actor, glimpsed)

            if room > 0:
                log_actors[entries] = actor
                log[entries] = action
                entries += 1
            apply(kit, state, actor, action)
        winners[game] = outcome(kit, state, scores[game])
        ends[game] = entries
    return decisions


def _offer(kit: Row, state: Row, seat: int, seen: Row, numbers: npt.NDArray[np.int16]) -> int:
    """Writes what a seat sees and the numbers it may choose from by that; answers how many."""
    see(kit, state, seat, seen)
    if seat >= 0 and (seats(kit, seen) >> seat) & 1:
        return legal(kit, seen, seat, numbers)  # type: ignore[no-any-return]
    return 0


class Loops:
    """The loops of one game, each bound when first used. Made by `loops_of`, once a process.

    Only the games of the package (`in_package`) are cached on disk: of a game made elsewhere, in a
    test or a notebook, nobody vouches that equal names mean equal rules. The two short loops of
    such a game run as Python over its compiled functions, so that a match begins at once; playing
    whole games is compiled.
    """

    def __init__(self, game: Game, *, in_package: bool) -> None:
        self.game = game
        self.in_package = in_package

    @cached_property
    def _play(self) -> Callable[..., Any]:
        game, integers = self.game, types.int64[::1]
        kit, state = _type(game.rules.Kit), _type(game.rules.State)
        action, memory, rng = _type(game.rules.Action), _type(game.view.Memory), _type(Rng)
        scratch = types.Tuple(  # type: ignore[no-untyped-call]
            (state, state, memory[::1], action, action, rng, rng, types.int16[::1])
        )
        signature = types.int64(
            kit, integers, types.int8[::1], types.int64, types.int64, scratch,
            types.int64[:, ::1], integers, integers, integers, action[::1],
        )  # fmt: skip
        return _compile(_bind(_play, game), signature, self.in_package)

    @cached_property
    def _fold(self) -> Callable[..., Any]:
        bound = _bind(_fold, self.game)
        if not self.in_package:
            return bound
        rules, integers = self.game.rules, types.int64[::1]
        kit, state, action = _type(rules.Kit), _type(rules.State), _type(rules.Action)
        return _compile(bound, types.int64(kit, state, integers, action[::1], integers), True)

    @cached_property
    def _offer(self) -> Callable[..., Any]:
        bound = _bind(_offer, self.game)
        if not self.in_package:
            return bound
        kit, state = _type(self.game.rules.Kit), _type(self.game.rules.State)
        signature = types.int64(kit, state, types.int64, state, types.int16[::1])
        return _compile(bound, signature, True)

    def bind(self) -> None:
        """Compiles all loops now, or loads them from the cache."""
        _ = self._play, self._fold, self._offer

    def offer(self, state: Row, seat: int) -> tuple[Row, list[int]]:
        """What a seat (or `SPECTATOR`) sees, and the numbers of the actions it may choose from."""
        seen = record(self.game.rules.State)
        numbers = np.zeros(self.game.rules.ACTIONS, np.int16)
        count = self._offer(self.game.kit, state, seat, seen, numbers)
        return seen, numbers[:count].tolist()

    def fold(
        self,
        state: Row,
        actors: npt.NDArray[np.int64],
        actions: Any,
        progress: npt.NDArray[np.int64],
    ) -> int:
        """Applies a log to the state; the rule that refused an entry, or 0. See `_fold`."""
        return int(self._fold(self.game.kit, state, actors, actions, progress))

    def play(
        self,
        options: npt.NDArray[np.int64],
        bots: npt.NDArray[np.int8],
        seed: int,
        first: int,
        games: int,
        log_actors: npt.NDArray[np.int64],
        log: Any,
    ) -> tuple[int, Any, Any, Any]:
        """Plays games; answers decisions made, scores, winners as bits, and log ends a game."""
        rules, view = self.game.rules, self.game.view
        scratch = (
            record(rules.State),
            record(rules.State),
            np.zeros(len(bots), view.Memory).view(np.recarray),
            record(rules.Action),
            record(rules.Action),
            record(Rng),
            record(Rng),
            np.zeros(rules.ACTIONS, np.int16),
        )
        scores = np.zeros((games, len(bots)), np.int64)
        winners, ends = np.zeros(games, np.int64), np.zeros(games, np.int64)
        decisions = self._play(
            self.game.kit, options, bots, seed, first, scratch,
            scores, winners, ends, log_actors, log,
        )  # fmt: skip
        return int(decisions), scores, winners, ends


@cache
def loops_of(game: Game) -> Loops:
    """The loops of a game. Those of a game of the package are compiled before the first start.

    That takes a while, and says so; later starts load each loop from the cache when it is needed.
    """
    loops = Loops(game, in_package=game.id in GAME_IDS and game is find_game(game.id))
    marker = COMPILE_CACHE / f"{game.id}.compiled"
    if not is_compiled() or not loops.in_package or marker.exists():
        return loops
    started = time.monotonic()
    print(f"Compiling the rules of {game.name}, once ...", end="", file=sys.stderr, flush=True)
    loops.bind()
    print(f" {time.monotonic() - started:.0f} s.", file=sys.stderr)
    # a cache that cannot be written only costs the next start its time
    with contextlib.suppress(OSError):
        marker.touch()
    return loops


def is_compiled() -> bool:
    """Whether rules run compiled; with `NUMBA_DISABLE_JIT=1` they are ordinary Python."""
    return not numba.config.DISABLE_JIT  # type: ignore[attr-defined]


def _type(dtype: np.dtype[Any]) -> Any:
    return numba.from_dtype(dtype)


def _bind(loop: Callable[..., Any], game: Game) -> FunctionType:
    """The loop with the functions of a game."""
    assert isinstance(loop, FunctionType)
    names = dict(loop.__globals__)
    for module in (game.rules, game.view, game.bot):
        names |= {name: getattr(module, name) for name in _CONTRACT if hasattr(module, name)}
    bound = FunctionType(loop.__code__, names, loop.__name__)
    bound.__qualname__ = f"{loop.__name__}_{game.id}"  # the cache keeps games apart by this name
    bound.__module__ = __name__
    return bound


def bind_loop(loop: Callable[..., Any], game: Game) -> Callable[..., Any]:
    """A loop of another module, written over the names of the contract, compiled for a game.

    It is compiled when first called, and not cached on disk.
    """
    result: Callable[..., Any] = numba.njit(nogil=True)(_bind(loop, game))
    return result


def _compile(bound: FunctionType, signature: Any, on_disk: bool) -> Callable[..., Any]:
    result: Callable[..., Any] = numba.njit(signature, cache=on_disk, nogil=True)(bound)
    return result


_CONTRACT = (
    "new", "node", "seats", "legal", "decode", "refuse", "apply", "sample", "outcome",
    "see", "glimpse", "remember", "imagine", "choose",
)  # fmt: skip

"""Compiled loops that run any game's rules without coming back to Python.

The rules reach the loops as typed function pointers (`FunctionType`): that keeps one cached
compilation per game, where passing or closing over the functions themselves would compile anew in
every process.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cache
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
    Game,
    Rng,
    Row,
    below,
    record,
    seed_rng,
)

RANDOM, GAME_BOT = 0, 1
"""Who decides for a seat: any legal action alike, or the game's own rule of thumb."""

NATURE_STREAM, SEAT_STREAM = 0, 1
"""Of one seed: the draws of chance, each seeded anew, and the decisions of the seats."""


def _fold(
    rules: Any,
    kit: Row,
    state: Row,
    actors: npt.NDArray[np.int8],
    actions: Any,
    answer: npt.NDArray[np.int64],
) -> None:
    """Applies a log. `answer`: how many entries were applied, and the rule that stopped it or 0."""
    refuse, apply = rules
    answer[0] = 0
    answer[1] = 0
    for i in range(len(actors)):
        answer[1] = refuse(kit, state, actors[i], actions[i])
        if answer[1] != 0:
            return
        apply(kit, state, actors[i], actions[i])
        answer[0] = i + 1


def _play(
    rules: Any,
    kit: Row,
    options: npt.NDArray[np.int64],
    bots: npt.NDArray[np.int8],
    seed: int,
    first: int,
    scratch: Any,
    scores: npt.NDArray[np.int64],
    winners: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    log_actors: npt.NDArray[np.int8],
    log: Any,
) -> int:
    """Plays games number `first`, `first` + 1, … of a seed to their ends; answers decisions made.

    `ends[i]` becomes the number of log entries up to the end of game i. With a log, a game that no
    longer fits stays unplayed with end -1, and so do those after it; with a log of length 0
    nothing is kept. A game that comes to a live world stops there.
    """
    new, node, seats, legal, decode, apply, sample, outcome, see, glimpse, remember, choose = rules
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
        seed_rng(seat_rng, seed, first + game, SEAT_STREAM, 0)
        draws = 0
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

            # what it does
            if actor == NATURE:
                seed_rng(rng, seed, first + game, NATURE_STREAM, draws)
                sample(kit, state, rng, action)
                draws += 1
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


class Loops:
    """The compiled loops of one game. Made by `loops_of`, once a process."""

    def __init__(self, game: Game) -> None:
        self.game = game
        kit, state = _type(game.rules.Kit), _type(game.rules.State)
        action, memory, rng = _type(game.rules.Action), _type(game.view.Memory), _type(Rng)
        numbers, integers = types.int16[::1], types.int64[::1]
        seat = actor = number = types.int64
        rules, view, bot = game.rules, game.view, game.bot

        self._play_rules, play_types = _pointers(
            (rules.new, types.void(kit, integers, state)),
            (rules.node, types.int64(kit, state)),
            (rules.seats, types.int64(kit, state)),
            (rules.legal, types.int64(kit, state, seat, numbers)),
            (rules.decode, types.void(kit, state, number, action)),
            (rules.apply, types.void(kit, state, actor, action)),
            (rules.sample, types.void(kit, state, rng, action)),
            (rules.outcome, types.int64(kit, state, integers)),
            (view.see, types.void(kit, state, seat, state)),
            (view.glimpse, types.void(kit, state, seat, actor, action, action)),
            (view.remember, types.void(kit, memory, seat, state, actor, action)),
            (bot.choose, types.int64(kit, state, memory, seat, rng)),
        )
        self._fold_rules, fold_types = _pointers(
            (rules.refuse, types.int64(kit, state, actor, action)),
            (rules.apply, types.void(kit, state, actor, action)),
        )
        scratch = types.Tuple((state, state, memory[::1], action, action, rng, rng, numbers))
        actors = types.int8[::1]
        self._play_loop = _compile(
            _play,
            types.int64(
                play_types, kit, integers, types.int8[::1], types.int64, types.int64, scratch,
                types.int64[:, ::1], integers, integers, actors, action[::1],
            ),
        )  # fmt: skip
        self._fold_loop = _compile(
            _fold, types.void(fold_types, kit, state, actors, action[::1], integers)
        )

    def fold(self, state: Row, actors: npt.NDArray[np.int8], actions: Any) -> tuple[int, int]:
        """Applies a log to the state; how many entries went in, and the rule that refused or 0."""
        answer = np.zeros(2, np.int64)
        self._fold_loop(self._fold_rules, self.game.kit, state, actors, actions, answer)
        return int(answer[0]), int(answer[1])

    def play(
        self,
        options: npt.NDArray[np.int64],
        bots: npt.NDArray[np.int8],
        seed: int,
        first: int,
        games: int,
        log_actors: npt.NDArray[np.int8],
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
        decisions = self._play_loop(
            self._play_rules, self.game.kit, options, bots, seed, first, scratch,
            scores, winners, ends, log_actors, log,
        )  # fmt: skip
        return int(decisions), scores, winners, ends


@cache
def loops_of(game: Game) -> Loops:
    """The loops of a game, compiled or loaded from the cache; says so when it takes a while."""
    started = time.monotonic()
    marker = COMPILE_CACHE / f"{game.id}.compiled"
    fresh = not marker.exists()
    if fresh and not numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        print(f"Compiling the rules of {game.name}, once ...", end="", file=sys.stderr, flush=True)
    loops = Loops(game)
    if fresh and not numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        print(f" {time.monotonic() - started:.0f} s.", file=sys.stderr)
        try:
            marker.touch()
        except OSError:
            pass  # a cache that cannot be written only costs the next start its time
    return loops


def _type(dtype: np.dtype[Any]) -> Any:
    return numba.from_dtype(dtype)


def _pointers(*functions: tuple[Callable[..., Any], Any]) -> tuple[tuple[Any, ...], Any]:
    """The functions, compiled for these signatures, and the type of their tuple."""
    for function, signature in functions:
        if hasattr(function, "compile"):
            function.compile(signature)
    kinds = [types.FunctionType(signature) for _, signature in functions]
    return tuple(function for function, _ in functions), types.Tuple(kinds)


def _compile(function: Callable[..., Any], signature: Any) -> Callable[..., Any]:
    result: Callable[..., Any] = numba.njit(signature, cache=True, nogil=True)(function)
    return result

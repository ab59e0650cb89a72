"""Compiled loops that run any game's rules without coming back to Python.

Each loop is written once, over the names of the contract, and compiled once for each game with that
game's functions in the place of these names. Numba caches such a copy on disk like any other
function; functions passed as arguments or closed over would be compiled anew in every process, and
typed function pointers (`FunctionType`) cost 0.1 ms each to hand over.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

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
    boxed,
    compiled,
    record,
    records,
    seed_rng,
)
from quarterdeck.games import GAME_IDS, find_game

RANDOM, DECKHAND, GAME_BOT = 0, 1, 2
"""Who decides for a seat: any legal action alike, a beginner, or the game's own rule of thumb."""

SLIP = 4
"""A beginner in a game that describes none: the rule of thumb, but one decision in so many goes
to chance."""

NATURE_STREAM, SEAT_STREAM = 0, 1
"""Of one seed: the draws of chance, each seeded anew, and the decisions of the seats."""


def _unbound(*_: Any) -> Any:
    raise TypeError("a loop runs only as bound to a game")


# The rules of the game at hand: `_bind` puts each game's own functions in the place of these.
new = node = seats = legal = decode = refuse = apply = sample = outcome = _unbound
see = glimpse = remember = imagine = choose = _unbound


# What a game's bot need not have, and what is done without it.
@compiled
def fumble(kit: Row, seen: Row, memory: Row, seat: int, rng: Row) -> int:
    """No beginner is described."""
    return -1


def _fold(
    kits: Any,
    states: Any,
    actors: npt.NDArray[np.int64],
    actions: Any,
    progress: npt.NDArray[np.int64],
) -> int:
    """Applies a log to a state until an action is refused; answers the rule that refused it, or 0.

    `progress` goes on from what it holds: entries applied, draws of chance among them, and the
    entry at which the decision now open began. Sealed choices, and actions in an open phase, leave
    the decision open that they belong to. Its last two become the kind of node reached, and the
    seats to act as bits.
    """
    kit, state = kits[0], states[0]
    progress[3], progress[4] = node(kit, state), seats(kit, state)
    for i in range(len(actors)):
        rule = refuse(kit, state, actors[i], actions[i])
        if rule != 0:
            return rule  # type: ignore[no-any-return]
        kind, due = progress[3], progress[4]
        apply(kit, state, actors[i], actions[i])
        progress[0] += 1
        if kind == CHANCE:
            progress[1] += 1
        progress[3], progress[4] = node(kit, state), seats(kit, state)
        same_kind = progress[3] == kind
        still_sealed = kind == SEALED and progress[4] == due & ~(1 << actors[i])
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
                    choice = -1
                    if bots[actor] == DECKHAND:
                        choice = fumble(kit, seen, memories[actor], actor, seat_rng)
                        if choice < 0 and below(seat_rng, SLIP) == 0:
                            choice = numbers[below(seat_rng, legal(kit, state, actor, numbers))]
                    if choice < 0:
                        choice = choose(kit, seen, memories[actor], actor, seat_rng)
                    if choice < 0:  # nothing yet: time passes
                        continue
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


def _offer(
    kits: Any,
    states: Any,
    eyes: npt.NDArray[np.int64],
    seen: Any,
    numbers: npt.NDArray[np.int16],
    facts: npt.NDArray[np.int64],
) -> None:
    """Writes, for each of the eyes, what it sees and what follows from that.

    `numbers` are the actions it may choose from; `facts` how many these are, the kind of the node,
    the seats to act and the winners as bits, and the scores.
    """
    kit, state = kits[0], states[0]
    for i in range(len(eyes)):
        see(kit, state, eyes[i], seen[i])
        facts[i][1] = node(kit, seen[i])
        facts[i][2] = seats(kit, seen[i])
        facts[i][3] = outcome(kit, seen[i], facts[i][4:])
        if eyes[i] >= 0 and (facts[i][2] >> eyes[i]) & 1:
            facts[i][0] = legal(kit, seen[i], eyes[i], numbers[i])


def _tell(
    kits: Any,
    befores: Any,
    actor: int,
    actions: Any,
    afters: Any,
    eyes: npt.NDArray[np.int64],
    seen: Any,
    glimpsed: Any,
) -> None:
    """Writes, for each of the eyes, what it sees before, of, and after an action.

    Two records of `seen` for each: before and after.
    """
    kit, before = kits[0], befores[0]
    for i in range(len(eyes)):
        see(kit, before, eyes[i], seen[2 * i])
        see(kit, afters[0], eyes[i], seen[2 * i + 1])
        glimpse(kit, before, eyes[i], actor, actions[0], glimpsed[i])


def _learn(
    kits: Any,
    states: Any,
    memories: Any,
    seat: int,
    actors: npt.NDArray[np.int64],
    actions: Any,
    seen: Any,
    glimpsed: Any,
) -> None:
    """Adds a log, as a seat saw it, to what the seat remembers; the state goes on with it."""
    kit, state = kits[0], states[0]
    for i in range(len(actors)):
        see(kit, state, seat, seen[0])
        glimpse(kit, state, seat, actors[i], actions[i], glimpsed[0])
        remember(kit, memories[0], seat, seen[0], actors[i], glimpsed[0])
        apply(kit, state, actors[i], actions[i])


def _decode(kits: Any, states: Any, numbers: npt.NDArray[np.int64], actions: Any) -> None:
    """Writes the actions these numbers stand for."""
    for i in range(len(numbers)):
        decode(kits[0], states[0], numbers[i], actions[i])


class Offer(NamedTuple):
    """What somebody sees, and what follows from it: nothing that is not seen goes in."""

    seen: Row
    numbers: list[int]
    node: int
    due: int
    winners: int
    scores: list[int]


class Loops:
    """The loops of one game, each bound when first used. Made by `loops_of`, once a process.

    A state goes in as an array of one (`boxed`).

    Only the games of the package (`in_package`) are cached on disk: of a game made elsewhere, in a
    test or a notebook, nobody vouches that equal names mean equal rules. The short loops of
    such a game run as Python over its compiled functions, so that a match begins at once; playing
    whole games is compiled.
    """

    def __init__(self, game: Game, *, in_package: bool) -> None:
        self.game = game
        self.in_package = in_package
        self._kits = boxed(game.kit)

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
        with compiling(game, "whole games", self.in_package):
            return _compile(_bind(_play, game), signature, self.in_package)

    @cached_property
    def _fold(self) -> Callable[..., Any]:
        kit, state, action = self._arrays
        return self._short(
            _fold, types.int64(kit, state, types.int64[::1], action, types.int64[::1])
        )

    @cached_property
    def _offer(self) -> Callable[..., Any]:
        kit, state, _ = self._arrays
        numbers, facts = types.int16[:, ::1], types.int64[:, ::1]
        return self._short(_offer, types.void(kit, state, types.int64[::1], state, numbers, facts))

    @cached_property
    def _tell(self) -> Callable[..., Any]:
        kit, state, action = self._arrays
        signature = types.void(
            kit, state, types.int64, action, state, types.int64[::1], state, action
        )
        return self._short(_tell, signature)

    @cached_property
    def _learn(self) -> Callable[..., Any]:
        kit, state, action = self._arrays
        memory = _type(self.game.view.Memory)[::1]
        signature = types.void(
            kit, state, memory, types.int64, types.int64[::1], action, state, action
        )
        return self._short(_learn, signature)

    @cached_property
    def _decode(self) -> Callable[..., Any]:
        kit, state, action = self._arrays
        return self._short(_decode, types.void(kit, state, types.int64[::1], action))

    @property
    def _arrays(self) -> list[Any]:
        """Arrays of kits, states and actions, as compiled code knows them."""
        rules = self.game.rules
        return [_type(dtype)[::1] for dtype in (rules.Kit, rules.State, rules.Action)]

    def _short(self, loop: Callable[..., Any], signature: Any) -> Callable[..., Any]:
        bound = _bind(loop, self.game)
        return _compile(bound, signature, True) if self.in_package else bound

    def bind(self, *, whole_games: bool = False) -> None:
        """Compiles what a match needs now, or loads it from the cache; if asked for, `play` too,
        which takes as long as all the others together."""
        _ = self._fold, self._offer, self._tell, self._learn, self._decode
        if whole_games:
            _ = self._play

    def offers(self, states: npt.NDArray[Any], eyes: Sequence[int], players: int) -> list[Offer]:
        """What each of some seats (or `SPECTATOR`) sees of a state, and what follows from that."""
        rules, count = self.game.rules, len(eyes)
        seen = records(rules.State, count)
        numbers = np.zeros((count, rules.ACTIONS), np.int16)
        facts = np.zeros((count, 4 + players), np.int64)
        self._offer(self._kits, states, np.array(eyes, np.int64), seen, numbers, facts)
        return [
            Offer(seen[i], numbers[i, :choices].tolist(), kind, due, winners, scores)
            for i, (choices, kind, due, winners, *scores) in enumerate(facts.tolist())
        ]

    def tell(
        self, before: Row, actor: int, action: Row, after: Row, eyes: Sequence[int]
    ) -> list[tuple[Row, Row, Row]]:
        """What each of some seats (or `SPECTATOR`) sees before, of, and after an action."""
        rules, count = self.game.rules, len(eyes)
        seen, glimpsed = records(rules.State, 2 * count), records(rules.Action, count)
        self._tell(
            self._kits, boxed(before), actor, boxed(action), boxed(after),
            np.array(eyes, np.int64), seen, glimpsed,
        )  # fmt: skip
        return [(seen[2 * i], glimpsed[i], seen[2 * i + 1]) for i in range(count)]

    def learn(
        self,
        states: npt.NDArray[Any],
        memories: npt.NDArray[Any],
        seat: int,
        log: Sequence[tuple[int, Row]],
    ) -> None:
        """Adds a log to the state in the box, and to the seat's memory what it saw of it."""
        rules, count = self.game.rules, len(log)
        actors, actions = np.zeros(count, np.int64), records(rules.Action, count)
        for i, (actor, action) in enumerate(log):
            actors[i] = actor
            actions[i] = action
        self._learn(
            self._kits, states, memories, seat, actors, actions,
            records(rules.State, 1), records(rules.Action, 1),
        )  # fmt: skip

    def decode(self, states: npt.NDArray[Any], numbers: Sequence[int]) -> npt.NDArray[Any]:
        """The actions these numbers stand for in a state."""
        actions = records(self.game.rules.Action, len(numbers))
        self._decode(self._kits, states, np.array(numbers, np.int64), actions)
        return actions

    def fold(
        self,
        states: npt.NDArray[Any],
        actors: npt.NDArray[np.int64],
        actions: Any,
        progress: npt.NDArray[np.int64],
    ) -> int:
        """Applies a log to the state in the box; the rule that refused an entry, or 0."""
        return int(self._fold(self._kits, states, actors, actions, progress))

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
    with compiling(game, "rules", loops.in_package) as is_new:
        if is_new:
            loops.bind()
    return loops


@contextlib.contextmanager
def compiling(game: Game, what: str, in_package: bool) -> Iterator[bool]:
    """While something of a game is compiled: if it never was before, says so. Answers whether.

    Of several processes that begin at once one compiles, and the others wait for it.
    """
    if not (in_package and is_new_here(game, what)):
        yield False
        return
    with _alone(game, what):
        is_new = is_new_here(game, what)
        if is_new:
            print(f"Compiling the {what} of {game.name}, once ...", file=sys.stderr, flush=True)
        yield is_new
        if is_new:
            # a cache that cannot be written only costs the next start its time
            with contextlib.suppress(OSError):
                _marker(game, what).touch()


@contextlib.contextmanager
def _alone(game: Game, what: str) -> Iterator[None]:
    """No other process compiles the same meanwhile, where processes can agree on that."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError, ImportError):
            import fcntl

            COMPILE_CACHE.mkdir(parents=True, exist_ok=True)
            marker = _marker(game, what)
            lock = stack.enter_context(marker.with_name(f"{marker.name}.lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def is_new_here(game: Game, what: str) -> bool:
    """Whether this part of a game has to be compiled still."""
    return is_compiled() and not _marker(game, what).exists()


def _marker(game: Game, what: str) -> Path:
    return COMPILE_CACHE / f"{game.id}.{what.replace(' ', '-')}"


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


def bind_loop(loop: Callable[..., Any], game: Game, signature: Any = None) -> Callable[..., Any]:
    """A loop of another module, written over the names of the contract, compiled for a game.

    With a signature it is compiled at once, and cached on disk for games of the package; without
    one it is compiled when first called, and not cached.
    """
    if signature is not None:
        return _compile(_bind(loop, game), signature, loops_of(game).in_package)
    result: Callable[..., Any] = numba.njit(nogil=True)(_bind(loop, game))
    return result


def _compile(bound: FunctionType, signature: Any, on_disk: bool) -> Callable[..., Any]:
    result: Callable[..., Any] = numba.njit(signature, cache=on_disk, nogil=True)(bound)
    return result


_CONTRACT = (
    "new", "node", "seats", "legal", "decode", "refuse", "apply", "sample", "outcome",
    "see", "glimpse", "remember", "imagine", "choose", "fumble", "hunch", "shift", "worth",
)  # fmt: skip

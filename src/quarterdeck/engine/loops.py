"""Compiled loops that run any game's rules without coming back to Python; see `binding`."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quarterdeck.contract import (
    CHANCE,
    LIVE,
    NATURE,
    OPEN,
    OVER,
    SEALED,
    AnyRecord,
    Array,
    Bool,
    Game,
    Grid,
    Int8,
    Int16,
    Int64,
    Numbers,
    Rng,
    Rows,
    below,
    boxed,
    is_compiled,
    is_kept,
    make_ready,
    record,
    records,
    seed_rng,
)

from .asides import asides_of, without_asides
from .binding import (
    Action,
    Kit,
    Memory,
    State,
    apply,
    aside,
    bind,
    choose,
    compile_loop,
    decode,
    fumble,
    glimpse,
    is_in_package,
    legal,
    new,
    node,
    outcome,
    refuse,
    remember,
    sample,
    seats,
    see,
)

RANDOM, DECKHAND, GAME_BOT = 0, 1, 2
"""Who decides for a seat: any legal action alike that is no aside, a beginner, or the game's own
rule of thumb."""

SLIP = 4
"""A beginner in a game that describes none: the rule of thumb, but one decision in so many goes
to chance."""

NATURE_STREAM, SEAT_STREAM = 0, 1
"""The streams of a seed: draws of chance, each seeded anew, and the decisions of the seats."""


def _fold(
    kits: Rows[Kit],
    states: Rows[State],
    actors: Array[Int64],
    actions: Rows[Action],
    progress: Array[Int64],
) -> int:
    """Applies a log to a state until an action is refused; returns the rule that refused it, or 0.

    `progress` goes on from what it holds: entries applied, draws of chance among them, and the
    entry at which the decision now open began. Sealed choices, actions in an open phase, and asides
    leave the decision open that they belong to. Its last two become the kind of node reached, and
    the seats to act as bits.
    """
    kit, state = kits[0], states[0]
    progress[3], progress[4] = node(kit, state), seats(kit, state)
    for i in range(len(actors)):
        rule: int = refuse(kit, state, actors[i], actions[i])
        if rule != 0:
            return rule
        kind, due = progress[3], progress[4]
        apply(kit, state, actors[i], actions[i])
        progress[0] += 1
        if kind == CHANCE:
            progress[1] += 1
        progress[3], progress[4] = node(kit, state), seats(kit, state)
        same_kind = progress[3] == kind
        still_sealed = kind == SEALED and progress[4] == due & ~(1 << actors[i])
        if not (same_kind and (kind == OPEN or still_sealed or aside(kit, actions[i]))):
            progress[2] = progress[0]
    return 0


def _play(
    kit: Kit,
    options: Array[Int64],
    bots: Array[Int8],
    asides: Array[Bool],
    seed: int,
    first: int,
    scratch: tuple[State, State, Rows[Memory], Action, Action, Rng, Rng, Numbers],
    scores: Grid[Int64],
    winners: Array[Int64],
    ends: Array[Int64],
    log_actors: Array[Int64],
    log: Rows[Action],
) -> int:
    """Plays games number `first`, `first` + 1, … of a seed to their ends; returns decisions made.

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
                    count = without_asides(numbers, legal(kit, state, actor, numbers), asides)
                    choice = numbers[below(seat_rng, count)]
                else:
                    see(kit, state, actor, seen)
                    choice = -1
                    if bots[actor] == DECKHAND:
                        choice = fumble(kit, seen, memories[actor], actor, seat_rng)
                        if choice < 0 and below(seat_rng, SLIP) == 0:
                            count = without_asides(
                                numbers, legal(kit, state, actor, numbers), asides
                            )
                            choice = numbers[below(seat_rng, count)]
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
    kits: Rows[Kit],
    states: Rows[State],
    viewers: Array[Int64],
    seen: Rows[State],
    numbers: Grid[Int16],
    facts: Grid[Int64],
) -> None:
    """Writes, for each of the viewers, what it sees and what follows from that.

    `numbers` are the actions it may choose from; `facts` how many these are, the kind of the node,
    the seats to act and the winners as bits, and the scores.
    """
    kit, state = kits[0], states[0]
    for i in range(len(viewers)):
        see(kit, state, viewers[i], seen[i])
        facts[i][1] = node(kit, seen[i])
        facts[i][2] = seats(kit, seen[i])
        facts[i][3] = outcome(kit, seen[i], facts[i][4:])
        if viewers[i] >= 0 and (facts[i][2] >> viewers[i]) & 1:
            facts[i][0] = legal(kit, seen[i], viewers[i], numbers[i])


def _tell(
    kits: Rows[Kit],
    befores: Rows[State],
    actor: int,
    actions: Rows[Action],
    afters: Rows[State],
    viewer: int,
    seen: Rows[State],
    glimpsed: Rows[Action],
) -> None:
    """Writes what a viewer sees before, of, and after an action; two records of `seen`."""
    kit, before = kits[0], befores[0]
    see(kit, before, viewer, seen[0])
    see(kit, afters[0], viewer, seen[1])
    glimpse(kit, before, viewer, actor, actions[0], glimpsed[0])


def _learn(
    kits: Rows[Kit],
    states: Rows[State],
    memories: Rows[Memory],
    seat: int,
    actors: Array[Int64],
    actions: Rows[Action],
    seen: Rows[State],
    glimpsed: Rows[Action],
) -> None:
    """Adds a log, as a seat saw it, to what the seat remembers; the state goes on with it."""
    kit, state = kits[0], states[0]
    for i in range(len(actors)):
        see(kit, state, seat, seen[0])
        glimpse(kit, state, seat, actors[i], actions[i], glimpsed[0])
        remember(kit, memories[0], seat, seen[0], actors[i], glimpsed[0])
        apply(kit, state, actors[i], actions[i])


def _decode(
    kits: Rows[Kit], states: Rows[State], numbers: Array[Int64], actions: Rows[Action]
) -> None:
    """Writes the actions these numbers stand for."""
    for i in range(len(numbers)):
        decode(kits[0], states[0], numbers[i], actions[i])


class Offer(NamedTuple):
    """What somebody sees, and what follows from it: nothing that is not seen goes in."""

    seen: AnyRecord
    numbers: list[int]
    node: int
    due: int
    winners: int
    scores: list[int]


class Loops:
    """The loops of one game, made once a process: see `loops_of`.

    A state goes in as an array of one (`boxed`). The short loops of a game that is not in the
    package run as Python over its compiled functions, so that a match begins at once; playing whole
    games is compiled.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._kits = boxed(game.kit)
        make = compile_loop if is_in_package(game) else bind
        self._fold, self._offer, self._tell, self._learn, self._decode = self.short = tuple(
            make(loop, game) for loop in (_fold, _offer, _tell, _learn, _decode)
        )
        self._play = compile_loop(_play, game)

    @property
    def whole(self) -> Callable[..., Any]:
        """The loop that plays whole games. Compiling it takes as long as all the others."""
        return self._play

    def offers(self, states: Rows[Any], viewers: Sequence[int], players: int) -> list[Offer]:
        """What each of some seats (or `SPECTATOR`) sees of a state, and what follows from that."""
        own, count = self.game.records, len(viewers)
        seen = records(own.State, count)
        numbers = np.zeros((count, own.ACTIONS), np.int16)
        facts = np.zeros((count, 4 + players), np.int64)
        self._offer(self._kits, states, np.array(viewers, np.int64), seen, numbers, facts)
        return [
            Offer(seen[i], numbers[i, :choices].tolist(), kind, due, winners, scores)
            for i, (choices, kind, due, winners, *scores) in enumerate(facts.tolist())
        ]

    def tell(
        self, before: AnyRecord, actor: int, action: AnyRecord, after: AnyRecord, viewer: int
    ) -> tuple[AnyRecord, AnyRecord, AnyRecord]:
        """What a seat (or `SPECTATOR`) sees before, of, and after an action."""
        own = self.game.records
        seen, glimpsed = records(own.State, 2), records(own.Action, 1)
        self._tell(
            self._kits, boxed(before), actor, boxed(action), boxed(after), viewer, seen, glimpsed
        )
        return seen[0], glimpsed[0], seen[1]

    def learn(
        self,
        states: Rows[Any],
        memories: Rows[Any],
        seat: int,
        log: Sequence[tuple[int, AnyRecord]],
    ) -> None:
        """Adds a log to the state in the box, and to the seat's memory what it saw of it."""
        own, count = self.game.records, len(log)
        actors, actions = np.zeros(count, np.int64), records(own.Action, count)
        for i, (actor, action) in enumerate(log):
            actors[i] = actor
            actions[i] = action
        self._learn(
            self._kits, states, memories, seat, actors, actions,
            records(own.State, 1), records(own.Action, 1),
        )  # fmt: skip

    def decode(self, states: Rows[Any], numbers: Sequence[int]) -> Rows[Any]:
        """The actions these numbers stand for in a state."""
        actions = records(self.game.records.Action, len(numbers))
        self._decode(self._kits, states, np.array(numbers, np.int64), actions)
        return actions

    def fold(
        self,
        states: Rows[Any],
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
        """Plays games; returns decisions made, scores, winners as bits, and log ends a game."""
        own = self.game.records
        scratch = (
            record(own.State),
            record(own.State),
            records(own.Memory, len(bots)),
            record(own.Action),
            record(own.Action),
            record(Rng),
            record(Rng),
            np.zeros(own.ACTIONS, np.int16),
        )
        scores = np.zeros((games, len(bots)), np.int64)
        winners, ends = np.zeros(games, np.int64), np.zeros(games, np.int64)
        with announced(self.game, "whole games", [self._play]):
            make_ready(self._play)
        decisions = self._play(
            self.game.kit, options, bots, asides_of(self.game), seed, first, scratch,
            scores, winners, ends, log_actors, log,
        )  # fmt: skip
        return int(decisions), scores, winners, ends


@cache
def unready_loops(game: Game) -> Loops:
    """The loops of a game, each compiled when it is first called."""
    return Loops(game)


@cache
def loops_of(game: Game) -> Loops:
    """The loops of a game. What is not in the cache yet is compiled now, and that is said."""
    loops = unready_loops(game)
    with announced(game, "rules", loops.short):
        for loop in loops.short:
            make_ready(loop)
    return loops


@contextlib.contextmanager
def announced(game: Game, what: str, functions: Iterable[Any]) -> Iterator[None]:
    """Says that something of a game is compiled now, if it is not in the cache yet."""
    if is_in_package(game) and is_compiled() and not all(map(is_kept, functions)):
        print(f"Compiling the {what} of {game.name}, once ...", file=sys.stderr, flush=True)
    yield

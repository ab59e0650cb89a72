"""Everything that can happen with a tiny kit, and whether nothing else is taken for possible.

A game says in its `INVARIANTS` which states can occur. So that these do not judge themselves, a kit
of a few cards is played in every way there is, for a while: what was reached then has to be
accepted as a position, and what is accepted has to have been reached. What is accepted all the same
is listed, each case with its reason.

    tiny = replace(game, kit=game.notation.load_kit(data))
    check_reach(tiny, Reach({"players": 2}, within=lambda state: state.hand == 1))

The positions that are tried are those that were reached with something changed: every value that a
key ever had put into others, and mutants (see `tampering`).
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from quarterdeck.contract import (
    CHANCE,
    LIVE,
    NATURE,
    OPEN,
    OVER,
    AnyRecord,
    BadPosition,
    Game,
    Rng,
    copy_record,
    record,
    record_of,
    seed_rng,
)

from .tampering import ConformanceError, Json, Mutator, spare_keys, thinned, written

_PATIENCE = 40  # draws in a row that bring nothing new, for each outcome known, before it is all
_LEAST_DRAWS = 400


class Allowance(NamedTuple):
    """States that are accepted although nothing leads to them, and why."""

    reason: str
    covers: Callable[[AnyRecord], bool]


@dataclass(frozen=True)
class Reach:
    """What is played out: the options, and the states `within` which all is to be found.

    States beyond are not gone on from, nor are positions there judged. `begin` are positions to
    begin from instead of a new game.
    """

    options: Mapping[str, Any]
    within: Callable[[AnyRecord], bool] = lambda state: True
    allowances: Sequence[Allowance] = ()
    begin: Sequence[Mapping[str, Any]] = ()
    most_states: int = 100_000


@dataclass
class Reached:
    """What a check found."""

    states: int = 0
    tried: int = 0
    accepted: int = 0
    allowed: Counter[str] = field(default_factory=Counter)


def check_reach(game: Game, reach: Reach, *, tries: int = 4000, seed: int = 0) -> Reached:
    """Plays everything out and tries so many other positions; returns what was found.

    Of the states that were reached so many are read again, too; all of them where they are fewer.
    Raises `ConformanceError` for a state that is reached and refused, and for a position that is
    accepted, was not reached, and is covered by no allowance.
    """
    options = game.fill_options(reach.options)
    states = every_state(game, options, reach)
    chosen = random.Random(seed)
    inside = [data for data in states if reach.within(record_of(game.records.State, data))]
    trees = []
    for data in chosen.sample(inside, min(tries, len(inside))):
        trees.append(written(game, record_of(game.records.State, data)))
        try:
            back = game.positions.from_position(game.kit, options, trees[-1])
        except BadPosition as error:
            told = f"a state of {game.id} that is reached is refused: {error}"
            raise ConformanceError("reach", f"{told}: {json.dumps(trees[-1])}") from error
        if back.tobytes() != data:
            raise ConformanceError("reach", f"comes back otherwise: {json.dumps(trees[-1])}")
    found = Reached(len(inside))
    spare = spare_keys(game, options, trees)
    for candidate in _candidates(trees, tries, chosen):
        found.tried += 1
        tree = thinned(candidate, spare, chosen)
        try:
            state = game.positions.from_position(game.kit, options, tree)
        except BadPosition:
            continue
        found.accepted += 1
        if state.tobytes() in states or not reach.within(state):
            continue
        reason = next((each.reason for each in reach.allowances if each.covers(state)), None)
        if reason is None:
            told = f"a position of {game.id} that nothing leads to is accepted"
            raise ConformanceError("reach", f"{told}: {json.dumps(written(game, state))}")
        found.allowed[reason] += 1
    return found


def every_state(game: Game, options: Mapping[str, Any], reach: Reach) -> dict[bytes, None]:
    """Every state that is reached, in the order in which it was; those beyond too, as far as one
    action leads there."""
    if reach.begin:
        begun = [
            game.positions.from_position(game.kit, options, dict(each)) for each in reach.begin
        ]
    else:
        begun = [record(game.records.State)]
        game.rules.new(game.kit, game.option_numbers(options), begun[0])
    states = dict.fromkeys(state.tobytes() for state in begun)
    waiting = list(states)
    steps = _Steps(game)
    while waiting:
        state = record_of(game.records.State, waiting.pop())
        if not reach.within(state):
            continue
        for actor, action in steps.of(state):
            if rule := int(game.rules.refuse(game.kit, state, actor, action)):
                text = game.notation.text(game.kit, action)
                told = f"{text!r} by {actor} is refused by {game.rule(rule)}"
                raise ConformanceError("reach", f"{told}: {json.dumps(written(game, state))}")
            after = copy_record(state)
            game.rules.apply(game.kit, after, actor, action)
            data = after.tobytes()
            if data not in states:
                states[data] = None
                waiting.append(data)
        if len(states) > reach.most_states:
            told = f"more than {reach.most_states:,} states of {game.id}: is this kit tiny?"
            raise ConformanceError("reach", told)
    return states


class _Steps:
    """Everything that may be done in a state."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rng = record(Rng)
        seed_rng(self.rng, 0, 0, 5, 0)
        self.numbers = np.zeros(game.records.ACTIONS, np.int16)

    def of(self, state: AnyRecord) -> Iterator[tuple[int, AnyRecord]]:
        game, kit = self.game, self.game.kit
        node = int(game.rules.node(kit, state))
        if node in (CHANCE, OPEN) or (node == LIVE and game.worldless):
            for action in self._all(lambda action: self._sample(state, action)):
                yield NATURE, action
        if node in (OVER, CHANCE, LIVE):
            return
        due = int(game.rules.seats(kit, state))
        for seat in range(due.bit_length()):
            if not due >> seat & 1:
                continue
            count = int(game.rules.legal(kit, state, seat, self.numbers))
            for number in self.numbers[:count].tolist():
                action = record(game.records.Action)
                game.rules.decode(kit, state, number, action)
                yield seat, action
            if game.compose is not None:
                for action in self._all(self._composer(state, seat)):
                    yield seat, action

    def _sample(self, state: AnyRecord, action: AnyRecord) -> bool:
        self.game.rules.sample(self.game.kit, state, self.rng, action)
        return True

    def _composer(self, state: AnyRecord, seat: int) -> Callable[[AnyRecord], bool]:
        game, compose = self.game, self.game.compose
        assert compose is not None
        seen, memory = record(game.records.State), record(game.records.Memory)
        game.view.see(game.kit, state, seat, seen)
        return lambda action: compose(game.kit, seen, memory, seat, self.rng, action)

    def _all(self, draw: Callable[[AnyRecord], bool]) -> list[AnyRecord]:
        """All that comes out of a draw, which is repeated until nothing new has come for long."""
        found: dict[bytes, AnyRecord] = {}
        in_vain = 0
        while in_vain < max(_LEAST_DRAWS, _PATIENCE * len(found)):
            action = record(self.game.records.Action)
            if not draw(action):
                break
            in_vain += 1
            if action.tobytes() not in found:
                found[action.tobytes()] = action
                in_vain = 0
        return list(found.values())


def _candidates(trees: Sequence[Json], tries: int, chosen: random.Random) -> Iterator[Json]:
    """Positions to try: first every value a key ever had in some other position, as far as half of
    the tries go; then mutants."""
    values: dict[str, dict[str, Json]] = defaultdict(dict)
    for tree in trees:
        for key, value in tree.items():
            values[key][json.dumps(value)] = value
    every = [(key, value) for key, known in values.items() for value in known.values()]
    chosen.shuffle(every)
    for number in range(tries // 2):
        key, value = every[number % len(every)]
        yield {**chosen.choice(trees), key: value}
    mutator = Mutator(trees, chosen)
    for _ in range(tries - tries // 2):
        yield mutator.mutant(chosen.choice(trees))

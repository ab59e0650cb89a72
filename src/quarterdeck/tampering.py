"""Positions and records of a game with something changed in them, and what becomes of those.

A mutant is a reachable position, or the record of a whole game, in which a few things were changed
at random: a value taken from another position, a card moved to another list, a number one higher, a
key left out, a list where a number belongs. It knows no game: what may stand in a place it has
learnt from the places of that kind.

`check_positions` holds of each of them that it is refused in a sentence, with `BadPosition`, or
else means a state that can occur as far as the game's `INVARIANTS` tell, that comes back from its
own position, that can be looked at from every seat, and from which any game comes to its end by way
of states that are accepted too. `check_records` holds that whatever is made of a record, reading,
replaying and verifying it ends in a result or an error of ours.

`check_game` calls both. `quarterdeck.reach` asks the other question: whether all that is accepted
can occur.
"""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import msgspec
import numpy as np

from quarterdeck.bots.live import needs_world
from quarterdeck.contract import (
    CHANCE,
    LIVE,
    NATURE,
    OPEN,
    OVER,
    AnyRecord,
    BadPosition,
    Game,
    QuarterdeckError,
    Rng,
    copy_record,
    record,
    seed_rng,
)
from quarterdeck.engine.fairness import SeededChance
from quarterdeck.engine.match import Match
from quarterdeck.engine.record import read_record, write_record
from quarterdeck.engine.verify import verify

Json = Any
"""What JSON can say: null, a truth, a number, a text, a list or an object."""

Path = tuple[str | int, ...]
"""The way to a place: keys of objects and places in lists."""

LONGEST_PLAY = 20_000  # actions to the end of a game
LONGEST_MESSAGE = 500
_SOURCES = 24  # games, over different options, from which mutants are made
_FROM_A_SOURCE = 150  # mutants, as long as there are not so many sources
_READ_AGAIN = 40  # positions of each source, as they are
_KEPT = 400  # values remembered of each kind of place
_CHANGES = (1, 1, 1, 2, 2, 3, 5)
_RE_READ = 0.02  # of the states on the way to the end, their positions read again
_LOOKED_AT = 0.1  # of the accepted, from every seat
_SPARED = 0.8  # of the keys that follow from the others: left out
_COMPOSED = 0.5  # of the choices where there are actions too rich to be listed

STRANGE: tuple[Json, ...] = (
    None, True, False, -1, 0, 1, 2, 127, 128, 255, 256, -128, -129, 32768, 2**31, 2**63, 10**30,
    -(10**30), 0.0, 1.5, 34.0, 1e300, "", "0", "1", "x", "?", "null", "\u0663", "\u00b2", "\x00",
    "\ud800", "y1", "a" * 3000, [], {}, [[]], [{}], [None], [0], {"": 0}, {"x": []}, [""] * 300,
    list(range(300)),
)  # fmt: skip
"""What belongs nowhere, or only in few places."""


class ConformanceError(AssertionError):
    """A game that contradicts the contract; `check` names the promise it breaks."""

    def __init__(self, check: str, message: str) -> None:
        super().__init__(f"{check}: {message}")
        self.check = check


@dataclass
class Tampered:
    """What became of some mutants, and by which rules they were refused."""

    mutants: int = 0
    accepted: int = 0
    new: int = 0  # of those: states that were in none of the games they were made from
    refused_by: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Tampered) -> Tampered:
        return Tampered(
            self.mutants + other.mutants,
            self.accepted + other.accepted,
            self.new + other.new,
            self.refused_by + other.refused_by,
        )


def options_without_world(game: Game) -> list[dict[str, Any]]:
    """Every choice of the options the rules read with which no live world has to run; where there
    is none, all of them."""
    keys = [option.key for option in game.options]
    values = [(o.default,) if o.is_timing else o.values for o in game.options]
    every = [dict(zip(keys, each, strict=True)) for each in itertools.product(*values)]
    return [options for options in every if not needs_world(game, options)] or every


# Playing on ----------------------------------------------------------------------------------


class Player:
    """Plays any state on at random."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.random = random.Random(seed)
        self.rng = record(Rng)
        seed_rng(self.rng, seed, 0, 3, 0)
        self._numbers = np.zeros(game.records.ACTIONS, np.int16)

    def play(self, state: AnyRecord) -> Iterator[AnyRecord]:
        """The states from this one to the end of the game; the record is the same, and changes.

        Where a live world would have to run and nothing can draw what comes of it, it ends too.
        Raises `ConformanceError` where the game does not go on.
        """
        game, kit = self.game, self.game.kit
        for _ in range(LONGEST_PLAY):
            yield state
            node = int(game.rules.node(kit, state))
            if node == OVER or (node == LIVE and not game.worldless):
                return
            actor, action = self.choose(state, node)
            rule = int(game.rules.refuse(kit, state, actor, action))
            if rule:
                text = game.notation.text(kit, action)
                _fail("ends", f"{text!r} by {actor} is refused by {game.rule(rule)}")
            game.rules.apply(kit, state, actor, action)
        _fail("ends", f"still going after {LONGEST_PLAY} actions")

    def choose(self, state: AnyRecord, node: int) -> tuple[int, AnyRecord]:
        """Who acts, and what: nature where it is due, else any seat that is."""
        game, kit = self.game, self.game.kit
        action = record(game.records.Action)
        due = int(game.rules.seats(kit, state))
        seats = [seat for seat in range(due.bit_length()) if due >> seat & 1]
        if node in (CHANCE, LIVE) or (
            node == OPEN and self.random.randrange(len(seats) + 1) == len(seats)
        ):
            game.rules.sample(kit, state, self.rng, action)
            return NATURE, action
        if not seats:
            _fail("ends", f"nobody is to act in node {node}")
        seat = self.random.choice(seats)
        count = int(game.rules.legal(kit, state, seat, self._numbers))
        if game.compose is not None and (not count or self.random.random() < _COMPOSED):
            seen, memory = record(game.records.State), record(game.records.Memory)
            game.view.see(kit, state, seat, seen)
            if game.compose(kit, seen, memory, seat, self.rng, action):
                return seat, action
        if not count:
            _fail("ends", f"seat {seat} is to act and can do nothing")
        game.rules.decode(kit, state, int(self._numbers[self.random.randrange(count)]), action)
        return seat, action


def _fail(check: str, message: str) -> NoReturn:
    raise ConformanceError(check, message)


# Changing things -----------------------------------------------------------------------------


def places(tree: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Every place in a tree with what stands there, the whole first."""
    yield path, tree
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from places(value, (*path, key))
    elif isinstance(tree, list):
        for place, value in enumerate(tree):
            yield from places(value, (*path, place))


def kind_of(path: Path) -> Path:
    """What places have in common that differ in their numbers only.

    >>> kind_of(("hands", 2, 0))
    ('hands', 0, 0)
    """
    return tuple(0 if isinstance(step, int) else step for step in path)


def copied(tree: Json) -> Json:
    """A tree that shares no list or object with this one."""
    if isinstance(tree, dict):
        return {key: copied(value) for key, value in tree.items()}
    return [copied(value) for value in tree] if isinstance(tree, list) else tree


class Mutator:
    """Changes trees at random, with what stands elsewhere in trees of their kind."""

    def __init__(self, trees: Sequence[Json], chosen: random.Random) -> None:
        self.random = chosen
        self._known: dict[Path, list[Json]] = defaultdict(list)
        for tree in trees:
            for path, value in places(tree):
                known = self._known[kind_of(path)]
                if len(known) < _KEPT:
                    known.append(value)
                elif chosen.random() < 0.1:
                    known[chosen.randrange(_KEPT)] = value
        self._ways: list[Callable[[Json], Json]] = [
            *[self._borrow] * 5, *[self._move] * 4, *[self._swap] * 2, *[self._nudge] * 3,
            self._drop, self._double, self._shuffle, self._estrange, self._add_key,
        ]  # fmt: skip

    def mutant(self, tree: Json) -> Json:
        """The tree with one to five things changed; it may come out as it was."""
        changed = copied(tree)
        for _ in range(self.random.choice(_CHANGES)):
            changed = self.random.choice(self._ways)(changed)
        return changed

    # ways to change a tree, each of which may also leave it as it is

    def _pick(self, tree: Json, wanted: Callable[[Json], bool] = lambda value: True) -> Path | None:
        """A place whose value is wanted, never the whole. All depths are equally likely."""
        by_depth: dict[int, list[Path]] = defaultdict(list)
        for path, value in places(tree):
            if path and wanted(value):
                by_depth[len(path)].append(path)
        return self.random.choice(self.random.choice(list(by_depth.values()))) if by_depth else None

    def _borrow(self, tree: Json) -> Json:
        path = self._pick(tree)
        if path is None or not (known := self._known.get(kind_of(path))):
            return tree
        return put(tree, path, copied(self.random.choice(known)))

    def _move(self, tree: Json) -> Json:
        """Something goes from one list to another, so that none is lost or doubled."""
        lists = [value for _, value in places(tree) if isinstance(value, list)]
        full = [items for items in lists if items]
        if not full:
            return tree
        source, target = self.random.choice(full), self.random.choice(lists)
        item = source.pop(self.random.randrange(len(source)))
        holder = isinstance(item, list | dict)  # a list would go into itself
        (source if holder else target).insert(self.random.randint(0, len(target)), item)
        return tree

    def _swap(self, tree: Json) -> Json:
        one = self._pick(tree)
        if one is None:
            return tree
        alike = [path for path, _ in places(tree) if kind_of(path) == kind_of(one)]
        other = self.random.choice(alike)
        first, second = copied(at(tree, one)), copied(at(tree, other))
        return put(put(tree, one, second), other, first)

    def _nudge(self, tree: Json) -> Json:
        path = self._pick(tree, lambda value: type(value) is int)
        if path is None:
            return tree
        return put(tree, path, at(tree, path) + self.random.choice((-10, -2, -1, -1, 1, 1, 2, 10)))

    def _drop(self, tree: Json) -> Json:
        path = self._pick(tree)
        if path is not None:
            del at(tree, path[:-1])[path[-1]]
        return tree

    def _double(self, tree: Json) -> Json:
        path = self._pick(tree)
        if path is not None and isinstance(path[-1], int):
            at(tree, path[:-1]).insert(path[-1], copied(at(tree, path)))
        return tree

    def _shuffle(self, tree: Json) -> Json:
        path = self._pick(tree, lambda value: isinstance(value, list) and len(value) > 1)
        if path is not None:
            self.random.shuffle(at(tree, path))
        return tree

    def _estrange(self, tree: Json) -> Json:
        path = self._pick(tree)
        if path is None:
            return tree
        return put(tree, path, copied(self.random.choice(STRANGE)))

    def _add_key(self, tree: Json) -> Json:
        objects = [value for _, value in places(tree) if isinstance(value, dict)]
        if objects:
            known = [path[-1] for path in self._known if path and isinstance(path[-1], str)]
            key = self.random.choice([*known, "", "postion", "x"])
            self.random.choice(objects).setdefault(key, copied(self.random.choice(STRANGE)))
        return tree


def at(tree: Json, path: Path) -> Json:
    """What stands at a place."""
    for step in path:
        tree = tree[step]
    return tree


def put(tree: Json, path: Path, value: Json) -> Json:
    """The tree with something else at a place, if that is still there."""
    try:
        at(tree, path[:-1])[path[-1]] = value
    except (KeyError, IndexError, TypeError):
        return tree  # another change took the place away
    return tree


# Positions -----------------------------------------------------------------------------------


class Source:
    """Random games of one choice of options: their states, as positions."""

    def __init__(self, game: Game, options: Mapping[str, Any], seed: int) -> None:
        self.game = game
        self.options = game.fill_options(options)
        self.player = Player(game, seed)
        self.states: set[bytes] = set()
        self.positions: list[Json] = []
        state = record(game.records.State)
        game.rules.new(game.kit, game.option_numbers(self.options), state)
        for now in self.player.play(state):
            if now.tobytes() not in self.states:
                self.states.add(now.tobytes())
                self.positions.append(written(game, now))
        self.mutator = Mutator(self.positions, self.player.random)
        self.spare = spare_keys(game, self.options, self.positions)

    def read(self, tree: Json) -> AnyRecord:
        """The state of a position."""
        return self.game.positions.from_position(self.game.kit, self.options, tree)

    def mutant(self) -> Json:
        """Some position with something changed."""
        chosen = self.player.random
        return thinned(self.mutator.mutant(chosen.choice(self.positions)), self.spare, chosen)


def written(game: Game, state: AnyRecord) -> Json:
    """The position of a state, as JSON would have it."""
    return msgspec.to_builtins(game.positions.position(game.kit, state))


def spare_keys(game: Game, options: Mapping[str, Any], trees: Sequence[Json]) -> list[str]:
    """Keys that can all be left out of every one of these positions: they follow from the rest."""
    some = trees[:: len(trees) // 20 + 1]
    spare: list[str] = []

    def follows(key: str) -> bool:
        for tree in some:
            left = {other: tree[other] for other in tree if other not in (*spare, key)}
            try:
                state = game.positions.from_position(game.kit, options, left)
            except BadPosition:
                return False
            if written(game, state) != tree:
                return False
        return True

    for key in reversed(trees[0]):  # the first say most
        if follows(key):
            spare.append(key)
    return spare


def thinned(tree: dict[str, Json], spare: Sequence[str], chosen: random.Random) -> Json:
    """The tree with most of its spare keys left out: they would give away what was changed."""
    return {
        key: value for key, value in tree.items() if key not in spare or chosen.random() >= _SPARED
    }


def check_positions(game: Game, count: int = 2000, seed: int = 0) -> Tampered:
    """So many mutants of positions, over all options; what became of them.

    Raises `ConformanceError` for the first that is accepted and should not be, or that gives any
    other error than `BadPosition`.
    """
    report = Tampered()
    every = options_without_world(game)
    chosen = random.Random(seed)
    number = min(_SOURCES, count // _FROM_A_SOURCE + 1)
    choices = chosen.sample(every, number) if number < len(every) else every
    for turn in range(max(number, len(choices))):
        source = Source(game, choices[turn % len(choices)], seed + turn)
        for position in source.positions[:: len(source.positions) // _READ_AGAIN + 1]:
            _check_accepted(game, source, position, "position")
        share = count // max(number, len(choices))
        share += turn < count % max(number, len(choices))
        for _ in range(share):
            check_mutant(game, source, source.mutant(), report)
    return report


def check_mutant(game: Game, source: Source, tree: Json, report: Tampered) -> None:
    """One position that may be anything."""
    report.mutants += 1
    try:
        state = _read(game, source, tree)
    except BadPosition as error:
        report.refused_by[error.rule or "-"] += 1
        if len(error.message) > LONGEST_MESSAGE:
            _fail("mutant", f"{len(error.message)} characters: {error.message[:200]!r}")
        return
    report.accepted += 1
    report.new += state.tobytes() not in source.states
    told = f"accepted in {game.id} {source.options}: {json.dumps(tree)[:3000]}"
    _check_holds(game, state, told)
    again = _check_accepted(game, source, written(game, state), "mutant")
    if again.tobytes() != state.tobytes():
        _fail("mutant", f"comes back as another state, {told}")
    if source.player.random.random() < _LOOKED_AT:
        _look_at(game, source, tree, told)
    try:
        for now in source.player.play(copy_record(state)):
            if source.player.random.random() < _RE_READ:
                _check_accepted(game, source, written(game, now), "mutant")
    except ConformanceError as error:
        raise ConformanceError(error.check, f"{error}; {told}") from error


def _read(game: Game, source: Source, tree: Json) -> AnyRecord:
    """The state of a position; `BadPosition`, or the check fails."""
    try:
        return source.read(tree)
    except BadPosition:
        raise
    except Exception as error:
        told = f"{type(error).__name__}: {error} of {game.id} {source.options}"
        raise ConformanceError("mutant", f"{told}: {json.dumps(tree)[:3000]}") from error


def _check_accepted(game: Game, source: Source, tree: Json, check: str) -> AnyRecord:
    """The state of a position that can occur, which is accepted."""
    try:
        state = _read(game, source, tree)
    except BadPosition as error:
        where = f"{game.id} {source.options}: {json.dumps(tree)[:3000]}"
        _fail(check, f"a position that can occur is refused: {error}: {where}")
    return state


def _check_holds(game: Game, state: AnyRecord, told: str) -> None:
    for invariant in game.positions.INVARIANTS:
        breach = invariant.breach(game.kit, state)
        if breach is not None:
            _fail("invariant", f"{invariant.says}: {breach}; {told}")


def _look_at(game: Game, source: Source, tree: Json, told: str) -> None:
    """Nobody who looks at the state meets with an error."""
    try:
        match = Match(game, source.options, position=tree, chance=SeededChance(1))
        match.position()
        match.shown_open()
        for seat in range(match.players):
            match.view(seat)
            match.legal(seat)
            match.composites(seat)
            match.knowledge(seat)
        match.shown()
    except Exception as error:
        raise ConformanceError("mutant", f"{type(error).__name__}: {error}; {told}") from error


# Records -------------------------------------------------------------------------------------


def check_records(game: Game, count: int = 2000, seed: int = 0) -> Tampered:
    """So many mutants of records, as objects and as bytes; what became of them.

    Raises `ConformanceError` for the first that gives an error that is none of ours.
    """
    report = Tampered()
    chosen = random.Random(seed)
    every = options_without_world(game)
    choices = chosen.sample(every, min(len(every), 8))
    trees = [json.loads(_some_record(game, choice, seed + n)) for n, choice in enumerate(choices)]
    mutator = Mutator(trees, chosen)
    for _ in range(count):
        tree = mutator.mutant(chosen.choice(trees))
        data = garbled(json.dumps(tree).encode(), chosen)
        check_record(game, data, report)
    return report


def check_record(game: Game, data: bytes, report: Tampered) -> None:
    """One record that may be anything: read, replayed and verified."""
    report.mutants += 1
    try:
        told = read_record(data)
        match = Match.from_record(told, game=game)
        match.position()
        report.accepted += 1
        verify(told, game=game)
    except QuarterdeckError as error:
        report.refused_by[error.rule or error.code] += 1
        if len(json.dumps(error.as_json())) > 3 * LONGEST_MESSAGE:
            _fail("record", f"{len(error.message)} characters: {error.message[:200]!r}")
    except Exception as error:
        where = f"{type(error).__name__}: {error} of {game.id}"
        raise ConformanceError("record", f"{where}: {data[:3000]!r}") from error


def _some_record(game: Game, options: Mapping[str, Any], seed: int) -> bytes:
    """The record of a random game, now and then cut short, or begun from a position on the way."""
    player = Player(game, seed)
    match = Match(game, options, chance=SeededChance(seed))
    state = copy_record(match.state)
    begin = player.random.choice((0, 0, 10, 30))
    for count, now in enumerate(player.play(state)):
        if count == begin and game.rules.node(game.kit, now) != OVER:
            position = written(game, now) if begin else None
            match = Match(game, options, position=position, chance=SeededChance(seed))
            break
    for _ in range(player.random.choice((40, LONGEST_PLAY))):
        if match.node == OVER or (match.node == LIVE and not game.worldless):
            break
        if match.node == CHANCE:
            match.draw()
            continue
        actor, action = player.choose(match.state, match.node)
        match.act(actor, game.notation.text(game.kit, action), at=len(match.log), via="bot")
    return write_record(match.record([f"seat {seat}" for seat in range(match.players)]))


def garbled(data: bytes, chosen: random.Random) -> bytes:
    """The bytes as they are, or now and then with something done to them that no tree can say."""
    way = chosen.randrange(24)
    place = chosen.randrange(len(data) + 1)
    if way == 0:
        return data[:place]
    if way == 1:
        return data[:place] + bytes([chosen.randrange(256)]) + data[place + 1 :]
    if way == 2:  # a key twice
        key = chosen.choice((b'"game"', b'"log"', b'"by"', b'"do"', b'"hand"', b'"x"'))
        brace = data.find(b"{", place)
        return data[: brace + 1] + key + b":0," + data[brace + 1 :]
    if way == 3:
        depth = chosen.choice((50, 990, 5000, 100_000))
        brackets = chosen.choice(((b"[", b"]"), (b'{"x":', b"}")))
        nested = brackets[0] * depth + b"0" + brackets[1] * depth
        colon = data.find(b":", place)
        return data[: colon + 1] + nested + data[data.find(b",", colon) :]
    if way == 4:
        return data.replace(b'": 1', b'": ' + chosen.choice((b"1.0", b"1e0", b"01", b"1" * 5000)))
    return data

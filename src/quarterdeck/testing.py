"""`check_game`: the conformance every game must pass.

    >>> from quarterdeck import find_game
    >>> check_game(find_game("skull-king"))  # doctest: +SKIP

It knows no game. It plays random games for every option and holds the game's functions against each
other at every step; the first contradiction raises `ConformanceError`, which names the check and
the field of the record that differs. The checks are the methods of `_Checker`, in the order of its
list. The first game is played by the sources as ordinary Python: a slip there shows as Python's own
error, with its file and line, before anything is compiled.

`check_levels` lets the levels of bots play each other: none may lose clearly to the one below it.

    python -m quarterdeck.testing skull-king
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, NoReturn, TypeVar

import msgspec
import numba
import numpy as np

from quarterdeck.bots.arena import Plan
from quarterdeck.bots.live import open_world
from quarterdeck.bots.report import run
from quarterdeck.contract import (
    CHANCE,
    LIVE,
    NATURE,
    OPEN,
    OVER,
    SEALED,
    SEAT,
    SPECTATOR,
    AnyRecord,
    Game,
    QuarterdeckError,
    Rng,
    copy_record,
    is_compiled,
    record,
    seed_rng,
)
from quarterdeck.engine.asides import asides_of
from quarterdeck.engine.draws import Repeater
from quarterdeck.engine.fairness import SeededChance
from quarterdeck.engine.match import Match, Step
from quarterdeck.engine.record import GameRecord, read_record, write_record
from quarterdeck.games import find_game
from quarterdeck.messages import LANGUAGES, Catalogue
from quarterdeck.tampering import ConformanceError, Tampered, check_positions, check_records

__all__ = [
    "ConformanceError",
    "Report",
    "check_game",
    "check_levels",
    "difference",
    "interpreted_game",
    "main",
]

LARGEST_STATE = 2048
_LONGEST_GAME = 20_000
_LONGEST_WORLD_MS = 600_000
_FRAME_MS = 40
_BOTS_HAND = 0.2  # the share of live worlds with a bot's hand in them, not nobody's
_DRAWS_TO_CHECK = 10
_DRAWS_TO_COMPARE = 200  # in the first node of a kind
_MORE_DRAWS_TO_COMPARE = 60  # in each node after it
_DRAWS_TO_CHANGE = 24  # in every node, for every seat
_STATES_TO_READ = 30  # closely, of the game played by ordinary Python: that is slow
_REFUSALS_TO_CHECK = 6  # of each seat in each state
_REFUSALS_TO_COMPARE = 2
_REFUSALS_OF_TWIN = 30
_NEWCOMERS = 0.2  # of those who imagine a world

_T = TypeVar("_T")


@dataclass
class Report:
    """What a check looked at."""

    games: int = 0
    states: int = 0
    worlds: int = 0
    worlds_changed: int = 0
    hidden_states: int = 0
    positions: Tampered = field(default_factory=Tampered)
    records: Tampered = field(default_factory=Tampered)
    draws: Counter[str] = field(default_factory=Counter)


def check_game(
    game: Game, *, games: int = 3, seed: int = 0, interpreted: bool = True, mutants: int = 1000
) -> Report:
    """Checks a game; returns what was looked at, or raises `ConformanceError`.

    `games` is the number of random games for each combination of options. `interpreted` also runs
    the rules as ordinary Python: alone first, then beside the compiled ones. `mutants` is how many
    positions and how many records with something changed in them are tried (see `tampering`).
    """
    report = Report()
    choices = list(_all_options(game))
    twin = interpreted_game(game) if interpreted else None
    if twin is not None and is_compiled():
        for number in sorted({0, len(choices) - 1}):
            _play_interpreted(twin, choices[number], seed)
    for number, options in enumerate(choices):
        for index in range(games):
            # the interpreter is slow: one game each of the first and the last options suffices
            beside = twin if index == 0 and number in (0, len(choices) - 1) else None
            _Checker(game, beside, options, seed + 1000 * number + index, report).play()
            report.games += 1
    if report.hidden_states and not report.worlds_changed:
        _fail("no-leak", "views hide something, but `imagine` never invents anything else")
    report.positions = check_positions(game, mutants, seed)
    report.records = check_records(game, mutants, seed)
    return report


def _play_interpreted(twin: Game, options: dict[str, Any], seed: int) -> None:
    """One game by the sources as they are. A slip in them raises whatever error Python has."""
    _Checker(twin, None, options, seed, Report(), closely=_STATES_TO_READ).play()


def interpreted_game(game: Game) -> Game:
    """A game with its compiled modules loaded again as ordinary Python."""
    slots: dict[str, Any] = {}
    loaded: dict[str, ModuleType] = {}
    is_disabled = numba.config.DISABLE_JIT  # type: ignore[attr-defined]
    numba.config.DISABLE_JIT = 1  # type: ignore[attr-defined]
    try:
        package = type(sys)(f"{__name__}.interpreted.{game.folder.name}")
        package.__path__ = [str(game.folder)]
        for name in [name for name in sys.modules if name.startswith(package.__name__)]:
            del sys.modules[name]
        sys.modules[package.__name__] = package
        for slot in ("records", "rules", "notation", "positions", "view", "bot"):
            room = getattr(game, slot).__name__.rpartition(".")[2]
            if room not in loaded:
                path = game.folder / f"{room}.py"
                if not path.exists():
                    _fail("interpreted", f"there is no {room}.py in {game.folder}")
                loaded[room] = importlib.import_module(f"{package.__name__}.{room}")
            slots[slot] = loaded[room]
    finally:
        numba.config.DISABLE_JIT = is_disabled  # type: ignore[attr-defined]
    return replace(game, **slots)


def check_levels(
    game: Game,
    *,
    deals: Sequence[int] = (300, 60, 12),
    seed: int = 0,
    jobs: int | None = None,
) -> list[str]:
    """Lets each level play the one below; a line about each pair. One that clearly loses raises
    `ConformanceError`.

    `deals` are the most that each pair plays, from the lowest on; it stops as soon as all is clear.
    Bots think on their fixed budgets, in so many processes (`jobs`; else one a core).
    """
    told = []
    options = game.fill_options({})
    pairs = itertools.pairwise(("deckhand", "bosun", "quartermaster", "legend"))
    for (lower, higher), most in zip(pairs, deals, strict=False):
        plan = Plan(game.id, options, (higher, lower), most, seed)
        report = run(game, plan, bars={"difference": 0.0}, jobs=jobs)
        figures, (bar,) = report.bots[0], report.bars
        words = {"above": "stronger", "below": "weaker", "open": "not clearly stronger"}
        said = f"{higher} against {lower}: {100 * figures.wins.value:.0f} % won at a table of "
        said += f"{plan.players}, {report.deals} deals: {words[bar.verdict]}"
        if bar.verdict == "below":
            _fail("levels", f"{game.id}: {said}")
        told.append(said)
    return told


def _all_options(game: Game) -> Iterator[dict[str, Any]]:
    """Every combination of options the rules read; those of timing have their defaults."""
    keys = [option.key for option in game.options]
    choices = ((o.default,) if o.is_timing else o.values for o in game.options)
    for values in itertools.product(*choices):
        yield dict(zip(keys, values, strict=True))


def _fail(check: str, message: str) -> NoReturn:
    raise ConformanceError(check, message)


def difference(one: AnyRecord, other: AnyRecord) -> str:
    """The first field in which two records of a kind differ, with both values.

    >>> rng = record(Rng)
    >>> rng.s[1] = 7
    >>> difference(record(Rng), rng)
    '`s[1]` is 0, not 7'
    """
    for name in one.dtype.names:
        ours, theirs = np.asarray(one[name]), np.asarray(other[name])
        for place in np.argwhere(ours != theirs).tolist()[:1]:
            index = "".join(f"[{number}]" for number in place)
            return f"`{name}{index}` is {ours[tuple(place)]}, not {theirs[tuple(place)]}"
    return "nothing differs but the bytes between the fields"


class _Checker:
    """One random game, checked at every state, or closely at the first `closely` ones only."""

    def __init__(
        self,
        game: Game,
        twin: Game | None,
        options: dict[str, Any],
        seed: int,
        report: Report,
        *,
        closely: int = _LONGEST_GAME,
    ) -> None:
        self.game = game
        self.twin = twin
        self.report = report
        self.closely = closely
        self.rng = record(Rng)
        seed_rng(self.rng, seed, 0, 7, 0)
        self.random = random.Random(seed)
        self.match = Match(game, options, chance=SeededChance(seed))
        self.twin_state = copy_record(self.match.state)
        self.past: list[tuple[AnyRecord, bytes]] = []
        self.node, self.seats = OVER, list[int]()  # of the state now
        self.worlds: list[AnyRecord] = []  # for each seat one that fits what it knows now
        self.says = [Catalogue(lang, game.folder) for lang in LANGUAGES]
        self.where = f"{game.id} {options} seed {seed}"

    def play(self) -> None:
        """Plays to the end, checking on the way."""
        if self.game.records.State.dtype.itemsize > LARGEST_STATE:
            _fail("small-state", f"{self.game.records.State.dtype.itemsize} bytes")
        while True:
            self._check_state()
            if self.node == OVER or (self.node == LIVE and not self.game.has_world):
                break
            if len(self.match.log) > _LONGEST_GAME:
                _fail("ends", f"{self.where}: still going after {_LONGEST_GAME} entries")
            self._step()
        self._check_past()
        self._check_record()

    # helpers ---------------------------------------------------------------------------------

    def _say(self, message: str) -> str:
        return f"{self.where}, entry {len(self.match.log)}: {message}"

    def _ask(self, function: Callable[..., Any], state: AnyRecord, *arguments: Any) -> Any:
        """What a function of the game answers, which must not write to the state."""
        before = state.tobytes()
        answer = function(self.game.kit, state, *arguments)
        if state.tobytes() != before:
            _fail("pure", self._say(f"`{function.__name__}` wrote to the state"))
        return answer

    def _legal(self, state: AnyRecord, seat: int) -> list[int]:
        numbers = np.zeros(self.game.records.ACTIONS, np.int16)
        count = self._ask(self.game.rules.legal, state, seat, numbers)
        listed: list[int] = numbers[:count].tolist()
        return listed

    def _action(self, number: int) -> AnyRecord:
        action = record(self.game.records.Action)
        self._ask(self.game.rules.decode, self.match.state, number, action)
        return action

    def _refuse(self, state: AnyRecord, actor: int, action: AnyRecord) -> int:
        return int(self._ask(self.game.rules.refuse, state, actor, action))

    def _see(self, state: AnyRecord, seat: int) -> AnyRecord:
        seen = record(self.game.records.State)
        self._ask(self.game.view.see, state, seat, seen)
        return seen

    def _glimpse(self, state: AnyRecord, seat: int, actor: int, action: AnyRecord) -> AnyRecord:
        glimpsed = record(self.game.records.Action)
        self._ask(self.game.view.glimpse, state, seat, actor, action, glimpsed)
        return glimpsed

    def _text(self, action: AnyRecord) -> str:
        return self.game.notation.text(self.game.kit, action)

    def _after(self, actor: int, action: AnyRecord) -> AnyRecord:
        state = copy_record(self.match.state)
        self.game.rules.apply(self.game.kit, state, actor, action)
        return state

    # one state -------------------------------------------------------------------------------

    def _check_state(self) -> None:
        self.report.states += 1
        self.node, self.seats = self.match.node, self.match.seats_to_act
        state, data = self.match.state, self.match.state.tobytes()
        self.past.append((state, data))
        self.worlds = []
        checks = [self._check_node, self._check_position]
        if self.report.states <= self.closely:
            checks += [
                self._check_legal_and_refuse,
                self._check_no_leak,
                self._check_sealed,
                self._check_chance,
                self._check_composites,
                self._check_own,
            ]
        for check in checks:
            check()
            if state.tobytes() != data:
                name = check.__name__.removeprefix("_check_")
                _fail("pure", self._say(f"something asked by the check {name!r} wrote to it"))

    def _check_node(self) -> None:
        """A state is one kind of node, somebody acts in it, and winners come with the end."""
        node, seats = self.node, self.seats
        outcome = self.match.outcome
        if node not in (OVER, CHANCE, LIVE, SEAT, SEALED, OPEN):
            _fail("node", self._say(f"{node} is no kind of node"))
        if (node in (SEALED, OPEN) and not seats) or (node == SEAT and len(seats) != 1):
            _fail("node", self._say(f"node {node} with seats {seats} to act"))
        if node in (OVER, CHANCE, LIVE) and seats:
            _fail("node", self._say(f"seats {seats} to act in node {node}"))
        if bool(outcome.winners) != (node == OVER):
            _fail("outcome", self._say(f"winners {outcome.winners} in node {node}"))

    def _check_position(self) -> None:
        """Positions round-trip. Reading one back checks its cards, so none is lost or doubled."""
        self._check_round_trip("position", self.match.state)

    def _check_round_trip(self, check: str, state: AnyRecord, hint: str = "") -> None:
        positions = self.game.positions
        written = msgspec.to_builtins(positions.position(self.game.kit, state))
        try:
            back = positions.from_position(self.game.kit, self.match.options, written)
        except QuarterdeckError as error:
            _fail(check, self._say(f"a position is refused: {error}{hint}: {written}"))
        if back.tobytes() != state.tobytes():
            what = f"{difference(back, state)}, when the position is read back{hint}"
            _fail(check, self._say(f"{what}: {written}"))

    def _check_own(self) -> None:
        """What everybody is told, with a seat's own part in its place, is what the seat sees; and
        all of it is of the types that are declared."""
        game, kit = self.game, self.game.kit
        shown = self.match.shown()
        public = self._as_declared(shown.view)
        self._as_declared(shown.outlook)
        for seat in range(self.match.players):
            told = self.match.own(seat)
            self._as_declared(told.outlook)
            own = self._as_declared(told.view)
            whole = msgspec.to_builtins(game.positions.position(kit, self.match.seen(seat)))
            for key, value in whole.items():
                if (public | own)[key] != value:
                    told = (public | own)[key]
                    _fail("own", self._say(f"seat {seat} is told {key!r} as {told}, sees {value}"))

    def _as_declared(self, told: msgspec.Struct | None) -> Any:
        """What is told as it goes over the wire, which its struct must be able to read."""
        plain = msgspec.to_builtins(told)
        if told is not None:
            try:
                msgspec.convert(plain, type(told))
            except msgspec.ValidationError as error:
                _fail("declared", self._say(f"{type(told).__name__}: {error}"))
        return plain

    def _check_legal_and_refuse(self) -> None:
        """Exactly the legal actions are accepted; texts and numbers round-trip."""
        rules, notation, kit = self.game.rules, self.game.notation, self.game.kit
        seats = self.seats
        for seat in range(self.match.players):
            legal = self._legal(self.match.state, seat) if seat in seats else []
            if seat in seats and not legal and not self.match.composites(seat):
                _fail("legal", self._say(f"seat {seat} is to act and can do nothing"))
            if len(set(legal)) != len(legal):
                _fail("legal", self._say(f"seat {seat}: some number is listed twice"))
            others = self._some_numbers(_REFUSALS_TO_CHECK)
            for number in {*legal, *others}:
                action = self._action(number)
                rule = self._refuse(self.match.state, seat, action)
                if (rule == 0) != (number in legal):
                    text = self._text(action)
                    _fail("legal", self._say(f"{text!r} of seat {seat}: refuse says {rule}"))
            texts = set()
            for number in legal:
                action = self._action(number)
                text = self._text(action)
                texts.add(text)
                parsed = notation.parse(kit, text)
                again = self._ask(rules.number, self.match.state, parsed)
                if parsed.tobytes() != action.tobytes() or again != number:
                    _fail("notation", self._say(f"{text!r}, number {number}, comes back {again}"))
            if len(texts) != len(legal):
                _fail("notation", self._say(f"seat {seat}: two actions share a text"))

    def _check_no_leak(self) -> None:
        """What a seat sees, may do and is told depends on nothing the rules hide from it."""
        game, state = self.game, self.match.state
        public = self._see(state, SPECTATOR)
        knowing = []  # who imagined with all they remember
        for seat in range(self.match.players):
            seen = self._see(state, seat)
            known = self.match.knowledge(seat)
            if seen.tobytes() != state.tobytes():
                self.report.hidden_states += 1
            world = record(game.records.State)
            # sometimes as somebody who has just sat down, and remembers nothing
            newcomer = self.random.random() < _NEWCOMERS
            memory = record(game.records.Memory) if newcomer else known.memory
            knowing += [] if newcomer else [seat]
            game.bot.imagine(game.kit, known.seen, memory, seat, self.rng, world)
            self.worlds.append(world)
            self.report.worlds += 1
            self.report.worlds_changed += world.tobytes() != state.tobytes()
            shown = self._see(world, seat)
            if shown.tobytes() != seen.tobytes():
                what = f"{difference(shown, seen)} in the world `imagine` made"
                _fail("no-leak", self._say(f"seat {seat} can tell worlds apart: {what}"))
            shown = self._see(world, SPECTATOR)
            if shown.tobytes() != public.tobytes():
                what = f"{difference(shown, public)} in the world `imagine` made"
                _fail("no-leak", self._say(f"a spectator sees what seat {seat} may not: {what}"))
            for asked in (game.rules.node, game.rules.seats):
                if self._ask(asked, seen) != self._ask(asked, state):
                    what = f"{difference(seen, state)} in what seat {seat} sees"
                    _fail("view", self._say(f"`{asked.__name__}` answers otherwise: {what}"))
            self._check_choices_hide(seat, seen, world)
            if seat in self.seats and (legal := self._legal(state, seat)):
                rng = copy_record(self.rng)
                number = game.bot.choose(game.kit, known.seen, known.memory, seat, rng)
                if number not in legal and not (number == -1 and self.node == OPEN):
                    _fail("bot", self._say(f"the bot on seat {seat} chose {number}"))
        seat = self._pick(range(len(self.worlds)))
        if seat in knowing:  # what a newcomer imagines may contradict what happened before
            self._check_round_trip("imagine", self.worlds[seat], self._forgotten(seat))

    def _forgotten(self, seat: int) -> str:
        """The fields that `see` may have left out, for a message: they are 0, whatever is true."""
        state, seen = self.match.state, self._see(self.match.state, seat)
        left_out = []
        for name in state.dtype.names:
            true, shown = np.asarray(state[name]), np.asarray(seen[name])
            if (shown != true).any() and not shown[shown != true].any():
                left_out.append(f"`{name}`")
        return f" (does `see` leave out {' or '.join(left_out)}?)" if left_out else ""

    def _check_choices_hide(self, seat: int, seen: AnyRecord, world: AnyRecord) -> None:
        """What a seat may do, and why it may not, is the same in every world that fits."""
        state = self.match.state
        if seat in self.seats:
            legal = self._legal(state, seat)
            if legal != self._legal(seen, seat) or legal != self._legal(world, seat):
                _fail("no-leak", self._say(f"legal actions of seat {seat} tell a secret"))
        for number in self._some_numbers(_REFUSALS_TO_COMPARE):
            action = self._action(number)
            if self._refuse(state, seat, action) != self._refuse(world, seat, action):
                text = self._text(action)
                _fail("no-leak", self._say(f"refusing {text!r} tells seat {seat} a secret"))

    def _check_sealed(self) -> None:
        """What a seat seals shows in nothing others get; the order of arrival does not matter.

        Asides seal nothing.
        """
        if self.node != SEALED:
            return
        game, state, seats = self.game, self.match.state, self.seats
        asides = {number for number, is_aside in enumerate(asides_of(game)) if is_aside}
        sealing = {s: [n for n in self._legal(state, s) if n not in asides] for s in seats}
        if len(seats) > 1:
            for seat in seats:
                told = set()
                for number in sealing[seat]:
                    action = self._action(number)
                    after = self._after(seat, action)
                    for other in (*range(self.match.players), SPECTATOR):
                        if other == seat:
                            continue
                        glimpsed = self._glimpse(state, other, seat, action).tobytes()
                        told.add((other, self._see(after, other).tobytes(), glimpsed))
                if len(told) != self.match.players:
                    _fail("sealed", self._say(f"what seat {seat} seals can be seen by others"))
        choices = {seat: self._pick(sealing[seat]) for seat in seats}
        forth, back = copy_record(state), copy_record(state)
        for after, order in ((forth, seats), (back, seats[::-1])):
            for seat in order:
                game.rules.apply(game.kit, after, seat, self._action(choices[seat]))
        if forth.tobytes() != back.tobytes():
            what = difference(back, forth)
            _fail("sealed", self._say(f"the order of arrival changes the state: {what}"))

    def _check_chance(self) -> None:
        """Draws are accepted, follow from their generator alone, and can be repeated by whoever
        knows how they are drawn and no rules."""
        if self.node != CHANCE:
            return
        game, state = self.game, self.match.state
        kind = f"{self.match.options} {self.match.position()['phase']}"
        first = kind not in self.report.draws and self.closely == _LONGEST_GAME
        count = _DRAWS_TO_COMPARE if first else _MORE_DRAWS_TO_COMPARE
        self.report.draws[kind] += count
        repeater = self._repeater()
        seen_with: dict[tuple[int, bytes], AnyRecord] = {}
        action = record(game.records.Action)
        for index in range(count):
            before = copy_record(self.rng)
            if index < _DRAWS_TO_CHECK:
                action = self._check_draw()
            else:
                game.rules.sample(game.kit, state, self.rng, action)
            if repeater.follows(self._text(action), before) is False:
                told = f"{self._text(action)!r} is not what `draws` says"
                _fail("draws", self._say(told))
            self._check_draw_hidden(action, seen_with)
        pools = repeater.pools(self._text(action))
        self._check_draws_like(action, [item for pool in pools for item in pool])

    def _repeater(self) -> Repeater:
        """The draws of this game so far, as a browser repeats them, which knows no rules."""
        game = self.game
        repeater = Repeater(game.notation.draws(game.kit, self.match.options))
        for entry in self.match.log:
            if entry.by == "nature":
                repeater.note(entry.do)
        return repeater

    def _check_draw(self) -> AnyRecord:
        game, state = self.game, self.match.state
        before = copy_record(self.rng)
        action, again = record(game.records.Action), record(game.records.Action)
        self._ask(game.rules.sample, state, self.rng, action)
        self._ask(game.rules.sample, state, before, again)
        text = self._text(action)
        if action.tobytes() != again.tobytes():
            _fail("chance", self._say("the same generator drew two things"))
        rule = self._refuse(state, NATURE, action)
        if rule:
            _fail("chance", self._say(f"{text!r} is refused by {game.rule(rule)}"))
        back = game.notation.parse(game.kit, text)
        if back.tobytes() != action.tobytes():
            _fail("notation", self._say(f"{text!r} comes back as {self._text(back)!r}"))
        return action

    def _check_draw_hidden(
        self, action: AnyRecord, seen_with: dict[tuple[int, bytes], AnyRecord]
    ) -> None:
        """Draws that look alike afterwards looked alike when made, unless all is public."""
        public = self._glimpse(self.match.state, SPECTATOR, NATURE, action)
        if public.tobytes() == action.tobytes():
            return
        after = self._after(NATURE, action)
        for seat in (*range(self.match.players), SPECTATOR):
            glimpsed = self._glimpse(self.match.state, seat, NATURE, action)
            key = seat, self._see(after, seat).tobytes()
            self._compare_glimpses(seat, seen_with.setdefault(key, glimpsed), glimpsed)

    def _check_draws_like(self, action: AnyRecord, items: Sequence[str]) -> None:
        """Where hands are large no two draws look alike by chance: so some items change places,
        or are changed for others of the pools, and whoever cannot tell afterwards was shown the
        same."""
        state = self.match.state
        public = self._glimpse(state, SPECTATOR, NATURE, action)
        if not items or public.tobytes() == action.tobytes():
            return
        verb, _, rest = self._text(action).partition(" ")
        for seat in range(self.match.players):
            seen = self._see(self._after(NATURE, action), seat).tobytes()
            glimpsed = self._glimpse(state, seat, NATURE, action)
            for _ in range(_DRAWS_TO_CHANGE):
                other = self._changed_draw(verb, rest, items)
                if other is None or self._see(self._after(NATURE, other), seat).tobytes() != seen:
                    continue
                self._compare_glimpses(seat, glimpsed, self._glimpse(state, seat, NATURE, other))

    def _changed_draw(self, verb: str, rest: str, items: Sequence[str]) -> AnyRecord | None:
        """A draw with one item changed for another; None where that is no draw."""
        words = re.split(r"([ ,/])", rest)
        places = range(0, len(words), 2)
        one, other = self._pick(places), self._pick(places)
        words[one], words[other] = words[other], words[one]
        if one == other:
            words[one] = self._pick(items)
        try:
            action = self.game.notation.parse(self.game.kit, f"{verb} {''.join(words)}")
        except QuarterdeckError:
            return None
        return None if self._refuse(self.match.state, NATURE, action) else action

    def _compare_glimpses(self, seat: int, one: AnyRecord, other: AnyRecord) -> None:
        if one.tobytes() != other.tobytes():
            told = f"{self._text(one)!r} and {self._text(other)!r}: {difference(one, other)}"
            _fail("no-leak", self._say(f"seat {seat} can tell two hidden draws apart, {told}"))

    def _check_composites(self) -> None:
        """Composite actions a game makes up at random are accepted, and round-trip as texts."""
        game = self.game
        if game.compose is None:
            return
        for seat in self.seats:
            known = self.match.knowledge(seat)
            action = record(game.records.Action)
            if not game.compose(game.kit, known.seen, known.memory, seat, self.rng, action):
                continue
            text = self._text(action)
            rule = self._refuse(self.match.state, seat, action)
            if rule:
                _fail("composite", self._say(f"{text!r} is refused by {game.rule(rule)}"))
            if game.notation.parse(game.kit, text).tobytes() != action.tobytes():
                _fail("notation", self._say(f"{text!r} does not come back"))
            if not self.match.composites(seat):
                _fail("composite", self._say(f"{text!r} has no template"))

    # one step --------------------------------------------------------------------------------

    def _pick(self, items: Sequence[_T]) -> _T:
        return self.random.choice(items)

    def _some_numbers(self, count: int) -> list[int]:
        actions = self.game.records.ACTIONS
        return self.random.sample(range(actions), min(count, actions))

    def _step(self) -> None:
        match, game = self.match, self.game
        if self.node == CHANCE:
            step = match.draw()
        elif self.node == LIVE:
            text, attached = self._run_world()
            step = match.act(NATURE, text, attached=attached)
        elif self.node == OPEN and self.random.randrange(match.players + 1) == 0:
            action = record(game.records.Action)
            game.rules.sample(game.kit, match.state, self.rng, action)
            step = match.act(NATURE, self._text(action))
        else:
            seat = self._pick(self.seats)
            step = match.act(seat, self._choose(seat))
        self._check_aside(step)
        self._check_told(step)
        if self.twin is not None:
            self._step_twin(step.actor, step.action)

    def _choose(self, seat: int) -> str:
        """Any action of a seat, where there are composite ones half of the time one of them."""
        game, numbers = self.game, self.match.legal_numbers(seat)
        if game.compose is not None and (not numbers or self.random.random() < 0.5):
            known, action = self.match.knowledge(seat), record(game.records.Action)
            if game.compose(game.kit, known.seen, known.memory, seat, self.rng, action):
                return self._text(action)
        return self.match.action_text(self._pick(numbers))

    def _run_world(self) -> tuple[str, dict[str, Any]]:
        """Lets a live world run, now and then by a bot's hand, until nature's action comes out."""
        world = open_world(self.match)
        if not 0 <= world.seat < self.match.players or world.seat != self.match.live_seat:
            _fail("live", self._say(f"the world waits for the hand of seat {world.seat}"))
        if not world.frame(whole=True):
            _fail("live", self._say("a whole frame is never empty"))
        if self.random.random() < _BOTS_HAND:
            world.obey(world.think("random", self.rng))
        elapsed = 0
        while elapsed < _LONGEST_WORLD_MS:
            ms = world.idle_ms or _FRAME_MS  # where nothing can happen time may leap
            answer = world.advance(ms)
            if answer is not None:
                return answer
            if not isinstance(world.frame(), bytes):
                _fail("live", self._say("a frame is bytes"))
            elapsed += ms
        _fail("live", self._say(f"the world does not end within {_LONGEST_WORLD_MS} ms"))

    def _check_aside(self, step: Step) -> None:
        """What answers nothing is public, and leaves who is to act as it was."""
        aside = getattr(self.game.rules, "aside", None)
        if aside is None or step.actor == NATURE or not aside(self.game.kit, step.action):
            return
        if (self.match.node, self.match.seats_to_act) != (self.node, self.seats):
            _fail("aside", self._say(f"{step.entry.do!r} changed who is to act"))
        seen = self._glimpse(step.before, SPECTATOR, step.actor, step.action)
        if seen.tobytes() != step.action.tobytes():
            _fail("aside", self._say(f"{step.entry.do!r} is not public"))

    def _check_told(self, step: Step) -> None:
        """A seat glimpses the same in every world that fits, and all it is told can be said."""
        names = [f"seat {seat}" for seat in range(self.match.players)]
        for seat, world in enumerate(self.worlds):
            glimpsed = self._glimpse(step.before, seat, step.actor, step.action)
            elsewhere = self._glimpse(world, seat, step.actor, step.action)
            if glimpsed.tobytes() != elsewhere.tobytes():
                text = self._text(glimpsed)
                _fail("no-leak", self._say(f"{text!r}, shown to seat {seat}, tells a secret"))
        states = step.before.tobytes(), step.after.tobytes()
        public = self.match.events(step)
        for seat in range(self.match.players):
            told = self.match.events(step, seat)
            if told != public:
                _fail("events", self._say(f"seat {seat} is told {told}, and others {public}"))
            if states != (step.before.tobytes(), step.after.tobytes()):
                _fail("pure", self._say("telling what happened wrote to the state"))
            for event in told:
                for say in self.says:
                    try:
                        say.sentence(f"event.{event.key}", event.values, names)
                    except (KeyError, IndexError, TypeError) as error:
                        _fail("events", self._say(f"{event} cannot be said: {error!r}"))

    def _step_twin(self, actor: int, action: AnyRecord) -> None:
        """Interpreted and compiled rules do the same, and refuse the same."""
        twin, game, kit = self.twin, self.game, self.game.kit
        assert twin is not None
        before = self.past[-1][0]
        for seat in range(self.match.players):
            for number in self._some_numbers(_REFUSALS_OF_TWIN if seat == actor else 1):
                other = record(game.records.Action)
                game.rules.decode(kit, before, number, other)
                rule = game.rules.refuse(kit, before, seat, other)
                if rule != twin.rules.refuse(kit, before, seat, other):
                    _fail("interpreted", self._say(f"refuse differs for number {number}"))
            numbers = np.zeros(game.records.ACTIONS, np.int16)
            count = twin.rules.legal(kit, before, seat, numbers)
            if self._legal(before, seat) != numbers[:count].tolist():
                _fail("interpreted", self._say(f"legal differs for seat {seat}"))
            seen = record(game.records.State)
            twin.view.see(kit, before, seat, seen)
            ours = self._see(before, seat)
            if seen.tobytes() != ours.tobytes():
                _fail("interpreted", self._say(f"see, seat {seat}: {difference(seen, ours)}"))
            glimpsed = record(game.records.Action)
            twin.view.glimpse(kit, before, seat, actor, action, glimpsed)
            ours = self._glimpse(before, seat, actor, action)
            if glimpsed.tobytes() != ours.tobytes():
                what = difference(glimpsed, ours)
                _fail("interpreted", self._say(f"glimpse, seat {seat}: {what}"))
        if game.rules.node(kit, before) == CHANCE:
            ours, theirs = record(game.records.Action), record(game.records.Action)
            game.rules.sample(kit, before, copy_record(self.rng), ours)
            twin.rules.sample(kit, before, copy_record(self.rng), theirs)
            if ours.tobytes() != theirs.tobytes():
                _fail("interpreted", self._say(f"sample: {difference(theirs, ours)}"))
        twin.rules.apply(kit, self.twin_state, actor, action)
        if self.twin_state.tobytes() != self.match.state.tobytes():
            what = difference(self.twin_state, self.match.state)
            _fail("interpreted", self._say(f"apply: {what}"))

    # the whole game --------------------------------------------------------------------------

    def _check_past(self) -> None:
        for index, (state, data) in enumerate(self.past):
            if state.tobytes() != data:
                _fail("past", self._say(f"the state after entry {index} has changed since"))

    def _check_record(self) -> None:
        told: GameRecord = self.match.record()
        again = Match.from_record(read_record(write_record(told)), game=self.game)
        if again.hash != self.match.hash or again.log != self.match.log:
            _fail("replay", self._say("the record replays to another game"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Checks one game, and its levels if asked to; what is broken is said in a line."""
    parser = argparse.ArgumentParser(prog="quarterdeck.testing", description=main.__doc__)
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--games", type=int, default=3, help="for each choice of options (3)")
    parser.add_argument("--levels", action="store_true", help="let the levels play each other")
    parsed = parser.parse_args(arguments)
    started = time.monotonic()
    try:
        game = find_game(parsed.game)
        if parsed.levels:
            print(*check_levels(game), sep="\n")
        else:
            report = check_game(game, games=parsed.games)
            seconds = time.monotonic() - started
            print(f"{game.id} conforms: {report.games} games, {report.states} states", end=", ")
            print(
                f"{report.worlds} worlds, {report.positions.mutants} mutants of positions", end=" "
            )
            print(f"and {report.records.mutants} of records, {seconds:.0f} s")
    except (ConformanceError, QuarterdeckError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

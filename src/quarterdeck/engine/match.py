"""`Match`: one game under way. A state, and the log it is the fold of."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from msgspec import UNSET, Struct, to_builtins

from quarterdeck.contract import (
    CHANCE,
    LIVE,
    NATURE,
    OPEN,
    OVER,
    POSES,
    SEALED,
    SEAT,
    SPECTATOR,
    AnyRecord,
    BadNotation,
    BadOption,
    BadPosition,
    BadRecord,
    Due,
    Event,
    Game,
    IllegalAction,
    NoSuchSeat,
    NotYourTurn,
    Own,
    QuarterdeckError,
    Rows,
    Shown,
    Template,
    boxed,
    copy_record,
    excerpt,
    record,
    record_of,
    records,
    records_of,
)
from quarterdeck.contract.reading import is_whole
from quarterdeck.games import find_game
from quarterdeck.messages import Catalogue

from .fairness import Chance, SeededChance, chance_of
from .loops import Offer, loops_of
from .record import (
    LARGEST_TIME,
    LONGEST_ACTION,
    LONGEST_NAME,
    Entry,
    GameRecord,
    Outcome,
    actor_name,
)

_MILESTONE = 32  # plies from one state that is kept for looking back to the next


@dataclass(frozen=True)
class Step:
    """One action that happened: its log entry, and the states around it."""

    entry: Entry
    actor: int
    action: AnyRecord
    before: AnyRecord
    after: AnyRecord


@dataclass(frozen=True)
class Knowledge:
    """What one seat knows: what it sees now, and what it remembers of what it was shown."""

    seat: int
    seen: AnyRecord
    memory: AnyRecord


class Match:
    """A game, played action by action. What is refused raises and changes nothing.

    States handed out are read-only and stay as they were: each action makes a new one.

    >>> match = Match(find_game("skull-king"), {"players": 2}, seed=7)
    >>> match.draw_chance()
    >>> match.view(0)["hands"]
    [['r8'], ['?']]
    >>> match.legal(0)
    ['bid 0', 'bid 1']
    >>> step = match.act(0, "bid 1")
    >>> match.act(0, "bid 0")
    Traceback (most recent call last):
      ...
    quarterdeck.contract.errors.NotYourTurn: 'bid 0' by seat 0: A bid is final. (SK-R4)
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any] | None = None,
        *,
        position: Mapping[str, Any] | None = None,
        chance: Chance | None = None,
        seed: int | None = None,
    ) -> None:
        self.game = game
        self.options = game.fill_options({} if options is None else options)
        self.players = int(self.options["players"])
        if position is not None and not isinstance(position, Mapping):
            raise BadPosition(f"a position has keys; this is {excerpt(position)}")
        self.start_position = dict(position) if position is not None else None
        self.log: list[Entry] = []
        poses = (self.start_position or {}).get(POSES)
        self._attached: Mapping[str, Any] = {} if poses is None else {POSES: poses}
        self._attached_at_start = self._attached
        if chance is None:
            if seed is not None and not is_whole(seed, -(2**63), 2**63 - 1):
                raise BadOption(f"a seed is a whole number of 64 bits, not {excerpt(seed)}")
            chance = SeededChance(seed if seed is not None else secrets.randbits(62))
        self.chance = chance
        if self.start_position is None:
            state = record(game.records.State)
            game.rules.new(game.kit, game.option_numbers(self.options), state)
        else:
            state = game.positions.from_position(game.kit, self.options, self.start_position)
        self._box = boxed(state)  # the state, for compiled code
        self._state = self._start = record_of(game.records.State, state.tobytes())
        self._loops = loops_of(game)
        self._actions: list[tuple[int, AnyRecord]] = []
        self._progress = np.zeros(5, np.int64)  # see loops.fold
        self._facts = [0] * 5  # the same as plain numbers, which are read many times
        self._offers: list[Offer] = []  # what everybody sees of the present state, once asked for
        self._extend([])
        self._known: dict[int, tuple[int, Any, Any]] = {}  # how far, the state there, the memory
        # every so many plies the state and the progress there, as far as somebody has looked back
        self._milestones = [(self._start.tobytes(), self._progress.copy())]

    # What is the case ------------------------------------------------------------------------

    @property
    def state(self) -> AnyRecord:
        """The state now, read-only."""
        return self._state

    @property
    def node(self) -> int:
        """What kind of node the state is: `OVER`, `CHANCE`, `LIVE`, `SEAT`, `SEALED` or `OPEN`."""
        return self._facts[3]

    @property
    def seats_to_act(self) -> list[int]:
        """The seats that may act now."""
        return self._bits(self._facts[4])

    def is_to_act(self, seat: int) -> bool:
        """Whether a seat may act now."""
        return bool(self._facts[4] >> self._seat(seat) & 1)

    @property
    def to_act(self) -> list[int] | Literal["nature"]:
        """Who is to act: seats, nature, or nobody once the game is over."""
        return self._to_act(self._facts[3], self._facts[4])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.node == OVER

    @property
    def decision(self) -> int:
        """The number of the decision that is open now.

        It stays the same while sealed choices come in, while an open phase lasts, and through what
        answers nothing (`aside`), so a choice addressed to it cannot be made stale by somebody
        else's.
        """
        return self._facts[2]

    @property
    def attached(self) -> Mapping[str, Any]:
        """What nature attached last, such as resting poses; before that, those of the position."""
        return self._attached

    @property
    def live_seat(self) -> int | None:
        """The seat whose hand the live world takes; None in any other node."""
        if self.node != LIVE or self.game.live_seat is None:
            return None
        return int(self.game.live_seat(self.game.kit, self._state))

    @property
    def outcome(self) -> Outcome:
        """The scores as they stand, and who has won; nobody before the end."""
        scores = np.zeros(self.players, np.int64)
        winners = self.game.rules.outcome(self.game.kit, self._state, scores)
        return Outcome(scores.tolist(), self._bits(int(winners)))

    def outcome_if(self, resigned: int | None) -> Outcome:
        """The outcome if a seat, or nobody, has resigned: of two seats the other one wins."""
        outcome = self.outcome
        if resigned is None:
            return outcome
        seat = self._seat(resigned)
        if self.players == 2 and not self.is_over:
            return Outcome(outcome.scores, [1 - seat], seat)
        return outcome

    @property
    def hash(self) -> str:
        """A fingerprint of game, kit and state: equal exactly where these are equal."""
        digest = hashlib.sha256(self.game.id.encode() + kit_hash(self.game).encode())
        digest.update(self._state.tobytes())
        return digest.hexdigest()[:32]

    def position(self) -> dict[str, Any]:
        """The whole position, hidden things included, with the keys every game has."""
        outcome = self.outcome
        position = self._position(self._state)
        return self._merged(Shown(self.to_act, outcome.scores, outcome.winners, position))

    # What a seat may know --------------------------------------------------------------------

    def shown(self) -> Shown:
        """What everybody may see: the position as a spectator sees it, and what follows."""
        game, offer = self.game, self._offer(SPECTATOR)
        outlook = None if game.outlook is None else game.outlook(game.kit, offer.seen)
        return Shown(*self._common(offer), self._position(offer.seen), outlook)

    def shown_open(self) -> Shown:
        """What there is to see when nothing is hidden any more."""
        game, outcome = self.game, self.outcome
        outlook = None if game.outlook is None else game.outlook(game.kit, self._state)
        position = self._position(self._state)
        return Shown(self.to_act, outcome.scores, outcome.winners, position, outlook)

    def own(self, seat: int) -> Own:
        """What a seat may see besides, in the place of what everybody sees."""
        seat = self._seat(seat)
        game, offer, watching = self.game, self._offer(seat), self._offer(SPECTATOR)
        told = game.view.own(game.kit, offer.seen, seat)
        outlook = None
        if game.own_outlook is not None:
            outlook = game.own_outlook(game.kit, offer.seen, seat)
        if offer[2:] == watching[2:]:
            return Own(seat, told, outlook)
        to_act, scores, winners = self._common(offer)
        theirs = self._common(watching)
        return Own(
            seat,
            told,
            outlook,
            UNSET if to_act == theirs[0] else to_act,
            UNSET if scores == theirs[1] else scores,
            UNSET if winners == theirs[2] else winners,
        )

    def view(self, seat: int) -> dict[str, Any]:
        """The position as a seat (or `SPECTATOR`) may see it: `?` stands for what is hidden."""
        seat = self._viewer(seat)
        shown = self._merged(self.shown())
        return shown if seat == SPECTATOR else shown | _plain(self.own(seat))

    def seen(self, seat: int) -> AnyRecord:
        """The state as a seat (or `SPECTATOR`) may see it, as a record."""
        return copy_record(self._offer(seat).seen)

    def legal_numbers(self, seat: int) -> list[int]:
        """The numbers of the actions a seat may choose from, by what it sees."""
        return list(self._offer(seat).numbers)

    def legal(self, seat: int) -> list[str]:
        """The listed actions a seat may choose from, as texts."""
        offer = self._offer(seat)
        return self._texts(offer.seen, offer.numbers)

    def composites(self, seat: int) -> Sequence[Template]:
        """The actions too rich to be listed that a seat may choose from, as templates."""
        seat = self._viewer(seat)
        if self.game.composites is None or seat not in self.seats_to_act:
            return ()
        return self.game.composites(self.game.kit, self.seen(seat), seat)

    def preview(self, seat: int, text: str) -> Mapping[str, Any]:
        """What an action would come to, from what the seat sees. Raises `BadNotation` for a text
        that is no action, `IllegalAction` where there is nothing to tell."""
        seat = self._seat(seat)
        action = record_of(self.game.records.Action, _read(self.game, text)[0])
        told = None
        if self.game.preview is not None and seat in self.seats_to_act:
            told = self.game.preview(self.game.kit, self.seen(seat), seat, action)
        if told is None:
            raise IllegalAction(f"{excerpt(text)} by seat {seat} has no preview now")
        return told

    @property
    def due(self) -> Due | None:
        """What nature does next of itself, and how long after that began to be due."""
        if self.game.clock is None:
            return None
        return self.game.clock(self.game.kit, self._state, self.options)

    def action_text(self, number: int, seat: int = SPECTATOR) -> str:
        """The text of a numbered action, as far as a seat, or everybody, sees what it would be.
        Raises `BadNotation` for a number that no action has here."""
        last = self.game.records.ACTIONS - 1
        if (whole := _whole(number)) is None or not 0 <= whole <= last:
            raise BadNotation(f"an action's number is from 0 to {last}, not {excerpt(number)}")
        (text,) = self._texts(self._offer(seat).seen, [whole])
        try:
            _parsed(self.game, text)
        except BadNotation:
            raise BadNotation(f"what action {whole} would be is not seen yet") from None
        return text

    def _texts(self, seen: AnyRecord, numbers: Sequence[int]) -> list[str]:
        if not numbers:
            return []
        game, data = self.game, self._loops.decode(boxed(seen), numbers).tobytes()
        size = len(data) // len(numbers)
        return [_text(game, data[at : at + size]) for at in range(0, len(data), size)]

    def knowledge(self, seat: int) -> Knowledge:
        """Everything the seat has been shown so far."""
        seat = self._viewer(seat)
        if seat not in self._known:
            self._known[seat] = 0, boxed(self._start), records(self.game.records.Memory, 1)
        done, states, memories = self._known[seat]
        self._loops.learn(states, memories, seat, self._actions[done:])
        self._known[seat] = len(self._actions), states, memories
        return Knowledge(seat, self.seen(seat), copy_record(memories[0]))

    def events(self, step: Step, seat: int = SPECTATOR) -> list[Event]:
        """What everybody is told of a step: events are public. `seat` is for the check that every
        seat would be told the same."""
        around = step.before, step.actor, step.action, step.after
        before, glimpsed, after = self._loops.tell(*around, self._viewer(seat))
        return list(self.game.view.events(self.game.kit, before, step.actor, glimpsed, after))

    # What happens ----------------------------------------------------------------------------

    def act(
        self,
        actor: int,
        text: str,
        *,
        at: int | None = None,
        via: Literal["bot", "timeout"] | None = None,
        attached: dict[str, Any] | None = None,
    ) -> Step:
        """Carries out an action of a seat or of `NATURE`.

        Raises `NoSuchSeat`, `BadNotation` for a text that is no action, `NotYourTurn` or
        `IllegalAction` (with the rule) for one that is refused; then nothing has changed.
        """
        actor = self._actor_number(actor)
        if at is not None and not is_whole(at, -LARGEST_TIME, LARGEST_TIME):
            raise BadNotation(f"'at' is a whole number of milliseconds, not {excerpt(at)}")
        if via not in (None, "bot", "timeout"):
            raise BadNotation(f"'via' is 'bot', 'timeout' or nothing, not {excerpt(via)}")
        if attached is not None and not isinstance(attached, dict):
            raise BadNotation(f"what is attached has keys; this is {excerpt(attached)}")
        data, full = _read(self.game, self._in_full(actor, text))
        return self._step(Entry(actor_name(actor), full, at, via, attached), actor, data)

    def _step(self, entry: Entry, actor: int, data: bytes) -> Step:
        before = self._state
        self._fold([entry], np.array([actor]), records_of(self.game.records.Action, data))
        return Step(entry, actor, self._actions[-1][1], before, self._state)

    def retrace(self, first: int = 0) -> Iterator[tuple[Match, Step | None]]:
        """The game once more, from ply `first` on to the newest: a match as this one was then, and
        the step that led there; None for ply 0. It is one match that goes on, to be looked at.

        Nothing for a ply that is still to come. Raises `BadNotation` for what is none.
        """
        if not is_whole(first, 0, 2**63 - 1):
            raise BadNotation(f"a ply is a whole number from 0 on, not {excerpt(first)}")
        return self._retraced(first)

    def _retraced(self, first: int) -> Iterator[tuple[Match, Step | None]]:
        again = self._at(min(max(0, first - 1), len(self.log)))
        if first == 0:
            yield again, None
        for ply in range(max(1, first), len(self.log) + 1):
            actor, action = self._actions[ply - 1]
            yield again, again._step(self.log[ply - 1], actor, action.tobytes())

    def _at(self, ply: int) -> Match:
        """A match as this one was at a ply, of its own, folded from the milestone before it.
        Milestones that are not there yet are set on the way."""
        while len(self._milestones) * _MILESTONE <= ply:
            last = len(self._milestones) - 1
            box, progress = self._refolded(last * _MILESTONE, (last + 1) * _MILESTONE)
            self._milestones.append((box.tobytes(), progress))
        box, progress = self._refolded(ply - ply % _MILESTONE, ply)
        again = copy(self)
        again.log, again._actions = self.log[:ply], self._actions[:ply]
        again._box, again._progress, again._facts = box, progress, progress.tolist()
        again._state = record_of(self.game.records.State, box.tobytes())
        attached = (entry.attached for entry in reversed(again.log) if entry.attached is not None)
        again._attached = next(attached, self._attached_at_start)
        again._offers, again._known, again._milestones = [], {}, self._milestones[:1]
        return again

    def _refolded(self, first: int, last: int) -> tuple[Rows[Any], npt.NDArray[np.int64]]:
        """The state and the progress at ply `last`, from those at the milestone `first`."""
        own = self.game.records
        state, progress = self._milestones[first // _MILESTONE]
        box, progress = boxed(record_of(own.State, state)), progress.copy()
        if first < last:
            actors, actions = zip(*self._actions[first:last], strict=True)
            data = b"".join(action.tobytes() for action in actions)
            rule = self._loops.fold(box, np.array(actors), records_of(own.Action, data), progress)
            assert rule == 0, "what was accepted once is accepted again"
        return box, progress

    def full_text(self, actor: int, text: str) -> str:
        """An action's one text, as the log would hold it. Raises `NoSuchSeat`, `BadNotation`."""
        return _read(self.game, self._in_full(self._actor_number(actor), text))[1]

    def _in_full(self, actor: int, text: str) -> str:
        """The text, with what it leaves to the rules to find."""
        game = self.game
        if game.resolve is None:
            return text
        try:
            action = record_of(game.records.Action, _read(game, text)[0])
        except QuarterdeckError:
            return text  # refused as it was said
        found = game.resolve(game.kit, self._state, actor, action)
        return text if found is action else game.notation.text(game.kit, found)

    def draw(self, *, at: int | None = None) -> Step:
        """Lets chance draw once. Raises `NotYourTurn` if it has nothing to draw."""
        return self.act(NATURE, self.next_draw(), at=at)

    def next_draw(self) -> str:
        """What chance is about to draw. Raises `NotYourTurn` if it has nothing to draw."""
        if self.node != CHANCE:
            raise NotYourTurn("chance has nothing to draw now")
        action = record(self.game.records.Action)
        rng = self.chance.rng(self._facts[1])
        self.game.rules.sample(self.game.kit, self._state, rng, action)
        return self.game.notation.text(self.game.kit, action)

    def draw_chance(self) -> None:
        """Lets chance draw whatever is due, until a seat or a live world is to act."""
        while self.node == CHANCE:
            self.draw()

    def _extend(self, entries: Sequence[Entry]) -> None:
        """Adds entries to the log, all of them or none."""
        game = self.game
        actors = np.zeros(len(entries), np.int64)
        data, canonical = [], []
        for index, entry in enumerate(entries):
            try:
                actors[index] = self._actor(entry)
                action, text = _read(game, entry.do)
            except QuarterdeckError as error:
                error.at = index
                raise
            data.append(action)
            # a new entry: the record it came from stays as it was
            canonical.append(Entry(entry.by, text, entry.at, entry.via, entry.attached))
        self._fold(canonical, actors, records_of(game.records.Action, b"".join(data)))

    def _fold(
        self, entries: Sequence[Entry], actors: npt.NDArray[np.int64], actions: Rows[Any]
    ) -> None:
        """Adds entries, whose actors and actions these are, to the log, all of them or none."""
        game = self.game
        box, progress = boxed(self._state), self._progress.copy()
        rule = self._loops.fold(box, actors, actions, progress)
        if rule:
            index = int(progress[0] - self._progress[0])
            raise self._refusal(box[0], index, entries[index], rule)
        self._state = record_of(game.records.State, box.tobytes())
        self._box, self._progress, self._offers = box, progress, []
        self._facts = progress.tolist()
        for index, entry in enumerate(entries):
            self.log.append(entry)
            self._actions.append((int(actors[index]), actions[index]))
            if entry.attached is not None:
                self._attached = entry.attached

    def _actor(self, entry: Entry) -> int:
        if entry.by == "nature":
            return NATURE
        if not is_whole(entry.by, 0, self.players - 1):
            raise BadRecord(f"there is no seat {excerpt(entry.by)}")
        return entry.by

    def _actor_number(self, actor: int) -> int:
        """A seat of this game or `NATURE`, as a plain number. Raises `NoSuchSeat`."""
        return NATURE if _whole(actor) == NATURE else self._seat(actor)

    def _seat(self, seat: int) -> int:
        """A seat of this game, as a plain number. Raises `NoSuchSeat` for anything else."""
        number = _whole(seat)
        if number is None or not 0 <= number < self.players:
            raise NoSuchSeat(f"there is no seat {excerpt(seat)}")
        return number

    def _viewer(self, seat: int) -> int:
        """A seat, or `SPECTATOR`."""
        return SPECTATOR if seat is SPECTATOR or _whole(seat) == SPECTATOR else self._seat(seat)

    def _refusal(self, state: AnyRecord, index: int, entry: Entry, rule: int) -> IllegalAction:
        rules, kit = self.game.rules, self.game.kit
        due = rules.seats(kit, state)
        is_due = rules.node(kit, state) in (CHANCE, LIVE, OPEN)
        if entry.by != "nature":
            is_due = bool(due >> entry.by & 1)
        name = self.game.rule(rule)
        said = Catalogue("en", self.game.folder).say(f"refused.{name}")
        who = "nature" if entry.by == "nature" else f"seat {entry.by}"
        kind = IllegalAction if is_due else NotYourTurn
        return kind(f"{excerpt(entry.do)} by {who}: {said} ({name})", rule=name, at=index)

    # What follows from a state, or from what a seat sees of it -------------------------------

    @property
    def _viewers(self) -> list[int]:
        """Everybody who may look: the seats, and last the spectator."""
        return [*range(self.players), SPECTATOR]

    def _offer(self, seat: int) -> Offer:
        seat = self._viewer(seat)
        if not self._offers:  # all at once: a call of compiled code costs more than what it does
            self._offers = self._loops.offers(self._box, self._viewers, self.players)
        return self._offers[self.players if seat == SPECTATOR else seat]

    def _common(self, offer: Offer) -> tuple[list[int] | Literal["nature"], list[int], list[int]]:
        """Who is to act, the scores and the winners, by what somebody sees."""
        return self._to_act(offer.node, offer.due), offer.scores, self._bits(offer.winners)

    def _position(self, state: AnyRecord) -> Struct:
        return self.game.positions.position(self.game.kit, state)

    def _merged(self, shown: Shown) -> dict[str, Any]:
        """All that is shown, in one level; the keys every game has come first."""
        keys = _plain(shown)
        return {"game": self.game.id, "phase": keys["phase"]} | keys

    def _to_act(self, node: int, due: int) -> list[int] | Literal["nature"]:
        return self._bits(due) if node in (SEAT, SEALED, OPEN, OVER) else "nature"

    def _bits(self, seats: int) -> list[int]:
        return list(_seats_of(seats))

    # Records ---------------------------------------------------------------------------------

    def record(self, seats: Sequence[str] = (), *, with_proof: bool = True) -> GameRecord:
        """The game so far as a record, with a name for every seat, or none. The proof belongs only
        to a game that is over."""
        self._check_names(seats)
        return GameRecord(
            1,
            self.game.id,
            self.options,
            list(self.log),
            kit=kit_hash(self.game),
            seats=list(seats),
            position=self.start_position,
            outcome=self.outcome,
            fairness=self.chance.proof() if with_proof else None,
        )

    @classmethod
    def from_record(cls, record: GameRecord, *, game: Game | None = None) -> Match:
        """The match a record tells, replayed. An error says at which entry (`at`).

        The game is the one the record names, unless one that is not in the package is given.
        """
        game = game or find_game(record.game)
        if record.kit is not None and record.kit != kit_hash(game):
            said = f"this game was played with another kit ({excerpt(record.kit)})"
            raise BadRecord(said)
        chance = chance_of(record.fairness) if record.fairness is not None else None
        match = cls(game, record.options, position=record.position, chance=chance)
        match._check_names(record.seats)
        match._extend(record.log)
        if record.outcome is not None:
            resigned = record.outcome.resigned
            is_known = resigned is None or is_whole(resigned, 0, match.players - 1)
            if not is_known or record.outcome != match.outcome_if(resigned):
                raise BadRecord("the outcome does not follow from the log")
        return match

    def _check_names(self, seats: Sequence[str]) -> None:
        if len(seats) not in (0, self.players):
            raise BadRecord(f"'seats' names all {self.players} seats or none, not {len(seats)}")
        for name in seats:
            if not isinstance(name, str) or len(name) > LONGEST_NAME or _has_surrogates(name):
                raise BadRecord(f"{excerpt(name)} is no name")


def _plain(told: Shown | Own) -> dict[str, Any]:
    """What is told, as one dictionary of builtins: the keys of view and outlook beside the rest."""
    keys: dict[str, Any] = to_builtins(told)
    view: dict[str, Any] = keys.pop("view")
    outlook: dict[str, Any] | None = keys.pop("outlook", None)
    keys.pop("seat", None)
    return keys | view | (outlook or {})


def _whole(number: object) -> int | None:
    """A whole number, numpy's too, as a plain one; None for anything else, `True` included."""
    if type(number) is int:
        return number
    return int(number) if isinstance(number, np.integer) else None


def _has_surrogates(text: str) -> bool:
    """Whether a text has halves of letters, which no file can hold."""
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _read(game: Game, text: str) -> tuple[bytes, str]:
    """As `_parsed`, of what may be no text at all."""
    if not isinstance(text, str) or len(text) > LONGEST_ACTION:
        raise BadNotation(f"{excerpt(text)} is no action")
    return _parsed(game, text)


@lru_cache(maxsize=4096)
def _parsed(game: Game, text: str) -> tuple[bytes, str]:
    """The action a text stands for, as bytes, and its one canonical text."""
    action = game.notation.parse(game.kit, text)
    return action.tobytes(), game.notation.text(game.kit, action)


@cache
def _seats_of(bits: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


@lru_cache(maxsize=4096)
def _text(game: Game, data: bytes) -> str:
    """The text of an action given as bytes."""
    return game.notation.text(game.kit, record_of(game.records.Action, data))


def kit_hash(game: Game) -> str:
    """A fingerprint of the game's kit."""
    return hashlib.sha256(game.kit.tobytes()).hexdigest()[:16]

"""A table: seats, a match and clocks. The fold of its journal; no sockets, no storage, no waiting.

Commands check, then write to the table and to `pending`, the journal entries that have to be stored
before anybody is told. Whoever holds the table stores them (`take_pending`), and reads the table
anew from its journal if that fails. Time comes in as `now`, milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import msgspec

from quarterdeck import __version__
from quarterdeck.bots.levels import find_level
from quarterdeck.contract import (
    CHANCE,
    NATURE,
    OPEN,
    OVER,
    BadOption,
    Due,
)
from quarterdeck.engine.fairness import Chance, FairChance
from quarterdeck.engine.match import Match, Step, kit_hash
from quarterdeck.engine.record import GameRecord, Outcome
from quarterdeck.engine.roster import (
    Chain,
    Fact,
    Roster,
    RosterSeat,
    attached_hash,
    kit_digest,
    name_hash,
    server_hash,
)
from quarterdeck.games import find_game

from . import journal
from .beginning import Beginning, new_salt, new_secret
from .errors import (
    AnotherKit,
    BadMessage,
    NoSeat,
    NotHost,
    NotYourSeat,
    PastDecision,
    WrongTime,
)
from .journal import JournalEntry
from .keys import guest_token, hash_token, is_same, maker_token, new_key, rematch_id
from .protocol import (
    ChatLine,
    ClockState,
    DueTold,
    Link,
    NewTable,
    OwnTold,
    RosterTold,
    SeatInfo,
    SeatKey,
    ShownTold,
    TableLine,
    TableTold,
)

BOT_NAMES = ("Anne", "Barty", "Calico", "Dampier", "Esme", "Flint", "Grace", "Hook")
KEPT_CHAT = 100
KEPT_KEYS = 64  # of each seat
MOTION = "motion"
T = TypeVar("T")
Happening = journal.Left | journal.StoodIn | journal.Returned | journal.Resigned
Status = Literal["waiting", "revealing", "playing", "paused", "over"]


@dataclass
class Seat:
    """One place at the table."""

    kind: Literal["open", "person", "bot"]
    name: str
    level: str
    token_hash: str
    program: bool = False
    stand_in: bool = False
    resigned: bool = False
    revealed: str | None = None  # in a game that began without a roster

    @property
    def is_played_by_bot(self) -> bool:
        """Whether a bot decides for this seat now."""
        return self.kind == "bot" or self.stand_in or self.resigned


class Table:
    """One table, from its making to its end."""

    id: str
    status: Status

    beginning: Beginning

    def __init__(self) -> None:
        self.pending: list[JournalEntry] = []
        self._key = ""  # of the request that is being carried out
        self._done: dict[int | None, dict[str, None]] = {}  # by seat, the keys of its last requests
        self.steps: list[Step] = []  # what happened since the last views, for their events
        self.seq = 0  # journal entries in all
        self.seats: list[Seat] = []
        self._given_up: set[str] = set()  # the hashes of tokens whose seat was left
        self.host = 0
        self.match: Match | None = None
        self.chain: Chain | None = None  # of all that happened; none without a roster
        self.facts: list[Fact] = []
        self.chat: list[ChatLine] = []
        self.rematch: str | None = None
        self.resigned_by: int | None = None
        self.left_ms: list[int] = []
        self.since: dict[int, int] = {}  # seats whose clock runs, and from when on
        self.due: Due | None = None  # what nature does next of itself,
        self.due_left_ms = 0  # how long until then,
        self.due_since: int | None = None  # and from when on that runs

    # Making and reading ----------------------------------------------------------------------

    @classmethod
    def make(cls, id: str, request: NewTable, now: int) -> tuple[Table, list[SeatKey]]:
        """A new table and the keys of its maker's seats. Raises `BadOption`, `BadMessage`."""
        game = find_game(request.game)
        plans = [plan for plan in request.seats if plan.kind != "closed"]
        options = game.fill_options({**request.options, "players": len(plans)})
        for option in game.options:
            if not option.at_tables and options[option.key] != option.default:
                raise BadOption(f"option {option.key!r} is for simulations, not for tables")
        if request.options.get("players", len(plans)) != len(plans):
            raise BadOption(f"{len(plans)} seats for {request.options['players']} players")
        if not any(plan.kind == "mine" for plan in plans):
            raise BadMessage("at least one seat is yours")
        hints = request.hints
        if hints is None:
            hints = sorted(plan.kind for plan in plans) == ["bot"] * (len(plans) - 1) + ["mine"]
        key = request.key or new_key()
        keys, seats = [], []
        for number, plan in enumerate(plans):
            find_level(plan.level)
            if plan.kind == "mine":
                token = maker_token(key, id, number)
                keys.append(SeatKey(number, token))
                name = clean_name(plan.name or request.name)
                seats.append(journal.SeatMade("person", name, plan.level, hash_token(token)))
            elif plan.kind == "bot":
                seats.append(journal.SeatMade("bot", BOT_NAMES[number % 8], plan.level, ""))
            else:
                seats.append(journal.SeatMade("open", "", plan.level, ""))
        table = cls()
        table._write(
            journal.Made(
                now,
                id,
                game.id,
                options,
                tuple(seats),
                keys[0].seat,
                request.clock,
                request.bot_pace_ms,
                request.grace_ms,
                request.listed,
                new_secret(),
                hints,
            )
        )
        return table, keys

    def maker_keys(self, key: str) -> list[SeatKey]:
        """The maker's seats, for who asks again with the key the table was made with; none for
        any other."""
        tokens = [maker_token(key, self.id, seat) for seat in range(len(self.seats))]
        return [
            SeatKey(number, token)
            for number, (seat, token) in enumerate(zip(self.made.seats, tokens, strict=True))
            if seat.token_hash and is_same(seat.token_hash, hash_token(token))
        ]

    @property
    def rematch_id(self) -> str:
        """The id of the rematch, whether it is made yet or not."""
        return rematch_id(self.id, [seat.token_hash for seat in self.seats])

    def make_rematch(self, now: int) -> Table:
        """A table like this one, with the same people and the same tokens."""
        self._require_rematch()
        other = Table()
        seats = tuple(
            journal.SeatMade(seat.kind, seat.name, seat.level, seat.token_hash, seat.program)
            for seat in self.seats
        )
        made = self.made
        other._write(
            journal.Made(
                now,
                self.rematch_id,
                made.game,
                made.options,
                seats,
                self.host,
                made.clock,
                made.bot_pace_ms,
                made.grace_ms,
                made.listed,
                new_secret(),
                made.hints,
            )
        )
        return other

    def announce(self, rematch: str, now: int) -> None:
        """The rematch is at another table, which is there now."""
        self._require_rematch()
        self._write(journal.Rematched(now, rematch))

    def _require_rematch(self) -> None:
        if self.status != "over" or self.rematch is not None:
            raise WrongTime("a rematch is made once, after the end")

    @classmethod
    def read(cls, entries: Iterable[JournalEntry]) -> Table:
        """The table a journal tells."""
        table = cls()
        for entry in entries:
            table._apply(entry)
            table.seq += 1
        table.steps.clear()
        return table

    def take_pending(self) -> tuple[int, list[JournalEntry]]:
        """The entries to be stored, and the number of those before them."""
        entries, self.pending = self.pending, []
        return self.seq - len(entries), entries

    def carry_out(self, key: str, command: Callable[[Table, int], T], now: int) -> T | None:
        """Runs a command; one whose key was there before has been carried out already: None."""
        if key:
            for done in self._done.values():
                if key in done:
                    return None
        self._key = key
        try:
            return command(self, now)
        finally:
            self._key = ""

    def _write(self, entry: JournalEntry) -> None:
        if self._key:
            entry, self._key = msgspec.structs.replace(entry, key=self._key), ""
        self._apply(entry)
        self.pending.append(entry)
        self.seq += 1

    # The fold --------------------------------------------------------------------------------

    def _apply(self, entry: JournalEntry) -> None:
        if entry.key:
            seat = getattr(entry, "seat", getattr(entry, "by", None))
            done = self._done.setdefault(seat, {})
            done[entry.key] = None
            if len(done) > KEPT_KEYS:
                del done[next(iter(done))]
        match entry:
            case journal.Acted():  # first: there are most of them
                self._act(entry)
            case journal.Made():
                self.made = entry
                self.id = entry.table
                self.host = entry.host
                self.status = "waiting"
                self.seats = [
                    Seat(seat.kind, seat.name, seat.level, seat.token_hash, seat.program)
                    for seat in entry.seats
                ]
                self.beginning = Beginning(entry.table, entry.secret)
            case journal.Joined():
                level = self.seats[entry.seat].level
                self.seats[entry.seat] = Seat(
                    "person", entry.name, level, entry.token_hash, entry.program
                )
                self.beginning.forget(entry.seat)
            case journal.Left():
                seat = self.seats[entry.seat]
                self._given_up.add(seat.token_hash)
                self.beginning.forget(entry.seat)
                self._note_fact("left", entry)
                if self.status == "waiting":
                    self.seats[entry.seat] = Seat("open", "", seat.level, "")
                else:
                    seat.kind, seat.token_hash, seat.program = "bot", "", False
                    self._pass_on_host()
            case journal.Committed():
                if entry.attempt == self.beginning.attempt:
                    self.beginning.bind(entry.seat, entry.hash)
            case journal.Revealing():
                self.status = "revealing"
                for seat, name in zip(self.seats, entry.names, strict=True):
                    if seat.kind == "open":
                        seat.kind, seat.name = "bot", name
            case journal.Fixed():
                self.beginning.fix(entry.roster, entry.salts)
            case journal.Revealed():
                if self.beginning.roster is None:
                    self.seats[entry.seat].revealed = entry.bytes
                else:
                    self.beginning.reveal(entry.seat, entry.bytes)
            case journal.Voided():
                self.beginning.give_up(entry.missing, entry.secret)
                self.facts.clear()
            case journal.Started():
                self._start(entry)
            case journal.Said():
                line = ChatLine(self.seq, entry.seat, entry.name, entry.text, entry.at)
                self.chat = [*self.chat[-KEPT_CHAT + 1 :], line]
            case journal.Paused():
                self._stop_clocks(entry.at)
                self.status = "paused"
            case journal.Resumed():
                self.status = "playing"
                self._run_clocks(entry.at)
            case journal.Woke():
                self.since = dict.fromkeys(self.since, entry.at)
                if self.due_since is not None:
                    self.due_since = entry.at
            case journal.StoodIn():
                self.seats[entry.seat].stand_in = True
                self._note_fact("stood-in", entry)
            case journal.Returned():
                self.seats[entry.seat].stand_in = False
                self._note_fact("returned", entry)
            case journal.Resigned():
                self.seats[entry.seat].resigned = True
                self._note_fact("resigned", entry)
                self._pass_on_host()
                if len(self.seats) == 2:
                    self.resigned_by = entry.seat
                    self._end(entry.at)
            case journal.Rematched():
                self.rematch = entry.table

    def _pass_on_host(self) -> None:
        """A host who has gone, or given up, hands over to the next person still playing."""
        for step in range(len(self.seats)):
            number = (self.host + step) % len(self.seats)
            seat = self.seats[number]
            if seat.kind == "person" and not seat.resigned and not seat.program:
                self.host = number
                return

    def _note_fact(self, what: str, entry: Happening) -> None:
        """Binds what happened at the table into the chain, from the roster on to the end."""
        if self.beginning.roster is None or self.status == "over":
            return
        after = 0 if self.match is None else len(self.match.log)
        self.facts.append(Fact(after, f"{what} {entry.seat}", entry.at))
        if self.chain is not None:
            self.chain.add_fact(self.facts[-1])

    def _start(self, entry: journal.Started) -> None:
        game, now = find_game(self.made.game), entry.at
        if entry.kit and entry.kit != kit_hash(game):
            raise AnotherKit(f"table {self.id} was begun with another kit of {game.name}")
        chance: Chance
        if self.beginning.roster is not None:
            chance, self.chain = self.beginning.chance(), self.beginning.chain()
            for fact in self.facts:
                self.chain.add_fact(fact)
        else:
            revealed = [bytes.fromhex(seat.revealed) for seat in self.seats if seat.revealed]
            chance = FairChance(bytes.fromhex(self.made.secret), revealed)
        self.match = Match(game, self.made.options, chance=chance)
        self.status = "playing"
        self.left_ms = [self.made.clock.bank_ms] * len(self.seats)
        self._run_clocks(now)
        self._note_due(now)

    def _act(self, entry: journal.Acted) -> None:
        match = self.playing
        decision = match.decision
        step = match.act(entry.by, entry.do, at=entry.at, via=entry.via, attached=entry.attached)
        self.steps.append(step)
        if self.chain is not None:
            digest = entry.digest
            if digest is None and entry.attached is not None:
                digest = attached_hash(entry.attached)
            self.chain.add(entry.by, step.entry.do, entry.at, entry.via, digest)
        # an aside answers nothing: the decision is still open to its seat, and the clock runs on
        is_open = match.decision == decision and entry.by in match.seats_to_act
        if entry.by in self.since and not is_open:
            self._charge(entry.by, entry.at)
            del self.since[entry.by]
            if self.made.clock.kind == "bank":
                self.left_ms[entry.by] += self.made.clock.increment_ms
        if match.is_over:
            self._end(entry.at)
        elif match.decision != decision:
            self._stop_clocks(entry.at)
            self._run_clocks(entry.at)
        self._note_due(entry.at)

    def _end(self, now: int) -> None:
        self._stop_clocks(now)
        self.status = "over"

    # Clocks ----------------------------------------------------------------------------------

    def _charge(self, seat: int, now: int) -> None:
        if self.made.clock.kind == "bank":
            self.left_ms[seat] = max(0, self.left_ms[seat] - max(0, now - self.since[seat]))

    def _stop_clocks(self, now: int) -> None:
        for seat in self.since:
            self._charge(seat, now)
        self.since = {}
        if self.due_since is not None:
            self.due_left_ms -= max(0, now - self.due_since)
            self.due_since = None

    def _run_clocks(self, now: int) -> None:
        match = self.playing
        if self.made.clock.kind == "per-move":
            self.left_ms = [self.made.clock.move_ms] * len(self.seats)
        # in an open node there is only nature's clock
        hand = match.live_seat
        to_act = match.seats_to_act if hand is None else [hand]
        self.since = {} if match.node == OPEN else dict.fromkeys(to_act, now)
        if self.due is not None:
            self.due_since = now

    def _note_due(self, now: int) -> None:
        """Nature's clock begins anew whenever something else becomes due."""
        due = self.playing.due if self.status == "playing" else None
        if due != self.due:
            self.due = due
            self.due_left_ms = due.after_ms if due is not None else 0
            self.due_since = now if due is not None else None

    def nature_deadline(self) -> int | None:
        """When nature acts of itself; None while nothing is due, or all stands still."""
        return None if self.due_since is None else self.due_since + self.due_left_ms

    def due_told(self, now: int) -> DueTold | None:
        """What nature does next of itself, as it is told now."""
        if self.due is None:
            return None
        spent = 0 if self.due_since is None else max(0, now - self.due_since)
        return DueTold(self.due.do, max(0, self.due_left_ms - spent), self.due.after_ms)

    def next_timeout(self) -> tuple[int, int] | None:
        """When a clock runs out next, and whose; None without clocks."""
        if self.made.clock.kind == "none" or self.status != "playing" or not self.since:
            return None
        return min((since + self.left_ms[seat], seat) for seat, since in self.since.items())

    def clocks(self, now: int) -> ClockState | None:
        """What everybody has left now."""
        if self.made.clock.kind == "none" or self.match is None:
            return None
        left = [
            max(0, ms - max(0, now - self.since.get(seat, now)))
            for seat, ms in enumerate(self.left_ms)
        ]
        return ClockState(tuple(left), tuple(self.since))

    # Commands --------------------------------------------------------------------------------

    @property
    def playing(self) -> Match:
        """The match. Raises `WrongTime` before the start."""
        if self.match is None:
            raise WrongTime("the game has not begun")
        return self.match

    def _require(self, *statuses: Status) -> None:
        if self.status not in statuses:
            raise WrongTime(f"the table is {self.status!r}")

    def _require_host(self, seats: Sequence[int]) -> None:
        if self.host not in seats:
            raise NotHost("only the host may do that")

    def seats_of(self, tokens: Iterable[str]) -> list[int]:
        """The seats these tokens open. Raises `NotYourSeat` for a token that opens none."""
        found = []
        for token in tokens:
            hashed = hash_token(token)
            places = [
                number
                for number, seat in enumerate(self.seats)
                if seat.token_hash and is_same(seat.token_hash, hashed)
            ]
            if not places:
                raise NotYourSeat("that token opens no seat at this table")
            found += places
        return sorted(set(found))

    def join(
        self, name: str, seat: int | None, now: int, *, program: bool = False, key: str = ""
    ) -> SeatKey:
        """A guest, or a program of somebody's, takes an open seat; with a key that was there before
        it is the seat taken then. Raises `NoSeat`, also if that one was given up since."""
        token = guest_token(key or new_key(), self.id)
        hashed = hash_token(token)
        for number, place in enumerate(self.seats):
            if place.token_hash and is_same(place.token_hash, hashed):
                return SeatKey(number, token)
        if hashed in self._given_up:
            raise NoSeat("the seat taken with this key was given up")
        self._require("waiting")
        places = [number for number, place in enumerate(self.seats) if place.kind == "open"]
        if not places or (seat is not None and seat not in places):
            raise NoSeat("no seat is open" if not places else f"seat {seat} is not open")
        taken = places[0] if seat is None else seat
        self._write(journal.Joined(now, taken, clean_name(name), hashed, program))
        return SeatKey(taken, token)

    def leave(self, seat: int, now: int) -> None:
        """A seat is given up."""
        self._require("waiting", "revealing", "playing", "paused")
        if self.status == "waiting" and seat == self.host:
            raise WrongTime("the host stays until the start")
        self._write(journal.Left(now, seat))
        if seat in self.beginning.missing:
            self._void([seat], now)
        else:
            self._go_on(now)

    def remove(self, by: Sequence[int], seat: int, now: int) -> None:
        """The host sends a guest away."""
        self._require_host(by)
        self._require("waiting")
        if seat >= len(self.seats) or self.seats[seat].kind != "person" or seat in by:
            raise NoSeat(f"seat {seat} has no guest")
        self._write(journal.Left(now, seat, removed=True))

    # Beginning -------------------------------------------------------------------------------

    @property
    def contributors(self) -> list[int]:
        """The seats whose bytes the present attempt to begin waits for: those of people, and of
        programs that have bound some, but of none that was missing before."""
        return [
            number
            for number, seat in enumerate(self.seats)
            if seat.kind == "person"
            and number not in self.beginning.silent
            and (not seat.program or number in self.beginning.bound)
        ]

    def start(self, by: Sequence[int], now: int) -> None:
        """The host says start; the game begins once all bytes are bound, and then revealed."""
        self._require_host(by)
        self._require("waiting")
        names = tuple(
            BOT_NAMES[number % 8] if seat.kind == "open" else seat.name
            for number, seat in enumerate(self.seats)
        )
        self._write(journal.Revealing(now, names))
        self._go_on(now)

    def commit_bytes(self, seat: int, attempt: int, hash: str, now: int) -> None:
        """A seat binds its random bytes for an attempt to begin."""
        self._require("waiting", "revealing")
        if attempt != self.beginning.attempt:
            raise WrongTime(f"attempt {attempt} is over; this is {self.beginning.attempt}")
        if self.beginning.bound.get(seat) == hash:
            return
        if self.beginning.roster is not None or seat in self.beginning.silent:
            raise WrongTime("this attempt begins without other bytes")
        self._write(journal.Committed(now, seat, hash, attempt))
        self._go_on(now)

    def reveal_bytes(self, seat: int, roster: str, data: str, now: int) -> None:
        """A seat shows its bytes, which must be those it bound."""
        self._require("revealing")
        beginning = self.beginning
        if beginning.roster is None or roster != beginning.hash.hex():
            raise WrongTime("that is not the roster of this attempt")
        if not beginning.binds(seat, data):
            raise BadMessage("these are not the bytes that were bound")
        if seat in beginning.missing:
            self._write(journal.Revealed(now, seat, data))
        if not beginning.missing:
            self._begin(now)

    @property
    def stage(self) -> tuple[int, bool] | None:
        """What a table that is about to begin waits for: the attempt, and whether its roster is
        fixed; None at any other time."""
        if self.status != "revealing":
            return None
        return self.beginning.attempt, self.beginning.roster is not None

    def wait_no_longer(self, stage: tuple[int, bool], now: int) -> None:
        """Goes on without those who have neither bound nor revealed anything in time."""
        if self.stage != stage:
            return
        if self.beginning.roster is None:
            self._fix(now)
        else:
            self._void(self.beginning.missing, now)

    def _go_on(self, now: int) -> None:
        """Fixes the roster as soon as everybody has bound something."""
        is_open = self.stage is not None and self.beginning.roster is None
        if is_open and set(self.contributors) <= self.beginning.bound.keys():
            self._fix(now)

    def _fix(self, now: int) -> None:
        salts = tuple(new_salt() for _ in self.seats)
        self._write(journal.Fixed(now, self._make_roster(salts), salts))
        if not self.beginning.missing:
            self._begin(now)

    def _make_roster(self, salts: Sequence[str]) -> Roster:
        beginning, contributors = self.beginning, self.contributors
        seats = tuple(
            RosterSeat(
                "person" if seat.kind == "person" else "bot",
                seat.level if seat.kind == "bot" else None,
                seat.program,
                name_hash(bytes.fromhex(salts[number]), seat.name),
                beginning.bound.get(number) if number in contributors else None,
            )
            for number, seat in enumerate(self.seats)
        )
        made = self.made
        clock = {key: getattr(made.clock, key) for key in made.clock.__struct_fields__}
        return Roster(
            self.id,
            beginning.attempt,
            made.game,
            __version__,
            kit_digest(find_game(made.game)),
            made.options,
            None,
            clock,
            seats,
            server_hash(self.id, beginning.attempt, beginning.secret),
            tuple(beginning.voids),
        )

    def _void(self, missing: Sequence[int], now: int) -> None:
        self._write(journal.Voided(now, tuple(missing), new_secret()))
        self._go_on(now)

    def _begin(self, now: int) -> None:
        """Begins the game, and lets chance draw what is due."""
        self._write(journal.Started(now, kit_hash(find_game(self.made.game))))
        self._draw(now)

    # Playing ---------------------------------------------------------------------------------

    def act(
        self,
        seat: int,
        do: str,
        now: int,
        *,
        decision: int | None = None,
        via: Literal["bot", "timeout"] | None = None,
    ) -> None:
        """A seat does something; chance then draws what is due."""
        self._require("playing")
        match = self.playing
        if decision is not None and decision != match.decision:
            raise PastDecision(f"decision {decision} is past; {match.decision} is open")
        if via is None and self.seats[seat].resigned:
            raise WrongTime("that seat has resigned")
        if via is None and self.seats[seat].program:
            via = "bot"
        self._write(journal.Acted(now, seat, do, via))
        self._draw(now)

    def settle(self, do: str, attached: dict[str, Any], digest: str, now: int) -> None:
        """A live world has come to its end: nature acts. `digest` is the hash of what is attached,
        which takes a while to compute."""
        self._require("playing", "paused")
        self._write(journal.Acted(now, NATURE, do, attached=attached, digest=digest))
        self._draw(now)

    def tick(self, now: int) -> None:
        """Nature does what is due, if it is."""
        deadline = self.nature_deadline()
        if self.status == "playing" and deadline is not None and now >= deadline:
            assert self.due is not None
            self._write(journal.Acted(now, NATURE, self.due.do))
            self._draw(now)

    def preview(self, seat: int, do: str, decision: int) -> Mapping[str, Any]:
        """What an action of a seat would come to."""
        self._require("playing")
        if decision != self.playing.decision:
            raise PastDecision(f"decision {decision} is past; {self.playing.decision} is open")
        return self.playing.preview(seat, do)

    def _draw(self, now: int) -> None:
        match = self.playing
        while self.status == "playing" and match.node == CHANCE:
            self._write(journal.Acted(now, NATURE, match.next_draw()))

    def say(self, seat: int | None, name: str, text: str, now: int) -> ChatLine:
        """Somebody speaks."""
        said = clean_text(text)
        if not said:
            raise BadMessage("nothing was said")
        self._write(journal.Said(now, seat, name, said))
        return self.chat[-1]

    def pause(self, by: Sequence[int], paused: bool, now: int) -> None:
        """The host stops or goes on."""
        self._require_host(by)
        self._require("playing" if paused else "paused")
        self._write(journal.Paused(now) if paused else journal.Resumed(now))

    def resign(self, seat: int, now: int) -> None:
        """A seat gives up: of two the other wins, of more a bot plays on."""
        self._require("playing", "paused")
        if self.seats[seat].resigned:
            raise WrongTime("that seat has resigned already")
        self._write(journal.Resigned(now, seat))

    def stand_in(self, seat: int, now: int) -> None:
        """A bot takes over for somebody away."""
        place = self.seats[seat]
        if self.status in ("playing", "paused") and not place.is_played_by_bot:
            self._write(journal.StoodIn(now, seat))

    def come_back(self, seats: Iterable[int], now: int) -> None:
        """Whoever was away plays again."""
        for seat in seats:
            if self.seats[seat].stand_in:
                self._write(journal.Returned(now, seat))

    def wake(self, now: int) -> None:
        """A server takes the table up again after it was down."""
        if self.since or self.due_since is not None:
            self._write(journal.Woke(now))

    # What is told ----------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """The names by seat."""
        return [seat.name for seat in self.seats]

    @property
    def outcome(self) -> Outcome:
        """Scores and winners; by resignation the other one of two wins."""
        return self.playing.outcome_if(self.resigned_by)

    def record(self) -> GameRecord:
        """The record of the game. Only for one that is over: it carries the secret."""
        self._require("over")
        record = self.playing.record(self.names)
        record.outcome = self.outcome
        if self.chain is not None:
            record.fairness = self.beginning.proof(self.facts, self.chain)
        return record

    def seat_infos(self, online: Iterable[int]) -> tuple[SeatInfo, ...]:
        """The seats as everybody sees them."""
        here = set(online)
        return tuple(
            SeatInfo(
                seat.kind,
                seat.name,
                seat.level if seat.kind == "bot" else None,
                number in here or seat.kind == "bot",
                seat.stand_in,
                seat.resigned,
                number in self.beginning.bound,
                seat.program,
            )
            for number, seat in enumerate(self.seats)
        )

    def line(self, online: Iterable[int]) -> TableLine:
        """The table as a line of the harbour's list."""
        status: Any = "playing" if self.status == "revealing" else self.status
        made = self.made
        return TableLine(self.id, made.game, made.options, status, self.seat_infos(online), made.at)

    def told(self, you: Sequence[int], online: Iterable[int], watching: int) -> TableTold:
        """The table as a client is told of it."""
        made = self.made
        return TableTold(
            self.id,
            made.game,
            made.options,
            self.status,
            self.seat_infos(online),
            tuple(you),
            self.host,
            made.clock,
            made.bot_pace_ms,
            made.hints,
            watching,
            self.beginning.attempt,
            tuple(self.contributors),
            self.rematch,
            tuple(self.outcome.winners) if self.status == "over" else None,
            self.resigned_by,
        )

    def roster_told(self) -> RosterTold | None:
        """The roster as everybody is told of it; None before it is fixed, or without one."""
        beginning = self.beginning
        if beginning.roster is None:
            return None
        reveals = None if self.status == "revealing" else beginning.reveals
        names = tuple(self.names)
        return RosterTold(
            self.id, beginning.attempt, beginning.roster, names, beginning.salts, reveals
        )

    def shown(self, happened: Sequence[msgspec.Raw], now: int) -> ShownTold:
        """What everybody is told, with what led there."""
        match = self.playing
        shown = match.shown()
        return ShownTold(
            shown.to_act,
            shown.scores,
            shown.winners,
            shown.view,
            shown.outlook,
            ply=len(match.log),
            decision=match.decision,
            happened=happened,  # type: ignore[arg-type]  # each encoded once, whoever is told
            link=None if self.chain is None else Link(self.chain.n, self.chain.link.hex()),
            clocks=self.clocks(now),
            due=self.due_told(now),
            attached=self._attached(),
        )

    def own(self, seat: int) -> OwnTold:
        """What a seat is told besides."""
        match = self.playing
        own = match.own(seat)
        parts = own.seat, own.view, own.outlook, own.to_act, own.scores, own.winners
        if self.status != "playing" or not match.is_to_act(seat):
            return OwnTold(*parts)
        legal, templates = match.legal(seat), match.composites(seat)
        return OwnTold(*parts, legal=tuple(legal), templates=tuple(templates))

    def _attached(self) -> dict[str, Any] | None:
        """What nature attached last, without the motion, which is for the record."""
        attached = {k: v for k, v in self.playing.attached.items() if k != MOTION}
        return attached or None

    def take_steps(self) -> list[Step]:
        """What happened since this was last asked."""
        steps, self.steps = self.steps, []
        return steps

    @property
    def goes_on_alone(self) -> bool:
        """Whether something may happen here while nobody is there. It changes with the table, not
        with the game: between two people without a clock nothing does."""
        if self.status not in ("revealing", "playing"):
            return False
        game = find_game(self.made.game)
        return (
            self.status == "revealing"
            or self.made.clock.kind != "none"
            or game.clock is not None
            or game.has_world
            or any(seat.is_played_by_bot for seat in self.seats)
        )

    def bots_to_act(self) -> list[int]:
        """The seats to act for which a bot decides."""
        if self.status != "playing" or self.playing.node == OVER:
            return []
        return [seat for seat in self.playing.seats_to_act if self.seats[seat].is_played_by_bot]


def clean_name(name: str) -> str:
    """A name without control characters or odd spaces. Raises `BadMessage` if nothing is left."""
    cleaned = clean_text(name)
    if not cleaned:
        raise BadMessage(f"{name!r} is no name")
    return cleaned


def clean_text(text: str) -> str:
    """A text in one line: printable characters, single spaces."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.split())

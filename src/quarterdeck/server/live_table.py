"""A table that is awake: who is connected to it, its bots, its clocks.

Nobody is told of a change before it is stored; if storing fails, the table is read anew and nothing
has happened. Bots that search think in processes of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from msgspec import Raw

from quarterdeck.bots.levels import SEARCH, WAIT, choose_at_once, find_level
from quarterdeck.bots.open_phase import reaction_ms
from quarterdeck.contract import (
    LIVE,
    OPEN,
    IllegalAction,
    QuarterdeckError,
    rng_from_bytes,
)
from quarterdeck.engine.match import Knowledge, Match
from quarterdeck.engine.record import write_record

from . import journal, protocol
from .errors import (
    Broken,
    PastDecision,
    TooMany,
    WrongTime,
)
from .hints import HINT_LEVEL, check_hint, hint_of
from .history import Chronicle
from .journal import JournalEntry, read_entries, write_entry
from .limits import Bucket, Limits
from .protocol import Refused, ViewTold, encode
from .table import Table
from .world_runner import WorldRunner

if TYPE_CHECKING:
    from .hub import Hub

log = logging.getLogger("quarterdeck.server")

T = TypeVar("T")

REVEAL_SECONDS = 20.0
"""How long a table waits for bytes to be bound, and then for them to be revealed."""
TIMEOUT_LEVEL = "bosun"
_AGAIN_SECONDS = 1.0
"""After how long something is tried again that did not work: the disk may have room by then."""
USUAL_PACE_MS = 900
"""The pace at which bots react in an open phase as people do; another one is that much faster."""
_QUICKEST_LOOK_MS = 40
_SLACK_SECONDS = 0.05
"""What a bot that searches is given beyond its time to think, so that it is rarely late."""
_LATE_STEP_SECONDS = 0.25
"""A bot that is late answers at the next of these steps: how late it was tells next to nothing."""


_ROSTER_NEWS = (journal.Fixed, journal.Started)
_NO_NEWS = (journal.Acted, journal.Said)  # what changes nothing of who sits where
_CANNOT_SHOW = encode(Refused(None, Broken.code, "the server could not show what happened"))


def as_told(error: Exception) -> QuarterdeckError:
    """The error as whoever asked is told of it; one that is not ours is a fault, and is logged."""
    if isinstance(error, QuarterdeckError):
        return error
    log.error("something failed", exc_info=error)
    return Broken("the server could not carry this out")


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Client:
    """One connection, and what it is attached to. `post` hands over bytes without waiting;
    `address` is the word its address is counted by."""

    def __init__(self, post: Callable[[bytes], None], limits: Limits, address: str = "") -> None:
        self.post = post
        self.address = address
        self.is_gone = False
        self.inbox: deque[bytes] | None = None  # what waits for a request that takes its time
        self.table: LiveTable | None = None
        self.seats: list[int] = []
        self.muted: set[int | None] = set()
        now = time.monotonic()
        self.messages = Bucket(limits.messages_per_second, limits.message_burst, now)
        self.gestures = Bucket(limits.gestures_per_second, limits.gesture_burst, now)
        self.chats = Bucket(limits.chats_per_second, limits.chat_burst, now)
        self.hints = Bucket(limits.hints_per_second, limits.hint_burst, now)


@dataclass(slots=True)
class _Change:
    """Something to be done to a table. `then` is called with what came of it once it is stored.

    Without `then` it is a request, `id`, of a client, who is answered: by the view, if there is one
    to be told.
    """

    command: Callable[[Table, int], Any]
    then: Callable[[Any, QuarterdeckError | None], None] | None
    key: str = ""
    client: Client | None = None
    id: int | None = None
    is_answered: bool = False


class LiveTable:
    """A table that is awake.

    Changes are made one after the other: a command runs, what it wrote is stored, and only then is
    anybody told, by plain calls. While something is being stored, other changes wait in line, and
    nothing of the table is told that is not stored yet.
    """

    def __init__(self, hub: Hub, table: Table) -> None:
        self.hub = hub
        self.table = table
        self.clients: set[Client] = set()
        self.idle_since = time.monotonic()
        self.world_runner: WorldRunner | None = None  # the live world, while one is open
        self.stored_status: str = table.status
        self._line: deque[_Change] = deque()
        self._is_busy = False  # something is being stored, or the table is read anew
        self._is_stale = False  # holds what was not stored
        self._is_void = False  # never was stored: nobody knows of it, and nothing happens here
        self._has_news = False  # who is here has changed while it was busy
        self._chronicle = Chronicle()
        self.rematching = asyncio.Lock()  # whoever asks second finds the rematch made
        self._thinking: set[tuple[int, int]] = set()
        self._hints: dict[int, tuple[int, bytes]] = {}  # by seat: how far the game was, the hint
        self._alarm: asyncio.TimerHandle | None = None
        self._nature_alarm: asyncio.TimerHandle | None = None
        self._stage: tuple[int, bool] | None = None  # of the beginning, that has an alarm
        self._stage_alarm: asyncio.TimerHandle | None = None
        self._graces: dict[int, asyncio.TimerHandle] = {}

    # Changing --------------------------------------------------------------------------------

    def submit(
        self,
        command: Callable[[Table, int], Any],
        then: Callable[[Any, QuarterdeckError | None], None],
        key: str = "",
    ) -> None:
        """Runs a command on the table when its turn comes, stores what it wrote, tells everybody,
        and says to `then` what came of it."""
        self._submit(_Change(command, then, key))

    def request(
        self, client: Client, id: int, key: str, command: Callable[[Table, int], Any]
    ) -> None:
        """Runs a command that a client asked for, who is answered once it is stored."""
        self._submit(_Change(command, None, key, client, id))

    def _submit(self, change: _Change) -> None:
        if self._is_busy or self._line:
            self._line.append(change)
        else:
            self._run(change)

    async def change(
        self,
        command: Callable[[Table, int], T],
        key: str = "",
        then: Callable[[T], None] = lambda _: None,
    ) -> T:
        """Runs a command on the table, and waits until what it wrote is stored and told. `then` is
        called before anything else can happen at the table."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def finish(result: T, error: QuarterdeckError | None) -> None:
            try:
                if error is None:
                    then(result)
            except Exception as trouble:
                error = as_told(trouble)
            if done.cancelled():
                return  # whoever asked is gone; what was asked is done
            if error is not None:
                done.set_exception(error)
            else:
                done.set_result(result)

        self.submit(command, finish, key)
        return await done

    async def read(self, look: Callable[[Table], T]) -> T:
        """Looks at the table when everything that was begun before is stored."""
        return await self.change(lambda table, now: look(table))

    def _run(self, change: _Change) -> None:
        if self._is_stale:
            self._is_busy = True
            self.hub.spawn(self._recover(change, None))
            return
        table = self.table
        try:
            result = table.carry_out(change.key, change.command, now_ms())
            lines = [write_entry(entry) for entry in table.pending]
            is_news = table.status != self.stored_status or any(
                not isinstance(entry, _NO_NEWS) for entry in table.pending
            )
            row = self.hub.row(self) if is_news and lines else None
            record = None
            if table.status == "over" and self.stored_status != "over":
                record = write_record(table.record())
        except Exception as error:  # whatever it is, nothing half-done stays, and others go on
            if table.pending:
                self._is_busy = True
                self.hub.spawn(self._recover(change, error))
            else:
                self._finish(change, None, error)
            return
        first, entries = table.take_pending()
        if not entries:
            self._finish(change, result, None)
            return
        self._is_busy = True
        started = time.perf_counter()

        def then(error: QuarterdeckError | None) -> None:
            if error is not None and first == 0:
                self._is_void = True
                self._is_busy = False
                self._finish(change, None, error)
                return
            if error is not None:
                self.hub.spawn(self._recover(change, error))
                return
            self.hub.metrics.stored.observe(time.perf_counter() - started)
            self._stored(change, result, entries, is_news)

        self.hub.storage.append(table.id, first, lines, row, record, then)

    def _stored(
        self, change: _Change, result: Any, entries: Sequence[JournalEntry], is_news: bool
    ) -> None:
        """What was changed is safe: tells it."""
        table = self.table
        for entry in entries:
            if isinstance(entry, journal.Acted):
                self.hub.metrics.count_action(entry.by, entry.via)
        self.stored_status = table.status
        self._is_busy = False
        is_news, self._has_news = is_news or self._has_news, False
        with self._going_on("a change could not be told"):
            is_begun = any(isinstance(entry, _ROSTER_NEWS) for entry in entries)
            self._tell(is_news, change, with_roster=is_begun)
        with self._going_on("what follows from a change could not be begun"):
            if any(isinstance(entry, journal.Started) for entry in entries):
                self._wait_for_absent()
            self._schedule()
        self._finish(change, result, None)

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is being changed, and nothing waits to be."""
        return not self._is_busy and not self._line

    @contextlib.contextmanager
    def _going_on(self, trouble: str) -> Iterator[None]:
        """What is stored is stored: a fault in what comes after it is logged, and the table goes on
        for everybody else."""
        try:
            yield
        except Exception:
            log.exception(trouble, extra={"table": self.table.id})

    def _finish(self, change: _Change, result: Any, trouble: Exception | None) -> None:
        """Says what came of a change, and takes up the next in line."""
        error = None if trouble is None else as_told(trouble)
        if change.then is not None:
            with self._going_on("what was done could not be answered"):
                change.then(result, error)
        elif change.client is not None and change.id is not None:
            if error is not None:
                self.hub.refuse(change.client, change.id, error)
            elif not change.is_answered:
                change.client.post(encode(protocol.Ok(change.id)))
        if self._line and not self._is_busy:
            # not at once: a long line must not keep everybody else waiting
            self._is_busy = True
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        self._is_busy = False
        self._run(self._line.popleft())

    async def _recover(self, change: _Change, error: Exception | None) -> None:
        """Reads the table anew, after a change that was not stored, and says so; without an error
        the change is tried then."""
        self._is_stale = True
        try:
            data = await self.hub.storage.load(self.table.id)
            self._is_void = not data
            if data:
                self.table = Table.read(read_entries(self.table.id, data))
                self.stored_status = self.table.status
            self._is_stale = False
        except Exception as trouble:
            error = error or as_told(trouble)
        self._is_busy = False
        if self._has_news and not self._is_stale:
            self._has_news = False
            self.tell_table()
        if error is None:
            self._run(change)
        else:
            if not self._is_stale and self.hub.is_open:
                self._schedule()
            self._finish(change, None, error)

    # Telling ---------------------------------------------------------------------------------

    @property
    def online(self) -> set[int]:
        """The seats somebody is connected to."""
        return {seat for client in self.clients for seat in client.seats}

    def _tell(self, is_news: bool, change: _Change, *, with_roster: bool = False) -> None:
        """Tells everybody of a change. Each is told apart: what fails for one silences nobody."""
        table = self.table
        if is_news:
            self._tell_table()
        if with_roster:
            self._tell_roster(self.clients)
        steps = table.take_steps()
        match = table.match
        if match is None or not (steps or is_news) or not self.clients:
            return
        try:
            self._chronicle.add(match, steps)
            since = self._chronicle.since(match, len(match.log) - len(steps))
            shown = Raw(encode(table.shown(since, now_ms())))
        except Exception:
            log.exception("a table cannot be shown", extra={"table": table.id})
            for client in self.clients:
                client.post(_CANNOT_SHOW)
            return
        owns: dict[int, Raw] = {}
        to_watch = encode(ViewTold(table.id, shown))  # type: ignore[arg-type]
        for client in self.clients:
            try:
                ack = change.id if client is change.client else None
                if client.seats or ack is not None:
                    for seat in client.seats:
                        if seat not in owns:
                            owns[seat] = Raw(encode(table.own(seat)))
                    own = tuple(owns[seat] for seat in client.seats)
                    told = ViewTold(table.id, shown, own, ack)  # type: ignore[arg-type]
                    client.post(encode(told))
                    if ack is not None:
                        change.is_answered = True
                else:
                    client.post(to_watch)
            except Exception:
                log.exception("a seat cannot be shown", extra={"table": table.id})
                client.post(_CANNOT_SHOW)

    def tell_table(self) -> None:
        """Tells everybody how the table stands, once nothing of it is unstored."""
        if self._is_busy or self._is_stale:
            self._has_news = True
        else:
            self._tell_table()

    def _tell_table(self) -> None:
        online = self.online
        self.hub.listing.put(self.hub.row(self), is_attended=bool(online))
        watching = sum(not client.seats for client in self.clients)
        for client in self.clients:
            client.post(encode(self.table.told(client.seats, online, watching)))

    def _greet(self, client: Client) -> None:
        """Tells a client all there is to know for it."""
        table = self.table
        self._tell_table()
        self._tell_roster([client])
        if table.match is not None:
            client.post(self._whole_view(client))
        if table.chat:
            client.post(encode(protocol.ChatTold(table.id, tuple(table.chat))))
        if self.world_runner is not None:
            self.world_runner.greet()

    def _whole_view(self, client: Client) -> bytes:
        """What a client sees, with all that happened since the beginning."""
        table = self.table
        since = self._chronicle.since(table.playing, 0)
        own = tuple(table.own(seat) for seat in client.seats)
        return encode(ViewTold(table.id, table.shown(since, now_ms()), own))

    def _tell_roster(self, clients: Iterable[Client]) -> None:
        """Tells of the roster, once it is fixed."""
        told = self.table.roster_told()
        if told is not None:
            data = encode(told)
            for client in clients:
                client.post(data)

    # Coming and going ------------------------------------------------------------------------

    async def attach(self, client: Client, tokens: Sequence[str]) -> None:
        """A client begins to see the table."""

        def come(table: Table, now: int) -> list[int]:
            seats = table.seats_of(tokens)
            table.come_back(seats, now)
            return seats

        def greet(seats: list[int]) -> None:
            if client.is_gone:
                return
            before = client.seats
            client.table, client.seats, client.muted = self, seats, set()
            self.clients.add(client)
            for seat in seats:
                grace = self._graces.pop(seat, None)
                if grace is not None:
                    grace.cancel()
            for seat in set(before) - self.online:
                self._begin_grace(seat)
            self._greet(client)
            self._schedule()

        await self.change(come, then=greet)

    def detach(self, client: Client) -> None:
        """A client is gone, or looks elsewhere."""
        self.clients.discard(client)
        client.table = None
        online = self.online
        for seat in client.seats:
            if seat not in online:
                self._begin_grace(seat)
        client.seats = []
        self.idle_since = time.monotonic()
        self.tell_table()

    def _begin_grace(self, seat: int) -> None:
        if self.table.status not in ("playing", "paused", "revealing") or seat in self._graces:
            return
        self._graces[seat] = asyncio.get_running_loop().call_later(
            self.table.made.grace_ms / 1000, self._end_grace, seat
        )

    def _end_grace(self, seat: int) -> None:
        self._graces.pop(seat, None)

        def then(_: None, error: QuarterdeckError | None) -> None:
            if error is not None and seat not in self._graces:
                log.info("a bot could not stand in", extra={"table": self.table.id})
                loop = asyncio.get_running_loop()
                self._graces[seat] = loop.call_later(_AGAIN_SECONDS, self._end_grace, seat)

        if seat not in self.online and self.hub.is_open:
            self.submit(lambda table, now: table.stand_in(seat, now), then)

    def wake(self) -> None:
        """Begins whatever goes on by itself, after the table was woken."""
        self._wait_for_absent()
        self._schedule()

    def _wait_for_absent(self) -> None:
        """Begins the grace of everybody who is not there."""
        online = self.online
        for number, seat in enumerate(self.table.seats):
            if seat.kind == "person" and not seat.is_played_by_bot and number not in online:
                self._begin_grace(number)

    # Bots and clocks -------------------------------------------------------------------------

    def _schedule(self) -> None:
        """Schedules whatever acts by itself: bots, clocks, nature and live worlds."""
        table = self.table
        if self._is_busy or self._is_void or not self.hub.is_open:
            return  # what is being stored comes by here when that is done
        self._open_world()
        if table.match is not None:
            decision = table.match.decision
            for seat in table.bots_to_act():
                if (seat, decision) not in self._thinking:
                    self._thinking.add((seat, decision))
                    self._begin_bot(seat, decision, table.match.node)
        for alarm in (self._alarm, self._nature_alarm):
            if alarm is not None:
                alarm.cancel()
        self._alarm = self._nature_alarm = None
        loop = asyncio.get_running_loop()
        if table.stage != self._stage:
            if self._stage_alarm is not None:
                self._stage_alarm.cancel()
            self._stage, self._stage_alarm = table.stage, None
            if table.stage is not None:
                self._stage_alarm = loop.call_later(REVEAL_SECONDS, self._wait_no_longer)
        timeout = table.next_timeout()
        if timeout is not None:
            deadline, seat = timeout
            wait = max(0, deadline - now_ms()) / 1000
            self._alarm = loop.call_later(wait, self._run_out, seat, table.playing.decision)
        nature = table.nature_deadline()
        if nature is not None:
            wait = max(1, nature - now_ms()) / 1000
            self._nature_alarm = loop.call_later(wait, self._tick)

    def _tick(self) -> None:
        self.hub.spawn(self._let_nature_act())

    async def _let_nature_act(self) -> None:
        """Nature does what its clock says. Too early, or not stored, the clock is set once more."""
        try:
            await self.change(lambda table, now: table.tick(now))
        except QuarterdeckError:
            await asyncio.sleep(_AGAIN_SECONDS)
            raise
        finally:
            self._schedule()

    def _open_world(self) -> None:
        """Opens the live world that is due; one that is open learns that something has changed."""
        match = self.table.match
        if self.world_runner is not None:
            self.world_runner.look_again()
        elif match is not None and match.node == LIVE and self.table.status == "playing":
            self.world_runner = WorldRunner(self, match.decision)
            self.hub.spawn(self._run_world(self.world_runner))

    async def _run_world(self, runner: WorldRunner) -> None:
        try:
            await runner.run()
        except Exception:
            log.exception("a live world failed", extra={"table": self.table.id})
            await asyncio.sleep(_AGAIN_SECONDS)  # it is tried again, but not all the time
        self.world_runner = None
        self._schedule()

    def gesture(self, client: Client, request: protocol.Gesture) -> None:
        """A gesture for the live world. Raises `PastDecision`, `NotYourTurn`, `BadGesture`."""
        runner = self.world_runner
        if runner is None or runner.decision != request.decision or self.table.status != "playing":
            raise PastDecision(f"no live world is open for decision {request.decision}")
        runner.gesture(client, request)

    def _wait_no_longer(self) -> None:
        """Goes on without those who were too late; what is not stored is tried once more."""
        stage, self._stage, self._stage_alarm = self._stage, None, None
        if stage is not None:
            self.hub.spawn(self.change(lambda table, now: table.wait_no_longer(stage, now)))

    def _run_out(self, seat: int, decision: int) -> None:
        if self.world_runner is not None:
            self.world_runner.run_out()
            return
        # a bot that has begun to think acts soon, unless the seat was taken back from it
        is_bots = self.table.seats[seat].is_played_by_bot
        if not is_bots or (seat, decision) not in self._thinking:
            self._thinking.add((seat, decision))
            self._play_at_once(seat, decision, TIMEOUT_LEVEL, "timeout")

    def _begin_bot(self, seat: int, decision: int, node: int) -> None:
        """Lets a bot act, at the pace of its level, which tells nothing of what it holds."""
        level = self.table.seats[seat].level
        if node == OPEN:
            self.hub.spawn(self._play_open(seat, decision))
        elif find_level(level).policy == SEARCH:
            self.hub.spawn(self._search(seat, decision, level))
        else:
            pace = self.table.made.bot_pace_ms / 1000
            loop = asyncio.get_running_loop()
            loop.call_later(pace, self._play_at_once, seat, decision, level, "bot")

    def _play_at_once(
        self, seat: int, decision: int, level: str, via: Literal["bot", "timeout"]
    ) -> None:
        """A bot that need not search acts now, unless the seat has chosen or is taken back."""

        def act(table: Table, now: int) -> None:
            match = table.playing
            if match.decision == decision and _is_for_bot(table, seat, via):
                rng = rng_from_bytes(secrets.token_bytes(16))
                decided = choose_at_once(match.game, match.knowledge(seat), level, rng)
                assert decided is not None, "this level does not search"
                table.act(seat, match.action_text(decided.number), now, via=via)

        self.submit(act, partial(self._bot_is_done, seat, decision))

    def _bot_is_done(
        self, seat: int, decision: int, _: None, error: QuarterdeckError | None
    ) -> None:
        self._thinking.discard((seat, decision))
        if error is not None:
            log.info("a bot could not act", extra={"table": self.table.id})
            asyncio.get_running_loop().call_later(_AGAIN_SECONDS, self._schedule)

    async def _search(self, seat: int, decision: int, level: str) -> None:
        """Lets a bot search so that it is done at its pace, and acts for it then."""
        loop = asyncio.get_running_loop()
        error: QuarterdeckError | None = None
        try:
            thought = (find_level(level).budget.seconds or 0.0) + _SLACK_SECONDS
            pace = max(thought, self.table.made.bot_pace_ms / 1000)
            due = loop.time() + pace
            await asyncio.sleep(pace - thought)
            match, known = await self.read(lambda table: _known(table, seat, decision))
            decided = await self.hub.search_pool.decide(match.game, known, level)
            while due < loop.time():
                due += _LATE_STEP_SECONDS
            await asyncio.sleep(due - loop.time())

            def act(table: Table, now: int) -> None:
                if table.playing.decision == decision and _is_for_bot(table, seat, "bot"):
                    table.act(seat, table.playing.action_text(decided.number), now, via="bot")

            await self.change(act)
        except (PastDecision, WrongTime):
            pass  # it was too late, or the seat was taken back
        except QuarterdeckError as trouble:
            error = trouble
        finally:
            self._bot_is_done(seat, decision, None, error)

    async def _play_open(self, seat: int, decision: int) -> None:
        """Lets a bot look and act, at the pace of its level, for as long as an open phase lasts."""
        rng = rng_from_bytes(secrets.token_bytes(16))
        game, level = self.table.playing.game, self.table.seats[seat].level
        error: QuarterdeckError | None = None

        def look(table: Table, now: int) -> None:
            match, known = _known(table, seat, decision)
            decided = choose_at_once(game, known, level, rng)
            if decided is not None and decided.number != WAIT:
                table.act(seat, match.action_text(decided.number), now, via="bot")

        try:
            await self.hub.search_pool.wait_until_ready(game, level)
            while True:
                pace = self.table.made.bot_pace_ms / USUAL_PACE_MS
                wait = max(_QUICKEST_LOOK_MS, pace * reaction_ms(game, level, rng))
                await asyncio.sleep(wait / 1000)
                with contextlib.suppress(IllegalAction):
                    await self.change(look)
        except (PastDecision, WrongTime):
            pass  # the phase is over, or the seat was taken back
        except QuarterdeckError as trouble:
            error = trouble
        finally:
            self._bot_is_done(seat, decision, None, error)

    # Hints -----------------------------------------------------------------------------------

    async def begin_hint(self, client: Client, seat: int, decision: int) -> None:
        """Begins to think of a hint, which the client is sent once it is there."""

        def look(table: Table) -> Knowledge | None:
            match = check_hint(table, seat, decision)
            so_far, told = self._hints.get(seat, (-1, b""))
            if so_far == len(match.log):
                client.post(told)
                return None
            return match.knowledge(seat)

        known = await self.read(look)
        if known is None:
            return
        if not client.hints.take(time.monotonic()):
            raise TooMany("one hint at a time", "hints")
        self.hub.spawn(self._send_hint(client, seat, decision, known))

    async def _send_hint(self, client: Client, seat: int, decision: int, known: Knowledge) -> None:
        game = self.table.playing.game
        decided = await self.hub.search_pool.decide(game, known, HINT_LEVEL)

        def tell(table: Table) -> None:
            match = check_hint(table, seat, decision)  # else it comes too late
            told = encode(hint_of(table, seat, decided))
            self._hints[seat] = len(match.log), told
            if seat in client.seats:
                client.post(told)

        await self.read(tell)


def _is_for_bot(table: Table, seat: int, via: Literal["bot", "timeout"]) -> bool:
    """Whether a bot still is to act for a seat; when its time is up, whoever sits there."""
    return seat in (table.bots_to_act() if via == "bot" else table.playing.seats_to_act)


def _known(table: Table, seat: int, decision: int) -> tuple[Match, Knowledge]:
    """The match, and what a bot that is to act in it knows. Raises `PastDecision`."""
    match = table.playing
    if match.decision != decision or seat not in table.bots_to_act():
        raise PastDecision("the seat was taken back, or is not to act any more")
    return match, match.knowledge(seat)

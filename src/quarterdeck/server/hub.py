"""The tables that are awake: who is connected to them, their bots, their clocks.

Everything here runs on one event loop. A table is changed under its lock, and nobody is told of a
change before it is stored; if storing fails, the table is read anew and nothing has happened. Bots
think in threads.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, TypeVar

import msgspec

from quarterdeck.bots.levels import find_level
from quarterdeck.contract import QuarterdeckError
from quarterdeck.engine.match import Knowledge
from quarterdeck.engine.record import write_record

from . import journal, protocol
from .errors import NoSuchTable, NotAttached, NotStored, NotYourSeat, TooMany, WrongTime
from .hints import HINT_LEVEL, check_hint, hint_of
from .journal import read_entry, write_entry
from .limits import Addresses, Bucket, Limits
from .metrics import Metrics
from .protocol import JoinTable, NewTable, Seated, TableLine, encode
from .storage import Storage, TableRow
from .table import Table
from .thinkers import Thinkers

log = logging.getLogger("quarterdeck.server")

T = TypeVar("T")

REVEAL_SECONDS = 3.0
TIMEOUT_LEVEL = "bosun"
_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_IDLE_SECONDS = 300.0
_MOST_LISTED = 60


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Client:
    """One connection, and what it is attached to. `post` hands over bytes without waiting."""

    def __init__(self, post: Callable[[bytes], None], limits: Limits) -> None:
        self.post = post
        self.table: LiveTable | None = None
        self.seats: list[int] = []
        self.muted: set[int | None] = set()
        now = time.monotonic()
        self.messages = Bucket(limits.messages_per_second, limits.message_burst, now)
        self.chats = Bucket(limits.chats_per_second, limits.chat_burst, now)
        self.hints = Bucket(limits.hints_per_second, limits.hint_burst, now)


class LiveTable:
    """A table that is awake."""

    def __init__(self, hub: Hub, table: Table) -> None:
        self.hub = hub
        self.table = table
        self.lock = asyncio.Lock()
        self.clients: set[Client] = set()
        self.idle_since = time.monotonic()
        self._stored_status: str = ""
        self._is_stale = False  # holds what was not stored
        self._thinking: set[tuple[int, int]] = set()
        self._hints: dict[int, tuple[int, bytes]] = {}  # by seat: how far the game was, the hint
        self._alarm: asyncio.TimerHandle | None = None
        self._reveal_alarm: asyncio.TimerHandle | None = None
        self._graces: dict[int, asyncio.TimerHandle] = {}

    # Changing --------------------------------------------------------------------------------

    async def change(self, command: Callable[[Table, int], T]) -> T:
        """Runs a command on the table, stores what it wrote, then tells everybody."""
        async with self._held():
            try:
                result = command(self.table, now_ms())
            except QuarterdeckError:
                if self.table.pending:
                    await self._read_anew()
                raise
            await self._store()
            return result

    @contextlib.asynccontextmanager
    async def _held(self) -> AsyncIterator[None]:
        """The table for oneself, as it is stored. Raises `NotStored` if it cannot be read."""
        async with self.lock:
            if self._is_stale:
                await self._read_anew()
            yield

    async def _store(self) -> None:
        first, entries = self.table.take_pending()
        if not entries:
            return
        table = self.table
        is_news = any(not isinstance(e, journal.Acted | journal.Said) for e in entries)
        is_news = is_news or table.status != self._stored_status
        row = self.hub.row(self) if is_news else None
        record = None
        if table.status == "over" and self._stored_status != "over":
            record = write_record(table.record())
        started = time.perf_counter()
        lines = [write_entry(entry) for entry in entries]
        append = self.hub.storage.append(table.id, first, lines, row, record)
        is_cancelled = False
        try:
            try:
                await asyncio.shield(append)
            except asyncio.CancelledError:  # whoever asked is gone; what was asked is under way
                is_cancelled = True
                await append
        except QuarterdeckError:
            await self._read_anew()
            raise
        self.hub.metrics.stored.observe(time.perf_counter() - started)
        for entry in entries:
            if isinstance(entry, journal.Acted):
                self.hub.metrics.count_action(entry.by, entry.via)
        self._stored_status = table.status
        self._tell(is_news)
        if any(isinstance(entry, journal.Revealing) for entry in entries):
            self._ask_to_reveal(list(self.clients))
        if any(isinstance(entry, journal.Started) for entry in entries):
            self.wait_for_everybody()
        self._arm()
        if is_cancelled:
            raise asyncio.CancelledError

    async def _read_anew(self) -> None:
        """Forgets what could not be stored; nobody may use the table before that has worked."""
        self._is_stale = True
        data = await self.hub.storage.load(self.table.id)
        self._is_stale = False
        if data:  # else it never was stored, and nobody knows of it
            self.table = Table.read(read_entry(entry) for entry in data)
            self._stored_status = self.table.status

    # Telling ---------------------------------------------------------------------------------

    @property
    def online(self) -> set[int]:
        """The seats somebody is connected to."""
        return {seat for client in self.clients for seat in client.seats}

    def _tell(self, is_news: bool) -> None:
        table = self.table
        if is_news:
            self.tell_table()
        steps = table.take_steps()
        if table.match is None or not (steps or is_news):
            return
        now = now_ms()
        views: dict[int | None, bytes] = {}
        for client in self.clients:
            for seat in client.seats or (None,):
                if seat not in views:
                    views[seat] = encode(table.view(seat, steps, now))
                client.post(views[seat])

    def tell_table(self) -> None:
        """Tells everybody how the table stands."""
        online = self.online
        watching = sum(not client.seats for client in self.clients)
        for client in self.clients:
            client.post(encode(self.table.told(client.seats, online, watching)))

    def _greet(self, client: Client) -> None:
        """Tells a client all there is to know for it."""
        table = self.table
        self.tell_table()
        if table.match is not None:
            now = now_ms()
            for seat in client.seats or (None,):
                client.post(encode(table.view(seat, (), now)))
        if table.chat:
            client.post(encode(protocol.ChatTold(table.id, tuple(table.chat))))
        if table.status == "revealing":
            self._ask_to_reveal([client])

    def _ask_to_reveal(self, clients: Sequence[Client]) -> None:
        due = self.table.seats_to_reveal
        for client in clients:
            seats = tuple(seat for seat in client.seats if seat in due)
            if seats:
                client.post(encode(protocol.RevealNow(self.table.id, seats)))

    # Coming and going ------------------------------------------------------------------------

    async def attach(self, client: Client, tokens: Sequence[str]) -> None:
        """A client begins to see the table."""
        async with self._held():
            seats = self.table.seats_of(tokens)
            before = client.seats
            client.table, client.seats, client.muted = self, seats, set()
            self.clients.add(client)
            for seat in seats:
                grace = self._graces.pop(seat, None)
                if grace is not None:
                    grace.cancel()
            for seat in set(before) - self.online:
                self._begin_grace(seat)
            self.table.come_back(seats, now_ms())
            await self._store()
            self._greet(client)
            self._arm()

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
        if seat not in self.online:
            self.hub.spawn(self.change(lambda table, now: table.stand_in(seat, now)))

    def wait_for_everybody(self) -> None:
        """After the start and after waking: people have their grace to come."""
        online = self.online
        for number, seat in enumerate(self.table.seats):
            if seat.kind == "person" and not seat.is_played_by_bot and number not in online:
                self._begin_grace(number)
        self._arm()

    # Bots and clocks -------------------------------------------------------------------------

    def _arm(self) -> None:
        """Sees to it that whoever is due and no person acts in time."""
        table = self.table
        if table.match is not None:
            decision = table.match.decision
            for seat in table.bots_to_act():
                if (seat, decision) not in self._thinking:
                    self._thinking.add((seat, decision))
                    self.hub.spawn(self._play_bot(seat, decision))
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        loop = asyncio.get_running_loop()
        if table.status == "revealing" and self._reveal_alarm is None:
            self._reveal_alarm = loop.call_later(REVEAL_SECONDS, self._stop_revealing)
        timeout = table.next_timeout()
        if timeout is not None:
            deadline, seat = timeout
            wait = max(0, deadline - now_ms()) / 1000
            self._alarm = loop.call_later(wait, self._run_out, seat, table.playing.decision)

    def _stop_revealing(self) -> None:
        if self.table.status == "revealing":
            self.hub.spawn(self.change(lambda table, now: table.begin(now)))

    def _run_out(self, seat: int, decision: int) -> None:
        if (seat, decision) not in self._thinking:
            self._thinking.add((seat, decision))
            self.hub.spawn(self._play_for(seat, decision, TIMEOUT_LEVEL, "timeout"))

    async def _play_bot(self, seat: int, decision: int) -> None:
        """Lets a bot think so that it is done at its pace, which tells nothing of what it holds."""
        level = self.table.seats[seat].level
        pace, thought = self.table.made.bot_pace_ms / 1000, find_level(level).budget.seconds or 0.0
        due = asyncio.get_running_loop().time() + max(pace, thought)
        await asyncio.sleep(max(0.0, pace - thought))
        await self._play_for(seat, decision, level, "bot", due)

    async def _play_for(
        self, seat: int, decision: int, level: str, via: Any, due: float = 0.0
    ) -> None:
        """Chooses for a seat, at the time it is due, unless it has chosen or was taken back."""
        try:
            async with self._held():
                table = self.table
                if table.match is None or table.match.decision != decision:
                    return
                if via == "bot" and seat not in table.bots_to_act():
                    return
                match = table.match
                known = match.knowledge(seat)
            decided = await self.hub.thinkers.decide(match.game, known, level)
            await asyncio.sleep(max(0.0, due - asyncio.get_running_loop().time()))

            def act(table: Table, now: int) -> None:
                if via == "bot" and seat not in table.bots_to_act():
                    raise WrongTime("the seat was taken back")
                text = table.playing.action_text(decided.number)
                table.act(seat, text, now, decision=decision, via=via)

            await self.change(act)
        except NotStored:
            await asyncio.sleep(1)  # the disk may have room again
            raise
        finally:
            self._thinking.discard((seat, decision))
            if self.hub.is_open:
                self._arm()

    # Hints -----------------------------------------------------------------------------------

    async def begin_hint(self, client: Client, seat: int, decision: int) -> None:
        """Begins to think of a hint, which the client is sent once it is there."""
        async with self._held():
            match = check_hint(self.table, seat, decision)
            so_far, told = self._hints.get(seat, (-1, b""))
            if so_far == len(match.log):
                client.post(told)
                return
            known = match.knowledge(seat)
        if not client.hints.take(time.monotonic()):
            raise TooMany("one hint at a time")
        self.hub.spawn(self._send_hint(client, seat, decision, known))

    async def _send_hint(self, client: Client, seat: int, decision: int, known: Knowledge) -> None:
        game = self.table.playing.game
        decided = await self.hub.thinkers.decide(game, known, HINT_LEVEL)
        async with self._held():
            match = check_hint(self.table, seat, decision)  # else it comes too late
            told = encode(hint_of(self.table, seat, decided))
            self._hints[seat] = len(match.log), told
            if seat in client.seats:
                client.post(told)


class Hub:
    """All tables that are awake, and the way to those that sleep in the storage."""

    def __init__(self, storage: Storage, limits: Limits | None = None) -> None:
        self.storage = storage
        self.limits = limits or Limits()
        self.addresses = Addresses(self.limits)
        self.metrics = Metrics()
        self.tables: dict[str, LiveTable] = {}
        self.clients: set[Client] = set()
        self.thinkers = Thinkers(self.metrics)
        self.is_open = True
        self._waking: dict[str, asyncio.Future[LiveTable]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Runs something in the background; what goes wrong is logged."""
        if not self.is_open:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, QuarterdeckError):
            log.info("background work refused", extra={"code": error.code})
        elif error is not None:
            log.error("background work failed", exc_info=error)

    # Opening and closing ---------------------------------------------------------------------

    async def open(self) -> None:
        """Wakes the tables whose games are under way."""
        for row in await self.storage.rows(("playing", "revealing"), 100_000):
            try:
                await self.get(row.id)
            except (QuarterdeckError, msgspec.MsgspecError):
                log.exception("a table cannot be read", extra={"table": row.id})
        self.spawn(self._tidy())

    def say_goodbye(self) -> None:
        """Tells everybody that the server goes down; nothing new is begun from now on."""
        self.is_open = False
        for client in self.clients:
            client.post(encode(protocol.Goodbye("shutdown")))

    async def close(self) -> None:
        """Finishes what was begun."""
        self.is_open = False
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for live in self.tables.values():
            async with live.lock:
                pass
        await self.thinkers.close()
        await self.storage.close()

    async def _tidy(self) -> None:
        """Lets tables go back to sleep that nobody looks at and where nothing can happen."""
        while True:
            await asyncio.sleep(60)
            edge = time.monotonic() - _IDLE_SECONDS
            for id, live in list(self.tables.items()):
                is_still = live.table.status in ("waiting", "paused", "over")
                if is_still and not live.clients and live.idle_since < edge:
                    del self.tables[id]
            self.metrics.tables.set(len(self.tables))

    # Tables ----------------------------------------------------------------------------------

    async def get(self, id: str) -> LiveTable:
        """The table with this id, woken if it slept. Raises `NoSuchTable`."""
        if id in self.tables:
            return self.tables[id]
        if id not in self._waking:
            waking = self._waking[id] = asyncio.ensure_future(self._wake(id))
            waking.add_done_callback(lambda _: self._waking.pop(id, None))
        return await asyncio.shield(self._waking[id])

    async def _wake(self, id: str) -> LiveTable:
        data = await self.storage.load(id)
        if not data:
            raise NoSuchTable(f"there is no table {id!r}")
        live = LiveTable(self, Table.read(read_entry(entry) for entry in data))
        live._stored_status = live.table.status
        await live.change(lambda table, now: table.wake(now))
        self.tables[id] = live
        live.wait_for_everybody()
        self.metrics.tables.set(len(self.tables))
        return live

    async def make(self, request: NewTable, address: str) -> Seated:
        """A new table; with `start`, a game that begins at once."""
        table, keys = Table.make(self._new_id(), request, now_ms())
        self.addresses.make_table(address, time.monotonic())
        live = LiveTable(self, table)
        if request.start:
            table.start([key.seat for key in keys], now_ms())
        await self._put(live)
        return Seated(table.id, tuple(keys))

    async def join(self, id: str, request: JoinTable) -> Seated:
        """A guest, or a program of somebody's, takes a seat."""
        live = await self.get(id)
        is_program = request.kind == "program"
        key = await live.change(
            lambda table, now: table.join(request.name, request.seat, now, program=is_program)
        )
        return Seated(id, (key,))

    async def _put(self, live: LiveTable) -> None:
        async with live.lock:
            await live._store()
            self.tables[live.table.id] = live
            self.metrics.tables.set(len(self.tables))

    def _new_id(self) -> str:
        return "".join(secrets.choice(_ID_LETTERS) for _ in range(8))

    def row(self, live: LiveTable) -> TableRow:
        """What the storage keeps of a table beside its journal."""
        table = live.table
        line = encode(table.line(live.online))
        return TableRow(
            table.id,
            table.made.game,
            table.status,
            table.made.listed,
            table.made.at,
            now_ms(),
            line,
        )

    async def list_tables(self) -> tuple[TableLine, ...]:
        """The listed tables one may join or watch, newest first."""
        lines = [
            live.table.line(live.online)
            for live in self.tables.values()
            if live.table.made.listed
            and (live.table.status in ("playing", "paused") or live.online)
            and live.table.status != "over"
        ]
        lines.sort(key=lambda line: (line.status != "waiting", -line.made_at))
        return tuple(lines[:_MOST_LISTED])

    # Requests --------------------------------------------------------------------------------

    async def handle(self, client: Client, data: bytes) -> None:
        """Carries out one request and answers it."""
        id: int | None = None
        try:
            if not client.messages.take(time.monotonic()):
                raise TooMany("slow down")
            request = protocol.read_request(data)
            id = request.id
            told = await self._carry_out(client, request)
            client.post(encode(protocol.Ok(id, told)))
        except QuarterdeckError as error:
            self.metrics.refused.labels(error.code).inc()
            id = protocol.id_of(data) if id is None else id
            client.post(encode(protocol.Refused(id, error.code, error.message, error.rule)))

    async def _carry_out(self, client: Client, request: protocol.ClientMessage) -> str | None:
        if isinstance(request, protocol.Ping):
            return None
        if isinstance(request, protocol.Attach):
            live = await self.get(request.table)
            live.table.seats_of(request.tokens)
            if client.table is not None and client.table is not live:
                client.table.detach(client)
            await live.attach(client, request.tokens)
            return None
        at = client.table
        if at is None:
            raise NotAttached("attach to a table first")
        here = at

        def mine(seat: int) -> int:
            if seat not in client.seats:
                raise NotYourSeat(f"seat {seat} is not yours")
            return seat

        match request:
            case protocol.Act():
                seat = mine(request.seat)
                await here.change(
                    lambda table, now: table.act(seat, request.do, now, decision=request.decision)
                )
            case protocol.AskHint():
                await here.begin_hint(client, mine(request.seat), request.decision)
            case protocol.Say():
                if not client.chats.take(time.monotonic()):
                    raise TooMany("one thing at a time")
                await self._say(client, here, request.text)
            case protocol.Mute():
                (client.muted.add if request.muted else client.muted.discard)(request.seat)
            case protocol.Commit():
                seat = mine(request.seat)
                await here.change(lambda table, now: table.commit_bytes(seat, request.hash, now))
            case protocol.Reveal():
                seat = mine(request.seat)
                await here.change(lambda table, now: table.reveal_bytes(seat, request.bytes, now))
            case protocol.Start():
                await here.change(lambda table, now: table.start(client.seats, now))
            case protocol.Pause():
                await here.change(lambda table, now: table.pause(client.seats, request.paused, now))
            case protocol.Remove():
                await here.change(lambda table, now: table.remove(client.seats, request.seat, now))
                self._put_out(here, request.seat)
            case protocol.Leave():
                seat = mine(request.seat)
                await here.change(lambda table, now: table.leave(seat, now))
                self._put_out(here, seat)
            case protocol.Resign():
                seat = mine(request.seat)
                await here.change(lambda table, now: table.resign(seat, now))
            case protocol.Rematch():
                if not client.seats:
                    raise NotYourSeat("those who watch ask for no rematch")
                return await self._rematch(here)
        return None

    def _put_out(self, live: LiveTable, seat: int) -> None:
        """A seat is nobody's any more: its clients go on as spectators."""
        for client in live.clients:
            if seat in client.seats:
                client.seats = [other for other in client.seats if other != seat]
                client.post(encode(protocol.Goodbye("removed")))
        live.tell_table()

    async def _say(self, client: Client, live: LiveTable, text: str) -> None:
        seat = client.seats[0] if client.seats else None
        name = live.table.seats[seat].name if seat is not None else ""
        line = await live.change(lambda table, now: table.say(seat, name, text, now))
        told = encode(protocol.ChatTold(live.table.id, (line,)))
        for other in live.clients:
            if seat not in other.muted:
                other.post(told)

    async def _rematch(self, live: LiveTable) -> str:
        async with live._held():
            if live.table.rematch is None:
                # The new table is stored first: a rematch that is announced is there.
                table = live.table.make_rematch(self._new_id(), now_ms())
                try:
                    await self._put(LiveTable(self, table))
                except QuarterdeckError:
                    await live._read_anew()
                    raise
                await live._store()
            rematch = live.table.rematch
        assert rematch is not None
        return rematch

    def disconnect(self, client: Client) -> None:
        """A connection is gone."""
        self.clients.discard(client)
        if client.table is not None:
            with contextlib.suppress(RuntimeError):
                client.table.detach(client)

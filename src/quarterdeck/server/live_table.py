"""A table that is awake: who is connected to it, its bots, its clocks.

It is changed under its lock, and nobody is told of a change before it is stored; if storing fails,
the table is read anew and nothing has happened. Bots think in threads.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from quarterdeck.bots.levels import WAIT, find_level
from quarterdeck.bots.open_phase import reaction_ms
from quarterdeck.contract import (
    LIVE,
    OPEN,
    IllegalAction,
    QuarterdeckError,
    rng_from_bytes,
)
from quarterdeck.engine.match import Knowledge
from quarterdeck.engine.record import write_record

from . import journal, protocol
from .errors import (
    NotStored,
    PastDecision,
    TooMany,
    WrongTime,
)
from .hints import HINT_LEVEL, check_hint, hint_of
from .journal import read_entry, write_entry
from .limits import Bucket, Limits
from .protocol import encode
from .table import Table
from .world_runner import WorldRunner

if TYPE_CHECKING:
    from .hub import Hub

log = logging.getLogger("quarterdeck.server")

T = TypeVar("T")

REVEAL_SECONDS = 3.0
TIMEOUT_LEVEL = "bosun"
USUAL_PACE_MS = 900
"""The pace at which bots react in an open phase as people do; another one is that much faster."""
_QUICKEST_LOOK_MS = 40


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Client:
    """One connection, and what it is attached to. `post` hands over bytes without waiting;
    `address` is the word its address is counted by."""

    def __init__(self, post: Callable[[bytes], None], limits: Limits, address: str = "") -> None:
        self.post = post
        self.address = address
        self.waiting: deque[bytes] = deque()  # requests, the one under way first
        self.table: LiveTable | None = None
        self.seats: list[int] = []
        self.muted: set[int | None] = set()
        now = time.monotonic()
        self.messages = Bucket(limits.messages_per_second, limits.message_burst, now)
        self.gestures = Bucket(limits.gestures_per_second, limits.gesture_burst, now)
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
        self.world_runner: WorldRunner | None = None  # the live world, while one is open
        self._stored_status: str = ""
        self._is_stale = False  # holds what was not stored
        self._thinking: set[tuple[int, int]] = set()
        self._hints: dict[int, tuple[int, bytes]] = {}  # by seat: how far the game was, the hint
        self._alarm: asyncio.TimerHandle | None = None
        self._nature_alarm: asyncio.TimerHandle | None = None
        self._reveal_alarm: asyncio.TimerHandle | None = None
        self._graces: dict[int, asyncio.TimerHandle] = {}

    # Changing --------------------------------------------------------------------------------

    async def change(self, command: Callable[[Table, int], T]) -> T:
        """Runs a command on the table, stores what it wrote, then tells everybody."""
        async with self._locked():
            try:
                result = command(self.table, now_ms())
            except QuarterdeckError:
                if self.table.pending:
                    await self._read_anew()
                raise
            await self._store()
            return result

    @contextlib.asynccontextmanager
    async def _locked(self) -> AsyncIterator[None]:
        """Holds the lock; the table is as it is stored. Raises `NotStored` if it cannot be read."""
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
        self._schedule()
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
        if self.world_runner is not None:
            self.world_runner.greet()

    def _ask_to_reveal(self, clients: Sequence[Client]) -> None:
        due = self.table.seats_to_reveal
        for client in clients:
            seats = tuple(seat for seat in client.seats if seat in due)
            if seats:
                client.post(encode(protocol.RevealNow(self.table.id, seats)))

    # Coming and going ------------------------------------------------------------------------

    async def attach(self, client: Client, tokens: Sequence[str]) -> None:
        """A client begins to see the table."""
        async with self._locked():
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
            self._schedule()

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
        """Begins the grace of everybody who is not there, after the start and after waking."""
        online = self.online
        for number, seat in enumerate(self.table.seats):
            if seat.kind == "person" and not seat.is_played_by_bot and number not in online:
                self._begin_grace(number)
        self._schedule()

    # Bots and clocks -------------------------------------------------------------------------

    def _schedule(self) -> None:
        """Schedules whatever acts by itself: bots, clocks, nature and live worlds."""
        table = self.table
        self._open_world()
        if table.match is not None:
            decision = table.match.decision
            play = self._play_open if table.match.node == OPEN else self._play_bot
            for seat in table.bots_to_act():
                if (seat, decision) not in self._thinking:
                    self._thinking.add((seat, decision))
                    self.hub.spawn(play(seat, decision))
        for alarm in (self._alarm, self._nature_alarm):
            if alarm is not None:
                alarm.cancel()
        self._alarm = self._nature_alarm = None
        loop = asyncio.get_running_loop()
        if table.status == "revealing" and self._reveal_alarm is None:
            self._reveal_alarm = loop.call_later(REVEAL_SECONDS, self._stop_revealing)
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
        except NotStored:
            await asyncio.sleep(1)
            raise
        finally:
            if self.hub.is_open:
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
            await asyncio.sleep(1)  # it is tried again, but not all the time
        self.world_runner = None
        if self.hub.is_open:
            self._schedule()

    def gesture(self, client: Client, request: protocol.Gesture) -> None:
        """A gesture for the live world. Raises `PastDecision`, `NotYourTurn`, `BadGesture`."""
        runner = self.world_runner
        if runner is None or runner.decision != request.decision or self.table.status != "playing":
            raise PastDecision(f"no live world is open for decision {request.decision}")
        runner.gesture(client, request)

    def _stop_revealing(self) -> None:
        if self.table.status == "revealing":
            self.hub.spawn(self.change(lambda table, now: table.begin(now)))

    def _run_out(self, seat: int, decision: int) -> None:
        if self.world_runner is not None:
            self.world_runner.run_out()
        elif (seat, decision) not in self._thinking:
            self._thinking.add((seat, decision))
            self.hub.spawn(self._play_for(seat, decision, TIMEOUT_LEVEL, "timeout"))

    async def _play_bot(self, seat: int, decision: int) -> None:
        """Lets a bot think so that it is done at its pace, which tells nothing of what it holds."""
        level = self.table.seats[seat].level
        pace, thought = self.table.made.bot_pace_ms / 1000, find_level(level).budget.seconds or 0.0
        due = asyncio.get_running_loop().time() + max(pace, thought)
        await asyncio.sleep(max(0.0, pace - thought))
        await self._play_for(seat, decision, level, "bot", due)

    async def _play_open(self, seat: int, decision: int) -> None:
        """Lets a bot look and act, at the pace of its level, for as long as an open phase lasts."""
        rng = rng_from_bytes(secrets.token_bytes(16))
        try:
            while True:
                game, level = self.table.playing.game, self.table.seats[seat].level
                pace = self.table.made.bot_pace_ms / USUAL_PACE_MS
                await asyncio.sleep(
                    max(_QUICKEST_LOOK_MS, pace * reaction_ms(game, level, rng)) / 1000
                )
                async with self._locked():
                    match = self.table.playing
                    if match.decision != decision or seat not in self.table.bots_to_act():
                        return
                    known = match.knowledge(seat)
                decided = await self.hub.search_pool.decide_at_once(game, known, level)
                if decided is not None and decided.number != WAIT:
                    # a hand that is already moving: what came in between does not stop it
                    text = match.action_text(decided.number)
                    with contextlib.suppress(IllegalAction):
                        await self._act_as_bot(seat, text, decision)
        except PastDecision:
            pass  # it was too late
        except NotStored:
            await asyncio.sleep(1)
            raise
        finally:
            self._thinking.discard((seat, decision))
            if self.hub.is_open:
                self._schedule()

    async def _act_as_bot(self, seat: int, text: str, decision: int) -> None:
        def act(table: Table, now: int) -> None:
            if seat not in table.bots_to_act():
                raise PastDecision("the seat was taken back, or is not to act any more")
            table.act(seat, text, now, decision=decision, via="bot")

        await self.change(act)

    async def _play_for(
        self, seat: int, decision: int, level: str, via: Any, due: float = 0.0
    ) -> None:
        """Chooses for a seat, at the time it is due, unless it has chosen or was taken back."""
        try:
            async with self._locked():
                table = self.table
                if table.match is None or table.match.decision != decision:
                    return
                if via == "bot" and seat not in table.bots_to_act():
                    return
                match = table.match
                known = match.knowledge(seat)
            decided = await self.hub.search_pool.decide(match.game, known, level)
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
                self._schedule()

    # Hints -----------------------------------------------------------------------------------

    async def begin_hint(self, client: Client, seat: int, decision: int) -> None:
        """Begins to think of a hint, which the client is sent once it is there."""
        async with self._locked():
            match = check_hint(self.table, seat, decision)
            so_far, told = self._hints.get(seat, (-1, b""))
            if so_far == len(match.log):
                client.post(told)
                return
            known = match.knowledge(seat)
        if not client.hints.take(time.monotonic()):
            raise TooMany("one hint at a time", "hints")
        self.hub.spawn(self._send_hint(client, seat, decision, known))

    async def _send_hint(self, client: Client, seat: int, decision: int, known: Knowledge) -> None:
        game = self.table.playing.game
        decided = await self.hub.search_pool.decide(game, known, HINT_LEVEL)
        async with self._locked():
            match = check_hint(self.table, seat, decision)  # else it comes too late
            told = encode(hint_of(self.table, seat, decided))
            self._hints[seat] = len(match.log), told
            if seat in client.seats:
                client.post(told)

"""All tables: waking them, making and joining them, and what clients ask of them.

Everything here and in `live_table` runs on one event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from quarterdeck.bots.cores import cores, lower_priority_of_thread
from quarterdeck.bots.live import needs_world
from quarterdeck.contract import (
    Game,
    QuarterdeckError,
)
from quarterdeck.games import find_game

from . import journal, protocol
from .errors import (
    NoSuchTable,
    NotAttached,
    NotYourSeat,
    TooMany,
    TooManyWorlds,
)
from .journal import read_entry
from .limits import Addresses, Limits
from .live_table import Client, LiveTable, now_ms
from .metrics import Metrics
from .preparation import Preparation
from .protocol import JoinTable, NewTable, Seated, TableLine, encode
from .search_pool import SearchPool
from .storage import Storage, TableRow
from .table import Table

log = logging.getLogger("quarterdeck.server")

_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_ID_LENGTH = 14  # 69 bits: nobody guesses the way to a table
_IDLE_SECONDS = 300.0
_MOST_LISTED = 60


def _has_worlds(table: Table) -> bool:
    return needs_world(find_game(table.made.game), table.made.options)


class Hub:
    """All tables that are awake, and the way to those that sleep in the storage."""

    def __init__(
        self, storage: Storage, limits: Limits | None = None, unready: Sequence[Game] = ()
    ) -> None:
        """`unready`: the games that are to be compiled or loaded once the hub is open."""
        self.storage = storage
        self.preparation = Preparation(unready)
        self.limits = limits or Limits()
        self.addresses = Addresses(self.limits)
        self.metrics = Metrics()
        self.tables: dict[str, LiveTable] = {}
        self.clients: set[Client] = set()
        self.search_pool = SearchPool(self.metrics, self.preparation)
        self.worlds = ThreadPoolExecutor(cores(), thread_name_prefix="world")
        self.planners = ThreadPoolExecutor(
            cores(), thread_name_prefix="planner", initializer=lower_priority_of_thread
        )
        self.is_open = True
        self._waking: dict[str, asyncio.Future[LiveTable]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._requests: set[asyncio.Task[None]] = set()

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
        """Wakes the tables whose games are under way, each as soon as its game is ready."""
        self.preparation.begin()
        self.spawn(self.preparation.finish())
        for row in await self.storage.rows(("playing", "revealing"), 100_000):
            waking = self._wake_early(row.id)
            if self.preparation.is_ready(row.game):
                await waking
            else:
                self.spawn(waking)
        self.spawn(self._tidy())

    async def _wake_early(self, id: str) -> None:
        try:
            await self.get(id)
        except (QuarterdeckError, msgspec.MsgspecError):
            log.exception("a table cannot be read", extra={"table": id})

    def say_goodbye(self) -> None:
        """Tells everybody that the server goes down; nothing new is begun from now on."""
        self.is_open = False
        for client in self.clients:
            client.post(encode(protocol.Goodbye("shutdown")))

    async def close(self) -> None:
        """Stops all background work and waits until what was begun is stored."""
        self.is_open = False
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._requests, return_exceptions=True)
        for live in self.tables.values():
            async with live.lock:
                pass
        await self.search_pool.close()
        self.worlds.shutdown(wait=False, cancel_futures=True)
        self.planners.shutdown(wait=False, cancel_futures=True)
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
        entries = [read_entry(entry) for entry in data]
        if isinstance(entries[0], journal.Made):
            await self.preparation.wait_for(entries[0].game)
        live = LiveTable(self, Table.read(entries))
        live._stored_status = live.table.status
        await live.change(lambda table, now: table.wake(now))
        self.tables[id] = live
        live.wait_for_everybody()
        self.metrics.tables.set(len(self.tables))
        return live

    async def make(self, request: NewTable, address: str) -> Seated:
        """A new table; with `start`, a game that begins at once."""
        await self.preparation.wait_for(request.game)
        table, keys = Table.make(self._new_id(), request, now_ms())
        if request.start:
            self.check_worlds(table)
        self.addresses.make_table(address)
        live = LiveTable(self, table)
        if request.start:
            table.start([key.seat for key in keys], now_ms())
        await self._store_new(live)
        return Seated(table.id, tuple(keys))

    def check_worlds(self, table: Table) -> None:
        """Raises `TooManyWorlds` if a game with live worlds is one too many to begin."""
        if not _has_worlds(table):
            return
        under_way = sum(
            live.table.status in ("revealing", "playing", "paused") and _has_worlds(live.table)
            for live in self.tables.values()
        )
        if under_way >= self.limits.worlds:
            raise TooManyWorlds(f"{under_way} games with live worlds are under way")

    async def join(self, id: str, request: JoinTable) -> Seated:
        """A guest, or a program of somebody's, takes a seat."""
        live = await self.get(id)
        is_program = request.kind == "program"
        key = await live.change(
            lambda table, now: table.join(request.name, request.seat, now, program=is_program)
        )
        return Seated(id, (key,))

    async def _store_new(self, live: LiveTable) -> None:
        async with live.lock:
            await live._store()
            self.tables[live.table.id] = live
            self.metrics.tables.set(len(self.tables))

    def _new_id(self) -> str:
        return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))

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

    def receive(self, client: Client, data: bytes) -> None:
        """Takes a request of a client. Those of one client are carried out one after another."""
        if len(client.waiting) >= self.limits.waiting_requests:
            error = TooMany("too many requests at once", "waiting_requests")
            self.metrics.count_refusal(error)
            id = protocol.id_of(data)
            client.post(encode(protocol.Refused(id, error.code, error.message)))
            return
        client.waiting.append(data)
        if len(client.waiting) == 1:
            task = asyncio.get_running_loop().create_task(self._work_off(client))
            self._requests.add(task)
            task.add_done_callback(self._requests.discard)
            task.add_done_callback(self._finish)

    async def _work_off(self, client: Client) -> None:
        try:
            while client.waiting:
                await self.handle(client, client.waiting[0])
                client.waiting.popleft()
        finally:
            client.waiting.clear()

    async def handle(self, client: Client, data: bytes) -> None:
        """Carries out one request and answers it."""
        id: int | None = None
        try:
            request = protocol.read_request(data)
            id = request.id
            if isinstance(request, protocol.AskPreview):
                client.post(encode(await self._preview(client, request)))
                return
            told = await self._carry_out(client, request)
            if not isinstance(request, protocol.Gesture):
                client.post(encode(protocol.Ok(id, told)))
        except QuarterdeckError as error:
            self.metrics.count_refusal(error)
            id = protocol.id_of(data) if id is None else id
            client.post(encode(protocol.Refused(id, error.code, error.message, error.rule)))

    async def _carry_out(self, client: Client, request: protocol.ClientMessage) -> str | None:
        if isinstance(request, protocol.Ping):
            return None
        if isinstance(request, protocol.Attach):
            self.addresses.take("attach", client.address)
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
            case protocol.Gesture():
                mine(request.seat)
                here.gesture(client, request)
            case protocol.AskHint():
                await here.begin_hint(client, mine(request.seat), request.decision)
            case protocol.Say():
                if not client.chats.take(time.monotonic()):
                    raise TooMany("one thing at a time", "chats")
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
                self.check_worlds(here.table)
                await here.change(lambda table, now: table.start(client.seats, now))
            case protocol.Pause():
                await here.change(lambda table, now: table.pause(client.seats, request.paused, now))
            case protocol.Remove():
                await here.change(lambda table, now: table.remove(client.seats, request.seat, now))
                self._make_spectators(here, request.seat)
            case protocol.Leave():
                seat = mine(request.seat)
                await here.change(lambda table, now: table.leave(seat, now))
                self._make_spectators(here, seat)
            case protocol.Resign():
                seat = mine(request.seat)
                await here.change(lambda table, now: table.resign(seat, now))
            case protocol.Rematch():
                if not client.seats:
                    raise NotYourSeat("those who watch ask for no rematch")
                self.addresses.take("rematch", client.address)
                return await self._rematch(here, client.address)
        return None

    async def _preview(self, client: Client, request: protocol.AskPreview) -> protocol.PreviewTold:
        """What an action would come to."""
        if client.table is None:
            raise NotAttached("attach to a table first")
        if request.seat not in client.seats:
            raise NotYourSeat(f"seat {request.seat} is not yours")
        async with client.table._locked():
            table = client.table.table
            told = table.preview(request.seat, request.do, request.decision)
        return protocol.PreviewTold(request.id, dict(told))

    def _make_spectators(self, live: LiveTable, seat: int) -> None:
        """Turns the clients of a seat that is nobody's any more into spectators."""
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

    async def _rematch(self, live: LiveTable, address: str) -> str:
        async with live._locked():
            if live.table.rematch is None:
                # The new table is stored first: a rematch that is announced is there.
                table = live.table.make_rematch(self._new_id(), now_ms())
                try:
                    self.addresses.make_table(address)
                    await self._store_new(LiveTable(self, table))
                except QuarterdeckError:
                    await live._read_anew()
                    raise
                await live._store()
            rematch = live.table.rematch
        assert rematch is not None
        return rematch

    def disconnect(self, client: Client) -> None:
        """Forgets a connection that is gone."""
        self.clients.discard(client)
        if client.table is not None:
            with contextlib.suppress(RuntimeError):
                client.table.detach(client)

"""All tables: waking them, making and joining them, and what clients ask of them.

Everything here and in `live_table` runs on one event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

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
    Conflict,
    NoSuchTable,
    NotAttached,
    NotYourSeat,
    OldProtocol,
    TooMany,
    TooManyWorlds,
)
from .history import history_of
from .journal import read_entries
from .keys import new_key, table_id
from .limits import Addresses, Limits
from .listing import Listing
from .live_table import Client, LiveTable, as_told, now_ms
from .metrics import Metrics
from .preparation import Preparation
from .protocol import ChatLine, JoinTable, NewTable, Seated, encode
from .search_pool import SearchPool
from .storage import Storage, TableRow
from .table import Table

log = logging.getLogger("quarterdeck.server")

_IDLE_SECONDS = 300.0
_MOST_KEPT_LISTED = 20_000
_MOST_AWAKE = 100_000
_PEOPLE_FIRST_SECONDS = 1.0
_BREATH_SECONDS = 0.002  # between two tables that are woken early: people come first


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
        self.listing = Listing()
        self._finished: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()  # looked at
        self._waking: dict[str, asyncio.Future[LiveTable]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._one_history = asyncio.Lock()

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
        """Opens for clients at once. Tables where something is due are woken one after another
        meanwhile; whichever is asked for comes first."""
        self.preparation.begin()
        self.spawn(self.preparation.finish())
        self.listing.fill(await self.storage.listed(_MOST_KEPT_LISTED))
        self.spawn(self._wake_due())
        self.spawn(self._tidy())

    async def _wake_due(self) -> None:
        """Wakes the tables where something may be due: a bot's move, a clock, a world. Where only
        people are to act nobody waits before one of them comes. Those who were there when the
        server went down come back first, and wake theirs."""
        await asyncio.sleep(_PEOPLE_FIRST_SECONDS)
        for id, _ in await self.storage.due(now_ms(), _MOST_AWAKE):
            row = await self.storage.row(id)
            if row is None or id in self.tables:
                continue
            if self.preparation.is_ready(row.game):
                await self._wake_early(id)
                await asyncio.sleep(_BREATH_SECONDS)
            else:
                self.spawn(self._wake_early(id))

    async def _wake_early(self, id: str) -> None:
        try:
            await self.get(id)
        except QuarterdeckError:
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
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.search_pool.close()
        self.worlds.shutdown(wait=False, cancel_futures=True)
        self.planners.shutdown(wait=False, cancel_futures=True)
        await self.storage.close()

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(60)
            self.tidy()

    def tidy(self) -> None:
        """Lets tables go back to sleep where nobody was for a while and nothing can happen."""
        edge = time.monotonic() - _IDLE_SECONDS
        for id, live in list(self.tables.items()):
            is_still = live.is_quiet and live.table.status in ("waiting", "paused", "over")
            if is_still and not live.clients and live.idle_since < edge:
                del self.tables[id]
                if live.table.status == "waiting":
                    self.listing.drop(id)
        self.metrics.tables.set(len(self.tables))

    # Tables ----------------------------------------------------------------------------------

    async def get(self, id: str) -> LiveTable:
        """The table with this id, woken if it slept. Raises `NoSuchTable`."""
        live = self.tables.get(id) or self._finished.get(id)
        if live is not None:
            live.idle_since = time.monotonic()  # somebody is about to come
            return live
        if id not in self._waking:
            waking = self._waking[id] = asyncio.ensure_future(self._wake(id))
            waking.add_done_callback(lambda _: self._waking.pop(id, None))
        return await asyncio.shield(self._waking[id])

    async def _wake(self, id: str) -> LiveTable:
        data = await self.storage.load(id)
        if not data:
            raise NoSuchTable(f"there is no table {id!r}")
        entries = read_entries(id, data)
        if isinstance(entries[0], journal.Made):
            await self.preparation.wait_for(entries[0].game)
        live = LiveTable(self, Table.read(entries))
        await live.change(lambda table, now: table.wake(now))
        if live.table.status == "over":
            self._finished[id] = live
            return live
        self.tables[id] = live
        live.wake()
        self.metrics.tables.set(len(self.tables))
        return live

    async def make(self, request: NewTable, address: str) -> Seated:
        """A new table; with `start`, a game that begins at once. With a key that was there before
        it is the table made then."""
        if request.key is not None:
            before = await self._made_before(request.key)
            if before is not None:
                self.addresses.take("join", address)
                return before
        key = request.key or new_key()
        await self.preparation.wait_for(request.game)
        request = msgspec.structs.replace(request, key=key)
        table, keys = Table.make(table_id(key), request, now_ms())
        if request.start:
            self.check_worlds(table)
        self.addresses.make_table(address)
        if request.start:
            table.start([key.seat for key in keys], now_ms())
        try:
            await self._store_new(LiveTable(self, table))
        except Conflict:  # the same request was under way already
            before = await self._made_before(key)
            if before is None:
                raise
            return before
        return Seated(table.id, tuple(keys))

    async def _made_before(self, key: str) -> Seated | None:
        """The table that was made with this key, if there is one."""
        id = table_id(key)
        if id not in self.tables and await self.storage.row(id) is None:
            return None
        keys = (await self.get(id)).table.maker_keys(key)
        return Seated(id, tuple(keys))

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
            lambda table, now: table.join(
                request.name, request.seat, now, program=is_program, key=request.key or ""
            )
        )
        return Seated(id, (key,))

    async def _store_new(self, live: LiveTable) -> None:
        def keep(_: None) -> None:
            self.tables[live.table.id] = live
            self.metrics.tables.set(len(self.tables))

        await live.change(lambda table, now: None, then=keep)

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
            0 if table.goes_on_alone else None,
        )

    # Requests --------------------------------------------------------------------------------

    def receive(self, client: Client, data: bytes) -> None:
        """Carries out one request and answers it, in the order they come in."""
        if client.inbox is not None:
            if len(client.inbox) >= self.limits.waiting_requests:
                error = TooMany("too many requests at once", "waiting_requests")
                self.refuse(client, protocol.id_of(data), error)
            else:
                client.inbox.append(data)
            return
        id: int | None = None
        try:
            request = protocol.read_request(data)
            id = request.id
            slow = self._carry_out(client, request)
        except Exception as error:
            self.refuse(client, protocol.id_of(data) if id is None else id, as_told(error))
            return
        if slow is not None:
            client.inbox = deque()
            self.spawn(self._go_slowly(client, id, slow))

    async def _go_slowly(
        self, client: Client, id: int, slow: Coroutine[Any, Any, protocol.ServerMessage]
    ) -> None:
        """Waits for what takes its time; what the client asks meanwhile comes after it."""
        try:
            client.post(encode(await slow))
        except Exception as error:
            self.refuse(client, id, as_told(error))
        finally:
            waiting, client.inbox = client.inbox or (), None
            for data in waiting:
                self.receive(client, data)

    def refuse(self, client: Client, id: int | None, error: QuarterdeckError) -> None:
        """Answers a request that was not carried out."""
        self.metrics.count_refusal(error)
        client.post(encode(protocol.Refused(id, error.code, error.message, error.rule)))

    def _carry_out(
        self, client: Client, request: protocol.ClientMessage
    ) -> Coroutine[Any, Any, protocol.ServerMessage] | None:
        """Begins what is asked; what cannot be done by plain calls is handed back to be awaited."""
        if isinstance(request, protocol.Ping):
            client.post(encode(protocol.Ok(request.id)))
            return None
        if isinstance(request, protocol.Attach):
            if request.protocol != protocol.PROTOCOL:
                raise OldProtocol(f"this server speaks version {protocol.PROTOCOL}: load it again")
            self.addresses.take("attach", client.address)
            return self._attach(client, request)
        here = client.table
        if here is None:
            raise NotAttached("attach to a table first")

        def mine(seat: int) -> int:
            if seat not in client.seats:
                raise NotYourSeat(f"seat {seat} is not yours")
            return seat

        def change(command: Callable[[Table, int], Any]) -> None:
            here.request(client, request.id, getattr(request, "key", ""), command)

        seats = client.seats
        match request:
            case protocol.Act():
                seat, do, decision = mine(request.seat), request.do, request.decision
                change(lambda table, now: table.act(seat, do, now, decision=decision))
            case protocol.Gesture():
                mine(request.seat)
                here.gesture(client, request)
            case protocol.AskPreview():
                return self._preview(here, mine(request.seat), request)
            case protocol.AskHistory():
                if request.seat is not None:
                    mine(request.seat)
                self.addresses.take("history", client.address)
                return self._history(here, request)
            case protocol.AskHint():
                return self._hint(client, here, mine(request.seat), request)
            case protocol.Say():
                if not client.chats.take(time.monotonic()):
                    raise TooMany("one thing at a time", "chats")
                self._say(client, here, request)
            case protocol.Mute():
                (client.muted.add if request.muted else client.muted.discard)(request.seat)
                client.post(encode(protocol.Ok(request.id)))
            case protocol.Commit():
                seat = mine(request.seat)
                attempt, hash = request.attempt, request.hash
                change(lambda table, now: table.commit_bytes(seat, attempt, hash, now))
            case protocol.Reveal():
                seat = mine(request.seat)
                roster, data = request.roster, request.bytes
                change(lambda table, now: table.reveal_bytes(seat, roster, data, now))
            case protocol.Start():
                self.check_worlds(here.table)
                change(lambda table, now: table.start(seats, now))
            case protocol.Pause():
                change(lambda table, now: table.pause(seats, request.paused, now))
            case protocol.Remove():
                return self._remove(here, client, request)
            case protocol.Leave():
                return self._leave(here, mine(request.seat), request)
            case protocol.Resign():
                seat = mine(request.seat)
                change(lambda table, now: table.resign(seat, now))
            case protocol.Rematch():
                if not client.seats:
                    raise NotYourSeat("those who watch ask for no rematch")
                self.addresses.take("rematch", client.address)
                return self._rematch(here, client.address, request)
        return None

    async def _attach(self, client: Client, request: protocol.Attach) -> protocol.Ok:
        live = await self.get(request.table)
        live.table.seats_of(request.tokens)
        if client.table is not None and client.table is not live:
            client.table.detach(client)
        await live.attach(client, request.tokens)
        return protocol.Ok(request.id)

    async def _preview(
        self, live: LiveTable, seat: int, request: protocol.AskPreview
    ) -> protocol.PreviewTold:
        """What an action would come to."""
        told = await live.read(lambda table: table.preview(seat, request.do, request.decision))
        return protocol.PreviewTold(request.id, dict(told))

    async def _history(self, live: LiveTable, request: protocol.AskHistory) -> protocol.HistoryTold:
        """Plies of the table, as a seat or everybody was shown them. That takes some milliseconds,
        so that one is looked up at a time, and whatever else waits comes in between."""
        async with self._one_history:
            told = await live.read(lambda table: history_of(table, request))
            await asyncio.sleep(0)
        return told

    async def _hint(
        self, client: Client, live: LiveTable, seat: int, request: protocol.AskHint
    ) -> protocol.Ok:
        await live.begin_hint(client, seat, request.decision)
        return protocol.Ok(request.id)

    async def _remove(
        self, live: LiveTable, client: Client, request: protocol.Remove
    ) -> protocol.Ok:
        seats = client.seats

        def remove(table: Table, now: int) -> bool:
            table.remove(seats, request.seat, now)
            return True

        await live.change(remove, request.key, partial(self._make_spectators, live, request.seat))
        return protocol.Ok(request.id)

    async def _leave(self, live: LiveTable, seat: int, request: protocol.Leave) -> protocol.Ok:
        def leave(table: Table, now: int) -> bool:
            table.leave(seat, now)
            return True

        await live.change(leave, request.key, partial(self._make_spectators, live, seat))
        return protocol.Ok(request.id)

    def _make_spectators(self, live: LiveTable, seat: int, is_new: bool | None) -> None:
        """Turns the clients of a seat that is nobody's any more into spectators. Where that was
        asked for before, somebody else may sit there by now."""
        if not is_new:
            return
        for client in live.clients:
            if seat in client.seats:
                client.seats = [other for other in client.seats if other != seat]
                client.post(encode(protocol.Goodbye("removed")))
        live.tell_table()

    def _say(self, client: Client, live: LiveTable, request: protocol.Say) -> None:
        seat = client.seats[0] if client.seats else None

        def say(table: Table, now: int) -> ChatLine:
            name = table.seats[seat].name if seat is not None else ""
            return table.say(seat, name, request.text, now)

        def tell(line: ChatLine | None, error: QuarterdeckError | None) -> None:
            if error is not None:
                self.refuse(client, request.id, error)
                return
            if line is not None:  # else it was said before
                told = encode(protocol.ChatTold(live.table.id, (line,)))
                for other in live.clients:
                    if seat not in other.muted:
                        other.post(told)
            client.post(encode(protocol.Ok(request.id)))

        live.submit(say, tell, request.key)

    async def _rematch(
        self, live: LiveTable, address: str, request: protocol.Rematch
    ) -> protocol.Ok:
        """Makes a rematch. The new table is stored first: one that is announced is there. Its id
        follows from this table, so that it is made once, also if that was never announced."""
        async with live.rematching:
            if live.table.rematch is None:
                other = await live.read(lambda table: table.make_rematch(now_ms()))
                if await self.storage.row(other.id) is None:
                    self.addresses.make_table(address)
                    await self._store_new(LiveTable(self, other))
                await live.change(lambda table, now: table.announce(other.id, now), request.key)
        return protocol.Ok(request.id, live.table.rematch)

    def disconnect(self, client: Client) -> None:
        """Forgets a connection that is gone."""
        client.is_gone = True
        self.clients.discard(client)
        if client.table is not None:
            with contextlib.suppress(RuntimeError):
                client.table.detach(client)

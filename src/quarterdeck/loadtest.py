"""`quarterdeck loadtest`: tables full of real WebSocket clients that play real games.

Every seat is a connection of its own. At each table one seat after another does something legal,
chosen at random from its view, either at a pace or as soon as everybody has seen the move before.
With bots at the tables, one person sits at each, and the server needs all cores to think.
A move is measured from the action sent to the actor's own next view, and to that of the last seat.

The clients know no game and do as little as a client can, so that on a machine of two cores the
server is what is measured: it has one core to itself and the clients have the other.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gc
import http.client
import os
import random
import re
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec
import uvloop
from msgspec import Struct

from quarterdeck.contract import BadOption
from quarterdeck.engine.roster import Roster, roster_hash, seat_hash
from quarterdeck.server.protocol import PROTOCOL, RosterTold

PATIENCE_SECONDS = 15.0
_OPENED_AT_ONCE = 16
_START_SECONDS = 180.0  # it may have to compile the rules first
_STOP_SECONDS = 20.0


class Plan(Struct, frozen=True):
    """What is played in a load test. A pace of 0 means: as fast as the server answers.

    With `bots`, a level, one person sits at each table and bots on its other seats; their pace is
    `bot_pace_ms`. The time measured is then that from a person's action to its acknowledgement.
    """

    game: str = "skull-king"
    tables: int = 300
    seats: int = 4
    pace_ms: int = 500
    seconds: float = 20.0
    seed: int = 0
    warm_up_seconds: float = 2.0
    bots: str | None = None
    bot_pace_ms: int = 900
    options: dict[str, Any] = {}

    @property
    def people(self) -> int:
        """The seats of a table that are played by the load test."""
        return 1 if self.bots else self.seats


class Spread(Struct, frozen=True):
    """How long something took, in milliseconds."""

    p50: float
    p95: float
    p99: float
    longest: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Spread:
        """
        >>> Spread.of([0.001 * n for n in range(101)])
        Spread(p50=50.0, p95=95.0, p99=99.0, longest=100.0)
        """
        ranked = sorted(seconds) or [0.0]
        last = len(ranked) - 1
        marks = [ranked[round(last * share)] for share in (0.5, 0.95, 0.99, 1.0)]
        return cls(*(round(1000 * mark, 3) for mark in marks))


class Figures(Struct, frozen=True):
    """What a run has shown. CPU and memory are known only of a server on this machine.

    `own` is the time to the actor's own view, `everybody` that to the last view of the table.
    `clients_busy` is the share of their core the clients took: near 1, they are what was measured.
    """

    plan: Plan
    moves: int
    games_finished: int
    moves_per_second: float
    own: Spread
    everybody: Spread
    errors: dict[str, int]
    cpu_ms_per_move: float | None
    server_busy: float | None
    clients_busy: float
    memory_idle_mb: float | None
    memory_mb: float | None
    bot_moves_per_second: float

    def text(self) -> str:
        """The figures for people."""
        plan = self.plan
        pace = f"one move every {plan.pace_ms} ms" if plan.pace_ms else "without a pause"
        lines = [
            f"{plan.tables} tables of {plan.seats} at {plan.game}, {pace}, {plan.seconds:g} s",
            f"moves      {self.moves}, {self.moves_per_second:.1f} a second; "
            f"{self.games_finished} games finished",
        ]
        spreads = [("own view", self.own), ("all views", self.everybody)]
        if plan.bots:
            lines.append(f"{plan.bots:<11}{self.bot_moves_per_second:.1f} moves a second")
            spreads = [("acks", self.own)]
        for name, spread in spreads:
            lines.append(
                f"{name:<11}p50 {spread.p50:.2f}  p95 {spread.p95:.2f}  p99 {spread.p99:.2f}  "
                f"longest {spread.longest:.2f} ms"
            )
        lines.append(f"errors     {sum(self.errors.values())} {self.errors or ''}".rstrip())
        if self.cpu_ms_per_move is not None:
            lines.append(
                f"server     {self.cpu_ms_per_move:.3f} ms of CPU a move, {self.server_busy:.0%} "
                f"of a core, {self.memory_mb:.0f} MB ({self.memory_idle_mb:.0f} MB idle)"
            )
        lines.append(f"clients    {self.clients_busy:.0%} of a core")
        return "\n".join(lines)


# ---------------------------------------------------------------------------------------------
# The server under test
# ---------------------------------------------------------------------------------------------


class Server:
    """A server process, and what it takes of the machine. With no process, one already running."""

    def __init__(self, url: str, process: subprocess.Popen[str] | None = None) -> None:
        self.url = url
        self.process = process

    def cpu_seconds(self) -> float | None:
        """The processor time all threads of the server have taken."""
        if self.process is None:
            return None
        with contextlib.suppress(OSError):
            text = Path(f"/proc/{self.process.pid}/stat").read_text()
            user, system = text.rpartition(")")[2].split()[11:13]
            return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
        return None

    def memory_mb(self) -> float | None:
        """The memory the server holds, in megabytes."""
        if self.process is None:
            return None
        with contextlib.suppress(OSError):
            text = Path(f"/proc/{self.process.pid}/status").read_text()
            if found := re.search(r"VmRSS:\s+(\d+) kB", text):
                return int(found[1]) / 1024
        return None


@contextlib.contextmanager
def started(
    command: Sequence[str], cwd: Path | None = None, *, pinned: bool = True, **environment: str
) -> Iterator[Server]:
    """A server started by this command, which prints its address; pinned, on a core of its own."""
    can_pin = pinned and hasattr(os, "sched_getaffinity")
    cores = sorted(os.sched_getaffinity(0)) if can_pin else []
    # Affinity is inherited: the server's threads stay where this process is when it starts them.
    if len(cores) > 1:
        os.sched_setaffinity(0, cores[-1:])
    try:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        if len(cores) > 1:
            os.sched_setaffinity(0, cores[:-1])
        lines = process.stdout
        assert lines is not None
        watchdog = threading.Timer(_START_SECONDS, process.kill)
        watchdog.start()
        try:
            for line in lines:
                if found := re.search(r"http://\S+", line):
                    watchdog.cancel()
                    yield Server(found[0], process)
                    return
            raise BadOption(f"the server did not start: {' '.join(command)}")
        finally:
            watchdog.cancel()
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            lines.close()
    finally:
        if cores:
            os.sched_setaffinity(0, cores)


@contextlib.contextmanager
def started_quarterdeck(*, pinned: bool = True, data: Path | None = None) -> Iterator[Server]:
    """Our own server on a free port of the loopback, with a new database or what lies there."""
    with tempfile.TemporaryDirectory(prefix="quarterdeck-load-") as new:
        command = [sys.executable, "-m", "quarterdeck.cli", "serve", "--host", "127.0.0.1"]
        command += [
            "--port",
            "0",
            "--data",
            str(data or new),
            "--unlimited",
            "--log-level",
            "warning",
        ]
        with started(command, pinned=pinned) as server:
            yield server


# ---------------------------------------------------------------------------------------------
# Clients
# ---------------------------------------------------------------------------------------------

_TEXT, _BINARY, _CLOSE, _PING, _PONG = 1, 2, 8, 9, 10


def _ignore_frame(data: bytes) -> None:
    """Drops a frame of a live world, which most clients here need not see."""


class Socket(asyncio.Protocol):
    """A WebSocket client that does nothing but carry whole messages: a few µs each."""

    def __init__(
        self,
        host: str,
        path: str,
        hear: Callable[[bytes], None],
        lose: Callable[[], None],
        watch: Callable[[bytes], None] = _ignore_frame,
    ) -> None:
        self._host, self._path = host, path
        self._hear, self._lose, self._watch = hear, lose, watch
        self._rest = b""
        self._is_open = self._is_closed = False
        self._transport: asyncio.Transport
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is one but for its name
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self._transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        at, end = 0, len(data)
        if not self._is_open:
            at = data.find(b"\r\n\r\n") + 4
            if at < 4:
                self._rest = data
                return
            if not data.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(data[:200].decode("latin-1")))
                self._transport.close()
                return
            self._is_open = True
            self.opened.set_result(None)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if start + size > end:
                break
            kind, at = data[at], start + size
            if kind == 0x80 | _TEXT:
                self._hear(data[start:at])
            elif kind == 0x80 | _BINARY:
                self._watch(data[start:at])
            elif kind == 0x80 | _PING:
                self._write(_PONG, data[start:at])
            else:  # closed, or frames in parts, which no server here sends
                self._transport.close()
                return
        self._rest = data[at:]

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("closed before it was open"))
        if not self._is_closed:
            self._lose()

    def send(self, text: bytes) -> None:
        """Sends a text."""
        self._write(_TEXT, text)

    def close(self) -> None:
        """Closes the connection, in order."""
        self._is_closed = True
        self._write(_CLOSE, b"\x03\xe8")
        self._transport.close()

    def _write(self, kind: int, data: bytes) -> None:
        # A client masks what it sends; the mask of four zeros leaves it as it is.
        if len(data) < 126:
            head = bytes((0x80 | kind, 0x80 | len(data), 0, 0, 0, 0))
        else:
            head = bytes((0x80 | kind, 0x80 | 126)) + len(data).to_bytes(2, "big") + bytes(4)
        self._transport.write(head + data)


class Load:
    """A run: its tables, and what they have measured."""

    def __init__(self, plan: Plan, server: Server) -> None:
        self.plan = plan
        self.server = server
        self.address = urlsplit(server.url)
        self.random = random.Random(plan.seed)
        self.pace = plan.pace_ms / 1000
        self.is_measuring = False
        self.is_over = False
        self.own: list[float] = []
        self.everybody: list[float] = []
        self.games_finished = 0
        self.bot_moves = 0
        self.errors: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    def fail(self, code: str) -> None:
        """Counts an error, once the run has begun and until it ends."""
        if not self.is_over:
            self.errors[code] += 1

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs something beside the tables; that it failed is counted."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.fail(type(error).__name__)

    async def connect(
        self,
        path: str,
        hear: Callable[[bytes], None],
        lose: Callable[[], None],
        watch: Callable[[bytes], None] = _ignore_frame,
    ) -> Socket:
        """A WebSocket to the server under test."""
        host, port = self.address.hostname or "127.0.0.1", self.address.port or 80
        _, socket = await asyncio.get_running_loop().create_connection(
            lambda: Socket(self.address.netloc, path, hear, lose, watch), host, port
        )
        async with asyncio.timeout(PATIENCE_SECONDS):
            await socket.opened
        return socket


class Players(ABC):
    """The clients of one table. What is particular to a protocol is left to subclasses."""

    def __init__(self, load: Load, number: int) -> None:
        self.load = load
        self.number = number
        self.sockets: list[Socket] = []
        self._loop = asyncio.get_running_loop()
        self._due = 0.0  # when the next move is to be made
        self._sent = 0.0  # when the last one was
        self._actor = 0
        self._seq = -1  # how far the actor had seen the game
        self._unseen = 0  # the seats, as bits, that have not seen it yet
        self._is_stuck = True  # a move is due, but nobody has anything to choose from

    @abstractmethod
    async def open(self) -> None:
        """Connects every seat and starts a game, without making a move yet."""

    @abstractmethod
    def choose(self) -> tuple[int, int, bytes] | None:
        """A seat, how far it has seen the game, and the message that does something legal there.

        None if nobody can act, or not everybody has seen the game as far as the others.
        """

    def begin(self) -> None:
        """The table is ready for its first move, which comes at a moment of its own."""
        now = time.perf_counter()
        self._due = now + self.load.random.random() * self.load.pace
        self._act_later(now)

    def saw(self, seat: int, seq: int) -> None:
        """A seat has seen the game go on, as far as this."""
        now = time.perf_counter()
        bit = 1 << seat
        if self._unseen & bit:
            if seq <= self._seq:
                return
            if self.load.is_measuring and seat == self._actor:
                self.load.own.append(now - self._sent)
            self._unseen &= ~bit
            if self._unseen:
                return
            if self.load.is_measuring:
                self.load.everybody.append(now - self._sent)
            self._due += self.load.pace
            self._act_later(now)
        elif self._is_stuck and self._due:
            self._due = now
            self._act()

    def refused(self, code: str) -> None:
        """The move was not accepted: another one is tried in its place."""
        self.load.fail(code)
        self._unseen = 0
        self._loop.call_later(max(self.load.pace, 0.1), self._act)

    def rest(self) -> None:
        """No move until the table begins anew."""
        self._due, self._unseen, self._is_stuck = 0.0, 0, True

    def check(self) -> None:
        """Gives up a move that is not answered."""
        if self._unseen and time.perf_counter() - self._sent > PATIENCE_SECONDS:
            self.refused("no-answer")

    def _act_later(self, now: float) -> None:
        if self._due > now:
            self._loop.call_later(self._due - now, self._act)
        else:  # a move that had to wait for the one before counts from when it was due
            self._act(self._due if self.load.pace else now)

    def _act(self, since: float | None = None) -> None:
        if self.load.is_over or self._unseen or not self._due:
            return
        chosen = self.choose()
        self._is_stuck = chosen is None
        if chosen is None:
            return
        self._actor, self._seq, message = chosen
        self._sent = time.perf_counter() if since is None else since
        self._unseen = (1 << len(self.sockets)) - 1
        self.sockets[self._actor].send(message)


class _Shown(Struct, frozen=True):
    ply: int = 0
    decision: int = 0


class _Own(Struct, frozen=True):
    legal: tuple[str, ...] = ()


class _Heard(Struct):
    """What a client needs of any message of ours. See `protocol`."""

    type: str
    id: int | None = None
    ack: int | None = None
    code: str = ""
    table: str | None = None
    shown: _Shown = _Shown()
    own: tuple[_Own, ...] = ()
    status: str = ""

    @property
    def legal(self) -> tuple[str, ...]:
        return self.own[0].legal if self.own else ()


_heard = msgspec.json.Decoder(_Heard).decode
_roster = msgspec.json.Decoder(RosterTold).decode
_encode = msgspec.json.Encoder().encode


class QuarterdeckPlayers(Players):
    """People at a table of ours: one makes it, each attaches with a token; after the end they ask
    for the same again."""

    def __init__(self, load: Load, number: int) -> None:
        super().__init__(load, number)
        self._table = ""
        self._tokens: list[str] = []
        self._bytes: list[bytes] = []  # by seat, what it contributes to the deal
        self._views = [_Heard("view")] * load.plan.people
        self._asked: dict[int, asyncio.Future[_Heard]] = {}
        self._last_id = 0
        self._is_over = False

    async def open(self) -> None:
        plan = self.load.plan
        bots = [{"kind": "bot", "level": plan.bots}] * (plan.seats - plan.people)
        made = post(
            self.load.server.url,
            "/api/tables",
            {
                "game": plan.game,
                "options": plan.options,
                "seats": [{"kind": "mine"}] * plan.people + bots,
                "name": "Load",
                "bot_pace_ms": plan.bot_pace_ms,
            },
        )
        self._table, self._tokens = made["table"], [key["token"] for key in made["keys"]]
        for seat in range(plan.people):
            self.sockets.append(
                await self.load.connect(
                    "/ws",
                    partial(self._hear, seat),
                    lambda: self.load.fail("connection-lost"),
                )
            )
        await self._start()

    async def _start(self) -> None:
        self._is_over = False
        self._views = [_Heard("view")] * len(self.sockets)
        self._bytes = [secrets.token_bytes(32) for _ in self._tokens]
        for seat, token in enumerate(self._tokens):
            request = {"table": self._table, "tokens": [token], "protocol": PROTOCOL}
            await self._ask(seat, type="attach", **request)
            hash = seat_hash(self._table, 0, seat, self._bytes[seat])
            await self._change(seat, type="commit", seat=seat, attempt=0, hash=hash)
        await self._change(0, type="start")

    async def _reveal(self, seat: int, roster: Roster) -> None:
        hash, data = roster_hash(roster).hex(), self._bytes[seat].hex()
        await self._change(seat, type="reveal", seat=seat, roster=hash, bytes=data)

    async def _again(self) -> None:
        told = await self._change(0, type="rematch")
        assert told.table is not None
        self._table = told.table
        await self._start()
        self.begin()

    async def _change(self, asker: int, **request: Any) -> _Heard:
        return await self._ask(asker, key=secrets.token_hex(16), **request)

    async def _ask(self, asker: int, **request: Any) -> _Heard:
        """The answer to a request. Raises `ConnectionError` if it is refused."""
        self._last_id += 1
        answer: asyncio.Future[_Heard] = self._loop.create_future()
        self._asked[self._last_id] = answer
        self.sockets[asker].send(_encode({"id": self._last_id, **request}))
        async with asyncio.timeout(PATIENCE_SECONDS):
            told = await answer
        if told.type == "error":
            raise ConnectionError(told.code)
        return told

    def choose(self) -> tuple[int, int, bytes] | None:
        views = self._views
        able = [seat for seat, view in enumerate(views) if view.legal]
        if not able or any(view.shown.ply != views[0].shown.ply for view in views):
            return None
        seat = self.load.random.choice(able)
        view = views[seat]
        self._last_id += 1
        act = {
            "type": "act",
            "id": self._last_id,
            "seat": seat,
            "key": secrets.token_hex(16),
            "decision": view.shown.decision,
            "do": self.load.random.choice(view.legal),
        }
        return seat, view.shown.ply, _encode(act)

    def acknowledged(self) -> None:
        """A move was carried out and is stored."""

    def _hear(self, seat: int, data: bytes) -> None:
        heard = _heard(data)
        if heard.type == "view":
            if heard.table == self._table:
                self._views[seat] = heard
                if heard.ack is not None:
                    self._answered(heard.ack, heard)
                self.saw(seat, heard.shown.ply)
        elif heard.type in ("ok", "error"):
            self._answered(heard.id or 0, heard)
        elif heard.type == "roster":
            told = _roster(data)
            if told.reveals is None:
                self.load.spawn(self._reveal(seat, told.roster))
        elif heard.status == "over" and heard.table == self._table and not self._is_over:
            self._is_over = True
            self.load.games_finished += self.load.is_measuring
            self.rest()
            self.load.spawn(self._again())

    def _answered(self, id: int, heard: _Heard) -> None:
        asked = self._asked.pop(id, None)
        if asked is not None:
            asked.set_result(heard)
        elif heard.type == "error":
            self.refused(heard.code)
        else:
            self.acknowledged()


class AgainstBots(QuarterdeckPlayers):
    """One person at a table of bots, who thinks for the pace whenever it is their turn."""

    def __init__(self, load: Load, number: int) -> None:
        super().__init__(load, number)
        self._is_thinking = False
        self._seen = 0

    def saw(self, seat: int, seq: int) -> None:
        if self.load.is_measuring:
            self.load.bot_moves += max(0, seq - self._seen)  # less one's own, counted at the end
        self._seen = seq
        if self._views[0].legal and self._due and not self._unseen and not self._is_thinking:
            self._is_thinking = True
            self._loop.call_later(self.load.pace, self._think)

    def _think(self) -> None:
        self._is_thinking = False
        self._act()

    def acknowledged(self) -> None:
        if self.load.is_measuring:
            took = time.perf_counter() - self._sent
            self.load.own.append(took)
            self.load.everybody.append(took)
        self._unseen = 0
        self.saw(0, self._seen)


def post(url: str, path: str, body: Any) -> Any:
    """The answer to a request over HTTP. Raises `BadOption` if it is refused."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE_SECONDS)
    with contextlib.closing(connection):
        connection.request("POST", path, _encode(body))
        answer = connection.getresponse()
        data = answer.read()
    if answer.status != 200:
        raise BadOption(f"{url}{path} answered {answer.status}: {data.decode()[:200]}")
    return msgspec.json.decode(data)


# ---------------------------------------------------------------------------------------------
# The run
# ---------------------------------------------------------------------------------------------


def load_test(plan: Plan, server: Server, players: type[Players] | None = None) -> Figures:
    """Plays as planned and returns what was measured."""
    players = players or (AgainstBots if plan.bots else QuarterdeckPlayers)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_run(plan, server, players))


async def _run(plan: Plan, server: Server, kind: type[Players]) -> Figures:
    load = Load(plan, server)
    memory_idle = server.memory_mb()
    tables = [kind(load, number) for number in range(plan.tables)]
    try:
        for first in range(0, plan.tables, _OPENED_AT_ONCE):
            some = tables[first : first + _OPENED_AT_ONCE]
            await asyncio.gather(*(table.open() for table in some))
    except (OSError, TimeoutError) as error:
        raise BadOption(f"cannot open tables at {server.url}: {error!r}") from error
    gc.freeze()
    for table in tables:
        table.begin()
    await asyncio.sleep(plan.warm_up_seconds)

    load.is_measuring = True
    began, cpu, own_cpu = time.perf_counter(), server.cpu_seconds(), time.process_time()
    while (left := began + plan.seconds - time.perf_counter()) > 0:
        await asyncio.sleep(min(1.0, left))
        for table in tables:
            table.check()
    load.is_measuring = False
    seconds = time.perf_counter() - began
    cpu_after, own_cpu = server.cpu_seconds(), time.process_time() - own_cpu
    memory = server.memory_mb()

    load.is_over = True
    for table in tables:
        for socket in table.sockets:
            socket.close()
    await asyncio.sleep(0.2)
    gc.unfreeze()
    moves = len(load.everybody)
    cpu_used = cpu_after - cpu if cpu_after is not None and cpu is not None else None
    return Figures(
        plan,
        moves,
        load.games_finished,
        round(moves / seconds, 1),
        Spread.of(load.own),
        Spread.of(load.everybody),
        dict(load.errors),
        round(1000 * cpu_used / max(moves, 1), 4) if cpu_used is not None else None,
        round(cpu_used / seconds, 3) if cpu_used is not None else None,
        round(own_cpu / seconds, 3),
        round(memory_idle, 1) if memory_idle is not None else None,
        round(memory, 1) if memory is not None else None,
        round(max(0, load.bot_moves - moves) / seconds, 1),
    )

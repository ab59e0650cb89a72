"""Small tools for the tests of the server: a real process, players over WebSockets, and a hub
without either."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import http.client
import json
import os
import re
import secrets
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

import quarterdeck
from quarterdeck.contract import QuarterdeckError
from quarterdeck.engine.match import Step
from quarterdeck.engine.roster import Roster, roster_hash, seat_hash
from quarterdeck.server import protocol
from quarterdeck.server.errors import Conflict, NotStored
from quarterdeck.server.history import happened
from quarterdeck.server.hub import Hub
from quarterdeck.server.journal import (
    Acted,
    Fixed,
    JournalEntry,
    Made,
    Revealing,
    Started,
    read_entry,
    write_entry,
)
from quarterdeck.server.live_table import Client
from quarterdeck.server.protocol import FRAME, PROTOCOL, Clock, NewTable, SeatPlan, ViewTold, encode
from quarterdeck.server.settings import DATABASE
from quarterdeck.server.storage import Storage, TableRow, Then
from quarterdeck.server.table import Table

PATIENCE_S = 30.0
"""How long a test waits for what must come; only a failing one waits so long."""

GAME = "skull-king"


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that runs in an event loop of its own."""

    @functools.wraps(test)
    def run(*given: Any, **named: Any) -> None:
        asyncio.run(test(*given, **named))

    return run


# A server process ----------------------------------------------------------------------------


class Server:
    """`quarterdeck serve` in a process of its own, on a port of its own."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.data = data
        self.arguments = arguments
        self.log_path = data / "server.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.address = ""

    @property
    def database(self) -> Path:
        return self.data / DATABASE

    @property
    def log(self) -> str:
        """What the server wrote to its log so far."""
        return self.log_path.read_text("utf-8")

    def start(self) -> Server:
        """Starts it and waits until it answers."""
        self.data.mkdir(parents=True, exist_ok=True)
        source = str(Path(quarterdeck.__file__).parents[1])
        command = ["-m", "quarterdeck.cli", "serve", "--port", "0", "--data", str(self.data)]
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, *command, *self.arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                env=os.environ | {"PYTHONPATH": source},
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        assert line.startswith("Quarterdeck is at http://"), line + self.log
        self.address = line.removeprefix("Quarterdeck is at http://").strip()
        assert self.fetch("GET", "/healthz").status == 200
        return self

    @property
    def is_gone(self) -> bool:
        """Whether the process has ended."""
        return self.process is None or self.process.poll() is not None

    def end(self, number: int = signal.SIGTERM) -> int:
        """Sends the process a signal and waits for its end; its exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def kill(self) -> None:
        """Ends the process as a power cut would."""
        self.end(signal.SIGKILL)

    def fetch(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """One HTTP request. A body that is neither bytes nor None is sent as JSON."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection(self.address, timeout=PATIENCE_S)
        with contextlib.closing(connection):
            connection.request(method, path, data, headers or {})
            answer = connection.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read())

    def make(self, *seats: str, **given: Any) -> Seated:
        """A new table with these kinds of seats: `mine`, `open`, `bot`, `closed`."""
        answer = self.fetch("POST", "/api/tables", new_table(*seats, **given))
        assert answer.status == 200, answer.body
        return Seated(answer.json)

    def join(self, table: str, name: str = "Guest", **given: Any) -> Seated:
        answer = self.fetch("POST", f"/api/tables/{table}/join", {"name": name, **given})
        assert answer.status == 200, answer.body
        return Seated(answer.json)

    async def player(self, **given: Any) -> Player:
        """A connection that is attached to no table."""
        return Player(await connect(f"ws://{self.address}/ws", max_size=None, **given))

    async def attached(self, table: str, *tokens: str) -> Player:
        """A connection that is attached to a table with these tokens."""
        player = await self.player()
        assert (await player.attach(table, *tokens))["type"] == "ok"
        return player

    def journal(self, table: str) -> list[JournalEntry]:
        """The journal as it lies on the disk."""
        return [read_entry(entry) for entry in read_journals(self.database, table)[table]]


class Answer(msgspec.Struct):
    """An HTTP answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Seated:
    """A table and the tokens one holds there, by seat."""

    def __init__(self, answer: Any) -> None:
        self.table: str = answer["table"]
        self.tokens: dict[int, str] = {key["seat"]: key["token"] for key in answer["keys"]}

    @property
    def token(self) -> str:
        """The token of the first seat."""
        return next(iter(self.tokens.values()))


def new_table(*seats: str, **given: Any) -> dict[str, Any]:
    """The body that makes a table: bots do not dawdle, and nobody is given up soon."""
    plans = [{"kind": kind} for kind in seats]
    return {
        "game": GAME, "name": "Maker", "seats": plans, "bot_pace_ms": 0, "grace_ms": 600_000,
    } | given  # fmt: skip


def read_journals(database: Path, table: str | None = None) -> dict[str, list[bytes]]:
    """The journals of a database file, all or of one table, whoever else has it open. Numbers have
    no gaps."""
    journals: dict[str, list[bytes]] = {}
    which, values = ("WHERE table_id = ?", [table]) if table else ("", [])
    with contextlib.closing(sqlite3.connect(database)) as connection:
        rows = connection.execute(
            f"SELECT table_id, seq, entry FROM journal {which} ORDER BY 1, 2", values
        )
        for id, seq, entry in rows:
            entries = journals.setdefault(id, [])
            assert seq == len(entries), f"{id} has a gap before {seq}"
            entries.append(entry)
    return journals


# Players over WebSockets ---------------------------------------------------------------------


BINDERS_IDS = 2**40  # from here on, of what a player sends without being asked to
CHANGES = frozenset(
    ("act", "chat", "commit", "reveal", "start", "pause", "remove", "leave", "resign", "rematch")
)


def unfolded(message: dict[str, Any]) -> list[dict[str, Any]]:
    """A view as each of the client's seats, or one who watches, sees it: all keys in one place."""
    shown = message["shown"]
    views = []
    for own in message.get("own") or [{"seat": None}]:
        common = {key: own.get(key, shown[key]) for key in ("to_act", "scores", "winners")}
        parts = (shown["view"], shown["outlook"], own.get("view"), own.get("outlook"))
        views.append(
            {
                "type": "view",
                "ack": message.get("ack"),
                "table": message["table"],
                "seat": own["seat"],
                "seq": shown["ply"],
                "decision": shown["decision"],
                "view": common | {key: part[key] for part in parts if part for key in part},
                "legal": own.get("legal", []),
                "templates": own.get("templates", []),
                "events": [event for past in shown["happened"] for event in past["events"]],
                "happened": shown["happened"],
                "clocks": shown["clocks"],
                "due": shown["due"],
                "attached": shown["attached"],
            }
        )
    return views


class Binder:
    """The part of a page that binds bytes and reveals them: what it answers to what it is told."""

    def __init__(self) -> None:
        self.bytes: dict[tuple[str, int, int], bytes] = {}  # by table, attempt and seat
        self.rosters: list[dict[str, Any]] = []  # all that came
        self.holds_back = False  # reveals nothing

    def answers(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """What a page sends at once, without ids and keys."""
        if message["type"] == "table" and message["status"] in ("waiting", "revealing"):
            table, attempt = message["table"], message["attempt"]
            return [
                {"type": "commit", "seat": seat, "attempt": attempt, "hash": hash}
                for seat in message["you"]
                if seat in message["contributors"]
                and (hash := self._bind(table, attempt, seat)) is not None
            ]
        if message["type"] == "roster":
            self.rosters.append(message)
            if message["reveals"] is None and not self.holds_back:
                roster = msgspec.convert(message["roster"], Roster)
                hash = roster_hash(roster).hex()
                return [
                    {"type": "reveal", "seat": seat, "roster": hash, "bytes": data.hex()}
                    for (table, attempt, seat), data in self.bytes.items()
                    if (table, attempt) == (roster.table, roster.attempt)
                ]
        return []

    def _bind(self, table: str, attempt: int, seat: int) -> str | None:
        """The hash of fresh bytes; None if some were bound before."""
        if (table, attempt, seat) in self.bytes:
            return None
        data = self.bytes[table, attempt, seat] = secrets.token_bytes(32)
        return seat_hash(table, attempt, seat, data)


def view_bytes(table: Table, seat: int | None, steps: Sequence[Step] = (), now: int = 9) -> bytes:
    """The view that the client of a seat, or one who watches, is sent, with what just happened."""
    match = table.playing
    first = len(match.log) - len(steps) + 1
    past = [Raw(encode(happened(match, step, first + i))) for i, step in enumerate(steps)]
    own = () if seat is None else (table.own(seat),)
    return encode(ViewTold(table.id, table.shown(past, now), own))


_LINK = re.compile(rb'("link":\{"n":\d+,"hash":")[0-9a-f]{64}"\}')


def without_link(data: bytes) -> bytes:
    """A view in which the newest link is hidden: the one thing in it that depends on what cannot be
    seen, and tells nothing of it, since it is blinded."""
    hidden, count = _LINK.subn(rb'\1?"}', data)
    assert count == (data.startswith(b'{"type":"view"') and b'"link":null' not in data), data
    return hidden


def view_of(
    table: Table, seat: int | None, steps: Sequence[Step] = (), now: int = 9
) -> dict[str, Any]:
    """That view, unfolded."""
    return unfolded(json.loads(view_bytes(table, seat, steps, now)))[0]


class Player:
    """One WebSocket: asks, and keeps what it is told."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.told: list[dict[str, Any]] = []  # everything but answers, in order
        self.frames: list[bytes] = []  # of live worlds
        self.wire: list[dict[str, Any]] = []  # rosters and views as they came
        self.table: dict[str, Any] = {}
        self.views: dict[int | None, dict[str, Any]] = {}
        self.close_code: int | None = None
        self.is_closed = False
        self._answers: dict[int | None, asyncio.Future[dict[str, Any]]] = {}
        self._last_id = 0
        self._last_bind = BINDERS_IDS
        self._news = asyncio.Event()
        self._sending: set[asyncio.Task[None]] = set()
        self.binder: Binder | None = Binder()  # None: this one binds nothing by itself
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for data in self.socket:
                if isinstance(data, bytes):
                    self.frames.append(data)
                    self._news.set()
                else:
                    self._take(json.loads(data))
        except ConnectionClosed:
            pass
        finally:
            self.is_closed = True
            self.close_code = self.socket.close_code
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(ConnectionError("the server is gone"))
                    answer.exception()  # whoever still waits sees it; nobody else need
            self._news.set()

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "ok" and message["id"] >= BINDERS_IDS:
            return
        if message["type"] in ("roster", "view"):
            self.wire.append(message)
        for request in self.binder.answers(message) if self.binder else []:
            self._last_bind += 1
            request |= {"id": self._last_bind, "key": secrets.token_hex(16)}
            task = asyncio.create_task(self._send(request))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)
        if message["type"] in ("ok", "error", "preview", "history"):
            # what could not be read is answered without its id; answers come in order
            id = message["id"] if message["id"] is not None else next(iter(self._answers), None)
            answer = self._answers.pop(id, None)
            if answer is not None:
                if not answer.done():  # whoever asked may have been cancelled
                    answer.set_result(message)
                return
        if message["type"] == "view":
            for view in unfolded(message):
                view["view"] = {"game": self.table["game"], **view["view"]}
                self.views[view["seat"]] = view
                self.told.append(view)
            answer = self._answers.pop(message.get("ack"), None)
            if answer is not None and not answer.done():
                answer.set_result({"type": "ok", "id": message["ack"]})
        else:
            self.told.append(message)
        if message["type"] == "table":
            if message["table"] != self.table.get("table"):
                self.views = {}
            self.table = message
        self._news.set()

    async def _send(self, request: dict[str, Any]) -> None:
        with contextlib.suppress(ConnectionClosed):
            await self.socket.send(json.dumps(request))

    async def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        """The answer to a request, `ok` or `error`. Raises `ConnectionError` if none comes."""
        if self.is_closed:
            raise ConnectionError("the server is gone")
        self._last_id += 1
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[self._last_id] = answer
        try:
            if type in CHANGES:
                fields = {"key": secrets.token_hex(16), **fields}
            await self.socket.send(json.dumps({"type": type, "id": self._last_id, **fields}))
        except ConnectionClosed as error:
            raise ConnectionError("the server is gone") from error
        async with asyncio.timeout(PATIENCE_S):
            return await answer

    async def attach(self, table: str, *tokens: str) -> dict[str, Any]:
        return await self.ask("attach", table=table, tokens=list(tokens), protocol=PROTOCOL)

    async def act(self, seat: int, do: str, decision: int | None = None) -> dict[str, Any]:
        """Acts on a seat; unless said otherwise, in answer to the newest view."""
        if decision is None:
            decision = self.views[seat]["decision"]
        return await self.ask("act", seat=seat, decision=decision, do=do)

    async def until(self, is_so: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
        """Waits until something is so, looking whenever a message has come."""
        async with asyncio.timeout(patience_s):
            while not is_so():
                if self.is_closed:
                    raise ConnectionError("the server is gone")
                self._news.clear()
                await self._news.wait()

    async def until_view(self, seat: int | None, seq: int = 0) -> dict[str, Any]:
        """The first view of a seat that is at least this new."""
        await self.until(lambda: seat in self.views and self.views[seat]["seq"] >= seq)
        return self.views[seat]

    async def until_turn(self, seat: int) -> dict[str, Any]:
        """The first view in which the seat may choose."""
        await self.until(lambda: seat in self.views and self.views[seat]["legal"])
        return self.views[seat]

    @property
    def status(self) -> str:
        return str(self.table.get("status", ""))

    async def play(
        self,
        choose: Callable[[dict[str, Any]], str] = lambda view: view["legal"][0],
        acted: Callable[[int, int, str], None] = lambda seat, decision, do: None,
        until: Callable[[], bool] = lambda: False,
    ) -> None:
        """Plays all its seats until the game is over. `acted` hears of what was acknowledged."""
        while True:
            due: list[dict[str, Any]] = []

            def look(due: list[dict[str, Any]] = due) -> bool:
                due[:] = [view for view in self.views.values() if view["legal"]]
                return bool(due) or self.status == "over" or until()

            await self.until(look)
            if self.status == "over" or until():
                return
            for view in due:
                seat, decision, do = view["seat"], view["decision"], choose(view)
                answer = await self.act(seat, do, decision)
                if answer["type"] == "ok":
                    acted(seat, decision, do)
                elif answer["code"] not in ("past-decision", "not-your-turn", "wrong-time"):
                    raise AssertionError(answer)

    async def close(self) -> None:
        await self.socket.close()
        await self._reader


@contextlib.asynccontextmanager
async def at(*players: Awaitable[Player] | Player) -> Any:
    """Players who hang up at the end."""
    here: list[Player] = []
    try:
        for player in players:
            here.append(player if isinstance(player, Player) else await player)
        yield here if len(here) != 1 else here[0]
    finally:
        for player in here:
            await player.close()


# A hub without sockets or files --------------------------------------------------------------


class MemoryStorage:
    """Storage in a dictionary: `is_full` refuses as a full disk does, `is_gone` cannot be read."""

    def __init__(self) -> None:
        self.journals: dict[str, list[bytes]] = {}
        self.kept_rows: dict[str, TableRow] = {}
        self.records: dict[str, bytes] = {}
        self.is_full = False
        self.is_gone = False

    def append(
        self,
        table: str,
        expected_seq: int,
        entries: Sequence[bytes],
        row: TableRow | None,
        record: bytes | None,
        then: Then,
    ) -> None:
        def store() -> None:
            length = len(self.journals.get(table, ()))
            if self.is_full:
                then(NotStored("the disk is full"))
                return
            if length != expected_seq:
                then(Conflict(f"table {table} has {length} entries, not {expected_seq}"))
                return
            self.journals.setdefault(table, []).extend(entries)
            if row is not None:
                self.kept_rows[table] = row
            if record is not None:
                self.records[table] = record
            then(None)

        asyncio.get_running_loop().call_soon(store)

    async def load(self, table: str) -> list[bytes]:
        if self.is_gone:
            raise NotStored("the disk is gone")
        return list(self.journals.get(table, ()))

    async def row(self, table: str) -> TableRow | None:
        return self.kept_rows.get(table)

    async def rows(self, statuses: Sequence[str], limit: int) -> list[TableRow]:
        found = [row for row in self.kept_rows.values() if row.status in statuses]
        return sorted(found, key=lambda row: -row.changed_at)[:limit]

    async def listed(self, limit: int) -> list[TableRow]:
        found = await self.rows(("playing", "revealing", "paused"), len(self.kept_rows))
        return sorted((row for row in found if row.listed), key=lambda row: -row.made_at)[:limit]

    async def due(self, until_ms: int, limit: int) -> list[tuple[str, int]]:
        found = [
            (row.due_at, row.id)
            for row in self.kept_rows.values()
            if row.due_at is not None and row.due_at <= until_ms
        ]
        return [(id, due_at) for due_at, id in sorted(found)[:limit]]

    async def record(self, table: str) -> bytes | None:
        return self.records.get(table)

    async def back_up(self, target: Path) -> None:
        raise NotStored("there is no file to copy")

    async def close(self) -> None:
        pass


async def appended(
    storage: Storage,
    table: str,
    expected_seq: int,
    entries: Sequence[bytes],
    row: TableRow | None = None,
    record: bytes | None = None,
) -> None:
    """Appends, and waits until it is stored. Raises what it is refused with."""
    done: asyncio.Future[QuarterdeckError | None] = asyncio.get_running_loop().create_future()
    storage.append(table, expected_seq, entries, row, record, done.set_result)
    error = await done
    if error is not None:
        raise error


class Ear:
    """A client of a hub that keeps every byte it is sent, and asks as a socket would."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.heard: list[bytes] = []
        self.binder: Binder | None = Binder()  # None: this one binds nothing by itself
        self._last_bind = BINDERS_IDS
        self.client = Client(self._hear, hub.limits)
        hub.clients.add(self.client)
        self._last_id = 0
        self._read: list[dict[str, Any]] = []
        self._read_up_to = 0

    async def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        """The answer to a request."""
        self._last_id += 1
        id = self._last_id
        request = {"type": type, "id": id, **fields}
        if type in CHANGES:
            request = {"key": secrets.token_hex(16)} | request
        if type == "attach":
            request = {"protocol": PROTOCOL} | request
        self.hub.receive(self.client, json.dumps(request).encode())
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for answer in reversed(self.messages):
                    if answer.get("id") == id:
                        return dict(answer)
                    if answer.get("ack") == id:
                        return {"type": "ok", "id": id}
                await asyncio.sleep(0)

    def _hear(self, data: bytes) -> None:
        if data[0] != FRAME and self.binder is not None:
            message = json.loads(data)
            if message["type"] == "ok" and message["id"] >= BINDERS_IDS:
                return
            for request in self.binder.answers(message):
                self._last_bind += 1
                request |= {"id": self._last_bind, "key": secrets.token_hex(16)}
                sent = json.dumps(request).encode()
                asyncio.get_running_loop().call_soon(self.hub.receive, self.client, sent)
        self.heard.append(data)

    async def act_now(self, seat: int, do: str) -> None:
        """Acts in answer to the newest view; that must be carried out."""
        views = [m for m in self.messages if m["type"] == "view"]
        answer = await self.ask("act", seat=seat, decision=views[-1]["decision"], do=do)
        assert answer["type"] == "ok", answer

    @property
    def messages(self) -> list[dict[str, Any]]:
        """All but the frames of live worlds; views as each seat sees them."""
        news = self.heard[self._read_up_to :]
        self._read_up_to += len(news)
        for data in news:
            if data[0] != FRAME:
                message = json.loads(data)
                self._read += unfolded(message) if message["type"] == "view" else [message]
        return self._read

    @property
    def frames(self) -> list[bytes]:
        """The frames of live worlds."""
        return [data for data in self.heard if data[0] == FRAME]

    def last(self, type: str) -> dict[str, Any]:
        """The newest message of a type."""
        for message in reversed(self.messages):
            if message["type"] == type:
                return dict(message)
        raise AssertionError(f"no {type} was sent")


async def begun(hub: Hub, request: NewTable, address: str = "here") -> protocol.Seated:
    """A new table of a hub; where it is to start, the game has begun, without anybody's bytes."""
    seated = await hub.make(request, address)
    if request.start:
        await hub.tables[seated.table].change(wait_no_longer)
    return seated


# Tables without a hub ------------------------------------------------------------------------


def plan(*seats: str, game: str = GAME, **given: Any) -> NewTable:
    """A request for a table with these kinds of seats."""
    plans = tuple(SeatPlan(kind) for kind in seats)  # type: ignore[arg-type]
    return NewTable(game, plans, "Maker", **{"bot_pace_ms": 0} | given)


def made_table(*seats: str, now: int = 1000, **given: Any) -> tuple[Table, dict[int, str]]:
    """A table and the tokens of its maker, by seat."""
    table, keys = Table.make("aaaaaaaa", plan(*seats, **given), now)
    return table, {key.seat: key.token for key in keys}


def started_table(*seats: str, now: int = 1000, **given: Any) -> Table:
    """A table where the game has begun."""
    table, _ = made_table(*seats, now=now, **given)
    start(table, now)
    return table


def start(table: Table, now: int) -> None:
    """Begins the game of a table; nobody contributes anything to it."""
    table.start([table.host], now)
    wait_no_longer(table, now)


def begun_journal(made: Made, now: int) -> list[JournalEntry]:
    """The journal of a table whose game has just begun, before its first draw; nobody has
    contributed anything."""
    table = Table.read([made])
    salts = tuple("00" * 16 for _ in table.seats)
    revealing = Revealing(now, tuple(table.names))
    return [made, revealing, Fixed(now, table._make_roster(salts), salts), Started(now)]


def wait_no_longer(table: Table, now: int) -> None:
    """Lets the time be over that a table waits for bytes, as often as it takes."""
    while table.stage is not None:
        table.wait_no_longer(table.stage, now)


def fold(table: Table) -> Table:
    """The table its journal tells, once through bytes. Takes what is pending."""
    return Table.read(read_entry(write_entry(entry)) for entry in table.pending)


def folded(entries: Sequence[bytes]) -> Iterator[tuple[Table, JournalEntry]]:
    """Each entry of a stored journal with the table before it; raises where it does not fold."""
    table = Table()
    for data in entries:
        entry = read_entry(data)
        yield table, entry
        table._apply(entry)
        table.seq += 1


def actions_in(entries: Sequence[bytes]) -> dict[tuple[int, int], str]:
    """What each seat did at each decision, by the stored journal."""
    done = {}
    for table, entry in folded(entries):
        if isinstance(entry, Acted) and entry.by >= 0:
            key = (entry.by, table.playing.decision)
            assert key not in done, f"{key} twice"
            done[key] = entry.do
    return done


def snapshot(table: Table) -> dict[str, Any]:
    """Everything a table is, to be compared."""
    match = table.match
    return {
        "id": table.id,
        "seq": table.seq,
        "made": table.made,
        "status": table.status,
        "seats": [(*vars(seat).values(),) for seat in table.seats],
        "beginning": vars(table.beginning),
        "facts": table.facts,
        "link": table.chain and (table.chain.n, table.chain.link),
        "chat": table.chat,
        "rematch": table.rematch,
        "resigned_by": table.resigned_by,
        "left_ms": table.left_ms,
        "since": table.since,
        "state": match and match.state.tobytes(),
        "log": match and match.log,
        "decision": match and match.decision,
        "next": match and match.chance.rng(7).tobytes(),
    }


PER_MOVE = Clock("per-move", move_ms=30_000)
BANK = Clock("bank", bank_ms=60_000, increment_ms=2_000)

"""Many tables at one server: opening with thousands stored, the list of them, what each costs, and
how soon everybody is back after a kill: `make bench-tables`.

The tables are stored first, each with a game under way. A client of the kill tries again as the
browser's does (`web/src/connection.ts`), and is whole with its next view.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import random
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import msgspec
import uvloop

from quarterdeck.loadtest import Load, Plan, Server, started
from quarterdeck.server.hub import Hub
from quarterdeck.server.journal import write_entry
from quarterdeck.server.keys import maker_token, new_key, table_id
from quarterdeck.server.live_table import LiveTable, now_ms
from quarterdeck.server.protocol import PROTOCOL, Clock, NewTable, SeatPlan
from quarterdeck.server.settings import DATABASE
from quarterdeck.server.storage import SqliteStorage
from quarterdeck.server.table import Table
from results import keep_section, table

PLIES = 60  # of every stored game
SEATS = 4
CALLS = 300
FIRST_DELAY_S, LONGEST_DELAY_S = 0.5, 15.0  # as in web/src/connection.ts
PATIENCE_S = 120.0
CLOCKS = (Clock(), Clock("bank", bank_ms=3_600_000))

Stored = tuple[str, list[str]]
"""A table, and the tokens of its seats."""


def playing(key: str, clock: Clock, rng: random.Random) -> Table:
    """A table in the middle of a game of four people."""
    seats = (SeatPlan("mine"),) * SEATS
    request = NewTable("skull-king", seats, "Crew", clock=clock, grace_ms=3_600_000, key=key)
    made, _ = Table.make(table_id(key), request, now_ms())
    made.start([0], now_ms())
    while len(made.playing.log) < PLIES:
        seat = made.playing.seats_to_act[0]
        made.act(seat, rng.choice(made.playing.legal(seat)), now_ms())
    return made


async def store(folder: Path, count: int) -> list[Stored]:
    """So many tables in a new database, every other one with clocks."""
    storage = SqliteStorage(folder / DATABASE)
    hub, rng = Hub(storage), random.Random(1)
    stored: list[Stored] = []
    done: list[asyncio.Future[Any]] = []
    for number in range(count):
        key = new_key()
        made = playing(key, CLOCKS[number % 2], rng)
        lines = [write_entry(entry) for entry in made.pending]
        future = asyncio.get_running_loop().create_future()
        done.append(future)
        storage.append(made.id, 0, lines, hub.row(LiveTable(hub, made)), None, future.set_result)
        stored.append((made.id, [maker_token(key, made.id, seat) for seat in range(SEATS)]))
    for error in await asyncio.gather(*done):
        assert error is None, error
    await hub.close()
    return stored


@contextlib.contextmanager
def serving(folder: Path, port: int) -> Iterator[Server]:
    """The server with the database in a folder."""
    command = [sys.executable, "-m", "quarterdeck.cli", "serve", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--data", str(folder), "--unlimited", "--log-level", "warning"]
    with started(command, pinned=False) as server:
        yield server


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        port: int = line.getsockname()[1]
        return port


def fetch(server: Server, path: str) -> Any:
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=30)
    with contextlib.closing(connection):
        connection.request("GET", path)
        answer = connection.getresponse()
        data = answer.read()
    assert answer.status == 200, data
    return msgspec.json.decode(data)


class Guest:
    """A client that wants to see one table, and comes back whenever it is lost."""

    def __init__(self, load: Load, table: str, token: str, whole: Callable[[], None]) -> None:
        self.load, self.table, self.token, self.whole = load, table, token, whole
        self.failures = 0
        self.is_over = False
        self.lost_at = time.perf_counter()
        self.took: float | None = None
        self._trying: asyncio.Task[None] | None = None

    def come(self) -> None:
        self._trying = asyncio.get_running_loop().create_task(self._come())

    async def _come(self) -> None:
        try:
            socket = await self.load.connect("/ws", self._hear, self._lose)
        except (OSError, TimeoutError):
            self._again()
            return
        attach = {"type": "attach", "id": 1, "table": self.table, "tokens": [self.token]}
        socket.send(json.dumps(attach | {"protocol": PROTOCOL}).encode())

    def _hear(self, data: bytes) -> None:
        if self.took is None and data.startswith(b'{"type":"view"'):
            self.failures = 0
            self.took = time.perf_counter() - self.lost_at
            self.whole()

    def _lose(self) -> None:
        if self.is_over:
            return
        if self.took is not None:
            self.lost_at, self.took = time.perf_counter(), None
        self._again()

    def _again(self) -> None:
        longest = min(FIRST_DELAY_S * 2**self.failures, LONGEST_DELAY_S)
        self.failures += 1
        wait = longest * (0.5 + 0.5 * random.random())
        asyncio.get_running_loop().call_later(wait, self.come)


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def after_a_kill(folder: Path, stored: list[Stored]) -> list[list[str]]:
    """How soon all clients of these tables are whole again."""
    port = free_port()

    async def run() -> tuple[list[float], list[float], float]:
        whole = asyncio.Event()
        missing = SEATS * len(stored)

        def count() -> None:
            nonlocal missing
            missing -= 1
            if missing == 0:
                whole.set()

        with serving(folder, port) as server:
            load = Load(Plan(), server)
            guests = [Guest(load, id, token, count) for id, tokens in stored for token in tokens]
            for place, guest in enumerate(guests):
                guest.lost_at = time.perf_counter()
                guest.come()
                if place % 50 == 49:
                    await asyncio.sleep(0.05)
            async with asyncio.timeout(PATIENCE_S):
                await whole.wait()
            whole.clear()
            missing = len(guests)
            assert server.process is not None
            killed = time.perf_counter()
            server.process.kill()
            server.process.wait()
            starting = serving(folder, port)
            await asyncio.to_thread(starting.__enter__)
            opened = time.perf_counter() - killed
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await whole.wait()
                took = [guest.took or 0.0 for guest in guests]
            finally:
                for guest in guests:
                    guest.is_over = True
                await asyncio.to_thread(starting.__exit__, None, None, None)
        return took, [each - opened for each in took], opened

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        took, since_open, opened = runner.run(run())
    rows = [["the server is open again after", f"{opened:.2f} s"]]
    for name, values in (("the kill", took), ("the server is open", since_open)):
        rows += [
            [f"a client is whole after {name}, p50", f"{median(values):.2f} s"],
            [f"a client is whole after {name}, p99", f"{percentile(values, 0.99):.2f} s"],
        ]
    return rows


def opening(folder: Path, stored: list[Stored], alone: Path, lone: Stored) -> list[list[str]]:
    """How soon a server with many tables is open, how long its list takes, and what a table costs
    that is awake; beside a server with one table."""

    async def seen(server: Server, table: str, token: str) -> None:
        whole = asyncio.Event()
        guest = Guest(Load(Plan(), server), table, token, whole.set)
        guest.come()
        async with asyncio.timeout(PATIENCE_S):
            await whole.wait()
        guest.is_over = True

    def listings(server: Server) -> list[float]:
        took = []
        connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=30)
        with contextlib.closing(connection):
            for _ in range(CALLS):
                began = time.perf_counter()
                connection.request("GET", "/api/tables")
                connection.getresponse().read()
                took.append(time.perf_counter() - began)
                time.sleep(0.002)
        return took

    (id, tokens), (other, others) = stored[len(stored) // 2], lone
    began = time.perf_counter()
    with serving(alone, free_port()) as server:
        opened_alone = time.perf_counter() - began
        asyncio.run(seen(server, other, others[0]))
        whole_alone = time.perf_counter() - began
        while not all(game["ready"] for game in fetch(server, "/api/games")):
            time.sleep(0.1)
        idle_mb = server.memory_mb() or 0.0
    began = time.perf_counter()
    with serving(folder, free_port()) as server:
        opened = time.perf_counter() - began
        asyncio.run(seen(server, id, tokens[0]))
        whole = time.perf_counter() - began
        while fetch(server, "/healthz")["tables"] < min(100, len(stored) // 4):
            time.sleep(0.02)
        waking = listings(server)
        # the client's own table sleeps without it, or is one of those with clocks
        while (awake := fetch(server, "/healthz")["tables"]) < len(stored) // 2:
            assert time.perf_counter() - began < PATIENCE_S, f"{awake} are awake"
            time.sleep(0.2)
        woke = time.perf_counter() - began
        awake_mb = server.memory_mb() or 0.0
        calm = listings(server)
    each = 1024 * (awake_mb - idle_mb) / awake
    return [
        ["open, with one table stored", f"{opened_alone:.2f} s"],
        ["open", f"{opened:.2f} s"],
        ["the first client sees its table, with one stored", f"{whole_alone:.2f} s"],
        ["the first client sees its table", f"{whole:.2f} s"],
        [f"the {awake:,} with clocks awake", f"{woke:.0f} s"],
        ["the list while tables wake, p50", f"{1000 * median(waking):.2f} ms"],
        ["the list while tables wake, p99", f"{1000 * percentile(waking, 0.99):.2f} ms"],
        ["the list afterwards, p50", f"{1000 * median(calm):.2f} ms"],
        ["the list afterwards, p99", f"{1000 * percentile(calm, 0.99):.2f} ms"],
        ["memory with one table", f"{idle_mb:.0f} MB"],
        ["memory with these awake", f"{awake_mb:.0f} MB"],
        ["memory a table awake", f"{each:.1f} kB"],
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stored", type=int, default=5000)
    parser.add_argument("--running", type=int, default=300)
    parser.add_argument("--dry", action="store_true", help="keep nothing")
    parsed = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="quarterdeck-tables-") as new:
        folders = [Path(new) / name for name in ("many", "one", "running")]
        for folder in folders:
            folder.mkdir()
        many, one, running = folders
        stored = asyncio.run(store(many, parsed.stored))
        (lone,) = asyncio.run(store(one, 1))
        rows = opening(many, stored, one, lone)
        body = (
            f"{parsed.stored:,} tables of Skull King stored, each of four people and {PLIES} plies "
            "into its game, every other one with clocks; times from the start of the process.\n\n"
            + table(["", ""], rows)
        )
        stored = asyncio.run(store(running, parsed.running))
        rows = after_a_kill(running, stored)
        body += (
            f"\n\n{parsed.running} tables under way with {SEATS * parsed.running:,} clients; the "
            "server is killed and started again at once. Clients try again as the browser's "
            "does.\n\n" + table(["", ""], rows)
        )
    print(body)
    if not parsed.dry:
        keep_section("RESULTS.md", "Many tables", body)


if __name__ == "__main__":
    main()

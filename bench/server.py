"""Our server beside boardgame.io's, in one run: `make bench-server`.

The same clients (`quarterdeck.loadtest`) play at both: four real connections a table, random
legal moves, one server at a time on a core of its own. Ours plays Skull King and has every move on
the disk before it tells anybody; boardgame.io plays a game of the same length, with hands as large
and as secret (`boardgame_io/game.mjs`), and keeps it in memory. Rounds alternate between the two,
so that both meet the same weather on a shared machine; trust the ratios, not the figures. What one
durable commit takes on this disk is measured in the same run.

Then each of our games, by what a move costs: over connections, and of that the table alone.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from msgspec import Struct

from quarterdeck.bots.live import needs_world
from quarterdeck.contract import LIVE, OPEN, Game, record, rng_from_bytes
from quarterdeck.engine.roster import attached_hash
from quarterdeck.games import games
from quarterdeck.loadtest import (
    PATIENCE_SECONDS,
    Figures,
    Load,
    Plan,
    Players,
    QuarterdeckPlayers,
    Server,
    load_test,
    started,
    started_quarterdeck,
)
from quarterdeck.server.hub import Hub
from quarterdeck.server.limits import Limits
from quarterdeck.server.live_table import Client, LiveTable
from quarterdeck.server.protocol import NewTable, SeatPlan
from quarterdeck.server.settings import DATABASE
from quarterdeck.server.storage import SqliteStorage, TableRow, Then
from quarterdeck.server.table import Table
from results import keep_section, table

PEER = Path(__file__).parent / "boardgame_io"
PEER_GAME = "numbers"
SERVERS = ("quarterdeck", "boardgame.io")
COMMITS = 500
ENTRY_BYTES = 200  # about what an entry of a journal has
MOVES_ALONE = 3000


# ---------------------------------------------------------------------------------------------
# boardgame.io's clients: socket.io over a WebSocket
# ---------------------------------------------------------------------------------------------


class _Table(Struct):
    """The part of the game's state that a player chooses by."""

    round: int
    hands: list[list[int | str]]
    calls: list[int | None]


class _Turn(Struct):
    currentPlayer: str  # noqa: N815
    gameover: Any = None


class _State(Struct):
    G: _Table
    ctx: _Turn
    seq: int = msgspec.field(name="_stateID")


class _Synced(Struct):
    state: _State


_NAMESPACE = f"/{PEER_GAME},".encode()
_OPENED, _PING, _PONG = b"0", b"2", b"3"
_JOIN, _EVENT = b"40" + _NAMESPACE, b"42" + _NAMESPACE
_read_update = msgspec.json.Decoder(tuple[str, str, _State, msgspec.Raw]).decode
_read_sync = msgspec.json.Decoder(tuple[str, str, _Synced]).decode
_encode = msgspec.json.Encoder().encode


class BoardgameIoPlayers(Players):
    """Four players of a match, which is made when the first of them asks for it."""

    def __init__(self, load: Load, number: int) -> None:
        super().__init__(load, number)
        self._match = ""
        self._games = 0
        self._states: list[_State | None] = [None] * load.plan.seats
        self._heard: list[asyncio.Event] = []

    async def open(self) -> None:
        for seat in range(self.load.plan.seats):
            self._heard.append(asyncio.Event())
            socket = await self.load.connect(
                "/socket.io/?EIO=4&transport=websocket",
                partial(self._hear, seat),
                lambda: self.load.fail("connection-lost"),
            )
            self.sockets.append(socket)
            await self._until_heard(seat, _JOIN)
        await self._start()

    async def _start(self) -> None:
        self._games += 1
        self._match = f"m{self.number}-{self._games}"
        self._states = [None] * len(self.sockets)
        for seat in range(len(self.sockets)):
            sync = ["sync", self._match, str(seat), None, len(self.sockets)]
            await self._until_heard(seat, _EVENT + _encode(sync))

    async def _again(self) -> None:
        await self._start()
        self.begin()

    async def _until_heard(self, seat: int, message: bytes) -> None:
        self._heard[seat].clear()
        self.sockets[seat].send(message)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._heard[seat].wait()

    def choose(self) -> tuple[int, int, bytes] | None:
        first = self._states[0]
        if first is None or any(state is None or state.seq != first.seq for state in self._states):
            return None
        seat = int(first.ctx.currentPlayer)
        state = self._states[seat]
        assert state is not None
        if None in state.G.calls:
            args: list[int | str] = [self.load.random.randrange(state.G.round + 1)]
            move = "call"
        else:
            args = [self.load.random.choice(state.G.hands[seat])]
            move = "play"
        action = {
            "type": "MAKE_MOVE",
            "payload": {"type": move, "args": args, "playerID": str(seat)},
        }
        message = ["update", action, state.seq, self._match, str(seat)]
        return seat, state.seq, _EVENT + _encode(message)

    def _hear(self, seat: int, data: bytes) -> None:
        if data == _PING:
            self.sockets[seat].send(_PONG)
            return
        if data.startswith(_JOIN):
            self._heard[seat].set()
        event = data[len(_EVENT) :]
        if event.startswith(b'["update"'):
            _, match, state, _ = _read_update(event)
        elif event.startswith(b'["sync"'):
            _, match, synced = _read_sync(event)
            state = synced.state
            self._heard[seat].set()
        else:
            return
        if match != self._match:
            return
        self._states[seat] = state
        self.saw(seat, state.seq)
        if state.ctx.gameover is not None and seat == len(self.sockets) - 1:
            self.load.games_finished += self.load.is_measuring
            self.rest()
            self.load.spawn(self._again())


@contextlib.contextmanager
def started_boardgame_io() -> Iterator[Server]:
    """boardgame.io's server as it is run in production."""
    node = shutil.which("node")
    if node is None:
        sys.exit("The peer needs Node.js 20 or newer.")
    with started([node, "server.mjs"], cwd=PEER, NODE_ENV="production") as server:
        yield server


# ---------------------------------------------------------------------------------------------
# The comparison
# ---------------------------------------------------------------------------------------------


def run_one(name: str, plan: Plan) -> Figures:
    """One run at one of the two servers."""
    if name == "quarterdeck":
        with started_quarterdeck() as server:
            figures = load_test(plan, server, QuarterdeckPlayers)
    else:
        plan = msgspec.structs.replace(plan, game=PEER_GAME)
        with started_boardgame_io() as server:
            figures = load_test(plan, server, BoardgameIoPlayers)
    print(f"--- {name}\n{figures.text()}", flush=True)
    return figures


def compare(plan: Plan, rounds: int) -> tuple[dict[str, list[Figures]], float]:
    """Rounds at both servers, alternately, and what a commit took meanwhile, in milliseconds."""
    kept: dict[str, list[Figures]] = {name: [] for name in SERVERS}
    commits = []
    for number in range(rounds):
        commits.append(commit_ms())
        for name in SERVERS if number % 2 == 0 else SERVERS[::-1]:
            kept[name].append(run_one(name, plan))
    return kept, median(commits)


Figure = tuple[str, str, bool, Callable[[Figures], float | None]]
"""A name, how it is written, whether more is better, and where it is found."""

PACED: list[Figure] = [
    ("own view, p50", "{:.2f} ms", False, lambda told: told.own.p50),
    ("own view, p99", "{:.2f} ms", False, lambda told: told.own.p99),
    ("everybody's view, p50", "{:.2f} ms", False, lambda told: told.everybody.p50),
    ("everybody's view, p99", "{:.2f} ms", False, lambda told: told.everybody.p99),
    ("CPU a move", "{:.3f} ms", False, lambda told: told.cpu_ms_per_move),
    ("memory, idle", "{:.0f} MB", False, lambda told: told.memory_idle_mb),
    ("memory, loaded", "{:.0f} MB", False, lambda told: told.memory_mb),
]
SATURATED: list[Figure] = [
    ("moves a second", "{:,.0f}", True, lambda told: told.moves_per_second),
    ("CPU a move", "{:.3f} ms", False, lambda told: told.cpu_ms_per_move),
    ("everybody's view, p50", "{:.0f} ms", False, lambda told: told.everybody.p50),
    ("everybody's view, p99", "{:.0f} ms", False, lambda told: told.everybody.p99),
]


def rows_of(kind: str, kept: dict[str, list[Figures]], figures: list[Figure]) -> list[list[str]]:
    """One line a figure: both medians, and the median of the rounds' ratios, above 1 for us."""
    rows = []
    for name, form, is_more_better, find in figures:
        ours, peers = ([find(told) or 0.0 for told in kept[server]] for server in SERVERS)
        pairs = list(zip(ours, peers, strict=True))
        ratio = median((a / b if is_more_better else b / a) if a and b else 0.0 for a, b in pairs)
        rows.append(
            [kind, name, form.format(median(ours)), form.format(median(peers)), f"{ratio:.1f}"]
        )
    errors = [sum(sum(told.errors.values()) for told in kept[server]) for server in SERVERS]
    return [*rows, [kind, "errors", str(errors[0]), str(errors[1]), ""]]


# ---------------------------------------------------------------------------------------------
# A durable commit
# ---------------------------------------------------------------------------------------------


def commit_ms() -> float:
    """The median time of one append, from the event loop to the disk and back, one at a time."""

    async def run() -> list[float]:
        loop, took = asyncio.get_running_loop(), []
        with tempfile.TemporaryDirectory(prefix="quarterdeck-commit-") as folder:
            storage = SqliteStorage(Path(folder) / DATABASE)
            for seq in range(COMMITS):
                stored, began = loop.create_future(), time.perf_counter()
                entry = b"x" * ENTRY_BYTES
                storage.append("table", seq, [entry], None, None, stored.set_result)
                assert await stored is None
                took.append(time.perf_counter() - began)
            await storage.close()
        return took

    return 1000 * median(asyncio.run(run()))


def commit_row(kept: dict[str, list[Figures]], commit: float) -> list[str]:
    """Our view beside theirs with a commit more, which they do not make."""
    ours, peers = (median(told.own.p50 for told in kept[server]) for server in SERVERS)
    theirs = f"{peers + commit:.2f} ms ({commit:.2f} of it the commit)"
    ratio = f"{(peers + commit) / ours:.1f}"
    return ["paced", "own view, p50, theirs with a commit", f"{ours:.2f} ms", theirs, ratio]


# ---------------------------------------------------------------------------------------------
# What a move of each game costs
# ---------------------------------------------------------------------------------------------


class NoStorage:
    """Storage that says at once that it has stored, and keeps nothing."""

    def append(
        self,
        table: str,
        expected_seq: int,
        entries: Sequence[bytes],
        row: TableRow | None,
        record: bytes | None,
        then: Then,
    ) -> None:
        then(None)

    async def close(self) -> None:
        pass


class WorldlessTable(LiveTable):
    """A table whose live worlds do not run: what comes of them is drawn."""

    def _open_world(self) -> None:
        pass


def act(seat: int, do: str, decision: int, table: Table, now: int) -> None:
    table.act(seat, do, now, decision=decision)


def settle(do: str, table: Table, now: int) -> None:
    table.settle(do, {}, attached_hash({}), now)


async def alone_ms(game: Game) -> float:
    """What a person's move costs at a table where everybody is connected: rules, journal, and what
    everybody is told, encoded. No sockets, no disk, no live world."""
    hub = Hub(NoStorage(), Limits.unlimited())  # type: ignore[arg-type]
    rng, noise, spent, moves = random.Random(1), rng_from_bytes(bytes(16)), 0.0, 0
    seats = (SeatPlan("mine"),) * int(game.fill_options({})["players"])
    live: LiveTable | None = None
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # as the server has it
    while moves < MOVES_ALONE:
        if live is None or live.table.status == "over":
            made, _ = Table.make("aaaaaaaa", NewTable(game.id, seats, "Bench", start=True), 0)
            made.start([0], 0)
            made.take_pending()
            live = WorldlessTable(hub, made)
            for seat in range(len(seats)):
                client = Client(lambda data: None, hub.limits)
                client.table, client.seats = live, [seat]
                live.clients.add(client)
        match = live.table.playing
        able = [seat for seat in match.seats_to_act if match.legal(seat)]
        if match.node == LIVE:
            action = record(game.records.Action)
            game.rules.sample(game.kit, match.state, noise, action)
            text = game.notation.text(game.kit, action)
            await live.change(partial(settle, text))
        elif not able or (match.node == OPEN and rng.random() < 0.02):  # the glass has run out
            await live.change(lambda table, now: table.tick(now + 10**9))
        else:
            seat = rng.choice(able)
            client = next(client for client in live.clients if client.seats == [seat])
            command = partial(act, seat, rng.choice(match.legal(seat)), match.decision)
            began = time.process_time()
            live.request(client, moves, f"{moves:032x}", command)
            spent += time.process_time() - began
            moves += 1
    await hub.close()
    return 1000 * spent / moves


def game_rows(tables: int, seconds: float, rounds: int, pace_ms: int) -> list[list[str]]:
    """Every game: what a move costs the table alone, and the server, paced and saturated."""
    rows = []
    for game in games():
        alone = median(asyncio.run(alone_ms(game)) for _ in range(rounds))
        row = [game.id, f"{alone:.3f} ms"]
        if needs_world(game, game.fill_options({})):
            rows.append([*row, "its worlds: see *Live worlds*", "", ""])
            continue
        seats, errors = int(game.fill_options({})["players"]), 0
        for pace in (pace_ms, 0):
            plan = Plan(game=game.id, tables=tables, seats=seats, pace_ms=pace, seconds=seconds)
            kept = [run_one("quarterdeck", plan) for _ in range(rounds)]
            row.append(f"{median(told.cpu_ms_per_move or 0.0 for told in kept):.3f} ms")
            errors += sum(sum(told.errors.values()) for told in kept)
        rows.append([*row, str(errors)])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--pace-ms", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=("paced", "saturated", "games"), default=None)
    parser.add_argument("--dry", action="store_true", help="keep nothing")
    parsed = parser.parse_args()
    if not (PEER / "node_modules").exists():
        subprocess.run(["npm", "ci", "--silent"], cwd=PEER, check=True)

    rows: list[list[str]] = []
    for kind, pace_ms, figures in (
        ("paced", parsed.pace_ms, PACED),
        ("saturated", 0, SATURATED),
    ):
        if parsed.only in (None, kind):
            plan = Plan(tables=parsed.tables, seconds=parsed.seconds, pace_ms=pace_ms)
            kept, commit = compare(plan, parsed.rounds)
            rows += rows_of(kind, kept, figures)
            if kind == "paced":
                rows.append(commit_row(kept, commit))
    compared = (
        f"{parsed.tables} tables of four, real connections on the loopback, the server on one "
        f"core: *paced*, one move a table every {parsed.pace_ms} ms, and *saturated*, each move as "
        "soon as everybody has seen the one before. Ours stores every move durably before it is "
        "told; boardgame.io 0.50.2 keeps its matches in memory. The ratio is above 1 where ours is "
        "better.\n\n" + table(["", "", "Quarterdeck", "boardgame.io", "ratio"], rows)
    )
    sections = {"Server": compared} if rows else {}
    if parsed.only in (None, "games"):
        head = ["game", "the table alone", "CPU a move, paced", "saturated", "errors"]
        sections["Server: what a move costs"] = (
            "What a person's move costs in each game: *the table alone*, without sockets, disk "
            f"and live worlds; and all of the server, with {parsed.tables} tables as above. Random "
            "moves, as many players as the game usually has.\n\n"
        ) + table(head, game_rows(parsed.tables, parsed.seconds, parsed.rounds, parsed.pace_ms))
    for title, body in sections.items():
        print(f"{body}\n")
        if not parsed.dry:
            keep_section("RESULTS.md", title, body)


if __name__ == "__main__":
    main()

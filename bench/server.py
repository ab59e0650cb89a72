"""Our server beside boardgame.io's, in one run: `make bench-server`.

The same clients (`quarterdeck.loadtest`) play at both: four real connections a table, random
legal moves, one server at a time on a core of its own. Ours plays Skull King and has every move on
the disk before it tells anybody; boardgame.io plays a game of the same length, with hands as large
and as secret (`boardgame_io/game.mjs`), and keeps it in memory. Rounds alternate between the two,
so that both meet the same weather on a shared machine; trust the ratios, not the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from msgspec import Struct

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
from results import keep_section, table

PEER = Path(__file__).parent / "boardgame_io"
PEER_GAME = "numbers"
SERVERS = ("quarterdeck", "boardgame.io")


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


def compare(plan: Plan, rounds: int) -> dict[str, list[Figures]]:
    """Rounds at both servers, alternately."""
    kept: dict[str, list[Figures]] = {name: [] for name in SERVERS}
    for number in range(rounds):
        for name in SERVERS if number % 2 == 0 else SERVERS[::-1]:
            kept[name].append(run_one(name, plan))
    return kept


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--pace-ms", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=("paced", "saturated"), default=None)
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
            rows += rows_of(kind, compare(plan, parsed.rounds), figures)
    body = (
        f"{parsed.tables} tables of four, real connections on the loopback, the server on one "
        f"core: *paced*, one move a table every {parsed.pace_ms} ms, and *saturated*, each move as "
        "soon as everybody has seen the one before. Ours stores every move durably before it is "
        "told; boardgame.io 0.50.2 keeps its matches in memory. The ratio is above 1 where ours is "
        "better.\n\n" + table(["", "", "Quarterdeck", "boardgame.io", "ratio"], rows)
    )
    print(body)
    if not parsed.dry:
        keep_section("RESULTS.md", "Server", body)


if __name__ == "__main__":
    main()

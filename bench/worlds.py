"""Live worlds on the server: how soon everybody sees what a hand does: `python bench/worlds.py`.

Tables of Riff Raff with twelve pieces aboard. At each of them two players and a watcher are
connected, and one hand moves without a pause: it rests in the air, makes a leap, comes back, and
now and then bumps into the ship, so that this never comes to rest and all of it is simulated all
the time. A leap is measured from its gesture until the last of the three has the frame in which
the piece has begun to move. Past what the cores can do the worlds run slower than the clock: the
pace they tell, and how evenly they share.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import struct
import tempfile
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from quarterdeck.engine.roster import attached_hash
from quarterdeck.loadtest import Load, Plan, Server, Socket, Spread, started_quarterdeck
from quarterdeck.server.hub import Hub
from quarterdeck.server.limits import Limits
from quarterdeck.server.protocol import NewTable, Seated, SeatPlan
from quarterdeck.server.settings import DATABASE
from quarterdeck.server.storage import SqliteStorage
from quarterdeck.server.table import Table
from results import keep_section, table

BAR_MS = 80
CARDS = ((2, 3), (1, 4), (5, 6), (7, 8), (9, 10), (3, 2), (4, 1))
PIECES = ("chest", "crate", "plank", "flacon", "boat", "barrel", "rat")
HEAD = struct.Struct("<BBHII")
OWN_HEAD = struct.Struct("<BBBBhhI")
GESTURE_SECONDS = 1 / 40
HOLD = 16  # gestures in one place
MOVED = 5  # tenths of a millimetre
AIR = ((-0.05, -0.12, 0.10), (-0.05, -0.16, 0.10), (-0.09, -0.12, 0.12))
BUMP = (-0.05, -0.05, 0.02)
_encode = msgspec.json.Encoder().encode


async def lay_tables(path: Path, count: int) -> list[Seated]:
    """Games in which twelve pieces are aboard and the first player has taken the next."""
    hub = Hub(SqliteStorage(path), Limits.unlimited())
    made = []
    for _ in range(count):
        seats = (SeatPlan("mine"), SeatPlan("mine"))
        seated = await hub.make(NewTable("riff-raff", seats, name="Bench", start=True), "")
        made.append(seated)
        await hub.tables[seated.table].change(_load)
    await hub.close()
    return made


def _load(at: Table, now: int) -> None:
    """Begins, and plays on without a world: every piece lies where it should."""
    while at.stage is not None:
        at.wait_no_longer(at.stage, now)
    match = at.playing
    for (first, second), piece in zip(CARDS, PIECES, strict=True):
        at.act(0, f"card {first}", now)
        at.act(1, f"card {second}", now)
        for _ in range(2):
            seat = match.seats_to_act[0]
            if "announce 1" in match.legal(seat):
                at.act(seat, "announce 1", now)
            at.act(seat, f"take {piece}", now)
            if match.state.aboard.sum() == 12:
                return
            at.settle(f"settle {piece}={(first, second)[seat]}", {}, attached_hash({}), now)


@dataclass
class Hand:
    """The clients of one table: two players and a watcher."""

    load: Load
    seated: Seated
    sockets: list[Socket] = field(default_factory=list)
    world: dict[str, Any] = field(default_factory=dict)
    seen: int = 0
    places: list[tuple[int, ...]] = field(default_factory=lambda: [()] * 3)
    waits: set[int] = field(default_factory=set)  # who has not seen the leap yet
    origin: tuple[int, ...] = ()
    sent: float = 0.0
    times: list[int] = field(default_factory=list)
    paces: list[int] = field(default_factory=list)

    async def open(self) -> None:
        tokens = [[key.token] for key in self.seated.keys] + [[]]
        for number, own in enumerate(tokens):
            socket = await self.load.connect(
                "/ws",
                self._hear,
                lambda: self.load.fail("connection-lost"),
                partial(self._watch, number),
            )
            self.sockets.append(socket)
            attach = {"type": "attach", "id": 1, "table": self.seated.table, "tokens": own}
            socket.send(_encode(attach))

    def _hear(self, data: bytes) -> None:
        told = msgspec.json.decode(data)
        if told["type"] == "world":
            self.world = told
        elif told["type"] == "error":
            self.load.fail(told["code"])

    def _watch(self, number: int, data: bytes) -> None:
        now = time.perf_counter()
        _, pace, _, _, ms = HEAD.unpack_from(data)
        if number == 0:
            self.seen = ms
            if self.load.is_measuring:
                self.times.append(ms)
                self.paces.append(pace)
        mask = OWN_HEAD.unpack_from(data, HEAD.size)[-1]
        mine = self.world["world"]["id"]
        if not mask >> mine & 1:
            return
        before = (mask & (1 << mine) - 1).bit_count()
        place = struct.unpack_from("<3h", data, HEAD.size + OWN_HEAD.size + 12 * before)
        self.places[number] = place
        if number in self.waits:
            if max(abs(a - b) for a, b in zip(place, self.origin, strict=True)) >= MOVED:
                self.waits.discard(number)
                if not self.waits and self.load.is_measuring:
                    self.load.everybody.append(now - self.sent)

    async def move(self, delay: float) -> None:
        """Leaps between places in the air; every other one is a bump, which is not measured."""
        await asyncio.sleep(delay)
        places = itertools.cycle((AIR[0], AIR[1], AIR[2], BUMP))
        was = BUMP
        while not self.load.is_over:
            at = next(places)
            for gesture in range(HOLD):
                self._say({"hand": {"at": at}})
                if gesture == 0 and was is not BUMP and at is not BUMP:
                    if self.waits and self.load.is_measuring:
                        self.load.fail("not-seen")
                    self.origin, self.sent = self.places[0], time.perf_counter()
                    self.waits = {0, 1, 2}
                await asyncio.sleep(GESTURE_SECONDS)
            was = at

    def _say(self, do: dict[str, Any]) -> None:
        gesture = {"type": "gesture", "id": 2, "seat": self.world["seat"], "seen": self.seen}
        socket = self.sockets[self.world["seat"]]
        socket.send(_encode(gesture | {"decision": self.world["decision"], "do": do}))


@dataclass
class Seen:
    """What a run has shown; the speed is the worlds' own, against the clock."""

    leaps: int
    spread: Spread
    slowest: float
    fastest: float
    told: float
    busy: float
    errors: dict[str, int]


async def measure(server: Server, seated: list[Seated], seconds: float) -> Seen:
    load = Load(Plan("riff-raff", len(seated), 2), server)
    hands = [Hand(load, own) for own in seated]
    for hand in hands:
        await hand.open()
    while not all(hand.world and hand.places[0] for hand in hands):
        await asyncio.sleep(0.05)
    tasks = [
        asyncio.create_task(hand.move(2.0 * number / len(hands)))
        for number, hand in enumerate(hands)
    ]
    await asyncio.sleep(5)
    load.is_measuring = True
    began, cpu = time.perf_counter(), server.cpu_seconds() or 0.0
    await asyncio.sleep(seconds)
    load.is_measuring = False
    took = time.perf_counter() - began
    busy = ((server.cpu_seconds() or 0.0) - cpu) / took
    load.is_over = True
    await asyncio.gather(*tasks)
    speeds = [(hand.times[-1] - hand.times[0]) / 1000 / took for hand in hands]
    told = [pace for hand in hands for pace in hand.paces]
    for hand in hands:
        for socket in hand.sockets:
            socket.close()
    return Seen(
        len(load.everybody),
        Spread.of(load.everybody),
        min(speeds),
        max(speeds),
        sum(told) / len(told) / 100,
        busy,
        dict(load.errors),
    )


async def still(server: Server, seated: list[Seated], seconds: float) -> float:
    """The share of a core that the same tables take while nobody moves."""
    load = Load(Plan("riff-raff", len(seated), 2), server)
    hands = [Hand(load, own) for own in seated]
    for hand in hands:
        await hand.open()
    await asyncio.sleep(6)
    cpu = server.cpu_seconds() or 0.0
    await asyncio.sleep(seconds)
    load.is_over = True
    for hand in hands:
        for socket in hand.sockets:
            socket.close()
    return ((server.cpu_seconds() or 0.0) - cpu) / seconds


def run(count: int, seconds: float) -> tuple[Seen, float]:
    """One run on a server of its own, which has all cores."""
    with (
        tempfile.TemporaryDirectory(prefix="quarterdeck-worlds-") as data,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        seated = runner.run(lay_tables(Path(data) / DATABASE, count))
        with started_quarterdeck(pinned=False, data=Path(data)) as server:
            idle = runner.run(still(server, seated, 5.0))
            return runner.run(measure(server, seated, seconds)), idle


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="*", default=[1, 10, 20, 40])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--dry", action="store_true", help="keep nothing")
    parsed = parser.parse_args()
    rows = []
    for count in parsed.tables:
        seen, idle = run(count, parsed.seconds)
        spread = seen.spread
        rows.append(
            [
                str(count),
                f"{seen.leaps:,}",
                f"{spread.p50:.0f} ms",
                f"{spread.p99:.0f} ms",
                f"{100 * seen.slowest:.0f} to {100 * seen.fastest:.0f} %",
                f"{100 * seen.told:.0f} %",
                f"{seen.busy:.2f}",
                f"{idle:.3f}",
                str(sum(seen.errors.values())),
            ]
        )
        print(rows[-1], seen.errors, flush=True)
    head = [
        "tables", "leaps", "p50", "p99", "speed of the worlds", "pace told", "cores, moving",
        "cores, still", "errors",
    ]  # fmt: skip
    body = (
        "Riff Raff with twelve pieces aboard, three connections a table, every hand moving and "
        "every ship rocking all the time, clients on the same cores. From a leap of the hand to "
        f"the last one's frame that shows it; the bar is p99 below {BAR_MS} ms with ten tables on "
        "two cores. Where worlds are more than the cores can run, all slow down alike and say so.\n"
        "\n" + table(head, rows)
    )
    print(body)
    if not parsed.dry:
        keep_section("RESULTS.md", "Live worlds on the server", body)


if __name__ == "__main__":
    main()

"""An enemy with a watch: can one tell from a bot's pace whether it had a choice?

Real tables on a real server, all of whose bots search, so that they wait for each other. The enemy
notes when each card is told, and afterwards learns from the record which plays were forced. With
one half of the plays it looks for the waiting time that divides forced from free ones best; the
other half shows how often it is right then. 50 % is what a coin would be.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import time
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import msgspec

from quarterdeck.contract import NATURE
from quarterdeck.engine.match import Match
from quarterdeck.engine.record import GameRecord, read_record
from quarterdeck.games import find_game
from quarterdeck.loadtest import Load, Plan, Server, post, started_quarterdeck
from quarterdeck.server.protocol import PROTOCOL

GAME = "skull-king"
SEATS = 4
LONGEST_GAME_S = 1200.0
SPREAD_S = 15.0
WARM_TABLES, WARM_PLIES = 4, 20

Play = tuple[float, bool]
"""How long it took, in seconds, and whether it was forced."""


async def watched(server: Server, tables: int, plays: int, level: str) -> list[Play]:
    """So many plays at tables that are full of bots, all at once; whole games."""
    load = Load(Plan(), server)
    found: list[Play] = []

    async def watch() -> None:
        await asyncio.sleep(random.uniform(0, SPREAD_S))  # hands of one card are all forced
        while len(found) < plays:
            found.extend(await _game(load, level))

    async with asyncio.timeout(LONGEST_GAME_S):
        await asyncio.gather(*(watch() for _ in range(tables)))
    return found


async def _warmed(server: Server, level: str) -> None:
    load = Load(Plan(), server)
    await asyncio.gather(*(_watched_game(load, level, WARM_PLIES) for _ in range(WARM_TABLES)))


async def _game(load: Load, level: str) -> list[Play]:
    """All plays of one game."""
    table, told = await _watched_game(load, level, None)
    return _timed(await asyncio.to_thread(_record, load.server.url, table), told)


async def _watched_game(load: Load, level: str, plies: int | None) -> tuple[str, dict[int, float]]:
    """A table, and when each ply was told; up to so many plies, or to the end."""
    seats = [{"kind": "mine", "level": level}, *[{"kind": "bot", "level": level}] * (SEATS - 1)]
    # nobody comes to the maker's seat: a bot plays there too
    body = {"game": GAME, "seats": seats, "name": "Nobody", "bot_pace_ms": 0, "grace_ms": 0}
    made = await asyncio.to_thread(post, load.server.url, "/api/tables", {**body, "start": True})
    told: dict[int, float] = {}
    over = asyncio.Event()

    def hear(data: bytes) -> None:
        now = time.perf_counter()
        message = msgspec.json.decode(data)
        if message["type"] == "view":
            told.setdefault(message["shown"]["ply"], now)
            if message["shown"]["winners"] or (plies and message["shown"]["ply"] >= plies):
                over.set()

    socket = await load.connect("/ws", hear, over.set)
    attach = {"type": "attach", "id": 1, "table": made["table"], "protocol": PROTOCOL, "tokens": []}
    socket.send(json.dumps(attach).encode())
    await over.wait()
    socket.close()
    return made["table"], told


def _record(url: str, table: str) -> GameRecord:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    connection.request("GET", f"/api/tables/{table}/record")
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    assert answer.status == 200, data
    return read_record(data)


def _timed(record: GameRecord, told: dict[int, float]) -> list[Play]:
    """Every play, with the time since the ply before it was told."""
    again, plays = Match(find_game(record.game), record.options), []
    for ply, entry in enumerate(record.log, 1):
        actor = NATURE if entry.by == "nature" else int(entry.by)
        if entry.do.startswith("play") and ply in told and ply - 1 in told:
            plays.append((told[ply] - told[ply - 1], len(again.legal(actor)) == 1))
        again.act(actor, entry.do)
    return plays


def balanced_accuracy(plays: list[Play], threshold: float, *, forced_below: bool) -> float:
    """How often one is right who takes what is quicker than this for forced (or for free): the mean
    of the shares of forced and of free plays."""
    right = {True: 0, False: 0}
    count = {True: 0, False: 0}
    for took, is_forced in plays:
        count[is_forced] += 1
        right[is_forced] += ((took < threshold) == forced_below) == is_forced
    return (right[True] / count[True] + right[False] / count[False]) / 2


def enemy(plays: list[Play]) -> dict[str, Any]:
    """What an enemy makes of these plays: learns from every other one, and is tried on the rest."""
    learnt, tried = plays[::2], plays[1::2]
    times = sorted({took for took, _ in learnt})
    candidates = times[:: max(1, len(times) // 1000)]
    threshold, forced_below = max(
        ((time, below) for time in candidates for below in (True, False)),
        key=lambda rule: balanced_accuracy(learnt, rule[0], forced_below=rule[1]),
    )
    rule = partial(balanced_accuracy, threshold=threshold, forced_below=forced_below)
    waits = sorted(took for took, _ in plays)
    return {
        "plays": len(plays),
        "forced": sum(is_forced for _, is_forced in plays),
        "median": waits[len(waits) // 2],
        "slowest": waits[int(0.99 * len(waits))],
        "threshold": threshold,
        "learnt": rule(learnt),
        "accuracy": rule(tried),
    }


def run(tables: int, plays: int, level: str) -> dict[str, Any]:
    """What an enemy finds out at so many tables that are played at together."""
    with started_quarterdeck(pinned=False) as server:
        # what thinks is loaded, or even compiled, with the first questions
        asyncio.run(_warmed(server, level))
        return enemy(asyncio.run(watched(server, tables, plays, level)))

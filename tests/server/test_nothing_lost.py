"""Nothing lost: the server is killed at random moments of running games, again and again.

Crews play as fast as they can at several tables, and keep a ledger of what was acknowledged to
them and of how much they were shown. After each kill the ledger is held against the file.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import shutil
import sqlite3
from dataclasses import dataclass, field, replace
from http.client import HTTPException
from pathlib import Path

import pytest
from websockets.exceptions import WebSocketException

from quarterdeck.contract import CHANCE
from quarterdeck.engine.record import read_record
from quarterdeck.engine.verify import verify
from quarterdeck.server.journal import Acted, Said
from quarterdeck.server.settings import DATABASE

from .helpers import Player, Seated, Server, folded, read_journals

KILLS = int(os.environ.get("QUARTERDECK_KILLS", "15"))
CREWS = (
    ("mine", "mine"),
    ("mine", "open"),
    ("mine", "mine", "bot"),
    ("mine", "open", "open", "bot"),
)
GRACE_MS = 200  # short, for seats that nobody has the token of
GONE = (ConnectionError, OSError, EOFError, HTTPException, WebSocketException)
"""What a client may meet when the server vanishes."""


@dataclass
class Ledger:
    """What the server has acknowledged at one table, and how much of the log it has shown."""

    seated: Seated
    actions: dict[tuple[int, int], str] = field(default_factory=dict)
    chats: list[str] = field(default_factory=list)
    tokens: dict[int, str] = field(default_factory=dict)
    shown: int = 0
    is_over: bool = False  # as it was told


class Crew:
    """People who play at one table after the other."""

    def __init__(self, number: int, ledgers: dict[str, Ledger]) -> None:
        self.seats = CREWS[number % len(CREWS)]
        self.ledgers = ledgers
        self.rng = random.Random(number)
        self.ledger: Ledger | None = None

    async def sail(self, server: Server, *, games: int = 1_000_000) -> None:
        """Plays until so many games are over or the server is gone."""
        try:
            for _ in range(games):
                await self._play_game(server)
        except TimeoutError:
            raise  # it is there and does not answer
        except GONE:
            await asyncio.sleep(0)
            assert server.is_gone, "the server lives and has hung up"

    async def _play_game(self, server: Server) -> None:
        if self.ledger is None or self.ledger.is_over:
            seated = await asyncio.to_thread(server.make, *self.seats, grace_ms=GRACE_MS)
            self.ledger = self.ledgers[seated.table] = Ledger(seated, tokens=dict(seated.tokens))
        ledger = self.ledger
        # seats may be joined already, by requests whose answer was lost: bots take them over
        players = [await server.attached(ledger.seated.table, *ledger.seated.tokens.values())]
        try:
            if players[0].status == "waiting":
                while len(ledger.tokens) < len(self.seats) - self.seats.count("bot"):
                    if "open" not in [seat["kind"] for seat in players[0].table["seats"]]:
                        break
                    key = await asyncio.to_thread(server.join, ledger.seated.table)
                    ledger.tokens |= key.tokens
                    await players[0].ask("ping")
                await players[0].ask("start")
            for token in set(ledger.tokens.values()) - set(ledger.seated.tokens.values()):
                players.append(await server.attached(ledger.seated.table, token))
            ends = await asyncio.gather(
                *(self._play_seats(player, ledger) for player in players), return_exceptions=True
            )
            for end in ends:
                if isinstance(end, BaseException):
                    raise end
            ledger.is_over = True
        finally:
            for player in players:
                seqs = [told["seq"] for told in player.told if told["type"] == "view"]
                ledger.shown = max([ledger.shown, *seqs])
                await player.close()

    async def _play_seats(self, player: Player, ledger: Ledger) -> None:
        def note(seat: int, decision: int, do: str) -> None:
            ledger.actions[seat, decision] = do

        async def chat() -> None:
            for number in range(10**6):
                text = f"{id(player)} {number}"
                if (await player.ask("chat", text=text))["type"] == "ok":
                    ledger.chats.append(text)
                await asyncio.sleep(0.05)

        chatting = asyncio.create_task(chat())
        try:
            await player.play(lambda view: self.rng.choice(view["legal"]), note)
        finally:
            chatting.cancel()
            await asyncio.gather(chatting, return_exceptions=True)


@dataclass
class Audit:
    """What was found in the file."""

    actions: int = 0
    over: set[str] = field(default_factory=set)


def audit(
    database: Path, ledgers: dict[str, Ledger], folder: Path, settled: dict[str, int] | None = None
) -> Audit:
    """Holds the ledgers against the file of a server that is not running.

    It looks at a copy: to open the file itself would repair it before the server has to. Tables
    that are `settled`, found good when their game was over, are only counted.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in (DATABASE, DATABASE + "-wal"):
        if (database.parent / name).exists():
            shutil.copy(database.parent / name, folder / name)
    copied = folder / DATABASE
    journals = read_journals(copied)
    with contextlib.closing(sqlite3.connect(copied)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        statuses = dict(connection.execute("SELECT id, status FROM tables"))
        records = dict(connection.execute("SELECT table_id, record FROM records"))
    found = Audit()
    assert ledgers.keys() <= journals.keys(), "a table that was promised is not there"
    assert statuses.keys() == journals.keys()
    for table_id, entries in journals.items():
        if settled is not None and settled.get(table_id) == len(entries):
            continue
        actions: dict[tuple[int, int], str] = {}
        said: set[str] = set()
        for table, entry in folded(entries):
            if isinstance(entry, Acted) and entry.by >= 0:
                assert (entry.by, table.playing.decision) not in actions
                actions[entry.by, table.playing.decision] = entry.do
            elif isinstance(entry, Said):
                said.add(entry.text)
        # no half-written one: what chance owed is there, and so are the row and the record
        assert statuses[table_id] == table.status
        assert (table_id in records) == (table.status == "over")
        length = 0
        if table.match is not None:
            length = len(table.match.log)
            assert table.status == "over" or table.match.node != CHANCE
        if table.status == "over":
            found.over.add(table_id)
            verify(read_record(records[table_id]))
        if table_id in ledgers:
            ledger = ledgers[table_id]
            assert ledger.actions.items() <= actions.items(), "an acknowledged action is lost"
            assert said.issuperset(ledger.chats), "an acknowledged line of chat is lost"
            assert ledger.shown <= length, "something was shown before it was stored"
            assert table.status == "over" or not ledger.is_over
            assert table.seats_of(ledger.tokens.values()) == sorted(ledger.tokens)
            found.actions += len(ledger.actions)
            if settled is not None and ledger.is_over:
                settled[table_id] = len(entries)
    return found


async def sail_until_killed(server: Server, crews: list[Crew], rng: random.Random) -> None:
    """Lets all crews play and kills the server at some moment, most often in full play."""
    sailing = [asyncio.create_task(crew.sail(server)) for crew in crews]
    before = sum(len(ledger.actions) for ledger in crews[0].ledgers.values())
    if rng.random() < 0.9:
        async with asyncio.timeout(30):
            while sum(len(ledger.actions) for ledger in crews[0].ledgers.values()) < before + 8:
                await asyncio.sleep(0.005)
    await asyncio.sleep(rng.uniform(0, 0.5))
    server.kill()
    await asyncio.gather(*sailing)


def test_what_was_acknowledged_outlives_every_kill(tmp_path: Path) -> None:
    rng = random.Random(KILLS)
    server = Server(tmp_path / "data", "--unlimited")
    ledgers: dict[str, Ledger] = {}
    settled: dict[str, int] = {}
    crews = [Crew(number, ledgers) for number in range(len(CREWS))]
    for _ in range(KILLS):
        server.start()
        try:
            asyncio.run(sail_until_killed(server, crews, rng))
        finally:
            server.kill()
        audit(server.database, ledgers, tmp_path / "copy", settled)
    # and every game goes on to its end
    server.start()
    try:
        asyncio.run(finish(server, crews))
    finally:
        server.end()
    found = audit(server.database, ledgers, tmp_path / "copy")
    assert found.over >= {crew.ledger.seated.table for crew in crews if crew.ledger is not None}
    assert found.actions > 20 * KILLS
    assert '"level": "error"' not in server.log


async def finish(server: Server, crews: list[Crew]) -> None:
    await asyncio.gather(*(crew.sail(server, games=1) for crew in crews))
    for crew in crews:
        assert crew.ledger is not None
        assert crew.ledger.is_over


def test_a_ledger_that_does_not_agree_is_noticed(tmp_path: Path) -> None:
    """The audit itself: it finds a lost action, a lost line, a table shown too early."""
    server = Server(tmp_path / "data", "--unlimited").start()
    ledgers: dict[str, Ledger] = {}
    try:
        asyncio.run(Crew(0, ledgers).sail(server, games=1))
    finally:
        server.kill()
    ((table, ledger),) = ledgers.items()
    assert audit(server.database, ledgers, tmp_path / "copy").over == {table}
    for wrong in (
        replace(ledger, actions=ledger.actions | {(0, 10**6): "bid 0"}),
        replace(ledger, chats=[*ledger.chats, "never said"]),
        replace(ledger, shown=ledger.shown + 1),
    ):
        with pytest.raises(AssertionError):
            audit(server.database, {table: wrong}, tmp_path / "copy")
    with pytest.raises(AssertionError):
        audit(server.database, ledgers | {"zzzzzzzz": ledger}, tmp_path / "copy")
    with contextlib.closing(sqlite3.connect(server.database)) as connection:
        connection.execute("DELETE FROM records")
        connection.commit()
    with pytest.raises(AssertionError):
        audit(server.database, ledgers, tmp_path / "copy")

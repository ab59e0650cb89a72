"""The hub without sockets: what happens when the storage refuses, and when two come at once."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from quarterdeck.contract import Game
from quarterdeck.engine.match import Match
from quarterdeck.games import find_game, games
from quarterdeck.server import live_table, preparation
from quarterdeck.server.errors import NoSuchTable, NotReady, NotStored
from quarterdeck.server.hub import Hub
from quarterdeck.server.limits import Addresses, Bucket, Limits
from quarterdeck.server.protocol import Seated

from .helpers import PATIENCE_S, Ear, MemoryStorage, begun, in_loop, plan


async def seated_ear(hub: Hub, *seats: str, **given: Any) -> tuple[Ear, Seated]:
    """A table, and a client with all seats of its maker."""
    seated = await begun(hub, plan(*seats, **given), "here")
    ear = Ear(hub)
    tokens = [key.token for key in seated.keys]
    assert (await ear.ask("attach", table=seated.table, tokens=tokens))["type"] == "ok"
    return ear, seated


def new_hub() -> tuple[Hub, MemoryStorage]:
    storage = MemoryStorage()
    return Hub(storage, Limits.unlimited()), storage


# A storage that refuses ------------------------------------------------------------------------


@in_loop
async def test_a_table_that_is_not_stored_does_not_exist() -> None:
    hub, storage = new_hub()
    storage.is_full = True
    with pytest.raises(NotStored):
        await begun(hub, plan("mine", "bot", start=True), "here")
    assert not hub.tables
    storage.is_full = False
    await hub.make(plan("mine", "bot"), "here")
    await hub.close()


@in_loop
async def test_nobody_is_told_of_what_is_not_stored() -> None:
    hub, storage = new_hub()
    ear, seated = await seated_ear(hub, "mine", "mine", start=True)
    view, told = ear.last("view"), len(ear.heard)
    decision, seq = view["decision"], view["seq"]
    storage.is_full = True
    for request in (
        {"type": "act", "seat": 0, "decision": decision, "do": "bid 0"},
        {"type": "chat", "text": "Ahoy"},
        {"type": "pause", "paused": True},
        {"type": "resign", "seat": 1},
        {"type": "leave", "seat": 1},
    ):
        assert (await ear.ask(**request))["code"] == "not-stored"
    assert all(b'"type":"error"' in data for data in ear.heard[told:])
    storage.is_full = False
    watcher = Ear(hub)
    await watcher.ask("attach", table=seated.table)
    assert watcher.last("view")["seq"] == seq
    assert watcher.last("table")["status"] == "playing"
    answer = await ear.ask("act", seat=0, decision=decision, do="bid 1")
    assert answer["type"] == "ok"
    assert ear.last("view")["seq"] == seq + 1
    await hub.close()


@in_loop
async def test_a_table_that_cannot_be_read_either_is_used_by_nobody() -> None:
    hub, storage = new_hub()
    ear, seated = await seated_ear(hub, "mine", "mine", start=True)
    act = {"type": "act", "seat": 0, "decision": ear.last("view")["decision"], "do": "bid 1"}
    storage.is_full = storage.is_gone = True
    told = len(ear.heard)
    assert (await ear.ask(**act))["code"] == "not-stored"
    watcher = Ear(hub)
    for who, request in (
        (ear, act),
        (ear, {"type": "chat", "text": "Hello?"}),
        (watcher, {"type": "attach", "table": seated.table}),
    ):
        assert (await who.ask(**request))["code"] == "not-stored"
    assert all(b'"type":"error"' in data for data in ear.heard[told:] + watcher.heard)
    storage.is_full = storage.is_gone = False
    await watcher.ask("attach", table=seated.table)
    assert watcher.last("view")["view"]["bids"] == [None, None]
    assert (await ear.ask(**act))["type"] == "ok"
    assert watcher.last("view")["view"]["bids"] == ["?", None]
    await hub.close()


@in_loop
async def test_a_rematch_that_is_not_stored_can_be_asked_for_again() -> None:
    hub, storage = new_hub()
    ear, seated = await seated_ear(hub, "mine", "mine", start=True)
    await ear.ask("resign", seat=0)
    storage.is_full = True
    assert (await ear.ask("rematch"))["code"] == "not-stored"
    assert list(hub.tables) == [seated.table]
    storage.is_full = False
    assert (await ear.ask("chat", text="Once more"))["type"] == "ok"
    assert hub.tables[seated.table].table.rematch is None
    rematch = (await ear.ask("rematch"))["table"]
    assert (await ear.ask("rematch"))["table"] == rematch
    assert sorted(storage.journals) == sorted([seated.table, rematch])
    await hub.close()


@in_loop
async def test_bots_try_again_once_there_is_room() -> None:
    hub, storage = new_hub()
    ear, seated = await seated_ear(hub, "mine", "bot", start=True, bot_pace_ms=50)
    storage.is_full = True
    await asyncio.sleep(0.2)
    assert ear.last("view")["view"]["bids"] == [None, None]
    storage.is_full = False
    async with asyncio.timeout(10):
        while ear.last("view")["view"]["bids"] != [None, "?"]:
            await asyncio.sleep(0.02)
    await hub.close()
    assert hub.tables[seated.table].table.seq == len(storage.journals[seated.table])


# Two at once -----------------------------------------------------------------------------------


@in_loop
async def test_a_table_is_woken_once() -> None:
    hub, storage = new_hub()
    _, seated = await seated_ear(hub, "mine", "mine", start=True)
    hub.tables.clear()  # as if another process had made it
    first, second = asyncio.create_task(hub.get(seated.table)), hub.get(seated.table)
    await asyncio.sleep(0)
    first.cancel()  # the first who asked is gone before it is awake
    live = await second
    assert await hub.get(seated.table) is live is hub.tables[seated.table]
    with pytest.raises(NoSuchTable):
        await hub.get("zzzzzzzz")
    await hub.close()
    assert b'"type":"woke"' in storage.journals[seated.table][-1]


@in_loop
async def test_of_two_hubs_the_journal_decides() -> None:
    storage = MemoryStorage()
    one, other = (Hub(storage, Limits.unlimited()) for _ in range(2))
    ear, seated = await seated_ear(one, "mine", "mine", start=True)
    far = Ear(other)
    await far.ask("attach", table=seated.table, tokens=[seated.keys[1].token])
    decision = far.last("view")["decision"]
    # waking wrote to the journal, so the first hub is behind: it is refused, and reads anew
    act = {"type": "act", "seat": 0, "decision": decision, "do": "bid 0"}
    assert (await ear.ask(**act))["code"] == "conflict"
    assert (await ear.ask(**act))["type"] == "ok"
    act = {"type": "act", "seat": 1, "decision": decision, "do": "bid 0"}
    assert (await far.ask(**act))["code"] == "conflict"
    assert (await far.ask(**act))["type"] == "ok"
    assert far.last("view")["view"]["bids"] == [0, 0]
    await one.close()
    await other.close()


@in_loop
async def test_a_closed_hub_has_stored_all_it_acknowledged() -> None:
    hub, storage = new_hub()
    ear, seated = await seated_ear(hub, "mine", "bot", "bot", start=True)
    await ear.ask("act", seat=0, decision=ear.last("view")["decision"], do="bid 0")
    hub.say_goodbye()
    assert ear.last("goodbye")["reason"] == "shutdown"
    await hub.close()
    assert hub.tables[seated.table].table.seq == len(storage.journals[seated.table])


# Limits ----------------------------------------------------------------------------------------


def test_a_bucket_lets_so_many_pass() -> None:
    bucket = Bucket(2.0, 3, 100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.take(100.4) is False
    assert bucket.take(100.6) is True
    assert [bucket.take(500.0) for _ in range(4)] == [True, True, True, False]


def test_addresses_are_counted_and_forgotten() -> None:
    addresses = Addresses(Limits(connections_per_address=2, tables_per_address=2))
    addresses.connect("a")
    addresses.connect("a")
    with pytest.raises(Exception, match="connections"):
        addresses.connect("a")
    addresses.connect("b")
    addresses.disconnect("a")
    addresses.connect("a")
    for _ in range(2):
        addresses.disconnect("a")
    assert "a" not in addresses.connections
    addresses.make_table("a", 0.0)
    addresses.make_table("a", 10.0)
    with pytest.raises(Exception, match="tables"):
        addresses.make_table("a", 20.0)
    addresses.make_table("a", 3601.0)


# Games that are compiled while the server is open ------------------------------------------------


@in_loop
async def test_whoever_asks_for_a_game_that_is_not_ready_waits_for_it() -> None:
    earlier, storage = new_hub()
    playing = await begun(earlier, plan("mine", "bot", start=True), "here")
    await earlier.close()
    hub = Hub(storage, Limits.unlimited(), [find_game("skull-king")])
    await hub.open()
    assert not hub.preparation.is_ready("skull-king")
    assert hub.preparation.is_ready("jolly-roger")
    assert not hub.tables, "a table under way waits too"
    made = await hub.make(plan("mine", "bot"), "here")
    assert hub.preparation.is_ready("skull-king")
    assert made.table in hub.tables
    await hub.get(playing.table)
    await hub.close()


@in_loop
async def test_what_needs_no_compiling_is_ready_first_and_then_what_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A game that nobody asked for is left off at once for one that somebody waits for."""
    loaded: list[tuple[str, str]] = []
    asking = asyncio.Event()

    def command(game: Game, part: str) -> list[str]:
        asking.set()
        is_slow = game.id == "skull-king" and not hub.preparation._wanted
        return ["sleep", "600" if is_slow else "0"]

    def load(game: Game, part: str) -> None:
        loaded.append((game.id, part))

    def missing(game: Game, part: str) -> list[str]:
        return [] if game.id == "gezanke" else ["a piece"]

    monkeypatch.setattr(preparation, "missing", missing)
    monkeypatch.setattr(preparation, "command", command)
    monkeypatch.setattr(preparation, "load", load)
    hub = Hub(MemoryStorage(), Limits.unlimited(), games())
    await hub.open()
    await asking.wait()
    assert loaded == [("gezanke", "table"), ("gezanke", "thinking")]
    await hub.preparation.wait_for("riff-raff")
    assert loaded[2:] == [("riff-raff", "table")]
    assert not hub.preparation.is_ready("skull-king")
    await hub.close()


@in_loop
async def test_people_play_before_bots_can_search(monkeypatch: pytest.MonkeyPatch) -> None:
    may_search = threading.Event()

    def load(game: Game, part: str) -> None:
        if part == "thinking":
            may_search.wait()

    monkeypatch.setattr(preparation, "load", load)
    hub = Hub(MemoryStorage(), Limits.unlimited(), [find_game("skull-king")])
    await hub.open()
    await hub.preparation.wait_for("skull-king")
    assert hub.preparation.is_ready("skull-king")
    match = Match(find_game("skull-king"), seed=1)
    match.draw_chance()
    seat = match.seats_to_act[0]
    known = match.knowledge(seat)
    asked = asyncio.ensure_future(hub.search_pool.decide(match.game, known, "quartermaster"))
    await asyncio.sleep(0.05)
    assert not asked.done()
    may_search.set()
    assert (await asked).estimates
    await hub.close()


@in_loop
async def test_a_game_that_cannot_be_compiled_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(game: Game, part: str) -> None:
        raise RuntimeError("no compiler")

    monkeypatch.setattr(preparation, "load", fail)
    hub = Hub(MemoryStorage(), Limits.unlimited(), [find_game("skull-king")])
    await hub.open()
    with pytest.raises(NotReady):
        await hub.make(plan("mine", "bot"), "here")
    assert not hub.preparation.is_ready("skull-king")
    await hub.close()


@in_loop
async def test_a_server_that_closes_leaves_off_compiling() -> None:
    hub = Hub(MemoryStorage(), Limits.unlimited(), [find_game("skull-king")])
    await hub.open()
    waiting = asyncio.ensure_future(hub.make(plan("mine", "bot"), "here"))
    await asyncio.sleep(0)
    await hub.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting


@in_loop
async def test_who_is_silent_holds_up_a_beginning_only_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One who binds nothing, then one who binds and does not reveal; both alarms, one after the
    other, and a disk that is full in between."""
    monkeypatch.setattr(live_table, "REVEAL_SECONDS", 0.05)
    storage = MemoryStorage()
    hub = Hub(storage)
    seated = await hub.make(plan("mine", "mine", "mine"), "here")
    tokens = [key.token for key in seated.keys]
    ears = [Ear(hub) for _ in tokens]
    ears[1].binder = None
    for ear, token in zip(ears, tokens, strict=True):
        await ear.ask("attach", table=seated.table, tokens=[token])
    while sum(seat["committed"] for seat in ears[0].last("table")["seats"]) < 2:
        await asyncio.sleep(0)
    ears[2].binder = None  # bound, but never revealed
    storage.is_full = True
    assert (await ears[0].ask("start"))["code"] == "not-stored"
    storage.is_full = False
    assert (await ears[0].ask("start"))["type"] == "ok"
    async with asyncio.timeout(PATIENCE_S):
        while hub.tables[seated.table].table.status != "playing":
            await asyncio.sleep(0.01)
    table = hub.tables[seated.table].table
    assert table.beginning.roster is not None
    (void,) = table.beginning.roster.voids
    assert void.missing == (2,)
    assert table.beginning.roster.contributors == [0]
    assert table.beginning.attempt == 1
    rosters = [m for m in ears[1].messages if m["type"] == "roster"]
    assert [(m["attempt"], m["reveals"] is None) for m in rosters] == [
        (0, True), (1, True), (1, False),
    ]  # fmt: skip
    await hub.close()

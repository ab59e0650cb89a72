"""Faults of the kind that was found on the straight path, each seen failing first: what is sent
twice, what was not stored, and what waits for somebody who never comes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from quarterdeck.server import live_table
from quarterdeck.server.hub import Hub
from quarterdeck.server.limits import Limits
from quarterdeck.server.protocol import Clock, JoinTable
from quarterdeck.server.table import Table

from .helpers import Ear, MemoryStorage, begun, in_loop, plan
from .test_hub import new_hub, seated_ear
from .test_straight import SlowStorage, settle

KEY = "0123456789abcdef" * 2
PATIENCE_S = 30.0


async def until(condition: Any) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.005)


async def guest(hub: Hub, table: str, name: str) -> Ear:
    seated = await hub.join(table, JoinTable(name))
    ear = Ear(hub)
    await ear.ask("attach", table=table, tokens=[seated.keys[0].token])
    return ear


@in_loop
async def test_sending_a_guest_away_twice_leaves_the_next_one_alone() -> None:
    hub, _ = new_hub()
    host, seated = await seated_ear(hub, "mine", "open")
    first = await guest(hub, seated.table, "Ann")
    assert (await host.ask("remove", seat=1, key=KEY))["type"] == "ok"
    assert first.last("goodbye")["reason"] == "removed"
    second = await guest(hub, seated.table, "Ben")
    assert (await host.ask("remove", seat=1, key=KEY))["type"] == "ok"  # its answer was lost
    assert second.client.seats == [1]
    assert not any(message["type"] == "goodbye" for message in second.messages)
    await hub.close()


@in_loop
async def test_who_was_sent_away_has_no_seat_any_more_when_the_next_one_comes() -> None:
    """The next one waits in line already while the first is being sent away."""
    storage = SlowStorage()
    hub = Hub(storage, Limits.unlimited())
    host, seated = await seated_ear(hub, "mine", "open")
    first = await guest(hub, seated.table, "Ann")
    storage.is_slow = True
    away = asyncio.ensure_future(host.ask("remove", seat=1))
    await settle()
    joining = asyncio.ensure_future(hub.join(seated.table, JoinTable("Ben")))
    await settle()
    told = len(first.heard)
    storage.let_go()
    await asyncio.gather(away, joining)
    tables = [
        message for message in map(json.loads, first.heard[told:]) if message["type"] == "table"
    ]
    assert [message["seats"][1]["name"] for message in tables if message["you"] == [1]] == [""]
    await hub.close()


@in_loop
async def test_a_bot_stands_in_once_there_is_room_on_the_disk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live_table, "_AGAIN_SECONDS", 0.02)
    hub, storage = new_hub()
    ear, seated = await seated_ear(hub, "mine", "mine", start=True, grace_ms=20)
    storage.is_full = True
    hub.disconnect(ear.client)
    await asyncio.sleep(0.1)
    storage.is_full = False
    table = hub.tables[seated.table].table
    await until(lambda: hub.tables[seated.table].table.seats[0].stand_in)
    assert table.status == "playing"
    await hub.close()


@in_loop
async def test_a_clock_runs_out_though_a_bot_had_begun_to_think_for_the_seat() -> None:
    """Somebody is away, a bot begins its time to think, they come back, and their time is up before
    the bot's would have been."""
    hub, _ = new_hub()
    clock = Clock("per-move", move_ms=1000)
    made = await begun(
        hub, plan("mine", "mine", start=True, clock=clock, grace_ms=0, bot_pace_ms=9000), "here"
    )
    live = hub.tables[made.table]
    await until(lambda: all(seat.stand_in for seat in live.table.seats))
    ear = Ear(hub)
    await ear.ask("attach", table=made.table, tokens=[key.token for key in made.keys])
    assert not any(seat.stand_in for seat in live.table.seats)
    await until(lambda: len(live.table.playing.log) > 2)
    entry = live.table.playing.log[2]
    assert entry.via == "timeout"
    assert entry.at is not None
    assert entry.at - live.table.made.at < 8900, "not only when the bot is done"
    await hub.close()


@in_loop
async def test_nature_that_cannot_act_does_not_try_all_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub, _ = new_hub()
    live = hub.tables[(await seated_ear(hub, "mine", "mine", start=True))[1].table]
    tries = 0

    def fail(table: Table, now: int) -> None:
        nonlocal tries
        tries += 1
        raise RuntimeError("no")

    monkeypatch.setattr(Table, "nature_deadline", lambda table: 0)
    monkeypatch.setattr(Table, "tick", fail)
    live._schedule()
    await asyncio.sleep(0.1)
    assert tries == 1
    await hub.close()


@in_loop
async def test_a_table_somebody_is_coming_to_is_not_put_to_sleep() -> None:
    """It would be woken a second time beside the first."""
    storage = SlowStorage()
    hub = Hub(storage, Limits.unlimited())
    host, seated = await seated_ear(hub, "mine", "open")
    hub.disconnect(host.client)
    live = hub.tables[seated.table]
    live.idle_since -= 10_000
    storage.is_slow = True
    joining = asyncio.ensure_future(hub.join(seated.table, JoinTable("Ann")))
    await settle()
    hub.tidy()
    assert hub.tables[seated.table] is live
    storage.let_go()
    await joining
    hub.tidy()  # somebody was just here
    assert hub.tables[seated.table] is live
    live.idle_since -= 10_000
    hub.tidy()
    assert not hub.tables
    await hub.close()


@in_loop
async def test_only_tables_where_something_may_be_due_are_woken_at_the_start() -> None:
    storage = MemoryStorage()
    hub = Hub(storage, Limits.unlimited())

    async def made(*seats: str, **given: Any) -> str:
        return (await hub.make(plan(*seats, start=True, **given), "here")).table

    quiet = await made("mine", "mine")
    due = {
        await made("mine", "mine", clock=Clock("per-move")),
        await made("mine", "bot", bot_pace_ms=9000),
        await made("mine", "mine", game="piratoons"),
        await made("mine", "mine", game="riff-raff"),
    }
    away = await made("mine", "mine", grace_ms=0, bot_pace_ms=9000)
    await until(lambda: hub.tables[away].table.seats[1].stand_in)
    await hub.close()
    again = Hub(storage, Limits.unlimited())
    await again.open()
    await until(lambda: len(again.tables) == 5)
    await asyncio.sleep(0.05)
    assert set(again.tables) == due | {away}
    assert (await again.get(quiet)).table.status == "playing"
    await again.close()

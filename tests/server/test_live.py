"""Live worlds at a table: the hand, the frames, and whatever can go wrong in the middle of it.

The game is Riff Raff; the server does not know that.
"""

from __future__ import annotations

import asyncio
import json
import struct
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from quarterdeck.contract import BadOption
from quarterdeck.engine.match import Match
from quarterdeck.engine.record import read_record
from quarterdeck.physics.frames import unpack_motion
from quarterdeck.physics.riff_raff.loading import Loading
from quarterdeck.server.errors import TooManyWorlds
from quarterdeck.server.hub import Hub
from quarterdeck.server.journal import Acted, read_entry
from quarterdeck.server.limits import Limits
from quarterdeck.server.protocol import Clock, Seated
from quarterdeck.server.world_runner import ALLOWANCE_MS, WorldRunner

from .helpers import Ear, MemoryStorage, begun, in_loop, plan

HEAD = struct.Struct("<BBHII")
PATIENCE_S = 60.0


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            await asyncio.sleep(0.02)


class Sailor(Ear):
    """Somebody at a table of Riff Raff."""

    def __init__(self, hub: Hub) -> None:
        super().__init__(hub)
        self.table = ""

    async def come(self, seated: Seated) -> None:
        self.table = seated.table
        tokens = [key.token for key in seated.keys]
        assert (await self.ask("attach", table=seated.table, tokens=tokens))["type"] == "ok"

    def view(self, seat: int) -> dict[str, Any]:
        views = [m for m in self.messages if m["type"] == "view" and m["seat"] == seat]
        return views[-1]

    async def act(self, seat: int, do: str) -> None:
        decision = self.view(seat)["decision"]
        answer = await self.ask("act", seat=seat, decision=decision, do=do)
        assert answer["type"] == "ok", answer

    async def hand(self, do: dict[str, Any], **other: Any) -> None:
        """A gesture, seen at the newest frame. Nobody answers it."""
        world = self.last("world")
        seen = HEAD.unpack_from(self.frames[-1])[4] if self.frames else 0
        request = {"type": "gesture", "id": 999, "seat": world["seat"], "seen": seen}
        request |= {"decision": world["decision"], "do": do} | other
        self.hub.receive(self.client, json.dumps(request).encode())

    @property
    def errors(self) -> list[str]:
        return [m["code"] for m in self.messages if m["type"] == "error"]

    @property
    def worlds(self) -> int:
        return sum(m["type"] == "world" for m in self.messages)

    async def take(self, piece: str, card: int = 2) -> int:
        """Both seats, which are this sailor's, choose; the one with the card takes a piece."""
        other = 1 if card != 1 else 2
        await self.act(0, f"card {max(card, other)}")
        await self.act(1, f"card {min(card, other)}")
        await self.act(0, f"take {piece}")
        await until(lambda: self.worlds and self.frames)
        return int(self.view(0)["decision"])


async def at_sea(hub: Hub, *seats: str, **given: Any) -> tuple[Sailor, Seated]:
    given = {"grace_ms": 600_000, "start": True} | given
    seated = await begun(hub, plan(*seats, game="riff-raff", **given), "here")
    sailor = Sailor(hub)
    await sailor.come(seated)
    return sailor, seated


def new_hub(**limits: Any) -> tuple[Hub, MemoryStorage]:
    storage = MemoryStorage()
    unlimited = Limits.unlimited()
    return Hub(storage, structs.replace(unlimited, **limits)), storage


def settlings(storage: MemoryStorage, table: str) -> list[Acted]:
    entries = [read_entry(data) for data in storage.journals[table]]
    return [e for e in entries if isinstance(e, Acted) and e.do.startswith("settle")]


@in_loop
async def test_a_piece_is_loaded_by_hand_for_all_to_see() -> None:
    hub, storage = new_hub()
    sailor, seated = await at_sea(hub, "mine", "mine")
    watcher = Ear(hub)
    await watcher.ask("attach", table=seated.table)
    decision = await sailor.take("crate")
    told = sailor.last("world")
    assert (told["decision"], told["seat"]) == (decision, 0)
    assert told["world"]["piece"] == "crate"
    assert told["world"]["area"] == 2
    assert sailor.view(0)["view"]["to_act"] == "nature"
    assert sailor.view(0)["attached"] is None

    # while nothing moves, nothing is sent
    await asyncio.sleep(0.3)
    count = len(sailor.frames)
    await asyncio.sleep(0.5)
    assert len(sailor.frames) == count

    await sailor.hand({"steady": {"along": 0.5, "across": 0.5}})
    await until(lambda: len(sailor.frames) > count + 20)
    await asyncio.sleep(1.0)
    await sailor.hand({"lower": True})
    await until(lambda: sailor.view(0)["decision"] != decision)
    assert sailor.errors == []

    # all saw the same frames, whole at first, about thirty a second
    assert watcher.frames == sailor.frames
    heads = [HEAD.unpack_from(frame) for frame in sailor.frames]
    assert all(head[0] == 1 and head[3] == decision for head in heads)
    times = [head[4] for head in heads]
    assert times == sorted(times)
    assert sailor.frames[0][HEAD.size] & 1

    # what came of it is stored with the poses and the motion, and the view has the poses
    (entry,) = settlings(storage, seated.table)
    assert (entry.by, entry.do) == (-1, "settle crate=2")
    assert entry.attached is not None
    motion = list(unpack_motion(entry.attached["motion"]))
    assert [data for _, data in motion] == [frame[HEAD.size :] for frame in sailor.frames]
    attached = sailor.view(0)["attached"]
    assert attached == {"poses": entry.attached["poses"]}
    assert [event["key"] for event in sailor.view(0)["events"]] == ["lies"]
    await hub.close()


@in_loop
async def test_a_gesture_that_cannot_be_is_refused_and_changes_nothing() -> None:
    hub, _ = new_hub()
    sailor, _ = await at_sea(hub, "mine", "mine")
    decision = await sailor.take("crate")
    await sailor.hand({"fly": True})
    await until(lambda: sailor.errors)
    await sailor.hand({"let_go": True}, seat=1)
    await sailor.hand({"let_go": True}, decision=decision - 1)
    await sailor.hand({"let_go": True}, seen=-1)
    await sailor.hand({"let_go": True}, seat=7)
    assert sailor.errors == [
        "bad-gesture", "not-your-turn", "past-decision", "bad-message", "not-your-seat",
    ]  # fmt: skip
    assert sailor.view(0)["decision"] == decision
    await hub.close()


@in_loop
async def test_a_world_begins_again_where_it_last_rested_after_a_crash() -> None:
    hub, storage = new_hub()
    sailor, seated = await at_sea(hub, "mine", "mine")
    first = await sailor.take("crate", 3)
    await sailor.hand({"steady": {"along": 0.5, "across": 0.5}})
    await asyncio.sleep(2.5)
    await sailor.hand({"lower": True})
    await until(lambda: sailor.view(0)["decision"] != first)
    poses = sailor.view(1)["attached"]["poses"]
    assert len(poses["pieces"]) == 1
    await sailor.act(1, "take rat")
    await until(lambda: sailor.last("world")["seat"] == 1)
    await sailor.hand({"hand": {"at": [0.0, -0.1, 0.03]}})
    await asyncio.sleep(0.3)
    await hub.close()

    again = Hub(storage, Limits.unlimited())
    await again.open()
    back = Sailor(again)
    await back.come(seated)
    await until(lambda: back.worlds and back.frames)
    told = back.last("world")
    assert (told["seat"], told["world"]["piece"]) == (1, "rat")
    assert told["world"]["poses"] == poses
    await back.hand({"let_go": True})
    await until(lambda: back.view(1)["view"]["phase"] == "card")
    assert [entry.do for entry in settlings(storage, seated.table)][1:] == ["settle rat=fell"]
    await again.close()


@in_loop
async def test_a_bot_takes_the_piece_from_a_player_who_leaves() -> None:
    hub, storage = new_hub()
    sailor, seated = await at_sea(hub, "mine", "mine", grace_ms=0)
    await sailor.take("crate")
    await sailor.hand({"hand": {"at": [0.02, -0.14, 0.1]}})
    await asyncio.sleep(0.2)
    hub.disconnect(sailor.client)
    await until(lambda: settlings(storage, seated.table))
    assert settlings(storage, seated.table)[0].do.startswith("settle crate=")
    await hub.close()


@in_loop
async def test_a_clock_that_runs_out_opens_the_hand() -> None:
    hub, storage = new_hub()
    clock = Clock("per-move", move_ms=1500)
    sailor, seated = await at_sea(hub, "mine", "mine", clock=clock)
    await sailor.take("crate")
    assert sailor.view(0)["clocks"]["running"] == [0]
    await until(lambda: settlings(storage, seated.table))
    (entry, *_) = settlings(storage, seated.table)
    assert entry.do == "settle crate=fell"
    await hub.close()


@in_loop
async def test_a_paused_world_stands_still() -> None:
    hub, storage = new_hub()
    sailor, seated = await at_sea(hub, "mine", "mine")
    await sailor.take("crate")
    await sailor.hand({"hand": {"at": [0.3, -0.2, 0.4]}})
    await asyncio.sleep(0.2)
    assert (await sailor.ask("pause", paused=True))["type"] == "ok"
    await asyncio.sleep(0.15)
    count = len(sailor.frames)
    await asyncio.sleep(0.4)
    assert len(sailor.frames) == count
    await sailor.hand({"let_go": True})
    assert sailor.errors == ["past-decision"]
    assert (await sailor.ask("pause", paused=False))["type"] == "ok"
    await sailor.hand({"let_go": True})
    await until(lambda: settlings(storage, seated.table))
    await hub.close()


@in_loop
async def test_an_outcome_is_stored_as_soon_as_it_can_be() -> None:
    hub, storage = new_hub()
    sailor, seated = await at_sea(hub, "mine", "mine")
    decision = await sailor.take("crate")
    storage.is_full = True
    await sailor.hand({"let_go": True})
    await asyncio.sleep(2.5)
    assert sailor.view(0)["decision"] == decision
    storage.is_full = False
    await until(lambda: sailor.view(1)["decision"] != decision)
    assert [entry.do for entry in settlings(storage, seated.table)] == ["settle crate=fell"]
    await hub.close()


@in_loop
async def test_a_newcomer_gets_the_whole_picture() -> None:
    hub, _ = new_hub()
    sailor, seated = await at_sea(hub, "mine", "mine")
    await sailor.take("crate")
    await asyncio.sleep(0.2)
    watcher = Sailor(hub)
    await watcher.ask("attach", table=seated.table)
    await until(lambda: watcher.worlds and watcher.frames)
    assert watcher.frames[0][HEAD.size] & 1
    await hub.close()


@in_loop
async def test_whoever_comes_during_a_tick_gets_the_whole_picture_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The frame of that tick is made for those who were there; the next one is whole."""
    hub, _ = new_hub()
    sailor, seated = await at_sea(hub, "mine", "mine")
    await sailor.take("crate")
    await until(lambda: sailor.frames)
    watcher, loop = Sailor(hub), asyncio.get_running_loop()
    tick, has_come = WorldRunner._tick, threading.Event()

    def slow_tick(runner: WorldRunner, *given: Any) -> Any:
        answer = tick(runner, *given)
        if not has_come.is_set():  # somebody attaches before the event loop hears of the tick
            has_come.set()
            asked = watcher.ask("attach", table=seated.table)
            asyncio.run_coroutine_threadsafe(asked, loop).result(PATIENCE_S)
        return answer

    monkeypatch.setattr(WorldRunner, "_tick", slow_tick)
    await sailor.hand({"steady": {"along": 0.4, "across": 0.5, "yaw": 0, "side": 0}})
    await until(lambda: any(frame[HEAD.size] & 1 for frame in watcher.frames))
    first = next(i for i, frame in enumerate(watcher.frames) if frame[HEAD.size] & 1)
    assert first <= 1
    await hub.close()


@in_loop
async def test_past_the_limit_of_worlds_no_game_begins() -> None:
    hub, _ = new_hub(worlds=1)
    await at_sea(hub, "mine", "mine")
    with pytest.raises(TooManyWorlds):
        await at_sea(hub, "mine", "bot")
    waiting, _ = await at_sea(hub, "mine", "mine", start=False)
    assert (await waiting.ask("start"))["code"] == "too-many-worlds"
    other = await begun(hub, plan("mine", "bot", start=True), "here")
    assert other.table in hub.tables
    await hub.close()


@in_loop
async def test_options_for_simulations_are_no_options_of_tables() -> None:
    hub, _ = new_hub()
    with pytest.raises(BadOption):
        await hub.make(plan("mine", "bot", game="riff-raff", options={"world": "fitted"}), "here")
    await hub.close()


@in_loop
async def test_a_slow_connection_is_excused_up_to_a_limit() -> None:
    hub, _ = new_hub()
    sailor, seated = await at_sea(hub, "mine", "mine")
    await sailor.take("crate")
    runner = hub.tables[seated.table].world_runner
    assert runner is not None
    first = HEAD.unpack_from(sailor.frames[0])[4]
    await sailor.hand({"hand": {"at": [0.3, -0.3, 0.4]}})
    await until(lambda: len(sailor.frames) > 12)
    runner._gestures.clear()
    await sailor.hand({"hand": {"at": [0.3, -0.3, 0.4]}}, seen=first)
    await sailor.hand({"hand": {"at": [0.3, -0.3, 0.4]}}, seen=12345678)
    lags = list(runner._lags)[-2:]
    assert lags[0] > 100
    assert lags[1] == pytest.approx(0, abs=5)
    for _, _, at_ms in runner._gestures:
        assert at_ms >= runner._time_ms - ALLOWANCE_MS
    await hub.close()


@in_loop
async def test_a_table_costs_nothing_while_its_world_sleeps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ticks = []
    tick = WorldRunner._tick

    def counted(runner: WorldRunner, *args: Any) -> Any:
        ticks.append(1)
        return tick(runner, *args)

    monkeypatch.setattr(WorldRunner, "_tick", counted)
    hub, _ = new_hub()
    sailor, _ = await at_sea(hub, "mine", "mine")
    await sailor.take("crate")
    await asyncio.sleep(0.3)
    count = len(ticks)
    await asyncio.sleep(1.0)
    assert len(ticks) == count
    # the ship rocks after the crate has touched it; then it is still again, in the hand or not
    for at in ([-0.04, -0.12, 0.08], [-0.04, -0.03, 0.06], [-0.04, -0.03, 0.0]):
        await sailor.hand({"hand": {"at": at}})
        await asyncio.sleep(0.6)
    assert len(ticks) > count + 20

    async def is_still() -> bool:
        before = len(ticks)
        await asyncio.sleep(0.5)
        return len(ticks) == before

    async with asyncio.timeout(PATIENCE_S):
        while not await is_still():
            pass
    await hub.close()


@in_loop
async def test_a_world_that_cannot_keep_up_runs_slower_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    advance = Loading.advance

    def slowly(world: Loading, ms: int) -> Any:
        time.sleep(0.15)
        return advance(world, ms)

    monkeypatch.setattr(Loading, "advance", slowly)
    hub, _ = new_hub()
    sailor, _ = await at_sea(hub, "mine", "mine")
    await sailor.take("crate")
    started, count = time.monotonic(), len(sailor.frames)
    before = HEAD.unpack_from(sailor.frames[-1])[4]
    await sailor.hand({"hand": {"at": [0.3, -0.3, 0.4]}})
    await until(lambda: len(sailor.frames) > count + 7)
    head = HEAD.unpack_from(sailor.frames[-1])
    elapsed_ms = 1000 * (time.monotonic() - started)
    assert head[4] - before < 0.5 * elapsed_ms
    assert head[1] < 60, "what is told is about how slow it is"
    await hub.close()


@in_loop
async def test_a_world_that_fails_is_opened_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hub, storage = new_hub()
    sailor, seated = await at_sea(hub, "mine", "mine")
    await sailor.take("crate")
    advance = Loading.advance

    def fail(*_: Any) -> None:
        monkeypatch.setattr(Loading, "advance", advance)
        raise RuntimeError("out of order")

    monkeypatch.setattr(Loading, "advance", fail)
    told = sailor.worlds
    await sailor.hand({"hand": {"at": [0.1, -0.2, 0.2]}})
    await until(lambda: sailor.worlds > told)
    assert "a live world failed" in caplog.text
    await sailor.hand({"let_go": True})
    await until(lambda: settlings(storage, seated.table))
    await hub.close()


@in_loop
async def test_bots_load_their_ship_at_a_table() -> None:
    hub, storage = new_hub()
    given = {"bot_pace_ms": 0, "start": True}
    seated = await begun(hub, plan("mine", "bot", game="riff-raff", **given), "here")
    sailor = Sailor(hub)
    await sailor.come(seated)
    await until(lambda: any(m["type"] == "view" for m in sailor.messages))
    await sailor.act(0, "card 1")
    await until(lambda: settlings(storage, seated.table) or sailor.view(0)["legal"])
    if not settlings(storage, seated.table):  # the bot has played its 1 too
        return
    told = [read_entry(data) for data in storage.journals[seated.table]]
    log = [
        {"by": "nature" if entry.by < 0 else entry.by, "do": entry.do}
        for entry in told
        if isinstance(entry, Acted)
    ]
    record = {"quarterdeck": 1, "game": "riff-raff", "options": {"players": 2}, "log": log}
    match = Match.from_record(read_record(json.dumps(record).encode()))
    assert len(match.log) == len(log)
    await hub.close()

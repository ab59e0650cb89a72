"""The straight path of a change, and what once went wrong on it: told before stored, half-done
commands, one view that fails; and requests that come twice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from quarterdeck.server.hub import Hub
from quarterdeck.server.journal import read_entry, write_entry
from quarterdeck.server.limits import Limits
from quarterdeck.server.live_table import LiveTable
from quarterdeck.server.protocol import PROTOCOL, OwnTold, ShownTold
from quarterdeck.server.storage import TableRow, Then
from quarterdeck.server.table import KEPT_KEYS, Table

from .helpers import Ear, MemoryStorage, in_loop, made_table, plan, started_table
from .test_hub import new_hub, seated_ear

KEY = "0123456789abcdef" * 2


class SlowStorage(MemoryStorage):
    """Stores nothing before it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.is_slow = False
        self.held: list[Any] = []

    def append(
        self,
        table: str,
        expected_seq: int,
        entries: Sequence[bytes],
        row: TableRow | None,
        record: bytes | None,
        then: Then,
    ) -> None:
        go = partial(super().append, table, expected_seq, entries, row, record, then)
        if self.is_slow:
            self.held.append(go)
        else:
            go()

    def let_go(self) -> None:
        self.is_slow = False
        while self.held:
            self.held.pop(0)()


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def ask(ear: Ear, type: str, **fields: Any) -> None:
    """Asks, and waits for no answer."""
    ear.hub.receive(ear.client, json.dumps({"type": type, "id": 900, **fields}).encode())


# Told only when stored -------------------------------------------------------------------------


@in_loop
async def test_whoever_leaves_while_something_is_stored_tells_nobody_of_it() -> None:
    storage = SlowStorage()
    hub = Hub(storage, Limits.unlimited())
    ear, seated = await seated_ear(hub, "mine", "mine", start=True)
    watcher, other = Ear(hub), Ear(hub)
    for one in (watcher, other):
        await one.ask("attach", table=seated.table)
    heard = len(watcher.heard)
    storage.is_slow = True
    ask(ear, "resign", seat=0, key=KEY)
    await settle()
    hub.disconnect(other.client)
    await settle()
    assert watcher.heard[heard:] == []  # that it is over is not stored yet
    storage.is_full = True
    storage.let_go()
    await settle()
    told = [json.loads(data) for data in watcher.heard[heard:]]
    assert [message["type"] for message in told] == ["table"]  # one less watches; nothing else
    assert told[0]["status"] == "playing"
    assert told[0]["watching"] == 1
    await hub.close()


@in_loop
async def test_changes_wait_in_line_while_one_is_stored() -> None:
    storage = SlowStorage()
    hub = Hub(storage, Limits.unlimited())
    ear, _ = await seated_ear(hub, "mine", "mine", start=True)
    decision, heard = ear.last("view")["decision"], len(ear.heard)
    storage.is_slow = True
    for seat in (0, 1):
        ask(ear, "act", seat=seat, decision=decision, do="bid 1", key=f"{seat:032x}")
    await settle()
    assert ear.heard[heard:] == []
    assert len(storage.held) == 1
    storage.let_go()
    await settle()
    plies = [m["seq"] for m in ear.messages if m["type"] == "view" and m["seat"] == 0][-2:]
    assert plies[1] == plies[0] + 1
    await hub.close()


# Commands that fail in the middle --------------------------------------------------------------


@in_loop
async def test_a_command_that_breaks_leaves_nothing_half_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub, storage = new_hub()
    ear, seated = await seated_ear(hub, "mine", "mine", start=True)
    before = list(storage.journals[seated.table])

    def draw(table: Table, now: int) -> None:
        raise ZeroDivisionError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(Table, "_draw", draw)
        decision = ear.last("view")["decision"]
        answer = await ear.ask("act", seat=0, decision=decision, do="bid 1")
    assert answer["code"] == "broken"
    assert storage.journals[seated.table] == before
    assert (await ear.ask("chat", text="Ahoy"))["type"] == "ok"
    entries = [read_entry(data) for data in storage.journals[seated.table]]
    assert [type(entry).__name__ for entry in entries[len(before) :]] == ["Said"]
    await ear.act_now(0, "bid 0")
    await hub.close()


@pytest.mark.parametrize("part", ["own", "shown"])
@in_loop
async def test_a_view_that_fails_silences_nobody_else(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, storage = new_hub()
    ear, seated = await seated_ear(hub, "mine", "bot", start=True, bot_pace_ms=200)
    watcher = Ear(hub)
    await watcher.ask("attach", table=seated.table)
    heard = len(watcher.heard)
    own, shown = Table.own, Table.shown

    def fail_own(table: Table, seat: int) -> OwnTold:
        if part == "own":
            raise ZeroDivisionError("a bug")
        return own(table, seat)

    def fail_shown(table: Table, happened: Any, now: int) -> ShownTold:
        if part == "shown":
            raise ZeroDivisionError("a bug")
        return shown(table, happened, now)

    before = len(storage.journals[seated.table])
    with monkeypatch.context() as patched:
        patched.setattr(Table, "own", fail_own)
        patched.setattr(Table, "shown", fail_shown)
        decision = ear.last("view")["decision"]
        answer = await ear.ask("act", seat=0, decision=decision, do="bid 1")
        assert answer["type"] == "ok"  # it is stored
        assert ear.last("error")["code"] == "broken"
        async with asyncio.timeout(10):  # and the bot plays on
            while len(storage.journals[seated.table]) < before + 2:
                await asyncio.sleep(0.01)
    kinds = {json.loads(data)["type"] for data in watcher.heard[heard:]}
    assert kinds == ({"view"} if part == "own" else {"error"})
    await hub.close()


@in_loop
async def test_a_fault_after_storing_stops_nobody_who_waits_in_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Telling and what follows by itself fail; those behind are served all the same."""
    storage = SlowStorage()
    hub = Hub(storage, Limits.unlimited())
    ear, seated = await seated_ear(hub, "mine", "mine")

    def fail(*given: Any) -> None:
        raise ZeroDivisionError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(Table, "told", fail)
        patched.setattr(LiveTable, "_schedule", fail)
        storage.is_slow = True
        starting = asyncio.ensure_future(ear.ask("start"))
        saying = asyncio.ensure_future(ear.ask("chat", text="Ahoy"))
        await settle()
        storage.let_go()
        assert (await starting)["type"] == "ok"
        assert (await saying)["type"] == "ok"
    other = Ear(hub)
    assert (await other.ask("attach", table=seated.table))["type"] == "ok"
    await hub.close()


@in_loop
async def test_whoever_cannot_be_greeted_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    hub, _ = new_hub()
    ear, seated = await seated_ear(hub, "mine", "mine", start=True)

    def fail(*given: Any) -> None:
        raise ZeroDivisionError("a bug")

    other = Ear(hub)
    with monkeypatch.context() as patched:
        patched.setattr(Table, "shown", fail)
        assert (await other.ask("attach", table=seated.table))["code"] == "broken"
        assert (await other.ask("ping"))["type"] == "ok"
    await ear.act_now(0, "bid 1")
    await hub.close()


@in_loop
async def test_a_table_that_cannot_be_folded_again_says_so_and_is_not_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub, storage = new_hub()
    ear, _ = await seated_ear(hub, "mine", "mine", start=True)
    decision = ear.last("view")["decision"]

    def fail(*given: Any) -> Table:
        raise ZeroDivisionError("a bug")

    storage.is_full = True
    with monkeypatch.context() as patched:
        patched.setattr(Table, "read", fail)
        for code in ("not-stored", "broken"):
            answer = await ear.ask("act", seat=0, decision=decision, do="bid 1")
            assert answer["code"] == code
    storage.is_full = False
    assert (await ear.ask("act", seat=0, decision=decision, do="bid 1"))["type"] == "ok"
    await hub.close()


# Once, also when sent twice --------------------------------------------------------------------


@in_loop
async def test_what_is_sent_twice_happens_once() -> None:
    hub, storage = new_hub()
    ear, seated = await seated_ear(hub, "mine", "mine", start=True)
    decision = ear.last("view")["decision"]
    stored = storage.journals[seated.table]
    for request in (
        {"type": "act", "seat": 0, "decision": decision, "do": "bid 1"},
        {"type": "chat", "text": "Ahoy"},
        {"type": "pause", "paused": True},
        {"type": "resign", "seat": 0},
    ):
        key = f"{len(stored):032x}"
        assert (await ear.ask(**request, key=key))["type"] == "ok"
        length, heard = len(stored), len(ear.heard)
        assert (await ear.ask(**request, key=key))["type"] == "ok"
        assert len(stored) == length
        assert len(ear.heard) == heard + 1  # the answer, and nothing else
    await hub.close()


@in_loop
async def test_a_repeat_is_known_after_a_restart_too() -> None:
    hub, storage = new_hub()
    ear, seated = await seated_ear(hub, "mine", "mine", start=True)
    act = {"seat": 0, "decision": ear.last("view")["decision"], "do": "bid 1", "key": KEY}
    await ear.ask("act", **act)
    length = len(storage.journals[seated.table])
    again = Hub(storage, Limits.unlimited())
    other = Ear(again)
    await other.ask("attach", table=seated.table, tokens=[key.token for key in seated.keys])
    assert (await other.ask("act", **act))["type"] == "ok"
    assert (await other.ask("act", **{**act, "key": "f" * 32}))["code"] == "not-your-turn"
    assert len(storage.journals[seated.table]) <= length + 1  # that it woke
    await hub.close()
    await again.close()


def test_the_last_keys_of_every_seat_are_kept() -> None:
    table, _ = made_table("mine", "mine")
    for number in range(KEPT_KEYS + 1):
        line = table.carry_out(
            f"{number:032x}", lambda table, now: table.say(0, "Anna", "Ahoy", now), 1
        )
        assert line is not None
    said = len(table.pending)
    again = Table.read([read_entry(write_entry(entry)) for entry in table.pending])
    for one in (table, again):
        for number, is_known in ((0, False), (1, True), (KEPT_KEYS, True)):
            done = one.carry_out(
                f"{number:032x}", lambda table, now: table.say(1, "Tom", "Ahoy", now), 2
            )
            assert (done is None) is is_known
    assert len(table.pending) == said + 1


def test_a_refused_command_uses_up_no_key() -> None:
    table = started_table("mine", "mine")
    with pytest.raises(Exception, match="past"):
        table.carry_out(KEY, lambda table, now: table.act(0, "bid 1", now, decision=0), 2)
    table.carry_out(KEY, lambda table, now: table.act(0, "bid 1", now), 3)
    assert table.pending[-1].key == KEY
    table.say(0, "Anna", "Ahoy", 4)
    assert table.pending[-1].key == ""


# Old clients -----------------------------------------------------------------------------------


@in_loop
async def test_a_client_of_yesterday_is_told_to_reload() -> None:
    hub, _ = new_hub()
    seated = await hub.make(plan("mine", "bot"), "here")
    for given in ({}, {"protocol": 1}, {"protocol": PROTOCOL + 1}):
        ear = Ear(hub)
        ask(ear, "attach", table=seated.table, **given)
        assert ear.last("error")["code"] == "reload"
    await hub.close()

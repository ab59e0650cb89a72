"""Making and joining a table happens once, however often it is sent; so does a rematch."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import msgspec
import pytest

from quarterdeck.server import keys
from quarterdeck.server.errors import NoSeat, NotStored, WrongTime
from quarterdeck.server.hub import Hub
from quarterdeck.server.limits import Limits
from quarterdeck.server.protocol import JoinTable, NewTable

from .helpers import (
    Ear,
    MemoryStorage,
    Seated,
    Server,
    fold,
    in_loop,
    made_table,
    new_table,
    plan,
    started_table,
)
from .test_straight import SlowStorage, settle

KEY = "0123456789abcdef" * 2
OTHER = "fedcba9876543210" * 2


def keyed(*seats: str, key: str = KEY, start: bool = False) -> NewTable:
    return msgspec.structs.replace(plan(*seats), key=key, start=start)


def new_hub(storage: MemoryStorage) -> Hub:
    return Hub(storage, Limits.unlimited())


@in_loop
async def test_a_table_asked_for_again_is_the_same() -> None:
    storage = MemoryStorage()
    hub = new_hub(storage)
    first = await hub.make(keyed("mine", "mine", "bot", start=True), "here")
    assert await hub.make(keyed("mine", "mine", "bot", start=True), "here") == first
    assert [key.seat for key in first.keys] == [0, 1]
    assert len({key.token for key in first.keys}) == 2
    assert list(storage.journals) == [first.table]
    other = await hub.make(keyed("mine", "mine", "bot", key=OTHER), "here")
    assert other.table != first.table
    assert not {key.token for key in other.keys} & {key.token for key in first.keys}
    # after a restart too
    again = new_hub(storage)
    assert await again.make(keyed("mine", "mine", "bot", start=True), "here") == first
    assert again.tables[first.table].table.seats_of(key.token for key in first.keys) == [0, 1]
    await hub.close()
    await again.close()


@in_loop
async def test_without_a_key_every_request_makes_a_table() -> None:
    storage = MemoryStorage()
    hub = new_hub(storage)
    made = [await hub.make(plan("mine", "bot"), "here") for _ in range(2)]
    assert len({seated.table for seated in made}) == len(storage.journals) == 2
    await hub.close()


@in_loop
async def test_two_requests_with_one_key_at_the_same_time_make_one_table() -> None:
    storage = SlowStorage()
    hub = new_hub(storage)
    storage.is_slow = True
    asked = [asyncio.ensure_future(hub.make(keyed("mine", "bot", start=True), "")) for _ in "ab"]
    await settle()
    assert len(storage.held) == 2
    storage.let_go()
    one, other = await asyncio.gather(*asked)
    assert one == other
    live = hub.tables[one.table]
    assert list(hub.tables) == list(storage.journals) == [one.table]
    assert live.table.seats_of([one.keys[0].token]) == [0]
    await hub.close()


@in_loop
async def test_a_table_that_was_not_stored_never_was() -> None:
    """Its bots would else play on at a table that nobody knows of, and try to store it for ever."""
    storage = MemoryStorage()
    hub = new_hub(storage)
    storage.is_full = True
    with pytest.raises(NotStored):
        await hub.make(keyed("mine", "bot", start=True), "")
    storage.is_full = False
    appended: list[str] = []
    append = storage.append

    def count(table: str, *rest: object) -> None:
        appended.append(table)
        append(table, *rest)  # type: ignore[arg-type]

    storage.append = count  # type: ignore[method-assign,assignment]
    await asyncio.sleep(0.05)
    assert appended == []
    assert storage.journals == {}
    # asked for again, with the same key, it is there
    seated = await hub.make(keyed("mine", "bot", start=True), "")
    assert list(hub.tables) == [seated.table]
    await hub.close()


@in_loop
async def test_a_seat_asked_for_again_is_the_same() -> None:
    storage = MemoryStorage()
    hub = new_hub(storage)
    table = (await hub.make(plan("mine", "open", "open"), "")).table
    first = await hub.join(table, JoinTable("Ann", key=KEY))
    assert await hub.join(table, JoinTable("Ann", key=KEY)) == first
    other = await hub.join(table, JoinTable("Ben", key=OTHER))
    assert [first.keys[0].seat, other.keys[0].seat] == [1, 2]
    again = new_hub(storage)
    assert await again.join(table, JoinTable("Ann", key=KEY)) == first
    with pytest.raises(NoSeat):
        await again.join(table, JoinTable("Cid"))
    await hub.close()
    await again.close()


def test_a_seat_is_told_again_after_the_start_and_not_after_it_was_left() -> None:
    table, _ = made_table("mine", "open", "open")
    taken = table.join("Ann", None, 1, key=KEY)
    gone = table.join("Ben", None, 1, key=OTHER)
    table.leave(gone.seat, 2)
    for known in (table, fold(table)):
        with pytest.raises(NoSeat, match="given up"):
            known.join("Ben", None, 3, key=OTHER)
    table.start([0], 3)
    assert table.join("Ann", None, 4, key=KEY) == taken
    with pytest.raises(WrongTime):
        table.join("Cid", None, 4)


def test_no_key_is_stored() -> None:
    table, _ = made_table("mine", "open", key=KEY)
    table.join("Ann", None, 1, key=OTHER)
    assert [key.seat for key in table.maker_keys(KEY)] == [0]
    assert table.maker_keys(OTHER) == []
    written = b"".join(msgspec.json.encode(entry) for entry in table.pending)
    tokens = [keys.maker_token(KEY, table.id, 0), keys.guest_token(OTHER, table.id)]
    for secret in (KEY, OTHER, *tokens):
        assert secret.encode() not in written


def test_what_follows_from_a_key() -> None:
    made = [keys.table_id(f"{number:032x}") for number in range(2000)]
    assert len(set(made)) == 2000
    assert set("".join(made)) == set("abcdefghjkmnpqrstuvwxyz23456789")
    assert {len(id) for id in made} == {14}
    tokens = {keys.maker_token(KEY, "a", 0), keys.maker_token(KEY, "a", 1),
              keys.maker_token(KEY, "b", 0), keys.guest_token(KEY, "a")}  # fmt: skip
    assert len(tokens) == 4
    assert {len(token) for token in tokens} == {32}


@in_loop
async def test_a_rematch_that_was_never_announced_is_made_once() -> None:
    """The server ends between storing the new table and telling of it."""
    storage = MemoryStorage()
    hub = new_hub(storage)
    table = started_table("mine", "mine", key=KEY)
    chooser = random.Random(1)
    while table.status == "playing":
        seat = table.playing.seats_to_act[0]
        table.act(seat, chooser.choice(table.playing.legal(seat)), 1000)
    other = table.make_rematch(2000)
    assert other.id == fold(table).make_rematch(3000).id == table.rematch_id
    for each in (table, other):
        storage.journals[each.id] = [msgspec.json.encode(entry) for entry in each.pending]
    storage.kept_rows[other.id] = hub.row(await hub.get(other.id))
    token = keys.maker_token(KEY, table.id, 0)
    ear = Ear(hub)
    await ear.ask("attach", table=table.id, tokens=[token])
    assert (await ear.ask("rematch"))["table"] == other.id
    assert sorted(storage.journals) == sorted([table.id, other.id])
    await hub.close()


def test_over_http_after_a_kill(tmp_path: Path) -> None:
    server = Server(tmp_path).start()
    body = new_table("mine", "open", key=KEY)
    made = server.fetch("POST", "/api/tables", body)
    table = Seated(made.json).table
    join = {"name": "Ann", "key": OTHER}
    joined = server.fetch("POST", f"/api/tables/{table}/join", join)
    assert (made.status, joined.status) == (200, 200)
    server.kill()
    server.start()
    assert server.fetch("POST", "/api/tables", body).json == made.json
    assert server.fetch("POST", f"/api/tables/{table}/join", join).json == joined.json
    assert len(server.journal(table)) == 2  # made, and joined once
    assert server.fetch("POST", "/api/tables", body | {"key": "short"}).status == 400
    server.end()

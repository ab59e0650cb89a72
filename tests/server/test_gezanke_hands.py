"""Gezanke at a table with hands: from the path of a hand over the wire to the record."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

import pytest
from msgspec import structs

from quarterdeck.engine.match import Match
from quarterdeck.engine.record import read_record, write_record
from quarterdeck.server.hub import Hub
from quarterdeck.server.limits import Limits
from quarterdeck.server.protocol import Seated

from .helpers import MemoryStorage, begun, in_loop, plan
from .test_live import Sailor, until


async def aboard(hub: Hub, *seats: str, hands: str) -> tuple[Sailor, Seated]:
    """A table of Gezanke, all pirates where the first offer puts them."""
    options = {"hands": hands}
    given = {"grace_ms": 600_000, "start": True, "options": options}
    seated = await begun(hub, plan(*seats, game="gezanke", **given), "here")
    sailor = Sailor(hub)
    await sailor.come(seated)
    return sailor, seated


def path_of(world: dict[str, Any], ms: int) -> list[list[float]]:
    """Straight from where it is to where it ought to be in so many milliseconds; held there."""
    (x, z), (to_x, to_z) = world["from"], world["to"]
    if world["do"] == "lift":
        to_z += 20
    path = [[ms * i / 20, x + (to_x - x) * i / 20, z + (to_z - z) * i / 20] for i in range(21)]
    return [*path, [ms + 400, to_x, to_z]]


async def play(sailor: Sailor, seats: list[int], ms: int, enough: int) -> list[str]:
    """Plays for some seats, by hand, until so many hands were measured or the game is over."""
    begun = -1
    hands: list[str] = []
    while len(hands) < enough:
        views = [sailor.view(seat) for seat in seats]
        now = max(view["decision"] for view in views)
        if views[0]["view"]["phase"] == "over":
            break
        due = [(seat, view) for seat, view in zip(seats, views, strict=True) if view["legal"]]
        told = [m for m in sailor.messages if m["type"] == "world"]
        if due:
            seat, view = due[0]
            await sailor.act(seat, view["legal"][now % len(view["legal"])])
        elif told and told[-1]["decision"] == now and told[-1]["seat"] in seats and begun != now:
            begun, world = now, told[-1]["world"]
            hands.append(world["do"])
            await sailor.hand({"path": path_of(world, ms)})
            if world["do"] != "lift":
                await sailor.hand({"let_go": True})
        await until(partial(changed, sailor, seats, now, begun))
    return hands


def changed(sailor: Sailor, seats: list[int], now: int, begun: int) -> bool:
    """Whether there is something to be done at another decision, or in a world that has opened."""
    views = [sailor.view(seat) for seat in seats]
    if max(view["decision"] for view in views) != now or views[0]["view"]["phase"] == "over":
        return True
    told = [m for m in sailor.messages if m["type"] == "world"]
    return bool(told) and told[-1]["decision"] == now and told[-1]["seat"] in seats and begun != now


@in_loop
async def test_a_whole_game_by_hand_and_its_record() -> None:
    storage = MemoryStorage()
    hub = Hub(storage, Limits.unlimited())
    sailor, seated = await aboard(hub, "mine", "mine", hands="real")
    hands = await play(sailor, [0, 1], 900, 10_000)
    assert sailor.errors == []
    assert {"slide", "lift", "set", "board"} == set(hands)
    live = await hub.get(seated.table)
    record = live.table.playing.record()
    measured = [entry.do for entry in record.log if entry.do.startswith("hand ")]
    assert len(measured) == len(hands)
    again = Match.from_record(read_record(write_record(record)))
    assert again.is_over
    assert again.position() == live.table.playing.position()
    await hub.close()


@pytest.mark.parametrize("hands", ["each", "real"])
@in_loop
async def test_bots_have_steady_hands_and_a_person_as_the_table_says(hands: str) -> None:
    storage = MemoryStorage()
    hub = Hub(storage, Limits.unlimited())
    sailor, seated = await aboard(hub, "mine", "deckhand", "deckhand", hands=hands)
    await play(sailor, [0], 900, 1)
    await play_one(sailor)
    await sailor.hand({"steady": True})
    decision = sailor.last("world")["decision"]
    if hands == "each":
        await until(lambda: sailor.view(0)["decision"] > decision)
    else:
        await until(lambda: sailor.errors == ["bad-gesture"])
    live = await hub.get(seated.table)
    log = live.table.playing.record().log
    for before, entry in itertools.pairwise(log):
        if entry.do.startswith("hand ") and before.by in (1, 2):
            assert entry.do == "hand speed=0 press=0 kick=0 over=0"
    await hub.close()


async def play_one(sailor: Sailor) -> None:
    """Goes on to the next world of seat 0, and leaves it open."""
    opened = sailor.last("world")["decision"]

    def is_open() -> bool:
        told = sailor.last("world")
        return bool(told["seat"] == 0 and told["decision"] > opened)

    def has_moved_on(decision: int) -> bool:
        return sailor.view(0)["decision"] != decision or is_open()

    while not is_open():
        view = sailor.view(0)
        if view["legal"]:
            await sailor.act(0, view["legal"][0])
        await until(partial(has_moved_on, view["decision"]))


@in_loop
async def test_steady_tables_count_as_no_worlds() -> None:
    hub = Hub(MemoryStorage(), structs.replace(Limits.unlimited(), worlds=0))
    await aboard(hub, "mine", "mine", hands="steady")
    await hub.close()

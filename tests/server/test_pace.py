"""A bot's pace tells nothing of what it holds: by a virtual clock, to the millisecond."""

from __future__ import annotations

import asyncio
import hashlib
import io
import itertools
import json
import pickle
import secrets
import selectors
import time
from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import pytest

from quarterdeck.bots.levels import Decision, decide, find_level
from quarterdeck.bots.search import Budget
from quarterdeck.bots.worker import SIZE_BYTES, question, work
from quarterdeck.contract import rng_from_bytes
from quarterdeck.engine.match import Match
from quarterdeck.games import find_game
from quarterdeck.server.hub import Hub
from quarterdeck.server.limits import Limits
from quarterdeck.server.live_table import Client
from quarterdeck.server.protocol import PROTOCOL, Attach, NewTable, SeatPlan, encode

from .helpers import MemoryStorage

PLIES = 70  # of a game of two: the first hands, with forced plays and free ones
OVERSHOOT_S = 0.004  # by how much a search takes longer than it may


class _Jumping(selectors.DefaultSelector):
    """Waits for nothing: where the loop would sleep, its clock jumps."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[Any]:
        assert timeout is not None, "nothing will ever happen again"
        self.loop.now += timeout
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop with a clock of its own, which stands still while anything is to be done."""

    def __init__(self) -> None:
        self.now = 0.0
        selector = _Jumping()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.now


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """What comes of the work, on a virtual clock."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)


def fixed_bytes() -> Callable[[int], bytes]:
    """The same bytes in every run, instead of those that nobody can foresee."""
    count = itertools.count()
    return lambda size: hashlib.shake_128(b"%d" % next(count)).digest(size)


Told = list[tuple[int, int]]
"""When each ply was told, in milliseconds, and its number."""


async def watch(
    level: str, tables: int, pace_ms: int, thinks: Callable[[bool, float], float]
) -> tuple[list[Told], int, int]:
    """What those who watch some tables of two bots are told, and how many decisions were forced and
    free. The bots search one at a time; `thinks` says how long a search takes that is forced or
    not, of the time it is given."""
    loop = asyncio.get_running_loop()
    counts = [0, 0]

    async def ask(message: bytes) -> Decision:
        game_id, known, _, seed, budget = pickle.loads(message[SIZE_BYTES:])
        game = find_game(game_id)
        numbers = np.zeros(game.records.ACTIONS, np.int16)
        is_forced = game.rules.legal(game.kit, known.seen, known.seat, numbers) == 1
        counts[is_forced] += 1
        await asyncio.sleep(thinks(is_forced, budget.seconds))
        return decide(game, known, "random", rng_from_bytes(seed))

    hub = Hub(MemoryStorage(), Limits.unlimited())
    hub.search_pool._slots = asyncio.Semaphore(1)
    hub.search_pool.count = 1
    hub.search_pool._ask = ask  # type: ignore[method-assign]
    all_told: list[Told] = [[] for _ in range(tables)]
    plan = SeatPlan("bot", level)
    request = NewTable(
        "skull-king", (SeatPlan("mine", level), plan), "Maker", grace_ms=0, bot_pace_ms=pace_ms,
        start=True,
    )  # fmt: skip
    for told in all_told:
        await asyncio.sleep(0.01234567)  # no two of them do anything in the same moment
        seated = await hub.make(request, "")

        def hear(data: bytes, told: Told = told) -> None:
            message = json.loads(data)
            if message["type"] == "view":
                told.append((round(loop.time() * 1000), message["shown"]["ply"]))

        hub.receive(Client(hear, hub.limits), encode(Attach(1, seated.table, (), PROTOCOL)))
    while any(not told or told[-1][1] < PLIES for told in all_told):
        await asyncio.sleep(0.1)
    await hub.close()
    return all_told, counts[True], counts[False]


LEVELS = ["deckhand", "bosun", "quartermaster", "legend"]
SPEEDS: dict[str, Callable[[bool, float], float]] = {
    "as searches are": lambda is_forced, seconds: 0.0 if is_forced else seconds + OVERSHOOT_S,
    "all quick": lambda is_forced, seconds: 0.0,
    "the other way round": lambda is_forced, seconds: seconds + OVERSHOOT_S if is_forced else 0.0,
}


@pytest.mark.parametrize("pace_ms", [0, 900])
@pytest.mark.parametrize("level", LEVELS)
def test_a_forced_play_takes_as_long_as_a_free_one(level: str, pace_ms: int) -> None:
    """Every answer comes when the level and the table say, to the millisecond."""
    (told,), forced, free = run(watch(level, 1, pace_ms, SPEEDS["as searches are"]))
    searches = find_level(level).budget.seconds is not None
    assert (min(forced, free) > 8) == searches
    times = [at for at, ply in told if ply >= 4]  # the first bids are in; a bot came for the maker
    waits = {after - before for before, after in itertools.pairwise(times)}
    waits.discard(0)  # sealed bids that come in the same moment
    thought = find_level(level).budget.seconds
    quickest = 0 if thought is None else round(thought * 1000) + 50
    assert waits == {max(pace_ms, quickest)} - {0}


@pytest.mark.parametrize("level", ["quartermaster", "legend"])
def test_nor_does_a_crowded_machine_tell_them_apart(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine tables want to search and one can at a time: how long the searches really take, forced
    or free, changes no time at any table."""
    runs = []
    for thinks in SPEEDS.values():
        monkeypatch.setattr(secrets, "token_bytes", fixed_bytes())
        runs.append(run(watch(level, 9, 0, thinks)))
    (usual, forced, free), *others = runs
    assert min(forced, free) > 8
    waits = {after[0] - before[0] for told in usual for before, after in itertools.pairwise(told)}
    assert len(waits) > 3, "the machine was not crowded"
    for other, _, _ in others:
        assert other == usual


def test_a_process_takes_the_time_it_is_given() -> None:
    """Also where there is nothing to think about."""
    match = Match(find_game("skull-king"), {"players": 2}, seed=1)
    match.draw_chance()
    known, budget = match.knowledge(match.seats_to_act[0]), Budget(0.05, None)
    asked = io.BytesIO(question("skull-king", known, "bosun", bytes(16), budget))
    answers, started = io.BytesIO(), time.perf_counter()
    work(asked, answers)
    assert time.perf_counter() - started >= 0.05
    assert answers.getvalue()

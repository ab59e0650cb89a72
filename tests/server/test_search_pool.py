"""Where bots think: fair shares, processes that are lost, and bots whose pace tells nothing."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from quarterdeck.bots.levels import LEVELS, Decision, decide
from quarterdeck.bots.search import Budget
from quarterdeck.bots.worker import SIZE_BYTES, question, read_answer, work
from quarterdeck.contract import SEALED, rng_from_bytes
from quarterdeck.engine.match import Knowledge, Match
from quarterdeck.games import find_game
from quarterdeck.loadtest import Plan, load_test, started_quarterdeck
from quarterdeck.server.metrics import Metrics
from quarterdeck.server.preparation import Preparation
from quarterdeck.server.search_pool import SearchPool, SearchPoolBroken, _Search

from .helpers import in_loop

SKULL_KING = find_game("skull-king")
PATIENCE_S = 120.0


def known(seed: int = 1) -> Knowledge:
    """What seat 0 knows before the bids of a sixth hand."""
    match = Match(SKULL_KING, {"players": 3}, seed=seed)
    match.draw_chance()
    while match.state.hand < 6 or match.node != SEALED:
        for seat in match.seats_to_act:
            match.act(seat, match.legal(seat)[0])
        match.draw_chance()
    return match.knowledge(0)


# Shares --------------------------------------------------------------------------------------


@in_loop
async def test_budgets_shrink_evenly_in_a_rush() -> None:
    pool = SearchPool(Metrics(), Preparation([]), count=2)
    budget = LEVELS["quartermaster"].budget
    assert budget.seconds is not None
    rush = [pool._queue() for _ in range(100)]
    (share,) = {pool._share(budget, search).seconds for search in rush}
    assert share == pytest.approx(budget.seconds * 2 / 100)
    # most are done; those that came with the rush get no more than the others had
    for search in rush[:99]:
        pool._searches.discard(search)
    assert pool._share(budget, rush[99]).seconds == pytest.approx(budget.seconds * 2 / 100)
    # whoever comes now has the machine for itself
    late = pool._queue()
    assert pool._share(budget, late).seconds == budget.seconds
    await pool.close()


def test_levels_shrink_in_the_same_proportion() -> None:
    pool = SearchPool(Metrics(), Preparation([]), count=2)
    search = _Search(most_at_once=10)
    for level in ("quartermaster", "legend"):
        budget = LEVELS[level].budget
        share = pool._share(budget, search)
        assert share.seconds is not None
        assert budget.seconds is not None
        assert share.seconds / budget.seconds == pytest.approx(0.2)


@in_loop
async def test_searches_are_answered_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = SearchPool(Metrics(), Preparation([]), count=2)
    running, most = 0, 0
    answer = Decision(0, [])

    async def ask(message: bytes) -> Decision:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.01)
        running -= 1
        return answer

    monkeypatch.setattr(pool, "_ask", ask)
    asked = [pool.decide(SKULL_KING, known(), "legend") for _ in range(9)]
    assert await asyncio.gather(*asked) == [answer] * 9
    assert most == 2
    assert not pool._searches
    await pool.close()


# Processes -----------------------------------------------------------------------------------


def test_a_worker_decides_as_the_level_does() -> None:
    seed, budget = bytes(range(16)), Budget(None, 300)
    answers = io.BytesIO()
    work(io.BytesIO(2 * question("skull-king", known(), "quartermaster", seed, budget)), answers)
    data = answers.getvalue()
    size = int.from_bytes(data[:SIZE_BYTES], "big")
    one = read_answer(data[SIZE_BYTES : SIZE_BYTES + size])
    again = read_answer(data[2 * SIZE_BYTES + size :])
    here = decide(SKULL_KING, known(), "quartermaster", rng_from_bytes(seed), budget)
    assert one == again == here
    assert len(here.estimates) == 7


@in_loop
async def test_a_process_that_is_lost_is_replaced() -> None:
    pool = SearchPool(Metrics(), Preparation([]), count=1)
    try:
        first = await pool.decide(SKULL_KING, known(), "quartermaster")
        (process,) = pool._idle
        os.kill(process.pid, signal.SIGKILL)
        second = await pool.decide(SKULL_KING, known(), "quartermaster")
        assert first.estimates
        assert second.estimates
        assert [process.pid] != [other.pid for other in pool._idle]
    finally:
        await pool.close()
    assert all(other.returncode is not None for other in pool._idle)


@in_loop
async def test_processes_that_never_last_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = SearchPool(Metrics(), Preparation([]), count=1)

    async def start() -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        return await asyncio.create_subprocess_exec("false", stdin=pipe, stdout=pipe)

    monkeypatch.setattr(pool, "_start", start)
    with pytest.raises(SearchPoolBroken):
        await pool.decide(SKULL_KING, known(), "quartermaster")
    assert not pool._idle
    await pool.close()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_worker_gives_way_and_ends_with_its_server() -> None:
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "quarterdeck.bots.worker"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        budget = Budget(None, 1)
        worker.stdin.write(question("skull-king", known(), "quartermaster", bytes(16), budget))
        worker.stdin.flush()
        assert worker.stdout.read(SIZE_BYTES)
        niceness = int(Path(f"/proc/{worker.pid}/stat").read_text().rpartition(")")[2].split()[16])
        assert niceness >= min(19, os.nice(0) + 10)
        worker.stdin.close()
        assert worker.wait(10) == 0


# At a table ----------------------------------------------------------------------------------


def test_people_are_acknowledged_while_bots_search() -> None:
    plan = Plan(
        tables=6, seconds=6.0, pace_ms=100, bots="quartermaster", bot_pace_ms=50,
        warm_up_seconds=1.0,
    )  # fmt: skip
    first = msgspec.structs.replace(plan, tables=1, seconds=2.0, warm_up_seconds=0.0)
    with started_quarterdeck(pinned=False) as server:
        # what thinks is loaded, or even compiled, with the first question; three entries of the log
        # may be nature's
        end = time.monotonic() + PATIENCE_S
        while (figures := load_test(first, server)).bot_moves_per_second * first.seconds <= 3:
            assert time.monotonic() < end, figures.text()
        figures = load_test(plan, server)
    assert figures.errors == {}
    assert figures.moves >= 3
    assert figures.bot_moves_per_second > figures.moves_per_second
    assert 0 < figures.own.p50 < 500  # what is promised is measured in bench/
    assert "quartermaster" in figures.text()
    assert "acks" in figures.text()

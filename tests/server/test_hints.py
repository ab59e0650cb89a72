"""Hints: what the quartermaster would do, from what the seat knows, where the table allows it."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

from quarterdeck.bots.levels import Decision, decide
from quarterdeck.bots.search import Budget, Estimate
from quarterdeck.contract import Game, rng_from_bytes
from quarterdeck.engine.match import Knowledge
from quarterdeck.server.hints import hint_of
from quarterdeck.server.hub import Hub
from quarterdeck.server.limits import Limits
from quarterdeck.server.protocol import NewTable, SeatPlan
from quarterdeck.server.table import Table

from .helpers import Ear, MemoryStorage, begun, in_loop, made_table, plan, start, started_table


class Harbour:
    """A hub with one table under way, somebody on seat 0, and thoughts that are written down."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, limits: Limits | None = None) -> None:
        self.hub = Hub(MemoryStorage(), limits)
        self.thoughts: list[tuple[Knowledge, str]] = []
        self.gate = asyncio.Event()
        self.gate.set()

        async def think(game: Game, known: Knowledge, level: str) -> Decision:
            self.thoughts.append((known, level))
            await self.gate.wait()
            rng = rng_from_bytes(bytes(range(16)))
            return decide(game, known, level, rng, Budget(None, 200))

        monkeypatch.setattr(self.hub.search_pool, "decide", think)

    async def begin(self, *seats: str, **given: Any) -> Ear:
        seated = await begun(self.hub, plan(*seats, start=True, **given), "")
        self.table = self.hub.tables[seated.table].table
        self.ear = Ear(self.hub)
        tokens = [key.token for key in seated.keys]
        await self.ear.ask("attach", table=seated.table, tokens=tokens)
        return self.ear

    async def hinted(self, count: int = 1) -> dict[str, Any]:
        async with asyncio.timeout(30):
            while sum(b'"type":"hint"' in data for data in self.ear.heard) < count:
                await asyncio.sleep(0.01)
        return self.ear.last("hint")


@in_loop
async def test_a_hint_tells_of_every_legal_action(monkeypatch: pytest.MonkeyPatch) -> None:
    at = Harbour(monkeypatch)
    ear = await at.begin("mine", "mine", hints=True)
    view = ear.last("view")
    assert (await ear.ask("hint", seat=1, decision=view["decision"]))["type"] == "ok"
    hint = await at.hinted()
    assert hint["seat"] == 1
    assert hint["decision"] == view["decision"]
    assert hint["level"] == "quartermaster"
    assert hint["unit"] == "score"
    assert sorted(move["do"] for move in hint["moves"]) == ["bid 0", "bid 1"]
    assert sum(move["share"] for move in hint["moves"]) == pytest.approx(1, abs=0.001)
    shares = [move["share"] for move in hint["moves"]]
    assert shares == sorted(shares, reverse=True)
    ((known, level),) = at.thoughts
    assert level == "quartermaster"
    assert known.seat == 1
    assert known.seen.hands[0][0] == -2  # what the seat may not see is not in what was thought of
    await at.hub.close()


@in_loop
async def test_a_hint_is_thought_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    at = Harbour(monkeypatch)
    ear = await at.begin("mine", "mine", hints=True)
    decision = ear.last("view")["decision"]
    for count in range(1, 9):  # more than may be thought of in one go
        assert (await ear.ask("hint", seat=0, decision=decision))["type"] == "ok"
        await at.hinted(count)
    assert len(at.thoughts) == 1
    await at.hub.close()


@in_loop
async def test_hints_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    at = Harbour(monkeypatch, Limits(hints_per_second=0.0, hint_burst=1))
    ear = await at.begin("mine", "mine", hints=True)
    decision = ear.last("view")["decision"]
    assert (await ear.ask("hint", seat=0, decision=decision))["type"] == "ok"
    answer = await ear.ask("hint", seat=1, decision=decision)
    assert answer["code"] == "too-many"
    await at.hub.close()


@in_loop
async def test_who_gets_no_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    at = Harbour(monkeypatch)
    ear = await at.begin("mine", "bot", hints=True, bot_pace_ms=10_000)
    decision = ear.last("view")["decision"]
    for seat, asked, code in [
        (1, decision, "not-your-seat"),
        (0, decision + 5, "past-decision"),
        (0, decision - 1, "past-decision"),
    ]:
        assert (await ear.ask("hint", seat=seat, decision=asked))["code"] == code
    watcher = Ear(at.hub)
    assert (await watcher.ask("hint", seat=0, decision=decision))["code"] == "not-attached"
    await watcher.ask("attach", table=at.table.id, tokens=[])
    assert (await watcher.ask("hint", seat=0, decision=decision))["code"] == "not-your-seat"
    await ear.ask("act", seat=0, decision=decision, do="bid 0")
    assert (await ear.ask("hint", seat=0, decision=decision))["code"] == "wrong-time"
    assert at.thoughts == []

    other = Harbour(monkeypatch)
    ear = await other.begin("mine", "mine")
    decision = ear.last("view")["decision"]
    assert (await ear.ask("hint", seat=0, decision=decision))["code"] == "no-hints"
    assert other.thoughts == []
    await at.hub.close()
    await other.hub.close()


@in_loop
async def test_a_hint_that_comes_too_late_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    at = Harbour(monkeypatch)
    ear = await at.begin("mine", "mine", hints=True)
    decision = ear.last("view")["decision"]
    at.gate.clear()
    assert (await ear.ask("hint", seat=0, decision=decision))["type"] == "ok"
    # a request is answered while the hint is thought of
    assert (await ear.ask("act", seat=0, decision=decision, do="bid 1"))["type"] == "ok"
    at.gate.set()
    await asyncio.sleep(0.05)
    assert not any(b'"type":"hint"' in data for data in ear.heard)
    await at.hub.close()


@in_loop
async def test_only_who_asked_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    at = Harbour(monkeypatch)
    ear = await at.begin("mine", "mine", hints=True)
    watcher = Ear(at.hub)
    await watcher.ask("attach", table=at.table.id, tokens=[])
    before = len(watcher.heard)
    await ear.ask("hint", seat=0, decision=ear.last("view")["decision"])
    await at.hinted()
    assert watcher.heard[before:] == []
    await at.hub.close()


@pytest.mark.parametrize(
    ("seats", "given", "has_hints"),
    [
        (["mine", "bot", "bot"], {}, True),
        (["bot", "mine"], {}, True),
        (["mine", "bot", "closed"], {}, True),
        (["mine", "open", "bot"], {}, False),
        (["mine", "mine", "bot"], {}, False),
        (["mine", "bot"], {"hints": False}, False),
        (["mine", "open"], {"hints": True}, True),
    ],
)
def test_where_hints_are_allowed(seats: list[str], given: Any, has_hints: bool) -> None:
    table, _ = made_table(*seats, **given)
    assert table.made.hints is has_hints
    assert table.told([0], [], 0).hints is has_hints


def test_an_action_that_was_not_tried_has_no_expectation() -> None:
    table = started_table("mine", "mine", hints=True)
    number = table.playing.legal_numbers(0)[1]
    told = hint_of(table, 0, Decision(number, [Estimate(number, 12.345, 7)]))
    assert json.loads(json.dumps([(m.do, m.expected, m.share) for m in told.moves])) == [
        ["bid 1", 12.345, 1.0],
        ["bid 0", None, 0.0],
    ]


def test_a_game_may_tell_chances() -> None:
    table = Table.make("aaaaaaaa", NewTable("jolly-roger", (SeatPlan("mine"),) * 2, "X"), 0)[0]
    start(table, 0)
    seat = table.playing.seats_to_act[0]
    first, second, *_ = table.playing.legal_numbers(seat)
    told = hint_of(
        table, seat, Decision(first, [Estimate(first, 1.03, 7), Estimate(second, 0.25, 3)])
    )
    assert told.unit == "chance"
    assert [move.expected for move in told.moves[:2]] == [1.0, 0.25]
    assert all(move.expected is None for move in told.moves[2:])


def test_a_rematch_keeps_the_hints() -> None:
    table = started_table("mine", "mine", hints=True)
    chooser = random.Random(1)
    while table.status == "playing":
        seat = table.playing.seats_to_act[0]
        table.act(seat, chooser.choice(table.playing.legal(seat)), 1000)
    assert table.make_rematch(2000).made.hints is True

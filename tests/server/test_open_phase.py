"""Open phases: everybody acts at once, nature's clock runs, and the journal keeps the order."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from quarterdeck.contract import NATURE, OPEN
from quarterdeck.engine.match import Match
from quarterdeck.engine.record import read_record
from quarterdeck.server import journal
from quarterdeck.server.errors import PastDecision
from quarterdeck.server.protocol import NewTable, SeatPlan
from quarterdeck.server.table import Table

from .helpers import PER_MOVE, Player, Seated, Server, at, fold, in_loop, new_table, start

GAME = "piratoons"
FAST = {"glass": 1, "limit": 5}


def opened(*seats: str, now: int = 1000, **given: Any) -> Table:
    """A table at which the chest has just been opened."""
    plans = tuple(SeatPlan(kind) for kind in seats)  # type: ignore[arg-type]
    request = NewTable(GAME, plans, "Maker", **{"options": FAST} | given)
    table, _ = Table.make("aaaaaaaa", request, now)
    start(table, now)
    captain = table.playing.seats_to_act[0]
    table.act(captain, "open", now)
    assert table.playing.node == OPEN
    return table


# Nature's clock, without waiting -------------------------------------------------------------


def test_the_sand_falls_due_after_the_glass_and_the_limit_after_the_sand() -> None:
    table = opened("mine", "mine")
    assert table.nature_deadline() == 2000
    told = table.due_told(1400)
    assert told is not None
    assert (told.do, told.left_ms, told.of_ms) == ("sand", 600, 1000)
    table.tick(1999)  # not yet
    assert not table.playing.state.ran_out
    table.act(0, "drop 1 @60,140", 1500)
    assert table.nature_deadline() == 2000  # nobody's action sets it back
    table.tick(2000)
    assert table.playing.state.ran_out
    assert table.nature_deadline() == 7000
    table.tick(7000)
    assert table.playing.node != OPEN
    assert table.nature_deadline() is None
    assert table.due_told(7001) is None
    acted = [entry for entry in table.pending if isinstance(entry, journal.Acted)]
    assert [entry.do for entry in acted if entry.by == NATURE][-2:] == ["sand", "close"]


def test_at_a_paused_table_the_sand_stands_still() -> None:
    table = opened("mine", "mine")
    table.pause([0], True, 1300)
    assert table.nature_deadline() is None
    told = table.due_told(9000)
    assert told is not None
    assert told.left_ms == 700
    table.tick(9000)
    assert not table.playing.state.ran_out
    table.pause([0], False, 10_000)
    assert table.nature_deadline() == 10_700
    assert fold(table).nature_deadline() == 10_700


def test_the_time_a_server_was_down_does_not_count() -> None:
    table = opened("mine", "mine")
    again = fold(table)
    assert again.nature_deadline() == 2000
    again.wake(50_000)
    assert again.nature_deadline() == 51_000


def test_nobodys_clock_runs_in_an_open_phase() -> None:
    table = opened("mine", "mine", clock=PER_MOVE)
    assert table.next_timeout() is None
    table.tick(2000)
    table.act(0, "stop", 2100)
    assert table.next_timeout() is not None


def test_the_decision_stays_the_same_until_the_end() -> None:
    table = opened("mine", "mine")
    decision = table.playing.decision
    table.act(1, "drop 2 @60,140", 1100, decision=decision)
    table.act(0, "drop 1 @150,140", 1101, decision=decision)
    table.tick(2000)
    table.act(0, "stop", 2100, decision=decision)
    with pytest.raises(PastDecision):
        table.act(1, "drop 1 @60,140", 2100, decision=decision)


# A real server -------------------------------------------------------------------------------


def quick_table(server: Server, *seats: str, **given: Any) -> Seated:
    given = {"game": GAME, "options": FAST, "start": True} | given
    answer = server.fetch("POST", "/api/tables", new_table(*seats, **given))
    assert answer.status == 200, answer.body
    return Seated(answer.json)


@in_loop
async def test_two_drops_and_a_stop_within_5_ms_come_out_the_same_for_everybody(
    server: Server,
) -> None:
    """Three connections send at once, again and again; all see one order, and the record has it."""
    made = quick_table(server, "mine", "mine", "mine")
    connections = [server.attached(made.table, token) for token in made.tokens.values()]
    async with at(*connections, server.attached(made.table)) as players:
        people, watcher = players[:3], players[3]
        for round_number in range(1, 9):
            for seat, player in enumerate(people):
                await player.until(
                    lambda p=player, s=seat, r=round_number: (
                        s in p.views
                        and p.views[s]["view"]["round"] == r
                        and p.views[s]["view"]["phase"] == "plunder"
                    )
                )
            captain = people[0].views[0]["view"]["captain"]
            await people[captain].act(captain, "open")
            for seat, player in enumerate(people):
                await player.until(lambda p=player, s=seat: p.views[s]["view"]["ran_out"])
            # all at once: who is first is the server's to say
            decision = people[0].views[0]["decision"]
            answers = await asyncio.gather(
                people[0].act(0, "drop 1 @60,140", decision),
                people[1].act(1, "drop 2 @70,140", decision),
                people[2].act(2, "stop", decision),
            )
            assert answers[2]["type"] == "ok"
            for answer in answers[:2]:
                assert answer["type"] == "ok" or answer["code"] == "past-decision"
            await asyncio.gather(
                *(finish_round(player, seat, round_number) for seat, player in enumerate(people))
            )
        for player in [*people, watcher]:
            await player.until(
                lambda p=player: any(v["view"]["phase"] == "over" for v in p.views.values())
            )
        # everybody was told the same, in the same order
        heard = [
            [
                event
                for message in player.told
                if message["type"] == "view"
                for event in message["events"]
            ]
            for player in [*people, watcher]
        ]
        assert heard[0] == heard[1] == heard[2] == heard[3]
        assert {"stopped", "dropped"} <= {event["key"] for event in heard[0]}
        view = watcher.views[None]["view"]
    answer = server.fetch("GET", f"/api/tables/{made.table}/record")
    record = read_record(answer.body)
    times = [entry.at for entry in record.log if entry.at is not None]
    assert len(times) == len(record.log)
    assert times == sorted(times)
    match, again = Match.from_record(record), Match.from_record(record)
    assert match.hash == again.hash
    assert match.outcome.scores == view["scores"]
    stored = Table.read(server.journal(made.table))
    assert stored.playing.hash == match.hash


async def finish_round(player: Player, seat: int, round_number: int) -> None:
    """No bids, and the best ship."""

    def is_done() -> bool:
        view = player.views[seat]["view"]
        return bool(view["round"] > round_number or view["phase"] == "over")

    def is_due() -> bool:
        view = player.views[seat]
        return bool(view["legal"]) and view["view"]["phase"] in ("auction", "refit")

    while True:
        await player.until(lambda: is_done() or is_due())
        if is_done():
            return
        assert (await player.act(seat, player.views[seat]["legal"][0]))["type"] == "ok"


@in_loop
async def test_a_drop_is_acknowledged_and_shown_to_all_at_once(server: Server) -> None:
    made = quick_table(server, "mine", "mine", options={"glass": 60, "limit": 5})
    connections = [server.attached(made.table, token) for token in made.tokens.values()]
    async with at(*connections, server.attached(made.table)) as players:
        captain = (await players[0].until_view(0))["view"]["captain"]
        await players[captain].until_turn(captain)
        await players[captain].act(captain, "open")
        await players[0].until(lambda: players[0].views[0]["view"]["opened"])
        for number in range(5):
            seq = players[0].views[0]["seq"]
            answer = await players[0].act(0, f"drop 1 @{40 + 20 * number},100")
            assert answer["type"] == "ok"
            for player, seat in zip(players, (0, 1, None), strict=True):
                view = await player.until_view(seat, seq + 1)
                assert len(view["view"]["piles"]) == number + 1
                assert view["due"]["do"] == "sand"
                assert 0 < view["due"]["left_ms"] <= view["due"]["of_ms"] == 60_000


@in_loop
async def test_bots_plunder_by_themselves_against_the_clock(server: Server) -> None:
    made = quick_table(server, "mine", "bot", "bot", bot_pace_ms=60)
    async with at(server.attached(made.table, made.token)) as player:
        seen: dict[str, Any] = {}

        def is_due() -> bool:
            view = player.views.get(0, {"view": {"round": 0, "opened": True}, "legal": ()})
            seen.update(view["view"])
            return seen["round"] == 4 or bool(view["legal"] and not seen["opened"])

        while True:  # this player lets the others plunder
            await player.until(is_due)
            if seen["round"] == 4:
                break
            await player.act(0, player.views[0]["legal"][0])
    log = Table.read(server.journal(made.table)).playing.log
    by_bots = [entry for entry in log if entry.by in (1, 2) and entry.do.startswith("drop")]
    assert len(by_bots) > 6
    assert all(entry.via == "bot" for entry in by_bots)
    opened = {entry.at for entry in log if entry.do == "open"}
    assert not opened & {entry.at for entry in by_bots}  # nobody reacts at once
    assert [entry.do for entry in log].count("sand") >= 2


@in_loop
async def test_a_layout_is_previewed(server: Server) -> None:
    made = quick_table(server, "mine", "bot", bot_pace_ms=5)
    async with at(server.attached(made.table, made.token)) as player:
        await player.until_view(0)
        while player.views[0]["view"]["phase"] != "refit" or not player.views[0]["legal"]:
            view = player.views[0]
            if not view["legal"]:
                seq = view["seq"]
                await player.until(lambda seq=seq: player.views[0]["seq"] > seq)
                continue
            drops = [text for text in view["legal"] if text.startswith("drop 1 p")]
            await player.act(0, drops[-1] if drops else view["legal"][0])
        view = player.views[0]
        layout = view["view"]["best"]
        assert view["legal"] == [f"refit {layout}", "show"]

        async def preview(do: str) -> Any:
            player._last_id += 1
            ask = {"type": "preview", "id": player._last_id, "seat": 0, "do": do}
            await player.socket.send(json.dumps(ask | {"decision": view["decision"]}))
            id = player._last_id
            await player.until(lambda: any(m.get("id") == id for m in player.told))
            return next(m for m in player.told if m.get("id") == id)

        told = (await preview(f"refit {layout}"))["told"]
        assert (told["layout"], told["refused"]) == (layout, None)
        assert (await preview("refit -"))["told"]["refused"] == "PT-24"
        assert (await preview("refit p99"))["code"] == "bad-notation"
        assert (await preview("stop"))["code"] == "illegal-action"
        assert player.views[0]["view"]["refits"][0] is None

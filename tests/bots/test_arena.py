"""The arena: who sits where, the same deals for all, and what is made of the games."""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from quarterdeck.bots.arena import GameResult, Plan, play_deals, play_game
from quarterdeck.bots.report import Report, Tally, looks, run, shown
from quarterdeck.cli import main
from quarterdeck.contract import BadOption
from quarterdeck.engine.match import Match
from quarterdeck.engine.record import read_record
from quarterdeck.engine.verify import verify
from quarterdeck.games import find_game

SKULL_KING = find_game("skull-king")


def plan(*bots: str, players: int = 4, deals: int = 2, **more: Any) -> Plan:
    return Plan("skull-king", {"players": players}, bots, deals, **more)


# Who sits where ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "players", "mode"),
    [
        (("a", "b"), 4, "mixed"),
        (("a", "b", "c"), 3, "mixed"),
        (("a",), 4, "mixed"),
        (("a", "b"), 2, "round-robin"),
        (("a", "b", "c"), 4, "round-robin"),
        (("a", "b", "c", "d", "e"), 3, "round-robin"),
    ],
)
def test_every_bot_has_every_seat_of_a_deal(bots: tuple[str, ...], players: int, mode: Any) -> None:
    seatings = plan(*bots, players=players, mode=mode).seatings()
    assert len(set(seatings)) == len(seatings)
    counts = Counter((bot, seat) for seating in seatings for seat, bot in enumerate(seating))
    for bot in range(len(bots)):
        by_seat = {counts[bot, seat] for seat in range(players)}
        assert len(by_seat) == 1
        assert by_seat != {0}
    if mode == "round-robin":
        pairs = {frozenset(seating) for seating in seatings}
        assert len(pairs) == len(bots) * (len(bots) - 1) / 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (plan("admiral"), "there is no bot 'admiral'"),
        (plan("random", "bosun", "deckhand", players=2), "do not fit"),
        (plan("bosun", "bosun"), "named once"),
        (plan("bosun", mode="round-robin"), "at least two bots"),
        (plan("exec:./no-such-program"), "there is no program"),
        (plan("exec:"), "there is no program"),
        (plan("exec:'"), "is no command"),
        (plan(*[f"exec:true {n}" for n in range(33)], mode="round-robin"), "1 to 32 bots"),
    ],
)
def test_plans_that_cannot_be_played(given: Plan, said: str) -> None:
    with pytest.raises(BadOption, match=said):
        given.check()


# The games -----------------------------------------------------------------------------------


def test_chance_is_the_deal_s_own_whoever_sits_where() -> None:
    given = plan("bosun", "random", deals=2)
    dealt: dict[int, set[tuple[str, ...]]] = {}
    for results in play_deals(SKULL_KING, given, jobs=1):
        for result in results:
            log = read_record(result.record).log
            draws = tuple(entry.do for entry in log if entry.by == "nature")
            dealt.setdefault(result.deal, set()).add(draws)
    assert [len(draws) for draws in dealt.values()] == [1, 1]
    assert dealt[0] != dealt[1]


def test_self_play_has_no_difference() -> None:
    given = plan("bosun", deals=3)
    (only,) = given.seatings()
    assert only == (0, 0, 0, 0)
    report = run(SKULL_KING, given, jobs=1)
    assert report.bots[0].difference is None
    assert report.meetings == []
    assert report.bots[0].wins.value == pytest.approx(0.25)


def test_the_same_plan_gives_the_same_games_on_any_number_of_processes() -> None:
    given = plan("quartermaster", "random", players=2, deals=2, seed=9)

    def played(jobs: int) -> list[Any]:
        return [
            (result.bots, result.scores, result.record)
            for results in play_deals(SKULL_KING, given, jobs)
            for result in results
        ]

    assert played(1) == played(2)
    assert not multiprocessing.active_children()


def test_records_replay_and_verify() -> None:
    kept = io.BytesIO()
    report = run(SKULL_KING, plan("bosun", "random", players=3, seed=4), jobs=1, records=kept)
    lines = kept.getvalue().splitlines()
    assert len(lines) == report.games == 6
    for line in lines:
        record = read_record(line)
        match = Match.from_record(record)
        assert match.is_over
        assert verify(record).draws == 11
        assert sorted(set(record.seats)) == ["bosun", "random"]
        assert {entry.via for entry in record.log if entry.by != "nature"} == {"bot"}


def test_statistics_are_the_game_s_own() -> None:
    result = play_game(SKULL_KING, plan("bosun", "random", deals=1), 0, 0)
    pad = Match.from_record(read_record(result.record)).position()["pad"]
    for seat, share in enumerate(result.statistics["exact-bids"]):
        assert share == sum(hand[seat]["points"] > 0 for hand in pad) / 10


def test_a_plan_that_nobody_listens_to_any_more_ends_its_processes() -> None:
    games = play_deals(SKULL_KING, plan("bosun", "random", deals=10_000), jobs=2)
    assert len(next(games)) == 4
    games.close()
    assert not multiprocessing.active_children()


# What is made of them ------------------------------------------------------------------------


def result(deal: int, bots: tuple[int, ...], scores: list[int]) -> GameResult:
    winners = [score == max(scores) for score in scores]
    wins = [won / sum(winners) for won in winners]
    exact = {"exact": [score / 100 for score in scores]}
    count = len(bots)
    return GameResult(
        deal, 0, bots, scores, wins, exact, [10] * count, [0.5] * count, faults=[], record=b""
    )


def test_a_tally_by_hand() -> None:
    tally = Tally(plan("a", "b", players=3))
    # deal 0: a has 30 of 10 and 20; then 0 of 50 and 10
    tally.add([result(0, (0, 1, 1), [30, 10, 20]), result(0, (1, 0, 1), [50, 0, 10])])
    tally.add([result(1, (0, 1, 1), [10, 10, 0]), result(1, (1, 0, 1), [0, 20, 0])])
    assert tally.values("score", 0).tolist() == [15.0, 15.0]
    assert tally.values("score", 1).tolist() == [22.5, 2.5]
    assert tally.values("difference", 0).tolist() == [-7.5, 12.5]
    assert tally.values("wins", 0).tolist() == [0.5, 0.75]
    assert tally.values("exact", 1).tolist() == [0.225, 0.025]
    report = tally.report(1.0, [])
    (meeting,) = report.meetings
    # ahead of both, of neither; then of one with a tie by score that is a shared win, of both
    assert meeting.ahead.value == pytest.approx((1.0 + 0.0 + 0.75 + 1.0) / 4)
    assert report.bots[0].ms_per_decision == 50.0
    assert report.bots[1].games == 8
    assert report.bots[0].rating.value > report.bots[1].rating.value
    with pytest.raises(BadOption, match="no measure 'luck'"):
        tally.values("luck", 0)


def test_looks() -> None:
    assert looks(5) == [5]
    assert looks(20) == [20]
    assert looks(60) == [20, 30, 45, 60]


def test_it_stops_when_all_is_clear() -> None:
    bars = {"difference": 50.0, "exact-bids": 0.9}
    report = run(SKULL_KING, plan("bosun", "random", deals=200), bars=bars, jobs=1)
    assert report.deals in looks(200)[:3]
    assert {bar.measure: bar.verdict for bar in report.bars} == {
        "difference": "above",
        "exact-bids": "below",
    }
    assert report.bots[0].difference is not None
    assert report.bots[0].difference.value > 200


def test_it_goes_on_while_something_is_open() -> None:
    given = plan("bosun", "random", players=2, deals=22)
    middle = run(SKULL_KING, given, jobs=1).bots[0].score.value
    report = run(SKULL_KING, given, bars={"score": middle}, jobs=1)
    assert report.deals == 22
    assert report.bars[0].verdict == "open"


# The command ---------------------------------------------------------------------------------


def arena(*arguments: str) -> int:
    return main(["arena", "skull-king", "--jobs", "1", *arguments])


def test_the_command_prints_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "games.jsonl"
    given = ["--players", "2", "--bot", "bosun", "--bot", "random", "--bot", "deckhand"]
    given += ["--round-robin", "--deals", "4", "--seed", "7"]
    assert arena(*given, "--record", str(kept), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == set(Report.__struct_fields__)
    assert told["deals"] == 4
    assert told["games"] == 24 == len(kept.read_bytes().splitlines())
    assert [bot["bot"] for bot in told["bots"]] == ["bosun", "random", "deckhand"]
    assert told["bots"][0]["rating"]["value"] > told["bots"][1]["rating"]["value"]
    assert len(told["meetings"]) == 3

    assert arena(*given) == 0
    text = capsys.readouterr().out
    assert "4 deals, 24 games, seed 7, fixed budgets" in text
    assert "exact-bids" in text
    assert "deckhand" in text


@pytest.mark.parametrize(
    "given",
    [
        ["--bot", "nobody"],
        ["--bot", "bosun", "--option", "wind=strong"],
        ["--bot", "bosun", "--players", "9"],
        ["--bot", "bosun", "--until-clear", "score"],
        ["--bot", "bosun", "--until-clear", "luck=1"],
        ["--bot", "bosun", "--record", "/no/such/folder/games.jsonl"],
    ],
)
def test_bad_input_is_an_error_with_a_code(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert arena(*given, "--deals", "1") == 2
    assert json.loads(capsys.readouterr().out)["error"] == "bad-option"


def test_a_report_says_what_was_not_clear() -> None:
    report = run(SKULL_KING, plan("bosun", "random", deals=3), bars={"wins": 0.25}, jobs=1)
    from rich.console import Console

    console = Console(width=160, file=io.StringIO())
    console.print(shown(report, "Skull King"))
    assert isinstance(console.file, io.StringIO)
    assert "wins of bosun:" in console.file.getvalue()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(("how", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_an_arena_that_is_ended_leaves_nothing_running(
    how: signal.Signals, code: int, tmp_path: Path
) -> None:
    bot = tmp_path / "slow.py"
    bot.write_text("import sys, time\nprint('{\"ready\": true}', flush=True)\ntime.sleep(600)\n")
    command = [sys.executable, "-m", "quarterdeck.cli", "arena", "skull-king", "--players", "2"]
    command += ["--jobs", "2", "--timeout", "600", "--bot", f"exec:{sys.executable} {bot}"]
    # whoever runs the tests in the background may have them ignore the signal
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(command, start_new_session=True, preexec_fn=heed)
    try:
        deadline = time.monotonic() + 60
        while len(_running(str(bot))) < 3:  # the arena itself, and programs of both workers
            assert time.monotonic() < deadline
            time.sleep(0.1)
        workers = [pid for pid in _running("multiprocessing.spawn") if _parent(pid) == process.pid]
        assert workers
        process.send_signal(how)
        assert process.wait(30) == code
        deadline = time.monotonic() + 60
        left = workers
        while left and time.monotonic() < deadline:
            time.sleep(0.1)
            here = _running("")
            left = [*_running(str(bot)), *(pid for pid in workers if pid in here)]
        assert left == []
    finally:
        process.kill()
        process.wait()


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def _running(word: str) -> list[int]:
    """The processes with this word in their command."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if word.encode() in command and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found

"""Programs from outside: they play by the protocol, and no misbehaviour harms or hangs a game."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from pathlib import Path

import pytest

from quarterdeck.bots.arena import GameResult, Plan, play_game
from quarterdeck.bots.outside import LONGEST_LINE, MOST_ACTIONS
from quarterdeck.cli import main
from quarterdeck.contract import NATURE, Game
from quarterdeck.engine.match import Match
from quarterdeck.engine.record import read_record
from quarterdeck.games import find_game, games

SKULL_KING = find_game("skull-king")
EXAMPLES = Path(__file__).parents[2] / "examples"

HEAD = """
import json, os, subprocess, sys, time
def answer(message): print(json.dumps(message), flush=True)
def told(): return json.loads(sys.stdin.readline())
hello = told()
"""


def program(tmp_path: Path, body: str) -> str:
    """The name of a bot with this body, after it was told hello."""
    path = tmp_path / "bot.py"
    path.write_text(HEAD + body)
    return f"exec:{sys.executable} {path}"


def play(spec: str, timeout_s: float = 10.0, game: Game = SKULL_KING) -> GameResult:
    options = game.fill_options({"players": 2, **game.worldless})
    plan = Plan(game.id, options, (spec, "random"), 1, timeout_s=timeout_s)
    return play_game(game, plan, 0, 0)


# The examples --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
@pytest.mark.parametrize("command", [f"{sys.executable} bot.py", "node bot.mjs"])
def test_the_examples_play_whole_games(
    game: Game, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which(command.split()[0]) is None:
        pytest.skip("not installed")
    monkeypatch.chdir(EXAMPLES)
    result = play(f"exec:{command}", game=game)
    assert result.faults == []
    record = read_record(result.record)
    match = Match(game, record.options)
    places = set()
    for entry in record.log:
        if entry.by == 0:
            legal = match.legal(0)
            places.add((legal.index(entry.do), len(legal)))
        match.act(-1 if entry.by == "nature" else entry.by, entry.do)
    assert match.is_over
    # the one takes the first, the other any
    assert all(place == 0 for place, _ in places) == ("node" in command)


def test_the_documentation_shows_the_examples_as_they_are() -> None:
    shown = (EXAMPLES.parent / "docs" / "bots.md").read_text()
    for name, language in [("bot.py", "python"), ("bot.mjs", "js")]:
        _, _, after = shown.partition(f"(../examples/{name})")
        told = after.partition(f"```{language}\n")[2].partition("```")[0]
        assert told.splitlines()[0].startswith("import")
        assert (EXAMPLES / name).read_text().endswith(told)


def test_the_examples_are_short() -> None:
    for path in EXAMPLES.iterdir():
        assert len(path.read_text().splitlines()) <= 50, path


# What a program is told ----------------------------------------------------------------------


def test_a_program_is_told_what_its_seat_may_know_and_no_more(tmp_path: Path) -> None:
    kept = tmp_path / "told.jsonl"
    spec = program(
        tmp_path,
        f"""
kept = open({str(kept)!r}, "w")
print(json.dumps(hello), file=kept)
answer({{"ready": True, "extra": 1}})
while True:
    turn = told()
    print(json.dumps(turn), file=kept, flush=True)
    if turn["type"] == "over": break
    answer({{"do": turn["legal"][0], "why": "the first"}})
""",
    )
    result = play(spec)
    assert result.faults == []
    hello, *turns, over = map(json.loads, kept.read_text().splitlines())
    assert hello == {
        "type": "hello",
        "protocol": 1,
        "game": "skull-king",
        "options": {"players": 2},
        "seat": 0,
    }
    record = read_record(result.record)
    match = Match(SKULL_KING, record.options)
    events: list[str] = []
    expected = iter(turns)
    for entry in record.log:
        if entry.by == 0:
            turn = next(expected)
            assert turn["type"] == "turn"
            assert turn["view"] == match.view(0)
            assert turn["legal"] == match.legal(0)
            assert turn["decision"] == match.decision
            assert turn["templates"] == []
            assert [event["key"] for event in turn["events"]] == events
            events = []
        step = match.act(NATURE if entry.by == "nature" else entry.by, entry.do)
        events += [event.key for event in match.events(step, 0)]
    assert next(expected, None) is None
    assert over["scores"] == result.scores
    assert over["winners"] == match.outcome.winners
    assert [event["key"] for event in over["events"]] == events


# What may go wrong ---------------------------------------------------------------------------

READY = 'answer({"ready": True})\n'


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("sys.exit('no lamp aboard')", "bot-exited", "ended with 1: no lamp aboard"),
        ("answer({'ready': False})", "bot-garbage", "is not ready"),
        ("print('Ahoy!', flush=True)", "bot-garbage", "'Ahoy!'"),
        (READY + "told(); print('Ahoy!', flush=True)", "bot-garbage", "'Ahoy!'"),
        (READY + "told(); answer({'move': 1})", "bot-garbage", "`do`"),
        (READY + "told(); answer({'do': 7})", "bot-garbage", "$.do"),
        (READY + "told(); answer([])", "bot-garbage", "object"),
        (READY + "told(); print('[' * 5000, flush=True)", "bot-garbage", "[[["),
        (READY + "told(); os.write(1, b'\\xff\\xfe\\n')", "bot-garbage", "\ufffd"),
        (READY + f"told(); print('x' * {2 * LONGEST_LINE})", "bot-garbage", "more than"),
        (READY + "told(); answer({'do': 'bid 9'})", "bot-illegal", "SK-3"),
        (READY + "told(); answer({'do': 'sink'})", "bot-illegal", "'sink'"),
        (READY + "told(); answer({'do': 'start 1'})", "bot-illegal", "start 1"),
        (READY + "told(); os._exit(3)", "bot-exited", "ended with 3"),
        (READY + "os.close(0); os.close(1); time.sleep(60)", "bot-exited", "ended"),
        (READY + "told(); time.sleep(60)", "bot-timeout", "in time"),
        (READY + "told()\nwhile True: print(end='x', flush=True)", "bot-garbage", "more than"),
    ],
)
def test_faults(tmp_path: Path, body: str, code: str, said: str) -> None:
    started = time.monotonic()
    result = play(program(tmp_path, body), timeout_s=1.5)
    assert time.monotonic() - started < 20
    (fault,) = result.faults
    assert fault.error == code
    assert said in fault.message
    assert "on seat 0" in fault.message
    # the game went on to its end, and counts as lost
    assert Match.from_record(read_record(result.record)).is_over
    assert result.wins[0] == 0.0


def test_a_program_that_goes_round_in_circles_does_not_hang_the_arena(tmp_path: Path) -> None:
    """The captain of Piratoons may show his doubloons and hide them again before the chest opens,
    as often as he likes."""
    game = find_game("piratoons")
    result = play(
        program(tmp_path, READY + "while True: answer({'do': told()['legal'][-1]})"), game=game
    )
    assert [fault.error for fault in result.faults] == ["bot-endless"]
    record = read_record(result.record)
    assert Match.from_record(record).is_over
    assert sum(entry.by == 0 for entry in record.log) >= MOST_ACTIONS


def test_a_program_that_never_reads_does_not_hang_the_arena(tmp_path: Path) -> None:
    path = tmp_path / "deaf.py"
    answers = '{"ready": true}\n' + '{"do": "bid 0"}\n' * 50
    path.write_text(f"import time\nprint({answers!r}, flush=True)\ntime.sleep(600)\n")
    result = play(f"exec:{sys.executable} {path}", timeout_s=1.0)
    assert [fault.error for fault in result.faults] == ["bot-illegal"]


def test_what_a_program_has_started_is_ended_too(tmp_path: Path) -> None:
    kept = tmp_path / "pids"
    spec = program(
        tmp_path,
        f"""
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open({str(kept)!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
answer({{"ready": True}})
told()
time.sleep(600)
""",
    )
    assert [fault.error for fault in play(spec, timeout_s=1.0).faults] == ["bot-timeout"]
    for pid in map(int, kept.read_text().split()):
        deadline = time.monotonic() + 5
        while _is_alive(pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not _is_alive(pid)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


def test_each_game_has_a_program_of_its_own(tmp_path: Path) -> None:
    kept = tmp_path / "pids"
    spec = program(
        tmp_path,
        f"""
open({str(kept)!r}, "a").write(f"{{os.getpid()}}\\n")
answer({{"ready": True}})
while (turn := told())["type"] == "turn": answer({{"do": turn["legal"][0]}})
""",
    )
    plan = Plan("skull-king", {"players": 2}, (spec,), 1)
    assert play_game(SKULL_KING, plan, 0, 0).faults == []
    pids = kept.read_text().split()
    assert len(pids) == len(set(pids)) == 2


def test_the_command_tells_of_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = program(tmp_path, "sys.exit(4)")
    given = ["arena", "skull-king", "--players", "2", "--jobs", "1", "--deals", "1"]
    assert main([*given, "--bot", "random", "--bot", spec]) == 1
    text = capsys.readouterr().out
    assert "bot-exited, deal 0, seat 1:" in text
    assert main([*given, "--bot", "random", "--bot", spec, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["bots"][1]["faults"] == 2
    assert told["bots"][1]["wins"]["value"] == 0
    assert told["faults"][0]["error"] == "bot-exited"

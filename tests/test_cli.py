"""The `quarterdeck` command: what each command prints, and how it fails."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Protocol

import pytest

from quarterdeck import __version__
from quarterdeck.cli import main

GOLDEN = Path(__file__).parent / "golden" / "skull_king"

POSITION = {
    "hand": 2,
    "leader": 0,
    "hands": [["y3", "king"], ["y9", "b4"]],
    "bids": [1, 1],
}


class Ran:
    """What a command came to."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


class Run(Protocol):
    """Runs a command in this process."""

    def __call__(self, *arguments: object) -> Ran: ...


class WriteRecord(Protocol):
    """Writes a record of two players that starts from a position; returns the file."""

    def __call__(self, *log: tuple[Any, str], name: str = "record.json", **keys: Any) -> Path: ...


class WriteMany(Protocol):
    """Writes a file of finished games, of which the one at `wrong` cannot be; returns the file."""

    def __call__(self, count: int, wrong: int | None = None) -> Path: ...


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process."""
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture
def record(tmp_path: Path) -> WriteRecord:
    """Writes a record of two players that starts from a position; answers the file."""

    def write(*log: tuple[Any, str], name: str = "record.json", **keys: Any) -> Path:
        told = {
            "quarterdeck": 1,
            "game": "skull-king",
            "options": {"players": 2},
            "position": POSITION,
            "log": [{"by": by, "do": do} for by, do in log],
        }
        path = tmp_path / name
        path.write_text(json.dumps(told | keys))
        return path

    return write


# games, rules --------------------------------------------------------------------------------


def test_games_are_listed_with_their_options(run: Run) -> None:
    ran = run("games")
    assert ran.code == 0
    assert "skull-king" in ran.out
    assert "Skull King" in ran.out
    assert "players=4|2|3|5|6" in ran.out


@pytest.mark.parametrize(
    ("lang", "word"), [("en", "Mermaid"), ("de", "Stich"), ("fr", "pli"), ("it", "presa")]
)
def test_rules_are_told_in_four_languages(run: Run, lang: str, word: str) -> None:
    ran = run("rules", "skull-king", "--lang", lang)
    assert ran.code == 0
    assert len(ran.out) > 500
    assert word.lower() in ran.out.lower()


def test_the_language_is_the_readers_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {lang: run("rules", "skull-king", "--lang", lang).out for lang in ("en", "fr")}
    monkeypatch.setenv("LC_ALL", "fr_CH.UTF-8")
    assert run("rules", "skull-king").out == told["fr"]
    monkeypatch.setenv("LC_ALL", "sv_SE.UTF-8")
    assert run("rules", "skull-king").out == told["en"]


# replay --------------------------------------------------------------------------------------


def test_replay_prints_the_position(run: Run, record: WriteRecord) -> None:
    ran = run("replay", record((0, "play y3"), (1, "play y9")))
    assert ran.code == 0
    shown = dict(line.split(maxsplit=1) for line in ran.out.splitlines())
    assert shown["phase"] == "play"
    assert json.loads(shown["to_act"]) == [1]
    assert json.loads(shown["tricks"]) == [0, 1]
    assert len(shown["hash"]) == 32


def test_replay_as_json_has_the_keys_every_game_has(run: Run, record: WriteRecord) -> None:
    shown = run("replay", record((0, "play king")), "--json").json
    common = ["game", "phase", "to_act", "scores", "winners"]
    assert list(shown)[:5] == common
    assert {key: shown[key] for key in common} == {
        "game": "skull-king",
        "phase": "play",
        "to_act": [1],
        "scores": [0, 0],
        "winners": [],
    }
    assert shown["trick"] == ["king"]
    assert shown["hands"] == [["y3"], ["y9", "b4"]]


def test_replay_of_a_finished_game(run: Run) -> None:
    shown = run("replay", GOLDEN / "3-players.json", "--json").json
    del shown["hash"]
    assert shown == json.loads((GOLDEN / "3-players.expected.json").read_text())["position"]
    assert shown["to_act"] == []
    assert shown["winners"]


def test_replay_shows_a_seat_only_what_it_may_see(run: Run, record: WriteRecord) -> None:
    path = record((0, "play y3"))
    assert run("replay", path, "--json", "--seat", 0).json["hands"] == [["king"], ["?", "?"]]
    assert run("replay", path, "--json", "--seat", 1).json["hands"] == [["?"], ["y9", "b4"]]
    bidding = record((0, "bid 2"), position={**POSITION, "bids": [None, None]}, name="bid.json")
    assert run("replay", bidding, "--json", "--seat", 0).json["bids"] == [2, None]
    assert run("replay", bidding, "--json", "--seat", 1).json["bids"] == ["?", None]


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_replay_for_a_seat_that_is_not_there(run: Run, record: WriteRecord, seat: int) -> None:
    ran = run("replay", record(), "--seat", seat)
    assert (ran.code, ran.json["error"]) == (2, "bad-option")


def test_games_that_look_alike_to_a_seat_print_alike_for_it(run: Run, record: WriteRecord) -> None:
    other = {**POSITION, "hands": [["y3", "king"], ["y9", "b5"]]}
    here = run("replay", record((0, "play y3")), "--json", "--seat", 0)
    there = run("replay", record((0, "play y3"), position=other), "--json", "--seat", 0)
    assert here.out == there.out


def test_replay_of_many_records(run: Run, record: WriteRecord, tmp_path: Path) -> None:
    good, bad = record((0, "play y3"), name="a"), record((0, "play b4"), name="b")
    path = tmp_path / "many.jsonl"
    lines = [good.read_text(), bad.read_text(), "{broken", good.read_text()]
    path.write_text("\n".join(lines) + "\n")
    for options in ([], ["--json"]):
        ran = run("replay", path, *options)
        assert ran.code == 2
        first, refused, broken, last = ran.lines
        assert first == last
        assert (refused["error"], refused["at"]) == ("illegal-action", 0)
        assert broken["error"] == "bad-record"
        assert broken["message"].startswith("line 3: ")


@pytest.mark.parametrize(
    ("log", "at", "rule"),
    [
        ([(0, "play y3"), (1, "play b4")], 1, "SK-5"),
        ([(0, "play b4")], 0, "SK-1"),
        ([(0, "play mary")], 0, "SK-17"),
        ([(1, "play y9")], 0, "SK-4"),  # out of turn
        ([(0, "play y3"), (0, "play king")], 1, "SK-4"),
        ([(0, "play y3"), (1, "play y9"), (0, "play king")], 2, "SK-9"),
        ([(0, "bid 1")], 0, "SK-R4"),
        ([("nature", "deal y1,y2/y3,y4")], 0, "SK-1"),
        ([("nature", "start 0")], 0, "SK-R1"),
    ],
    ids=str,
)
@pytest.mark.parametrize("options", [[], ["--json"]], ids=["plain", "json"])
def test_replay_of_a_refused_action(
    run: Run, record: WriteRecord, log: Any, at: int, rule: str, options: list[str]
) -> None:
    ran = run("replay", record(*log), *options)
    assert ran.code == 2
    said = ran.json
    message = said.pop("message")
    assert said == {"error": "illegal-action", "at": at, "rule": rule}
    assert repr(log[at][1]) in message
    assert rule in message


@pytest.mark.parametrize(
    ("keys", "error"),
    [
        ({"game": "snakes"}, "unknown-game"),
        ({"options": {"players": 1}}, "bad-option"),
        ({"position": {"hand": 0}}, "bad-position"),
        ({"log": [{"by": 0, "do": "dance"}]}, "bad-notation"),
        ({"log": [{"by": 99, "do": "play y3"}]}, "bad-record"),
        ({"log": [{"by": "sea", "do": "play y3"}]}, "bad-record"),
        ({"kit": "f" * 16}, "bad-record"),
        ({"outcome": {"scores": [1, 2], "winners": []}}, "bad-record"),
    ],
    ids=str,
)
def test_replay_of_what_is_no_game(run: Run, record: WriteRecord, keys: Any, error: str) -> None:
    ran = run("replay", record(**keys), "--json")
    assert (ran.code, ran.json["error"]) == (2, error)


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n\x00", b"[" * 50_000, b"null", b"{}"])
def test_replay_of_garbage(run: Run, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "garbage"
    path.write_bytes(data)
    ran = run("replay", path)
    assert (ran.code, ran.json["error"]) == (2, "bad-record")


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_files_that_are_not_there(run: Run, tmp_path: Path, command: str) -> None:
    for path in (tmp_path / "missing.json", tmp_path):
        ran = run(command, path)
        assert (ran.code, ran.json["error"]) == (2, "bad-record")
        assert str(path) in ran.json["message"]


# simulate, verify ----------------------------------------------------------------------------


def test_simulate_prints_a_summary(run: Run) -> None:
    ran = run("simulate", "skull-king", "--games", 20, "--players", 3, "--seed", 4)
    assert ran.code == 0
    assert ran.out.startswith("20 games of Skull King, 3,900 decisions, ")
    assert [line.split()[:3] for line in ran.out.splitlines()[1:]] == [
        ["seat", str(seat), "random"] for seat in range(3)
    ]


def test_simulate_as_json(run: Run) -> None:
    arguments = ["simulate", "skull-king", "--games", 20, "--option", "players=2", "--json"]
    said = run(*arguments, "--bots", "bosun,random").json
    assert said["options"] == {"players": 2}
    assert said["bots"] == ["bosun", "random"]
    assert (said["games"], said["decisions"]) == (20, 20 * 130)
    again = run(*arguments, "--bots", "bosun,random").json
    assert again["mean_scores"] == said["mean_scores"]
    other = run(*arguments, "--bots", "bosun,random", "--seed", 1).json
    assert other["mean_scores"] != said["mean_scores"]


@pytest.mark.parametrize("bots", ["random", "bosun"])
def test_simulated_records_replay_and_verify(run: Run, tmp_path: Path, bots: str) -> None:
    path = tmp_path / "games.jsonl"
    arguments = ["--games", 12, "--players", 4, "--seed", 9, "--bots", bots]
    ran = run("simulate", "skull-king", *arguments, "--records", path)
    assert ran.code == 0
    assert ran.out.startswith(f"12 records in {path}")
    replayed = run("replay", path, "--json")
    assert replayed.code == 0
    assert len(replayed.lines) == 12
    for told, shown in zip(path.read_text().splitlines(), replayed.lines, strict=True):
        outcome = json.loads(told)["outcome"]
        assert (shown["scores"], shown["winners"]) == (outcome["scores"], outcome["winners"])
        assert (shown["phase"], shown["to_act"]) == ("over", [])
    verified = run("verify", path, "--json")
    assert verified.code == 0
    draws = {"part": "draws", "state": "ok", "code": "draws", "draws": 11}
    expected = {"verified": True, "verdict": "seed", "scheme": "seed", "draws": 11, "attested": 0}
    assert verified.lines == [expected | {"parts": [draws]}] * 12


def test_simulate_says_what_it_wrote_as_json(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    said = run("simulate", "skull-king", "--games", 1, "--records", path, "--json").json
    assert (said["records"], said["file"]) == (1, str(path))


def test_verify_tells_what_it_found(run: Run, record: WriteRecord) -> None:
    ran = run("verify", GOLDEN / "2-players.json")
    assert ran.code == 0
    assert "11 draws follow from the seed" in ran.out
    ran = run("verify", record())
    assert (ran.code, ran.json["error"]) == (2, "bad-proof")


def test_verify_finds_a_changed_draw(run: Run, tmp_path: Path) -> None:
    told = json.loads((GOLDEN / "2-players.json").read_text())
    told["fairness"]["seed"] += 1
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(told))
    ran = run("verify", path)
    assert (ran.code, ran.json["error"]) == (2, "bad-proof")


@pytest.fixture
def kept(tmp_path: Path) -> dict[str, Path]:
    """A game at a table, and the receipts of two who played there and of one who watched."""
    vectors = json.loads((Path(__file__).parent / "engine/fairness_vectors.json").read_text())
    files = {"record": vectors["record"], **vectors["receipts"]}
    for name, told in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(told))
    return {name: tmp_path / f"{name}.json" for name in files}


def test_a_receipt_makes_it_a_proof(run: Run, kept: dict[str, Path]) -> None:
    ran = run("verify", kept["record"])
    assert ran.code == 0
    assert ran.out.startswith("Consistent; proves it to seats 0 and 1, not to you.\n")
    ran = run("verify", kept["record"], "--receipt", kept["0"])
    assert ran.code == 0
    assert ran.out.startswith(
        "Proven to you: your bytes are in it; nobody could choose the deal.\n"
    )
    assert "The log is as you saw it, to its end." in ran.out
    said = run("verify", kept["record"], "--receipt", kept["1"], "--json").json
    assert (said["verified"], said["verdict"], said["deals"]) == (True, "proven", 1)
    assert {"part": "log", "state": "ok", "code": "up-to", "n": 14, "of": 15} in said["parts"]
    said = run("verify", kept["record"], "--receipt", kept["watching"], "--json").json
    assert (said["verdict"], said["seats"]) == ("consistent", [0, 1])


def test_what_contradicts_a_receipt_is_not_fair(run: Run, kept: dict[str, Path]) -> None:
    told = json.loads(kept["record"].read_text())
    told["log"][3]["at"] += 1
    kept["record"].write_text(json.dumps(told))
    for options in ([], ["--json"]):
        ran = run("verify", kept["record"], "--receipt", kept["0"], *options)
        assert (ran.code, ran.json["error"], ran.json["flaw"]) == (2, "bad-proof", "log.broken")
        assert (ran.json["verified"], ran.json["verdict"]) == (False, "unfair")
        assert ran.json["message"] == "not fair: the log does not hold together."


def test_a_withdrawn_name_breaks_nothing(run: Run, kept: dict[str, Path]) -> None:
    told = json.loads(kept["record"].read_text())
    told["seats"][1], told["fairness"]["salts"][1] = "", None
    kept["record"].write_text(json.dumps(told))
    ran = run("verify", kept["record"], "--receipt", kept["0"])
    assert ran.code == 0
    assert ran.out.startswith("Proven to you")
    assert "name withdrawn" in ran.out


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"quarterdeck-receipt": 2}', '{"quarterdeck": 1}', "[" * 2000]
)
def test_what_is_no_receipt(run: Run, kept: dict[str, Path], text: str) -> None:
    kept["0"].write_text(text)
    ran = run("verify", kept["record"], "--receipt", kept["0"])
    assert (ran.code, ran.json["error"]) == (2, "bad-record")
    assert ran.json["message"].startswith("this is no receipt")
    ran = run("verify", kept["record"], "--receipt", kept["0"].parent / "nothing.json")
    assert (ran.code, ran.json["error"]) == (2, "bad-record")


def test_a_receipt_is_of_one_game(run: Run, kept: dict[str, Path]) -> None:
    line = json.dumps(json.loads(kept["record"].read_text()))
    kept["record"].write_text(f"{line}\n{line}\n")
    assert run("verify", kept["record"]).code == 0
    ran = run("verify", kept["record"], "--receipt", kept["0"])
    assert (ran.code, ran.json["error"]) == (2, "bad-record")


@pytest.fixture
def many(tmp_path: Path) -> WriteMany:
    """Writes a file of finished games, of which the one at `wrong` cannot be; answers the file."""

    def write(count: int, wrong: int | None = None) -> Path:
        lines = [json.loads((GOLDEN / "2-players.json").read_text()) for _ in range(count)]
        if wrong is not None:
            lines[wrong]["log"][0]["do"] = "start 7"
        path = tmp_path / "many.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    return write


@pytest.mark.parametrize(("command", "done"), [("replay", "replayed"), ("verify", "verified")])
@pytest.mark.parametrize("options", [[], ["--json"]], ids=["plain", "json"])
@pytest.mark.parametrize(
    ("wrong", "code", "fine", "refused"),
    [(None, 0, 5, 0), (0, 2, 4, 1), (2, 2, 4, 1), (4, 2, 4, 1)],
)
def test_many_records_end_with_a_summary(
    run: Run, many: WriteMany, command: str, done: str, options: list[str],
    wrong: int | None, code: int, fine: int, refused: int,
) -> None:  # fmt: skip
    """One that fails is enough for the exit code, wherever it stands; stdout is for the records."""
    ran = run(command, many(5, wrong), *options)
    assert ran.code == code
    assert len(ran.out.splitlines()) == 5
    (summary,) = ran.err.splitlines()
    assert re.fullmatch(rf"5 records, \d+\.\d s: {fine} {done}, {refused} refused", summary)


def test_one_record_needs_no_summary(run: Run, many: WriteMany) -> None:
    for command in ("replay", "verify"):
        assert run(command, many(1), "--json").err == ""


class Terminal(io.StringIO):
    """Standard error as a terminal, which keeps what was written to it."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("arguments", "bar"),
    [
        (["replay", "FILE"], "3/3"),
        (["verify", "FILE"], "3/3"),
        (["simulate", "skull-king", "--games", 5000], "5000/5000"),
        (["simulate", "skull-king", "--games", 7, "--records", "OUT"], "7/7"),
    ],
    ids=["replay", "verify", "simulate", "simulate --records"],
)
def test_progress_is_shown_on_a_terminal_only(
    run: Run,
    many: WriteMany,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[object],
    bar: str,
) -> None:
    files = {"FILE": many(3), "OUT": tmp_path / "out.jsonl"}
    arguments = [files.get(str(argument), argument) for argument in arguments]
    quiet = run(*arguments)
    assert bar not in quiet.err
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    shown = run(*arguments)
    assert bar in terminal.getvalue()
    assert len(shown.out.splitlines()) == len(quiet.out.splitlines())
    assert "\x1b" not in shown.out  # nothing of the bar among the results


@pytest.mark.parametrize("target", ["nowhere/games.jsonl", ""])
def test_simulate_to_a_path_that_cannot_be_written(run: Run, tmp_path: Path, target: str) -> None:
    ran = run("simulate", "skull-king", "--games", 1, "--records", tmp_path / target)
    assert (ran.code, ran.json["error"]) == (2, "bad-option")
    assert "cannot write" in ran.json["message"]


# play ----------------------------------------------------------------------------------------


def answer(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(line + "\n" for line in lines)))


@pytest.mark.parametrize("lang", ["en", "de", "fr", "it"])
def test_play_to_the_end(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lang: str
) -> None:
    answer(monkeypatch, *["1"] * 65)  # ten bids of 1, and 55 times the first card
    path = tmp_path / "played.json"
    arguments = ["--players", 2, "--seed", 3, "--name", "Ann", "--lang", lang, "--record", path]
    ran = run("play", "skull-king", *arguments)
    assert ran.code == 0
    assert "Ann" in ran.out
    shown = run("replay", path, "--json").json
    assert shown["phase"] == "over"
    told = json.loads(path.read_text())
    assert told["seats"] == ["Ann", "Barty"]
    assert [entry.get("via") for entry in told["log"] if entry["by"] == 1] == ["bot"] * 65
    assert run("verify", path).code == 0


def test_play_by_texts_and_through_refusals(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answer(monkeypatch, "bid 7", "nonsense", "", "[bold]", "bid 1", "q")
    path = tmp_path / "left.json"
    ran = run(
        "play", "skull-king", "--players", 3, "--seat", 2, "--seed", 3, "--lang", "en",
        "--record", path,
    )  # fmt: skip
    assert ran.code == 1
    assert "(SK-3)" in ran.out
    assert "'nonsense'" in ran.out
    log = json.loads(path.read_text())["log"]
    assert [entry["do"] for entry in log if entry["by"] == 2] == ["bid 1"]


@pytest.mark.parametrize("answers", [0, 1, 5])
def test_play_until_the_input_ends(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answers: int
) -> None:
    answer(monkeypatch, *["1"] * answers)
    path = tmp_path / "broken-off.json"
    ran = run("play", "skull-king", "--players", 4, "--record", path)
    assert ran.code == 1
    told = json.loads(path.read_text())
    assert sum(entry["by"] == 0 for entry in told["log"]) == answers
    assert told["fairness"]["scheme"] == "commit-reveal"
    assert run("replay", path).code == 0
    assert run("verify", path).code == 0


def test_play_with_a_record_that_cannot_be_written(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answer(monkeypatch)
    ran = run("play", "skull-king", "--record", tmp_path)
    assert ran.code == 2
    assert ran.json["error"] == "bad-option"  # and nothing else: no game has begun


def test_play_shows_no_card_of_another_seat(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first table of seat 0 names its one card and no other."""
    outs = set()
    for seed in range(6):
        answer(monkeypatch)
        path = tmp_path / f"{seed}.json"
        ran = run(
            "play", "skull-king", "--players", 2, "--seed", seed, "--name", "Ann", "--lang", "en",
            "--record", path,
        )  # fmt: skip
        deal = json.loads(path.read_text())["log"][1]["do"].removeprefix("deal ").split("/")
        table = ran.out.partition("Your cards")[2].partition("╰")[0]
        assert table.count("★") + table.count("♥") + table.count("◆") + table.count("⚑") <= 1
        digits = deal[0][1:]
        assert not digits.isdigit() or f" {digits} " in table
        outs.add(table)
    assert len(outs) > 1


# Errors of the command line ------------------------------------------------------------------


@pytest.mark.parametrize("command", ["simulate", "play", "rules"])
def test_an_unknown_game(run: Run, command: str) -> None:
    ran = run(command, "snakes")
    assert (ran.code, ran.json["error"]) == (2, "unknown-game")


@pytest.mark.parametrize("command", ["simulate", "play"])
@pytest.mark.parametrize(
    "options",
    [
        ["--players", "9"],
        ["--players", "0"],
        ["--option", "players=many"],
        ["--option", "players"],
        ["--option", "wind=strong"],
        ["--bots", "admiral"],
        ["--bots", "random,random"],
    ],
    ids=str,
)
def test_options_that_do_not_fit(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str, options: list[str]
) -> None:
    answer(monkeypatch, "1")
    ran = run(command, "skull-king", *options)
    assert ran.code == 2
    assert ran.json["error"] == "bad-option"  # and nothing else: no game has begun


def test_a_seat_that_is_not_there(run: Run) -> None:
    ran = run("play", "skull-king", "--players", 3, "--seat", 3)
    assert (ran.code, ran.json["error"]) == (2, "bad-option")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["replay"],
        ["simulate", "skull-king", "--games", "0"],
        ["simulate", "skull-king", "--games", "many"],
        ["simulate", "skull-king", "--seed", "x"],
        ["simulate", "skull-king", "--seed", str(2**63)],
        ["play", "skull-king", "--seed", str(-(2**63) - 1)],
        ["rules", "skull-king", "--lang", "xx"],
        ["games", "--loud"],
        ["serve", "--port", "65536"],
        ["serve", "--port", "-1"],
        ["serve", "--log-level", "loud"],
        ["serve", "--public-url", "games.example.org"],
        ["serve", "--public-url", "https://"],
        ["serve", "--public-url", "https://games.example.org:port"],
        ["serve", "--public-url", "https://games.example.org/games"],
        ["loadtest", "--pace-ms", "-1"],
        ["loadtest", "--seconds", "0"],
        ["loadtest", "--seconds", "long"],
    ],
    ids=str,
)
def test_a_command_line_that_makes_no_sense(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert "usage: quarterdeck" in said
    assert " _" not in said  # no names of ours


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "many"), ("PORT", "65536"), ("LOG_LEVEL", "loud"), ("PUBLIC_URL", "here")],
)
def test_an_environment_that_makes_no_sense(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str
) -> None:
    monkeypatch.setenv(f"QUARTERDECK_{name}", value)
    with pytest.raises(SystemExit) as caught:
        main(["serve"])
    assert caught.value.code == 2
    assert repr(value) in capsys.readouterr().err or name == "PORT"


# As a process --------------------------------------------------------------------------------


def process(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "quarterdeck.cli", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "100"},
    )


def test_the_command_as_a_process(record: WriteRecord) -> None:
    done = process("--version")
    assert (done.returncode, done.stdout.strip()) == (0, f"quarterdeck {__version__}")
    done = process("replay", "--json", str(record((0, "play y3"), (1, "play b4"))))
    assert done.returncode == 2
    assert json.loads(done.stdout)["rule"] == "SK-5"


def test_a_reader_that_has_seen_enough() -> None:
    script = f"{sys.executable} -m quarterdeck.cli rules skull-king --lang en | head -n 1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""


# Whatever comes in, and wherever it goes out -------------------------------------------------


def run_apart(encoding: str, *arguments: object) -> subprocess.CompletedProcess[bytes]:
    """Runs the command in a process of its own, with a stdout of these letters."""
    return subprocess.run(
        [sys.executable, "-m", "quarterdeck.cli", *map(str, arguments)],
        env=os.environ | {"PYTHONIOENCODING": encoding, "LC_ALL": "C", "PYTHONUTF8": "0"},
        capture_output=True,
        timeout=60,
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_output_has_the_letters_that_stdout_has(
    tmp_path: Path, record: WriteRecord, encoding: str
) -> None:
    odd = "b\u00e9d \u2620 \ud800"
    lines = [
        json.loads(record((0, "play y3")).read_text()),
        json.loads(record((0, odd)).read_text()),
        json.loads(record(game=odd).read_text()),
        json.loads(record(options={odd: odd}).read_text()),
        json.loads(record(position={odd: odd}).read_text()),
    ]
    path = tmp_path / "many.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines))
    for command in ("replay", "verify"):
        ran = run_apart(encoding, command, path)
        assert ran.returncode == 2
        assert b"Traceback" not in ran.stderr
        told = [json.loads(line) for line in ran.stdout.decode(encoding).splitlines()]
        assert len(told) == len(lines)
    assert run_apart(encoding, "games").returncode == 0
    assert run_apart(encoding, "rules", "skull-king", "--lang", "de").returncode == 0


@pytest.mark.parametrize("word", ["\u0663", "1_0", " 1", "1.0", "0x1", "1e0", "", "9" * 5000])
@pytest.mark.parametrize("option", ["--games", "--seed", "--players"])
def test_numbers_are_written_in_plain_digits(run: Run, option: str, word: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        run("simulate", "skull-king", option, word)
    assert stopped.value.code == 2


@pytest.mark.parametrize(
    ("game", "options", "log", "code", "rule"),
    [
        ("skull-king", {"players": 2}, ["start 0", "deal y1/y1"], "illegal-action", "SK-C1"),
        ("skull-king", {"players": 2}, ["bid 0"], "illegal-action", "SK-R1"),
        ("jolly-roger", {}, ["start 0", "deal g1,g1,g1,g1,kraken"], "illegal-action", "JR-1"),
        ("jolly-roger", {"variant": "advanced"}, ["start 0", "deal g1" + ",kraken" * 4],
         "illegal-action", "JR-C2"),
        ("jolly-roger", {"variant": "advanced"}, ["start 0", "deal kraken" + ",r5" * 4],
         "illegal-action", "JR-C1"),
        ("jolly-roger", {}, ["start 7", "deal g1"], "illegal-action", "JR-4"),
        ("jolly-roger", {}, ["start \u0661"], "bad-notation", None),
    ],
)  # fmt: skip
def test_replay_and_verify_refuse_by_the_same_rules(
    run: Run,
    tmp_path: Path,
    game: str,
    options: dict[str, Any],
    log: list[str],
    code: str,
    rule: str | None,
) -> None:
    path = tmp_path / "record.json"
    entries = [{"by": "nature", "do": do} for do in log]
    told = {"quarterdeck": 1, "game": game, "options": options, "log": entries}
    path.write_text(json.dumps(told | {"fairness": {"scheme": "seed", "seed": 1}}))
    replayed, verified = run("replay", path), run("verify", path)
    assert (replayed.code, verified.code) == (2, 2)
    assert replayed.json == verified.json
    assert (replayed.json["error"], replayed.json.get("rule")) == (code, rule)
    assert replayed.json["at"] == len(log) - 1 or rule == "JR-4"

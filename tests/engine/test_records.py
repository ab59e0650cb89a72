"""Records: what is written can be read, and what cannot be read says why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quarterdeck import Match, find_game
from quarterdeck.bots.simulate import simulated_records
from quarterdeck.contract import (
    NATURE,
    BadNotation,
    BadOption,
    BadPosition,
    BadProof,
    BadRecord,
    IllegalAction,
    NotYourTurn,
    QuarterdeckError,
    UnknownGame,
)
from quarterdeck.engine.match import kit_hash
from quarterdeck.engine.record import Entry, GameRecord, read_record, read_records, write_record

from ..toys.plank_race import GAME as TOY

SKULL_KING = find_game("skull-king")

POSITION = {
    "hand": 2,
    "leader": 1,
    "hands": [["y3", "king"], ["y9", "mermaid"]],
    "bids": [1, 1],
}
LOG = [
    {"by": 1, "do": "play y9"},
    {"by": 0, "do": "play king", "at": 1200, "via": "timeout"},
    {"by": 0, "do": "play y3", "with": {"note": [1, 2]}},
    {"by": 1, "do": "play mermaid"},
]
RECORD: dict[str, Any] = {
    "quarterdeck": 1,
    "game": "skull-king",
    "options": {"players": 2},
    "position": POSITION,
    "log": LOG,
}


def replay(told: Any) -> Match:
    return Match.from_record(read_record(json.dumps(told).encode()))


def changed(**keys: Any) -> dict[str, Any]:
    """The record with some keys replaced; None takes one away."""
    return {key: value for key, value in {**RECORD, **keys}.items() if value is not None}


def with_hands(hands: Any) -> dict[str, Any]:
    return {"position": {**POSITION, "hands": hands}}


def then_nature(text: str) -> dict[str, Any]:
    return {"log": [*LOG, {"by": "nature", "do": text}]}


# There and back ------------------------------------------------------------------------------


def test_a_record_from_a_position() -> None:
    match = replay(RECORD)
    assert match.outcome.scores == [20, 20]
    position = match.position()
    assert (position["phase"], position["hand"], position["dealer"]) == ("deal", 3, 1)
    assert position["pad"][1] == [{"bid": 1, "points": 20}] * 2
    assert match.start_position == POSITION


def test_what_is_written_is_read_back() -> None:
    match = replay(RECORD)
    written = write_record(match.record(["Ann", "Ben"]))
    again = read_record(written)
    assert again == match.record(["Ann", "Ben"])
    assert Match.from_record(again).hash == match.hash
    plain = json.loads(written)
    assert plain["log"] == LOG
    assert plain["seats"] == ["Ann", "Ben"]
    assert plain["outcome"] == {"scores": [20, 20], "winners": []}
    assert plain["kit"] == kit_hash(SKULL_KING)
    assert b"\n" not in written


def test_a_running_game_is_recorded_without_its_proof() -> None:
    told = Match(SKULL_KING, seed=1).record(with_proof=False)
    assert told.fairness is None
    assert "fairness" not in json.loads(write_record(told))


def test_attachments_survive_and_the_rules_do_not_read_them() -> None:
    bare = [{"by": entry["by"], "do": entry["do"]} for entry in LOG]
    match = replay(changed(log=bare))
    assert match.hash == replay(RECORD).hash
    assert match.log[2].attached is None
    assert replay(RECORD).log[2].attached == {"note": [1, 2]}


def test_a_whole_game_of_the_toy_replays() -> None:
    match = Match(TOY, {"players": 3}, seed=4)
    match.draw()
    for actor, text in [(2, "wager 1"), (0, "wager 0"), (1, "wager 1"), (2, "step"), (1, "step")]:
        match.act(actor, text)
    for actor, text in [(NATURE, "sand"), (1, "drop @9,0"), (NATURE, "settle floats")]:
        match.act(actor, text)
    again = Match.from_record(read_record(write_record(match.record())), game=TOY)
    assert again.hash == match.hash
    assert again.decision == match.decision
    with pytest.raises(UnknownGame):
        Match.from_record(match.record())


# Files ---------------------------------------------------------------------------------------


def test_one_record_over_many_lines(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(RECORD, indent=2))
    (told,) = read_records(path)
    assert isinstance(told, GameRecord)
    assert Match.from_record(told).hash == replay(RECORD).hash


def test_a_record_on_each_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    written = [write_record(told) for told in simulated_records(SKULL_KING, {}, 3, 5, ["random"])]
    path.write_bytes(b"\n".join([written[0], b"", written[1], b"{broken", written[2], b""]))
    told = list(read_records(path))
    assert [type(item) for item in told] == [GameRecord, GameRecord, BadRecord, GameRecord]
    assert isinstance(told[2], BadRecord)
    assert told[2].message.startswith("line 4: this is no game record")


def test_one_record_on_one_line(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(json.dumps(RECORD) + "\n")
    assert [type(told) for told in read_records(path)] == [GameRecord]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"[]", b"nonsense", b"\x00\x01\xff\xfe", b"{\n}"])
def test_a_file_without_a_record(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    (error,) = read_records(path)
    assert isinstance(error, BadRecord)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.json"):
        with pytest.raises(BadRecord, match="cannot read"):
            list(read_records(path))


# What is no record ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"7",
        b'"skull-king"',
        json.dumps(RECORD).encode()[:-1],
        json.dumps(RECORD).encode()[: len(json.dumps(RECORD)) // 2],
        json.dumps(RECORD).encode() * 2,
        b"\xff\xfe" + json.dumps(RECORD).encode(),
        bytes(range(256)),
        b"[" * 100_000,
        b'{"quarterdeck": 1, "game": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"position": ' * 20_000,
        json.dumps(changed(quarterdeck=2)).encode(),
        json.dumps(changed(quarterdeck="1")).encode(),
        json.dumps(changed(game=7)).encode(),
        json.dumps(changed(options=[])).encode(),
        json.dumps(changed(log={})).encode(),
        json.dumps(changed(log=None)).encode(),
        json.dumps(changed(log=["play y9"])).encode(),
        json.dumps(changed(log=[{"by": "sea", "do": "play y9"}])).encode(),
        json.dumps(changed(log=[{"by": "0", "do": "play y9"}])).encode(),
        json.dumps(changed(log=[{"by": 1.5, "do": "play y9"}])).encode(),
        json.dumps(changed(log=[{"by": True, "do": "play y9"}])).encode(),
        json.dumps(changed(log=[{"by": None, "do": "play y9"}])).encode(),
        json.dumps(changed(log=[{"by": 1, "do": 9}])).encode(),
        json.dumps(changed(log=[{"by": 1, "do": ["play", "y9"]}])).encode(),
        json.dumps(changed(log=[{"by": 1}])).encode(),
        json.dumps(changed(log=[{"do": "play y9"}])).encode(),
        json.dumps(changed(log=[{"by": 1, "do": "play y9", "via": "magic"}])).encode(),
        json.dumps(changed(log=[{"by": 1, "do": "play y9", "with": 3}])).encode(),
        json.dumps(changed(position=[])).encode(),
        json.dumps(changed(outcome={"scores": "high", "winners": []})).encode(),
        json.dumps(changed(fairness={"scheme": "dice"})).encode(),
        json.dumps(changed(fairness={"scheme": "seed", "seed": "7"})).encode(),
    ],
    ids=lambda data: repr(data[:30]),
)
def test_garbage_is_a_bad_record(data: bytes) -> None:
    with pytest.raises(BadRecord) as caught:
        read_record(data)
    assert caught.value.code == "bad-record"
    assert len(caught.value.message) < 500


@pytest.mark.parametrize(
    ("keys", "error", "at", "rule"),
    [
        ({"game": "skull king"}, UnknownGame, None, None),
        ({"options": {"players": 7}}, BadOption, None, None),
        ({"options": {"players": 2, "wind": 1}}, BadOption, None, None),
        ({"position": {"hand": 11}}, BadPosition, None, None),
        ({"position": {**POSITION, "bids": [1, 11]}}, BadPosition, None, "SK-3"),
        (with_hands([["y3", "k99"], ["y9", "king"]]), BadPosition, None, None),
        (with_hands([["y3", "y9"], ["y9", "king"]]), BadPosition, None, "SK-C1"),
        (with_hands([["y3"], ["y9", "king"]]), BadPosition, None, "SK-1"),
        (with_hands(3), BadPosition, None, None),
        ({"position": {**POSITION, "weather": "fine"}}, BadPosition, None, None),
        ({"log": [LOG[0], LOG[0]]}, NotYourTurn, 1, "SK-4"),
        ({"log": [{"by": 99, "do": "play y9"}]}, BadRecord, 0, None),
        ({"log": [{"by": -1, "do": "play y9"}]}, BadRecord, 0, None),
        ({"log": [LOG[0], {"by": 10**15, "do": "play king"}]}, BadRecord, 1, None),
        ({"log": [LOG[0], {"by": 0, "do": "play kong"}]}, BadNotation, 1, None),
        ({"log": [{"by": 1, "do": "bid 11"}]}, IllegalAction, 0, "SK-R4"),
        ({"log": [{"by": "nature", "do": "play y9"}]}, NotYourTurn, 0, "SK-R1"),
        (then_nature("deal y1,y2,y3/y3,y4,y5"), IllegalAction, 4, "SK-C1"),
        (then_nature("deal y1,y2/y3,y4"), IllegalAction, 4, "SK-1"),
        ({"log": [*LOG, {"by": 0, "do": "bid 1"}]}, NotYourTurn, 4, "SK-1"),
        ({"kit": "0123456789abcdef"}, BadRecord, None, None),
        ({"outcome": {"scores": [20, 30], "winners": []}}, BadRecord, None, None),
        ({"outcome": {"scores": [20, 20], "winners": [0]}}, BadRecord, None, None),
        ({"outcome": {"scores": [20], "winners": []}}, BadRecord, None, None),
        ({"fairness": {"scheme": "seed", "seed": 2**63}}, (BadProof, BadRecord), None, None),
        ({"fairness": {"scheme": "seed", "seed": 1, "game": -1}}, BadProof, None, None),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_a_record_that_does_not_replay(
    keys: dict[str, Any], error: type[QuarterdeckError], at: int | None, rule: str | None
) -> None:
    with pytest.raises(error) as caught:
        replay(changed(**keys))
    assert (caught.value.at, caught.value.rule) == (at, rule)
    assert caught.value.as_json()["error"] == caught.value.code


# Strictness ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "told",
    [
        {**RECORD, "postion": POSITION},
        {**{key: value for key, value in RECORD.items() if key != "position"}, "postion": POSITION},
        changed(log=[{**LOG[0], "who": 1}]),
        changed(outcome={"scores": [20, 20], "winners": [], "loser": 1}),
        changed(seats=["Ann"] * 100_000),
        changed(seats=["a" * 10_000_000, "b"]),
        changed(game="s" * 10_000_000),
        changed(kit="0" * 1000),
        changed(log=[{"by": 1, "do": "play " + "y" * 10_000_000}]),
        changed(log=[{**LOG[0], "at": 10**30}]),
        changed(log=[{**LOG[0], "at": 1.0}]),
        changed(log=[{"by": 1.0, "do": "play y9"}]),
        changed(log=LOG[:1] * 200_000),
        changed(options={f"key {n}": n for n in range(100)}),
        changed(outcome={"scores": [20.0, 20], "winners": []}),
        changed(fairness={"scheme": "seed", "seed": 7, "weight": 1}),
        changed(fairness={"scheme": "seed", "seed": 7, "": 1}),
        changed(fairness={"scheme": "commit-reveal", "commitment": "", "secret": "", "salt": ""}),
        changed(
            fairness={
                "scheme": "commit-reveal",
                "commitment": "",
                "secret": "",
                "contributions": [{"commitment": "", "revealed": "", "seat": 0}],
            }
        ),
        changed(outcome={"scores": [20] * 1000, "winners": []}),
    ],
    ids=lambda told: str(told)[-40:],
)
def test_what_is_not_known_or_too_long_is_a_bad_record(told: Any) -> None:
    with pytest.raises(BadRecord) as caught:
        read_record(json.dumps(told).encode())
    assert len(caught.value.message) <= 400


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('"game": "skull-king"', "game"),
        ('"log": []', "log"),
        ('"by": 1', "by"),
        ('"hand": 2', "hand"),
        ('"players": 2', "players"),
        ('"note": 0', "note"),
    ],
)
@pytest.mark.parametrize("compact", [True, False])
def test_a_key_that_is_there_twice_is_a_bad_record(text: str, key: str, compact: bool) -> None:
    separators = (",", ":") if compact else (", ", ": ")
    data = json.dumps(RECORD, separators=separators)
    place = data.index(f'"{key}"')
    twice = data[:place] + text + ", " + data[place:]
    with pytest.raises(BadRecord, match=f"the key '{key}' is there twice"):
        read_record(twice.encode())


@pytest.mark.parametrize("depth", [40, 200, 990, 5_000, 100_000])
@pytest.mark.parametrize(("begin", "end"), [("[", "]"), ('{"x":', "}")])
@pytest.mark.parametrize("where", ['"hands"', '"players"', '"note"', '"bids"', '"game"', '"log"'])
def test_deep_nesting_is_no_trouble(where: str, begin: str, end: str, depth: int) -> None:
    data = json.dumps(RECORD)
    place = data.index(":", data.index(where)) + 1
    deep = data[:place] + begin * depth + "0" + end * depth + ', "z": ' + data[place:]
    with pytest.raises(QuarterdeckError) as caught:
        Match.from_record(read_record(deep.encode()))
    assert len(caught.value.message) <= 400


def test_deep_nesting_is_no_trouble_in_python_either() -> None:
    deep: Any = 0
    for _ in range(5_000):
        deep = [deep]
    for key in POSITION:
        with pytest.raises(BadPosition) as caught:
            Match(SKULL_KING, {"players": 2}, position={**POSITION, key: deep})
        assert len(caught.value.message) <= 400


@pytest.mark.parametrize("seats", [["Ann"], ["Ann", "Ben", "Cid"]])
def test_names_are_for_every_seat_or_for_none(seats: list[str]) -> None:
    with pytest.raises(BadRecord, match="names all 2 seats or none"):
        replay(changed(seats=seats))


@pytest.mark.parametrize("good_first", [True, False])
def test_one_bad_record_of_many_does_not_stop_the_rest(tmp_path: Path, good_first: bool) -> None:
    good = json.dumps(RECORD).encode()
    bad = [b"{", b"nonsense", good[:-3], b"[" * 100_000, b"\xff\xfe", b"[]", b"{}"]
    lines = [good, *bad, good] if good_first else [*bad, good]
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join(lines))
    told = list(read_records(path))
    assert len(told) == len(lines)
    assert [isinstance(each, GameRecord) for each in told] == [line is good for line in lines]


def test_a_broken_record_over_many_lines_is_one_bad_record(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    head = json.dumps({key: value for key, value in RECORD.items() if key != "log"})[:-1]
    entries = ",\n".join(json.dumps(entry) for entry in LOG)
    path.write_text(f'{head}, "log": [\n{entries}\n]')
    assert [type(told) for told in read_records(path)] == [BadRecord]


def test_a_log_is_applied_as_a_whole_or_not_at_all() -> None:
    match = Match(SKULL_KING, {"players": 2}, position=POSITION)
    before = match.hash
    entries = [Entry(1, "play y9"), Entry(0, "play king"), Entry(0, "play b1")]
    with pytest.raises(IllegalAction) as caught:
        match._extend(entries)
    assert (caught.value.at, caught.value.rule) == (2, "SK-1")
    assert (match.hash, match.log, match.decision) == (before, [], 0)


def test_an_empty_log_is_a_record_too() -> None:
    assert replay(changed(log=[])).position()["phase"] == "play"
    assert replay(changed(log=[], position=None)).to_act == "nature"
    match = replay(changed(log=[], position={}))
    assert match.to_act == "nature"


def test_lone_surrogates_are_no_trouble() -> None:
    text = json.dumps(changed(log=[{"by": 1, "do": "play \ud800"}])).encode()
    with pytest.raises((BadRecord, BadNotation)):
        Match.from_record(read_record(text))

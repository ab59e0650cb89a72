"""Golden records: games kept as they were played, replayed line by line.

Beside every record lies what it comes to: the whole last position, and for the small ones the
position after every entry. Whole games were played by bots; the others are tricks made by hand.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quarterdeck import Match, find_game
from quarterdeck.engine.record import GameRecord, read_record, write_record
from quarterdeck.engine.verify import verify
from quarterdeck.games import GAME_IDS

FOLDER = Path(__file__).parent / "golden"
RECORDS = sorted(path for path in FOLDER.glob("*/*.json") if ".expected" not in path.suffixes)


def expected(path: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(path.with_suffix(".expected.json").read_text())
    return told


def read(path: Path) -> GameRecord:
    return read_record(path.read_bytes())


by_record = pytest.mark.parametrize(
    "path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}"
)


def test_every_game_has_golden_records() -> None:
    assert {path.parent.name.replace("_", "-") for path in RECORDS} == set(GAME_IDS)
    players = {read(path).options["players"] for path in RECORDS}
    assert players >= {2, 3, 4, 5, 6}
    assert any(read(path).position is not None for path in RECORDS)


@by_record
def test_a_golden_record_comes_to_what_it_came_to(path: Path) -> None:
    match = Match.from_record(read(path))
    assert match.position() == expected(path)["position"]
    # and it is written again as it was
    plain = json.loads(path.read_text())
    written = json.loads(write_record(match.record()))
    assert written["log"] == plain["log"]
    assert written["options"] == plain["options"]


@by_record
def test_a_golden_record_replays_line_by_line(path: Path) -> None:
    told = read(path)
    match = Match(find_game(told.game), told.options, position=told.position)
    after = expected(path).get("after")
    for index, entry in enumerate(told.log):
        match.act(-1 if entry.by == "nature" else entry.by, entry.do)
        if after is not None:
            assert match.position() == after[index], f"after entry {index}, {entry.do!r}"
    assert after is None or len(after) == len(told.log)
    assert match.position() == expected(path)["position"]


@by_record
def test_a_golden_game_is_drawn_as_it_was_drawn(path: Path) -> None:
    told = read(path)
    if told.fairness is None:
        assert expected(path)["after"], "made by hand, so kept line by line"
    else:
        # what the clock does in an open phase is nature's too, but nothing is drawn
        drawn = [entry for entry in told.log if entry.by == "nature" and " " in entry.do]
        assert verify(told).draws == len(drawn)

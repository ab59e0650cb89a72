"""Positions: every reachable one comes back, what is left out has a meaning, bad ones fail."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from quarterdeck.contract import BadPosition
from quarterdeck.games.piratoons import positions
from quarterdeck.games.piratoons.notation import PHASE_NAMES
from quarterdeck.games.piratoons.positions import Position
from quarterdeck.games.piratoons.state import State

from .helpers import CHEST, INTERPRETED, KIT, new_game, position, random_game, state_of


def read(given: dict[str, Any], players: int = 2) -> State:
    return positions.from_position(KIT, {"players": players}, given)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_position_of_random_games_comes_back(players: int) -> None:
    for seed in range(1 if INTERPRETED else 4):
        for state, _, _ in random_game(players, seed):
            told = json.loads(json.dumps(position(state)))
            assert read(told, players).tobytes() == state.tobytes()


def test_an_empty_position_is_the_start() -> None:
    assert read({}, 3).tobytes() == new_game(3).tobytes()


def test_the_bank_follows_from_the_doubloons() -> None:
    state = read({"captain": 0, "doubloons": [5, 9]})
    assert position(state)["bank"] == 26


def test_what_is_derived_may_be_left_out() -> None:
    told = position(state_of(2, phase="plunder", chest=CHEST, opened=True,
                             piles=[{"x": 60, "y": 140, "seats": [0, 1]}]))  # fmt: skip
    assert told["piles"] == [{"x": 60, "y": 140, "seats": [0, 1], "on": "p1"}]


OPEN = {"phase": "plunder", "captain": 0, "chest": CHEST, "opened": True}
REFIT = {"phase": "refit", "captain": 0}
REST = {"sunk": ["p2", "p3"], "floating": [f"sail-{n}" for n in range(1, 7)]}


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"colour": 1}, None),
        ({"players": 3}, None),
        ({"phase": "deal"}, None),
        ({"phase": 1}, None),
        ({"round": 0}, None),
        ({"round": 9}, None),
        ({"round": True}, None),
        ({"captain": 2}, None),
        ({"round": 2}, "PT-3"),
        ({"phase": "plunder", "chest": CHEST}, "PT-3"),
        ({"captain": 0, "opened": True}, "PT-5"),
        ({"captain": 0, "opened": 1}, None),
        ({**OPEN, "opened": False, "ran_out": True}, "PT-5"),
        ({**OPEN, "opened": False, "barred": [0]}, "PT-5"),
        ({**OPEN, "barred": [1, 0]}, None),
        ({**OPEN, "barred": [0, 1], "ran_out": True}, "PT-R3"),
        ({**OPEN, "out": [0, 1]}, "PT-R3"),
        ({**OPEN, "chest": CHEST[:8]}, None),
        ({**OPEN, "chest": [*CHEST[:8], None]}, "PT-4"),
        ({**OPEN, "chest": ["p2", *CHEST[1:]]}, "PT-4"),
        ({**OPEN, "chest": [*CHEST[:8], CHEST[7]]}, "PT-C1"),
        ({**OPEN, "chest": [*CHEST[:8], "p25"]}, None),
        ({**OPEN, "piles": [{"x": 1, "y": 1}]}, None),
        ({**OPEN, "piles": [{"x": 1, "y": 1, "seats": []}]}, "PT-C3"),
        ({**OPEN, "piles": [{"x": 301, "y": 1, "seats": [0]}]}, None),
        ({**OPEN, "piles": [{"x": 1, "y": 1, "seats": [2]}]}, None),
        ({**OPEN, "piles": [{"x": 1, "y": 1, "seats": [0] * 7}]}, "PT-C3"),
        ({**OPEN, "fallen": [{"x": 1, "y": 1, "seats": [0, 1]}]}, "PT-12"),
        ({**OPEN, "bids": [1, None]}, "PT-18"),
        ({**OPEN, "won": [["p20"], []]}, "PT-24"),
        ({**OPEN, "doubloons": [1]}, None),
        ({**OPEN, "doubloons": [21, 20]}, "PT-C3"),
        ({**OPEN, "bank": 1}, "PT-C3"),
        ({**OPEN, "shown": [5]}, None),
        ({"captain": 0, "chest": CHEST}, "PT-4"),
        ({"captain": 0, "sunk": ["p1"]}, "PT-2"),
        ({"captain": 0, "sunk": ["sail-1"]}, "PT-23"),
        ({"captain": 0, "floating": ["p1"]}, "PT-23"),
        ({"captain": 0, "won": [[], "p1"]}, None),
        ({"phase": "auction", "captain": 0, **REST, "won": [["p1"], []], "bids": [4, None]}, None),
        ({"phase": "auction", "captain": 0, "chest": CHEST, "bids": [1, 1]}, None),
        ({"phase": "take", "captain": 0, "chest": CHEST, "bids": [1, 1]}, None),
        ({**REFIT, "sunk": ["p1", "p2", "p3"], "floating": REST["floating"]}, None),
        ({**REFIT, **REST, "won": [["p1"], []], "refits": ["p2", None]}, "PT-R4"),
        ({**REFIT, **REST, "ships": ["p1(gun-a1)", "-"]}, "PT-25"),
        ({**REFIT, **REST, "ships": ["p1(", "-"]}, None),
        ({**REFIT, **REST, "ships": [1, "-"]}, None),
        ({"phase": "over", "captain": 0, "round": 7}, "PT-29"),
    ],
)
def test_what_cannot_occur_is_refused(given: dict[str, Any], rule: str | None) -> None:
    with pytest.raises(BadPosition) as caught:
        read(given)
    assert caught.value.rule == rule


def test_the_ledger_names_all_keys_and_phases() -> None:
    ledger = (Path(__file__).parents[3] / "docs/rules/piratoons.md").read_text("utf-8")
    (keys,) = re.findall(r"^Position keys: (.*)$", ledger, re.MULTILINE)
    (phases,) = re.findall(r"^Phases: (.*?\.) ", ledger, re.MULTILINE)
    assert set(Position.__struct_fields__) <= set(re.findall(r"`(\w+)`", keys))
    assert set(PHASE_NAMES) <= set(re.findall(r"`(\w+)`", phases))

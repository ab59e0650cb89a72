"""Positions: every reachable one comes back, what is left out has a meaning, bad ones fail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quarterdeck.contract import BadPosition
from quarterdeck.games.piratoons import positions
from quarterdeck.games.piratoons.notation import PHASE_NAMES
from quarterdeck.games.piratoons.positions import Position
from quarterdeck.games.piratoons.state import State

from .helpers import (
    CHEST,
    EQUIPMENT,
    INTERPRETED,
    KIT,
    PARTS,
    new_game,
    position,
    random_game,
    state_of,
)


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
        ({**OPEN, "chest": [*CHEST[:8], CHEST[7]]}, "PT-C2"),
        ({**OPEN, "chest": [CHEST[1], *CHEST[1:]]}, "PT-C1"),
        ({**OPEN, "piles": [{"x": 1, "y": 1, "seats": [0], "z": 1}]}, None),
        ({**OPEN, "piles": [{"x": 60, "y": 140, "seats": [0], "on": "p5"}]}, "PT-15"),
        ({**OPEN, "fallen": [{"x": 60, "y": 140, "seats": [0], "on": "p1"}]}, None),
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
        ({"phase": "auction", "captain": 0, "chest": CHEST, "bids": [1, 1]}, "PT-21"),
        ({"phase": "take", "captain": 0, "chest": CHEST, "bids": [1, 1]}, "PT-21"),
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


# What holds in every state -------------------------------------------------------------------

STANDS = {"x": 60, "y": 140, "seats": [0]}
LEFT = [None, "gun-a1", None, None, "sail-1", None, "p1", None, None]
WON = [["deck-a1", "port-a1", "quart-a1"], ["sail-2", "p5", "p11"]]
AUCTION: dict[str, Any] = {"phase": "auction", "captain": 0, "chest": LEFT, "won": WON}
TAKE = {**AUCTION, "phase": "take", "bids": [1, 2]}
TOOK = {**TAKE, "chest": [*LEFT[:6], *[None] * 3], "won": [WON[0], [*WON[1], "p1"]],
        "bids": [1, None], "doubloons": [3, 3]}  # fmt: skip
REFITTING: dict[str, Any] = {
    "phase": "refit", "captain": 0, "won": WON, "sunk": ["p1"], "floating": ["gun-a1", "sail-1"]
}  # fmt: skip
SECOND = {"captain": 0, "round": 2, "ships": ["p5(port-a1)", "-"], "sunk": ["p1", "p11"],
          "floating": ["deck-a1", "gun-a1", "quart-a1", "sail-1", "sail-2"]}  # fmt: skip
OVER = {"phase": "over", "captain": 0, "round": 8, "sunk": list(PARTS), "floating": list(EQUIPMENT)}

CAN_OCCUR: list[dict[str, Any]] = [
    {},
    {"captain": 0},
    OPEN,
    OPEN | {"piles": [STANDS]},
    OPEN | {"piles": [STANDS, {"x": 76, "y": 140, "seats": [1]}]},
    # the steady hand puts a pile in the middle of a field, beside what stands there
    OPEN | {"piles": [{"x": 60, "y": 149, "seats": [1]}, STANDS]},
    OPEN | {"piles": [STANDS], "fallen": [{"x": 60, "y": 149, "seats": [0, 0]}]},
    OPEN | {"piles": [STANDS], "out": [1]},
    OPEN | {"barred": [0, 1]},
    OPEN | {"opened": False, "shown": [0]},
    AUCTION,
    AUCTION | {"doubloons": [15, 11], "short": 1},
    TAKE,
    TOOK,
    REFITTING,
    REFITTING | {"bids": [1, 1]},
    SECOND,
    SECOND | {"bids": [1, None]},
    OVER,
]

CANNOT_OCCUR: list[tuple[str, dict[str, Any]]] = [
    ("there is a captain from the start", {"round": 2}),
    ("the game ends with round eight", OVER | {"round": 7}),
    ("the sand runs in an open chest", AUCTION | {"opened": True}),
    ("stones lie only in an open chest", OPEN | {"opened": False, "piles": [STANDS]}),
    ("everybody has so many stones", OPEN | {"piles": [STANDS | {"seats": [0] * 7}]}),
    ("this plunder goes on", OPEN | {"piles": [STANDS | {"seats": [0] * 6 + [1] * 6}]}),
    ("this plunder goes on", OPEN | {"ran_out": True, "barred": [0, 1]}),
    ("what fell and stays", OPEN | {"fallen": [STANDS]}),
    ("what fell and stays", OPEN | {
        "fallen": [STANDS], "piles": [{"x": 60, "y": 149, "seats": [1, 0]}]}),
    ("what fell and stays", OPEN | {
        "fallen": [STANDS], "piles": [{"x": 60, "y": 148, "seats": [0]}]}),
    ("what fell and stays", OPEN | {
        "fallen": [{"x": 60, "y": 149, "seats": [0]}, STANDS], "piles": []}),
    # two piles on one spot
    ("stones that meet a pile", OPEN | {"piles": [STANDS, STANDS | {"seats": [1]}]}),
    ("stones that meet a pile", OPEN | {"piles": [STANDS, {"x": 60, "y": 148, "seats": [1]}]}),
    ("stones that meet a pile", OPEN | {"piles": [STANDS, {"x": 60, "y": 155, "seats": [1]}]}),
    ("whoever is out", OPEN | {"out": [0]}),
    ("whoever is out", OPEN | {"out": [0], "piles": [STANDS]}),
    ("whoever is out", OPEN | {"out": [0], "piles": [STANDS | {"seats": [0] * 6 + [1]}]}),
    ("the chest is full", OPEN | {"chest": LEFT}),
    ("the chest is full", REFITTING | {"chest": LEFT, "sunk": [], "floating": []}),
    ("ships can be built so", SECOND | {"ships": ["p5(gun-a1)", "-"], "floating": ["sail-1"]}),
    ("what was won is built in at once", SECOND | {
        "ships": ["-", "-"], "won": [["p5", "port-a1"], []]}),
    ("six tiles and three parts", SECOND | {"sunk": ["p1"]}),
    ("six tiles and three parts", {"captain": 0, "floating": ["sail-1"]}),
    ("nothing has happened before", {"doubloons": [4, 3]}),
    ("nothing has happened before", {"shown": [0]}),
    # tiles afloat before the first auction
    ("until its auction is over", AUCTION | {"chest": [*LEFT[:4], *LEFT[5:6], None, *LEFT[6:]],
                                             "floating": ["sail-1"]}),
    ("until its auction is over", AUCTION | {"chest": [*LEFT[:6], *[None] * 3], "sunk": ["p1"]}),
    ("until its auction is over", TAKE | {
        "round": 2, "sunk": ["p20", "p21", "p22"], "won": [[*WON[0], "sail-12"], WON[1]],
        "floating": ["sail-7", "sail-8", "sail-9", "sail-10", "sail-11"]}),
    ("ships were built in the rounds", REFITTING | {
        "ships": ["p5(port-a1)", "-"], "won": [["deck-a1", "quart-a1"], ["sail-2", "p11"]]}),
    ("a tile was won with a stone", AUCTION | {
        "chest": [None] * 6 + ["p1", None, None],
        "won": [[*WON[0], *WON[1], "gun-a1", "sail-1"], []]}),
    ("a tile was won with a stone", TAKE | {
        "bids": [None, 1], "won": [[], [*WON[0], *WON[1]]]}),
    ("there is something to auction", AUCTION | {
        "chest": [None] * 9, "won": [[*WON[0], "gun-a1", "sail-1"], [*WON[1], "p1"]]}),
    ("bids are made in the auction", OPEN | {"bids": [1, None]}),
    ("bids are made in the auction", {"captain": 0, "bids": [1, 0]}),
    ("the highest bids pay", AUCTION | {"bids": [1, 1]}),
    ("the highest bids pay", TAKE | {"bids": [1, 1]}),
    ("the highest bids pay", TAKE | {"bids": [0, 0]}),
    ("the highest bids pay", TOOK | {"bids": [3, None], "doubloons": [20, 17]}),
    ("the highest bids pay", REFITTING | {"bids": [None, 1]}),
    ("the bank was as short", OPEN | {"short": 1}),
    ("the bank was as short", AUCTION | {"short": 1}),
    ("the bank was as short", AUCTION | {"short": 2, "doubloons": [20, 20]}),
    ("the bank was as short", AUCTION | {"short": 2}),
    ("layouts are declared", SECOND | {"refits": ["p5(port-a1)", None]}),
    ("only who may act", OPEN | {"opened": False, "shown": [1]}),
    ("only who may act", {"captain": 0, "shown": [0]}),
    ("somebody is to act", REFITTING | {
        "won": [[], []], "sunk": ["p1", "p5", "p11"], "floating": CHEST[:6]}),
]  # fmt: skip


@pytest.mark.parametrize("given", CAN_OCCUR)
def test_what_can_occur_is_accepted(given: dict[str, Any]) -> None:
    state = read(given)
    assert read(position(state)).tobytes() == state.tobytes()


@pytest.mark.parametrize(("says", "given"), CANNOT_OCCUR)
def test_each_invariant_refuses(says: str, given: dict[str, Any]) -> None:
    (invariant,) = [each for each in positions.INVARIANTS if each.says.startswith(says)]
    with pytest.raises(BadPosition) as caught:
        read(given)
    assert (caught.value.rule, caught.value.message) == (invariant.rule, invariant.says)


def test_no_invariant_is_without_a_test() -> None:
    for invariant in positions.INVARIANTS:
        assert any(invariant.says.startswith(says) for says, _ in CANNOT_OCCUR)


def test_only_of_four_players_the_bank_is_emptied() -> None:
    """PT-14, PT-R1: fewer have too few stones for it, or too many doubloons to give back."""
    chest = {"phase": "auction", "captain": 0, "chest": CHEST, "short": 2}
    assert read({**chest, "doubloons": [10, 10, 10, 10]}, 4).bank == 0
    for players, doubloons in ((2, [20, 20]), (3, [14, 13, 13]), (4, [10, 10, 10, 9])):
        with pytest.raises(BadPosition) as caught:
            read({**chest, "doubloons": doubloons}, players)
        assert caught.value.rule == "PT-14"


@pytest.mark.parametrize("junk", [34.0, True, 10**30, -1, "1", "\u0663", [1], {"a": [[]]}])
@pytest.mark.parametrize(
    "keys",
    [
        lambda junk: {"round": [junk]},
        lambda junk: {"doubloons": [[junk], 0]},
        lambda junk: {"short": [junk]},
        lambda junk: {**AUCTION, "bids": [[junk], None]},
        lambda junk: {**OPEN, "piles": junk},
        lambda junk: {**OPEN, "piles": [junk]},
        lambda junk: {**OPEN, "piles": [STANDS | {"x": [junk]}]},
        lambda junk: {**OPEN, "piles": [STANDS | {"seats": [[junk]]}]},
        lambda junk: {**OPEN, "piles": [STANDS | {"on": junk}]},
        lambda junk: {**OPEN, "fallen": [STANDS | {"seats": junk}]},
        lambda junk: {**OPEN, "piles": [STANDS] * 100_000 + [junk]},
        lambda junk: {**OPEN, "barred": [0] * 100_000 + [junk]},
        lambda junk: {"captain": 0, "floating": [junk]},
        lambda junk: {"captain": 0, "ships": [junk, "-"]},
        lambda junk: {"captain": 0, "ships": [f"{junk}(", "-"]},
        lambda junk: {**REFITTING, "refits": [junk, None]},
        lambda junk: {"captain": 0, "won": [junk, []]},
        lambda junk: {**OPEN, "opened": junk if junk is not True else 1},
    ],
)
def test_junk_is_refused_in_a_sentence(
    keys: Callable[[object], dict[str, Any]], junk: object
) -> None:
    with pytest.raises(BadPosition) as caught:
        read(keys(junk))
    assert len(caught.value.message) < 300


def test_the_ledger_names_all_keys_and_phases() -> None:
    ledger = (Path(__file__).parents[3] / "docs/rules/piratoons.md").read_text("utf-8")
    (keys,) = re.findall(r"^Position keys: (.*)$", ledger, re.MULTILINE)
    (phases,) = re.findall(r"^Phases: (.*?\.) ", ledger, re.MULTILINE)
    assert set(Position.__struct_fields__) <= set(re.findall(r"`(\w+)`", keys))
    assert set(PHASE_NAMES) <= set(re.findall(r"`(\w+)`", phases))

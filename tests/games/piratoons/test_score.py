"""PT-29 to PT-34, PT-R2, PT-R5: the end, what is counted, and how it is told."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec import to_builtins

from quarterdeck.contract import OVER
from quarterdeck.games.piratoons.reckoning import end_events, reckoning
from quarterdeck.games.piratoons.state import State

from . import reference
from .helpers import KIT, do, final, node, outcome, outlook, position, refusal, state_of, to_act
from .test_against_reference import random_ships


def points(state: State) -> list[int]:
    return outcome(state)[0]


def told(state: State) -> dict[str, Any]:
    told: dict[str, Any] = to_builtins(reckoning(KIT, state))
    return told


@pytest.mark.rule("PT-29")
def test_the_eighth_refit_is_the_last_thing_that_happens() -> None:
    state = state_of(2, phase="refit", round=8, won=[["p1"], []])
    assert node(state) != OVER
    state = do(state, 0, "refit p1")
    assert node(state) == OVER
    assert to_act(state) == []
    assert position(state)["phase"] == "over"
    for seat, text in ((0, "open"), (1, "bid 0"), (-1, "sand"), (0, "refit p1")):
        assert refusal(state, seat, text) == "PT-29"


@pytest.mark.rule("PT-30")
@pytest.mark.parametrize(
    ("coins", "expected"),
    [
        ([4, 3, 2, 1], [5, 2, 0, 0]),
        ([4, 4, 2, 1], [5, 5, 2, 0]),
        ([4, 3, 3, 3], [5, 2, 2, 2]),
        ([4, 4, 4, 4], [5, 5, 5, 5]),
        ([0, 7, 0, 7], [0, 5, 0, 5]),
        ([0, 0, 1, 0], [0, 0, 5, 0]),
        ([0, 0, 0, 0], [0, 0, 0, 0]),
    ],
)
def test_the_richest_pirates(coins: list[int], expected: list[int]) -> None:
    state = final("-", "-", "-", "-", doubloons=coins)
    assert told(state)["titles"]["doubloons"] == expected
    assert points(state) == [2 + more for more in expected]  # bow to stern alone


@pytest.mark.rule("PT-30", "PT-R2")
def test_the_fastest_and_the_biggest_ship() -> None:
    state = final("p1(sail-1,sail-2)", "p5(sail-3) p7", "p18")
    assert told(state)["titles"]["sails"] == [5, 2, 0]
    assert told(state)["titles"]["barrels"] == [2, 5, 2]
    state = final("p18", "-", "-")
    assert told(state)["titles"]["sails"] == [0, 0, 0]  # none of a thing earns nothing
    assert told(state)["titles"]["barrels"] == [5, 0, 0]


@pytest.mark.rule("PT-31", "PT-R5")
@pytest.mark.parametrize(
    ("ship", "correct", "wrong"),
    [
        ("-", 1, 0),
        ("p1", 2, 0),
        ("p5 p6", 3, 0),
        ("p6 p5", 1, 2),
        ("p24", 0, 2),
        ("p11 p15 p12 p18 p24 p19", 7, 0),
        ("p15 p11", 0, 3),
    ],
)
def test_connections(ship: str, correct: int, wrong: int) -> None:
    state = final(ship, "-")
    assert told(state)["connections"][0] == [correct, wrong, 2 * correct - 2 * wrong]
    assert outlook(state, 0)["ledger"][0]["connections"].count(True) == correct


@pytest.mark.rule("PT-32")
def test_the_most_empty_fields_of_each_kind_cost_two() -> None:
    state = final("p11 p12", "p14", "p9(quart-a1,deck-a1)")
    empty = told(state)["empty"]
    # decks 2, 1, 0; quarters 1, 0, 0; gunports 2, 0, 0; portholes 1, 2, 0; all 6, 3, 0
    assert empty == {
        "deck": [-2, 0, 0],
        "quart": [-2, 0, 0],
        "gun": [-2, 0, 0],
        "port": [0, -2, 0],
        "all": [-2, 0, 0],
    }


@pytest.mark.rule("PT-32")
def test_all_with_most_empty_fields_are_punished() -> None:
    state = final("p5", "p6", "-")
    assert told(state)["empty"]["port"] == [-2, -2, 0]
    assert told(state)["empty"]["all"] == [-2, -2, 0]


@pytest.mark.rule("PT-R2")
def test_nobody_is_punished_where_nobody_has_any() -> None:
    state = final("p1(deck-a1)", "-")
    assert set(map(tuple, told(state)["empty"].values())) == {(0, 0)}


@pytest.mark.rule("PT-32")
def test_a_sail_fills_the_deck_field_of_its_mast() -> None:
    assert told(final("p1(sail-1)", "-"))["empty"]["deck"] == [0, 0]
    assert told(final("p1(sail-1,sail-2,sail-3)", "-"))["empty"]["deck"] == [0, 0]
    assert told(final("p1", "-"))["empty"]["deck"] == [-2, 0]


@pytest.mark.rule("PT-33")
@pytest.mark.parametrize(
    ("ship", "expected"),
    [
        ("p1(deck-a1)", 0),
        ("p1(deck-a1) p2(deck-a2)", 2),
        ("p1(deck-a1) p2(deck-b1)", 0),
        ("p1(deck-a1) p2(deck-a2) p3(deck-a3)", 5),
        ("p1(deck-a1) p2(deck-b1) p3(deck-c1)", 4),
        ("p1(deck-a1) p2(deck-a2) p3(deck-b1)", 2),
        ("p1(deck-a1) p2(deck-a2) p3(deck-b1) p4(deck-b2)", 4),
        ("p1(deck-a1) p2(deck-a2) p3(deck-a3) p4(deck-b1)", 5),
        # three alike, or three different and a pair: each add-on counts once
        ("p1(deck-a1) p2(deck-a2) p3(deck-a3) p4(deck-b1) p5(deck-c1)", 6),
        ("p5(port-a1) p14(port-b1,port-c1) p7(gun-a1) p8(gun-a2)", 6),
        ("p5(port-a1) p7(gun-a1) p9(quart-a1)", 0),  # sets are of one kind
        ("p1(sail-1,sail-2,sail-3)", 0),
    ],
)
def test_sets(ship: str, expected: int) -> None:
    state = final(ship, "-")
    assert sum(one["points"] for one in told(state)["sets"][0]) == expected


@pytest.mark.rule("PT-34")
def test_most_points_win() -> None:
    state = final("p5 p6", "-", doubloons=[0, 1])
    assert outcome(state) == ([6 + 5 - 2 - 2 - 2, 2 + 5], [1])
    assert told(state)["tie_break"] is None


def tied(*wanted: Any) -> Any:
    """Ships and purses, found by trying, whose points are equal and which `wanted` tells apart."""
    rng = random.Random(3)
    while True:
        table = reference.Table(2)
        table.phase = "over"
        table.ships = random_ships(rng, 2)
        table.doubloons = [rng.randrange(3), rng.randrange(3)]
        if table.totals()[0] != table.totals()[1]:
            continue
        correct = [sum(reference.connections(ship)) for ship in table.ships]
        empty = [reference.empty_fields(ship).total() for ship in table.ships]
        steps = [correct[0] != correct[1], empty[0] != empty[1],
                 table.doubloons[0] != table.doubloons[1]]  # fmt: skip
        if tuple(steps) == wanted:
            ships = [reference.written(ship) for ship in table.ships]
            return final(*ships, doubloons=table.doubloons), correct, empty, table.doubloons


@pytest.mark.rule("PT-34")
def test_first_the_correct_connections_decide() -> None:
    state, correct, _, _ = tied(True, True, True)
    assert outcome(state)[1] == [correct.index(max(correct))]
    assert told(state)["tie_break"] == "connections"


@pytest.mark.rule("PT-34")
def test_then_fewer_empty_fields() -> None:
    state, _, empty, _ = tied(False, True, True)
    assert outcome(state)[1] == [empty.index(min(empty))]
    assert told(state)["tie_break"] == "empty"


@pytest.mark.rule("PT-34")
def test_then_more_doubloons() -> None:
    state, _, _, coins = tied(False, False, True)
    assert outcome(state)[1] == [coins.index(max(coins))]
    assert told(state)["tie_break"] == "doubloons"


@pytest.mark.rule("PT-R5")
def test_a_complete_tie_is_a_shared_win() -> None:
    state = final("p1(deck-a1)", "p2(deck-b1)", "-")
    assert outcome(state)[1] == [0, 1]
    keys = [event.key for event in end_events(KIT, state)]
    assert keys[-1] == "game-shared"
    assert "tie-broken" not in keys


def test_before_the_end_scores_are_what_everybody_can_see() -> None:
    state = state_of(2, round=3, ships=["p5 p6", "p24"], doubloons=[9, 0])
    assert outcome(state) == ([6, -4], [])


@pytest.mark.rule("PT-30", "PT-31", "PT-32", "PT-33", "PT-34")
def test_the_end_is_told_step_by_step_and_adds_up() -> None:
    ships = [
        "p5(port-a1,sail-1) p6(port-a2)",
        "p1(deck-a1) p2(deck-b1) p3(deck-c1)",
        "p24(quart-a1,quart-b1) p18",
    ]
    state = final(*ships, doubloons=[4, 4, 1])
    sums = [0, 0, 0]
    for event in end_events(KIT, state):
        values = event.values
        if event.key in ("title", "most-empty"):
            for seat in values["seats"]:
                sums[seat] += values["points"]
        elif event.key in ("connections-counted", "set-counted"):
            sums[values["seat"]] += values["points"]
        elif event.key == "total":
            assert values["points"] == sums[values["seat"]]
    assert sums == points(state)
    whole = told(state)
    assert whole["totals"] == sums
    assert [sum(whole["titles"][name][seat] for name in whole["titles"]) for seat in range(3)] == [
        5 + 5 + 2, 5 + 5, 2 + 2,
    ]  # fmt: skip

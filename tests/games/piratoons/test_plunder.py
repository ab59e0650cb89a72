"""PT-5 to PT-12, PT-15, PT-R3: hands, stones and the call, by the geometry of the chest."""

from __future__ import annotations

from typing import Any

import pytest

from quarterdeck.contract import NATURE
from quarterdeck.games.piratoons import plunder
from quarterdeck.games.piratoons.state import MOST_PILES, State

from . import reference
from .helpers import (
    CHEST,
    do,
    do_all,
    legal,
    middle,
    open_chest,
    outlook,
    position,
    refusal,
    to_act,
)


def piles(state: State) -> list[tuple[Any, ...]]:
    return [(pile["x"], pile["y"], pile["seats"], pile["on"]) for pile in position(state)["piles"]]


def fallen(state: State) -> list[tuple[Any, ...]]:
    return [(pile["x"], pile["y"], pile["seats"]) for pile in position(state)["fallen"]]


def supply(state: State) -> Any:
    return outlook(state, 0)["supply"]


# The sand and the call -----------------------------------------------------------------------


@pytest.mark.rule("PT-6")
def test_once_the_sand_has_run_out_anybody_ends_it_at_once() -> None:
    for seat in range(4):
        state = do(open_chest(), NATURE, "sand")
        assert position(state)["ran_out"]
        state = do(state, seat, "stop")
        assert position(state)["phase"] == "auction"
        assert refusal(state, 0, "drop 1 p1") == "PT-5"


@pytest.mark.rule("PT-6")
def test_without_a_call_it_goes_on() -> None:
    state = do(open_chest(), NATURE, "sand")
    state = do_all(state, (0, "drop 1 p1"), (1, "drop 2 p1"), (0, "drop 2 p1"))
    assert position(state)["phase"] == "plunder"
    assert refusal(state, NATURE, "sand") == "PT-6"
    assert refusal(state, 0, "sand") == "PT-6"


@pytest.mark.rule("PT-7")
def test_a_call_before_the_sand_does_not_count_and_bars_the_caller() -> None:
    state = do(open_chest(), 1, "stop")
    assert position(state)["phase"] == "plunder"
    assert position(state)["barred"] == [1]
    assert refusal(state, 1, "stop") == "PT-7"
    assert "stop" not in legal(state, 1)
    state = do(state, NATURE, "sand")
    assert refusal(state, 1, "stop") == "PT-7"
    state = do(state, 1, "drop 1 p1")  # he still plunders
    assert position(do(state, 0, "stop"))["phase"] == "auction"


@pytest.mark.rule("PT-7")
def test_a_bar_is_for_one_round() -> None:
    state = do_all(open_chest(2), (1, "stop"), (NATURE, "sand"), (0, "stop"))
    assert position(state)["barred"] == []


@pytest.mark.rule("PT-R3")
def test_the_table_limit_closes_the_chest() -> None:
    state = open_chest()
    assert refusal(state, NATURE, "close") == "PT-R3"
    state = do(state, NATURE, "sand")
    assert refusal(state, 0, "close") == "PT-R3"
    assert position(do(state, NATURE, "close"))["phase"] == "auction"


@pytest.mark.rule("PT-R3")
def test_with_the_sand_if_nobody_may_call() -> None:
    state = do_all(open_chest(3), (0, "stop"), (1, "stop"), (2, "stop"))
    assert position(state)["phase"] == "plunder"
    assert position(do(state, NATURE, "sand"))["phase"] == "auction"


@pytest.mark.rule("PT-R3")
def test_when_the_last_who_might_call_is_out() -> None:
    state = do_all(open_chest(2), (0, "stop"), (NATURE, "sand"), (0, "drop 1 @60,140"))
    assert position(state)["phase"] == "plunder"
    state = do(state, 1, "drop 1 @72,140")
    assert position(state)["phase"] == "auction"


@pytest.mark.rule("PT-R3")
def test_when_nobody_can_place_any_more() -> None:
    state = do(open_chest(2), 0, "drop 6 p1")
    assert position(state)["phase"] == "plunder"
    assert to_act(state) == [0, 1]  # seat 0 may still call
    state = do(state, 1, "drop 6 p5")
    assert position(state)["phase"] == "auction"


@pytest.mark.rule("PT-R3", "PT-11")
def test_an_excluded_player_may_not_call() -> None:
    state = do_all(open_chest(3), (0, "drop 1 @60,140"), (1, "drop 1 @72,140"))
    assert position(state)["out"] == [1]
    assert refusal(state, 1, "stop") == "PT-R3"
    assert refusal(do(state, NATURE, "sand"), 1, "stop") == "PT-R3"
    assert to_act(state) == [0, 2]


# Hands and stones ----------------------------------------------------------------------------


@pytest.mark.rule("PT-8")
def test_a_placed_stone_stays() -> None:
    state = do(open_chest(2), 0, "drop 4 p1")
    assert supply(state) == [2, 6]
    assert refusal(state, 0, "drop 3 p5") == "PT-8"
    assert legal(state, 0)[-3:] == ["drop 2 p11", "stop", "show"]
    assert not any(text.startswith(("lift", "move")) for text in legal(state, 0))


@pytest.mark.rule("PT-9")
def test_several_stones_on_one_tile_in_one_go() -> None:
    state = do(open_chest(), 2, "drop 3 quart-a1")
    assert piles(state) == [(*middle(4), [2, 2, 2], "quart-a1")]


@pytest.mark.rule("PT-9", "PT-4")
def test_only_on_what_lies_in_the_chest() -> None:
    assert refusal(open_chest(), 0, "drop 1 p2") == "PT-4"


@pytest.mark.rule("PT-10")
def test_stones_on_others_and_outbidding_without_end() -> None:
    state = open_chest(2)
    moves = [(0, "drop 1 p1"), (1, "drop 2 p1"), (0, "drop 2 p1"), (1, "drop 2 p1")]
    state = do_all(state, *moves)
    assert piles(state) == [(*middle(7), [0, 1, 1, 0, 0, 1, 1], "p1")]
    assert outlook(state, 0)["loot"][6] == 1


@pytest.mark.rule("PT-10")
def test_a_stone_joins_the_nearest_pile_within_its_radius() -> None:
    state = do_all(open_chest(2), (0, "drop 1 @40,120"), (0, "drop 1 @56,120"))
    assert len(piles(state)) == 2  # just touching
    state = do(state, 1, "drop 1 @48,120")  # as near to one as to the other: the older one
    assert piles(state)[0] == (40, 120, [0, 1], "p1")
    state = do(state, 1, "drop 1 @49,120")
    assert piles(state)[1] == (56, 120, [0, 1], "p1")


@pytest.mark.rule("PT-10", "PT-15")
def test_what_joins_a_pile_takes_its_place_and_validity() -> None:
    state = do_all(open_chest(2), (0, "drop 1 @27,120"), (1, "drop 1 @28,120"))
    assert piles(state) == [(27, 120, [0, 1], None)]
    state = do_all(open_chest(2), (0, "drop 1 @28,120"), (1, "drop 1 @20,120"))
    assert piles(state) == [(28, 120, [0, 1], "p1")]


@pytest.mark.rule("PT-11")
def test_whoever_knocks_over_another_stone_is_out() -> None:
    state = do_all(open_chest(3), (0, "drop 2 @60,140"), (1, "drop 1 @60,180"))
    state = do(state, 1, "drop 3 @60,155")  # 15 away
    told = position(state)
    assert told["out"] == [1]
    assert piles(state) == [(60, 140, [0, 0], "p1"), (60, 180, [1], "p1")]  # all put back
    assert supply(state) == [4, 5, 6]  # what was dropped is in the supply again
    assert refusal(state, 1, "drop 1 p5") == "PT-11"
    assert outlook(state, 0)["stones"][6] == {"0": 2}  # none of his counts
    state = do_all(state, (NATURE, "sand"), (2, "stop"))
    assert position(state)["won"] == [["p1"], [], []]
    assert position(state)["doubloons"] == [3 + 4, 3, 3 + 6]  # and he is not paid


@pytest.mark.rule("PT-11")
def test_one_strange_stone_in_a_pile_is_enough_and_all_is_put_back() -> None:
    state = do_all(open_chest(2), (0, "drop 1 @40,120"), (1, "drop 1 @40,120"))
    state = do(state, 0, "drop 1 @70,120")
    state = do(state, 0, "drop 2 @55,120")  # 15 from either
    assert position(state)["out"] == [0]
    assert fallen(state) == []
    assert len(piles(state)) == 2


@pytest.mark.rule("PT-11")
def test_just_touching_knocks_nothing_over() -> None:
    state = do_all(open_chest(2), (0, "drop 1 @60,140"), (1, "drop 1 @76,140"))
    assert position(state)["out"] == []
    # in the slant too: 9² + 13² is 250, 10² + 13² is 269, 16² is 256
    assert position(do(open_after(), 1, "drop 1 @69,153"))["out"] == [1]
    assert position(do(open_after(), 1, "drop 1 @70,153"))["out"] == []


def open_after() -> State:
    return do(open_chest(2), 0, "drop 1 @60,140")


@pytest.mark.rule("PT-12")
def test_whoever_knocks_over_his_own_plays_on() -> None:
    state = do_all(open_chest(2), (0, "drop 2 @60,140"), (0, "drop 1 @70,140"))
    assert fallen(state) == [(60, 140, [0, 0])]
    assert piles(state) == [(70, 140, [0], "p1")]
    assert position(state)["out"] == []
    assert supply(state) == [3, 6]
    assert outlook(state, 0)["stones"][6] == {"0": 1}
    state = do(state, 1, "drop 1 @60,140")  # fallen stones are in nobody's way
    assert position(state)["out"] == [1]  # but the standing one is
    state = do_all(open_chest(2), (0, "drop 2 @60,140"), (0, "drop 1 @70,140"))
    state = do_all(state, (1, "drop 1 @54,140"), (NATURE, "sand"), (1, "stop"))
    assert position(state)["doubloons"] == [3 + 3, 3 + 5]  # the fallen earn nothing


@pytest.mark.rule("PT-15")
@pytest.mark.parametrize("field", range(1, 10))
def test_a_stone_is_valid_wholly_within_a_tile_its_border_included(field: int) -> None:
    x, y = middle(field)
    width, height = (40, 40) if field <= 6 else (80, 120)
    across, along = width // 2 - 8, height // 2 - 8
    inside = [(0, 0), (across, 0), (-across, 0), (0, along), (0, -along), (across, along)]
    outside = [(across + 1, 0), (-across - 1, 0), (0, along + 1), (0, -along - 1)]
    for dx, dy in inside + outside:
        state = do(open_chest(2), 0, f"drop 1 @{x + dx},{y + dy}")
        expected = CHEST[field - 1] if (dx, dy) in inside else None
        assert piles(state)[0][3] == expected, (dx, dy)


@pytest.mark.rule("PT-15", "PT-13")
def test_an_invalid_stone_neither_counts_nor_earns() -> None:
    state = do(open_chest(2), 0, "drop 2 @10,10")
    assert outlook(state, 0)["stones"] == [{}] * 9
    state = do_all(state, (NATURE, "sand"), (0, "stop"))
    assert position(state)["doubloons"] == [3 + 4, 3 + 6]


@pytest.mark.rule("PT-15")
def test_a_drop_is_on_the_board() -> None:
    state = open_chest(2)
    assert refusal(state, 0, "drop 1 @301,0") == "PT-15"
    assert refusal(state, 0, "drop 1 @0,221") == "PT-15"
    assert refusal(state, 0, "drop 1 @300,220") is None


def test_the_steady_hand_is_always_valid_and_knocks_nothing() -> None:
    for dx in range(-20, 21):
        x, y = middle(7)
        state = do_all(open_chest(2), (0, f"drop 1 @{x + dx},{y}"), (1, "drop 2 p1"))
        told = position(state)
        assert (told["out"], told["fallen"]) == ([], [])
        assert outlook(state, 0)["stones"][6] == {"0": 1, "1": 2}
        assert len(told["piles"]) == (1 if abs(dx) <= 8 else 2)


def test_the_board_is_the_ledgers() -> None:
    board = outlook(open_chest(), 0)["board"]
    assert (board["width"], board["height"], board["radius"]) == (300, 220, 8)
    for field in range(9):
        x, y, width, height = board["fields"][field]
        assert (x + width // 2, y + height // 2) == middle(field + 1)
        assert reference.Pile(x + 8, y + 8, [0]).field() == field
        assert reference.Pile(x + width - 8, y + height - 8, [0]).field() == field


def test_the_chest_holds_every_stone_there_is() -> None:
    state = open_chest()
    for number in range(MOST_PILES):
        plunder.insert_stones(state, number // 2, number % 4, 1)
    lying: list[int] = []
    for number in range(MOST_PILES):
        lying.insert(number // 2, number % 4)
    assert state.stones.tolist() == lying

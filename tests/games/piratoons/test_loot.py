"""PT-13 to PT-17, PT-R1: the idle are paid and the loot is shared."""

from __future__ import annotations

from typing import Any

import pytest

from quarterdeck.contract import NATURE
from quarterdeck.games.piratoons.state import State

from .helpers import CHEST, do_all, open_chest, position

YELLOW, GREEN, RED, BLUE = range(4)


def ended(state: State, seat: int = 0) -> dict[str, Any]:
    """The position after the sand and a call."""
    return position(do_all(state, (NATURE, "sand"), (seat, "stop")))


# The pay -------------------------------------------------------------------------------------


@pytest.mark.rule("PT-13")
def test_a_doubloon_for_every_stone_not_placed() -> None:
    state = do_all(open_chest(3), (0, "drop 2 p1"), (2, "drop 5 p5"))
    told = ended(state)
    assert told["doubloons"] == [3 + 4, 3 + 6, 3 + 1]
    assert told["bank"] == 40 - 9 - 11


@pytest.mark.rule("PT-13")
def test_where_the_bank_has_just_enough() -> None:
    state = open_chest(2, doubloons=[14, 14])
    assert ended(state)["doubloons"] == [20, 20]
    assert ended(state)["bank"] == 0
    assert ended(state)["short"] == 0


@pytest.mark.rule("PT-14")
def test_a_short_bank_first_takes_half_of_everybodys() -> None:
    state = open_chest(2, doubloons=[15, 14])
    # 11 left for 12 stones: seat 0 gives 7 of 15, seat 1 gives 7 of 14
    assert ended(state)["doubloons"] == [15 - 7 + 6, 14 - 7 + 6]
    assert ended(state)["bank"] == 40 - 14 - 13
    assert ended(state)["short"] == 1


@pytest.mark.rule("PT-14", "PT-11")
def test_who_is_out_gives_back_too_and_gets_nothing() -> None:
    state = do_all(
        open_chest(3, doubloons=[20, 13, 1]), (0, "drop 1 @60,140"), (1, "drop 1 @72,140")
    )
    told = ended(state)
    # 6 left for 5 + 6 idle stones
    assert told["doubloons"] == [20 - 10 + 5, 13 - 6, 1 + 6]


@pytest.mark.rule("PT-R1")
def test_a_bank_that_is_short_even_then_pays_one_at_a_time_from_the_captain() -> None:
    coins = [0, 1, 0, 39]
    state = open_chest(4, doubloons=coins, captain=2)
    # seat 3 gives back 19: 19 doubloons for 24 stones, seats 2, 3, 0, 1 in turn
    told = ended(state)
    assert told["doubloons"] == [0 + 5, 1 + 4, 0 + 5, 20 + 5]
    assert (told["bank"], told["short"]) == (0, 2)


@pytest.mark.rule("PT-R1")
def test_whoever_has_no_more_stones_is_passed_over() -> None:
    state = open_chest(3, doubloons=[1, 1, 38], captain=1)
    state = do_all(state, (1, "drop 5 p1"))
    # 0 left, 19 given back: 6 + 1 + 6 stones are paid in full
    assert ended(state)["doubloons"] == [7, 2, 19 + 6]


# The loot ------------------------------------------------------------------------------------


@pytest.mark.rule("PT-16")
@pytest.mark.parametrize(
    ("stones", "winner"),
    [
        ((1, 0, 0, 0), 0),
        ((0, 0, 0, 0), None),
        ((3, 2, 1, 0), 0),
        ((3, 3, 1, 0), 2),
        ((2, 2, 0, 0), None),
        ((2, 2, 1, 1), None),
        ((3, 3, 2, 1), 2),
        ((2, 2, 2, 1), 3),
        ((1, 1, 1, 1), None),
        ((0, 5, 4, 5), 2),
    ],
)
def test_equal_numbers_cancel_each_other_out(stones: list[int], winner: int | None) -> None:
    state = open_chest(4)
    for seat, count in enumerate(stones):
        if count:
            state = do_all(state, (seat, f"drop {count} p5"))
    told = ended(state)
    won = ["p5" in tiles for tiles in told["won"]]
    assert won == [seat == winner for seat in range(4)]
    assert told["chest"][7] == ("p5" if winner is None else None)


@pytest.mark.rule("PT-16")
def test_the_first_example_of_the_rulebook() -> None:
    """Red wins the porthole because yellow and green are tied."""
    state = do_all(
        open_chest(4),
        (YELLOW, "drop 2 port-a1"),
        (GREEN, "drop 2 port-a1"),
        (RED, "drop 1 port-a1"),
    )
    assert ended(state)["won"] == [[], [], ["port-a1"], []]


@pytest.mark.rule("PT-13", "PT-16", "PT-17")
def test_the_second_example_of_the_rulebook() -> None:
    """Red wins a sail and the porthole with the treasure; green the one-storey part, the gunport
    and the deck, for which red and blue are tied; blue the three-storey part and the quarters;
    yellow the porthole with the pirate, and two doubloons. Nobody wins the four-storey part."""
    chest = ["sail-1", "port-a1", "gun-a1", "deck-a1", "quart-a1", "port-b1", "p1", "p11", "p18"]
    state = open_chest(4, chest=chest)
    moves = {
        RED: ["1 sail-1", "1 port-a1", "2 deck-a1", "2 p18"],
        GREEN: ["2 p1", "1 gun-a1", "1 deck-a1", "2 p18"],
        BLUE: ["2 p11", "2 quart-a1", "2 deck-a1"],
        YELLOW: ["2 port-b1", "1 p11", "1 quart-a1"],
    }
    for seat, drops in moves.items():
        state = do_all(state, *((seat, f"drop {drop}") for drop in drops))
    told = ended(state)
    assert [sorted(tiles) for tiles in told["won"]] == [
        ["port-b1"],
        ["deck-a1", "gun-a1", "p1"],
        ["port-a1", "sail-1"],
        ["p11", "quart-a1"],
    ]
    assert told["chest"] == [None] * 8 + ["p18"]
    assert told["doubloons"] == [3 + 2, 3, 3, 3]
    assert told["phase"] == "auction"


@pytest.mark.rule("PT-16")
def test_stones_of_several_piles_on_a_tile_are_counted_together() -> None:
    state = do_all(
        open_chest(2), (0, "drop 1 @40,120"), (0, "drop 1 @80,180"), (1, "drop 1 @60,150")
    )
    assert ended(state)["won"] == [["p1"], []]


@pytest.mark.rule("PT-17", "PT-18")
def test_what_nobody_won_stays_for_the_auction() -> None:
    told = ended(do_all(open_chest(2), (0, "drop 1 p1")))
    assert told["chest"] == [None if tile == "p1" else tile for tile in CHEST]
    assert told["phase"] == "auction"


@pytest.mark.rule("PT-16")
def test_the_stones_come_back_after_the_plunder() -> None:
    told = ended(do_all(open_chest(2), (0, "drop 3 p1"), (0, "drop 1 @1,1")))
    assert (told["piles"], told["fallen"], told["opened"], told["ran_out"]) == (
        [],
        [],
        False,
        False,
    )

"""PT-18 to PT-23: fists, choices and what goes overboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from quarterdeck.contract import NATURE, SEALED, SEAT
from quarterdeck.games.piratoons.state import State

from .helpers import do_all, legal, node, position, refusal, seen_by, state_of, to_act

LEFT = [None, "gun-a1", None, None, "sail-1", None, "p1", None, None]


def auction(
    players: int = 4, chest: Sequence[str | None] = LEFT, coins: int = 10, **given: Any
) -> State:
    """An auction of three tiles; everybody has as many doubloons."""
    won = [["deck-a1", "port-a1", "quart-a1", "sail-2", "p5", "p11"]] + [[]] * (players - 1)
    given = {"won": won, "doubloons": [coins] * players} | given
    return state_of(players, phase="auction", chest=list(chest), **given)


def bid(state: State, *bids: int) -> State:
    return do_all(state, *((seat, f"bid {amount}") for seat, amount in enumerate(bids)))


@pytest.mark.rule("PT-18")
def test_what_floats_is_on_offer_too() -> None:
    state = auction(2, round=2, floating=["deck-b1"])
    state = bid(state, 2, 1)
    assert {"take gun-a1", "take sail-1", "take p1", "take deck-b1"} <= set(legal(state, 0))
    state = do_all(state, (0, "take deck-b1"))
    assert "deck-b1" in position(state)["won"][0]
    assert "deck-b1" not in position(state)["floating"]
    assert refusal(state, 1, "take deck-b1") == "PT-18"
    assert refusal(state, 1, "take p9") == "PT-18"


@pytest.mark.rule("PT-18")
def test_without_tiles_there_is_no_auction() -> None:
    chest = ["deck-a1", "gun-a1", "port-a1", "quart-a1", "sail-1", "sail-2", "p1", "p5", "p11"]
    state = state_of(3, phase="plunder", chest=chest, opened=True)
    drops = [(seat, f"drop 1 {tile}") for seat, tile in zip([0, 1, 2] * 3, chest, strict=True)]
    state = do_all(state, *drops, (NATURE, "sand"), (0, "stop"))
    assert position(state)["phase"] == "refit"
    assert refusal(state, 0, "bid 0") == "PT-18"


@pytest.mark.rule("PT-19")
def test_bids_are_sealed_and_as_high_as_ones_purse() -> None:
    state = auction(3, coins=4)
    assert (node(state), to_act(state)) == (SEALED, [0, 1, 2])
    assert legal(state, 1) == [*(f"bid {n}" for n in range(5)), "show"]
    assert refusal(state, 1, "bid 5") == "PT-19"
    state = do_all(state, (1, "bid 4"))
    assert refusal(state, 1, "bid 3") == "PT-19"
    assert to_act(state) == [0, 2]
    assert seen_by(state, 0)["bids"] == [None, "?", None]
    assert seen_by(state, 1)["bids"] == [None, 4, None]


@pytest.mark.rule("PT-19")
def test_zero_wins_nothing() -> None:
    state = bid(auction(3), 0, 2, 0)
    assert to_act(state) == [1]
    state = do_all(state, (1, "take p1"))
    assert position(state)["phase"] == "refit"
    state = bid(auction(2), 0, 0)
    assert position(state)["phase"] == "refit"
    assert position(state)["doubloons"] == [10, 10]


@pytest.mark.rule("PT-20")
def test_equal_bids_cancel_each_other_out_and_cost_nothing() -> None:
    state = bid(auction(4), 5, 3, 5, 0)
    assert to_act(state) == [1]
    state = do_all(state, (1, "take gun-a1"))
    told = position(state)
    assert told["phase"] == "refit"
    assert told["doubloons"] == [10, 7, 10, 10]
    assert told["bids"] == [5, None, 5, 0]  # they lie open until the next chest


@pytest.mark.rule("PT-21")
def test_in_falling_order_each_takes_one_and_pays_his_bid() -> None:
    state = bid(auction(4), 2, 7, 1, 4)
    for seat, tile, coins in ((1, "sail-1", 3), (3, "p1", 6), (0, "gun-a1", 8)):
        assert (node(state), to_act(state)) == (SEAT, [seat])
        assert refusal(state, (seat + 1) % 4, f"take {tile}") == "PT-21"
        state = do_all(state, (seat, f"take {tile}"))
        assert position(state)["doubloons"][seat] == coins
        assert tile in position(state)["won"][seat]
    assert position(state)["bank"] == 2 + 7 + 4


@pytest.mark.rule("PT-21")
def test_one_must_take_while_any_is_left() -> None:
    state = bid(
        auction(
            2,
            chest=[None] * 6 + ["p1", None, None],
            won=[["deck-a1", "port-a1", "quart-a1", "sail-2", "gun-a1"], ["sail-1", "p5", "p11"]],
        ),
        1,
        3,
    )
    assert legal(state, 1) == ["take p1", "show"]
    state = do_all(state, (1, "take p1"))
    assert position(state)["won"][1] == ["p1", "p5", "p11", "sail-1"]


@pytest.mark.rule("PT-22")
def test_when_no_tile_is_left_the_others_keep_their_doubloons() -> None:
    state = auction(
        4,
        chest=[None, "gun-a1", *[None] * 7],
        won=[["deck-a1", "port-a1", "quart-a1", "sail-2"], ["sail-1", "p1", "p5", "p11"], [], []],
    )
    state = do_all(bid(state, 1, 2, 3, 4), (3, "take gun-a1"))
    told = position(state)
    assert told["phase"] == "refit"
    assert told["doubloons"] == [10, 10, 10, 6]


@pytest.mark.rule("PT-23")
def test_what_is_left_sinks_or_floats() -> None:
    state = do_all(bid(auction(2), 0, 1), (1, "take gun-a1"))
    told = position(state)
    assert told["chest"] == [None] * 9
    assert told["sunk"] == ["p1"]
    assert told["floating"] == ["sail-1"]


@pytest.mark.rule("PT-23")
def test_what_sank_is_lost_and_what_floats_comes_back() -> None:
    state = state_of(
        2,
        round=2,
        phase="auction",
        floating=["sail-1"],
        sunk=["p1"],
        chest=LEFT[:4] + [None] * 5,
        won=[["deck-a1"], []],
    )
    state = bid(state, 1, 0)
    assert "take sail-1" in legal(state, 0)
    assert "take p1" not in legal(state, 0)


def test_a_choice_is_not_made_outside_of_it() -> None:
    assert refusal(auction(), 0, "take p1") == "PT-21"
    assert refusal(state_of(2), 0, "bid 1") == "PT-18"

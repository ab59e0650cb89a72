"""Turns: announcing, taking, and what nature may say of a loading. Then falling and catching."""

from __future__ import annotations

from typing import Any

import pytest

from quarterdeck.contract import CHANCE, LIVE, NATURE
from quarterdeck.games.riff_raff.state import State

from .helpers import (
    BENCH,
    GAME,
    SHAPES,
    do,
    do_all,
    legal,
    node,
    outcome,
    position,
    refusal,
    sampled,
    state_of,
    turn,
)

FULL = {"7": ["crate", "crate"], "5": ["rat", "plank"], "2": ["boat"]}


def loading(*played: int, piece: str = "barrel", **given: Any) -> State:
    """The captain, seat 0, has taken a piece in a turn with one piece."""
    state = turn(*played, aboard=FULL, **given)
    if position(state)["phase"] == "announce":
        state = do(state, 0, "announce 1")
    return do(state, 0, f"take {piece}")


@pytest.mark.rule("RR-8", "RR-C1")
def test_a_piece_of_ones_own_goes_into_the_area_of_the_card() -> None:
    state = turn(3, 1)
    assert legal(state, 0) == [f"take {shape}" for shape in SHAPES]
    assert refusal(state, 1, "take rat") == "RR-8"
    state = do(state, 0, "take rat")
    assert position(state)["hand"] == "rat"
    assert position(state)["supply"][0].count("rat") == 1
    for area in range(1, 11):
        expected = None if area == 3 else "RR-8"
        assert refusal(state, NATURE, f"settle rat={area}") == expected
    assert refusal(state, 0, "take boat") == "RR-8"
    after = do(state, NATURE, "settle rat=3")
    assert position(after)["aboard"]["3"] == ["rat"]
    assert position(after)["active"] == 1


@pytest.mark.rule("RR-8")
def test_one_cannot_take_what_one_has_not() -> None:
    state = turn(3, 1, supply=[["rat"], ["boat", "rat"]])
    assert legal(state, 0) == ["take rat"]
    assert refusal(state, 0, "take boat") == "RR-8"


@pytest.mark.rule("RR-9", "RR-R7")
@pytest.mark.parametrize("area", range(1, 11))
@pytest.mark.parametrize("is_laden", [False, True])
@pytest.mark.parametrize("pieces", [["rat"], ["rat", "boat"]])
def test_one_or_two_is_asked_on_laden_yards_with_two_pieces(
    area: int, is_laden: bool, pieces: list[str]
) -> None:
    aboard = {str(area): ["crate"]} if is_laden else {"1": [], "10": []}
    low = 1 if area > 1 else 2
    played = (area, low) if area > low else (low, area)
    seat = played.index(area)
    supply = [pieces, pieces]
    state = turn(*played, captain=0 if played[0] > played[1] else 1, aboard=aboard, supply=supply)
    if position(state)["active"] != seat:
        return
    if area >= 5 and is_laden and len(pieces) == 2:
        assert legal(state, seat) == ["announce 1", "announce 2"]
        assert refusal(state, seat, "take rat") == "RR-9"
        assert refusal(state, seat, "announce 3") == "RR-9"
        for number in (1, 2):
            after = do(state, seat, f"announce {number}")
            assert position(after)["announced"] == number
            assert refusal(after, seat, f"announce {3 - number}") == "RR-9"
    else:
        assert legal(state, seat)[0].startswith("take")
        refused = refusal(state, seat, "announce 2")
        assert refused == ("RR-R7" if len(pieces) < 2 else "RR-9")


@pytest.mark.rule("RR-9")
def test_two_pieces_go_one_after_the_other() -> None:
    state = do_all(turn(7, 3, aboard=FULL), (0, "announce 2"), (0, "take rat"))
    assert node(state) == LIVE
    state = do(state, NATURE, "settle rat=7")
    told = position(state)
    assert (told["active"], told["phase"], told["loaded"]) == (0, "take", 1)
    state = do_all(state, (0, "take boat"), (NATURE, "settle boat=7"))
    assert position(state)["active"] == 1
    assert position(state)["aboard"]["7"] == ["boat", "crate", "crate", "rat"]


@pytest.mark.rule("RR-9")
def test_one_announced_is_one() -> None:
    state = loading(7, 3)
    assert position(do(state, NATURE, "settle barrel=7"))["active"] == 1


@pytest.mark.rule("RR-10", "RR-14", "RR-R4")
@pytest.mark.parametrize(
    "ends",
    [
        "settle rat=7 fell plank@5",
        "settle rat=7 caught plank@5",
        "settle rat=fell",
        "settle rat=back fell plank@5",
        "settle rat=astray",
    ],
)
def test_after_a_fall_the_second_piece_is_not_loaded(ends: str) -> None:
    state = do_all(turn(7, 3, aboard=FULL), (0, "announce 2"), (0, "take rat"))
    after = do(state, NATURE, ends)
    assert position(after)["active"] == 1
    assert position(after)["announced"] is None


@pytest.mark.rule("RR-14")
def test_cargo_that_only_shifts_does_not_end_the_turn() -> None:
    state = do_all(turn(7, 3, aboard=FULL), (0, "announce 2"), (0, "take rat"))
    after = do(state, NATURE, "settle rat=7 moved crate@7=3,plank@5=6")
    assert position(after)["phase"] == "take"
    assert position(after)["aboard"]["7"] == ["crate", "rat"]
    assert position(after)["aboard"]["3"] == ["crate"]
    assert position(after)["aboard"]["6"] == ["plank"]


@pytest.mark.rule("RR-14")
def test_what_is_caught_leaves_the_game() -> None:
    state = loading(7, 3)
    before = position(state)
    after = position(do(state, NATURE, "settle barrel=7 caught crate@7,rat@5"))
    assert after["supply"] == before["supply"]
    assert after["aboard"]["7"] == ["barrel", "crate"]
    assert after["aboard"]["5"] == ["plank"]
    assert refusal(state, NATURE, "settle barrel=7 caught barrel") == "RR-14"


@pytest.mark.rule("RR-15")
@pytest.mark.parametrize("more", ["", " fell rat@5"])
def test_catching_only_the_piece_just_placed_does_not_save_it(more: str) -> None:
    state = loading(7, 3)
    after = position(do(state, NATURE, f"settle barrel=fell{more} caught barrel"))
    assert after["supply"][0].count("barrel") == 2
    assert after["supply"][0].count("rat") == (2 if more else 1)


@pytest.mark.rule("RR-16")
def test_what_falls_uncaught_is_the_active_players() -> None:
    state = loading(7, 3)
    after = position(do(state, NATURE, "settle barrel=fell fell crate@7,crate@7,rat@5"))
    assert after["supply"][0].count("crate") == 4 - position(state)["supply"][1].count("crate")
    assert after["supply"][0].count("barrel") == 2
    assert after["supply"][1] == position(state)["supply"][1]
    assert after["aboard"]["7"] == []


@pytest.mark.rule("RR-R2")
def test_an_astray_piece_goes_back_and_pushed_cargo_stays() -> None:
    state = loading(7, 3)
    after = position(do(state, NATURE, "settle barrel=astray moved crate@7=8"))
    assert after["supply"][0].count("barrel") == 2
    assert after["aboard"]["8"] == ["crate"]
    assert after["active"] == 1


@pytest.mark.rule("RR-R3")
def test_together_with_others_the_piece_leaves_the_game_too() -> None:
    state = loading(7, 3)
    after = position(do(state, NATURE, "settle barrel=fell fell rat@5 caught barrel,crate@7"))
    assert after["supply"][0].count("barrel") == 1
    assert after["supply"][0].count("rat") == 2
    assert after["aboard"]["7"] == ["crate"]


@pytest.mark.rule("RR-R6")
def test_a_piece_still_in_the_hand_goes_back_when_other_cargo_falls() -> None:
    state = loading(7, 3)
    assert refusal(state, NATURE, "settle barrel=back") == "RR-R6"
    assert refusal(state, NATURE, "settle barrel=back moved crate@7=5") == "RR-R6"
    after = position(do(state, NATURE, "settle barrel=back fell plank@5"))
    assert after["supply"][0].count("barrel") == 2
    planks = position(state)["supply"][0].count("plank")
    assert after["supply"][0].count("plank") == planks + 1


@pytest.mark.rule("RR-R7")
def test_the_piece_may_have_been_exchanged() -> None:
    state = loading(7, 3, supply=[["barrel", "rat", "rat"], ["boat"]])
    after = position(do(state, NATURE, "settle rat=7"))
    assert after["supply"][0] == ["barrel", "rat"]
    assert refusal(state, NATURE, "settle chest=7") == "RR-R7"


@pytest.mark.rule("RR-R8")
def test_cargo_is_named_by_where_it_lies() -> None:
    state = loading(7, 3)
    for text in (
        "settle barrel=7 fell crate@6",
        "settle barrel=7 fell crate@7,crate@7,crate@7",
        "settle barrel=7 fell crate@7,crate@7 caught crate@7",
        "settle barrel=7 moved crate@7=7",
        "settle barrel=7 moved rat@5=1,rat@5=2",
        "settle barrel=7 moved rat@5=1 caught rat@5",
    ):
        assert refusal(state, NATURE, text) == "RR-R8"


@pytest.mark.rule("RR-R1")
def test_only_nature_says_what_becomes_of_a_loading() -> None:
    state = loading(7, 3)
    assert refusal(state, 0, "settle barrel=7") == "RR-R1"
    before = turn(7, 3)
    assert refusal(before, NATURE, "settle barrel=7") == "RR-R1"
    assert refusal(state, NATURE, "card 3") == "RR-R1"


@pytest.mark.rule("RR-17")
def test_without_a_piece_at_the_end_of_ones_turn_one_wins_at_once() -> None:
    state = turn(7, 3, supply=[["rat"], ["boat", "rat"]], round=4, cards=[[1, 2, 4, 5, 6, 8]] * 2)
    state = do(state, 0, "take rat")
    assert outcome(state) == ([-1, -2], [])
    state = do(state, NATURE, "settle rat=7")
    assert position(state)["phase"] == "over"
    assert outcome(state) == ([0, -2], [0])
    assert refusal(state, 1, "take boat") == "RR-18"


@pytest.mark.rule("RR-17", "RR-R3")
def test_catching_the_last_piece_with_another_wins_too() -> None:
    state = turn(7, 3, supply=[["rat"], ["boat"]], aboard=FULL)
    state = do(state, 0, "take rat")
    state = do(state, NATURE, "settle rat=fell caught rat,crate@7")
    assert outcome(state) == ([0, -1], [0])


@pytest.mark.rule("RR-18")
@pytest.mark.parametrize(("players", "last"), [(2, 20), (3, 10), (4, 10)])
def test_after_the_last_round_the_fewest_pieces_win(players: int, last: int) -> None:
    supply = [["rat", "boat"], ["boat"], ["crate"], ["chest", "rat"]][:players]
    played = [10, 9, 8, 7][:players]
    state = turn(*played, round=last, cards=[[]] * players, supply=supply)
    for seat in range(players):
        piece = supply[seat][0]
        state = do_all(state, (seat, f"take {piece}"), (NATURE, f"settle {piece}=fell"))
    assert position(state)["phase"] == "over"
    winners = [1] if players == 2 else [1, 2]
    assert outcome(state)[1] == winners


@pytest.mark.rule("RR-19")
def test_two_players_take_their_cards_up_again_after_ten_rounds() -> None:
    state = turn(10, 9, round=10, cards=[[], []])
    for seat in (0, 1):
        state = do_all(state, (seat, "take rat"), (NATURE, "settle rat=fell"))
    told = position(state)
    assert (told["phase"], told["round"]) == ("card", 11)
    assert told["cards"] == [list(range(1, 11))] * 2
    assert told["last"] == [None, None]


@pytest.mark.rule("RR-2", "RR-C1")
def test_what_no_text_can_say_is_refused_too() -> None:
    start = BENCH.parse("start 0")
    start.args[0] = -1
    assert BENCH.refuse(BENCH.new_game(players=3), NATURE, start) == "RR-2"
    state = state_of(2, captain=0, played=[7, 3], hand="rat")
    for place, value in ((0, -1), (0, 8), (1, 0), (1, 14)):
        settled = BENCH.parse("settle rat=7")
        settled.args[place] = value
        assert BENCH.refuse(state, NATURE, settled) == "RR-C1"


@pytest.mark.rule("RR-R8")
def test_several_pieces_move_each_from_where_it_lies() -> None:
    aboard = {"5": ["boat"], "8": ["crate", "rat"]}
    state = state_of(2, captain=0, played=[7, 3], aboard=aboard, hand="rat")
    after = do(state, NATURE, "settle rat=7 moved boat@5=6,crate@8=2,rat@8=1")
    told = {area: pieces for area, pieces in position(after)["aboard"].items() if pieces}
    assert told == {"1": ["rat"], "2": ["crate"], "6": ["boat"], "7": ["rat"]}
    for moved in ("boat@5=6,crate@9=2", "boat@5=6,crate@8=8", "boat@5=6,boat@5=7"):
        assert refusal(state, NATURE, f"settle rat=7 moved {moved}") == "RR-R8"


def test_the_fitted_world_draws_what_comes_of_a_loading() -> None:
    state = state_of(2, world="fitted", captain=0, played=[7, 3], aboard=FULL, hand="rat")
    assert node(state) == CHANCE
    drawn = {sampled(state, 3, draw) for draw in range(300)}
    assert "settle rat=7" in drawn
    assert len(drawn) > 10
    assert all(refusal(state, NATURE, text) is None for text in drawn)


def test_the_fitted_world_is_not_for_tables() -> None:
    (option,) = [option for option in GAME.options if option.key == "world"]
    assert not option.at_tables
    assert option.default == "real"
    assert GAME.worldless == {"world": "fitted"}

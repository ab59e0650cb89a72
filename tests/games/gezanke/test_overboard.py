"""Overboard: what topples, what is collected, who comes back, and how the game ends."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from quarterdeck.contract import OVER, SEAT, copy_record
from quarterdeck.games.gezanke import balance
from quarterdeck.games.gezanke.state import Kit, State

from . import reference
from .helpers import (
    KIT,
    PLANKS,
    Crews,
    do,
    do_all,
    keys,
    legal,
    node,
    offset,
    outcome,
    outlook,
    pirates,
    position,
    random_game,
    refusal,
    state_of,
    to_act,
    to_lift,
    to_slide,
    told,
)

CREWS: Crews = {
    "grey": ["blue:-4", "green:4", "yellow:0"],
    "white": ["red:4", "purple:4", "purple:-4"],
    "black": ["yellow:4", "yellow:-4", "orange:0"],
    "brown": ["orange:3", "orange:-3", "green:-4"],
}
"""Red is slid two spaces to starboard, and white stands on its end: one more, and he falls."""

AT_SEA = {"red": 2}


def ready(
    dice: str = "red green",
    players: int = 4,
    crews: Crews = CREWS,
    offsets: dict[str, int] = AT_SEA,
    **keys: Any,
) -> State:
    return to_slide(dice, players, pirates=crews, offsets=offsets, **keys)


def splashed(players: int = 4, crews: Crews = CREWS, **keys: Any) -> State:
    """Grey (seat 0) has made white fall, moved a pirate onto green, and all choose."""
    state = ready(players=players, crews=crews, **keys)
    return do_all(state, (0, "slide red starboard"), (0, "lift yellow:0"), (0, "set green:0"))


def choices(state: State) -> Any:
    return position(state)["choices"]


# What topples --------------------------------------------------------------------------------


@pytest.mark.rule("GP-11", "GP-12")
def test_a_plank_topples_while_sliding_with_everybody_on_it() -> None:
    state = ready()
    after = do(state, 0, "slide red starboard")
    assert pirates(after, "white") == ["purple:-4", "purple:4", None]
    assert position(after)["lost"] == {"grey": 0, "white": 1, "black": 0, "brown": 0}
    assert offset(after, "red") == 0
    assert offset(do(state, 0, "slide red port"), "red") == 1
    assert keys(state, 0, "slide red port") == ["slid"]


@pytest.mark.rule("GP-11")
def test_a_plank_topples_when_a_pirate_is_lifted() -> None:
    crews: Crews = {"white": ["red:4"], "grey": ["red:-4", "blue:0"]}
    state = to_lift("yellow", "green", pirates=crews, offsets={"red": 3})
    assert keys(state, 0, "lift blue:0") == ["lifted"]
    assert keys(state, 0, "lift red:-4") == ["lifted", "toppled"]
    after = do(state, 0, "lift red:-4")
    assert pirates(after, "white") == [None, None, None]
    assert pirates(after, "grey") == ["blue:0", "hand", None]


@pytest.mark.rule("GP-11", "GP-R4")
def test_a_plank_topples_when_a_pirate_is_set_down_and_he_goes_with_it() -> None:
    crews: Crews = {"grey": ["blue:0"], "white": ["red:-1", "blue:1"]}
    state = to_lift("yellow", "red", pirates=crews, offsets={"red": 3})
    state = do(state, 0, "lift blue:0")
    assert keys(state, 0, "set red:2") == ["set"]
    assert keys(state, 0, "set red:4") == ["set", "toppled"]
    after = do(state, 0, "set red:4")
    assert position(after)["lost"] == {"grey": 1, "white": 1, "black": 0, "brown": 0}
    assert pirates(after, "grey") == [None, None, None]
    assert pirates(after, "white") == ["blue:1", None, None]


@pytest.mark.rule("GP-R4")
def test_a_pirate_in_the_hand_is_safe() -> None:
    """He counterweighs red alone; lifting him topples it, and he is placed on it afterwards."""
    crews: Crews = {"white": ["red:4"], "grey": ["red:-4"]}
    state = to_lift("yellow", "red", pirates=crews, offsets={"red": 3})
    state = do(state, 0, "lift red:-4")
    assert (offset(state, "red"), pirates(state, "grey")) == (0, ["hand", None, None])
    assert "set red:4" in legal(state, 0)
    assert "set red:-4" not in legal(state, 0)  # still a different space
    after = do(state, 0, "set red:4")
    assert pirates(after, "grey") == ["red:4", None, None]
    assert position(after)["lost"]["grey"] == 0


@pytest.mark.rule("GP-11", "GP-R5")
def test_it_is_told_how_far_a_plank_is_over_the_edge() -> None:
    # red: 12.1 g at 60 mm and 6 g at 140 mm: 86.5 mm out; the ship rolls by tan 0.140, and 7.96 mm
    # above the deck that is 1.1 mm more
    state = ready(crews={"white": ["red:4"], "grey": ["blue:0"]})
    key, values = told(state, 0, "slide red starboard")[1]
    roll = Fraction(*values.pop("roll"))
    assert (key, values) == (
        "toppled",
        {"plank": "red", "whole": 15, "tenth": 7, "count": 1, "pirates": ["white"]},
    )
    assert 0.139 < roll < 0.141


@pytest.mark.rule("GP-11")
def test_it_is_told_how_the_ship_lies_as_the_first_plank_leaves() -> None:
    """In random games: as the preview of the action had it, before anything fell."""
    seen = 0
    for state, actor, text in random_game(4, seed=3):
        if text not in (previews := outlook(state)["outlook"]) or "roll" not in previews[text]:
            continue
        for key, values in told(state, actor, text):
            if key.startswith("toppled"):
                assert values["roll"] == previews[text]["roll"]
                seen += 1
    assert seen > 5


@pytest.mark.rule("GP-R5")
def test_a_slide_is_judged_once_at_its_end() -> None:
    """Six pirates slide by six spaces; what is told is how far they are over the edge then."""
    crews: Crews = {"grey": ["red:4", "red:3", "red:2"], "white": ["red:1", "red:0", "red:-1"]}
    state = to_slide("red blue", pirates=crews, offsets={"red": -3})
    planks = [reference.Plank(name, "front") for name in PLANKS]
    planks[3].offset = 3
    planks[3].standing = dict.fromkeys(range(-1, 5), "grey")
    ((_, over),) = reference.toppled(planks)
    events = told(state, 0, "slide red starboard")
    assert [key for key, _ in events] == ["slid", "toppled", "move-lapses"]
    assert 10 * events[1][1]["whole"] + events[1][1]["tenth"] == over.__ceil__()
    after = do(state, 0, "slide red starboard")
    assert offset(after, "red") == 0
    assert pirates(after, "grey") == [None, None, None]


def topples(state: State, kit: Kit = KIT) -> list[str]:
    falls, overs = np.zeros(6, np.int64), np.zeros(6, np.int64)
    strain = np.array([-1, 0, 0, 0, 0])
    count = balance.topple(kit, state, strain, falls, overs)
    return [PLANKS[plank] for plank in falls[:count]]


@pytest.mark.rule("GP-R5")
def test_exactly_over_the_edge_a_plank_stays() -> None:
    """With planks of 12 g the centre of mass can lie exactly there: 60 mm + 3 · 20 mm · 6/30."""
    kit = copy_record(KIT)
    kit.plank_weight = 120
    state = state_of(pirates={"grey": ["red:0", "red:1"], "white": ["blue:0", "blue:-1"]})
    state.offsets[PLANKS.index("red")], state.offsets[PLANKS.index("blue")] = 3, -3
    for space in (2, 3):
        full = copy_record(state)
        full.board[PLANKS.index("red")][4 + space] = 2
        full.board[PLANKS.index("blue")][4 - space] = 3
        assert topples(full, kit) == ([] if space == 2 else ["red", "blue"])


@pytest.mark.rule("GP-R5")
@pytest.mark.parametrize("order", [PLANKS, PLANKS[::-1]])
def test_of_equally_far_planks_the_one_nearest_the_bow_leaves_first(order: tuple[str, ...]) -> None:
    state = state_of(order=order, pirates={"grey": ["yellow:0"]})
    state.offsets[PLANKS.index("red")], state.offsets[PLANKS.index("blue")] = 4, -4
    assert topples(state) == [plank for plank in order if plank in ("red", "blue")]
    state.offsets[PLANKS.index("blue")] = -5
    assert topples(state) == ["blue", "red"]


@pytest.mark.rule("GP-R5")
def test_a_plank_that_leaves_may_save_another() -> None:
    """Blue tips only because of the roll that red causes; red is further over and leaves."""
    crews: Crews = {"grey": ["blue:3", "red:4"], "white": ["red:3"]}
    state = state_of(pirates=crews)
    state.offsets[PLANKS.index("blue")] = 2
    assert topples(state) == []
    state.offsets[PLANKS.index("red")] = 5
    margins, roll = np.zeros(6, np.int64), np.zeros(2, np.int64)
    balance.margins_of(KIT, state, margins, roll)
    assert topples(state) == ["red"]
    assert margins[PLANKS.index("red")] < 0 <= margins[PLANKS.index("blue")] + 20


@pytest.mark.rule("GP-12")
def test_toppled_planks_go_back_empty_same_side_up_and_the_move_follows() -> None:
    state = ready(sides={"red": "back"})
    after = do(state, 0, "slide red starboard")
    red = next(plank for plank in position(after)["planks"] if plank["name"] == "red")
    assert (red["offset"], red["side"]) == (0, "back")
    assert position(after)["phase"] == "lift"
    assert refusal(after, 0, "lift blue:-4") is None
    # with the second colour more may topple
    crews: Crews = {"white": ["red:4", "purple:4"], "grey": ["purple:-4", "blue:0"]}
    state = ready(crews=crews, offsets={"red": 2, "purple": 3})
    after = do_all(state, (0, "slide red starboard"), (0, "lift purple:-4"))
    assert position(after)["lost"]["white"] == 2


# Doubloons or pirates ------------------------------------------------------------------------


@pytest.mark.rule("GP-13", "GP-R1")
def test_everyone_chooses_in_turn_from_the_active_player_on() -> None:
    crews: Crews = {
        **CREWS,
        "grey": ["red:3", "green:4", "yellow:0"],
        "black": ["red:2", "yellow:4"],
    }
    state = ready(crews=crews, active=2, offsets={"red": 0})
    state = do_all(state, (2, "slide red starboard"))
    assert position(state)["lost"] == {"grey": 1, "white": 1, "black": 1, "brown": 0}
    state = do_all(state, (2, "lift yellow:4"), (2, "set green:0"))
    assert position(state)["phase"] == "choose"
    for seat in (2, 0, 1):
        assert (node(state), to_act(state)) == (SEAT, [seat])
        assert legal(state, seat) == ["collect", "rescue"]
        for other in {0, 1, 2, 3} - {seat}:
            assert refusal(state, other, "collect") == "GP-13"
        state = do(state, seat, "rescue")
    assert position(state)["phase"] == "board"


@pytest.mark.rule("GP-R1")
def test_with_nobody_overboard_one_collects() -> None:
    state = splashed()
    assert choices(state) == {"grey": "collect", "white": None, "black": "collect",
                              "brown": "collect"}  # fmt: skip
    assert to_act(state) == [1]


@pytest.mark.rule("GP-13", "GP-14", "GP-18")
def test_those_who_collect_get_what_their_pirates_stand_on() -> None:
    state = splashed()
    after = do(state, 1, "collect")
    # grey: blue:-4 (2), green:4 (2), green:0; white: both ends of purple; black: both ends of
    # yellow, orange:0; brown: orange:3 and -3 (1 each), green:-4 (2)
    assert outcome(after)[0] == [4, 4, 4, 4]
    assert (position(after)["phase"], position(after)["fins"]) == ("roll", 6)
    assert position(after)["active"] == 1
    assert told(state, 1, "collect") == [
        ("chose-collect", {"seat": 1, "colour": "white"}),
        ("collected", {"seat": 0, "doubloons": 4}),
        ("collected", {"seat": 1, "doubloons": 4}),
        ("collected", {"seat": 2, "doubloons": 4}),
        ("collected", {"seat": 3, "doubloons": 4}),
        ("fin-leaves", {"fins": 6}),
    ]


@pytest.mark.rule("GP-13", "GP-15")
def test_who_brings_pirates_back_collects_nothing_and_comes_after_those_who_do() -> None:
    state = splashed()
    after = do(state, 1, "rescue")
    assert outcome(after)[0] == [4, 0, 4, 4]
    assert (position(after)["phase"], to_act(after)) == ("board", [1])
    assert position(after)["boarding"] == {"grey": 0, "white": 1, "black": 0, "brown": 0}
    assert position(after)["fins"] == 7  # the fin leaves when all is done
    end = do(after, 1, "board white red:0")
    assert pirates(end, "white") == ["red:0", "purple:-4", "purple:4"]
    assert (position(end)["fins"], position(end)["phase"]) == (6, "roll")


@pytest.mark.rule("GP-13", "GP-18")
def test_if_only_empty_planks_topple_nothing_follows() -> None:
    crews: Crews = {"grey": ["red:-4", "blue:0"], "white": ["green:0"]}
    state = to_lift("yellow", "green", pirates=crews, offsets={"red": 4})
    assert keys(state, 0, "lift red:-4") == ["lifted", "toppled-empty"]
    state = do_all(state, (0, "lift red:-4"), (0, "set green:1"))
    assert (position(state)["phase"], position(state)["fins"]) == ("roll", 7)
    assert outcome(state)[0] == [0, 0, 0, 0]


@pytest.mark.rule("GP-15", "GP-R2")
def test_pirates_come_back_one_at_a_time_in_turn_and_earlier_ones_too() -> None:
    crews: Crews = {
        "grey": ["red:3", "green:4", "yellow:0"],
        "white": ["red:4", None, None],
        "black": ["red:2", "yellow:4", None],
        "brown": [None, None, None],
    }
    state = ready(crews=crews, active=1, offsets={"red": 0})
    state = do(state, 1, "slide red starboard")  # white has nobody left to move
    assert (position(state)["phase"], to_act(state)) == ("choose", [1])
    state = do_all(state, (1, "rescue"), (2, "collect"), (3, "rescue"), (0, "rescue"))
    assert position(state)["boarding"] == {"grey": 1, "white": 3, "black": 0, "brown": 3}
    order = []
    for _ in range(7):
        (seat,) = to_act(state)
        order.append(seat)
        assert refusal(state, (seat + 1) % 4, f"board {'white'} red:0") == "GP-15"
        text = next(text for text in legal(state, seat) if "yellow" not in text)
        state = do(state, seat, text)
    assert order == [1, 3, 0, 1, 3, 1, 3]
    assert position(state)["phase"] == "roll"
    assert pirates(state, "black")[-2:] == [None, None]


@pytest.mark.rule("GP-15")
def test_coming_back_one_may_push_but_not_off_the_end() -> None:
    state = do(splashed(), 1, "rescue")
    assert refusal(state, 1, "board white purple:4") is None
    assert refusal(state, 1, "board white green:0") == "GP-9"
    assert refusal(state, 1, "board grey red:0") == "GP-15"
    after = do(state, 1, "board white purple:4")
    assert pirates(after, "white") == ["purple:-4", "purple:3", "purple:4"]
    assert told(state, 1, "board white purple:4")[0] == (
        "boarded-pushing",
        {"seat": 1, "colour": "white", "space": "purple:4", "pushed": 1},
    )


@pytest.mark.rule("GP-16")
def test_two_players_choose_for_each_colour() -> None:
    crews: Crews = {
        "grey": ["blue:-4", "green:4", None],
        "black": ["yellow:0", "yellow:-4", None],
        "white": ["red:4", "purple:4", None],
        "brown": ["orange:3", "orange:-3", "green:-4"],
    }
    state = splashed(players=2, crews=crews)
    assert choices(state) == {"grey": None, "white": None, "black": None, "brown": "collect"}
    assert legal(state, 0) == ["collect grey", "collect black", "rescue grey", "rescue black"]
    assert refusal(state, 0, "collect") == "GP-16"
    assert refusal(state, 0, "collect white") == "GP-16"
    state = do(state, 0, "rescue black")
    assert legal(state, 0) == ["collect grey", "rescue grey"]
    assert refusal(state, 0, "collect black") == "GP-R1"
    state = do_all(state, (0, "collect grey"), (1, "rescue white"))
    assert outcome(state)[0] == [4, 4]
    assert position(state)["boarding"] == {"grey": 0, "white": 2, "black": 1, "brown": 0}
    # two players: of either colour
    crews = {**crews, "brown": [None, "orange:-3", "green:-4"]}
    state = splashed(players=2, crews=crews)
    state = do_all(
        state, (0, "collect grey"), (0, "collect black"), (1, "rescue brown"), (1, "rescue white")
    )
    assert {text.split(" ")[1] for text in legal(state, 1)} == {"white", "brown"}
    state = do(state, 1, "board brown red:0")
    assert to_act(state) == [1]
    assert {text.split(" ")[1] for text in legal(state, 1)} == {"white"}


@pytest.mark.rule("GP-16")
def test_others_choose_once_without_a_colour() -> None:
    assert refusal(splashed(), 1, "collect white") == "GP-16"
    assert refusal(splashed(players=3), 1, "rescue white") == "GP-16"


NEUTRALS: Crews = {
    "grey": ["blue:-4", "green:4", "yellow:0"],
    "white": ["red:3", "purple:4", "purple:-4"],
    "black": ["yellow:4", "yellow:-4", "orange:0"],
    "brown": ["red:4", None, None],
}


@pytest.mark.rule("GP-17")
def test_three_neutral_pirates_overboard_come_back_first() -> None:
    state = splashed(players=3, crews=NEUTRALS, offsets={"red": 1})
    assert choices(state)["brown"] is None
    state = do(state, 1, "rescue")
    assert (position(state)["phase"], to_act(state)) == ("neutral", [0])
    assert outcome(state)[0] == [4, 0, 4]  # after the collecting
    for seat in (0, 1, 2):
        assert to_act(state) == [seat]
        assert {text.split(" ")[1] for text in legal(state, seat)} == {"brown"}
        assert refusal(state, seat, "board white red:0") == "GP-17"
        assert refusal(state, (seat + 1) % 3, "board brown red:0") == "GP-17"
        state = do(state, seat, f"board brown red:{seat}")
    assert (position(state)["phase"], to_act(state)) == ("board", [1])
    state = do(state, 1, "board white red:1")  # pushing is allowed
    assert pirates(state, "brown") == ["red:-1", "red:0", "red:2"]
    assert (position(state)["phase"], position(state)["fins"]) == ("roll", 6)


@pytest.mark.rule("GP-17")
def test_neutral_pirates_come_back_even_if_nobody_else_does() -> None:
    crews: Crews = {**NEUTRALS, "white": ["blue:3", "purple:4", "purple:-4"]}
    state = splashed(players=3, crews=crews, offsets={"red": 2})
    # nobody has anybody overboard: all collect at once, and the neutral ones come back
    assert (position(state)["phase"], to_act(state)) == ("neutral", [0])
    assert "neutrals-return" in keys(
        do_all(ready(players=3, crews=crews), (0, "slide red starboard"), (0, "lift yellow:0")),
        0,
        "set green:0",
    )


@pytest.mark.rule("GP-17")
def test_one_or_two_neutral_pirates_stay_in_the_water() -> None:
    crews: Crews = {**NEUTRALS, "brown": ["red:4", "orange:3", None]}
    state = do(splashed(players=3, crews=crews, offsets={"red": 1}), 1, "rescue")
    assert position(state)["phase"] == "board"
    state = do(state, 1, "board white red:0")
    assert pirates(state, "brown") == ["orange:3", None, None]


@pytest.mark.rule("GP-18")
def test_one_fin_leaves_for_a_turn_with_a_splash_however_many_fell() -> None:
    crews: Crews = {"white": ["red:4", "purple:4"], "grey": ["purple:-4", "blue:0"]}
    state = ready(crews=crews, offsets={"red": 2, "purple": 3})
    state = do_all(
        state, (0, "slide red starboard"), (0, "lift purple:-4"), (0, "set green:0"),
        (0, "collect"), (1, "collect"), (2, "collect"), (3, "collect"),
    )  # fmt: skip
    assert position(state)["fins"] == 6
    assert position(state)["active"] == 1
    assert position(state)["lost"] == dict.fromkeys(("grey", "white", "black", "brown"), 0)


@pytest.mark.rule("GP-18")
def test_two_fins_left_are_announced() -> None:
    assert keys(splashed(fins=3), 1, "collect")[-2:] == ["fin-leaves", "two-fins"]
    assert "two-fins" not in keys(splashed(fins=4), 1, "collect")


@pytest.mark.rule("GP-18")
def test_a_turn_without_a_splash_costs_no_fin() -> None:
    state = ready()
    state = do_all(state, (0, "slide red port"), (0, "lift yellow:0"), (0, "set green:0"))
    assert (position(state)["fins"], position(state)["active"]) == (7, 1)


# Coming back topples -------------------------------------------------------------------------


@pytest.mark.rule("GP-19", "GP-20", "GP-R6")
def test_a_plank_that_tips_while_pirates_come_back_breaks_the_fourth_oath() -> None:
    crews: Crews = {
        **CREWS, "grey": ["blue:-4", "green:4", "yellow:0"], "black": ["orange:3", "yellow:4"],
        "brown": ["orange:0", "orange:-3", "green:-4"],
    }  # fmt: skip
    state = splashed(crews=crews, offsets={"red": 2, "orange": 3})
    state = do_all(state, (1, "rescue"), (2, "collect"))
    purses = outcome(state)[0]
    assert to_act(state) == [1]
    assert keys(state, 1, "board white orange:4") == [
        "boarded", "toppled", "oath-broken", "oath-paid", "oath-paid", "fin-leaves",
    ]  # fmt: skip
    after = do(state, 1, "board white orange:4")
    # black lost one and brown two: two doubloons each; white's own brings him nothing
    assert [b - a for a, b in zip(purses, outcome(after)[0], strict=True)] == [0, 0, 2, 4]
    # no second fin, no second choice; those lost wait for the next time
    assert (position(after)["phase"], position(after)["fins"]) == ("roll", 6)
    assert pirates(after, "brown") == ["green:-4", None, None]
    assert pirates(after, "white") == ["purple:-4", "purple:4", None]


@pytest.mark.rule("GP-R6")
def test_so_it_is_with_a_neutral_pirate() -> None:
    crews: Crews = {**NEUTRALS, "black": ["orange:0", "yellow:4", "yellow:-4"],
             "white": ["red:3", "purple:4", "orange:1"]}  # fmt: skip
    state = splashed(players=3, crews=crews, offsets={"red": 1, "orange": 3})
    state = do(state, 1, "collect")
    purses = outcome(state)[0]
    after = do(state, 0, "board brown orange:4")
    assert [b - a for a, b in zip(purses, outcome(after)[0], strict=True)] == [0, 2, 2]
    assert pirates(after, "brown") == [None, None, None]
    assert (position(after)["phase"], to_act(after)) == ("neutral", [1])
    assert position(after)["boarding"]["brown"] == 2


# The end -------------------------------------------------------------------------------------


@pytest.mark.rule("GP-21", "GP-R8")
def test_at_the_last_fin_everybody_collects_and_nobody_comes_back() -> None:
    state = ready(fins=1, purses=[1, 5, 0, 0])
    state = do_all(state, (0, "slide red starboard"), (0, "lift yellow:0"))
    assert keys(state, 0, "set green:0") == [
        "set", "collected", "collected", "collected", "collected", "fin-leaves", "fins-gone",
        "game-won",
    ]  # fmt: skip
    after = do(state, 0, "set green:0")
    assert (node(after), position(after)["phase"], position(after)["fins"]) == (OVER, "over", 0)
    assert outcome(after) == ([5, 9, 4, 4], [1])
    assert refusal(after, 0, "slide red port") == "GP-21"
    assert refusal(after, -1, "roll red blue") == "GP-21"


@pytest.mark.rule("GP-21", "GP-R8")
def test_when_the_piles_run_out_the_collecting_is_finished_and_the_game_ends() -> None:
    state = splashed(purses=[20, 30, 20, 20])
    after = do(state, 1, "rescue")  # 102 of 103: all goes on
    assert position(after)["phase"] == "board"
    state = splashed(purses=[20, 31, 20, 20])
    after = do(state, 1, "rescue")
    assert (position(after)["phase"], outcome(after)) == ("over", ([24, 31, 24, 24], [1]))
    assert outlook(after)["pile"] == 0
    # what is due beyond the piles is credited all the same
    state = splashed(purses=[30, 30, 20, 20])
    assert outcome(do(state, 1, "collect")) == ([34, 34, 24, 24], [0, 1])
    assert keys(state, 1, "collect")[-2:] == ["piles-gone", "game-shared"]


@pytest.mark.rule("GP-21")
def test_doubloons_paid_for_an_oath_may_end_the_game() -> None:
    crews: Crews = {**CREWS, "white": ["red:4", None, "purple:-4"]}
    state = splashed(crews=crews, offsets={"red": 2, "orange": 3}, purses=[30, 30, 30, 0])
    state = do(state, 1, "rescue")
    assert (to_act(state), outcome(state)[0]) == ([1], [34, 30, 34, 4])  # one doubloon is left
    after = do(state, 1, "board white orange:4")
    assert (position(after)["phase"], outcome(after)) == ("over", ([34, 30, 36, 8], [2]))


@pytest.mark.rule("GP-R11")
def test_an_empty_ship_ends_the_game() -> None:
    """With nobody aboard nothing could ever fall, and no fin would leave."""
    crews: Crews = {"white": ["red:4"]}
    state = ready(crews=crews, offsets={"red": 2}, purses=[1, 5, 0, 0])
    state = do(state, 0, "slide red starboard")
    assert (pirates(state, "white"), position(state)["phase"]) == ([None, None, None], "choose")
    for seat in (0, 1, 2):
        state = do(state, seat, "collect")
    aboard = do(state, 3, "rescue")
    assert position(aboard)["phase"] == "board"
    assert keys(state, 3, "collect")[-2:] == ["ship-empty", "game-won"]
    after = do(state, 3, "collect")
    assert (node(after), position(after)["fins"], outcome(after)) == (OVER, 6, ([1, 5, 0, 0], [1]))


@pytest.mark.rule("GP-22")
def test_most_doubloons_win_and_several_may() -> None:
    for purses, winners in (
        ([3, 9, 9, 1], [1, 2]),
        ([0, 0, 0, 0], [0, 1, 2, 3]),
        ([1, 0, 0, 0], [0]),
    ):
        state = state_of(phase="over", fins=0, purses=purses, pirates=CREWS)
        assert outcome(state) == (purses, winners)
    assert outcome(state_of(purses=[5, 1, 1, 1], pirates=CREWS))[1] == []

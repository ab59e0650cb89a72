"""A turn: rolling, sliding, moving a pirate, pushing."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from quarterdeck.contract import CHANCE, NATURE, SEAT

from .helpers import (
    PLANKS,
    do,
    do_all,
    keys,
    legal,
    node,
    offset,
    outlook,
    pirates,
    position,
    refusal,
    sampled,
    state_of,
    to_act,
    to_lift,
    to_slide,
    told,
)

CREWS = {
    "grey": ["red:-1", "red:1", "blue:0"],
    "white": ["red:0", "green:2", "green:-2"],
    "black": ["yellow:1", "purple:0", "purple:1"],
    "brown": ["yellow:-1", "green:0", "purple:-1"],
}
"""Everybody near the middle: nothing topples. Nobody stands on orange."""


# Rolling -------------------------------------------------------------------------------------


@pytest.mark.rule("GP-5")
def test_the_dice_show_two_different_colours_each_pair_as_likely() -> None:
    state = state_of(pirates=CREWS)
    assert (node(state), to_act(state)) == (CHANCE, [])
    rolls = Counter(sampled(state, seed) for seed in range(1500))
    assert set(rolls) == {f"roll {a} {b}" for a, b in combinations(PLANKS, 2)}
    assert all(60 < count < 145 for count in rolls.values())  # each 100 on average


@pytest.mark.rule("GP-5")
def test_equal_colours_are_no_roll_and_the_order_does_not_matter() -> None:
    state = state_of(pirates=CREWS)
    assert refusal(state, NATURE, "roll red red") == "GP-5"
    one, other = do(state, NATURE, "roll red blue"), do(state, NATURE, "roll blue red")
    assert one.tobytes() == other.tobytes()
    assert position(one)["dice"] == ["red", "blue"]
    assert position(one)["phase"] == "slide"
    assert told(state, NATURE, "roll blue red") == [
        ("rolled", {"seat": 0, "planks": ["red", "blue"]})
    ]
    assert refusal(one, NATURE, "roll red blue") == "GP-6"
    assert refusal(state, 0, "slide red port") == "GP-5"


# Sliding -------------------------------------------------------------------------------------


@pytest.mark.rule("GP-6")
def test_a_plank_slides_by_as_many_spaces_as_pirates_stand_on_it() -> None:
    state = to_slide("red blue", pirates=CREWS)
    assert (node(state), to_act(state)) == (SEAT, [0])
    assert legal(state, 0) == [
        "slide red port", "slide red starboard", "slide blue port", "slide blue starboard",
    ]  # fmt: skip
    assert offset(do(state, 0, "slide red port"), "red") == -3
    assert offset(do(state, 0, "slide red starboard"), "red") == 3
    after = do(state, 0, "slide blue starboard")
    assert (offset(after, "blue"), offset(after, "red")) == (1, 0)
    assert position(after)["slid"] == "blue"
    assert told(state, 0, "slide red port") == [
        ("slid", {"seat": 0, "plank": "red", "direction": "port", "spaces": 3})
    ]


@pytest.mark.rule("GP-6")
def test_neutral_pirates_count() -> None:
    state = to_slide("yellow green", players=3, pirates=CREWS)
    assert offset(do(state, 0, "slide yellow port"), "yellow") == -2


@pytest.mark.rule("GP-6")
def test_only_the_active_player_slides_and_only_what_was_rolled() -> None:
    state = to_slide("red blue", active=2, pirates=CREWS)
    for seat in (0, 1, 3):
        assert refusal(state, seat, "slide red port") == "GP-6"
        assert legal(state, seat) == []
    assert refusal(state, 2, "slide green port") == "GP-6"
    assert refusal(state, 2, "slide red stay") == "GP-6"
    assert refusal(state, 2, "lift yellow:1") == "GP-6"


@pytest.mark.rule("GP-6", "GP-R3")
def test_an_empty_plank_may_be_chosen_and_is_not_slid() -> None:
    state = to_slide("red orange", pirates=CREWS)
    assert "slide orange stay" in legal(state, 0)
    assert refusal(state, 0, "slide orange port") == "GP-R3"
    after = do(state, 0, "slide orange stay")
    assert offset(after, "orange") == 0
    assert (position(after)["phase"], position(after)["slid"]) == ("lift", "orange")
    assert legal(after, 0) == ["lift blue:0"]  # with red a pirate is moved onto red
    assert keys(state, 0, "slide orange stay") == ["stayed"]


# Moving a pirate -----------------------------------------------------------------------------


@pytest.mark.rule("GP-7")
def test_a_pirate_of_ones_own_moves_from_another_plank() -> None:
    state = to_lift("red", "blue", active=1, pirates=CREWS)
    assert legal(state, 1) == ["lift green:-2", "lift green:2", "lift red:0"]
    assert refusal(state, 1, "lift blue:0") == "GP-7"  # not his
    assert refusal(state, 1, "lift blue:1") == "GP-7"  # nobody there
    assert refusal(state, 0, "lift red:1") == "GP-7"  # not his turn
    state = do(state, 1, "lift red:0")
    assert (position(state)["phase"], position(state)["lifted"]) == ("set", "red:0")
    assert pirates(state, "white") == ["green:-2", "green:2", "hand"]
    assert refusal(state, 1, "set red:0") == "GP-7"
    assert refusal(state, 1, "lift green:2") == "GP-7"
    spaces = [f"set blue:{space}" for space in range(-4, 5) if space != 0]
    assert legal(state, 1) == [*spaces, "set blue:0 port", "set blue:0 starboard"]
    state = do(state, 1, "set blue:-3")
    assert pirates(state, "white") == ["green:-2", "green:2", "blue:-3"]
    assert (position(state)["phase"], position(state)["active"]) == ("roll", 2)


@pytest.mark.rule("GP-7")
def test_from_the_same_plank_only_if_all_stand_there() -> None:
    crews = {**CREWS, "grey": ["blue:0", "blue:3", None]}
    state = to_lift("red", "blue", pirates=crews)
    assert legal(state, 0) == ["lift blue:0", "lift blue:3"]
    state = do(state, 0, "lift blue:3")
    assert refusal(state, 0, "set blue:3") == "GP-7"  # a different space
    assert "set blue:3" not in legal(state, 0)
    assert refusal(state, 0, "set blue:0 port") is None
    state = to_lift("red", "blue", pirates={**crews, "grey": ["blue:0", "blue:3", "red:1"]})
    assert legal(state, 0) == ["lift red:1"]
    assert refusal(state, 0, "lift blue:3") == "GP-7"


@pytest.mark.rule("GP-7", "GP-2")
def test_two_players_move_a_pirate_of_either_colour() -> None:
    state = to_lift("red", "blue", players=2, pirates=CREWS)
    assert legal(state, 0) == [
        "lift yellow:1", "lift red:-1", "lift red:1", "lift purple:0", "lift purple:1",
    ]  # fmt: skip
    # all aboard on this plank: both colours count
    crews = {"grey": ["blue:1"], "black": ["red:1"], "white": ["green:0"]}
    state = to_lift("red", "blue", players=2, pirates=crews)
    assert legal(state, 0) == ["lift red:1"]


@pytest.mark.rule("GP-7", "GP-2")
def test_nobody_moves_a_neutral_pirate() -> None:
    state = to_lift("red", "blue", players=3, pirates=CREWS)
    for seat in range(3):
        assert not [text for text in legal(state, seat) if text.split(" ")[1] in CREWS["brown"]]
    assert refusal(state, 0, "lift purple:-1") == "GP-7"


@pytest.mark.rule("GP-7", "GP-R2")
def test_with_nobody_aboard_the_move_lapses() -> None:
    crews = {**CREWS, "grey": []}
    state = to_slide("red blue", pirates=crews)
    after = do(state, 0, "slide red port")
    assert (position(after)["phase"], position(after)["active"]) == ("roll", 1)
    assert keys(state, 0, "slide red port") == ["slid", "move-lapses"]


FULL = {
    "grey": ["blue:-4", "blue:-3", "red:0"],
    "white": ["blue:-2", "blue:-1", "blue:0"],
    "black": ["blue:1", "blue:2", "blue:3"],
    "brown": ["blue:4", "green:0", "green:1"],
}


@pytest.mark.rule("GP-R5")
def test_onto_a_full_plank_from_elsewhere_the_move_lapses() -> None:
    state = to_slide("red blue", pirates=FULL)
    after = do(state, 0, "slide red port")
    assert (position(after)["phase"], position(after)["active"]) == ("roll", 1)
    assert keys(state, 0, "slide red port") == ["slid", "move-lapses"]
    # within a full plank one may move, for the old space is free first
    state = to_slide("green blue", active=2, pirates=FULL)
    after = do_all(state, (2, "slide green port"), (2, "lift blue:2"))
    assert legal(after, 2) == [
        "set blue:-4", "set blue:-3", "set blue:-2", "set blue:-1", "set blue:3",
        "set blue:4", "set blue:0 starboard",
    ]  # fmt: skip


# Pushing -------------------------------------------------------------------------------------


def pushed(standing: list[int], target: str, **keys: Any) -> dict[int, str]:
    """Where everybody stands on blue after grey has come there; `standing` by space."""
    others = [f"blue:{space}" for space in standing]
    crews = {"grey": ["red:0"], "white": others[:3], "black": others[3:6], "brown": others[6:]}
    state = do(to_lift("red", "blue", pirates=crews, **keys), 0, "lift red:0")
    after = do(state, 0, f"set blue:{target}")
    return {
        int(space.split(":")[1]): colour
        for colour in ("grey", "white", "black", "brown")
        for space in pirates(after, colour)
        if space is not None
    }


@pytest.mark.rule("GP-8")
@pytest.mark.parametrize(
    ("standing", "target", "after"),
    [
        ([3], "3", {3: "grey", 2: "white"}),
        ([-3], "-3", {-3: "grey", -2: "white"}),
        ([4, 3, 2], "4", {4: "grey", 3: "white", 2: "white", 1: "white"}),
        ([4, 2], "4", {4: "grey", 3: "white", 2: "white"}),
        ([1], "1", {1: "grey", 0: "white"}),
        # across the rope
        ([1, 0, -1], "1", {1: "grey", 0: "white", -1: "white", -2: "white"}),
        ([-1, 0], "-1", {-1: "grey", 0: "white", 1: "white"}),
        ([2, 1, 0, -1, -2], "2", {2: "grey", 1: "white", 0: "white", -1: "white", -2: "black",
                                  -3: "black"}),
    ],
)  # fmt: skip
def test_pushing_goes_towards_the_rope_and_on(
    standing: list[int], target: str, after: dict[int, str]
) -> None:
    assert pushed(standing, target) == after


@pytest.mark.rule("GP-9")
def test_from_the_rope_the_direction_is_chosen() -> None:
    assert pushed([0], "0 port") == {0: "grey", -1: "white"}
    assert pushed([0], "0 starboard") == {0: "grey", 1: "white"}
    assert pushed([0, 1], "0 starboard") == {0: "grey", 1: "white", 2: "white"}
    crews = {"grey": ["red:0"], "white": ["blue:0", "blue:2"]}
    state = do(to_lift("red", "blue", pirates=crews), 0, "lift red:0")
    assert refusal(state, 0, "set blue:0") == "GP-9"  # it must be said
    assert refusal(state, 0, "set blue:2 port") == "GP-9"  # only there
    assert refusal(state, 0, "set blue:1 port") == "GP-9"
    empty = do(to_lift("red", "green", pirates=crews), 0, "lift red:0")
    assert refusal(empty, 0, "set green:0 port") == "GP-9"  # nobody to push
    assert refusal(empty, 0, "set green:0") is None


@pytest.mark.rule("GP-10")
def test_nobody_is_pushed_off_the_end() -> None:
    crews = {
        "grey": ["red:0"],
        "white": ["blue:0", "blue:-1", "blue:-2"],
        "black": ["blue:-3", "blue:-4", "blue:1"],
    }
    state = do(to_lift("red", "blue", pirates=crews), 0, "lift red:0")
    assert refusal(state, 0, "set blue:1") == "GP-10"
    assert refusal(state, 0, "set blue:0 port") == "GP-10"
    assert refusal(state, 0, "set blue:0 starboard") is None
    assert refusal(state, 0, "set blue:-4") is None  # to starboard there is room
    assert legal(state, 0) == [
        "set blue:-4", "set blue:-3", "set blue:-2", "set blue:-1", "set blue:2", "set blue:3",
        "set blue:4", "set blue:0 starboard",
    ]  # fmt: skip


@pytest.mark.rule("GP-8", "GP-R5")
def test_within_one_plank_the_old_space_is_free_first() -> None:
    crews = {"grey": ["blue:2"], "white": ["blue:4", "blue:3"]}
    state = do(to_lift("red", "blue", pirates=crews), 0, "lift blue:2")
    after = do(state, 0, "set blue:4")
    assert pirates(after, "grey") == ["blue:4", None, None]
    assert pirates(after, "white") == ["blue:2", "blue:3", None]


@pytest.mark.rule("GP-8")
def test_pushing_is_told_and_previewed() -> None:
    crews = {"grey": ["red:0"], "white": ["blue:4", "blue:3"]}
    state = do(to_lift("red", "blue", pirates=crews), 0, "lift red:0")
    assert told(state, 0, "set blue:4") == [
        ("set-pushing", {"seat": 0, "colour": "grey", "space": "blue:4", "pushed": 2})
    ]
    previews = outlook(state)["outlook"]
    assert list(previews) == legal(state, 0)
    assert previews["set blue:4"]["push"] == [["blue:4", "blue:3"], ["blue:3", "blue:2"]]
    assert previews["set blue:1"]["push"] == []
    after = do(state, 0, "set blue:4")
    assert previews["set blue:4"]["margins"] == outlook(after)["margins"]
    assert previews["set blue:4"]["roll"] == outlook(after)["roll"]
    assert previews["set blue:4"]["falls"] == []

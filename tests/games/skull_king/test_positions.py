"""Positions as text, both ways, and positions that cannot occur."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarterdeck.contract import CHANCE, NATURE, OVER, BadPosition
from quarterdeck.games.skull_king.state import State

from ..helpers import INTERPRETED
from .helpers import (
    FACES,
    PLAYERS,
    do,
    legal,
    new_game,
    node,
    position,
    random_game,
    refusal,
    sampled,
    state_of,
    to_act,
)

GAMES = 1 if INTERPRETED else 4
EXAMPLES = 30 if INTERPRETED else 400


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(GAMES))
def test_every_state_of_a_game_round_trips_byte_for_byte(players: int, seed: int) -> None:
    for state, _, _ in random_game(players, seed):
        shown = position(state)
        again = state_of(players, **shown)
        assert again.tobytes() == state.tobytes()
        assert position(again) == shown


def test_a_position_leaves_out_what_has_its_value_at_the_start_of_the_hand() -> None:
    state = state_of(2, dealer=1, hands=[["y1"], ["y2"]])
    assert position(state) == {
        "phase": "bid",
        "hand": 1,
        "dealer": 1,
        "hands": [["y1"], ["y2"]],
        "bids": [None, None],
        "leader": 0,
        "trick": [],
        "last": None,
        "tricks": [0, 0],
        "bonus": [0, 0],
        "scores": [0, 0],
        "pad": [None] * 10,
    }
    assert state_of(3).tobytes() == new_game(3).tobytes()


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({}, {"phase": "start", "dealer": None}),
        ({"dealer": 2}, {"phase": "deal", "dealer": 2, "leader": None}),
        ({"dealer": 2, "hand": 7}, {"phase": "deal", "hand": 7}),
        ({"leader": 1, "hands": [["y1"], ["y2"], ["y3"]]}, {"phase": "bid", "dealer": 0}),
        ({"leader": 0, "hands": [["y1"], ["y2"], ["y3"]]}, {"phase": "bid", "dealer": 2}),
        ({"dealer": 2, "hands": [["y1"], ["y2"], ["y3"]]}, {"phase": "bid", "leader": 0}),
        (
            {"dealer": 2, "hands": [["y1"], ["y2"], ["y3"]], "bids": [None, 1, None]},
            {"phase": "bid", "bids": [None, 1, None]},
        ),
        (
            {"dealer": 2, "hands": [["y1"], ["y2"], ["y3"]], "bids": [0, 1, 0]},
            {"phase": "play", "leader": 0},
        ),
        (
            {
                "hand": 2,
                "dealer": 0,
                "hands": [["y1"], ["y2"], ["y3"]],
                "bids": [0, 1, 0],
                "tricks": [0, 0, 1],
                "last": {"leader": 1, "cards": ["r1", "r2", "b13"]},
            },
            {"phase": "play", "leader": 2},
        ),
    ],
)
def test_what_follows_from_the_rest_may_be_left_out(
    keys: dict[str, Any], expected: dict[str, Any]
) -> None:
    shown = position(state_of(3, **keys))
    assert {key: shown[key] for key in expected} == expected


PAD = [[{"bid": 1, "points": 20}, {"bid": 0, "points": 10}]]


@pytest.mark.rule("SK-25")
@pytest.mark.parametrize("scores", [[0, 0], [20, 10], [-10, 20], [70, -10]])
def test_scores_of_hands_that_the_pad_does_not_tell_are_taken_as_given(scores: list[int]) -> None:
    assert position(state_of(2, hand=2, dealer=0, scores=scores))["scores"] == scores


@pytest.mark.rule("SK-23", "SK-24")
@pytest.mark.parametrize("bonus", [[30, 0], [0, 50], [50, 0]])
def test_a_bonus_from_a_forgotten_trick_is_taken_as_given(bonus: list[int]) -> None:
    keys = {"hand": 3, "dealer": 0, "leader": 0, "bids": [1, 1], "tricks": [1, 1]}
    assert position(state_of(2, hands=[["y1"], ["y3"]], bonus=bonus, **keys))["bonus"] == bonus


def test_a_pad_may_be_short() -> None:
    shown = position(state_of(2, hand=2, dealer=0, pad=PAD, scores=[20, 10]))
    assert shown["pad"] == PAD + [None] * 9


# Positions that cannot occur -----------------------------------------------------------------

PLAY = {
    "phase": "play",
    "hand": 3,
    "dealer": 2,
    "hands": [["y1"], ["y2", "king"], ["y3", "mary"]],
    "bids": [1, 0, 2],
    "leader": 0,
    "trick": ["y4"],
    "last": {"leader": 0, "cards": ["r4", "r3", "escape"]},
    "tricks": [1, 0, 0],
    "bonus": [0, 0, 0],
    "scores": [10, 0, 40],
    "pad": [None, [{"bid": 1, "points": -10}, {"bid": 0, "points": -20}, {"bid": 1, "points": 20}]],
}
OVER_ = {
    "phase": "over",
    "hand": 10,
    "dealer": 0,
    "bids": [1, 9, 0],
    "leader": 1,
    "tricks": [1, 9, 0],
}
LATER = {
    "phase": "play",
    "hand": 3,
    "dealer": 2,
    "hands": [["y1"], ["y2"], ["y3"]],
    "bids": [1, 0, 2],
    "leader": 1,
    "last": {"leader": 1, "cards": ["r4", "r3", "escape"]},
    "tricks": [0, 2, 0],
}
BID = {"phase": "bid", "hand": 1, "dealer": 0, "hands": [["y1"], ["y2"], ["y3"]]}
DEAL = {"phase": "deal", "hand": 2, "dealer": 0}


def noted(*notes: tuple[int, int]) -> list[list[dict[str, int]]]:
    """One hand on the pad: bid and points of each seat."""
    return [[{"bid": bid, "points": points} for bid, points in notes]]


BAD = [
    # the good position, what is changed in it, the rule
    (PLAY, {"phase": "bidding"}, None),
    (PLAY, {"phase": None}, None),
    (PLAY, {"phase": 3}, None),
    (PLAY, {"phase": ["play"]}, None),
    (PLAY, {"phase": {"play": 1}}, None),
    (PLAY, {"hand": 0}, None),
    (PLAY, {"hand": 11}, None),
    (PLAY, {"hand": "3"}, None),
    (PLAY, {"hand": 3.0}, None),
    (PLAY, {"hand": True}, None),
    (PLAY, {"hand": None}, None),
    (PLAY, {"hand": 10**30}, None),
    (PLAY, {"hand": 2}, "SK-9"),
    (PLAY, {"hand": 4}, "SK-9"),
    (PLAY, {"hand": 1}, "SK-3"),
    (PLAY, {"dealer": 3}, None),
    (PLAY, {"dealer": -1}, None),
    (PLAY, {"dealer": "0"}, None),
    (PLAY, {"dealer": None}, "SK-R1"),
    (PLAY, {"turn": 1}, None),
    # hands
    (PLAY, {"hands": [["y1"], ["y2", "king"]]}, None),
    (PLAY, {"hands": None}, None),
    (PLAY, {"hands": "y1"}, None),
    (PLAY, {"hands": [["y1"], ["y2", "king"], "y3"]}, None),
    (PLAY, {"hands": [["y1"], ["y2", "king"], ["y3", "?"]]}, None),
    (PLAY, {"hands": [["y1"], ["y2", "king"], ["y3", 4]]}, None),
    (PLAY, {"hands": [["y1"], ["y2", "king"], ["y3", None]]}, None),
    (PLAY, {"hands": [["y1"], ["y2", "king"], ["y3", ["y5"]]]}, None),
    (PLAY, {"hands": [["y1"], ["y2", "king"], ["y3", "y14"]]}, None),
    (PLAY, {"hands": [["y1"], ["y2", "king"], ["escape"] * 11]}, None),
    (PLAY, {"hands": [["y1"], ["y2", "king"], ["y3", "mary:pirate"]]}, "SK-17"),
    (PLAY, {"hands": [["y1"], ["y2", "king"], ["y3", "mary:escape"]]}, "SK-17"),
    (PLAY, {"hands": [["y1"], ["y2", "king"], ["y3", "king"]]}, "SK-C1"),
    (PLAY, {"hands": [["y1"], ["y2", "king"], ["y3", "y4"]]}, "SK-C1"),  # in the trick
    (PLAY, {"hands": [["y1"], ["y2", "king"], ["y3", "r3"]]}, "SK-C1"),  # in the last trick
    (PLAY, {"hands": [["y1"], ["mermaid"] * 2, ["mermaid", "y3"]]}, "SK-C1"),
    (PLAY, {"hands": [["y1"], ["y2"], ["y3", "mary"]]}, "SK-9"),
    (PLAY, {"hands": [["y1", "b1"], ["y2", "king"], ["y3", "mary"]]}, "SK-9"),
    (PLAY, {"hands": [[], ["y2", "king"], ["y3", "mary"]]}, "SK-9"),
    (BID, {"hands": [["y1"], ["y2"], []]}, "SK-1"),
    (BID, {"hands": [["y1"], ["y2"], ["y3", "y4"]]}, "SK-1"),
    (BID, {"hands": [["y1"], ["y2"], ["y1"]]}, "SK-C1"),
    (BID, {"hand": 2}, "SK-1"),
    # bids
    (PLAY, {"bids": [1, 0]}, None),
    (PLAY, {"bids": [1, 0, 2, 0]}, None),
    (PLAY, {"bids": None}, None),
    (PLAY, {"bids": [1, 0, None]}, "SK-3"),
    (PLAY, {"bids": [1, 0, 4]}, "SK-3"),
    (PLAY, {"bids": [1, 0, -1]}, "SK-3"),
    (PLAY, {"bids": [1, 0, "2"]}, "SK-3"),
    (PLAY, {"bids": [1, 0, "?"]}, "SK-3"),
    (PLAY, {"bids": [1, False, 2]}, "SK-3"),
    (PLAY, {"phase": "bid"}, "SK-3"),
    (BID, {"bids": [0, 0, 0]}, "SK-3"),
    (BID, {"bids": [2, None, None]}, "SK-3"),
    (BID, {"tricks": [0, 0, 1]}, "SK-3"),
    (BID, {"trick": ["y4"]}, "SK-3"),
    (BID, {"last": {"leader": 0, "cards": ["r4", "r3", "escape"]}}, "SK-3"),
    # whose turn
    (PLAY, {"leader": 1}, "SK-9"),
    (PLAY, {"leader": 3}, None),
    (PLAY, {"leader": -1}, None),
    (PLAY, {"leader": "left"}, None),
    (PLAY, {"leader": None, "last": None}, "SK-9"),
    (BID, {"leader": 0}, "SK-4"),
    (BID, {"leader": 2}, "SK-4"),
    (BID, {"dealer": None}, "SK-4"),
    # the tables' cards
    (PLAY, {"trick": ["y4", "y5"]}, "SK-9"),
    (PLAY, {"trick": []}, "SK-9"),
    (PLAY, {"trick": ["y4", "y5", "y6"]}, None),
    (PLAY, {"trick": "y4"}, None),
    (PLAY, {"trick": None}, None),
    (PLAY, {"trick": ["mary"]}, "SK-17"),
    (PLAY, {"trick": ["mary:pirate"]}, "SK-C1"),
    (PLAY, {"trick": ["y1"]}, "SK-C1"),
    (PLAY, {"last": []}, None),
    (PLAY, {"last": {}}, None),
    (PLAY, {"last": {"leader": 0}}, None),
    (PLAY, {"last": {"leader": 0, "cards": ["r4", "r3", "escape"], "winner": 0}}, None),
    (PLAY, {"last": {"leader": None, "cards": ["r4", "r3", "escape"]}}, None),
    (PLAY, {"last": {"leader": 3, "cards": ["r4", "r3", "escape"]}}, None),
    (PLAY, {"last": {"leader": True, "cards": ["r4", "r3", "escape"]}}, None),
    (PLAY, {"last": {"leader": 0, "cards": ["r4", "r3"]}}, "SK-9"),
    (PLAY, {"last": {"leader": 0, "cards": ["r4", "r3", "r2", "r1"]}}, None),
    (PLAY, {"last": {"leader": 0, "cards": ["r4", "r3", "mary"]}}, "SK-17"),
    (PLAY, {"last": {"leader": 0, "cards": ["r4", "r3", "mary:pirate"]}}, "SK-C1"),
    (PLAY, {"last": {"leader": 0, "cards": ["r4", "r5", "escape"]}}, "SK-9"),
    (PLAY, {"last": {"leader": 1, "cards": ["r4", "r3", "escape"]}}, "SK-4"),
    (PLAY, {"last": {"leader": 0, "cards": ["r3", "escape", "r4"]}}, "SK-9"),
    (LATER, {"last": {"leader": 0, "cards": ["escape", "r4", "r3"]}}, "SK-9"),
    (PLAY, {"last": {"leader": 0, "cards": ["y9", "r3", "escape"]}}, "SK-5"),  # and holds y2
    (LATER, {"last": {"leader": 1, "cards": ["escape", "k9", "k13"]}, "leader": 0}, "SK-9"),
    (LATER, {"last": {"leader": 1, "cards": ["pirate", "y9", "b3"]}}, "SK-5"),  # and holds y1
    (PLAY, {"trick": ["y4", "r9"], "hands": [["y1"], ["y2"], ["y3", "mary"]]}, "SK-5"),
    (PLAY, {"trick": ["r9", "y2"], "hands": [["y1"], ["r2"], ["y3", "mary"]]}, "SK-5"),
    # counts
    (PLAY, {"tricks": [0, 0, 0]}, "SK-9"),
    (PLAY, {"tricks": [2, 0, 0]}, "SK-9"),
    (PLAY, {"tricks": [3, 0, 0]}, "SK-9"),
    (PLAY, {"tricks": [0, 1, 0]}, "SK-9"),
    (PLAY, {"tricks": [1, 0]}, None),
    (PLAY, {"tricks": [1, 0, -1]}, None),
    (PLAY, {"tricks": [1, 0, 11]}, None),
    (PLAY, {"tricks": [1, 0, None]}, None),
    (PLAY, {"tricks": 1}, None),
    (PLAY, {"bonus": [0, 0]}, None),
    (PLAY, {"bonus": [0, 0, -10]}, None),
    (PLAY, {"bonus": [0, 0, 10_000]}, None),
    (PLAY, {"bonus": [0, 0, 0.5]}, None),
    (PLAY, {"bonus": [30, 0, 0]}, "SK-23"),  # the last trick was the only one, and had no king
    (PLAY, {"bonus": [0, 30, 0]}, "SK-23"),
    (PLAY, {"bonus": [0, 0, 50]}, "SK-23"),
    (LATER, {"bonus": [30, 0, 0]}, "SK-23"),  # of a trick that seat 0 has not won
    (LATER, {"bonus": [0, 40, 0]}, "SK-23"),
    (LATER, {"bonus": [0, 90, 0]}, "SK-23"),  # more pirates than others at the table
    (LATER, {"bonus": [0, 30, 30]}, "SK-23"),
    (LATER, {"bonus": [0, 30, 0], "hands": [["king"], ["y2"], ["y3"]]}, "SK-23"),
    (LATER, {"bonus": [0, 50, 0], "hands": [["mermaid"], ["mermaid"], ["y3"]]}, "SK-23"),
    (PLAY, {"scores": [0, 0]}, None),
    (PLAY, {"scores": [10, 0, 41]}, "SK-25"),
    (PLAY, {"scores": [10, 10_00, 40]}, "SK-25"),
    (PLAY, {"scores": [-30, 0, 40]}, "SK-25"),
    (DEAL, {"hand": 1, "scores": [10, 0, 0]}, "SK-25"),
    (PLAY, {"scores": [0, 0, "0"]}, None),
    (PLAY, {"scores": [0, 0, 40_000]}, None),
    (PLAY, {"scores": [0, 0, -40_000]}, None),
    (PLAY, {"scores": {"0": 0}}, None),
    # the pad
    (PLAY, {"pad": None}, None),
    (PLAY, {"pad": [None] * 11}, None),
    (PLAY, {"pad": [[{"bid": 0, "points": 10}] * 2]}, None),
    (PLAY, {"pad": [[{"bid": 0}] * 3]}, None),
    (PLAY, {"pad": [[{"bid": 11, "points": 10}] * 3]}, None),
    (PLAY, {"pad": [[{"bid": -1, "points": 10}] * 3]}, None),
    (PLAY, {"pad": [[{"bid": 0, "points": 10_000}] * 3]}, None),
    (PLAY, {"pad": [[{"bid": 0, "points": "10"}] * 3]}, None),
    (PLAY, {"pad": [[{"bid": 0, "points": 10, "tricks": 0}] * 3]}, None),
    (PLAY, {"pad": [[None] * 3]}, None),
    (PLAY, {"pad": [7]}, None),
    (PLAY, {"pad": noted((0, 10), (0, 10), (0, 10))}, "SK-18"),  # somebody won the trick
    (PLAY, {"pad": noted((1, 20), (1, 20), (0, 10))}, "SK-18"),  # not both
    (PLAY, {"pad": noted((2, 20), (0, 10), (0, 10))}, "SK-18"),  # no such bid
    (PLAY, {"pad": noted((1, 30), (0, 10), (0, 10))}, "SK-18"),  # no such points
    (PLAY, {"pad": noted((0, 10), (0, -10), (0, -10))}, "SK-18"),  # not both
    (PLAY, {"pad": noted((1, 140), (0, 10), (0, 10))}, "SK-18"),  # too many pirates
    (PLAY, {"pad": [None, None, *noted((1, 20), (0, 30), (0, 30))]}, "SK-18"),  # not finished
    (OVER_, {"pad": [None] * 9 + noted((1, 20), (9, 180), (0, -100))}, "SK-18"),
    # before the deal, and after the end
    (DEAL, {"dealer": None}, "SK-R1"),
    (DEAL, {"phase": "start"}, "SK-R1"),
    (DEAL, {"phase": "start", "hand": 1}, "SK-R1"),
    (DEAL, {"hands": [["y1"], [], []]}, "SK-1"),
    (DEAL, {"hands": [[], []]}, None),
    (DEAL, {"hands": 0}, None),
    (DEAL, {"bids": [None, 1, None]}, "SK-1"),
    (DEAL, {"bids": [None, 0, None]}, "SK-1"),
    (DEAL, {"bids": [None, None]}, None),
    (DEAL, {"trick": ["y1"]}, "SK-1"),
    (DEAL, {"trick": [None]}, None),
    (DEAL, {"tricks": [0, 1, 0]}, "SK-1"),
    (DEAL, {"tricks": 0}, None),
    (DEAL, {"bonus": [0, 30, 0]}, "SK-1"),
    (DEAL, {"bonus": 0}, None),
    (DEAL, {"leader": 1}, "SK-1"),
    (DEAL, {"leader": 0}, "SK-1"),
    (DEAL, {"last": {"leader": 0, "cards": ["r4", "r3", "escape"]}}, "SK-1"),
    (OVER_, {"hand": 9}, "SK-25"),
    (OVER_, {"tricks": [1, 8, 0]}, "SK-25"),
    (OVER_, {"tricks": [1, 10, 0]}, "SK-25"),
    (OVER_, {"phase": "play"}, "SK-9"),
    (OVER_, {"hands": [["y1"], [], []]}, "SK-9"),
    (OVER_, {"trick": ["y1"]}, "SK-9"),
    (OVER_, {"bids": [1, None, 0]}, "SK-3"),
]  # fmt: skip


@pytest.mark.parametrize("good", [PLAY, LATER, OVER_, BID, DEAL])
def test_the_good_positions_of_the_table_are_good(good: dict[str, Any]) -> None:
    shown = position(state_of(3, **good))
    assert {key: shown[key] for key in good if key != "pad"} == {
        key: value for key, value in good.items() if key != "pad"
    }


@pytest.mark.parametrize(("good", "change", "rule"), BAD)
def test_what_cannot_occur_is_a_bad_position_and_names_the_rule(
    good: dict[str, Any], change: dict[str, Any], rule: str | None
) -> None:
    with pytest.raises(BadPosition) as error:
        state_of(3, **(good | change))
    assert error.value.rule == rule


SEATS = st.one_of(st.none(), st.integers(-1, 3))
CARDS = st.sampled_from([*FACES, "mary", "?", "y0", ""])
SMALL = st.integers(-1, 11)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | CARDS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["leader", "cards", "bid", "points"]), inner, max_size=3)
    ),
    max_leaves=8,
)
LIKELY = {
    "phase": st.sampled_from(["start", "deal", "bid", "play", "over"]),
    "hand": SMALL,
    "dealer": SEATS,
    "hands": st.lists(st.lists(CARDS, max_size=3), min_size=2, max_size=3),
    "bids": st.lists(st.none() | SMALL, min_size=2, max_size=3),
    "leader": SEATS,
    "trick": st.lists(CARDS, max_size=3),
    "last": st.none()
    | st.fixed_dictionaries({"leader": SEATS, "cards": st.lists(CARDS, min_size=2, max_size=3)}),
    "tricks": st.lists(st.integers(0, 3), min_size=2, max_size=3),
    "bonus": st.lists(st.integers(-1, 50), min_size=2, max_size=3),
    "scores": st.lists(st.integers(-(10**5), 10**5), min_size=2, max_size=3),
    "pad": st.lists(st.none() | st.lists(JSON, max_size=3), max_size=11),
}
POSITIONS = st.fixed_dictionaries(
    {}, optional={key: st.one_of(likely, JSON) for key, likely in LIKELY.items()}
)


def play_on(state: State) -> None:
    """Plays the hand to its end, always the first choice, and checks that it comes to one."""
    for _ in range(200):
        kind = node(state)
        if kind in (CHANCE, OVER):
            break
        seat = to_act(state)[0]
        state = do(state, seat, legal(state, seat)[0])
    assert kind in (CHANCE, OVER)
    if kind == CHANCE:
        assert refusal(state, NATURE, sampled(state, seed=1, draw=0)) is None


def check_position(players: int, keys: dict[str, Any]) -> None:
    """A position is refused as one, or else is a state from which the game goes on."""
    try:
        state = state_of(players, **keys)
    except BadPosition:
        return
    assert state_of(players, **position(state)).tobytes() == state.tobytes()
    play_on(state)


@given(st.sampled_from([2, 3]), POSITIONS)
@settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True)
def test_any_position_is_playable_or_bad(players: int, keys: dict[str, Any]) -> None:
    check_position(players, keys)


@given(st.sampled_from([PLAY, OVER_, BID, DEAL]), st.data())
@settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True)
def test_a_good_position_with_one_key_changed_is_playable_or_bad(
    good: dict[str, Any], data: st.DataObject
) -> None:
    key = data.draw(st.sampled_from(sorted(LIKELY)))
    value = data.draw(st.one_of(LIKELY[key], JSON))
    check_position(3, good | {key: value})

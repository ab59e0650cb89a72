"""Positions: every reachable state round-trips, and what cannot occur is refused."""

from __future__ import annotations

from typing import Any

import pytest

from quarterdeck import Match
from quarterdeck.contract import BadPosition, QuarterdeckError
from quarterdeck.games.gezanke import positions

from ..helpers import INTERPRETED
from .helpers import (
    GAME,
    KIT,
    PLANKS,
    PLAYERS,
    do,
    new_game,
    options,
    position,
    random_game,
    state_of,
    to_lift,
    to_slide,
)

CREWS = {
    "grey": ["red:-1", "red:1", "blue:0"],
    "white": ["red:0", "green:2", "green:-2"],
    "black": ["yellow:1", "purple:0", "purple:1"],
    "brown": ["yellow:-1", "green:0", "purple:-1"],
}
LAID = [{"name": plank} for plank in PLANKS]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("hands", ["steady", "real"])
def test_every_state_of_random_games_round_trips(players: int, hands: str) -> None:
    for seed in range(1 if INTERPRETED else 5):
        for state, _, _ in random_game(players, seed, hands):
            told = position(state)
            back = positions.from_position(KIT, options(players, hands), told)
            assert back.tobytes() == state.tobytes()
            assert position(back) == told


def test_the_keys_of_a_position() -> None:
    state = do(to_slide("red blue", pirates=CREWS, offsets={"red": 1}), 0, "slide red port")
    assert position(state) == {
        "phase": "lift",
        "players": 4,
        "active": 0,
        "fins": 7,
        "planks": [
            {"name": plank, "side": "front", "offset": -2 if plank == "red" else 0}
            for plank in PLANKS
        ],
        "pirates": CREWS | {"grey": ["red:-1", "red:1", "blue:0"],
                            "white": ["green:-2", "green:2", "red:0"],
                            "brown": ["yellow:-1", "green:0", "purple:-1"]},
        "dice": ["red", "blue"],
        "slid": "red",
        "lifted": None,
        "gesture": None,
        "lost": {"grey": 0, "white": 0, "black": 0, "brown": 0},
        "culprit": None,
        "choices": {"grey": None, "white": None, "black": None, "brown": None},
        "boarding": {"grey": 0, "white": 0, "black": 0, "brown": 0},
        "boarder": None,
        "purses": [0, 0, 0, 0],
    }  # fmt: skip


def test_what_is_left_out_is_empty() -> None:
    assert position(positions.from_position(KIT, options(), {}))["phase"] == "start"
    assert positions.from_position(KIT, options(), {}).tobytes() == new_game().tobytes()
    told = position(positions.from_position(KIT, options(), {"planks": LAID, "active": 2}))
    assert (told["phase"], told["active"], told["fins"]) == ("roll", 2, 7)
    assert told["pirates"]["grey"] == [None, None, None]


def test_the_order_of_pirates_does_not_matter() -> None:
    one = state_of(pirates={"grey": ["red:1", None, "blue:0"]})
    other = state_of(pirates={"grey": [None, "blue:0", "red:1"]})
    assert one.tobytes() == other.tobytes()


SLIDE = {"phase": "slide", "dice": ["red", "blue"]}
LIFT = {"phase": "lift", "dice": ["red", "blue"], "slid": "red"}
SET = {"phase": "set", "dice": ["red", "blue"], "slid": "red"}
HELD = {**CREWS, "grey": ["red:-1", "red:1", "hand"]}


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"nonsense": 1}, None),
        ({"players": 3}, None),
        ({"phase": "sleep"}, None),
        ({"phase": None}, None),
        ({"phase": 3}, None),
        ({"phase": ["roll"]}, None),
        ({"active": None}, "GP-3"),
        ({"active": 4}, None),
        ({"active": True}, None),
        ({"active": "0"}, None),
        ({"fins": 8}, None),
        ({"fins": 0}, "GP-21"),
        ({"fins": 1.0}, None),
        ({"planks": None}, None),
        ({"planks": "red"}, None),
        ({"planks": LAID[:5]}, "GP-1"),
        ({"planks": [*LAID[:5], LAID[0]]}, "GP-1"),
        ({"planks": [*LAID[:5], {"name": "pink"}]}, None),
        ({"planks": [*LAID[:5], {"side": "front"}]}, "GP-1"),
        ({"planks": [*LAID[:5], {"name": "purple", "side": "top"}]}, None),
        ({"planks": [*LAID[:5], {"name": "purple", "offset": 15}]}, None),
        ({"planks": [*LAID[:5], {"name": "purple", "offset": "1"}]}, None),
        ({"planks": [*LAID[:5], {"name": "purple", "colour": "purple"}]}, None),
        ({"planks": [*LAID[:5], {"name": "purple", "offset": 5}]}, "GP-11"),
        ({"pirates": []}, None),
        ({"pirates": {"pink": []}}, None),
        ({"pirates": {"grey": "red:0"}}, "GP-C2"),
        ({"pirates": {"grey": [None] * 4}}, "GP-C2"),
        ({"pirates": {"grey": ["red:5"]}}, None),
        ({"pirates": {"grey": [["red:0"]]}}, None),
        ({"pirates": {"grey": ["red:0", "red:0"]}}, "GP-4"),
        ({"pirates": {"grey": ["red:0"], "white": ["red:0"]}}, "GP-4"),
        ({"pirates": {"grey": ["hand"]}}, "GP-7"),
        ({"dice": ["red", "blue"]}, "GP-5"),
        ({**SLIDE, "dice": []}, "GP-5"),
        ({**SLIDE, "dice": ["red"]}, None),
        ({**SLIDE, "dice": ["red", "red"]}, "GP-5"),
        ({**SLIDE, "dice": ["red", None]}, None),
        ({**SLIDE, "dice": "red"}, None),
        ({**SLIDE, "slid": "red"}, "GP-6"),
        ({**LIFT, "slid": None}, "GP-6"),
        ({**LIFT, "slid": "green"}, "GP-6"),
        ({**LIFT, "pirates": {"white": ["red:0"]}}, "GP-7"),
        ({**LIFT, "pirates": HELD}, "GP-7"),
        ({**LIFT, "lifted": "red:0"}, "GP-7"),
        ({**SET}, "GP-7"),
        ({**SET, "pirates": HELD}, "GP-7"),
        ({**SET, "lifted": "blue:0"}, "GP-7"),
        ({**SET, "pirates": {**HELD, "white": ["hand"]}, "lifted": "blue:0"}, "GP-7"),
        ({"phase": "choose", "dice": ["red", "blue"], "slid": "red",
          "choices": dict.fromkeys(CREWS, "collect")}, "GP-13"),
        ({"choices": {"grey": "both"}}, None),
        ({"choices": ["collect"]}, None),
        ({"lost": {"grey": 4}}, None),
        ({"lost": {"pink": 1}}, None),
        ({"culprit": 4}, None),
        ({"boarder": 0}, "GP-15"),
        ({"boarding": {"grey": 1}}, "GP-15"),
        ({"phase": "board", "dice": ["red", "blue"], "slid": "red", "boarder": 0}, "GP-15"),
        ({"phase": "board", "dice": ["red", "blue"], "slid": "red"}, "GP-15"),
        ({"purses": [0, 0, 0]}, None),
        ({"purses": [0, 0, 0, -1]}, None),
        ({"purses": [0, 0, 0, "?"]}, None),
        ({"gesture": {"do": "slide", "at": "red", "side": "port"}}, "GP-19"),
        ({"phase": "setup"}, "GP-3"),
        ({"phase": "lay"}, "GP-1"),
    ],
)  # fmt: skip
def test_what_cannot_occur_is_refused(change: dict[str, Any], rule: str | None) -> None:
    told = {"planks": LAID, "active": 0, "pirates": CREWS} | change
    with pytest.raises(BadPosition) as caught:
        positions.from_position(KIT, options(), told)
    assert caught.value.rule == rule


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"do": "jump", "at": "red"}, "GP-19"),
        ({"do": ["slide"], "at": "red"}, "GP-19"),
        ({"do": "slide", "at": "pink", "side": "port"}, None),
        ({"do": "slide", "at": "red", "side": "stay"}, None),
        ({"do": "slide", "at": None, "side": "port"}, "GP-19"),
        ({"do": "lift", "at": "red:0"}, "GP-19"),
        ("slide", "GP-19"),
    ],
)
def test_gestures_that_cannot_be(change: object, rule: str | None) -> None:
    told = {"planks": LAID, "active": 0, "pirates": CREWS, **SLIDE, "slid": "red"}
    with pytest.raises(BadPosition) as caught:
        positions.from_position(KIT, options(hands="real"), told | {"gesture": change})
    assert caught.value.rule == rule


def test_the_neutral_pirates_are_placed_first() -> None:
    told = {"phase": "setup", "planks": LAID, "active": 0, "pirates": {"grey": ["red:0"]}}
    with pytest.raises(BadPosition) as caught:
        positions.from_position(KIT, options(3), told)
    assert caught.value.rule == "GP-3"
    assert positions.from_position(KIT, options(4), told)


def test_a_plank_may_not_have_slid_before_the_first_turn() -> None:
    planks = [*LAID[:5], {"name": "purple", "offset": 1}]
    with pytest.raises(BadPosition):
        positions.from_position(KIT, options(), {"phase": "setup", "planks": planks, "active": 0})


def test_a_game_goes_on_from_a_position() -> None:
    told = position(to_lift("red", "blue", pirates=CREWS))
    match = Match(GAME, options(), position=told, seed=1)
    match.act(0, "lift red:1")
    match.act(0, "set blue:3")
    match.draw_chance()
    assert match.view(1)["phase"] == "slide"
    with pytest.raises(QuarterdeckError):
        match.act(0, "slide red port")

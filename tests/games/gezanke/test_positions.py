"""Positions: every reachable state round-trips, and what cannot occur is refused."""

from __future__ import annotations

from collections.abc import Callable
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
    keys: dict[str, Any] = {"planks": LAID, "active": 2, "pirates": {"white": ["red:0"]}}
    told = position(positions.from_position(KIT, options(), keys))
    assert (told["phase"], told["active"], told["fins"]) == ("roll", 2, 7)
    assert told["pirates"]["grey"] == [None, None, None]


def test_after_a_splash_what_is_left_out_follows() -> None:
    crews = {**CREWS, "grey": ["red:-1", "blue:0", None]}
    told = position(state_of(phase="choose", dice=["red", "orange"], slid="red", pirates=crews))
    assert told["lost"] == {"grey": 1, "white": 0, "black": 0, "brown": 0}
    others = dict.fromkeys(("white", "black", "brown"), "collect")
    assert told["choices"] == {"grey": None, **others}
    turn: dict[str, Any] = {
        "phase": "board",
        "dice": ["red", "orange"],
        "slid": "red",
        "boarder": 0,
    }
    told = position(state_of(**turn, boarding={"grey": 1}, pirates=crews))
    assert told["lost"] == {"grey": 1, "white": 0, "black": 0, "brown": 0}
    assert told["choices"] == {"grey": "rescue", **others}


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
        ({"phase": "board", "dice": ["red", "blue"], "slid": "red", "boarder": 0}, "GP-13"),
        ({"phase": "board", "dice": ["red", "blue"], "slid": "red"}, "GP-13"),
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
        ({"do": "slide", "at": None, "side": "port"}, None),
        ({"do": "slide", "at": "red"}, None),
        ({"do": "slide", "at": "red", "side": "port", "speed": 1}, "GP-19"),
        ({"do": "slide", "at": "green", "side": "port"}, "GP-19"),
        ({"do": "slide", "at": "orange", "side": "port"}, "GP-19"),
        ({"do": "lift", "at": "red:0"}, "GP-19"),
        ({"do": "lift", "at": "red:0", "side": "port"}, "GP-19"),
        ("slide", "GP-19"),
        ({}, "GP-19"),
    ],
)
def test_gestures_that_cannot_be(change: object, rule: str | None) -> None:
    told = {"planks": LAID, "active": 0, "pirates": CREWS, **SLIDE, "slid": "red"}
    with pytest.raises(BadPosition) as caught:
        positions.from_position(KIT, options(hands="real"), told | {"gesture": change})
    assert caught.value.rule == rule


# What holds in every state -------------------------------------------------------------------

EMPTY_GREEN = {**CREWS, "white": ["red:0", None, None], "brown": ["yellow:-1", None, "purple:-1"]}
"""The green plank has toppled: two of white and one of brown are overboard."""
LOST = {"white": 2, "brown": 1}
SPLASH: dict[str, Any] = {
    "dice": ["red", "blue"],
    "slid": "red",
    "pirates": EMPTY_GREEN,
    "lost": LOST,
}
CHOOSE: dict[str, Any] = {"phase": "choose", **SPLASH}
BOARD: dict[str, Any] = {
    "phase": "board", **SPLASH, "boarder": 1, "boarding": {"white": 2},
    "choices": {"grey": "collect", "white": "rescue", "black": "collect", "brown": "collect"},
}  # fmt: skip
NEUTRALS: dict[str, Any] = {
    "phase": "neutral", "dice": ["red", "blue"], "slid": "red", "lost": {"brown": 3}, "boarder": 0,
    "boarding": {"brown": 3}, "pirates": {**CREWS, "brown": []},
    "planks": [{"name": plank} for plank in PLANKS],
}  # fmt: skip
OVER = {**CHOOSE, "phase": "over", "fins": 0, "purses": [6, 6, 6, 6],
        "choices": dict.fromkeys(CREWS, "collect")}  # fmt: skip
SPENT = {**OVER, "fins": 3, "purses": [30, 30, 30, 15]}
EMPTY_SHIP: dict[str, Any] = {"phase": "over", "fins": 6, "pirates": {}}
GESTURE: dict[str, Any] = {"phase": "slide", "dice": ["red", "blue"], "slid": "red",
           "gesture": {"do": "slide", "at": "red", "side": "port"},
           "planks": [p | {"offset": -3 if p["name"] == "red" else 0} for p in LAID]}  # fmt: skip
LIFTED = {**SET, "pirates": HELD, "lifted": "red:2"}
PLACED = {"phase": "setup", "pirates": {"grey": ["red:0"], "white": ["red:1"]}}

CAN_OCCUR: dict[str, tuple[int, dict[str, Any]]] = {
    "choose": (4, CHOOSE),
    "board": (4, BOARD),
    "neutral": (3, NEUTRALS),
    "the last fin": (4, OVER),
    "the last turn left out": (4, {"phase": "over", "fins": 0}),
    "the stacks are used up": (4, SPENT),
    "an empty ship": (4, EMPTY_SHIP),
    "a plank is slid": (4, GESTURE),
    "a pirate is lifted": (4, LIFTED),
    "two are placed": (4, PLACED),
}

CANNOT_OCCUR: list[tuple[str, int, dict[str, Any]]] = [
    ("somebody is active from the start on", 4, {"active": None}),
    ("before the first turn nothing", 4, {**PLACED, "fins": 6}),
    ("before the first turn nothing", 4, {**PLACED, "purses": [1, 0, 0, 0]}),
    ("before the first turn nothing", 4, {"phase": "setup", "pirates": CREWS}),
    # one player has placed three and the others none
    ("pirates are placed in turn", 4, {**PLACED, "pirates": {"grey": ["red:0", "red:1", "red:2"]}}),
    ("pirates are placed in turn", 4, {**PLACED, "active": 1}),
    ("pirates are placed in turn", 2, {
        **PLACED, "pirates": {"grey": ["red:0"], "black": ["red:1"]}}),
    ("pirates are placed in turn", 3, PLACED),
    ("pirates are placed in turn", 3, {
        **PLACED, "pirates": {"brown": ["red:0"], "grey": ["red:1"]}}),
    ("the dice are rolled", 4, {"dice": ["red", "blue"]}),
    ("a plank of one of the colours", 4, {**CHOOSE, "slid": None}),
    ("a plank of one of the colours", 4, {**OVER, "slid": "green"}),
    ("a pirate is in the hand", 4, {**LIFTED, "phase": "choose"}),
    ("a pirate is in the hand", 4, {**LIFTED, "lifted": "red:1"}),
    ("where a plank would tip", 4, {"planks": [*LAID[:5], {"name": "purple", "offset": 5}]}),
    ("on an empty ship", 4, {"pirates": {}}),
    ("on an empty ship", 4, {**SLIDE, "pirates": {}}),
    ("the plank that was slid rested", 4, {
        **LIFT, "dice": ["purple", "blue"], "slid": "purple", "pirates": {
            "grey": ["red:0", "orange:0", "purple:-2"],
            "white": ["purple:-1", "green:0", "yellow:0"],
            "black": ["purple:0", "blue:0", "purple:1"],
            "brown": ["purple:2", "red:1", "orange:1"]}}),
    ("somebody can be moved", 4, {**LIFT, "pirates": {**CREWS, "grey": []}}),
    # another's pirate in the hand
    ("a pirate of one's own is moved", 4, {**LIFTED, "active": 1}),
    ("a pirate of one's own is moved", 4, {
        **LIFTED, "pirates": {**CREWS, "grey": ["red:-1", "red:1", "hand"]}, "lifted": "blue:2"}),
    ("with the other colour a pirate", 4, {**CHOOSE, "dice": ["red", "purple"]}),
    # pirates lost while all are aboard
    ("who was lost this turn", 4, {**CHOOSE, "pirates": CREWS, "choices": {}}),
    ("who was lost this turn", 4, {"lost": {"grey": 1}, "pirates": EMPTY_GREEN}),
    ("who was lost this turn", 4, {**CHOOSE, "lost": {"white": 0, "brown": 0}}),
    ("who was lost this turn", 4, {**BOARD, "lost": {"grey": 1, "white": 2}}),
    ("planks that toppled", 4, {**CHOOSE, "planks": [p | {"offset": 1} for p in LAID]}),
    ("planks that toppled", 4, {**BOARD, "planks": [p | {"offset": 1} for p in LAID]}),
    ("planks that toppled", 4, {
        **LIFT, "dice": ["orange", "blue"], "slid": "orange", "lost": LOST, "pirates": EMPTY_GREEN,
        "planks": [p | {"offset": int(p["name"] == "orange")} for p in LAID]}),
    ("whoever broke an oath", 4, {**CHOOSE, "culprit": 0}),  # with steady hands
    # choices in the wrong phase, out of turn, or where there is none
    ("everyone chooses in turn", 4, {"choices": {"grey": "collect"}}),
    ("everyone chooses in turn", 4, {**CHOOSE, "choices": {"brown": "rescue"}}),
    ("everyone chooses in turn", 4, {**CHOOSE, "choices": {"grey": "rescue"}}),
    ("everyone chooses in turn", 4, {**CHOOSE, "choices": {"grey": None}}),
    ("everyone chooses in turn", 4, {**CHOOSE, "choices": {"white": "nothing"}}),
    ("everyone chooses in turn", 4, {
        **CHOOSE, "choices": {"white": "collect", "brown": "collect"}}),
    ("everyone chooses in turn", 4, {**BOARD, "choices": {"white": None}}),
    ("everyone chooses in turn", 4, {**OVER, "choices": {"white": "rescue"}}),
    ("everyone chooses in turn", 3, {**NEUTRALS, "choices": {"brown": "rescue"}}),
    # phase `neutral` with two or four players
    ("only of three players", 4, {**NEUTRALS, "choices": {"brown": "rescue"}}),
    ("only of three players", 2, {**NEUTRALS, "choices": {"brown": "rescue"}}),
    ("pirates that are overboard", 4, {**CHOOSE, "boarding": {"white": 1}}),
    ("pirates that are overboard", 4, {**CHOOSE, "boarder": 1}),
    ("pirates that are overboard", 4, {**BOARD, "boarder": None}),
    ("pirates that are overboard", 4, {**BOARD, "boarder": 0}),
    ("pirates that are overboard", 4, {**BOARD, "boarding": {"white": 3}}),
    ("pirates that are overboard", 4, {**BOARD, "boarder": 2}),
    ("pirates that are overboard", 3, {**NEUTRALS, "boarder": 1}),
    ("pirates that are overboard", 3, {**NEUTRALS, "boarding": {"brown": 2}}),
    ("who is to come back was overboard", 4, {
        **BOARD, "dice": ["red", "purple"], "boarding": {"white": 3},
        "lost": {"white": 3}, "pirates": {**CREWS, "white": []}}),
    ("who fell while pirates came back", 4, {
        **BOARD, "boarding": {"white": 1},
        "planks": [p | {"offset": int(p["name"] in ("green", "orange"))} for p in LAID]}),
    # more doubloons than exist
    ("nobody has what was not", 4, {"purses": [30, 30, 30, 13]}),
    ("nobody has what was not", 4, {**OVER, "purses": [0, 6, 6, 6]}),
    ("nobody has what was not", 4, {"phase": "over", "fins": 0, "purses": [100, 51, 0, 0]}),
    ("nobody has what was not", 4, {**SPENT, "purses": [90, 30, 30, 15]}),
    ("the game ends with the last fin", 4, {"fins": 0}),
    ("the game ends with the last fin", 4, {**CHOOSE, "fins": 1}),
    # over with seven fins
    ("the game ends with the last fin", 4, {"phase": "over"}),
    ("the game ends with the last fin", 4, {**SPENT, "fins": 7}),
    ("the game ends with the last fin", 4, {**SPENT, "fins": 1}),
    ("the game ends with the last fin", 4, {**EMPTY_SHIP, "fins": 7}),
    ("the game ends with the last fin", 4, {**EMPTY_SHIP, "pirates": CREWS}),
]  # fmt: skip


@pytest.mark.parametrize(("players", "keys"), CAN_OCCUR.values(), ids=CAN_OCCUR)
def test_what_can_occur_is_accepted(players: int, keys: dict[str, Any]) -> None:
    hands = "real" if "gesture" in keys else "steady"
    told = {"planks": LAID, "active": 0, "pirates": CREWS} | keys
    told["purses"] = told.get("purses", [0] * players)
    assert positions.from_position(KIT, options(players, hands), told)


@pytest.mark.parametrize(("says", "players", "keys"), CANNOT_OCCUR)
def test_each_invariant_refuses(says: str, players: int, keys: dict[str, Any]) -> None:
    (invariant,) = [each for each in positions.INVARIANTS if each.says.startswith(says)]
    told: dict[str, Any] = {"planks": LAID, "active": 0, "pirates": CREWS} | keys
    told["purses"] = told.get("purses", [0] * 4)[:players]
    with pytest.raises(BadPosition) as caught:
        positions.from_position(KIT, options(players), told)
    assert (caught.value.rule, caught.value.message) == (invariant.rule, invariant.says)


def test_no_invariant_is_without_a_test() -> None:
    *said, gesture = [invariant.says for invariant in positions.INVARIANTS]
    assert all(any(each.startswith(says) for says, _, _ in CANNOT_OCCUR) for each in said)
    assert gesture == "a gesture begins where it can be made"  # the tests of gestures, above, below


@pytest.mark.parametrize(
    "change",
    [
        {"slid": "blue"},
        {"gesture": {"do": "slide", "at": "red", "side": "starboard"}},  # from where it would tip
        {"lost": {"grey": 1}},
        {"phase": "lift", "gesture": {"do": "lift", "at": "red:2"}},  # with nobody in the hand
        {**LIFTED, "phase": "lift", "gesture": {"do": "lift", "at": "red:3"}},
        {**LIFTED, "phase": "lift", "active": 1, "gesture": {"do": "lift", "at": "red:2"}},
        {**SET, "gesture": {"do": "set", "at": "red:0"}},
        {**SET, "gesture": {"do": "set", "at": "blue:1"}},
        {**LIFTED, "gesture": {"do": "set", "at": "blue:0"}},
        {**BOARD, "gesture": {"do": "board", "at": "red:1"}},
        {**BOARD, "boarding": {"white": 1}, "gesture": {"do": "board", "at": "red:2"}},
    ],
)
def test_gestures_that_began_nowhere(change: dict[str, Any]) -> None:
    told = {"planks": LAID, "active": 0, "pirates": CREWS, **GESTURE} | change
    with pytest.raises(BadPosition) as caught:
        positions.from_position(KIT, options(hands="real"), told)
    assert caught.value.rule == "GP-19"


@pytest.mark.parametrize(
    "change",
    [
        {},
        {**LIFTED, "phase": "lift", "gesture": {"do": "lift", "at": "red:2"}, "planks": LAID},
        {**SET, "gesture": {"do": "set", "at": "blue:0"}, "planks": LAID},
        {**BOARD, "boarding": {"white": 1}, "gesture": {"do": "board", "at": "red:0"},
         "pirates": {**EMPTY_GREEN, "white": ["red:0", "purple:2", None]}, "planks": LAID},
    ],
)  # fmt: skip
def test_gestures_that_can_be(change: dict[str, Any]) -> None:
    told = {"planks": LAID, "active": 0, "pirates": CREWS, **GESTURE} | change
    assert positions.from_position(KIT, options(hands="real"), told).gesture >= 0


def test_an_oath_is_broken_by_the_active_player_and_paid_for() -> None:
    told: dict[str, Any] = {
        "planks": LAID,
        "active": 0,
        **CHOOSE,
        "culprit": 0,
        "purses": [0, 4, 0, 0],
    }
    told["choices"] = {"grey": "nothing", "black": "collect"}
    assert positions.from_position(KIT, options(hands="real"), told).culprit == 0
    for change in ({"culprit": 1}, {"purses": [0, 0, 0, 1]}):
        with pytest.raises(BadPosition) as caught:
            positions.from_position(KIT, options(hands="real"), told | change)
        assert caught.value.rule == "GP-20"


@pytest.mark.parametrize("junk", [34.0, True, 10**30, -1, "1", "\u0663", [1], {"a": [[]]}, None])
@pytest.mark.parametrize(
    "keys",
    [
        lambda junk: {"fins": junk},
        lambda junk: {"purses": [junk, 0, 0, 0]},
        lambda junk: {"lost": {"grey": junk}},
        lambda junk: {"boarding": {"grey": junk}},
        lambda junk: {"planks": [{"name": "red", "offset": [junk]}, *LAID[:3], *LAID[4:]]},
        lambda junk: {"gesture": {"do": junk}},
        lambda junk: {"gesture": {"do": "slide", "at": junk}},
        lambda junk: {"pirates": {"grey": [[junk]]}},
        lambda junk: {"dice": [junk, "red"]},
        lambda junk: {"planks": [junk] * 100_000},
        lambda junk: {"planks": [{"name": "red"}] * 100_000 + [junk]},
    ],
)
def test_junk_is_refused_in_a_sentence(
    keys: Callable[[object], dict[str, Any]], junk: object
) -> None:
    told = {"planks": LAID, "active": 0, "pirates": CREWS} | keys(junk)
    with pytest.raises(BadPosition) as caught:
        positions.from_position(KIT, options(hands="real"), told)
    assert len(caught.value.message) < 300


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

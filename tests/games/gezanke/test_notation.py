"""Actions as text, both ways."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarterdeck.contract import NATURE, BadNotation, record
from quarterdeck.games.gezanke import rules
from quarterdeck.games.gezanke.state import ACTIONS, Action

from ..helpers import INTERPRETED
from .helpers import (
    COLOURS,
    KIT,
    PLANKS,
    PLAYERS,
    SPACES,
    decode,
    new_game,
    parse,
    random_game,
    text_of,
)

EXAMPLES = 30 if INTERPRETED else 400
NONE = -1
TARGETS = [*SPACES, *(f"{plank}:0 {side}" for plank in PLANKS for side in ("port", "starboard"))]


def test_every_action_number_has_a_text_of_its_own_and_back() -> None:
    texts = []
    for number in range(ACTIONS):
        action = decode(new_game(), number)
        texts.append(text_of(action))
        parsed = parse(texts[-1])
        assert parsed == action
        assert rules.number(KIT, new_game(), parsed) == number
    assert texts == [
        *(f"place {colour} {space}" for colour in COLOURS for space in SPACES),
        *(f"slide {plank} {way}" for plank in PLANKS for way in ("port", "starboard", "stay")),
        *(f"lift {space}" for space in SPACES),
        *(f"set {target}" for target in TARGETS),
        "collect",
        *(f"collect {colour}" for colour in COLOURS),
        "rescue",
        *(f"rescue {colour}" for colour in COLOURS),
        *(f"board {colour} {target}" for colour in COLOURS for target in TARGETS),
    ]


@pytest.mark.parametrize("players", PLAYERS)
def test_all_that_happens_in_a_game_round_trips(players: int) -> None:
    for state, actor, text in random_game(players, seed=11, hands="each"):
        if text:
            action = parse(text)
            assert text_of(action) == text
            number = rules.number(KIT, state, action)
            if actor == NATURE:
                assert number == NONE
            else:
                assert decode(new_game(), number) == action


@pytest.mark.parametrize(
    "text",
    ["start 0", "start 9999", "roll yellow purple", "hand speed=9999 press=0 kick=12 over=3",
     "set red:3 port", "board grey red:-1 starboard",
     "lay red/front red/front red/front red/back blue/back blue/back"],
)  # fmt: skip
def test_texts_without_a_number_round_trip_too(text: str) -> None:
    action = parse(text)
    assert text_of(action) == text
    assert rules.number(KIT, new_game(), action) == NONE


def test_the_dice_have_no_order() -> None:
    assert text_of(parse("roll blue red")) == "roll red blue"


def test_records_beyond_the_texts_have_no_number() -> None:
    place, slide, lift, set_down, collect, rescue, board = range(7)
    for verb, *args in [
        (place, -1, 0), (place, 4, 0), (place, 0, -1), (place, 0, 54), (slide, -1, 0),
        (slide, 6, 0), (slide, 0, -1), (slide, 0, 3), (lift, -1), (lift, 54), (set_down, -1, -1),
        (set_down, 54, -1), (set_down, 4, 2), (set_down, 4, -2), (set_down, 3, 0), (collect, -2),
        (collect, 4), (rescue, -2), (rescue, 4), (board, -1, 0, -1), (board, 4, 0, -1),
        (board, 0, 54, -1), (board, 0, 4, 2), (board, 0, 5, 1), (7, 0), (8, 0), (9, 0), (10, 0),
    ]:  # fmt: skip
        action = record(Action)
        action.args[:] = NONE
        action.verb = verb
        action.args[: len(args)] = args
        assert rules.number(KIT, new_game(), action) == NONE, (verb, args)


@pytest.mark.parametrize(
    "text",
    ["", " ", "slide", "slide red", "slide red left", "slide pink port", "slide red port port",
     "lift", "lift red", "lift red:5", "lift red:-5", "lift red:+1", "lift red:01", "lift RED:0",
     "set red:0 stay", "set red:0 port port", "set", "place grey", "place green red:0",
     "place red:0 grey", "collect red", "collect grey black", "rescue 0", "board red:0",
     "board grey", "board grey red:0 stay", "start", "start -1", "start x", "start 01", "start 0 1",
     "start 10000", "roll red", "roll red blue green", "roll red pink", "lay red/front",
     "lay red blue green yellow orange purple", "hand", "hand speed=1 press=1 kick=1",
     "hand press=1 speed=1 kick=1 over=1", "hand speed=-1 press=1 kick=1 over=1",
     "hand speed=1.5 press=1 kick=1 over=1", "hand speed=1 press=1 kick=1 over=1 more=1",
     "slide  red port", "slide red port ", "Slide red port", "wait"],
)  # fmt: skip
def test_what_is_no_action_is_said_so(text: str) -> None:
    with pytest.raises(BadNotation) as caught:
        parse(text)
    assert text in str(caught.value) or repr(text) in str(caught.value)


WORDS = st.sampled_from(
    ["place", "slide", "lift", "set", "collect", "rescue", "board", "start", "lay", "roll", "hand",
     *PLANKS, *COLOURS, *SPACES[:4], "port", "starboard", "stay", "0", "3", "red/front", "speed=1",
     "press=1", "kick=1", "over=1", "", "x"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=8).map(" ".join))
@settings(max_examples=EXAMPLES, deadline=None)
def test_any_text_is_an_action_or_bad_notation(text: str) -> None:
    try:
        action = parse(text)
    except BadNotation:
        return
    again = text_of(action)
    assert parse(again) == action

"""Actions as text, both ways."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarterdeck.contract import NATURE, BadNotation, record
from quarterdeck.games.skull_king import rules
from quarterdeck.games.skull_king.state import ACTIONS, BID, MARY, NONE, PLAY, Action

from ..helpers import INTERPRETED
from .helpers import (
    FACES,
    KIT,
    PLAYERS,
    decode,
    do,
    glimpse,
    new_game,
    parse,
    position,
    refusal,
    state_of,
    text_of,
)

EXAMPLES = 30 if INTERPRETED else 400
TEN_EACH = [[f"y{rank}" for rank in range(1, 11)], [f"r{rank}" for rank in range(1, 11)]]


def test_every_action_number_has_a_text_of_its_own_and_back() -> None:
    state = new_game(2)
    texts = []
    for number in range(ACTIONS):
        action = decode(state, number)
        texts.append(text_of(action))
        parsed = parse(texts[-1])
        assert parsed == action
        assert rules.number(KIT, state, parsed) == number
    assert texts == [f"bid {number}" for number in range(11)] + [f"play {card}" for card in FACES]


@pytest.mark.parametrize(
    "text",
    [
        "start 0",
        "start 5",
        "bid 99",
        "play mary",
        "deal y1/y2",
        "deal y1,king/k3,mary/escape,escape",
        "deal " + "/".join(",".join(f"{suit}{rank}" for rank in range(1, 11)) for suit in "yrbk"),
    ],
)
def test_texts_without_a_number_round_trip_too(text: str) -> None:
    action = parse(text)
    assert text_of(action) == text
    assert rules.number(KIT, new_game(2), action) == NONE


def test_numbers_beyond_the_texts() -> None:
    action = record(Action)
    for verb, argument in [("bid", -1), ("bid", 11), ("play", -1), ("play", MARY)]:
        action.verb = {"bid": BID, "play": PLAY}[verb]
        action.args[0] = argument
        assert rules.number(KIT, new_game(2), action) == NONE


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "bid", "bid ", "bid -1", "bid +1", "bid 01", "bid 00", "bid 1 ", " bid 1",
        "bid  1", "bid 1\n", "bid 1.0", "bid one", "bid ١", "bid ²", "bid １", "bid 100",
        "bid 1e1", "bid 0x1",
        "bid 99999999999999999999999999", "bid 1 2", "Bid 1", "BID 1", "bid\t1", "bid ?",
        "play", "play ", "play y0", "play y14", "play y01", "play k", "play Y1", "play g1",
        "play king ", "play king king", "play skull king", "play mary:", "play mary:king",
        "play mary: pirate", "play y1,y2", "play ?", "play -1", "play 5", "play y١",
        "start", "start -1", "start x", "start 0 ", "start 100",
        "deal", "deal ", "deal /", "deal y1/", "deal /y1", "deal y1//y2", "deal y1,/y2",
        "deal y1 /y2", "deal y1, y2/y3,y4", "deal ?/y1", "deal y1/y2/y3/y4/y5/y6/y7",
        "deal " + ",".join(["escape"] * 11) + "/y1",
        "fold", "pass", "y1", "king", "play\u00a0y1", "play y1\x00", "bid 1\u2028",
    ],
)  # fmt: skip
def test_what_is_no_action_is_bad_notation(text: str) -> None:
    with pytest.raises(BadNotation) as error:
        parse(text)
    assert error.value.code == "bad-notation"


@given(st.text(max_size=30))
@settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True)
def test_any_text_is_an_action_with_that_text_or_bad_notation(text: str) -> None:
    try:
        action = parse(text)
    except BadNotation:
        return
    assert text_of(action) == text


@given(
    st.lists(st.lists(st.sampled_from([*FACES, "mary", ""]), max_size=11), max_size=7),
    st.sampled_from(PLAYERS),
    st.integers(1, 10),
)
@settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True)
def test_any_deal_is_refused_or_dealt(hands: list[list[str]], players: int, hand: int) -> None:
    state = state_of(players, phase="deal", dealer=0, hand=hand)
    text = "deal " + "/".join(map(",".join, hands))
    try:
        rule = refusal(state, NATURE, text)
    except BadNotation:
        return
    assert rule in (None, "SK-1", "SK-C1")
    if rule is None:
        given_cards = [sorted(cards) for cards in hands]
        after = do(state, NATURE, text)
        assert [sorted(cards) for cards in position(after)["hands"]] == given_cards


@pytest.mark.rule("SK-3")
def test_a_bid_of_two_digits_parses_and_is_refused() -> None:
    state = state_of(2, phase="bid", hand=10, dealer=0, hands=TEN_EACH)
    assert refusal(state, 0, "bid 10") is None
    for number in (11, 12, 99):
        assert refusal(state, 0, f"bid {number}") == "SK-3"


@pytest.mark.rule("SK-17")
@pytest.mark.parametrize("hands", [[["mary"], ["y1"]], [["y1"], ["mary"]]])
def test_mary_must_be_said(hands: list[list[str]]) -> None:
    state = state_of(2, dealer=1, hands=hands, bids=[0, 0])
    assert refusal(state, 0, "play mary") == "SK-17"


def test_what_is_hidden_in_an_action_is_a_question_mark() -> None:
    assert glimpse(new_game(3), 1, 0, "bid 3") == "bid ?"
    told = glimpse(new_game(3), 1, NATURE, "deal y1,y2/k1,king/r1,r2")
    assert told == "deal ?,?/k1,king/?,?"

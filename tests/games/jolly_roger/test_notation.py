"""Actions as text, both ways."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarterdeck.contract import NATURE, BadNotation, record
from quarterdeck.games.jolly_roger import rules
from quarterdeck.games.jolly_roger.state import (
    ACTIONS,
    BOARD,
    CREW,
    DEAL,
    NONE,
    PARROTS,
    PICK,
    PLAY_KRAKEN,
    SKELETON,
    START,
    Action,
    State,
)

from ..helpers import INTERPRETED
from .helpers import (
    CARDS,
    KIT,
    PIRATES,
    SHIPS,
    VARIANTS,
    decode,
    do,
    legal,
    new_game,
    parse,
    position,
    random_game,
    refusal,
    ship_of,
    text_of,
    to_deal,
)

EXAMPLES = 30 if INTERPRETED else 400


def test_every_action_number_has_a_text_of_its_own_and_back() -> None:
    state = do(to_deal(), NATURE, "deal g1,y2,b3,r4,kraken")
    texts = []
    for number in range(ACTIONS):
        action = decode(state, number)
        texts.append(text_of(action))
        parsed = parse(texts[-1])
        assert parsed == action
        assert rules.number(KIT, state, parsed) == number
    assert len(set(texts)) == ACTIONS
    assert all(text.startswith("split ") for text in texts[:30])
    assert texts[30:] == [
        "pick 1",
        "pick 2",
        *(f"crew {card} {ship_of(card)}" for card in PIRATES),
        *(f"crew skeleton {ship}" for ship in SHIPS),
        *(f"parrot {card} {ship}" for card in CARDS for ship in SHIPS),
        *(f"board {card}" for card in PIRATES),
        *(f"kraken {ship}" for ship in SHIPS),
        "kraken none",
        "tortuga",
    ]


@pytest.mark.rule("JR-5")
@pytest.mark.parametrize("cards", ["g1,g1,g1,y2,y2", "g1,g1,g1,g1,y1", "g1,y2,y2,r1,r1"])
def test_equal_splits_share_a_number_and_the_others_stand_for_nothing(cards: str) -> None:
    state = do(to_deal(), NATURE, f"deal {cards}")
    texts = legal(state, 0)
    found = []
    for number in range(30):
        action = decode(state, number)
        text = text_of(action)
        if text in texts:
            found.append(text)
            assert rules.number(KIT, state, action) == number
        else:
            assert text == "split /"
            assert rules.number(KIT, state, action) == NONE
            assert refusal(state, 0, text) == "JR-5"
    assert found == texts


@pytest.mark.parametrize("variant", VARIANTS)
def test_all_that_happens_in_a_game_round_trips(variant: str) -> None:
    for state, actor, text in random_game(variant, seed=11):
        if text:
            action = parse(text)
            assert text_of(action) == text
            number = rules.number(KIT, state, action)
            if actor == NATURE:
                assert number == NONE
            else:
                assert decode(state, number) == action


@pytest.mark.parametrize(
    "text",
    ["start 0", "start 1", "start 9", "pick 0", "pick 9", "deal g1", "deal g1,b3,r5,kraken,tortuga",
     "deal g1,g2,g3,g4,g5,y1,y2,y3,y4,y5", "crew g1 red", "crew kraken green", "crew tortuga red",
     "board kraken", "board skeleton", "board tortuga", "split /", "split g1,g2,g3,g4,g5/",
     "split /g1", "split g1/g1"],
)  # fmt: skip
def test_texts_without_a_number_round_trip_too(text: str) -> None:
    action = parse(text)
    assert text_of(action) == text
    assert rules.number(KIT, new_game(), action) == NONE


def test_records_beyond_the_texts_have_no_number() -> None:
    action = record(Action)
    action.args[:] = NONE
    for verb, *args in [
        (PICK, -1), (PICK, 3), (CREW, -1, 0), (CREW, SKELETON, 4), (CREW, SKELETON, -1),
        (CREW, 20, 4), (PARROTS, -1, 0), (PARROTS, 23, 0), (PARROTS, 0, 4), (PARROTS, 0, -1),
        (BOARD, -1), (BOARD, 20), (PLAY_KRAKEN, 4), (PLAY_KRAKEN, -2), (START, 0), (DEAL, 0),
    ]:  # fmt: skip
        action.verb = verb
        action.args[: len(args)] = args
        assert rules.number(KIT, new_game(), action) == NONE


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "split", "split ", "split g1", "split g1,g2", "split g1/g2/g3", "split g1//g2",
        "split g1,/g2", "split ,g1/g2", "split g1/ g2", "split g1 / g2", "split g1/g6", "split /,",
        "split g1,g1,g1,g1,g2,g2/y1", "split G1/g2", "split parrot:g1/g2", "split g1/g2 ",
        "pick", "pick ", "pick -1", "pick 10", "pick 01", "pick +1", "pick one", "pick 1 2",
        "pick ١", "pick １", "pick ²", "Pick 1", "pick  1", " pick 1", "pick 1\n", "pick\t1",
        "crew", "crew g1", "crew green", "crew g1 greem", "crew g0 green", "crew g6 green",
        "crew g1 g", "crew g1 green red", "crew  g1 green", "crew parrot:g1 green",
        "crew g1 Green", "crew g1,g2 green", "crew ? green", "crew g1 none",
        "parrot", "parrot g1", "parrot g1 none", "parrot:g1 green", "parrot k1 green",
        "board", "board g1 green", "board g1,g2", "board none", "board ",
        "kraken", "kraken None", "kraken green red", "kraken g1", "kraken ", "kraken kraken",
        "tortuga ", "tortuga none", "tortuga green", "Tortuga", "skeleton", "skeleton green",
        "start", "start -1", "start 10", "start x", "start 0 ",
        "deal", "deal ", "deal g1,", "deal ,g1", "deal g1 g2", "deal g1/g2", "deal ?",
        "deal g1,g1,g1,g1,g2,g2,g2,g3,g3,g4,g4", "pass", "g1", "fold", "crew\u00a0g1\u00a0green",
        "board g1\x00", "board g1\u2028", "board g١",
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


WORDS = [*CARDS, *SHIPS, "none", "1", "2", "3", "", ",", "/", "g1,g2/y1,y2,b1", "g1,g2,y1,y2,b1"]
VERBS = ["split", "pick", "crew", "parrot", "board", "kraken", "tortuga", "start", "deal"]
STATES = [
    new_game(),
    to_deal(),
    do(to_deal(), NATURE, "deal g1,g2,y1,y2,b1"),
    do(do(to_deal(), NATURE, "deal g1,g2,y1,y2,b1"), 0, "split g1,g2/y1,y2,b1"),
]


@given(
    st.sampled_from(VERBS),
    st.lists(st.sampled_from(WORDS), max_size=3),
    st.sampled_from(STATES),
    st.sampled_from([NATURE, 0, 1]),
)
@settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True)
def test_any_words_are_bad_notation_or_refused_or_done(
    verb: str, words: list[str], state: State, actor: int
) -> None:
    text = " ".join([verb, *words])
    try:
        rule = refusal(state, actor, text)
    except BadNotation:
        return
    assert rule is None or rule.startswith("JR-")
    if rule is None and actor != NATURE:
        assert text_of(parse(text)) in legal(state, actor)


@given(st.lists(st.sampled_from(CARDS), max_size=11), st.sampled_from(VARIANTS))
@settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True)
def test_any_deal_is_refused_or_dealt(cards: list[str], variant: str) -> None:
    state = to_deal(variant)
    try:
        rule = refusal(state, NATURE, "deal " + ",".join(cards))
    except BadNotation:
        return
    assert rule in (None, "JR-1", "JR-5", "JR-C1", "JR-C2")
    assert rule is not None or len(cards) == 5
    if rule is None:
        after = do(state, NATURE, "deal " + ",".join(cards))
        assert sorted(position(after)["offer"]) == sorted(cards)

"""Positions as text, both ways, and positions that cannot occur."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarterdeck.contract import CHANCE, NATURE, OVER, BadPosition
from quarterdeck.games.jolly_roger import positions
from quarterdeck.games.jolly_roger.state import State

from ..helpers import INTERPRETED
from .helpers import (
    CARDS,
    COPIES,
    KIT,
    PIRATES,
    SHIPS,
    VARIANTS,
    Position,
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

GAMES = 1 if INTERPRETED else 6
EXAMPLES = 30 if INTERPRETED else 400


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(GAMES))
def test_every_state_of_a_game_round_trips_byte_for_byte(variant: str, seed: int) -> None:
    for state, _, _ in random_game(variant, seed):
        shown = position(state)
        again = state_of(**shown)
        assert again.tobytes() == state.tobytes()
        assert position(again) == shown
        # and so it does without what follows from the rest
        for key in ("phase", "turn", "strengths", "captains"):
            if key != "phase" or shown["phase"] != "over":
                kept = {other: value for other, value in shown.items() if other != key}
                assert state_of(**kept).tobytes() == state.tobytes(), key


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_position_leaves_out_what_is_empty(variant: str) -> None:
    assert state_of(variant).tobytes() == new_game(variant).tobytes()
    shown = position(state_of(variant, splitter=1, hands=[[], ["g1"]]))
    assert shown == position(new_game(variant)) | {
        "phase": "play",
        "splitter": 1,
        "hands": [[], ["g1"]],
    }


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({}, {"phase": "start", "splitter": None, "turn": 1}),
        ({"splitter": None}, {"phase": "start"}),
        ({"splitter": 1}, {"phase": "deal", "splitter": 1, "turn": 1}),
        ({"splitter": 0, "offer": ["g1", "g2", "g3", "g4", "g5"]}, {"phase": "split", "turn": 1}),
        ({"splitter": 0, "sets": [["g1", "g2"], ["g3", "g4", "g5"]]}, {"phase": "pick"}),
        ({"splitter": 0, "hands": [["g1"], []]}, {"phase": "play", "turn": 1}),
        ({"splitter": 1, "hands": [["g1"], ["g2"]]}, {"phase": "play"}),
        # the first turn in which so many cards can lie there
        ({"splitter": 1, "crews": {"green": [["g1"], []]}}, {"phase": "deal", "turn": 2}),
        ({"splitter": 1, "chests": [["g1"] * 4, []]}, {"turn": 2}),
        ({"splitter": 1, "crews": {"green": [["g1"] * 4, ["g2"]]}}, {"turn": 2}),
        ({"splitter": 1, "chests": [["g1"] * 4 + ["g2"], []]}, {"turn": 3}),
        ({"splitter": 1, "chests": [["g1"] * 3, ["g2"] * 3]}, {"turn": 3}),
        ({"splitter": 1, "crews": {"green": [["g1"] * 4, ["g2"]]}, "hands": [[], ["y1"]]},
         {"turn": 2}),
        ({"splitter": 1, "crews": {"green": [["g1"] * 4, []]}, "hands": [[], ["y1"]]}, {"turn": 1}),
        ({"splitter": 1, "crews": {"green": [[], ["g1"] * 4]}, "hands": [[], ["y1"]]}, {"turn": 2}),
        # JR-7: what the splitter has there is not of this turn while the picker plays
        ({"splitter": 1, "crews": {"green": [[], ["g1"]]}, "hands": [["y2"], ["y1"]]}, {"turn": 2}),
        ({"phase": "over", "splitter": 0}, {"turn": 8}),
        ({"phase": "deal", "splitter": 0, "turn": 8}, {"turn": 8}),
    ],
)  # fmt: skip
def test_what_follows_from_the_rest_may_be_left_out(keys: Position, expected: Position) -> None:
    shown = position(state_of(**keys))
    assert {key: shown[key] for key in expected} == expected


def test_cards_without_an_order_may_come_in_any() -> None:
    state = state_of(
        turn=3,
        splitter=0,
        sets=[["skeleton", "g1"], ["r2", "y1", "b5"]],
        chests=[["r1", "g2"], []],
        removed=["tortuga", "y5", "kraken"],
    )
    shown = position(state)
    assert shown["sets"] == [["g1", "skeleton"], ["y1", "b5", "r2"]]
    assert shown["chests"] == [["g2", "r1"], []]
    assert shown["removed"] == ["y5", "kraken", "tortuga"]


@pytest.mark.rule("JR-12")
def test_the_order_of_a_crew_is_kept() -> None:
    crew = ["r5", "parrot:kraken", "g1", "skeleton", "parrot:g1"]
    state = state_of(splitter=0, crews={"green": [[], crew]}, removed=["tortuga"])
    assert position(state)["crews"]["green"][1] == crew


# Positions that cannot occur -----------------------------------------------------------------

PLAY = {
    "phase": "play",
    "variant": "advanced",
    "turn": 3,
    "splitter": 0,
    "hands": [["g1", "kraken"], ["r3"]],
    "crews": {"green": [["g2", "parrot:r5"], ["g3"]], "red": [["skeleton"], []]},
    "chests": [["g4"], ["y1", "y1"]],
    "removed": ["b2", "kraken"],
}
FULL = {
    "phase": "play",
    "variant": "advanced",
    "turn": 1,
    "splitter": 0,
    "hands": [["g1", "g1"], []],
    "crews": {"green": [[], ["g2", "g2", "g2"]]},
}
SPLIT = {"phase": "split", "turn": 1, "splitter": 1, "offer": ["g1", "g2", "g3", "g4", "g5"]}
PICK = {"phase": "pick", "turn": 1, "splitter": 1, "sets": [["g1", "g2"], ["g3", "g4", "g5"]]}
DEAL = {"phase": "deal", "turn": 2, "splitter": 0, "crews": {"red": [["r1"], ["r2", "r3"]]}}
OVER_ = {"phase": "over", "turn": 8, "splitter": 0, "chests": [["g1"], ["g2"]]}

BAD = [
    # the good position, what is changed in it, the rule
    (PLAY, {"phase": "playing"}, None),
    (PLAY, {"phase": None}, None),
    (PLAY, {"phase": 4}, None),
    (PLAY, {"phase": ["play"]}, None),
    (PLAY, {"variant": "intro"}, None),
    (PLAY, {"variant": None}, None),
    (PLAY, {"scores": [0, 0]}, None),
    (PLAY, {"pile": []}, None),
    # whose turn
    (PLAY, {"turn": 0}, None),
    (PLAY, {"turn": 9}, None),
    (PLAY, {"turn": "3"}, None),
    (PLAY, {"turn": 3.0}, None),
    (PLAY, {"turn": True}, None),
    (PLAY, {"turn": None}, None),
    (PLAY, {"turn": 10**30}, None),
    (PLAY, {"turn": 2}, "JR-5"),
    (PLAY, {"splitter": None}, "JR-4"),
    (PLAY, {"splitter": 2}, None),
    (PLAY, {"splitter": -1}, None),
    (PLAY, {"splitter": "0"}, None),
    (PLAY, {"splitter": False}, None),
    (PLAY, {"splitter": 1, "hands": [["g1"], []]}, "JR-7"),
    (DEAL, {"splitter": None}, "JR-4"),
    (DEAL, {"turn": 1}, "JR-5"),
    (DEAL, {"phase": "start"}, "JR-4"),
    (DEAL, {"phase": "start", "splitter": None}, "JR-4"),
    (DEAL, {"phase": "start", "splitter": None, "crews": {}}, "JR-4"),
    (DEAL, {"phase": "start", "splitter": None, "turn": 1}, "JR-5"),
    (OVER_, {"turn": 7}, "JR-19"),
    (OVER_, {"splitter": None}, "JR-4"),
    # cards
    (PLAY, {"hands": [["g1", "kraken"]]}, None),
    (PLAY, {"hands": None}, None),
    (PLAY, {"hands": {"0": []}}, None),
    (PLAY, {"hands": [["g1"], "r3"]}, None),
    (PLAY, {"hands": [["g1"], ["r6"]]}, None),
    (PLAY, {"hands": [["g1"], ["?"]]}, None),
    (PLAY, {"hands": [["g1"], ["parrot:r3"]]}, None),
    (PLAY, {"hands": [["g1"], [3]]}, None),
    (PLAY, {"hands": [["g1"], [None]]}, None),
    (PLAY, {"hands": [["g1"], [["g1"]]]}, None),
    (PLAY, {"hands": [[], ["r3"]]}, "JR-7"),
    (PLAY, {"hands": [[], []]}, "JR-7"),
    (PLAY, {"hands": [["g1", "g1", "g1"], ["y2", "y2", "y3"]]}, "JR-5"),
    (PLAY, {"hands": [["g1", "g1", "y2", "y2", "y3"], []]}, "JR-5"),
    (PLAY, {"hands": [["g1"], ["r5"]]}, "JR-C1"),  # a parrot
    (PLAY, {"hands": [["g1"], ["g5", "g5", "g5"]]}, "JR-C1"),
    (PLAY, {"hands": [["kraken"] * 3, []]}, "JR-C2"),
    (PLAY, {"offer": ["g1"]}, "JR-5"),
    (PLAY, {"sets": [["g1"], []]}, "JR-5"),
    (SPLIT, {"offer": ["g1", "g2", "g3", "g4"]}, "JR-5"),
    (SPLIT, {"offer": ["g1", "g1", "g2", "g3", "g4", "g5"]}, "JR-5"),
    (SPLIT, {"offer": []}, "JR-5"),
    (SPLIT, {"offer": None}, None),
    (SPLIT, {"offer": "g1"}, None),
    (SPLIT, {"offer": ["g5", "g5", "g5", "g1", "g1"]}, "JR-C1"),
    (SPLIT, {"offer": ["tortuga", "tortuga", "tortuga", "g1", "g1"]}, "JR-C2"),
    (SPLIT, {"hands": [["y1"], []]}, "JR-5"),
    (SPLIT, {"phase": "deal"}, "JR-5"),
    (SPLIT, {"phase": "play"}, "JR-5"),
    (PICK, {"sets": [[], ["g3", "g4", "g5"]]}, "JR-5"),
    (PICK, {"sets": [["g1", "g2", "g3", "g4", "g5"], []]}, "JR-5"),
    (PICK, {"sets": [["g1", "g2", "g3", "g4"], ["g5", "y1"]]}, "JR-5"),
    (PICK, {"sets": [["g1", "g2"], ["g3", "g4"]]}, "JR-5"),
    (PICK, {"sets": [["g1", "g2"], ["g3", "g4", "g5"], []]}, None),
    (PICK, {"sets": []}, None),
    (PICK, {"phase": "split"}, "JR-5"),
    (DEAL, {"hands": [["g1"], []]}, "JR-5"),
    (OVER_, {"hands": [["g1"], []]}, "JR-5"),
    (OVER_, {"offer": ["g1", "g2", "g3", "g4", "g5"]}, "JR-5"),
    # crews
    (PLAY, {"crews": []}, None),
    (PLAY, {"crews": None}, None),
    (PLAY, {"crews": {"black": [[], []]}}, None),
    (PLAY, {"crews": {"red": []}}, None),
    (PLAY, {"crews": {"red": [[]]}}, None),
    (PLAY, {"crews": {"red": None}}, None),
    (PLAY, {"crews": {"red": [[], None]}}, None),
    (PLAY, {"crews": {"red": [[], "r1"]}}, None),
    (PLAY, {"crews": {"red": [[], ["r9"]]}}, None),
    (PLAY, {"crews": {"red": [[], ["parrot"]]}}, None),
    (PLAY, {"crews": {"red": [[], ["parrot:"]]}}, None),
    (PLAY, {"crews": {"red": [[], ["parrot:parrot:r1"]]}}, None),
    (PLAY, {"crews": {"red": [[], ["pirate:r1"]]}}, None),
    (PLAY, {"crews": {"red": [[], [":r1"]]}}, None),
    (PLAY, {"crews": {"red": [[], [5]]}}, None),
    (PLAY, {"crews": {"red": [[], ["kraken"]]}}, "JR-10"),
    (PLAY, {"crews": {"red": [["tortuga"], []]}}, "JR-10"),
    (PLAY, {"crews": {"red": [["r4", "parrot:r4"], []]}}, "JR-C1"),
    (PLAY, {"crews": {"red": [["skeleton"] * 3, []]}}, "JR-C2"),
    (PLAY, {"crews": {"red": [["g1"] * 300, []]}}, "JR-C1"),
    (PLAY, {"crews": {"red": [[*"abc"], []]}}, None),
    (DEAL, {"crews": {"red": [["g1", "g1", "g2", "g2", "y1"], []]}}, "JR-5"),
    (PLAY, {"strengths": {"red": [3, 0]}}, "JR-11"),
    (PLAY, {"strengths": None}, "JR-11"),
    (PLAY, {"captains": {"green": 1, "yellow": None, "blue": None, "red": 0}}, "JR-11"),
    (PLAY, {"captains": 0}, "JR-11"),
    # chests, and what is out of the game
    (PLAY, {"chests": [["g4"]]}, None),
    (PLAY, {"chests": None}, None),
    (PLAY, {"chests": [["g4"], ["y9"]]}, None),
    (PLAY, {"chests": [["g4"], ["skeleton"]]}, "JR-13"),
    (PLAY, {"chests": [["g4"], ["kraken"]]}, "JR-13"),
    (PLAY, {"chests": [["g4"], ["r5"]]}, "JR-C1"),
    (PLAY, {"chests": [["g4"], ["y1"] * 5]}, "JR-C1"),
    (PLAY, {"removed": None}, None),
    (PLAY, {"removed": "kraken"}, None),
    (PLAY, {"removed": ["parrot:g1"]}, None),
    (PLAY, {"removed": ["kraken"] * 3}, "JR-C2"),
    (PLAY, {"removed": ["g1"] * 5}, "JR-C1"),
    (PLAY, {"removed": ["g1"] * 500}, "JR-C1"),
    # what no Kraken removed, and no Tortuga turned
    (PLAY, {"removed": ["b2"]}, "JR-15"),
    (PLAY, {"removed": ["b2", "skeleton", "kraken"]}, "JR-15"),
    (PLAY, {"removed": ["b2", "tortuga"]}, "JR-15"),
    (PLAY, {"crews": {"red": [["g2"], []]}}, "JR-17"),
    (PLAY, {"crews": {"red": [["g2"], ["g3"]]}, "removed": ["tortuga"]}, "JR-17"),
    (PLAY, {"crews": {"red": [["parrot:r5", "g2"], []]}, "removed": ["tortuga"]}, "JR-17"),
    # nothing missing: who had what
    (FULL, {"chests": [["y1"], []], "hands": [["g1"], []]}, "JR-13"),  # and no crew there
    (FULL, {"crews": {"green": [["g3"], ["g2", "g2"]]}, "hands": [["g1"], ["y1"]]}, "JR-5"),
    (FULL, {"removed": ["kraken", "g4"], "hands": [["g1"], ["y3"]],
            "crews": {"green": [[], ["g2"]]}}, "JR-13"),  # before the splitter played anything
]  # fmt: skip


@pytest.mark.parametrize("good", [PLAY, FULL, SPLIT, PICK, DEAL, OVER_])
def test_the_good_positions_of_the_table_are_good(good: Position) -> None:
    shown = position(state_of(**good))
    for key, value in good.items():
        shown_value = {ship: shown[key][ship] for ship in value} if key == "crews" else shown[key]
        assert shown_value == value


@pytest.mark.parametrize(("good", "change", "rule"), BAD)
def test_what_cannot_occur_is_a_bad_position_and_names_the_rule(
    good: Position, change: Position, rule: str | None
) -> None:
    with pytest.raises(BadPosition) as error:
        positions.from_position(KIT, {"players": 2, "variant": "advanced"}, good | change)
    assert error.value.rule == rule


@pytest.mark.rule("JR-1")
@pytest.mark.parametrize(
    "change",
    [
        {"hands": [["skeleton"], []]},
        {"crews": {"red": [["parrot:kraken"], []]}},
        {"crews": {"red": [["skeleton"], []]}},
        {"removed": ["tortuga"]},
    ],
)
def test_the_introductory_game_has_no_special_cards(change: Position) -> None:
    good = {"phase": "play", "turn": 3, "splitter": 0, "hands": [["g1"], []]}
    assert state_of("intro", **good)
    with pytest.raises(BadPosition) as error:
        state_of("intro", **(good | change))
    assert error.value.rule == "JR-1"


@pytest.mark.rule("JR-5", "JR-19")
@pytest.mark.parametrize("variant", VARIANTS)
def test_more_cards_than_the_turns_bring_are_a_bad_position(variant: str) -> None:
    """Fifteen cards of one seat are the work of four turns."""
    cards = [f"parrot:{card}" for card in PIRATES[:15]]
    for turn in range(1, 6):
        enough = 4 * (turn - 1) >= 15
        keys = {"phase": "deal", "turn": turn, "splitter": 0, "crews": {"red": [cards, []]}}
        if enough:
            assert len(position(state_of(variant, **keys))["crews"]["red"][0]) == 15
        else:
            with pytest.raises(BadPosition):
                state_of(variant, **keys)


@pytest.mark.rule("JR-1", "JR-2", "JR-3", "JR-19")
@pytest.mark.parametrize(("variant", "most"), [("intro", 40), ("advanced", 40), ("all-cards", 43)])
def test_no_more_cards_are_seen_than_form_the_pile(variant: str, most: int) -> None:
    pirates = [card for card in PIRATES for _ in range(COPIES[card])]
    for count in range(38, 44):
        seen = [f"parrot:{card}" for card in pirates[:count]]
        crews = {ship: [seen[i::8], seen[i + 4 :: 8]] for i, ship in enumerate(SHIPS)}
        keys = {"phase": "over", "splitter": 0, "crews": crews}
        if count <= most:
            assert position(state_of(variant, **keys))["phase"] == "over"
        else:
            with pytest.raises(BadPosition) as error:
                state_of(variant, **keys)
            assert error.value.rule == "JR-19"


# Anything at all -----------------------------------------------------------------------------

NAMES = st.sampled_from([*CARDS, "?", "g0", "", "parrot:g1"])
LISTS = st.lists(NAMES, max_size=4)
PAIRS = st.lists(LISTS, min_size=2, max_size=2)
CREW = st.lists(st.sampled_from([*CARDS, *(f"parrot:{card}" for card in CARDS)]), max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | NAMES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(SHIPS), inner, max_size=3)
    ),
    max_leaves=8,
)
LIKELY = {
    "phase": st.sampled_from(["start", "deal", "split", "pick", "play", "over"]),
    "turn": st.integers(0, 11),
    "splitter": st.none() | st.integers(-1, 2),
    "offer": st.lists(st.sampled_from(CARDS), max_size=6),
    "sets": PAIRS,
    "hands": PAIRS,
    "crews": st.dictionaries(
        st.sampled_from(SHIPS), st.lists(CREW, min_size=2, max_size=2), max_size=4
    ),
    "strengths": JSON,
    "captains": JSON,
    "chests": PAIRS,
    "removed": LISTS,
}
POSITIONS = st.fixed_dictionaries(
    {},
    optional={
        key: st.one_of(likely, likely, likely, JSON)
        for key, likely in LIKELY.items()
        if key not in ("strengths", "captains")
    },
)


def play_on(state: State) -> None:
    """Plays to the end, always the last choice, and checks that it comes to one."""
    for draw in range(200):
        kind = node(state)
        if kind == OVER:
            break
        if kind == CHANCE:
            text = sampled(state, seed=1, draw=draw)
            assert refusal(state, NATURE, text) is None
            state = do(state, NATURE, text)
        else:
            (seat,) = to_act(state)
            state = do(state, seat, legal(state, seat)[-1])
    assert kind == OVER


def check_position(variant: str, keys: Position) -> None:
    """A position is refused as one, or else is a state from which the game goes on."""
    try:
        state = state_of(variant, **keys)
    except BadPosition:
        return
    assert state_of(**position(state)).tobytes() == state.tobytes()
    play_on(state)


@given(st.sampled_from(VARIANTS), POSITIONS)
@settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True)
def test_any_position_is_playable_or_bad(variant: str, keys: Position) -> None:
    check_position(variant, keys)


@given(st.sampled_from([PLAY, SPLIT, PICK, DEAL, OVER_]), st.data())
@settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True)
def test_a_good_position_with_one_key_changed_is_playable_or_bad(
    good: Position, data: st.DataObject
) -> None:
    key = data.draw(st.sampled_from(sorted(LIKELY)))
    value = data.draw(st.one_of(LIKELY[key], JSON))
    keys = {other: kept for other, kept in good.items() if other != "variant"} | {key: value}
    check_position("advanced", keys)


@pytest.mark.rule("JR-5")
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_longest_crew_still_grows(variant: str) -> None:
    """One seat got four cards in each turn and put them all on one ship; so it goes on."""
    pack = [card for card in PIRATES for _ in range(2 if card in ("g1", "y1", "b1", "r1") else 1)]
    crew = [f"parrot:{card}" for card in pack[:24]]
    state = state_of(variant, phase="deal", splitter=0, turn=7, crews={"red": [crew, []]})
    for turn in range(7, 11 if variant == "all-cards" else 9):
        splitter = int(state.splitter)
        state = do(state, NATURE, sampled(state, seed=turn))
        cards = position(state)["offer"]
        four, one = ",".join(cards[:4]), cards[4]
        state = do(state, splitter, f"split {four}/{one}")
        state = do(state, 1 - splitter, "pick 2" if splitter == 0 else "pick 1")
        while node(state) not in (CHANCE, OVER):
            (seat,) = to_act(state)
            card = position(state)["hands"][seat][0]
            state = do(state, seat, f"parrot {card} red")
    assert node(state) == OVER
    assert len(position(state)["crews"]["red"][0]) == (40 if variant == "all-cards" else 32)

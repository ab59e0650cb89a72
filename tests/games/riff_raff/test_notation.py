"""Texts and positions of Riff Raff, both ways."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarterdeck.contract import BadNotation, BadPosition

from .helpers import BENCH, PLAYERS, SHAPES, parse, position, random_game, state_of, turn

PIECES = st.sampled_from(SHAPES)
AREAS = st.integers(1, 10)


@pytest.mark.parametrize(
    "text",
    [
        "card 1", "card 10", "captain 3", "order 1,2", "order 3,0,2", "announce 1", "take rat",
        "start 2", "settle crate=7", "settle crate=astray", "settle crate=fell",
        "settle crate=back fell rat@5", "settle crate=7 moved crate@7=5,rat@8=2",
        "settle crate=fell moved rat@1=2 fell boat@3,boat@3 caught crate,plank@9",
    ],
)  # fmt: skip
def test_texts_come_back(text: str) -> None:
    assert BENCH.text(parse(text)) == text


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("settle rat=7 fell rat@9,boat@2", "settle rat=7 fell boat@2,rat@9"),
        ("settle rat=7 moved rat@9=1,boat@2=3", "settle rat=7 moved boat@2=3,rat@9=1"),
        ("settle rat=fell caught boat@2,rat", "settle rat=fell caught rat,boat@2"),
    ],
)
def test_lists_have_one_order(said: str, text: str) -> None:
    assert BENCH.text(parse(said)) == text


@pytest.mark.parametrize(
    "text",
    [
        "", "card", "card x", "card 1 2", "card -1", "card ١", "take", "take cat", "take rat@5",
        "settle", "settle rat", "settle rat=", "settle rat=11", "settle rat=0", "settle rat=7 fell",
        "settle rat=7 fell rat", "settle rat=7 caught rat@11", "settle rat=7 moved rat@5",
        "settle rat=7 caught boat@2 fell boat@3", "settle rat=7 lost boat@2", "sink",
        "settle rat=fell caught rat,rat", "order 1,2,3,0,1", "captain 1,2",
        "settle rat=7 fell " + ",".join(["rat@5"] * 5),
    ],
)  # fmt: skip
def test_other_texts_are_no_actions(text: str) -> None:
    with pytest.raises(BadNotation):
        parse(text)


@settings(max_examples=60)
@given(
    piece=PIECES,
    end=st.one_of(AREAS.map(str), st.sampled_from(["astray", "back", "fell"])),
    moved=st.lists(st.tuples(PIECES, AREAS, AREAS), max_size=6),
    fell=st.lists(st.tuples(PIECES, AREAS), max_size=4),
    caught=st.lists(st.tuples(PIECES, AREAS), max_size=4),
    own=st.booleans(),
)
def test_settlings_come_back(
    piece: str,
    end: str,
    moved: list[tuple[str, int, int]],
    fell: list[tuple[str, int]],
    caught: list[tuple[str, int]],
    own: bool,
) -> None:
    words = [f"settle {piece}={end}"]
    if moved:
        words.append("moved " + ",".join(f"{p}@{a}={b}" for p, a, b in moved))
    if fell:
        words.append("fell " + ",".join(f"{p}@{a}" for p, a in fell))
    if caught or own:
        words.append("caught " + ",".join([piece] * own + [f"{p}@{a}" for p, a in caught]))
    action = parse(" ".join(words))
    text = BENCH.text(action)
    assert parse(text).tobytes() == action.tobytes()
    assert sorted(text.replace(",", " ").split()) == sorted(
        " ".join(words).replace(",", " ").split()
    )


@pytest.mark.parametrize("players", PLAYERS)
def test_every_position_comes_back(players: int) -> None:
    for state, _, _ in random_game(players, 77):
        back = state_of(players, world="fitted", **position(state))
        assert back.tobytes() == state.tobytes()


@pytest.mark.parametrize(
    ("given", "phase"),
    [
        ({}, "start"),
        ({"captain": 1}, "card"),
        ({"captain": 1, "played": [3, None]}, "card"),
        ({"captain": 1, "played": [3, 3]}, "captain"),
        ({"played": [3, 4]}, "take"),
        ({"played": [3, 4], "hand": "rat"}, "settle"),
        ({"played": [7, 4], "aboard": {"7": ["rat"]}}, "announce"),
        ({"played": [7, 4], "aboard": {"7": ["rat"]}, "announced": 2}, "take"),
    ],
)
def test_what_a_position_leaves_out_follows(given: dict[str, Any], phase: str) -> None:
    assert position(state_of(2, **given))["phase"] == phase


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"supply": [["rat"] * 5, ["boat"]]}, "RR-C2"),
        ({"aboard": {"11": ["rat"]}}, "RR-C1"),
        ({"aboard": {"1": ["cat"]}}, "RR-C2"),
        ({"captain": 0, "played": [11, None]}, "RR-C2"),
        ({"captain": 0, "cards": [[1, 1], [1, 2]]}, "RR-C2"),
        ({"captain": 0, "cards": [[1, 2, 3], [1, 2]]}, "RR-3"),
        ({"captain": 0, "cards": [[1, 2, 3], [1, 2, 3]], "round": 2}, "RR-6"),
        ({"played": [3, 4], "last": [1, 2]}, "RR-6"),
        ({"played": [3, 4], "captain": 0, "active": 0}, "RR-4"),
        ({"played": [3, 4], "order": [0, 1]}, "RR-5"),
        ({"played": [3, 3]}, "RR-4"),
        ({"phase": "order", "played": [3, 4]}, "RR-5"),
        ({"phase": "captain", "played": [3, 4], "captain": 0}, "RR-4"),
        ({"phase": "card"}, "RR-2"),
        ({"phase": "take", "captain": 0}, "RR-3"),
        ({"played": [3, 4], "announced": 2}, "RR-R7"),
        ({"played": [7, 4], "aboard": {"7": ["rat"]}, "phase": "take", "announced": None}, "RR-9"),
        ({"played": [7, 4], "aboard": {"7": ["rat"]}, "announced": 1, "loaded": 1}, "RR-9"),
        ({"played": [3, 4], "phase": "settle"}, "RR-8"),
        ({"captain": 0, "supply": [[], ["rat"]]}, "RR-17"),
        ({"played": [3, 4], "phase": "over"}, "RR-18"),
        ({"played": [3, 4], "poses": {"ship": [0, 0], "pieces": [{"piece": "rat", "area": 3}]}},
         "RR-R8"),
    ],
)  # fmt: skip
def test_positions_that_cannot_be_are_refused(given: dict[str, Any], rule: str) -> None:
    with pytest.raises(BadPosition) as caught:
        state_of(2, **given)
    assert caught.value.rule == rule


@pytest.mark.parametrize(
    "given",
    [
        {"players": 3}, {"wind": 1}, {"round": "1"}, {"phase": "sail"}, {"captain": 5},
        {"supply": {}}, {"aboard": []}, {"cards": [[1]]}, {"captain": True},
        {"played": [3, 4], "poses": []}, {"aboard": {"1": "rat"}},
    ],
)  # fmt: skip
def test_nonsense_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(BadPosition):
        state_of(2, **given)


def test_orders_of_equals_have_to_be_given() -> None:
    with pytest.raises(BadPosition, match="order"):
        state_of(3, played=[9, 4, 4], phase="take")
    state = turn(9, 4, 4, order=[0, 2, 1], active=2)
    assert position(state)["active"] == 2


def test_every_number_comes_back() -> None:
    state = state_of(4, captain=0)
    for number in range(BENCH.game.records.ACTIONS):
        assert BENCH.number(state, BENCH.text(BENCH.decode(state, number))) == number


@pytest.mark.parametrize(
    "text",
    [
        "start 1", "settle rat=7", "card 0", "card 11", "captain 4", "announce 0", "announce 3",
        "order 1", "order 0,1,2,3", "order 1,4", "order 4,1",
    ],
)  # fmt: skip
def test_what_no_seat_can_do_has_no_number(text: str) -> None:
    assert BENCH.number(state_of(4, captain=0), text) == -1

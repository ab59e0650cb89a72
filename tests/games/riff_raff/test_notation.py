"""Texts of Riff Raff, both ways."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarterdeck.contract import BadNotation

from .helpers import BENCH, SHAPES, parse, state_of

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

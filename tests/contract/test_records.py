"""Records declared by annotations, and what the type checker sees of them."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from quarterdeck.contract import (
    Array,
    Cube,
    Float64,
    Grid,
    Int8,
    Int16,
    Int64,
    Record,
    boxed,
    compiled,
    copy_record,
    record,
    record_of,
    records,
    records_of,
    shape,
)

PROJECT = Path(__file__).parents[2]


class Hand(Record):
    """A record with a field of every form, one of them named like a method of numpy's."""

    seat: Int8
    round: Int16
    cards: Array[Int8] = shape(3)
    pad: Grid[Int16] = shape(2, 3)
    weights: Cube[Float64] = shape(2, 1, 2)


def test_the_numpy_type_follows_from_the_annotations() -> None:
    kind = Hand.dtype
    told = [(name, kind[name].base.name, kind[name].shape) for name in kind.names or ()]
    assert told == [
        ("seat", "int8", ()),
        ("round", "int16", ()),
        ("cards", "int8", (3,)),
        ("pad", "int16", (2, 3)),
        ("weights", "float64", (2, 1, 2)),
    ]
    assert Hand.dtype.itemsize == 1 + 2 + 3 + 12 + 32  # packed: nothing between the fields


def test_fields_are_written_and_read_by_name() -> None:
    hand = record(Hand)
    hand.seat, hand.round = 3, 7
    hand.cards[1] = 5
    hand.pad[1][2] = -4
    assert (hand.seat, hand.round, hand.cards.tolist()) == (3, 7, [0, 5, 0])
    assert hand.pad[1, 2] == -4


def test_copies_share_nothing() -> None:
    hand = record(Hand)
    other, box = copy_record(hand), boxed(hand)
    again, pickled = copy.deepcopy(hand), pickle.loads(pickle.dumps(hand))
    hand.cards[0] = 1
    for one in (other, box[0], again, pickled):
        assert isinstance(one, Hand)
        assert one.cards[0] == 0


def test_bytes_both_ways() -> None:
    hand = record(Hand)
    hand.weights[1, 0, 1] = 2.5
    back = records_of(Hand, hand.tobytes())
    assert len(back) == 1
    back[0].seat = 1  # an array of its own
    fixed = record_of(Hand, hand.tobytes())
    assert fixed.weights[1, 0, 1] == 2.5
    with pytest.raises(ValueError, match="read-only"):
        fixed.seat = 1


@compiled
def deal(hand: Hand, cards: Array[Int8], by: int) -> int:
    """Small integers and nested lists are handed over alike."""
    made = records(Hand, 2)
    made[1].seat = by
    hand.cards[0] = cards[0] + by
    return made[1].seat + hand.round


@compiled
def deal_to_itself(hand: Hand) -> int:
    return deal(hand, hand.cards, hand.seat)


def test_compiled_functions_are_compiled_once_for_their_annotations() -> None:
    hand = record(Hand)
    hand.seat, hand.round = 2, 40
    assert deal(hand, np.array([5, 6], np.int8), 2) == 42
    assert deal(hand, hand.cards, True) == 41
    assert deal_to_itself(hand) == 42
    assert hand.cards[0] == 10
    if hasattr(deal, "signatures"):
        assert len(deal.signatures) == 1
        with pytest.raises(TypeError, match="No matching definition"):
            deal(hand, np.array([5, 6], np.int64), 2)


def test_a_list_without_its_length_is_refused() -> None:
    with pytest.raises(TypeError, match=r"cards needs shape\(\.\.\.\) with 1 lengths"):

        class Wrong(Record):
            cards: Array[Int8]


def test_what_is_no_type_of_a_field_is_refused() -> None:
    with pytest.raises(TypeError, match="no type of a record's field"):

        class Wrong(Record):
            cards: list[int]


PLANTED = """
from quarterdeck.contract import Array, Int8, Record, record, shape

class Hand(Record):
    seat: Int8
    cards: Array[Int8] = shape(3)

hand = record(Hand)
hand.seat = hand.cards[0]
"""

COMPLAINTS = {
    "hand.seta = 1": 'has no attribute "seta"',
    "print(hand.crads[0])": 'has no attribute "crads"',
    "hand.seat = '3'": "Incompatible types in assignment",
    "hand.cards = 3": "Incompatible types in assignment",
    "hand.cards[0] = 'x'": "Incompatible types in assignment",
}


def test_the_type_checker_sees_into_a_record(tmp_path: Path) -> None:
    """A misspelt or mistyped field fails the check, and nothing else does."""
    source = tmp_path / "planted.py"
    source.write_text(PLANTED + "\n".join(COMPLAINTS))
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(source)],
        cwd=PROJECT,
        env={"MYPYPATH": "src", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    *told, summary = done.stdout.splitlines()
    first = PLANTED.count("\n") + 1
    assert summary.startswith(f"Found {len(COMPLAINTS)} errors"), done.stdout
    for line, (complaint, said) in enumerate(zip(COMPLAINTS.values(), told, strict=True), first):
        assert f"planted.py:{line}: " in said
        assert complaint in said


def test_wide_numbers_stay_whole() -> None:
    class Wide(Record):
        number: Int64

    wide = record(Wide)
    wide.number = 1 << 62
    assert wide.number == 1 << 62

"""Game records: one JSON object a game, or many as JSON lines.

What is not known is refused: an unknown key, a key that is there twice, a wrong type, anything
longer or deeper than a record can be.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from quarterdeck.contract import Actor, BadRecord, excerpt

from .fairness import CommitReveal, Seeded
from .roster import RosterProof

LARGEST_RECORD = 1 << 23
"""Bytes. A long game in a live world, with all resting poses, has a few hundred thousand."""
LONGEST_LOG = 100_000
LONGEST_ACTION = 4_000
LARGEST_TIME = 2**53  # milliseconds, as browsers count them
MOST_SEATS = 64
LONGEST_NAME = 500  # a program that plays is named by its whole command
MOST_OPTIONS = 64
DEEPEST = 32
"""Lists and objects within each other, in what the game or the physics declares."""

Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
Seats = Annotated[list[int], Meta(max_length=MOST_SEATS)]


class Entry(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """One line of a log: who did what. The rules read neither `at` nor `via` nor `with`."""

    by: int | Literal["nature"]
    do: Annotated[str, Meta(max_length=LONGEST_ACTION)]
    at: Annotated[int, Meta(ge=-LARGEST_TIME, le=LARGEST_TIME)] | None = None
    via: Literal["bot", "timeout"] | None = None
    attached: dict[str, Any] | None = msgspec.field(default=None, name="with")


class Outcome(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """How a game ended; before its end nobody has won. Of two seats one may have resigned."""

    scores: Seats
    winners: Seats
    resigned: int | None = None


class GameRecord(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A game from its options, or from a position, through its log to its outcome."""

    quarterdeck: Literal[1]
    game: Name
    options: Annotated[dict[str, Any], Meta(max_length=MOST_OPTIONS)]
    log: Annotated[list[Entry], Meta(max_length=LONGEST_LOG)]
    kit: Name | None = None
    seats: Annotated[list[Name], Meta(max_length=MOST_SEATS)] = []
    position: dict[str, Any] | None = None
    outcome: Outcome | None = None
    fairness: RosterProof | CommitReveal | Seeded | None = None


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(GameRecord)


def actor_name(actor: int) -> Actor:
    """A seat as it is, nature by its name."""
    return "nature" if actor < 0 else actor


def write_record(record: GameRecord) -> bytes:
    """The record as one line of JSON, without the line's end."""
    return _encoder.encode(record)


def read_record(data: bytes) -> GameRecord:
    """The record a JSON object stands for. Raises `BadRecord`, saying where it is wrong."""
    if len(data) > LARGEST_RECORD:
        said = f"{len(data)} bytes, beginning with {excerpt(bytes(data[:60]))}"
        raise BadRecord(f"this is no game record: {said}; it has {LARGEST_RECORD} at most")
    try:
        record = _decoder.decode(data)
        _check_keys(record, data)
    except msgspec.DecodeError as error:
        raise BadRecord(f"this is no game record: {error}") from error
    except (ValueError, RecursionError) as error:  # not UTF-8, too long a number, too deep
        raise BadRecord("this is no game record: not readable as JSON") from error
    _check_depth(record)
    return record


def _check_keys(record: GameRecord, data: bytes) -> None:
    """Keys are there once, and those of a proof are known."""
    tree = msgspec.json.decode(data)
    # Decoders take the last of equal keys; which one somebody else reads is anybody's guess. What
    # is written as we write it comes out as it went in only if no key was lost.
    if _encoder.encode(tree) != data:
        json.loads(data, object_pairs_hook=_single)
    # the older kinds of proof do not say by themselves that they have no other keys
    proof = record.fairness
    if proof is not None and not proof.__struct_config__.forbid_unknown_fields:
        strange = _strange_key(tree["fairness"], msgspec.to_builtins(proof))
        if strange is not None:
            raise BadRecord(f"this is no game record: 'fairness' has no key {excerpt(strange)}")


def _strange_key(tree: Any, known: Any) -> str | None:
    """A key somewhere in a tree that is not in what was read of it."""
    if isinstance(tree, dict):
        pairs = [(tree[key], known[key]) for key in tree if key in known]
        strange = next((key for key in tree if key not in known), None)
    elif isinstance(tree, list):
        pairs, strange = list(zip(tree, known, strict=True)), None
    else:
        return None
    for pair in pairs:
        strange = _strange_key(*pair) if strange is None else strange
    return strange


def _single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = dict(pairs)
    if len(keys) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise BadRecord(f"this is no game record: the key {excerpt(twice)} is there twice")
    return keys


def _check_depth(record: GameRecord) -> None:
    """What is declared here has its depth; what the game or the physics declares is bounded."""
    for where, tree in (("options", record.options), ("position", record.position)):
        if _is_deep(tree, DEEPEST):
            raise BadRecord(f"{where!r} has more than {DEEPEST} lists and objects in each other")
    for index, entry in enumerate(record.log):
        if entry.attached is not None and _is_deep(entry.attached, DEEPEST):
            said = f"'with' has more than {DEEPEST} lists and objects in each other"
            raise BadRecord(said, at=index)


def _is_deep(tree: object, most: int) -> bool:
    """Whether so many lists and objects, and one more, lie in each other."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    if not isinstance(tree, list):
        return False
    return most == 0 or any(
        _is_deep(each, most - 1) for each in tree if type(each) is list or type(each) is dict
    )


class Records:
    """The records of a file, each decoded when it is its turn; how many there are is known at once.

    A line that is no record comes out as its error, so that those after it can still be read.
    """

    def __init__(self, data: bytes) -> None:
        lines = [(n, line) for n, line in enumerate(data.splitlines(), start=1) if line.strip()]
        self._lines = lines
        self._only: GameRecord | BadRecord | None = None
        try:
            self._only = read_record(data)
        except BadRecord as error:
            if not _is_one_a_line([line for _, line in lines]):
                self._only = error

    def __len__(self) -> int:
        return len(self._lines) if self._only is None else 1

    def __iter__(self) -> Iterator[GameRecord | BadRecord]:
        if self._only is not None:
            yield self._only
            return
        for number, line in self._lines:
            try:
                yield read_record(line)
            except BadRecord as error:
                yield BadRecord(f"line {number}: {error.message}", at=error.at)


def read_records(path: Path) -> Records:
    """The records of a file: one JSON object over any number of lines, or one on each line."""
    try:
        return Records(path.read_bytes())
    except OSError as error:
        raise BadRecord(f"cannot read {str(path)!r}: {error.strerror}") from error


def _is_one_a_line(lines: Sequence[bytes]) -> bool:
    """Whether these are records, if not all of them good ones: the first is JSON, or some say what
    they are. One record over many lines may have an entry on each, but not this."""
    keys = (_keys_of(line) for line in lines)
    return len(lines) > 1 and any(
        "quarterdeck" in found or (place == 0 and found != {}) for place, found in enumerate(keys)
    )


def _keys_of(line: bytes) -> dict[str, msgspec.Raw]:
    try:
        return msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, ValueError, RecursionError):
        return {}

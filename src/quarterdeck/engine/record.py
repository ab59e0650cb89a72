"""Game records: one JSON object a game, or many as JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from quarterdeck.contract import Actor, BadRecord

from .fairness import CommitReveal, Seeded
from .roster import RosterProof


class Entry(msgspec.Struct, omit_defaults=True):
    """One line of a log: who did what. The rules read neither `at` nor `via` nor `with`."""

    by: int | Literal["nature"]
    do: str
    at: int | None = None
    via: Literal["bot", "timeout"] | None = None
    attached: dict[str, Any] | None = msgspec.field(default=None, name="with")


class Outcome(msgspec.Struct, omit_defaults=True):
    """How a game ended; before its end nobody has won. Of two seats one may have resigned."""

    scores: list[int]
    winners: list[int]
    resigned: int | None = None


class GameRecord(msgspec.Struct, omit_defaults=True):
    """A game from its options, or from a position, through its log to its outcome."""

    quarterdeck: Literal[1]
    game: str
    options: dict[str, Any]
    log: list[Entry]
    kit: str | None = None
    seats: list[str] = []
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
    try:
        return _decoder.decode(data)
    except msgspec.DecodeError as error:
        raise BadRecord(f"this is no game record: {error}") from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise BadRecord("this is no game record: not readable as JSON") from error


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
            if len(lines) < 2 or not _is_json(lines[0][1]):
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
                yield BadRecord(f"line {number}: {error.message}")


def read_records(path: Path) -> Records:
    """The records of a file: one JSON object over any number of lines, or one on each line."""
    try:
        return Records(path.read_bytes())
    except OSError as error:
        raise BadRecord(f"cannot read {str(path)!r}: {error.strerror}") from error


def _is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True

"""What somebody who took part in a game has kept of it, to hold against its record afterwards.

A receipt holds every roster that was shown, one's own bytes, and one's own acts; of all links and
views only a rolling hash, with what it was rolled over. Whoever has only watched has one too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from quarterdeck.contract import BadRecord, Own, Shown

from .hashing import canon, hashed
from .roster import Count, Hash, Roster, Salt, SeatNumber

NOTHING = bytes(32)  # the rolling hash before anything was seen

Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]


class Attempt(Struct, forbid_unknown_fields=True):
    """A roster as it was shown, one's own bytes by seat, and all that were revealed, once they
    were shown. The server has confirmed what the own seats in `bound` have bound, and what those in
    `acked` have revealed."""

    attempt: Count
    roster: Roster
    names: list[str | None]
    salts: list[Salt | None]
    own: dict[SeatNumber, Hash]
    reveals: list[tuple[SeatNumber, Hash]] | None = None
    acked: list[SeatNumber] = []
    bound: list[SeatNumber] = []


MOST_RANGES = 4096

Ranges = Annotated[list[tuple[Number, Number]], Meta(max_length=MOST_RANGES)]
Plies = Annotated[list[tuple[Number, Number, list[SeatNumber]]], Meta(max_length=MOST_RANGES)]


class Seen(Struct, forbid_unknown_fields=True):
    """The links that were seen, as ranges of their numbers in the order they came, and their
    rolling hash. The same link twice in a row counts once."""

    ranges: Ranges = []
    hash: Hash = NOTHING.hex()


class SeenViews(Struct, forbid_unknown_fields=True):
    """The plies that were shown, each range with the own seats whose part came with it."""

    plies: Plies = []
    hash: Hash = NOTHING.hex()


class SentAct(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An act of one's own that the server has confirmed; `n` is the link that came with that."""

    seat: SeatNumber
    do: str
    n: Number | None = None


class Receipt(Struct, forbid_unknown_fields=True, rename={"version": "quarterdeck-receipt"}):
    """All that was kept of one table."""

    version: Literal[1]
    table: str
    seats: list[SeatNumber]
    attempts: list[Attempt] = []
    seen: Seen = msgspec.field(default_factory=Seen)
    shown: SeenViews = msgspec.field(default_factory=SeenViews)
    acts: list[SentAct] = []


def roll_link(rolled: bytes, n: int, link: bytes) -> bytes:
    """The rolling hash with another link."""
    return hashed("seen", rolled, n.to_bytes(8, "big"), link)


def roll_view(rolled: bytes, ply: int, view: bytes) -> bytes:
    """The rolling hash with another view."""
    return hashed("shown", rolled, ply.to_bytes(8, "big"), view)


def view_bytes(shown: Shown, owns: Sequence[Own]) -> bytes:
    """What was told of a ply, as bytes: the canonical form of what everybody is shown, and of the
    own parts of one's seats, as they are on the wire, without what tells of the moment."""
    return canon(msgspec.to_builtins({"shown": shown, "own": list(owns)}, str_keys=True))


def read_receipt(path: Path) -> Receipt:
    """The receipt in a file. Raises `BadRecord`, saying where it is wrong."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Receipt)
    except OSError as error:
        raise BadRecord(f"cannot read {str(path)!r}: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise BadRecord(f"this is no receipt: {error}") from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise BadRecord("this is no receipt: not readable as JSON") from error

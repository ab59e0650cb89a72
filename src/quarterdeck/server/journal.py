"""The journal of a table: everything that ever happened at it, in order. A table is its fold.

The game's log is the `Acted` entries; the rest is who sits where, what was said, and the clocks.
Times (`at`) are milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec import Struct

from quarterdeck.engine.roster import Roster

from .errors import DamagedJournal
from .protocol import Clock


class _Keyed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    key: str = ""  # of the request that brought it about, by which a repeat of it is known


class _Entry(_Keyed, frozen=True, tag_field="type", omit_defaults=True):
    at: int


class SeatMade(Struct, frozen=True):
    """A seat as the table was made: whose, and the hash of the token that opens it."""

    kind: Literal["open", "person", "bot"]
    name: str
    level: str
    token_hash: str
    program: bool = False


class Made(_Entry, frozen=True, tag="made"):
    """The table was made."""

    table: str
    game: str
    options: dict[str, Any]
    seats: tuple[SeatMade, ...]
    host: int
    clock: Clock
    bot_pace_ms: int
    grace_ms: int
    listed: bool
    secret: str
    hints: bool = False


class Joined(_Entry, frozen=True, tag="joined"):
    """A guest took a seat, or sent a program to play there."""

    seat: int
    name: str
    token_hash: str
    program: bool = False


class Left(_Entry, frozen=True, tag="left"):
    """A seat was given up, or taken from its guest by the host."""

    seat: int
    removed: bool = False


class Committed(_Entry, frozen=True, tag="committed"):
    """A seat bound random bytes of its own, for an attempt to begin. Without one it was done as it
    was before there were rosters, and binds nothing in a game that has not begun yet."""

    seat: int
    hash: str
    attempt: int | None = None


class Revealing(_Entry, frozen=True, tag="revealing"):
    """The host said start: seats bind their bytes, and then reveal them. Open seats get bots."""

    names: tuple[str, ...]


class Fixed(_Entry, frozen=True, tag="fixed"):
    """The roster of an attempt to begin was fixed."""

    roster: Roster
    salts: tuple[str, ...]


class Revealed(_Entry, frozen=True, tag="revealed"):
    """A seat showed its bytes."""

    seat: int
    bytes: str


class Voided(_Entry, frozen=True, tag="voided"):
    """An attempt came to nothing, because of these seats; the next one has another secret."""

    missing: tuple[int, ...]
    secret: str


class Started(_Entry, frozen=True, tag="started"):
    """The game began, with all bytes of its roster; before there were rosters, with the bytes
    revealed so far. `kit` is the hash of its components."""

    kit: str = ""


class Acted(_Entry, frozen=True, tag="acted"):
    """An action of the game's log. `by` is -1 for nature. `digest` is the hash of what is attached,
    so that it need not be computed again."""

    by: int
    do: str
    via: Literal["bot", "timeout"] | None = None
    attached: dict[str, Any] | None = None
    digest: str | None = None


class Said(_Entry, frozen=True, tag="said"):
    """Somebody spoke. `seat` is null for one who watches."""

    seat: int | None
    name: str
    text: str


class Paused(_Entry, frozen=True, tag="paused"):
    """Game and clocks stand still."""


class Resumed(_Entry, frozen=True, tag="resumed"):
    """Game and clocks go on after a pause."""


class Woke(_Entry, frozen=True, tag="woke"):
    """A server took the table up again; the time it was down runs on no clock."""


class StoodIn(_Entry, frozen=True, tag="stood-in"):
    """A bot took over for somebody who is away."""

    seat: int


class Returned(_Entry, frozen=True, tag="returned"):
    """Somebody who was away is back; the bot that stood in for them stops."""

    seat: int


class Resigned(_Entry, frozen=True, tag="resigned"):
    """A seat gave up the game."""

    seat: int


class Rematched(_Entry, frozen=True, tag="rematched"):
    """Everybody plays the same again, at another table."""

    table: str


JournalEntry = (
    Made | Joined | Left | Committed | Revealing | Fixed | Revealed | Voided | Started | Acted
    | Said | Paused | Resumed | Woke | StoodIn | Returned | Resigned | Rematched
)  # fmt: skip

write_entry = msgspec.json.Encoder().encode
read_entry = msgspec.json.Decoder(JournalEntry).decode


def read_entries(table: str, data: Iterable[bytes]) -> list[JournalEntry]:
    """The entries of a journal. Raises `DamagedJournal` with the number of one that is none."""
    entries: list[JournalEntry] = []
    for line in data:
        try:
            entries.append(read_entry(line))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise DamagedJournal(f"table {table}: entry {len(entries)}: {error}") from error
    if entries and not isinstance(entries[0], Made):
        raise DamagedJournal(f"table {table}: entry 0 does not make a table")
    return entries

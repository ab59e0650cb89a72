"""The list of tables one may join or watch, kept in memory as lines that are encoded already."""

from __future__ import annotations

import logging
from bisect import bisect_left, insort
from collections.abc import Iterable

import msgspec

from .protocol import TableLine, encode
from .storage import TableRow

log = logging.getLogger("quarterdeck.server")

MOST_LISTED = 60

_UNDER_WAY = ("playing", "revealing", "paused")
_Place = tuple[bool, int, str]  # under way, how long ago it was made, id: sorted as it is told


class Listing:
    """All listed tables, in the order in which they are told: waiting ones first, newest first.

    >>> listing = Listing()
    >>> listing.put(TableRow("a", "skull-king", "playing", True, 1, 1, b'"a"'))
    >>> listing.put(TableRow("b", "skull-king", "playing", True, 2, 2, b'"b"'))
    >>> listing.put(TableRow("c", "skull-king", "waiting", True, 0, 2, b'"c"'), is_attended=True)
    >>> listing.page_bytes(2)
    b'{"tables":["c","b"]}'
    """

    def __init__(self) -> None:
        self._places: list[_Place] = []
        self._lines: dict[str, tuple[_Place, bytes]] = {}
        self._page: tuple[int, bytes] | None = None

    def __len__(self) -> int:
        return len(self._lines)

    def fill(self, rows: Iterable[TableRow]) -> None:
        """Lists tables that sleep: nobody is there but the bots, whatever was so when they were
        stored. A line that cannot be read is left out, and logged."""
        for row in rows:
            try:
                line = msgspec.json.decode(row.line, type=TableLine)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                log.error("a table's line cannot be read", extra={"table": row.id})
                continue
            seats = tuple(
                msgspec.structs.replace(seat, online=False)
                if seat.online and seat.kind != "bot"
                else seat
                for seat in line.seats
            )
            line = msgspec.structs.replace(line, seats=seats)
            self.put(msgspec.structs.replace(row, line=encode(line)))

    def put(self, row: TableRow, *, is_attended: bool = False) -> None:
        """Lists a table with its line as it is now, or no longer if it has no business there.

        A game under way is listed, and a table that waits while somebody is there.
        """
        is_under_way = row.status in _UNDER_WAY
        if not row.listed or not (is_under_way or (row.status == "waiting" and is_attended)):
            self.drop(row.id)
            return
        place = (is_under_way, -row.made_at, row.id)
        kept = self._lines.get(row.id)
        if kept is None or kept[0] != place:
            self.drop(row.id)
            insort(self._places, place)
        self._lines[row.id] = place, row.line
        self._page = None

    def drop(self, id: str) -> None:
        """Takes a table off the list, if it is there."""
        kept = self._lines.pop(id, None)
        if kept is not None:
            del self._places[bisect_left(self._places, kept[0])]
            self._page = None

    def page(self, limit: int = MOST_LISTED) -> list[bytes]:
        """The first lines."""
        return [self._lines[id][1] for _, _, id in self._places[:limit]]

    def page_bytes(self, limit: int = MOST_LISTED) -> bytes:
        """The first lines as a `TableList`, encoded; kept until something changes."""
        if self._page is None or self._page[0] != limit:
            self._page = limit, b'{"tables":[' + b",".join(self.page(limit)) + b"]}"
        return self._page[1]

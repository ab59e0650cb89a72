"""What happened at a table, ply by ply, as it may be told.

Ply n is the state after n entries of the log. During a game a ply is told as it was shown then, to
everybody and to each seat; after the end all is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Raw

from quarterdeck.contract import Own, Shown
from quarterdeck.engine.match import Match, Step

from .errors import BadMessage
from .protocol import MOST_PLIES, AskHistory, Happened, HistoryTold, PastPly, encode
from .table import Table


def happened(match: Match, step: Step, ply: int) -> Happened:
    """What led to a ply, as everybody is told of it."""
    entry = step.entry
    return Happened(ply, step.actor, entry.at, tuple(match.events(step)), entry.via)


class Chronicle:
    """All that happened in a match, each ply encoded once. It follows the match when asked."""

    def __init__(self) -> None:
        self._told: list[Raw] = []

    def add(self, match: Match, steps: Sequence[Step]) -> None:
        """Takes up steps that were just made, if it has those before them."""
        ply = len(match.log) - len(steps)
        if ply != len(self._told):
            return  # it catches up when somebody asks
        for step in steps:
            ply += 1
            self._told.append(Raw(encode(happened(match, step, ply))))

    def since(self, match: Match, ply: int) -> list[Raw]:
        """What led from a ply to the newest one."""
        if len(self._told) < len(match.log):
            for again, step in match.retrace(len(self._told) + 1):
                assert step is not None
                self._told.append(Raw(encode(happened(again, step, len(again.log)))))
        return self._told[ply:]


def history_of(table: Table, request: AskHistory) -> HistoryTold:
    """What a client asked to see. Raises `WrongTime` before the start, `BadMessage`."""
    match, is_open = table.playing, table.status == "over"
    if not request.first <= request.last < request.first + MOST_PLIES:
        raise BadMessage(f"from one ply to a later one, at most {MOST_PLIES} of them")
    told = past(match, request.seat, request.first, request.last, is_open=is_open)
    return HistoryTold(request.id, table.id, len(match.log), tuple(told), is_open)


def past(match: Match, seat: int | None, first: int, last: int, *, is_open: bool) -> list[PastPly]:
    """The plies from `first` to `last`, as they were shown to a seat or to everybody."""
    plies: list[PastPly] = []
    if first > len(match.log):
        return plies  # not there yet
    for again, step in match.retrace(first):
        ply = len(again.log)
        if ply > last:
            break
        told = None if step is None else happened(again, step, ply)
        shown: Shown = again.shown_open() if is_open else again.shown()
        own: Own | None = None if is_open or seat is None else again.own(seat)
        do: Any = step.entry.do if is_open and step is not None else None
        plies.append(PastPly(ply, told, shown, own, do))
    return plies

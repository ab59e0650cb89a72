"""Plank Race: the sea, a live world. It runs for a second; three kicks keep a thing afloat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quarterdeck.contract import Row

from .rules import furthest

_LASTS_MS = 1000


class Sea:
    """PR-5. What falls near the shore (y below 5) floats; elsewhere it takes three kicks."""

    def __init__(self, kit: Row, state: Row, attached: Mapping[str, Any]) -> None:
        self.seat = int(furthest(state))
        self.y = int(state.drop[1])
        self.kicks = 0
        self.elapsed_ms = 0

    def gesture(self, message: Mapping[str, Any], at_ms: int) -> None:
        """A kick, before the second is over."""
        if message.get("kick") is True:
            self.kicks += 1

    def advance(self, ms: int) -> tuple[str, dict[str, Any]] | None:
        """Nature's action and the resting depth, once the second is over."""
        self.elapsed_ms += ms
        if self.elapsed_ms < _LASTS_MS:
            return None
        floats = self.y < 5 or self.kicks >= 3
        return ("settle floats" if floats else "settle sank"), {"depth": 0 if floats else self.y}

    def frame(self) -> bytes:
        """What is to be drawn now: where it lies, how often it was kicked."""
        return bytes([self.y, min(self.kicks, 255)])

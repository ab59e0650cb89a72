"""Plank Race: the sea, a live world. It runs for a second; three kicks keep a thing afloat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quarterdeck.contract import BadGesture, Rng, below

from .rules import furthest
from .state import Kit, State

_LASTS_MS = 1000


class Sea:
    """PR-5. What falls near the shore (y below 5) floats; elsewhere it takes three kicks.

    The first kick starts the clock; who never kicks has half a minute before it starts by itself.
    """

    def __init__(self, kit: Kit, state: State, attached: Mapping[str, Any]) -> None:
        self.seat = int(furthest(state))
        self.epoch = 0
        self.y = int(state.drop[1])
        self.kicks = 0
        self.patience_ms = 30_000
        self.left_ms = _LASTS_MS
        self.to_come: list[int] = []  # a bot's kicks, by what is left of the second
        self.sent = b""

    @property
    def idle_ms(self) -> int:
        """The patience that is left before the first kick."""
        return 0 if self.kicks or self.to_come else self.patience_ms

    def hello(self) -> dict[str, Any]:
        """How far out it lies."""
        return {"y": self.y}

    def gesture(self, message: Mapping[str, Any], at_ms: int) -> None:
        """A kick, before the second is over."""
        if message != {"kick": True}:
            raise BadGesture("one can only kick")
        self.kicks += 1

    def advance(self, ms: int) -> tuple[str, dict[str, Any]] | None:
        """Nature's action and the resting depth, once the second is over."""
        if self.idle_ms:
            self.patience_ms = max(0, self.patience_ms - ms)
            return None
        self.left_ms -= ms
        while self.to_come and self.left_ms <= self.to_come[0]:
            del self.to_come[0]
            self.kicks += 1
        if self.left_ms > 0:
            return None
        floats = self.y < 5 or self.kicks >= 3
        return ("settle floats" if floats else "settle sank"), {"depth": 0 if floats else self.y}

    def frame(self, whole: bool = False) -> bytes:
        """What is to be drawn now: where it lies, how often it was kicked."""
        frame = bytes([self.y, min(self.kicks, 255)])
        if frame == self.sent and not whole:
            return b""
        self.sent = frame
        return frame

    def run_out(self) -> None:
        """The patience is over."""
        self.patience_ms = 0

    def think(self, level: str, rng: Rng, seconds: float | None = None) -> list[int]:
        """When a bot kicks; a random one may forget to."""
        kicks = below(rng, 4) if level == "random" else 3
        return [900 - 200 * kick for kick in range(kicks)]

    def obey(self, plan: list[int]) -> None:
        """A bot's kicks."""
        self.to_come = list(plan)
        self.patience_ms = 0

"""How strong the levels are in each game, as their matches showed (`bench/soak.py bots`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

_FILE = Path(__file__).with_name("strength.json")


class Strength(Struct, frozen=True):
    """The share of games a bot won at a table of so many seats, all others of another level."""

    wins: float
    against: str
    seats: int


_Known = dict[str, dict[str, Strength]]


@cache
def strengths() -> _Known:
    """How strong each level was measured to be, by game and level."""
    return msgspec.json.decode(_FILE.read_bytes(), type=_Known)


def keep_strength(game: str, level: str, shown: Strength) -> None:
    """Stores how strong a level was measured to be, in the place of what was known."""
    known = msgspec.json.decode(_FILE.read_bytes(), type=_Known)
    known.setdefault(game, {})[level] = shown
    _FILE.write_bytes(msgspec.json.format(msgspec.json.encode(known, order="sorted")) + b"\n")
    strengths.cache_clear()

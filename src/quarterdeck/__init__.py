"""Quarterdeck: pirate tabletop games for people, bots and researchers.

>>> from quarterdeck import Match, find_game
>>> match = Match(find_game("skull-king"), {"players": 2}, seed=7)
>>> match.to_act
'nature'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .contract import Game
    from .engine.match import Match
    from .games import find_game, games

__all__ = ["Game", "Match", "__version__", "find_game", "games"]

_HOMES = {"Game": "contract", "Match": "engine.match", "find_game": "games", "games": "games"}


def __getattr__(name: str) -> Any:
    """The public names, loaded when first asked for: `quarterdeck --help` needs no compiler."""
    import importlib

    if name in _HOMES:
        return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

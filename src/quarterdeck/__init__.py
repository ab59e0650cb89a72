"""Quarterdeck: pirate tabletop games for people, bots and researchers.

>>> from quarterdeck import Match, find_game
>>> match = Match(find_game("skull-king"), {"players": 2}, seed=7)
>>> match.to_act
'nature'

| name | what it is |
|---|---|
| `GAME_IDS`, `find_game` | which games there are, and one of them |
| `Game` | a game: its kit, options, rules and views |
| `Match` | one game being played: its state and its log |
| `GameRecord`, `read_record`, `write_record` | a game as JSON; `Match.from_record` replays it |
| `verify`, `Verdict` | whether all draws of a record follow from its proof |
| `QuarterdeckError` | the base of every error that is raised on purpose |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = [
    "GAME_IDS",
    "Game",
    "GameRecord",
    "Match",
    "QuarterdeckError",
    "Verdict",
    "__version__",
    "find_game",
    "read_record",
    "verify",
    "write_record",
]

if TYPE_CHECKING:
    from .contract import Game, QuarterdeckError
    from .engine.match import Match
    from .engine.record import GameRecord, read_record, write_record
    from .engine.verify import Verdict, verify
    from .games import GAME_IDS, find_game
else:
    # loaded when first asked for: `quarterdeck --help` needs no compiler
    _HOMES = {
        "GAME_IDS": "games",
        "Game": "contract",
        "GameRecord": "engine.record",
        "Match": "engine.match",
        "QuarterdeckError": "contract",
        "Verdict": "engine.verify",
        "find_game": "games",
        "read_record": "engine.record",
        "verify": "engine.verify",
        "write_record": "engine.record",
    }

    def __getattr__(name: str) -> object:
        """A public name, from the module that has it."""
        import importlib

        if name in _HOMES:
            return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        """The public names, whether they are loaded yet or not."""
        return sorted({*globals(), *__all__})

"""The games: one folder each. `find_game` loads one; `games` names them all."""

from __future__ import annotations

import importlib
from functools import cache

from quarterdeck.contract import Game, UnknownGame

GAME_IDS = ("skull-king", "jolly-roger", "piratoons", "riff-raff", "gezanke")


@cache
def find_game(id: str) -> Game:
    """The game with this id. Raises `UnknownGame`.

    >>> find_game("skull-king").name
    'Skull King'
    """
    if id not in GAME_IDS:
        raise UnknownGame(f"there is no game {id!r}; there is {', '.join(GAME_IDS)}")
    game: Game = importlib.import_module(f".{id.replace('-', '_')}", __name__).GAME
    return game


def games() -> list[Game]:
    """All games, in the order of the harbour."""
    return [find_game(id) for id in GAME_IDS]

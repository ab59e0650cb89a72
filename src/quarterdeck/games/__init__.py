"""The games: one folder each. `find_game` loads one; `games` names them all."""

from __future__ import annotations

import importlib
import os
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

from quarterdeck.contract import BadOption, Game, UnknownGame

GAME_IDS = (
    "skull-king",
    "jolly-roger",
    "piratoons",
    "riff-raff",
    "gezanke",
)
KITS = "QUARTERDECK_KITS"
"""What names, in the environment, the folder of kits that owners of a box have transcribed."""


@cache
def find_game(id: str) -> Game:
    """The game with this id, with the owner's kit if there is one. Raises `UnknownGame`, and
    `BadOption` for a kit that is none.

    >>> find_game("skull-king").name
    'Skull King'
    """
    if id not in GAME_IDS:
        raise UnknownGame(f"there is no game {id!r}; there is {', '.join(GAME_IDS)}")
    game: Game = importlib.import_module(f".{id.replace('-', '_')}", __name__).GAME
    path = kit_path(game)
    if path.parent == game.folder:
        return game
    try:
        kit = game.notation.load_kit(tomllib.loads(path.read_text("utf-8")))
    except (OSError, ValueError, BadOption) as error:
        raise BadOption(f"{path}: {error}") from error
    return replace(game, kit=kit)


def games() -> list[Game]:
    """All games, in the order of the harbour."""
    return [find_game(id) for id in GAME_IDS]


def kit_path(game: Game) -> Path:
    """Where a game's components are read from: `ID.toml` in the owner's folder, or else its own
    `kit.toml`. Raises `BadOption` for a folder that is not there, or holds what nobody would read.
    """
    given = os.environ.get(KITS)
    if given:
        folder = Path(given).absolute()
        if not folder.is_dir():
            raise BadOption(f"{KITS}: there is no folder {given!r}")
        for path in folder.glob("*.toml"):
            if path.stem not in GAME_IDS:
                raise BadOption(f"{path} is no kit: a kit has the name of its game, piratoons.toml")
        own = folder / f"{game.id}.toml"
        if own.exists() and not game.has_kits:
            raise BadOption(f"{own}: {game.name} is played with the kit it comes with")
        if own.exists():
            return own
    return game.folder / "kit.toml"

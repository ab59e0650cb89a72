"""A tiny Gezanke, of which every state can be listed: two planks of two spaces, one pirate of each
colour. Its sources are the game's own with other numbers in them, run as ordinary Python."""

from __future__ import annotations

import shutil
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from quarterdeck.contract import Game
from quarterdeck.testing import interpreted_game

from .helpers import GAME

PLANKS = ("yellow", "green")
SPACES = tuple(f"{plank}:{space}" for plank in PLANKS for space in (0, 1))

CHANGES = {
    "state.py": [
        ("PLANKS = 6\n", "PLANKS = 2\n"),
        ("SPACES = 9\n", "SPACES = 2\n"),
        ("ROPE = 4 ", "ROPE = 0 "),
        ("EACH = 3 ", "EACH = 1 "),
    ],
    "notation.py": [
        ('= ("yellow", "green", "orange", "red", "blue", "purple")', '= ("yellow", "green")'),
    ],
}


def tiny_game(folder: Path, *, fins: int, half_width: float, doubloons: str = "00") -> Game:
    """The tiny game, with so many fins and so wide a deck, and gold on the spaces of its planks."""
    shutil.copytree(GAME.folder, folder)
    for name, changes in CHANGES.items():
        text = (folder / name).read_text("utf-8")
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} in {name}"
            text = text.replace(old, new)
        (folder / name).write_text(text, "utf-8")
    game = interpreted_game(replace(GAME, folder=folder))
    data: dict[str, Any] = tomllib.loads((folder / "kit.toml").read_text("utf-8"))
    data |= {"planks": list(PLANKS), "fins": fins, "ones": 1, "twos": 0}
    data["doubloons"] = {plank: [doubloons, doubloons] for plank in PLANKS}
    data["plank"]["length"] = 40
    data["ship"]["half_width"] = half_width
    return replace(game, kit=game.notation.load_kit(data))

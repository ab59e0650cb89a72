"""`quarterdeck new-game ID`: a new game in a checkout: complete, small, and to be changed.

The folder `model` beside this module holds a game in every place a game has: its rooms, its ledger,
its tests, its part of the page. It is laid out under the new game's names, and the lines outside
these places are added. What stands then passes every check at once.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from quarterdeck.contract import BadOption
from quarterdeck.messages import LANGUAGES

_MODEL = Path(__file__).with_name("model")
_SUFFIX = ".tmpl"

_ABOUT = {
    "en": "Three cards, three rounds: play high when it counts.",
    "de": "Drei Karten, drei Runden: hoch spielen, wenn es zählt.",
    "fr": "Trois cartes, trois manches\u00a0: jouez haut quand cela compte.",
    "it": "Tre carte, tre turni: gioca alto quando conta.",
}


class Names(NamedTuple):
    """What a game is called: `skull-king`, `Skull King`, `SK`."""

    id: str
    name: str
    prefix: str

    @property
    def folder(self) -> str:
        """The name of its folders: `skull_king`."""
        return self.id.replace("-", "_")


def names_of(id: str, name: str | None = None, prefix: str | None = None) -> Names:
    """All names of a game, from its id where they are not given. Raises `BadOption`.

    >>> names_of("walk-the-plank")
    Names(id='walk-the-plank', name='Walk The Plank', prefix='WTP')
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*", id):
        raise BadOption(f"an id is small letters and hyphens, such as walk-the-plank, not {id!r}")
    words = id.split("-")
    if prefix is None:
        prefix = "".join(word[0] for word in words) if len(words) > 1 else id[:2]
        prefix = prefix.upper()
    if not re.fullmatch(r"[A-Z]{2,4}", prefix):
        raise BadOption(f"rule numbers begin with 2 to 4 capital letters, not {prefix!r}")
    name = " ".join(word.capitalize() for word in words) if name is None else name
    if not re.fullmatch(r"[\w&' -]+", name):
        raise BadOption(f"a name is words, not {name!r}")
    return Names(id, name, prefix)


def lay_out(root: Path, names: Names) -> list[Path]:
    """Writes a new game into a checkout; every file that was made or changed, in order.

    Nothing is written where something of that name, or with that prefix, is there already: then,
    and where this is no checkout, `BadOption` is raised.
    """
    if not (root / "src/quarterdeck/games").is_dir() or not (root / "web/src/games").is_dir():
        raise BadOption(f"{root} is no checkout of Quarterdeck")
    files = {
        root / _renamed(str(path.relative_to(_MODEL)).removesuffix(_SUFFIX), names): path
        for path in sorted(_MODEL.rglob(f"*{_SUFFIX}"))
    }
    for path in files:
        if path.exists():
            raise BadOption(f"{path.relative_to(root)} is there already")
    for ledger in (root / "docs/rules").glob("*.md"):
        if re.search(rf"^- {names.prefix}-", ledger.read_text("utf-8"), re.MULTILINE):
            raise BadOption(f"the numbers of {ledger.stem} begin with {names.prefix} already")
    lines = {root / path: change(root / path, names) for path, change in _OUTSIDE.items()}
    for lang in LANGUAGES:
        path = root / f"src/quarterdeck/text/{lang}.json"
        about = f'  "harbour.about.{names.id}": "{_ABOUT[lang]}",'
        lines[path] = _after_last(path, r'^  "harbour\.about\.', about)
    for path, source in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_renamed(source.read_text("utf-8"), names), "utf-8")
    for path, text in lines.items():
        path.write_text(text, "utf-8")
    return [*files, *lines]


def tidy(root: Path, names: Names) -> None:
    """Sorts the imports, and writes the golden records, the draws and the TypeScript types, by the
    programs and sources of a checkout.

    Where one's own rule constants stand among others depends on the prefix.
    """
    python = Path(sys.executable)
    places = [f"src/quarterdeck/games/{names.folder}", f"tests/games/{names.folder}"]
    environment = os.environ | {"PYTHONPATH": str(root / "src"), "NUMBA_DISABLE_JIT": "1"}
    for command in (
        [str(python.with_name("ruff")), "check", "--quiet", "--fix", "--select", "I", *places],
        [str(python.with_name("ruff")), "format", "--quiet", *places],
        [str(python), "tests/golden/write.py", names.id],
        [str(python), "-m", "quarterdeck.server.schema", "."],
        [str(python), "-m", "quarterdeck.engine.draws", "."],
    ):
        subprocess.run(command, cwd=root, env=environment, check=True)


def _renamed(text: str, names: Names) -> str:
    """The model's names replaced."""
    text = text.replace("model-game", names.id).replace("model_game", names.folder)
    return re.sub(r"\bMG(?=[-_]|\")", names.prefix, text.replace("Model Game", names.name))


# The lines outside ---------------------------------------------------------------------------


def _after_last(path: Path, pattern: str, line: str) -> str:
    """A file with a line added after the last one that matches."""
    lines = path.read_text("utf-8").splitlines()
    at = max((n for n, old in enumerate(lines) if re.search(pattern, old)), default=None)
    if at is None:
        raise BadOption(f"{path} has no line like {pattern}")
    return "\n".join([*lines[: at + 1], line, *lines[at + 1 :]]) + "\n"


_OUTSIDE: dict[str, Callable[[Path, Names], str]] = {
    "src/quarterdeck/games/__init__.py": lambda path, names: _after_last(
        path, r'^    "[a-z-]+",$', f'    "{names.id}",'
    ),
    "web/src/games/index.ts": lambda path, names: _after_last(
        path, r"^  \{ id: ", f'  {{ id: "{names.id}", name: "{names.name}" }},'
    ),
    "docs/rules/README.md": lambda path, names: _after_last(
        path,
        r"^\| \[",
        f"| [{names.name}]({names.id}.md) | 2–4 | Three rounds, the highest card wins "
        f"| {names.prefix} |",
    ),
    "NOTICE.md": lambda path, names: _after_last(
        path, r"^- \*\*", f"- **{names.name}** — ourselves"
    ),
}

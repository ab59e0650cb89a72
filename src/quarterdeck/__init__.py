"""Quarterdeck: pirate tabletop games for people, bots and researchers.

    >>> from quarterdeck import Match, find_game
    >>> match = Match(find_game("skull-king"), {"players": 2}, seed=7)
    >>> match.to_act
    'nature'

Importing the package chooses where compiled rules are cached, before numba is loaded: a folder
named after a hash of every source file that compiled code may depend on. Numba notices an edited
file, but not an edited *callee* of a cached function in another file; a fresh folder per version
of the sources rules that out.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_KEPT_CACHES = 24  # several checkouts may be in use side by side
_COMPILED = ("contract.py", *(f"{room}/**/*.py" for room in ("games", "engine", "bots", "physics")))


def _sources_hash(package: Path) -> str:
    # numba keeps what it compiled by the place of its source, so each checkout has a folder
    digest = hashlib.sha256(f"{sys.version}\n{package.resolve()}".encode())
    for path in sorted(path for pattern in _COMPILED for path in package.glob(pattern)):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _choose_compile_cache() -> Path:
    """The folder compiled rules are cached in; drops folders long unused."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given)
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "quarterdeck"
    folder = home / f"compiled-{_sources_hash(Path(__file__).parent)}"
    try:
        if folder.exists():
            os.utime(folder)  # used now
        else:
            folder.mkdir(parents=True)
            old = sorted(home.glob("compiled-*"), key=lambda path: path.stat().st_mtime)
            for path in old[:-_KEPT_CACHES]:
                shutil.rmtree(path, ignore_errors=True)
    except OSError:  # a read-only home: numba falls back to __pycache__ or compiles every time
        return folder
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = str(folder)
    return folder


COMPILE_CACHE = _choose_compile_cache()

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

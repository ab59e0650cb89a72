"""What compiled code is kept under: all it depends on, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

import quarterdeck
from quarterdeck.contract import compiled, fingerprint, is_compiled

SOURCE = Path(quarterdeck.__file__).parent

SCRIPT = """
import json
from quarterdeck.bots.warm import PARTS, pieces
from quarterdeck.contract import fingerprint
from quarterdeck.games import games
told = {
    game.id: [fingerprint(piece) for part in PARTS for piece in pieces(game, part)]
    for game in games()
}
print(json.dumps(told))
"""

pytestmark = pytest.mark.skipif(not is_compiled(), reason="nothing is compiled")


def fingerprints(source: Path) -> dict[str, list[str]]:
    """What the pieces of every game depend on, by the sources in a folder."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=True,
    )
    told: dict[str, list[str]] = json.loads(done.stdout)
    return told


@pytest.fixture(scope="module")
def before() -> dict[str, list[str]]:
    return fingerprints(SOURCE.parent)


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """A copy of our sources, to be edited."""
    ignored = shutil.ignore_patterns("static", "__pycache__")
    shutil.copytree(SOURCE, tmp_path / "quarterdeck", ignore=ignored)
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_comments_docstrings_and_places_compile_nothing_anew(
    edited: Path, before: dict[str, list[str]]
) -> None:
    for path in (edited / "quarterdeck").rglob("*.py"):
        text = path.read_text("utf-8")
        if text.startswith('"""'):
            path.write_text(f'"""Another opening.\n\n{text[3:]}\n# and a comment\n', "utf-8")
    report = edited / "quarterdeck/bots/report.py"
    report.write_text(report.read_text("utf-8") + "\nLAST = 1\n", "utf-8")
    assert fingerprints(edited) == before


def test_an_edit_of_a_game_compiles_that_game_alone(
    edited: Path, before: dict[str, list[str]]
) -> None:
    score = edited / "quarterdeck/games/piratoons/score.py"
    edit(score, "        most = 0\n", "        most = 1\n")
    after = fingerprints(edited)
    assert after["piratoons"] != before["piratoons"]
    assert {id for id in after if after[id] != before[id]} == {"piratoons"}


def test_an_edited_callee_changes_all_its_callers(
    edited: Path, before: dict[str, list[str]]
) -> None:
    edit(edited / "quarterdeck/contract/chance.py", ">> 32", ">> 31")
    after = fingerprints(edited)
    assert all(after[id] != before[id] for id in after)


def test_several_threads_may_be_the_first_to_call_a_function() -> None:
    together = Barrier(3)

    @compiled
    def squares(count: int) -> int:
        total = 0
        for number in range(count):
            total += number * number
        return total

    dispatcher: Any = squares
    dispatcher.is_kept = False  # so that it has to be compiled while the others wait

    def call(_: int) -> int:
        together.wait()
        return squares(4)

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(call, range(3))) == [14, 14, 14]


def test_equal_code_in_another_module_is_kept_apart() -> None:
    """What is kept imports the module it was compiled for, which may be gone: a game renamed."""
    source = "def twice(n: int) -> int:\n    return 2 * n\n"
    kept = set()
    for name in ("one_game", "another_game"):
        module: dict[str, Any] = {"__name__": name}
        exec(source, module)
        kept.add(fingerprint(module["twice"]))
    assert len(kept) == 2

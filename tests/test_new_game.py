"""`quarterdeck new-game`: what it lays out is a game that keeps the contract, in all its places."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from quarterdeck.cli import main
from quarterdeck.contract import BadOption
from quarterdeck.games import GAME_IDS
from quarterdeck.messages import LANGUAGES
from quarterdeck.new_game import Names, lay_out, names_of, tidy

PROJECT = Path(__file__).parents[1]
PLACES = (
    "src",
    "docs/rules",
    "tests/games",
    "tests/golden",
    "web/src/games",
    "web/tests",
    "web/e2e",
)
FILES = ("NOTICE.md", "pyproject.toml", "tests/test_golden.py", "tests/test_rule_numbers.py")
NAMES = Names("walk-the-plank", "Walk the Plank", "WP")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources with one game more."""
    root = tmp_path_factory.mktemp("checkout")
    ignored = shutil.ignore_patterns("__pycache__", "static", "node_modules")
    for place in PLACES:
        shutil.copytree(PROJECT / place, root / place, ignore=ignored)
    for file in (*FILES, "tests/test_shape.py", "tests/test_messages.py"):
        shutil.copy(PROJECT / file, root / file)
    lay_out(root, NAMES)
    tidy(root, NAMES)
    return root


def run(checkout: Path, *command: str) -> str:
    """What a command says that must go well, with the sources of the checkout, interpreted."""
    environment = os.environ | {"PYTHONPATH": str(checkout / "src"), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        command, cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_conforms(checkout: Path) -> None:
    told = run(checkout, sys.executable, "-m", "quarterdeck.testing", NAMES.id, "--games", "1")
    assert told.startswith("walk-the-plank conforms: 3 games, ")


def test_its_rules_and_golden_records_are_tested(checkout: Path) -> None:
    tests = ["tests/games/walk_the_plank", "tests/test_golden.py", "tests/test_rule_numbers.py"]
    chosen = ["-k", "walk_the_plank or walk-the-plank"]
    told = run(
        checkout, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, *chosen
    )
    assert " passed" in told
    golden = {path.name for path in (checkout / "tests/golden/walk_the_plank").iterdir()}
    records = {f"{players}-players" for players in (2, 3, 4)}
    assert golden == {f"{name}{end}" for name in records for end in (".json", ".expected.json")}


def test_it_has_every_place_a_game_has(checkout: Path) -> None:
    chosen = "walk_the_plank or walk-the-plank or same_order or every_folder"
    tests = ["tests/test_shape.py", "tests/test_messages.py", "-k", chosen]
    told = run(checkout, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    assert " passed" in told
    for lang in LANGUAGES:
        said = json.loads((checkout / f"src/quarterdeck/text/{lang}.json").read_text("utf-8"))
        keys = [key for key in said if key.startswith("harbour.about.")]
        assert keys == [f"harbour.about.{id}" for id in (*GAME_IDS, NAMES.id)]


def test_its_style_and_types_are_ours(checkout: Path) -> None:
    tools = Path(sys.executable).parent
    places = ["src/quarterdeck/games/walk_the_plank", "tests/games/walk_the_plank"]
    run(checkout, str(tools / "ruff"), "check", *places)
    run(checkout, str(tools / "ruff"), "format", "--check", *places)
    cache = ["--cache-dir", str(checkout / ".mypy_cache")]
    run(checkout, str(tools / "mypy"), *cache, *places)


def test_nothing_of_the_model_is_left(checkout: Path) -> None:
    for path in checkout.rglob("*walk*"):
        for file in path.rglob("*") if path.is_dir() else [path]:
            if file.is_file() and file.suffix != ".pyc":
                text = file.read_text("utf-8")
                assert not any(word in text for word in ("model_game", "model-game", "MG-", "MG_"))


def test_a_game_that_is_there_stays_as_it_is(checkout: Path) -> None:
    before = {path: path.read_bytes() for path in checkout.rglob("*.py")}
    with pytest.raises(BadOption, match="is there already"):
        lay_out(checkout, NAMES)
    with pytest.raises(BadOption, match="begin with WP already"):
        lay_out(checkout, names_of("wild-parrots"))
    assert {path: path.read_bytes() for path in checkout.rglob("*.py")} == before
    assert not (checkout / "docs/rules/wild-parrots.md").exists()


def test_elsewhere_nothing_is_laid_out(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="no checkout"):
        lay_out(tmp_path, NAMES)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "id", ["", "Walk", "walk_the_plank", "walk--plank", "1st", "walk-", "../x"]
)
def test_an_id_is_small_letters_and_hyphens(id: str) -> None:
    with pytest.raises(BadOption):
        names_of(id)


def test_the_command_refuses_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-game", "Walk", "--root", str(tmp_path)]) == 2
    assert json.loads(capsys.readouterr().out)["error"] == "bad-option"


def test_names_follow_from_the_id() -> None:
    assert names_of("parley") == Names("parley", "Parley", "PA")
    assert names_of("parley", "Parley", "PLY") == Names("parley", "Parley", "PLY")
    with pytest.raises(BadOption):
        names_of("parley", prefix="parley")
    with pytest.raises(BadOption):
        names_of("parley", name='Par"ley')

"""The shape of the sources: imports point one way, and every game folder has the same slots."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import quarterdeck
from quarterdeck.games import GAME_IDS, games
from quarterdeck.messages import LANGUAGES, Catalogue

ROOT = Path(quarterdeck.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
GAME_FOLDERS = sorted(path.parent for path in ROOT.glob("games/*/__init__.py"))

LAYERS = {
    "contract": 0,
    "games": 1,
    "messages": 1,
    "engine": 2,
    "physics": 3,
    "bots": 4,
    "server": 5,
    "envs": 5,
    "cli": 5,
    "terminal": 5,
    "testing": 5,
    "leaks": 5,
    "loadtest": 5,
}
"""A module may import from its own layer's package and from lower layers."""

SLOTS = ["__init__.py", "rules.py", "notation.py", "view.py", "bot.py", "terminal.py", "kit.toml"]
WEB_SLOTS = ["index.ts", "view.ts", "stage.svelte.ts", "Table.svelte", "Result.svelte"]
WEB_SLOTS += ["Seat.svelte", "Picture.svelte"]

PROJECT = Path(__file__).parents[1]


def layer_of(module: str) -> str:
    """The part of the package a dotted name belongs to: `quarterdeck.games.x` is `games`."""
    return module.split(".")[1] if "." in module else ""


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """The lines and full names of all our modules a file imports, inside functions too."""
    package = name_of(path).split(".")
    if path.name != "__init__.py":
        package.pop()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base = [*base, *(node.module or "").split(".")] if node.module else base
            # `from quarterdeck import contract` names a module, `from x import y` may
            names = [".".join([*base, alias.name]) for alias in node.names]
        else:
            continue
        for name in names:
            if name.split(".")[0] == "quarterdeck":
                yield node.lineno, name


def test_every_module_has_a_layer() -> None:
    parts = {layer_of(name_of(path)) for path in MODULES} - {""}
    assert parts <= set(LAYERS)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_one_way(path: Path) -> None:
    ours = layer_of(name_of(path))
    if not ours:  # the package itself loads its public names when they are asked for
        return
    for line, name in imports(path):
        theirs = layer_of(name)
        if theirs not in LAYERS:  # the package's own few names: __version__, COMPILE_CACHE
            assert "." not in theirs
            continue
        is_fine = theirs == ours or LAYERS[theirs] < LAYERS[ours] or LAYERS[ours] == 5
        assert is_fine, f"{path}:{line}: {ours} imports {name}"


@pytest.mark.parametrize(
    "path", [path for path in MODULES if "games" in path.parts[:-1]], ids=name_of
)
def test_games_import_the_contract_and_their_own_folder_only(path: Path) -> None:
    home = name_of(path).split(".")[:3]
    for line, name in imports(path):
        is_own = name.split(".")[: len(home)] == home
        is_contract = name.split(".")[1] == "contract"
        assert is_own or is_contract, f"{path}:{line}: {name}"


def test_the_contract_is_a_leaf() -> None:
    for path in (ROOT / "contract").glob("*.py"):
        assert all(layer_of(name) == "contract" for _, name in imports(path)), path


def test_lower_layers_know_no_game() -> None:
    for path in MODULES:
        if "games" in path.parts:
            continue
        for line, name in imports(path):
            # the physics has one folder for each game with a world, which knows that game
            if layer_of(name_of(path)) == "physics" and name.split(".")[2] in name_of(path).split(
                "."
            ):
                continue
            assert len(name.split(".")) <= 3 or layer_of(name) != "games", f"{path}:{line}: {name}"


LEANING = re.compile(r"(The same(,| as| for| again| after)|They |It |Also |Likewise|And |As above)")
"""How a docstring begins that only its neighbour explains."""


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_docstrings_stand_alone(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            said = ast.get_docstring(node) or ""
            assert not LEANING.match(said), f"{path}:{node.lineno}: {said}"


def test_the_architecture_names_every_module_of_the_shared_rooms() -> None:
    told = (PROJECT / "docs/architecture.md").read_text("utf-8")
    for room in ("contract", "engine", "server"):
        for path in sorted((ROOT / room).glob("[a-z]*.py")):
            assert f"`{room}/{path.name}`" in told or f", `{path.name}`" in told, path


# Game folders --------------------------------------------------------------------------------


def test_every_folder_is_a_game_and_every_game_a_folder() -> None:
    assert {folder.name.replace("_", "-") for folder in GAME_FOLDERS} == set(GAME_IDS)
    assert [game.id for game in games()] == list(GAME_IDS)


@pytest.mark.parametrize("folder", GAME_FOLDERS, ids=lambda folder: folder.name)
def test_every_game_folder_has_the_same_slots(folder: Path) -> None:
    texts = [f"text/{lang}.json" for lang in LANGUAGES]
    texts += [f"text/rules.{lang}.md" for lang in LANGUAGES]
    files = [path for path in folder.rglob("*") if "__pycache__" not in path.parts]
    found = {path.relative_to(folder).as_posix() for path in files if path.is_file()}
    assert {*SLOTS, *texts} <= found
    for path in files:
        assert path.is_dir() or path.read_text("utf-8").strip(), f"{path} is empty"


def test_the_browser_lists_the_same_games_in_the_same_order() -> None:
    source = (PROJECT / "web/src/games/index.ts").read_text("utf-8")
    listed = re.findall(r'\{ id: "(.+?)", name: "(.+?)" \}', source)
    assert listed == [(game.id, game.name) for game in games()]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_every_game_has_its_places_outside_its_folder(game: quarterdeck.Game) -> None:
    name = game.folder.name
    places = [f"web/src/games/{name}/{slot}" for slot in WEB_SLOTS]
    places += [f"web/tests/{name}.test.ts", f"web/e2e/{name}.test.mjs"]
    places += [f"docs/rules/{game.id}.md", f"tests/games/{name}", f"tests/golden/{name}"]
    assert [place for place in places if not (PROJECT / place).exists()] == []
    assert f"({game.id}.md)" in (PROJECT / "docs/rules/README.md").read_text("utf-8")
    assert f"**{game.name}**" in (PROJECT / "NOTICE.md").read_text("utf-8")
    for lang in LANGUAGES:
        assert f"harbour.about.{game.id}" in Catalogue(lang, game.folder)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_names_fit_together(game: quarterdeck.Game) -> None:
    assert game.folder.name == game.id.replace("-", "_")
    assert game.prefix.isupper()
    assert game.options[0].key == "players"
    assert game.records.State.dtype.itemsize <= 2048
    assert game.records.ACTIONS < 2**15

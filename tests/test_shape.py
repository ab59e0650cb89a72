"""The shape of the sources: imports point one way, and every game folder has the same slots."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
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
    "new_game": 5,
    "leaks": 5,
    "reach": 5,
    "tampering": 5,
    "loadtest": 5,
}
"""A module may import from its own layer's package and from lower layers."""

SLOTS = ["__init__.py", "state.py", "rules.py", "notation.py", "positions.py", "view.py"]
SLOTS += ["outlook.py", "bot.py", "terminal.py", "kit.toml"]
WEB_SLOTS = ["index.ts", "types.ts", "view.ts", "stage.svelte.ts", "Table.svelte", "Result.svelte"]
WEB_SLOTS += ["Seat.svelte", "Picture.svelte", "draws.json"]

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


# Imports at run time -------------------------------------------------------------------------

TOP = 5
"""The layer of those who may import whatever they like by name, for nobody stands above them."""


def imports_by_name(source: str) -> Iterator[tuple[int, str]]:
    """The lines in which a source imports something of ours by a name in a string, and the name."""
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        if ast.unparse(call.func).rpartition(".")[2] not in ("import_module", "__import__"):
            continue
        for part in ast.walk(call):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                if part.value.split(".")[0] == "quarterdeck":
                    yield call.lineno, part.value


def uses_importlib(source: str) -> bool:
    """Whether a source imports by name at all."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import) and any("importlib" in name.name for name in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("importlib"):
            return True
        if isinstance(node, ast.Name) and node.id == "__import__":
            return True
    return False


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_layer_imports_upward_by_name(path: Path) -> None:
    layer = LAYERS.get(layer_of(name_of(path)), TOP)
    for line, name in imports_by_name(path.read_text("utf-8")):
        theirs = LAYERS.get(layer_of(name), TOP)
        assert layer == TOP or theirs < layer, f"{path}:{line}: {name}"


@pytest.mark.parametrize(
    "path", [path for folder in GAME_FOLDERS for path in folder.rglob("*.py")], ids=name_of
)
def test_no_game_imports_by_name(path: Path) -> None:
    assert not uses_importlib(path.read_text("utf-8")), path


@pytest.mark.parametrize(
    "source",
    [
        "import importlib\nimportlib.import_module('quarterdeck.physics.gezanke')",
        "import importlib as i\ndef f(): return i.import_module('quarterdeck.physics')",
        "from importlib import import_module\nimport_module(name='quarterdeck.server')",
        "import importlib\nimportlib.import_module(f'quarterdeck.physics.{1}')",
        "__import__('quarterdeck.physics')",
    ],
)
def test_an_import_by_name_is_found(source: str) -> None:
    ((_, name),) = imports_by_name(source)
    assert LAYERS[layer_of(name.rstrip("."))] > LAYERS["games"]
    assert uses_importlib(source)


@pytest.mark.parametrize(
    "source",
    ["import json", "print('quarterdeck.physics')", "from .state import importlib_of_ours"],
)
def test_what_imports_nothing_by_name_is_let_be(source: str) -> None:
    assert list(imports_by_name(source)) == []
    assert not uses_importlib(source)


# Rule numbers in the sources -----------------------------------------------------------------


def cited_in(path: Path) -> set[str]:
    """The rule numbers a source cites. The table at the head of `rules.py` is no citation."""
    text = path.read_text("utf-8")
    if path.name == "rules.py":
        text = without_docstring(text)
    numbers = set(re.findall(r"\b[A-Z]{2,}-[CR]?\d+\b", text))
    # a constant is named by a rule and used where the rule refuses; where it is made or imported
    # it says nothing
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            if re.fullmatch(r"[A-Z]{2,}_[CR]?\d+", node.id):
                numbers.add(node.id.replace("_", "-"))
    return numbers


def without_docstring(text: str) -> str:
    """A source without the docstring at its head."""
    first = ast.parse(text).body[0]
    if ast.get_docstring(ast.parse(text)) is None or first.end_lineno is None:
        return text
    return "\n".join(text.splitlines()[first.end_lineno :])


def uncited(ledger: Path, sources: Iterable[Path]) -> list[str]:
    """The numbers of a ledger that none of these sources cites, in the order of the ledger."""
    cited = set().union(*(cited_in(path) for path in sources))
    listed = re.findall(r"^- ([A-Z]+-[CR]?\d+)\b", ledger.read_text("utf-8"), re.MULTILINE)
    return [number for number in listed if number not in cited]


def sources_of(game: quarterdeck.Game) -> list[Path]:
    """The sources of a game, and of its world if it has one."""
    name = game.folder.name
    worlds = [*ROOT.glob(f"physics/{name}.py"), *ROOT.glob(f"physics/{name}/**/*.py")]
    return [*game.folder.rglob("*.py"), *worlds]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_every_rule_is_cited_where_it_happens(game: quarterdeck.Game) -> None:
    assert uncited(PROJECT / f"docs/rules/{game.id}.md", sources_of(game)) == []


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_the_rules_open_with_a_table_of_all_numbers(game: quarterdeck.Game) -> None:
    """Every number is in it, alone or between two others: `| SK-1 … SK-9 | here |`."""
    opening = ast.get_docstring(ast.parse((game.folder / "rules.py").read_text("utf-8"))) or ""
    assert missing_in_table(opening, PROJECT / f"docs/rules/{game.id}.md") == []


def missing_in_table(opening: str, ledger: Path) -> list[str]:
    """The numbers of a ledger that no line of the table covers."""
    number = r"([A-Z]+-[CR]?)(\d+)"
    covered = set()
    for line in re.findall(r"^\|([^|]*)\|", opening, re.MULTILINE):
        for kind, low, other, high in re.findall(rf"{number}(?:\s*…\s*{number})?", line):
            last = int(high) if other == kind else int(low)
            covered |= {f"{kind}{n}" for n in range(int(low), last + 1)}
    listed = re.findall(r"^- ([A-Z]+-[CR]?\d+)\b", ledger.read_text("utf-8"), re.MULTILINE)
    return [number for number in listed if number not in covered]


def test_a_number_that_is_not_cited_is_found(tmp_path: Path) -> None:
    ledger, rules, view = (tmp_path / name for name in ("xx.md", "rules.py", "view.py"))
    ledger.write_text(
        "- XX-1  One.\n- XX-2  Two.\n- XX-3  Three.\n- XX-R1  Ruling.\n- XX-C1  Box.\n"
    )
    rules.write_text(
        '"""The rules.\n\n| XX-1 … XX-3 | here |\n| XX-R1 | `view.py` |\n"""\n'
        "XX_1, XX_2 = 1, 2\n# XX-1: first\ndef refuse(): return XX_2\n"
    )
    view.write_text('"""What is seen (XX-R1)."""\nfrom .rules import XX_1\n')
    assert uncited(ledger, [rules, view]) == ["XX-3", "XX-C1"]
    assert uncited(ledger, [view]) == ["XX-1", "XX-2", "XX-3", "XX-C1"]
    opening = ast.get_docstring(ast.parse(rules.read_text())) or ""
    assert missing_in_table(opening, ledger) == ["XX-C1"]


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


ROOMS = {
    "state.py": {"Kit", "State", "Action", "Memory", "ACTIONS"},
    "rules.py": {"new", "node", "seats", "legal", "decode", "number", "refuse", "apply", "sample"}
    | {"outcome"},
    "notation.py": {"load_kit", "parse", "text", "draws"},
    "positions.py": {"position", "from_position"},
    "view.py": {"see", "glimpse", "remember", "events"},
    "bot.py": {"imagine", "choose"},
    "terminal.py": {"table", "label"},
}
"""What is made in which room of every game; the same question leads to the same file."""


def made_in(source: str) -> set[str]:
    """The functions, classes and constants that a source makes itself, and does not import."""
    made: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = (part for target in targets for part in ast.walk(target))
            made |= {part.id for part in names if isinstance(part, ast.Name)}
    return made


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("folder", GAME_FOLDERS, ids=lambda folder: folder.name)
def test_every_room_holds_what_it_holds_in_every_game(folder: Path, room: str) -> None:
    source = (folder / room).read_text("utf-8")
    assert ROOMS[room] - made_in(source) == set()


def test_what_a_room_only_imports_is_not_made_there() -> None:
    source = (
        "from .legal import refuse\nACTIONS, A = 3, 4\nclass State: ...\ndef new(): apply = 1\n"
    )
    assert made_in(source) == {"ACTIONS", "A", "State", "new"}


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

"""What the package offers by its own name, and that its types are offered with it."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import quarterdeck

PROJECT = Path(__file__).parents[1]
SOURCE = Path(quarterdeck.__file__)
LAZY = sorted(set(quarterdeck.__all__) - {"__version__"})


def examples_in(document: str) -> list[str]:
    """The Python sources a document shows."""
    text = (PROJECT / document).read_text("utf-8")
    return re.findall(r"^```python\n(.+?)^```", text, re.M | re.S)


def homes_for_the_type_checker() -> dict[str, str]:
    """Which module each name comes from where types are checked."""
    return {
        alias.name: node.module or ""
        for node in ast.walk(ast.parse(SOURCE.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level
        for alias in node.names
    }


@pytest.mark.parametrize("name", LAZY)
def test_a_public_name_is_what_the_type_checker_takes_it_for(name: str) -> None:
    home = importlib.import_module(f"quarterdeck.{homes_for_the_type_checker()[name]}")
    assert getattr(quarterdeck, name) is getattr(home, name)
    assert name in dir(quarterdeck)


def test_all_public_names_are_listed_and_documented() -> None:
    assert sorted(homes_for_the_type_checker()) == LAZY
    assert [name for name in LAZY if f"`{name}`" not in (quarterdeck.__doc__ or "")] == []


def test_no_public_name_is_also_a_submodule() -> None:
    """`from quarterdeck import x` would give the one or the other, whichever was loaded first."""
    submodules = {module.name for module in pkgutil.iter_modules(quarterdeck.__path__)}
    assert "games" in submodules
    assert submodules.isdisjoint(quarterdeck.__all__)


def test_a_name_that_is_not_offered() -> None:
    with pytest.raises(AttributeError, match="no attribute 'parrot'"):
        getattr(quarterdeck, "parrot")  # noqa: B009  # the type checker knows that it is not there


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    script = "import quarterdeck, sys; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.strip() == b"False"


def test_the_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = examples_in("README.md")
    exec(example, {})
    view, record = capsys.readouterr().out.splitlines()
    assert "'?'" in view
    assert record.startswith("GameRecord(")


@pytest.mark.parametrize("document", ["README.md", "docs/bots.md"])
def test_documents_import_what_is_there(document: str) -> None:
    found = 0
    for example in examples_in(document):
        for node in ast.walk(ast.parse(example)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("quarterdeck"):
                module = importlib.import_module(node.module or "")
                for alias in node.names:
                    value = getattr(module, alias.name)
                    # from the module that has it, or offers it by name
                    offered = getattr(module, "__all__", [])
                    assert alias.name in offered or value.__module__ == module.__name__
                    found += 1
    assert found


def test_types_are_offered() -> None:
    assert (SOURCE.parent / "py.typed").read_bytes() == b""

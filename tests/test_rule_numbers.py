"""Every numbered rule has a test, and every test names rules that exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from quarterdeck.games import GAME_IDS, find_game

TESTS = Path(__file__).parent
LEDGERS = TESTS.parent / "docs" / "rules"


@cache
def numbers_in(ledger: Path) -> tuple[str, ...]:
    """The rule numbers a document lists, in its order."""
    return tuple(re.findall(r"^- ([A-Z]+-[CR]?\d+)\b", ledger.read_text(), re.MULTILINE))


def marks_in(tree: ast.AST) -> list[tuple[str, int]]:
    """Every number in a `pytest.mark.rule(…)` of a source, with its line."""
    marks = []
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.rule":
            assert call.args, f"line {call.lineno}: a mark names its rules"
            marks += [(ast.literal_eval(argument), call.lineno) for argument in call.args]
    return marks


@cache
def cited() -> dict[str, list[str]]:
    """Where each number is cited in the tests: file and line."""
    places: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for number, line in marks_in(ast.parse(path.read_text())):
            places.setdefault(number, []).append(f"{path.relative_to(TESTS)}:{line}")
    return places


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_every_rule_has_a_test(game_id: str) -> None:
    numbers = numbers_in(LEDGERS / f"{game_id}.md")
    assert numbers
    assert [number for number in numbers if number not in cited()] == []


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_document_lists_each_number_once_under_its_own_prefix(game_id: str) -> None:
    numbers = numbers_in(LEDGERS / f"{game_id}.md")
    assert len(numbers) == len(set(numbers))
    assert {number.partition("-")[0] for number in numbers} == {find_game(game_id).prefix}
    # a line that begins like a rule is read as one: "- SK-5   Whoever holds ..."
    text = (LEDGERS / f"{game_id}.md").read_text()
    alike = re.findall(r"^\s*[-*+]\s*\W{0,2}[A-Z]{2,}\W?[CR]?\d.*", text, re.MULTILINE)
    assert [line for line in alike if not line.startswith(tuple(f"- {n}" for n in numbers))] == []
    # the plain rules are counted without a gap, and so are components and rulings
    for kind in ("", "C", "R"):
        counted = [n for n in numbers if re.fullmatch(rf"[A-Z]+-{kind}\d+", n)]
        assert [int(re.sub(r"\D", "", n)) for n in counted] == list(range(1, len(counted) + 1))


def test_no_test_cites_a_rule_that_is_in_no_document() -> None:
    known = {number for ledger in LEDGERS.glob("*.md") for number in numbers_in(ledger)}
    unknown = {number: places for number, places in cited().items() if number not in known}
    assert unknown == {}


def test_marks_are_found_wherever_they_stand() -> None:
    source = """
pytestmark = [pytest.mark.rule("XX-1")]
@pytest.mark.rule("XX-2", "XX-R3")
class TestIt:
    @pytest.mark.parametrize("a", [pytest.param(1, marks=pytest.mark.rule("XX-C4"))])
    def test_it(self, a): ...
"""
    numbers = [number for number, _ in marks_in(ast.parse(source))]
    assert sorted(numbers) == ["XX-1", "XX-2", "XX-C4", "XX-R3"]

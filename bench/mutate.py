"""Mutation testing: small changes to a game's rules, each of which some test should notice.

    python bench/mutate.py --game skull-king
    python bench/mutate.py --game skull-king --limit 50 --seed 7
    python bench/mutate.py --game skull-king --only winning_place

Every mutant is the game's `rules.py` with one change: a comparison swapped, a condition negated, a
statement dropped, a number off by one. It goes into a copy of the sources, and the tests of the
game run against that copy, interpreted, up to the first failure. A mutant that fails a test, or
that does not come to an end, is killed. One that survives is a test that is missing, or a change
that changes nothing: those are declared below, each with its reason.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

EQUIVALENT: dict[str, dict[tuple[str, str, str], str]] = {"skull-king": {}}
"""Mutants that change nothing, by game: (the line, before, after) and why."""


class Mutant(NamedTuple):
    """One change: where it stands, what was there, what is there now, and the whole source."""

    function: str
    line: int
    code: str
    before: str
    after: str
    source: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.code, self.before, self.after


# The changes ---------------------------------------------------------------------------------

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt,),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


def changed_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node, one change each."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for other in COMPARISONS.get(type(operator), ()):
                yield _with(node, ops=[*node.ops[:place], other(), *node.ops[place + 1 :]])
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in OPERATORS:
        yield _with(node, op=OPERATORS[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, ast.Return) and node.value is not None:
        if not isinstance(node.value, ast.Constant):
            yield ast.Return(ast.Constant(0))
        yield ast.Return(ast.BinOp(node.value, ast.Add(), ast.Constant(1)))
    droppable = (ast.Assign, ast.AugAssign, ast.Expr, ast.Break, ast.Continue, ast.Return)
    if isinstance(node, droppable):
        yield ast.Pass()


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def mutants_of(source: str) -> list[Mutant]:
    """Every mutant of a source: of its functions and of its named numbers."""
    tree = ast.parse(source)
    lines = [line.partition("  #")[0].strip() for line in source.splitlines()]
    mutants = []
    for part in tree.body:
        if isinstance(part, ast.FunctionDef):
            name, roots = part.name, part.body
        elif isinstance(part, ast.Assign) and not isinstance(part.value, ast.Call):
            name, roots = "(module)", [part.value]
        else:
            continue
        for root in roots:
            for parent, field, place, node in _places(part, root):
                for other in changed_nodes(node):
                    before, after = _brief(node), _brief(other)
                    _put(parent, field, place, other)
                    changed = ast.unparse(ast.fix_missing_locations(tree))
                    _put(parent, field, place, node)
                    code = lines[node.lineno - 1]
                    mutants.append(Mutant(name, node.lineno, code, before, after, changed))
    return mutants


def _places(
    parent: ast.AST, root: ast.AST
) -> Iterator[tuple[ast.AST, str, int | None, ast.expr | ast.stmt]]:
    """Every expression and statement from a root down, with its place in its parent."""
    for field, value in ast.iter_fields(parent):
        for place, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if node is root and not _is_docstring(node):
                yield parent, field, place, node
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr | ast.stmt):
                        yield from _places(node, child)


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _put(parent: ast.AST, field: str, place: int | None, node: ast.AST) -> None:
    if place is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[place] = node


def _brief(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(node)).partition("\n")[0]


# Running the tests ---------------------------------------------------------------------------


class Yard:
    """Copies of the sources, one a worker, in which the mutants are tried."""

    def __init__(self, home: Path, game: str, workers: int) -> None:
        self.tests = ROOT / "tests" / "games" / game
        self.rules = Path("quarterdeck", "games", game, "rules.py")
        self.home = home
        self.copies: queue.Queue[Path] = queue.Queue()
        for worker in range(workers):
            folder = home / f"src{worker}"
            shutil.copytree(ROOT / "src", folder, ignore=shutil.ignore_patterns("__pycache__"))
            self.copies.put(folder)

    def run(self, source: str, timeout_s: float) -> tuple[bool, str]:
        """Whether the tests pass with this source in the place of the rules, and their output."""
        folder = self.copies.get()
        try:
            rules = folder / self.rules
            rules.write_text(source)
            for stale in rules.parent.glob("__pycache__/rules.*"):
                stale.unlink()
            return self._pytest(folder, timeout_s)
        finally:
            self.copies.put(folder)

    def _pytest(self, folder: Path, timeout_s: float) -> tuple[bool, str]:
        environment = os.environ | {
            "NUMBA_DISABLE_JIT": "1",
            "NUMBA_CACHE_DIR": str(self.home / "cache"),
            "PYTHONPATH": str(folder),
        }
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        try:
            done = subprocess.run(
                [*command, str(self.tests)],
                cwd=ROOT,
                env=environment,
                capture_output=True,
                text=True,
                timeout=timeout_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False, "no end"
        return done.returncode == 0, done.stdout


def report(results: dict[Mutant, bool], equivalent: dict[tuple[str, str, str], str]) -> float:
    """Prints what was killed, function by function, and what survived; answers the share killed."""
    print(f"\n{'function':<20}{'mutants':>8}{'killed':>8}")
    for function in dict.fromkeys(mutant.function for mutant in results):
        fates = [killed for mutant, killed in results.items() if mutant.function == function]
        print(f"{function:<20}{len(fates):>8}{sum(fates):>8}")
    killed = sum(results.values())
    print(f"{'':<20}{len(results):>8}{killed:>8}  {killed / len(results):.1%}\n")
    for mutant, was_killed in results.items():
        if not was_killed:
            reason = equivalent.get(mutant.key)
            fate = f"equivalent ({reason})" if reason else "SURVIVED"
            print(f"  {mutant.line}: {mutant.code}")
            print(f"       {mutant.before}  ->  {mutant.after}  {fate}")
    open_ones = sum(not fate and mutant.key not in equivalent for mutant, fate in results.items())
    print(f"\n{open_ones} survived, {len(results) - killed - open_ones} are equivalent")
    return killed / (killed + open_ones)


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutation testing of a game's rules.")
    parser.add_argument("--game", default="skull-king", help="the game's id")
    parser.add_argument("--limit", type=int, help="try so many mutants, drawn at random")
    parser.add_argument("--seed", type=int, default=0, help="of that draw")
    parser.add_argument("--only", help="try the mutants of this function")
    parser.add_argument("--workers", type=int, default=2, help="how many at a time")
    parser.add_argument("--at-least", type=float, default=0.9, help="the share to be killed")
    options = parser.parse_args()

    game = options.game.replace("-", "_")
    source = (ROOT / "src" / "quarterdeck" / "games" / game / "rules.py").read_text()
    mutants = mutants_of(source)
    if options.only:
        mutants = [mutant for mutant in mutants if mutant.function == options.only]
    if options.limit is not None and options.limit < len(mutants):
        chosen = random.Random(options.seed).sample(range(len(mutants)), options.limit)
        mutants = [mutants[i] for i in sorted(chosen)]
    if not mutants:
        parser.error("there is nothing to change")

    with tempfile.TemporaryDirectory() as home:
        yard = Yard(Path(home), game, options.workers)
        started = time.monotonic()
        passes, output = yard.run(source, timeout_s=600)
        if not passes:
            print(output, file=sys.stderr)
            print("the tests fail without any change", file=sys.stderr)
            return 2
        timeout_s = 10 + 3 * (time.monotonic() - started)

        def is_killed(mutant: Mutant) -> bool:
            return not yard.run(mutant.source, timeout_s)[0]

        results: dict[Mutant, bool] = {}
        with ThreadPoolExecutor(options.workers) as pool:
            for mutant, killed in zip(mutants, pool.map(is_killed, mutants), strict=True):
                results[mutant] = killed
                where = f"{len(results)}/{len(mutants)} {mutant.function}:{mutant.line}"
                if not killed:
                    print(f"{where}  {mutant.before}  ->  {mutant.after}", flush=True)
    share = report(results, EQUIVALENT.get(options.game, {}))
    return 0 if share >= options.at_least else 1


if __name__ == "__main__":
    sys.exit(main())

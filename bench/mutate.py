"""Mutation testing: small changes to a game's rules, each of which some test should notice.

    python bench/mutate.py --game skull-king
    python bench/mutate.py --game skull-king --limit 50 --seed 7
    python bench/mutate.py --game skull-king --only winning_place

Every mutant is the game's `rules.py` with one change: a comparison swapped, a condition negated, a
statement dropped, a number off by one. The tests of the game are collected once, with the rules
interpreted; for each mutant a process is forked that runs the changed source in the place of the
rules, and then the tests up to the first failure. A mutant that fails a test, or that does not come
to an end, is killed. Where one survives a test is missing, or else the change changes nothing: such
are declared below, each with its reason.
"""

from __future__ import annotations

import argparse
import ast
import copy
import itertools
import os
import random
import re
import resource
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

EQUIVALENT: dict[str, dict[tuple[str, str, str], str]] = {
    "skull-king": {
        ("new", "state.players = options[0]", "0  ->  -1"): "there is one option",
        ("node", "return OVER", "return OVER  ->  return 0"): "OVER is 0",
        ("suit_of", "if 0 <= card < SUIT_CARDS:", "0  ->  -1"): "-1 // 13 is NONE too",
        ("legal", "break", "break  ->  continue"): "behind the first empty place all are empty",
        (
            "number",
            "if action.verb == BID and 0 <= action.args[0] <= LAST_HAND:",
            "0  ->  -1",
        ): "the answer for -1 is NONE, and that is -1",
        (
            "refuse",
            "if actor < 0 or actor >= state.players:",
            "0  ->  -1",
        ): "-1 is nature, who comes before",
        (
            "refuse",
            "return SK_9 if state.trick[0] == NONE and state.last[0] != NONE else SK_4",
            "0  ->  1",
        ): "a finished trick has two cards; the other 0 of the line is tested",
        (
            "refuse_nature",
            "if card < 0 or card >= CARD_KINDS or left[card] == 0:",
            "0  ->  -1",
        ): "-1 is NONE, which comes before",
        (
            "deal",
            "clear_hand(state)",
            "clear_hand(state)  ->  pass",
        ): "the table is clear before a deal",
        (
            "insert_card",
            "while place > 0 and hand[place - 1] > card:",
            "hand[place - 1] > card  ->  hand[place - 1] >= card",
        ): "equal cards are alike",
        (
            "winning_place",
            "if best == NONE or suit_of(trick[best]) != BLACK or card > trick[best]:",
            "card > trick[best]  ->  card >= trick[best]",
        ): "no suit card is there twice",
        (
            "winning_place",
            "if best == NONE or (suit_of(trick[best]) == suit and card > trick[best]):",
            "card > trick[best]  ->  card >= trick[best]",
        ): "no suit card is there twice",
        (
            "trick_bonus",
            "kings += 1",
            "1  ->  2",
        ): "there is one king, and he counts as there or not",
        (
            "hand_points",
            "return 10 * hand + bonus",
            "10 * hand + bonus  ->  10 * hand - bonus",
        ): "without a trick there is no bonus",
        (
            "outcome",
            "best = state.scores[0]",
            "0  ->  1",
        ): "the highest of all seats, whichever comes first",
        (
            "sample",
            "hand = action.args[seat * LAST_HAND : (seat + 1) * LAST_HAND]",
            "1  ->  2",
        ): "only the first places are written",
    }
}
"""Changes that change nothing, by game: the function, the line, the change, and why."""


Place = tuple[ast.AST, str, int | None]
"""Where a node hangs: its parent, the field, and the index where the field is a list."""


@dataclass(frozen=True, eq=False)
class Mutant:
    """One change to a source: in which function and line, at which place, from what to what."""

    tree: ast.Module
    function: str
    code: str
    place: Place
    node: ast.expr | ast.stmt
    other: ast.AST

    @property
    def line(self) -> int:
        return self.node.lineno

    @property
    def change(self) -> str:
        return f"{_brief(self.node)}  ->  {_brief(self.other)}"

    @property
    def key(self) -> tuple[str, str, str]:
        return self.function, self.code, self.change

    def source(self) -> str:
        """The whole source with the change."""
        _put(self.place, self.other)
        changed = ast.unparse(ast.fix_missing_locations(self.tree))
        _put(self.place, self.node)
        return changed


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


def mutants_of(folder: Path) -> list[Mutant]:
    """Every mutant of a game's rules: of its functions, and of the numbers named for them alone."""
    source = (folder / "rules.py").read_text()
    others = "".join(path.read_text() for path in folder.glob("*.py") if path.name != "rules.py")
    tree = ast.parse(source)
    lines = [line.partition("  #")[0].strip() for line in source.splitlines()]
    mutants = []
    for part in tree.body:
        roots: Sequence[ast.expr | ast.stmt] = ()
        function = "(module)"
        if isinstance(part, ast.FunctionDef):
            function, roots = part.name, part.body
        elif isinstance(part, ast.Assign) and not isinstance(part.value, ast.Call):
            names = re.findall(r"\w+", ast.unparse(part.targets[0]))
            if not any(re.search(rf"\b{name}\b", others) for name in names):
                roots = [part.value]
        for root in roots:
            for place, node in _places(part, root):
                for other in changed_nodes(node):
                    code = lines[node.lineno - 1]
                    mutants.append(Mutant(tree, function, code, place, node, other))
    return mutants


def _places(
    parent: ast.AST, root: ast.expr | ast.stmt
) -> Iterator[tuple[Place, ast.expr | ast.stmt]]:
    """Every expression and statement from a root down, with its place."""
    for field, value in ast.iter_fields(parent):
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if node is root and not _is_docstring(node):
                yield (parent, field, index), root
                for child in ast.iter_child_nodes(root):
                    if isinstance(child, ast.expr | ast.stmt):
                        yield from _places(root, child)


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _put(place: Place, node: ast.AST) -> None:
    parent, field, index = place
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def _brief(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(node)).partition("\n")[0]


# Running the tests ---------------------------------------------------------------------------


class Trials:
    """A plugin of pytest that runs the collected tests once for each mutant."""

    def __init__(self, game: str, mutants: list[Mutant], workers: int) -> None:
        self.rules = f"quarterdeck.games.{game}.rules"
        self.mutants = mutants
        self.workers = workers
        self.passes_unchanged = False
        self.was_killed: dict[Mutant, bool] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        _, status, usage = os.wait4(self.start(session, None, cpu_s=3600), 0)
        self.passes_unchanged = status == 0
        if self.passes_unchanged:
            self.try_all(session, cpu_s=10 + 3 * int(usage.ru_utime))
        return True  # instead of the usual loop

    def try_all(self, session: pytest.Session, cpu_s: int) -> None:
        waiting = iter(self.mutants)
        running: dict[int, Mutant] = {}
        while len(self.was_killed) < len(self.mutants):
            for mutant in itertools.islice(waiting, self.workers - len(running)):
                running[self.start(session, mutant, cpu_s)] = mutant
            pid, status = os.wait()
            mutant = running.pop(pid)
            self.was_killed[mutant] = status != 0
            if status == 0:
                place = f"{len(self.was_killed)}/{len(self.mutants)} {mutant.function}"
                print(f"{place}:{mutant.line}  {mutant.change}", file=sys.stderr, flush=True)

    def start(self, session: pytest.Session, mutant: Mutant | None, cpu_s: int) -> int:
        """Forks a process that runs the tests; answers its id."""
        pid = os.fork()
        if pid == 0:
            code = 70
            try:
                code = self.run(session, mutant, cpu_s)
            finally:
                os._exit(code)
        return pid

    def run(self, session: pytest.Session, mutant: Mutant | None, cpu_s: int) -> int:
        """In the forked process: runs the tests up to the first failure; 0 if there is none."""
        # time of the processor, not of the clock: no mutant dies of a busy machine
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        if mutant is not None:
            exec(mutant.source(), vars(sys.modules[self.rules]))
        for item, following in itertools.zip_longest(session.items, session.items[1:]):
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.testsfailed:
                return 1
        return 0


def report(results: dict[Mutant, bool], equivalent: dict[tuple[str, str, str], str]) -> float:
    """Prints what was killed, function by function, and what survived; answers the share killed."""
    print(f"\n{'function':<20}{'mutants':>8}{'killed':>8}")
    for function in dict.fromkeys(mutant.function for mutant in results):
        fates = [killed for mutant, killed in results.items() if mutant.function == function]
        print(f"{function:<20}{len(fates):>8}{sum(fates):>8}")
    killed = sum(results.values())
    print(f"{'':<20}{len(results):>8}{killed:>8}  {killed / len(results):.1%}\n")
    survivors = [mutant for mutant, was_killed in results.items() if not was_killed]
    for mutant in survivors:
        reason = equivalent.get(mutant.key)
        fate = f"equivalent: {reason}" if reason else "SURVIVED"
        print(f"  {mutant.line}: {mutant.code}\n       {mutant.change}  ({fate})")
    open_ones = sum(mutant.key not in equivalent for mutant in survivors)
    print(f"\n{open_ones} survived, {len(survivors) - open_ones} are equivalent")
    return killed / max(1, killed + open_ones)


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
    mutants = mutants_of(ROOT / "src" / "quarterdeck" / "games" / game)
    if options.only:
        mutants = [mutant for mutant in mutants if mutant.function == options.only]
    if options.limit is not None and options.limit < len(mutants):
        chosen = random.Random(options.seed).sample(range(len(mutants)), options.limit)
        mutants = [mutants[i] for i in sorted(chosen)]
    if not mutants:
        parser.error("there is nothing to change")

    os.environ["NUMBA_DISABLE_JIT"] = "1"
    sys.path.insert(0, str(ROOT / "src"))
    trials = Trials(game, mutants, options.workers)
    tests = ROOT / "tests" / "games" / game
    pytest.main(["-s", "-q", "-p", "no:cacheprovider", str(tests)], plugins=[trials])
    if not trials.passes_unchanged:
        print("the tests fail, interpreted, without any change", file=sys.stderr)
        return 2
    share = report(trials.was_killed, EQUIVALENT.get(options.game, {}))
    return 0 if share >= options.at_least else 1


if __name__ == "__main__":
    sys.exit(main())

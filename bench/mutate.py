"""Mutation testing: small changes to a game's rules, each of which some test should notice.

    python bench/mutate.py --game skull-king
    python bench/mutate.py --game piratoons --limit 250 --seed 0
    python bench/mutate.py --game piratoons --only plunder.drop
    python bench/mutate.py --game piratoons --limit 250 --json > piratoons.json
    python bench/mutate.py --game piratoons --again piratoons.json

Every mutant is one function of the rules with one change: a comparison swapped, a condition
negated, a statement dropped, a number off by one. The rules are the compiled functions that
`rules.py` offers and all that these call in whatever room of the game's folder, and the numbers
named in those rooms for them alone. Where there are too many mutants a sample is tried, drawn by a
seed, from every room as many as its share.

The tests are those of the game's folder and its golden records. They are collected once, with the
rules interpreted, and run once unchanged to learn how long each takes and what it calls. For each
mutant a process is forked that puts the changed code in the place of the function's and runs the
tests that call it up to the first failure, those first that have killed most in the least time. A
mutant that fails a test, or that does not come to an end, is killed. Where one survives a test is
missing, or else the change changes nothing: such are declared in `equivalents.toml`, each with its
reason.
"""

from __future__ import annotations
import __future__

import argparse
import ast
import contextlib
import copy
import hashlib
import importlib
import itertools
import json
import mmap
import os
import random
import re
import signal
import struct
import sys
import tempfile
import threading
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
EQUIVALENTS = Path(__file__).parent / "equivalents.toml"
DECIDING = ("node", "seats", "legal", "decode", "number", "refuse")
CONTRACT = ("new", *DECIDING, "apply", "sample", "outcome")
"""What a game's rules offer: whatever these call belongs to the rules."""

BROKEN = 70
"""What a forked process answers that failed by itself, not by a test."""

Place = tuple[ast.AST, str, int | None]
"""Where a node hangs: its parent, the field, and the index where the field is a list."""

Key = tuple[str, str, str, str]
"""What a mutant is known by: room, function, line and change."""


@dataclass(frozen=True, eq=False)
class Mutant:
    """One change: in which room, function and line, at which place, from what to what."""

    room: str
    part: ast.FunctionDef | ast.Assign
    line: str
    place: Place
    node: ast.expr | ast.stmt
    other: ast.AST

    @property
    def function(self) -> str:
        return self.part.name if isinstance(self.part, ast.FunctionDef) else "(module)"

    @property
    def change(self) -> str:
        return f"{_brief(self.node)}  ->  {_brief(self.other)}"

    @property
    def key(self) -> Key:
        return self.room, self.function, self.line, self.change

    def code(self, room: ast.Module) -> CodeType:
        """The changed part of the room: the function without its decorators, or the number and all
        that stands below it in the room, which may be made of it."""
        _put(self.place, self.other)
        if isinstance(self.part, ast.FunctionDef):
            source = ast.unparse(ast.fix_missing_locations(_with(self.part, decorator_list=[])))
        else:
            values = [part for part in room.body if isinstance(part, ast.Assign)]
            values = [part for part in values if part.lineno >= self.part.lineno]
            source = "\n".join(ast.unparse(ast.fix_missing_locations(part)) for part in values)
        _put(self.place, self.node)
        flags = __future__.annotations.compiler_flag
        code: CodeType = compile(
            source, f"<{self.room}, changed>", "exec", flags, dont_inherit=True
        )
        return code

    def put(self, game: str, code: CodeType) -> None:
        """Puts the change in the place of what the game has, for all who hold the function."""
        module = importlib.import_module(f"quarterdeck.games.{game}.{self.room}")
        names = vars(module) if self.function == "(module)" else dict(vars(module))
        exec(code, names)
        if self.function != "(module)":
            getattr(module, self.function).__code__ = names[self.function].__code__


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
    ast.Div: ast.Mult,
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


# What there is to change ---------------------------------------------------------------------


class Rooms:
    """The rooms of a game's folder, and which of their functions are rules."""

    def __init__(self, folder: Path) -> None:
        self.sources = {path.stem: path.read_text() for path in sorted(folder.glob("*.py"))}
        self.trees = {room: ast.parse(source) for room, source in self.sources.items()}
        self.functions = {
            (room, part.name): part
            for room, tree in self.trees.items()
            for part in tree.body
            if isinstance(part, ast.FunctionDef) and _is_compiled(part)
        }
        offered = self._names("rules")
        self.rules = self._reached([offered[name] for name in CONTRACT])

    def _reached(self, roots: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """These functions and all compiled ones they call, in the order of rooms and lines."""
        reached: set[tuple[str, str]] = set()
        waiting = list(roots)
        while waiting:
            where = waiting.pop()
            if where in reached:
                continue
            reached.add(where)
            known = self._names(where[0])
            for node in ast.walk(self.functions[where]):
                if isinstance(node, ast.Name | ast.Attribute):
                    called = known.get(ast.unparse(node))
                    if called in self.functions:
                        waiting.append(called)
        return [where for where in self.functions if where in reached]

    def _names(self, room: str) -> dict[str, tuple[str, str]]:
        """The functions of the folder by the names they have in a room."""
        names = {name: (at, name) for at, name in self.functions if at == room}
        for part in self.trees[room].body:
            if isinstance(part, ast.ImportFrom) and part.level == 1:
                for alias in part.names:
                    name = alias.asname or alias.name
                    if part.module is not None:
                        names[name] = (part.module, alias.name)
                    else:
                        names |= {
                            f"{name}.{own}": (at, own)
                            for at, own in self.functions
                            if at == alias.name
                        }
        return names

    def mutants(self) -> list[Mutant]:
        """Every mutant of the rules, and of the numbers named beside them for them alone."""
        mutants = []
        for room in dict.fromkeys(room for room, _ in self.rules):
            lines = [line.partition("  #")[0].strip() for line in self.sources[room].splitlines()]
            for part in self.trees[room].body:
                roots: Sequence[ast.expr | ast.stmt] = ()
                if isinstance(part, ast.FunctionDef) and (room, part.name) in self.rules:
                    roots = part.body
                elif isinstance(part, ast.Assign) and self._is_own_number(room, part):
                    roots = [part.value]
                for root in roots:
                    for place, node in _places(part, root):
                        for other in changed_nodes(node):
                            assert isinstance(part, ast.FunctionDef | ast.Assign)
                            line = _known_as(lines, part.lineno, node.lineno)
                            mutants.append(Mutant(room, part, line, place, node, other))
        return mutants

    def _is_own_number(self, room: str, part: ast.Assign) -> bool:
        """Whether a number of a room is read there and nowhere else; `state` names for all."""
        if room == "state" or isinstance(part.value, ast.Call):
            return False
        others = "".join(source for other, source in self.sources.items() if other != room)
        names = re.findall(r"\w+", ast.unparse(part.targets[0]))
        return not any(re.search(rf"\b{name}\b", others) for name in names)

    def digest(self) -> str:
        """Stands for the sources of the folder."""
        return hashlib.sha256("".join(self.sources.values()).encode()).hexdigest()[:16]


def _known_as(lines: list[str], first: int, number: int) -> str:
    """A line's text; where a function has equal ones above it, with its place among them."""
    line = lines[number - 1]
    above = lines[first - 1 : number - 1].count(line)
    return f"{line}  #{above + 1}" if above else line


def _is_compiled(part: ast.FunctionDef) -> bool:
    return any(ast.unparse(each) in ("compiled", "inlined") for each in part.decorator_list)


def drawn(mutants: list[Mutant], limit: int, seed: int) -> list[Mutant]:
    """So many of the mutants, drawn by a seed, from every room as many as its share."""
    rooms: dict[str, list[int]] = defaultdict(list)
    for index, mutant in enumerate(mutants):
        rooms[mutant.room].append(index)
    exact = {room: limit * len(own) / len(mutants) for room, own in rooms.items()}
    quota = {room: int(share) for room, share in exact.items()}
    by_rest = sorted(rooms, key=lambda room: quota[room] - exact[room])
    for room in by_rest[: limit - sum(quota.values())]:
        quota[room] += 1
    rng = random.Random(seed)
    taken = [index for room, own in rooms.items() for index in rng.sample(own, quota[room])]
    return [mutants[index] for index in sorted(taken)]


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


@dataclass
class Unchanged:
    """How the tests ran without any change: how long each took, and what each called."""

    seconds: list[float]
    called: list[set[tuple[str, str]]]


class Trials:
    """A plugin of pytest that runs the collected tests once for each mutant."""

    def __init__(self, game: str, rooms: Rooms, mutants: list[Mutant], workers: int) -> None:
        self.game = game
        self.rooms = rooms
        self.mutants = mutants
        self.workers = workers
        self.passes_unchanged = False
        self.was_killed: dict[Mutant, bool] = {}
        self.kills: Counter[int] = Counter()
        self.kills_of: dict[str, Counter[int]] = defaultdict(Counter)  # by function
        self.current = mmap.mmap(-1, 4 * workers)  # by slot, the test that runs
        self.unchanged = Unchanged([], [])
        self.items: list[pytest.Item] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Of the golden records only those of the game."""
        items[:] = [item for item in items if self.is_own(item)]

    def is_own(self, item: pytest.Item) -> bool:
        if item.path.parent.name == self.game:
            return True
        calls = getattr(item, "callspec", None)
        return calls is not None and calls.params["path"].parent.name == self.game

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = session.items
        with tempfile.NamedTemporaryFile("r") as told:
            pid = self.fork(lambda: self.run_unchanged(session, told.name))
            _, status = os.waitpid(pid, 0)
            self.passes_unchanged = status == 0
            if self.passes_unchanged:
                seconds, called = json.load(told)
                reached = [{(room, name) for room, name in each} for each in called]
                self.unchanged = Unchanged(seconds, reached)
                total = f"{len(seconds)} tests in {sum(seconds):.0f} s of the processor"
                print(f"{self.game}: {len(self.mutants)} mutants, {total}", file=sys.stderr)
                # the other way round too: a test that leans on another would kill all mutants
                everything = list(reversed(range(len(self.items))))
                pid = self.fork(lambda: self.run(session, everything, 0))
                _, status = os.waitpid(pid, 0)
                self.passes_unchanged = status == 0
            if self.passes_unchanged:
                self.try_all(session)
        return True  # instead of the usual loop

    def try_all(self, session: pytest.Session) -> None:
        waiting = iter(self.mutants)
        running: dict[int, tuple[Mutant, int]] = {}
        free = list(range(self.workers))
        while len(self.was_killed) < len(self.mutants):
            for mutant in itertools.islice(waiting, len(free)):
                slot = free.pop()
                running[self.start(session, mutant, slot)] = mutant, slot
            pid, status = os.wait()
            mutant, slot = running.pop(pid)
            free.append(slot)
            if os.waitstatus_to_exitcode(status) == BROKEN:
                raise RuntimeError(f"the trial itself failed: {mutant.key}")
            self.was_killed[mutant] = status != 0
            (killer,) = struct.unpack_from("i", self.current, 4 * slot)
            if status != 0 and killer >= 0:
                self.kills[killer] += 1
                self.kills_of[mutant.function][killer] += 1
            if status == 0:
                place = f"{len(self.was_killed)}/{len(self.mutants)}"
                print(place, *mutant.key, sep=" | ", file=sys.stderr, flush=True)

    def order(self, mutant: Mutant) -> list[int]:
        """The tests that call what is changed, those first that have killed most for their time."""
        where = mutant.room, mutant.function
        called = self.unchanged.called
        reached = [
            i for i in range(len(self.items)) if where in called[i] or where[1] == "(module)"
        ]
        own = self.kills_of[mutant.function]

        def promise(i: int) -> float:
            return (20 * own[i] + self.kills[i] + 0.5) / (self.unchanged.seconds[i] + 0.02)

        return sorted(reached, key=promise, reverse=True)

    def start(self, session: pytest.Session, mutant: Mutant, slot: int) -> int:
        """Forks a process that runs the tests on a mutant; answers its id."""
        order = self.order(mutant)
        code = mutant.code(self.rooms.trees[mutant.room])
        struct.pack_into("i", self.current, 4 * slot, -1)

        def run() -> int:
            mutant.put(self.game, code)
            return self.run(session, order, slot)

        return self.fork(run)

    def fork(self, run: Callable[[], int]) -> int:
        """Starts a process that runs something, silently, up to its answer; answers its id."""
        pid = os.fork()
        if pid == 0:
            code = BROKEN
            try:
                silence = os.open(os.devnull, os.O_WRONLY)
                os.dup2(silence, 1)
                os.dup2(silence, 2)
                code = run()
            finally:
                os._exit(code)
        return pid

    def run_unchanged(self, session: pytest.Session, told: str) -> int:
        """In the forked process: runs all tests; tells how long each took and what it called."""
        watched = {}
        for room, name in self.rooms.rules:
            module = importlib.import_module(f"quarterdeck.games.{self.game}.{room}")
            watched[id(getattr(module, name).__code__)] = (room, name)
        called: set[tuple[str, str]] = set()

        def note(frame: FrameType, event: str, _: Any) -> None:
            if event == "call" and id(frame.f_code) in watched:
                called.add(watched[id(frame.f_code)])

        sys.setprofile(note)
        threading.setprofile(note)
        seconds, reached = [], []
        for item, following in itertools.zip_longest(session.items, session.items[1:]):
            called.clear()
            started = time.process_time()
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            seconds.append(time.process_time() - started)
            reached.append(sorted(called))
            if session.testsfailed:
                return 1
        Path(told).write_text(json.dumps([seconds, reached]))
        return 0

    def run(self, session: pytest.Session, order: list[int], slot: int) -> int:
        """In the forked process: runs tests up to the first failure; 0 if there is none."""
        for index, following in itertools.zip_longest(order, order[1:]):
            struct.pack_into("i", self.current, 4 * slot, index)
            # time of the processor, not of the clock: no mutant dies of a busy machine
            signal.setitimer(signal.ITIMER_PROF, self.limit_s(index))
            item = self.items[index]
            beyond = None if following is None else self.items[following]
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=beyond)
            if session.testsfailed:
                return 1
        return 0

    def limit_s(self, index: int) -> float:
        """When a test is taken not to come to an end: what its file's slowest took, which may have
        set up for all, three times and some more."""
        path = self.items[index].path
        beside = (i for i, item in enumerate(self.items) if item.path == path)
        return 5 + 3 * max(self.unchanged.seconds[i] for i in beside)


# What comes of it ----------------------------------------------------------------------------


def equivalents(game: str) -> dict[Key, str]:
    """The changes of a game that are declared to change nothing, each with its reason."""
    declared = tomllib.loads(EQUIVALENTS.read_text("utf-8")).get(game, [])
    return {(d["room"], d["function"], d["line"], d["change"]): d["why"] for d in declared}


def report(results: dict[Mutant, bool], equivalent: dict[Key, str]) -> dict[str, Any]:
    """Says what was killed, function by function, and what survived; answers the sums."""
    out = sys.stderr
    print(f"\n{'function':<40}{'mutants':>8}{'killed':>8}", file=out)
    for where in dict.fromkeys(mutant.key[:2] for mutant in results):
        fates = [killed for mutant, killed in results.items() if mutant.key[:2] == where]
        print(f"{'.'.join(where):<40}{len(fates):>8}{sum(fates):>8}", file=out)
    survivors = [mutant for mutant, was_killed in results.items() if not was_killed]
    for mutant in survivors:
        why = equivalent.get(mutant.key)
        fate = f"equivalent: {why}" if why else "SURVIVED"
        at = f"{mutant.room}.{mutant.function}:{mutant.node.lineno}"
        print(f"  {at}: {mutant.line}\n       {mutant.change}  ({fate})", file=out)
    killed = sum(results.values())
    open_ones = [mutant for mutant in survivors if mutant.key not in equivalent]
    return {
        "tried": len(results),
        "killed": killed,
        "equivalent": len(survivors) - len(open_ones),
        "survived": len(open_ones),
        "share": 1 - len(open_ones) / len(results),
        "survivors": [mutant.key for mutant in open_ones],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutation testing of a game's rules.")
    parser.add_argument("--game", default="skull-king", help="the game's id")
    parser.add_argument("--limit", type=int, help="try so many mutants, drawn from every room")
    parser.add_argument("--seed", type=int, default=0, help="of that draw")
    parser.add_argument("--only", help="try the mutants of this room, or room.function")
    parser.add_argument("--again", type=Path, help="of an earlier --json try what survived")
    parser.add_argument("--workers", type=int, default=2, help="how many at a time")
    parser.add_argument("--at-least", type=float, default=0.95, help="the share not to survive")
    parser.add_argument("--json", action="store_true", help="print the sums as JSON")
    options = parser.parse_args()

    game = options.game.replace("-", "_")
    rooms = Rooms(ROOT / "src" / "quarterdeck" / "games" / game)
    mutants = rooms.mutants()
    equivalent = equivalents(options.game)
    unknown = equivalent.keys() - {mutant.key for mutant in mutants}
    if unknown:
        parser.error(f"declared equivalent, but no such mutant: {sorted(unknown)}")
    told: dict[str, Any] = {
        "game": options.game,
        "rooms": list(dict.fromkeys(mutant.room for mutant in mutants)),
        "mutants": len(mutants),
        "seed": None,
        "sources": rooms.digest(),
    }
    if options.only:
        wanted = options.only.split(".")
        mutants = [mutant for mutant in mutants if list(mutant.key[: len(wanted)]) == wanted]
    if options.limit is not None and options.limit < len(mutants):
        mutants = drawn(mutants, options.limit, options.seed)
        told["seed"] = options.seed
    before: dict[str, Any] = {}
    if options.again:
        before = json.loads(options.again.read_text())
        if any(before[key] != told[key] for key in ("game", "sources", "seed")):
            parser.error("that result is of another game, of other sources or of another sample")
        survived = {tuple(key) for key in before["survivors"]}
        mutants = [mutant for mutant in mutants if mutant.key in survived]
    if not mutants:
        parser.error("there is nothing to change")

    os.environ["NUMBA_DISABLE_JIT"] = "1"
    sys.path.insert(0, str(ROOT / "src"))
    trials = Trials(game, rooms, mutants, options.workers)
    tests = [str(ROOT / "tests" / "games" / game), str(ROOT / "tests" / "test_golden.py")]
    with contextlib.redirect_stdout(sys.stderr):
        pytest.main(["-s", "-q", "-p", "no:cacheprovider", *tests], plugins=[trials])
    if not trials.passes_unchanged:
        print("the tests fail, interpreted, without any change", file=sys.stderr)
        return 2
    told |= report(trials.was_killed, equivalent)
    if before:  # the sums of the whole sample: what was killed once stays so while sources do
        told["tried"] = before["tried"]
        told["equivalent"] += before["equivalent"]
        told["killed"] = told["tried"] - told["equivalent"] - told["survived"]
        told["share"] = 1 - told["survived"] / told["tried"]
    if options.json:
        print(json.dumps(told))
    print(
        f"{told['killed']} of {told['tried']} killed, {told['equivalent']} equivalent, "
        f"{told['survived']} survived: {told['share']:.1%}",
        file=sys.stderr,
    )
    return 0 if told["share"] >= options.at_least else 1


if __name__ == "__main__":
    sys.exit(main())

"""Search over worlds that fit what a seat knows, in compiled code, for any game.

Information-set Monte Carlo tree search: every iteration imagines a world, walks down a tree of what
has been tried from the seat's point of view, adds one node, and plays out by the game's `hunch`
until `worth` or the end says what it came to. Each seat is taken to play for itself. Nodes count
how often they could have been chosen, because in another world other actions are legal.

A sealed choice of another seat rests on what only that seat knows, so it is made by its `hunch`
within the world, and the tree tells apart only what comes of it. Chance is drawn anew each time;
where `worth` gives no answer, the tree ends there and play goes on.
"""

from __future__ import annotations

import math
import time
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import from_dtype, types

from quarterdeck.contract import (
    CHANCE,
    LIVE,
    NATURE,
    OVER,
    SEAT,
    Game,
    Rng,
    Row,
    below,
    boxed,
    compiled,
    records,
)
from quarterdeck.engine.loops import bind_loop
from quarterdeck.engine.match import Knowledge

MOST_NODES = 1 << 18
MOST_SEATS = 8
MOST_ACTIONS = 4096
DEEPEST = 96
EXPLORE = 0.7
FIRST_SLICE = 32
SLICE_SECONDS = 0.004


class Budget(NamedTuple):
    """How long a search may take: whichever comes first. Iterations alone are reproducible."""

    seconds: float | None
    iterations: int | None


class Estimate(NamedTuple):
    """What an action is worth to the seat (in the unit of the game's `worth`), and how often the
    search tried it."""

    number: int
    value: float
    visits: int


Node = np.dtype(
    [
        ("total", "f8"),  # for the seat that chose it
        ("visits", "i4"),
        ("offered", "i4"),  # how often it could have been chosen
        ("child", "i4"),  # the first of those after it; 0 is none
        ("sibling", "i4"),
        ("number", "i2"),
    ]
)

Walk = np.dtype(
    [
        ("nodes", "i4"),  # in the tree
        ("lowest", "f8"),  # value met so far, and the highest: the unit of exploration
        ("highest", "f8"),
    ]
)


def _unbound(*_: Any) -> Any:
    raise TypeError("a search runs only as bound to a game")


node = seats = legal = decode = apply = sample = outcome = imagine = _unbound


@compiled
def hunch(kit: Row, state: Row, seat: int, rng: Row) -> int:
    """A game without its own: anything legal."""
    return -1


@compiled
def shift(kit: Row, seen: Row, memory: Row, seat: int, rng: Row, state: Row) -> bool:
    """A game without its own: worlds are imagined anew."""
    return False


@compiled
def worth(kit: Row, state: Row, values: npt.NDArray[np.float64]) -> bool:
    """A game without its own: played to the end."""
    return False


def _search(
    kits: Any,
    seens: Any,
    memories: Any,
    seat: int,
    rngs: Any,
    worlds: Any,
    actions: Any,
    tree: Any,
    walks: Any,
    knobs: npt.NDArray[np.float64],
    iterations: int,
) -> None:
    """Walks so many times from the root, node 0, to an end of the tree and on to an end of play."""
    kit, seen, memory, rng = kits[0], seens[0], memories[0], rngs[0]
    action, walk, state = actions[0], walks[0], worlds[1]
    numbers = np.empty(MOST_ACTIONS, np.int16)
    child_of = np.zeros(MOST_ACTIONS, np.int32)
    path = np.empty(DEEPEST, np.int32)
    path_seat = np.empty(DEEPEST, np.int64)
    scores = np.zeros(MOST_SEATS, np.int64)
    values = np.zeros(MOST_SEATS, np.float64)
    for _ in range(iterations):
        if walk.nodes == 0:
            walk.nodes = 1
            walk.lowest, walk.highest = 1e18, -1e18
            imagine(kit, seen, memory, seat, rng, worlds[0])
        elif not shift(kit, seen, memory, seat, rng, worlds[0]):
            imagine(kit, seen, memory, seat, rng, worlds[0])
        worlds[1] = worlds[0]
        at, depth, in_tree, passed = 0, 0, True, 0
        while True:
            kind = node(kit, state)
            if kind == OVER or kind == LIVE:
                outcome(kit, state, scores)
                for i in range(MOST_SEATS):
                    values[i] = scores[i]
                worth(kit, state, values)
                break
            if kind == CHANCE:
                if passed >= knobs[2] and worth(kit, state, values):
                    break
                passed += 1
                sample(kit, state, rng, action)
                apply(kit, state, NATURE, action)
                in_tree = False
                continue

            due = seats(kit, state)
            actor = seat
            if (due >> seat) & 1 == 0:
                actor = 0
                while (due >> actor) & 1 == 0:
                    actor += 1
            choice = -1
            if not in_tree or (actor != seat and (kind != SEAT or knobs[1] > 0)):
                choice = int(hunch(kit, state, actor, rng))
            if not in_tree and choice >= 0:
                decode(kit, state, choice, action)
                apply(kit, state, actor, action)
                continue
            count = legal(kit, state, actor, numbers)
            if not in_tree:
                choice = int(numbers[below(rng, count)])
            else:
                # the children that were tried, by the numbers of their actions
                child = tree[at].child
                while child != 0:
                    child_of[tree[child].number] = child
                    child = tree[child].sibling
                if choice < 0:
                    untried, tried, best = 0, 0, -1e18
                    unit = max(1e-9, walk.highest - walk.lowest)
                    for i in range(count):
                        child = child_of[numbers[i]]
                        if child == 0:
                            untried += 1
                            continue
                        tried += 1
                        tree[child].offered += 1
                        visits = tree[child].visits
                        bound = tree[child].total / visits / unit
                        bound += knobs[0] * math.sqrt(math.log(tree[child].offered) / visits)
                        if bound > best:
                            best = bound
                            choice = int(numbers[i])
                    wide = at == 0 or knobs[3] <= 0 or tried < knobs[3] * math.sqrt(tree[at].visits)
                    if untried > 0 and (tried == 0 or wide):
                        # the hunch first, then any other
                        first = int(hunch(kit, state, actor, rng)) if knobs[4] > 0 else -1
                        if first >= 0 and child_of[first] == 0:
                            choice = first
                        else:
                            skip = below(rng, untried)
                            for i in range(count):
                                if child_of[numbers[i]] == 0:
                                    if skip == 0:
                                        choice = int(numbers[i])
                                    skip -= 1
                # clean up for the next node, then step down
                taken = child_of[choice]
                child = tree[at].child
                while child != 0:
                    child_of[tree[child].number] = 0
                    child = tree[child].sibling
                if taken == 0:
                    in_tree = False
                    if walk.nodes < len(tree):
                        taken = walk.nodes
                        walk.nodes += 1
                        tree[taken].number = choice
                        tree[taken].offered = 1
                        tree[taken].sibling = tree[at].child
                        tree[at].child = taken
                if taken != 0:
                    path[depth] = taken
                    path_seat[depth] = actor
                    depth += 1
                    at = taken
                    if depth == DEEPEST:
                        in_tree = False
            decode(kit, state, choice, action)
            apply(kit, state, actor, action)
        for i in range(depth):
            value = values[path_seat[i]]
            walk.lowest, walk.highest = min(walk.lowest, value), max(walk.highest, value)
            tree[path[i]].visits += 1
            tree[path[i]].total += value


@cache
def _bound(game: Game) -> Any:
    rules = game.rules
    kit, state, memory, action, rng, tree, walk = (
        from_dtype(dtype)[::1]
        for dtype in (rules.Kit, rules.State, game.view.Memory, rules.Action, Rng, Node, Walk)
    )
    signature = types.void(
        kit, state, memory, types.int64, rng, state, action, tree, walk, types.float64[::1],
        types.int64,
    )  # fmt: skip
    return bind_loop(_search, game, signature)


def search(
    game: Game, known: Knowledge, rng: Row, budget: Budget, knobs: Any = None
) -> list[Estimate]:
    """What every legal action of the seat is worth, the one to choose first.

    The generator is left where the search left it.
    """
    rules = game.rules
    if budget.seconds is None and budget.iterations is None:
        raise ValueError("a search needs a budget")
    numbers = np.zeros(rules.ACTIONS, np.int16)
    count = rules.legal(game.kit, known.seen, known.seat, numbers)
    legal_numbers = numbers[:count].tolist()
    most = budget.iterations if budget.iterations is not None else 1 << 62
    if count == 1:
        most = min(most, FIRST_SLICE)
    loop = _bound(game)
    kits, seens, memories, rngs = map(boxed, (game.kit, known.seen, known.memory, rng))
    worlds, actions = records(rules.State, 2), records(rules.Action, 1)
    tree, walks = np.zeros(min(MOST_NODES, most + 1), Node), np.zeros(1, Walk)
    if knobs is None:
        knobs = np.array([EXPLORE, 0.0, 0.0, 1.0, 1.0])
    started = time.perf_counter()
    done, part = 0, FIRST_SLICE
    while done < most:
        part = min(part, most - done)
        loop(kits, seens, memories, known.seat, rngs, worlds, actions, tree, walks, knobs, part)
        done += part
        if budget.seconds is not None:
            spent = time.perf_counter() - started
            if spent >= budget.seconds:
                break
            rest = min(SLICE_SECONDS, budget.seconds - spent)
            part = max(1, int(done / spent * rest))
    rng.s[:] = rngs[0].s
    found = dict.fromkeys(legal_numbers, Estimate(0, math.nan, 0))
    child = int(tree[0]["child"])
    while child:
        total, visits, _, _, sibling, number = tree[child].tolist()
        found[number] = Estimate(number, total / visits, visits)
        child = sibling
    return sorted(found.values(), key=lambda estimate: -estimate.visits)

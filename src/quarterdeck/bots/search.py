"""Search over worlds that fit what a seat knows, in compiled code, for any game.

Information-set Monte Carlo tree search: every iteration imagines a world, walks down a tree of what
has been tried, seen from the seat, adds one node, and plays on by the game's `hunch` until `worth`
or the end says what it came to. Each seat is taken to play for itself. Nodes count how often they
could have been chosen, because in another world other actions are legal. A node that is not yet
well known is first tried with the hunch, and wider the more often it is met.

A sealed choice of another seat rests on what only that seat knows, so it is made by its hunch
within the world, and the tree tells apart only what comes of it. Chance and real time are drawn
anew in every iteration, and so is what comes of a live world, where a game can do without one; the
tree ends before them, and play goes on.

Where nothing is hidden and the end is near, no search is needed: see `exact`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quarterdeck.contract import (
    CHANCE,
    LIVE,
    NATURE,
    OPEN,
    OVER,
    SEAT,
    AnyRecord,
    Array,
    Bool,
    Float32,
    Float64,
    Game,
    Int16,
    Int32,
    Numbers,
    Record,
    Rng,
    Rows,
    below,
    boxed,
    copy_record,
    record,
    records,
)
from quarterdeck.engine.asides import asides_of, without_asides
from quarterdeck.engine.binding import (
    Action,
    Kit,
    Memory,
    State,
    apply,
    compile_loop,
    decode,
    hunch,
    imagine,
    legal,
    node,
    outcome,
    sample,
    seats,
    shift,
    worth,
)
from quarterdeck.engine.match import Knowledge

from .exact import MOST_SEATS, solve

EXPLORE = 0.8
MOST_NODES = 1 << 18
DEEPEST = 96
MOST_OFFERS = 1 << 16
FIRST_SLICE = 32
SLICE_SECONDS = 0.004
STEPS_AN_ITERATION = 40
"""How many steps of an exact solution may stand for one iteration: they take about as long."""
STEPS_A_SECOND = 1_000_000


class Budget(NamedTuple):
    """How long a search may take: whichever comes first. Iterations alone are reproducible."""

    seconds: float | None
    iterations: int | None


class Estimate(NamedTuple):
    """What an action is worth to the seat, in the unit of the game's `worth`, and how often it was
    tried. An exact worth counts as one try."""

    number: int
    value: float
    visits: int


class Node(Record, align=True):
    """A choice in the tree, as often as it was tried."""

    total: Float64  # for the seat that chose it
    visits: Int32
    offered: Int32  # how often it could have been chosen
    child: Int32  # the first of those after it; 0 is none
    sibling: Int32
    number: Int16


class Tree(Record):
    """What a search knows of its tree as a whole."""

    nodes: Int32
    lowest: Float64  # what has been met so far: the unit of curiosity
    highest: Float64


def _search(
    kits: Rows[Kit],
    seens: Rows[State],
    memories: Rows[Memory],
    seat: int,
    rngs: Rows[Rng],
    worlds: Rows[State],
    actions: Rows[Action],
    nodes: Rows[Node],
    trees: Rows[Tree],
    numbers: Numbers,
    untried: Array[Bool],
    asides: Array[Bool],
    curiosity: Array[Float32],
    trusting: bool,
    worldless: bool,
    ahead: int,
    iterations: int,
) -> None:
    """Walks so many times from the root, node 0, to an end of the tree and on to an end of play.

    `untried` is all false, and is so again between nodes. `asides` are the numbers of actions that
    answer nothing, and are not tried. `curiosity` is what `_curiosity` says.
    `trusting`: the others play by their hunch. `worldless`: what comes of a live world is drawn
    like chance. `ahead`: through how many draws of chance play goes on before `worth` is asked.
    """
    kit, seen, memory, rng = kits[0], seens[0], memories[0], rngs[0]
    action, tree, state = actions[0], trees[0], worlds[1]
    path = np.empty(DEEPEST, np.int32)
    path_seat = np.empty(DEEPEST, np.int64)
    scores = np.zeros(MOST_SEATS, np.int64)
    values = np.zeros(MOST_SEATS, np.float64)
    for _ in range(iterations):
        if tree.nodes == 0:
            tree.nodes, tree.lowest, tree.highest = 1, 1e18, -1e18
            imagine(kit, seen, memory, seat, rng, worlds[0])
        elif not shift(kit, seen, memory, seat, rng, worlds[0]):
            imagine(kit, seen, memory, seat, rng, worlds[0])
        worlds[1] = worlds[0]
        at, depth, draws, in_tree = 0, 0, 0, True
        scale = 1.0 / max(1e-9, tree.highest - tree.lowest)
        while True:
            kind = node(kit, state)
            if kind == OVER or (kind == LIVE and not worldless):
                outcome(kit, state, scores)
                for i in range(MOST_SEATS):
                    values[i] = scores[i]
                worth(kit, state, values)
                break
            if kind == CHANCE or kind == LIVE:
                if draws >= ahead and worth(kit, state, values):
                    break
                draws += 1
                sample(kit, state, rng, action)
                apply(kit, state, NATURE, action)
                in_tree = False
                continue

            # who acts: this seat at the root and where it is due, else the first that is due;
            # in real time anybody, the clock included
            due = seats(kit, state)
            actor = seat
            if kind == OPEN and (depth > 0 or not in_tree):
                in_tree = False
                skip = 0
                for i in range(MOST_SEATS):
                    skip += (due >> i) & 1
                skip = below(rng, skip + 1)
                actor = NATURE
                for i in range(MOST_SEATS):
                    if (due >> i) & 1:
                        if skip == 0:
                            actor = i
                        skip -= 1
                if actor == NATURE:
                    sample(kit, state, rng, action)
                    apply(kit, state, NATURE, action)
                    continue
            elif (due >> seat) & 1 == 0:
                actor = 0
                while (due >> actor) & 1 == 0:
                    actor += 1

            # what it does, beyond the tree and where it is taken to follow its hunch
            choice = -1
            if not in_tree or (actor != seat and (trusting or kind != SEAT)):
                choice = int(hunch(kit, state, actor, rng))
            if not in_tree:
                if choice < 0:
                    count = without_asides(numbers, legal(kit, state, actor, numbers), asides)
                    choice = int(numbers[below(rng, count)])
                decode(kit, state, choice, action)
                apply(kit, state, actor, action)
                continue

            # within the tree: by what came of it so far, plus curiosity
            taken = 0
            if choice >= 0:
                taken = nodes[at].child
                while taken != 0 and nodes[taken].number != choice:
                    taken = nodes[taken].sibling
            else:
                count = without_asides(numbers, legal(kit, state, actor, numbers), asides)
                for i in range(count):
                    untried[numbers[i]] = True
                tried, best = 0, -1e18
                child = nodes[at].child
                while child != 0:
                    known = nodes[child]
                    if untried[known.number]:
                        untried[known.number] = False
                        tried += 1
                        known.offered += 1
                        curious = curiosity[min(known.offered, MOST_OFFERS - 1)]
                        bound = known.total * scale + curious * math.sqrt(known.visits)
                        bound /= known.visits
                        if bound > best:
                            best, taken = bound, child
                    child = known.sibling
                if tried < count and (at == 0 or tried < 1 or tried * tried < nodes[at].visits):
                    taken = 0
                    choice = int(hunch(kit, state, actor, rng))
                    if choice < 0 or not untried[choice]:
                        skip = below(rng, count - tried)
                        for i in range(count):
                            if untried[numbers[i]]:
                                if skip == 0:
                                    choice = int(numbers[i])
                                skip -= 1
                else:
                    choice = int(nodes[taken].number)
                if tried < count:
                    for i in range(count):
                        untried[numbers[i]] = False

            # one step down, or one node more
            if taken == 0:
                in_tree = False
                if tree.nodes < len(nodes):
                    taken = tree.nodes
                    tree.nodes += 1
                    nodes[taken].number = choice
                    nodes[taken].offered = 1
                    nodes[taken].sibling = nodes[at].child
                    nodes[at].child = taken
            if taken != 0:
                path[depth] = taken
                path_seat[depth] = actor
                depth += 1
                at = taken
                in_tree = in_tree and depth < DEEPEST
            decode(kit, state, choice, action)
            apply(kit, state, actor, action)

        for i in range(depth):
            value = values[path_seat[i]]
            tree.lowest, tree.highest = min(tree.lowest, value), max(tree.highest, value)
            nodes[path[i]].visits += 1
            nodes[path[i]].total += value


@cache
def _curiosity() -> npt.NDArray[np.float32]:
    """How curious an action makes that was tried once, by how often it could have been."""
    offered = np.arange(MOST_OFFERS, dtype=np.float32)
    offered[0] = 1
    return np.float32(EXPLORE) * np.sqrt(np.log(offered))


@cache
def search_loop(game: Game) -> Callable[..., Any]:
    """The compiled loop that searches a game."""
    return compile_loop(_search, game)


def search(
    game: Game, known: Knowledge, rng: AnyRecord, budget: Budget, *, trusting: bool = False
) -> list[Estimate]:
    """What every legal action of the seat is worth that is no aside, the one to choose first. Each
    is tried at least once, whatever the budget.

    `trusting` takes the others to play by rule of thumb: less to think about, but blind to those
    who think themselves. The generator is left where the search left it.
    """
    if budget.seconds is None and budget.iterations is None:
        raise ValueError("a search needs a budget")
    own, seat, started = game.records, known.seat, time.perf_counter()
    most = 1 << 62 if budget.iterations is None else budget.iterations
    exact = _exact_estimates(game, known, rng, budget, most)
    if exact is not None:
        return exact
    numbers, asides = np.zeros(own.ACTIONS, np.int16), asides_of(game)
    count = without_asides(numbers, game.rules.legal(game.kit, known.seen, seat, numbers), asides)
    found = {number: Estimate(number, math.nan, 0) for number in numbers[:count].tolist()}
    most = min(most, FIRST_SLICE) if count == 1 else max(most, count)

    kits, seens, memories, rngs = map(boxed, (game.kit, known.seen, known.memory, rng))
    worlds, actions = records(own.State, 2), records(own.Action, 1)
    nodes, trees = records(Node, min(MOST_NODES, most + 1)), records(Tree, 1)
    untried = np.zeros(own.ACTIONS, np.bool_)
    loop, ahead = search_loop(game), getattr(game.bot, "AHEAD", 0)
    done, part = 0, most if budget.seconds is None else max(FIRST_SLICE, count)
    while done < most:
        part = min(part, most - done)
        loop(
            kits, seens, memories, seat, rngs, worlds, actions, nodes, trees, numbers, untried,
            asides, _curiosity(), trusting, bool(game.worldless), ahead, part,
        )  # fmt: skip
        done += part
        if budget.seconds is not None:
            spent = time.perf_counter() - started
            if spent >= budget.seconds:
                break
            part = max(1, int(done / spent * min(SLICE_SECONDS, budget.seconds - spent)))
    rng.s[:] = rngs[0].s

    child = nodes[0].child
    while child:
        node = nodes[child]
        number, visits = int(node.number), int(node.visits)
        found[number] = Estimate(number, float(node.total) / visits, visits)
        child = node.sibling
    return sorted(found.values(), key=lambda estimate: -estimate.visits)


def _exact_estimates(
    game: Game, known: Knowledge, rng: AnyRecord, budget: Budget, most: int
) -> list[Estimate] | None:
    """The exact worth of every action, best first, where nothing is hidden and it is in reach."""
    world = record(game.records.State)
    game.bot.imagine(game.kit, known.seen, known.memory, known.seat, copy_record(rng), world)
    if world.tobytes() != known.seen.tobytes():
        return None
    steps = STEPS_AN_ITERATION * most
    if budget.seconds is not None:
        steps = min(steps, int(STEPS_A_SECOND * budget.seconds))
    exact = solve(game, world, steps)
    if exact is None:
        return None
    estimates = [Estimate(number, value, 1) for number, value in exact.items()]
    return sorted(estimates, key=lambda estimate: -estimate.value)

"""The exact worth of what is left of a game, where nothing is hidden and chance has had its say.

Every line of play is followed to the end, each seat playing for itself; positions met before are
remembered. Where that takes more steps than allowed, or chance still has a word, there is no answer
and the search has to do.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from quarterdeck.contract import (
    OVER,
    SEAT,
    AnyRecord,
    Array,
    Bool,
    Float64,
    Game,
    Grid,
    Int16,
    Int64,
    Rows,
    UInt8,
    boxed,
    records,
)
from quarterdeck.engine.asides import asides_of, without_asides
from quarterdeck.engine.binding import (
    Action,
    Kit,
    State,
    apply,
    compile_loop,
    decode,
    legal,
    node,
    outcome,
    seats,
    worth,
)

DEEPEST = 32
MOST_SEATS = 8
_REMEMBERED = 1 << 17
_MIX = np.random.default_rng(1).integers(1, 1 << 62, 2048, np.int64) | 1


def _solve(
    kits: Rows[Kit],
    states: Rows[State],
    data: Grid[UInt8],
    actions: Rows[Action],
    mix: Array[Int64],
    keys: Array[Int64],
    known: Grid[Float64],
    numbers: Grid[Int16],
    root: Array[Float64],
    asides: Array[Bool],
    steps: int,
) -> bool:
    """Writes the worth of every action in states[0] to the seat that acts; False if it cannot.

    `asides` are the numbers of actions that answer nothing, and are not tried.
    """
    kit, action = kits[0], actions[0]
    count = np.zeros(DEEPEST, np.int64)
    index = np.zeros(DEEPEST, np.int64)
    actor = np.zeros(DEEPEST, np.int64)
    place = np.zeros(DEEPEST, np.int64)
    key = np.zeros(DEEPEST, np.int64)
    best = np.zeros((DEEPEST, MOST_SEATS))
    scores = np.zeros(MOST_SEATS, np.int64)
    values = np.zeros(MOST_SEATS)
    depth, entering = 0, True
    while True:
        if entering:
            steps -= 1
            kind = node(kit, states[depth])
            done = kind == OVER
            if done:
                outcome(kit, states[depth], scores)
                for i in range(MOST_SEATS):
                    values[i] = scores[i]
                worth(kit, states[depth], values)
            elif kind != SEAT or steps < 0 or depth + 1 == DEEPEST:
                return False
            else:
                h = 1
                for i in range(data.shape[1]):
                    h += (int(data[depth, i]) + 1) * mix[i]
                key[depth] = h
                place[depth] = (h >> 20) & (len(keys) - 1)
                if depth > 0 and keys[place[depth]] == h:
                    done = True
                    for i in range(known.shape[1]):
                        values[i] = known[place[depth], i]
            if done:
                depth -= 1
                entering = False
                continue
            due = seats(kit, states[depth])
            actor[depth] = 0
            while (due >> actor[depth]) & 1 == 0:
                actor[depth] += 1
            offered = legal(kit, states[depth], actor[depth], numbers[depth])
            count[depth] = without_asides(numbers[depth], offered, asides)
            index[depth] = 0
            best[depth, actor[depth]] = -1e18
        else:
            # back from a child, whose worth to everybody is in `values`
            seat = actor[depth]
            if depth == 0:
                root[index[0]] = values[seat]
            if values[seat] > best[depth, seat]:
                for i in range(MOST_SEATS):
                    best[depth, i] = values[i]
            index[depth] += 1
        if index[depth] == count[depth]:
            if depth == 0:
                return True
            for i in range(MOST_SEATS):
                values[i] = best[depth, i]
            keys[place[depth]] = key[depth]
            for i in range(known.shape[1]):
                known[place[depth], i] = values[i]
            depth -= 1
            entering = False
            continue
        states[depth + 1] = states[depth]
        decode(kit, states[depth], numbers[depth, index[depth]], action)
        apply(kit, states[depth + 1], actor[depth], action)
        depth += 1
        entering = True


@cache
def solve_loop(game: Game) -> Callable[..., Any]:
    """The compiled loop that solves endings of a game."""
    return compile_loop(_solve, game)


def solve(game: Game, state: AnyRecord, steps: int) -> dict[int, float] | None:
    """The exact worth of each action to the seat that acts, asides left out, or None where that is
    out of reach."""
    own, rules, asides = game.records, game.rules, asides_of(game)
    states: Any = records(own.State, DEEPEST)
    states[0] = state
    data = states.view(np.uint8).reshape(DEEPEST, -1)
    numbers = np.zeros((DEEPEST, own.ACTIONS), np.int16)
    root = np.zeros(own.ACTIONS)
    keys, known = np.zeros(_REMEMBERED, np.int64), np.zeros((_REMEMBERED, MOST_SEATS))
    actions = records(own.Action, 1)
    if not solve_loop(game)(
        boxed(game.kit), states, data, actions, _MIX, keys, known, numbers, root, asides, steps
    ):
        return None
    seat = rules.seats(game.kit, state).bit_length() - 1
    listed = np.zeros(own.ACTIONS, np.int16)
    count = without_asides(listed, rules.legal(game.kit, state, seat, listed), asides)
    return dict(zip(listed[:count].tolist(), root[:count].tolist(), strict=True))

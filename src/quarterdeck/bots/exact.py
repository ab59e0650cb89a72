"""The exact worth of what is left of a game, where nothing is hidden and chance has had its say.

Every line of play is followed to the end, each seat playing for itself; positions met before are
remembered. Where that takes more steps than allowed, or chance still has a word, there is no answer
and the search has to do.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import from_dtype, types

from quarterdeck.contract import (
    OVER,
    SEAT,
    Game,
    Row,
    boxed,
    compiled,
    records,
)
from quarterdeck.engine.loops import bind_loop

DEEPEST = 32
MOST_SEATS = 8
_REMEMBERED = 1 << 17
_MIX = np.random.default_rng(1).integers(1, 1 << 62, 2048, np.int64) | 1


def _unbound(*_: Any) -> Any:
    raise TypeError("a search runs only as bound to a game")


node = seats = legal = decode = apply = outcome = _unbound


@compiled
def worth(kit: Row, state: Row, values: npt.NDArray[np.float64]) -> bool:
    """A game without its own: the score is what counts."""
    return False


def _solve(
    kits: Any,
    states: Any,
    data: npt.NDArray[np.uint8],
    actions: Any,
    mix: npt.NDArray[np.int64],
    keys: npt.NDArray[np.int64],
    known: npt.NDArray[np.float64],
    numbers: npt.NDArray[np.int16],
    root: npt.NDArray[np.float64],
    steps: int,
) -> bool:
    """Writes the worth of every action in states[0] to the seat that acts; False if it cannot."""
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
            count[depth] = legal(kit, states[depth], actor[depth], numbers[depth])
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
def _bound(game: Game) -> Any:
    rules = game.rules
    kit, state, action = (
        from_dtype(dtype)[::1] for dtype in (rules.Kit, rules.State, rules.Action)
    )
    signature = types.boolean(
        kit, state, types.uint8[:, ::1], action, types.int64[::1], types.int64[::1],
        types.float64[:, ::1], types.int16[:, ::1], types.float64[::1], types.int64,
    )  # fmt: skip
    return bind_loop(_solve, game, signature)


def solve(game: Game, state: Row, steps: int) -> dict[int, float] | None:
    """The exact worth of each action to the seat that acts, or None where that is out of reach."""
    rules = game.rules
    states = records(rules.State, DEEPEST)
    states[0] = state
    data = states.view(np.uint8).reshape(DEEPEST, -1)
    numbers = np.zeros((DEEPEST, rules.ACTIONS), np.int16)
    root = np.zeros(rules.ACTIONS)
    keys, known = np.zeros(_REMEMBERED, np.int64), np.zeros((_REMEMBERED, MOST_SEATS))
    actions = records(rules.Action, 1)
    if not _bound(game)(
        boxed(game.kit), states, data, actions, _MIX, keys, known, numbers, root, steps
    ):
        return None
    seat = rules.seats(game.kit, state).bit_length() - 1
    count = rules.legal(game.kit, state, seat, np.zeros(rules.ACTIONS, np.int16))
    return dict(zip(numbers[0, :count].tolist(), root[:count].tolist(), strict=True))

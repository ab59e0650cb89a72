"""Every state of many games, searched for leaks in compiled code.

`check_game` looks at few games from all sides; this looks at one promise in very many. In every
state of random games and for every seat a world is imagined that fits what the seat knows. If the
seat, or a spectator, sees that world differently from the real one, or may do something else in it,
something leaks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from quarterdeck.contract import CHANCE, NATURE, OVER, SPECTATOR, Game, Rng, Row, below, seed_rng
from quarterdeck.engine.loops import bind_loop


class LeakCount(msgspec.Struct):
    """What was looked at, and how many worlds somebody could tell from the real one."""

    games: int
    states: int
    worlds: int
    different: int
    leaks: int


def _unbound(*_: Any) -> Any:
    raise TypeError("a loop runs only as bound to a game")


new = node = seats = legal = decode = apply = sample = _unbound
see = glimpse = remember = imagine = _unbound


def _watch(
    kit: Row,
    options: npt.NDArray[np.int64],
    players: int,
    seed: int,
    games: int,
    rows: Any,
    data: npt.NDArray[np.uint8],
    memories: Any,
    actions: Any,
    rngs: Any,
    numbers: npt.NDArray[np.int16],
    counts: npt.NDArray[np.int64],
) -> None:
    """Plays random games; `rows` are records over the bytes of `data`, one each in a line."""
    state, seen, world, other = rows[0], rows[1], rows[2], rows[3]
    action, glimpsed = actions[0], actions[1]
    rng, seat_rng = rngs[0], rngs[1]
    for game in range(games):
        new(kit, options, state)
        seed_rng(seat_rng, seed, game, 2, 0)
        draws = 0
        while node(kit, state) != OVER:
            counts[0] += 1
            due = seats(kit, state)
            for seat in range(players):
                see(kit, state, seat, seen)
                imagine(kit, seen, memories[seat], seat, seat_rng, world)
                counts[1] += 1
                for i in range(data.shape[1]):
                    if data[0][i] != data[2][i]:
                        counts[2] += 1
                        break
                leaks = 0
                see(kit, world, seat, other)
                for i in range(data.shape[1]):
                    if data[1][i] != data[3][i]:
                        leaks = 1
                if (due >> seat) & 1:
                    real = legal(kit, state, seat, numbers[0])
                    imagined = legal(kit, world, seat, numbers[1])
                    for i in range(real):
                        if real != imagined or numbers[0][i] != numbers[1][i]:
                            leaks = 1
                see(kit, state, SPECTATOR, seen)
                see(kit, world, SPECTATOR, other)
                for i in range(data.shape[1]):
                    if data[1][i] != data[3][i]:
                        leaks = 1
                counts[3] += leaks

            actor = NATURE
            if node(kit, state) == CHANCE:
                seed_rng(rng, seed, game, 0, draws)
                sample(kit, state, rng, action)
                draws += 1
            else:
                actor = 0
                while not (due >> actor) & 1:
                    actor += 1
                count = legal(kit, state, actor, numbers[0])
                decode(kit, state, int(numbers[0][below(seat_rng, count)]), action)
            for seat in range(players):
                see(kit, state, seat, seen)
                glimpse(kit, state, seat, actor, action, glimpsed)
                remember(kit, memories[seat], seat, seen, actor, glimpsed)
            apply(kit, state, actor, action)


def count_leaks(game: Game, options: Mapping[str, Any], games: int, seed: int) -> LeakCount:
    """Watches random games of chance nodes and decisions; answers what was seen."""
    filled = game.fill_options(options)
    players = filled["players"]
    data = np.zeros((4, game.rules.State.itemsize), np.uint8)
    counts = np.zeros(4, np.int64)
    watch = bind_loop(_watch, game)
    watch(
        game.kit,
        game.option_numbers(filled),
        players,
        seed,
        games,
        data.view(game.rules.State)[:, 0].view(np.recarray),
        data,
        np.zeros(players, game.view.Memory).view(np.recarray),
        np.zeros(2, game.rules.Action).view(np.recarray),
        np.zeros(2, Rng).view(np.recarray),
        np.zeros((2, game.rules.ACTIONS), np.int16),
        counts,
    )
    states, worlds, different, leaks = (int(count) for count in counts)
    return LeakCount(games, states, worlds, different, leaks)

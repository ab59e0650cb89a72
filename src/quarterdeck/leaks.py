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

from quarterdeck.contract import (
    CHANCE,
    NATURE,
    OVER,
    SPECTATOR,
    Array,
    Game,
    Grid,
    Int16,
    Int64,
    Rng,
    Rows,
    UInt8,
    below,
    records,
    seed_rng,
)
from quarterdeck.engine.binding import (
    Action,
    Kit,
    Memory,
    State,
    apply,
    compile_loop,
    decode,
    glimpse,
    imagine,
    legal,
    new,
    node,
    remember,
    sample,
    seats,
    see,
)


class LeakCount(msgspec.Struct):
    """What was looked at, and how many worlds somebody could tell from the real one."""

    games: int
    states: int
    worlds: int
    different: int
    leaks: int


def _watch(
    kit: Kit,
    options: Array[Int64],
    players: int,
    seed: int,
    games: int,
    rows: Rows[State],
    data: Grid[UInt8],
    memories: Rows[Memory],
    actions: Rows[Action],
    rngs: Rows[Rng],
    numbers: Grid[Int16],
    counts: Array[Int64],
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
    """Watches random games of chance nodes and decisions; returns what was seen."""
    filled = game.fill_options(options)
    players = filled["players"]
    rows: Any = records(game.records.State, 4)
    counts = np.zeros(4, np.int64)
    watch = compile_loop(_watch, game)
    watch(
        game.kit,
        game.option_numbers(filled),
        players,
        seed,
        games,
        rows,
        rows.view(np.uint8).reshape(4, -1),
        records(game.records.Memory, players),
        records(game.records.Action, 2),
        records(Rng, 2),
        np.zeros((2, game.records.ACTIONS), np.int16),
        counts,
    )
    states, worlds, different, leaks = (int(count) for count in counts)
    return LeakCount(games, states, worlds, different, leaks)

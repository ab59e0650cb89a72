"""Every state of many games, searched for leaks in compiled code.

`check_game` looks at few games from all sides; this looks at one promise in very many. In every
state of random games and for every seat a world is imagined that fits what the seat knows, now and
then as somebody would who has just sat down. If the seat, or a spectator, sees that world
differently from the real one, or may do something else in it, or is shown something else of what is
done next, something leaks.

Chance draws, seats choose at random: in a sealed node any that is still to choose, in an open one
any that may act, or the clock. Where actions are too rich to be listed, every other is one of
those. No live world is run: a game is watched up to its first, or to its end with the options that
draw what comes of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from quarterdeck.contract import (
    CHANCE,
    LIVE,
    NATURE,
    OPEN,
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
    compiled,
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
    compose,
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

NEWCOMERS = 5
"""One in so many who imagine a world has just sat down, and remembers nothing."""


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
    remembered: Grid[UInt8],
    actions: Rows[Action],
    shown: Grid[UInt8],
    rngs: Rows[Rng],
    numbers: Grid[Int16],
    counts: Array[Int64],
) -> None:
    """Plays random games; `rows` are records over the bytes of `data`, one each in a line: the
    state, what is seen of it, what is seen of another world, and a world for each seat. So are
    `memories` over `remembered`, one more than there are seats, which stays empty; and `actions`
    over `shown`."""
    state, seen, other = rows[0], rows[1], rows[2]
    action, glimpsed, elsewhere = actions[0], actions[1], actions[2]
    rng, seat_rng = rngs[0], rngs[1]
    for game in range(games):
        new(kit, options, state)
        remembered[:] = 0  # nobody has seen anything of this game yet
        seed_rng(seat_rng, seed, game, 2, 0)
        draws = 0
        while True:
            kind = node(kit, state)
            if kind == OVER or kind == LIVE:
                break
            counts[0] += 1
            due = seats(kit, state)
            for seat in range(players):
                world = rows[3 + seat]
                see(kit, state, seat, seen)
                knows = players if below(seat_rng, NEWCOMERS) == 0 else seat
                imagine(kit, seen, memories[knows], seat, seat_rng, world)
                counts[1] += 1
                counts[2] += _differ(data[0], data[3 + seat])
                see(kit, world, seat, other)
                leaks = _differ(data[1], data[2])
                if (due >> seat) & 1:
                    real = legal(kit, state, seat, numbers[0])
                    imagined = legal(kit, world, seat, numbers[1])
                    if real != imagined:
                        leaks = 1
                    for i in range(min(real, imagined)):
                        if numbers[0][i] != numbers[1][i]:
                            leaks = 1
                see(kit, state, SPECTATOR, seen)
                see(kit, world, SPECTATOR, other)
                leaks |= _differ(data[1], data[2])
                counts[3] += leaks

            # who acts: nature, or any of the seats due; in an open node the clock is one of them
            actor = NATURE
            if kind != CHANCE:
                skip = 0
                for seat in range(players):
                    skip += (due >> seat) & 1
                skip = below(seat_rng, skip + 1 if kind == OPEN else skip)
                for seat in range(players):
                    if (due >> seat) & 1:
                        if skip == 0:
                            actor = seat
                        skip -= 1

            # what it does
            if kind == CHANCE:
                seed_rng(rng, seed, game, 0, draws)
                sample(kit, state, rng, action)
                draws += 1
            elif actor == NATURE:
                sample(kit, state, seat_rng, action)
            else:
                count = legal(kit, state, actor, numbers[0])
                see(kit, state, actor, seen)
                is_composed = (count == 0 or below(seat_rng, 2) == 0) and compose(
                    kit, seen, memories[actor], actor, seat_rng, action
                )
                if not is_composed:
                    decode(kit, state, numbers[0][below(seat_rng, count)], action)
            for seat in range(players):
                see(kit, state, seat, seen)
                glimpse(kit, state, seat, actor, action, glimpsed)
                glimpse(kit, rows[3 + seat], seat, actor, action, elsewhere)
                counts[3] += _differ(shown[1], shown[2])
                remember(kit, memories[seat], seat, seen, actor, glimpsed)
            apply(kit, state, actor, action)


@compiled
def _differ(a: Array[UInt8], b: Array[UInt8]) -> int:
    """1 if two lists of bytes differ, else 0."""
    for i in range(len(a)):
        if a[i] != b[i]:
            return 1
    return 0


def count_leaks(game: Game, options: Mapping[str, Any], games: int, seed: int) -> LeakCount:
    """Watches random games to their ends, or to their first live worlds; returns what was seen."""
    filled = game.fill_options(options)
    players = filled["players"]
    rows: Any = records(game.records.State, 3 + players)
    memories: Any = records(game.records.Memory, players + 1)
    actions: Any = records(game.records.Action, 3)
    counts = np.zeros(4, np.int64)
    watch = compile_loop(_watch, game)
    watch(
        game.kit,
        game.option_numbers(filled),
        players,
        seed,
        games,
        rows,
        rows.view(np.uint8).reshape(len(rows), -1),
        memories,
        memories.view(np.uint8).reshape(players + 1, -1),
        actions,
        actions.view(np.uint8).reshape(len(actions), -1),
        records(Rng, 2),
        np.zeros((2, game.records.ACTIONS), np.int16),
        counts,
    )
    states, worlds, different, leaks = (int(count) for count in counts)
    return LeakCount(games, states, worlds, different, leaks)

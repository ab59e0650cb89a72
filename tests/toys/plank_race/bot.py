"""Plank Race: what a bot should know."""

from __future__ import annotations

import numpy as np

from quarterdeck.contract import Rng, below, compiled, copy_list, draw

from .rules import furthest
from .state import (
    DROP,
    DROPPING,
    ENDED,
    NONE,
    PASS_NUMBER,
    STEP_NUMBER,
    WAGERING,
    WATER,
    Action,
    Kit,
    Memory,
    State,
)


@compiled
def imagine(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng, state: State) -> None:
    """Other purses from those that are left; sealed wagers guessed."""
    state.players = seen.players
    state.phase = seen.phase
    copy_list(state.purses, seen.purses)
    copy_list(state.wagers, seen.wagers)
    copy_list(state.steps, seen.steps)
    copy_list(state.drop, seen.drop)
    state.floats = seen.floats

    left = np.empty(kit.purses, np.int8)
    count = 0
    for purse in range(1, kit.purses + 1):
        if purse != seen.purses[seat]:
            left[count] = purse
            count += 1
    draw(rng, left, count, seen.players - 1)
    taken = 0
    for other in range(seen.players):
        if other == seat:
            continue
        if seen.purses[other] != NONE and seen.phase != ENDED:
            state.purses[other] = left[taken]
            taken += 1
        if seen.wagers[other] != NONE and seen.phase == WAGERING:
            state.wagers[other] = below(rng, 3)


@compiled
def choose(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng) -> int:
    """Wager one step and walk it; walk on while the sand runs; never drop anything."""
    if seen.phase == WAGERING:
        return 1
    return PASS_NUMBER if seen.phase == DROPPING else STEP_NUMBER


@compiled
def compose(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng, action: Action) -> bool:
    """Writes a random composite action of the seat; False if it has none now."""
    if seen.phase != DROPPING or seat != furthest(seen):
        return False
    action.verb = DROP
    action.args[:] = NONE
    action.args[0] = below(rng, WATER)
    action.args[1] = below(rng, WATER)
    return True

"""Plank Race, the rules. Each is cited where it stands."""

from __future__ import annotations

import numpy as np

from quarterdeck.contract import (
    CHANCE,
    LIVE,
    NATURE,
    OPEN,
    OVER,
    SEALED,
    SEAT,
    Array,
    Int8,
    Int64,
    Numbers,
    Rng,
    compiled,
    draw,
)

from .state import (
    DROP,
    DROPPING,
    ENDED,
    LARGEST_WAGER,
    MOST_PLAYERS,
    NONE,
    PASS,
    PASS_NUMBER,
    PR_1,
    PR_2,
    PR_3,
    PR_4,
    PR_5,
    PR_6,
    RACING,
    SAND,
    SETTLE,
    SETTLING,
    SHARE,
    STEP,
    STEP_NUMBER,
    TO_SHARE,
    WAGER,
    WAGERING,
    WATER,
    Action,
    Kit,
    State,
)


@compiled
def new(kit: Kit, options: Array[Int64], state: State) -> None:
    """A game about to begin. `options`: [players]."""
    state.players = options[0]
    state.phase = TO_SHARE
    state.purses[:] = NONE
    state.wagers[:] = NONE
    state.steps[:] = 0
    state.drop[:] = NONE
    state.floats = NONE


@compiled
def node(kit: Kit, state: State) -> int:
    """A node of every kind, one after the other."""
    if state.phase == TO_SHARE:
        return CHANCE
    if state.phase == WAGERING:
        return SEALED
    if state.phase == RACING:
        return OPEN
    if state.phase == DROPPING:
        return SEAT
    if state.phase == SETTLING:
        return LIVE
    return OVER


@compiled
def seats(kit: Kit, state: State) -> int:
    """The seats that may act now, as bits."""
    due = 0
    for seat in range(state.players):
        has_to_wager = state.phase == WAGERING and state.wagers[seat] == NONE
        can_walk = state.phase == RACING and state.steps[seat] < kit.plank
        if has_to_wager or can_walk:
            due |= 1 << seat
    if state.phase == DROPPING:
        due = 1 << furthest(state)
    return due


@compiled
def may_act(kit: Kit, state: State, seat: int) -> bool:
    """Whether it is one of the seats that may act now."""
    return 0 <= seat < state.players and (seats(kit, state) >> seat) & 1 == 1


@compiled
def furthest(state: State) -> int:
    """PR-4: the seat that walked furthest, the lowest among equals."""
    best = 0
    for seat in range(1, state.players):
        if state.steps[seat] > state.steps[best]:
            best = seat
    return best


@compiled
def live_seat(kit: Kit, state: State) -> int:
    """PR-5: who dropped it kicks."""
    return furthest(state)


@compiled
def legal(kit: Kit, state: State, seat: int, numbers: Numbers) -> int:
    """Writes the numbers of a seat's actions; answers how many."""
    if not may_act(kit, state, seat):
        return 0
    if state.phase == WAGERING:
        for wager in range(LARGEST_WAGER + 1):
            numbers[wager] = wager
        return LARGEST_WAGER + 1
    numbers[0] = STEP_NUMBER if state.phase == RACING else PASS_NUMBER
    return 1


@compiled
def decode(kit: Kit, state: State, number: int, action: Action) -> None:
    """The action with this number."""
    action.args[:] = NONE
    if number == STEP_NUMBER:
        action.verb = STEP
    elif number == PASS_NUMBER:
        action.verb = PASS
    else:
        action.verb = WAGER
        action.args[0] = number


@compiled
def number(kit: Kit, state: State, action: Action) -> int:
    """The number of a seat's action; NONE if it has none."""
    if action.verb == WAGER and 0 <= action.args[0] <= LARGEST_WAGER:
        return action.args[0]
    if action.verb == STEP:
        return STEP_NUMBER
    if action.verb == PASS:
        return PASS_NUMBER
    return NONE


@compiled
def refuse(kit: Kit, state: State, actor: int, action: Action) -> int:
    """The rule that forbids the action; 0 if it is allowed."""
    verb, args = action.verb, action.args
    is_due = actor == NATURE if verb >= SHARE else may_act(kit, state, actor)
    if state.phase == ENDED:
        return PR_6
    if state.phase == TO_SHARE:
        return 0 if is_due and verb == SHARE and is_share(kit, state, args) else PR_1
    if state.phase == WAGERING:
        return 0 if is_due and verb == WAGER and 0 <= args[0] <= LARGEST_WAGER else PR_2
    if state.phase == RACING:
        return 0 if is_due and (verb == STEP or verb == SAND) else PR_3
    if state.phase == DROPPING:
        in_water = 0 <= args[0] < WATER and 0 <= args[1] < WATER
        return 0 if is_due and (verb == PASS or (verb == DROP and in_water)) else PR_4
    return 0 if is_due and verb == SETTLE and 0 <= args[0] <= 1 else PR_5


@compiled
def is_share(kit: Kit, state: State, purses: Array[Int8]) -> bool:
    """PR-1: a purse for every seat, no two alike."""
    for seat in range(MOST_PLAYERS):
        if seat >= state.players:
            if purses[seat] != NONE:
                return False
        elif purses[seat] < 1 or purses[seat] > kit.purses:
            return False
        for other in range(seat):
            if purses[other] == purses[seat] and purses[seat] != NONE:
                return False
    return True


@compiled
def apply(kit: Kit, state: State, actor: int, action: Action) -> None:
    """Carries out an action that `refuse` allows."""
    if action.verb == SHARE:
        for seat in range(state.players):
            state.purses[seat] = action.args[seat]
        state.phase = WAGERING
    elif action.verb == WAGER:
        state.wagers[actor] = action.args[0]
        if seats(kit, state) == 0:
            state.phase = RACING
    elif action.verb == STEP:
        state.steps[actor] += 1
        if seats(kit, state) == 0:  # PR-3: nobody can walk on
            state.phase = DROPPING
    elif action.verb == SAND:
        state.phase = DROPPING
    elif action.verb == DROP:
        state.drop[0] = action.args[0]
        state.drop[1] = action.args[1]
        state.phase = SETTLING
    elif action.verb == SETTLE:
        state.floats = action.args[0]
        state.phase = ENDED
    else:
        state.phase = ENDED


@compiled
def sample(kit: Kit, state: State, rng: Rng, action: Action) -> None:
    """PR-1: purses by chance. In the race it is the clock that acts."""
    action.args[:] = NONE
    if state.phase == RACING:
        action.verb = SAND
        return
    purses = np.arange(1, kit.purses + 1).astype(np.int8)
    draw(rng, purses, kit.purses, state.players)
    action.verb = SHARE
    for seat in range(state.players):
        action.args[seat] = purses[seat]


@compiled
def outcome(kit: Kit, state: State, scores: Array[Int64]) -> int:
    """PR-6. Before the end all scores are 0, for purses are secret."""
    scores[: state.players] = 0
    if state.phase != ENDED:
        return 0
    best = 0
    for seat in range(state.players):
        scores[seat] = state.purses[seat]
        if state.wagers[seat] == state.steps[seat]:
            scores[seat] += 5
        if seat == furthest(state) and state.floats == 1:
            scores[seat] += 3
        best = max(best, scores[seat])
    winners = 0
    for seat in range(state.players):
        if scores[seat] == best:
            winners |= 1 << seat
    return winners

"""Gezanke auf der Planke: what a bot should know. Only purses are hidden, and they can be counted.

The rule of thumb looks at a whole turn of one's own and weighs what stands on the planks then: gold
in the purse, pirates aboard, the doubloons under them, and what the next player's dice may bring.
Of the fifteen rolls each lets him slide one of two planks; he is taken to choose what is best for
himself, planks and crews fall as they will, and everybody collects or rescues.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np

from quarterdeck.contract import Array, Float64, Rng, below, compiled, copy_list, records

from . import rules
from .balance import FIGURES, STRAIN_SIZE, STRAINED, load_plank, tips, topple
from .splash import doubloons, most_owed
from .state import (
    ACTIONS,
    BOARDINGS,
    CHOOSING,
    COLLECTS,
    COLOURS,
    EACH,
    ENDED,
    LIFTING,
    LIFTS,
    MOST_SEATS,
    NONE,
    OPEN_PURSES,
    PLACES,
    PLACINGS,
    PLANKS,
    RESCUES,
    SETS,
    SETTING,
    SETTING_UP,
    SLIDES,
    SLIDING,
    SPACES,
    STEADY,
    TARGETS,
    Action,
    Kit,
    Memory,
    State,
    fill,
    overboard,
    owner,
    pile_of,
    pirates_on,
    seat_after,
)

Weights: TypeAlias = Array[Float64]

WEIGHTS = (0.6, 0.5, 0.77, 0.7, 0.1)
"""What a pirate aboard is worth, a doubloon under him, a pirate to be brought back, what the next
player's dice may bring, and how much more a pirate is worth with every fin; in doubloons. Found by
self-play (`bench/tune_gezanke.py`)."""
ABOARD, UNDER, RETURN, DICE, FIN = range(5)

BEGINNER = (1.0, 1.0, 0.9, 0.0, 0.0)

UNIT = "chance"
AHEAD = 1  # turns of others the search plays through
DOUBT = 2.0  # doubloons, times the root of the fins left: how far from sure a lead is
TURN = 3  # actions: slide, lift, set
QUICK = 8  # actions a hunch looks at


@compiled
def imagine(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng, state: State) -> None:
    """Writes a whole state that fits what the seat knows.

    What others have taken was counted. What they had before it came is together what is missing
    from the open stacks then; how they share it is anybody's guess.
    """
    state.players = seen.players
    state.hands = seen.hands
    state.open_purses = seen.open_purses
    state.phase = seen.phase
    state.active = seen.active
    state.fins = seen.fins
    copy_list(state.order, seen.order)
    copy_list(state.sides, seen.sides)
    copy_list(state.offsets, seen.offsets)
    for plank in range(PLANKS):
        copy_list(state.board[plank], seen.board[plank])
    copy_list(state.dice, seen.dice)
    state.slid = seen.slid
    state.held = seen.held
    state.lifted = seen.lifted
    state.gesture = seen.gesture
    state.gesture_at = seen.gesture_at
    state.gesture_side = seen.gesture_side
    copy_list(state.lost, seen.lost)
    state.culprit = seen.culprit
    copy_list(state.choices, seen.choices)
    copy_list(state.boarding, seen.boarding)
    state.boarder = seen.boarder
    is_open = seen.open_purses == OPEN_PURSES or seen.phase == ENDED
    pile = pile_of(kit, seen)
    before = int(kit.pile) - pile
    for other in range(MOST_SEATS):
        if is_open or other == seat or other >= seen.players:
            state.purses[other] = seen.purses[other]
        else:
            state.purses[other] = memory.counted[other]
        if other < seen.players:
            before -= int(state.purses[other])
    if is_open or memory.since_start:
        return
    if pile == 0:  # nobody can see how much was credited beyond it, for oaths broken this turn
        credit = below(rng, max(1, most_owed(seen) + min(0, before)))
        before = max(0, before) + credit
    for _ in range(before):
        other = below(rng, int(seen.players) - 1)
        state.purses[other + 1 if other >= seat else other] += 1


# What a state is worth -----------------------------------------------------------------------


@compiled
def weigh_splash(kit: Kit, state: State, fallen: int, weights: Weights, gains: Weights) -> None:
    """Writes what everybody gains if these planks fall now, with all who stand on them."""
    splash = 0
    later = weights[FIN] * (int(state.fins) - 1)
    for seat in range(MOST_SEATS):
        gains[seat] = 0.0
    for colour in range(COLOURS):
        splash += int(state.lost[colour])
        seat = owner(state, colour)
        gold = missing = aboard = 0
        loss = 0.0
        for plank in range(PLANKS):
            for space in range(SPACES):
                if state.board[plank][space] != colour:
                    continue
                here = int(kit.doubloons[plank][state.sides[plank]][space])
                aboard += 1
                if (fallen >> plank) & 1:
                    splash += 1
                    missing += 1
                    loss += weights[ABOARD] + later + weights[UNDER] * here
                else:
                    gold += here
        if seat != NONE:
            missing += EACH - aboard
            back = (weights[RETURN] + later) * missing
            if state.fins == 1:
                back = loss = 0.0
            gains[seat] += (gold if missing == 0 else max(float(gold), back)) - loss
    if splash == 0:
        for seat in range(MOST_SEATS):
            gains[seat] = 0.0


@compiled
def weigh_standing(kit: Kit, state: State, weights: Weights, values: Weights) -> None:
    """Writes what everybody has: gold, pirates aboard, and the doubloons under them."""
    for seat in range(MOST_SEATS):
        values[seat] = max(0, int(state.purses[seat]))
    if state.phase == ENDED:
        return
    pirate = weights[ABOARD] + weights[FIN] * (int(state.fins) - 1)
    for plank in range(PLANKS):
        for space in range(SPACES):
            colour = int(state.board[plank][space])
            if colour != NONE and owner(state, colour) != NONE:
                here = kit.doubloons[plank][state.sides[plank]][space]
                values[owner(state, colour)] += pirate + weights[UNDER] * here


@compiled
def lead(state: State, values: Weights, seat: int) -> float:
    """How much more a seat has than the others on average."""
    others = 0.0
    for other in range(state.players):
        if other != seat:
            others += values[other]
    return float(values[seat] - others / (state.players - 1))


@compiled
def weigh(kit: Kit, state: State, weights: Weights, values: Weights) -> None:
    """Writes what a state is worth to everybody, the next player's dice included."""
    weigh_standing(kit, state, weights, values)
    if state.phase == ENDED:
        return
    gains = np.zeros(MOST_SEATS, np.float64)
    next_one = int(state.active)
    if state.phase != SETTING_UP:
        if state.phase == CHOOSING:
            weigh_splash(kit, state, 0, weights, gains)
            for seat in range(MOST_SEATS):
                values[seat] += gains[seat]
        if state.phase >= SLIDING:
            next_one = seat_after(state, next_one, 1)
    # what sliding each plank either way would bring to everybody: nothing, unless something tips
    brings = np.zeros((2 * PLANKS, MOST_SEATS), np.float64)
    trial = records(State, 1)
    trial[0] = state
    fill(trial[0].lost, 0)
    falls, overs = np.empty(PLANKS, np.int64), np.empty(PLANKS, np.int64)
    strain = np.zeros(STRAIN_SIZE, np.int64)
    strain[STRAINED] = NONE
    loads = np.empty(3 * PLANKS, np.int64)
    for plank in range(PLANKS):
        load_plank(kit, state, loads, plank)
    for plank in range(PLANKS):
        length = pirates_on(state, plank)
        moment = loads[3 * plank + 1]
        for way in range(2 if length else 0):
            slid = length if way else -length
            loads[3 * plank + 1] = moment + kit.space * slid * loads[3 * plank]
            if not tips(kit, loads):
                continue
            trial[0].offsets[plank] = state.offsets[plank] + slid
            fallen = 0
            for i in range(topple(kit, trial[0], strain, falls, overs)):
                fallen |= 1 << falls[i]
            weigh_splash(kit, trial[0], fallen, weights, brings[2 * plank + way])
        loads[3 * plank + 1] = moment
        trial[0].offsets[plank] = state.offsets[plank]
    # each roll of two colours is as likely, and he takes the best of what it offers
    share = weights[DICE] / (PLANKS * (PLANKS - 1) // 2)
    for first in range(PLANKS):
        for second in range(first):
            best, most = 0, -1e9
            for slide in (2 * first, 2 * first + 1, 2 * second, 2 * second + 1):
                gain = lead(state, brings[slide], next_one)
                if gain > most:
                    best, most = slide, gain
            for seat in range(state.players):
                values[seat] += share * brings[best][seat]


# Choosing ------------------------------------------------------------------------------------


@compiled
def act(kit: Kit, state: State, seat: int, number: int, action: Action) -> None:
    """Carries out an action, with a careful hand."""
    rules.decode(kit, state, number, action)
    rules.apply(kit, state, seat, action)
    if state.gesture != NONE:
        rules.finish_gesture(kit, state, np.zeros(FIGURES, np.int64))


@compiled
def best_action(kit: Kit, state: State, seat: int, weights: Weights) -> int:
    """The number of the action after which the seat can lead most.

    A slide is followed by every lift, and that by every place to set the pirate down.
    """
    numbers = np.empty((TURN, ACTIONS), np.int16)
    counts, at = np.zeros(TURN, np.int64), np.zeros(TURN, np.int64)
    trial, action = records(State, TURN + 1), records(Action, 1)
    values = np.zeros(MOST_SEATS, np.float64)
    trial[0] = state
    counts[0] = rules.legal(kit, state, seat, numbers[0])
    best, most, first = int(numbers[0][0]), -1e9, 0
    level = 0
    while level >= 0:
        if at[level] == counts[level]:
            level -= 1
            continue
        number = int(numbers[level][at[level]])
        at[level] += 1
        if level == 0:
            first = number
        after = trial[level + 1]
        trial[level + 1] = trial[level]
        act(kit, after, seat, number, action[0])
        if level + 1 < TURN and (after.phase == LIFTING or after.phase == SETTING):
            level += 1
            at[level] = 0
            counts[level] = rules.legal(kit, after, seat, numbers[level])
            continue
        weigh(kit, after, weights, values)
        value = lead(state, values, seat)
        if value > most:
            best, most = first, value
    return best


@compiled
def choose_gold(kit: Kit, state: State, seat: int, weights: Weights) -> int:
    """GP-13: doubloons now, or pirates back aboard: what is worth more."""
    numbers = np.empty(ACTIONS, np.int16)
    rules.legal(kit, state, seat, numbers)
    if state.culprit == seat:
        return int(numbers[0])
    for colour in range(COLOURS):
        if owner(state, colour) == seat and state.choices[colour] == NONE:
            gold = doubloons(kit, state, colour)
            which = 1 + colour if state.players == 2 else 0
            back = weights[RETURN] + weights[FIN] * (int(state.fins) - 1)
            if back * overboard(state, colour) > gold:
                return RESCUES + which
            return COLLECTS + which
    return int(numbers[0])


@compiled
def choose_with(kit: Kit, seen: State, memory: Memory, seat: int, weights: Weights) -> int:
    """The number of the action a bot with these weights takes."""
    state = records(State, 1)
    state[0] = seen
    for other in range(MOST_SEATS):
        if other != seat:
            state[0].purses[other] = memory.counted[other]
    if seen.phase == CHOOSING:
        return choose_gold(kit, state[0], seat, weights)
    return best_action(kit, state[0], seat, weights)


@compiled
def choose(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng) -> int:
    """The number of a sensible action."""
    return choose_with(kit, seen, memory, seat, np.array(WEIGHTS))


# A beginner ----------------------------------------------------------------------------------


@compiled
def gold_of(kit: Kit, state: State, number: int) -> int:
    """The doubloons of the space an action is about; lifting a pirate there gives them up."""
    if SLIDES <= number < LIFTS or COLLECTS <= number < BOARDINGS:
        return 0
    if number < SLIDES:
        place = (number - PLACINGS) % PLACES
    elif number < SETS:
        place = number - LIFTS
    else:
        place = number - SETS if number < COLLECTS else (number - BOARDINGS) % TARGETS
    if place >= PLACES:
        return 0  # the rope
    plank = place // SPACES
    gold = int(kit.doubloons[plank][state.sides[plank]][place % SPACES])
    return -gold if LIFTS <= number < SETS else gold


@compiled
def richest(kit: Kit, state: State, seat: int, rng: Rng) -> int:
    """Any of the actions about most doubloons."""
    numbers = np.empty(ACTIONS, np.int16)
    best, most, ties = NONE, -3, 0
    for i in range(rules.legal(kit, state, seat, numbers)):
        gold = gold_of(kit, state, int(numbers[i]))
        if gold > most:
            most, ties = gold, 0
        if gold == most:
            ties += 1
            if below(rng, ties) == 0:
                best = int(numbers[i])
    return best


@compiled
def fumble(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng) -> int:
    """What a beginner does: slides anything, runs for the gold, and has no eye for balance."""
    if seen.phase == CHOOSING:
        return choose_gold(kit, seen, seat, np.array(BEGINNER))
    return richest(kit, seen, seat, rng)


# What the search needs -----------------------------------------------------------------------


@compiled
def shift(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng, state: State) -> bool:
    """Another world, with steady hands: nobody plans to be clumsy."""
    imagine(kit, seen, memory, seat, rng, state)
    state.hands = STEADY
    return True


@compiled
def hunch(kit: Kit, state: State, seat: int, rng: Rng) -> int:
    """A quick choice: what would fall, and the doubloons one comes to; no thought of the next."""
    weights = np.array(WEIGHTS)
    if state.phase == CHOOSING:
        return choose_gold(kit, state, seat, weights)
    if state.phase == SETTING_UP:
        return richest(kit, state, seat, rng)
    numbers = np.empty(ACTIONS, np.int16)
    count = rules.legal(kit, state, seat, numbers)
    tries = min(count, QUICK)
    trial, action = records(State, 1), records(Action, 1)
    gains, values = np.zeros(MOST_SEATS, np.float64), np.zeros(MOST_SEATS, np.float64)
    best, most = int(numbers[0]), -1e9
    for i in range(tries):
        if tries < count:  # any of those not looked at yet
            j = i + below(rng, count - i)
            numbers[i], numbers[j] = numbers[j], numbers[i]
        trial[0] = state
        act(kit, trial[0], seat, int(numbers[i]), action[0])
        weigh_standing(kit, trial[0], weights, values)
        if trial[0].phase != ENDED and SLIDING <= state.phase <= SETTING:
            weigh_splash(kit, trial[0], 0, weights, gains)
            for other in range(MOST_SEATS):
                values[other] += gains[other]
        value = lead(state, values, seat) + below(rng, 100) * 0.002
        if value > most:
            best, most = int(numbers[i]), value
    return best


@compiled
def worth(kit: Kit, state: State, values: Weights) -> bool:
    """Writes everybody's chance to win, by what the state is worth to them in doubloons."""
    sure = state.phase == ENDED
    standing = np.zeros(MOST_SEATS, np.float64)
    weigh(kit, state, np.array(WEIGHTS), standing)
    doubt = 0.05 if sure else DOUBT * math.sqrt(float(state.fins))
    total = 0.0
    best = standing[0]
    for seat in range(state.players):
        best = max(best, standing[seat])
    for seat in range(state.players):
        values[seat] = math.exp((standing[seat] - best) / doubt)
        total += values[seat]
    for seat in range(state.players):
        values[seat] /= total
    return True

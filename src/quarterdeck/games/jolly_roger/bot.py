"""Jolly & Roger: what a bot should know. Nothing is hidden but the pile, so worlds are the state.

The rule of thumb looks at the gold a seat can expect: what lies in the chest, what the ships are
worth by the chance to hold them to the end, and what their captains may still bring aboard. A card
is played where that is best; a set is judged by how both would play on greedily; a split by what
the other one would leave.
"""

from __future__ import annotations

import math

import numpy as np

from quarterdeck.contract import Row, compiled, copy_list, records

from . import rules
from .rules import (
    ACTIONS,
    CARD_KINDS,
    ENDED,
    NONE,
    OFFER,
    PICKING,
    PLAYING,
    SHIPS,
    SPLITTING,
    VALUES,
    Action,
    State,
)


@compiled
def imagine(kit: Row, seen: Row, memory: Row, seat: int, rng: Row, state: Row) -> None:
    """Writes a whole state that fits what the seat knows: there is only one (JR-R2)."""
    state.variant = seen.variant
    state.phase = seen.phase
    state.turn = seen.turn
    state.splitter = seen.splitter
    copy_list(state.offer, seen.offer)
    copy_list(state.removed, seen.removed)
    for side in range(2):
        copy_list(state.sets[side], seen.sets[side])
        copy_list(state.hands[side], seen.hands[side])
        copy_list(state.chests[side], seen.chests[side])
        for ship in range(SHIPS):
            copy_list(state.crews[ship][side], seen.crews[ship][side])


@compiled
def lead(kit: Row, state: Row, seat: int) -> float:
    """How much more gold the seat may expect than the other, by rule of thumb."""
    left = np.empty(CARD_KINDS, np.int8)
    unseen = rules.count_unseen(kit, state, left)
    turns_left = rules.turns(state) - int(state.turn)
    if state.phase == ENDED:
        turns_left = 0
    doubt = 0.25 + 1.5 * math.sqrt(turns_left)
    total = float(rules.gold_in_chest(state, seat) - rules.gold_in_chest(state, 1 - seat))
    for ship in range(SHIPS):
        edge = rules.strength(state.crews[ship][seat]) - rules.strength(state.crews[ship][1 - seat])
        if state.phase == ENDED:
            total += kit.gold[ship] * (1.0 if edge > 0 else -1.0 if edge < 0 else 0.0)
            continue
        hold = math.tanh(edge / doubt)  # from -1, surely the other's, to 1, surely ours
        coming = 0.0  # gold of this colour that may still be turned up
        for value in range(VALUES):
            coming += left[ship * VALUES + value] * (value + 1)
        share = min(1.0, OFFER * turns_left / max(1, unseen))
        captain = rules.captain(state, ship)
        here = 0.0 if captain == NONE else 1.0 if captain == seat else -1.0
        total += kit.gold[ship] * hold
        total += 0.35 * coming * share * (0.5 * hold + 0.5 * here)
    return total


@compiled
def best_play(kit: Row, state: Row, seat: int) -> int:
    """The number of the play after which the seat's lead is greatest."""
    numbers = np.empty(ACTIONS, np.int16)
    count = rules.legal(kit, state, seat, numbers)
    trial = records(State, 1)
    action = records(Action, 1)
    best, best_lead = int(numbers[0]), -1e9
    for i in range(count):
        trial[0] = state
        rules.decode(kit, state, int(numbers[i]), action[0])
        rules.apply(kit, trial[0], seat, action[0])
        value = lead(kit, trial[0], seat)
        if value > best_lead:
            best, best_lead = int(numbers[i]), value
    return best


@compiled
def play_out(kit: Row, state: Row) -> None:
    """Both play all their cards of this turn, greedily."""
    action = records(Action, 1)
    while state.phase == PLAYING:
        seat = rules.to_act(state)
        rules.decode(kit, state, best_play(kit, state, seat), action[0])
        rules.apply(kit, state, seat, action[0])


@compiled
def best_pick(kit: Row, state: Row, seat: int) -> tuple[int, float]:
    """The number of the better set for the seat, and the lead it comes to."""
    trial = records(State, 1)
    action = records(Action, 1)
    best, best_lead = rules.PICKS, -1e9
    for pick in range(2):
        trial[0] = state
        rules.decode(kit, state, rules.PICKS + pick, action[0])
        rules.apply(kit, trial[0], seat, action[0])
        play_out(kit, trial[0])
        value = lead(kit, trial[0], seat)
        if value > best_lead:
            best, best_lead = rules.PICKS + pick, value
    return best, best_lead


@compiled
def best_split(kit: Row, state: Row, seat: int) -> int:
    """The number of the split of which the other one's better choice is worst."""
    numbers = np.empty(ACTIONS, np.int16)
    count = rules.legal(kit, state, seat, numbers)
    trial = records(State, 1)
    action = records(Action, 1)
    best, least = int(numbers[0]), 1e9
    for i in range(count):
        trial[0] = state
        rules.decode(kit, state, int(numbers[i]), action[0])
        rules.apply(kit, trial[0], seat, action[0])
        value = best_pick(kit, trial[0], 1 - seat)[1]
        if value < least:
            best, least = int(numbers[i]), value
    return best


@compiled
def choose(kit: Row, seen: Row, memory: Row, seat: int, rng: Row) -> int:
    """The number of a sensible action."""
    if seen.phase == SPLITTING:
        return best_split(kit, seen, seat)
    if seen.phase == PICKING:
        return best_pick(kit, seen, seat)[0]
    return best_play(kit, seen, seat)

"""Counts of everything that can follow from fixed positions and rolls.

Of each turn, with all choices and everybody who comes back: the ways to play it, the different
positions met on the way, and the doubloons of seat 0 summed over all ways. `reference.py` counts
the smaller ones again in every run; it has counted them all.
"""

from __future__ import annotations

import copy

import numpy as np
import pytest

from quarterdeck.contract import CHANCE, NATURE, OVER, copy_record, record

from . import reference
from .helpers import INTERPRETED, KIT, RULES, do, node, outcome, position, state_of, to_act

SPREAD = {
    "grey": ["red:4", "blue:-4", "green:0"],
    "white": ["red:-4", "yellow:4", "purple:0"],
    "black": ["green:4", "orange:-4", "orange:4"],
    "brown": ["purple:4", "purple:-4", "yellow:0"],
}
CROWDED = {
    "grey": ["red:4", "red:3", "red:-4"],
    "white": ["red:2", "blue:4", "blue:3"],
    "black": ["red:1", "blue:2", "blue:1"],
    "brown": ["blue:0", "blue:-1", "red:0"],
}
FEW = {"grey": ["red:4", "blue:-4"], "white": ["red:-4"], "black": ["green:0"], "brown": []}

TURNS = [
    # players, pirates, offsets, fins, roll, (ways, positions, doubloons of seat 0)
    (4, SPREAD, {}, 7, "roll red blue", (72, 77, 0)),
    (4, SPREAD, {"red": 1, "blue": -2}, 7, "roll red blue", (26136, 6550, 35)),
    (4, CROWDED, {}, 1, "roll red blue", (54, 26, 218)),
    (4, CROWDED, {"red": 2}, 1, "roll red blue", (77, 46, 234)),
    (2, SPREAD, {"red": 2}, 7, "roll green purple", (200, 213, 0)),
    (2, CROWDED, {"red": -2, "blue": 1}, 1, "roll blue green", (104, 77, 404)),
    (3, CROWDED, {"blue": 1}, 1, "roll blue red", (54, 26, 218)),
    (4, FEW, {"red": 1}, 1, "roll red blue", (36, 41, 0)),
]

SMALL = 1_500
"""Up to so many positions are counted in every run, however slow the counting."""


def begun(players, pirates, offsets, fins, roll):
    """The state and the reference's table after a roll."""
    state = state_of(players, pirates=pirates, offsets=offsets, fins=fins)
    table = reference.Table(players)
    table.phase, table.active, table.fins = "roll", 0, fins
    for plank in position(state)["planks"]:
        table.planks.append(reference.Plank(plank["name"], plank["side"]))
        table.planks[-1].offset = plank["offset"]
    for colour, places in pirates.items():
        for place in places:
            plank, space = table.at(place)
            plank.standing[space] = colour
    table.do(NATURE, roll)
    return do(state, NATURE, roll), table


def count(state, known):
    """Ways to the end of the turn, and the doubloons of seat 0 summed over them."""
    key = state.tobytes()
    if key in known:
        return known[key]
    if node(state) in (CHANCE, OVER):
        known[key] = 1, outcome(state)[0][0]
        return known[key]
    ways = gold = 0
    (seat,) = to_act(state)
    numbers = np.zeros(RULES.ACTIONS, np.int16)
    action = record(RULES.Action)
    for number in numbers[: RULES.legal(KIT, state, seat, numbers)]:
        after = copy_record(state)
        RULES.decode(KIT, state, int(number), action)
        RULES.apply(KIT, after, seat, action)
        more_ways, more_gold = count(after, known)
        ways += more_ways
        gold += more_gold
    known[key] = ways, gold
    return known[key]


def count_by_reference(table, known):
    key = repr(table.position())
    if key in known:
        return known[key]
    if table.phase in ("roll", "over"):
        known[key] = 1, table.purses[0]
        return known[key]
    ways = gold = 0
    ((seat, texts),) = table.legal().items()
    for text in sorted(texts):
        after = copy.deepcopy(table)
        after.do(seat, text)
        more_ways, more_gold = count_by_reference(after, known)
        ways += more_ways
        gold += more_gold
    known[key] = ways, gold
    return known[key]


def summed(counter, start):
    known = {}
    ways, gold = counter(start, known)
    return ways, len(known), gold


@pytest.mark.rule("GP-6", "GP-7", "GP-8", "GP-9", "GP-10", "GP-13", "GP-15", "GP-16", "GP-17")
@pytest.mark.parametrize(("players", "pirates", "offsets", "fins", "roll", "expected"), TURNS)
def test_ways_to_play_a_turn(players, pirates, offsets, fins, roll, expected):
    state, table = begun(players, pirates, offsets, fins, roll)
    is_small = expected[1] <= SMALL
    if is_small or not INTERPRETED:
        assert summed(count, state) == expected
    if is_small and not INTERPRETED:
        assert summed(count_by_reference, table) == expected

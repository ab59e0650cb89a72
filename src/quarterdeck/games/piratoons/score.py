"""The score, part by part, so that it can be told step by step."""

from __future__ import annotations

import numpy as np

from quarterdeck.contract import Array, Grid, Int64, compiled

from .layout import CONNECTION_POINTS, correct_connections, list_ship, set_points
from .state import (
    ADDON_KINDS,
    DECK,
    FIRST_SAIL,
    NONE,
    PARTS,
    TILES,
    Kit,
    State,
    kind_of,
)

FIRST_POINTS, SECOND_POINTS = 5, 2  # PT-30
EMPTY_POINTS = -2  # PT-32

# What is counted of a ship, and then the points it brings
SAILS_COUNT, DOUBLOONS_COUNT, BARRELS_COUNT, CORRECT, WRONG = range(5)
EMPTY = 5  # by kind, then all together
EMPTY_ALL = EMPTY + ADDON_KINDS
COUNTED = EMPTY_ALL + 1
TITLES = 3
CONNECTIONS_PART = TITLES
EMPTY_PART = CONNECTIONS_PART + 1
SETS_PART = EMPTY_PART + ADDON_KINDS + 1
POINT_PARTS = SETS_PART + 1


@compiled
def count_ship(kit: Kit, state: State, seat: int, counts: Array[Int64]) -> None:
    """Writes what is counted of one ship as it lies."""
    counts[:] = 0
    counts[DOUBLOONS_COUNT] = state.doubloons[seat]
    order = np.empty(PARTS, np.int8)
    parts = list_ship(state.owner, state.spot, seat, order)
    counts[CORRECT] = correct_connections(kit, state.owner, state.spot, seat)
    counts[WRONG] = parts + 1 - counts[CORRECT]
    has_sail = np.zeros(PARTS, np.bool_)
    for i in range(parts):
        counts[BARRELS_COUNT] += kit.barrels[order[i]]
        for kind in range(ADDON_KINDS):
            counts[EMPTY + kind] += kit.fields[order[i]][kind]
    for tile in range(PARTS, TILES):
        part = state.spot[tile]
        if state.owner[tile] != seat or part == NONE:
            continue
        if tile < FIRST_SAIL:
            counts[EMPTY + kind_of(tile)] -= 1
        else:
            counts[SAILS_COUNT] += 1
            if not has_sail[part]:  # PT-32: a sail fills the deck field of its mast
                counts[EMPTY + DECK] -= 1
                has_sail[part] = True
    for kind in range(ADDON_KINDS):
        counts[EMPTY_ALL] += counts[EMPTY + kind]


@compiled
def ship_points(kit: Kit, state: State, seat: int) -> int:
    """PT-31, PT-33: what connections and sets of a ship bring as it lies."""
    order = np.empty(PARTS, np.int8)
    connections = list_ship(state.owner, state.spot, seat, order) + 1
    correct = correct_connections(kit, state.owner, state.spot, seat)
    points = CONNECTION_POINTS * (2 * correct - connections)
    return points + set_points(kit, state.owner, state.spot, seat)


@compiled
def score(kit: Kit, state: State, counts: Grid[Int64], points: Grid[Int64]) -> None:
    """PT-30 to PT-33: writes what is counted of every ship, and the points by part of the score."""
    counts[:] = 0
    points[:] = 0
    for seat in range(state.players):
        count_ship(kit, state, seat, counts[seat])
        correct, wrong = counts[seat][CORRECT], counts[seat][WRONG]
        points[seat][CONNECTIONS_PART] = CONNECTION_POINTS * (correct - wrong)
        points[seat][SETS_PART] = set_points(kit, state.owner, state.spot, seat)
    for title in range(TITLES):
        first, second = 0, 0  # PT-R2: none of a thing earns nothing
        for seat in range(state.players):
            first = max(first, counts[seat][title])
        for seat in range(state.players):
            if counts[seat][title] < first:
                second = max(second, counts[seat][title])
        for seat in range(state.players):
            if first > 0 and counts[seat][title] == first:
                points[seat][title] = FIRST_POINTS
            elif second > 0 and counts[seat][title] == second:
                points[seat][title] = SECOND_POINTS
    for kind in range(ADDON_KINDS + 1):
        most = 0
        for seat in range(state.players):
            most = max(most, counts[seat][EMPTY + kind])
        for seat in range(state.players):
            if most > 0 and counts[seat][EMPTY + kind] == most:
                points[seat][EMPTY_PART + kind] = EMPTY_POINTS


@compiled
def tie_value(counts: Array[Int64], step: int) -> int:
    """PT-34: what decides between equal scores, first, second and third; more is better."""
    if step == 0:
        return counts[CORRECT]
    if step == 1:
        return -counts[EMPTY_ALL]
    return counts[DOUBLOONS_COUNT]

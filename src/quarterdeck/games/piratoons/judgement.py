"""What things are worth, in points of the final score: ships, tiles, doubloons. For bots only.

`weights` are how much a bot makes of each thing, under the names below.
"""

from __future__ import annotations

import numpy as np

from quarterdeck.contract import Array, Float64, Int8, compiled

from .layout import CONNECTION_POINTS, count_arcs, fewest_jumps, plan_equipment
from .state import (
    ADDON_KINDS,
    DECK,
    MOST_DESIGNS,
    MOST_SAILS,
    PARTS,
    ROUNDS,
    SAIL,
    SYMBOLS,
    Kit,
    State,
)

Weights = Array[Float64]

# Of a ship. What is "early" counts in full at the beginning, and not at all in the last round.
SAIL_WEIGHT = 0  # a sail: its share in the title
BARREL_WEIGHT = 1
EMPTY_WEIGHT = 2  # an empty field, in the end
FIELD_WEIGHT = 3  # an empty field, early: there is time to fill it
LONE_WEIGHT = 4  # an add-on that is in no set, early
JUMP_WEIGHT = 5  # a wrong connection, early: it may still be put right
COIN_WEIGHT = 6  # a doubloon in the end
EARLY_COIN_WEIGHT = 7
# Of a hand in the chest
GAIN_WEIGHT = 8  # the least that is worth a stone
FIGHT_WEIGHT = 9  # the share of a tile that each rival on it takes away
RIVAL_WEIGHT = 10  # the share that each stone takes away that rivals have left
RISK_WEIGHT = 11  # the share of the stones that a rival on a tile makes one lose
DOUBLE_WEIGHT = 12  # what is worth a second stone at once
ENVY_WEIGHT = 17  # the share of what the keenest rival would make of a tile
PATIENCE_WEIGHT = 18  # the share of looks that come to nothing while the sand runs
# Of a fist
BID_WEIGHT = 13  # the share of a tile's worth that is bid for it
SECOND_WEIGHT = 14  # how much the next best tile lowers that
# Of the eye
SLIP_WEIGHT = 15  # by how many points things are misjudged
EYE_WEIGHT = 16  # how many tiles of the chest it is on
WEIGHTS = 19


@compiled
def ship_worth(kit: Kit, state: State, owner: Array[Int8], seat: int, weights: Weights) -> float:
    """What a seat's tiles promise, laid out as well as possible."""
    room, masts = np.empty(SAIL + 1, np.int64), np.empty(MOST_SAILS + 1, np.int64)
    spare = np.empty((SAIL + 1, MOST_DESIGNS), np.int64)
    due, goal = np.empty(SAIL + 1, np.int64), np.empty(SAIL + 1, np.int64)
    used = plan_equipment(kit, owner, seat, room, masts, spare, due, goal)
    arcs = np.empty(SYMBOLS * SYMBOLS, np.int64)
    parts = count_arcs(kit, owner, seat, arcs)
    jumps = fewest_jumps(arcs, int(kit.ends[0]) - 1, int(kit.ends[1]) - 1)
    early = earliness(state)
    wrong = 2.0 * CONNECTION_POINTS * (1.0 - early * (1.0 - weights[JUMP_WEIGHT]))
    worth = CONNECTION_POINTS * (parts + 1.0) - wrong * jumps
    for part in range(PARTS):
        if owner[part] == seat:
            worth += weights[BARREL_WEIGHT] * kit.barrels[part]
    worth += weights[SAIL_WEIGHT] * due[SAIL]
    empty = room[DECK] - used - due[DECK]
    for kind in range(ADDON_KINDS):
        in_sets = min(float(due[kind]), goal[kind] * 0.7)  # about so many
        worth += goal[kind] + weights[LONE_WEIGHT] * early * (due[kind] - in_sets)
        if kind != DECK:
            empty += room[kind] - due[kind]
    each = weights[EMPTY_WEIGHT] * (1.0 - early) + weights[FIELD_WEIGHT] * early
    return float(worth + empty * each)


@compiled
def earliness(state: State) -> float:
    """1 at the beginning, 0 in the last round."""
    return (ROUNDS - int(state.round_number)) / (ROUNDS - 1)


@compiled
def tile_worth(kit: Kit, state: State, seat: int, tile: int, weights: Weights) -> float:
    """What a tile adds to a seat's ship."""
    owner = state.owner.copy()
    before = ship_worth(kit, state, owner, seat, weights)
    owner[tile] = seat
    return ship_worth(kit, state, owner, seat, weights) - before


@compiled
def doubloon_worth(state: State, weights: Weights) -> float:
    """What a doubloon is good for: the auctions to come, and the title of the richest."""
    early = earliness(state)
    return float(weights[COIN_WEIGHT] * (1.0 - early) + weights[EARLY_COIN_WEIGHT] * early)

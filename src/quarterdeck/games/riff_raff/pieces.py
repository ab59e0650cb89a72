"""Riff Raff: its components and records, by their names.

Shapes and areas are small integers; area `a` has place `a - 1` in lists. Lists are padded with
`NONE`. In a record that shows only what a seat may see, `HIDDEN` stands for a card that is there
but not shown.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quarterdeck.contract import action_dtype

MOST_PLAYERS = 4
CARDS = 10  # RR-C2
AREAS = 10  # RR-C1
LOWEST_YARD = 5
SHAPES = 8
COPIES = 4  # of each shape, and the most that can be in one place

NONE = -1
HIDDEN = -2

# How the piece of a loading ends up: an area from 1 to 10, or one of these
ASTRAY, BACK, FELL = AREAS + 1, AREAS + 2, AREAS + 3

LEVELS = 5  # kinds of areas by risk: the deck's ends, its middle, the lower, middle, upper yard

MOST_PARTS = 80
MOST_SIDES = 4
PART_KINDS = ("box", "sphere", "capsule", "cylinder")

WORLD = (
    ("pivot", ("height", "righting", "damping", "friction", "stiffness", "limit")),
    ("wood", ("density", "sliding", "turning", "rolling")),
    ("counterweight", ("mass", "radius")),
    ("water", ("depth",)),
    ("hand", ("leash", "leash_touching", "seconds", "top", "reach")),
    ("settling", ("seconds",)),
    ("areas", ("hang",)),
)
"""What the kit says of the world as a whole: `pivot.height` is `kit.pivot_height`."""

Kit: np.dtype[Any] = np.dtype(
    [
        ("copies", "i1", (SHAPES,)),
        ("mass", "f8", (SHAPES,)),  # grams
        ("level", "i1", (AREAS,)),
        ("areas", "f8", (AREAS, 5)),  # two corners (x, y each) and the height of the surface
        # what the fitted world draws from, see `fitted.py`
        ("own", "f8", (LEVELS + SHAPES + 3,)),
        ("astray", "f8", (LEVELS + SHAPES + 3,)),
        ("other", "f8", (LEVELS + SHAPES + 3,)),
        ("more", "f8"),
        ("back", "f8"),
        ("moved", "f8"),
        ("caught", "f8"),
        ("loose", "f8", (LEVELS,)),
        # what the real world is built from, see `physics/`
        ("parts", "f8", (MOST_PARTS, 10)),  # owner (0: the ship), kind, solid, two points, radius
        ("part_count", "i2"),
        ("rolls", "i1", (SHAPES,)),
        ("sides", "f8", (SHAPES, MOST_SIDES, 2)),
        ("side_count", "i1", (SHAPES,)),
        *((f"{table}_{key}", "f8") for table, keys in WORLD for key in keys),
    ]
)

MOVED = 3  # where the lists of a settling begin
MOST_MOVED = SHAPES * COPIES - 1
FALLEN = MOVED + 3 * MOST_MOVED
CAUGHT = FALLEN + AREAS * SHAPES

Action = action_dtype(CAUGHT + AREAS * SHAPES, "i1")
"""card: [number] · captain, start: [seat] · order: [seats] · announce: [number] · take: [shape] ·
settle: [shape, how it ends up, 1 if it was caught; up to 31 times shape, area, new area in order;
how many of each shape fell from each area; how many were caught]. Unused places are `NONE`, but
for the counts, which are 0."""

State = np.dtype(
    [
        ("players", "i1"),
        ("fitted", "i1"),  # 1: no live world; `sample` draws what comes of a loading
        ("phase", "i1"),
        ("round", "i1"),  # 1 to 10, with two players 1 to 20
        ("captain", "i1"),
        ("active", "i1"),
        ("announced", "i1"),
        ("loaded", "i1"),  # 1: the first of two pieces is aboard
        ("hand", "i1"),  # the shape held
        ("cards", "i1", (MOST_PLAYERS, CARDS)),  # sorted
        ("played", "i1", (MOST_PLAYERS,)),  # this round
        ("last", "i1", (MOST_PLAYERS,)),  # the visible cards
        ("order", "i1", (MOST_PLAYERS,)),  # of the round, once it is settled
        ("supply", "i1", (MOST_PLAYERS, SHAPES)),
        ("aboard", "i1", (AREAS, SHAPES)),
    ]
)

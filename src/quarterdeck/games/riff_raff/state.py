"""Riff Raff: its records, and the names of the numbers in them.

Shapes and areas are small integers; area `a` has place `a - 1` in lists. Lists are padded with
`NONE`. In a record that shows only what a seat may see, `HIDDEN` stands for a card that is there
but not shown.
"""

from __future__ import annotations

from quarterdeck.contract import (
    COMPONENT,
    RULING,
    Array,
    Cube,
    Float64,
    Grid,
    Int8,
    Int16,
    Record,
    compiled,
    shape,
)

MOST_PLAYERS = 4
CARDS = 10  # RR-C2
AREAS = 10  # RR-C1
LOWEST_YARD = 5
SHAPES = 8  # RR-C2
COPIES = 4  # of each shape, and the most that can be in one place

NONE = -1
HIDDEN = -2

# How the piece of a loading ends up: an area from 1 to 10, or one of these
ASTRAY, BACK, FELL = AREAS + 1, AREAS + 2, AREAS + 3

# Verbs, and the numbers of actions: cards, seats, one or two, shapes, then orders of two seats and
# of three
CARD, CAPTAIN, ORDER, ANNOUNCE, TAKE, START, SETTLE = range(7)
FIRST_CAPTAIN = CARDS
FIRST_ANNOUNCE = FIRST_CAPTAIN + MOST_PLAYERS
FIRST_TAKE = FIRST_ANNOUNCE + 2
FIRST_PAIR = FIRST_TAKE + SHAPES
FIRST_THREE = FIRST_PAIR + MOST_PLAYERS**2
ACTIONS: int = FIRST_THREE + MOST_PLAYERS**3

# Phases, named for what is to be done
TO_START, CHOOSING, NAMING, ORDERING, ANNOUNCING, TAKING, LOADING, ENDED = range(8)

# Rules that can refuse an action
RR_2, RR_3, RR_4, RR_5, RR_6, RR_8, RR_9, RR_14, RR_18 = 2, 3, 4, 5, 6, 8, 9, 14, 18
RR_R1, RR_R6, RR_R7, RR_R8 = RULING + 1, RULING + 6, RULING + 7, RULING + 8
RR_C1, RR_C2 = COMPONENT + 1, COMPONENT + 2

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


class Kit(Record):
    """The components of the box."""

    copies: Array[Int8] = shape(SHAPES)
    mass: Array[Float64] = shape(SHAPES)  # grams
    level: Array[Int8] = shape(AREAS)
    areas: Grid[Float64] = shape(AREAS, 5)  # two corners (x, y each) and the height of the surface
    # what the fitted world draws from, see `fitted.py`
    own: Array[Float64] = shape(LEVELS + SHAPES + 3)
    astray: Array[Float64] = shape(LEVELS + SHAPES + 3)
    other: Array[Float64] = shape(LEVELS + SHAPES + 3)
    more: Float64
    back: Float64
    moved: Float64
    caught: Float64
    loose: Array[Float64] = shape(LEVELS)
    # what the real world is built from, see `physics/`
    parts: Grid[Float64] = shape(MOST_PARTS, 10)  # owner (0: the ship), kind, solid, points, radius
    part_count: Int16
    rolls: Array[Int8] = shape(SHAPES)
    sides: Cube[Float64] = shape(SHAPES, MOST_SIDES, 2)
    side_count: Array[Int8] = shape(SHAPES)
    # of the world as a whole, see `WORLD`
    pivot_height: Float64
    pivot_righting: Float64
    pivot_damping: Float64
    pivot_friction: Float64
    pivot_stiffness: Float64
    pivot_limit: Float64
    wood_density: Float64
    wood_sliding: Float64
    wood_turning: Float64
    wood_rolling: Float64
    counterweight_mass: Float64
    counterweight_radius: Float64
    water_depth: Float64
    hand_leash: Float64
    hand_leash_touching: Float64
    hand_seconds: Float64
    hand_top: Float64
    hand_reach: Float64
    settling_seconds: Float64
    areas_hang: Float64


MOVED = 3  # where the lists of a settling begin
MOST_MOVED = SHAPES * COPIES - 1
FALLEN = MOVED + 3 * MOST_MOVED
CAUGHT = FALLEN + AREAS * SHAPES


class Action(Record):
    """card: [number] · captain, start: [seat] · order: [seats] · announce: [number] · take: [shape]
    · settle: [shape, how it ends up, 1 if it was caught; up to 31 times shape, area, new area in
    order; how many of each shape fell from each area; how many were caught]. Unused places are
    `NONE`, but for the counts, which are 0."""

    verb: Int8
    args: Array[Int8] = shape(CAUGHT + AREAS * SHAPES)


class State(Record):
    """Everything about a game at one moment."""

    players: Int8
    fitted: Int8  # 1: no live world; `sample` draws what comes of a loading
    phase: Int8
    round: Int8  # 1 to 10, with two players 1 to 20
    captain: Int8
    active: Int8
    announced: Int8
    loaded: Int8  # 1: the first of two pieces is aboard
    hand: Int8  # the shape held
    cards: Grid[Int8] = shape(MOST_PLAYERS, CARDS)  # sorted
    played: Array[Int8] = shape(MOST_PLAYERS)  # this round
    last: Array[Int8] = shape(MOST_PLAYERS)  # the visible cards
    order: Array[Int8] = shape(MOST_PLAYERS)  # of the round, once it is settled
    supply: Grid[Int8] = shape(MOST_PLAYERS, SHAPES)
    aboard: Grid[Int8] = shape(AREAS, SHAPES)


class Memory(Record):
    """RR-R10: 1 where a seat has played a card since it last took up its cards."""

    played: Grid[Int8] = shape(MOST_PLAYERS, CARDS + 1)


# What is read again and again ----------------------------------------------------------------


@compiled
def pieces_of(state: State, seat: int) -> int:
    """How many pieces lie in a seat's supply."""
    count = 0
    for kind in range(SHAPES):
        count += state.supply[seat][kind]
    return count


@compiled
def pieces_in(state: State, area: int) -> int:
    """How many pieces lie in an area."""
    count = 0
    for kind in range(SHAPES):
        count += state.aboard[area - 1][kind]
    return count


@compiled
def clear_action(action: Action, verb: int) -> None:
    """An action with nothing said but its verb."""
    action.verb = verb
    for place in range(FALLEN):
        action.args[place] = NONE
    for place in range(FALLEN, len(action.args)):
        action.args[place] = 0


@compiled
def list_size(action: Action) -> int:
    """How many seats an order names."""
    size = 0
    while size < FALLEN and action.args[size] != NONE:
        size += 1
    return size

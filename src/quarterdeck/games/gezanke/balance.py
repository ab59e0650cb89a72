"""Gezanke auf der Planke: balance, exactly, in integers (tenths of a millimetre and of a gram).

The ship rolls to where its load is in balance, and a plank tips if its centre of mass lies beyond
the edge of the deck as seen from there. Of several planks the one furthest over leaves first.

A hand that is not careful is a *strain*: it adds to the pull on the plank it works on, shifts that
plank, or sets the whole ship swinging. The ideal gesture is the strain of nothing at all.
All values stay below 2**53.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np

from quarterdeck.contract import Array, Int64, compiled

from .state import NONE, PLANKS, ROPE, SPACES, Kit, State, pirates_on

Integers: TypeAlias = Array[Int64]

# A strain: which plank, to which side (1 starboard, -1 port), how much further it is held (0.1 mm),
# the pull beyond the edge (0.1 mm x 0.1 g), and how far the ship swings (tangent, 200ths).
STRAINED, TOWARDS, SHIFT, PULL, SWING = range(5)
STRAIN_SIZE = 5
SWING_UNIT = 200

# Figures of a hand
SPEED, PRESS, KICK, OVER = range(4)
FIGURES = 4
MOST_SPEED, MOST_PRESS, MOST_KICK, MOST_OVER = 1000, 300, 5000, 2000
"""cm/s, hundredths of a pirate's weight, mrad/s, tenths of a millimetre."""

# The laws of a hand
CALM_SLIDE = 10  # cm/s: a plank slid no faster rocks nothing
KICK_OF_SLIDE = 24  # a plank of w tenths of a gram, faster by v, gives a kick of w * v / 24 mrad/s
KICK_A_SWING = 20  # mrad/s that swing the ship by one 200th
DROP = 37447  # see `drop_reach`
FARTHEST_REACH = 2000


@compiled
def weight_of(kit: Kit, state: State, plank: int) -> int:
    """What a plank weighs with its pirates: w."""
    return int(kit.plank_weight + kit.pirate_weight * pirates_on(state, plank))


@compiled
def height_of(kit: Kit, state: State, plank: int) -> int:
    """How high above the deck its parts lie, each times its weight: H."""
    pirates = kit.pirate_weight * kit.pirate_height * pirates_on(state, plank)
    return int(kit.plank_weight * kit.plank_height + pirates)


@compiled
def load_plank(kit: Kit, state: State, loads: Integers, plank: int) -> None:
    """Writes weight, moment about the middle, and height of one plank: w, P and H."""
    places = 0
    for space in range(SPACES):
        if state.board[plank][space] != NONE:
            places += space - ROPE
    weight = weight_of(kit, state, plank)
    moment = weight * int(state.offsets[plank]) + kit.pirate_weight * places
    loads[3 * plank] = weight
    loads[3 * plank + 1] = kit.space * moment
    loads[3 * plank + 2] = height_of(kit, state, plank)


@compiled
def empty_plank(kit: Kit, loads: Integers, plank: int) -> None:
    """A plank that was put back: empty, in its starting position."""
    loads[3 * plank] = kit.plank_weight
    loads[3 * plank + 1] = 0
    loads[3 * plank + 2] = kit.plank_weight * kit.plank_height


@compiled
def roll_of(kit: Kit, loads: Integers, gone: int) -> tuple[int, int]:
    """The roll of the ship without the planks that are gone, as the two sides of its tangent."""
    a, b = 0, int(kit.keel)
    for plank in range(PLANKS):
        if (gone >> plank) & 1 == 0:
            a += loads[3 * plank + 1]
            b += kit.deck * loads[3 * plank] - loads[3 * plank + 2]
    if kit.stop[1] * abs(a) <= kit.stop[0] * b:
        return a, b
    return int(kit.stop[0]) if a > 0 else -int(kit.stop[0]), int(kit.stop[1])


@compiled
def tips(kit: Kit, loads: Integers) -> bool:
    """Whether any plank tips with these loads and no hand on it; `topple` says which."""
    a, b = roll_of(kit, loads, 0)
    for plank in range(PLANKS):
        pull = abs(loads[3 * plank + 1] * b + loads[3 * plank + 2] * a)
        if pull > kit.edge * loads[3 * plank] * b:
            return True
    return False


@compiled
def pull_of(
    kit: Kit, loads: Integers, plank: int, a: int, b: int, strain: Integers
) -> tuple[int, int]:
    """How far out a plank's centre of mass is, times w * unit; and that unit."""
    p, h = loads[3 * plank + 1], loads[3 * plank + 2]
    if strain[STRAINED] == NONE:
        return abs(p * b + h * a), b
    unit = SWING_UNIT * b
    steepest = unit // kit.stop[1] * kit.stop[0]
    most = 0
    for side in (1, -1):
        tilt = min(max(SWING_UNIT * a + side * strain[SWING] * b, -steepest), steepest)
        pull = side * (p * unit + h * tilt)
        if plank == strain[STRAINED] and side == strain[TOWARDS]:
            pull += strain[PULL] * unit
        most = max(most, pull)
    return most, unit


@compiled
def topple(kit: Kit, state: State, strain: Integers, falls: Integers, overs: Integers) -> int:
    """Lets planks leave until nothing tips any more; answers how many left (GP-11, GP-R5).

    `falls` are the planks in the order in which they leave, `overs` how far each was over the edge,
    in tenths of a millimetre, rounded up. Nothing in the state changes; the strain is used up.
    """
    loads = np.empty(3 * PLANKS, np.int64)
    for plank in range(PLANKS):
        load_plank(kit, state, loads, plank)
    strained = strain[STRAINED]
    if strained != NONE:
        loads[3 * strained + 1] += strain[TOWARDS] * strain[SHIFT] * loads[3 * strained]
    count = gone = fallen = 0
    while True:
        a, b = roll_of(kit, loads, gone)
        worst, whole, part = NONE, 0, 0
        for lane in range(PLANKS):
            plank = int(state.order[lane])
            if (gone >> plank) & 1:
                continue
            pull, unit = pull_of(kit, loads, plank, a, b, strain)
            weight = loads[3 * plank]
            edge = kit.edge * weight * unit
            if pull <= edge:
                continue
            # the furthest over, pull / weight; of equals the one nearest the bow
            far, rest = pull // weight, pull % weight
            if (
                worst == NONE
                or far > whole
                or (far == whole and rest * loads[3 * worst] > part * weight)
            ):
                worst, whole, part = plank, far, rest
                overs[count] = -((edge - pull) // (weight * unit))
        if worst != NONE:
            gone |= 1 << worst
            falls[count] = worst
            count += 1
        elif gone == 0 and strain[STRAINED] == NONE:
            return count
        else:  # GP-12: they go back together, and all is judged again, with no hand on it
            fallen |= gone
            gone = 0
            if strain[STRAINED] != NONE:
                load_plank(kit, state, loads, strained)
                strain[STRAINED] = NONE
            for plank in range(PLANKS):
                if (fallen >> plank) & 1:
                    empty_plank(kit, loads, plank)


@compiled
def lean_of(kit: Kit, state: State, strain: Integers, plank: int) -> tuple[int, int]:
    """How the ship lies as a plank leaves first: its roll, and the swing a hand gave it, towards
    that plank; as the two sides of its tangent."""
    loads = np.empty(3 * PLANKS, np.int64)
    for other in range(PLANKS):
        load_plank(kit, state, loads, other)
    strained = strain[STRAINED]
    if strained != NONE:
        loads[3 * strained + 1] += strain[TOWARDS] * strain[SHIFT] * loads[3 * strained]
    a, b = roll_of(kit, loads, 0)
    if strained == NONE or strain[SWING] == 0:
        return a, b
    side = 1 if loads[3 * plank + 1] > 0 else -1
    steepest = SWING_UNIT * b // kit.stop[1] * kit.stop[0]
    swung = SWING_UNIT * a + side * strain[SWING] * b
    return int(min(max(swung, -steepest), steepest)), SWING_UNIT * b


@compiled
def margins_of(kit: Kit, state: State, margins: Integers, roll: Integers) -> None:
    """Writes how far each plank is from tipping (0.1 mm, rounded down; below 0 it tips), lane by
    lane, and the roll."""
    loads = np.empty(3 * PLANKS, np.int64)
    strain = np.zeros(STRAIN_SIZE, np.int64)
    strain[STRAINED] = NONE
    for plank in range(PLANKS):
        load_plank(kit, state, loads, plank)
    a, b = roll_of(kit, loads, 0)
    roll[0], roll[1] = a, b
    for lane in range(PLANKS):
        plank = int(state.order[lane])
        pull, unit = pull_of(kit, loads, plank, a, b, strain)
        unit *= loads[3 * plank]
        margins[lane] = (kit.edge * unit - pull) // unit


# The hand -----------------------------------------------------------------------------------


@compiled
def is_careful(figures: Integers) -> bool:
    """Whether these are the figures of the ideal gesture."""
    for figure in figures:
        if figure != 0:
            return False
    return True


@compiled
def whole_root(square: int) -> int:
    """The square root of a whole number, rounded down."""
    root = int(math.sqrt(square))
    while root * root > square:
        root -= 1
    while (root + 1) * (root + 1) <= square:
        root += 1
    return root


@compiled
def drop_reach(kit: Kit, state: State, plank: int, beyond: int, side: int, speed: int) -> int:
    """How much nearer to the edge a plank may be for a drop to tip it, in micrometres.

    A pirate who lands `beyond` the edge with a speed gives the plank a turn about it, of energy
    (m v l)**2 / 2 I, which lifts the centre of mass by e. It tips if that is over the edge before
    it is used up: if the distance is less than sqrt(2 h e + e**2). `DROP` is what the units come
    to, with seven tenths of the speed that would just suffice.
    """
    offset = int(state.offsets[plank])
    arm = kit.space * offset - side * kit.edge
    inertia = kit.plank_weight * (kit.length * kit.length // 12 + arm * arm)
    for space in range(SPACES):
        if state.board[plank][space] != NONE:
            arm = kit.space * (offset + space - ROPE) - side * kit.edge
            inertia += kit.pirate_weight * (arm * arm + kit.pirate_height * kit.pirate_height)
    weight, height = weight_of(kit, state, plank), height_of(kit, state, plank)
    swing = speed * beyond
    lift = swing * swing // weight * DROP // inertia
    reach = whole_root(2 * (100 * height // weight) * lift + lift * lift)
    return min(reach, 100 * FARTHEST_REACH)


@compiled
def strain_slide(
    kit: Kit, state: State, plank: int, side: int, figures: Integers, strain: Integers
) -> None:
    """GP-19, oath 3: a plank slid too far is judged where it was held; one slid fast rocks."""
    haste = max(0, figures[SPEED] - CALM_SLIDE)
    kick = figures[KICK] + haste * weight_of(kit, state, plank) // KICK_OF_SLIDE
    strain[STRAINED] = plank
    strain[TOWARDS] = side
    strain[SHIFT] = figures[OVER]
    strain[PULL] = 0
    strain[SWING] = kick // KICK_A_SWING


@compiled
def strain_pirate(
    kit: Kit, state: State, plank: int, space: int, figures: Integers, strain: Integers
) -> None:
    """GP-19, oaths 1 and 2: a pirate pressed or dropped on a space, or one jerked off it.

    On the deck a plank bears anything; beyond the edge every weight pulls it over.
    """
    place = kit.space * (int(state.offsets[plank]) + space - ROPE)
    side = 1 if place > 0 else -1
    beyond = side * place - kit.edge
    pull = 0
    if beyond > 0:
        pull = kit.pirate_weight * figures[PRESS] * beyond // 100
        if state.board[plank][space] != NONE:  # set down, not lifted
            reach = drop_reach(kit, state, plank, beyond, side, figures[SPEED])
            pull = max(pull, weight_of(kit, state, plank) * reach // 100)
    strain[STRAINED] = plank
    strain[TOWARDS] = side
    strain[SHIFT] = 0
    strain[PULL] = pull
    strain[SWING] = figures[KICK] // KICK_A_SWING

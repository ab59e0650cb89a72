"""Riff Raff: the fitted world, a stand-in for the real one in mass simulation and in card strategy.

No body moves here. How likely the piece falls or goes astray, and how likely it brings other cargo
down, are logistic curves of the level, the shape, the load, what lies in the area already, and the
tilt. Their weights, and the few plain chances beside them, were fitted to loadings in the real
world by `bench/fit_riff_raff.py` and lie in `fitted.toml`. Never used at a table.
"""

from __future__ import annotations

import math

from quarterdeck.contract import Array, Float64, Grid, Int8, Rng, below, compiled

from .state import (
    AREAS,
    ASTRAY,
    BACK,
    CAUGHT,
    FALLEN,
    FELL,
    LEVELS,
    MOVED,
    SHAPES,
    Action,
    Kit,
    State,
)

_FINE = 1 << 30


@compiled
def middle(kit: Kit, place: int) -> float:
    """How far along the hull the middle of an area lies."""
    return (kit.areas[place][0] + kit.areas[place][2]) / 2


@compiled
def moment(kit: Kit, state: State) -> float:
    """How far the cargo pulls the ship out of balance along its hull."""
    pull = 0.0
    for area in range(AREAS):
        for shape in range(SHAPES):
            pull += state.aboard[area][shape] * kit.mass[shape] * middle(kit, area)
    return pull


@compiled
def tilt(kit: Kit, pull: float) -> float:
    """By how many times ten degrees such a moment tilts the empty ship."""
    return abs(pull) / math.radians(10_000 * kit.pivot_righting)


@compiled
def cargo(state: State) -> int:
    """How many pieces are aboard."""
    count = 0
    for area in range(AREAS):
        for shape in range(SHAPES):
            count += state.aboard[area][shape]
    return count


@compiled
def chance(
    kit: Kit,
    state: State,
    area: int,
    shape: int,
    load: int,
    pull: float,
    weights: Array[Float64],
) -> float:
    """How likely it is, by one of the curves, if this piece is loaded into this area now.

    `load` and `pull` are the `cargo` and its `moment`, which many questions share.
    """
    crowd = 0
    for kind in range(SHAPES):
        crowd += state.aboard[area - 1][kind]
    pull += kit.mass[shape] * middle(kit, area - 1)
    x = (
        weights[kit.level[area - 1]]
        + weights[LEVELS + shape]
        + weights[LEVELS + SHAPES] * load
        + weights[LEVELS + SHAPES + 1] * crowd
        + weights[LEVELS + SHAPES + 2] * tilt(kit, pull)
    )
    return 1 / (1 + math.exp(-x))


@compiled
def happens(rng: Rng, probability: float) -> bool:
    """Whether something so likely happens."""
    return below(rng, _FINE) < probability * _FINE


@compiled
def draw_outcome(kit: Kit, state: State, rng: Rng, action: Action) -> None:
    """Writes what comes of loading the piece in hand into the area of its card."""
    seat, shape = state.active, state.hand
    area = state.played[seat]
    action.args[0] = shape
    action.args[2] = 0
    count, pull = cargo(state), moment(kit, state)

    other = chance(kit, state, area, shape, count, pull, kit.other)
    own = chance(kit, state, area, shape, count, pull, kit.own)
    astray = chance(kit, state, area, shape, count, pull, kit.astray)
    is_other = count > 0 and happens(rng, other)
    if is_other and happens(rng, kit.back):
        action.args[1] = BACK
    elif happens(rng, own):
        action.args[1] = FELL
        action.args[2] = happens(rng, kit.caught)
    elif happens(rng, astray):
        action.args[1] = ASTRAY
    else:
        action.args[1] = area

    left = state.aboard.copy()
    while is_other:
        place = draw_loose(kit, rng, left)
        left[place // SHAPES][place % SHAPES] -= 1
        count -= 1
        action.args[(CAUGHT if happens(rng, kit.caught) else FALLEN) + place] += 1
        is_other = count > 0 and happens(rng, kit.more)
    if count > 0 and happens(rng, kit.moved):
        place = draw_loose(kit, rng, left)
        action.args[MOVED] = place % SHAPES
        action.args[MOVED + 1] = place // SHAPES + 1
        action.args[MOVED + 2] = 1 + (place // SHAPES + 1 + below(rng, AREAS - 1)) % AREAS


@compiled
def draw_loose(kit: Kit, rng: Rng, left: Grid[Int8]) -> int:
    """Any piece aboard, the more likely the looser things lie on its level: its area and shape."""
    total = 0.0
    for area in range(AREAS):
        for shape in range(SHAPES):
            total += left[area][shape] * kit.loose[kit.level[area]]
    at = below(rng, _FINE) / _FINE * total
    last = 0
    for area in range(AREAS):
        for shape in range(SHAPES):
            if left[area][shape] > 0:
                last = area * SHAPES + shape
                at -= left[area][shape] * kit.loose[kit.level[area]]
                if at < 0:
                    return last
    return last

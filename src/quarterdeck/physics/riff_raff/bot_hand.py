"""A bot's hand: it tries spots out in copies of the world, trembles, and catches now and then."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from quarterdeck.contract import BadOption, Rng, next_word
from quarterdeck.games.riff_raff.state import LOWEST_YARD

from ..world import CHUNK_SECONDS, Vector, World, rotate
from .paths import Path, Spot, spot_in
from .ship import Ship

_SETTLING_SECONDS = 2.0


@dataclass(frozen=True)
class Skill:
    """What a level can do: spots it looks at and how many of the best of them it tries out, how
    much its hand trembles, how it catches."""

    looks: int
    tries: int
    tremor: float  # metres
    reaction_ms: int
    catches: float  # the share of falling pieces it reaches for in time


SKILLS = {
    "random": Skill(1, 0, 0.0, 500, 0.2),
    "deckhand": Skill(4, 0, 0.0030, 700, 0.25),
    "bosun": Skill(120, 3, 0.0016, 520, 0.4),
    "quartermaster": Skill(320, 8, 0.0008, 400, 0.55),
    "legend": Skill(800, 20, 0.0003, 300, 0.7),
}


@dataclass
class Plan:
    """A spot to aim at, and the hand that does it."""

    spot: Spot
    skill: Skill
    random: np.random.Generator
    grasps: dict[int, int] = field(default_factory=dict)  # when each falling piece is reached for

    def next_grasp(self, now_ms: int) -> int:
        """When this hand reaches for a piece that begins to fall now; far off if never."""
        if self.random.random() >= self.skill.catches:
            return 1 << 40
        return now_ms + round(self.skill.reaction_ms * self.random.uniform(0.7, 1.4))


class Tremor:
    """A hand that is never quite where it wants to be: it wanders and comes back."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._off = np.zeros(3)

    def next(self) -> Vector:
        """How far the hand strays from its way in the next chunk."""
        keep = float(np.exp(-CHUNK_SECONDS / 0.15))
        noise = self._plan.random.normal(size=3) * self._plan.skill.tremor
        before = self._off
        self._off = before * keep + noise * np.sqrt(1 - keep**2)
        return self._off - before


def make_plan(
    ship: Ship,
    world: World,
    shapes: list[int],
    area: int,
    level: str,
    rng: Rng,
    seconds: float | None = None,
) -> Plan:
    """The best spot a bot of this level finds for the piece in the hand, within so many seconds."""
    if level not in SKILLS:
        raise BadOption(f"there is no bot {level!r}; there is {', '.join(SKILLS)}")
    skill = SKILLS[level]
    random = np.random.Generator(np.random.PCG64([next_word(rng) for _ in range(4)]))
    spots = _promising(ship, world, shapes, area, random, skill.looks)
    best, least = spots[0], np.inf
    until = np.inf if seconds is None else time.monotonic() + seconds
    for spot in spots[: skill.tries]:
        cost = _try(ship, world, shapes[-1], spot, until)
        if cost < least:
            best, least = spot, cost
    return Plan(best, skill, random)


def _promising(
    ship: Ship,
    world: World,
    shapes: list[int],
    area: int,
    random: np.random.Generator,
    looks: int,
) -> list[Spot]:
    """Spots, best first, by how good they look: room, balance, and the piece within its area."""
    shape = shapes[-1]
    clouds = [ship.clouds(world, n) for n in range(world.count - 1) if not world.gone[n]]
    crowd = np.concatenate(clouds) if clouds else np.zeros((0, 3))
    x0, y0, x1, y1, top, ceiling = ship.areas[area - 1]
    here = (crowd[:, 2] > top - 0.002) & (crowd[:, 2] < ceiling + 0.02)
    crowd = crowd[here]
    pull = sum(
        world.pieces[n].mass * float((centre @ world.rotation)[0])
        for n, centre in enumerate(world.centres()[:-1])
        if not world.gone[n]
    )
    found: list[tuple[float, int, Spot]] = []
    for _ in range(looks):
        side = 0 if random.random() < 0.75 else int(random.integers(len(ship.sides[shape])))
        yaw = float(random.choice([0.0, 90.0]) if random.random() < 0.7 else random.uniform(0, 180))
        along = float(random.uniform(0.03, 0.97))
        across = float(random.normal(0.5, 0.06 if area >= LOWEST_YARD else 0.2))
        spot = spot_in(ship, shape, area, along, min(0.9, max(0.1, across)), yaw, side)
        points = rotate(np.array(spot.turn), ship.points[shape]) + np.array([spot.x, spot.y, 0])
        low, high = points.min(axis=0), points.max(axis=0)
        out = max(0.0, x0 + 0.002 - low[0]) if area not in (1, 5, 7, 9) else 0.0
        out += max(0.0, high[0] - x1 + 0.002) if area not in (4, 6, 8, 10) else 0.0
        if area in (5, 7, 9):
            out += max(0.0, high[0] + 0.007)
        elif area >= LOWEST_YARD:
            out += max(0.0, 0.007 - low[0])
        centre_out = max(0.0, x0 + 0.012 - spot.x, spot.x - x1 + 0.012)
        within = (crowd[:, :2] > low[:2] - 0.003) & (crowd[:, :2] < high[:2] + 0.003)
        blocked = float(within.all(axis=1).sum())
        tilt = abs(pull + ship.pieces[shape].mass * spot.x)
        edge = max(0.0, high[1] - y1, y0 - low[1]) if area < LOWEST_YARD else 0.0
        cost = 200 * out + 100 * centre_out + 0.4 * min(blocked, 6) + 400 * tilt + 60 * edge
        cost += (0.6 if ship.pieces[shape].rolls else 0.15) * (side > 0) + 0.3 * random.random()
        found.append((cost, len(found), spot))
    found.sort()
    return [spot for _, _, spot in found]


def _try(ship: Ship, world: World, shape: int, spot: Spot, until: float) -> float:
    """What putting the piece there costs, tried out in a copy of the world; past the time given
    nothing is tried."""
    copy = world.copy()
    mine = copy.count - 1
    before = [ship.area_of(c @ copy.rotation) for c in copy.centres()]
    path = Path(ship, copy, shape, spot, hover=False)
    path.begin_at_side(copy)
    still = np.zeros(3)
    cost = 0.0
    seconds = 0.0
    while copy.holds and seconds < 2.0:
        path.follow(copy, still)
        if path.is_over:
            copy.let_go()
        copy.advance()
        seconds += CHUNK_SECONDS
    copy.let_go()
    for _ in range(round(_SETTLING_SECONDS / CHUNK_SECONDS)):
        copy.advance()
        low = copy.centres()[:, 2] < ship.water
        for number in np.flatnonzero(low & ~copy.gone):
            cost += 12 if number == mine else 10
            copy.remove(int(number))
        if copy.gone[mine] or copy.is_asleep:
            break
        if time.monotonic() > until:
            return np.inf
    if not copy.gone[mine]:
        centres = copy.centres() @ copy.rotation
        pose = ship.in_ship(copy, copy.pose(mine))
        if ship.area_of(centres[mine]) != spot.area or ship.intrudes(shape, pose, spot.area):
            cost += 8
        cost += sum(
            0.5
            for number in range(mine)
            if not copy.gone[number] and ship.area_of(centres[number]) != before[number]
        )
    return cost + 4 * float(np.abs(copy.stand).max())

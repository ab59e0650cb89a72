"""Riff Raff's ship (RR-C1) and pieces (RR-C2), from the game's kit: where the areas are, and what
lies in which."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from quarterdeck.contract import Array, Float64, Grid, compiled, record_of
from quarterdeck.games.riff_raff.state import AREAS, LOWEST_YARD, SHAPES, Kit

from ..model import Part, Piece, Setting, Stand, sample_points
from ..world import Vector, World, about, multiply, rotate

MM = 0.001

_OVERLAP = 0.002  # RR-12: how far cargo may reach over a border unpunished
_ABOVE = 0.2  # how high the space over the top yard counts


@dataclass(frozen=True, eq=False)
class Ship:
    """The kit as metres and kilograms."""

    kit: Kit
    setting: Setting
    pieces: tuple[Piece, ...]
    points: tuple[Vector, ...]  # of each shape, for all of its surface
    sides: tuple[tuple[Vector, ...], ...]  # the turns in which each shape can be put down
    areas: Vector  # x0, y0, x1, y1, bottom, top of the space over each area

    @cached_property
    def water(self) -> float:
        """What is lower has fallen."""
        return -float(self.kit.water_depth) * MM

    def area_of(self, centre: Vector) -> int:
        """RR-R8: the area of a point in the ship's frame; every point has one.

        RR-11: what hangs from a yard belongs to it, so a level begins below its surface.
        """
        x, _, z = centre
        first = 1
        for area in range(LOWEST_YARD, AREAS, 2):  # the yards from below
            if z >= self.areas[area - 1][4] - float(self.kit.areas_hang) * MM:
                first = area
        if first >= LOWEST_YARD:
            return first if x < 0 else first + 1
        borders = self.areas[:3, 2]
        return 1 + int(np.searchsorted(borders, x, side="right"))

    def over(self, centre: Vector) -> int:
        """The area a point is right over, 0 if it is beside the ship."""
        area = self.area_of(centre)
        x0, y0, x1, y1 = self.areas[area - 1][:4]
        x, y, _ = centre
        return area if x0 <= x <= x1 and y0 <= y <= y1 else 0

    def intrudes(self, shape: int, pose: Vector, area: int) -> bool:
        """RR-12: whether a piece at a pose in the ship's frame reaches into another area."""
        return bool(_reaches(self.points[shape], pose, self.areas, area))

    def clouds(self, world: World, number: int) -> Vector:
        """Points of a piece of the world, in the frame of the ship."""
        pose = self.in_ship(world, world.pose(number))
        return np.asarray(pose[:3] + rotate(pose[3:], self.points[self.shape_of(world, number)]))

    def shape_of(self, world: World, number: int) -> int:
        """The shape of a piece of the world."""
        return self.pieces.index(world.pieces[number])

    def in_ship(self, world: World, pose: Vector) -> Vector:
        """A pose of the world in the frame of the ship."""
        return np.concatenate(
            [pose[:3] @ world.rotation, multiply(_turned_back(ship_turn(world)), pose[3:])]
        )

    def in_world(self, world: World, pose: Vector) -> Vector:
        """A pose of the ship's frame in the world."""
        return np.concatenate([world.rotation @ pose[:3], multiply(ship_turn(world), pose[3:])])


def ship_turn(world: World) -> Vector:
    """How the ship is turned now."""
    pitch, roll = world.data.qpos[:2].tolist()
    c, s, d, t = math.cos(pitch / 2), math.sin(pitch / 2), math.cos(roll / 2), math.sin(roll / 2)
    return np.array([c * d, c * t, s * d, -s * t])


@compiled
def _reaches(points: Grid[Float64], pose: Array[Float64], areas: Grid[Float64], own: int) -> bool:
    """Whether any point of a piece at this pose is well within the space over another area."""
    turn = pose[3:]
    back = turn * np.array([1.0, -1.0, -1.0, -1.0])
    for n in range(len(points)):
        point = np.array([0.0, points[n, 0], points[n, 1], points[n, 2]])
        turned = multiply(multiply(turn, point), back)
        x, y, z = pose[0] + turned[1], pose[1] + turned[2], pose[2] + turned[3]
        for area in range(len(areas)):
            x0, y0, x1, y1, z0, z1 = areas[area]
            if (
                area != own - 1
                and x0 + _OVERLAP < x < x1 - _OVERLAP
                and y0 + _OVERLAP < y < y1 - _OVERLAP
                and z0 + _OVERLAP < z < z1 - _OVERLAP
            ):
                return True
    return False


def _turned_back(quat: Vector) -> Vector:
    return quat * [1, -1, -1, -1]


def ship_of(kit: Kit) -> Ship:
    """The ship a kit describes."""
    return _ship(kit.tobytes())


@cache
def _ship(data: bytes) -> Ship:
    kit = record_of(Kit, data)
    owned: list[list[Part]] = [[] for _ in range(SHAPES + 1)]
    for row in kit.parts[: kit.part_count].tolist():
        owner, kind, solid, *numbers = row
        a, b, radius = numbers[:3], numbers[3:6], numbers[6]
        owned[int(owner)].append(Part(int(kind), _metres(a), _metres(b), radius * MM, bool(solid)))
    stand = Stand(
        tuple(owned[0]),
        density=float(kit.wood_density) * 1000,
        weight=float(kit.counterweight_mass) * MM,
        weight_radius=float(kit.counterweight_radius) * MM,
        righting=float(kit.pivot_righting) * MM,
        damping=float(kit.pivot_damping),
        friction=float(kit.pivot_friction),
        stiffness=float(kit.pivot_stiffness),
        limit=float(np.radians(kit.pivot_limit)),
        height=float(kit.pivot_height) * MM,
    )
    friction = float(kit.wood_sliding), float(kit.wood_turning), float(kit.wood_rolling)
    pieces = tuple(
        Piece(tuple(owned[shape + 1]), float(kit.mass[shape]) * MM, bool(kit.rolls[shape]))
        for shape in range(SHAPES)
    )
    sides = tuple(
        tuple(
            multiply(about([1, 0, 0], np.radians(x)), about([0, 1, 0], np.radians(y)))
            for x, y in kit.sides[shape][: kit.side_count[shape]]
        )
        for shape in range(SHAPES)
    )
    surfaces: Vector = np.array(kit.areas) * MM
    tops = surfaces[:, 4]
    hang = float(kit.areas_hang) * MM
    next_tops = [float(tops[4])] * 4 + [float(tops[i + 2]) for i in range(4, 8)]
    ceilings = [*(top - hang for top in next_tops), *[float(tops[8]) + _ABOVE] * 2]
    areas = np.column_stack([surfaces, ceilings])
    points = tuple(sample_points(piece.parts) for piece in pieces)
    return Ship(kit, Setting(stand, friction), pieces, points, sides, areas)


def _metres(point: list[float]) -> tuple[float, float, float]:
    x, y, z = point
    return x * MM, y * MM, z * MM

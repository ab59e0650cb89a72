"""Ways of the hand: from beside the ship over a spot of an area, and down until the piece lies.

A spot is said in the frame of the ship and followed as the ship rocks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..world import CHUNK_SECONDS, Vector, World, about, multiply, rotate
from .ship import Ship

TRAVEL = 0.35  # metres a second
LOWER = 0.06
ENTRY = 0.11  # the hand comes from the side, so far from the middle of the ship
CLEAR = 0.008  # how high over what lies there it comes
_DEEP = 0.008  # it lowers until so far below the surface, if nothing stops it before
_LYING = 0.05  # seconds of touching after which it lets go


@dataclass(frozen=True)
class Spot:
    """Where to put a piece, in the ship's frame: the middle of its frame, and how it is turned."""

    area: int
    x: float
    y: float
    turn: tuple[float, float, float, float]


def spot_in(
    ship: Ship, shape: int, area: int, along: float, across: float, yaw: float, side: int
) -> Spot:
    """The spot at shares of an area's length and width, turned by `yaw` on one of its sides."""
    x0, y0, x1, y1 = ship.areas[area - 1][:4]
    turn = multiply(about([0, 0, 1], np.radians(yaw)), ship.sides[shape][side])
    w, x, y, z = (float(part) for part in turn)
    return Spot(area, float(x0 + along * (x1 - x0)), float(y0 + across * (y1 - y0)), (w, x, y, z))


class Path:
    """One way, followed chunk by chunk. `is_over` once the piece lies and can be let go.

    With `hover` it stops over the spot.
    """

    def __init__(self, ship: Ship, world: World, shape: int, spot: Spot, hover: bool) -> None:
        self.ship = ship
        self.hover = hover
        self.is_over = False
        self.is_lowering = False
        self._touched = 0.0
        turn = np.array(spot.turn)
        points = rotate(turn, ship.points[shape])
        low, high = float(points[:, 2].min()), float(points[:, 2].max())
        surface = self._surface(world, points, spot)
        z = surface + CLEAR - low
        ceiling = float(ship.areas[spot.area - 1][5]) + float(ship.kit.areas_hang) * 0.001 - 0.009
        if spot.area <= 8:  # under a yard
            z = min(z, ceiling - high)
        side = -ENTRY - float(points[:, 1].max())
        over = np.array([spot.x, spot.y, z, *spot.turn])
        beside = np.array([spot.x, min(side, spot.y), z, *spot.turn])
        self._ways = [beside, over]
        self._down = np.array([spot.x, spot.y, z - CLEAR - _DEEP, *spot.turn])

    def _surface(self, world: World, points: Vector, spot: Spot) -> float:
        """How high the area, or what lies in it, reaches under the piece."""
        surface = float(self.ship.areas[spot.area - 1][4])
        ceiling = float(self.ship.areas[spot.area - 1][5])
        reach = points[:, :2].max(axis=0) + 0.004, points[:, :2].min(axis=0) - 0.004
        middle = np.array([spot.x, spot.y])
        for number in range(world.count - 1):
            if world.gone[number]:
                continue
            cloud = self.ship.clouds(world, number)
            under = (cloud[:, :2] < middle + reach[0]) & (cloud[:, :2] > middle + reach[1])
            here = under.all(axis=1) & (cloud[:, 2] > surface) & (cloud[:, 2] < ceiling)
            if here.any():
                surface = max(surface, float(cloud[here, 2].max()))
        return surface

    def begin_at_side(self, world: World) -> None:
        """Puts the hand and its piece beside the ship at once, without the way there."""
        world.place_hand(self.ship.in_world(world, self._ways[0]))
        del self._ways[0]

    def lower(self) -> None:
        """Goes on from hovering."""
        self.hover = False

    def follow(self, world: World, tremble: Vector) -> None:
        """Sets the hand's target for the next chunk."""
        if self._ways:
            here = self.ship.in_ship(world, world.target)
            goal = self._ways[0]
            if self._step(world, here, goal, TRAVEL, tremble):
                piece = self.ship.in_ship(world, world.pose(world.count - 1))
                if np.linalg.norm(piece[:3] - goal[:3]) < 0.004:
                    del self._ways[0]
            return
        if self.hover or self.is_over:
            return
        self.is_lowering = True
        here = self.ship.in_ship(world, world.target)
        is_down = self._step(world, here, self._down, LOWER, tremble)
        self._touched = self._touched + CHUNK_SECONDS if world.touches else 0.0
        self.is_over = self._touched >= _LYING or is_down

    def _step(
        self, world: World, here: Vector, goal: Vector, speed: float, tremble: Vector
    ) -> bool:
        """Moves the target towards the goal, in the ship's frame; whether it is there."""
        way = goal[:3] - here[:3]
        length = float(np.linalg.norm(way))
        step = speed * CHUNK_SECONDS
        is_there = length <= step
        at = goal[:3] if is_there else here[:3] + way * (step / length)
        world.target[:] = self.ship.in_world(world, np.concatenate([at, goal[3:]]))
        world.target[:3] += tremble
        return is_there

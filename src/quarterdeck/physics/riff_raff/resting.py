"""Resting poses as they are attached to what nature does, both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from quarterdeck.contract import BadPosition
from quarterdeck.games.riff_raff.notation import SHAPE_NAMES
from quarterdeck.games.riff_raff.state import AREAS, COPIES, LOWEST_YARD, SHAPES, State

from ..world import CHUNK_SECONDS, World, rotate
from .ship import Ship

if TYPE_CHECKING:
    from .loading import Loading

_PLACES = 7  # decimals: a tenth of a micrometre
_APART = 0.003
_EDGE = 0.008  # free at both ends of an area
_LANES = (0.0, -0.031, 0.031)
_LAYER = 0.032


def write_poses(loading: Loading) -> dict[str, Any]:
    """How everything aboard lies now, rounded; the next world begins from exactly this."""
    world, ship = loading.world, loading.ship
    pieces = []
    centres = world.centres() @ world.rotation
    poses = world.poses()
    for number, id in sorted(enumerate(loading.ids), key=lambda pair: pair[1]):
        if world.gone[number]:
            continue
        pose = [round(float(part), _PLACES) for part in poses[number]]
        pieces.append(
            {
                "id": id,
                "piece": SHAPE_NAMES[loading.shapes[number]],
                "area": ship.area_of(centres[number]),
                "at": pose[:3],
                "turn": pose[3:],
            }
        )
    return {"ship": [round(float(part), _PLACES) for part in world.stand], "pieces": pieces}


def read_poses(ship: Ship, state: State, poses: Any) -> dict[str, Any] | None:
    """Attached resting poses, checked to be those of this state; None if there are none.

    Raises `BadPosition` for poses of another state.
    """
    if poses is None:
        return None
    found = np.zeros((AREAS, SHAPES), int)
    try:
        pieces = sorted(poses["pieces"], key=lambda piece: int(piece["id"]))
        for piece in pieces:
            found[piece["area"] - 1][piece["id"] // COPIES] += 1
            np.array([*piece["at"], *piece["turn"]], float).reshape(7)
        angles = [float(angle) for angle in poses["ship"]]
        ids = {int(piece["id"]) for piece in pieces}
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise BadPosition(f"these are no resting poses: {error!r}") from error
    if found.tolist() != state.aboard.tolist() or len(ids) != len(pieces) or len(angles) != 2:
        raise BadPosition("these are the resting poses of another position")
    return {"ship": angles, "pieces": pieces}


def arrange(ship: Ship, state: State) -> dict[str, Any]:
    """Poses for a position that comes without: every piece lies in its area, from the middle of
    the ship outwards, lane beside lane and then layer upon layer."""
    pieces: list[dict[str, Any]] = []
    used = [0] * SHAPES
    for area in range(1, AREAS + 1):
        x0, y0, x1, y1, top, _ = ship.areas[area - 1]
        lanes = _LANES if area < LOWEST_YARD else _LANES[:1]
        reach, lane = _EDGE, 0
        for shape in range(SHAPES):
            points = rotate(ship.sides[shape][0], ship.points[shape])
            low, high = points.min(axis=0), points.max(axis=0)
            for _ in range(int(state.aboard[area - 1][shape])):
                long = high[0] - low[0]
                if reach + long > x1 - x0 - _EDGE:
                    reach, lane = _EDGE, lane + 1
                layer, beside = divmod(lane, len(lanes))
                x = x1 - reach - long if x0 + x1 < 0 else x0 + reach
                y = (y0 + y1) / 2 + lanes[beside]
                at = [x - low[0], y, top + _LAYER * layer - low[2] + 0.0002]
                pieces.append(
                    {
                        "id": shape * COPIES + used[shape],
                        "piece": SHAPE_NAMES[shape],
                        "area": area,
                        "at": [round(float(part), _PLACES) for part in at],
                        "turn": [float(part) for part in ship.sides[shape][0]],
                    }
                )
                used[shape] += 1
                reach += long + _APART
    pieces.sort(key=lambda piece: int(piece["id"]))
    return _settled(ship, pieces)


def _settled(ship: Ship, pieces: list[dict[str, Any]]) -> dict[str, Any]:
    """The poses of these pieces once the ship has come to rest under them.

    If one leaves its area, all stay as they were put, on an upright ship.
    """
    upright = {"ship": [0.0, 0.0], "pieces": pieces}
    if not pieces:
        return upright
    world = World(
        ship.setting,
        [ship.pieces[piece["id"] // COPIES] for piece in pieces],
        [0, 0],
        [[*piece["at"], *piece["turn"]] for piece in pieces],
        holds=False,
    )
    for _ in range(round(4 / CHUNK_SECONDS)):
        world.advance()
        if world.is_asleep:
            break
    centres, poses = world.centres() @ world.rotation, world.poses()
    settled = []
    for number, piece in enumerate(pieces):
        if ship.area_of(centres[number]) != piece["area"] or world.centres()[number][2] < 0:
            return upright
        pose = [round(float(part), _PLACES) for part in poses[number]]
        settled.append(piece | {"at": pose[:3], "turn": pose[3:]})
    return {"ship": [round(float(part), _PLACES) for part in world.stand], "pieces": settled}

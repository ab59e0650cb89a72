"""Small tools for the tests of the physics: ships laden by hand, and forces read off."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from quarterdeck.contract import Rng, record, seed_rng
from quarterdeck.games import find_game
from quarterdeck.games.riff_raff.state import Kit, State
from quarterdeck.physics.riff_raff.loading import Loading, open_world
from quarterdeck.physics.riff_raff.resting import arrange
from quarterdeck.physics.riff_raff.ship import ship_of
from quarterdeck.physics.world import World

GAME = find_game("riff-raff")
KIT: Kit = GAME.kit
SHIP = ship_of(KIT)
SHAPES = ("boat", "barrel", "flacon", "crate", "sailor", "plank", "rat", "chest")

Cargo = dict[str, list[str]]
"""The pieces aboard by their areas."""

DOZEN = {
    "1": ["crate"], "2": ["boat", "chest"], "3": ["barrel", "chest"], "4": ["crate"],
    "5": ["plank"], "6": ["plank"], "7": ["flacon"], "8": ["flacon"], "9": ["rat"], "10": ["rat"],
}  # fmt: skip
"""A balanced load of twelve."""

TWO_DOZEN = {
    "1": ["crate", "chest", "flacon"], "2": ["boat", "chest", "barrel"],
    "3": ["boat", "chest", "barrel"], "4": ["crate", "chest", "flacon"],
    "5": ["plank", "crate"], "6": ["plank", "crate"], "7": ["flacon", "rat"],
    "8": ["flacon", "rat"], "9": ["sailor", "plank"], "10": ["sailor", "plank"],
}  # fmt: skip


def state_of(piece: str, area: int, aboard: Cargo | None = None, **more: Any) -> State:
    """Seat 0 of two has taken a piece for an area."""
    other = 1 if area > 1 else 2
    played = [area, other]
    position = {"played": played, "hand": piece, "aboard": aboard or {}, **more}
    if area < other:
        position |= {"order": [1, 0], "active": 0}
    if area >= 5 and (aboard or {}).get(str(area)):
        position.setdefault("announced", 1)
    options = {"players": 2, "world": "real"}
    state: State = GAME.positions.from_position(KIT, options, position)
    return state


def loading(piece: str, area: int, aboard: Cargo | None = None, **more: Any) -> Loading:
    """The world of that loading, laden without having been played."""
    return open_world(KIT, state_of(piece, area, aboard, **more), {})


def laden(aboard: Cargo) -> World:
    """A ship with that cargo at rest, and nobody's hand."""
    poses = arrange(SHIP, state_of("rat", 1, aboard, supply=[["boat"], ["boat"]]))
    pieces = [SHIP.pieces[piece["id"] // 4] for piece in poses["pieces"]]
    at = [[*piece["at"], *piece["turn"]] for piece in poses["pieces"]]
    return World(SHIP.setting, pieces, poses["ship"], at, holds=False)


def run(world: Loading, most_ms: int = 60_000) -> tuple[str, dict[str, Any]]:
    """Lets it run to its end."""
    while world.time_ms < most_ms:
        answer = world.advance(world.idle_ms or 33)
        if answer is not None:
            return answer
    raise AssertionError("it does not come to an end")


def rng(seed: int) -> Rng:
    """A generator."""
    row = record(Rng)
    seed_rng(row, seed, 0, 0, 0)
    return row


def press(world: World) -> float:
    """How hard the piece in the hand presses against everything, in newtons."""
    data, total = world.data, np.zeros(3)
    force = np.zeros(6)
    mine = world.count + 2  # the number of its body
    for index in range(data.ncon):
        contact = data.contact[index]
        bodies = [world.model.geom_bodyid[geom] for geom in contact.geom]
        if mine in bodies:
            mujoco.mj_contactForce(world.model, data, index, force)
            sign = 1 if bodies[0] == mine else -1
            total += sign * contact.frame.reshape(3, 3).T @ force[:3]
    return float(np.linalg.norm(total))

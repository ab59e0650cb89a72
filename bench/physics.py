"""Speed of Riff Raff's world: `python bench/physics.py`. Results are kept in `bench/RESULTS.md`.

The real-time factor is how many seconds of the world one core simulates in a second of its own
time, with so many pieces aboard and the ship kept rocking; and how long bots think of a placement.
"""

from __future__ import annotations

import time

import numpy as np

from quarterdeck.bots.live import run_world
from quarterdeck.contract import Rng, record, seed_rng
from quarterdeck.games import find_game
from quarterdeck.games.riff_raff.notation import SHAPE_NAMES
from quarterdeck.games.riff_raff.state import LOADING, State
from quarterdeck.physics.riff_raff.bot_hand import SKILLS
from quarterdeck.physics.riff_raff.loading import Loading, open_world
from quarterdeck.physics.riff_raff.resting import arrange
from quarterdeck.physics.riff_raff.ship import ship_of
from quarterdeck.physics.world import CHUNK_SECONDS, World
from quarterdeck.server.world_runner import THINKING_SECONDS
from results import keep_section, table

GAME = find_game("riff-raff")
SECONDS = 4.0
LOADS = (0, 8, 16, 24, 32)
DECK = (2, 3, 1, 4)
LOAD = [
    ("crate", DECK), ("plank", (5, 6)), ("rat", (5, 6)),
    ("chest", DECK), ("flacon", (9, 10)), ("sailor", (7, 8)),
    ("barrel", DECK), ("plank", (7, 8)), ("rat", (7, 8)),
    ("boat", DECK), ("flacon", (5, 6)), ("sailor", (5, 6)),
]  # fmt: skip


def laden(count: int) -> State:
    """A state with so many pieces aboard, so that the ship is in balance."""
    state = record(State)
    GAME.rules.new(GAME.kit, np.array([2, 0]), state)
    places = [(SHAPE_NAMES.index(name), area) for name, areas in LOAD for area in areas]
    for shape, area in places[:count]:
        state.aboard[area - 1][shape] += 1
    return state


def loading(count: int) -> Loading:
    """A boat about to be loaded onto a yard of such a ship."""
    state = laden(count)
    state.phase, state.active, state.hand = LOADING, 0, SHAPE_NAMES.index("boat")
    state.played[:2] = 10, 2
    return open_world(GAME.kit, state, {})


def real_time_factor(count: int) -> float:
    """Seconds of the world a second of the core, the ship pushed twice a second."""
    ship = ship_of(GAME.kit)
    resting = arrange(ship, laden(count))
    pieces = [ship.pieces[piece["id"] // 4] for piece in resting["pieces"]]
    poses = [[*piece["at"], *piece["turn"]] for piece in resting["pieces"]]
    world = World(ship.setting, pieces, resting["ship"], poses, holds=False)
    started = time.process_time()
    for step in range(round(SECONDS / CHUNK_SECONDS)):
        if step % round(0.5 / CHUNK_SECONDS) == 0:
            world.data.qvel[:2] += np.array([0.12, -0.08]) * (-1) ** (step // 62)
        world.advance()
    aboard = int((world.centres()[:, 2] > 0).sum())
    assert aboard > 0.85 * count - 1, f"only {aboard} of {count} pieces stayed aboard"
    return SECONDS / (time.process_time() - started)


def thinking(level: str, count: int) -> tuple[float, float]:
    """Seconds a plan takes at a table, and then the loading in the core's time."""
    rng = record(Rng)
    seed_rng(rng, 1, 0, 0, 0)
    world = loading(count)
    started = time.perf_counter()
    plan = world.think(level, rng, THINKING_SECONDS)
    thought = time.perf_counter() - started
    started = time.process_time()
    world.obey(plan)
    run_world(world)
    return thought, time.process_time() - started


def main() -> None:
    rows = [[str(count), f"{real_time_factor(count):.1f}"] for count in LOADS]
    body = "Real-time factor on one core, the ship kept rocking.\n\n"
    body += table(["pieces aboard", "factor"], rows)
    rows = []
    for level in SKILLS:
        thoughts = [thinking(level, count) for count in (8, 24)]
        rows.append([level, *(f"{thought:.2f} s" for thought, _ in thoughts)])
    body += (
        f"\n\nHow long a bot thinks of a placement; at tables {THINKING_SECONDS:g} s at most.\n\n"
    )
    body += table(["level", "8 aboard", "24 aboard"], rows)
    keep_section("RESULTS.md", "Riff Raff's world", body)
    print(body)


if __name__ == "__main__":
    main()

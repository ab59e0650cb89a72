"""What holds of every world of ours: things rest, nothing is pressed hard, nothing tunnels."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from quarterdeck.physics.world import CHUNK_SECONDS, World, about, multiply, rotate, turn_towards

from .helpers import DOZEN, SHAPES, SHIP, TWO_DOZEN, laden, loading, press


def chunks(seconds: float) -> int:
    return round(seconds / CHUNK_SECONDS)


def hardest(presses: list[float]) -> float:
    """The most a hand has pressed for 40 ms; shorter is a knock, and that is never hard."""
    assert max(presses) < 10.0
    return float(np.convolve(presses, np.ones(5) / 5, "valid").max())


@pytest.mark.rule("RR-C1")
def test_the_empty_ship_stays_upright() -> None:
    world = World(SHIP.setting, [], [0, 0], [], holds=False)
    world.advance(chunks(10))
    assert np.abs(world.stand).max() < 1e-9


@pytest.mark.rule("RR-C1")
@pytest.mark.parametrize("angles", [(0.2, 0.0), (0.0, -0.2), (0.15, 0.15)])
def test_the_ship_rocks_and_rights_itself(angles: tuple[float, float]) -> None:
    world = World(SHIP.setting, [], angles, [], holds=False)
    swings = 0
    before = world.stand
    for _ in range(chunks(6)):
        world.advance()
        swings += bool((world.stand * before < 0).any())
        before = world.stand
    assert swings >= 2
    assert np.degrees(np.abs(world.stand)).max() < 1.0
    assert world.is_asleep


@pytest.mark.parametrize(("shape", "least", "most"), [("crate", 3.5, 6.0), ("plank", 0.8, 3.0)])
def test_a_piece_at_the_tip_of_the_upper_yard_tilts_the_ship(
    shape: str, least: float, most: float
) -> None:
    kind = SHAPES.index(shape)
    low = rotate(SHIP.sides[kind][0], SHIP.points[kind])[:, 2].min()
    pose = [-0.135, 0, 0.219 - low + 0.0002, *SHIP.sides[kind][0]]
    world = World(SHIP.setting, [SHIP.pieces[kind]], [0, 0], [pose], holds=False)
    world.advance(chunks(5))
    assert least < -np.degrees(world.stand[0]) < most
    assert world.centres()[0][2] > 0.2


def test_24_pieces_rest_for_a_minute() -> None:
    world = laden(TWO_DOZEN)
    assert world.count == 24
    world.advance(chunks(3))
    assert world.is_asleep
    before = world.poses()
    world.advance(chunks(60))
    drift = np.linalg.norm(world.poses()[:, :3] - before[:, :3], axis=1)
    assert drift.max() < 0.0005
    assert (world.centres()[:, 2] > 0).all()


def test_24_pieces_would_hardly_creep_if_their_rest_were_left_to_the_simulation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("quarterdeck.physics.world.REST_SECONDS", np.inf)
    world = laden(TWO_DOZEN)
    world.advance(chunks(2))
    before = world.poses()
    world.advance(chunks(4))
    drift = np.linalg.norm(world.poses()[:, :3] - before[:, :3], axis=1)
    assert not world.is_asleep
    assert drift.max() < 0.0005


def test_a_sleeping_world_costs_nothing() -> None:
    import time

    world = laden(DOZEN)
    world.advance(chunks(6))
    assert world.is_asleep
    started = time.process_time()
    world.advance(chunks(4))
    assert time.process_time() - started < 0.4  # a tenth of real time, and mostly Python's


@pytest.mark.parametrize("seed", range(2))
def test_a_wild_hand_neither_presses_hard_nor_makes_things_fly(seed: int) -> None:
    play = loading("crate", 6, DOZEN)
    world = play.world
    random = np.random.default_rng(seed)
    fastest, presses = 0.0, []
    touched = False
    for _ in range(chunks(4)):
        if random.random() < 0.05:  # a new place several times a second, through everything
            at = random.uniform([-0.2, -0.1, 0.0], [0.2, 0.1, 0.26])
            turn = random.normal(size=4)
            world.target[:] = [*at, *turn / np.linalg.norm(turn)]
        world.advance()
        touched = touched or world.touches
        presses.append(press(world))
        fastest = max(fastest, float(world.speeds().max()))
    assert touched
    assert hardest(presses) < 5.0
    assert fastest < 3.0


def test_pressing_down_on_a_yard_is_gentle() -> None:
    play = loading("crate", 6)
    world = play.world
    world.target[:3] = [0.1, -0.1, 0.25]
    world.advance(chunks(1))
    world.target[:3] = [0.1, 0.0, 0.25]
    world.advance(chunks(0.5))
    world.target[:3] = [0.1, 0.0, -0.2]
    presses = []
    for _ in range(chunks(1.5)):
        world.advance()
        presses.append(press(world))
    assert 0.5 < hardest(presses) < 5.0
    assert 0.5 < presses[-1] < 5.0


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("way", [(0, 0, -2.0), (0, 2.0, 0), (1.4, 0, -1.4)])
def test_nothing_tunnels_through_a_yard_at_two_metres_a_second(
    shape: str, way: tuple[float, float, float]
) -> None:
    kind = SHAPES.index(shape)
    start = np.array([0.08, 0, 0.153]) - np.array(way) * 0.03
    world = World(SHIP.setting, [SHIP.pieces[kind]], [0, 0], [[*start, 1, 0, 0, 0]], holds=False)
    world.data.qvel[2:5] = way
    before = (world.rotation.T @ world.centres()[0])[:]
    side = np.sign(before - [0, 0, 0.153])
    for _ in range(chunks(0.12)):
        world.advance()
        centre = world.centres()[0] @ world.rotation
        inside = np.abs(centre - [0, 0, 0.153]) < [0.165, 0.015, 0.004]
        assert not inside.all(), "its middle is within the yard"
        if abs(centre[1]) < 0.012 and abs(centre[0]) < 0.16 and way[2]:
            assert np.sign(centre[2] - 0.153) == side[2], "it came out below"


def path_digest() -> str:
    """A hash of everything after a fixed way of the hand on a laden ship."""
    play = loading("barrel", 6, DOZEN)
    frames = []
    for step in range(90):
        at = [0.16 - 0.0012 * step, -0.12 + 0.0016 * step, 0.14 - 0.0005 * step]
        play.gesture({"hand": {"at": at, "turn": [1, 0, 0, 0.002 * step]}}, 0)
        play.advance(33)
        frames.append(play.frame())
    play.let_go()
    for _ in range(40):
        play.advance(33)
        frames.append(play.frame())
    state = play.world.data.qpos.tobytes() + play.world.data.qvel.tobytes()
    return hashlib.sha256(b"".join(frames) + state).hexdigest()


def test_the_same_path_gives_the_same_outcome_in_another_process() -> None:
    code = "from tests.physics.test_world import path_digest; print(path_digest())"
    answers = set()
    for seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        answers.add(done.stdout.strip())
    assert answers == {path_digest()}


def test_a_copy_goes_on_alike() -> None:
    play = loading("barrel", 6, DOZEN)
    play.world.target[:3] = [0.12, 0, 0.1]
    play.world.advance(chunks(0.8))
    assert play.world.is_live
    other = play.world.copy()
    for world in (play.world, other):
        world.advance(chunks(0.5))
    assert play.world.data.qpos.tobytes() == other.data.qpos.tobytes()


def test_turns() -> None:
    quarter = about([0, 0, 1], np.pi / 2)
    assert rotate(quarter, np.array([1.0, 0, 0])) == pytest.approx([0, 1, 0])
    assert multiply(quarter, quarter) == pytest.approx(about([0, 0, 1], np.pi))
    part = turn_towards(np.array([1.0, 0, 0, 0]), quarter, 0.1)
    assert part == pytest.approx(about([0, 0, 1], 0.1))
    assert (turn_towards(part, quarter, 9) == quarter).all()

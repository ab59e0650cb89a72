"""The loading of a piece in the real world: by hand, by steady placing, by bots."""

from __future__ import annotations

import struct
import time
from typing import Any

import numpy as np
import pytest

from quarterdeck.contract import NATURE, BadGesture, BadOption, BadPosition
from quarterdeck.physics.frames import GONE, pack_motion, pack_poses, unpack_motion, unpack_pose
from quarterdeck.physics.riff_raff.bot_hand import SKILLS
from quarterdeck.physics.riff_raff.loading import (
    FALLING,
    INTRUDING,
    LET_GO,
    TOUCHING,
    WHOLE,
    Loading,
    open_world,
)
from quarterdeck.physics.world import about

from .helpers import DOZEN, GAME, KIT, SHAPES, SHIP, TWO_DOZEN, Cargo, loading, rng, run, state_of

HEAD = struct.Struct("<BBBBhhI")


def steady(
    piece: str, area: int, aboard: Cargo | None = None, **spot: float
) -> tuple[str, dict[str, Any], Loading]:
    """A piece put down by steady placing: what came of it, and the world."""
    world = loading(piece, area, aboard)
    world.gesture({"steady": {"along": 0.5, "across": 0.5} | spot}, 0)
    for _ in range(90):
        world.advance(33)
    world.gesture({"lower": True}, 0)
    return *run(world), world


def carry(world: Loading, *at: float, turn: list[float] | None = None, ms: int = 1500) -> None:
    """The hand goes somewhere and has time to get there."""
    hand = {"at": [float(x) for x in at], "turn": turn}
    world.gesture({"hand": hand}, 0)
    for _ in range(ms // 33):
        world.advance(33)


def check_allowed(piece: str, area: int, aboard: Cargo, text: str) -> None:
    state = state_of(piece, area, aboard)
    assert GAME.rules.refuse(KIT, state, NATURE, GAME.notation.parse(KIT, text)) == 0


# Where things lie ----------------------------------------------------------------------------


@pytest.mark.rule("RR-C1", "RR-R8")
@pytest.mark.parametrize("area", range(1, 11))
def test_every_area_is_where_the_kit_says(area: int) -> None:
    x0, y0, x1, y1, top, _ = SHIP.areas[area - 1]
    for x in np.linspace(x0 + 0.002, x1 - 0.002, 5):
        centre = np.array([x, (y0 + y1) / 2, top + 0.012])
        assert SHIP.area_of(centre) == area
        assert SHIP.over(centre) == area
    for beside in (y0 - 0.1, y0 - 0.001, y1 + 0.001):
        assert SHIP.over(np.array([(x0 + x1) / 2, beside, top])) == 0


@pytest.mark.rule("RR-R8")
def test_a_hanging_piece_belongs_to_its_yard() -> None:
    assert SHIP.area_of(np.array([-0.1, 0.02, 0.157 - 0.015])) == 7
    assert SHIP.area_of(np.array([0.1, 0.02, 0.157 - 0.03])) == 6


@pytest.mark.rule("RR-12")
def test_cargo_may_stick_out_beyond_the_ship_but_not_into_another_area() -> None:
    plank = SHAPES.index("plank")

    def intrudes(x: float, y: float, top: float, area: int) -> bool:
        return SHIP.intrudes(plank, np.array([x, y, top + 0.003, 1, 0, 0, 0]), area)

    assert not intrudes(-0.16, 0, 0.095, 5)
    assert intrudes(-0.02, 0.012, 0.095, 5)
    assert intrudes(-0.02, 0.03, 0.018, 2)
    assert not intrudes(-0.04, 0.03, 0.018, 2)


@pytest.mark.rule("RR-12")
def test_cargo_may_reach_two_millimetres_over_a_border_and_no_further() -> None:
    plank, half = SHAPES.index("plank"), 0.035
    for area, x, way in ((2, -0.085, -1), (2, 0.0, 1), (5, 0.0, 1), (8, 0.0, -1)):
        top = SHIP.areas[area - 1][4]
        for over, intrudes in ((0.0019, False), (0.0021, True)):
            # held over the surface, for the bow is higher than the deck beside it
            pose = np.array([x + way * (over - half), 0, top + 0.02, 1, 0, 0, 0])
            assert SHIP.intrudes(plank, pose, area) == intrudes, (area, over)


# Loading -------------------------------------------------------------------------------------


@pytest.mark.rule("RR-8", "RR-11")
@pytest.mark.parametrize(("piece", "area"), [("crate", 2), ("chest", 5), ("flacon", 10)])
def test_a_piece_put_down_steadily_lies_in_its_area(piece: str, area: int) -> None:
    text, attached, world = steady(piece, area)
    assert text == f"settle {piece}={area}"
    (lying,) = attached["poses"]["pieces"]
    assert (lying["piece"], lying["area"]) == (piece, area)
    assert not world.world.holds
    check_allowed(piece, area, {}, text)


@pytest.mark.rule("RR-11", "RR-12")
def test_a_sailor_hangs_by_his_arm_outside_the_rail() -> None:
    world = loading("sailor", 2)
    turn = about([0, 0, 1], np.pi / 2).tolist()  # the arm reaches inboard
    for y, z in ((-0.14, 0.08), (-0.0625, 0.06), (-0.0625, 0.026)):
        carry(world, -0.04, y, z, turn=turn)
    world.gesture({"let_go": True}, 0)
    text, _ = run(world)
    assert text == "settle sailor=2"
    centre = world.world.centre(0) @ world.world.rotation
    assert centre[1] < SHIP.areas[1][1] - 0.005, "there is nothing but water under him"
    assert centre[2] < SHIP.areas[1][4] + 0.005, "he hangs beside the deck and does not stand on it"


@pytest.mark.rule("RR-13")
def test_cargo_is_pushed_with_the_piece_being_loaded() -> None:
    world = loading("plank", 5, {"5": ["crate"]})
    crate = world.world.pose(0)[:3]
    beside = crate[0] + 0.014 + 0.035 + 0.01
    carry(world, beside, -0.12, crate[2])
    carry(world, beside, 0.0, crate[2])
    carry(world, crate[0] + 0.035, 0.0, crate[2], ms=700)
    assert np.linalg.norm(world.world.pose(0)[:3] - crate) > 0.003
    assert world.world.holds


@pytest.mark.rule("RR-14", "RR-16", "RR-R1")
def test_what_is_let_go_beside_the_ship_falls() -> None:
    world = loading("rat", 9)
    carry(world, 0.0, -0.16, 0.2)
    world.gesture({"let_go": True}, 0)
    text, attached = run(world)
    assert text == "settle rat=fell"
    assert attached["poses"]["pieces"] == []
    check_allowed("rat", 9, {}, text)


@pytest.mark.rule("RR-R2", "RR-R9")
def test_a_piece_in_another_area_is_lifted_off() -> None:
    world = loading("crate", 2, DOZEN)
    carry(world, -0.125, -0.13, 0.09)
    carry(world, -0.125, -0.03, 0.09)
    carry(world, -0.125, -0.03, 0.05, ms=700)
    world.gesture({"let_go": True}, 0)
    text, attached = run(world)
    assert text.startswith("settle crate=astray")
    assert len(attached["poses"]["pieces"]) == 12
    check_allowed("crate", 2, DOZEN, text)


@pytest.mark.rule("RR-R6")
def test_there_is_no_gripping_again() -> None:
    world = loading("crate", 2)
    world.gesture({"let_go": True}, 0)
    for do in ({"hand": {"at": [0, 0, 0.1]}}, {"let_go": True}, {"swap": "rat"}):
        with pytest.raises(BadGesture):
            world.gesture(do, 0)


@pytest.mark.rule("RR-R6")
def test_the_piece_in_the_hand_goes_back_when_other_cargo_falls() -> None:
    world = loading("crate", 9, {"10": ["rat"]})
    # the rat is thrown overboard while the crate hangs in the hand
    world.world._go_live(np.zeros(3))
    world.world.data.qpos[2:5] = [0.2, 0.1, 0.1]
    text, _ = run(world)
    assert text == "settle crate=back fell rat@10"
    check_allowed("crate", 9, {"10": ["rat"]}, text)


@pytest.mark.rule("RR-R5")
def test_who_is_out_of_time_lets_go() -> None:
    world = loading("crate", 2)
    assert world.idle_ms == world.limit_ms
    world.run_out()
    assert run(world)[0] == "settle crate=fell"


@pytest.mark.rule("RR-R5")
def test_a_hand_nobody_moves_opens_at_last() -> None:
    world = loading("crate", 2)
    assert world.advance(world.limit_ms - 1) is None
    assert world.world.holds
    assert run(world, 400_000)[0] == "settle crate=fell"
    assert world.time_ms < world.limit_ms + 5000


@pytest.mark.rule("RR-R7")
def test_the_piece_may_be_exchanged_until_it_touches_anything() -> None:
    world = loading("crate", 2, supply=[["rat", "boat"], ["boat"]])
    assert world.hello()["swap"] == ["boat", "rat"]
    for name in ("chest", "cat", ""):
        with pytest.raises(BadGesture):
            world.gesture({"swap": name}, 0)
    carry(world, 0.03, -0.15, 0.12)
    world.gesture({"swap": "rat"}, 0)
    assert world.epoch == 1
    assert world.hello()["piece"] == "rat"
    assert world.hello()["swap"] == ["boat", "crate"]
    assert world.world.pose(world.mine)[0] == pytest.approx(0.03, abs=1e-3)
    carry(world, 0.03, -0.1, 0.05)
    carry(world, -0.04, -0.02, 0.0)
    assert world.has_touched
    assert world.hello()["swap"] == []
    with pytest.raises(BadGesture):
        world.gesture({"swap": "boat"}, 0)


# Catching ------------------------------------------------------------------------------------


def falling_rat() -> Loading:
    """A rat that falls while the hand has just let go of it over the water."""
    world = loading("rat", 9)
    carry(world, 0.0, -0.16, 0.2)
    world.gesture({"let_go": True}, 0)
    while not world.falling.any():
        world.advance(10)
    return world


@pytest.mark.rule("RR-14", "RR-15")
def test_a_tap_on_a_falling_piece_catches_it() -> None:
    world = falling_rat()
    assert HEAD.unpack_from(world.frame())[0] & FALLING
    assert HEAD.unpack_from(world.frame(whole=True))[3] == 10, "time runs slowly"
    eye, rat = [0.0, -1.0, 0.3], world.world.centres()[0].tolist()
    far = [rat[0] + 0.1, rat[1], rat[2]]
    world.gesture({"catch": {"eye": eye, "through": far}}, world.time_ms)
    assert not world.caught
    world.gesture({"catch": {"eye": eye, "through": rat}}, world.time_ms)
    assert world.caught == {0}
    assert run(world)[0] == "settle rat=fell caught rat"


@pytest.mark.rule("RR-14")
def test_what_is_in_the_water_is_lost_unless_the_tap_was_on_its_way() -> None:
    for lag_ms, is_caught in ((0, False), (150, True)):
        world = falling_rat()
        while not world.fell_at:
            world.advance(10)
        world.advance(100)
        world.gesture({"catch": {"id": world.ids[0]}}, world.time_ms - lag_ms)
        assert (world.caught == {0}) == is_caught, lag_ms


@pytest.mark.rule("RR-14")
def test_what_is_held_up_on_its_way_down_falls_no_more() -> None:
    world = loading("rat", 2, DOZEN)
    world.gesture({"steady": {"along": 0.5, "across": 0.5}}, 0)
    for _ in range(90):
        world.advance(33)
    world.gesture({"lower": True}, 0)
    while world.world.holds:
        world.advance(33)
    world.falling[0] = True  # it was falling, and hangs on to something now
    assert run(world)[0].startswith("settle rat=2")


def test_nobody_grasps_faster_than_a_hand() -> None:
    world = falling_rat()
    for _ in range(8):
        world.gesture({"catch": {"id": 31}}, world.time_ms)
    with pytest.raises(BadGesture):
        world.gesture({"catch": {"id": 31}}, world.time_ms)


def test_slow_motion_is_smooth() -> None:
    world = falling_rat()
    world.frame()
    heights = []
    for _ in range(12):
        world.advance(33)
        frame = world.frame()
        heights.append(unpack_pose(np.frombuffer(frame[HEAD.size :], np.int16))[2])
    falls = -np.diff(heights)
    assert (falls > 0).all(), "every frame shows it lower"
    assert falls.max() < 3 * falls.min() + 0.0002


def test_falling_lasts_long_enough_to_react() -> None:
    world = falling_rat()
    started = world.time_ms
    while not world.fell_at:
        world.advance(10)
    assert 1000 < world.time_ms - started < 3000


# Gestures, frames, poses ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "do",
    [
        {}, {"fly": True}, {"hand": {}}, {"hand": {"at": [1, 2]}}, {"hand": {"at": ["a", 1, 2]}},
        {"hand": {"at": [0, 0, 0], "turn": [0, 0, 0, 0]}}, {"let_go": 1}, {"lower": True},
        {"hand": {"at": [0, 0, 0]}, "let_go": True}, {"steady": {"along": 2, "across": 0}},
        {"steady": {"along": 0, "across": 0, "side": 9}}, {"catch": {"eye": [0, 0, 0]}},
    ],
)  # fmt: skip
def test_what_no_hand_can_do_is_refused(do: dict[str, Any]) -> None:
    world = falling_rat() if "catch" in do else loading("rat", 9)
    with pytest.raises(BadGesture):
        world.gesture(do, world.time_ms)


def test_the_hand_stays_within_reach() -> None:
    world = loading("rat", 9)
    world.gesture({"hand": {"at": [1e9, -1e9, 1e9]}}, 0)
    assert np.abs(world.world.target[:3]).max() <= 0.421


def test_frames_tell_what_moved() -> None:
    world = loading("crate", 6, DOZEN)
    whole = world.frame(whole=True)
    flags, _, _, pace, _, _, mask = HEAD.unpack_from(whole)
    assert flags & WHOLE
    assert pace == 100
    assert mask.bit_count() == 13
    assert len(whole) == HEAD.size + 12 * 13
    assert world.frame() == b""
    carry(world, 0.1, -0.16, 0.2, ms=66)
    frame = world.frame()
    assert HEAD.unpack_from(frame)[6] == 1 << world.ids[world.mine]
    pose = unpack_pose(np.frombuffer(frame[HEAD.size :], np.int16))
    assert pose[:3] == pytest.approx(world.world.pose(world.mine)[:3], abs=1e-4)


@pytest.mark.rule("RR-12")
def test_intruding_shows_before_letting_go() -> None:
    world = loading("crate", 6)
    carry(world, -0.1, -0.12, 0.12)
    carry(world, -0.1, -0.012, 0.12)
    flags, over, *_ = HEAD.unpack_from(world.frame(whole=True))
    assert over == 5
    assert flags & INTRUDING
    carry(world, -0.1, -0.14, 0.12)
    carry(world, 0.1, -0.14, 0.12)
    carry(world, 0.1, 0.0, 0.12)
    flags, over, *_ = HEAD.unpack_from(world.frame(whole=True))
    assert over == 6
    assert not flags & (INTRUDING | LET_GO)
    carry(world, 0.1, 0.0, 0.1)
    assert HEAD.unpack_from(world.frame(whole=True))[0] & TOUCHING


def test_a_piece_that_is_gone_is_told_once() -> None:
    world = falling_rat()
    world.gesture({"catch": {"id": world.ids[0]}}, world.time_ms)
    frame = world.frame()
    assert np.frombuffer(frame[HEAD.size : HEAD.size + 6], np.int16).tolist() == [GONE] * 3


def test_poses_and_motion_come_back() -> None:
    random = np.random.default_rng(3)
    quats = random.normal(size=(200, 4))
    poses = np.hstack(
        [random.uniform(-3, 3, (200, 3)), quats / np.linalg.norm(quats, axis=1)[:, None]]
    )
    for pose, packed in zip(poses, pack_poses(poses), strict=True):
        back = unpack_pose(packed)
        assert back[:3] == pytest.approx(pose[:3], abs=6e-5)
        assert abs(back[3:] @ pose[3:]) > 1 - 1e-7
    frames = [(33 * n, bytes([n] * n)) for n in range(50)]
    assert list(unpack_motion(pack_motion(frames))) == frames


def test_the_next_world_begins_where_the_last_one_ended() -> None:
    _, attached, _ = steady("crate", 2)
    again = open_world(KIT, state_of("rat", 9, {"2": ["crate"]}), attached)
    assert again.resting == attached["poses"]
    assert again.world.pose(0).tolist() == [
        *attached["poses"]["pieces"][0]["at"], *attached["poses"]["pieces"][0]["turn"]
    ]  # fmt: skip
    with pytest.raises(BadPosition):
        open_world(KIT, state_of("rat", 9), attached)


# Bots ----------------------------------------------------------------------------------------


def test_there_is_no_other_bot() -> None:
    with pytest.raises(BadOption):
        loading("rat", 9).think("admiral", rng(1))


@pytest.mark.parametrize("level", ["deckhand", "bosun"])
def test_a_bots_hand_puts_its_piece_down(level: str) -> None:
    world = loading("crate", 6, DOZEN)
    world.obey(world.think(level, rng(2)))
    text, _ = run(world)
    assert text.startswith("settle crate=")
    check_allowed("crate", 6, DOZEN, text)


def test_a_bot_takes_over_in_mid_air() -> None:
    world = loading("chest", 6)
    carry(world, 0.05, -0.14, 0.05)
    world.obey(world.think("bosun", rng(3)))
    assert run(world)[0] == "settle chest=6"


def test_the_same_generator_gives_the_same_plan() -> None:
    plans = [loading("crate", 6, DOZEN).think("deckhand", rng(5)).spot for _ in range(2)]
    assert plans[0] == plans[1]


def test_a_bot_thinks_no_longer_than_it_is_given() -> None:
    world = loading("boat", 6, TWO_DOZEN)
    started = time.process_time()
    world.think("legend", rng(5), 0.3)
    assert 0.2 < time.process_time() - started < 2.0


def test_levels_are_ever_steadier_and_quicker() -> None:
    levels = [SKILLS[name] for name in ("deckhand", "bosun", "quartermaster", "legend")]
    for key in ("tries", "catches"):
        values = [getattr(skill, key) for skill in levels]
        assert values == sorted(values)
    for key in ("tremor", "reaction_ms"):
        values = [getattr(skill, key) for skill in levels]
        assert values == sorted(values, reverse=True)

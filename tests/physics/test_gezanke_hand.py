"""The hand that slides planks and sets pirates: what is measured of its path."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import pytest

from quarterdeck import Match, find_game
from quarterdeck.contract import LIVE, NATURE, BadGesture, LiveWorld, Rng, record
from quarterdeck.physics.gezanke import CLEAR, HOME, LIMIT_MS, Gesture, Hand, Task

GAME = find_game("gezanke")
Place: TypeAlias = Sequence[float]
Path: TypeAlias = list[list[float]]

STEADY = "hand speed=0 press=0 kick=0 over=0"


def world(
    task: Task = "set", start: float = 80.0, goal: float = 80.0, steady: bool = True, seat: int = 2
) -> Gesture:
    """The world in which a hand moves the plank red, or the pirate on its first space."""
    at = "red" if task == "slide" else "red:1"
    return Gesture(seat, Hand(task, start, goal), at, steady)


def done(opened: LiveWorld, ms: int = 1) -> tuple[str, dict[str, Any]]:
    """Nature's action, once so long has passed in a world that is over then."""
    answer = opened.advance(ms)
    assert answer is not None
    return answer


def figures(opened: Gesture, ms: int = 1) -> dict[str, int]:
    """The figures of a world that is over once so long has passed."""
    text, attached = done(opened, ms)
    assert attached == {}
    verb, *words = text.split(" ")
    assert verb == "hand"
    return {name: int(number) for name, number in (word.split("=") for word in words)}


def straight(start: Place, end: Place, ms: float, every: int = 16) -> Path:
    """A path from one place to another at an even speed; each place is (x, z)."""
    count = max(1, round(ms / every))
    return [
        [
            ms * step / count,
            start[0] + (end[0] - start[0]) * step / count,
            start[1] + (end[1] - start[1]) * step / count,
        ]
        for step in range(count + 1)
    ]


def then(path: Path, end: Place, ms: float) -> Path:
    """The path, going on to another place."""
    at, x, z = path[-1]
    return path + [[at + t, nx, nz] for t, nx, nz in straight((x, z), end, ms)[1:]]


def follow(opened: LiveWorld, path: Path) -> None:
    for start in range(0, len(path), 60):
        if opened.idle_ms:
            opened.gesture({"path": path[start : start + 60]}, 0)


def measured(
    task: Task, path: Path, start: float = 80.0, goal: float = 80.0, let_go: bool = True
) -> dict[str, int]:
    opened = world(task, start, goal)
    follow(opened, path)
    if let_go and opened.idle_ms:
        opened.gesture({"let_go": True}, 0)
    return figures(opened)


# Sliding -------------------------------------------------------------------------------------


def test_a_plank_slid_slowly_to_its_mark_is_slid_with_care() -> None:
    path = then(straight((20, 0), (60, 0), 1000), (60, 0), 400)
    found = measured("slide", path, start=20.0, goal=60.0)
    assert 3 <= found["speed"] <= 5  # 40 mm in a second
    assert found["over"] == found["press"] == found["kick"] == 0


def test_the_speed_of_a_slide_is_measured() -> None:
    path = then(straight((0, 0), (60, 0), 200), (60, 0), 400)
    assert 25 <= measured("slide", path, start=0.0, goal=60.0)["speed"] <= 32


@pytest.mark.parametrize("side", [1, -1])
def test_an_overshoot_is_measured_even_if_it_is_taken_back(side: int) -> None:
    there, back = (side * 67, 0), (side * 60, 0)
    path = then(then(straight((0, 0), there, 1500), there, 400), back, 500)
    found = measured("slide", path, start=0.0, goal=side * 60.0)
    assert 65 <= found["over"] <= 70  # tenths of a millimetre
    short = then(straight((0, 0), (side * 55, 0), 1500), (side * 55, 0), 400)
    assert measured("slide", short, start=0.0, goal=side * 60.0)["over"] == 0


# Setting down --------------------------------------------------------------------------------


def test_a_pirate_lowered_gently_is_set_with_care() -> None:
    path = then(straight((80, HOME), (80, -0.5), 1200), (80, -0.5), 300)
    found = measured("set", path)
    assert found["speed"] <= 4
    assert found["press"] <= 5
    assert found["kick"] <= 5


@pytest.mark.parametrize("ms", [100, 200, 400])
def test_a_faster_hand_sets_down_harder(ms: int) -> None:
    paths = [straight((80, HOME), (80, -10), t) for t in (ms, 2 * ms)]
    speeds = [measured("set", then(path, (80, -10), 300))["speed"] for path in paths]
    assert speeds[0] > speeds[1]
    assert speeds[0] <= 100 * 0.040 / (ms / 1000) * 1.1


def test_a_pirate_let_go_in_the_air_falls() -> None:
    path = then(straight((80, HOME), (80, 20), 500), (80, 20), 600)
    found = measured("set", path)
    assert found["speed"] == pytest.approx(math.sqrt(2 * 981 * 2.0), abs=2)  # 2 cm


@pytest.mark.parametrize(("depth", "weights"), [(1.57, 0.1), (3.92, 0.25), (7.85, 0.5), (200, 3)])
def test_pressing_is_the_spring_of_the_hand(depth: float, weights: float) -> None:
    path = then(straight((80, HOME), (80, 0), 2000), (80, -depth), 1500)
    path = then(path, (80, -depth), 500)
    assert measured("set", path)["press"] == pytest.approx(100 * weights, abs=4)


def test_a_pirate_swung_against_the_plank_rocks_the_ship() -> None:
    calm = then(straight((80, HOME), (80, -1), 600), (80, -1), 300)
    swung = then(straight((-120, HOME), (80, -10), 200), (80, -1), 300)
    assert measured("set", swung, start=-120.0)["kick"] > measured("set", calm)["kick"] + 20


# Lifting -------------------------------------------------------------------------------------


def test_a_pirate_lifted_straight_up_rocks_nothing_and_the_lift_ends_by_itself() -> None:
    opened = world("lift")
    follow(opened, then(straight((80, 0), (80, 60), 800), (80, 60), 500))
    assert opened.idle_ms == 0
    found = figures(opened)
    assert found == {"speed": 0, "press": 0, "kick": 0, "over": 0}


def test_a_pirate_dragged_before_he_is_lifted_rocks_the_ship() -> None:
    path = then(straight((80, 0), (95, 0), 300), (95, 60), 300)
    found = measured("lift", then(path, (95, 60), 500))
    assert 50 <= found["kick"] <= 300
    pressed = then(straight((80, 0), (80, -8), 300), (100, -8), 300)
    found = measured("lift", then(then(pressed, (100, 60), 300), (100, 60), 500))
    assert found["press"] >= 40
    assert found["kick"] > 100


def test_no_hand_is_stronger_than_three_pirates() -> None:
    rng = random.Random(3)
    for task in ("lift", "set"):
        hand = Hand(task, 0.0, 0.0)
        for step in range(200):
            hand.move(step * 16, rng.uniform(-300, 300), rng.uniform(-300, 300))
        assert hand.measures.press <= 300.001
        assert hand.measures.kick <= 1000


# The world -----------------------------------------------------------------------------------


def test_the_same_path_in_any_parts_is_measured_alike() -> None:
    path = then(straight((80, HOME), (80, -3), 300), (80, -3), 300)
    whole = measured("set", path)
    opened = world("set")
    for sample in path:
        opened.gesture({"path": [sample]}, 0)
    opened.gesture({"let_go": True}, 0)
    assert figures(opened) == whole


def test_it_says_what_is_to_be_done() -> None:
    opened = world("slide", -20.0, 40.0, steady=False, seat=1)
    assert opened.seat == 1
    assert opened.hello() == {
        "do": "slide", "at": "red", "from": [-20.0, 0.0], "to": [40.0, 0.0], "steady": False,
        "harmless": {"speed": 10, "press": 0, "kick": 200, "over": 10}, "limit_ms": LIMIT_MS,
    }  # fmt: skip
    assert world("set").hello()["from"] == [80.0, HOME]
    assert world("lift").hello()["to"] == [80.0, CLEAR]
    assert world("board").hello()["harmless"] == world("set").hello()["harmless"]


def test_a_steady_hand_makes_the_ideal_gesture_where_it_may() -> None:
    opened = world("set")
    opened.gesture({"steady": True}, 0)
    assert opened.advance(1) == (STEADY, {})
    real = world("set", steady=False)
    with pytest.raises(BadGesture):
        real.gesture({"steady": True}, 0)
    begun = world("set")
    begun.gesture({"path": [[0, 80, 30]]}, 0)
    with pytest.raises(BadGesture):
        begun.gesture({"steady": True}, 0)


def test_bots_have_steady_hands_even_where_hands_are_real() -> None:
    opened = world("set", steady=False)
    opened.obey(opened.think("legend", record(Rng)))
    assert opened.advance(1) == (STEADY, {})


def test_a_hand_that_does_nothing_is_replaced_and_one_that_stops_lets_go() -> None:
    opened = world("set", steady=False)
    assert opened.advance(LIMIT_MS - 1) is None
    assert opened.idle_ms == 1
    assert opened.advance(1) == (STEADY, {})
    stopped = world("set")
    follow(stopped, then(straight((80, HOME), (80, 25), 500), (80, 25), 500))
    assert stopped.advance(LIMIT_MS - 1) is None
    stopped.gesture({"path": [[2000, 80, 25]]}, 0)
    assert stopped.advance(LIMIT_MS - 1) is None
    assert figures(stopped, 1)["speed"] > 60
    out = world("set")
    out.run_out()
    assert out.advance(1) == (STEADY, {})


@pytest.mark.parametrize(
    "message",
    [
        {}, {"jump": True}, {"let_go": False}, {"let_go": True, "path": []}, {"path": []},
        {"path": [[0, 1]]}, {"path": [[0, 1, 2, 3]]}, {"path": ["a"]}, {"path": [[0, "1", 2]]},
        {"path": [[0, math.nan, 2]]}, {"path": [[0, math.inf, 2]]}, {"path": [[0, 1e9, 2]]},
        {"path": [[0, 1, -1e9]]}, {"path": [[5, 0, 0], [4, 0, 0]]}, {"path": [[-1, 0, 0]]},
        {"path": [[1e9, 0, 0]]}, {"path": [[0, True, 0]]}, {"path": [[0, 0, 0]] * 121},
        {"steady": False},
    ],
)  # fmt: skip
def test_what_no_hand_can_do_is_refused_and_changes_nothing(message: Mapping[str, Any]) -> None:
    opened = world("set")
    opened.gesture({"path": [[0, 80, 30]]}, 0)
    before = opened.frame(whole=True)
    with pytest.raises(BadGesture):
        opened.gesture(message, 0)
    assert opened.frame(whole=True) == before
    assert opened.advance(1) is None


def test_after_the_end_there_are_no_gestures() -> None:
    opened = world("set")
    opened.gesture({"let_go": True}, 0)
    with pytest.raises(BadGesture):
        opened.gesture({"path": [[0, 80, 30]]}, 0)


def test_frames_show_the_piece_and_the_gauge() -> None:
    opened = world("set")
    first = opened.frame()
    flags, x, z, *gauge = struct.unpack("<BxhhHHHH", first)
    assert (flags, x, z, gauge) == (0, 800, 300, [0, 0, 0, 0])
    assert opened.frame() == b""  # nothing has changed
    assert opened.frame(whole=True)[0] == 1
    follow(opened, then(straight((80, HOME), (80, -4), 400), (80, -4), 400))
    flags, _, z, speed, press, _, _ = struct.unpack("<BxhhHHHH", opened.frame())
    assert flags == 2 | 4  # begun, touching
    assert (z, speed > 0, press > 10) == (0, True, True)
    opened.gesture({"let_go": True}, 0)
    assert opened.frame()[0] & 8


# In a match ----------------------------------------------------------------------------------


@pytest.mark.parametrize("hands", ["each", "real"])
def test_the_world_of_every_gesture_of_a_game(hands: str) -> None:
    """The hand belongs to the seat that acted, begins where the piece is, and ends in the log."""
    match = Match(GAME, {"players": 3, "hands": hands}, seed=4)
    rng = random.Random(1)
    kinds = set()
    while not match.is_over:
        match.draw_chance()
        if match.node != LIVE:
            (seat,) = match.seats_to_act
            text = rng.choice(match.legal(seat))
            match.act(seat, text)
            continue
        opened = GAME.open_world(match.state, {})
        said = opened.hello()
        assert opened.seat == match.view(0)["hand"] == seat
        assert said["steady"] == (hands == "each")
        assert text.startswith(said["do"])
        assert said["at"] in text
        if said["do"] == "slide":
            span = said["to"][0] - said["from"][0]
            assert abs(span) == 20 * match_length(match, said["at"])
            assert (span > 0) == text.endswith("starboard")
        kinds.add(said["do"])
        path = straight(said["from"], (said["to"][0], said["to"][1] - 1), rng.choice((200, 900)))
        follow(opened, path)
        if opened.idle_ms:
            opened.gesture({"let_go": True}, 0)
        action, _ = done(opened)
        match.act(NATURE, action)
    assert kinds == {"slide", "lift", "set", "board"}
    again = Match.from_record(match.record())
    assert again.position() == match.position()


def match_length(match: Match, plank: str) -> int:
    """How many pirates stand on a plank."""
    standing = [s for places in match.position()["pirates"].values() for s in places if s]
    return sum(place.startswith(f"{plank}:") for place in standing)


def test_a_clumsy_hand_breaks_an_oath_and_pays() -> None:
    """From the path of a hand to the doubloons, and the record replays it."""
    planks = [
        {"name": name, "offset": 4 if name == "red" else 0}
        for name in ("yellow", "green", "orange", "red", "blue", "purple")
    ]
    position = {
        "phase": "lift", "active": 0, "planks": planks, "dice": ["yellow", "red"], "slid": "yellow",
        "pirates": {
            "grey": ["blue:0", "green:-4", "yellow:-4"],
            "white": ["red:-1", "purple:4", "purple:-4"],
            "black": ["red:-2", "yellow:4", "orange:-1"],
            "brown": ["red:-3", "orange:1", "green:4"],
        },
    }  # fmt: skip
    purses = {}
    for depth in (0.5, 60):
        match = Match(GAME, {"hands": "real"}, position=position)
        match.act(0, "lift blue:0")
        lift = GAME.open_world(match.state, {})
        follow(lift, then(straight((0, 0), (0, 60), 800), (0, 60), 400))
        match.act(NATURE, done(lift)[0])
        match.act(0, "set red:1")
        opened = GAME.open_world(match.state, {})
        path = then(straight((100, HOME), (100, 0), 1500), (100, -depth), 700)
        follow(opened, then(path, (100, -depth), 300))
        opened.gesture({"let_go": True}, 0)
        match.act(NATURE, done(opened)[0])
        purses[depth] = match.position()["purses"]
        assert Match.from_record(match.record()).position() == match.position()
    assert purses == {0.5: [0, 0, 0, 0], 60: [0, 2, 2, 2]}

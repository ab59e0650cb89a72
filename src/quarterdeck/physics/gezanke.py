"""Gezanke's live world: a hand that slides a plank, lifts a pirate or sets him down.

The path of the hand comes in; what it does to the ship is measured and comes out as nature's
`hand`. Whatever the hand holds follows it on a spring. What falls is not said here: the rules judge
that, by their exact balance, from the figures.

Millimetres and milliseconds. Across the ship x goes to starboard, from the middle; z is the height
of the pirate's feet above the plank.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from quarterdeck.contract import BadGesture, Rng
from quarterdeck.games.gezanke.balance import MOST_KICK, MOST_OVER, MOST_PRESS, MOST_SPEED
from quarterdeck.games.gezanke.notation import FIGURE_NAMES, PLACE_NAMES, PLANK_NAMES
from quarterdeck.games.gezanke.state import (
    BOARD,
    LIFT,
    REAL,
    ROPE,
    SET,
    SLIDE,
    SPACES,
    Kit,
    State,
    hand_seat,
    pirates_on,
)

STIFFNESS = 25.0  # rad/s of the spring between the hand and what it holds, critically damped
STRONGEST = 3.0  # pirate's weights: no hand pulls or presses harder
GRAVITY = 9810.0  # mm/s²
FRICTION = 0.8  # of a pirate on a plank
PIRATE_KG = 0.006
LEVER_M = 0.053  # from where the ship rocks on the sea up to the pirates' feet
SHIP_INERTIA = 1.2e-3  # kg m², laden
SWING_S = 0.1  # after so long a push of the ship is forgotten
CLEAR = 15.0  # so high a pirate is lifted
HOME = 30.0  # so high he is held before he is set down
STEP_S = 0.001

LIMIT_MS = 60_000  # a hand that does nothing for so long lets go
MOST_SAMPLES = 120  # in one gesture
LONGEST_PATH_MS = 120_000
FARTHEST = 400.0
LARGEST_FIGURES = (MOST_SPEED, MOST_PRESS, MOST_KICK, MOST_OVER)
HARMLESS = {"slide": (10, 0, 200, 10), "lift": (0, 10, 100, 0), "set": (20, 10, 100, 0)}
"""Figures that hardly ever topple anything, for the gauge."""

Task = Literal["slide", "lift", "set", "board"]
TASKS: dict[int, Task] = {SLIDE: "slide", LIFT: "lift", SET: "set", BOARD: "board"}
"""By verb: what the hand has to do."""

_FRAME = struct.Struct("<BxhhHHHH")
WHOLE, BEGUN, TOUCHING, DONE = 1, 2, 4, 8


@dataclass
class Measures:
    """What a hand has done so far: the largest of each."""

    speed: float = 0.0  # cm/s
    press: float = 0.0  # hundredths of a pirate's weight
    kick: float = 0.0  # mrad/s
    over: float = 0.0  # tenths of a millimetre

    def figures(self) -> tuple[int, ...]:
        """Whole numbers, as they enter the log."""
        measured = (self.speed, self.press, self.kick, self.over)
        return tuple(
            min(most, math.floor(figure + 0.5))
            for figure, most in zip(measured, LARGEST_FIGURES, strict=True)
        )


class Hand:
    """A hand at one task: it is told where it is and measures what that does.

    `start` and `goal` are where the plank, or the pirate, is and ought to be across the ship; a
    pirate has them alike.
    """

    def __init__(self, task: Task, start: float, goal: float) -> None:
        self.task = task
        self.goal = goal
        self.side = 1 if goal >= start else -1
        self.measures = Measures()
        self.x, self.z = start, HOME if task in ("set", "board") else 0.0
        self.vx = self.vz = 0.0
        self.rocking = 0.0  # rad/s
        self.at_ms: float | None = None
        self.pointer = (self.x, self.z)
        self.touches = task != "slide" and self.z == 0.0
        self.is_done = False

    def move(self, at_ms: float, x: float, z: float) -> None:
        """The hand is there now; since it was last seen it has moved straight and evenly."""
        if self.at_ms is None:
            self.at_ms, self.pointer = at_ms, (x, z)
            return
        count = round((at_ms - self.at_ms) / 1000 / STEP_S)
        for step in range(1, count + 1):
            share = step / count
            self._step(
                self.pointer[0] + share * (x - self.pointer[0]),
                self.pointer[1] + share * (z - self.pointer[1]),
            )
            if self.is_done:
                return
        self.at_ms, self.pointer = at_ms, (x, z)

    def let_go(self) -> None:
        """The hand opens. A pirate in the air falls; a plank is put straight with care."""
        if not self.is_done and self.task in ("set", "board") and not self.touches:
            landing = math.sqrt(self.vz**2 + 2 * GRAVITY * self.z)
            self.measures.speed = max(self.measures.speed, landing / 10)
        self.is_done = True

    def _step(self, hand_x: float, hand_z: float) -> None:
        """A moment of the spring."""
        pull_x = STIFFNESS**2 * (hand_x - self.x) - 2 * STIFFNESS * self.vx
        if self.task == "slide":
            self.vx += pull_x * STEP_S
            self.x += self.vx * STEP_S
            beyond = self.side * (self.x - self.goal)
            self.measures.speed = max(self.measures.speed, abs(self.vx) / 10)
            self.measures.over = max(self.measures.over, 10 * beyond)
            return
        pull_z = STIFFNESS**2 * (hand_z - self.z) - 2 * STIFFNESS * self.vz
        strength = math.hypot(pull_x, pull_z)
        if strength > STRONGEST * GRAVITY:
            pull_x *= STRONGEST * GRAVITY / strength
            pull_z *= STRONGEST * GRAVITY / strength
        if self.touches:
            self._drag(pull_x, pull_z)
        else:
            self.vx += pull_x * STEP_S
            self.vz += pull_z * STEP_S
            self.x += self.vx * STEP_S
            self.z += self.vz * STEP_S
            if self.z <= 0 and self.task != "lift":
                self._land()
            elif self.z >= CLEAR and self.task == "lift":
                self.is_done = True
        self.rocking -= self.rocking / SWING_S * STEP_S
        self.measures.kick = max(self.measures.kick, 1000 * abs(self.rocking))

    def _drag(self, pull_x: float, pull_z: float) -> None:
        """He stands on the plank: pressed down, dragged along, or lifted off."""
        if self.task == "lift" and pull_z >= GRAVITY:
            self.touches = False
            return
        weight = GRAVITY - pull_z  # what the plank bears
        self.measures.press = max(self.measures.press, -100 * pull_z / GRAVITY)
        grip = FRICTION * max(0.0, weight)
        drag = min(max(pull_x, -grip), grip)
        self.rocking += drag / 1000 * PIRATE_KG * LEVER_M / SHIP_INERTIA * STEP_S

    def _land(self) -> None:
        """His feet meet the plank."""
        self.measures.speed = max(self.measures.speed, -self.vz / 10)
        push = self.vx / 1000 * PIRATE_KG * LEVER_M / SHIP_INERTIA
        self.rocking += push
        self.touches = True
        self.x, self.z, self.vx, self.vz = self.goal, 0.0, 0.0, 0.0


class Gesture:
    """The live world of one gesture. It ends when the hand has let go, or will not move."""

    def __init__(self, seat: int, hand: Hand, at: str, may_be_steady: bool) -> None:
        self.seat = seat
        self.epoch = 0
        self.hand = hand
        self.at = at
        self.may_be_steady = may_be_steady
        self._idle = 0
        self._is_steady = False
        self._last = b""

    @property
    def idle_ms(self) -> int:
        """For how long nothing can happen unless the hand does something; 0 if all is done."""
        return 0 if self._is_over else max(0, LIMIT_MS - self._idle)

    @property
    def _is_over(self) -> bool:
        return self._is_steady or self.hand.is_done

    def hello(self) -> dict[str, Any]:
        """What the hand has to do, from where to where, and which figures are harmless."""
        task = self.hand.task
        harmless = HARMLESS["set" if task == "board" else task]
        return {
            "do": task,
            "at": self.at,
            "from": [self.hand.x, self.hand.z],
            "to": [self.hand.goal, CLEAR if task == "lift" else 0.0],
            "steady": self.may_be_steady,
            "harmless": dict(zip(FIGURE_NAMES, harmless, strict=True)),
            "limit_ms": LIMIT_MS,
        }

    def gesture(self, message: Mapping[str, Any], at_ms: int) -> None:
        """Part of the hand's path, its letting go, or the wish for a steady hand."""
        if self._is_over:
            raise BadGesture("the gesture is over")
        self._idle = 0
        match dict(message):
            case {"path": list(samples), **rest} if not rest:
                self._follow(samples)
            case {"let_go": True, **rest} if not rest:
                self.hand.let_go()
            case {"steady": True, **rest} if not rest and self.may_be_steady:
                if self.hand.at_ms is not None:
                    raise BadGesture("this hand has begun and must go on")
                self._is_steady = True
            case {"steady": True}:
                raise BadGesture("at this table hands are real")
            case _:
                raise BadGesture(f"{dict(message)!r} is no gesture of this game")

    def _follow(self, samples: Sequence[Any]) -> None:
        """Moves the hand along `[ms, x, z]`, all of them or, if one is impossible, none."""
        if not 0 < len(samples) <= MOST_SAMPLES:
            raise BadGesture(f"a path has 1 to {MOST_SAMPLES} samples at once, not {len(samples)}")
        before = self.hand.at_ms
        first = before if before is not None else 0.0
        for sample in samples:
            if not isinstance(sample, list) or len(sample) != 3 or not all(map(_is_number, sample)):
                raise BadGesture(f"{sample!r} is no [ms, x, z]")
            at_ms, x, z = sample
            if not first <= at_ms <= LONGEST_PATH_MS or abs(x) > FARTHEST or abs(z) > FARTHEST:
                raise BadGesture(f"no hand is at {sample!r} now")
            first = at_ms
        for at_ms, x, z in samples:
            if not self.hand.is_done:
                self.hand.move(float(at_ms), float(x), float(z))

    def advance(self, ms: int) -> tuple[str, dict[str, Any]] | None:
        """Time passes; answers nature's action once the gesture is over."""
        if not self._is_over:
            self._idle += ms
            if self._idle < LIMIT_MS:
                return None
            self.run_out()
        measures = Measures() if self._is_steady else self.hand.measures
        speed, press, kick, over = measures.figures()
        return f"hand speed={speed} press={press} kick={kick} over={over}", {}

    def frame(self, whole: bool = False) -> bytes:
        """Where the hand's piece is, and what has been measured so far."""
        hand = self.hand
        flags = (hand.at_ms is not None) * BEGUN | hand.touches * TOUCHING | hand.is_done * DONE
        place = [max(-32768, min(32767, round(10 * at))) for at in (hand.x, hand.z)]
        data = _FRAME.pack(flags, *place, *hand.measures.figures())
        if whole:
            return bytes([data[0] | WHOLE]) + data[1:]
        changed, self._last = data != self._last, data
        return data if changed else b""

    def run_out(self) -> None:
        """Time is over: a hand that has begun lets go; for one that has not, a steady one acts."""
        if self.hand.at_ms is None:
            self._is_steady = True
        else:
            self.hand.let_go()

    def think(self, level: str, rng: Rng, seconds: float | None = None) -> Any:
        """Bots have steady hands."""
        return None

    def obey(self, plan: Any) -> None:
        """The bot's steady hand does it, if no other has begun; else it opens that one."""
        self.run_out()


def _is_number(value: object) -> bool:
    if type(value) is int:  # of any length: too long a one is no float
        return abs(value) < 2**53
    return type(value) is float and math.isfinite(value)


def open_world(kit: Kit, state: State) -> Gesture:
    """The world of the hand a game awaits, in which it moves a plank or a pirate (GP-19).

    The seat may leave it to a steady hand, unless the table plays with real ones only.
    """
    at, seat, may_be_steady = int(state.gesture_at), hand_seat(state), bool(state.hands != REAL)
    task, space = TASKS[int(state.gesture)], float(kit.space) / 10  # mm
    if task == "slide":
        goal = space * int(state.offsets[at])
        start = goal - space * int(state.gesture_side) * pirates_on(state, at)
        return Gesture(seat, Hand(task, start, goal), PLANK_NAMES[at], may_be_steady)
    plank, number = divmod(at, SPACES)
    place = space * (int(state.offsets[plank]) + number - ROPE)
    return Gesture(seat, Hand(task, place, place), PLACE_NAMES[at], may_be_steady)

"""The loading of one piece: a live world from taking it to the rest of the ship, or its fall."""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from quarterdeck.contract import POSES, Array, BadGesture, Bool, Float64, Grid, Rng, compiled
from quarterdeck.games.riff_raff.notation import SHAPE_NAMES, SHAPE_NUMBERS
from quarterdeck.games.riff_raff.state import COPIES, NONE, SHAPES, Kit, State

from ..frames import GONE, pack_poses
from ..world import CHUNK_SECONDS, Vector, World
from .bot_hand import Plan, Tremor, make_plan
from .paths import Path, spot_in
from .resting import arrange, read_poses, write_poses
from .ship import MM, Ship, ship_of

HOME = (0.0, -0.17, 0.15)
SLOW = 0.1  # how fast time runs while cargo falls
ALLOWANCE_MS = 250  # for how long a piece in the water can still have been caught
GRASP = 0.025
MOST_GRASPS = 8  # a second

WHOLE, LET_GO, TOUCHING, INTRUDING, FALLING, STEADY = 1, 2, 4, 8, 16, 32
_HEAD = struct.Struct("<BBBBhhI")
_LOUDEST = 0.02  # newton-seconds
_FALLS_AT = -0.15  # metres a second, downwards
_HELD_AT = 0.03  # what was falling and is slower now has been held up
_BESIDE = (0.168, 0.06)  # metres from the middle of the ship
_LONGEST_FALL = 1.0  # seconds

Point = tuple[float, float, float]


class _Strict(msgspec.Struct, forbid_unknown_fields=True):
    pass


class HandAt(_Strict):
    """Where the hand wants its piece, and how turned: so it is laid or hung (RR-11)."""

    at: Point
    turn: tuple[float, float, float, float] | None = None


class Steady(_Strict):
    """A spot of the area, by shares of its length and width, over which the piece hovers."""

    along: float
    across: float
    yaw: float = 0.0
    side: int = 0


class Catch(_Strict):
    """A grasp for a falling piece: along a line of sight, or by its number."""

    eye: Point | None = None
    through: Point | None = None
    id: int | None = None


class Do(_Strict):
    """A gesture: exactly one of these."""

    hand: HandAt | None = None
    let_go: bool = False
    swap: str | None = None
    steady: Steady | None = None
    lower: bool = False
    catch: Catch | None = None


def open_world(kit: Kit, state: State, attached: Mapping[str, Any]) -> Loading:
    """The loading a state is about to see, from the resting poses nature attached last.

    RR-R9: between two loadings nothing has moved.
    """
    ship = ship_of(kit)
    resting = read_poses(ship, state, attached.get(POSES))
    if resting is None:
        resting = arrange(ship, state)
    return Loading(ship, state, resting)


class Loading:
    """The world while one piece is loaded. See `docs/live-worlds.md` for what goes in and out.

    RR-13: the hand moves nothing but its own piece. Whatever else moves, that piece has pushed, or
    the ship has rolled off.
    """

    def __init__(self, ship: Ship, state: State, resting: Mapping[str, Any]) -> None:
        self.ship = ship
        self.seat = int(state.active)
        self.area = int(state.played[self.seat])
        self.supply = [int(count) for count in state.supply[self.seat]]
        self.time_ms = 0
        self.epoch = 0
        self.resting = resting
        self._begin(int(state.hand), HOME)

    def _begin(self, shape: int, at: Point) -> None:
        """Takes a piece into the hand beside the ship as it rests."""
        ship, aboard = self.ship, self.resting["pieces"]
        taken = {piece["id"] for piece in aboard}
        mine = next(shape * COPIES + k for k in range(COPIES) if shape * COPIES + k not in taken)
        self.ids = [*(piece["id"] for piece in aboard), mine]
        self.shapes = [number // COPIES for number in self.ids]
        self._order = sorted((id, number) for number, id in enumerate(self.ids))
        self.were = [piece["area"] for piece in aboard]
        self.mine = len(aboard)
        poses = [[*piece["at"], *piece["turn"]] for piece in aboard]
        w, x, y, z = (float(part) for part in ship.sides[shape][0])
        leash = float(ship.kit.hand_leash) * MM, float(ship.kit.hand_leash_touching) * MM
        self.world = World(
            ship.setting,
            [ship.pieces[kind] for kind in self.shapes],
            self.resting["ship"],
            [*poses, [*at, w, x, y, z]],
            leash=leash,
        )
        count = len(self.ids)
        self.has_touched = False
        self.ended = ""  # how the piece ended up, once that is certain: an area, astray, back, fell
        self.falling = np.zeros(count, bool)
        self.fell_at: dict[int, int] = {}
        self.caught: set[int] = set()
        self._path: Path | None = None
        self._plan: Plan | None = None
        self._tremor: Tremor | None = None
        self._left = 0.0  # seconds of the world not yet run
        self._settling = 0.0
        self._is_lifted = False
        self._sent: dict[int, bytes] = {}
        self._sent_head: tuple[int, ...] = ()
        self._knock = 0.0
        self._past: deque[tuple[int, Vector, Any]] = deque(maxlen=40)
        self._grasps: deque[int] = deque(maxlen=MOST_GRASPS)

    # What everybody gets ---------------------------------------------------------------------

    @property
    def limit_ms(self) -> int:
        """After this the hand lets go by itself."""
        return int(self.ship.kit.hand_seconds * 1000)

    def hello(self) -> dict[str, Any]:
        """What somebody has to know before the first frame."""
        shape = self.shapes[self.mine]
        swaps = [SHAPE_NAMES[kind] for kind in range(SHAPES) if self.supply[kind]]
        return {
            "piece": SHAPE_NAMES[shape],
            "id": self.ids[self.mine],
            "area": self.area,
            "home": list(HOME),
            "sides": len(self.ship.sides[shape]),
            "limit_ms": self.limit_ms,
            "poses": self.resting,
            "swap": [] if self.has_touched else swaps,
        }

    def frame(self, whole: bool = False) -> bytes:
        """What has changed since the last frame, or all there is."""
        world, ship = self.world, self.ship
        is_slow = bool(self.falling.any())
        # a chunk lasts longer than a frame then
        stand, poses = world.soon(self._left if is_slow else 0.0)
        packed = pack_poses(poses)
        packed[world.gone] = GONE
        packed[world.gone, 3:] = 0
        mask, bodies = 0, []
        for id, number in self._order:
            data = packed[number].tobytes()
            if whole or self._sent.get(id) != data:
                self._sent[id] = data
                mask |= 1 << id
                bodies.append(data)
        flags = WHOLE * whole | FALLING * is_slow
        over = 0
        if world.holds:
            pose = ship.in_ship(world, world.pose(self.mine))
            over = ship.over(world.centre(self.mine) @ world.rotation)
            flags |= TOUCHING * world.touches | STEADY * (self._path is not None)
            flags |= INTRUDING * ship.intrudes(self.shapes[self.mine], pose, self.area)
        else:
            flags |= LET_GO
        knock = min(255, int(255 * max(world.knock, self._knock) / _LOUDEST))
        world.knock = self._knock = 0.0
        pitch, roll = np.clip(np.rint(stand * 1e4), -32767, 32767).astype(int)
        pace = round(100 * (SLOW if is_slow else 1))
        head = (over, pace, pitch, roll, flags & ~WHOLE)
        if not whole and not bodies and not knock and head == self._sent_head:
            return b""
        self._sent_head = head
        return _HEAD.pack(flags, over, knock, pace, pitch, roll, mask) + b"".join(bodies)

    @property
    def idle_ms(self) -> int:
        """For how long nothing can happen unless the hand does something."""
        if not self.world.holds or self._path is not None or not self.world.is_asleep:
            return 0
        return max(0, self.limit_ms - self.time_ms)

    # The hand --------------------------------------------------------------------------------

    def gesture(self, message: Mapping[str, Any], at_ms: int) -> None:
        """See the table of gestures in `docs/live-worlds.md`."""
        try:
            do = msgspec.convert(message, Do)
        except msgspec.ValidationError as error:
            raise BadGesture(f"no hand can do that: {error}") from error
        said = sum(bool(getattr(do, key)) for key in ("hand", "steady", "catch", "swap"))
        if said + do.let_go + do.lower != 1:
            raise BadGesture("a hand does one thing at a time")
        if do.catch is not None:
            self._grasp(do.catch, at_ms)
            return
        if not self.world.holds:
            raise BadGesture("the hand holds nothing any more")
        if do.hand is not None:
            self._path = None
            self._aim(do.hand)
        elif do.let_go:
            self.let_go()
        elif do.swap is not None:
            self._swap(do.swap)
        elif do.steady is not None:
            self._hover(do.steady)
        elif self._path is None or not self._path.hover:
            raise BadGesture("say first where to put it down")
        else:
            self._path.lower()

    def _aim(self, hand: HandAt) -> None:
        """RR-11: the piece may go anywhere within reach, and be turned as one likes."""
        kit, target = self.ship.kit, self.world.target
        reach, top = float(kit.hand_reach) * MM, float(kit.hand_top) * MM
        target[:3] = np.clip(hand.at, [-reach, -reach, self.ship.water], [reach, reach, top])
        if hand.turn is not None:
            length = float(np.linalg.norm(hand.turn))
            if not 0.5 < length < 2:
                raise BadGesture("a turn is a quaternion of length one")
            target[3:] = np.array(hand.turn) / length

    def _swap(self, name: str) -> None:
        """RR-R7: another piece of the supply, until it touches anything."""
        shape = SHAPE_NUMBERS.get(name, NONE)
        if shape == NONE or self.supply[shape] == 0 or self.has_touched:
            raise BadGesture(f"no exchange for {name!r} now")
        self.supply[self.shapes[self.mine]] += 1
        self.supply[shape] -= 1
        x, y, z = (float(part) for part in self.world.pose(self.mine)[:3])
        self._begin(shape, (x, y, z))
        self.epoch += 1

    def _hover(self, steady: Steady) -> None:
        shape = self.shapes[self.mine]
        if not (0 <= steady.along <= 1 and 0 <= steady.across <= 1):
            raise BadGesture("a spot is from 0 to 1 along and across")
        if not 0 <= steady.side < len(self.ship.sides[shape]) or not abs(steady.yaw) <= 720:
            raise BadGesture("it cannot be put down like that")
        spot = spot_in(
            self.ship, shape, self.area, steady.along, steady.across, steady.yaw, steady.side
        )
        self._path = Path(self.ship, self.world, shape, spot, hover=True)

    def let_go(self) -> None:
        """RR-R6: there is no gripping again."""
        self._path = None
        self.has_touched = True
        self.world.let_go()

    def run_out(self) -> None:
        """RR-R5: who is out of time lets go."""
        if self.world.holds:
            self.let_go()

    def think(self, level: str, rng: Rng, seconds: float | None = None) -> Plan:
        """Where a bot of this level puts the piece, and how steadily."""
        return make_plan(self.ship, self.world, self.shapes, self.area, level, rng, seconds)

    def obey(self, plan: Plan) -> None:
        """A bot's hand from now on."""
        self._plan, self._tremor = plan, Tremor(plan)
        if self.world.holds:
            shape = self.shapes[self.mine]
            self._path = Path(self.ship, self.world, shape, plan.spot, hover=False)

    # Catching --------------------------------------------------------------------------------

    def _grasp(self, catch: Catch, at_ms: int) -> None:
        """RR-14: catches what was falling, where it was in the picture the player saw."""
        if len(self._grasps) == MOST_GRASPS and self._grasps[0] > self.time_ms - 1000:
            raise BadGesture("nobody grasps so fast")
        self._grasps.append(self.time_ms)
        at_ms = max(at_ms, self.time_ms - ALLOWANCE_MS)
        seen = [past for past in self._past if past[0] <= at_ms] or list(self._past)[:1]
        if not seen:
            return
        _, centres, falling = seen[-1]
        for number in np.flatnonzero(falling).tolist():
            if number in self.caught:
                continue
            if catch.id is not None:
                is_hit = self.ids[number] == catch.id
            elif catch.eye is not None and catch.through is not None:
                is_hit = _distance(centres[number], catch.eye, catch.through) <= GRASP
            else:
                raise BadGesture("a grasp goes for a piece or along a line")
            if is_hit:
                self._catch(number)

    def _catch(self, number: int) -> None:
        self.caught.add(number)
        self.fell_at.pop(number, None)
        self.falling[number] = False
        self.world.remove(number)
        self._fallen()

    def _catch_by_plan(self, plan: Plan) -> None:
        """A bot grasps for each falling piece once, after its time to react."""
        for number, due_ms in list(plan.grasps.items()):
            if not self.falling[number]:
                del plan.grasps[number]
            elif self.time_ms >= due_ms:
                self._catch(number)
        for number in np.flatnonzero(self.falling).tolist():
            if number not in plan.grasps:
                plan.grasps[number] = plan.next_grasp(self.time_ms)

    # Time ------------------------------------------------------------------------------------

    def advance(self, ms: int) -> tuple[str, dict[str, Any]] | None:
        """Lets time pass; nature's action and the resting poses once all is decided."""
        idle_ms = self.idle_ms
        self.time_ms += ms
        if idle_ms > ms:
            return None
        if self.world.holds and self.time_ms >= self.limit_ms:  # RR-R5
            self.let_go()
            ms -= idle_ms
        self._left += ms / 1000 * (SLOW if self.falling.any() else 1.0)
        while self._left >= CHUNK_SECONDS:
            self._left -= CHUNK_SECONDS
            if not self._run_chunk():
                self._left = 0.0
                return self._answer() if self._is_certain() else None
        return None

    def _run_chunk(self) -> bool:
        """One chunk of steps; False once there is nothing more to wait for."""
        world = self.world
        if self._path is not None and world.holds:
            tremble = self._tremor.next() if self._tremor is not None else np.zeros(3)
            self._path.follow(world, tremble)
            if self._path.is_over:
                self.let_go()
        world.advance()
        self.has_touched = self.has_touched or world.touches
        self._knock = max(self._knock, world.knock)
        if world.is_live:
            self._watch()
        if self._plan is not None and self.falling.any():
            self._catch_by_plan(self._plan)
        if world.holds:
            return True
        self._settling += CHUNK_SECONDS
        over = self._settling - float(self.ship.kit.settling_seconds)
        # RR-R1, RR-R9: once all has come to rest, or after the limit, the world stands still
        if self.falling.any():
            is_settled = over >= _LONGEST_FALL
        else:
            is_settled = over >= 0 or world.is_asleep
        if not is_settled:
            return True
        return self._lift_astray()

    def _watch(self) -> None:
        """RR-R1: sees what begins to fall, and what is in the water."""
        world = self.world
        there = ~world.gone
        if world.holds:
            there[self.mine] = False
        centres, velocities = world.rough_centres(), world.velocities()
        was = self.falling
        self.falling = np.zeros(world.count, np.bool_)
        if not world.is_asleep:
            _see(centres, velocities, world.rotation, there, was, self.falling)
        low = there & (centres[:, 2] < self.ship.water)
        if self.falling.any() or self.fell_at:
            self._past.append((self.time_ms, centres, self.falling.copy()))
        for number in np.flatnonzero(low).tolist():
            self.fell_at[number] = self.time_ms
            self.falling[number] = False
            world.remove(number)
            self._fallen()

    def _fallen(self) -> None:
        """RR-R6: what is still in the hand when cargo falls goes back."""
        if self.world.holds:
            self.ended = "back"
            self._path = None
            self.world.remove(self.mine)

    def _lift_astray(self) -> bool:
        """RR-R2, RR-R9: takes the piece off if it lies where it must not; all settles again."""
        world = self.world
        if self._is_lifted or world.gone[self.mine]:
            return False
        self._is_lifted = True
        centre = world.centre(self.mine) @ world.rotation
        pose = self.ship.in_ship(world, world.pose(self.mine))
        is_here = self.ship.area_of(centre) == self.area
        if is_here and not self.ship.intrudes(self.shapes[self.mine], pose, self.area):
            self.ended = str(self.area)
            return False
        self.ended = "astray"
        self._settling = 0.0
        world.remove(self.mine)
        return True

    def _is_certain(self) -> bool:
        """Whether nothing in the water can turn out to have been caught."""
        newest = max(self.fell_at.values(), default=-ALLOWANCE_MS)
        return self.time_ms - newest >= ALLOWANCE_MS

    # The outcome -----------------------------------------------------------------------------

    def _answer(self) -> tuple[str, dict[str, Any]]:
        world = self.world
        name = SHAPE_NAMES[self.shapes[self.mine]]
        if self.mine in self.fell_at or self.mine in self.caught:
            self.ended = "fell"
        poses = write_poses(self)
        now = {piece["id"]: piece["area"] for piece in poses["pieces"]}
        moved, fell, caught = [], [], [name] * (self.mine in self.caught)
        for number, was in enumerate(self.were):
            id, shape = self.ids[number], SHAPE_NAMES[self.shapes[number]]
            if number in self.caught:
                caught.append(f"{shape}@{was}")
            elif world.gone[number]:
                fell.append(f"{shape}@{was}")
            elif now[id] != was:
                moved.append(f"{shape}@{was}={now[id]}")
        words = [f"settle {name}={self.ended}"]
        for word, items in (("moved", moved), ("fell", fell), ("caught", caught)):
            if items:
                words.append(f"{word} {','.join(items)}")
        return " ".join(words), {POSES: poses}


def _distance(point: Vector, eye: Point, through: Point) -> float:
    """How far a point is from the line of sight."""
    start = np.array(eye)
    way = np.array(through) - start
    length = float(np.linalg.norm(way))
    if length < 1e-9:
        raise BadGesture("a line goes somewhere")
    way /= length
    along = max(0.0, float((point - start) @ way))
    return float(np.linalg.norm(point - start - along * way))


@compiled
def _see(
    centres: Grid[Float64],
    velocities: Grid[Float64],
    rotation: Grid[Float64],
    there: Array[Bool],
    was_falling: Array[Bool],
    is_falling: Array[Bool],
) -> None:
    """Which of the pieces that are there fall: beside the ship and downwards, or still so."""
    for n in range(len(centres)):
        if not there[n]:
            continue
        along, across, speed = 0.0, 0.0, 0.0
        for axis in range(3):
            along += centres[n, axis] * rotation[axis, 0]
            across += centres[n, axis] * rotation[axis, 1]
            speed += velocities[n, axis] ** 2
        is_beside = abs(along) > _BESIDE[0] or abs(across) > _BESIDE[1]
        begins = is_beside and velocities[n, 2] < _FALLS_AT
        is_falling[n] = begins or (was_falling[n] and speed > _HELD_AT**2)

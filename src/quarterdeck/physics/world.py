"""A world of loose pieces on a rocking stand, with a hand that holds the last of them. It knows no
game.

It is set to exactly given poses and goes on bit for bit alike from there. What it was given lies at
rest and stays so until the hand's piece touches something, or is let go; until then the hand just
carries its piece. From then on all of it is simulated, until it has come to rest again.

Friction of rigid bodies as they are simulated is never quite static: what lies aslant creeps by
fractions of a millimetre a second. So rest is not left to the simulation. What has not moved to
speak of for a while stands still, and costs nothing, until something touches it.

The hand pulls its piece by a weld whose other end, the grip, is kept on a leash: never further from
the piece than a hand would stretch, and much less while anything is near. So it can neither press
hard nor sweep the stand clear.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence

import mujoco
import numpy as np
import numpy.typing as npt

from quarterdeck.contract import Array, Float64, compiled

from .model import STEP_SECONDS, Piece, Setting, build_model

Vector = npt.NDArray[np.float64]

CHUNK = 4  # steps between two looks of the hand
CHUNK_SECONDS = CHUNK * STEP_SECONDS
REST_SECONDS = 0.4
REST_METRES = 0.0003
_ARM = 0.02  # a turn of one radian counts like a move of so many metres
_TURN_PER_METRE = 12.0  # how far the leash lets the hand turn ahead, in radians a metre of leash
_FASTEST_HAND = 0.6  # metres a second
_CAREFUL_HAND = 0.25  # where something is near
_FASTEST_TURN = 4.0  # radians a second
_SMALL_MOVE = 0.001
_AWAY = 3.0  # where pieces are put that are gone: on the table, out of sight
_LIFTED = 0.016

# the stand's two angles come first, then seven numbers a piece
_STAND = 2
_FREE = 7
_STAND_BODY, _FIRST_PIECE = 2, 3


class World:
    """Pieces at poses `[x, y, z, qw, qx, qy, qz]` about the pivot; the last one is the hand's.

    With `holds` the hand begins where its piece is.
    """

    def __init__(
        self,
        setting: Setting,
        pieces: Sequence[Piece],
        stand: Sequence[float],
        poses: Sequence[Sequence[float]],
        *,
        leash: tuple[float, float] = (0.02, 0.004),
        holds: bool = True,
    ) -> None:
        self.model = build_model(setting, tuple(pieces))
        self.data = mujoco.MjData(self.model)
        self.pieces = tuple(pieces)
        self.count = len(pieces)
        self.leash = leash
        self.gone = np.zeros(self.count, bool)
        self.holds = holds and self.count > 0
        self.is_live = not self.holds  # whether anything but the hand can move
        self.touches = False
        self._is_near = False  # something is about to touch the hand's piece
        self.knock = 0.0  # the hardest blow lately, in newton-seconds
        self._bodies = np.arange(_FIRST_PIECE, _FIRST_PIECE + self.count)
        self._is_in_hand = self.model.geom_bodyid == _FIRST_PIECE + self.count - 1  # by geom
        self.data.qpos[:_STAND] = stand
        self.data.qpos[_STAND:] = np.asarray(poses, float).ravel()
        self.target = self.pose(self.count - 1) if self.holds else np.zeros(_FREE)
        if self.holds:
            self._put_grip(self.target)
            self.data.eq_active[0] = 1
            mujoco.mj_kinematics(self.model, self.data)
        self._still = np.zeros(2)  # for how long: the hand's piece, and all the rest
        self._still_qpos = self.data.qpos.copy()
        self._aim = self.target.copy()

    def copy(self) -> World:
        """A world that goes on exactly as this one, whatever becomes of this one."""
        other = copy.copy(self)
        other.data = copy.copy(self.data)
        other.gone = self.gone.copy()
        other.target = self.target.copy()
        other._still = self._still.copy()
        other._still_qpos = self._still_qpos.copy()
        other._aim = self._aim.copy()
        return other

    # What is the case ------------------------------------------------------------------------

    @property
    def stand(self) -> Vector:
        """The angles of the stand: pitch about y, then roll about its own x."""
        return np.array(self.data.qpos[:_STAND])

    @property
    def rotation(self) -> Vector:
        """The stand's axes as columns."""
        pitch, roll = self.data.qpos[:_STAND].tolist()
        c, s, d, t = math.cos(pitch), math.sin(pitch), math.cos(roll), math.sin(roll)
        return np.array([[c, s * t, s * d], [0, d, -t], [-s, c * t, c * d]])

    def poses(self) -> Vector:
        """The poses of all pieces, one a row."""
        return np.array(self.data.qpos[_STAND:]).reshape(-1, _FREE)

    def soon(self, seconds: float) -> tuple[Vector, Vector]:
        """The stand and the poses so little later, if everything just goes on."""
        qpos = np.array(self.data.qpos)
        mujoco.mj_integratePos(self.model, qpos, self.data.qvel, seconds)
        return qpos[:_STAND], qpos[_STAND:].reshape(-1, _FREE)

    def pose(self, number: int) -> Vector:
        """The pose of one piece."""
        first = _STAND + _FREE * number
        return np.array(self.data.qpos[first : first + _FREE])

    def speeds(self) -> Vector:
        """How fast each piece moves, in metres a second."""
        return np.asarray(np.linalg.norm(self.velocities(), axis=1))

    def velocities(self) -> Vector:
        """The velocities of the pieces' frames."""
        return np.array(self.data.qvel[_STAND:].reshape(-1, 6)[:, :3])

    def centres(self) -> Vector:
        """The centres of mass of all pieces."""
        poses = self.poses()
        offsets = self.model.body_ipos[self._bodies]
        return poses[:, :3] + rotate(poses[:, 3:], offsets)

    def centre(self, number: int) -> Vector:
        """The centre of mass of one piece."""
        pose = self.pose(number)
        return pose[:3] + np.asarray(rotate(pose[3:], self.model.body_ipos[_FIRST_PIECE + number]))

    def rough_centres(self) -> Vector:
        """The centres of mass of all pieces as they were a step ago, at no cost."""
        return np.array(self.data.xipos[_FIRST_PIECE : _FIRST_PIECE + self.count])

    @property
    def is_asleep(self) -> bool:
        """Whether nothing moves and nothing will, unless the hand does something."""
        if not self.is_live:
            return bool((self.grip == self.target).all())
        is_still = self._still.min() >= REST_SECONDS
        return bool(is_still and (not self.holds or (self.target == self._aim).all()))

    # What happens ----------------------------------------------------------------------------

    def let_go(self) -> None:
        """The hand opens, for good."""
        if self.holds:
            self.holds = self.touches = False
            self.is_live = True
            self.data.eq_active[0] = 0
            self._wake()

    def place_hand(self, pose: Vector) -> None:
        """Puts the hand and its piece somewhere at once."""
        self.data.qvel[-6:] = 0
        self.target[:] = pose
        self._carry_to(pose)

    def remove(self, number: int) -> None:
        """A piece is not there any more."""
        if self.gone[number]:
            return
        if number == self.count - 1:
            self.let_go()
        self.gone[number] = True
        first = _STAND + _FREE * number
        away = [_AWAY, 0.1 * number, self.model.body_pos[1][2] + _LIFTED, 1, 0, 0, 0]
        self.data.qpos[first : first + _FREE] = away
        self.data.qvel[_STAND + 6 * number : _STAND + 6 * number + 6] = 0
        self._wake()

    def advance(self, chunks: int = 1) -> None:
        """Lets time pass, a chunk of steps at a time."""
        for _ in range(chunks):
            if not self.is_live:
                self._carry()
                continue
            if self.is_asleep:
                continue
            if self.holds:
                self._follow()
            mujoco.mj_step(self.model, self.data, CHUNK)
            self._look()
            self._wait()

    def _carry(self) -> None:
        """Carries the piece through the air, in small moves, until it is about to touch."""
        grip = self.grip
        way = self.target[:3] - grip[:3]
        length = float(np.linalg.norm(way))
        most = min(length, self._speed * CHUNK_SECONDS)
        turn = turn_towards(grip[3:], self.target[3:], _FASTEST_TURN * CHUNK_SECONDS)
        if not length and (turn == grip[3:]).all():
            return
        moves = max(1, round(most / _SMALL_MOVE + 0.5))
        for move in range(1, moves + 1):
            before = self.grip
            goal = self.target[:3] if most == length and move == moves else None
            at = grip[:3] + way * (most * move / moves / length) if length else grip[:3]
            part = turn_towards(grip[3:], turn, _FASTEST_TURN * CHUNK_SECONDS * move / moves)
            self._carry_to(np.concatenate([at if goal is None else goal, part]))
            if self._is_blocked():
                self._carry_to(before)
                velocity = (at - before[:3]) * (moves / CHUNK_SECONDS)
                self._go_live(velocity)
                return

    def _carry_to(self, pose: Vector) -> None:
        self._put_grip(pose)
        self.data.qpos[-_FREE:] = pose

    def _is_blocked(self) -> bool:
        """Whether the piece in the hand touches anything."""
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_collision(self.model, self.data)
        return self._feel()

    @property
    def _speed(self) -> float:
        return _CAREFUL_HAND if self._is_near else _FASTEST_HAND

    def _feel(self) -> bool:
        """Whether anything touches the hand's piece, or at least is near."""
        contact = self.data.contact
        geoms = contact.geom
        gaps = contact.dist[self._is_in_hand[geoms[:, 0]] | self._is_in_hand[geoms[:, 1]]]
        self._is_near = len(gaps) > 0
        return bool(gaps.min(initial=1.0) <= 0)

    def _go_live(self, velocity: Vector) -> None:
        """From now on everything moves; the piece comes with the speed of the hand."""
        self.is_live = True
        self.data.qvel[-6:-3] = velocity
        self._wake()

    def _follow(self) -> None:
        """Moves the grip towards the target, as far as hand and leash allow."""
        leash = self.leash[1] if self._is_near else self.leash[0]
        data, step = self.data, self._speed * CHUNK_SECONDS
        _pull(data.qpos[-_FREE:], self.target, data.mocap_pos[0], data.mocap_quat[0], leash, step)

    @property
    def grip(self) -> Vector:
        """Where the hand pulls."""
        return np.concatenate([self.data.mocap_pos[0], self.data.mocap_quat[0]])

    def _put_grip(self, pose: Vector) -> None:
        self.data.mocap_pos[0] = pose[:3]
        self.data.mocap_quat[0] = pose[3:]

    def _look(self) -> None:
        """Notes whether the hand's piece touches anything, and how hard things knock."""
        self.touches = self.holds and self._feel()
        rows = self.data.contact.efc_address
        rows = rows[rows >= 0]
        if len(rows):
            self.knock = max(self.knock, float(self.data.efc_force[rows].max()) * STEP_SECONDS)

    def _wait(self) -> None:
        """Counts for how long nothing has moved to speak of. If that is so of all but what the
        hand carries through the air, it stands still from now on."""
        _count_still(self.data.qpos, self._still_qpos, self._still)
        if self.holds:
            if (self.target != self._aim).any():
                self._still[0] = 0.0
                self._aim[:] = self.target
            if self._still[1] >= REST_SECONDS and not self.touches:
                self.is_live = False
                self.data.qvel[:] = 0
                self._put_grip(self.pose(self.count - 1))

    def _wake(self) -> None:
        """Wakes whatever sleeps, by putting the same state into a fresh world.

        Sleep is no part of a saved state, so all are awake then; and nothing else of the past, such
        as where the solver begins, reaches beyond it.
        """
        self._still[:] = 0.0
        data = self.data
        kept = [np.array(a) for a in (data.qpos, data.qvel, data.mocap_pos, data.mocap_quat)]
        grips = data.eq_active.copy()
        mujoco.mj_resetData(self.model, data)
        for target, values in zip(
            (data.qpos, data.qvel, data.mocap_pos, data.mocap_quat), kept, strict=True
        ):
            target[:] = values
        data.eq_active[:] = grips


# Turns ---------------------------------------------------------------------------------------


def rotate(quats: Vector, vectors: Vector) -> Vector:
    """Vectors turned by quaternions `[w, x, y, z]`, row by row."""
    w, x, y, z = quats[..., 0], quats[..., 1], quats[..., 2], quats[..., 3]
    a, b, c = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    # t is twice the cross product; `np.cross` takes five times as long for a few vectors
    t, u, v = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)
    return np.stack(
        [a + w * t + y * v - z * u, b + w * u + z * t - x * v, c + w * v + x * u - y * t], axis=-1
    )


@compiled
def multiply(a: Array[Float64], b: Array[Float64]) -> Vector:
    """The turn `b` followed by the turn `a`."""
    return np.array(
        [
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        ]
    )


def about(axis: Sequence[float], angle: float) -> Vector:
    """The turn by an angle about an axis."""
    quat = np.zeros(4)
    mujoco.mju_axisAngle2Quat(quat, np.asarray(axis, float), angle)
    return quat


@compiled
def turn_towards(start: Array[Float64], end: Array[Float64], most: float) -> Vector:
    """The turn that is `end`, or as far towards it from `start` as the angle `most` allows."""
    a, b, c, d = start
    w, x, y, z = end
    # from start to end, in the frame of start
    dw = a * w + b * x + c * y + d * z
    dx = a * x - b * w - c * z + d * y
    dy = a * y + b * z - c * w - d * x
    dz = a * z - b * y + c * x - d * w
    sine = math.sqrt(dx * dx + dy * dy + dz * dz)
    angle = 2 * math.atan2(sine, dw)
    if angle > math.pi:
        angle -= 2 * math.pi
    if abs(angle) <= most:
        return np.array([w, x, y, z])
    part = math.sin(math.copysign(most, angle) / 2) / sine
    return multiply(start, np.array([math.cos(most / 2), dx * part, dy * part, dz * part]))


# What is reckoned after every chunk ------------------------------------------------------------


@compiled
def _pull(
    piece: Array[Float64],
    target: Array[Float64],
    at: Array[Float64],
    turn: Array[Float64],
    leash: float,
    step: float,
) -> None:
    """Moves the grip (`at` and `turn`) towards the target: a step, and no further than the leash
    allows from the piece."""
    length = 0.0
    for axis in range(3):
        length += (target[axis] - at[axis]) ** 2
    share = min(1.0, step / math.sqrt(length)) if length > 0 else 0.0
    ahead = 0.0
    for axis in range(3):
        at[axis] = target[axis] if share == 1.0 else at[axis] + (target[axis] - at[axis]) * share
        ahead += (at[axis] - piece[axis]) ** 2
    if ahead > leash * leash:
        share = leash / math.sqrt(ahead)
        for axis in range(3):
            at[axis] = piece[axis] + (at[axis] - piece[axis]) * share
    wanted = turn_towards(turn, target[3:], _FASTEST_TURN * CHUNK_SECONDS)
    turn[:] = turn_towards(piece[3:], wanted, leash * _TURN_PER_METRE)


@compiled
def _count_still(qpos: Array[Float64], since: Array[Float64], still: Array[Float64]) -> None:
    """Counts on for how long the hand's piece, and all the rest, have been where they are."""
    hand, rest = 0.0, 0.0
    first = len(qpos) - _FREE
    for n in range(len(qpos)):
        moved = abs(qpos[n] - since[n])
        if n < _STAND:
            moved *= _ARM * 10  # the stand's tips are far from its pivot
        elif (n - _STAND) % _FREE >= 3:
            moved *= 2 * _ARM
        if n >= first:
            hand = max(hand, moved)
        else:
            rest = max(rest, moved)
    still[0] += CHUNK_SECONDS
    still[1] += CHUNK_SECONDS
    if hand > REST_METRES:
        still[0] = 0.0
        since[first:] = qpos[first:]
    if rest > REST_METRES:
        still[1] = 0.0
        since[:first] = qpos[:first]

"""A MuJoCo model from parts: a stand on a pivot, loose pieces of wood, a hand for the last one.

The numbers of the solver and of the contacts were found by trial. A pyramidal friction cone, an
`impratio` of 1, other solvers or fewer iterations let resting pieces creep off within seconds; a
higher `impratio` takes twice the time. Softer contacts let a plank through a yard. Box edges on box
edges jitter for ever, so rails and arms are capsules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import mujoco
import numpy as np

STEP_SECONDS = 0.002
NEAR = 0.006
BOX, SPHERE, CAPSULE, CYLINDER = range(4)

_WORLD_BIT, _PIECE_BIT = 1, 2
_KINDS = (
    mujoco.mjtGeom.mjGEOM_BOX,
    mujoco.mjtGeom.mjGEOM_SPHERE,
    mujoco.mjtGeom.mjGEOM_CAPSULE,
    mujoco.mjtGeom.mjGEOM_CYLINDER,
)
_CONDIM = (3, 4, 4, 6)  # a face rests on several points; what touches in one may turn, and roll
_SOLREF = (0.005, 1.0)
_SOLIMP = (0.95, 0.99, 0.0005, 0.5, 2.0)


@dataclass(frozen=True)
class Part:
    """A convex part of a body, in metres: a box at `a` with sizes `b`, else from `a` to `b`.

    One that is not solid is there for the eye: it neither weighs nor touches anything.
    """

    kind: int
    a: tuple[float, float, float]
    b: tuple[float, float, float]
    radius: float = 0.0
    is_solid: bool = True

    @property
    def volume(self) -> float:
        """Cubic metres."""
        if self.kind == BOX:
            return float(np.prod(self.b))
        ball = 4 / 3 * np.pi * self.radius**3
        if self.kind == SPHERE:
            return float(ball)
        length = float(np.linalg.norm(np.subtract(self.b, self.a)))
        rod = np.pi * self.radius**2 * length
        return float(rod + ball if self.kind == CAPSULE else rod)

    @property
    def middle(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Where its centre is."""
        if self.kind in (BOX, SPHERE):
            return np.array(self.a)
        return np.asarray((np.array(self.a) + np.array(self.b)) / 2)


@dataclass(frozen=True)
class Piece:
    """A loose body: its parts, its mass in kilograms, and whether it rolls."""

    parts: tuple[Part, ...]
    mass: float
    rolls: bool = False


@dataclass(frozen=True)
class Stand:
    """What stands on the pivot at the origin, and how the pivot holds it.

    `weight` hangs below the pivot, so deep that the moment that rights the stand is `righting`:
    the sum of mass times depth below the pivot, in kg·m.
    """

    parts: tuple[Part, ...]
    density: float
    weight: float
    weight_radius: float
    righting: float
    damping: float
    friction: float
    stiffness: float
    limit: float
    height: float


@dataclass(frozen=True)
class Setting:
    """All of a world but which pieces are in it."""

    stand: Stand
    friction: tuple[float, float, float]


@lru_cache(maxsize=64)
def build_model(setting: Setting, pieces: tuple[Piece, ...]) -> mujoco.MjModel:
    """The model. Body 1 is the table, 2 the stand, 3 on the pieces, the last one the hand.

    The hand is welded to the last piece while its equality is active.
    """
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    _set_options(spec)
    stand = setting.stand
    table = spec.worldbody.add_body(name="table", pos=[0, 0, -stand.height])
    table.add_geom(
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[2, 2, 0.1],
        contype=_WORLD_BIT,
        conaffinity=_PIECE_BIT,
        friction=setting.friction,
        solref=_SOLREF,
        solimp=_SOLIMP,
    )
    _add_stand(spec, setting)
    for number, piece in enumerate(pieces, 1):
        body = spec.worldbody.add_body(name=f"piece{number}", pos=[2, 0.1 * number, 0])
        body.add_freejoint()
        body.sleep = mujoco.mjtSleepPolicy.mjSLEEP_ALLOWED
        density = piece.mass / sum(part.volume for part in piece.parts)
        for part in piece.parts:
            geom = _add_geom(body, part, setting, density, is_piece=True)
            if number == len(pieces):  # what is near it is noticed, without any force
                geom.gap = NEAR
    if pieces:
        spec.worldbody.add_body(name="hand", mocap=True, pos=[2, 0.1 * len(pieces), 0])
        weld = spec.add_equality(
            name="grip",
            type=mujoco.mjtEq.mjEQ_WELD,
            objtype=mujoco.mjtObj.mjOBJ_BODY,
            name1="hand",
            name2=f"piece{len(pieces)}",
            active=False,
            solref=[0.02, 1],
            solimp=[0.9, 0.95, 0.001, 0.5, 2],
        )
        # no anchor, the same frame, and turning as strong as moving for things of this size
        weld.data[:11] = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    return spec.compile()


def _set_options(spec: mujoco.MjSpec) -> None:
    option = spec.option
    option.timestep = STEP_SECONDS
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    option.iterations = 50
    option.tolerance = 1e-8
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = 5
    option.sleep_tolerance = 1e-4
    option.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP


def _add_stand(spec: mujoco.MjSpec, setting: Setting) -> None:
    stand = setting.stand
    body = spec.worldbody.add_body(name="stand")
    body.sleep = mujoco.mjtSleepPolicy.mjSLEEP_ALLOWED
    for name, axis in (("pitch", [0, 1, 0]), ("roll", [1, 0, 0])):
        body.add_joint(
            name=name,
            type=mujoco.mjtJoint.mjJNT_HINGE,
            axis=axis,
            damping=[stand.damping, 0, 0],
            frictionloss=stand.friction,
            stiffness=[0, 0, stand.stiffness],
            limited=True,
            range=[-stand.limit, stand.limit],
        )
    solid = [part for part in stand.parts if part.is_solid]
    for part in solid:
        _add_geom(body, part, setting, stand.density, is_piece=False)
    wood = sum(part.volume * stand.density * part.middle[2] for part in solid)
    depth = (stand.righting + wood) / stand.weight
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[stand.weight_radius, 0, 0],
        pos=[0, 0, -depth],
        mass=stand.weight,
        contype=0,
        conaffinity=0,
    )


def _add_geom(
    body: mujoco.MjsBody,
    part: Part,
    setting: Setting,
    density: float,
    *,
    is_piece: bool,
) -> mujoco.MjsGeom:
    bits = (_PIECE_BIT, _WORLD_BIT | _PIECE_BIT) if is_piece else (_WORLD_BIT, _PIECE_BIT)
    geom = body.add_geom(
        type=_KINDS[part.kind],
        density=density,
        condim=_CONDIM[part.kind],
        contype=bits[0],
        conaffinity=bits[1],
        friction=setting.friction,
        solref=_SOLREF,
        solimp=_SOLIMP,
    )
    if part.kind == BOX:
        geom.pos, geom.size = part.a, [size / 2 for size in part.b]
    elif part.kind == SPHERE:
        geom.pos, geom.size = part.a, [part.radius, 0, 0]
    else:
        geom.fromto = [*part.a, *part.b]
        geom.size = [part.radius, 0, 0]
    return geom


def sample_points(parts: Sequence[Part]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Points of a body's surface that stand for all of it: corners, ends, and round about."""
    points: list[np.ndarray[tuple[int], np.dtype[np.float64]]] = []
    for part in parts:
        a, b = np.array(part.a), np.array(part.b)
        if part.kind == BOX:
            for signs in np.ndindex(2, 2, 2):
                points.append(a + (np.array(signs) - 0.5) * b)
            continue
        for end in (a, b):
            for axis in np.eye(3):
                points += [end - part.radius * axis, end + part.radius * axis]
    return np.array(points)

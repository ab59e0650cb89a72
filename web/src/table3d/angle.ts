/** From where one looks: an angle around the ship, how far away, and which one shows most. */

import type { Vec } from "./poses";

/** From how far to the side and how far above; at 0, 0 from abeam, at the height of the target. */
export interface Angle {
  azimuth: number;
  elevation: number;
}

/** Something that may stand in the way: two corners. */
export interface Box {
  low: Vec;
  high: Vec;
}

export const LOWEST = 0.06;
export const HIGHEST = 1.35;

const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Towards the eye. */
export function towards({ azimuth, elevation }: Angle): Vec {
  const flat = Math.cos(elevation);
  return [Math.sin(azimuth) * flat, -Math.cos(azimuth) * flat, Math.sin(elevation)];
}

export const rightOf = ({ azimuth }: Angle): Vec => [Math.cos(azimuth), Math.sin(azimuth), 0];

/** Away from the eye, level. */
export const awayOf = ({ azimuth }: Angle): Vec => [-Math.sin(azimuth), Math.cos(azimuth), 0];

function upOf({ azimuth, elevation }: Angle): Vec {
  const lean = Math.sin(elevation);
  return [-Math.sin(azimuth) * lean, Math.cos(azimuth) * lean, Math.cos(elevation)];
}

const minus = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** From how far all of these points are in the picture. `slope`: tangent of half the field. */
function distanceFor(angle: Angle, target: Vec, points: readonly Vec[], slope: number, aspect: number): number {
  const [to, right, up] = [towards(angle), rightOf(angle), upOf(angle)];
  return Math.max(
    ...points.map((point) => {
      const off = minus(point, target);
      const needed = Math.max(Math.abs(dot(off, right)) / aspect, Math.abs(dot(off, up)));
      return dot(off, to) + needed / slope;
    }),
  );
}

/** Where to look and from how far, so that these points fill the picture. */
export function fit(
  angle: Angle,
  points: readonly Vec[],
  slope: number,
  aspect: number,
): { target: Vec; distance: number } {
  const [to, right, up] = [towards(angle), rightOf(angle), upOf(angle)];
  let target: Vec = [0, 0, 0];
  let distance = 1;
  for (let round = 0; round < 8; round++) {
    distance = distanceFor(angle, target, points, slope, aspect);
    const middle = (axis: Vec) => {
      const seen = points.map((point) => {
        const off = minus(point, target);
        return dot(off, axis) / Math.max(distance - dot(off, to), 0.05);
      });
      return ((Math.min(...seen) + Math.max(...seen)) / 2) * distance;
    };
    const [x, y] = [middle(right), middle(up)];
    target = [0, 1, 2].map((axis) => target[axis]! + right[axis]! * x + up[axis]! * y) as Vec;
  }
  return { target, distance: distanceFor(angle, target, points, slope, aspect) };
}

/** Whether the way from a point in a direction meets a box. */
export function isHidden(from: Vec, direction: Vec, { low, high }: Box): boolean {
  let [near, far] = [1e-4, Infinity];
  for (const axis of [0, 1, 2] as const) {
    if (Math.abs(direction[axis]) < 1e-9) {
      if (from[axis] <= low[axis] || from[axis] >= high[axis]) return false;
      continue;
    }
    const a = (low[axis] - from[axis]) / direction[axis];
    const b = (high[axis] - from[axis]) / direction[axis];
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  return near < far;
}

const AZIMUTHS = [-0.9, -0.6, -0.35, -0.15, 0.15, 0.35, 0.6, 0.9];
const ELEVATIONS = [0.18, 0.32, 0.5, 0.7];
const USUAL: Angle = { azimuth: 0.35, elevation: 0.32 };
/** How much of the view one gives up to look from a more usual angle. */
const HABIT = 0.12;

/** The angle that shows most of these points past the boxes; near the usual one if several do. */
export function bestAngle(points: readonly Vec[], boxes: readonly Box[], usual = USUAL): Angle {
  let best = { angle: usual, worth: -Infinity };
  for (const azimuth of AZIMUTHS) {
    for (const elevation of ELEVATIONS) {
      const angle = { azimuth, elevation };
      const to = towards(angle);
      const seen = points.filter((point) => !boxes.some((box) => isHidden(point, to, box))).length;
      const strange = Math.hypot(azimuth - usual.azimuth, 1.5 * (elevation - usual.elevation));
      // from farther above one sees better how deep things lie
      const clear = (seen / Math.max(points.length, 1)) * (0.75 + 0.5 * Math.sin(elevation));
      const worth = clear - HABIT * strange;
      if (worth > best.worth) best = { angle, worth };
    }
  }
  return best.angle;
}

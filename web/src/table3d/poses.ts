/** Places and turns: metres, radians, unit quaternions [w, x, y, z]. */

export type Vec = [x: number, y: number, z: number];
export type Quat = [w: number, x: number, y: number, z: number];

export interface Pose {
  at: Vec;
  turn: Quat;
}

/** Kits are in millimetres, pictures in metres. */
export const MM = 0.001;

/** A plain body of a kit. */
export type Part = { name?: string; solid?: boolean } & (
  | { kind: "box"; size: Vec; at: Vec }
  | { kind: "sphere"; radius: number; at: Vec }
  | { kind: "capsule" | "cylinder"; radius: number; from: Vec; to: Vec }
);

/** Pitch and roll. */
export type Stand = [pitch: number, roll: number];

/** First the right turn, then the left one. */
export function multiply(a: Quat, b: Quat): Quat {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

/** The turn by an angle about an axis. */
export function about([x, y, z]: Vec, angle: number): Quat {
  const part = Math.sin(angle / 2);
  return [Math.cos(angle / 2), x * part, y * part, z * part];
}

export const inverse = ([w, x, y, z]: Quat): Quat => [w, -x, -y, -z];

export function rotate(turn: Quat, [x, y, z]: Vec): Vec {
  const [, a, b, c] = multiply(multiply(turn, [0, x, y, z]), inverse(turn));
  return [a, b, c];
}

export function unit(turn: Quat): Quat {
  const length = Math.hypot(...turn);
  return [turn[0] / length, turn[1] / length, turn[2] / length, turn[3] / length];
}

/** How the ship is turned. */
export function shipTurn([pitch, roll]: Stand): Quat {
  return multiply(about([0, 1, 0], pitch), about([1, 0, 0], roll));
}

/** A place of the world as the ship sees it. */
export const inShip = (stand: Stand, at: Vec): Vec => rotate(inverse(shipTurn(stand)), at);

export const degrees = (angle: number): number => (angle * Math.PI) / 180;

const blend = (a: number, b: number, share: number) => a + (b - a) * share;

export const between = (a: Vec, b: Vec, share: number): Vec => [
  blend(a[0], b[0], share),
  blend(a[1], b[1], share),
  blend(a[2], b[2], share),
];

/** The pose on the way from one to another; for two that are close. */
export function mix(a: Pose, b: Pose, share: number): Pose {
  const [p, q] = [a.turn, b.turn];
  const sign = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0 ? -1 : 1;
  return {
    at: between(a.at, b.at, share),
    turn: unit([
      blend(p[0], sign * q[0], share),
      blend(p[1], sign * q[1], share),
      blend(p[2], sign * q[2], share),
      blend(p[3], sign * q[3], share),
    ]),
  };
}

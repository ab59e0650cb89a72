/** Where one's hand wants the piece: moved in the picture's plane, deeper, higher, turned. */

import { awayOf, rightOf, type Angle } from "../../table3d/angle";
import { about, degrees, multiply, rotate, type Pose, type Quat, type Vec } from "../../table3d/poses";
import { MM, sideOf, type Kit } from "./kit";
import type { Piece } from "./view";

const UP: Vec = [0, 0, 1];
/** From here on above one looks down: the pointer moves the piece on a level, not upright, plane. */
const STEEP = 0.87;

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

export class Hand {
  at: Vec;
  turn: Quat;
  side = 0;

  #kit: Kit;
  #piece: Piece;

  constructor(kit: Kit, piece: Piece, pose: Pose) {
    this.#kit = kit;
    this.#piece = piece;
    this.at = [...pose.at];
    this.turn = [...pose.turn];
  }

  get pose(): Pose {
    return { at: this.at, turn: this.turn };
  }

  /** As far as an arm reaches. */
  moveTo([x, y, z]: Vec): void {
    const { reach, top } = this.#kit.hand;
    const low = -this.#kit.water.depth * MM;
    this.at = [
      clamp(x, -reach * MM, reach * MM),
      clamp(y, -reach * MM, reach * MM),
      clamp(z, low, top * MM),
    ];
  }

  /** To the right, away and up, as seen from an angle. */
  moveBy(angle: Angle, right: number, away: number, up: number): void {
    const [r, a] = [rightOf(angle), awayOf(angle)];
    const [x, y, z] = this.at;
    this.moveTo([x + r[0] * right + a[0] * away, y + r[1] * right + a[1] * away, z + up]);
  }

  /** Away from the eye, along the one direction in which the pointer does not move it. */
  moveDeeper(angle: Angle, by: number): void {
    if (isSteep(angle)) this.moveBy(angle, 0, 0, -by);
    else this.moveBy(angle, 0, by, 0);
  }

  /** Turns it about the mast's direction. */
  spin(angle: number): void {
    this.turn = multiply(about(UP, angle), this.turn);
  }

  /** Tilts it in the picture. */
  tilt(view: Angle, angle: number): void {
    this.turn = multiply(about(awayOf(view), angle), this.turn);
  }

  /** The next way to put it down, turned as it was. */
  tip(): void {
    const sides = this.#kit.pieces[this.#piece].sides.length;
    const yaw = this.yaw;
    this.side = (this.side + 1) % sides;
    this.turn = multiply(about(UP, yaw), sideOf(this.#kit, this.#piece, this.side));
  }

  /** How far it is turned about the mast's direction from its side as it is in the kit. */
  get yaw(): number {
    const side = sideOf(this.#kit, this.#piece, this.side);
    const [w, x, y, z] = multiply(this.turn, [side[0], -side[1], -side[2], -side[3]]);
    const [a, b] = rotate([w, x, y, z], [1, 0, 0]);
    return Math.atan2(b, a);
  }
}

const isSteep = ({ elevation }: Angle) => elevation > STEEP;

/** The plane the pointer moves a piece on: upright and facing us, or level when seen from above. */
export function planeFor(angle: Angle): Vec {
  if (isSteep(angle)) return UP;
  const [x, y] = awayOf(angle);
  return [-x, -y, 0];
}

/** What a key or button does to the hand: to the right, away, deeper, up in metres; spin and tilt in radians. */
export interface Nudge {
  right?: number;
  away?: number;
  deeper?: number;
  up?: number;
  spin?: number;
  tilt?: number;
  tip?: true;
}

const STEP = 0.004;
const TURN = degrees(15);

const NUDGES: Record<string, Nudge> = {
  ArrowLeft: { right: -STEP },
  ArrowRight: { right: STEP },
  ArrowUp: { up: STEP },
  ArrowDown: { up: -STEP },
  PageUp: { up: 5 * STEP },
  PageDown: { up: -5 * STEP },
  w: { away: STEP },
  s: { away: -STEP },
  q: { spin: TURN },
  e: { spin: -TURN },
  y: { tilt: TURN },
  z: { tilt: TURN },
  x: { tilt: -TURN },
  r: { tip: true },
};

/** What a key does; with Shift five times as far, turns a fifth as far. */
export function nudgeOf(key: string, shift: boolean): Nudge | null {
  const nudge = NUDGES[key.length === 1 ? key.toLowerCase() : key];
  if (nudge === undefined || !shift) return nudge ?? null;
  const { right = 0, away = 0, up = 0, spin = 0, tilt = 0 } = nudge;
  return { ...nudge, right: 5 * right, away: 5 * away, up: 5 * up, spin: spin / 5, tilt: tilt / 5 };
}

export function nudge(hand: Hand, angle: Angle, by: Nudge): void {
  hand.moveBy(angle, by.right ?? 0, by.away ?? 0, by.up ?? 0);
  if (by.deeper) hand.moveDeeper(angle, by.deeper);
  if (by.spin) hand.spin(by.spin);
  if (by.tilt) hand.tilt(angle, by.tilt);
  if (by.tip) hand.tip();
}

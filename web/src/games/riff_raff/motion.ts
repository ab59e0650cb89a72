/** What moves, a little late and without jerks: frames become pictures at any time between them. */

import { inShip, mix, type Pose, type Quat, type Stand, type Vec } from "../../table3d/poses";
import type { Told } from "./frames";

/** How late frames are shown, so that the next one is there in time. */
export const LATE_MS = 60;

const FRAME_MS = 34;
/** A pause this long was one: things stood still until just before its end. */
const PAUSE_MS = 70;
const KEPT = 90;
/** Beside the ship and downwards at this speed (metres a second), a piece is falling. */
const FALL_SPEED = -0.15;

/** Everything at one moment. */
export interface Picture {
  time: number;
  /** Whether a frame has told it; others are made up between frames. */
  isTold?: true;
  ship: Stand;
  pieces: Map<number, Pose>;
}

/** Resting poses, as the server attaches them. */
export interface Resting {
  ship: Stand;
  pieces: { id: number; piece: string; area: number; at: Vec; turn: Quat }[];
}

export const EMPTY: Resting = { ship: [0, 0], pieces: [] };

/** How far the ship reaches along and athwart. */
export type Reach = [x: number, y: number];

export class Motion {
  /** Numbers of the pieces that are falling now. */
  falling: ReadonlySet<number> = new Set();
  /** Called when there is something new to show. */
  onFrame: () => void = () => {};

  #pictures: Picture[];
  #reach: Reach;
  #kept: number;
  /** Local time less the world's, for the quickest frames of late. */
  #lag: number | null = null;

  /** `kept`: how many pictures one can go back. */
  constructor(rest: Resting, reach: Reach = [Infinity, Infinity], kept = KEPT) {
    const pieces = rest.pieces.map(({ id, at, turn }): [number, Pose] => [id, { at, turn }]);
    this.#pictures = [{ time: 0, ship: rest.ship, pieces: new Map(pieces) }];
    this.#reach = reach;
    this.#kept = kept;
  }

  get newest(): Picture {
    return this.#pictures.at(-1)!;
  }

  /** Takes in a frame of the world's time `time` that came at `now`; `held` is in the hand. */
  add(told: Told, time: number, now: number, held: number | null = null): void {
    const lag = now - time;
    if (this.#lag === null || lag < this.#lag) this.#lag = lag;
    else this.#lag += (lag - this.#lag) * 0.05; // the server may have slowed down
    const before = this.newest;
    if (time - before.time > PAUSE_MS) {
      const { ship, pieces } = before;
      this.#pictures.push({ time: time - FRAME_MS, ship, pieces });
    }
    const pieces = new Map(told.isWhole ? [] : before.pieces);
    for (const [id, pose] of told.pieces) {
      if (pose === null) pieces.delete(id);
      else pieces.set(id, pose);
    }
    const picture: Picture = { time, isTold: true, ship: told.ship, pieces };
    this.#watch(told, before, picture, held);
    if (time === before.time) this.#pictures.pop();
    this.#pictures.push(picture);
    this.#pictures.splice(0, this.#pictures.length - this.#kept);
    this.onFrame();
  }

  /** The world's time that is shown at `now`. */
  shownAt(now: number): number {
    if (this.#lag === null) return this.newest.time;
    return Math.max(0, Math.min(now - this.#lag - LATE_MS, this.newest.time));
  }

  /** Whether the picture at `now` is still on its way to the newest one. */
  isBehind(now: number): boolean {
    return this.shownAt(now) < this.newest.time;
  }

  /** The time of the newest frame that shows in the picture of a time; null if none does. */
  frameAt(time: number): number | null {
    return this.#pictures.findLast((picture) => picture.isTold && picture.time <= time)?.time ?? null;
  }

  /** The picture of a time of the world. */
  at(time: number): Picture {
    const after = this.#pictures.findIndex((picture) => picture.time >= time);
    if (after < 0) return this.newest;
    const next = this.#pictures[after]!;
    const last = this.#pictures[after - 1];
    if (last === undefined || next.time === last.time) return next;
    const share = (time - last.time) / (next.time - last.time);
    const pieces = new Map<number, Pose>();
    for (const [id, pose] of last.pieces) {
      const there = next.pieces.get(id);
      pieces.set(id, there === undefined || there === pose ? pose : mix(pose, there, share));
    }
    const ship: Stand = [
      last.ship[0] + (next.ship[0] - last.ship[0]) * share,
      last.ship[1] + (next.ship[1] - last.ship[1]) * share,
    ];
    return { time, ship, pieces };
  }

  /** The frame says that something falls, not what: that is seen. */
  #watch(told: Told, before: Picture, now: Picture, held: number | null): void {
    if (!told.isFalling) {
      if (this.falling.size > 0) this.falling = new Set();
      return;
    }
    const seconds = ((now.time - before.time) / 1000) * told.tempo;
    const isMoving = (id: number) => now.pieces.has(id) && now.pieces.get(id) !== before.pieces.get(id);
    const falling = new Set([...this.falling].filter(isMoving));
    for (const [id, pose] of now.pieces) {
      const was = before.pieces.get(id);
      if (was === undefined || id === held || seconds <= 0) continue;
      const [x, y] = inShip(now.ship, pose.at);
      const isBeside = Math.abs(x) > this.#reach[0] || Math.abs(y) > this.#reach[1];
      if (isBeside && (pose.at[2] - was.at[2]) / seconds < FALL_SPEED) falling.add(id);
    }
    this.falling = falling;
  }
}

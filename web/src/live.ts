/**
 * A world that runs on the server in real time, as this browser hears of it; `docs/live-worlds.md`
 * has the bytes. Nothing here knows a game.
 */

import type { WorldTold } from "./protocol";

const KIND = 1;
const HEAD_BYTES = 12;

/** One message of a world. */
export interface Frame {
  /** At how many percent of real time the server can run its worlds. */
  pace: number;
  decision: number;
  /** Milliseconds since the world opened. */
  time: number;
  /** When it came (`performance.now()`). */
  at: number;
  /** The game's own bytes. */
  body: DataView;
}

/** The frame a binary message is, or null if it is none. */
export function readFrame(data: ArrayBuffer, at: number): Frame | null {
  if (data.byteLength < HEAD_BYTES) return null;
  const head = new DataView(data, 0, HEAD_BYTES);
  if (head.getUint8(0) !== KIND) return null;
  return {
    pace: head.getUint8(1),
    decision: head.getUint32(4, true),
    time: head.getUint32(8, true),
    at,
    body: new DataView(data, HEAD_BYTES),
  };
}

/** A world from when it is told until the next one is, with every frame of it. */
export class OpenWorld {
  readonly decision: number;
  /** Whose hand it takes. */
  readonly seat: number;
  /** What the game says of it before the first frame. */
  readonly told: Record<string, unknown>;

  #frames: Frame[] = [];
  #hearers = new Set<(frame: Frame) => void>();

  constructor({ decision, seat, world }: Pick<WorldTold, "decision" | "seat" | "world">) {
    this.decision = decision;
    this.seat = seat;
    this.told = world;
  }

  /** Frames tell changes only: whoever comes late hears them all, then each as it comes. */
  listen(hear: (frame: Frame) => void): () => void {
    for (const frame of this.#frames) hear(frame);
    this.#hearers.add(hear);
    return () => this.#hearers.delete(hear);
  }

  /** Takes in a frame; one of another world is dropped. */
  hear(frame: Frame): void {
    if (frame.decision !== this.decision) return;
    this.#frames.push(frame);
    for (const hear of this.#hearers) hear(frame);
  }
}

/** What a game's table gets. */
export interface Live {
  readonly world: OpenWorld | null;
  /** What the hand does; `seen` is the time of the newest frame that was drawn. */
  gesture(does: Record<string, unknown>, seen: number): void;
}

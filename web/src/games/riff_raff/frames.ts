/** The bytes of a loading: `docs/live-worlds.md` says what they mean. */

import type { Pose, Quat, Stand } from "../../table3d/poses";

const PLACE = 1e-4;
const ANGLE = 1e-4;
const ROOT = 32767 * Math.SQRT2;
const GONE = -32768;
const HEAD_BYTES = 12;
const POSE_BYTES = 12;

/** What a frame tells. */
export interface Told {
  isWhole: boolean;
  hasLetGo: boolean;
  isTouching: boolean;
  isIntruding: boolean;
  isFalling: boolean;
  isSteady: boolean;
  /** The area the piece in the hand is over, 0 if none. */
  over: number;
  /** The loudest knock, from 0 to 1. */
  knock: number;
  /** How fast time runs, 1 as usual. */
  tempo: number;
  ship: Stand;
  /** What has moved, by number; null: it is gone. */
  pieces: Map<number, Pose | null>;
}

export function readTold(body: DataView): Told {
  const flags = body.getUint8(0);
  const mask = body.getUint32(8, true);
  const pieces: Told["pieces"] = new Map();
  let at = HEAD_BYTES;
  for (let id = 0; id < 32; id++) {
    if (((mask >>> id) & 1) === 0) continue;
    pieces.set(id, readPose(body, at));
    at += POSE_BYTES;
  }
  return {
    isWhole: (flags & 1) !== 0,
    hasLetGo: (flags & 2) !== 0,
    isTouching: (flags & 4) !== 0,
    isIntruding: (flags & 8) !== 0,
    isFalling: (flags & 16) !== 0,
    isSteady: (flags & 32) !== 0,
    over: body.getUint8(1),
    knock: body.getUint8(2) / 255,
    tempo: body.getUint8(3) / 100,
    ship: [body.getInt16(4, true) * ANGLE, body.getInt16(6, true) * ANGLE],
    pieces,
  };
}

function readPose(body: DataView, at: number): Pose | null {
  const part = (place: number) => body.getInt16(at + 2 * place, true);
  if (part(0) === GONE && part(1) === GONE && part(2) === GONE) return null;
  const largest = part(3) & 3;
  const [a, b, c] = [(part(3) & ~3) / ROOT, part(4) / ROOT, part(5) / ROOT];
  const rest = Math.sqrt(Math.max(0, 1 - a * a - b * b - c * c));
  const turns: Quat[] = [
    [rest, a, b, c],
    [a, rest, b, c],
    [a, b, rest, c],
    [a, b, c, rest],
  ];
  return { at: [part(0) * PLACE, part(1) * PLACE, part(2) * PLACE], turn: turns[largest]! };
}

/** The frames a record keeps: base64 of a raw deflate stream, each with its time and length. */
export async function readMotion(text: string): Promise<{ time: number; told: Told }[]> {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const data = new DataView(await new Response(stream).arrayBuffer());
  const frames = [];
  for (let at = 0; at + 6 <= data.byteLength; ) {
    const size = data.getUint16(at + 4, true);
    const body = new DataView(data.buffer, at + 6, size);
    frames.push({ time: data.getUint32(at, true), told: readTold(body) });
    at += 6 + size;
  }
  return frames;
}

/** The loadings of a finished game that can be watched again, from its record. */

import { readMotion } from "./frames";
import { Motion, type Resting } from "./motion";

interface Entry {
  by: number | "nature";
  do: string;
  with?: { poses?: Resting; motion?: string };
}

/** One loading: whose, what came of it, and the motion everybody saw. */
export interface Reel {
  seat: number;
  piece: string;
  area: number;
  isFall: boolean;
  motion: string;
}

/** All loadings of a log, in order. */
export function reelsOf(log: readonly Entry[]): Reel[] {
  const reels: Reel[] = [];
  const cards = new Map<number, number>();
  let seat = 0;
  for (const entry of log) {
    const [verb = "", what = ""] = entry.do.split(" ");
    if (verb === "card") cards.set(Number(entry.by), Number(what));
    if (verb === "take") seat = Number(entry.by);
    const motion = entry.with?.motion;
    if (verb !== "settle" || motion === undefined) continue;
    const [piece = ""] = what.split("=");
    const isFall = / (fell|caught) |=fell/.test(entry.do);
    reels.push({ seat, piece, area: cards.get(seat) ?? 0, isFall, motion });
  }
  return reels;
}

/** The motion of a reel, and how long it takes. */
export async function unreel(reel: Reel): Promise<{ motion: Motion; from: number; to: number }> {
  const frames = await readMotion(reel.motion);
  const motion = new Motion({ ship: [0, 0], pieces: [] }, undefined, Infinity);
  for (const { time, told } of frames) motion.add(told, time, time);
  return { motion, from: frames[0]?.time ?? 0, to: frames.at(-1)?.time ?? 0 };
}

/** What is in the box, as the server tells it: `GET /api/games/riff-raff/kit`. Millimetres, degrees. */

import { about, degrees, MM, multiply, type Part, type Quat, type Vec } from "../../table3d/poses";
import { PIECES, type Piece } from "./view";

export { MM, type Part };

export interface Area {
  from: [x: number, y: number];
  to: [x: number, y: number];
  top: number;
}

export interface Kit {
  water: { depth: number };
  hand: { leash: number; top: number; reach: number };
  /** By their number; `hang` says from where on below a surface cargo belongs to it. */
  areas: Record<string, Area> & { hang: never };
  ship: { parts: Part[] };
  pieces: Record<Piece, { count: number; sides: [x: number, y: number][]; parts: Part[] }>;
}

let asked: Promise<Kit> | null = null;

/** The kit; asked for once. */
export function loadKit(): Promise<Kit> {
  asked ??= fetch("/api/games/riff-raff/kit").then((answer) => {
    if (!answer.ok) throw new Error(`no kit: ${answer.status}`);
    return answer.json() as Promise<Kit>;
  });
  asked.catch(() => (asked = null));
  return asked;
}

const COPIES = 4;

/** The shape of a piece by its number. */
export const pieceOf = (id: number): Piece => PIECES[Math.floor(id / COPIES)]!;

export function areaOf(kit: Kit, area: number): Area {
  return kit.areas[String(area)]!;
}

/** One of the ways to put a piece down. */
export function sideOf(kit: Kit, piece: Piece, side: number): Quat {
  const [x, y] = kit.pieces[piece].sides[side] ?? [0, 0];
  return multiply(about([1, 0, 0], degrees(x)), about([0, 1, 0], degrees(y)));
}

/** How far from the pivot the ship reaches, along and athwart, in metres. */
export function reachOf(kit: Kit): [x: number, y: number] {
  const ends = [1, 2, 3, 4].map((area) => areaOf(kit, area));
  const most = (axis: 0 | 1) => Math.max(...ends.flatMap(({ from, to }) => [-from[axis], to[axis]]));
  return [most(0) * MM, most(1) * MM];
}

/** The middle of an area's surface, in metres of the ship's frame. */
export function middleOf({ from, to, top }: Area): Vec {
  return [((from[0] + to[0]) / 2) * MM, ((from[1] + to[1]) / 2) * MM, top * MM];
}

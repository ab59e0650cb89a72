/** Seen from above: the outline of a piece on its area, in millimetres. */

import { rotate, type Quat, type Vec } from "../../table3d/poses";
import { MM, type Kit, type Part } from "./kit";
import type { Piece } from "./view";

export type Point = [x: number, y: number];

const ROUND = [0, 1, 2, 3, 4, 5, 6, 7].map((step) => (step * Math.PI) / 4);

/** Points that stand for a part: corners, or balls around its ends. */
function pointsOf(part: Part): Vec[] {
  if (part.kind === "box") {
    const [x, y, z] = part.at;
    const [a, b, c] = part.size;
    return [-0.5, 0.5].flatMap((i) =>
      [-0.5, 0.5].flatMap((j) => [-0.5, 0.5].map((k): Vec => [x + i * a, y + j * b, z + k * c])),
    );
  }
  const { radius: r } = part;
  const ends = part.kind === "sphere" ? [part.at] : [part.from, part.to];
  return ends.flatMap(([x, y, z]) =>
    ROUND.flatMap((angle): Vec[] => {
      const [c, s] = [r * Math.cos(angle), r * Math.sin(angle)];
      // a cylinder's ends are flat
      if (part.kind === "cylinder" && part.from[0] === part.to[0]) return [[x + c, y + s, z]];
      if (part.kind === "cylinder") return [[x, y + c, z + s]];
      return [[x + c, y + s, z], [x + c, y, z + s]];
    }),
  );
}

/** The smallest convex outline around some points, counter-clockwise. */
export function outline(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (all: readonly Point[]): Point[] => {
    const kept: Point[] = [];
    for (const point of all) {
      for (;;) {
        const [a, b] = [kept.at(-2), kept.at(-1)];
        if (!a || !b) break;
        const turn = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
        if (turn > 1e-9) break;
        kept.pop();
      }
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** What a piece covers from above: at a place of the ship (metres), turned. */
export function footprint(kit: Kit, piece: Piece, [x, y]: Vec, turn: Quat): Point[] {
  const points = kit.pieces[piece].parts.flatMap(pointsOf).map((point): Point => {
    const [a, b] = rotate(turn, point);
    return [x / MM + a, y / MM + b];
  });
  return outline(points);
}

/** What there is to look at: the whole ship, or the area a piece goes to, and the angle that shows it. */

import { bestAngle, type Angle, type Box } from "../../table3d/angle";
import { rotate, shipTurn, type Vec } from "../../table3d/poses";
import { areaOf, MM, type Kit } from "./kit";
import type { Picture } from "./motion";

const corners = (low: Vec, high: Vec): Vec[] =>
  [low[0], high[0]].flatMap((x) =>
    [low[1], high[1]].flatMap((y) => [low[2], high[2]].map((z): Vec => [x, y, z])),
  );

const WHOLE = corners([-0.19, -0.06, -0.03], [0.18, 0.06, 0.29]);
/** Half of a piece, roughly: pieces stand in the way too. */
const PIECE = 0.011;

/** What stands on the ship or belongs to it, as boxes. */
function obstacles(kit: Kit, picture: Picture): Box[] {
  const boxes = kit.ship.parts.flatMap((part): Box[] => {
    if (part.kind !== "box") return [];
    const edge = (sign: number): Vec => part.at.map((at, axis) => (at + (sign * part.size[axis]!) / 2) * MM) as Vec;
    return [{ low: edge(-1), high: edge(1) }];
  });
  for (const { at } of picture.pieces.values()) {
    const edge = (by: number): Vec => [at[0] + by, at[1] + by, at[2] + by];
    boxes.push({ low: edge(-PIECE), high: edge(PIECE) });
  }
  return boxes;
}

/** Points all over an area's surface. */
function surface(kit: Kit, area: number): Vec[] {
  const { from, to, top } = areaOf(kit, area);
  return [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((along) =>
    [0.15, 0.5, 0.85].map((across): Vec => [
      (from[0] + along * (to[0] - from[0])) * MM,
      (from[1] + across * (to[1] - from[1])) * MM,
      (top + 3) * MM,
    ]),
  );
}

/** What shall be in the picture, and from where one sees most of it; `held` is where one's hand is. */
export function lookOut(
  kit: Kit,
  picture: Picture,
  area: number | null,
  held: Vec | null,
): { points: Vec[]; angle: Angle } {
  if (area === null) return { points: WHOLE, angle: bestAngle([], []) };
  const { from, to, top } = areaOf(kit, area);
  const usual = { azimuth: from[0] + to[0] < 0 ? -0.3 : 0.3, elevation: area <= 4 ? 0.42 : 0.3 };
  const low: Vec = [Math.max(from[0] - 90, -200) * MM, -0.09, Math.max(top - 75, -30) * MM];
  const high: Vec = [Math.min(to[0] + 90, 200) * MM, 0.06, (top + 75) * MM];
  const angle = bestAngle(surface(kit, area), obstacles(kit, picture), usual);
  if (held === null) return { points: WHOLE, angle };
  const turn = shipTurn(picture.ship);
  const points = corners(low, high).map((point) => rotate(turn, point));
  for (const by of [-0.03, 0.03]) points.push([held[0] + by, held[1], held[2] + by]);
  return { points, angle };
}

/** Where what falls is, and where it goes into the water. */
export function wayDown(kit: Kit, { pieces }: Picture, falling: readonly number[]): Vec[] {
  return falling.flatMap((id): Vec[] => {
    const at = pieces.get(id)?.at;
    return at === undefined ? [] : [at, [at[0], at[1], -kit.water.depth * MM]];
  });
}

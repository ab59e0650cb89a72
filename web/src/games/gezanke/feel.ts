/** What fingers feel and a pointer does not: the line where a plank belongs, and that a pirate stands. */

/** So far a plank stays on its line though the pointer is past it, in millimetres. */
const CATCH = 5;
/** So near to its line it is drawn there. */
const CLICK = 1.5;
/** Of how far the pointer goes on below the feet of one who stands, so much is pressed. */
const GIVE = 0.1;

type Point = readonly [x: number, z: number];

/** Where the hand is when the pointer wishes it there. Whoever goes on past what is felt means it. */
export function felt(does: "slide" | "lift" | "set" | "board", [x, z]: Point, from: Point, to: Point): Point {
  if (does !== "slide") return [x, z < 0 ? z * GIVE : z];
  const side = Math.sign(to[0] - from[0]);
  const past = side * (x - to[0]);
  if (past < -CLICK) return [x, 0];
  return [past <= CATCH ? to[0] : x - side * CATCH, 0];
}

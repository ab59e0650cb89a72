/** Tiles and actions as the server writes them. Nothing here knows what may be done. */

import { KINDS, type Kind } from "./view";

/** What a tile shows. */
export type Face =
  | { kind: "part"; name: string }
  | { kind: "sail" }
  | { kind: Kind; design: string }
  | { kind: "hidden" };

/** `p5`, `deck-b2`, `sail-3`, `?`. */
export function faceOf(tile: string): Face {
  if (tile === "?") return { kind: "hidden" };
  if (/^p\d+$/.test(tile)) return { kind: "part", name: tile };
  const [name = "", copy = ""] = tile.split("-");
  if (name === "sail") return { kind: "sail" };
  const kind = KINDS.find((other) => other === name);
  const design = copy.replace(/\d+$/, "");
  if (kind === undefined || design === "") throw new Error(`'${tile}' is no tile`);
  return { kind, design };
}

export function isPart(tile: string): boolean {
  return faceOf(tile).kind === "part";
}

/** How much of the three designs drawn there is: further letters look like earlier ones, lettered. */
const DRAWN = "abc";

/** The drawing of an add-on. */
export function drawingOf(face: { kind: Kind; design: string }): string {
  const place = face.design.charCodeAt(0) - DRAWN.charCodeAt(0);
  return `pt-${face.kind}-${DRAWN[place % DRAWN.length]}`;
}

/** How many stones one may put down at once, by the actions on offer. */
export function mostStones(legal: readonly string[]): number {
  const counts = legal.flatMap((text) => (text.startsWith("drop ") ? [Number(text.split(" ")[1])] : []));
  return Math.max(0, ...counts);
}

/** The bids on offer, smallest first. */
export function bidsIn(legal: readonly string[]): number[] {
  const bids = legal.flatMap((text) => (text.startsWith("bid ") ? [Number(text.slice(4))] : []));
  return bids.sort((a, b) => a - b);
}

/** The tiles one may take. */
export function takesIn(legal: readonly string[]): string[] {
  return legal.flatMap((text) => (text.startsWith("take ") ? [text.slice(5)] : []));
}

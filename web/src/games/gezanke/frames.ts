/** The bytes of a hand's frame; `docs/live-worlds.md` has the table. */

export interface Told {
  hasBegun: boolean;
  isTouching: boolean;
  isDone: boolean;
  /** Across the ship and above the plank, in millimetres. */
  x: number;
  z: number;
  figures: Figures;
}

export const FIGURES = ["speed", "press", "kick", "over"] as const;
export type Figure = (typeof FIGURES)[number];
export type Figures = Record<Figure, number>;

const BEGUN = 2;
const TOUCHING = 4;
const DONE = 8;

export function readTold(body: DataView): Told {
  const flags = body.getUint8(0);
  const figures = Object.fromEntries(
    FIGURES.map((figure, place) => [figure, body.getUint16(6 + 2 * place, true)]),
  ) as Figures;
  return {
    hasBegun: (flags & BEGUN) !== 0,
    isTouching: (flags & TOUCHING) !== 0,
    isDone: (flags & DONE) !== 0,
    x: body.getInt16(2, true) / 10,
    z: body.getInt16(4, true) / 10,
    figures,
  };
}

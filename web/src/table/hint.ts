/** A hint as it is drawn: a bar for every action, long where much is expected. */

import type { HintTold } from "../protocol";

export interface Bar {
  do: string;
  /** What is expected of it, as it is written; null for an action that was not tried. */
  expected: string | null;
  /** Of the longest bar. */
  percent: number;
}

/** The shortest bar, so that one sees there is one. */
const LEAST = 4;
const LEAST_RANGE = { score: 2, chance: 0.1 };
const LEAST_PART = 0.1;

const WRITTEN = {
  score: (value: number) => value.toFixed(1),
  chance: (value: number) => `${Math.round(100 * value)} %`,
};

/**
 * The best action has the longest bar, one that is worse by the whole range the shortest. The range
 * is never so small that a difference of no account looks like a large one. The order is kept.
 */
export function barsOf({ moves, unit }: Pick<HintTold, "moves" | "unit">): Bar[] {
  const values = moves.flatMap((move) => (move.expected === null ? [] : [move.expected]));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const range = Math.max(high - low, LEAST_RANGE[unit], LEAST_PART * Math.max(-low, high));
  return moves.map((move) => {
    if (move.expected === null) return { do: move.do, expected: null, percent: 0 };
    const part = 1 - (high - move.expected) / range;
    return {
      do: move.do,
      expected: WRITTEN[unit](move.expected),
      percent: Math.round(LEAST + (100 - LEAST) * part),
    };
  });
}

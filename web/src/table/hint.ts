/** A hint as it is drawn: a bar for every action, long where much is expected. */

import type { HintMove } from "../protocol";

export interface Bar {
  do: string;
  /** The expected score, to one place; null for an action that was not tried. */
  expected: string | null;
  /** Of the longest bar. */
  percent: number;
}

/** The shortest bar, so that one sees there is one. */
const LEAST = 4;
const LEAST_RANGE = 2;
const LEAST_PART = 0.1;

/**
 * The best action has the longest bar, one that is worse by the whole range the shortest. The range
 * is never so small that a difference of no account looks like a large one. The order is kept.
 */
export function barsOf(moves: readonly HintMove[]): Bar[] {
  const values = moves.flatMap((move) => (move.expected === null ? [] : [move.expected]));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const range = Math.max(high - low, LEAST_RANGE, LEAST_PART * Math.max(-low, high));
  return moves.map((move) => {
    if (move.expected === null) return { do: move.do, expected: null, percent: 0 };
    const part = 1 - (high - move.expected) / range;
    return {
      do: move.do,
      expected: move.expected.toFixed(1),
      percent: Math.round(LEAST + (100 - LEAST) * part),
    };
  });
}

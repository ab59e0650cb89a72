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

/** The worst action tried has the shortest bar, the best the longest. The order is kept. */
export function barsOf(moves: readonly HintMove[]): Bar[] {
  const values = moves.flatMap((move) => (move.expected === null ? [] : [move.expected]));
  const low = Math.min(...values);
  const range = Math.max(...values) - low;
  return moves.map((move) => {
    if (move.expected === null) return { do: move.do, expected: null, percent: 0 };
    const part = range > 0 ? (move.expected - low) / range : 1;
    return {
      do: move.do,
      expected: move.expected.toFixed(1),
      percent: Math.round(LEAST + (100 - LEAST) * part),
    };
  });
}

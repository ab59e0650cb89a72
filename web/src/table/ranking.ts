/** Who came where. */

export interface Place {
  seat: number;
  /** From 1; those with equal scores share a place. */
  rank: number;
  score: number;
  won: boolean;
}

/** The seats by score, winners first: after a resignation the scores do not say who won. */
export function ranking(scores: readonly number[], winners: readonly number[]): Place[] {
  const order = scores
    .map((score, seat) => ({ seat, score, won: winners.includes(seat) }))
    .sort((a, b) => Number(b.won) - Number(a.won) || b.score - a.score || a.seat - b.seat);
  const isLevel = (a: (typeof order)[number], b: (typeof order)[number]) =>
    a.won === b.won && (a.won || a.score === b.score);
  return order.map((place) => ({
    ...place,
    rank: order.findIndex((other) => isLevel(other, place)) + 1,
  }));
}

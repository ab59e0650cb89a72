/** Where everybody sits, seen from one seat: place 0 is below, the others go clockwise. */

/** How far from the left and from the top of the board a seat's plate is, in per cent. */
export type Anchor = readonly [number, number];

const PLATES: Record<number, readonly Anchor[]> = {
  2: [[50, 0]],
  3: [[9, 10], [91, 10]],
  4: [[0, 42], [50, 0], [100, 42]],
  5: [[0, 56], [17, 0], [83, 0], [100, 56]],
  6: [[0, 60], [8, 0], [50, 0], [92, 0], [100, 60]],
};

/** Where a card lies in the middle, in widths and heights of a card from the centre. */
const CARDS: Record<number, readonly Anchor[]> = {
  2: [[0.2, 0.56], [-0.2, -0.56]],
  3: [[0, 0.56], [-0.68, -0.56], [0.68, -0.56]],
  4: [[0, 0.58], [-1.16, 0], [0, -0.58], [1.16, 0]],
  5: [[0, 0.58], [-1.16, 0.44], [-0.6, -0.58], [0.6, -0.58], [1.16, 0.44]],
  6: [[0, 0.58], [-1.16, 0.5], [-1.16, -0.56], [0, -0.6], [1.16, -0.56], [1.16, 0.5]],
};

export function placeOf(seat: number, own: number, players: number): number {
  return (seat - own + players) % players;
}

export function plateAt(place: number, players: number): Anchor {
  return PLATES[players]?.[place - 1] ?? [50, 0];
}

export function cardAt(place: number, players: number): Anchor {
  return CARDS[players]?.[place] ?? [0, 0];
}

export interface Played {
  seat: number;
  card: string;
}

/** A trick as it lies: who played what, from the leader on. */
export function trickOf(leader: number | null, cards: readonly string[], players: number): Played[] {
  return cards.map((card, turn) => ({ seat: ((leader ?? 0) + turn) % players, card }));
}

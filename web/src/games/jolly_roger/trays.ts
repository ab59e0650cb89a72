/** Where the five cards and the two trays lie while they are split, or picked from. */

export type Side = 0 | 1;

const PAD = 8;
const GAP = 6;
/** Between the trays: a cutlass. */
const DIVIDE = 30;
/** An empty tray is still a place for a finger. */
const EMPTY = 64;

export interface Laid {
  cardWidth: number;
  /** From the left edge, for each card in order. */
  cards: number[];
  trays: { x: number; width: number }[];
  divide: number;
}

/** The trays for cards on these sides, in a space so wide, the cards at most `widest`. */
export function layTrays(sides: readonly Side[], width: number, widest: number): Laid {
  const cardWidth = Math.max(
    30,
    Math.min(widest, Math.floor((width - DIVIDE - 4 * PAD + 2 * GAP) / sides.length) - GAP),
  );
  const counts = [0, 1].map((side) => sides.filter((other) => other === side).length);
  const natural = counts.map((count) => (count ? count * (cardWidth + GAP) - GAP + 2 * PAD : EMPTY));
  const most = width - DIVIDE;
  const widths = natural.map((want, side) =>
    counts[side] ? Math.min(want, most - (natural[1 - side] ?? 0)) : want,
  );
  const steps = counts.map((count, side) =>
    count > 1 ? Math.min(cardWidth + GAP, ((widths[side] ?? 0) - 2 * PAD - cardWidth) / (count - 1)) : 0,
  );
  const start = Math.max((width - (widths[0] ?? 0) - (widths[1] ?? 0) - DIVIDE) / 2, 0);
  const trays = [
    { x: start, width: widths[0] ?? 0 },
    { x: start + (widths[0] ?? 0) + DIVIDE, width: widths[1] ?? 0 },
  ];
  const met = [0, 0];
  const cards = sides.map((side) => {
    const place = met[side]!++;
    return (trays[side]?.x ?? 0) + PAD + place * (steps[side] ?? 0);
  });
  return { cardWidth, cards, trays, divide: (trays[0]?.x ?? 0) + (trays[0]?.width ?? 0) + DIVIDE / 2 };
}

/** How the own cards lie: one fan, or two rows where a finger could not tell them apart. */

const FINGER = 44;
/** How much of the upper row shows above the lower one. */
const ROW_SHARE = 0.7;

export interface Fan {
  rows: number;
  /** How many lie in each row, the upper one first. */
  inRow: number[];
  cardWidth: number;
  /** From one card to the next. */
  step: number;
  height: number;
}

/** The fan for so many cards in a space so wide, its cards at most `widest`. */
export function fanFor(cards: number, width: number, widest: number, spacing = 0.8): Fan {
  const single = widest + FINGER * (cards - 1);
  const rows = single > width && cards > 5 ? 2 : 1;
  const upper = Math.ceil(cards / rows);
  const inRow = rows === 2 ? [upper, cards - upper] : [cards];
  const room = Math.max(width - widest, 0);
  const step = upper > 1 ? Math.min(room / (upper - 1), widest * (rows === 2 ? 1.06 : spacing)) : 0;
  const cardHeight = widest * 1.4;
  const fan = { rows, inRow, cardWidth: widest, step, height: 0 };
  const lowest = rows === 2 ? cardHeight * ROW_SHARE : spotOf(0, fan).y;
  return { ...fan, height: cardHeight + lowest };
}

export interface Spot {
  row: number;
  x: number;
  y: number;
  turn: number;
}

/** Where the card at a place lies: its middle from the middle of the fan, and how it is turned. */
export function spotOf(place: number, fan: Fan): Spot {
  const row = place < (fan.inRow[0] ?? 0) ? 0 : 1;
  const inRow = fan.inRow[row] ?? 1;
  const column = row === 0 ? place : place - (fan.inRow[0] ?? 0);
  const off = column - (inRow - 1) / 2;
  const x = off * fan.step;
  if (fan.rows === 2) return { row, x, y: row * fan.cardWidth * 1.4 * ROW_SHARE, turn: 0 };
  // on an arc so wide that the cards stay as far apart as they are
  const each = Math.min(1.6, 11 / inRow);
  const radius = fan.step / Math.sin((each * Math.PI) / 180);
  const turn = off * each;
  return { row, x, y: radius * (1 - Math.cos((turn * Math.PI) / 180)), turn };
}

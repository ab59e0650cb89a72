/** The score curve: from totals after each hand to lines, marks and labels that do not overlap. */

export interface Box {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Line {
  seat: number;
  points: { x: number; y: number }[];
  path: string;
  labelY: number;
}

export interface Chart {
  lines: Line[];
  ticks: { value: number; y: number }[];
  hands: { hand: number; x: number }[];
}

const STEPS = [10, 20, 50, 100, 200, 500];
const MOST_TICKS = 6;

/** Round values from below the lowest to above the highest, zero among them. */
export function ticksFor(low: number, high: number): number[] {
  const step = STEPS.find((size) => (high - low) / size <= MOST_TICKS) ?? 1000;
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** Moves labels apart until each has its height, keeping their order, within the box. */
export function spread(wanted: readonly number[], apart: number, low: number, high: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const placed = [...wanted];
  let edge = low;
  for (const i of order) {
    placed[i] = Math.max(placed[i]!, edge);
    edge = placed[i]! + apart;
  }
  edge = high;
  for (const i of order.reverse()) {
    placed[i] = Math.min(placed[i]!, edge);
    edge = placed[i]! - apart;
  }
  return placed;
}

/** `totals[hand][seat]` after each hand played; every line starts at nothing. */
export function chartOf(totals: readonly (readonly number[])[], hands: number, box: Box): Chart {
  const players = totals[0]?.length ?? 0;
  const rows = [Array<number>(players).fill(0), ...totals];
  const all = rows.flat();
  const values = ticksFor(Math.min(0, ...all), Math.max(10, ...all));
  const low = values[0]!;
  const high = values[values.length - 1]!;
  const x = (hand: number) => box.left + ((box.width - box.left - box.right) * hand) / hands;
  const y = (value: number) =>
    box.top + (box.height - box.top - box.bottom) * (1 - (value - low) / (high - low));
  const ends = Array.from({ length: players }, (_, seat) => y(rows[rows.length - 1]![seat]!));
  const labels = spread(ends, 15, box.top, box.height - box.bottom);
  return {
    ticks: values.map((value) => ({ value, y: y(value) })),
    hands: Array.from({ length: hands }, (_, i) => ({ hand: i + 1, x: x(i + 1) })),
    lines: Array.from({ length: players }, (_, seat) => {
      const points = rows.map((row, hand) => ({ x: x(hand), y: y(row[seat]!) }));
      const path = points
        .map((point, i) => `${i ? "L" : "M"}${point.x.toFixed(1)} ${point.y.toFixed(1)}`)
        .join("");
      return { seat, points, path, labelY: labels[seat]! };
    }),
  };
}

/** The score pad, read for showing: what each hand brought, and how the totals ran. */

export interface Note {
  bid: number;
  points: number;
}

/** A line a hand, null until it is played; in it a note a seat. */
export type Pad = readonly (readonly Note[] | null)[];

export interface PadCell extends Note {
  total: number;
}

/** The pad with running totals, without the hands still to come. */
export function padLines(pad: Pad): PadCell[][] {
  const totals: number[] = [];
  const lines: PadCell[][] = [];
  for (const notes of pad) {
    if (notes === null) continue;
    lines.push(
      notes.map((note, seat) => {
        totals[seat] = (totals[seat] ?? 0) + note.points;
        return { ...note, total: totals[seat] };
      }),
    );
  }
  return lines;
}

/** For each hand played, whether it brought the seat points: a bid that was missed costs some. */
export function bidsMet(pad: Pad, seat: number): boolean[] {
  return pad.flatMap((notes) => (notes === null ? [] : [(notes[seat]?.points ?? 0) > 0]));
}

/** With a real minus: `20`, `−30`. */
export function plain(points: number): string {
  return points < 0 ? `−${-points}` : String(points);
}

/** The same with a plus: `+20`, `−30`, `0`. */
export function signed(points: number): string {
  return points > 0 ? `+${points}` : plain(points);
}

/** The points at the end, line by line, in the order they are told. */

import { EMPTY_FIELDS, TITLES, type Reckoning } from "./view";

export interface Line {
  /** What it is for: a title, the connections, a kind of empty fields, or the sets. */
  about: "title" | "connections" | "empty" | "sets";
  name: string;
  /** By seat. */
  points: number[];
  total: number[];
}

export function reckon(reckoning: Reckoning): Line[] {
  let total = reckoning.totals.map(() => 0);
  const line = (about: Line["about"], name: string, points: number[]): Line => {
    total = total.map((sum, seat) => sum + (points[seat] ?? 0));
    return { about, name, points, total };
  };
  return [
    ...TITLES.map((name) => line("title", name, reckoning.titles[name])),
    line("connections", "", reckoning.connections.map(([, , points]) => points)),
    ...EMPTY_FIELDS.map((name) => line("empty", name, reckoning.empty[name])),
    line("sets", "", reckoning.sets.map((sets) => sets.reduce((sum, set) => sum + set.points, 0))),
  ];
}

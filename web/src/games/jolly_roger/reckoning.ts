/** The gold at the end, step by step: the chests first, then ship by ship. */

import { SHIPS, type Both, type Ship, type View } from "./view";

export interface Line {
  /** Null for the chests. */
  ship: Ship | null;
  gold: Both<number>;
  total: Both<number>;
}

export function reckon(view: View): Line[] {
  const total: Both<number> = [0, 0];
  const line = (ship: Ship | null, gold: Both<number>): Line => {
    for (const seat of [0, 1] as const) total[seat] += gold[seat];
    return { ship, gold, total: [...total] };
  };
  return [
    line(null, view.treasure),
    ...SHIPS.map((ship) => {
      const worth = (seat: number) => (view.captains[ship] === seat ? view.worth[ship] : 0);
      return line(ship, [worth(0), worth(1)]);
    }),
  ];
}

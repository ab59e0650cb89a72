/** The clocks of all seats, going on between two messages of the server. */

import type { TableProps } from "../games/game";
import { clockText, leftMs } from "./clock";

type Clocked = Pick<TableProps, "clocks" | "clocksAt" | "over">;

/** What a seat's clock shows now, null without one. To be called while a component is made. */
export function runClocks(given: () => Clocked): (seat: number) => string | null {
  let now = $state(performance.now());
  $effect(() => {
    if (!given().clocks?.running.length) return;
    const timer = setInterval(() => (now = performance.now()), 200);
    return () => clearInterval(timer);
  });
  return (seat) => {
    const { clocks, clocksAt, over } = given();
    if (clocks === null || over) return null;
    return clockText(leftMs(clocks, seat, Math.max(now - clocksAt, 0)));
  };
}

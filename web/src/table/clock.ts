/** A seat's clock between two messages of the server. */

import type { ClockState } from "../games/game";

export function leftMs(clocks: ClockState, seat: number, sinceMs: number): number {
  const left = clocks.left_ms[seat] ?? 0;
  return Math.max(clocks.running.includes(seat) ? left - sinceMs : left, 0);
}

/** `1:05`, and tenths when it gets tight. */
export function clockText(ms: number): string {
  if (ms < 10_000) return (Math.ceil(ms / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

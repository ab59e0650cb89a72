/** Whose cards a shared screen shows when several people play on it. */

/**
 * The seat whose turn it is at this screen: the one shown stays while it has something to do, else
 * the next of one's seats that has; with nothing to do, nothing changes.
 */
export function seatToShow(
  mine: readonly number[],
  shown: number | null,
  due: readonly number[],
): number | null {
  if (mine.length === 0) return null;
  const waiting = mine.filter((seat) => due.includes(seat));
  if (shown !== null && mine.includes(shown)) {
    if (waiting.length === 0 || waiting.includes(shown)) return shown;
    return waiting.find((seat) => seat > shown) ?? waiting[0]!;
  }
  return waiting[0] ?? mine[0]!;
}

/** Whether a curtain falls between two seats: not where one person plays both. */
export function needsCurtain(from: number | null, to: number, names: readonly string[]): boolean {
  return from !== to && (from === null || names[from] !== names[to]);
}

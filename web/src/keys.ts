/**
 * The keys of one's seats, kept in this browser. They are read anew each time and changed one table
 * at a time, so several tabs do not undo each other's work.
 */

import type { SeatKey } from "./protocol";
import { load, save } from "./storage";

/** What this browser keeps of a table. */
export interface KeptTable {
  game: string;
  /** The private tokens, by seat. */
  keys: SeatKey[];
  /** When somebody was last there, in milliseconds. */
  at: number;
  over: boolean;
}

const KEY = "tables";
const MOST = 60;

type Kept = Record<string, KeptTable>;

function read(): Kept {
  return load<Kept>(KEY, {});
}

/** Changes what is kept of one table; `change` answers null to forget it. */
function update(table: string, change: (kept: KeptTable) => KeptTable | null): void {
  const all = read();
  const changed = change(all[table] ?? { game: "", keys: [], at: 0, over: false });
  if (changed === null) delete all[table];
  else all[table] = changed;
  const newest = Object.entries(all).sort(([, a], [, b]) => b.at - a.at);
  save(KEY, Object.fromEntries(newest.slice(0, MOST)));
}

export function keptTable(table: string): KeptTable | null {
  return read()[table] ?? null;
}

/** The tables one has a seat at, the newest first. */
export function keptTables(): (KeptTable & { table: string })[] {
  return Object.entries(read())
    .map(([table, kept]) => ({ table, ...kept }))
    .filter((kept) => kept.keys.length > 0)
    .sort((a, b) => b.at - a.at);
}

export function tokensFor(table: string): string[] {
  return keptTable(table)?.keys.map((key) => key.token) ?? [];
}

/** Adds seats to those one has at a table already. */
export function keepKeys(table: string, game: string, keys: SeatKey[], now = Date.now()): void {
  update(table, (kept) => ({
    ...kept,
    game,
    at: now,
    keys: [...kept.keys.filter((old) => keys.every((key) => key.seat !== old.seat)), ...keys].sort(
      (a, b) => a.seat - b.seat,
    ),
  }));
}

/** Notes how the table stands; one that is over is not offered to go on with. */
export function noteTable(table: string, over: boolean, now = Date.now()): void {
  if (keptTable(table) !== null) update(table, (kept) => ({ ...kept, over, at: now }));
}

/** Gives up a seat. */
export function dropSeat(table: string, seat: number): void {
  update(table, (kept) => {
    const keys = kept.keys.filter((key) => key.seat !== seat);
    return keys.length > 0 ? { ...kept, keys } : null;
  });
}

export function forgetTable(table: string): void {
  update(table, () => null);
}

/** The keys of a table whose tokens open another one too: a rematch. */
export function carryKeys(from: string, to: string, now = Date.now()): void {
  const kept = keptTable(from);
  if (kept !== null && keptTable(to) === null) keepKeys(to, kept.game, kept.keys, now);
}

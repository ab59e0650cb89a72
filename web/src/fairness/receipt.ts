/**
 * What one browser has seen of a table: enough to say later whether the record is of that game.
 * `quarterdeck verify --receipt` reads it as it is written here.
 */

import type { Link, Roster, ViewTold } from "../protocol";
import { fromHex, sha256, toHex } from "../sha256";
import { canon, H, u64 } from "./bytes";
import { bytesOf } from "./roster";

/** An attempt to begin; its roster is null until it has come. */
export interface Attempt {
  attempt: number;
  /** The bytes of one's own seats, bound before the roster. */
  own: Record<number, string>;
  roster: Roster | null;
  names: (string | null)[];
  salts: (string | null)[];
  reveals: [number, string][] | null;
  /** The own seats whose hash the server has confirmed, and those whose bytes. */
  bound: number[];
  acked: number[];
  /** Whether the roster was kept before anybody's bytes were shown here; not handed out. */
  isEarly: boolean;
}

/** The links seen, in the order they came: ranges of their numbers, and a hash over all of them. */
export interface Seen {
  ranges: [number, number][];
  hash: string;
  /** The newest link; not part of what is handed out. */
  last: string | null;
}

/** The plies shown: ranges, each with the own seats whose part came too, and a hash over all. */
export interface Shown {
  plies: [number, number, number[]][];
  hash: string;
  /** The hash of the newest view; not part of what is handed out. */
  last: string | null;
}

export interface OwnAct {
  seat: number;
  do: string;
  /** The number of the newest link when that was. */
  n?: number;
}

export interface Kept {
  table: string;
  /** When it was last written, in milliseconds. */
  at: number;
  seats: number[];
  attempts: Attempt[];
  seen: Seen;
  shown: Shown;
  acts: OwnAct[];
}

/** So that a table, whatever it sends, fills no more than its share. */
const MOST_ATTEMPTS = 16;
const MOST_RANGES = 2000;
const MOST_ACTS = 10_000;

const NOTHING = "00".repeat(32);

export const newReceipt = (table: string): Kept => ({
  ...{ table, at: 0, seats: [], attempts: [] },
  seen: { ranges: [], hash: NOTHING, last: null },
  shown: { plies: [], hash: NOTHING, last: null },
  acts: [],
});

export const attemptOf = (kept: Kept | null, attempt: number): Attempt | null =>
  kept?.attempts.find((known) => known.attempt === attempt) ?? null;

/** An attempt, noted from now on. Throws if there are more of them than there can be. */
export function noteAttempt(kept: Kept, attempt: number): Attempt {
  const known = attemptOf(kept, attempt);
  if (known !== null) return known;
  if (kept.attempts.length >= MOST_ATTEMPTS) throw new RangeError("there are no more attempts");
  const made: Attempt = {
    ...{ attempt, own: {}, roster: null, names: [], salts: [], reveals: null, acked: [] },
    ...{ bound: [], isEarly: false },
  };
  kept.attempts.push(made);
  return made;
}

export function noteAct(kept: Kept, act: OwnAct): void {
  if (kept.acts.length < MOST_ACTS) kept.acts.push(act);
}

/**
 * Notes a link. One that has been seen, here or in another tab, is not noted again, unless the
 * table itself has gone back (`isBack`) or now shows another one in its place.
 */
export function noteLink({ seen }: Kept, { n, hash }: Link, isBack: boolean): void {
  const range = seen.ranges.at(-1);
  const bytes = bytesOf(hash);
  if (bytes === null || isKnown(range, n, isBack, hash === seen.last)) return;
  if (range?.[1] === n - 1) range[1] = n;
  else if (seen.ranges.length < MOST_RANGES) seen.ranges.push([n, n]);
  else return;
  seen.hash = roll("seen", seen.hash, n, bytes);
  seen.last = hash;
}

/** Notes what a view shows, in the same way. */
export function noteView({ shown }: Kept, told: ViewTold, isBack: boolean): void {
  const { ply } = told.shown;
  const seats = (told.own ?? []).map(({ seat }) => seat);
  const bytes = shownBytes(told);
  const last = toHex(sha256(bytes));
  const range = shown.plies.at(-1);
  if (isKnown(range, ply, isBack, last === shown.last)) return;
  if (range?.[1] === ply - 1 && range[2].join() === seats.join()) range[1] = ply;
  else if (shown.plies.length < MOST_RANGES) shown.plies.push([ply, ply, seats]);
  else return;
  shown.hash = roll("shown", shown.hash, ply, bytes);
  shown.last = last;
}

function isKnown(range: readonly unknown[] | undefined, n: number, isBack: boolean, isSame: boolean): boolean {
  const newest = (range?.[1] ?? -1) as number;
  return (n === newest && isSame) || (n < newest && !isBack);
}

/** A rolling hash with another thing, number `n`, rolled in. */
export const roll = (tag: "seen" | "shown", hash: string, n: number, bytes: Uint8Array) =>
  toHex(H(tag, fromHex(hash)!, u64(n), bytes));

const OF_SHOWN = ["to_act", "scores", "winners", "view", "outlook"] as const;
const OF_OWN = ["seat", ...OF_SHOWN] as const;

/** What was shown, as it came, without what tells of the moment or is only offered. */
export function shownBytes({ shown, own = [] }: ViewTold): Uint8Array {
  return canon({ shown: only(shown, OF_SHOWN), own: own.map((part) => only(part, OF_OWN)) });
}

const only = (told: object, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(told).filter(([key]) => keys.includes(key)));

/** The receipt as a file. An attempt that never had a roster binds nobody. */
export function writeReceipt({ table, seats, attempts, seen, shown, acts }: Kept): string {
  const withRoster = attempts
    .filter(({ roster }) => roster !== null)
    .map(({ isEarly: _, ...attempt }) => attempt);
  const receipt = {
    "quarterdeck-receipt": 1,
    ...{ table, seats, attempts: withRoster, acts },
    seen: { ranges: seen.ranges, hash: seen.hash },
    shown: { plies: shown.plies, hash: shown.hash },
  };
  return JSON.stringify(receipt);
}

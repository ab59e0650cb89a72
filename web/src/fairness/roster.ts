/**
 * Who sits at the table, and what everybody has bound before the first draw. All in it is fixed by
 * one hash, which every browser keeps before it shows the bytes of its own.
 */

import type { RosterTold, TableTold } from "../protocol";
import { fromHex, toHex } from "../sha256";
import { canon, H, u32, u8, utf8 } from "./bytes";

/** By seat, in hex, the bytes of one's own, and the seats whose hash the server has confirmed. */
export interface Own {
  own: Readonly<Record<number, string>>;
  bound: readonly number[];
}

const BYTES = 32;
const LARGEST = 1 << 18;

/** What this page does not put up with: it shows none of its bytes then. */
export type Flaw =
  | "unreadable"
  | "another-table"
  | "another-name"
  | "another-seat"
  | "left-out"
  | "too-late"
  | "called-missing"
  | "forgotten"
  | "second-roster"
  | "wrong-reveal";

export const newBytes = () => toHex(crypto.getRandomValues(new Uint8Array(BYTES)));

export const rosterHash = (roster: unknown) => H("roster", canon(roster));

/** What binds a seat to its bytes. */
export const seatHash = (table: string, attempt: number, seat: number, bytes: Uint8Array) =>
  H("seat", utf8(table), u32(attempt), u8(seat), bytes);

/** What binds the server to its secret. */
export const serverHash = (table: string, attempt: number, secret: Uint8Array) =>
  H("server", utf8(table), u32(attempt), secret);

export const nameHash = (salt: Uint8Array, name: string) => H("name", salt, utf8(name));

/** The bytes that 64 digits of lower-case hex stand for; null for anything else. */
export const bytesOf = (hex: unknown): Uint8Array | null =>
  typeof hex === "string" && /^[0-9a-f]{64}$/.test(hex) ? fromHex(hex) : null;

export function bindingOf(table: string, attempt: number, seat: number, hex: string): string {
  const bytes = bytesOf(hex);
  if (bytes === null) throw new RangeError("32 bytes in hex are bound");
  return toHex(seatHash(table, attempt, seat, bytes));
}

/** Whether a name is the one whose hash is in the roster. */
export function isName(hash: string, salt: string | null, name: string | null): boolean {
  const bytes = salt === null ? null : fromHex(salt);
  return bytes !== null && name !== null && toHex(nameHash(bytes, name)) === hash;
}

/** What is wrong with a roster before anything is shown; null if nothing is. */
export function flawOf(told: RosterTold, table: TableTold, mine: Own): Flaw | null {
  const { roster, names, salts } = told;
  try {
    if (canon(roster).length > LARGEST) return "unreadable";
    const { seats, attempt } = roster;
    if (
      roster.table !== table.table ||
      attempt !== told.attempt ||
      attempt !== table.attempt ||
      roster.game !== table.game ||
      (roster.voids ?? []).length !== attempt ||
      toHex(canon(roster.options)) !== toHex(canon(table.options)) ||
      !Object.entries(table.clock).every(([key, value]) => roster.clock[key] === value) ||
      bytesOf(roster.server) === null
    ) {
      return "another-table";
    }
    if (seats.length !== table.seats.length) return "another-seat";
    for (const [place, seat] of seats.entries()) {
      const shown = table.seats[place]!;
      if (!isName(seat.name, salts[place] ?? null, names[place] ?? null)) return "another-name";
      if (names[place] !== shown.name) return "another-name";
      if (seat.kind !== shown.kind || seat.program !== shown.program) return "another-seat";
      if (seat.level !== shown.level) return "another-seat";
    }
    return flawOfBindings(told, table.you, mine);
  } catch {
    return "unreadable";
  }
}

/** Each seat of mine has to be bound to the bytes kept here for it. */
function flawOfBindings({ roster }: RosterTold, you: readonly number[], { own, bound }: Own): Flaw | null {
  for (const seat of you) {
    const told = roster.seats[seat]!.bound;
    const mine = own[seat];
    if (mine === undefined) {
      if (told !== null) return "forgotten";
    } else if (told !== bindingOf(roster.table, roster.attempt, seat, mine)) {
      return told !== null || bound.includes(seat) ? "left-out" : "too-late";
    }
  }
  return null;
}

/** What is wrong with the bytes shown by all; null if nothing is. */
export function flawOfReveals(told: RosterTold, you: readonly number[], mine: Own): Flaw | null {
  const { roster, reveals } = told;
  try {
    const flaw = flawOfBindings(told, you, mine);
    if (flaw !== null && flaw !== "forgotten") return flaw;
    const shown = new Map(reveals ?? []);
    const bound = roster.seats.flatMap((seat, place) => (seat.bound === null ? [] : [place]));
    const isRight = bound.every((seat) => {
      const hex = shown.get(seat) ?? "";
      return bindingOf(roster.table, roster.attempt, seat, hex) === roster.seats[seat]!.bound;
    });
    return isRight && (reveals ?? []).map(([seat]) => seat).join() === bound.join() ? null : "wrong-reveal";
  } catch {
    return "wrong-reveal";
  }
}

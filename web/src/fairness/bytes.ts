/**
 * How things are written as bytes before they are hashed (`docs/fairness.md`): parts with their
 * lengths, numbers of fixed width, and one way only to write a value of JSON.
 */

import { concat, sha256 } from "../sha256";

const PREFIX = "quarterdeck/2/";
const encoder = new TextEncoder();

export const utf8 = (text: string) => encoder.encode(text);
export const u8 = (n: number) => Uint8Array.of(n);

export function u32(n: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, n);
  return bytes;
}

export function u64(n: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(n));
  return bytes;
}

/** Bytes with their length before them. */
export const lp = (bytes: Uint8Array) => concat(u32(bytes.length), bytes);

/** What a hash is for, as it stands before all else that is hashed. */
export const label = (tag: string) => lp(utf8(PREFIX + tag));

/** SHA-256 of the parts for one purpose: what is hashed for another never has the same bytes. */
export const H = (tag: string, ...parts: Uint8Array[]) => sha256(concat(label(tag), ...parts.map(lp)));

/** The one way to write a value of JSON as bytes. Throws for what is none. */
export function canon(value: unknown): Uint8Array {
  const parts: Uint8Array[] = [];
  write(value, parts);
  return concat(...parts);
}

const mark = (sign: string) => Uint8Array.of(sign.charCodeAt(0));
const [NULL, TRUE, FALSE] = [mark("n"), mark("t"), mark("f")];
const [NUMBER, STRING, LIST, OBJECT] = [mark("d"), mark("s"), mark("["), mark("{")];

function write(value: unknown, parts: Uint8Array[]): void {
  if (value === null) parts.push(NULL);
  else if (value === true) parts.push(TRUE);
  else if (value === false) parts.push(FALSE);
  else if (typeof value === "number") parts.push(NUMBER, float64(value));
  else if (typeof value === "string") parts.push(STRING, lp(text(value)));
  else if (Array.isArray(value)) {
    parts.push(LIST, u32(value.length));
    for (const item of value) write(item, parts);
  } else if (typeof value === "object") {
    const entries = Object.entries(value)
      .map(([key, item]) => [text(key), item] as const)
      .sort(([a], [b]) => compare(a, b));
    parts.push(OBJECT, u32(entries.length));
    for (const [key, item] of entries) {
      parts.push(STRING, lp(key));
      write(item, parts);
    }
  } else throw new TypeError(`${typeof value} is nothing of JSON`);
}

function float64(n: number): Uint8Array {
  if (!Number.isFinite(n)) throw new RangeError(`${n} is no number of JSON`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, n === 0 ? 0 : n); // −0 is 0
  return bytes;
}

/** UTF-8; half a character would come out the same as another half. */
function text(value: string): Uint8Array {
  if (/\p{Surrogate}/u.test(value)) throw new RangeError("half a character");
  return utf8(value);
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

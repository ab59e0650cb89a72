/**
 * Chance that nobody could steer (`docs/fairness.md`): this browser's part in it before the game,
 * and the repetition of every draw after it.
 */

import type { Draw, Proof } from "./protocol";
import { concat, fromHex, hmacSha256, sha256, toHex } from "./sha256";

const LABEL = new TextEncoder().encode("quarterdeck-1");
const WORD = 2 ** 32;

/** Random bytes of one's own, in hex, and the hash that binds them. */
export interface Bound {
  bytes: string;
  hash: string;
}

export function bindBytes(): Bound {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { bytes: toHex(bytes), hash: toHex(sha256(bytes)) };
}

// The generator: xoshiro128** ------------------------------------------------------------------

export class Rng {
  readonly #s: Uint32Array;

  /** Its four words are the first sixteen bytes, little-endian. */
  constructor(seed: Uint8Array) {
    const view = new DataView(seed.buffer, seed.byteOffset);
    this.#s = Uint32Array.from([0, 4, 8, 12], (at) => view.getUint32(at, true));
    if (this.#s.every((word) => word === 0)) this.#s[0] = 1;
  }

  /** The next 32 random bits. */
  next(): number {
    const s = this.#s as unknown as [number, number, number, number];
    let x = Math.imul(s[1], 5);
    x = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    const t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return x;
  }

  /** A number from 0 to n-1, each equally likely. `n` stays below 2^21, so products are exact. */
  below(n: number): number {
    let product = this.next() * n;
    if (product % WORD < n) {
      const threshold = (WORD - n) % n;
      while (product % WORD < threshold) product = this.next() * n;
    }
    return Math.floor(product / WORD);
  }

  /** `count` of the pool's items, drawn without replacement. */
  draw(pool: readonly string[], count: number): string[] {
    const items = pool.slice();
    for (let i = 0; i < count; i++) {
      const j = i + this.below(items.length - i);
      [items[i], items[j]] = [items[j]!, items[i]!];
    }
    return items.slice(0, count);
  }
}

// The proof -------------------------------------------------------------------------------------

/** What this browser noted before the first draw. */
export interface Noted {
  /** The hash of the server's secret, as it was shown then. */
  commitment: string | null;
  /** The bytes of one's own seats that were revealed, in hex. */
  own: string[];
}

export type Flaw = "secret" | "commitment" | "contribution" | "own-bytes" | "draw";

/** What the check found: all is well, or the first thing that is not. */
export type Verdict =
  | { fair: true; draws: number; contributions: number; own: number }
  | { fair: false; flaw: Flaw; at: number };

/** The generator of draw number `n`. */
export function drawRng(secret: Uint8Array, contributions: Uint8Array[], n: number): Rng {
  const counter = new Uint8Array(8);
  new DataView(counter.buffer).setBigUint64(0, BigInt(n));
  const parts = contributions.flatMap((part) => [Uint8Array.of(part.length), part]);
  const message = concat(LABEL, Uint8Array.of(contributions.length), ...parts, counter);
  return new Rng(hmacSha256(secret, message));
}

/** Repeats the whole of chance: every hash and every draw. */
export function verify(proof: Proof, noted: Noted): Verdict {
  const { commitment, secret: secretHex, contributions: told = [] } = proof.fairness;
  const secret = bytesBehind(commitment, secretHex);
  if (secret === null) return { fair: false, flaw: "secret", at: 0 };
  if (noted.commitment !== null && noted.commitment !== commitment) {
    return { fair: false, flaw: "commitment", at: 0 };
  }

  const contributions: Uint8Array[] = [];
  for (const [at, part] of told.entries()) {
    const bytes = bytesBehind(part.commitment, part.revealed);
    if (bytes === null) return { fair: false, flaw: "contribution", at };
    contributions.push(bytes);
  }
  const revealed = told.map((part) => part.revealed.toLowerCase());
  const missing = noted.own.findIndex((bytes) => !revealed.includes(bytes));
  if (missing >= 0) return { fair: false, flaw: "own-bytes", at: missing };

  for (const [n, draw] of proof.draws.entries()) {
    const rng = drawRng(secret, contributions, n);
    if (!follows(draw, rng)) return { fair: false, flaw: "draw", at: draw.at };
  }
  return {
    fair: true,
    draws: proof.draws.length,
    contributions: contributions.length,
    own: noted.own.length,
  };
}

/**
 * Whether this is what the generator draws. Within a group (a hand) the order does not count. Where
 * a pool is several, divided by `/`, each item comes out of its own, one pool after the other.
 */
function follows(draw: Draw, rng: Rng): boolean {
  if (draw.pool.includes("/")) return followsPools(draw, rng);
  const groups = draw.do
    .slice(draw.do.indexOf(" ") + 1)
    .split("/")
    .map((group) => group.split(","));
  const count = groups.reduce((sum, group) => sum + group.length, 0);
  if (count > draw.pool.length) return false;
  const drawn = rng.draw(draw.pool, count);
  let at = 0;
  return groups.every((group) => {
    const due = drawn.slice(at, (at += group.length)).sort();
    return group.toSorted().every((item, place) => item === due[place]);
  });
}

function followsPools(draw: Draw, rng: Rng): boolean {
  const items = draw.do.slice(draw.do.indexOf(" ") + 1).split(",");
  const pools: string[][] = [[]];
  for (const item of draw.pool) {
    if (item === "/") pools.push([]);
    else pools.at(-1)!.push(item);
  }
  if (!items.every((item) => pools.some((pool) => pool.includes(item)))) return false;
  return pools.every((pool) => {
    const told = items.filter((item) => pool.includes(item));
    const due = rng.draw(pool, told.length);
    return told.toSorted().join() === due.sort().join();
  });
}

function bytesBehind(hash: string, hex: string): Uint8Array | null {
  const bytes = fromHex(hex);
  return bytes !== null && toHex(sha256(bytes)) === hash.toLowerCase() ? bytes : null;
}

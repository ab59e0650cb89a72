/** The generator of draws: xoshiro128**. */

const WORD = 2 ** 32;

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

import { describe, expect, test } from "vitest";

import { bindBytes, Rng, verify, type Noted } from "../src/fairness";
import type { Proof } from "../src/protocol";
import { fromHex, hmacSha256, sha256, toHex } from "../src/sha256";
import vectors from "./fairness-vectors.json"; // written by the Python that draws

const bytes = (hex: string) => fromHex(hex)!;
const proof = vectors.proof as Proof;
const nothing: Noted = { commitment: null, own: [] };

/** The proof with something about it changed. */
function forged(change: (copy: Proof) => void): Proof {
  const copy = structuredClone(proof);
  change(copy);
  return copy;
}

describe("hashes", () => {
  test.each(vectors.sha256)("SHA-256 of $data", ({ data, sha256: expected }) => {
    expect(toHex(sha256(bytes(data)))).toBe(expected);
  });

  test.each(vectors.hmac)("HMAC of $data with $key", ({ key, data, hmac }) => {
    expect(toHex(hmacSha256(bytes(key), bytes(data)))).toBe(hmac);
  });

  test("they agree with the browser's own on much data", async () => {
    const data = Uint8Array.from({ length: 4099 }, (_, i) => (i * i) % 251);
    expect(sha256(data)).toEqual(new Uint8Array(await crypto.subtle.digest("SHA-256", data)));
  });

  test("hex is read both ways, and nothing else is hex", () => {
    expect(toHex(bytes("00ff10"))).toBe("00ff10");
    expect(fromHex("0")).toBeNull();
    expect(fromHex("zz")).toBeNull();
  });
});

describe("the generator", () => {
  test.each([vectors.words, vectors.zero])("words from $seed", ({ seed, next }) => {
    const rng = new Rng(bytes(seed));
    expect(next.map(() => rng.next())).toEqual(next);
  });

  test("numbers below a bound", () => {
    const rng = new Rng(bytes(vectors.below.seed));
    expect(vectors.below.n.map((n) => rng.below(n))).toEqual(vectors.below.drawn);
  });

  test("a word that would favour some numbers is thrown away", () => {
    const { seed, n, drawn } = vectors.rejected;
    const rng = new Rng(bytes(seed));
    expect(drawn.map(() => rng.below(n))).toEqual(drawn);
  });
});

describe("the proof of a game", () => {
  const own = proof.fairness.contributions!.map((part) => part.revealed);

  test("every draw is repeated", () => {
    expect(verify(proof, nothing)).toEqual({ fair: true, draws: 11, contributions: 2, own: 0 });
  });

  test("with what this browser noted before the game", () => {
    const noted = { commitment: proof.fairness.commitment, own };
    expect(verify(proof, noted)).toMatchObject({ fair: true, own: 2 });
  });

  test("another secret than the one bound", () => {
    const secret = forged((copy) => (copy.fairness.secret = "00".repeat(32)));
    expect(verify(secret, nothing)).toMatchObject({ fair: false, flaw: "secret" });
  });

  test("another secret, and a commitment to match", () => {
    const other = { commitment: "ab".repeat(32), own: [] };
    expect(verify(proof, other)).toMatchObject({ fair: false, flaw: "commitment" });
  });

  test("bytes that were changed after they were bound", () => {
    const changed = forged((copy) => (copy.fairness.contributions![1]!.revealed = "11"));
    expect(verify(changed, nothing)).toEqual({ fair: false, flaw: "contribution", at: 1 });
  });

  test("bytes of one's own that were left out", () => {
    const noted = { commitment: null, own: [own[0]!, bindBytes().bytes] };
    expect(verify(proof, noted)).toEqual({ fair: false, flaw: "own-bytes", at: 1 });
  });

  test("a card that was dealt to somebody else", () => {
    const draw = proof.draws[3]!;
    const swapped = draw.do.replace(/^(deal \S+?),(\w+)\/(\w+),/, "$1,$3/$2,");
    expect(swapped).not.toBe(draw.do);
    const moved = forged((copy) => (copy.draws[3]!.do = swapped));
    expect(verify(moved, nothing)).toEqual({ fair: false, flaw: "draw", at: draw.at });
  });

  test("a draw of more than there is", () => {
    const many = forged((copy) => (copy.draws[0]!.do = "start 0,1,2,3"));
    expect(verify(many, nothing)).toMatchObject({ fair: false, flaw: "draw" });
  });

  test("draws in another order", () => {
    const turned = forged((copy) => copy.draws.reverse());
    expect(verify(turned, nothing)).toMatchObject({ fair: false, flaw: "draw" });
  });
});

describe("draws from several pools", () => {
  const pools = vectors.pools as Proof;
  const fill = pools.draws[1]!;

  test("each item out of its own", () => {
    expect(verify(pools, nothing)).toMatchObject({ fair: true, draws: 2 });
  });

  test.each([
    ["another part", (items: string[]) => [...items.slice(0, 8), fill.pool.at(-1)!]],
    ["one too few", (items: string[]) => items.slice(1)],
    ["something that is in no pool", (items: string[]) => ["p99", ...items.slice(1)]],
    ["the divider itself", (items: string[]) => ["/", ...items.slice(1)]],
  ])("%s", (_, change) => {
    const copy = structuredClone(pools);
    const items = fill.do.slice("fill ".length).split(",");
    copy.draws[1]!.do = `fill ${change(items).join(",")}`;
    expect(copy.draws[1]!.do).not.toBe(fill.do);
    expect(verify(copy, nothing)).toMatchObject({ fair: false, flaw: "draw" });
  });
});

test("bytes of one's own are bound by their hash and never the same", () => {
  const [one, two] = [bindBytes(), bindBytes()];
  expect(bytes(one.bytes)).toHaveLength(16);
  expect(toHex(sha256(bytes(one.bytes)))).toBe(one.hash);
  expect(one.bytes).not.toBe(two.bytes);
});

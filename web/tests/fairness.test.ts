import { describe, expect, test } from "vitest";

import vectors from "../../tests/engine/fairness_vectors.json"; // read by the Python tests too
import { canon, H } from "../src/fairness/bytes";
import { itemBytes, itemsOf, linksOf } from "../src/fairness/chain";
import { oldChance, rosterChance } from "../src/fairness/chance";
import { dealCode, logCode } from "../src/fairness/codes";
import { newReceipt, noteLink, noteView, roll, shownBytes, writeReceipt } from "../src/fairness/receipt";
import { Rng } from "../src/fairness/rng";
import { bindingOf, bytesOf, isName, newBytes, rosterHash, serverHash } from "../src/fairness/roster";
import type { Entry, GameRecord, RosterProof, ViewTold } from "../src/protocol";
import { fromHex, hmacSha256, sha256, toHex } from "../src/sha256";
import chance from "./chance-vectors.json"; // written by the Python that draws

const bytes = (hex: string) => fromHex(hex)!;
const pairs = (list: unknown) => list as [number, string][];

describe("hashes", () => {
  test.each(chance.sha256)("SHA-256 of $data", ({ data, sha256: expected }) => {
    expect(toHex(sha256(bytes(data)))).toBe(expected);
  });

  test.each(chance.hmac)("HMAC of $data with $key", ({ key, data, hmac }) => {
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
    expect(bytesOf("AB".repeat(32))).toBeNull();
    expect(bytesOf("ab".repeat(31))).toBeNull();
    expect(bytesOf(null)).toBeNull();
  });

  test.each(vectors.hashed)("for $tag, of $parts", ({ tag, parts, hash }) => {
    expect(toHex(H(tag, ...parts.map(bytes)))).toBe(hash);
  });
});

describe("JSON as bytes", () => {
  test.each(vectors.canon)("$value", ({ value, canon: expected }) => {
    expect(toHex(canon(value))).toBe(expected);
  });

  test.each([[NaN], [Infinity], ["\ud800"], [{ "\udc00": 1 }], [undefined], [1n], [[() => 1]]])(
    "%s is none",
    (value) => expect(() => canon(value)).toThrow(),
  );
});

describe("the generator", () => {
  test.each([chance.words, chance.zero])("words from $seed", ({ seed, next }) => {
    const rng = new Rng(bytes(seed));
    expect(next.map(() => rng.next())).toEqual(next);
  });

  test("numbers below a bound", () => {
    const rng = new Rng(bytes(chance.below.seed));
    expect(chance.below.n.map((n) => rng.below(n))).toEqual(chance.below.drawn);
  });

  test("a word that would favour some numbers is thrown away", () => {
    const { seed, n, drawn } = chance.rejected;
    const rng = new Rng(bytes(seed));
    expect(drawn.map(() => rng.below(n))).toEqual(drawn);
  });

  test.each(vectors.draws)("draw $n", ({ secret, roster, reveals, n, seed }) => {
    const drawn = rosterChance(bytes(secret), bytes(roster), pairs(reveals))(n);
    const expected = new Rng(bytes(seed));
    for (let i = 0; i < 8; i++) expect(drawn.next()).toBe(expected.next());
  });

  test("of the scheme before", () => {
    const { secret, contributions } = chance.proof.fairness;
    const rng = oldChance(bytes(secret), contributions.map(({ revealed }) => bytes(revealed)))(0);
    expect(`start ${rng.below(3)}`).toBe(chance.proof.draws[0]);
  });
});

describe("what is bound", () => {
  test.each(vectors.seat)("the bytes of seat $seat, attempt $attempt", (told) => {
    expect(bindingOf(told.table, told.attempt, told.seat, told.bytes)).toBe(told.hash);
  });

  test("the server's secret", () => {
    const { table, attempt, secret, hash } = vectors.server;
    expect(toHex(serverHash(table, attempt, bytes(secret)))).toBe(hash);
  });

  test.each(vectors.name)("the name $name", ({ salt, name, hash }) => {
    expect(isName(hash, salt, name)).toBe(true);
    expect(isName(hash, salt, `${name}!`)).toBe(false);
    expect(isName(hash, null, name)).toBe(false);
  });

  test("the roster", () => {
    expect(toHex(rosterHash(vectors.roster.roster))).toBe(vectors.roster.hash);
  });

  test("new bytes are 32, and never the same", () => {
    expect(bytesOf(newBytes())).toHaveLength(32);
    expect(newBytes()).not.toBe(newBytes());
    expect(() => bindingOf("a", 0, 0, "00")).toThrow();
  });
});

describe("the chain", () => {
  test("every link of it", () => {
    const { secret, roster, links } = vectors.chain;
    const made = linksOf(bytes(secret), bytes(roster), links.map(({ item }) => canon(item)));
    expect(made.slice(1).map(toHex)).toEqual(links.map(({ link }) => link));
  });

  test("of a whole record, with what happened at the table", () => {
    const record = vectors.record as unknown as GameRecord;
    const proof = record.fairness as RosterProof;
    const items = itemsOf(record.log, proof.facts)!.map(itemBytes);
    const links = linksOf(bytes(proof.secret), rosterHash(proof.roster), items);
    expect(links).toHaveLength(proof.links + 1);
    expect(toHex(links.at(-1)!)).toBe(proof.end);
  });

  test.each(vectors.with)("what is attached to an entry: $with", ({ with: attached, hash }) => {
    expect(toHex(H("with", canon(attached)))).toBe(hash);
  });

  test("facts of another order have no place in it", () => {
    const fact = { do: "left 1", at: 0 };
    expect(itemsOf([], [{ after: 1, ...fact }])).toBeNull();
    const log: Entry[] = [{ by: 0, do: "a" }, { by: 0, do: "b" }];
    expect(itemsOf(log, [{ after: 2, ...fact }, { after: 1, ...fact }])).toBeNull();
    expect(itemsOf(log, [{ after: 1, ...fact }])?.map((item) => item.do)).toEqual(["a", "left 1", "b"]);
  });
});

test("codes to compare aloud", () => {
  const { roster, reveals, deal, empty, link, log } = vectors.codes;
  expect(dealCode(bytes(roster), pairs(reveals))).toBe(deal);
  expect(dealCode(bytes(roster), [])).toBe(empty);
  expect(logCode(link)).toBe(log);
});

describe("the receipt", () => {
  const link = (n: number, digit = "a") => ({ n, hash: digit.repeat(64) });
  const view = (ply: number, seat: number | null = null, phase = "play") => {
    const shown = { to_act: [0], scores: [0], winners: [], view: { phase }, ply, decision: 0, happened: [] };
    return { type: "view", table: "a", shown, own: seat === null ? [] : [{ seat, view: {}, legal: ["x"] }] } as ViewTold;
  };

  test("links seen roll into one hash", () => {
    let rolled = "00".repeat(32);
    const kept = newReceipt("a");
    for (const { n, link: hash, hash: expected } of vectors.seen) {
      noteLink(kept, { n, hash }, false);
      rolled = roll("seen", rolled, n, bytes(hash));
      expect(rolled).toBe(expected);
      expect(kept.seen.hash).toBe(expected);
    }
    expect(kept.seen.ranges).toEqual([[2, 3], [7, 7], [2 ** 32, 2 ** 32]]);
  });

  test("views shown, too", () => {
    const kept = newReceipt("a");
    for (const { ply, value, hash } of vectors.shown) {
      const told = { shown: { ...value.shown, ply }, own: value.own } as unknown as ViewTold;
      expect(toHex(shownBytes(told))).toBe(toHex(canon(value)));
      noteView(kept, told, false);
      expect(kept.shown.hash).toBe(hash);
    }
  });

  test("what was seen before is not noted again, unless the table goes back or shows another thing", () => {
    const kept = newReceipt("a");
    for (const n of [1, 2, 2, 1]) noteLink(kept, link(n), false);
    expect(kept.seen.ranges).toEqual([[1, 2]]);
    noteLink(kept, link(2, "b"), false);
    noteLink(kept, link(1), true);
    expect(kept.seen.ranges).toEqual([[1, 2], [2, 2], [1, 1]]);
    noteLink(kept, { n: 3, hash: "no link" }, false);
    expect(kept.seen.ranges).toHaveLength(3);
  });

  test("of views, ranges tell for whom they came", () => {
    const kept = newReceipt("a");
    for (const told of [view(1, 0), view(2, 0), view(2, 0), view(1, 0), view(3)]) noteView(kept, told, false);
    expect(kept.shown.plies).toEqual([[1, 2, [0]], [3, 3, []]]);
    noteView(kept, view(3, null, "over"), false);
    noteView(kept, view(2, 0), true);
    expect(kept.shown.plies).toHaveLength(4);
  });

  test("what is handed out has nothing more than the command reads", () => {
    const kept = newReceipt("a");
    noteLink(kept, link(1), false);
    const known = vectors.receipts["0"];
    const told = JSON.parse(writeReceipt(kept)) as Record<string, object>;
    expect(Object.keys(told).sort()).toEqual(Object.keys(known).sort());
    expect(Object.keys(told["seen"]!).sort()).toEqual(Object.keys(known.seen).sort());
    expect(Object.keys(told["shown"]!).sort()).toEqual(Object.keys(known.shown).sort());
  });
});

import { describe, expect, test } from "vitest";

import english from "../../src/quarterdeck/engine/text/en.json";
import vectors from "../../tests/engine/fairness_vectors.json"; // read by the Python tests too
import tricks from "../../tests/engine/tricks.json"; // written by the Python tests
import { oldChance, rosterChance, type Chance } from "../src/fairness/chance";
import { drawsOf, repeatDraws, verbsFor } from "../src/fairness/draws";
import { newReceipt, type Kept } from "../src/fairness/receipt";
import { Rng } from "../src/fairness/rng";
import rosterSource from "../src/fairness/roster.ts?raw";
import { verify, type Part } from "../src/fairness/verify";
import source from "../src/fairness/verify.ts?raw";
import type { BundledDraws, Draw, Entry, GameRecord, Receipt, RosterProof } from "../src/protocol";
import { fromHex } from "../src/sha256";
import chance from "./chance-vectors.json";

const record = vectors.record as unknown as GameRecord;
const proof = record.fairness as RosterProof;
const table = proof.roster.table;
const draws = await drawsOf("skull-king");

/** A receipt as the page keeps it, from one as it is handed out. */
function kept(receipt: unknown): Kept {
  const { attempts = [], seen, shown, acts = [], seats } = structuredClone(receipt) as Receipt;
  const none = newReceipt(table);
  return {
    ...none,
    seats,
    attempts: attempts.map((attempt) => ({
      ...{ reveals: null, acked: [], bound: [], ...attempt },
      isEarly: true,
    })),
    seen: { ...none.seen, ...seen },
    shown: { ...none.shown, ...shown },
    acts: acts.map(({ seat, do: text }) => ({ seat, do: text })),
  };
}

const receipts = vectors.receipts as Record<string, unknown>;
const mine = () => kept(receipts["0"]);
const check = (told: GameRecord, known: Kept | null, bundled = draws) => verify(told, { table, kept: known, draws: bundled });
const wrongOf = (parts: Part[]) => parts.filter(({ state }) => state === "wrong").map(({ part, code }) => `${part}.${code}`);

/** What a dishonest dealer publishes, what was kept meanwhile, and what is found of it. */
interface Trick {
  trick: string;
  command: string;
  page: string | null;
  record: GameRecord;
  receipt: Receipt;
}

type Told = GameRecord & { fairness: RosterProof };

/** The record with something about it changed. */
function forged(change: (copy: Told) => void): GameRecord {
  const copy = structuredClone(record) as Told;
  change(copy);
  return copy;
}

/** The receipt with something about it changed. */
function knowing(change: (copy: Kept) => void): Kept {
  const copy = mine();
  change(copy);
  return copy;
}

describe("an honest game", () => {
  test.each(["0", "1"])("is proven to seat %s, who has a receipt", (seat) => {
    const { verdict, deals, seats, parts } = check(record, kept(receipts[seat]));
    expect(wrongOf(parts)).toEqual([]);
    expect({ verdict, deals, seats }).toEqual({ verdict: "proven", deals: 1, seats: [0, 1] });
    const states = Object.fromEntries(parts.map(({ part, state }) => [part, state]));
    expect(states).toMatchObject({ bytes: "ok", roster: "ok", deals: "ok", draws: "ok", log: "ok", acts: "ok" });
  });

  test("is consistent to somebody who watched, or has kept nothing", () => {
    expect(check(record, kept(receipts["watching"]))).toMatchObject({ verdict: "consistent", seats: [0, 1] });
    const unknown = check(record, null);
    expect(unknown).toMatchObject({ verdict: "consistent" });
    expect(unknown.parts.filter(({ state }) => state === "ok").map(({ part }) => part)).toEqual(["deals", "draws"]);
  });

  test("a name withdrawn later changes nothing else", () => {
    const told = forged((copy) => {
      copy.seats![1] = "";
      copy.fairness.salts[1] = null;
    });
    const { verdict, parts } = check(told, mine());
    expect(verdict).toBe("proven");
    expect(parts.find(({ part }) => part === "roster")?.code).toBe("name-withdrawn");
  });

  test("is never proven over draws that were not checked", () => {
    expect(check(record, mine(), null).verdict).toBe("partial");
    expect(check(record, mine(), { ...draws!, kit: "00".repeat(32) }).verdict).toBe("partial");
    expect(check(record, mine(), { ...draws!, cases: [] }).verdict).toBe("partial");
  });

  test("what came too late for the deal was not left out of it", () => {
    const late = knowing((copy) => {
      copy.attempts[0]!.own = { 4: "ab".repeat(32) };
      copy.attempts[0]!.bound = [];
    });
    expect(check(record, late)).toMatchObject({ verdict: "consistent", parts: [{ code: "too-late" }, {}, {}, {}, {}, {}, {}] });
  });

  test("what was noted only after the deal is no proof of it", () => {
    const later = knowing((copy) => {
      copy.attempts[0]!.own = {};
      copy.attempts[0]!.isEarly = false;
    });
    const { verdict, parts } = check(record, later);
    expect(verdict).toBe("consistent");
    expect(parts.slice(0, 2).map(({ code }) => code)).toEqual(["no-receipt", "kept-later"]);
  });

  test("what was seen of the log is told", () => {
    const some = knowing((copy) => (copy.seen = { ranges: [], hash: "", last: null }));
    expect(check(record, some).parts.find(({ part }) => part === "log")).toMatchObject({ code: "unseen" });
  });
});

describe("a forged one is not fair", () => {
  const other = "12".repeat(32);

  test.each<[string, (copy: Told) => void, string]>([
    ["another secret", (copy) => (copy.fairness.secret = other), "roster.secret"],
    ["bytes replaced", (copy) => (copy.fairness.reveals[1]![1] = other), "roster.reveals"],
    ["a contribution dropped", (copy) => copy.fairness.reveals.pop(), "roster.reveals"],
    ["a contribution twice", (copy) => copy.fairness.reveals.push(copy.fairness.reveals[1]!), "roster.reveals"],
    ["contributions in another order", (copy) => copy.fairness.reveals.reverse(), "roster.reveals"],
    ["my bytes left out", (copy) => copy.fairness.reveals.shift(), "bytes.left-out"],
    ["another table's record", (copy) => (copy.fairness.roster.table = "other"), "roster.another-table"],
    ["another game", (copy) => (copy.game = "gezanke"), "roster.another-game"],
    ["other options", (copy) => (copy.options = { players: 3 }), "roster.another-game"],
    ["a position", (copy) => (copy.position = { hand: 2 }), "roster.another-game"],
    ["two names swapped", (copy) => copy.seats!.reverse(), "roster.names"],
    ["a name blotted out", (copy) => (copy.seats![0] = ""), "roster.names"],
    ["another clock in the roster", (copy) => (copy.fairness.roster.clock = {}), "roster.another-roster"],
    ["another kit", (copy) => (copy.fairness.roster.kit = other), "roster.another-roster"],
    ["a void made up", (copy) => copy.fairness.roster.voids!.push({ attempt: 0, roster: other, missing: [1] }), "deals.voids"],
    ["an entry changed", (copy) => (copy.log.at(-1)!.do = "play y1"), "log.broken"],
    ["a time changed", (copy) => (copy.log[3]!.at! += 1), "log.broken"],
    ["a move called a bot's", (copy) => (copy.log[2]!.via = "bot"), "log.broken"],
    ["something attached", (copy) => (copy.log[2]!.with = {}), "log.broken"],
    ["the log cut", (copy) => copy.log.pop(), "log.broken"],
    ["a fact dropped", (copy) => copy.fairness.facts.pop(), "log.broken"],
    ["facts out of order", (copy) => (copy.fairness.facts[0]!.after = 99), "log.broken"],
    ["the last link changed", (copy) => (copy.fairness.end = other), "log.broken"],
    ["another one resigned", (copy) => (copy.outcome!.resigned = 0), "log.outcome"],
    ["nobody resigned", (copy) => (copy.outcome!.resigned = null), "log.outcome"],
    ["a move of mine dropped", (copy) => copy.log.splice(copy.log.findIndex(({ by }) => by === 0), 1), "acts.missing"],
    ["my moves done by a bot", (copy) => copy.log.forEach((entry) => (entry.via = "bot")), "acts.missing"],
    ["another card dealt", (copy) => (copy.log[1]!.do = copy.log[1]!.do.replace(/^deal \w+/, "deal y13")), "draws.draw"],
    ["no roster at all", (copy) => (copy.fairness = { scheme: "seed", seed: 1 } as never), "roster.another-scheme"],
    ["no proof at all", (copy) => (copy.fairness = null as never), "roster.another-scheme"],
    ["nothing that can be read", (copy) => (copy.fairness.roster.seats = null as never), "roster.unreadable"],
    ["a secret that is none", (copy) => (copy.fairness.secret = "zz"), "roster.unreadable"],
  ])("%s", (_, change, found) => {
    const { verdict, parts } = check(forged(change), mine());
    expect(verdict).toBe("unfair");
    expect(wrongOf(parts)).toContain(found);
  });

  test.each<[string, (copy: Kept) => void, string]>([
    ["another roster was shown", (copy) => (copy.attempts[0]!.roster!.server = other), "roster.another-roster"],
    ["my bytes are not in it", (copy) => (copy.attempts[0]!.own = { 0: other }), "bytes.left-out"],
    ["another log was shown", (copy) => (copy.seen.hash = other), "log.another-log"],
    ["more of the log was shown", (copy) => copy.seen.ranges.push([16, 16]), "log.cut"],
    ["the table went back", (copy) => copy.seen.ranges.push([5, 5]), "log.another-log"],
    ["a move of mine is not in it", (copy) => copy.acts.push({ seat: 0, do: "play y1" }), "acts.missing"],
    ["my moves came in another order", (copy) => copy.acts.reverse(), "acts.missing"],
    ["a later deal is hidden", (copy) => copy.attempts.push({ ...copy.attempts[0]!, attempt: 1 }), "deals.hidden"],
  ])("%s", (_, change, found) => {
    const { verdict, parts } = check(record, knowing(change));
    expect(verdict).toBe("unfair");
    expect(wrongOf(parts)).toContain(found);
  });
});

describe("an enemy's tricks", () => {
  test.each(tricks as unknown as Trick[])("$trick", ({ record: told, receipt, page }) => {
    const { verdict, parts } = check(told, kept(receipt));
    expect(wrongOf(parts)[0] ?? null).toBe(page);
    expect(verdict === "unfair").toBe(page !== null);
  });

  test("what the page leaves to the command, it says that it has not checked", () => {
    const unseen = (tricks as unknown as Trick[]).filter(({ page }) => page === null);
    expect(unseen.map(({ command }) => command)).toEqual(["views.another-view"]);
    for (const { record: told, receipt } of unseen) {
      expect(check(told, kept(receipt)).parts).toContainEqual(expect.objectContaining({ part: "views", state: "not-checked" }));
    }
  });
});

describe("deals given up", () => {
  /** The receipt of somebody who saw a first attempt fail, and the record of the second. */
  const second = (missing: number[], hash?: string) => {
    const known = mine();
    const first = structuredClone(known.attempts[0]!);
    first.roster!.server = "77".repeat(32);
    const told = forged(({ fairness: { roster } }) => {
      roster.attempt = 1;
      roster.voids = [{ attempt: 0, roster: hash ?? "00".repeat(32), missing }];
      for (const seat of missing) roster.seats[seat]!.bound = null;
    });
    known.attempts = [first];
    return check(told, known).parts.find(({ part }) => part === "deals")!;
  };

  test("one that was another than was shown", () => expect(second([1]).code).toBe("another-void"));
  test("nobody was missing", () => expect(second([]).code).toBe("voids"));
});

describe("games of the scheme before", () => {
  const { fairness, draws: told } = chance.proof;
  const log = told.map((text) => ({ by: "nature", do: text }) as Entry);
  const old = { quarterdeck: 1, game: "skull-king", options: { players: 3 }, log, fairness } as unknown as GameRecord;

  test("are told as what they prove", () => {
    const { verdict, parts } = check(old, null);
    expect(verdict).toBe("old-scheme");
    expect(parts.find(({ part }) => part === "draws")).toMatchObject({ state: "ok", values: { draws: 11 } });
  });

  test.each<[string, (copy: GameRecord) => void, string]>([
    ["another secret", (copy) => ((copy.fairness as { secret: string }).secret = "00".repeat(32)), "roster.secret"],
    ["other bytes", (copy) => ((copy.fairness as typeof fairness).contributions[0]!.revealed = "00"), "roster.reveals"],
    ["another draw", (copy) => (copy.log[0]!.do = copy.log[0]!.do === "start 0" ? "start 1" : "start 0"), "draws.draw"],
  ])("%s", (_, change, found) => {
    const copy = structuredClone(old);
    change(copy);
    const { verdict, parts } = check(copy, null);
    expect(verdict).toBe("unfair");
    expect(wrongOf(parts)).toEqual([found]);
  });

  test("without anybody else's numbers they prove nothing", () => {
    const alone = structuredClone(old) as GameRecord & { fairness: typeof fairness };
    alone.fairness.contributions = [];
    alone.log = [];
    expect(check(alone, null).verdict).toBe("server-only");
  });

  test("a receipt with a roster is not content with them", () => {
    expect(check(old, mine()).verdict).toBe("unfair");
  });
});

describe("draws", () => {
  const seed = fromHex("0102030405060708090a0b0c0d0e0f10")!;
  const same: Chance = () => new Rng(seed);
  const items = ["a", "b", "c", "d", "e"];
  const repeat = (draw: Draw, ...texts: string[]) =>
    repeatDraws({ draw }, texts.map((text) => ({ by: "nature", do: `draw ${text}` })), same);
  const drawn = (pool: string[], count: number) => new Rng(seed).draw(pool, count);

  test("in order, or in any order within a group", () => {
    const [one, two, three] = drawn(items, 3) as [string, string, string];
    const turned = `${two},${one},${three}`;
    const pools = [{ items, count: 3 }];
    expect(repeat({ pools, ordered: true }, `${one},${two},${three}`).wrong).toBeNull();
    expect(repeat({ pools, ordered: true }, turned).wrong).toBe(0);
    expect(repeat({ pools }, turned)).toEqual({ draws: 1, attested: 0, wrong: null });
    const groups = { pools: [{ items }], groups: "/" };
    expect(repeat(groups, `${two},${one}/${three}`).wrong).toBeNull();
    expect(repeat(groups, `${one}/${three},${two}`).wrong).toBeNull();
    expect(repeat(groups, `${two}/${one},${three}`).wrong).toBe(0);
  });

  test("of so many, and no more than there are", () => {
    const [one, two] = drawn(items, 2) as [string, string];
    expect(repeat({ pools: [{ items, count: 1 }] }, `${one},${two}`).wrong).toBe(0);
    expect(repeat({ pools: [{ items: ["a"] }] }, "a,b").wrong).toBe(0);
    expect(repeat({ pools: [{ items: [] }] }, "").wrong).toBe(0);
  });

  test("from what earlier draws have left, or from all", () => {
    const [first] = drawn(items, 1) as [string];
    const [second] = drawn(items.filter((item) => item !== first), 1) as [string];
    expect(repeat({ pools: [{ items, count: 1, left: true }] }, first, second)).toMatchObject({ draws: 2, wrong: null });
    expect(repeat({ pools: [{ items, count: 1, left: true }] }, first, first).wrong).toBe(1);
    expect(repeat({ pools: [{ items, count: 1 }] }, first, first).wrong).toBeNull();
  });

  test("of dice, which may show the same twice", () => {
    const rng = new Rng(seed);
    const rolled = Array.from({ length: 12 }, () => items[rng.below(items.length)]!);
    const dice = { pools: [{ items, count: 12, replaced: true }], ordered: true };
    expect(repeat(dice, rolled.join()).wrong).toBeNull();
    expect(new Set(rolled).size).toBeLessThan(12);
    expect(repeat(dice, rolled.with(3, "z").join()).wrong).toBe(0);
  });

  test("from several pools, one after the other, and a side for each", () => {
    const rng = new Rng(seed);
    const due = [...rng.draw(items, 2), ...rng.draw(["x", "y"], 1)];
    const sided = due.map((item) => item + ["+", "-"][rng.below(2)]!);
    const draw = { pools: [{ items, count: 2 }, { items: ["x", "y"], count: 1 }], between: " ", ordered: true };
    expect(repeat({ ...draw, sides: ["+", "-"] }, sided.join(" ")).wrong).toBeNull();
    expect(repeat(draw, due.join(" ")).wrong).toBeNull();
    expect(repeat({ ...draw, sides: ["+", "-"] }, due.join(" ")).wrong).toBe(0);
  });

  test("what is not drawn from equal items is attested, and takes no number", () => {
    const verbs = { draw: { pools: [{ items, count: 1 }] } };
    const numbers: number[] = [];
    const counting: Chance = (n) => {
      numbers.push(n);
      return new Rng(seed);
    };
    const texts = ["sand", `draw ${drawn(items, 1)[0]}`, "settle 1 2", "toString x", `draw ${drawn(items, 1)[0]}`];
    const log: Entry[] = texts.map((text) => ({ by: "nature", do: text }));
    expect(repeatDraws(verbs, [{ by: 0, do: "draw z" }, ...log], counting)).toEqual({ draws: 2, attested: 3, wrong: null });
    expect(numbers).toEqual([0, 1]);
  });

  test.each(["skull-king", "jolly-roger", "piratoons", "riff-raff", "gezanke"])("the page knows those of %s", async (game) => {
    const known = (await drawsOf(game)) as BundledDraws;
    expect(known.game).toBe(game);
    for (const { options } of known.cases) expect(verbsFor(known, options)).toHaveProperty("start");
    expect(verbsFor(known, {})).toBeNull();
  });

  test("of another game it knows none", async () => expect(await drawsOf("chess")).toBeNull());

  test("several pools of the scheme before", async () => {
    const { fairness, draws: told } = chance.pools;
    const known = verbsFor((await drawsOf("piratoons"))!, { players: 3 })!;
    const log = told.map((text) => ({ by: "nature", do: text }) as Entry);
    const old = oldChance(fromHex(fairness.secret)!, fairness.contributions.map(({ revealed }) => fromHex(revealed)!));
    expect(repeatDraws(known, log, old)).toEqual({ draws: 2, attested: 0, wrong: null });
    expect(repeatDraws(known, log, rosterChance(fromHex(fairness.secret)!, new Uint8Array(32), [])).wrong).not.toBeNull();
  });
});

describe("words", () => {
  const sayable = new Set(Object.keys(english));
  const codes = [...source.matchAll(/(?:ok|open|wrong)\("([a-z]+)", "([a-z-]+)"/g)].map(([, part, code]) => `fair.${part}.${code}`);
  const verdicts = [.../verdict: (.+);/.exec(source)![1]!.matchAll(/"([a-z-]+)"/g)].map(([, verdict]) => `fair.verdict.${verdict}`);
  const flaws = [.../type Flaw =([^;]+);/.exec(rosterSource)![1]!.matchAll(/"([a-z-]+)"/g)].map(([, flaw]) => `fair.flaw.${flaw}`);

  test("there are some for every verdict, every part of it, and every refusal", () => {
    expect(codes.length).toBeGreaterThan(35);
    expect(verdicts).toHaveLength(6);
    expect(flaws).toHaveLength(10);
    expect([...codes, ...verdicts, ...flaws].filter((key) => !sayable.has(key))).toEqual([]);
  });

  test("and none that nothing says", () => {
    const said = new Set([...codes, ...verdicts, ...flaws]);
    const kinds = /^fair\.(?:verdict|flaw|bytes|roster|deals|draws|log|acts|views|attested)\./;
    expect([...sayable].filter((key) => kinds.test(key) && !said.has(key))).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { Request } from "../src/connection";
import { canon } from "../src/fairness/bytes";
import { dealCode } from "../src/fairness/codes";
import { attemptOf } from "../src/fairness/receipt";
import { bindingOf, nameHash, rosterHash } from "../src/fairness/roster";
import type { RosterTold, TableTold, ViewTold } from "../src/protocol";
import { changeReceipt, isLasting, readReceipt } from "../src/receipts";
import { fromHex, toHex } from "../src/sha256";
import { bindSoon, Fair } from "../src/table/fair.svelte";

const SALT = "ab".repeat(16);
const OTHERS = "cd".repeat(32);

let tables = 0;
let table: string;
let asked: Request[];
/** What the server answers to a request: null, or a refusal. */
let answer: (message: Request) => Error | null;
const ask = async (message: Request) => {
  asked.push(message);
  const refusal = answer(message);
  if (refusal !== null) throw refusal;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  table = `table${tables++}`;
  asked = [];
  answer = () => null;
});
afterEach(() => vi.useRealTimers());

function told(wishes: Partial<TableTold> = {}): TableTold {
  const person = (name: string) => ({
    ...{ kind: "person", name, level: null, online: true, stand_in: false },
    ...{ resigned: false, committed: false, program: false },
  });
  return {
    ...{ type: "table", table, game: "skull-king", options: { players: 2 }, status: "revealing" },
    ...{ seats: [person("Anna"), person("Tom")], you: [0], host: 0, clock: { kind: "none" } },
    ...{ bot_pace_ms: 0, hints: false, watching: 0, attempt: 0, contributors: [0, 1] },
    ...{ rematch: null, winners: null, resigned: null },
    ...wishes,
  } as TableTold;
}

const bound = () => Object.fromEntries(asked.flatMap((one) => (one.type === "commit" ? [[one.seat, one.hash]] : [])));
const revealed = () => asked.flatMap((one) => (one.type === "reveal" ? [one] : []));

/** The roster an honest server sends once both are bound. */
function roster(wishes: Partial<RosterTold> = {}, { you = [0], attempt = 0 } = {}): RosterTold {
  const names = ["Anna", "Tom"];
  const seats = names.map((name, seat) => ({
    ...{ kind: "person" as const, level: null, program: false },
    name: toHex(nameHash(fromHex(SALT)!, name)),
    bound: you.includes(seat) ? (bound()[seat] ?? null) : bindingOf(table, attempt, seat, OTHERS),
  }));
  return {
    type: "roster",
    ...{ table, attempt, names, salts: [SALT, SALT], reveals: null },
    roster: {
      ...{ table, attempt, game: "skull-king", rules: "0.1.0", kit: "00".repeat(32), options: { players: 2 } },
      ...{ position: null, clock: { kind: "none" }, seats, server: "ef".repeat(32) },
      voids: Array.from({ length: attempt }, (_, n) => ({ attempt: n, roster: "00".repeat(32), missing: [1] })),
    },
    ...wishes,
  };
}

/** The roster with something about it changed. */
function forged(change: (copy: RosterTold) => void, given = roster()): RosterTold {
  const copy = structuredClone(given);
  change(copy);
  return copy;
}

async function comesTo(given: TableTold): Promise<Fair> {
  const fair = new Fair(table, ask);
  fair.hearTable(given);
  await fair.flush();
  return fair;
}

describe("an honest deal", () => {
  test("bytes are kept before they are bound, and the roster before they are shown", async () => {
    let keptAt: unknown[] = [];
    answer = () => {
      void readReceipt(table).then((kept) => keptAt.push(structuredClone(attemptOf(kept, 0))));
      return null;
    };
    const fair = await comesTo(told());
    const own = attemptOf(await readReceipt(table), 0)!.own[0]!;
    expect(asked).toEqual([{ type: "commit", seat: 0, attempt: 0, hash: bindingOf(table, 0, 0, own) }]);
    expect(keptAt).toMatchObject([{ own: { 0: own }, roster: null }]);

    keptAt = [];
    const sent = roster();
    fair.hearRoster(sent);
    await fair.flush();
    const hash = rosterHash(sent.roster);
    expect(revealed()).toEqual([{ type: "reveal", seat: 0, roster: toHex(hash), bytes: own }]);
    await Promise.resolve();
    expect(keptAt).toMatchObject([{ roster: { table } }]);
    expect(fair.deal).toBeNull();

    const reveals: [number, string][] = [[0, own], [1, OTHERS]];
    fair.hearRoster({ ...sent, reveals });
    await fair.flush();
    expect(fair.deal).toBe(dealCode(hash, reveals));
    expect(fair.isMine).toBe(true);
    expect(fair.flaw).toBeNull();
    expect(attemptOf(await readReceipt(table), 0)).toMatchObject({ reveals, acked: [0] });
    expect(revealed()).toHaveLength(1);
  });

  test("at a table just made bytes are bound without waiting to be told of it, once", async () => {
    bindSoon(table, [0, 1]);
    const fair = new Fair(table, ask);
    fair.hurry();
    await fair.flush();
    expect(Object.keys(bound())).toEqual(["0", "1"]);
    fair.hurry();
    fair.hearTable(told({ you: [0, 1] }));
    await fair.flush();
    expect(asked).toHaveLength(2);
  });

  test("one browser may play several seats", async () => {
    const fair = await comesTo(told({ you: [0, 1] }));
    fair.hearRoster(roster({}, { you: [0, 1] }));
    await fair.flush();
    expect(revealed().map(({ seat }) => seat)).toEqual([0, 1]);
    expect(revealed()[0]!.bytes).not.toBe(revealed()[1]!.bytes);
    expect((await readReceipt(table))!.seats).toEqual([0, 1]);
  });

  test("whoever watches keeps the roster too, and shows nothing", async () => {
    const fair = await comesTo(told({ you: [] }));
    fair.hearRoster(roster({}, { you: [] }));
    await fair.flush();
    expect(asked).toEqual([]);
    expect(attemptOf(await readReceipt(table), 0)?.roster?.table).toBe(table);
    expect(fair.flaw).toBeNull();
  });

  test("a page that was loaded again shows the bytes it had bound", async () => {
    await comesTo(told());
    const own = attemptOf(await readReceipt(table), 0)!.own[0];
    const again = await comesTo(told());
    expect(new Set(asked.map((one) => (one as { hash: string }).hash)).size).toBe(1);
    again.hearRoster(roster());
    await again.flush();
    expect(revealed()).toMatchObject([{ bytes: own }]);
  });

  test("after a void the bytes are fresh", async () => {
    const fair = await comesTo(told());
    fair.hearRoster(roster());
    fair.hearTable(told({ attempt: 1 }));
    await fair.flush();
    fair.hearRoster(roster({}, { attempt: 1 }));
    await fair.flush();
    const [first, second] = revealed();
    expect(first!.bytes).not.toBe(second!.bytes);
    expect(fair.flaw).toBeNull();
  });

  test("a seat that contributes no more binds nothing", async () => {
    const fair = await comesTo(told({ attempt: 1, contributors: [1] }));
    expect(asked).toEqual([]);
    fair.hearRoster(forged((copy) => (copy.roster.seats[0]!.bound = null), roster({}, { attempt: 1 })));
    await fair.flush();
    expect(fair.flaw).toBeNull();
    expect(asked).toEqual([]);
  });

  test("the deal of a game one comes to late is told, and is not one's own", async () => {
    const fair = await comesTo(told({ status: "playing", you: [] }));
    fair.hearRoster(forged((copy) => {
      copy.roster.seats[0]!.bound = null;
      copy.reveals = [[1, OTHERS]];
    }));
    await fair.flush();
    expect(fair.deal).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    expect(fair.isMine).toBe(false);
    const lost = await comesTo(told({ status: "playing", you: [1] }));
    lost.hearRoster(forged((copy) => {
      copy.roster.seats[0]!.bound = null;
      copy.reveals = [[1, OTHERS]];
    }));
    await lost.flush();
    expect(lost.isMine).toBeNull();
    expect(attemptOf(await readReceipt(table), 0)).toMatchObject({ isEarly: false, own: {} });
  });
});

describe("a dishonest server is shown nothing", () => {
  test.each<[string, (copy: RosterTold) => void, string]>([
    ["leaves bytes out", (copy) => (copy.roster.seats[0]!.bound = null), "left-out"],
    ["puts others in their place", (copy) => (copy.roster.seats[0]!.bound = "12".repeat(32)), "left-out"],
    ["binds another name", (copy) => (copy.roster.seats[1]!.name = "12".repeat(32)), "another-name"],
    ["tells another name", (copy) => (copy.names[1] = "Tim"), "another-name"],
    ["swaps two names", (copy) => {
      copy.names.reverse();
      copy.roster.seats = copy.roster.seats.map((seat, n, seats) => ({ ...seat, name: seats[1 - n]!.name }));
    }, "another-name"],
    ["calls a person a bot", (copy) => (copy.roster.seats[1]!.kind = "bot"), "another-seat"],
    ["hides a seat", (copy) => copy.roster.seats.pop(), "another-seat"],
    ["changes the options", (copy) => (copy.roster.options = { players: 3 }), "another-table"],
    ["changes the clock", (copy) => (copy.roster.clock = { kind: "bank" }), "another-table"],
    ["takes another table", (copy) => (copy.roster.table = "elsewhere"), "another-table"],
    ["miscounts the attempts", (copy) => (copy.roster.attempt = 1), "another-table"],
    ["hides a void", (copy) => copy.roster.voids!.push({ attempt: 0, roster: "", missing: [] }), "another-table"],
    ["binds no secret", (copy) => (copy.roster.server = ""), "another-table"],
    ["sends what is no roster", (copy) => (copy.roster = null as never), "unreadable"],
    ["sends far too much", (copy) => (copy.roster.position = { x: "x".repeat(1 << 19) }), "unreadable"],
  ])("%s", async (_, change, flaw) => {
    const fair = await comesTo(told());
    fair.hearRoster(forged(change));
    await fair.flush();
    expect(fair.flaw).toBe(flaw);
    expect(fair.hasKeptBack).toBe(true);
    expect(revealed()).toEqual([]);
  });

  test("a second roster for one attempt, even after a reload", async () => {
    const fair = await comesTo(told());
    fair.hearRoster(roster());
    const other = forged((copy) => (copy.roster.server = "99".repeat(32)));
    fair.hearRoster(other);
    await fair.flush();
    expect(fair.flaw).toBe("second-roster");
    expect(fair.hasKeptBack).toBe(false); // the first was answered
    expect(revealed()).toHaveLength(1);
    const again = await comesTo(told());
    again.hearRoster(other);
    await again.flush();
    expect(again.flaw).toBe("second-roster");
    fair.hearRoster(roster());
    await fair.flush();
    expect(fair.flaw).toBe("second-roster"); // what was seen stays seen
  });

  test.each<[string, (reveals: [number, string][]) => void]>([
    ["bytes nobody had bound", (reveals) => (reveals[1]![1] = "12".repeat(32))],
    ["a seat is missing", (reveals) => reveals.pop()],
    ["a seat twice", (reveals) => reveals.push(reveals[1]!)],
    ["another order", (reveals) => reveals.reverse()],
    ["no bytes at all", (reveals) => (reveals[1]![1] = "zz")],
  ])("reveals: %s", async (_, change) => {
    const fair = await comesTo(told());
    const sent = roster();
    fair.hearRoster(sent);
    await fair.flush();
    const reveals: [number, string][] = [[0, revealed()[0]!.bytes], [1, OTHERS]];
    change(reveals);
    fair.hearRoster({ ...sent, reveals });
    await fair.flush();
    expect(fair.flaw).toBe("wrong-reveal");
    expect(fair.deal).toBeNull();
  });

  test("one that leaves out what it had confirmed is kept as proof; one that never did is told apart", async () => {
    const fair = await comesTo(told());
    fair.hearRoster(forged((copy) => (copy.roster.seats[0]!.bound = null)));
    await fair.flush();
    expect(attemptOf(await readReceipt(table), 0)?.roster).not.toBeNull();

    // it is confirmed only afterwards
    table = `table${tables++}`;
    let confirm = () => {};
    const slowly = (message: Request) => {
      asked.push(message);
      return message.type === "commit" ? new Promise<void>((resolve) => (confirm = resolve)) : Promise.resolve();
    };
    asked = [];
    const slow = new Fair(table, slowly);
    slow.hearTable(told());
    await slow.flush();
    slow.hearRoster(forged((copy) => (copy.roster.seats[0]!.bound = null)));
    await slow.flush();
    expect(slow.flaw).toBe("too-late");
    confirm();
    await vi.advanceTimersByTimeAsync(1);
    await slow.flush();
    expect(slow.flaw).toBe("left-out");
    expect(attemptOf(await readReceipt(table), 0)?.roster).not.toBeNull();

    table = `table${tables++}`;
    answer = () => new Error("too late");
    const late = await comesTo(told());
    late.hearRoster(forged((copy) => (copy.roster.seats[0]!.bound = null)));
    await late.flush();
    expect(late.flaw).toBe("too-late");
    expect(attemptOf(await readReceipt(table), 0)?.roster).toBeNull();
  });

  test("that does not wait for a seat is told of its bytes nevertheless", async () => {
    await comesTo(told({ contributors: [1] }));
    expect(Object.keys(bound())).toEqual(["0"]);
  });

  test("bytes that it had confirmed were not missing", async () => {
    const fair = await comesTo(told());
    fair.hearRoster(roster());
    await fair.flush();
    await fair.flush(); // what was shown is confirmed
    fair.hearTable(told({ attempt: 1, contributors: [1] }));
    fair.hearRoster(forged((copy) => {
      copy.roster.voids![0]!.missing = [0];
      copy.roster.seats[0]!.bound = null;
    }, roster({}, { attempt: 1 })));
    await fair.flush();
    expect(fair.flaw).toBe("called-missing");
  });

  test("more attempts than there can be are not kept", async () => {
    for (let attempt = 0; attempt < 16; attempt++) await comesTo(told({ attempt }));
    const fair = await comesTo(told({ attempt: 16 }));
    expect(fair.flaw).toBe("unreadable");
    expect((await readReceipt(table))!.attempts).toHaveLength(16);
  });

  test("bytes that this browser no longer has are not made up", async () => {
    const fair = await comesTo(told());
    const sent = roster();
    await changeReceipt(table, (kept) => (kept.attempts = []));
    fair.hearRoster(sent);
    await fair.flush();
    expect(fair.flaw).toBe("forgotten");
    expect(revealed()).toEqual([]);
  });
});

describe("what is seen", () => {
  const view = (ply: number, n: number | null) =>
    ({
      ...{ type: "view", table },
      shown: {
        ...{ to_act: [0], scores: [0, 0], winners: [], view: { ply }, ply, decision: 0, happened: [] },
        link: n === null ? null : { n, hash: toHex(canon(n)).padEnd(64, "0") },
      },
      own: [{ seat: 0, view: {} }],
    }) as ViewTold;

  test("is written after a while, and at the latest when asked", async () => {
    const fair = await comesTo(told({ status: "playing" }));
    fair.hearView(view(1, 1));
    fair.hearView(view(2, 2));
    expect(fair.log?.n).toBe(2);
    expect(await readReceipt(table)).toBeNull();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await readReceipt(table)).toMatchObject({
      seen: { ranges: [[1, 2]] },
      shown: { plies: [[1, 2, [0]]] },
    });
    fair.hearView(view(3, 3));
    await fair.flush();
    expect((await readReceipt(table))!.seen.ranges).toEqual([[1, 3]]);
    fair.hearAct(0, "bid 1");
    await vi.advanceTimersByTimeAsync(0);
    expect((await readReceipt(table))!.acts).toEqual([{ seat: 0, do: "bid 1", n: 3 }]);
  });

  test("a table that goes back is taken down so", async () => {
    const fair = await comesTo(told({ status: "playing" }));
    for (const [ply, n] of [[1, 1], [2, 2], [1, 1]] as const) fair.hearView(view(ply, n));
    await fair.flush();
    expect((await readReceipt(table))!.seen.ranges).toEqual([[1, 2], [1, 1]]);
  });

  test("of a game without links nothing is noted", async () => {
    const fair = await comesTo(told({ status: "playing" }));
    fair.hearView(view(1, null));
    fair.hearAct(0, "bid 1");
    await fair.flush();
    expect(await readReceipt(table)).toBeNull();
    expect(fair.log).toBeNull();
  });

  test("without a database all of it lasts as long as the page, and that is told", async () => {
    await comesTo(told());
    expect(await readReceipt(table)).not.toBeNull();
    expect(await isLasting(table)).toBe(false);
  });
});

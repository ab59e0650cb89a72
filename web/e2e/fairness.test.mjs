/** Nobody has to trust the dealer: honest servers are proven, dishonest ones are shown nothing. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";

import { actOnce, launch, person, playUntil, proveByCommand, resign, sees, Server, sitDown, SIZES, squabble, verdictOf } from "./harness.mjs";

const OVER = "#end-title";
const MINE = { kind: "mine" };
const OPEN = { kind: "open" };
const BOT = { kind: "bot" };
const NOTICE = "[role=alert]";

let server;
let browser;
const pages = [];
/** Games that are played to their end by bots while the other tests run. */
const whole = new Map();

before(async () => {
  [server, browser] = await Promise.all([new Server().start(), launch()]);
  for (const game of ["gezanke", "riff-raff"]) whole.set(game, await beginWhole(game));
});
after(async () => {
  await browser?.close();
  await server?.stop();
});
afterEach(async () => {
  for (const page of pages.splice(0)) {
    const { troubles } = page;
    await page.context().close();
    assert.deepEqual(troubles, [], "nothing goes wrong in the page");
  }
});
async function somebody(wishes) {
  const page = await person(browser, wishes);
  pages.push(page);
  return page;
}

/** Somebody plays a little and gives up; bots play on. */
async function beginWhole(game) {
  const page = await person(browser);
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null; // without three dimensions: nothing waits for pictures
  });
  const { table, keys } = await server.table({ game, seats: [MINE, BOT, BOT], start: true });
  await sitDown(page, server, { table, keys }, game);
  await page.locator("#log-title").waitFor();
  if (game === "gezanke") await playUntil([page], ".target", { act: squabble });
  await resign(page);
  return { page, table };
}

/**
 * What lies between a page and the server changes what is said. `toPage` and `toServer` get a message
 * and how to pass it on, as often as they like.
 */
function between(page, { toPage = (message, pass) => pass(message), toServer = (message, pass) => pass(message) }) {
  return page.routeWebSocket(/\/ws$/, (socket) => {
    const far = socket.connectToServer();
    const heard = (hear, side) => (data) => {
      if (typeof data !== "string") side.send(data);
      else hear(JSON.parse(data), (message) => side.send(JSON.stringify(message)));
    };
    socket.onMessage(heard(toServer, far));
    far.onMessage(heard(toPage, socket));
  });
}

/** A table for two people; the host has not started yet. */
async function twoAtATable(anna, tom, seats = [MINE, OPEN]) {
  const seated = await server.table({ seats });
  await sitDown(anna, server, seated);
  await anna.locator("#lobby-title").waitFor();
  await tom.goto(`${server.url}/t/${seated.table}`);
  await tom.locator(".lobby input[autocomplete=nickname]").fill("Tom");
  await tom.locator(".lobby form button[type=submit]").click();
  await anna.getByText("Tom").first().waitFor();
  return seated;
}
const start = (page) => page.locator(".start button.primary").click();

async function openFairness(page) {
  await page.locator("[popovertarget=table-menu]").click();
  await page.locator("#table-menu button:has(path[d^='M12 3l7 3'])").click(); // the one with the shield
  await page.locator("dialog[open] .deal").waitFor();
}
const closeDialog = (page) => page.keyboard.press("Escape");

/** What this browser keeps of a table. */
const receiptOf = (page, table) =>
  page.evaluate(
    (table) =>
      new Promise((resolve) => {
        const opening = indexedDB.open("quarterdeck", 1);
        opening.onsuccess = () => {
          const asked = opening.result.transaction("receipts").objectStore("receipts").get(table);
          asked.onsuccess = () => {
            opening.result.close();
            resolve(asked.result);
          };
        };
      }),
    table,
  );

/** Puts so many old receipts into this browser; answers how many it has then. */
const fillReceipts = (page, count) =>
  page.evaluate(
    (count) =>
      new Promise((resolve) => {
        const opening = indexedDB.open("quarterdeck", 1);
        opening.onsuccess = () => {
          const store = opening.result.transaction("receipts", "readwrite").objectStore("receipts");
          for (let n = 0; n < count; n += 1) store.put({ table: `old${n}`, at: n });
          const asked = store.count();
          asked.onsuccess = () => {
            opening.result.close();
            resolve(asked.result);
          };
        };
      }),
    count,
  );

describe("an honest game", () => {
  it("is proven to both who play it and have the same codes; a receipt is handed out", async () => {
    const [anna, tom, eve] = [await somebody(), await somebody({ size: SIZES.phone, lang: "de" }), await somebody()];
    const { table } = await twoAtATable(anna, tom);
    await eve.goto(`${server.url}/t/${table}`);
    await eve.locator("#lobby-title").waitFor();
    await fillReceipts(eve, 70); // of tables long ago
    await start(anna);
    await Promise.all([anna, tom].map((page) => page.locator("ul.bids button").first().waitFor()));
    const codes = [];
    for (const page of [anna, tom, eve]) {
      await openFairness(page);
      codes.push(await page.locator("dialog[open] .code").allInnerTexts());
      assert.match(codes.at(-1)[0], /^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
      await closeDialog(page);
    }
    assert.deepEqual(codes[1], codes[0]);
    assert.deepEqual(codes[2], codes[0]);

    await playUntil([anna, tom], async () => Number(/\d+/.exec(await anna.locator("header").first().innerText())?.[0]) >= 3, { act: actOnce });
    await anna.reload();
    await anna.locator("ul.bids button, ul.hand button").first().waitFor();
    await resign(tom);
    await anna.locator(OVER).waitFor();
    const mine = await verdictOf(anna);
    assert.equal(mine.tone, "good", mine.text);
    assert.match(mine.text, /^Proven to you: your numbers are in it; nobody could choose the deal\.$/);
    assert.deepEqual(mine.wrong, []);
    assert.ok(mine.right.some((line) => /4 draws were repeated/.test(line)), mine.right.join());
    assert.ok(mine.right.some((line) => /The log is as you saw it, to its end/.test(line)), mine.right.join());
    assert.ok(mine.right.some((line) => /All your \d+ moves are in it/.test(line)), mine.right.join());
    const his = await verdictOf(tom);
    assert.equal(his.tone, "good", his.text);
    assert.match(his.text, /^Dir bewiesen/);
    // whoever watched has seen that it fits together, which is no proof
    const hers = await verdictOf(eve);
    assert.equal(hers.tone, "open", hers.text);
    assert.match(hers.text, /proves the deal to Anna, Tom, not to you/);

    assert.equal(await fillReceipts(eve, 0), 60, "the oldest are dropped");

    // the command knows the rules, and finds that all that was shown is right too
    const { receipt, found } = await proveByCommand(anna, server, table);
    assert.equal(receipt["quarterdeck-receipt"], 1);
    assert.deepEqual([receipt.table, receipt.seats, receipt.attempts.length], [table, [0], 1]);
    assert.deepEqual(receipt.attempts[0].acked, [0]);
    assert.ok(receipt.acts.length > 3);
    assert.equal(found.verdict, "proven", JSON.stringify(found));
    const states = Object.fromEntries(found.parts.map(({ part, state }) => [part, state]));
    assert.deepEqual([states.views, states.acts, states.log], ["ok", "ok", "ok"]);
  });

  it("that was dealt twice says so; a browser that was loaded again meanwhile takes part in both", async () => {
    const [anna, tom] = [await somebody(), await somebody()];
    await between(tom, { toServer: (message, pass) => message.type !== "reveal" && pass(message) });
    const { table } = await twoAtATable(anna, tom, [MINE, OPEN, BOT]);
    await start(anna);
    await anna.waitForFunction(() => document.querySelector("#lobby-title")?.textContent.includes("…"));
    await anna.reload();
    await anna.locator("#lobby-title").waitFor();
    await anna.locator("ul.bids button").first().waitFor({ timeout: 40_000 });
    const kept = await receiptOf(anna, table);
    assert.equal(kept.attempts.length, 2);
    assert.notEqual(kept.attempts[0].own[0], kept.attempts[1].own[0]);
    await tom.locator("ul.bids button").first().waitFor();
    await resign(tom);
    await resign(anna);
    await anna.locator(OVER).waitFor({ timeout: 60_000 });
    const verdict = await verdictOf(anna);
    assert.equal(verdict.tone, "good", verdict.text);
    assert.match(verdict.text, /nobody could choose among more than 2 deals/);
    const his = await verdictOf(tom);
    assert.equal(his.tone, "open", "his numbers are not in it");
  });

  it("is told honestly where the browser keeps nothing", async () => {
    const anna = await somebody();
    await anna.addInitScript(() => Object.defineProperty(window, "indexedDB", { value: undefined }));
    const seated = await server.table({ seats: [MINE, BOT], start: true });
    await sitDown(anna, server, seated);
    await anna.locator("ul.bids button").first().waitFor();
    await resign(anna);
    await anna.locator(OVER).waitFor();
    const verdict = await verdictOf(anna);
    assert.equal(verdict.tone, "good", verdict.text);
    await anna.getByText("lasts only as long as this page").waitFor();
    await anna.reload();
    await anna.locator(OVER).waitFor();
    const later = await verdictOf(anna);
    assert.equal(later.tone, "open", later.text);
    assert.match(later.open.join(" "), /kept nothing of the game/);
  });
});

describe("a dishonest server", () => {
  /** Plays against one whose rosters are changed on their way; it gives up after a while, so that nothing is waited for. */
  const cheat = async (change, words) => {
    const anna = await somebody();
    const shown = [];
    await between(anna, {
      toPage: (message, pass) => {
        if (message.type === "roster" && message.reveals === null) change(message, pass);
        else pass(message);
      },
      toServer: (message, pass) => {
        if (message.type === "reveal") shown.push(message.bytes);
        pass(message);
      },
    });
    const seated = await server.table({ seats: [MINE, BOT], start: true });
    await sitDown(anna, server, seated);
    await anna.locator(NOTICE).filter({ hasText: words }).waitFor();
    return { anna, shown, seated };
  };
  const changed = (change) => (message, pass) => {
    const copy = structuredClone(message);
    change(copy.roster, copy);
    pass(copy);
  };

  it("that leaves bytes out is shown none, and that is the proof", async () => {
    const { anna, shown, seated } = await cheat(
      changed((roster) => (roster.seats[0].bound = null)),
      /does not trust the deal.*left your numbers out.*has not shown your numbers/s,
    );
    await anna.waitForTimeout(300);
    assert.deepEqual(shown, []);
    const kept = await receiptOf(anna, seated.table);
    assert.equal(kept.attempts[0].roster.seats[0].bound, null);
  });

  it("that puts other bytes in their place", async () => {
    const { shown } = await cheat(changed((roster) => (roster.seats[0].bound = "12".repeat(32))), /left your numbers out/);
    assert.deepEqual(shown, []);
  });

  it("that binds another name than it shows", async () => {
    const { shown } = await cheat(changed((roster, message) => (message.names[1] = "Blackbeard")), /another name/);
    assert.deepEqual(shown, []);
  });

  it("that sends a second roster is not answered again", async () => {
    const { anna, shown } = await cheat((message, pass) => {
      pass(message);
      changed((roster) => (roster.server = "34".repeat(32)))(message, pass);
    }, /two different lists/);
    await anna.locator("ul.bids button").first().waitFor();
    assert.equal(shown.length, 1, "the first was answered");
    assert.equal(await sees(anna, NOTICE), true, "it is said as long as the page is there");
  });

  it("that forks the log, or trims the record, is found out at the end", async () => {
    const anna = await somebody();
    await between(anna, {
      toPage: (message, pass) => {
        if (message.type === "view" && message.shown.link.n === 5) message.shown.link.hash = "56".repeat(32);
        pass(message);
      },
    });
    const seated = await server.table({ seats: [MINE, BOT], start: true });
    await sitDown(anna, server, seated);
    await playUntil([anna], async () => Number(/\d+/.exec(await anna.locator("header").first().innerText())?.[0]) >= 3);
    await resign(anna);
    await anna.locator(OVER).waitFor();
    const forked = await verdictOf(anna);
    assert.equal(forked.tone, "bad");
    assert.match(forked.text, /^NOT FAIR\. The log is not the one you saw\.$/);

    await anna.route("**/record", async (route) => {
      const record = await (await route.fetch()).json();
      record.fairness.reveals = [];
      record.fairness.roster.seats[0].bound = null;
      await route.fulfill({ json: record });
    });
    const trimmed = await verdictOf(anna);
    assert.equal(trimmed.tone, "bad");
    assert.match(trimmed.text, /^NOT FAIR\. Your numbers were left out\.$/);
  });
});

describe("a whole game", () => {
  for (const [game, verbs] of Object.entries({ gezanke: /^(start|lay|roll) /, "riff-raff": /^start / })) {
    it(`of ${game} is proven, every draw of it`, async () => {
      const { page, table } = whole.get(game);
      pages.push(page);
      await page.locator(OVER).waitFor({ timeout: 240_000 });
      const { log, outcome } = await server.record(table);
      assert.ok(outcome.winners.length > 0 && outcome.resigned === undefined && log.length > 20);
      const verdict = await verdictOf(page);
      assert.equal(verdict.tone, "good", `${verdict.text} ${verdict.wrong}`);
      const draws = log.filter(({ by, do: text }) => by === "nature" && verbs.test(text)).length;
      assert.ok(verdict.right.some((line) => line.includes(`${draws} draw`)), verdict.right.join());
      const { found } = await proveByCommand(page, server, table);
      assert.equal(found.verdict, "proven", JSON.stringify(found));
    });
  }
});

/** Whole games of Jolly & Roger in real browsers, through the real server. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";

import { isTooWide, launch, person, playUntil, sees, Server, sitDown, SIZES, splitOrPlay, verdictOf } from "./harness.mjs";

const OVER = "#end-title";
const MINE = { kind: "mine" };
const OPEN = { kind: "open" };
const BOT = { kind: "bot" };
const TOUCH_PX = 44;

let server;
let browser;
const pages = [];

before(async () => {
  [server, browser] = await Promise.all([new Server().start(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});
afterEach(async () => {
  for (const page of pages.splice(0)) {
    const troubles = page.troubles.filter((line) => !/WebSocket|ERR_CONNECTION/.test(line));
    await page.context().close();
    assert.deepEqual(troubles, [], "nothing goes wrong in the page");
  }
});
async function somebody(wishes) {
  const page = await person(browser, wishes);
  pages.push(page);
  return page;
}

const table = (variant, seats, wishes = {}) =>
  server.table({ game: "jolly-roger", options: { variant }, seats, ...wishes });
const play = (people, isDone) => playUntil(people, isDone, { act: splitOrPlay });
const deals = (record) => record.log.filter((entry) => entry.do.startsWith("deal")).length;

/** Anna alone against a bot, sitting at a game that has begun. */
async function begun(variant, wishes) {
  const anna = await somebody(wishes);
  const seated = await table(variant, [MINE, BOT], { start: true });
  await sitDown(anna, server, seated, "jolly-roger");
  return { anna, seated };
}

describe("the introductory game", () => {
  it("is played by two people in two browsers, and is fair", async () => {
    const anna = await somebody();
    const tom = await somebody({ lang: "de", theme: "light", size: SIZES.tablet });
    const seated = await table("intro", [MINE, OPEN]);
    await sitDown(anna, server, seated, "jolly-roger");
    await anna.locator("#lobby-title").waitFor();
    await tom.goto(await anna.locator("input[name=link]").inputValue());
    await tom.locator(".lobby input[autocomplete=nickname]").fill("Tom");
    await tom.locator(".lobby form button[type=submit]").click();
    await anna.getByText("Tom").first().waitFor();
    await anna.locator(".start button.primary").click();

    await play([anna, tom], async () => (await sees(anna, OVER)) && (await sees(tom, OVER)));

    const record = await server.record(seated.table);
    assert.equal(deals(record), 8);
    assert.ok(record.outcome.winners.length > 0);
    for (const page of [anna, tom]) {
      // the reckoning comes to what the record says
      const totals = await page.locator(".result tfoot td").allInnerTexts();
      assert.deepEqual(totals.map(Number), record.outcome.scores);
      assert.equal((await verdictOf(page)).tone, "good");
    }
  });
});

describe("the advanced game", () => {
  it("is played on a phone, without scrolling sideways and with room for fingers", async () => {
    const { anna, seated } = await begun("advanced", { size: SIZES.phone });
    const small = new Set();
    await play([anna], async () => {
      assert.equal(await isTooWide(anna), false);
      const found = await anna.locator(".frame button:visible").evaluateAll(
        (buttons, least) =>
          buttons
            .filter((button) => button.isConnected)
            .filter((button) => button.offsetWidth < least || button.offsetHeight < least)
            .map((button) => `${button.className} ${button.offsetWidth}×${button.offsetHeight}`),
        TOUCH_PX,
      );
      for (const button of found) small.add(button);
      return sees(anna, OVER);
    });
    assert.deepEqual([...small], []);
    assert.equal(deals(await server.record(seated.table)), 8);
  });
});

describe("the game with all cards", () => {
  it("is played over ten turns, with a reload on the way and the gold counted at the end", async () => {
    const { anna, seated } = await begun("all-cards", { motion: "no-preference" });
    await play([anna], async () => (await anna.locator(".top").first().innerText()).includes("3 of 10"));
    await anna.reload();
    await anna.locator(".trays li, ul.hand li").first().waitFor();
    await play([anna], () => sees(anna, ".floating table"));
    await anna.locator(".floating tfoot .won").waitFor();
    const totals = await anna.locator(".floating tfoot td").allInnerTexts();
    await anna.locator(OVER).waitFor();
    const record = await server.record(seated.table);
    assert.deepEqual(totals.map(Number), record.outcome.scores);
    assert.equal(deals(record), 10);
  });
});

describe("with the keyboard alone", () => {
  it("splits, picks and plays", async () => {
    const { anna } = await begun("intro");
    const press = (...keys) => keys.reduce((done, key) => done.then(() => anna.keyboard.press(key)), Promise.resolve());
    const done = { split: 0, pick: 0, play: 0 };
    while (Math.min(...Object.values(done)) < 2) {
      if (await sees(anna, ".trays li button")) {
        await press("ArrowRight", "ArrowRight", "ArrowUp"); // goes there and moves a card,
        await press("4"); // another by its number
        const offer = anna.locator(".rail .button.primary");
        if ((await offer.count()) === 0) await press("5");
        await offer.focus();
        await press("Enter");
        await offer.waitFor({ state: "detached" });
        done.split += 1;
      } else if (await sees(anna, "button.tray")) {
        await press("1");
        await anna.locator("button.tray").first().waitFor({ state: "detached" });
        done.pick += 1;
      } else if (await sees(anna, "ul.hand button.playable")) {
        const cards = await anna.locator("ul.hand button").count();
        await press("1", "Enter"); // the first card, and the first thing it may do
        await anna.waitForFunction((n) => document.querySelectorAll("ul.hand button").length !== n, cards);
        done.play += 1;
      } else {
        await anna.waitForTimeout(30);
      }
    }
  });
});

describe("by dragging", () => {
  async function drag(page, from, to) {
    await from.hover(); // which waits until nothing moves any more
    await page.mouse.down();
    const [start, end] = [await from.boundingBox(), await to.boundingBox()];
    await page.mouse.move(start.x + start.width / 2 + 20, start.y + 10, { steps: 3 });
    await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 5 });
    await page.mouse.up();
  }

  it("cards go into the other tray, and to a ship", async () => {
    const { anna } = await begun("intro");
    await play([anna], ".trays li button");
    const first = anna.locator(".trays li button").first();
    const zone = await first.getAttribute("data-zone");
    const other = zone === "tray 0" ? "tray 1" : "tray 0";
    // the mouse of a busy machine may slip
    for (let tries = 0; tries < 3 && (await first.getAttribute("data-zone")) === zone; tries++) {
      await drag(anna, first, anna.locator(`.tray[data-zone='${other}']`));
      await anna.waitForTimeout(500);
    }
    await anna.locator(`.trays li:first-child button[data-zone='${other}']`).waitFor();
    if ((await anna.locator(".rail .button.primary").count()) === 0) await anna.locator(".trays li button").last().click();
    await anna.locator(".rail .button.primary").click();

    await play([anna], "li:has(button.playable) ~ li button.playable");
    const cards = await anna.locator("ul.hand button").count();
    const card = anna.locator("ul.hand button.playable").first();
    if ((await anna.locator("button.target").count()) === 0) await card.click();
    await drag(anna, card, anna.locator("button.target.parrot").last());
    await anna.waitForFunction((n) => document.querySelectorAll("ul.hand button").length === n - 1, cards);
    await anna.locator("[data-ship=red] ol:not(.above) li").first().waitFor({ state: "attached" });
  });
});

describe("two people at one screen", () => {
  it("need no curtain: nothing is hidden", async () => {
    const anna = await somebody();
    const seated = await table("intro", [MINE, { ...MINE, name: "Tom" }], { start: true });
    await sitDown(anna, server, seated, "jolly-roger");
    await play([anna], async () => {
      assert.equal(await sees(anna, ".curtain"), false);
      return (await anna.locator(".top").first().innerText()).includes("2 of 8");
    });
  });
});

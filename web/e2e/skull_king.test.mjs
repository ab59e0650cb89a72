/** Whole games of Skull King in real browsers, through the real server. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";

import { actOnce, isTooWide, launch, person, playUntil, sees, Server, sitDown, SIZES, verdictOf } from "./harness.mjs";

const OVER = "#end-title";
const MINE = { kind: "mine" };
const OPEN = { kind: "open" };
const BOT = { kind: "bot" };

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

const handOf = (page) => page.locator("header, .top").first().innerText();

describe("a game of people and bots", () => {
  it("is played by two browsers and two bots over ten hands, and is fair", async () => {
    const anna = await somebody();
    const tom = await somebody({ lang: "de", theme: "light" });

    // Anna makes a table over the harbour's form, Tom comes by the link
    const seated = await server.table({ seats: [MINE, OPEN, BOT, BOT] });
    await sitDown(anna, server, seated);
    await anna.locator("#lobby-title").waitFor();
    const link = await anna.locator("input[name=link]").inputValue();
    await tom.goto(link);
    await tom.locator(".lobby input[autocomplete=nickname]").fill("Tom");
    await tom.locator(".lobby form button[type=submit]").click();
    await anna.getByText("Tom").first().waitFor();
    await anna.locator(".start button.primary").click();

    await playUntil([anna, tom], async () => (await sees(anna, OVER)) && (await sees(tom, OVER)));

    const record = await server.record(seated.table);
    assert.equal(record.log.filter((entry) => entry.do.startsWith("deal")).length, 10);
    assert.ok(record.outcome.winners.length > 0);
    const ranking = (await anna.locator(".end ol").innerText()).replaceAll("−", "-");
    for (const score of record.outcome.scores) assert.ok(ranking.includes(String(score)), ranking);
    for (const page of [anna, tom]) {
      assert.equal((await verdictOf(page)).tone, "good");
    }
    const [download] = await Promise.all([
      anna.waitForEvent("download"),
      anna.locator("a[download]").click(),
    ]);
    assert.match(download.suggestedFilename(), /skull-king.*\.json/);

    // and again
    await anna.locator(".actions button.primary").click();
    await anna.locator("#lobby-title").waitFor();
    await tom.locator(".actions button.primary").click();
    await tom.locator("#lobby-title").waitFor();
  });
});

describe("a rough night", () => {
  it("goes on after a reload, a crash of the server, and in two tabs of one seat", async () => {
    const anna = await somebody();
    const seated = await server.table({ seats: [MINE, BOT, BOT], start: true });
    await sitDown(anna, server, seated);
    const hand = async () => Number(/\d+/.exec(await handOf(anna))?.[0]);
    await playUntil([anna], async () => (await hand()) >= 3 && sees(anna, "ul.bids"));

    await actOnce(anna); // a bid
    await anna.locator("ul.hand button").first().waitFor();
    const before = await anna.locator("ul.hand button").count();
    await anna.reload();
    await anna.locator("ul.hand button").first().waitFor();
    assert.ok((await anna.locator("ul.hand button").count()) <= before);

    await server.kill();
    await anna.locator(".bar[role=status]").first().waitFor();
    await server.start();
    await anna.locator("ul.hand button.playable, ul.bids button").first().waitFor({ timeout: 15_000 });

    const twin = await anna.context().newPage();
    await twin.goto(anna.url());
    await twin.locator("ul.hand button, ul.bids button").first().waitFor();
    await playUntil([anna, twin], async () => (await sees(anna, OVER)) && (await sees(twin, OVER)));
  });
});

describe("on a phone", () => {
  it("never scrolls sideways, and shows why a card cannot be played", async () => {
    const anna = await somebody({ size: SIZES.phone });
    const seated = await server.table({ seats: [MINE, BOT, BOT, BOT, BOT, BOT], start: true });
    await sitDown(anna, server, seated);
    let wasExplained = false;
    await playUntil([anna], async () => {
      assert.equal(await isTooWide(anna), false);
      const dimmed = anna.locator("ul.hand button.dim").first();
      if (!wasExplained && (await dimmed.isVisible().catch(() => false))) {
        await dimmed.dispatchEvent("click");
        await anna.getByText("SK-5").first().waitFor({ timeout: 5000 });
        wasExplained = true;
      }
      return sees(anna, OVER);
    });
    assert.ok(wasExplained, "in ten hands somebody has to follow suit");
  });
});

describe("with the keyboard alone", () => {
  it("bids and plays", async () => {
    const anna = await somebody();
    const seated = await server.table({ seats: [MINE, BOT, BOT], start: true });
    await sitDown(anna, server, seated);
    await anna.locator("ul.bids button").first().waitFor();
    await anna.keyboard.press("1");
    await anna.keyboard.press("Enter");
    await anna.locator("ul.hand button.playable").first().waitFor();
    await anna.keyboard.press("ArrowRight");
    await anna.keyboard.press("Enter");
    if (await sees(anna, "dialog[open] button.role")) await anna.keyboard.press("Enter");
    await anna.locator("ul.bids button").nth(2).waitFor(); // the second hand
  });
});

describe("the clicks it takes", () => {
  it("is at a table with one click and has played a card with three", async () => {
    const anna = await somebody();
    await anna.goto(`${server.url}/`);
    await anna.locator("article.featured .button.primary").click();
    await anna.locator("ul.bids button").first().click();
    await anna.locator("ul.hand button.playable").first().click();
    await anna.locator("ul.bids button").nth(2).waitFor(); // the second hand
  });
});

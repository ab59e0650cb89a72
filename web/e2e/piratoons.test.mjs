/** Piratoons in real browsers, through the real server, in real time. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";

import { isTooWide, launch, person, playUntil, plunderOrBuild, proveByCommand, sees, Server, sitDown, SIZES, verdictOf, violations } from "./harness.mjs";

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

const table = (seats, glass, wishes = {}) =>
  server.table({ game: "piratoons", options: { glass, limit: 15 }, seats, ...wishes });

/** Anna at her screen and Tom at his, with bots on the other seats. */
async function twoPeople({ glass, pace, tomsWishes }) {
  const anna = await somebody();
  const tom = await somebody(tomsWishes);
  const seated = await table([MINE, OPEN, BOT, BOT], glass, { bot_pace_ms: pace });
  await sitDown(anna, server, seated, "piratoons");
  await anna.locator("#lobby-title").waitFor();
  await tom.goto(await anna.locator("input[name=link]").inputValue());
  await tom.locator(".lobby input[autocomplete=nickname]").fill("Tom");
  await tom.locator(".lobby form button[type=submit]").click();
  await anna.getByText("Tom").first().waitFor();
  await anna.locator(".start button.primary").click();
  await Promise.all([anna, tom].map((page) => page.locator(".chest").waitFor()));
  return { anna, tom, seated };
}

/** Waits until the chest is open for all of these; whoever is captain opens it. */
async function opened(people) {
  await playUntil(
    people,
    async () => (await Promise.all(people.map((page) => sees(page, "button.supply:enabled")))).every(Boolean),
    { act: async (page) => {
      const open = page.locator("button.open:enabled");
      if (!(await open.isVisible().catch(() => false))) return false;
      await open.click({ timeout: 3000 }).catch(() => {});
      return true;
    } },
  );
}

/** Where a place of the board is in the window. */
async function onBoard(page, x, y) {
  const box = await page.locator(".chest").boundingBox();
  return { x: box.x + (x / 300) * box.width, y: box.y + (y / 220) * box.height };
}

/** Takes stones from the supply and carries them over a place of the board; does not let go yet. */
async function carry(page, x, y) {
  const supply = await page.locator("button.supply").boundingBox();
  const to = await onBoard(page, x, y);
  await page.mouse.move(supply.x + 40, supply.y + supply.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x - 3, to.y - 3, { steps: 2 });
  await page.mouse.move(to.x, to.y);
}

/** The piles that stand, as everybody should see them. */
const piles = (page) =>
  page.locator(".chest .pile").evaluateAll((all) =>
    all
      .filter((pile) => pile.closest(".pending") === null)
      .map((pile) => [...pile.querySelectorAll(".stone")].map((stone) => stone.dataset.seat).join()),
  );

/** Plays on until the chest of another round stands there. */
async function toNextChest(people) {
  const round = await people[0].locator(".top").first().innerText();
  const isNext = async (page) => (await sees(page, ".chest")) && (await page.locator(".top").first().innerText()) !== round;
  await playUntil(people, async () => (await Promise.all(people.map(isNext))).every(Boolean), { act: plunderOrBuild });
}

async function drag(page, from, to) {
  await from.scrollIntoViewIfNeeded();
  const start = await from.boundingBox();
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + start.width / 2 + 12, start.y + start.height / 2 - 8, { steps: 3 });
  await to.waitFor(); // where it may go shows once it is carried
  const end = await to.boundingBox();
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 5 });
  await page.mouse.up();
}

/** The logbook: what the game has told, line by line. */
const logbook = (page) => page.locator("aside li.game").allInnerTexts();

describe("a whole game", () => {
  it("is played by two people and two bots, one of them on a phone, and its record holds", async () => {
    const { anna, tom, seated } = await twoPeople({ glass: 1, pace: 60, tomsWishes: { lang: "de", theme: "light", size: SIZES.phone } });
    const small = new Set();
    let looks = 0;
    await playUntil(
      [anna, tom],
      async () => {
        if (looks++ % 20 === 0) {
          assert.equal(await isTooWide(tom), false);
          const found = await tom.locator(".frame button:visible").evaluateAll(
            (buttons, least) =>
              buttons
                .filter((button) => button.isConnected && (button.offsetWidth < least || button.offsetHeight < least))
                .map((button) => `${button.className} ${button.offsetWidth}×${button.offsetHeight}`),
            TOUCH_PX,
          );
          for (const button of found) small.add(button);
          const done = await tom.locator(".shipyard .actions .primary").boundingBox({ timeout: 100 }).catch(() => null);
          if (done && done.y + done.height > SIZES.phone.height) small.add("what ends the refit is out of reach");
        }
        return (await sees(anna, OVER)) && (await sees(tom, OVER));
      },
      { act: plunderOrBuild },
    );
    assert.deepEqual([...small], []);

    const record = await server.record(seated.table);
    assert.equal(record.log.filter((entry) => entry.do.startsWith("fill ")).length, 8);
    for (const page of [anna, tom]) {
      const totals = await page.locator(".result tfoot td").allInnerTexts();
      assert.deepEqual(totals.map((text) => Number(text.replace("−", "-"))), record.outcome.scores);
    }
    const isCut = (table) => table.getBoundingClientRect().right > table.parentElement.getBoundingClientRect().right + 1;
    assert.equal(await tom.locator(".result table").first().evaluate(isCut), false);
    assert.deepEqual(await violations(anna), []);
    assert.deepEqual(await violations(tom), [], "in the light theme");
    for (const page of [anna, tom]) {
      const { tone, text, wrong } = await verdictOf(page);
      assert.equal(tone, "good", `${text} ${wrong}`);
    }
    const { found } = await proveByCommand(anna, server, seated.table);
    assert.equal(found.verdict, "proven", JSON.stringify(found));
  });
});

describe("two hands at the same moment", () => {
  it("are taken in one order for everybody, and so are two calls of stop", async () => {
    const { anna, tom } = await twoPeople({ glass: 3, pace: 2500 });
    const people = [anna, tom];
    const both = (does) => Promise.all(people.map(does));

    // ten millimetres apart: the second one knocks over the first one's stone
    const isOut = (page) => page.locator(".fleet li").evaluateAll((seats) => seats.map((seat) => seat.querySelector(".seat.out") !== null));
    let out = [];
    for (let tries = 0; tries < 4 && !out.includes(true); tries++) {
      await opened(people);
      await Promise.all([carry(anna, 30, 92), carry(tom, 40, 92)]);
      await both((page) => page.mouse.up());
      await both((page) => page.locator(".fleet .seat.out").first().waitFor({ timeout: 2000 }).catch(() => {}));
      const look = () => both(async (page) => ({ out: await isOut(page), piles: await piles(page) }));
      let [annas, toms] = await look();
      for (let again = 0; again < 20 && !isDeepStrictEqual(annas, toms); again++) [annas, toms] = await look(); // a bot may act
      assert.deepEqual(annas, toms);
      out = annas.out.slice(0, 2); // unless the chest was closed too soon
      await toNextChest(people);
    }
    assert.equal(out.filter(Boolean).length, 1, "one of the two is out");

    // both call at once: one call ends it
    await opened(people);
    await both((page) => page.locator("button.stop.ripe:enabled, .auction, .shipyard").first().waitFor());
    await both((page) => page.locator("button.stop").click({ timeout: 1000 }).catch(() => {}));
    await both((page) => page.locator(".auction, .shipyard, .gallery").first().waitFor());
    const [annasLog, tomsLog] = await both(logbook);
    const ending = (log) => log.slice(log.findLastIndex((line) => /opens the chest/.test(line)));
    const isTold = (line) => !/holds out|is done/.test(line); // which bots may do at any moment
    const [annasEnd, tomsEnd] = [annasLog, tomsLog].map((log) => ending(log).filter(isTold));
    const stops = annasEnd.filter((line) => /calls stop$|is closed|nobody is left/i.test(line));
    assert.equal(stops.length, 1, annasEnd.join(" / "));
    const length = Math.min(annasEnd.length, tomsEnd.length); // one page may be a moment ahead
    assert.ok(length >= 11, "the loot of nine tiles was told");
    assert.deepEqual(annasEnd.slice(0, length), tomsEnd.slice(0, length));
  });
});

describe("by hand", () => {
  it("a part that was won is dragged into the ship, and to another place", async () => {
    const anna = await somebody();
    const seated = await table([MINE, BOT], 1, { start: true, bot_pace_ms: 1500 });
    await sitDown(anna, server, seated, "piratoons");
    const quay = anna.locator(".hold button[data-tile^=p]:not([data-tile^=port])");
    const aboard = () => anna.locator("button.part").count();
    const twoParts = async () => (await sees(anna, ".shipyard")) && (await quay.count()) + (await aboard()) >= 2;
    let drops = 0;
    await playUntil([anna], twoParts, {
      act: async () => {
        if (await sees(anna, "button.supply:enabled")) {
          // three stones each on two of the parts, from the supply with the pointer
          const hand = anna.locator(".stepper button").last();
          for (let more = 0; more < 2; more++) await hand.click({ timeout: 500 }).catch(() => {});
          await carry(anna, 60 + 90 * (drops++ % 3), 140);
          await anna.mouse.up();
          return true;
        }
        return (await sees(anna, "button.spot")) ? false : plunderOrBuild(anna);
      },
    });
    while ((await quay.count()) > 0) {
      const name = await quay.first().getAttribute("data-tile");
      await drag(anna, quay.first(), anna.locator("button.target.gap").first());
      await anna.locator(`button.part[data-tile=${name}]`).waitFor();
    }
    const order = () => anna.locator("button.part").evaluateAll((parts) => parts.map((part) => part.dataset.tile));
    const before = await order();
    await drag(anna, anna.locator("button.part").first(), anna.locator("button.target.gap").last());
    assert.deepEqual(await order(), [...before.slice(1), before[0]]);
    // every connection is marked, once the server has said how it looks
    await anna.locator(".slip .joint").nth(before.length).waitFor({ state: "attached" });
    assert.equal(await anna.locator(".slip .joint").count(), before.length + 1);
    await playUntil([anna], async () => !(await sees(anna, ".shipyard")), { act: plunderOrBuild });
    await anna.locator(".fleet li").first().locator(".look").click();
    await anna.locator("dialog[open] .joint").nth(before.length).waitFor({ state: "attached" }); // all have built
    assert.equal(await anna.locator("dialog[open] .joint").count(), before.length + 1);
  });

  it("stones are carried with a finger, several at once", async () => {
    const anna = await somebody({ size: SIZES.phone });
    const seated = await table([MINE, BOT], 10, { start: true, bot_pace_ms: 5000 });
    await sitDown(anna, server, seated, "piratoons");
    await opened([anna]);
    await anna.locator("button.supply").tap(); // one more
    assert.equal(await anna.locator(".stepper output").innerText(), "2");
    const finger = await anna.context().newCDPSession(anna);
    const touch = (type, at) =>
      finger.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [at] });
    const supply = await anna.locator("button.supply").boundingBox();
    const to = await onBoard(anna, 150, 150);
    await touch("touchStart", { x: supply.x + 40, y: supply.y + 20 });
    await touch("touchMove", { x: to.x, y: to.y + 80 });
    await touch("touchMove", { x: to.x, y: to.y + 46 }); // they are carried above the finger
    await touch("touchEnd");
    await anna.locator(".chest .leads[data-seat='0']").waitFor();
    assert.equal(await anna.locator(".chest .chip[data-seat='0'] text").innerHTML(), "2");
    assert.match(await anna.locator("button.supply").getAttribute("aria-label"), /4 stones/);
  });
});

describe("with the keyboard alone", () => {
  it("opens, puts stones down, calls stop, bids and builds", async () => {
    const anna = await somebody();
    const seated = await table([MINE, BOT], 3, { start: true, bot_pace_ms: 5000 });
    await sitDown(anna, server, seated, "piratoons");
    const press = async (...keys) => {
      for (const key of keys) await anna.keyboard.press(key);
    };
    const focused = (selector) => anna.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);
    await anna.locator("button.open:enabled, button.spot").first().waitFor({ state: "attached" });
    if (await sees(anna, "button.open")) {
      await anna.locator("button.open").focus();
      await press("Enter");
      await focused("button.spot");
    } else {
      await press("ArrowDown");
      await focused("button.spot");
    }
    await press("2", "ArrowDown", "Enter"); // two on the first part,
    await press("3", "ArrowRight", "Enter"); // three on the next
    await anna.waitForFunction(() => document.querySelectorAll(".chest .leads[data-seat='0']").length === 2);
    await anna.locator("button.stop.ripe:enabled").waitFor();
    await anna.locator("button.stop").focus();
    await press("Enter");
    await anna.locator(".auction input[type=range]").focus();
    await press("ArrowRight", "Enter");
    await anna.locator(".auction form").waitFor({ state: "detached" });
    await playUntil([anna], ".shipyard", { act: plunderOrBuild });
    while ((await anna.locator(".hold li.wide button").count()) > 0) {
      const name = await anna.locator(".hold li.wide button").first().getAttribute("data-tile");
      await anna.locator(".hold li.wide button").first().focus();
      await press("Enter"); // chosen,
      await focused("button.target");
      await press("ArrowRight", "Enter"); // and put into the gap after the next
      await focused(`button.part[data-tile=${name}]`);
    }
    assert.ok((await anna.locator("button.part").count()) >= 2);
    await anna.locator(".actions .button").first().focus();
    await press("Enter"); // laid out for me
    await anna.locator(".actions .primary:enabled").focus();
    await press("Enter");
    await anna.locator(".shipyard").waitFor({ state: "detached" });
  });
});

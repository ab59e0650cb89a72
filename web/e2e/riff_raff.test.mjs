/** Riff Raff in real browsers, through the real server and its real physics. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";

import {
  CARGO,
  chooseCargo,
  isTooWide,
  launch,
  person,
  sees,
  Server,
  sitDown,
  SIZES,
  violations,
} from "./harness.mjs";

const MINE = { kind: "mine" };
const OPEN = { kind: "open" };
const BOT = { kind: "bot", level: "deckhand" };
const PATIENCE_MS = 300_000;

/** Small enough for a machine that draws without a graphics card. */
const WINDOW = { width: 1200, height: 640 };

let server;
let browser;
let plain; // cannot draw in three dimensions
const pages = [];

before(async () => {
  [server, browser, plain] = await Promise.all([new Server().start(), launch({ webgl: true }), launch()]);
});
after(async () => {
  await browser?.close();
  await plain?.close();
  await server?.stop();
});
afterEach(async () => {
  for (const page of pages.splice(0)) {
    const troubles = page.troubles.filter((line) => !/WebSocket|ERR_CONNECTION|GPU stall/.test(line));
    await page.context().close();
    assert.deepEqual(troubles, [], "nothing goes wrong in the page");
  }
});
async function somebody(wishes) {
  const page = await person(wishes?.isPlain ? plain : browser, wishes);
  if (wishes?.isPlain) {
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
  }
  page.setDefaultTimeout(20_000);
  pages.push(page);
  return page;
}

const began = Date.now();
const trace = (what) => process.env.TRACE && console.log(((Date.now() - began) / 1000).toFixed(1), what);

/** Waits until one of these is there; whichever it is. */
async function until(page, selectors, limitMs = 60_000) {
  const end = Date.now() + limitMs;
  while (Date.now() < end) {
    for (const selector of selectors) if (await sees(page, selector)) return selector;
    await page.waitForTimeout(40);
  }
  throw new Error(`none of ${selectors.join(", ")} came`);
}

const FALLING = ".sea.catching";
const AREA = ".standing .chip:text-matches('area [0-9]', 'i')";
const numberIn = (text) => Number(/\d+/.exec(text)[0]);

const middleOf = async (locator, timeout = 20_000) => {
  const box = await locator.boundingBox({ timeout });
  return box === null ? null : [box.x + box.width / 2, box.y + box.height / 2];
};

/** Taps what falls where it is seen, if anything does within a time, and uses the space bar too. */
async function catchWhatFalls(page, waitMs) {
  const end = Date.now() + waitMs;
  while (Date.now() < end && !(await sees(page, ".mark"))) await page.waitForTimeout(10);
  for (let tries = 0; tries < 12 && (await sees(page, FALLING)); tries++) {
    const at = await middleOf(page.locator(".mark").first(), 100).catch(() => null);
    if (at !== null) await page.mouse.click(...at);
    await page.keyboard.press("Space");
    await page.waitForTimeout(60);
  }
}

/** What has been told: a running game has no record to be looked at. */
const logbook = (page) => page.locator("aside").last().innerText();

describe("a game by hand, by keyboard and of a bot", () => {
  it("loads pieces, drops one, and catches it", async () => {
    const anna = await somebody({ size: WINDOW });
    const tom = await somebody({ size: SIZES.phone, lang: "de", theme: "light", isPlain: true });
    const seated = await server.table({ game: "riff-raff", seats: [MINE, OPEN, BOT] });
    await sitDown(anna, server, seated, "riff-raff");
    const link = await anna.locator("input[name=link]").inputValue();
    await tom.goto(link);
    await tom.locator(".lobby input[autocomplete=nickname]").fill("Tom");
    await tom.locator(".lobby form button[type=submit]").click();
    await anna.getByText("Tom").first().waitFor();
    await anna.locator(".start button.primary").click();

    let byHand = 0;
    let bySteps = 0;
    const end = Date.now() + PATIENCE_MS;
    const hasCaught = async () => /Anna catches only the \w+ just placed/.test(await logbook(anna));
    while (byHand < 2 || bySteps === 0 || !(await hasCaught())) {
      assert.ok(Date.now() < end, "it takes too long");
      assert.equal(await isTooWide(tom), false);
      if (await sees(anna, CARGO.controls)) {
        trace("Anna loads");
        await (byHand === 0 ? loadByHand(anna) : dropBeside(anna));
        byHand += 1;
      } else if (await sees(tom, CARGO.controls)) {
        trace("Tom loads");
        await loadByKeyboard(tom);
        bySteps += 1;
      } else {
        // the second card is an area in the middle of the deck
        const acted = await chooseCargo(anna, { pick: (kind) => (kind === "card" ? 1 : 0) });
        if (!(await chooseByKeyboard(tom)) && !acted) await anna.waitForTimeout(60);
      }
    }
    assert.match(await logbook(anna), /The \w+ lies in area \d/, "something lies where it belongs");
  });
});

/** Waits until the piece in the hand has followed. */
async function follow(page) {
  let last = [NaN, NaN];
  for (let stood = 0, tries = 0; stood < 2 && tries < 20; tries++) {
    await page.waitForTimeout(150);
    const now = await middleOf(page.locator(".grip"));
    stood = Math.hypot(now[0] - last[0], now[1] - last[1]) < 1 ? stood + 1 : 0;
    last = now;
  }
}

/** Does one thing again and again until this is seen over the picture. */
async function strive(page, selector, act, most) {
  for (let tries = 0; tries < most && !(await sees(page, selector)); tries++) {
    await act();
    await follow(page);
  }
  assert.ok(await sees(page, selector), `${selector} after ${most} tries`);
}

/** With the mouse: takes the piece and finds it follows; then over its area, down, and lets go. */
async function loadByHand(page) {
  const grip = page.locator(".grip");
  await grip.waitFor();
  const [x, y] = await middleOf(grip);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 12; step++) {
    await page.mouse.move(x + 4 * step, y);
    await page.waitForTimeout(35);
  }
  await page.mouse.up();
  await follow(page);
  const [nx, ny] = await middleOf(grip);
  assert.ok(Math.hypot(nx - x, ny - y) > 15, "the piece follows the pointer");

  trace("it follows");
  const sea = page.locator(".sea");
  await sea.focus();
  for (let step = 0; step < 4; step++) await page.keyboard.press("PageDown"); // below the yards
  await strive(page, AREA, () => page.mouse.wheel(0, -250), 40);
  trace("over the ship");
  const goal = numberIn(await page.locator(".goal").innerText());
  const towards = async () => {
    if (!(await sees(page, AREA))) return page.keyboard.press("Shift+s"); // beyond the ship: back
    const side = numberIn(await page.locator(AREA).innerText()) < goal ? "ArrowRight" : "ArrowLeft";
    for (let step = 0; step < 3; step++) await page.keyboard.press(side);
  };
  await strive(page, ".standing .good", towards, 40);
  trace("over its area");
  await page.keyboard.press("q");
  await strive(page, ".standing .chip:text-matches('touches', 'i')", () => page.keyboard.press("ArrowDown"), 40);
  trace("it lies");
  await page.keyboard.press("Enter");
  await catchWhatFalls(page, 1500);
  await page.locator(".standing").waitFor({ state: "detached", timeout: 40_000 });
}

/** With two fingers: the first drags the piece, the second takes it farther away. */
async function moveByFingers(page) {
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...fingers) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: fingers.map(([x, y], id) => ({ x, y, id })) });
  const grip = page.locator(".grip");
  await follow(page);
  const [x, y] = await middleOf(grip);
  await touch("touchStart", [x, y]);
  for (let step = 1; step <= 10; step++) {
    await touch("touchMove", [x + 4 * step, y - 2 * step]);
    await page.waitForTimeout(35);
  }
  await follow(page);
  const [dragged, near] = await middleOf(grip);
  assert.ok(dragged - x > 15, "the piece follows the finger");
  const first = [x + 40, y - 20];
  const { x: left, y: top, height } = await page.locator(".sea").boundingBox();
  const second = [left + 30, top + height - 10];
  await touch("touchStart", first, second);
  for (let step = 1; step <= 10; step++) {
    await touch("touchMove", first, [second[0], second[1] - 5 * step]);
    await page.waitForTimeout(35);
  }
  await follow(page);
  assert.ok(near - (await middleOf(grip))[1] > 5, "what goes farther away goes up in the picture");
  await touch("touchEnd");
}

/** Lets go beside the ship: what falls is caught, and of no use (RR-15). */
async function dropBeside(page) {
  await page.locator(".grip").waitFor();
  await page.locator(".buttons .button.primary").click();
  const [isTold] = await Promise.all([
    page.locator(".standing .bad").filter({ hasText: "RR-15" }).waitFor().then(() => true),
    catchWhatFalls(page, 8000),
  ]);
  assert.ok(isTold);
  await page.locator(".standing").waitFor({ state: "detached", timeout: 40_000 });
}

/** Steady placing with keys alone, and without seeing the ship. */
async function loadByKeyboard(page) {
  const plan = page.locator(".plan");
  await plan.waitFor();
  await plan.focus();
  for (const key of ["ArrowRight", "ArrowUp", "ArrowUp", "q"]) await page.keyboard.press(key);
  await page.waitForTimeout(1500); // it travels there
  await page.keyboard.press("Enter");
  const gone = page.locator(".standing").waitFor({ state: "detached", timeout: 60_000 });
  let isOver = false;
  void gone.then(() => (isOver = true));
  while (!isOver) {
    if (await sees(page, FALLING)) await page.keyboard.press("Space");
    await page.waitForTimeout(60);
  }
  await gone;
}

const chooseByKeyboard = (page) =>
  chooseCargo(page, {
    act: async (button) => {
      await button.focus({ timeout: 2000 });
      await page.keyboard.press("Enter");
    },
  });

describe("on a phone", () => {
  it("is drawn quickly enough, is free of barriers, and shows a fall again at the end", async () => {
    const anna = await somebody({ size: SIZES.phone, motion: "no-preference" });
    const seated = await server.table({ game: "riff-raff", seats: [MINE, BOT], start: true });
    await sitDown(anna, server, seated, "riff-raff");
    const barriers = async (where) => {
      assert.deepEqual(await violations(anna), [], where);
      assert.equal(await isTooWide(anna), false, where);
    };
    await until(anna, [CARGO.card]);
    await barriers("the cards");
    while (!(await sees(anna, CARGO.controls))) {
      if (!(await chooseCargo(anna))) await anna.waitForTimeout(60);
    }
    await anna.locator(".grip").waitFor();
    await barriers("by hand");

    // pictures a second while the piece is dragged to and fro
    const [x, y] = await middleOf(anna.locator(".grip"));
    await anna.mouse.move(x, y);
    await anna.mouse.down();
    await anna.evaluate(() => {
      window.drawn = { count: 0, at: performance.now() };
      const count = () => {
        window.drawn.count += 1;
        requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
    });
    for (let step = 0; step < 45; step++) {
      await anna.mouse.move(x + 30 * Math.sin(step / 5), y - 20);
      await anna.waitForTimeout(30);
    }
    const rate = await anna.evaluate(
      () => (1000 * window.drawn.count) / (performance.now() - window.drawn.at),
    );
    await anna.mouse.up();
    console.log(`# ${rate.toFixed(1)} pictures a second`);
    assert.ok(rate > Number(process.env.LEAST_RATE ?? 5), `${rate} pictures a second`);

    await moveByFingers(anna);

    await anna.locator(".modes button").nth(1).click();
    await anna.locator(".plan").waitFor();
    await barriers("steady placing");
    await anna.locator(".modes button").nth(0).click();
    await anna.locator(".buttons .button.primary").click();
    await catchWhatFalls(anna, 8000);
    await anna.locator(".standing").waitFor({ state: "detached", timeout: 40_000 });

    await anna.locator("[popovertarget=table-menu]").click();
    await anna.locator("#table-menu").getByRole("button", { name: "Resign" }).click();
    await anna.locator("dialog[open] .danger").click();
    await anna.locator("#end-title").waitFor();
    const { log } = await server.record(seated.table);
    const loadings = log.filter((entry) => entry.do.startsWith("settle"));
    assert.ok(loadings.length > 0);
    assert.ok(loadings.every((entry) => entry.with.poses && entry.with.motion));

    const replay = anna.locator("section:has(#rr-replay)");
    await replay.waitFor();
    const slider = replay.locator("input[type=range]");
    const before = Number(await slider.inputValue());
    await replay.locator(".button.primary").click();
    await anna.waitForTimeout(900);
    assert.ok(Number(await slider.inputValue()) > before, "the recording runs");
    await barriers("the end");
  });
});

describe("without three dimensions", () => {
  it("says so, lists what lies where, and places steadily", async () => {
    const page = await somebody({ isPlain: true });
    const seated = await server.table({ game: "riff-raff", seats: [MINE, BOT], start: true });
    await sitDown(page, server, seated, "riff-raff");
    await page.locator(".list .note").waitFor();
    while (!(await sees(page, CARGO.controls))) {
      if (!(await chooseCargo(page))) await page.waitForTimeout(60);
    }
    await page.locator(".plan").waitFor();
    assert.equal(await page.locator(".modes").count(), 0);
    assert.deepEqual(await violations(page), []);
    await page.locator(".steady .button.primary").click();
    await page.locator(".standing").waitFor({ state: "detached", timeout: 60_000 });
    assert.match(await logbook(page), /(lies in|is not within|falls)/);
  });
});

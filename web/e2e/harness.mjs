/** A real server, a real Chromium, and people who play. */

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium } from "playwright-core";

export const COMMAND = process.env.QUARTERDECK ?? join(import.meta.dirname, "../../.venv/bin/quarterdeck");
const START_MS = 90_000;
const FLAGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** For pages that draw in three dimensions, without a graphics card. */
const WEBGL = [
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
];

export const SIZES = {
  phone: { width: 360, height: 740 },
  tablet: { width: 768, height: 1024 },
  wide: { width: 1440, height: 900 },
};

/** The server as its own process, which can be killed and started again at the same address. */
export class Server {
  #data = mkdtempSync(join(tmpdir(), "quarterdeck-e2e-"));
  #process = null;
  url = "";

  async start() {
    const port = this.url === "" ? "0" : new URL(this.url).port;
    const options = ["--port", port, "--data", this.#data, "--unlimited", "--log-level", "warning"];
    const child = spawn(COMMAND, ["serve", ...options], { stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    let heard = "";
    this.url = await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no server: ${heard}`)), START_MS);
      const listen = (chunk) => {
        heard += chunk;
        const found = /Quarterdeck is at (\S+)/.exec(heard);
        if (found) {
          clearTimeout(timer);
          resolve(found[1]);
        }
      };
      child.stdout.on("data", listen);
      child.stderr.on("data", listen);
      child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${heard}`)));
    });
    return this;
  }

  /** Ends the process at once, as a power cut would. */
  async kill() {
    const child = this.#process;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  async stop() {
    await this.kill();
    rmSync(this.#data, { recursive: true, force: true });
  }

  async post(path, body) {
    const answer = await fetch(this.url + path, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  }

  /** A table with these seats; `keys` open those that are `mine`. */
  table(wishes) {
    return this.post("/api/tables", { game: "skull-king", name: "Anna", bot_pace_ms: 0, ...wishes });
  }

  async record(table) {
    return (await fetch(`${this.url}/api/tables/${table}/record`)).json();
  }
}

export function launch({ webgl = false } = {}) {
  const executablePath = execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  return chromium.launch({ executablePath, headless: true, args: webgl ? [...FLAGS, ...WEBGL] : FLAGS });
}

/** A browser of its own for one person. Anything a page throws or logs as an error is kept. */
export async function person(browser, { size = SIZES.wide, lang = "en", theme = "dark", motion = "reduce" } = {}) {
  const context = await browser.newContext({
    viewport: size,
    locale: lang,
    colorScheme: theme,
    reducedMotion: motion,
    hasTouch: size.width < 700,
  });
  const page = await context.newPage();
  page.troubles = [];
  page.on("pageerror", (error) => page.troubles.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") page.troubles.push(message.text());
  });
  return page;
}

/** Sits down: puts the keys of a table made over HTTP where the client keeps them. */
export async function sitDown(page, server, seated, game = "skull-king") {
  await page.goto(`${server.url}/`);
  await page.evaluate(
    ([table, game, keys]) => {
      const kept = JSON.parse(localStorage.getItem("quarterdeck.tables") ?? "{}");
      kept[table] = { game, keys, at: Date.now(), over: false };
      localStorage.setItem("quarterdeck.tables", JSON.stringify(kept));
    },
    [seated.table, game, seated.keys],
  );
  await page.goto(`${server.url}/t/${seated.table}`);
}

/** How many of each of these are seen: one look at the page, where a locator each would be many. */
const countSeen = (page, selectors) =>
  page.evaluate((all) => all.map((one) => [...document.querySelectorAll(one)].filter((each) => each.checkVisibility()).length), selectors);

/** By page, what is waited for while it plays: once it is there nothing is clicked, lest it be gone again. */
const awaited = new WeakMap();

/**
 * Clicks one of these with the mouse, if it is there, enabled and nothing lies over it; whether it did. It
 * does not wait: what is gone by now is not waited for until it comes again, and another look is cheap.
 */
async function click(page, selector, index = 0) {
  const at = await page.evaluate(
    ([selector, index, awaited]) => {
      if (awaited && document.querySelector(awaited)) return null;
      const one = document.querySelectorAll(selector)[index];
      if (one === undefined || one.disabled) return null;
      one.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
      const { left, top, width, height } = one.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      return one.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
    },
    [selector, index, awaited.get(page)],
  );
  if (at !== null) await page.mouse.click(...at);
  return at !== null;
}

const SKULL_KING = {
  mary: "dialog[open] .roles button, dialog[open] button.role",
  bid: "ul.bids button",
  card: "ul.hand button.playable",
};

/** Does one thing in Skull King if it is this page's turn; whether it did. */
export async function actOnce(page) {
  const [mary, bids, cards] = await countSeen(page, Object.values(SKULL_KING));
  if (mary > 0) return click(page, SKULL_KING.mary);
  if (bids > 1) return click(page, SKULL_KING.bid, 1);
  if (cards > 0) return click(page, SKULL_KING.card);
  return false;
}

let turns = 0;

const JOLLY_ROGER = {
  offer: ".rail .middle .button.primary",
  split: ".trays li button",
  tray: "button.tray",
  target: "button.target",
  rich: "button.target:not(.parrot)",
  held: "ul.hand button.playable",
};

/** Does one thing in Jolly & Roger if it is this page's turn; whether it did. Everything comes up. */
export async function splitOrPlay(page) {
  const [offers, splits, trays, targets, rich, held] = await countSeen(page, Object.values(JOLLY_ROGER));
  turns += 1;
  if (offers > 0) return click(page, JOLLY_ROGER.offer);
  if (splits > 0) return click(page, JOLLY_ROGER.split, turns % 5);
  if (trays > 0) return click(page, JOLLY_ROGER.tray, turns % 2);
  if (targets > 0 && rich > 0 && turns % 3 > 0) return click(page, JOLLY_ROGER.rich, turns % rich);
  if (targets > 0) return click(page, JOLLY_ROGER.target, turns % targets);
  if (held > 0) return click(page, JOLLY_ROGER.held);
  return false;
}

/** Does one thing in Gezanke if it is this page's turn; whether it did. Hands are steady. */
export async function squabble(page) {
  turns += 1;
  const steady = page.locator(".grip .buttons .button:not(.primary)");
  const targets = page.locator(".target");
  const choice = page.locator(".middle .button:not(.crew)");
  for (const some of [steady, targets, choice]) {
    const count = await some.count();
    if (count === 0) continue;
    await some.nth((7 * turns) % count).click({ timeout: 3000, force: true }).catch(() => {});
    return true;
  }
  return false;
}

/** In Riff Raff: what comes before a piece is in one's hand, and the buttons while it is. */
export const CARGO = {
  announce: ".middle .button.primary",
  names: ".middle .button:not(.primary)",
  piece: ".bottom ul button:enabled:not(.playable)",
  card: "ul.hand button.playable",
  controls: ".controls",
};

/** Does one thing in Riff Raff before a piece is in the hand; whether it did. */
export async function chooseCargo(page, { act = (button) => button.click({ timeout: 3000 }), pick = () => 0 } = {}) {
  if (await sees(page, CARGO.controls)) return false;
  for (const kind of ["announce", "names", "piece", "card"]) {
    if (!(await sees(page, CARGO[kind]))) continue;
    const all = page.locator(CARGO[kind]);
    await act(all.nth(pick(kind, await all.count()))).catch(() => {});
    return true;
  }
  return false;
}

/** Another card and another piece every time. */
const someOf = (kind, count) => (kind === "card" || kind === "piece" ? (3 * ++turns) % count : 0);

/** Does one thing in Riff Raff if it is this page's turn; whether it did. Pieces are placed steadily. */
export async function loadOrChoose(page) {
  if (!(await sees(page, CARGO.controls))) return chooseCargo(page, { pick: someOf });
  if (!(await sees(page, ".plan"))) await page.locator(".modes button").nth(1).click({ timeout: 3000 });
  await page.waitForTimeout(1500); // it travels there
  await page.locator(".plan ~ .buttons .primary").click({ timeout: 3000 }).catch(() => {});
  await page.locator(".standing").waitFor({ state: "detached", timeout: 60_000 });
  return true;
}

/** What there is to do in Piratoons, the most urgent first. */
const PIRATOONS = [
  "button.open:enabled",
  "button.stop.ripe:enabled",
  ".auction form button.primary",
  "button.sale",
  ".shipyard .actions .primary:enabled",
  ".shipyard .actions .button:enabled:not(.quiet)",
];

/** Does one thing in Piratoons if this page may; whether it did. Stones are put down by keyboard. */
export async function plunderOrBuild(page) {
  turns += 1;
  const [wanted, spots] = await page.evaluate(
    ([wishes, awaited]) => {
      if (awaited && document.querySelector(awaited)) return [undefined, 0];
      return [wishes.find((wish) => document.querySelector(wish)), document.querySelectorAll("button.spot").length];
    },
    [PIRATOONS, awaited.get(page)],
  );
  if (wanted?.includes("form") && turns % 3 > 0) {
    await page.locator(".auction .step").last().click({ timeout: 1000 }).catch(() => {});
  }
  if (wanted) await page.locator(wanted).first().click({ timeout: 3000 }).catch(() => {});
  else if (spots > 0 && turns % 2) {
    await page.locator("button.spot").nth(turns % spots).press("Enter", { timeout: 1000 }).catch(() => {});
  } else return false;
  return true;
}

/** Lets these people play, all at the same time, until `isDone`: a question, or what the first of them is to see. */
export async function playUntil(pages, isDone, { act = actOnce, limitMs = 240_000 } = {}) {
  const end = Date.now() + limitMs;
  if (typeof isDone === "string") {
    awaited.set(pages[0], isDone);
    await playUntil(pages, async () => (await pages[0].locator(isDone).count()) > 0, { act, limitMs });
    awaited.delete(pages[0]);
    return;
  }
  while (!(await isDone())) {
    if (Date.now() > end) throw new Error("the game did not get there in time");
    const acted = await Promise.all(pages.map((page) => act(page)));
    if (!acted.includes(true)) await pages[0].waitForTimeout(30);
  }
}

/** Gives up, and comes to the end if the game is over with that, or once bots have played on. */
export async function resign(page) {
  await page.locator("[popovertarget=table-menu]").click();
  await page.locator("#table-menu button:has(path[d^='M6 21V4'])").click(); // the one with the flag
  await page.locator("dialog[open] .danger").click();
}

/** Presses "verify" at the end; answers how it looks, what it says, and the parts by what was found of them. */
export async function verdictOf(page) {
  await page.locator(".check > button").click();
  const verdict = page.locator(".check .verdict");
  await verdict.waitFor();
  await verdict.locator(".parts summary").click();
  const lines = (state) => verdict.locator(`.parts li.${state}`).allInnerTexts();
  return {
    tone: await verdict.locator("> p").first().getAttribute("class").then((names) => names.split(" ")[0]),
    text: await verdict.locator("> p").first().innerText(),
    right: await lines("ok"),
    open: await lines("not-checked"),
    wrong: await lines("wrong"),
  };
}

/**
 * After `verdictOf`: takes the receipt, and asks the command, which knows the rules, what it proves together with
 * the record. Answers receipt and verdict.
 */
export async function proveByCommand(page, server, table) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".verdict > .button").click()]);
  const receipt = await download.path();
  const folder = mkdtempSync(join(tmpdir(), "quarterdeck-e2e-record-"));
  try {
    writeFileSync(join(folder, "game.json"), JSON.stringify(await server.record(table)));
    const words = ["verify", "--json", join(folder, "game.json"), "--receipt", receipt];
    const told = execFileSync(COMMAND, words, { encoding: "utf8" });
    return { receipt: JSON.parse(readFileSync(receipt, "utf8")), found: JSON.parse(told) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const sees = (page, selector) => page.locator(selector).first().isVisible().catch(() => false);

/** Pictures drawn in three dimensions a second while a button turns them, once it is found out how well that goes. */
export const picturesOf = (page, button) =>
  page.locator(button).evaluate(async (turn) => {
    let isDrawn = false;
    const { prototype } = WebGL2RenderingContext;
    const { drawElements } = prototype;
    prototype.drawElements = function (...given) {
      isDrawn = true;
      drawElements.apply(this, given);
    };
    const measure = (ms) =>
      new Promise((resolve) => {
        const start = performance.now();
        let [count, last] = [0, 0];
        const step = (now) => {
          count += isDrawn;
          isDrawn = false;
          if (now - last > 300) {
            last = now;
            turn.click();
          }
          if (now - start < ms) requestAnimationFrame(step);
          else resolve((1000 * count) / (now - start));
        };
        requestAnimationFrame(step);
      });
    await measure(2500);
    const rate = await measure(3000);
    prototype.drawElements = drawElements;
    return rate;
  });

/** Whether the page has loaded three.js. */
export const hasThree = (page) =>
  page.evaluate(async () => {
    const urls = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")).map(({ name }) => name);
    const texts = await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
    return texts.some((text) => text.includes("THREE.WebGLRenderer"));
  });

/** Whether the page scrolls sideways. */
export const isTooWide = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds wrong with the page. */
export async function violations(page) {
  await page.evaluate(AXE);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`,
  );
}

/** A real server, a real Chromium, and people who play. */

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium } from "playwright-core";

const COMMAND = process.env.QUARTERDECK ?? join(import.meta.dirname, "../../.venv/bin/quarterdeck");
const START_MS = 90_000;
const FLAGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
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

export function launch() {
  const executablePath = execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
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
      kept[table] = { game, keys, at: Date.now(), over: false, bound: {}, commitment: null };
      localStorage.setItem("quarterdeck.tables", JSON.stringify(kept));
    },
    [seated.table, game, seated.keys],
  );
  await page.goto(`${server.url}/t/${seated.table}`);
}

/** Does one thing in Skull King if it is this page's turn; whether it did. */
export async function actOnce(page) {
  const bid = page.locator("ul.bids button");
  const card = page.locator("ul.hand button.playable");
  const mary = page.locator("dialog[open] .roles button, dialog[open] button.role");
  for (const locator of [mary, bid, card]) {
    const first = locator.nth(locator === bid ? 1 : 0);
    if (await first.isVisible().catch(() => false)) {
      await first.click({ timeout: 3000 }).catch(() => {});
      return true;
    }
  }
  return false;
}

let turns = 0;

/** Does one thing in Jolly & Roger if it is this page's turn; whether it did. Everything comes up. */
export async function splitOrPlay(page) {
  const click = async (locator) => {
    await locator.click({ timeout: 3000 }).catch(() => {});
    return true;
  };
  turns += 1;
  const offer = page.locator(".rail .middle .button.primary");
  if (await offer.isVisible().catch(() => false)) return click(offer);
  const card = page.locator(".trays li button");
  if ((await card.count()) > 0) return click(card.nth(turns % 5));
  const tray = page.locator("button.tray");
  if ((await tray.count()) > 0) return click(tray.nth(turns % 2));
  const targets = page.locator("button.target");
  const count = await targets.count();
  if (count > 0) {
    const rich = page.locator("button.target:not(.parrot)");
    const some = turns % 3 > 0 && (await rich.count()) > 0 ? rich : targets;
    return click(some.nth(turns % Math.max(await some.count(), 1)));
  }
  const held = page.locator("ul.hand button.playable").first();
  if (await held.isVisible().catch(() => false)) return click(held);
  return false;
}

/** Lets these people play until `isDone`. */
export async function playUntil(pages, isDone, { act = actOnce, limitMs = 240_000 } = {}) {
  const end = Date.now() + limitMs;
  while (!(await isDone())) {
    if (Date.now() > end) throw new Error("the game did not get there in time");
    let acted = false;
    for (const page of pages) acted = (await act(page)) || acted;
    if (!acted) await pages[0].waitForTimeout(30);
  }
}

export const sees = (page, selector) => page.locator(selector).first().isVisible().catch(() => false);

/** Whether the page scrolls sideways. */
export const isTooWide = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

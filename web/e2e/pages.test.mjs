/** Every page: no violations for axe, no English in the German one, small and quick to load. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";

import {
  launch,
  person,
  playUntil,
  plunderOrBuild,
  sees,
  Server,
  sitDown,
  SIZES,
  splitOrPlay,
  verdictOf,
  violations,
} from "./harness.mjs";

const TEXT = join(import.meta.dirname, "../../src/quarterdeck");
const LARGEST_KB = 100;

let server;
let browser;
before(async () => {
  [server, browser] = await Promise.all([new Server().start(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const BOT = { kind: "bot" };

/** The pages of the client, each with a way there. */
const PAGES = {
  harbour: async (page) => {
    await page.goto(`${server.url}/`);
    await page.locator("article.featured .button.primary:enabled").waitFor();
  },
  "making a table": async (page) => {
    await PAGES.harbour(page);
    await page.locator("article.featured .button:not(.primary)").click();
    await page.locator("dialog[open]").waitFor();
  },
  lobby: async (page) => {
    const seated = await server.table({ seats: [{ kind: "mine" }, { kind: "open" }, BOT] });
    await sitDown(page, server, seated);
    await page.locator("#lobby-title").waitFor();
  },
  bidding: async (page) => {
    const seated = await server.table({ seats: [{ kind: "mine" }, BOT, BOT, BOT], start: true });
    await sitDown(page, server, seated);
    await page.locator("ul.bids button").first().waitFor();
  },
  playing: async (page) => {
    await PAGES.bidding(page);
    await playUntil([page], "li:has(button.playable) ~ li button.playable");
  },
  end: async (page) => {
    const seated = await server.table({ seats: [{ kind: "mine" }, BOT], start: true });
    await sitDown(page, server, seated);
    await page.locator("ul.bids button").first().waitFor();
    await playUntil([page], () => sees(page, "#end-title"));
    await verdictOf(page);
    await page.locator(".verdict details").last().locator("summary").click();
  },
  codes: async (page) => {
    await PAGES.bidding(page);
    await page.locator("[popovertarget=table-menu]").click();
    await page.locator("#table-menu button:has(path[d^='M12 3l7 3'])").click();
    await page.locator("dialog[open] .deal").waitFor();
  },
};

/** A table of Jolly & Roger, played until something is there to be chosen. */
async function jollyRoger(page, selector) {
  const wishes = { game: "jolly-roger", options: { variant: "all-cards" }, seats: [{ kind: "mine" }, BOT], start: true };
  await sitDown(page, server, await server.table(wishes), "jolly-roger");
  await playUntil([page], selector, { act: splitOrPlay });
}

Object.assign(PAGES, {
  splitting: (page) => jollyRoger(page, ".trays li button"),
  picking: (page) => jollyRoger(page, "button.tray"),
  "using a card": (page) => jollyRoger(page, "button.target"),
  "chests": async (page) => {
    await page.setViewportSize(SIZES.tablet);
    await jollyRoger(page, "ul.hand button");
    await page.locator("button.hold").click();
    await page.locator("dialog[open]").waitFor();
  },
  "end of Jolly & Roger": (page) => jollyRoger(page, "#end-title"),
});

/** A table of Piratoons, played until something is there; `glass` in seconds. */
async function piratoons(page, selector, glass, bot_pace_ms) {
  const wishes = { game: "piratoons", options: { glass, limit: 5 }, seats: [{ kind: "mine" }, BOT, BOT], start: true, bot_pace_ms };
  await sitDown(page, server, await server.table(wishes), "piratoons");
  await playUntil([page], selector, { act: plunderOrBuild });
}

Object.assign(PAGES, {
  plundering: (page) => piratoons(page, ".chest .leads", 60, 1500),
  "an auction": (page) => piratoons(page, ".auction form", 1, 60),
  "the shipyard": (page) => piratoons(page, ".hold button[data-tile]", 1, 60),
});

describe("axe", () => {
  for (const [name, goThere] of Object.entries(PAGES)) {
    it(`finds no violation: ${name}`, async () => {
      const page = await person(browser, { size: name === "end" ? SIZES.tablet : SIZES.wide });
      await goThere(page);
      assert.deepEqual(await violations(page), []);
      await page.emulateMedia({ colorScheme: "light" });
      await page.locator("html[data-theme=light]").waitFor();
      assert.deepEqual(await violations(page), [], "in the light theme");
      await page.context().close();
    });
  }
});

describe("the lobby", () => {
  it("tells a guest what was chosen for the table", async () => {
    const seats = [{ kind: "mine" }, { kind: "open" }];
    const wish = { game: "jolly-roger", options: { variant: "all-cards" }, seats, hints: true };
    const { table } = await server.table(wish);
    const page = await person(browser);
    await page.goto(`${server.url}/t/${table}`);
    await page.locator(".lobby .option").nth(1).waitFor();
    const told = await page.locator(".lobby .option").allInnerTexts();
    assert.deepEqual(told, ["Variant: all cards", "Hints are allowed at this table."]);
    await page.context().close();
  });
});

/** Words of the English catalogues that the German ones do not have. */
function englishWords() {
  const words = (lang) => {
    const texts = ["", "engine", "games/skull_king", "games/jolly_roger", "games/piratoons"].map((folder) =>
      JSON.parse(readFileSync(join(TEXT, folder, "text", `${lang}.json`), "utf8")),
    );
    const all = texts.flatMap((text) => Object.values(text)).join(" ");
    return new Set(all.replace(/\{[^}]*\}/g, " ").toLowerCase().match(/\p{L}{3,}/gu));
  };
  const german = words("de");
  const player = readFileSync(join(import.meta.dirname, "../src/player.ts"), "utf8");
  const names = player.toLowerCase(); // one of them is suggested to a newcomer: Mary Read is no word
  return new Set([...words("en")].filter((word) => !german.has(word) && !names.includes(` ${word}"`)));
}

describe("in German", () => {
  it("no page shows an English word", async () => {
    const english = englishWords();
    assert.ok(english.size > 100);
    const page = await person(browser, { lang: "de" });
    for (const [name, goThere] of Object.entries(PAGES)) {
      await goThere(page);
      const text = await page.evaluate(() => {
        const labels = [...document.querySelectorAll("[aria-label], [title], [placeholder]")].flatMap(
          (element) => ["aria-label", "title", "placeholder"].map((key) => element.getAttribute(key) ?? ""),
        );
        return [document.body.innerText, ...labels].join(" ");
      });
      const found = new Set(text.toLowerCase().match(/\p{L}{3,}/gu));
      assert.deepEqual([...found].filter((word) => english.has(word)), [], name);
      assert.equal(await page.locator("html").getAttribute("lang"), "de");
    }
    await page.context().close();
  });
});

describe("the first load", () => {
  it(`of harbour and table has at most ${LARGEST_KB} kB of JavaScript`, async () => {
    const page = await person(browser);
    const scripts = new Map();
    page.on("response", async (answer) => {
      if (answer.url().endsWith(".js")) scripts.set(answer.url(), await answer.body().catch(() => ""));
    });
    await page.goto(`${server.url}/`);
    await page.locator("article.featured .button.primary:enabled").click();
    await page.locator("ul.bids button").first().waitFor();
    const bytes = [...scripts.values()].reduce((sum, body) => sum + gzipSync(body).length, 0);
    assert.ok(bytes > 10_000 && bytes <= LARGEST_KB * 1000, `${bytes} bytes`);
    await page.context().close();
  });
});

/** Pictures of the main pages, wide and phone, into docs/pictures: `make screenshots`. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import {
  CARGO,
  launch,
  loadOrChoose,
  person,
  playUntil,
  plunderOrBuild,
  sees,
  Server,
  sitDown,
  SIZES,
  splitOrPlay,
  squabble,
} from "./harness.mjs";

const FOLDER = process.argv[2] ?? join(import.meta.dirname, "../../docs/pictures");
const BOT = { kind: "bot" };
/** Until a ship has come to rest and is drawn finely, without a graphics card. */
const FINE_MS = 4000;
const SHOTS = [
  { size: "wide", theme: "dark" },
  { size: "wide", theme: "light" },
  { size: "tablet", theme: "dark" },
  { size: "tablet", theme: "light" },
  { size: "phone", theme: "dark" },
  { size: "phone", theme: "light" },
];

mkdirSync(FOLDER, { recursive: true });
const [server, browser] = await Promise.all([new Server().start(), launch({ webgl: true })]);
try {
  for (const { size, theme } of SHOTS) {
    const page = await person(browser, { size: SIZES[size], theme });
    const shoot = async (name, ms = 700) => {
      await page.waitForTimeout(ms);
      await page.screenshot({ path: join(FOLDER, `${name}-${size}-${theme}.png`) });
    };
    await page.goto(`${server.url}/`);
    await page.locator("article.featured .button.primary:enabled").waitFor();
    await shoot("harbour");

    const open = await server.table({ seats: [{ kind: "mine" }, { kind: "open" }, BOT, BOT] });
    await sitDown(page, server, open);
    await page.locator("#lobby-title").waitFor();
    await shoot("lobby");

    const seated = await server.table({
      seats: [{ kind: "mine" }, BOT, BOT, BOT],
      start: true,
      bot_pace_ms: 60,
    });
    await sitDown(page, server, seated);
    await playUntil([page], async () => (await page.locator("ul.bids button").count()) >= 8);
    await shoot("bidding");
    await playUntil([page], async () => {
      const playable = await page.locator("ul.hand button.playable").count();
      const dimmed = await page.locator("ul.hand button.dim").count();
      return playable > 0 && dimmed > 0 && playable + dimmed >= 5;
    });
    await shoot("table");
    await playUntil([page], () => sees(page, "#end-title"));
    await shoot("end");

    const two = { game: "jolly-roger", options: { variant: "all-cards" }, seats: [{ kind: "mine" }, BOT], start: true };
    await sitDown(page, server, await server.table(two), "jolly-roger");
    const play = (isDone) => playUntil([page], isDone, { act: splitOrPlay });
    const turn = async () => Number(/\d+/.exec(await page.locator(".top").first().innerText())?.[0]);
    await play(async () => (await turn()) >= 3 && (await page.locator(".rail .button.primary").count()) > 0);
    await shoot("jolly-roger-split");
    await play(async () => (await turn()) >= 4 && (await page.locator("button.tray").count()) > 0);
    await shoot("jolly-roger-pick");
    await play(async () => (await turn()) >= 4 && (await page.locator("button.target").count()) > 3);
    await shoot("jolly-roger-play");
    await play(() => sees(page, "#end-title"));
    await shoot("jolly-roger-end");

    const four = { game: "riff-raff", seats: [{ kind: "mine" }, BOT, BOT, BOT], start: true };
    await sitDown(page, server, await server.table(four), "riff-raff");
    const load = (isDone) => playUntil([page], isDone, { act: loadOrChoose });
    await load(async () => (await turn()) >= 3 && (await page.locator(CARGO.card).count()) > 0);
    await shoot("riff-raff-cards", FINE_MS);
    await load(() => sees(page, CARGO.controls));
    await page.locator(".modes button").first().click();
    await shoot("riff-raff-hand", FINE_MS);
    await page.locator(".buttons .button.primary").click();
    await page.locator(".mark").waitFor();
    await page.screenshot({ path: join(FOLDER, `riff-raff-fall-${size}-${theme}.png`) });

    const crew = { game: "gezanke", options: { hands: "each" }, seats: [{ kind: "mine" }, BOT, BOT, BOT], start: true };
    await sitDown(page, server, await server.table(crew), "gezanke");
    const sail = (isDone) => playUntil([page], isDone, { act: squabble });
    const sailed = async () => (await page.locator(".log li, aside li").count()) > 60;
    await sail(() => sees(page, ".target.place"));
    await shoot("gezanke-setup", FINE_MS);
    await sail(async () => (await sees(page, ".target.slide")) && (size !== "wide" || (await sailed())));
    await shoot("gezanke-slide", FINE_MS);
    await sail(() => sees(page, ".grip .view"));
    await shoot("gezanke-hand", FINE_MS);
    await sail(() => sees(page, ".target.set"));
    await shoot("gezanke-set", FINE_MS);

    const ships = { game: "piratoons", options: { glass: 3, limit: 5 }, seats: [{ kind: "mine" }, BOT, BOT, BOT], start: true, bot_pace_ms: 300 };
    await sitDown(page, server, await server.table(ships), "piratoons");
    const plunder = (isDone) => playUntil([page], isDone, { act: plunderOrBuild });
    await plunder(async () => (await turn()) >= 3 && (await page.locator(".chest .leads").count()) >= 5);
    await shoot("piratoons-plunder");
    await plunder(async () => (await turn()) >= 4 && (await sees(page, ".auction form")));
    await shoot("piratoons-auction");
    await plunder(async () => (await turn()) >= 5 && (await sees(page, ".shipyard .hold button[data-tile]")));
    await shoot("piratoons-shipyard");
    await plunder(() => sees(page, "#end-title"));
    await shoot("piratoons-end");
    await page.context().close();
  }
} finally {
  await browser.close();
  await server.stop();
}

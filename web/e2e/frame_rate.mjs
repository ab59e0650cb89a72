/** Pictures a second of Gezanke's ship with everybody on deck, drawn by the processor; as JSON. */

import { launch, person, picturesOf, playUntil, sees, Server, sitDown, SIZES, squabble } from "./harness.mjs";

const BOT = { kind: "bot", level: "deckhand" };

const [server, browser] = await Promise.all([new Server().start(), launch({ webgl: true })]);
const rates = {};
try {
  for (const [name, size] of Object.entries(SIZES)) {
    const page = await person(browser, { size, motion: "no-preference" });
    await page.addInitScript(() => {
      localStorage.setItem("quarterdeck.gezanke.flat", "false");
      localStorage.setItem("quarterdeck.gezanke.help", "true");
    });
    const seated = await server.table({ game: "gezanke", seats: [{ kind: "mine" }, BOT, BOT, BOT], start: true });
    await sitDown(page, server, seated, "gezanke");
    await playUntil([page], () => sees(page, ".target.slide"), { act: squabble });
    await page.waitForTimeout(1500);
    rates[`${name}, ${size.width} × ${size.height}`] = await picturesOf(page, ".board .tools .icon >> nth=1");
    await page.context().close();
  }
  console.log(JSON.stringify(rates));
} finally {
  await browser.close();
  await server.stop();
}

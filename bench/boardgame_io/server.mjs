// boardgame.io as its documentation sets it up: matches in memory, moves over socket.io.

import { createRequire } from "node:module";
import { game } from "./game.mjs";

const { Server, Origins } = createRequire(import.meta.url)("boardgame.io/server");
const { appServer } = await Server({ games: [game], origins: [Origins.LOCALHOST] }).run({
  port: { port: 0, host: "127.0.0.1" },
});
console.log(`boardgame.io is at http://127.0.0.1:${appServer.address().port}`);

#!/usr/bin/env node
// A bot for any game: it takes the first of its legal actions. Node alone, no packages.
//
//     quarterdeck arena skull-king --bot "exec:node examples/bot.mjs" --bot bosun
import { createInterface } from "node:readline";

// One of turn.legal; turn.view is all the seat may see, turn.events what happened since last.
function choose(turn) {
  return turn.legal[0];
}

function answer(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const told = JSON.parse(line);
  if (told.type === "hello") {
    answer({ ready: true }); // told.game, told.options, told.seat
  } else if (told.type === "turn") {
    answer({ do: choose(told) });
  } else if (told.type === "over") {
    lines.close(); // told.scores, told.winners
  }
});

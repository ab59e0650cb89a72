/** What the actions are called. */

import type { Say } from "../game";

/** `card 7` as the area, `take rat` as the piece, `captain 2` and `order 2,0` by the players' names. */
export function label(action: string, say: Say): string {
  const [verb = "", what = ""] = action.split(" ");
  if (verb === "card") return say("a11y.card", { card: Number(what) });
  if (verb === "take") return say("web.take-it", { piece: what });
  if (verb === "announce") return say("action.announce", { pieces: Number(what) });
  const seats = what.split(",").map(Number);
  return say(verb === "captain" ? "web.make-captain" : "web.order-so", { seats });
}

/** What the actions are called. */

import type { Say } from "../game";
import type { Part } from "./view";

/** A tile for whoever does not see it: a part with its edges and fields. */
export function describe(tile: string, parts: Record<string, Part>, say: Say): string {
  const part = parts[tile];
  if (part === undefined) return say("web.tile", { tile });
  const { storeys, edges, fields, mast } = part;
  return say("a11y.describe", { tile, storeys, edges, fields, mast });
}

/** `drop 2 deck-a1`, `bid 3`, `take p5`, `refit …`, `open`, `stop`, `show`, `hide`. */
export function label(action: string, say: Say): string {
  const [verb = "", first = "", second = ""] = action.split(" ");
  switch (verb) {
    case "drop":
      return second.startsWith("@") ? action : say("a11y.place", { tile: second, count: Number(first) });
    case "bid":
      return say("action.bid", { bid: Number(first) });
    case "take":
      return say("a11y.take", { tile: first });
    case "refit":
      return say("web.lay-out");
    case "open":
    case "stop":
    case "show":
    case "hide":
      return say(`action.${verb}`);
    default:
      return action;
  }
}

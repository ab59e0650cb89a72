/** What the actions are called. */

import type { Say } from "../game";
import { parseUse, setsOf } from "./cards";

/** `crew g3 green` as the card and what becomes of it, `split …` as the two sets. */
export function label(action: string, say: Say): string {
  const sets = setsOf(action);
  if (sets !== null) {
    const named = (cards: string[]) => cards.map((card) => say("table.card", { card })).join(", ");
    return sets.map(named).join(" / ");
  }
  const use = parseUse(action);
  if (use === null) return action.startsWith("pick ") ? say("action.pick", { set: action.slice(5) }) : action;
  const key = use.verb === "kraken" && use.ship === null ? "kraken-none" : use.verb;
  return `${say("table.card", { card: use.card })}: ${say(`action.${key}`, { ship: use.ship })}`;
}

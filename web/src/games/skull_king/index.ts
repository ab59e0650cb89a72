/** Skull King's part of the page. */

import type { Say } from "../game";
import type { View } from "./view";

export { default as Picture } from "./Picture.svelte";
export { default as Result } from "./Result.svelte";
export { default as Table } from "./Table.svelte";

/** `play y5` as the card, `bid 3` in words. */
export function label(action: string, say: Say): string {
  const [verb, rest] = action.split(" ");
  return verb === "play" ? say("action.play", { card: rest }) : say("action.bid", { bid: rest });
}

export function headline(view: View, say: Say): string {
  return say("table.hand", { hand: view.hand, hands: view.pad.length });
}

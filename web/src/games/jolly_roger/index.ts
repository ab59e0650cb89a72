/** Jolly & Roger's part of the page. */

import type { Say } from "../game";
import type { View } from "./view";

export { default as Picture } from "./Picture.svelte";
export { default as Result } from "./Result.svelte";
export { default as Table } from "./Table.svelte";

export { label } from "./words";

/** Nothing is hidden from anybody. */
export const isOpen = true;

/** The gold is counted chest by chest and ship by ship. */
export const endingMs = 7000;

export function headline(view: View, say: Say): string {
  return say("table.turn", { turn: view.turn, turns: view.turns });
}

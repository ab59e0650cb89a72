/** Piratoons' part of the page. */

import type { Say } from "../game";
import type { View } from "./view";

export { default as Picture } from "./Picture.svelte";
export { default as Result } from "./Result.svelte";
export { default as Table } from "./Table.svelte";

export { label } from "./words";

/** The points are counted line by line. */
export const endingMs = 9500;

export function headline(view: View, say: Say): string {
  return say("table.round", { round: view.round });
}

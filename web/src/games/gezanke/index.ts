/** Gezanke auf der Planke's part of the page. */

import type { Say } from "../game";
import type { View } from "./view";

export { default as Picture } from "./Picture.svelte";
export { default as Result } from "./Result.svelte";
export { default as Table } from "./Table.svelte";

export { label } from "./words";

export function headline(view: View, say: Say): string {
  return `${say(`phase.${view.phase}`)} · ${say("table.fins", { fins: view.fins })}`;
}

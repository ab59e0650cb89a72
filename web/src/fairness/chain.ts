/** The log as a chain: each link binds all that came before, and tells nothing of what it binds. */

import type { Entry, Fact } from "../protocol";
import { concat, hmacSha256, toHex } from "../sha256";
import { canon, H, label, u64 } from "./bytes";

/** One item of the chain: an entry of the log, or something that happened at the table. */
export type Item = Omit<Entry, "by"> & { by: Entry["by"] | "table" };

/** The items in their order; null if the facts are in none. */
export function itemsOf(log: readonly Entry[], facts: readonly Fact[]): Item[] | null {
  const items: Item[] = [];
  let told = 0;
  for (const { after, ...fact } of facts) {
    if (after < told || after > log.length) return null;
    items.push(...log.slice(told, after), { by: "table", ...fact });
    told = after;
  }
  return [...items, ...log.slice(told)];
}

/** The bytes of an item; what is attached enters as its hash. */
export function itemBytes(item: Item): Uint8Array {
  const attached = item.with == null ? null : toHex(H("with", canon(item.with)));
  return canon([item.by, item.do, item.at ?? null, item.via ?? null, attached]);
}

/** What hides item number `n`, so that nobody can find it by trying. */
export const blind = (secret: Uint8Array, roster: Uint8Array, n: number) =>
  hmacSha256(secret, concat(label("blind"), roster, u64(n)));

/** All links from 0, which is the roster's hash, for the bytes of all items. */
export function linksOf(secret: Uint8Array, roster: Uint8Array, items: readonly Uint8Array[]): Uint8Array[] {
  const links = [roster];
  for (const [place, item] of items.entries()) {
    const entry = H("entry", blind(secret, roster, place + 1), item);
    links.push(H("link", links[place]!, entry));
  }
  return links;
}

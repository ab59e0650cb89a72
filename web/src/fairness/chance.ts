/** Where the generator of each draw starts, in the present scheme and in the one before it. */

import { concat, fromHex, hmacSha256 } from "../sha256";
import { label, u64, u8, utf8 } from "./bytes";
import { Rng } from "./rng";

/** From the number of a draw to its generator. */
export type Chance = (n: number) => Rng;

export function rosterChance(
  secret: Uint8Array,
  roster: Uint8Array,
  reveals: readonly (readonly [number, string])[],
): Chance {
  const parts = reveals.flatMap(([seat, hex]) => [u8(seat), fromHex(hex)!]);
  const message = concat(label("draw"), roster, u8(reveals.length), ...parts);
  return (n) => new Rng(hmacSha256(secret, concat(message, u64(n))));
}

/** The scheme of games begun before there were rosters. */
export function oldChance(secret: Uint8Array, contributions: readonly Uint8Array[]): Chance {
  const parts = contributions.flatMap((part) => [u8(part.length), part]);
  const message = concat(utf8("quarterdeck-1"), u8(contributions.length), ...parts);
  return (n) => new Rng(hmacSha256(secret, concat(message, u64(n))));
}

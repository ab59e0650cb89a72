/** Short codes that two people read to each other: have both been told the same? */

import { concat, fromHex } from "../sha256";
import { H, u8 } from "./bytes";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Of a deal: 40 bits. That is enough, because nobody knew the bytes when the roster was fixed, nor
 * can change the roster any more now that they are known.
 */
export function dealCode(roster: Uint8Array, reveals: readonly (readonly [number, string])[]): string {
  const parts = reveals.map(([seat, hex]) => concat(u8(seat), fromHex(hex)!));
  const hash = H("code", roster, ...parts);
  let bits = hash.slice(0, 5).reduce((sum, byte) => sum * 256 + byte, 0);
  let code = "";
  for (let i = 0; i < 8; i++) {
    code = CROCKFORD[bits % 32] + code;
    bits = Math.floor(bits / 32);
  }
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Of the log so far: 128 bits, because times could be tried out until two logs have the same. */
export const logCode = (link: string) => link.slice(0, 32).match(/.{4}/g)!.join(" ");

/** Cards and actions as the server writes them. Nothing here knows what may be played. */

import { keyed, type Held } from "../../table/held";

export const SUITS = ["yellow", "red", "blue", "black"] as const;
export type Suit = (typeof SUITS)[number];

export const SPECIALS = ["escape", "mermaid", "pirate", "mary", "king"] as const;
export type Special = (typeof SPECIALS)[number];

export type Role = "pirate" | "escape";

/** A card as it is drawn: a suit card with its rank, a special one, or a back. */
export type Face =
  | { kind: "suit"; suit: Suit; rank: number }
  | { kind: "special"; special: Special; role: Role | null }
  | { kind: "back" };

const LETTERS: Record<string, Suit> = { y: "yellow", r: "red", b: "blue", k: "black" };

/** `y5`, `king`, `mary:pirate`, or `?` for a card one does not see. */
export function faceOf(card: string): Face {
  const [name = "", role] = card.split(":");
  const special = SPECIALS.find((other) => other === name);
  if (special) {
    return { kind: "special", special, role: role === "pirate" || role === "escape" ? role : null };
  }
  const suit = LETTERS[name.slice(0, 1)];
  const rank = Number(name.slice(1));
  return suit && rank > 0 ? { kind: "suit", suit, rank } : { kind: "back" };
}

function order(card: string): number {
  const face = faceOf(card);
  if (face.kind === "suit") return SUITS.indexOf(face.suit) * 100 + face.rank;
  return face.kind === "special" ? 1000 + SPECIALS.indexOf(face.special) : 2000;
}

/** Suit by suit from low to high, the special cards together at the end. */
export function sortHand(cards: readonly string[]): Held[] {
  return keyed([...cards].sort((one, other) => order(one) - order(other)));
}

export type Action =
  | { verb: "bid"; bid: number }
  | { verb: "play"; card: string; held: string };

/** `bid 3`, `play y5`, `play mary:pirate`; `held` is the card as it lies on the hand. */
export function parseAction(text: string): Action | null {
  const [verb, rest] = text.split(" ");
  if (!rest) return null;
  if (verb === "bid" && /^\d+$/.test(rest)) return { verb, bid: Number(rest) };
  if (verb === "play") return { verb, card: rest, held: rest.split(":")[0] ?? rest };
  return null;
}

/** The bids one may choose from, in order. */
export function bidsIn(legal: readonly string[]): number[] {
  const bids = legal.map(parseAction).flatMap((action) => (action?.verb === "bid" ? [action.bid] : []));
  return bids.sort((one, other) => one - other);
}

/** Every way to play a card on the hand: two for Scary Mary, none for one that must wait. */
export function playsOf(held: string, legal: readonly string[]): string[] {
  return legal.filter((text) => {
    const action = parseAction(text);
    return action?.verb === "play" && action.held === held;
  });
}

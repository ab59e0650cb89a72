/** Cards and actions as the server writes them. Nothing here knows what may be played. */

import { SHIPS, type Ship } from "./view";

export const SPECIALS = ["kraken", "skeleton", "tortuga"] as const;
export type Special = (typeof SPECIALS)[number];

/** A card as it is drawn; a parrot is the back of the card under it. */
export type Face =
  | { kind: "pirate"; ship: Ship; value: number }
  | { kind: "special"; special: Special }
  | { kind: "parrot"; under: string };

/** `g3`, `kraken`, `parrot:g3`. */
export function faceOf(card: string): Face {
  const [name = "", under] = card.split(":");
  if (under !== undefined) return { kind: "parrot", under };
  const special = SPECIALS.find((other) => other === name);
  if (special) return { kind: "special", special };
  const ship = SHIPS.find((other) => other[0] === name[0]);
  if (!ship) throw new Error(`'${card}' is no card`);
  return { kind: "pirate", ship, value: Number(name.slice(1)) };
}

/** The symbol a card is told by, beside its colour. */
export function symbolOf(card: string): string {
  const face = faceOf(card);
  return face.kind === "pirate" ? face.ship : face.kind === "special" ? face.special : "parrot";
}

export type Verb = "crew" | "parrot" | "board" | "kraken" | "tortuga";

/** One way to use a card on the hand. */
export interface Use {
  text: string;
  verb: Verb;
  card: string;
  /** The ship it happens at; null for what happens nowhere, or everywhere. */
  ship: Ship | null;
}

function shipNamed(name: string | undefined): Ship | null {
  return SHIPS.find((ship) => ship === name) ?? null;
}

/** `crew g3 green`, `parrot kraken red`, `board g3`, `kraken blue`, `kraken none`, `tortuga`. */
export function parseUse(text: string): Use | null {
  const [verb, first, second] = text.split(" ");
  switch (verb) {
    case "crew":
    case "parrot":
      return first ? { text, verb, card: first, ship: shipNamed(second) } : null;
    case "board": {
      const face = first ? faceOf(first) : null;
      return face?.kind === "pirate" ? { text, verb, card: first!, ship: face.ship } : null;
    }
    case "kraken":
    case "tortuga":
      return { text, verb, card: verb, ship: shipNamed(first) };
    default:
      return null;
  }
}

/** Every way to use a card on the hand. */
export function usesOf(card: string, legal: readonly string[]): Use[] {
  return legal.flatMap((text) => {
    const use = parseUse(text);
    return use?.card === card ? [use] : [];
  });
}

/** The sets one may take, from 1. */
export function picksIn(legal: readonly string[]): number[] {
  return legal.flatMap((text) => (text.startsWith("pick ") ? [Number(text.slice(5))] : []));
}

/** The two sets of a split, null for what is none. */
export function setsOf(text: string): [string[], string[]] | null {
  const [verb, sets] = text.split(" ");
  const [first, second] = sets?.split("/") ?? [];
  if (verb !== "split" || !first || !second) return null;
  return [first.split(","), second.split(",")];
}

const spread = (cards: readonly string[]) => [...cards].sort().join(",");

/** The split on offer that puts these cards into set 1 and those into set 2, if there is one. */
export function splitInto(first: readonly string[], second: readonly string[], legal: readonly string[]): string | null {
  const wanted = `${spread(first)}/${spread(second)}`;
  const found = legal.find((text) => setsOf(text)?.map(spread).join("/") === wanted);
  return found ?? null;
}

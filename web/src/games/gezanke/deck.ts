/**
 * What is shown aboard: planks, and twelve pirates each with a number of his own, so that he can be
 * followed from place to place. Pure: every change makes a new deck.
 */

import { COLOURS, placeOf, rollOf, textOf, type Colour, type Direction, type Plank, type View } from "./view";

export interface ShownPlank {
  name: Plank;
  side: "front" | "back";
  offset: number;
  doubloons: readonly number[];
  /** While it falls: to which side (starboard is 1), and as which of several. */
  fall: { side: number; order: number } | null;
}

export interface Pirate {
  id: number;
  colour: Colour;
  is: "aboard" | "hand" | "sea" | "ashore";
  /** Aboard where he stands, in the hand where he came from; in the sea where he fell from. */
  plank: Plank | null;
  space: number;
}

export interface Deck {
  planks: readonly ShownPlank[];
  pirates: readonly Pirate[];
  /** Where the ship comes to rest, as an angle, starboard down positive. */
  roll: number;
  fins: number;
  /** What a hand is awaited for, and how the ship lay before. */
  gesture: View["gesture"];
  rollBefore: number;
}

const EACH = 3;
const crew = (): Pirate[] =>
  COLOURS.flatMap((colour, number) =>
    Array.from({ length: EACH }, (_, i): Pirate => ({ id: number * EACH + i, colour, is: "ashore", plank: null, space: 0 })),
  );

/** The deck a view shows; whoever stood on a deck before keeps his number. */
export function deckOf(view: View, before: Deck | null = null): Deck {
  const isBegun = !["start", "lay", "setup"].includes(view.phase);
  const pirates = (before?.pirates ?? crew()).map((pirate) => ({ ...pirate }));
  for (const colour of COLOURS) {
    const own = pirates.filter((pirate) => pirate.colour === colour);
    let left = [...view.pirates[colour]];
    const kept = own.filter((pirate) => {
      const at = left.indexOf(placeText(pirate));
      if (at < 0) return false;
      left.splice(at, 1);
      return true;
    });
    // those in the hand or in the sea first: they are the likeliest to have moved
    const moved = own.filter((pirate) => !kept.includes(pirate)).sort((a, b) => Number(a.is === "aboard") - Number(b.is === "aboard"));
    left = [...left.filter((at) => at !== null), ...left.filter((at) => at === null)];
    moved.forEach((pirate, place) => {
      const at = left[place] ?? null;
      if (at === null) pirate.is = isBegun ? "sea" : "ashore";
      else if (at === "hand") Object.assign(pirate, { is: "hand" }, view.lifted === null ? {} : placeOf(view.lifted));
      else Object.assign(pirate, { is: "aboard" }, placeOf(at));
    });
    for (const pirate of kept) if (pirate.is !== "aboard" && pirate.is !== "hand") pirate.is = isBegun ? "sea" : "ashore";
  }
  const roll = rollOf(view.roll);
  return {
    planks: view.planks.map((plank, lane) => ({ ...plank, doubloons: view.doubloons[lane] ?? [], fall: null })),
    pirates,
    roll,
    fins: view.fins,
    gesture: view.gesture,
    rollBefore: before?.roll ?? roll,
  };
}

function placeText({ is, plank, space }: Pirate): string | null {
  if (is === "hand") return "hand";
  return is === "aboard" && plank !== null ? textOf(plank, space) : null;
}

export const pirateAt = (deck: Deck, plank: Plank, space: number): Pirate | undefined =>
  deck.pirates.find((pirate) => pirate.is === "aboard" && pirate.plank === plank && pirate.space === space);

export const crewOn = (deck: Deck, plank: Plank): Pirate[] =>
  deck.pirates.filter((pirate) => pirate.is === "aboard" && pirate.plank === plank);

const changed = (deck: Deck, id: number, change: Partial<Pirate>): Deck => ({
  ...deck,
  pirates: deck.pirates.map((pirate) => (pirate.id === id ? { ...pirate, ...change } : pirate)),
});

export function slid(deck: Deck, name: Plank, direction: Direction, spaces: number): Deck {
  const by = direction === "starboard" ? spaces : -spaces;
  return {
    ...deck,
    planks: deck.planks.map((plank) => (plank.name === name ? { ...plank, offset: plank.offset + by } : plank)),
  };
}

export function lifted(deck: Deck, place: string): Deck {
  const { plank, space } = placeOf(place);
  const pirate = pirateAt(deck, plank, space);
  return pirate === undefined ? deck : changed(deck, pirate.id, { is: "hand" });
}

/**
 * A pirate comes to a place from the hand, the sea or the shore, and pushes so many there. `after`
 * shows to which side, where the push began on the rope.
 */
export function come(deck: Deck, colour: Colour, place: string, pushed: number, after: View): Deck {
  const { plank, space } = placeOf(place);
  const waits = ["hand", "sea", "ashore"];
  const [comer] = deck.pirates
    .filter((pirate) => pirate.colour === colour && waits.includes(pirate.is))
    .sort((a, b) => waits.indexOf(a.is) - waits.indexOf(b.is));
  let now = deck;
  const side = space === 0 ? pushSide(deck, plank, pushed, after) : space < 0 ? 1 : -1;
  for (let step = pushed - 1; step >= 0; step--) {
    const standing = pirateAt(now, plank, space + step * side);
    if (standing !== undefined) now = changed(now, standing.id, { space: standing.space + side });
  }
  return comer === undefined ? now : changed(now, comer.id, { is: "aboard", plank, space });
}

function pushSide(deck: Deck, plank: Plank, pushed: number, after: View): number {
  const stands = Object.values(after.pirates).flat();
  const goes = (side: number) => pirateAt(deck, plank, pushed * side) === undefined && stands.includes(textOf(plank, pushed * side));
  return goes(1) || !goes(-1) ? 1 : -1;
}

/** To which side a plank hangs over: where more of its weight is. */
export function heavierSide(deck: Deck, name: Plank): number {
  const offset = deck.planks.find((plank) => plank.name === name)?.offset ?? 0;
  const weight = crewOn(deck, name).reduce((sum, { space }) => sum + space + offset, 2 * offset);
  return weight < 0 ? -1 : 1;
}

/** These planks fall, one shortly after the other, with everybody on them. */
export function toppled(deck: Deck, names: readonly Plank[]): Deck {
  return {
    ...deck,
    planks: deck.planks.map((plank) => {
      const order = names.indexOf(plank.name);
      return order < 0 ? plank : { ...plank, fall: { side: heavierSide(deck, plank.name), order } };
    }),
  };
}

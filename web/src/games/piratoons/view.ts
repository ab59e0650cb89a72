/** What the server shows of Piratoons, as `docs/piratoons-view.md` explains it. */

export const KINDS = ["deck", "gun", "port", "quart"] as const;
export type Kind = (typeof KINDS)[number];

export const PHASES = ["fill", "plunder", "auction", "take", "refit", "over"] as const;
export type Phase = (typeof PHASES)[number];

/** A number one may know, or `"?"`. */
export type Known = number | "?";

export interface Board {
  width: number;
  height: number;
  /** Of a stone. */
  radius: number;
  /** x, y, width, height. */
  fields: readonly (readonly number[])[];
}

export interface Pile {
  x: number;
  y: number;
  /** From the bottom up. */
  seats: number[];
}

export interface StandingPile extends Pile {
  /** Null where the stones do not count. */
  on: string | null;
}

export interface Part {
  storeys: number;
  /** The symbols of the left and of the right edge. */
  edges: number[];
  /** From the deck down. */
  fields: Kind[];
  /** How many sails it carries. */
  mast: number;
  barrels: number;
}

export interface CountedSet {
  kind: "same" | "different" | "pair";
  tiles: string[];
  points: number;
}

export const EMPTY_FIELDS = ["deck", "quart", "gun", "port", "all"] as const;
export type EmptyField = (typeof EMPTY_FIELDS)[number];

/** What a ship is worth as it lies. */
export interface Ledger {
  connections: boolean[];
  sails: number;
  barrels: number;
  empty: Record<EmptyField, number>;
  sets: CountedSet[];
  points: { connections: number; sets: number };
}

/** What a layout would be. */
export interface Preview extends Ledger {
  layout: string;
  /** The rule that forbids it. */
  refused: string | null;
  places: Record<string, string[]>;
  overboard: string[];
}

export const TITLES = ["sails", "doubloons", "barrels"] as const;
export type Title = (typeof TITLES)[number];

export interface Reckoning {
  titles: Record<Title, number[]>;
  connections: [correct: number, wrong: number, points: number][];
  empty: Record<EmptyField, number[]>;
  sets: CountedSet[][];
  totals: number[];
  tie_break: "connections" | "empty" | "doubloons" | null;
}

export interface View {
  phase: Phase;
  to_act: number[] | "nature";
  scores: number[];
  winners: number[];
  players: number;
  round: number;
  captain: number | null;
  /** By field; null where nothing lies, `"?"` in a closed chest. */
  chest: (string | null)[];
  floating: string[];
  sunk: string[];
  /** By seat: won and not yet built in. */
  won: string[][];
  ships: string[];
  bank: number;
  doubloons: Known[];
  shown: number[];
  opened: boolean;
  ran_out: boolean;
  piles: StandingPile[];
  fallen: Pile[];
  barred: number[];
  out: number[];
  bids: (Known | null)[];
  refits: (string | null)[];
  board: Board;
  parts: Record<string, Part>;
  ends: number[];
  /** By seat: stones not placed. */
  supply: number[];
  /** By field: who would win the tile now. */
  loot: (number | null)[];
  /** By field: how many stones of each seat count. */
  stones: Record<string, number>[];
  ledger: Ledger[];
  best: string | null;
  taker: number | null;
  reckoning: Reckoning | null;
}

export function isToAct(view: View, seat: number): boolean {
  return view.to_act !== "nature" && view.to_act.includes(seat);
}

/** What may be bought: what is left in the chest, and what floats. */
export function forSale(view: View): string[] {
  const inChest = view.chest.filter((tile) => tile !== null && tile !== "?") as string[];
  return [...inChest, ...view.floating.filter((tile) => !inChest.includes(tile))];
}

/** Tiles that look alike, as one lot. */
export interface Lot {
  /** One of them. */
  tile: string;
  count: number;
  isAfloat: boolean;
}

export function lotsOf(tiles: readonly string[], floating: readonly string[]): Lot[] {
  const lots = new Map<string, Lot>();
  for (const tile of tiles) {
    const isAfloat = floating.includes(tile);
    const look = `${/^p\d+$/.test(tile) ? tile : tile.replace(/\d+$/, "")} ${isAfloat}`;
    const lot = lots.get(look);
    if (lot) lot.count += 1;
    else lots.set(look, { tile, count: 1, isAfloat });
  }
  return [...lots.values()];
}

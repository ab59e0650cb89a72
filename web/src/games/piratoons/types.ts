// Made from what src/quarterdeck/games/piratoons/ declares by `make protocol`. Do not edit.

/**
 * The keys of a position; `?` stands for what is hidden from whoever looks.
 *
 * In `piles`, `on` follows from the place, for readers.
 */
export interface Position {
  players: number;
  phase: "auction" | "fill" | "over" | "plunder" | "refit" | "take";
  round: number;
  captain: number | null;
  chest: (string | null)[];
  floating: string[];
  sunk: string[];
  won: string[][];
  bank: number;
  short: number;
  doubloons: (number | "?")[];
  ships: string[];
  piles: StandingPile[];
  fallen: Pile[];
  opened: boolean;
  ran_out: boolean;
  barred: number[];
  out: number[];
  bids: (number | "?" | null)[];
  refits: (string | null)[];
  shown: number[];
}

/**
 * A pile that stands: also the tile it is on, null where it does not count.
 */
export interface StandingPile {
  x: number;
  y: number;
  seats: number[];
  on: string | null;
}

/**
 * Stones that lie together: where, and whose they are from the bottom up.
 */
export interface Pile {
  x: number;
  y: number;
  seats: number[];
}

/**
 * What follows from what everybody sees: see `docs/piratoons-view.md`. `best` is for the seat
 * that lays out its ship.
 */
export interface Outlook {
  board: Board;
  parts: Record<string, Part>;
  ends: number[];
  supply: number[];
  loot: (number | null)[];
  stones: Record<string, number>[];
  ledger: Ledger[];
  best: string | null;
  taker: number | null;
  reckoning: Reckoning | null;
}

/**
 * The chest in millimetres: its size, the radius of a stone, and x, y, width and height of each
 * field.
 */
export interface Board {
  width: number;
  height: number;
  radius: number;
  fields: number[][];
}

/**
 * A part of a ship: its storeys, the symbols of its left and right edge, its fields from the
 * deck down, how many sails its mast carries, and its barrels.
 */
export interface Part {
  storeys: number;
  edges: number[];
  fields: ("deck" | "gun" | "port" | "quart")[];
  mast: number;
  barrels: number;
}

/**
 * What is counted of a ship as it lies; `connections` from bow to stern, whether they fit.
 */
export interface Ledger {
  connections: boolean[];
  sails: number;
  barrels: number;
  empty: EmptyFields;
  sets: CountedSet[];
  points: ShipPoints;
}

/**
 * How many fields of each kind are empty, and how many in all.
 */
export interface EmptyFields {
  deck: number;
  quart: number;
  gun: number;
  port: number;
  all: number;
}

/**
 * PT-33: a set of add-ons: what makes it one, its tiles and its points.
 */
export interface CountedSet {
  kind: "different" | "pair" | "same";
  tiles: string[];
  points: number;
}

/**
 * What a ship brings by itself.
 */
export interface ShipPoints {
  connections: number;
  sets: number;
}

/**
 * The whole score of a game that is over, by seat; `connections` are how many fit, how many do
 * not, and their points. `tie_break` is what decided between those with most points.
 */
export interface Reckoning {
  titles: Titles;
  connections: number[][];
  empty: EmptyPoints;
  sets: CountedSet[][];
  totals: number[];
  tie_break: "connections" | "doubloons" | "empty" | null;
}

/**
 * PT-30: the points for having most of something, by seat.
 */
export interface Titles {
  sails: number[];
  doubloons: number[];
  barrels: number[];
}

/**
 * PT-32: the points for having most empty fields of a kind, by seat.
 */
export interface EmptyPoints {
  deck: number[];
  quart: number[];
  gun: number[];
  port: number[];
  all: number[];
}

/**
 * What a seat sees otherwise than everybody does: its doubloons, and its bid and its layout
 * while these are sealed.
 */
export interface Own {
  doubloons: (number | "?")[];
  bids: (number | "?" | null)[];
  refits: (string | null)[];
}

/**
 * The best layout, for a seat that has to declare one.
 */
export interface OwnOutlook {
  best: string;
}

/**
 * What somebody sees, in one level: what everybody is shown, and in the place of some of its keys
 * a seat's own.
 */
export interface View extends Position, Outlook {
  to_act: number[] | "nature";
  scores: number[];
  winners: number[];
}

/** The keys of what happens. */
export type EventKey =
  | "captain-drawn"
  | "chest-filled"
  | "chest-opened"
  | "dropped"
  | "dropped-astray"
  | "toppled"
  | "clumsy"
  | "stopped"
  | "stopped-early"
  | "sand"
  | "closed"
  | "nobody-left"
  | "halved"
  | "bank-empty"
  | "paid"
  | "tile-won"
  | "tile-left"
  | "bid-sealed"
  | "bids-open"
  | "bids-tied"
  | "tile-bought"
  | "afloat"
  | "sank"
  | "refit-sealed"
  | "ship-laid-out"
  | "overboard"
  | "shown"
  | "hidden"
  | "title"
  | "connections-counted"
  | "most-empty"
  | "set-counted"
  | "total"
  | "tie-broken"
  | "game-won"
  | "game-shared";

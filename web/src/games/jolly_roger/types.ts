// Made from what src/quarterdeck/games/jolly_roger/ declares by `make protocol`. Do not edit.

/**
 * The keys of a position. `strengths` and `captains` follow from `crews`, for readers.
 */
export interface Position {
  phase: "deal" | "over" | "pick" | "play" | "split" | "start";
  variant: "advanced" | "all-cards" | "intro";
  turn: number;
  splitter: number | null;
  offer: string[];
  sets: string[][];
  hands: string[][];
  crews: Crews;
  strengths: Strengths;
  captains: Captains;
  chests: string[][];
  removed: string[];
}

/**
 * The two crews at each ship, oldest card first; a card face down is `parrot:CARD`.
 */
export interface Crews {
  green: string[][];
  yellow: string[][];
  blue: string[][];
  red: string[][];
}

/**
 * The strength of the two crews at each ship.
 */
export interface Strengths {
  green: number[];
  yellow: number[];
  blue: number[];
  red: number[];
}

/**
 * The seat whose captain stands at each ship.
 */
export interface Captains {
  green: number | null;
  yellow: number | null;
  blue: number | null;
  red: number | null;
}

/**
 * How many `turns` the game has, the `worth` of each ship, the gold in the two chests, and no
 * plays: only who is to play is told what they would come to.
 */
export interface Outlook {
  turns: number;
  worth: Worth;
  treasure: number[];
  outlook: Record<string, Play>;
}

/**
 * The gold each ship is worth.
 */
export interface Worth {
  green: number;
  yellow: number;
  blue: number;
  red: number;
}

/**
 * What a play would come to: the ships it changes, and the gold in the two chests after it.
 */
export interface Play {
  ships: ShipsAfter;
  treasure: number[];
}

/**
 * The ships that a play changes, as they are after it.
 */
export interface ShipsAfter {
  green?: ShipAfter;
  yellow?: ShipAfter;
  blue?: ShipAfter;
  red?: ShipAfter;
}

/**
 * A ship after a play: its two crews, their strengths, and the seat of its captain.
 */
export interface ShipAfter {
  crews: string[][];
  strengths: number[];
  captain: number | null;
}

/**
 * What a seat sees otherwise than everybody does: nothing (JR-R2).
 */
export interface Own {}

/**
 * What each play of a seat would come to, by its text.
 */
export interface OwnOutlook {
  outlook: Record<string, Play>;
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
  | "splitter-drawn"
  | "turned-up"
  | "split"
  | "picked"
  | "crew"
  | "parrot"
  | "board"
  | "kraken"
  | "kraken-none"
  | "tortuga"
  | "captain-comes"
  | "captain-leaves"
  | "chest-counted"
  | "ship-won"
  | "ship-free"
  | "game-won"
  | "game-won-by-ship"
  | "game-shared";

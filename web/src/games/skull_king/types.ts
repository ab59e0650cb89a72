// Made from what src/quarterdeck/games/skull_king/ declares by `make protocol`. Do not edit.

/**
 * The keys of a position; `?` stands for what is hidden from whoever looks.
 */
export interface Position {
  phase: "bid" | "deal" | "over" | "play" | "start";
  hand: number;
  dealer: number | null;
  hands: string[][];
  bids: (number | "?" | null)[];
  leader: number | null;
  trick: string[];
  last: LastTrick | null;
  tricks: number[];
  bonus: number[];
  scores: number[];
  pad: (Note[] | null)[];
}

/**
 * The last finished trick: who led, and the cards in the order they were played.
 */
export interface LastTrick {
  leader: number;
  cards: string[];
}

/**
 * What the pad says of a seat in a finished hand.
 */
export interface Note {
  bid: number;
  points: number;
}

/**
 * What a seat sees otherwise than everybody: its cards, and its bid while bids are sealed.
 */
export interface Own {
  hands: string[][];
  bids: (number | "?" | null)[];
}

/**
 * What somebody sees, in one level: what everybody is shown, and in the place of some of its keys
 * a seat's own.
 */
export interface View extends Position {
  to_act: number[] | "nature";
  scores: number[];
  winners: number[];
}

/** The keys of what happens. */
export type EventKey =
  | "dealer-drawn"
  | "hand-dealt"
  | "bid-sealed"
  | "bids-open"
  | "card-played"
  | "trick-won"
  | "bonus"
  | "hand-over"
  | "hand-scored"
  | "game-won"
  | "game-shared";

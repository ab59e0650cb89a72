// Made from what src/quarterdeck/games/riff_raff/ declares by `make protocol`. Do not edit.

/**
 * The keys of a position; `?` stands for what is hidden from whoever looks.
 *
 * `aboard` goes by the areas, `"1"` to `"10"`.
 */
export interface Position {
  phase: "announce" | "captain" | "card" | "order" | "over" | "settle" | "start" | "take";
  players: number;
  round: number;
  captain: number | null;
  cards: ((number | "?")[])[];
  played: (number | "?" | null)[];
  last: (number | null)[];
  order: number[];
  active: number | null;
  announced: number | null;
  loaded: number;
  hand: "barrel" | "boat" | "chest" | "crate" | "flacon" | "plank" | "rat" | "sailor" | null;
  supply: (("barrel" | "boat" | "chest" | "crate" | "flacon" | "plank" | "rat" | "sailor")[])[];
  aboard: Record<string, ("barrel" | "boat" | "chest" | "crate" | "flacon" | "plank" | "rat" | "sailor")[]>;
}

/**
 * What a seat sees otherwise than everybody does: its cards, and the one it chose in secret.
 */
export interface Own {
  cards: ((number | "?")[])[];
  played: (number | "?" | null)[];
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
  | "captain-drawn"
  | "card-chosen"
  | "card-open"
  | "captain"
  | "captain-open"
  | "captain-named"
  | "order-named"
  | "announced"
  | "taken"
  | "exchanged"
  | "lies"
  | "astray"
  | "back"
  | "fell"
  | "caught-own"
  | "others-fell"
  | "caught"
  | "shifted"
  | "second"
  | "round"
  | "game-won-empty"
  | "game-won"
  | "game-shared";

// Made from what src/quarterdeck/games/gezanke/ declares by `make protocol`. Do not edit.

/**
 * The keys of a position; `?` stands for what is hidden from whoever looks.
 */
export interface Position {
  phase: "board" | "choose" | "lay" | "lift" | "neutral" | "over" | "roll" | "set" | "setup" | "slide" | "start";
  players: number;
  active: number | null;
  fins: number;
  planks: LaidPlank[];
  pirates: Crews;
  dice: ("blue" | "green" | "orange" | "purple" | "red" | "yellow")[];
  slid: "blue" | "green" | "orange" | "purple" | "red" | "yellow" | null;
  lifted: string | null;
  gesture: Gesture | null;
  lost: Counts;
  culprit: number | null;
  choices: Choices;
  boarding: Counts;
  boarder: number | null;
  purses: (number | "?")[];
}

/**
 * A plank as it lies: its side that is up, and how many spaces it is slid to starboard.
 */
export interface LaidPlank {
  name: "blue" | "green" | "orange" | "purple" | "red" | "yellow";
  side: "back" | "front";
  offset: number;
}

/**
 * By colour where its pirates are: on a space, in the `hand`, or null for overboard.
 */
export interface Crews {
  grey: (string | null)[];
  white: (string | null)[];
  black: (string | null)[];
  brown: (string | null)[];
}

/**
 * What a hand is awaited for: what it does, at which space or plank, and where a plank goes.
 */
export interface Gesture {
  do: "board" | "lift" | "set" | "slide";
  at: string;
  side: "port" | "starboard" | "stay" | null;
}

/**
 * How many pirates of each colour.
 */
export interface Counts {
  grey: number;
  white: number;
  black: number;
  brown: number;
}

/**
 * What was chosen for each colour after a splash.
 */
export interface Choices {
  grey: "collect" | "nothing" | "rescue" | null;
  white: "collect" | "nothing" | "rescue" | null;
  black: "collect" | "nothing" | "rescue" | null;
  brown: "collect" | "nothing" | "rescue" | null;
}

/**
 * What follows from what everybody sees.
 *
 * What `hands` the table plays with; `owners` of the colours; how far the ship `roll`s (the two
 * sides of its tangent, starboard down is positive); from bow to stern the `doubloons` on each
 * plank and its `margins`, how far it is from tipping, in tenths of a millimetre; the doubloons
 * left in the `pile`, the two open stacks together; the `target`, the plank a pirate is moved
 * onto; and the seat whose `hand` is awaited. `outlook` is for the seat that is to act.
 */
export interface Outlook {
  hands: "each" | "real" | "steady";
  owners: Owners;
  roll: number[];
  doubloons: number[][];
  margins: number[];
  pile: number;
  target: "blue" | "green" | "orange" | "purple" | "red" | "yellow" | null;
  hand: number | null;
  outlook: Record<string, Forecast>;
}

/**
 * The seat each colour belongs to; null for the one nobody has.
 */
export interface Owners {
  grey: number | null;
  white: number | null;
  black: number | null;
  brown: number | null;
}

/**
 * What an action would come to.
 *
 * Of one that moves something: the `margins` and the `roll` after it, the planks that `falls`
 * names, by how many `spaces` a plank is slid, and who is `push`ed from where to where. Of a
 * choice after a splash: the `doubloons` it collects, or the `pirates` it brings back.
 */
export interface Forecast {
  margins?: number[];
  roll?: number[];
  falls?: ("blue" | "green" | "orange" | "purple" | "red" | "yellow")[];
  spaces?: number;
  push?: string[][];
  doubloons?: number;
  pirates?: number;
}

/**
 * What a seat sees otherwise than everybody does: its purse.
 */
export interface Own {
  purses: (number | "?")[];
}

/**
 * What every action of the seat that is to act would come to, by its text.
 */
export interface OwnOutlook {
  outlook: Record<string, Forecast>;
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
  | "starter-drawn"
  | "laid"
  | "rolled"
  | "placed"
  | "all-aboard"
  | "stayed"
  | "slid"
  | "lifted"
  | "set"
  | "set-pushing"
  | "boarded"
  | "boarded-pushing"
  | "hand"
  | "toppled"
  | "toppled-empty"
  | "oath-broken"
  | "oath-paid"
  | "move-lapses"
  | "chose-collect"
  | "chose-rescue"
  | "collected"
  | "collects-nothing"
  | "neutrals-return"
  | "fin-leaves"
  | "two-fins"
  | "fins-gone"
  | "piles-gone"
  | "ship-empty"
  | "game-won"
  | "game-shared";

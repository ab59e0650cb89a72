/** What the server shows of Gezanke auf der Planke: the position keys, and what follows from them. */

export const PLANKS = ["yellow", "green", "orange", "red", "blue", "purple"] as const;
export type Plank = (typeof PLANKS)[number];
export const COLOURS = ["grey", "white", "black", "brown"] as const;
export type Colour = (typeof COLOURS)[number];
export type Direction = "port" | "starboard";

/** Spaces to either side of the rope. */
export const HALF = 4;
export const SPACES = [-4, -3, -2, -1, 0, 1, 2, 3, 4] as const;
export const MOST_FINS = 7;

/** What would come of an action: of one that moves something, or of a choice. */
export interface Outlook {
  /** In tenths of a millimetre, from bow to stern. */
  margins?: number[];
  roll?: [number, number];
  falls?: Plank[];
  /** By how many spaces a plank is slid. */
  spaces?: number;
  /** Who is pushed: from where to where. */
  push?: [from: string, to: string][];
  /** What one would collect, or how many would come back. */
  doubloons?: number;
  pirates?: number;
}

export interface View {
  phase: "start" | "lay" | "setup" | "roll" | "slide" | "lift" | "set" | "choose" | "neutral" | "board" | "over";
  to_act: number[] | "nature";
  winners: number[];
  scores: number[];
  players: number;
  active: number | null;
  fins: number;
  /** From bow to stern. */
  planks: { name: Plank; side: "front" | "back"; offset: number }[];
  /** Where the pirates of a colour are: a space, `hand`, or null for overboard. */
  pirates: Record<Colour, (string | null)[]>;
  dice: Plank[];
  slid: Plank | null;
  lifted: string | null;
  /** What a hand is awaited for. */
  gesture: { do: "slide" | "lift" | "set" | "board"; at: string; side: Direction | null } | null;
  lost: Record<Colour, number>;
  culprit: number | null;
  choices: Record<Colour, "collect" | "rescue" | "nothing" | null>;
  boarding: Record<Colour, number>;
  boarder: number | null;
  purses: (number | "?")[];

  hands: "steady" | "each" | "real";
  owners: Record<Colour, number | null>;
  /** The two sides of the tangent; starboard down is positive. */
  roll: [number, number];
  doubloons: number[][];
  margins: number[];
  /** The doubloons left in the two open stacks. */
  pile: number;
  target: Plank | null;
  hand: number | null;
  outlook: Record<string, Outlook>;
}

export function isToAct(view: View, seat: number): boolean {
  return view.to_act !== "nature" && view.to_act.includes(seat);
}

/** `red:-4` as the plank and the space. */
export function placeOf(text: string): { plank: Plank; space: number } {
  const [plank, space] = text.split(":");
  return { plank: plank as Plank, space: Number(space) };
}

export const textOf = (plank: Plank, space: number): string => `${plank}:${space}`;

export const coloursOf = (view: View, seat: number | null): Colour[] =>
  COLOURS.filter((colour) => view.owners[colour] === seat);

/** Before all are aboard, who has no place waits ashore. */
export const isAshore = (view: View): boolean => ["start", "lay", "setup"].includes(view.phase);

/** The doubloons on a space. */
export function doubloonsAt(view: View, at: string): number {
  const { plank, space } = placeOf(at);
  const lane = view.planks.findIndex(({ name }) => name === plank);
  return view.doubloons[lane]?.[space + HALF] ?? 0;
}

/** How far the ship rolls, as an angle; starboard down is positive. */
export const rollOf = ([a, b]: readonly [number, number]): number => Math.atan2(a, b);

// What can be done ----------------------------------------------------------------------------

/** An action that is aimed at something aboard. */
export interface Target {
  /** The action. */
  text: string;
  verb: "place" | "slide" | "lift" | "set" | "board";
  plank: Plank;
  /** Null for a slide. */
  space: number | null;
  /** Where a plank goes, or where a push from the rope goes. */
  direction: Direction | null;
  colour: Colour | null;
}

/** The target an action is aimed at; null for one that is aimed at nothing aboard. */
export function targetOf(text: string): Target | null {
  const [verb = "", ...words] = text.split(" ");
  if (verb === "slide") {
    const [plank, direction] = words;
    if (direction === "stay") return null;
    return { text, verb, plank: plank as Plank, space: null, direction: direction as Direction, colour: null };
  }
  if (verb !== "place" && verb !== "lift" && verb !== "set" && verb !== "board") return null;
  const colour = verb === "place" || verb === "board" ? (words.shift() as Colour) : null;
  const [place = "", direction = null] = words;
  return { text, verb, ...placeOf(place), direction: direction as Direction | null, colour };
}

export const targetsOf = (legal: readonly string[]): Target[] =>
  legal.map(targetOf).filter((target) => target !== null);

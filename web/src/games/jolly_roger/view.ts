/** What the server shows of Jolly & Roger. All of it lies open; the sums are the server's too. */

export const SHIPS = ["green", "yellow", "blue", "red"] as const;
export type Ship = (typeof SHIPS)[number];

/** One value a ship. */
export type ByShip<Value> = Record<Ship, Value>;

/** One value a seat. */
export type Both<Value> = [Value, Value];

export interface View {
  phase: "start" | "deal" | "split" | "pick" | "play" | "over";
  to_act: number[] | "nature";
  winners: number[];
  scores: Both<number>;
  variant: string;
  turn: number;
  turns: number;
  splitter: number | null;
  offer: string[];
  sets: Both<string[]>;
  /** What each seat has still to play. */
  hands: Both<string[]>;
  /** Oldest card first; a card that lies face down is `parrot:CARD`. */
  crews: ByShip<Both<string[]>>;
  strengths: ByShip<Both<number>>;
  captains: ByShip<number | null>;
  worth: ByShip<number>;
  chests: Both<string[]>;
  /** The gold in each chest. */
  treasure: Both<number>;
  removed: string[];
  /** What each play one may choose now would come to. */
  outlook: Record<string, Outlook>;
}

export interface Outlook {
  /** Only the ships that change. */
  ships: Partial<ByShip<ShipAfter>>;
  treasure: Both<number>;
}

export interface ShipAfter {
  crews: Both<string[]>;
  strengths: Both<number>;
  captain: number | null;
}

export function isToAct(view: View, seat: number): boolean {
  return view.to_act !== "nature" && view.to_act.includes(seat);
}

export type StepName = "split" | "pick" | "play";

export interface Step {
  name: StepName;
  seat: number;
  state: "done" | "now" | "next";
}

/** The turn in four steps: who splits, picks, and plays in which order, and where we are. */
export function stepsOf(view: View): Step[] {
  const splitter = view.splitter;
  if (splitter === null) return [];
  const picker = 1 - splitter;
  const order: Omit<Step, "state">[] = [
    { name: "split", seat: splitter },
    { name: "pick", seat: picker },
    { name: "play", seat: picker },
    { name: "play", seat: splitter },
  ];
  const now =
    view.phase === "over"
      ? order.length
      : order.findIndex(({ name, seat }) => name === view.phase && isToAct(view, seat));
  return order.map((step, place) => ({
    ...step,
    state: place < now ? "done" : place === now ? "now" : "next",
  }));
}

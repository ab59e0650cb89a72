/** What the server shows of Riff Raff: the position keys, as far as a seat sees them. */

/** In the order of the kit: a piece's number, divided by four, is its place here. */
export const PIECES = ["boat", "barrel", "flacon", "crate", "sailor", "plank", "rat", "chest"] as const;
export type Piece = (typeof PIECES)[number];

export const AREAS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

export interface View {
  phase: "start" | "card" | "captain" | "order" | "announce" | "take" | "settle" | "over";
  to_act: number[] | "nature";
  winners: number[];
  scores: number[];
  players: number;
  round: number;
  captain: number | null;
  /** `?` for a card one does not see. */
  cards: (number | "?")[][];
  /** Of this round: null until a seat has chosen, `?` while one may not know what. */
  played: (number | "?" | null)[];
  /** The card on top of each seat's pile. */
  last: (number | null)[];
  order: number[];
  active: number | null;
  announced: number | null;
  loaded: number;
  hand: Piece | null;
  supply: Piece[][];
  /** Pieces by the number of their area. */
  aboard: Record<string, Piece[]>;
}

export function isToAct(view: View, seat: number): boolean {
  return view.to_act !== "nature" && view.to_act.includes(seat);
}

export const roundsOf = (view: View): number => (view.players === 2 ? 20 : 10);

/** The card that counts for a seat now: of this round once all lie open, else the last one. */
export function cardOf(view: View, seat: number): number | null {
  const card = view.played[seat];
  return typeof card === "number" && view.phase !== "card" ? card : (view.last[seat] ?? null);
}

/** Equal pieces together: `[["crate", 2], …]` in the order of the kit. */
export function counted(pieces: readonly Piece[]): [Piece, number][] {
  return PIECES.map((piece): [Piece, number] => [
    piece,
    pieces.filter((other) => other === piece).length,
  ]).filter(([, count]) => count > 0);
}

/** What the actions of one verb name: `args(["take rat", "take crate"], "take")`. */
export function args(legal: readonly string[], verb: string): string[] {
  return legal.filter((text) => text.startsWith(`${verb} `)).map((text) => text.slice(verb.length + 1));
}

/** The seats that can come next in an order that begins like this. */
export function nextInOrder(legal: readonly string[], begun: readonly number[]): number[] {
  const orders = args(legal, "order").map((text) => text.split(",").map(Number));
  const fitting = orders.filter((order) => begun.every((seat, place) => order[place] === seat));
  return [...new Set(fitting.flatMap((order) => order.slice(begun.length, begun.length + 1)))].sort(
    (a, b) => a - b,
  );
}

/** The one order that begins like this, null while there are several. */
export function onlyOrder(legal: readonly string[], begun: readonly number[]): string | null {
  const fitting = args(legal, "order").filter((text) =>
    begun.every((seat, place) => Number(text.split(",")[place]) === seat),
  );
  return fitting.length === 1 ? `order ${fitting[0]}` : null;
}

/** What the server shows of Skull King: the position keys, as far as a seat sees them. */

import type { Pad } from "./pad";

export interface View {
  phase: "start" | "deal" | "bid" | "play" | "over";
  to_act: number[] | "nature";
  winners: number[];
  hand: number;
  dealer: number | null;
  /** `?` for a card one does not see. */
  hands: string[][];
  /** Null until a seat has bid, `?` while one may not know what. */
  bids: (number | "?" | null)[];
  leader: number | null;
  trick: string[];
  last: { leader: number; cards: string[] } | null;
  tricks: number[];
  bonus: number[];
  scores: number[];
  pad: Pad;
}

export function isToAct(view: View, seat: number): boolean {
  return view.to_act !== "nature" && view.to_act.includes(seat);
}

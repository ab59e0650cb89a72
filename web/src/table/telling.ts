/** Takes in views and what is told with them, and has it played scene by scene. */

import type { Event, TimedEvent } from "../games/game";
import { Beats, type Beat } from "./beats";

export interface Teller<View> {
  /** One comes to the table, or looks with another seat's eyes; these things were told before. */
  begin: (before: readonly Event[]) => void;
  /** The scenes that lead to a view. `calm`: nothing may move. */
  scenes: (events: readonly Event[], view: View, calm: boolean) => Beat[];
  /** Keeps what stays readable for a while, even where its scene is left out. */
  note: (event: Event) => void;
  /** Shows everything as it is. */
  settle: (view: View) => void;
}

export class Telling<View> {
  #seat: number | null = null;
  #told = -1;
  #newest: View;
  #teller: Teller<View>;
  #beats: Beats;

  constructor(view: View, seat: number | null, events: readonly TimedEvent[], teller: Teller<View>) {
    this.#newest = view;
    this.#teller = teller;
    this.#beats = new Beats(() => teller.settle(this.#newest));
    this.#start(seat, events);
  }

  /** Takes in what has come. */
  update(view: View, seat: number | null, events: readonly TimedEvent[], calm: boolean): void {
    this.#newest = view;
    if (seat !== this.#seat) {
      this.#start(seat, events);
      return;
    }
    const fresh = events.filter(({ n }) => n > this.#told).map(({ event }) => event);
    this.#told = events.at(-1)?.n ?? this.#told;
    if (document.hidden) {
      this.#beats.drop();
      for (const event of fresh) this.#teller.note(event);
    } else {
      this.#beats.push(this.#teller.scenes(fresh, view, calm));
    }
  }

  close(): void {
    this.#beats.drop();
  }

  #start(seat: number | null, events: readonly TimedEvent[]): void {
    this.#seat = seat;
    this.#told = events.at(-1)?.n ?? -1;
    this.#teller.begin(events.map(({ event }) => event));
    this.#beats.drop();
  }
}

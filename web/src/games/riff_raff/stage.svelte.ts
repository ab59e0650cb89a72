/** What is told above the rail, and the moment when all cards are turned up. */

import type { Beat } from "../../table/beats";
import { Telling } from "../../table/telling";
import type { Event, SoundName, TimedEvent } from "../game";
import type { View } from "./view";

const REVEAL_MS = 2200;

/** What is told, and the rule that explains it where it may surprise. */
const TALES: Record<string, string | null> = {
  "captain-drawn": null,
  captain: null,
  "captain-open": "RR-4",
  "captain-named": null,
  "order-named": null,
  announced: null,
  taken: null,
  exchanged: null,
  lies: null,
  shifted: null,
  astray: "RR-12",
  back: "RR-R6",
  fell: "RR-16",
  "caught-own": "RR-15",
  "others-fell": "RR-16",
  caught: "RR-14",
  second: "RR-9",
  round: null,
};

const SOUNDS: Record<string, SoundName> = {
  "card-chosen": "card",
  captain: "knock",
  announced: "knock",
  taken: "card",
  caught: "coin",
  round: "deal",
};

export interface Tale {
  event: Event;
  rule: string | null;
}

export interface Shown {
  seat: number;
  card: number;
}

export class Stage {
  /** The last things that were told together. */
  tales = $state.raw<readonly Tale[]>([]);
  /** The cards that have just been turned up, the highest first. */
  reveal = $state.raw<readonly Shown[]>([]);

  #play: (sound: SoundName) => void;
  #telling: Telling<View>;

  constructor(view: View, seat: number | null, events: readonly TimedEvent[], play: (sound: SoundName) => void) {
    this.#play = play;
    this.#telling = new Telling(view, seat, events, {
      begin: (before) => {
        this.tales = talesOf(before).slice(-1);
        this.reveal = [];
      },
      scenes: (events, _, calm) => this.#scenes(events, calm),
      note: (event) => {
        if (event.key in TALES) this.tales = talesOf([event]);
      },
      settle: () => (this.reveal = []),
    });
  }

  update(view: View, seat: number | null, events: readonly TimedEvent[], calm: boolean): void {
    this.#telling.update(view, seat, events, calm);
  }

  close(): void {
    this.#telling.close();
  }

  #scenes(events: readonly Event[], calm: boolean): Beat[] {
    const tales = talesOf(events);
    const shown = events
      .filter((event) => event.key === "card-open")
      .map(({ values }): Shown => ({ seat: Number(values?.["seat"]), card: Number(values?.["card"]) }))
      .sort((a, b) => b.card - a.card);
    const begin = () => {
      if (tales.length > 0) this.tales = tales;
      for (const event of events) if (SOUNDS[event.key]) this.#play(SOUNDS[event.key]!);
    };
    if (shown.length === 0) return [{ ms: 0, begin }];
    const reveal = () => {
      begin();
      this.#play("deal");
      this.reveal = shown;
    };
    // it is read as quickly with little motion: nothing of it moves
    return [{ ms: calm ? REVEAL_MS / 2 : REVEAL_MS, begin: reveal, keep: () => (this.tales = tales) }];
  }
}

function talesOf(events: readonly Event[]): Tale[] {
  return events.flatMap((event) => (event.key in TALES ? [{ event, rule: TALES[event.key] ?? null }] : []));
}

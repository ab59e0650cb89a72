/**
 * What the board shows. Mostly that is the newest view; while something happens it is the view
 * before, with the scenes that lead to the newest one.
 */

import type { Beat } from "../../table/beats";
import { Telling } from "../../table/telling";
import type { Event, SoundName, TimedEvent } from "../game";
import { trickOf, type Played } from "./around";
import type { View } from "./view";

const FLIGHT_MS = 240;
const WON_MS = 700;
const BONUS_MS = 600;
const GATHER_MS = 320;
const THUMP_MS = 320; // as the drum sounds
const OPEN_MS = 500;

export interface ScoreLine {
  seat: number;
  bid: number;
  points: number;
  total: number;
}

export interface Summary {
  hand: number;
  lines: ScoreLine[];
}

export interface Bonus {
  seat: number;
  points: number;
}

export class Stage {
  view = $state.raw() as View;
  trick = $state.raw<Played[]>([]);
  /** Whose card is on its way to the table. */
  flying = $state<number | null>(null);
  winner = $state<number | null>(null);
  isGathering = $state(false);
  /** The thumps of yo-ho-ho: 0 before the first. */
  thumps = $state(0);
  bonus = $state.raw<Bonus | null>(null);
  /** The last thing that needs a word of explanation. */
  tale = $state.raw<Event | null>(null);
  summary = $state.raw<Summary | null>(null);
  /** How long the present scene takes. */
  beatMs = $state(0);

  #play: (sound: SoundName) => void;
  #telling: Telling<View>;

  constructor(view: View, seat: number | null, events: readonly TimedEvent[], play: (sound: SoundName) => void) {
    this.#play = play;
    this.#telling = new Telling(view, seat, events, {
      begin: (before) => {
        this.tale = before.findLast(isTale) ?? null;
        this.summary = null;
      },
      scenes: (events, view, calm) => this.#scenes(events, view, calm),
      note: (event) => this.#note(event),
      settle: (view) => this.#settle(view),
    });
  }

  /** Takes in what has come. `calm`: nothing may move. */
  update(view: View, seat: number | null, events: readonly TimedEvent[], calm: boolean): void {
    this.#telling.update(view, seat, events, calm);
  }

  close(): void {
    this.#telling.close();
  }

  #settle(view: View): void {
    this.view = view;
    this.trick = trickOf(view.leader, view.trick, view.scores.length);
    this.flying = null;
    this.winner = null;
    this.isGathering = false;
    this.thumps = 0;
    this.bonus = null;
  }

  /** Keeps what stays readable for a while. */
  #note(event: Event): void {
    if (isTale(event)) this.tale = event;
    if (event.key === "bids-open") this.summary = null;
    if (event.key === "hand-over") this.summary = { hand: Number(event.values?.["hand"]), lines: [] };
    if (event.key === "hand-scored" && this.summary) {
      const line = event.values as unknown as ScoreLine;
      this.summary = { ...this.summary, lines: [...this.summary.lines, line] };
    }
  }

  #scenes(events: readonly Event[], view: View, calm: boolean): Beat[] {
    const moving = (ms: number) => (calm ? 0 : ms);
    const beats: Beat[] = [];
    const add = (ms: number, begin: () => void, told?: Event) =>
      beats.push({
        ms,
        begin: (given) => {
          this.beatMs = given;
          begin();
        },
        ...(told && { keep: () => this.#note(told) }),
      });
    for (const event of events) {
      const seat = Number(event.values?.["seat"]);
      switch (event.key) {
        case "hand-dealt":
          add(0, () => this.#play("deal"));
          break;
        case "bid-sealed":
          add(0, () => this.#play("knock"));
          break;
        case "bids-open":
          for (const thump of calm ? [] : [1, 2, 3]) {
            add(THUMP_MS, () => {
              this.thumps = thump;
              if (thump === 1) this.#play("drum");
            });
          }
          add(
            moving(OPEN_MS),
            () => {
              this.view = view;
              this.thumps = 4;
            },
            event,
          );
          break;
        case "card-played":
          add(moving(FLIGHT_MS), () => {
            this.flying = seat;
            this.trick = [...this.trick, { seat, card: String(event.values?.["card"]) }];
            this.#play("card");
          });
          break;
        case "trick-won":
          add(
            WON_MS,
            () => {
              this.flying = null;
              this.winner = seat;
            },
            event,
          );
          break;
        case "bonus":
          add(BONUS_MS, () => {
            this.bonus = { seat, points: Number(event.values?.["points"]) };
            this.#play("coin");
          });
          break;
        case "hand-over":
        case "hand-scored":
          add(0, () => {}, event);
          break;
      }
      const next = events[events.indexOf(event) + 1];
      if (event.key === "bonus" || (event.key === "trick-won" && next?.key !== "bonus")) {
        add(moving(GATHER_MS), () => {
          this.isGathering = true;
          this.#play("trick");
        });
        // the table is bare again, whatever else is told of this moment
        add(0, () => {
          this.trick = [];
          this.winner = null;
          this.isGathering = false;
          this.bonus = null;
        });
      }
    }
    add(0, () => this.#settle(view));
    return beats;
  }
}

function isTale(event: Event): boolean {
  return event.key === "trick-won" || event.key === "bids-open";
}

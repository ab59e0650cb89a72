/**
 * What the table shows. In the plunder that is always the newest view; when the loot is shared, the
 * fists open or somebody buys, it is the view before, with the scenes that lead to the newest one.
 */

import type { Beat } from "../../table/beats";
import { Telling } from "../../table/telling";
import type { Event, SoundName, TimedEvent } from "../game";
import type { View } from "./view";

const STOP_MS = 420;
const PAY_MS = 460;
const LOOT_MS = 215;
const REVEAL_MS = 1100;
const TIED_MS = 500;
const BUY_MS = 620;
const SHIPS_MS = 500;

/** What happens around the tale, and is told elsewhere. */
const UNTOLD = ["paid", "tile-left", "tile-won", "bid-sealed", "refit-sealed", "ship-laid-out", "total", "shown", "hidden"];

export class Stage {
  view = $state.raw() as View;
  /** The last thing that happened. */
  tale = $state.raw<Event | null>(null);
  /** The loot as far as it is told: by field, who won the tile; null where nobody did. */
  stamps = $state.raw<ReadonlyMap<number, number | null>>(new Map());
  /** What idle crew has just earned, by seat. */
  paid = $state.raw<ReadonlyMap<number, number>>(new Map());
  /** The bids of the last auction once they are open, and who cancelled each other out. */
  bids = $state.raw<readonly number[] | null>(null);
  tied = $state.raw<readonly number[]>([]);
  /** What somebody is just taking away. */
  bought = $state.raw<{ seat: number; tile: string } | null>(null);
  /** The plunder has just been ended. */
  isStopped = $state(false);
  /** The points are being counted. */
  isReckoning = $state(false);

  #play: (sound: SoundName) => void;
  #telling: Telling<View>;

  constructor(view: View, seat: number | null, events: readonly TimedEvent[], play: (sound: SoundName) => void) {
    this.#play = play;
    this.#telling = new Telling(view, seat, events, {
      begin: (before) => {
        this.tale = null;
        this.bids = null;
        this.tied = [];
        for (const event of before) this.#note(event);
        this.isReckoning = false;
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
    this.stamps = new Map();
    this.paid = new Map();
    this.bought = null;
    this.isStopped = false;
  }

  /** Keeps what stays readable for a while. */
  #note(event: Event): void {
    if (!UNTOLD.includes(event.key)) this.tale = event;
    if (event.key === "chest-filled") {
      this.bids = null;
      this.tied = [];
    } else if (event.key === "bids-open") {
      this.bids = numbers(event.values?.["bids"]);
      this.tied = [];
    } else if (event.key === "bids-tied") {
      this.tied = [...this.tied, ...numbers(event.values?.["seats"])];
    } else if (event.key === "title" || event.key === "connections-counted") {
      this.isReckoning = true;
    }
  }

  #scenes(events: readonly Event[], view: View, calm: boolean): Beat[] {
    const beats: Beat[] = [];
    const add = (ms: number, told: Event, sound: SoundName | null, begin: () => void = () => {}) =>
      beats.push({
        ms: calm ? 0 : ms,
        keep: () => this.#note(told),
        begin: () => {
          begin();
          if (sound) this.#play(sound);
        },
      });
    const show = () => this.#settle(view);
    const paid = events.filter(({ key }) => key === "paid");
    for (const event of events) {
      const seat = Number(event.values?.["seat"]);
      switch (event.key) {
        case "chest-filled":
          add(0, event, "deal", show);
          break;
        case "chest-opened":
        case "sand":
          add(0, event, "drum", show);
          break;
        case "dropped":
        case "dropped-astray":
          add(0, event, "card");
          break;
        case "toppled":
        case "clumsy":
        case "stopped-early":
          add(0, event, "trick");
          break;
        case "stopped":
        case "closed":
        case "nobody-left":
          add(STOP_MS, event, "knock", () => (this.isStopped = true));
          break;
        case "paid":
          add(event === paid.at(-1) ? PAY_MS : 0, event, event === paid[0] ? "coin" : null, () => {
            this.paid = new Map(this.paid).set(seat, Number(event.values?.["doubloons"]));
          });
          break;
        case "tile-won":
        case "tile-left": {
          const winner = event.key === "tile-won" ? seat : null;
          add(LOOT_MS, event, winner === null ? null : "card", () => {
            this.stamps = new Map(this.stamps).set(Number(event.values?.["field"]) - 1, winner);
          });
          break;
        }
        case "bid-sealed":
          add(0, event, "knock");
          break;
        case "bids-open":
          add(REVEAL_MS, event, "coin");
          break;
        case "bids-tied":
          add(TIED_MS, event, "trick");
          break;
        case "tile-bought":
          add(BUY_MS, event, "coin", () => {
            this.bought = { seat, tile: String(event.values?.["tile"]) };
          });
          break;
        case "ship-laid-out":
          add(event === events.findLast(({ key }) => key === "ship-laid-out") ? SHIPS_MS : 0, event, null, show);
          break;
        default:
          add(0, event, null);
      }
    }
    beats.push({ ms: 0, begin: show });
    return beats;
  }
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}

/**
 * What the board shows. Mostly that is the newest view; while something happens it is the view
 * before, with the scenes that lead to the newest one.
 */

import type { Beat } from "../../table/beats";
import { Telling } from "../../table/telling";
import type { Event, SoundName, TimedEvent } from "../game";
import { SHIPS, type Ship, type View } from "./view";

const USE_MS = 420;
const STRIKE_MS = 750;
const BOARD_MS = 650;
const TURN_MS = 600;
const SHARE_MS = 350;

/** A crew: of a seat, at a ship. */
export interface Spot {
  ship: Ship;
  seat: number;
}

export interface Booty {
  seat: number;
  gold: number;
}

const TALES = ["splitter-drawn", "split", "picked", "crew", "parrot", "board", "kraken", "kraken-none", "tortuga"];

export class Stage {
  view = $state.raw() as View;
  /** Where the newest card lies. */
  fresh = $state.raw<Spot | null>(null);
  /** Whose newest card the Kraken is taking. */
  strike = $state.raw<Spot | null>(null);
  /** What somebody is carrying off a ship. */
  booty = $state.raw<Booty | null>(null);
  /** The last thing anybody did. */
  tale = $state.raw<Event | null>(null);
  /** The gold is being counted. */
  isReckoning = $state(false);

  #play: (sound: SoundName) => void;
  #telling: Telling<View>;

  constructor(view: View, seat: number | null, events: readonly TimedEvent[], play: (sound: SoundName) => void) {
    this.#play = play;
    this.#telling = new Telling(view, seat, events, {
      begin: (before) => {
        this.tale = before.findLast(isTale) ?? null;
        this.fresh = before.map(spotOf).findLast((spot) => spot !== null) ?? null;
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
    this.strike = null;
    this.booty = null;
  }

  /** Keeps what stays readable for a while. */
  #note(event: Event): void {
    if (isTale(event)) {
      this.tale = event;
      this.fresh = spotOf(event);
    }
    if (event.key === "chest-counted") this.isReckoning = true;
  }

  #scenes(events: readonly Event[], view: View, calm: boolean): Beat[] {
    const beats: Beat[] = [];
    const add = (ms: number, told: Event, sound: SoundName | null, begin: () => void = () => this.#settle(view)) =>
      beats.push({
        ms: calm ? 0 : ms,
        keep: () => this.#note(told),
        begin: () => {
          begin();
          if (sound) this.#play(sound);
        },
      });
    for (const event of events) {
      const seat = Number(event.values?.["seat"]);
      switch (event.key) {
        case "turned-up":
          add(0, event, "deal");
          break;
        case "split":
        case "picked":
          add(SHARE_MS, event, event.key === "split" ? "knock" : "trick");
          break;
        case "crew":
        case "parrot":
          add(USE_MS, event, "card");
          break;
        case "board":
          add(BOARD_MS, event, "coin", () => {
            this.#settle(view);
            this.booty = { seat, gold: Number(event.values?.["gold"]) };
          });
          break;
        case "kraken":
          add(STRIKE_MS, event, "drum", () => {
            this.strike = { ship: event.values?.["ship"] as Ship, seat: Number(event.values?.["other"]) };
          });
          break;
        case "kraken-none":
          add(0, event, "trick");
          break;
        case "tortuga":
          add(TURN_MS, event, "deal");
          break;
        case "captain-comes":
          add(0, event, "knock");
          break;
        default:
          add(0, event, null, () => {});
      }
    }
    beats.push({ ms: 0, begin: () => this.#settle(view) });
    return beats;
  }
}

function isTale(event: Event): boolean {
  return TALES.includes(event.key);
}

/** Where a card has come to lie. */
function spotOf(event: Event): Spot | null {
  const ship = SHIPS.find((other) => other === event.values?.["ship"]);
  const isPlaced = event.key === "crew" || event.key === "parrot";
  return ship && isPlaced ? { ship, seat: Number(event.values?.["seat"]) } : null;
}

/** What is shown aboard while it is told: slides, pushes, splashes, and what comes of them. */

import type { Beat } from "../../table/beats";
import { Telling } from "../../table/telling";
import type { Event, SoundName, TimedEvent } from "../game";
import { come, deckOf, lifted, slid, toppled, type Deck } from "./deck";
import { rollOf, type Colour, type Direction, type Plank, type View } from "./view";

const SLIDE_MS = 750;
const LIFT_MS = 350;
const SET_MS = 650;
const PLACE_MS = 220;
const FALL_MS = 1250;
const NEXT_FALL_MS = 220;
const BACK_MS = 450;
const HAND_MS = { slide: SLIDE_MS, lift: LIFT_MS, set: SET_MS, board: SET_MS } as const;
const LAST_MS = 200;
const SPLASH_MS = 800;
const NEWS_MS = 2600;
const ROLL_MS = 500;
/** What is told below the ship, and the rule that explains it where it may surprise. */
const TALES: Record<string, string | null> = {
  "starter-drawn": null,
  laid: null,
  rolled: null,
  placed: null,
  "all-aboard": null,
  stayed: "GP-R3",
  slid: null,
  lifted: null,
  set: null,
  "set-pushing": "GP-8",
  boarded: null,
  "boarded-pushing": "GP-8",
  toppled: "GP-11",
  "toppled-empty": "GP-11",
  "oath-broken": "GP-19",
  "oath-paid": "GP-20",
  "move-lapses": "GP-R2",
  "chose-collect": null,
  "chose-rescue": null,
  collected: null,
  "collects-nothing": "GP-20",
  "neutrals-return": "GP-17",
  "fin-leaves": null,
  "two-fins": null,
  "fins-gone": null,
  "piles-gone": "GP-21",
  "ship-empty": "GP-R11",
};

const SOUNDS: Record<string, SoundName> = {
  rolled: "deal",
  placed: "knock",
  slid: "trick",
  lifted: "card",
  set: "knock",
  "set-pushing": "knock",
  boarded: "knock",
  "boarded-pushing": "knock",
  "oath-broken": "drum",
  "oath-paid": "coin",
  collected: "coin",
};

export interface Tale {
  event: Event;
  rule: string | null;
}

/** What deserves to be written large for a moment. */
export interface News {
  kind: "oath" | "gold" | "fins" | "splash";
  events: readonly Event[];
}

export class Stage {
  deck = $state.raw<Deck>(null!);
  tales = $state.raw<readonly Tale[]>([]);
  news = $state.raw<News | null>(null);
  /** The colours of the dice while they are thrown, and how often they have been. */
  thrown = $state.raw<readonly Plank[]>([]);
  throws = $state(0);

  #view: View;
  /** The view before: it knows what a hand was awaited for. */
  #before: View;
  #play: (sound: SoundName, loud?: number) => void;
  #telling: Telling<View>;
  #newsTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: View, seat: number | null, events: readonly TimedEvent[], play: (sound: SoundName, loud?: number) => void) {
    this.#view = this.#before = view;
    this.#play = play;
    this.deck = deckOf(view);
    this.thrown = view.dice;
    this.#telling = new Telling(view, seat, events, {
      begin: (before) => {
        this.tales = talesOf(before).slice(-2);
        this.deck = deckOf(this.#view, this.deck);
      },
      scenes: (events, view, calm) => this.#scenes(events, view, calm),
      note: (event) => {
        if (event.key in TALES) this.tales = talesOf([event]);
      },
      settle: (view) => {
        this.deck = { ...deckOf(view, this.deck), rollBefore: this.deck.gesture === null ? rollOf(view.roll) : this.deck.rollBefore };
        this.thrown = view.dice;
      },
    });
  }

  update(view: View, seat: number | null, events: readonly TimedEvent[], calm: boolean): void {
    this.#before = this.#view;
    this.#view = view;
    this.#telling.update(view, seat, events, calm);
  }

  close(): void {
    clearTimeout(this.#newsTimer);
    this.#telling.close();
  }

  // Scenes --------------------------------------------------------------------------------------

  #scenes(events: readonly Event[], view: View, calm: boolean): Beat[] {
    const beats: Beat[] = [];
    const pace = (ms: number) => (calm ? 0 : ms);
    const fallen = events.filter(({ key }) => key.startsWith("toppled")).map(({ values }) => values!);
    const falls = fallen.map(({ plank }) => plank as Plank);
    /** How the ship comes to lie before anything falls. */
    const lean = rollOf((fallen[0]?.["roll"] ?? view.roll) as View["roll"]);
    const add = (ms: number, begin: () => void) => beats.push({ ms: pace(ms), begin });
    const tales = talesOf(events);
    if (tales.length > 0) beats.push({ ms: 0, begin: () => {}, keep: () => (this.tales = tales) });
    const { gesture } = this.#before;
    if (gesture !== null && view.gesture === null) {
      // what a steady hand has done is seen now; a real one has been seen at it
      const ms = events.some(({ key }) => key === "hand") ? LAST_MS : HAND_MS[gesture.do];
      add(ms, () => {
        this.#play(gesture.do === "slide" ? "trick" : gesture.do === "lift" ? "card" : "knock");
        this.deck = { ...this.deck, gesture: null, roll: lean };
      });
    }
    for (const event of events) {
      const { key, values = {} } = event;
      const sound = SOUNDS[key];
      const ring = () => sound && this.#play(sound);
      const moves = this.#move(event, view);
      if (moves !== null) {
        // a hand that is awaited moves it, frame by frame
        const isByHand = view.gesture !== null;
        add(isByHand ? 0 : moves.ms, () => {
          if (!isByHand) ring();
          const before = this.deck;
          const now = moves.change(before);
          this.deck = { ...now, roll: lean, gesture: view.gesture, rollBefore: before.roll };
        });
      } else if (key === "rolled") {
        add(ROLL_MS, () => {
          ring();
          this.thrown = values["planks"] as Plank[];
          this.throws += 1;
        });
      } else if (sound) {
        add(0, ring);
      }
    }
    const splash = events.filter(({ key }) => key === "toppled");
    if (falls.length > 0) {
      if (splash.length > 0) beats.push({ ms: 0, begin: () => {}, keep: () => this.#announce({ kind: "splash", events: splash }) });
      add(FALL_MS + NEXT_FALL_MS * (falls.length - 1), () => {
        this.deck = toppled({ ...this.deck, gesture: null }, falls);
        falls.forEach((_, order) => setTimeout(() => this.#play("splash"), pace(SPLASH_MS + NEXT_FALL_MS * order)));
      });
      add(BACK_MS, () => (this.deck = deckOf(view, gone(this.deck, falls))));
    }
    const news = newsOf(events);
    if (news !== null) beats.push({ ms: 0, begin: () => {}, keep: () => this.#announce(news) });
    return beats;
  }

  /** What an event changes aboard, and how long that takes to be seen. */
  #move({ key, values = {} }: Event, view: View): { ms: number; change: (deck: Deck) => Deck } | null {
    const [colour, space] = [values["colour"] as Colour, values["space"] as string];
    const pushed = Number(values["pushed"] ?? 0);
    switch (key) {
      case "laid":
        return { ms: 0, change: (deck) => deckOf(view, deck) };
      case "placed":
        return { ms: PLACE_MS, change: (deck) => come(deck, colour, space, 0, view) };
      case "slid":
        return {
          ms: SLIDE_MS,
          change: (deck) => slid(deck, values["plank"] as Plank, values["direction"] as Direction, Number(values["spaces"])),
        };
      case "lifted":
        return { ms: LIFT_MS, change: (deck) => lifted(deck, space) };
      case "set":
      case "set-pushing":
      case "boarded":
      case "boarded-pushing":
        return { ms: SET_MS, change: (deck) => come(deck, colour, space, pushed, view) };
      default:
        return null;
    }
  }

  #announce(news: News): void {
    clearTimeout(this.#newsTimer);
    this.news = news;
    this.#newsTimer = setTimeout(() => (this.news = null), NEWS_MS);
  }
}

/** The planks have fallen: who stood on them is in the sea. */
function gone(deck: Deck, falls: readonly Plank[]): Deck {
  return {
    ...deck,
    pirates: deck.pirates.map((pirate) =>
      pirate.is === "aboard" && falls.includes(pirate.plank!) ? { ...pirate, is: "sea" } : pirate,
    ),
  };
}

function talesOf(events: readonly Event[]): Tale[] {
  return events.flatMap((event) => (event.key in TALES ? [{ event, rule: TALES[event.key] ?? null }] : []));
}

/** The weightiest of what has happened. */
function newsOf(events: readonly Event[]): News | null {
  const oath = events.filter(({ key }) => key.startsWith("oath-"));
  if (oath.length > 0) return { kind: "oath", events: oath };
  const gold = events.filter(({ key }) => key === "collected" || key === "collects-nothing");
  if (gold.length > 0) return { kind: "gold", events: gold };
  const fins = events.filter(({ key }) => key === "two-fins" || key === "fins-gone");
  return fins.length > 0 ? { kind: "fins", events: fins } : null;
}

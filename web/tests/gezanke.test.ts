import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { marginOf } from "../src/games/gezanke/aim";
import { come, crewOn, deckOf, heavierSide, lifted, pirateAt, slid, toppled } from "../src/games/gezanke/deck";
import { felt } from "../src/games/gezanke/feel";
import { readTold } from "../src/games/gezanke/frames";
import { settle } from "../src/games/gezanke/grasp";
import { Handling, Path } from "../src/games/gezanke/handling.svelte";
import { Stage } from "../src/games/gezanke/stage.svelte";
import { doubloonsAt, rollOf, targetOf, targetsOf, type View } from "../src/games/gezanke/view";
import { label } from "../src/games/gezanke/words";
import type { Event, SoundName, TimedEvent } from "../src/games/game";
import { OpenWorld } from "../src/live";
import { Catalogue, LANGUAGES, type Entries } from "../src/messages";
import recorded from "./gezanke-game.json";

/** Most of a game of two as seat 0 saw it: the views, and what was told with each. */
interface Seen {
  view: View;
  legal: string[];
  events: Event[];
}
const game = recorded as unknown as Seen[];
const VIEW = game.find(({ view }) => view.phase === "slide")!.view;

const texts = import.meta.glob<Entries>(["../../src/quarterdeck/text/*.json", "../../src/quarterdeck/games/gezanke/text/*.json"], {
  import: "default",
  eager: true,
});
const catalogueOf = (language: (typeof LANGUAGES)[number]) =>
  new Catalogue(language, texts[`../../src/quarterdeck/text/${language}.json`]!, texts[`../../src/quarterdeck/games/gezanke/text/${language}.json`]!);

describe("what can be done", () => {
  it("is aimed at a place, a plank, or nothing aboard", () => {
    expect(targetOf("set red:0 port")).toEqual({ text: "set red:0 port", verb: "set", plank: "red", space: 0, direction: "port", colour: null });
    expect(targetOf("board brown blue:-4")).toMatchObject({ colour: "brown", plank: "blue", space: -4, direction: null });
    expect(targetOf("slide green starboard")).toMatchObject({ plank: "green", space: null, direction: "starboard" });
    expect(targetsOf(["slide green stay", "collect", "rescue grey"])).toEqual([]);
  });

  it.each(LANGUAGES)("has words in %s", (language) => {
    const catalogue = catalogueOf(language);
    const say = (key: string, values?: Record<string, unknown>) => catalogue.say(key, values, ["Anna", "Tom"]);
    const all = new Set(game.flatMap(({ legal }) => legal).map((text) => label(text, say)));
    expect(all.size).toBeGreaterThan(100);
    for (const { events } of game) for (const { key, values } of events) expect(say(`event.${key}`, values)).not.toBe("");
  });
});

describe("the deck", () => {
  /** Where everybody is, by colour, as the view has it. */
  const standing = (view: View) =>
    Object.fromEntries(Object.entries(view.pirates).map(([colour, at]) => [colour, at.map((place) => place ?? "-").sort()]));
  const shown = (deck: ReturnType<typeof deckOf>) => {
    const places: Record<string, string[]> = { grey: [], white: [], black: [], brown: [] };
    for (const { colour, is, plank, space } of deck.pirates) {
      places[colour]!.push(is === "aboard" ? `${plank}:${space}` : is === "hand" ? "hand" : "-");
    }
    for (const list of Object.values(places)) list.sort();
    return places;
  };

  it("shows every view of a game, and everybody keeps his number", () => {
    let deck = deckOf(game[0]!.view);
    for (const { view } of game) {
      deck = deckOf(view, deck);
      expect(shown(deck)).toEqual(standing(view));
      expect(deck.pirates.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
      expect(deck.planks.map(({ offset }) => offset)).toEqual(view.planks.map(({ offset }) => offset));
    }
  });

  it("comes by what is told to where the next view is, pushes and all", () => {
    let pushes = 0;
    for (let i = 1; i < game.length; i++) {
      const [before, { view, events }] = [deckOf(game[i - 1]!.view), game[i]!];
      const [event] = events;
      const { key = "", values = {} } = event ?? {};
      if (events.some((one) => one.key.startsWith("toppled"))) continue;
      if (/^(set|boarded)/.test(key)) {
        pushes += Number(values["pushed"]);
        const deck = come(before, values["colour"] as never, values["space"] as string, Number(values["pushed"]), view);
        expect(shown(deck)).toEqual(standing(view));
      } else if (key === "lifted") {
        expect(shown(lifted(before, values["space"] as string))).toEqual(standing(view));
      } else if (key === "slid") {
        const deck = slid(before, values["plank"] as never, values["direction"] as never, Number(values["spaces"]));
        expect(deck.planks.map(({ offset }) => offset)).toEqual(view.planks.map(({ offset }) => offset));
      }
    }
    expect(pushes).toBeGreaterThan(5);
  });

  it("lets a plank fall to the side where its weight is", () => {
    let deck = deckOf(VIEW);
    const { name } = deck.planks[0]!;
    deck = slid(deck, name, "port", 9);
    expect(heavierSide(deck, name)).toBe(-1);
    expect(heavierSide(slid(deck, name, "starboard", 18), name)).toBe(1);
    const fallen = toppled(deck, [name]);
    expect(fallen.planks[0]!.fall).toEqual({ side: -1, order: 0 });
    expect(fallen.planks.slice(1).every(({ fall }) => fall === null)).toBe(true);
    expect(crewOn(fallen, name)).toEqual(crewOn(deck, name));
  });

  it("knows who stands where, on how much", () => {
    const deck = deckOf(VIEW);
    const pirate = deck.pirates.find(({ is }) => is === "aboard")!;
    expect(pirateAt(deck, pirate.plank!, pirate.space)).toBe(pirate);
    const lane = VIEW.planks.findIndex(({ name }) => name === pirate.plank);
    expect(doubloonsAt(VIEW, `${pirate.plank}:${pirate.space}`)).toBe(VIEW.doubloons[lane]![pirate.space + 4]);
    expect(rollOf([1, 5])).toBeCloseTo(0.1974, 4);
    const [english, german] = (["en", "de"] as const).map((language) => (key: string, values = {}) => catalogueOf(language).say(key, values, []));
    expect(marginOf(-3, english!)).toEqual({ text: "−0.3", kind: "bad" });
    expect(marginOf(12, german!)).toEqual({ text: "1,2", kind: "near" });
  });
});

describe("the stage", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("document", { hidden: false });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  function played(from: number) {
    const heard: SoundName[] = [];
    const told: TimedEvent[] = [];
    const stage = new Stage(game[from]!.view, 0, told, (sound) => heard.push(sound));
    const tell = (i: number, calm = false) => {
      for (const event of game[i]!.events) told.push({ n: told.length, seq: i, event });
      stage.update(game[i]!.view, 0, [...told], calm);
    };
    return { stage, tell, heard };
  }
  /** How the ship lay as the first plank left. */
  const leanOf = ({ events }: Seen) => events.find(({ key }) => key === "toppled")?.values!["roll"] as View["roll"] | undefined;
  const splash = game.findIndex((seen) => {
    const lean = leanOf(seen);
    return seen.events[0]?.key === "slid" && lean !== undefined && rollOf(lean) !== rollOf(seen.view.roll);
  });

  it("slides first, then lets planks fall, then shows the view", () => {
    const { stage, tell, heard } = played(splash - 1);
    const plank = game[splash]!.events[0]!.values!["plank"];
    const at = () => stage.deck.planks.find(({ name }) => name === plank)!;
    const before = at().offset;
    tell(splash);
    expect(at().offset).not.toBe(before);
    expect(stage.deck.planks.every(({ fall }) => fall === null)).toBe(true);
    expect(heard).toEqual(["trick"]);
    expect(stage.deck.roll).toBe(rollOf(leanOf(game[splash]!)!));
    expect(stage.news).toBeNull();
    vi.advanceTimersByTime(800);
    expect(stage.news).toMatchObject({ kind: "splash", events: [{ key: "toppled" }] });
    expect(stage.deck.planks.some(({ fall }) => fall !== null)).toBe(true);
    vi.runAllTimers();
    expect(stage.deck.planks.map(({ offset }) => offset)).toEqual(game[splash]!.view.planks.map(({ offset }) => offset));
    expect(stage.deck.pirates.some(({ is }) => is === "sea")).toBe(true);
    expect(stage.deck.roll).toBeCloseTo(rollOf(game[splash]!.view.roll));
    expect(stage.tales.some(({ rule }) => rule === "GP-11")).toBe(true);
  });

  it("shows it at once where nothing may move", () => {
    const { stage, tell } = played(splash - 1);
    tell(splash, true);
    expect(stage.deck.planks.every(({ fall }) => fall === null)).toBe(true);
    expect(stage.deck.pirates.some(({ is }) => is === "sea")).toBe(true);
  });

  it("ends every turn with the deck of the view", () => {
    const { stage, tell } = played(0);
    for (let i = 1; i < game.length; i++) {
      tell(i, i % 2 === 0);
      vi.runAllTimers();
      expect(stage.deck.planks.map(({ offset }) => offset)).toEqual(game[i]!.view.planks.map(({ offset }) => offset));
      expect(stage.deck.fins).toBe(game[i]!.view.fins);
    }
    expect(stage.news).toBeNull();
  });
});

describe("a hand", () => {
  const HELLO = { do: "set", at: "red:4", from: [80, 30], to: [80, 0], steady: true, harmless: { speed: 20, press: 10, kick: 100, over: 0 }, limit_ms: 60_000 };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function opened(hello: object = HELLO, begun: Path | null = null, seat = 0) {
    const sent: Record<string, unknown>[] = [];
    const world = new OpenWorld({ decision: 7, seat: 0, world: hello as Record<string, unknown> });
    const hand = new Handling({ world, gesture: (does) => sent.push(does) }, world, seat, begun);
    const hear = (flags: number, x: number, z: number, ...figures: number[]) => {
      const body = new DataView(new ArrayBuffer(14));
      body.setUint8(0, flags);
      body.setInt16(2, x * 10, true);
      body.setInt16(4, z * 10, true);
      figures.forEach((figure, place) => body.setUint16(6 + 2 * place, figure, true));
      world.hear({ pace: 100, decision: 7, time: 0, at: 0, body });
    };
    return { hand, sent, hear };
  }

  it("reads its frames", () => {
    const body = new DataView(new Uint8Array([6, 0, 32, 3, 44, 1, 12, 0, 0, 0, 90, 0, 5, 0]).buffer);
    expect(readTold(body)).toEqual({
      hasBegun: true,
      isTouching: true,
      isDone: false,
      x: 80,
      z: 30,
      figures: { speed: 12, press: 0, kick: 90, over: 5 },
    });
  });

  it("sends its path in order, with the pauses it made, and then lets go", () => {
    const { hand, sent } = opened();
    vi.advanceTimersByTime(100);
    hand.moveTo(80, 25);
    vi.advanceTimersByTime(500);
    hand.moveTo(80, 20);
    hand.letGo();
    hand.moveTo(80, 0); // too late
    const path = sent.flatMap((does) => (does["path"] as number[][] | undefined) ?? []);
    expect(path.slice(0, 2)).toEqual([[100, 80, 30], [100, 80, 25]]);
    const rests = path.slice(2, -1); // it says that it stands still: the pirate still comes after it
    expect(rests.length).toBeGreaterThan(8);
    expect(new Set(rests.map(([, x, z]) => `${x} ${z}`))).toEqual(new Set(["80 25"]));
    expect(path.at(-1)).toEqual([600, 80, 20]);
    expect(path.map(([ms]) => ms)).toEqual(path.map(([ms]) => ms!).sort((a, b) => a - b));
    expect(sent.at(-1)).toEqual({ let_go: true });
    expect(hand.isOpen).toBe(false);
    hand.close();
  });

  it("falls silent when it has stood still for long", () => {
    const { hand, sent } = opened();
    hand.moveTo(80, 25);
    vi.advanceTimersByTime(2000);
    const told = sent.length;
    expect(told).toBeGreaterThan(8);
    vi.advanceTimersByTime(2000);
    expect(sent.length).toBe(told);
    hand.close();
  });

  it("takes over a path that began before its world", () => {
    const path = new Path(80, 30).of("set red:4");
    path.add(80, 28);
    path.isLetGo = true;
    const { sent } = opened(HELLO, path);
    expect(sent).toEqual([{ path: [[0, 80, 30], [0, 80, 28]] }, { let_go: true }]);
    const other = new Path(80, 30).of("lift red:3");
    other.add(80, 28);
    expect(opened(HELLO, other).sent).toEqual([]);
  });

  it("goes on with its clock when the page is loaded anew", () => {
    const { hand, sent, hear } = opened();
    hear(2, 80, 22, 5, 0, 0, 0);
    hand.moveTo(80, 20);
    vi.advanceTimersByTime(50);
    const [[ms]] = sent[0]!["path"] as [number[]];
    expect(ms).toBeGreaterThan(1000);
    hand.close();
  });

  it("may be steady only until it has begun, and only where that is allowed", () => {
    const first = opened();
    first.hand.beSteady();
    expect(first.sent).toEqual([{ steady: true }]);
    const second = opened();
    second.hand.moveTo(80, 29);
    second.hand.beSteady();
    expect(second.sent).toEqual([]);
    const third = opened({ ...HELLO, steady: false });
    third.hand.beSteady();
    expect(third.sent).toEqual([]);
    for (const { hand } of [first, second, third]) hand.close();
  });

  it("opens when the pointer is lifted only if what it holds is where it belongs", () => {
    const high = opened();
    high.hand.moveTo(80, 20);
    settle(high.hand);
    expect(high.hand.isOpen).toBe(true);
    high.hand.moveTo(80, 1);
    settle(high.hand);
    expect(high.hand.isOpen).toBe(false);
    const plank = opened({ ...HELLO, do: "slide", at: "red", from: [0, 0], to: [-40, 0] });
    plank.hand.moveTo(-20, 0);
    settle(plank.hand);
    expect(plank.hand.isOpen).toBe(true);
    plank.hand.moveTo(-39, 0);
    settle(plank.hand);
    expect(plank.hand.isOpen).toBe(false);
    for (const { hand } of [high, plank]) hand.close();
  });

  it("feels the line a plank belongs to, and lets go of it only for who means it", () => {
    const slid = (x: number) => felt("slide", [x, 0], [0, 0], [-40, 0])[0];
    expect([-20, -38, -39, -40, -44, -45].map(slid)).toEqual([-20, -38, -40, -40, -40, -40]);
    expect([-47, -60].map(slid)).toEqual([-42, -55]);
    const plank = opened({ ...HELLO, do: "slide", at: "red", from: [0, 0], to: [-40, 0] });
    plank.hand.moveTo(-30, 0);
    plank.hand.moveTo(-43, 0);
    plank.hand.letGo();
    const path = plank.sent.flatMap((does) => (does["path"] as number[][] | undefined) ?? []);
    expect(path.map(([, x]) => x)).toEqual([0, -30, -40]);
  });

  it("feels that a pirate stands, and presses only if it goes on", () => {
    const { hand, sent } = opened();
    hand.moveTo(80, 5);
    hand.moveTo(80, -10);
    expect(hand.wish).toEqual([80, -10]);
    expect(hand.felt).toEqual([80, -1]);
    hand.letGo();
    const path = sent.flatMap((does) => (does["path"] as number[][] | undefined) ?? []);
    expect(path.map(([, , z]) => z)).toEqual([30, 5, -1]);
  });

  it("says how near to harm it came, and is drawn where it is", () => {
    const { hand, hear } = opened(HELLO, null, 1);
    expect(hand.isMine).toBe(false);
    hear(2, 80, 10, 10, 12, 0, 0);
    expect(hand.strain).toEqual({ figure: "press", share: 1.2 });
    for (let i = 0; i < 60; i++) hand.step(0.016);
    expect(hand.z).toBeCloseTo(10, 1);
    expect(hand.share).toBeCloseTo(2 / 3, 1);
    hand.close();
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Event, SoundName, TimedEvent } from "../src/games/game";
import { Stage } from "../src/games/skull_king/stage.svelte";
import type { View } from "../src/games/skull_king/view";

const page = { hidden: false };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", page);
  page.hidden = false;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const VIEW: View = {
  phase: "play",
  to_act: [1],
  winners: [],
  hand: 1,
  dealer: 1,
  hands: [[], ["?"]],
  bids: [0, 1],
  leader: 0,
  trick: ["y3"],
  last: null,
  tricks: [0, 0],
  bonus: [0, 0],
  scores: [0, 0],
  pad: [null],
};

/** A stage that is told things one after another. */
function played(start: View) {
  const heard: SoundName[] = [];
  const told: TimedEvent[] = [];
  const stage = new Stage(start, 0, told, (sound) => heard.push(sound));
  const tell = (view: Partial<View>, events: Event[], calm = false) => {
    for (const event of events) told.push({ n: told.length, seq: 0, event });
    stage.update({ ...start, ...view }, 0, [...told], calm);
  };
  return { stage, tell, heard };
}

const card = (seat: number, name: string): Event => ({ key: "card-played", values: { seat, card: name } });
const won = (seat: number): Event => ({ key: "trick-won", values: { seat, card: "y9", why: "highest", suit: "yellow" } });

const AFTER: Partial<View> = { trick: [], leader: 1, tricks: [0, 1], to_act: [1], hands: [[], []] };

describe("the stage", () => {
  it("shows what is there when one comes to the table", () => {
    const { stage } = played(VIEW);
    expect(stage.view).toBe(VIEW);
    expect(stage.trick).toEqual([{ seat: 0, card: "y3" }]);
  });

  it("keeps a trick in sight until it is gathered", () => {
    const { stage, tell, heard } = played(VIEW);
    tell(AFTER, [card(1, "y9"), won(1)]);
    expect(stage.flying).toBe(1);
    expect(stage.trick).toHaveLength(2);
    expect(stage.view.tricks).toEqual([0, 0]);
    vi.advanceTimersByTime(600);
    expect(stage.winner).toBe(1);
    expect(stage.tale?.key).toBe("trick-won");
    vi.advanceTimersByTime(2000);
    expect(stage.trick).toEqual([]);
    expect(stage.winner).toBeNull();
    expect(stage.view.tricks).toEqual([0, 1]);
    expect(heard).toEqual(["card", "trick"]);
  });

  it("keeps bids closed while yo-ho-ho is called", () => {
    const { stage, tell, heard } = played({ ...VIEW, phase: "bid", bids: [0, null], trick: [] });
    tell({ phase: "play", bids: [0, 1], trick: [] }, [
      { key: "bid-sealed", values: { seat: 1 } },
      { key: "bids-open", values: { bids: [0, 1], total: 1 } },
    ]);
    expect(stage.thumps).toBe(1);
    expect(stage.view.bids).toEqual([0, null]);
    vi.advanceTimersByTime(3000);
    expect(stage.thumps).toBe(0);
    expect(stage.view.bids).toEqual([0, 1]);
    expect(heard).toEqual(["knock", "drum"]);
  });

  it("shows a bonus before the cards go", () => {
    const { stage, tell } = played(VIEW);
    tell(AFTER, [card(1, "y9"), won(1), { key: "bonus", values: { seat: 1, points: 30 } }]);
    vi.advanceTimersByTime(240 + 700);
    expect(stage.bonus).toEqual({ seat: 1, points: 30 });
    expect(stage.trick).toHaveLength(2);
    vi.advanceTimersByTime(3000);
    expect(stage.bonus).toBeNull();
    expect(stage.trick).toEqual([]);
  });

  it("sums up a hand", () => {
    const { stage, tell } = played(VIEW);
    const lines = [
      { seat: 0, bid: 0, points: 10, total: 10 },
      { seat: 1, bid: 1, points: 20, total: 20 },
    ];
    tell(AFTER, [
      won(1),
      { key: "hand-over", values: { hand: 1 } },
      ...lines.map((values) => ({ key: "hand-scored", values })),
    ]);
    vi.advanceTimersByTime(3000);
    expect(stage.summary).toEqual({ hand: 1, lines });
  });

  it("puts the sum away when the next bids are open", () => {
    const { stage, tell } = played(VIEW);
    tell(AFTER, [{ key: "hand-over", values: { hand: 1 } }]);
    expect(stage.summary?.hand).toBe(1);
    tell(AFTER, [{ key: "bids-open", values: { bids: [0, 1], total: 1 } }], true);
    expect(stage.summary).toBeNull();
  });

  it("is at the newest view at once when nobody looks", () => {
    page.hidden = true;
    const { stage, tell, heard } = played(VIEW);
    tell(AFTER, [card(1, "y9"), won(1)]);
    expect(stage.view.tricks).toEqual([0, 1]);
    expect(stage.trick).toEqual([]);
    expect(stage.tale?.key).toBe("trick-won");
    expect(heard).toEqual([]);
  });

  it("moves nothing when nothing may move, but lets a trick be seen", () => {
    const { stage, tell } = played(VIEW);
    tell(AFTER, [card(1, "y9"), won(1)], true);
    expect(stage.winner).toBe(1);
    vi.advanceTimersByTime(700);
    expect(stage.trick).toEqual([]);
    expect(stage.view.tricks).toEqual([0, 1]);
  });

  it("ends at the newest view whatever came in between", () => {
    const { stage, tell } = played(VIEW);
    for (let i = 0; i < 20; i++) {
      tell(AFTER, [card(1, "y9"), won(1)]);
      vi.advanceTimersByTime(50);
    }
    tell({ ...AFTER, trick: ["k2"], scores: [70, 0] }, [card(1, "k2")]);
    vi.advanceTimersByTime(5000);
    expect(stage.view.scores).toEqual([70, 0]);
    expect(stage.trick).toEqual([{ seat: 1, card: "k2" }]);
  });
});

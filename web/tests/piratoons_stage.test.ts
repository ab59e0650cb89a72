import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Event, SoundName, TimedEvent } from "../src/games/game";
import { Stage } from "../src/games/piratoons/stage.svelte";
import type { View } from "../src/games/piratoons/view";
import { VIEW } from "./piratoons_view";

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

/** A stage that is told things one after another. */
function played(before: Event[] = []) {
  const heard: SoundName[] = [];
  const told: TimedEvent[] = before.map((event, n) => ({ n, seq: 0, event }));
  const stage = new Stage(VIEW, 0, told, (sound) => heard.push(sound));
  const tell = (view: Partial<View>, events: Event[], calm = false) => {
    for (const event of events) told.push({ n: told.length, seq: 0, event });
    stage.update({ ...VIEW, ...view }, 0, [...told], calm);
  };
  return { stage, tell, heard };
}

const dropped = (seat: number): Event => ({ key: "dropped", values: { seat, count: 1, tile: "p1", x: 40, y: 120 } });
const stopped: Event = { key: "stopped", values: { seat: 1 } };
const paid: Event[] = [0, 1].map((seat) => ({ key: "paid", values: { seat, doubloons: 2 } }));
const won: Event = { key: "tile-won", values: { seat: 1, tile: "sail-3", field: 2, stones: [0, 2] } };
const left: Event = { key: "tile-left", values: { tile: "p1", field: 7, stones: [1, 1] } };
const bids: Event = { key: "bids-open", values: { bids: [2, 2, 1] } };
const tied: Event = { key: "bids-tied", values: { seats: [0, 1], bid: 2 } };

describe("the stage", () => {
  it("shows every drop at once", () => {
    const { stage, tell, heard } = played();
    for (const round of [4, 5, 6]) {
      tell({ round }, [dropped(0)]);
      expect(stage.view.round).toBe(round);
    }
    expect(heard).toEqual(["card", "card", "card"]);
    expect(stage.tale).toEqual(dropped(0));
  });

  it("keeps the last picture of the stones while the loot is told, tile by tile", () => {
    const { stage, tell } = played();
    tell({ phase: "auction", piles: [] }, [stopped, ...paid, won, left]);
    expect(stage.isStopped).toBe(true);
    expect(stage.view.piles).toEqual(VIEW.piles);
    vi.advanceTimersToNextTimer();
    expect([...stage.paid]).toEqual([[0, 2], [1, 2]]);
    vi.advanceTimersToNextTimer();
    expect([...stage.stamps]).toEqual([[1, 1]]);
    vi.advanceTimersToNextTimer();
    expect([...stage.stamps]).toEqual([[1, 1], [6, null]]);
    vi.runAllTimers();
    expect(stage.view.phase).toBe("auction");
    expect([stage.stamps.size, stage.paid.size, stage.isStopped]).toEqual([0, 0, false]);
    expect(stage.tale).toEqual(stopped);
  });

  it("tells the loot of a whole chest without dropping it", () => {
    const { stage, tell } = played();
    const loot = Array.from({ length: 9 }, (_, place) => ({ ...won, values: { ...won.values, field: place + 1 } }));
    tell({ phase: "auction", piles: [] }, [stopped, ...paid, ...loot]);
    expect(stage.view.phase).toBe("plunder");
    vi.advanceTimersByTime(1200);
    expect(stage.stamps.size).toBeGreaterThan(1);
    vi.runAllTimers();
    expect(stage.view.phase).toBe("auction");
  });

  it("opens the fists before anything else happens, and leaves them open", () => {
    const { stage, tell } = played();
    tell({ phase: "auction" }, []);
    tell({ phase: "refit" }, [{ key: "bid-sealed", values: { seat: 2 } }, bids, tied]);
    expect(stage.view.phase).toBe("auction");
    expect(stage.bids).toEqual([2, 2, 1]);
    vi.runAllTimers();
    expect(stage.view.phase).toBe("refit");
    expect(stage.tied).toEqual([0, 1]);
    tell({ phase: "fill" }, [{ key: "chest-filled", values: { round: 4, seat: 0 } }]);
    expect([stage.bids, stage.tied]).toEqual([null, []]);
  });

  it("shows who buys what before it is gone", () => {
    const { stage, tell } = played([bids]);
    expect(stage.bids).toEqual([2, 2, 1]);
    tell({ phase: "refit" }, [{ key: "tile-bought", values: { seat: 2, tile: "p1", doubloons: 1 } }]);
    expect(stage.bought).toEqual({ seat: 2, tile: "p1" });
    vi.runAllTimers();
    expect(stage.bought).toBeNull();
  });

  it("loses nothing that stays readable where nothing may move, or nobody looks", () => {
    const { stage, tell } = played();
    tell({ phase: "refit" }, [stopped, won, bids], true);
    expect([stage.view.phase, stage.bids]).toEqual(["refit", [2, 2, 1]]);
    page.hidden = true;
    tell({ phase: "over" }, [{ key: "title", values: { title: "sails", seats: [0], points: 5, amount: 3 } }]);
    expect([stage.view.phase, stage.isReckoning]).toEqual(["over", true]);
  });
});

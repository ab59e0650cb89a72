import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Event, SoundName, TimedEvent } from "../src/games/game";
import { Stage } from "../src/games/jolly_roger/stage.svelte";
import type { View } from "../src/games/jolly_roger/view";
import { VIEW } from "./jolly_roger_view";

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

const crew: Event = { key: "crew", values: { seat: 0, card: "g3", ship: "green" } };
const kraken: Event = { key: "kraken", values: { seat: 1, other: 0, card: "r2", ship: "green" } };
const board: Event = { key: "board", values: { seat: 1, card: "y2", ship: "yellow", gold: 2 } };
const captain: Event = { key: "captain-comes", values: { seat: 0, ship: "green" } };
const counted: Event[] = [
  { key: "chest-counted", values: { seat: 0, gold: 4 } },
  { key: "ship-free", values: { ship: "blue" } },
  { key: "game-won", values: { seats: [0], gold: 16 } },
];

describe("the stage", () => {
  it("remembers what was done last when one comes to the table", () => {
    const { stage, heard } = played([crew, captain]);
    expect(stage.view).toBe(VIEW);
    expect(stage.tale).toBe(crew);
    expect(stage.fresh).toEqual({ ship: "green", seat: 0 });
    expect(heard).toEqual([]);
  });

  it("marks the card that has just come", () => {
    const { stage, tell, heard } = played();
    tell({ turn: 5 }, [crew, captain]);
    expect(stage.view.turn).toBe(5);
    expect(stage.fresh).toEqual({ ship: "green", seat: 0 });
    vi.runAllTimers();
    expect(heard).toEqual(["card", "knock"]);
  });

  it("lets the Kraken strike before its prey is gone", () => {
    const { stage, tell, heard } = played([crew]);
    tell({ turn: 5 }, [kraken]);
    expect(stage.strike).toEqual({ ship: "green", seat: 0 });
    expect(stage.view.turn).toBe(4);
    expect(stage.fresh).toBeNull();
    vi.runAllTimers();
    expect(stage.strike).toBeNull();
    expect(stage.view.turn).toBe(5);
    expect(heard).toEqual(["drum"]);
  });

  it("shows the gold that goes into a chest for a moment", () => {
    const { stage, tell } = played();
    tell({}, [board]);
    expect(stage.booty).toEqual({ seat: 1, gold: 2 });
    vi.runAllTimers();
    expect(stage.booty).toBeNull();
  });

  it("shows everything at once where nothing may move", () => {
    const { stage, tell } = played();
    tell({ turn: 5 }, [kraken, board], true);
    expect(stage.view.turn).toBe(5);
    expect(stage.strike).toBeNull();
    expect(stage.tale).toBe(board);
  });

  it("counts the gold at the end, even if nobody was looking", () => {
    const { stage, tell } = played();
    page.hidden = true;
    tell({ phase: "over" }, [board, ...counted]);
    expect(stage.isReckoning).toBe(true);
    expect(stage.view.phase).toBe("over");
    expect(stage.tale).toBe(board);
  });
});

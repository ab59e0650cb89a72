import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Choosing, UNDO_MS } from "../src/table/choosing.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const PIRATE = { text: "play pirate", key: "pirate/0", decision: 7 };
const KING = { text: "play king", key: "king/0", decision: 7 };

function chosen(answer: () => Promise<void> = () => Promise.resolve()) {
  const sent: string[] = [];
  const choosing = new Choosing((text) => {
    sent.push(text);
    return answer();
  });
  return { choosing, sent };
}

describe("choosing", () => {
  it("without a guard sends at once, and only once", () => {
    const { choosing, sent } = chosen();
    choosing.decide(PIRATE, "none");
    choosing.decide(KING, "none");
    expect(sent).toEqual(["play pirate"]);
    expect(choosing.isSent).toBe(true);
  });

  it("asks first, and takes the same again for a yes", () => {
    const { choosing, sent } = chosen();
    choosing.decide(PIRATE, "confirm");
    expect(choosing.current?.state).toBe("asking");
    choosing.decide(KING, "confirm");
    expect(choosing.current?.text).toBe("play king");
    expect(sent).toEqual([]);
    choosing.decide(KING, "confirm");
    expect(sent).toEqual(["play king"]);
  });

  it("does not ask twice", () => {
    const { choosing, sent } = chosen();
    choosing.decide(PIRATE, "confirm", true);
    expect(sent).toEqual(["play pirate"]);
  });

  it("leaves a moment to take it back", () => {
    const { choosing, sent } = chosen();
    choosing.decide(PIRATE, "undo");
    vi.advanceTimersByTime(UNDO_MS - 1);
    choosing.forget();
    vi.advanceTimersByTime(UNDO_MS);
    expect(sent).toEqual([]);
    choosing.decide(KING, "undo");
    choosing.decide(KING, "undo");
    vi.advanceTimersByTime(UNDO_MS);
    expect(sent).toEqual(["play king"]);
  });

  it("is over with its decision, even if the same could be done again", () => {
    const { choosing } = chosen();
    choosing.decide(PIRATE, "none");
    choosing.keepTo(7, ["play pirate", "play king"]);
    expect(choosing.isSent).toBe(true);
    choosing.keepTo(11, ["play pirate", "play king"]);
    expect(choosing.current).toBeNull();
  });

  it("is over when it is no longer to be chosen: a bid that was taken", () => {
    const { choosing } = chosen();
    choosing.decide({ text: "bid 2", key: null, decision: 3 }, "none");
    choosing.keepTo(3, []);
    expect(choosing.current).toBeNull();
  });

  it("does not act for a decision that is past", () => {
    const { choosing, sent } = chosen();
    choosing.decide(PIRATE, "undo");
    choosing.keepTo(8, ["play pirate"]);
    vi.advanceTimersByTime(UNDO_MS * 2);
    expect(sent).toEqual([]);
  });

  it("starts anew after a refusal", async () => {
    const { choosing, sent } = chosen(() => Promise.reject(new Error("refused")));
    choosing.decide(PIRATE, "none");
    await vi.advanceTimersByTimeAsync(0);
    expect(choosing.current).toBeNull();
    choosing.decide(KING, "none");
    expect(sent).toEqual(["play pirate", "play king"]);
  });
});

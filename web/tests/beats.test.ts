import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Beats } from "../src/table/beats";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function scenes() {
  const seen: string[] = [];
  const beats = new Beats(() => seen.push("idle"));
  const beat = (name: string, ms: number) => ({ ms, begin: () => seen.push(name) });
  return { seen, beats, beat };
}

describe("beats", () => {
  it("follow one another, each in its time", () => {
    const { seen, beats, beat } = scenes();
    beats.push([beat("card", 200), beat("won", 700)]);
    expect(seen).toEqual(["card"]);
    vi.advanceTimersByTime(199);
    expect(seen).toEqual(["card"]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual(["card", "won"]);
    expect(beats.isBusy).toBe(true);
    vi.advanceTimersByTime(700);
    expect(seen).toEqual(["card", "won", "idle"]);
    expect(beats.isBusy).toBe(false);
  });

  it("that take no time happen at once", () => {
    const { seen, beats, beat } = scenes();
    beats.push([beat("a", 0), beat("b", 0)]);
    expect(seen).toEqual(["a", "b", "idle"]);
    expect(beats.isBusy).toBe(false);
  });

  it("go faster when more is waiting", () => {
    const { seen, beats, beat } = scenes();
    beats.push([beat("a", 600), beat("b", 600), beat("c", 600)]);
    vi.advanceTimersByTime(300);
    expect(seen).toEqual(["a", "b"]);
    vi.advanceTimersByTime(300);
    expect(seen).toEqual(["a", "b", "c"]);
    vi.advanceTimersByTime(599);
    expect(seen).not.toContain("idle");
    vi.advanceTimersByTime(1);
    expect(seen).toContain("idle");
  });

  it("are dropped when too much is waiting", () => {
    const { seen, beats, beat } = scenes();
    beats.push([beat("a", 700)]);
    beats.push(Array.from({ length: 6 }, (_, i) => beat(`b${i}`, 700)));
    expect(seen).toEqual(["a", "idle"]);
    vi.advanceTimersByTime(10_000);
    expect(seen).toEqual(["a", "idle"]);
  });

  it("keep what must not be lost, dropped or not", () => {
    const { seen, beats, beat } = scenes();
    const keep = (name: string) => () => seen.push(name);
    beats.push([{ ...beat("a", 100), keep: keep("told a") }, { ...beat("b", 100), keep: keep("told b") }]);
    beats.drop();
    expect(seen).toEqual(["told a", "a", "told b", "idle"]);
  });

  it("never lag behind bots that move fast", () => {
    const { beats, beat } = scenes();
    let last = 0;
    for (let move = 0; move < 200; move++) {
      const made = move;
      const trick = move % 4 === 3 ? [beat("won", 700), beat("gather", 320)] : [];
      beats.push([{ ms: 240, begin: () => (last = made) }, ...trick, beat("settle", 0)]);
      if (!beats.isBusy) last = move;
      vi.advanceTimersByTime(300);
      expect(move - last).toBeLessThan(8);
    }
  });
});

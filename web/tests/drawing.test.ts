/** Pictures get plainer where the machine is slow, richer where it is not any more, and fine at rest. */

import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Drawing } from "../src/table3d/drawing";

let due: ((now: number) => void)[];
let now: number;

beforeEach(() => {
  [due, now] = [[], 0];
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (draw: (now: number) => void) => due.push(draw));
  vi.stubGlobal("cancelAnimationFrame", () => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function opened() {
  const calls: string[] = [];
  const note = (what: string) => () => void calls.push(what);
  const pictures = { goesOn: true, draw: () => pictures.goesOn, plainer: note("plainer"), richer: note("richer"), rest: note("rest") };
  const drawing = new Drawing(pictures);
  drawing.want();
  return { drawing, pictures, calls };
}

function pass(count: number, ms: number): void {
  for (let i = 0; i < count; i++) {
    now += ms;
    for (const draw of due.splice(0)) draw(now);
  }
}

it("gets plainer where it is slow, and richer again only after many quick pictures", () => {
  const { calls } = opened();
  pass(12, 60);
  expect(calls).toEqual(["plainer"]);
  pass(60, 16);
  expect(calls).toEqual(["plainer"]);
  pass(70, 16);
  expect(calls).toEqual(["plainer", "richer"]);
});

it("stays as it is where it is neither", () => {
  const { calls } = opened();
  pass(500, 33);
  expect(calls).toEqual([]);
});

it("draws a fine picture at rest, and none once it is closed", () => {
  const { drawing, pictures, calls } = opened();
  pictures.goesOn = false;
  pass(1, 16);
  vi.advanceTimersByTime(400);
  expect(calls).toEqual(["rest"]);
  drawing.want();
  pass(1, 16);
  drawing.close();
  vi.advanceTimersByTime(400);
  expect(calls).toEqual(["rest"]);
});

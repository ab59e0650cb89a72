import { describe, expect, it } from "vitest";

import { chartOf, spread, ticksFor } from "../src/games/skull_king/curve";

const BOX = { width: 400, height: 300, left: 40, right: 100, top: 10, bottom: 30 };

describe("the score curve", () => {
  it("has a few round values on its side, with room for all", () => {
    for (const [low, high] of [[0, 10], [-90, 340], [-400, 0], [-20, 15], [-1500, 1700]] as const) {
      const ticks = ticksFor(low, high);
      expect(ticks.length).toBeLessThanOrEqual(9);
      expect(ticks).toContain(0);
      expect(ticks[0]!).toBeLessThanOrEqual(low);
      expect(ticks.at(-1)!).toBeGreaterThanOrEqual(high);
    }
  });

  it("starts every line at nothing and stays in its box", () => {
    const chart = chartOf([[10, -10], [-30, 40]], 10, BOX);
    expect(chart.lines).toHaveLength(2);
    expect(chart.hands).toHaveLength(10);
    expect(chart.hands.at(-1)!.x).toBe(300);
    const zero = chart.ticks.find(({ value }) => value === 0)!.y;
    for (const { points, path } of chart.lines) {
      expect(points).toHaveLength(3);
      expect(points[0]).toEqual({ x: 40, y: zero });
      expect(path.match(/[ML]/g)).toEqual(["M", "L", "L"]);
      for (const { x, y } of points) {
        expect(x).toBeGreaterThanOrEqual(40);
        expect(x).toBeLessThanOrEqual(300);
        expect(y).toBeGreaterThanOrEqual(10);
        expect(y).toBeLessThanOrEqual(270);
      }
    }
    expect(chart.lines[1]!.points[2]!.y).toBeLessThan(chart.lines[0]!.points[2]!.y);
  });

  it("can be drawn before the first hand is over", () => {
    expect(chartOf([], 10, BOX).lines).toEqual([]);
  });

  it("keeps the labels apart and in order", () => {
    const placed = spread([100, 101, 102, 30, 270], 15, 10, 270);
    const sorted = [...placed].sort((a, b) => a - b);
    sorted.slice(1).forEach((y, i) => expect(y - sorted[i]!).toBeGreaterThanOrEqual(15));
    expect(placed[0]!).toBeLessThan(placed[1]!);
    expect(placed[1]!).toBeLessThan(placed[2]!);
    expect(Math.max(...placed)).toBeLessThanOrEqual(270);
    expect(Math.min(...placed)).toBeGreaterThanOrEqual(10);
  });
});

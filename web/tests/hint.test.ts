/** Hints as they are drawn, and what the games call their actions. */

import { describe, expect, test } from "vitest";

import { label as jollyRoger } from "../src/games/jolly_roger/words";
import { label as skullKing } from "../src/games/skull_king";
import type { Say } from "../src/messages";
import { barsOf } from "../src/table/hint";

const say: Say = (key, values) => `${key} ${JSON.stringify(values ?? {})}`;

describe("bars", () => {
  test("the best is longest, the worst shortest, and the order stays", () => {
    const bars = barsOf({
      unit: "score",
      moves: [
        { do: "bid 2", expected: 31.26, share: 0.6 },
        { do: "bid 1", expected: 35, share: 0.3 },
        { do: "bid 0", expected: -10, share: 0.1 },
        { do: "bid 3", expected: null, share: 0 },
      ],
    });
    expect(bars.map((bar) => bar.do)).toEqual(["bid 2", "bid 1", "bid 0", "bid 3"]);
    expect(bars.map((bar) => bar.expected)).toEqual(["31.3", "35.0", "-10.0", null]);
    expect(bars[1]!.percent).toBe(100);
    expect(bars[2]!.percent).toBe(4);
    expect(bars[3]!.percent).toBe(0);
    expect(bars[0]!.percent).toBeGreaterThan(80);
  });

  test("a difference of no account looks like none", () => {
    const bars = barsOf({
      unit: "score",
      moves: [
        { do: "pick 2", expected: 14.0, share: 0.5 },
        { do: "pick 1", expected: 13.9, share: 0.5 },
      ],
    });
    expect(bars.map((bar) => bar.percent)).toEqual([100, 95]);
  });

  test("chances are told in a hundred", () => {
    const bars = barsOf({
      unit: "chance",
      moves: [
        { do: "pick 2", expected: 0.634, share: 0.9 },
        { do: "pick 1", expected: 0.584, share: 0.1 },
      ],
    });
    expect(bars.map((bar) => bar.expected)).toEqual(["63 %", "58 %"]);
    expect(bars[1]!.percent).toBeLessThan(60);
  });

  test("one action alone fills its bar, and none is no trouble", () => {
    expect(barsOf({ unit: "score", moves: [{ do: "pick 1", expected: 3, share: 1 }] })[0]!.percent).toBe(100);
    expect(barsOf({ unit: "score", moves: [] })).toEqual([]);
  });
});

describe("labels", () => {
  test("Skull King", () => {
    expect(skullKing("play k7", say)).toBe('action.play {"card":"k7"}');
    expect(skullKing("bid 3", say)).toBe('action.bid {"bid":"3"}');
  });

  test("Jolly & Roger", () => {
    expect(jollyRoger("pick 2", say)).toBe('action.pick {"set":"2"}');
    expect(jollyRoger("kraken none", say)).toContain("action.kraken-none");
    expect(jollyRoger("crew g3 green", say)).toBe(
      'table.card {"card":"g3"}: action.crew {"ship":"green"}',
    );
    expect(jollyRoger("split g1/r5,y2", say)).toBe(
      'table.card {"card":"g1"} / table.card {"card":"r5"}, table.card {"card":"y2"}',
    );
  });
});

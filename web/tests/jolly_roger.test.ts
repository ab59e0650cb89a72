import { describe, expect, it } from "vitest";

import { faceOf, parseUse, picksIn, setsOf, splitInto, symbolOf, usesOf } from "../src/games/jolly_roger/cards";
import { crewHeight, crewStep, widestCard } from "../src/games/jolly_roger/crews";
import { reckon } from "../src/games/jolly_roger/reckoning";
import { layTrays, type Side } from "../src/games/jolly_roger/trays";
import { stepsOf } from "../src/games/jolly_roger/view";
import { VIEW } from "./jolly_roger_view";

describe("cards", () => {
  it("are pirates, special cards or parrots", () => {
    expect(faceOf("g3")).toEqual({ kind: "pirate", ship: "green", value: 3 });
    expect(faceOf("r5")).toEqual({ kind: "pirate", ship: "red", value: 5 });
    expect(faceOf("tortuga")).toEqual({ kind: "special", special: "tortuga" });
    expect(faceOf("parrot:kraken")).toEqual({ kind: "parrot", under: "kraken" });
    expect(() => faceOf("x9")).toThrow("x9");
  });

  it("are told by a symbol beside their colour", () => {
    expect(["g1", "y1", "b1", "r1", "kraken", "parrot:g1"].map(symbolOf)).toEqual([
      "green",
      "yellow",
      "blue",
      "red",
      "kraken",
      "parrot",
    ]);
  });
});

describe("what a card may be used for", () => {
  const legal = ["crew g3 green", "board g3", "parrot g3 red", "kraken blue", "kraken none", "parrot kraken red", "tortuga"];

  it("is read from what the server offers", () => {
    expect(usesOf("g3", legal).map((use) => [use.verb, use.ship])).toEqual([
      ["crew", "green"],
      ["board", "green"],
      ["parrot", "red"],
    ]);
    expect(usesOf("kraken", legal).map((use) => [use.verb, use.ship])).toEqual([
      ["kraken", "blue"],
      ["kraken", null],
      ["parrot", "red"],
    ]);
    expect(usesOf("tortuga", legal)).toEqual([{ text: "tortuga", verb: "tortuga", card: "tortuga", ship: null }]);
    expect(usesOf("b2", legal)).toEqual([]);
  });

  it("is nothing for other actions", () => {
    expect(parseUse("pick 1")).toBeNull();
    expect(parseUse("split g1/y1,y2,y3,y4")).toBeNull();
  });
});

describe("splitting and picking", () => {
  const legal = ["split b3,g1/r5,y2,y2", "split y2/b3,g1,r5,y2", "split g1/b3,r5,y2,y2"];

  it("finds the split that is offered, in whatever order the cards lie", () => {
    expect(splitInto(["g1", "b3"], ["y2", "r5", "y2"], legal)).toBe("split b3,g1/r5,y2,y2");
    expect(splitInto(["y2"], ["y2", "b3", "g1", "r5"], legal)).toBe("split y2/b3,g1,r5,y2");
  });

  it("finds none that is not: the other way round, or with an empty tray", () => {
    expect(splitInto(["r5", "y2", "y2"], ["b3", "g1"], legal)).toBeNull();
    expect(splitInto(["b3", "g1", "r5", "y2", "y2"], [], legal)).toBeNull();
    expect(setsOf("pick 1")).toBeNull();
  });

  it("picks what is offered", () => {
    expect(picksIn(["pick 1", "pick 2"])).toEqual([1, 2]);
    expect(picksIn(legal)).toEqual([]);
  });
});

describe("the trays", () => {
  const ALL: Side[][] = Array.from({ length: 32 }, (_, mask) => [0, 1, 2, 3, 4].map((bit) => ((mask >> bit) & 1) as Side));

  it.each([312, 344, 720, 1080])("fit a space %i wide however the cards are split", (width) => {
    for (const sides of ALL) {
      const { cardWidth, cards, trays } = layTrays(sides, width, 100);
      expect(cardWidth).toBeGreaterThanOrEqual(44);
      const [left, right] = trays as [{ x: number; width: number }, { x: number; width: number }];
      expect(left.x).toBeGreaterThanOrEqual(0);
      expect(right.x + right.width).toBeLessThanOrEqual(width + 0.01);
      expect(left.x + left.width).toBeLessThan(right.x);
      expect(Math.min(left.width, right.width)).toBeGreaterThanOrEqual(44);
      cards.forEach((x, place) => {
        const tray = trays[sides[place]!]!;
        expect(x).toBeGreaterThanOrEqual(tray.x);
        expect(x + cardWidth).toBeLessThanOrEqual(tray.x + tray.width + 0.01);
      });
    }
  });
});

describe("a crew", () => {
  it("fits its half of the board, with cards as wide as the longest one allows", () => {
    for (const cards of [1, 2, 5, 9, 14]) {
      const width = widestCard(cards, 180);
      expect(crewHeight(cards, width, 180)).toBeLessThanOrEqual(180.01);
      expect(crewStep(cards, width, 180)).toBeCloseTo(cards > 1 ? width * 0.335 : 0);
    }
    expect(crewHeight(0, 60, 180)).toBe(0);
  });

  it("lies closer where its cards cannot be smaller, but never quite on top of each other", () => {
    expect(crewStep(9, 60, 180)).toBe(12);
    expect(crewStep(30, 60, 180)).toBe(8);
  });
});

describe("the turn at a glance", () => {
  const states = (view: Partial<typeof VIEW>) => stepsOf({ ...VIEW, ...view }).map((step) => step.state);

  it("goes by the four steps: the splitter splits and plays last", () => {
    expect(stepsOf(VIEW).map(({ name, seat }) => [name, seat])).toEqual([
      ["split", 1],
      ["pick", 0],
      ["play", 0],
      ["play", 1],
    ]);
    expect(states({ phase: "split", to_act: [1] })).toEqual(["now", "next", "next", "next"]);
    expect(states({ phase: "pick", to_act: [0] })).toEqual(["done", "now", "next", "next"]);
    expect(states({ phase: "play", to_act: [0] })).toEqual(["done", "done", "now", "next"]);
    expect(states({ phase: "play", to_act: [1] })).toEqual(["done", "done", "done", "now"]);
  });

  it("is over at the end, and not begun while cards are turned up", () => {
    expect(states({ phase: "over", to_act: [] })).toEqual(["done", "done", "done", "done"]);
    expect(states({ phase: "deal", to_act: "nature" })).toEqual(["next", "next", "next", "next"]);
    expect(stepsOf({ ...VIEW, splitter: null })).toEqual([]);
  });
});

describe("the reckoning", () => {
  it("counts the chests, then each ship for the one whose captain holds it", () => {
    const lines = reckon(VIEW);
    expect(lines.map((line) => line.ship)).toEqual([null, "green", "yellow", "blue", "red"]);
    expect(lines.map((line) => line.gold)).toEqual([
      [4, 2],
      [3, 0],
      [0, 5],
      [0, 0],
      [9, 0],
    ]);
    expect(lines.at(-1)?.total).toEqual(VIEW.scores);
  });
});

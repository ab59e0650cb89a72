import { describe, expect, it } from "vitest";

import {
  holderOf,
  parseLayout,
  tilesOf,
  withoutTile,
  withPart,
  withTile,
  withTileFor,
  writeLayout,
} from "../src/games/piratoons/layout";
import { reckon } from "../src/games/piratoons/reckoning";
import { fit, middleOf, topOf, WATER } from "../src/games/piratoons/shape";
import { bidsIn, drawingOf, faceOf, mostStones, takesIn } from "../src/games/piratoons/tiles";
import { forSale, lotsOf, type Kind, type Reckoning } from "../src/games/piratoons/view";
import { describe as words } from "../src/games/piratoons/words";
import de from "../../src/quarterdeck/games/piratoons/text/de.json";
import en from "../../src/quarterdeck/games/piratoons/text/en.json";
import { Catalogue } from "../src/messages";
import { VIEW } from "./piratoons_view";

describe("tiles", () => {
  it("are parts, sails and add-ons of a design", () => {
    expect(faceOf("p11")).toEqual({ kind: "part", name: "p11" });
    expect(faceOf("sail-12")).toEqual({ kind: "sail" });
    expect(faceOf("quart-b3")).toEqual({ kind: "quart", design: "b" });
    expect(faceOf("?")).toEqual({ kind: "hidden" });
    expect(() => faceOf("cat-a1")).toThrow("cat-a1");
  });

  it("look different for each kind and design of the box", () => {
    const all = (["deck", "gun", "port", "quart"] as Kind[]).flatMap((kind) =>
      ["a", "b", "c"].map((design) => drawingOf({ kind, design })),
    );
    expect(new Set(all).size).toBe(12);
    expect(drawingOf({ kind: "gun", design: "d" })).toBe("pt-gun-a");
  });

  it("are described to whoever does not see them", () => {
    const [english, german] = [new Catalogue("en", en), new Catalogue("de", de)];
    const told = (tile: string, catalogue: Catalogue) => words(tile, VIEW.parts, (key, values) => catalogue.say(key, values));
    expect(told("p11", english)).toBe("part 11, 3 storeys, edges anchor, crest; fields deck, porthole, gunport; room for 1 sail");
    expect(told("p1", german)).toBe("Schiffsteil 1, 1 Stockwerk, Kanten Anker, Anker; Felder Deck; Platz für 3 Segel");
    expect(told("gun-b2", english)).toBe("gunport B");
  });

  it("of one look are one lot, afloat or in the chest", () => {
    expect(lotsOf(forSale(VIEW), VIEW.floating)).toEqual([
      ...VIEW.chest.map((tile) => ({ tile, count: 1, isAfloat: false })),
      { tile: "deck-a2", count: 2, isAfloat: true },
      { tile: "sail-7", count: 1, isAfloat: true },
    ]);
    expect(forSale({ ...VIEW, chest: [null, "?", "p1"] })).toEqual(["p1", "deck-a2", "deck-a3", "sail-7"]);
  });
});

describe("what is on offer", () => {
  it("is read from the server's texts", () => {
    expect(mostStones(["drop 1 p1", "drop 2 p1", "drop 1 sail-3", "stop", "show"])).toBe(2);
    expect(mostStones(["stop"])).toBe(0);
    expect(bidsIn(["bid 2", "bid 0", "bid 10", "bid 1"])).toEqual([0, 1, 2, 10]);
    expect(takesIn(["take p3", "take deck-a1"])).toEqual(["p3", "deck-a1"]);
  });
});

describe("a layout", () => {
  const text = "p10(deck-b2) p6(port-a1,sail-11,sail-7) p1";
  const laid = parseLayout(text);

  it("is read and written, sorted, a bare ship as well", () => {
    expect(writeLayout(laid)).toBe(text);
    expect(writeLayout([{ part: "p6", tiles: ["sail-7", "port-a1", "sail-11"] }])).toBe("p6(port-a1,sail-11,sail-7)");
    expect(parseLayout("-")).toEqual([]);
    expect(writeLayout([])).toBe("-");
    expect(() => parseLayout("p1 bow")).toThrow("bow");
    expect(tilesOf(laid)).toEqual(["p10", "deck-b2", "p6", "port-a1", "sail-11", "sail-7", "p1"]);
  });

  it("has parts moved into gaps, with what is on them", () => {
    const moved = (part: string, gap: number) => writeLayout(withPart(laid, part, gap));
    expect(moved("p1", 0)).toBe("p1 p10(deck-b2) p6(port-a1,sail-11,sail-7)");
    expect(moved("p10", 3)).toBe("p6(port-a1,sail-11,sail-7) p1 p10(deck-b2)");
    expect(moved("p10", 2)).toBe("p6(port-a1,sail-11,sail-7) p10(deck-b2) p1");
    expect(moved("p10", 0)).toBe(text);
    expect(moved("p10", 1)).toBe(text);
    expect(moved("p24", 1)).toBe("p10(deck-b2) p24 p6(port-a1,sail-11,sail-7) p1");
  });

  it("has equipment put on, moved, taken off, and changed for another", () => {
    expect(writeLayout(withTile(laid, "sail-7", "p1"))).toBe("p10(deck-b2) p6(port-a1,sail-11) p1(sail-7)");
    expect(writeLayout(withTile(laid, "quart-a1", "p10"))).toContain("p10(deck-b2,quart-a1)");
    expect(writeLayout(withoutTile(laid, "port-a1"))).toContain("p6(sail-11,sail-7)");
    const swapped = withTileFor(laid, "port-c2", "port-a1");
    expect(writeLayout(swapped)).toContain("p6(port-c2,sail-11,sail-7)");
    expect(holderOf(swapped, "port-a1")).toBeNull();
    expect(holderOf(laid, "deck-b2")).toBe("p10");
  });
});

describe("a part", () => {
  const { p11, p24, p1 } = VIEW.parts;

  it("has its storeys above the water, the first lowest", () => {
    expect(topOf(0)).toBe(WATER);
    expect(middleOf(2)).toBeLessThan(middleOf(1));
  });

  it("shows its fields from the deck down, each with the tile that is on it", () => {
    const { slots, sails } = fit(p11!, ["gun-a1", "sail-2"]);
    expect(slots.map(({ kind, tile }) => [kind, tile])).toEqual([
      ["deck", null],
      ["port", null],
      ["gun", "gun-a1"],
    ]);
    expect(slots.map(({ y }) => y)).toEqual([middleOf(3), middleOf(2), middleOf(1)]);
    expect(sails.map(({ tile }) => tile)).toEqual(["sail-2"]);
    expect(fit(p24!, []).sails).toEqual([]);
    expect(fit(p24!, ["quart-a1", "quart-b1"]).slots.map(({ tile }) => tile)).toEqual([null, "quart-a1", "quart-b1", null]);
  });

  it("of one storey carries sails that do not hide each other", () => {
    const { sails } = fit(p1!, ["sail-1", "sail-2", "sail-3"]);
    const heights = sails.map(({ y }) => y);
    expect(heights).toHaveLength(3);
    expect(Math.min(...heights.slice(1).map((y, place) => heights[place]! - y))).toBeGreaterThan(28);
    expect(heights.at(-1)! - 15).toBeGreaterThan(0);
  });
});

describe("the reckoning", () => {
  const reckoning: Reckoning = {
    titles: { sails: [5, 2], doubloons: [2, 5], barrels: [5, 5] },
    connections: [
      [4, 1, 6],
      [1, 2, -2],
    ],
    empty: { deck: [0, -2], quart: [-2, 0], gun: [0, 0], port: [0, 0], all: [-2, -2] },
    sets: [[{ kind: "same", tiles: ["gun-a1", "gun-a2", "gun-a3"], points: 5 }], []],
    totals: [19, 6],
    tie_break: null,
  };

  it("comes line by line to the server's totals", () => {
    const lines = reckon(reckoning);
    expect(lines.map(({ about }) => about)).toEqual([
      ...Array(3).fill("title"),
      "connections",
      ...Array(5).fill("empty"),
      "sets",
    ]);
    expect(lines[3]).toEqual({ about: "connections", name: "", points: [6, -2], total: [18, 10] });
    expect(lines.at(-1)?.total).toEqual(reckoning.totals);
  });
});

import { describe, expect, it } from "vitest";

import { cardAt, placeOf, plateAt, trickOf } from "../src/games/skull_king/around";
import { bidsIn, faceOf, parseAction, playsOf, sortHand } from "../src/games/skull_king/cards";
import { clockText, leftMs } from "../src/table/clock";
import { digitsOf } from "../src/table/digits";
import { fanFor, spotOf } from "../src/table/fan";
import { bidsMet, padLines, plain, signed, type Pad } from "../src/games/skull_king/pad";

describe("cards", () => {
  it("are drawn as what they are", () => {
    expect(faceOf("y5")).toEqual({ kind: "suit", suit: "yellow", rank: 5 });
    expect(faceOf("k13")).toEqual({ kind: "suit", suit: "black", rank: 13 });
    expect(faceOf("king")).toEqual({ kind: "special", special: "king", role: null });
    expect(faceOf("mary:escape")).toEqual({ kind: "special", special: "mary", role: "escape" });
    expect(faceOf("?")).toEqual({ kind: "back" });
  });

  it("are sorted by suit and rank, the special ones together at the end", () => {
    const sorted = sortHand(["king", "b2", "pirate", "y13", "escape", "k1", "r10", "y2", "r9"]);
    expect(sorted.map(({ card }) => card)).toEqual(
      ["y2", "y13", "r9", "r10", "b2", "k1", "escape", "pirate", "king"],
    );
  });

  it("have keys of their own even when they are equal", () => {
    const keys = sortHand(["pirate", "y1", "pirate", "pirate"]).map(({ key }) => key);
    expect(keys).toEqual(["y1/0", "pirate/0", "pirate/1", "pirate/2"]);
  });

  it("have their digits side by side", () => {
    expect(digitsOf(7)).toEqual({ digits: [{ digit: "7", x: 0 }], width: 16 });
    const { digits, width } = digitsOf(12);
    expect(digits.map(({ digit }) => digit).join("")).toBe("12");
    expect(digits[1]!.x).toBeGreaterThan(digits[0]!.x);
    expect(width).toBeGreaterThan(digits[1]!.x);
  });
});

describe("actions", () => {
  it("are read from their texts", () => {
    expect(parseAction("bid 10")).toEqual({ verb: "bid", bid: 10 });
    expect(parseAction("play y5")).toEqual({ verb: "play", card: "y5", held: "y5" });
    expect(parseAction("play mary:pirate")).toEqual({
      verb: "play",
      card: "mary:pirate",
      held: "mary",
    });
    for (const text of ["", "bid", "bid x", "deal y1/y2"]) expect(parseAction(text)).toBeNull();
  });

  it("give the bids in order, and nothing else", () => {
    expect(bidsIn(["bid 2", "bid 10", "bid 0"])).toEqual([0, 2, 10]);
    expect(bidsIn(["play y5"])).toEqual([]);
  });

  it("give every way to play a card", () => {
    const legal = ["play y5", "play mary:pirate", "play mary:escape"];
    expect(playsOf("mary", legal)).toEqual(["play mary:pirate", "play mary:escape"]);
    expect(playsOf("y5", legal)).toEqual(["play y5"]);
    expect(playsOf("y13", legal)).toEqual([]);
  });
});

describe("around the table", () => {
  it("the seat below comes first, the others clockwise", () => {
    expect([0, 1, 2, 3].map((seat) => placeOf(seat, 2, 4))).toEqual([2, 3, 0, 1]);
  });

  it("every seat and card has a place of its own, mirrored left and right", () => {
    for (let players = 2; players <= 6; players++) {
      const plates = Array.from({ length: players - 1 }, (_, i) => plateAt(i + 1, players));
      const cards = Array.from({ length: players }, (_, place) => cardAt(place, players));
      expect(new Set(plates.map(String)).size).toBe(players - 1);
      expect(new Set(cards.map(String)).size).toBe(players);
      plates.forEach(([x, y], i) => {
        expect([100 - x, y]).toEqual(plates[players - 2 - i]);
      });
      expect(cards[0]![1]).toBeGreaterThan(0);
      for (const [i, [x, y]] of cards.entries()) {
        for (const [otherX, otherY] of cards.slice(i + 1)) {
          const isApart = Math.abs(x - otherX) >= 1 || Math.abs(y - otherY) >= 1;
          expect(isApart, `${players} players`).toBe(true);
        }
      }
    }
  });

  it("a trick goes from its leader on", () => {
    expect(trickOf(2, ["y1", "k3", "king"], 4)).toEqual([
      { seat: 2, card: "y1" },
      { seat: 3, card: "k3" },
      { seat: 0, card: "king" },
    ]);
    expect(trickOf(null, [], 4)).toEqual([]);
  });
});

describe("the fan", () => {
  it("keeps a finger's width between cards on a phone, with a second row if need be", () => {
    for (let cards = 1; cards <= 10; cards++) {
      const fan = fanFor(cards, 336, 65);
      expect(fan.inRow.reduce((sum, n) => sum + n)).toBe(cards);
      if (cards > 1) expect(fan.step).toBeGreaterThanOrEqual(44);
      const spots = Array.from({ length: cards }, (_, place) => spotOf(place, fan));
      for (const { x } of spots) expect(Math.abs(x) + fan.cardWidth / 2).toBeLessThanOrEqual(168.01);
    }
    expect(fanFor(7, 336, 65).rows).toBe(1);
    expect(fanFor(10, 336, 65).inRow).toEqual([5, 5]);
    expect(fanFor(9, 336, 65).inRow).toEqual([5, 4]);
  });

  it("is an arc on a wide screen, level in the middle", () => {
    const fan = fanFor(5, 1000, 120);
    const spots = Array.from({ length: 5 }, (_, place) => spotOf(place, fan));
    expect(fan.rows).toBe(1);
    expect(spots[2]).toEqual({ row: 0, x: 0, y: 0, turn: 0 });
    expect(spots[0]!.turn).toBeCloseTo(-spots[4]!.turn);
    expect(spots[0]!.y).toBeGreaterThan(spots[1]!.y);
    expect(fan.height).toBeGreaterThanOrEqual(120 * 1.4 + spots[0]!.y);
  });

  it("never covers the middle of a card in the upper row", () => {
    const fan = fanFor(10, 336, 65);
    expect(spotOf(5, fan).y).toBeGreaterThan(65 * 1.4 * 0.65);
  });
});

const PAD: Pad = [
  [{ bid: 0, points: 10 }, { bid: 1, points: -10 }],
  [{ bid: 2, points: -20 }, { bid: 2, points: 40 }],
  null,
];

describe("the pad", () => {
  it("has running totals and no hands still to come", () => {
    expect(padLines(PAD).map((line) => line.map(({ total }) => total))).toEqual([[10, -10], [-10, 30]]);
  });

  it("tells which bids were met", () => {
    expect(bidsMet(PAD, 0)).toEqual([true, false]);
    expect(bidsMet(PAD, 1)).toEqual([false, true]);
  });

  it("writes numbers with real signs", () => {
    expect([20, 0, -30].map(signed)).toEqual(["+20", "0", "−30"]);
    expect([20, 0, -30].map(plain)).toEqual(["20", "0", "−30"]);
  });
});

describe("the clock", () => {
  it("runs for those who are to act, and never below nothing", () => {
    const clocks = { left_ms: [5000, 9000], running: [1] };
    expect(leftMs(clocks, 0, 3000)).toBe(5000);
    expect(leftMs(clocks, 1, 3000)).toBe(6000);
    expect(leftMs(clocks, 1, 30_000)).toBe(0);
  });

  it("is read at a glance", () => {
    expect([65_000, 600_000, 59_100, 9_940, 0].map(clockText)).toEqual(["1:05", "10:00", "1:00", "10.0", "0.0"]);
  });
});

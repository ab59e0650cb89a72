import { describe, expect, test } from "vitest";

import type { SeatInfo, TableTold } from "../src/protocol";
import { needsCurtain, seatToShow } from "../src/table/hotseat";
import { notes } from "../src/table/notes";
import { ranking } from "../src/table/ranking";

describe("whose cards a shared screen shows", () => {
  test("a spectator has no seat", () => {
    expect(seatToShow([], null, [0, 1])).toBeNull();
  });

  test("with one seat it is always that one", () => {
    expect(seatToShow([2], null, [])).toBe(2);
    expect(seatToShow([2], 2, [0])).toBe(2);
  });

  test("the seat shown stays while it is due, or nobody here is", () => {
    expect(seatToShow([0, 1, 3], 1, [0, 1, 3])).toBe(1);
    expect(seatToShow([0, 1, 3], 1, [])).toBe(1);
    expect(seatToShow([0, 1, 3], 1, [2])).toBe(1);
  });

  test("then comes the next one that is due, around the table", () => {
    expect(seatToShow([0, 1, 3], 1, [0, 3])).toBe(3);
    expect(seatToShow([0, 1, 3], 3, [0, 1])).toBe(0);
    expect(seatToShow([0, 1, 3], null, [1, 3])).toBe(1);
  });

  test("a seat given up is not shown any more", () => {
    expect(seatToShow([0], 1, [])).toBe(0);
  });

  test("a curtain falls between people, not between two seats of one", () => {
    const names = ["Anna", "Ben", "Anna"];
    expect(needsCurtain(null, 0, names)).toBe(true);
    expect(needsCurtain(0, 1, names)).toBe(true);
    expect(needsCurtain(0, 2, names)).toBe(false);
    expect(needsCurtain(1, 1, names)).toBe(false);
  });
});

describe("who came where", () => {
  const shape = (scores: number[], winners: number[]) =>
    ranking(scores, winners).map(({ seat, rank, won }) => [seat, rank, won]);

  test("by score, equal scores share a place", () => {
    expect(shape([10, 40, -20, 10], [1])).toEqual([
      [1, 1, true],
      [0, 2, false],
      [3, 2, false],
      [2, 4, false],
    ]);
  });

  test("those who share the win share the first place", () => {
    expect(shape([30, 30, 0], [0, 1])).toEqual([
      [0, 1, true],
      [1, 1, true],
      [2, 3, false],
    ]);
  });

  test("who resigned does not win, whatever the score", () => {
    expect(shape([90, 10], [1])).toEqual([
      [1, 1, true],
      [0, 2, false],
    ]);
  });
});

describe("what happened besides the game", () => {
  const seat = (change: Partial<SeatInfo> = {}): SeatInfo => ({
    kind: "person",
    name: "Ben",
    level: null,
    online: true,
    stand_in: false,
    resigned: false,
    committed: false,
    program: false,
    ...change,
  });
  const table = (other: SeatInfo, status: TableTold["status"] = "playing") =>
    ({ table: "t", status, seats: [seat({ name: "Anna" }), other], you: [0] }) as TableTold;
  const told = (before: SeatInfo, after: SeatInfo) =>
    notes(table(before), table(after)).map((event) => event.key);

  test("nothing at first, and nothing while nothing changes", () => {
    expect(notes(null, table(seat()))).toEqual([]);
    expect(told(seat(), seat())).toEqual([]);
  });

  test.each<[string, Partial<SeatInfo>, Partial<SeatInfo>]>([
    ["joined", { kind: "open", name: "" }, {}],
    ["left", {}, { kind: "bot", level: "bosun" }],
    ["away", {}, { online: false }],
    ["back", { online: false }, {}],
    ["stand-in", { online: false }, { online: false, stand_in: true }],
    ["back", { online: false, stand_in: true }, {}],
    ["resigned", {}, { resigned: true }],
  ])("%s", (key, before, after) => {
    expect(told(seat(before), seat(after))).toEqual([key]);
  });

  test("the name is there even when the seat is free again", () => {
    const [event] = notes(
      table(seat(), "waiting"),
      table(seat({ kind: "open", name: "" }), "waiting"),
    );
    expect(event).toEqual({ key: "left", values: { name: "Ben" } });
  });

  test("a pause, and its end", () => {
    expect(notes(table(seat()), table(seat(), "paused"))).toEqual([{ key: "paused" }]);
    expect(notes(table(seat(), "paused"), table(seat()))).toEqual([{ key: "resumed" }]);
  });
});

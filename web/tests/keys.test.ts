import { beforeEach, expect, test, vi } from "vitest";

import {
  carryKeys,
  dropSeat,
  forgetTable,
  keepKeys,
  keptTable,
  keptTables,
  noteTable,
  tokensFor,
} from "../src/keys";

class FakeStorage {
  items = new Map<string, string>();
  isFull = false;
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem(key: string, value: string): void {
    if (this.isFull) throw new DOMException("full", "QuotaExceededError");
    this.items.set(key, value);
  }
}

let storage: FakeStorage;

beforeEach(() => {
  storage = new FakeStorage();
  vi.stubGlobal("localStorage", storage);
});

test("seats are kept by table, several at one", () => {
  keepKeys("a", "skull-king", [{ seat: 2, token: "t2" }], 1);
  keepKeys("a", "skull-king", [{ seat: 0, token: "t0" }], 2);
  keepKeys("b", "skull-king", [{ seat: 1, token: "t1" }], 3);
  expect(tokensFor("a")).toEqual(["t0", "t2"]);
  expect(tokensFor("b")).toEqual(["t1"]);
  expect(tokensFor("c")).toEqual([]);
  expect(keptTables().map((kept) => kept.table)).toEqual(["b", "a"]);
});

test("a seat taken again has its new token", () => {
  keepKeys("a", "skull-king", [{ seat: 0, token: "old" }]);
  keepKeys("a", "skull-king", [{ seat: 0, token: "new" }]);
  expect(tokensFor("a")).toEqual(["new"]);
});

test("what another tab has kept meanwhile stays", () => {
  keepKeys("a", "skull-king", [{ seat: 0, token: "t0" }]);
  const other = JSON.parse(storage.getItem("quarterdeck.tables")!) as Record<string, unknown>;
  other["b"] = { ...(other["a"] as object), at: 5 };
  storage.setItem("quarterdeck.tables", JSON.stringify(other));
  noteTable("a", true);
  expect(tokensFor("b")).toEqual(["t0"]);
  expect(keptTable("a")?.over).toBe(true);
  expect(keptTable("b")?.over).toBe(false);
});

test("a seat given up is gone, with the last one the table", () => {
  keepKeys("a", "skull-king", [
    { seat: 0, token: "t0" },
    { seat: 1, token: "t1" },
  ]);
  dropSeat("a", 0);
  expect(tokensFor("a")).toEqual(["t1"]);
  dropSeat("a", 1);
  expect(keptTable("a")).toBeNull();
  forgetTable("a");
  expect(keptTables()).toEqual([]);
});

test("a table one only watches is not kept", () => {
  noteTable("a", false);
  expect(keptTable("a")).toBeNull();
});

test("the keys open a rematch too", () => {
  keepKeys("a", "skull-king", [{ seat: 0, token: "t0" }]);
  carryKeys("a", "b");
  carryKeys("nowhere", "c");
  expect(tokensFor("b")).toEqual(["t0"]);
  expect(keptTable("c")).toBeNull();
});

test("only the newest tables are kept", () => {
  for (let i = 0; i < 70; i++) keepKeys(`t${i}`, "skull-king", [{ seat: 0, token: "t" }], i);
  expect(keptTables()).toHaveLength(60);
  expect(keptTable("t0")).toBeNull();
  expect(keptTable("t69")).not.toBeNull();
});

test("a storage filled with something else is an empty one", () => {
  storage.setItem("quarterdeck.tables", "{");
  expect(keptTables()).toEqual([]);
});

test("where the storage is full or forbidden, seats are kept as long as the page lives", () => {
  storage.isFull = true;
  keepKeys("a", "skull-king", [{ seat: 0, token: "t" }]);
  expect(tokensFor("a")).toEqual(["t"]);
  vi.stubGlobal("localStorage", undefined);
  expect(tokensFor("a")).toEqual(["t"]);
  forgetTable("a");
  expect(keptTables()).toEqual([]);
});

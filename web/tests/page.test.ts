import { beforeEach, describe, expect, test, vi } from "vitest";

import en from "../../src/quarterdeck/games/skull_king/text/en.json";
import shared from "../../src/quarterdeck/text/en.json";
import { Refusal } from "../src/connection";
import { toHtml } from "../src/markdown";
import { Catalogue } from "../src/messages";
import { cleanName, keepName, playerName } from "../src/player";
import { explain } from "../src/refusals";
import { parseRoute, tablePath } from "../src/route.svelte";

describe("where we are", () => {
  test.each([
    ["/", { page: "harbour" }],
    ["/t/ab12-x", { page: "table", table: "ab12-x" }],
    ["/t/ab12/", { page: "table", table: "ab12" }],
    ["/t/", { page: "harbour" }],
    ["/t/a/b", { page: "harbour" }],
    ["/elsewhere", { page: "harbour" }],
  ])("%s", (path, route) => {
    expect(parseRoute(path)).toEqual(route);
  });

  test("a table's path leads to it", () => {
    expect(parseRoute(tablePath("xyz"))).toEqual({ page: "table", table: "xyz" });
  });
});

describe("why something was refused", () => {
  const catalogue = new Catalogue("en", shared, en);

  test("by a rule, with its number", () => {
    expect(explain(new Refusal("illegal-action", "…", "SK-5"), catalogue)).toBe(
      "You hold the suit that was led: follow it, or play a special card. (SK-5)",
    );
  });

  test("by the server, in words of the catalogue", () => {
    expect(explain(new Refusal("no-seat", "seat 3 is not open"), catalogue)).toBe(
      "That seat is not free.",
    );
  });

  test("for a reason of the connection, or one we do not know", () => {
    expect(explain(new Refusal("lost", "…"), catalogue)).toContain("connection was lost");
    expect(explain(new Refusal("brand-new", "…"), catalogue)).toContain("brand-new");
    expect(explain(null, catalogue)).toContain("did not work");
  });
});

describe("rules as HTML", () => {
  test("headings begin below the title of the page", () => {
    expect(toHtml("# One\n\n## Two")).toBe("<h2>One</h2><h3>Two</h3>");
  });

  test("paragraphs, lists and emphasis", () => {
    expect(toHtml("one\ntwo **three** *four* `five`")).toBe(
      "<p>one two <strong>three</strong> <em>four</em> <code>five</code></p>",
    );
    expect(toHtml("- a\n- b")).toBe("<ul><li>a</li><li>b</li></ul>");
    expect(toHtml("1. a\n2. b")).toBe("<ol><li>a</li><li>b</li></ol>");
  });

  test("tables", () => {
    const html = toHtml("| A | B |\n|---|---|\n| 1 | 2 |");
    expect(html).toContain("<thead><tr><th>A</th><th>B</th></tr></thead>");
    expect(html).toContain("<tbody><tr><td>1</td><td>2</td></tr></tbody>");
  });

  test("nothing in them is markup of its own", () => {
    expect(toHtml('<img src=x onerror="1">')).not.toContain("<img");
  });
});

describe("the name one plays under", () => {
  const items = new Map<string, string>();

  beforeEach(() => {
    items.clear();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => items.set(key, value),
    });
  });

  test("a newcomer gets one, and keeps it", () => {
    const name = playerName();
    expect(name).not.toBe("");
    expect(playerName()).toBe(name);
  });

  test("one's own is cleaned and kept", () => {
    expect(keepName("  Anna \n Bonny ")).toBe("Anna Bonny");
    expect(playerName()).toBe("Anna Bonny");
    expect(keepName("   ")).toBe("");
    expect(playerName()).toBe("Anna Bonny");
  });

  test("it is no longer than the server takes, whole characters only", () => {
    expect(cleanName("x".repeat(40))).toHaveLength(24);
    expect([...cleanName("🦜".repeat(40))]).toHaveLength(24);
  });
});

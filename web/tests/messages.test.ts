import { describe, expect, test } from "vitest";

import de from "../../src/quarterdeck/games/skull_king/text/de.json";
import en from "../../src/quarterdeck/games/skull_king/text/en.json";
import fr from "../../src/quarterdeck/games/skull_king/text/fr.json";
import it from "../../src/quarterdeck/games/skull_king/text/it.json";
import { Catalogue, chooseLanguage, LANGUAGES, type Language } from "../src/messages";

const names = ["Anna", "Ben", "Cleo"];

// The same cases as in tests/test_messages.py.

test("a plain value stands as it is", () => {
  const say = new Catalogue("en", { k: "{a} and {b}" });
  expect(say.say("k", { a: -3, b: "x" })).toBe("-3 and x");
});

test("a seat is its player and several are listed", () => {
  const say = new Catalogue("en", { k: "{seats:seat} win" });
  expect(say.say("k", { seats: 1 }, names)).toBe("Ben win");
  expect(say.say("k", { seats: [2, 0] }, names)).toBe("Cleo, Anna win");
});

test("the exact key comes before the one for all digits", () => {
  const entries = { k: "{card:card}", "card.k#": "black {n}", "card.k13": "the black flag" };
  const say = new Catalogue("en", entries);
  expect(say.say("k", { card: "k7" })).toBe("black 7");
  expect(say.say("k", { card: "k12" })).toBe("black 12");
  expect(say.say("k", { card: "k13" })).toBe("the black flag");
  expect(() => say.say("k", { card: "z1" })).toThrow("z#");
});

test("what stands in for a value is filled too", () => {
  const entries = { k: "{why:why}", "why.high": "the highest {suit:suit}", "suit.red": "red" };
  const say = new Catalogue("en", entries);
  expect(say.say("k", { why: "high", suit: "red" })).toBe("the highest red");
});

describe.each<[Language, number[]]>([
  ["en", [1, -1]],
  ["de", [1, -1]],
  ["it", [1, -1]],
  ["fr", [0, 1, -1]],
])("plurals in %s", (language, ones) => {
  const entries = { k: "{n:count.x}", "count.x.one": "{n} x", "count.x.other": "{n} xs" };
  const say = new Catalogue(language, entries);
  test.each([-2, -1, 0, 1, 2, 10])("%d", (n) => {
    expect(say.say("k", { n })).toBe(ones.includes(n) ? `${n} x` : `${n} xs`);
  });
});

test("a sentence begins with a capital and keeps the rest", () => {
  const say = new Catalogue("fr", { k: "à {seat:seat} de jouer", empty: "{a}" });
  expect(say.sentence("k", { seat: 0 }, ["anna B"])).toBe("À anna B de jouer");
  expect(say.sentence("empty", { a: "" })).toBe("");
});

test("a missing key or value throws", () => {
  const say = new Catalogue("en", { shared: "s" }, { k: "{a}" });
  expect(say.has("k") && say.has("shared")).toBe(true);
  expect(say.has("no") || say.has("toString")).toBe(false);
  expect(() => say.say("no")).toThrow("no");
  expect(() => say.say("k", { b: 1 })).toThrow("a");
  expect(() => say.say("k", { a: 1 })).not.toThrow();
});

test("a value is never read as a sentence", () => {
  const say = new Catalogue("en", { k: "{name}: {text}" });
  expect(say.say("k", { name: "{text}", text: "$& {name}" })).toBe("{text}: $& {name}");
});

test.each<[Language, Record<string, string>, string]>([
  ["en", en, "Ben takes the trick with the black 1: black trumps yellow"],
  ["de", de, "Ben gewinnt den Stich durch die schwarze 1 – Schwarz sticht Gelb"],
  ["fr", fr, "Ben remporte le pli avec le 1 noir\u00a0: le noir l'emporte sur le jaune"],
  ["it", it, "Ben fa la presa con un 1 nero: il nero batte il giallo"],
])("a trick is told in %s", (language, entries, sentence) => {
  const values = { seat: 1, card: "k1", why: "trump", suit: "yellow" };
  const say = new Catalogue(language, entries);
  expect(say.sentence("event.trick-won", values, names)).toBe(sentence);
});

test("the language is the first one wanted that we speak", () => {
  expect(chooseLanguage(["de-CH", "en"])).toBe("de");
  expect(chooseLanguage(["pt-BR", "fr"])).toBe("fr");
  expect(chooseLanguage(["IT"])).toBe("it");
  expect(chooseLanguage(["zh"])).toBe("en");
  expect(chooseLanguage([])).toBe("en");
  expect(LANGUAGES).toHaveLength(4);
});

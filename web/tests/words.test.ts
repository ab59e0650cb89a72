import { describe, expect, it } from "vitest";

import { Catalogue, LANGUAGES, type Entries } from "../src/messages";

const sources = import.meta.glob<string>(["../src/games/*/*.{svelte,ts}", "../src/table/*.{svelte,ts}"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const shared = import.meta.glob<Entries>("../../src/quarterdeck/text/*.json", {
  import: "default",
  eager: true,
});
const own = import.meta.glob<Entries>("../../src/quarterdeck/games/*/text/*.json", {
  import: "default",
  eager: true,
});

const NAMES = ["Anna", "Tom"];
const GAMES = [...new Set(Object.keys(own).map((path) => path.split("/").at(-3)!))];
const KEY = /"((?:table|web|a11y|event|page|play|terminal)\.[\w:.-]+)"/g;

function catalogueOf(game: string, language: (typeof LANGUAGES)[number]): Catalogue {
  return new Catalogue(
    language,
    shared[`../../src/quarterdeck/text/${language}.json`]!,
    own[`../../src/quarterdeck/games/${game}/text/${language}.json`]!,
  );
}

/** The keys that the sources of a folder name. */
function keysIn(folder: string): Set<string> {
  const texts = Object.entries(sources).filter(([path]) => path.includes(folder));
  return new Set(texts.flatMap(([, text]) => [...text.matchAll(KEY)].map((match) => match[1]!)));
}

it("the words of all tables are found in the sources", () => {
  expect(keysIn("/table/").size).toBeGreaterThan(10);
});

describe.each(GAMES)("the words of %s", (game) => {
  it.each(LANGUAGES)("are all there in %s", (language) => {
    const catalogue = catalogueOf(game, language);
    const said = keysIn(`/games/${game}/`);
    expect(said.size, `keys found in the sources of ${game}`).toBeGreaterThan(0);
    for (const key of [...said, ...keysIn("/table/")]) expect(catalogue.has(key), key).toBe(true);
  });
});

describe.each(LANGUAGES)("in %s", (language) => {
  it("every card of Skull King has a name, playable or not", () => {
    const catalogue = catalogueOf("skull_king", language);
    for (const card of ["y1", "r13", "b7", "k10", "escape", "pirate", "mermaid", "mary", "king"]) {
      const reason = catalogue.say("refused.SK-5");
      expect(catalogue.say("a11y.playable", { card })).not.toBe(catalogue.say("a11y.unplayable", { card, reason }));
      expect(catalogue.say("a11y.unplayable", { card, reason })).toContain(reason);
    }
    for (const role of ["pirate", "escape"]) expect(catalogue.has(`web.mary:${role}`)).toBe(true);
  });

  it("every use of a card in Jolly & Roger and every step of a turn has words", () => {
    const catalogue = catalogueOf("jolly_roger", language);
    for (const use of ["crew", "parrot", "board", "kraken"]) {
      expect(catalogue.say(`web.use.${use}`)).not.toBe("");
      for (const ship of ["green", "yellow", "blue", "red"]) expect(catalogue.say(`action.${use}`, { ship })).not.toBe("");
    }
    for (const use of ["kraken-none", "tortuga"]) expect(catalogue.has(`action.${use}`)).toBe(true);
    for (const step of ["split", "pick", "play"]) {
      expect(catalogue.say(`web.step.${step}`, { seat: 0 }, NAMES)).toContain("Anna");
      expect(catalogue.has(`web.do.${step}`)).toBe(true);
    }
    for (const card of ["g1", "kraken", "skeleton", "tortuga"]) {
      const name = catalogue.say("table.card", { card });
      expect(catalogue.say("a11y.parrot", { card })).toContain(name);
    }
    for (const value of ["intro", "advanced", "all-cards"]) expect(catalogue.has(`option.variant.${value}`)).toBe(true);
  });

  it("everything of Piratoons that is named by what it is has words", () => {
    const catalogue = catalogueOf("piratoons", language);
    for (const title of ["sails", "doubloons", "barrels"]) expect(catalogue.has(`web.title.${title}`)).toBe(true);
    for (const field of ["deck", "quart", "gun", "port", "all"]) {
      expect(catalogue.say("web.most-empty", { field })).toContain(catalogue.say(`field.${field}`));
    }
    for (const by of ["connections", "empty", "doubloons"]) expect(catalogue.say("web.tie", { by })).not.toBe("");
    for (const action of ["open", "stop", "show", "hide"]) expect(catalogue.has(`action.${action}`)).toBe(true);
    for (const tile of ["p7", "deck-a1", "gun-b2", "port-c3", "quart-a1", "sail-3"]) {
      const name = catalogue.say("web.tile", { tile });
      expect(catalogue.say("a11y.place", { tile, count: 2 })).toContain(name);
      for (const key of ["take", "afloat", "to-place", "overboard"]) expect(catalogue.say(`a11y.${key}`, { tile })).toContain(name);
    }
    for (const set of ["same", "different", "pair"]) {
      expect(catalogue.say("a11y.set", { set, tiles: ["gun-a1"], points: 5 })).toContain(catalogue.say(`set.${set}`));
    }
    const bare = catalogue.say("action.refit", { layout: "-" });
    expect(bare).not.toContain("{");
  });
});

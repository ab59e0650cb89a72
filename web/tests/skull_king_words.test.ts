import { describe, expect, it } from "vitest";

import { Catalogue, LANGUAGES, type Entries } from "../src/messages";

const sources = import.meta.glob<string>(["../src/games/skull_king/*.{svelte,ts}", "../src/table/*.{svelte,ts}"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const shared = import.meta.glob<Entries>("../../src/quarterdeck/text/*.json", {
  import: "default",
  eager: true,
});
const own = import.meta.glob<Entries>("../../src/quarterdeck/games/skull_king/text/*.json", {
  import: "default",
  eager: true,
});

const said = new Set(
  Object.values(sources).flatMap((text) => [...text.matchAll(/"((?:table|web|a11y|event|page|play)\.[\w:.-]+)"/g)].map((m) => m[1]!)),
);

describe.each(LANGUAGES)("the words of the table in %s", (language) => {
  const catalogue = new Catalogue(
    language,
    shared[`../../src/quarterdeck/text/${language}.json`]!,
    own[`../../src/quarterdeck/games/skull_king/text/${language}.json`]!,
  );

  it("are all there", () => {
    expect(said.size).toBeGreaterThan(40);
    for (const key of said) expect(catalogue.has(key), key).toBe(true);
  });

  it("name every card, playable or not", () => {
    for (const card of ["y1", "r13", "b7", "k10", "escape", "pirate", "mermaid", "mary", "king"]) {
      const reason = catalogue.say("refused.SK-5");
      expect(catalogue.say("a11y.playable", { card })).not.toBe(catalogue.say("a11y.unplayable", { card, reason }));
      expect(catalogue.say("a11y.unplayable", { card, reason })).toContain(reason);
    }
    for (const role of ["pirate", "escape"]) expect(catalogue.has(`web.mary:${role}`)).toBe(true);
  });
});

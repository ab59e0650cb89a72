/** The language of the page: the shared catalogue, and those of the games that are shown. */

import {
  Catalogue,
  chooseLanguage,
  LANGUAGES,
  type Entries,
  type Language,
  type Values,
} from "./messages";
import { load, save } from "./storage";

const KEY = "language";

const shared = import.meta.glob<Entries>("../../src/quarterdeck/text/*.json", {
  import: "default",
});
const ofGames = import.meta.glob<Entries>(
  ["../../src/quarterdeck/games/*/text/*.json", "../../src/quarterdeck/engine/text/*.json"],
  { import: "default" },
);
const rules = import.meta.glob<string>("../../src/quarterdeck/games/*/text/rules.*.md", {
  query: "?raw",
  import: "default",
});

/** What is said of fairness is a catalogue of its own, learnt like a game's when it is wanted. */
export const FAIRNESS = "fairness";

function folder(game: string): string {
  const place = game === FAIRNESS ? "engine" : `games/${game.replaceAll("-", "_")}`;
  return `../../src/quarterdeck/${place}/text`;
}

class Speech {
  #catalogue = $state.raw(new Catalogue("en"));
  #games = $state.raw<Record<string, Catalogue>>({});

  get language(): Language {
    return this.#catalogue.language;
  }

  /** The catalogue of a game, once `learn` has loaded it. */
  ofGame(game: string): Catalogue | null {
    return this.#games[game] ?? null;
  }

  get shared(): Catalogue {
    return this.#catalogue;
  }

  /** Speaks a language from now on; unsaid, the one chosen before, or the browser's. */
  async choose(language?: Language): Promise<void> {
    if (language !== undefined) save(KEY, language);
    const kept = load<string>(KEY, "");
    const chosen =
      LANGUAGES.find((known) => known === (language ?? kept)) ??
      chooseLanguage(navigator.languages);
    const entries = await shared[`../../src/quarterdeck/text/${chosen}.json`]!();
    const games = await Promise.all(
      Object.keys(this.#games).map((game) => readGame(game, chosen, entries)),
    );
    this.#catalogue = new Catalogue(chosen, entries);
    this.#games = Object.fromEntries(games);
    document.documentElement.lang = chosen;
  }

  /** Loads what is said in a game. */
  async learn(game: string): Promise<void> {
    if (game in this.#games) return;
    const { language, entries } = this.#catalogue;
    const [, catalogue] = await readGame(game, language, entries);
    if (this.language === language) this.#games = { ...this.#games, [game]: catalogue };
    else await this.learn(game);
  }
}

async function readGame(
  game: string,
  language: Language,
  entries: Entries,
): Promise<[string, Catalogue]> {
  const own = await ofGames[`${folder(game)}/${language}.json`]!();
  return [game, new Catalogue(language, entries, own)];
}

/** The rules of a game in a language, as Markdown. */
export function rulesText(game: string, language: Language): Promise<string> {
  return rules[`${folder(game)}/rules.${language}.md`]!();
}

export const speech = new Speech();

/** A sentence of the shared catalogue in the language of the page. */
export function t(key: string, values?: Values, names?: readonly string[]): string {
  return speech.shared.say(key, values, names);
}

/**
 * What is said to people. The catalogues and their rules are those of `quarterdeck/messages.py`,
 * which explains them; this renders the same sentences in the browser.
 */

export const LANGUAGES = ["en", "de", "fr", "it"] as const;
export type Language = (typeof LANGUAGES)[number];

export type Values = Record<string, unknown>;
export type Entries = Record<string, string>;

/** A sentence of the shared catalogue and the game's, with the names of the seats at hand. */
export type Say = (key: string, values?: Values) => string;

const PLACEHOLDER = /\{(\w+)(?::([\w.-]+))?\}/g;

export class Catalogue {
  readonly entries: Entries;

  constructor(
    readonly language: Language,
    ...parts: Entries[]
  ) {
    this.entries = Object.assign({}, ...parts) as Entries;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.entries, key);
  }

  /** The sentence under a key with its values in place. Throws for a missing key or value. */
  say(key: string, values: Values = {}, names: readonly string[] = []): string {
    return this.#fill(this.#entry(key), values, names);
  }

  /** The same, beginning with a capital letter. */
  sentence(key: string, values: Values = {}, names: readonly string[] = []): string {
    return capital(this.say(key, values, names));
  }

  #entry(key: string): string {
    const entry = this.entries[key];
    if (entry === undefined) throw new Error(`the catalogue has no '${key}'`);
    return entry;
  }

  #fill(template: string, values: Values, names: readonly string[]): string {
    return template.replace(PLACEHOLDER, (_, name: string, kind: string | undefined) => {
      if (!Object.hasOwn(values, name)) throw new Error(`'${template}' wants '${name}'`);
      const value = values[name];
      const parts: unknown[] = Array.isArray(value) ? value : [value];
      return parts.map((part) => this.#one(part, kind, values, names)).join(", ");
    });
  }

  #one(value: unknown, kind: string | undefined, values: Values, names: readonly string[]): string {
    if (kind === undefined) return String(value);
    if (kind === "seat") {
      const name = names[Number(value)];
      if (name === undefined) throw new Error(`there is no seat ${String(value)}`);
      return name;
    }
    if (this.has(`${kind}.other`)) {
      const size = Math.abs(Number(value));
      const isOne = this.language === "fr" ? size < 2 : size === 1;
      const form = this.#entry(isOne ? `${kind}.one` : `${kind}.other`);
      return this.#fill(form, { ...values, n: value }, names);
    }
    const key = `${kind}.${String(value)}`;
    if (!this.has(key)) {
      const digits = /\d+$/.exec(key);
      if (digits !== null) {
        const form = this.#entry(`${key.slice(0, digits.index)}#`);
        return this.#fill(form, { ...values, n: digits[0] }, names);
      }
    }
    return this.#fill(this.#entry(key), values, names);
  }
}

export function capital(text: string): string {
  const [first = ""] = text; // the first character, even beyond the basic plane
  return first.toUpperCase() + text.slice(first.length);
}

/** The first language the reader wants that we speak. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = LANGUAGES.find((known) => tag.toLowerCase().split("-")[0] === known);
    if (found !== undefined) return found;
  }
  return "en";
}

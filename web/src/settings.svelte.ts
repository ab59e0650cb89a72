/** What somebody likes, kept in this browser. */

import { load, save } from "./storage";

export type Guard = "none" | "confirm" | "undo";
export type Theme = "system" | "dark" | "light";
export type Motion = "system" | "full" | "reduced";

export interface Settings {
  /** Against a slip of the hand: ask first, or leave a moment to take a move back. */
  readonly guard: Guard;
  readonly sounds: boolean;
  readonly theme: Theme;
  readonly motion: Motion;
  /** What `motion` comes to on this machine. */
  readonly reducedMotion: boolean;
}

interface Kept {
  guard: Guard;
  sounds: boolean;
  theme: Theme;
  motion: Motion;
}

const KEY = "settings";
const UNSAID: Kept = { guard: "none", sounds: true, theme: "system", motion: "system" };

function query(text: string): MediaQueryList | null {
  return typeof matchMedia === "function" ? matchMedia(text) : null;
}

const prefersReduced = query("(prefers-reduced-motion: reduce)");
const prefersLight = query("(prefers-color-scheme: light)");

class Preferences implements Settings {
  #kept = $state<Kept>({ ...UNSAID, ...load<Partial<Kept>>(KEY, {}) });
  #systemReduced = $state(prefersReduced?.matches ?? false);
  #systemLight = $state(prefersLight?.matches ?? false);

  constructor() {
    prefersReduced?.addEventListener("change", (event) => (this.#systemReduced = event.matches));
    prefersLight?.addEventListener("change", (event) => (this.#systemLight = event.matches));
  }

  get guard(): Guard {
    return this.#kept.guard;
  }
  get sounds(): boolean {
    return this.#kept.sounds;
  }
  get theme(): Theme {
    return this.#kept.theme;
  }
  get motion(): Motion {
    return this.#kept.motion;
  }
  get reducedMotion(): boolean {
    return this.motion === "system" ? this.#systemReduced : this.motion === "reduced";
  }
  get shownTheme(): "dark" | "light" {
    if (this.theme !== "system") return this.theme;
    return this.#systemLight ? "light" : "dark";
  }

  change(wishes: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...wishes };
    save(KEY, this.#kept);
  }
}

export const settings = new Preferences();

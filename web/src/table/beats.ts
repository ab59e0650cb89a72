/**
 * One short scene after another. The queue never falls behind for long: with much waiting it plays
 * faster, with too much it drops everything, and whoever listens shows things as they are.
 */

export interface Beat {
  ms: number;
  /** Called when its turn comes, with the time it gets. */
  begin: (ms: number) => void;
  /** Called even when the beat is dropped, for what must not be lost; before `begin`. */
  keep?: () => void;
}

const HURRY_MS = 1100;
const TOO_MUCH_MS = 3200;

export class Beats {
  #waiting: Beat[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #idle: () => void;

  /** `idle` is called whenever nothing is left to play, or all of it was dropped. */
  constructor(idle: () => void) {
    this.#idle = idle;
  }

  get isBusy(): boolean {
    return this.#timer !== null;
  }

  push(beats: readonly Beat[]): void {
    this.#waiting.push(...beats);
    if (this.#left() > TOO_MUCH_MS) this.drop();
    else if (!this.isBusy) this.#next();
  }

  drop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const beat of this.#waiting.splice(0)) beat.keep?.();
    this.#idle();
  }

  #left(): number {
    return this.#waiting.reduce((sum, beat) => sum + beat.ms, 0);
  }

  #next(): void {
    this.#timer = null;
    for (;;) {
      const hurry = this.#left() > HURRY_MS;
      const beat = this.#waiting.shift();
      if (!beat) break;
      const ms = hurry ? beat.ms / 2 : beat.ms;
      if (ms > 0) this.#timer = setTimeout(() => this.#next(), ms);
      beat.keep?.();
      beat.begin(ms);
      if (ms > 0) return;
    }
    this.#idle();
  }
}

/** Draws a picture whenever somebody wants one, and plainer while the machine cannot keep up. */

/** A picture that takes longer is slow; after so much slowness in a row pictures get plainer. */
const SLOW_MS = 45;
const PATIENCE = 8;
const LONGEST_MS = 100;
/** After so many quick pictures in a row they get richer again; each time that was wrong it takes longer. */
const QUICK_MS = 24;
const QUICK_COUNT = 60;
/** So long after the last picture a fine one is drawn. */
const REST_MS = 300;

export interface Pictures {
  /** Draws; `passed` seconds after the last picture. Whether another one is due at once. */
  draw: (passed: number, now: number) => boolean;
  plainer: () => void;
  richer: () => void;
  /** Nothing moves any more. */
  rest: () => void;
}

export class Drawing {
  #asked = 0;
  #drawnAt = 0;
  #slow = 0;
  #quick = 0;
  #enough = QUICK_COUNT;
  #isRunning = false;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #pictures: Pictures;
  #isClosed = false;

  constructor(pictures: Pictures) {
    this.#pictures = pictures;
  }

  want(): void {
    if (this.#asked !== 0 || this.#isClosed) return;
    clearTimeout(this.#resting);
    this.#asked = requestAnimationFrame((now) => this.#draw(now));
  }

  /** Draws at once. */
  now(): void {
    if (!this.#isClosed) this.#draw(performance.now());
  }

  #draw(now: number): void {
    cancelAnimationFrame(this.#asked);
    clearTimeout(this.#resting);
    this.#asked = 0;
    const passed = now - this.#drawnAt;
    this.#drawnAt = now;
    const goesOn = this.#pictures.draw(Math.min(passed, LONGEST_MS) / 1000, now);
    if (this.#isRunning) this.#judge(passed); // only pictures that follow one another say how quick the machine is
    this.#isRunning = goesOn;
    if (goesOn) this.want();
    else this.#resting = setTimeout(() => this.#pictures.rest(), REST_MS);
  }

  #judge(passed: number): void {
    this.#slow = passed > SLOW_MS ? this.#slow + Math.min(passed / SLOW_MS, 4) : Math.max(0, this.#slow - 0.5);
    this.#quick = passed < QUICK_MS ? this.#quick + 1 : 0;
    if (this.#slow >= PATIENCE) {
      this.#slow = 0;
      this.#enough *= 2;
      this.#pictures.plainer();
    } else if (this.#quick >= this.#enough) {
      this.#quick = 0;
      this.#pictures.richer();
    }
  }

  close(): void {
    this.#isClosed = true;
    cancelAnimationFrame(this.#asked);
    clearTimeout(this.#resting);
  }
}

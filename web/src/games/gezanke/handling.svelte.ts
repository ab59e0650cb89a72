/** One gesture as this browser sees it: what the hand has to do, how it does it, and one's own path. */

import type { Frame, Live, OpenWorld } from "../../live";
import { felt } from "./feel";
import { FIGURES, readTold, type Figure, type Figures } from "./frames";
import { targetOf, textOf } from "./view";

/** What the game says of a hand before its first frame. */
interface Hello {
  do: "slide" | "lift" | "set" | "board";
  at: string;
  from: [x: number, z: number];
  to: [x: number, z: number];
  steady: boolean;
  harmless: Figures;
  limit_ms: number;
}

const SEND_MS = 40;
const MOST_SAMPLES = 100;
/** A hand that has not moved for so long stood still until just now. */
const PAUSE_MS = 30;
/** For so long a hand that stands still says so: what it holds still comes after it. */
const REST_MS = 600;
/** The spring between the hand and what it holds, rad/s: as the server has it. */
const STIFF = 25;
const STEP_S = 0.004;

/** How far a path that goes on after the page was loaded anew is ahead of all that was sent before. */
const AHEAD_MS = 2000;

/** A path on its way: begun by a drag before the server knows of it, then sent as it grows. */
export class Path {
  x: number;
  z: number;
  /** The drag is over. */
  isLetGo = false;
  hasBegun = false;

  #samples: [ms: number, x: number, z: number][] = [];
  #start = performance.now();
  #last = 0;
  #moved = 0;

  /** What it is the gesture of, once that is clear. */
  action = "";

  constructor(x: number, z: number) {
    this.x = x;
    this.z = z;
  }

  of(action: string): this {
    this.action = action;
    return this;
  }

  /** The hand's clock has run for so long already: it never goes backwards. */
  begin(ms: number): void {
    this.#start = performance.now() - ms;
  }

  add(x: number, z: number): void {
    const now = Math.round(performance.now() - this.#start);
    if (!this.hasBegun) this.#samples.push([now, this.x, this.z]);
    else if (now - this.#last > PAUSE_MS) this.#samples.push([now - 8, this.x, this.z]);
    this.hasBegun = true;
    this.x = x;
    this.z = z;
    this.#last = this.#moved = now;
    this.#samples.push([now, round(x), round(z)]);
  }

  /** The hand is still where it was. */
  rest(): void {
    const now = Math.round(performance.now() - this.#start);
    if (!this.hasBegun || now - this.#last <= PAUSE_MS || now - this.#moved > REST_MS) return;
    this.#last = now;
    this.#samples.push([now, round(this.x), round(this.z)]);
  }

  /** The next samples, in order. */
  take(): [number, number, number][] {
    return this.#samples.splice(0, MOST_SAMPLES);
  }
}

const round = (mm: number) => Math.round(mm * 10) / 10;

/** Whether a world is the one of an action. */
function isGestureOf(action: string, { do: does, at }: Hello): boolean {
  const target = targetOf(action);
  if (target === null) return false;
  return target.verb === does && at === (target.space === null ? target.plank : textOf(target.plank, target.space));
}

export class Handling {
  readonly does: Hello["do"];
  readonly at: string;
  readonly from: readonly [x: number, z: number];
  readonly to: readonly [x: number, z: number];
  readonly maySteady: boolean;
  readonly harmless: Figures;
  readonly seat: number;
  /** Whether it is one's own hand. */
  readonly isMine: boolean;

  figures = $state.raw<Figures>({ speed: 0, press: 0, kick: 0, over: 0 });
  isTouching = $state(false);
  isDone = $state(false);
  hasBegun = $state(false);
  /** Where the pointer or the keys want the hand to be. */
  wish = $state.raw<readonly [x: number, z: number]>([0, 0]);
  /** What the hand holds, as it is drawn. */
  x: number;
  z: number;
  onFrame: () => void = () => {};

  #live: Live;
  #path: Path;
  #told: { x: number; z: number };
  #speed = { x: 0, z: 0 };
  #time = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #stop: () => void;

  constructor(live: Live, world: OpenWorld, seat: number | null, begun: Path | null) {
    const hello = world.told as unknown as Hello;
    this.does = hello.do;
    this.at = hello.at;
    this.from = hello.from;
    this.to = hello.to;
    this.maySteady = hello.steady;
    this.harmless = hello.harmless;
    this.seat = world.seat;
    this.isMine = world.seat === seat;
    this.isTouching = hello.do === "lift";
    [this.x, this.z] = hello.from;
    this.wish = hello.from;
    this.#told = { x: this.x, z: this.z };
    this.#live = live;
    const isBegun = this.isMine && begun !== null && isGestureOf(begun.action, hello);
    this.#path = isBegun ? begun : new Path(this.x, this.z);
    this.#stop = world.listen((frame) => this.#hear(frame));
    if (!this.isMine) return;
    this.wish = [this.#path.x, this.#path.z];
    this.#timer = setInterval(() => this.#send(), SEND_MS);
    if (this.#path.hasBegun) this.#send();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#stop();
  }

  /** Whether one's hand may still do something. */
  get isOpen(): boolean {
    return this.isMine && !this.isDone;
  }

  /** Where the hand is, by its wish: the knob of the controls. */
  get felt(): readonly [x: number, z: number] {
    return felt(this.does, this.wish, this.from, this.to);
  }

  /** How near to harm it came: 1 is the last that is harmless; and by which figure. */
  get strain(): { share: number; figure: Figure } {
    return FIGURES.map((figure) => {
      const most = this.harmless[figure];
      const value = this.figures[figure];
      return { figure, share: most > 0 ? value / most : value > 0 ? 2 : 0 };
    }).reduce((a, b) => (b.share > a.share ? b : a));
  }

  /** How much of the way is done, from 0 to 1. */
  get share(): number {
    const [from, to, at] = this.does === "slide" ? [this.from[0], this.to[0], this.x] : [this.from[1], this.to[1], this.z];
    return from === to ? 1 : Math.min(1, Math.max(0, (at - from) / (to - from)));
  }

  // One's own hand ------------------------------------------------------------------------------

  /** The hand is there; millimetres. A slide has no height, a lift and a set go nowhere below. */
  moveTo(x: number, z: number): void {
    if (!this.isOpen) return;
    this.wish = [x, this.does === "slide" ? 0 : z];
    this.#path.add(...this.felt);
    this.hasBegun = true;
    this.onFrame();
  }

  letGo(): void {
    if (!this.isOpen) return;
    if (!this.#path.hasBegun) this.#path.add(...this.wish); // it opens where it is
    this.#path.isLetGo = true;
    this.#send();
  }

  /** Leaves it to a steady hand, if that is allowed and one's own has not begun. */
  beSteady(): void {
    if (!this.isOpen || !this.maySteady || this.#path.hasBegun) return;
    this.isDone = true;
    this.#live.gesture({ steady: true }, 0);
  }

  #send(): void {
    if (this.isDone) return;
    if (!this.#path.isLetGo) this.#path.rest();
    for (let path = this.#path.take(); path.length > 0; path = this.#path.take()) {
      this.hasBegun = true;
      this.#live.gesture({ path }, 0);
    }
    if (!this.#path.isLetGo) return;
    this.isDone = true;
    this.#live.gesture({ let_go: true }, 0);
  }

  // As it is drawn ------------------------------------------------------------------------------

  #hear(frame: Frame): void {
    const told = readTold(frame.body);
    if (told.hasBegun && !this.#path.hasBegun) this.#path.begin(frame.time + AHEAD_MS);
    this.#told = { x: told.x, z: told.z };
    this.figures = told.figures;
    this.isTouching = told.isTouching;
    this.hasBegun ||= told.hasBegun;
    this.isDone ||= told.isDone;
    this.onFrame();
  }

  /** Time passes for what is held; whether it still moves. One's own hand is drawn at once. */
  step(seconds: number): boolean {
    // who stands on a plank stands there until the server lets him off
    const isOwn = this.isMine && this.#path.hasBegun && !this.isTouching;
    const goal = isOwn ? { x: this.#path.x, z: this.#path.z } : this.#told;
    this.#time = Math.min(this.#time + seconds, 0.1);
    for (; this.#time >= STEP_S; this.#time -= STEP_S) {
      for (const axis of ["x", "z"] as const) {
        const pull = STIFF ** 2 * (goal[axis] - this[axis]) - 2 * STIFF * this.#speed[axis];
        this.#speed[axis] += pull * STEP_S;
        this[axis] += this.#speed[axis] * STEP_S;
      }
    }
    this.z = Math.max(0, this.z);
    const off = Math.abs(goal.x - this.x) + Math.abs(Math.max(0, goal.z) - this.z);
    return off > 0.05 || Math.hypot(this.#speed.x, this.#speed.z) > 1;
  }
}

/** What the pointer does on the ship: takes a plank or a pirate, carries him, or turns the picture. */

import type { Vec } from "../../table3d/poses";
import type { Deck } from "./deck";
import { Path, type Handling } from "./handling.svelte";
import { laneAt, PITCH, SPACE } from "./measures";
import type { Scene } from "./scene";
import { HALF, placeOf, targetOf, type Plank, type Target } from "./view";

interface Owner {
  scene: () => Scene | null;
  deck: () => Deck;
  targets: () => readonly Target[];
  handling: () => Handling | null;
  /** An action whose gesture has begun. */
  reach: (text: string, path: Path) => void;
  consider: (text: string | null) => void;
  choose: (text: string) => void;
  /** Something is to be drawn. */
  stir: () => void;
}

type Drag =
  | { kind: "turn"; x: number; y: number }
  | { kind: "hand"; from: Vec; wish: readonly [x: number, z: number] }
  | { kind: "slide"; plank: Plank; from: number; start: number; path: Path; isSent: boolean }
  | { kind: "lift"; text: string; plank: Plank; from: Vec; start: number; path: Path; isSent: boolean }
  | { kind: "carry"; text: string | null };

/** So far something is moved before it is clear what is meant, in millimetres. */
const SLIP = 7;
const SLIP_UP = 3;
const SLIP_PX = 5;
/** From here on a plank counts as where it belongs, and a pirate as standing, when one lets go. */
const THERE = 0.75;
const STANDING = 3;
const CATCH = 15;

export class Grasp {
  #owner: Owner;
  #drag: Drag | null = null;
  #pressed: { x: number; y: number } | null = null;
  #carried: Vec | null = null;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  get isActive(): boolean {
    return this.#drag !== null;
  }

  /** Where a pirate in the hand is carried, in millimetres of the ship. */
  get carried(): Vec | null {
    return this.#carried;
  }

  /** A plank one has moved a little, while nothing is decided. */
  get pulled(): { plank: Plank; x: number } | null {
    const drag = this.#drag;
    if (drag?.kind !== "slide" || this.#owner.handling() !== null) return null;
    return { plank: drag.plank, x: drag.path.x };
  }

  down(x: number, y: number, text: string | null): void {
    const scene = this.#owner.scene();
    if (scene === null) return;
    this.#pressed = { x, y };
    this.#drag = this.#begin(scene, x, y, text) ?? { kind: "turn", x, y };
  }

  #begin(scene: Scene, x: number, y: number, text: string | null): Drag | null {
    const handling = this.#owner.handling();
    if (handling?.isOpen) {
      const from = this.#point(scene, x, y, handling);
      return from === null ? null : { kind: "hand", from, wish: handling.wish };
    }
    const target = text === null ? null : targetOf(text);
    if (target?.verb === "lift") {
      const from = scene.onLane(x, y, target.plank);
      const offset = this.#owner.deck().planks.find(({ name }) => name === target.plank)?.offset ?? 0;
      const start = (offset + target.space!) * SPACE;
      if (from !== null) return { kind: "lift", text: target.text, plank: target.plank, from, start, path: new Path(start, 0), isSent: false };
    }
    if (this.#owner.deck().pirates.some(({ is }) => is === "hand") && text === null) return this.#carry(scene, x, y);
    const at = scene.onDeck(x, y);
    const plank = target?.verb === "slide" ? target.plank : at === null ? null : this.#plankAt(at);
    if (plank === null || at === null || !this.#owner.targets().some((one) => one.verb === "slide" && one.plank === plank)) return null;
    const start = (this.#owner.deck().planks.find(({ name }) => name === plank)?.offset ?? 0) * SPACE;
    return { kind: "slide", plank, from: at[0], start, path: new Path(start, 0), isSent: false };
  }

  /** A point of the canvas as the hand feels it: along the deck, or on the upright plane of a lane. */
  #point(scene: Scene, x: number, y: number, { does, at }: Handling): Vec | null {
    return does === "slide" ? scene.onDeck(x, y) : scene.onLane(x, y, placeOf(at).plank);
  }

  #plankAt([x, y]: Vec): Plank | null {
    const { planks } = this.#owner.deck();
    const plank = planks.find((_, lane) => Math.abs(y - laneAt(lane)) < PITCH / 2);
    return plank !== undefined && Math.abs(x - plank.offset * SPACE) < (HALF + 0.6) * SPACE ? plank.name : null;
  }

  /** Moves; whether it is more than a tap by now. */
  move(x: number, y: number): boolean {
    const [drag, scene, pressed] = [this.#drag, this.#owner.scene(), this.#pressed];
    if (drag === null || scene === null || pressed === null) return false;
    const isDrag = Math.hypot(x - pressed.x, y - pressed.y) > SLIP_PX;
    if (drag.kind === "turn") {
      if (isDrag) scene.view.turn(-(x - drag.x) * 0.005, (y - drag.y) * 0.005);
      Object.assign(drag, { x, y });
    } else if (drag.kind === "hand") {
      const handling = this.#owner.handling();
      const at = handling === null ? null : this.#point(scene, x, y, handling);
      if (at !== null) handling!.moveTo(drag.wish[0] + at[0] - drag.from[0], drag.wish[1] + at[2] - drag.from[2]);
    } else if (drag.kind === "slide") {
      const at = scene.onDeck(x, y);
      if (at !== null) this.#slide(drag, drag.start + at[0] - drag.from);
    } else if (drag.kind === "lift") {
      this.#lift(drag, scene, x, y);
    } else {
      this.#drag = this.#carry(scene, x, y);
    }
    this.#owner.stir();
    return isDrag;
  }

  #slide(drag: Extract<Drag, { kind: "slide" }>, x: number): void {
    this.#follow(drag, x, 0);
    const by = x - drag.start;
    if (drag.isSent || Math.abs(by) < SLIP) return;
    const direction = by < 0 ? "port" : "starboard";
    const target = this.#owner.targets().find((one) => one.verb === "slide" && one.plank === drag.plank && one.direction === direction);
    if (target === undefined) return;
    drag.isSent = true;
    this.#owner.reach(target.text, drag.path.of(target.text));
  }

  #lift(drag: Extract<Drag, { kind: "lift" }>, scene: Scene, x: number, y: number): void {
    const isInHand = this.#owner.deck().pirates.some(({ is }) => is === "hand");
    if (drag.isSent && isInHand && this.#owner.handling() === null) {
      this.#drag = this.#carry(scene, x, y);
      return;
    }
    const at = scene.onLane(x, y, drag.plank);
    if (at === null) return;
    this.#follow(drag, drag.start + at[0] - drag.from[0], at[2] - drag.from[2]);
    if (drag.isSent || at[2] - drag.from[2] < SLIP_UP) return;
    drag.isSent = true;
    this.#owner.reach(drag.text, drag.path.of(drag.text));
  }

  /** The path goes on, whoever keeps it by now. */
  #follow({ path, isSent }: { path: Path; isSent: boolean }, x: number, z: number): void {
    const handling = this.#owner.handling();
    if (isSent && handling?.isOpen) handling.moveTo(x, z);
    else if (!isSent || handling === null) path.add(x, z);
  }

  #carry(scene: Scene, x: number, y: number): Drag {
    const at = scene.onDeck(x, y);
    this.#carried = at;
    const { planks } = this.#owner.deck();
    const near = this.#owner
      .targets()
      .filter((target) => target.verb === "set" && at !== null)
      .map((target) => {
        const lane = planks.findIndex(({ name }) => name === target.plank);
        const aside = target.direction === null ? 0 : target.direction === "port" ? -5 : 5;
        const place = ((planks[lane]?.offset ?? 0) + target.space!) * SPACE + aside;
        return { text: target.text, far: Math.hypot(at![0] - place, at![1] - laneAt(lane)) };
      })
      .filter(({ far }) => far < CATCH)
      .sort((a, b) => a.far - b.far)[0];
    this.#owner.consider(near?.text ?? null);
    return { kind: "carry", text: near?.text ?? null };
  }

  up(): void {
    const drag = this.#drag;
    this.#drag = null;
    this.#pressed = null;
    this.#carried = null;
    const handling = this.#owner.handling();
    if (drag?.kind === "carry") {
      if (drag.text !== null) this.#owner.choose(drag.text);
    } else if (drag?.kind === "hand") {
      if (handling !== null) settle(handling);
    } else if ((drag?.kind === "slide" || drag?.kind === "lift") && drag.isSent) {
      if (handling?.isOpen) settle(handling);
      else drag.path.isLetGo = true;
    }
    this.#owner.stir();
  }
}

/** The pointer is lifted: the hand opens if what it holds is where it belongs, else it keeps it. */
export function settle(handling: Handling): void {
  const { does, wish, to, from } = handling;
  if (does === "slide") {
    const way = to[0] - from[0];
    if ((wish[0] - from[0]) / way >= THERE) handling.letGo();
  } else if (does !== "lift" && (wish[1] <= STANDING || handling.isTouching)) {
    handling.letGo();
  }
}

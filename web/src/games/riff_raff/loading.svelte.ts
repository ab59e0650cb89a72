/** One loading as this browser sees it: the motion, what the newest frame says, and one's own hand. */

import type { Frame, Live, OpenWorld } from "../../live";
import type { Vec } from "../../table3d/poses";
import type { SoundName } from "../game";
import { readTold, type Told } from "./frames";
import { Hand } from "./hand";
import { reachOf, type Kit } from "./kit";
import { Motion, type Resting } from "./motion";
import type { Piece } from "./view";

/** What the game says of a world before its first frame. */
interface Hello {
  piece: Piece;
  id: number;
  area: number;
  home: Vec;
  sides: number;
  limit_ms: number;
  poses: Resting;
  swap: Piece[];
}

/** How a loading stands: what changes rarely enough to be shown in words. */
export interface Standing {
  hasLetGo: boolean;
  isTouching: boolean;
  isIntruding: boolean;
  isFalling: boolean;
  isSteady: boolean;
  over: number;
}

/** A spot of the area for steady placing. */
export interface Spot {
  along: number;
  across: number;
  yaw: number;
  side: number;
}

const START: Standing = {
  hasLetGo: false,
  isTouching: false,
  isIntruding: false,
  isFalling: false,
  isSteady: false,
  over: 0,
};
const HAND_MS = 24;
const GRASP_MS = 126; // eight a second
const QUIET = 0.03;
/** What goes lower than this (metres) is in the water. */
const WATERLINE = -0.025;

export class Loading {
  readonly piece: Piece;
  readonly id: number;
  readonly area: number;
  /** Where the hand holds the piece at first. */
  readonly home: Vec;
  readonly sides: number;
  readonly motion: Motion;
  /** Whether it is one's own hand. */
  readonly isMine: boolean;

  standing = $state.raw<Standing>(START);
  pace = $state(100);
  hasTouched = $state(false);
  /** Numbers of what falls now. */
  falling = $state.raw<readonly number[]>([]);
  hand = $state.raw<Hand | null>(null);

  onSplash: (at: Vec) => void = () => {};

  #live: Live;
  #kit: Kit;
  #swap: Piece[];
  #play: (sound: SoundName, loud?: number) => void;
  #limitMs: number;
  /** Local time when the world's was zero, by the last frame. */
  #zero: number | null = null;
  #seen: number | null = null;
  #isHandMoved = false;
  #sentAt = 0;
  #graspedAt = -Infinity;
  #reached = new Set<number>();
  #stop: () => void;

  constructor(live: Live, world: OpenWorld, kit: Kit, seat: number | null, play: (sound: SoundName, loud?: number) => void) {
    const hello = world.told as unknown as Hello;
    this.piece = hello.piece;
    this.id = hello.id;
    this.area = hello.area;
    this.home = hello.home;
    this.sides = hello.sides;
    this.#limitMs = hello.limit_ms;
    this.#swap = hello.swap;
    this.isMine = world.seat === seat;
    this.motion = new Motion(hello.poses, reachOf(kit));
    this.#live = live;
    this.#kit = kit;
    this.#play = play;
    this.#stop = world.listen((frame) => this.#hear(frame));
  }

  close(): void {
    this.#stop();
  }

  /** Whether one's hand holds the piece. */
  get isHolding(): boolean {
    return this.isMine && !this.standing.hasLetGo;
  }

  /** What the piece may be exchanged for, until it touches anything. */
  get swaps(): readonly Piece[] {
    return this.isHolding && !this.hasTouched ? this.#swap : [];
  }

  /** How long the hand may still hold it (RR-R5). */
  leftMs(now: number): number {
    return this.#limitMs - (this.#zero === null ? 0 : now - this.#zero);
  }

  // The hand ------------------------------------------------------------------------------------

  /** The hand takes the piece where it is now. */
  grip(): Hand | null {
    const pose = this.motion.newest.pieces.get(this.id);
    this.hand = pose === undefined || !this.isHolding ? null : new Hand(this.#kit, this.piece, pose);
    return this.hand;
  }

  /** The hand has moved; it is told when the picture is drawn. */
  moved(): void {
    this.#isHandMoved = true;
  }

  /** Tells where the hand is, not too often; whether there is still something to tell. */
  tellHand(now: number): boolean {
    if (!this.#isHandMoved || this.hand === null || !this.isHolding) return false;
    if (now - this.#sentAt < HAND_MS) return true;
    this.#isHandMoved = false;
    this.#sentAt = now;
    this.#do({ hand: this.hand.pose });
    return false;
  }

  letGo(): void {
    if (this.#isHandMoved) this.tellHand(Infinity);
    this.#do({ let_go: true });
  }

  swap(piece: Piece): void {
    this.#do({ swap: piece });
  }

  hover(spot: Spot): void {
    this.hand = null;
    this.#do({ steady: spot });
  }

  lower(): void {
    this.#do({ lower: true });
  }

  /** Grasps along a line of sight, as quickly as anybody can. */
  grasp(line: { eye: Vec; through: Vec }): void {
    const now = performance.now();
    if (now - this.#graspedAt < GRASP_MS) return;
    this.#graspedAt = now;
    this.#do({ catch: line });
  }

  /** Grasps for the lowest piece that has not been reached for. */
  graspNext(): void {
    const pieces = this.motion.newest.pieces;
    const height = (id: number) => pieces.get(id)?.at[2] ?? Infinity;
    const [next] = this.falling.filter((id) => !this.#reached.has(id)).sort((a, b) => height(a) - height(b));
    if (next === undefined) this.#reached.clear();
    else this.graspFor(next);
  }

  graspFor(id: number): void {
    this.#reached.add(id);
    this.#do({ catch: { id } });
  }

  /** The picture of this time of the world has been drawn: the hand goes by what one sees. */
  saw(time: number): void {
    this.#seen = time;
  }

  #do(does: Record<string, unknown>): void {
    // the server knows when each frame went out, and reckons from there how far back one sees
    const seen = this.#seen ?? this.motion.shownAt(performance.now());
    this.#live.gesture(does, this.motion.frameAt(seen) ?? 0);
  }

  // The world -----------------------------------------------------------------------------------

  #hear(frame: Frame): void {
    const told = readTold(frame.body);
    const before = this.motion.newest.pieces;
    this.#listen(told, before);
    this.motion.add(told, frame.time, frame.at, told.hasLetGo ? null : this.id);
    this.#zero = frame.at - frame.time;
    this.pace = frame.pace;
    this.#stand(told);
    if (told.isTouching || told.hasLetGo) this.hasTouched = true;
    if (told.hasLetGo && this.hand !== null) this.hand = null;
    const { falling } = this.motion;
    if (falling.size !== this.falling.length || this.falling.some((id) => !falling.has(id))) {
      this.falling = [...falling];
    }
  }

  #stand({ hasLetGo, isTouching, isIntruding, isFalling, isSteady, over }: Told): void {
    const now: Standing = { hasLetGo, isTouching, isIntruding, isFalling, isSteady, over };
    const keys = Object.keys(START) as (keyof Standing)[];
    if (keys.some((key) => now[key] !== this.standing[key])) this.standing = now;
  }

  #listen(told: Told, before: ReadonlyMap<number, { at: Vec }>): void {
    if (told.knock > QUIET) this.#play("wood", told.knock);
    for (const [id, pose] of told.pieces) {
      const last = before.get(id);
      if (pose !== null || last === undefined) continue;
      if (last.at[2] < WATERLINE) {
        this.#play("splash");
        this.onSplash(last.at);
      } else if (this.motion.falling.has(id)) {
        this.#play("trick");
      }
    }
  }
}

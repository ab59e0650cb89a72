/** The picture: ship, planks, pirates, sea and sharks. It goes from one deck to the next by itself. */

import { Group, Quaternion, Vector3, type BufferGeometry, type Mesh, type MeshLambertMaterial } from "three";

import { MM, type Vec } from "../../table3d/poses";
import { Studio } from "../../table3d/studio";
import { SKY } from "./colours";
import { carvePirate } from "./crew";
import type { Deck, Pirate, ShownPlank } from "./deck";
import { DECK_DEPTH, DECK_HALF, HELD, laneAt, PLANK, SPACE, WATER_DEPTH } from "./measures";
import { carvePlank } from "./planks";
import { Sharks } from "./sharks";
import { buildShip } from "./ship";
import type { Colour, Plank } from "./view";

/** What a hand holds, in millimetres across the ship and above the plank. */
export interface Held {
  does: "slide" | "lift" | "set" | "board";
  at: string;
  x: number;
  z: number;
  /** How much of the way is done. */
  share: number;
}

const TOP = -DECK_DEPTH + PLANK.thick;
/** The roll: rad/s, and how much it is damped. */
const [ROLL_RATE, DAMPING] = [(2 * Math.PI) / 0.8, 0.87];
const GLIDE_RATE = 8;
const [TILT_S, TILT] = [0.55, 1.0];
const FALL = 2.4; // m/s²: slower than it is, to be seen
const NEXT_FALL_S = 0.22;
const SUNK = -0.15;
const BACK = 46; // millimetres from which a plank is put back
const FLIGHT_S = 0.5;
const PUSH_S = 0.28;
/** Below this height of who comes the others make way. */
const NEAR = 9;
const DEEP = 15; // of swimmers' feet below the water, in millimetres

interface PlankPart {
  group: Group;
  look: string;
  lane: number;
  x: number;
  speed: number;
  /** Since when it falls, in seconds; below 0 its turn has not come. */
  fallen: number | null;
  hasSplashed: boolean;
  /** How high above its lane it still is on its way back. */
  high: number;
}

interface PirateTrip {
  mesh: Mesh<BufferGeometry, MeshLambertMaterial>;
  anchor: string;
  /** From his new place back to where he was, what is done of the way, and how high he goes. */
  back: Vector3;
  done: number;
  arc: number;
  seconds: number;
}

export class Scene extends Studio {
  #ship: Group;
  #sharks: Sharks;
  #planks = new Map<Plank, PlankPart>();
  #pirates = new Map<number, PirateTrip>();
  #deck: Deck | null = null;
  #held: Held | null = null;
  /** Where a pirate in the hand is carried, in millimetres of the ship. */
  #carried: Vec | null = null;
  #pulled: { plank: Plank; x: number } | null = null;
  #roll = 0;
  #rollSpeed = 0;
  #time = 0;
  #feet: Record<Colour, string | null> = { grey: null, white: null, black: null, brown: null };

  /** Throws if the browser cannot draw. */
  constructor(canvas: HTMLCanvasElement, isSlow: boolean) {
    const hull = { half: [0.045, 0.11], shadow: [0.07, 0.06] } as const;
    super(canvas, { sky: SKY, depth: WATER_DEPTH * MM, hull, shadow: { x: 0.24, y: 0.26 } }, isSlow);
    this.#ship = buildShip(this.sharpness);
    this.#sharks = new Sharks(-WATER_DEPTH * MM);
    this.space.add(this.#ship, this.#sharks);
  }

  /** The colours of the seats that have the crews. */
  setFeet(feet: Record<Colour, string | null>): void {
    if (Object.entries(feet).every(([colour, foot]) => this.#feet[colour as Colour] === foot)) return;
    this.#feet = feet;
    for (const { mesh } of this.#pirates.values()) {
      this.space.remove(mesh);
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.#pirates.clear();
    if (this.#deck !== null) this.show(this.#deck);
  }

  // What is seen --------------------------------------------------------------------------------

  show(deck: Deck): void {
    const isFirst = this.#deck === null || this.#planks.size === 0;
    this.#deck = deck;
    deck.planks.forEach((plank, lane) => this.#showPlank(plank, lane, isFirst));
    this.#sharks.count = deck.fins;
    if (isFirst) this.#roll = deck.roll;
    this.#place(0, isFirst);
    this.moved();
  }

  /** What a hand holds; where a pirate is carried, and how far a plank is pulled, by one's own. */
  hold(held: Held | null, carried: Vec | null, pulled: { plank: Plank; x: number } | null): void {
    this.#held = held;
    this.#carried = carried;
    this.#pulled = pulled;
  }

  #showPlank(plank: ShownPlank, lane: number, isFirst: boolean): void {
    const look = `${plank.name} ${plank.side} ${plank.doubloons.join("")}`;
    let part = this.#planks.get(plank.name);
    if (part?.look !== look) {
      if (part !== undefined) this.#ship.remove(part.group);
      const group = carvePlank(plank.name, plank.doubloons, this.sharpness);
      part = { group, look, lane, x: plank.offset * SPACE, speed: 0, fallen: null, hasSplashed: false, high: 0 };
      this.#planks.set(plank.name, part);
      this.#ship.add(group);
    }
    part.lane = lane;
    if (plank.fall !== null && part.fallen === null) {
      part.fallen = -NEXT_FALL_S * plank.fall.order;
      part.hasSplashed = false;
    } else if (plank.fall === null && part.fallen !== null) {
      part.fallen = null;
      part.x = plank.offset * SPACE;
      part.speed = 0;
      part.high = isFirst ? 0 : BACK;
    }
  }

  // Time passes ---------------------------------------------------------------------------------

  /** Moves on; whether anything still moves by itself. */
  step(seconds: number, calm: boolean): boolean {
    const turns = this.view.step(seconds, calm);
    if (this.#deck === null) return turns;
    this.#time += seconds;
    const rolls = this.#stepRoll(seconds, calm);
    let moves = rolls;
    for (const plank of this.#deck.planks) moves = this.#stepPlank(plank, seconds, calm) || moves;
    moves = this.#place(seconds, calm) || moves;
    this.#sharks.step(seconds, calm);
    if (!calm) this.sea.move(seconds);
    if (moves) this.moved();
    return turns || moves || this.isShadowStale || (!calm && (this.sea.isStirred || this.#sharks.isFleeing));
  }

  #stepRoll(seconds: number, calm: boolean): boolean {
    const { roll, rollBefore, gesture } = this.#deck!;
    const share = gesture === null ? 1 : this.#held === null ? 0 : this.#held.share;
    const goal = rollBefore + (roll - rollBefore) * share;
    if (calm) [this.#roll, this.#rollSpeed] = [goal, 0];
    for (let left = seconds; left > 0; left -= 0.008) {
      const dt = Math.min(left, 0.008);
      const pull = ROLL_RATE ** 2 * (goal - this.#roll) - 2 * DAMPING * ROLL_RATE * this.#rollSpeed;
      this.#rollSpeed += pull * dt;
      this.#roll += this.#rollSpeed * dt;
    }
    const isMoving = Math.abs(goal - this.#roll) + Math.abs(this.#rollSpeed) * 0.05 > 2e-4;
    if (!isMoving) [this.#roll, this.#rollSpeed] = [goal, 0];
    this.#ship.rotation.y = this.#roll;
    return isMoving;
  }

  #stepPlank(plank: ShownPlank, seconds: number, calm: boolean): boolean {
    const part = this.#planks.get(plank.name)!;
    const { group } = part;
    group.visible = true;
    if (part.fallen !== null && plank.fall !== null) {
      part.fallen += seconds;
      if (part.fallen > 0) {
        this.#fall(part, plank.fall.side);
        return true;
      }
    }
    const isHeld = this.#deck!.gesture?.do === "slide" && this.#deck!.gesture.at === plank.name;
    const isPulled = this.#pulled?.plank === plank.name;
    const before = part.x;
    if (isHeld || isPulled) {
      part.x = this.#held?.x ?? this.#pulled?.x ?? part.x;
      part.speed = 0;
    } else if (calm) {
      part.x = plank.offset * SPACE;
      part.high = 0;
    } else {
      const goal = plank.offset * SPACE;
      // a critically damped glide
      const [off, e] = [part.x - goal, Math.exp(-GLIDE_RATE * seconds)];
      const drive = part.speed + GLIDE_RATE * off;
      part.x = goal + (off + drive * seconds) * e;
      part.speed = (part.speed - GLIDE_RATE * drive * seconds) * e;
      part.high = Math.max(0, part.high - 130 * seconds);
    }
    group.position.set(part.x * MM, laneAt(part.lane) * MM, (TOP + part.high) * MM);
    group.rotation.set(0, 0, 0);
    if (isHeld || isPulled) return Math.abs(part.x - before) > 0.01;
    return part.fallen !== null || part.high > 0 || Math.abs(part.x - plank.offset * SPACE) > 0.05;
  }

  /** It tilts over the edge, then slides off and falls. */
  #fall(part: PlankPart, side: number): void {
    const { group } = part;
    const t = part.fallen!;
    const tilting = Math.min(t, TILT_S) / TILT_S;
    const after = Math.max(0, t - TILT_S);
    const angle = side * (TILT * tilting ** 2.2 + 2.6 * after);
    const x = part.x - side * DECK_HALF + side * (34 * tilting ** 3);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const down = after * 0.25 + (FALL * after * after) / 2;
    const z = -DECK_DEPTH * MM + (-x * s + PLANK.thick * c) * MM - down;
    group.position.set((side * DECK_HALF + x * c + PLANK.thick * s) * MM + side * 0.1 * after, laneAt(part.lane) * MM, z);
    group.rotation.set(0, angle, 0);
    if (!part.hasSplashed && z < -WATER_DEPTH * MM) {
      part.hasSplashed = true;
      this.sea.splash(group.position.x, group.position.y);
    }
    group.visible = z > SUNK;
  }

  // The pirates ---------------------------------------------------------------------------------

  #place(seconds: number, calm: boolean): boolean {
    this.#ship.updateMatrixWorld(true);
    let moves = false;
    for (const pirate of this.#deck!.pirates) moves = this.#placePirate(pirate, seconds, calm) || moves;
    return moves;
  }

  #placePirate(pirate: Pirate, seconds: number, calm: boolean): boolean {
    let trip = this.#pirates.get(pirate.id);
    const isNew = trip === undefined;
    if (trip === undefined) {
      const mesh = carvePirate(pirate.colour, this.#feet[pirate.colour], this.detail);
      this.space.add(mesh);
      trip = { mesh, anchor: "", back: new Vector3(), done: 1, arc: 0, seconds: FLIGHT_S };
      this.#pirates.set(pirate.id, trip);
    }
    const { mesh } = trip;
    const part = pirate.plank === null ? undefined : this.#planks.get(pirate.plank);
    mesh.visible = pirate.is !== "ashore" && !(pirate.is === "aboard" && part?.group.visible === false);
    if (pirate.is === "ashore") {
      trip.anchor = "";
      return false;
    }
    const { at, turn, isHeld } = this.#anchor(pirate, part);
    const anchor = pirate.is === "hand" ? "hand" : `${pirate.is} ${pirate.plank} ${pirate.space}`;
    if (anchor !== trip.anchor) {
      const wasAboard = trip.anchor.startsWith("aboard") && pirate.is === "aboard";
      if (isNew || trip.anchor === "") trip.back.set(0, 0, isNew ? 0 : 0.05);
      else trip.back.copy(mesh.position).sub(at);
      if (pirate.is === "sea") trip.back.set(0, 0, -0.04);
      trip.done = calm || (isNew && this.#time === 0) ? 1 : 0;
      trip.seconds = wasAboard ? PUSH_S : FLIGHT_S;
      trip.arc = wasAboard || isHeld || pirate.is === "sea" ? 0 : Math.min(0.05, trip.back.length() * 0.4);
      trip.anchor = anchor;
    }
    const waits = this.#isWaiting(pirate) && !isHeld;
    if (!waits) trip.done = calm ? 1 : Math.min(1, trip.done + seconds / trip.seconds);
    const left = (1 - trip.done) ** 3;
    mesh.position.copy(at).addScaledVector(trip.back, left);
    mesh.position.z += trip.arc * Math.sin(Math.PI * trip.done);
    mesh.quaternion.copy(turn);
    if (pirate.is === "sea" && !calm) mesh.position.z += 0.0025 * Math.sin(this.#time * 2.2 + pirate.id);
    return trip.done < 1 && !waits;
  }

  /** Who makes way does so when the one who comes is near. */
  #isWaiting(pirate: Pirate): boolean {
    const { gesture } = this.#deck!;
    if (gesture?.do !== "set" && gesture?.do !== "board") return false;
    return pirate.is === "aboard" && gesture.at.startsWith(`${pirate.plank}:`) && (this.#held?.z ?? HELD) > NEAR;
  }

  #anchor(pirate: Pirate, part: PlankPart | undefined): { at: Vector3; turn: Quaternion; isHeld: boolean } {
    if (pirate.is === "sea" || part === undefined) return { at: swimmer(pirate.id), turn: UPRIGHT, isHeld: false };
    const held = this.#held;
    const isAtHand = held !== null && held.does !== "slide" && held.at === `${pirate.plank}:${pirate.space}`;
    const inShip = (x: number, y: number, z: number) => this.#ship.localToWorld(new Vector3(x * MM, y * MM, z * MM));
    if (isAtHand && (pirate.is === "hand" || held.does !== "lift")) {
      return { at: inShip(held.x, laneAt(part.lane), TOP + held.z), turn: UPRIGHT, isHeld: true };
    }
    if (pirate.is === "hand") {
      const [x, y] = this.#carried ?? [part.x + pirate.space * SPACE, laneAt(part.lane), 0];
      return { at: inShip(x, y, TOP + HELD), turn: UPRIGHT, isHeld: this.#carried !== null };
    }
    const at = part.group.localToWorld(new Vector3(pirate.space * SPACE * MM, 0, 0.0004));
    return { at, turn: part.group.getWorldQuaternion(new Quaternion()), isHeld: false };
  }

  // Where things are ----------------------------------------------------------------------------

  /** A place on a plank, by spaces from its middle and millimetres above it, in the world. */
  onPlank(plank: Plank, space: number, above = 0): Vec {
    const group = this.#planks.get(plank)?.group;
    const local = new Vector3(space * SPACE * MM, 0, above * MM);
    return (group === undefined ? local : group.localToWorld(local)).toArray();
  }

  /** Where a point of the canvas is on the planks, in millimetres of the ship. */
  onDeck(x: number, y: number): Vec | null {
    const up = new Vector3(0, 0, 1).applyQuaternion(this.#ship.quaternion);
    const at = this.#ship.localToWorld(new Vector3(0, 0, TOP * MM));
    return this.#inShip(this.onPlane(x, y, at.toArray(), up.toArray()));
  }

  /**
   * Where a point of the canvas is on the upright plane through a lane, in millimetres: straight up
   * is straight up, however the ship lies.
   */
  onLane(x: number, y: number, plank: Plank): Vec | null {
    const lane = this.#planks.get(plank)?.lane ?? 0;
    const at = this.#ship.localToWorld(new Vector3(0, laneAt(lane) * MM, TOP * MM));
    return (this.onPlane(x, y, at.toArray(), [0, -1, 0])?.map((v) => v / MM) as Vec | undefined) ?? null;
  }

  #inShip(at: Vec | null): Vec | null {
    if (at === null) return null;
    const { x, y, z } = this.#ship.worldToLocal(new Vector3(...at));
    return [x / MM, y / MM, z / MM - TOP];
  }

  /** How steeply the ship lies now. */
  get roll(): number {
    return this.#roll;
  }
}

const UPRIGHT = new Quaternion();

/** Where somebody swims: on either side of the bow. */
function swimmer(id: number): Vector3 {
  const side = id % 2 === 0 ? -1 : 1;
  const [column, row] = [Math.floor(id / 2) % 3, Math.floor(id / 6)];
  const x = side * (100 + 27 * column + 12 * row);
  return new Vector3(x * MM, (116 + 27 * row - 4 * column) * MM, -(WATER_DEPTH + DEEP) * MM);
}

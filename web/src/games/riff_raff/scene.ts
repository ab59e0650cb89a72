/** The picture: ship, cargo, sea and hand, drawn when something has changed. */

import {
  AdditiveBlending,
  BoxGeometry,
  BufferAttribute,
  Color,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  NormalBlending,
  Object3D,
  Raycaster,
  Vector3,
  type BufferGeometry,
} from "three";

import { shipTurn, type Pose, type Vec } from "../../table3d/poses";
import type { Theme } from "../../table3d/sky";
import { Studio } from "../../table3d/studio";
import { grain } from "../../table3d/wood";
import { carve } from "./cargo";
import { areaOf, MM, pieceOf, type Kit } from "./kit";
import type { Picture } from "./motion";
import { buildFlag, buildShip } from "./ship";
import { SKY } from "./sky";
import { Tackle } from "./tackle";
import type { Piece } from "./view";

/** What is to be seen. */
export interface Sight {
  picture: Picture;
  /** The piece in the hand, and where the hand wants it. */
  held: number | null;
  hand: Vec | null;
  isIntruding: boolean;
  falling: ReadonlySet<number>;
  /** The area that glows. */
  area: number | null;
}

/** The hull as the water sees it. */
const HULL = { half: [0.15, 0.052], shadow: [0.05, 0.075] } as const;
const GOOD = new Color("#ffc445");
const BAD = new Color("#ff4a36");

const place = (thing: Object3D, { at, turn }: Pose): void => {
  thing.position.set(...at);
  thing.quaternion.set(turn[1], turn[2], turn[3], turn[0]);
};

export class Scene extends Studio {
  #ship: Group;
  #flag: Mesh<BufferGeometry, MeshLambertMaterial>;
  #tackle = new Tackle();
  #pieces = new Map<number, Mesh<BufferGeometry, MeshLambertMaterial>>();
  #shapes = new Map<Piece, BufferGeometry>();
  #woods: Record<"usual" | "held" | "falling", MeshLambertMaterial>;
  #glow: Mesh<BoxGeometry, MeshBasicMaterial>;
  #glowing: number | null = null;
  #last: Picture | null = null;
  #down = new Raycaster();
  #kit: Kit;

  /** Throws if the browser cannot draw. */
  constructor(canvas: HTMLCanvasElement, kit: Kit, isSlow: boolean) {
    super(canvas, { sky: SKY, depth: (kit.water.depth - 9) * MM, hull: HULL, shadow: { x: 0.28, y: 0.3 } }, isSlow);
    this.#kit = kit;
    const { sharpness } = this;
    const map = grain(sharpness);
    const wood = (emissive: string) => new MeshLambertMaterial({ map, vertexColors: true, emissive });
    this.#woods = { usual: wood("#000"), held: wood("#3a2706"), falling: wood("#8a1d08") };

    this.#ship = buildShip(kit, sharpness);
    this.#glow = new Mesh(glowBox(), glowPaint());
    this.#glow.visible = false;
    this.#flag = buildFlag(kit);
    this.#ship.add(this.#glow, this.#flag);
    this.space.add(this.#ship, this.#tackle);
  }

  // How it looks --------------------------------------------------------------------------------

  override setTheme(theme: Theme): void {
    super.setTheme(theme);
    this.#glow.material.blending = theme === "dark" ? AdditiveBlending : NormalBlending;
    this.#glow.material.opacity = theme === "dark" ? 0.5 : 1;
  }

  /** The captain's colour, or no flag. */
  setFlag(colour: string | null): void {
    this.#flag.visible = colour !== null;
    if (colour !== null) this.#flag.material.color.set(colour.trim());
  }

  // What is seen --------------------------------------------------------------------------------

  show(sight: Sight): void {
    const { picture, held, falling } = sight;
    if (picture !== this.#last) this.moved();
    this.#last = picture;
    place(this.#ship, { at: [0, 0, 0], turn: shipTurn(picture.ship) });
    for (const [id, mesh] of this.#pieces) {
      if (picture.pieces.has(id)) continue;
      this.space.remove(mesh);
      this.#pieces.delete(id);
    }
    for (const [id, pose] of picture.pieces) {
      const mesh = this.#pieceMesh(id);
      place(mesh, pose);
      mesh.material = this.#woods[falling.has(id) ? "falling" : id === held ? "held" : "usual"];
    }
    this.#showGlow(sight);
    this.#showHand(sight);
  }

  #pieceMesh(id: number): Mesh<BufferGeometry, MeshLambertMaterial> {
    let mesh = this.#pieces.get(id);
    if (mesh === undefined) {
      const piece = pieceOf(id);
      let shape = this.#shapes.get(piece);
      if (shape === undefined) this.#shapes.set(piece, (shape = carve(this.#kit, piece)));
      mesh = new Mesh(shape, this.#woods.usual);
      mesh.castShadow = mesh.receiveShadow = true;
      this.#pieces.set(id, mesh);
      this.space.add(mesh);
    }
    return mesh;
  }

  #showGlow({ area, isIntruding }: Sight): void {
    this.#glow.visible = area !== null;
    this.#glow.material.color.copy(isIntruding ? BAD : GOOD);
    if (area === null || area === this.#glowing) return;
    this.#glowing = area;
    const { from, to, top } = areaOf(this.#kit, area);
    this.#glow.scale.set((to[0] - from[0] - 2) * MM, (to[1] - from[1] - 2) * MM, 34 * MM);
    this.#glow.position.set(((from[0] + to[0]) / 2) * MM, ((from[1] + to[1]) / 2) * MM, (top + 1.2) * MM);
  }

  #showHand({ held, hand, isIntruding }: Sight): void {
    const mesh = held === null ? undefined : this.#pieces.get(held);
    if (mesh === undefined || hand === null) {
      this.#tackle.drop();
      return;
    }
    const size = mesh.geometry.boundingSphere?.radius ?? 0.015;
    const floor = this.#below(mesh);
    this.#tackle.hold(new Vector3(...hand), mesh.position, size, floor, isIntruding);
  }

  /** Where something would land if it fell straight down. */
  #below(mesh: Mesh): Vector3 | null {
    this.#ship.updateMatrixWorld();
    this.#down.set(mesh.position, new Vector3(0, 0, -1));
    const others = [...this.#pieces.values()].filter((other) => other !== mesh);
    const solids = this.#ship.children.slice(0, 2);
    const [hit] = this.#down.intersectObjects([...solids, ...others], false);
    return hit?.point ?? new Vector3(mesh.position.x, mesh.position.y, this.sea.position.z);
  }

  /** Time passes for the sea and the camera; whether they go on moving by themselves. */
  step(seconds: number, calm: boolean): boolean {
    if (!calm) this.sea.move(seconds);
    const turns = this.view.step(seconds, calm);
    return turns || this.isShadowStale || (!calm && this.sea.isStirred);
  }

  splash([x, y]: Vec): void {
    this.sea.splash(x, y);
  }
}

/** A box of light over an area, bright at its foot, open above. */
function glowBox(): BoxGeometry {
  const box = new BoxGeometry(1, 1, 1).translate(0, 0, 0.5);
  const at = box.getAttribute("position");
  const normal = box.getAttribute("normal");
  const colours = new Float32Array(at.count * 4);
  for (let i = 0; i < at.count; i++) {
    const foot = at.getZ(i) < 0.1 ? 0.55 : 0;
    colours.set([1, 1, 1, normal.getZ(i) > 0.5 ? 0 : foot], i * 4);
  }
  box.setAttribute("color", new BufferAttribute(colours, 4));
  return box;
}

const glowPaint = (): MeshBasicMaterial =>
  new MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: DoubleSide });

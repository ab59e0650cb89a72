/** What is drawn for the hand: a hook on a rope, a sling to the piece, and where it would come down. */

import {
  BufferGeometry,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  RingGeometry,
  TorusGeometry,
  Vector3,
} from "three";

import { joined, painted, rod, rope } from "../../table3d/shapes";

const GOOD = "#ffd873";
const BAD = "#ff5a45";

export class Tackle extends Group {
  #hook: Mesh;
  #sling: Line;
  #plumb: Line;
  #spot: Mesh<RingGeometry, MeshBasicMaterial>;
  #plumbInk = new LineBasicMaterial({ color: GOOD, transparent: true, opacity: 0.75 });

  constructor() {
    super();
    const bow = new TorusGeometry(0.0055, 0.0012, 6, 14, 1.5 * Math.PI).rotateX(Math.PI / 2).rotateY(0.9 * Math.PI);
    const iron = "#c9ccd1";
    const shape = joined([
      painted(bow, iron),
      painted(rod(1.2, [0, 0, 4], [0, 0, 12]), iron),
      painted(rod(3.2, [0, 0, 12], [0, 0, 18]), "#8a5527"),
      painted(rope([0, 0, 18], [0, 0, 620], 0.8), "#e5d3a8"),
    ]);
    this.#hook = new Mesh(shape, new MeshLambertMaterial({ vertexColors: true }));
    this.#sling = new Line(new BufferGeometry(), new LineBasicMaterial({ color: "#f4e6bf" }));
    this.#plumb = new Line(new BufferGeometry(), this.#plumbInk);
    this.#spot = new Mesh(
      new RingGeometry(0.006, 0.0085, 28),
      new MeshBasicMaterial({ color: GOOD, transparent: true, opacity: 0.9, depthTest: false }),
    );
    this.#spot.renderOrder = 5;
    for (const line of [this.#sling, this.#plumb]) line.frustumCulled = false;
    this.add(this.#hook, this.#sling, this.#plumb, this.#spot);
    this.visible = false;
  }

  /** The hook over a hand at `hand`, holding a piece at `piece` this large; it would fall onto `floor`. */
  hold(hand: Vector3, piece: Vector3, size: number, floor: Vector3 | null, isBad: boolean): void {
    this.visible = true;
    this.#hook.position.copy(hand).add(new Vector3(0, 0, size + 0.004));
    this.#sling.geometry.setFromPoints([this.#hook.position, piece]);
    this.#plumb.visible = this.#spot.visible = floor !== null;
    if (floor === null) return;
    this.#plumb.geometry.setFromPoints([piece, floor]);
    this.#spot.position.copy(floor);
    this.#spot.position.z += 0.001;
    const colour = isBad ? BAD : GOOD;
    this.#spot.material.color.set(colour);
    this.#plumbInk.color.set(colour);
  }

  drop(): void {
    this.visible = false;
  }
}

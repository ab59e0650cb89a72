/** The sharks: fins that circle the ship, one for each that is left. One that leaves flees and dives. */

import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshLambertMaterial } from "three";

import { MM } from "../../table3d/poses";
import { MOST_FINS } from "./view";

/** The ways around the ship, in metres: half its width and its length. */
const AROUND = { x: 0.25, y: 0.23 };
const SPEED = 0.16;
const FLIGHT_S = 1.6;

function fin(): BufferGeometry {
  // its outline from the side, forwards where x grows
  const outline = [[-13, -6], [-11, 4], [-12, 13], [-9.5, 19], [-3, 14], [4, 6], [9, -2], [10, -6]] as const;
  const places: number[] = [];
  const point = (x: number, z: number, y: number) => places.push(x * MM, y * MM, z * MM);
  outline.slice(1, -1).forEach(([x, z], place) => {
    const [nx, nz] = outline[place + 2]!;
    const thick = (height: number) => Math.max(0, 2.6 - height * 0.13);
    for (const side of [-1, 1]) {
      point(outline[0][0], outline[0][1], side * thick(-6));
      point(x, z, side * thick(z) * 0.4);
      point(nx, nz, side * thick(nz) * 0.4);
    }
  });
  const shape = new BufferGeometry();
  shape.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  shape.computeVertexNormals();
  return shape;
}

export class Sharks extends Group {
  #fins: Mesh[] = [];
  #count = MOST_FINS;
  #phase = 0;
  /** For how long each has been fleeing; -1 for one that stays, past the end for one that is gone. */
  #fleeing: number[] = Array.from({ length: MOST_FINS }, () => -1);

  constructor(level: number) {
    super();
    const shape = fin();
    const skin = new MeshLambertMaterial({ color: "#9db4c0", side: DoubleSide });
    for (let i = 0; i < MOST_FINS; i++) {
      const one = new Mesh(shape, skin);
      this.#fins.push(one);
      this.add(one);
    }
    this.position.z = level;
    this.step(0, true);
  }

  /** So many are left. */
  set count(count: number) {
    if (count === this.#count) return;
    this.#count = count;
    this.#fleeing = this.#fleeing.map((since, i) => (i < count ? -1 : since < 0 ? 0 : since));
  }

  get isFleeing(): boolean {
    return this.#fleeing.some((since) => since >= 0 && since < FLIGHT_S);
  }

  step(seconds: number, calm: boolean): void {
    this.#phase += calm ? 0 : seconds;
    this.#fins.forEach((one, i) => {
      const since = this.#fleeing[i]!;
      if (since >= 0) this.#fleeing[i] = calm ? FLIGHT_S : since + seconds;
      const flight = Math.max(0, this.#fleeing[i]!) / FLIGHT_S;
      one.visible = flight < 1;
      if (!one.visible) return;
      const angle = this.#phase * SPEED * (1 + 0.12 * Math.sin(i * 2.4)) + (i * 2 * Math.PI) / MOST_FINS + 0.5 + 0.25 * Math.sin(i * 5);
      const wide = 1 + 0.13 * Math.sin(i * 3.7 + this.#phase * 0.3) + 1.6 * flight * flight;
      one.position.set(AROUND.x * wide * Math.cos(angle), AROUND.y * wide * Math.sin(angle), (-2 + 1.5 * Math.sin(this.#phase * 1.3 + i) - 26 * flight * flight) * MM);
      // along the way around, outwards in flight
      const along = Math.atan2(AROUND.y * Math.cos(angle), -AROUND.x * Math.sin(angle));
      const out = Math.atan2(Math.sin(angle), Math.cos(angle));
      one.rotation.z = flight > 0 ? out : along + 0.12 * Math.sin(this.#phase * 2.1 + i);
    });
  }
}

/** The camera: it goes to an angle by itself, and anybody may turn it. */

import { PerspectiveCamera, Vector3 } from "three";

import { fit, HIGHEST, LOWEST, towards, type Angle } from "./angle";
import type { Vec } from "./poses";

const FIELD = 30;
const SLOPE = Math.tan((FIELD * Math.PI) / 360);
const MARGIN = 1.06;
/** How quickly it goes where it wants to be. */
const EASE = 5;

export class Viewpoint {
  readonly camera = new PerspectiveCamera(FIELD, 1, 0.1, 6);
  angle: Angle = { azimuth: 0.35, elevation: 0.32 };

  #goal: Angle = this.angle;
  #points: readonly Vec[] = [[0, 0, 0.1]];
  #target = new Vector3(0, 0, 0.09);
  #goalTarget = new Vector3();
  #zoom = 1;
  #distance = 1;
  /** Whether it has been told where to look, and has been there. */
  #isFramed = false;
  #isSet = false;

  constructor() {
    this.camera.up.set(0, 0, 1);
  }

  /** Goes where these points fill the picture. */
  frame(points: readonly Vec[], angle: Angle = this.#goal): void {
    this.#points = points;
    this.#goal = angle;
    this.#zoom = 1;
    this.#isFramed = true;
  }

  /** Goes back until these points are in the picture too, and looks from where it did. */
  widen(points: readonly Vec[]): void {
    this.#points = [...this.#points, ...points];
    this.#zoom = Math.min(1, this.#zoom);
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
  }

  turn(azimuth: number, elevation: number): void {
    this.#goal = {
      azimuth: this.#goal.azimuth + azimuth,
      elevation: Math.min(HIGHEST, Math.max(LOWEST, this.#goal.elevation + elevation)),
    };
  }

  /** Nearer (above 1) or farther. */
  zoom(factor: number): void {
    this.#zoom = Math.min(3, Math.max(0.5, this.#zoom * factor));
  }

  /** Moves on; whether it still moves. `calm`: it jumps, as it does to the first place of all. */
  step(seconds: number, calm: boolean): boolean {
    const share = calm || !this.#isSet ? 1 : 1 - Math.exp(-EASE * seconds);
    this.#isSet = this.#isFramed;
    const goal = this.#goal;
    this.angle = {
      azimuth: this.angle.azimuth + (goal.azimuth - this.angle.azimuth) * share,
      elevation: this.angle.elevation + (goal.elevation - this.angle.elevation) * share,
    };
    const fitting = fit(goal, this.#points, SLOPE, this.camera.aspect);
    this.#goalTarget.set(...fitting.target);
    const wanted = (MARGIN * fitting.distance) / this.#zoom;
    this.#target.lerp(this.#goalTarget, share);
    this.#distance += (wanted - this.#distance) * share;
    const [x, y, z] = towards(this.angle);
    this.camera.position.set(x, y, z).multiplyScalar(this.#distance).add(this.#target);
    this.camera.lookAt(this.#target);
    this.camera.updateMatrixWorld();
    const off =
      Math.abs(goal.azimuth - this.angle.azimuth) +
      Math.abs(goal.elevation - this.angle.elevation) +
      Math.abs(wanted - this.#distance) +
      this.#target.distanceTo(this.#goalTarget);
    return off > 0.002;
  }
}

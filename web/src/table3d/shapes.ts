/** Geometry from a kit's parts: coloured, laid out along the grain, and joined to one piece. */

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  LatheGeometry,
  Matrix4,
  Quaternion,
  SphereGeometry,
  Vector2,
  Vector3,
} from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import { mergeGeometries, mergeVertices } from "three/addons/utils/BufferGeometryUtils.js";

import { MM, type Part, type Vec } from "./poses";

const UP = new Vector3(0, 1, 0);
/** How many times the grain repeats in a metre. */
const GRAIN = 14;

const vector = ([x, y, z]: Vec): Vector3 => new Vector3(x * MM, y * MM, z * MM);

const sides = (usual: number, detail: number): number => Math.max(3, Math.round(usual * detail));

/** Moves something that stands upright in three.js's way to where it goes from one point to another. */
function along(shape: BufferGeometry, from: Vector3, to: Vector3): BufferGeometry {
  const way = to.clone().sub(from);
  const turn = new Quaternion().setFromUnitVectors(UP, way.clone().normalize());
  const middle = from.clone().add(to).multiplyScalar(0.5);
  return shape.applyMatrix4(new Matrix4().compose(middle, turn, new Vector3(1, 1, 1)));
}

/**
 * A part as it is; `round` is how far the edges of boxes are taken off, in millimetres. `detail` says
 * how smooth it is, 1 being usual.
 */
export function shapeOf(part: Part, round = 1.2, detail = 1): BufferGeometry {
  if (part.kind === "box") {
    const [x, y, z] = part.size;
    const edge = Math.min(round, x / 3, y / 3, z / 3) * MM;
    const box = round > 0 ? new RoundedBoxGeometry(x * MM, y * MM, z * MM, 1, edge) : new BoxGeometry(x * MM, y * MM, z * MM);
    return box.translate(part.at[0] * MM, part.at[1] * MM, part.at[2] * MM);
  }
  if (part.kind === "sphere") {
    const [around, down] = part.radius < 2 ? [5, 3] : part.radius < 3 ? [7, 5] : [12, 7];
    return new SphereGeometry(part.radius * MM, sides(around, detail), sides(down, detail)).translate(...(part.at.map((at) => at * MM) as Vec));
  }
  const [from, to] = [vector(part.from), vector(part.to)];
  const length = from.distanceTo(to);
  const shape =
    part.kind === "capsule"
      ? new CapsuleGeometry(part.radius * MM, length, 3, 8)
      : new CylinderGeometry(part.radius * MM, part.radius * MM, length, sides(part.radius < 3 ? 6 : 20, detail));
  return along(shape, from, to);
}

/** A rope, or a rod, in millimetres. */
export function rope(from: Vec, to: Vec, radius = 0.6): BufferGeometry {
  const [a, b] = [vector(from), vector(to)];
  return along(new CylinderGeometry(radius * MM, radius * MM, a.distanceTo(b), 5, 1, true), a, b);
}

export const box = (size: Vec, at: Vec, round = 0): BufferGeometry =>
  shapeOf({ kind: "box", size, at }, round);
export const sphere = (radius: number, at: Vec, detail = 1): BufferGeometry =>
  shapeOf({ kind: "sphere", radius, at }, 0, detail);
export const rod = (radius: number, from: Vec, to: Vec, detail = 1): BufferGeometry =>
  shapeOf({ kind: "cylinder", radius, from, to }, 0, detail);

/** A body turned on a lathe about z: radius and height of each point of its outline. */
export function turned(outline: readonly (readonly [number, number])[], segments = 20, detail = 1): BufferGeometry {
  const points = outline.map(([radius, z]) => new Vector2(radius * MM, z * MM));
  return new LatheGeometry(points, sides(segments, detail)).rotateX(Math.PI / 2);
}

/** Paints a shape, and lays the grain over it from the side each face looks to. */
export function painted(shape: BufferGeometry, colour: string, grain = GRAIN): BufferGeometry {
  const flat = shape.index === null ? shape : shape.toNonIndexed();
  const place = flat.getAttribute("position");
  const normal = flat.getAttribute("normal");
  const { r, g, b } = new Color(colour);
  const colours = new Float32Array(place.count * 3);
  const uvs = new Float32Array(place.count * 2);
  for (let i = 0; i < place.count; i++) {
    colours.set([r, g, b], i * 3);
    const [x, y, z] = [place.getX(i), place.getY(i), place.getZ(i)];
    const [a, c] = [Math.abs(normal.getX(i)), Math.abs(normal.getZ(i))];
    const isTop = c > a && c > Math.abs(normal.getY(i));
    const isEnd = !isTop && a > Math.abs(normal.getY(i));
    uvs.set(isTop ? [x * grain, y * grain] : isEnd ? [z * grain, y * grain] : [x * grain, z * grain], i * 2);
  }
  const made = new BufferGeometry();
  made.setAttribute("position", place);
  made.setAttribute("normal", normal);
  made.setAttribute("color", new BufferAttribute(colours, 3));
  made.setAttribute("uv", new BufferAttribute(uvs, 2));
  return made;
}

/** Painted shapes as one. */
export function joined(shapes: BufferGeometry[]): BufferGeometry {
  const whole = mergeVertices(mergeGeometries(shapes), 1e-5);
  whole.computeBoundingSphere();
  return whole;
}

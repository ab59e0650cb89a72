/** The ship: its parts from the kit, a hull around them, ropes, and the numbers of the areas. */

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PlaneGeometry,
  type Texture,
} from "three";

import type { Vec } from "../../table3d/poses";
import { joined, painted, rod, rope, shapeOf, turned } from "../../table3d/shapes";
import { draw, grain, planks } from "../../table3d/wood";
import { areaOf, MM, type Kit, type Part } from "./kit";
import { AREAS } from "./view";

const PLANKED = ["deck", "bow", "stern"];
const COLOURS: Record<string, string> = {
  deck: "#d3a367",
  bow: "#c08a4d",
  stern: "#c08a4d",
  rail: "#8a5527",
  mast: "#b07a40",
  yard: "#c48d4e",
  bowsprit: "#b07a40",
  keel: "#5d3a1d",
};
const HULL = "#8d5526";
const STRIPE = "#e2b766";
const HEMP = "#e5d3a8";
const DISC = "#fff2cc";
const INK = "#2b1405";
const CHALK = "#fff0cf";

const partsOf = (kit: Kit, ...names: string[]): Part[] =>
  kit.ship.parts.filter((part) => names.includes(part.name ?? ""));

/** A skin around the hull's box: as wide as the deck above, narrow at the keel, sharp at the bow. */
function hull(kit: Kit): BufferGeometry[] {
  const [inner] = partsOf(kit, "hull");
  if (inner?.kind !== "box") return [];
  const { from } = areaOf(kit, 1);
  const { to } = areaOf(kit, 4);
  const [length, width] = [(to[0] - from[0]) / 2, (to[1] - from[1]) / 2];
  const [top, low] = [6, inner.at[2] - inner.size[2] / 2 - 16];
  // down the side: how deep, how wide, how long
  const ribs: [number, number, number][] = [
    [0, 1, 1],
    [0.3, 0.98, 0.985],
    [0.62, 0.86, 0.94],
    [0.86, 0.6, 0.87],
    [1, 0.25, 0.8],
  ];
  const around = 28;
  const point = (rib: [number, number, number], step: number): Vec => {
    const angle = (step / around) * 2 * Math.PI;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    // nearly a rectangle above, rounder and rounder below
    const power = 0.22 + 0.5 * rib[0];
    const x = Math.sign(c) * Math.abs(c) ** power * length * rib[2];
    const y = Math.sign(s) * Math.abs(s) ** power * width * rib[1];
    return [x, y, top + (low - top) * rib[0]];
  };
  const skin = (a: [number, number, number], b: [number, number, number], grow = 1): BufferGeometry => {
    const places: number[] = [];
    for (let step = 0; step < around; step++) {
      const [p, q] = [point(a, step), point(a, step + 1)];
      const [r, s] = [point(b, step), point(b, step + 1)];
      for (const [x, y, z] of [p, r, q, q, r, s]) places.push(x * grow * MM, y * grow * MM, z * MM);
    }
    const shape = new BufferGeometry();
    shape.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
    shape.computeVertexNormals();
    return shape;
  };
  const sides = ribs.slice(1).map((rib, place) => painted(skin(ribs[place]!, rib), HULL));
  const stripe = painted(skin([0.05, 1, 1], [0.17, 0.99, 0.995], 1.006), STRIPE);
  return [...sides, stripe];
}

/** Shrouds beside the yards, and lashings where these cross the mast. */
function ropes(kit: Kit): BufferGeometry[] {
  const [mast] = partsOf(kit, "mast");
  if (mast?.kind !== "capsule") return [];
  const edge = areaOf(kit, 2).to[1] - 2;
  const foot = areaOf(kit, 2).top + 2;
  const top = mast.to[2] - 24;
  const made: BufferGeometry[] = [];
  for (const side of [-1, 1]) {
    const at = (x: number, share: number): Vec => [x * (1 - share), side * edge * (1 - share), foot + (top - foot) * share];
    for (const x of [-26, 26]) made.push(rope(at(x, 0), at(x, 1)));
    for (const share of [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]) made.push(rope(at(-26, share), at(26, share), 0.4));
  }
  for (const yard of partsOf(kit, "yard")) {
    if (yard.kind !== "box") continue;
    const z = yard.at[2];
    for (const lift of [-6, 6]) {
      made.push(turned([[mast.radius + 0.3, z + lift - 1.6], [mast.radius + 1.1, z + lift], [mast.radius + 0.3, z + lift + 1.6]], 10));
    }
  }
  return made.map((shape) => painted(shape, HEMP));
}

/** The numbers 1 to 10 in two rows of five. */
function numbers(): Texture {
  return draw(640, 256, (pen) => {
    pen.font = "700 92px Georgia, serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillStyle = "#fff";
    for (let number = 1; number <= 10; number++) {
      const column = (number - 1) % 5;
      const row = Math.floor((number - 1) / 5);
      pen.fillText(String(number), column * 128 + 64, row * 128 + 68);
    }
  });
}

/** Pale discs with the areas' numbers, on both sides of the ship; the numbers lie on deck too. */
function signs(kit: Kit): { discs: BufferGeometry[]; figures: BufferGeometry } {
  const discs: BufferGeometry[] = [];
  const figures: BufferGeometry[] = [];
  const figure = (number: number, size: number, colour: string): BufferGeometry => {
    const plane = new PlaneGeometry(size * MM, size * MM);
    const [column, row] = [(number - 1) % 5, Math.floor((number - 1) / 5)];
    const uv = plane.getAttribute("uv");
    for (let i = 0; i < uv.count; i++) uv.setXY(i, (column + uv.getX(i)) / 5, (1 - row + uv.getY(i)) / 2);
    const { r, g, b } = new Color(colour);
    const paint = Array.from({ length: uv.count }, () => [r, g, b]).flat();
    plane.setAttribute("color", new BufferAttribute(new Float32Array(paint), 3));
    return plane.toNonIndexed();
  };
  for (const number of AREAS) {
    const { from, to, top } = areaOf(kit, number);
    const x = (from[0] + to[0]) / 2;
    const isDeck = number <= 4;
    const z = isDeck ? top - 9 : top - 5.4;
    const r = isDeck ? 9 : 7.6;
    for (const side of [-1, 1]) {
      const y = side * (to[1] + 0.4);
      discs.push(rod(r, [x, y, z], [x, y + side * 1.2, z]));
      const plane = figure(number, 1.6 * r, INK).rotateX(Math.PI / 2);
      if (side > 0) plane.rotateZ(Math.PI);
      figures.push(plane.translate(x * MM, (y + side * 1.5) * MM, z * MM));
    }
    if (isDeck) figures.push(figure(number, 34, CHALK).translate(x * MM, -22 * MM, (top + 0.4) * MM));
  }
  return { discs: discs.map((disc) => painted(disc, DISC)), figures: joined(figures) };
}

/** A pennant over the mast, in nobody's colour yet. */
export function buildFlag(kit: Kit): Mesh<BufferGeometry, MeshLambertMaterial> {
  const [mast] = partsOf(kit, "mast");
  const top = mast?.kind === "capsule" ? mast.to[2] + mast.radius : 0;
  const waves = [0, 1, 2, 3, 4].map((n): [number, number, number] => [n * 11, 3 * Math.sin(n * 1.5), 11 - 2.4 * n]);
  const places: number[] = [];
  waves.slice(1).forEach((b, n) => {
    const a = waves[n]!;
    const point = ([x, y, half]: typeof a, sign: number) => [x * MM, y * MM, (top + 13 + sign * half) * MM];
    for (const corner of [point(a, -1), point(b, -1), point(a, 1), point(a, 1), point(b, -1), point(b, 1)]) places.push(...corner);
  });
  const cloth = new BufferGeometry();
  cloth.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  cloth.computeVertexNormals();
  const flag = new Mesh(cloth, new MeshLambertMaterial({ side: DoubleSide }));
  const pole = new Mesh(painted(rope([0, 0, top - 4], [0, 0, top + 26], 1.1), "#b07a40"), new MeshLambertMaterial({ vertexColors: true }));
  flag.add(pole);
  return flag;
}

/** The ship as a group of few meshes, in its own frame. */
export function buildShip(kit: Kit, sharpness: number): Group {
  const { discs, figures } = signs(kit);
  const [planked, plain]: [BufferGeometry[], BufferGeometry[]] = [[], discs];
  for (const part of kit.ship.parts) {
    const name = part.name ?? "";
    if (name === "hull") continue;
    const colour = COLOURS[name] ?? HULL;
    if (PLANKED.includes(name)) planked.push(painted(shapeOf(part, 1), colour, 9));
    else plain.push(painted(shapeOf(part, 1.5), colour));
  }
  planked.push(...hull(kit));

  const ship = new Group();
  const add = (shapes: BufferGeometry[], map: ReturnType<typeof grain>) => {
    const mesh = new Mesh(joined(shapes), new MeshLambertMaterial({ map, vertexColors: true }));
    mesh.castShadow = mesh.receiveShadow = true;
    ship.add(mesh);
  };
  add(planked, planks(sharpness));
  add(plain, grain(sharpness));
  // ropes cast no shadow: on cargo it would look like dirt
  ship.add(new Mesh(joined(ropes(kit)), new MeshLambertMaterial({ vertexColors: true })));
  const paint = new MeshBasicMaterial({
    map: numbers(),
    vertexColors: true,
    transparent: true,
    opacity: 0.9,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -2,
  });
  ship.add(new Mesh(figures, paint));
  return ship;
}

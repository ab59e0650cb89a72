/** The ship without its planks: hull, deck with its ridges, bulwarks, a mast before the bow. */

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshLambertMaterial,
  PlaneGeometry,
  Shape,
  ShapeGeometry,
} from "three";

import { MM, type Vec } from "../../table3d/poses";
import { box, joined, painted, rod, rope, sphere, turned } from "../../table3d/shapes";
import { draw, grain, planks } from "../../table3d/wood";
import { DECK_DEPTH, DECK_HALF, laneAt, PITCH, SPACE } from "./measures";

const HULL = "#8d5526";
const DARK = "#5d3a1d";
const DECK = "#c89a61";
const RAIL = "#9a6230";
const STRIPE = "#e2b766";
const HEMP = "#e5d3a8";
const BRASS = "#e9c05a";
const CHALK = "#fff0cf";

const TOP = -DECK_DEPTH;
const KEEL = -72;
const STERN = -132;
const BOW = 205;
/** The planks lie between these. */
const [AFT, FORE] = [-3 * PITCH - 4, 3 * PITCH + 4];

/** Half the width of the deck, so far towards the bow. */
function halfAt(y: number): number {
  if (y < AFT) return DECK_HALF - 8 * ((AFT - y) / (AFT - STERN)) ** 2;
  if (y < FORE) return DECK_HALF;
  const share = (y - FORE) / (BOW - FORE);
  return DECK_HALF * Math.max(0, 1 - share ** 1.9);
}

const STATIONS = [STERN, -115, AFT, -45, 0, 45, FORE, 112, 130, 148, 166, 182, 194, BOW];
/** How high the sides are: above the deck before and behind the planks, level with it between. */
const sideTop = (y: number): number => (y > AFT && y < FORE ? TOP - 0.5 : TOP + 15 + Math.max(0, y - FORE) * 0.09);

function mesh(corners: Vec[][]): BufferGeometry {
  const places: number[] = [];
  for (const [a, b, c, d] of corners) for (const [x, y, z] of [a!, b!, c!, c!, b!, d!]) places.push(x * MM, y * MM, z * MM);
  const shape = new BufferGeometry();
  shape.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  shape.computeVertexNormals();
  return shape;
}

/** A strip of the hull's skin: from one share of the depth to another, on both sides. */
function strake(from: number, to: number, grow = 0): BufferGeometry {
  const belly = [1, 1.02, 0.97, 0.78, 0.3];
  const width = (share: number) => {
    const at = share * (belly.length - 1);
    const low = Math.min(Math.floor(at), belly.length - 2);
    return belly[low]! + (belly[low + 1]! - belly[low]!) * (at - low);
  };
  const point = (side: number, y: number, share: number): Vec => {
    const low = KEEL + Math.max(0, y - 120) * 0.35;
    return [side * (halfAt(y) * width(share) + grow), y, sideTop(y) + (low - sideTop(y)) * share];
  };
  const quads: Vec[][] = [];
  for (const side of [-1, 1]) {
    STATIONS.slice(1).forEach((y, place) => {
      const before = STATIONS[place]!;
      quads.push([point(side, before, from), point(side, y, from), point(side, before, to), point(side, y, to)]);
    });
  }
  const behind = (share: number) => [point(-1, STERN, share), point(1, STERN, share)];
  quads.push([...behind(from), ...behind(to)]);
  return mesh(quads);
}

/** A level deck between the sides. */
function floor(from: number, to: number, z: number, inset = 0): BufferGeometry {
  const outline = new Shape();
  const ys = [from, ...STATIONS.filter((y) => y > from && y < to), to];
  ys.forEach((y, place) => {
    const x = Math.max(0, halfAt(y) - inset) * MM;
    if (place === 0) outline.moveTo(x, y * MM);
    else outline.lineTo(x, y * MM);
  });
  for (const y of [...ys].reverse()) outline.lineTo(-Math.max(0, halfAt(y) - inset) * MM, y * MM);
  return new ShapeGeometry(outline).translate(0, 0, z * MM);
}

/** Boards that run along the ship. */
function lengthwise(shape: BufferGeometry, colour: string, scale: number): BufferGeometry {
  const made = painted(shape, colour, scale);
  const uv = made.getAttribute("uv");
  for (let i = 0; i < uv.count; i++) uv.setXY(i, uv.getY(i), uv.getX(i));
  return made;
}

/** What keeps the planks apart, with a line for every space, and the cord over the middle. */
function lanes(): BufferGeometry[] {
  const made: BufferGeometry[] = [];
  for (let edge = 0; edge <= 6; edge++) {
    const y = laneAt(edge) + PITCH / 2;
    made.push(painted(box([2 * DECK_HALF, 1.6, 5], [0, y, TOP + 2.5]), DARK));
    for (let space = -3; space <= 3; space++) {
      if (space !== 0) made.push(painted(box([0.9, 1.7, 0.4], [space * SPACE, y, TOP + 5.2]), CHALK));
    }
    made.push(painted(sphere(2.1, [0, y, TOP + 5.5]), BRASS));
  }
  made.push(painted(rope([0, AFT - 6, TOP + 0.8], [0, FORE + 6, TOP + 0.8], 1), HEMP));
  return made;
}

/** Bulwark rails, a wheel behind, a lantern, a bowsprit. */
function fittings(): BufferGeometry[] {
  const made: BufferGeometry[] = [];
  const rail = (ys: number[], thick: number) => {
    for (const side of [-1, 1]) {
      ys.slice(1).forEach((y, place) => {
        const before = ys[place]!;
        made.push(painted(rod(thick, [side * halfAt(before), before, sideTop(before)], [side * halfAt(y), y, sideTop(y)]), RAIL));
      });
    }
  };
  rail([STERN, -115, AFT], 2.6);
  rail([FORE, 112, 130, 148, 166, 182, 194, BOW - 2], 2.6);
  made.push(painted(rod(2.6, [-halfAt(STERN), STERN, sideTop(STERN)], [halfAt(STERN), STERN, sideTop(STERN)]), RAIL));
  made.push(painted(rod(3.2, [0, 150, TOP + 16], [0, 262, TOP + 52]), RAIL));
  // the wheel
  made.push(painted(box([5, 5, 16], [0, -113, TOP + 8], 1), DARK));
  const wheel = turned([[8.5, -0.9], [10.3, -0.9], [10.3, 0.9], [8.5, 0.9], [8.5, -0.9]], 18).rotateX(1.25).translate(0, -117 * MM, (TOP + 19) * MM);
  made.push(painted(wheel, RAIL));
  for (let spoke = 0; spoke < 4; spoke++) {
    const angle = (spoke * Math.PI) / 4;
    const [x, z] = [12.5 * Math.cos(angle), 12.5 * Math.sin(angle)];
    made.push(painted(rope([-x, -117 + 0.3 * z, TOP + 19 - z], [x, -117 - 0.3 * z, TOP + 19 + z], 0.7), BRASS));
  }
  // lanterns at the stern, chests before the mast
  for (const side of [-1, 1]) {
    const x = side * (halfAt(STERN) - 4);
    made.push(painted(rope([x, STERN + 2, TOP + 12], [x, STERN + 2, TOP + 30], 0.9), DARK));
    made.push(painted(sphere(4.2, [x, STERN + 2, TOP + 33]), "#ffe7a0"));
  }
  made.push(painted(box([17, 12, 9], [-29, 114, TOP + 11], 1), "#7a4a22"), painted(box([17.4, 3, 9.4], [-29, 114, TOP + 11]), BRASS));
  made.push(painted(turned([[0, 0], [6, 0], [7.2, 6], [7.2, 9], [6, 15], [0, 15]], 14).translate(27 * MM, 114 * MM, (TOP + 6.5) * MM), "#8a5a2f"));
  return made;
}

const MAST = { y: 142, foot: TOP + 6, top: 66 };
/** The yards the sail hangs between. */
const [UPPER, LOWER] = [50, -10];

function rigging(): BufferGeometry[] {
  const made = [
    painted(rod(3.4, [0, MAST.y, MAST.foot], [0, MAST.y, MAST.top]), "#b07a40"),
    painted(rod(1.9, [-62, MAST.y - 4, UPPER], [62, MAST.y - 4, UPPER]), "#b98848"),
    painted(rod(1.6, [-58, MAST.y - 4, LOWER], [58, MAST.y - 4, LOWER]), "#b98848"),
    painted(sphere(4, [0, MAST.y, MAST.top + 2]), BRASS),
  ];
  for (const side of [-1, 1]) {
    for (const y of [112, 128]) made.push(painted(rope([side * halfAt(y) * 0.97, y, sideTop(y)], [0, MAST.y, 56], 0.6), HEMP));
    made.push(painted(rope([side * 62, MAST.y - 4, UPPER], [0, MAST.y, MAST.top], 0.5), HEMP));
  }
  made.push(painted(rope([0, 258, TOP + 51], [0, MAST.y, 60], 0.6), HEMP));
  return made;
}

/** The sail: cream, with a skull over crossed planks. */
function sail(): Mesh {
  const cloth = new PlaneGeometry(112 * MM, (UPPER - LOWER) * MM, 10, 6).rotateX(Math.PI / 2);
  const at = cloth.getAttribute("position");
  for (let i = 0; i < at.count; i++) {
    const [x, z] = [at.getX(i) / (56 * MM), (2 * at.getZ(i)) / ((UPPER - LOWER) * MM)];
    // the wind from abaft fills it; at the mast it is held
    at.setY(i, -(1 - (1 - x * x) * (1 - z * z)) * 8 * MM);
  }
  cloth.computeVertexNormals();
  const map = draw(448, 280, (pen) => {
    pen.fillStyle = "#f3e6c8";
    pen.fillRect(0, 0, 448, 280);
    pen.strokeStyle = "rgb(120 84 40 / 0.25)";
    pen.lineWidth = 2;
    for (let x = 56; x < 448; x += 56) pen.strokeRect(x, -4, 0.5, 290);
    pen.translate(224, 128);
    pen.strokeStyle = "#2b1d14";
    pen.lineWidth = 17;
    pen.lineCap = "round";
    for (const turn of [1, -1]) {
      pen.beginPath();
      pen.moveTo(-88 * turn, 88);
      pen.lineTo(88 * turn, 4);
      pen.stroke();
    }
    pen.fillStyle = "#2b1d14";
    pen.beginPath();
    pen.ellipse(0, -12, 60, 56, 0, 0, 2 * Math.PI);
    pen.roundRect(-34, 20, 68, 48, 12);
    pen.fill();
    pen.fillStyle = "#f3e6c8";
    pen.beginPath();
    pen.ellipse(-23, -6, 15, 18, 0, 0, 2 * Math.PI);
    pen.ellipse(23, -6, 15, 18, 0, 0, 2 * Math.PI);
    pen.ellipse(0, 24, 6, 10, 0, 0, 2 * Math.PI);
    pen.fill();
    for (const x of [-16, 0, 16]) pen.fillRect(x - 2, 46, 4, 22);
  });
  const canvas = new Mesh(cloth, new MeshLambertMaterial({ map, side: DoubleSide }));
  canvas.position.set(0, (MAST.y - 4.5) * MM, ((UPPER + LOWER) / 2) * MM);
  return canvas;
}

/** The ship as a group of few meshes, about the middle it rocks around; the bow is where y grows. */
export function buildShip(sharpness: number): Group {
  const ship = new Group();
  const add = (shapes: BufferGeometry[], map: ReturnType<typeof grain> | null) => {
    const mesh = new Mesh(joined(shapes), new MeshLambertMaterial({ map, vertexColors: true, side: DoubleSide }));
    mesh.castShadow = mesh.receiveShadow = true;
    ship.add(mesh);
  };
  const skin = [strake(0, 0.12, 1.2), strake(0.12, 0.2, 1.2), strake(0.2, 0.55), strake(0.55, 1)];
  const paints = [RAIL, STRIPE, HULL, DARK];
  add(
    [
      ...skin.map((part, place) => lengthwise(part, paints[place]!, 9)),
      lengthwise(floor(STERN, FORE + 8, TOP), DECK, 7),
      lengthwise(floor(FORE, BOW - 4, TOP + 6, 2), DECK, 7),
    ],
    planks(sharpness),
  );
  add([...lanes(), ...fittings(), painted(mesh([[[-halfAt(FORE), FORE, TOP], [halfAt(FORE), FORE, TOP], [-halfAt(FORE), FORE, TOP + 6], [halfAt(FORE), FORE, TOP + 6]]]), RAIL)], grain(sharpness));
  ship.add(new Mesh(joined(rigging()), new MeshLambertMaterial({ vertexColors: true })));
  ship.add(sail());
  return ship;
}

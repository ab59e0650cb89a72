/**
 * The sea around the ship: facets that rise and sink, fading into the picture's background. Their
 * colours are reckoned here, because light and shadow are dear where there is so much of it.
 */

import { BufferAttribute, BufferGeometry, Color, Mesh, type ShaderMaterial } from "three";

import { unlit } from "./plain";

const HALF = 0.72;
const WAVES = [
  { x: 13, y: 5, speed: 1.1, high: 0.0046 },
  { x: -7, y: 19, speed: 1.6, high: 0.0032 },
  { x: 31, y: -24, speed: 2.3, high: 0.0016 },
] as const;
const SWELL = 0.0075; // about as high as waves come

/** Where the light comes from, and half way between it and the eye: there the water glints. */
const LIGHT = [-0.3, -0.53, 0.79] as const;
const GLINT = [-0.18, -0.62, 0.76] as const;

/** A hull as the water sees it: half its extent along x and y, in metres; where its shadow lies. */
export interface Hull {
  half: readonly [x: number, y: number];
  shadow: readonly [x: number, y: number];
}

const TONES = {
  dark: { deep: "#16414f", calm: "#23606b", bright: "#4c9a99", foam: "#b9ddd2", shade: 0.52 },
  light: { deep: "#3f9db0", calm: "#6cbcc6", bright: "#a9e0dc", foam: "#f6fffb", shade: 0.62 },
} as const;

const rgb = (colour: string): readonly number[] => new Color(colour).toArray();
const clamp = (value: number) => Math.min(1, Math.max(0, value));

export class Sea extends Mesh<BufferGeometry, ShaderMaterial> {
  #phase = 0.8;
  #rings: { x: number; y: number; age: number }[] = [];
  #tone = Sea.#toneOf("dark");
  #hull: Hull;
  /** Of every corner of every facet: where it is, its colour, and which point of the grid it is. */
  #places: Float32Array;
  #colours: Float32Array;
  #points: Uint16Array;
  /** How far the points of the grid are along each axis, and how high they are. */
  #along: number[];
  #heights: Float32Array;

  /** A square of so many cells a side. */
  constructor(level: number, hull: Hull, cells: number) {
    const shape = new BufferGeometry();
    const count = cells * cells * 6;
    const places = new Float32Array(count * 3);
    const colours = new Float32Array(count * 4);
    shape.setAttribute("position", new BufferAttribute(places, 3));
    shape.setAttribute("color", new BufferAttribute(colours, 4));
    super(shape, unlit({ transparent: true, depthWrite: false }));
    this.#hull = hull;
    this.#places = places;
    this.#colours = colours;
    this.#points = facetsOf(cells);
    this.#along = Array.from({ length: cells + 1 }, (_, step) => HALF * ((2 * step) / cells - 1));
    this.#heights = new Float32Array((cells + 1) ** 2);
    this.#points.forEach((point, corner) => {
      const x = this.#along[point % (cells + 1)]!;
      const y = this.#along[Math.floor(point / (cells + 1))]!;
      places[corner * 3] = x;
      places[corner * 3 + 1] = y;
      colours[corner * 4 + 3] = clamp(2.4 - (2.5 * Math.hypot(x, y)) / HALF);
    });
    this.position.z = level;
    this.frustumCulled = false;
    this.renderOrder = -1;
    this.move(0);
  }

  setTheme(theme: keyof typeof TONES): void {
    this.#tone = Sea.#toneOf(theme);
    this.move(0);
  }

  static #toneOf(theme: keyof typeof TONES) {
    const { deep, calm, bright, foam, shade } = TONES[theme];
    return { deep: rgb(deep), calm: rgb(calm), bright: rgb(bright), foam: rgb(foam), shade };
  }

  /** Something has fallen in. */
  splash(x: number, y: number): void {
    this.#rings.push({ x, y, age: 0 });
  }

  get isStirred(): boolean {
    return this.#rings.length > 0;
  }

  move(seconds: number): void {
    this.#phase += seconds;
    for (const ring of this.#rings) ring.age += seconds;
    this.#rings = this.#rings.filter((ring) => ring.age < 1.6);
    let point = 0;
    for (const y of this.#along) for (const x of this.#along) this.#heights[point++] = this.#height(x, y);
    const [places, points] = [this.#places, this.#points];
    for (let corner = 0; corner < points.length; corner++) places[corner * 3 + 2] = this.#heights[points[corner]!]!;
    for (let corner = 0; corner < points.length; corner += 3) this.#paint(corner);
    this.geometry.getAttribute("position").needsUpdate = true;
    this.geometry.getAttribute("color").needsUpdate = true;
  }

  /** How the facet that begins with this corner looks: by its slope, its height, and how near the hull it is. */
  #paint(corner: number): void {
    const [p, at] = [this.#places, corner * 3];
    const ux = p[at + 3]! - p[at]!, uy = p[at + 4]! - p[at + 1]!, uz = p[at + 5]! - p[at + 2]!;
    const vx = p[at + 6]! - p[at]!, vy = p[at + 7]! - p[at + 1]!, vz = p[at + 8]! - p[at + 2]!;
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const x = (p[at]! + p[at + 3]! + p[at + 6]!) / 3;
    const y = (p[at + 1]! + p[at + 4]! + p[at + 7]!) / 3;
    const z = (p[at + 2]! + p[at + 5]! + p[at + 8]!) / 3;

    const { deep, calm, bright, foam, shade } = this.#tone;
    const lit = clamp(0.5 + 4.5 * ((nx * LIGHT[0] + ny * LIGHT[1] + nz * LIGHT[2]) / length - LIGHT[2]));
    const glint = clamp(((nx * GLINT[0] + ny * GLINT[1] + nz * GLINT[2]) / length - 0.8) * 9) ** 3 * 0.5;
    const { half, shadow } = this.#hull;
    const wake = clamp(1 - 14 * outside(x, y, half)) * clamp(0.1 + (0.22 * z) / SWELL);
    const crest = Math.min(clamp(glint + wake + clamp(0.9 * (z / SWELL - 0.78))), 0.42);
    const dim = 1 - shade * 0.5 * clamp(1.15 - 9 * outside(x - shadow[0], y - shadow[1], half));
    const [low, high] = lit < 0.5 ? [deep, calm] : [calm, bright];
    for (let part = 0; part < 3; part++) {
      const water = low[part]! + (high[part]! - low[part]!) * ((lit * 2) % 1.0001);
      const colour = (water + (foam[part]! - water) * crest) * dim;
      for (let to = corner * 4 + part; to < corner * 4 + 12; to += 4) this.#colours[to] = colour;
    }
  }

  #height(x: number, y: number): number {
    let z = 0;
    for (const wave of WAVES) z += wave.high * Math.sin(x * wave.x + y * wave.y + this.#phase * wave.speed);
    for (const ring of this.#rings) {
      const off = Math.hypot(x - ring.x, y - ring.y) - ring.age * 0.22;
      z += 0.024 * Math.exp(-ring.age * 2.4 - (off * 22) ** 2) * Math.cos(off * 60);
    }
    return z;
  }
}

/** The corners of all facets as points of the grid: two a cell, cut along one diagonal or the other. */
function facetsOf(cells: number): Uint16Array {
  const points: number[] = [];
  for (let j = 0; j < cells; j++) {
    for (let i = 0; i < cells; i++) {
      const a = j * (cells + 1) + i;
      const [b, c, d] = [a + 1, a + cells + 1, a + cells + 2];
      points.push(...((i + j) % 2 === 0 ? [a, b, d, a, d, c] : [a, b, c, b, d, c]));
    }
  }
  return Uint16Array.from(points);
}

/** How far outside a rectangle a point is. */
const outside = (x: number, y: number, [long, wide]: readonly [number, number]): number =>
  Math.hypot(Math.max(0, Math.abs(x) - long), Math.max(0, Math.abs(y) - wide));

/** The pirates: a coat in the colour of the crew, a hat of its own shape, and a foot for the seat. */

import { Mesh, MeshLambertMaterial, type BufferGeometry } from "three";

import { MM } from "../../table3d/poses";
import { box, joined, painted, rod, sphere, turned } from "../../table3d/shapes";
import { COAT_COLOURS } from "./colours";
import type { Colour } from "./view";

const SKIN = "#e3b188";
const BOOT = "#2a1a10";
const GOLD = "#f0c043";
const NOBODY = "#7d7264";

const HATS: Record<Colour, (trim: string, coat: string, detail: number) => BufferGeometry[]> = {
  // a three-cornered hat
  grey: (trim, coat, detail) => [
    painted(turned([[0, 28.6], [9.2, 29.6], [9.9, 32], [4.8, 30.4], [0, 30.4]], 3).rotateZ(Math.PI / 6), coat),
    painted(turned([[9.3, 29.6], [10.1, 32], [9.7, 32.4], [9, 30]], 3).rotateZ(Math.PI / 6), trim),
    painted(turned([[4.7, 30], [4.3, 33.4], [2.6, 35], [0, 35.4]], 10, detail), coat),
  ],
  // a red kerchief with its knot
  white: (_, __, detail) => [
    painted(turned([[5.7, 27.2], [5.9, 29], [4.6, 32], [0, 33.6]], 10, detail), "#c8382e"),
    painted(sphere(1.9, [4.6, 3, 28.4], detail), "#c8382e"),
    painted(box([4, 1.2, 5], [6.4, 4, 26]), "#a52c24"),
  ],
  // a captain's hat, broad and high
  black: (_, coat, detail) => [
    painted(box([18, 3.2, 5], [0, 0, 30.4], 1.4), coat),
    painted(box([12, 3.4, 4.4], [0, 0, 33.6], 1.4), coat),
    painted(box([18.2, 0.8, 1.2], [0, -1.8, 28.6]), GOLD),
    painted(sphere(1.5, [0, -2, 32], detail), "#f4efe3"),
  ],
  // straw
  brown: (_, __, detail) => [
    painted(turned([[0, 28.4], [9.6, 27.6], [9.8, 28.4], [4.9, 29.6], [4.3, 33], [0, 34]], 10, detail), "#e6c878"),
    painted(turned([[5.2, 29.4], [5.1, 30.8], [0, 30.8]], 10, detail), "#b3372b"),
  ],
};

/** A pirate on his feet, looking aft, where one looks from; `foot` is the colour of his seat. */
export function carvePirate(colour: Colour, foot: string | null, detail: number): Mesh<BufferGeometry, MeshLambertMaterial> {
  const { coat, trim } = COAT_COLOURS[colour];
  const parts = [
    painted(turned([[0, 0], [8.2, 0], [8.5, 0.7], [8.5, 2], [7.9, 2.6], [0, 2.6]], 12, detail), foot ?? NOBODY),
    painted(rod(2, [-2.4, 0, 2.6], [-2.2, 0, 8], detail), BOOT),
    painted(rod(2, [2.4, 0, 2.6], [2.2, 0, 8], detail), BOOT),
    painted(turned([[0, 6], [6.9, 6], [6.4, 10], [5.2, 13.5], [5.6, 19], [4.4, 22], [0, 22.6]], 10, detail), coat),
    painted(turned([[5.6, 12.3], [5.9, 12.3], [5.9, 14.3], [5.6, 14.3]], 10, detail), BOOT),
    painted(box([2.6, 1, 2.6], [0, -5.6, 13.3]), GOLD),
    painted(box([1.5, 0.9, 8], [0, -5, 18]), trim),
    painted(rod(1.7, [-5.2, 0, 20], [-7, -2.2, 12.5], detail), coat),
    painted(rod(1.7, [5.2, 0, 20], [7, -2.2, 12.5], detail), coat),
    painted(sphere(1.8, [-7, -2.4, 12], detail), SKIN),
    painted(sphere(1.8, [7, -2.4, 12], detail), SKIN),
    painted(sphere(5.2, [0, 0, 25.6], detail), SKIN),
    painted(sphere(1.1, [0, -5.2, 25.4], detail), "#d89a6e"),
    painted(sphere(0.85, [-2, -4.6, 26.9], detail), "#20130b"),
    painted(box([2.6, 0.9, 2.2], [2, -4.6, 26.9]), "#20130b"),
    painted(turned([[0, 20.4], [3.4, 21], [4.4, 23.6], [0, 23.9]], 7, detail).translate(0, -1.3 * MM, 0), colour === "white" ? "#6b4020" : "#e7ddca"),
    ...HATS[colour](trim, coat, detail),
  ];
  const pirate = new Mesh(joined(parts), new MeshLambertMaterial({ vertexColors: true }));
  pirate.castShadow = true;
  return pirate;
}

/** How each piece looks: its parts painted, and what a carver would add to them. */

import type { BufferGeometry } from "three";

import type { Vec } from "../../table3d/poses";
import { box, joined, painted, rod, shapeOf, sphere, turned } from "../../table3d/shapes";
import type { Kit, Part } from "./kit";
import type { Piece } from "./view";

const IRON = "#4b443d";
const BRASS = "#e2b04a";

type Carve = (parts: Part[]) => BufferGeometry[];

const each = (parts: Part[], colours: string[], round?: number): BufferGeometry[] =>
  parts.map((part, place) => painted(shapeOf(part, round), colours[Math.min(place, colours.length - 1)]!));

/** A flat band over a box, all around its x axis. */
const band = (x: number, wide: number, size: Vec, at: Vec, colour: string): BufferGeometry =>
  painted(box([wide, size[1] + 0.6, size[2] + 0.6], [x, at[1], at[2]]), colour);

const CARVED: Record<Piece, Carve> = {
  boat: (parts) => [
    ...each(parts, ["#d9a560", "#3f9fae"]),
    ...[-7, 7].map((x) => painted(box([4, 16, 1.4], [x, 0, 0.6]), "#a8713a")),
  ],

  barrel: ([part]) => {
    if (part?.kind !== "cylinder") return [];
    const [r, low, high] = [part.radius, part.from[2], part.to[2]];
    const outline: [number, number][] = [0, 0.15, 0.35, 0.5, 0.65, 0.85, 1].map((share) => [
      r - 1.6 * (2 * share - 1) ** 2,
      low + (high - low) * share,
    ]);
    const hoop = (share: number) => {
      const z = low + (high - low) * share;
      const wide = r - 1.6 * (2 * share - 1) ** 2 + 0.25;
      return painted(turned([[wide, z - 1.4], [wide, z + 1.4]]), IRON);
    };
    return [
      painted(turned([[0.01, low], ...outline, [0.01, high]]), "#b8722f"),
      ...[0.16, 0.36, 0.64, 0.84].map(hoop),
      painted(rod(1.6, [0, 0, high - 0.2], [0, 0, high + 0.2]), IRON),
    ];
  },

  flacon: ([body, neck]) => {
    if (body?.kind !== "cylinder" || neck?.kind !== "cylinder") return [];
    const [r, n] = [body.radius, neck.radius];
    const [low, shoulder, top] = [body.from[2], body.to[2], neck.to[2]];
    const glass: [number, number][] = [
      [0.01, low], [r - 1, low], [r, low + 1], [r, shoulder - 3], [r * 0.75, shoulder], [n, shoulder + 1.5], [n, top - 3],
    ];
    return [
      painted(turned(glass, 18), "#3f8f63"),
      painted(turned([[n * 0.9, top - 3], [n * 0.9, top], [0.01, top]], 12), "#d3a877"),
      painted(turned([[r + 0.15, low + 4], [r + 0.15, low + 12]], 18), "#f1e3bd"),
    ];
  },

  crate: ([part]) => {
    if (part?.kind !== "box") return [];
    const h = part.size[0] / 2 - 1.6;
    const long = part.size[0] + 0.5;
    const beams: BufferGeometry[] = [];
    for (const a of [-h, h]) {
      for (const b of [-h, h]) {
        beams.push(
          box([long, 3.6, 3.6], [0, a * 1.02, b * 1.02]),
          box([3.6, long, 3.6], [a * 1.02, 0, b * 1.02]),
          box([3.6, 3.6, long], [a * 1.02, b * 1.02, 0]),
        );
      }
    }
    const slant = box([33, 3.4, 0.7], [0, 0, 0]).rotateZ(Math.PI / 4);
    const side = part.size[0] / 2000;
    for (const turn of [0, 1, 2, 3]) {
      beams.push(slant.clone().translate(0, 0, side).rotateX((turn * Math.PI) / 2));
    }
    for (const turn of [1, 3]) beams.push(slant.clone().translate(0, 0, side).rotateY((turn * Math.PI) / 2));
    return [painted(shapeOf(part), "#dcae68"), ...beams.map((beam) => painted(beam, "#a56f34"))];
  },

  sailor: ([body, head, ...arm]) => {
    if (body?.kind !== "box" || head?.kind !== "sphere") return [];
    const [wide, deep, high] = body.size;
    const stripes = [0, 1, 2, 3, 4].map((n) => {
      const z = body.at[2] - high / 2 + (n + 0.5) * (high / 5);
      const colour = n === 0 ? "#2c3f63" : n % 2 ? "#f3ead6" : "#b8362d";
      return painted(box([wide - (n === 0 ? 0.8 : 0), deep, high / 5], [body.at[0], body.at[1], z], 0.6), colour);
    });
    const [x, y, z] = head.at;
    return [
      ...stripes,
      painted(sphere(head.radius, head.at), "#eab98b"),
      painted(turned([[6.7, 1.6], [6.6, 2.6], [5.3, 5], [2.5, 6.5], [0.01, 6.8]], 14).translate(x / 1e3, y / 1e3, z / 1e3), "#c8392f"),
      ...[-2.3, 2.3].map((dx) => painted(sphere(0.8, [x + dx, y - 6, z + 0.4]), "#2a1d14")),
      ...arm.map((part) => painted(shapeOf(part), "#eab98b")),
    ];
  },

  plank: ([part]) => {
    if (part?.kind !== "box") return [];
    const [long, wide, high] = part.size;
    const nails = [-1, 1].flatMap((x) => [-1, 1].map((y): [number, number] => [x * (long / 2 - 5), y * (wide / 2 - 4)]));
    return [
      painted(shapeOf(part, 0.8), "#e6c184"),
      ...nails.map(([x, y]) => painted(rod(0.9, [x, y, -high / 2 - 0.15], [x, y, high / 2 + 0.15]), IRON)),
    ];
  },

  rat: ([body, head, ...tail]) => {
    if (head?.kind !== "sphere") return [];
    const [x, y, z] = head.at;
    return [
      painted(shapeOf(body!, 3.4), "#978a7e"),
      painted(sphere(head.radius, head.at), "#a3968a"),
      painted(sphere(1.3, [x + head.radius - 0.4, y, z - 0.5]), "#e39a94"),
      ...[-3.6, 3.6].map((dy) => painted(sphere(2.1, [x - 0.5, y + dy, z + 4.1]), "#d79a92")),
      ...[-2.4, 2.4].map((dy) => painted(sphere(0.8, [x + 4, y + dy, z + 2.2]), "#17110c")),
      ...tail.map((part) => painted(shapeOf(part), "#d79a92")),
    ];
  },

  chest: ([body, lid]) => {
    if (body?.kind !== "box" || lid?.kind !== "cylinder") return [];
    const [, deep] = body.size;
    const [x0, x1, z] = [lid.from[0], lid.to[0], lid.from[2]];
    const bands = [x0 + 5, x1 - 5];
    return [
      painted(shapeOf(body), "#84461f"),
      painted(shapeOf(lid), "#9a5526"),
      ...bands.map((x) => band(x, 3.2, body.size, body.at, BRASS)),
      ...bands.map((x) => painted(rod(lid.radius + 0.3, [x - 1.6, 0, z], [x + 1.6, 0, z]), BRASS)),
      painted(box([6, deep + 1, 6], [0, 0, z - 0.5], 0.8), BRASS),
    ];
  },
};

/** One piece of a shape, in its own frame. What the carver does not know is drawn plain. */
export function carve(kit: Kit, piece: Piece): BufferGeometry {
  const { parts } = kit.pieces[piece];
  const carved = CARVED[piece](parts);
  return joined(carved.length > 0 ? carved : each(parts, ["#c98f4e"]));
}

/** The planks: coloured wood with coins on its spaces and a rope about its middle. */

import { Group, Mesh, MeshLambertMaterial, type BufferGeometry } from "three";

import { MM } from "../../table3d/poses";
import { box, joined, painted, rope } from "../../table3d/shapes";
import { dice, draw, streak } from "../../table3d/wood";
import { PLANK_COLOURS } from "./colours";
import { PLANK } from "./measures";
import { SPACES, type Plank } from "./view";

const CELL = 112;
const HIGH = (CELL * PLANK.width) / 20;

/** The upper side, from port to starboard. */
function face(name: Plank, doubloons: readonly number[], sharpness: number) {
  const { wood, ink } = PLANK_COLOURS[name];
  const upper = draw(CELL * 9, HIGH, (pen) => {
    pen.fillStyle = wood;
    pen.fillRect(0, 0, CELL * 9, HIGH);
    pen.save();
    pen.scale(4, 1);
    streak(pen, HIGH, dice(name.length * 31 + name.charCodeAt(0)));
    pen.translate(HIGH, 0);
    streak(pen, HIGH, dice(name.length * 17 + name.charCodeAt(1)));
    pen.restore();
    SPACES.forEach((space, place) => {
      pen.fillStyle = ink;
      pen.globalAlpha = 0.55;
      if (place > 0) pen.fillRect(place * CELL - 1.5, 0, 3, HIGH);
      pen.globalAlpha = 1;
      const [x, y] = [(place + 0.5) * CELL, HIGH / 2];
      const count = doubloons[place] ?? 0;
      if (count === 1) coin(pen, x, y);
      if (count === 2) {
        coin(pen, x - 17, y - 22);
        coin(pen, x + 17, y + 22);
      }
      if (count === 0 && space !== 0) {
        pen.strokeStyle = ink;
        pen.globalAlpha = 0.35;
        pen.lineWidth = 4;
        pen.beginPath();
        pen.arc(x, y, 15, 0, 2 * Math.PI);
        pen.stroke();
        pen.globalAlpha = 1;
      }
    });
    pen.strokeStyle = ink;
    pen.globalAlpha = 0.6;
    pen.lineWidth = 6;
    pen.strokeRect(3, 3, CELL * 9 - 6, HIGH - 6);
  });
  upper.anisotropy = sharpness;
  return upper;
}

function coin(pen: CanvasRenderingContext2D, x: number, y: number): void {
  const gold = pen.createRadialGradient(x - 9, y - 10, 4, x, y, 31);
  gold.addColorStop(0, "#fff2b8");
  gold.addColorStop(0.6, "#f0c043");
  gold.addColorStop(1, "#b07a17");
  pen.fillStyle = gold;
  pen.strokeStyle = "#6d4708";
  pen.lineWidth = 4;
  pen.beginPath();
  pen.arc(x, y, 30, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
  pen.lineWidth = 2.5;
  pen.beginPath();
  pen.arc(x, y, 22, 0, 2 * Math.PI);
  pen.stroke();
  pen.lineWidth = 5;
  pen.beginPath();
  pen.moveTo(x, y - 12);
  pen.lineTo(x, y + 12);
  pen.moveTo(x - 9, y - 2);
  pen.lineTo(x + 9, y - 2);
  pen.stroke();
}

/** A plank in its own frame: its middle, on its upper side. Its rope is wound about it. */
export function carvePlank(name: Plank, doubloons: readonly number[], sharpness: number): Group {
  const { length, width, thick } = PLANK;
  const { wood } = PLANK_COLOURS[name];
  const body = painted(box([length, width, thick], [0, 0, -thick / 2], 0.7), wood);
  const top = flat(length - 1, width - 1);
  const upper = new Mesh(top, new MeshLambertMaterial({ map: face(name, doubloons, sharpness), polygonOffset: true, polygonOffsetFactor: -1 }));
  upper.position.z = 0.25 * MM;
  const turns = [-3.6, -1.2, 1.2, 3.6].flatMap((x) => [
    painted(rope([x, -width / 2 - 0.8, 0.5], [x, width / 2 + 0.8, 0.5], 1.2), "#ead9ae"),
    painted(rope([x, -width / 2 - 0.4, 0.8], [x, -width / 2 - 0.4, -thick - 0.5], 1.2), "#d3bd8a"),
  ]);
  const board = new Mesh(joined([body, ...turns]), new MeshLambertMaterial({ vertexColors: true }));
  board.castShadow = board.receiveShadow = upper.receiveShadow = true;
  return new Group().add(board, upper);
}

/** A rectangle that looks up, laid out for the face. */
function flat(length: number, width: number): BufferGeometry {
  const shape = box([length, width, 0.01], [0, 0, 0]);
  const at = shape.getAttribute("position");
  const uv = shape.getAttribute("uv");
  for (let i = 0; i < at.count; i++) uv.setXY(i, at.getX(i) / (length * MM) + 0.5, at.getY(i) / (width * MM) + 0.5);
  return shape;
}

/** The sky behind everything: a net over the picture whose corners have its colours. */

import { BufferAttribute, Mesh, PlaneGeometry, type ShaderMaterial } from "three";

import { behind } from "./plain";
import { paintSky, type Sky } from "./sky";

const CELLS = 12;
const ROW = CELLS + 1;

export class Backdrop extends Mesh<PlaneGeometry, ShaderMaterial> {
  #colours = new BufferAttribute(new Float32Array(ROW * ROW * 3), 3);

  constructor() {
    super(new PlaneGeometry(2, 2, CELLS, CELLS), behind());
    this.geometry.setAttribute("color", this.#colours);
    this.frustumCulled = false;
    this.renderOrder = -2;
  }

  setSky(sky: Sky): void {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = ROW;
    const pen = canvas.getContext("2d")!;
    paintSky(sky, pen, ROW);
    // both go row by row from the top
    const { data } = pen.getImageData(0, 0, ROW, ROW);
    for (let corner = 0; corner < ROW * ROW; corner++) {
      this.#colours.setXYZ(corner, data[corner * 4]! / 255, data[corner * 4 + 1]! / 255, data[corner * 4 + 2]! / 255);
    }
    this.#colours.needsUpdate = true;
  }
}

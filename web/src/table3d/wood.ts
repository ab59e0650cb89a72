/** Textures drawn on the spot: grain and planks. */

import { CanvasTexture, RepeatWrapping, SRGBColorSpace, type Texture } from "three";

/** The same numbers every time: the ship looks alike on every screen. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

/** A texture as a pen paints it. */
export function draw(width: number, height: number, paint: (pen: CanvasRenderingContext2D) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  paint(canvas.getContext("2d")!);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

/** Streaks along the wood, over whatever colour a part has. */
export function streak(pen: CanvasRenderingContext2D, size: number, random: () => number): void {
  for (let i = 0; i < 90; i++) {
    const y = random() * size;
    const dark = random() < 0.7;
    pen.strokeStyle = dark ? `rgb(80 45 15 / ${0.04 + random() * 0.13})` : `rgb(255 255 255 / ${random() * 0.2})`;
    pen.lineWidth = 0.6 + random() * 2.2;
    const bend = (random() - 0.5) * 14;
    for (const shift of [-size, 0, size]) {
      pen.beginPath();
      pen.moveTo(0, y + shift);
      pen.bezierCurveTo(size / 3, y + bend + shift, (2 * size) / 3, y - bend + shift, size, y + shift);
      pen.stroke();
    }
  }
}

/** `sharpness`: how many samples keep it sharp where one looks along it. */
function repeating(texture: CanvasTexture, sharpness: number): Texture {
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.anisotropy = sharpness;
  return texture;
}

/** Wood grain along the first axis. */
export function grain(sharpness: number): Texture {
  return repeating(
    draw(256, 256, (pen) => {
      pen.fillStyle = "#f4efe6";
      pen.fillRect(0, 0, 256, 256);
      streak(pen, 256, dice(7));
    }),
    sharpness,
  );
}

/** Planks side by side along the first axis, with seams and nails. */
export function planks(sharpness: number): Texture {
  return repeating(
    draw(512, 512, (pen) => {
      const random = dice(11);
      const rows = 8;
      for (let row = 0; row < rows; row++) {
        const light = 222 + random() * 30;
        pen.fillStyle = `rgb(${light} ${light * 0.97} ${light * 0.92})`;
        pen.fillRect(0, (row * 512) / rows, 512, 512 / rows);
      }
      streak(pen, 512, random);
      pen.fillStyle = "rgb(45 24 8 / 0.75)";
      for (let row = 0; row < rows; row++) {
        const y = (row * 512) / rows;
        pen.fillRect(0, y - 1.5, 512, 3);
        const x = 60 + random() * 390;
        pen.fillRect(x, y, 3, 512 / rows);
        for (const nail of [x - 9, x + 11]) {
          for (const down of [14, 50]) pen.fillRect(nail, y + down, 3.5, 3.5);
        }
      }
    }),
    sharpness,
  );
}

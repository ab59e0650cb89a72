/** What is behind the ship: colours from the top down, or from a glow outwards. */

export type Theme = "dark" | "light";

export interface Sky {
  shape: "down" | "glow";
  stops: readonly (readonly [share: number, colour: string])[];
}

/** The glow: its middle and how far it reaches, as shares of the picture. */
const MIDDLE = { x: 0.5, y: 0.25 };
const REACH = { x: 1.2, y: 0.9 };

/** The sky as a background of the page. */
export function backgroundOf({ shape, stops }: Sky): string {
  const colours = stops.map(([share, colour]) => `${colour} ${100 * share}%`).join(", ");
  if (shape === "down") return `linear-gradient(${colours})`;
  return `radial-gradient(${100 * REACH.x}% ${100 * REACH.y}% at ${100 * MIDDLE.x}% ${100 * MIDDLE.y}%, ${colours})`;
}

/** The same, painted into a square that is stretched over the picture. */
export function paintSky({ shape, stops }: Sky, pen: CanvasRenderingContext2D, side: number): void {
  if (shape === "glow") {
    pen.translate(MIDDLE.x * side, MIDDLE.y * side);
    pen.scale(REACH.x, REACH.y);
  }
  const colours = shape === "down" ? pen.createLinearGradient(0, 0, 0, side) : pen.createRadialGradient(0, 0, 0, 0, 0, side);
  for (const [share, colour] of stops) colours.addColorStop(share, colour);
  pen.fillStyle = colours;
  pen.fillRect(-side, -side, 2 * side, 2 * side);
}

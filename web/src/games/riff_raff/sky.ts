/** What is behind the ship: the evening or the morning over the sea. */

import type { Sky, Theme } from "../../table3d/sky";

export const SKY: Record<Theme, Sky> = {
  dark: { shape: "down", stops: [[0, "#6b4d50"], [0.2, "#44525f"], [0.48, "#235866"], [1, "#1b4a57"]] },
  light: { shape: "down", stops: [[0, "#fbf0d6"], [0.22, "#cfe7e0"], [0.5, "#86c8cf"], [1, "#69b8c3"]] },
};

/** The colours of planks and crews, in every picture alike. */

import type { Sky, Theme } from "../../table3d/sky";
import type { Colour, Plank } from "./view";

export const PLANK_COLOURS: Record<Plank, { wood: string; ink: string }> = {
  yellow: { wood: "#eab930", ink: "#4a3204" },
  green: { wood: "#4c9a52", ink: "#0c2d10" },
  orange: { wood: "#e07b2c", ink: "#431d04" },
  red: { wood: "#c8402f", ink: "#3d0b05" },
  blue: { wood: "#3f7fc4", ink: "#08233f" },
  purple: { wood: "#8557ad", ink: "#26103a" },
};

export const COAT_COLOURS: Record<Colour, { coat: string; trim: string; ink: string }> = {
  grey: { coat: "#8b959d", trim: "#5d676f", ink: "#10161a" },
  white: { coat: "#f4efe3", trim: "#c9bda3", ink: "#2a2013" },
  black: { coat: "#2c2a2d", trim: "#59545a", ink: "#f6efe2" },
  brown: { coat: "#8a5629", trim: "#5f3817", ink: "#fff3e0" },
};

export const SKY: Record<Theme, Sky> = {
  dark: { shape: "glow", stops: [[0, "#4a2f22"], [1, "#0d1420"]] },
  light: { shape: "glow", stops: [[0, "#f6e3b4"], [1, "#9fc8cf"]] },
};

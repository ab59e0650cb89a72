/** The games of the harbour. */

import type { Component } from "svelte";

import type { GameModule } from "./game";

export interface Listed {
  id: string;
  name: string;
}

/** In the order of the harbour. */
export const GAMES: readonly Listed[] = [
  { id: "skull-king", name: "Skull King" },
  { id: "jolly-roger", name: "Jolly & Roger" },
  { id: "piratoons", name: "Piratoons" },
  { id: "riff-raff", name: "Riff Raff" },
  { id: "gezanke", name: "Gezanke auf der Planke" },
];

const modules = import.meta.glob<GameModule>("./*/index.ts");
const pictures = import.meta.glob<Component>("./*/Picture.svelte", {
  eager: true,
  import: "default",
});

const folder = (game: string) => `./${game.replaceAll("-", "_")}`;

export function gameName(game: string): string {
  return GAMES.find((listed) => listed.id === game)?.name ?? game;
}

export function loadGame(game: string): Promise<GameModule> {
  const load = modules[`${folder(game)}/index.ts`];
  return load?.() ?? Promise.reject(new Error(`the game '${game}' is not built`));
}

export function pictureOf(game: string): Component | null {
  return pictures[`${folder(game)}/Picture.svelte`] ?? null;
}

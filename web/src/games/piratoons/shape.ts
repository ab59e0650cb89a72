/** Where everything is on a ship, in the units it is drawn in: y grows downwards. */

import { faceOf } from "./tiles";
import type { Kind, Part } from "./view";

export const PART_WIDTH = 80;
export const BOW_WIDTH = 74;
export const STERN_WIDTH = 66;
export const HEIGHT = 164;
export const WATER = 140;
export const STOREY = 28;
export const SLOT = 24;
export const SHELL = 12;

const SAIL_STEP = 31;
const MIDDLE = PART_WIDTH / 2;

/** The upper edge of a storey; the lowest is 1. */
export function topOf(storey: number): number {
  return WATER - storey * STOREY;
}

/** The middle of a storey. */
export function middleOf(storey: number): number {
  return topOf(storey) + STOREY / 2;
}

/** A field of a part, and what is on it. */
export interface Slot {
  kind: Kind;
  /** The middle. */
  x: number;
  y: number;
  tile: string | null;
}

export interface SailSlot {
  x: number;
  y: number;
  tile: string | null;
}

/** The fields of a part from the deck down with the tiles that are on them, and its mast. */
export function fit(part: Part, tiles: readonly string[]): { slots: Slot[]; sails: SailSlot[] } {
  const waiting = [...tiles];
  const take = (kind: string): string | null => {
    const place = waiting.findIndex((tile) => faceOf(tile).kind === kind);
    return place === -1 ? null : waiting.splice(place, 1)[0]!;
  };
  const hull = part.fields.length - 1;
  const rows = Math.max(part.storeys - 1, 1);
  const inRow = Math.max(Math.ceil(hull / rows), 1);
  const slots = part.fields.map((kind, place): Slot => {
    if (place === 0) return { kind, x: MIDDLE, y: middleOf(part.storeys), tile: take(kind) };
    const row = Math.floor((place - 1) / inRow);
    const column = (place - 1) % inRow;
    const x = MIDDLE + (column - (inRow - 1) / 2) * (SLOT + 1);
    return { kind, x, y: middleOf(Math.max(part.storeys - 1 - row, 1)), tile: take(kind) };
  });
  const sails = Array.from({ length: part.mast }, (_, place): SailSlot => ({
    x: MIDDLE,
    y: topOf(part.storeys) - 20 - place * SAIL_STEP,
    tile: take("sail"),
  }));
  return { slots, sails };
}

/** How wide a ship of so many parts is. */
export function shipWidth(parts: number): number {
  return BOW_WIDTH + parts * PART_WIDTH + STERN_WIDTH;
}

/** The house kit's measures, as far as they are drawn: millimetres. */

export const SPACE = 20;
export const PITCH = 30;
export const PLANK = { length: 180, width: 28, thick: 3 } as const;
export const DECK_HALF = 72;
/** The deck lies so deep below the middle the ship rocks about; the water deeper. */
export const DECK_DEPTH = 30;
export const WATER_DEPTH = 64;
export const PIRATE_HEIGHT = 36;
/** So high a pirate is held. */
export const HELD = 30;

/** How far from the middle a lane is, towards the bow; lane 0 is nearest to it. */
export const laneAt = (lane: number): number => (2.5 - lane) * PITCH;
/** How far to starboard of the middle a space is. */
export const spaceAt = (offset: number, space: number): number => (offset + space) * SPACE;

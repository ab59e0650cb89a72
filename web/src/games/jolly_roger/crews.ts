/** How the cards of a crew lie: the newest furthest from the ship and on top. */

/** How much of a covered card has to be seen, of its width. */
const STRIP = 0.335;
const HIGH = 1.4;
const LEAST_STEP = 8;

/** From one card to the next, in a space so high. */
export function crewStep(cards: number, cardWidth: number, height: number): number {
  if (cards < 2) return 0;
  return Math.min(cardWidth * STRIP, Math.max((height - cardWidth * HIGH) / (cards - 1), LEAST_STEP));
}

export function crewHeight(cards: number, cardWidth: number, height: number): number {
  return cards === 0 ? 0 : cardWidth * HIGH + (cards - 1) * crewStep(cards, cardWidth, height);
}

/** The widest card with which so many still lie readable in a space so high. */
export function widestCard(cards: number, height: number): number {
  return height / (HIGH + STRIP * Math.max(cards - 1, 1));
}

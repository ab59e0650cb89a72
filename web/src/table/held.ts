/** Cards on a hand: equal ones told apart. */

/** A card on the hand; `key` tells equal cards apart. */
export interface Held {
  card: string;
  key: string;
}

/** The same cards in the same order, with a key each. */
export function keyed(cards: readonly string[]): Held[] {
  const met = new Map<string, number>();
  return cards.map((card) => {
    const before = met.get(card) ?? 0;
    met.set(card, before + 1);
    return { card, key: `${card}/${before}` };
  });
}

/** The card a key stands for. */
export function cardOf(key: string): string {
  return key.split("/")[0] ?? "";
}

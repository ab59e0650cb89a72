/** A ship as text, `p5(deck-b2,port-a1) p1(sail-3)`, and as something one moves things about in. */

/** A part and what is on it. */
export interface Laid {
  part: string;
  tiles: string[];
}

export type Layout = readonly Laid[];

const WORD = /^(p\d+)(?:\(([^)]*)\))?$/;

export function parseLayout(text: string): Laid[] {
  if (text === "-" || text === "") return [];
  return text.split(" ").map((word) => {
    const found = WORD.exec(word);
    if (found === null) throw new Error(`'${word}' is no part of a ship`);
    return { part: found[1]!, tiles: found[2] ? found[2].split(",") : [] };
  });
}

export function writeLayout(layout: Layout): string {
  const words = layout.map(({ part, tiles }) =>
    tiles.length === 0 ? part : `${part}(${[...tiles].sort().join(",")})`,
  );
  return words.join(" ") || "-";
}

/** Everything in it. */
export function tilesOf(layout: Layout): string[] {
  return layout.flatMap(({ part, tiles }) => [part, ...tiles]);
}

/** The part a tile of equipment is on. */
export function holderOf(layout: Layout, tile: string): string | null {
  return layout.find(({ tiles }) => tiles.includes(tile))?.part ?? null;
}

/** With a part in a gap: 0 is behind the bow. It keeps what is on it. */
export function withPart(layout: Layout, part: string, gap: number): Laid[] {
  const from = layout.findIndex((laid) => laid.part === part);
  const moved = layout[from] ?? { part, tiles: [] };
  const rest = layout.filter((laid) => laid.part !== part);
  const to = from !== -1 && from < gap ? gap - 1 : gap;
  return [...rest.slice(0, to), moved, ...rest.slice(to)];
}

/** Without a tile of equipment. */
export function withoutTile(layout: Layout, tile: string): Laid[] {
  return layout.map(({ part, tiles }) => ({ part, tiles: tiles.filter((other) => other !== tile) }));
}

/** With a tile of equipment on a part. */
export function withTile(layout: Layout, tile: string, on: string): Laid[] {
  return withoutTile(layout, tile).map(({ part, tiles }) => ({
    part,
    tiles: part === on ? [...tiles, tile] : tiles,
  }));
}

/** With one tile in the place of another, which comes loose. */
export function withTileFor(layout: Layout, tile: string, other: string): Laid[] {
  const on = holderOf(layout, other);
  return on === null ? [...layout] : withTile(withoutTile(layout, other), tile, on);
}

/**
 * Draws repeated without the rules, from what is bundled with the page: how chance draws what each
 * of its verbs names. The Python that plays does the same with the same data
 * (`quarterdeck/engine/draws.py`).
 */

import type { BundledDraws, Draw, Entry, Pool } from "../protocol";
import type { Chance } from "./chance";
import type { Rng } from "./rng";

const bundled = import.meta.glob<BundledDraws>("../games/*/draws.json", { import: "default" });

/** How chance draws in a game, as it was when the page was built; null if it knows none. */
export async function drawsOf(game: string): Promise<BundledDraws | null> {
  const load = bundled[`../games/${game.replaceAll("-", "_")}/draws.json`];
  return load === undefined ? null : load();
}

/** The draws of a game with these options, by their verbs. */
export function verbsFor(draws: BundledDraws, options: Record<string, unknown>): Record<string, Draw> | null {
  const isCase = (wanted: Record<string, unknown>) =>
    Object.entries(wanted).every(([key, value]) => options[key] === value);
  return draws.cases.find((known) => isCase(known.options))?.verbs ?? null;
}

export interface Repeated {
  /** Draws that follow from what was bound. */
  draws: number;
  /** What nature did besides: the clock, the physics. */
  attested: number;
  /** The place in the log of the first draw that does not follow. */
  wrong: number | null;
}

/** Repeats every draw of a log, from the beginning of the game. */
export function repeatDraws(verbs: Record<string, Draw>, log: readonly Entry[], chance: Chance): Repeated {
  const gone = new Map<string, string[]>();
  let [draws, attested] = [0, 0];
  for (const [at, { by, do: text }] of log.entries()) {
    if (by !== "nature") continue;
    const [verb = "", rest = ""] = split(text);
    const draw = Object.hasOwn(verbs, verb) ? verbs[verb]! : null;
    if (draw === null) {
      attested += 1;
      continue;
    }
    const groups = groupsOf(draw, rest);
    const before = gone.get(verb) ?? [];
    if (!follows(draw, groups, before, chance(draws))) return { draws, attested, wrong: at };
    gone.set(verb, [...before, ...groups.flat()]);
    draws += 1;
  }
  return { draws, attested, wrong: null };
}

function split(text: string): string[] {
  const at = text.indexOf(" ");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

const groupsOf = ({ groups, between = "," }: Draw, rest: string): string[][] =>
  (groups ? rest.split(groups) : [rest]).map((group) => group.split(between));

/** Whether the generator draws just this. Order counts within a group only where it is said to. */
function follows(draw: Draw, groups: string[][], gone: readonly string[], rng: Rng): boolean {
  const items = groups.flat();
  let drawn: string[] = [];
  for (const pool of draw.pools) {
    const left = pool.left ? without(pool.items, gone) : pool.items;
    const count = pool.count || items.length - drawn.length;
    if (count > left.length && !pool.replaced) return false;
    drawn.push(...drawFrom(pool, left, count, rng));
  }
  const { sides = [] } = draw;
  if (sides.length > 0) drawn = drawn.map((item) => item + sides[rng.below(sides.length)]!);
  if (drawn.length !== items.length) return false;
  if (draw.ordered) return drawn.every((item, place) => item === items[place]);
  let at = 0;
  return groups.every((group) => {
    const due = drawn.slice(at, (at += group.length)).sort();
    return group.toSorted().every((item, place) => item === due[place]);
  });
}

const drawFrom = (pool: Pool, left: readonly string[], count: number, rng: Rng): string[] =>
  pool.replaced
    ? Array.from({ length: count }, () => left[rng.below(left.length)]!)
    : rng.draw(left, count);

function without(items: readonly string[], gone: readonly string[]): string[] {
  const left = [...items];
  for (const item of gone) {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

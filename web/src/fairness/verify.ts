/**
 * Whether the record of a game is of the game this browser saw, and whether its draws follow from
 * what everybody had bound. Without the rules: what only they can tell is told as not checked.
 */

import type { BundledDraws, CommitReveal, Entry, GameRecord, Roster, RosterProof } from "../protocol";
import { fromHex, sha256, toHex } from "../sha256";
import { canon } from "./bytes";
import { itemBytes, itemsOf, linksOf } from "./chain";
import { oldChance, rosterChance, type Chance } from "./chance";
import { repeatDraws, verbsFor } from "./draws";
import { attemptOf, roll, type Attempt, type Kept } from "./receipt";
import { bindingOf, bytesOf, isName, rosterHash, serverHash } from "./roster";

export type State = "ok" | "not-checked" | "wrong";

/** One part of a verdict. The sentence for it is `fair.PART.CODE`. */
export interface Part {
  part: "bytes" | "roster" | "deals" | "draws" | "log" | "acts" | "views" | "attested";
  state: State;
  code: string;
  values: Record<string, unknown>;
}

export interface Verdict {
  verdict: "proven" | "consistent" | "partial" | "server-only" | "old-scheme" | "unfair";
  /** Among how many deals somebody could have chosen. */
  deals: number;
  /** The seats whose bytes are in it. */
  seats: number[];
  parts: Part[];
}

const ok = (part: Part["part"], code: string, values = {}): Part => ({ part, state: "ok", code, values });
const open = (part: Part["part"], code: string, values = {}): Part => ({ part, state: "not-checked", code, values });
const wrong = (part: Part["part"], code: string, values = {}): Part => ({ part, state: "wrong", code, values });

/** What is known of a game here: the receipt, if there is one, and how its chance draws. */
export interface Known {
  table: string;
  kept: Kept | null;
  draws: BundledDraws | null;
}

/** The verdict on a record, in parts. Whatever it holds, nothing is thrown. */
export function verify(record: GameRecord, known: Known): Verdict {
  try {
    const proof = record.fairness ?? null;
    if (proof?.scheme === "roster") return verifyRoster(record, proof, known);
    const hadRoster = known.kept?.attempts.some(({ roster }) => roster !== null) ?? false;
    const parts = hadRoster ? [wrong("roster", "another-scheme")] : [];
    if (proof?.scheme === "commit-reveal") return verifyOld(record, proof, known, parts);
    return sum(parts, 0, [], "server-only");
  } catch {
    return sum([wrong("roster", "unreadable")], 0, [], "unfair");
  }
}

function verifyRoster(record: GameRecord, proof: RosterProof, known: Known): Verdict {
  const { roster, reveals, secret } = proof;
  const hash = rosterHash(roster);
  const kept = known.kept;
  const attempt = attemptOf(kept, roster.attempt);
  const chance = rosterChance(bytesOf(secret)!, hash, reveals);
  const parts = [
    bytesPart(attempt, kept, reveals),
    rosterPart(record, proof, known.table, attempt),
    dealsPart(roster, kept),
    ...drawParts(record, known.draws, roster.kit, chance),
    logPart(record, proof, hash, kept),
    actsPart(record.log, kept),
    open("views", "command"),
  ];
  const isOk = (part: Part["part"]) => parts.find((known) => known.part === part)!.state === "ok";
  const seats = reveals.map(([seat]) => seat);
  let verdict: Verdict["verdict"] = "server-only";
  if (!isOk("draws")) verdict = "partial";
  else if (isOk("bytes") && isOk("roster")) verdict = "proven";
  else if (seats.length > 0) verdict = "consistent";
  return sum(parts, 1 + (roster.voids?.length ?? 0), seats, verdict);
}

/** The scheme of games begun before there were rosters: nobody's bytes belonged to a seat. */
function verifyOld(record: GameRecord, proof: CommitReveal, known: Known, parts: Part[]): Verdict {
  const { commitment, secret, contributions = [] } = proof;
  const isBound = (hash: string, hex: string) => {
    const bytes = fromHex(hex);
    return bytes !== null && toHex(sha256(bytes)) === hash;
  };
  if (!isBound(commitment, secret)) parts.push(wrong("roster", "secret"));
  else if (!contributions.every((part) => isBound(part.commitment, part.revealed))) {
    parts.push(wrong("roster", "reveals"));
  } else {
    const chance = oldChance(fromHex(secret)!, contributions.map((part) => fromHex(part.revealed)!));
    const kit = known.draws?.kit ?? ""; // the record names its kit in another way
    parts.push(open("roster", "old-scheme"), ...drawParts(record, known.draws, kit, chance));
  }
  return sum(parts, 0, [], contributions.length > 0 ? "old-scheme" : "server-only");
}

function sum(parts: Part[], deals: number, seats: number[], verdict: Verdict["verdict"]): Verdict {
  const isWrong = parts.some(({ state }) => state === "wrong");
  return { verdict: isWrong ? "unfair" : verdict, deals, seats, parts };
}

// The parts ---------------------------------------------------------------------------------------

type Reveals = RosterProof["reveals"];

function bytesPart(attempt: Attempt | null, kept: Kept | null, reveals: Reveals): Part {
  if (kept === null) return open("bytes", "no-receipt");
  const shown = new Map(reveals);
  const mine = Object.entries(attempt?.own ?? {}).map(([seat, bytes]) => ({ seat: Number(seat), bytes }));
  if (mine.length === 0) {
    const isForgotten = kept.seats.some((seat) => shown.has(seat));
    return isForgotten ? open("bytes", "no-receipt") : open("bytes", "not-mine");
  }
  const missing = mine.filter(({ seat, bytes }) => shown.get(seat) !== bytes);
  if (missing.length === 0) return ok("bytes", "mine");
  const { roster, bound, acked } = attempt!;
  const isBound = missing.some(
    ({ seat }) => [...bound, ...acked].includes(seat) || shown.has(seat) || roster?.seats[seat]?.bound != null,
  );
  return isBound ? wrong("bytes", "left-out") : open("bytes", "too-late");
}

function rosterPart(record: GameRecord, proof: RosterProof, table: string, attempt: Attempt | null): Part {
  const { roster, salts, secret, reveals } = proof;
  const { seats = [], position = null } = record;
  if (roster.table !== table) return wrong("roster", "another-table");
  if (toHex(serverHash(table, roster.attempt, bytesOf(secret)!)) !== roster.server) return wrong("roster", "secret");
  const bound = roster.seats.flatMap((seat, place) => (seat.bound === null ? [] : [place]));
  const isBound = ([seat, hex]: [number, string]) =>
    bindingOf(table, roster.attempt, seat, hex) === roster.seats[seat]!.bound;
  if (reveals.map(([seat]) => seat).join() !== bound.join() || !reveals.every(isBound)) {
    return wrong("roster", "reveals");
  }
  if (
    roster.game !== record.game ||
    roster.seats.length !== seats.length ||
    !isSame(roster.options, record.options) ||
    !isSame(roster.position, position)
  ) {
    return wrong("roster", "another-game");
  }
  const withdrawn = salts.filter((salt, place) => salt === null && seats[place] === "").length;
  const named = roster.seats.filter(({ name }, place) => isName(name, salts[place] ?? null, seats[place]!)).length;
  if (named + withdrawn !== seats.length) return wrong("roster", "names");
  if (attempt?.roster == null) return open("roster", "not-kept");
  if (!isSame(attempt.roster, roster)) return wrong("roster", "another-roster");
  if (!attempt.isEarly) return open("roster", "kept-later");
  return withdrawn > 0 ? ok("roster", "name-withdrawn") : ok("roster", "as-kept");
}

/** A void has to name somebody who did not show their bytes, and who contributes no more. */
function dealsPart(roster: Roster, kept: Kept | null): Part {
  const { voids = [] } = roster;
  const gone = new Set<number>();
  for (const [place, { attempt, missing }] of voids.entries()) {
    const isNew = missing.every((seat) => !gone.has(seat) && roster.seats[seat]?.bound === null);
    if (attempt !== place || missing.length === 0 || !isNew) return wrong("deals", "voids");
    for (const seat of missing) gone.add(seat);
  }
  if (roster.attempt !== voids.length) return wrong("deals", "voids");
  for (const known of kept?.attempts ?? []) {
    if (known.roster === null || known.attempt === roster.attempt) continue;
    const told = voids[known.attempt];
    if (told === undefined) return wrong("deals", "hidden");
    if (told.roster !== toHex(rosterHash(known.roster))) return wrong("deals", "another-void");
    if (told.missing.some((seat) => known.acked.includes(seat))) return wrong("deals", "called-missing");
  }
  return ok("deals", "deals", { deals: 1 + voids.length });
}

function drawParts(record: GameRecord, draws: BundledDraws | null, kit: string, chance: Chance): Part[] {
  const verbs = draws === null || draws.kit !== kit ? null : verbsFor(draws, record.options);
  if (record.position != null) return [open("draws", "position")];
  if (verbs === null) return [open("draws", "another-kit")];
  const repeated = repeatDraws(verbs, record.log, chance);
  if (repeated.wrong !== null) return [wrong("draws", "draw", { at: repeated.wrong })];
  if (repeated.draws === 0) return [open("draws", "none")];
  const { attested } = repeated;
  const done = ok("draws", "draws", { draws: repeated.draws });
  return attested === 0 ? [done] : [done, open("attested", "attested", { attested })];
}

function logPart(record: GameRecord, proof: RosterProof, hash: Uint8Array, kept: Kept | null): Part {
  const items = itemsOf(record.log, proof.facts)?.map(itemBytes);
  if (items === undefined || items.length !== proof.links) return wrong("log", "broken");
  const links = linksOf(bytesOf(proof.secret)!, hash, items);
  if (toHex(links.at(-1)!) !== proof.end) return wrong("log", "broken");
  const resigned = proof.facts.filter((fact) => fact.do.startsWith("resigned ")).map((fact) => fact.do);
  const said = record.outcome?.resigned ?? null;
  if (record.seats?.length === 2 && resigned.join() !== (said === null ? "" : `resigned ${said}`)) {
    return wrong("log", "outcome"); // of two, whoever resigns has lost
  }
  const ranges = kept?.seen.ranges ?? [];
  if (ranges.length === 0) return open("log", "unseen");
  let rolled = "00".repeat(32);
  for (const [from, to] of ranges) {
    for (let n = from; n <= to; n++) {
      const link = links[n];
      if (link === undefined) return wrong("log", "cut");
      rolled = roll("seen", rolled, n, link);
    }
  }
  if (rolled !== kept!.seen.hash) return wrong("log", "another-log");
  const n = Math.max(...ranges.map(([, to]) => to));
  return n === items.length ? ok("log", "whole", { n }) : ok("log", "up-to", { n, of: items.length });
}

/** Every act of one's own that was confirmed is in the log, in its order. */
function actsPart(log: readonly Entry[], kept: Kept | null): Part {
  const acts = kept?.acts ?? [];
  if (acts.length === 0) return open("acts", "none");
  const next = new Map<number, number>();
  for (const act of acts) {
    const first = next.get(act.seat) ?? 0;
    const at = log.findIndex((entry, place) => place >= first && isAct(entry, act));
    if (at < 0) return wrong("acts", "missing", { do: act.do });
    next.set(act.seat, at + 1);
  }
  return ok("acts", "acts", { acts: acts.length });
}

/** What was left to the rules to find is in the log as they found it. */
function isAct(entry: Entry, act: { seat: number; do: string }): boolean {
  if (entry.by !== act.seat || entry.via != null) return false;
  return entry.do === act.do || (act.do.endsWith(" auto") && entry.do.startsWith(act.do.slice(0, -4)));
}

const isSame = (one: unknown, two: unknown) => toHex(canon(one)) === toHex(canon(two));

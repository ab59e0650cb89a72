/**
 * This browser's part in a fair deal, and what it keeps as a receipt: it binds bytes of its own,
 * notes the roster, shows the bytes only then, and takes down what it sees of the game.
 */

import type { Request } from "../connection";
import { canon } from "../fairness/bytes";
import { dealCode, logCode } from "../fairness/codes";
import { attemptOf, noteAct, noteAttempt, noteLink, noteView, type Kept } from "../fairness/receipt";
import {
  bindingOf,
  flawOf,
  flawOfReveals,
  newBytes,
  rosterHash,
  type Flaw,
  type Own,
} from "../fairness/roster";
import type { RosterTold, TableTold, ViewTold } from "../protocol";
import { changeReceipt, prepareReceipts } from "../receipts";
import { toHex } from "../sha256";

/** How long what was seen may wait before it is written. */
const WRITE_MS = 400;

type Noted = { flaw: Flaw; isUnshown: boolean } | { own: Own["own"] };

/** Notes a roster in the receipt; answers what is wrong with it, or the bytes that may be shown. */
function takeDown(message: RosterTold, told: TableTold, kept: Kept): Noted {
  const attempt = noteAttempt(kept, message.attempt);
  const isUnshown = attempt.roster === null && message.reveals === null;
  let flaw: Flaw | null;
  if (attempt.roster !== null && !isSame(attempt.roster, message.roster)) flaw = "second-roster";
  else if (wasCalledMissing(kept, message)) flaw = "called-missing";
  else if (message.reveals === null) flaw = flawOf(message, told, attempt);
  else flaw = flawOfReveals(message, told.you, attempt);

  // one that leaves out what was bound is kept: it is the proof
  if (flaw !== null && flaw !== "left-out") return { flaw, isUnshown };
  if (kept.shown.plies.length === 0) kept.seats = [...told.you];
  attempt.isEarly ||= message.reveals === null;
  attempt.roster = message.roster;
  attempt.names = [...message.names];
  attempt.salts = [...message.salts];
  if (flaw !== null) return { flaw, isUnshown: true };
  attempt.reveals ??= message.reveals;
  return { own: attempt.own };
}

/** Whether a deal is said to have been given up for want of bytes that the server had confirmed. */
const wasCalledMissing = (kept: Kept, { roster }: RosterTold) =>
  (roster?.voids ?? []).some(({ attempt, missing }) =>
    missing.some((seat) => attemptOf(kept, attempt)?.acked.includes(seat)),
  );

const isSame = (one: unknown, two: unknown) => toHex(canon(one)) === toHex(canon(two));

/** By table that this page has just made: its seats there, with the bytes kept for them. */
const justMade = new Map<string, Promise<[number, string | null][]>>();

/** At a table just made nobody has bound anything: that is done without waiting to be told so. */
export function bindSoon(table: string, seats: readonly number[]): void {
  const kept = Promise.all(
    seats.map(async (seat) => [seat, await keepBytes(table, 0, seat)] as [number, string | null]),
  );
  justMade.set(table, kept);
}

/** The bytes kept for a seat in an attempt: the first time they are drawn, later they are the same. */
const keepBytes = (table: string, attempt: number, seat: number): Promise<string | null> =>
  changeReceipt(table, (kept) => {
    if (!kept.seats.includes(seat)) kept.seats = [...kept.seats, seat].sort((a, b) => a - b);
    const { own, roster } = noteAttempt(kept, attempt);
    if (roster !== null) return own[seat] ?? null; // too late for new ones
    return (own[seat] ??= newBytes());
  });

export class Fair {
  /** Why this page has shown nothing, or trusts the deal no more. */
  flaw = $state.raw<Flaw | null>(null);
  /** Whether it has kept its bytes back. */
  hasKeptBack = $state(false);
  /** The code of the deal, once everybody has shown their bytes. */
  deal = $state.raw<string | null>(null);
  /** Whether bytes of this browser are in the deal; null if it no longer knows. */
  isMine = $state<boolean | null>(false);
  /** The code of the log as far as it was seen, and how many items it has. */
  log = $state.raw<{ n: number; code: string } | null>(null);

  #told: TableTold | null = null;
  #bound = new Set<string>();
  #flawed = -1;
  #late: (() => Promise<void>) | null = null;
  /** What was seen and is not written yet. */
  #notes: ((kept: Kept) => void)[] = [];
  #n = -1;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** One thing after the other, in the order it came. */
  #line: Promise<void> = Promise.resolve();

  constructor(
    readonly table: string,
    readonly ask: (message: Request) => Promise<unknown>,
  ) {
    prepareReceipts();
  }

  /** A connection begins anew: what was bound is said again. */
  again(): void {
    this.#bound.clear();
  }

  // Before the game -----------------------------------------------------------------------------

  /** There is a connection. */
  hurry(): void {
    const made = justMade.get(this.table);
    justMade.delete(this.table);
    if (made === undefined) return;
    void this.#next(async () => {
      for (const [seat, bytes] of await made) {
        if (this.#isNew(0, seat)) this.#commit(0, seat, bytes);
      }
    });
  }

  hearTable(told: TableTold): void {
    this.#told = told;
    if (told.status !== "waiting" && told.status !== "revealing") return;
    // everybody may bind for the first attempt, whatever the server says; later it may be too late
    const { attempt, contributors } = told;
    void this.#next(async () => {
      for (const seat of told.you.filter((seat) => attempt === 0 || contributors.includes(seat))) {
        if (this.#isNew(attempt, seat)) {
          this.#commit(attempt, seat, await keepBytes(this.table, attempt, seat));
        }
      }
    });
  }

  /** Whether a seat is not bound yet; from now on it is. */
  #isNew(attempt: number, seat: number): boolean {
    const isNew = !this.#bound.has(`${attempt} ${seat}`);
    this.#bound.add(`${attempt} ${seat}`);
    return isNew;
  }

  /** Binds bytes that are kept. A second tab binds the same. */
  #commit(attempt: number, seat: number, bytes: string | null): void {
    if (bytes === null) return;
    const hash = bindingOf(this.table, attempt, seat, bytes);
    const noteBound = () =>
      changeReceipt(this.table, (kept) => {
        const { bound } = noteAttempt(kept, attempt);
        if (!bound.includes(seat)) bound.push(seat);
      });
    this.ask({ type: "commit", seat, attempt, hash }).then(
      () => this.#next(noteBound).then(() => this.#answerLate()),
      () => this.#bound.delete(`${attempt} ${seat}`),
    );
  }

  hearRoster(message: RosterTold): void {
    const told = this.#told;
    if (told !== null) void this.#next(() => this.#answer(message, told));
  }

  /** Nothing is shown before the roster is written down. */
  async #answer(message: RosterTold, told: TableTold): Promise<void> {
    const { attempt, roster, reveals } = message;
    const noted = await changeReceipt(this.table, (kept) => takeDown(message, told, kept), true);
    this.#late = null;
    if ("flaw" in noted) {
      if (noted.flaw === "too-late") this.#late = () => this.#answer(message, told);
      this.flaw = noted.flaw;
      this.hasKeptBack = noted.isUnshown && told.you.length > 0;
      this.#flawed = attempt;
      return;
    }
    const { own } = noted;
    if (attempt > this.#flawed) this.flaw = null;
    const hash = rosterHash(roster);
    if (reveals !== null) {
      this.deal = dealCode(hash, reveals);
      const mine = reveals.filter(([seat]) => told.you.includes(seat));
      this.isMine = mine.some(([seat, bytes]) => own[seat] === bytes) || (mine.length > 0 ? null : false);
      return;
    }
    for (const seat of told.you) {
      const bytes = own[seat];
      if (bytes !== undefined) this.#reveal(attempt, { type: "reveal", seat, roster: toHex(hash), bytes });
    }
  }

  /** What seemed too late was confirmed after all: the roster is looked at again. */
  #answerLate(): void {
    if (this.#late !== null) void this.#next(this.#late);
  }

  /** If it is not confirmed, it may still have been heard: the roster with all reveals will tell. */
  #reveal(attempt: number, message: Request & { type: "reveal" }): void {
    const note = async () => {
      await changeReceipt(this.table, (kept) => {
        const { acked } = noteAttempt(kept, attempt);
        if (!acked.includes(message.seat)) acked.push(message.seat);
      });
    };
    this.ask(message).then(() => this.#next(note), () => {});
  }

  // During the game -----------------------------------------------------------------------------

  hearView(told: ViewTold): void {
    const { link } = told.shown;
    if (link == null) return; // the game was begun before there were links
    this.log = { n: link.n, code: logCode(link.hash) };
    const isBack = link.n < this.#n;
    this.#n = link.n;
    this.#note((kept) => {
      noteLink(kept, link, isBack);
      noteView(kept, told, isBack);
    });
  }

  /** An act of one's own that the server has confirmed; it is written at once. */
  hearAct(seat: number, text: string): void {
    if (this.#n < 0) return;
    const act = { seat, do: text, n: this.#n };
    this.#note((kept) => noteAct(kept, act));
    void this.flush();
  }

  #note(note: (kept: Kept) => void): void {
    this.#notes.push(note);
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_MS);
  }

  /** Writes what was seen. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const notes = this.#notes.splice(0);
    return this.#next(async () => {
      if (notes.length === 0) return;
      await changeReceipt(this.table, (kept) => notes.forEach((note) => note(kept)));
    });
  }

  /** What cannot be read, or written as it should be, is no ground for trust. */
  #next(then: () => Promise<void>): Promise<void> {
    return (this.#line = this.#line.then(then).catch(() => {
      this.flaw ??= "unreadable";
    }));
  }
}

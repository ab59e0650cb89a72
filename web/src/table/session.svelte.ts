/** Being at a table: what the server has told, kept for the page to show, and what is asked of it. */

import {
  browserWorld,
  Connection,
  type ConnectionState,
  type Refusal,
  type Request,
} from "../connection";
import type { TimedEvent } from "../games/game";
import { carryKeys, dropSeat, forgetTable, noteTable, tokensFor } from "../keys";
import { OpenWorld, readFrame, type Live } from "../live";
import type { ChatLine, HintTold, ServerMessage, TableTold, ViewTold } from "../protocol";
import { eventsSince, viewsOf, type SeatView } from "../told";
import { Fair } from "./fair.svelte";
import { notes } from "./notes";

/** A view, and when it came (`performance.now()`), for clocks that go on running. */
export interface Shown {
  told: SeatView;
  at: number;
}

/** A line of the log: an event of the game, or a note about the table. */
export interface LogLine extends TimedEvent {
  from: "game" | "table";
}

const KEPT_NOTES = 400;
const RELOADED = "quarterdeck.reloaded";
const KEPT_CHAT = 200;

/** A page of yesterday loads itself anew, once; if that does not help it says so. */
function isFirstReload(): boolean {
  try {
    const isFirst = sessionStorage.getItem(RELOADED) === null;
    sessionStorage.setItem(RELOADED, "yes");
    return isFirst;
  } catch {
    return false;
  }
}

export class Session implements Live {
  told = $state.raw<TableTold | null>(null);
  connection = $state.raw<ConnectionState>({ kind: "idle" });
  views = $state.raw<ReadonlyMap<number | null, Shown>>(new Map());
  /** The live world that is open, if one is. */
  world = $state.raw<OpenWorld | null>(null);
  chat = $state.raw<readonly ChatLine[]>([]);
  muted = $state.raw<readonly (number | null)[]>([]);
  unread = $state(0);
  /** What was last thought of for one of my seats. */
  hint = $state.raw<HintTold | null>(null);
  /** Why the server would not have us; null while it does. */
  turnedAway = $state.raw<Refusal | null>(null);
  /** The host has sent us away from our seat. */
  wasRemoved = $state(false);

  /** Called for what is said while one is there, not for what was said before. */
  onChat: (lines: readonly ChatLine[]) => void = () => {};
  onRefused: (refusal: { code: string; rule: string | null }) => void = () => {};

  /** This browser's part in a fair deal. */
  readonly fair: Fair;

  #events = $state.raw<readonly TimedEvent[]>([]);
  #notes = $state.raw<readonly TimedEvent[]>([]);
  #link: Connection;
  #n = 0;
  #ply = 0;
  #isLeaving = false;
  #hasBegun = false;

  constructor(readonly table: string) {
    this.#link = new Connection(browserWorld(), {
      onMessage: (message) => this.#receive(message),
      onFrame: (data) => this.#hearFrame(data),
      onState: (state) => this.#become(state),
      onTurnedAway: (refusal) => this.#turnAway(refusal),
    });
    this.fair = new Fair(table, (message) => this.#link.request(message));
  }

  /** Comes to the table, and stays until the answer is called. */
  open(): () => void {
    const wake = () => {
      if (!document.hidden) this.#link.wake();
    };
    document.addEventListener("visibilitychange", wake);
    addEventListener("online", wake);
    addEventListener("pageshow", wake);
    const flush = () => void this.fair.flush();
    addEventListener("pagehide", flush);
    this.attach();
    return () => {
      document.removeEventListener("visibilitychange", wake);
      removeEventListener("online", wake);
      removeEventListener("pageshow", wake);
      removeEventListener("pagehide", flush);
      flush();
      this.#link.detach();
    };
  }

  /** Attaches with all the seats one has here now. */
  attach(): void {
    this.turnedAway = null;
    this.fair.again();
    this.#link.attach(this.table, tokensFor(this.table));
  }

  /** Does not wait any longer for the next attempt. */
  retry(): void {
    this.#link.wake();
  }

  // What is known -------------------------------------------------------------------------------

  get names(): string[] {
    return this.told?.seats.map((seat) => seat.name) ?? [];
  }

  /** My seats that may act now, or whose hand is in a live world. */
  get due(): number[] {
    return (this.told?.you ?? []).filter((seat) => {
      if (this.world?.seat === seat) return true;
      const view = this.views.get(seat)?.told;
      return view !== undefined && view.legal.length + view.templates.length > 0;
    });
  }

  get isHost(): boolean {
    return this.told !== null && this.told.you.includes(this.told.host);
  }

  /** Whether there is anybody to talk to: bots do not listen. */
  get hasCompany(): boolean {
    if (this.told === null) return false;
    const { seats, you, watching } = this.told;
    const isOther = (place: number) => seats[place]?.kind === "person" && !you.includes(place);
    return watching > 0 || this.chat.length > 0 || seats.some((_, place) => isOther(place));
  }

  /** What happened in the game, from its beginning on. */
  get events(): readonly TimedEvent[] {
    return this.#events;
  }

  /** What happened, at the table too, in order. */
  get log(): LogLine[] {
    const game = this.#events.map((event): LogLine => ({ ...event, from: "game" }));
    const table = this.#notes.map((event): LogLine => ({ ...event, from: "table" }));
    return [...game, ...table].sort((a, b) => a.n - b.n);
  }

  // What is asked -------------------------------------------------------------------------------

  async request(message: Request): Promise<string | null> {
    try {
      return await this.#link.request(message);
    } catch (refusal) {
      this.onRefused(refusal as Refusal);
      throw refusal;
    }
  }

  async act(seat: number, decision: number, text: string): Promise<void> {
    await this.request({ type: "act", seat, decision, do: text });
    this.fair.hearAct(seat, text);
  }

  gesture(does: Record<string, unknown>, seen: number): void {
    if (this.world === null) return;
    const { seat, decision } = this.world;
    this.#link.tell({ type: "gesture", seat, decision, seen, do: does });
  }

  /** What an action would come to; nothing changes. */
  preview(seat: number, decision: number, text: string): Promise<Record<string, unknown>> {
    return this.#link.preview({ type: "preview", seat, decision, do: text });
  }

  async mute(seat: number | null, muted: boolean): Promise<void> {
    await this.request({ type: "mute", seat, muted });
    this.muted = muted ? [...this.muted, seat] : this.muted.filter((other) => other !== seat);
  }

  /** Gives up all of one's seats. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    try {
      for (const seat of this.told?.you ?? []) {
        await this.request({ type: "leave", seat });
        dropSeat(this.table, seat);
      }
    } finally {
      this.#isLeaving = false;
    }
  }

  /** The same again; answers the new table. */
  async rematch(): Promise<string | null> {
    const table = await this.request({ type: "rematch" });
    if (table !== null) carryKeys(this.table, table);
    return table;
  }

  // What the server says ------------------------------------------------------------------------

  #receive(message: ServerMessage): void {
    switch (message.type) {
      case "table":
        if (message.table === this.table) this.#hearTable(message);
        break;
      case "view":
        if (message.table === this.table) this.#hearView(message);
        break;
      case "world":
        if (message.table === this.table) this.world = new OpenWorld(message);
        break;
      case "chat":
        if (message.table === this.table) this.#hearChat(message.lines);
        break;
      case "hint":
        if (message.table === this.table) this.hint = message;
        break;
      case "roster":
        if (message.table === this.table) this.fair.hearRoster(message);
        break;
      case "goodbye":
        if (message.reason === "removed" && !this.#isLeaving) this.wasRemoved = true;
        break;
      case "error":
        // a gesture that came too late; the next frame shows how things stand
        if (message.id !== null) break;
        this.onRefused({ code: message.code, rule: message.rule ?? null });
        break;
    }
  }

  #become(state: ConnectionState): void {
    this.connection = state;
    // right after the connection has asked to see the table
    if (state.kind === "connected") queueMicrotask(() => this.fair.hurry());
  }

  #hearTable(told: TableTold): void {
    const before = this.told;
    this.told = told;
    if (this.wasRemoved && before !== null) {
      const lost = before.you.filter((seat) => !told.you.includes(seat));
      for (const seat of lost) dropSeat(this.table, seat);
    }
    this.#notes = [
      ...this.#notes,
      ...notes(before, told).map((event) => ({ n: this.#n++, seq: 0, event })),
    ].slice(-KEPT_NOTES);
    noteTable(this.table, told.status === "over");
    this.fair.hearTable(told);
    if (told.status === "waiting") this.#beginAlone(told);
  }

  /** A rematch against bots alone waits for nobody. */
  #beginAlone(told: TableTold): void {
    const isReady = (place: number) =>
      told.you.includes(place) ? told.seats[place]!.committed : told.seats[place]!.kind === "bot";
    if (this.isHost && told.seats.every((_, place) => isReady(place)) && !this.#hasBegun) {
      this.#hasBegun = true;
      this.#link.request({ type: "start" }).catch(() => {});
    }
  }

  #hearView(told: ViewTold): void {
    this.fair.hearView(told);
    if (told.shown.ply < this.#ply) return;
    const events = eventsSince(told, this.#ply).map(({ ply, event }) => ({ n: this.#n++, seq: ply, event }));
    this.#ply = told.shown.ply;
    if (events.length > 0) this.#events = [...this.#events, ...events];
    const at = performance.now();
    this.views = new Map(viewsOf(told).map((view) => [view.seat, { told: view, at }]));
    if (this.world !== null && told.shown.decision > this.world.decision) this.world = null;
  }

  #hearFrame(data: ArrayBuffer): void {
    const frame = readFrame(data, performance.now());
    if (frame !== null) this.world?.hear(frame);
  }

  #hearChat(lines: readonly ChatLine[]): void {
    const known = new Set(this.chat.map((line) => line.number));
    const fresh = lines.filter((line) => !known.has(line.number));
    const isFirst = this.chat.length === 0 && lines.length > 1;
    this.chat = [...this.chat, ...fresh].sort((a, b) => a.number - b.number).slice(-KEPT_CHAT);
    if (!isFirst && fresh.length > 0) this.onChat(fresh);
  }

  #turnAway(refusal: Refusal): void {
    if (refusal.code === "not-your-seat" && tokensFor(this.table).length > 0) {
      forgetTable(this.table); // the seat is somebody else's by now: one may still watch
      this.attach();
    } else {
      if (refusal.code === "reload" && isFirstReload()) location.reload();
      if (refusal.code === "no-such-table") forgetTable(this.table);
      this.turnedAway = refusal;
    }
  }
}

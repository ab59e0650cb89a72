/** What the shell asks of a game's folder, and what it gives the game's components. */

import type { Component } from "svelte";

import type { Live } from "../live";
import type { Say } from "../messages";
import type { ClockState, DueTold, Event, SeatInfo, Template } from "../protocol";
import type { Settings } from "../settings.svelte";
import type { SoundName } from "../sounds";

export type { ClockState, DueTold as Due, Event, Live, Say, SeatInfo, Settings, SoundName, Template };

/** An event as it came: `n` counts upwards for as long as the page lives, whatever is left out. */
export interface TimedEvent {
  n: number;
  seq: number;
  event: Event;
}

/** Why an action was not carried out; what `act` rejects with. The shell has already shown it. */
export interface Refusal {
  code: string;
  rule: string | null;
  message: string;
}

/**
 * The props of a game's `Table.svelte` and `Result.svelte`.
 *
 * The element around a table is a size container named `stage` that fills the space between the
 * top bar and the bottom of the window: measure with container queries, not with media queries.
 * The shell itself plays `turn`, `error`, `chat` and `win`; the other sounds are the game's. It
 * also speaks every event to screen readers.
 */
export interface TableProps {
  view: any;
  seat: number | null;
  seats: SeatInfo[];
  names: string[];
  legal: string[];
  templates: Template[];
  decision: number;
  events: TimedEvent[];
  /** What nature attached last to one of its actions. */
  attached: Record<string, unknown> | null;
  live: Live;
  clocks: ClockState | null;
  /** What nature does next of itself, in a game played against time. */
  due: DueTold | null;
  /** When the clocks and `due` were told (`performance.now()`). */
  clocksAt: number;
  isPaused: boolean;
  act: (text: string) => Promise<void>;
  /** What an action would come to, in a game that tells it; nothing changes. */
  preview: (text: string) => Promise<Record<string, unknown>>;
  say: Say;
  settings: Settings;
  /** `loud` from 0 to 1, for sounds of wood on wood. */
  play: (sound: SoundName, loud?: number) => void;
  over: boolean;
  /** Where the record of the game is, once it is over. */
  record: string;
}

/** What `index.ts` in a game's folder exports. */
export interface GameModule {
  Table: Component<TableProps>;
  Picture: Component<Record<string, never>>;
  /** Nothing is hidden from anybody: people at one screen need no curtain between them. */
  isOpen?: boolean;
  /** How long the end of the game stays in view before the result is shown. */
  endingMs?: number;
  /** Shown after the end, under the ranking. */
  Result?: Component<TableProps>;
  /** What an action is called, for hints. */
  label?: (action: string, say: Say) => string;
  /** How far the game is, for the top bar: "Hand 3 of 10". */
  headline?: (view: TableProps["view"], say: Say) => string;
}

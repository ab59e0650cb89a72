/** What the server told of a game, put together for each pair of eyes. */

import type { ClockState, DueTold, Event, OwnTold, Template, ViewTold } from "./protocol";

/** What one seat (null: somebody who watches) sees, whole. */
export interface SeatView {
  seat: number | null;
  ply: number;
  decision: number;
  view: Record<string, unknown>;
  legal: string[];
  templates: Template[];
  clocks: ClockState | null;
  due: DueTold | null;
  attached: Record<string, unknown> | null;
}

/** An event of the game, and the ply it led to. */
export interface PlyEvent {
  ply: number;
  event: Event;
}

/** What each of one's seats sees; of those who have none, what everybody sees. */
export function viewsOf(told: ViewTold): SeatView[] {
  const own = told.own ?? [];
  return own.length === 0 ? [viewFor(told, null)] : own.map((mine) => viewFor(told, mine));
}

/** What happened after a ply, as far as it is told here. */
export const eventsSince = (told: ViewTold, ply: number): PlyEvent[] =>
  told.shown.happened
    .filter((past) => past.ply > ply)
    .flatMap((past) => past.events.map((event) => ({ ply: past.ply, event })));

function viewFor({ shown }: ViewTold, own: OwnTold | null): SeatView {
  const { to_act, scores, winners } = { ...shown, ...own };
  return {
    seat: own?.seat ?? null,
    ply: shown.ply,
    decision: shown.decision,
    view: {
      ...{ to_act, scores, winners },
      ...keys(shown.view),
      ...keys(shown.outlook),
      ...keys(own?.view),
      ...keys(own?.outlook),
    },
    legal: own?.legal ?? [],
    templates: own?.templates ?? [],
    clocks: shown.clocks ?? null,
    due: shown.due ?? null,
    attached: shown.attached ?? null,
  };
}

const keys = (part: unknown): Record<string, unknown> => (part ?? {}) as Record<string, unknown>;

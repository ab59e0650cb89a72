/** What both pictures of the ship have in common: targets, what is considered, and the keys. */

import { capital } from "../../messages";
import type { Say } from "../game";
import type { Deck } from "./deck";
import type { Handling } from "./handling.svelte";
import type { Outlook, Target } from "./view";
import { decimal, label } from "./words";

export interface PictureProps {
  deck: Deck;
  targets: readonly Target[];
  /** The action one thinks about, and what would come of it. */
  considered: string | null;
  outlook: Outlook | null;
  consider: (text: string | null) => void;
  choose: (text: string, isTouch: boolean) => void;
  /** How far each plank is from tipping, in tenths of a millimetre from bow to stern; null: not shown. */
  margins: readonly number[] | null;
  handling: Handling | null;
  /** The colours of the seats that have the crews. */
  feet: Record<string, string | null>;
  calm: boolean;
  say: Say;
}

/** What an action is called, with what comes of it; `helps`: with what would fall, too. */
export function words(action: string, outlook: Outlook | null | undefined, helps: boolean, say: Say): string[] {
  const pushed = outlook?.push?.length ?? 0;
  const planks = helps ? (outlook?.falls ?? []) : [];
  return [
    capital(label(action, say)),
    ...(outlook?.spaces ? [say("web.by", { spaces: outlook.spaces })] : []),
    ...(pushed > 0 ? [say("web.pushes", { pushed })] : []),
    ...(planks.length > 0 ? [say("web.would-fall", { planks })] : []),
  ];
}

/** A margin in millimetres, and how it is to be taken. */
export function marginOf(tenths: number, say: Say): { text: string; kind: "good" | "near" | "bad" } {
  const kind = tenths < 0 ? "bad" : tenths < 40 ? "near" : "good";
  return { text: decimal(tenths, say), kind };
}

const STEPS: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Lets arrow keys go from target to target, whichever lies next in that direction. */
export function walk(event: KeyboardEvent, box: HTMLElement): void {
  const step = STEPS[event.key];
  const from = document.activeElement as HTMLElement | null;
  if (step === undefined || from === null || !box.contains(from) || event.altKey || event.ctrlKey || event.metaKey) return;
  const middle = (element: HTMLElement) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x + width / 2, y + height / 2] as const;
  };
  const [x, y] = middle(from);
  let best: { element: HTMLElement; far: number } | null = null;
  for (const element of box.querySelectorAll<HTMLElement>("[data-text]")) {
    const [a, b] = middle(element);
    const along = (a - x) * step[0] + (b - y) * step[1];
    const aside = Math.abs((a - x) * step[1]) + Math.abs((b - y) * step[0]);
    if (along < 2) continue;
    const far = along + 3 * aside;
    if (best === null || far < best.far) best = { element, far };
  }
  best?.element.focus();
  event.preventDefault();
  event.stopPropagation();
}

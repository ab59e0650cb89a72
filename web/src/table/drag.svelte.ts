/** Dragging something to a place on the page: by mouse, pen or finger. A tap stays a tap. */

import type { Attachment } from "svelte/attachments";

import type { Held } from "./held";

const SLIP_PX = 7;

/** Where things may be dropped carries its name as `data-zone`. */
function zoneAt(x: number, y: number): string | null {
  const zone = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-zone]");
  return zone?.dataset["zone"] ?? null;
}

interface Handlers {
  /** A card leaves its place; false: it may not. */
  lift: (held: Held) => boolean;
  /** It was let go over a zone, or nowhere. */
  drop: (held: Held, zone: string | null) => void;
}

export class Dragging {
  held = $state.raw<Held | null>(null);
  over = $state<string | null>(null);
  x = $state(0);
  y = $state(0);
  /** How wide the thing is that one drags. */
  width = $state(0);

  #handlers: Handlers;

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
  }

  /** What a card is dragged by. */
  grip = (held: Held): Attachment<HTMLElement> => (element) => {
    let from: PointerEvent | null = null;

    const down = (event: PointerEvent) => {
      if (event.button !== 0 || !event.isPrimary) return;
      from = event;
      element.setPointerCapture(event.pointerId); // or a quick hand is lost at the edge
    };
    const move = (event: PointerEvent) => {
      if (from === null || event.pointerId !== from.pointerId) return;
      if (this.held === null) {
        if (Math.hypot(event.x - from.x, event.y - from.y) < SLIP_PX) return;
        if (!this.#handlers.lift(held)) {
          from = null;
          return;
        }
        this.width = element.getBoundingClientRect().width;
        this.held = held;
      }
      this.x = event.x;
      this.y = event.y;
      this.over = zoneAt(event.x, event.y);
    };
    const end = (event: PointerEvent) => {
      if (from === null || event.pointerId !== from.pointerId) return;
      from = null;
      if (this.held === null) return;
      const zone = event.type === "pointerup" ? zoneAt(event.x, event.y) : null;
      this.held = null;
      this.over = null;
      // the click that follows is none
      element.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => element.removeEventListener("click", swallow, { capture: true }));
      this.#handlers.drop(held, zone);
    };

    element.style.touchAction = "none";
    element.addEventListener("pointerdown", down);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
    element.addEventListener("dragstart", prevent);
    return () => {
      element.removeEventListener("pointerdown", down);
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", end);
      element.removeEventListener("pointercancel", end);
      element.removeEventListener("dragstart", prevent);
      if (this.held === held) this.held = null;
    };
  };
}

function swallow(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}

function prevent(event: Event): void {
  event.preventDefault();
}

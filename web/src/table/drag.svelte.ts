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
  /** Where a press began, and on what; it outlives a new drawing of the same card. */
  #pressed: { key: string; pointer: number; x: number; y: number } | null = null;

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
  }

  /** What a card is dragged by. */
  grip = (held: Held): Attachment<HTMLElement> => (element) => {
    const isMine = (event: PointerEvent) =>
      this.#pressed?.key === held.key && this.#pressed.pointer === event.pointerId;

    const down = (event: PointerEvent) => {
      if (event.button !== 0 || !event.isPrimary) return;
      this.#pressed = { key: held.key, pointer: event.pointerId, x: event.x, y: event.y };
      element.setPointerCapture(event.pointerId); // or a quick hand is lost at the edge
    };
    const move = (event: PointerEvent) => {
      if (!isMine(event)) return;
      if (this.held === null) {
        const { x, y } = this.#pressed!;
        if (Math.hypot(event.x - x, event.y - y) < SLIP_PX) return;
        if (!this.#handlers.lift(held)) {
          this.#pressed = null;
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
      if (!isMine(event)) return;
      const zone = event.type === "pointerup" ? zoneAt(event.x, event.y) : null;
      const wasDragged = this.held !== null;
      this.#letGo();
      if (!wasDragged) return;
      // the click that follows is none
      element.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => element.removeEventListener("click", swallow, { capture: true }));
      this.#handlers.drop(held, zone);
    };

    const listeners = { pointerdown: down, pointermove: move, pointerup: end, pointercancel: end };
    element.style.touchAction = "none";
    for (const [name, listen] of Object.entries(listeners)) element.addEventListener(name, listen as EventListener);
    element.addEventListener("dragstart", prevent);
    return () => {
      for (const [name, listen] of Object.entries(listeners)) {
        element.removeEventListener(name, listen as EventListener);
      }
      element.removeEventListener("dragstart", prevent);
      setTimeout(() => {
        if (!element.isConnected && this.#pressed?.key === held.key) this.#letGo();
      });
    };
  };

  #letGo(): void {
    this.#pressed = null;
    this.held = null;
    this.over = null;
  }
}

function swallow(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}

function prevent(event: Event): void {
  event.preventDefault();
}

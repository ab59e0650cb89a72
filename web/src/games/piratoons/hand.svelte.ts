/** The hand that carries crew stones from the supply to the chest: by mouse, pen or finger. */

import type { Attachment } from "svelte/attachments";

const SLIP_PX = 6;
/** How long one presses for one stone more. */
const GATHER_MS = 380;
/** Under a finger nothing is seen: the stones are carried above it. */
const ABOVE_FINGER_PX = 46;

export class Hand {
  /** How many stones are in it, or will be. */
  count = $state(1);
  isHolding = $state(false);
  /** Where the stones are, in the window. */
  x = $state(0);
  y = $state(0);

  #most: () => number;
  #drop: (x: number, y: number, count: number) => void;
  #pressed: { pointer: number; x: number; y: number; gathered: boolean } | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** `drop`: they were let go at this place of the window. */
  constructor(most: () => number, drop: (x: number, y: number, count: number) => void) {
    this.#most = most;
    this.#drop = drop;
  }

  /** So many stones, as far as there are any. */
  take(count: number): void {
    this.count = Math.max(1, Math.min(count, this.#most()));
  }

  /** One more; after the last one begins anew. */
  gather(): void {
    this.take(this.count >= this.#most() ? 1 : this.count + 1);
  }

  letGo(): void {
    clearInterval(this.#timer);
    this.#pressed = null;
    this.isHolding = false;
  }

  /** What the stones are dragged by. */
  grip: Attachment<HTMLElement> = (element) => {
    const isMine = (event: PointerEvent) => this.#pressed?.pointer === event.pointerId;
    const place = (event: PointerEvent) => {
      this.x = event.clientX;
      this.y = event.clientY - (event.pointerType === "touch" ? ABOVE_FINGER_PX : 0);
    };
    const down = (event: PointerEvent) => {
      if (event.button !== 0 || !event.isPrimary || this.#most() === 0) return;
      this.take(this.count);
      this.#pressed = { pointer: event.pointerId, x: event.clientX, y: event.clientY, gathered: false };
      element.setPointerCapture(event.pointerId);
      this.#timer = setInterval(() => {
        if (this.#pressed === null || this.isHolding) return;
        this.#pressed.gathered = true;
        this.take(this.count + 1);
      }, GATHER_MS);
    };
    const move = (event: PointerEvent) => {
      if (!isMine(event)) return;
      const { x, y } = this.#pressed!;
      if (!this.isHolding && Math.hypot(event.clientX - x, event.clientY - y) < SLIP_PX) return;
      clearInterval(this.#timer);
      this.isHolding = true;
      place(event);
    };
    const end = (event: PointerEvent) => {
      if (!isMine(event)) return;
      const wasGathered = this.#pressed!.gathered;
      const wasHolding = this.isHolding;
      if (wasHolding) place(event);
      this.letGo();
      if (wasHolding || wasGathered) {
        element.addEventListener("click", swallow, { capture: true, once: true });
        setTimeout(() => element.removeEventListener("click", swallow, { capture: true }));
      }
      if (wasHolding && event.type === "pointerup") this.#drop(this.x, this.y, this.count);
    };
    const wheel = (event: WheelEvent) => {
      const isAt = event.target instanceof Node && element.contains(event.target);
      if (!this.isHolding && !isAt) return;
      event.preventDefault();
      this.take(this.count + (event.deltaY < 0 ? 1 : -1));
    };
    const prevent = (event: Event) => event.preventDefault();

    const listeners = { pointerdown: down, pointermove: move, pointerup: end, pointercancel: end };
    element.style.touchAction = "none";
    for (const [name, listen] of Object.entries(listeners)) element.addEventListener(name, listen as EventListener);
    addEventListener("wheel", wheel, { passive: false }); // while they are carried it turns elsewhere
    element.addEventListener("dragstart", prevent);
    element.addEventListener("contextmenu", prevent);
    return () => {
      for (const [name, listen] of Object.entries(listeners)) element.removeEventListener(name, listen as EventListener);
      removeEventListener("wheel", wheel);
      element.removeEventListener("dragstart", prevent);
      element.removeEventListener("contextmenu", prevent);
      this.letGo();
    };
  };
}

function swallow(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}

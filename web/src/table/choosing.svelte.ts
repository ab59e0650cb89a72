/** From a tap to an action sent: straight, after a question, or after a moment to take it back. */

import type { Settings } from "../games/game";

export const UNDO_MS = 1200;

export interface Choice {
  text: string;
  /** The card on the hand, if it is one. */
  key: string | null;
  /** The decision it answers. */
  decision: number;
  state: "asking" | "waiting" | "sent";
}

export class Choosing {
  current = $state.raw<Choice | null>(null);

  #timer: ReturnType<typeof setTimeout> | undefined;
  #act: (text: string) => Promise<void>;

  constructor(act: (text: string) => Promise<void>) {
    this.#act = act;
  }

  get isSent(): boolean {
    return this.current?.state === "sent";
  }

  /** `isSure`: a question has been answered already. */
  decide(choice: Omit<Choice, "state">, guard: Settings["guard"], isSure = false): void {
    if (this.isSent) return;
    const isAgain = this.current?.text === choice.text;
    if (guard === "confirm" && !isSure && !isAgain) {
      this.forget();
      this.current = { ...choice, state: "asking" };
    } else if (guard === "undo") {
      if (isAgain) return;
      this.forget();
      this.current = { ...choice, state: "waiting" };
      this.#timer = setTimeout(() => void this.#send(choice), UNDO_MS);
    } else {
      void this.#send(choice);
    }
  }

  /** Forgets a choice whose decision is past, or that is no longer open. */
  keepTo(decision: number, legal: readonly string[]): void {
    const choice = this.current;
    if (choice && (choice.decision !== decision || !legal.includes(choice.text))) this.forget();
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.current = null;
  }

  async #send(choice: Omit<Choice, "state">): Promise<void> {
    clearTimeout(this.#timer);
    const sent: Choice = { ...choice, state: "sent" };
    this.current = sent;
    try {
      await this.#act(choice.text);
    } catch {
      // the page has said why; everything is as it was
      if (this.current === sent) this.forget();
    }
  }
}

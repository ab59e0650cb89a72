/** Short notices that go away by themselves. */

export interface Toast {
  id: number;
  text: string;
  kind: "error" | "note";
}

const SHOWN_MS = 6000;

let nextId = 0;
let list = $state.raw<Toast[]>([]);

export function toasts(): readonly Toast[] {
  return list;
}

export function toast(text: string, kind: Toast["kind"] = "note"): void {
  const id = nextId++;
  list = [...list.filter((other) => other.text !== text), { id, text, kind }].slice(-3);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  list = list.filter((other) => other.id !== id);
}

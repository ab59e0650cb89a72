/** The browser's storage, which may be full, forbidden or filled by an older page. */

const PREFIX = "quarterdeck.";

/** What the browser would not keep: it lasts as long as the page. */
const unkept = new Map<string, string>();

export function load<T>(key: string, unsaid: T): T {
  try {
    const text = unkept.get(key) ?? localStorage.getItem(PREFIX + key);
    return text === null ? unsaid : (JSON.parse(text) as T);
  } catch {
    return unsaid;
  }
}

export function save(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(PREFIX + key, text);
    unkept.delete(key);
  } catch {
    unkept.set(key, text);
  }
}

/** Calls back when another tab of this browser has changed the key. */
export function whenChangedElsewhere(key: string, then: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === PREFIX + key || event.key === null) then();
  };
  addEventListener("storage", listen);
  return () => removeEventListener("storage", listen);
}

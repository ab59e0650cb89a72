/**
 * The receipts of this browser's tables, in its database. Where there is none, or it fails, they
 * last as long as the page, and whoever asks is told so.
 */

import { newReceipt, type Kept } from "./fairness/receipt";

const NAME = "quarterdeck";
const STORE = "receipts";
const MOST = 60;
/** A database that does not open in this time is none. */
const PATIENCE_MS = 3000;

/** The newest state of every receipt this page has touched. */
const here = new Map<string, Kept>();
const unkept = new Set<string>();

let opening: Promise<IDBDatabase | null> | null = null;

function database(): Promise<IDBDatabase | null> {
  opening ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(STORE, { keyPath: "table" }).createIndex("at", "at");
      };
      request.onsuccess = () => {
        request.result.onversionchange = () => request.result.close();
        resolve(request.result);
      };
      request.onerror = () => resolve(null);
      setTimeout(() => resolve(null), PATIENCE_MS);
    } catch {
      resolve(null); // not there, or forbidden
    }
  });
  return opening;
}

/** Gets the database ready, so that nobody waits for it later. */
export const prepareReceipts = () => void database();

/** Whether what is noted of a table outlasts the page. */
export const isLasting = async (table: string) => !unkept.has(table) && (await database()) !== null;

export async function readReceipt(table: string): Promise<Kept | null> {
  const db = unkept.has(table) ? null : await database();
  const found = db === null ? null : await readIn(db, table);
  return found ?? here.get(table) ?? null;
}

function readIn(db: IDBDatabase, table: string): Promise<Kept | null> {
  return new Promise((resolve) => {
    try {
      const request = db.transaction(STORE).objectStore(STORE).get(table);
      request.onsuccess = () => resolve((request.result as Kept | undefined) ?? null);
      request.onerror = () => resolve(null);
    } catch {
      resolve(null); // it was closed meanwhile
    }
  });
}

/**
 * Changes the receipt of a table; several tabs do not undo each other's work. It is answered once
 * it is written: with `isFirm` once it is on the disk. What `change` throws changes nothing.
 */
export async function changeReceipt<T>(
  table: string,
  change: (kept: Kept) => T,
  isFirm = false,
): Promise<T> {
  const db = unkept.has(table) ? null : await database();
  const written = db === null ? null : await writeIn(db, table, change, isFirm);
  if (written !== null) {
    if ("thrown" in written) throw written.thrown;
    remember(table, written.kept);
    return written.answer;
  }
  // what this page has seen is not lost with the database
  const kept = structuredClone(here.get(table) ?? newReceipt(table));
  const answer = change(kept);
  remember(table, kept);
  unkept.add(table);
  return answer;
}

function remember(table: string, kept: Kept): void {
  here.delete(table);
  here.set(table, kept);
  for (const oldest of [...here.keys()].slice(0, -MOST)) here.delete(oldest);
}

type Written<T> = { kept: Kept; answer: T } | { thrown: unknown } | null;

/** Null if the database would not write it. */
function writeIn<T>(
  db: IDBDatabase,
  table: string,
  change: (kept: Kept) => T,
  isFirm: boolean,
): Promise<Written<T>> {
  return new Promise((resolve) => {
    let written: Written<T> = null;
    try {
      const options = { durability: isFirm ? "strict" : "relaxed" } as const;
      const transaction = db.transaction(STORE, "readwrite", options);
      const store = transaction.objectStore(STORE);
      const request = store.get(table);
      request.onsuccess = () => {
        const found = request.result as Kept | undefined;
        const kept = found ?? newReceipt(table);
        try {
          written = { answer: change(kept), kept };
        } catch (thrown) {
          written = { thrown };
          return;
        }
        kept.at = Date.now();
        store.put(kept);
        if (found === undefined) dropOldest(store);
      };
      transaction.oncomplete = () => resolve(written);
      transaction.onabort = () => resolve(written !== null && "thrown" in written ? written : null);
    } catch {
      resolve(null); // it was closed meanwhile
    }
  });
}

function dropOldest(store: IDBObjectStore): void {
  const request = store.index("at").getAllKeys();
  request.onsuccess = () => {
    for (const key of request.result.slice(0, -MOST)) store.delete(key);
  };
}

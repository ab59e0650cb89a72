/** What is asked over HTTP. Each call rejects with a `Refusal`. */

import { newKey, Refusal } from "./connection";
import type { GameInfo, GameRecord, JoinTable, NewTable, Refused, Seated, TableList } from "./protocol";

async function ask<T>(path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new Refusal("not-connected", "the server cannot be reached");
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as T;
  const refused = answer as Partial<Refused> | null;
  throw new Refusal(
    refused?.code ?? "not-connected",
    refused?.message ?? "",
    refused?.rule ?? null,
  );
}

/** How long to wait before what was not answered is sent again, each time. */
const AGAIN_MS = [300, 1000, 2500];

/** Sends something that shall happen once, with a key: again, if its answer is lost. */
async function askOnce<T>(path: string, body: object): Promise<T> {
  const keyed = { ...body, key: newKey() };
  for (const wait of AGAIN_MS) {
    try {
      return await ask<T>(path, keyed);
    } catch (trouble) {
      if (!(trouble instanceof Refusal) || trouble.code !== "not-connected") throw trouble;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return ask<T>(path, keyed);
}

const inTable = (table: string, what: string) => `/api/tables/${encodeURIComponent(table)}/${what}`;

export const recordPath = (table: string) => inTable(table, "record");

export const listGames = () => ask<GameInfo[]>("/api/games");
export const listTables = () => ask<TableList>("/api/tables");
export const makeTable = (body: NewTable) => askOnce<Seated>("/api/tables", body);
export const joinTable = (table: string, body: JoinTable) =>
  askOnce<Seated>(inTable(table, "join"), body);
export const fetchRecord = (table: string) => ask<GameRecord>(recordPath(table));

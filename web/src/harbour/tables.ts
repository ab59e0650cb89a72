/** New tables, as the harbour makes them. */

import { joinTable, makeTable } from "../api";
import { keepKeys } from "../keys";
import { playerName } from "../player";
import type { GameInfo, NewTable, SeatPlan } from "../protocol";
import { prepareReceipts } from "../receipts";
import { bindSoon } from "../table/fair.svelte";

/** The level a newcomer meets. */
const USUAL_LEVEL = "bosun";

export function usualLevel(info: GameInfo): string {
  const levels = info.levels.map((level) => level.id);
  return levels.includes(USUAL_LEVEL) ? USUAL_LEVEL : (levels[0] ?? USUAL_LEVEL);
}

/** How few and how many may play, and how many usually do. */
export function playerCounts(info: GameInfo): { least: number; most: number; usual: number } {
  const option = info.options.find((known) => known.key === "players");
  const counts = (option?.values ?? [2]).map(Number);
  return {
    least: Math.min(...counts),
    most: Math.max(...counts),
    usual: Number(option?.default ?? counts[0]),
  };
}

/** Makes a table and keeps the keys of one's seats; answers its id. */
export async function openTable(wish: NewTable): Promise<string> {
  prepareReceipts();
  const seated = await makeTable(wish);
  keepKeys(seated.table, wish.game, seated.keys);
  bindSoon(seated.table, seated.keys.map(({ seat }) => seat));
  return seated.table;
}

/** A table of oneself and bots that begins at once. */
export function playNow(info: GameInfo): Promise<string> {
  const bots = playerCounts(info).usual - 1;
  const bot: SeatPlan = { kind: "bot", level: usualLevel(info) };
  return openTable({
    game: info.id,
    name: playerName(),
    seats: [{ kind: "mine" }, ...Array.from({ length: bots }, () => bot)],
    listed: false,
    start: true,
  });
}

/** Takes an open seat and keeps its key. */
export async function takeSeat(
  table: string,
  game: string,
  name: string,
  seat: number | null = null,
): Promise<void> {
  const seated = await joinTable(table, { name, seat });
  keepKeys(seated.table, game, seated.keys);
}

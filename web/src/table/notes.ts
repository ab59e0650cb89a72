/** What happened at the table besides the game, to be told like the game's own events. */

import type { Event, TableTold } from "../protocol";

export function notes(before: TableTold | null, after: TableTold): Event[] {
  if (before === null || before.table !== after.table) return [];
  const told: Event[] = [];
  if (before.status !== "paused" && after.status === "paused") told.push({ key: "paused" });
  if (before.status === "paused" && after.status === "playing") told.push({ key: "resumed" });
  for (const [seat, now] of after.seats.entries()) {
    const was = before.seats[seat];
    if (was === undefined || after.you.includes(seat)) continue;
    const tell = (key: string) => told.push({ key, values: { name: now.name || was.name } });
    if (was.kind === "open" && now.kind === "person") tell("joined");
    else if (was.kind === "person" && now.kind !== "person") tell("left");
    else if (!was.resigned && now.resigned) tell("resigned");
    else if (!was.stand_in && now.stand_in) tell("stand-in");
    else if (was.stand_in && !now.stand_in) tell("back");
    else if (after.status !== "waiting" && was.online && !now.online) tell("away");
    else if (after.status !== "waiting" && !was.online && now.online) tell("back");
  }
  return told;
}

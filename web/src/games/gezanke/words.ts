/** What the actions are called. */

import type { Say } from "../game";
import { targetOf } from "./view";

/** Tenths as a number with one place, as it is written where one reads. */
export function decimal(tenths: number, say: Say): string {
  const [sign, rounded] = [tenths < 0 ? "−" : "", Math.round(Math.abs(tenths))];
  return say("web.tenths", { sign, whole: Math.floor(rounded / 10), tenth: rounded % 10 });
}

/** `slide red port` and the like in words. */
export function label(action: string, say: Say): string {
  const target = targetOf(action);
  const [verb = "", what = ""] = action.split(" ");
  if (target === null) {
    if (verb === "slide") return say("action.stay", { plank: what });
    return what === "" ? say(`action.${verb}`) : say(`action.${verb}-colour`, { colour: what });
  }
  const { plank, space, direction, colour } = target;
  if (target.verb === "slide") return say("action.slide", { plank, direction });
  const key = direction === null ? `action.${verb}` : `action.${verb}-pushing`;
  return say(key, { space: `${plank}:${space}`, direction, colour });
}

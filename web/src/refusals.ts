/** Why something was refused, in words. */

import type { Refusal } from "./connection";
import type { Catalogue } from "./messages";

/** The sentence for a refusal, with the number of the rule where there is one. */
export function explain(refusal: unknown, catalogue: Catalogue): string {
  const { code = "", rule = null } = (refusal ?? {}) as Partial<Refusal>;
  if (rule !== null && catalogue.has(`refused.${rule}`)) {
    return `${catalogue.sentence(`refused.${rule}`)} (${rule})`;
  }
  for (const key of [`error.${code}`, `trouble.${code}`]) {
    if (catalogue.has(key)) return catalogue.sentence(key);
  }
  return catalogue.sentence("trouble.unknown", { code });
}

/** The receipt of a table, handed out as a file. */

import { writeReceipt } from "../fairness/receipt";
import { readReceipt } from "../receipts";

/** Saves it; whether there was one. */
export async function saveReceipt(table: string, game: string): Promise<boolean> {
  const kept = await readReceipt(table);
  if (kept === null) return false;
  const url = URL.createObjectURL(new Blob([writeReceipt(kept)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${game}-${table}-receipt.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // some browsers fetch it later
  return true;
}

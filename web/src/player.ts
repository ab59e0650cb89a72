/** The name one plays under, kept in this browser. */

import { LONGEST_NAME } from "./protocol";
import { load, save } from "./storage";

const KEY = "name";

/** Pirates of history; a visitor without a name sails as one of them. */
const PIRATES = [
  "Anne Bonny",
  "Mary Read",
  "Ching Shih",
  "Grace O’Malley",
  "Jeanne de Clisson",
  "Sayyida",
  "Henry Morgan",
  "Edward Teach",
  "Jack Rackham",
  "Bartholomew",
  "William Kidd",
  "Henry Avery",
  "Störtebeker",
  "Surcouf",
  "Jean Lafitte",
  "Barbarossa",
  "Dragut",
  "Stede Bonnet",
  "L’Olonnais",
  "Hornigold",
  "Bellamy",
  "Charles Vane",
  "Thomas Tew",
  "Piet Hein",
];

export function cleanName(text: string): string {
  return [...text.replace(/\s+/g, " ").trim()].slice(0, LONGEST_NAME).join("").trim();
}

/** The name given before; for a newcomer one is drawn, and stays. */
export function playerName(): string {
  const kept = cleanName(load(KEY, ""));
  return kept === "" ? keepName(PIRATES[Math.floor(Math.random() * PIRATES.length)]!) : kept;
}

export function keepName(name: string): string {
  const clean = cleanName(name);
  if (clean !== "") save(KEY, clean);
  return clean;
}

/** A position as the server shows it, for the tests. */

import type { Ledger, View } from "../src/games/piratoons/view";

const ledger: Ledger = {
  connections: [true],
  sails: 0,
  barrels: 0,
  empty: { deck: 0, quart: 0, gun: 0, port: 0, all: 0 },
  sets: [],
  points: { connections: 2, sets: 0 },
};

export const VIEW: View = {
  phase: "plunder",
  to_act: [0, 1],
  scores: [2, 2],
  winners: [],
  players: 2,
  round: 3,
  captain: 1,
  chest: ["deck-a1", "sail-3", "gun-b2", "port-c1", "quart-a3", "deck-b1", "p1", "p11", "p24"],
  floating: ["deck-a2", "deck-a3", "sail-7"],
  sunk: ["p9"],
  won: [[], []],
  ships: ["p10(deck-b2) p6(port-a1,sail-11,sail-7)", "-"],
  bank: 30,
  doubloons: [4, "?"],
  shown: [],
  opened: true,
  ran_out: false,
  piles: [{ x: 40, y: 120, seats: [0, 1], on: "p1" }],
  fallen: [],
  barred: [],
  out: [],
  bids: [null, null],
  refits: [null, null],
  board: {
    width: 300,
    height: 220,
    radius: 8,
    fields: [
      ...[0, 1, 2, 3, 4, 5].map((place) => [17 + 45 * place, 20, 40, 40]),
      ...[0, 1, 2].map((place) => [20 + 90 * place, 80, 80, 120]),
    ],
  },
  parts: {
    p1: { storeys: 1, edges: [1, 1], fields: ["deck"], mast: 3, barrels: 1 },
    p6: { storeys: 2, edges: [2, 1], fields: ["deck", "port"], mast: 2, barrels: 1 },
    p10: { storeys: 2, edges: [1, 1], fields: ["deck", "quart"], mast: 2, barrels: 1 },
    p11: { storeys: 3, edges: [1, 3], fields: ["deck", "port", "gun"], mast: 1, barrels: 1 },
    p24: { storeys: 4, edges: [4, 4], fields: ["deck", "quart", "quart", "port"], mast: 0, barrels: 1 },
  },
  ends: [1, 1],
  supply: [5, 5],
  loot: [null, null, null, null, null, null, null, null, null],
  stones: [{}, {}, {}, {}, {}, {}, { "0": 1, "1": 1 }, {}, {}],
  ledger: [ledger, ledger],
  best: null,
  taker: null,
  reckoning: null,
};

/** A position as the server shows it, for the tests. */

import type { View } from "../src/games/jolly_roger/view";

export const VIEW: View = {
  phase: "play",
  to_act: [0],
  winners: [],
  scores: [16, 7],
  variant: "advanced",
  turn: 4,
  turns: 8,
  splitter: 1,
  offer: [],
  sets: [[], []],
  hands: [["g3", "kraken"], ["y2"]],
  crews: {
    green: [["g1", "parrot:r2"], []],
    yellow: [[], ["y3"]],
    blue: [[], []],
    red: [["r1"], []],
  },
  strengths: { green: [2, 0], yellow: [0, 3], blue: [0, 0], red: [1, 0] },
  captains: { green: 0, yellow: 1, blue: null, red: 0 },
  worth: { green: 3, yellow: 5, blue: 7, red: 9 },
  chests: [["g4"], ["y2"]],
  treasure: [4, 2],
  removed: [],
  outlook: {},
};

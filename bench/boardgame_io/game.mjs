// A small turn game for four: ten rounds with hands of one to ten numbers. Everybody calls how many
// rounds of play they will win, then plays their hand number by number; the highest wins. The size
// of a game (260 moves), of a state and of what is hidden are those of Skull King's.

const ROUNDS = 10;
const PLAYERS = 4;
const NUMBERS = 60;

function deal(G, random) {
  const pack = random.Shuffle(Array.from({ length: NUMBERS }, (_, number) => number + 1));
  for (let seat = 0; seat < PLAYERS; seat++) {
    G.hands[seat] = pack.slice(seat * G.round, (seat + 1) * G.round).sort((a, b) => a - b);
  }
  G.calls = Array(PLAYERS).fill(null);
  G.won = Array(PLAYERS).fill(0);
  G.trick = [];
}

function score(G) {
  const row = [];
  for (let seat = 0; seat < PLAYERS; seat++) {
    const points = G.calls[seat] === G.won[seat] ? 10 + 10 * G.won[seat] : -10;
    G.scores[seat] += points;
    row.push({ call: G.calls[seat], points });
  }
  G.pad[G.round - 1] = row;
}

export const game = {
  name: "numbers",
  minPlayers: PLAYERS,
  maxPlayers: PLAYERS,
  disableUndo: true, // without it every state drags the ones before along

  setup: ({ random }) => {
    const G = {
      round: 1,
      hands: [],
      calls: [],
      leader: 0,
      trick: [],
      last: null,
      won: [],
      scores: Array(PLAYERS).fill(0),
      pad: Array(ROUNDS).fill(null),
    };
    deal(G, random);
    return G;
  },

  playerView: ({ G, playerID }) => ({
    ...G,
    hands: G.hands.map((hand, seat) => (String(seat) === playerID ? hand : hand.map(() => "?"))),
  }),

  moves: {
    call: ({ G, playerID, events }, number) => {
      const seat = Number(playerID);
      if (G.calls[seat] !== null || !(number >= 0 && number <= G.round)) return "INVALID_MOVE";
      G.calls[seat] = number;
      events.endTurn();
    },
    play: ({ G, ctx, playerID, events, random }, number) => {
      const seat = Number(playerID);
      const place = G.hands[seat].indexOf(number);
      if (G.calls.includes(null) || place < 0) return "INVALID_MOVE";
      G.hands[seat].splice(place, 1);
      G.trick.push(number);
      let next = (seat + 1) % PLAYERS;
      if (G.trick.length === PLAYERS) {
        const best = G.trick.indexOf(Math.max(...G.trick));
        next = (G.leader + best) % PLAYERS;
        G.won[next] += 1;
        G.last = { leader: G.leader, numbers: G.trick };
        G.trick = [];
        G.leader = next;
        if (G.hands[seat].length === 0) {
          score(G);
          G.round += 1;
          if (G.round <= ROUNDS) deal(G, random);
        }
      }
      events.endTurn({ next: String(next) });
    },
  },

  endIf: ({ G }) => {
    if (G.round > ROUNDS) {
      const best = Math.max(...G.scores);
      return { winners: G.scores.flatMap((score, seat) => (score === best ? [seat] : [])) };
    }
  },
};

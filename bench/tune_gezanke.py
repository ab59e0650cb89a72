"""Finds Gezanke's weights by self-play: `python bench/tune_gezanke.py [CHALLENGERS]`.

A challenger has all weights changed at random and plays three bots with the weights of `bot.py`, in
games of four, from every seat of the same chance. A parabola for each weight, through how far the
challengers lead in doubloons, says where to go; where it has no top, half a step up the slope.
"""

from __future__ import annotations

import sys

import numpy as np

from quarterdeck.contract import (
    CHANCE,
    NATURE,
    OVER,
    Array,
    Float64,
    Grid,
    Int64,
    Rng,
    Rows,
    boxed,
    compiled,
    records,
    seed_rng,
)
from quarterdeck.games import find_game
from quarterdeck.games.gezanke import bot, rules
from quarterdeck.games.gezanke.state import Action, Kit, Memory, State, to_act

GAMES = 60  # of each seat
CHALLENGERS = 80
SPREAD = 0.5  # of the logarithm of a weight


@compiled
def play(
    kits: Rows[Kit],
    options: Array[Int64],
    weights: Grid[Float64],
    seed: int,
    first: int,
    leads: Array[Float64],
) -> None:
    """Plays games between one seat with the first weights and the others with the second ones;
    writes how far it leads the average of them in the end, game by game."""
    kit, state, action = kits[0], records(State, 1), records(Action, 1)
    rng, memory = records(Rng, 1), records(Memory, 1)
    scores = np.zeros(4, np.int64)
    memory[0].since_start = 1
    for game in range(len(leads)):
        challenger = game % 4
        seed_rng(rng[0], seed, first + game // 4, 0, 0)
        rules.new(kit, options, state[0])
        while True:
            kind = rules.node(kit, state[0])
            if kind == OVER:
                break
            actor = NATURE
            if kind == CHANCE:
                rules.sample(kit, state[0], rng[0], action[0])
            else:
                actor = to_act(state[0])
                for other in range(4):
                    memory[0].counted[other] = state[0].purses[other]
                which = 0 if actor == challenger else 1
                number = bot.choose_with(kit, state[0], memory[0], actor, weights[which])
                rules.decode(kit, state[0], number, action[0])
            rules.apply(kit, state[0], actor, action[0])
        rules.outcome(kit, state[0], scores)
        leads[game] = scores[challenger] - (scores.sum() - scores[challenger]) / 3.0


def main() -> None:
    game = find_game("gezanke")
    options = game.option_numbers(game.fill_options({}))
    rng = np.random.default_rng(5)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else CHALLENGERS
    steps = rng.normal(0, SPREAD, (count, len(bot.WEIGHTS)))
    means = np.zeros(count)
    for turn in range(count):
        weights = np.stack([bot.WEIGHTS * np.exp(steps[turn]), bot.WEIGHTS])
        leads = np.zeros(4 * GAMES)
        play(boxed(game.kit), options, weights, 3, turn * GAMES, leads)
        means[turn] = leads.mean()
        error = leads.std() / len(leads) ** 0.5
        print(f"{turn} {means[turn]:+.2f} ± {error:.2f} {np.round(weights[0], 3)}", flush=True)
    terms = np.column_stack([np.ones(count), steps, steps**2])
    fit = np.linalg.lstsq(terms, means, rcond=None)[0]
    slopes, bends = np.split(fit[1:], 2)
    tops = np.where(bends < 0, -slopes / (2 * np.minimum(bends, -1e-9)), np.sign(slopes))
    to = np.clip(tops, -SPREAD / 2, SPREAD / 2)
    print(f"slopes {np.round(slopes, 2)}, bends {np.round(bends, 2)}")
    print(f"go to {np.round(bot.WEIGHTS * np.exp(to), 3).tolist()}")


if __name__ == "__main__":
    main()

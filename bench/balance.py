"""Speed of Gezanke's balance: `python bench/balance.py`. Results are kept in `bench/RESULTS.md`."""

from __future__ import annotations

import time
from statistics import median

import numpy as np

from quarterdeck.contract import Rows, compiled, records
from quarterdeck.games import find_game
from quarterdeck.games.gezanke.balance import topple
from quarterdeck.games.gezanke.state import Kit, State
from results import keep_section

GEZANKE = find_game("gezanke")
POSITIONS = 1_000
JUDGED = 2_000_000
ROUNDS = 5


@compiled
def _judge_many(kit: Kit, states: Rows[State], times: int) -> int:
    falls, overs = np.empty(6, np.int64), np.empty(6, np.int64)
    strain, fallen = np.zeros(5, np.int64), 0
    for i in range(times):
        strain[0] = -1
        fallen += topple(kit, states[i % len(states)], strain, falls, overs)
    return fallen


def random_positions() -> Rows[State]:
    """Twelve pirates anywhere, on planks up to three spaces out."""
    rng = np.random.default_rng(7)
    states = records(State, POSITIONS)
    for state in states:
        state.order[:] = rng.permutation(6).tolist()
        state.offsets[:] = rng.integers(-3, 4, 6).tolist()
        for plank in state.board:
            plank[:] = -1
        for place in rng.choice(54, 12, replace=False):
            state.board[place // 9][place % 9] = 0
    return states


def judgements_per_second(states: Rows[State]) -> float:
    started = time.perf_counter()
    _judge_many(GEZANKE.kit, states, JUDGED)
    return JUDGED / (time.perf_counter() - started)


def main() -> None:
    states = random_positions()
    fallen = _judge_many(GEZANKE.kit, states, POSITIONS) / POSITIONS
    speeds = [judgements_per_second(states) / 1e6 for _ in range(ROUNDS)]
    body = (
        f"Random positions with twelve pirates, judged until nothing tips any more ({fallen:.1f} "
        f"planks leave in the mean): **{median(speeds):.2f} M positions a second** on one core "
        f"(median of {ROUNDS} rounds, {min(speeds):.2f} to {max(speeds):.2f} M)."
    )
    print(body)
    keep_section("RESULTS.md", "Gezanke's balance", body)


if __name__ == "__main__":
    main()

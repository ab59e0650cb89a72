"""Speed of the rules engine, and of a peer in the same run: `make bench`.

Random whole games on one core. The peer is OpenSpiel's `oh_hell`, the nearest game it has (tricks
and exact bids), driven from Python as its users drive it. Rounds alternate between the two, so that
both meet the same weather on a shared machine; trust the ratio, not the figures.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from statistics import median
from typing import Any

import numba
import numpy as np
import pyspiel

from quarterdeck.contract import record
from quarterdeck.engine.loops import loops_of
from quarterdeck.games import find_game, games
from results import keep_section, table

ROUNDS = 5
SECONDS = 2.0


def our_moves_per_second(id: str, players: int, seconds: float) -> float:
    """Decisions a second of random games in compiled code, one thread."""
    game = find_game(id)
    loops = loops_of(game)
    options = game.option_numbers(game.fill_options({"players": players}))
    bots = np.zeros(players, np.int8)
    actors, log = np.zeros(0, np.int64), np.zeros(0, game.rules.Action).view(np.recarray)
    decisions, first, started = 0, 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        decisions += loops.play(options, bots, 7, first, 500, actors, log)[0]
        first += 500
    return decisions / (time.perf_counter() - started)


def open_spiel_moves_per_second(seconds: float) -> float:
    """Decisions a second of random `oh_hell` games of four, driven from Python."""
    game = pyspiel.load_game("oh_hell(players=4)")
    rng = random.Random(7)
    decisions, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                decisions += 1
            state.apply_action(rng.choice(state.legal_actions()))
    return decisions / (time.perf_counter() - started)


@numba.njit
def _copy_many(state: Any, copies: Any, times: int) -> None:
    for i in range(times):
        copies[i & 1023] = state


def copy_nanoseconds(id: str) -> float:
    """What copying a state costs in compiled code."""
    state = record(find_game(id).rules.State)
    copies = np.zeros(1024, find_game(id).rules.State).view(np.recarray)
    _copy_many(state, copies, 10)
    started = time.perf_counter()
    _copy_many(state, copies, 5_000_000)
    return (time.perf_counter() - started) / 5_000_000 * 1e9


def start_seconds(id: str, cache: str) -> float:
    """From the shell's prompt to a game played, with this compile cache."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "quarterdeck.cli", "simulate", id, "--games", "1"]
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return time.perf_counter() - started


def main() -> None:
    ours: dict[str, list[float]] = {game.id: [] for game in games()}
    peer: list[float] = []
    for game in games():
        loops_of(game)
    for _ in range(ROUNDS):
        peer.append(open_spiel_moves_per_second(SECONDS))
        for id, figures in ours.items():
            players = find_game(id).fill_options({})["players"]
            figures.append(our_moves_per_second(id, players, SECONDS))
    rows = [["OpenSpiel `oh_hell` from Python", f"{median(peer) / 1e6:.2f} M", "1", "", ""]]
    for id, figures in ours.items():
        ratios = [mine / other for mine, other in zip(figures, peer, strict=True)]
        size = find_game(id).rules.State.itemsize
        copy = f"{copy_nanoseconds(id):.0f} ns"
        rows.append(
            [id, f"{median(figures) / 1e6:.2f} M", f"{median(ratios):.1f}", f"{size} B", copy]
        )
    body = "Random whole games, four players where the game has them, one core.\n\n" + table(
        ["", "moves a second", "ratio", "state", "copying it"], rows
    )
    starts = []
    for id in ours:
        with tempfile.TemporaryDirectory() as cache:
            first = start_seconds(id, cache)
            later = median(start_seconds(id, cache) for _ in range(3))
        starts.append([id, f"{first:.1f} s", f"{later:.2f} s"])
    body += "\n\nFrom the shell to one game played, compiling and from the cache:\n\n" + table(
        ["", "first start", "later starts"], starts
    )
    print(body)
    keep_section("RESULTS.md", "Rules engine", body)


if __name__ == "__main__":
    main()

"""Speed of the rules engine and of the search, and of a peer in the same run: `make bench`.

Random whole games, and searches at their decisions, on one core. The peer is OpenSpiel's `oh_hell`,
the nearest game it has (tricks and exact bids), driven from Python as its users drive it, and its
`ISMCTSBot`. Rounds alternate between the two, so that both meet the same weather on a shared
machine; trust the ratio, not the figures.
"""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from statistics import median
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pyspiel

from quarterdeck import Match
from quarterdeck.bots.search import Budget, search
from quarterdeck.contract import Game, below, record, records, rng_from_bytes
from quarterdeck.engine.loops import loops_of
from quarterdeck.games import find_game, games
from results import keep_section, table

ROUNDS = 5
SECONDS = 2.0
SEARCH = 2000


def our_moves_per_second(id: str, players: int, seconds: float) -> float:
    """Decisions a second of random games in compiled code, one thread."""
    game = find_game(id)
    loops = loops_of(game)
    options = game.option_numbers(game.fill_options({"players": players, **game.worldless}))
    bots = np.zeros(players, np.int8)
    actors, log = np.zeros(0, np.int64), records(game.records.Action, 0)
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


def searches_a_second(game: Game, seconds: float) -> float:
    """Iterations a second of searches at the decisions of random games of four, one thread."""
    rng, iterations, spent = rng_from_bytes(bytes(range(16))), 0, 0.0
    for seed in itertools.count():
        match = Match(game, {"players": 4}, seed=seed)
        while not match.is_over:
            match.draw_chance()
            for seat in match.seats_to_act[:1]:
                known, legal = match.knowledge(seat), match.legal_numbers(seat)
                if len(legal) > 1:
                    began = time.perf_counter()
                    search(game, known, rng, Budget(None, SEARCH))
                    spent += time.perf_counter() - began
                    iterations += SEARCH
                match.act(seat, match.action_text(legal[below(rng, len(legal))]))
            if spent >= seconds:
                return iterations / spent
    raise AssertionError


def open_spiel_searches_a_second(seconds: float) -> float:
    """Simulations a second of `ISMCTSBot` at the decisions of random `oh_hell` games of four."""
    game = pyspiel.load_game("oh_hell(players=4)")
    bot = pyspiel.ISMCTSBot(
        7, pyspiel.RandomRolloutEvaluator(1, 7), 2.0, SEARCH, -1,
        pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, True,
    )  # fmt: skip
    rng, simulations, spent = random.Random(7), 0, 0.0
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            if not state.is_chance_node() and len(legal) > 1:
                began = time.perf_counter()
                bot.step(state)
                spent += time.perf_counter() - began
                simulations += SEARCH
            state.apply_action(rng.choice(legal))
        if spent >= seconds:
            return simulations / spent


def bench_search() -> None:
    """The search with Skull King's own policy, and playing out at random as the peer does."""
    game = find_game("skull-king")
    plain = SimpleNamespace(imagine=game.bot.imagine, choose=game.bot.choose, worth=game.bot.worth)  # type: ignore[attr-defined]
    ours = {
        "Skull King, playing out at random": replace(game, bot=plain),
        "Skull King, playing out by its own policy, worlds by bids": game,
    }
    for variant in ours.values():
        searches_a_second(variant, 0.01)  # compiled by now
    figures: dict[str, list[float]] = {name: [] for name in ours}
    peer: list[float] = []
    for _ in range(ROUNDS):
        peer.append(open_spiel_searches_a_second(SECONDS))
        for name, variant in ours.items():
            figures[name].append(searches_a_second(variant, SECONDS))
    rows = [["OpenSpiel `ISMCTSBot` on `oh_hell`", f"{median(peer):,.0f}", "1"]]
    for name, found in figures.items():
        ratio = median(mine / other for mine, other in zip(found, peer, strict=True))
        rows.append([name, f"{median(found):,.0f}", f"{ratio:.1f}"])
    body = (
        f"{SEARCH} iterations at every decision of random whole games of four, one core; ours to "
        "the end of the hand, the peer's to the end of the game, which is one hand.\n\n"
    ) + table(["", "simulations a second", "ratio"], rows)
    print(body)
    keep_section("RESULTS.md", "Search", body)


@numba.njit
def _copy_many(state: Any, copies: Any, times: int) -> None:
    for i in range(times):
        copies[i & 1023] = state


def copy_nanoseconds(id: str) -> float:
    """What copying a state costs in compiled code."""
    state = record(find_game(id).records.State)
    copies = records(find_game(id).records.State, 1024)
    _copy_many(state, copies, 10)
    started = time.perf_counter()
    _copy_many(state, copies, 5_000_000)
    return (time.perf_counter() - started) / 5_000_000 * 1e9


def start_seconds(id: str, cache: str) -> float:
    """From the shell's prompt to a game played, with this compile cache."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "quarterdeck.cli", "simulate", id, "--games", "1"]
    for key, value in find_game(id).worldless.items():
        command += ["--option", f"{key}={value}"]
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
        size = find_game(id).records.State.dtype.itemsize
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
    bench_search()


if __name__ == "__main__":
    main()

"""The big counts, too long for every day: `make soak`. Results are kept in `bench/SOAK.md`.

python bench/soak.py [NAME ...]     only these: games, leaks, mutants
"""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from quarterdeck.bots.simulate import simulate
from quarterdeck.games import find_game, games
from quarterdeck.testing import check_game
from results import keep_section, table

RANDOM_GAMES = 1_000_000
LEAK_GAMES = 10_000
WORKERS = 2


def soak_games() -> None:
    """A million random games, spread over all options: each ends, with winners."""
    rows = []
    for game in games():
        counts = next(option for option in game.options if option.key == "players").values
        for players in counts:
            played = simulate(
                game, {"players": players}, RANDOM_GAMES // len(counts), 11, ["random"]
            )
            share = sum(played.win_shares)
            assert abs(share - 1) < 1e-3, f"win shares sum to {share}"
            rows.append(
                [
                    game.id,
                    str(players),
                    f"{played.games:,}",
                    f"{played.decisions:,}",
                    f"{played.seconds:.0f} s",
                    f"{sum(played.mean_scores) / len(played.mean_scores):.1f}",
                ]
            )
    head = ["game", "players", "games", "decisions", "time", "mean score"]
    keep_section("SOAK.md", "Random games", table(head, rows))


def _leaks(job: tuple[str, int, int]) -> tuple[int, int, int, int]:
    id, games_each, seed = job
    report = check_game(find_game(id), games=games_each, seed=seed, interpreted=False)
    return report.games, report.states, report.worlds, report.worlds_changed


def soak_leaks() -> None:
    """`check_game` on every state of ten thousand games."""
    rows = []
    for game in games():
        combinations = 1
        for option in game.options:
            combinations *= len(option.values)
        batches = 20
        each = LEAK_GAMES // combinations // batches
        started = time.monotonic()
        jobs = [(game.id, each, 100_000 * (batch + 1)) for batch in range(batches)]
        with ProcessPoolExecutor(WORKERS) as pool:
            sums = [sum(column) for column in zip(*pool.map(_leaks, jobs), strict=True)]
        minutes = f"{(time.monotonic() - started) / 60:.0f} min"
        rows.append([game.id, *(f"{number:,}" for number in sums), "0", minutes])
    head = ["game", "games", "states", "worlds imagined", "of these different", "leaks", "time"]
    keep_section("SOAK.md", "Conformance and leaks", table(head, rows))


def soak_mutants() -> None:
    """Mutants of each game's rules, run against the game's tests."""
    rows = []
    for game in games():
        script = Path(__file__).parent / "mutate.py"
        command = [sys.executable, str(script), "--game", game.id, "--workers", str(WORKERS)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        rows.append([game.id, done.stdout.strip().splitlines()[-1]])
    keep_section("SOAK.md", "Mutants of the rules", table(["game", "killed"], rows))


SOAKS = {"games": soak_games, "leaks": soak_leaks, "mutants": soak_mutants}


def main() -> None:
    for name in sys.argv[1:] or SOAKS:
        print(f"{name} ...", flush=True)
        SOAKS[name]()


if __name__ == "__main__":
    main()

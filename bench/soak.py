"""The big counts, too long for every day: `make soak`. Results are kept in `bench/SOAK.md`.

python bench/soak.py [NAME ...]     only these; see `SOAKS`
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from pathlib import Path

from quarterdeck.bots.arena import Plan
from quarterdeck.bots.report import run
from quarterdeck.bots.simulate import simulate
from quarterdeck.games import find_game, games
from quarterdeck.leaks import count_leaks
from results import keep_section, table

RANDOM_GAMES = 1_000_000
LEAK_GAMES = 10_000
RECORDS = 1_000  # of each variant and pair of bots
KILLS = 500
WIRE_GAMES = 5_000
FRAMES = 1_000_000
WORKERS = 2
MATCH_SEED = 20_261_115  # of deals that nothing was tuned on
MATCHES = [
    ("skull-king", ("bosun",), {"score": 140, "exact-bids": 0.58}, 400),
    ("skull-king", ("quartermaster", "bosun"), {"difference": 60, "exact-bids": 0.65}, 200),
    ("skull-king", ("legend", "quartermaster"), {"difference": 0}, 150),
    ("jolly-roger", ("quartermaster", "bosun"), {"wins": 0.8}, 300),
    ("jolly-roger", ("legend", "quartermaster"), {"wins": 0.5}, 300),
]
"""One of the first against the second on all other seats: its measures, the bars, most deals."""


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


def soak_leaks() -> None:
    """Every state of ten thousand games, from every seat and for a spectator."""
    rows = []
    for game in games():
        keys = [option.key for option in game.options]
        choices = list(itertools.product(*(option.values for option in game.options)))
        started = time.monotonic()
        counts = [
            count_leaks(game, dict(zip(keys, values, strict=True)), LEAK_GAMES // len(choices), 5)
            for values in choices
        ]
        for count in counts:
            assert count.leaks == 0, f"{game.id}: {count}"
        sums = [
            sum(getattr(count, field) for count in counts)
            for field in ("games", "states", "worlds", "different", "leaks")
        ]
        seconds = f"{time.monotonic() - started:.0f} s"
        rows.append([game.id, *(f"{number:,}" for number in sums), seconds])
    head = ["game", "games", "states", "worlds imagined", "of these different", "leaks", "time"]
    keep_section("SOAK.md", "Leaks", table(head, rows))


def soak_mutants() -> None:
    """Mutants of each game's rules, run against the game's tests."""
    rows = []
    for game in games():
        script = Path(__file__).parent / "mutate.py"
        command = [sys.executable, str(script), "--game", game.id, "--workers", str(WORKERS)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        rows.append([game.id, done.stdout.strip().splitlines()[-1]])
    keep_section("SOAK.md", "Mutants of the rules", table(["game", "killed"], rows))


def soak_bots() -> None:
    """Matches between the levels, on fixed budgets, until their intervals are clear of the bars."""
    rows = []
    for id, bots, bars, deals in MATCHES:
        game = find_game(id)
        options = game.fill_options({"variant": "advanced"} if id == "jolly-roger" else {})
        report = run(game, Plan(id, options, bots, deals, MATCH_SEED), bars=bars)
        for bar in report.bars:
            print(id, bots, bar, f"{report.deals} deals, {report.seconds:.0f} s", flush=True)
            rows.append(
                [
                    id,
                    f"{bots[0]} against {bots[-1]}",
                    bar.measure,
                    f"{bar.interval.value:.4g} ({bar.interval.low:.4g} to {bar.interval.high:.4g})",
                    f"{bar.verdict} {bar.bar:g}",
                    f"{report.games:,}",
                    f"{report.seconds / 60:.0f} min",
                ]
            )
    head = ["game", "match", "measure", "mean (95 % interval)", "verdict", "games", "time"]
    keep_section("SOAK.md", "Levels of the bots", table(head, rows))
    assert all(row[4].startswith("above") for row in rows), rows


def _tests_with(variable: str, count: int, file: str, what: str) -> None:
    """Runs a file of tests with a count larger than every day's."""
    started = time.monotonic()
    root = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", f"tests/{file}"],
        cwd=root,
        env=os.environ | {variable: str(count)},
        capture_output=True,
        text=True,
    )
    print(done.stdout[-3000:])
    if done.returncode:
        sys.exit(f"{what}: failed")
    minutes = f"{(time.monotonic() - started) / 60:.0f} min"
    answer = done.stdout.strip().splitlines()[-1].strip("= ")
    keep_section("SOAK.md", what, f"{count:,} in {minutes}: {answer}.")


def soak_records() -> None:
    """Simulated games of every variant, told again by the independent checker."""
    file = "games/jolly_roger/test_against_reference.py"
    what = "Records of Jolly & Roger against the second telling, each variant and pair of bots"
    _tests_with("QUARTERDECK_RECORDS", RECORDS, file, what)


def soak_kills() -> None:
    """Nothing lost: the server killed at random moments of running games."""
    _tests_with("QUARTERDECK_KILLS", KILLS, "server/test_nothing_lost.py", "Kills of the server")


def soak_wire() -> None:
    """Nothing leaked over the wire: games with what a seat may not see permuted."""
    what = "Games watched on the wire"
    _tests_with("QUARTERDECK_LEAK_GAMES", WIRE_GAMES, "server/test_nothing_leaked.py", what)


def soak_fuzz() -> None:
    """Bad input: garbled, huge, stale and foreign frames."""
    _tests_with("QUARTERDECK_FRAMES", FRAMES, "server/test_fuzz.py", "Bad frames")


SOAKS = {
    "games": soak_games,
    "leaks": soak_leaks,
    "mutants": soak_mutants,
    "bots": soak_bots,
    "records": soak_records,
    "kills": soak_kills,
    "wire": soak_wire,
    "fuzz": soak_fuzz,
}


def main() -> None:
    for name in sys.argv[1:] or SOAKS:
        print(f"{name} ...", flush=True)
        SOAKS[name]()


if __name__ == "__main__":
    main()

"""People at tables full of bots: how soon they are answered while bots think: `make bench-bots`.

One person sits at each table, all other seats are bots. Rounds alternate between bots that choose
at once and bots that search, so that both meet the same weather on a shared machine: what is left
between the two is what thinking costs the people.
"""

from __future__ import annotations

import argparse
from statistics import median

from quarterdeck.loadtest import Figures, Plan, load_test, started_quarterdeck
from results import keep_section, table

LEVELS = ("bosun", "quartermaster", "legend")
BAR_MS = 50


def measure(plan: Plan) -> Figures:
    """One run on a server of its own, which has all cores."""
    with started_quarterdeck(pinned=False) as server:
        return load_test(plan, server)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dry", action="store_true", help="keep nothing")
    parsed = parser.parse_args()

    kept: dict[str, list[Figures]] = {level: [] for level in LEVELS}
    for _ in range(parsed.rounds):
        for level in LEVELS:
            plan = Plan(
                tables=parsed.tables, seconds=parsed.seconds, bots=level, warm_up_seconds=8.0
            )
            kept[level].append(measure(plan))
            print(kept[level][-1].text(), flush=True)
    rows = [
        [
            level,
            f"{median(figures.bot_moves_per_second for figures in runs):.0f}",
            f"{median(figures.own.p50 for figures in runs):.1f} ms",
            f"{median(figures.own.p99 for figures in runs):.1f} ms",
            " ".join(f"{figures.own.p99:.1f}" for figures in runs),
            str(sum(sum(figures.errors.values()) for figures in runs)),
        ]
        for level, runs in kept.items()
    ]
    body = (
        f"{parsed.tables} tables of four at Skull King, one person and three bots at each, on all "
        "cores, clients included. A person's action is measured until it is acknowledged, which "
        f"is when it is stored; the bar is p99 below {BAR_MS} ms. Medians of {parsed.rounds} "
        "rounds.\n\n"
        + table(["bots", "their moves a second", "p50", "p99", "p99 of each round", "errors"], rows)
    )
    print(body)
    if not parsed.dry:
        keep_section("RESULTS.md", "People at tables of bots", body)


if __name__ == "__main__":
    main()

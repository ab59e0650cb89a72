"""A hundred chests plundered at once on one core: how soon everybody sees a drop.

Four people sit at each table of Piratoons, each with a connection of its own. At every table one
after another lets a stone go over the chest, somewhere on it, at the rate of a real plunder (24
stones in the 15 seconds of the glass); bids and ships come in between and are not measured.
"""

from __future__ import annotations

import argparse
import os
import secrets
from statistics import median

from quarterdeck.loadtest import (
    Figures,
    Plan,
    QuarterdeckPlayers,
    _encode,
    load_test,
    started_quarterdeck,
)
from results import keep_section, table

BAR_MS = 100


class Plunderers(QuarterdeckPlayers):
    """Four people at a chest: stones from the pointer, as long as there are any, then a call."""

    _is_drop = False

    def choose(self) -> tuple[int, int, bytes] | None:
        views, random = self._views, self.load.random
        able = [seat for seat, view in enumerate(views) if view.legal]
        if not able or any(view.shown.ply != views[0].shown.ply for view in views):
            return None
        droppers = [seat for seat in able if views[seat].legal[0].startswith("drop")]
        seat = random.choice(droppers or able)
        view = views[seat]
        self._is_drop = bool(droppers)
        do = f"drop 1 @{random.randrange(301)},{random.randrange(221)}"
        self._last_id += 1
        act = {
            "type": "act",
            "id": self._last_id,
            "seat": seat,
            "key": secrets.token_hex(16),
            "decision": view.shown.decision,
            "do": do if droppers else view.legal[0],
        }
        return seat, view.shown.ply, _encode(act)

    def saw(self, seat: int, seq: int) -> None:
        is_measuring = self.load.is_measuring
        self.load.is_measuring = is_measuring and self._is_drop
        super().saw(seat, seq)
        self.load.is_measuring = is_measuring


def measure(plan: Plan) -> Figures:
    """One run on a server of its own, which has one core to itself."""
    with started_quarterdeck() as server:
        return load_test(plan, server, Plunderers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pace-ms", type=int, default=625)
    parser.add_argument("--dry", action="store_true", help="keep nothing")
    parsed = parser.parse_args()

    runs = []
    for _ in range(parsed.rounds):
        plan = Plan(
            game="piratoons",
            tables=parsed.tables,
            pace_ms=parsed.pace_ms,
            seconds=parsed.seconds,
            options={"glass": 60},
        )
        runs.append(measure(plan))
        print(runs[-1].text(), flush=True)
    rows = [
        [
            f"{run.moves_per_second:.0f}",
            f"{run.own.p99:.1f} ms",
            f"{run.everybody.p50:.1f} ms",
            f"{run.everybody.p99:.1f} ms",
            f"{run.everybody.longest:.1f} ms",
            f"{run.server_busy:.0%}" if run.server_busy is not None else "",
            str(sum(run.errors.values())),
        ]
        for run in runs
    ]
    middle = median(run.everybody.p99 for run in runs)
    body = (
        f"{parsed.tables} tables of four at Piratoons, every seat a connection of its own, one "
        f"stone let go at each table every {parsed.pace_ms} ms; the server has one core of "
        f"{os.cpu_count()}. From the drop sent to the view of the last of the four; the bar is p99 "
        f"below {BAR_MS} ms, the median of the rounds is {middle:.1f} ms.\n\n"
    ) + table(
        ["drops a second", "own p99", "all p50", "all p99", "longest", "of its core", "errors"],
        rows,
    )
    print(body)
    if not parsed.dry:
        keep_section("RESULTS.md", "Plundering", body)


if __name__ == "__main__":
    main()

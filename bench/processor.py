"""What rules compiled for any processor cost, against those compiled for this one.

    make bench-cpu

An image is built on one machine and run on another, so its rules are compiled for a *generic*
processor (`NUMBA_CPU_NAME=generic`), without the newer instructions of the one at hand. Both are
run in processes of their own, in turn.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from statistics import median

from quarterdeck.games import find_game
from results import keep_section, table
from speed import our_moves_per_second, searches_a_second

ROUNDS = 5
SECONDS = 2.0
PLAYED = "skull-king", "piratoons"
SEARCHED = "skull-king"


def measure() -> dict[str, float]:
    """Random moves a second, and simulations a second of the search, in this process."""
    figures = {}
    for id in PLAYED:
        our_moves_per_second(id, 4, 0.01)  # compiled by now
        figures[id] = our_moves_per_second(id, 4, SECONDS)
    searches_a_second(find_game(SEARCHED), 0.01)
    figures["search"] = searches_a_second(find_game(SEARCHED), SECONDS)
    return figures


def measure_in_process(cpu: str | None) -> dict[str, float]:
    """What a process measures whose rules are compiled for this processor; None: the one here."""
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CPU_NAME"}
    if cpu is not None:
        environment["NUMBA_CPU_NAME"] = cpu
    command = [sys.executable, __file__, "--measure"]
    told = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout
    figures: dict[str, float] = json.loads(told)
    return figures


def main() -> None:
    rounds = [(measure_in_process(None), measure_in_process("generic")) for _ in range(ROUNDS)]
    rows = []
    for name in rounds[0][0]:
        host = median(here[name] for here, _ in rounds)
        generic = median(anywhere[name] for _, anywhere in rounds)
        share = median(anywhere[name] / here[name] for here, anywhere in rounds)
        shown = f"{SEARCHED}, searching" if name == "search" else name
        rows.append([shown, f"{host / 1e6:.2f} M", f"{generic / 1e6:.2f} M", f"{share:.0%}"])
    body = (
        "Random moves a second, and simulations a second of the search, on one core: compiled for "
        "the processor at hand, and for any of its kind, as in the image of the Dockerfile.\n\n"
    ) + table(["", "this processor", "any", "of it"], rows)
    print(body)
    keep_section("RESULTS.md", "Compiled for any processor", body)


if __name__ == "__main__":
    if sys.argv[1:] == ["--measure"]:
        print(json.dumps(measure()))
    else:
        main()

"""Everything that concerns one game: `make check-game ID=skull-king`.

Each step is a command of its own, and what fails soonest comes first. A step that fails does not
stop the others; the last lines sum up.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from quarterdeck.contract import UnknownGame
from quarterdeck.games import find_game

ROOT = Path(__file__).parents[1]
PROGRAMS = Path(sys.executable).parent


class Step(NamedTuple):
    """One thing to check: what it is, its command, and the folder it runs in."""

    what: str
    command: list[str]
    folder: Path = ROOT


def steps(id: str) -> list[Step]:
    """All steps of a game, in order. Raises `UnknownGame`."""
    name = find_game(id).folder.name
    sources = f"src/quarterdeck/games/{name}"
    tests = f"tests/games/{name}"
    ruff, mypy, pytest = (str(PROGRAMS / tool) for tool in ("ruff", "mypy", "pytest"))
    web = ROOT / "web"
    return [
        Step("style", [ruff, "check", sources, tests]),
        Step("format", [ruff, "format", "--check", sources, tests]),
        Step("types", [mypy, "--package", f"quarterdeck.games.{name}"]),
        Step("types of its tests", [mypy, "--explicit-package-bases", tests]),
        Step(
            "places, numbers, words",
            [
                pytest,
                "-q",
                *(f"tests/test_{part}.py" for part in ("shape", "rule_numbers", "messages")),
            ],
        ),
        Step("conforms", [sys.executable, "-m", "quarterdeck.testing", id]),
        Step("rules", [pytest, "-q", tests]),
        Step(
            "golden records", [pytest, "-q", "tests/test_golden.py", "-k", f"every_game or {name}"]
        ),
        Step("types of the page", ["npm", "run", "--silent", "check"], web),
        Step("the page's logic", ["npx", "vitest", "run", name, "words", "messages"], web),
        Step("the page, built", ["npx", "vite", "build", "--logLevel", "warn"], web),
        Step("levels in order", [sys.executable, "-m", "quarterdeck.testing", id, "--levels"]),
        Step("in a browser", ["node", "--test", f"e2e/{name}.test.mjs"], web),
    ]


def main() -> int:
    """Runs all steps of the game named on the command line; 1 if one has failed."""
    if len(sys.argv) != 2:
        print("make check-game ID=skull-king", file=sys.stderr)
        return 2
    try:
        due = steps(sys.argv[1])
    except UnknownGame as error:
        print(error, file=sys.stderr)
        return 2
    lines, failed = [], False
    for step in due:
        print(f"\n── {step.what}: {' '.join(step.command)}", flush=True)
        started = time.monotonic()
        code = subprocess.run(step.command, cwd=step.folder, check=False).returncode
        failed = failed or code != 0
        mark = "✗" if code else "✓"
        lines.append(f"{mark} {step.what} ({time.monotonic() - started:.0f} s)")
    print("", *lines, sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

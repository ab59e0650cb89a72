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

from quarterdeck.games import GAME_IDS

ROOT = Path(__file__).parents[1]
PROGRAMS = Path(sys.executable).parent


class Step(NamedTuple):
    """One thing to check: what it is, its command, and the folder it runs in."""

    what: str
    command: list[str]
    folder: Path = ROOT


def steps(id: str) -> list[Step]:
    """All steps of a game, in order."""
    name = id.replace("-", "_")
    own = [f"src/quarterdeck/games/{name}", f"tests/games/{name}"]
    ruff, mypy, pytest = (str(PROGRAMS / tool) for tool in ("ruff", "mypy", "pytest"))
    testing = [sys.executable, "-m", "quarterdeck.testing", id]
    shared = [f"tests/test_{part}.py" for part in ("shape", "rule_numbers", "messages")]
    web = ROOT / "web"
    return [
        Step("style", [ruff, "check", *own]),
        Step("format", [ruff, "format", "--check", *own]),
        Step("types", [mypy, *own]),
        Step("places, numbers, words", [pytest, "-q", *shared]),
        Step("conformance", testing),
        Step("rules", [pytest, "-q", own[1]]),
        Step(
            "golden records", [pytest, "-q", "tests/test_golden.py", "-k", f"every_game or {name}"]
        ),
        Step("the page's logic", ["npx", "vitest", "run", name, "words", "messages"], web),
        Step("the page, checked and built", ["npm", "run", "--silent", "build"], web),
        Step("levels in order", [*testing, "--levels"]),
        Step("in a browser", ["node", "--test", f"e2e/{name}.test.mjs"], web),
    ]


def main() -> int:
    """Runs all steps of the game named on the command line; 1 if one has failed."""
    if len(sys.argv) != 2 or sys.argv[1] not in GAME_IDS:
        print(f"make check-game ID=..., one of {', '.join(GAME_IDS)}", file=sys.stderr)
        return 2
    lines, failed = [], False
    for step in steps(sys.argv[1]):
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

"""Keeping figures: each bench owns a section of `bench/RESULTS.md` or `bench/SOAK.md`."""

from __future__ import annotations

import os
import platform
import re
from datetime import UTC, datetime
from pathlib import Path

FOLDER = Path(__file__).parent
HEADS = {
    "RESULTS.md": "# Speed\n\nMeasured on shared machines: trust the ratios within one run.\n",
    "SOAK.md": "# The big counts\n\nWhat `make soak` found.\n",
}


def keep_section(file: str, title: str, body: str) -> None:
    """Writes a section under its title, in the place of the one of an earlier run."""
    path = FOLDER / file
    text = path.read_text("utf-8") if path.exists() else HEADS[file]
    stamp = datetime.now(UTC).strftime("%Y-%m-%d")
    machine = f"{stamp}, {os.cpu_count()} cores, Python {platform.python_version()}"
    section = f"## {title}\n\n{body.strip()}\n\n*{machine}*\n"
    pattern = re.compile(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)
    if pattern.search(text):
        text = pattern.sub(lambda _: section + "\n", text)
    else:
        text = text.rstrip() + "\n\n" + section
    path.write_text(text.rstrip() + "\n", "utf-8")


def keep_rows(file: str, title: str, head: list[str], rows: list[list[str]]) -> None:
    """Writes rows of a section's table in the place of those that begin alike, each with its day.

    So that one game can be counted anew without the others.
    """
    path = FOLDER / file
    text = path.read_text("utf-8") if path.exists() else HEADS[file]
    head = [*head, "on"]
    stamp = datetime.now(UTC).strftime("%Y-%m-%d")
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    lines = found[1].splitlines() if found else []
    kept = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")][2:]
    names = list(dict.fromkeys(row[0] for row in (*kept, *rows)))
    anew = {row[0] for row in rows}
    kept = [row for row in kept if row[0] not in anew and len(row) == len(head)]
    kept += [[*row, stamp] for row in rows]
    keep_section(file, title, table(head, sorted(kept, key=lambda row: names.index(row[0]))))


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)

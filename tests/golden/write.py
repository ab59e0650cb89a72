"""Writes golden records: `python tests/golden/write.py ID`, or with the path of a record.

For a game: one whole game of bots for every number of players (`3-players.json`), and what it comes
to (`3-players.expected.json`). What is there already stays as it is, unless `--again` is said: a
golden record that changes means that a rule has changed.

For a record made by hand: what it comes to, after every entry. A record made by hand has game,
options, position and log: see those of the other games.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from quarterdeck import Match, find_game
from quarterdeck.bots.simulate import played_match
from quarterdeck.contract import QuarterdeckError
from quarterdeck.engine.record import read_record, write_record

FOLDER = Path(__file__).parent
SEED = 42
BOT = "bosun"


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes what is asked for and names the files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", metavar="ID or FILE")
    parser.add_argument("--again", action="store_true", help="replace what is there")
    parsed = parser.parse_args(arguments)
    try:
        if parsed.what.endswith(".json"):
            path = Path(parsed.what)
            files = iter([expect(path)])
        else:
            files = write_games(parsed.what, again=parsed.again)
        for path in files:
            print(path)
    except QuarterdeckError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def write_games(id: str, folder: Path = FOLDER, *, again: bool = False) -> Iterator[Path]:
    """Plays and keeps one game for every number of players; the files that were written."""
    game = find_game(id)
    (players,) = (option.values for option in game.options if option.key == "players")
    for count in players:
        path = folder / game.folder.name / f"{count}-players.json"
        if path.exists() and not again:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        options = game.fill_options({"players": count})
        match = played_match(game, options, [BOT] * int(count), SEED, 0)
        path.write_bytes(write_record(match.record([BOT] * int(count))) + b"\n")
        yield path
        yield _keep(path, {"position": match.position()})


def expect(path: Path) -> Path:
    """Keeps what a record comes to, after every entry and at the end."""
    told = read_record(path.read_bytes())
    match = Match(find_game(told.game), told.options, position=told.position)
    after = []
    for entry in told.log:
        match.act(-1 if entry.by == "nature" else entry.by, entry.do)
        after.append(match.position())
    return _keep(path, {"position": match.position(), "after": after})


def _keep(path: Path, told: dict[str, Any]) -> Path:
    kept = path.with_suffix(".expected.json")
    kept.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return kept


if __name__ == "__main__":
    sys.exit(main())

"""Fits Riff Raff's fitted world to loadings in the real one, and writes `fitted.toml`.

quarterdeck simulate riff-raff --players 4 --games 24 --bots bosun --records GAMES.jsonl
python bench/fit_riff_raff.py GAMES.jsonl [...]

The curves are fitted to what came of every loading in these games: logistic regression with a pull
towards zero, so that what was seen seldom stays near the average.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from quarterdeck.contract import NATURE
from quarterdeck.engine.match import Match
from quarterdeck.engine.record import GameRecord, read_record
from quarterdeck.games import find_game
from quarterdeck.games.riff_raff import fitted
from quarterdeck.games.riff_raff.notation import SHAPE_NAMES
from quarterdeck.games.riff_raff.state import (
    ASTRAY,
    BACK,
    CAUGHT,
    FALLEN,
    FELL,
    LEVELS,
    MOVED,
    NONE,
    SHAPES,
)

GAME = find_game("riff-raff")
LEVEL_NAMES = ["deck ends", "deck", "lower yard", "middle yard", "upper yard"]
PULL = 1.5  # towards zero, of every weight but the levels'
TAIL = ("load", "crowd", "tilt")


def loadings(told: GameRecord) -> Iterator[dict[str, Any]]:
    """What came of every loading of a game, and what it was like before."""
    kit = GAME.kit
    again = Match(GAME, told.options)
    for entry in told.log:
        state = again.state
        if entry.by == "nature" and entry.do.startswith("settle"):
            args = GAME.notation.parse(kit, entry.do).args.tolist()
            area = int(state.played[state.active])
            pull = fitted.moment(kit, state) + kit.mass[args[0]] * fitted.middle(kit, area - 1)
            levels = [0] * LEVELS
            for place, count in enumerate(np.add(args[FALLEN:CAUGHT], args[CAUGHT:]).tolist()):
                levels[kit.level[place // SHAPES]] += count
            aboard = [0] * LEVELS
            for place in range(len(state.aboard)):
                aboard[kit.level[place]] += int(state.aboard[place].sum())
            yield {
                "level": int(kit.level[area - 1]),
                "shape": args[0],
                "load": int(fitted.cargo(state)),
                "crowd": int(state.aboard[area - 1].sum()),
                "tilt": float(fitted.tilt(kit, float(pull))),
                "own": args[1] == FELL,
                "astray": args[1] == ASTRAY,
                "back": args[1] == BACK,
                "others": sum(levels),
                "caught": sum(args[CAUGHT:]) + (args[1] == FELL and args[2]),
                "moved": args[MOVED] != NONE,
                "levels": levels,
                "aboard": aboard,
            }
        again.act(NATURE if entry.by == "nature" else entry.by, entry.do)


def features(rows: list[dict[str, Any]]) -> np.ndarray:
    x = np.zeros((len(rows), LEVELS + SHAPES + len(TAIL)))
    for i, row in enumerate(rows):
        x[i, row["level"]] = x[i, LEVELS + row["shape"]] = 1
        x[i, LEVELS + SHAPES :] = [row[key] for key in TAIL]
    return x


def fit(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Newton's method; the levels are pulled only a little, towards what is rare."""
    pull = np.full(x.shape[1], PULL)
    pull[:LEVELS] = 0.05
    centre = np.zeros(x.shape[1])
    centre[:LEVELS] = -3.0
    weights = centre.copy()
    for _ in range(60):
        p = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (y - p) - pull * (weights - centre)
        bend = x.T @ (x * (p * (1 - p))[:, None]) + np.diag(pull)
        step = np.linalg.solve(bend, slope)
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def curve(name: str, what: str, weights: np.ndarray) -> str:
    levels = ", ".join(f"{w:.3f}" for w in weights[:LEVELS])
    pairs = zip(SHAPE_NAMES, weights[LEVELS : LEVELS + SHAPES], strict=True)
    shapes = ", ".join(f"{shape} = {w:.3f}" for shape, w in pairs)
    tail = "\n".join(
        f"{key} = {w:.4f}" for key, w in zip(TAIL, weights[LEVELS + SHAPES :], strict=True)
    )
    return f"[curves.{name}] # {what}\nlevels = [{levels}]\nshapes = {{ {shapes} }}\n{tail}\n"


def share(part: float, whole: float, least: float = 0.01) -> float:
    """A share with one case more of each kind, so that nothing is impossible."""
    return max(least, (part + 1) / (whole + 2))


def write(rows: list[dict[str, Any]]) -> str:
    x = features(rows)
    laden = [row for row in rows if row["load"]]
    y = {key: np.array([bool(row[key]) for row in rows], float) for key in ("own", "astray")}
    other = np.array([row["others"] > 0 for row in laden], float)
    falls = [row for row in rows if row["others"]]
    fallen = sum(row["others"] for row in falls)
    all_fallen = fallen + sum(row["own"] for row in rows)
    rates = []
    for place in range(LEVELS):
        lay = sum(row["aboard"][place] for row in falls)
        fell = sum(row["levels"][place] for row in falls)
        rates.append(share(fell, lay))
    loose = ", ".join(f"{rate / max(rates):.3f}" for rate in rates)
    parts = [
        f"# What the fitted world draws from, after {len(rows)} loadings by bots in the real one.\n"
        "# Made by `bench/fit_riff_raff.py`, not by hand.\n"
        f"levels = {json.dumps(LEVEL_NAMES)}\n",
        curve("own", "the piece falls", fit(x, y["own"])),
        curve("astray", "it rests in another area, or reaches into one", fit(x, y["astray"])),
        curve("other", "it brings other cargo down", fit(features(laden), other)),
        "[chances]\n"
        f"more = {1 - share(len(falls), fallen):.4f} # after each piece that fell: one more\n"
        f"back = {share(sum(r['back'] for r in falls), len(falls)):.4f} # still in the hand then\n"
        f"moved = {share(sum(r['moved'] for r in laden), len(laden)):.4f}"
        " # some other cargo is in another area afterwards\n"
        f"caught = {share(sum(r['caught'] for r in rows), all_fallen):.4f}"
        " # of each piece that falls\n",
        f"[loose] # how easily cargo on each level comes off\nlevels = [{loose}]\n",
    ]
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    given = parser.parse_args()
    lines = [line for file in given.files for line in file.read_bytes().splitlines()]
    rows = [row for line in lines for row in loadings(read_record(line))]
    target = GAME.folder / "fitted.toml"
    target.write_text(write(rows), "utf-8")
    print(f"{len(rows)} loadings fitted: {target}")


if __name__ == "__main__":
    main()

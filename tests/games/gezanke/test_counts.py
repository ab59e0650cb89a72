"""Counts of everything that can follow from fixed positions and rolls.

Of each turn, with all choices and everybody who comes back: the ways to play it, the different
positions met on the way, and the doubloons of seat 0 summed over all ways. `reference.py` counts
the smaller ones again in every run; it has counted them all.
"""

from __future__ import annotations

import pytest

from quarterdeck.contract import NATURE
from quarterdeck.games.gezanke.state import State

from ..helpers import INTERPRETED, count_by_reference
from . import reference
from .helpers import (
    BENCH,
    Crews,
    do,
    position,
    state_of,
)

SPREAD: Crews = {
    "grey": ["red:4", "blue:-4", "green:0"],
    "white": ["red:-4", "yellow:4", "purple:0"],
    "black": ["green:4", "orange:-4", "orange:4"],
    "brown": ["purple:4", "purple:-4", "yellow:0"],
}
CROWDED: Crews = {
    "grey": ["red:4", "red:3", "red:-4"],
    "white": ["red:2", "blue:4", "blue:3"],
    "black": ["red:1", "blue:2", "blue:1"],
    "brown": ["blue:0", "blue:-1", "red:0"],
}
FEW: Crews = {"grey": ["red:4", "blue:-4"], "white": ["red:-4"], "black": ["green:0"], "brown": []}

TURNS = [
    # players, pirates, offsets, fins, roll, (ways, positions, doubloons of seat 0)
    (4, SPREAD, {}, 7, "roll red blue", (72, 77, 0)),
    (4, SPREAD, {"red": 1, "blue": -2}, 7, "roll red blue", (26136, 6550, 35)),
    (4, CROWDED, {}, 1, "roll red blue", (54, 26, 218)),
    (4, CROWDED, {"red": 2}, 1, "roll red blue", (77, 46, 234)),
    (2, SPREAD, {"red": 2}, 7, "roll green purple", (200, 213, 0)),
    (2, CROWDED, {"red": -2, "blue": 1}, 1, "roll blue green", (104, 77, 404)),
    (3, CROWDED, {"blue": 1}, 1, "roll blue red", (54, 26, 218)),
    (4, FEW, {"red": 1}, 1, "roll red blue", (36, 41, 0)),
]

SMALL = 1_500
"""Up to so many positions are counted in every run, however slow the counting."""


def begun(
    players: int, pirates: Crews, offsets: dict[str, int], fins: int, roll: str
) -> tuple[State, reference.Table]:
    """The state and the reference's table after a roll."""
    state = state_of(players, pirates=pirates, offsets=offsets, fins=fins)
    table = reference.Table(players)
    table.phase, table.active, table.fins = "roll", 0, fins
    for plank in position(state)["planks"]:
        table.planks.append(reference.Plank(plank["name"], plank["side"]))
        table.planks[-1].offset = plank["offset"]
    for colour, places in pirates.items():
        for place in places:
            assert place
            plank, space = table.at(place)
            plank.standing[space] = colour
    table.do(NATURE, roll)
    return do(state, NATURE, roll), table


def gold(table: reference.Table) -> int | None:
    """The doubloons of seat 0 where the turn is over."""
    return table.purses[0] if table.phase in ("roll", "over") else None


@pytest.mark.rule("GP-6", "GP-7", "GP-8", "GP-9", "GP-10", "GP-13", "GP-15", "GP-16", "GP-17")
@pytest.mark.parametrize(("players", "pirates", "offsets", "fins", "roll", "expected"), TURNS)
def test_ways_to_play_a_turn(
    players: int,
    pirates: Crews,
    offsets: dict[str, int],
    fins: int,
    roll: str,
    expected: tuple[int, int, int],
) -> None:
    state, table = begun(players, pirates, offsets, fins, roll)
    is_small = expected[1] <= SMALL
    if is_small or not INTERPRETED:
        assert BENCH.count(state) == expected
    if is_small and not INTERPRETED:
        assert count_by_reference(table, gold) == expected

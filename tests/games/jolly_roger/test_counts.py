"""Counts of everything that can follow from fixed deals.

Of each turn: the ways to play it out, the different positions met on the way, and the gold of seat
0 summed over all ways. `reference.py` counts the smaller ones again in every run; it has counted
them all.
"""

from __future__ import annotations

import pytest

from quarterdeck.contract import NATURE
from quarterdeck.games.jolly_roger.state import State

from ..helpers import INTERPRETED, Counts, count_by_reference
from . import reference
from .helpers import BENCH, Crews, do, state_of

CREWS = {
    "green": [["g2", "parrot:r5"], ["g3", "skeleton"]],
    "red": [["parrot:y4"], ["parrot:g5", "parrot:kraken"]],
}
"""Some crews to begin with."""

PLAYED: list[tuple[Crews, str, Counts]] = [
    # crews, hands of the picker (seat 1) and the splitter (seat 0), (ways, positions, gold)
    ({}, "g1/g2", (25, 31, 108)),
    ({}, "g1,g1/r5", (135, 114, 648)),
    (CREWS, "g4/kraken", (40, 43, 60)),
    (CREWS, "kraken/tortuga", (35, 43, 141)),
    (CREWS, "skeleton/kraken", (50, 56, 72)),
    (CREWS, "g4,kraken/tortuga", (420, 296, 1470)),
    (CREWS, "tortuga,kraken/r1", (350, 247, 576)),
    (CREWS, "/g1,g4,tortuga", (795, 405, 7838)),
    (CREWS, "r1,r1/kraken,kraken", (1707, 580, 4668)),
    (CREWS, "g1,y1/b1,r1", (3091, 1592, 12740)),
]

SPLIT: list[tuple[Crews, str, Counts]] = [
    # crews, a deal to be split, picked and played to its end, (ways, positions, gold)
    ({}, "g1,g1,g1,g1,g2", (161496, 21912, 1116036)),
]

SMALL = 1_500
"""Up to so many positions are counted in every run, however slow the counting."""


def begun(crews: Crews) -> tuple[State, reference.Table]:
    """The state and the reference's table before turn three of an advanced game."""
    state = state_of("advanced", phase="deal", splitter=0, turn=3, crews=crews)
    table = reference.Table("advanced")
    table.phase, table.splitter, table.turn = "deal", 0, 3
    for ship, both in crews.items():
        for seat, crew in enumerate(both):
            for card in crew:
                name = card.removeprefix("parrot:")
                table.ships[ship].join(seat, name, face_up=name == card)
                table.unseen[name] -= 1
    return state, table


def dealt(crews: Crews, cards: str) -> tuple[State, reference.Table]:
    state, table = begun(crews)
    table.do(NATURE, f"deal {cards}")
    return do(state, NATURE, f"deal {cards}"), table


def handed(crews: Crews, hands: str) -> tuple[State, reference.Table]:
    picker, splitter = (cards.split(",") if cards else [] for cards in hands.split("/"))
    state = state_of("advanced", splitter=0, turn=3, crews=crews, hands=[splitter, picker])
    _, table = begun(crews)
    table.phase, table.hands = "play", [splitter, picker]
    return state, table


def gold_by_reference(table: reference.Table) -> int | None:
    """The gold of seat 0 once the turn is over."""
    return table.scores()[0] if table.phase in ("deal", "over") else None


def check(state: State, table: reference.Table, expected: Counts) -> None:
    is_small = expected[1] <= SMALL
    if is_small or not INTERPRETED:
        assert BENCH.count(state) == expected
    if is_small and not INTERPRETED:
        assert count_by_reference(table, gold_by_reference) == expected


@pytest.mark.rule("JR-7", "JR-9", "JR-10", "JR-13", "JR-14", "JR-15", "JR-16", "JR-17")
@pytest.mark.parametrize(("crews", "hands", "expected"), PLAYED)
def test_ways_to_play_two_sets(crews: Crews, hands: str, expected: Counts) -> None:
    check(*handed(crews, hands), expected)


@pytest.mark.rule("JR-5", "JR-6", "JR-7")
@pytest.mark.parametrize(("crews", "cards", "expected"), SPLIT)
def test_ways_to_split_pick_and_play_five_cards(crews: Crews, cards: str, expected: Counts) -> None:
    check(*dealt(crews, cards), expected)

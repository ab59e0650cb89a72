"""Counts of everything that can follow from fixed deals.

Of each deal: the ways to play it out, the different positions met on the way, and the points of
seat 0 summed over all ways. `reference.py` counts the smaller deals again in every run; it has
counted them all.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quarterdeck.contract import NATURE
from quarterdeck.games.skull_king.state import State

from ..helpers import INTERPRETED, Counts, count_by_reference
from . import reference
from .helpers import count, do, state_of

PLAYED = [
    # deal, bids, (ways, positions, points of seat 0)
    ("y1,y2/y3,r1", (1, 1), (4, 12, -40)),
    ("y1,mary/king,k1", (1, 0), (8, 17, -20)),
    ("escape,escape/escape,mary", (1, 1), (4, 12, -40)),
    ("y1,r2,king/y3,pirate,mermaid", (2, 1), (31, 93, -240)),
    ("y1,y5,r2,k3/y9,r1,b4,mary", (2, 0), (418, 921, 2780)),
    ("escape,pirate,mermaid,king/y1,y2,y3,y4", (3, 1), (576, 934, 34560)),
    ("y1,k2/y5,mermaid/king,mary", (1, 0, 1), (12, 44, -90)),
    ("y1,y9,k2/y5,r2,mermaid/y7,pirate,escape", (1, 2, 0), (145, 608, 1070)),
    ("y2,y5,r1/y4,r7,k1/b8,king,mary", (0, 1, 2), (222, 833, 3960)),
    ("y1,k2/y5,mermaid/king,mary/pirate,escape", (0, 1, 1, 1), (24, 113, 440)),
    ("y1,y2,r3/y4,r5,b6/y7,b1,k1/y8,r9,pirate", (0, 1, 1, 1), (140, 794, 4200)),
    ("y1,y6,r1,k1/y2,y7,r2,b1/y3,y8,b2,k2/y4,r3,r4,king", (1, 1, 1, 2), (8172, 32899, 36300)),
]

BIDDEN = [
    # deal, (ways, positions, points of seat 0) from before the bids on, bids in every order
    ("y1/k1", (8, 17, 0)),
    ("y1,mary/y2,king", (144, 163, -480)),
    ("y1/mary/king", (96, 67, 0)),
]

SMALL = 1_500
"""Up to so many ways are counted in every run, however slow the counting."""


def dealt(deal: str, bids: Sequence[int] = ()) -> tuple[State, reference.Table]:
    """The state and the reference's table after a deal and some bids."""
    hands = deal.split("/")
    size = len(hands[0].split(","))
    state = state_of(len(hands), phase="deal", hand=size, dealer=0)
    table = reference.Table(len(hands))
    table.number, table.dealer, table.phase = size, 0, "deal"
    moves = [(NATURE, f"deal {deal}"), *((seat, f"bid {bid}") for seat, bid in enumerate(bids))]
    for actor, text in moves:
        state = do(state, actor, text)
        table.do(actor, text)
    return state, table


def reference_score(table: reference.Table) -> int | None:
    """The points of seat 0 where the hand is over."""
    return table.scores[0] if table.phase in ("deal", "over") else None


def check(state: State, table: reference.Table, expected: Counts) -> None:
    small = expected[0] <= SMALL
    if small or not INTERPRETED:
        assert count(state) == expected
    if small and not INTERPRETED:
        assert count_by_reference(table, reference_score) == expected


@pytest.mark.rule("SK-5", "SK-6", "SK-7", "SK-9", "SK-17")
@pytest.mark.parametrize(("deal", "bids", "expected"), PLAYED)
def test_ways_to_play_a_hand(deal: str, bids: Sequence[int], expected: Counts) -> None:
    check(*dealt(deal, bids), expected)


@pytest.mark.rule("SK-3", "SK-R4")
@pytest.mark.parametrize(("deal", "expected"), BIDDEN)
def test_ways_to_bid_and_play_a_hand(deal: str, expected: Counts) -> None:
    check(*dealt(deal), expected)

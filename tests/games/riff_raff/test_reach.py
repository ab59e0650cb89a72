"""With four rats and no other piece, played in every way there is: what is accepted can occur."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from quarterdeck.contract import Game, Invariant, copy_record
from quarterdeck.games.riff_raff.state import CHOOSING, NAMING, NONE, State
from quarterdeck.reach import Reach, check_reach

from .helpers import GAME, KIT, SHAPES

RAT = SHAPES.index("rat")
AREAS = (4, 5)
"""Where the rats are: on the deck and on a yard."""


def only_rats(moved: float = 0.0) -> Game:
    """The game with four rats, and a fitted world in which whatever can happen often does; so often
    rats are pushed into other areas."""
    kit = copy_record(KIT)
    kit.copies[:] = 0
    kit.copies[RAT] = 4
    for curve in (kit.own, kit.astray, kit.other):
        curve[:] = 0.0  # as likely as not
    kit.more = kit.back = kit.caught = 0.5
    kit.moved = moved
    kit.loose[:] = 1.0
    return replace(GAME, kit=kit)


def cargo(players: int) -> Iterator[dict[str, Any]]:
    """Every way in which rats can lie when a round begins: what earlier rounds left is as given."""
    rats = 4 if players == 2 else players
    free = rats - players  # everybody has one at least
    for places in itertools.combinations_with_replacement(range(players + len(AREAS) + 1), free):
        count = [places.count(place) for place in range(players + len(AREAS))]
        yield {
            "supply": [["rat"] * (1 + count[seat]) for seat in range(players)],
            "aboard": {str(area): ["rat"] * count[players + i] for i, area in enumerate(AREAS)},
        }


def last_round(hands: list[list[int]], last: list[int], captain: int) -> Reach:
    """The round in which these cards are left, after those that lie there."""
    players = len(hands)
    number = 10 * (players == 2) + 11 - len(hands[0])
    given = {"round": number, "cards": hands, "last": last, "captain": captain}

    def within(state: State) -> bool:
        if state.round != number or any(any(pieces) for pieces in _elsewhere(state)):
            return False
        for seat in range(players):
            cards = [int(card) for card in (*state.cards[seat], state.played[seat])]
            if sorted(card for card in cards if card != NONE) != hands[seat]:
                return False
        if state.phase == CHOOSING and state.last.tolist()[:players] != last:
            return False
        return bool(state.phase not in (CHOOSING, NAMING) or state.captain == captain)

    options = {"players": players, "world": "fitted"}
    return Reach(options, within, begin=[given | lies for lies in cargo(players)])


def _elsewhere(state: State) -> Any:
    """What lies in the areas that are not looked at."""
    return [state.aboard[area - 1] for area in range(1, 11) if area not in AREAS]


CASES = {
    "two seats": last_round([[5], [4]], [8, 7], 0),
    "the same card": last_round([[5], [5]], [8, 7], 0),
    "two cards each": last_round([[4, 5], [5, 6]], [8, 9], 1),
    "three of a kind": last_round([[5], [5], [5]], [8, 7, 8], 2),
    "two of a kind": last_round([[6], [5], [5]], [8, 7, 8], 0),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_accepted_is_what_can_occur(case: str) -> None:
    game = only_rats(0.5 if case == "two seats" else 0.0)
    found = check_reach(game, CASES[case], tries=2000)
    assert found.states > 15
    assert found.accepted > 200


@pytest.mark.parametrize(
    ("missing", "case"),
    [("RR-15", "the same card"), ("RR-5", "two of a kind"), ("RR-9", "the same card"),
     ("RR-17", "the same card")],
)  # fmt: skip
def test_a_hole_in_the_invariants_is_found(
    missing: str, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = only_rats()
    positions: Any = game.positions
    every: tuple[Invariant, ...] = positions.INVARIANTS
    left = tuple(each for each in every if each.rule != missing)
    monkeypatch.setattr(positions, "INVARIANTS", left)
    with pytest.raises(AssertionError, match="that nothing leads to is accepted"):
        check_reach(game, CASES[case], tries=2000)

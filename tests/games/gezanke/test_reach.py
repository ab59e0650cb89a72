"""On two small planks, played in every way there is: what is accepted is what can occur."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quarterdeck.contract import BadPosition, Game, Invariant, record_of
from quarterdeck.games.gezanke.state import ENDED, NONE, TO_ROLL, State
from quarterdeck.reach import Allowance, Reach, check_reach, every_state

from .helpers import COLOURS
from .tiny import PLANKS, SPACES, tiny_game

FINS = 2


def rolls(game: Game, players: int, colours: int) -> Iterator[dict[str, Any]]:
    """Every position in which seat 0 is about to roll: what earlier turns left is as given."""
    options = game.fill_options({"players": players})
    for places in itertools.product((None, *SPACES), repeat=colours):
        standing = [place for place in places if place]
        for offsets in itertools.product((-1, 0, 1), repeat=len(PLANKS)):
            position = {
                "active": 0,
                "fins": FINS,
                "planks": [{"name": n, "offset": k} for n, k in zip(PLANKS, offsets, strict=True)],
                "pirates": {c: [place] for c, place in zip(COLOURS, places, strict=False)},
            }
            try:
                game.positions.from_position(game.kit, options, position)
            except BadPosition:
                continue
            assert len(set(standing)) == len(standing) > 0
            yield position


def is_turn_of_first(state: State) -> bool:
    """The turns of seat 0 before the first fin leaves, and the planks as they were laid."""
    is_laid = state.order.tolist() == [0, 1] and not any(state.sides)
    is_paid = state.phase != ENDED and any(state.purses)
    return bool(state.phase >= TO_ROLL and state.active == 0 and state.fins == FINS) and (
        is_laid and not is_paid
    )


def is_of_two(state: State) -> bool:
    """Only grey and white are aboard, and nobody comes back."""
    return is_turn_of_first(state) and max(map(max, state.board)) < 2 and state.boarder == NONE


def bookkeeping(state: State) -> tuple[object, ...]:
    """What a state says of choices and of those who come back."""
    lists = tuple(state.choices.tolist()), tuple(state.boarding.tolist())
    return int(state.phase), int(state.slid), int(state.boarder), *lists


def not_searched(game: Game, reach: Reach) -> Allowance:
    """Where pirates were lost this turn, anything goes that somehow comes to the same choices."""
    options = game.fill_options(reach.options)
    states = every_state(game, options, reach)
    known = {bookkeeping(record_of(game.records.State, data)) for data in states}
    return Allowance(
        "how those stood who were lost this turn is not searched",
        lambda state: any(state.lost) and bookkeeping(state) in known,
    )


LAST_LEFT_OUT = Allowance(
    "a game that is over may leave out its last turn",
    lambda state: state.phase == ENDED and state.dice[0] == NONE,
)


def three_players(folder: Path) -> tuple[Game, Reach]:
    """One colour is neutral; the deck is so narrow that whatever is slid falls."""
    game = tiny_game(folder, fins=FINS, half_width=15)
    reach = Reach({"players": 3}, is_turn_of_first, begin=list(rolls(game, 3, 4)))
    return game, replace(reach, allowances=[not_searched(game, reach), LAST_LEFT_OUT])


def two_pirates(folder: Path) -> tuple[Game, Reach]:
    """Two players with a pirate each on a wider deck, and real hands that are steady."""
    game = tiny_game(folder, fins=FINS, half_width=25)
    reach = Reach({"players": 2, "hands": "real"}, is_of_two, begin=list(rolls(game, 2, 2)))
    return game, replace(reach, allowances=[not_searched(game, reach), LAST_LEFT_OUT])


@pytest.mark.parametrize("case", [three_players, two_pirates])
def test_what_is_accepted_is_what_can_occur(
    case: Callable[[Path], tuple[Game, Reach]], tmp_path: Path
) -> None:
    game, reach = case(tmp_path / "tiny")
    found = check_reach(game, reach, tries=3000)
    assert found.states > 1000
    assert found.accepted > 500
    assert 0 < found.allowed.total() < found.accepted / 3


def test_a_hole_in_the_invariants_is_found(tmp_path: Path) -> None:
    game, reach = two_pirates(tmp_path / "tiny")
    positions: Any = game.positions
    every: tuple[Invariant, ...] = positions.INVARIANTS
    positions.INVARIANTS = tuple(each for each in every if each.rule != "GP-7")
    with pytest.raises(AssertionError, match="that nothing leads to is accepted"):
        check_reach(game, reach, tries=1000)

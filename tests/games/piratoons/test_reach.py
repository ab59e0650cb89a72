"""With a few stones and doubloons, played in every way there is: what is accepted can occur."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from quarterdeck.contract import Game, Invariant, Rng, copy_record, record_of
from quarterdeck.games.piratoons import bot
from quarterdeck.games.piratoons.notation import tiles_by_name
from quarterdeck.games.piratoons.state import (
    FILL,
    PLUNDER,
    REFITTING,
    TILES,
    UNSEEN,
    Action,
    Kit,
    Memory,
    State,
)
from quarterdeck.reach import Allowance, Reach, check_reach, every_state

from .helpers import CHEST, GAME, KIT, middle

FIELDS = [tiles_by_name(KIT)[name] for name in CHEST]
OPEN = {"phase": "plunder", "captain": 0, "chest": CHEST, "opened": True}


# The plunder ---------------------------------------------------------------------------------


def on_a_line() -> Game:
    """Two stones each, dropped anywhere on seven places in a line, or steadily in its middle."""
    kit = copy_record(KIT)
    kit.stones, kit.radius, kit.width, kit.height = 2, 2, 6, 0
    kit.chest[:] = [3, 0, 0, 0]
    return replace(GAME, kit=kit)


def is_quiet_plunder(state: State) -> bool:
    """An open chest in which nobody has called, nor shown doubloons, and the sand runs."""
    is_quiet = not (state.barred or state.shown or state.ran_out)
    is_first = state.round_number == 1 and state.captain == 0 and state.bank == 34
    is_chest = state.phase == PLUNDER and state.chest.tolist() == FIELDS
    is_even = state.doubloons[0] == state.doubloons[1]
    return bool(is_quiet and is_first and is_chest and state.opened and is_even)


# The rest of a round -------------------------------------------------------------------------


def composed_refits(
    kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng, action: Action
) -> bool:
    """Layouts of all kinds, but only the steady hand's drops."""
    return seen.phase == REFITTING and bot.compose(kit, seen, memory, seat, rng, action)


def two_doubloons() -> Game:
    """A stone each, and two doubloons in all."""
    kit = copy_record(KIT)
    kit.stones, kit.purse, kit.doubloons = 1, 1, 2
    return replace(GAME, kit=kit, compose=composed_refits)


MIDDLES = [middle(field) for field in range(1, 10)]
WANTED = [tiles_by_name(KIT)[name] for name in ("deck-a1", "p1")]
"""The tiles that anybody may win: all others are left to the sea."""


def is_first_round(state: State) -> bool:
    """The first round, and that nobody calls before the sand has run out."""
    if state.round_number != 1 or state.captain != 0 or state.shown or state.phase == FILL:
        return False
    if state.phase == PLUNDER and (not state.opened or state.barred):
        return False
    standing = zip(state.pile_x.tolist(), state.pile_y.tolist(), state.pile_size, strict=True)
    if any(size and (x, y) not in MIDDLES for x, y, size in standing):
        return False
    for tile in range(TILES):
        is_here = tile in FIELDS
        if (not is_here and state.owner[tile] != UNSEEN) or (
            tile not in WANTED and state.owner[tile] >= 0
        ):
            return False
    for field, tile in enumerate(state.chest.tolist()):
        if tile >= 0 and tile != FIELDS[field]:
            return False
    return True


def purses() -> Iterator[dict[str, Any]]:
    """An open chest, and any share of the doubloons: what earlier rounds left is as given."""
    for one in range(3):
        for other in range(3 - one):
            yield OPEN | {"doubloons": [one, other]}


BIDS_LEFT_OUT = Allowance(
    "a refit may leave out the bids",
    lambda state: state.phase == REFITTING and max(state.bids) < 0,
)


def without_purses(state: State) -> bytes:
    """A state without all that depends on who has how many doubloons."""
    seen = copy_record(state)
    seen.doubloons[:] = seen.bank = seen.short = 0
    seen.bids[:] = [min(bid, 0) for bid in state.bids]
    return bytes(seen.tobytes())


def any_share(game: Game, reach: Reach) -> Allowance:
    """Everything but the purses is as in some state that was reached."""
    states = every_state(game, game.fill_options(reach.options), reach)
    known = {without_purses(record_of(State, data)) for data in states}
    return Allowance(
        "purses are hidden: whom the bank paid is not held against who placed and won",
        lambda state: without_purses(state) in known,
    )


def stones() -> tuple[Game, Reach]:
    return on_a_line(), Reach({"players": 2}, is_quiet_plunder, begin=[OPEN])


def a_round() -> tuple[Game, Reach]:
    game, reach = two_doubloons(), Reach({"players": 2}, is_first_round, begin=list(purses()))
    return game, replace(reach, allowances=[BIDS_LEFT_OUT, any_share(game, reach)])


@pytest.mark.parametrize("case", [stones, a_round])
def test_what_is_accepted_is_what_can_occur(case: Callable[[], tuple[Game, Reach]]) -> None:
    game, reach = case()
    found = check_reach(game, reach, tries=3000)
    assert found.states > 400
    assert found.accepted > 300
    assert set(found.allowed) == {each.reason for each in reach.allowances}


@pytest.mark.parametrize("missing", ["PT-16"])
def test_a_hole_in_the_invariants_is_found(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, reach = a_round()
    positions: Any = game.positions
    every: tuple[Invariant, ...] = positions.INVARIANTS
    left = tuple(each for each in every if each.rule != missing)
    monkeypatch.setattr(positions, "INVARIANTS", left)
    with pytest.raises(AssertionError, match="that nothing leads to is accepted"):
        check_reach(game, reach, tries=3000)

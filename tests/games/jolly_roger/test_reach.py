"""With five cards, played in every way there is: what is accepted is what can occur."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quarterdeck.contract import Game
from quarterdeck.games.jolly_roger.state import State
from quarterdeck.reach import Allowance, Reach, check_reach

from .helpers import BENCH, position

GAME = BENCH.game
TRIES = 2500


def tiny(green: list[int], **specials: int) -> Game:
    """The game with so many green pirates of each value, and these special cards."""
    pirates = {ship: [0] * 5 for ship in ("green", "yellow", "blue", "red")} | {"green": green}
    none = dict.fromkeys(("kraken", "skeleton", "tortuga"), 0)
    ships = {"green": 3, "yellow": 5, "blue": 7, "red": 9}
    data = {"pirates": pirates, "specials": none | specials, "ships": ships}
    return replace(GAME, kit=GAME.notation.load_kit(data))


def is_short(state: State) -> bool:
    shown = position(state)
    lists = [shown["offer"], *shown["sets"], *shown["hands"], *shown["chests"], shown["removed"]]
    crews = [crew for both in shown["crews"].values() for crew in both]
    return sum(map(len, [*lists, *crews])) < 5


def first_turn(state: State) -> bool:
    return state.turn == 1


MISSING = Allowance("a position may leave cards out, as if they had not been turned up", is_short)
CASES: dict[str, tuple[Game, str]] = {
    "pirates": (tiny([5, 0, 0, 0, 0]), "intro"),
    "krakens": (tiny([2, 0, 0, 0, 0], kraken=3), "advanced"),
    "tortugas": (tiny([0, 2, 0, 0, 0], tortuga=3), "advanced"),
    "all kinds": (tiny([0, 1, 0, 0, 0], kraken=3, tortuga=1), "advanced"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_accepted_is_what_can_occur(case: str) -> None:
    game, variant = CASES[case]
    found = check_reach(game, Reach({"variant": variant}, first_turn, [MISSING]), tries=TRIES)
    assert found.states > 2000
    assert found.accepted > 500
    assert set(found.allowed) == {MISSING.reason}


@pytest.mark.parametrize(
    ("case", "missing"),
    [("krakens", {"JR-15", "JR-13"}), ("tortugas", {"JR-17", "JR-13"}), ("pirates", {"JR-13"})],
)
def test_a_hole_in_the_invariants_is_found(
    case: str, missing: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no card is missing, the account of all cards finds most of what single rules find."""
    game, variant = CASES[case]
    left = tuple(each for each in game.positions.INVARIANTS if each.rule not in missing)
    monkeypatch.setattr(game.positions, "INVARIANTS", left)
    with pytest.raises(AssertionError, match="that nothing leads to is accepted"):
        check_reach(game, Reach({"variant": variant}, first_turn, [MISSING]), tries=TRIES)

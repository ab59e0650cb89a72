"""With a handful of cards, played in every way there is: what is accepted is what can occur."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quarterdeck.contract import Game
from quarterdeck.games.skull_king.state import NONE, State
from quarterdeck.reach import Allowance, Reach, check_reach

from .helpers import GAME

NOTE = [{"bid": 1, "points": 20}, {"bid": 0, "points": 10}]
SECOND = [{"hand": 2, "dealer": seat, "scores": [20, 10], "pad": [NOTE]} for seat in range(2)]
THIRD = [{"hand": 3, "dealer": seat} for seat in range(2)]


def tiny(yellow: int, red: int = 0, black: int = 0, **specials: int) -> Game:
    """The game with so many cards of each suit, and these special ones."""
    none = dict.fromkeys(("escape", "pirate", "mermaid", "king", "mary"), 0)
    suits = {"yellow": yellow, "red": red, "blue": 0, "black": black}
    return replace(GAME, kit=GAME.notation.load_kit({"suits": suits, "specials": none | specials}))


def first_hand(state: State) -> bool:
    return state.hand == 1


def second_hand(state: State) -> bool:
    return (
        state.hand == 2
        and state.scores[:2].tolist() == [20, 10]
        and state.pad_bids[:, 0].tolist() == [1] + [NONE] * 9
        and state.pad_points[0][:2].tolist() == [20, 10]
    )


def third_hand(state: State) -> bool:
    """Without a pad, or the scores of one: these are taken as given."""
    return state.hand == 3 and not state.scores.any() and state.pad_bids[0][0] == NONE


LEFT_OUT = Allowance(
    "the last trick may be left out of a position",
    lambda state: state.last_leader == NONE and state.tricks.any(),
)
FORGOTTEN = Allowance(
    "who won the tricks before the last, with the few cards that are left, is not searched",
    lambda state: state.tricks.sum() > 1,
)
CASES: list[tuple[str, Game, Reach]] = [
    ("two seats", tiny(1, black=1, escape=1, mermaid=1, king=1, mary=1),
     Reach({"players": 2}, first_hand)),
    ("three seats", tiny(1, red=1, black=1, pirate=1, king=1),
     Reach({"players": 3}, first_hand)),
    ("a king and a pirate", tiny(2, red=1, pirate=1, king=1),
     Reach({"players": 2}, second_hand, [LEFT_OUT], SECOND)),
    ("a king and a mermaid", tiny(2, black=1, mermaid=1, king=1),
     Reach({"players": 2}, second_hand, [LEFT_OUT], SECOND)),
    ("a third hand", tiny(2, red=2, pirate=1, king=1),
     Reach({"players": 2}, third_hand, [LEFT_OUT, FORGOTTEN], THIRD)),
]  # fmt: skip


@pytest.mark.parametrize(("game", "reach"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_what_is_accepted_is_what_can_occur(game: Game, reach: Reach) -> None:
    found = check_reach(game, reach, tries=3000)
    assert found.states > 500
    assert found.accepted > 300
    assert set(found.allowed) <= {each.reason for each in reach.allowances}
    assert bool(found.allowed) == bool(reach.allowances)


@pytest.mark.parametrize("missing", ["SK-5", "SK-23", "SK-18"])
def test_a_hole_in_the_invariants_is_found(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    left = tuple(each for each in GAME.positions.INVARIANTS if each.rule != missing)
    monkeypatch.setattr(GAME.positions, "INVARIANTS", left)
    _, game, reach = CASES[2]
    with pytest.raises(AssertionError, match="that nothing leads to is accepted"):
        check_reach(game, reach, tries=3000)

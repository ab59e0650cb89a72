"""The search for leaks in very many games finds planted ones, in every kind of node it comes to."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from quarterdeck.contract import NATURE, Game, compiled, copy_list
from quarterdeck.leaks import LeakCount, count_leaks

from .toys.plank_race import GAME as TOY
from .toys.plank_race import state as toy
from .toys.plank_race import view as toy_view


def with_view(**functions: Any) -> Game:
    """The toy with some functions of its view replaced."""
    view: Any = SimpleNamespace(**{**vars(toy_view), **functions})
    return replace(TOY, view=view)


def watched(game: Game) -> LeakCount:
    return count_leaks(game, {"players": 3}, 60, 1)


@compiled
def see_purses_in_the_race(kit: toy.Kit, state: toy.State, seat: int, seen: toy.State) -> None:
    toy_view.see(kit, state, seat, seen)
    if state.phase == toy.RACING:
        copy_list(seen.purses, state.purses)


@compiled
def see_wagers(kit: toy.Kit, state: toy.State, seat: int, seen: toy.State) -> None:
    toy_view.see(kit, state, seat, seen)
    if state.phase == toy.WAGERING:
        copy_list(seen.wagers, state.wagers)


@compiled
def glimpse_a_purse_in_the_drop(
    kit: toy.Kit, state: toy.State, seat: int, actor: int, action: toy.Action, seen: toy.Action
) -> None:
    toy_view.glimpse(kit, state, seat, actor, action, seen)
    if state.phase == toy.DROPPING and actor != NATURE:
        seen.args[0] = state.purses[actor]


def test_the_toy_does_not_leak() -> None:
    count = watched(TOY)
    assert count.games == 60
    assert count.leaks == 0
    assert count.worlds == 3 * count.states
    assert 0 < count.different < count.worlds


@pytest.mark.parametrize(
    "functions",
    [
        {"see": see_purses_in_the_race},
        {"see": see_wagers},
        {"glimpse": glimpse_a_purse_in_the_drop},
    ],
    ids=["open", "sealed", "glimpse"],
)
def test_planted_leaks_are_found(functions: dict[str, Any]) -> None:
    assert watched(with_view(**functions)).leaks > 0

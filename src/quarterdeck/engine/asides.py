"""Actions that answer nothing (`aside`, see `Rules`): bots, random ones too, leave them out."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from quarterdeck.contract import Array, Bool, Game, Numbers, inlined, record


@cache
def asides_of(game: Game) -> npt.NDArray[np.bool_]:
    """By number, which actions are asides; of length 0 for a game that has none."""
    aside = getattr(game.rules, "aside", None)
    if aside is None:
        return np.zeros(0, np.bool_)
    state, action = record(game.records.State), record(game.records.Action)
    game.rules.new(game.kit, game.option_numbers(game.fill_options({})), state)
    asides = np.zeros(game.records.ACTIONS, np.bool_)
    for number in range(len(asides)):
        game.rules.decode(game.kit, state, number, action)
        asides[number] = aside(game.kit, action)
    return asides


@inlined
def without_asides(numbers: Numbers, count: int, asides: Array[Bool]) -> int:
    """Moves those of the first `count` numbers that are no asides to the front; says how many."""
    if len(asides) == 0:
        return count
    kept = 0
    for i in range(count):
        if not asides[numbers[i]]:
            numbers[kept] = numbers[i]
            kept += 1
    return kept


@inlined
def with_all(numbers: Numbers, count: int, asides: Array[Bool]) -> int:
    """`without_asides` for the loops of a game that has none: nothing is to be looked at."""
    return count

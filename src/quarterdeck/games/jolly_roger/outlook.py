"""Jolly & Roger: what helps the eye. Sums, and what each play would come to."""

from __future__ import annotations

from typing import Any

import numpy as np

from quarterdeck.contract import copy_record, record

from . import rules
from .notation import SHIP_NAMES, crew_names, text
from .state import ACTIONS, NONE, PLAYING, Action, Kit, State


def outlook(kit: Kit, seen: State, seat: int) -> dict[str, Any]:
    """What follows from what is seen: sums, and what each play of this seat would come to.

    `turns` of the game, the `worth` of each ship, the gold in the two chests (`treasure`), and
    under `outlook` for every card the seat may play now its action with what would change.
    """
    return {
        "turns": int(rules.turns(seen)),
        "worth": {name: int(kit.gold[ship]) for ship, name in enumerate(SHIP_NAMES)},
        "treasure": _treasure(seen),
        "outlook": _plays(kit, seen, seat) if seen.phase == PLAYING else {},
    }


def _plays(kit: Kit, seen: State, seat: int) -> dict[str, Any]:
    numbers = np.empty(ACTIONS, np.int16)
    told = {}
    for number in numbers[: rules.legal(kit, seen, seat, numbers)]:
        action, after = record(Action), copy_record(seen)
        rules.decode(kit, seen, int(number), action)
        rules.apply(kit, after, seat, action)
        ships = {
            name: {
                "crews": crew_names(after.crews[ship].tolist()),
                "strengths": [int(rules.strength(after, ship, side)) for side in range(2)],
                "captain": None if (owner := rules.captain(after, ship)) == NONE else int(owner),
            }
            for ship, name in enumerate(SHIP_NAMES)
            if after.crews[ship].tolist() != seen.crews[ship].tolist()
        }
        told[text(kit, action)] = {"ships": ships, "treasure": _treasure(after)}
    return told


def _treasure(seen: State) -> list[int]:
    """JR-13: the gold in each chest."""
    return [int(rules.gold_in_chest(seen, seat)) for seat in range(2)]

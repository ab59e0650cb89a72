"""Jolly & Roger: what helps the eye. Sums, and what each play would come to."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from msgspec import UNSET, Struct, UnsetType

from quarterdeck.contract import Array, Grid, Int8, Int64, Rows, boxed, compiled, record, records

from . import rules
from .notation import crew_names, text
from .positions import STANDING, ByShip, standing, write_ship
from .state import (
    ACTIONS,
    LARGEST_SET,
    LONGEST_CREW,
    NONE,
    PLAYING,
    SHIPS,
    Action,
    Kit,
    State,
)


class Worth(ByShip[int], frozen=True):
    """The gold each ship is worth."""


class ShipAfter(Struct, frozen=True):
    """A ship after a play: its two crews, their strengths, and the seat of its captain."""

    crews: list[list[str]]
    strengths: list[int]
    captain: int | None


class ShipsAfter(Struct, frozen=True):
    """The ships that a play changes, as they are after it."""

    green: ShipAfter | UnsetType = UNSET
    yellow: ShipAfter | UnsetType = UNSET
    blue: ShipAfter | UnsetType = UNSET
    red: ShipAfter | UnsetType = UNSET


class Play(Struct, frozen=True):
    """What a play would come to: the ships it changes, and the gold in the two chests after it."""

    ships: ShipsAfter
    treasure: list[int]


class Outlook(Struct, frozen=True):
    """How many `turns` the game has, the `worth` of each ship, the gold in the two chests, and no
    plays: only who is to play is told what they would come to."""

    turns: int
    worth: Worth
    treasure: list[int]
    outlook: dict[str, Play]


class OwnOutlook(Struct, frozen=True):
    """What each play of a seat would come to, by its text."""

    outlook: dict[str, Play]


def outlook(kit: Kit, seen: State) -> Outlook:
    """The sums of the table."""
    worth = Worth(*kit.gold.tolist())
    return Outlook(int(rules.turns(seen)), worth, standing(seen).treasure, {})


def own_outlook(kit: Kit, seen: State, seat: int) -> OwnOutlook | None:
    """What each play of this seat would come to; None where it has none."""
    if seen.phase != PLAYING:
        return None
    plays: Any = np.empty((_MOST_PLAYS, _PLAY), np.int64)
    changes: Any = np.empty((_MOST_CHANGES, 1 + STANDING), np.int64)
    cards: Any = np.empty(_MOST_CHANGES * 2 * LONGEST_CREW, np.int8)
    counts = foretell(boxed(kit), boxed(seen), seat, plays, changes, cards)
    if counts[0] == 0:
        return None
    changed, lying = iter(changes[: counts[1]].tolist()), cards[: counts[2]].tolist()
    told, at = {}, 0
    for number, first, second, count in plays[: counts[0]].tolist():
        ships: list[ShipAfter | UnsetType] = [UNSET] * SHIPS
        for _ in range(count):
            ship, ours, theirs, *strengths, captain = next(changed)
            middle, end = at + ours, at + ours + theirs
            crews = [crew_names(lying[at:middle]), crew_names(lying[middle:end])]
            ships[ship] = ShipAfter(crews, strengths, None if captain == NONE else captain)
            at = end
        told[_play_text(number)] = Play(ShipsAfter(*ships), [first, second])
    return OwnOutlook(told)


@cache
def _play_text(number: int) -> str:
    """The text of a play, which follows from its number alone."""
    action, kit = record(Action), record(Kit)
    rules.decode(kit, record(State), number, action)
    return text(kit, action)


_MOST_PLAYS = LARGEST_SET * (2 * SHIPS + 1)  # a Kraken, as such or as a parrot
_MOST_CHANGES = _MOST_PLAYS + SHIPS  # only a Tortuga changes more than one ship
_PLAY = 4  # how many numbers tell of a play


@compiled
def foretell(
    kits: Rows[Kit],
    states: Rows[State],
    seat: int,
    plays: Grid[Int64],
    changes: Grid[Int64],
    cards: Array[Int8],
) -> tuple[int, int, int]:
    """Writes what each play of the seat would come to; returns how many rows there are of each.

    Of a play: its number, the gold in the two chests after it, and how many ships it changes. Of a
    change: the ship, and how it stands after it. `cards` are the crews of these ships in a row.
    """
    kit, state = kits[0], states[0]
    trial, action = records(State, 1), records(Action, 1)
    numbers = np.empty(ACTIONS, np.int16)
    count = rules.legal(kit, state, seat, numbers)
    changed = lying = 0
    for i in range(count):
        trial[0] = state
        rules.decode(kit, state, int(numbers[i]), action[0])
        rules.apply(kit, trial[0], seat, action[0])
        plays[i][0] = numbers[i]
        for side in range(2):
            plays[i][1 + side] = rules.gold_in_chest(trial[0], side)
        before = changed
        for ship in range(SHIPS):
            if not is_same_ship(state, trial[0], ship):
                changes[changed][0] = ship
                write_ship(trial[0], ship, changes[changed][1:])
                changed += 1
                for side in range(2):
                    for card in trial[0].crews[ship][side]:
                        if card == NONE:
                            break
                        cards[lying] = card
                        lying += 1
        plays[i][3] = changed - before
    return count, changed, lying


@compiled
def is_same_ship(state: State, other: State, ship: int) -> bool:
    """Whether the crews of a ship are the same in two states."""
    for side in range(2):
        for place in range(LONGEST_CREW):
            if state.crews[ship][side][place] != other.crews[ship][side][place]:
                return False
            if state.crews[ship][side][place] == NONE:
                break
    return True

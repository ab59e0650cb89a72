"""Plank Race: the records, and the names of the numbers in them."""

from __future__ import annotations

from quarterdeck.contract import Array, Int8, Int16, Record, shape

MOST_PLAYERS = 3
LARGEST_WAGER = 2
WATER = 10  # x and y are from 0 to 9

NONE = -1
HIDDEN = -2

# Verbs, those of the seats first. `wager N` has the number N; a drop is composite and has none.
WAGER, STEP, PASS, DROP, SHARE, SAND, SETTLE = range(7)
STEP_NUMBER = LARGEST_WAGER + 1
PASS_NUMBER = LARGEST_WAGER + 2
ACTIONS = LARGEST_WAGER + 3

# Phases
TO_SHARE, WAGERING, RACING, DROPPING, SETTLING, ENDED = range(6)


class Kit(Record):
    """The components of the box."""

    purses: Int8
    plank: Int8


class Action(Record):
    """wager: [steps] · drop: [x, y] · share: a purse a seat · settle: [floats]"""

    verb: Int8
    args: Array[Int8] = shape(MOST_PLAYERS)


class State(Record):
    """Everything about a game at one moment."""

    players: Int8
    phase: Int8
    purses: Array[Int8] = shape(MOST_PLAYERS)
    wagers: Array[Int8] = shape(MOST_PLAYERS)
    steps: Array[Int8] = shape(MOST_PLAYERS)
    drop: Array[Int8] = shape(2)
    floats: Int8


class Memory(Record):
    """How many actions the seat has been shown."""

    actions: Int16


# Rules that can refuse an action
PR_1, PR_2, PR_3, PR_4, PR_5, PR_6 = range(1, 7)

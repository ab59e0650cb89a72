"""Gezanke auf der Planke: the records of the game, and what can be read off them.

Planks, pirates' colours and spaces are small integers; a *place* is `9 * plank + space`, whatever
the offset of the plank. Pirates of one colour are alike, so the board says who stands where, and
who is on no place is overboard.
"""

from __future__ import annotations

from quarterdeck.contract import (
    RULING,
    Array,
    Cube,
    Grid,
    Int8,
    Int16,
    Int64,
    Record,
    compiled,
    shape,
)

NONE = -1

# Components ------------------------------------------------------------------- GP-C1, GP-C2
PLANKS = 6
SPACES = 9
ROPE = 4  # the space in the middle
COLOURS = 4  # grey, white, black, brown
EACH = 3  # pirates of a colour
CREW = COLOURS * EACH
PLACES = PLANKS * SPACES
TARGETS = PLACES + 2 * PLANKS  # every place; and every rope once more, pushing to either side
MOST_SEATS = 4
ARGUMENTS = 6  # of an action: what is laid has most
NEUTRAL = 3  # the colour nobody has when three play
OATH_PRICE = 2  # GP-20

# Directions
PORT, STARBOARD, STAY = range(3)

# Options
STEADY, EACH_AS_HE_LIKES, REAL = range(3)  # whose hands
HIDDEN_PURSES, OPEN_PURSES = range(2)

# Verbs
PLACE, SLIDE, LIFT, SET, COLLECT, RESCUE, BOARD, START, LAY, ROLL, HAND = range(11)

# Action numbers, in blocks
PLACINGS = 0  # colour by colour, each on every place
SLIDES = PLACINGS + COLOURS * PLACES  # plank by plank: port, starboard, stay
LIFTS = SLIDES + 3 * PLANKS
SETS = LIFTS + PLACES
COLLECTS = SETS + TARGETS  # without a colour, then each colour
RESCUES = COLLECTS + 1 + COLOURS
BOARDINGS = RESCUES + 1 + COLOURS  # colour by colour
ACTIONS = BOARDINGS + COLOURS * TARGETS

# Phases
TO_START, TO_LAY, SETTING_UP, TO_ROLL, SLIDING, LIFTING, SETTING = range(7)
CHOOSING, PUTTING_NEUTRALS, BOARDING, ENDED = range(7, 11)

# Choices of GP-13
COLLECTS_GOLD, RESCUES_CREW, GETS_NOTHING = range(3)

# Rules that can refuse an action
GP_1, GP_2, GP_3, GP_5, GP_6, GP_7, GP_9, GP_10 = 1, 2, 3, 5, 6, 7, 9, 10
GP_13, GP_15, GP_16, GP_17, GP_19, GP_20, GP_21 = 13, 15, 16, 17, 19, 20, 21
GP_R1, GP_R3 = RULING + 1, RULING + 3


class Kit(Record):
    """The components of the box."""

    doubloons: Cube[Int8] = shape(PLANKS, 2, SPACES)
    fins: Int8
    pile: Int16
    plank_weight: Int64  # tenths of a gram and of a millimetre
    pirate_weight: Int64
    plank_height: Int64  # of the centre of mass, above the deck
    pirate_height: Int64
    length: Int64
    space: Int64
    edge: Int64
    deck: Int64  # below the centre of the rocker
    keel: Int64  # the ship's weight times its depth below that
    stop: Array[Int64] = shape(2)


class Action(Record):
    """place: [colour, place] · slide: [plank, direction] · lift: [place] · set: [place, direction]
    · collect, rescue: [colour] · board: [colour, place, direction] · start: [seat] · lay: from bow
    to stern, 2 * plank + side · roll: [plank, plank] · hand: [speed, press, kick, over]. Unused
    places are `NONE`."""

    verb: Int8
    args: Array[Int16] = shape(ARGUMENTS)


class State(Record):
    """Everything about a game at one moment."""

    players: Int8
    hands: Int8
    open_purses: Int8
    phase: Int8
    active: Int8  # whose turn it is; at the set-up who starts
    fins: Int8
    order: Array[Int8] = shape(PLANKS)  # from bow to stern
    sides: Array[Int8] = shape(PLANKS)  # front or back, by plank
    offsets: Array[Int8] = shape(PLANKS)  # spaces slid, starboard positive, by plank
    board: Grid[Int8] = shape(PLANKS, SPACES)  # the colour that stands there (GP-4)
    dice: Array[Int8] = shape(2)
    slid: Int8  # the plank of the colour chosen to slide
    held: Int8  # the colour of the pirate in the hand
    lifted: Int8  # the place he came from
    gesture: Int8  # the verb of a gesture whose hand is awaited
    gesture_at: Int8  # its place, or for a slide its plank
    gesture_side: Int8  # of a slide: 1 starboard, -1 port
    lost: Array[Int8] = shape(COLOURS)  # overboard this turn
    culprit: Int8  # who broke an oath this turn
    choices: Array[Int8] = shape(COLOURS)
    boarding: Array[Int8] = shape(COLOURS)  # how many have still to come back aboard now
    boarder: Int8  # whose turn it is to bring one
    purses: Array[Int16] = shape(MOST_SEATS)  # of a hidden one see `pile_of`


class Memory(Record):
    """What everybody has taken before the seat's eyes, and whether it was there from the start."""

    since_start: Int8
    counted: Array[Int16] = shape(MOST_SEATS)


# Nothing has happened yet --------------------------------------------------------------------


@compiled
def fill(cells: Array[Int8], value: int) -> None:
    """Writes the same value everywhere. (A loop compiles much faster than `cells[:] = value`.)"""
    for i in range(len(cells)):
        cells[i] = value


@compiled
def clear_turn(state: State) -> None:
    """Nothing has happened yet this turn."""
    fill(state.dice, NONE)
    state.slid = NONE
    fill(state.lost, 0)
    state.culprit = NONE
    fill(state.choices, NONE)
    fill(state.boarding, 0)
    state.boarder = NONE


@compiled
def clear_gesture(state: State) -> None:
    """No hand is awaited."""
    state.gesture = NONE
    state.gesture_at = NONE
    state.gesture_side = 0


# Who is who ----------------------------------------------------------------------------------


@compiled
def owner(state: State, colour: int) -> int:
    """GP-2, GP-R10: the seat a colour belongs to; NONE for the neutral one of three players."""
    if state.players == 2:
        return colour % 2
    if state.players == 3 and colour == NEUTRAL:
        return NONE
    return colour


@compiled
def pirates_on(state: State, plank: int) -> int:
    """How many pirates stand on a plank."""
    count = 0
    for space in range(SPACES):
        if state.board[plank][space] != NONE:
            count += 1
    return count


@compiled
def aboard(state: State, colour: int) -> int:
    """How many pirates of a colour stand on planks."""
    count = 0
    for plank in range(PLANKS):
        for space in range(SPACES):
            if state.board[plank][space] == colour:
                count += 1
    return count


@compiled
def overboard(state: State, colour: int) -> int:
    """How many pirates of a colour are in the water (or at the set-up still ashore)."""
    return EACH - aboard(state, colour) - (1 if state.held == colour else 0)


@compiled
def placed(state: State) -> int:
    """How many pirates stand on planks."""
    count = 0
    for plank in range(PLANKS):
        count += pirates_on(state, plank)
    return count


@compiled
def seat_after(state: State, seat: int, steps: int) -> int:
    """The seat so many places to the left."""
    return (seat + steps) % int(state.players)


@compiled
def to_act(state: State) -> int:
    """The seat that is to act, NONE if nature is or the game is over."""
    if state.gesture != NONE:
        return NONE
    if state.phase == SETTING_UP:  # GP-3
        return seat_after(state, state.active, placed(state))
    if SLIDING <= state.phase <= SETTING:
        return int(state.active)
    if state.phase == CHOOSING:  # GP-R1: in turn, from the active player on
        for step in range(state.players):
            seat = seat_after(state, state.active, step)
            for colour in range(COLOURS):
                if owner(state, colour) == seat and state.choices[colour] == NONE:
                    return seat
    if state.phase == PUTTING_NEUTRALS or state.phase == BOARDING:
        return int(state.boarder)
    return NONE


@compiled
def hand_seat(state: State) -> int:
    """The seat whose hand makes the gesture that is under way."""
    if state.phase == PUTTING_NEUTRALS or state.phase == BOARDING:
        return int(state.boarder)
    return int(state.active)


# The stacks ----------------------------------------------------------------------------------


@compiled
def pile_of(kit: Kit, state: State) -> int:
    """GP-C2, GP-R8: the doubloons left in the two stacks together.

    They lie open, even to those from whom purses are hidden. What stands for a hidden purse tells
    them too: it is `NONE` less the doubloons left.
    """
    taken = 0
    for seat in range(state.players):
        if state.purses[seat] < 0:
            return NONE - int(state.purses[seat])
        taken += int(state.purses[seat])
    return max(0, int(kit.pile) - taken)

"""Gezanke auf der Planke: what falls, what that costs, who collects and who comes back aboard."""

from __future__ import annotations

import numpy as np

from quarterdeck.contract import compiled

from .balance import (
    STRAIN_SIZE,
    STRAINED,
    Integers,
    is_careful,
    lean_of,
    strain_pirate,
    strain_slide,
    topple,
)
from .moves import may_board
from .state import (
    BOARDING,
    CHOOSING,
    COLLECTS_GOLD,
    COLOURS,
    EACH,
    ENDED,
    GETS_NOTHING,
    NEUTRAL,
    NONE,
    OATH_PRICE,
    PLANKS,
    PUTTING_NEUTRALS,
    RESCUES_CREW,
    SETTING,
    SLIDE,
    SPACES,
    TO_ROLL,
    Kit,
    State,
    aboard,
    clear_turn,
    hand_seat,
    overboard,
    owner,
    pile_of,
    seat_after,
)

# What falls ----------------------------------------------------------------------------------


@compiled
def strain_of(kit: Kit, state: State, figures: Integers, strain: Integers) -> None:
    """What a hand of such figures does to the ship in the gesture that is under way."""
    at = int(state.gesture_at)
    if state.gesture == SLIDE:
        strain_slide(kit, state, at, state.gesture_side, figures, strain)
    else:
        strain_pirate(kit, state, at // SPACES, at % SPACES, figures, strain)


@compiled
def judge(kit: Kit, state: State, figures: Integers, falls: Integers, overs: Integers) -> int:
    """What falls by the gesture that is under way (GP-11, GP-R4, GP-R5).

    Answers how many planks; those lost only because the hand was not careful (GP-19), or because
    somebody was brought back aboard (GP-R6), as bits 8 and up.
    """
    strain = np.zeros(STRAIN_SIZE, np.int64)
    strain[STRAINED] = NONE
    count = topple(kit, state, strain, falls, overs)
    careful = 0
    if state.phase != PUTTING_NEUTRALS and state.phase != BOARDING:
        for i in range(count):
            careful |= 1 << falls[i]
    if not is_careful(figures):
        strain_of(kit, state, figures, strain)
        count = topple(kit, state, strain, falls, overs)
    broken = 0
    for i in range(count):
        broken |= 1 << falls[i]
    return count | (broken & ~careful) << 8


@compiled
def lean(kit: Kit, state: State, figures: Integers, plank: int) -> tuple[int, int]:
    """How the ship lies as the first plank falls by the gesture that is under way."""
    strain = np.zeros(STRAIN_SIZE, np.int64)
    strain[STRAINED] = NONE
    if not is_careful(figures):
        strain_of(kit, state, figures, strain)
    return lean_of(kit, state, strain, plank)


@compiled
def fall(kit: Kit, state: State, figures: Integers) -> None:
    """Judges the gesture that is under way; what falls is gone, and broken oaths are paid for."""
    falls, overs = np.empty(PLANKS, np.int64), np.empty(PLANKS, np.int64)
    judged = judge(kit, state, figures, falls, overs)
    seat, is_turn = hand_seat(state), state.phase <= SETTING
    for i in range(judged & 255):
        plank = int(falls[i])
        is_broken = (judged >> (8 + plank)) & 1 == 1
        for space in range(SPACES):
            colour = int(state.board[plank][space])
            if colour == NONE:
                continue
            state.board[plank][space] = NONE
            if is_turn:
                state.lost[colour] += 1
            if is_broken:
                if is_turn:
                    state.culprit = seat
                paid = owner(state, colour)
                if paid != NONE and paid != seat:  # GP-20, GP-R6, GP-R7
                    state.purses[paid] += OATH_PRICE
        state.offsets[plank] = 0  # GP-12


@compiled
def most_owed(state: State) -> int:
    """GP-20: what others are paid if all who were lost this turn were lost to a broken oath."""
    owed = 0
    for colour in range(COLOURS):
        paid = owner(state, colour)
        if state.culprit != NONE and paid != NONE and paid != state.culprit:
            owed += OATH_PRICE * int(state.lost[colour])
    return owed


# Doubloons or pirates ------------------------------------------------------------------------


@compiled
def begin_choices(state: State) -> None:
    """GP-R1, GP-R8: with nobody overboard, or at the last fin, one collects; a culprit does not."""
    state.phase = CHOOSING
    for colour in range(COLOURS):
        seat = owner(state, colour)
        if seat != NONE and (state.fins == 1 or overboard(state, colour) == 0):
            state.choices[colour] = GETS_NOTHING if seat == state.culprit else COLLECTS_GOLD


@compiled
def doubloons(kit: Kit, state: State, colour: int) -> int:
    """GP-14: what a colour's pirates stand on."""
    total = 0
    for plank in range(PLANKS):
        for space in range(SPACES):
            if state.board[plank][space] == colour:
                total += int(kit.doubloons[plank][state.sides[plank]][space])
    return total


@compiled
def finish_choices(kit: Kit, state: State) -> None:
    """GP-13: those who collect do so; then pirates come back aboard, unless the game is over."""
    for colour in range(COLOURS):
        if state.choices[colour] == COLLECTS_GOLD:
            state.purses[owner(state, colour)] += doubloons(kit, state, colour)
    if state.fins == 1:  # GP-R8
        state.fins = 0
    if state.fins == 0 or pile_of(kit, state) == 0:  # GP-21
        state.phase = ENDED
        return
    for colour in range(COLOURS):
        if state.choices[colour] == RESCUES_CREW:  # GP-R2
            state.boarding[colour] = overboard(state, colour)
    state.phase = BOARDING
    if state.players == 3 and overboard(state, NEUTRAL) == EACH:  # GP-17
        state.boarding[NEUTRAL] = EACH
        state.phase = PUTTING_NEUTRALS
    state.boarder = seat_after(state, state.active, -1)
    next_boarder(state)


@compiled
def next_boarder(state: State) -> None:
    """GP-15, GP-17: the next one in turn brings a pirate back; after the last a fin leaves."""
    if state.phase == PUTTING_NEUTRALS:
        if state.boarding[NEUTRAL] > 0:
            state.boarder = seat_after(state, state.boarder, 1)
            return
        state.phase = BOARDING
        state.boarder = seat_after(state, state.active, -1)
    for step in range(1, state.players + 1):
        seat = seat_after(state, state.boarder, step)
        for colour in range(COLOURS):
            if may_board(state, seat, colour):
                state.boarder = seat
                return
    state.fins -= 1  # GP-18
    next_turn(state)


@compiled
def next_turn(state: State) -> None:
    """GP-18: the left neighbour rolls. GP-R11: not on an empty ship, on which nothing can fall."""
    clear_turn(state)
    state.active = seat_after(state, state.active, 1)
    state.phase = ENDED
    for colour in range(COLOURS):
        if aboard(state, colour) > 0:
            state.phase = TO_ROLL

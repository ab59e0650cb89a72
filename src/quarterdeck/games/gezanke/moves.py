"""Gezanke auf der Planke: where planks and pirates may go, who pushes whom, and why not.

Each `refuse_…` answers the number of the rule that forbids something, 0 if it is allowed.
"""

from __future__ import annotations

from quarterdeck.contract import compiled

from .state import (
    COLLECT,
    COLOURS,
    EACH,
    GP_2,
    GP_3,
    GP_6,
    GP_7,
    GP_9,
    GP_10,
    GP_15,
    GP_16,
    GP_17,
    GP_20,
    GP_R1,
    GP_R3,
    NEUTRAL,
    NONE,
    PLACES,
    PLANKS,
    PORT,
    PUTTING_NEUTRALS,
    ROPE,
    SPACES,
    STARBOARD,
    STAY,
    State,
    overboard,
    owner,
    pirates_on,
    placed,
)

# Pushing -------------------------------------------------------------------------------------


@compiled
def push_side(space: int, direction: int) -> int:
    """GP-8, GP-9: where pushing from a space goes: to the rope, from there as one chooses."""
    if space == ROPE:
        return 1 if direction == STARBOARD else -1
    return 1 if space < ROPE else -1


@compiled
def push_length(state: State, plank: int, space: int, direction: int) -> int:
    """How many pirates are pushed by one who comes to a space; NONE if one would go off the end."""
    side = push_side(space, direction)
    length = 0
    while state.board[plank][space] != NONE:
        length += 1
        space += side
        if space < 0 or space >= SPACES:
            return NONE  # GP-10
    return length


@compiled
def put(state: State, colour: int, plank: int, space: int, direction: int) -> None:
    """Puts a pirate on a space and pushes those who stand there (GP-8)."""
    side = push_side(space, direction)
    coming = colour
    while coming != NONE:
        standing = int(state.board[plank][space])
        state.board[plank][space] = coming
        coming = standing
        space += side


@compiled
def refuse_target(state: State, plank: int, space: int, direction: int) -> int:
    """GP-9, GP-10: the rule that forbids to come to a space; 0 if it is allowed."""
    must_choose = space == ROPE and state.board[plank][space] != NONE
    if must_choose != (direction == PORT or direction == STARBOARD):
        return GP_9
    return GP_10 if push_length(state, plank, space, direction) == NONE else 0


# Setting up ----------------------------------------------------------------------------------


@compiled
def refuse_place(state: State, seat: int, colour: int, place: int) -> int:
    """GP-2 to GP-4: the rule that forbids to place such a pirate there; 0 if it is allowed."""
    if colour < 0 or colour >= COLOURS or place < 0 or place >= PLACES:
        return GP_3
    is_neutral_due = state.players == 3 and placed(state) < EACH
    if is_neutral_due != (owner(state, colour) == NONE):
        return GP_3
    if not is_neutral_due and owner(state, colour) != seat:
        return GP_2
    if overboard(state, colour) == 0:
        return GP_2
    return GP_3 if state.board[place // SPACES][place % SPACES] != NONE else 0


# A turn --------------------------------------------------------------------------------------


@compiled
def refuse_slide(state: State, plank: int, direction: int) -> int:
    """GP-6, GP-R3: the rule that forbids to slide a plank so; 0 if it is allowed."""
    if plank == NONE or (plank != state.dice[0] and plank != state.dice[1]):
        return GP_6
    if direction < PORT or direction > STAY:
        return GP_6
    is_empty = pirates_on(state, plank) == 0
    if is_empty != (direction == STAY):
        return GP_R3 if is_empty else GP_6
    return 0


@compiled
def target_plank(state: State) -> int:
    """GP-7: the plank a pirate is moved onto: the colour that was not slid."""
    return int(state.dice[0]) if state.dice[1] == state.slid else int(state.dice[1])


@compiled
def stands_elsewhere(state: State, seat: int, plank: int) -> bool:
    """Whether some pirate of the seat stands on another plank."""
    for other in range(PLANKS):
        if other != plank and stands_on(state, seat, other):
            return True
    return False


@compiled
def stands_on(state: State, seat: int, plank: int) -> bool:
    """Whether some pirate of the seat stands on a plank."""
    for space in range(SPACES):
        colour = state.board[plank][space]
        if colour != NONE and owner(state, colour) == seat:
            return True
    return False


@compiled
def can_move(state: State) -> bool:
    """GP-7, GP-R2, GP-R5: whether the active player can move a pirate onto the plank at all."""
    plank, seat = target_plank(state), int(state.active)
    if stands_elsewhere(state, seat, plank):
        return pirates_on(state, plank) < SPACES
    return stands_on(state, seat, plank)


@compiled
def refuse_lift(state: State, seat: int, place: int) -> int:
    """GP-7: the rule that forbids to lift the pirate of a place; 0 if it is allowed."""
    if place < 0 or place >= PLACES:
        return GP_7
    plank = place // SPACES
    colour = state.board[plank][place % SPACES]
    if colour == NONE or owner(state, colour) != seat:
        return GP_7
    target = target_plank(state)
    return GP_7 if plank == target and stands_elsewhere(state, seat, target) else 0


@compiled
def refuse_set(state: State, place: int, direction: int) -> int:
    """GP-7 to GP-10: the rule that forbids to set the pirate down there; 0 if it is allowed."""
    if place < 0 or place // SPACES != target_plank(state) or place == state.lifted:
        return GP_7
    return refuse_target(state, place // SPACES, place % SPACES, direction)


# After a splash ------------------------------------------------------------------------------


@compiled
def refuse_choice(state: State, seat: int, verb: int, colour: int) -> int:
    """GP-13, GP-16, GP-20: the rule that forbids a choice; 0 if it is allowed."""
    if (colour == NONE) == (state.players == 2) or colour < NONE or colour >= COLOURS:
        return GP_16
    if colour == NONE:
        colour = seat
    if owner(state, colour) != seat:
        return GP_16
    if state.choices[colour] != NONE:
        return GP_R1
    return GP_20 if verb == COLLECT and state.culprit == seat else 0


@compiled
def may_board(state: State, seat: int, colour: int) -> bool:
    """GP-15, GP-17: whether the seat may bring back such a pirate now."""
    if state.boarding[colour] == 0:
        return False
    if state.phase == PUTTING_NEUTRALS:
        return colour == NEUTRAL
    return owner(state, colour) == seat


@compiled
def refuse_board(state: State, seat: int, colour: int, place: int, direction: int) -> int:
    """GP-15, GP-17: the rule that forbids to bring a pirate back there; 0 if it is allowed."""
    if colour < 0 or colour >= COLOURS or not may_board(state, seat, colour):
        return GP_17 if state.phase == PUTTING_NEUTRALS else GP_15
    if place < 0 or place >= PLACES:
        return GP_15
    return refuse_target(state, place // SPACES, place % SPACES, direction)

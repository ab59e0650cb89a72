"""Gezanke auf der Planke: what must have gone before for the ship to lie as it does.

A position tells one moment. Whether it can occur is mostly a question of what could have led to
it: the states a gesture can have begun from, the planks that can have gone overboard this turn, and
the turns in which pirates are brought back. What toppled stood in ways nobody can tell any more;
where that matters, anything is believed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from quarterdeck.contract import copy_record

from .balance import STRAIN_SIZE, STRAINED, topple
from .moves import (
    can_move,
    may_board,
    refuse_lift,
    refuse_target,
    stands_on,
    target_plank,
)
from .splash import doubloons, most_owed
from .state import (
    BOARD,
    BOARDING,
    COLLECTS_GOLD,
    COLOURS,
    CREW,
    EACH,
    GETS_NOTHING,
    LIFT,
    LIFTING,
    MOST_SEATS,
    NEUTRAL,
    NONE,
    OATH_PRICE,
    PLACES,
    PLANKS,
    PORT,
    PUTTING_NEUTRALS,
    RESCUES_CREW,
    ROPE,
    SET,
    SETTING,
    SLIDE,
    SPACES,
    STARBOARD,
    Kit,
    State,
    aboard,
    clear_gesture,
    overboard,
    owner,
    pirates_on,
)

FARTHEST = 14  # spaces: a full plank slid from where it just rests
FARTHEST_AT_REST = 5

# Planks --------------------------------------------------------------------------------------


def tipping(kit: Kit, state: State) -> int:
    """The first plank that tips as all lies, with no hand on it; NONE if all rests."""
    falls, overs = np.zeros(PLANKS, np.int64), np.zeros(PLANKS, np.int64)
    strain = np.zeros(STRAIN_SIZE, np.int64)
    strain[STRAINED] = NONE
    count = topple(kit, state, strain, falls, overs)
    return int(falls[0]) if count else NONE


def put_back(state: State) -> list[int]:
    """The planks that may have toppled this turn: empty in their starting position, or with him
    who was moved there after it."""
    planks = []
    for plank in range(PLANKS):
        standing = int(pirates_on(state, plank))
        is_moved_to = state.phase > SETTING and plank == target_plank(state)
        if is_moved_to and stands_on(state, int(state.active), plank):
            standing -= 1
        if standing == 0 and state.offsets[plank] == 0:
            planks.append(plank)
    return planks


def can_have_slid(kit: Kit, state: State) -> bool:
    """GP-6: whether the plank that was slid can have rested where it came from, nobody being lost
    since."""
    toppled = put_back(state)
    after = lowered(state) if state.phase == SETTING else state
    plank = int(state.slid)
    standing = int(pirates_on(after, plank))
    if standing == 0:
        return True
    for side in (-1, 1):
        before = copy_record(after)
        before.offsets[plank] -= side * standing
        if _can_have_rested(kit, before, toppled):
            return True
    return False


def can_have_lifted(kit: Kit, state: State) -> bool:
    """GP-7: whether the pirate in the hand can have stood where he was lifted, and was one who may
    be moved."""
    before = lowered(state)
    if refuse_lift(before, int(before.active), int(state.lifted)) or not can_move(before):
        return False
    return any(state.lost) or _can_have_rested(kit, before, put_back(state))


def _can_have_rested(kit: Kit, state: State, toppled: list[int]) -> bool:
    """Whether all lay at rest, before those planks toppled that may have; where they are several,
    how is not searched."""
    if len(toppled) != 1 or tipping(kit, state) == NONE:
        return len(toppled) > 1 or tipping(kit, state) == NONE
    before = copy_record(state)
    for offset in range(-FARTHEST_AT_REST, FARTHEST_AT_REST + 1):
        before.offsets[toppled[0]] = offset
        if tipping(kit, before) == NONE:
            return True
    return False


def can_have_moved(state: State) -> bool:
    """GP-7: whether a pirate was moved with the other colour, or could not be."""
    seat, plank = int(state.active), target_plank(state)
    return stands_on(state, seat, plank) or plank in put_back(state) or not can_move(state)


# Gestures ------------------------------------------------------------------------------------


def lowered(state: State) -> State:
    """The pirate in the hand stands again where he was lifted."""
    before = copy_record(state)
    clear_gesture(before)
    before.phase = LIFTING
    before.board[state.lifted // SPACES][state.lifted % SPACES] = state.held
    before.held = before.lifted = NONE
    return before


def before_gesture(state: State) -> Iterator[State]:
    """The states in which the gesture that is under way can have begun."""
    at = int(state.gesture_at)
    if state.gesture == SLIDE:
        before = copy_record(state)
        clear_gesture(before)
        before.slid = NONE
        before.offsets[at] -= state.gesture_side * pirates_on(state, at)
        if at == state.slid and at in state.dice and pirates_on(state, at) > 0:
            yield before
    elif state.gesture == LIFT:
        before = lowered(state)
        is_free = state.board[at // SPACES][at % SPACES] == NONE
        if at == state.lifted and is_free and refuse_lift(before, int(state.active), at) == 0:
            yield before
    elif state.gesture == SET and state.held == state.lifted == NONE:
        colour = int(state.board[at // SPACES][at % SPACES])
        if at // SPACES == target_plank(state) and _is_of(state, colour, int(state.active)):
            for before in _before_push(state, at):
                before.held = colour
                for place in range(PLACES):
                    if place != at and before.board[place // SPACES][place % SPACES] == NONE:
                        before.lifted = place
                        yield before
    elif state.gesture == BOARD:
        colour = int(state.board[at // SPACES][at % SPACES])
        for before in _before_push(state, at):
            if colour != NONE:
                before.boarding[colour] += 1
                if may_board(before, int(state.boarder), colour):
                    yield before


def _is_of(state: State, colour: int, seat: int) -> bool:
    return colour != NONE and owner(state, colour) == seat


def _before_push(state: State, at: int) -> Iterator[State]:
    """The states in which the pirate who came to a place was not there yet, and those whom he
    pushed stood one space nearer."""
    plank, space = divmod(at, SPACES)
    sides = (STARBOARD, PORT) if space == ROPE else (STARBOARD if space < ROPE else PORT,)
    for direction in sides:
        step = 1 if direction == STARBOARD else -1
        before = copy_record(state)
        clear_gesture(before)
        before.board[plank][space] = NONE
        free = space
        while True:
            is_pushed = free != space
            said = direction if is_pushed and space == ROPE else NONE
            if refuse_target(before, plank, space, said) == 0:
                yield copy_record(before)
            free += step
            if not 0 <= free < SPACES or state.board[plank][free] == NONE:
                break
            before.board[plank][free - step] = state.board[plank][free]
            before.board[plank][free] = NONE


# Back aboard ---------------------------------------------------------------------------------


def boarding_fits(state: State, is_done: bool) -> bool:
    """GP-15, GP-17: whether the boarder's turn it can be, as many pirates are still to come back.

    `is_done` if he has brought his one already.
    """
    can_be_neutrals = state.players == 3 and state.phase != BOARDING
    if can_be_neutrals and _neutrals_fit(state, is_done):
        return True
    if state.phase == PUTTING_NEUTRALS or (state.players == 3 and state.boarding[NEUTRAL]):
        return False
    # of three the neutral ones may have come back before, and others fallen
    is_as_chosen = state.players != 3 and all(
        state.boarding[colour] == overboard(state, colour)
        for colour in range(COLOURS)
        if state.choices[colour] == RESCUES_CREW
    )
    brought = _all_brought(state, is_done)
    return any(brought) or (bool(brought) and (is_as_chosen or state.players == 3))


def has_boarding_begun(state: State) -> bool:
    """Whether somebody can have come back aboard already this turn."""
    if state.phase == PUTTING_NEUTRALS:
        return bool(state.boarding[NEUTRAL] < EACH)
    return bool(state.phase != BOARDING or state.players == 3 or any(_all_brought(state, False)))


def _neutrals_fit(state: State, is_done: bool) -> bool:
    """GP-17: the active player puts the first, and the others in turn the rest."""
    placed_before = EACH - int(state.boarding[NEUTRAL]) - is_done
    seat = (int(state.active) + placed_before) % int(state.players)
    if not 0 <= placed_before < EACH or seat != state.boarder:
        return False
    if aboard(state, NEUTRAL) > placed_before + is_done:
        return False
    for colour in range(COLOURS):
        if colour == NEUTRAL or state.choices[colour] != RESCUES_CREW:
            continue
        waiting = int(state.boarding[colour])
        has_begun = placed_before + is_done > 0
        if waiting == 0 or (waiting != overboard(state, colour) and not has_begun):
            return False
    return True


def _all_brought(state: State, is_done: bool) -> list[int]:
    """GP-15: how many can have come back by the boarder's turn, for every turn of his it can be."""
    found = (_brought(state, is_done, turn) for turn in range(2 * EACH))
    return [brought for brought in found if brought is not None]


def _brought(state: State, is_done: bool, turn: int) -> int | None:
    """The fewest that came back if the boarder is at this turn of his; None if he cannot be."""
    players = int(state.players)
    at = (int(state.boarder) - int(state.active)) % players
    brought = 0
    for step in range(players):
        seat = (int(state.active) + step) % players
        least = most = waiting = 0
        for colour in range(COLOURS):
            if owner(state, colour) == seat and state.choices[colour] == RESCUES_CREW:
                waiting += int(state.boarding[colour])
                least += max(1, int(state.lost[colour]), int(state.boarding[colour]))
                most += EACH
        done = turn + (step < at or (step == at and is_done))
        if waiting or (step == at and is_done):
            if not least <= waiting + done <= most:
                return None
            brought += done
        elif least > done or step == at:
            return None
        else:
            brought += least
    return brought


def can_have_fallen_again(state: State) -> bool:
    """GP-R6: whether those who are overboard again can have fallen while pirates came back: a plank
    lies in its starting position, and who stands there came after that."""
    fallen = 0
    for colour in range(COLOURS):
        if state.choices[colour] in (RESCUES_CREW, GETS_NOTHING):
            fallen += int(overboard(state, colour)) - int(state.boarding[colour])
    if fallen == 0:
        return True
    for plank in range(PLANKS):
        standing = {int(colour) for colour in state.board[plank] if colour != NONE}
        came = {c for c in standing if state.choices[c] == RESCUES_CREW or owner(state, c) == NONE}
        if state.offsets[plank] == 0 and standing == came:
            return True
    return False


# Doubloons -----------------------------------------------------------------------------------


def collected(kit: Kit, state: State) -> list[int]:
    """GP-14: by seat what those who collect take from the ship as it lies."""
    taken = [0] * MOST_SEATS
    for colour in range(COLOURS):
        if state.choices[colour] == COLLECTS_GOLD and owner(state, colour) != NONE:
            taken[owner(state, colour)] += int(doubloons(kit, state, colour))
    return taken


def most_fallen(state: State) -> int:
    """GP-R6: the most that can have been paid when the last pirate came back and a plank tipped."""
    if not any(pirates_on(state, p) == 0 and state.offsets[p] == 0 for p in range(PLANKS)):
        return 0
    fallen = 0
    for colour in range(COLOURS):
        if owner(state, colour) not in (NONE, int(state.boarder)):
            fallen += int(overboard(state, colour)) - int(state.boarding[colour])
    return OATH_PRICE * fallen


def is_oath_paid(state: State, purses: list[int]) -> bool:
    """GP-20: whether somebody can have been lost to a broken oath, and been paid for. (Purses are
    hidden, so any share of what was paid is believed.)"""
    if sum(purses) >= OATH_PRICE and most_owed(state) > 0:
        return True
    unpaid = (NONE, int(state.culprit))
    return any(state.lost[c] for c in range(COLOURS) if owner(state, c) in unpaid)


def most_a_splash(kit: Kit) -> int:
    """The most doubloons that change hands in one turn: each pirate can be paid for when he goes
    overboard and again after he came back, or collect and be paid for."""
    return CREW * (OATH_PRICE + max(OATH_PRICE, int(np.max(kit.doubloons))))

"""Gezanke auf der Planke: what may be done, why something may not, and actions by number."""

from __future__ import annotations

from quarterdeck.contract import NATURE, RULING, Numbers, Row, compiled

from .balance import (
    FIGURES,
    MOST_KICK,
    MOST_OVER,
    MOST_PRESS,
    MOST_SPEED,
    NONE,
    PLANKS,
    ROPE,
    SPACES,
    pirates_on,
)
from .state import (
    BOARD,
    BOARDING,
    BOARDINGS,
    CHOOSING,
    COLLECT,
    COLLECTS,
    COLOURS,
    EACH,
    ENDED,
    HAND,
    LAY,
    LIFT,
    LIFTING,
    LIFTS,
    NEUTRAL,
    PLACE,
    PLACES,
    PLACINGS,
    PORT,
    PUTTING_NEUTRALS,
    RESCUE,
    RESCUES,
    ROLL,
    SET,
    SETS,
    SETTING,
    SETTING_UP,
    SLIDE,
    SLIDES,
    SLIDING,
    STARBOARD,
    START,
    STAY,
    TARGETS,
    TO_LAY,
    TO_ROLL,
    TO_START,
    overboard,
    owner,
    placed,
    push_length,
    to_act,
    whole,
)

# Rules that can refuse an action
GP_1, GP_2, GP_3, GP_5, GP_6, GP_7, GP_9, GP_10 = 1, 2, 3, 5, 6, 7, 9, 10
GP_13, GP_15, GP_16, GP_17, GP_19, GP_20, GP_21 = 13, 15, 16, 17, 19, 20, 21
GP_R1, GP_R3 = RULING + 1, RULING + 3


@compiled
def refuse_target(state: Row, plank: int, space: int, direction: int) -> int:
    """GP-9, GP-10: the rule that forbids to come to a space; 0 if it is allowed."""
    must_choose = space == ROPE and state.board[plank][space] != NONE
    if must_choose != (direction == PORT or direction == STARBOARD):
        return GP_9
    return GP_10 if push_length(state, plank, space, direction) == NONE else 0


@compiled
def target_plank(state: Row) -> int:
    """GP-7: the plank a pirate is moved onto: the colour that was not slid."""
    return int(state.dice[0]) if state.dice[1] == state.slid else int(state.dice[1])


@compiled
def stands_elsewhere(state: Row, seat: int, plank: int) -> bool:
    """Whether some pirate of the seat stands on another plank."""
    for other in range(PLANKS):
        if other != plank and stands_on(state, seat, other):
            return True
    return False


@compiled
def stands_on(state: Row, seat: int, plank: int) -> bool:
    """Whether some pirate of the seat stands on a plank."""
    for space in range(SPACES):
        colour = state.board[plank][space]
        if colour != NONE and owner(state, int(colour)) == seat:
            return True
    return False


@compiled
def can_move(state: Row) -> bool:
    """GP-7, GP-R2, GP-R5: whether the active player can move a pirate onto the plank at all."""
    plank, seat = target_plank(state), int(state.active)
    if stands_elsewhere(state, seat, plank):
        return pirates_on(state, plank) < SPACES
    return stands_on(state, seat, plank)


@compiled
def refuse_lift(state: Row, seat: int, place: int) -> int:
    """GP-7: the rule that forbids to lift the pirate of a place; 0 if it is allowed."""
    if place < 0 or place >= PLACES:
        return GP_7
    plank = place // SPACES
    colour = state.board[plank][place % SPACES]
    if colour == NONE or owner(state, int(colour)) != seat:
        return GP_7
    target = target_plank(state)
    return GP_7 if plank == target and stands_elsewhere(state, seat, target) else 0


@compiled
def refuse_set(state: Row, place: int, direction: int) -> int:
    """GP-7 to GP-10: the rule that forbids to set the pirate down there; 0 if it is allowed."""
    if place < 0 or place // SPACES != target_plank(state) or place == state.lifted:
        return GP_7
    return refuse_target(state, place // SPACES, place % SPACES, direction)


@compiled
def may_board(state: Row, seat: int, colour: int) -> bool:
    """GP-15, GP-17: whether the seat may bring back such a pirate now."""
    if state.boarding[colour] == 0:
        return False
    if state.phase == PUTTING_NEUTRALS:
        return colour == NEUTRAL
    return owner(state, colour) == seat


@compiled
def refuse_board(state: Row, seat: int, colour: int, place: int, direction: int) -> int:
    """GP-15, GP-17: the rule that forbids to bring a pirate back there; 0 if it is allowed."""
    if colour < 0 or colour >= COLOURS or not may_board(state, seat, colour):
        return GP_17 if state.phase == PUTTING_NEUTRALS else GP_15
    if place < 0 or place >= PLACES:
        return GP_15
    return refuse_target(state, place // SPACES, place % SPACES, direction)


@compiled
def refuse_place(state: Row, seat: int, colour: int, place: int) -> int:
    """GP-2, GP-3: the rule that forbids to place such a pirate there; 0 if it is allowed."""
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


@compiled
def refuse_slide(state: Row, plank: int, direction: int) -> int:
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
def refuse_choice(state: Row, seat: int, verb: int, colour: int) -> int:
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
def due_rule(state: Row) -> int:
    """The rule that says what is due now."""
    if state.phase == ENDED:
        return GP_21
    if state.gesture != NONE:
        return GP_19
    if state.phase == TO_LAY:
        return GP_1
    if state.phase == TO_START or state.phase == SETTING_UP:
        return GP_3
    if state.phase == TO_ROLL:
        return GP_5
    if state.phase == SLIDING:
        return GP_6
    if state.phase == LIFTING or state.phase == SETTING:
        return GP_7
    if state.phase == CHOOSING:
        return GP_13
    return GP_17 if state.phase == PUTTING_NEUTRALS else GP_15


@compiled
def refuse(kit: Row, state: Row, actor: int, action: Row) -> int:
    """The rule that forbids the action; 0 if it is allowed."""
    if actor == NATURE:
        return refuse_nature(state, action)
    verb, first = whole(action.verb), whole(action.args[0])
    second, third = whole(action.args[1]), whole(action.args[2])
    if actor == to_act(state):
        if state.phase == SETTING_UP and verb == PLACE:
            return refuse_place(state, actor, first, second)
        if state.phase == SLIDING and verb == SLIDE:
            return refuse_slide(state, first, second)
        if state.phase == LIFTING and verb == LIFT:
            return refuse_lift(state, actor, first)
        if state.phase == SETTING and verb == SET:
            return refuse_set(state, first, second)
        if state.phase == CHOOSING and (verb == COLLECT or verb == RESCUE):
            return refuse_choice(state, actor, verb, first)
        if (state.phase == PUTTING_NEUTRALS or state.phase == BOARDING) and verb == BOARD:
            return refuse_board(state, actor, first, second, third)
    return due_rule(state)


@compiled
def refuse_nature(state: Row, action: Row) -> int:
    """GP-1, GP-3, GP-5, GP-19: what chance draws and how a hand is measured."""
    if action.verb == START and state.phase == TO_START:
        return 0 if 0 <= action.args[0] < state.players else GP_3
    if action.verb == LAY and state.phase == TO_LAY:
        laid = 0
        for lane in range(PLANKS):
            plank = int(action.args[lane]) // 2
            if plank < 0 or plank >= PLANKS or (laid >> plank) & 1:
                return GP_1
            laid |= 1 << plank
        return 0
    if action.verb == ROLL and state.phase == TO_ROLL:
        return 0 if 0 <= action.args[0] < action.args[1] < PLANKS else GP_5
    if action.verb == HAND and state.gesture != NONE:
        most = (MOST_SPEED, MOST_PRESS, MOST_KICK, MOST_OVER)
        for i in range(FIGURES):
            if action.args[i] < 0 or action.args[i] > most[i]:
                return GP_19
        return 0
    return due_rule(state)


@compiled
def legal_targets(
    state: Row, plank: int, but: int, first: int, numbers: Numbers, count: int
) -> int:
    """Adds every way to come to the places of a plank but one, as numbers from `first` on."""
    for space in range(SPACES):
        place = plank * SPACES + space
        if place != but and refuse_target(state, plank, space, NONE) == 0:
            numbers[count] = first + place
            count += 1
    for direction in range(2):
        if refuse_target(state, plank, ROPE, direction) == 0:
            numbers[count] = first + PLACES + 2 * plank + direction
            count += 1
    return count


@compiled
def legal(kit: Row, state: Row, seat: int, numbers: Numbers) -> int:
    """Writes the numbers of all actions of the seat that is to act; answers how many."""
    count = 0
    if seat != to_act(state) or seat == NONE:
        return count
    if state.phase == SETTING_UP:
        for colour in range(COLOURS):
            for place in range(PLACES):
                if refuse_place(state, seat, colour, place) == 0:
                    numbers[count] = PLACINGS + colour * PLACES + place
                    count += 1
    elif state.phase == SLIDING:
        for die in range(2):
            for direction in range(3):
                if refuse_slide(state, whole(state.dice[die]), direction) == 0:
                    numbers[count] = SLIDES + 3 * int(state.dice[die]) + direction
                    count += 1
    elif state.phase == LIFTING:
        for place in range(PLACES):
            if refuse_lift(state, seat, place) == 0:
                numbers[count] = LIFTS + place
                count += 1
    elif state.phase == SETTING:
        # GP-7: a different space
        but = whole(state.lifted)
        count = legal_targets(state, target_plank(state), but, SETS, numbers, count)
    elif state.phase == CHOOSING:
        for block in range(2):
            for colour in range(NONE, COLOURS):
                if refuse_choice(state, seat, COLLECT + block, colour) == 0:
                    numbers[count] = COLLECTS + block * (1 + COLOURS) + 1 + colour
                    count += 1
    else:
        for colour in range(COLOURS):
            if may_board(state, seat, colour):
                for plank in range(PLANKS):
                    first = BOARDINGS + colour * TARGETS
                    count = legal_targets(state, plank, NONE, first, numbers, count)
    return count


@compiled
def decode(kit: Row, state: Row, number: int, action: Row) -> None:
    """The action with this number."""
    for i in range(PLANKS):
        action.args[i] = NONE
    if number < SLIDES:
        action.verb = PLACE
        action.args[0] = (number - PLACINGS) // PLACES
        action.args[1] = (number - PLACINGS) % PLACES
    elif number < LIFTS:
        action.verb = SLIDE
        action.args[0] = (number - SLIDES) // 3
        action.args[1] = (number - SLIDES) % 3
    elif number < SETS:
        action.verb = LIFT
        action.args[0] = number - LIFTS
    elif number < COLLECTS:
        action.verb = SET
        decode_target(number - SETS, action, 0)
    elif number < BOARDINGS:
        action.verb = COLLECT if number < RESCUES else RESCUE
        action.args[0] = (number - COLLECTS) % (1 + COLOURS) - 1
    else:
        action.verb = BOARD
        action.args[0] = (number - BOARDINGS) // TARGETS
        decode_target((number - BOARDINGS) % TARGETS, action, 1)


@compiled
def decode_target(target: int, action: Row, at: int) -> None:
    """Writes a place and the direction of pushing."""
    if target < PLACES:
        action.args[at] = target
    else:
        action.args[at] = (target - PLACES) // 2 * SPACES + ROPE
        action.args[at + 1] = (target - PLACES) % 2


@compiled
def target_number(place: int, direction: int) -> int:
    """The number of a place and a direction of pushing; NONE if they have none."""
    if place < 0 or place >= PLACES:
        return NONE
    if direction == NONE:
        return place
    if place % SPACES != ROPE or direction < PORT or direction > STARBOARD:
        return NONE
    return PLACES + place // SPACES * 2 + direction


@compiled
def number(kit: Row, state: Row, action: Row) -> int:
    """The number of a seat's action; NONE if it has none."""
    first, second = int(action.args[0]), int(action.args[1])
    if action.verb == PLACE and 0 <= first < COLOURS and 0 <= second < PLACES:
        return PLACINGS + first * PLACES + second
    if action.verb == SLIDE and 0 <= first < PLANKS and PORT <= second <= STAY:
        return SLIDES + 3 * first + second
    if action.verb == LIFT and 0 <= first < PLACES:
        return LIFTS + first
    if action.verb == SET:
        target = target_number(first, second)
        return NONE if target == NONE else SETS + target
    if action.verb == COLLECT and NONE <= first < COLOURS:
        return COLLECTS + 1 + first
    if action.verb == RESCUE and NONE <= first < COLOURS:
        return RESCUES + 1 + first
    if action.verb == BOARD and 0 <= first < COLOURS:
        target = target_number(second, int(action.args[2]))
        return NONE if target == NONE else BOARDINGS + first * TARGETS + target
    return NONE

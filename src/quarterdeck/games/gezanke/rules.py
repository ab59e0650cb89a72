"""Gezanke auf der Planke, the rules. Each is cited where it stands, by its number in
`docs/rules/gezanke.md`.

| rules | room |
|---|---|
| GP-C1, GP-C2 | `state.py`, and in numbers `kit.toml` |
| GP-1, GP-5 | here: `refuse_nature`, `sample` |
| GP-2, GP-R10 | `state.py`: `owner`; the drawing of GP-R10 here: `sample` |
| GP-3, GP-4 | `moves.py`: `refuse_place`; whose turn it is in `state.py`: `to_act` |
| GP-6 … GP-10, GP-R3 | `moves.py`: what may be moved where; here `move` does it |
| GP-11, GP-19, GP-R5 | `balance.py`: what tips, and what a hand does to that |
| GP-12 … GP-18, GP-20, GP-21 | `splash.py`: what falls, who is paid, who comes back |
| GP-22 | here: `outcome` |
| GP-R1, GP-R2, GP-R4, GP-R6 … GP-R8 | `splash.py` |
| GP-R9 | `view.py`: `see` |
| GP-R11 | `splash.py`: `next_turn` |
"""

from __future__ import annotations

import numpy as np

from quarterdeck.contract import (
    CHANCE,
    LIVE,
    NATURE,
    OVER,
    SEAT,
    Array,
    Int64,
    Numbers,
    Rng,
    below,
    compiled,
    draw,
)

from .balance import FIGURES, MOST_KICK, MOST_OVER, MOST_PRESS, MOST_SPEED, Integers
from .moves import (
    can_move,
    may_board,
    put,
    refuse_board,
    refuse_choice,
    refuse_lift,
    refuse_place,
    refuse_set,
    refuse_slide,
    refuse_target,
    target_plank,
)
from .splash import (
    begin_choices,
    fall,
    finish_choices,
    next_boarder,
    next_turn,
)
from .state import (
    ARGUMENTS,
    BOARD,
    BOARDING,
    BOARDINGS,
    CHOOSING,
    COLLECT,
    COLLECTS,
    COLLECTS_GOLD,
    COLOURS,
    CREW,
    ENDED,
    GP_1,
    GP_3,
    GP_5,
    GP_6,
    GP_7,
    GP_13,
    GP_15,
    GP_17,
    GP_19,
    GP_21,
    HAND,
    LAY,
    LIFT,
    LIFTING,
    LIFTS,
    MOST_SEATS,
    NONE,
    PLACE,
    PLACES,
    PLACINGS,
    PLANKS,
    PORT,
    PUTTING_NEUTRALS,
    RESCUE,
    RESCUES,
    RESCUES_CREW,
    ROLL,
    ROPE,
    SET,
    SETS,
    SETTING,
    SETTING_UP,
    SLIDE,
    SLIDES,
    SLIDING,
    SPACES,
    STARBOARD,
    START,
    STAY,
    STEADY,
    TARGETS,
    TO_LAY,
    TO_ROLL,
    TO_START,
    Action,
    Kit,
    State,
    clear_gesture,
    clear_turn,
    fill,
    hand_seat,
    pile_of,
    pirates_on,
    placed,
    to_act,
)


@compiled
def new(kit: Kit, options: Array[Int64], state: State) -> None:
    """A game about to begin. `options`: [players, hands, purses]."""
    state.players = options[0]
    state.hands = options[1]
    state.open_purses = options[2]
    state.phase = TO_START
    state.active = NONE
    state.fins = kit.fins
    fill(state.order, NONE)
    fill(state.sides, 0)
    fill(state.offsets, 0)
    for plank in range(PLANKS):
        fill(state.board[plank], NONE)
    for seat in range(MOST_SEATS):
        state.purses[seat] = 0
    clear_gesture(state)
    state.held = NONE
    state.lifted = NONE
    clear_turn(state)


@compiled
def node(kit: Kit, state: State) -> int:
    """Chance starts, lays and rolls; a hand is a live world; everything else one seat decides."""
    if state.phase == ENDED:
        return OVER
    if state.phase == TO_START or state.phase == TO_LAY or state.phase == TO_ROLL:
        return CHANCE
    return SEAT if state.gesture == NONE else LIVE


@compiled
def seats(kit: Kit, state: State) -> int:
    """The seat that is to act, as a bit."""
    seat = to_act(state)
    return 0 if seat == NONE else 1 << seat


@compiled
def live_seat(kit: Kit, state: State) -> int:
    """The seat whose hand a live node takes."""
    return hand_seat(state)


# What may be done ----------------------------------------------------------------------------


@compiled
def legal(kit: Kit, state: State, seat: int, numbers: Numbers) -> int:
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
                if refuse_slide(state, state.dice[die], direction) == 0:
                    numbers[count] = SLIDES + 3 * int(state.dice[die]) + direction
                    count += 1
    elif state.phase == LIFTING:
        for place in range(PLACES):
            if refuse_lift(state, seat, place) == 0:
                numbers[count] = LIFTS + place
                count += 1
    elif state.phase == SETTING:
        # GP-7: a different space
        count = legal_targets(state, target_plank(state), state.lifted, SETS, numbers, count)
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
def legal_targets(
    state: State, plank: int, but: int, first: int, numbers: Numbers, count: int
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
def decode(kit: Kit, state: State, number: int, action: Action) -> None:
    """The action with this number."""
    for i in range(ARGUMENTS):
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
def decode_target(target: int, action: Action, at: int) -> None:
    """Writes a place and the direction of pushing."""
    if target < PLACES:
        action.args[at] = target
    else:
        action.args[at] = (target - PLACES) // 2 * SPACES + ROPE
        action.args[at + 1] = (target - PLACES) % 2


@compiled
def number(kit: Kit, state: State, action: Action) -> int:
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
def refuse(kit: Kit, state: State, actor: int, action: Action) -> int:
    """The rule that forbids the action; 0 if it is allowed."""
    if actor == NATURE:
        return refuse_nature(state, action)
    verb, first = action.verb, action.args[0]
    second, third = action.args[1], action.args[2]
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
def refuse_nature(state: State, action: Action) -> int:
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
def due_rule(state: State) -> int:
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


# What happens --------------------------------------------------------------------------------


@compiled
def apply(kit: Kit, state: State, actor: int, action: Action) -> None:
    """Carries out an action that is not refused."""
    verb = int(action.verb)
    if verb == START:
        state.active = action.args[0]
        state.phase = TO_LAY
    elif verb == LAY:
        for lane in range(PLANKS):
            plank = int(action.args[lane]) // 2
            state.order[lane] = plank
            state.sides[plank] = action.args[lane] % 2
        state.phase = SETTING_UP
    elif verb == PLACE:
        place = int(action.args[1])
        state.board[place // SPACES][place % SPACES] = action.args[0]
        if placed(state) == CREW:
            state.phase = TO_ROLL
    elif verb == ROLL:
        state.dice[0] = action.args[0]
        state.dice[1] = action.args[1]
        state.phase = SLIDING
    elif verb == COLLECT or verb == RESCUE:
        colour = actor if action.args[0] == NONE else int(action.args[0])
        state.choices[colour] = COLLECTS_GOLD if verb == COLLECT else RESCUES_CREW
        if to_act(state) == NONE:
            finish_choices(kit, state)
    elif verb == HAND:
        figures = np.empty(FIGURES, np.int64)
        for i in range(FIGURES):
            figures[i] = action.args[i]
        finish_gesture(kit, state, figures)
    elif move(kit, state, action) and state.hands == STEADY:
        finish_gesture(kit, state, np.zeros(FIGURES, np.int64))


@compiled
def move(kit: Kit, state: State, action: Action) -> bool:
    """GP-6 to GP-9: moves a plank or a pirate, nothing judged yet; False if nothing moved."""
    first, second = action.args[0], action.args[1]
    if action.verb == SLIDE:
        state.slid = first
        if second == STAY:  # GP-6, GP-R3
            begin_move(kit, state)
            return False
        state.gesture_side = 1 if second == STARBOARD else -1
        state.offsets[first] += state.gesture_side * pirates_on(state, first)
        state.gesture_at = first
    elif action.verb == LIFT:
        plank, space = first // SPACES, first % SPACES
        state.held = state.board[plank][space]
        state.lifted = first
        state.board[plank][space] = NONE
        state.gesture_at = first
    elif action.verb == SET:
        put(state, state.held, first // SPACES, first % SPACES, second)
        state.held = NONE
        state.lifted = NONE
        state.gesture_at = first
    else:
        put(state, first, second // SPACES, second % SPACES, action.args[2])
        state.boarding[first] -= 1
        state.gesture_at = second
    state.gesture = action.verb
    return True


@compiled
def finish_gesture(kit: Kit, state: State, figures: Integers) -> None:
    """Judges the gesture that is under way, and goes on."""
    fall(kit, state, figures)
    verb = int(state.gesture)
    clear_gesture(state)
    if verb == SLIDE:
        begin_move(kit, state)
    elif verb == LIFT:
        state.phase = SETTING
    elif verb == SET:
        end_move(kit, state)
    elif pile_of(kit, state) == 0:  # GP-21
        state.phase = ENDED
    else:
        next_boarder(state)


@compiled
def begin_move(kit: Kit, state: State) -> None:
    """GP-7, GP-12: with the other colour a pirate is moved, if one can be."""
    if can_move(state):
        state.phase = LIFTING
    else:
        end_move(kit, state)


@compiled
def end_move(kit: Kit, state: State) -> None:
    """GP-13: if somebody went overboard this turn, everyone chooses; else the turn is over."""
    lost = 0
    for colour in range(COLOURS):
        lost += int(state.lost[colour])
    if lost == 0:
        next_turn(state)
        return
    begin_choices(state)
    if to_act(state) == NONE:
        finish_choices(kit, state)


# Nature, and the end -------------------------------------------------------------------------


@compiled
def sample(kit: Kit, state: State, rng: Rng, action: Action) -> None:
    """Draws who starts (GP-3), how the planks lie (GP-R10), two different colours (GP-5).

    Of a hand that is awaited it makes the ideal gesture.
    """
    for i in range(ARGUMENTS):
        action.args[i] = NONE
    if state.gesture != NONE:
        action.verb = HAND
        for i in range(FIGURES):
            action.args[i] = 0
    elif state.phase == TO_START:
        action.verb = START
        action.args[0] = below(rng, int(state.players))
    else:
        pool = np.empty(PLANKS, np.int8)
        for plank in range(PLANKS):
            pool[plank] = plank
        if state.phase == TO_LAY:
            action.verb = LAY
            draw(rng, pool, PLANKS, PLANKS)
            for lane in range(PLANKS):
                action.args[lane] = 2 * int(pool[lane]) + below(rng, 2)
        else:
            action.verb = ROLL
            draw(rng, pool, PLANKS, 2)
            action.args[0] = min(pool[0], pool[1])
            action.args[1] = max(pool[0], pool[1])


@compiled
def outcome(kit: Kit, state: State, scores: Array[Int64]) -> int:
    """Writes the purses, a hidden one as 0; answers the winners as bits, none before the end."""
    best = 0
    for seat in range(state.players):
        scores[seat] = max(0, int(state.purses[seat]))
        best = max(best, int(state.purses[seat]))
    winners = 0
    if state.phase == ENDED:  # GP-22
        for seat in range(state.players):
            if state.purses[seat] == best:
                winners |= 1 << seat
    return winners

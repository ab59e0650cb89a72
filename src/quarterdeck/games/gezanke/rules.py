"""Gezanke auf der Planke, the rules: what happens. Each is cited where it stands, by its number in
`docs/rules/gezanke.md`.

The records are in `state.py`, what may be done in `legal.py`, the balance of the ship in
`balance.py`. Everything lies open but the purses (GP-R9).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from quarterdeck.contract import CHANCE, LIVE, OVER, SEAT, Row, below, compiled, draw

from .balance import (
    FIGURES,
    NONE,
    PLANKS,
    SPACES,
    STRAIN_SIZE,
    STRAINED,
    Integers,
    is_careful,
    lean_of,
    pirates_on,
    strain_pirate,
    strain_slide,
    topple,
)
from .legal import (
    GP_1,
    GP_2,
    GP_3,
    GP_5,
    GP_6,
    GP_7,
    GP_9,
    GP_10,
    GP_13,
    GP_15,
    GP_16,
    GP_17,
    GP_19,
    GP_20,
    GP_21,
    GP_R1,
    GP_R3,
    can_move,
    decode,
    legal,
    may_board,
    number,
    refuse,
)
from .state import (
    ACTIONS,
    BOARDING,
    CHOOSING,
    COLLECT,
    COLLECTS_GOLD,
    COLOURS,
    CREW,
    EACH,
    ENDED,
    GETS_NOTHING,
    HAND,
    LAY,
    LIFT,
    LIFTING,
    MOST_SEATS,
    NEUTRAL,
    OATH_PRICE,
    PLACE,
    PUTTING_NEUTRALS,
    RESCUE,
    RESCUES_CREW,
    ROLL,
    SET,
    SETTING,
    SETTING_UP,
    SLIDE,
    SLIDING,
    STARBOARD,
    START,
    STAY,
    STEADY,
    TO_LAY,
    TO_ROLL,
    TO_START,
    Action,
    Kit,
    State,
    fill,
    hand_seat,
    overboard,
    owner,
    placed,
    put,
    seat_after,
    to_act,
    whole,
)

__all__ = [  # the contract's names, and the rules that can refuse an action
    "ACTIONS", "GP_1", "GP_2", "GP_3", "GP_5", "GP_6", "GP_7", "GP_9", "GP_10", "GP_13",
    "GP_15", "GP_16", "GP_17", "GP_19", "GP_20", "GP_21", "GP_R1", "GP_R3", "Action", "Kit",
    "State", "apply", "decode", "legal", "live_seat", "new", "node", "number", "outcome",
    "refuse", "sample", "seats",
]  # fmt: skip


@compiled
def new(kit: Row, options: npt.NDArray[np.int64], state: Row) -> None:
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
def clear_turn(state: Row) -> None:
    """Nothing has happened yet this turn."""
    fill(state.dice, NONE)
    state.slid = NONE
    fill(state.lost, 0)
    state.culprit = NONE
    fill(state.choices, NONE)
    fill(state.boarding, 0)
    state.boarder = NONE


@compiled
def clear_gesture(state: Row) -> None:
    """No hand is awaited."""
    state.gesture = NONE
    state.gesture_at = NONE
    state.gesture_side = 0


@compiled
def live_seat(kit: Row, state: Row) -> int:
    """The same, as the live world asks for it."""
    return hand_seat(state)


@compiled
def node(kit: Row, state: Row) -> int:
    """Chance starts, lays and rolls; a hand is a live world; everything else one seat decides."""
    if state.phase == ENDED:
        return OVER
    if state.phase == TO_START or state.phase == TO_LAY or state.phase == TO_ROLL:
        return CHANCE
    return SEAT if state.gesture == NONE else LIVE


@compiled
def seats(kit: Row, state: Row) -> int:
    """The seat that is to act, as a bit."""
    seat = to_act(state)
    return 0 if seat == NONE else 1 << seat


# What happens --------------------------------------------------------------------------------


@compiled
def apply(kit: Row, state: Row, actor: int, action: Row) -> None:
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
def move(kit: Row, state: Row, action: Row) -> bool:
    """Moves a plank or a pirate, nothing judged yet; False if nothing moved."""
    first, second = whole(action.args[0]), whole(action.args[1])
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
        put(state, whole(state.held), first // SPACES, first % SPACES, second)
        state.held = NONE
        state.lifted = NONE
        state.gesture_at = first
    else:
        put(state, first, second // SPACES, second % SPACES, whole(action.args[2]))
        state.boarding[first] -= 1
        state.gesture_at = second
    state.gesture = action.verb
    return True


@compiled
def strain_of(kit: Row, state: Row, figures: Integers, strain: Integers) -> None:
    """What a hand of such figures does to the ship in the gesture that is under way."""
    at = int(state.gesture_at)
    if state.gesture == SLIDE:
        strain_slide(kit, state, at, int(state.gesture_side), figures, strain)
    else:
        strain_pirate(kit, state, at // SPACES, at % SPACES, figures, strain)


@compiled
def judge(kit: Row, state: Row, figures: Integers, falls: Integers, overs: Integers) -> int:
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
def lean(kit: Row, state: Row, figures: Integers, plank: int) -> tuple[int, int]:
    """How the ship lies as the first plank falls by the gesture that is under way."""
    strain = np.zeros(STRAIN_SIZE, np.int64)
    strain[STRAINED] = NONE
    if not is_careful(figures):
        strain_of(kit, state, figures, strain)
    return lean_of(kit, state, strain, plank)


@compiled
def fall(kit: Row, state: Row, figures: Integers) -> None:
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
def finish_gesture(kit: Row, state: Row, figures: Integers) -> None:
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
    elif are_piles_empty(kit, state):
        state.phase = ENDED
    else:
        next_boarder(state)


@compiled
def begin_move(kit: Row, state: Row) -> None:
    """GP-7, GP-12: with the other colour a pirate is moved, if one can be."""
    if can_move(state):
        state.phase = LIFTING
    else:
        end_move(kit, state)


@compiled
def end_move(kit: Row, state: Row) -> None:
    """GP-13: if somebody went overboard this turn, everyone chooses; else the turn is over."""
    splash = 0
    for colour in range(COLOURS):
        splash += int(state.lost[colour])
    if splash == 0:
        next_turn(state)
        return
    begin_choices(state)
    if to_act(state) == NONE:
        finish_choices(kit, state)


@compiled
def begin_choices(state: Row) -> None:
    """GP-R1, GP-R8: with nobody overboard, or at the last fin, one collects; a culprit does not."""
    state.phase = CHOOSING
    for colour in range(COLOURS):
        seat = owner(state, colour)
        if seat != NONE and (state.fins == 1 or overboard(state, colour) == 0):
            state.choices[colour] = GETS_NOTHING if seat == state.culprit else COLLECTS_GOLD


@compiled
def doubloons(kit: Row, state: Row, colour: int) -> int:
    """GP-14: what a colour's pirates stand on."""
    total = 0
    for plank in range(PLANKS):
        for space in range(SPACES):
            if state.board[plank][space] == colour:
                total += int(kit.doubloons[plank][state.sides[plank]][space])
    return total


@compiled
def are_piles_empty(kit: Row, state: Row) -> bool:
    """GP-21, GP-R8: whether all doubloons are taken."""
    total = 0
    for seat in range(state.players):
        total += int(state.purses[seat])
    return total >= int(kit.pile)


@compiled
def finish_choices(kit: Row, state: Row) -> None:
    """GP-13: those who collect do so; then pirates come back aboard, unless the game is over."""
    for colour in range(COLOURS):
        if state.choices[colour] == COLLECTS_GOLD:
            state.purses[owner(state, colour)] += doubloons(kit, state, colour)
    if state.fins == 1:  # GP-R8
        state.fins = 0
    if state.fins == 0 or are_piles_empty(kit, state):
        state.phase = ENDED
        return
    for colour in range(COLOURS):
        if state.choices[colour] == RESCUES_CREW:  # GP-R2
            state.boarding[colour] = overboard(state, colour)
    state.phase = BOARDING
    if state.players == 3 and overboard(state, NEUTRAL) == EACH:  # GP-17
        state.boarding[NEUTRAL] = EACH
        state.phase = PUTTING_NEUTRALS
    state.boarder = seat_after(state, int(state.active), -1)
    next_boarder(state)


@compiled
def next_boarder(state: Row) -> None:
    """GP-15, GP-17: the next one in turn brings a pirate back; after the last a fin leaves."""
    if state.phase == PUTTING_NEUTRALS:
        if state.boarding[NEUTRAL] > 0:
            state.boarder = seat_after(state, int(state.boarder), 1)
            return
        state.phase = BOARDING
        state.boarder = seat_after(state, int(state.active), -1)
    for step in range(1, state.players + 1):
        seat = seat_after(state, int(state.boarder), step)
        for colour in range(COLOURS):
            if may_board(state, seat, colour):
                state.boarder = seat
                return
    state.fins -= 1  # GP-18
    next_turn(state)


@compiled
def next_turn(state: Row) -> None:
    """GP-18: the left neighbour rolls."""
    clear_turn(state)
    state.active = seat_after(state, int(state.active), 1)
    state.phase = TO_ROLL


@compiled
def outcome(kit: Row, state: Row, scores: npt.NDArray[np.int64]) -> int:
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


# Nature --------------------------------------------------------------------------------------


@compiled
def sample(kit: Row, state: Row, rng: Row, action: Row) -> None:
    """Draws who starts (GP-3), how the planks lie (GP-R10), two different colours (GP-5).

    Of a hand that is awaited it makes the ideal gesture.
    """
    for i in range(PLANKS):
        action.args[i] = NONE
    if state.gesture != NONE:
        action.verb = HAND
        for i in range(FIGURES):
            action.args[i] = 0
    elif state.phase == TO_START:
        action.verb = START
        action.args[0] = below(rng, state.players)
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

"""Riff Raff, the rules, in the order of `docs/rules/riff-raff.md`. Each is cited where it stands.

What becomes of a loading is nature's to say: a live world runs, and its outcome is one action,
`settle`. With the option `world=fitted` there is no world, and `sample` draws the outcome.

| numbers | where they live |
|---|---|
| RR-C1, RR-C2 | `state.py` and `kit.toml`; the ship itself `physics/riff_raff/ship.py` |
| RR-1 … RR-10, RR-14 … RR-19 | here |
| RR-11 … RR-13 | `physics/riff_raff/`: the hand `loading.py`, the areas `ship.py` |
| RR-14, RR-R1, RR-R2, RR-R6, RR-R7 | what nature may say of it here; how it happens `loading.py` |
| RR-R3, RR-R4 | here |
| RR-R5, RR-R9 | `physics/riff_raff/loading.py` |
| RR-R8 | what nature may say of it here; in which area a piece lies `physics/riff_raff/ship.py` |
| RR-R10 | `view.py` |
"""

from __future__ import annotations

import numpy as np

from quarterdeck.contract import (
    CHANCE,
    LIVE,
    NATURE,
    OVER,
    SEALED,
    SEAT,
    Array,
    Int8,
    Int64,
    Numbers,
    Rng,
    below,
    compiled,
    copy_list,
)

from . import fitted
from .state import (
    ANNOUNCE,
    ANNOUNCING,
    AREAS,
    BACK,
    CAPTAIN,
    CARD,
    CARDS,
    CAUGHT,
    CHOOSING,
    COPIES,
    ENDED,
    FALLEN,
    FELL,
    FIRST_ANNOUNCE,
    FIRST_CAPTAIN,
    FIRST_PAIR,
    FIRST_TAKE,
    FIRST_THREE,
    LOADING,
    LOWEST_YARD,
    MOST_MOVED,
    MOST_PLAYERS,
    MOVED,
    NAMING,
    NONE,
    ORDER,
    ORDERING,
    RR_2,
    RR_3,
    RR_4,
    RR_5,
    RR_6,
    RR_8,
    RR_9,
    RR_14,
    RR_18,
    RR_C1,
    RR_C2,
    RR_R1,
    RR_R6,
    RR_R7,
    RR_R8,
    SETTLE,
    SHAPES,
    START,
    TAKE,
    TAKING,
    TO_START,
    Action,
    Kit,
    State,
    clear_action,
    list_size,
    pieces_in,
    pieces_of,
)


@compiled
def new(kit: Kit, options: Array[Int64], state: State) -> None:
    """A game about to begin. `options`: [players, 1 for the fitted world]."""
    state.players = options[0]
    state.fitted = options[1]
    state.phase = TO_START
    state.round = 1
    state.captain = NONE
    state.last[:] = NONE
    state.aboard[:] = 0
    state.supply[:] = 0
    for seat in range(state.players):  # RR-1: one of each shape, of two players each has two
        for shape in range(SHAPES):
            state.supply[seat][shape] = kit.copies[shape] // (2 if state.players == 2 else COPIES)
    take_cards(state)
    clear_round(state)


@compiled
def take_cards(state: State) -> None:
    """RR-1, RR-19: everybody has the ten cards of one colour in hand."""
    state.cards[:] = NONE
    for seat in range(state.players):
        for place in range(CARDS):
            state.cards[seat][place] = place + 1


@compiled
def clear_round(state: State) -> None:
    """Nobody has chosen, and it is nobody's turn."""
    state.played[:] = NONE
    state.order[:] = NONE
    clear_turn(state, NONE)


@compiled
def clear_turn(state: State, active: int) -> None:
    """A seat, or nobody, is about to begin its turn."""
    state.active = active
    state.announced = NONE
    state.loaded = 0
    state.hand = NONE


# Whose turn it is ----------------------------------------------------------------------------


@compiled
def node(kit: Kit, state: State) -> int:
    """Cards are sealed (RR-3); one seat decides all else; loading is for a live world."""
    if state.phase == ENDED:
        return OVER
    if state.phase == TO_START:
        return CHANCE
    if state.phase == CHOOSING:
        return SEALED
    if state.phase == LOADING:
        return CHANCE if state.fitted else LIVE
    return SEAT


@compiled
def seats(kit: Kit, state: State) -> int:
    """The seats that may act now, as bits."""
    if state.phase == NAMING or state.phase == ORDERING:  # RR-4, RR-5: the captain decides
        return 1 << state.captain
    if state.phase == ANNOUNCING or state.phase == TAKING:
        return 1 << state.active
    waiting = 0
    if state.phase == CHOOSING:
        for seat in range(state.players):
            if state.played[seat] == NONE:
                waiting |= 1 << seat
    return waiting


@compiled
def live_seat(kit: Kit, state: State) -> int:
    """RR-8: the hand in the live world is the active player's."""
    return state.active


@compiled
def rounds(state: State) -> int:
    """RR-18: ten rounds, with two players twenty."""
    return 2 * CARDS if state.players == 2 else CARDS


@compiled
def highest(state: State) -> int:
    """RR-4: the seats that played the highest number, as bits."""
    best = 0
    leading = 0
    for seat in range(state.players):
        number = state.played[seat]
        if number > best:
            best = number
            leading = 0
        if number == best:
            leading |= 1 << seat
    return leading


@compiled
def tied(state: State, group: Array[Int8]) -> int:
    """RR-5: writes the seats whose order the new captain decides; answers how many, 0 if none.

    Beside the captain there are three seats at most, so there is one such group at most.
    """
    for seat in range(state.players):
        count = 0
        if seat != state.captain:
            for other in range(state.players):
                if other != state.captain and state.played[other] == state.played[seat]:
                    group[count] = other
                    count += 1
        if count > 1:
            return count
    return 0


# What may be done ----------------------------------------------------------------------------


@compiled
def area_of(state: State) -> int:
    """RR-8: the area the active player has to load, the number of his card."""
    return state.played[state.active]


@compiled
def legal(kit: Kit, state: State, seat: int, numbers: Numbers) -> int:
    """Writes the numbers of all actions of a seat that is to act; answers how many."""
    count = 0
    if not (seats(kit, state) >> seat) & 1:
        return 0
    if state.phase == CHOOSING:
        for card in state.cards[seat]:
            if card != NONE:
                numbers[count] = card - 1
                count += 1
    elif state.phase == NAMING:
        leading = highest(state)
        for other in range(state.players):
            if (leading >> other) & 1:
                numbers[count] = FIRST_CAPTAIN + other
                count += 1
    elif state.phase == ORDERING:
        count = legal_orders(state, numbers)
    elif state.phase == ANNOUNCING:
        numbers[0] = FIRST_ANNOUNCE
        numbers[1] = FIRST_ANNOUNCE + 1
        count = 2
    else:
        for shape in range(SHAPES):
            if state.supply[seat][shape] > 0:
                numbers[count] = FIRST_TAKE + shape
                count += 1
    return count


@compiled
def legal_orders(state: State, numbers: Numbers) -> int:
    """RR-5: every order of the tied seats."""
    group = np.empty(MOST_PLAYERS, np.int8)
    size = tied(state, group)
    count = 0
    for i in range(size):
        for j in range(size):
            if i == j:
                continue
            pair = group[i] * MOST_PLAYERS + group[j]
            if size == 2:
                numbers[count] = FIRST_PAIR + pair
            else:
                numbers[count] = FIRST_THREE + pair * MOST_PLAYERS + group[3 - i - j]
            count += 1
    return count


@compiled
def decode(kit: Kit, state: State, number: int, action: Action) -> None:
    """The action with this number."""
    if number < FIRST_CAPTAIN:
        clear_action(action, CARD)
        action.args[0] = number + 1
    elif number < FIRST_ANNOUNCE:
        clear_action(action, CAPTAIN)
        action.args[0] = number - FIRST_CAPTAIN
    elif number < FIRST_TAKE:
        clear_action(action, ANNOUNCE)
        action.args[0] = number - FIRST_ANNOUNCE + 1
    elif number < FIRST_PAIR:
        clear_action(action, TAKE)
        action.args[0] = number - FIRST_TAKE
    else:
        clear_action(action, ORDER)
        size = 2 if number < FIRST_THREE else 3
        rest = number - (FIRST_PAIR if size == 2 else FIRST_THREE)
        for place in range(size - 1, -1, -1):
            action.args[place] = rest % MOST_PLAYERS
            rest //= MOST_PLAYERS


@compiled
def number(kit: Kit, state: State, action: Action) -> int:
    """The number of a seat's action; NONE if it has none."""
    first = action.args[0]
    if action.verb == CARD and 1 <= first <= CARDS:
        return first - 1
    if action.verb == CAPTAIN and 0 <= first < MOST_PLAYERS:
        return FIRST_CAPTAIN + first
    if action.verb == ANNOUNCE and 1 <= first <= 2:
        return FIRST_ANNOUNCE + first - 1
    if action.verb == TAKE and 0 <= first < SHAPES:
        return FIRST_TAKE + first
    if action.verb == ORDER:
        size = list_size(action)
        if size == 2 or size == 3:
            code = 0
            for place in range(size):
                if action.args[place] >= MOST_PLAYERS:
                    return NONE
                code = code * MOST_PLAYERS + action.args[place]
            return (FIRST_PAIR if size == 2 else FIRST_THREE) + code
    return NONE


@compiled
def refuse(kit: Kit, state: State, actor: int, action: Action) -> int:
    """The rule that forbids the action; 0 if it is allowed."""
    if state.phase == ENDED:
        return RR_18
    if actor == NATURE:
        return refuse_nature(kit, state, action)
    if action.verb == START or state.phase == TO_START:
        return RR_2
    if action.verb == SETTLE:
        return RR_R1
    is_due = actor >= 0 and actor < state.players and (seats(kit, state) >> actor) & 1 == 1

    if action.verb == CARD:  # RR-3: one card each, chosen in secret; RR-6: each card once
        if action.args[0] < 1 or action.args[0] > CARDS:
            return RR_C2
        if state.phase != CHOOSING or not is_due:
            return RR_3
        for card in state.cards[actor]:
            if card == action.args[0]:
                return 0
        return RR_6
    if state.phase == CHOOSING:
        return RR_3

    if action.verb == CAPTAIN:
        seat = action.args[0]
        if state.phase != NAMING or not is_due or seat < 0 or seat >= state.players:
            return RR_4
        return 0 if (highest(state) >> seat) & 1 else RR_4
    if action.verb == ORDER:
        return 0 if state.phase == ORDERING and is_due and is_order(state, action) else RR_5
    if action.verb == ANNOUNCE:
        if state.phase == ANNOUNCING and is_due:
            return 0 if 1 <= action.args[0] <= 2 else RR_9
        if state.phase == TAKING and is_due and state.announced == NONE:
            return RR_R7 if pieces_of(state, actor) < 2 else RR_9
        return RR_9

    if state.phase == ANNOUNCING and is_due:
        return RR_9  # first he says one or two
    if state.phase == NAMING:
        return RR_4
    if state.phase == ORDERING:
        return RR_5
    shape = action.args[0]
    if not is_due or shape < 0 or shape >= SHAPES or state.supply[actor][shape] == 0:
        return RR_8
    return 0


@compiled
def is_order(state: State, action: Action) -> bool:
    """RR-5: exactly the tied seats, each once."""
    group = np.empty(MOST_PLAYERS, np.int8)
    size = tied(state, group)
    if list_size(action) != size:
        return False
    for i in range(size):
        found = 0
        for place in range(size):
            found += action.args[place] == group[i]
        if found != 1:
            return False
    return True


@compiled
def refuse_nature(kit: Kit, state: State, action: Action) -> int:
    """RR-2: the first captain is a seat. A loading ends as ship, card and hand allow: RR-R1 says
    when it has ended, RR-8 and RR-R8 where a piece can lie, RR-14 and RR-R6 what can have fallen.
    """
    if action.verb == START or state.phase == TO_START:
        is_start = action.verb == START and state.phase == TO_START
        return 0 if is_start and 0 <= action.args[0] < state.players else RR_2
    if action.verb != SETTLE or state.phase != LOADING:
        return RR_R1

    shape, ends = action.args[0], action.args[1]
    if shape < 0 or shape >= SHAPES or ends < 1 or ends > FELL:
        return RR_C1
    if shape != state.hand and state.supply[state.active][shape] == 0:
        return RR_R7  # exchanged for a piece he does not have
    if ends <= AREAS and ends != area_of(state):
        return RR_8
    if action.args[2] == 1 and ends != FELL:
        return RR_14  # only what falls is caught

    left = state.aboard.copy()
    others = 0
    for area in range(AREAS):
        for kind in range(SHAPES):
            place = area * SHAPES + kind
            gone = action.args[FALLEN + place] + action.args[CAUGHT + place]
            if gone > left[area][kind]:
                return RR_R8
            left[area][kind] -= gone
            others += gone
    for i in range(MOST_MOVED):
        kind = action.args[MOVED + 3 * i]
        if kind == NONE:
            break
        area, there = action.args[MOVED + 3 * i + 1], action.args[MOVED + 3 * i + 2]
        if area == there or left[area - 1][kind] == 0:
            return RR_R8
        left[area - 1][kind] -= 1
    if ends == BACK and others == 0:
        return RR_R6
    return 0


# What it does --------------------------------------------------------------------------------


@compiled
def apply(kit: Kit, state: State, actor: int, action: Action) -> None:
    """Carries out an action that `refuse` allows."""
    if action.verb == CARD:
        play_card(state, actor, action.args[0])
    elif action.verb == CAPTAIN:
        become_captain(state, action.args[0])
    elif action.verb == ORDER:
        begin_turns(state, action)
    elif action.verb == ANNOUNCE:
        state.announced = action.args[0]
        state.phase = TAKING
    elif action.verb == TAKE:
        state.hand = action.args[0]
        state.supply[actor][state.hand] -= 1
        state.phase = LOADING
    elif action.verb == START:
        state.captain = action.args[0]
        state.phase = CHOOSING
    else:
        settle(state, action)


@compiled
def play_card(state: State, seat: int, card: int) -> None:
    """RR-3: a card face down; the last one turns all of them up and ends the captain's office."""
    place = 0
    while state.cards[seat][place] != card:
        place += 1
    while place + 1 < CARDS:
        state.cards[seat][place] = state.cards[seat][place + 1]
        place += 1
    state.cards[seat][CARDS - 1] = NONE
    state.played[seat] = card
    for other in range(state.players):
        if state.played[other] == NONE:
            return
    copy_list(state.last, state.played)  # RR-6: it covers the one before

    leading = highest(state)
    for other in range(state.players):
        if leading == 1 << other:
            become_captain(state, other)
            return
    state.phase = NAMING


@compiled
def become_captain(state: State, seat: int) -> None:
    """RR-4: a new captain; RR-5: he decides the order of seats with equal numbers."""
    state.captain = seat
    group = np.empty(MOST_PLAYERS, np.int8)
    if tied(state, group) > 0:
        state.phase = ORDERING
    else:
        set_order(state, group)


@compiled
def begin_turns(state: State, action: Action) -> None:
    """RR-5: the captain has put the tied seats in order."""
    group = np.empty(MOST_PLAYERS, np.int8)
    for place in range(list_size(action)):
        group[place] = action.args[place]
    set_order(state, group)


@compiled
def set_order(state: State, group: Array[Int8]) -> None:
    """RR-5: the captain first, then by falling numbers, the tied seats as `group` has them."""
    state.order[0] = state.captain
    place = 1
    in_group = 0
    for number in range(CARDS, 0, -1):
        same = 0
        for seat in range(state.players):
            same += seat != state.captain and state.played[seat] == number
        for seat in range(state.players):
            if seat != state.captain and state.played[seat] == number:
                state.order[place] = group[in_group] if same > 1 else seat
                in_group += same > 1
                place += 1
    begin_turn(state, state.captain)


@compiled
def begin_turn(state: State, seat: int) -> None:
    """RR-9, RR-R7: one or two is asked where there is cargo on the yard and he has two pieces."""
    clear_turn(state, seat)
    area = state.played[seat]
    is_asked = area >= LOWEST_YARD and pieces_in(state, area) > 0 and pieces_of(state, seat) > 1
    state.phase = ANNOUNCING if is_asked else TAKING


@compiled
def settle(state: State, action: Action) -> None:
    """A loading is over: where the cargo lies now, and whose what fell is."""
    seat = state.active
    shape, ends = action.args[0], action.args[1]
    if shape != state.hand:  # RR-R7
        state.supply[seat][state.hand] += 1
        state.supply[seat][shape] -= 1
    state.hand = NONE

    # RR-14, RR-16: what was caught leaves the game, what was not is the active player's
    others_caught = 0
    has_fallen = ends == FELL
    for area in range(AREAS):
        for kind in range(SHAPES):
            place = area * SHAPES + kind
            fallen, caught = action.args[FALLEN + place], action.args[CAUGHT + place]
            state.aboard[area][kind] -= fallen + caught
            state.supply[seat][kind] += fallen
            others_caught += caught
            has_fallen = has_fallen or fallen + caught > 0
    for i in range(MOST_MOVED):
        kind = action.args[MOVED + 3 * i]
        if kind == NONE:
            break
        area, there = action.args[MOVED + 3 * i + 1], action.args[MOVED + 3 * i + 2]
        state.aboard[area - 1][kind] -= 1
        state.aboard[there - 1][kind] += 1

    if ends <= AREAS:
        state.aboard[ends - 1][shape] += 1
    elif not (action.args[2] == 1 and others_caught > 0):  # RR-15, RR-R2, RR-R3, RR-R6
        state.supply[seat][shape] += 1

    # RR-9, RR-10, RR-14, RR-R2: the second piece, unless something fell or went astray; RR-R4: then
    # the turn just ends, and the unused piece was never taken
    if ends <= AREAS and not has_fallen and state.announced == 2 and state.loaded == 0:
        state.loaded = 1
        state.phase = TAKING
    else:
        end_turn(state)


@compiled
def end_turn(state: State) -> None:
    """RR-17: who has no piece left has won. RR-7: after the last turn the next round begins."""
    if pieces_of(state, state.active) == 0:
        end_game(state)
        return
    place = 0
    while state.order[place] != state.active:
        place += 1
    if place + 1 < state.players:
        begin_turn(state, state.order[place + 1])
    elif state.round == rounds(state):  # RR-18
        end_game(state)
    else:
        state.round += 1
        clear_round(state)
        state.phase = CHOOSING
        if state.round == CARDS + 1:  # RR-19
            take_cards(state)
            state.last[:] = NONE


@compiled
def end_game(state: State) -> None:
    """Ends the game; the cards of the last round stay as they lie."""
    clear_turn(state, NONE)
    state.phase = ENDED


@compiled
def sample(kit: Kit, state: State, rng: Rng, action: Action) -> None:
    """RR-2: any seat is the first captain. Else what comes of a loading in the fitted world."""
    if state.phase == TO_START:
        clear_action(action, START)
        action.args[0] = below(rng, state.players)
    else:
        clear_action(action, SETTLE)
        fitted.draw_outcome(kit, state, rng, action)


@compiled
def outcome(kit: Kit, state: State, scores: Array[Int64]) -> int:
    """RR-17, RR-18: the fewest pieces win. A piece left is a point lost; one in hand is left."""
    best = -2 * COPIES * SHAPES
    for seat in range(state.players):
        scores[seat] = -pieces_of(state, seat)
        if state.hand != NONE and seat == state.active:
            scores[seat] -= 1
        best = max(best, scores[seat])
    winners = 0
    if state.phase == ENDED:
        for seat in range(state.players):
            if scores[seat] == best:
                winners |= 1 << seat
    return winners

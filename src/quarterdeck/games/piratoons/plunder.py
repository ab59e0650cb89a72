"""The plunder: where stones come to lie, when it ends, who is paid and who wins what.

Distances are compared as squares of whole millimetres; there is nothing to round.
"""

from __future__ import annotations

import numpy as np

from quarterdeck.contract import Array, Grid, Int64, compiled

from .state import (
    CHEST,
    CLOSE,
    DROP,
    DROP_AT,
    EMPTIED,
    HALVED,
    MOST_PILES,
    MOST_PLAYERS,
    NONE,
    SAND,
    STOP,
    Action,
    Kit,
    State,
    field_of,
)

# Stones --------------------------------------------------------------------------------------


@compiled
def supply(kit: Kit, state: State, seat: int) -> int:
    """How many stones a seat has not placed."""
    left = int(kit.stones)
    for stone in state.stones:
        left -= stone == seat
    return left


@compiled
def standing_piles(state: State) -> int:
    """How many piles stand; they come before those that fell."""
    count = 0
    while count < MOST_PILES and state.pile_size[count] > 0 and state.pile_fell[count] == 0:
        count += 1
    return count


@compiled
def first_stone(state: State, pile: int) -> int:
    """The place of a pile's lowest stone."""
    place = 0
    for before in range(pile):
        place += state.pile_size[before]
    return place


@compiled
def insert_stones(state: State, place: int, seat: int, count: int) -> None:
    """Puts stones of a seat before those from a place on."""
    for i in range(MOST_PILES - 1, place + count - 1, -1):
        state.stones[i] = state.stones[i - count]
    for i in range(place, place + count):
        state.stones[i] = seat


@compiled
def put_pile(state: State, at: int, x: int, y: int, fell: int, seat: int, count: int) -> None:
    """A new pile, before those from a place on."""
    insert_stones(state, first_stone(state, at), seat, count)
    for i in range(MOST_PILES - 1, at, -1):
        state.pile_x[i] = state.pile_x[i - 1]
        state.pile_y[i] = state.pile_y[i - 1]
        state.pile_size[i] = state.pile_size[i - 1]
        state.pile_fell[i] = state.pile_fell[i - 1]
    state.pile_x[at], state.pile_y[at] = x, y
    state.pile_size[at], state.pile_fell[at] = count, fell


@compiled
def topple(state: State, pile: int) -> None:
    """PT-12: a standing pile of one seat falls: it comes after all others."""
    place, count = first_stone(state, pile), int(state.pile_size[pile])
    seat = int(state.stones[place])
    x, y = int(state.pile_x[pile]), int(state.pile_y[pile])
    for i in range(place, MOST_PILES):
        state.stones[i] = state.stones[i + count] if i + count < MOST_PILES else NONE
    for i in range(pile, MOST_PILES - 1):
        state.pile_x[i] = state.pile_x[i + 1]
        state.pile_y[i] = state.pile_y[i + 1]
        state.pile_size[i] = state.pile_size[i + 1]
        state.pile_fell[i] = state.pile_fell[i + 1]
    state.pile_size[MOST_PILES - 1] = 0
    state.pile_fell[MOST_PILES - 1] = 0
    end = 0
    while state.pile_size[end] > 0:
        end += 1
    put_pile(state, end, x, y, 1, seat, count)


@compiled
def clear_stones(state: State) -> None:
    """Everybody takes the crew back."""
    state.pile_x[:] = 0
    state.pile_y[:] = 0
    state.pile_size[:] = 0
    state.pile_fell[:] = 0
    state.stones[:] = NONE


# Geometry ------------------------------------------------------------------------------------


@compiled
def field_at(kit: Kit, x: int, y: int) -> int:
    """PT-15: the field on which a stone there lies wholly; NONE if it is invalid."""
    r = int(kit.radius)
    for field in range(CHEST):
        left, top = int(kit.chest[field][0]), int(kit.chest[field][1])
        right, bottom = left + int(kit.chest[field][2]), top + int(kit.chest[field][3])
        if left + r <= x <= right - r and top + r <= y <= bottom - r:
            return field
    return NONE


@compiled
def distance(state: State, pile: int, x: int, y: int) -> int:
    """The square of the distance to the centre of a pile."""
    dx, dy = int(state.pile_x[pile]) - x, int(state.pile_y[pile]) - y
    return dx * dx + dy * dy


@compiled
def pile_to_join(kit: Kit, state: State, x: int, y: int) -> int:
    """PT-10: the nearest pile that stones dropped there come to lie on; NONE if there is none."""
    nearest, least = NONE, int(kit.radius) ** 2
    for pile in range(standing_piles(state)):
        square = distance(state, pile, x, y)
        if square < least or (square == least and nearest == NONE):
            nearest, least = pile, square
    return nearest


@compiled
def is_knocked(kit: Kit, state: State, pile: int, x: int, y: int) -> bool:
    """Whether stones that land there, and join no pile, knock this one over."""
    return distance(state, pile, x, y) < (2 * int(kit.radius)) ** 2


@compiled
def is_clumsy(kit: Kit, state: State, seat: int, x: int, y: int) -> bool:
    """PT-11: whether stones of the seat that land there knock over another seat's stone."""
    if pile_to_join(kit, state, x, y) != NONE:
        return False
    for pile in range(standing_piles(state)):
        if is_knocked(kit, state, pile, x, y):
            place = first_stone(state, pile)
            for stone in range(place, place + int(state.pile_size[pile])):
                if state.stones[stone] != seat:
                    return True
    return False


@compiled
def middle_x(kit: Kit, field: int) -> int:
    """The middle of a field."""
    return int(kit.chest[field][0]) + int(kit.chest[field][2]) // 2


@compiled
def middle_y(kit: Kit, field: int) -> int:
    """The middle of a field."""
    return int(kit.chest[field][1]) + int(kit.chest[field][3]) // 2


@compiled
def place_stones(kit: Kit, state: State, seat: int, count: int, x: int, y: int) -> None:
    """Stones come to lie on a pile there, or as a new one."""
    pile = pile_to_join(kit, state, x, y)
    if pile == NONE:
        put_pile(state, standing_piles(state), x, y, 0, seat, count)
    else:
        insert_stones(state, first_stone(state, pile + 1), seat, count)
        state.pile_size[pile] += count


@compiled
def drop_at(kit: Kit, state: State, seat: int, count: int, x: int, y: int) -> None:
    """PT-9 to PT-12: a hand lets stones go over a place."""
    if is_clumsy(kit, state, seat, x, y):
        state.out |= 1 << seat
        return
    if pile_to_join(kit, state, x, y) == NONE:
        pile = 0
        while pile < standing_piles(state):
            if is_knocked(kit, state, pile, x, y):
                topple(state, pile)
            else:
                pile += 1
    place_stones(kit, state, seat, count, x, y)


@compiled
def landing(kit: Kit, state: State, seat: int, action: Action, told: Array[Int64]) -> None:
    """Writes what comes of a drop: whether it is clumsy, where the stones come to lie, the field
    that is, and how many of the seat's own stones fall."""
    x, y = int(action.args[1]), int(action.args[2])
    if action.verb == DROP:
        field = field_of(state, int(action.args[1]))
        x, y = middle_x(kit, field), middle_y(kit, field)
    told[:] = 0
    pile = pile_to_join(kit, state, x, y)
    if pile != NONE:
        x, y = int(state.pile_x[pile]), int(state.pile_y[pile])
    elif action.verb == DROP_AT:
        told[0] = is_clumsy(kit, state, seat, x, y)
        for other in range(standing_piles(state)):
            if is_knocked(kit, state, other, x, y):
                told[4] += state.pile_size[other]
    told[1], told[2], told[3] = x, y, field_at(kit, x, y)


@compiled
def act_in_plunder(kit: Kit, state: State, actor: int, action: Action) -> bool:
    """What a seat or the clock does in an open chest; whether that ends the plunder."""
    first, second = int(action.args[0]), int(action.args[1])
    if action.verb == CLOSE:
        return True  # PT-R3
    if action.verb == DROP:
        field = field_of(state, second)
        place_stones(kit, state, actor, first, middle_x(kit, field), middle_y(kit, field))
    elif action.verb == DROP_AT:
        drop_at(kit, state, actor, first, second, int(action.args[2]))
    elif action.verb == SAND:
        state.ran_out = 1
    elif action.verb == STOP:
        if state.ran_out:
            return True  # PT-6
        state.barred |= 1 << actor  # PT-7
    return is_plunder_over(kit, state)


# The end -------------------------------------------------------------------------------------


@compiled
def is_plunder_over(kit: Kit, state: State) -> bool:
    """PT-R3: nobody can place any more, or the sand has run out and nobody may call stop."""
    may_place = may_call = False
    for seat in range(state.players):
        if (state.out >> seat) & 1 == 0:
            may_place = may_place or supply(kit, state, seat) > 0
            may_call = may_call or (state.barred >> seat) & 1 == 0
    return not may_place or (state.ran_out == 1 and not may_call)


@compiled
def idle_stones(kit: Kit, state: State, seat: int) -> int:
    """PT-11, PT-13: the stones a seat is paid for: those it did not place, unless it is out."""
    return 0 if (state.out >> seat) & 1 else supply(kit, state, seat)


@compiled
def pay_idle(kit: Kit, state: State) -> None:
    """PT-13, PT-14, PT-R1: a doubloon for every idle stone, as far as the bank can pay."""
    owed = np.zeros(MOST_PLAYERS, np.int64)
    due = 0
    for seat in range(state.players):
        owed[seat] = idle_stones(kit, state, seat)
        due += owed[seat]
    if due > state.bank:
        state.short = HALVED
        for seat in range(state.players):
            half = int(state.doubloons[seat]) // 2
            state.doubloons[seat] -= half
            state.bank += half
    seat = int(state.captain)
    while due > 0 and state.bank > 0:  # one at a time comes to the same where there is enough
        if owed[seat] > 0:
            owed[seat] -= 1
            due -= 1
            state.bank -= 1
            state.doubloons[seat] += 1
        seat = (seat + 1) % int(state.players)
    if due > 0:
        state.short = EMPTIED


@compiled
def count_stones(kit: Kit, state: State, counts: Grid[Int64]) -> None:
    """PT-11, PT-12, PT-15: writes how many stones of each seat count on each field."""
    counts[:] = 0
    place = 0
    for pile in range(standing_piles(state)):
        size = int(state.pile_size[pile])
        field = field_at(kit, int(state.pile_x[pile]), int(state.pile_y[pile]))
        for stone in range(place, place + size):
            seat = state.stones[stone]
            if field != NONE and (state.out >> seat) & 1 == 0:
                counts[field][seat] += 1
        place += size


@compiled
def winner_of(counts: Array[Int64]) -> int:
    """PT-16: equal numbers cancel each other out; of the others the most win. NONE for nobody."""
    winner = NONE
    for seat in range(MOST_PLAYERS):
        is_alone = counts[seat] > 0
        for other in range(MOST_PLAYERS):
            is_alone = is_alone and (other == seat or counts[other] != counts[seat])
        if is_alone and (winner == NONE or counts[seat] > counts[winner]):
            winner = seat
    return winner


@compiled
def share_loot(kit: Kit, state: State) -> None:
    """PT-16, PT-17: every tile goes to its winner or stays in the chest."""
    counts = np.zeros((CHEST, MOST_PLAYERS), np.int64)
    count_stones(kit, state, counts)
    for field in range(CHEST):
        winner = winner_of(counts[field])
        tile = state.chest[field]
        if winner != NONE and tile != NONE:
            state.owner[tile] = winner
            state.chest[field] = NONE

"""Riff Raff: what a bot should know. Where it puts its pieces is decided in `physics/`.

Whatever bots expect of a loading they expect of the fitted world.
"""

from __future__ import annotations

import math

import numpy as np

from quarterdeck.contract import Array, Float64, Numbers, Rng, below, compiled, copy_list, draw

from . import fitted, rules
from .state import (
    ACTIONS,
    ANNOUNCING,
    AREAS,
    CARDS,
    CHOOSING,
    ENDED,
    FIRST_ANNOUNCE,
    FIRST_CAPTAIN,
    FIRST_PAIR,
    FIRST_TAKE,
    FIRST_THREE,
    LOWEST_YARD,
    MOST_PLAYERS,
    NAMING,
    NONE,
    ORDERING,
    SHAPES,
    Kit,
    Memory,
    State,
    pieces_in,
    pieces_of,
)

UNIT = "chance"
AHEAD = 12  # loadings to play through

_TOO_RISKY = 0.5  # for a second piece


@compiled
def imagine(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng, state: State) -> None:
    """Other hands: any cards that were not seen to go; what others have just chosen is one more."""
    state.players = seen.players
    state.fitted = seen.fitted
    state.phase = seen.phase
    state.round = seen.round
    state.captain = seen.captain
    state.active = seen.active
    state.announced = seen.announced
    state.loaded = seen.loaded
    state.hand = seen.hand
    copy_list(state.last, seen.last)
    copy_list(state.order, seen.order)
    for area in range(AREAS):
        copy_list(state.aboard[area], seen.aboard[area])
    left = np.empty(CARDS, np.int8)
    is_anew = seen.phase == CHOOSING and (seen.round - 1) % CARDS == 0  # RR-19: all cards are back
    for other in range(MOST_PLAYERS):
        copy_list(state.supply[other], seen.supply[other])
        copy_list(state.cards[other], seen.cards[other])
        state.played[other] = seen.played[other]
        if other == seat or other >= seen.players:
            continue
        is_sealed = seen.phase == CHOOSING and seen.played[other] != NONE
        count = 0
        for card in range(1, CARDS + 1):
            if is_anew or (memory.played[other][card] == 0 and seen.last[other] != card):
                left[count] = card
                count += 1
        held = 0
        while held < CARDS and seen.cards[other][held] != NONE:
            held += 1
        draw(rng, left, count, held + is_sealed)
        if is_sealed:
            state.played[other] = left[held]
        # sorted, as hands are
        place = 0
        for card in range(1, CARDS + 1):
            for i in range(held):
                if left[i] == card:
                    state.cards[other][place] = card
                    place += 1


@compiled
def risk(kit: Kit, seen: State, area: int, shape: int, load: int, pull: float) -> float:
    """How many pieces loading this one there is likely to cost; see `fitted.chance`."""
    own = fitted.chance(kit, seen, area, shape, load, pull, kit.own)
    astray = fitted.chance(kit, seen, area, shape, load, pull, kit.astray)
    other = fitted.chance(kit, seen, area, shape, load, pull, kit.other) if load > 0 else 0.0
    return own + astray + other / (1 - kit.more)


@compiled
def easiest(
    kit: Kit, seen: State, seat: int, area: int, load: int, pull: float
) -> tuple[int, float]:
    """The shape of the seat's supply that is the safest in an area, and its risk."""
    best = NONE
    least = 0.0
    for shape in range(SHAPES):
        if seen.supply[seat][shape] > 0:
            cost = risk(kit, seen, area, shape, load, pull)
            if best == NONE or cost < least:
                best = shape
                least = cost
    return best, least


@compiled
def choose(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng) -> int:
    """A good rule of thumb for everything that is decided by choosing."""
    return hunch(kit, seen, seat, rng)


@compiled
def fumble(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng) -> int:
    """What a beginner does: plays any card, and loads two or one as the fancy takes it."""
    if seen.phase != CHOOSING and seen.phase != ANNOUNCING:
        return hunch(kit, seen, seat, rng)
    numbers: Numbers = np.empty(ACTIONS, np.int16)
    return numbers[below(rng, rules.legal(kit, seen, seat, numbers))]


@compiled
def hunch(kit: Kit, seen: State, seat: int, rng: Rng) -> int:
    """The rule of thumb. It is quick, and needs neither memory nor what is hidden."""
    if seen.phase == CHOOSING:
        return choose_card(kit, seen, seat, rng)
    if seen.phase == NAMING:
        return FIRST_CAPTAIN + choose_captain(seen, seat)
    if seen.phase == ORDERING:
        return choose_order(seen)
    area = rules.area_of(seen)
    if seen.phase == ANNOUNCING:
        load, pull = fitted.cargo(seen), fitted.moment(kit, seen)
        _, cost = easiest(kit, seen, seat, area, load, pull)
        return FIRST_ANNOUNCE + (1 if cost < _TOO_RISKY else 0)
    return FIRST_TAKE + choose_piece(kit, seen, seat, area)


@compiled
def choose_card(kit: Kit, seen: State, seat: int, rng: Rng) -> int:
    """The area that is cheap now, compared with what it will cost later: first a yard for two
    pieces, then the other yards."""
    load, pull = fitted.cargo(seen), fitted.moment(kit, seen)
    has_two = pieces_of(seen, seat) > 1
    best = NONE
    least = 0.0
    for place in range(CARDS):
        card = seen.cards[seat][place]
        if card == NONE:
            break
        _, cost = easiest(kit, seen, seat, card, load, pull)
        if card < LOWEST_YARD:  # the deck is a refuge: keep it for a full ship
            cost += 0.08
        elif pieces_in(seen, card) > 0 and has_two and cost < _TOO_RISKY:
            cost = 2 * cost - 1  # RR-9: the chance to be rid of two
        cost += below(rng, 1000) / 40_000
        if best == NONE or cost < least:
            best = card - 1
            least = cost
    return best


@compiled
def choose_captain(seen: State, seat: int) -> int:
    """Oneself where one may; else whoever has the most pieces, for it is good to be first."""
    leading = rules.highest(seen)
    if (leading >> seat) & 1:
        return seat
    best = NONE
    for other in range(seen.players):
        if (leading >> other) & 1:
            if best == NONE or pieces_of(seen, other) > pieces_of(seen, best):
                best = other
    return best


@compiled
def choose_order(seen: State) -> int:
    """Those with the most pieces first: the ship gets harder to load with every turn."""
    group = np.empty(MOST_PLAYERS, np.int8)
    size = rules.tied(seen, group)
    for i in range(size):
        for j in range(i + 1, size):
            if pieces_of(seen, group[j]) > pieces_of(seen, group[i]):
                swapped = group[i]
                group[i] = group[j]
                group[j] = swapped
    code = 0
    for i in range(size):
        code = code * MOST_PLAYERS + group[i]
    return (FIRST_PAIR if size == 2 else FIRST_THREE) + code


@compiled
def choose_piece(kit: Kit, seen: State, seat: int, area: int) -> int:
    """On the deck the piece that is the hardest to place elsewhere, on a yard the easiest one."""
    load, pull = fitted.cargo(seen), fitted.moment(kit, seen)
    if area >= LOWEST_YARD:
        return easiest(kit, seen, seat, area, load, pull)[0]
    best = NONE
    most = 0.0
    for shape in range(SHAPES):
        if seen.supply[seat][shape] > 0:
            gain = risk(kit, seen, AREAS, shape, load, pull)
            gain -= 2 * risk(kit, seen, area, shape, load, pull)
            if best == NONE or gain > most:
                best = shape
                most = gain
    return best


@compiled
def worth(kit: Kit, state: State, values: Array[Float64]) -> bool:
    """The chance to win: fewer pieces than others count the more the fewer rounds are left."""
    total = 0.0
    if state.phase == ENDED:
        scores = np.zeros(MOST_PLAYERS, np.int64)
        winners = rules.outcome(kit, state, scores)
        for seat in range(state.players):
            values[seat] = (winners >> seat) & 1
            total += values[seat]
    else:
        spread = 0.7 + 0.25 * (rules.rounds(state) - state.round)
        for seat in range(state.players):
            values[seat] = math.exp(-pieces_of(state, seat) / spread)
            total += values[seat]
    for seat in range(state.players):
        values[seat] /= total
    return True

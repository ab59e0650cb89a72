"""Jolly & Roger: what a bot should know. Nothing is hidden but the pile, so worlds are the state.

The rule of thumb looks at the gold a seat can expect: what lies in the chest, what the ships are
worth by the chance to hold them to the end, and what their captains may still bring aboard. A card
is played where that is best; a set is judged by how both would play on greedily; a split by what
the other one would leave.
"""

from __future__ import annotations

import math

import numpy as np

from quarterdeck.contract import (
    Array,
    Float64,
    Int8,
    Int64,
    Rng,
    below,
    compiled,
    copy_list,
    records,
)

from . import rules
from .state import (
    ACTIONS,
    BOARDINGS,
    CREWS,
    ENDED,
    KRAKENS,
    LARGEST_SET,
    NONE,
    OFFER,
    PARROT,
    PARROTINGS,
    PICKING,
    PICKS,
    PIRATES,
    PLAYING,
    SHIPS,
    SKELETON_STRENGTH,
    SPLITS,
    SPLITTING,
    TO_DEAL,
    TORTUGAS,
    VALUES,
    Action,
    Kit,
    Memory,
    State,
)


@compiled
def imagine(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng, state: State) -> None:
    """Writes a whole state that fits what the seat knows: there is only one (JR-R2)."""
    state.variant = seen.variant
    state.phase = seen.phase
    state.turn = seen.turn
    state.splitter = seen.splitter
    copy_list(state.offer, seen.offer)
    copy_list(state.removed, seen.removed)
    for side in range(2):
        copy_list(state.sets[side], seen.sets[side])
        copy_list(state.hands[side], seen.hands[side])
        copy_list(state.chests[side], seen.chests[side])
        for ship in range(SHIPS):
            copy_list(state.crews[ship][side], seen.crews[ship][side])


UNIT = "chance"  # to win, is what a position is worth
AHEAD = 2  # the search plays on through two more turns before it asks what a position is worth


@compiled
def worth(kit: Kit, state: State, values: Array[Float64]) -> bool:
    """The chance to win, by rule of thumb before the end; a little more for a greater lead."""
    ahead = lead(kit, state, 0)
    if state.phase == ENDED:
        winners = rules.outcome(kit, state, np.empty(2, np.int64))
        values[0] = 0.5 if winners == 3 else 1.0 if winners == 1 else 0.0
    else:
        values[0] = 1.0 / (1.0 + math.exp(-ahead / (1.0 + 3.0 * math.sqrt(turns_to_come(state)))))
    values[0] += 0.002 * ahead
    values[1] = 1.0 - values[0]
    return True


# What a position is worth --------------------------------------------------------------------


@compiled
def turns_to_come(state: State) -> int:
    """How many turns follow after the cards that now lie open."""
    if state.phase == ENDED:
        return 0
    left = rules.turns(state) - state.turn
    return left + 1 if state.phase == TO_DEAL else left


@compiled
def ship_lead(kit: Kit, ship: int, edge: int, turns_left: int) -> float:
    """How much a ship is worth to the one whose crew is stronger by `edge`: its gold, and what its
    captain may still bring aboard, as far as it will be held."""
    if turns_left == 0:
        return float(kit.gold[ship]) * (1.0 if edge > 0 else -1.0 if edge < 0 else 0.0)
    held = edge / (abs(edge) + 0.3 + 1.9 * turns_left)  # from -1, the other's, to 1, ours
    return held * (kit.gold[ship] + 1.1 * turns_left)


@compiled
def edge_at(state: State, seat: int, ship: int) -> int:
    """How much stronger the seat's crew is than the other's."""
    return rules.strength(state, ship, seat) - rules.strength(state, ship, 1 - seat)


@compiled
def lead(kit: Kit, state: State, seat: int) -> float:
    """How much more gold the seat may expect than the other, by rule of thumb."""
    turns_left = turns_to_come(state)
    total = float(rules.gold_in_chest(state, seat) - rules.gold_in_chest(state, 1 - seat))
    for ship in range(SHIPS):
        total += ship_lead(kit, ship, edge_at(state, seat, ship), turns_left)
    return total


@compiled
def gain(
    kit: Kit, state: State, seat: int, number: int, edges: Array[Int64], turns_left: int
) -> float:
    """How much a play adds to the seat's lead, who is stronger by `edges`."""
    if number == TORTUGAS:
        added = 0.0
        for ship in range(SHIPS):
            more = hidden_strength(state.crews[ship][seat])
            if more > 0:
                added += ship_gain(kit, ship, edges[ship], more, turns_left)
        return added
    if number < PARROTINGS:
        card = number - CREWS
        ship = card // VALUES if card < PIRATES else card - PIRATES
        more = card % VALUES + 1 if card < PIRATES else SKELETON_STRENGTH
    elif number < BOARDINGS:
        ship, more = (number - PARROTINGS) % SHIPS, 1
    elif number < KRAKENS:
        return float((number - BOARDINGS) % VALUES + 1)
    else:
        ship = number - KRAKENS
        if ship == SHIPS:
            return 0.0
        crew = state.crews[ship][1 - seat]
        more = rules.card_strength(crew[rules.crew_size(crew) - 1])
    return ship_gain(kit, ship, edges[ship], more, turns_left)


@compiled
def ship_gain(kit: Kit, ship: int, edge: int, more: int, turns_left: int) -> float:
    """What so much more strength at a ship adds to the lead."""
    return ship_lead(kit, ship, edge + more, turns_left) - ship_lead(kit, ship, edge, turns_left)


@compiled
def hidden_strength(crew: Array[Int8]) -> int:
    """What a Tortuga would add to a crew."""
    more = 0
    for card in crew:
        if card == NONE:
            break
        if card >= PARROT and card - PARROT < PIRATES:
            more += (card - PARROT) % VALUES
    return more


# Quick choices -------------------------------------------------------------------------------


@compiled
def best_play(kit: Kit, state: State, seat: int) -> int:
    """The number of the play that adds most to the seat's lead."""
    numbers = np.empty(ACTIONS, np.int16)
    count = rules.legal(kit, state, seat, numbers)
    if count == 1:
        return int(numbers[0])
    edges = np.empty(SHIPS, np.int64)
    for ship in range(SHIPS):
        edges[ship] = edge_at(state, seat, ship)
    turns_left = turns_to_come(state)
    best, most = int(numbers[0]), -1e9
    for i in range(count):
        added = gain(kit, state, seat, numbers[i], edges, turns_left)
        if added > most:
            best, most = int(numbers[i]), added
    return best


@compiled
def card_gains(
    kit: Kit,
    state: State,
    seat: int,
    cards: Array[Int8],
    gains: Array[Float64],
) -> None:
    """Writes what each of some cards would add to the seat's lead, played alone."""
    numbers = np.empty(ACTIONS, np.int16)
    edges = np.empty(SHIPS, np.int64)
    for ship in range(SHIPS):
        edges[ship] = edge_at(state, seat, ship)
    turns_left = turns_to_come(state)
    for place in range(len(cards)):
        gains[place] = 0.0
        if cards[place] != NONE:
            most = -1e9
            for i in range(rules.legal_plays(state, seat, int(cards[place]), numbers, 0)):
                added = gain(kit, state, seat, numbers[i], edges, turns_left)
                most = max(most, added)
            gains[place] = most


@compiled
def hunch(kit: Kit, state: State, seat: int, rng: Rng) -> int:
    """A quick choice: cards are judged one by one, as if each were played alone."""
    if state.phase == PLAYING:
        return best_play(kit, state, seat)
    ours, theirs = np.zeros(OFFER), np.zeros(OFFER)
    if state.phase == PICKING:
        first = 0.0  # how much more set 1 is worth to us, and would be to them, than set 2
        for side in range(2):
            card_gains(kit, state, seat, state.sets[side], ours)
            card_gains(kit, state, 1 - seat, state.sets[side], theirs)
            for place in range(LARGEST_SET):
                first += (ours[place] + theirs[place]) * (1 - 2 * side)
        return PICKS if first >= 0.0 else PICKS + 1
    card_gains(kit, state, seat, state.offer, ours)
    card_gains(kit, state, 1 - seat, state.offer, theirs)
    numbers = np.empty(ACTIONS, np.int16)
    best, least = NONE, 1e9
    for i in range(rules.legal(kit, state, seat, numbers)):
        mask = int(numbers[i]) - SPLITS + 1
        first = second = 0.0  # what the other one gains by picking set 1, or set 2
        for place in range(OFFER):
            if (mask >> place) & 1:
                first += theirs[place]
                second -= ours[place]
            else:
                second += theirs[place]
                first -= ours[place]
        if max(first, second) < least:
            best, least = int(numbers[i]), max(first, second)
    return best


# A rule of thumb -----------------------------------------------------------------------------


@compiled
def play_out(kit: Kit, state: State) -> None:
    """Both play all their cards of this turn, greedily."""
    action = records(Action, 1)
    while state.phase == PLAYING:
        seat = rules.to_act(state)
        rules.decode(kit, state, best_play(kit, state, seat), action[0])
        rules.apply(kit, state, seat, action[0])


@compiled
def best_pick(kit: Kit, state: State, seat: int) -> tuple[int, float]:
    """The number of the better set for the seat, and the lead it comes to."""
    trial = records(State, 1)
    action = records(Action, 1)
    best, best_lead = PICKS, -1e9
    for pick in range(2):
        trial[0] = state
        rules.decode(kit, state, PICKS + pick, action[0])
        rules.apply(kit, trial[0], seat, action[0])
        play_out(kit, trial[0])
        value = lead(kit, trial[0], seat)
        if value > best_lead:
            best, best_lead = PICKS + pick, value
    return best, best_lead


@compiled
def best_split(kit: Kit, state: State, seat: int) -> int:
    """The number of the split of which the other one's better choice is worst."""
    numbers = np.empty(ACTIONS, np.int16)
    count = rules.legal(kit, state, seat, numbers)
    trial = records(State, 1)
    action = records(Action, 1)
    best, least = int(numbers[0]), 1e9
    for i in range(count):
        trial[0] = state
        rules.decode(kit, state, numbers[i], action[0])
        rules.apply(kit, trial[0], seat, action[0])
        value = best_pick(kit, trial[0], 1 - seat)[1]
        if value < least:
            best, least = int(numbers[i]), value
    return best


@compiled
def choose(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng) -> int:
    """The number of a sensible action."""
    if seen.phase == SPLITTING:
        return best_split(kit, seen, seat)
    if seen.phase == PICKING:
        return best_pick(kit, seen, seat)[0]
    return best_play(kit, seen, seat)


@compiled
def fumble(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng) -> int:
    """What a beginner does: looks at the numbers on the cards only. Splits and picks by their sums,
    brings aboard what can be brought, else reinforces the ship of the highest card."""
    numbers = np.empty(ACTIONS, np.int16)
    count = rules.legal(kit, seen, seat, numbers)
    best, most = int(numbers[below(rng, count)]), -1e9
    if below(rng, 8) == 0:
        return best
    for i in range(count):
        number = int(numbers[i])
        liking = 0.0
        if seen.phase == SPLITTING:
            for place in range(OFFER):
                in_first = ((number - SPLITS + 1) >> place) & 1
                liking += printed(seen.offer[place]) * (1 if in_first else -1)
            liking = -abs(liking)
        elif seen.phase == PICKING:
            for card in seen.sets[number - PICKS]:
                liking += printed(card)
        elif BOARDINGS <= number < KRAKENS:
            liking = 10.0 + printed(number - BOARDINGS)
        elif number < PARROTINGS:
            liking = printed(min(number - CREWS, PIRATES))
        elif number < BOARDINGS:
            liking = -10.0
        if liking > most:
            best, most = number, liking
    return best


@compiled
def printed(card: int) -> int:
    """The number on a card; special cards look like a middling one."""
    if card == NONE:
        return 0
    return card % VALUES + 1 if card < PIRATES else 3

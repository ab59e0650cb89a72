"""Piratoons: what a bot should know. Worlds that fit a seat's knowledge, and rules of thumb.

Everything is weighed in points: what a tile adds to a ship, what a doubloon is good for. In the
plunder a bot looks at some of the tiles, sees what they would cost it, and puts stones on the one
that is worth it most; or it waits.
"""

from __future__ import annotations

import numpy as np

from quarterdeck.contract import (
    Array,
    Float64,
    Int8,
    Int16,
    Int64,
    Rng,
    below,
    compiled,
    copy_list,
    draw,
)

from . import rules
from .judgement import (
    BARREL_WEIGHT,
    BID_WEIGHT,
    COIN_WEIGHT,
    DOUBLE_WEIGHT,
    EARLY_COIN_WEIGHT,
    EMPTY_WEIGHT,
    ENVY_WEIGHT,
    EYE_WEIGHT,
    FIELD_WEIGHT,
    FIGHT_WEIGHT,
    GAIN_WEIGHT,
    JUMP_WEIGHT,
    LONE_WEIGHT,
    PATIENCE_WEIGHT,
    RISK_WEIGHT,
    RIVAL_WEIGHT,
    SAIL_WEIGHT,
    SECOND_WEIGHT,
    SLIP_WEIGHT,
    WEIGHTS,
    Weights,
    doubloon_worth,
    ship_worth,
    tile_worth,
)
from .layout import best_layout, free_places
from .plunder import count_stones, supply, winner_of
from .state import (
    AUCTION,
    BIDS,
    CHEST,
    DROP_AT,
    DROPS,
    ENDED,
    EQUIPMENT_FIELDS,
    MOST_PLAYERS,
    MOST_STONES,
    NONE,
    OPEN_NUMBER,
    PARTS,
    PLUNDER,
    REFIT,
    REFITTING,
    STOP_NUMBER,
    TAKES,
    TAKING,
    TILES,
    Action,
    Kit,
    Memory,
    State,
    is_on_offer,
    list_unseen,
)

WAIT = -1
THINK = -2
USUAL_CARE = 0.02  # taken for every stone the others have left

REACTION_MS = {
    "random": (300, 1500),
    "deckhand": (1500, 3200),
    "bosun": (1000, 2200),
    "quartermaster": (700, 1600),
    "legend": (450, 1100),
}
"""How long a bot of each level takes from one look at the open chest to the next."""


# Worlds --------------------------------------------------------------------------------------


@compiled
def imagine(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng, state: State) -> None:
    """Writes a whole state that fits what the seat sees: a closed chest filled from the stacks, the
    doubloons of others shared out anew, sealed bids and refits made up.

    What others own follows for a good memory from all that was paid; a world does not use that.
    """
    state.players = seen.players
    state.phase = seen.phase
    state.round_number = seen.round_number
    state.captain = seen.captain
    state.opened = seen.opened
    state.ran_out = seen.ran_out
    state.barred = seen.barred
    state.out = seen.out
    state.shown = seen.shown
    state.refitted = seen.refitted
    state.bank = seen.bank
    state.short = seen.short
    copy_list(state.owner, seen.owner)
    copy_list(state.spot, seen.spot)
    copy_list(state.pile_x, seen.pile_x)
    copy_list(state.pile_y, seen.pile_y)
    copy_list(state.pile_size, seen.pile_size)
    copy_list(state.pile_fell, seen.pile_fell)
    copy_list(state.stones, seen.stones)
    copy_list(state.chest, seen.chest)
    copy_list(state.bids, seen.bids)
    copy_list(state.doubloons, seen.doubloons)
    if seen.phase == PLUNDER and not seen.opened:
        state.chest[:] = NONE
        fill_chest(state, rng)
    share_doubloons(kit, seen, seat, rng, state)
    for other in range(seen.players):
        if other != seat and seen.phase == AUCTION and seen.bids[other] != NONE:
            state.bids[other] = below(rng, int(state.doubloons[other]) + 1)
    copy_list(state.refit, seen.refit)
    spots = np.empty(TILES, np.int8)
    for other in range(seen.players):
        if other != seat and (seen.refitted >> other) & 1:
            best_layout(kit, seen.owner, other, spots)
            for tile in range(TILES):
                if seen.owner[tile] == other:
                    state.refit[tile] = spots[tile]


@compiled
def fill_chest(state: State, rng: Rng) -> None:
    """Tiles from the stacks for a chest nobody has seen open."""
    tiles = np.empty(TILES, np.int8)
    draw(rng, tiles, list_unseen(state, PARTS, TILES, tiles), EQUIPMENT_FIELDS)
    for field in range(EQUIPMENT_FIELDS):
        state.chest[field] = tiles[field]
    draw(rng, tiles, list_unseen(state, 0, PARTS, tiles), CHEST - EQUIPMENT_FIELDS)
    for field in range(EQUIPMENT_FIELDS, CHEST):
        state.chest[field] = tiles[field - EQUIPMENT_FIELDS]


@compiled
def share_doubloons(kit: Kit, seen: State, seat: int, rng: Rng, state: State) -> None:
    """What is neither in the bank nor shown, coin by coin to those who hide theirs; everybody has
    at least what lies open as a bid. Before there is a captain all have what they began with."""
    if seen.captain == NONE:
        state.doubloons[: seen.players] = kit.purse
        return
    left = int(kit.doubloons) - int(seen.bank)
    for other in range(seen.players):
        if other != seat and not (seen.shown >> other) & 1 and seen.phase != ENDED:
            is_open = seen.phase != AUCTION and seen.bids[other] > 0
            state.doubloons[other] = seen.bids[other] if is_open else 0
        left -= state.doubloons[other]
    while left > 0:
        other = below(rng, int(seen.players))
        if other != seat and not (seen.shown >> other) & 1:
            state.doubloons[other] += 1
            left -= 1


# Decisions -----------------------------------------------------------------------------------


@compiled
def weigh(skill: int, players: int, weights: Weights) -> None:
    """How much a bot of a skill from 0 to 3 makes of each thing in a game of so many.

    A beginner goes by guesses. The bosun's weights were found by games of three among themselves,
    those of the better ones by games of two, three and four against bosuns: what pays most is to
    hold back, until the sand has run out, while the others have stones left to outbid one with.
    """
    weights[SAIL_WEIGHT] = 1.7
    weights[BARREL_WEIGHT] = 0.5
    weights[EMPTY_WEIGHT] = -0.6
    weights[FIELD_WEIGHT] = 1.2
    weights[LONE_WEIGHT] = 1.3
    weights[JUMP_WEIGHT] = 0.2
    weights[COIN_WEIGHT] = 0.2
    weights[EARLY_COIN_WEIGHT] = 0.3
    weights[GAIN_WEIGHT] = 0.3
    weights[FIGHT_WEIGHT] = 0.05
    weights[RIVAL_WEIGHT] = 0.8 / (MOST_STONES * (players - 1)) if skill > 1 else USUAL_CARE
    weights[RISK_WEIGHT] = 0.3
    weights[DOUBLE_WEIGHT] = 4.0
    weights[ENVY_WEIGHT] = 0.3
    weights[PATIENCE_WEIGHT] = 0.35
    weights[BID_WEIGHT] = 0.25
    weights[SECOND_WEIGHT] = 0.2
    weights[SLIP_WEIGHT] = 1.0  # who always judges alike is easily tied
    weights[EYE_WEIGHT] = min(CHEST, 3 + 3 * skill)
    if skill == 0:
        weights[SAIL_WEIGHT] = 1.0
        weights[BARREL_WEIGHT] = 1.0
        weights[EMPTY_WEIGHT] = weights[FIELD_WEIGHT] = 0.0
        weights[LONE_WEIGHT] = 0.5
        weights[JUMP_WEIGHT] = 0.6
        weights[COIN_WEIGHT] = weights[EARLY_COIN_WEIGHT] = 0.4
        weights[ENVY_WEIGHT] = weights[PATIENCE_WEIGHT] = 0.0
        weights[BID_WEIGHT] = weights[SECOND_WEIGHT] = 0.5
        weights[SLIP_WEIGHT] = 2.5


@compiled
def choose(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng) -> int:
    """The rule of thumb; -1 to wait in an open chest."""
    return decide(kit, seen, memory, seat, 1, rng)


@compiled
def fumble(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng) -> int:
    """What a beginner would do; -1 to wait in an open chest."""
    return decide(kit, seen, memory, seat, 0, rng)


@compiled
def reflex(kit: Kit, seen: State, memory: Memory, seat: int, skill: int, rng: Rng) -> int:
    """What a level that searches does without: all but bidding and taking; -2 for these."""
    if seen.phase == AUCTION or seen.phase == TAKING:
        return THINK
    return decide(kit, seen, memory, seat, skill, rng)


@compiled
def decide(kit: Kit, seen: State, memory: Memory, seat: int, skill: int, rng: Rng) -> int:
    """What a bot of a skill does."""
    weights = np.empty(WEIGHTS)
    weigh(skill, seen.players, weights)
    most = int(kit.doubloons)
    if memory.is_known == 1 and skill > 0:
        most = richest(seen, memory.purses, seat)
    return weighed_choice(kit, seen, most, seat, weights, rng)


@compiled
def hunch(kit: Kit, state: State, seat: int, rng: Rng) -> int:
    """A quick choice in an imagined world."""
    if state.phase == PLUNDER:
        return WAIT
    weights = np.empty(WEIGHTS)
    weigh(2, state.players, weights)
    return weighed_choice(kit, state, richest(state, state.doubloons, seat), seat, weights, rng)


@compiled
def weighed_choice(kit: Kit, seen: State, most: int, seat: int, weights: Weights, rng: Rng) -> int:
    """What somebody with these weights does; `most` is what any other seat may have at most."""
    if seen.phase == TAKING:
        return take(kit, seen, seat, weights, rng)
    if seen.phase == AUCTION:
        return bid(kit, seen, most, seat, weights, rng)
    if seen.phase == REFITTING:
        return rules.refit_number(seen, seat)
    return plunder(kit, seen, seat, weights, rng) if seen.opened else OPEN_NUMBER


@compiled
def slip(weights: Weights, rng: Rng) -> float:
    """By how many points a bot misjudges something."""
    return float(weights[SLIP_WEIGHT] * (below(rng, 2001) - 1000) / 1000.0)


@compiled
def plunder(kit: Kit, seen: State, seat: int, weights: Weights, rng: Rng) -> int:
    """At a look at the open chest: stones on a tile, a call, or nothing yet."""
    counts = np.zeros((CHEST, MOST_PLAYERS), np.int64)
    count_stones(kit, seen, counts)
    left = supply(kit, seen, seat)
    looks = int(weights[EYE_WEIGHT])
    fields = np.arange(CHEST).astype(np.int8)
    draw(rng, fields, CHEST, looks)
    coin = doubloon_worth(seen, weights)
    rivals = 0
    for other in range(seen.players):
        if other != seat and not (seen.out >> other) & 1:
            rivals += supply(kit, seen, other)
    wary = USUAL_CARE if seen.ran_out else weights[RIVAL_WEIGHT]
    best, most, stake = NONE, weights[GAIN_WEIGHT], 0
    if not seen.ran_out and below(rng, 1000) < 1000 * weights[PATIENCE_WEIGHT]:
        return WAIT
    for i in range(looks):
        field = int(fields[i])
        needed = stones_needed(counts[field], seat, left)
        if needed == 0:
            continue
        gain = tile_worth(kit, seen, seat, int(seen.chest[field]), weights) + slip(weights, rng)
        # what is fought over may be lost again, and the stones with it
        fight = 0
        for other in range(seen.players):
            fight += other != seat and counts[field][other] > 0
        gain *= 1.0 - weights[FIGHT_WEIGHT] * fight - wary * rivals
        gain -= needed * coin * (1.0 + weights[RISK_WEIGHT] * fight)
        if weights[ENVY_WEIGHT] > 0.0:
            gain -= weights[ENVY_WEIGHT] * envy(kit, seen, seat, int(seen.chest[field]), weights)
        if gain > most:
            best, most, stake = field, gain, needed
    if best != NONE:
        if most > weights[DOUBLE_WEIGHT] and stake < left - 2 and stake == 1:
            stake = 1 + below(rng, 2)  # a tile everybody wants
        return DROPS + (stake - 1) * CHEST + best
    if seen.ran_out and not (seen.barred >> seat) & 1:
        return STOP_NUMBER
    return WAIT


@compiled
def envy(kit: Kit, seen: State, seat: int, tile: int, weights: Weights) -> float:
    """What the keenest rival with stones left would make of a tile."""
    most = 0.0
    for other in range(seen.players):
        if other != seat and not (seen.out >> other) & 1 and supply(kit, seen, other) > 0:
            most = max(most, tile_worth(kit, seen, other, tile, weights))
    return most


@compiled
def stones_needed(counts: Array[Int64], seat: int, left: int) -> int:
    """The fewest stones with which a seat wins a tile; 0 if it does already, or cannot."""
    mine = counts[seat]
    needed = 0
    if winner_of(counts) != seat:
        for stones in range(1, left + 1):
            counts[seat] = mine + stones
            if winner_of(counts) == seat:
                needed = stones
                break
    counts[seat] = mine
    return needed


@compiled
def richest(seen: State, purses: Array[Int8], seat: int) -> int:
    """The most doubloons any other seat has."""
    most = 0
    for other in range(seen.players):
        if other != seat:
            most = max(most, int(purses[other]))
    return most


@compiled
def bid(kit: Kit, seen: State, most: int, seat: int, weights: Weights, rng: Rng) -> int:
    """As many doubloons as the tiles on offer are worth, and a little at random against ties; no
    more than it takes to beat the most that others have."""
    first = second = 0.0
    for tile in range(TILES):
        if is_on_offer(seen, tile):
            worth = tile_worth(kit, seen, seat, tile, weights) + slip(weights, rng)
            if worth > first:
                first, second = worth, first
            elif worth > second:
                second = worth
    coin = doubloon_worth(seen, weights)
    if first <= coin:
        return BIDS
    # whoever comes second still gets the next best
    margin = (first - weights[SECOND_WEIGHT] * second) / max(coin, 0.05)
    offer = min(int(weights[BID_WEIGHT] * margin) + below(rng, 3), most + 1)
    return BIDS + min(int(seen.doubloons[seat]), max(1, offer))


@compiled
def take(kit: Kit, seen: State, seat: int, weights: Weights, rng: Rng) -> int:
    """The tile that adds most."""
    best, most = NONE, -1e9
    for tile in range(TILES):
        if is_on_offer(seen, tile):
            worth = tile_worth(kit, seen, seat, tile, weights) + slip(weights, rng)
            if worth > most:
                best, most = tile, worth
    return TAKES + best


@compiled
def worth(kit: Kit, state: State, values: Array[Float64]) -> bool:
    """What the ships and purses promise every seat at the end of a round."""
    if state.phase == ENDED:
        return True
    weights = np.empty(WEIGHTS)
    weigh(2, state.players, weights)
    coin = doubloon_worth(state, weights)
    for seat in range(state.players):
        values[seat] = ship_worth(kit, state, state.owner, seat, weights)
        values[seat] += state.doubloons[seat] * coin
    return True


# At random -----------------------------------------------------------------------------------


@compiled
def compose(kit: Kit, seen: State, memory: Memory, seat: int, rng: Rng, action: Action) -> bool:
    """Writes a random composite action of the seat; False if it has none now: a drop somewhere,
    half of the time near a pile, or a layout with parts and equipment put down at random."""
    action.args[:] = NONE
    if not (rules.seats(kit, seen) >> seat) & 1:
        return False
    if seen.phase == PLUNDER and seen.opened:
        left = supply(kit, seen, seat)
        if left == 0:
            return False
        action.verb = DROP_AT
        action.args[0] = 1 + below(rng, min(left, 2))
        x, y = below(rng, int(kit.width) + 1), below(rng, int(kit.height) + 1)
        pile = below(rng, len(seen.pile_size))
        if seen.pile_size[pile] > 0:
            reach = 2 * int(kit.radius)
            x = int(seen.pile_x[pile]) + below(rng, 2 * reach + 1) - reach
            y = int(seen.pile_y[pile]) + below(rng, 2 * reach + 1) - reach
        action.args[1] = min(max(x, 0), int(kit.width))
        action.args[2] = min(max(y, 0), int(kit.height))
        return True
    if seen.phase == REFITTING:
        action.verb = REFIT
        compose_layout(kit, seen, seat, rng, action.args)
        return True
    return False


@compiled
def compose_layout(kit: Kit, seen: State, seat: int, rng: Rng, spots: Array[Int16]) -> None:
    """Any layout the rules allow: parts in any order, each tile where there is a place for it."""
    order = np.empty(TILES, np.int8)
    layout = np.empty(TILES, np.int8)
    layout[:] = NONE
    count = 0
    for part in range(PARTS):
        if seen.owner[part] == seat:
            order[count] = part
            count += 1
    draw(rng, order, count, count)
    for place in range(count):
        layout[order[place]] = place
    tiles = np.empty(TILES, np.int8)
    size = 0
    for tile in range(PARTS, TILES):
        if seen.owner[tile] == seat:
            tiles[size] = tile
            size += 1
    draw(rng, tiles, size, size)
    for i in range(size):
        if count == 0:
            break
        start = below(rng, count)
        for step in range(count):
            part = int(order[(start + step) % count])
            if free_places(kit, seen.owner, layout, seat, int(tiles[i]), part) > 0:
                layout[tiles[i]] = part
                break
    copy_list(spots, layout)

"""Piratoons: what is in the box, what lies on the table, and how both are numbered.

Tiles are small integers: the 24 parts, then nine add-ons of each of four kinds, then twelve sails.
A tile belongs to a seat, or is `UNSEEN` (in the stacks, or in the chest, which lists it), `AFLOAT`
or `SUNK`. The `spot` of a part is its place in its owner's ship, counted from the bow; that of
equipment is the part it is on; `NONE` for what is not built in.
"""

from __future__ import annotations

from quarterdeck.contract import (
    COMPONENT,
    RULING,
    Array,
    Grid,
    Int8,
    Int16,
    Record,
    compiled,
    shape,
)

MOST_PLAYERS = 4
PARTS = 24
DECK, GUN, PORT, QUART, SAIL = range(5)
ADDON_KINDS = 4
OF_A_KIND = 9
SAILS = 12
EQUIPMENT = ADDON_KINDS * OF_A_KIND + SAILS
TILES = PARTS + EQUIPMENT
FIRST_SAIL = TILES - SAILS
MOST_DESIGNS = 9
MOST_HULL = 3
MOST_SAILS = 3  # on one mast
SYMBOLS = 4

CHEST = 9  # fields: six of equipment, then three of parts
EQUIPMENT_FIELDS = 6
ROUNDS = 8
MOST_STONES = 6
MOST_PILES = MOST_PLAYERS * MOST_STONES
MOST_DOUBLOONS = 40

IN_FULL, HALVED, EMPTIED = 0, 1, 2  # PT-13, PT-14, PT-R1
NONE = -1
HIDDEN = -2
UNSEEN, AFLOAT, SUNK = -1, -2, -3  # owners that are no seat

# Phases
FILL, PLUNDER, AUCTION, TAKING, REFITTING, ENDED = range(6)

# Verbs
OPENS, DROP, DROP_AT, STOP, BID, TAKE, REFIT, AUTO, SHOW, HIDE, START, FILLS, SAND, CLOSE = range(
    14
)

# Action numbers, in blocks
DROPS = 0  # one to six stones on each field
STOP_NUMBER = DROPS + MOST_STONES * CHEST
SHOW_NUMBER = STOP_NUMBER + 1
HIDE_NUMBER = SHOW_NUMBER + 1
OPEN_NUMBER = HIDE_NUMBER + 1
BIDS = OPEN_NUMBER + 1
TAKES = BIDS + MOST_DOUBLOONS + 1
REFITS = TAKES + TILES  # the best layout of each seat, then that of any seat without parts
ACTIONS = REFITS + MOST_PLAYERS + 1


class Kit(Record):
    """The components of the box: PT-C1, PT-C2, PT-C3."""

    stones: Int8
    purse: Int8
    doubloons: Int8
    ends: Array[Int8] = shape(2)  # the symbols of bow and stern
    storeys: Array[Int8] = shape(PARTS)
    hull: Grid[Int8] = shape(PARTS, MOST_HULL)  # kinds of fields from the top down
    fields: Grid[Int8] = shape(PARTS, ADDON_KINDS)  # how many of each kind, the deck included
    mast: Array[Int8] = shape(PARTS)  # how many sails it carries
    edges: Grid[Int8] = shape(PARTS, 2)
    barrels: Array[Int8] = shape(PARTS)
    design: Array[Int8] = shape(ADDON_KINDS * OF_A_KIND)
    by_text: Array[Int8] = shape(TILES)  # all tiles in the order of their names
    width: Int16
    height: Int16
    radius: Int16
    chest: Grid[Int16] = shape(CHEST, 4)  # x, y, width, height of each field


class Action(Record):
    """drop: [stones, tile] · drop at: [stones, x, y] · bid: [doubloons] · take: [tile] · refit: the
    spot of every tile · start: [seat] · fill: nine tiles, by field. Unused places are `NONE`."""

    verb: Int8
    args: Array[Int16] = shape(TILES)


class State(Record):
    """Everything about a game at one moment."""

    players: Int8
    phase: Int8
    round_number: Int8  # from 1 on
    captain: Int8
    opened: Int8
    ran_out: Int8
    barred: Int8  # seats as bits
    out: Int8
    shown: Int8
    refitted: Int8
    bank: Int8
    short: Int8  # how the bank last fared: `IN_FULL`, `HALVED` or `EMPTIED`
    doubloons: Array[Int8] = shape(MOST_PLAYERS)
    bids: Array[Int8] = shape(MOST_PLAYERS)
    chest: Array[Int8] = shape(CHEST)
    owner: Array[Int8] = shape(TILES)
    spot: Array[Int8] = shape(TILES)
    refit: Array[Int8] = shape(TILES)  # spots declared and not yet in force
    pile_x: Array[Int16] = shape(MOST_PILES)  # standing piles, oldest first, then those that fell
    pile_y: Array[Int16] = shape(MOST_PILES)
    pile_size: Array[Int8] = shape(MOST_PILES)
    pile_fell: Array[Int8] = shape(MOST_PILES)
    stones: Array[Int8] = shape(MOST_PILES)  # pile after pile the seats, from bottom to top


class Memory(Record):
    """Everybody's doubloons: all that comes and goes is public, so a good memory knows them."""

    is_known: Int8
    purses: Array[Int8] = shape(MOST_PLAYERS)


# Rules that can refuse an action
PT_1, PT_2, PT_3, PT_4, PT_5, PT_6, PT_7, PT_8 = range(1, 9)
PT_11, PT_15, PT_18, PT_19, PT_21, PT_24, PT_25, PT_26, PT_29 = 11, 15, 18, 19, 21, 24, 25, 26, 29
PT_R3, PT_R4 = RULING + 3, RULING + 4
PT_C3 = COMPONENT + 3


@compiled
def kind_of(tile: int) -> int:
    """The kind of a tile of equipment."""
    return SAIL if tile >= FIRST_SAIL else (tile - PARTS) // OF_A_KIND


@compiled
def owns_part(state: State, seat: int) -> bool:
    """Whether a seat has any part."""
    for part in range(PARTS):
        if state.owner[part] == seat:
            return True
    return False


@compiled
def owns_tile(state: State, seat: int) -> bool:
    """Whether a seat has anything to lay out."""
    for tile in range(TILES):
        if state.owner[tile] == seat:
            return True
    return False


@compiled
def has_tiles_left(state: State) -> bool:
    """PT-18: whether anything can be auctioned, from the chest or the water."""
    for tile in state.chest:
        if tile != NONE:
            return True
    for tile in range(PARTS, TILES):
        if state.owner[tile] == AFLOAT:
            return True
    return False


@compiled
def is_on_offer(state: State, tile: int) -> bool:
    """PT-18: whether a tile lies in the chest or floats."""
    if tile < 0 or tile >= TILES:
        return False
    if state.owner[tile] == AFLOAT:
        return True
    for lying in state.chest:
        if lying == tile:
            return True
    return False


@compiled
def list_unseen(state: State, first: int, end: int, tiles: Array[Int8]) -> int:
    """Writes the tiles of a range that are still in the stacks; answers how many."""
    count = 0
    for tile in range(first, end):
        if state.owner[tile] != UNSEEN:
            continue
        is_in_chest = False
        for lying in state.chest:
            is_in_chest = is_in_chest or lying == tile
        if not is_in_chest:
            tiles[count] = tile
            count += 1
    return count


@compiled
def field_of(state: State, tile: int) -> int:
    """The field of the chest a tile lies on; NONE if it is not there."""
    for field in range(CHEST):
        if tile >= 0 and state.chest[field] == tile:
            return field
    return NONE

"""Jolly & Roger: the records, and the names of the numbers in them.

Cards are small integers: a pirate is `5 * colour + value - 1`, then the special cards. In a crew a
card that lies face down, a parrot, is `PARROT + card`. Lists are padded with `NONE`. Everything in
this game lies open (JR-R2); only the cards not yet turned up are unknown, and no record holds them.
"""

from __future__ import annotations

from quarterdeck.contract import COMPONENT, RULING, Array, Cube, Grid, Int8, Record, shape

# Cards and ships. How many there are of each, and what a ship is worth, is in the kit.
SHIPS = 4  # JR-C3: green, yellow, blue, red
VALUES = 5  # JR-C1: a pirate has a number from 1 to 5
PIRATES = SHIPS * VALUES
KRAKEN, SKELETON, TORTUGA = range(PIRATES, PIRATES + 3)  # JR-C2
CARD_KINDS = TORTUGA + 1
SKELETON_STRENGTH = 3
PARROT_STRENGTH = 1  # JR-C3: the back of every card
PARROT = 32  # added to a card that lies face down

NONE = -1

OFFER = 5  # JR-5
LARGEST_SET = 4  # JR-5
LONGEST_CREW = 40  # four cards in each of ten turns
LARGEST_PACK = 64

# Options: the variants
INTRO, ADVANCED, ALL_CARDS = range(3)

# Verbs
SPLIT, PICK, CREW, PARROTS, BOARD, PLAY_KRAKEN, PLAY_TORTUGA, START, DEAL = range(9)

# Action numbers, in blocks
EVERY_CARD = (1 << OFFER) - 1
SPLITS = 0  # by the cards of the offer that go into set 1, as bits: all but none and all of them
PICKS = SPLITS + EVERY_CARD - 1
CREWS = PICKS + 2  # pirates in order, then the Skeleton at each ship
PARROTINGS = CREWS + PIRATES + SHIPS  # card by card, each at every ship
BOARDINGS = PARROTINGS + CARD_KINDS * SHIPS
KRAKENS = BOARDINGS + PIRATES  # at each ship, then nowhere
TORTUGAS = KRAKENS + SHIPS + 1
ACTIONS = TORTUGAS + 1

# Phases
TO_START, TO_DEAL, SPLITTING, PICKING, PLAYING, ENDED = range(6)


class Kit(Record):
    """The components of the box."""

    copies: Array[Int8] = shape(CARD_KINDS)  # JR-C1, JR-C2: how many there are of each card
    gold: Array[Int8] = shape(SHIPS)  # JR-C3: what each ship is worth


class Action(Record):
    """split: set 1 in the first five places, set 2 in the others · pick: [1 or 2] · crew, parrot:
    [card, ship] · board: [card] · kraken: [ship or NONE] · tortuga: [] · start: [seat] · deal: five
    cards. Unused places are `NONE`."""

    verb: Int8
    args: Array[Int8] = shape(2 * OFFER)


class State(Record):
    """Everything about a game at one moment."""

    variant: Int8
    phase: Int8
    turn: Int8  # from 1 on
    splitter: Int8
    offer: Array[Int8] = shape(OFFER)  # the five cards turned up, sorted
    sets: Grid[Int8] = shape(2, LARGEST_SET)  # sorted
    hands: Grid[Int8] = shape(2, LARGEST_SET)  # what each seat has still to play, sorted
    crews: Cube[Int8] = shape(SHIPS, 2, LONGEST_CREW)  # by ship and seat, oldest first
    chests: Grid[Int8] = shape(2, PIRATES)  # how many of each pirate went into the chest
    removed: Array[Int8] = shape(CARD_KINDS)  # how many of each card left the game for all to see


class Memory(Record):
    """Nothing has to be remembered: what was shown still lies open (JR-R2)."""

    nothing: Int8


# Rules that can refuse an action
JR_1, JR_4, JR_5, JR_6, JR_7, JR_9, JR_10 = 1, 4, 5, 6, 7, 9, 10
JR_13, JR_14, JR_15, JR_16, JR_19 = 13, 14, 15, 16, 19
JR_R6 = RULING + 6
JR_C1, JR_C2 = COMPONENT + 1, COMPONENT + 2

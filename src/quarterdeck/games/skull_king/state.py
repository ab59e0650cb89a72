"""Skull King: the records, and the names of the numbers in them.

Cards are small integers. A suit card is `13 * suit + rank - 1`; the special cards follow. Scary
Mary lies in a hand as `MARY` and on the table as `MARY_PIRATE` or `MARY_ESCAPE`. Lists of cards are
padded with `NONE`. In a record that shows only what a seat may see, `HIDDEN` stands for a card or
bid that is there but not shown; the same functions work on such a record.
"""

from __future__ import annotations

from quarterdeck.contract import COMPONENT, RULING, Array, Grid, Int8, Int16, Record, shape

# Cards --------------------------------------------------------------------------------- SK-C1
YELLOW, RED, BLUE, BLACK = range(4)
RANKS = 13
SUIT_CARDS = 4 * RANKS
ESCAPE, PIRATE, MERMAID, MARY_PIRATE, MARY_ESCAPE, KING, MARY = range(SUIT_CARDS, SUIT_CARDS + 7)
CARD_KINDS = MARY + 1

NONE = -1
HIDDEN = -2

MOST_PLAYERS = 6  # SK-C2
LAST_HAND = 10  # SK-1

# Verbs and action numbers: `bid N` is N, `play CARD` is FIRST_PLAY + CARD
BID, PLAY, START, DEAL = range(4)
FIRST_PLAY = LAST_HAND + 1
ACTIONS = FIRST_PLAY + MARY

# Phases
TO_START, TO_DEAL, BIDDING, PLAYING, ENDED = range(5)

# Rules that can refuse an action
SK_1, SK_3, SK_4, SK_5, SK_9, SK_17, SK_25 = 1, 3, 4, 5, 9, 17, 25
SK_R1, SK_R4 = RULING + 1, RULING + 4
SK_C1 = COMPONENT + 1

LARGEST_PACK = 128


class Kit(Record):
    """The components of the box."""

    copies: Array[Int8] = shape(CARD_KINDS)  # of each card
    pack: Array[Int8] = shape(LARGEST_PACK)  # every card, in order
    pack_size: Int16


class State(Record):
    """Everything about a game at one moment."""

    players: Int8
    phase: Int8
    hand: Int8  # 1 to 10
    dealer: Int8
    leader: Int8  # who led, or will lead, the trick on the table
    last_leader: Int8
    bids: Array[Int8] = shape(MOST_PLAYERS)
    tricks: Array[Int8] = shape(MOST_PLAYERS)
    trick: Array[Int8] = shape(MOST_PLAYERS)  # cards on the table, from the leader on
    last: Array[Int8] = shape(MOST_PLAYERS)  # the last finished trick, from its leader on
    hands: Grid[Int8] = shape(MOST_PLAYERS, LAST_HAND)  # sorted
    bonus: Array[Int16] = shape(MOST_PLAYERS)  # earned in this hand, if the bid comes true
    scores: Array[Int16] = shape(MOST_PLAYERS)
    pad_bids: Grid[Int8] = shape(LAST_HAND, MOST_PLAYERS)  # the score pad: finished hands
    pad_points: Grid[Int16] = shape(LAST_HAND, MOST_PLAYERS)


class Action(Record):
    """bid: [number] · play: [card] · start: [seat] · deal: ten places a seat, in order of the
    seats. Unused places are `NONE`."""

    verb: Int8
    args: Array[Int8] = shape(MOST_PLAYERS * LAST_HAND)


class Memory(Record):
    """What a seat has been shown in this hand and no longer sees (SK-R3)."""

    played: Array[Int8] = shape(CARD_KINDS)  # how often each card was played in this hand
    void: Grid[Int8] = shape(MOST_PLAYERS, 4)  # 1 where a seat showed that it lacks a suit
    shown: Grid[Int8] = shape(MOST_PLAYERS, LAST_HAND)  # what each seat played: 0, or card + 1

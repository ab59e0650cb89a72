"""Small tools for the tests of Skull King, beside those that all games share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from quarterdeck.contract import Array, Int8
from quarterdeck.games import find_game
from quarterdeck.games.skull_king.state import MOST_PLAYERS, NONE, Action, Kit, State

from ..helpers import Bench

GAME = find_game("skull-king")
KIT: Kit = GAME.kit
BENCH = Bench(GAME, State, Action, spare=1)  # `legal` writes a card before it looks at it

node, to_act, outcome, position = BENCH.node, BENCH.to_act, BENCH.outcome, BENCH.position
legal, refuse, refusal, do, do_all = (
    BENCH.legal, BENCH.refuse, BENCH.refusal, BENCH.do, BENCH.do_all,
)  # fmt: skip
parse, text_of, decode = BENCH.parse, BENCH.text, BENCH.decode
seen_by, glimpse, sampled, count = BENCH.seen_by, BENCH.glimpse, BENCH.sampled, BENCH.count

PLAYERS = (2, 3, 4, 5, 6)

SUIT_CARDS = tuple(f"{suit}{rank}" for suit in "yrbk" for rank in range(1, 14))
FACES = (*SUIT_CARDS, "escape", "pirate", "mermaid", "mary:pirate", "mary:escape", "king")
"""Every card as it can lie on the table."""


def held(card: str) -> str:
    """How a card on the table lay in the hand before."""
    return "mary" if card.startswith("mary") else card


# States --------------------------------------------------------------------------------------


def state_of(players: int, **position: Any) -> State:
    """The state a position describes."""
    return BENCH.state_of({"players": players}, position)


def new_game(players: int) -> State:
    """A game about to begin."""
    return BENCH.new_game(players=players)


def random_game(players: int, seed: int) -> Iterator[tuple[State, int, str]]:
    """Plays a random game: each state with the actor and the text of what follows; the end too."""
    return BENCH.random_game(new_game(players), str(players), seed)


def playable(state: State) -> list[str]:
    """The cards the seat to act may play."""
    (seat,) = to_act(state)
    return [text.removeprefix("play ") for text in legal(state, seat)]


def to_deal(players: int, hand: int = 1, dealer: int = 0) -> State:
    """A hand about to be dealt."""
    return state_of(players, phase="deal", hand=hand, dealer=dealer)


def plain_deal(players: int, hand: int) -> str:
    """A deal of suit cards in order: no card twice."""
    hands = [SUIT_CARDS[seat * hand : (seat + 1) * hand] for seat in range(players)]
    return "deal " + "/".join(",".join(cards) for cards in hands)


def dealt(text: str) -> list[list[str]]:
    """The hands of a deal."""
    return [hand.split(",") for hand in text.removeprefix("deal ").split("/")]


# Single tricks -------------------------------------------------------------------------------


class Trick(NamedTuple):
    """How a trick came out: the place of the winner from the leader on, and the bonus."""

    place: int
    bonus: int


def trick(*cards: str, leader: int = 0) -> Trick:
    """Plays a trick through the rules: hand one, where each seat has nothing but its card.

    Everybody bids one, so the winner's points are 20 and the bonus and all others get -10.
    """
    players = len(cards)
    order = [(leader + place) % players for place in range(players)]
    hands = [[""]] * players
    for seat, card in zip(order, cards, strict=True):
        hands[seat] = [held(card)]
    state = state_of(players, hand=1, leader=leader, hands=hands, bids=[1] * players)
    for seat, card in zip(order, cards, strict=True):
        state = do(state, seat, f"play {card}")
    scores = [int(state.scores[seat]) for seat in order]
    (place,) = (place for place, points in enumerate(scores) if points > 0)
    assert sorted(scores)[:-1] == [-10] * (players - 1)
    return Trick(place, scores[place] - 20)


def winning_card(*cards: str, leader: int = 0) -> str:
    """The card that wins a trick."""
    return cards[trick(*cards, leader=leader).place]


def padded(cards: Sequence[str]) -> Array[Int8]:
    """Cards as the rules hold a trick: numbers, and NONE in the empty places."""
    numbers = [parse(f"play {card}").args[0] for card in cards]
    return np.array(numbers + [NONE] * (MOST_PLAYERS - len(cards)), np.int8)

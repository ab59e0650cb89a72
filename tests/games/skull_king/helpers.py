"""Small tools for the tests of Skull King: positions in, texts and rule numbers out."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numba
import numpy as np

from quarterdeck.contract import (
    CHANCE,
    NATURE,
    OVER,
    Rng,
    Row,
    copy_record,
    record,
    records_of,
    seed_rng,
)
from quarterdeck.games import find_game

GAME = find_game("skull-king")
KIT = GAME.kit
RULES: Any = GAME.rules
NOTATION = GAME.notation

INTERPRETED = bool(numba.config.DISABLE_JIT)
"""Whether the rules run uncompiled; the large random tests then draw a smaller sample."""

PLAYERS = (2, 3, 4, 5, 6)

SUIT_CARDS = tuple(f"{suit}{rank}" for suit in "yrbk" for rank in range(1, 14))
FACES = (*SUIT_CARDS, "escape", "pirate", "mermaid", "mary:pirate", "mary:escape", "king")
"""Every card as it can lie on the table."""


def held(card: str) -> str:
    """How a card on the table lay in the hand before."""
    return "mary" if card.startswith("mary") else card


# States and what may be done in them ---------------------------------------------------------


def state_of(players: int, **position: Any) -> Row:
    """The state a position describes."""
    return NOTATION.from_position(KIT, {"players": players}, position)


def used_record(dtype: Any = RULES.State) -> Row:
    """A record that held something else before."""
    return records_of(dtype, b"\x55" * dtype.dtype.itemsize)[0]


def new_game(players: int) -> Row:
    """A game about to begin."""
    state = used_record()
    RULES.new(KIT, GAME.option_numbers({"players": players}), state)
    return state


def to_deal(players: int, hand: int = 1, dealer: int = 0) -> Row:
    """A hand about to be dealt."""
    return state_of(players, phase="deal", hand=hand, dealer=dealer)


def plain_deal(players: int, hand: int) -> str:
    """A deal of suit cards in order: no card twice."""
    hands = [SUIT_CARDS[seat * hand : (seat + 1) * hand] for seat in range(players)]
    return "deal " + "/".join(",".join(cards) for cards in hands)


def dealt(text: str) -> list[list[str]]:
    """The hands of a deal."""
    return [hand.split(",") for hand in text.removeprefix("deal ").split("/")]


def node(state: Row) -> int:
    """What kind of node a state is."""
    return RULES.node(KIT, state)


def refusal(state: Row, actor: int, text: str) -> str | None:
    """The rule that forbids an action, None if it is allowed. Either way nothing changes."""
    before = state.tobytes()
    number = RULES.refuse(KIT, state, actor, NOTATION.parse(KIT, text))
    assert state.tobytes() == before
    return None if number == 0 else GAME.rule(number)


def do(state: Row, actor: int, text: str) -> Row:
    """The state after an action that must be allowed; the state before stays as it was."""
    assert refusal(state, actor, text) is None, f"{text!r} by {actor} is refused"
    after = copy_record(state)
    RULES.apply(KIT, after, actor, NOTATION.parse(KIT, text))
    return after


def do_all(state: Row, *moves: tuple[int, str]) -> Row:
    """The state after several actions, each by its actor."""
    for actor, text in moves:
        state = do(state, actor, text)
    return state


def legal(state: Row, seat: int) -> list[str]:
    """The texts of what a seat may do, in the order of their numbers."""
    numbers = np.zeros(RULES.ACTIONS, np.int16)
    count = RULES.legal(KIT, state, seat, numbers)
    texts = []
    for number in numbers[:count]:
        action = used_record(RULES.Action)
        RULES.decode(KIT, state, int(number), action)
        texts.append(NOTATION.text(KIT, action))
    return texts


def playable(state: Row) -> list[str]:
    """The cards the seat to act may play."""
    (seat,) = to_act(state)
    return [text.removeprefix("play ") for text in legal(state, seat)]


def to_act(state: Row) -> list[int]:
    """The seats that may act now."""
    bits = RULES.seats(KIT, state)
    return [seat for seat in range(state.players) if bits >> seat & 1]


def position(state: Row) -> dict[str, Any]:
    """The position keys of a state."""
    return NOTATION.position(KIT, state)


def outcome(state: Row) -> tuple[list[int], list[int]]:
    """The scores and the winning seats."""
    scores = np.full(state.players, -7777, np.int64)
    bits = RULES.outcome(KIT, state, scores)
    return scores.tolist(), [seat for seat in range(32) if bits >> seat & 1]


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


def padded(cards: Sequence[str]) -> Any:
    """Cards as the rules hold a trick: numbers, and NONE in the empty places."""
    numbers = [NOTATION.parse(KIT, f"play {card}").args[0] for card in cards]
    return np.array(numbers + [RULES.NONE] * (RULES.MOST_PLAYERS - len(cards)), np.int8)


# Whole games ---------------------------------------------------------------------------------


def sampled(state: Row, seed: int, draw: int) -> str:
    """What chance does, as text."""
    rng, action = record(Rng), used_record(RULES.Action)
    seed_rng(rng, seed, 0, 0, draw)
    RULES.sample(KIT, state, rng, action)
    text = NOTATION.text(KIT, action)
    assert NOTATION.parse(KIT, text).verb == action.verb
    return text


def random_game(players: int, seed: int) -> Iterator[tuple[Row, int, str]]:
    """Plays a random game: each state with the actor and the text of what follows; the end too.

    At the end the actor is nature and the text is empty.
    """
    rng = random.Random(f"{players} {seed}")
    state = new_game(players)
    draw = 0
    while node(state) != OVER:
        if node(state) == CHANCE:
            actor, text = NATURE, sampled(state, seed, draw)
            draw += 1
        else:
            actor = rng.choice(to_act(state))
            text = rng.choice(legal(state, actor))
        yield state, actor, text
        state = do(state, actor, text)
    yield state, NATURE, ""

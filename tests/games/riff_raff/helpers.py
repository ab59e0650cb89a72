"""Small tools for the tests of Riff Raff: positions in, texts and rule numbers out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

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

GAME = find_game("riff-raff")
KIT = GAME.kit
RULES: Any = GAME.rules
NOTATION: Any = GAME.notation
VIEW: Any = GAME.view

INTERPRETED = bool(numba.config.DISABLE_JIT)
"""Whether the rules run uncompiled; the large random tests then draw a smaller sample."""

PLAYERS = (2, 3, 4)
SHAPES = ("boat", "barrel", "flacon", "crate", "sailor", "plank", "rat", "chest")


def state_of(players: int, /, *, world: str = "real", **position: Any) -> Row:
    """The state a position describes."""
    return NOTATION.from_position(KIT, {"players": players, "world": world}, position)


def used_record(dtype: Any = RULES.State) -> Row:
    """A record that held something else before."""
    return records_of(dtype, b"\x55" * dtype.dtype.itemsize)[0]


def new_game(players: int, world: str = "real") -> Row:
    """A game about to begin."""
    state = used_record()
    RULES.new(KIT, GAME.option_numbers({"players": players, "world": world}), state)
    return state


def turn(*played: int, captain: int = 0, **position: Any) -> Row:
    """A turn about to begin in round one: these cards are open, and the order follows."""
    return state_of(len(played), captain=captain, played=list(played), **position)


def node(state: Row) -> int:
    """What kind of node a state is."""
    return int(RULES.node(KIT, state))


def refusal(state: Row, actor: int, text: str) -> str | None:
    """The rule that forbids an action, None if it is allowed. Either way nothing changes."""
    before = state.tobytes()
    number = RULES.refuse(KIT, state, actor, NOTATION.parse(KIT, text))
    assert state.tobytes() == before
    return None if number == 0 else GAME.rule(number)


def do(state: Row, actor: int, text: str) -> Row:
    """The state after an action that must be allowed; the state before stays as it was."""
    rule = refusal(state, actor, text)
    assert rule is None, f"{text!r} by {actor} is refused: {rule}"
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
    numbers = np.full(RULES.ACTIONS, -7, np.int16)
    count = RULES.legal(KIT, state, seat, numbers)
    assert (numbers[count:] == -7).all()
    texts = []
    for number in numbers[:count]:
        action = used_record(RULES.Action)
        RULES.decode(KIT, state, int(number), action)
        texts.append(NOTATION.text(KIT, action))
    return texts


def to_act(state: Row) -> list[int]:
    """The seats that may act now."""
    bits = RULES.seats(KIT, state)
    return [seat for seat in range(state.players) if bits >> seat & 1]


def position(state: Row) -> dict[str, Any]:
    """The position keys of a state."""
    return NOTATION.position(KIT, state)


def seen_by(state: Row, seat: int) -> dict[str, Any]:
    """The position keys of what a seat may see."""
    seen = used_record()
    VIEW.see(KIT, state, seat, seen)
    return NOTATION.position(KIT, seen)


def outcome(state: Row) -> tuple[list[int], list[int]]:
    """The scores and the winning seats."""
    scores = np.full(state.players, -7777, np.int64)
    bits = RULES.outcome(KIT, state, scores)
    return scores.tolist(), [seat for seat in range(32) if bits >> seat & 1]


def sampled(state: Row, seed: int, draw: int) -> str:
    """What chance does, as text."""
    rng, action = record(Rng), used_record(RULES.Action)
    seed_rng(rng, seed, 0, 0, draw)
    RULES.sample(KIT, state, rng, action)
    return NOTATION.text(KIT, action)


def random_game(players: int, seed: int) -> Iterator[tuple[Row, int, str]]:
    """Plays a random game in the fitted world: each state with actor and text of what follows.

    At the end the actor is nature and the text is empty.
    """
    rng = random.Random(f"{players} {seed}")
    state = new_game(players, "fitted")
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

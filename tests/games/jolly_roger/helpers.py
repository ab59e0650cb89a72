"""Small tools for the tests of Jolly & Roger: positions in, texts and rule numbers out."""

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

GAME = find_game("jolly-roger")
KIT = GAME.kit
RULES: Any = GAME.rules
NOTATION: Any = GAME.notation

INTERPRETED = bool(numba.config.DISABLE_JIT)
"""Whether the rules run uncompiled; the large random tests then draw a smaller sample."""

VARIANTS = ("intro", "advanced", "all-cards")
SHIPS = ("green", "yellow", "blue", "red")
PIRATES = tuple(f"{colour}{value}" for colour in "gybr" for value in range(1, 6))
SPECIALS = ("kraken", "skeleton", "tortuga")
CARDS = (*PIRATES, *SPECIALS)
COPIES = {
    **dict(zip(PIRATES, (4, 3, 2, 2, 2, 4, 3, 2, 2, 1, 4, 2, 2, 1, 1, 3, 2, 1, 1, 1), strict=True)),
    "kraken": 3,
    "skeleton": 2,
    "tortuga": 2,
}


def ship_of(card: str) -> str:
    """The ship of a pirate's colour."""
    return next(ship for ship in SHIPS if ship[0] == card[0])


def turns(variant: str) -> int:
    """How many turns a variant has."""
    return 10 if variant == "all-cards" else 8


# States and what may be done in them ---------------------------------------------------------


def state_of(variant: str = "advanced", **position: Any) -> Row:
    """The state a position describes."""
    return NOTATION.from_position(KIT, {"players": 2, "variant": variant}, position)


def playing(hand: list[str], seat: int = 0, variant: str = "advanced", **position: Any) -> Row:
    """The seat has these cards to play and nothing else is due; the other one has played all."""
    hands = [[], []]
    hands[seat] = hand
    return state_of(variant, splitter=seat, hands=hands, **position)


def used_record(dtype: Any = RULES.State) -> Row:
    """A record that held something else before."""
    return records_of(dtype, b"\x55" * dtype.dtype.itemsize)[0]


def new_game(variant: str = "advanced") -> Row:
    """A game about to begin."""
    state = used_record()
    RULES.new(KIT, GAME.option_numbers({"players": 2, "variant": variant}), state)
    return state


def to_deal(variant: str = "advanced", splitter: int = 0, **position: Any) -> Row:
    """A turn about to begin."""
    return state_of(variant, phase="deal", splitter=splitter, **position)


def node(state: Row) -> int:
    """What kind of node a state is."""
    return RULES.node(KIT, state)


def refuse(state: Row, actor: int, action: Row) -> str | None:
    """The rule that forbids an action, None if it is allowed. Either way nothing changes."""
    before = state.tobytes()
    number = RULES.refuse(KIT, state, actor, action)
    assert state.tobytes() == before
    return GAME.rule(number) if number else None


def refusal(state: Row, actor: int, text: str) -> str | None:
    """The rule that forbids what a text says."""
    return refuse(state, actor, NOTATION.parse(KIT, text))


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
    """The texts of what a seat may do, in the order in which they are offered."""
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
    return [seat for seat in range(2) if bits >> seat & 1]


def position(state: Row) -> dict[str, Any]:
    """The position keys of a state."""
    return NOTATION.position(KIT, state)


def captain(state: Row, ship: str) -> int | None:
    """The seat whose captain stands at a ship."""
    return position(state)["captains"][ship]


def outcome(state: Row) -> tuple[list[int], list[int]]:
    """The scores and the winning seats."""
    scores = np.full(2, -7777, np.int64)
    bits = RULES.outcome(KIT, state, scores)
    return scores.tolist(), [seat for seat in range(32) if bits >> seat & 1]


def final(crews: dict[str, Any], chests: Any = ((), ()), variant: str = "advanced") -> Row:
    """A game that is over, with these crews and chests."""
    return state_of(
        variant, phase="over", splitter=0, crews=crews, chests=[list(cards) for cards in chests]
    )


# Whole games ---------------------------------------------------------------------------------


def sampled(state: Row, seed: int, draw: int = 0) -> str:
    """What chance does, as text."""
    rng, action = record(Rng), used_record(RULES.Action)
    seed_rng(rng, seed, 0, 0, draw)
    RULES.sample(KIT, state, rng, action)
    return NOTATION.text(KIT, action)


def random_game(variant: str, seed: int) -> Iterator[tuple[Row, int, str]]:
    """Plays a random game: each state with the actor and the text of what follows; the end too.

    Cards become parrots only half as often as pure chance would have it, so that ships are boarded
    too. At the end the actor is nature and the text is empty.
    """
    rng = random.Random(f"{variant} {seed}")
    state = new_game(variant)
    draw = 0
    while node(state) != OVER:
        if node(state) == CHANCE:
            actor, text = NATURE, sampled(state, seed, draw)
            draw += 1
        else:
            (actor,) = to_act(state)
            texts = legal(state, actor)
            bolder = [text for text in texts if not text.startswith("parrot")]
            text = rng.choice(bolder if rng.random() < 0.5 else texts)
        yield state, actor, text
        state = do(state, actor, text)
    yield state, NATURE, ""

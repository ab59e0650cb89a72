"""Small tools for the tests of Jolly & Roger: positions in, texts and rule numbers out."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np

from quarterdeck.contract import (
    CHANCE,
    NATURE,
    OVER,
    Record,
    Rng,
    copy_record,
    is_compiled,
    record,
    records_of,
    seed_rng,
)
from quarterdeck.games import find_game
from quarterdeck.games.jolly_roger import notation, positions, rules
from quarterdeck.games.jolly_roger.state import ACTIONS, Action, Kit, State

R = TypeVar("R", bound=Record)

Position: TypeAlias = dict[str, Any]
Crews: TypeAlias = Mapping[str, Sequence[Sequence[str]]]
Chests: TypeAlias = Sequence[Sequence[str]]

GAME = find_game("jolly-roger")
KIT: Kit = GAME.kit

INTERPRETED = not is_compiled()
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


def state_of(variant: str = "advanced", **position: Any) -> State:
    """The state a position describes."""
    return positions.from_position(KIT, {"players": 2, "variant": variant}, position)


def playing(hand: list[str], seat: int = 0, variant: str = "advanced", **position: Any) -> State:
    """The seat has these cards to play and nothing else is due; the other one has played all."""
    hands: list[list[str]] = [[], []]
    hands[seat] = hand
    return state_of(variant, splitter=seat, hands=hands, **position)


def used_record(kind: type[R]) -> R:
    """A record that held something else before."""
    return records_of(kind, b"\x55" * kind.dtype.itemsize)[0]


def new_game(variant: str = "advanced") -> State:
    """A game about to begin."""
    state = used_record(State)
    rules.new(KIT, GAME.option_numbers({"players": 2, "variant": variant}), state)
    return state


def to_deal(variant: str = "advanced", splitter: int = 0, **position: Any) -> State:
    """A turn about to begin."""
    return state_of(variant, phase="deal", splitter=splitter, **position)


def node(state: State) -> int:
    """What kind of node a state is."""
    return rules.node(KIT, state)


def refuse(state: State, actor: int, action: Action) -> str | None:
    """The rule that forbids an action, None if it is allowed. Either way nothing changes."""
    before = state.tobytes()
    number = rules.refuse(KIT, state, actor, action)
    assert state.tobytes() == before
    return GAME.rule(number) if number else None


def refusal(state: State, actor: int, text: str) -> str | None:
    """The rule that forbids what a text says."""
    return refuse(state, actor, notation.parse(KIT, text))


def do(state: State, actor: int, text: str) -> State:
    """The state after an action that must be allowed; the state before stays as it was."""
    assert refusal(state, actor, text) is None, f"{text!r} by {actor} is refused"
    after = copy_record(state)
    rules.apply(KIT, after, actor, notation.parse(KIT, text))
    return after


def do_all(state: State, *moves: tuple[int, str]) -> State:
    """The state after several actions, each by its actor."""
    for actor, text in moves:
        state = do(state, actor, text)
    return state


def legal(state: State, seat: int) -> list[str]:
    """The texts of what a seat may do, in the order in which they are offered."""
    numbers = np.full(ACTIONS, -7, np.int16)
    count = rules.legal(KIT, state, seat, numbers)
    assert (numbers[count:] == -7).all()
    texts = []
    for number in numbers[:count]:
        action = used_record(Action)
        rules.decode(KIT, state, int(number), action)
        texts.append(notation.text(KIT, action))
    return texts


def to_act(state: State) -> list[int]:
    """The seats that may act now."""
    bits = rules.seats(KIT, state)
    return [seat for seat in range(2) if bits >> seat & 1]


def position(state: State) -> Position:
    """The position keys of a state."""
    return positions.position(KIT, state)


def captain(state: State, ship: str) -> int | None:
    """The seat whose captain stands at a ship."""
    captains: dict[str, int | None] = position(state)["captains"]
    return captains[ship]


def outcome(state: State) -> tuple[list[int], list[int]]:
    """The scores and the winning seats."""
    scores = np.full(2, -7777, np.int64)
    bits = rules.outcome(KIT, state, scores)
    return scores.tolist(), [seat for seat in range(32) if bits >> seat & 1]


def final(crews: Crews, chests: Chests = ((), ()), variant: str = "advanced") -> State:
    """A game that is over, with these crews and chests."""
    return state_of(
        variant, phase="over", splitter=0, crews=crews, chests=[list(cards) for cards in chests]
    )


# Whole games ---------------------------------------------------------------------------------


def sampled(state: State, seed: int, draw: int = 0) -> str:
    """What chance does, as text."""
    rng, action = record(Rng), used_record(Action)
    seed_rng(rng, seed, 0, 0, draw)
    rules.sample(KIT, state, rng, action)
    return notation.text(KIT, action)


def random_game(variant: str, seed: int) -> Iterator[tuple[State, int, str]]:
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

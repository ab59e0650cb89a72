"""Small tools for the tests of Jolly & Roger, beside those that all games share."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from quarterdeck.contract import SEAT
from quarterdeck.games import find_game
from quarterdeck.games.jolly_roger import rules
from quarterdeck.games.jolly_roger.state import Action, Kit, State

from ..helpers import Bench

Position: TypeAlias = dict[str, Any]
Crews: TypeAlias = Mapping[str, Sequence[Sequence[str]]]
Chests: TypeAlias = Sequence[Sequence[str]]

GAME = find_game("jolly-roger")
KIT: Kit = GAME.kit
BENCH = Bench(GAME, State, Action, players=2)

node, to_act, outcome, position = BENCH.node, BENCH.to_act, BENCH.outcome, BENCH.position
legal, refuse, refusal, do, do_all = (
    BENCH.legal, BENCH.refuse, BENCH.refusal, BENCH.do, BENCH.do_all,
)  # fmt: skip
parse, text_of, decode = BENCH.parse, BENCH.text, BENCH.decode
sampled, told = BENCH.sampled, BENCH.told

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


def unseen(state: State) -> list[str]:
    """The cards that nobody has seen yet, each as often as it is there."""
    left = np.zeros(len(CARDS), np.int8)
    rules.count_unseen(KIT, state, left)
    return [card for card, count in zip(CARDS, left, strict=True) for _ in range(count)]


def ship_of(card: str) -> str:
    """The ship of a pirate's colour."""
    return next(ship for ship in SHIPS if ship[0] == card[0])


def turns(variant: str) -> int:
    """How many turns a variant has."""
    return 10 if variant == "all-cards" else 8


# States --------------------------------------------------------------------------------------


def state_of(variant: str = "advanced", **position: Any) -> State:
    """The state a position describes."""
    return BENCH.state_of({"variant": variant}, position)


def new_game(variant: str = "advanced") -> State:
    """A game about to begin."""
    return BENCH.new_game(variant=variant)


def playing(hand: list[str], seat: int = 0, variant: str = "advanced", **position: Any) -> State:
    """The seat has these cards to play and nothing else is due; the other one has played all."""
    hands: list[list[str]] = [[], []]
    hands[seat] = hand
    return state_of(variant, splitter=seat, hands=hands, **position)


def to_deal(variant: str = "advanced", splitter: int = 0, **position: Any) -> State:
    """A turn about to begin."""
    return state_of(variant, phase="deal", splitter=splitter, **position)


def final(crews: Crews, chests: Chests = ((), ()), variant: str = "advanced") -> State:
    """A game that is over, with these crews and chests."""
    return state_of(
        variant, phase="over", splitter=0, crews=crews, chests=[list(cards) for cards in chests]
    )


def captain(state: State, ship: str) -> int | None:
    """The seat whose captain stands at a ship."""
    captains: dict[str, int | None] = position(state)["captains"]
    return captains[ship]


def random_game(variant: str, seed: int) -> Iterator[tuple[State, int, str]]:
    """Plays a random game: each state with the actor and the text of what follows; the end too.

    Cards become parrots only half as often as pure chance would have it, so that ships are boarded
    too. At the end the actor is nature and the text is empty.
    """

    def pick(state: State, rng: random.Random) -> tuple[int, str] | None:
        if node(state) != SEAT:
            return None
        (seat,) = to_act(state)
        texts = legal(state, seat)
        bolder = [text for text in texts if not text.startswith("parrot")]
        return seat, rng.choice(bolder if rng.random() < 0.5 else texts)

    return BENCH.random_game(new_game(variant), variant, seed, pick)

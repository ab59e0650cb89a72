"""Small tools for the tests of Gezanke, beside those that all games share."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from quarterdeck.contract import LIVE, NATURE, SPECTATOR
from quarterdeck.games import find_game
from quarterdeck.games.gezanke.state import Action, Kit, State

from ..helpers import Bench

GAME = find_game("gezanke")
KIT: Kit = GAME.kit
BENCH = Bench(GAME, State, Action)

node, to_act, outcome, position = BENCH.node, BENCH.to_act, BENCH.outcome, BENCH.position
legal, refusal, do, do_all = BENCH.legal, BENCH.refusal, BENCH.do, BENCH.do_all
parse, text_of, decode = BENCH.parse, BENCH.text, BENCH.decode
told, keys, sampled = BENCH.told, BENCH.keys_told, BENCH.sampled

PLAYERS = (2, 3, 4)
PLANKS = ("yellow", "green", "orange", "red", "blue", "purple")
COLOURS = ("grey", "white", "black", "brown")
SPACES = tuple(f"{plank}:{space}" for plank in PLANKS for space in range(-4, 5))

Crews: TypeAlias = Mapping[str, Sequence[str | None]]
"""Where the pirates of each colour are, as positions tell it."""

# States --------------------------------------------------------------------------------------


def options(players: int = 4, hands: str = "steady", purses: str = "hidden") -> dict[str, Any]:
    """The options of a game."""
    return {"players": players, "hands": hands, "purses": purses}


def state_of(players: int = 4, hands: str = "steady", **position: Any) -> State:
    """The state a position describes. Planks lie in their order, the front up, unless said."""
    if position.get("phase") not in ("start", "lay"):
        position.setdefault("active", 0)
        offsets = position.pop("offsets", {})
        sides = position.pop("sides", {})
        order = position.pop("order", PLANKS)
        position["planks"] = [
            {"name": name, "side": sides.get(name, "front"), "offset": offsets.get(name, 0)}
            for name in order
        ]
    return BENCH.state_of(options(players, hands), position)


def to_slide(dice: str, players: int = 4, hands: str = "steady", **position: Any) -> State:
    """The active player has rolled."""
    return state_of(players, hands, phase="slide", dice=dice.split(), **position)


def to_lift(
    slid: str, other: str, players: int = 4, hands: str = "steady", **position: Any
) -> State:
    """The active player has slid a plank and moves a pirate onto another."""
    return state_of(players, hands, phase="lift", dice=[slid, other], slid=slid, **position)


def new_game(players: int = 4, hands: str = "steady") -> State:
    """A game about to begin."""
    return BENCH.new_game(players=players, hands=hands)


def laid(players: int = 4, start: int = 0, hands: str = "steady") -> State:
    """The planks lie; the first pirate is to be placed."""
    sides = " ".join(f"{plank}/front" for plank in PLANKS)
    state = do(new_game(players, hands), NATURE, f"start {start}")
    return do(state, NATURE, f"lay {sides}")


def outlook(state: State, seat: int | None = None) -> Mapping[str, Any]:
    """What a view adds to the position, for the seat that is to act unless another is named."""
    if seat is None:
        seat = (to_act(state) or [SPECTATOR])[0]
    return BENCH.outlook(state, seat)


def margin(state: State, plank: str) -> int:
    """How far a plank is from tipping, in tenths of a millimetre."""
    planks = [found["name"] for found in position(state)["planks"]]
    return int(outlook(state)["margins"][planks.index(plank)])


def offset(state: State, plank: str) -> int:
    """How far a plank is slid."""
    (offset,) = [found["offset"] for found in position(state)["planks"] if found["name"] == plank]
    return int(offset)


def pirates(state: State, colour: str) -> list[str | None]:
    """Where the pirates of a colour are."""
    return list(position(state)["pirates"][colour])


# Whole games ---------------------------------------------------------------------------------


def random_hand(rng: random.Random) -> str:
    """A hand that is now careful, now clumsy."""
    if rng.random() < 0.4:
        return "hand speed=0 press=0 kick=0 over=0"
    speed, press = rng.randrange(120), rng.randrange(120)
    return f"hand speed={speed} press={press} kick={rng.randrange(1500)} over={rng.randrange(60)}"


def random_game(players: int, seed: int, hands: str = "steady") -> Iterator[tuple[State, int, str]]:
    """Plays a random game: each state with the actor and the text of what follows; the end too."""

    def pick(state: State, rng: random.Random) -> tuple[int, str] | None:
        return (NATURE, random_hand(rng)) if node(state) == LIVE else None

    return BENCH.random_game(new_game(players, hands), f"{players} {hands}", seed, pick)

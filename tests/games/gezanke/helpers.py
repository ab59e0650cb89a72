"""Small tools for the tests of Gezanke: positions in, texts and rule numbers out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numba
import numpy as np

from quarterdeck.contract import (
    CHANCE,
    LIVE,
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

GAME = find_game("gezanke")
KIT = GAME.kit
RULES: Any = GAME.rules
NOTATION: Any = GAME.notation
VIEW: Any = GAME.view

INTERPRETED = bool(numba.config.DISABLE_JIT)
"""Whether the rules run uncompiled; the large random tests then draw a smaller sample."""

PLAYERS = (2, 3, 4)
PLANKS = ("yellow", "green", "orange", "red", "blue", "purple")
COLOURS = ("grey", "white", "black", "brown")
SPACES = tuple(f"{plank}:{space}" for plank in PLANKS for space in range(-4, 5))

# States and what may be done in them ---------------------------------------------------------


def options(players: int = 4, hands: str = "steady", purses: str = "hidden") -> dict[str, Any]:
    """The options of a game."""
    return {"players": players, "hands": hands, "purses": purses}


def state_of(players: int = 4, hands: str = "steady", **position: Any) -> Row:
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
    return NOTATION.from_position(KIT, options(players, hands), position)


def to_slide(dice: str, players: int = 4, hands: str = "steady", **position: Any) -> Row:
    """The active player has rolled."""
    return state_of(players, hands, phase="slide", dice=dice.split(), **position)


def to_lift(slid: str, other: str, players: int = 4, hands: str = "steady", **position: Any) -> Row:
    """The active player has slid a plank and moves a pirate onto another."""
    return state_of(players, hands, phase="lift", dice=[slid, other], slid=slid, **position)


def used_record(dtype: Any = RULES.State) -> Row:
    """A record that held something else before."""
    return records_of(dtype, b"\x55" * dtype.dtype.itemsize)[0]


def new_game(players: int = 4, hands: str = "steady") -> Row:
    """A game about to begin."""
    state = used_record()
    RULES.new(KIT, GAME.option_numbers(options(players, hands)), state)
    return state


def laid(players: int = 4, start: int = 0, hands: str = "steady") -> Row:
    """The planks lie; the first pirate is to be placed."""
    sides = " ".join(f"{plank}/front" for plank in PLANKS)
    state = do(new_game(players, hands), NATURE, f"start {start}")
    return do(state, NATURE, f"lay {sides}")


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
    rule = refusal(state, actor, text)
    assert rule is None, f"{text!r} by {actor} is refused by {rule}"
    after = copy_record(state)
    RULES.apply(KIT, after, actor, NOTATION.parse(KIT, text))
    return after


def do_all(state: Row, *moves: tuple[int, str]) -> Row:
    """The state after several actions, each by its actor."""
    for actor, text in moves:
        state = do(state, actor, text)
    return state


def told(state: Row, actor: int, text: str) -> list[Any]:
    """What is told of an action to somebody who sees everything: keys and values."""
    after = do(state, actor, text)
    events = VIEW.events(KIT, state, actor, NOTATION.parse(KIT, text), after)
    return [(event.key, event.values) for event in events]


def keys(state: Row, actor: int, text: str) -> list[str]:
    """The keys of what is told."""
    return [key for key, _ in told(state, actor, text)]


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
    return [seat for seat in range(4) if bits >> seat & 1]


def position(state: Row) -> dict[str, Any]:
    """The position keys of a state."""
    return NOTATION.position(KIT, state)


def outlook(state: Row, seat: int | None = None) -> dict[str, Any]:
    """What a view adds to the position, for the seat that is to act unless another is named."""
    if seat is None:
        seat = (to_act(state) or [-1])[0]
    return GAME.outlook(KIT, state, seat)


def margin(state: Row, plank: str) -> int:
    """How far a plank is from tipping, in tenths of a millimetre."""
    planks = [found["name"] for found in position(state)["planks"]]
    return outlook(state)["margins"][planks.index(plank)]


def offset(state: Row, plank: str) -> int:
    """How far a plank is slid."""
    return next(found["offset"] for found in position(state)["planks"] if found["name"] == plank)


def pirates(state: Row, colour: str) -> list[str | None]:
    """Where the pirates of a colour are."""
    return position(state)["pirates"][colour]


def outcome(state: Row) -> tuple[list[int], list[int]]:
    """The scores and the winning seats."""
    players = int(state.players)
    scores = np.full(players, -7777, np.int64)
    bits = RULES.outcome(KIT, state, scores)
    return scores.tolist(), [seat for seat in range(32) if bits >> seat & 1]


# Whole games ---------------------------------------------------------------------------------


def sampled(state: Row, seed: int, draw: int = 0) -> str:
    """What nature does, as text."""
    rng, action = record(Rng), used_record(RULES.Action)
    seed_rng(rng, seed, 0, 0, draw)
    RULES.sample(KIT, state, rng, action)
    return NOTATION.text(KIT, action)


def random_hand(rng: random.Random) -> str:
    """A hand that is now careful, now clumsy."""
    if rng.random() < 0.4:
        return "hand speed=0 press=0 kick=0 over=0"
    speed, press = rng.randrange(120), rng.randrange(120)
    return f"hand speed={speed} press={press} kick={rng.randrange(1500)} over={rng.randrange(60)}"


def random_game(players: int, seed: int, hands: str = "steady") -> Iterator[tuple[Row, int, str]]:
    """Plays a random game: each state with the actor and the text of what follows; the end too.

    At the end the actor is nature and the text is empty.
    """
    rng = random.Random(f"{players} {hands} {seed}")
    state = new_game(players, hands)
    draw = 0
    while node(state) != OVER:
        if node(state) == CHANCE:
            actor, text = NATURE, sampled(state, seed, draw)
            draw += 1
        elif node(state) == LIVE:
            actor, text = NATURE, random_hand(rng)
        else:
            (actor,) = to_act(state)
            text = rng.choice(legal(state, actor))
        yield state, actor, text
        state = do(state, actor, text)
    yield state, NATURE, ""

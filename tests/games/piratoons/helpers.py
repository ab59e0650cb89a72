"""Small tools for the tests of Piratoons: positions in, texts and rule numbers out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numba
import numpy as np

from quarterdeck.contract import (
    CHANCE,
    NATURE,
    OPEN,
    OVER,
    Rng,
    Row,
    copy_record,
    record,
    records_of,
    seed_rng,
)
from quarterdeck.games import find_game

GAME = find_game("piratoons")
KIT = GAME.kit
RULES: Any = GAME.rules
NOTATION: Any = GAME.notation

INTERPRETED = bool(numba.config.DISABLE_JIT)
"""Whether the rules run uncompiled; the large random tests then draw a smaller sample."""

EQUIPMENT = tuple(
    f"{kind}-{design}{copy}"
    for kind in ("deck", "gun", "port", "quart")
    for design in "abc"
    for copy in (1, 2, 3)
) + tuple(f"sail-{number}" for number in range(1, 13))
PARTS = tuple(f"p{number}" for number in range(1, 25))

CHEST = ["deck-a1", "gun-a1", "port-a1", "quart-a1", "sail-1", "sail-2", "p1", "p5", "p11"]
"""What lies in the chest unless a test says otherwise: one of each kind, and three parts."""


def middle(field: int) -> tuple[int, int]:
    """The middle of a field, counted from 1."""
    return (17 + 45 * (field - 1) + 20, 40) if field <= 6 else (20 + 90 * (field - 7) + 40, 140)


# States and what may be done in them ---------------------------------------------------------


def used_record(dtype: Any = RULES.State) -> Row:
    """A record that held something else before."""
    return records_of(dtype, b"\x55" * dtype.dtype.itemsize)[0]


def new_game(players: int = 4) -> Row:
    """A game about to begin."""
    state = used_record()
    RULES.new(KIT, np.array([players], np.int64), state)
    return state


def state_of(players: int = 4, **position: Any) -> Row:
    """The state a position describes. Tiles that the rounds before must have used up, and that the
    position does not name, lie on the bottom of the sea or float."""
    position.setdefault("captain", 0)
    position.setdefault("round", 1)
    phase = position.get("phase", "fill")
    gone = position["round"] - (phase == "fill")
    named = {name for name in position.get("chest", ()) if name}
    named |= {*position.get("sunk", ()), *position.get("floating", ())}
    for names in position.get("won", ()):
        named |= set(names)
    for ship in position.get("ships", ()):
        named |= set(ship.replace("(", " ").replace(")", " ").replace(",", " ").split())
    for key, names, a_round in (("sunk", PARTS, 3), ("floating", EQUIPMENT, 6)):
        missing = gone * a_round - len(named & set(names))
        assert missing >= 0, f"round {position['round']} is too early"
        spare = [name for name in reversed(names) if name not in named][:missing]
        position[key] = [*position.get(key, ()), *spare]
    return NOTATION.from_position(KIT, {"players": players}, position)


def open_chest(players: int = 4, **position: Any) -> Row:
    """An open chest in round 1."""
    given = {"phase": "plunder", "chest": CHEST, "opened": True} | position
    return state_of(players, **given)


def refit_of(tiles: list[str], ship: str = "-", players: int = 2, **position: Any) -> Row:
    """Seat 0 has won these tiles and lays out its ship."""
    needed = max(1, -(-sum(tile in PARTS for tile in tiles + ship.replace("(", " ").split()) // 3))
    pieces = tiles + ship.replace("(", " ").replace(")", " ").replace(",", " ").split()
    needed = max(needed, -(-sum(tile in EQUIPMENT for tile in pieces) // 6))
    rest = players - 1
    given = {"phase": "refit", "round": needed, "won": [tiles] + [[]] * rest}
    return state_of(players, **{**given, "ships": [ship] + ["-"] * rest} | position)


def node(state: Row) -> int:
    """What kind of node a state is."""
    return RULES.node(KIT, state)


def refusal(state: Row, actor: int, text: str) -> str | None:
    """The rule that forbids what a text says, None if it is allowed. Either way nothing changes."""
    before = state.tobytes()
    number = RULES.refuse(KIT, state, actor, NOTATION.parse(KIT, text))
    assert state.tobytes() == before
    return GAME.rule(number) if number else None


def do(state: Row, actor: int, text: str) -> Row:
    """The state after an action that must be allowed; the state before stays as it was."""
    refused = refusal(state, actor, text)
    assert refused is None, f"{text!r} by {actor} is refused by {refused}"
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
    return [seat for seat in range(8) if bits >> seat & 1]


def position(state: Row) -> dict[str, Any]:
    """The position keys of a state."""
    return NOTATION.position(KIT, state)


def outcome(state: Row) -> tuple[list[int], list[int]]:
    """The scores and the winning seats."""
    scores = np.full(int(state.players), -7777, np.int64)
    bits = RULES.outcome(KIT, state, scores)
    return scores.tolist(), [seat for seat in range(8) if bits >> seat & 1]


def final(*ships: str, doubloons: list[int] | None = None) -> Row:
    """A game that is over, with these ships."""
    coins = doubloons or [0] * len(ships)
    return state_of(len(ships), phase="over", round=8, ships=list(ships), doubloons=coins)


# Whole games ---------------------------------------------------------------------------------


def sampled(state: Row, rng: Row) -> str:
    """What nature does, as text."""
    action = used_record(RULES.Action)
    RULES.sample(KIT, state, rng, action)
    return NOTATION.text(KIT, action)


def composed(state: Row, seat: int, rng: Row) -> str | None:
    """A random composite action of a seat."""
    action, memory = used_record(RULES.Action), record(GAME.records.Memory)
    if not GAME.bot.compose(KIT, state, memory, seat, rng, action):
        return None
    return NOTATION.text(KIT, action)


def random_game(players: int, seed: int) -> Iterator[tuple[Row, int, str]]:
    """Plays a random game: each state with the actor and the text of what follows; the end too.

    Half of what can be composed is; at the end the actor is nature and the text is empty.
    """
    rng, chance = random.Random(f"{players} {seed}"), record(Rng)
    seed_rng(chance, seed, players, 0, 0)
    state = new_game(players)
    while node(state) != OVER:
        seats = to_act(state)
        is_clock = node(state) == OPEN and rng.random() < 0.12
        if node(state) == CHANCE or is_clock:
            actor, text = NATURE, sampled(state, chance)
        else:
            actor = rng.choice(seats)
            text = rng.choice(legal(state, actor))
            if rng.random() < 0.5:
                text = composed(state, actor, chance) or text
        yield state, actor, text
        state = do(state, actor, text)
    yield state, NATURE, ""

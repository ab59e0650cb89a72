"""Small tools for the tests of Piratoons: positions in, texts and rule numbers out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from quarterdeck.contract import CHANCE, NATURE, OPEN, Rng, record, seed_rng
from quarterdeck.games import find_game
from quarterdeck.games.piratoons import bot
from quarterdeck.games.piratoons.state import Action, Kit, Memory, State

from ..helpers import INTERPRETED as INTERPRETED
from ..helpers import Bench

GAME = find_game("piratoons")
KIT: Kit = GAME.kit
BENCH = Bench(GAME, State, Action)
do, do_all, legal, refusal = BENCH.do, BENCH.do_all, BENCH.legal, BENCH.refusal
node, to_act, outcome, position = BENCH.node, BENCH.to_act, BENCH.outcome, BENCH.position
seen_by, outlook, sampled = BENCH.seen_by, BENCH.outlook, BENCH.drawn

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


# States --------------------------------------------------------------------------------------


def new_game(players: int = 4) -> State:
    """A game about to begin."""
    return BENCH.new_game(players=players)


def state_of(players: int = 4, **position: Any) -> State:
    """The state a position describes. Tiles that the rounds before must have used up, and that the
    position does not name, lie on the bottom of the sea or float; in an auction those of this round
    that are not in the chest were won, by the last seat as far as its stones reach."""
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
    won = [list(names) for names in position.get("won", [[]] * players)]
    here = {name for name in position.get("chest", ()) if name}.union(*won)
    for key, names, a_round in (("sunk", PARTS, 3), ("floating", EQUIPMENT, 6)):
        missing = gone * a_round - len(named & set(names))
        assert missing >= 0, f"round {position['round']} is too early"
        spare = [name for name in reversed(names) if name not in named][:missing]
        while phase in ("auction", "take") and len(here & set(names)) < a_round:
            here.add(spare[-1])
            max(won, key=lambda tiles: (len(tiles) < 6, won.index(tiles))).append(spare.pop())
        position[key] = [*position.get(key, ()), *spare]
    position["won"] = won
    return BENCH.state_of({"players": players}, position)


def open_chest(players: int = 4, **position: Any) -> State:
    """An open chest in round 1."""
    given = {"phase": "plunder", "chest": CHEST, "opened": True} | position
    return state_of(players, **given)


def rounds_for(tiles: list[str]) -> int:
    """In how many rounds so many tiles come out of the stacks."""
    parts = sum(tile in PARTS for tile in tiles)
    equipment = sum(tile in EQUIPMENT for tile in tiles)
    return max(1, -(-parts // 3), -(-equipment // 6))


def refit_of(tiles: list[str], ship: str = "-", players: int = 2, **position: Any) -> State:
    """Seat 0 has won these tiles and lays out its ship."""
    built = ship.replace("(", " ").replace(")", " ").replace(",", " ").split()
    needed = max(rounds_for(tiles + built), rounds_for(built) + 1 if built != ["-"] else 1)
    rest = players - 1
    given = {"phase": "refit", "round": needed, "won": [tiles] + [[]] * rest}
    return state_of(players, **{**given, "ships": [ship] + ["-"] * rest} | position)


def final(*ships: str, doubloons: list[int] | None = None) -> State:
    """A game that is over, with these ships."""
    coins = doubloons or [0] * len(ships)
    return state_of(len(ships), phase="over", round=8, ships=list(ships), doubloons=coins)


# Whole games ---------------------------------------------------------------------------------


def composed(state: State, seat: int, rng: Rng) -> str | None:
    """A random composite action of a seat."""
    action, memory = BENCH.used_action(), record(Memory)
    if not bot.compose(KIT, state, memory, seat, rng, action):
        return None
    return BENCH.text(action)


def random_game(players: int, seed: int) -> Iterator[tuple[State, int, str]]:
    """Plays a random game: each state with the actor and the text of what follows; the end too.

    The clock acts now and then, and half of what can be composed is.
    """
    chance = record(Rng)
    seed_rng(chance, seed, players, 0, 0)

    def pick(state: State, rng: random.Random) -> tuple[int, str]:
        is_clock = node(state) == OPEN and rng.random() < 0.12
        if node(state) == CHANCE or is_clock:
            return NATURE, sampled(state, chance)
        actor = rng.choice(to_act(state))
        text = rng.choice(legal(state, actor))
        if rng.random() < 0.5:
            text = composed(state, actor, chance) or text
        return actor, text

    return BENCH.random_game(new_game(players), str(players), seed, pick)

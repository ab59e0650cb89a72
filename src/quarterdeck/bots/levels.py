"""The bots by name, and what each of them does at a match."""

from __future__ import annotations

import numpy as np

from quarterdeck.contract import BadOption, Game, Row, below
from quarterdeck.engine.loops import GAME_BOT, RANDOM
from quarterdeck.engine.match import Knowledge, Match

LEVELS = {"random": RANDOM, "bosun": GAME_BOT}
"""`random` takes any legal action alike; `bosun` follows the game's own rule of thumb."""


def find_level(name: str) -> int:
    """The number of a level in compiled loops. Raises `BadOption`."""
    if name not in LEVELS:
        raise BadOption(f"there is no bot {name!r}; there is {', '.join(LEVELS)}")
    return LEVELS[name]


def choose_action(match: Match, seat: int, level: str, rng: Row) -> str:
    """What a bot on this seat does now, as a text. It is given its seat's knowledge only."""
    return match.action_text(decide(match.game, match.knowledge(seat), level, rng))


def decide(game: Game, known: Knowledge, level: str, rng: Row) -> int:
    """The number of the action a bot chooses from what its seat knows. Safe in any thread."""
    if find_level(level) == RANDOM:
        numbers = np.zeros(game.rules.ACTIONS, np.int16)
        count = game.rules.legal(game.kit, known.seen, known.seat, numbers)
        return int(numbers[below(rng, count)])
    return int(game.bot.choose(game.kit, known.seen, known.memory, known.seat, rng))

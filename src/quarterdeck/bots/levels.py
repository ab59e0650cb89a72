"""The bots by name, and what each of them does at a match."""

from __future__ import annotations

from quarterdeck.contract import BadOption, Row, below
from quarterdeck.engine.loops import GAME_BOT, RANDOM
from quarterdeck.engine.match import Match

LEVELS = {"random": RANDOM, "bosun": GAME_BOT}
"""`random` takes any legal action alike; `bosun` follows the game's own rule of thumb."""


def find_level(name: str) -> int:
    """The number of a level in compiled loops. Raises `BadOption`."""
    if name not in LEVELS:
        raise BadOption(f"there is no bot {name!r}; there is {', '.join(LEVELS)}")
    return LEVELS[name]


def choose_action(match: Match, seat: int, level: str, rng: Row) -> str:
    """What a bot on this seat does now, as a text. It is given its seat's knowledge only."""
    if find_level(level) == RANDOM:
        numbers = match.legal_numbers(seat)
        return match.action_text(numbers[below(rng, len(numbers))])
    known = match.knowledge(seat)
    kit = match.game.kit
    return match.action_text(match.game.bot.choose(kit, known.seen, known.memory, seat, rng))

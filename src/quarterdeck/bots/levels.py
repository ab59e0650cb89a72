"""The bots by name: what each of them is given to think, and what it decides."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from quarterdeck.contract import OPEN, AnyRecord, BadOption, Game, below
from quarterdeck.engine.asides import asides_of, without_asides
from quarterdeck.engine.loops import DECKHAND, GAME_BOT, RANDOM, SLIP
from quarterdeck.engine.match import Knowledge, Match

from .search import Budget, Estimate, search

SEARCH = -1
"""In the place of a policy of the compiled loops: the level searches."""


class Level(NamedTuple):
    """How a level decides: a policy of the compiled loops, or `SEARCH` within a budget.

    `budget` is what it has at a table; `fixed` what it has in matches and tests, so that the same
    seed gives the same game on any machine. A trusting search takes the other seats to play by rule
    of thumb; one that is not takes them to think as well. `skill` counts the levels from the
    beginner, 0, on.
    """

    policy: int
    budget: Budget
    fixed: Budget
    trusting: bool = False
    skill: int = 0


_AT_ONCE = Budget(None, None)

LEVELS = {
    "random": Level(RANDOM, _AT_ONCE, _AT_ONCE),
    "deckhand": Level(DECKHAND, _AT_ONCE, _AT_ONCE),
    "bosun": Level(GAME_BOT, _AT_ONCE, _AT_ONCE, skill=1),
    "quartermaster": Level(SEARCH, Budget(0.15, None), Budget(None, 1000), trusting=True, skill=2),
    "legend": Level(SEARCH, Budget(1.0, None), Budget(None, 7000), skill=3),
}
"""`random` takes any legal action alike that is no aside, for simulations; the others are
opponents, ever stronger: a beginner, the game's own rule of thumb, and two that search."""


WAIT, THINK = -1, -2
"""In the place of an action's number: nothing yet, in an open node; here it has to search."""


class Decision(NamedTuple):
    """What a bot does, and what it expects of every legal action, best first, if it searched. In an
    open node its number may be `WAIT`."""

    number: int
    estimates: list[Estimate]


def find_level(name: str) -> Level:
    """The level of this name. Raises `BadOption`."""
    if name not in LEVELS:
        raise BadOption(f"there is no bot {name!r}; there is {', '.join(LEVELS)}")
    return LEVELS[name]


def fixed_budget(level: str) -> Budget:
    """What a level may spend on a decision where games must be reproducible."""
    return find_level(level).fixed


def choose_action(
    match: Match, seat: int, level: str, rng: AnyRecord, budget: Budget | None = None
) -> str | None:
    """What a bot on this seat does now, as a text; None if it waits, in an open node. It is given
    its seat's knowledge only."""
    decision = decide(match.game, match.knowledge(seat), level, rng, budget)
    return None if decision.number == WAIT else match.action_text(decision.number)


def decide(
    game: Game, known: Knowledge, level: str, rng: AnyRecord, budget: Budget | None = None
) -> Decision:
    """What a bot does, from what its seat knows. Safe in any thread; it holds no GIL.

    The budget is the level's own unless one is given.
    """
    found = find_level(level)
    at_once = choose_at_once(game, known, level, rng)
    if at_once is not None:
        return at_once
    budget = found.budget if budget is None else budget
    estimates = search(game, known, rng, budget, trusting=found.trusting)
    return Decision(estimates[0].number, estimates)


def choose_at_once(game: Game, known: Knowledge, level: str, rng: AnyRecord) -> Decision | None:
    """What a level does without searching; None where it has to search."""
    found = find_level(level)
    if found.policy != SEARCH:
        return Decision(_choose_by_policy(game, known, found.policy, rng), [])
    reflex = getattr(game.bot, "reflex", None)
    number = THINK
    if reflex is not None:
        number = int(reflex(game.kit, known.seen, known.memory, known.seat, found.skill, rng))
    elif game.rules.node(game.kit, known.seen) == OPEN:  # nobody searches in real time
        number = _choose_by_policy(game, known, GAME_BOT, rng)
    return None if number == THINK else Decision(number, [])


def _choose_by_policy(game: Game, known: Knowledge, policy: int, rng: AnyRecord) -> int:
    """The number of the action that a policy of the compiled loops chooses, as they choose it."""
    at = game.kit, known.seen, known.memory, known.seat, rng
    if policy == DECKHAND and hasattr(game.bot, "fumble"):
        return int(game.bot.fumble(*at))
    if policy == RANDOM or (policy == DECKHAND and below(rng, SLIP) == 0):
        numbers = np.zeros(game.records.ACTIONS, np.int16)
        count = game.rules.legal(game.kit, known.seen, known.seat, numbers)
        count = without_asides(numbers, count, asides_of(game))
        return int(numbers[below(rng, count)])
    return int(game.bot.choose(*at))

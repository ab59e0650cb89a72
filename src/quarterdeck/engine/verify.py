"""Whether a record's draws follow from what was published with it."""

from __future__ import annotations

from typing import Literal

import msgspec

from quarterdeck.contract import CHANCE, NATURE, BadProof, Game, record

from .fairness import CommitReveal, chance_of
from .match import Match
from .record import GameRecord


class Verdict(msgspec.Struct, frozen=True):
    """What a check found: draws that were repeated, and entries that rest on the server's word."""

    scheme: Literal["commit-reveal", "seed"]
    draws: int
    attested: int


def verify(told: GameRecord, *, game: Game | None = None) -> Verdict:
    """Repeats every draw of chance. Raises `BadProof` at the first that does not follow.

    What the clock and the physics did is attested by the server; it is counted, not proven. A
    record that does not replay raises as `Match.from_record` does.
    """
    replayed = Match.from_record(told, game=game)
    if told.fairness is None:
        raise BadProof("the record carries no proof of its draws")
    chance = chance_of(told.fairness)
    match = Match(replayed.game, told.options, position=told.position)
    rules, notation, kit = match.game.rules, match.game.notation, match.game.kit
    draws = attested = 0
    for index, entry in enumerate(replayed.log):
        if entry.by == "nature":
            if match.node == CHANCE:
                action = record(match.game.records.Action)
                rules.sample(kit, match.state, chance.rng(draws), action)
                drawn = notation.text(kit, action)
                if drawn != entry.do:
                    raise BadProof(f"chance drew {drawn!r}, not {entry.do!r}", at=index)
                draws += 1
            else:
                attested += 1
        match.act(NATURE if entry.by == "nature" else entry.by, entry.do)
    scheme: Literal["commit-reveal", "seed"] = (
        "commit-reveal" if isinstance(told.fairness, CommitReveal) else "seed"
    )
    return Verdict(scheme, draws, attested)

"""Open phases away from a table: everybody's looks and nature's clock on a time of their own.

At a table real time decides who comes first. Here every bot looks again after its reaction time,
and whatever falls due first happens first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from quarterdeck.contract import NATURE, OPEN, AnyRecord, Due, Game, below, record
from quarterdeck.engine.match import Match, Step

_USUAL_MS = 500, 1500


def reaction_ms(game: Game, level: str, rng: AnyRecord) -> int:
    """How long a bot of a level takes from one look at the table to the next."""
    known: dict[str, tuple[int, int]] = getattr(game.bot, "REACTION_MS", {})
    least, most = known.get(level, _USUAL_MS)
    return least + below(rng, most - least + 1)


class OpenPhase:
    """One open phase, from where the match stands to its end.

    `levels` are the bots that take part, by seat; `act` does what a seat's bot decides at a look
    and returns the step, or None where it waits.
    """

    def __init__(
        self,
        match: Match,
        levels: dict[int, str],
        rng: AnyRecord,
        act: Callable[[int], Step | None],
    ) -> None:
        self.match = match
        self.levels = levels
        self.now_ms = 0
        self._rng = rng
        self._act = act
        self._decision = match.decision
        self._looks = {seat: self._next_look(seat) for seat in levels}
        self._due: Due | None = None
        self._due_ms = 0
        self._note_due()

    @property
    def is_over(self) -> bool:
        """Whether the phase has ended."""
        return self.match.node != OPEN or self.match.decision != self._decision

    def run(self, until_ms: float = float("inf")) -> Iterable[Step]:
        """What happens until a time, step by step; at the latest to the end of the phase."""
        while not self.is_over:
            due = [(at, seat) for seat, at in self._looks.items()]
            if self._due is not None:
                due.append((self._due_ms, NATURE))
            at, actor = min(due, default=(until_ms, NATURE))
            if at >= until_ms:
                break
            self.now_ms = int(at)
            step: Step | None
            if actor == NATURE:
                assert self._due is not None
                step = self.match.act(NATURE, self._due.do)
            else:
                self._looks[actor] = self._next_look(actor)
                is_due = actor in self.match.seats_to_act
                step = self._act(actor) if is_due else None
            if step is not None:
                self._note_due()
                yield step
        if not self.is_over:
            self.now_ms = int(until_ms)

    def _next_look(self, seat: int) -> int:
        return self.now_ms + reaction_ms(self.match.game, self.levels[seat], self._rng)

    def _note_due(self) -> None:
        """Nature's clock begins anew whenever something else becomes due."""
        due: Any = self.match.due
        if due != self._due:
            self._due = due
            self._due_ms = self.now_ms + (due.after_ms if due is not None else 0)

    def note(self) -> None:
        """Takes note that somebody else has acted in the match: something else may be due now."""
        self._note_due()


def next_to_act(match: Match, rng: AnyRecord) -> int:
    """Nature, the first seat due, or in an open node anybody, the clock included."""
    due = match.seats_to_act
    if match.node == OPEN:
        return [*due, NATURE][below(rng, len(due) + 1)]
    return due[0] if due else NATURE


def let_time_pass(match: Match, rng: AnyRecord) -> Step:
    """Nature acts in an open node whose game has no clock."""
    action = record(match.game.records.Action)
    match.game.rules.sample(match.game.kit, match.state, rng, action)
    return match.act(NATURE, match.game.notation.text(match.game.kit, action))

"""What would the quartermaster do? A hint, from what the player's seat knows."""

from __future__ import annotations

from typing import Literal

from quarterdeck.bots.levels import Decision
from quarterdeck.contract import OPEN
from quarterdeck.engine.match import Match

from .errors import NoHints, PastDecision, WrongTime
from .protocol import HintMove, HintTold
from .table import Table

HINT_LEVEL = "quartermaster"


def check_hint(table: Table, seat: int, decision: int) -> Match:
    """The match a hint is asked for. Raises an error if there is none to be had."""
    if not table.made.hints:
        raise NoHints("this table has no hints")
    match = table.playing
    if decision != match.decision:
        raise PastDecision(f"decision {decision} is past; {match.decision} is open")
    if table.status != "playing" or seat not in match.seats_to_act:
        raise WrongTime(f"seat {seat} is not to act")
    if match.node == OPEN:
        raise WrongTime("there are no hints in real time")
    return match


def hint_of(table: Table, seat: int, decided: Decision) -> HintTold:
    """What the bot thought, with every legal action, the one it would choose first."""
    match = table.playing
    unit: Literal["score", "chance"] = getattr(match.game.bot, "UNIT", "score")
    tried = [estimate for estimate in decided.estimates if estimate.visits]
    visits = sum(estimate.visits for estimate in tried) or 1
    moves = [
        HintMove(match.action_text(number), _told(value, unit), round(count / visits, 4))
        for number, value, count in tried
    ]
    known = {estimate.number for estimate in tried}
    rest = [number for number in match.legal_numbers(seat) if number not in known]
    rest.sort(key=lambda number: number != decided.number)
    moves += [HintMove(match.action_text(number), None, 0.0) for number in rest]
    return HintTold(table.id, seat, match.decision, HINT_LEVEL, unit, tuple(moves))


def _told(value: float, unit: str) -> float:
    """A chance is at most certain, whatever a bot adds to it to tell the like apart."""
    return round(value if unit == "score" else min(1.0, max(0.0, value)), 4)

"""What would the quartermaster do? A hint, from what the player's seat knows."""

from __future__ import annotations

from quarterdeck.bots.levels import Decision
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
    return match


def hint_of(table: Table, seat: int, decided: Decision) -> HintTold:
    """What the bot thought, with every legal action, the one it would choose first."""
    match = table.playing
    tried = [estimate for estimate in decided.estimates if estimate.visits]
    visits = sum(estimate.visits for estimate in tried) or 1
    moves = [
        HintMove(match.action_text(number), round(value, 2), round(count / visits, 4))
        for number, value, count in tried
    ]
    known = {estimate.number for estimate in tried}
    rest = [number for number in match.legal_numbers(seat) if number not in known]
    moves += [HintMove(match.action_text(number), None, 0.0) for number in rest]
    return HintTold(table.id, seat, match.decision, HINT_LEVEL, tuple(moves))

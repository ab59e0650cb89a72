"""Riff Raff: what helps the eye. The ship is there to be looked at, so it is little."""

from __future__ import annotations

from .state import COPIES, NONE, SHAPES, Kit, State, pieces_of


def statistics(kit: Kit, state: State) -> dict[str, list[float]]:
    """The share of its pieces each seat is rid of: 0 with as many as at the start (RR-1), or more;
    1 once it has none (RR-17)."""
    dealt = SHAPES * COPIES // (2 if state.players == 2 else COPIES)
    left = [
        int(pieces_of(state, seat)) + int(state.hand != NONE and seat == state.active)
        for seat in range(state.players)
    ]
    return {"rid": [max(0.0, 1 - count / dealt) for count in left]}

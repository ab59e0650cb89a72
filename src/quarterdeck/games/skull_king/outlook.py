"""Skull King: what helps the eye and follows from the table."""

from __future__ import annotations

from .state import LAST_HAND, NONE, Kit, State


def statistics(kit: Kit, state: State) -> dict[str, list[float]]:
    """The share of each seat's bids that came true, hands played so far."""
    hands = [hand for hand in range(LAST_HAND) if state.pad_bids[hand][0] != NONE]
    return {
        # SK-18 to SK-21: a bid that came true brings points, any other costs some
        "exact-bids": [
            sum(bool(state.pad_points[hand][seat] > 0) for hand in hands) / max(len(hands), 1)
            for seat in range(state.players)
        ]
    }

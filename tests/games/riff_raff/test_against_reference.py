"""The compiled rules against the second telling in `reference.py`."""

from __future__ import annotations

from collections import Counter

import pytest

from . import reference
from .helpers import INTERPRETED, PLAYERS, legal, outcome, position, random_game, to_act

GAMES = 1 if INTERPRETED else 10


@pytest.mark.rule(
    "RR-1", "RR-2", "RR-3", "RR-4", "RR-5", "RR-6", "RR-7", "RR-8", "RR-9", "RR-10", "RR-14",
    "RR-15", "RR-16", "RR-17", "RR-18", "RR-19", "RR-R2", "RR-R3", "RR-R4", "RR-R6",
)  # fmt: skip
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(GAMES))
def test_whole_games_move_by_move(players: int, seed: int) -> None:
    table = reference.Table(players)
    for state, actor, text in random_game(players, seed):
        assert position(state) == table.position()
        offered = table.legal()
        assert to_act(state) == sorted(offered)
        for seat in range(players):
            texts = legal(state, seat)
            assert len(texts) == len(set(texts))
            assert set(texts) == offered.get(seat, set())
        assert outcome(state) == (table.scores(), table.winners())
        if text:
            table.do(actor, text)
    assert table.phase == "over"


def test_the_random_games_show_all_there_is() -> None:
    """What the games above are worth: everything that can come of a loading happens in them."""
    if INTERPRETED:
        return
    seen: Counter[str] = Counter()
    for players in PLAYERS:
        for seed in range(GAMES):
            states = []
            for state, _, text in random_game(players, seed):
                states = [state]
                seen[text.split(" ")[0]] += 1
                for word in ("=astray", "=back", "=fell", " moved ", " fell ", " caught "):
                    seen[word] += word in text
                seen["own caught"] += " caught " in text and "@" not in text.split("caught ")[1]
                seen["with others"] += (
                    "=fell" in text and f" caught {text.split('=')[0][7:]}," in text
                )
            seen["all loaded" if 0 in outcome(states[0])[0] else "rounds over"] += 1
    assert {key for key, count in seen.items() if count} >= {
        "start", "card", "captain", "order", "announce", "take", "settle", "=astray", "=back",
        "=fell", " moved ", " fell ", " caught ", "own caught", "with others", "all loaded",
        "rounds over",
    }, seen  # fmt: skip

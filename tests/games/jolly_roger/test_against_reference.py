"""The compiled rules against the second telling in `reference.py`."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from quarterdeck.bots.simulate import simulated_records

from ..helpers import INTERPRETED
from . import reference
from .helpers import (
    GAME,
    VARIANTS,
    final,
    legal,
    outcome,
    position,
    random_game,
    to_act,
    unseen,
)

GAMES = 1 if INTERPRETED else 8
ENDS = 20 if INTERPRETED else 1000
RECORDS = int(os.environ.get("QUARTERDECK_RECORDS", "2" if INTERPRETED else "40"))


@pytest.mark.rule(
    "JR-1", "JR-2", "JR-3", "JR-4", "JR-5", "JR-6", "JR-7", "JR-8", "JR-9", "JR-10", "JR-11",
    "JR-12", "JR-13", "JR-14", "JR-15", "JR-16", "JR-17", "JR-18", "JR-19", "JR-20", "JR-21",
)  # fmt: skip
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(GAMES))
def test_whole_games_move_by_move(variant: str, seed: int) -> None:
    table = reference.Table(variant)
    for state, actor, text in random_game(variant, seed):
        assert position(state) == table.position()
        offered = table.legal()
        assert to_act(state) == sorted(offered)
        for seat in (0, 1):
            texts = legal(state, seat)
            assert len(texts) == len(set(texts))
            assert set(texts) == offered.get(seat, set())
        assert outcome(state) == (table.scores(), table.winners())
        if table.phase == "deal":
            assert Counter(unseen(state)) == table.unseen
        if text:
            table.do(actor, text)
    assert table.phase == "over"


@pytest.mark.parametrize("bots", [("random", "random"), ("bosun", "deckhand")], ids="-".join)
@pytest.mark.parametrize("variant", VARIANTS)
def test_simulated_records(variant: str, bots: tuple[str, str]) -> None:
    """What a record tells may be done, entry by entry, and ends as it says."""
    for told in simulated_records(GAME, {"variant": variant}, RECORDS, 77, bots):
        table = reference.Table(variant)
        for entry in told.log:
            if entry.by != "nature":
                assert entry.do in table.legal()[entry.by], entry
            table.do(entry.by, entry.do)
        assert table.phase == "over"
        assert told.outcome is not None
        assert (told.outcome.scores, told.outcome.winners) == (table.scores(), table.winners())


def test_the_random_games_show_all_there_is() -> None:
    """What the games above are worth: all kinds of actions happen in them, and ties of crews."""
    if INTERPRETED:
        return
    verbs: Counter[str] = Counter()
    captains: Counter[int | None] = Counter()
    for seed in range(GAMES):
        for state, _, text in random_game("all-cards", seed):
            verbs[text.split(" ")[0] if text != "kraken none" else text] += 1
            captains.update(position(state)["captains"].values())
    assert {verb for verb in verbs if verbs[verb] >= GAMES} == {
        "start", "deal", "split", "pick", "crew", "parrot", "board", "kraken", "kraken none",
        "tortuga", "",
    }  # fmt: skip
    assert min(captains[seat] for seat in (0, 1, None)) > 100


@pytest.mark.rule("JR-20", "JR-21", "JR-R4")
def test_random_ends() -> None:
    rng = random.Random(12)
    tied = 0
    for _ in range(ENDS):
        table = reference.Table("all-cards")
        table.phase = "over"
        cards = list(reference.PIRATES.elements())
        rng.shuffle(cards)
        for ship in table.ships.values():
            for seat in (0, 1):
                if rng.random() < 0.5:
                    ship.join(seat, cards.pop(), face_up=False)
        for chest in table.chests:
            chest += [cards.pop() for _ in range(rng.randrange(3))]
        shown = table.position()
        scores, winners = outcome(final(shown["crews"], shown["chests"], "all-cards"))
        assert (scores, winners) == (table.scores(), table.winners())
        tied += scores[0] == scores[1]
    assert tied > ENDS / 50

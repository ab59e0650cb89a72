"""The compiled rules against the second telling in `reference.py`."""

from __future__ import annotations

import os
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from quarterdeck.contract import record
from quarterdeck.games.gezanke import balance
from quarterdeck.games.gezanke.state import State, pile_of

from ..helpers import INTERPRETED
from . import reference
from .helpers import KIT, PLAYERS, legal, outcome, position, random_game, to_act

GAMES = 1 if INTERPRETED else 12
POSITIONS = int(os.environ.get("QUARTERDECK_POSITIONS", 1_000 if INTERPRETED else 4_000))


def comparable(state: State) -> dict[str, Any]:
    """The keys the reference has too."""
    keys = position(state)
    keys["planks"] = [(plank["name"], plank["side"], plank["offset"]) for plank in keys["planks"]]
    del keys["gesture"]
    return keys


@pytest.mark.rule(
    "GP-1", "GP-2", "GP-3", "GP-4", "GP-5", "GP-6", "GP-7", "GP-8", "GP-9", "GP-10", "GP-11",
    "GP-12", "GP-13", "GP-14", "GP-15", "GP-16", "GP-17", "GP-18", "GP-21", "GP-22", "GP-R1",
    "GP-R2", "GP-R3", "GP-R4", "GP-R5", "GP-R6", "GP-R8", "GP-R10",
)  # fmt: skip
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(GAMES))
def test_whole_games_move_by_move(players: int, seed: int) -> None:
    table = reference.Table(players)
    for state, actor, text in random_game(players, seed):
        assert comparable(state) == table.position()
        offered = table.legal()
        assert to_act(state) == sorted(offered)
        for seat in range(players):
            texts = legal(state, seat)
            assert len(texts) == len(set(texts))
            assert set(texts) == offered.get(seat, set())
        assert outcome(state)[0] == table.purses
        assert pile_of(KIT, state) == max(0, 103 - sum(table.purses))
        if text:
            table.do(actor, text)
    assert table.phase == "over"
    assert outcome(state)[1] == table.winners()


def test_the_random_games_show_all_there_is() -> None:
    """What the games above are worth: all kinds of actions and phases happen in them."""
    if INTERPRETED:
        return
    verbs: Counter[str] = Counter()
    phases: Counter[str] = Counter()
    pushes = 0
    for players in PLAYERS:
        for seed in range(GAMES):
            for state, _, text in random_game(players, seed):
                verbs[text.split(" ")[0]] += 1
                phases[position(state)["phase"]] += 1
                pushes += text.endswith((":0 port", ":0 starboard"))
    assert min(verbs.values()) >= GAMES
    assert set(phases) == {
        "start", "lay", "setup", "roll", "slide", "lift", "set", "choose", "neutral", "board",
        "over",
    }  # fmt: skip
    assert pushes > 20


# Balance -------------------------------------------------------------------------------------


def random_board(rng: random.Random, state: State, planks: list[reference.Plank]) -> None:
    """Pirates and offsets anywhere, in the record and in the reference."""
    places = rng.sample(range(54), 12)
    if rng.random() < 0.3:  # crowded: all on two planks
        places = rng.sample(range(18), 12)
    state.board[:] = -1
    order = rng.sample(range(6), 6)
    state.order[:] = order
    planks[:] = [reference.Plank(reference.PLANKS[number], "front") for number in order]
    for place in places[: rng.randrange(13)]:
        number, space = divmod(place, 9)
        state.board[number][space] = 0
        planks[order.index(number)].standing[space - 4] = "grey"
    for lane, number in enumerate(order):
        reach = 5 if rng.random() < 0.9 else 14
        state.offsets[number] = planks[lane].offset = rng.randint(-reach, reach)


@pytest.mark.rule("GP-11", "GP-12", "GP-R5")
def test_balance_in_fractions() -> None:
    """Random positions: the same planks fall, in the same order, as far over the edge."""
    rng = random.Random(8)
    state = record(State)
    falls, overs = np.zeros(6, np.int64), np.zeros(6, np.int64)
    margins, roll = np.zeros(6, np.int64), np.zeros(2, np.int64)
    loads = np.zeros(18, np.int64)
    fallen_counts: Counter[int] = Counter()
    for _ in range(POSITIONS):
        planks: list[reference.Plank] = []
        random_board(rng, state, planks)
        strain = np.array([-1, 0, 0, 0, 0])
        for plank in range(6):
            balance.load_plank(KIT, state, loads, plank)
        balance.margins_of(KIT, state, margins, roll)
        assert Fraction(int(roll[0]), int(roll[1])) == reference.tilt(planks)
        reaches = reference.reaches(planks)
        expected = [(720 - reaches[plank.name]).__floor__() for plank in planks]
        assert margins.tolist() == expected
        count = balance.topple(KIT, state, strain, falls, overs)
        fallen = reference.toppled(planks)
        assert [reference.PLANKS[plank] for plank in falls[:count]] == [name for name, _ in fallen]
        assert overs[:count].tolist() == [over.__ceil__() for _, over in fallen]
        assert balance.tips(KIT, loads) == (count > 0)
        fallen_counts[count] += 1
    assert min(fallen_counts[count] for count in range(6)) >= POSITIONS // 1000

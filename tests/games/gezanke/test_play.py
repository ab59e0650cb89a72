"""Whole games between bots: how long they last, how they end, and who wins them."""

from __future__ import annotations

from statistics import median
from typing import Any

import numpy as np
import pytest

from quarterdeck.bots.simulate import simulate, simulated_records
from quarterdeck.contract import CHANCE, NATURE, OVER, Rng, record, seed_rng
from quarterdeck.games.gezanke import bot, rules
from quarterdeck.games.gezanke.state import Action, Memory, State

from ..helpers import INTERPRETED
from .helpers import (
    BENCH,
    GAME,
    KIT,
    decode,
    do,
    legal,
    new_game,
    node,
    options,
    pirates,
    position,
    state_of,
    text_of,
    to_act,
    to_lift,
    to_slide,
)

compiled_only = pytest.mark.skipif(INTERPRETED, reason="hundreds of games")
GAMES = 400


def lengths(bots: list[str], games: int = GAMES) -> tuple[list[int], float]:
    """The turns of each of some games of four, and the doubloons paid in them."""
    turns, paid = [], []
    for told in simulated_records(GAME, options(), games, 11, bots):
        assert told.outcome is not None
        turns.append(sum(entry.do.startswith("roll ") for entry in told.log))
        paid.append(sum(told.outcome.scores))
    return sorted(turns), float(np.mean(paid))


def greedy_game(seed: int) -> tuple[int, int]:
    """The turns and doubloons of a game of four who look no further than their own turn."""
    greedy = np.array([0.0 if i == bot.DICE else w for i, w in enumerate(bot.WEIGHTS)])
    rng, memory, action = record(Rng), record(Memory), record(Action)
    seed_rng(rng, seed, 0, 0, 0)
    state, turns = new_game(4), 0
    while node(state) != OVER:
        actor = NATURE
        if node(state) == CHANCE:
            turns += position(state)["phase"] == "roll"
            rules.sample(KIT, state, rng, action)
        else:
            (actor,) = to_act(state)
            memory.counted[:] = state.purses
            number = bot.choose_with(KIT, state, memory, actor, greedy)
            rules.decode(KIT, state, number, action)
        rules.apply(KIT, state, actor, action)
    return turns, int(state.purses.sum())


@compiled_only
def test_random_games_last_thirty_to_forty_turns() -> None:
    turns, _ = lengths(["random"])
    assert len(turns) == GAMES
    assert 30 <= median(turns) <= 40
    assert 15 <= turns[GAMES // 10] <= turns[9 * GAMES // 10] <= 65


@compiled_only
def test_greedy_games_last_fourteen_to_twenty_two_turns() -> None:
    turns, paid = zip(*(greedy_game(seed) for seed in range(GAMES)), strict=True)
    assert 14 <= median(turns) <= 22
    assert 50 <= np.mean(paid) <= 103  # of 103


@compiled_only
def test_the_rule_of_thumb_takes_as_long_and_more_gold() -> None:
    turns, paid = lengths(["bosun"])
    assert 14 <= median(turns) <= 25
    assert paid > np.mean([greedy_game(seed)[1] for seed in range(100)])


@compiled_only
@pytest.mark.parametrize(("weak", "strong"), [("random", "deckhand"), ("deckhand", "bosun")])
def test_each_level_beats_the_one_below(weak: str, strong: str) -> None:
    played = simulate(GAME, options(), 200, 5, [strong, weak, weak, weak])
    assert played.win_shares[0] > 0.4
    played = simulate(GAME, options(2), 200, 5, [weak, strong])
    assert played.win_shares[1] > 0.65


# What the rule of thumb sees -----------------------------------------------------------------


def chosen(state: State, seat: int = 0) -> str:
    """What the rule of thumb does, as text."""
    memory = record(Memory)
    number = bot.choose(KIT, BENCH.see(state, seat), memory, seat, record(Rng))
    text = text_of(decode(state, number))
    assert text in legal(state, seat)
    return text


def test_it_makes_others_fall_while_its_own_stand_on_gold() -> None:
    crews = {
        "grey": ["blue:-4", "green:4", "yellow:4"],
        "white": ["red:4", "red:3", "purple:0"],
        "black": ["red:2", "orange:0", "orange:1"],
        "brown": ["orange:2", "purple:1", "purple:-1"],
    }
    assert (
        chosen(to_slide("red orange", pirates=crews, offsets={"red": 1})) == "slide red starboard"
    )


def test_it_does_not_slide_its_own_crew_into_the_sea() -> None:
    crews = {
        "grey": ["red:4", "red:3", "red:2"],
        "white": ["orange:0", "orange:1", "purple:0"],
        "black": ["green:0", "green:1", "yellow:0"],
        "brown": ["blue:0", "blue:1", "yellow:1"],
    }
    assert chosen(to_slide("red blue", pirates=crews, offsets={"red": 1})) != "slide red starboard"


def test_it_collects_where_gold_lies_and_rescues_where_none_does() -> None:
    keys: dict[str, Any] = {
        "phase": "choose",
        "dice": ["red", "blue"],
        "slid": "red",
        "lost": {"grey": 1},
    }
    rich = state_of(pirates={"grey": ["green:4", "yellow:4", None]}, **keys)
    poor = state_of(pirates={"grey": ["green:0", None, None]}, **keys)
    assert (chosen(rich), chosen(poor)) == ("collect", "rescue")
    two = state_of(2, pirates={"grey": ["green:4", "yellow:4", None]}, **keys)
    assert chosen(two) in ("collect grey", "rescue black")


def test_it_brings_nobody_back_where_a_plank_would_tip() -> None:
    crews = {"grey": [], "white": ["orange:3", "orange:2"], "black": ["red:0"]}
    state = state_of(
        phase="board", dice=["red", "blue"], slid="red", boarder=0, boarding={"grey": 3},
        pirates=crews, offsets={"orange": 2},
    )  # fmt: skip
    after = do(state, 0, chosen(state))
    assert None not in pirates(after, "white")[:2]


def test_with_real_hands_it_decides_the_same() -> None:
    crews = {
        "grey": ["blue:-4", "green:4", "yellow:4"],
        "white": ["red:4", "red:3", "purple:0"],
        "black": ["red:2", "orange:0", "orange:1"],
        "brown": ["orange:2", "purple:1", "purple:-1"],
    }
    for make, key in ((to_slide, "red orange"), (None, "")):
        for hands in ("steady", "each", "real"):
            if make is not None:
                state = make(key, hands=hands, pirates=crews, offsets={"red": 1})
            else:
                state = to_lift("red", "blue", hands=hands, pirates=crews, offsets={"red": 1})
            decided = chosen(state)
            if hands == "steady":
                expected = decided
            assert decided == expected

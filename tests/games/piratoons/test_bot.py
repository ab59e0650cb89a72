"""What bots of all levels do: legal things, on what their seat knows, and not too foolish."""

from __future__ import annotations

import numpy as np
import pytest

from quarterdeck import Match
from quarterdeck.bots.levels import WAIT, choose_action, decide
from quarterdeck.bots.open_phase import OpenPhase, reaction_ms
from quarterdeck.bots.search import Budget
from quarterdeck.bots.simulate import played_match
from quarterdeck.contract import NATURE, OPEN, Rng, record, seed_rng
from quarterdeck.games.piratoons import bot
from quarterdeck.games.piratoons.judgement import WEIGHTS, tile_worth
from quarterdeck.games.piratoons.notation import tiles_by_name
from quarterdeck.games.piratoons.state import State

from .helpers import CHEST, GAME, INTERPRETED, KIT, open_chest, position, refit_of, state_of

LEVELS = ("deckhand", "bosun", "quartermaster", "legend")


def generator(seed: int = 1) -> Rng:
    rng = record(Rng)
    seed_rng(rng, seed, 0, 0, 0)
    return rng


def match_at(state: State, players: int) -> Match:
    return Match(GAME, {"players": players}, position=position(state))


@pytest.mark.parametrize("level", LEVELS)
def test_whole_games(level: str) -> None:
    if INTERPRETED:
        return
    players = 2 if level == "legend" else 3  # it takes its time
    options = GAME.fill_options({"players": players})
    match = played_match(GAME, options, [level] * players, 5, 0)
    assert match.is_over
    drops = [entry.do for entry in match.log if entry.do.startswith("drop")]
    assert len(drops) > players * 8
    again = played_match(GAME, options, [level] * players, 5, 0)
    assert again.hash == match.hash
    assert Match.from_record(match.record()).hash == match.hash


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_waits_before_the_sand_and_calls_after_it(level: str) -> None:
    """With nothing left to gain: all of its stones are placed."""
    mine = [{"x": 60, "y": 140, "seats": [0] * 6}]
    match = match_at(open_chest(2, piles=mine), 2)
    known = match.knowledge(0)
    assert decide(GAME, known, level, generator()).number == WAIT
    assert choose_action(match, 0, level, generator()) is None
    match.act(NATURE, "sand")
    assert choose_action(match, 0, level, generator()) == "stop"


@pytest.mark.parametrize("level", ["bosun", "quartermaster", "legend"])
def test_a_bot_takes_what_completes_a_set(level: str) -> None:
    ship = "p1(deck-a1) p2(deck-a2) p3"
    chest = [None, "deck-a3", None, "quart-a1", None, None, None, None, None]
    state = state_of(
        2, round=2, phase="take", ships=[ship, "-"], bids=[2, 1], doubloons=[5, 5], chest=chest
    )
    match = match_at(state, 2)
    if INTERPRETED and level != "bosun":
        return  # nobody searches uncompiled
    text = choose_action(match, 0, level, generator(), Budget(None, 300))
    assert text == "take deck-a3"


@pytest.mark.parametrize("level", ["quartermaster", "legend"])
@pytest.mark.parametrize("shown", [[], [0, 1]])
def test_nobody_thinks_about_showing_doubloons(level: str, shown: list[int]) -> None:
    """It answers nothing; whoever weighed it like a bid might show and hide them for ever."""
    if INTERPRETED:
        return  # nobody searches uncompiled
    for bids in ([None, None], [2, 1]):
        phase = "take" if all(bids) else "auction"
        state = state_of(2, phase=phase, chest=CHEST, bids=bids, doubloons=[4, 4], shown=shown)
        match = match_at(state, 2)
        decision = decide(GAME, match.knowledge(0), level, generator(), Budget(None, 300))
        numbers = [estimate.number for estimate in decision.estimates]
        assert sorted(numbers) == sorted(match.legal_numbers(0)[:-1])
        assert match.legal(0)[-1] in ("show", "hide")
        assert sum(estimate.visits for estimate in decision.estimates) == 300


def test_what_tiles_are_worth() -> None:
    """A third of its kind more than a second; a part that fits more than one that does not."""
    state = refit_of(["p1"], "p2(deck-a1) p3(deck-a2) p4")
    weights = np.zeros(WEIGHTS)
    bot.weigh(2, 4, weights)

    def worth(tile: str) -> float:
        return tile_worth(KIT, state, 0, tiles_by_name(KIT)[tile], weights)

    assert worth("deck-a3") > worth("deck-b1") > 0
    assert worth("p10") > worth("p24")
    assert worth("port-a1") < 0.5  # no field for it


def test_a_bot_acts_on_what_its_seat_knows() -> None:
    """Other purses that it cannot see, other bids: the same choice."""
    chosen = []
    for coins in ([9, 3, 12], [9, 12, 3]):
        state = state_of(3, phase="auction", chest=CHEST, doubloons=coins)
        match = match_at(state, 3)
        match.act(1, "bid 1" if coins[1] == 3 else "bid 3")
        texts = [choose_action(match, 0, "bosun", generator())]
        if not INTERPRETED:
            budget = Budget(None, 200)
            texts.append(choose_action(match, 0, "quartermaster", generator(), budget))
        chosen.append(texts)
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize("level", LEVELS)
def test_reactions_are_human(level: str) -> None:
    times = [reaction_ms(GAME, level, generator(seed)) for seed in range(200)]
    assert min(times) >= 250
    assert max(times) <= 4000
    slower = LEVELS[max(0, LEVELS.index(level) - 1)]
    others = [reaction_ms(GAME, slower, generator(seed)) for seed in range(200)]
    assert sum(times) <= sum(others)


def test_the_glass_runs_on_a_time_of_its_own() -> None:
    """Nobody acts: the sand after 15 seconds, the limit 60 after it."""
    match = match_at(open_chest(2), 2)
    phase = OpenPhase(match, {}, generator(), lambda seat: None)
    assert list(phase.run(14_999)) == []
    assert (phase.now_ms, phase.is_over) == (14_999, False)
    (step,) = phase.run(15_001)
    assert step.entry.do == "sand"
    (step,) = phase.run()
    assert (step.entry.do, phase.now_ms) == ("close", 75_000)
    assert match.node != OPEN
    assert phase.is_over

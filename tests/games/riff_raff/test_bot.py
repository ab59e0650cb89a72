"""Bots at the cards: they play every level in the fitted world, and thinking pays."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest

from quarterdeck import Match
from quarterdeck.bots.arena import Plan, play_game
from quarterdeck.bots.levels import LEVELS, SEARCH, choose_action, decide, find_level
from quarterdeck.bots.search import Budget
from quarterdeck.bots.simulate import simulate, simulated_records
from quarterdeck.cli import main
from quarterdeck.contract import LIVE, Rng, record, rng_from_bytes
from quarterdeck.games.riff_raff import bot, rules
from quarterdeck.games.riff_raff.state import CHOOSING, TAKING, Memory, State

from .helpers import GAME, INTERPRETED, KIT

FITTED = {"players": 4, "world": "fitted"}
SMALL = Budget(None, 6 if INTERPRETED else 60)


def rng() -> Rng:
    return rng_from_bytes(b"sixteen bytes it")


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_whole_games(level: str) -> None:
    match, generator = Match(GAME, {"players": 3, "world": "fitted"}, seed=4), rng()
    budget = SMALL if find_level(level).policy == SEARCH else None
    while not match.is_over:
        match.draw_chance()
        if match.seats_to_act:
            seat = match.seats_to_act[0]
            text = choose_action(match, seat, level, generator, budget)
            assert text is not None, "only in an open node a bot may wait"
            match.act(seat, text)
    assert match.outcome.winners


@pytest.mark.parametrize(
    "level", [name for name, found in LEVELS.items() if found.policy == SEARCH]
)
def test_a_search_looks_beyond_the_loading_in_the_real_world_too(level: str) -> None:
    match = Match(GAME, {"players": 2}, seed=4)
    match.draw_chance()
    for seat, card in ((0, 9), (1, 3)):
        match.act(seat, f"card {card}")
    known = match.knowledge(0)
    decided = decide(GAME, known, level, rng(), Budget(None, 100 if INTERPRETED else 400))
    assert {match.action_text(e.number) for e in decided.estimates} == set(match.legal(0))
    values = [estimate.value for estimate in decided.estimates]
    assert all(0 < value < 1 for value in values), "chances to win"
    assert max(values) - min(values) > 0.005, "it tells pieces apart"
    match.act(0, match.action_text(decided.number))
    assert match.node == LIVE


def test_what_a_position_is_worth_are_chances() -> None:
    match = next(iter(_ends()))
    values = np.zeros(8)
    assert bot.worth(KIT, match.state, values)
    winners = match.outcome.winners
    assert values[:4].tolist() == [1 / len(winners) * (seat in winners) for seat in range(4)]
    state = record(State)
    rules.new(KIT, np.array([3, 1]), state)
    state.supply[1][0] = 0
    assert bot.worth(KIT, state, values)
    assert values[:3].sum() == pytest.approx(1)
    assert values[1] > values[0] == values[2]


def _ends() -> Iterator[Match]:
    for told in simulated_records(GAME, FITTED, 1, 8, ["random"]):
        yield Match.from_record(told)


def test_thinking_pays() -> None:
    deals = 10 if INTERPRETED else 40
    plan = Plan("riff-raff", GAME.fill_options(FITTED), ("bosun", "random"), deals, seed=2)
    wins = [
        result.wins[result.bots.index(0)]
        for deal in range(deals)
        for seating in range(4)
        for result in [play_game(GAME, plan, deal, seating)]
    ]
    assert np.mean(wins) > 0.4


def test_a_beginner_plays_any_card_and_then_the_easiest_piece() -> None:
    state = record(State)
    rules.new(KIT, np.array([2, 1]), state)
    state.phase, generator = CHOOSING, rng()
    memory = record(Memory)
    cards = {int(bot.fumble(KIT, state, memory, 0, generator)) for _ in range(200)}
    assert cards == set(range(10))
    state.phase, state.active, state.order[0], state.played[0] = TAKING, 0, 0, 9
    taken = {int(bot.fumble(KIT, state, memory, 0, generator)) for _ in range(20)}
    assert taken == {bot.hunch(KIT, state, 0, generator)}


def test_the_fitted_world_is_fast() -> None:
    simulate(GAME, FITTED, 10, 1, ["bosun"])  # loads what is compiled
    summary = simulate(GAME, FITTED, 10 if INTERPRETED else 2000, 1, ["bosun"])
    assert sum(summary.win_shares) == pytest.approx(1)
    assert summary.decisions / summary.seconds > (20 if INTERPRETED else 20_000)


def test_simulate_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["simulate", "riff-raff", "--option", "world=fitted", "--games", "50", "--json"]
    assert main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 50
    assert told["options"]["world"] == "fitted"

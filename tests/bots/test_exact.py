"""Exact endings: the same as trying everything, and only where nothing is left to chance."""

from __future__ import annotations

import numpy as np
import pytest

from quarterdeck import Match, find_game
from quarterdeck.bots.exact import solve
from quarterdeck.bots.levels import choose_action, decide
from quarterdeck.bots.search import Budget
from quarterdeck.contract import OVER, AnyRecord, copy_record, is_compiled, record, rng_from_bytes

GAME = find_game("jolly-roger")

pytestmark = pytest.mark.skipif(not is_compiled(), reason="too slow interpreted")


def endgame(seed: int, cards: int, turn: int = 8) -> Match:
    """A game between deckhands, with so many cards still to be played in a turn."""
    match, rng = Match(GAME, {"variant": "advanced"}, seed=seed), rng_from_bytes(bytes(16))
    while True:
        match.draw_chance()
        left = int((match.state.hands >= 0).sum())
        if match.state.turn == turn and left == cards:
            return match
        seat = match.seats_to_act[0]
        text = choose_action(match, seat, "deckhand", rng)
        assert text is not None
        match.act(seat, text)


def legal(state: AnyRecord, seat: int) -> list[int]:
    numbers = np.zeros(GAME.records.ACTIONS, np.int16)
    count = GAME.rules.legal(GAME.kit, state, seat, numbers)
    return [int(number) for number in numbers[:count]]


def after(state: AnyRecord, seat: int, number: int) -> AnyRecord:
    action, result = record(GAME.records.Action), copy_record(state)
    GAME.rules.decode(GAME.kit, state, number, action)
    GAME.rules.apply(GAME.kit, result, seat, action)
    return result


def worth_to_first(state: AnyRecord) -> float:
    """By plain recursion: what seat 0 gets if both play their best."""
    if GAME.rules.node(GAME.kit, state) == OVER:
        values = np.zeros(8)
        GAME.bot.worth(GAME.kit, state, values)  # type: ignore[attr-defined]
        return float(values[0])
    seat = GAME.rules.seats(GAME.kit, state).bit_length() - 1
    worths = [worth_to_first(after(state, seat, number)) for number in legal(state, seat)]
    return max(worths) if seat == 0 else min(worths)


@pytest.mark.parametrize("seed", range(6))
def test_an_ending_is_worth_what_trying_everything_says(seed: int) -> None:
    match = endgame(seed, cards=3 if seed % 2 else 2)
    seat = match.seats_to_act[0]
    exact = solve(GAME, match.state, 1_000_000)
    assert exact is not None
    assert sorted(exact) == sorted(match.legal_numbers(seat))
    for number, value in exact.items():
        first = worth_to_first(after(match.state, seat, number))
        assert value == pytest.approx(first if seat == 0 else 1 - first)


def test_bots_play_endings_exactly() -> None:
    match = endgame(3, cards=3)
    seat = match.seats_to_act[0]
    exact = solve(GAME, match.state, 1_000_000)
    assert exact is not None
    for level in ("quartermaster", "legend"):
        budget = Budget(None, 500)
        decision = decide(GAME, match.knowledge(seat), level, rng_from_bytes(bytes(16)), budget)
        assert {estimate.number: estimate.value for estimate in decision.estimates} == exact
        assert exact[decision.number] == max(exact.values())


def test_there_is_no_answer_while_chance_has_a_word_or_steps_are_short() -> None:
    assert solve(GAME, endgame(1, cards=2, turn=7).state, 1_000_000) is None
    match = endgame(1, cards=3)
    assert solve(GAME, match.state, 10) is None

"""The levels: honest, within their budgets, reproducible, and each stronger than the one below."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from quarterdeck import Match, find_game
from quarterdeck.bots.levels import (
    LEVELS,
    SEARCH,
    choose_action,
    decide,
    find_level,
    fixed_budget,
)
from quarterdeck.bots.open_phase import OpenPhase
from quarterdeck.bots.search import FIRST_SLICE, Budget
from quarterdeck.bots.simulate import simulate, simulated_records
from quarterdeck.contract import (
    OPEN,
    SEALED,
    BadOption,
    Game,
    IllegalAction,
    Rng,
    is_compiled,
    record,
    rng_from_bytes,
)
from quarterdeck.engine.asides import asides_of, without_asides
from quarterdeck.engine.match import Knowledge, Step
from quarterdeck.engine.record import Entry, GameRecord
from quarterdeck.games import games

from ..toys.plank_race import GAME as TOY

SKULL_KING = find_game("skull-king")
JOLLY_ROGER = find_game("jolly-roger")
ADVANCED = {"variant": "advanced"}

SEARCHING = [name for name, level in LEVELS.items() if level.policy == SEARCH]
SMALL = Budget(None, 40 if is_compiled() else 3)

compiled_only = pytest.mark.skipif(not is_compiled(), reason="too slow interpreted")


def rng() -> Rng:
    return rng_from_bytes(b"sixteen bytes it")


def started(game: Game, options: dict[str, Any] | None = None, seed: int = 3) -> Match:
    match = Match(game, options, seed=seed)
    match.draw_chance()
    return match


def positions(
    game: Game, options: dict[str, Any], every: int, seed: int = 5, *, in_open: bool = False
) -> Iterator[Match]:
    """A game between deckhands, as it stands before some of its decisions, or also in the midst of
    its open phases."""
    match, generator, count = Match(game, options, seed=seed), rng(), 0

    def act(seat: int) -> Step | None:
        text = choose_action(match, seat, "deckhand", generator)
        return None if text is None else match.act(seat, text)

    while True:
        match.draw_chance()
        if match.is_over:
            return
        if match.node == OPEN:
            deckhands = dict.fromkeys(range(match.players), "deckhand")
            for _ in OpenPhase(match, deckhands, generator, act).run():
                if in_open and match.node == OPEN and count % every == 0:
                    yield match
                count += in_open
            continue
        if count % every == 0:
            yield match
        count += 1
        act(match.seats_to_act[0])


# Honest --------------------------------------------------------------------------------------


def with_other_hidden_cards(match: Match, seat: int, random: np.random.Generator) -> Match | None:
    """The match as it would be had the others been dealt other cards that they have not played
    yet; None if these cards could not have been played like this."""
    log = list(match.log)
    deal = max(i for i, entry in enumerate(log) if entry.do.startswith("deal"))
    hands = [hand.split(",") for hand in log[deal].do.split()[1].split("/")]
    played: list[list[str]] = [[] for _ in hands]
    for entry in log[deal + 1 :]:
        if isinstance(entry.by, int) and entry.do.startswith("play"):
            card = entry.do.split()[1]
            played[entry.by].append("mary" if card.startswith("mary") else card)
    others = [other for other in range(len(hands)) if other != seat]
    pack = match.game.notation.draws(match.game.kit, match.options)["deal"].pools[0].items
    pool = list(pack)
    for hand in hands:
        for card in hand:
            pool.remove(card)
    for other in others:
        kept = list(hands[other])
        for card in played[other]:
            kept.remove(card)
        pool += kept
    random.shuffle(pool)
    for other in others:
        free = len(hands[other]) - len(played[other])
        hands[other] = played[other] + [pool.pop() for _ in range(free)]
    log[deal] = Entry("nature", "deal " + "/".join(",".join(hand) for hand in hands))
    told = match.record()
    told.log, told.outcome, told.fairness = log, None, None
    try:
        return Match.from_record(told)
    except IllegalAction:
        return None


@pytest.mark.parametrize("level", LEVELS)
def test_no_bot_uses_what_its_seat_may_not_know(level: str) -> None:
    """Other hidden cards, same seed: the same move, and the same thoughts."""
    random = np.random.default_rng(1)
    compared = 0
    for match in positions(SKULL_KING, {"players": 4}, every=7):
        seat = match.seats_to_act[0]
        for _ in range(4):
            other = with_other_hidden_cards(match, seat, random)
            if other is None or other.state.tobytes() == match.state.tobytes():
                continue
            decisions = [
                decide(m.game, m.knowledge(seat), level, rng(), SMALL) for m in (match, other)
            ]
            assert decisions[0] == decisions[1]
            compared += 1
    assert compared > 40


HIDES_NOTHING = {"jolly-roger"}
"""What is in the pile is no part of a state."""


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
@pytest.mark.parametrize("level", LEVELS)
def test_no_bot_of_any_game_can_tell_worlds_apart_that_fit(game: Game, level: str) -> None:
    """All that a seat may not see is invented anew: the same move, and the same thoughts, whether
    the seat was there from the start or has just sat down."""
    kit, compared = game.kit, 0
    for match in positions(game, dict(game.worldless), every=9, in_open=True):
        seat = match.seats_to_act[compared % len(match.seats_to_act)]
        known = match.knowledge(seat)
        nothing = record(game.records.Memory)
        for memory in (known.memory, nothing):
            world, seen = record(game.records.State), record(game.records.State)
            game.bot.imagine(kit, known.seen, memory, seat, rng(), world)
            if world.tobytes() == match.state.tobytes():
                continue
            game.view.see(kit, world, seat, seen)
            assert seen.tobytes() == known.seen.tobytes()
            one, other = (
                decide(game, Knowledge(seat, shown, memory), level, rng(), SMALL)
                for shown in (known.seen, seen)
            )
            assert one == other
            compared += 1
    assert (compared > 10) == (game.id not in HIDES_NOTHING)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
@pytest.mark.parametrize("level", LEVELS)
def test_no_bot_of_any_game_sees_a_sealed_choice(game: Game, level: str) -> None:
    """Whatever another seat has chosen in secret before, and whether it has: the same move."""
    nodes = compared = 0
    for match in positions(game, dict(game.worldless), every=1):
        if match.node != SEALED or len(match.seats_to_act) < 2:
            continue
        nodes += 1
        chooser, seat = match.seats_to_act[:2]
        sealing = answers(match, chooser)
        if len(sealing) < 2 or nodes % 3:
            continue
        chosen = set()
        for text in (match.action_text(sealing[0]), match.action_text(sealing[-1])):
            other = Match.from_record(_unfinished(match))
            other.act(chooser, text)
            chosen.add(choose_action(other, seat, level, rng(), SMALL))
        assert len(chosen) == 1
        compared += 1
    assert compared or not nodes


def answers(match: Match, seat: int) -> list[int]:
    """The numbers of what a seat may do that answers what is to be decided."""
    numbers = np.array(match.legal_numbers(seat), np.int16)
    found: list[int] = numbers[
        : without_asides(numbers, len(numbers), asides_of(match.game))
    ].tolist()
    return found


def _unfinished(match: Match) -> GameRecord:
    told = match.record()
    told.outcome = told.fairness = None
    return told


def test_a_bot_sees_no_sealed_bid() -> None:
    for level in LEVELS:
        chosen = set()
        for bid in range(3):
            match = started(SKULL_KING, {"players": 2}, seed=8)
            for hand in range(2):
                for seat in range(2):
                    match.act(seat, "bid 0")
                while match.state.hand == hand + 1 and match.seats_to_act:
                    seat = match.seats_to_act[0]
                    match.act(seat, match.legal(seat)[0])
                match.draw_chance()
            match.act(0, f"bid {bid}")
            chosen.add(choose_action(match, 1, level, rng(), SMALL))
        assert len(chosen) == 1


# Budgets and estimates -----------------------------------------------------------------------


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
@pytest.mark.parametrize("level", SEARCHING)
def test_estimates_cover_every_legal_action_but_asides(game: Game, level: str) -> None:
    for match in positions(game, dict(game.worldless), every=23):
        for seat in match.seats_to_act:
            decision = decide(game, match.knowledge(seat), level, rng(), Budget(None, 64))
            numbers = [estimate.number for estimate in decision.estimates]
            if not numbers and hasattr(game.bot, "reflex"):
                continue  # done without thinking
            assert sorted(numbers) == sorted(answers(match, seat))
            assert decision.number == numbers[0]
            assert all(math.isfinite(estimate.value) for estimate in decision.estimates)


@pytest.mark.parametrize("level", ["random", "deckhand", "bosun"])
def test_levels_that_do_not_search_estimate_nothing(level: str) -> None:
    match = started(SKULL_KING)
    assert decide(SKULL_KING, match.knowledge(0), level, rng()).estimates == []


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_a_fixed_budget_is_kept_and_reproducible(game: Game) -> None:
    for match in positions(game, dict(game.worldless), every=31):
        seat = match.seats_to_act[0]
        known = match.knowledge(seat)
        one, two = (decide(game, known, "legend", rng(), SMALL) for _ in range(2))
        assert one == two
        tries = sum(estimate.visits for estimate in one.estimates)
        most = SMALL.iterations or 0
        expected = min(FIRST_SLICE, most) if len(one.estimates) == 1 else most
        is_exact = tries == len(one.estimates)
        assert is_exact or tries == expected


@compiled_only
def test_a_time_budget_is_kept() -> None:
    match = started(SKULL_KING, seed=4)
    known = match.knowledge(0)
    decide(SKULL_KING, known, "quartermaster", rng(), SMALL)  # compiled by now
    tries = []
    for seconds in (0.02, 0.2):
        began = time.perf_counter()
        decision = decide(SKULL_KING, known, "quartermaster", rng(), Budget(seconds, None))
        spent = time.perf_counter() - began
        assert seconds <= spent < seconds + 0.5
        tries.append(sum(estimate.visits for estimate in decision.estimates))
    assert tries[1] > 2 * tries[0]
    quick = decide(SKULL_KING, known, "quartermaster", rng(), Budget(60, 50))
    assert sum(estimate.visits for estimate in quick.estimates) == 50


def test_a_search_needs_a_budget() -> None:
    match = started(SKULL_KING)
    with pytest.raises(ValueError, match="needs a budget"):
        decide(SKULL_KING, match.knowledge(0), "legend", rng(), Budget(None, None))


def test_levels_by_name() -> None:
    with pytest.raises(BadOption, match="no bot 'admiral'"):
        find_level("admiral")
    assert fixed_budget("legend").seconds is None
    budgets = [LEVELS[name].budget.seconds or 0 for name in SEARCHING]
    assert budgets == [0.15, 1.0]


def test_a_game_joins_with_worlds_and_a_rule_of_thumb_alone() -> None:
    """The toy has sealed wagers, real time and a live world, and none of the search's extras."""
    for level in LEVELS:
        match = started(TOY, {"players": 3}, seed=2)
        for seat in list(match.seats_to_act):
            text = choose_action(match, seat, level, rng(), SMALL)
            assert text is not None
            match.act(seat, text)
        assert len(match.log) == 4


# Strength ------------------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize(("weak", "strong"), [("random", "deckhand"), ("deckhand", "bosun")])
def test_skull_king_each_level_beats_the_one_below(weak: str, strong: str) -> None:
    played = simulate(SKULL_KING, {}, 400, 3, [strong, weak, weak, weak])
    assert played.mean_scores[0] > max(played.mean_scores[1:]) + 40


@compiled_only
def test_skull_king_bosun_is_a_good_rule_based_player() -> None:
    told = list(simulated_records(SKULL_KING, {}, 200, 4, ["bosun"]))
    outcomes = [record.outcome for record in told if record.outcome is not None]
    assert len(outcomes) == len(told)
    scores = [score for outcome in outcomes for score in outcome.scores]
    assert sum(scores) / len(scores) > 160
    exact = 0
    for played in told:
        exact += int((Match.from_record(played).state.pad_points[:, :4] > 0).sum())
    assert exact / (len(told) * 40) > 0.58


@compiled_only
@pytest.mark.parametrize(("weak", "strong"), [("random", "deckhand"), ("deckhand", "bosun")])
def test_jolly_roger_each_level_beats_the_one_below(weak: str, strong: str) -> None:
    played = simulate(JOLLY_ROGER, ADVANCED, 60, 3, [strong, weak])
    assert played.win_shares[0] > 0.7


def lead(game: Game, options: dict[str, Any], level: str, other: str, deals: int) -> float:
    """How much more a level scores than the others at its table, on a small budget, with every
    seat of each deal."""
    leads = []
    players = game.fill_options(options)["players"]
    for index in range(deals):
        for seat in range(players):
            match = Match(game, options, seed=100 + index)
            generator = rng()
            while not match.is_over:
                match.draw_chance()
                for actor in match.seats_to_act[:1]:
                    name = level if actor == seat else other
                    text = choose_action(match, actor, name, generator, Budget(None, 400))
                    assert text is not None
                    match.act(actor, text)
            scores = match.outcome.scores
            own = scores.pop(seat)
            leads.append(own - sum(scores) / len(scores))
    return sum(leads) / len(leads)


@compiled_only
@pytest.mark.parametrize("level", SEARCHING)
def test_searching_beats_the_rule_of_thumb(level: str) -> None:
    assert lead(SKULL_KING, {}, level, "bosun", 5) > 20
    assert lead(JOLLY_ROGER, ADVANCED, level, "bosun", 5) > 1

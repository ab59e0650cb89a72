"""Whole games between bots: the same with and without records, and for any number of threads."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from quarterdeck import Match, find_game
from quarterdeck.bots import simulate as module
from quarterdeck.bots.levels import choose_action
from quarterdeck.bots.simulate import seat_bots, simulate, simulated_records
from quarterdeck.contract import BadOption, is_compiled, rng_from_bytes
from quarterdeck.engine.record import write_record

SKULL_KING = find_game("skull-king")

GAMES = 120 if is_compiled() else 1


def summary_of(records: list[Any], players: int) -> tuple[list[float], list[float], int]:
    scores, wins, decisions = np.zeros(players), np.zeros(players), 0
    for told in records:
        scores += told.outcome.scores
        for seat in told.outcome.winners:
            wins[seat] += 1 / len(told.outcome.winners)
        decisions += sum(entry.by != "nature" for entry in told.log)
    count = len(records)
    return (scores / count).round(3).tolist(), (wins / count).round(4).tolist(), decisions


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("bots", [["random"], ["bosun"]], ids=str)
def test_with_and_without_records_the_games_are_the_same(players: int, bots: list[str]) -> None:
    options = {"players": players}
    records = list(simulated_records(SKULL_KING, options, GAMES, 8, bots))
    assert len(records) == GAMES
    summary = simulate(SKULL_KING, options, GAMES, 8, bots)
    scores, wins, decisions = summary_of(records, players)
    assert (summary.games, summary.decisions) == (GAMES, decisions)
    assert summary.mean_scores == pytest.approx(scores, abs=0.002)
    assert summary.win_shares == pytest.approx(wins, abs=0.0002)
    assert sum(summary.win_shares) == pytest.approx(1, abs=0.001)


def test_every_record_replays_to_its_outcome() -> None:
    for told in simulated_records(SKULL_KING, {"players": 5}, min(20, GAMES), 3, ["bosun"]):
        match = Match.from_record(told)
        assert match.is_over
        assert match.outcome == told.outcome
        assert all(entry.via == "bot" for entry in told.log if entry.by != "nature")


def test_the_same_seed_plays_the_same_games_and_another_seed_others() -> None:
    def play(seed: int, games: int = 12) -> list[bytes]:
        records = simulated_records(SKULL_KING, {}, games, seed, ["random"])
        return [write_record(told) for told in records]

    assert play(1) == play(1)
    assert play(1)[:5] == play(1, 5)
    assert not set(play(1)) & set(play(2))
    logs = [
        tuple(e.do for e in t.log) for t in simulated_records(SKULL_KING, {}, 12, 1, ["random"])
    ]
    assert len(set(logs)) == 12


@pytest.mark.parametrize("seed", [-1, 2**62, -(2**63), 2**63 - 1])
def test_seeds_of_64_bits(seed: int) -> None:
    (told,) = simulated_records(SKULL_KING, {"players": 2}, 1, seed, ["random"])
    assert Match.from_record(told).chance.proof() == told.fairness


@pytest.mark.parametrize("threads", [1, 3, 16])
def test_the_number_of_threads_does_not_matter(
    monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    monkeypatch.setattr(module, "_CHUNK", 7)
    expected = simulate(SKULL_KING, {}, GAMES, 6, ["random"])
    monkeypatch.setattr(os, "cpu_count", lambda: threads)
    found = simulate(SKULL_KING, {}, GAMES, 6, ["random"])
    monkeypatch.setattr(module, "_CHUNK", 10_000)
    whole = simulate(SKULL_KING, {}, GAMES, 6, ["random"])
    for other in (found, whole):
        assert other.mean_scores == expected.mean_scores
        assert other.win_shares == expected.win_shares
        assert other.decisions == expected.decisions


def test_the_size_of_a_chunk_does_not_matter_for_records(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = list(simulated_records(SKULL_KING, {"players": 6}, 9, 6, ["bosun"]))
    monkeypatch.setattr(module, "_RECORDED_CHUNK", 2)
    assert list(simulated_records(SKULL_KING, {"players": 6}, 9, 6, ["bosun"])) == expected


def test_the_loop_plays_as_a_match_plays() -> None:
    """A random game in the loop has the draws of a match with the same seed."""
    (told,) = simulated_records(SKULL_KING, {"players": 3}, 1, 21, ["random"])
    match = Match(SKULL_KING, {"players": 3}, seed=21)
    for entry in told.log:
        if entry.by == "nature":
            assert match.draw().entry.do == entry.do
        else:
            match.act(entry.by, entry.do)
    assert match.outcome == told.outcome


def test_the_loop_and_a_match_give_a_bot_the_same_knowledge() -> None:
    """The rule of thumb uses no chance, so in a match it chooses what it chose in the loop."""
    (told,) = simulated_records(SKULL_KING, {"players": 4}, 1, 13, ["bosun"])
    match = Match(SKULL_KING, {"players": 4}, seed=13)
    rng = rng_from_bytes(b"any sixteen byte")
    for entry in told.log:
        if entry.by == "nature":
            match.draw()
        else:
            assert choose_action(match, entry.by, "bosun", rng) == entry.do
            match.act(entry.by, entry.do)
    assert match.is_over


@pytest.mark.skipif(not is_compiled(), reason="too few games to tell")
def test_a_bot_that_thinks_beats_random_ones() -> None:
    summary = simulate(SKULL_KING, {}, GAMES, 2, ["bosun", "random", "random", "random"])
    assert summary.win_shares[0] > 0.8
    assert summary.bots == ["bosun", "random", "random", "random"]


def test_bots_for_the_seats() -> None:
    assert seat_bots(3, ["random"]) == ["random"] * 3
    assert seat_bots(2, ["bosun", "random"]) == ["bosun", "random"]
    for bots in ([], ["random", "random"], ["random"] * 5):
        with pytest.raises(BadOption):
            seat_bots(4, bots)
    with pytest.raises(BadOption, match="no bot 'admiral'"):
        simulate(SKULL_KING, {}, 1, 0, ["admiral"])

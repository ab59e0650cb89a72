"""Whole games in the real world, by bots' hands."""

from __future__ import annotations

from typing import NoReturn

import pytest

from quarterdeck.bots.simulate import play_on
from quarterdeck.contract import POSES
from quarterdeck.engine.match import Match
from quarterdeck.engine.record import read_record, write_record
from quarterdeck.physics.riff_raff import loading

from .helpers import GAME, rng


@pytest.fixture(scope="module", params=[2, 3, 4])
def played(request: pytest.FixtureRequest) -> list[Match]:
    """Three whole games, played by the hands of deckhands."""
    players = request.param
    matches = [Match(GAME, {"players": players}, seed=index) for index in range(3)]
    for index, match in enumerate(matches):
        play_on(match, ["deckhand"] * players, rng(index))
    return matches


@pytest.mark.rule("RR-17", "RR-18")
def test_games_of_bots_end_properly(played: list[Match]) -> None:
    for match in played:
        assert match.is_over
        outcome = match.outcome
        assert outcome.winners
        best = max(outcome.scores)
        assert [seat for seat, score in enumerate(outcome.scores) if score == best] == (
            outcome.winners
        )
        rounds = 20 if match.players == 2 else 10
        assert best == 0 or match.state.round == rounds


def test_records_replay_without_a_simulation(
    played: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_world(*_: object) -> NoReturn:
        raise AssertionError("a replay needs no world")

    monkeypatch.setattr(loading, "Loading", no_world)
    for match in played:
        again = Match.from_record(read_record(write_record(match.record())))
        assert again.hash == match.hash
        assert again.outcome == match.outcome
        assert again.attached == match.attached
        # whatever is aboard at the end has its resting pose
        assert len(again.attached[POSES]["pieces"]) == match.state.aboard.sum()


def test_most_loadings_come_to_what_was_meant(played: list[Match]) -> None:
    told = [entry.do for match in played for entry in match.log if entry.do.startswith("settle")]
    good = [text for text in told if text.split()[1].split("=")[1].isdigit()]
    assert len(told) >= 24
    assert len(good) > 0.6 * len(told)

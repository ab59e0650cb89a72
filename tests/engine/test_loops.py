"""The loops that run any game: compiled for a game of the package, over its functions elsewhere."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from quarterdeck import Match, find_game
from quarterdeck.bots.simulate import simulated_records
from quarterdeck.contract import LIVE, OVER, SPECTATOR, Rows, boxed, is_compiled, records
from quarterdeck.engine.binding import is_in_package
from quarterdeck.engine.loops import Loops, loops_of
from quarterdeck.engine.record import GameRecord
from quarterdeck.engine.verify import verify

from ..toys.plank_race import GAME as TOY

SKULL_KING = find_game("skull-king")


def log_of(match: Match) -> tuple[npt.NDArray[np.int64], Rows[Any]]:
    """The log of a match as the loops take it."""
    actors = np.array([actor for actor, _ in match._actions], np.int64)
    actions = records(match.game.records.Action, len(actors))
    for index, (_, action) in enumerate(match._actions):
        actions[index] = action
    return actors, actions


@pytest.fixture(scope="module")
def played() -> Match:
    (told,) = simulated_records(SKULL_KING, {"players": 3}, 1, 4, ["random"])
    return Match.from_record(told)


def test_one_set_of_loops_a_game() -> None:
    assert loops_of(SKULL_KING) is loops_of(SKULL_KING)
    assert is_in_package(SKULL_KING)
    assert not is_in_package(TOY)
    assert not is_in_package(replace(SKULL_KING))


def test_loops_elsewhere_do_what_compiled_ones_do(played: Match) -> None:
    actors, actions = log_of(played)
    results: list[list[Any]] = []
    for loops in (loops_of(SKULL_KING), Loops(replace(SKULL_KING))):
        told: list[Any] = []
        state, progress = boxed(played._start), np.zeros(5, np.int64)
        for start in range(0, len(actors), 50):
            part = slice(start, start + 50)
            assert loops.fold(state, actors[part], actions[part], progress) == 0
            offers = loops.offers(state, (0, 1, 2, SPECTATOR), 3)
            told.append((state.tobytes(), progress.tolist()))
            told += [(seen.tobytes(), *rest) for seen, *rest in offers]
        results.append(told)
        assert state.tobytes() == played.state.tobytes()
    assert results[0] == results[1]


def test_fold_stops_where_an_entry_is_refused(played: Match) -> None:
    actors, actions = log_of(played)
    place = [entry.do for entry in played.log].index("play king")
    actors[place] = (actors[place] + 1) % 3
    state, progress = boxed(played._start), np.zeros(5, np.int64)
    rule = loops_of(SKULL_KING).fold(state, actors, actions, progress)
    assert rule != 0
    assert progress[0] == place
    expected = Match.from_record(cut_log(played, place))
    assert state.tobytes() == expected.state.tobytes()


def cut_log(match: Match, length: int) -> GameRecord:
    told = match.record()
    told.log = told.log[:length]
    told.outcome = None
    return told


def test_a_spectator_and_idle_seats_are_offered_nothing() -> None:
    match = Match(SKULL_KING, seed=1)
    assert match.legal_numbers(0) == []
    match.draw_chance()
    assert match.legal_numbers(0) == [0, 1]
    assert match.legal_numbers(SPECTATOR) == []


def test_games_of_the_toy_stop_at_the_sea_and_count_only_draws_of_chance() -> None:
    """The clock of an open phase is nature too, yet no draw: the records verify."""
    kinds = set()
    for told in simulated_records(TOY, {"players": 3}, 40, 2, ["random"]):
        match = Match.from_record(told, game=TOY)
        kinds.add(match.node)
        assert match.node in (OVER, LIVE)
        verdict = verify(told, game=TOY)
        assert verdict.draws == 1
        sands = sum(entry.by == "nature" for entry in told.log) - 1
        assert verdict.attested == sands
    assert kinds == {OVER}  # the listed action is `pass`; drops are composite


@pytest.mark.skipif(not is_compiled(), reason="nothing is compiled")
def test_a_later_start_compiles_nothing() -> None:
    loops_of(SKULL_KING)
    script = (
        "from quarterdeck import Match, find_game\n"
        "match = Match(find_game('skull-king'), seed=1)\n"
        "match.draw_chance()\n"
        "print(match.legal(0))\n"
        "print([sum(loop.stats.cache_misses.values()) for loop in match._loops.short])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["['bid 0', 'bid 1']", "[0, 0, 0, 0, 0]"]
    assert done.stderr == ""

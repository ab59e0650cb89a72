"""The load test: a small one against a real server of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import pytest

from quarterdeck.cli import main
from quarterdeck.contract import BadOption
from quarterdeck.loadtest import (
    Figures,
    Plan,
    Server,
    Spread,
    load_test,
    started,
    started_quarterdeck,
)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with started_quarterdeck() as running:
        yield running


def test_three_tables_play_at_their_pace(server: Server) -> None:
    plan = Plan(tables=3, seconds=3.0, pace_ms=100, warm_up_seconds=0.5)
    figures = load_test(plan, server)
    assert figures.errors == {}
    assert 10 <= figures.moves <= 3 * 45  # thirty a table, and some slack on a busy machine
    assert figures.moves_per_second == pytest.approx(figures.moves / 3, rel=0.3)
    assert 0 < figures.own.p50 <= figures.own.p95 <= figures.own.p99 <= figures.own.longest
    assert figures.own.p50 <= figures.everybody.p50
    assert 0 <= figures.clients_busy < 1
    if sys.platform == "linux":
        assert figures.cpu_ms_per_move is not None
        assert 0 < figures.cpu_ms_per_move < 100
        assert figures.memory_mb is not None
        assert 10 < figures.memory_mb < 2000
    assert f"{figures.moves}," in figures.text()


def test_without_a_pause_games_end_and_begin_again(server: Server) -> None:
    plan = Plan(tables=3, seconds=3.0, pace_ms=0, warm_up_seconds=0.5)
    figures = load_test(plan, server)
    assert figures.errors == {}
    assert figures.moves > 3 * 31
    # a game of Skull King of four has 260 decisions; those that end are played again
    assert figures.games_finished >= figures.moves // 260 - 3


def test_the_command_prints_figures(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["loadtest", "--url", server.url, "--tables", "2", "--players", "3"]
    assert main([*arguments, "--pace-ms", "50", "--seconds", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == set(Figures.__struct_fields__)
    assert told["moves"] > 5
    assert told["errors"] == {}
    assert told["plan"]["seats"] == 3
    assert told["cpu_ms_per_move"] is None


def test_a_server_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["loadtest", "--url", "http://127.0.0.1:9", "--tables", "1"]) == 2
    assert json.loads(capsys.readouterr().out)["error"] == "bad-option"
    with pytest.raises(BadOption, match="did not start"), started([sys.executable, "-c", ""]):
        pass


def test_spread_of_nothing() -> None:
    assert Spread.of([]) == Spread(0.0, 0.0, 0.0, 0.0)

"""Upgrades: what former versions have left is opened, played on, replayed and verified.

Each folder in `upgrade/` was left by the version it is named after (see its `README.md`).
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from quarterdeck.cli import main

from .server.helpers import Server, at, in_loop
from .upgrade.crew import Crew, Excuse, Told, differences, told_at

KEPT = Path(__file__).parent / "upgrade"
DATABASE = "quarterdeck.sqlite3"
VERSIONS = sorted(path.parent.name for path in KEPT.glob(f"*/{DATABASE}.gz"))
GAMES = {"skull-king", "jolly-roger", "piratoons", "riff-raff", "gezanke"}
MORE_ENTRIES = 8  # of a game in real time, before somebody resigns

# By version: what it told otherwise, and has been changed on purpose since.
CHANGED: Mapping[str, Mapping[str, Excuse]] = {
    "0.1": {
        # Piratoons' bank was hidden together with somebody's doubloons; it lies open
        "bank": lambda then, now: then == "?" and isinstance(now, int),
        # Gezanke's stacks were hidden together with the purses; they lie open
        "pile": lambda then, now: then is None and isinstance(now, int),
        # doubloons may be shown and hidden whenever their owner may act
        "legal": lambda then, now: set(then) <= set(now) <= {*then, "show", "hide"},
        # games begin by roster, which has the hash of the server's secret; bytes that were bound
        # before there were rosters bind nothing in a game that has not begun
        "commitment": lambda then, now: now is None,
        "committed": lambda then, now: isinstance(now, bool),
        # the word is not said of a game whose only bytes were the server's
        "verified": lambda then, now: then is True and now is False,
        # the proof is the record; the page knows by itself how chance draws
        "draws": lambda then, now: isinstance(then, list) and now is None,
    },
}


@cache
def read(version: str, name: str) -> Any:
    """A file of a version's folder."""
    return json.loads(gzip.decompress((KEPT / version / name).read_bytes()))


def tables(*statuses: str) -> list[tuple[str, str]]:
    """The versions and names of the tables that were in one of these statuses."""
    return [
        (version, name)
        for version in VERSIONS
        for name, kept in read(version, "tables.json.gz").items()
        if kept["told"]["table"]["status"] in statuses
    ]


@pytest.fixture(scope="module")
def harbours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Server]]:
    """Servers of the present code over copies of what the versions have left."""
    servers: dict[str, Server] = {}

    def open_copy(version: str) -> Server:
        if version not in servers:
            server = Server(tmp_path_factory.mktemp("data"), "--unlimited")
            packed = (KEPT / version / f"{DATABASE}.gz").read_bytes()
            (server.data / DATABASE).write_bytes(gzip.decompress(packed))
            servers[version] = server.start()
        return servers[version]

    yield open_copy
    for server in servers.values():
        server.end()


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs a command that must succeed, and answers what it prints."""

    def say(*arguments: object) -> str:
        capsys.readouterr()
        assert main([str(argument) for argument in arguments]) == 0
        return capsys.readouterr().out

    return say


# The folders ---------------------------------------------------------------------------------


def test_every_folder_is_looked_at() -> None:
    assert "0.1" in VERSIONS
    assert sorted(CHANGED) == VERSIONS
    folders = [path for path in KEPT.iterdir() if (path / "records").is_dir()]
    assert sorted(path.name for path in folders) == VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_a_version_has_left_tables_and_records_of_every_game(version: str) -> None:
    games: dict[str, set[str]] = {}
    for kept in read(version, "tables.json.gz").values():
        table = kept["told"]["table"]
        games.setdefault(table["status"], set()).add(table["game"])
    assert games["over"] >= GAMES
    assert games["playing"] >= GAMES
    assert {"waiting", "paused"} <= set(games)
    records = sorted(path.name for path in (KEPT / version / "records").iterdir())
    assert records == sorted(read(version, "results.json.gz"))
    for game in GAMES:
        assert any(name.startswith(f"simulated-{game}-") for name in records)


def test_nothing_is_excused_but_what_was_changed_on_purpose() -> None:
    then: dict[str, Any] = {"bank": "?", "pile": None, "doubloons": [3, "?"], "legal": ["bid 0"]}
    then["clocks"] = {"left_ms": [90_000]}

    def told(**changes: Any) -> list[str]:
        return list(differences(then, then | changes, CHANGED["0.1"]))

    assert told() == []
    assert told(bank=30, more="since", legal=["show", "bid 0"], clocks={"left_ms": [80_000]}) == []
    assert told(bank=None) == [".bank was '?' and is None"]
    assert told(pile=87) == []
    assert told(pile="?") == [".pile was None and is '?'"]
    assert told(doubloons=[3, 5]) == [".doubloons[1] was '?' and is 5"]
    assert told(doubloons=[3]) == [".doubloons was [3, '?'] and is [3]"]
    assert told(legal=["bid 0", "bid 1"]) == [".legal was ['bid 0'] and is ['bid 0', 'bid 1']"]
    assert told(legal=[]) == [".legal was ['bid 0'] and is []"]
    assert told(clocks={"left_ms": [9_000]}) == [".clocks.left_ms was [90000] and is [9000]"]
    assert told(clocks={}) == [".clocks.left_ms is gone"]
    assert list(differences({"bank": 30}, {"bank": 31}, CHANGED["0.1"])) != []
    assert list(differences({"commitment": "a"}, {}, CHANGED["0.1"])) == []
    assert list(differences({"commitment": "a"}, {"commitment": "b"}, CHANGED["0.1"])) != []
    assert list(differences({"draws": 3}, {}, CHANGED["0.1"])) == [".draws is gone"]


# Records -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "name"),
    [(version, name) for version in VERSIONS for name in read(version, "results.json.gz")],
)
def test_a_record_replays_and_verifies_as_it_did(
    version: str, name: str, say: Callable[..., str]
) -> None:
    path = KEPT / version / "records" / name
    then = read(version, "results.json.gz")[name]
    now = {
        "replay": json.loads(say("replay", "--json", path)),
        "seat": json.loads(say("replay", "--json", "--seat", 0, path)),
        "verify": json.loads(say("verify", "--json", path)),
    }
    # what the server alone has bound is told as what it is
    assert now["verify"]["verified"] == (now["verify"]["verdict"] != "server-only")
    assert list(differences({key: then[key] for key in now}, now, CHANGED[version])) == []
    # the sentences for people may be worded anew, their figures not
    figures = re.findall(r"\d+", then["verify_says"])
    assert set(figures) <= set(re.findall(r"\d+", say("verify", path)))


# Tables --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("version", "name"), tables("over"))
@in_loop
async def test_what_was_over_is_told_as_it_was_and_serves_its_record(
    version: str, name: str, harbours: Callable[[str], Server]
) -> None:
    server, kept = harbours(version), read(version, "tables.json.gz")[name]
    now = await told_at(server, kept["table"], list(kept["tokens"].values()))
    proof = server.fetch("GET", f"/api/tables/{kept['table']}/proof")
    assert proof.status == 200
    now["proof"] = proof.json
    assert list(differences(kept["told"], now, CHANGED[version])) == []
    record = server.fetch("GET", f"/api/tables/{kept['table']}/record")
    assert record.status == 200
    then = json.loads((KEPT / version / "records" / f"{name}.json").read_bytes())
    assert list(differences(then, record.json, {})) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_what_was_under_way_is_told_as_it_was_and_goes_on(
    version: str, harbours: Callable[[str], Server], tmp_path: Path, say: Callable[..., str]
) -> None:
    server = harbours(version)
    names = [name for v, name in tables("waiting", "playing", "paused") if v == version]

    async def go_on() -> list[BaseException | None]:
        # side by side, as some of the games run in real time
        return await asyncio.gather(
            *(_go_on(server, version, name) for name in names), return_exceptions=True
        )

    ends = zip(names, asyncio.run(go_on()), strict=True)
    assert [f"{name}: {end!r}" for name, end in ends if end is not None] == []
    for name in names:
        kept = read(version, "tables.json.gz")[name]
        record = server.fetch("GET", f"/api/tables/{kept['table']}/record")
        assert record.status == 200, name
        before, log = kept["log"], record.json["log"]
        assert list(differences(before, log[: len(before)], {})) == [], name
        assert len(log) > len(before), name
        path = tmp_path / f"{name}.json"
        path.write_bytes(record.body)
        replayed = json.loads(say("replay", "--json", path))
        assert replayed["scores"] == record.json["outcome"]["scores"], name
        verdict = json.loads(say("verify", "--json", path))
        has_begun = kept["told"]["table"]["status"] != "waiting"
        assert verdict["scheme"] == ("commit-reveal" if has_begun else "roster"), name
        assert verdict["verified"] == (verdict["verdict"] != "server-only"), name


async def _go_on(server: Server, version: str, name: str) -> None:
    """Looks whether a table is as it was, and plays there to the end."""
    kept = read(version, "tables.json.gz")[name]
    table, tokens, then = kept["table"], list(kept["tokens"].values()), kept["told"]
    now = await told_at(server, table, tokens)
    assert list(differences(then, now, CHANGED[version])) == []
    if then["table"]["status"] == "waiting":
        joined = await asyncio.to_thread(server.join, table, "Late")
        tokens.append(joined.token)
    async with at(server.attached(table, *tokens)) as player:
        crew = Crew(player)
        if player.status == "waiting":
            assert (await player.ask("start"))["type"] == "ok"
        elif player.status == "paused":
            assert (await player.ask("pause", paused=False))["type"] == "ok"
        if then["table"]["game"] != "riff-raff":
            await crew.play()
            return
        # of two, one resigns once some more was loaded
        enough = _seq(then) + MORE_ENTRIES
        await crew.play(lambda: bool(crew.views) and crew.views[0]["seq"] >= enough)
        assert (await player.ask("resign", seat=crew.seats[0]))["type"] == "ok"
        await player.until(lambda: crew.is_over)


def _seq(told: Told) -> int:
    return int(told["views"]["spectator"]["seq"])

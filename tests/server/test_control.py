"""One server to one database, and the commands that are asked of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import quarterdeck
from quarterdeck import cli
from quarterdeck.server.control import NotRunning, ask_status, fetch_copy, socket_path
from quarterdeck.server.errors import NotStored
from quarterdeck.server.lock import InUse, locked

from .helpers import Server, at, in_loop, read_journals


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def harbour(folder: Path) -> Iterator[Server]:
    server = Server(folder, "--unlimited").start()
    yield server
    server.end()


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    source = str(Path(quarterdeck.__file__).parents[1])
    return subprocess.run(
        [sys.executable, "-m", "quarterdeck.cli", *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": source},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


# The lock --------------------------------------------------------------------------------------


def test_a_second_server_is_refused_in_one_line(harbour: Server) -> None:
    assert harbour.process is not None
    second = run("serve", "--port", 0, "--data", harbour.data)
    assert second.returncode == 2
    (line,) = second.stdout.splitlines()
    told = json.loads(line)
    assert told["error"] == "in-use"
    assert f"process {harbour.process.pid} " in told["message"]
    assert harbour.fetch("GET", "/healthz").status == 200


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_that_is_gone_holds_no_lock(harbour: Server, number: int) -> None:
    harbour.end(number)
    assert socket_path(harbour.database).exists() == (number == signal.SIGKILL)
    with locked(harbour.database):
        pass
    harbour.start()  # over the socket a killed one left behind
    assert ask_status(harbour.database).tables_awake == 0


def test_a_lock_is_held_by_one_and_let_go_after_an_error(tmp_path: Path) -> None:
    database = tmp_path / "new" / "a.sqlite3"
    with locked(database):
        with pytest.raises(InUse, match=f"process {os.getpid()} "), locked(database):
            raise AssertionError("two have it")
        with locked(tmp_path / "b.sqlite3"):
            pass
    with pytest.raises(ZeroDivisionError), locked(database):
        raise ZeroDivisionError
    with locked(database):
        pass
    file = tmp_path / "a.file"
    file.touch()
    with pytest.raises(NotStored, match="cannot lock"), locked(file / "under" / "a.db"):
        pass


def test_restoring_over_a_database_in_use_is_refused(
    harbour: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.sqlite3"
    assert cli.main(["backup", str(copy), "--data", str(harbour.data)]) == 0
    capsys.readouterr()
    assert cli.main(["restore", str(copy), "--data", str(harbour.data)]) == 2
    assert json.loads(capsys.readouterr().out)["error"] == "in-use"


# Commands --------------------------------------------------------------------------------------


@in_loop
async def test_a_server_tells_how_it_fares(
    harbour: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    assert harbour.process is not None
    seated = harbour.make("mine", "mine")
    async with at(harbour.attached(seated.table, seated.token)):
        told = await asyncio.to_thread(ask_status, harbour.database)
        assert (told.tables_awake, told.clients) == (1, 1)
        assert (told.process, told.version) == (harbour.process.pid, quarterdeck.__version__)
    assert run("status", "--data", harbour.data).stdout.splitlines()[0].split() == [
        "version",
        quarterdeck.__version__,
    ]
    assert cli.main(["status", "--data", str(harbour.data), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tables_awake"] == 1


def test_without_a_server_there_is_nobody_to_ask(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["status", "--data", str(folder)]) == 2
    assert json.loads(capsys.readouterr().out)["error"] == "not-running"
    assert not fetch_copy(folder / "quarterdeck.sqlite3", tmp_path / "copy")
    assert not folder.exists()


def test_a_server_that_hangs_up_or_talks_nonsense_is_no_server(tmp_path: Path) -> None:
    database = tmp_path / "a.sqlite3"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(socket_path(database)))
        listener.listen()
        answers = [b"", b"Ahoy\n", b'{"told":"copied","name":"x"}\n']

        def answer() -> None:
            for data in answers:
                connection, _ = listener.accept()
                with connection:
                    connection.recv(100)
                    connection.sendall(data)

        async def ask() -> None:
            answering = asyncio.create_task(asyncio.to_thread(answer))
            for _ in answers:
                with pytest.raises(NotRunning):
                    await asyncio.to_thread(ask_status, database)
            await answering

        asyncio.run(ask())


def test_only_its_owner_may_command_a_server(harbour: Server) -> None:
    mode = socket_path(harbour.database).stat().st_mode
    assert stat.S_ISSOCK(mode)
    assert stat.S_IMODE(mode) == 0o600


@pytest.mark.parametrize("line", [b"", b"Ahoy", b'{"do":"sink"}', b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_command_is_refused_and_the_server_goes_on(harbour: Server, line: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(socket_path(harbour.database)))
        connection.settimeout(30)
        # a line without end is hung up on, maybe while it is still being sent
        answer: Any = {"told": "failed"}
        with contextlib.suppress(ConnectionError):
            connection.sendall(line + b"\n")
            with connection.makefile("rb") as lines:
                answer = json.loads(lines.readline() or b'{"told":"failed"}')
        assert answer["told"] == "failed"
    assert ask_status(harbour.database).clients == 0
    assert '"level": "error"' not in harbour.log


@in_loop
async def test_a_running_server_makes_the_backup_itself(harbour: Server, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    seated = harbour.make("mine", "mine", start=True)
    async with at(harbour.attached(seated.table, *seated.tokens.values())) as player:
        playing = asyncio.create_task(player.play())
        backing = [
            asyncio.to_thread(fetch_copy, harbour.database, copy.with_suffix(f".{n}"))
            for n in range(3)
        ]
        assert await asyncio.gather(*backing) == [True] * 3
        await playing
    before = read_journals(harbour.database)[seated.table]
    for number in range(3):
        copied = copy.with_suffix(f".{number}")
        entries = read_journals(copied)[seated.table]
        assert entries == before[: len(entries)]
        with contextlib.closing(sqlite3.connect(copied)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with pytest.raises(NotStored, match="already there"):
        fetch_copy(harbour.database, copy.with_suffix(".0"))
    with pytest.raises(NotStored, match="no folder"):
        fetch_copy(harbour.database, tmp_path / "nowhere" / "copy")
    left = [path.name for path in harbour.data.iterdir() if "copy" in path.name]
    assert left == []


def test_a_path_too_long_for_a_socket_is_no_hindrance(tmp_path: Path) -> None:
    server = Server(tmp_path / ("deep" * 30) / ("deeper" * 20), "--unlimited").start()
    try:
        assert ask_status(server.database).tables_awake == 0
        assert fetch_copy(server.database, tmp_path / "copy")
    finally:
        server.end()
    assert not socket_path(server.database).exists()
    with pytest.raises(NotRunning):
        ask_status(server.database)

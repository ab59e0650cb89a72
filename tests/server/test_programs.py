"""Programs that take a seat online: they play with a token, and everybody sees what they are."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from quarterdeck.server.errors import NotHost
from quarterdeck.server.journal import Acted, Joined
from quarterdeck.server.keys import hash_token

from .helpers import Server, at, fold, in_loop, made_table, snapshot, start

EXAMPLE = Path(__file__).parents[2] / "examples" / "online_bot.py"


def test_a_program_is_a_guest_who_is_known_for_one() -> None:
    table, _ = made_table("mine", "open", "open")
    key = table.join("Robot", 1, 2000, program=True)
    table.join("Person", 2, 2000)
    seats = table.seat_infos([0, 1])
    assert [seat.program for seat in seats] == [False, True, False]
    assert seats[1].kind == "person"
    assert seats[1].name == "Robot"
    assert table.seats_of([key.token]) == [1]
    joined = next(entry for entry in table.pending if isinstance(entry, Joined))
    assert joined.token_hash == hash_token(key.token)
    assert key.token not in str(joined)
    assert snapshot(fold(table)) == snapshot(table)


def test_what_a_program_does_is_marked() -> None:
    table, _ = made_table("mine", "open")
    table.join("Robot", 1, 2000, program=True)
    start(table, 2000)
    table.act(1, "bid 0", 2000)
    table.act(0, "bid 0", 2000)
    acted = [entry for entry in table.pending if isinstance(entry, Acted) and entry.by >= 0]
    assert [(entry.by, entry.via) for entry in acted[:2]] == [(1, "bot"), (0, None)]


def test_a_program_never_becomes_host() -> None:
    table, _ = made_table("mine", "open", "open")
    table.join("Robot", 1, 2000, program=True)
    table.join("Person", 2, 2000)
    start(table, 2000)
    table.leave(0, 2000)
    assert table.host == 2
    with pytest.raises(NotHost):
        table.pause([1], True, 2000)


def test_a_seat_a_program_leaves_is_a_bot_s() -> None:
    table, _ = made_table("mine", "open")
    table.join("Robot", 1, 2000, program=True)
    start(table, 2000)
    table.leave(1, 2000)
    (_, seat) = table.seat_infos([0])
    assert (seat.kind, seat.program, seat.level) == ("bot", False, "bosun")


def test_a_kind_that_is_none_is_refused(server: Server) -> None:
    seated = server.make("mine", "open")
    answer = server.fetch(
        "POST", f"/api/tables/{seated.table}/join", {"name": "X", "kind": "parrot"}
    )
    assert answer.status == 400
    assert answer.json["code"] == "bad-message"


@in_loop
async def test_the_example_plays_a_whole_game_online(server: Server) -> None:
    seated = server.make("mine", "open")
    async with at(server.attached(seated.table, seated.token)) as player:
        program = await asyncio.create_subprocess_exec(
            sys.executable, str(EXAMPLE), f"http://{server.address}", seated.table, "Robot",
            stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            await player.until(lambda: player.table["seats"][1]["online"])
            assert player.table["seats"][1]["program"] is True
            assert (await player.ask("start"))["type"] == "ok"
            await player.play()
            async with asyncio.timeout(30):
                _, errors = await program.communicate()
            assert program.returncode == 0, errors
        finally:
            if program.returncode is None:
                program.kill()
                await program.wait()
    acted = [entry for entry in server.journal(seated.table) if isinstance(entry, Acted)]
    assert {entry.via for entry in acted if entry.by == 1} == {"bot"}
    assert {entry.via for entry in acted if entry.by == 0} == {None}

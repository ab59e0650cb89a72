"""The storage: what is acknowledged is on the disk, what is refused is not, in part or whole."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import resource
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from quarterdeck import cli
from quarterdeck.contract import QuarterdeckError
from quarterdeck.server import storage as storage_module
from quarterdeck.server.errors import Conflict, DamagedJournal, NotStored
from quarterdeck.server.journal import read_entries, write_entry
from quarterdeck.server.listing import Listing
from quarterdeck.server.protocol import encode
from quarterdeck.server.settings import DATABASE
from quarterdeck.server.storage import (
    SCHEMA_VERSION,
    SqliteStorage,
    TableRow,
    back_up,
    open_database,
)

from .helpers import GAME, Server, appended, at, in_loop, made_table, read_journals


def row(table: str, status: str = "playing", changed_at: int = 1) -> TableRow:
    return TableRow(table, "skull-king", status, True, 1, changed_at, b"{}")


@contextlib.asynccontextmanager
async def stored(path: Path) -> AsyncIterator[SqliteStorage]:
    storage = SqliteStorage(path)
    try:
        yield storage
    finally:
        await storage.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / DATABASE


# Append and load -------------------------------------------------------------------------------


@in_loop
async def test_what_was_appended_is_loaded_in_order(path: Path) -> None:
    async with stored(path) as storage:
        assert await storage.load("a") == []
        await appended(storage, "a", 0, [b"1", b"2"], row("a"))
        await appended(storage, "b", 0, [b"x"])
        await appended(storage, "a", 2, [b"3"])
        assert await storage.load("a") == [b"1", b"2", b"3"]
        assert await storage.load("b") == [b"x"]
    async with stored(path) as again:
        assert await again.load("a") == [b"1", b"2", b"3"]
    assert read_journals(path) == {"a": [b"1", b"2", b"3"], "b": [b"x"]}


@pytest.mark.parametrize("expected", [0, 1, 3, 7])
@in_loop
async def test_another_length_is_a_conflict_and_nothing_is_written(
    path: Path, expected: int
) -> None:
    async with stored(path) as storage:
        await appended(storage, "a", 0, [b"1", b"2"], row("a", "playing"))
        with pytest.raises(Conflict):
            await appended(storage, "a", expected, [b"no", b"no"], row("a", "over"), b"record")
        assert await storage.load("a") == [b"1", b"2"]
        assert [found.status for found in await storage.rows(["playing", "over"], 9)] == ["playing"]
        assert await storage.record("a") is None


@in_loop
async def test_of_two_who_write_at_once_one_wins(path: Path) -> None:
    async with stored(path) as one, stored(path) as other:
        for seq in range(30):
            answers = await asyncio.gather(
                appended(one, "a", seq, [b"one"]),
                appended(other, "a", seq, [b"other"]),
                return_exceptions=True,
            )
            assert [type(answer) for answer in answers if answer is not None] == [Conflict]
        assert len(await one.load("a")) == 30


@contextlib.contextmanager
def flushes(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, list[str]]]:
    """Flushes of SQLite's log wait for the gate; each is noted with the name of the file."""
    gate, noted = threading.Event(), list[str]()
    flush = os.fdatasync

    def gated(file: int) -> None:
        gate.wait(30)
        flush(file)
        noted.append(os.readlink(f"/proc/self/fd/{file}"))

    monkeypatch.setattr(os, "fdatasync", gated)
    try:
        yield gate, noted
    finally:
        gate.set()


@in_loop
async def test_many_appends_at_once_share_commits(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with flushes(monkeypatch) as (gate, noted):
        async with stored(path) as storage:
            appends = [
                asyncio.ensure_future(
                    appended(storage, f"t{table}", seq, [f"{table}.{seq}".encode()])
                )
                for seq in range(10)
                for table in range(100)
            ]
            await asyncio.sleep(0)
            gate.set()
            await asyncio.gather(*appends)
            for table in range(100):
                told = [b"%d.%d" % (table, seq) for seq in range(10)]
                assert await storage.load(f"t{table}") == told
    assert 1 <= len(noted) <= 4


@in_loop
async def test_nothing_is_acknowledged_before_the_log_is_flushed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with flushes(monkeypatch) as (gate, noted):
        async with stored(path) as storage:
            assert storage._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            first = asyncio.ensure_future(appended(storage, "a", 0, [b"1"]))
            await asyncio.sleep(0.05)
            second = asyncio.ensure_future(appended(storage, "a", 1, [b"2"]))
            await asyncio.sleep(0.05)
            assert not first.done()
            assert not second.done()
            gate.set()
            await first
            await second
    assert noted == [f"{path}-wal"] * 2


@in_loop
async def test_after_a_flush_that_failed_nothing_is_promised(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(file: int) -> None:
        raise OSError(5, "the disk is broken")

    async with stored(path) as storage:
        await appended(storage, "a", 0, [b"1"])
        with monkeypatch.context() as patched:
            patched.setattr(os, "fdatasync", fail)
            with pytest.raises(NotStored, match="broken"):
                await appended(storage, "a", 1, [b"2"])
        with pytest.raises(NotStored, match="broken"):
            await appended(storage, "b", 0, [b"1"])


@in_loop
async def test_the_log_begins_again_and_does_not_grow(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage_module, "_LINES_IN_LOG", 20)
    sizes = []
    async with stored(path) as storage:
        for seq in range(600):
            await appended(storage, f"t{seq % 7}", seq // 7, [b"x" * 200])
            sizes.append(Path(f"{path}-wal").stat().st_size)
        assert sum([len(await storage.load(f"t{n}")) for n in range(7)]) == 600
    assert max(sizes) < 1_000_000  # of more than four, would it never begin again


@in_loop
async def test_what_another_process_wrote_is_a_conflict(path: Path) -> None:
    async with stored(path) as storage, stored(path) as other:
        for table in ("a", "b", "c"):
            await appended(storage, table, 0, [b"1"])
        await appended(other, "b", 1, [b"theirs"])
        answers = await asyncio.gather(
            *(appended(storage, table, 1, [b"2", b"3"]) for table in ("a", "b", "c")),
            return_exceptions=True,
        )
        assert [isinstance(answer, Conflict) for answer in answers] == [False, True, False]
        await appended(storage, "b", 2, [b"ours"])
    assert read_journals(path) == {
        "a": [b"1", b"2", b"3"],
        "b": [b"1", b"theirs", b"ours"],
        "c": [b"1", b"2", b"3"],
    }


@in_loop
async def test_a_conflict_does_not_stop_the_rest_of_its_batch(path: Path) -> None:
    async with stored(path) as storage:
        answers = await asyncio.gather(
            *(appended(storage, f"t{n}", n % 2, [b"1", b"2"]) for n in range(40)),
            return_exceptions=True,
        )
        assert [isinstance(answer, Conflict) for answer in answers] == [False, True] * 20
    assert sorted(read_journals(path)) == sorted(f"t{n}" for n in range(0, 40, 2))


@in_loop
async def test_rows_are_found_by_status_the_last_changed_first(path: Path) -> None:
    async with stored(path) as storage:
        for number, status in enumerate(("waiting", "playing", "over", "playing", "paused")):
            await appended(storage, f"t{number}", 0, [b"1"], row(f"t{number}", status, number))
        await appended(storage, "t1", 1, [b"2"], row("t1", "playing", 99))
        found = await storage.rows(("playing", "paused"), 10)
        assert [(kept.id, kept.changed_at) for kept in found] == [("t1", 99), ("t4", 4), ("t3", 3)]
        assert len(await storage.rows(("playing", "paused"), 2)) == 2
        assert found[0] == row("t1", "playing", 99)


@in_loop
async def test_a_record_is_kept_with_the_entry_that_ends_its_game(path: Path) -> None:
    async with stored(path) as storage:
        await appended(storage, "a", 0, [b"1"], row("a", "over"), b"the record")
        assert await storage.record("a") == b"the record"
        assert await storage.record("b") is None


@in_loop
async def test_closing_finishes_what_was_begun(path: Path) -> None:
    storage = SqliteStorage(path)
    appends = [asyncio.ensure_future(appended(storage, f"t{n}", 0, [b"1"])) for n in range(50)]
    await asyncio.sleep(0)
    await storage.close()
    await asyncio.gather(*appends)
    assert len(read_journals(path)) == 50


@in_loop
async def test_a_row_may_be_news_without_an_entry(path: Path) -> None:
    async with stored(path) as storage:
        await appended(storage, "a", 0, [b"1"], row("a"))
        await appended(storage, "a", 1, [], replace(row("a"), due_at=7))
        with pytest.raises(Conflict):
            await appended(storage, "a", 0, [], row("a", "over"))
        assert await storage.row("a") == replace(row("a"), due_at=7)
        assert await storage.row("b") is None
        assert await storage.load("a") == [b"1"]


@in_loop
async def test_appends_to_one_table_may_follow_each_other_without_waiting(path: Path) -> None:
    async with stored(path) as storage:
        await asyncio.gather(*(appended(storage, "a", n, [b"%d" % n]) for n in range(200)))
        assert await storage.load("a") == [b"%d" % n for n in range(200)]


@in_loop
async def test_one_who_fails_when_told_does_not_keep_it_from_the_others(path: Path) -> None:
    loop = asyncio.get_running_loop()
    told: list[QuarterdeckError | None] = []
    reported: list[Exception] = []
    loop.set_exception_handler(lambda _, context: reported.append(context["exception"]))

    def fail(error: QuarterdeckError | None) -> None:
        raise ArithmeticError

    async with stored(path) as storage:
        storage.append("a", 0, [b"1"], None, None, fail)
        storage.append("b", 0, [b"1"], None, None, told.append)
        storage.append("b", 0, [b"1"], None, None, told.append)
        await appended(storage, "c", 0, [b"1"])
    assert [type(error) for error in told] == [type(None), Conflict]
    assert [type(error) for error in reported] == [ArithmeticError]


@in_loop
async def test_what_is_due_is_found_the_most_urgent_first(path: Path) -> None:
    async with stored(path) as storage:
        for number, due_at in enumerate((50, None, 20, 80, 20)):
            due = replace(row(f"t{number}"), due_at=due_at)
            await appended(storage, f"t{number}", 0, [b"1"], due)
        assert await storage.due(50, 9) == [("t2", 20), ("t4", 20), ("t0", 50)]
        assert await storage.due(10**15, 2) == [("t2", 20), ("t4", 20)]
        assert await storage.due(19, 9) == []
        await appended(storage, "t2", 1, [b"2"], row("t2"))
        assert await storage.due(20, 9) == [("t4", 20)]


@in_loop
async def test_listed_tables_under_way_are_found_the_newest_first(path: Path) -> None:
    async with stored(path) as storage:
        for number, status in enumerate(("playing", "waiting", "paused", "over", "revealing")):
            kept = replace(row(f"t{number}", status), made_at=number)
            await appended(storage, f"t{number}", 0, [b"1"], kept)
            hidden = replace(row(f"h{number}", status), listed=False)
            await appended(storage, f"h{number}", 0, [b"1"], hidden)
        assert [found.id for found in await storage.listed(9)] == ["t4", "t2", "t0"]
        assert [found.id for found in await storage.listed(1)] == ["t4"]


@in_loop
async def test_what_a_server_asks_is_answered_by_an_index_without_sorting(path: Path) -> None:
    queries: list[str] = []
    async with stored(path) as storage:
        storage._reader.set_trace_callback(queries.append)
        await storage.listed(9)
        await storage.due(5, 9)
        await storage.rows(("over",), 9)
        await storage.row("a")
        await storage.load("a")
        await storage.record("a")
        storage._reader.set_trace_callback(None)
        assert len(queries) == 6
        for query in queries:
            plan = storage._writer.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()
            assert len(plan) == 1, plan
            assert re.search("USING (COVERING )?INDEX|USING PRIMARY KEY", plan[0][3]), plan


@in_loop
async def test_five_thousand_running_tables_are_no_hindrance_at_the_start(path: Path) -> None:
    table, _ = made_table("mine", "bot", "open")
    line, entry = encode(table.line([0])), write_entry(table.made)
    async with stored(path) as storage:
        await asyncio.gather(
            *(
                appended(
                    storage,
                    f"t{number}",
                    0,
                    [entry] * 20,
                    TableRow(f"t{number}", GAME, "playing", True, number, number, line, number),
                )
                for number in range(5000)
            )
        )
    started = time.perf_counter()
    async with stored(path) as storage:
        listing = Listing()
        listing.fill(await storage.listed(100_000))
        due = await storage.due(10**15, 100)
        seconds = time.perf_counter() - started
    assert len(listing) == 5000
    assert due == [(f"t{number}", number) for number in range(100)]
    assert seconds < 0.8


# Entries that are not as they were written -----------------------------------------------------


DAMAGES = {
    "UPDATE journal SET entry = CAST(replace(entry, 'Ahoy', 'Ahoi') AS BLOB) WHERE seq = 3": 3,
    "UPDATE journal SET entry = 'Ahoy' WHERE seq = 3": 3,
    "UPDATE journal SET checksum = checksum + 1 WHERE seq = 3": 3,
    "DELETE FROM journal WHERE seq = 3": 3,
    "DELETE FROM journal WHERE seq = 0": 0,
    # one entry in the place of another
    "UPDATE journal SET (entry, checksum) = (SELECT entry, checksum FROM journal WHERE seq = 2)"
    " WHERE seq = 3": 3,
}


@pytest.mark.parametrize("damage", DAMAGES)
@in_loop
async def test_a_damaged_entry_is_named_and_spoils_no_other_table(path: Path, damage: str) -> None:
    entries = [b'{"n":%d,"text":"Ahoy"}' % n for n in range(6)]
    async with stored(path) as storage:
        await appended(storage, "a", 0, entries)
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute(damage)
            connection.commit()
        await appended(storage, "b", 0, entries)
        with pytest.raises(DamagedJournal, match=f"table a: entry {DAMAGES[damage]} "):
            await storage.load("a")
        assert await storage.load("b") == entries


@in_loop
async def test_entries_from_before_there_were_checksums_are_read(path: Path) -> None:
    async with stored(path) as storage:
        await appended(storage, "a", 0, [b"1", b"2"])
        storage._writer.execute("UPDATE journal SET checksum = NULL")
        await appended(storage, "a", 2, [b"3"])
        assert await storage.load("a") == [b"1", b"2", b"3"]
        storage._writer.execute("DELETE FROM journal WHERE seq = 1")
        with pytest.raises(DamagedJournal, match="entry 1 is missing"):
            await storage.load("a")


@pytest.mark.parametrize("data", [b"{", b"[]", b"\xff", b'{"type":"sunk","at":1}', b'{"at":1}'])
def test_an_entry_that_is_none_is_named(data: bytes) -> None:
    woke = b'{"type":"woke","at":1}'
    made = write_entry(made_table("mine", "bot")[0].made)
    assert len(read_entries("a", [made, woke])) == 2
    with pytest.raises(DamagedJournal, match="table a: entry 2"):
        read_entries("a", [made, woke, data, woke])
    with pytest.raises(DamagedJournal, match="table a: entry 0"):
        read_entries("a", [woke, woke])


@in_loop
async def test_a_server_with_a_damaged_table_serves_all_others(own_server: Server) -> None:
    seated = {
        damage: own_server.make("mine", "mine", start=True)
        for damage in ("UPDATE journal SET entry = X'00' WHERE seq = 2", *DAMAGES)
    }
    for table in seated.values():
        async with at(own_server.attached(table.table, *table.tokens.values())) as player:
            await player.until_turn(0)
    whole = own_server.make("mine", "mine", start=True)
    own_server.kill()
    with contextlib.closing(sqlite3.connect(own_server.database)) as connection:
        for damage, table in seated.items():
            damage = damage.replace("'Ahoy', 'Ahoi'", "'type', 'tyPe'")
            damage = damage.replace(
                "WHERE seq = 2)", f"WHERE seq = 2 AND table_id = '{table.table}')"
            )
            connection.execute(f"{damage} AND table_id = '{table.table}'")
        connection.commit()
    own_server.start()
    async with at(own_server.player()) as player:
        for table in seated.values():
            answer = await player.attach(table.table, *table.tokens.values())
            assert (answer["type"], answer["code"]) == ("error", "damaged-journal")
            assert re.search(r"entry \d", answer["message"])
        joined = own_server.fetch("POST", f"/api/tables/{table.table}/join", {"name": "X"})
        assert (joined.status, joined.json["code"]) == (500, "damaged-journal")
        assert (await player.attach(whole.table, *whole.tokens.values()))["type"] == "ok"
        await player.play()
        assert player.status == "over"


# Disks that are full, files that are none ------------------------------------------------------


@in_loop
async def test_a_full_disk_takes_all_of_an_append_or_nothing(path: Path) -> None:
    async with stored(path) as storage:
        await appended(storage, "a", 0, [b"begin"], row("a"))
        (pages,) = storage._writer.execute("PRAGMA page_count").fetchone()
        storage._writer.execute(f"PRAGMA max_page_count = {pages + 4}")
        written, refused = 1, 0
        for _ in range(40):
            try:
                # three entries at a time: a half-written append would show
                await appended(storage, "a", written, [b"x" * 900] * 3)
                written += 3
            except NotStored:
                refused += 1
        assert written > 1
        assert refused > 10
        assert len(await storage.load("a")) == written
        # and once there is room, it goes on where it stood
        storage._writer.execute("PRAGMA max_page_count = 100000")
        await appended(storage, "a", written, [b"y"])
    entries = read_journals(path)["a"]
    assert len(entries) == written + 1
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@in_loop
async def test_a_full_disk_refuses_every_append_of_its_batch(path: Path) -> None:
    async with stored(path) as storage:
        await appended(storage, "a", 0, [b"begin"])
        (pages,) = storage._writer.execute("PRAGMA page_count").fetchone()
        storage._writer.execute(f"PRAGMA max_page_count = {pages}")
        answers = await asyncio.gather(
            *(appended(storage, f"t{n}", 0, [b"x" * 900]) for n in range(60)),
            return_exceptions=True,
        )
        acknowledged = {f"t{n}" for n, answer in enumerate(answers) if answer is None}
        assert {type(answer) for answer in answers} <= {NotStored, type(None)}
        assert len(acknowledged) < 60
    assert set(read_journals(path)) == acknowledged | {"a"}


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "data", "--unlimited").start()
    yield server
    server.end()


@in_loop
async def test_a_server_whose_disk_is_full_says_so_and_goes_on_later(own_server: Server) -> None:
    seated = own_server.make("mine", "mine", start=True)
    assert own_server.process is not None
    pid, unlimited = own_server.process.pid, resource.RLIM_INFINITY
    async with at(own_server.attached(seated.table, *seated.tokens.values())) as player:
        await player.until_turn(0)
        told = len(player.told)
        journal = own_server.journal(seated.table)
        size = own_server.database.with_name(DATABASE + "-wal").stat().st_size
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, unlimited))
        assert (await player.act(0, "bid 0"))["code"] == "not-stored"
        answer = await player.ask("chat", text="Is anybody there?")
        assert answer["code"] == "not-stored"
        assert own_server.fetch("POST", "/api/tables", b"{}").status == 400
        refused = own_server.fetch(
            "POST",
            "/api/tables",
            {"game": "skull-king", "name": "X", "seats": [{"kind": "mine"}, {"kind": "bot"}]},
        )
        assert (refused.status, refused.json["code"]) == (503, "not-stored")
        assert len(player.told) == told  # nobody was told of what is not stored
        assert own_server.journal(seated.table) == journal
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))
        assert (await player.act(0, "bid 0"))["type"] == "ok"
        await player.play()
        assert player.status == "over"
    assert own_server.fetch("GET", f"/api/tables/{seated.table}/record").status == 200


def test_a_corrupt_file_is_refused_and_left_as_it_is(path: Path) -> None:
    path.parent.mkdir()
    damaged = b"This was a database once. " * 200
    path.write_bytes(damaged)
    with pytest.raises(NotStored, match="cannot open"):
        open_database(path)
    assert path.read_bytes() == damaged


@in_loop
async def test_a_file_that_is_damaged_in_use_is_refused_when_read(path: Path) -> None:
    async with stored(path) as storage:
        for table in range(40):
            await appended(storage, f"t{table}", 0, [b"x" * 2000])
        storage._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with path.open("r+b") as file:
            size = path.stat().st_size
            file.seek(4096)
            file.write(b"\xa5" * (size - 4096))
        with pytest.raises(NotStored):
            await storage.load("t7")


def test_a_newer_schema_is_refused(path: Path) -> None:
    open_database(path).close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(NotStored, match="newer"):
        open_database(path)


def test_an_empty_file_is_brought_to_the_present_schema(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    for _ in range(2):  # the second time there is nothing left to do
        with contextlib.closing(open_database(path)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
            names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            assert {"journal", "tables", "records"} <= names


@in_loop
async def test_what_the_first_schema_kept_is_read_and_played_on(path: Path) -> None:
    path.parent.mkdir()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(storage_module._MIGRATIONS[1] + "PRAGMA user_version = 1")
        for table, status in (("a", "playing"), ("b", "waiting"), ("c", "revealing")):
            connection.execute("INSERT INTO journal VALUES (?, 0, ?)", (table, b"1"))
            connection.execute(
                "INSERT INTO tables VALUES (?, 'skull-king', ?, 1, 1, 1, ?)", (table, status, b"{}")
            )
        connection.commit()
    async with stored(path) as storage:
        assert await storage.load("a") == [b"1"]
        # nobody noted what running tables wait for: they are looked after at once
        assert await storage.due(0, 9) == [("a", 0), ("c", 0)]
        assert await storage.row("b") == row("b", "waiting")
        await appended(storage, "a", 1, [b"2"], row("a"))
        assert await storage.load("a") == [b"1", b"2"]
        assert await storage.due(0, 9) == [("c", 0)]


def test_a_migration_that_fails_leaves_the_version_before(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_database(path).close()
    steps = {
        SCHEMA_VERSION + 1: "CREATE TABLE berths (id TEXT)",
        SCHEMA_VERSION + 2: "CREATE TABLE ropes (id TEXT); CREATE TABLE berths (id TEXT)",
    }
    monkeypatch.setattr(storage_module, "SCHEMA_VERSION", SCHEMA_VERSION + 2)
    monkeypatch.setattr(storage_module, "_MIGRATIONS", storage_module._MIGRATIONS | steps)
    with pytest.raises(NotStored):
        open_database(path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION + 1,)
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        assert "berths" in names
        assert "ropes" not in names


# Backup and restore ----------------------------------------------------------------------------


@in_loop
async def test_a_backup_of_a_database_in_use_can_be_restored(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, other = tmp_path / "copy.sqlite3", tmp_path / "other"
    async with stored(path) as storage:
        acknowledged = 0
        is_enough = False

        async def write() -> None:
            nonlocal acknowledged
            while not is_enough:
                await appended(storage, "a", acknowledged * 2, [b"1", b"2"])
                acknowledged += 1

        writing = asyncio.create_task(write())
        await asyncio.sleep(0.1)
        before = acknowledged
        arguments = ["backup", str(copy), "--data", str(path.parent)]
        assert await asyncio.to_thread(cli.main, arguments) == 0
        after = acknowledged + 1  # one may be stored and not yet acknowledged
        is_enough = True
        await writing
        # the copy is a moment between
        assert before * 2 <= len(read_journals(copy)["a"]) <= after * 2
        assert len(read_journals(copy)["a"]) % 2 == 0
    assert cli.main(["restore", str(copy), "--data", str(other)]) == 0
    assert read_journals(other / DATABASE) == read_journals(copy)
    capsys.readouterr()
    assert cli.main(["restore", str(copy), "--data", str(other)]) == 2
    assert "already there" in capsys.readouterr().out
    assert cli.main(["backup", str(copy), "--data", str(other)]) == 2


def test_a_database_outside_the_data_folder_is_backed_up_and_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source, copy, target = (tmp_path / name for name in ("club.db", "copy.db", "new/club.db"))
    with contextlib.closing(sqlite3.connect(source)) as database:
        database.execute("CREATE TABLE parrots (name TEXT)")
    monkeypatch.setenv("QUARTERDECK_DATABASE", f"sqlite:{source}")
    assert cli.main(["backup", str(copy)]) == 0
    assert cli.main(["restore", str(copy), "--database", f"sqlite:{target}"]) == 0
    with contextlib.closing(sqlite3.connect(target)) as database:
        assert database.execute("SELECT count(*) FROM parrots").fetchone() == (0,)
    capsys.readouterr()
    assert cli.main(["restore", str(copy), "--database", f"sqlite:{copy}/under/a.file"]) == 2
    assert "bad-option" in capsys.readouterr().out


def test_a_backup_that_fails_leaves_no_file(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    copy = tmp_path / "copy.sqlite3"
    with pytest.raises(NotStored, match="there is no database"):
        back_up(path, copy)
    path.write_bytes(b"This was a database once. " * 200)
    with pytest.raises(NotStored, match="there is no folder"):
        back_up(path, tmp_path / "nowhere" / "copy.sqlite3")
    with pytest.raises(NotStored):
        back_up(path, copy)
    assert not copy.exists()
    with pytest.raises(NotStored):
        back_up(path, tmp_path / "nowhere" / "copy.sqlite3")

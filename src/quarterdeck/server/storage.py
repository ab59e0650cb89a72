"""Where tables are kept: append-only journals, and the records of finished games.

`Storage` is the interface; `SqliteStorage` fills it with one file. An append is acknowledged only
when it is on the disk (`synchronous=FULL`). All writes go through one thread, which commits
whatever has come in meanwhile in one transaction, so that many tables share one flush of the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from .errors import Conflict, NotStored

SCHEMA_VERSION = 1
_MOST_IN_A_BATCH = 512
_MOST_LENGTHS = 100_000
_MOST_AT_ONCE = 64  # appends in one statement


class TableRow(msgspec.Struct, frozen=True):
    """What is kept of a table beside its journal, to find it again without reading that."""

    id: str
    game: str
    status: str
    listed: bool
    made_at: int
    changed_at: int
    line: bytes


class Storage(Protocol):
    """Append-only journals with optimistic concurrency."""

    def append(
        self,
        table: str,
        expected_seq: int,
        entries: Sequence[bytes],
        row: TableRow | None = None,
        record: bytes | None = None,
    ) -> asyncio.Future[None]:
        """Stores entries after the first `expected_seq` ones, all or none, durably.

        Raises `Conflict` if the journal has another length, `NotStored` if the disk refuses.
        """

    async def load(self, table: str) -> list[bytes]:
        """The journal of a table, empty if there is none."""

    async def rows(self, statuses: Sequence[str], limit: int) -> list[TableRow]:
        """Tables with one of these statuses, the last changed first."""

    async def record(self, table: str) -> bytes | None:
        """The record of a finished game."""

    async def close(self) -> None:
        """Finishes what was begun and lets go of the storage."""


_MIGRATIONS: dict[int, str] = {
    1: """
        CREATE TABLE journal (
            table_id TEXT NOT NULL, seq INTEGER NOT NULL, entry BLOB NOT NULL,
            PRIMARY KEY (table_id, seq)
        ) WITHOUT ROWID;
        CREATE TABLE tables (
            id TEXT PRIMARY KEY, game TEXT NOT NULL, status TEXT NOT NULL, listed INTEGER NOT NULL,
            made_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, line BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX tables_by_status ON tables (status, changed_at);
        CREATE TABLE records (
            table_id TEXT PRIMARY KEY, finished_at INTEGER NOT NULL, record BLOB NOT NULL
        ) WITHOUT ROWID;
    """
}


def open_database(path: Path) -> sqlite3.Connection:
    """A connection to the database, brought to the present schema. Raises `NotStored`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA busy_timeout=5000")
        migrate(connection)
    except (sqlite3.Error, OSError) as error:
        raise NotStored(f"cannot open the database {str(path)!r}: {error}") from error
    return connection


def migrate(connection: sqlite3.Connection) -> None:
    """Applies what is missing, one version at a time, each in a transaction of its own."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        raise NotStored(f"the database has version {version}, newer than {SCHEMA_VERSION}")
    for step in range(version + 1, SCHEMA_VERSION + 1):
        connection.executescript(f"BEGIN;{_MIGRATIONS[step]};PRAGMA user_version={step};COMMIT;")


class _Job:
    """An append to be made, and who waits for it."""

    def __init__(
        self,
        table: str,
        expected_seq: int,
        entries: Sequence[bytes],
        row: TableRow | None,
        record: bytes | None,
    ) -> None:
        self.table = table
        self.expected_seq = expected_seq
        self.entries = entries
        self.row = row
        self.record = record
        self.error: Exception | None = None
        self.loop = asyncio.get_running_loop()
        self.done: asyncio.Future[None] = self.loop.create_future()

    def lines(self) -> list[Any]:
        """The values of its lines of the journal, one after the other."""
        values: list[Any] = []
        for seq, entry in enumerate(self.entries, self.expected_seq):
            values += (self.table, seq, entry)
        return values

    def settle(self) -> None:
        if not self.done.done():
            if self.error is None:
                self.done.set_result(None)
            else:
                self.done.set_exception(self.error)


class SqliteStorage:
    """Storage in one SQLite file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writer = open_database(path)
        self._reader = open_database(path)
        self._reading = threading.Lock()
        self._lengths: dict[str, int] = {}  # of journals written to, for the writing thread
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, name="storage", daemon=True)
        self._thread.start()

    def append(
        self,
        table: str,
        expected_seq: int,
        entries: Sequence[bytes],
        row: TableRow | None = None,
        record: bytes | None = None,
    ) -> asyncio.Future[None]:
        job = _Job(table, expected_seq, entries, row, record)
        self._jobs.put(job)
        return job.done

    async def load(self, table: str) -> list[bytes]:
        rows = await self._read(
            "SELECT entry FROM journal WHERE table_id = ? ORDER BY seq", (table,)
        )
        return [entry for (entry,) in rows]

    async def rows(self, statuses: Sequence[str], limit: int) -> list[TableRow]:
        marks = ", ".join("?" * len(statuses))
        rows = await self._read(
            f"SELECT * FROM tables WHERE status IN ({marks}) ORDER BY changed_at DESC LIMIT ?",
            (*statuses, limit),
        )
        return [
            TableRow(id, game, status, bool(listed), made_at, changed_at, line)
            for id, game, status, listed, made_at, changed_at, line in rows
        ]

    async def record(self, table: str) -> bytes | None:
        rows = await self._read("SELECT record FROM records WHERE table_id = ?", (table,))
        return rows[0][0] if rows else None

    async def close(self) -> None:
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        self._writer.close()
        with self._reading:
            self._reader.close()

    async def _read(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        def run() -> list[Any]:
            with self._reading:
                return self._reader.execute(query, values).fetchall()

        try:
            return await asyncio.to_thread(run)
        except sqlite3.Error as error:
            raise NotStored(f"cannot read the database: {error}") from error

    # The writing thread ----------------------------------------------------------------------

    def _write_all(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None:
                return
            batch = [job]
            stop = False
            while len(batch) < _MOST_IN_A_BATCH:
                try:
                    more = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    stop = True
                    break
                batch.append(more)
            self._write_batch(batch)
            if stop:
                return

    def _write_batch(self, batch: list[_Job]) -> None:
        """One transaction for all; a job that fails is undone alone and does not stop the rest."""
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            for job in self._write_together(batch):
                self._write_alone(job)
            self._writer.execute("COMMIT")
        except Exception as error:  # whatever it is, this thread must go on and nobody wait in vain
            with contextlib.suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            for job in batch:
                job.error = NotStored(f"cannot write to the database: {error}")
        if len(self._lengths) > _MOST_LENGTHS:
            self._lengths.clear()
        loops: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
        for job in batch:
            if job.error is None:
                self._lengths[job.table] = job.expected_seq + len(job.entries)
            else:
                self._lengths.pop(job.table, None)
            loops.setdefault(job.loop, []).append(job)
        for loop, jobs in loops.items():
            # a loop that is closed has nobody left who waits
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle, jobs)

    def _write_together(self, batch: list[_Job]) -> list[_Job]:
        """Writes with few statements, as each of them lets go of the interpreter.

        Answers the jobs that are left: those not known to follow their journal. (`seq` is part of
        the key, so a length once known is either still true or its next line is refused.)
        """
        known: dict[str, _Job] = {}
        left = []
        for job in batch:
            if self._lengths.get(job.table) == job.expected_seq and job.table not in known:
                known[job.table] = job
            else:
                left.append(job)
        jobs = list(known.values())
        for place in range(0, len(jobs), _MOST_AT_ONCE):
            some = jobs[place : place + _MOST_AT_ONCE]
            try:
                self._insert([value for job in some for value in job.lines()])
            except sqlite3.IntegrityError:  # somebody else wrote to one of these tables
                left = some + left
                continue
            for job in some:
                self._write_rest(job)
        return left

    def _write_alone(self, job: _Job) -> None:
        (length,) = self._writer.execute(
            "SELECT COALESCE(MAX(seq) + 1, 0) FROM journal WHERE table_id = ?", (job.table,)
        ).fetchone()
        if length != job.expected_seq:
            job.error = Conflict(f"table {job.table} has {length} entries, not {job.expected_seq}")
            return
        self._insert(job.lines())
        self._write_rest(job)

    def _insert(self, values: list[Any]) -> None:
        """One statement: all lines or none."""
        marks = ", ".join(["(?, ?, ?)"] * (len(values) // 3))
        self._writer.execute(f"INSERT INTO journal VALUES {marks}", values)

    def _write_rest(self, job: _Job) -> None:
        if job.row is not None:
            self._writer.execute(
                "INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)",
                msgspec.structs.astuple(job.row),
            )
        if job.record is not None:
            changed_at = job.row.changed_at if job.row is not None else 0
            self._writer.execute(
                "INSERT OR REPLACE INTO records VALUES (?, ?, ?)",
                (job.table, changed_at, job.record),
            )


def _settle(jobs: list[_Job]) -> None:
    for job in jobs:
        job.settle()


def back_up(source: Path, target: Path) -> None:
    """Copies a database, even one in use, into a new file. Raises `NotStored`."""
    if not source.exists():
        raise NotStored(f"there is no database {str(source)!r}")
    if target.exists():
        raise NotStored(f"{str(target)!r} is already there")
    if not target.parent.is_dir():
        raise NotStored(f"there is no folder {str(target.parent)!r} to copy to")
    try:
        with (
            contextlib.closing(sqlite3.connect(source)) as old,
            contextlib.closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new)
            (answer,) = new.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.Error as error:
        target.unlink(missing_ok=True)
        raise NotStored(f"cannot copy {str(source)!r}: {error}") from error
    if answer != "ok":
        target.unlink()
        raise NotStored(f"the copy of {str(source)!r} is damaged: {answer}")

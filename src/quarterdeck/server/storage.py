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
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from .errors import Conflict, NotStored

SCHEMA_VERSION = 1
_MOST_IN_A_BATCH = 512


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

    async def append(
        self,
        table: str,
        expected_seq: int,
        entries: Sequence[bytes],
        row: TableRow | None = None,
        record: bytes | None = None,
    ) -> None:
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
    """Something to be written, and who waits for it."""

    def __init__(
        self, write: Callable[[sqlite3.Connection], None], loop: asyncio.AbstractEventLoop
    ) -> None:
        self.write = write
        self.loop = loop
        self.done: asyncio.Future[None] = loop.create_future()

    def answer(self, error: Exception | None) -> None:
        def settle() -> None:
            if not self.done.done():
                if error is None:
                    self.done.set_result(None)
                else:
                    self.done.set_exception(error)

        # a loop that is closed has nobody left who waits
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(settle)


class SqliteStorage:
    """Storage in one SQLite file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writer = open_database(path)
        self._reader = open_database(path)
        self._reading = threading.Lock()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, name="storage", daemon=True)
        self._thread.start()

    async def append(
        self,
        table: str,
        expected_seq: int,
        entries: Sequence[bytes],
        row: TableRow | None = None,
        record: bytes | None = None,
    ) -> None:
        def write(connection: sqlite3.Connection) -> None:
            (length,) = connection.execute(
                "SELECT COALESCE(MAX(seq) + 1, 0) FROM journal WHERE table_id = ?", (table,)
            ).fetchone()
            if length != expected_seq:
                raise Conflict(f"table {table} has {length} entries, not {expected_seq}")
            connection.executemany(
                "INSERT INTO journal VALUES (?, ?, ?)",
                [(table, expected_seq + place, entry) for place, entry in enumerate(entries)],
            )
            if row is not None:
                connection.execute(
                    "INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)",
                    msgspec.structs.astuple(row),
                )
            if record is not None:
                changed_at = row.changed_at if row is not None else 0
                connection.execute(
                    "INSERT OR REPLACE INTO records VALUES (?, ?, ?)", (table, changed_at, record)
                )

        job = _Job(write, asyncio.get_running_loop())
        self._jobs.put(job)
        await job.done

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
        written: list[_Job] = []
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            for job in batch:
                self._writer.execute("SAVEPOINT job")
                try:
                    job.write(self._writer)
                except Conflict as error:
                    self._writer.execute("ROLLBACK TO job")
                    job.answer(error)
                else:
                    written.append(job)
                self._writer.execute("RELEASE job")
            self._writer.execute("COMMIT")
        except Exception as error:  # whatever it is, this thread must go on and nobody wait in vain
            with contextlib.suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            for job in batch:
                job.answer(NotStored(f"cannot write to the database: {error}"))
            return
        for job in written:
            job.answer(None)


def back_up(source: Path, target: Path) -> None:
    """Copies a database, even one in use, into a new file. Raises `NotStored`."""
    if not source.exists():
        raise NotStored(f"there is no database {str(source)!r}")
    if target.exists():
        raise NotStored(f"{str(target)!r} is already there")
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

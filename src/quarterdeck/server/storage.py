"""Where tables are kept: append-only journals, and the records of finished games.

`Storage` is the interface; `SqliteStorage` fills it with one file. An append is acknowledged only
when it is on the disk (`synchronous=FULL`). All writes go through one thread, which commits
whatever has come in meanwhile in one transaction, so that many tables share one flush of the disk.

Every entry is kept with a checksum. One that cannot be trusted spoils its own table, no other.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol, TypeVar
from zlib import crc32

import msgspec

from quarterdeck.contract import QuarterdeckError

from .errors import Conflict, DamagedJournal, NotStored

SCHEMA_VERSION = 2
_MOST_IN_A_BATCH = 512
_MOST_LENGTHS = 100_000
_MOST_IN_A_STATEMENT = 64  # lines of the journal

T = TypeVar("T")
Then = Callable[[QuarterdeckError | None], None]
"""What is called when an append is durable, or with the reason why nothing was written."""


class TableRow(msgspec.Struct, frozen=True):
    """What is kept of a table beside its journal, to find it again without reading that.

    `line` is its `TableLine` in the list of tables. `due_at` says when something happens by itself
    at a table that sleeps (a clock, nature, a bot), in milliseconds since 1970; None is never.
    """

    id: str
    game: str
    status: str
    listed: bool
    made_at: int
    changed_at: int
    line: bytes
    due_at: int | None = None


class Storage(Protocol):
    """Append-only journals with optimistic concurrency. Everything may raise `NotStored`."""

    def append(
        self,
        table: str,
        expected_seq: int,
        entries: Sequence[bytes],
        row: TableRow | None,
        record: bytes | None,
        then: Then,
    ) -> None:
        """Stores entries after the first `expected_seq` ones, all or none, durably.

        `then` is called later on the event loop this is called on: with None once it is stored,
        with `Conflict` if the journal has another length, with `NotStored` if the disk refuses.
        There may be no entries at all, if only the row is news.
        """

    async def load(self, table: str) -> list[bytes]:
        """The journal of a table, empty if there is none. Raises `DamagedJournal`."""

    async def row(self, table: str) -> TableRow | None:
        """What is kept of a table beside its journal."""

    async def rows(self, statuses: Sequence[str], limit: int) -> list[TableRow]:
        """Tables with one of these statuses, the last changed first."""

    async def listed(self, limit: int) -> list[TableRow]:
        """The listed tables where a game is under way, the newest first."""

    async def due(self, until_ms: int, limit: int) -> list[tuple[str, int]]:
        """Tables at which something is due by then, and when, the most urgent first."""

    async def record(self, table: str) -> bytes | None:
        """The record of a finished game."""

    async def back_up(self, target: Path) -> None:
        """Copies everything as it is at one moment into a new file, and checks the copy."""

    async def close(self) -> None:
        """Finishes what was begun and lets go of the storage."""


_UNDER_WAY = "listed = 1 AND status IN ('playing', 'revealing', 'paused')"
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
    """,
    # Entries from before have no checksum. Running tables from before are due at once, for nobody
    # noted what they wait for.
    2: f"""
        ALTER TABLE journal ADD COLUMN checksum INTEGER;
        ALTER TABLE tables ADD COLUMN due_at INTEGER;
        UPDATE tables SET due_at = 0 WHERE status IN ('playing', 'revealing');
        CREATE INDEX tables_by_due ON tables (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX tables_under_way ON tables (made_at) WHERE {_UNDER_WAY};
    """,
}
_ROW = "SELECT id, game, status, listed, made_at, changed_at, line, due_at FROM tables"
_PUT_ROW = "INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_PUT_RECORD = "INSERT OR REPLACE INTO records VALUES (?, ?, ?)"
# By how many lines are put. `OR ROLLBACK` spares SQLite a copy of every page before it is changed,
# for undoing one statement of many: here all is undone, and tried again one by one.
_PUT_LINES = [
    f"INSERT OR ROLLBACK INTO journal VALUES {', '.join(['(?, ?, ?, ?)'] * lines)}"
    for lines in range(_MOST_IN_A_STATEMENT + 1)
]


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


def checksum(table: str, seq: int, entry: bytes) -> int:
    """The CRC-32 of an entry and of its place, so that an entry does not pass for another."""
    return crc32(entry, crc32(f"{table} {seq} ".encode()))


class _Job(msgspec.Struct, gc=False):
    """An append to be made, and who is told of it."""

    table: str
    expected_seq: int
    entries: Sequence[bytes]
    row: TableRow | None
    record: bytes | None
    then: Then
    error: QuarterdeckError | None = None


class SqliteStorage:
    """Storage in one SQLite file. All appends come from one event loop."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writer = open_database(path)
        self._reader = open_database(path)
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="storage-reader")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lengths: dict[str, int] = {}  # of journals written to, for the writing thread
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, name="storage", daemon=True)
        self._thread.start()

    def append(
        self,
        table: str,
        expected_seq: int,
        entries: Sequence[bytes],
        row: TableRow | None,
        record: bytes | None,
        then: Then,
    ) -> None:
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        self._jobs.put(_Job(table, expected_seq, entries, row, record, then))

    async def load(self, table: str) -> list[bytes]:
        def run() -> list[bytes]:
            lines = self._reader.execute(
                "SELECT seq, entry, checksum FROM journal WHERE table_id = ? ORDER BY seq", (table,)
            )
            return _checked(table, lines.fetchall())

        return await self._read(run)

    async def row(self, table: str) -> TableRow | None:
        rows = await self._rows("WHERE id = ?", (table,))
        return rows[0] if rows else None

    async def rows(self, statuses: Sequence[str], limit: int) -> list[TableRow]:
        marks = ", ".join("?" * len(statuses))
        where = f"WHERE status IN ({marks}) ORDER BY changed_at DESC LIMIT ?"
        return await self._rows(where, (*statuses, limit))

    async def listed(self, limit: int) -> list[TableRow]:
        # without its index named, SQLite would take the one by status, and sort
        where = f"INDEXED BY tables_under_way WHERE {_UNDER_WAY} ORDER BY made_at DESC LIMIT ?"
        return await self._rows(where, (limit,))

    async def due(self, until_ms: int, limit: int) -> list[tuple[str, int]]:
        query = "SELECT id, due_at FROM tables WHERE due_at <= ? ORDER BY due_at LIMIT ?"
        return await self._read(lambda: self._reader.execute(query, (until_ms, limit)).fetchall())

    async def record(self, table: str) -> bytes | None:
        query = "SELECT record FROM records WHERE table_id = ?"
        found = await self._read(lambda: self._reader.execute(query, (table,)).fetchall())
        return found[0][0] if found else None

    async def back_up(self, target: Path) -> None:
        await asyncio.to_thread(back_up, self.path, target)

    async def close(self) -> None:
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        await asyncio.to_thread(self._reading.shutdown)
        self._writer.close()
        self._reader.close()

    async def _rows(self, where: str, values: tuple[Any, ...]) -> list[TableRow]:
        def run() -> list[TableRow]:
            found = self._reader.execute(f"{_ROW} {where}", values)
            return [
                TableRow(id, game, status, bool(listed), *rest)
                for id, game, status, listed, *rest in found
            ]

        return await self._read(run)

    async def _read(self, run: Callable[[], T]) -> T:
        """What a query finds, run in the reading thread."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reading, run)
        except sqlite3.Error as error:
            raise NotStored(f"cannot read the database: {error}") from error

    # The writing thread ----------------------------------------------------------------------

    def _write_all(self) -> None:
        while (job := self._jobs.get()) is not None:
            batch = [job]
            with contextlib.suppress(queue.Empty):
                while len(batch) < _MOST_IN_A_BATCH:
                    more = self._jobs.get_nowait()
                    if more is None:
                        self._jobs.put(None)  # to be met again when this batch is written
                        break
                    batch.append(more)
            self._write_batch(batch)

    def _write_batch(self, batch: list[_Job]) -> None:
        """Writes all in one transaction, and has everybody told on the event loop."""
        if isinstance(self._commit(batch), sqlite3.IntegrityError):
            # Somebody else has written to one of these journals: the others shall not suffer.
            for job in batch:
                job.error = None
                self._commit([job])
        if len(self._lengths) > _MOST_LENGTHS:
            self._lengths.clear()
        if self._loop is not None:
            # a loop that is closed has nobody left who waits
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(_tell, self._loop, batch)

    def _commit(self, batch: list[_Job]) -> Exception | None:
        """Writes what follows its journal; the rest is a conflict. Returns why nothing is written.

        Statements are few, as each of them lets go of the interpreter and waits for it again.
        """
        try:
            lone = batch[0] if len(batch) == 1 else None
            if lone is not None and self._is_plain(lone):
                self._put(self._lines(batch))  # a statement is a transaction of its own
                return None
            self._writer.execute("BEGIN IMMEDIATE")
            self._put(self._lines(batch))
            for job in batch:
                if job.error is None:
                    self._put_rest(job)
            self._writer.execute("COMMIT")
        except Exception as error:  # whatever it is, this thread must go on and nobody wait in vain
            with contextlib.suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            for job in batch:
                job.error = NotStored(f"cannot write to the database: {error}")
                self._lengths.pop(job.table, None)
            return error
        return None

    def _is_plain(self, job: _Job) -> bool:
        """Whether an append is one statement: a few lines of a journal whose length is known."""
        return (
            self._lengths.get(job.table) == job.expected_seq
            and job.row is None
            and job.record is None
            and len(job.entries) <= _MOST_IN_A_STATEMENT
        )

    def _lines(self, batch: list[_Job]) -> list[Any]:
        """The values of all lines that are to be put, one after the other.

        A length once known is still true, or the line that follows it is refused: `seq` is part of
        the key, and no line is ever taken away.
        """
        lengths = self._lengths
        values: list[Any] = []
        for job in batch:
            table, length = job.table, job.expected_seq
            if lengths.get(table) != length:
                self._put(values)  # what is under way counts
                values.clear()
                lengths[table] = found = self._length(table)
                if found != length:
                    job.error = Conflict(f"table {table} has {found} entries, not {length}")
                    continue
            for entry in job.entries:
                values += (table, length, entry, checksum(table, length, entry))
                length += 1
            lengths[table] = length
        return values

    def _length(self, table: str) -> int:
        (length,) = self._writer.execute(
            "SELECT COALESCE(MAX(seq) + 1, 0) FROM journal WHERE table_id = ?", (table,)
        ).fetchone()
        return int(length)

    def _put(self, values: list[Any]) -> None:
        for place in range(0, len(values), 4 * _MOST_IN_A_STATEMENT):
            some = values[place : place + 4 * _MOST_IN_A_STATEMENT]
            self._writer.execute(_PUT_LINES[len(some) // 4], some)

    def _put_rest(self, job: _Job) -> None:
        if job.row is not None:
            self._writer.execute(_PUT_ROW, msgspec.structs.astuple(job.row))
        if job.record is not None:
            changed_at = job.row.changed_at if job.row is not None else 0
            self._writer.execute(_PUT_RECORD, (job.table, changed_at, job.record))


def _tell(loop: asyncio.AbstractEventLoop, batch: list[_Job]) -> None:
    for job in batch:
        try:
            job.then(job.error)
        except Exception as error:  # as a loop's own callbacks: reported, and no other one suffers
            loop.call_exception_handler(
                {"message": f"table {job.table}: after storing", "exception": error}
            )


def _checked(table: str, lines: Sequence[tuple[Any, Any, Any]]) -> list[bytes]:
    """The entries of a journal, if they are all there and as they were written."""
    entries = []
    for expected, (seq, entry, kept) in enumerate(lines):
        if seq != expected:
            raise DamagedJournal(f"table {table}: entry {expected} is missing")
        if not isinstance(entry, bytes) or (
            kept is not None and kept != checksum(table, seq, entry)
        ):
            raise DamagedJournal(f"table {table}: entry {seq} is not as it was written")
        entries.append(entry)
    return entries


def back_up(source: Path, target: Path) -> None:
    """Copies a database, even one in use, into a new file. Raises `NotStored`."""
    if not source.exists():
        raise NotStored(f"there is no database {str(source)!r}")
    check_target(target)
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


def check_target(target: Path) -> None:
    """Raises `NotStored` if a copy cannot be put there without writing over something."""
    if target.exists():
        raise NotStored(f"{str(target)!r} is already there")
    if not target.parent.is_dir():
        raise NotStored(f"there is no folder {str(target.parent)!r} to copy to")

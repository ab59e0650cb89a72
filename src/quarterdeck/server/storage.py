"""Where tables are kept: append-only journals, and the records of finished games.

`Storage` is the interface; `SqliteStorage` fills it with one file. An append is acknowledged only
when it is on the disk. It is written where it is asked for, on the event loop, into SQLite's
write-ahead log, which is no more than a copy in memory; the flush of that log to the disk, which
takes long, is left to a thread of its own. Whatever comes in meanwhile is one transaction and one
flush, so that many tables share both.

That is what `synchronous=FULL` does, in two steps: SQLite writes the log (`NORMAL`: it flushes it
only before it takes pages over into the database, as ever), and what `FULL` would do after each
commit, `fdatasync` of the log, is done here before anybody is told.

Every entry is kept with a checksum. One that cannot be trusted spoils its own table, no other.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
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

_log = logging.getLogger("quarterdeck.server")

SCHEMA_VERSION = 2
_MOST_IN_A_BATCH = 512
_MOST_LENGTHS = 100_000
_MOST_IN_A_STATEMENT = 64  # lines of the journal
_LINES_IN_LOG = 1_000  # before they are taken over into the database

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
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA wal_autocheckpoint=0")
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
        self._lengths: dict[str, int] = {}  # of journals written to
        self._waiting: list[_Job] = []
        self._is_flushing = False
        self._idle: asyncio.Future[None] | None = None  # for whoever closes
        self._trouble: NotStored | None = None  # a flush has failed: what is on the disk, who knows
        self._log: int | None = None  # SQLite's write-ahead log, to be flushed
        self._logged = 0  # lines in it, since it was last empty
        self._is_emptying = self._is_nearly_empty = False
        self._flushes: queue.SimpleQueue[list[_Job] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._flush_all, name="storage", daemon=True)
        self._thread.start()
        self._keeper = open_database(path)  # takes the log over, beside everything else
        self._keeping = ThreadPoolExecutor(1, thread_name_prefix="storage-keeper")

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
        self._waiting.append(_Job(table, expected_seq, entries, row, record, then))
        if not self._is_flushing:
            self._is_flushing = True
            self._loop.call_soon(self._write, self._loop)  # with all else of this turn of the loop

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
        if self._is_flushing:
            self._idle = asyncio.get_running_loop().create_future()
            await self._idle
        self._flushes.put(None)
        for end in (self._thread.join, self._reading.shutdown, self._keeping.shutdown):
            await asyncio.to_thread(end)
        for connection in (self._reader, self._keeper, self._writer):
            connection.close()
        if self._log is not None:
            os.close(self._log)
            self._log = None

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

    # Writing, on the event loop --------------------------------------------------------------

    def _write(self, loop: asyncio.AbstractEventLoop) -> None:
        """Writes what waits in one transaction, and has it flushed."""
        batch, self._waiting = self._waiting[:_MOST_IN_A_BATCH], self._waiting[_MOST_IN_A_BATCH:]
        if self._trouble is not None:
            for job in batch:
                job.error = self._trouble
        elif isinstance(self._commit(batch), sqlite3.IntegrityError):
            # Somebody else has written to one of these journals: the others shall not suffer.
            for job in batch:
                job.error = None
                self._commit([job])
        if len(self._lengths) > _MOST_LENGTHS:
            self._lengths.clear()
        if all(job.error is not None for job in batch):
            loop.call_soon(self._flushed, loop, batch)
            return
        if self._log is None:
            self._log = os.open(f"{self.path}-wal", os.O_RDWR)
        self._flushes.put(batch)

    def _flushed(self, loop: asyncio.AbstractEventLoop, batch: list[_Job]) -> None:
        """Tells of a batch that is on the disk, or refused, and goes on with the next."""
        _tell(loop, batch)
        self._logged += sum(len(job.entries) for job in batch)
        if self._is_nearly_empty:
            # Only while nothing is written can the log be emptied, and begin again.
            self._is_nearly_empty, self._logged = False, 0
            self._empty_log(loop, self._go_on)
            return
        if self._logged >= _LINES_IN_LOG and not self._is_emptying:
            self._is_emptying = True
            self._empty_log(loop, self._nearly_empty)  # most of it, beside everything else
        self._go_on(loop)

    def _go_on(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._waiting:
            self._write(loop)
            return
        self._is_flushing = False
        if self._idle is not None:
            self._idle.set_result(None)

    def _nearly_empty(self, loop: asyncio.AbstractEventLoop) -> None:
        self._is_emptying, self._is_nearly_empty = False, True

    def _empty_log(
        self, loop: asyncio.AbstractEventLoop, then: Callable[[asyncio.AbstractEventLoop], None]
    ) -> None:
        """Takes what is in the log over into the database, in a thread."""

        def run() -> None:
            try:
                self._keeper.execute("PRAGMA wal_checkpoint(PASSIVE)")
            except sqlite3.Error:  # all is safe in the log; it is tried again later
                _log.exception("the log could not be taken over into the database")
            with contextlib.suppress(RuntimeError):  # a loop that is closed: nobody waits
                loop.call_soon_threadsafe(then, loop)

        self._keeping.submit(run)

    # Flushing, in a thread -------------------------------------------------------------------

    def _flush_all(self) -> None:
        while (batch := self._flushes.get()) is not None:
            self._flush(batch)
            assert self._loop is not None
            with contextlib.suppress(RuntimeError):  # a loop that is closed: nobody waits
                self._loop.call_soon_threadsafe(self._flushed, self._loop, batch)

    def _flush(self, batch: list[_Job]) -> None:
        assert self._log is not None
        try:
            os.fdatasync(self._log)
        except OSError as error:
            # What was not flushed may be lost silently later: nothing is promised any more.
            self._trouble = NotStored(f"cannot flush the database: {error}; start again")
            for job in batch:
                job.error = self._trouble

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

"""One server to one database: a lock on a file beside it.

The system lets go of the lock when its process ends, however it ends, so none is ever stale. The
file stays, with the number of the process that had it last.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from .errors import NotStored, ServerError


class InUse(ServerError):
    """A database that another process has."""

    code = "in-use"
    status = 409


@contextlib.contextmanager
def locked(database: Path) -> Iterator[None]:
    """Keeps a database, whether it exists yet or not, for this process. Raises `InUse`."""
    path = database.with_name(database.name + ".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise NotStored(f"cannot lock the database {str(database)!r}: {error.strerror}") from error
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            whose = os.read(file, 20).decode("ascii", "replace").strip()
            raise InUse(f"process {whose or '?'} uses the database {str(database)!r}") from None
        os.ftruncate(file, 0)
        os.pwrite(file, b"%d\n" % os.getpid(), 0)
        yield
    finally:
        os.close(file)

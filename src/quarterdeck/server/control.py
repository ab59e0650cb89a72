"""Commands to a running server, over a socket beside its database that only its owner may use.

One JSON object a line. A command is answered by `StatusTold`, `Copied` or `Failed`.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from quarterdeck.contract import QuarterdeckError

from .errors import BadMessage, NotStored, ServerError
from .storage import Storage, check_target

log = logging.getLogger("quarterdeck.server")

_ANSWER_SECONDS = 10.0
_COPY_SECONDS = 3600.0
_LONGEST_PATH = 100  # of a socket's address, by the narrowest system

A = TypeVar("A", bound=Struct)


class NotRunning(ServerError):
    """A command to a server that is not there, or does not answer."""

    code = "not-running"


class AskStatus(Struct, frozen=True, tag_field="do", tag="status"):
    """How does the server fare?"""


class AskCopy(Struct, frozen=True, tag_field="do", tag="copy"):
    """Copies the database into a file beside it, which is there until the asker hangs up."""


class StatusTold(Struct, frozen=True, tag_field="told", tag="status"):
    """How the server fares."""

    version: str
    process: int
    tables_awake: int
    clients: int
    up_seconds: int


class Copied(Struct, frozen=True, tag_field="told", tag="copied"):
    """The name of the copy, in the database's folder."""

    name: str


class Failed(Struct, frozen=True, tag_field="told", tag="failed"):
    """What was asked cannot be."""

    message: str


_read_command = msgspec.json.Decoder(AskStatus | AskCopy).decode
_read_answer = msgspec.json.Decoder(StatusTold | Copied | Failed).decode
_encode = msgspec.json.Encoder().encode


def socket_path(database: Path) -> Path:
    """Where the server of a database listens."""
    return database.with_name(database.name + ".control")


@contextlib.contextmanager
def _address(path: Path) -> Iterator[str]:
    """The path as the address of a socket. One that is too long is reached through its folder,
    where the system names open folders. Raises `OSError` where it does not."""
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield str(path)
    elif sys.platform.startswith("linux"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            yield f"/proc/self/fd/{folder}/{path.name}"
        finally:
            os.close(folder)
    else:
        raise OSError(errno.ENAMETOOLONG, "the path is too long for a socket", str(path))


# The server's side -----------------------------------------------------------------------------


class ControlServer:
    """Answers commands for one server, as long as it holds the lock of its database."""

    def __init__(self, database: Path, storage: Storage, status: Callable[[], StatusTold]) -> None:
        self._path = socket_path(database)
        self._copy = database.with_name(database.name + ".copy")
        self._storage = storage
        self._status = status
        self._copying = asyncio.Lock()
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Begins to listen. Whatever lies there is of a server that is gone.

        Where no socket can be, the server does without, and says so in its log.
        """
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)  # there is no moment in which others may connect
        try:
            self._path.unlink(missing_ok=True)
            self._copy.unlink(missing_ok=True)
            with _address(self._path) as address:
                listener.bind(address)
        except OSError as error:
            listener.close()
            log.warning("no command can reach this server: %s", error)
            return
        finally:
            os.umask(before)
        self._server = await asyncio.start_unix_server(self._accept, sock=listener)

    async def close(self) -> None:
        """Hangs up on everybody and leaves no file."""
        if self._server is None:
            return
        self._server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        self._path.unlink(missing_ok=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.create_task(self._talk(reader, writer))
        self._talks.add(talk)
        talk.add_done_callback(self._talks.discard)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                await self._answer(line, reader, writer)
        except (ConnectionError, ValueError):
            pass  # gone, or a line without end
        finally:
            writer.close()

    async def _answer(
        self, line: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            try:
                command = _read_command(line)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise BadMessage(f"this is no command: {error}") from error
            if isinstance(command, AskStatus):
                await _send(writer, self._status())
                return
            async with self._copying:
                try:
                    await self._storage.back_up(self._copy)
                    await _send(writer, Copied(self._copy.name))
                    await reader.read()  # until the asker has it and hangs up
                finally:
                    self._copy.unlink(missing_ok=True)
        except QuarterdeckError as refusal:
            await _send(writer, Failed(refusal.message))


async def _send(writer: asyncio.StreamWriter, answer: Struct) -> None:
    writer.write(_encode(answer) + b"\n")
    await writer.drain()


# The asker's side ------------------------------------------------------------------------------


def ask_status(database: Path) -> StatusTold:
    """How the server of a database fares. Raises `NotRunning`."""
    with _connected(database) as server:
        if server is None:
            raise NotRunning(f"no server runs on {str(database)!r}")
        return _ask(server, AskStatus(), StatusTold, _ANSWER_SECONDS)


def fetch_copy(database: Path, target: Path) -> bool:
    """Has the running server copy its database, and takes the copy. False if none is running.

    The server copies into its own folder, as it may not be allowed into others, and this process
    carries the copy from there. Raises `NotStored`, `NotRunning`.
    """
    with _connected(database) as server:
        if server is None:
            return False
        check_target(target)
        copied = _ask(server, AskCopy(), Copied, _COPY_SECONDS)
        try:
            with (database.parent / copied.name).open("rb") as old, target.open("xb") as new:
                shutil.copyfileobj(old, new)
                new.flush()
                os.fsync(new.fileno())
        except FileExistsError:
            raise NotStored(f"{str(target)!r} is already there") from None
        except OSError as error:
            target.unlink(missing_ok=True)
            raise NotStored(f"cannot write {str(target)!r}: {error.strerror}") from error
    return True


@contextlib.contextmanager
def _connected(database: Path) -> Iterator[socket.socket | None]:
    """A connection to the server of a database; None if there is none."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(_ANSWER_SECONDS)
        try:
            with _address(socket_path(database)) as address:
                connection.connect(address)
        except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
            is_there = False  # nobody was ever here, or died here
        except OSError as error:
            raise NotRunning(f"the server of {str(database)!r} cannot be asked: {error}") from error
        else:
            is_there = True
        yield connection if is_there else None


def _ask(server: socket.socket, command: Struct, kind: type[A], timeout_s: float) -> A:
    """The answer that belongs to a command. Raises `NotRunning`, `NotStored`."""
    server.settimeout(timeout_s)
    try:
        server.sendall(_encode(command) + b"\n")
        with server.makefile("rb") as lines:
            answer = _read_answer(lines.readline())
    except OSError as error:
        raise NotRunning(f"the server does not answer: {error}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise NotRunning("the server hung up, or is of another version") from error
    if isinstance(answer, Failed):
        raise NotStored(answer.message)
    if not isinstance(answer, kind):
        raise NotRunning("the server is of another version")
    return answer

"""Bots from outside: programs in any language that talk JSON lines over stdin and stdout.

A program plays one seat of one game and is then ended, so it cannot carry anything over from one
seat or deal to another. It is told `hello` and answers `{"ready": true}`; it is told each `turn`
of its seat and answers `{"do": TEXT}`; it is told `over` and may go. `docs/bots.md` shows them.
"""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from quarterdeck.contract import OPEN, BadOption, Event, QuarterdeckError, Template
from quarterdeck.engine.match import Match, Step

PROTOCOL = 1
EXEC = "exec:"
START_SECONDS = 30.0
GOODBYE_SECONDS = 1.0
LONGEST_LINE = 65_536
MOST_ACTIONS = 2000
"""How many actions a program may take in one game. Nobody needs a tenth of them; but some, such as
showing one's purse and hiding it again, can be done for ever."""


class BotFault(QuarterdeckError):
    """A bot from outside did not do its part."""

    code = "bot-fault"


class BotTimeout(BotFault):
    """A bot from outside did not answer in time."""

    code = "bot-timeout"


class BotGarbage(BotFault):
    """A bot from outside answered something that is no answer."""

    code = "bot-garbage"


class BotExited(BotFault):
    """A bot from outside ended before the game did."""

    code = "bot-exited"


class BotIllegal(BotFault):
    """A bot from outside answered with an action the rules refuse, or with none at all."""

    code = "bot-illegal"


class BotEndless(BotFault):
    """A bot from outside acts on and on, and the game comes to no end."""

    code = "bot-endless"


class Hello(Struct, frozen=True, tag_field="type", tag="hello"):
    """A game begins: which, with what options, and on which seat. The answer is `Ready`."""

    protocol: int
    game: str
    options: dict[str, Any]
    seat: int


class Turn(Struct, frozen=True, tag_field="type", tag="turn"):
    """The seat is to act. `events` happened since it was last told. The answer is an `Answer`."""

    decision: int
    view: dict[str, Any]
    legal: list[str]
    templates: Sequence[Template]
    events: list[Event]


class Over(Struct, frozen=True, tag_field="type", tag="over"):
    """The game has ended. No answer; the program may go."""

    view: dict[str, Any]
    scores: list[int]
    winners: list[int]
    events: list[Event]


class Ready(Struct, frozen=True):
    """A program is ready to play: its answer to `hello`."""

    ready: bool


class Answer(Struct, frozen=True):
    """The answer to `turn`: an action by its text. Other keys are not read."""

    do: str | None


A = TypeVar("A", bound=Struct)
_encode = msgspec.json.Encoder().encode


def command_of(spec: str) -> list[str]:
    """The command of `exec:COMMAND`. Raises `BadOption` if there is no such program."""
    try:
        words = shlex.split(spec.removeprefix(EXEC))
    except ValueError as error:
        raise BadOption(f"{spec!r} is no command: {error}") from error
    if not words or shutil.which(words[0]) is None:
        raise BadOption(f"{spec!r}: there is no program {words[0] if words else ''!r} to run")
    return words


_running: set[subprocess.Popen[bytes]] = set()
_starting = threading.Lock()


def end_programs() -> None:
    """Ends every program of this process, for good: none can be started after it."""
    _starting.acquire()
    for process in tuple(_running):
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    # its group is ended before it is waited for: until then the number is its own
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


class OutsideBot:
    """A program on one seat of one match. It is ended when the `with` is left, come what may."""

    def __init__(self, spec: str, match: Match, seat: int, timeout_s: float) -> None:
        self.spec = spec
        self.match = match
        self.seat = seat
        self.timeout_s = timeout_s
        self.events: list[Event] = []  # what happened since the program was last told
        self._actions = 0
        self._rest = b""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the program
        with _starting:
            self._process = subprocess.Popen(
                command_of(spec),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                start_new_session=True,  # a group of its own, ended with all it has started
            )
            _running.add(self._process)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)

    def __enter__(self) -> OutsideBot:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the program and whatever it has started."""
        process = self._process
        _end(process)
        process.wait()
        _running.discard(process)
        for file in (process.stdin, process.stdout, self._errors):
            assert file is not None
            file.close()

    # The talk --------------------------------------------------------------------------------

    def greet(self) -> None:
        """Says hello and waits until the program is ready. Raises `BotFault`."""
        match = self.match
        hello = Hello(PROTOCOL, match.game.id, match.options, self.seat)
        if not self._ask(hello, Ready, START_SECONDS).ready:
            raise BotGarbage(f"{self._name} is not ready")

    def act(self) -> Step | None:
        """Does what the program answers; None where it waits, in an open phase. Raises `BotFault`;
        then nothing has happened."""
        match, seat = self.match, self.seat
        view, legal = match.view(seat), match.legal(seat)
        turn = Turn(match.decision, view, legal, match.composites(seat), self._take_events())
        do = self._ask(turn, Answer, self.timeout_s).do
        if do is None and match.node == OPEN:
            return None
        if do is None:
            raise BotIllegal(f"{self._name} waits where it has to act")
        self._actions += 1
        if self._actions > MOST_ACTIONS:
            raise BotEndless(f"{self._name} has acted {MOST_ACTIONS} times, and there is no end")
        try:
            return match.act(seat, do, via="bot")
        except QuarterdeckError as error:
            raise BotIllegal(f"{self._name}: {error.message}", rule=error.rule) from error

    def say_over(self) -> None:
        """Tells the end of the game, and gives the program a moment to go by itself."""
        outcome = self.match.outcome
        view = self.match.view(self.seat)
        over = Over(view, outcome.scores, outcome.winners, self._take_events())
        deadline = time.monotonic() + GOODBYE_SECONDS
        with contextlib.suppress(BotFault):
            self._write(_encode(over) + b"\n", deadline)
            assert self._process.stdin is not None
            self._process.stdin.close()
            while True:  # until the program closes its end, or time is up
                self._read(deadline)
                self._rest = b""

    def _take_events(self) -> list[Event]:
        events, self.events = self.events, []
        return events

    def _ask(self, message: Struct, kind: type[A], seconds: float) -> A:
        deadline = time.monotonic() + seconds
        self._write(_encode(message) + b"\n", deadline)
        line = self._line(deadline)
        try:
            return msgspec.json.decode(line, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            said = line[:80].decode("utf-8", "replace")
            raise BotGarbage(f"{self._name} answered {said!r}: {error}") from error

    # Pipes -----------------------------------------------------------------------------------

    @property
    def _name(self) -> str:
        return f"{self.spec!r} on seat {self.seat}"

    def _write(self, data: bytes, deadline: float) -> None:
        rest = memoryview(data)
        while rest:
            if not select.select([], [self._in], [], max(0.0, deadline - time.monotonic()))[1]:
                raise BotTimeout(f"{self._name} does not read what it is told")
            try:
                rest = rest[os.write(self._in, rest) :]
            except BrokenPipeError:
                raise self._gone() from None

    def _line(self, deadline: float) -> bytes:
        while b"\n" not in self._rest:
            if len(self._rest) > LONGEST_LINE:
                raise BotGarbage(f"{self._name} answered more than {LONGEST_LINE} bytes")
            self._read(deadline)
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _read(self, deadline: float) -> None:
        if not select.select([self._out], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise BotTimeout(f"{self._name} did not answer in time")
        data = os.read(self._out, 65_536)
        if not data:
            raise self._gone()
        self._rest += data

    def _gone(self) -> BotExited:
        """The fault of a program that has ended, with its exit code and its last words."""
        how = "ended"
        with contextlib.suppress(ChildProcessError):
            told = os.WEXITED | os.WNOWAIT | os.WNOHANG  # it is not reaped before its group
            for _ in range(20):  # its pipes close a moment before it is gone
                status = os.waitid(os.P_PID, self._process.pid, told)
                if status is not None:
                    how = f"ended with {status.si_status}"
                    break
                time.sleep(0.01)
        self._errors.seek(0)
        words = self._errors.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        return BotExited(f"{self._name} {how}{': ' + words[-1] if words else ''}")

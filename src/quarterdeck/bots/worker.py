"""A process that searches for a server: questions come in over stdin, answers go out over stdout.

It runs with less priority than the server, shares nothing with it, and ends when the server is
gone. A message is four bytes of length, big-endian, and a pickle: only a server and its own
processes talk like this.

Every answer takes the whole time it was given, and as much of the processor, also where there is
nothing to think about: how long a bot thinks tells nothing of what it holds.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
from typing import Any, BinaryIO

from quarterdeck.contract import rng_from_bytes
from quarterdeck.engine.match import Knowledge
from quarterdeck.games import find_game

from .cores import NICENESS
from .levels import Decision, decide
from .search import Budget

SIZE_BYTES = 4
_OVERRUN_SECONDS = 0.005  # by how much a search may overrun its time: a slice, and its clearing up


def question(game: str, known: Knowledge, level: str, seed: bytes, budget: Budget) -> bytes:
    """The message that asks what a bot does, from what its seat knows."""
    return _framed((game, known, level, seed, budget))


def read_answer(data: bytes) -> Decision:
    """The decision that the bytes of an answer, after those of its length, stand for."""
    number, estimates = pickle.loads(data)
    return Decision(number, estimates)


def _framed(value: Any) -> bytes:
    data = pickle.dumps(value)
    return len(data).to_bytes(SIZE_BYTES, "big") + data


def work(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answers questions until there are no more."""
    while size := questions.read(SIZE_BYTES):
        data = questions.read(int.from_bytes(size, "big"))
        started = time.perf_counter()
        game, known, level, seed, budget = pickle.loads(data)
        decided = decide(find_game(game), known, level, rng_from_bytes(seed), _shortened(budget))
        _use_up(started + (budget.seconds or 0.0))
        answers.write(_framed(tuple(decided)))
        answers.flush()


def _shortened(budget: Budget) -> Budget:
    """The time a search is given, so that one which ends a little late does not end later than it
    may."""
    if budget.seconds is None:
        return budget
    return budget._replace(seconds=budget.seconds - min(_OVERRUN_SECONDS, budget.seconds / 4))


def _use_up(until: float) -> None:
    """Keeps the processor busy as a search does, and does not sleep: on a busy machine whoever
    sleeps is served sooner than whoever computes."""
    while time.perf_counter() < until:
        pass


def main() -> None:
    """Answers the questions on stdin over stdout, with less priority than the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server hears it, and then closes the pipe
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever is printed must not come between the answers
    work(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()

"""Where bots think: in processes beside the server, and each of them gets a fair share of these.

A search has the time of its level while there are cores for all. When more searches wait than there
are cores, so that some have to wait for others, each of them gets less, all in the same proportion,
and none is over much later than if it had been alone. How many wait is the most that did since a
search was asked for: those that come in one rush all get the same, the last ones too, for whom the
queue is short again.

A decision takes its share, no less, whatever there is to decide: one that is forced waits in the
same queue, and keeps its process as long. So neither its own time nor that of those who wait behind
it tells what a bot holds.

The processes have less priority than the server and do not share its interpreter: people come
first. They start when they are first needed; one that is lost is replaced.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
import sys
import time
from dataclasses import dataclass

from quarterdeck.bots.cores import cores
from quarterdeck.bots.levels import SEARCH, Decision, find_level
from quarterdeck.bots.search import Budget
from quarterdeck.bots.warm import THINKING
from quarterdeck.bots.worker import SIZE_BYTES, question, read_answer
from quarterdeck.contract import Game, QuarterdeckError
from quarterdeck.engine.match import Knowledge

from .metrics import Metrics
from .preparation import Preparation

_TRIES = 3
_OVERHEAD_SECONDS = 0.005
"""What a question costs besides thinking: a process is kept so much longer than its share."""


class SearchPoolBroken(QuarterdeckError):
    """Bots cannot search: the processes they search in do not last."""

    code = "search-pool-broken"


@dataclass(eq=False)
class _Search:
    """A search that waits or runs, and the most there were at a time since it was asked for."""

    most_at_once: int = 1


class SearchPool:
    """The processes in which a server's bots search."""

    def __init__(
        self, metrics: Metrics, preparation: Preparation, count: int | None = None
    ) -> None:
        self.count = count or cores()
        self._metrics = metrics
        self._preparation = preparation
        self._slots = asyncio.Semaphore(self.count)
        self._idle: list[asyncio.subprocess.Process] = []
        self._busy: set[asyncio.subprocess.Process] = set()
        self._searches: set[_Search] = set()
        self._ending: set[asyncio.Future[None]] = set()

    async def decide(self, game: Game, known: Knowledge, level: str) -> Decision:
        """What a bot of a level that searches does, from what its seat knows."""
        await self.wait_until_ready(game, level)
        budget = find_level(level).budget
        search = self._queue()
        started = time.perf_counter()
        try:
            await asyncio.sleep(
                0
            )  # those that come in the same moment are counted before one begins
            async with self._slots:
                return await self._think(game, known, level, budget, search)
        finally:
            self._searches.discard(search)
            self._metrics.searching.set(len(self._searches))
            self._metrics.searched.observe(time.perf_counter() - started)

    async def _think(
        self, game: Game, known: Knowledge, level: str, budget: Budget, search: _Search
    ) -> Decision:
        """The answer of a process, once its share of the time is over."""
        seed, loop = secrets.token_bytes(16), asyncio.get_running_loop()
        for _ in range(_TRIES):
            share, begun = self._share(budget, search), loop.time()
            assert share.seconds is not None
            answer = await self._ask(question(game.id, known, level, seed, share))
            if answer is not None:
                over = begun + share.seconds + _OVERHEAD_SECONDS
                await asyncio.sleep(max(0.0, over - loop.time()))
                return answer
        raise SearchPoolBroken("the processes bots think in do not last")

    async def wait_until_ready(self, game: Game, level: str) -> None:
        """Waits until what a level needs to think is compiled."""
        if find_level(level).policy == SEARCH:
            await self._preparation.wait_for(game.id, THINKING)

    def _queue(self) -> _Search:
        search = _Search()
        self._searches.add(search)
        count = len(self._searches)
        for other in self._searches:
            other.most_at_once = max(other.most_at_once, count)
        self._metrics.searching.set(count)
        return search

    def _share(self, budget: Budget, search: _Search) -> Budget:
        """What a search that begins now may spend of its level's budget."""
        assert budget.seconds is not None
        turns = math.ceil(search.most_at_once / self.count)
        return budget._replace(seconds=budget.seconds / turns)

    async def _ask(self, message: bytes) -> Decision | None:
        """The answer of a process; None if it is lost on the way."""
        process = self._idle.pop() if self._idle else await self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        self._busy.add(process)
        is_whole = False
        try:
            process.stdin.write(message)
            await process.stdin.drain()
            size = int.from_bytes(await process.stdout.readexactly(SIZE_BYTES), "big")
            answer = read_answer(await process.stdout.readexactly(size))
            is_whole = True
            return answer
        except (OSError, asyncio.IncompleteReadError):
            return None
        finally:
            self._busy.discard(process)
            if is_whole:
                self._idle.append(process)
            else:  # given up in the middle: it is of no more use
                ending = asyncio.ensure_future(_end(process))
                self._ending.add(ending)
                ending.add_done_callback(self._ending.discard)

    async def _start(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "quarterdeck.bots.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )

    async def close(self) -> None:
        """Ends all processes; nothing can be asked any more."""
        processes = [*self._idle, *self._busy]
        self._idle = []
        await asyncio.gather(*map(_end, processes), *self._ending)


async def _end(process: asyncio.subprocess.Process) -> None:
    assert process.stdin is not None
    process.stdin.close()
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()

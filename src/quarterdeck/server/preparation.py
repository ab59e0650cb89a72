"""Games that are compiled while the server is open already.

Whoever asks for a game waits until it can be played; bots that search think as soon as their part
is compiled too, while people already play. All cores work at one game at a time: first at those
that need only be loaded, which takes a second, then at what somebody waits for, then at the tables
of the other games in the order of the harbour, and last at their bots that search. Who asks for a
game goes before one that nobody asked for: that one is left off, and taken up again later.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import Sequence
from typing import Any

from quarterdeck.bots.cores import cores
from quarterdeck.bots.warm import TABLE, THINKING, command, load, missing
from quarterdeck.contract import Game

from .errors import NotReady

log = logging.getLogger("quarterdeck.server")

Job = tuple[Game, str]
"""A game, and the part of it that is to be made ready."""


class Preparation:
    """The compile queue: the games that are not ready yet, and who waits for them."""

    def __init__(self, games: Sequence[Game]) -> None:
        self._left: list[Job] = [(game, part) for part in (TABLE, THINKING) for game in games]
        self._waiting: dict[tuple[str, str], asyncio.Future[None]] = {}
        self._failed: set[tuple[str, str]] = set()
        self._wanted: set[tuple[str, str]] = set()
        self._asked = asyncio.Event()

    def is_ready(self, id: str) -> bool:
        """Whether a game can be played at once."""
        key = id, TABLE
        return key not in self._waiting and key not in self._failed

    async def wait_for(self, id: str, part: str = TABLE) -> None:
        """Waits until a part of a game is there. Raises `NotReady` if it never will be."""
        key = id, part
        if key in self._waiting:
            self._wanted.add(key)
            self._asked.set()
            await asyncio.shield(self._waiting[key])
        if key in self._failed:
            raise NotReady(f"{id} cannot be compiled here")

    def begin(self) -> None:
        """Lets people wait for games of the queue from now on."""
        loop = asyncio.get_running_loop()
        self._waiting = {(game.id, part): loop.create_future() for game, part in self._left}

    async def finish(self) -> None:
        """Makes all games of the queue ready."""
        try:
            while self._left:
                job = await self._next_job()
                game, part = job
                is_new = bool(await asyncio.to_thread(missing, game, part))
                if is_new and not await self._compile(job):
                    continue
                self._left.remove(job)
                await self._load(job)
                if is_new and part == TABLE:
                    print(f"{game.name} is ready.", file=sys.stderr, flush=True)
        finally:
            for waiting in self._waiting.values():
                waiting.cancel()

    async def _next_job(self) -> Job:
        self._asked.clear()
        need = [bool(await asyncio.to_thread(missing, *job)) for job in self._left]
        order = zip(need, self._left, strict=True)
        _, job = min(order, key=lambda one: (one[0], not self._is_wanted(one[1])))
        return job

    def _is_wanted(self, job: Job) -> bool:
        game, part = job
        return (game.id, part) in self._wanted

    async def _compile(self, job: Job) -> bool:
        """Compiles a part of a game on all cores; False if another one had to go before."""
        work = asyncio.gather(*(_help_to_compile(job) for _ in range(cores())))
        try:
            while not work.done():
                asked = asyncio.ensure_future(self._asked.wait())
                both: list[asyncio.Future[Any]] = [work, asked]
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                asked.cancel()
                self._asked.clear()
                if not work.done() and self._wanted and not self._is_wanted(job):
                    return False
            return True
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def _load(self, job: Job) -> None:
        game, part = job
        key = game.id, part
        try:
            # what those processes could not do is done here, where it is told what went wrong
            await asyncio.to_thread(load, game, part)
        except Exception:
            log.exception("a game cannot be compiled: %s, %s", *key)
            self._failed.add(key)
        gc.freeze()
        self._wanted.discard(key)
        self._waiting.pop(key).set_result(None)


async def _help_to_compile(job: Job) -> None:
    helper = await asyncio.create_subprocess_exec(*command(*job))
    try:
        await helper.wait()
    finally:
        if helper.returncode is None:
            helper.kill()
            await helper.wait()

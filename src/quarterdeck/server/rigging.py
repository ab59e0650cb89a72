"""Games that are made ready while the server is open already.

One that was never played on this machine is compiled in a process of its own, as many at a time as
there are cores; here it is only loaded, which takes a second. Those that need only that come first,
then those somebody waits for, then the others in the order of the harbour.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import Sequence

from quarterdeck.bots.machine import COMPILE_COMMAND, cores, needs_compiling, warm_up
from quarterdeck.contract import Game

from .errors import NotReady

log = logging.getLogger("quarterdeck.server")


class Rigging:
    """The games that are not ready yet."""

    def __init__(self, games: Sequence[Game]) -> None:
        self._games = games
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._failed: set[str] = set()
        self._wanted: set[str] = set()

    def is_ready(self, id: str) -> bool:
        """Whether a game can be played at once."""
        return id not in self._waiting and id not in self._failed

    async def wait_for(self, id: str) -> None:
        """Waits until a game can be played. Raises `NotReady` if it never can."""
        if id in self._waiting:
            self._wanted.add(id)
            await asyncio.shield(self._waiting[id])
        if id in self._failed:
            raise NotReady(f"{id} cannot be compiled here")

    def begin(self) -> None:
        """From now on people may ask for them."""
        loop = asyncio.get_running_loop()
        self._waiting = {game.id: loop.create_future() for game in self._games}

    async def finish(self) -> None:
        """Makes all of them ready."""
        left = list(self._games)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(cores()):
                    group.create_task(self._rig_all(left))
        finally:
            for waiting in self._waiting.values():
                waiting.cancel()

    async def _rig_all(self, left: list[Game]) -> None:
        """Takes one game after the other from those that are left."""
        while left:
            next_one = min(
                left, key=lambda game: (needs_compiling(game), game.id not in self._wanted)
            )
            left.remove(next_one)
            await self._rig(next_one)

    async def _rig(self, game: Game) -> None:
        is_new = needs_compiling(game)
        if is_new:
            await _compile(game)
        try:
            # what that process could not do is done here, where it is told what went wrong
            await asyncio.to_thread(warm_up, game)
        except Exception:
            log.exception("a game cannot be compiled: %s", game.id)
            self._failed.add(game.id)
        gc.freeze()
        if is_new:
            print(f"{game.name} is ready.", file=sys.stderr, flush=True)
        self._waiting.pop(game.id).set_result(None)


async def _compile(game: Game) -> None:
    compiler = await asyncio.create_subprocess_exec(*COMPILE_COMMAND, game.id)
    try:
        await compiler.wait()
    except asyncio.CancelledError:
        compiler.kill()
        raise

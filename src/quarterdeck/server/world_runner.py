"""A live world at a table: its hand, its frames and its end. It knows no game.

The world runs in threads, a tick at a time; while it is still nothing runs at all. Nobody is told
of its outcome before that is stored. If the server dies, the world begins again from the log.
"""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import struct
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from quarterdeck.contract import BadGesture, LiveWorld, NotYourTurn, rng_from_bytes
from quarterdeck.engine.roster import attached_hash
from quarterdeck.physics.frames import pack_motion

from .errors import NotStored
from .protocol import FRAME, Gesture, Refused, WorldTold, encode
from .table import MOTION, Table

if TYPE_CHECKING:
    from .live_table import Client, LiveTable

log = logging.getLogger("quarterdeck.server")

FRAME_MS = 33
SOONEST_MS = 18  # between two ticks, however many gestures there are
MOST_MS = 60  # of one tick: what is beyond is lost, and the world runs slower than the clock
PACE_MS = 400  # over which the pace is told
ALLOWANCE_MS = 250
THINKING_SECONDS = 4.0  # of a bot before it moves its hand
_HEAD = struct.Struct("<BBHII")
_KEPT = 64  # frames whose going out is remembered, and gestures that wait


class WorldRunner:
    """Runs the live world of one decision of a table."""

    def __init__(self, live: LiveTable, decision: int) -> None:
        self.live = live
        self.decision = decision
        self.world: LiveWorld | None = None
        self._time_ms = 0
        self._pace = 1.0
        self._motion: list[tuple[int, bytes]] = []
        self._posted: dict[int, float] = {}  # when the last frames went out, by their times
        self._lags: deque[float] = deque(maxlen=_KEPT)
        self._gestures: deque[tuple[Client, Gesture, int]] = deque(maxlen=_KEPT)
        self._refused: list[tuple[Client, Refused]] = []
        self._wants_whole = True
        self._epoch = 0
        self._is_bots = False
        self._is_out_of_time = False
        self._news = asyncio.Event()

    # What the table tells it -----------------------------------------------------------------

    def look_again(self) -> None:
        """Looks at the table again: something may have changed there."""
        self._news.set()

    def greet(self) -> None:
        """Sends everybody the whole picture: somebody has come."""
        self._wants_whole = True
        self._news.set()

    def run_out(self) -> None:
        """Lets the hand let go: the seat's clock is at zero."""
        self._is_out_of_time = True
        self._news.set()

    def gesture(self, client: Client, request: Gesture) -> None:
        """A gesture of the hand, made by a player who saw the frame it names by its time.

        Raises `NotYourTurn`, or `BadGesture` if the hand is a bot's; what the world refuses is
        answered later.
        """
        if self._is_bots or self.world is None:
            raise BadGesture("the hand is not yours now")
        if request.seat != self.world.seat:
            raise NotYourTurn("the hand is another seat's")
        now = time.monotonic()
        self._lags.append((now - self._posted.get(request.seen, now)) * 1000)
        # what a slow connection excuses: this lag, if it is not far beyond the usual one
        usual = sorted(self._lags)[len(self._lags) // 2]
        lag = min(self._lags[-1], 1.5 * usual + 30, ALLOWANCE_MS)
        self._gestures.append((client, request, max(0, round(self._time_ms - lag))))
        self._news.set()

    # Running ---------------------------------------------------------------------------------

    async def run(self) -> None:
        """Runs the world to its end, unless the table goes on without it."""
        table = self.live.table
        match = table.playing
        game = match.game
        hub, loop = self.live.hub, asyncio.get_running_loop()
        self.world = world = await loop.run_in_executor(
            hub.worlds, game.open_world, match.state, match.attached
        )
        before, is_idle = time.monotonic(), False
        while self._is_due():
            if self.live.table.status == "paused":
                if self._wants_whole:  # somebody has come to a world that stands still
                    self._wants_whole = False
                    frame = await loop.run_in_executor(hub.worlds, world.frame, True)
                    self._post(world, frame, True)
                await self._wait(None)
                before = time.monotonic()
                continue
            seat = self.live.table.seats[world.seat]
            if seat.is_played_by_bot and not self._is_bots:
                await self._let_bot_play(world, seat.level)
                before = time.monotonic()
            now = time.monotonic()
            elapsed, before = round((now - before) * 1000), now
            ms = elapsed if is_idle else min(elapsed, MOST_MS)
            if elapsed and not is_idle:
                # by time, not by ticks: of a slow world there are few
                self._pace += (1 - math.exp(-elapsed / PACE_MS)) * (ms / elapsed - self._pace)
            elif elapsed > PACE_MS:
                self._pace = 1.0
            self._time_ms += ms
            # whoever comes during the tick gets the whole picture with the next one
            whole, self._wants_whole = self._wants_whole, False
            answer, frame, idle_ms = await loop.run_in_executor(
                hub.worlds, self._tick, world, ms, is_idle, whole
            )
            self._post(world, frame, whole)
            if answer is not None:
                await self._settle(*answer)
                return
            if idle_ms:
                await self._wait(idle_ms / 1000)
            elif not is_idle:
                await self._wait_for_next(now)
            is_idle = idle_ms > 0

    def _is_due(self) -> bool:
        table = self.live.table
        return (
            table.status in ("playing", "paused")
            and table.match is not None
            and table.match.decision == self.decision
        )

    async def _wait(self, seconds: float | None) -> None:
        """Waits until something happens at the table, for at most so long."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            pass
        self._news.clear()

    async def _wait_for_next(self, began: float) -> None:
        """Waits for the next tick: a frame's time after the last, or sooner for a gesture."""
        await asyncio.sleep(max(0.0, SOONEST_MS / 1000 - (time.monotonic() - began)))
        await self._wait(max(0.0, FRAME_MS / 1000 - (time.monotonic() - began)))

    async def _let_bot_play(self, world: LiveWorld, level: str) -> None:
        """A bot takes the hand; the world waits while it thinks."""
        self._is_bots = True
        self._gestures.clear()
        rng = rng_from_bytes(secrets.token_bytes(16))
        plan = await asyncio.get_running_loop().run_in_executor(
            self.live.hub.planners, world.think, level, rng, THINKING_SECONDS
        )
        world.obey(plan)

    def _tick(
        self, world: LiveWorld, ms: int, is_idle: bool, whole: bool
    ) -> tuple[Any, bytes, int]:
        """One tick, in a thread: gestures, time, and the frame that shows it.

        Time in which nothing could happen has passed before the gestures that end it.
        """
        answer = world.advance(ms) if is_idle else None
        while self._gestures:
            client, request, at_ms = self._gestures.popleft()
            try:
                world.gesture(request.do, at_ms)
            except BadGesture as error:
                self._refused.append((client, Refused(request.id, error.code, error.message)))
        if self._is_out_of_time:
            world.run_out()
        if not is_idle:
            answer = world.advance(ms)
        return answer, world.frame(whole), world.idle_ms

    def _post(self, world: LiveWorld, frame: bytes, whole: bool) -> None:
        """Sends a frame to everybody, and first what has to be known of it."""
        clients = self.live.clients
        for client, refused in self._refused:
            client.post(encode(refused))
        self._refused.clear()
        if whole or world.epoch != self._epoch:
            self._epoch = world.epoch
            told = WorldTold(self.live.table.id, self.decision, world.seat, world.hello())
            data = encode(told)
            for client in clients:
                client.post(data)
        if not frame:
            return
        self._motion.append((self._time_ms, frame))
        self._posted[self._time_ms] = time.monotonic()
        if len(self._posted) > _KEPT:
            del self._posted[next(iter(self._posted))]
        head = _HEAD.pack(FRAME, round(100 * self._pace), 0, self.decision, self._time_ms)
        data = head + frame
        for client in clients:
            client.post(data)

    async def _settle(self, do: str, attached: dict[str, Any]) -> None:
        """Stores what came of the world; tries again until that has worked."""
        loop = asyncio.get_running_loop()
        kept = attached | {MOTION: pack_motion(self._motion)}
        digest = await loop.run_in_executor(self.live.hub.worlds, attached_hash, kept)

        def settle(table: Table, now: int) -> None:
            if self._is_due():
                table.settle(do, kept, digest, now)

        while True:
            try:
                await self.live.change(settle)
                return
            except NotStored:
                await asyncio.sleep(1)  # the disk may have room again

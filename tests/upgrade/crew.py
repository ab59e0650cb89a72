"""People who sit down at a table of any game and play it over the wire, by hand where it needs one;
and what a table tells whoever sits down at it, to be kept and compared."""

from __future__ import annotations

import json
import math
import random
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..server.helpers import Player, Server, at

_FRAME_HEAD = struct.Struct("<BBHII")  # docs/live-worlds.md
_SLOW_MS = 900  # of a hand that takes its time
_LOOKING_MS = 30_000  # that clocks may have run while somebody looked, then or now
_FLEETING = ("events", "online", "watching")

Told = dict[str, Any]


class Crew:
    """One connection that plays all its seats, at random, until it has seen enough.

    `careful` says how a hand puts down a piece of Riff Raff: else it just lets go of it.
    """

    def __init__(self, player: Player, seed: int = 0, careful: bool = False) -> None:
        self.player = player
        self.careful = careful
        self._rng = random.Random(seed)
        self._handled = -1  # the decision whose live world was given a hand

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.player.status == "over"

    @property
    def seats(self) -> list[int]:
        """The seats it still plays."""
        seats = self.player.table["seats"]
        return [seat for seat in self.player.table["you"] if not seats[seat]["resigned"]]

    @property
    def views(self) -> list[Told]:
        """The newest view of each of its seats; none while some are older than others."""
        views = [self.player.views[seat] for seat in self.seats if seat in self.player.views]
        return views if len({told["seq"] for told in views}) == 1 else []

    @property
    def world(self) -> Told | None:
        """The live world that takes a hand of this crew's now."""
        worlds = [told for told in self.player.told if told["type"] == "world"]
        is_ours = worlds and self.views and worlds[-1]["seat"] in self.seats
        is_open = is_ours and worlds[-1]["decision"] == self.views[0]["decision"]
        return worlds[-1] if is_open else None

    async def play(self, until: Callable[[], bool] = lambda: False) -> None:
        """Plays until the game is over, or something is so."""

        def is_enough() -> bool:
            return self.is_over or until()

        while True:
            await self.player.until(lambda: is_enough() or self._act() or self._hand_due())
            if is_enough():
                break
            if self._hand_due():
                await self._give_hand()
                continue
            seat, do = self._act() or (0, "")
            answer = await self.player.act(seat, do)
            # in an open phase somebody else may have been faster
            assert answer["type"] == "ok" or answer["code"] == "past-decision", answer
        refused = [told for told in self.player.told if told["type"] == "error"]
        assert refused == []

    def _act(self) -> tuple[int, str] | None:
        """What one of its seats does next."""
        for told in self.views:
            do = self._choose(told)
            if do is not None:
                return told["seat"], do
        return None

    def _choose(self, told: Told) -> str | None:
        """One of the legal actions; None to wait."""
        legal = [do for do in told["legal"] if do not in ("show", "hide")]
        view = told["view"]
        if view["phase"] == "plunder" and view["opened"]:
            if view["ran_out"]:
                return "stop" if "stop" in legal else None
            legal = [do for do in legal if do.startswith("drop 1 ")]
            if view["supply"][told["seat"]] <= 3:
                return None
        return self._rng.choice(legal) if legal else None

    def _hand_due(self) -> bool:
        return self.world is not None and self.world["decision"] != self._handled

    async def _give_hand(self) -> None:
        told = self.world
        assert told is not None
        self._handled = told["decision"]
        seen = _FRAME_HEAD.unpack_from(self.player.frames[-1])[4] if self.player.frames else 0
        for do in self._gestures(told["world"]):
            request = {"type": "gesture", "id": 0, "seat": told["seat"], "seen": seen}
            request |= {"decision": told["decision"], "do": do}
            await self.player.socket.send(json.dumps(request))

    def _gestures(self, world: Told) -> list[Told]:
        """What a hand does in a live world, of Riff Raff or of Gezanke."""
        if "piece" in world:
            spot = {"along": self._rng.uniform(0.3, 0.7), "across": self._rng.uniform(0.3, 0.7)}
            return [{"steady": spot}, {"lower": True}] if self.careful else [{"let_go": True}]
        (x, z), (to_x, to_z) = world["from"], world["to"]
        if world["do"] == "lift":
            to_z += 20  # well clear of the plank
        shares = [step / 20 for step in range(21)]
        path = [[_SLOW_MS * s, x + (to_x - x) * s, z + (to_z - z) * s] for s in shares]
        path.append([_SLOW_MS + 400, to_x, to_z])
        let_go = [] if world["do"] == "lift" else [{"let_go": True}]
        return [{"path": path}, *let_go]


# What is told --------------------------------------------------------------------------------


async def told_at(server: Server, table: str, tokens: Sequence[str]) -> Told:
    """What a table tells those who sit down with these tokens, and a spectator."""
    async with at(server.attached(table, *tokens)) as crew, at(server.attached(table)) as spectator:
        told: Told = {"views": {}, "chat": [], "world": None}
        for player in (crew, spectator):
            await player.ask("ping")  # whatever comes with attaching has come before the answer
            for seat, view in player.views.items():
                told["views"]["spectator" if seat is None else str(seat)] = view
        told["table"] = crew.table
        told["chat"] = [line for m in crew.told if m["type"] == "chat" for line in m["lines"]]
        hand = crew.table["status"] == "playing" and told["views"]["spectator"]["view"]["to_act"]
        if hand == "nature":
            await crew.until(lambda: any(m["type"] == "world" for m in crew.told))
            told["world"] = next(m for m in crew.told if m["type"] == "world")
        return told


Excuse = Callable[[Any, Any], bool]
"""Whether a value that has changed, from this to that, has changed on purpose."""


def differences(
    then: Any, now: Any, excuses: Mapping[str, Excuse], path: str = ""
) -> Iterator[str]:
    """Where what is told now contradicts what was told then. Keys that came since say nothing
    against it; `excuses` are for values that have changed on purpose, by their keys."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key, value in then.items():
            here = f"{path}.{key}"
            if key in _FLEETING:
                continue
            if key not in now:
                if key not in excuses or not excuses[key](value, None):
                    yield f"{here} is gone"
            elif key == "left_ms":
                yield from _clock_differences(value, now[key], here)
            elif key not in excuses or not excuses[key](value, now[key]):
                yield from differences(value, now[key], excuses, here)
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for place, (value, other) in enumerate(zip(then, now, strict=True)):
            yield from differences(value, other, excuses, f"{path}[{place}]")
    elif isinstance(then, float) and isinstance(now, int | float):
        if not math.isclose(then, now, rel_tol=1e-6, abs_tol=1e-9):
            yield f"{path} was {then!r} and is {now!r}"
    elif then != now:
        yield f"{path} was {then!r} and is {now!r}"


def _clock_differences(then: Any, now: Any, path: str) -> Iterator[str]:
    """Where clocks tell another time than was left, by more than a look takes."""
    clocks = [value if isinstance(value, list) else [value] for value in (then, now)]
    if any(abs(was - left) > _LOOKING_MS for was, left in zip(*clocks, strict=True)):
        yield f"{path} was {then!r} and is {now!r}"

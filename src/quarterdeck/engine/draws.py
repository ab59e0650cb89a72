"""Draws repeated without the rules, from what a game says of them (`draws` of its notation).

The browser does the same with the same data, `web/src/games/*/draws.json`, which `make protocol`
makes with this module.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from quarterdeck.contract import AnyRecord, Draw, Game, Pool, below
from quarterdeck.games import games

from .roster import kit_digest


class Repeater:
    """The draws of one game from its beginning, each repeated from its generator.

    >>> from quarterdeck.contract import Rng, draw_seat, record, seed_rng
    >>> rng = record(Rng)
    >>> seed_rng(rng, 1, 0, 0, 0)
    >>> Repeater({"start": draw_seat(3)}).follows("start 0", rng)
    False
    """

    def __init__(self, draws: Mapping[str, Draw]) -> None:
        self._draws = draws
        self._gone: dict[str, list[str]] = {}  # by verb, all that was drawn so far

    def follows(self, do: str, rng: AnyRecord) -> bool | None:
        """Whether a generator draws this; None where a draw is not of equal items."""
        draw, items = self._items(do)
        if draw is None:
            return None
        drawn: list[str] = []
        for pool, left in self._pools(do.partition(" ")[0], draw):
            count = pool.count or len(items) - len(drawn)
            if count > len(left) and not pool.replaced:
                return False
            for place in range(count):
                first = 0 if pool.replaced else place
                other = first + below(rng, len(left) - first)
                if not pool.replaced:
                    left[place], left[other] = left[other], left[place]
                drawn.append(left[place if not pool.replaced else other])
        if draw.sides:
            drawn = [item + draw.sides[below(rng, len(draw.sides))] for item in drawn]
        if len(drawn) != len(items):
            return False
        if draw.ordered:
            return drawn == items
        taken = iter(drawn)
        return all(
            sorted(group) == sorted(itertools.islice(taken, len(group)))
            for group in _groups(draw, do)
        )

    def note(self, do: str) -> None:
        """A draw has happened: what it named is gone from its pools."""
        draw, items = self._items(do)
        if draw is not None and any(pool.left for pool in draw.pools):
            self._gone.setdefault(do.partition(" ")[0], []).extend(items)

    def pools(self, do: str) -> list[list[str]]:
        """What a draw of this verb may name, pool by pool, each item as often as it is there; with
        sides, each with every one of them. Empty where a draw is not of equal items."""
        draw, _ = self._items(do)
        if draw is None:
            return []
        sides = draw.sides or ("",)
        pools = self._pools(do.partition(" ")[0], draw)
        return [[item + side for item in left for side in sides] for _, left in pools]

    def groups(self, do: str) -> list[list[str]]:
        """The items a draw names, group by group."""
        draw = self._draws.get(do.partition(" ")[0])
        return [] if draw is None else _groups(draw, do)

    def _items(self, do: str) -> tuple[Draw | None, list[str]]:
        draw = self._draws.get(do.partition(" ")[0])
        if draw is None:
            return None, []
        return draw, [item for group in _groups(draw, do) for item in group]

    def _pools(self, verb: str, draw: Draw) -> Iterator[tuple[Pool, list[str]]]:
        for pool in draw.pools:
            left = list(pool.items)
            if pool.left:
                for item in self._gone.get(verb, ()):
                    if item in left:
                        left.remove(item)
            yield pool, left


def _groups(draw: Draw, do: str) -> list[list[str]]:
    rest = do.partition(" ")[2]
    groups = rest.split(draw.groups) if draw.groups else [rest]
    return [group.split(draw.between) for group in groups]


# For the browser -----------------------------------------------------------------------------


class DrawsOf(msgspec.Struct, frozen=True):
    """The draws of a game with some options."""

    options: dict[str, Any]
    verbs: dict[str, Draw]


class BundledDraws(msgspec.Struct, frozen=True):
    """All draws of a game, as they are bundled with the page: for every choice of those options
    that make a difference. `kit` is the hash of the kit they are true of."""

    game: str
    kit: str
    cases: tuple[DrawsOf, ...]


def bundled_draws(game: Game) -> BundledDraws:
    """What the page has to know of a game's draws."""
    chosen = [option for option in game.options if option.at_tables and not option.is_timing]
    unsaid = {option.key: option.default for option in game.options}
    cases = [
        unsaid | dict(zip((option.key for option in chosen), values, strict=True))
        for values in itertools.product(*(option.values for option in chosen))
    ]
    told = [(options, dict(game.notation.draws(game.kit, options))) for options in cases]
    keys = [option.key for option in chosen]
    for key in [*keys]:
        if _is_idle(key, keys, told):
            keys.remove(key)
    kept: list[DrawsOf] = []
    for options, verbs in told:
        case = DrawsOf({key: options[key] for key in keys}, verbs)
        if case not in kept:
            kept.append(case)
    return BundledDraws(game.id, kit_digest(game), tuple(kept))


def _is_idle(
    key: str, keys: Sequence[str], told: Sequence[tuple[Mapping[str, Any], Mapping[str, Draw]]]
) -> bool:
    """Whether an option makes no difference beside the others."""
    found: dict[tuple[Any, ...], Mapping[str, Draw]] = {}
    for options, verbs in told:
        rest = tuple(options[other] for other in keys if other != key)
        if found.setdefault(rest, verbs) != verbs:
            return False
    return True


def text(game: Game) -> str:
    """The file of a game."""
    return msgspec.json.encode(bundled_draws(game)).decode() + "\n"


def main() -> None:
    """Writes the draws of every game into the repository given."""
    for game in games():
        place = Path(sys.argv[1]) / "web" / "src" / "games" / game.folder.name
        (place / "draws.json").write_text(text(game), "utf-8")


if __name__ == "__main__":
    main()

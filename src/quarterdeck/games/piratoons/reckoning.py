"""The score told: what a ship is worth and why, and the end step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from quarterdeck.contract import Array, Event, Int8

from . import layout, rules, score
from .notation import FIELD_NAMES, tile_names
from .state import ADDON_KINDS, MOST_DESIGNS, MOST_PLAYERS, NONE, OF_A_KIND, PARTS, Kit, State

Tie: TypeAlias = Literal["connections", "empty", "doubloons"]

TITLE_NAMES = ("sails", "doubloons", "barrels")
EMPTY_NAMES = (*FIELD_NAMES, "all")
EMPTY_ORDER = ("deck", "quart", "gun", "port", "all")  # PT-32
TIE_NAMES: tuple[Tie, ...] = ("connections", "empty", "doubloons")


class CountedSet(Struct, frozen=True):
    """PT-33: a set of add-ons: what makes it one, its tiles and its points."""

    kind: Literal["same", "pair", "different"]
    tiles: list[str]
    points: int


class EmptyFields(Struct, frozen=True):
    """How many fields of each kind are empty, and how many in all."""

    deck: int
    quart: int
    gun: int
    port: int
    all: int


class ShipPoints(Struct, frozen=True):
    """What a ship brings by itself."""

    connections: int
    sets: int


class Ledger(Struct, frozen=True):
    """What is counted of a ship as it lies; `connections` from bow to stern, whether they fit."""

    connections: list[bool]
    sails: int
    barrels: int
    empty: EmptyFields
    sets: list[CountedSet]
    points: ShipPoints


class Titles(Struct, frozen=True):
    """PT-30: the points for having most of something, by seat."""

    sails: list[int]
    doubloons: list[int]
    barrels: list[int]


class EmptyPoints(Struct, frozen=True):
    """PT-32: the points for having most empty fields of a kind, by seat."""

    deck: list[int]
    quart: list[int]
    gun: list[int]
    port: list[int]
    all: list[int]


class Reckoning(Struct, frozen=True):
    """The whole score of a game that is over, by seat; `connections` are how many fit, how many do
    not, and their points. `tie_break` is what decided between those with most points."""

    titles: Titles
    connections: list[list[int]]
    empty: EmptyPoints
    sets: list[list[CountedSet]]
    totals: list[int]
    tie_break: Tie | None


def sets_of(kit: Kit, owner: Array[Int8], spots: Array[Int8], seat: int) -> list[CountedSet]:
    """PT-33: the sets of the best partition of a ship's add-ons, each with its tiles and points."""
    names, designs = tile_names(kit), kit.design.tolist()
    owners, places = owner.tolist(), spots.tolist()
    told: list[CountedSet] = []
    for kind in range(ADDON_KINDS):
        first = PARTS + kind * OF_A_KIND
        by_design: list[list[str]] = [[] for _ in range(MOST_DESIGNS)]
        for tile in range(first, first + OF_A_KIND):
            if owners[tile] == seat and places[tile] != NONE:
                by_design[designs[tile - PARTS]].append(names[tile])
        counts = np.array([len(tiles) for tiles in by_design], np.int64)
        mixed = np.zeros(MOST_DESIGNS, np.int64)
        layout.split_sets(counts, mixed)
        dealt = [tiles[:some] for tiles, some in zip(by_design, mixed.tolist(), strict=True)]
        rest = [tiles[some:] for tiles, some in zip(by_design, mixed.tolist(), strict=True)]
        for tiles in rest:
            while len(tiles) >= 3:
                told.append(CountedSet("same", tiles[:3], layout.SAME_POINTS))
                del tiles[:3]
            while len(tiles) >= 2:
                told.append(CountedSet("pair", tiles[:2], layout.PAIR_POINTS))
                del tiles[:2]
        told += _mixed_sets(dealt)
    return told


def _mixed_sets(by_design: list[list[str]]) -> list[CountedSet]:
    """Sets of three different designs: dealt out design after design, none gets two alike."""
    dealt = [name for names in by_design for name in names]
    sets = len(dealt) // 3
    return [
        CountedSet("different", dealt[place::sets], layout.DIFFERENT_POINTS)
        for place in range(sets)
    ]


def ledger_of(kit: Kit, state: State, seat: int) -> Ledger:
    """What is counted of a ship as it lies."""
    counts = np.zeros(score.COUNTED, np.int64)
    score.count_ship(kit, state, seat, counts)
    order = np.zeros(PARTS, np.int8)
    parts = order[: layout.list_ship(state.owner, state.spot, seat, order)].tolist()
    symbols, (bow, stern) = kit.edges.tolist(), kit.ends.tolist()
    edges = [bow, *(edge for part in parts for edge in symbols[part]), stern]
    sets = sets_of(kit, state.owner, state.spot, seat)
    told: list[int] = counts.tolist()
    return Ledger(
        [a == b for a, b in zip(edges[::2], edges[1::2], strict=True)],
        told[score.SAILS_COUNT],
        told[score.BARRELS_COUNT],
        EmptyFields(*[told[score.EMPTY + EMPTY_NAMES.index(name)] for name in EMPTY_ORDER]),
        sets,
        ShipPoints(
            layout.CONNECTION_POINTS * (told[score.CORRECT] - told[score.WRONG]),
            sum(one.points for one in sets),
        ),
    )


class _Score:
    """The score of a game that is over."""

    def __init__(self, kit: Kit, state: State) -> None:
        self.players = range(state.players)
        self.counts = np.zeros((MOST_PLAYERS, score.COUNTED), np.int64)
        self.points = np.zeros((MOST_PLAYERS, score.POINT_PARTS), np.int64)
        score.score(kit, state, self.counts, self.points)
        self.totals = [int(self.points[seat].sum()) for seat in self.players]
        scores = np.zeros(len(self.players), np.int64)
        won = rules.outcome(kit, state, scores)
        self.winners = [seat for seat in self.players if won >> seat & 1]

    def by_seat(self, part: int) -> list[int]:
        return [int(self.points[seat][part]) for seat in self.players]

    def tie_break(self) -> Tie | None:
        """PT-34: what decided between those with most points; None if nothing had to or could."""
        equal = [seat for seat in self.players if self.totals[seat] == max(self.totals)]
        for step, name in enumerate(TIE_NAMES):
            if equal == self.winners:
                return None
            best = max(score.tie_value(self.counts[seat], step) for seat in equal)
            equal = [s for s in equal if score.tie_value(self.counts[s], step) == best]
            if equal == self.winners:
                return name
        return None


def reckoning(kit: Kit, state: State) -> Reckoning:
    """The whole score of a game that is over, by seat."""
    told = _Score(kit, state)
    connections = zip(
        (told.counts[:, score.CORRECT]).tolist(),
        (told.counts[:, score.WRONG]).tolist(),
        told.by_seat(score.CONNECTIONS_PART),
        strict=False,
    )
    empty = [told.by_seat(score.EMPTY_PART + EMPTY_NAMES.index(name)) for name in EMPTY_ORDER]
    return Reckoning(
        Titles(*[told.by_seat(title) for title in range(len(TITLE_NAMES))]),
        [list(line) for line in connections],
        EmptyPoints(*empty),
        [sets_of(kit, state.owner, state.spot, seat) for seat in told.players],
        told.totals,
        told.tie_break(),
    )


def end_events(kit: Kit, state: State) -> list[Event]:
    """The end, step by step: titles, connections, empty fields, sets, sums, the winner."""
    told = _Score(kit, state)
    events: list[Event] = []
    for title, name in enumerate(TITLE_NAMES):
        events += _shared("title", {"title": name}, told, title, title)
    for seat in told.players:
        correct, wrong = told.counts[seat][score.CORRECT], told.counts[seat][score.WRONG]
        values = {
            "seat": seat,
            "correct": int(correct),
            "wrong": int(wrong),
            "points": int(told.points[seat][score.CONNECTIONS_PART]),
        }
        events.append(Event("connections-counted", values))
    for name in EMPTY_ORDER:
        kind = EMPTY_NAMES.index(name)
        part, count = score.EMPTY_PART + kind, score.EMPTY + kind
        events += _shared("most-empty", {"field": name}, told, part, count)
    for seat in told.players:
        for one in sets_of(kit, state.owner, state.spot, seat):
            counted = {"seat": seat, "set": one.kind, "tiles": one.tiles, "points": one.points}
            events.append(Event("set-counted", counted))
    for seat in told.players:
        events.append(Event("total", {"seat": seat, "points": told.totals[seat]}))
    decided = told.tie_break()
    if decided is not None:
        events.append(Event("tie-broken", {"by": decided, "seats": told.winners}))
    key = "game-won" if len(told.winners) == 1 else "game-shared"
    events.append(Event(key, {"seats": told.winners, "points": max(told.totals)}))
    return events


def _shared(
    key: str, values: dict[str, Any], told: _Score, part: int, count: int
) -> Iterator[Event]:
    """One event for each number of points that seats get for the same thing, most points first."""
    points = told.by_seat(part)
    for amount in sorted({p for p in points if p}, reverse=True):
        seats = [seat for seat, p in enumerate(points) if p == amount]
        counted = int(told.counts[seats[0]][count])
        yield Event(key, values | {"seats": seats, "points": amount, "amount": counted})

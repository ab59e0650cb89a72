"""The score told: what a ship is worth and why, and the end step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from quarterdeck.contract import Array, Event, Int8

from . import layout, rules, score
from .notation import KIND_NAMES, tile_names
from .state import ADDON_KINDS, MOST_DESIGNS, MOST_PLAYERS, NONE, OF_A_KIND, PARTS, Kit, State

TITLE_NAMES = ("sails", "doubloons", "barrels")
EMPTY_NAMES = (*KIND_NAMES[:ADDON_KINDS], "all")
EMPTY_ORDER = ("deck", "quart", "gun", "port", "all")  # PT-32
TIE_NAMES = ("connections", "empty", "doubloons")


def sets_of(kit: Kit, owner: Array[Int8], spots: Array[Int8], seat: int) -> list[dict[str, Any]]:
    """PT-33: the sets of the best partition of a ship's add-ons, each with its tiles and points."""
    told = []
    for kind in range(ADDON_KINDS):
        counts, mixed = np.zeros(MOST_DESIGNS, np.int64), np.zeros(MOST_DESIGNS, np.int64)
        layout.count_designs(kit, owner, spots, seat, kind, counts)
        layout.split_sets(counts, mixed)
        first = PARTS + kind * OF_A_KIND
        by_design: list[list[str]] = [[] for _ in range(MOST_DESIGNS)]
        for tile in range(first, first + OF_A_KIND):
            if owner[tile] == seat and spots[tile] != NONE:
                by_design[kit.design[tile - PARTS]].append(tile_names(kit)[tile])
        rest = [names[mixed[design] :] for design, names in enumerate(by_design)]
        for names in rest:
            for size, name, points in (
                (3, "same", layout.SAME_POINTS),
                (2, "pair", layout.PAIR_POINTS),
            ):
                while len(names) >= size:
                    told.append({"kind": name, "tiles": names[:size], "points": points})
                    del names[:size]
        told += _mixed_sets([names[: mixed[d]] for d, names in enumerate(by_design)])
    return told


def _mixed_sets(by_design: list[list[str]]) -> list[dict[str, Any]]:
    """Sets of three different designs: dealt out design after design, none gets two alike."""
    dealt = [name for names in by_design for name in names]
    sets = len(dealt) // 3
    return [
        {"kind": "different", "tiles": dealt[place::sets], "points": layout.DIFFERENT_POINTS}
        for place in range(sets)
    ]


def ledger_of(kit: Kit, state: State, seat: int) -> dict[str, Any]:
    """What is counted of a ship as it lies."""
    counts = np.zeros(score.COUNTED, np.int64)
    score.count_ship(kit, state, seat, counts)
    order = np.zeros(PARTS, np.int8)
    parts = order[: layout.list_ship(state.owner, state.spot, seat, order)].tolist()
    edges = [kit.ends[0], *(edge for part in parts for edge in kit.edges[part]), kit.ends[1]]
    sets = sets_of(kit, state.owner, state.spot, seat)
    correct, wrong = int(counts[score.CORRECT]), int(counts[score.WRONG])
    return {
        "connections": [bool(a == b) for a, b in zip(edges[::2], edges[1::2], strict=True)],
        "sails": int(counts[score.SAILS_COUNT]),
        "barrels": int(counts[score.BARRELS_COUNT]),
        "empty": {name: int(counts[score.EMPTY + EMPTY_NAMES.index(name)]) for name in EMPTY_ORDER},
        "sets": sets,
        "points": {
            "connections": layout.CONNECTION_POINTS * (correct - wrong),
            "sets": sum(one["points"] for one in sets),
        },
    }


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

    def tie_break(self) -> str | None:
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


def reckoning(kit: Kit, state: State) -> dict[str, Any]:
    """The whole score of a game that is over, by seat."""
    told = _Score(kit, state)
    connections = zip(
        (told.counts[:, score.CORRECT]).tolist(),
        (told.counts[:, score.WRONG]).tolist(),
        told.by_seat(score.CONNECTIONS_PART),
        strict=False,
    )
    return {
        "titles": {name: told.by_seat(title) for title, name in enumerate(TITLE_NAMES)},
        "connections": [list(line) for line in connections],
        "empty": {
            name: told.by_seat(score.EMPTY_PART + EMPTY_NAMES.index(name)) for name in EMPTY_ORDER
        },
        "sets": [sets_of(kit, state.owner, state.spot, seat) for seat in told.players],
        "totals": told.totals,
        "tie_break": told.tie_break(),
    }


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
            values = {"seat": seat, "set": one["kind"], "tiles": one["tiles"]}
            events.append(Event("set-counted", values | {"points": one["points"]}))
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

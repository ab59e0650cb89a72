"""Piratoons: what follows from what a seat sees, and what a layout would come to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct, to_builtins

from quarterdeck.contract import (
    Array,
    Int64,
    Rows,
    boxed,
    compiled,
    copy_record,
    record,
    record_of,
    rule_name,
)

from . import layout, plunder, rules
from .notation import FIELD_NAMES, FieldKind, layout_text, tile_names
from .reckoning import Ledger, Reckoning, ledger_of, reckoning
from .state import (
    AUTO,
    CHEST,
    DECK,
    ENDED,
    MOST_PLAYERS,
    NONE,
    PARTS,
    REFIT,
    REFITTING,
    TAKING,
    TILES,
    UNSEEN,
    Action,
    Kit,
    State,
)


class Board(Struct, frozen=True):
    """The chest in millimetres: its size, the radius of a stone, and x, y, width and height of each
    field."""

    width: int
    height: int
    radius: int
    fields: list[list[int]]


class Part(Struct, frozen=True):
    """A part of a ship: its storeys, the symbols of its left and right edge, its fields from the
    deck down, how many sails its mast carries, and its barrels."""

    storeys: int
    edges: list[int]
    fields: list[FieldKind]
    mast: int
    barrels: int


class Outlook(Struct, frozen=True):
    """What follows from what everybody sees: see `docs/piratoons-view.md`. `best` is for the seat
    that lays out its ship."""

    board: Board
    parts: dict[str, Part]
    ends: list[int]
    supply: list[int]
    loot: list[int | None]
    stones: list[dict[str, int]]
    ledger: list[Ledger]
    best: str | None
    taker: int | None
    reckoning: Reckoning | None


class OwnOutlook(Struct, frozen=True):
    """The best layout, for a seat that has to declare one."""

    best: str


# What `survey` writes: who takes, and then by seat, by field, and by field and seat
_TAKER = 0
_SUPPLY = 1
_LOOT = _SUPPLY + MOST_PLAYERS
_STONES = _LOOT + CHEST
_SURVEYED = _STONES + CHEST * MOST_PLAYERS


@compiled
def survey(kits: Rows[Kit], states: Rows[State], told: Array[Int64]) -> None:
    """Writes who takes, the stones in every supply, who would win each field, and the stones that
    count there."""
    kit, state = kits[0], states[0]
    told[_TAKER] = rules.taker(state) if state.phase == TAKING else NONE
    for seat in range(state.players):
        told[_SUPPLY + seat] = plunder.supply(kit, state, seat)
    counts = np.zeros((CHEST, MOST_PLAYERS), np.int64)
    plunder.count_stones(kit, state, counts)
    for field in range(CHEST):
        told[_LOOT + field] = plunder.winner_of(counts[field])
        for seat in range(MOST_PLAYERS):
            told[_STONES + field * MOST_PLAYERS + seat] = counts[field][seat]


def outlook(kit: Kit, seen: State) -> Outlook:
    """What follows from what everybody sees."""
    box, players, phase = kit.tobytes(), int(seen.players), int(seen.phase)
    numbers = np.zeros(_SURVEYED, np.int64)
    survey(boxed(kit), boxed(seen), numbers)
    told = numbers.tolist()
    fields = CHEST if seen.opened else 0
    counted = range(_STONES, _STONES + fields * MOST_PLAYERS, MOST_PLAYERS)
    return Outlook(
        *_box(box),
        told[_SUPPLY : _SUPPLY + players],
        [_or_none(seat) for seat in told[_LOOT : _LOOT + fields]],
        [_by_seat(told[place : place + MOST_PLAYERS]) for place in counted],
        _ledgers(box, seen.owner.tobytes(), seen.spot.tobytes(), players),
        None,
        _or_none(told[_TAKER]),
        reckoning(kit, seen) if phase == ENDED else None,
    )


def _or_none(seat: int) -> int | None:
    return None if seat == NONE else seat


def _by_seat(counts: list[int]) -> dict[str, int]:
    """The stones of those who have any."""
    return {str(seat): count for seat, count in enumerate(counts) if count} if any(counts) else {}


@lru_cache(maxsize=8)
def _box(kit_bytes: bytes) -> tuple[Board, dict[str, Part], list[int]]:
    """What of the kit is drawn: the board, the parts, and the symbols of bow and stern."""
    kit = record_of(Kit, kit_bytes)
    parts = {
        name: Part(
            int(kit.storeys[part]),
            kit.edges[part].tolist(),
            [FIELD_NAMES[kind] for kind in (DECK, *kit.hull[part].tolist()) if kind != NONE],
            int(kit.mast[part]),
            int(kit.barrels[part]),
        )
        for part, name in enumerate(tile_names(kit)[:PARTS])
    }
    board = Board(int(kit.width), int(kit.height), int(kit.radius), kit.chest.tolist())
    return board, parts, kit.ends.tolist()


@lru_cache(maxsize=1024)
def _ledgers(box: bytes, owner: bytes, spot: bytes, players: int) -> list[Ledger]:
    """What every ship is worth; ships lie still through a whole plunder."""
    owners, spots = np.frombuffer(owner, np.int8), np.frombuffer(spot, np.int8)
    return [
        _ledger(box, np.where(owners == seat, spots, np.int8(NONE)).tobytes())
        for seat in range(players)
    ]


@lru_cache(maxsize=4096)
def _ledger(box: bytes, spot: bytes) -> Ledger:
    """What a ship is worth; most lie as they lay."""
    state = record(State)
    state.spot[:] = spots = np.frombuffer(spot, np.int8)
    state.owner[:] = np.where(spots == NONE, np.int8(UNSEEN), np.int8(0))
    return ledger_of(record_of(Kit, box), state, 0)


def own_outlook(kit: Kit, seen: State, seat: int) -> OwnOutlook | None:
    """The best layout, for a seat that has to declare one; else None."""
    if seen.phase != REFITTING or not (rules.seats(kit, seen) >> seat) & 1:
        return None
    spots = np.empty(TILES, np.int8)
    layout.best_layout(kit, seen.owner, seat, spots)
    return OwnOutlook(layout_text(kit, spots.tolist()))


def preview(kit: Kit, seen: State, seat: int, action: Action) -> dict[str, Any] | None:
    """What a layout would come to, allowed or not; None for what is no layout of now."""
    if action.verb not in (REFIT, AUTO) or seen.phase != REFITTING:
        return None
    names = tile_names(kit)
    spots = np.empty(TILES, np.int8)
    if action.verb == AUTO:
        layout.best_layout(kit, seen.owner, seat, spots)
    else:
        spots[:] = action.args.tolist()
    mine = [owner == seat for owner in seen.owner]
    rule = layout.refuse_layout(kit, seen.owner, seat, spots.astype(np.int16))
    _without_asides_others(spots, mine)
    laid = copy_record(seen)
    for tile in range(TILES):
        if mine[tile]:
            laid.spot[tile] = int(spots[tile])
    equipment = [tile for tile in range(PARTS, TILES) if mine[tile]]
    parts = [part for part in range(PARTS) if mine[part] and spots[part] != NONE]
    places = {
        names[tile]: [
            names[part]
            for part in parts
            if part != spots[tile]
            and layout.free_places(kit, seen.owner, spots, seat, tile, part) > 0
        ]
        for tile in equipment
    }
    return {
        "layout": layout_text(kit, spots.tolist()),
        "refused": rule_name("PT", rule) if rule else None,
        **to_builtins(ledger_of(kit, laid, seat)),
        "places": places,
        "overboard": [names[tile] for tile in equipment if spots[tile] == NONE],
    }


def _without_asides_others(spots: npt.NDArray[np.int8], mine: Sequence[bool]) -> None:
    """Takes out of a layout what it names of others' tiles, and anything on them."""
    spots[[tile for tile in range(TILES) if not mine[tile]]] = NONE
    parts = [part for part in range(PARTS) if spots[part] != NONE]
    for place, part in enumerate(sorted(parts, key=lambda part: int(spots[part]))):
        spots[part] = place
    for tile in range(PARTS, TILES):
        if spots[tile] != NONE and spots[spots[tile]] == NONE:
            spots[tile] = NONE

"""Piratoons: what follows from what a seat sees, and what a layout would come to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from quarterdeck.contract import copy_record, record, record_of, rule_name

from . import layout, plunder, rules
from .notation import KIND_NAMES, layout_text, tile_names
from .reckoning import ledger_of, reckoning
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
    Action,
    Kit,
    State,
)


def outlook(kit: Kit, seen: State, seat: int) -> dict[str, Any]:
    """What follows from what is seen: see `docs/piratoons-view.md`.

    What is the same for everybody is put together once.
    """
    box = kit.tobytes()
    piles = (seen.pile_x, seen.pile_y, seen.pile_size, seen.pile_fell, seen.stones)
    flags = int(seen.players), bool(seen.opened), int(seen.out)
    return {
        **_box(box),
        **_crew(box, *flags, *(array.tobytes() for array in piles)),
        "ledger": _ledgers(box, seen.owner.tobytes(), seen.spot.tobytes(), int(seen.players)),
        "best": _best(kit, seen, seat),
        "taker": int(rules.taker(seen)) if seen.phase == TAKING else None,
        "reckoning": reckoning(kit, seen) if seen.phase == ENDED else None,
    }


@lru_cache(maxsize=4096)
def _crew(
    box: bytes,
    players: int,
    is_open: bool,
    out: int,
    xs: bytes,
    ys: bytes,
    sizes: bytes,
    fell: bytes,
    stones: bytes,
) -> dict[str, Any]:
    """Stones in the supplies and on each tile, and who would win it."""
    kit, state = record_of(Kit, box), record(State)
    state.players, state.out = players, out
    for places, data in ((state.pile_x, xs), (state.pile_y, ys)):
        places[:] = np.frombuffer(data, np.int16)
    listed = (state.pile_size, sizes), (state.pile_fell, fell), (state.stones, stones)
    for numbers, data in listed:
        numbers[:] = np.frombuffer(data, np.int8)
    counts = np.zeros((CHEST, MOST_PLAYERS), np.int64)
    plunder.count_stones(kit, state, counts)
    told = counts[: CHEST if is_open else 0]
    winners = [int(plunder.winner_of(line)) for line in told]
    return {
        "supply": [int(plunder.supply(kit, state, seat)) for seat in range(players)],
        "loot": [None if winner == NONE else winner for winner in winners],
        "stones": [
            {str(seat): count for seat, count in enumerate(line) if count} for line in told.tolist()
        ],
    }


@lru_cache(maxsize=8)
def _box(kit_bytes: bytes) -> dict[str, Any]:
    """What of the kit is drawn: the board and the parts."""
    kit = record_of(Kit, kit_bytes)
    names = tile_names(kit)
    return {
        "board": {
            "width": int(kit.width),
            "height": int(kit.height),
            "radius": int(kit.radius),
            "fields": kit.chest.tolist(),
        },
        "parts": {
            names[part]: {
                "storeys": int(kit.storeys[part]),
                "edges": kit.edges[part].tolist(),
                "fields": [
                    KIND_NAMES[kind] for kind in (DECK, *kit.hull[part].tolist()) if kind != NONE
                ],
                "mast": int(kit.mast[part]),
                "barrels": int(kit.barrels[part]),
            }
            for part in range(PARTS)
        },
        "ends": kit.ends.tolist(),
    }


@lru_cache(maxsize=1024)
def _ledgers(kit_bytes: bytes, owner: bytes, spot: bytes, players: int) -> tuple[Any, ...]:
    """What every ship is worth; ships lie still through a whole plunder."""
    state = record(State)
    state.owner[:] = np.frombuffer(owner, np.int8)
    state.spot[:] = np.frombuffer(spot, np.int8)
    kit = record_of(Kit, kit_bytes)
    return tuple(ledger_of(kit, state, seat) for seat in range(players))


def _best(kit: Kit, seen: State, seat: int) -> str | None:
    if seen.phase != REFITTING or seat < 0 or not (rules.seats(kit, seen) >> seat) & 1:
        return None
    spots = np.empty(TILES, np.int8)
    layout.best_layout(kit, seen.owner, seat, spots)
    return layout_text(kit, spots.tolist())


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
        **ledger_of(kit, laid, seat),
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

"""Piratoons: positions as JSON, both ways."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from quarterdeck.contract import BadNotation, BadPosition, reading, record, record_of

from . import layout, plunder, rules
from .notation import (
    PHASE_NAMES,
    layout_text,
    name_of,
    parse_layout,
    tile_names,
    tiles_by_name,
)
from .state import (
    AFLOAT,
    AUCTION,
    CHEST,
    EMPTIED,
    ENDED,
    EQUIPMENT_FIELDS,
    FILL,
    HIDDEN,
    IN_FULL,
    MOST_PILES,
    NONE,
    PARTS,
    PLUNDER,
    REFITTING,
    ROUNDS,
    SUNK,
    TAKING,
    TILES,
    Kit,
    State,
    has_tiles_left,
    list_unseen,
)

KEYS = (
    "players", "phase", "round", "captain", "chest", "floating", "sunk", "won", "bank",
    "short", "doubloons", "ships", "piles", "fallen", "opened", "ran_out", "barred", "out", "bids",
    "refits", "shown",
)  # fmt: skip


def position(kit: Kit, state: State) -> dict[str, Any]:
    """The position keys of a state. In `piles`, `on` follows from the place, for readers.

    While stones are dropped, everybody is told everything again and again: what is the same for all
    is put together once, and not to be changed by whoever gets it.
    """
    box, owner, players = kit.tobytes(), state.owner.tobytes(), int(state.players)
    floating, sunk, won, ships = _tiles(box, owner, state.spot.tobytes(), players)
    chest, refitted = state.chest.tobytes(), int(state.refitted)
    piles = (state.pile_x, state.pile_y, state.pile_size, state.pile_fell, state.stones)
    standing, fallen = _stones(box, chest, *(array.tobytes() for array in piles))
    return {
        "players": players,
        "phase": PHASE_NAMES[state.phase],
        "round": int(state.round_number),
        "captain": None if state.captain == NONE else int(state.captain),
        "chest": _chest(box, chest),
        "floating": floating,
        "sunk": sunk,
        "won": won,
        "bank": int(state.bank),
        "short": int(state.short),
        "doubloons": [_number(coins) for coins in state.doubloons[:players].tolist()],
        "ships": ships,
        "piles": standing,
        "fallen": fallen,
        "opened": bool(state.opened),
        "ran_out": bool(state.ran_out),
        "barred": _seats(int(state.barred)),
        "out": _seats(int(state.out)),
        "bids": [_number(bid) for bid in state.bids[:players].tolist()],
        "refits": _refits(kit, state) if refitted else [None] * players,
        "shown": _seats(int(state.shown)),
    }


@lru_cache(maxsize=4096)
def _chest(box: bytes, chest: bytes) -> list[str | None]:
    kit = record_of(Kit, box)
    return [name_of(kit, tile) for tile in np.frombuffer(chest, np.int8).tolist()]


@lru_cache(maxsize=4096)
def _tiles(box: bytes, owners: bytes, spots: bytes, players: int) -> tuple[Any, ...]:
    """What floats and what sank; by seat what was won and the ships."""
    kit = record_of(Kit, box)
    names = tile_names(kit)
    owner, spot = (np.frombuffer(data, np.int8).tolist() for data in (owners, spots))
    gone = [[names[tile] for tile in range(TILES) if owner[tile] == at] for at in (AFLOAT, SUNK)]
    won = [
        [names[tile] for tile in range(TILES) if owner[tile] == seat and spot[tile] == NONE]
        for seat in range(players)
    ]
    return *gone, won, [layout_text(kit, _of(seat, owner, spot)) for seat in range(players)]


@lru_cache(maxsize=4096)
def _stones(
    box: bytes, chest: bytes, xs: bytes, ys: bytes, sizes: bytes, fell: bytes, stones: bytes
) -> tuple[Any, Any]:
    """The piles that stand, and those that fell."""
    kit = record_of(Kit, box)
    lying, seats = (np.frombuffer(data, np.int8).tolist() for data in (chest, stones))
    standing, fallen, place = [], [], 0
    for pile, size in enumerate(sizes):
        if size == 0:
            break
        x, y = (int(np.frombuffer(data, np.int16)[pile]) for data in (xs, ys))
        told: dict[str, Any] = {"x": x, "y": y, "seats": seats[place : place + size]}
        place += size
        if fell[pile]:
            fallen.append(told)
        else:
            field = plunder.field_at(kit, x, y)
            standing.append(told | {"on": None if field == NONE else name_of(kit, lying[field])})
    return standing, fallen


def _of(seat: int, owner: list[int], spots: list[int]) -> list[int]:
    return [spots[tile] if owner[tile] == seat else NONE for tile in range(TILES)]


def _refits(kit: Kit, state: State) -> list[str | None]:
    owner, refit = state.owner.tolist(), state.refit.tolist()
    told: list[str | None] = [None] * int(state.players)
    for seat in _seats(int(state.refitted)):
        spots = _of(seat, owner, refit)
        told[seat] = "?" if HIDDEN in spots else layout_text(kit, spots)
    return told


def _number(value: int) -> int | str | None:
    return None if value == NONE else "?" if value == HIDDEN else value


@lru_cache(maxsize=256)
def _seats(bits: int) -> list[int]:
    return [seat for seat in range(8) if bits >> seat & 1]


# Reading -------------------------------------------------------------------------------------


def from_position(kit: Kit, options: Mapping[str, Any], position: Mapping[str, Any]) -> State:
    """The state a position describes.

    What it leaves out is as at the start of its phase; `bank` follows from the doubloons, and tiles
    that are nowhere lie in the stacks. What cannot occur is refused. Raises `BadPosition`.
    """
    return _Reader(kit, int(options["players"]), position).state()


class _Reader:
    """One position on its way to a state, checked key by key."""

    def __init__(self, kit: Kit, players: int, position: Mapping[str, Any]) -> None:
        self.kit = kit
        self.players = players
        self.position = position
        self.named: set[int] = set()  # tiles that have their place
        self.row = record(State)
        rules.new(kit, np.array([players], np.int64), self.row)

    def state(self) -> State:
        reading.check_keys(self.position, KEYS, "Piratoons")
        reading.check_option(self.position, "players", self.players)
        row = self.row
        self._read_phase()
        self._read_tiles()
        self._read_doubloons()
        row.barred, row.out, row.shown = map(self._bits, ("barred", "out", "shown"))
        self._read_stones()
        self._read_bids()
        self._read_refits()
        self._check_counts()
        return row

    # one key each ----------------------------------------------------------------------------

    def _list(self, key: str, default: list[Any], size: int | None = None) -> list[Any]:
        wanted = f"is a list{f' of {size}' if size else ''}"
        return reading.listed(key, self.position.get(key, default), size, wanted)

    def _bits(self, key: str) -> int:
        seats = [reading.whole_in(key, seat, 0, self.players - 1) for seat in self._list(key, [])]
        if seats != sorted(set(seats)):
            raise BadPosition(f"{key!r} has each seat once, in order")
        return sum(1 << seat for seat in seats)

    def _bool(self, key: str) -> bool:
        return reading.truth(key, self.position.get(key, False))

    def _tile(self, key: str, name: object) -> int:
        tile = reading.named(key, name, tiles_by_name(self.kit), "tile")
        if tile in self.named:
            raise BadPosition(f"{name!r} has two places", rule="PT-C1")
        self.named.add(tile)
        return tile

    def _read_phase(self) -> None:
        row, position = self.row, self.position
        row.phase = reading.one_of("phase", position.get("phase", "fill"), PHASE_NAMES)
        row.round_number = reading.whole("round", position.get("round", 1), 1, ROUNDS)
        row.captain = reading.seat(position, "captain", self.players, NONE)
        if row.captain == NONE and (row.phase != FILL or row.round_number != 1):
            raise BadPosition("there is a captain from the start on", rule="PT-3")
        if row.phase == ENDED and row.round_number != ROUNDS:
            raise BadPosition("the game ends with round eight", rule="PT-29")
        row.opened, row.ran_out = self._bool("opened"), self._bool("ran_out")
        if (row.opened and row.phase != PLUNDER) or (row.ran_out and not row.opened):
            raise BadPosition("the sand runs in an open chest, in the plunder", rule="PT-5")

    def _read_tiles(self) -> None:
        row = self.row
        for field, name in enumerate(self._list("chest", [None] * CHEST, CHEST)):
            if name is None:
                continue
            tile = self._tile("chest", name)
            if (tile < PARTS) != (field >= EQUIPMENT_FIELDS):
                raise BadPosition(f"{name!r} does not belong on field {field + 1}", rule="PT-4")
            row.chest[field] = tile
        for key, owner in (("floating", AFLOAT), ("sunk", SUNK)):
            for name in self._list(key, []):
                tile = self._tile(key, name)
                if (tile < PARTS) != (owner == SUNK):
                    raise BadPosition("parts sink and equipment floats", rule="PT-23")
                row.owner[tile] = owner
        for seat, names in enumerate(self._list("won", [[]] * self.players, self.players)):
            if not isinstance(names, list):
                raise BadPosition(f"'won' has a list a seat, not {names!r}")
            for name in names:
                row.owner[self._tile("won", name)] = seat
        for seat, ship in enumerate(self._list("ships", ["-"] * self.players, self.players)):
            spots = self._layout("ships", ship)
            for tile in range(TILES):
                if spots[tile] != NONE:
                    self._tile("ships", tile_names(self.kit)[tile])
                    row.owner[tile], row.spot[tile] = seat, spots[tile]

    def _layout(self, key: str, value: object) -> list[int]:
        if not isinstance(value, str):
            raise BadPosition(f"{key!r} has layouts, not {value!r}")
        try:
            return parse_layout(self.kit, value)
        except BadNotation as error:
            raise BadPosition(f"{key!r}: {error.message}") from error

    def _read_doubloons(self) -> None:
        row, in_all = self.row, int(self.kit.doubloons)
        default = [int(self.kit.purse)] * self.players
        for seat, coins in enumerate(self._list("doubloons", default, self.players)):
            row.doubloons[seat] = reading.whole_in("doubloons", coins, 0, in_all)
        left = in_all - sum(row.doubloons.tolist())
        if left < 0 or self.position.get("bank", left) != left:
            raise BadPosition(f"there are {in_all} doubloons in all", rule="PT-C3")
        row.bank = left
        row.short = reading.whole("short", self.position.get("short", IN_FULL), IN_FULL, EMPTIED)

    def _read_stones(self) -> None:
        row = self.row
        plunder.clear_stones(row)
        count = place = 0
        for key in ("piles", "fallen"):
            for pile in self._list(key, []):
                if not isinstance(pile, dict) or not {"x", "y", "seats"} <= set(pile):
                    raise BadPosition(f"{key!r} has x, y and seats, not {pile!r}")
                seats = pile["seats"]
                if not isinstance(seats, list) or not 0 < len(seats) <= MOST_PILES - place:
                    raise BadPosition(f"{key!r}: so many stones are not there", rule="PT-C3")
                row.pile_x[count] = reading.whole_in("x", pile["x"], 0, int(self.kit.width))
                row.pile_y[count] = reading.whole_in("y", pile["y"], 0, int(self.kit.height))
                row.pile_size[count] = len(seats)
                row.pile_fell[count] = key == "fallen"
                if key == "fallen" and len(set(map(str, seats))) != 1:
                    raise BadPosition("what fell and stays was one seat's own", rule="PT-12")
                for seat in seats:
                    row.stones[place] = reading.whole_in("seats", seat, 0, self.players - 1)
                    place += 1
                count += 1

    def _read_bids(self) -> None:
        row = self.row
        for seat, bid in enumerate(self._list("bids", [None] * self.players, self.players)):
            if bid is not None:
                row.bids[seat] = reading.whole_in("bids", bid, 0, int(row.doubloons[seat]))

    def _read_refits(self) -> None:
        row = self.row
        for seat, text in enumerate(self._list("refits", [None] * self.players, self.players)):
            if text is None:
                continue
            spots = np.array(self._layout("refits", text), np.int16)
            rule = layout.refuse_layout(self.kit, row.owner, seat, spots)
            if rule or row.phase != REFITTING:
                raise BadPosition(f"{text!r} is no refit of seat {seat} now", rule="PT-R4")
            for tile in range(TILES):
                if row.owner[tile] == seat:
                    row.refit[tile] = spots[tile]
            row.refitted |= 1 << seat

    # how they fit together -------------------------------------------------------------------

    def _check_counts(self) -> None:
        kit, row = self.kit, self.row
        for seat in range(self.players):
            if plunder.supply(kit, row, seat) < 0:
                raise BadPosition(f"seat {seat} has {kit.stones} stones", rule="PT-C3")
        self._check_ships()
        if not row.opened and (row.pile_size.any() or row.barred or row.out):
            raise BadPosition("stones lie only in an open chest", rule="PT-5")
        if row.opened and plunder.is_plunder_over(kit, row):
            raise BadPosition("this plunder is over", rule="PT-R3")
        lying = sum(tile != NONE for tile in row.chest)
        may_lie = {PLUNDER: lying == CHEST, AUCTION: True, TAKING: True}
        if not may_lie.get(int(row.phase), lying == 0):
            raise BadPosition("the chest is full for the plunder, empty after it", rule="PT-4")
        gone = row.round_number if row.phase != FILL else row.round_number - 1
        for first, end, a_round in (
            (0, PARTS, CHEST - EQUIPMENT_FIELDS),
            (PARTS, TILES, EQUIPMENT_FIELDS),
        ):
            tiles = np.empty(TILES, np.int8)
            left = list_unseen(row, first, end, tiles)
            if left != end - first - gone * a_round:
                raise BadPosition(f"{left} tiles are left in a stack", rule="PT-2")
        if max(row.bids) >= 0 and row.phase == PLUNDER:
            raise BadPosition("bids are made in the auction, after the plunder", rule="PT-18")
        if row.phase in (AUCTION, TAKING) and not has_tiles_left(row):
            raise BadPosition("there is nothing to auction", rule="PT-18")
        is_stuck = row.phase == TAKING and rules.taker(row) == NONE
        if is_stuck or (row.phase in (AUCTION, REFITTING) and rules.seats(kit, row) == 0):
            raise BadPosition(f"nobody is to act in phase {PHASE_NAMES[row.phase]!r}")

    def _check_ships(self) -> None:
        """What is built in fits, and nothing waits to be built in but what was won this round."""
        row = self.row
        for seat in range(self.players):
            built, is_waiting = row.owner.copy(), False
            spots = np.full(TILES, NONE, np.int16)
            for tile in range(TILES):
                if row.owner[tile] != seat:
                    continue
                spots[tile] = row.spot[tile]
                if row.spot[tile] == NONE:
                    built[tile], is_waiting = AFLOAT, True
            if layout.refuse_layout(self.kit, built, seat, spots):
                raise BadPosition(f"the ship of seat {seat} cannot be built so", rule="PT-25")
            if is_waiting and row.phase not in (AUCTION, TAKING, REFITTING):
                raise BadPosition("what was won is built in at once", rule="PT-24")

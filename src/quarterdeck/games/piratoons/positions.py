"""Piratoons: positions as JSON, both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from quarterdeck.contract import BadNotation, BadPosition, reader, reading, record, record_of

from . import layout, plunder, rules
from .notation import (
    PHASE_NAMES,
    Phase,
    layout_text,
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
    UNSEEN,
    Kit,
    State,
    has_tiles_left,
    list_unseen,
)

Known: TypeAlias = int | Literal["?"]
"""A number one may know, or `?`."""


class Pile(Struct, frozen=True):
    """Stones that lie together: where, and whose they are from the bottom up."""

    x: int
    y: int
    seats: list[int]


class StandingPile(Pile, frozen=True):
    """A pile that stands: also the tile it is on, null where it does not count."""

    on: str | None


class Position(Struct, frozen=True):
    """The keys of a position; `?` stands for what is hidden from whoever looks.

    In `piles`, `on` follows from the place, for readers.
    """

    players: int
    phase: Phase
    round: int
    captain: int | None
    chest: list[str | None]
    floating: list[str]
    sunk: list[str]
    won: list[list[str]]
    bank: int
    short: int
    doubloons: list[Known]
    ships: list[str]
    piles: list[StandingPile]
    fallen: list[Pile]
    opened: bool
    ran_out: bool
    barred: list[int]
    out: list[int]
    bids: list[Known | None]
    refits: list[str | None]
    shown: list[int]


Seats: TypeAlias = tuple[int, ...]
"""By tile a seat, or where else it is."""

Spots: TypeAlias = tuple[int, ...]

_fields = reader(State)


def position(kit: Kit, state: State) -> Position:
    """The position keys of a state, or of what a seat may see of it.

    Ships and what lies about stay as they are through a whole plunder: they are kept for the next
    time, and nobody may change them.
    """
    (
        players, phase, round_number, captain, opened, ran_out, barred, out, shown, _, bank, short,
        doubloons, bids, chest, owner, spot, _, xs, ys, sizes, fell, stones,
    ) = _fields(state)  # fmt: skip
    box = kit.tobytes()
    names = _names(box)
    floating, sunk, won, ships = _tiles(box, owner, spot, players)
    standing: list[StandingPile] = []
    fallen: list[Pile] = []
    place = 0
    for x, y, size, has_fallen in zip(xs, ys, sizes, fell, strict=True):
        if size == 0:
            break
        seats = list(stones[place : place + size])
        place += size
        if has_fallen:
            fallen.append(Pile(x, y, seats))
        else:
            field = _field_at(box, x, y)
            on = None if field == NONE else names[chest[field]]
            standing.append(StandingPile(x, y, seats, on))
    return Position(
        players,
        PHASE_NAMES[phase],
        round_number,
        None if captain == NONE else captain,
        [names[tile] for tile in chest],
        floating,
        sunk,
        won,
        bank,
        short,
        purse_names(doubloons[:players]),
        ships,
        standing,
        fallen,
        opened != 0,
        ran_out != 0,
        _seats(barred),
        _seats(out),
        bid_names(bids[:players]),
        refit_texts(kit, state),
        _seats(shown),
    )


def purse_names(doubloons: Iterable[int]) -> list[Known]:
    """The doubloons of the seats as they are told."""
    return ["?" if coins == HIDDEN else coins for coins in doubloons]


def bid_names(bids: Iterable[int]) -> list[Known | None]:
    """The bids as they are told: null for none yet."""
    return [None if bid == NONE else "?" if bid == HIDDEN else bid for bid in bids]


def refit_texts(kit: Kit, state: State) -> list[str | None]:
    """The layouts that seats have declared, as they are told: null for none yet."""
    players, refitted = int(state.players), int(state.refitted)
    if not refitted:
        return [None] * players
    owner, refit = tuple(state.owner.tolist()), tuple(state.refit.tolist())
    return _refits(kit.tobytes(), players, refitted, owner, refit)


@lru_cache(maxsize=8)
def _names(box: bytes) -> dict[int, str | None]:
    """The names of all tiles, of none and of a hidden one."""
    return {NONE: None, HIDDEN: "?", **dict(enumerate(tile_names(record_of(Kit, box))))}


@lru_cache(maxsize=4096)
def _field_at(box: bytes, x: int, y: int) -> int:
    return int(plunder.field_at(record_of(Kit, box), x, y))


@lru_cache(maxsize=4096)
def _tiles(
    box: bytes, owner: Seats, spot: Spots, players: int
) -> tuple[list[str], list[str], list[list[str]], list[str]]:
    """What floats and what sank; by seat what was won and the ships."""
    names = tile_names(record_of(Kit, box))
    at: dict[int, list[str]] = {place: [] for place in (AFLOAT, SUNK, UNSEEN, *range(players))}
    for name, place, part in zip(names, owner, spot, strict=True):
        if place < 0 or part == NONE:
            at[place].append(name)
    won = [at[seat] for seat in range(players)]
    return at[AFLOAT], at[SUNK], won, [_ship(box, seat, owner, spot) for seat in range(players)]


def _ship(box: bytes, seat: int, owner: Seats, spots: Spots) -> str:
    """The layout of a seat's tiles."""
    return _layout(box, _of(seat, owner, spots))


def _of(seat: int, owner: Seats, spots: Spots) -> Spots:
    """The spots of a seat's tiles, and of no others."""
    return tuple([at if of == seat else NONE for of, at in zip(owner, spots, strict=True)])


@lru_cache(maxsize=4096)
def _layout(box: bytes, spots: Spots) -> str:
    return layout_text(record_of(Kit, box), spots)


@lru_cache(maxsize=4096)
def _refits(
    box: bytes, players: int, refitted: int, owner: Seats, refit: Spots
) -> list[str | None]:
    told: list[str | None] = [None] * players
    for seat in _seats(refitted):
        is_sealed = (seat, HIDDEN) in zip(owner, refit, strict=True)
        told[seat] = "?" if is_sealed else _ship(box, seat, owner, refit)
    return told


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
        reading.check_keys(self.position, Position.__struct_fields__, "Piratoons")
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

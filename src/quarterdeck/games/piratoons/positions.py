"""Piratoons: positions as JSON, both ways."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct

from quarterdeck.contract import (
    BadNotation,
    BadPosition,
    Invariant,
    check_invariants,
    excerpt,
    reader,
    reading,
    record,
    record_of,
)

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
    HALVED,
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
    owns_tile,
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
        check_invariants(INVARIANTS, self.kit, row)
        self._check_on()
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
            rule = "PT-C2" if tile < PARTS else "PT-C1"
            raise BadPosition(f"{name!r} has two places", rule=rule)
        self.named.add(tile)
        return tile

    def _read_phase(self) -> None:
        row, position = self.row, self.position
        row.phase = reading.one_of("phase", position.get("phase", "fill"), PHASE_NAMES)
        row.round_number = reading.whole("round", position.get("round", 1), 1, ROUNDS)
        row.captain = reading.seat(position, "captain", self.players, NONE)
        row.opened, row.ran_out = self._bool("opened"), self._bool("ran_out")

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
                raise BadPosition(f"'won' has a list a seat, not {excerpt(names)}")
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
            raise BadPosition(f"{key!r} has layouts, not {excerpt(value)}")
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
        for key, kind in (("piles", StandingPile), ("fallen", Pile)):
            for pile in self._list(key, []):
                wanted = f"has {', '.join(kind.__struct_fields__)}"
                reading.keyed(key, pile, kind.__struct_fields__, wanted)
                if not {"x", "y", "seats"} <= set(pile):
                    raise BadPosition(f"{key!r} {wanted}, not {excerpt(pile)}")
                seats = pile["seats"]
                if not isinstance(seats, list) or not 0 < len(seats) <= MOST_PILES - place:
                    raise BadPosition(f"{key!r}: so many stones are not there", rule="PT-C3")
                row.pile_x[count] = reading.whole_in("x", pile["x"], 0, int(self.kit.width))
                row.pile_y[count] = reading.whole_in("y", pile["y"], 0, int(self.kit.height))
                row.pile_size[count] = len(seats)
                row.pile_fell[count] = key == "fallen"
                for seat in seats:
                    row.stones[place] = reading.whole_in("seats", seat, 0, self.players - 1)
                    place += 1
                count += 1

    def _check_on(self) -> None:
        """PT-15: the tile a pile counts on follows from its place; who says it says it right."""
        for pile, told in zip(
            self._list("piles", []), position(self.kit, self.row).piles, strict=True
        ):
            if "on" in pile and pile["on"] != told.on:
                raise BadPosition(f"that pile is on {told.on!r}", rule="PT-15")

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
            if rule or not owns_tile(row, seat):
                raise BadPosition(f"{text!r} is no refit of seat {seat} now", rule="PT-R4")
            for tile in range(TILES):
                if row.owner[tile] == seat:
                    row.refit[tile] = spots[tile]
            row.refitted |= 1 << seat


# What can occur ------------------------------------------------------------------------------


def _holds(rule: str | None, says: str, holds: Callable[[Kit, State], object]) -> Invariant:
    return Invariant(rule, says, lambda kit, row: None if holds(kit, row) else says)


def _has_bid(row: State) -> bool:
    """Whether anybody's bid is told."""
    return max(row.bids) >= 0


def _takers(row: State) -> list[int]:
    """PT-21: the seats that have taken a tile in the auction, as far as the bids left tell it."""
    if not _has_bid(row) or row.phase in (PLUNDER, AUCTION):
        return []
    return [seat for seat in range(int(row.players)) if row.bids[seat] == NONE]


class _Sums:
    """How many parts, or tiles of equipment, lie where."""

    def __init__(self, row: State, first: int, end: int, a_round: int) -> None:
        self.a_round = a_round
        self.lying = sum(first <= tile < end for tile in row.chest)
        tiles = range(first, end)
        self.lost = sum(row.owner[tile] in (AFLOAT, SUNK) for tile in tiles)
        self.built = sum(row.owner[tile] >= 0 and row.spot[tile] != NONE for tile in tiles)
        self.won = sum(row.owner[tile] >= 0 and row.spot[tile] == NONE for tile in tiles)


def _parts(row: State) -> _Sums:
    return _Sums(row, 0, PARTS, CHEST - EQUIPMENT_FIELDS)


def _equipment(row: State) -> _Sums:
    return _Sums(row, PARTS, TILES, EQUIPMENT_FIELDS)


def _is_as_begun(kit: Kit, row: State) -> bool:
    """Before the first captain is named, nobody can have done anything."""
    if row.captain != NONE:
        return True
    begun = record(State)
    rules.new(kit, np.array([row.players], np.int64), begun)
    return row.tobytes() == begun.tobytes()


def _are_stacks_right(kit: Kit, row: State) -> bool:
    gone = row.round_number - (row.phase == FILL)
    return all(
        sums.lying + sums.lost + sums.built + sums.won == gone * sums.a_round
        for sums in (_parts(row), _equipment(row))
    )


def _is_chest_right(kit: Kit, row: State) -> bool:
    lying = sum(tile != NONE for tile in row.chest)
    may_lie = {PLUNDER: lying == CHEST, AUCTION: True, TAKING: True}
    return may_lie.get(int(row.phase), lying == 0)


def _is_round_told(row: State) -> bool:
    """Whether a state tells how this round's tiles were won. (A refit may leave out the bids.)"""
    return bool(row.phase in (AUCTION, TAKING) or (row.phase == REFITTING and _has_bid(row)))


def _is_chest_of_round(kit: Kit, row: State) -> bool:
    """Until the auction is over, what lies in the chest or was won is this round's, and what floats
    or sank came with earlier ones; of what floats each taker may have one."""
    if not _is_round_told(row):
        return True
    parts, equipment = _parts(row), _equipment(row)
    fished = equipment.lying + equipment.won - equipment.a_round
    takers = [seat for seat in _takers(row) if _waiting(row, seat, PARTS, TILES)]
    new = parts.lying + parts.won
    if row.phase == REFITTING:
        return new <= parts.a_round and fished <= len(takers)
    return new == parts.a_round and 0 <= fished <= len(takers)


def _waiting(row: State, seat: int, first: int = 0, end: int = TILES) -> int:
    """How many tiles of a seat are not built in yet."""
    return sum(row.owner[tile] == seat and row.spot[tile] == NONE for tile in range(first, end))


def _is_built_in_rounds(kit: Kit, row: State) -> bool:
    """Ships are built in the refits of the rounds before, and at the end of this one's."""
    refits = row.round_number - (row.phase != ENDED)
    return all(sums.built <= refits * sums.a_round for sums in (_parts(row), _equipment(row)))


def _do_ships_stand(kit: Kit, row: State) -> bool:
    for seat in range(int(row.players)):
        built, spots = row.owner.copy(), np.full(TILES, NONE, np.int16)
        for tile in range(TILES):
            if row.owner[tile] == seat:
                spots[tile] = row.spot[tile]
                if row.spot[tile] == NONE:
                    built[tile] = AFLOAT
        if layout.refuse_layout(kit, built, seat, spots):
            return False
    return True


def _by_stones(row: State) -> list[int]:
    """How many tiles each seat won in this round's plunder."""
    takers = _takers(row)
    seats = range(int(row.players))
    return [_waiting(row, seat) - (seat in takers) for seat in seats]


def _is_won_by_stones(kit: Kit, row: State) -> bool:
    """A tile of the plunder takes a stone at least, one of the auction a bid."""
    return not _is_round_told(row) or all(0 <= won <= kit.stones for won in _by_stones(row))


class _Stack(NamedTuple):
    """A pile: where it lies, whose stones it has from the bottom up, and whether it fell."""

    x: int
    y: int
    seats: list[int]
    fell: bool


def _piles(row: State) -> list[_Stack]:
    piles, place = [], 0
    for x, y, size, fell in zip(row.pile_x, row.pile_y, row.pile_size, row.pile_fell, strict=True):
        if size:
            seats = [int(seat) for seat in row.stones[place : place + size]]
            piles.append(_Stack(int(x), int(y), seats, bool(fell)))
            place += size
    return piles


def _apart(one: _Stack, x: int, y: int) -> int:
    """The square of the distance of a pile from a place."""
    return (one.x - x) ** 2 + (one.y - y) ** 2


def _can_follow(kit: Kit, earlier: _Stack, later: _Stack) -> bool:
    """Whether a pile can come to stand while another does. Stones within a radius join it; within
    two they knock it over, but the steady hand's do not, which land in the middle of a field."""
    apart = _apart(earlier, later.x, later.y)
    middles = {(plunder.middle_x(kit, f), plunder.middle_y(kit, f)) for f in range(CHEST)}
    is_steady = (later.x, later.y) in middles
    return apart >= (2 * kit.radius) ** 2 or (apart > kit.radius**2 and is_steady)


def _do_piles_stand(kit: Kit, row: State) -> bool:
    standing = [pile for pile in _piles(row) if not pile.fell]
    return all(_can_follow(kit, *pair) for pair in itertools.combinations(standing, 2))


def _did_piles_fall(kit: Kit, row: State) -> bool:
    """What fell was one seat's own, and that seat's stones knocked it over: they stand there, or
    fell later. What stood already when they came stood beside it."""
    standing = [pile for pile in _piles(row) if not pile.fell]
    fallen = [pile for pile in _piles(row) if pile.fell]
    near, far = kit.radius**2, (2 * kit.radius) ** 2

    def is_knocked_by(pile: _Stack, other: _Stack) -> bool:
        return other.seats[0] == pile.seats[0] and near < _apart(pile, other.x, other.y) < far

    def stood_beside(pile: _Stack, other: _Stack) -> bool:
        return _can_follow(kit, pile, other) or _can_follow(kit, other, pile)

    for i, pile in enumerate(fallen):
        by_fallen = any(is_knocked_by(pile, other) for other in fallen[i + 1 :])
        by_standing = any(
            is_knocked_by(pile, other) and all(stood_beside(pile, older) for older in standing[:j])
            for j, other in enumerate(standing)
        )
        if len(set(pile.seats)) > 1 or not (by_fallen or by_standing):
            return False
    return True


def _is_out_for_a_reason(kit: Kit, row: State) -> bool:
    """Whoever is out has the stones he dropped, and there is a place where they knocked over
    another's and joined none of those piles that have one of his."""
    piles = _piles(row)
    for seat in _seats(int(row.out)):
        own = [pile for pile in piles if seat in pile.seats and not pile.fell]
        others = [pile for pile in piles if set(pile.seats) != {seat}]
        can_knock = any(_can_knock(kit, other, own) for other in others)
        if not plunder.supply(kit, row, seat) or not can_knock:
            return False
    return True


def _can_knock(kit: Kit, pile: _Stack, own: list[_Stack]) -> bool:
    """Whether stones can land so near to a pile that they knock it over, and join none of these."""
    reach, near = 2 * int(kit.radius) - 1, kit.radius**2
    for x in range(max(0, pile.x - reach), min(int(kit.width), pile.x + reach) + 1):
        for y in range(max(0, pile.y - reach), min(int(kit.height), pile.y + reach) + 1):
            is_knocked = near < _apart(pile, x, y) < (2 * kit.radius) ** 2
            if is_knocked and all(_apart(other, x, y) > near for other in own):
                return True
    return False


def _are_bids_right(kit: Kit, row: State) -> bool:
    """Whoever took paid more than those still to take bid; and while a tile is left whoever may
    take does."""
    if row.phase == PLUNDER:
        return True
    if row.phase == AUCTION:
        return NONE in row.bids[: row.players]
    taker = int(rules.taker(row))
    if row.phase == TAKING:
        if taker == NONE:
            return False
        least = sum(int(row.bids[taker]) + 1 + i for i in range(len(_takers(row))))
    else:
        if taker != NONE and row.phase == REFITTING and _equipment(row).lost:
            return False
        least = len(_takers(row)) * (len(_takers(row)) + 1) // 2
    return int(row.bank) >= least


def _is_before_bids(row: State) -> bool:
    """Whether no bid was made since the last chest was filled, or the game began."""
    return bool(row.phase == PLUNDER or (row.phase == FILL and row.round_number == 1))


def _is_shortage_right(kit: Kit, row: State) -> bool:
    """Whether the bank can have been so short as the loot was shared, and have so much left."""
    if _is_before_bids(row) or row.short == IN_FULL:
        return bool(row.short == IN_FULL)
    players, in_all, bank = int(row.players), int(kit.doubloons), int(row.bank)
    idle = players * int(kit.stones) - (sum(_by_stones(row)) if _is_round_told(row) else 0)
    least = 0 if _takers(row) or not _is_auction_open(row) else bank
    return any(
        _can_be_short(players, in_all, left, idle, int(row.short))
        for left in range(least, bank + 1)
    )


def _is_auction_open(row: State) -> bool:
    """Whether nobody can have paid for a tile yet."""
    return row.phase == AUCTION or (row.phase > AUCTION and _has_bid(row) and not _takers(row))


def _can_be_short(players: int, in_all: int, left: int, most_due: int, short: int) -> bool:
    """PT-14, PT-R1: whether the bank could not pay, got half of everything, and has this left.

    They kept `kept` and gave back `given`; of an odd number one keeps one more than one gives.
    """
    for kept in range(in_all - left + 1):
        paid = in_all - left - kept
        for given in range(max(0, kept - players), kept + 1):
            bank = in_all - kept - given
            if bank < 0:
                continue
            if short == HALVED and bank < paid <= most_due:
                return True
            if short == EMPTIED and left == 0 and paid < most_due:
                return True
    return False


def _are_refits_right(kit: Kit, row: State) -> bool:
    return row.refitted == 0 or row.phase == REFITTING


def _is_shown_by_somebody(kit: Kit, row: State) -> bool:
    """Before the first chest is open only its captain has acted."""
    if row.round_number > 1 or row.phase > PLUNDER or row.opened:
        return True
    return row.shown == 0 or (row.phase == PLUNDER and row.shown == 1 << int(row.captain))


def _is_somebody_due(kit: Kit, row: State) -> bool:
    return row.phase not in (AUCTION, REFITTING) or rules.seats(kit, row) != 0


INVARIANTS = (
    _holds(
        "PT-3",
        "there is a captain from the start on",
        lambda kit, row: row.captain != NONE or (row.phase == FILL and row.round_number == 1),
    ),
    _holds(
        "PT-29",
        "the game ends with round eight",
        lambda kit, row: row.phase != ENDED or row.round_number == ROUNDS,
    ),
    _holds(
        "PT-5",
        "the sand runs in an open chest, in the plunder",
        lambda kit, row: row.ran_out <= row.opened <= (row.phase == PLUNDER),
    ),
    _holds(
        "PT-5",
        "stones lie only in an open chest",
        lambda kit, row: row.opened or not (any(row.pile_size) or row.barred or row.out),
    ),
    _holds(
        "PT-C3",
        "everybody has so many stones",
        lambda kit, row: all(
            plunder.supply(kit, row, seat) >= 0 for seat in range(int(row.players))
        ),
    ),
    _holds(
        "PT-R3",
        "this plunder goes on",
        lambda kit, row: not row.opened or not plunder.is_plunder_over(kit, row),
    ),
    _holds("PT-12", "what fell and stays was one seat's own, by its own hand", _did_piles_fall),
    _holds("PT-10", "stones that meet a pile join it or knock it over", _do_piles_stand),
    _holds("PT-11", "whoever is out knocked over another's stone", _is_out_for_a_reason),
    _holds("PT-4", "the chest is full for the plunder, empty after it", _is_chest_right),
    _holds("PT-25", "ships can be built so", _do_ships_stand),
    _holds(
        "PT-24",
        "what was won is built in at once",
        lambda kit, row: (
            row.phase in (AUCTION, TAKING, REFITTING)
            or not any(_waiting(row, seat) for seat in range(int(row.players)))
        ),
    ),
    _holds("PT-2", "six tiles and three parts have left the stacks every round", _are_stacks_right),
    _holds("PT-3", "nothing has happened before there is a captain", _is_as_begun),
    _holds(
        "PT-23", "until its auction is over a round's tiles go nowhere else", _is_chest_of_round
    ),
    _holds("PT-24", "ships were built in the rounds before", _is_built_in_rounds),
    _holds("PT-16", "a tile was won with a stone, or with a bid", _is_won_by_stones),
    _holds(
        "PT-18",
        "there is something to auction",
        lambda kit, row: row.phase not in (AUCTION, TAKING) or has_tiles_left(row),
    ),
    _holds(
        "PT-18",
        "bids are made in the auction, and lie there until the next chest",
        lambda kit, row: not (_is_before_bids(row) and _has_bid(row)),
    ),
    _holds("PT-21", "the highest bids pay for a tile each while any is left", _are_bids_right),
    _holds("PT-14", "the bank was as short as it can have been", _is_shortage_right),
    _holds("PT-R4", "layouts are declared in the refit", _are_refits_right),
    _holds("PT-1", "only who may act shows doubloons", _is_shown_by_somebody),
    _holds(None, "somebody is to act", _is_somebody_due),
)
"""What holds in every state that can occur. Not asked is what earlier rounds left behind: who has
how many of the doubloons, and of the tiles that are out; and a refit may begin with more tiles than
one round brings, for positions to learn and to test from lay out whole ships."""

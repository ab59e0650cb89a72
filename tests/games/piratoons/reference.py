"""Piratoons told a second time, from the rulebook and the ledger, in plain Python over names.

It shares nothing with the package, is slow, and checks little: it is there to disagree. The best
layout is found by trying all of them.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, permutations, product
from typing import Any

TABLE = """
1: - 1-1 · - 1-1 · - 1-1 · - 1-1
2: P 1-2 · P 2-1 · G 2-2 · G 1-2 · Q 2-1 · Q 1-1
3: PG 1-3 · GQ 3-1 · QP 2-3 · PP 3-2 · GG 3-3 · QQ 1-2 · PG 2-1
4: PGQ 1-4 · PGQ 4-1 · PGQ 2-4 · PGQ 4-2 · PPG 3-4 · GGQ 4-3 · QQP 4-4
"""
LETTERS = {"P": "port", "G": "gun", "Q": "quart"}
KINDS = ("deck", "quart", "gun", "port")


class Part:
    """One ship part of the table in the ledger."""

    def __init__(self, storeys: int, hull: str, edges: str) -> None:
        self.storeys = storeys
        self.fields = Counter([LETTERS[letter] for letter in hull if letter != "-"] + ["deck"])
        self.left, self.right = (int(edge) for edge in edges.split("-"))
        self.sails = {1: 3, 2: 2, 3: 1, 4: 0}[storeys]


PARTS: dict[str, Part] = {}
for row in TABLE.strip().splitlines():
    height, _, cells = row.partition(": ")
    for cell in cells.split(" · "):
        PARTS[f"p{len(PARTS) + 1}"] = Part(int(height), *cell.split(" "))
EQUIPMENT = [
    f"{kind}-{d}{n}" for kind in ("deck", "gun", "port", "quart") for d in "abc" for n in "123"
]
EQUIPMENT += [f"sail-{number}" for number in range(1, 13)]
TILES = [*PARTS, *EQUIPMENT]

Ship = list[tuple[str, tuple[str, ...]]]


def kind(tile: str) -> str:
    return tile.partition("-")[0]


def in_order(tiles: Any) -> list[str]:
    return sorted(tiles, key=TILES.index)


# Layouts -------------------------------------------------------------------------------------


def written(ship: Ship) -> str:
    words = [part + (f"({','.join(sorted(on))})" if on else "") for part, on in ship]
    return " ".join(words) or "-"


def read(text: str) -> Ship:
    if text == "-":
        return []
    ship = []
    for word in text.split(" "):
        part, _, on = word.partition("(")
        ship.append((part, tuple(on.rstrip(")").split(",")) if on else ()))
    return ship


def holds(part: str, on: tuple[str, ...]) -> bool:
    """Whether all of this may lie on one part."""
    count = Counter(map(kind, on))
    if count["sail"] and (count["deck"] or count["sail"] > PARTS[part].sails):
        return False
    return all(count[field] <= PARTS[part].fields[field] for field in KINDS)


def may_be_laid_out(ship: Ship, owned: set[str]) -> bool:
    parts = [part for part, _ in ship]
    on = [tile for _, tiles in ship for tile in tiles]
    if sorted(parts) != sorted(owned & set(PARTS)) or not set(on) <= owned:
        return False
    if len(set(on)) != len(on) or not all(holds(part, tiles) for part, tiles in ship):
        return False
    left = owned - set(PARTS) - set(on)
    return not any(holds(part, (*tiles, tile)) for tile in left for part, tiles in ship)


def connections(ship: Ship) -> list[bool]:
    edges = [1]
    for part, _ in ship:
        edges += [PARTS[part].left, PARTS[part].right]
    edges.append(1)
    return [edges[i] == edges[i + 1] for i in range(0, len(edges), 2)]


def set_points(tiles: Any) -> int:
    """The best of all ways to take sets out of these add-ons, kind by kind, tile by tile."""
    return sum(
        _best_sets(tuple(sorted(tile.split("-")[1][0] for tile in tiles if kind(tile) == one)))
        for one in KINDS
    )


def _best_sets(designs: tuple[str, ...]) -> int:
    """The first one is in no set, or in a pair, or in a set of three with any two others."""
    if len(designs) < 2:
        return 0
    first, rest = designs[0], designs[1:]
    best = _best_sets(rest)
    for size in (1, 2):
        for others in combinations(range(len(rest)), size):
            group = [first, *(rest[i] for i in others)]
            different = len(set(group))
            points = {(2, 1): 2, (3, 1): 5, (3, 3): 4}.get((len(group), different))
            if points:
                left = tuple(rest[i] for i in range(len(rest)) if i not in others)
                best = max(best, points + _best_sets(left))
    return best


def ship_points(ship: Ship) -> int:
    right = connections(ship)
    tiles = [tile for _, on in ship for tile in on]
    return 2 * sum(right) - 2 * (len(right) - sum(right)) + set_points(tiles)


def empty_fields(ship: Ship) -> Counter[str]:
    empty: Counter[str] = Counter()
    for part, on in ship:
        for field, count in PARTS[part].fields.items():
            used = sum(kind(tile) == field for tile in on)
            if field == "deck" and any(kind(tile) == "sail" for tile in on):
                used = 1
            empty[field] += count - used
    return empty


def all_layouts(owned: set[str]) -> Any:
    """Every layout of a seat's tiles that the rules allow. For few tiles only."""
    parts = sorted(owned & set(PARTS))
    tiles = sorted(owned - set(PARTS))
    for places in product([None, *parts], repeat=len(tiles)):
        on = {p: tuple(t for t, at in zip(tiles, places, strict=True) if at == p) for p in parts}
        if not all(holds(part, on[part]) for part in parts):
            continue
        for order in permutations(parts):
            ship = [(part, on[part]) for part in order]
            if may_be_laid_out(ship, owned):
                yield ship


def best_layout(owned: set[str]) -> str:
    """PT-R4, by trying all there are: most equipment, points, sails, fewest empty, least text."""
    ranks = []
    for ship in all_layouts(owned):
        tiles = [tile for _, on in ship for tile in on]
        sails = sum(kind(tile) == "sail" for tile in tiles)
        rank = (-len(tiles), -ship_points(ship), -sails, empty_fields(ship).total(), written(ship))
        ranks.append(rank)
    return min(ranks)[-1]


# The table -----------------------------------------------------------------------------------


class Pile:
    """Stones in one place, from bottom to top."""

    def __init__(self, x: int, y: int, seats: list[int]) -> None:
        self.x, self.y, self.seats = x, y, seats

    def field(self) -> int | None:
        """The field all of a stone of radius 8 lies on there, from 0 on."""
        for number in range(9):
            if number < 6:
                left, top, width, height = 17 + 45 * number, 20, 40, 40
            else:
                left, top, width, height = 20 + 90 * (number - 6), 80, 80, 120
            if left <= self.x - 8 and self.x + 8 <= left + width:
                if top <= self.y - 8 and self.y + 8 <= top + height:
                    return number
        return None

    def away(self, x: int, y: int) -> float:
        return math.hypot(self.x - x, self.y - y)


class Table:
    """A game, action by action."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.seats = range(players)
        self.phase, self.round = "fill", 1
        self.captain: int | None = None
        self.chest: list[str | None] = [None] * 9
        self.floating: set[str] = set()
        self.sunk: set[str] = set()
        self.won: list[set[str]] = [set() for _ in self.seats]
        self.ships: list[Ship] = [[] for _ in self.seats]
        self.doubloons = [3] * players
        self.shown: set[int] = set()
        self.bids: list[int | None] = [None] * players
        self.short = 0
        self.refits: list[str | None] = [None] * players
        self.begin_plunder()

    def begin_plunder(self) -> None:
        self.opened = self.ran_out = False
        self.piles: list[Pile] = []
        self.fallen: list[Pile] = []
        self.barred: set[int] = set()
        self.out: set[int] = set()

    @property
    def bank(self) -> int:
        return 40 - sum(self.doubloons)

    def owned(self, seat: int) -> set[str]:
        aboard = {part for part, _ in self.ships[seat]}
        return aboard | {tile for _, on in self.ships[seat] for tile in on} | self.won[seat]

    def supply(self, seat: int) -> int:
        return 6 - sum(pile.seats.count(seat) for pile in self.piles + self.fallen)

    def on_offer(self) -> set[str]:
        return {tile for tile in self.chest if tile} | self.floating

    def winner(self) -> int | None:
        """Whose turn it is to take."""
        single = [
            (bid, seat) for seat, bid in enumerate(self.bids) if bid and self.bids.count(bid) == 1
        ]
        return max(single)[1] if single else None

    def to_act(self) -> list[int]:
        if self.phase == "plunder":
            if not self.opened:
                assert self.captain is not None
                return [self.captain]
            return [
                seat
                for seat in self.seats
                if seat not in self.out and (seat not in self.barred or self.supply(seat))
            ]
        if self.phase == "auction":
            return [seat for seat in self.seats if self.bids[seat] is None]
        if self.phase == "take":
            seat = self.winner()
            assert seat is not None
            return [seat]
        if self.phase == "refit":
            return [s for s in self.seats if self.owned(s) and self.refits[s] is None]
        return []

    def legal(self, seat: int) -> set[str]:
        """What may be listed, but for the layout."""
        if seat not in self.to_act():
            return set()
        told = {"hide" if seat in self.shown else "show"}
        if self.phase == "plunder":
            if not self.opened:
                return told | {"open"}
            for count in range(1, self.supply(seat) + 1):
                told |= {f"drop {count} {tile}" for tile in self.chest}
            return told if seat in self.barred else told | {"stop"}
        if self.phase == "auction":
            return told | {f"bid {bid}" for bid in range(self.doubloons[seat] + 1)}
        if self.phase == "take":
            return told | {f"take {tile}" for tile in self.on_offer()}
        return told

    # what happens ----------------------------------------------------------------------------

    def do(self, actor: int, text: str) -> None:
        verb, _, rest = text.partition(" ")
        getattr(self, f"do_{verb}")(actor, rest)

    def do_start(self, actor: int, rest: str) -> None:
        self.captain = int(rest)

    def do_fill(self, actor: int, rest: str) -> None:
        self.chest = list(rest.split(","))
        self.bids = [None] * self.players
        self.short = 0
        self.phase = "plunder"

    def do_open(self, actor: int, rest: str) -> None:
        self.opened = True

    def do_show(self, actor: int, rest: str) -> None:
        self.shown.add(actor)

    def do_hide(self, actor: int, rest: str) -> None:
        self.shown.remove(actor)

    def do_drop(self, actor: int, rest: str) -> None:
        number, where = rest.split(" ")
        stones = [actor] * int(number)
        if where[0] != "@":
            field = self.chest.index(where)
            x, y = (37 + 45 * field, 40) if field < 6 else (60 + 90 * (field - 6), 140)
            near = [pile for pile in self.piles if pile.away(x, y) <= 8]
            knocked = []
        else:
            x, y = map(int, where[1:].split(","))
            near = [pile for pile in self.piles if pile.away(x, y) <= 8]
            knocked = [pile for pile in self.piles if pile.away(x, y) < 16]
        if near:
            min(near, key=lambda pile: pile.away(x, y)).seats.extend(stones)
        elif any(seat != actor for pile in knocked for seat in pile.seats):
            self.out.add(actor)
        else:
            for pile in knocked:
                self.piles.remove(pile)
                self.fallen.append(pile)
            self.piles.append(Pile(x, y, stones))
        self.check_end()

    def do_stop(self, actor: int, rest: str) -> None:
        if self.ran_out:
            self.end_plunder()
        else:
            self.barred.add(actor)
            self.check_end()

    def do_sand(self, actor: int, rest: str) -> None:
        self.ran_out = True
        self.check_end()

    def do_close(self, actor: int, rest: str) -> None:
        self.end_plunder()

    def check_end(self) -> None:
        inside = [seat for seat in self.seats if seat not in self.out]
        may_place = any(self.supply(seat) for seat in inside)
        may_call = any(seat not in self.barred for seat in inside)
        if not may_place or (self.ran_out and not may_call):
            self.end_plunder()

    def end_plunder(self) -> None:
        # the idle
        due = {seat: self.supply(seat) for seat in self.seats if seat not in self.out}
        if sum(due.values()) > self.bank:
            self.doubloons = [coins - coins // 2 for coins in self.doubloons]
            self.short = 1
        assert self.captain is not None
        seat = self.captain
        while any(due.values()) and self.bank:
            if due.get(seat):
                due[seat] -= 1
                self.doubloons[seat] += 1
            seat = (seat + 1) % self.players
        if any(due.values()):
            self.short = 2
        # the loot
        for field in range(9):
            counts = Counter(
                seat
                for pile in self.piles
                if pile.field() == field
                for seat in pile.seats
                if seat not in self.out
            )
            sizes = Counter(counts.values())
            left = {seat: count for seat, count in counts.items() if sizes[count] == 1}
            if left:
                tile = self.chest[field]
                assert tile is not None
                self.won[max(left, key=lambda s: left[s])].add(tile)
                self.chest[field] = None
        self.begin_plunder()
        if self.on_offer():
            self.phase = "auction"
        else:
            self.begin_refit()

    def do_bid(self, actor: int, rest: str) -> None:
        self.bids[actor] = int(rest)
        if None not in self.bids:
            self.phase = "take"
            self.check_auction()

    def do_take(self, actor: int, rest: str) -> None:
        if rest in self.floating:
            self.floating.remove(rest)
        else:
            self.chest[self.chest.index(rest)] = None
        self.won[actor].add(rest)
        bid = self.bids[actor]
        assert bid
        self.doubloons[actor] -= bid
        self.bids[actor] = None
        self.check_auction()

    def check_auction(self) -> None:
        if self.winner() is None or not self.on_offer():
            for tile in self.chest:
                if tile in PARTS:
                    self.sunk.add(tile)
                elif tile:
                    self.floating.add(tile)
            self.chest = [None] * 9
            self.begin_refit()

    def begin_refit(self) -> None:
        self.phase = "refit"
        self.check_refits()

    def do_refit(self, actor: int, rest: str) -> None:
        assert may_be_laid_out(read(rest), self.owned(actor))
        self.refits[actor] = rest
        self.check_refits()

    def check_refits(self) -> None:
        if self.to_act():
            return
        for seat in self.seats:
            text = self.refits[seat]
            if text is not None:
                before = self.owned(seat)
                self.ships[seat], self.won[seat] = read(text), set()
                self.floating |= before - self.owned(seat)
        self.refits = [None] * self.players
        if self.round == 8:
            self.phase = "over"
            return
        self.round += 1
        assert self.captain is not None
        self.captain = (self.captain + 1) % self.players
        self.phase = "fill"

    # what it comes to ------------------------------------------------------------------------

    def totals(self) -> list[int]:
        points = [ship_points(ship) for ship in self.ships]
        if self.phase != "over":
            return points
        tiles = [[tile for _, on in ship for tile in on] for ship in self.ships]
        sails = [sum(kind(tile) == "sail" for tile in on) for on in tiles]
        for amounts in (sails, self.doubloons, [len(ship) for ship in self.ships]):
            ranked = sorted({amount for amount in amounts if amount}, reverse=True)
            for place, reward in zip(ranked, (5, 2), strict=False):
                for seat in self.seats:
                    points[seat] += reward * (amounts[seat] == place)
        empty = [empty_fields(ship) for ship in self.ships]
        for count in [[e[field] for e in empty] for field in KINDS] + [[e.total() for e in empty]]:
            for seat in self.seats:
                points[seat] -= 2 * (count[seat] == max(count) > 0)
        return points

    def winners(self) -> list[int]:
        if self.phase != "over":
            return []
        points = self.totals()
        ranks = [
            (
                points[seat],
                sum(connections(self.ships[seat])),
                -empty_fields(self.ships[seat]).total(),
                self.doubloons[seat],
            )
            for seat in self.seats
        ]
        return [seat for seat in self.seats if ranks[seat] == max(ranks)]

    def position(self) -> dict[str, Any]:
        def told(pile: Pile) -> dict[str, Any]:
            return {"x": pile.x, "y": pile.y, "seats": pile.seats}

        def on(pile: Pile) -> str | None:
            field = pile.field()
            return None if field is None else self.chest[field]

        return {
            "players": self.players,
            "phase": self.phase,
            "round": self.round,
            "captain": self.captain,
            "chest": self.chest,
            "floating": in_order(self.floating),
            "sunk": in_order(self.sunk),
            "won": [in_order(tiles) for tiles in self.won],
            "bank": self.bank,
            "short": self.short,
            "doubloons": self.doubloons,
            "ships": [written(ship) for ship in self.ships],
            "piles": [told(pile) | {"on": on(pile)} for pile in self.piles],
            "fallen": [told(pile) for pile in self.fallen],
            "opened": self.opened,
            "ran_out": self.ran_out,
            "barred": sorted(self.barred),
            "out": sorted(self.out),
            "bids": self.bids,
            "refits": self.refits,
            "shown": sorted(self.shown),
        }

"""Names of tiles, and the kit they come from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from quarterdeck.contract import BadNotation, BadOption, Row, record

from .state import (
    ADDON_KINDS,
    CHEST,
    HIDDEN,
    MOST_DOUBLOONS,
    MOST_HULL,
    MOST_PLAYERS,
    MOST_SAILS,
    MOST_STONES,
    NONE,
    OF_A_KIND,
    PARTS,
    SAILS,
    SYMBOLS,
    TILES,
    Kit,
)

KIND_NAMES = ("deck", "gun", "port", "quart", "sail")
KINDS = {name: kind for kind, name in enumerate(KIND_NAMES)}
PHASE_NAMES = ("fill", "plunder", "auction", "take", "refit", "over")
PHASES = {name: phase for phase, name in enumerate(PHASE_NAMES)}
_LETTERS = "abcdefghi"
_PART = re.compile(r"(p\d{1,2})(?:\(([a-z0-9,-]+)\))?")


def tile_names(kit: Row) -> tuple[str, ...]:
    """The names of all tiles, by number."""
    return _names(kit.design.tobytes())


def tiles_by_name(kit: Row) -> Mapping[str, int]:
    """The numbers of all tiles, by name."""
    return _numbers(kit.design.tobytes())


@lru_cache(maxsize=8)
def _names(designs: bytes) -> tuple[str, ...]:
    names = [f"p{number}" for number in range(1, PARTS + 1)]
    copies: dict[tuple[int, int], int] = {}
    for place, design in enumerate(designs):
        kind = place // OF_A_KIND
        copies[kind, design] = copies.get((kind, design), 0) + 1
        names.append(f"{KIND_NAMES[kind]}-{_LETTERS[design]}{copies[kind, design]}")
    return (*names, *(f"sail-{number}" for number in range(1, SAILS + 1)))


@lru_cache(maxsize=8)
def _numbers(designs: bytes) -> Mapping[str, int]:
    return {name: tile for tile, name in enumerate(_names(designs))}


def name_of(kit: Row, tile: int) -> str | None:
    """The name of a tile, None for none, `?` for a hidden one."""
    if tile == HIDDEN:
        return "?"
    return None if tile == NONE else tile_names(kit)[tile]


def layout_text(kit: Row, spots: Sequence[int]) -> str:
    """A ship from bow to stern: each part with what is on it, sorted."""
    names = tile_names(kit)
    on: dict[int, list[str]] = {}
    for tile in range(PARTS, TILES):
        if spots[tile] >= 0:
            on.setdefault(spots[tile], []).append(names[tile])
    parts = sorted((part for part in range(PARTS) if spots[part] >= 0), key=lambda p: spots[p])
    words = [names[p] + (f"({','.join(sorted(on[p]))})" if p in on else "") for p in parts]
    return " ".join(words) or "-"


def parse_layout(kit: Row, text: str) -> list[int]:
    """The spots of all tiles in a layout. Raises `BadNotation`."""
    spots = [NONE] * TILES
    if text == "-":
        return spots
    for place, word in enumerate(text.split(" ")):
        found = _PART.fullmatch(word)
        if found is None:
            raise BadNotation(f"{word!r} in {text!r} is no part with its equipment: p5(port-a1)")
        part = parse_tile(kit, text, found[1])
        named = [(part, place)]
        for name in found[2].split(",") if found[2] else ():
            tile = parse_tile(kit, text, name)
            if tile < PARTS:
                raise BadNotation(f"{name!r} in {text!r} is a part, and lies on no other")
            named.append((tile, part))
        for tile, spot in named:
            if spots[tile] != NONE:
                raise BadNotation(f"{tile_names(kit)[tile]!r} is twice in {text!r}")
            spots[tile] = spot
    return spots


def parse_tile(kit: Row, whole: str, name: str) -> int:
    """The tile of this name in a text. Raises `BadNotation`."""
    tiles = tiles_by_name(kit)
    if name not in tiles:
        raise BadNotation(f"{name!r} in {whole!r} is no tile")
    return tiles[name]


# The kit -------------------------------------------------------------------------------------


def load_kit(data: Mapping[str, Any]) -> Row:
    """The kit record from `kit.toml`, or from an owner's own. Raises `BadOption` if it is none."""
    kit = record(Kit)
    try:
        kit.stones = _whole(data["stones"], "stones", 1, MOST_STONES)
        kit.doubloons = _whole(data["doubloons"], "doubloons", 0, MOST_DOUBLOONS)
        kit.purse = _whole(data["purse"], "purse", 0, int(kit.doubloons) // MOST_PLAYERS)
        for end, name in enumerate(("bow", "stern")):
            kit.ends[end] = _whole(data[name], name, 1, SYMBOLS)
        _load_parts(kit, data["parts"])
        for kind in range(ADDON_KINDS):
            name = KIND_NAMES[kind]
            copies = [_whole(count, name, 1, OF_A_KIND) for count in data["add-ons"][name]]
            if sum(copies) != OF_A_KIND:
                raise BadOption(f"there are {OF_A_KIND} {name} tiles, not {sum(copies)}")
            designs = [design for design, count in enumerate(copies) for _ in range(count)]
            kit.design[kind * OF_A_KIND : (kind + 1) * OF_A_KIND] = designs
        _load_chest(kit, data["chest"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadOption(f"this is no kit of Piratoons: {error!r}") from error
    names = tile_names(kit)
    kit.by_text[:] = sorted(range(TILES), key=lambda tile: names[tile])
    return kit


def _load_parts(kit: Row, parts: Sequence[Mapping[str, Any]]) -> None:
    rows = [part for part in parts for _ in range(part.get("copies", 1))]
    if len(rows) != PARTS:
        raise BadOption(f"there are {PARTS} parts, not {len(rows)}")
    for number, part in enumerate(rows):
        where = f"p{number + 1}"
        storeys = kit.storeys[number] = _whole(part["storeys"], where, 1, SYMBOLS)
        hull = [KINDS[name] for name in part["hull"]]
        if len(hull) > MOST_HULL or any(not 0 < kind < ADDON_KINDS for kind in hull):
            raise BadOption(f"{where}: the hull has up to {MOST_HULL} of gun, port and quart")
        kit.hull[number] = [*hull, *[NONE] * (MOST_HULL - len(hull))]
        for kind in (0, *hull):  # every part has one deck field
            kit.fields[number][kind] += 1
        # PT-26
        most = MOST_SAILS + 1 - int(storeys)
        kit.mast[number] = _whole(part.get("mast", most), where, 0, MOST_SAILS)
        left, right = part["edges"]
        kit.edges[number] = [_whole(edge, where, 1, SYMBOLS) for edge in (left, right)]
        kit.barrels[number] = _whole(part.get("barrels", 1), where, 0, 9)


def _load_chest(kit: Row, chest: Mapping[str, Any]) -> None:
    kit.width = _whole(chest["width"], "width", 1, 2000)
    kit.height = _whole(chest["height"], "height", 1, 2000)
    kit.radius = _whole(chest["radius"], "radius", 1, 100)
    if len(chest["fields"]) != CHEST:
        raise BadOption(f"the chest has {CHEST} fields, not {len(chest['fields'])}")
    for field, (x, y, width, height) in enumerate(chest["fields"]):
        _whole(x, "fields", 0, int(kit.width) - width)
        _whole(y, "fields", 0, int(kit.height) - height)
        # in the middle of a tile a stone is valid, even on a pile it joins there
        least = 4 * int(kit.radius)
        if min(width, height) < least:
            raise BadOption(f"a field is at least {least} wide and high")
        kit.chest[field] = [x, y, width, height]
        for other in range(field):
            ox, oy, ow, oh = kit.chest[other].tolist()
            if x < ox + ow and ox < x + width and y < oy + oh and oy < y + height:
                raise BadOption(f"fields {other + 1} and {field + 1} overlap")


def _whole(value: object, name: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise BadOption(f"{name}: {value!r} is no whole number from {low} to {high}")
    return value

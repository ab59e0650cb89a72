"""Piratoons as text: actions both ways, what chance draws from, what can be composed, the names of
tiles, layouts; and the kit, from its data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np

from quarterdeck.contract import (
    BadNotation,
    BadOption,
    Draw,
    Pool,
    Range,
    Template,
    boxed,
    copy_record,
    draw_seat,
    record,
)

from .layout import best_layout
from .rules import seats, stones_to_drop
from .state import (
    ADDON_KINDS,
    AUTO,
    BID,
    CHEST,
    CLOSE,
    DROP,
    DROP_AT,
    EQUIPMENT_FIELDS,
    FILLS,
    HIDDEN,
    HIDE,
    MOST_DOUBLOONS,
    MOST_HULL,
    MOST_PLAYERS,
    MOST_SAILS,
    MOST_STONES,
    NONE,
    OF_A_KIND,
    OPENS,
    PARTS,
    REFIT,
    REFITTING,
    SAILS,
    SAND,
    SHOW,
    START,
    STOP,
    SYMBOLS,
    TAKE,
    TILES,
    Action,
    Kit,
    State,
)

FieldKind: TypeAlias = Literal["deck", "gun", "port", "quart"]
Phase: TypeAlias = Literal["fill", "plunder", "auction", "take", "refit", "over"]

FIELD_NAMES: tuple[FieldKind, ...] = ("deck", "gun", "port", "quart")
KIND_NAMES = (*FIELD_NAMES, "sail")
KINDS = {name: kind for kind, name in enumerate(KIND_NAMES)}
PHASE_NAMES: tuple[Phase, ...] = ("fill", "plunder", "auction", "take", "refit", "over")
_LETTERS = "abcdefghi"
_PART = re.compile(r"(p[0-9]{1,2})(?:\(([a-z0-9,-]+)\))?")
_WORDS = {OPENS: "open", STOP: "stop", SHOW: "show", HIDE: "hide", SAND: "sand", CLOSE: "close"}
_VERBS = {word: verb for verb, word in _WORDS.items()}
_NUMBER = re.compile(r"0|[1-9][0-9]{0,3}")


# Actions -------------------------------------------------------------------------------------


def text(kit: Kit, action: Action) -> str:
    """The one text of an action."""
    verb, args = int(action.verb), action.args.tolist()
    if verb in _WORDS:
        return _WORDS[verb]
    if verb == DROP:
        return f"drop {args[0]} {name_of(kit, args[1]) or '-'}"
    if verb == DROP_AT:
        return f"drop {args[0]} @{args[1]},{args[2]}"
    if verb == BID:
        return f"bid {'?' if args[0] == HIDDEN else args[0]}"
    if verb == TAKE:
        return f"take {tile_names(kit)[args[0]]}"
    if verb == AUTO:
        return "refit auto"
    if verb == REFIT:
        return f"refit {'?' if args[0] == HIDDEN else layout_text(kit, args)}"
    if verb == START:
        return f"start {args[0]}"
    return f"fill {','.join(name_of(kit, tile) or '-' for tile in args[:CHEST])}"


def parse(kit: Kit, text: str) -> Action:
    """The action a text stands for. Raises `BadNotation` if it stands for none.

    What can be said and is forbidden, a seventh stone or a sail on a cabin, is left to the rules.
    """
    verb, *words = text.split(" ")
    action = record(Action)
    action.args[:] = NONE
    match verb, len(words):
        case "open" | "stop" | "show" | "hide" | "sand" | "close", 0:
            action.verb = _VERBS[verb]
        case "drop", 2:
            action.args[0] = _whole(text, words[0])
            if words[1].startswith("@"):
                action.verb = DROP_AT
                place = words[1][1:].split(",")
                if len(place) != 2:
                    raise BadNotation(f"{words[1]!r} in {text!r} is no place: expected @X,Y")
                action.args[1:3] = [_whole(text, number) for number in place]
            else:
                action.verb = DROP
                action.args[1] = parse_tile(kit, text, words[1])
        case "bid" | "start", 1:
            action.verb = BID if verb == "bid" else START
            action.args[0] = _whole(text, words[0])
        case "take", 1:
            action.verb = TAKE
            action.args[0] = parse_tile(kit, text, words[0])
        case "fill", 1:
            action.verb = FILLS
            tiles = [parse_tile(kit, text, name) for name in words[0].split(",")]
            if len(tiles) != CHEST:
                raise BadNotation(f"{text!r} has {len(tiles)} tiles; the chest has {CHEST} fields")
            action.args[:CHEST] = tiles
        case "refit", count if count:
            action.verb = AUTO if words == ["auto"] else REFIT
            if action.verb == REFIT:
                action.args[:] = parse_layout(kit, " ".join(words))
        case _:
            known = "open, drop, stop, bid, take, refit, show, hide, start, fill, sand or close"
            raise BadNotation(f"{text!r} is no action: expected {known}")
    return action


def _whole(whole: str, word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise BadNotation(f"{word!r} in {whole!r} is no whole number")
    return int(word)


def resolve(kit: Kit, state: State, actor: int, action: Action) -> Action:
    """PT-R4: `refit auto` as the layout it stands for, so that the log holds that one."""
    if action.verb != AUTO or state.phase != REFITTING or actor < 0:
        return action
    spots = np.empty(TILES, np.int8)
    best_layout(kit, state.owner.copy(), actor, spots)  # the list of a state may be read-only
    found = copy_record(action)
    found.verb = REFIT
    found.args[:] = spots
    return found


def draws(kit: Kit, options: Mapping[str, Any]) -> dict[str, Draw]:
    """What chance draws from: the seats for the first captain, else the two stacks."""
    names = tile_names(kit)
    equipment = Pool(names[PARTS:], count=EQUIPMENT_FIELDS, left=True)
    parts = Pool(names[:PARTS], count=CHEST - EQUIPMENT_FIELDS, left=True)
    fill = Draw((equipment, parts), ordered=True)
    return {"start": draw_seat(options["players"]), "fill": fill}


def composites(kit: Kit, seen: State, seat: int) -> Sequence[Template]:
    """What a seat may compose: a drop anywhere on the board, a layout of its own."""
    if seen.phase == REFITTING and (seats(kit, seen) >> seat) & 1:
        names = tile_names(kit)
        owners = enumerate(seen.owner.tolist())
        mine = tuple(names[tile] for tile, owner in owners if owner == seat)
        return (Template("refit {layout}", (Range("layout", words=mine, many=True),)),)
    left = stones_to_drop(boxed(kit), boxed(seen), seat)
    if left:
        place = Range("x", 0, int(kit.width)), Range("y", 0, int(kit.height))
        return (Template("drop {n} @{x},{y}", (Range("n", 1, left), *place)),)
    return ()


# Tiles and layouts ---------------------------------------------------------------------------


def tile_names(kit: Kit) -> tuple[str, ...]:
    """The names of all tiles, by number."""
    return _names(kit.design.tobytes())


def tiles_by_name(kit: Kit) -> Mapping[str, int]:
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


def name_of(kit: Kit, tile: int) -> str | None:
    """The name of a tile, None for none, `?` for a hidden one."""
    if tile == HIDDEN:
        return "?"
    return None if tile == NONE else tile_names(kit)[tile]


def layout_text(kit: Kit, spots: Sequence[int]) -> str:
    """A ship from bow to stern: each part with what is on it, sorted."""
    names = tile_names(kit)
    on: dict[int, list[str]] = {}
    for tile in range(PARTS, TILES):
        if spots[tile] >= 0:
            on.setdefault(spots[tile], []).append(names[tile])
    parts = sorted((part for part in range(PARTS) if spots[part] >= 0), key=lambda p: spots[p])
    words = [names[p] + (f"({','.join(sorted(on[p]))})" if p in on else "") for p in parts]
    return " ".join(words) or "-"


def parse_layout(kit: Kit, text: str) -> list[int]:
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


def parse_tile(kit: Kit, whole: str, name: str) -> int:
    """The tile of this name in a text. Raises `BadNotation`."""
    tiles = tiles_by_name(kit)
    if name not in tiles:
        raise BadNotation(f"{name!r} in {whole!r} is no tile")
    return tiles[name]


# The kit -------------------------------------------------------------------------------------


def load_kit(data: Mapping[str, Any]) -> Kit:
    """PT-C1, PT-C2, PT-C3: the kit record from `kit.toml`, or from an owner's own.

    Raises `BadOption` if it is none.
    """
    kit = record(Kit)
    try:
        kit.stones = _bounded(data["stones"], "stones", 1, MOST_STONES)
        kit.doubloons = _bounded(data["doubloons"], "doubloons", 0, MOST_DOUBLOONS)
        kit.purse = _bounded(data["purse"], "purse", 0, int(kit.doubloons) // MOST_PLAYERS)
        for end, name in enumerate(("bow", "stern")):
            kit.ends[end] = _bounded(data[name], name, 1, SYMBOLS)
        _load_parts(kit, data["parts"])
        for kind in range(ADDON_KINDS):
            name = KIND_NAMES[kind]
            copies = [_bounded(count, name, 1, OF_A_KIND) for count in data["add-ons"][name]]
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


def _load_parts(kit: Kit, parts: Sequence[Mapping[str, Any]]) -> None:
    rows = [part for part in parts for _ in range(part.get("copies", 1))]
    if len(rows) != PARTS:
        raise BadOption(f"there are {PARTS} parts, not {len(rows)}")
    for number, part in enumerate(rows):
        where = f"p{number + 1}"
        storeys = kit.storeys[number] = _bounded(part["storeys"], where, 1, SYMBOLS)
        hull = [KINDS[name] for name in part["hull"]]
        if len(hull) > MOST_HULL or any(not 0 < kind < ADDON_KINDS for kind in hull):
            raise BadOption(f"{where}: the hull has up to {MOST_HULL} of gun, port and quart")
        kit.hull[number] = [*hull, *[NONE] * (MOST_HULL - len(hull))]
        for kind in (0, *hull):  # every part has one deck field
            kit.fields[number][kind] += 1
        # PT-26
        most = MOST_SAILS + 1 - int(storeys)
        kit.mast[number] = _bounded(part.get("mast", most), where, 0, MOST_SAILS)
        left, right = part["edges"]
        kit.edges[number] = [_bounded(edge, where, 1, SYMBOLS) for edge in (left, right)]
        kit.barrels[number] = _bounded(part.get("barrels", 1), where, 0, 9)


def _load_chest(kit: Kit, chest: Mapping[str, Any]) -> None:
    kit.width = _bounded(chest["width"], "width", 1, 2000)
    kit.height = _bounded(chest["height"], "height", 1, 2000)
    kit.radius = _bounded(chest["radius"], "radius", 1, 100)
    if len(chest["fields"]) != CHEST:
        raise BadOption(f"the chest has {CHEST} fields, not {len(chest['fields'])}")
    for field, (x, y, width, height) in enumerate(chest["fields"]):
        _bounded(x, "fields", 0, int(kit.width) - width)
        _bounded(y, "fields", 0, int(kit.height) - height)
        # in the middle of a tile a stone is valid, even on a pile it joins there
        least = 4 * int(kit.radius)
        if min(width, height) < least:
            raise BadOption(f"a field is at least {least} wide and high")
        kit.chest[field] = [x, y, width, height]
        for other in range(field):
            ox, oy, ow, oh = kit.chest[other].tolist()
            if x < ox + ow and ox < x + width and y < oy + oh and oy < y + height:
                raise BadOption(f"fields {other + 1} and {field + 1} overlap")


def _bounded(value: object, name: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise BadOption(f"{name}: {value!r} is no whole number from {low} to {high}")
    return value

"""Piratoons as text: actions both ways, what chance draws from, and what can be composed.

Positions are in `positions.py`, names and the kit in `names.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from quarterdeck.contract import BadNotation, Range, Row, Template, copy_record, record

from .layout import best_layout
from .names import layout_text, load_kit, name_of, parse_layout, parse_tile, tile_names
from .plunder import supply
from .positions import from_position, position
from .rules import is_plundering, seats
from .state import (
    AUTO,
    BID,
    CHEST,
    CLOSE,
    DROP,
    DROP_AT,
    FILLS,
    HIDDEN,
    HIDE,
    NONE,
    OPENS,
    PARTS,
    PLUNDER,
    REFIT,
    REFITTING,
    SAND,
    SHOW,
    START,
    STOP,
    TAKE,
    TILES,
    Action,
    list_unseen,
)

__all__ = [
    "composites", "from_position", "load_kit", "parse", "pool", "position", "resolve", "text",
]  # fmt: skip

_WORDS = {OPENS: "open", STOP: "stop", SHOW: "show", HIDE: "hide", SAND: "sand", CLOSE: "close"}
_VERBS = {word: verb for verb, word in _WORDS.items()}
_NUMBER = re.compile(r"0|[1-9]\d{0,3}")


def text(kit: Row, action: Row) -> str:
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


def parse(kit: Row, text: str) -> Row:
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


def resolve(kit: Row, state: Row, actor: int, action: Row) -> Row:
    """PT-R4: `refit auto` as the layout it stands for, so that the log holds that one."""
    if action.verb != AUTO or state.phase != REFITTING or actor < 0:
        return action
    spots = np.empty(TILES, np.int8)
    best_layout(kit, state.owner, actor, spots)
    found = copy_record(action)
    found.verb = REFIT
    found.args[:] = spots
    return found


def pool(kit: Row, state: Row) -> list[str]:
    """What chance draws from: the seats for the first captain, else the two stacks."""
    if state.captain == NONE:
        return [str(seat) for seat in range(state.players)]
    names, tiles = tile_names(kit), np.empty(TILES, np.int8)
    equipment = [names[t] for t in tiles[: list_unseen(state, PARTS, TILES, tiles)]]
    parts = [names[t] for t in tiles[: list_unseen(state, 0, PARTS, tiles)]]
    return [*equipment, "/", *parts]


def composites(kit: Row, seen: Row, seat: int) -> Sequence[Template]:
    """What a seat may compose: a drop anywhere on the board, a layout of its own."""
    if seen.phase == REFITTING and (seats(kit, seen) >> seat) & 1:
        names = tile_names(kit)
        mine = tuple(names[tile] for tile in range(TILES) if seen.owner[tile] == seat)
        return (Template("refit {layout}", (Range("layout", words=mine, many=True),)),)
    if seen.phase == PLUNDER and seen.opened and is_plundering(kit, seen, seat):
        left = int(supply(kit, seen, seat))
        if left:
            place = Range("x", 0, int(kit.width)), Range("y", 0, int(kit.height))
            return (Template("drop {n} @{x},{y}", (Range("n", 1, left), *place)),)
    return ()

"""Riff Raff as text: the names of the pieces, actions both ways; and the kit, from its data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from quarterdeck.contract import Array, BadNotation, Draw, Int8, draw_seat, record

from .state import (
    ANNOUNCE,
    AREAS,
    ASTRAY,
    BACK,
    CAPTAIN,
    CARD,
    CAUGHT,
    COPIES,
    FALLEN,
    FELL,
    HIDDEN,
    MOST_MOVED,
    MOVED,
    NONE,
    ORDER,
    PART_KINDS,
    SETTLE,
    SHAPES,
    START,
    TAKE,
    WORLD,
    Action,
    Kit,
    clear_action,
)

Piece: TypeAlias = Literal["boat", "barrel", "flacon", "crate", "sailor", "plank", "rat", "chest"]
SHAPE_NAMES: tuple[Piece, ...] = (  # RR-C2
    "boat", "barrel", "flacon", "crate", "sailor", "plank", "rat", "chest",
)  # fmt: skip
SHAPE_NUMBERS: dict[str, int] = {name: shape for shape, name in enumerate(SHAPE_NAMES)}
WORLDS = ("real", "fitted")

_END_NAMES = {ASTRAY: "astray", BACK: "back", FELL: "fell"}
_ENDS = {name: end for end, name in _END_NAMES.items()}
_NUMBERS = {str(number): number for number in range(100)}
_WORDS = {
    CARD: "card",
    CAPTAIN: "captain",
    ORDER: "order",
    ANNOUNCE: "announce",
    TAKE: "take",
    START: "start",
}
_VERBS = {word: verb for verb, word in _WORDS.items()}


# The kit -------------------------------------------------------------------------------------


def load_kit(data: Mapping[str, Any]) -> Kit:
    """The kit record from `kit.toml`, with `fitted.toml` under the key `fitted`."""
    kit = record(Kit)
    if tuple(data["pieces"]) != SHAPE_NAMES:
        raise ValueError(f"the kit's pieces are {', '.join(SHAPE_NAMES)}, in this order")
    for shape, piece in enumerate(data["pieces"].values()):
        kit.copies[shape] = piece["count"]
        kit.mass[shape] = piece["mass"]
        kit.rolls[shape] = piece.get("rolls", False)
        kit.side_count[shape] = len(piece["sides"])
        kit.sides[shape][: len(piece["sides"])] = piece["sides"]
    for place in range(AREAS):
        area = data["areas"][str(place + 1)]
        kit.areas[place] = [*area["from"], *area["to"], area["top"]]
        kit.level[place] = (0, 1, 1, 0, 2, 2, 3, 3, 4, 4)[place]
    for table, keys in WORLD:
        for key in keys:
            setattr(kit, f"{table}_{key}", data[table][key])

    parts = [
        (owner, PART_KINDS.index(part["kind"]), part.get("solid", True), *_geometry(part))
        for owner, thing in enumerate([data["ship"], *data["pieces"].values()])
        for part in thing["parts"]
    ]
    kit.parts[: len(parts)] = parts
    kit.part_count = len(parts)

    fitted = data["fitted"]
    for name, curve in fitted["curves"].items():
        shapes = [curve["shapes"][shape] for shape in SHAPE_NAMES]
        tail = [curve["load"], curve["crowd"], curve["tilt"]]
        getattr(kit, name)[:] = [*curve["levels"], *shapes, *tail]
    for name, chance in fitted["chances"].items():
        setattr(kit, name, chance)
    kit.loose[:] = fitted["loose"]["levels"]
    return kit


def _geometry(part: Mapping[str, Any]) -> tuple[float, ...]:
    """Seven numbers: where it is and how large, or from where to where, and the radius."""
    if part["kind"] == "box":
        return (*part["at"], *part["size"], 0)
    if part["kind"] == "sphere":
        return (*part["at"], *part["at"], part["radius"])
    return (*part["from"], *part["to"], part["radius"])


# Actions -------------------------------------------------------------------------------------


def text(kit: Kit, action: Action) -> str:
    """The one text of an action; a hidden card is `?`."""
    if action.verb == SETTLE:
        return " ".join(_settle_words(action.args.tolist()))
    args = [arg for arg in action.args[:FALLEN].tolist() if arg != NONE]
    word = _WORDS[int(action.verb)]
    if action.verb == TAKE:
        return f"take {SHAPE_NAMES[args[0]]}"
    return f"{word} {','.join('?' if arg == HIDDEN else str(arg) for arg in args)}"


def _settle_words(args: Sequence[int]) -> Iterator[str]:
    piece = SHAPE_NAMES[args[0]]
    yield f"settle {piece}={_END_NAMES.get(args[1], args[1])}"
    moved = [
        f"{SHAPE_NAMES[args[i]]}@{args[i + 1]}={args[i + 2]}"
        for i in range(MOVED, FALLEN, 3)
        if args[i] != NONE
    ]
    fell = list(_counted(args[FALLEN:CAUGHT]))
    caught = [piece] * (args[2] == 1) + list(_counted(args[CAUGHT:]))
    for word, names in (("moved", moved), ("fell", fell), ("caught", caught)):
        if names:
            yield f"{word} {','.join(names)}"


def _counted(counts: Sequence[int]) -> Iterator[str]:
    for place, count in enumerate(counts):
        for _ in range(count):
            yield f"{SHAPE_NAMES[place % SHAPES]}@{place // SHAPES + 1}"


def parse(kit: Kit, text: str) -> Action:
    """The action a text stands for. Raises `BadNotation` if it stands for none."""
    verb, *words = text.split(" ")
    action = record(Action)
    if verb == "settle" and words:
        clear_action(action, SETTLE)
        _parse_settle(text, words, action.args)
        return action
    if verb not in _VERBS or len(words) != 1:
        known = ", ".join([*_VERBS, "settle"])
        raise BadNotation(f"{text!r} is no action: expected one of {known}")
    clear_action(action, _VERBS[verb])
    if verb == "take":
        action.args[0] = _shape(text, words[0])
        return action
    numbers = [_number(text, word) for word in words[0].split(",")]
    if len(numbers) > (4 if verb == "order" else 1):
        raise BadNotation(f"{text!r} names too many")
    action.args[: len(numbers)] = numbers
    return action


def _parse_settle(text: str, words: Sequence[str], args: Array[Int8]) -> None:
    name, _, end = words[0].partition("=")
    args[0] = _shape(text, name)
    args[1] = _ENDS[end] if end in _ENDS else _area(text, end)
    args[2] = 0
    rest = list(words[1:])
    for word in ("moved", "fell", "caught"):
        if not rest or rest[0] != word:
            continue
        if len(rest) < 2:
            raise BadNotation(f"{text!r}: {word!r} names no pieces")
        items = rest[1].split(",")
        del rest[:2]
        if word == "moved":
            _parse_moved(text, items, args)
            continue
        for item in items:
            if word == "caught" and item == name and args[2] == 0:
                args[2] = 1
                continue
            shape, area = _aboard(text, item)
            place = (FALLEN if word == "fell" else CAUGHT) + (area - 1) * SHAPES + shape
            if args[place] == COPIES:
                raise BadNotation(f"{text!r} names more {SHAPE_NAMES[shape]}s than there are")
            args[place] += 1
    if rest:
        raise BadNotation(f"{text!r}: {rest[0]!r} is not understood here")


def _parse_moved(text: str, items: Sequence[str], args: Array[Int8]) -> None:
    if len(items) > MOST_MOVED:
        raise BadNotation(f"{text!r} moves more pieces than there are")
    moves = []
    for item in items:
        name, _, there = item.partition("=")
        shape, area = _aboard(text, name)
        moves.append((area, shape, _area(text, there)))
    for place, (area, shape, to) in enumerate(sorted(moves)):
        args[MOVED + 3 * place : MOVED + 3 * place + 3] = shape, area, to


def _aboard(whole: str, item: str) -> tuple[int, int]:
    name, _, area = item.partition("@")
    return _shape(whole, name), _area(whole, area)


def _shape(whole: str, name: str) -> int:
    if name not in SHAPE_NUMBERS:
        raise BadNotation(f"{name!r} in {whole!r} is no piece")
    return SHAPE_NUMBERS[name]


def _area(whole: str, word: str) -> int:
    if word not in _NUMBERS or not 1 <= _NUMBERS[word] <= AREAS:
        raise BadNotation(f"{word!r} in {whole!r} is no area from 1 to {AREAS}")
    return _NUMBERS[word]


def _number(whole: str, word: str) -> int:
    if word not in _NUMBERS:
        raise BadNotation(f"{word!r} in {whole!r} is no number from 0 to 99")
    return _NUMBERS[word]


def draws(kit: Kit, options: Mapping[str, Any]) -> dict[str, Draw]:
    """RR-2: any seat. What comes of a loading is not drawn from a pool."""
    return {"start": draw_seat(options["players"])}

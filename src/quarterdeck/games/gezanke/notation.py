"""Gezanke auf der Planke as text: the names of its things, its kit, and actions, both ways."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from quarterdeck.contract import BadNotation, Draw, Pool, draw_seat, record

from .balance import FIGURES, SWING_UNIT
from .state import (
    BOARD,
    COLLECT,
    HAND,
    LAY,
    LIFT,
    NONE,
    PLACE,
    PLANKS,
    RESCUE,
    ROLL,
    ROPE,
    SET,
    SLIDE,
    SPACES,
    STARBOARD,
    START,
    Action,
    Kit,
)

Plank: TypeAlias = Literal["yellow", "green", "orange", "red", "blue", "purple"]
Side: TypeAlias = Literal["front", "back"]
Direction: TypeAlias = Literal["port", "starboard", "stay"]
Hands: TypeAlias = Literal["steady", "each", "real"]
Choice: TypeAlias = Literal["collect", "rescue", "nothing"]
Phase: TypeAlias = Literal[
    "start", "lay", "setup", "roll", "slide", "lift", "set", "choose", "neutral", "board", "over"
]
Verb: TypeAlias = Literal["slide", "lift", "set", "board"]

PLANK_NAMES: tuple[Plank, ...] = ("yellow", "green", "orange", "red", "blue", "purple")
COLOUR_NAMES = ("grey", "white", "black", "brown")
SIDE_NAMES: tuple[Side, ...] = ("front", "back")
LAID_NAMES = tuple(f"{name}/{side}" for name in PLANK_NAMES for side in SIDE_NAMES)
PLACE_NAMES = tuple(f"{name}:{space - ROPE}" for name in PLANK_NAMES for space in range(SPACES))
DIRECTION_NAMES: tuple[Direction, ...] = ("port", "starboard", "stay")
FIGURE_NAMES = ("speed", "press", "kick", "over")
HAND_NAMES: tuple[Hands, ...] = ("steady", "each", "real")
PURSE_NAMES = ("hidden", "open")
CHOICE_NAMES: tuple[Choice, ...] = ("collect", "rescue", "nothing")
PHASE_NAMES: tuple[Phase, ...] = (
    "start", "lay", "setup", "roll", "slide", "lift", "set", "choose", "neutral", "board", "over",
)  # fmt: skip
GESTURE_NAMES: dict[int, Verb] = {SLIDE: "slide", LIFT: "lift", SET: "set", BOARD: "board"}
"""By verb: what a hand is awaited for."""

_PLANKS: dict[str, int] = {name: plank for plank, name in enumerate(PLANK_NAMES)}
_COLOURS = {name: colour for colour, name in enumerate(COLOUR_NAMES)}
PLACES_BY_NAME = {name: place for place, name in enumerate(PLACE_NAMES)}
_DIRECTIONS: dict[str, int] = {name: direction for direction, name in enumerate(DIRECTION_NAMES)}
_LAID = {name: laid for laid, name in enumerate(LAID_NAMES)}
_FIGURE = re.compile(r"(0|[1-9][0-9]{0,3})")


def load_kit(data: Mapping[str, Any]) -> Kit:
    """The kit record from `kit.toml`, in tenths of a millimetre and of a gram."""
    kit = record(Kit)
    plank, pirate, ship = data["plank"], data["pirate"], data["ship"]
    for number, name in enumerate(data["planks"]):
        for side, row in enumerate(data["doubloons"][name]):
            kit.doubloons[number][side] = [int(digit) for digit in row]
    kit.fins = data["fins"]
    kit.pile = data["ones"] + 2 * data["twos"]
    kit.plank_weight = _tenths(plank["weight"])
    kit.pirate_weight = _tenths(pirate["weight"])
    kit.plank_height = _tenths(plank["thickness"] / 2)
    kit.pirate_height = _tenths(plank["thickness"] + pirate["height"] / 2)
    kit.length = _tenths(plank["length"])
    kit.space = _tenths(plank["space"])
    kit.edge = _tenths(ship["half_width"])
    kit.deck = _tenths(ship["deck_depth"])
    kit.keel = _tenths(ship["weight"]) * _tenths(ship["mass_depth"])
    kit.stop[:] = ship["roll_stop"]
    if (
        tuple(data["planks"]) != PLANK_NAMES
        or tuple(data["pirates"]) != COLOUR_NAMES
        or SWING_UNIT % kit.stop[1]
    ):
        raise ValueError("this kit is another game's")
    return kit


def _tenths(measure: float) -> int:
    return round(10 * measure)


# Actions -------------------------------------------------------------------------------------


def text(kit: Kit, action: Action) -> str:
    """The one text of an action."""
    args = action.args.tolist()
    if action.verb == PLACE:
        return f"place {COLOUR_NAMES[args[0]]} {PLACE_NAMES[args[1]]}"
    if action.verb == SLIDE:
        return f"slide {PLANK_NAMES[args[0]]} {DIRECTION_NAMES[args[1]]}"
    if action.verb == LIFT:
        return f"lift {PLACE_NAMES[args[0]]}"
    if action.verb == SET:
        return f"set {_target_text(args[0], args[1])}"
    if action.verb == COLLECT or action.verb == RESCUE:
        verb = "collect" if action.verb == COLLECT else "rescue"
        return verb if args[0] == NONE else f"{verb} {COLOUR_NAMES[args[0]]}"
    if action.verb == BOARD:
        return f"board {COLOUR_NAMES[args[0]]} {_target_text(args[1], args[2])}"
    if action.verb == START:
        return f"start {args[0]}"
    if action.verb == LAY:
        return f"lay {' '.join(LAID_NAMES[laid] for laid in args)}"
    if action.verb == ROLL:
        return f"roll {PLANK_NAMES[args[0]]} {PLANK_NAMES[args[1]]}"
    figures = zip(FIGURE_NAMES, args[:FIGURES], strict=True)
    return "hand " + " ".join(f"{name}={figure}" for name, figure in figures)


def _target_text(place: int, direction: int) -> str:
    name = PLACE_NAMES[place]
    return name if direction == NONE else f"{name} {DIRECTION_NAMES[direction]}"


def parse(kit: Kit, text: str) -> Action:
    """The action a text stands for. Raises `BadNotation` if it stands for none."""
    verb, *words = text.split(" ")
    action = record(Action)
    action.args[:] = NONE
    match verb, words:
        case "place", [colour, place]:
            action.verb = PLACE
            action.args[:2] = _one(text, colour, _COLOURS), _one(text, place, PLACES_BY_NAME)
        case "slide", [plank, direction]:
            action.verb = SLIDE
            action.args[:2] = _one(text, plank, _PLANKS), _one(text, direction, _DIRECTIONS)
        case "lift", [place]:
            action.verb = LIFT
            action.args[0] = _one(text, place, PLACES_BY_NAME)
        case "set", [place, *direction]:
            action.verb = SET
            action.args[:2] = _target(text, place, direction)
        case (("collect" | "rescue"), ([] | [_])):
            action.verb = COLLECT if verb == "collect" else RESCUE
            action.args[0] = _one(text, words[0], _COLOURS) if words else NONE
        case "board", [colour, place, *direction]:
            action.verb = BOARD
            action.args[0] = _one(text, colour, _COLOURS)
            action.args[1:3] = _target(text, place, direction)
        case "start", [seat]:
            action.verb = START
            action.args[0] = _figure(text, seat)
        case "lay", planks if len(planks) == PLANKS:
            action.verb = LAY
            action.args[:] = [_one(text, plank, _LAID) for plank in planks]
        case "roll", [_, _]:
            action.verb = ROLL
            action.args[:2] = sorted(_one(text, plank, _PLANKS) for plank in words)
        case "hand", [_, _, _, _]:
            action.verb = HAND
            for figure, (name, word) in enumerate(zip(FIGURE_NAMES, words, strict=True)):
                if not word.startswith(f"{name}="):
                    raise BadNotation(f"{word!r} in {text!r} is no figure {name}=N")
                action.args[figure] = _figure(text, word.removeprefix(f"{name}="))
        case _:
            known = "place, slide, lift, set, collect, rescue, board, start, lay, roll or hand"
            raise BadNotation(f"{text!r} is no action: expected {known}")
    return action


def _one(whole: str, word: str, known: Mapping[str, int]) -> int:
    if word not in known:
        raise BadNotation(f"{word!r} in {whole!r} is none of {', '.join(known)}")
    return known[word]


def _target(whole: str, place: str, direction: list[str]) -> tuple[int, int]:
    if len(direction) > 1 or direction == [DIRECTION_NAMES[STARBOARD + 1]]:
        raise BadNotation(f"{whole!r} has no direction to push")
    side = _one(whole, direction[0], _DIRECTIONS) if direction else NONE
    return _one(whole, place, PLACES_BY_NAME), side


def _figure(whole: str, word: str) -> int:
    if not _FIGURE.fullmatch(word):
        raise BadNotation(f"{word!r} in {whole!r} is no number from 0 to 9999")
    return int(word)


def draws(kit: Kit, options: Mapping[str, Any]) -> dict[str, Draw]:
    """What chance draws from: seats; the planks in some order, then a side of each; two different
    colours of the dice."""
    sides = tuple(f"/{side}" for side in SIDE_NAMES)
    lay = Draw((Pool(PLANK_NAMES, count=PLANKS),), between=" ", ordered=True, sides=sides)
    roll = Draw((Pool(PLANK_NAMES, count=2),), between=" ")
    return {"start": draw_seat(options["players"]), "lay": lay, "roll": roll}

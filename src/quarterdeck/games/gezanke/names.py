"""Gezanke auf der Planke: the names of its things, by their numbers."""

from __future__ import annotations

from quarterdeck.contract import Row

from .balance import FIGURES, NONE, ROPE, SPACES
from .state import BOARD, COLLECT, LAY, LIFT, PLACE, RESCUE, ROLL, SET, SLIDE, START

PLANK_NAMES = ("yellow", "green", "orange", "red", "blue", "purple")
COLOUR_NAMES = ("grey", "white", "black", "brown")
SIDE_NAMES = ("front", "back")
LAID_NAMES = tuple(f"{name}/{side}" for name in PLANK_NAMES for side in SIDE_NAMES)
PLACE_NAMES = tuple(f"{name}:{space - ROPE}" for name in PLANK_NAMES for space in range(SPACES))
DIRECTION_NAMES = ("port", "starboard", "stay")
FIGURE_NAMES = ("speed", "press", "kick", "over")
HAND_NAMES = ("steady", "each", "real")
PURSE_NAMES = ("hidden", "open")
CHOICE_NAMES = ("collect", "rescue", "nothing")
PHASE_NAMES = (
    "start", "lay", "setup", "roll", "slide", "lift", "set", "choose", "neutral", "board", "over",
)  # fmt: skip
GESTURE_NAMES = {SLIDE: "slide", LIFT: "lift", SET: "set", BOARD: "board"}
"""By verb: what a hand is awaited for."""


def action_text(action: Row) -> str:
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

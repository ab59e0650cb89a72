"""Gezanke auf der Planke in the terminal: a view drawn with rich. It shows what the view says.

The ship is seen from above, the bow at the top, port at the left. A plank lies as far out as it is
slid; beneath it is deck, beyond the deck the sea. A space shows its doubloons or the rope, a pirate
is a letter on a ground of his colour.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from quarterdeck.contract import drawing
from quarterdeck.contract.drawing import Sayer, SeatView, shorten

from .notation import COLOUR_NAMES

REACH = 9  # spaces to either side of the middle that are drawn
EDGE = 4  # the first place beyond the deck
HALF = 4  # spaces on either side of the rope

_PLANKS = {
    "yellow": "#1a1a1a on #f0c030",
    "green": "#ffffff on #1b7a3d",
    "orange": "#1a1a1a on #ef8a34",
    "red": "#ffffff on #b3261e",
    "blue": "#ffffff on #1d5fb4",
    "purple": "#ffffff on #6a3b96",
}
_PIRATES = {
    "grey": ("G", "bold #ffffff on #6f757b"),
    "white": ("W", "bold #1a1a1a on #ffffff"),
    "black": ("K", "bold #ffffff on #101010"),
    "brown": ("B", "bold #ffffff on #7a4a21"),
}
"""A letter and its colours: grey, white, blacK, brown."""


def label(action: str, say: Sayer) -> Text:
    """One action to choose from, in words."""
    verb, *words = action.split(" ")
    values: dict[str, Any] = {}
    key = f"action.{verb}"
    if verb == "slide":
        key = "action.stay" if words[1] == "stay" else key
        values = {"plank": words[0], "direction": words[1]}
    elif verb == "lift":
        values = {"space": words[0]}
    elif verb in ("place", "board", "set"):
        if verb != "set":
            values["colour"] = words.pop(0)
        values["space"] = words[0]
        if len(words) == 2:
            key += "-pushing"
            values["direction"] = words[1]
    elif verb in ("collect", "rescue"):
        if words:
            key += "-colour"
            values["colour"] = words[0]
    else:
        return Text(action)
    return Text(say.say(key, values))


def table(view: SeatView, seat: int, names: Sequence[str], say: Sayer) -> RenderableType:
    """The table as this seat sees it: the crews and their gold, and the ship from above."""
    names = [shorten(name) for name in names]
    parts: list[RenderableType] = [_seats(view, seat, names, say)]
    if view["planks"]:
        parts += [Text(), _Ship(view, say)]
    if view["dice"]:
        dice = [Text(f" {say.say(f'plank-name.{die}')} ", _PLANKS[die]) for die in view["dice"]]
        parts += [Text(), Text.assemble(f"{say.say('table.dice')}: ", dice[0], " ", dice[1])]
    facts = [say.say("table.fins", {"fins": view["fins"]}), say.say(f"phase.{view['phase']}")]
    status = drawing.status(view, seat, names, say)
    return drawing.frame("Gezanke auf der Planke", facts, parts, status)


# The parts -----------------------------------------------------------------------------------


def _colours_of(view: SeatView, seat: int | None) -> list[str]:
    return [name for name, owner in view["owners"].items() if owner == seat]


def _seats(view: SeatView, seat: int, names: Sequence[str], say: Sayer) -> Table:
    """A line a seat: whose turn it is, name, gold, colours, and who is overboard; and the gold that
    is left."""
    grid = drawing.seat_grid(say, ["table.doubloons"], "table.crew")
    for other, name in enumerate(names):
        grid.add_row(
            *drawing.seat_line(view, other, seat, Text(name), say),
            str(view["purses"][other]),
            _crew(view, _colours_of(view, other), say),
            style="bold" if other == seat else "",
        )
    if neutral := _colours_of(view, None):
        nobody = Text(say.say("table.neutral"), "italic")
        grid.add_row("", nobody, "", _crew(view, neutral, say))
    grid.add_row("", Text(say.say("table.stacks"), "italic"), str(view["pile"]), "")
    return grid


def _crew(view: SeatView, colours: Sequence[str], say: Sayer) -> Text:
    line = Text()
    for colour in colours:
        letter, style = _PIRATES[colour]
        overboard = view["pirates"][colour].count(None)
        line.append(f" {letter} ", style)
        line.append(f" {say.say(f'colour-name.{colour}')}")
        if overboard and view["phase"] not in ("start", "lay", "setup"):
            line.append(f" ({say.say('table.overboard', {'n': overboard})})", "dim")
        line.append("  ")
    return line


class _Ship:
    """The planks, one a line, as far out as they are slid; and how the ship rolls."""

    def __init__(self, view: SeatView, say: Sayer) -> None:
        self.view = view
        self.say = say
        self.standing = {
            space: colour for colour in COLOUR_NAMES for space in view["pirates"][colour]
        }

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        places = 2 * REACH + 1
        cell = 3 if options.max_width >= 3 * places else 2
        width = cell * places
        head = self.say.say("table.port").ljust(width // 2)
        head += self.say.say("table.starboard").rjust(width - width // 2)
        yield Text(head, "dim", no_wrap=True)
        for plank, doubloons in zip(self.view["planks"], self.view["doubloons"], strict=True):
            yield self._line(plank, doubloons, cell)
        yield Text(self._roll().center(width).rstrip(), "dim", no_wrap=True, overflow="ellipsis")

    def _line(self, plank: Mapping[str, Any], doubloons: Sequence[int], cell: int) -> Text:
        line = Text(no_wrap=True)
        for place in range(-REACH, REACH + 1):
            space = place - plank["offset"]
            if abs(space) <= HALF:
                colour = self.standing.get(f"{plank['name']}:{space}")
                gold = "○" if space == 0 else "·12"[doubloons[space + HALF]]
                letter, style = _PIRATES.get(colour or "", (gold, _PLANKS[plank["name"]]))
                line.append(letter.center(cell), style)
            elif abs(place) < EDGE:
                line.append(" " * cell, "on #5b4632")
            else:
                line.append("~".center(cell), "blue")
        return line

    def _roll(self) -> str:
        degrees = math.degrees(math.atan2(*self.view["roll"]))
        if abs(degrees) < 0.05:
            return self.say.say("table.upright")
        side = "starboard" if degrees > 0 else "port"
        whole, tenth = divmod(round(10 * abs(degrees)), 10)
        values = {"whole": whole, "tenth": tenth, "direction": side}
        return self.say.say("table.roll", values)

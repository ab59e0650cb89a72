"""Gezanke auf der Planke in the terminal: a view drawn with rich. It shows what the view says.

The ship is seen from above, the bow at the top, port at the left. A plank lies as far out as it is
slid; beneath it is deck, beyond the deck the sea. A space shows its doubloons or the rope, a pirate
is a letter on a ground of his colour.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from .names import COLOUR_NAMES

WIDEST = 84
LONGEST_NAME = 12
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


def label(action: str, say: Any) -> Text:
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


def table(view: Mapping[str, Any], seat: int, names: Sequence[str], say: Any) -> RenderableType:
    """The table as this seat sees it: the crews and their gold, and the ship from above."""
    names = [_shorten(name) for name in names]
    parts: list[RenderableType] = [_seats(view, seat, names, say)]
    if view["planks"]:
        parts += [Text(), _Ship(view, say)]
    if view["dice"]:
        dice = [Text(f" {say.say(f'plank-name.{die}')} ", _PLANKS[die]) for die in view["dice"]]
        parts += [Text(), Text.assemble(f"{say.say('table.dice')}: ", dice[0], " ", dice[1])]
    title = Text("Gezanke auf der Planke", "bold")
    title.append(f" · {say.say('table.fins', {'fins': view['fins']})}")
    title.append(f" · {say.say('phase.' + view['phase'])}")
    panel = Panel(
        Group(*parts),
        box=box.ROUNDED,
        title=title,
        subtitle=_status(view, seat, names, say),
        padding=(0, 2),
        border_style="cyan",
    )
    return Constrain(panel, WIDEST)


def _shorten(name: str) -> str:
    text = Text(name)
    text.truncate(LONGEST_NAME, overflow="ellipsis")
    return text.plain


def _is_to_act(view: Mapping[str, Any], seat: int) -> bool:
    return view["to_act"] != "nature" and seat in view["to_act"]


def _status(view: Mapping[str, Any], seat: int, names: Sequence[str], say: Any) -> Text:
    """Whose turn it is, or who has won."""
    if view["winners"]:
        key = "terminal.won" if len(view["winners"]) == 1 else "terminal.shared"
        return Text(say.say(key, {"seats": list(view["winners"])}, names), "bold")
    if view["to_act"] == "nature":
        return Text(say.say("terminal.chance"))
    if _is_to_act(view, seat):
        return Text(say.say("terminal.your-turn"), "bold")
    return Text(say.say("terminal.waiting", {"seats": list(view["to_act"])}, names))


# The parts -----------------------------------------------------------------------------------


def _colours_of(view: Mapping[str, Any], seat: int | None) -> list[str]:
    return [name for name, owner in view["owners"].items() if owner == seat]


def _seats(view: Mapping[str, Any], seat: int, names: Sequence[str], say: Any) -> Table:
    """A line a seat: whose turn it is, name, gold, colours, and who is overboard."""
    grid = Table(
        box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0), expand=True
    )
    grid.add_column("", width=1)
    grid.add_column(say.say("terminal.name"), no_wrap=True, min_width=LONGEST_NAME)
    grid.add_column(say.say("table.doubloons"), justify="right", no_wrap=True)
    grid.add_column(say.say("table.crew"), ratio=1)
    for other, name in enumerate(names):
        mark = "★" if other in view["winners"] else "▶" if _is_to_act(view, other) else ""
        shown = Text(name)
        if other == seat:
            shown.append(f" ({say.say('terminal.you')})", "not bold")
        purse = str(view["purses"][other])
        style = "bold" if other == seat else ""
        grid.add_row(mark, shown, purse, _crew(view, _colours_of(view, other), say), style=style)
    if neutral := _colours_of(view, None):
        nobody = Text(say.say("table.neutral"), "italic")
        grid.add_row("", nobody, "", _crew(view, neutral, say))
    return grid


def _crew(view: Mapping[str, Any], colours: Sequence[str], say: Any) -> Text:
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

    def __init__(self, view: Mapping[str, Any], say: Any) -> None:
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
            return str(self.say.say("table.upright"))
        side = "starboard" if degrees > 0 else "port"
        whole, tenth = divmod(round(10 * abs(degrees)), 10)
        values = {"whole": whole, "tenth": tenth, "direction": side}
        return str(self.say.say("table.roll", values))

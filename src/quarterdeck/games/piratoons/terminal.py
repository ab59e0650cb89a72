"""Piratoons in the terminal: the chest, the ships, and what is offered."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from quarterdeck.contract.drawing import (
    Sayer,
    SeatView,
    frame,
    nothing,
    part,
    seat_grid,
    seat_line,
    shorten,
    status,
)

WIDEST = 100
LONGEST_NAME = 14
_SEAT_STYLES = ("bold red", "bold green", "bold blue", "bold yellow")
_KIND_STYLES = {"p": "black on yellow", "deck": "black on bright_white", "gun": "white on red"}
_KIND_STYLES |= {"port": "white on blue", "quart": "white on magenta", "sail": "black on cyan"}


def label(action: str, say: Sayer) -> Text:
    """An action as it is offered."""
    verb, _, rest = action.partition(" ")
    words = rest.split(" ")
    if verb == "drop":
        return Text.assemble(f"{words[0]} → ", _chip(words[1]))
    if verb == "bid":
        return Text(say.say("action.bid", {"bid": int(rest)}))
    if verb == "take":
        return Text.assemble(say.say("action.take"), " ", _chip(rest))
    if verb == "refit":
        return Text(say.say("action.refit", {"layout": rest}))
    return Text(say.say(f"action.{verb}"))


def table(view: SeatView, seat: int, names: Sequence[str], say: Sayer) -> RenderableType:
    """The table as this seat sees it: seats, the chest with its stones, what floats, the ships."""
    names = [shorten(name, LONGEST_NAME) for name in names]
    parts: list[RenderableType] = [_seats(view, seat, names, say)]
    if any(view["chest"]):
        parts += part("table.chest", _chest(view), say)
    if view["floating"]:
        parts += part("table.floating", _flow(view["floating"]), say)
    parts += part("table.ships", _ships(view, names), say)
    facts = [say.say("table.round", {"round": view["round"]})]
    if view["captain"] is not None:
        facts.append(say.say("table.captain", {"seat": view["captain"]}, names))
    facts.append(say.say("table.bank", {"doubloons": view["bank"]}))
    return frame("Piratoons", facts, parts, _status(view, seat, names, say), WIDEST)


def _chip(tile: str | None) -> Text:
    """A tile: its own name, and what it is."""
    if tile is None:
        return nothing()
    if tile == "?":
        return Text(" ? ", "reverse")
    kind = "p" if tile[0] == "p" and tile[1].isdigit() else tile.partition("-")[0]
    return Text(f" {tile} ", _KIND_STYLES[kind])


def _flow(tiles: Sequence[str]) -> Text:
    return Text(" ").join(_chip(tile) for tile in tiles)


def _status(view: SeatView, seat: int, names: Sequence[str], say: Sayer) -> Text:
    if view["opened"]:
        return Text(say.say("table.sand-out" if view["ran_out"] else "table.sand-runs"), "bold")
    return status(view, seat, names, say)


def _seats(view: SeatView, seat: int, names: Sequence[str], say: Sayer) -> Table:
    numbers = ("terminal.score", "table.doubloons", "table.supply")
    grid = seat_grid(say, numbers, "table.won", LONGEST_NAME)
    for other, name in enumerate(names):
        mark, shown = seat_line(view, other, seat, Text(name, _SEAT_STYLES[other]), say)
        if other in view["out"]:
            shown.append(f" {say.say('table.out')}", "dim")
        grid.add_row(
            mark,
            shown,
            str(view["scores"][other]),
            str(view["doubloons"][other]),
            str(view["supply"][other]),
            _flow(view["won"][other]),
        )
    return grid


def _chest(view: SeatView) -> Table:
    """Every tile with the stones that count on it; the winner as it stands first."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    cells = []
    for field, tile in enumerate(view["chest"]):
        cell = _chip(tile)
        if tile in view["parts"]:
            left, right = view["parts"][tile]["edges"]
            cell = Text.assemble(cell, f" {left}-{right}")
        if view["stones"]:
            for seat, count in view["stones"][field].items():
                mark = "●" * count
                if view["loot"][field] == int(seat):
                    mark += "★"
                cell = Text.assemble(cell, " ", (mark, _SEAT_STYLES[int(seat)]))
        cells.append(cell)
    for first in range(0, len(cells), 3):
        grid.add_row(*cells[first : first + 3])
    return grid


def _ships(view: SeatView, names: Sequence[str]) -> Table:
    """Each ship from bow to stern: edges that fit are joined by ═, others by ╳."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    for seat, ship in enumerate(view["ships"]):
        ledger = view["ledger"][seat]
        words = [] if ship == "-" else ship.split(" ")
        drawn = Text(f"◁{view['ends'][0]}")
        for place, fits in enumerate(ledger["connections"]):
            drawn.append("═" if fits else "╳", "green" if fits else "red")
            if place < len(words):
                name, _, rest = words[place].partition("(")
                left, right = view["parts"][name]["edges"]
                drawn.append(f"{left}")
                drawn.append_text(_chip(name))
                if rest:
                    drawn.append(f"{rest.rstrip(')')}", "dim")
                drawn.append(f"{right}")
        drawn.append(f"{view['ends'][1]}▷")
        grid.add_row(Text(names[seat], _SEAT_STYLES[seat]), drawn)
    return grid

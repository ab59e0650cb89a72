"""Piratoons in the terminal: the chest, the ships, and what is offered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

WIDEST = 100
LONGEST_NAME = 14
_SEAT_STYLES = ("bold red", "bold green", "bold blue", "bold yellow")
_KIND_STYLES = {"p": "black on yellow", "deck": "black on bright_white", "gun": "white on red"}
_KIND_STYLES |= {"port": "white on blue", "quart": "white on magenta", "sail": "black on cyan"}


def label(action: str, say: Any) -> Text:
    """An action as it is offered."""
    verb, _, rest = action.partition(" ")
    words = rest.split(" ")
    if verb == "drop":
        return Text.assemble(f"{words[0]} → ", _chip(words[1], say))
    if verb == "bid":
        return Text(say.say("action.bid", {"bid": int(rest)}))
    if verb == "take":
        return Text.assemble(say.say("action.take"), " ", _chip(rest, say))
    if verb == "refit":
        return Text(say.say("action.refit", {"layout": rest}))
    return Text(say.say(f"action.{verb}"))


def table(view: Mapping[str, Any], seat: int, names: Sequence[str], say: Any) -> RenderableType:
    """The table as this seat sees it: seats, the chest with its stones, what floats, the ships."""
    names = [_shorten(name) for name in names]
    parts: list[RenderableType] = [_seats(view, seat, names, say)]
    if any(view["chest"]):
        parts += [Text(), Text(say.say("table.chest"), "bold cyan"), _chest(view, names, say)]
    if view["floating"]:
        parts += [Text(), Text(say.say("table.floating"), "bold cyan")]
        parts.append(_flow([_chip(tile, say) for tile in view["floating"]]))
    parts += [Text(), Text(say.say("table.ships"), "bold cyan"), _ships(view, names, say)]
    title = Text("Piratoons", "bold")
    title.append(f" · {say.say('table.round', {'round': view['round']})}")
    if view["captain"] is not None:
        title.append(f" · {say.say('table.captain', {'seat': view['captain']}, names)}")
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


def _chip(tile: str | None, say: Any) -> Text:
    """A tile: its own name, and what it is."""
    if tile is None:
        return Text("·", "dim")
    if tile == "?":
        return Text(" ? ", "reverse")
    kind = "p" if tile[0] == "p" and tile[1].isdigit() else tile.partition("-")[0]
    return Text(f" {tile} ", _KIND_STYLES[kind])


def _flow(chips: Sequence[Text]) -> Text:
    return Text(" ").join(chips)


def _is_to_act(view: Mapping[str, Any], seat: int) -> bool:
    return view["to_act"] != "nature" and seat in view["to_act"]


def _status(view: Mapping[str, Any], seat: int, names: Sequence[str], say: Any) -> Text:
    if view["winners"]:
        key = "terminal.won" if len(view["winners"]) == 1 else "terminal.shared"
        return Text(say.say(key, {"seats": list(view["winners"])}, names), "bold")
    if view["to_act"] == "nature":
        return Text(say.say("terminal.chance"))
    if view["opened"]:
        return Text(say.say("table.sand-out" if view["ran_out"] else "table.sand-runs"), "bold")
    if _is_to_act(view, seat):
        return Text(say.say("terminal.your-turn"), "bold")
    return Text(say.say("terminal.waiting", {"seats": list(view["to_act"])}, names))


def _seats(view: Mapping[str, Any], seat: int, names: Sequence[str], say: Any) -> Table:
    grid = Table(
        box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0), expand=True
    )
    grid.add_column("", width=1)
    grid.add_column(say.say("terminal.name"), no_wrap=True, min_width=LONGEST_NAME)
    for key in ("terminal.score", "table.doubloons", "table.supply"):
        grid.add_column(say.say(key), justify="right")
    grid.add_column(say.say("table.won"), ratio=1)
    for other, name in enumerate(names):
        mark = "★" if other in view["winners"] else "▶" if _is_to_act(view, other) else ""
        shown = Text(name, _SEAT_STYLES[other])
        if other == seat:
            shown.append(f" ({say.say('terminal.you')})", "not bold")
        if other in view["out"]:
            shown.append(f" {say.say('table.out')}", "dim")
        grid.add_row(
            mark,
            shown,
            str(view["scores"][other]),
            str(view["doubloons"][other]),
            str(view["supply"][other]),
            _flow([_chip(tile, say) for tile in view["won"][other]]),
        )
    return grid


def _chest(view: Mapping[str, Any], names: Sequence[str], say: Any) -> Table:
    """Every tile with the stones that count on it; the winner as it stands first."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    cells = []
    for field, tile in enumerate(view["chest"]):
        cell = _chip(tile, say)
        if tile in view["parts"]:
            part = view["parts"][tile]
            cell = Text.assemble(cell, f" {part['edges'][0]}-{part['edges'][1]}")
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


def _ships(view: Mapping[str, Any], names: Sequence[str], say: Any) -> Table:
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
                drawn.append_text(_chip(name, say))
                if rest:
                    drawn.append(f"{rest.rstrip(')')}", "dim")
                drawn.append(f"{right}")
        drawn.append(f"{view['ends'][1]}▷")
        grid.add_row(Text(names[seat], _SEAT_STYLES[seat]), drawn)
    return grid

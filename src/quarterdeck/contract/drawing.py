"""The frame of a table in the terminal, drawn with rich; each game fills it with what is its own.

This room is not loaded with the contract: only whoever draws needs rich.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

WIDEST = 84  # beyond this the eye loses the line
LONGEST_NAME = 12

SeatView = Mapping[str, Any]
"""A seat's view as it is sent: the position keys, `to_act`, `scores`, `winners`, and more."""


class Sayer(Protocol):
    """The message catalogue of one language."""

    def say(
        self, key: str, values: Mapping[str, Any] | None = None, names: Sequence[str] = ()
    ) -> str: ...


# The whole -----------------------------------------------------------------------------------


def frame(
    title: str,
    facts: Sequence[str],
    parts: Sequence[RenderableType],
    status: Text,
    widest: int = WIDEST,
) -> RenderableType:
    """The parts of a table one below the other, the game's name and a few facts above them."""
    head = Text(title, "bold")
    for fact in facts:
        head.append(f" · {fact}")
    panel = Panel(
        Group(*parts),
        box=box.ROUNDED,
        title=head,
        subtitle=status,
        padding=(0, 2),
        border_style="cyan",
    )
    return Constrain(panel, widest)


def part(key: str, content: RenderableType, say: Sayer) -> list[RenderableType]:
    """A part of the table under its heading."""
    return [Text(), Text(say.say(key), "bold cyan"), content]


def status(view: SeatView, seat: int, names: Sequence[str], say: Sayer) -> Text:
    """Whose turn it is, or who has won."""
    if view["winners"]:
        key = "terminal.won" if len(view["winners"]) == 1 else "terminal.shared"
        return Text(say.say(key, {"seats": list(view["winners"])}, names), "bold")
    if view["to_act"] == "nature":
        return Text(say.say("terminal.chance"))
    if is_to_act(view, seat):
        return Text(say.say("terminal.your-turn"), "bold")
    return Text(say.say("terminal.waiting", {"seats": list(view["to_act"])}, names))


def is_to_act(view: SeatView, seat: int) -> bool:
    """Whether it is this seat's turn."""
    return view["to_act"] != "nature" and seat in view["to_act"]


def shorten(name: str, width: int = LONGEST_NAME) -> str:
    """A name that needs no more than so many cells."""
    text = Text(name)
    text.truncate(width, overflow="ellipsis")
    return text.plain


# The seats -----------------------------------------------------------------------------------


def seat_grid(
    say: Sayer, numbers: Sequence[str], rest: str | None = None, longest_name: int = LONGEST_NAME
) -> Table:
    """A table with a line a seat: a mark, the name, numbers, and what takes the rest of the line.

    The columns go by the keys of their headings.
    """
    grid = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        padding=(0, 1, 0, 0),
        expand=rest is not None,
    )
    grid.add_column("", width=1)
    grid.add_column(say.say("terminal.name"), no_wrap=True, min_width=longest_name)
    for key in numbers:
        grid.add_column(say.say(key), justify="right", no_wrap=True)
    if rest is not None:
        grid.add_column(say.say(rest), ratio=1)
    return grid


def seat_line(
    view: SeatView, other: int, seat: int, name: Text, say: Sayer, is_due: bool | None = None
) -> tuple[str, Text]:
    """The first two cells of a line: ★ has won, ▶ is to act (unless said otherwise); the name."""
    if is_due is None:
        is_due = is_to_act(view, other)
    mark = "★" if other in view["winners"] else "▶" if is_due else ""
    shown = name.copy()
    if other == seat:
        shown.append(f" ({say.say('terminal.you')})", "not bold")
    return mark, shown


# Smaller things ------------------------------------------------------------------------------


class Flow:
    """Items side by side, in as many rows as the width asks for; none is broken."""

    def __init__(self, items: Sequence[Text], gap: int = 1) -> None:
        self.items = items
        self.gap = gap

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for row in self._rows(options.max_width):
            grid = Table.grid(padding=(0, self.gap, 0, 0))
            grid.add_row(*row)
            yield grid

    def _rows(self, width: int) -> Iterator[list[Text]]:
        row: list[Text] = []
        used = 0
        for item in self.items:
            needed = max(line.cell_len for line in item.split("\n"))
            if row and used + needed > width:
                yield row
                row, used = [], 0
            row.append(item)
            used += needed + self.gap
        yield row


def nothing() -> Text:
    """A dot where nothing lies."""
    return Text("·", "dim")

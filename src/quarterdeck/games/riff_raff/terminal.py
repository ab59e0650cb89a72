"""Riff Raff in the terminal: a view drawn with rich. It shows what the view says, no more.

Every shape has a symbol and a name. The ship is drawn as it stands: three yards over the deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from quarterdeck.contract import drawing
from quarterdeck.contract.drawing import Sayer, SeatView

_SYMBOLS = {
    "boat": "⌣",
    "barrel": "◍",
    "flacon": "♀",
    "crate": "■",
    "sailor": "♟",
    "plank": "▬",
    "rat": "∽",
    "chest": "◘",
}
_WOOD = "#1a1a1a on #d9b27c"
_CARD = "#ffffff on #1d5fb4"
_YARDS = ((9, 10), (7, 8), (5, 6))
_DECK = (1, 2, 3, 4)


def label(action: str, say: Sayer) -> Text:
    """One action to choose from, in words."""
    verb, _, rest = action.partition(" ")
    if verb == "take":
        return Text.assemble((f" {_SYMBOLS[rest]} ", _WOOD), " ", say.say(f"name.{rest}"))
    if verb == "card":
        return Text.assemble((f" {rest} ", _CARD), " ", say.say(f"area.{rest}"))
    if verb == "announce":
        return Text(say.say("action.announce", {"pieces": int(rest)}))
    if verb in ("captain", "order"):
        seats = [int(seat) for seat in rest.split(",")]
        return Text(say.say(f"action.{verb}", {"seats": ", ".join(str(s + 1) for s in seats)}))
    return Text(action)


def table(view: SeatView, seat: int, names: Sequence[str], say: Sayer) -> RenderableType:
    """The table as this seat sees it: everybody's supply, the ship, the seat's own cards."""
    names = [drawing.shorten(name) for name in names]
    parts: list[RenderableType] = [_seats(view, seat, names, say), Text(), _ship(view, say)]
    if view["hand"] is not None:
        values = {"seat": view["active"], "piece": view["hand"]}
        parts += [Text(), Text(say.say("table.hand", values, names), "bold")]
    if seat >= 0 and view["cards"][seat]:
        cards = Text(" ").join(Text(f" {card} ", _CARD) for card in view["cards"][seat])
        parts += drawing.part("table.cards", cards, say)

    rounds = 20 if len(names) == 2 else 10
    facts = [say.say("table.round", {"round": view["round"], "rounds": rounds})]
    if view["captain"] is not None:
        facts.append(say.say("table.captain", {"seat": view["captain"]}, names))
    if view["phase"] == "settle":
        status = Text(say.say("table.loading"))
    else:
        status = drawing.status(view, seat, names, say)
    return drawing.frame("Riff Raff", facts, parts, status)


def _seats(view: SeatView, seat: int, names: Sequence[str], say: Sayer) -> Table:
    """A line a seat: whose turn it is, name, visible card, pieces still to be loaded."""
    grid = drawing.seat_grid(say, ["table.card", "table.left"], "table.supply")
    for other, name in enumerate(names):
        is_due = drawing.is_to_act(view, other) or view["active"] == other
        mark, shown = drawing.seat_line(view, other, seat, Text(name), say, is_due)
        played = view["played"][other]
        card = view["last"][other] if played is None or view["phase"] == "card" else played
        sealed = "✓" if view["phase"] == "card" and played is not None else ""
        supply = view["supply"][other]
        grid.add_row(
            mark,
            shown,
            Text(f"{sealed} {card or '·'}".strip()),
            str(len(supply)),
            _pieces(supply),
            style="bold" if other == seat else "",
        )
    return grid


def _pieces(names: Sequence[str]) -> Text:
    """Pieces by symbol, equal ones counted."""
    if not names:
        return drawing.nothing()
    counts = Counter(names)
    return Text(" ").join(
        Text(f" {_SYMBOLS[name]} " if count == 1 else f" {_SYMBOLS[name]}×{count} ", _WOOD)
        for name, count in counts.items()
    )


def _ship(view: SeatView, say: Sayer) -> Table:
    """The yards from the top down, then the deck; each area with its number and its cargo."""
    grid = Table(box=box.SIMPLE, show_header=False, expand=True, padding=(0, 1))
    for _ in _DECK:
        grid.add_column(ratio=1)
    aboard = view["aboard"]
    for left, right in _YARDS:
        grid.add_row("", _area(left, aboard), _area(right, aboard), "", end_section=True)
    grid.add_row(*(_area(area, aboard) for area in _DECK), end_section=True)
    legend = [f"{_SYMBOLS[name]} {say.say(f'name.{name}')}" for name in _SYMBOLS]
    grid.caption = "  ".join(legend)
    return grid


def _area(area: int, aboard: Mapping[str, Sequence[str]]) -> Text:
    return Text.assemble((f"{area} ", "bold cyan"), _pieces(aboard[str(area)]))

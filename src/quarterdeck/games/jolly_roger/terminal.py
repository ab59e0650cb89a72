"""Jolly & Roger in the terminal: a view drawn with rich. It shows what the view says, no more.

A card is a chip with its own ink and ground, so that it reads alike on dark and light terminals;
a parrot is a card in brackets. Every colour and special card has a symbol too, for eyes and
terminals without colour.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from quarterdeck.contract.drawing import (
    LONGEST_NAME,
    Flow,
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

from .notation import SHIP_NAMES

_CHIPS = {
    "g": ("▲", "#ffffff on #1b7a3d"),
    "y": ("★", "#1a1a1a on #f0c030"),
    "b": ("◆", "#ffffff on #1d5fb4"),
    "r": ("♥", "#ffffff on #b3261e"),
    "kraken": ("§", "#ffffff on #6a3b96"),
    "skeleton": ("†", "#1a1a1a on #d9d4c7"),
    "tortuga": ("∩", "#1a1a1a on #5cc3ae"),
}
"""The symbol and the colours of each colour, by its letter, and of each special card."""


def label(action: str, say: Sayer) -> Text:
    """One action to choose from: its card as a chip, and what it does in words."""
    verb, *words = action.split(" ")
    if verb == "split":
        first, second = (_chips(cards.split(","), say) for cards in words[0].split("/"))
        return Text.assemble(first, "  /  ", second)
    if verb == "pick":
        return Text(say.say("action.pick", {"set": words[0]}))
    if verb in ("crew", "parrot"):
        told = say.say(f"action.{verb}", {"ship": words[1]})
    elif verb == "board":
        told = say.say("action.board", {"ship": _ship_of(words[0])})
    elif verb == "kraken" and words != ["none"]:
        told = say.say("action.kraken", {"ship": words[0]})
    elif verb in ("kraken", "tortuga"):
        told = say.say("action.tortuga" if verb == "tortuga" else "action.kraken-none")
    else:
        return Text(action)
    card = verb if verb in _CHIPS else words[0]
    return Text.assemble(_chip(card, say, in_full=True), " ", told)


def table(view: SeatView, seat: int, names: Sequence[str], say: Sayer) -> RenderableType:
    """The table as this seat sees it: gold, the four ships with both crews, and the cards to use.

    One's own crew lies below the ship's line, the other one above.
    """
    names = [shorten(name) for name in names]
    above_first = [1 - seat, seat] if seat >= 0 else [0, 1]
    parts: list[RenderableType] = [_seats(view, seat, names, say)]
    parts += [Text(), _ships(view, above_first, names, say)]
    if view["offer"]:
        parts += part("table.offer", Flow([_chip(card, say) for card in view["offer"]]), say)
    if any(view["sets"]):
        rows = [(str(place), cards) for place, cards in enumerate(view["sets"], 1)]
        parts += part("table.sets", _rows(rows, say), say)
    if any(view["hands"]):
        rows = [(names[other], view["hands"][other]) for other in above_first]
        parts += part("table.hands", _rows(rows, say), say)
    if view["removed"]:
        parts += part("table.removed", Flow([_chip(card, say) for card in view["removed"]]), say)

    facts = [say.say("table.turn", {"turn": view["turn"], "turns": view["turns"]})]
    if view["splitter"] is not None and view["phase"] != "over":
        facts.append(say.say("table.splitter", {"seat": view["splitter"]}, names))
    return frame("Jolly & Roger", facts, parts, status(view, seat, names, say))


# The parts -----------------------------------------------------------------------------------


def _seats(view: SeatView, seat: int, names: Sequence[str], say: Sayer) -> Table:
    """A line a seat: whose turn it is, name, gold with the ships held now, cards in the chest."""
    grid = seat_grid(say, ["table.gold"], rest="table.chest")
    for other, name in enumerate(names):
        chest = view["chests"][other]
        grid.add_row(
            *seat_line(view, other, seat, Text(name), say),
            str(view["scores"][other]),
            Flow([_chip(card, say) for card in chest]) if chest else nothing(),
            style="bold" if other == seat else "",
        )
    return grid


def _ships(view: SeatView, above_first: Sequence[int], names: Sequence[str], say: Sayer) -> Group:
    """Each ship between its two crews: who, how strong, the flag of a captain, the cards."""
    parts: list[RenderableType] = []
    has_parrots = False
    for ship, crews in view["crews"].items():
        symbol, style = _CHIPS[ship[0]]
        told = say.say("table.ship", {"ship": ship, "gold": view["worth"][ship]})
        title = Text(f" {symbol} {told} ", style)
        lines = []
        for seat in above_first:
            crew = crews[seat]
            has_parrots |= any(card.startswith("parrot:") for card in crew)
            flag = "⚑" if view["captains"][ship] == seat else ""
            cards = Flow([_crew_chip(card, say) for card in crew]) if crew else nothing()
            lines.append((flag, names[seat], str(view["strengths"][ship][seat]), cards))
        parts += [_crew_line(*lines[0]), title, _crew_line(*lines[1]), Text()]
    if has_parrots:
        return Group(*parts, Text(say.say("table.parrots"), "dim"))
    return Group(*parts[:-1])


def _crew_line(flag: str, name: str, strength: str, cards: RenderableType) -> Table:
    grid = Table.grid(padding=(0, 1, 0, 0), expand=True)
    grid.add_column(width=1)
    grid.add_column(width=LONGEST_NAME, no_wrap=True)
    grid.add_column(width=3, justify="right")
    grid.add_column(ratio=1)
    grid.add_row(flag, name, strength, cards, style="bold" if flag else "")
    return grid


def _rows(rows: Sequence[tuple[str, Sequence[str]]], say: Sayer) -> Table:
    """Cards in rows, each with its heading."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    for heading, cards in rows:
        shown = Flow([_chip(card, say) for card in cards]) if cards else nothing()
        grid.add_row(heading, shown)
    return grid


def _ship_of(card: str) -> str:
    return str(next(ship for ship in SHIP_NAMES if ship[0] == card[0]))


def _chips(cards: Sequence[str], say: Sayer) -> Text:
    return Text(" ").join(_chip(card, say) for card in cards)


def _chip(card: str, say: Sayer, in_full: bool = False) -> Text:
    """A card: its symbol and its number or name; in full, the name of the colour too."""
    is_special = card in _CHIPS
    symbol, style = _CHIPS[card if is_special else card[0]]
    words = say.say(f"name.{card}") if is_special else card[1:]
    if in_full and not is_special:
        words = say.say("table.card", {"card": card})
    return Text(f" {symbol} {words} ", style)


def _crew_chip(card: str, say: Sayer) -> Text:
    """A card in a crew; one that lies face down is in brackets and has no ground of its own."""
    name = card.removeprefix("parrot:")
    if name == card:
        return _chip(card, say)
    symbol = _CHIPS[name if name in _CHIPS else name[0]][0]
    words = say.say(f"name.{name}") if name in _CHIPS else name[1:]
    return Text(f"({symbol} {words})", "dim")

"""Skull King in the terminal: a view drawn with rich. It shows what the view says, no more.

A card is a chip with its own ink and ground, so that it reads alike on dark and light terminals.
Every suit and special card has a symbol too, for eyes and terminals without colour.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from quarterdeck.contract import drawing
from quarterdeck.contract.drawing import Flow, Sayer, SeatView, part, shorten

PAD_WIDTH = 7  # a seat's column on the score pad: bid and points

_CHIPS = {
    "y": ("★", "#1a1a1a on #f0c030"),
    "r": ("♥", "#ffffff on #b3261e"),
    "b": ("◆", "#ffffff on #1d5fb4"),
    "k": ("⚑", "#ffffff on #444444"),
    "escape": ("○", "#1a1a1a on #d9d4c7"),
    "pirate": ("●", "#ffffff on #7a4a12"),
    "mermaid": ("≈", "#1a1a1a on #5cc3ae"),
    "king": ("♛", "#ffffff on #6a3b96"),
    "mary": ("◐", "#ffffff on #a02c6d"),
}
"""The symbol and the colours of each suit, by its letter, and of each special card."""


def label(action: str, say: Sayer) -> Text:
    """One action to choose from: `play y5` as the card and its name, `bid 3` in words."""
    verb, _, rest = action.partition(" ")
    if verb == "play":
        return _chip(rest, say, in_full=True)
    if verb == "bid":
        return Text(say.say("action.bid", {"bid": rest}))
    return Text(action)


def table(view: SeatView, seat: int, names: Sequence[str], say: Sayer) -> RenderableType:
    """The table as this seat sees it: scores, the trick, the last trick, its own cards.

    The cards that may be played bear the numbers of their actions in `view["legal"]`, from 1 on.
    """
    names = [shorten(name) for name in names]
    parts: list[RenderableType] = [_seats(view, seat, names, say)]
    if view["phase"] == "over":
        parts += part("table.pad", _pad(view, names, say), say)
    elif view["phase"] == "play":
        parts += part("table.trick", _trick(view["trick"], view["leader"], names, say), say)
    if view["last"] is not None:
        last = view["last"]
        parts += part("table.last", _trick(last["cards"], last["leader"], names, say), say)
    if seat >= 0 and view["hands"][seat]:
        parts += part("table.cards", _hand(view, seat, say), say)

    facts = [say.say("table.hand", {"hand": view["hand"], "hands": len(view["pad"])})]
    if view["dealer"] is not None:
        facts.append(say.say("table.dealer", {"seat": view["dealer"]}, names))
    return drawing.frame("Skull King", facts, parts, drawing.status(view, seat, names, say))


# The parts -----------------------------------------------------------------------------------


def _seats(view: SeatView, seat: int, names: Sequence[str], say: Sayer) -> Table:
    """A line a seat: whose turn it is, name, bid, tricks, bonus, score."""
    keys = ("table.bid", "table.tricks", "table.bonus", "terminal.score")
    grid = drawing.seat_grid(say, keys)
    for other, name in enumerate(names):
        bid, bonus = view["bids"][other], view["bonus"][other]
        grid.add_row(
            *drawing.seat_line(view, other, seat, Text(name), say),
            "·" if bid is None else str(bid),
            str(view["tricks"][other]),
            f"+{bonus}" if bonus else "·",
            str(view["scores"][other]),
            style="bold" if other == seat else "",
        )
    return grid


def _trick(cards: Sequence[str], leader: int, names: Sequence[str], say: Sayer) -> Flow:
    """The seats from the leader on, each with its card below; a dot where none is played yet."""
    items = []
    for place in range(len(names)):
        name = names[(leader + place) % len(names)]
        if place < len(cards):
            items.append(Text.assemble(name, "\n", _chip(cards[place], say)))
        else:
            items.append(Text(f"{name}\n ·", "dim"))
    return Flow(items, gap=2)


def _hand(view: SeatView, seat: int, say: Sayer) -> Flow:
    """The seat's own cards; in its turn the playable ones are numbered and the others dim."""
    plays = [action.removeprefix("play ") for action in view["legal"]]
    is_choosing = view["phase"] == "play" and bool(plays)
    items = []
    for card in view["hands"][seat]:
        chip = _chip(card, say)
        # Scary Mary has a number for each of her guises
        numbers = [str(n) for n, play in enumerate(plays, 1) if play.partition(":")[0] == card]
        if not is_choosing:
            items.append(chip)
        elif numbers:
            items.append(Text.assemble(("/".join(numbers), "bold"), " ", chip))
        else:
            items.append(Text(chip.plain, "dim"))
    return Flow(items, gap=2)


def _pad(view: SeatView, names: Sequence[str], say: Sayer) -> Table:
    """The score pad: a line a hand, for each seat its bid and its points."""
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=0)
    grid.add_column("", justify="right", no_wrap=True)
    for name in names:
        header = Text(shorten(name, PAD_WIDTH))
        grid.add_column(header, justify="right", no_wrap=True, min_width=PAD_WIDTH)
    for hand, notes in enumerate(view["pad"], 1):
        if notes is not None:
            cells = [
                Text.assemble((f"{note['bid']}", "dim"), f" {note['points']:+4}") for note in notes
            ]
            grid.add_row(Text(str(hand), "dim"), *cells)
    return grid


def _chip(card: str, say: Sayer, in_full: bool = False) -> Text:
    """A card: its symbol and its rank or name; in full, the name of the suit too."""
    kind = card.partition(":")[0]
    is_special = kind in _CHIPS
    symbol, style = _CHIPS[kind if is_special else kind[0]]
    words = say.say("action.play", {"card": card}) if is_special or in_full else card[1:]
    return Text(f" {symbol} {words} ", style)

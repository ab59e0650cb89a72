"""What is told, offered and asked for: the nouns that travel between server, client and records."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from .errors import BadOption, excerpt

POSES = "poses"
"""Where things rest: attached to what nature does in a live world; a position may have it too."""


class Event(msgspec.Struct, frozen=True):
    """Something that happened, to be told: a key of the message catalogue and its values."""

    key: str
    values: dict[str, Any] = {}


class Shown(msgspec.Struct, frozen=True):
    """What everybody is told of a state: who is to act (seats, or nature), the scores as far as
    they are public, the winners once there are some, the keys of the position as a spectator sees
    it, and what follows from these."""

    to_act: list[int] | Literal["nature"]
    scores: list[int]
    winners: list[int]
    view: Any
    outlook: Any = None


class Own(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat is told besides: the keys in which its view differs from everybody's, what
    follows for this seat, and, where they differ too, who is to act, the scores and the winners."""

    seat: int
    view: Any
    outlook: Any = None
    to_act: list[int] | Literal["nature"] | msgspec.UnsetType = msgspec.UNSET
    scores: list[int] | msgspec.UnsetType = msgspec.UNSET
    winners: list[int] | msgspec.UnsetType = msgspec.UNSET


class Range(msgspec.Struct, frozen=True):
    """One blank of a template: a whole number within bounds, or one or several of some words."""

    name: str
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()
    many: bool = False


class Template(msgspec.Struct, frozen=True):
    """A composite action, too rich to be listed: its text with blanks, and what may fill them."""

    text: str
    blanks: tuple[Range, ...]


class Option(msgspec.Struct, frozen=True):
    """A choice made before the game: its key, every value it takes, and the one it has unsaid.

    One that is not for tables (`at_tables`) is for simulations only; at a table it has its default.
    One of timing (`is_timing`) is for the clock alone: the rules do not read it.
    """

    key: str
    values: tuple[int | str | bool, ...]
    default: int | str | bool
    at_tables: bool = True
    is_timing: bool = False

    def number(self, value: object) -> int:
        """The value as compiled code sees it: a number as itself, a word by its place."""
        for place, known in enumerate(self.values):
            if known == value and type(known) is type(value):
                return known if type(known) is int else place
        allowed = ", ".join(str(known) for known in self.values)
        raise BadOption(f"option {self.key!r} takes one of {allowed}, not {excerpt(value)}")


class Pool(msgspec.Struct, frozen=True, omit_defaults=True):
    """What chance draws from: every item as often as it is there, in the order the generator
    counts. It draws `count` items, or as many as the text names (0); of all items, or of those that
    earlier draws of the verb have `left`. Items that are `replaced` may come up again at once, as
    with dice."""

    items: tuple[str, ...]
    count: int = 0
    left: bool = False
    replaced: bool = False


class Draw(msgspec.Struct, frozen=True, omit_defaults=True):
    """How chance draws what one of its verbs names, so that anybody can repeat it who has the
    generator and knows no rules: from its pools, one after the other.

    In the text the items come in the order they are drawn, `between` them what divides them. Where
    there are several `groups`, such as hands, that divides those; order within a group counts only
    if the draw is `ordered`. After all items one of the `sides`, if there are any, is drawn for
    each, and added to its name.
    """

    pools: tuple[Pool, ...]
    between: str = ","
    groups: str = ""
    ordered: bool = False
    sides: tuple[str, ...] = ()


def draw_seat(players: int) -> Draw:
    """How one of the seats is drawn, such as who begins."""
    return Draw((Pool(tuple(str(seat) for seat in range(players)), count=1),))


class Due(msgspec.Struct, frozen=True):
    """What nature does of itself in an open node, and how long after it began to be due."""

    do: str
    after_ms: int

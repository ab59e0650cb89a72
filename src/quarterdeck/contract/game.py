"""A game: the modules of its folder, what each of them offers, and the few facts that name it.

The rules of a game are compiled functions over records. Every one of them takes the game's kit
first, so that no component is frozen into compiled code.

Nothing of a game leaves the machine for a seat except by two compiled functions, `see` and
`glimpse`. They write, field by field, what that seat may know of a state and of an action; legal
actions, positions, events and bots are all computed from what these two wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from .chance import Rng
from .errors import BadNotation, BadOption, MissingWorld, excerpt
from .reading import Invariant, is_whole
from .records import Array, Int64, Numbers
from .wire import Draw, Due, Event, Option, Template

NATURE = -1
"""The actor who is no seat: chance, the clock and the physics."""

SPECTATOR = -100
"""Somebody who only watches: sees what is public, may do nothing. No seat, and none of the small
negative numbers that games put in the place of one."""

AnyRecord: TypeAlias = Any
"""A record of whichever game is at hand, where it is handed on to that game's own functions. These
declare what it is; nobody else looks into it."""

Actor = int | Literal["nature"]

# What kind of node a state is. Exactly one of these.
OVER = 0  # nobody acts any more
CHANCE = 1  # nature acts: drawn by the game's own `sample`
LIVE = 2  # nature acts: a live world runs, takes one seat's hand, and ends in nature's action
SEAT = 3  # one seat decides
SEALED = 4  # several seats decide in secret; the last choice reveals them all
OPEN = 5  # any of several seats may act, in real time, until the clock or a rule ends it

NODE_NAMES = ("over", "chance", "live", "seat", "sealed", "open")

# Rule numbers. In compiled code a rule is a small integer: SK-5 is 5, SK-R4 is RULING + 4.
RULING = 100
COMPONENT = 200


def rule_name(prefix: str, number: int) -> str:
    """The name of a rule, from the number compiled code gives it.

    >>> rule_name("SK", 5), rule_name("SK", RULING + 4), rule_name("SK", COMPONENT + 1)
    ('SK-5', 'SK-R4', 'SK-C1')
    """
    if number >= COMPONENT:
        return f"{prefix}-C{number - COMPONENT}"
    if number >= RULING:
        return f"{prefix}-R{number - RULING}"
    return f"{prefix}-{number}"


class LiveWorld(Protocol):
    """A part of nature that runs in real time: one seat's hand goes in, nature's action comes out.

    The server drives it and knows nothing of what it simulates: `gesture` as messages arrive,
    `advance` as time passes, `frame` for everybody's eyes, until `advance` answers with nature's
    action and what is to be attached to it. Nothing here waits for anybody; one thread at a time
    uses a world, but for `think`, which works on copies and may take seconds.
    """

    seat: int
    epoch: int
    """Counts how often what `hello` says has changed."""

    @property
    def idle_ms(self) -> int:
        """For how long nothing can happen unless the hand does something; 0 while things move."""

    def hello(self) -> dict[str, Any]:
        """What somebody has to know before the first frame."""

    def gesture(self, message: Mapping[str, Any], at_ms: int) -> None:
        """The hand does something, seeing the world as it was at `at_ms` of its own time.

        Raises `BadGesture` for what no hand can do.
        """

    def advance(self, ms: int) -> tuple[str, dict[str, Any]] | None: ...

    def frame(self, whole: bool = False) -> bytes:
        """What has changed since the last frame, or all there is; empty if nothing has changed."""

    def run_out(self) -> None:
        """The seat's time is over: whatever it holds it lets go."""

    def think(self, level: str, rng: Rng, seconds: float | None = None) -> Any:
        """What a bot of this level does with the hand from here on, as a plan for `obey`.

        It thinks for so long at most; without a limit the same seed gives the same plan.
        """

    def obey(self, plan: Any) -> None:
        """From now on the hand follows a plan."""


# ---------------------------------------------------------------------------------------------
# A game: the modules of its folder, and the few facts that name it
# ---------------------------------------------------------------------------------------------
class Records(Protocol):
    """`state.py`: the records of the game, and the names of the numbers in them.

    `Memory` is what a seat was shown and no longer sees. Actions that can be listed are numbered
    from 0 to `ACTIONS` - 1.
    """

    Kit: Any
    State: Any
    Action: Any
    Memory: Any
    ACTIONS: int


class Rules(Protocol):
    """`rules.py`: compiled, pure, each rule once. `actor` is a seat or `NATURE`.

    A game may add `aside(kit, action) -> bool`: whether an action of a seat answers nothing, so
    that what was to be decided still is, by the same seats: showing one's coins. It depends on the
    action's number alone. Asides are public, the clock runs on through them, and no bot takes them
    up, at random or thinking.
    """

    def new(self, kit: AnyRecord, options: Array[Int64], state: AnyRecord) -> None: ...

    def node(self, kit: AnyRecord, state: AnyRecord) -> int: ...

    def seats(self, kit: AnyRecord, state: AnyRecord) -> int: ...

    def legal(self, kit: AnyRecord, state: AnyRecord, seat: int, numbers: Numbers) -> int: ...

    def decode(self, kit: AnyRecord, state: AnyRecord, number: int, action: AnyRecord) -> None: ...

    def number(self, kit: AnyRecord, state: AnyRecord, action: AnyRecord) -> int: ...

    def refuse(self, kit: AnyRecord, state: AnyRecord, actor: int, action: AnyRecord) -> int: ...

    def apply(self, kit: AnyRecord, state: AnyRecord, actor: int, action: AnyRecord) -> None: ...

    def sample(self, kit: AnyRecord, state: AnyRecord, rng: Rng, action: AnyRecord) -> None: ...

    def outcome(self, kit: AnyRecord, state: AnyRecord, scores: Array[Int64]) -> int: ...


class Notation(Protocol):
    """`notation.py`: actions as text, both ways; and the kit, from its data.

    `draws` tells, for a game with these options from its beginning, how chance draws what each of
    its verbs names, so that a browser can repeat it without knowing the rules. A verb that is not
    drawn from equal items is left out; then the rules alone can repeat it.
    """

    def load_kit(self, data: Mapping[str, Any]) -> AnyRecord: ...

    def parse(self, kit: AnyRecord, text: str) -> AnyRecord: ...

    def text(self, kit: AnyRecord, action: AnyRecord) -> str: ...

    def draws(self, kit: AnyRecord, options: Mapping[str, Any]) -> Mapping[str, Draw]: ...


class Positions(Protocol):
    """`positions.py`: positions as JSON, both ways. What cannot occur is refused.

    `Position` declares every key of a position with its type; `position` fills it from a state, or
    from what somebody sees of one. `INVARIANTS` tell, once, what holds in every state that can
    occur; `from_position` refuses by their rules whatever breaks one.
    """

    @property
    def INVARIANTS(self) -> Sequence[Invariant]: ...  # noqa: N802

    @property
    def Position(self) -> type[msgspec.Struct]: ...  # noqa: N802

    def position(self, kit: AnyRecord, state: AnyRecord) -> msgspec.Struct: ...

    def from_position(
        self, kit: AnyRecord, options: Mapping[str, Any], position: Mapping[str, Any]
    ) -> AnyRecord: ...


class View(Protocol):
    """`view.py`: what a seat may see, what it remembers, and what is told to it.

    What is told has two parts. Everybody is told the position as a spectator sees it, and the
    events. A seat is told `own` besides: those keys of the position in which its view may differ
    from everybody's, and no others. `Own` declares them.
    """

    @property
    def Own(self) -> type[msgspec.Struct]: ...  # noqa: N802

    def own(self, kit: AnyRecord, seen: AnyRecord, seat: int) -> msgspec.Struct: ...

    def see(self, kit: AnyRecord, state: AnyRecord, seat: int, seen: AnyRecord) -> None: ...

    def glimpse(
        self,
        kit: AnyRecord,
        state: AnyRecord,
        seat: int,
        actor: int,
        action: AnyRecord,
        seen: AnyRecord,
    ) -> None: ...

    def remember(
        self,
        kit: AnyRecord,
        memory: AnyRecord,
        seat: int,
        seen: AnyRecord,
        actor: int,
        action: AnyRecord,
    ) -> None: ...

    def events(
        self, kit: AnyRecord, before: AnyRecord, actor: int, action: AnyRecord, after: AnyRecord
    ) -> Sequence[Event]: ...


class Bot(Protocol):
    """`bot.py`: what a bot should know of this game. Compiled; sees only what its seat knows.

    `imagine` writes a whole state that fits the seat's knowledge, drawn at random. It is also the
    game's second statement of what is hidden, made independently of `see`: it invents whatever the
    rules hide from the seat, even where `seen` shows it. `check_game` holds the two against each
    other.

    `choose` is the rule of thumb; in an open node it may answer -1: nothing yet, look again later.
    These two are all a bot needs; a game may add, and leave out:

    - `fumble(kit, seen, memory, seat, rng) -> number`: what a beginner would do.
    - `reflex(kit, seen, memory, seat, skill, rng) -> number`: what a level that searches does at
      once (`skill`: 2, or 3 for the best); -1 to wait in an open node, -2 where it shall search.
    - `REACTION_MS`: for open nodes, by level the least and the most milliseconds from one look at
      the table to the next. A game with open nodes and a clock has it.
    - `hunch(kit, state, seat, rng) -> number`: a quick choice in an imagined world, with which the
      search plays out. Without it, or where it answers -1, any legal action is as good.
    - `shift(kit, seen, memory, seat, rng, state) -> bool`: changes an imagined world into another
      such that in the long run worlds come up as often as they are plausible. Without it, or where
      it answers False, each world is imagined anew.
    - `worth(kit, state, values) -> bool`: at a chance node, what the state is worth to every seat,
      in the unit the bot's estimates are told in; the search looks no further. Without it, or
      where it answers False, chance draws and play goes on to the end, worth its score. Asked at
      the end too, where it may write something else than the score. `AHEAD`: through how many
      draws the search plays on before it asks. `UNIT`: `"chance"` where it is the chance to win,
      from 0 to 1; else it is the score.
    """

    def imagine(
        self,
        kit: AnyRecord,
        seen: AnyRecord,
        memory: AnyRecord,
        seat: int,
        rng: Rng,
        state: AnyRecord,
    ) -> None: ...

    def choose(
        self, kit: AnyRecord, seen: AnyRecord, memory: AnyRecord, seat: int, rng: Rng
    ) -> int: ...


class Terminal(Protocol):
    """`terminal.py`: a view drawn with rich, for play without a browser."""

    def table(self, view: Mapping[str, Any], seat: int, names: Sequence[str], say: Any) -> Any: ...

    def label(self, action: str, say: Any) -> Any: ...


WorldOpener = Callable[[AnyRecord, AnyRecord, Mapping[str, Any]], LiveWorld]

_WORLDS: dict[str, WorldOpener] = {}


def register_world(game_id: str, opener: WorldOpener) -> None:
    """Says how the live worlds of a game are opened: from kit, state, and what is attached to it.

    The physics, which stands above the games, calls this when it is loaded.
    """
    _WORLDS[game_id] = opener


@dataclass(frozen=True, eq=False)
class Game:
    """One game: its name, its options, its kit and the modules of its folder.

    `composites` and `compose` belong to games with actions too rich to be listed: the templates a
    seat is offered, and a random one of them. `preview` tells what such an action would come to,
    allowed or not, from what the seat sees; None where there is nothing to tell. `resolve` is the
    action in full that another one leaves to the rules to find. `statistics` tells how well each
    seat has played so far, apart from its score: shares from 0 to 1 by seat, each under a name.

    `clock` belongs to games with open nodes: what nature does there of itself, and when.

    `has_world` and `live_seat` belong to games with live worlds, which the physics registers (see
    `register_world`): `live_seat` tells whose hand the world of a live node takes. `worldless` are
    the options with which such a game needs no world, because `sample` draws what comes of it; bots
    that search let it draw so in any case.

    `has_kits`: whoever owns the box may play with a kit of their own, transcribed from it.

    `outlook` adds to what everybody is told what follows from it, by the rules, and helps the eye:
    sums. `own_outlook` adds to what a seat is told what helps it to choose: what an action would
    come to; None where there is nothing to add. They are given what a spectator, or the seat, sees,
    and nothing else.
    """

    id: str
    name: str
    prefix: str
    options: tuple[Option, ...]
    folder: Path
    kit: AnyRecord
    records: Records
    rules: Rules
    notation: Notation
    positions: Positions
    view: View
    bot: Bot
    terminal: Terminal | None = None
    outlook: Callable[[AnyRecord, AnyRecord], msgspec.Struct] | None = None
    own_outlook: Callable[[AnyRecord, AnyRecord, int], msgspec.Struct | None] | None = None
    composites: Callable[[AnyRecord, AnyRecord, int], Sequence[Template]] | None = None
    compose: Callable[[AnyRecord, AnyRecord, AnyRecord, int, AnyRecord, AnyRecord], bool] | None = (
        None
    )
    preview: Callable[[AnyRecord, AnyRecord, int, AnyRecord], Mapping[str, Any] | None] | None = (
        None
    )
    resolve: Callable[[AnyRecord, AnyRecord, int, AnyRecord], AnyRecord] | None = None
    clock: Callable[[AnyRecord, AnyRecord, Mapping[str, Any]], Due | None] | None = None
    has_world: bool = False
    live_seat: Callable[[AnyRecord, AnyRecord], int] | None = None
    worldless: Mapping[str, Any] = field(default_factory=dict)
    statistics: Callable[[AnyRecord, AnyRecord], Mapping[str, Sequence[float]]] | None = None
    has_kits: bool = False

    def open_world(self, state: AnyRecord, attached: Mapping[str, Any]) -> LiveWorld:
        """The world of a live node: from the state, and what nature attached last."""
        try:
            opener = _WORLDS[self.id]
        except KeyError:
            raise MissingWorld(f"no physics is loaded for {self.name}") from None
        return opener(self.kit, state, attached)

    def fill_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every option with its value: the given one, or else the default.

        An unknown key or value raises `BadOption`.
        """
        if not isinstance(given, Mapping):
            raise BadOption(f"options have keys; this is {excerpt(given)}")
        known = {option.key: option for option in self.options}
        for key in given:
            if key not in known:
                raise BadOption(
                    f"{self.name} has no option {excerpt(key)}; it has {', '.join(known)}"
                )
        filled = {key: given.get(key, option.default) for key, option in known.items()}
        for key, value in filled.items():
            known[key].number(value)
        return filled

    def option_numbers(self, filled: Mapping[str, Any]) -> npt.NDArray[np.int64]:
        """The filled-in options as compiled code reads them, in the order of `options`."""
        return np.array([o.number(filled[o.key]) for o in self.options], np.int64)

    def rule(self, number: int) -> str:
        """The name of a rule of this game, from the number compiled code gives it. Raises
        `BadNotation` for what is none."""
        if not is_whole(number, 1, 2 * COMPONENT - 1):
            raise BadNotation(f"{excerpt(number)} is no rule's number")
        return rule_name(self.prefix, number)

"""The nouns and errors every layer shares. A leaf: it imports nothing of ours.

A game is five modules in one folder (see `docs/adding-a-game.md`), gathered in a `Game`. Its rules
are compiled functions over records: rows of numpy structured arrays, fields by attribute. Every one
of them takes the game's kit first, so that no component is frozen into compiled code.

Nothing of a game leaves the machine for a seat except by two compiled functions, `see` and
`glimpse`. They write, field by field, what that seat may know of a state and of an action; legal
actions, positions, events and bots are all computed from what these two wrote.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, TypeVar

import msgspec
import numba
import numpy as np
import numpy.typing as npt

Row = Any
"""One record of a structured array, fields by attribute; a numba record in compiled code."""

Numbers = npt.NDArray[np.int16]
"""A buffer that `legal` fills with action numbers."""

NATURE = -1
"""The actor who is no seat: chance, the clock and the physics."""

SPECTATOR = -1
"""The seat number of somebody who only watches: sees what is public, may do nothing."""

POSES = "poses"
"""Where things rest: attached to what nature does in a live world; a position may have it too."""

Actor = int | Literal["nature"]

# ---------------------------------------------------------------------------------------------
# What kind of node a state is. Exactly one of these.
# ---------------------------------------------------------------------------------------------
OVER = 0  # nobody acts any more
CHANCE = 1  # nature acts: drawn by the game's own `sample`
LIVE = 2  # nature acts: a live world runs, takes one seat's hand, and ends in nature's action
SEAT = 3  # one seat decides
SEALED = 4  # several seats decide in secret; the last choice reveals them all
OPEN = 5  # any of several seats may act, in real time, until the clock or a rule ends it

NODE_NAMES = ("over", "chance", "live", "seat", "sealed", "open")

# ---------------------------------------------------------------------------------------------
# Compiled code
# ---------------------------------------------------------------------------------------------
F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """The function, compiled when first called, cached on disk, run without the GIL.

    With `NUMBA_DISABLE_JIT=1` it stays ordinary Python, for a debugger.
    """
    result: Any = numba.njit(cache=True, nogil=True)(function)
    return result  # type: ignore[no-any-return]  # to callers it is the function it was


def inlined(function: F) -> F:
    """Compiled into its callers: for what every move goes through and few places call.

    A call costs little, but what is known at its place is forgotten beyond it. Where there are
    many callers, or a large function, the compiler takes minutes.
    """
    result: Any = numba.njit(cache=True, nogil=True, forceinline=True)(function)
    return result  # type: ignore[no-any-return]


def record(dtype: np.dtype[Any]) -> Row:
    """One zeroed record of a structured type.

    >>> record(Rng).s
    array([0, 0, 0, 0])
    """
    return records(dtype, 1)[0]


def records(dtype: np.dtype[Any], count: int) -> npt.NDArray[Any]:
    """So many zeroed records of a structured type, in Python and in compiled code alike."""
    # a buffer of zeros is made in a third of the time of `np.zeros`
    return np.frombuffer(bytearray(count * dtype.itemsize), _row_type(dtype))


@numba.extending.overload(records)
def _compiled_records(dtype, count):  # type: ignore[no-untyped-def] # numba compares signatures
    return lambda dtype, count: np.zeros(count, dtype)


def records_of(dtype: np.dtype[Any], data: bytes) -> npt.NDArray[Any]:
    """The records these bytes are, in an array of their own."""
    return np.frombuffer(bytearray(data), _row_type(dtype))


def record_of(dtype: np.dtype[Any], data: bytes) -> Row:
    """The record these bytes are, read-only."""
    return np.frombuffer(data, _row_type(dtype))[0]


def copy_record(row: Row) -> Row:
    """A copy that shares no memory with the original."""
    return boxed(row)[0]


def boxed(row: Row) -> npt.NDArray[Any]:
    """A copy of a record in an array of one.

    Compiled code takes such an array from Python ten times as fast as a record alone.
    """
    dtype = row.dtype if isinstance(row, _Row) else _row_type(row.dtype)
    return np.frombuffer(bytearray(row.tobytes()), dtype)


def reader(dtype: np.dtype[Any]) -> Callable[[Row], tuple[Any, ...]]:
    """A way to read all fields of a record at once, much faster than one after the other.

    A list comes as a tuple, a list of lists as one tuple of all.

    >>> Hand = np.dtype([("seat", "i1"), ("cards", "i1", (2, 2))])
    >>> reader(Hand)(record(Hand))
    (0, (0, 0, 0, 0))
    """
    letters, at = "<", 0
    places: list[int | slice] = []
    for name in dtype.names or ():
        kind = dtype[name]
        count = math.prod(kind.shape)
        letters += f"{count}{kind.base.char}"
        places.append(slice(at, at + count) if kind.shape else at)
        at += count
    unpack, pick = struct.Struct(letters).unpack, itemgetter(*places)
    return lambda row: pick(unpack(row.tobytes()))


class _Row(np.void):  # type: ignore[misc]  # numpy: "final", though its own record is one
    """A record whose fields go by their names, each a property of its type's own class.

    Numpy's own `record` does the same, but looks at every attribute in Python first.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _row_of_bytes, (np.dtype((np.void, self.dtype)), self.tobytes())


def _row_of_bytes(dtype: np.dtype[Any], data: bytes) -> Row:
    return np.frombuffer(bytearray(data), _row_type(dtype))[0]


@cache
def _row_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type with such records for its items."""
    fields = {name: property(itemgetter(name), _setter(name)) for name in dtype.names or ()}
    return np.dtype((type("Row", (_Row,), fields), dtype))


def _setter(name: str) -> Callable[[Any, Any], None]:
    def put(row: Any, value: Any) -> None:
        row[name] = value

    return put


@compiled
def copy_list(target: npt.NDArray[Any], source: npt.NDArray[Any]) -> None:
    """Copies a list of a record. (A loop compiles in a tenth of the time of `target[:] = `.)"""
    for i in range(len(source)):
        target[i] = source[i]


def action_dtype(args: int, kind: str = "i2") -> np.dtype[Any]:
    """The record of an action: a verb and up to `args` small integers."""
    return np.dtype([("verb", "i1"), ("args", kind, (args,))])


# ---------------------------------------------------------------------------------------------
# Chance: a generator that is a record (xoshiro128**). All arithmetic stays within 63 bits, so it
# runs alike compiled, interpreted, and with the 32-bit integers of a browser.
# ---------------------------------------------------------------------------------------------
Rng = np.dtype([("s", "i8", (4,))])

_WORD = 0xFFFFFFFF


@inlined
def next_word(rng: Row) -> int:
    """The next 32 random bits."""
    s = rng.s
    x = (s[1] * 5) & _WORD
    x = ((x << 7) & _WORD) | (x >> 25)
    x = (x * 9) & _WORD
    t = (s[1] << 9) & _WORD
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = ((s[3] << 11) & _WORD) | (s[3] >> 21)
    return x  # type: ignore[no-any-return]


@inlined
def below(rng: Row, n: int) -> int:
    """A number from 0 to n-1, each equally likely (multiply and reject: no modulo bias).

    `n` is below 2**31, so that products stay within 63 bits.
    """
    product = next_word(rng) * n
    if (product & _WORD) < n:
        threshold = (_WORD + 1 - n) % n
        while (product & _WORD) < threshold:
            product = next_word(rng) * n
    return product >> 32


@compiled
def draw(rng: Row, pool: npt.NDArray[np.int8], size: int, count: int) -> None:
    """Moves `count` of the pool's first `size` items, drawn without replacement, to its front."""
    for i in range(count):
        j = i + below(rng, size - i)
        taken = pool[j]
        pool[j] = pool[i]
        pool[i] = taken


@compiled
def stir(h: int, word: int) -> int:
    """A 32-bit hash with the low 32 bits of another number stirred in."""
    h ^= word & _WORD
    h ^= h >> 16
    h = (h * 0x21F0AAAD) & _WORD
    h ^= h >> 15
    h = (h * 0x735A2D97) & _WORD
    h ^= h >> 15
    return (h + 0x1E3779B9) & _WORD


@compiled
def seed_rng(rng: Row, seed: int, game: int, stream: int, draw_index: int) -> None:
    """Sets the generator for one draw of one simulated game; every argument counts in full."""
    h = 0x2545F491
    for i in range(4):
        h = stir(h, seed)
        h = stir(h, seed >> 32)
        h = stir(h, game)
        h = stir(h, stream)
        h = stir(h, draw_index)
        rng.s[i] = h
    if rng.s[0] == 0 and rng.s[1] == 0 and rng.s[2] == 0 and rng.s[3] == 0:
        rng.s[0] = 1


def rng_from_bytes(seed: bytes) -> Row:
    """The generator whose four words are the first sixteen bytes, little-endian."""
    rng = record(Rng)
    rng.s[:] = np.frombuffer(seed[:16], "<u4")
    if not rng.s.any():
        rng.s[0] = 1
    return rng


# ---------------------------------------------------------------------------------------------
# Rule numbers. In compiled code a rule is a small integer: SK-5 is 5, SK-R4 is RULING + 4.
# ---------------------------------------------------------------------------------------------
RULING = 100
COMPONENT = 200


def rule_name(prefix: str, number: int) -> str:
    """
    >>> rule_name("SK", 5), rule_name("SK", RULING + 4), rule_name("SK", COMPONENT + 1)
    ('SK-5', 'SK-R4', 'SK-C1')
    """
    if number >= COMPONENT:
        return f"{prefix}-C{number - COMPONENT}"
    if number >= RULING:
        return f"{prefix}-R{number - RULING}"
    return f"{prefix}-{number}"


# ---------------------------------------------------------------------------------------------
# Errors
# ---------------------------------------------------------------------------------------------
class QuarterdeckError(Exception):
    """What every error of ours is: a stable code, a sentence, and where there is one the rule."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, rule: str | None = None, at: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.rule = rule
        self.at = at

    def as_json(self) -> dict[str, Any]:
        """The error as it is printed and sent."""
        answer: dict[str, Any] = {"error": self.code}
        if self.at is not None:
            answer["at"] = self.at
        if self.rule is not None:
            answer["rule"] = self.rule
        answer["message"] = self.message
        return answer


class BadNotation(QuarterdeckError):
    """A text that is no action at all."""

    code = "bad-notation"


class IllegalAction(QuarterdeckError):
    """An action the rules refuse; `rule` says which."""

    code = "illegal-action"


class NotYourTurn(IllegalAction):
    """An action by somebody who is not to act now."""

    code = "not-your-turn"


class BadPosition(QuarterdeckError):
    """A position that cannot occur."""

    code = "bad-position"


class BadRecord(QuarterdeckError):
    """A record that cannot be read."""

    code = "bad-record"


class BadOption(QuarterdeckError):
    """An option the game does not have, or a value it does not take."""

    code = "bad-option"


class UnknownGame(QuarterdeckError):
    """A name that no game has."""

    code = "unknown-game"


class BadGesture(QuarterdeckError):
    """A gesture no hand can make in the world it was meant for."""

    code = "bad-gesture"


class BadProof(QuarterdeckError):
    """A draw that does not follow from the published secret."""

    code = "bad-proof"


# ---------------------------------------------------------------------------------------------
# What is told and offered
# ---------------------------------------------------------------------------------------------
class Event(msgspec.Struct, frozen=True):
    """Something that happened, to be told: a key of the message catalogue and its values."""

    key: str
    values: dict[str, Any] = {}


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
        raise BadOption(f"option {self.key!r} takes one of {allowed}, not {value!r}")


class Due(msgspec.Struct, frozen=True):
    """What nature does of itself in an open node, and how long after it began to be due."""

    do: str
    after_ms: int


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

    def think(self, level: str, rng: Row, seconds: float | None = None) -> Any:
        """What a bot of this level does with the hand from here on, as a plan for `obey`.

        It thinks for so long at most; without a limit the same seed gives the same plan.
        """

    def obey(self, plan: Any) -> None:
        """From now on the hand follows a plan."""


# ---------------------------------------------------------------------------------------------
# A game: the modules of its folder, and the few facts that name it
# ---------------------------------------------------------------------------------------------
class Rules(Protocol):
    """`rules.py`: compiled, pure, each rule once. `actor` is a seat or `NATURE`."""

    State: np.dtype[Any]
    Action: np.dtype[Any]
    Kit: np.dtype[Any]
    ACTIONS: int

    def new(self, kit: Row, options: npt.NDArray[np.int64], state: Row) -> None: ...

    def node(self, kit: Row, state: Row) -> int: ...

    def seats(self, kit: Row, state: Row) -> int: ...

    def legal(self, kit: Row, state: Row, seat: int, numbers: Numbers) -> int: ...

    def decode(self, kit: Row, state: Row, number: int, action: Row) -> None: ...

    def number(self, kit: Row, state: Row, action: Row) -> int: ...

    def refuse(self, kit: Row, state: Row, actor: int, action: Row) -> int: ...

    def apply(self, kit: Row, state: Row, actor: int, action: Row) -> None: ...

    def sample(self, kit: Row, state: Row, rng: Row, action: Row) -> None: ...

    def outcome(self, kit: Row, state: Row, scores: npt.NDArray[np.int64]) -> int: ...


class Notation(Protocol):
    """`notation.py`: actions and positions as text, both ways.

    `pool` names what chance draws from in a chance node, each item as often as it is there; all
    items are equally likely, and nature's action names those that were drawn. Where it draws from
    several pools in turn, these are told apart by a `/` between them. It is empty where a draw is
    not of this kind.
    """

    def load_kit(self, data: Mapping[str, Any]) -> Row: ...

    def parse(self, kit: Row, text: str) -> Row: ...

    def text(self, kit: Row, action: Row) -> str: ...

    def pool(self, kit: Row, state: Row) -> Sequence[str]: ...

    def position(self, kit: Row, state: Row) -> dict[str, Any]: ...

    def from_position(
        self, kit: Row, options: Mapping[str, Any], position: Mapping[str, Any]
    ) -> Row: ...


class View(Protocol):
    """`view.py`: what a seat may see, what it remembers, and what is told to it."""

    Memory: np.dtype[Any]

    def see(self, kit: Row, state: Row, seat: int, seen: Row) -> None: ...

    def glimpse(
        self, kit: Row, state: Row, seat: int, actor: int, action: Row, seen: Row
    ) -> None: ...

    def remember(
        self, kit: Row, memory: Row, seat: int, seen: Row, actor: int, action: Row
    ) -> None: ...

    def events(
        self, kit: Row, before: Row, actor: int, action: Row, after: Row
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
        self, kit: Row, seen: Row, memory: Row, seat: int, rng: Row, state: Row
    ) -> None: ...

    def choose(self, kit: Row, seen: Row, memory: Row, seat: int, rng: Row) -> int: ...


class Terminal(Protocol):
    """`terminal.py`: a view drawn with rich, for play without a browser."""

    def table(self, view: Mapping[str, Any], seat: int, names: Sequence[str], say: Any) -> Any: ...

    def label(self, action: str, say: Any) -> Any: ...


@dataclass(frozen=True, eq=False)
class Game:
    """One game: its name, its options, its kit and the modules of its folder.

    `composites` and `compose` belong to games with actions too rich to be listed: the templates a
    seat is offered, and a random one of them. `preview` tells what such an action would come to,
    allowed or not, from what the seat sees; None where there is nothing to tell. `resolve` is the
    action in full that another one leaves to the rules to find. `statistics` tells how well each
    seat has played so far, apart from its score: shares from 0 to 1 by seat, each under a name.

    `clock` belongs to games with open nodes: what nature does there of itself, and when.

    `open_world` and `live_seat` belong to games with live worlds: the world of a live node, from
    the state and what nature attached last, and the seat whose hand it takes. `worldless` are the
    options with which such a game needs no world, because `sample` draws what comes of it; bots
    that search let it draw so in any case.

    `has_kits`: whoever owns the box may play with a kit of their own, transcribed from it.

    `outlook` adds to a seat's view what follows from it, by the rules, and helps to choose: sums,
    what an action would come to. It is given what the seat sees and nothing else.
    """

    id: str
    name: str
    prefix: str
    options: tuple[Option, ...]
    folder: Path
    kit: Row
    rules: Rules
    notation: Notation
    view: View
    bot: Bot
    terminal: Terminal | None = None
    outlook: Callable[[Row, Row, int], Mapping[str, Any]] | None = None
    composites: Callable[[Row, Row, int], Sequence[Template]] | None = None
    compose: Callable[[Row, Row, Row, int, Row, Row], bool] | None = None
    preview: Callable[[Row, Row, int, Row], Mapping[str, Any] | None] | None = None
    resolve: Callable[[Row, Row, int, Row], Row] | None = None
    clock: Callable[[Row, Row, Mapping[str, Any]], Due | None] | None = None
    open_world: Callable[[Row, Row, Mapping[str, Any]], LiveWorld] | None = None
    live_seat: Callable[[Row, Row], int] | None = None
    worldless: Mapping[str, Any] = field(default_factory=dict)
    statistics: Callable[[Row, Row], Mapping[str, Sequence[float]]] | None = None
    has_kits: bool = False

    def fill_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every option with its value: the given one, or else the default.

        An unknown key or value raises `BadOption`.
        """
        known = {option.key: option for option in self.options}
        for key in given:
            if key not in known:
                raise BadOption(f"{self.name} has no option {key!r}; it has {', '.join(known)}")
        filled = {key: given.get(key, option.default) for key, option in known.items()}
        for key, value in filled.items():
            known[key].number(value)
        return filled

    def option_numbers(self, filled: Mapping[str, Any]) -> npt.NDArray[np.int64]:
        """The filled-in options as compiled code reads them, in the order of `options`."""
        return np.array([o.number(filled[o.key]) for o in self.options], np.int64)

    def rule(self, number: int) -> str:
        """The name of a rule of this game, from the number compiled code gives it."""
        return rule_name(self.prefix, number)

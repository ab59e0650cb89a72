"""Small tools for the tests of every game: texts and rule numbers instead of records.

A game's own helpers make one `Bench` of it, take from it what its tests ask for, and add what is
peculiar to the game:

    BENCH = Bench(find_game("skull-king"), State, Action)
    do, legal, refusal = BENCH.do, BENCH.legal, BENCH.refusal
"""

from __future__ import annotations

import copy
import io
import random
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from msgspec import to_builtins
from rich.console import Console, RenderableType

from quarterdeck import Match
from quarterdeck.contract import (
    CHANCE,
    NATURE,
    OVER,
    SPECTATOR,
    Game,
    Record,
    Rng,
    copy_record,
    is_compiled,
    record,
    records_of,
    seed_rng,
)
from quarterdeck.messages import Catalogue

INTERPRETED = not is_compiled()
"""Whether the rules run uncompiled; the large random tests then draw a smaller sample."""

R = TypeVar("R", bound=Record)
S = TypeVar("S", bound=Record)
A = TypeVar("A", bound=Record)
T = TypeVar("T")

Counts = tuple[int, int, int]
"""Ways, different positions, and the score of seat 0 summed over all ways."""


def used_record(kind: type[R]) -> R:
    """A record that held something else before."""
    return records_of(kind, b"\x55" * kind.dtype.itemsize)[0]


def seats_of(bits: int) -> list[int]:
    """The seats whose bits are set."""
    return [seat for seat in range(32) if int(bits) >> seat & 1]


class Bench(Generic[S, A]):
    """A game laid out for its tests, with the classes of its states and actions.

    `players` is said for a game whose states do not say it; `spare` is how many places behind its
    numbers the game's `legal` may scribble on.
    """

    def __init__(
        self,
        game: Game,
        state: type[S],
        action: type[A],
        players: int | None = None,
        spare: int = 0,
    ) -> None:
        self.game = game
        self.kit = game.kit
        self.State = state
        self.Action = action
        self._players = players
        self._spare = spare

    # States ----------------------------------------------------------------------------------

    def used_state(self) -> S:
        """A state that held something else before."""
        return used_record(self.State)

    def used_action(self) -> A:
        """An action that held something else before."""
        return used_record(self.Action)

    def new_game(self, **options: Any) -> S:
        """A game about to begin. Options unsaid have their default."""
        state = self.used_state()
        filled = self.game.fill_options(options)
        numbers: Any = self.game.option_numbers(filled)
        self.game.rules.new(self.kit, numbers, state)
        return state

    def state_of(self, options: Mapping[str, Any], position: Mapping[str, Any]) -> S:
        """The state a position describes. Options unsaid have their default."""
        filled = self.game.fill_options(options)
        state: S = self.game.positions.from_position(self.kit, filled, position)
        return state

    def position(self, state: S) -> dict[str, Any]:
        """The position keys of a state."""
        told: dict[str, Any] = to_builtins(self.game.positions.position(self.kit, state))
        return told

    def node(self, state: S) -> int:
        """What kind of node a state is."""
        return int(self.game.rules.node(self.kit, state))

    def to_act(self, state: S) -> list[int]:
        """The seats that may act now."""
        return seats_of(self.game.rules.seats(self.kit, state))

    def players(self, state: S) -> int:
        """How many play."""
        if self._players is not None:
            return self._players
        row: Any = state
        return int(row.players)

    def outcome(self, state: S) -> tuple[list[int], list[int]]:
        """The scores and the winning seats."""
        scores: Any = np.full(self.players(state), -7777, np.int64)
        bits = self.game.rules.outcome(self.kit, state, scores)
        return scores.tolist(), seats_of(bits)

    # What may be done in them ----------------------------------------------------------------

    def parse(self, text: str) -> A:
        """The action a text stands for."""
        action: A = self.game.notation.parse(self.kit, text)
        return action

    def text(self, action: A) -> str:
        """The one text of an action."""
        return self.game.notation.text(self.kit, action)

    def decode(self, state: S, number: int) -> A:
        """The action of a number."""
        action = self.used_action()
        self.game.rules.decode(self.kit, state, number, action)
        return action

    def numbers(self, state: S, seat: int) -> list[int]:
        """The numbers of what a seat may do, in the order in which they are offered."""
        numbers: Any = np.full(self.game.records.ACTIONS, -7, np.int16)
        count = self.game.rules.legal(self.kit, state, seat, numbers)
        assert (numbers[count + self._spare :] == -7).all()
        return [int(number) for number in numbers[:count]]

    def legal(self, state: S, seat: int) -> list[str]:
        """The texts of what a seat may do, in the order in which they are offered."""
        texts = []
        for number in self.numbers(state, seat):
            texts.append(self.text(self.decode(state, number)))
            assert self.number(state, texts[-1]) == number
        return texts

    def number(self, state: S, text: str) -> int:
        """The number of the action a text stands for; -1 if it has none."""
        return int(self.game.rules.number(self.kit, state, self.parse(text)))

    def refuse(self, state: S, actor: int, action: A) -> str | None:
        """The rule that forbids an action, None if it is allowed. Either way nothing changes."""
        before = state.tobytes()
        number = self.game.rules.refuse(self.kit, state, actor, action)
        assert state.tobytes() == before
        return self.game.rule(number) if number else None

    def refusal(self, state: S, actor: int, text: str) -> str | None:
        """The rule that forbids what a text says, None if it is allowed."""
        return self.refuse(state, actor, self.parse(text))

    def do(self, state: S, actor: int, text: str) -> S:
        """The state after an action that must be allowed; the state before stays as it was."""
        rule = self.refusal(state, actor, text)
        assert rule is None, f"{text!r} by {actor} is refused by {rule}"
        after = copy_record(state)
        self.game.rules.apply(self.kit, after, actor, self.parse(text))
        return after

    def do_all(self, state: S, *moves: tuple[int, str]) -> S:
        """The state after several actions, each by its actor."""
        for actor, text in moves:
            state = self.do(state, actor, text)
        return state

    # What is seen and told -------------------------------------------------------------------

    def see(self, state: S, seat: int) -> S:
        """What a seat may see of a state, as a state."""
        seen = self.used_state()
        self.game.view.see(self.kit, state, seat, seen)
        return seen

    def seen_by(self, state: S, seat: int) -> dict[str, Any]:
        """The position keys of what a seat may see."""
        return self.position(self.see(state, seat))

    def glimpse(self, state: S, seat: int, actor: int, text: str) -> str:
        """The text of what a seat may see of an action."""
        seen = self.used_action()
        self.game.view.glimpse(self.kit, state, seat, actor, self.parse(text), seen)
        return self.text(seen)

    def told(self, state: S, actor: int, text: str) -> list[tuple[str, dict[str, Any]]]:
        """What is told of an action to somebody who sees everything: keys and values."""
        after = self.do(state, actor, text)
        events = self.game.view.events(self.kit, state, actor, self.parse(text), after)
        return [(event.key, event.values) for event in events]

    def keys_told(self, state: S, actor: int, text: str) -> list[str]:
        """The keys of what is told of an action to somebody who sees everything."""
        return [key for key, _ in self.told(state, actor, text)]

    def outlook(self, state: S, seat: int) -> Mapping[str, Any]:
        """What the view of a seat adds to the position."""
        assert self.game.outlook is not None
        told: dict[str, Any] = to_builtins(self.game.outlook(self.kit, state))
        add = None if seat == SPECTATOR else self.game.own_outlook
        own = None if add is None else add(self.kit, state, seat)
        return told if own is None else told | to_builtins(own)

    # Whole games -----------------------------------------------------------------------------

    def drawn(self, state: S, rng: Rng) -> str:
        """What chance does, by a generator, as text."""
        action = self.used_action()
        self.game.rules.sample(self.kit, state, rng, action)
        text = self.text(action)
        assert self.parse(text).tobytes() == action.tobytes()
        return text

    def sampled(self, state: S, seed: int, draw: int = 0) -> str:
        """What chance does in one draw of a seed, as text."""
        rng = record(Rng)
        seed_rng(rng, seed, 0, 0, draw)
        return self.drawn(state, rng)

    def random_game(
        self,
        state: S,
        name: str,
        seed: int,
        pick: Callable[[S, random.Random], tuple[int, str] | None] | None = None,
    ) -> Iterator[tuple[S, int, str]]:
        """Plays a random game: each state with the actor and the text of what follows; the end too.

        A game is drawn anew for another name. `pick` may choose the actor and the text itself; with
        None it leaves them to chance. At the end the actor is nature and the text is empty.
        """
        rng = random.Random(f"{name} {seed}")
        draw = 0
        while self.node(state) != OVER:
            picked = pick(state, rng) if pick else None
            if picked is not None:
                actor, text = picked
            elif self.node(state) == CHANCE:
                actor, text = NATURE, self.sampled(state, seed, draw)
                draw += 1
            else:
                seats = self.to_act(state)
                actor = rng.choice(seats) if len(seats) > 1 else seats[0]
                text = rng.choice(self.legal(state, actor))
            yield state, actor, text
            state = self.do(state, actor, text)
        yield state, NATURE, ""

    # Counting --------------------------------------------------------------------------------

    def count(self, state: S) -> Counts:
        """What can follow from a state until chance draws or the game is over, by the rules."""

        def score(state: S) -> int | None:
            is_end = self.node(state) in (CHANCE, OVER)
            return self.outcome(state)[0][0] if is_end else None

        def following(state: S) -> Iterator[S]:
            for seat in self.to_act(state):
                for number in self.numbers(state, seat):
                    after = copy_record(state)
                    self.game.rules.apply(self.kit, after, seat, self.decode(state, number))
                    yield after

        return count_ways(state, lambda state: state.tobytes(), score, following)

    # In the terminal -------------------------------------------------------------------------

    def label(self, action: str, lang: str) -> str:
        """An action as the terminal offers it."""
        assert self.game.terminal is not None
        shown = self.game.terminal.label(action, Catalogue(lang, self.game.folder))
        return str(shown.plain)

    def table(
        self,
        options: Mapping[str, Any],
        position: Mapping[str, Any],
        seat: int,
        names: Sequence[str],
        lang: str = "en",
        width: int = 80,
    ) -> str:
        """The table of a position in the terminal, as text."""
        assert self.game.terminal is not None
        match = Match(self.game, options, position=position)
        view = match.view(seat) | {"legal": match.legal(seat) if seat >= 0 else []}
        say = Catalogue(lang, self.game.folder)
        return drawn_in(self.game.terminal.table(view, seat, names, say), width)


def drawn_in(content: RenderableType, width: int) -> str:
    """What rich draws in a terminal of this width, without colours."""
    file = io.StringIO()
    Console(file=file, width=width, color_system=None).print(content)
    return file.getvalue()


# Counting by hand and by a reference ---------------------------------------------------------


def count_ways(
    start: T,
    key: Callable[[T], Hashable],
    score: Callable[[T], int | None],
    following: Callable[[T], Iterable[T]],
) -> Counts:
    """All ways from a start to where there is a score; equal keys are looked at once."""
    known: dict[Hashable, tuple[int, int]] = {}

    def look(at: T) -> tuple[int, int]:
        place = key(at)
        if place not in known:
            worth = score(at)
            ways = [(1, worth)] if worth is not None else [look(after) for after in following(at)]
            known[place] = sum(count for count, _ in ways), sum(points for _, points in ways)
        return known[place]

    ways, points = look(start)
    return ways, len(known), points


def count_by_reference(table: T, score: Callable[[T], int | None]) -> Counts:
    """What can follow by a reference: a table with `legal`, `do` and `position` of its own."""

    def following(table: Any) -> Iterator[Any]:
        for seat, texts in table.legal().items():
            for text in sorted(texts):
                after = copy.deepcopy(table)
                after.do(seat, text)
                yield after

    def key(table: Any) -> str:
        return repr(table.position())

    return count_ways(table, key, score, following)

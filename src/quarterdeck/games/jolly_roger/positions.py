"""Jolly & Roger: positions as JSON, both ways. What cannot occur is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from msgspec import Struct, to_builtins

from quarterdeck.contract import (
    Array,
    BadPosition,
    Grid,
    Int8,
    Int64,
    Rows,
    boxed,
    compiled,
    reader,
    reading,
    record,
)

from . import rules
from .notation import (
    CARD_NAMES,
    CARDS,
    PHASE_NAMES,
    SHIP_NAMES,
    SHIPS,
    VARIANT_NAMES,
    Phase,
    Variant,
    crew_names,
    names,
)
from .state import (
    ENDED,
    KRAKEN,
    LARGEST_SET,
    LONGEST_CREW,
    NONE,
    OFFER,
    PARROT,
    PICKING,
    PIRATES,
    PLAYING,
    SPLITTING,
    TO_DEAL,
    TO_START,
    TORTUGA,
    Kit,
    State,
)

T = TypeVar("T")


class ByShip(Struct, Generic[T], frozen=True):
    """Something of each ship."""

    green: T
    yellow: T
    blue: T
    red: T


class Crews(ByShip[list[list[str]]], frozen=True):
    """The two crews at each ship, oldest card first; a card face down is `parrot:CARD`."""


class Strengths(ByShip[list[int]], frozen=True):
    """The strength of the two crews at each ship."""


class Captains(ByShip[int | None], frozen=True):
    """The seat whose captain stands at each ship."""


class Position(Struct, frozen=True):
    """The keys of a position. `strengths` and `captains` follow from `crews`, for readers."""

    phase: Phase
    variant: Variant
    turn: int
    splitter: int | None
    offer: list[str]
    sets: list[list[str]]
    hands: list[list[str]]
    crews: Crews
    strengths: Strengths
    captains: Captains
    chests: list[list[str]]
    removed: list[str]


def position(kit: Kit, state: State) -> Position:
    """The position keys of a state: all of it, for all lies open (JR-R2)."""
    variant, phase, turn, splitter, offer, sets, hands, crews, chests, removed = _fields(state)
    sizes, strengths, captains, _ = standing(state)
    return Position(
        PHASE_NAMES[phase],
        VARIANT_NAMES[variant],
        turn,
        None if splitter == NONE else splitter,
        names(offer),
        [names(sets[:LARGEST_SET]), names(sets[LARGEST_SET:])],
        [names(hands[:LARGEST_SET]), names(hands[LARGEST_SET:])],
        Crews(*(_both_crews(crews, ship, sizes[ship]) for ship in range(SHIP_COUNT))),
        Strengths(*strengths),
        Captains(*captains),
        [_repeated(chests[:PIRATES]), _repeated(chests[PIRATES:])],
        _repeated(removed),
    )


_fields = reader(State)


def _both_crews(crews: Sequence[int], ship: int, sizes: Sequence[int]) -> list[list[str]]:
    at = 2 * LONGEST_CREW * ship
    there = at + LONGEST_CREW
    return [crew_names(crews[at : at + sizes[0]]), crew_names(crews[there : there + sizes[1]])]


def _repeated(counts: Sequence[int]) -> list[str]:
    if not any(counts):
        return []
    return [CARD_NAMES[card] for card, count in enumerate(counts) if count for _ in range(count)]


class Standing(NamedTuple):
    """Of each ship the sizes and strengths of its two crews and the seat of its captain; and the
    gold in the two chests."""

    sizes: list[list[int]]
    strengths: list[list[int]]
    captains: list[int | None]
    treasure: list[int]


def standing(state: State) -> Standing:
    """How things stand between the two (JR-11, JR-13)."""
    table: Any = np.empty((SHIP_COUNT + 1, STANDING), np.int64)
    write_standing(boxed(state), table)
    *ships, (first, second, *_) = table.tolist()
    return Standing(
        [row[:2] for row in ships],
        [row[2:4] for row in ships],
        [None if row[4] == NONE else row[4] for row in ships],
        [first, second],
    )


SHIP_COUNT = len(SHIP_NAMES)
STANDING = 5
"""How many numbers tell how a ship stands."""


@compiled
def write_standing(states: Rows[State], table: Grid[Int64]) -> None:
    """Writes a row for each ship, and a last one that begins with the gold in the two chests."""
    state = states[0]
    for ship in range(SHIP_COUNT):
        write_ship(state, ship, table[ship])
    for seat in range(2):
        table[SHIP_COUNT][seat] = rules.gold_in_chest(state, seat)


@compiled
def write_ship(state: State, ship: int, row: Array[Int64]) -> None:
    """Writes of a ship the sizes and the strengths of both crews, and its captain."""
    for seat in range(2):
        row[seat] = rules.crew_size(state.crews[ship][seat])
        row[2 + seat] = rules.strength(state, ship, seat)
    row[4] = rules.captain(state, ship)


def from_position(kit: Kit, options: Mapping[str, Any], position: Mapping[str, Any]) -> State:
    """The state a position describes.

    What it leaves out is empty; `turn` is the first in which so many cards can have been turned up,
    and `phase` the one that the other keys imply. Cards, counts and whose turn it is are checked;
    cards may be missing, as if they had not been turned up. Raises `BadPosition`.
    """
    return _Reader(kit, options, position).state()


class _Reader:
    """One position on its way to a state, checked key by key."""

    def __init__(self, kit: Kit, options: Mapping[str, Any], position: Mapping[str, Any]) -> None:
        self.kit = kit
        self.variant: str = options["variant"]
        self.position = position
        self.seen: Counter[int] = Counter()  # every card that is named

    def state(self) -> State:
        """The state; raises `BadPosition` if there is none."""
        reading.check_keys(self.position, Position.__struct_fields__, "Jolly & Roger")
        reading.check_option(self.position, "variant", self.variant)

        state = record(State)
        rules.new(self.kit, np.array([2, VARIANT_NAMES.index(self.variant)], np.int64), state)
        self._read_list("offer", self.position.get("offer", []), state.offer)
        for key, lists in (("sets", state.sets), ("hands", state.hands)):
            for side, cards in enumerate(self._pair(key)):
                self._read_list(key, cards, lists[side])
        for seat, chest in enumerate(self._pair("chests")):
            for card in self._cards("chests", chest):
                if card >= PIRATES:
                    raise BadPosition(f"{CARD_NAMES[card]!r} brings no gold", rule="JR-13")
                state.chests[seat][card] += 1
        for card in self._cards("removed", self.position.get("removed", [])):
            state.removed[card] += 1
        self._read_crews(state)
        state.phase = self._phase(state)
        self._check_table(state)
        self._read_turn(state)
        return state

    # one key each ----------------------------------------------------------------------------

    def _pair(self, key: str) -> list[Any]:
        value = self.position.get(key, [[], []])
        return reading.listed(key, value, 2, "is a list of two lists")

    def _cards(self, key: str, value: object) -> list[int]:
        cards = []
        for name in reading.listed(key, value, wanted="has lists of cards"):
            cards.append(reading.named(key, name, CARDS, "card"))
            self._count(cards[-1])
        return cards

    def _count(self, card: int) -> None:
        """Notes that a card is named once more."""
        if self.variant == "intro" and card >= PIRATES:
            raise BadPosition("the introductory game has no special cards", rule="JR-1")
        self.seen[card] += 1
        if self.seen[card] > self.kit.copies[card]:
            rule = "JR-C1" if card < PIRATES else "JR-C2"
            raise BadPosition(f"there are not so many {CARD_NAMES[card]} cards", rule=rule)

    def _read_list(self, key: str, value: object, target: Array[Int8]) -> None:
        cards = sorted(self._cards(key, value))
        if len(cards) > len(target):
            raise BadPosition(
                f"{key!r} has at most {len(target)} cards, not {len(cards)}", rule="JR-5"
            )
        target[: len(cards)] = cards

    def _read_crews(self, state: State) -> None:
        crews = reading.keyed("crews", self.position.get("crews", {}), SHIPS, "goes by ships")
        for name, both in crews.items():
            if not isinstance(both, list) or len(both) != 2:
                raise BadPosition(f"the crews at {name!r} are two lists, not {both!r}")
            for seat, crew in enumerate(both):
                if not isinstance(crew, list):
                    raise BadPosition(f"a crew at {name!r} is a list of cards, not {crew!r}")
                for place, word in enumerate(crew):
                    card = self._crew_card(word)
                    if place == LONGEST_CREW:
                        raise BadPosition(f"nobody gets so many cards as at {name!r}", rule="JR-5")
                    state.crews[SHIPS[name]][seat][place] = card
        found = standing(state)
        for key, there in (
            ("strengths", Strengths(*found.strengths)),
            ("captains", Captains(*found.captains)),
        ):
            value = to_builtins(there)
            if self.position.get(key, value) != value:
                raise BadPosition(f"by the crews {key!r} is {value!r}", rule="JR-11")

    def _crew_card(self, word: object) -> int:
        if isinstance(word, str):
            name = word.removeprefix("parrot:")
            if name in CARDS:
                card, is_parrot = CARDS[name], name != word
                if card in (KRAKEN, TORTUGA) and not is_parrot:
                    raise BadPosition(f"{name!r} joins a crew only as a parrot", rule="JR-10")
                self._count(card)
                return card + PARROT if is_parrot else card
        raise BadPosition(f"{word!r} in 'crews' is no card")

    # how they fit together -------------------------------------------------------------------

    def _phase(self, state: State) -> int:
        if "phase" in self.position:
            return reading.one_of("phase", self.position["phase"], PHASE_NAMES)
        if state.offer[0] != NONE:
            return SPLITTING
        if state.sets[0][0] != NONE or state.sets[1][0] != NONE:
            return PICKING
        if state.hands[0][0] != NONE or state.hands[1][0] != NONE:
            return PLAYING
        return TO_START if self.position.get("splitter") is None else TO_DEAL

    def _check_table(self, state: State) -> None:
        """What lies there fits the phase, and there is a splitter from the start on."""
        state.splitter = reading.seat(self.position, "splitter", 2, nobody=NONE)
        if (state.splitter == NONE) != (state.phase == TO_START):
            raise BadPosition("chance names the first splitter once, at the start", rule="JR-4")

        due = {SPLITTING: "offer", PICKING: "sets", PLAYING: "hands"}.get(int(state.phase))
        lying = {"offer": _count(state.offer)}
        lying |= {"sets": _count(*state.sets), "hands": _count(*state.hands)}
        for key, count in lying.items():
            if key != due and count:
                raise BadPosition(
                    f"in phase {PHASE_NAMES[state.phase]!r} {key!r} is empty", rule="JR-5"
                )
            if key == due and key != "hands" and count != OFFER:
                raise BadPosition(f"{key!r} has five cards, not {count}", rule="JR-5")
            if count > OFFER:
                raise BadPosition(f"{key!r} has at most five cards, not {count}", rule="JR-5")
        if due == "sets" and NONE in (state.sets[0][0], state.sets[1][0]):
            raise BadPosition("each set has one to four cards", rule="JR-5")
        if due == "hands" and state.hands[state.splitter][0] == NONE:
            raise BadPosition("the splitter plays last", rule="JR-7")

    def _read_turn(self, state: State) -> None:
        """JR-5, JR-19: five cards a turn have been turned up, and nobody got more than four."""
        last = rules.turns(state)
        is_before_deal = state.phase in (TO_START, TO_DEAL)
        most = max(self._cards_of(state, seat) for seat in range(2))
        needed = max(-(-self.seen.total() // OFFER), -(-most // LARGEST_SET), 1 - is_before_deal)
        if state.phase == ENDED:
            needed = max(needed, last)
        first = needed + is_before_deal
        turn = first
        if "turn" in self.position:
            turn = reading.whole("turn", self.position["turn"], 1, last)
        if turn > last:
            raise BadPosition(f"there are only {last} turns", rule="JR-19")
        if turn < first:
            rule = "JR-19" if state.phase == ENDED else "JR-5"
            raise BadPosition(f"it is turn {first} at least, not turn {turn}", rule=rule)
        if state.phase == TO_START and turn != 1:
            raise BadPosition("the first splitter is named before turn 1", rule="JR-4")
        state.turn = turn

    def _cards_of(self, state: State, seat: int) -> int:
        """How many cards a seat got and still has on the table."""
        crews = [both[seat] for both in state.crews]
        return _count(*crews, state.hands[seat]) + int(state.chests[seat].sum())


def _count(*lists: Array[Int8]) -> int:
    """How many cards lie in some lists of a record."""
    return sum(card != NONE for cards in lists for card in cards)

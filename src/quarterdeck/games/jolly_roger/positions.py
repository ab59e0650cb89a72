"""Jolly & Roger: positions as JSON, both ways. What cannot occur is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from msgspec import Struct, to_builtins

from quarterdeck.contract import (
    Array,
    BadPosition,
    Grid,
    Int8,
    Int64,
    Invariant,
    Rows,
    boxed,
    check_invariants,
    compiled,
    excerpt,
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
    CARD_KINDS,
    ENDED,
    INTRO,
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
    VALUES,
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
    and `phase` the one that the other keys imply. Cards may be missing, as if they had not been
    turned up. Raises `BadPosition` for what cannot occur: see `INVARIANTS`.
    """
    state = _Reader(kit, options, position).state()
    check_invariants(INVARIANTS, kit, state)
    return state


class _Reader:
    """One position on its way to a state, read key by key."""

    def __init__(self, kit: Kit, options: Mapping[str, Any], position: Mapping[str, Any]) -> None:
        self.kit = kit
        self.variant: str = options["variant"]
        self.position = position

    def state(self) -> State:
        """The state; raises `BadPosition` for what is none of any kind."""
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
        state.splitter = reading.seat(self.position, "splitter", 2, nobody=NONE)
        self._read_turn(state)
        return state

    # one key each ----------------------------------------------------------------------------

    def _pair(self, key: str) -> list[Any]:
        value = self.position.get(key, [[], []])
        return reading.listed(key, value, 2, "is a list of two lists")

    def _cards(self, key: str, value: object) -> list[int]:
        names = reading.listed(key, value, wanted="has lists of cards")
        self._check_length(key, names)
        return [reading.named(key, name, CARDS, "card") for name in names]

    def _check_length(self, key: str, names: Sequence[object]) -> None:
        """No list is longer than the pack, whatever is in it."""
        pack = int(self.kit.copies.sum())
        if len(names) > pack:
            raise BadPosition(f"there are {pack} cards, not {len(names)} in {key!r}", rule="JR-C1")

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
                raise BadPosition(f"the crews at {name!r} are two lists, not {excerpt(both)}")
            for seat, crew in enumerate(both):
                if not isinstance(crew, list):
                    said = f"a crew at {name!r} is a list of cards, not {excerpt(crew)}"
                    raise BadPosition(said)
                self._check_length(name, crew)
                if len(crew) > LONGEST_CREW:
                    raise BadPosition(f"nobody gets so many cards as at {name!r}", rule="JR-5")
                cards = [self._crew_card(word) for word in crew]
                state.crews[SHIPS[name]][seat][: len(cards)] = cards
        found = standing(state)
        for key, there in (
            ("strengths", Strengths(*found.strengths)),
            ("captains", Captains(*found.captains)),
        ):
            value = to_builtins(there)
            if not reading.is_same(self.position.get(key, value), value):
                raise BadPosition(f"by the crews {key!r} is {excerpt(value)}", rule="JR-11")

    def _crew_card(self, word: object) -> int:
        if isinstance(word, str):
            name = word.removeprefix("parrot:")
            if name in CARDS:
                card, is_parrot = CARDS[name], name != word
                if card in (KRAKEN, TORTUGA) and not is_parrot:
                    raise BadPosition(f"{name!r} joins a crew only as a parrot", rule="JR-10")
                return card + PARROT if is_parrot else card
        raise BadPosition(f"{excerpt(word)} in 'crews' is no card")

    # what follows from the rest --------------------------------------------------------------

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

    def _read_turn(self, state: State) -> None:
        """The turn, or else the first in which so many cards can have been turned up."""
        last = rules.turns(state)
        if "turn" in self.position:
            state.turn = reading.whole("turn", self.position["turn"], 1, last)
        elif state.phase == ENDED:
            state.turn = last
        elif state.splitter != NONE:
            state.turn = min(_first_turn(state), last)


# What can occur ------------------------------------------------------------------------------
# Each answers what is wrong with a state, or None, and may rely on those before it in the table.


def _breach_of_variant(kit: Kit, state: State) -> str | None:
    if state.variant == INTRO and _named(state)[PIRATES:].any():
        return "the introductory game has no special cards"
    return None


def _breach_of_pirates(kit: Kit, state: State) -> str | None:
    return _too_many(kit, state, range(PIRATES))


def _breach_of_specials(kit: Kit, state: State) -> str | None:
    return _too_many(kit, state, range(PIRATES, CARD_KINDS))


def _too_many(kit: Kit, state: State, kinds: range) -> str | None:
    named = _named(state)
    for card in kinds:
        if named[card] > kit.copies[card]:
            return f"there are not so many {CARD_NAMES[card]} cards"
    return None


def _breach_of_start(kit: Kit, state: State) -> str | None:
    if (state.splitter == NONE) != (state.phase == TO_START):
        return "chance names the first splitter once, at the start"
    if state.phase == TO_START and state.turn != 1:
        return "the first splitter is named before turn 1"
    return None


def _breach_of_phase(kit: Kit, state: State) -> str | None:
    due = {SPLITTING: "offer", PICKING: "sets", PLAYING: "hands"}.get(int(state.phase))
    lying = {"offer": _count(state.offer)}
    lying |= {"sets": _count(*state.sets), "hands": _count(*state.hands)}
    for key, count in lying.items():
        if key != due and count:
            return f"in phase {PHASE_NAMES[state.phase]!r} {key!r} is empty"
        if key == due and key != "hands" and count != OFFER:
            return f"{key!r} has five cards, not {count}"
        if count > OFFER:
            return f"{key!r} has at most five cards, not {count}"
    if due == "sets" and NONE in (state.sets[0][0], state.sets[1][0]):
        return "each set has one to four cards"
    return None


def _breach_of_order(kit: Kit, state: State) -> str | None:
    if state.phase == PLAYING and state.hands[state.splitter][0] == NONE:
        return "the splitter plays last"
    return None


def _breach_of_end(kit: Kit, state: State) -> str | None:
    last = rules.turns(state)
    if state.phase == ENDED and state.turn != last:
        return f"the game is over after turn {last}, not in turn {state.turn}"
    return None


def _breach_of_pile(kit: Kit, state: State) -> str | None:
    last = rules.turns(state)
    return f"there are only {last} turns for so many cards" if _first_turn(state) > last else None


def _breach_of_turn(kit: Kit, state: State) -> str | None:
    first = _first_turn(state)
    return f"it is turn {first} at least, not turn {state.turn}" if state.turn < first else None


def _breach_of_removal(kit: Kit, state: State) -> str | None:
    """A Kraken takes one card with it; only a Tortuga leaves the game like it, by itself."""
    krakens = int(state.removed[KRAKEN])
    others = int(state.removed.sum()) - krakens - int(state.removed[TORTUGA])
    if others > krakens:
        return f"{krakens} krakens cannot have removed {others} cards"
    return None


def _breach_of_tortuga(kit: Kit, state: State) -> str | None:
    strangers = [seat for seat in range(2) if _has_strangers(state, seat)]
    if len(strangers) > state.removed[TORTUGA]:
        said = "a pirate lies face up at a ship of another colour"
        return f"{said}, and seat {strangers[-1]} cannot have played a tortuga"
    for ship in range(len(SHIP_NAMES)):
        for seat in range(2):
            parrots = False
            for card in _cards_in(state.crews[ship][seat]):
                if parrots and _is_stranger(card, ship):
                    return f"the tortuga turned all parrots at {SHIP_NAMES[ship]!r}"
                parrots |= PARROT <= card < PARROT + PIRATES
    return None


def _breach_of_first_boarding(kit: Kit, state: State) -> str | None:
    """In the first turn the picker has played when the splitter boards, and takes nothing back."""
    is_first = state.turn == 1 and state.phase == PLAYING
    is_just_over = state.turn == 2 and state.phase in (TO_DEAL, SPLITTING, PICKING)
    if not is_first and not is_just_over:
        return None
    if _named(state).sum() < _bounds(state, int(state.turn))[0]:
        return None
    splitter = int(state.splitter) if is_first else 1 - int(state.splitter)
    for ship, name in enumerate(SHIP_NAMES):
        if _has_boarded(state, ship, splitter) and rules.captain(state, ship) != splitter:
            return f"seat {splitter} had no captain at {name!r} in the first turn"
    return None


def _breach_of_account(kit: Kit, state: State) -> str | None:
    brought, _ = _bounds(state, int(state.turn))
    if _named(state).sum() == brought and not _can_be_accounted_for(state):
        return f"nobody can have come by these cards in {state.turn} turns"
    return None


INVARIANTS: tuple[Invariant, ...] = (
    Invariant("JR-1", "the introductory game has no special cards", _breach_of_variant),
    Invariant("JR-C1", "no pirate is there more often than in the box", _breach_of_pirates),
    Invariant("JR-C2", "no special card either", _breach_of_specials),
    Invariant("JR-4", "chance names the first splitter, before turn 1", _breach_of_start),
    Invariant("JR-5", "offer, sets and hands lie there in their phases", _breach_of_phase),
    Invariant("JR-7", "the splitter plays last", _breach_of_order),
    Invariant("JR-19", "the game is over after its last turn", _breach_of_end),
    Invariant("JR-19", "no more cards lie there than all turns bring", _breach_of_pile),
    Invariant("JR-5", "a turn brings five cards, at most four for one seat", _breach_of_turn),
    Invariant("JR-15", "a card is removed by a Kraken, which goes with it", _breach_of_removal),
    Invariant("JR-17", "a pirate at another colour's ship was a parrot", _breach_of_tortuga),
    Invariant("JR-13", "who boarded had a captain there", _breach_of_first_boarding),
    Invariant("JR-13", "who boarded had a crew there, and all came by turns", _breach_of_account),
)
"""What holds in every state that can occur. A position may leave cards out, as if they had not been
turned up; then nothing is concluded from how the others came to lie where they are, except that a
Kraken or a Tortuga that did something is named.
"""


def _first_turn(state: State) -> int:
    """The first turn in which so many cards can lie there; one too many if there is none."""
    held = [_cards_of(state, seat) for seat in range(2)]
    named = int(_named(state).sum())
    for turn in range(1, rules.turns(state) + 1):
        brought, most = _bounds(state, turn)
        if named <= brought and any(
            held[0] <= first and held[1] <= second for first, second in most
        ):
            return turn
    return rules.turns(state) + 1


def _can_be_accounted_for(state: State) -> bool:
    """Whether it can be told, where no card is missing, which seat got those out of the game.

    Krakens and Tortugas among these were played by somebody, or were parrots that a Kraken took;
    what a Kraken took was the other seat's. Each seat got one to four cards a turn. Who has a
    pirate in the chest still has a card in the crew of its colour, unless that was taken.
    """
    crewless = [_boarded_without_crew(state, seat) for seat in range(2)]
    strangers = [_has_strangers(state, seat) for seat in range(2)]
    held = [_cards_of(state, seat) for seat in range(2)]
    _, most = _bounds(state, int(state.turn))
    least = _least(state)
    for taking in _takings(state):
        got = [held[seat] + sum(each[seat] for each in taking) for seat in range(2)]
        if all(
            taking.tortugas[seat] >= strangers[seat]
            and taking.victims[seat] >= crewless[seat]
            and got[seat] >= least[seat]
            for seat in range(2)
        ) and any(got[0] <= first and got[1] <= second for first, second in most):
            return True
    return False


class _Taking(NamedTuple):
    """Who played how many Krakens and Tortugas, and how many cards each seat lost to Krakens."""

    krakens: tuple[int, int]
    tortugas: tuple[int, int]
    victims: tuple[int, int]


def _takings(state: State) -> Iterator[_Taking]:
    """Every way in which what is removed can have left the game."""
    krakens, tortugas = int(state.removed[KRAKEN]), int(state.removed[TORTUGA])
    others = int(state.removed.sum()) - krakens - tortugas
    for played, turned in product(range(krakens, -1, -1), range(tortugas, -1, -1)):
        victims = others + (krakens - played) + (tortugas - turned)
        for first, hers in product(range(played + 1), range(turned + 1)):
            for lost in range(victims + 1):
                taking = _Taking(
                    (first, played - first), (hers, turned - hers), (lost, victims - lost)
                )
                # in turn 1 the splitter has nothing yet when the picker plays
                fits = taking.victims[0] <= played - first and taking.victims[1] <= first
                if fits and (state.turn > 1 or not taking.victims[state.splitter]):
                    yield taking


def _bounds(state: State, turn: int) -> tuple[int, list[tuple[int, int]]]:
    """How many cards were turned up until this phase of a turn, and the most that each seat can
    have got of them: for every size that this turn's sets can have."""
    before = turn if state.phase == ENDED else turn - 1
    all_four = (LARGEST_SET * before, LARGEST_SET * before)
    if state.phase in (SPLITTING, PICKING):
        return OFFER * turn, [all_four]
    if state.phase != PLAYING:
        return OFFER * before, [all_four]
    both = []
    splitter, picker = int(state.splitter), 1 - int(state.splitter)
    left = [_count(state.hands[seat]) for seat in range(2)]
    sizes = range(left[splitter], LARGEST_SET + 1)
    for size in sizes if left[picker] == 0 else sizes[:1]:  # JR-7
        if left[picker] <= OFFER - size:
            sets = [0, 0]
            sets[splitter], sets[picker] = size, OFFER - size
            both.append((all_four[0] + sets[0], all_four[1] + sets[1]))
    return OFFER * turn, both


def _least(state: State) -> tuple[int, int]:
    """How many cards each seat has got at least: one a turn, and those in its hand."""
    before = int(state.turn) - (state.phase != ENDED)
    least = [before, before]
    if state.phase == PLAYING:
        for seat in range(2):
            least[seat] += max(1, _count(state.hands[seat]))
    return least[0], least[1]


def _cards_of(state: State, seat: int) -> int:
    """How many cards a seat got and still has on the table."""
    crews: Any = state.crews
    chest = int(state.chests[seat].sum())
    return int((crews[:, seat] != NONE).sum()) + _count(state.hands[seat]) + chest


def _boarded_without_crew(state: State, seat: int) -> int:
    """At how many ships a seat has boarded and has nobody now."""
    return sum(
        _has_boarded(state, ship, seat) and state.crews[ship][seat][0] == NONE
        for ship in range(len(SHIP_NAMES))
    )


def _has_boarded(state: State, ship: int, seat: int) -> bool:
    return bool(state.chests[seat][ship * VALUES : (ship + 1) * VALUES].any())


def _has_strangers(state: State, seat: int) -> bool:
    """Whether a pirate of the seat lies face up at a ship of another colour."""
    return any(
        _is_stranger(card, ship)
        for ship in range(len(SHIP_NAMES))
        for card in _cards_in(state.crews[ship][seat])
    )


def _is_stranger(card: int, ship: int) -> bool:
    return card < PIRATES and card // VALUES != ship


def _named(state: State) -> Any:
    """How often each card lies somewhere, or is out of the game."""
    lists: list[Any] = [state.offer, state.sets, state.hands, state.crews]
    cards = np.concatenate([each.ravel() for each in lists])
    counts = np.bincount(cards[cards != NONE] % PARROT, minlength=CARD_KINDS)
    counts[:PIRATES] += np.sum(state.chests, axis=0)
    return counts + state.removed


def _cards_in(cards: Array[Int8]) -> list[int]:
    """The cards of a list of a record."""
    return [card for card in cards.tolist() if card != NONE]


def _count(*lists: Array[Int8]) -> int:
    """How many cards lie in some lists of a record."""
    return sum(len(_cards_in(cards)) for cards in lists)

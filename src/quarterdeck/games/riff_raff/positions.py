"""Riff Raff: positions as JSON, both ways. What is read is checked key by key."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from quarterdeck.contract import (
    POSES,
    BadPosition,
    Invariant,
    check_invariants,
    copy_record,
    excerpt,
    reader,
    reading,
    record,
)

from . import rules
from .notation import SHAPE_NAMES, SHAPE_NUMBERS, WORLDS, Piece
from .state import (
    ANNOUNCING,
    AREAS,
    CARDS,
    CHOOSING,
    COPIES,
    ENDED,
    HIDDEN,
    LOADING,
    LOWEST_YARD,
    MOST_PLAYERS,
    NAMING,
    NONE,
    ORDERING,
    SHAPES,
    TAKING,
    TO_START,
    Kit,
    State,
    pieces_in,
    pieces_of,
)

Phase: TypeAlias = Literal[
    "start", "card", "captain", "order", "announce", "take", "settle", "over"
]
PHASE_NAMES: tuple[Phase, ...] = (
    "start", "card", "captain", "order", "announce", "take", "settle", "over",
)  # fmt: skip
Card: TypeAlias = int | Literal["?"]
"""A card as it is told: `?` for one that is hidden."""


class Position(Struct, frozen=True):
    """The keys of a position; `?` stands for what is hidden from whoever looks.

    `aboard` goes by the areas, `"1"` to `"10"`.
    """

    phase: Phase
    players: int
    round: int
    captain: int | None
    cards: list[list[Card]]
    played: list[Card | None]
    last: list[int | None]
    order: list[int]
    active: int | None
    announced: int | None
    loaded: int
    hand: Piece | None
    supply: list[list[Piece]]
    aboard: dict[str, list[Piece]]


def position(kit: Kit, state: State) -> Position:
    """The position keys of a state, or of what a seat may see of it."""
    (players, _, phase, round_, captain, active, announced, loaded, hand, cards, played, last,
     order, supply, aboard) = _fields(state)  # fmt: skip
    return Position(
        PHASE_NAMES[phase],
        players,
        round_,
        _or_null(captain),
        hand_cards(cards[CARDS * seat : CARDS * (seat + 1)] for seat in range(players)),
        played_cards(played[:players]),
        [_or_null(card) for card in last[:players]],
        [seat for seat in order if seat != NONE],
        _or_null(active),
        _or_null(announced),
        loaded,
        None if hand == NONE else SHAPE_NAMES[hand],
        [_names(supply[SHAPES * seat : SHAPES * (seat + 1)]) for seat in range(players)],
        {name: _names(aboard[at : at + SHAPES]) for name, at in _AREAS},
    )


_fields = reader(State)
_AREAS = [(str(area + 1), SHAPES * area) for area in range(AREAS)]


def hand_cards(hands: Iterable[Iterable[int]]) -> list[list[Card]]:
    """The cards of each hand as they are told."""
    return [["?" if card == HIDDEN else card for card in hand if card != NONE] for hand in hands]


def played_cards(cards: Iterable[int]) -> list[Card | None]:
    """The cards of this round as they are told: null for none yet."""
    return [_PLAYED.get(card, card) for card in cards]


_PLAYED: dict[int, Literal["?"] | None] = {NONE: None, HIDDEN: "?"}


def _or_null(number: int) -> int | None:
    return None if number == NONE else number


def _names(counts: Sequence[int]) -> list[Piece]:
    if not any(counts):
        return []
    return [SHAPE_NAMES[shape] for shape, count in enumerate(counts) for _ in range(count)]


def from_position(kit: Kit, options: Mapping[str, Any], position: Mapping[str, Any]) -> State:
    """The state a position describes.

    What it leaves out follows from the rest where it can, and else has its value at the start.
    Pieces may be missing, as if they had been caught. Raises `BadPosition`.
    """
    return _Reader(kit, options, position).state()


class _Reader:
    """One position on its way to a state."""

    def __init__(self, kit: Kit, options: Mapping[str, Any], position: Mapping[str, Any]) -> None:
        self.kit = kit
        self.players: int = options["players"]
        self.fitted = WORLDS.index(options.get("world", "real"))
        self.position = position

    def state(self) -> State:
        reading.check_keys(self.position, {*Position.__struct_fields__, POSES}, "Riff Raff")
        reading.check_option(self.position, "players", self.players)
        state = record(State)
        rules.new(self.kit, np.array([self.players, self.fitted], np.int64), state)
        state.captain = self._seat("captain")
        self._read_cards(state)
        self._read_round(state)
        self._read_pieces(state)
        state.phase = self._phase(state)
        self._read_turn(state)
        check_invariants(INVARIANTS, self.kit, state)
        poses = self.position.get(POSES)
        if poses is not None:
            _check_poses(self.kit, state, poses)
        return state

    # one key each ----------------------------------------------------------------------------

    def _whole(self, key: str, low: int, high: int) -> int:
        return reading.whole(key, self.position[key], low, high)

    def _seat(self, key: str) -> int:
        return reading.seat(self.position, key, self.players, NONE)

    def _lists(self, key: str, value: object) -> Sequence[Any]:
        return reading.listed(key, value, self.players, "has one entry a seat")

    def _card(self, key: str, value: object) -> int:
        if value is None:
            return NONE
        if not reading.is_whole(value, 1, CARDS):
            raise BadPosition(
                f"{excerpt(value)} in {key!r} is no card from 1 to {CARDS}", rule="RR-C2"
            )
        return value

    def _read_cards(self, state: State) -> None:
        played = self._lists("played", self.position.get("played", [None] * self.players))
        for seat, value in enumerate(played):
            state.played[seat] = self._card("played", value)
        last = self.position.get("last")
        if last is None:
            last = played if _is_revealed(state) else [None] * self.players
        for seat, value in enumerate(self._lists("last", last)):
            state.last[seat] = self._card("last", value)
        if "cards" in self.position:
            state.cards[:] = NONE
            for seat, hand in enumerate(self._lists("cards", self.position["cards"])):
                if not isinstance(hand, list) or len(hand) > CARDS:
                    raise BadPosition(f"'cards' has lists of at most {CARDS}, not {excerpt(hand)}")
                cards = sorted(self._card("cards", card) for card in hand)
                if len(set(cards)) != len(cards) or NONE in cards:
                    raise BadPosition(f"seat {seat} has each card once at most", rule="RR-C2")
                state.cards[seat][: len(cards)] = cards
        else:
            for seat in range(self.players):
                cards = [card for card in range(1, CARDS + 1) if card != state.played[seat]]
                state.cards[seat][:] = [*cards, *[NONE] * (CARDS - len(cards))]

    def _read_round(self, state: State) -> None:
        if "round" in self.position:
            state.round = self._whole("round", 1, int(rules.rounds(state)))
        else:
            state.round = CARDS + 1 - max(1, _cards_left(state, 0))

    def _pieces(self, key: str, names: object) -> Counter[int]:
        pieces = reading.listed(key, names, None, "has lists of pieces")
        if len(pieces) > SHAPES * COPIES:
            raise BadPosition(
                "there are only so many pieces of a shape as were dealt", rule="RR-C2"
            )
        return Counter(reading.named(key, name, SHAPE_NUMBERS, "piece", "RR-C2") for name in pieces)

    def _read_pieces(self, state: State) -> None:
        hand = self.position.get("hand")
        if hand is not None:
            (state.hand,) = self._pieces("hand", [hand])
        aboard = self.position.get("aboard", {})
        places = {str(area): area - 1 for area in range(1, AREAS + 1)}
        if not isinstance(aboard, dict) or any(str(area) not in places for area in aboard):
            raise BadPosition(
                f"'aboard' goes by areas 1 to {AREAS}, not {excerpt(aboard)}", rule="RR-C1"
            )
        for area, names in aboard.items():
            for shape, count in self._pieces("aboard", names).items():
                state.aboard[places[str(area)]][shape] = count
        if "supply" in self.position:
            state.supply[:] = 0
            for seat, names in enumerate(self._lists("supply", self.position["supply"])):
                for shape, count in self._pieces("supply", names).items():
                    state.supply[seat][shape] = count
        else:
            self._deal_supply(state)

    def _deal_supply(self, state: State) -> None:
        """What is aboard or in the hand came out of the supplies at the start, seat by seat."""
        active = self._seat("active")
        if state.hand != NONE:
            state.supply[max(active, 0)][state.hand] -= 1
        for shape in range(SHAPES):
            for _ in range(int(state.aboard[:, shape].sum())):
                having = [s for s in range(self.players) if state.supply[s][shape] > 0]
                if having:
                    state.supply[max(having, key=lambda s: int(state.supply[s].sum()))][shape] -= 1

    def _read_turn(self, state: State) -> None:
        """RR-4, RR-5, RR-9: what is said of the turn; else what follows from the cards."""
        order = reading.listed("order", self.position.get("order", []), None, "is a list of seats")
        if order:
            seats = [
                reading.whole_in("order", s, 0, self.players - 1) for s in order[:MOST_PLAYERS]
            ]
            if sorted(seats) != list(range(self.players)) or len(order) != self.players:
                raise BadPosition(f"'order' has each seat once, not {excerpt(order)}", rule="RR-5")
            state.order[: self.players] = seats
        state.active = self._seat("active")
        state.loaded = self._whole("loaded", 0, 1) if "loaded" in self.position else 0
        if self.position.get("announced") is not None:
            state.announced = self._whole("announced", 1, 2)
        if state.phase not in (*IN_TURN, ORDERING, ENDED) or not _is_revealed(state):
            return
        leading = int(rules.highest(state))
        if state.captain == NONE:
            is_alone = not leading & (leading - 1)
            state.captain = leading.bit_length() - 1 if is_alone else (order or [NONE])[0]
        if state.captain == NONE or state.phase == ORDERING:
            return
        if not order:
            group = np.empty(MOST_PLAYERS, np.int8)
            if rules.tied(state, group) > 0:
                raise BadPosition("who is next among equals? give 'order'", rule="RR-5")
            probe = copy_record(state)
            rules.set_order(probe, group)
            state.order[:] = probe.order
        if state.phase in IN_TURN and state.active == NONE:
            state.active = state.order[0]
        if state.phase in (TAKING, LOADING) and "announced" not in self.position:
            state.announced = 1 if not state.loaded and _is_asked(state) else NONE

    # what follows ----------------------------------------------------------------------------

    def _phase(self, state: State) -> int:
        if "phase" in self.position:
            return reading.one_of("phase", self.position["phase"], PHASE_NAMES)
        if not _is_revealed(state):
            return TO_START if state.captain == NONE else CHOOSING
        if state.hand != NONE:
            return LOADING
        if self.position.get("announced") is not None:
            return TAKING
        return self._first_phase(state)

    def _first_phase(self, state: State) -> int:
        """The phase in which the turns of revealed cards stand, by all that is said of them."""
        if "order" in self.position or "active" in self.position:
            return self._turn_phase(state)
        leading = rules.highest(state)
        if leading & (leading - 1) and state.captain == NONE:
            raise BadPosition("who is captain? several have the highest number", rule="RR-4")
        if leading & (leading - 1):
            return NAMING
        state.captain = leading.bit_length() - 1
        group = np.empty(MOST_PLAYERS, np.int8)
        return ORDERING if rules.tied(state, group) else self._turn_phase(state)

    def _turn_phase(self, state: State) -> int:
        seat = self._seat("active")
        if seat == NONE:
            first = self.position.get("order") or [int(state.captain)]
            seat = first[0] if isinstance(first, list) else NONE
        if not reading.is_whole(seat, 0, self.players - 1):
            raise BadPosition(f"'order' begins with {excerpt(seat)}, which is no seat")
        probe = copy_record(state)
        rules.begin_turn(probe, seat)
        return int(probe.phase)


# Resting poses -------------------------------------------------------------------------------

_POSE_KEYS = {"id", "piece", "area", "at", "turn"}
_FARTHEST = 1.0  # metres
_UNIT_WITHIN = 0.01


def _check_poses(kit: Kit, state: State, poses: object) -> None:
    """RR-R8: resting poses are those of the pieces aboard, each in its area, and can be."""
    if not isinstance(poses, dict) or set(poses) != {"ship", "pieces"}:
        raise BadPosition(f"'poses' has the ship and its pieces, not {excerpt(poses)}")
    _numbers("ship", poses["ship"], 2, math.radians(kit.pivot_limit) + _UNIT_WITHIN)
    found = np.zeros((AREAS, SHAPES), np.int64)
    ids = set()
    for pose in reading.listed("poses", poses["pieces"], None, "has a list of pieces")[
        :_MOST_POSES
    ]:
        if not isinstance(pose, dict) or set(pose) != _POSE_KEYS:
            raise BadPosition(f"a pose has {', '.join(sorted(_POSE_KEYS))}, not {excerpt(pose)}")
        shape = reading.named("poses", pose["piece"], SHAPE_NUMBERS, "piece", "RR-C2")
        if not reading.is_whole(pose["area"], 1, AREAS):
            raise BadPosition(f"'poses' has no area {excerpt(pose['area'])}", rule="RR-C1")
        ids.add(reading.whole("id", pose["id"], COPIES * shape, COPIES * (shape + 1) - 1))
        found[pose["area"] - 1][shape] += 1
        _numbers("at", pose["at"], 3, _FARTHEST)
        turn = _numbers("turn", pose["turn"], 4, 1 + _UNIT_WITHIN)
        if abs(math.hypot(*turn) - 1) > _UNIT_WITHIN:
            raise BadPosition(f"'turn' is a rotation, not {excerpt(turn)}")
    if len(ids) != len(poses["pieces"]) or (found != state.aboard).any():
        raise BadPosition("'poses' and 'aboard' differ", rule="RR-R8")


_MOST_POSES = SHAPES * COPIES + 1


def _numbers(key: str, value: object, count: int, most: float) -> list[float]:
    """So many numbers, none further from 0 than that."""
    for part in reading.listed(key, value, count, f"is a list of {count} numbers"):
        if type(part) not in (int, float) or not -most <= part <= most:
            raise BadPosition(
                f"{key!r} has numbers from {-most:g} to {most:g}, not {excerpt(part)}"
            )
    return [float(part) for part in value]  # type: ignore[attr-defined]


# What can occur ------------------------------------------------------------------------------

IN_TURN = (ANNOUNCING, TAKING, LOADING)


def _holds(rule: str, says: str, holds: Callable[[Kit, State], object]) -> Invariant:
    return Invariant(rule, says, lambda kit, state: None if holds(kit, state) else says)


def _cards_left(state: State, seat: int) -> int:
    """How many cards a seat has, the one it plays this round included."""
    return sum(card != NONE for card in (*state.cards[seat], state.played[seat]))


def _is_revealed(state: State) -> bool:
    return NONE not in _of_seats(state, state.played)


def _is_asked(state: State) -> bool:
    """RR-9, RR-R7: whether this turn began with announcing, if nothing is loaded yet."""
    probe = copy_record(state)
    if probe.hand != NONE:
        probe.supply[probe.active][probe.hand] += 1
    rules.begin_turn(probe, probe.active)
    return bool(probe.phase == ANNOUNCING)


def _dealt(kit: Kit, state: State) -> State:
    """RR-1: the game as it began."""
    begun = record(State)
    rules.new(kit, np.array([state.players, state.fitted], np.int64), begun)
    return begun


def _are_pieces_dealt(kit: Kit, state: State) -> bool:
    dealt = _dealt(kit, state).supply.tolist()
    for shape in range(SHAPES):
        there = [int(pieces[shape]) for pieces in (*state.supply, *state.aboard)]
        in_hand = int(state.hand == shape)
        if min(there) < 0 or sum(there) + in_hand > sum(pieces[shape] for pieces in dealt):
            return False
    return True


def _is_as_begun(kit: Kit, state: State) -> bool:
    return state.phase != TO_START or state.tobytes() == _dealt(kit, state).tobytes()


def _are_cards_out(kit: Kit, state: State) -> bool:
    for seat in range(int(state.players)):
        held = [card for card in state.cards[seat] if card != NONE]
        if state.played[seat] in held or state.last[seat] in held:
            return False
        if not _is_revealed(state) and state.last[seat] == state.played[seat] != NONE:
            return False
    return True


def _are_cards_of_round(kit: Kit, state: State) -> bool:
    return _cards_left(state, 0) == CARDS - (state.round - 1) % CARDS


def _are_last_right(kit: Kit, state: State) -> bool:
    last, played = _of_seats(state, state.last), _of_seats(state, state.played)
    if _is_revealed(state):
        return last == played
    is_first = (state.round - 1) % CARDS == 0
    return all((card == NONE) == is_first for card in last)


def _of_seats(state: State, numbers: Iterable[int]) -> list[int]:
    return [int(number) for number in numbers][: state.players]


def _is_captain_highest(kit: Kit, state: State) -> bool:
    """Of the cards of this round, or while they are chosen of the last one's."""
    cards = _of_seats(state, state.last if state.phase == CHOOSING else state.played)
    if state.phase in (TO_START, NAMING) or NONE in cards:
        return True
    return state.captain != NONE and cards[state.captain] == max(cards)


def _is_naming_due(kit: Kit, state: State) -> bool:
    leading = int(rules.highest(state))
    return state.phase != NAMING or leading & (leading - 1) > 0


def _is_ordering_due(kit: Kit, state: State) -> bool:
    group = np.empty(MOST_PLAYERS, np.int8)
    return bool(state.phase != ORDERING or rules.tied(state, group) > 0)


def _is_order_right(kit: Kit, state: State) -> bool:
    order = _of_seats(state, state.order)
    if state.phase not in (*IN_TURN, ENDED):
        return max(order) == NONE
    numbers = [int(state.played[seat]) for seat in order]
    return NONE not in order and order[0] == state.captain and numbers == sorted(numbers)[::-1]


def _is_announced_right(kit: Kit, state: State) -> bool:
    if state.phase not in (TAKING, LOADING):
        return bool(state.announced == NONE and state.loaded == 0)
    if state.loaded:
        return bool(state.announced == 2)
    return state.announced != NONE or not _is_asked(state)


def _is_asked_right(kit: Kit, state: State) -> bool:
    if state.phase not in IN_TURN or state.loaded:
        return True
    is_asked = state.phase == ANNOUNCING or state.announced != NONE
    return not is_asked or _is_asked(state)


def _is_first_aboard(kit: Kit, state: State) -> bool:
    """The first of two lies in the area; what lay there before may have been pushed, but aboard it
    is: nothing fell."""
    if not state.loaded:
        return True
    area = int(rules.area_of(state))
    aboard = sum(int(pieces_in(state, each)) for each in range(1, AREAS + 1))
    return area >= LOWEST_YARD and pieces_in(state, area) > 0 and aboard > 1


def _pieces_left(state: State) -> list[int]:
    """How many pieces each seat has to load yet, the one in the hand included."""
    left = [int(pieces_of(state, seat)) for seat in range(int(state.players))]
    if state.hand != NONE and state.active != NONE:
        left[state.active] += 1
    return left


def _is_nobody_rid(kit: Kit, state: State) -> bool:
    """Only at the end of one's own turn has one no piece left, and then all is over."""
    return _pieces_left(state).count(0) <= (state.phase == ENDED)


def _is_last_gone(kit: Kit, state: State) -> bool:
    """Caught alone it would have come back (RR-15); with others it leaves the game (RR-R3)."""
    if state.phase != ENDED or 0 not in _pieces_left(state):
        return True
    area = int(state.played[_pieces_left(state).index(0)])
    dealt = int(_dealt(kit, state).supply.sum())
    caught = dealt - int(state.supply.sum()) - int(state.aboard.sum())
    return pieces_in(state, area) > 0 or caught > 1


def _is_over_right(kit: Kit, state: State) -> bool:
    return bool(
        state.phase != ENDED or 0 in _pieces_left(state) or state.round == rules.rounds(state)
    )


INVARIANTS = (
    _holds("RR-C2", "there are only so many pieces of a shape as were dealt", _are_pieces_dealt),
    _holds(
        "RR-2",
        "the first captain is drawn once, at the start",
        lambda kit, state: (
            state.phase > CHOOSING or (state.captain == NONE) == (state.phase == TO_START)
        ),
    ),
    _holds("RR-6", "nobody has a card again that was played", _are_cards_out),
    _holds(
        "RR-3",
        "everybody has played as often",
        lambda kit, state: (
            len({_cards_left(state, seat) for seat in range(int(state.players))}) == 1
        ),
    ),
    _holds("RR-6", "each round costs a card", _are_cards_of_round),
    _holds(
        "RR-3",
        "cards are chosen, then all are turned up together",
        lambda kit, state: _is_revealed(state) == (state.phase > CHOOSING),
    ),
    _holds("RR-6", "a seat's last card lies there, from round two on", _are_last_right),
    _holds("RR-2", "nothing has happened before there is a captain", _is_as_begun),
    _holds("RR-4", "the captain in office decides if several have the highest", _is_naming_due),
    _holds("RR-4", "the captain has the highest number", _is_captain_highest),
    _holds("RR-5", "the new captain decides the order of equal numbers", _is_ordering_due),
    _holds("RR-5", "the captain goes first, then the others by falling numbers", _is_order_right),
    _holds(
        "RR-8",
        "somebody is active in a turn only",
        lambda kit, state: (state.active != NONE) == (state.phase in IN_TURN),
    ),
    _holds(
        "RR-8",
        "a piece is in the hand while it is loaded, only",
        lambda kit, state: (state.hand != NONE) == (state.phase == LOADING),
    ),
    _holds("RR-17", "who has no piece left has won", _is_nobody_rid),
    _holds("RR-9", "one says one or two before one starts", _is_announced_right),
    _holds("RR-R7", "one or two is asked on a laden yard, if one has two", _is_asked_right),
    _holds("RR-9", "the first of two pieces lies where it was loaded", _is_first_aboard),
    _holds("RR-15", "a last piece lies where it was loaded, or was caught with one", _is_last_gone),
    _holds(
        "RR-18", "it ends when somebody has no piece left, or after the last round", _is_over_right
    ),
)
"""What holds in every state that can occur. Not asked is what earlier turns left behind: how many
pieces are aboard or were caught after so many rounds; positions to learn and to test from begin
with a ship as they need it."""

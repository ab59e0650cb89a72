"""Riff Raff: positions as JSON, both ways. What is read is checked key by key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from quarterdeck.contract import POSES, BadPosition, copy_record, reader, reading, record

from . import rules
from .notation import SHAPE_NAMES, SHAPE_NUMBERS, WORLDS, Piece
from .state import (
    ANNOUNCING,
    AREAS,
    CARDS,
    CHOOSING,
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
        self._read_pieces(state)
        state.phase = self._phase(state)
        self._check_cards(state)
        if state.phase not in (TO_START, CHOOSING):
            self._settle_turn(state)
        self._check_turn(state)
        self._check_pieces(state)
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
            raise BadPosition(f"{value!r} in {key!r} is no card from 1 to {CARDS}", rule="RR-C2")
        return value

    def _read_cards(self, state: State) -> None:
        played = self._lists("played", self.position.get("played", [None] * self.players))
        for seat, value in enumerate(played):
            state.played[seat] = self._card("played", value)
        is_revealed = None not in played
        last = self.position.get("last")
        if last is None:
            last = played if is_revealed else [None] * self.players
        for seat, value in enumerate(self._lists("last", last)):
            state.last[seat] = self._card("last", value)
        if is_revealed and list(last) != list(played):
            raise BadPosition("the cards played this round are the last ones", rule="RR-6")
        if "cards" in self.position:
            state.cards[:] = NONE
            for seat, hand in enumerate(self._lists("cards", self.position["cards"])):
                if not isinstance(hand, list) or len(hand) > CARDS:
                    raise BadPosition(f"'cards' has lists of at most {CARDS}, not {hand!r}")
                cards = sorted(self._card("cards", card) for card in hand)
                if len(set(cards)) != len(cards) or NONE in cards:
                    raise BadPosition(f"seat {seat} has each card once at most", rule="RR-C2")
                state.cards[seat][: len(cards)] = cards
        else:
            for seat in range(self.players):
                cards = [card for card in range(1, CARDS + 1) if card != state.played[seat]]
                state.cards[seat][:] = [*cards, *[NONE] * (CARDS - len(cards))]

    def _pieces(self, key: str, names: object) -> Counter[int]:
        return Counter(
            reading.named(key, name, SHAPE_NUMBERS, "piece", "RR-C2")
            for name in reading.listed(key, names, None, "has lists of pieces")
        )

    def _read_pieces(self, state: State) -> None:
        hand = self.position.get("hand")
        if hand is not None:
            (state.hand,) = self._pieces("hand", [hand])
        aboard = self.position.get("aboard", {})
        places = {str(area): area - 1 for area in range(1, AREAS + 1)}
        if not isinstance(aboard, dict) or any(str(area) not in places for area in aboard):
            raise BadPosition(f"'aboard' goes by areas 1 to {AREAS}, not {aboard!r}", rule="RR-C1")
        for area, names in aboard.items():
            for shape, count in self._pieces("aboard", names).items():
                state.aboard[places[str(area)]][shape] = min(count, 100)
        if "supply" in self.position:
            state.supply[:] = 0
            for seat, names in enumerate(self._lists("supply", self.position["supply"])):
                for shape, count in self._pieces("supply", names).items():
                    state.supply[seat][shape] = min(count, 100)
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

    # how they fit together -------------------------------------------------------------------

    def _phase(self, state: State) -> int:
        if "phase" in self.position:
            return reading.one_of("phase", self.position["phase"], PHASE_NAMES)
        if NONE in state.played[: self.players]:
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
            raise BadPosition(f"'order' begins with {seat!r}, which is no seat")
        probe = copy_record(state)
        rules.begin_turn(probe, seat)
        return int(probe.phase)

    def _check_cards(self, state: State) -> None:
        """RR-6: a card goes each round; RR-19: of two players they come back after ten."""
        counts = []
        for seat in range(self.players):
            held = [int(card) for card in state.cards[seat] if card != NONE]
            counts.append(len(held) + int(state.played[seat] != NONE))
            for card in (int(state.played[seat]), int(state.last[seat])):
                if card in held:
                    raise BadPosition(f"seat {seat} has played its {card}", rule="RR-6")
        if len(set(counts)) != 1:
            raise BadPosition("everybody has played as often", rule="RR-3")
        if "round" in self.position:
            state.round = self._whole("round", 1, int(rules.rounds(state)))
        else:
            state.round = CARDS + 1 - counts[0]
        if counts[0] != CARDS - (state.round - 1) % CARDS:
            raise BadPosition(f"in round {state.round} nobody has {counts[0]} cards", rule="RR-6")
        is_first = (state.round - 1) % CARDS == 0
        is_open = NONE not in state.played[: self.players]
        if not is_open:
            for seat in range(self.players):
                if (state.last[seat] == NONE) != is_first and "last" in self.position:
                    raise BadPosition("a last card lies there from round two on", rule="RR-6")
        if (state.captain == NONE) != (state.phase == TO_START) and not is_open:
            raise BadPosition("the first captain is drawn once, at the start", rule="RR-2")
        if is_open == (state.phase in (TO_START, CHOOSING)):
            phase = PHASE_NAMES[state.phase]
            raise BadPosition(f"in phase {phase!r} the cards are not so", rule="RR-3")
        if state.phase == TO_START and any(card != NONE for card in state.played[: self.players]):
            raise BadPosition("nobody plays before there is a captain", rule="RR-2")

    def _settle_turn(self, state: State) -> None:
        """RR-4, RR-5: captain, order and active seat fit the cards."""
        leading = rules.highest(state)
        if state.phase == NAMING:
            if not leading & (leading - 1):
                raise BadPosition("one alone has the highest number", rule="RR-4")
            return
        if state.captain == NONE and not leading & (leading - 1):
            state.captain = leading.bit_length() - 1
        order = self.position.get("order") or []
        if state.captain == NONE and isinstance(order, list) and order:
            state.captain = order[0] if type(order[0]) is int else NONE
        if state.captain == NONE or not leading >> int(state.captain) & 1:
            raise BadPosition("the captain has the highest number", rule="RR-4")
        group = np.empty(MOST_PLAYERS, np.int8)
        is_tied = rules.tied(state, group) > 0
        if state.phase == ORDERING:
            if not is_tied:
                raise BadPosition("no numbers are equal", rule="RR-5")
            return
        if order:
            self._check_order(state, order)
        elif is_tied:
            raise BadPosition("who is next among equals? give 'order'", rule="RR-5")
        else:
            probe = copy_record(state)
            rules.set_order(probe, group)
            state.order[:] = probe.order
        if state.phase != ENDED:
            active = self._seat("active")
            state.active = state.order[0] if active == NONE else active

    def _check_order(self, state: State, order: object) -> None:
        seats = self._lists("order", order)
        if sorted(map(str, seats)) != [str(seat) for seat in range(self.players)]:
            raise BadPosition(f"'order' has each seat once, not {order!r}", rule="RR-5")
        numbers = [int(state.played[seat]) for seat in seats]
        if seats[0] != state.captain or numbers != sorted(numbers, reverse=True):
            raise BadPosition("the captain first, then by falling numbers", rule="RR-5")
        state.order[: self.players] = seats

    def _check_turn(self, state: State) -> None:
        """RR-8, RR-9: what the turn says of itself."""
        in_turn = state.phase in (ANNOUNCING, TAKING, LOADING)
        for key, nothing in (("active", None), ("order", [])):
            is_said = self.position.get(key, nothing) != nothing
            if is_said and not in_turn and not (key == "order" and state.phase == ENDED):
                raise BadPosition(f"{key!r} is said in a turn only", rule="RR-8")
        if (state.hand != NONE) != (state.phase == LOADING):
            raise BadPosition("a piece is in the hand while it is loaded, only", rule="RR-8")
        state.loaded = self._whole("loaded", 0, 1) if "loaded" in self.position else 0
        announced = self.position.get("announced")
        if announced is not None:
            state.announced = self._whole("announced", 1, 2)
        if state.phase not in (TAKING, LOADING):
            if state.loaded or announced is not None:
                raise BadPosition("nothing is announced or loaded yet", rule="RR-9")
            return
        asked = self._is_asked(state)
        if state.loaded and announced != 2:
            raise BadPosition("two were announced where one is loaded", rule="RR-9")
        if asked and announced is None and "announced" in self.position:
            raise BadPosition("he says one or two before he starts", rule="RR-9")
        if not asked and announced is not None:
            raise BadPosition("one or two is not asked here", rule="RR-R7")
        if asked and announced is None:
            state.announced = 1

    def _is_asked(self, state: State) -> bool:
        """RR-9, RR-R7: whether this turn began with announcing."""
        if state.loaded:
            return bool(rules.area_of(state) >= LOWEST_YARD)
        probe = copy_record(state)
        if probe.hand != NONE:
            probe.supply[probe.active][probe.hand] += 1
        rules.begin_turn(probe, probe.active)
        return bool(probe.phase == ANNOUNCING)

    def _check_pieces(self, state: State) -> None:
        supply, aboard = state.supply.tolist(), state.aboard.tolist()
        for shape in range(SHAPES):
            count = sum(pieces[shape] for pieces in supply + aboard) + (state.hand == shape)
            if count > self.kit.copies[shape] or any(pieces[shape] < 0 for pieces in supply):
                raise BadPosition("there are not so many pieces of a shape", rule="RR-C2")
        left = [
            int(pieces_of(state, seat)) + int(state.hand != NONE and seat == state.active)
            for seat in range(self.players)
        ]
        is_last = state.round == rules.rounds(state)
        if state.phase == ENDED:
            if 0 not in left and not is_last:
                raise BadPosition("the game is not over yet", rule="RR-18")
        elif 0 in left:
            raise BadPosition("who has no piece left has won", rule="RR-17")
        if state.phase == ANNOUNCING and not self._is_asked(state):
            raise BadPosition("one or two is not asked here", rule="RR-R7")
        poses = self.position.get(POSES)
        if poses is not None:
            self._check_poses(state, poses)

    def _check_poses(self, state: State, poses: Any) -> None:
        """Resting poses are those of the pieces aboard, each in its area."""
        try:
            pieces = [(int(p["area"]) - 1, SHAPE_NUMBERS[p["piece"]]) for p in poses["pieces"]]
        except (KeyError, TypeError, ValueError) as error:
            raise BadPosition(f"'poses' has the ship and its pieces: {error!r}") from error
        found = np.zeros_like(state.aboard)
        for area, shape in pieces:
            if not 0 <= area < AREAS:
                raise BadPosition(f"'poses' has no area {area + 1}", rule="RR-C1")
            found[area][shape] += 1
        if (found != state.aboard).any():
            raise BadPosition("'poses' and 'aboard' differ", rule="RR-R8")

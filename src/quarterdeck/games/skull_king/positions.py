"""Skull King: positions as JSON, both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from quarterdeck.contract import BadPosition, reader, reading, record

from . import rules
from .notation import CARD_NAMES, CARDS, PHASE_NAMES, Phase
from .state import (
    BIDDING,
    ENDED,
    HIDDEN,
    LAST_HAND,
    MARY,
    MARY_ESCAPE,
    MARY_PIRATE,
    MOST_PLAYERS,
    NONE,
    PLAYING,
    TO_DEAL,
    TO_START,
    Kit,
    State,
)

_LARGEST_SCORE = 9999

Bid: TypeAlias = int | Literal["?"] | None
"""A bid as it is told: null for none yet, `?` for one that is sealed."""


class Note(Struct, frozen=True):
    """What the pad says of a seat in a finished hand."""

    bid: int
    points: int


class LastTrick(Struct, frozen=True):
    """The last finished trick: who led, and the cards in the order they were played."""

    leader: int
    cards: list[str]


class Position(Struct, frozen=True):
    """The keys of a position; `?` stands for what is hidden from whoever looks."""

    phase: Phase
    hand: int
    dealer: int | None
    hands: list[list[str]]
    bids: list[Bid]
    leader: int | None
    trick: list[str]
    last: LastTrick | None
    tricks: list[int]
    bonus: list[int]
    scores: list[int]
    pad: list[list[Note] | None]


def position(kit: Kit, state: State) -> Position:
    """The position keys of a state, or of what a seat may see of it."""
    (players, phase, hand, dealer, leader, last_leader, bids, tricks, trick, last, hands, bonus,
     scores, pad_bids, pad_points) = read_state(state)  # fmt: skip
    pad: list[list[Note] | None] = [None] * LAST_HAND
    for done in range(LAST_HAND):
        at = done * MOST_PLAYERS
        if pad_bids[at] != NONE:
            notes = zip(pad_bids[at : at + players], pad_points[at : at + players], strict=True)
            pad[done] = [Note(bid, points) for bid, points in notes]
    return Position(
        PHASE_NAMES[phase],
        hand,
        None if dealer == NONE else dealer,
        hand_names(hands, players),
        bid_names(bids[:players]),
        None if leader == NONE else leader,
        _names(trick),
        LastTrick(last_leader, _names(last)) if last_leader != NONE else None,
        list(tricks[:players]),
        list(bonus[:players]),
        list(scores[:players]),
        pad,
    )


read_state = reader(State)


def hand_names(hands: tuple[int, ...], players: int) -> list[list[str]]:
    """The cards of every seat, from all hands in one list."""
    return [_names(hands[seat * LAST_HAND : (seat + 1) * LAST_HAND]) for seat in range(players)]


def bid_names(bids: Iterable[int]) -> list[Bid]:
    """The bids as they are told: null for none yet."""
    return [_BIDS.get(bid, bid) for bid in bids]


_BIDS: dict[int, Literal["?"] | None] = {NONE: None, HIDDEN: "?"}


def _names(cards: tuple[int, ...]) -> list[str]:
    return list(_named(cards))


@lru_cache(maxsize=65_536)
def _named(cards: tuple[int, ...]) -> tuple[str, ...]:
    """The same few hands are named again and again: with every view of everybody."""
    return tuple(_SHOWN[card] for card in cards if card != NONE)


_SHOWN = dict(enumerate(CARD_NAMES)) | {HIDDEN: "?"}


def from_position(kit: Kit, options: Mapping[str, Any], position: Mapping[str, Any]) -> State:
    """The state a position describes.

    What it leaves out has its value at the start of that hand. Cards, counts and whose turn it is
    are checked; scores, bonus and the pad are taken as given. Raises `BadPosition`.
    """
    return _Reader(kit, options["players"], position).state()


class _Reader:
    """One position on its way to a state, checked key by key."""

    def __init__(self, kit: Kit, players: int, position: Mapping[str, Any]) -> None:
        self.kit = kit
        self.players = players
        self.position = position

    def state(self) -> State:
        reading.check_keys(self.position, Position.__struct_fields__, "Skull King")
        state = record(State)
        rules.clear_hand(state)
        state.players = self.players
        state.hand = reading.whole("hand", self.position.get("hand", 1), 1, LAST_HAND)
        state.pad_bids[:] = NONE
        state.scores[: self.players] = self._numbers("scores", -_LARGEST_SCORE, _LARGEST_SCORE)
        self._read_pad(state)
        state.phase = self._phase()
        state.dealer = self._seat("dealer")
        if state.phase == TO_START and (state.hand != 1 or state.dealer != NONE):
            raise BadPosition("the first dealer is drawn once, before hand 1", rule="SK-R1")
        state.leader = self._seat("leader")
        if state.phase in (TO_START, TO_DEAL):
            self._check_table_empty()
            if state.phase == TO_DEAL and state.dealer == NONE:
                raise BadPosition("a hand to be dealt needs a dealer", rule="SK-R1")
            return state

        state.bonus[: self.players] = self._numbers("bonus", 0, _LARGEST_SCORE)
        state.tricks[: self.players] = self._numbers("tricks", 0, LAST_HAND)
        self._read_bids(state)
        self._read_cards(state)
        self._check_counts(state)
        self._settle_turn(state)
        return state

    # one key each ----------------------------------------------------------------------------

    def _seat(self, key: str) -> int:
        return reading.seat(self.position, key, self.players, NONE)

    def _by_seat(self, key: str, value: object) -> list[Any]:
        wanted = f"is a list of {self.players}, one a seat"
        return reading.listed(key, value, self.players, wanted)

    def _numbers(self, key: str, low: int, high: int) -> list[int]:
        values = self._by_seat(key, self.position.get(key, [0] * self.players))
        return [reading.whole_in(key, value, low, high) for value in values]

    def _phase(self) -> int:
        if "phase" not in self.position:
            if "hands" not in self.position:
                return TO_START if "dealer" not in self.position else TO_DEAL
            bids = self.position.get("bids")
            return PLAYING if isinstance(bids, list) and None not in bids else BIDDING
        return reading.one_of("phase", self.position["phase"], PHASE_NAMES)

    def _read_bids(self, state: State) -> None:
        bids = self._by_seat("bids", self.position.get("bids", [None] * self.players))
        for seat, bid in enumerate(bids):
            if bid is None:
                if state.phase != BIDDING:
                    raise BadPosition(f"seat {seat} has not bid", rule="SK-3")
            elif not reading.is_whole(bid, 0, state.hand):
                raise BadPosition(f"a bid is from 0 to {state.hand}, not {bid!r}", rule="SK-3")
            else:
                state.bids[seat] = bid
        if state.phase == BIDDING and None not in bids:
            raise BadPosition("all have bid: the phase is 'play'", rule="SK-3")

    def _cards(self, key: str, value: object, most: int, on_table: bool) -> list[int]:
        names = reading.listed(key, value)
        if len(names) > most:
            raise BadPosition(f"{key!r} has at most {most} cards, not {len(names)}")
        cards = []
        for name in names:
            card = reading.named(key, name, CARDS, "card")
            if on_table and card == MARY:
                raise BadPosition("Mary on the table is a Pirate or an Escape", rule="SK-17")
            if not on_table and card in (MARY_PIRATE, MARY_ESCAPE):
                raise BadPosition("Mary in a hand is just 'mary'", rule="SK-17")
            cards.append(card)
        return cards

    def _read_cards(self, state: State) -> None:
        left = self.kit.copies.copy()
        hands = self.position.get("hands", [[]] * self.players)
        for seat, names in enumerate(self._by_seat("hands", hands)):
            cards = sorted(self._cards("hands", names, LAST_HAND, on_table=False))
            state.hands[seat][: len(cards)] = cards
        trick = self._cards("trick", self.position.get("trick", []), self.players - 1, True)
        state.trick[: len(trick)] = trick
        self._read_last(state)
        for card in (*chain(*state.hands), *state.trick, *state.last):
            if card == NONE:
                continue
            held = rules.held_as(card)
            if left[held] == 0:
                raise BadPosition(f"there are not so many {CARD_NAMES[held]} cards", rule="SK-C1")
            left[held] -= 1

    def _read_last(self, state: State) -> None:
        last = self.position.get("last")
        if last is None:
            return
        if not isinstance(last, dict) or set(last) != {"leader", "cards"}:
            raise BadPosition(f"'last' has a leader and cards, not {last!r}")
        cards = self._cards("last", last["cards"], self.players, on_table=True)
        if len(cards) != self.players:
            raise BadPosition("the last trick has one card of each seat", rule="SK-9")
        leader = last["leader"]
        if not reading.is_whole(leader, 0, self.players - 1):
            raise BadPosition(f"the leader of 'last' is a seat, not {leader!r}")
        state.last_leader = leader
        state.last[: len(cards)] = cards

    def _read_pad(self, state: State) -> None:
        pad = reading.listed("pad", self.position.get("pad", [None] * LAST_HAND))
        if len(pad) > LAST_HAND:
            raise BadPosition(f"'pad' has at most {LAST_HAND} hands")
        for hand, notes in enumerate(pad):
            if notes is None:
                continue
            for seat, note in enumerate(self._by_seat("pad", notes)):
                if not isinstance(note, dict) or set(note) != {"bid", "points"}:
                    raise BadPosition(f"a note on the pad has a bid and points, not {note!r}")
                bid, points = note["bid"], note["points"]
                if not reading.is_whole(bid, 0, LAST_HAND):
                    raise BadPosition(f"a bid on the pad is from 0 to {LAST_HAND}, not {bid!r}")
                if not reading.is_whole(points, -_LARGEST_SCORE, _LARGEST_SCORE):
                    raise BadPosition(f"points on the pad are a whole number, not {points!r}")
                state.pad_bids[hand][seat] = bid
                state.pad_points[hand][seat] = points

    # how they fit together -------------------------------------------------------------------

    def _check_table_empty(self) -> None:
        seats = self.players
        empty = {"hands": [[]] * seats, "bids": [None] * seats, "leader": None, "trick": []}
        empty |= {"last": None, "tricks": [0] * seats, "bonus": [0] * seats}
        for key, nothing in empty.items():
            value = self.position.get(key, nothing)
            if value != nothing:
                raise BadPosition(f"before the deal {key!r} is not {value!r}", rule="SK-1")

    def _check_counts(self, state: State) -> None:
        finished = int(state.tricks.sum())
        on_table = rules.cards_in(state.trick)
        if state.phase == BIDDING and finished + on_table > 0:
            raise BadPosition("nobody plays before all have bid", rule="SK-3")
        if state.phase == ENDED and (state.hand != LAST_HAND or finished != LAST_HAND):
            raise BadPosition("the game ends after ten tricks of hand ten", rule="SK-25")
        if state.phase != ENDED and finished >= state.hand:
            raise BadPosition(f"hand {state.hand} has {state.hand} tricks", rule="SK-9")
        if state.last_leader != NONE and finished == 0:
            raise BadPosition("a last trick without a trick won", rule="SK-9")
        if state.last_leader != NONE:
            place = rules.winning_place(state.last)
            winner = (state.last_leader + place) % self.players
            if state.tricks[winner] == 0:
                raise BadPosition(f"the last trick is seat {winner}'s", rule="SK-9")
            if state.leader == NONE:
                state.leader = winner
            elif state.leader != winner:
                raise BadPosition(f"seat {winner} won the last trick and leads", rule="SK-9")

    def _settle_turn(self, state: State) -> None:
        finished = int(state.tricks.sum())
        if finished == 0:  # SK-4: dealer and leader follow from each other
            if state.dealer == NONE and state.leader != NONE:
                state.dealer = (state.leader - 1) % self.players
            if state.dealer == NONE:
                raise BadPosition("who deals? give 'dealer' or 'leader'", rule="SK-4")
            first = (state.dealer + 1) % self.players
            if state.leader not in (NONE, first):
                raise BadPosition(f"seat {first} leads, left of the dealer", rule="SK-4")
            state.leader = first
        elif state.leader == NONE:
            raise BadPosition("who leads? give 'leader' or 'last'", rule="SK-9")
        elif state.dealer == NONE:
            raise BadPosition("who deals? give 'dealer'", rule="SK-R1")

        on_table = rules.cards_in(state.trick)
        for seat in range(self.players):
            has_played = (seat - state.leader) % self.players < on_table
            due = state.hand - finished - has_played
            held = rules.cards_in(state.hands[seat])
            if held != due:
                rule = "SK-1" if finished + on_table == 0 else "SK-9"
                raise BadPosition(f"seat {seat} holds {held} cards, not {due}", rule=rule)

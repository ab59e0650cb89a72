"""Skull King: positions as JSON, both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from quarterdeck.contract import (
    Array,
    BadPosition,
    Int8,
    Int16,
    Invariant,
    check_invariants,
    excerpt,
    reader,
    reading,
    record,
)

from . import rules
from .notation import CARD_NAMES, CARDS, PHASE_NAMES, Phase
from .state import (
    BIDDING,
    ENDED,
    HIDDEN,
    KING,
    LAST_HAND,
    MARY,
    MARY_ESCAPE,
    MARY_PIRATE,
    MERMAID,
    MOST_PLAYERS,
    NONE,
    PIRATE,
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

    What it leaves out has its value at the start of that hand; dealer, leader and last trick follow
    from each other as far as they do. Raises `BadPosition` for what cannot occur: see `INVARIANTS`.
    """
    state = _Reader(options["players"], position).state()
    check_invariants(INVARIANTS, kit, state)
    return state


class _Reader:
    """One position on its way to a state, read key by key."""

    def __init__(self, players: int, position: Mapping[str, Any]) -> None:
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
        state.leader = self._seat("leader")
        state.bonus[: self.players] = self._numbers("bonus", 0, _LARGEST_SCORE)
        state.tricks[: self.players] = self._numbers("tricks", 0, LAST_HAND)
        self._read_bids(state)
        self._read_cards(state)
        if state.phase not in (TO_START, TO_DEAL):
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
                continue
            if not reading.is_whole(bid, 0, state.hand):
                said = f"a bid is from 0 to {state.hand}, not {excerpt(bid)}"
                raise BadPosition(said, rule="SK-3")
            state.bids[seat] = bid

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
        hands = self.position.get("hands", [[]] * self.players)
        for seat, names in enumerate(self._by_seat("hands", hands)):
            cards = sorted(self._cards("hands", names, LAST_HAND, on_table=False))
            state.hands[seat][: len(cards)] = cards
        trick = self._cards("trick", self.position.get("trick", []), self.players - 1, True)
        state.trick[: len(trick)] = trick
        last = self.position.get("last")
        if last is None:
            return
        if not isinstance(last, dict) or set(last) != {"leader", "cards"}:
            raise BadPosition(f"'last' has a leader and cards, not {excerpt(last)}")
        cards = self._cards("last", last["cards"], self.players, on_table=True)
        if len(cards) != self.players:
            raise BadPosition("the last trick has one card of each seat", rule="SK-9")
        leader = last["leader"]
        if not reading.is_whole(leader, 0, self.players - 1):
            raise BadPosition(f"the leader of 'last' is a seat, not {excerpt(leader)}")
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
                    said = f"a note on the pad has a bid and points, not {excerpt(note)}"
                    raise BadPosition(said)
                state.pad_bids[hand][seat] = reading.whole_in("pad", note["bid"], 0, LAST_HAND)
                state.pad_points[hand][seat] = reading.whole_in(
                    "pad", note["points"], -_LARGEST_SCORE, _LARGEST_SCORE
                )

    def _settle_turn(self, state: State) -> None:
        """Fills in who deals and who leads, where that follows from the rest (SK-4, SK-9)."""
        if state.last_leader != NONE and state.leader == NONE:
            state.leader = last_winner(state)
        if not state.tricks.any():
            if state.dealer == NONE and state.leader != NONE:
                state.dealer = (state.leader - 1) % self.players
            if state.dealer != NONE and state.leader == NONE:
                state.leader = (state.dealer + 1) % self.players
            if state.dealer == NONE:
                raise BadPosition("who deals? give 'dealer' or 'leader'", rule="SK-4")


# What can occur ------------------------------------------------------------------------------
# Each answers what is wrong with a state, or None, and may rely on those before it in the table.


def _breach_of_dealer(kit: Kit, state: State) -> str | None:
    if state.phase != TO_START:
        return "there is no dealer" if state.dealer == NONE else None
    if state.hand != 1 or state.dealer != NONE:
        return "the first dealer is drawn once, before hand 1"
    return None


def _breach_of_empty_table(kit: Kit, state: State) -> str | None:
    if state.phase not in (TO_START, TO_DEAL):
        return None
    if any(card != NONE for card in chain(*state.hands, state.trick, state.last)):
        return "before the deal there are no cards on the table"
    if any(bid != NONE for bid in state.bids):
        return "nobody bids before the deal"
    if state.leader != NONE or state.tricks.any() or state.bonus.any():
        return "before the deal nobody leads, and no trick is won"
    return None


def _breach_of_pack(kit: Kit, state: State) -> str | None:
    for card, left in enumerate(_unseen(kit, state)):
        if left < 0:
            return f"there are not so many {CARD_NAMES[card]} cards"
    return None


def _breach_of_bidding(kit: Kit, state: State) -> str | None:
    if state.phase in (TO_START, TO_DEAL):
        return None
    missing = [seat for seat in range(state.players) if state.bids[seat] == NONE]
    if state.phase != BIDDING:
        return f"seat {missing[0]} has not bid" if missing else None
    if not missing:
        return "all have bid: the phase is 'play'"
    if state.tricks.any() or state.trick[0] != NONE or state.last_leader != NONE:
        return "nobody plays before all have bid"
    return None


def _breach_of_lead(kit: Kit, state: State) -> str | None:
    if state.phase in (TO_START, TO_DEAL) or state.leader != NONE:
        return None
    return "who leads? give 'leader' or 'last'"


def _breach_of_end(kit: Kit, state: State) -> str | None:
    if state.phase == ENDED and (state.hand != LAST_HAND or state.tricks.sum() != LAST_HAND):
        return "the game ends after ten tricks of hand ten"
    return None


def _breach_of_tricks(kit: Kit, state: State) -> str | None:
    if state.phase != ENDED and state.tricks.sum() >= state.hand:
        return f"hand {state.hand} has {state.hand} tricks"
    return None


def _breach_of_first_leader(kit: Kit, state: State) -> str | None:
    """The first trick may be on the table still, or be the last one finished."""
    finished = int(state.tricks.sum())
    leads = {0: state.leader, 1: state.last_leader}.get(finished, NONE)
    first = (state.dealer + 1) % state.players
    if state.phase in (TO_START, TO_DEAL) or leads in (NONE, first):
        return None
    return f"seat {first} leads first, left of the dealer"


def _breach_of_leader(kit: Kit, state: State) -> str | None:
    if state.last_leader == NONE:
        return None
    if not state.tricks.any():
        return "a last trick without a trick won"
    won, winner = state.tricks.tolist(), last_winner(state)
    if state.leader != winner:
        return f"seat {winner} won the last trick and leads"
    if won[winner] == 0:
        return f"the last trick is seat {winner}'s"
    won[winner] -= 1
    if any(won) and won[state.last_leader] == 0:
        return f"seat {state.last_leader} led the last trick without having won one"
    return None


def _breach_of_deal(kit: Kit, state: State) -> str | None:
    return None if state.tricks.any() or state.trick[0] != NONE else _breach_of_hands(kit, state)


def _breach_of_hands(kit: Kit, state: State) -> str | None:
    if state.phase in (TO_START, TO_DEAL):
        return None
    finished, on_table = int(state.tricks.sum()), rules.cards_in(state.trick)
    for seat in range(state.players):
        has_played = (seat - state.leader) % state.players < on_table
        due = state.hand - finished - has_played
        held = rules.cards_in(state.hands[seat])
        if held != due:
            return f"seat {seat} holds {held} cards, not {due}"
    return None


def _breach_of_suit(kit: Kit, state: State) -> str | None:
    """What a seat has of a suit it had also when it did not follow, in this trick or the last."""
    for trick, leader in ((state.trick, state.leader), (state.last, state.last_leader)):
        suit = NONE
        for place in range(rules.cards_in(trick)):
            seat = (leader + place) % state.players
            played = rules.suit_of(trick[place])
            if NONE not in (suit, played) and played != suit and _has_suit(state, seat, suit):
                return f"seat {seat} played {CARD_NAMES[trick[place]]} and could follow suit"
            suit = played if suit == NONE else suit
    return None


def _has_suit(state: State, seat: int, suit: int) -> bool:
    """Whether a seat holds a suit now, or has played it to the trick on the table."""
    cards = [*state.hands[seat]]
    place = (seat - state.leader) % state.players
    if place < rules.cards_in(state.trick):
        cards.append(state.trick[place])
    return any(rules.suit_of(card) == suit for card in cards)


def _breach_of_bonus(kit: Kit, state: State) -> str | None:
    """There is one Skull King, so that one trick of a hand brings a bonus at most. It is the last
    one, where all is seen, or a forgotten one: then of cards that are not seen elsewhere."""
    bonus, won = state.bonus.tolist(), state.tricks.tolist()
    if state.last_leader != NONE:
        winner = last_winner(state)
        bonus[winner] -= rules.trick_bonus(state.last, rules.winning_place(state.last))
        won[winner] -= 1
    seats = [seat for seat in range(state.players) if bonus[seat]]
    if not seats:
        return None
    possible = _bonuses(_unseen(kit, state), int(state.players))
    if len(seats) > 1 or won[seats[0]] < 1 or bonus[seats[0]] not in possible:
        return f"nothing can have brought seat {seats[0]} this bonus"
    return None


def _breach_of_pad(kit: Kit, state: State) -> str | None:
    for hand in range(1, LAST_HAND + 1):
        bids, points = state.pad_bids[hand - 1], state.pad_points[hand - 1]
        if bids[0] == NONE:
            continue
        if hand > _finished_hands(state):
            return f"hand {hand} is on the pad and is not finished"
        if not _can_be_noted(kit, hand, bids[: state.players], points[: state.players]):
            return f"hand {hand} cannot have come out as it is on the pad"
    if state.phase == ENDED and state.pad_bids[LAST_HAND - 1][0] != NONE:
        for seat in range(state.players):
            bid, tricks = int(state.bids[seat]), int(state.tricks[seat])
            got = rules.hand_points(LAST_HAND, bid, tricks, int(state.bonus[seat]))
            noted = state.pad_bids[LAST_HAND - 1][seat], state.pad_points[LAST_HAND - 1][seat]
            if noted != (bid, got):
                return f"in hand {LAST_HAND} seat {seat} bid {bid} and got {got}"
    return None


def _breach_of_scores(kit: Kit, state: State) -> str | None:
    untold = [
        hand for hand in range(1, _finished_hands(state) + 1) if state.pad_bids[hand - 1][0] == NONE
    ]
    bonus = max(_bonuses(kit.copies.tolist(), int(state.players)), default=0)
    most = sum(20 * hand + bonus for hand in untold)
    for seat in range(state.players):
        noted = int(state.pad_points[:, seat].sum())
        rest = int(state.scores[seat]) - noted
        if not -10 * sum(untold) <= rest <= most or rest % 10:
            said = f"seat {seat} has {state.scores[seat]} points, {noted} of them on the pad"
            return f"{said}: the other hands cannot have brought the rest"
    return None


INVARIANTS: tuple[Invariant, ...] = (
    Invariant("SK-R1", "chance draws the first dealer, before hand 1", _breach_of_dealer),
    Invariant("SK-1", "before the deal the table is empty", _breach_of_empty_table),
    Invariant("SK-C1", "no card is there more often than in the box", _breach_of_pack),
    Invariant("SK-3", "cards are played when all have bid, and not before", _breach_of_bidding),
    Invariant("SK-9", "from the deal on somebody leads", _breach_of_lead),
    Invariant("SK-25", "the game ends with the last trick of hand ten", _breach_of_end),
    Invariant("SK-9", "a hand has a trick for every card, and then it is over", _breach_of_tricks),
    Invariant("SK-4", "the seat to the dealer's left leads first", _breach_of_first_leader),
    Invariant("SK-9", "who won the trick before leads", _breach_of_leader),
    Invariant("SK-1", "hand n is dealt with n cards each", _breach_of_deal),
    Invariant("SK-9", "all hold as many cards as tricks are to come", _breach_of_hands),
    Invariant("SK-5", "who could follow suit has followed suit", _breach_of_suit),
    Invariant("SK-23", "a bonus comes from a trick with the Skull King", _breach_of_bonus),
    Invariant("SK-18", "the pad tells hands that can have been played so", _breach_of_pad),
    Invariant("SK-25", "scores are sums of what the hands brought", _breach_of_scores),
)
"""What holds in every state that can occur. Hands that the pad does not tell and tricks before the
last are forgotten: anything may have been in them that one hand, or one trick, can bring. Where the
last trick is left out it is forgotten too, and who leads is taken as given.
"""


def last_winner(state: State) -> int:
    """The seat that won the last finished trick (SK-9)."""
    return int(state.last_leader + rules.winning_place(state.last)) % int(state.players)


def _unseen(kit: Kit, state: State) -> list[int]:
    """How many of each card are neither in a hand nor in one of the two tricks that are seen; less
    than none where a position has too many."""
    left = kit.copies.tolist()
    for card in chain(*state.hands, state.trick, state.last):
        if card != NONE:
            left[rules.held_as(card)] -= 1
    return left


def _finished_hands(state: State) -> int:
    return LAST_HAND if state.phase == ENDED else int(state.hand) - 1


def _can_be_noted(kit: Kit, hand: int, bids: Array[Int8], points: Array[Int16]) -> bool:
    """Whether a hand can have brought these points: all its tricks were won by somebody, and one of
    them brought a bonus at most (SK-18 to SK-24)."""
    bonuses = _bonuses(kit.copies.tolist(), len(bids))
    sums, rewarded = {0}, 0
    for bid, got in zip(bids.tolist(), points.tolist(), strict=True):
        ways = set()
        for tricks in range(hand + 1):
            bonus = got - rules.hand_points(hand, bid, tricks, 0)
            if bonus == 0 or (tricks == bid > 0 and bonus in bonuses):
                ways.add(tricks)
        rewarded += bid > 0 and got > 20 * bid
        sums = {before + tricks for before in sums for tricks in ways}
    return max(bids.tolist()) <= hand and hand in sums and rewarded <= 1


def _bonuses(copies: Sequence[int], players: int) -> set[int]:
    """What one trick of these cards may bring, if anything (SK-23, SK-24)."""
    if not copies[KING]:
        return set()
    pirates = min(int(copies[PIRATE] + copies[MARY]), players - 1)
    return {30 * count for count in range(1, pirates + 1)} | ({50} if copies[MERMAID] else set())

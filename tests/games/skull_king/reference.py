"""Skull King told a second time, from the rulebook, in plain Python over the names of cards.

It shares nothing with the package, is slow, and checks little: it is there to disagree.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

PACK = Counter(
    {f"{suit}{number}": 1 for suit in "yrbk" for number in range(1, 14)}
    | {"escape": 5, "pirate": 5, "mermaid": 2, "mary": 1, "king": 1}
)
"""Game materials: 66 playing cards."""

ROLES = {
    "escape": "escape",
    "mary:escape": "escape",
    "mermaid": "mermaid",
    "pirate": "pirate",
    "mary:pirate": "pirate",
    "king": "king",
}

ALWAYS_TRUMPED_BY = {
    "escape": {"colour", "flag", "mermaid", "pirate", "king"},
    "colour": {"flag", "mermaid", "pirate", "king"},
    "flag": {"mermaid", "pirate", "king"},
    "mermaid": {"pirate"},
    "pirate": {"king"},
    "king": {"mermaid"},
}
"""What a later card must be to take the trick from the card that holds it, whatever its number."""


def role(card: str) -> str:
    """What a card on the table is: a colour, the flag, or a special card."""
    return ROLES.get(card) or ("flag" if card[0] == "k" else "colour")


def takes_over(later: str, holder: str) -> bool:
    """Whether a card takes the trick from the card that holds it so far."""
    if role(later) in ALWAYS_TRUMPED_BY[role(holder)]:
        return True
    # two cards of one suit: the higher number. (A first Pirate, Mermaid or Escape keeps its trick.)
    same_suit = role(later) == role(holder) in ("colour", "flag") and later[0] == holder[0]
    return same_suit and int(later[1:]) > int(holder[1:])


def winner(trick: list[str]) -> int:
    """The place of the card that wins."""
    roles = [role(card) for card in trick]
    if "king" in roles and "mermaid" in roles:
        return roles.index("mermaid")  # always, no matter which other cards are in the trick
    holder = 0
    for place in range(1, len(trick)):
        if takes_over(trick[place], trick[holder]):
            holder = place
    return holder


def bonus(trick: list[str]) -> int:
    """The bonus points in a trick."""
    taken_with = role(trick[winner(trick)])
    if taken_with == "king":
        return 30 * sum(card in ("pirate", "mary:pirate", "mary:escape") for card in trick)
    return 50 if taken_with == "mermaid" and "king" in trick else 0


def may_play(hand: list[str], trick: list[str]) -> set[str]:
    """What may be played from a hand to a trick."""
    suits_played = [card[0] for card in trick if role(card) in ("colour", "flag")]
    allowed = set(hand)
    if suits_played:
        following = {card for card in hand if card[0] == suits_played[0] and card[1].isdigit()}
        if following:
            allowed = following | {card for card in hand if not card[1].isdigit()}
    if "mary" in allowed:
        allowed = allowed - {"mary"} | {"mary:pirate", "mary:escape"}
    return allowed


def points(hand_number: int, bid: int, won: int, bonus_points: int) -> int:
    """What goes on the notepad."""
    off = abs(bid - won)
    if bid > 0:
        return 20 * won + bonus_points if off == 0 else -10 * off
    return 10 * hand_number * (1 if off == 0 else -1)


class Table:
    """A game in progress."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.number = 1
        self.dealer: int | None = None
        self.scores = [0] * players
        self.pad: list[Any] = [None] * 10
        self.phase = "start"
        self.clear()

    def clear(self) -> None:
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.bids: list[int | None] = [None] * self.players
        self.leader: int | None = None
        self.trick: list[str] = []
        self.last: dict[str, Any] | None = None
        self.tricks = [0] * self.players
        self.bonus = [0] * self.players

    def from_leader(self, places: int) -> int:
        """The seat so many places to the leader's left."""
        assert self.leader is not None
        return (self.leader + places) % self.players

    def left_of_dealer(self) -> int:
        """The seat to the dealer's left."""
        assert self.dealer is not None
        return (self.dealer + 1) % self.players

    def legal(self) -> dict[int, set[str]]:
        """What each seat may do; nothing while nature is to act."""
        if self.phase == "bid":
            bids = {f"bid {number}" for number in range(self.number + 1)}
            return {seat: bids for seat in range(self.players) if self.bids[seat] is None}
        if self.phase == "play":
            seat = self.from_leader(len(self.trick))
            return {seat: {f"play {card}" for card in may_play(self.hands[seat], self.trick)}}
        return {}

    def do(self, actor: int, text: str) -> None:
        """Carries out an action."""
        verb, words = text.split()
        if verb == "start":
            self.dealer = int(words)
            self.phase = "deal"
        elif verb == "deal":
            self.hands = [cards.split(",") for cards in words.split("/")]
            assert [len(hand) for hand in self.hands] == [self.number] * self.players
            assert Counter(card for hand in self.hands for card in hand) <= PACK
            self.leader = self.left_of_dealer()
            self.phase = "bid"
        elif verb == "bid":
            self.bids[actor] = int(words)
            if None not in self.bids:
                self.phase = "play"
        else:
            self.hands[actor].remove(words.split(":")[0])
            self.trick.append(words)
            if len(self.trick) == self.players:
                self.take_trick()
            if not any(self.hands):
                self.score_hand()

    def take_trick(self) -> None:
        taker = self.from_leader(winner(self.trick))
        self.tricks[taker] += 1
        self.bonus[taker] += bonus(self.trick)
        self.last = {"leader": self.leader, "cards": self.trick}
        self.leader, self.trick = taker, []

    def score_hand(self) -> None:
        bids = [bid for bid in self.bids if bid is not None]
        columns = zip(bids, self.tricks, self.bonus, strict=True)
        earned = [points(self.number, *column) for column in columns]
        self.scores = [old + new for old, new in zip(self.scores, earned, strict=True)]
        self.pad[self.number - 1] = [
            {"bid": bid, "points": new} for bid, new in zip(bids, earned, strict=True)
        ]
        if self.number == 10:
            self.phase = "over"
            return
        self.number += 1
        self.dealer = self.left_of_dealer()
        self.phase = "deal"
        self.clear()

    def winners(self) -> list[int]:
        """The seats that have won; nobody before the end."""
        if self.phase != "over":
            return []
        return [seat for seat in range(self.players) if self.scores[seat] == max(self.scores)]

    def position(self) -> dict[str, Any]:
        """The position keys, the cards of a hand as a multiset."""
        return {
            "phase": self.phase,
            "hand": self.number,
            "dealer": self.dealer,
            "hands": [Counter(hand) for hand in self.hands],
            "bids": self.bids,
            "leader": self.leader,
            "trick": self.trick,
            "last": self.last,
            "tricks": self.tricks,
            "bonus": self.bonus,
            "scores": self.scores,
            "pad": self.pad,
        }

"""Riff Raff told a second time, in plain Python and by other means, to check the compiled rules.

A table of dictionaries and counters that takes texts. It knows nothing of the compiled rules.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import TypeVar

T = TypeVar("T")

SHAPES = ("boat", "barrel", "flacon", "crate", "sailor", "plank", "rat", "chest")


def sure(value: T | None) -> T:
    """What must be there by now."""
    assert value is not None
    return value


class Table:
    """One game."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.phase = "start"
        self.round = 1
        self.captain: int | None = None
        copies = 2 if players == 2 else 1
        self.supply = [Counter(dict.fromkeys(SHAPES, copies)) for _ in range(players)]
        self.aboard: dict[int, Counter[str]] = {area: Counter() for area in range(1, 11)}
        self.cards = [set(range(1, 11)) for _ in range(players)]
        self.last: list[int | None] = [None] * players
        self.clear_round()

    def clear_round(self) -> None:
        self.played: list[int | None] = [None] * self.players
        self.order: list[int] = []
        self.clear_turn(None)

    def clear_turn(self, active: int | None) -> None:
        self.active = active
        self.announced: int | None = None
        self.loaded = 0
        self.hand: str | None = None

    # what may be done ------------------------------------------------------------------------

    @property
    def leaders(self) -> list[int]:
        best = max(card for card in self.played if card is not None)
        return [seat for seat, card in enumerate(self.played) if card == best]

    @property
    def tied(self) -> list[int]:
        """The seats beside the captain that share a number with another such seat."""
        counts = Counter(card for seat, card in enumerate(self.played) if seat != self.captain)
        return [
            seat
            for seat, card in enumerate(self.played)
            if seat != self.captain and counts[card] > 1
        ]

    def legal(self) -> dict[int, set[str]]:
        if self.phase == "card":
            return {
                seat: {f"card {card}" for card in self.cards[seat]}
                for seat in range(self.players)
                if self.played[seat] is None
            }
        if self.phase == "captain":
            return {sure(self.captain): {f"captain {seat}" for seat in self.leaders}}
        if self.phase == "order":
            orders = itertools.permutations(self.tied)
            return {sure(self.captain): {"order " + ",".join(map(str, order)) for order in orders}}
        if self.phase == "announce":
            return {sure(self.active): {"announce 1", "announce 2"}}
        if self.phase == "take":
            active = sure(self.active)
            return {active: {f"take {shape}" for shape in +self.supply[active]}}
        return {}

    # what it does ----------------------------------------------------------------------------

    def do(self, actor: int, text: str) -> None:
        verb, rest = text.split(" ", 1)
        getattr(self, f"do_{verb}")(actor, rest)

    def do_start(self, actor: int, rest: str) -> None:
        self.captain = int(rest)
        self.phase = "card"

    def do_card(self, seat: int, rest: str) -> None:
        self.played[seat] = int(rest)
        self.cards[seat].remove(int(rest))
        if None not in self.played:
            self.last = list(self.played)
            if len(self.leaders) > 1:
                self.phase = "captain"
            else:
                self.do_captain(seat, str(self.leaders[0]))

    def do_captain(self, actor: int, rest: str) -> None:
        self.captain = int(rest)
        if self.tied:
            self.phase = "order"
        else:
            self.do_order(self.captain, "")

    def do_order(self, actor: int, rest: str) -> None:
        chosen = [int(seat) for seat in rest.split(",") if seat]
        captain = sure(self.captain)
        others = [seat for seat in range(self.players) if seat != captain]
        others.sort(key=lambda s: (-sure(self.played[s]), chosen.index(s) if s in chosen else 0))
        self.order = [captain, *others]
        self.begin_turn(captain)

    def begin_turn(self, seat: int) -> None:
        self.clear_turn(seat)
        area = sure(self.played[seat])
        asked = area >= 5 and self.aboard[area].total() and self.supply[seat].total() >= 2
        self.phase = "announce" if asked else "take"

    def do_announce(self, actor: int, rest: str) -> None:
        self.announced = int(rest)
        self.phase = "take"

    def do_take(self, seat: int, rest: str) -> None:
        self.supply[seat][rest] -= 1
        self.hand = rest
        self.phase = "settle"

    def do_settle(self, actor: int, rest: str) -> None:
        mine = self.supply[sure(self.active)]
        head, *tail = re.split(r" (moved|fell|caught) ", rest)
        lists = dict(zip(tail[::2], (items.split(",") for items in tail[1::2]), strict=True))
        piece, end = head.split("=")
        if piece != self.hand:
            mine[sure(self.hand)] += 1
            mine[piece] -= 1
        self.hand = None
        fell, caught = lists.get("fell", []), lists.get("caught", [])
        for item in fell + caught:
            if "@" in item:
                self.take_off(item)
        for item in fell:
            mine[item.split("@")[0]] += 1
        gone = [item for item in caught if "@" in item]
        for item in lists.get("moved", []):
            item, there = item.split("=")
            self.take_off(item)
            self.aboard[int(there)][item.split("@")[0]] += 1
        if end.isdigit():
            self.aboard[int(end)][piece] += 1
        elif not (piece in caught and gone):
            mine[piece] += 1
        is_calm = end.isdigit() and not fell and not caught
        if is_calm and self.announced == 2 and not self.loaded:
            self.loaded = 1
            self.phase = "take"
        else:
            self.end_turn()

    def take_off(self, item: str) -> None:
        shape, area = item.split("@")
        assert self.aboard[int(area)][shape] > 0
        self.aboard[int(area)][shape] -= 1

    def end_turn(self) -> None:
        place = self.order.index(sure(self.active))
        if not self.supply[sure(self.active)].total():
            self.phase = "over"
            self.clear_turn(None)
        elif place + 1 < self.players:
            self.begin_turn(self.order[place + 1])
        elif self.round == (20 if self.players == 2 else 10):
            self.phase = "over"
            self.clear_turn(None)
        else:
            self.round += 1
            self.clear_round()
            self.phase = "card"
            if self.round == 11:
                self.cards = [set(range(1, 11)) for _ in range(self.players)]
                self.last = [None] * self.players

    # what is the case ------------------------------------------------------------------------

    def scores(self) -> list[int]:
        return [
            -self.supply[seat].total() - (self.hand is not None and seat == self.active)
            for seat in range(self.players)
        ]

    def winners(self) -> list[int]:
        if self.phase != "over":
            return []
        scores = self.scores()
        return [seat for seat in range(self.players) if scores[seat] == max(scores)]

    def position(self) -> dict[str, object]:
        def names(pieces: Counter[str]) -> list[str]:
            return [shape for shape in SHAPES for _ in range(pieces[shape])]

        return {
            "phase": self.phase,
            "players": self.players,
            "round": self.round,
            "captain": self.captain,
            "cards": [sorted(cards) for cards in self.cards],
            "played": self.played,
            "last": self.last,
            "order": self.order,
            "active": self.active,
            "announced": self.announced,
            "loaded": self.loaded,
            "hand": self.hand,
            "supply": [names(pieces) for pieces in self.supply],
            "aboard": {str(area): names(pieces) for area, pieces in self.aboard.items()},
        }

"""Jolly & Roger told a second time, from the rulebook, in plain Python over the names of cards.

It shares nothing with the package, is slow, and checks little: it is there to disagree. Captains
stand on the ships as they do on the table, moved after every card, and are not derived.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

COLOURS = {"g": "green", "y": "yellow", "b": "blue", "r": "red"}
SHIP_GOLD = {"green": 3, "yellow": 5, "blue": 7, "red": 9}

PRINTED = {"g": "1111222334455", "y": "111122233445", "b": "1111223345", "r": "11122345"}
PIRATES = Counter(colour + value for colour, values in PRINTED.items() for value in values)
SPECIALS = Counter(kraken=3, skeleton=2, tortuga=2)


class Member:
    """A card that lies in a crew."""

    def __init__(self, card: str, face_up: bool) -> None:
        self.card = card
        self.face_up = face_up

    @property
    def strength(self) -> int:
        if not self.face_up:
            return 1  # "A parrot always has a strength value of 1"
        return 3 if self.card == "skeleton" else int(self.card[1])

    def __repr__(self) -> str:
        return self.card if self.face_up else f"parrot:{self.card}"


class Ship:
    """A ship in the middle of the table, a crew on either side, and perhaps a captain on it."""

    def __init__(self, colour: str) -> None:
        self.colour = colour
        self.crews: tuple[list[Member], list[Member]] = ([], [])
        self.captain: int | None = None

    def check(self) -> None:
        """Who now has the stronger crew?"""
        jolly, roger = (sum(member.strength for member in crew) for crew in self.crews)
        if jolly == roger:
            self.captain = None
        elif jolly > roger and self.captain != 0:
            self.captain = 0
        elif roger > jolly and self.captain != 1:
            self.captain = 1

    def join(self, player: int, card: str, face_up: bool) -> None:
        self.crews[player].append(Member(card, face_up))
        self.check()


class Table:
    """A game in progress."""

    def __init__(self, variant: str) -> None:
        self.variant = variant
        self.unseen = PIRATES if variant == "intro" else PIRATES + SPECIALS
        self.last_turn = 10 if variant == "all-cards" else 8
        self.turn = 1
        self.phase = "start"
        self.splitter: int | None = None
        self.offer: list[str] = []
        self.sets: list[list[str]] = [[], []]
        self.hands: list[list[str]] = [[], []]
        self.ships = {colour: Ship(colour) for colour in SHIP_GOLD}
        self.chests: list[list[str]] = [[], []]
        self.box: list[str] = []

    @property
    def flag(self) -> int:
        """Who has the pirate flag: the splitter, once there is one."""
        assert self.splitter is not None
        return self.splitter

    # what may be done

    def legal(self) -> dict[int, set[str]]:
        """What each seat may do; nothing while nature is to act."""
        if self.phase == "split":
            return {self.flag: self.splits()}
        if self.phase == "pick":
            return {1 - self.flag: {"pick 1", "pick 2"}}
        if self.phase == "play":
            picker = 1 - self.flag
            seat = picker if self.hands[picker] else self.flag
            uses = {use for card in self.hands[seat] for use in self.uses(seat, card)}
            return {seat: uses}
        return {}

    def splits(self) -> set[str]:
        found = set()
        for size in (1, 2, 3, 4):
            for first in combinations(range(5), size):
                sets: list[list[str]] = [[], []]
                for place, card in enumerate(self.offer):
                    sets[place not in first].append(card)
                found.add("split " + "/".join(",".join(in_order(cards)) for cards in sets))
        return found

    def uses(self, seat: int, card: str) -> set[str]:
        found = {f"parrot {card} {ship}" for ship in self.ships}
        if card == "kraken":
            found.add("kraken none")
            for ship in self.ships.values():
                crew = ship.crews[1 - seat]
                if crew and repr(crew[-1]) != "skeleton":
                    found.add(f"kraken {ship.colour}")
        elif card == "tortuga":
            found.add("tortuga")
        elif card == "skeleton":
            found |= {f"crew skeleton {ship}" for ship in self.ships}
        else:
            ship = self.ships[COLOURS[card[0]]]
            found.add(f"crew {card} {ship.colour}")
            if ship.captain == seat:
                found.add(f"board {card}")
        return found

    # doing it

    def do(self, actor: int | str, text: str) -> None:
        """Carries out an action."""
        verb, *words = text.split()
        getattr(self, f"do_{verb}")(actor, *words)
        if self.phase == "play" and not any(self.hands):
            self.pass_the_flag()

    def do_start(self, actor: int, seat: str) -> None:
        self.splitter = int(seat)
        self.phase = "deal"

    def do_deal(self, actor: int, cards: str) -> None:
        self.offer = cards.split(",")
        assert len(self.offer) == 5
        assert Counter(self.offer) <= self.unseen
        self.unseen = self.unseen - Counter(self.offer)
        self.phase = "split"

    def do_split(self, actor: int, sets: str) -> None:
        self.sets = [cards.split(",") for cards in sets.split("/")]
        assert Counter(self.sets[0]) + Counter(self.sets[1]) == Counter(self.offer)
        self.offer = []
        self.phase = "pick"

    def do_pick(self, actor: int, which: str) -> None:
        taken = self.sets.pop(int(which) - 1)
        (left,) = self.sets
        self.hands = [taken, left] if actor == 0 else [left, taken]
        self.sets = [[], []]
        self.phase = "play"

    def do_crew(self, actor: int, card: str, ship: str) -> None:
        self.hands[actor].remove(card)
        self.ships[ship].join(actor, card, face_up=True)

    def do_parrot(self, actor: int, card: str, ship: str) -> None:
        self.hands[actor].remove(card)
        self.ships[ship].join(actor, card, face_up=False)

    def do_board(self, actor: int, card: str) -> None:
        self.hands[actor].remove(card)
        self.chests[actor].append(card)

    def do_kraken(self, actor: int, ship: str) -> None:
        self.hands[actor].remove("kraken")
        self.box.append("kraken")
        if ship != "none":
            self.box.append(self.ships[ship].crews[1 - actor].pop().card)
            self.ships[ship].check()

    def do_tortuga(self, actor: int) -> None:
        self.hands[actor].remove("tortuga")
        self.box.append("tortuga")
        for ship in self.ships.values():
            for member in ship.crews[actor]:
                if member.card not in SPECIALS:
                    member.face_up = True
            ship.check()

    def pass_the_flag(self) -> None:
        if self.turn == self.last_turn:
            self.phase = "over"
        else:
            self.turn += 1
            self.splitter = 1 - self.flag
            self.phase = "deal"

    # how it stands

    def scores(self) -> list[int]:
        """What each would have if the ships were taken now."""
        gold = [sum(int(card[1]) for card in chest) for chest in self.chests]
        for ship in self.ships.values():
            if ship.captain is not None:
                gold[ship.captain] += SHIP_GOLD[ship.colour]
        return gold

    def winners(self) -> list[int]:
        """The seats that have won; nobody before the end."""
        if self.phase != "over":
            return []
        best = [0, 0]
        for ship in self.ships.values():
            if ship.captain is not None:
                best[ship.captain] = max(best[ship.captain], SHIP_GOLD[ship.colour])
        standing = sorted(zip(self.scores(), best, (0, 1), strict=True))
        if standing[0][:2] == standing[1][:2]:
            return [0, 1]
        return [standing[1][2]]

    def position(self) -> dict[str, Any]:
        """The position keys; cards whose order carries no meaning in their order."""
        return {
            "phase": self.phase,
            "variant": self.variant,
            "turn": self.turn,
            "splitter": self.splitter,
            "offer": in_order(self.offer),
            "sets": [in_order(cards) for cards in self.sets],
            "hands": [in_order(cards) for cards in self.hands],
            "crews": {
                ship.colour: [[repr(member) for member in crew] for crew in ship.crews]
                for ship in self.ships.values()
            },
            "strengths": {
                ship.colour: [sum(member.strength for member in crew) for crew in ship.crews]
                for ship in self.ships.values()
            },
            "captains": {ship.colour: ship.captain for ship in self.ships.values()},
            "chests": [in_order(cards) for cards in self.chests],
            "removed": in_order(self.box),
        }


def in_order(cards: list[str]) -> list[str]:
    """Green, yellow, blue, red by number, then the special cards by name."""
    return sorted(cards, key=lambda card: ("gybr".find(card[0]) if card[1:].isdigit() else 9, card))

"""Gezanke auf der Planke told a second time, from the rulebook, in plain Python.

It shares nothing with the package, is slow, and checks little: it is there to disagree. Balance is
the mechanics of a lever in fractions, not the formula of the ledger.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

PLANKS = ["yellow", "green", "orange", "red", "blue", "purple"]
COLOURS = ["grey", "white", "black", "brown"]
GOLD = {
    "yellow": ("221101122", "221101122"),
    "green": ("211101112", "211101112"),
    "orange": ("211000112", "211000112"),
    "red": ("211101112", "222100112"),
    "blue": ("211000112", "211001222"),
    "purple": ("221101122", "210000012"),
}
SPACES = range(-4, 5)

# tenths of a gram and of a millimetre: sums stay whole, only centres of mass are fractions
PLANK_GRAMS, PIRATE_GRAMS, SHIP_GRAMS = 121, 60, 1500
PLANK_HEIGHT, PIRATE_HEIGHT = 15, 30 + 180  # of the centre of mass, over the deck
SHIP_DEPTH, DECK_DEPTH = 600, 300  # below the centre of the rocker
HALF_DECK, SPACE = 720, 200
STEEPEST = Fraction(1, 5)


class Plank:
    """A plank that lies on the ship, and who stands on it."""

    def __init__(self, name: str, side: str) -> None:
        self.name = name
        self.side = side
        self.offset: int | Fraction = 0
        self.standing: dict[int, str] = {}

    def gold(self, space: int) -> int:
        return int(GOLD[self.name][self.side == "back"][space + 4])

    @property
    def bodies(self) -> list[tuple[int, int | Fraction, int]]:
        """Everything that is heavy: weight, how far to starboard, how high over the deck."""
        bodies: list[tuple[int, int | Fraction, int]] = [
            (PLANK_GRAMS, SPACE * self.offset, PLANK_HEIGHT)
        ]
        for space in self.standing:
            bodies.append((PIRATE_GRAMS, SPACE * (self.offset + space), PIRATE_HEIGHT))
        return bodies

    def centre(self) -> tuple[Fraction, Fraction]:
        """The centre of mass: across the ship, and over the deck."""
        bodies = self.bodies
        weight = sum(grams for grams, _, _ in bodies)
        across = Fraction(sum(grams * x for grams, x, _ in bodies), weight)
        return across, Fraction(sum(grams * z for grams, _, z in bodies), weight)


def tilt(planks: list[Plank]) -> Fraction:
    """The tangent of the roll: the ship turns until its load hangs below the rocker's centre."""
    bodies = [body for plank in planks for body in plank.bodies]
    across = sum(grams * x for grams, x, _ in bodies)
    below = SHIP_GRAMS * SHIP_DEPTH + sum(grams * (DECK_DEPTH - z) for grams, _, z in bodies)
    return min(max(Fraction(across, below), -STEEPEST), STEEPEST)


def reaches(planks: list[Plank]) -> dict[str, Fraction]:
    """How far out each plank's centre of mass is, as seen along the plumb line."""
    slope = tilt(planks)
    found = {}
    for plank in planks:
        across, height = plank.centre()
        found[plank.name] = abs(across + height * slope)
    return found


def toppled(planks: list[Plank]) -> list[tuple[str, Fraction]]:
    """Which planks fall, in their order, and how far over the edge; they are put back empty."""
    fallen: list[tuple[str, Fraction]] = []
    while True:
        aboard = list(planks)
        while aboard:
            far = reaches(aboard)
            name = max(far, key=lambda name: far[name])  # the first of equals: nearest the bow
            if far[name] <= HALF_DECK:
                break
            fallen.append((name, far[name] - HALF_DECK))
            aboard = [plank for plank in aboard if plank.name != name]
        gone = [plank for plank in planks if plank not in aboard]
        if not gone:
            return fallen
        for plank in gone:
            plank.offset = 0
            plank.standing = {}


# A real hand, by the letters of the ledger ---------------------------------------------------


class Strain(NamedTuple):
    """What a hand does to the ship."""

    plank: str
    s: int
    shift: int
    pull: int
    swing: int


def letters(plank: Plank) -> tuple[int, int, int]:
    """w, P and H of a plank."""
    n, total = len(plank.standing), sum(plank.standing)
    w = 121 + 60 * n
    return w, 200 * (w * int(plank.offset) + 60 * total), 1815 + 12600 * n


def strain_of(plank: Plank, do: str, at: int, figures: dict[str, int]) -> Strain:
    """The strain of a gesture that was made: `at` is the side of a slide, else the space."""
    w, _, h = letters(plank)
    speed, press, kick = figures["speed"], figures["press"], figures["kick"]
    if do == "slide":
        swing = (kick + max(0, speed - 10) * w // 24) // 20
        return Strain(plank.name, at, figures["over"], 0, swing)
    k = int(plank.offset)
    x = 200 * (k + at)
    s = 1 if x > 0 else -1
    d = s * x - 720
    pull = 60 * press * d // 100 if d > 0 else 0
    if d > 0 and do != "lift":
        i = 121 * (270000 + (200 * k - 720 * s) ** 2)
        i += sum(60 * ((200 * (k + space) - 720 * s) ** 2 + 210**2) for space in plank.standing)
        e = (speed * d) ** 2 // w * 37447 // i
        r = min(math.isqrt(2 * (100 * h // w) * e + e * e), 200000)
        pull = max(pull, w * r // 100)
    return Strain(plank.name, s, 0, pull, kick // 20)


def leaving(planks: list[Plank], strain: Strain | None) -> list[str]:
    """Which planks leave one after the other until nothing tips, with a strain or without."""
    aboard = list(planks)
    gone: list[str] = []
    while True:
        measured = {}
        for plank in aboard:
            w, p, h = letters(plank)
            if strain and plank.name == strain.plank:
                p += strain.s * strain.shift * w
            measured[plank.name] = w, p, h
        a = sum(p for _, p, _ in measured.values())
        b = 900000 + sum(300 * w - h for w, _, h in measured.values())
        if 5 * abs(a) > b:
            a, b = (1 if a > 0 else -1), 5
        over: dict[str, Fraction] = {}
        for name, (w, p, h) in measured.items():
            if strain is None:
                n, unit = abs(p * b + h * a), b
            else:
                sides, unit = [], 200 * b
                for t in (1, -1):
                    bound = 200 * b // 5
                    tilt = min(max(200 * a + t * strain.swing * b, -bound), bound)
                    pull = unit * strain.pull if (name, t) == (strain.plank, strain.s) else 0
                    sides.append(t * (200 * p * b + h * tilt) + pull)
                n = max(sides)
            if n > 720 * w * unit:
                over[name] = Fraction(n, w * unit)
        if not over:
            return gone
        first = max(over, key=lambda name: over[name])
        gone.append(first)
        aboard = [plank for plank in aboard if plank.name != first]


def fallen_by_hand(planks: list[Plank], strain: Strain | None) -> list[str]:
    """All planks that fall, in their order; they are put back empty."""
    fallen: list[str] = []
    while True:
        gone = leaving(planks, strain)
        fallen += gone
        for plank in planks:
            if plank.name in gone:
                plank.offset, plank.standing = 0, {}
        if not gone and strain is None:
            return fallen
        strain = None


class Table:
    """A game with steady hands."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.phase = "start"
        self.active = 0
        self.is_begun = False
        self.fins = 7
        self.planks: list[Plank] = []
        self.dice: list[str] = []
        self.slid: str | None = None
        self.held: str | None = None
        self.lifted: str | None = None
        self.purses = [0] * players
        self.begin_turn()

    def begin_turn(self) -> None:
        self.dice = []
        self.slid = None
        self.lost = dict.fromkeys(COLOURS, 0)
        self.choices: dict[str, str | None] = dict.fromkeys(COLOURS)
        self.boarding = dict.fromkeys(COLOURS, 0)
        self.boarder: int | None = None

    # who is who ------------------------------------------------------------------------------

    def owner(self, colour: str) -> int | None:
        number = COLOURS.index(colour)
        if self.players == 2:
            return number % 2
        return number if number < self.players else None

    def own(self, seat: int | None) -> list[str]:
        return [colour for colour in COLOURS if self.owner(colour) == seat]

    def plank(self, name: str) -> Plank:
        return next(plank for plank in self.planks if plank.name == name)

    def at(self, text: str) -> tuple[Plank, int]:
        name, space = text.split(":")
        return self.plank(name), int(space)

    def aboard(self, colour: str) -> list[str]:
        return [
            f"{name}:{space}"
            for name in PLANKS
            for space in SPACES
            if self.planks and self.plank(name).standing.get(space) == colour
        ]

    def missing(self, colour: str) -> int:
        return 3 - len(self.aboard(colour)) - (self.held == colour)

    def seat_in_turn(self) -> int | None:
        if self.phase == "setup":
            placed = sum(len(self.aboard(colour)) for colour in COLOURS)
            return (self.active + placed) % self.players
        if self.phase in ("slide", "lift", "set"):
            return self.active
        if self.phase == "choose":
            for step in range(self.players):
                seat = (self.active + step) % self.players
                if any(self.choices[colour] is None for colour in self.own(seat)):
                    return seat
        return self.boarder if self.phase in ("neutral", "board") else None

    # what may be done ------------------------------------------------------------------------

    def legal(self) -> dict[int, set[str]]:
        seat = self.seat_in_turn()
        if seat is None:
            return {}
        texts: set[str] = set()
        every = [f"{name}:{space}" for name in PLANKS for space in SPACES]
        if self.phase == "setup":
            free = [text for text in every if self.at(text)[1] not in self.at(text)[0].standing]
            colours = [colour for colour in self.own(seat) if self.missing(colour)]
            if self.players == 3 and self.missing("brown"):
                colours = ["brown"]
            texts = {f"place {colour} {text}" for colour in colours for text in free}
        elif self.phase == "slide":
            for name in self.dice:
                ways = ("port", "starboard") if self.plank(name).standing else ("stay",)
                texts |= {f"slide {name} {way}" for way in ways}
        elif self.phase == "lift":
            own = [text for colour in self.own(seat) for text in self.aboard(colour)]
            elsewhere = [text for text in own if not text.startswith(f"{self.other_die()}:")]
            texts = {f"lift {text}" for text in elsewhere or own}
        elif self.phase == "set":
            texts = {f"set {way}" for way in self.ways([self.other_die()])}
            texts.discard(f"set {self.lifted}")
        elif self.phase == "choose":
            for colour in self.own(seat):
                if self.choices[colour] is None:
                    named = f" {colour}" if self.players == 2 else ""
                    texts |= {f"collect{named}", f"rescue{named}"}
        elif self.phase == "neutral":
            texts = {f"board brown {way}" for way in self.ways(PLANKS)}
        else:
            colours = [colour for colour in self.own(seat) if self.boarding[colour]]
            texts = {f"board {colour} {way}" for colour in colours for way in self.ways(PLANKS)}
        return {seat: texts}

    def other_die(self) -> str:
        return next(name for name in self.dice if name != self.slid)

    def ways(self, names: list[str]) -> list[str]:
        """Every space of some planks one may come to, with a direction where one is needed."""
        found = []
        for name in names:
            standing = self.plank(name).standing
            for space in SPACES:
                text = f"{name}:{space}"
                if space not in standing:
                    found.append(text)
                elif space == 0:
                    for direction, side in (("port", -1), ("starboard", 1)):
                        if any(side * free not in standing for free in range(1, 5)):
                            found.append(f"{text} {direction}")
                else:
                    side = -1 if space > 0 else 1
                    path = range(space, 5 * side, side)
                    if any(free not in standing for free in path):
                        found.append(text)
        return found

    # what happens ----------------------------------------------------------------------------

    def do(self, actor: int, text: str) -> None:
        verb, *words = text.split(" ")
        if verb == "start":
            self.active, self.is_begun, self.phase = int(words[0]), True, "lay"
        elif verb == "lay":
            self.planks = [Plank(*word.split("/")) for word in words]
            self.phase = "setup"
        elif verb == "roll":
            self.dice, self.phase = words, "slide"
        elif verb == "place":
            plank, space = self.at(words[1])
            plank.standing[space] = words[0]
            if not any(self.missing(colour) for colour in COLOURS):
                self.phase = "roll"
        elif verb == "slide":
            plank, self.slid = self.plank(words[0]), words[0]
            if words[1] != "stay":
                plank.offset += len(plank.standing) * (1 if words[1] == "starboard" else -1)
                self.splash()
            self.begin_move()
        elif verb == "lift":
            plank, space = self.at(words[0])
            self.held, self.lifted = plank.standing.pop(space), words[0]
            self.splash()
            self.phase = "set"
        elif verb == "set":
            assert self.held
            self.push(self.held, words)
            self.held = self.lifted = None
            self.splash()
            self.end_move()
        elif verb in ("collect", "rescue"):
            self.choices[words[0] if words else self.own(actor)[0]] = verb
            if self.seat_in_turn() is None:
                self.end_choices()
        else:
            self.boarding[words[0]] -= 1
            self.push(words[0], words[1:])
            self.splash(oath_of=actor)
            if sum(self.purses) >= 103:
                self.phase = "over"
            else:
                self.next_boarder()

    def push(self, colour: str, words: list[str]) -> None:
        plank, space = self.at(words[0])
        side = -1 if space > 0 or words[-1] == "port" else 1
        coming: str | None = colour
        while coming is not None:
            plank.standing[space], coming = coming, plank.standing.get(space)
            space += side

    def splash(self, oath_of: int | None = None) -> None:
        """What falls now is counted; a plank that falls while boarding is paid for."""
        before = {plank.name: list(plank.standing.values()) for plank in self.planks}
        for name, _ in toppled(self.planks):
            for colour in before[name]:
                if oath_of is None:
                    self.lost[colour] += 1
                elif (paid := self.owner(colour)) not in (None, oath_of):
                    assert paid is not None
                    self.purses[paid] += 2

    def begin_move(self) -> None:
        own = [text for colour in self.own(self.active) for text in self.aboard(colour)]
        target = self.other_die()
        elsewhere = [text for text in own if not text.startswith(f"{target}:")]
        full = len(self.plank(target).standing) == 9
        if not own or (elsewhere and full):
            self.end_move()
        else:
            self.phase = "lift"

    def end_move(self) -> None:
        if not any(self.lost.values()):
            self.next_turn()
            return
        self.phase = "choose"
        for colour in COLOURS:
            everybody = self.fins == 1 or not self.missing(colour)
            if self.owner(colour) is not None and everybody:
                self.choices[colour] = "collect"
        if self.seat_in_turn() is None:
            self.end_choices()

    def end_choices(self) -> None:
        for seat in range(self.players):
            for colour in self.own(seat):
                for text in self.aboard(colour) if self.choices[colour] == "collect" else []:
                    plank, space = self.at(text)
                    self.purses[seat] += plank.gold(space)
        if self.fins == 1:
            self.fins = 0
        if self.fins == 0 or sum(self.purses) >= 103:
            self.phase = "over"
            return
        for colour, choice in self.choices.items():
            if choice == "rescue":
                self.boarding[colour] = self.missing(colour)
        if self.players == 3 and self.missing("brown") == 3:
            self.boarding["brown"] = 3
            self.phase, self.boarder = "neutral", self.active
        else:
            self.phase, self.boarder = "board", (self.active - 1) % self.players
            self.next_boarder()

    def next_boarder(self) -> None:
        assert self.boarder is not None
        if self.phase == "neutral":
            self.boarder = (self.boarder + 1) % self.players
            if self.boarding["brown"]:
                return
            self.phase, self.boarder = "board", (self.active - 1) % self.players
        for _ in range(self.players):
            self.boarder = (self.boarder + 1) % self.players
            if any(self.boarding[colour] for colour in self.own(self.boarder)):
                return
        self.fins -= 1
        self.next_turn()

    def next_turn(self) -> None:
        self.begin_turn()
        self.active = (self.active + 1) % self.players
        is_empty = not any(self.aboard(colour) for colour in COLOURS)
        self.phase = "over" if is_empty else "roll"  # GP-R11

    # what it looks like ----------------------------------------------------------------------

    def position(self) -> dict[str, Any]:
        pirates: dict[str, list[str | None]] = {}
        for colour in COLOURS:
            pirates[colour] = [*self.aboard(colour), *(["hand"] if self.held == colour else [])]
            pirates[colour] += [None] * (3 - len(pirates[colour]))
        return {
            "phase": self.phase,
            "players": self.players,
            "active": self.active if self.is_begun else None,
            "fins": self.fins,
            "planks": [(plank.name, plank.side, plank.offset) for plank in self.planks],
            "pirates": pirates,
            "dice": self.dice,
            "slid": self.slid,
            "lifted": self.lifted,
            "lost": self.lost,
            "culprit": None,
            "choices": self.choices,
            "boarding": self.boarding,
            "boarder": self.boarder,
            "purses": self.purses,
        }

    def winners(self) -> list[int]:
        best = max(self.purses)
        return [seat for seat in range(self.players) if self.purses[seat] == best]


ROLLS = list(combinations(PLANKS, 2))

"""Gezanke auf der Planke: positions as text, both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import numpy as np
from msgspec import Struct

from quarterdeck.contract import BadPosition, reader, reading, record

from . import rules
from .balance import STRAIN_SIZE, STRAINED, topple
from .moves import can_move, may_board
from .notation import (
    CHOICE_NAMES,
    COLOUR_NAMES,
    DIRECTION_NAMES,
    GESTURE_NAMES,
    HAND_NAMES,
    PHASE_NAMES,
    PLACE_NAMES,
    PLANK_NAMES,
    PURSE_NAMES,
    SIDE_NAMES,
    Choice,
    Direction,
    Phase,
    Plank,
    Side,
    Verb,
)
from .state import (
    BOARDING,
    CHOOSING,
    COLOURS,
    CREW,
    EACH,
    ENDED,
    LIFTING,
    NEUTRAL,
    NONE,
    PLANKS,
    PUTTING_NEUTRALS,
    SETTING,
    SETTING_UP,
    SLIDE,
    SLIDING,
    SPACES,
    STAY,
    TO_LAY,
    TO_START,
    Kit,
    State,
    overboard,
    placed,
    to_act,
)

T = TypeVar("T")


class LaidPlank(Struct, frozen=True):
    """A plank as it lies: its side that is up, and how many spaces it is slid to starboard."""

    name: Plank
    side: Side
    offset: int


class Crews(Struct, frozen=True):
    """By colour where its pirates are: on a space, in the `hand`, or null for overboard."""

    grey: list[str | None]
    white: list[str | None]
    black: list[str | None]
    brown: list[str | None]


class Counts(Struct, frozen=True):
    """How many pirates of each colour."""

    grey: int
    white: int
    black: int
    brown: int


class Choices(Struct, frozen=True):
    """What was chosen for each colour after a splash."""

    grey: Choice | None
    white: Choice | None
    black: Choice | None
    brown: Choice | None


class Gesture(Struct, frozen=True):
    """What a hand is awaited for: what it does, at which space or plank, and where a plank goes."""

    do: Verb
    at: str
    side: Direction | None


class Position(Struct, frozen=True):
    """The keys of a position; `?` stands for what is hidden from whoever looks."""

    phase: Phase
    players: int
    active: int | None
    fins: int
    planks: list[LaidPlank]
    pirates: Crews
    dice: list[Plank]
    slid: Plank | None
    lifted: str | None
    gesture: Gesture | None
    lost: Counts
    culprit: int | None
    choices: Choices
    boarding: Counts
    boarder: int | None
    purses: list[int | Literal["?"]]


_fields = reader(State)


def position(kit: Kit, state: State) -> Position:
    """The position keys of a state, or of what a seat may see of it."""
    (
        players, _, _, phase, active, fins, order, sides, offsets, board, dice, slid, held, lifted,
        gesture, at, side, lost, culprit, choices, boarding, boarder, purses,
    ) = _fields(state)  # fmt: skip
    return Position(
        PHASE_NAMES[phase],
        players,
        _or_none(active),
        fins,
        [
            LaidPlank(PLANK_NAMES[plank], SIDE_NAMES[sides[plank]], offsets[plank])
            for plank in order
            if plank != NONE
        ],
        _standing(board, held),
        [PLANK_NAMES[plank] for plank in dice if plank != NONE],
        _named(PLANK_NAMES, slid),
        _named(PLACE_NAMES, lifted),
        None if gesture == NONE else _gesture(gesture, at, side),
        Counts(*lost),
        _or_none(culprit),
        Choices(*[_named(CHOICE_NAMES, choice) for choice in choices]),
        Counts(*boarding),
        _or_none(boarder),
        purse_names(purses[:players]),
    )


def purse_names(purses: Iterable[int]) -> list[int | Literal["?"]]:
    """The purses as they are told."""
    return ["?" if purse < 0 else purse for purse in purses]


def _or_none(seat: int) -> int | None:
    return None if seat == NONE else seat


def _named(names: Sequence[T], number: int) -> T | None:
    return None if number == NONE else names[number]


def _standing(board: Sequence[int], held: int) -> Crews:
    """Where all pirates are: first those on spaces, then one in the hand, then those overboard."""
    there: list[list[str | None]] = [[] for _ in range(COLOURS)]
    for place, colour in enumerate(board):
        if colour != NONE:
            there[colour].append(PLACE_NAMES[place])
    if held != NONE:
        there[held].append("hand")
    return Crews(*[places + [None] * (EACH - len(places)) for places in there])


def _gesture(verb: int, at: int, side: int) -> Gesture:
    if verb == SLIDE:
        return Gesture(GESTURE_NAMES[verb], PLANK_NAMES[at], DIRECTION_NAMES[side > 0])
    return Gesture(GESTURE_NAMES[verb], PLACE_NAMES[at], None)


# Reading one ---------------------------------------------------------------------------------


def from_position(kit: Kit, options: Mapping[str, Any], position: Mapping[str, Any]) -> State:
    """The state a position describes.

    What it leaves out is empty; without a `phase` the dice are to be rolled, or the game is to
    begin if there are no planks. Raises `BadPosition` for one that cannot occur.
    """
    return _Reader(kit, options, position).state()


_LARGEST_PURSE = 999
_FARTHEST = 14  # spaces: a full plank slid from where it just rests


class _Reader:
    """One position on its way to a state, checked key by key."""

    def __init__(self, kit: Kit, options: Mapping[str, Any], position: Mapping[str, Any]) -> None:
        self.kit = kit
        self.position = position
        self.players: int = options["players"]
        self.numbers = [
            self.players,
            HAND_NAMES.index(options["hands"]),
            PURSE_NAMES.index(options["purses"]),
        ]

    def state(self) -> State:
        reading.check_keys(self.position, Position.__struct_fields__, "Gezanke")
        reading.check_option(self.position, "players", self.players)
        state = record(State)
        rules.new(self.kit, np.array(self.numbers, np.int64), state)
        state.phase = self._phase()
        state.active = self._seat("active")
        fins = int(self.kit.fins)
        state.fins = reading.whole("fins", self.position.get("fins", fins), 0, fins)
        self._read_planks(state)
        self._read_pirates(state)
        self._read_turn(state)
        self._read_gesture(state)
        self._read_splash(state)
        self._read_purses(state)
        self._check(state)
        return state

    # one key each ----------------------------------------------------------------------------

    def _name(self, key: str, names: Sequence[str], value: object) -> int:
        """The number of a name; NONE where there is none."""
        return NONE if value is None else reading.one_of(key, value, names)

    def _seat(self, key: str) -> int:
        return reading.seat(self.position, key, self.players, NONE)

    def _by_colour(self, key: str, unsaid: Any) -> list[Any]:
        """The values of a key that goes by colours, in their order."""
        value = reading.keyed(key, self.position.get(key, {}), COLOUR_NAMES, "goes by colours")
        return [value.get(name, unsaid) for name in COLOUR_NAMES]

    def _counts(self, key: str) -> list[int]:
        """How many pirates of each colour a key counts."""
        return [reading.whole_in(key, count, 0, EACH) for count in self._by_colour(key, 0)]

    def _phase(self) -> int:
        unsaid = "roll" if self.position.get("planks") else "start"
        return reading.one_of("phase", self.position.get("phase", unsaid), PHASE_NAMES)

    def _read_planks(self, state: State) -> None:
        planks = self.position.get("planks", [])
        if not isinstance(planks, list) or not all(isinstance(plank, dict) for plank in planks):
            raise BadPosition(f"'planks' is a list of planks, not {planks!r}")
        named = [self._name("planks", PLANK_NAMES, plank.get("name")) for plank in planks]
        due = [] if state.phase in (TO_START, TO_LAY) else list(range(PLANKS))
        if sorted(named) != due:
            raise BadPosition(f"'planks' are {len(due)} different ones", rule="GP-1")
        for lane, (number, plank) in enumerate(zip(named, planks, strict=True)):
            for key in plank:
                if key not in ("name", "side", "offset"):
                    raise BadPosition(f"a plank has no {key!r}")
            state.order[lane] = number
            state.sides[number] = self._name("planks", SIDE_NAMES, plank.get("side", "front"))
            offset = plank.get("offset", 0)
            state.offsets[number] = reading.whole("offset", offset, -_FARTHEST, _FARTHEST)

    def _read_pirates(self, state: State) -> None:
        for colour, places in enumerate(self._by_colour("pirates", [])):
            if not isinstance(places, list) or len(places) > EACH:
                raise BadPosition(
                    f"there are three pirates of a colour, not {places!r}", rule="GP-C2"
                )
            for place in places:
                if place == "hand":
                    if state.held != NONE:
                        raise BadPosition("a hand holds one pirate", rule="GP-7")
                    state.held = colour
                    continue
                number = self._name("pirates", PLACE_NAMES, place)
                if number == NONE:
                    continue
                if state.order[0] == NONE:
                    raise BadPosition("nobody stands where there is no plank", rule="GP-4")
                plank, space = divmod(number, SPACES)
                if state.board[plank][space] != NONE:
                    raise BadPosition(f"two pirates stand on {place!r}", rule="GP-4")
                state.board[plank][space] = colour

    def _read_turn(self, state: State) -> None:
        dice = self.position.get("dice", [])
        if not isinstance(dice, list) or len(dice) not in (0, 2) or None in dice:
            raise BadPosition(f"'dice' are two colours or none, not {dice!r}")
        rolled = sorted(self._name("dice", PLANK_NAMES, name) for name in dice)
        if rolled:
            if rolled[0] == rolled[1]:
                raise BadPosition("the dice show different colours", rule="GP-5")
            state.dice[:] = rolled
        if bool(rolled) != (SLIDING <= state.phase <= BOARDING) and state.phase != ENDED:
            raise BadPosition("the dice are rolled at the beginning of a turn", rule="GP-5")
        state.slid = self._name("slid", PLANK_NAMES, self.position.get("slid"))
        if state.slid != NONE and state.slid not in rolled:
            raise BadPosition("a plank of one of the colours rolled is slid", rule="GP-6")
        state.lifted = self._name("lifted", PLACE_NAMES, self.position.get("lifted"))

    def _read_gesture(self, state: State) -> None:
        given = self.position.get("gesture")
        if given is None:
            return
        verbs = {name: verb for verb, name in GESTURE_NAMES.items()}
        do = given.get("do") if isinstance(given, dict) else None
        if not isinstance(do, str) or do not in verbs or state.phase == ENDED:
            raise BadPosition(f"{given!r} is no gesture", rule="GP-19")
        if self.numbers[1] == 0:
            raise BadPosition("a steady hand is not waited for", rule="GP-19")
        state.gesture = verbs[do]
        if do == "slide":
            state.gesture_at = self._name("gesture", PLANK_NAMES, given.get("at"))
            side = self._name("gesture", DIRECTION_NAMES[:STAY], given.get("side"))
            state.gesture_side = 1 if side else -1
        else:
            state.gesture_at = self._name("gesture", PLACE_NAMES, given.get("at"))
        due = {"slide": (SLIDING,), "lift": (LIFTING,), "set": (SETTING,),
               "board": (PUTTING_NEUTRALS, BOARDING)}[do]  # fmt: skip
        if state.gesture_at == NONE or state.phase not in due:
            raise BadPosition(f"{given!r} is no gesture of this phase", rule="GP-19")

    def _read_splash(self, state: State) -> None:
        state.lost[:] = self._counts("lost")
        state.culprit = self._seat("culprit")
        state.choices[:] = [
            self._name("choices", CHOICE_NAMES, choice)
            for choice in self._by_colour("choices", None)
        ]
        state.boarding[:] = self._counts("boarding")
        state.boarder = self._seat("boarder")

    def _read_purses(self, state: State) -> None:
        purses = self.position.get("purses", [0] * self.players)
        wanted = f"is a list of {self.players} numbers"
        for seat, purse in enumerate(reading.listed("purses", purses, self.players, wanted)):
            state.purses[seat] = reading.whole_in("purses", purse, 0, _LARGEST_PURSE)

    # how they fit together -------------------------------------------------------------------

    def _check(self, state: State) -> None:
        phase = int(state.phase)
        if (state.active == NONE) != (phase == TO_START):
            raise BadPosition("somebody is active from the start on", rule="GP-3")
        if state.fins == 0 and phase != ENDED:
            raise BadPosition("the last fin is gone", rule="GP-21")
        is_lifted = phase == SETTING if state.gesture == NONE else phase == LIFTING
        if (state.held != NONE) != is_lifted or (state.lifted != NONE) != is_lifted:
            raise BadPosition("a pirate is in the hand from 'lift' to 'set'", rule="GP-7")
        if (state.slid == NONE) != (phase < LIFTING and state.gesture == NONE) and phase != ENDED:
            raise BadPosition("a colour is chosen for sliding, then a pirate is moved", rule="GP-6")
        self._check_setup(state)
        self._check_boarding(state)
        if state.gesture == NONE and phase > SETTING_UP:
            self._check_balance(state)
        if phase == LIFTING and state.gesture == NONE and not can_move(state):
            raise BadPosition("nobody can be moved onto that plank", rule="GP-7")
        if phase == CHOOSING and to_act(state) == NONE:
            raise BadPosition("all have chosen", rule="GP-13")

    def _check_setup(self, state: State) -> None:
        """GP-3: in the set-up pirates come aboard one by one, and nothing is slid."""
        if state.phase > SETTING_UP:
            return
        ashore = [overboard(state, colour) for colour in range(COLOURS)]
        if placed(state) == CREW or any(state.offsets):
            raise BadPosition("the set-up is over", rule="GP-3")
        if self.players == 3 and ashore[NEUTRAL] and placed(state) > EACH - ashore[NEUTRAL]:
            raise BadPosition("the neutral pirates are placed first", rule="GP-3")

    def _check_boarding(self, state: State) -> None:
        """GP-15, GP-17: who comes back aboard was overboard, and somebody's turn it is."""
        is_boarding = state.phase in (PUTTING_NEUTRALS, BOARDING)
        if (state.boarder != NONE) != is_boarding and state.phase != ENDED:
            raise BadPosition("somebody brings pirates back in phase 'board'", rule="GP-15")
        for colour in range(COLOURS):
            if state.boarding[colour] > overboard(state, colour):
                raise BadPosition(f"not so many {COLOUR_NAMES[colour]} are overboard", rule="GP-15")
        if not is_boarding or state.gesture != NONE:
            return
        if not any(may_board(state, int(state.boarder), colour) for colour in range(COLOURS)):
            raise BadPosition("the boarder has nobody to bring back", rule="GP-15")

    def _check_balance(self, state: State) -> None:
        falls, overs = np.zeros(PLANKS, np.int64), np.zeros(PLANKS, np.int64)
        strain = np.zeros(STRAIN_SIZE, np.int64)
        strain[STRAINED] = NONE
        if topple(self.kit, state, strain, falls, overs):
            raise BadPosition(f"the {PLANK_NAMES[falls[0]]} plank cannot rest there", rule="GP-11")

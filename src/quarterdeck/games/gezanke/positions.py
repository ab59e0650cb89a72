"""Gezanke auf der Planke: positions as text, both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import numpy as np
from msgspec import Struct

from quarterdeck.contract import (
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
from .moves import can_move
from .notation import (
    CHOICE_NAMES,
    COLOUR_NAMES,
    DIRECTION_NAMES,
    GESTURE_NAMES,
    HAND_NAMES,
    PHASE_NAMES,
    PLACE_NAMES,
    PLACES_BY_NAME,
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
from .past import (
    FARTHEST,
    before_gesture,
    boarding_fits,
    can_have_fallen_again,
    can_have_lifted,
    can_have_moved,
    can_have_slid,
    collected,
    has_boarding_begun,
    is_oath_paid,
    most_a_splash,
    most_fallen,
    put_back,
    tipping,
)
from .splash import most_owed
from .state import (
    BOARD,
    BOARDING,
    CHOOSING,
    COLLECTS_GOLD,
    COLOURS,
    CREW,
    EACH,
    ENDED,
    GETS_NOTHING,
    LIFT,
    LIFTING,
    NEUTRAL,
    NONE,
    PLANKS,
    PUTTING_NEUTRALS,
    RESCUES_CREW,
    SET,
    SETTING,
    SETTING_UP,
    SLIDE,
    SLIDING,
    SPACES,
    STAY,
    STEADY,
    TO_LAY,
    TO_ROLL,
    TO_START,
    Kit,
    State,
    aboard,
    fill,
    overboard,
    owner,
    pirates_on,
    placed,
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
        check_invariants(INVARIANTS, self.kit, state)
        return state

    # one key each ----------------------------------------------------------------------------

    def _name(self, key: str, names: Sequence[str], value: object) -> int:
        """The number of a name; NONE where there is none."""
        return NONE if value is None else reading.one_of(key, value, names)

    def _seat(self, key: str) -> int:
        return reading.seat(self.position, key, self.players, NONE)

    def _by_colour(self, key: str, unsaid: Sequence[Any]) -> list[Any]:
        """The values of a key that goes by colours, in their order."""
        value = reading.keyed(key, self.position.get(key, {}), COLOUR_NAMES, "goes by colours")
        return [value.get(name, left) for name, left in zip(COLOUR_NAMES, unsaid, strict=True)]

    def _counts(self, key: str) -> list[int]:
        """How many pirates of each colour a key counts."""
        counts = self._by_colour(key, [0] * COLOURS)
        return [reading.whole_in(key, count, 0, EACH) for count in counts]

    def _phase(self) -> int:
        unsaid = "roll" if self.position.get("planks") else "start"
        return reading.one_of("phase", self.position.get("phase", unsaid), PHASE_NAMES)

    def _read_planks(self, state: State) -> None:
        planks = self.position.get("planks", [])
        if not isinstance(planks, list) or not all(isinstance(plank, dict) for plank in planks):
            raise BadPosition(f"'planks' is a list of planks, not {excerpt(planks)}")
        due = [] if state.phase in (TO_START, TO_LAY) else list(range(PLANKS))
        named = [self._name("planks", PLANK_NAMES, p.get("name")) for p in planks[: PLANKS + 1]]
        if sorted(named) != due:
            raise BadPosition(f"'planks' are {len(due)} different ones", rule="GP-1")
        for lane, (number, plank) in enumerate(zip(named, planks, strict=True)):
            for key in plank:
                if key not in ("name", "side", "offset"):
                    raise BadPosition(f"a plank has no {excerpt(key)}")
            state.order[lane] = number
            state.sides[number] = reading.one_of("side", plank.get("side", "front"), SIDE_NAMES)
            offset = plank.get("offset", 0)
            state.offsets[number] = reading.whole("offset", offset, -FARTHEST, FARTHEST)

    def _read_pirates(self, state: State) -> None:
        for colour, places in enumerate(self._by_colour("pirates", [[]] * COLOURS)):
            if not isinstance(places, list) or len(places) > EACH:
                raise BadPosition(
                    f"there are three pirates of a colour, not {excerpt(places)}", rule="GP-C2"
                )
            for place in places:
                if place == "hand":
                    if state.held != NONE:
                        raise BadPosition("a hand holds one pirate", rule="GP-7")
                    state.held = colour
                    continue
                if place is None:
                    continue
                number = reading.named("pirates", place, PLACES_BY_NAME, "space")
                if state.order[0] == NONE:
                    raise BadPosition("nobody stands where there is no plank", rule="GP-4")
                plank, space = divmod(number, SPACES)
                if state.board[plank][space] != NONE:
                    raise BadPosition(f"two pirates stand on {place!r}", rule="GP-4")
                state.board[plank][space] = colour

    def _read_turn(self, state: State) -> None:
        dice = self.position.get("dice", [])
        if not isinstance(dice, list) or len(dice) not in (0, 2):
            raise BadPosition(f"'dice' are two colours or none, not {excerpt(dice)}")
        rolled = sorted(reading.one_of("dice", name, PLANK_NAMES) for name in dice)
        if rolled:
            if rolled[0] == rolled[1]:
                raise BadPosition("the dice show different colours", rule="GP-5")
            state.dice[:] = rolled
        state.slid = self._name("slid", PLANK_NAMES, self.position.get("slid"))
        lifted = self.position.get("lifted")
        if lifted is not None:
            state.lifted = reading.named("lifted", lifted, PLACES_BY_NAME, "space")

    def _read_gesture(self, state: State) -> None:
        given = self.position.get("gesture")
        if given is None:
            return
        verbs: dict[str, int] = {name: verb for verb, name in GESTURE_NAMES.items()}
        keyed = reading.keyed("gesture", given, Gesture.__struct_fields__, "is a gesture", "GP-19")
        do = reading.named("gesture", keyed.get("do"), verbs, "gesture", "GP-19")
        state.gesture = do
        if do == SLIDE:
            state.gesture_at = reading.one_of("gesture", keyed.get("at"), PLANK_NAMES)
            side = reading.one_of("gesture", keyed.get("side"), DIRECTION_NAMES[:STAY])
            state.gesture_side = 1 if side else -1
        else:
            state.gesture_at = reading.named("gesture", keyed.get("at"), PLACES_BY_NAME, "space")
            if keyed.get("side") is not None:
                raise BadPosition("only a plank is slid to a side", rule="GP-19")
        due = {SLIDE: (SLIDING,), LIFT: (LIFTING,), SET: (SETTING,),
               BOARD: (PUTTING_NEUTRALS, BOARDING)}[do]  # fmt: skip
        if state.phase not in due:
            raise BadPosition(f"{excerpt(given)} is no gesture of this phase", rule="GP-19")

    def _read_splash(self, state: State) -> None:
        """What was lost and chosen; what is not said of it follows as far as it can."""
        state.culprit = self._seat("culprit")
        state.boarding[:] = self._counts("boarding")
        state.boarder = self._seat("boarder")
        state.lost[:] = (
            self._counts("lost") if "lost" in self.position else self._unsaid_lost(state)
        )
        unsaid = [
            _named(CHOICE_NAMES, self._unsaid_choice(state, colour)) for colour in range(COLOURS)
        ]
        state.choices[:] = [
            self._name("choices", CHOICE_NAMES, choice)
            for choice in self._by_colour("choices", unsaid)
        ]

    def _unsaid_lost(self, state: State) -> list[int]:
        """After a splash all who are overboard, or are to come back, were lost this turn."""
        if state.phase == CHOOSING:
            return [int(overboard(state, colour)) for colour in range(COLOURS)]
        if state.phase in (PUTTING_NEUTRALS, BOARDING):
            return [int(state.boarding[colour]) for colour in range(COLOURS)]
        return [0] * COLOURS

    def _unsaid_choice(self, state: State, colour: int) -> int:
        """Where there is no choice, or it shows in what is still to be done: that."""
        seat = int(owner(state, colour))
        if seat == NONE or state.phase not in (CHOOSING, PUTTING_NEUTRALS, BOARDING):
            return NONE
        if state.phase == CHOOSING and overboard(state, colour) > 0:
            return NONE
        if state.boarding[colour]:
            return RESCUES_CREW
        return GETS_NOTHING if seat == state.culprit else COLLECTS_GOLD

    def _read_purses(self, state: State) -> None:
        purses = self.position.get("purses", [0] * self.players)
        wanted = f"is a list of {self.players} numbers"
        for seat, purse in enumerate(reading.listed("purses", purses, self.players, wanted)):
            state.purses[seat] = reading.whole_in("purses", purse, 0, _LARGEST_PURSE)


# What can occur ------------------------------------------------------------------------------


def _holds(rule: str, says: str, holds: Callable[[Kit, State], object]) -> Invariant:
    """Something that is so while no hand is awaited. (What a hand is awaited for is judged by the
    state in which it began.)"""

    def breach(kit: Kit, state: State) -> str | None:
        return None if state.gesture != NONE or holds(kit, state) else says

    return Invariant(rule, says, breach)


def _is_last_turn_told(state: State) -> bool:
    """Whether a game that is over says how its last turn went: it may be left out."""
    return bool(state.dice[0] != NONE)


def _is_in(state: State, first: int, last: int) -> bool:
    """Whether a state is in one of these phases, or is the end of a game and they led to it."""
    if state.phase == ENDED:
        return last > CHOOSING and _is_last_turn_told(state)
    return bool(first <= state.phase <= last)


def _is_set_up(kit: Kit, state: State) -> bool:
    if state.phase > SETTING_UP:
        return True
    is_untouched = state.fins == kit.fins and not state.purses.any() and not state.offsets.any()
    return is_untouched and placed(state) < CREW


def _is_placed_in_turn(kit: Kit, state: State) -> bool:
    if state.phase != SETTING_UP:
        return state.phase > SETTING_UP or placed(state) == 0
    standing = [int(aboard(state, colour)) for colour in range(COLOURS)]
    players, own = int(state.players), sum(standing)
    if players == 3:
        if standing[NEUTRAL] != min(own, EACH):
            return False
        own -= standing[NEUTRAL]
    for seat in range(players):
        turns = (own - (seat - int(state.active)) % players + players - 1) // players
        if turns != sum(standing[c] for c in range(COLOURS) if owner(state, c) == seat):
            return False
    return True


def _is_lifted_right(kit: Kit, state: State) -> bool:
    is_lifted = state.phase == SETTING
    return (state.held != NONE) == (state.lifted != NONE) == is_lifted and (
        not is_lifted or state.board[state.lifted // SPACES][state.lifted % SPACES] == NONE
    )


def _is_lost_right(kit: Kit, state: State) -> bool:
    """Who was lost this turn is overboard; of those who come back, see `boarding_fits`."""
    lost = state.lost.tolist()
    if _is_in(state, CHOOSING, BOARDING):
        has_come_back = state.boarder != NONE
        for colour in range(COLOURS):
            may_be_back = state.choices[colour] == RESCUES_CREW or owner(state, colour) == NONE
            if lost[colour] > overboard(state, colour) and not (has_come_back and may_be_back):
                return False
        return any(lost)
    if state.phase in (LIFTING, SETTING):
        return all(lost[colour] <= overboard(state, colour) for colour in range(COLOURS))
    return not any(lost)


def _is_lost_from_planks(kit: Kit, state: State) -> bool:
    lost = int(state.lost.sum())
    if lost == 0:
        return True
    if state.boarder != NONE:
        return 0 in state.offsets
    toppled = put_back(state)
    if state.phase == LIFTING and pirates_on(state, state.slid) == 0 and state.offsets[state.slid]:
        return False  # it was empty: nothing moved
    return lost <= len(toppled) * SPACES


def _is_culprit_right(kit: Kit, state: State) -> bool:
    if state.culprit == NONE:
        return True
    return (
        state.culprit == state.active
        and state.hands != STEADY
        and bool(state.lost.any())
        and is_oath_paid(state, _purses_before(kit, state))
    )


def _are_choices_right(kit: Kit, state: State) -> bool:
    if not _is_in(state, CHOOSING, BOARDING):
        return not any(choice != NONE for choice in state.choices)
    is_waiting = False
    for step in range(int(state.players)):
        seat = (int(state.active) + step) % int(state.players)
        was_waiting = is_waiting
        for colour in range(COLOURS):
            if owner(state, colour) != seat:
                continue
            choice = int(state.choices[colour])
            given = GETS_NOTHING if seat == state.culprit else COLLECTS_GOLD
            is_given = choice == given
            may_choose = state.fins > 0
            if state.boarder == NONE:
                may_choose = may_choose and overboard(state, colour) > 0
                if not may_choose and not is_given:
                    return False
                if may_choose and given == choice == GETS_NOTHING:
                    return False
                if may_choose and was_waiting and choice != NONE:
                    return False
            elif choice == GETS_NOTHING and state.lost[colour]:
                return False
            if not is_given and (choice not in (NONE, RESCUES_CREW) or not may_choose):
                return False
            is_waiting = is_waiting or choice == NONE
    is_neutral_left = state.players != 3 or state.choices[NEUTRAL] == NONE
    return is_waiting == (state.phase == CHOOSING) and is_neutral_left


def _is_as_chosen(kit: Kit, state: State) -> bool:
    """Before anybody is back the ship lies as it did when everyone chose."""
    if state.phase not in (PUTTING_NEUTRALS, BOARDING) or has_boarding_begun(state):
        return True
    chosen = copy_record(state)
    fill(chosen.boarding, 0)
    chosen.boarder, chosen.phase = NONE, ENDED
    if not _are_choices_right(kit, chosen) or not _is_lost_right(kit, chosen):
        return False
    chosen.phase = CHOOSING
    return can_have_moved(chosen) and _is_lost_from_planks(kit, chosen)


def _is_boarding_right(kit: Kit, state: State) -> bool:
    is_boarding = _is_in(state, PUTTING_NEUTRALS, BOARDING) and state.phase != CHOOSING
    if state.boarder == NONE:
        return not state.boarding.any() and (not is_boarding or state.phase == ENDED)
    for colour in range(COLOURS):
        waiting = int(state.boarding[colour])
        if waiting > overboard(state, colour):
            return False
        if waiting and state.choices[colour] != RESCUES_CREW and owner(state, colour) != NONE:
            return False
    return is_boarding and boarding_fits(state, is_done=state.phase == ENDED)


def _purses_before(kit: Kit, state: State) -> list[int]:
    """What was in the purses before those who collect did so, at the end of a game."""
    purses = [int(purse) for purse in state.purses]
    if state.phase == ENDED and state.boarder == NONE:
        taken = collected(kit, state)
        return [purse - coins for purse, coins in zip(purses, taken, strict=True)]
    return purses


def _are_purses_right(kit: Kit, state: State) -> bool:
    """When the stacks are used up the game is over, at the next moment at which that is asked."""
    before = _purses_before(kit, state)
    if min(before) < 0:
        return False
    if state.phase == ENDED and not _is_last_turn_told(state):
        return sum(before) < int(kit.pile) + most_a_splash(kit)
    if state.phase == ENDED and state.boarder != NONE:
        return sum(before) - most_fallen(state) < int(kit.pile) <= sum(before)
    owed = int(most_owed(state)) if state.boarder == NONE else 0
    return sum(before) - owed < int(kit.pile)


def _is_over_right(kit: Kit, state: State) -> bool:
    """The last fin is gone; or the stacks are used up, which takes several splashes; or the ship is
    empty, everybody having collected."""
    if state.phase != ENDED:
        return state.fins > (1 if state.phase >= CHOOSING else 0)
    gone = int(kit.fins) - int(state.fins)
    if state.fins == 0:
        return state.boarder == NONE
    if int(state.purses.sum()) >= kit.pile:
        is_last_left_out = not _is_last_turn_told(state)
        splashes = gone if is_last_left_out else gone + 1
        return state.fins > 1 and splashes * most_a_splash(kit) >= kit.pile
    return gone > 0 and placed(state) == 0 and not _is_last_turn_told(state)


def _began_somewhere(kit: Kit, state: State) -> str | None:
    """What is wrong with a gesture: every state in which it can have begun cannot occur."""
    if state.gesture == NONE:
        return None
    if state.hands == STEADY:
        return "a steady hand is not waited for"
    breach = "there is no such gesture to be made"
    for before in before_gesture(state):
        breaches = (invariant.breach(kit, before) for invariant in INVARIANTS)
        breach = next((said for said in breaches if said is not None), "")
        if not breach:
            return None
    return breach


INVARIANTS = (
    _holds(
        "GP-3",
        "somebody is active from the start on",
        lambda kit, state: (state.active == NONE) == (state.phase == TO_START),
    ),
    _holds("GP-3", "before the first turn nothing has moved, and somebody is ashore", _is_set_up),
    _holds("GP-3", "pirates are placed in turn, the neutral ones first", _is_placed_in_turn),
    _holds(
        "GP-5",
        "the dice are rolled at the beginning of a turn",
        lambda kit, state: (
            state.phase == ENDED or (state.dice[0] != NONE) == (SLIDING <= state.phase <= BOARDING)
        ),
    ),
    _holds(
        "GP-6",
        "a plank of one of the colours rolled is slid, then a pirate is moved",
        lambda kit, state: (
            (state.slid in state.dice and state.slid != NONE)
            if _is_in(state, LIFTING, BOARDING)
            else state.slid == NONE
        ),
    ),
    _holds("GP-7", "a pirate is in the hand from 'lift' to 'set'", _is_lifted_right),
    _holds(
        "GP-11",
        "where a plank would tip nothing rests",
        lambda kit, state: state.phase <= SETTING_UP or tipping(kit, state) == NONE,
    ),
    _holds(
        "GP-R11",
        "on an empty ship the game is over",
        lambda kit, state: state.phase not in (TO_ROLL, SLIDING) or placed(state) > 0,
    ),
    _holds(
        "GP-6",
        "the plank that was slid rested where it came from",
        lambda kit, state: (
            state.phase not in (LIFTING, SETTING)
            or any(state.lost)
            or can_have_slid(kit, state)
        ),
    ),
    _holds(
        "GP-7",
        "somebody can be moved onto that plank",
        lambda kit, state: state.phase != LIFTING or can_move(state),
    ),
    _holds(
        "GP-7",
        "a pirate of one's own is moved, from another plank unless all stand on this one",
        lambda kit, state: state.phase != SETTING or can_have_lifted(kit, state),
    ),
    _holds(
        "GP-7",
        "with the other colour a pirate was moved",
        lambda kit, state: state.phase != CHOOSING or can_have_moved(state),
    ),
    _holds("GP-13", "who was lost this turn is overboard, then everyone chooses", _is_lost_right),
    _holds("GP-12", "planks that toppled lie in their starting position", _is_lost_from_planks),
    _holds(
        "GP-20",
        "whoever broke an oath is the active player, lost pirates by it, and others were paid",
        _is_culprit_right,
    ),
    _holds("GP-R1", "everyone chooses in turn, where there is a choice", _are_choices_right),
    _holds(
        "GP-17",
        "only of three players some are neutral",
        lambda kit, state: state.phase != PUTTING_NEUTRALS or state.players == 3,
    ),
    _holds("GP-15", "pirates that are overboard are brought back in turn", _is_boarding_right),
    _holds("GP-13", "who is to come back was overboard when everyone chose", _is_as_chosen),
    _holds(
        "GP-R6",
        "who fell while pirates came back fell with a plank",
        lambda kit, state: state.boarder == NONE or can_have_fallen_again(state),
    ),
    _holds("GP-21", "nobody has what was not in the stacks", _are_purses_right),
    _holds("GP-21", "the game ends with the last fin, or without doubloons", _is_over_right),
    Invariant("GP-19", "a gesture begins where it can be made", _began_somewhere),
)  # fmt: skip
"""What holds in every state that can occur. Not asked is what earlier turns left behind: that there
are as many fins as pirates have fallen, and what is in the purses fits both; positions to learn and
to test from leave out who does not matter."""

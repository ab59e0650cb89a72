"""Jolly & Roger as text: cards, actions and positions, both ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from quarterdeck.contract import BadNotation, BadPosition, Row, record

from . import rules
from .rules import (
    BOARD,
    CARD_KINDS,
    CREW,
    DEAL,
    ENDED,
    KRAKEN,
    LARGEST_SET,
    LONGEST_CREW,
    NONE,
    OFFER,
    PARROT,
    PARROTS,
    PICK,
    PICKING,
    PIRATES,
    PLAY_KRAKEN,
    PLAY_TORTUGA,
    PLAYING,
    SPLIT,
    SPLITTING,
    START,
    TO_DEAL,
    TO_START,
    TORTUGA,
    VALUES,
)

SHIP_NAMES = ("green", "yellow", "blue", "red")
SHIPS = {name: ship for ship, name in enumerate(SHIP_NAMES)}
SPECIAL_NAMES = ("kraken", "skeleton", "tortuga")
CARD_NAMES = (
    *(f"{ship[0]}{value}" for ship in SHIP_NAMES for value in range(1, VALUES + 1)),
    *SPECIAL_NAMES,
)
CARDS = {name: card for card, name in enumerate(CARD_NAMES)}
VARIANT_NAMES = ("intro", "advanced", "all-cards")
PHASE_NAMES = ("start", "deal", "split", "pick", "play", "over")
PHASES = {name: phase for phase, name in enumerate(PHASE_NAMES)}

_DIGITS = tuple("0123456789")


def load_kit(data: Mapping[str, Any]) -> Row:
    """The kit record from `kit.toml`."""
    kit = record(rules.Kit)
    for ship, name in enumerate(SHIP_NAMES):
        kit.copies[ship * VALUES : (ship + 1) * VALUES] = data["pirates"][name]
        kit.gold[ship] = data["ships"][name]
    for name in SPECIAL_NAMES:
        kit.copies[CARDS[name]] = data["specials"][name]
    return kit


# Actions -------------------------------------------------------------------------------------


def text(kit: Row, action: Row) -> str:
    """The one text of an action."""
    args = action.args.tolist()
    if action.verb == SPLIT:
        return f"split {_cards_text(args[:OFFER])}/{_cards_text(args[OFFER:])}"
    if action.verb == PICK:
        return f"pick {args[0]}"
    if action.verb == CREW:
        return f"crew {CARD_NAMES[args[0]]} {SHIP_NAMES[args[1]]}"
    if action.verb == PARROTS:
        return f"parrot {CARD_NAMES[args[0]]} {SHIP_NAMES[args[1]]}"
    if action.verb == BOARD:
        return f"board {CARD_NAMES[args[0]]}"
    if action.verb == PLAY_KRAKEN:
        return f"kraken {'none' if args[0] == NONE else SHIP_NAMES[args[0]]}"
    if action.verb == PLAY_TORTUGA:
        return "tortuga"
    if action.verb == START:
        return f"start {args[0]}"
    return f"deal {_cards_text(args)}"


def _cards_text(cards: Iterable[int]) -> str:
    return ",".join(CARD_NAMES[card] for card in cards if card != NONE)


def parse(kit: Row, text: str) -> Row:
    """The action a text stands for. Raises `BadNotation` if it stands for none.

    What can be said and is forbidden, a set of five cards or a third set, is left to the rules.
    """
    verb, *words = text.split(" ")
    action = record(rules.Action)
    action.args[:] = NONE
    match verb, len(words):
        case "split", 1:
            action.verb = SPLIT
            sets = words[0].split("/")
            if len(sets) != 2:
                raise BadNotation(f"{text!r} is no split into two sets")
            for side, names in enumerate(sets):
                cards = _card_list(text, names, OFFER) if names else []
                action.args[side * OFFER : side * OFFER + len(cards)] = cards
        case "pick" | "start", 1:
            action.verb = PICK if verb == "pick" else START
            if words[0] not in _DIGITS:
                raise BadNotation(f"{words[0]!r} in {text!r} is no number from 0 to 9")
            action.args[0] = int(words[0])
        case "crew" | "parrot", 2:
            action.verb = CREW if verb == "crew" else PARROTS
            action.args[0] = _card(text, words[0])
            action.args[1] = _ship(text, words[1])
        case "board", 1:
            action.verb = BOARD
            action.args[0] = _card(text, words[0])
        case "kraken", 1:
            action.verb = PLAY_KRAKEN
            action.args[0] = NONE if words[0] == "none" else _ship(text, words[0])
        case "tortuga", 0:
            action.verb = PLAY_TORTUGA
        case "deal", 1:
            action.verb = DEAL
            cards = _card_list(text, words[0], len(action.args))
            action.args[: len(cards)] = cards
        case _:
            known = "split, pick, crew, parrot, board, kraken, tortuga, start or deal"
            raise BadNotation(f"{text!r} is no action: expected {known}")
    return action


def pool(kit: Row, state: Row) -> list[str]:
    """What chance draws from: the seats for the first splitter, else the cards nobody has seen."""
    if state.phase == TO_START:
        return ["0", "1"]
    left = np.zeros(CARD_KINDS, np.int8)
    rules.count_unseen(kit, state, left)
    return [CARD_NAMES[card] for card in range(CARD_KINDS) for _ in range(left[card])]


def _card_list(whole: str, names: str, most: int) -> list[int]:
    """The cards of a list, in the order of `CARD_NAMES`."""
    cards = sorted(_card(whole, name) for name in names.split(","))
    if len(cards) > most:
        raise BadNotation(f"{whole!r} has {len(cards)} cards in one list; there are never so many")
    return cards


def _card(whole: str, name: str) -> int:
    if name not in CARDS:
        raise BadNotation(f"{name!r} in {whole!r} is no card")
    return CARDS[name]


def _ship(whole: str, name: str) -> int:
    if name not in SHIPS:
        raise BadNotation(f"{name!r} in {whole!r} is no ship")
    return SHIPS[name]


# Positions -----------------------------------------------------------------------------------


def position(kit: Row, state: Row) -> dict[str, Any]:
    """The position keys of a state. `strengths` and `captains` follow from `crews`, for readers."""
    variant, phase, turn, splitter, offer, sets, hands, crews, chests, removed = (
        field.tolist() if isinstance(field, np.ndarray) else field for field in state.item()
    )
    return {
        "phase": PHASE_NAMES[phase],
        "variant": VARIANT_NAMES[variant],
        "turn": turn,
        "splitter": None if splitter == NONE else splitter,
        "offer": _names(offer),
        "sets": [_names(cards) for cards in sets],
        "hands": [_names(cards) for cards in hands],
        "crews": {name: crew_names(both) for name, both in zip(SHIP_NAMES, crews, strict=True)},
        **_standing(state),
        "chests": [_repeated(counts) for counts in chests],
        "removed": _repeated(removed),
    }


def _standing(state: Row) -> dict[str, Any]:
    """JR-11: how strong each crew is, and whose captain stands there."""
    captains = [rules.captain(state, ship) for ship in range(len(SHIP_NAMES))]
    return {
        "strengths": {
            name: [int(rules.strength(crew)) for crew in state.crews[ship]]
            for ship, name in enumerate(SHIP_NAMES)
        },
        "captains": {
            name: None if seat == NONE else seat
            for name, seat in zip(SHIP_NAMES, captains, strict=True)
        },
    }


def _names(cards: Iterable[int]) -> list[str]:
    return [CARD_NAMES[card] for card in cards if card != NONE]


def crew_names(both: Iterable[Iterable[int]]) -> list[list[str]]:
    """The two crews at a ship, oldest card first; a parrot with what lies under it."""
    return [[_crew_name(card) for card in crew if card != NONE] for crew in both]


def _crew_name(card: int) -> str:
    return CARD_NAMES[card] if card < PARROT else f"parrot:{CARD_NAMES[card - PARROT]}"


def _repeated(counts: Sequence[int]) -> list[str]:
    return [CARD_NAMES[card] for card, count in enumerate(counts) for _ in range(count)]


def from_position(kit: Row, options: Mapping[str, Any], position: Mapping[str, Any]) -> Row:
    """The state a position describes.

    What it leaves out is empty; `turn` is the first in which so many cards can have been turned up,
    and `phase` the one that the other keys imply. Cards, counts and whose turn it is are checked;
    cards may be missing, as if they had not been turned up. Raises `BadPosition`.
    """
    return _Reader(kit, options, position).state()


class _Reader:
    """One position on its way to a state, checked key by key."""

    def __init__(self, kit: Row, options: Mapping[str, Any], position: Mapping[str, Any]) -> None:
        self.kit = kit
        self.variant: str = options["variant"]
        self.position = position
        self.seen: Counter[int] = Counter()  # every card that is named

    def state(self) -> Row:
        known = {"phase", "variant", "turn", "splitter", "offer", "sets", "hands", "crews"}
        known |= {"strengths", "captains", "chests", "removed"}
        for key in self.position:
            if key not in known:
                raise BadPosition(f"a Jolly & Roger position has no key {key!r}")
        if self.position.get("variant", self.variant) != self.variant:
            raise BadPosition(f"'variant' is {self.variant!r} by the options")

        state = record(rules.State)
        rules.new(self.kit, np.array([2, VARIANT_NAMES.index(self.variant)], np.int64), state)
        self._read_list("offer", self.position.get("offer", []), state.offer)
        for key in ("sets", "hands"):
            for side, names in enumerate(self._pair(key)):
                self._read_list(key, names, state[key][side])
        for seat, names in enumerate(self._pair("chests")):
            for card in self._cards("chests", names):
                if card >= PIRATES:
                    raise BadPosition(f"{CARD_NAMES[card]!r} brings no gold", rule="JR-13")
                state.chests[seat][card] += 1
        for card in self._cards("removed", self.position.get("removed", [])):
            state.removed[card] += 1
        self._read_crews(state)
        state.phase = self._phase(state)
        self._check_table(state)
        self._read_turn(state)
        return state

    # one key each ----------------------------------------------------------------------------

    def _whole(self, key: str, low: int, high: int) -> int:
        value = self.position[key]
        if type(value) is not int or not low <= value <= high:
            raise BadPosition(f"{key!r} is a whole number from {low} to {high}, not {value!r}")
        return value

    def _pair(self, key: str) -> Sequence[Any]:
        value = self.position.get(key, [[], []])
        if not isinstance(value, list) or len(value) != 2:
            raise BadPosition(f"{key!r} is a list of two lists, not {value!r}")
        return value

    def _cards(self, key: str, names: object) -> list[int]:
        if not isinstance(names, list):
            raise BadPosition(f"{key!r} has lists of cards, not {names!r}")
        for name in names:
            if not isinstance(name, str) or name not in CARDS:
                raise BadPosition(f"{name!r} in {key!r} is no card")
            self._count(CARDS[name])
        return [CARDS[name] for name in names]

    def _count(self, card: int) -> None:
        """Notes that a card is named once more."""
        if self.variant == "intro" and card >= PIRATES:
            raise BadPosition("the introductory game has no special cards", rule="JR-1")
        self.seen[card] += 1
        if self.seen[card] > self.kit.copies[card]:
            rule = "JR-C1" if card < PIRATES else "JR-C2"
            raise BadPosition(f"there are not so many {CARD_NAMES[card]} cards", rule=rule)

    def _read_list(self, key: str, names: object, target: Any) -> None:
        cards = sorted(self._cards(key, names))
        if len(cards) > len(target):
            raise BadPosition(
                f"{key!r} has at most {len(target)} cards, not {len(cards)}", rule="JR-5"
            )
        target[: len(cards)] = cards

    def _read_crews(self, state: Row) -> None:
        crews = self.position.get("crews", {})
        if not isinstance(crews, dict) or any(name not in SHIPS for name in crews):
            raise BadPosition(f"'crews' goes by ships, not {crews!r}")
        for name, both in crews.items():
            if not isinstance(both, list) or len(both) != 2:
                raise BadPosition(f"the crews at {name!r} are two lists, not {both!r}")
            for seat, crew in enumerate(both):
                if not isinstance(crew, list):
                    raise BadPosition(f"a crew at {name!r} is a list of cards, not {crew!r}")
                for place, word in enumerate(crew):
                    card = self._crew_card(word)
                    if place == LONGEST_CREW:
                        raise BadPosition(f"nobody gets so many cards as at {name!r}", rule="JR-5")
                    state.crews[SHIPS[name]][seat][place] = card
        for key, value in _standing(state).items():
            if self.position.get(key, value) != value:
                raise BadPosition(f"by the crews {key!r} is {value!r}", rule="JR-11")

    def _crew_card(self, word: object) -> int:
        if isinstance(word, str):
            name = word.removeprefix("parrot:")
            if name in CARDS:
                card, is_parrot = CARDS[name], name != word
                if card in (KRAKEN, TORTUGA) and not is_parrot:
                    raise BadPosition(f"{name!r} joins a crew only as a parrot", rule="JR-10")
                self._count(card)
                return card + PARROT if is_parrot else card
        raise BadPosition(f"{word!r} in 'crews' is no card")

    # how they fit together -------------------------------------------------------------------

    def _phase(self, state: Row) -> int:
        if "phase" in self.position:
            name = self.position["phase"]
            if not isinstance(name, str) or name not in PHASES:
                raise BadPosition(f"'phase' is one of {', '.join(PHASE_NAMES)}, not {name!r}")
            return PHASES[name]
        if state.offer[0] != NONE:
            return SPLITTING
        if state.sets[0][0] != NONE or state.sets[1][0] != NONE:
            return PICKING
        if state.hands[0][0] != NONE or state.hands[1][0] != NONE:
            return PLAYING
        return TO_START if self.position.get("splitter") is None else TO_DEAL

    def _check_table(self, state: Row) -> None:
        """What lies there fits the phase, and there is a splitter from the start on."""
        if self.position.get("splitter") is not None:
            state.splitter = self._whole("splitter", 0, 1)
        if (state.splitter == NONE) != (state.phase == TO_START):
            raise BadPosition("chance names the first splitter once, at the start", rule="JR-4")

        due = {SPLITTING: "offer", PICKING: "sets", PLAYING: "hands"}.get(int(state.phase))
        for key in ("offer", "sets", "hands"):
            count = int((state[key] != NONE).sum())
            if key != due and count:
                raise BadPosition(
                    f"in phase {PHASE_NAMES[state.phase]!r} {key!r} is empty", rule="JR-5"
                )
            if key == due and key != "hands" and count != OFFER:
                raise BadPosition(f"{key!r} has five cards, not {count}", rule="JR-5")
            if count > OFFER:
                raise BadPosition(f"{key!r} has at most five cards, not {count}", rule="JR-5")
        if due == "sets" and NONE in (state.sets[0][0], state.sets[1][0]):
            raise BadPosition("each set has one to four cards", rule="JR-5")
        if due == "hands" and state.hands[state.splitter][0] == NONE:
            raise BadPosition("the splitter plays last", rule="JR-7")

    def _read_turn(self, state: Row) -> None:
        """JR-5, JR-19: five cards a turn have been turned up, and nobody got more than four."""
        last = rules.turns(state)
        is_before_deal = state.phase in (TO_START, TO_DEAL)
        most = max(self._cards_of(state, seat) for seat in range(2))
        needed = max(-(-self.seen.total() // OFFER), -(-most // LARGEST_SET), 1 - is_before_deal)
        if state.phase == ENDED:
            needed = max(needed, last)
        first = needed + is_before_deal
        turn = self._whole("turn", 1, last) if "turn" in self.position else first
        if turn > last:
            raise BadPosition(f"there are only {last} turns", rule="JR-19")
        if turn < first:
            rule = "JR-19" if state.phase == ENDED else "JR-5"
            raise BadPosition(f"it is turn {first} at least, not turn {turn}", rule=rule)
        if state.phase == TO_START and turn != 1:
            raise BadPosition("the first splitter is named before turn 1", rule="JR-4")
        state.turn = turn

    def _cards_of(self, state: Row, seat: int) -> int:
        """How many cards a seat got and still has on the table."""
        crews = int((state.crews[:, seat] != NONE).sum())
        return crews + int(state.chests[seat].sum()) + int((state.hands[seat] != NONE).sum())

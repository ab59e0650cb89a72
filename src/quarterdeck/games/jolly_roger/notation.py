"""Jolly & Roger as text: cards, ships and actions, both ways; and the kit, from its data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from quarterdeck.contract import BadNotation, Draw, Pool, draw_seat, record

from .state import (
    BOARD,
    CARD_KINDS,
    CREW,
    DEAL,
    NONE,
    OFFER,
    PARROT,
    PARROTS,
    PICK,
    PIRATES,
    PLAY_KRAKEN,
    PLAY_TORTUGA,
    SPLIT,
    START,
    VALUES,
    Action,
    Kit,
)

SHIP_NAMES = ("green", "yellow", "blue", "red")
SHIPS = {name: ship for ship, name in enumerate(SHIP_NAMES)}
SPECIAL_NAMES = ("kraken", "skeleton", "tortuga")
CARD_NAMES = (
    *(f"{ship[0]}{value}" for ship in SHIP_NAMES for value in range(1, VALUES + 1)),
    *SPECIAL_NAMES,
)
CARDS = {name: card for card, name in enumerate(CARD_NAMES)}
Variant: TypeAlias = Literal["intro", "advanced", "all-cards"]
Phase: TypeAlias = Literal["start", "deal", "split", "pick", "play", "over"]
VARIANT_NAMES: tuple[Variant, ...] = ("intro", "advanced", "all-cards")
PHASE_NAMES: tuple[Phase, ...] = ("start", "deal", "split", "pick", "play", "over")

_DIGITS = tuple("0123456789")


def load_kit(data: Mapping[str, Any]) -> Kit:
    """The kit record from `kit.toml` (JR-C1, JR-C2, JR-C3)."""
    kit = record(Kit)
    for ship, name in enumerate(SHIP_NAMES):
        kit.copies[ship * VALUES : (ship + 1) * VALUES] = data["pirates"][name]
        kit.gold[ship] = data["ships"][name]
    for name in SPECIAL_NAMES:
        kit.copies[CARDS[name]] = data["specials"][name]
    return kit


def names(cards: Iterable[int]) -> list[str]:
    """The names of the cards in a list of a record."""
    return [CARD_NAMES[card] for card in cards if card != NONE]


def crew_names(cards: Iterable[int]) -> list[str]:
    """The cards of a crew, oldest first; a parrot with what lies under it."""
    return [_CREW_NAMES[card] for card in cards]


_CREW_NAMES = dict(enumerate(CARD_NAMES)) | {
    PARROT + card: f"parrot:{name}" for card, name in enumerate(CARD_NAMES)
}


# Actions -------------------------------------------------------------------------------------


def text(kit: Kit, action: Action) -> str:
    """The one text of an action."""
    args = action.args.tolist()
    if action.verb == SPLIT:
        return f"split {','.join(names(args[:OFFER]))}/{','.join(names(args[OFFER:]))}"
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
    return f"deal {','.join(names(args))}"


def parse(kit: Kit, text: str) -> Action:
    """The action a text stands for. Raises `BadNotation` if it stands for none.

    What can be said and is forbidden, a set of five cards or a third set, is left to the rules.
    """
    verb, *words = text.split(" ")
    action = record(Action)
    action.args[:] = NONE
    match verb, len(words):
        case "split", 1:
            action.verb = SPLIT
            sets = words[0].split("/")
            if len(sets) != 2:
                raise BadNotation(f"{text!r} is no split into two sets")
            for side, listed in enumerate(sets):
                cards = _card_list(text, listed, OFFER) if listed else []
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


def draws(kit: Kit, options: Mapping[str, Any]) -> dict[str, Draw]:
    """What chance draws from: the seats for the first splitter, else the cards nobody has seen."""
    kinds = PIRATES if options["variant"] == "intro" else CARD_KINDS  # JR-1
    pack = tuple(CARD_NAMES[card] for card in range(kinds) for _ in range(kit.copies[card]))
    deal = Draw((Pool(pack, count=OFFER, left=True),))
    return {"start": draw_seat(options["players"]), "deal": deal}


def _card_list(whole: str, listed: str, most: int) -> list[int]:
    """The cards of a list, in the order of `CARD_NAMES`."""
    cards = sorted(_card(whole, name) for name in listed.split(","))
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

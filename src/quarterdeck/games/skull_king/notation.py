"""Skull King as text: cards and actions, both ways."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from quarterdeck.contract import BadNotation, Draw, Pool, draw_seat, record

from .state import (
    BID,
    CARD_KINDS,
    DEAL,
    HIDDEN,
    LAST_HAND,
    MOST_PLAYERS,
    NONE,
    PLAY,
    RANKS,
    START,
    Action,
    Kit,
)

SUIT_LETTERS = "yrbk"
SUIT_NAMES = ("yellow", "red", "blue", "black")
SPECIAL_NAMES = ("escape", "pirate", "mermaid", "mary:pirate", "mary:escape", "king", "mary")
CARD_NAMES = (
    *(f"{letter}{rank}" for letter in SUIT_LETTERS for rank in range(1, RANKS + 1)),
    *SPECIAL_NAMES,
)
CARDS = {name: card for card, name in enumerate(CARD_NAMES)}

Phase: TypeAlias = Literal["start", "deal", "bid", "play", "over"]
PHASE_NAMES: tuple[Phase, ...] = ("start", "deal", "bid", "play", "over")

_LARGEST_BID = 99  # a bid of two digits can be said, though SK-3 refuses it


def load_kit(data: Mapping[str, Any]) -> Kit:
    """The kit record from `kit.toml`."""
    kit = record(Kit)
    for suit, name in enumerate(SUIT_NAMES):
        kit.copies[suit * RANKS : suit * RANKS + data["suits"][name]] = 1
    for name, count in data["specials"].items():
        kit.copies[CARDS[name]] = count
    pack = [card for card in range(CARD_KINDS) for _ in range(kit.copies[card])]
    kit.pack[: len(pack)] = pack
    kit.pack_size = len(pack)
    return kit


# Actions -------------------------------------------------------------------------------------


def card_name(card: int) -> str:
    """
    >>> card_name(0), card_name(CARDS["king"]), card_name(HIDDEN)
    ('y1', 'king', '?')
    """
    return "?" if card == HIDDEN else CARD_NAMES[card]


def text(kit: Kit, action: Action) -> str:
    """The one text of an action; what is hidden in it is `?`."""
    args = action.args
    if action.verb == BID:
        return f"bid {'?' if args[0] == HIDDEN else args[0]}"
    if action.verb == PLAY:
        return f"play {CARD_NAMES[args[0]]}"
    if action.verb == START:
        return f"start {args[0]}"
    cards = args.tolist()
    hands = [cards[place : place + LAST_HAND] for place in range(0, len(cards), LAST_HAND)]
    return "deal " + "/".join(
        ",".join(card_name(card) for card in hand if card != NONE)
        for hand in hands
        if hand[0] != NONE
    )


def parse(kit: Kit, text: str) -> Action:
    """The action a text stands for. Raises `BadNotation` if it stands for none."""
    verb, _, rest = text.partition(" ")
    action = record(Action)
    action.args[:] = NONE
    if verb == "bid":
        action.verb = BID
        action.args[0] = _number(text, rest, _LARGEST_BID)
    elif verb == "play":
        action.verb = PLAY
        action.args[0] = _card(text, rest)
    elif verb == "start":
        action.verb = START
        action.args[0] = _number(text, rest, _LARGEST_BID)
    elif verb == "deal":
        action.verb = DEAL
        hands = rest.split("/")
        if len(hands) > MOST_PLAYERS:
            raise BadNotation(f"a deal names at most {MOST_PLAYERS} hands, not {len(hands)}")
        for seat, names in enumerate(hands):
            cards = sorted(_card(text, name) for name in names.split(","))
            if len(cards) > LAST_HAND:
                raise BadNotation(f"a hand has at most {LAST_HAND} cards, not {len(cards)}")
            action.args[seat * LAST_HAND : seat * LAST_HAND + len(cards)] = cards
    else:
        raise BadNotation(f"{text!r} is no action: expected bid, play, start or deal")
    return action


def draws(kit: Kit, options: Mapping[str, Any]) -> dict[str, Draw]:
    """What chance draws from: the seats for the first dealer, the whole pack for each hand."""
    pack = tuple(CARD_NAMES[card] for card in kit.pack[: kit.pack_size])
    return {"start": draw_seat(options["players"]), "deal": Draw((Pool(pack),), groups="/")}


def _number(whole: str, word: str, largest: int) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,3}", word) or int(word) > largest:
        raise BadNotation(f"{word!r} in {whole!r} is no number from 0 to {largest}")
    return int(word)


def _card(whole: str, name: str) -> int:
    if name not in CARDS:
        raise BadNotation(f"{name!r} in {whole!r} is no card")
    return CARDS[name]

"""Reading what came from outside: the small parsers all position readers share.

Each answers with the value if it is what it has to be, and else raises `BadPosition`, which names
the key and what stood there:

    >>> whole("hand", 11, 1, 10)
    Traceback (most recent call last):
    ...
    quarterdeck.contract.errors.BadPosition: 'hand' is a whole number from 1 to 10, not 11
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from .errors import BadPosition, excerpt


def is_whole(value: object, low: int, high: int) -> TypeGuard[int]:
    """Whether a value is a whole number within bounds; `True` is none.

    >>> is_whole(3, 0, 5), is_whole(6, 0, 5), is_whole(True, 0, 5), is_whole(3.0, 0, 5)
    (True, False, False, False)
    """
    return type(value) is int and low <= value <= high


def whole(key: str, value: object, low: int, high: int) -> int:
    """The whole number that a key has."""
    if not is_whole(value, low, high):
        raise BadPosition(f"{key!r} is a whole number from {low} to {high}, not {excerpt(value)}")
    return value


def whole_in(key: str, value: object, low: int, high: int) -> int:
    """One of the whole numbers that a key has."""
    if not is_whole(value, low, high):
        raise BadPosition(f"{key!r} has whole numbers from {low} to {high}, not {excerpt(value)}")
    return value


def truth(key: str, value: object) -> bool:
    """Whether a key says yes."""
    if type(value) is not bool:
        raise BadPosition(f"{key!r} is true or false, not {excerpt(value)}")
    return value


def seat(position: Mapping[str, Any], key: str, players: int, nobody: int) -> int:
    """The seat that a key names; `nobody` where it is null or left out."""
    value = position.get(key)
    return nobody if value is None else whole(key, value, 0, players - 1)


def listed(
    key: str, value: object, length: int | None = None, wanted: str = "is a list"
) -> list[Any]:
    """A list, of a length if that is said; `wanted` says so in words.

    >>> listed("bids", [1], 2, "is a list of 2, one a seat")
    Traceback (most recent call last):
    ...
    quarterdeck.contract.errors.BadPosition: 'bids' is a list of 2, one a seat, not [1]
    """
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise BadPosition(f"{key!r} {wanted}, not {excerpt(value)}")
    return value


def keyed(
    key: str, value: object, names: Collection[str], wanted: str, rule: str | None = None
) -> dict[str, Any]:
    """A mapping that has no other keys than these names; `wanted` says so in words.

    >>> keyed("crews", {"pink": []}, ("green", "red"), "goes by ships")
    Traceback (most recent call last):
    ...
    quarterdeck.contract.errors.BadPosition: 'crews' goes by ships, not {'pink': []}
    """
    if not isinstance(value, dict) or any(name not in names for name in value):
        raise BadPosition(f"{key!r} {wanted}, not {excerpt(value)}", rule=rule)
    return value


def one_of(key: str, value: object, names: Sequence[str]) -> int:
    """The number of the name that a key has.

    >>> one_of("phase", "deal", ("start", "deal"))
    1
    """
    if not isinstance(value, str) or value not in names:
        raise BadPosition(f"{key!r} is one of {', '.join(names)}, not {excerpt(value)}")
    return names.index(value)


def named(
    key: str, value: object, numbers: Mapping[str, int], kind: str, rule: str | None = None
) -> int:
    """The number of a thing of this kind that is named under a key.

    >>> named("trick", "y9", {"y1": 0}, "card")
    Traceback (most recent call last):
    ...
    quarterdeck.contract.errors.BadPosition: 'y9' in 'trick' is no card
    """
    if not isinstance(value, str) or value not in numbers:
        raise BadPosition(f"{excerpt(value)} in {key!r} is no {kind}", rule=rule)
    return numbers[value]


def check_keys(position: Mapping[str, Any], known: Collection[str], game: str) -> None:
    """A position of a game has no other keys than these.

    >>> check_keys({"card": 1}, ("cards",), "Riff Raff")
    Traceback (most recent call last):
    ...
    quarterdeck.contract.errors.BadPosition: a Riff Raff position has no key 'card'
    """
    for key in position:
        if key not in known:
            raise BadPosition(f"a {game} position has no key {excerpt(key)}")


def check_option(position: Mapping[str, Any], key: str, value: object) -> None:
    """Where a position repeats an option, it does not contradict it."""
    if not is_same(position.get(key, value), value):
        raise BadPosition(f"{key!r} is {value!r} by the options")


def is_same(given: object, value: object) -> bool:
    """Whether something from outside is this value: equal, and of the same types throughout.

    >>> is_same([1, None], [1, None]), is_same([1.0], [1]), is_same({"a": True}, {"a": 1})
    (True, False, False)
    """
    if type(given) is not type(value):
        return False
    if isinstance(given, list) and isinstance(value, list):
        return len(given) == len(value) and all(map(is_same, given, value))
    if isinstance(given, dict) and isinstance(value, dict):
        return given.keys() == value.keys() and all(is_same(given[k], value[k]) for k in value)
    return given == value


class Invariant(NamedTuple):
    """Something that holds in every state that can occur, said once and checked by this number.

    `breach` is given kit and state; it answers what is wrong, in a sentence, or None. A game lists
    its own as `INVARIANTS` in `positions.py`, each relying on those before it.
    """

    rule: str | None
    says: str
    breach: Callable[[Any, Any], str | None]


def check_invariants(invariants: Iterable[Invariant], kit: Any, state: Any) -> None:
    """A state in which all of these hold. Raises `BadPosition` with the rule of the first that does
    not."""
    for rule, _, breach in invariants:
        wrong = breach(kit, state)
        if wrong is not None:
            raise BadPosition(wrong, rule=rule)

"""What the package offers by its own name tells nobody what they may not see, and answers whatever
is no seat and no number with an error of ours.

The functions are found by inspection: a new one that takes a number is called like the others, or
the test that nothing is left out fails until it is told how.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import quarterdeck
from quarterdeck import GameRecord, Match, find_game, read_record, write_record
from quarterdeck.contract import (
    NATURE,
    SPECTATOR,
    BadNotation,
    BadOption,
    BadPosition,
    BadRecord,
    NoSuchSeat,
    QuarterdeckError,
)

SKULL_KING = find_game("skull-king")
PIRATOONS = find_game("piratoons")

# by the name of a parameter: the error for what it cannot be
NUMBERS: dict[str, type[QuarterdeckError]] = {
    "seat": NoSuchSeat,
    "actor": NoSuchSeat,
    "resigned": NoSuchSeat,
    "number": BadNotation,
    "first": BadNotation,
    "at": BadNotation,
    "seed": BadOption,
}
# what stands in the place of the other parameters
OTHERS: dict[str, Any] = {"text": "bid 0", "self": None}
NO_NUMBERS = {
    "game", "options", "position", "chance", "step", "via", "attached", "seats", "with_proof",
    "record", "given", "filled", "state", "data", "told", "id", "receipt",
}  # fmt: skip
STRANGE = [
    -2, -3, -101, 4, 5, 99, 2**31, 2**63, 10**30, -(10**30), 1.0, 0.5, float("nan"), "0", "", b"0",
    "\u0663", True, False, [0], (0,), {}, object(), np.float64(1), np.bool_(True), np.int64(-2),
    np.int8(-3), np.array([0, 1]),
]  # fmt: skip
WHOLE_ANYWHERE = {"number", "at", "seed", "first"}


def dealt() -> Match:
    match = Match(SKULL_KING, seed=3)
    match.draw_chance()
    match.act(0, "bid 1")
    return match


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function of the package, and every public method of its classes."""
    for name in quarterdeck.__all__:
        thing = getattr(quarterdeck, name)
        if inspect.isclass(thing):
            if thing in (Match, quarterdeck.Game):
                if thing is Match:  # a game is put together by its folder
                    yield f"{name}.__init__", thing.__init__
                for each, method in inspect.getmembers(thing, inspect.isroutine):
                    if not each.startswith("_"):
                        yield f"{name}.{each}", method
        elif callable(thing):
            yield name, thing


def numbered() -> Iterator[tuple[str, str]]:
    """Every one of them that takes a number, with the parameter."""
    for name, function in functions():
        for parameter in inspect.signature(function).parameters.values():
            if parameter.name in NUMBERS:
                yield name, parameter.name


CASES = list(numbered())


def call(name: str, parameter: str, value: object) -> Any:
    """Calls it with this value, and with others that are fine."""
    owner, _, method = name.partition(".")
    if method == "__init__":
        return Match(SKULL_KING, **{parameter: value})  # type: ignore[arg-type]
    match = dealt()
    function = getattr(match if owner == "Match" else SKULL_KING, method)
    given = {}
    for each in inspect.signature(function).parameters.values():
        if each.name == parameter:
            given[each.name] = value
        elif each.name in OTHERS:
            given[each.name] = OTHERS[each.name]
        elif each.name == "step":
            given[each.name] = match.act(1, "bid 0")
        elif each.default is inspect.Parameter.empty:
            given[each.name] = {"seat": 1, "actor": 1, "number": 2, "first": 0}[each.name]
    if method == "draw":
        match = Match(SKULL_KING, seed=3)
        function = match.draw
    result = function(**given)
    return list(result) if inspect.isgenerator(result) else result


def test_every_parameter_is_known() -> None:
    """Whoever adds one says whether it is a number, and then it is checked below."""
    for name, function in functions():
        for parameter in inspect.signature(function).parameters:
            known = parameter in NUMBERS or parameter in OTHERS or parameter in NO_NUMBERS
            assert known, f"{name}: is {parameter!r} a seat or a number?"
    assert len(CASES) >= 15


@pytest.mark.parametrize(("name", "parameter"), CASES)
def test_what_is_no_seat_and_no_number_is_refused(name: str, parameter: str) -> None:
    for value in STRANGE:
        is_fine = parameter in WHOLE_ANYWHERE and type(value) is int and abs(value) < 2**40
        is_fine |= parameter == "number" and isinstance(value, np.integer)
        if is_fine and (name != "Match.retrace" or value == 4):  # the next ply to come
            continue
        with pytest.raises(NUMBERS[parameter]) as caught:
            call(name, parameter, value)
        assert len(caught.value.message) < 400


@pytest.mark.parametrize(("name", "parameter"), CASES)
def test_what_is_one_is_taken(name: str, parameter: str) -> None:
    fine: dict[str, list[Any]] = {
        "first": [0, 3, 4],
        "number": [1, 11],
        "at": [0, 5, None],
        "seed": [0, -5, None],
    }
    for value in fine.get(parameter, [1, np.int64(1), np.int8(1)]):
        if name == "Match.preview":  # there is none in this game
            with pytest.raises(QuarterdeckError, match="has no preview"):
                call(name, parameter, value)
        else:
            call(name, parameter, value)


@pytest.mark.parametrize("number", [-1, 10_000, 2**40, np.int64(-1), np.int64(10_000)])
def test_an_action_has_a_number_of_its_game(number: int) -> None:
    with pytest.raises(BadNotation):
        dealt().action_text(number)


def test_nobody_sees_the_last_hand_from_behind() -> None:
    match = dealt()
    held = {card for hand in match.position()["hands"] for card in hand}
    assert "?" not in held
    for seat in (-1, -2, -3, -4, -5):
        for look in (match.view, match.seen, match.legal, match.own, match.knowledge):
            with pytest.raises(NoSuchSeat):
                look(seat)
    assert all(set(hand) == {"?"} for hand in match.view(SPECTATOR)["hands"])


def test_a_numbered_action_does_not_tell_what_lies_in_the_closed_chest() -> None:
    match = Match(PIRATOONS, seed=5)
    match.draw_chance()
    assert match.position()["phase"] == "plunder"
    assert "?" not in match.position()["chest"]
    for number in range(PIRATOONS.records.ACTIONS):
        try:
            text = match.action_text(number)
        except BadNotation:
            continue
        assert not text.startswith("drop"), text


def test_other_things_that_are_nothing() -> None:
    for text in (None, 5, ["bid 0"], b"bid 0", "bid 0" * 2000):
        with pytest.raises(BadNotation):
            dealt().act(1, text)  # type: ignore[arg-type]
    others: list[Any] = [[], "x", 5]
    for attached in others:
        with pytest.raises(BadNotation):
            dealt().act(1, "bid 0", attached=attached)
    with pytest.raises(BadNotation):
        dealt().act(1, "bid 0", via="magic")  # type: ignore[arg-type]
    for options in (*others, {"players": 4.0}, {"players": True}, {4: 4}):
        with pytest.raises(BadOption):
            Match(SKULL_KING, options)
    for position in others:
        with pytest.raises(BadPosition):
            Match(SKULL_KING, position=position)
    for names in (["Ann", "Ben"], ["a", "b", "c", 4], ["a", "b", "c", "\ud800"], ["a" * 999] * 4):
        with pytest.raises(BadRecord):
            dealt().record(names)  # type: ignore[arg-type]


def test_a_record_made_in_python_is_checked_like_any_other() -> None:
    told = read_record(write_record(dealt().record()))
    for by in (True, 1.0, -1, 4, "0", None, NATURE):
        told.log[-1].by = by  # type: ignore[assignment]
        with pytest.raises(BadRecord):
            Match.from_record(told)
    assert isinstance(told, GameRecord)


def test_looking_back_shows_the_beginning_as_it_was() -> None:
    match = dealt()
    again, step = next(match.retrace())
    assert (step, again.node, again.to_act) == (None, Match(SKULL_KING).node, "nature")

"""What a seat sees, what it may count, and what a view adds to the position."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from quarterdeck import Match
from quarterdeck.contract import SPECTATOR, Rng, record
from quarterdeck.games.gezanke import bot
from quarterdeck.games.gezanke.state import Memory, State, pirates_on

from .helpers import (
    BENCH,
    GAME,
    KIT,
    PLANKS,
    do,
    do_all,
    legal,
    options,
    outlook,
    position,
    random_game,
    state_of,
    to_act,
    to_slide,
    told,
)

CREWS = {
    "grey": ["blue:-4", "green:4", "yellow:0"],
    "white": ["red:4", "purple:4", "purple:-4"],
    "black": ["yellow:4", "yellow:-4", "orange:0"],
    "brown": ["orange:3", "orange:-3", "green:-4"],
}


def match_of(state: State, **chosen: Any) -> Match:
    return Match(GAME, options(int(state.players), **chosen), position=position(state))


@pytest.mark.rule("GP-22", "GP-R9")
def test_purses_are_hidden_from_the_others_and_the_stacks_lie_open() -> None:
    match = match_of(state_of(pirates=CREWS, purses=[3, 5, 0, 8]))
    for seat, purse in enumerate([3, 5, 0, 8]):
        view = match.view(seat)
        assert view["purses"] == [purse if other == seat else "?" for other in range(4)]
        assert view["pile"] == 103 - 16
        assert view["scores"] == [purse if other == seat else 0 for other in range(4)]
    watched = match.view(SPECTATOR)
    assert (watched["purses"], watched["pile"]) == (["?"] * 4, 103 - 16)
    assert match.position()["purses"] == [3, 5, 0, 8]


@pytest.mark.rule("GP-R9")
def test_an_option_shows_them() -> None:
    match = match_of(state_of(pirates=CREWS, purses=[3, 5, 0, 8]), purses="open")
    for seat in (0, 2, SPECTATOR):
        view = match.view(seat)
        assert (view["purses"], view["pile"]) == ([3, 5, 0, 8], 103 - 16)


@pytest.mark.rule("GP-22", "GP-R9")
def test_at_the_end_everybody_sees_them() -> None:
    state = state_of(phase="over", fins=0, pirates=CREWS, purses=[3, 5, 0, 8])
    view = match_of(state).view(SPECTATOR)
    assert (view["purses"], view["winners"]) == ([3, 5, 0, 8], [3])


@pytest.mark.rule("GP-R9")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_taken_openly_can_be_counted(players: int) -> None:
    """A bot that was there from the start knows every purse; a newcomer has to guess.

    What it guesses fits the open stacks, so that of two players it knows the other's purse.
    """
    match = Match(GAME, options(players), seed=3)
    rng, world = record(Rng), record(State)
    rng.s[:] = 1, 2, 3, 4
    differs = False
    for _, actor, text in random_game(players, seed=6):
        if not text:
            break
        match.act(actor, text)
        known = match.knowledge(0)
        bot.imagine(KIT, known.seen, known.memory, 0, rng, world)
        assert world.purses.tolist() == match.state.purses.tolist()
        bot.imagine(KIT, known.seen, record(Memory), 0, rng, world)
        assert world.purses[0] == match.state.purses[0]
        assert world.purses.sum() == match.state.purses.sum()
        differs = differs or world.purses.tolist() != match.state.purses.tolist()
    assert differs == (players > 2)


@pytest.mark.rule("GP-R8", "GP-R9")
def test_what_was_credited_beyond_the_stacks_is_a_guess() -> None:
    """With the stacks used up a newcomer sees that at least all of it is in the purses."""
    keys: dict[str, Any] = {"phase": "choose", "dice": ["red", "blue"], "slid": "red"}
    keys |= {"lost": {"white": 3, "brown": 3}, "culprit": 0, "purses": [30, 40, 20, 17]}
    state = state_of(hands="real", pirates={"grey": ["red:0"]}, **keys)
    assert outlook(state)["pile"] == 0
    rng, world, totals = record(Rng), record(State), set()
    rng.s[:] = 1, 2, 3, 4
    for _ in range(40):
        bot.imagine(KIT, BENCH.see(state, 1), record(Memory), 1, rng, world)
        assert world.purses[1] == 40
        assert outlook(world)["pile"] == 0
        totals.add(int(world.purses.sum()))
    assert min(totals) >= 103
    assert max(totals) < 103 + 2 * 6
    assert len(totals) > 5


@pytest.mark.rule("GP-6", "GP-7", "GP-11")
def test_what_an_action_would_come_to_is_what_it_comes_to() -> None:
    """At every state of random games: margins, roll and falls of each preview are those after."""
    for state, _, _ in itertools.islice(random_game(4, seed=9), 0, None, 3):
        view = outlook(state)
        if position(state)["phase"] == "choose":
            assert list(view["outlook"]) == legal(state, to_act(state)[0])
            continue
        if position(state)["phase"] not in ("slide", "lift", "set", "board"):
            assert view["outlook"] == {}
            continue
        (seat,) = [seat for seat in range(4) if legal(state, seat)]
        assert list(view["outlook"]) == legal(state, seat)
        for text, preview in list(view["outlook"].items())[::7]:
            after = do(state, seat, text)
            fell = [plank for plank in PLANKS if is_gone(state, after, plank)]
            slides = [values for key, values in told(state, seat, text) if key == "slid"]
            assert preview["spaces"] == sum(values["spaces"] for values in slides)
            if not preview["falls"]:
                assert min(preview["margins"]) >= 0
                assert preview["margins"] == outlook(after)["margins"]
                assert preview["roll"] == outlook(after)["roll"]
            else:
                assert min(preview["margins"]) < 0
                assert set(fell) <= set(preview["falls"])


def is_gone(before: State, after: State, plank: str) -> bool:
    """Whether everybody who stood on a plank is in the water now."""
    number = PLANKS.index(plank)
    return pirates_on(before, number) > 1 and pirates_on(after, number) == 0


@pytest.mark.rule("GP-13", "GP-14", "GP-16")
def test_what_a_choice_would_bring() -> None:
    keys: dict[str, Any] = {
        "phase": "choose",
        "dice": ["red", "blue"],
        "slid": "red",
        "lost": {"grey": 1},
    }
    crews = {"grey": ["green:4", "yellow:3", None], "black": ["red:0", None, None]}
    assert outlook(state_of(pirates=crews, **keys))["outlook"] == {
        "collect": {"doubloons": 4}, "rescue": {"pirates": 1},
    }  # fmt: skip
    assert outlook(state_of(2, pirates=crews, **keys))["outlook"] == {
        "collect grey": {"doubloons": 4}, "rescue grey": {"pirates": 1},
        "collect black": {"doubloons": 0}, "rescue black": {"pirates": 2},
    }  # fmt: skip


def test_only_the_seat_to_act_gets_previews() -> None:
    state = to_slide("red blue", active=2, pirates=CREWS, offsets={"red": 2})
    assert set(outlook(state, 2)["outlook"]) == set(legal(state, 2))
    for seat in (0, 1, 3, SPECTATOR):
        assert outlook(state, seat)["outlook"] == {}
    assert outlook(state, 2)["outlook"]["slide red starboard"]["falls"] == ["red"]
    assert outlook(state, 2)["outlook"]["slide red port"]["falls"] == []


def test_the_target_of_a_move_is_named() -> None:
    state = do(to_slide("red green", pirates=CREWS), 0, "slide red port")
    assert outlook(state)["target"] == "green"
    assert outlook(do(state, 0, "lift yellow:0"))["target"] == "green"
    assert outlook(do_all(state, (0, "lift yellow:0"), (0, "set green:0")))["target"] is None


def test_before_the_planks_lie_there_is_little_to_see() -> None:
    view = outlook(state_of(phase="start"))
    assert (view["roll"], view["margins"], view["doubloons"]) == ([0, 1], [], [])

"""What lies at the edges: other verbs than the one that is due, what no text can say, and the
limits of the balance."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from quarterdeck.contract import NATURE
from quarterdeck.games.gezanke import balance, rules
from quarterdeck.games.gezanke.state import PLACES, State, overboard

from .helpers import (
    BENCH,
    COLOURS,
    KIT,
    do,
    laid,
    legal,
    parse,
    position,
    refusal,
    state_of,
    to_act,
    to_lift,
    to_slide,
)

CREWS = {
    "grey": ["yellow:-1", "green:0", "red:1"],
    "white": ["yellow:1", "red:-1", "purple:0"],
    "black": ["blue:0", "blue:1", "orange:0"],
    "brown": ["blue:-1", None, None],
}


def choosing() -> State:
    """Two pirates went overboard, and seat 0 chooses first."""
    turn: dict[str, Any] = {"dice": ["yellow", "green"], "slid": "yellow", "lost": {"brown": 2}}
    return state_of(phase="choose", pirates=CREWS, **turn)


def in_phases() -> dict[str, State]:
    """A state of every phase in which a seat decides, by the rule that says what is due."""
    lifting = to_lift("yellow", "green", pirates=CREWS)
    chosen = choosing()
    while position(chosen)["phase"] == "choose":
        (seat,) = to_act(chosen)
        chosen = do(chosen, seat, "rescue" if seat == 3 else "collect")
    return {
        "setup GP-3": laid(),
        "slide GP-6": to_slide("yellow green", pirates=CREWS),
        "lift GP-7": lifting,
        "set GP-7": do(lifting, 0, "lift red:1"),
        "choose GP-13": choosing(),
        "board GP-15": chosen,
    }


@pytest.mark.rule("GP-3", "GP-6", "GP-7", "GP-13", "GP-15")
def test_only_what_is_due_may_be_done() -> None:
    texts = {
        "setup": "place grey green:1", "slide": "slide yellow port", "lift": "lift red:1",
        "set": "set green:1", "choose": "collect", "board": "board brown green:1",
    }  # fmt: skip
    for named, state in in_phases().items():
        phase, rule = named.split()
        assert position(state)["phase"] == phase
        (seat,) = to_act(state)
        assert any(text.split()[0] == texts[phase].split()[0] for text in legal(state, seat))
        for other, text in texts.items():
            if other != phase:
                assert refusal(state, seat, text) == rule, (phase, text)
        assert refusal(state, (seat + 1) % 4, texts[phase]) == rule
        assert refusal(state, NATURE, "roll yellow green") == rule


@pytest.mark.rule("GP-5", "GP-15")
def test_what_no_text_can_say_is_refused_too() -> None:
    roll = parse("roll yellow green")
    roll.args[0] = -1
    assert BENCH.refuse(state_of(pirates=CREWS, phase="roll"), NATURE, roll) == "GP-5"
    for place in (-1, PLACES):
        board = parse("board brown green:1")
        board.args[1] = place
        assert BENCH.refuse(in_phases()["board GP-15"], 3, board) == "GP-15"


@pytest.mark.rule("GP-7")
def test_a_pirate_in_the_hand_is_not_overboard() -> None:
    state = in_phases()["set GP-7"]
    assert [overboard(state, colour) for colour in range(len(COLOURS))] == [0, 0, 0, 2]


@pytest.mark.rule("GP-12")
def test_a_plank_put_back_is_an_empty_one_in_its_starting_position() -> None:
    empty = laid()
    for plank in range(6):
        loaded: Any = np.full(18, -7, np.int64)
        put_back = loaded.copy()
        balance.load_plank(KIT, empty, loaded, plank)
        balance.empty_plank(KIT, put_back, plank)
        assert put_back.tolist() == loaded.tolist()


@pytest.mark.rule("GP-19")
def test_no_swing_tilts_the_ship_beyond_its_stop() -> None:
    state = state_of(phase="roll", pirates=CREWS)
    loads: Any = np.empty(18, np.int64)
    for plank in range(6):
        balance.load_plank(KIT, state, loads, plank)
    strain: Any = np.zeros(balance.STRAIN_SIZE, np.int64)
    stop = Fraction(int(KIT.stop[0]), int(KIT.stop[1]))
    b = 1000 * int(KIT.stop[1])
    for plank in range(6):
        p, h = int(loads[3 * plank + 1]), int(loads[3 * plank + 2])
        for swing in (10**4, 10**5):  # 50 and 500 times as far as it is high
            strain[balance.STRAINED], strain[balance.SWING] = (plank + 1) % 6, swing
            pull, unit = balance.pull_of(KIT, loads, plank, 0, b, strain)
            assert Fraction(int(pull), int(unit)) == abs(p) + h * stop


@pytest.mark.rule("GP-19")
def test_a_drop_reaches_no_further_than_200_millimetres() -> None:
    state = state_of(
        phase="roll", offsets={"blue": 2}, pirates=CREWS | {"black": ["blue:4", "blue:1", None]}
    )
    reaches = [balance.drop_reach(KIT, state, 4, 500, 1, speed) for speed in (0, 10, 1000, 2000)]
    assert reaches[0] == 0 < reaches[1] < 200_000
    assert reaches[2:] == [200_000, 200_000]


@pytest.mark.rule("GP-19", "GP-20")
def test_the_hand_is_the_active_players_whichever_seat_he_has() -> None:
    for seat in range(4):
        state = to_slide("blue purple", hands="real", active=seat, pirates=CREWS)
        state = do(state, seat, "slide blue port")
        assert rules.live_seat(KIT, state) == seat
        after = do(state, NATURE, "hand speed=0 press=0 kick=0 over=2000")
        assert position(after)["culprit"] == seat

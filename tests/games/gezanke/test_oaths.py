"""The code of honour: how a hand is judged, what a broken oath costs, and the laws of a hand."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from quarterdeck.contract import LIVE, NATURE, copy_record, record
from quarterdeck.games.gezanke import balance, rules, splash
from quarterdeck.games.gezanke.state import State

from ..helpers import INTERPRETED
from . import reference
from .helpers import (
    KIT,
    PLANKS,
    Crews,
    do,
    do_all,
    keys,
    legal,
    margin,
    node,
    offset,
    outcome,
    outlook,
    pirates,
    position,
    random_game,
    refusal,
    sampled,
    to_act,
    to_lift,
    to_slide,
    told,
)

STEADY = "hand speed=0 press=0 kick=0 over=0"


def hand(speed: int = 0, press: int = 0, kick: int = 0, over: int = 0) -> str:
    return f"hand speed={speed} press={press} kick={kick} over={over}"


CREWS: Crews = {
    "grey": ["blue:0", "green:-4", "yellow:-4"],
    "white": ["red:-1", "purple:4", "purple:-4"],
    "black": ["red:-2", "yellow:4", "orange:-1"],
    "brown": ["red:-3", "orange:1", "green:4"],
}
"""Red is slid four spaces to starboard; three pirates hold it. Grey will set one down on it."""


def setting(
    space: str = "red:0",
    crews: Crews = CREWS,
    players: int = 4,
    offsets: dict[str, int] | None = None,
    **keys: Any,
) -> State:
    """Grey's hand sets a pirate down on red, and is awaited."""
    state = to_lift("yellow", "red", players, "real", pirates=crews,
                    offsets=offsets or {"red": 4}, **keys)  # fmt: skip
    return do_all(state, (0, "lift blue:0"), (NATURE, STEADY), (0, f"set {space}"))


def first_to_topple(state: State, figure: str, most: int) -> int | None:
    """The smallest figure of a hand with which something topples."""
    for value in range(most + 1):
        if "toppled" in keys(state, NATURE, hand(**{figure: value})):
            return value
    return None


# The gesture and its hand --------------------------------------------------------------------


@pytest.mark.rule("GP-19")
def test_with_real_hands_every_gesture_waits_for_its_hand() -> None:
    state = to_slide("red blue", hands="real", pirates=CREWS, offsets={"red": -1})
    moves = [(0, "slide red starboard"), (0, "lift yellow:-4"), (0, "set blue:2")]
    for number, (seat, text) in enumerate(moves):
        state = do(state, seat, text)
        assert (node(state), to_act(state)) == (LIVE, [])
        assert rules.live_seat(KIT, state) == 0
        assert (
            position(state)["gesture"]
            == [
                {"do": "slide", "at": "red", "side": "starboard"},
                {"do": "lift", "at": "yellow:-4", "side": None},
                {"do": "set", "at": "blue:2", "side": None},
            ][number]
        )
        assert (outlook(state)["outlook"], outlook(state)["hand"]) == ({}, 0)
        for seat in range(4):
            assert legal(state, seat) == []
            assert refusal(state, seat, "lift blue:0") == "GP-19"
        assert refusal(state, NATURE, "roll red blue") == "GP-19"
        assert sampled(state, 1) == STEADY
        state = do(state, NATURE, hand(speed=5))
        assert position(state)["gesture"] is None
    assert (position(state)["phase"], position(state)["active"]) == ("roll", 1)
    assert refusal(state, NATURE, STEADY) == "GP-5"


@pytest.mark.rule("GP-19")
def test_steady_hands_and_empty_planks_wait_for_nothing() -> None:
    state = to_slide("red blue", pirates=CREWS)
    assert position(do(state, 0, "slide red port"))["gesture"] is None
    crews = {**CREWS, "grey": ["green:0"]}
    state = to_slide("red blue", hands="real", pirates=crews)
    assert position(do(state, 0, "slide blue stay"))["gesture"] is None


@pytest.mark.rule("GP-19")
@pytest.mark.parametrize(
    ("figure", "most"), [("speed", 1000), ("press", 300), ("kick", 5000), ("over", 2000)]
)
def test_figures_have_bounds(figure: str, most: int) -> None:
    state = setting()
    assert refusal(state, NATURE, hand(**{figure: most})) is None
    assert refusal(state, NATURE, hand(**{figure: most + 1})) == "GP-19"


@pytest.mark.rule("GP-19", "GP-R7")
def test_a_steady_hand_is_the_game_without_hands() -> None:
    """Random games with real hands that make the ideal gesture are the steady games."""
    for players in (2, 3, 4):
        moves = [(actor, text) for _, actor, text in random_game(players, seed=4) if text]
        first, *_ = (state for state, _, _ in random_game(players, seed=4))
        steady, real = copy_record(first), copy_record(first)
        real.hands = 2
        for actor, text in moves:
            steady, real = do(steady, actor, text), do(real, actor, text)
            if node(real) == LIVE:
                real = do(real, NATURE, STEADY)
            alike = copy_record(real)
            alike.hands = 0
            assert alike.tobytes() == steady.tobytes()


# What breaks an oath -------------------------------------------------------------------------


@pytest.mark.rule("GP-19", "GP-20")
def test_a_pirate_pressed_down_topples_what_a_careful_hand_does_not() -> None:
    state = setting("red:1")
    assert keys(state, NATURE, STEADY) == []
    assert keys(state, NATURE, hand(press=1)) == ["hand"]
    events = told(state, NATURE, hand(press=300))
    assert [key for key, _ in events] == [
        "hand", "toppled", "oath-broken", "oath-paid", "oath-paid", "oath-paid",
    ]  # fmt: skip
    figures = {"speed": 0, "press": 300, "kick": 0, "over": 0, "whole": 0, "tenth": 0}
    assert events[0][1] == {"seat": 0, **figures}
    assert events[2][1] == {"seat": 0, "oath": "pressed"}
    assert [values for key, values in events if key == "oath-paid"] == [
        {"seat": seat, "doubloons": 2} for seat in (1, 2, 3)
    ]
    after = do(state, NATURE, hand(press=300))
    assert outcome(after)[0] == [0, 2, 2, 2]
    assert position(after)["culprit"] == 0
    assert pirates(after, "grey") == ["yellow:-4", "green:-4", None]


@pytest.mark.rule("GP-19")
@pytest.mark.parametrize(
    ("figures", "oath"),
    [({"press": 300}, "pressed"), ({"speed": 400}, "dropped"), ({"kick": 5000}, "rocked")],
)
def test_the_oath_that_was_broken_is_named(figures: dict[str, int], oath: str) -> None:
    # so near the edge that any of them is too much
    state = setting("red:3", offsets={"red": 4, "blue": -3, "green": -2})
    assert 5 < margin(state, "red") < 15
    events = dict(told(state, NATURE, hand(**figures)))
    assert events["oath-broken"]["oath"] == oath


@pytest.mark.rule("GP-19")
def test_a_plank_slid_too_far_or_too_fast() -> None:
    crews = {"white": ["red:1", "purple:0"], "grey": ["blue:0"]}
    state = to_slide("red blue", hands="real", pirates=crews, offsets={"red": 2})
    state = do(state, 0, "slide red starboard")
    delta = margin(state, "red")
    assert 20 < delta < 50
    assert keys(state, NATURE, hand(over=delta // 2)) == ["hand"]
    values = dict(told(state, NATURE, hand(over=123)))["hand"]
    assert (values["over"], values["whole"], values["tenth"]) == (123, 12, 3)
    assert dict(told(state, NATURE, hand(over=2 * delta)))["oath-broken"]["oath"] == "too-far"
    # it is judged where it was held, and lies on its lines afterwards
    assert offset(do(state, NATURE, hand(over=delta // 2)), "red") == 3
    assert keys(state, NATURE, hand(speed=10)) == ["hand"]
    # the ship lists to port, and a jerk swings it to starboard
    crews = {
        "white": ["red:0", "red:1", "red:2"],
        "grey": ["blue:0"],
        "black": ["green:-4", "green:-3", "green:-2"],
        "brown": ["yellow:0"],
    }
    ports = {"green": -1, "yellow": -2}
    state = to_slide("red blue", hands="real", pirates=crews, offsets=ports)
    state = do(state, 0, "slide red starboard")
    assert 0 < margin(state, "red") < 5
    assert keys(state, NATURE, hand(speed=10)) == ["hand"]
    assert dict(told(state, NATURE, hand(speed=900)))["oath-broken"]["oath"] == "too-fast"


@pytest.mark.rule("GP-19")
def test_a_slide_no_faster_than_ten_rocks_nothing() -> None:
    state = record(State)
    state.order[:] = range(6)
    state.board[:] = -1
    strain = np.zeros(5, np.int64)
    for speed, swing in ((0, 0), (10, 0), (11, 0), (100, 90 * 121 // 24 // 20)):
        balance.strain_slide(KIT, state, 3, 1, np.array([speed, 0, 0, 0]), strain)
        assert strain.tolist() == [3, 1, 0, 0, swing]


@pytest.mark.rule("GP-19")
def test_on_the_deck_a_plank_bears_anything() -> None:
    """Pressed or dropped within the deck, a pirate pulls no plank over the edge."""
    state = setting("red:-4")
    strain = np.zeros(5, np.int64)
    for figures in ([1000, 0, 0, 0], [0, 300, 0, 0]):
        balance.strain_pirate(KIT, state, 3, 0, np.array(figures), strain)
        assert strain[balance.PULL] == 0
    assert keys(state, NATURE, hand(speed=1000, press=300)) == ["hand"]


@pytest.mark.rule("GP-19", "GP-R7")
def test_a_clumsy_hand_that_loses_nobody_is_not_punished() -> None:
    state = setting("red:1")
    after = do(state, NATURE, hand(press=1, speed=1, kick=1))
    assert position(after)["culprit"] is None
    # an empty plank falls by a jerk: nobody is lost
    crews = {"grey": ["red:-4", "blue:0"], "white": ["green:0"]}
    state = to_lift("yellow", "green", hands="real", pirates=crews, offsets={"red": 3})
    state = do(state, 0, "lift red:-4")
    events = keys(state, NATURE, hand(press=300, kick=5000))
    assert "oath-broken" not in events
    assert position(do(state, NATURE, hand(press=300, kick=5000)))["culprit"] is None


@pytest.mark.rule("GP-19")
def test_what_falls_anyway_breaks_no_oath() -> None:
    state = setting("red:4")
    assert keys(state, NATURE, STEADY) == ["toppled"]
    events = keys(state, NATURE, hand(press=300))
    assert events[:2] == ["hand", "toppled"]
    assert "oath-broken" not in events
    assert outcome(do(state, NATURE, hand(press=300)))[0] == [0, 0, 0, 0]


# What it costs -------------------------------------------------------------------------------


@pytest.mark.rule("GP-20", "GP-R7")
def test_a_culprit_may_not_collect_but_may_bring_back() -> None:
    state = do(setting("red:1"), NATURE, hand(press=300))
    assert (position(state)["phase"], to_act(state)) == ("choose", [0])
    assert legal(state, 0) == ["rescue"]
    assert refusal(state, 0, "collect") == "GP-20"
    state = do_all(state, (0, "rescue"), (1, "collect"), (2, "collect"), (3, "rescue"))
    # two for the oath, and then the normal choice: white has the ends of purple, black yellow:4
    assert outcome(state)[0] == [0, 6, 4, 2]
    assert position(state)["boarding"] == {"grey": 1, "white": 0, "black": 0, "brown": 1}


@pytest.mark.rule("GP-20", "GP-R7")
def test_a_culprit_with_nobody_overboard_gets_nothing() -> None:
    crews = {"white": ["red:1", "purple:4"], "grey": ["blue:4"]}
    state = to_slide("red green", hands="real", pirates=crews, offsets={"red": 2})
    state = do_all(state, (0, "slide red starboard"), (NATURE, hand(over=400)))
    assert position(state)["culprit"] == 0
    state = do_all(state, (0, "lift blue:4"), (NATURE, STEADY), (0, "set green:4"))
    assert keys(state, NATURE, STEADY) == []
    state = do(state, NATURE, STEADY)
    assert position(state)["choices"]["grey"] is None  # two of his are overboard since long
    crews = {**crews, "grey": ["blue:4", "blue:3", "blue:2"]}
    state = to_slide("red green", hands="real", pirates=crews, offsets={"red": 2})
    state = do_all(
        state, (0, "slide red starboard"), (NATURE, hand(over=400)), (0, "lift blue:4"),
        (NATURE, STEADY), (0, "set green:4"), (NATURE, STEADY),
    )  # fmt: skip
    assert position(state)["choices"]["grey"] == "nothing"
    assert to_act(state) == [1]
    state = do_all(state, (1, "collect"), (2, "collect"))
    assert keys(state, 3, "collect")[1] == "collects-nothing"
    assert outcome(do(state, 3, "collect"))[0] == [0, 4, 0, 0]


@pytest.mark.rule("GP-20", "GP-R8")
def test_at_the_last_fin_a_culprit_collects_nothing() -> None:
    state = do(setting("red:1", fins=1), NATURE, hand(press=300))
    assert position(state)["phase"] == "over"
    assert outcome(state)[0] == [0, 6, 4, 4]


@pytest.mark.rule("GP-20", "GP-R7")
def test_neutral_pirates_bring_nothing_and_two_players_have_two_colours() -> None:
    state = do(setting("red:1", players=3), NATURE, hand(press=300))
    assert outcome(state)[0] == [0, 2, 2]
    # seat 0 has grey and black: white and brown are paid to seat 1
    state = do(setting("red:1", players=2), NATURE, hand(press=300))
    assert outcome(state)[0] == [0, 4]
    assert legal(state, 0) == ["rescue grey", "rescue black"]


@pytest.mark.rule("GP-20", "GP-R6")
def test_a_clumsy_hand_that_brings_a_pirate_back_pays_too() -> None:
    state = do_all(setting("red:4"), (NATURE, STEADY))
    for seat in range(4):
        state = do(state, seat, "rescue" if seat == 1 else "collect")
    purses = outcome(state)[0]
    state = do(state, 1, "board white red:4")
    assert position(state)["gesture"] == {"do": "board", "at": "red:4", "side": None}
    assert rules.live_seat(KIT, state) == 1
    after = do(state, NATURE, hand(press=300, speed=1000, kick=5000))
    assert outcome(after)[0] == purses  # red lies in the middle again: nothing falls
    assert position(after)["culprit"] is None


# The laws of a hand --------------------------------------------------------------------------


@pytest.mark.rule("GP-19")
@pytest.mark.parametrize("space", [0, 1])
@pytest.mark.parametrize("blue", [-2, 0, 2])
def test_a_press_tips_by_the_law_of_the_lever(space: int, blue: int) -> None:
    """Force times what is beyond the edge, against weight times what is within it."""
    state = setting(f"red:{space}", offsets={"red": 4, "blue": blue})
    beyond = 20 * (4 + space) - 72  # mm
    weight = 12.1 + 6 * 4
    limit = weight * margin_mm(state) / (6 * beyond) * 100
    found = first_to_topple(state, "press", 300)
    if limit > 300:
        assert found is None
    else:
        assert found is not None
        assert limit <= found <= limit + 2


def margin_mm(state: State) -> float:
    """The exact distance of red's centre of mass from the edge, by the reference."""
    planks = []
    for plank in position(state)["planks"]:
        planks.append(reference.Plank(plank["name"], plank["side"]))
        planks[-1].offset = plank["offset"]
        for place in range(-4, 5):
            for standing in position(state)["pirates"].values():
                if f"{plank['name']}:{place}" in standing:
                    planks[-1].standing[place] = "grey"
    return float(72 - reference.reaches(planks)["red"] / 10)


@pytest.mark.rule("GP-19")
@pytest.mark.parametrize("space", [0, 1])
@pytest.mark.parametrize("blue", [-2, 0, 2])
def test_a_drop_tips_by_the_law_of_energy(space: int, blue: int) -> None:
    """The turn it gives the plank must lift the centre of mass over the edge."""
    state = setting(f"red:{space}", offsets={"red": 4, "blue": blue})
    bodies = [(0.0121, 0.080, 0.0)] + [
        (0.006, 0.080 + 0.02 * s, 0.021) for s in (-1, -2, -3, space)
    ]
    inertia = sum(m * ((x - 0.072) ** 2 + z**2) for m, x, z in bodies) + 0.0121 * 0.18**2 / 12
    weight = sum(m for m, _, _ in bodies)
    height = (0.0121 * 0.0015 + 4 * 0.006 * 0.021) / weight
    delta = margin_mm(state) / 1000
    lift = math.hypot(height, delta) - height  # of the centre of mass, at the least
    beyond = 0.02 * (4 + space) - 0.072
    speed = math.sqrt(2 * inertia * weight * 9.81 * lift) / (0.006 * beyond)
    limit = 0.7 * 100 * speed
    found = first_to_topple(state, "speed", 1000)
    if limit > 1000:
        assert found is None
    else:
        assert found is not None
        assert abs(found - limit) <= 1 + 0.02 * limit


@pytest.mark.rule("GP-19")
def test_an_overshoot_is_the_exact_model_with_the_plank_further_out() -> None:
    rng = random.Random(5)
    state = record(State)
    falls, overs = np.zeros(6, np.int64), np.zeros(6, np.int64)
    fallen = 0
    for _ in range(200 if INTERPRETED else 3000):
        state.order[:] = range(6)
        state.board[:] = -1
        planks = [reference.Plank(name, "front") for name in PLANKS]
        for place in rng.sample(range(54), 12):
            state.board[place // 9][place % 9] = 0
            planks[place // 9].standing[place % 9 - 4] = "grey"
        for number in range(6):
            state.offsets[number] = planks[number].offset = rng.randint(-3, 3)
        over, side = rng.randrange(300), rng.choice((-1, 1))
        if reference.toppled(planks):
            continue  # something falls anyway
        planks[2].offset += side * Fraction(over, 200)
        strain = np.zeros(5, np.int64)
        balance.strain_slide(KIT, state, 2, side, np.array([0, 0, 0, over]), strain)
        count = balance.topple(KIT, state, strain, falls, overs)
        found = [PLANKS[plank] for plank in falls[:count]]
        assert found == [name for name, _ in reference.toppled(planks)]
        fallen += bool(found)
    assert fallen > (3 if INTERPRETED else 100)


@pytest.mark.rule("GP-19")
def test_a_swing_is_the_exact_model_on_a_ship_that_rolls_further() -> None:
    """A kick of 1 rad/s swings the ship by tan 1/4, but never beyond the stop, to either side."""
    state = setting("red:1")
    strain = np.zeros(5, np.int64)
    balance.strain_pirate(KIT, state, 3, 5, np.array([0, 0, 1000, 0]), strain)
    assert strain[balance.SWING] * 4 == balance.SWING_UNIT
    falls, overs = np.zeros(6, np.int64), np.zeros(6, np.int64)
    roll = Fraction(*outlook(state)["roll"])
    across = Fraction(121 * 800 + 60 * (600 + 400 + 200 + 1000), 361)
    height = Fraction(1815 + 4 * 12600, 361)
    for kick in range(0, 1000, 20):
        figures = np.array([0, 0, kick, 0])
        balance.strain_pirate(KIT, state, 3, 5, figures, strain)
        swung = min(roll + Fraction(kick, 4000), Fraction(1, 5))
        assert bool(balance.topple(KIT, state, strain, falls, overs)) == (
            across + height * swung > 720
        )


@pytest.mark.rule("GP-19")
def test_it_is_told_how_far_a_hand_has_swung_the_ship() -> None:
    """The picture leans as far as the balance does that lets the plank fall."""
    state = setting("red:3", offsets={"red": 4, "blue": -3, "green": -2})
    roll = Fraction(*outlook(state)["roll"])
    for kick in (400, 1000, 5000):
        values = dict(told(state, NATURE, hand(kick=kick)))["toppled"]
        swung = roll + Fraction(kick // 20, 200)
        assert Fraction(*values["roll"]) == min(swung, Fraction(1, 5))
    # pressed down, it lies as it is
    values = dict(told(state, NATURE, hand(press=300)))["toppled"]
    assert Fraction(*values["roll"]) == roll
    # a plank held too far out weighs on that side
    crews = {"white": ["red:1", "purple:0"], "grey": ["blue:0"]}
    state = to_slide("red blue", hands="real", pirates=crews, offsets={"red": 2})
    state = do(state, 0, "slide red starboard")
    values = dict(told(state, NATURE, hand(over=400)))["toppled"]
    assert Fraction(*outlook(state)["roll"]) < Fraction(*values["roll"]) <= Fraction(1, 5)


@pytest.mark.rule("GP-19")
def test_more_of_a_clumsy_hand_never_saves_its_own_plank() -> None:
    """What a hand does to the plank it works on only pulls it further over."""
    rng = random.Random(2)
    state = setting("red:1", offsets={"red": 4, "blue": 2})
    for figure, most in (("speed", 1000), ("press", 300), ("kick", 5000)):
        fell = False
        for value in sorted(rng.sample(range(most + 1), 40)):
            falls = "toppled" in keys(state, NATURE, hand(**{figure: value}))
            assert falls or not fell
            fell = falls


def planks_of(state: State) -> list[reference.Plank]:
    """The ship of a state, as the reference has it."""
    standing = {
        space: colour for colour, spaces in position(state)["pirates"].items() for space in spaces
    }
    planks = []
    for laid in position(state)["planks"]:
        planks.append(reference.Plank(laid["name"], laid["side"]))
        planks[-1].offset = laid["offset"]
        spaces = [space for space in range(-4, 5) if f"{laid['name']}:{space}" in standing]
        planks[-1].standing = {space: standing[f"{laid['name']}:{space}"] for space in spaces}
    return planks


@pytest.mark.rule("GP-19", "GP-20", "GP-R6")
def test_the_ledger_alone_says_what_a_hand_topples() -> None:
    """Every gesture of random games: its strain and what falls, recomputed from the document."""
    rng, fell, broke = random.Random(3), 0, 0
    falls, overs, measured = (np.zeros(length, np.int64) for length in (6, 6, 5))
    for seed in range(2 if INTERPRETED else 9):
        for state, _, _ in random_game(2 + seed % 3, seed, "real"):
            gesture = position(state)["gesture"]
            if gesture is None:
                continue
            name, _, at = gesture["at"].partition(":")
            place = int(at) if at else 1 if gesture["side"] == "starboard" else -1
            steady = reference.fallen_by_hand(planks_of(state), None)
            if position(state)["phase"] in ("neutral", "board"):
                steady = []  # GP-R6
            for _ in range(8):
                bounds = rng.choice(((300, 200, 1500, 60), (1000, 300, 0, 0), (1000, 0, 5000, 400)))
                drawn = [rng.choice((0, rng.randint(0, bound))) for bound in bounds]
                figures = dict(zip(("speed", "press", "kick", "over"), drawn, strict=True))
                planks = planks_of(state)
                (plank,) = [plank for plank in planks if plank.name == name]
                strain = reference.strain_of(plank, gesture["do"], place, figures)
                splash.strain_of(KIT, state, np.array(drawn), measured)
                assert measured.tolist() == [PLANKS.index(name), *strain[1:]]
                expected = reference.fallen_by_hand(planks, strain if any(drawn) else None)
                judged = splash.judge(KIT, state, np.array(drawn), falls, overs)
                found = [PLANKS[fallen] for fallen in falls[: judged & 255]]
                assert found == expected, (position(state), figures)
                broken = {PLANKS[plank] for plank in range(6) if judged >> (8 + plank) & 1}
                assert broken == set(expected) - set(steady)
                fell += bool(found)
                broke += bool(broken)
    assert fell > broke > (20 if INTERPRETED else 100)


@pytest.mark.rule("GP-R5")
def test_no_integer_leaves_2_to_the_53() -> None:
    """The largest values there can be, recomputed where they arise."""
    heaviest = 121 + 9 * 60
    moment = 200 * (heaviest * 14 + 60 * 30) + heaviest * 2000  # slid, loaded, held too far
    keel = 900_000 + 6 * 300 * heaviest  # more than there can be
    assert moment * keel * 200 < 2**53  # N, with a swing
    pull = heaviest * 2000 + 60 * 3 * (18 * 200)
    assert pull * 200 * keel < 2**53
    assert 720 * heaviest * keel * 200 < 2**53
    # remainders are multiplied by weights only
    assert heaviest * heaviest < 2**53
    # the drop: swing squared over a weight times DROP, then a square root
    swing = 1000 * (18 * 200 - 720)
    assert swing * swing // (121 + 60) * balance.DROP < 2**53
    lift = swing * swing // (121 + 60) * balance.DROP // (121 * 270_000)
    assert 2 * 100 * 210 * lift + lift * lift < 2**53

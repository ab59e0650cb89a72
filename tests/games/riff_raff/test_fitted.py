"""The fitted world: its curves by hand, and what it draws where all is certain."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from quarterdeck.contract import NATURE, Rng, copy_record, record, seed_rng
from quarterdeck.games.riff_raff import fitted, rules
from quarterdeck.games.riff_raff.state import AREAS, LEVELS, Kit

from .helpers import BENCH, INTERPRETED, KIT, SHAPES, state_of

ABOARD = {"2": ["rat", "rat", "boat"], "7": ["crate"], "9": ["plank", "chest"]}
DRAWS = 40 if INTERPRETED else 400
CURVES = ("own", "other", "astray")
CHANCES = ("back", "caught", "more", "moved")


def kit_in_which(**certain: bool) -> Kit:
    """The kit with a fitted world in which each of these happens always or never."""
    kit: Any = copy_record(KIT)
    for name, happens in certain.items():
        if name in CURVES:
            getattr(kit, name)[:] = 0
            getattr(kit, name)[:LEVELS] = 60 if happens else -60
        else:
            setattr(kit, name, float(happens))
    told: Kit = kit
    return told


def drawn(kit: Kit, aboard: dict[str, list[str]], area: int = 7) -> list[str]:
    """What comes of loading a sailor, some hundred times, all of it as the rules allow."""
    state = state_of(
        2, world="fitted", captain=0, played=[area, 3], aboard=aboard, hand="sailor"
    )  # fmt: skip
    texts = []
    for number in range(DRAWS):
        rng, action = record(Rng), BENCH.used_action()
        seed_rng(rng, 5, 0, 0, number)
        rules.sample(kit, state, rng, action)
        assert BENCH.refuse(state, NATURE, action) is None
        texts.append(BENCH.text(action))
        assert BENCH.parse(texts[-1]).tobytes() == action.tobytes()
    return texts


def test_the_moment_is_every_piece_by_its_place() -> None:
    state = state_of(2, captain=0, aboard=ABOARD)
    expected = sum(
        KIT.mass[SHAPES.index(piece)]
        * (KIT.areas[int(area) - 1][0] + KIT.areas[int(area) - 1][2])
        / 2
        for area, pieces in ABOARD.items()
        for piece in pieces
    )
    assert fitted.moment(KIT, state) == pytest.approx(expected)
    assert abs(expected) > 1e-9
    assert fitted.cargo(state) == 6


@pytest.mark.parametrize("area", [2, 7, 9])
def test_a_curve_is_the_logistic_one_of_its_weights(area: int) -> None:
    state = state_of(2, captain=0, aboard=ABOARD)
    weights: Any = np.linspace(-1, 1.3, len(KIT.own)) ** 3
    shape, load, pull = SHAPES.index("flacon"), fitted.cargo(state), fitted.moment(KIT, state)
    box = KIT.areas[area - 1]
    tipped = abs(pull + KIT.mass[shape] * (box[0] + box[2]) / 2)
    ten_degrees = math.radians(10_000 * KIT.pivot_righting)
    x = (
        weights[KIT.level[area - 1]]
        + weights[LEVELS + shape]
        + weights[LEVELS + 8] * load
        + weights[LEVELS + 9] * len(ABOARD[str(area)])
        + weights[LEVELS + 10] * tipped / ten_degrees
    )
    chance = fitted.chance(KIT, state, area, shape, load, pull, weights)
    assert chance == pytest.approx(1 / (1 + math.exp(-x)))


def test_from_an_empty_ship_nothing_but_the_piece_can_fall() -> None:
    kit = kit_in_which(other=True, back=True, own=False, astray=False, more=True, moved=True)
    assert set(drawn(kit, {})) == {"settle sailor=7"}


def test_the_only_piece_aboard_may_fall_and_the_sailor_with_it_come_back() -> None:
    kit = kit_in_which(other=True, back=True, caught=False, more=True, moved=True)
    assert set(drawn(kit, {"4": ["rat"]})) == {"settle sailor=back fell rat@4"}
    kit = kit_in_which(other=True, back=False, own=True, caught=True, more=True)
    assert set(drawn(kit, {"4": ["rat"]})) == {"settle sailor=fell caught sailor,rat@4"}


def test_what_goes_on_falling_leaves_nothing_aboard() -> None:
    kit = kit_in_which(
        other=True, back=False, own=False, astray=True, caught=False, more=True, moved=True
    )
    everything = "boat@2,rat@2,rat@2,crate@7,plank@9,chest@9"
    assert set(drawn(kit, ABOARD)) == {f"settle sailor=astray fell {everything}"}


def test_one_thing_falls_where_no_more_do() -> None:
    kit = kit_in_which(
        other=True, back=False, own=False, astray=False, caught=False, more=False, moved=False
    )
    texts = drawn(kit, ABOARD)
    assert all(text.startswith("settle sailor=7 fell ") and "," not in text for text in texts)
    assert len(set(texts)) > 3


def test_a_piece_that_moves_leaves_its_area_for_any_other() -> None:
    kit = kit_in_which(other=False, own=False, astray=False, moved=True)
    texts = drawn(kit, {"4": ["rat"]})
    assert set(texts) <= {f"settle sailor=7 moved rat@4={to}" for to in range(1, 11) if to != 4}
    assert len(set(texts)) == 9
    still = kit_in_which(other=False, own=False, astray=False, moved=False)
    assert set(drawn(still, {"4": ["rat"]})) == {"settle sailor=7"}


def test_a_sailor_falls_caught_or_not() -> None:
    for is_caught, more in ((True, " caught sailor"), (False, "")):
        kit = kit_in_which(other=False, own=True, caught=is_caught, moved=False)
        assert set(drawn(kit, ABOARD)) == {f"settle sailor=fell{more}"}


def test_loose_things_are_drawn_as_often_as_they_are_loose() -> None:
    kit: Any = copy_record(KIT)
    left: Any = np.zeros((AREAS, len(SHAPES)), np.int8)
    left[1][3], left[8][6] = 3, 1
    kit.loose[:] = 0
    kit.loose[kit.level[1]] = 1
    kit.loose[kit.level[8]] = 2
    assert kit.level[1] != kit.level[8]
    rng = record(Rng)
    seed_rng(rng, 1, 0, 0, 0)
    places = [fitted.draw_loose(kit, rng, left) for _ in range(1000)]
    crates, rats = places.count(1 * 8 + 3), places.count(8 * 8 + 6)
    assert crates + rats == 1000
    assert crates / 1000 == pytest.approx(3 / 5, abs=0.08)
    kit.loose[:] = 0  # even where nothing is loose it is a piece that is there
    assert fitted.draw_loose(kit, rng, left) in (1 * 8 + 3, 8 * 8 + 6)

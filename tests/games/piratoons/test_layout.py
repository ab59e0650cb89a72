"""The best layout and the best partition into sets, against trying everything there is."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest

from quarterdeck.games.piratoons import layout, notation
from quarterdeck.games.piratoons.reckoning import sets_of

from . import reference
from .helpers import INTERPRETED, KIT, do, legal, position, refit_of, refusal

KINDS = ("deck", "gun", "port", "quart", "sail")
SMALL = 60
LARGE = 60 if INTERPRETED else 300


def best(tiles: Collection[str]) -> str:
    """The layout the rules find for these tiles of seat 0."""
    if not tiles:
        return "-"
    state = refit_of(sorted(tiles, key=reference.TILES.index))
    text, _ = legal(state, 0)
    return text.removeprefix("refit ")


def picked(rng: random.Random, parts: int, tiles: int, kinds: tuple[str, ...] = KINDS) -> set[str]:
    """So many parts and tiles of these kinds at random."""
    equipment = [tile for tile in reference.EQUIPMENT if reference.kind(tile) in kinds]
    return {*rng.sample(list(reference.PARTS), parts), *rng.sample(equipment, tiles)}


@pytest.mark.rule("PT-R4")
@pytest.mark.parametrize("seed", range(SMALL))
def test_the_best_layout_is_the_best_of_all(seed: int) -> None:
    rng = random.Random(seed)
    tiles = picked(rng, rng.randrange(4), rng.randrange(6))
    assert best(tiles) == reference.best_layout(tiles)


@pytest.mark.rule("PT-R4", "PT-25", "PT-26")
@pytest.mark.parametrize("seed", range(SMALL))
def test_where_room_is_short(seed: int) -> None:
    """Two parts and many tiles of few kinds: what is kept, and on which field, has to be chosen."""
    rng = random.Random(1000 + seed)
    kinds = rng.choice([("deck", "sail"), ("deck", "gun", "sail"), ("port", "gun"), ("quart",)])
    tiles = picked(rng, 2, 5, kinds)
    assert best(tiles) == reference.best_layout(tiles)


@pytest.mark.rule("PT-R4", "PT-31", "PT-R5")
@pytest.mark.parametrize("seed", range(LARGE))
def test_the_connections_of_the_best_layout(seed: int) -> None:
    """Up to six parts: no order is better, and of the best the names are the least."""
    rng = random.Random(seed)
    parts = rng.sample(list(reference.PARTS), rng.randrange(7))
    ranked = min(
        (-sum(reference.connections([(part, ()) for part in order])), " ".join(order) or "-")
        for order in permutations(parts)
    )
    assert best(parts) == ranked[1]


def most_correct(parts: list[str]) -> int:
    """The most correct connections of a ship, by dynamic programming over subsets of its parts."""
    edges = [(reference.PARTS[part].left, reference.PARTS[part].right) for part in parts]

    @cache
    def rest(used: int, symbol: int) -> int:
        if used == (1 << len(edges)) - 1:
            return symbol == 1
        return max(
            (symbol == left) + rest(used | 1 << number, right)
            for number, (left, right) in enumerate(edges)
            if not used >> number & 1
        )

    return rest(0, 1)


@pytest.mark.rule("PT-R4", "PT-31")
@pytest.mark.parametrize("size", range(7, 14))
def test_the_connections_of_larger_ships(size: int) -> None:
    rng = random.Random(size)
    for _ in range(1 if INTERPRETED else 4):
        parts = rng.sample(list(reference.PARTS), size)
        found = reference.connections(reference.read(best(parts)))
        assert sum(found) == most_correct(parts)


@pytest.mark.rule("PT-R4", "PT-24")
def test_a_ship_of_all_tiles() -> None:
    ship = reference.read(best(reference.TILES))
    assert reference.may_be_laid_out(ship, set(reference.TILES))
    assert len([tile for _, on in ship for tile in on]) == 48  # the box has a place for all of it
    assert sum(reference.connections(ship)) == 25


@pytest.mark.rule("PT-33")
def test_every_share_of_three_designs() -> None:
    for counts in product(range(4), repeat=3):
        assert points(counts) == reference._best_sets(spelled(counts)), counts


@pytest.mark.rule("PT-33")
def test_other_numbers_of_designs() -> None:
    """An owner's kit may have up to nine designs of a kind."""
    rng = random.Random(5)
    for _ in range(20 if INTERPRETED else 200):
        counts = [0] * 9
        for _ in range(rng.randrange(10)):
            counts[rng.randrange(rng.choice([2, 4, 9]))] += 1
        assert points(counts) == reference._best_sets(spelled(counts)), counts


def spelled(counts: Sequence[int]) -> tuple[str, ...]:
    return tuple("abcdefghi"[design] for design, count in enumerate(counts) for _ in range(count))


def points(counts: Sequence[int]) -> int:
    """The points of the best partition, and what it is made of adds up to them."""
    given, mixed = np.zeros(9, np.int64), np.zeros(9, np.int64)
    given[: len(counts)] = counts
    found = int(layout.split_sets(given, mixed))
    sets, odd = divmod(int(mixed.sum()), 3)
    assert odd == 0
    assert (mixed <= np.minimum(given, sets)).all()
    rest = given - mixed
    assert found == 4 * sets + sum(5 * (n // 3) + 2 * (n % 3 == 2) for n in rest.tolist())
    return found


@pytest.mark.rule("PT-33")
@pytest.mark.parametrize("seed", range(LARGE // 10))
def test_the_sets_that_are_told_are_sets(seed: int) -> None:
    rng = random.Random(seed)
    tiles = picked(rng, 12, 20, ("deck", "gun", "port", "quart"))
    state = refit_of(sorted(tiles, key=reference.TILES.index))
    state = do(state, 0, legal(state, 0)[0])
    told = sets_of(KIT, state.owner, state.spot, 0)
    aboard = [tile for _, on in reference.read(position(state)["ships"][0]) for tile in on]
    used = [tile for one in told for tile in one.tiles]
    assert len(used) == len(set(used))
    assert set(used) <= set(aboard)
    assert sum(one.points for one in told) == reference.set_points(aboard)
    for one in told:
        designs = [tile.split("-")[1][0] for tile in one.tiles]
        assert len({reference.kind(tile) for tile in one.tiles}) == 1
        shape = {"same": (3, 1, 5), "different": (3, 3, 4), "pair": (2, 1, 2)}[one.kind]
        assert (len(designs), len(set(designs)), one.points) == shape


# What may be declared ------------------------------------------------------------------------


@pytest.mark.rule("PT-24", "PT-25", "PT-26", "PT-R4")
@pytest.mark.parametrize("seed", range(SMALL // 2))
def test_exactly_the_layouts_the_rules_allow(seed: int) -> None:
    """Every way to put few tiles down, allowed or not, judged as by the second telling."""
    rng = random.Random(seed)
    tiles = sorted(picked(rng, 2, 3))
    state = refit_of(tiles)
    parts = [tile for tile in tiles if tile in reference.PARTS]
    rest = [tile for tile in tiles if tile not in parts]
    for order in [*permutations(parts), parts[:1], []]:
        for places in product([None, *order], repeat=len(rest)):
            ship = [
                (part, tuple(t for t, at in zip(rest, places, strict=True) if at == part))
                for part in order
            ]
            refused = refusal(state, 0, f"refit {reference.written(ship)}")
            assert (refused is None) == reference.may_be_laid_out(ship, set(tiles)), ship


def test_a_layout_may_be_written_in_any_order() -> None:
    one = notation.parse(KIT, "refit p5(port-a1,deck-b2) p1(sail-10,sail-4)")
    assert notation.text(KIT, one) == "refit p5(deck-b2,port-a1) p1(sail-10,sail-4)"
    other = notation.parse(KIT, "refit p5(deck-b2,port-a1) p1(sail-4,sail-10)")
    assert one.tobytes() == other.tobytes()

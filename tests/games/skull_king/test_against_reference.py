"""The compiled rules against the second telling in `reference.py`."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from itertools import islice, product

import pytest

from quarterdeck.games.skull_king import rules

from ..helpers import INTERPRETED
from . import reference
from .helpers import (
    FACES,
    PLAYERS,
    Trick,
    held,
    legal,
    outcome,
    padded,
    position,
    random_game,
    to_act,
    trick,
)

STRIDE = 499 if INTERPRETED else 1
TRICKS = 100 if INTERPRETED else 20_000
GAMES = 1 if INTERPRETED else 6

NUMBERS = {face: padded([face])[0] for face in FACES}


def is_in_the_pack(cards: Iterable[str]) -> bool:
    return Counter(map(held, cards)) <= reference.PACK


def check_trick(cards: list[str]) -> None:
    row = padded([])
    for place, card in enumerate(cards):
        row[place] = NUMBERS[card]
    place = rules.winning_place(row)
    assert place == reference.winner(cards), cards
    assert rules.trick_bonus(row, place) == reference.bonus(cards), cards


@pytest.mark.rule("SK-10", "SK-11", "SK-12", "SK-13", "SK-14", "SK-15", "SK-16", "SK-17")
@pytest.mark.parametrize(("players", "expected"), [(2, 3307), (3, 185_315)])
def test_all_tricks_of_two_and_three_cards(players: int, expected: int) -> None:
    checked = 0
    for cards in islice(product(FACES, repeat=players), 0, None, STRIDE):
        if is_in_the_pack(cards):
            check_trick(list(cards))
            checked += 1
    assert checked == expected or STRIDE > 1


def random_trick(rng: random.Random, players: int) -> list[str]:
    """Faces drawn from the pack, the special ones more often than chance would have it."""
    pack = [card for card, copies in reference.PACK.items() for _ in range(copies)]
    specials = [card for card in pack if not card[1].isdigit()]
    while True:
        pool = specials if rng.random() < 0.5 else pack
        cards = [rng.choice(pool if rng.random() < 0.7 else pack) for _ in range(players)]
        if is_in_the_pack(cards):
            return [rng.choice(("mary:pirate", "mary:escape")) if c == "mary" else c for c in cards]


@pytest.mark.rule("SK-10", "SK-11", "SK-12", "SK-13", "SK-14", "SK-15", "SK-16", "SK-17")
@pytest.mark.parametrize("players", [4, 5, 6])
def test_random_tricks_of_four_to_six_cards(players: int) -> None:
    rng = random.Random(players)
    for _ in range(TRICKS):
        check_trick(random_trick(rng, players))


@pytest.mark.rule("SK-4", "SK-9", "SK-23", "SK-24")
@pytest.mark.parametrize("players", PLAYERS)
def test_random_tricks_played_at_the_table(players: int) -> None:
    rng = random.Random(players)
    for _ in range(TRICKS // 100):
        cards = random_trick(rng, players)
        expected = Trick(reference.winner(cards), reference.bonus(cards))
        assert trick(*cards, leader=rng.randrange(players)) == expected, cards


@pytest.mark.rule("SK-18", "SK-19", "SK-20", "SK-21", "SK-22")
def test_the_points_of_every_hand_bid_and_number_of_tricks() -> None:
    for hand in range(1, 11):
        for bid, won in product(range(hand + 1), repeat=2):
            for bonus in (0, 30, 50, 110) if won else (0,):
                expected = reference.points(hand, bid, won, bonus)
                assert rules.hand_points(hand, bid, won, bonus) == expected


@pytest.mark.rule("SK-1", "SK-3", "SK-5", "SK-6", "SK-7", "SK-8", "SK-25", "SK-R1", "SK-R2")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(GAMES))
def test_whole_games_move_by_move(players: int, seed: int) -> None:
    table = reference.Table(players)
    for state, actor, text in random_game(players, seed):
        shown = position(state)
        shown["hands"] = [Counter(hand) for hand in shown["hands"]]
        assert shown == table.position()
        offered = table.legal()
        assert to_act(state) == sorted(offered)
        for seat in range(players):
            texts = legal(state, seat)
            assert len(texts) == len(set(texts))
            assert set(texts) == offered.get(seat, set())
        assert outcome(state) == (table.scores, table.winners())
        if text:
            table.do(actor, text)
    assert table.phase == "over"

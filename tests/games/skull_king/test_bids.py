"""Bids, who leads, who deals, and what a seat sees of it."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import pytest

from quarterdeck.contract import NATURE, OVER, SEALED, SEAT, SPECTATOR
from quarterdeck.games.skull_king.state import State

from .helpers import (
    PLAYERS,
    do,
    do_all,
    legal,
    new_game,
    node,
    outcome,
    parse,
    plain_deal,
    position,
    random_game,
    refusal,
    refuse,
    sampled,
    seen_by,
    to_act,
    to_deal,
)


def bidding(players: int, hand: int) -> State:
    return do(to_deal(players, hand), NATURE, plain_deal(players, hand))


@pytest.mark.rule("SK-3")
@pytest.mark.parametrize("hand", range(1, 11))
def test_a_bid_is_from_0_to_the_number_of_cards(hand: int) -> None:
    state = bidding(3, hand)
    for seat in range(3):
        assert legal(state, seat) == [f"bid {number}" for number in range(hand + 1)]
        for number in range(hand + 1):
            assert refusal(state, seat, f"bid {number}") is None
        assert refusal(state, seat, f"bid {hand + 1}") == "SK-3"
        assert refusal(state, seat, "bid 99") == "SK-3"


@pytest.mark.rule("SK-3")
def test_a_bid_below_zero_is_refused() -> None:
    action = parse("bid 0")
    action.args[0] = -1
    assert refuse(bidding(2, 3), 0, action) == "SK-3"


@pytest.mark.rule("SK-3")
@pytest.mark.parametrize("players", PLAYERS)
def test_all_bid_at_the_same_moment_in_any_order(players: int) -> None:
    start = bidding(players, 5)
    ends = set()
    orders = list(permutations(range(players)))
    for order in random.Random(4).sample(orders, min(len(orders), 12)):
        state = start
        for done, seat in enumerate(order):
            assert node(state) == SEALED
            assert to_act(state) == sorted(order[done:])
            state = do(state, seat, f"bid {seat % 3}")
        assert node(state) == SEAT
        assert position(state)["bids"] == [seat % 3 for seat in range(players)]
        ends.add(state.tobytes())
    assert len(ends) == 1


@pytest.mark.rule("SK-3")
def test_nobody_plays_before_all_have_bid() -> None:
    state = do(bidding(3, 2), 1, "bid 1")
    assert refusal(state, 1, "play y3") == "SK-3"
    assert refusal(state, 0, "play y1") == "SK-3"
    assert legal(state, 1) == []


@pytest.mark.rule("SK-3", "SK-R4")
def test_nobody_sees_another_bid_before_all_have_bid() -> None:
    state = do_all(bidding(4, 3), (2, "bid 0"), (0, "bid 3"), (3, "bid 1"))
    assert seen_by(state, 0)["bids"] == [3, None, "?", "?"]
    assert seen_by(state, 1)["bids"] == ["?", None, "?", "?"]
    assert seen_by(state, SPECTATOR)["bids"] == ["?", None, "?", "?"]
    state = do(state, 1, "bid 2")
    for seat in (*range(4), SPECTATOR):
        assert seen_by(state, seat)["bids"] == [3, 2, 0, 1]


@pytest.mark.rule("SK-R4")
def test_a_sealed_bid_is_final() -> None:
    state = do(bidding(3, 4), 1, "bid 2")
    assert legal(state, 1) == []
    for text in ("bid 2", "bid 0", "bid 9"):
        assert refusal(state, 1, text) == "SK-R4"
    assert refusal(state, 0, "bid 2") is None
    state = do_all(state, (0, "bid 0"), (2, "bid 4"))
    for seat in range(3):
        assert refusal(state, seat, "bid 1") == "SK-R4"


@pytest.mark.rule("SK-R4")
def test_what_others_see_is_the_same_whatever_was_bid() -> None:
    for number in range(1, 5):
        one = do(bidding(3, 4), 1, "bid 0")
        other = do(bidding(3, 4), 1, f"bid {number}")
        for seat in (0, 2, SPECTATOR):
            assert seen_by(one, seat) == seen_by(other, seat)
        assert seen_by(one, 1) != seen_by(other, 1)


# Who leads, who deals ------------------------------------------------------------------------


@pytest.mark.rule("SK-4")
@pytest.mark.parametrize("players", PLAYERS)
def test_left_of_the_dealer_leads_and_play_goes_clockwise(players: int) -> None:
    for dealer in range(players):
        state = do(to_deal(players, hand=2, dealer=dealer), NATURE, plain_deal(players, 2))
        for seat in range(players):
            state = do(state, seat, "bid 1")
        for step in range(1, players + 1):
            due = (dealer + step) % players
            assert to_act(state) == [due]
            for seat in range(players):
                card = position(state)["hands"][seat][0]
                assert legal(state, seat) == [] or seat == due
                assert refusal(state, seat, f"play {card}") == (None if seat == due else "SK-4")
            state = do(state, due, legal(state, due)[0])


@pytest.mark.rule("SK-4")
def test_somebody_who_does_not_sit_there_does_nothing() -> None:
    for state in (new_game(3), to_deal(3), bidding(3, 1)):
        for actor in (-2, 3, 5, 100):
            assert refusal(state, actor, "bid 0") == "SK-4"


@pytest.mark.rule("SK-R1")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_first_dealer_is_drawn_by_chance(players: int) -> None:
    state = new_game(players)
    drawn = Counter(sampled(state, seed, draw=0) for seed in range(50 * players))
    assert drawn.keys() == {f"start {seat}" for seat in range(players)}
    assert min(drawn.values()) > 20
    for seat in range(players):
        started = do(state, NATURE, f"start {seat}")
        assert position(started) == position(state) | {"phase": "deal", "dealer": seat}
    assert refusal(state, NATURE, f"start {players}") == "SK-R1"


@pytest.mark.rule("SK-R1")
def test_the_first_dealer_is_drawn_once_and_by_nature() -> None:
    state = new_game(2)
    assert refusal(state, NATURE, "deal y1/y2") == "SK-R1"
    assert refusal(state, NATURE, "bid 0") == "SK-R1"
    for seat in (0, 1):
        for text in ("start 0", "bid 0", "play y1", "deal y1/y2"):
            assert refusal(state, seat, text) == "SK-R1"
    action = parse("start 0")
    action.args[0] = -1
    assert refuse(state, NATURE, action) == "SK-R1"
    state = do(state, NATURE, "start 1")
    assert refusal(state, NATURE, "start 1") == "SK-R1"
    assert refusal(state, NATURE, "play y1") == "SK-R1"
    state = do(state, NATURE, "deal y1/y2")
    for actor in (NATURE, 0, 1):
        assert refusal(state, actor, "start 1") == "SK-R1"
    for seat in (0, 1):
        assert refusal(state, seat, "deal y1/y2") == "SK-R1"


@pytest.mark.rule("SK-R1")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_deal_passes_clockwise(players: int) -> None:
    dealers = [
        int(state.dealer)
        for state, _, text in random_game(players, seed=2)
        if text.startswith("deal")
    ]
    assert len(dealers) == 10
    assert dealers == [(dealers[0] + hand) % players for hand in range(10)]


@pytest.mark.rule("SK-R1", "SK-R3")
def test_cards_not_dealt_and_cards_of_others_stay_hidden() -> None:
    state = do_all(bidding(3, 2), (0, "bid 0"), (1, "bid 1"), (2, "bid 2"), (1, "play y3"))
    assert seen_by(state, 0)["hands"] == [["y1", "y2"], ["?"], ["?", "?"]]
    assert seen_by(state, 2)["hands"] == [["?", "?"], ["?"], ["y5", "y6"]]
    assert seen_by(state, SPECTATOR)["hands"] == [["?", "?"], ["?"], ["?", "?"]]


@pytest.mark.rule("SK-R3")
def test_a_seat_sees_this_trick_and_the_last_one_and_the_count_of_tricks() -> None:
    state = bidding(2, 4)  # y1…y4 and y5…y8
    state = do_all(state, (0, "bid 0"), (1, "bid 4"))
    state = do_all(state, (1, "play y8"), (0, "play y4"), (1, "play y7"), (0, "play y1"))
    state = do(state, 1, "play y6")
    for seat in (0, 1, SPECTATOR):
        seen = seen_by(state, seat)
        assert seen["trick"] == ["y6"]
        assert seen["last"] == {"leader": 1, "cards": ["y7", "y1"]}
        assert seen["tricks"] == [0, 2]
        assert not {"y8", "y4"} & {card for hand in seen["hands"] for card in hand}


def test_a_game_over_has_nobody_to_act() -> None:
    *_, (state, _, _) = random_game(2, seed=8)
    assert (node(state), to_act(state)) == (OVER, [])
    assert outcome(state)[1]

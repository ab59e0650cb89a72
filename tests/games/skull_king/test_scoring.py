"""Scoring a hand, the bonus, and the end of the game."""

from __future__ import annotations

import pytest

from quarterdeck.contract import NATURE
from quarterdeck.games.skull_king.state import State

from .helpers import (
    PLAYERS,
    SUIT_CARDS,
    Trick,
    do,
    do_all,
    legal,
    outcome,
    position,
    random_game,
    refusal,
    state_of,
    trick,
)


def points(hand: int, bid: int, won: int, bonus: int = 0) -> int:
    """What a seat gets for a hand, played to its end: the last trick goes to seat 1.

    Seat 0 has won its tricks already; it holds the lowest card, seat 1 the highest.
    """
    assert won < hand
    state = state_of(
        2,
        hand=hand,
        dealer=1,
        leader=0,
        hands=[["y1"], ["k13"]],
        bids=[bid, 0],
        tricks=[won, hand - 1 - won],
        bonus=[bonus, 0],
    )
    state = do_all(state, (0, "play y1"), (1, "play k13"))
    assert position(state)["pad"][hand - 1][0] == {"bid": bid, "points": int(state.scores[0])}
    return int(state.scores[0])


def points_sweeping(hand: int, bid: int, bonus: int = 0) -> int:
    """What a seat gets that wins every trick of a hand."""
    state = state_of(
        2,
        hand=hand,
        dealer=1,
        leader=0,
        hands=[["k13"], ["y1"]],
        bids=[bid, 0],
        tricks=[hand - 1, 0],
        bonus=[bonus, 0],
    )
    return int(do_all(state, (0, "play k13"), (1, "play y1")).scores[0])


@pytest.mark.rule("SK-18")
@pytest.mark.parametrize("hand", range(2, 11))
def test_an_exact_bid_brings_20_a_trick(hand: int) -> None:
    for bid in range(1, hand):
        assert points(hand, bid, won=bid) == 20 * bid
    assert points_sweeping(hand, bid=hand) == 20 * hand


@pytest.mark.rule("SK-18")
def test_bid_3_won_3() -> None:
    assert points(hand=7, bid=3, won=3) == 60


@pytest.mark.rule("SK-19")
@pytest.mark.parametrize("hand", [2, 3, 6, 10])
def test_a_missed_bid_costs_10_a_trick_above_or_below(hand: int) -> None:
    for bid in range(1, hand + 1):
        for won in range(hand):
            if won != bid:
                assert points(hand, bid, won) == -10 * abs(bid - won)
        if bid != hand:
            assert points_sweeping(hand, bid) == -10 * (hand - bid)


@pytest.mark.rule("SK-19")
def test_bid_5_won_1() -> None:
    assert points(hand=8, bid=5, won=1) == -40


@pytest.mark.rule("SK-20", "SK-R5")
@pytest.mark.parametrize("hand", range(1, 11))
def test_a_bid_of_0_made_brings_10_times_the_hand(hand: int) -> None:
    assert points(hand, bid=0, won=0) == 10 * hand


@pytest.mark.rule("SK-21", "SK-R5")
@pytest.mark.parametrize("hand", range(2, 11))
def test_a_bid_of_0_missed_costs_10_times_the_hand_however_many_tricks(hand: int) -> None:
    for won in range(1, hand):
        assert points(hand, bid=0, won=won) == -10 * hand
    assert points_sweeping(hand, bid=0) == -10 * hand


@pytest.mark.rule("SK-20", "SK-21", "SK-R5")
def test_the_examples_of_a_bid_of_0() -> None:
    assert points(hand=4, bid=0, won=0) == 40
    assert points(hand=9, bid=0, won=2) == -90


# The bonus -----------------------------------------------------------------------------------


@pytest.mark.rule("SK-22")
@pytest.mark.parametrize("bonus", [30, 50])
def test_a_bonus_counts_only_with_an_exact_bid(bonus: int) -> None:
    assert points(hand=5, bid=2, won=2, bonus=bonus) == 40 + bonus
    assert points_sweeping(hand=5, bid=5, bonus=bonus) == 100 + bonus
    assert points(hand=5, bid=3, won=2, bonus=bonus) == -10
    assert points(hand=5, bid=1, won=2, bonus=bonus) == -10
    assert points(hand=5, bid=0, won=2, bonus=bonus) == -50
    assert points_sweeping(hand=5, bid=4, bonus=bonus) == -10


@pytest.mark.rule("SK-22")
@pytest.mark.parametrize("cards", [("king", "pirate"), ("mermaid", "king")])
@pytest.mark.parametrize(("bid", "expected"), [(0, -20), (1, None), (2, -10)])
def test_a_bonus_won_at_the_table_is_lost_with_the_bid(
    cards: tuple[str, str], bid: int, expected: int | None
) -> None:
    hands = [[cards[0], "y1"], [cards[1], "y2"]]
    state = state_of(2, hand=2, leader=0, hands=hands, bids=[bid, 0])
    state = do_all(state, (0, f"play {cards[0]}"), (1, f"play {cards[1]}"))
    bonus = 30 if cards[0] == "king" else 50
    assert position(state)["bonus"] == [bonus, 0]
    state = do_all(state, (0, "play y1"), (1, "play y2"))
    assert state.scores[0] == (20 + bonus if expected is None else expected)


@pytest.mark.rule("SK-20", "SK-22")
def test_a_bid_of_0_made_has_no_bonus() -> None:
    """Without a trick there is none to be had: the king's bonus goes to the seat that took him."""
    hands = [["king", "y1"], ["mermaid", "y2"], ["pirate", "y3"]]
    state = state_of(3, hand=2, leader=0, hands=hands, bids=[0, 1, 0])
    state = do_all(state, (0, "play king"), (1, "play mermaid"), (2, "play pirate"))
    assert position(state)["bonus"] == [0, 50, 0]
    state = do_all(state, (1, "play y2"), (2, "play y3"), (0, "play y1"))
    assert position(state)["scores"] == [20, 70, -20]


@pytest.mark.rule("SK-23")
@pytest.mark.parametrize("pirates", range(1, 6))
@pytest.mark.parametrize("place", [0, 1, 5])
def test_30_for_each_pirate_taken_by_the_king(pirates: int, place: int) -> None:
    cards = ["pirate"] * pirates
    cards.insert(min(place, pirates), "king")
    assert trick(*cards) == Trick(min(place, pirates), 30 * pirates)


@pytest.mark.rule("SK-23")
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (["king", "mary:pirate"], Trick(0, 30)),
        (["king", "mary:escape"], Trick(0, 30)),
        (["mary:escape", "king"], Trick(1, 30)),
        (["mary:escape", "y5", "king", "pirate"], Trick(2, 60)),
        (["pirate", "pirate", "mary:pirate", "king", "pirate", "pirate"], Trick(3, 150)),
        (["king", "escape"], Trick(0, 0)),
        (["k13", "king"], Trick(1, 0)),
    ],
)
def test_mary_counts_as_a_pirate_for_the_king_however_she_was_played(
    cards: list[str], expected: Trick
) -> None:
    assert trick(*cards) == expected


@pytest.mark.rule("SK-23")
@pytest.mark.parametrize(
    "cards", [["pirate", "pirate"], ["mary:pirate", "pirate", "mermaid"], ["y1", "mary:escape"]]
)
def test_pirates_bring_nothing_without_the_king(cards: list[str]) -> None:
    assert trick(*cards).bonus == 0


@pytest.mark.rule("SK-24")
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (["mermaid", "king"], Trick(0, 50)),
        (["king", "mermaid"], Trick(1, 50)),
        (["king", "pirate", "mermaid", "pirate", "mary:escape"], Trick(2, 50)),
        (["mermaid", "y1"], Trick(0, 0)),
        (["mermaid", "pirate"], Trick(1, 0)),
        (["mermaid", "mary:escape"], Trick(0, 0)),
    ],
)
def test_50_for_a_mermaid_that_takes_the_king(cards: list[str], expected: Trick) -> None:
    assert trick(*cards) == expected


# The end -------------------------------------------------------------------------------------


def last_cards(players: int, scores: list[int]) -> State:
    """The last trick of hand ten: everybody has bid 0 and seat 0 leads the highest card.

    Seat 0 gets -100, the others +100.
    """
    hands = [["k13"]] + [[card] for card in SUIT_CARDS[: players - 1]]
    tricks = [9] + [0] * (players - 1)
    return state_of(
        players,
        hand=10,
        dealer=0,
        leader=0,
        hands=hands,
        bids=[0] * players,
        tricks=tricks,
        scores=scores,
    )


def played_out(state: State) -> State:
    for seat in range(state.players):
        assert outcome(state) == (position(state)["scores"], [])
        state = do(state, seat, legal(state, seat)[0])
    return state


@pytest.mark.rule("SK-25")
@pytest.mark.parametrize(
    ("scores", "final", "winners"),
    [
        ([0, 0], [-100, 100], [1]),
        ([500, 0], [400, 100], [0]),
        ([0, 10, 20], [-100, 110, 120], [2]),
        ([0, 30, 20], [-100, 130, 120], [1]),
        ([-400, -300, -320, -310], [-500, -200, -220, -210], [1]),
        ([0, 0, 0, 0, 0, 10], [-100, 100, 100, 100, 100, 110], [5]),
    ],
)
def test_after_hand_ten_the_highest_total_wins(
    scores: list[int], final: list[int], winners: list[int]
) -> None:
    state = played_out(last_cards(len(scores), scores))
    assert position(state)["phase"] == "over"
    assert outcome(state) == (final, winners)


@pytest.mark.rule("SK-R2")
@pytest.mark.parametrize(
    ("scores", "winners"),
    [
        ([200, 0], [0, 1]),
        ([0, 50, 50], [1, 2]),
        ([210, 10, 0, 10], [0, 1, 3]),
        ([200, 0, 0, 0, 0, 0], [0, 1, 2, 3, 4, 5]),
        ([0, -450, -450], [0]),
    ],
)
def test_a_tie_for_the_highest_total_is_a_shared_win(scores: list[int], winners: list[int]) -> None:
    assert outcome(played_out(last_cards(len(scores), scores)))[1] == winners


@pytest.mark.rule("SK-25")
def test_after_the_end_everything_is_refused() -> None:
    state = played_out(last_cards(3, [0, 0, 0]))
    for actor in (NATURE, 0, 1, 2, 3):
        for text in ("bid 0", "play y1", "start 0", "deal y1/y2/y3"):
            assert refusal(state, actor, text) == "SK-25"
    assert [legal(state, seat) for seat in range(3)] == [[], [], []]


@pytest.mark.rule("SK-25")
@pytest.mark.parametrize("players", PLAYERS)
def test_totals_are_the_sum_of_the_pad(players: int) -> None:
    hands = []
    for state, _, text in random_game(players, seed=5):
        assert outcome(state)[1] == [] or not text
        hands.append(int(state.hand))
    assert hands == sorted(hands)
    assert set(hands) == set(range(1, 11))
    pad = position(state)["pad"]
    scores, winners = outcome(state)
    for seat in range(players):
        assert scores[seat] == sum(notes[seat]["points"] for notes in pad)
        assert (seat in winners) == (scores[seat] == max(scores))


def test_the_table_stays_as_it_lies_at_the_end() -> None:
    state = played_out(last_cards(2, [0, 0]))
    end = position(state)
    assert end["last"] == {"leader": 0, "cards": ["k13", "y1"]}
    assert (end["tricks"], end["bids"], end["hand"]) == ([10, 0], [0, 0], 10)

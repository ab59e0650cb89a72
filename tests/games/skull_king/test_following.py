"""Following suit, and who leads the next trick."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quarterdeck.contract import CHANCE, SEAT
from quarterdeck.games.skull_king import rules
from quarterdeck.games.skull_king.state import NONE, State

from .helpers import (
    do,
    do_all,
    held,
    legal,
    node,
    padded,
    playable,
    position,
    refusal,
    state_of,
    to_act,
)

SPECIALS = ("escape", "pirate", "mermaid", "mary:pirate", "mary:escape", "king")
FILLERS = ("r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8")


def facing(trick: Sequence[str], hand: Sequence[str], players: int | None = None) -> State:
    """The state in which the seat with this hand is to play to this trick."""
    players = players or max(len(trick) + 1, 2)
    seat = len(trick)
    size = len(hand)
    spare = iter(f"b{rank}" for rank in range(13, 0, -1) if f"b{rank}" not in (*trick, *hand))
    hands = [
        list(hand) if other == seat else [next(spare) for _ in range(size - (other < seat))]
        for other in range(players)
    ]
    return state_of(
        players, hand=size, leader=0, hands=hands, bids=[0] * players, trick=list(trick)
    )


def check(
    trick: Sequence[str], hand: Sequence[str], expected: Sequence[str], refused_by: str = "SK-5"
) -> None:
    """Exactly the expected cards may be played, and the rest are refused by the rule."""
    state = facing(trick, hand)
    seat = len(trick)
    assert sorted(playable(state)) == sorted(expected)
    faces = {"mary": ("mary:pirate", "mary:escape")}
    for card in hand:
        for face in faces.get(card, (card,)):
            rule = None if face in expected else refused_by
            assert refusal(state, seat, f"play {face}") == rule


@pytest.mark.rule("SK-5")
@pytest.mark.parametrize("led", ["y7", "r7", "k7"])
def test_who_holds_the_suit_led_must_play_it(led: str) -> None:
    suit = led[0]
    others = [f"{other}{rank}" for other in "yrk" if other != suit for rank in (1, 13)]
    check([led], [f"{suit}1", f"{suit}13", *others], [f"{suit}1", f"{suit}13"])
    check([led], [*others, f"{suit}8"], [f"{suit}8"])


@pytest.mark.rule("SK-5")
@pytest.mark.parametrize("led", ["y7", "r7", "b7", "k7"])
def test_special_cards_may_always_be_played(led: str) -> None:
    suit = led[0]
    other = "r5" if suit != "r" else "y5"
    hand = [f"{suit}2", other, "escape", "pirate", "mermaid", "mary", "king"]
    check([led], hand, [f"{suit}2", *SPECIALS])


@pytest.mark.rule("SK-5")
def test_a_second_player_after_the_suit_is_set_follows_the_first_card_not_the_last() -> None:
    check(["y7", "r2"], ["y1", "r1", "k1"], ["y1"])
    check(["y7", "k2"], ["y1", "r1", "k1"], ["y1"])


@pytest.mark.rule("SK-5")
def test_the_leader_plays_anything() -> None:
    hand = ["y1", "r2", "b3", "k4", "escape", "pirate", "mermaid", "mary", "king"]
    check([], hand, [*hand[:4], *SPECIALS])


@pytest.mark.rule("SK-5")
@pytest.mark.parametrize("special", SPECIALS)
def test_before_a_suit_is_set_everybody_plays_anything(special: str) -> None:
    check([special], ["y1", "r2", "k3", "escape"], ["y1", "r2", "k3", "escape"])
    check([special, "pirate"], ["y1", "r2", "k3", "escape"], ["y1", "r2", "k3", "escape"])


@pytest.mark.rule("SK-6")
@pytest.mark.parametrize("led", ["y7", "b7", "k7"])
def test_who_does_not_hold_the_suit_led_plays_anything(led: str) -> None:
    suits = [suit for suit in "yrbk" if suit != led[0]]
    hand = [*(f"{suit}{rank}" for suit in suits for rank in (1, 13)), "escape", "king"]
    check([led], hand, hand)


@pytest.mark.rule("SK-7")
@pytest.mark.parametrize("special", SPECIALS)
@pytest.mark.parametrize("suit", "yrk")
def test_the_first_suit_card_after_any_special_card_sets_the_suit(special: str, suit: str) -> None:
    hand = ["y1", "r1", "k1", "b1"]
    check([special, f"{suit}9"], hand, [f"{suit}1"])
    check([special, "escape", f"{suit}9"], hand, [f"{suit}1"])
    check([special, f"{suit}9", "pirate"], hand, [f"{suit}1"])
    check([special, f"{suit}9", "b9"], hand, [f"{suit}1"])


@pytest.mark.rule("SK-7")
@pytest.mark.parametrize("cards", [[], ["escape"], SPECIALS])
def test_special_cards_alone_set_no_suit(cards: Sequence[str]) -> None:
    assert rules.suit_to_follow(padded(cards)) == NONE


@pytest.mark.rule("SK-7", "SK-10")
@pytest.mark.parametrize("special", ["escape", "mary:escape"])
def test_the_suit_set_late_is_the_one_that_wins(special: str) -> None:
    state = facing([special, "y2", "r13"], ["y1", "r2"], players=4)
    state = do(state, 3, "play y1")
    assert position(state)["leader"] == 1


@pytest.mark.rule("SK-8")
def test_black_led_does_not_force_a_special_card() -> None:
    check(["k5"], ["y1", "b2", "pirate", "king"], ["y1", "b2", "pirate", "king"])
    check(["k5"], ["y1"], ["y1"])


@pytest.mark.rule("SK-8")
def test_black_led_is_followed_with_black() -> None:
    check(["k5"], ["y1", "k2", "pirate"], ["k2", "pirate"])


@pytest.mark.rule("SK-8")
@pytest.mark.parametrize("special", SPECIALS)
def test_only_who_holds_nothing_else_is_forced_to_play_a_special_card(special: str) -> None:
    expected = ["mary:pirate", "mary:escape"] if "mary" in special else [special]
    check(["k5"], [held(special)], expected)


def test_equal_cards_are_one_action() -> None:
    state = facing(["y3"], ["escape", "escape", "pirate", "pirate", "mermaid", "mermaid", "y4"])
    assert playable(state) == ["y4", "escape", "pirate", "mermaid"]
    assert legal(state, 1)[0] == "play y4"


@pytest.mark.rule("SK-17")
def test_mary_is_two_actions() -> None:
    state = facing([], ["mary", "king", "y1"], players=2)
    assert playable(state) == ["y1", "king", "mary:pirate", "mary:escape"]


# The next trick ------------------------------------------------------------------------------


@pytest.mark.rule("SK-9")
@pytest.mark.parametrize("leader", range(4))
@pytest.mark.parametrize("winner", range(4))
def test_the_winner_leads_the_next_trick(leader: int, winner: int) -> None:
    hands = [["y1" if seat != winner else "y13", f"k{seat + 1}"] for seat in range(4)]
    for seat in range(4):
        if seat != winner:
            hands[seat][0] = f"y{seat + 2}"
    state = state_of(4, hand=2, leader=leader, hands=hands, bids=[1] * 4)
    for step in range(4):
        seat = (leader + step) % 4
        state = do(state, seat, f"play {hands[seat][0]}")
    assert to_act(state) == [winner]
    assert position(state)["tricks"] == [int(seat == winner) for seat in range(4)]
    assert position(state)["last"]["leader"] == leader
    assert position(state)["trick"] == []
    for seat in range(4):
        rule = None if seat == winner else "SK-9"
        assert refusal(state, seat, f"play k{seat + 1}") == rule
    state = do(state, winner, f"play k{winner + 1}")
    due = (winner + 1) % 4
    for seat in range(4):
        if seat not in (winner, due):
            assert refusal(state, seat, f"play k{seat + 1}") == "SK-4"


@pytest.mark.rule("SK-9")
@pytest.mark.parametrize("hand", range(1, 11))
def test_the_hand_ends_when_all_cards_are_played(hand: int) -> None:
    hands = [[f"y{rank + 1}" for rank in range(hand)], [f"r{rank + 1}" for rank in range(hand)]]
    state = state_of(2, hand=hand, leader=0, hands=hands, bids=[hand, 0])
    for rank in range(hand):
        assert node(state) == SEAT
        assert sum(position(state)["tricks"]) == rank
        state = do_all(state, (0, f"play y{rank + 1}"), (1, f"play r{rank + 1}"))
    assert position(state)["scores"] == [20 * hand, 10 * hand]
    assert position(state)["phase"] == ("over" if hand == 10 else "deal")


@pytest.mark.rule("SK-9")
def test_the_table_is_cleared_for_the_next_hand() -> None:
    hands = [["y1", "king"], ["pirate", "y3"]]
    state = state_of(2, hand=2, dealer=1, hands=hands, bids=[1, 2], scores=[20, -10])
    state = do_all(state, (0, "play king"), (1, "play pirate"), (0, "play y1"), (1, "play y3"))
    assert node(state) == CHANCE
    assert position(state) == {
        "phase": "deal",
        "hand": 3,
        "dealer": 0,
        "hands": [[], []],
        "bids": [None, None],
        "leader": None,
        "trick": [],
        "last": None,
        "tricks": [0, 0],
        "bonus": [0, 0],
        "scores": [20 + 20 + 30, -10 - 10],
        "pad": [None, [{"bid": 1, "points": 50}, {"bid": 2, "points": -10}], *[None] * 8],
    }


def test_a_card_played_leaves_the_hand_in_order() -> None:
    hand = ["y1", "y5", "r3", "escape", "escape", "pirate", "mary"]
    expected = {
        "y1": ["y5", "r3", "escape", "escape", "pirate", "mary"],
        "r3": ["y1", "y5", "escape", "escape", "pirate", "mary"],
        "escape": ["y1", "y5", "r3", "escape", "pirate", "mary"],
        "mary:escape": ["y1", "y5", "r3", "escape", "escape", "pirate"],
    }
    for card, left in expected.items():
        state = do(facing([], hand, players=2), 0, f"play {card}")
        assert position(state)["hands"][0] == left
        assert position(state)["trick"] == [card]


def test_a_card_leaves_a_full_hand() -> None:
    hand = [f"y{rank}" for rank in range(1, 11)]
    for card in hand:
        state = do(facing([], hand, players=2), 0, f"play {card}")
        assert position(state)["hands"][0] == [other for other in hand if other != card]

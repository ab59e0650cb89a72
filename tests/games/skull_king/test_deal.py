"""Components and the deal."""

from __future__ import annotations

from collections import Counter

import pytest

from quarterdeck.contract import CHANCE, NATURE, BadOption
from quarterdeck.games.skull_king import notation
from quarterdeck.games.skull_king.state import CARD_KINDS

from ..helpers import INTERPRETED
from .helpers import (
    GAME,
    KIT,
    PLAYERS,
    SUIT_CARDS,
    dealt,
    do,
    do_all,
    legal,
    new_game,
    node,
    parse,
    plain_deal,
    position,
    random_game,
    refusal,
    refuse,
    sampled,
    state_of,
    text_of,
    to_act,
    to_deal,
)

SEEDS = range(20 if INTERPRETED else 400)


# Components ----------------------------------------------------------------------------------


@pytest.mark.rule("SK-C1")
def test_the_pack_has_66_cards() -> None:
    names = [notation.card_name(card) for card in KIT.pack[: KIT.pack_size]]
    expected = Counter(SUIT_CARDS)
    expected.update(escape=5, pirate=5, mermaid=2, mary=1, king=1)
    assert KIT.pack_size == expected.total() == 66
    assert Counter(names) == expected


@pytest.mark.rule("SK-C1")
@pytest.mark.parametrize(
    ("card", "copies"),
    [("y1", 1), ("k13", 1), ("escape", 5), ("pirate", 5), ("mermaid", 2), ("mary", 1), ("king", 1)],
)
def test_a_deal_has_no_more_of_a_card_than_the_pack(card: str, copies: int) -> None:
    others = [other for other in SUIT_CARDS if other != card]
    state = to_deal(2, hand=6)
    for count in range(7):
        first = [card] * count + others[: 6 - count]
        text = f"deal {','.join(first)}/{','.join(others[-6:])}"
        assert refusal(state, NATURE, text) == (None if count <= copies else "SK-C1")


@pytest.mark.rule("SK-C1")
def test_a_card_twice_in_two_hands_is_refused() -> None:
    assert refusal(to_deal(2), NATURE, "deal king/king") == "SK-C1"
    assert refusal(to_deal(3), NATURE, "deal y1/y2/y1") == "SK-C1"
    assert refusal(to_deal(2), NATURE, "deal mermaid/mermaid") is None


@pytest.mark.rule("SK-C1", "SK-17")
@pytest.mark.parametrize("card", ["mary:pirate", "mary:escape"])
def test_mary_is_dealt_as_mary(card: str) -> None:
    assert refusal(to_deal(2), NATURE, f"deal y1/{card}") == "SK-C1"


@pytest.mark.rule("SK-C1")
@pytest.mark.parametrize("card", [-2, CARD_KINDS, 127, -128])
def test_a_deal_of_something_that_is_no_card_is_refused(card: int) -> None:
    action = parse("deal y1/y2")
    action.args[0] = card
    assert refuse(to_deal(2), NATURE, action) == "SK-C1"


@pytest.mark.rule("SK-C2")
@pytest.mark.parametrize("players", PLAYERS)
def test_two_to_six_players(players: int) -> None:
    assert GAME.fill_options({"players": players}) == {"players": players}
    state = new_game(players)
    assert state.players == players
    assert (node(state), to_act(state)) == (CHANCE, [])
    assert position(state) == {
        "phase": "start",
        "hand": 1,
        "dealer": None,
        "hands": [[]] * players,
        "bids": [None] * players,
        "leader": None,
        "trick": [],
        "last": None,
        "tricks": [0] * players,
        "bonus": [0] * players,
        "scores": [0] * players,
        "pad": [None] * 10,
    }


@pytest.mark.rule("SK-C2")
@pytest.mark.parametrize("players", [1, 7, 0, -2, "4", 4.0, True, None])
def test_no_other_number_of_players(players: object) -> None:
    with pytest.raises(BadOption):
        GAME.fill_options({"players": players})


# The deal ------------------------------------------------------------------------------------


@pytest.mark.rule("SK-1")
@pytest.mark.parametrize("players", PLAYERS)
def test_ten_hands_with_one_card_more_in_each(players: int) -> None:
    sizes = [
        [len(hand) for hand in dealt(text)]
        for _, _, text in random_game(players, seed=1)
        if text.startswith("deal")
    ]
    assert sizes == [[hand] * players for hand in range(1, 11)]


@pytest.mark.rule("SK-1", "SK-C2")
def test_six_players_in_hand_ten_hold_60_of_the_66_cards() -> None:
    state = to_deal(6, hand=10)
    text = sampled(state, seed=3, draw=0)
    cards = Counter(card for hand in dealt(text) for card in hand)
    assert cards.total() == 60
    assert sum(len(hand) for hand in position(do(state, NATURE, text))["hands"]) == 60


@pytest.mark.rule("SK-1")
@pytest.mark.parametrize("players", [2, 4, 5])
@pytest.mark.parametrize("hand", [1, 4, 10])
def test_a_deal_gives_each_seat_as_many_cards_as_the_hand_has(players: int, hand: int) -> None:
    state = to_deal(players, hand)
    assert refusal(state, NATURE, plain_deal(players, hand)) is None
    assert refusal(state, NATURE, plain_deal(players - 1, hand)) == "SK-1"
    assert refusal(state, NATURE, plain_deal(players + 1, hand)) == "SK-1"
    if hand > 1:
        assert refusal(state, NATURE, plain_deal(players, hand - 1)) == "SK-1"
    if hand < 10:
        assert refusal(state, NATURE, plain_deal(players, hand + 1)) == "SK-1"


@pytest.mark.rule("SK-1")
@pytest.mark.parametrize("text", ["deal y1/y2,y3", "deal y1,y3/y2", "deal y1/y2/y3", "deal y1"])
def test_a_deal_of_uneven_hands_is_refused(text: str) -> None:
    assert refusal(to_deal(2), NATURE, text) == "SK-1"


@pytest.mark.rule("SK-1")
def test_a_hand_is_dealt_once_and_nobody_acts_before_it() -> None:
    state = to_deal(2)
    assert (node(state), to_act(state), legal(state, 0)) == (CHANCE, [], [])
    assert refusal(state, 0, "bid 0") == "SK-1"
    assert refusal(state, 1, "play y1") == "SK-1"
    bidding = do(state, NATURE, "deal y1/y2")
    assert refusal(bidding, NATURE, "deal y1/y2") == "SK-1"
    playing = do_all(bidding, (0, "bid 0"), (1, "bid 0"))
    assert refusal(playing, NATURE, "deal y1/y2") == "SK-1"


@pytest.mark.rule("SK-1")
def test_one_plays_only_cards_one_holds() -> None:
    state = state_of(2, hand=2, leader=0, hands=[["y1", "mary"], ["y2", "king"]], bids=[0, 0])
    for card in ("y2", "king", "escape", "y13"):
        assert refusal(state, 0, f"play {card}") == "SK-1"
    after = do(state, 0, "play y1")
    for card in ("y1", "mary:pirate", "mary:escape"):
        assert refusal(after, 1, f"play {card}") == "SK-1"


@pytest.mark.rule("SK-1")
@pytest.mark.parametrize("card", [-1, -2, CARD_KINDS, 127, -128])
def test_something_that_is_no_card_cannot_be_played(card: int) -> None:
    state = state_of(2, hand=2, leader=0, hands=[["y1", "mary"], ["y2", "king"]], bids=[0, 0])
    action = parse("play y1")
    action.args[0] = card
    assert refuse(state, 0, action) == "SK-1"


@pytest.mark.rule("SK-2")
@pytest.mark.parametrize("players", PLAYERS)
def test_every_card_can_come_to_every_seat_in_every_hand(players: int) -> None:
    state = to_deal(players, hand=10)
    seen: list[set[str]] = [set() for _ in range(players)]
    for seed in SEEDS:
        text = sampled(state, seed, draw=0)
        assert refusal(state, NATURE, text) is None
        for cards, hand in zip(seen, dealt(text), strict=True):
            cards.update(hand)
    assert seen[0].union(*seen) == {notation.card_name(card) for card in KIT.pack[:66]}
    assert min(map(len, seen)) >= (45 if INTERPRETED else 57)


@pytest.mark.rule("SK-2")
def test_every_card_is_dealt_about_equally_often() -> None:
    state = to_deal(6, hand=5)
    counts = Counter(
        card for seed in SEEDS for hand in dealt(sampled(state, seed, draw=2)) for card in hand
    )
    # 30 of 66 cards in each deal; six standard deviations either way
    for card, copies in Counter(KIT.pack[:66].tolist()).items():
        expected = len(SEEDS) * copies * 30 / 66
        assert abs(counts[notation.card_name(card)] - expected) < 6 * expected**0.5


@pytest.mark.rule("SK-2")
def test_a_card_played_in_one_hand_may_come_again_in_the_next() -> None:
    state = do_all(
        to_deal(2), (NATURE, "deal king/y1"), (0, "bid 1"), (1, "bid 0"),
        (1, "play y1"), (0, "play king"),
    )  # fmt: skip
    assert refusal(state, NATURE, "deal king,y1/y2,y3") is None


@pytest.mark.rule("SK-2")
def test_deals_follow_from_the_generator_alone() -> None:
    state = to_deal(4, hand=7)
    texts = [sampled(state, seed, draw) for seed in range(3) for draw in range(3)]
    assert len(set(texts)) == 9
    assert texts == [sampled(state, seed, draw) for seed in range(3) for draw in range(3)]


def test_hands_are_kept_in_order() -> None:
    state = do(to_deal(2, hand=4), NATURE, "deal mary,k1,y2,escape/y9,y10,mermaid,y1")
    assert position(state)["hands"] == [
        ["y2", "k1", "escape", "mary"],
        ["y1", "y9", "y10", "mermaid"],
    ]
    for seed in range(5):
        text = sampled(to_deal(6, hand=10), seed, draw=1)
        assert text_of(parse(text)) == text

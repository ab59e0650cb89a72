"""Who wins the trick."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from .helpers import Trick, trick, winning_card

ESCAPES = ("escape", "mary:escape")
PIRATES = ("pirate", "mary:pirate")


def always_wins(card: str, cards: list[str]) -> None:
    """The card wins the trick in every order of the cards."""
    orders = set(permutations(cards))
    assert {winning_card(*order) for order in orders} == {card}


@pytest.mark.rule("SK-10")
def test_the_rulebook_example() -> None:
    assert winning_card("y2", "y12", "b13", "k1") == "k1"
    assert winning_card("y2", "y12", "b13") == "y12"


@pytest.mark.rule("SK-10")
@pytest.mark.parametrize("suit", "yrbk")
def test_the_highest_card_of_the_suit_led_wins(suit: str) -> None:
    for order in permutations([f"{suit}1", f"{suit}2", f"{suit}9", f"{suit}13"]):
        assert winning_card(*order) == f"{suit}13"


@pytest.mark.rule("SK-10")
def test_every_card_beats_the_next_lower_of_its_suit() -> None:
    for suit, rank in product("yrbk", range(1, 13)):
        always_wins(f"{suit}{rank + 1}", [f"{suit}{rank}", f"{suit}{rank + 1}"])


@pytest.mark.rule("SK-10")
@pytest.mark.parametrize(("led", "other"), list(permutations("yrb", 2)))
def test_other_suits_never_win(led: str, other: str) -> None:
    assert winning_card(f"{led}1", f"{other}13") == f"{led}1"
    assert winning_card(f"{led}1", f"{other}13", f"{led}2", f"{other}12") == f"{led}2"
    assert winning_card("escape", f"{led}1", f"{other}13") == f"{led}1"
    assert winning_card("escape", "escape", f"{led}1", f"{other}13", f"{led}3") == f"{led}3"


@pytest.mark.rule("SK-10")
@pytest.mark.parametrize("suit", "yrb")
def test_black_beats_every_other_suit(suit: str) -> None:
    always_wins("k1", ["k1", f"{suit}13", f"{suit}12"])
    always_wins("k3", ["k1", "k3", f"{suit}13", "escape"])


@pytest.mark.rule("SK-11")
@pytest.mark.parametrize("card", ["y1", "r1", "b1", "k1", "mermaid", "pirate", "king"])
@pytest.mark.parametrize("escape", ESCAPES)
def test_an_escape_loses_to_everything(card: str, escape: str) -> None:
    always_wins(card, [escape, card])
    always_wins(card, [escape, card, "escape", "escape"])


@pytest.mark.rule("SK-11")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("leader", [0, 1])
def test_of_nothing_but_escapes_the_first_wins(players: int, leader: int) -> None:
    assert trick(*["escape"] * players, leader=leader) == Trick(0, 0)


@pytest.mark.rule("SK-11")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_mary_as_an_escape_has_her_place_among_the_escapes(players: int) -> None:
    for place in range(players):
        cards = ["escape"] * players
        cards[place] = "mary:escape"
        assert trick(*cards) == Trick(0, 0)


@pytest.mark.rule("SK-12")
@pytest.mark.parametrize("card", ["y13", "r13", "b13", "k13", "k1", "escape"])
def test_a_mermaid_beats_every_suit_card(card: str) -> None:
    always_wins("mermaid", ["mermaid", card])
    always_wins("mermaid", ["mermaid", card, "k12", "y12"])


@pytest.mark.rule("SK-12")
@pytest.mark.parametrize("pirate", PIRATES)
def test_a_mermaid_loses_to_any_pirate(pirate: str) -> None:
    always_wins(pirate, ["mermaid", pirate])
    always_wins(pirate, ["mermaid", "mermaid", pirate, "k13", "y1"])


@pytest.mark.rule("SK-13")
@pytest.mark.parametrize("pirate", PIRATES)
@pytest.mark.parametrize("card", ["y13", "r1", "b7", "k13", "escape", "mermaid"])
def test_a_pirate_beats_every_suit_card_and_every_mermaid(pirate: str, card: str) -> None:
    always_wins(pirate, [pirate, card])
    always_wins(pirate, [pirate, card, "k12", "mermaid"])


@pytest.mark.rule("SK-13")
@pytest.mark.parametrize(
    ("cards", "place"),
    [
        (["pirate", "pirate"], 0),
        (["pirate"] * 5, 0),
        (["y5", "pirate", "pirate"], 1),
        (["mermaid", "k13", "pirate", "y1", "pirate"], 2),
        (["escape", "escape", "escape", "pirate", "k13", "pirate"], 3),
    ],
)
def test_of_several_pirates_the_first_wins(cards: list[str], place: int) -> None:
    assert trick(*cards) == Trick(place, 0)


@pytest.mark.rule("SK-13", "SK-15")
@pytest.mark.parametrize("pirate", PIRATES)
def test_a_pirate_loses_to_the_king_before_or_after(pirate: str) -> None:
    assert trick(pirate, "king") == Trick(1, 30)
    assert trick("king", pirate) == Trick(0, 30)
    always_wins("king", ["king", pirate, "k13", "pirate"])


@pytest.mark.rule("SK-14")
@pytest.mark.parametrize("pirate", [*PIRATES, "mary:escape"])
def test_a_mermaid_beats_the_king_whatever_else_is_there(pirate: str) -> None:
    for order in permutations(["king", pirate, "mermaid"]):
        assert trick(*order) == Trick(order.index("mermaid"), 50)
    for order in permutations(["king", pirate, "mermaid", "k13", "y1"]):
        assert trick(*order) == Trick(order.index("mermaid"), 50)


@pytest.mark.rule("SK-14")
@pytest.mark.parametrize("leader", range(4))
def test_a_mermaid_beats_the_king_from_every_seat(leader: int) -> None:
    for order in set(permutations(["king", "mermaid", "pirate", "pirate"])):
        assert winning_card(*order, leader=leader) == "mermaid"


@pytest.mark.rule("SK-15")
@pytest.mark.parametrize(
    "card", ["y13", "k13", "k1", "escape", "pirate", "mary:pirate", "mary:escape"]
)
def test_the_king_beats_everything_except_a_mermaid(card: str) -> None:
    always_wins("king", ["king", card])
    always_wins("king", ["king", card, "pirate", "b5"])


@pytest.mark.rule("SK-16")
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (["mermaid", "mermaid"], Trick(0, 0)),
        (["k13", "mermaid", "y1", "mermaid"], Trick(1, 0)),
        (["mermaid", "king", "mermaid"], Trick(0, 50)),
        (["king", "mermaid", "mermaid"], Trick(1, 50)),
        (["mermaid", "mermaid", "king"], Trick(0, 50)),
        (["pirate", "mermaid", "king", "mermaid"], Trick(1, 50)),
        (["king", "y1", "pirate", "mermaid", "mermaid", "mary:pirate"], Trick(3, 50)),
    ],
)
def test_of_two_mermaids_the_first_is_higher(cards: list[str], expected: Trick) -> None:
    assert trick(*cards) == expected


@pytest.mark.rule("SK-17")
@pytest.mark.parametrize(
    ("cards", "place"),
    [
        (["mary:pirate", "pirate"], 0),
        (["pirate", "mary:pirate"], 0),
        (["escape", "mary:pirate", "pirate"], 1),
        (["pirate", "pirate", "mary:pirate"], 0),
        (["mary:escape", "pirate"], 1),
        (["mary:escape", "y1"], 1),
        (["mary:escape", "mermaid"], 1),
        (["y1", "mary:escape"], 0),
        (["mary:pirate", "mermaid", "k13"], 0),
    ],
)
def test_mary_is_a_pirate_or_an_escape(cards: list[str], place: int) -> None:
    assert trick(*cards) == Trick(place, 0)


@pytest.mark.rule("SK-4", "SK-9")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_winner_is_counted_from_the_leader(players: int) -> None:
    for leader, place in product(range(players), repeat=2):
        cards = [f"y{other + 1}" for other in range(players)]
        cards[place] = "y13"
        assert trick(*cards, leader=leader) == Trick(place, 0)

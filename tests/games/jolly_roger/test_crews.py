"""Reinforcing crews, captains, and boarding."""

from __future__ import annotations

from itertools import product

import pytest

from ..helpers import INTERPRETED
from .helpers import (
    CARDS,
    PIRATES,
    SHIPS,
    SPECIALS,
    captain,
    do,
    do_all,
    legal,
    new_game,
    outcome,
    parse,
    playing,
    position,
    random_game,
    refusal,
    refuse,
    ship_of,
    to_deal,
)

# Reinforcing ---------------------------------------------------------------------------------


@pytest.mark.rule("JR-9")
@pytest.mark.parametrize("card", PIRATES)
def test_a_pirate_may_always_join_the_ship_of_its_colour(card: str) -> None:
    own = ship_of(card)
    other = f"{card[0]}1"
    for crews in ({}, {own: [[other], []]}, {own: [[], [other, "parrot:kraken"]]}):
        for seat in (0, 1):
            state = playing([card], seat, crews=crews)
            before = position(state)
            assert f"crew {card} {own}" in legal(state, seat)
            after = position(do(state, seat, f"crew {card} {own}"))
            assert after["crews"][own][seat] == [*before["crews"][own][seat], card]
            assert after["crews"][own][1 - seat] == before["crews"][own][1 - seat]
            gained = after["strengths"][own][seat] - before["strengths"][own][seat]
            assert gained == int(card[1])


@pytest.mark.rule("JR-9")
@pytest.mark.parametrize("card", PIRATES)
def test_face_up_it_joins_no_other_ship(card: str) -> None:
    state = playing([card])
    for ship in SHIPS:
        rule = None if ship == ship_of(card) else "JR-9"
        assert refusal(state, 0, f"crew {card} {ship}") == rule


@pytest.mark.rule("JR-9", "JR-15", "JR-17")
@pytest.mark.parametrize("card", ["kraken", "tortuga"])
@pytest.mark.parametrize("ship", SHIPS)
def test_kraken_and_tortuga_join_no_ship_face_up(card: str, ship: str) -> None:
    assert refusal(playing([card]), 0, f"crew {card} {ship}") == "JR-9"


@pytest.mark.rule("JR-10", "JR-R1")
@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("ship", SHIPS)
def test_any_card_may_join_any_ship_as_a_parrot(card: str, ship: str) -> None:
    for seat in (0, 1):
        state = playing([card], seat, crews={ship: [["parrot:g1"], ["parrot:g1"]]})
        assert f"parrot {card} {ship}" in legal(state, seat)
        after = position(do(state, seat, f"parrot {card} {ship}"))
        assert after["crews"][ship][seat] == ["parrot:g1", f"parrot:{card}"]
        assert after["strengths"][ship][seat] == 2
        assert after["captains"][ship] == seat


@pytest.mark.rule("JR-10")
@pytest.mark.parametrize("ship", [-1, 4, 5, 127, -128])
@pytest.mark.parametrize("text", ["parrot g1 green", "parrot kraken red", "crew skeleton red"])
def test_there_are_four_ships(ship: int, text: str) -> None:
    state = playing(["g1", "kraken", "skeleton"])
    action = parse(text)
    action.args[1] = ship
    assert refuse(state, 0, action) == "JR-10"


@pytest.mark.rule("JR-12")
def test_cards_lie_in_the_order_in_which_they_were_placed() -> None:
    state = playing(["g1", "g2", "g5", "y1"])
    state = do_all(
        state, (0, "crew g5 green"), (0, "parrot y1 green"), (0, "crew g1 green"),
        (0, "crew g2 green"),
    )  # fmt: skip
    assert position(state)["crews"]["green"][0] == ["g5", "parrot:y1", "g1", "g2"]


@pytest.mark.rule("JR-12", "JR-13")
def test_a_card_in_a_crew_is_not_moved_and_boards_no_more() -> None:
    state = do(playing(["g5", "g1"]), 0, "crew g5 green")
    for text in ("board g5", "crew g5 green", "parrot g5 red"):
        assert refusal(state, 0, text) == "JR-7"


@pytest.mark.rule("JR-12", "JR-15", "JR-17")
@pytest.mark.parametrize("variant", ["intro", "all-cards"])
def test_crews_change_at_their_end_only(variant: str) -> None:
    """Whatever happens: a card more at the end of one crew, a Kraken's card less, or a Tortuga."""
    before, done = position(new_game(variant))["crews"], ""
    for state, _, text in random_game(variant, seed=6):
        crews = position(state)["crews"]
        if done != "tortuga":
            for ship, seat in product(SHIPS, (0, 1)):
                old, new = before[ship][seat], crews[ship][seat]
                shorter = min(len(old), len(new))
                assert abs(len(old) - len(new)) <= 1
                assert old[:shorter] == new[:shorter]
        before, done = crews, text
        if INTERPRETED and state.turn > 2:
            break


# Captains ------------------------------------------------------------------------------------

STEPS = [
    # who adds what to the green ship, and whose captain stands there then
    (0, "crew g1 green", 0),
    (1, "parrot r5 green", None),
    (1, "crew g2 green", 1),
    (0, "crew g2 green", None),
    (0, "parrot g1 green", 0),
    (1, "crew g5 green", 1),
]


@pytest.mark.rule("JR-11")
def test_the_strictly_stronger_side_has_its_captain_there() -> None:
    crews: list[list[str]] = [[], []]
    for seat, text, expected in STEPS:
        state = playing([text.split()[1]], seat, crews={"green": crews})
        state = do(state, seat, text)
        crews = position(state)["crews"]["green"]
        assert captain(state, "green") == expected
        assert [captain(state, ship) for ship in SHIPS[1:]] == [None] * 3


@pytest.mark.rule("JR-11")
@pytest.mark.parametrize("ship", SHIPS)
def test_every_pair_of_strengths(ship: str) -> None:
    one = f"{ship[0]}1"
    crews = {
        0: [], 1: ["parrot:g5"], 2: [one, "parrot:kraken"], 3: ["skeleton"],
        4: ["parrot:y4", "skeleton"], 5: ["skeleton", one, "parrot:b2"],
    }  # fmt: skip
    for (ours, mine), (theirs, other) in product(crews.items(), repeat=2):
        state = to_deal(crews={ship: [mine, other]})
        assert position(state)["strengths"][ship] == [ours, theirs]
        expected = None if ours == theirs else 0 if ours > theirs else 1
        assert captain(state, ship) == expected


@pytest.mark.rule("JR-11", "JR-15")
def test_a_captain_goes_home_when_a_card_leaves() -> None:
    state = playing(["kraken"], crews={"green": [["g1"], ["g1", "parrot:y1"]]})
    assert captain(state, "green") == 1
    state = do(state, 0, "kraken green")
    assert captain(state, "green") is None
    state = playing(["kraken"], crews={"green": [["g1"], ["g2"]]})
    assert captain(do(state, 0, "kraken green"), "green") == 0


# Boarding ------------------------------------------------------------------------------------


@pytest.mark.rule("JR-13")
@pytest.mark.parametrize("card", PIRATES)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_pirate_boards_the_ship_of_its_colour_where_ones_captain_stands(
    card: str, seat: int
) -> None:
    ship = ship_of(card)
    one = f"{card[0]}1"
    crew: list[list[str]] = [[], []]
    crew[seat] = [one]
    state = playing([card, "kraken"], seat, crews={ship: crew})
    gold = outcome(state)[0][seat]
    assert f"board {card}" in legal(state, seat)
    after = do(state, seat, f"board {card}")
    assert position(after)["chests"][seat] == [card]
    assert position(after)["chests"][1 - seat] == []
    assert position(after)["crews"] == position(state)["crews"]
    assert outcome(after)[0][seat] == gold + int(card[1])
    # the other side, a ship of another colour, or nobody
    for crews in ({ship: crew[::-1]}, {}, {ship: [["parrot:y1"], ["parrot:y1"]]}):
        state = playing([card], seat, crews=crews)
        assert f"board {card}" not in legal(state, seat)
        assert refusal(state, seat, f"board {card}") == "JR-13"


@pytest.mark.rule("JR-13")
def test_a_captain_elsewhere_does_not_help() -> None:
    crews = {ship: [[f"{ship[0]}1"], []] for ship in ("yellow", "blue", "red")}
    state = playing(["g5"], crews=crews)
    assert refusal(state, 0, "board g5") == "JR-13"


@pytest.mark.rule("JR-13", "JR-11")
def test_a_pirate_boards_with_a_captain_won_in_the_same_turn() -> None:
    state = playing(["g1", "g5"])
    assert refusal(state, 0, "board g5") == "JR-13"
    state = do_all(state, (0, "parrot g1 green"), (0, "board g5"))
    assert position(state)["chests"][0] == ["g5"]


@pytest.mark.rule("JR-13")
@pytest.mark.parametrize("card", ["kraken", "tortuga"])
def test_only_pirates_board(card: str) -> None:
    crews = {ship: [[f"{ship[0]}1"], []] for ship in SHIPS}
    assert refusal(playing([card], crews=crews), 0, f"board {card}") == "JR-13"


@pytest.mark.rule("JR-13")
@pytest.mark.parametrize("variant", ["intro", "advanced"])
def test_what_went_into_a_chest_never_comes_back(variant: str) -> None:
    chests: list[list[str]] = [[], []]
    for state, _, _ in random_game(variant, seed=4):
        for seat, chest in enumerate(position(state)["chests"]):
            assert len(chest) >= len(chests[seat])
            left = list(chest)
            for card in chests[seat]:
                left.remove(card)
            assert not set(chest) & set(SPECIALS)
            chests[seat] = chest

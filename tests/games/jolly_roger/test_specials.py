"""Skeleton, Kraken and Tortuga."""

from __future__ import annotations

import pytest

from .helpers import (
    PIRATES,
    SHIPS,
    Crews,
    captain,
    do,
    legal,
    outcome,
    parse,
    playing,
    position,
    refusal,
    refuse,
    ship_of,
    unseen,
)

# Skeleton ------------------------------------------------------------------------------------


@pytest.mark.rule("JR-14")
@pytest.mark.parametrize("ship", SHIPS)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_skeleton_joins_any_ship_with_strength_3(ship: str, seat: int) -> None:
    state = playing(["skeleton"], seat, crews={ship: [["parrot:g1"], ["parrot:g1"]]})
    state = do(state, seat, f"crew skeleton {ship}")
    shown = position(state)
    assert shown["crews"][ship][seat] == ["parrot:g1", "skeleton"]
    assert shown["strengths"][ship][seat] == 4
    assert shown["captains"][ship] == seat


@pytest.mark.rule("JR-14")
def test_a_skeleton_never_boards() -> None:
    crews = {ship: [[f"{ship[0]}1"], []] for ship in SHIPS}
    state = playing(["skeleton"], crews=crews)
    assert refusal(state, 0, "board skeleton") == "JR-14"
    assert not any(text.startswith("board") for text in legal(state, 0))


# Kraken --------------------------------------------------------------------------------------


@pytest.mark.rule("JR-15", "JR-R5")
@pytest.mark.parametrize("ship", SHIPS)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_kraken_removes_the_last_card_of_the_other_crew(ship: str, seat: int) -> None:
    one, two = f"{ship[0]}1", f"{ship[0]}2"
    crews = [[one, two], [one, two]]
    state = playing(["kraken"], seat, crews={ship: crews})
    assert captain(state, ship) is None
    state = do(state, seat, f"kraken {ship}")
    shown = position(state)
    assert shown["crews"][ship][1 - seat] == [one]
    assert shown["crews"][ship][seat] == [one, two]
    assert shown["captains"][ship] == seat
    assert shown["removed"] == [two, "kraken"]


@pytest.mark.rule("JR-15")
@pytest.mark.parametrize("last", ["g5", "parrot:g5", "parrot:kraken", "parrot:tortuga"])
def test_the_card_most_recently_placed_leaves_whatever_it_is(last: str) -> None:
    state = do(playing(["kraken"], crews={"green": [[], ["g1", last]]}), 0, "kraken green")
    assert position(state)["crews"]["green"][1] == ["g1"]
    assert sorted(position(state)["removed"]) == sorted(["kraken", last.removeprefix("parrot:")])


@pytest.mark.rule("JR-15", "JR-17")
def test_a_foreign_pirate_that_a_tortuga_uncovered_is_prey_too() -> None:
    state = playing(["kraken"], crews={"green": [[], ["g1", "r5"]]}, removed=["tortuga"])
    assert position(state)["strengths"]["green"] == [0, 6]
    state = do(state, 0, "kraken green")
    assert position(state)["removed"] == ["r5", "kraken", "tortuga"]


@pytest.mark.rule("JR-15")
def test_ones_own_crew_is_no_prey() -> None:
    state = playing(["kraken"], crews={"green": [["g5"], []], "red": [["r1"], ["r2"]]})
    assert refusal(state, 0, "kraken green") == "JR-15"
    assert refusal(state, 0, "kraken blue") == "JR-15"
    assert [text for text in legal(state, 0) if text.startswith("kraken")] == [
        "kraken red",
        "kraken none",
    ]
    assert position(do(state, 0, "kraken red"))["crews"]["red"] == [["r1"], []]


@pytest.mark.rule("JR-15")
@pytest.mark.parametrize("ship", [-2, 4, 127, -128])
def test_a_kraken_goes_to_one_of_the_four_ships(ship: int) -> None:
    action = parse("kraken green")
    action.args[0] = ship
    assert refuse(playing(["kraken"]), 0, action) == "JR-15"


@pytest.mark.rule("JR-16")
@pytest.mark.parametrize("below", [[], ["g5"], ["g1", "parrot:r5"]])
def test_a_kraken_takes_no_face_up_skeleton_nor_what_lies_beneath(below: list[str]) -> None:
    state = playing(["kraken"], crews={"green": [[], [*below, "skeleton"]]})
    assert refusal(state, 0, "kraken green") == "JR-16"
    assert "kraken green" not in legal(state, 0)


@pytest.mark.rule("JR-16")
def test_a_kraken_takes_what_lies_on_a_skeleton() -> None:
    state = playing(["kraken", "kraken"], crews={"green": [[], ["g5", "skeleton", "g1"]]})
    state = do(state, 0, "kraken green")
    assert position(state)["crews"]["green"][1] == ["g5", "skeleton"]
    assert refusal(state, 0, "kraken green") == "JR-16"


@pytest.mark.rule("JR-R3")
@pytest.mark.parametrize("crews", [{}, {"green": [["g1"], ["g2"]]}, {"red": [[], ["skeleton"]]}])
def test_a_kraken_may_always_go_without_prey(crews: Crews) -> None:
    state = playing(["kraken"], crews=crews)
    assert "kraken none" in legal(state, 0)
    after = do(state, 0, "kraken none")
    assert position(after)["crews"] == position(state)["crews"]
    assert position(after)["removed"] == ["kraken"]


@pytest.mark.rule("JR-R3", "JR-16")
def test_a_face_down_skeleton_is_a_parrot_and_can_be_removed() -> None:
    state = playing(["kraken"], crews={"green": [[], ["g1", "parrot:skeleton"]]})
    assert position(state)["strengths"]["green"] == [0, 2]
    state = do(state, 0, "kraken green")
    assert position(state)["crews"]["green"][1] == ["g1"]
    assert position(state)["removed"] == ["kraken", "skeleton"]


@pytest.mark.rule("JR-R5", "JR-15")
def test_a_removed_card_counts_for_nobody() -> None:
    state = playing(["kraken"], crews={"green": [[], ["g1", "g5"]]}, turn=8)
    state = do(state, 0, "kraken green")
    assert outcome(state) == ([0, 3], [1])
    assert "g5" not in unseen(state)[13:]
    assert unseen(state).count("g5") == 1
    assert unseen(state).count("kraken") == 2


# Tortuga -------------------------------------------------------------------------------------


@pytest.mark.rule("JR-17", "JR-11")
@pytest.mark.parametrize("seat", [0, 1])
def test_a_tortuga_turns_up_all_parrots_of_all_ones_own_crews_in_place(seat: int) -> None:
    mine = {
        "green": ["g1", "parrot:r5", "g2"],
        "yellow": ["parrot:y4"],
        "blue": ["b1"],
        "red": ["parrot:g3", "parrot:r1"],
    }
    theirs = {
        "green": ["g5"],
        "yellow": ["parrot:y5", "parrot:y3"],
        "blue": ["parrot:b5"],
        "red": ["parrot:r4", "parrot:r3", "parrot:r2"],
    }
    crews = {ship: [mine[ship], theirs[ship]][:: 1 if seat == 0 else -1] for ship in SHIPS}
    state = playing(["tortuga"], seat, crews=crews)
    assert [captain(state, ship) for ship in SHIPS] == [1 - seat, 1 - seat, None, 1 - seat]
    shown = position(do(state, seat, "tortuga"))
    for ship in SHIPS:
        turned = [card.removeprefix("parrot:") for card in mine[ship]]
        assert shown["crews"][ship][seat] == turned
        assert shown["crews"][ship][1 - seat] == theirs[ship]
        strength = sum(int(card[1]) for card in turned)
        assert shown["strengths"][ship][seat] == strength
    assert [shown["captains"][ship] for ship in SHIPS] == [seat, seat, None, seat]
    assert shown["removed"] == ["tortuga"]


@pytest.mark.rule("JR-17")
@pytest.mark.parametrize("card", PIRATES)
@pytest.mark.parametrize("ship", SHIPS)
def test_an_uncovered_pirate_has_its_strength_at_any_ship(card: str, ship: str) -> None:
    state = playing(["tortuga"], crews={ship: [[f"parrot:{card}"], []]})
    shown = position(do(state, 0, "tortuga"))
    assert shown["crews"][ship][0] == [card]
    assert shown["strengths"][ship][0] == int(card[1])


@pytest.mark.rule("JR-17", "JR-13")
def test_an_uncovered_pirate_boards_no_more() -> None:
    state = playing(["tortuga", "g1"], crews={"green": [["parrot:g5"], []]})
    state = do(state, 0, "tortuga")
    assert refusal(state, 0, "board g5") == "JR-7"
    assert ship_of("g5") == "green"
    assert refusal(state, 0, "board g1") is None


@pytest.mark.rule("JR-17")
def test_parrots_placed_afterwards_are_parrots_again() -> None:
    state = do(playing(["tortuga", "r5"], crews={"green": [["parrot:y2"], []]}), 0, "tortuga")
    state = do(state, 0, "parrot r5 green")
    assert position(state)["crews"]["green"][0] == ["y2", "parrot:r5"]
    assert position(state)["strengths"]["green"] == [3, 0]


@pytest.mark.rule("JR-18")
@pytest.mark.parametrize("card", ["kraken", "skeleton", "tortuga"])
def test_special_cards_stay_parrots(card: str) -> None:
    crews = {"green": [["g1", f"parrot:{card}", "parrot:g2"], []]}
    shown = position(do(playing(["tortuga"], crews=crews), 0, "tortuga"))
    assert shown["crews"]["green"][0] == ["g1", f"parrot:{card}", "g2"]
    assert shown["strengths"]["green"] == [4, 0]


@pytest.mark.rule("JR-R3", "JR-17")
def test_a_tortuga_may_be_played_without_parrots() -> None:
    state = playing(["tortuga"], crews={"green": [["g1"], ["parrot:g2"]]})
    after = do(state, 0, "tortuga")
    assert position(after)["crews"] == position(state)["crews"]
    assert position(after)["removed"] == ["tortuga"]
    assert refusal(playing(["tortuga"]), 0, "tortuga") is None

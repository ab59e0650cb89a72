"""The end of the game and its score."""

from __future__ import annotations

import pytest

from quarterdeck.contract import CHANCE, NATURE, OVER

from .helpers import (
    SHIPS,
    VARIANTS,
    Chests,
    Crews,
    do,
    final,
    legal,
    node,
    outcome,
    playing,
    position,
    random_game,
    refusal,
    state_of,
    to_act,
    told,
    turns,
)


def held(first: str = "", second: str = "") -> Crews:
    """Crews by which each seat has its captain on the ships of these letters."""
    crews = {}
    for ship in SHIPS:
        one = [f"{ship[0]}1"]
        crews[ship] = [one if ship[0] in first else [], one if ship[0] in second else []]
    return crews


@pytest.mark.rule("JR-19")
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_game_ends_after_the_last_turn(variant: str) -> None:
    last = turns(variant)
    for turn in range(1, last + 1):
        state = do(playing(["g1"], variant=variant, turn=turn), 0, "parrot g1 red")
        assert (node(state) == OVER) == (turn == last)
        assert position(state)["turn"] == min(turn + 1, last)
        assert (node(state) == CHANCE) == (turn < last)


@pytest.mark.rule("JR-19")
@pytest.mark.parametrize("variant", VARIANTS)
def test_after_the_end_nothing_is_done(variant: str) -> None:
    *_, (state, _, _) = random_game(variant, seed=7)
    assert position(state)["turn"] == turns(variant)
    assert (node(state), to_act(state)) == (OVER, [])
    for actor in (NATURE, 0, 1):
        assert legal(state, actor) == []
        for text in ("start 0", "deal g1,g2,g3,g4,g5", "split g1/g2", "pick 1", "crew g1 green",
                     "parrot g1 red", "board g1", "kraken none", "tortuga"):  # fmt: skip
            assert refusal(state, actor, text) == "JR-19"


@pytest.mark.rule("JR-20")
@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "", [0, 0]),
        ("gybr", "", [24, 0]),
        ("", "gybr", [0, 24]),
        ("gb", "yr", [10, 14]),
        ("r", "g", [9, 3]),
        ("y", "", [5, 0]),
    ],
)
def test_ships_go_to_the_captains_and_without_one_to_nobody(
    first: str, second: str, expected: list[int]
) -> None:
    assert outcome(final(held(first, second)))[0] == expected


@pytest.mark.rule("JR-20", "JR-11")
def test_a_ship_with_equal_crews_goes_to_nobody() -> None:
    crews = {"red": [["r1"], ["r1"]], "blue": [["b2"], ["parrot:g1", "parrot:g2"]]}
    assert outcome(final(crews))[0] == [0, 0]


@pytest.mark.rule("JR-21", "JR-13")
@pytest.mark.parametrize("variant", VARIANTS)
def test_most_gold_wins_chest_and_ships_together(variant: str) -> None:
    state = final(held("r"), (["g1", "g2"], ["g5", "y5", "y4"]), variant)
    assert outcome(state) == ([12, 14], [1])
    state = final(held("r"), (["g1", "g2", "r3"], ["g5", "y5", "y4"]), variant)
    assert outcome(state) == ([15, 14], [0])


@pytest.mark.rule("JR-21")
def test_gold_in_crews_counts_for_nobody() -> None:
    crews = {"green": [["g5", "g5", "g4"], []]}
    assert outcome(final(crews, ([], ["g4"]))) == ([3, 4], [1])


@pytest.mark.rule("JR-21")
@pytest.mark.parametrize(
    ("first", "second", "chests", "winner"),
    [
        ("r", "b", ([], ["g2"]), 0),
        ("b", "r", (["g2"], []), 1),
        ("gb", "r", ([], ["g1"]), 1),
        ("gy", "b", ([], ["g1"]), 1),
        ("", "g", (["g3"], []), 1),
        ("g", "", ([], ["g3"]), 0),
    ],
)
def test_in_a_tie_the_owner_of_the_most_valuable_ship_wins(
    first: str, second: str, chests: Chests, winner: int
) -> None:
    scores, winners = outcome(final(held(first, second), chests))
    assert scores[0] == scores[1]
    assert winners == [winner]


@pytest.mark.rule("JR-R4")
@pytest.mark.parametrize("chests", [([], []), (["g5"], ["y5"]), (["r4", "g1"], ["b5"])])
def test_a_tie_without_any_ship_is_a_shared_win(chests: Chests) -> None:
    scores, winners = outcome(final({}, chests))
    assert scores[0] == scores[1]
    assert winners == [0, 1]


@pytest.mark.rule("JR-R6")
def test_before_the_end_scores_are_the_chest_and_the_ships_held_now() -> None:
    crews = held("r", "y")
    state = playing(["g1", "y5"], crews=crews, chests=[["g5"], ["b2", "b1"]])
    assert outcome(state) == ([14, 8], [])
    state = do(state, 0, "crew y5 yellow")
    assert outcome(state) == ([19, 3], [])


@pytest.mark.rule("JR-R6")
@pytest.mark.parametrize("variant", VARIANTS)
def test_nobody_has_won_before_the_end(variant: str) -> None:
    for state, _, _ in random_game(variant, seed=8):
        assert bool(outcome(state)[1]) == (node(state) == OVER)


# How the end is told -------------------------------------------------------------------------


@pytest.mark.rule("JR-20", "JR-21")
def test_the_end_is_told_step_by_step() -> None:
    crews = {"red": [[], ["r2"]], "yellow": [["y2"], []], "blue": [["b1"], ["b1"]]}
    state = playing(["r5"], crews=crews, chests=[["g5", "y1"], ["b3"]], turn=8)
    assert told(state, 0, "crew r5 red") == [
        ("crew", {"seat": 0, "card": "r5", "ship": "red"}),
        ("captain-comes", {"seat": 0, "ship": "red"}),
        ("chest-counted", {"seat": 0, "gold": 6}),
        ("chest-counted", {"seat": 1, "gold": 3}),
        ("ship-free", {"ship": "green"}),
        ("ship-won", {"seat": 0, "ship": "yellow", "gold": 5}),
        ("ship-free", {"ship": "blue"}),
        ("ship-won", {"seat": 0, "ship": "red", "gold": 9}),
        ("game-won", {"seats": [0], "gold": 20}),
    ]


@pytest.mark.rule("JR-21", "JR-R4")
def test_a_tie_is_told_as_one() -> None:
    by_ship = playing(["g1"], crews={"green": [[], ["g2"]]}, chests=[["b3"], []], turn=8)
    assert told(by_ship, 0, "parrot g1 red")[-1] == ("game-won", {"seats": [0], "gold": 12})
    tied = playing(["g1"], crews={"red": [[], ["parrot:b1"]]}, chests=[[], ["g3"]], turn=8)
    assert told(tied, 0, "parrot g1 green")[-1][0] == "game-won"
    even = state_of(splitter=0, hands=[["kraken"], []], crews={"green": [[], ["g2"]]}, turn=8)
    assert told(even, 0, "kraken green")[-1] == ("game-shared", {"seats": [0, 1], "gold": 0})
    ships = playing(["g1"], chests=[[], ["y3"]], turn=8)
    assert told(ships, 0, "crew g1 green")[-1] == (
        "game-won-by-ship",
        {"seats": [0], "gold": 3},
    )


@pytest.mark.rule("JR-11", "JR-15", "JR-17")
def test_plays_are_told() -> None:
    crews = {"green": [["g2"], ["g1", "parrot:r5"]], "red": [["parrot:r4", "parrot:kraken"], []]}
    state = playing(["g4", "kraken", "tortuga", "b1"], crews=crews)
    assert told(state, 0, "kraken green") == [
        ("kraken", {"seat": 0, "other": 1, "card": "r5", "ship": "green"}),
        ("captain-comes", {"seat": 0, "ship": "green"}),
    ]
    assert told(state, 0, "kraken none") == [("kraken-none", {"seat": 0})]
    assert told(state, 0, "tortuga") == [("tortuga", {"seat": 0, "count": 1})]
    assert told(state, 0, "parrot b1 red") == [("parrot", {"seat": 0, "card": "b1", "ship": "red"})]
    state = playing(["g4", "b1"], crews={"green": [["g2"], []], "blue": [[], ["parrot:g1"]]})
    assert told(state, 0, "board g4") == [
        ("board", {"seat": 0, "card": "g4", "ship": "green", "gold": 4})
    ]
    assert told(state, 0, "crew b1 blue") == [
        ("crew", {"seat": 0, "card": "b1", "ship": "blue"}),
        ("captain-leaves", {"seat": 1, "ship": "blue"}),
    ]

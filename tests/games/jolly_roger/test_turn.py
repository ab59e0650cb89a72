"""A turn: splitting, picking, playing, whose turn it is, and what both see."""

from __future__ import annotations

from itertools import combinations

import pytest

from quarterdeck.contract import CHANCE, NATURE, SEAT, SPECTATOR
from quarterdeck.games.jolly_roger import view
from quarterdeck.games.jolly_roger.state import Action, State

from ..helpers import INTERPRETED, used_record
from .helpers import (
    BENCH,
    CARDS,
    KIT,
    SHIPS,
    VARIANTS,
    do,
    legal,
    node,
    parse,
    playing,
    position,
    random_game,
    refusal,
    refuse,
    state_of,
    text_of,
    to_act,
    to_deal,
)

FIVE = "g1,y2,b3,r4,kraken"
EQUAL = "g1,g1,g1,y2,y2"


def splitting(cards: str = FIVE, splitter: int = 0) -> State:
    return do(to_deal(splitter=splitter), NATURE, f"deal {cards}")


def picking(sets: str = "g1,y2/b3,r4,kraken", splitter: int = 0) -> State:
    cards = sets.replace("/", ",")
    return do(splitting(cards, splitter), splitter, f"split {sets}")


# JR-4 ----------------------------------------------------------------------------------------


@pytest.mark.rule("JR-4")
@pytest.mark.parametrize("variant", VARIANTS)
def test_players_alternate_as_splitter(variant: str) -> None:
    splitters = [
        actor for _, actor, text in random_game(variant, seed=1) if text.startswith("split")
    ]
    first = splitters[0]
    assert splitters == [first, 1 - first] * (len(splitters) // 2)


@pytest.mark.rule("JR-4")
@pytest.mark.parametrize("splitter", [0, 1])
def test_the_splitter_splits_and_the_other_picks(splitter: int) -> None:
    picker = 1 - splitter
    state = splitting(splitter=splitter)
    assert (node(state), to_act(state), legal(state, picker)) == (SEAT, [splitter], [])
    assert refusal(state, picker, "split g1/y2,b3,r4,kraken") == "JR-4"
    assert refusal(state, splitter, "split g1/y2,b3,r4,kraken") is None
    state = picking(splitter=splitter)
    assert (node(state), to_act(state), legal(state, splitter)) == (SEAT, [picker], [])
    assert refusal(state, splitter, "pick 1") == "JR-4"
    assert refusal(state, picker, "pick 1") is None


@pytest.mark.rule("JR-4", "JR-7")
def test_somebody_who_does_not_sit_there_does_nothing() -> None:
    playable = playing(["g1"])
    for actor in (-2, 2, 5, 100):
        assert refusal(to_deal(), actor, "split g1/g2") == "JR-4"
        assert refusal(splitting(), actor, "split g1/y2,b3,r4,kraken") == "JR-4"
        assert refusal(picking(), actor, "pick 1") == "JR-4"
        assert refusal(playable, actor, "crew g1 green") == "JR-7"
        assert legal(playable, actor) == []


# JR-5: splitting -----------------------------------------------------------------------------


@pytest.mark.rule("JR-5")
def test_five_different_cards_have_30_splits() -> None:
    five = FIVE.split(",")
    expected = set()
    for size in range(1, 5):
        for first in combinations(five, size):
            second = [card for card in five if card not in first]
            expected.add(f"split {','.join(first)}/{','.join(second)}")
    texts = legal(splitting(), 0)
    assert len(texts) == len(expected) == 30
    assert set(texts) == expected
    for text in texts:
        sets = [cards.split(",") for cards in text.removeprefix("split ").split("/")]
        after = do(splitting(), 0, text)
        assert position(after)["sets"] == sets
        assert position(after)["offer"] == []


@pytest.mark.rule("JR-5")
@pytest.mark.parametrize(
    ("cards", "splits"),
    [(EQUAL, 10), ("g1,g1,g1,g1,y1", 8), ("g1,g1,y1,b1,r1", 22), ("g1,g1,y1,y1,r1", 16)],
)
def test_splits_of_equal_cards_are_one_action(cards: str, splits: int) -> None:
    state = splitting(cards)
    texts = legal(state, 0)
    assert len(texts) == len(set(texts)) == splits
    for text in texts:
        assert refusal(state, 0, text) is None


@pytest.mark.rule("JR-5")
@pytest.mark.parametrize(
    "sets",
    [
        f"{FIVE}/",
        f"/{FIVE}",
        "/",
        "g1/",
        "g1/y2",
        "g1,y2/b3,r4",
        "g1/y2,b3,r4,r4",
        "g1/y2,b3,r4,tortuga",
        "g1,g1/y2,b3,r4",
        "g1,y2/b3,r4,kraken,kraken",
        "g1,y2/y2,b3,r4",
        f"{FIVE}/{FIVE}",
        "y2,b3,r4,kraken/y2",
    ],
)
def test_a_split_has_all_five_cards_in_two_sets_of_one_to_four(sets: str) -> None:
    assert refusal(splitting(), 0, f"split {sets}") == "JR-5"


@pytest.mark.rule("JR-5")
@pytest.mark.parametrize("text", ["pick 1", "crew g1 green", "board g1", "kraken none", "tortuga"])
def test_first_the_cards_are_split(text: str) -> None:
    assert refusal(splitting(), 0, text) == "JR-5"


@pytest.mark.rule("JR-5")
def test_a_split_may_be_said_in_any_order() -> None:
    after = do(splitting(), 0, "split kraken,g1/r4,y2,b3")
    assert position(after)["sets"] == [["g1", "kraken"], ["y2", "b3", "r4"]]
    action = parse("split kraken,g1/r4,y2,b3")
    assert text_of(action) == "split g1,kraken/y2,b3,r4"


@pytest.mark.rule("JR-5")
@pytest.mark.parametrize("card", [-2, 23, 32, 127, -128])
def test_a_split_of_something_that_is_no_card_is_refused(card: int) -> None:
    for place in range(10):
        action = parse("split g1,y2/b3,r4,kraken")
        action.args[place] = card
        assert refuse(splitting(), 0, action) == "JR-5"


# JR-6: picking -------------------------------------------------------------------------------


@pytest.mark.rule("JR-6", "JR-R6")
@pytest.mark.parametrize("splitter", [0, 1])
@pytest.mark.parametrize("pick", [1, 2])
def test_the_picker_takes_one_set_and_the_splitter_keeps_the_other(
    splitter: int, pick: int
) -> None:
    state = picking(splitter=splitter)
    picker = 1 - splitter
    assert legal(state, picker) == ["pick 1", "pick 2"]
    sets = [["g1", "y2"], ["b3", "r4", "kraken"]]
    assert position(state)["sets"] == sets  # set 1 is the one written first
    shown = position(do(state, picker, f"pick {pick}"))
    assert shown["hands"][picker] == sets[pick - 1]
    assert shown["hands"][splitter] == sets[2 - pick]
    assert shown["sets"] == [[], []]


@pytest.mark.rule("JR-6")
@pytest.mark.parametrize("text", ["pick 0", "pick 3", "pick 9", "crew g1 green", "kraken none"])
def test_the_picker_takes_set_1_or_set_2(text: str) -> None:
    assert refusal(picking(), 1, text) == "JR-6"


@pytest.mark.rule("JR-6")
def test_a_set_is_picked_once() -> None:
    state = do(picking(), 1, "pick 1")
    assert refusal(state, 1, "pick 2") == "JR-6"
    assert refusal(state, 0, "pick 2") == "JR-7"


@pytest.mark.rule("JR-R6")
def test_a_split_is_final() -> None:
    again = "split g1/y2,b3,r4,kraken"
    state = picking()
    for seat in (0, 1):
        assert refusal(state, seat, again) == "JR-R6"
    state = do(state, 1, "pick 1")
    for seat in (0, 1):
        assert refusal(state, seat, again) == "JR-R6"


# JR-7: playing -------------------------------------------------------------------------------


@pytest.mark.rule("JR-7")
@pytest.mark.parametrize("splitter", [0, 1])
@pytest.mark.parametrize("pick", [1, 2])
def test_first_the_picker_plays_everything_then_the_splitter(splitter: int, pick: int) -> None:
    picker = 1 - splitter
    state = do(picking(splitter=splitter), picker, f"pick {pick}")
    for seat in (picker, splitter):
        hand = position(state)["hands"][seat]
        for card in hand:
            assert to_act(state) == [seat]
            assert legal(state, 1 - seat) == []
            assert refusal(state, 1 - seat, "parrot g1 green") == "JR-7"
            state = do(state, seat, f"parrot {card} red")
    assert position(state)["phase"] == "deal"
    assert position(state)["turn"] == 2
    assert position(state)["splitter"] == picker
    assert node(state) == CHANCE


@pytest.mark.rule("JR-7")
def test_cards_are_played_in_any_order() -> None:
    hand = ["g1", "y2", "b3", "kraken"]
    state = playing(hand)
    for card in hand:
        after = do(state, 0, f"parrot {card} red")
        assert position(after)["hands"][0] == [other for other in hand if other != card]


@pytest.mark.rule("JR-7")
@pytest.mark.parametrize(
    "text",
    ["crew g2 green", "parrot g2 red", "board g2", "kraken none", "kraken red", "tortuga",
     "crew skeleton red"],
)  # fmt: skip
def test_one_plays_only_cards_of_ones_own_set(text: str) -> None:
    state = state_of(splitter=0, hands=[["g2", "tortuga", "skeleton"], ["g1"]])
    assert refusal(state, 1, text) == "JR-7"


@pytest.mark.rule("JR-7")
@pytest.mark.parametrize("card", [-1, -2, 23, 32, 33, 127, -128])
@pytest.mark.parametrize("text", ["crew g1 green", "parrot g1 green", "board g1"])
def test_something_that_is_no_card_cannot_be_played(card: int, text: str) -> None:
    action = parse(text)
    action.args[0] = card
    assert refuse(playing(["g1"]), 0, action) == "JR-7"


@pytest.mark.rule("JR-7", "JR-8")
@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_is_saved_and_every_card_is_used_once(variant: str) -> None:
    for state, _, text in random_game(variant, seed=3):
        if text.startswith("deal"):
            shown = position(state)
            assert shown["hands"] == [[], []]
            crews = [card for both in shown["crews"].values() for crew in both for card in crew]
            chests = shown["chests"][0] + shown["chests"][1]
            used = len(crews) + len(chests) + len(shown["removed"])
            assert used == 5 * (shown["turn"] - 1)


@pytest.mark.rule("JR-8")
def test_a_pirate_joins_or_boards() -> None:
    crews = {"green": [["g1"], []]}
    assert legal(playing(["g2"], crews=crews), 0) == [
        "crew g2 green",
        "board g2",
        *(f"parrot g2 {ship}" for ship in SHIPS),
    ]
    assert legal(playing(["r2"], crews=crews), 0) == [
        "crew r2 red",
        *(f"parrot r2 {ship}" for ship in SHIPS),
    ]


@pytest.mark.rule("JR-8")
def test_a_special_card_joins_or_has_its_effect() -> None:
    crews = {"green": [[], ["g1"]], "blue": [["b1"], ["b2"]], "red": [[], ["skeleton"]]}
    parrots = [f"parrot {{}} {ship}" for ship in SHIPS]
    effects = {
        "kraken": ["kraken green", "kraken blue", "kraken none"],
        "skeleton": [f"crew skeleton {ship}" for ship in SHIPS],
        "tortuga": ["tortuga"],
    }
    for card, texts in effects.items():
        expected = texts + [parrot.format(card) for parrot in parrots]
        assert legal(playing([card], crews=crews), 0) == expected


@pytest.mark.rule("JR-8")
@pytest.mark.parametrize("card", CARDS)
def test_a_card_is_used_for_exactly_one_thing(card: str) -> None:
    other = "y1" if card != "y1" else "b1"
    state = playing([card, other], crews={"green": [["g1"], ["parrot:g1"]], "red": [["r1"], []]})
    for text in legal(state, 0):
        if other not in text:
            after = do(state, 0, text)
            assert position(after)["hands"] == [[other], []]
            assert not {text for text in legal(after, 0) if other not in text}


def test_equal_cards_are_one_action() -> None:
    state = playing(["g1", "g1", "kraken", "kraken"])
    texts = legal(state, 0)
    assert len(texts) == len(set(texts)) == 5 + 5


# What both see -------------------------------------------------------------------------------


@pytest.mark.rule("JR-R2", "JR-5")
@pytest.mark.parametrize("variant", VARIANTS)
def test_everything_that_lies_there_is_seen_by_all(variant: str) -> None:
    for state, actor, text in random_game(variant, seed=2):
        for seat in (0, 1, SPECTATOR):
            assert BENCH.see(state, seat).tobytes() == state.tobytes()
            if text:
                action = parse(text)
                glimpsed = used_record(Action)
                view.glimpse(KIT, state, seat, actor, action, glimpsed)
                assert glimpsed.tobytes() == action.tobytes()
        if INTERPRETED and state.turn > 2:
            break


@pytest.mark.rule("JR-R2")
def test_both_see_what_lies_under_a_parrot() -> None:
    state = do(playing(["r5", "g1"]), 0, "parrot r5 green")
    for seat in (0, 1, SPECTATOR):
        seen = BENCH.seen_by(state, seat)
        assert seen["crews"]["green"] == [["parrot:r5"], []]


@pytest.mark.rule("JR-R2", "JR-R5")
def test_the_state_holds_no_card_that_was_not_turned_up() -> None:
    names = ("offer", "sets", "hands", "crews", "chests", "removed")
    fields = State.dtype.names or ()
    assert set(names) < set(fields)
    assert set(fields) - set(names) == {"variant", "phase", "turn", "splitter"}

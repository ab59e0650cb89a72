"""Components, set-up, and the cards that are turned up."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from quarterdeck.contract import CHANCE, NATURE, BadOption, BadPosition, Rng, draw, record, seed_rng
from quarterdeck.games.jolly_roger import rules
from quarterdeck.games.jolly_roger.state import CARD_KINDS, LONGEST_CREW, State

from ..helpers import INTERPRETED
from .helpers import (
    CARDS,
    COPIES,
    GAME,
    KIT,
    PIRATES,
    SHIPS,
    SPECIALS,
    VARIANTS,
    Position,
    do,
    do_all,
    final,
    legal,
    new_game,
    node,
    outcome,
    parse,
    playing,
    position,
    random_game,
    refusal,
    refuse,
    sampled,
    state_of,
    to_act,
    to_deal,
    unseen,
)

SEEDS = range(20 if INTERPRETED else 300)


def pool(state: State) -> Counter[str]:
    return Counter(unseen(state))


def cards_of(text: str) -> list[str]:
    return text.removeprefix("deal ").split(",")


# Components ----------------------------------------------------------------------------------


@pytest.mark.rule("JR-C1")
def test_43_pirates() -> None:
    assert pool(to_deal("intro")) == Counter({card: COPIES[card] for card in PIRATES})
    colours = Counter(card[0] for card in pool(to_deal("intro")).elements())
    assert colours == {"g": 13, "y": 12, "b": 10, "r": 8}
    assert colours.total() == 43


@pytest.mark.rule("JR-C1")
@pytest.mark.parametrize("card", PIRATES)
def test_a_pirates_number_is_its_strength_and_its_gold(card: str) -> None:
    ship = SHIPS["gybr".index(card[0])]
    value = int(card[1])
    crews = {ship: [[card], []]}
    assert position(state_of(splitter=0, crews=crews))["strengths"][ship] == [value, 0]
    assert outcome(final({}, ([card], [])))[0] == [value, 0]


@pytest.mark.rule("JR-C2")
def test_7_special_cards() -> None:
    specials = {card: count for card, count in pool(to_deal()).items() if card in SPECIALS}
    assert specials == {"kraken": 3, "skeleton": 2, "tortuga": 2}
    assert pool(to_deal()).total() == 50


@pytest.mark.rule("JR-C3")
@pytest.mark.parametrize(("ship", "gold"), [*zip(SHIPS, (3, 5, 7, 9), strict=True)])
def test_ships_are_worth_their_gold(ship: str, gold: int) -> None:
    crew = [f"{ship[0]}1"]
    assert outcome(final({ship: [crew, []]}))[0] == [gold, 0]
    assert outcome(final({ship: [[], crew]}))[0] == [0, gold]


@pytest.mark.rule("JR-C3", "JR-10")
@pytest.mark.parametrize("card", CARDS)
def test_every_card_is_a_parrot_of_strength_1_on_its_back(card: str) -> None:
    state = state_of(splitter=0, crews={"red": [[f"parrot:{card}"], []]})
    assert position(state)["strengths"]["red"] == [1, 0]


@pytest.mark.rule("JR-C3")
def test_there_are_captains_for_all_four_ships() -> None:
    crews = {ship: [[], [f"{ship[0]}1"]] for ship in SHIPS}
    assert set(position(state_of(splitter=0, crews=crews))["captains"].values()) == {1}


@pytest.mark.rule("JR-C3")
@pytest.mark.parametrize("players", [1, 3, 0, "2", 2.0, True, None])
def test_two_players(players: object) -> None:
    assert GAME.fill_options({}) == {"players": 2, "variant": "intro"}
    with pytest.raises(BadOption):
        GAME.fill_options({"players": players})


@pytest.mark.parametrize("variant", ["Intro", "all", "all_cards", "", 0, None, True])
def test_no_other_variants(variant: object) -> None:
    with pytest.raises(BadOption):
        GAME.fill_options({"variant": variant})


# Set-up --------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_new_game(variant: str) -> None:
    state = new_game(variant)
    assert (node(state), to_act(state)) == (CHANCE, [])
    assert position(state) == {
        "phase": "start",
        "variant": variant,
        "turn": 1,
        "splitter": None,
        "offer": [],
        "sets": [[], []],
        "hands": [[], []],
        "crews": {ship: [[], []] for ship in SHIPS},
        "strengths": {ship: [0, 0] for ship in SHIPS},
        "captains": dict.fromkeys(SHIPS),
        "chests": [[], []],
        "removed": [],
    }


def all_dealt(variant: str, seed: int) -> tuple[list[list[str]], Counter[str]]:
    """The cards of each turn of a random game, and those never seen."""
    steps = list(random_game(variant, seed))
    dealt = [cards_of(text) for _, _, text in steps if text.startswith("deal")]
    return dealt, pool(steps[-1][0])


@pytest.mark.rule("JR-1", "JR-19")
@pytest.mark.parametrize("seed", range(3))
def test_the_introductory_game_deals_40_of_the_43_pirates_in_8_turns(seed: int) -> None:
    dealt, unseen = all_dealt("intro", seed)
    assert [len(cards) for cards in dealt] == [5] * 8
    assert not {card for cards in dealt for card in cards} & set(SPECIALS)
    assert unseen.total() == 3


@pytest.mark.rule("JR-1")
@pytest.mark.parametrize("card", SPECIALS)
def test_the_introductory_game_has_no_special_cards(card: str) -> None:
    assert refusal(to_deal("intro"), NATURE, f"deal g1,g2,b1,r1,{card}") == "JR-1"
    with pytest.raises(BadPosition) as error:
        playing([card], variant="intro")
    assert error.value.rule == "JR-1"


@pytest.mark.rule("JR-2", "JR-19")
@pytest.mark.parametrize("seed", range(3))
def test_the_advanced_game_deals_40_of_50_cards_in_8_turns(seed: int) -> None:
    dealt, unseen = all_dealt("advanced", seed)
    assert [len(cards) for cards in dealt] == [5] * 8
    assert unseen.total() == 10


@pytest.mark.rule("JR-3", "JR-19")
@pytest.mark.parametrize("seed", range(3))
def test_with_all_cards_50_are_dealt_in_10_turns(seed: int) -> None:
    dealt, unseen = all_dealt("all-cards", seed)
    assert [len(cards) for cards in dealt] == [5] * 10
    assert Counter(card for cards in dealt for card in cards) == Counter(COPIES)
    assert unseen.total() == 0


@pytest.mark.rule("JR-1", "JR-2", "JR-3")
@pytest.mark.parametrize("variant", VARIANTS)
def test_any_card_may_be_among_those_put_away(variant: str) -> None:
    never_seen = set()
    for seed in range(2 if INTERPRETED else 12):
        *_, (state, _, _) = random_game(variant, seed)
        never_seen |= set(pool(state))
    if variant == "all-cards":
        assert never_seen == set()
    elif not INTERPRETED:
        assert len(never_seen) > 10


@pytest.mark.rule("JR-4")
def test_the_first_splitter_is_drawn_by_chance() -> None:
    state = new_game()
    drawn = Counter(sampled(state, seed) for seed in range(100))
    assert drawn.keys() == {"start 0", "start 1"}
    assert min(drawn.values()) > 25
    assert {sampled(state, seed) for seed in SEEDS} == {"start 0", "start 1"}
    for seat in (0, 1):
        started = do(state, NATURE, f"start {seat}")
        assert position(started) == position(state) | {"phase": "deal", "splitter": seat}


@pytest.mark.rule("JR-4")
def test_the_first_splitter_is_drawn_once_and_by_nature() -> None:
    state = new_game()
    for text in ("start 2", "start 9", "deal g1,g2,g3,g4,g5", "pick 1"):
        assert refusal(state, NATURE, text) == "JR-4"
    for seat in (0, 1):
        for text in ("start 0", "deal g1,g2,g3,g4,g5", "split g1/g2,g3,g4,g5", "pick 1"):
            assert refusal(state, seat, text) == "JR-4"
    state = do(state, NATURE, "start 1")
    assert refusal(state, NATURE, "start 1") == "JR-4"
    state = do(state, NATURE, "deal g1,g2,g3,g4,g5")
    for actor in (NATURE, 0, 1):
        assert refusal(state, actor, "start 1") == "JR-4"


# Turning up cards ----------------------------------------------------------------------------


@pytest.mark.rule("JR-5")
@pytest.mark.parametrize(
    "cards", ["g1", "g1,g2,g3,g4", "g1,g2,g3,g4,g5,y1", "g1,g1,g2,g2,g3,g3,g4,g4,g5,g5"]
)
def test_five_cards_are_turned_up(cards: str) -> None:
    assert refusal(to_deal(), NATURE, f"deal {cards}") == "JR-5"
    assert refusal(to_deal(), NATURE, "deal g1,g2,g3,g4,g5") is None


@pytest.mark.rule("JR-5")
def test_cards_are_turned_up_once_a_turn_and_by_nature() -> None:
    text = "deal g1,g2,g3,g4,g5"
    state = to_deal()
    assert (node(state), to_act(state), legal(state, 0), legal(state, 1)) == (CHANCE, [], [], [])
    for seat in (0, 1):
        assert refusal(state, seat, text) == "JR-4"
    state = do(state, NATURE, text)
    assert refusal(state, NATURE, text) == "JR-5"
    assert refusal(state, 0, text) == refusal(state, 1, text) == "JR-4"
    state = do(state, 0, "split g1/g2,g3,g4,g5")
    assert refusal(state, NATURE, text) == "JR-5"
    state = do(state, 1, "pick 1")
    assert refusal(state, NATURE, text) == "JR-5"
    assert refusal(state, NATURE, "crew g1 green") == "JR-4"
    assert refusal(state, 1, text) == "JR-7"


@pytest.mark.rule("JR-C1", "JR-C2")
@pytest.mark.parametrize("card", CARDS)
def test_no_card_is_turned_up_more_often_than_there_are_copies(card: str) -> None:
    others = ["b1", "y1", "g1", "r1", "y2"] if card != "b1" else ["y1", "g1", "r1", "y2", "b2"]
    others = [other for other in others if other != card]
    for count in range(1, 6):
        text = "deal " + ",".join([card] * count + others[: 5 - count])
        rule = "JR-C1" if card in PIRATES else "JR-C2"
        assert refusal(to_deal(), NATURE, text) == (None if count <= COPIES[card] else rule)


@pytest.mark.rule("JR-C1")
@pytest.mark.parametrize("card", [-2, CARD_KINDS, 32, 127, -128])
def test_a_deal_of_something_that_is_no_card_is_refused(card: int) -> None:
    action = parse("deal g1,g2,g3,g4,g5")
    action.args[0] = card
    assert refuse(to_deal(), NATURE, action) == "JR-C1"


@pytest.mark.rule("JR-C1", "JR-R5")
@pytest.mark.parametrize(
    "where",
    [
        {"crews": {"red": [["r5"], []]}},
        {"crews": {"red": [[], ["r5"]]}},
        {"crews": {"green": [[], ["parrot:r5"]]}},
        {"chests": [["r5"], []]},
        {"chests": [[], ["r5"]]},
        {"removed": ["r5", "kraken"]},
    ],
)
def test_a_card_that_was_seen_does_not_come_again(where: Position) -> None:
    state = to_deal(**where)
    assert refusal(state, NATURE, "deal g1,g2,g3,g4,r5") == "JR-C1"
    assert "r5" not in unseen(state)
    assert len(unseen(state)) == 50 - len(where.get("removed", ["r5"]))
    assert not any("r5" in cards_of(sampled(state, seed)) for seed in SEEDS)


@pytest.mark.rule("JR-R5")
@pytest.mark.parametrize("variant", VARIANTS)
def test_nature_draws_from_all_cards_not_yet_seen(variant: str) -> None:
    for state, _, text in random_game(variant, seed=5):
        if not text.startswith("deal"):
            continue
        shown = position(state)
        seen = Counter(shown["removed"] + shown["chests"][0] + shown["chests"][1])
        for crews in shown["crews"].values():
            seen.update(card.removeprefix("parrot:") for crew in crews for card in crew)
        pack = Counter({c: n for c, n in COPIES.items() if variant != "intro" or c in PIRATES})
        assert pool(state) == pack - seen
        assert seen.total() == 5 * (shown["turn"] - 1)


@pytest.mark.rule("JR-R5")
@pytest.mark.parametrize("variant", VARIANTS)
def test_unseen_is_what_lies_nowhere_on_the_table(variant: str) -> None:
    for state, _, _ in random_game(variant, 3):
        told = position(state)
        crews = [card for sides in told["crews"].values() for side in sides for card in side]
        lists = [told["offer"], *told["sets"], *told["hands"], *told["chests"], told["removed"]]
        seen = Counter(card.removeprefix("parrot:") for cards in (crews, *lists) for card in cards)
        left: Any = np.zeros(CARD_KINDS, np.int8)
        total = rules.count_unseen(KIT, state, left)
        there = PIRATES if variant == "intro" else CARDS
        expected = [COPIES[card] - seen[card] if card in there else 0 for card in CARDS]
        assert left.tolist() == expected
        assert total == sum(expected)


@pytest.mark.rule("JR-5", "JR-R5")
def test_every_card_is_turned_up_about_equally_often() -> None:
    state = to_deal()
    counts = Counter(card for seed in SEEDS for card in cards_of(sampled(state, seed)))
    for card, copies in COPIES.items():
        expected = len(SEEDS) * copies * 5 / 50
        assert abs(counts[card] - expected) < 6 * expected**0.5


@pytest.mark.parametrize("seed", range(5))
def test_a_draw_is_the_front_of_the_pool_after_the_swaps(seed: int) -> None:
    state = to_deal(crews={"red": [["r5", "parrot:g1"], []]})
    names = unseen(state)
    rng = record(Rng)
    seed_rng(rng, seed, 0, 0, 0)
    items = np.arange(len(names), dtype=np.int8)
    draw(rng, items, len(names), 5)
    assert sorted(cards_of(sampled(state, seed))) == sorted(names[i] for i in items[:5])


def test_deals_follow_from_the_generator_alone() -> None:
    texts = [sampled(to_deal(), seed, draw) for seed in range(3) for draw in range(3)]
    assert len(set(texts)) == 9
    assert texts == [sampled(to_deal(), seed, draw) for seed in range(3) for draw in range(3)]


@pytest.mark.rule("JR-3")
def test_the_last_five_of_all_cards_are_known() -> None:
    *_, last = (
        state for state, _, text in random_game("all-cards", seed=9) if text.startswith("deal")
    )
    assert position(last)["turn"] == 10
    assert len(unseen(last)) == 5
    assert {sampled(last, seed) for seed in range(5)} == {"deal " + ",".join(unseen(last))}


def test_the_offer_is_kept_in_order() -> None:
    state = do_all(to_deal(), (NATURE, "deal tortuga,r1,kraken,g2,y5"))
    assert position(state)["offer"] == ["g2", "y5", "r1", "kraken", "tortuga"]


@pytest.mark.rule("JR-4")
def test_a_splitter_that_no_text_can_name_is_refused() -> None:
    start = parse("start 0")
    for seat in (-1, 2):
        start.args[0] = seat
        assert refuse(new_game(), NATURE, start) == "JR-4"


def test_a_crew_may_be_as_long_as_there_is_room_for() -> None:
    crew: Any = np.zeros(LONGEST_CREW, np.int8)
    assert rules.crew_size(crew) == LONGEST_CREW
    crew[7:] = -1
    assert rules.crew_size(crew) == 7

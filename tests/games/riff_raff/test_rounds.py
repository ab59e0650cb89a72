"""Set-up, cards, captain and order."""

from __future__ import annotations

import pytest

from quarterdeck.contract import CHANCE, LIVE, NATURE, SEALED, SEAT
from quarterdeck.games.riff_raff import rules

from .helpers import (
    KIT,
    PLAYERS,
    SHAPES,
    do,
    do_all,
    legal,
    new_game,
    node,
    position,
    refusal,
    sampled,
    seen_by,
    state_of,
    to_act,
    turn,
)


@pytest.mark.rule("RR-C2")
def test_the_kit_has_four_of_each_piece() -> None:
    assert KIT.copies.tolist() == [4] * 8
    assert len(SHAPES) == 8


@pytest.mark.rule("RR-1", "RR-C2")
@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_begins_with_all_cards_and_shapes(players: int) -> None:
    told = position(new_game(players))
    assert told["cards"] == [list(range(1, 11))] * players
    each = [shape for shape in SHAPES for _ in range(2 if players == 2 else 1)]
    assert told["supply"] == [each] * players
    assert not any(told["aboard"].values())


@pytest.mark.rule("RR-1")
@pytest.mark.parametrize("players", PLAYERS)
def test_cards_are_hidden_and_pieces_open(players: int) -> None:
    state = state_of(players, captain=0)
    for seat in range(players):
        seen = seen_by(state, seat)
        assert seen["supply"] == position(state)["supply"]
        for other in range(players):
            expected = list(range(1, 11)) if other == seat else ["?"] * 10
            assert seen["cards"][other] == expected


@pytest.mark.rule("RR-2")
@pytest.mark.parametrize("players", PLAYERS)
def test_chance_names_the_first_captain(players: int) -> None:
    state = new_game(players)
    assert node(state) == CHANCE
    drawn = {sampled(state, 1, draw) for draw in range(60)}
    assert drawn == {f"start {seat}" for seat in range(players)}
    assert refusal(state, NATURE, f"start {players}") == "RR-2"
    assert refusal(state, 0, "start 0") == "RR-2"
    assert refusal(state, 0, "card 1") == "RR-2"
    after = do(state, NATURE, "start 1")
    assert position(after)["captain"] == 1
    assert refusal(after, NATURE, "start 0") == "RR-2"


@pytest.mark.rule("RR-3")
def test_all_choose_in_secret_and_turn_up_together() -> None:
    state = state_of(3, captain=0)
    assert node(state) == SEALED
    assert to_act(state) == [0, 1, 2]
    state = do_all(state, (1, "card 7"), (0, "card 3"))
    assert to_act(state) == [2]
    assert seen_by(state, 2)["played"] == ["?", "?", None]
    assert seen_by(state, 1)["played"] == ["?", 7, None]
    assert refusal(state, 1, "card 8") == "RR-3"
    assert refusal(state, 1, "take rat") == "RR-3"
    state = do(state, 2, "card 1")
    for seat in range(3):
        assert seen_by(state, seat)["played"] == [3, 7, 1]
    assert refusal(state, 0, "card 4") == "RR-3"


@pytest.mark.rule("RR-3", "RR-C2")
def test_a_card_is_from_one_to_ten() -> None:
    state = state_of(2, captain=0)
    for number in (0, 11, 99):
        assert refusal(state, 0, f"card {number}") == "RR-C2"


@pytest.mark.rule("RR-4", "RR-7")
def test_the_highest_card_makes_captain_at_once() -> None:
    state = do_all(state_of(3, captain=0), (0, "card 4"), (1, "card 9"), (2, "card 8"))
    told = position(state)
    assert told["captain"] == 1
    assert told["order"] == [1, 2, 0]
    assert told["active"] == 1
    assert told["phase"] == "take"


@pytest.mark.rule("RR-4")
def test_among_several_the_captain_in_office_decides() -> None:
    cards = [(0, "card 9"), (1, "card 2"), (2, "card 9"), (3, "card 5")]
    state = do_all(state_of(4, captain=1), *cards)
    assert node(state) == SEAT
    assert to_act(state) == [1]
    assert legal(state, 1) == ["captain 0", "captain 2"]
    assert refusal(state, 1, "captain 1") == "RR-4"
    assert refusal(state, 1, "captain 7") == "RR-4"
    assert refusal(state, 0, "captain 0") == "RR-4"
    assert refusal(state, 1, "take rat") == "RR-4"
    state = do(state, 1, "captain 2")
    assert position(state)["order"] == [2, 0, 3, 1]
    assert refusal(state, 1, "captain 0") == "RR-4"


@pytest.mark.rule("RR-5")
@pytest.mark.parametrize(
    ("played", "tied"),
    [((9, 5, 5, 1), [1, 2]), ((9, 5, 5, 5), [1, 2, 3]), ((9, 1, 4, 4), [2, 3])],
)
def test_the_new_captain_orders_equal_numbers(played: tuple[int, ...], tied: list[int]) -> None:
    cards = [(seat, f"card {card}") for seat, card in enumerate(played)]
    state = do_all(state_of(4, captain=3), *cards)
    assert to_act(state) == [0]
    orders = legal(state, 0)
    assert len(orders) == len(set(orders)) == (2 if len(tied) == 2 else 6)
    backwards = "order " + ",".join(str(seat) for seat in reversed(tied))
    assert backwards in orders
    after = do(state, 0, backwards)
    numbers = [played[seat] for seat in position(after)["order"]]
    assert numbers == sorted(numbers, reverse=True)
    assert [s for s in position(after)["order"] if s in tied] == tied[::-1]
    for text in ("order 0,1", "order 1", "order 1,1", "order 0,1,2,3"):
        assert refusal(state, 0, text) == "RR-5"
    assert refusal(state, 3, backwards) == "RR-5"
    assert refusal(state, 0, "take rat") == "RR-5"
    assert refusal(after, 0, backwards) == "RR-5"


@pytest.mark.rule("RR-4", "RR-5")
def test_both_are_asked_where_both_are_tied() -> None:
    cards = [(0, "card 6"), (1, "card 6"), (2, "card 6"), (3, "card 6")]
    state = do(do_all(state_of(4, captain=3), *cards), 3, "captain 1")
    assert to_act(state) == [1]
    assert "order 3,0,2" in legal(state, 1)
    state = do(state, 1, "order 3,0,2")
    assert position(state)["order"] == [1, 3, 0, 2]


@pytest.mark.rule("RR-6", "RR-R10")
def test_a_played_card_is_gone_and_only_the_last_is_visible() -> None:
    state = turn(9, 3)
    for seat in (0, 1):
        state = do_all(state, (seat, "take crate"), (NATURE, f"settle crate={[9, 3][seat]}"))
    assert position(state)["phase"] == "card"
    assert position(state)["cards"][0] == [1, 2, 3, 4, 5, 6, 7, 8, 10]
    assert refusal(state, 0, "card 9") == "RR-6"
    assert seen_by(state, 1)["last"] == [9, 3]
    assert seen_by(state, 1)["cards"][0] == ["?"] * 9
    state = do_all(state, (0, "card 1"), (1, "card 2"))
    assert seen_by(state, 1)["last"] == [1, 2]


@pytest.mark.rule("RR-7")
def test_the_round_ends_when_all_have_taken_their_turn() -> None:
    state = turn(2, 4, 3)
    for seat, area in ((1, 4), (2, 3), (0, 2)):
        assert position(state)["active"] == seat
        assert refusal(state, (seat + 1) % 3, "take rat") == "RR-8"
        state = do(state, seat, "take rat")
        assert node(state) == LIVE
        assert to_act(state) == []
        assert rules.live_seat(KIT, state) == seat
        state = do(state, NATURE, f"settle rat={area}")
    told = position(state)
    assert (told["phase"], told["round"], told["captain"]) == ("card", 2, 1)
    assert told["played"] == [None] * 3
    assert told["order"] == []

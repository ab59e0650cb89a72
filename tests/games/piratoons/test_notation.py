"""Texts of actions: both ways, and what is no action."""

from __future__ import annotations

import pytest

from quarterdeck.contract import NATURE, BadNotation
from quarterdeck.games.piratoons import notation
from quarterdeck.games.piratoons.state import MOST_PLAYERS, REFITS, STOP_NUMBER, TILES

from .helpers import (
    BENCH,
    CHEST,
    GAME,
    INTERPRETED,
    KIT,
    do,
    new_game,
    open_chest,
    random_game,
    refit_of,
)

TEXTS = [
    "open", "stop", "show", "hide", "sand", "close", "start 3", "bid 0", "bid 40", "take p24",
    "take sail-12", "drop 1 deck-a1", "drop 6 p7", "drop 2 @0,220", "drop 1 @300,0", "refit auto",
    "refit -", "refit p1", "refit p5(deck-b2,port-a1) p1(sail-3,sail-4)",
    f"fill {','.join(CHEST)}",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_comes_back(text: str) -> None:
    action = notation.parse(KIT, text)
    assert notation.text(KIT, action) == text


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "open ", "open now", "stop!", "drop", "drop 1", "drop one p1", "drop 1 p25",
        "drop 1 p0", "drop 01 p1", "drop -1 p1", "drop 1 @", "drop 1 @1", "drop 1 @1,2,3",
        "drop 1 @-1,2", "drop 1 @1.5,2", "drop 1 @a,b", "drop 1 @ 1,2", "drop 1 p1 p2", "bid",
        "bid x", "bid ?", "take", "take ?", "take p1 p2", "refit", "refit ", "refit  p1",
        "refit p1()", "refit p1(", "refit p1)", "refit p1(p2)", "refit p1(sail-1", "refit p1 p1",
        "refit p1(sail-1) p2(sail-1)", "refit p1(sail-1,sail-1)", "refit p1(sail-13)", "refit ?",
        "refit p1,p2", "refit P1", "refit - p1", "start", "start x", "start -1", "fill",
        "fill p1", f"fill {','.join(CHEST[:-1])}", "Drop 1 p1", "drop 1 \u0661", "drop \u0661 p1",
        "drop 99999 p1", "drop 1 @99999,1",
    ],
)  # fmt: skip
def test_what_is_no_action(text: str) -> None:
    with pytest.raises(BadNotation):
        notation.parse(KIT, text)


@pytest.mark.parametrize("players", [2, 4])
def test_every_action_of_random_games_comes_back(players: int) -> None:
    for seed in range(1 if INTERPRETED else 5):
        for _, _, text in random_game(players, seed):
            if text:
                assert notation.text(KIT, notation.parse(KIT, text)) == text


def test_the_templates_say_what_can_be_composed() -> None:
    (template,) = notation.composites(KIT, open_chest(2), 0)
    assert template.text == "drop {n} @{x},{y}"
    assert [(b.name, b.low, b.high) for b in template.blanks] == [
        ("n", 1, 6), ("x", 0, 300), ("y", 0, 220),
    ]  # fmt: skip
    (template,) = notation.composites(KIT, refit_of(["p1", "sail-1"]), 0)
    assert template.text == "refit {layout}"
    assert template.blanks[0].words == ("p1", "sail-1")
    assert notation.composites(KIT, refit_of(["p1", "sail-1"]), 1) == ()
    assert notation.composites(KIT, new_game(), 0) == ()


def test_what_is_hidden_is_a_question_mark() -> None:
    state = new_game(2)
    state = do(state, NATURE, "start 0")
    for text, shown in (
        (f"fill {','.join(CHEST)}", f"fill {','.join('?' * 9)}"),
        ("bid 7", "bid ?"),
        ("refit p1", "refit ?"),
        ("refit auto", "refit ?"),
        ("take p1", "take p1"),
        ("drop 2 @7,8", "drop 2 @7,8"),
    ):
        actor = NATURE if text.startswith("fill") else 1
        assert BENCH.glimpse(state, 0, actor, text) == shown


def test_every_number_comes_back() -> None:
    state = refit_of(["p1", "p5", "deck-a1"])
    for number in (*range(STOP_NUMBER, REFITS + 1), REFITS + MOST_PLAYERS):
        action = BENCH.decode(state, number)
        text = BENCH.text(action)
        assert BENCH.number(state, text) == number
        assert BENCH.parse(text).tobytes() == action.tobytes()
    state = open_chest()
    for number in range(STOP_NUMBER):
        assert BENCH.number(state, BENCH.text(BENCH.decode(state, number))) == number


def test_what_no_seat_can_choose_from_a_list_has_no_number() -> None:
    state = open_chest()
    for text in ("sand", "close", "start 1", f"fill {','.join(CHEST)}", "drop 1 @10,10"):
        assert BENCH.number(state, text) == -1
    take = BENCH.parse("take p1")
    for tile in (-1, TILES):
        take.args[0] = tile
        assert GAME.rules.number(KIT, state, take) == -1

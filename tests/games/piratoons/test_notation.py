"""Texts of actions: both ways, and what is no action."""

from __future__ import annotations

import pytest

from quarterdeck.contract import NATURE, BadNotation, record

from .helpers import (
    CHEST,
    GAME,
    INTERPRETED,
    KIT,
    NOTATION,
    RULES,
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
def test_a_text_comes_back(text):
    action = NOTATION.parse(KIT, text)
    assert NOTATION.text(KIT, action) == text


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
def test_what_is_no_action(text):
    with pytest.raises(BadNotation):
        NOTATION.parse(KIT, text)


@pytest.mark.parametrize("players", [2, 4])
def test_every_action_of_random_games_comes_back(players):
    for seed in range(1 if INTERPRETED else 5):
        for _, _, text in random_game(players, seed):
            if text:
                assert NOTATION.text(KIT, NOTATION.parse(KIT, text)) == text


def test_the_templates_say_what_can_be_composed():
    (template,) = GAME.composites(KIT, open_chest(2), 0)
    assert template.text == "drop {n} @{x},{y}"
    assert [(b.name, b.low, b.high) for b in template.blanks] == [
        ("n", 1, 6), ("x", 0, 300), ("y", 0, 220),
    ]  # fmt: skip
    (template,) = GAME.composites(KIT, refit_of(["p1", "sail-1"]), 0)
    assert template.text == "refit {layout}"
    assert template.blanks[0].words == ("p1", "sail-1")
    assert GAME.composites(KIT, refit_of(["p1", "sail-1"]), 1) == ()
    assert GAME.composites(KIT, new_game(), 0) == ()


def test_what_is_hidden_is_a_question_mark():
    state = new_game(2)
    RULES.apply(KIT, state, NATURE, NOTATION.parse(KIT, "start 0"))
    seen = record(RULES.Action)
    for text, shown in (
        (f"fill {','.join(CHEST)}", f"fill {','.join('?' * 9)}"),
        ("bid 7", "bid ?"),
        ("refit p1", "refit ?"),
        ("refit auto", "refit ?"),
        ("take p1", "take p1"),
        ("drop 2 @7,8", "drop 2 @7,8"),
    ):
        actor = NATURE if text.startswith("fill") else 1
        GAME.view.glimpse(KIT, state, 0, actor, NOTATION.parse(KIT, text), seen)
        assert NOTATION.text(KIT, seen) == shown

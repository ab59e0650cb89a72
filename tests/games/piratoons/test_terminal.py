"""The table and the actions in the terminal, in every language and width."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len

from quarterdeck.messages import LANGUAGES

from .helpers import (
    BENCH,
    CHEST,
    INTERPRETED,
    open_chest,
    position,
    random_game,
    refit_of,
    state_of,
)

NAMES = ["Anna", "Bartholomew the Bold", "Cid", "Dee"]


def table(told: dict[str, Any], seat: int, lang: str = "en", width: int = 80) -> str:
    players = told["players"]
    return BENCH.table({"players": players}, told, seat, NAMES[:players], lang, width)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_action_has_a_label_of_its_own(lang: str) -> None:
    texts = ["open", "stop", "show", "hide", "bid 0", "bid 1", "take p1", "take sail-1"]
    texts += ["drop 1 p1", "drop 2 p1", "drop 1 sail-1", "refit p1", "refit -"]
    labels = {BENCH.label(text, lang) for text in texts}
    assert len(labels) == len(texts)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_too_long(lang: str, width: int) -> None:
    for seed in range(1 if INTERPRETED else 2):
        for number, (state, _, _) in enumerate(random_game(4, seed)):
            if number % 9 == 0:
                text = table(position(state), 1, lang, width)
                assert max(map(cell_len, text.splitlines())) <= width


def test_what_is_hidden_is_not_drawn() -> None:
    closed = table(position(state_of(phase="plunder", chest=CHEST)), 0)
    assert "deck-a1" not in closed
    assert " ? " in closed
    opened = table(position(open_chest()), 0)
    assert all(tile in opened for tile in CHEST)


@pytest.mark.rule("PT-1")
def test_the_bank_is_drawn_beside_hidden_purses() -> None:
    text = table(position(open_chest(doubloons=[5, 6, 0, 1])), 0)
    assert "bank: 28 doubloons" in text
    assert text.count(" ? ") == 3


def test_stones_and_ships_are_drawn() -> None:
    piles = [{"x": 60, "y": 140, "seats": [0, 0, 1]}]
    text = table(position(open_chest(piles=piles)), 0)
    assert "●●★" in text
    ship = table(position(refit_of(["p24"], "p5(port-a1) p7(gun-a1)")), 0)
    assert "═" in ship
    assert "╳" in ship
    assert "port-a1" in ship

"""The table and the actions in the terminal, in every language and width."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from quarterdeck.contract import SPECTATOR
from quarterdeck.games.gezanke.state import ACTIONS, State
from quarterdeck.messages import LANGUAGES

from .helpers import (
    BENCH,
    decode,
    new_game,
    options,
    position,
    random_game,
    state_of,
    text_of,
    to_slide,
)

NAMES = ["Anna", "Bartholomew the Bold", "Cy", "Dora"]


def table(state: State, seat: int, lang: str = "en", width: int = 80) -> str:
    players = int(state.players)
    return BENCH.table(options(players), position(state), seat, NAMES[:players], lang, width)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_action_has_a_label_of_its_own(lang: str) -> None:
    labels = {BENCH.label(text_of(decode(new_game(), n)), lang) for n in range(ACTIONS)}
    assert len(labels) == ACTIONS


@pytest.mark.parametrize(
    ("action", "lang", "shown"),
    [
        ("place grey red:-4", "en", "a grey pirate on red, port 4"),
        ("slide red port", "en", "slide the red plank to port"),
        ("slide blue stay", "de", "die blaue Planke liegen lassen"),
        ("lift green:0", "fr", "soulever le pirate sur verte, la corde"),
        ("set purple:2", "it", "posarlo su viola, tribordo 2"),
        ("set red:0 port", "de", "auf Rot, Tau absetzen und nach Backbord rempeln"),
        ("collect", "en", "collect doubloons"),
        ("rescue black", "en", "black: bring pirates back aboard"),
        ("board white yellow:0 starboard", "en",
         "bring a white pirate aboard on yellow, the rope, pushing to starboard"),
        ("start 1", "en", "start 1"),
    ],
)  # fmt: skip
def test_labels(action: str, lang: str, shown: str) -> None:
    assert BENCH.label(action, lang) == shown


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_too_wide_whatever_lies_there(lang: str, width: int) -> None:
    for index, (state, _, _) in enumerate(random_game(3, seed=2)):
        if index % 60 == 0:
            for seat in (0, 2, SPECTATOR):
                lines = table(state, seat, lang, width).splitlines()
                assert {cell_len(line) for line in lines} == {min(width, 84)}


def test_planks_lie_as_far_out_as_they_are_slid() -> None:
    pirates = {"grey": ["red:4"], "white": ["red:-4"], "black": ["blue:0"]}
    shown = table(state_of(pirates=pirates, offsets={"red": 2, "green": -3}), 0).splitlines()
    red = next(line for line in shown if "W" in line and "G" in line and "~" in line)
    sea, deck = " ~ ", "   "
    assert red.strip("│ ").startswith((sea + sea + sea + sea + sea).strip())
    # to port two spaces of deck lie free; the end of the plank is out at sea
    assert f"{deck} W  1  1  1  ○  1  1  1  G " in red
    green = next(line for line in shown if " 2  1  1  1  ○  1  1  1  2 " in line)
    assert green.index("○") < red.index("○")
    assert any("to starboard" in line for line in shown)


def test_the_crews_their_gold_and_who_is_overboard() -> None:
    pirates = {"grey": ["red:0", None, None], "white": ["red:1"] * 1, "brown": ["blue:0"]}
    shown = table(state_of(3, pirates=pirates, purses=[4, 9, 0]), 1)
    assert "Bartholomew… (you)" in shown
    assert "grey (2 overboard)" in shown
    assert "neutral" in shown
    lines = shown.splitlines()
    assert any("Anna" in line and " ? " in line for line in lines)
    assert any("Bartholomew" in line and " 9 " in line for line in lines)
    assert any("stacks" in line and " 90 " in line for line in lines)


def test_it_says_whose_turn_it_is_and_who_has_won() -> None:
    pirates = {"grey": ["red:0"], "white": ["blue:1"]}
    slide = to_slide("red blue", pirates=pirates)
    assert "Your turn" in table(slide, 0).splitlines()[-1]
    assert "Waiting for Anna" in table(slide, 1).splitlines()[-1]
    assert "Chance decides" in table(state_of(pirates=pirates), 0).splitlines()[-1]
    over = state_of(phase="over", fins=0, pirates=pirates, purses=[1, 0, 0, 0])
    assert "Anna wins" in table(over, 0).splitlines()[-1]
    over = state_of(phase="over", fins=0, pirates=pirates, purses=[1, 0, 1, 0])
    assert "Shared win: Anna, Cy" in table(over, 0).splitlines()[-1]
    assert "Dice:" in table(slide, 0)

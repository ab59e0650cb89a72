"""The table and the actions in the terminal, in every language and width."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from quarterdeck.contract import SPECTATOR
from quarterdeck.games.jolly_roger.state import ACTIONS
from quarterdeck.messages import LANGUAGES

from ..helpers import INTERPRETED
from .helpers import BENCH, CARDS, Position, decode, position, random_game, state_of, text_of

NAMES = ["Anna", "Bartholomew the Bold"]


def table(shown: Position, seat: int, lang: str = "en", width: int = 80) -> str:
    return BENCH.table({"variant": shown["variant"]}, shown, seat, NAMES, lang, width)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_action_has_a_label_of_its_own(lang: str) -> None:
    state = state_of(splitter=0, offer=["g1", "y2", "b3", "r4", "kraken"])
    labels = set()
    for number in range(ACTIONS):
        labels.add(BENCH.label(text_of(decode(state, number)), lang))
    assert len(labels) == ACTIONS


@pytest.mark.parametrize(
    ("action", "lang", "shown"),
    [
        ("split g1,b3/r5,kraken", "en", " ▲ 1   ◆ 3   /   ♥ 5   § Kraken "),
        ("pick 2", "en", "take set 2"),
        ("crew y5 yellow", "en", " ★ yellow 5  face up at the yellow ship"),
        ("crew skeleton red", "de", " † Skelett  offen am roten Schiff"),
        ("parrot r5 green", "de", " ♥ Rot 5  als Papagei am grünen Schiff"),
        ("board b3", "fr", " ◆ 3 bleu  aborde le navire bleu"),
        ("kraken green", "it", " § Kraken  strappa l'ultima carta dalla nave verde"),
        ("kraken none", "en", " § Kraken  without prey"),
        ("tortuga", "fr", " ∩ Tortuga  retourne tous vos perroquets"),
        ("start 1", "en", "start 1"),
    ],
)
def test_labels(action: str, lang: str, shown: str) -> None:
    assert BENCH.label(action, lang) == shown


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_too_wide_whatever_lies_there(lang: str, width: int) -> None:
    for index, (state, _, _) in enumerate(random_game("all-cards", seed=2)):
        if index % (40 if INTERPRETED else 8) == 0:
            for seat in (0, 1, SPECTATOR):
                lines = table(position(state), seat, lang, width).splitlines()
                assert {cell_len(line) for line in lines} == {min(width, 84)}


def test_a_long_crew_flows_over_several_lines() -> None:
    crew = [f"parrot:{card}" for card in CARDS[:20]]
    state = state_of(splitter=0, crews={"red": [crew, []]})
    shown = table(position(state), 1, width=60)
    for card in ("▲ 1", "★ 5", "◆ 4", "♥ 5"):
        assert f"({card})" in shown


def test_ones_own_crew_lies_below_the_ship() -> None:
    crews = {"green": [["g1", "g2"], ["g5", "parrot:r4"]]}
    lying = position(state_of(splitter=0, crews=crews))
    mine, theirs = "    Anna           3  ▲ 1   ▲ 2", "⚑ Bartholomew…   6  ▲ 5  (♥ 4)"
    shown = table(lying, 0)
    assert shown.index(theirs) < shown.index("▲ Green ship (3 gold)") < shown.index(mine)
    shown = table(lying, 1)
    assert shown.index(mine) < shown.index("▲ Green ship (3 gold)") < shown.index(theirs)


@pytest.mark.parametrize(
    ("keys", "seat", "status"),
    [
        ({}, 0, "Chance decides"),
        ({"splitter": 0, "offer": ["g1", "g1", "g1", "g1", "g2"]}, 0, "Your turn"),
        ({"splitter": 0, "sets": [["g1"], ["g1", "g1", "g1", "g2"]]}, 0, "Waiting for Bart"),
        ({"splitter": 0, "hands": [["g1"], []]}, 0, "Your turn"),
        ({"phase": "over", "splitter": 0, "chests": [["g1"], []]}, 0, "Anna wins"),
        ({"phase": "over", "splitter": 0}, 0, "Shared win: Anna, Bart"),
    ],
)
def test_it_says_whose_turn_it_is_and_who_has_won(keys: Position, seat: int, status: str) -> None:
    shown = table(position(state_of(**keys)), seat)
    assert status in shown.splitlines()[-1]

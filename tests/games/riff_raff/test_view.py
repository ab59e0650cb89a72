"""What is told, and what a bot makes of what it sees."""

from __future__ import annotations

from typing import Any

import pytest

from quarterdeck import Match
from quarterdeck.contract import CHANCE, NATURE, SPECTATOR, Rng, record, seed_rng
from quarterdeck.games.riff_raff import bot, fitted, outlook, terminal
from quarterdeck.games.riff_raff.state import State
from quarterdeck.messages import LANGUAGES, Catalogue

from .helpers import BENCH, GAME, KIT, do, new_game, seen_by, state_of, turn


def told(match: Match, actor: int, text: str) -> list[tuple[str, dict[str, Any]]]:
    return [(event.key, event.values) for event in match.events(match.act(actor, text), 0)]


def a_match(**position: Any) -> Match:
    return Match(GAME, {"players": 2}, position=position, seed=1)


@pytest.mark.rule("RR-15", "RR-R3")
def test_what_becomes_of_a_caught_piece_is_said() -> None:
    aboard = {"7": ["crate", "crate"]}
    match = a_match(played=[9, 3], aboard=aboard, hand="rat")
    assert told(match, NATURE, "settle rat=fell caught rat")[0][0] == "caught-own"
    match = a_match(played=[9, 3], aboard=aboard, hand="rat")
    keys = dict(told(match, NATURE, "settle rat=fell caught rat,crate@7"))
    assert keys["caught"]["pieces"] == ["rat", "crate"]
    assert "caught-own" not in keys


def test_a_loading_is_told() -> None:
    match = a_match(played=[9, 3], aboard={"7": ["crate", "crate"]}, hand="rat")
    keys = dict(told(match, NATURE, "settle boat=9 moved crate@7=8 fell crate@7"))
    assert keys["exchanged"]["other"] == "rat"
    assert keys["shifted"] == {"piece": "crate", "area": 7, "to": 8}
    assert keys["lies"] == {"seat": 0, "piece": "boat", "area": 9}
    assert keys["others-fell"] == {"seat": 0, "pieces": ["crate"]}


@pytest.mark.rule("RR-R10")
def test_a_seat_may_remember_what_was_played() -> None:
    match = Match(GAME, {"players": 2, "world": "fitted"}, seed=3)
    rng = record(Rng)
    seed_rng(rng, 5, 0, 0, 0)
    shown: set[int] = set()
    while match.state.round < 4:
        if match.node == CHANCE:
            match.draw()
            continue
        seat = match.seats_to_act[0]
        match.act(seat, match.legal(seat)[0])
        if match.state.phase != 1 and match.state.played[1] > 0:
            shown.add(int(match.state.played[1]))
    known = match.knowledge(0)
    assert {card for card in range(11) if known.memory.played[1][card]} == shown
    world = record(State)
    bot.imagine(KIT, known.seen, known.memory, 0, rng, world)
    assert not shown & set(world.cards[1].tolist())
    assert seen_by(world, 0) == seen_by(match.state, 0)


@pytest.mark.rule("RR-1", "RR-3")
def test_who_only_watches_sees_no_card_that_is_hidden() -> None:
    state = do(state_of(2, captain=0), 1, "card 7")
    seen = seen_by(state, SPECTATOR)
    assert seen["cards"] == [["?"] * 10, ["?"] * 9]
    assert seen["played"] == [None, "?"]
    assert BENCH.glimpse(state, SPECTATOR, 0, "card 4") == "card ?"
    assert BENCH.glimpse(state, 0, 0, "card 4") == "card 4"


def test_statistics_tell_how_many_pieces_a_seat_is_rid_of() -> None:
    supply = [["rat"] * 4, ["boat", "crate", "chest", "chest"]]
    state = turn(9, 3, supply=supply)
    assert outlook.statistics(KIT, state) == {"rid": [0.75, 0.75]}
    held = do(state, 0, "take rat")
    assert outlook.statistics(KIT, held) == {"rid": [0.75, 0.75]}, "what is in the hand is left"
    assert outlook.statistics(KIT, do(held, NATURE, "settle rat=9"))["rid"][0] == 13 / 16
    assert outlook.statistics(KIT, new_game(4)) == {"rid": [0.0] * 4}


def test_a_bot_takes_the_deck_for_hard_pieces_and_yards_for_easy_ones() -> None:
    state = turn(2, 1)
    seen = BENCH.see(state, 0)
    on_deck = bot.choose_piece(KIT, seen, 0, 2)
    on_yard = bot.choose_piece(KIT, seen, 0, 9)
    load, pull = fitted.cargo(seen), fitted.moment(KIT, seen)
    risks = [bot.risk(KIT, seen, 9, shape, load, pull) for shape in (on_yard, on_deck)]
    assert risks[0] <= risks[1]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_terminal_draws_every_phase(lang: str) -> None:
    from rich.console import Console

    say = Catalogue(lang, GAME.folder)
    match = Match(GAME, {"players": 3, "world": "fitted"}, seed=2)
    console = Console(width=84, record=True)
    phases: set[str] = set()
    while not match.is_over:
        phases.add(match.view(0)["phase"])
        console.print(terminal.table(match.view(0), 0, ["Anne", "Barty", "Calico"], say))
        if match.node == CHANCE:
            match.draw()
            continue
        seat = match.seats_to_act[0]
        for action in match.legal(seat):
            assert terminal.label(action, say).plain.strip()
        match.act(seat, match.legal(seat)[-1])
    console.print(terminal.table(match.view(0), 0, ["Anne", "Barty", "Calico"], say))
    assert {"start", "card", "take", "settle"} <= phases
    assert "Riff Raff" in console.export_text()

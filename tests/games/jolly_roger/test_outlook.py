"""What a view adds to the position: sums, and what each play would come to."""

from __future__ import annotations

from typing import Any

import pytest

from quarterdeck import Match
from quarterdeck.contract import SPECTATOR
from quarterdeck.games.jolly_roger.state import State

from .helpers import GAME, SHIPS, playing, position, random_game, state_of

CREWS = {
    "green": [["g2", "parrot:r4"], ["g5"]],
    "yellow": [[], ["y1", "skeleton"]],
    "blue": [["parrot:kraken", "parrot:b3"], ["parrot:y2"]],
}


def view_of(state: State, seat: int) -> dict[str, Any]:
    shown = position(state)
    return Match(GAME, {"variant": shown["variant"]}, position=shown).view(seat)


@pytest.mark.parametrize(("variant", "turns"), [("intro", 8), ("advanced", 8), ("all-cards", 10)])
def test_the_sums_of_the_table(variant: str, turns: int) -> None:
    view = view_of(state_of(variant, splitter=0, chests=[["g5", "r1"], ["b3"]]), SPECTATOR)
    assert view["turns"] == turns
    assert view["worth"] == {"green": 3, "yellow": 5, "blue": 7, "red": 9}
    assert view["treasure"] == [6, 3]
    assert view["outlook"] == {}


def test_a_kraken_takes_the_last_card_of_the_other_crew() -> None:
    outlook = view_of(playing(["kraken"], crews=CREWS), 0)["outlook"]
    assert outlook["kraken green"]["ships"] == {
        "green": {"crews": [["g2", "parrot:r4"], []], "strengths": [3, 0], "captain": 0}
    }
    assert "kraken yellow" not in outlook
    assert outlook["kraken none"]["ships"] == {}


def test_a_tortuga_turns_up_parrots_at_every_ship() -> None:
    outlook = view_of(playing(["tortuga"], crews=CREWS), 0)["outlook"]
    assert outlook["tortuga"]["ships"] == {
        "green": {"crews": [["g2", "r4"], ["g5"]], "strengths": [6, 5], "captain": 0},
        "blue": {
            "crews": [["parrot:kraken", "b3"], ["parrot:y2"]],
            "strengths": [4, 1],
            "captain": 0,
        },
    }


def test_boarding_fills_the_chest() -> None:
    outlook = view_of(playing(["b4"], crews=CREWS), 0)["outlook"]
    assert outlook["board b4"] == {"ships": {}, "treasure": [4, 0]}
    assert outlook["parrot b4 red"]["ships"]["red"]["captain"] == 0


def test_only_the_one_who_plays_gets_an_outlook() -> None:
    state = playing(["b4"], crews=CREWS)
    assert view_of(state, 0)["outlook"]
    assert view_of(state, 1)["outlook"] == view_of(state, SPECTATOR)["outlook"] == {}


@pytest.mark.parametrize("seed", [1, 2])
def test_every_play_comes_to_what_was_foretold(seed: int) -> None:
    seen = set()
    for state, _, _ in random_game("all-cards", seed=seed):
        shown = position(state)
        if shown["phase"] != "play" or shown["turn"] % 4:
            continue
        match = Match(GAME, {"variant": "all-cards"}, position=shown)
        (seat,) = match.seats_to_act
        view, legal = match.view(seat), match.legal(seat)
        assert list(view["outlook"]) == legal
        for text in legal:
            after = Match(GAME, {"variant": "all-cards"}, position=shown)
            after.act(seat, text)
            then, foretold = after.view(seat), view["outlook"][text]
            seen.add(text.split(" ")[0])
            assert foretold["treasure"] == then["treasure"]
            for ship in SHIPS:
                known = foretold["ships"].get(ship, {})
                assert known.get("crews", view["crews"][ship]) == then["crews"][ship]
                assert known.get("strengths", view["strengths"][ship]) == then["strengths"][ship]
                assert known.get("captain", view["captains"][ship]) == then["captains"][ship]
    assert {"crew", "parrot", "board"} <= seen

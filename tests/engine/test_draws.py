"""Draws repeated without the rules: every way of drawing, and what the page has of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quarterdeck.bots.simulate import simulated_records
from quarterdeck.contract import Draw, Game, Pool, Rng, below, draw_seat, record, seed_rng
from quarterdeck.engine import draws as draws_module
from quarterdeck.engine.draws import Repeater, bundled_draws
from quarterdeck.engine.fairness import chance_of
from quarterdeck.games import find_game, games

WEB = Path(__file__).parents[2] / "web" / "src" / "games"


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_what_the_page_has_of_the_draws_is_fresh(game: Game) -> None:
    file = WEB / game.folder.name / "draws.json"
    assert file.read_text("utf-8") == draws_module.text(game), f"{file} is stale: make protocol"


def generator(seed: int) -> Any:
    rng = record(Rng)
    seed_rng(rng, seed, 0, 0, 0)
    return rng


def test_dice_are_put_back() -> None:
    die = Draw((Pool(("1", "2", "3", "4", "5", "6"), count=4, replaced=True),), between=" ")
    repeater = Repeater({"roll": die})
    doubles = 0
    for seed in range(50):
        rng = generator(seed)
        eyes = [str(1 + below(rng, 6)) for _ in range(4)]
        doubles += len(set(eyes)) < 4
        assert repeater.follows(f"roll {' '.join(eyes)}", generator(seed))
        assert repeater.follows(f"roll {' '.join(sorted(eyes))}", generator(seed))
        assert repeater.follows(f"roll {' '.join(eyes[:3])}", generator(seed)) is False
        wrong = [*eyes[:3], str(int(eyes[3]) % 6 + 1)]
        assert repeater.follows(f"roll {' '.join(wrong)}", generator(seed)) is False
    assert doubles > 25


def test_what_was_drawn_is_gone_where_it_is_not_put_back() -> None:
    kept = Draw((Pool(("a", "a", "b"), left=True),))
    repeater = Repeater({"deal": kept, "start": draw_seat(2)})
    assert repeater.pools("deal a") == [["a", "a", "b"]]
    repeater.note("start 1")
    repeater.note("deal a")
    repeater.note("sand")
    assert repeater.pools("deal b") == [["a", "b"]]
    assert repeater.pools("start 0") == [["0", "1"]]
    assert repeater.pools("sand") == []
    assert repeater.follows("deal a,a", generator(1)) is False
    assert repeater.follows("deal a,b", generator(1))
    assert repeater.follows("deal a,b,b", generator(1)) is False  # more than there are


def test_order_counts_where_it_is_said() -> None:
    pool = (Pool(("a", "b", "c"), count=2),)
    for seed in range(20):
        first, second = (
            [one for one in ("a,b", "b,a", "a,c", "c,a", "b,c", "c,b")
             if Repeater({"deal": Draw(pool, ordered=ordered)}).follows(
                 f"deal {one}", generator(seed))]
            for ordered in (True, False)
        )  # fmt: skip
        assert len(first) == 1
        assert sorted(second) == sorted({first[0], first[0][::-1]})


def test_what_is_not_drawn_from_equal_items_cannot_be_repeated_here() -> None:
    assert Repeater({}).follows("settle rat@5", generator(1)) is None


CHOICES: list[tuple[str, dict[str, Any]]] = [
    ("skull-king", {"players": 6}),
    ("jolly-roger", {"variant": "intro"}),
    ("jolly-roger", {"variant": "all-cards"}),
    ("piratoons", {"players": 3}),
    ("gezanke", {"players": 4}),
    ("riff-raff", {"players": 2, "world": "fitted"}),
]


@pytest.mark.parametrize(("id", "options"), CHOICES, ids=str)
def test_whole_games_are_repeated_from_the_page_s_data(id: str, options: dict[str, Any]) -> None:
    game = find_game(id)
    told = next(iter(simulated_records(game, options, 1, 5, ["random"])))
    assert told.fairness is not None
    chance = chance_of(told.fairness)
    case = next(
        case
        for case in bundled_draws(game).cases
        if all(told.options[key] == value for key, value in case.options.items())
    )
    repeater, draws, wrong = Repeater(case.verbs), 0, 0
    for entry in told.log:
        verb = entry.do.partition(" ")[0]
        if entry.by == "nature" and verb in case.verbs:
            assert repeater.follows(entry.do, chance.rng(draws)), entry
            wrong += not repeater.follows(entry.do, chance.rng(draws + 1))
            repeater.note(entry.do)
            draws += 1
    assert draws >= 1
    assert id == "riff-raff" or wrong > draws / 2

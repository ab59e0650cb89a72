"""The compiled rules against the second telling in `reference.py`."""

from __future__ import annotations

import os
import random
from collections import Counter

import numpy as np
import pytest

from quarterdeck.bots.simulate import simulated_records
from quarterdeck.games.piratoons import notation
from quarterdeck.games.piratoons.state import TILES, list_unseen

from . import reference
from .helpers import (
    GAME,
    INTERPRETED,
    KIT,
    final,
    legal,
    outcome,
    position,
    random_game,
    to_act,
)

GAMES = 1 if INTERPRETED else 12
RECORDS = int(os.environ.get("QUARTERDECK_RECORDS", "2" if INTERPRETED else "12"))


@pytest.mark.rule(
    "PT-5", "PT-6", "PT-7", "PT-8", "PT-9", "PT-10", "PT-11", "PT-12", "PT-13", "PT-14", "PT-15",
    "PT-16", "PT-17", "PT-18", "PT-19", "PT-20", "PT-21", "PT-22", "PT-23", "PT-24", "PT-25",
    "PT-26", "PT-27", "PT-28", "PT-29", "PT-30", "PT-31", "PT-32", "PT-33", "PT-34", "PT-R1",
    "PT-R2", "PT-R3",
)  # fmt: skip
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(GAMES))
def test_whole_games_move_by_move(players: int, seed: int) -> None:
    table = reference.Table(players)
    for state, actor, text in random_game(players, seed):
        assert position(state) == table.position()
        assert to_act(state) == table.to_act()
        for seat in range(players):
            texts = legal(state, seat)
            assert len(texts) == len(set(texts))
            if table.phase == "refit" and texts:
                ship = reference.read(texts.pop(0).removeprefix("refit "))
                assert reference.may_be_laid_out(ship, table.owned(seat))
            assert set(texts) == table.legal(seat)
        assert outcome(state) == (table.totals(), table.winners())
        if table.phase == "fill" and table.captain is not None:
            seen = {tile for seat in range(players) for tile in table.owned(seat)}
            left = Counter(set(reference.TILES) - seen - table.floating - table.sunk)
            tiles, names = np.empty(TILES, np.int8), notation.tile_names(KIT)
            count = list_unseen(state, 0, TILES, tiles)
            assert Counter(names[tile] for tile in tiles[:count]) == left
        if text:
            table.do(actor, text)
    assert table.phase == "over"


@pytest.mark.parametrize("bots", [("random",) * 4, ("bosun", "deckhand")], ids="-".join)
def test_simulated_records(bots: tuple[str, ...]) -> None:
    """What a record tells may be done, entry by entry, and ends as it says."""
    for told in simulated_records(GAME, {"players": len(bots)}, RECORDS, 77, bots):
        table = reference.Table(len(bots))
        for entry in told.log:
            if entry.by != "nature" and not entry.do.startswith("refit "):
                assert entry.do in table.legal(entry.by), entry
            table.do(-1 if entry.by == "nature" else entry.by, entry.do)
        assert table.phase == "over"
        assert told.outcome is not None
        assert (told.outcome.scores, told.outcome.winners) == (table.totals(), table.winners())


def test_the_random_games_show_all_there_is() -> None:
    """What the games above are worth: all kinds of actions happen in them, falls and exclusions."""
    if INTERPRETED:
        return
    verbs, seen = Counter[str](), Counter[str]()
    for seed in range(GAMES):
        for state, _, text in random_game(4, seed):
            verbs[text.split(" ")[0] + ("@" if "@" in text else "")] += 1
            told = position(state)
            seen.update(
                fallen=bool(told["fallen"]),
                out=bool(told["out"]),
                barred=bool(told["barred"]),
                astray=any(pile["on"] is None for pile in told["piles"]),
                mixed=any(len(set(pile["seats"])) > 1 for pile in told["piles"]),
                floating=bool(told["floating"]),
            )
    assert {verb for verb in verbs if verbs[verb] >= GAMES} == {
        "start", "fill", "open", "drop", "drop@", "stop", "show", "hide", "sand", "close", "bid",
        "take", "refit", "",
    }  # fmt: skip
    assert min(seen[what] for what in ("fallen", "out", "barred", "astray", "mixed")) > 20


def random_ships(rng: random.Random, players: int) -> list[reference.Ship]:
    """Any share of the tiles, each seat's laid out at random."""
    tiles = list(reference.EQUIPMENT)
    parts = list(reference.PARTS)
    rng.shuffle(tiles)
    rng.shuffle(parts)
    ships = []
    for _ in range(players):
        mine = [parts.pop() for _ in range(rng.randrange(6))]
        on: dict[str, tuple[str, ...]] = dict.fromkeys(mine, ())
        for _ in range(rng.randrange(10)):
            tile = tiles.pop()
            for part in mine:
                if reference.holds(part, (*on[part], tile)):
                    on[part] += (tile,)
                    break
        ships.append([(part, on[part]) for part in mine])
    return ships


@pytest.mark.rule("PT-30", "PT-31", "PT-32", "PT-33", "PT-34", "PT-R2", "PT-R5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_ends(players: int) -> None:
    rng = random.Random(players)
    shared = 0
    for _ in range(10 if INTERPRETED else 400):
        table = reference.Table(players)
        table.phase = "over"
        table.ships = random_ships(rng, players)
        table.doubloons = [rng.randrange(4) for _ in range(players)]
        ships = [reference.written(ship) for ship in table.ships]
        assert outcome(final(*ships, doubloons=table.doubloons)) == (
            table.totals(),
            table.winners(),
        )
        shared += len(table.winners()) > 1
    assert INTERPRETED or shared < 100

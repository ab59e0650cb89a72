"""What is said of the levels' strength."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from quarterdeck.bots import strength
from quarterdeck.bots.levels import LEVELS
from quarterdeck.bots.strength import Strength, keep_strength, strengths
from quarterdeck.games import GAME_IDS, find_game

ORDER = [name for name in LEVELS if name != "random"]


def test_every_level_that_was_measured_is_stronger_than_the_one_below() -> None:
    assert set(strengths()) <= set(GAME_IDS)
    assert len(strengths()) >= 4
    for id, levels in strengths().items():
        players = next(o.values for o in find_game(id).options if o.key == "players")
        for level, shown in levels.items():
            assert shown.against == ORDER[ORDER.index(level) - 1]
            assert shown.seats in players
            assert 1 / shown.seats < shown.wins <= 1


def test_a_match_replaces_what_was_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "strength.json"
    file.write_text('{"gezanke": {"bosun": {"wins": 0.9, "against": "deckhand", "seats": 4}}}')
    monkeypatch.setattr(strength, "_FILE", file)
    keep_strength("gezanke", "bosun", Strength(0.5, "deckhand", 4))
    keep_strength("gezanke", "legend", Strength(0.4, "quartermaster", 4))
    known = msgspec.json.decode(file.read_bytes())
    assert known["gezanke"]["bosun"]["wins"] == 0.5
    assert known["gezanke"]["legend"]["against"] == "quartermaster"
    strengths.cache_clear()

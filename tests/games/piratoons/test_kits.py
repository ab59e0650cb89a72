"""A kit of one's own: whoever owns the box plays with the real tiles."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from quarterdeck.contract import BadOption, BadRecord, Game
from quarterdeck.engine.match import Match, kit_hash
from quarterdeck.games import KITS, find_game, kit_path
from quarterdeck.server.errors import AnotherKit
from quarterdeck.server.protocol import NewTable, SeatPlan
from quarterdeck.server.table import Table

from .helpers import GAME

OWN = (GAME.folder / "kit.toml").read_text("utf-8").replace("bow = 1", "bow = 2")


@pytest.fixture
def kits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An owner's folder with another bow; forgotten afterwards."""
    (tmp_path / "piratoons.toml").write_text(OWN, "utf-8")
    monkeypatch.setenv(KITS, str(tmp_path))
    find_game.cache_clear()
    yield tmp_path
    find_game.cache_clear()


def owners() -> Game:
    return find_game("piratoons")


def test_a_game_with_the_owners_kit_and_its_record(kits: Path) -> None:
    game = owners()
    assert kit_path(game) == kits / "piratoons.toml"
    assert (game.kit.ends.tolist(), GAME.kit.ends.tolist()) == ([2, 1], [1, 1])
    match = Match(game, {"players": 2}, seed=3)
    told = match.record()
    assert told.kit == kit_hash(game) != kit_hash(GAME)
    assert match.view(0)["ends"] == [2, 1]
    assert match.view(0)["scores"] == [-2, -2]  # bow and stern do not fit
    assert Match.from_record(told).hash == match.hash
    with pytest.raises(BadRecord, match="another kit"):
        Match.from_record(told, game=GAME)


def test_other_games_keep_theirs(kits: Path) -> None:
    game = find_game("skull-king")
    assert kit_path(game) == game.folder / "kit.toml"


def test_without_a_folder_there_is_the_house_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KITS, raising=False)
    assert kit_path(GAME) == GAME.folder / "kit.toml"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("piratoons.toml", OWN.replace("stones = 6", "stones = 7"), "stones: 7"),
        ("piratoons.toml", OWN.replace("[1, 4]", "[1, 5]"), "p18"),
        ("piratoons.toml", "parts = [", "piratoons.toml"),
        ("piratons.toml", OWN, "no kit"),
        ("skull-king.toml", OWN, "Skull King"),
    ],
)
def test_what_is_no_kit_is_refused(kits: Path, name: str, text: str, message: str) -> None:
    (kits / name).write_text(text, "utf-8")
    with pytest.raises(BadOption, match=message):
        [find_game(id) for id in ("skull-king", "piratoons")]


def test_a_folder_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KITS, "/nowhere/at/all")
    with pytest.raises(BadOption, match="there is no folder"):
        kit_path(GAME)


def test_a_table_goes_on_only_with_the_kit_it_began_with(kits: Path) -> None:
    request = NewTable("piratoons", (SeatPlan("mine"), SeatPlan("bot")), "Maker")
    table, keys = Table.make("aaaaaaaa", request, 1000)
    table.start([key.seat for key in keys], 1000)
    while table.stage is not None:  # nobody has bound anything
        table.wait_no_longer(table.stage, 1000)
    entries = list(table.pending)
    assert Table.read(entries).playing.hash == table.playing.hash
    (kits / "piratoons.toml").unlink()
    find_game.cache_clear()
    with pytest.raises(AnotherKit):
        Table.read(entries)


def test_the_house_kit_is_a_kit_one_can_copy() -> None:
    game = find_game("piratoons")
    copy = game.notation.load_kit(tomllib.loads((game.folder / "kit.toml").read_text("utf-8")))
    assert copy.tobytes() == game.kit.tobytes()

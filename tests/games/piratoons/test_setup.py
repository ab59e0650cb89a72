"""PT-C1 to PT-5: what is in the box, how a game begins, and how a chest is filled and opened."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from quarterdeck.contract import CHANCE, NATURE, OPEN, SEAT, SPECTATOR, BadOption, record
from quarterdeck.games.piratoons import notation, rules
from quarterdeck.games.piratoons.notation import load_kit
from quarterdeck.games.piratoons.outlook import outlook as outlook_of
from quarterdeck.games.piratoons.state import State

from . import reference
from .helpers import (
    BENCH,
    CHEST,
    GAME,
    KIT,
    do,
    do_all,
    final,
    legal,
    new_game,
    node,
    open_chest,
    outlook,
    position,
    refusal,
    seen_by,
    state_of,
    to_act,
)

FILL = f"fill {','.join(CHEST)}"


def kit_data() -> dict[str, Any]:
    return tomllib.loads((GAME.folder / "kit.toml").read_text("utf-8"))


@pytest.mark.rule("PT-C1")
def test_48_tiles_of_equipment() -> None:
    equipment, _ = notation.draws(KIT, {"players": 4})["fill"].pools
    assert len(equipment.items) == 48
    kinds = Counter(name.partition("-")[0] for name in equipment.items)
    assert kinds == {"deck": 9, "gun": 9, "port": 9, "quart": 9, "sail": 12}
    designs = Counter(name[:-1] for name in equipment.items if not name.startswith("sail"))
    assert len(designs) == 12
    assert set(designs.values()) == {3}


@pytest.mark.rule("PT-C2")
def test_24_parts_as_in_the_ledger() -> None:
    assert Counter(KIT.storeys.tolist()) == {1: 4, 2: 6, 3: 7, 4: 7}
    told = outlook(new_game(), 0)["parts"]
    assert list(told) == list(reference.PARTS)
    for name, part in reference.PARTS.items():
        assert told[name]["storeys"] == part.storeys
        assert told[name]["edges"] == [part.left, part.right]
        assert Counter(told[name]["fields"]) == part.fields
        assert told[name]["mast"] == part.sails
        assert told[name]["barrels"] == 1
    assert KIT.ends.tolist() == [1, 1]


@pytest.mark.rule("PT-C3", "PT-1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_stones_and_doubloons(players: int) -> None:
    told = position(new_game(players))
    assert told["doubloons"] == [3] * players
    assert told["bank"] == 40 - 3 * players
    assert told["ships"] == ["-"] * players
    assert outlook(new_game(players), 0)["supply"] == [6] * players
    assert GAME.options[0].values == (2, 3, 4)
    assert refusal(open_chest(), 1, "drop 7 p1") == "PT-C3"
    assert refusal(open_chest(), 1, "drop 0 p1") == "PT-C3"


@pytest.mark.rule("PT-1")
def test_doubloons_are_hidden_unless_shown() -> None:
    state = open_chest(3, doubloons=[5, 6, 7])
    assert seen_by(state, 0)["doubloons"] == [5, "?", "?"]
    assert seen_by(state, SPECTATOR)["doubloons"] == ["?", "?", "?"]
    state = do(state, 2, "show")
    assert seen_by(state, 0)["doubloons"] == [5, "?", 7]
    assert position(state)["shown"] == [2]
    assert refusal(state, 2, "show") == "PT-1"
    assert "hide" in legal(state, 2)
    state = do(state, 2, "hide")
    assert seen_by(state, 0)["doubloons"] == [5, "?", "?"]
    assert refusal(state, 2, "hide") == "PT-1"


@pytest.mark.rule("PT-1")
def test_doubloons_are_shown_and_hidden_whenever_their_owner_may_act() -> None:
    closed = state_of(phase="plunder", chest=CHEST)
    auction = state_of(phase="auction", chest=CHEST)
    take = state_of(phase="take", chest=CHEST, bids=[0, 2, 1, 0])
    refit = state_of(phase="refit", won=[["p1"], ["p5"], [], []])
    for state, may in (
        (closed, [0]),
        (open_chest(out=[2], piles=[{"x": 60, "y": 140, "seats": [0]}]), [0, 1, 3]),
        (do(auction, 2, "bid 1"), [0, 1, 3]),
        (take, [1]),
        (do(refit, 0, "refit p1"), [1]),
        (state_of(round=2), []),
        (final("-", "-", "-", "-"), []),
    ):
        assert to_act(state) == may
        for seat in range(4):
            assert legal(state, seat)[-1:] == (["show"] if seat in may else [])
            if seat not in may:
                over = position(state)["phase"] == "over"
                assert refusal(state, seat, "show") == ("PT-29" if over else "PT-1")
                continue
            shown = do(state, seat, "show")
            assert (node(shown), to_act(shown)) == (node(state), may)
            assert legal(shown, seat) == [*legal(state, seat)[:-1], "hide"]
            assert position(shown) == position(state) | {"shown": [seat]}
            assert do(shown, seat, "hide").tobytes() == state.tobytes()


@pytest.mark.rule("PT-2")
def test_the_stacks_are_emptied_in_eight_rounds() -> None:
    equipment, parts = notation.draws(KIT, {"players": 2})["fill"].pools
    assert (len(equipment.items), len(parts.items)) == (8 * 6, 8 * 3)
    last = state_of(2, round=8, phase="fill")
    tiles = BENCH.sampled(last, 1).removeprefix("fill ").split(",")
    assert set(tiles[:6]) < set(equipment.items)
    assert set(tiles[6:]) < set(parts.items)
    state = do(last, NATURE, f"fill {','.join(tiles)}")
    assert position(state)["phase"] == "plunder"
    assert sorted(tiles) == sorted(BENCH.sampled(last, 2).removeprefix("fill ").split(","))


@pytest.mark.rule("PT-2")
def test_a_tile_comes_out_of_the_stacks_once() -> None:
    state = state_of(2, floating=["deck-a1"], round=2)
    assert refusal(state, NATURE, FILL) == "PT-2"
    twice = FILL.replace("gun-a1", "deck-a1")
    assert refusal(state_of(2), NATURE, twice) == "PT-2"


@pytest.mark.rule("PT-3")
def test_chance_names_the_first_captain() -> None:
    state = new_game(3)
    assert node(state) == CHANCE
    assert position(state)["captain"] is None
    assert {BENCH.sampled(state, seed) for seed in range(60)} == {"start 0", "start 1", "start 2"}
    assert refusal(state, NATURE, "start 3") == "PT-3"
    assert refusal(state, 0, "start 0") == "PT-3"
    assert refusal(state, NATURE, FILL) == "PT-4"
    state = do(state, NATURE, "start 2")
    assert position(state)["captain"] == 2
    assert refusal(state, NATURE, "start 1") == "PT-3"


@pytest.mark.rule("PT-3")
def test_the_office_passes_clockwise_every_round() -> None:
    state = state_of(3, phase="refit", captain=2, won=[["p1"], [], []])
    state = do(state, 0, "refit p1")
    told = position(state)
    assert (told["phase"], told["round"], told["captain"]) == ("fill", 2, 0)


@pytest.mark.rule("PT-4")
def test_the_chest_has_six_of_equipment_and_three_parts() -> None:
    state = state_of(2)
    assert refusal(state, NATURE, FILL.replace("p1,", "sail-9,")) == "PT-4"
    assert refusal(state, NATURE, FILL.replace("deck-a1", "p9")) == "PT-4"
    assert refusal(state, 0, FILL) == "PT-4"
    state = do(state, NATURE, FILL)
    assert position(state)["chest"] == CHEST
    assert refusal(state, NATURE, FILL) == "PT-4"


@pytest.mark.rule("PT-4", "PT-5")
def test_nobody_sees_the_tiles_before_the_chest_opens() -> None:
    state = do(state_of(2, captain=1), NATURE, FILL)
    for seat in (0, 1, SPECTATOR):
        assert seen_by(state, seat)["chest"] == ["?"] * 9
    assert (node(state), to_act(state)) == (SEAT, [1])
    assert refusal(state, 0, "open") == "PT-5"
    assert refusal(state, 0, "drop 1 p1") == "PT-5"
    assert refusal(state, 0, "drop 1 @60,140") == "PT-5"
    assert refusal(state, 0, "stop") == "PT-6"
    state = do(state, 1, "open")
    assert (node(state), to_act(state)) == (OPEN, [0, 1])
    for seat in (0, 1, SPECTATOR):
        assert seen_by(state, seat)["chest"] == CHEST
    assert refusal(state, 1, "open") == "PT-5"


@pytest.mark.rule("PT-5")
def test_everybody_may_place_at_once_in_any_order() -> None:
    one = do_all(open_chest(), (3, "drop 1 p1"), (0, "drop 2 sail-1"), (1, "drop 1 p5"))
    other = do_all(open_chest(), (1, "drop 1 p5"), (3, "drop 1 p1"), (0, "drop 2 sail-1"))
    assert outlook(one, 0)["loot"] == outlook(other, 0)["loot"]


# An owner's kit ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("parts"),
        lambda data: data["parts"].pop(),
        lambda data: data["parts"][3].update(storeys=5),
        lambda data: data["parts"][3].update(hull=["mast"]),
        lambda data: data["parts"][3].update(hull=["deck"]),
        lambda data: data["parts"][3].update(edges=[1, 5]),
        lambda data: data["parts"][3].update(edges=[1]),
        lambda data: data["parts"][3].update(mast=4),
        lambda data: data["add-ons"].update(deck=[3, 3]),
        lambda data: data["add-ons"].update(gun=[10]),
        lambda data: data.update(stones=7),
        lambda data: data.update(doubloons=41),
        lambda data: data.update(purse=11),
        lambda data: data.update(bow=0),
        lambda data: data.update(stern="1"),
        lambda data: data["chest"]["fields"].pop(),
        lambda data: data["chest"]["fields"].__setitem__(0, [17, 20, 31, 40]),
        lambda data: data["chest"]["fields"].__setitem__(0, [262, 20, 40, 40]),
        lambda data: data["chest"]["fields"].__setitem__(1, [50, 20, 40, 40]),
    ],
)
def test_what_is_no_kit_is_refused(change: Callable[[dict[str, Any]], Any]) -> None:
    data = kit_data()
    load_kit(data)
    change(data)
    with pytest.raises(BadOption):
        load_kit(data)


@pytest.mark.rule("PT-C1", "PT-C2")
def test_a_kit_with_other_tiles() -> None:
    """Other designs, other masts, more barrels: all of it is data."""
    data = kit_data()
    data["add-ons"]["deck"] = [1, 2, 2, 4]
    data["parts"][0].update(mast=0, barrels=2)
    kit = load_kit(data)
    state = record(State)
    rules.new(kit, GAME.option_numbers(GAME.fill_options({})), state)
    rules.apply(kit, state, NATURE, notation.parse(kit, "start 0"))
    equipment, _ = notation.draws(kit, {"players": 4})["fill"].pools
    decks = [name for name in equipment.items if name.startswith("deck")]
    assert decks[0] == "deck-a1"
    assert decks[-4:] == ["deck-d1", "deck-d2", "deck-d3", "deck-d4"]
    part = outlook_of(kit, state).parts["p2"]
    assert (part.mast, part.barrels) == (0, 2)

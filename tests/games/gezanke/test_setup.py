"""What is in the box, who has which pirates, and how they come aboard."""

from __future__ import annotations

import tomllib
from collections import Counter

import pytest

from quarterdeck.contract import CHANCE, NATURE, SEAT
from quarterdeck.games.gezanke import notation

from .helpers import (
    COLOURS,
    GAME,
    KIT,
    PLANKS,
    PLAYERS,
    SPACES,
    do,
    do_all,
    keys,
    laid,
    legal,
    new_game,
    node,
    outlook,
    position,
    random_game,
    refusal,
    sampled,
    state_of,
    to_act,
    told,
)

LAY = "lay " + " ".join(f"{plank}/front" for plank in PLANKS)


def rows(plank: str) -> list[str]:
    """The doubloons of a plank, front and back."""
    return ["".join(map(str, side)) for side in KIT.doubloons[PLANKS.index(plank)]]


@pytest.mark.rule("GP-C1")
def test_six_planks_of_nine_spaces_and_three_have_two_sides() -> None:
    assert {plank: rows(plank) for plank in PLANKS} == {
        "yellow": ["221101122"] * 2,
        "green": ["211101112"] * 2,
        "orange": ["211000112"] * 2,
        "red": ["211101112", "222100112"],
        "blue": ["211000112", "211001222"],
        "purple": ["221101122", "210000012"],
    }
    for plank in PLANKS:
        for row in rows(plank):
            assert row[4] == "0"  # the rope
            assert row[0] == row[8] == "2"  # most at the ends, above the sea


@pytest.mark.rule("GP-C1")
def test_the_measures_of_the_house_kit() -> None:
    kit = tomllib.loads((GAME.folder / "kit.toml").read_text())
    assert kit["plank"] == {"length": 180, "width": 28, "thickness": 3, "weight": 12.1, "space": 20}
    assert kit["pirate"] == {"width": 17, "height": 36, "weight": 6.0}
    assert kit["ship"] == {
        "half_width": 72, "weight": 150, "rocker_radius": 80, "mass_depth": 60, "deck_depth": 30,
        "roll_stop": [1, 5],
    }  # fmt: skip
    # as the ledger has them: w = 121 + 60n, H = 1815 + 12600n, B = 900000 + ...
    assert (KIT.plank_weight, KIT.pirate_weight, KIT.space, KIT.edge) == (121, 60, 200, 720)
    assert KIT.plank_weight * KIT.plank_height == 1815
    assert KIT.pirate_weight * KIT.pirate_height == 12600
    assert (KIT.keel, KIT.deck, KIT.stop.tolist()) == (900_000, 300, [1, 5])


@pytest.mark.rule("GP-C1")
def test_a_kit_of_other_planks_is_refused() -> None:
    kit = tomllib.loads((GAME.folder / "kit.toml").read_text())
    for change in ({"planks": list(PLANKS[::-1])}, {"pirates": ["red"] * 4}):
        doubloons = {"doubloons": kit["doubloons"]}
        with pytest.raises(ValueError, match="another game"):
            notation.load_kit(kit | doubloons | change)


@pytest.mark.rule("GP-C2")
def test_twelve_pirates_a_pile_of_103_and_seven_fins() -> None:
    kit = tomllib.loads((GAME.folder / "kit.toml").read_text())
    assert (kit["ones"], kit["twos"]) == (27, 38)
    assert (KIT.pile, KIT.fins) == (27 + 2 * 38, 7)
    for state, _, text in random_game(4, seed=5):
        if text.startswith("roll"):
            assert {
                colour: len(position(state)["pirates"][colour]) for colour in COLOURS
            } == dict.fromkeys(COLOURS, 3)
            assert position(state)["fins"] == 7
            assert outlook(state)["pile"] == 103
            break


@pytest.mark.rule("GP-1", "GP-R10")
def test_chance_lays_the_planks_in_any_order_either_side_up() -> None:
    state = do(new_game(), NATURE, "start 0")
    assert node(state) == CHANCE
    orders: Counter[tuple[int, str]] = Counter()
    sides: Counter[str] = Counter()
    for seed in range(600):
        words = sampled(state, seed).split(" ")[1:]
        orders.update((lane, word.split("/")[0]) for lane, word in enumerate(words))
        sides.update(words)
    assert len(orders) == 36
    assert all(60 < count < 140 for count in orders.values())  # each 100 on average
    assert len(sides) == 12
    assert all(230 < count < 370 for count in sides.values())  # each 300


@pytest.mark.rule("GP-1")
def test_planks_lie_in_the_middle_each_once() -> None:
    state = do(new_game(), NATURE, "start 0")
    lay = "lay red/front blue/back purple/back yellow/front green/front orange/back"
    planks = position(do(state, NATURE, lay))["planks"]
    assert [(plank["name"], plank["side"], plank["offset"]) for plank in planks] == [
        ("red", "front", 0), ("blue", "back", 0), ("purple", "back", 0), ("yellow", "front", 0),
        ("green", "front", 0), ("orange", "back", 0),
    ]  # fmt: skip
    assert outlook(do(state, NATURE, lay))["doubloons"][1] == [2, 1, 1, 0, 0, 1, 2, 2, 2]
    twice = "lay red/front red/back purple/back yellow/front green/front orange/back"
    assert refusal(state, NATURE, twice) == "GP-1"
    assert refusal(new_game(), NATURE, LAY) == "GP-3"
    assert refusal(state, 0, "place grey red:0") == "GP-1"
    assert refusal(state, NATURE, "start 0") == "GP-1"


@pytest.mark.rule("GP-3")
def test_chance_names_who_starts() -> None:
    for players in PLAYERS:
        state = new_game(players)
        assert node(state) == CHANCE
        counts = Counter(sampled(state, seed) for seed in range(100 * players))
        assert set(counts) == {f"start {seat}" for seat in range(players)}
        assert all(60 < count < 150 for count in counts.values())
        assert refusal(state, NATURE, f"start {players}") == "GP-3"


@pytest.mark.rule("GP-2", "GP-R10")
@pytest.mark.parametrize(
    ("players", "owners"),
    [
        (2, {"grey": 0, "white": 1, "black": 0, "brown": 1}),
        (3, {"grey": 0, "white": 1, "black": 2, "brown": None}),
        (4, {"grey": 0, "white": 1, "black": 2, "brown": 3}),
    ],
)
def test_who_has_which_colour(players: int, owners: dict[str, int | None]) -> None:
    assert outlook(new_game(players))["owners"] == owners
    state = laid(players)
    for seat in range(players):
        for colour, owner in owners.items():
            text = f"place {colour} red:0"
            if seat == 0 and players != 3:
                assert refusal(state, 0, text) == (None if owner == 0 else "GP-2")


@pytest.mark.rule("GP-2", "GP-3")
@pytest.mark.parametrize("start", [0, 2])
def test_four_players_place_in_turn_until_all_twelve_stand(start: int) -> None:
    state = laid(4, start)
    for index in range(12):
        seat = (start + index) % 4
        assert (node(state), to_act(state)) == (SEAT, [seat])
        assert refusal(state, (seat + 1) % 4, "place grey blue:4") == "GP-3"
        assert len(legal(state, seat)) == 54 - index
        state = do(state, seat, f"place {COLOURS[seat]} {SPACES[index]}")
    assert (position(state)["phase"], position(state)["active"]) == ("roll", start)


@pytest.mark.rule("GP-2", "GP-3")
def test_two_players_alternate_with_colours_in_any_order() -> None:
    state = laid(2, start=1)
    order = ["white", "grey", "white", "grey", "white", "black", "brown", "grey", "brown", "black"]
    for index, colour in enumerate(order):
        assert to_act(state) == [(1 + index) % 2]
        state = do(state, (1 + index) % 2, f"place {colour} {SPACES[index]}")
    assert refusal(state, 1, "place white red:0") == "GP-2"  # all three white ones stand
    assert len(legal(state, 1)) == 44
    state = do_all(state, (1, "place brown red:0"), (0, "place black red:1"))
    assert position(state)["phase"] == "roll"


@pytest.mark.rule("GP-2", "GP-3")
def test_three_players_first_place_a_neutral_pirate_each() -> None:
    state = laid(3, start=2)
    for index, seat in enumerate((2, 0, 1)):
        assert to_act(state) == [seat]
        own = COLOURS[seat]
        assert refusal(state, seat, f"place {own} red:0") == "GP-3"
        assert {text.split(" ")[1] for text in legal(state, seat)} == {"brown"}
        state = do(state, seat, f"place brown {SPACES[index]}")
    for index, seat in enumerate((2, 0, 1) * 3):
        assert to_act(state) == [seat]
        assert refusal(state, seat, "place brown red:0") == "GP-3"
        state = do(state, seat, f"place {COLOURS[seat]} {SPACES[9 + index]}")
    assert position(state)["phase"] == "roll"


@pytest.mark.rule("GP-3", "GP-4")
def test_pirates_are_placed_on_free_spaces_only() -> None:
    state = do(laid(), 0, "place grey red:3")
    assert refusal(state, 1, "place white red:3") == "GP-3"
    assert "place white red:3" not in legal(state, 1)
    assert position(state)["pirates"]["grey"] == ["red:3", None, None]
    assert told(laid(), 0, "place grey red:3") == [
        ("placed", {"seat": 0, "colour": "grey", "space": "red:3"})
    ]


@pytest.mark.rule("GP-3")
def test_the_set_up_ends_with_the_last_pirate() -> None:
    state = laid(4)
    for index in range(11):
        state = do(state, index % 4, f"place {COLOURS[index % 4]} {SPACES[index]}")
    assert keys(state, 3, "place brown red:0") == ["placed", "all-aboard"]


@pytest.mark.rule("GP-4", "GP-8")
def test_never_two_on_a_space_and_nobody_off_the_planks() -> None:
    for players in PLAYERS:
        for state, _, _ in random_game(players, seed=3):
            found = [
                space
                for places in position(state)["pirates"].values()
                for space in places
                if space not in (None, "hand")
            ]
            assert len(found) == len(set(found))
            assert set(found) <= set(SPACES)


@pytest.mark.rule("GP-R8")
def test_at_the_set_up_nothing_can_topple() -> None:
    """Not even with everybody on the same side, as far out as there is room."""
    for side in ("4", "-4"):
        for players in PLAYERS:
            spaces = [f"{plank}:{side}" for plank in PLANKS]
            spaces += [f"{plank}:{int(side) - (1 if side == '4' else -1)}" for plank in PLANKS]
            state = laid(players)
            for space in spaces:
                (seat,) = to_act(state)
                text = next(t for t in legal(state, seat) if t.endswith(f" {space}"))
                assert not [key for key in keys(state, seat, text) if key.startswith("toppled")]
                state = do(state, seat, text)
            assert min(outlook(state)["margins"]) > 0
    crowd = (
        ["red:4", "red:3", "red:2"],
        ["red:1", "red:0", "red:-1"],
        ["red:-2", "red:-3", "red:-4"],
    )
    pirates = dict(zip(COLOURS, [*crowd, ["blue:4", "blue:3", "blue:2"]], strict=True))
    assert min(outlook(state_of(pirates=pirates))["margins"]) > 0


@pytest.mark.rule("GP-3")
def test_somebody_who_does_not_sit_there_does_nothing() -> None:
    for actor in (-2, 4, 7, 100):
        assert refusal(laid(), actor, "place grey red:0") == "GP-3"
    assert legal(laid(), 7) == []

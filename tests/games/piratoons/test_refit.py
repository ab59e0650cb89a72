"""PT-24 to PT-28, PT-R4: what is built in where, and what goes overboard."""

from __future__ import annotations

from typing import Any

import pytest

from quarterdeck import Match
from quarterdeck.contract import SEALED, BadNotation, IllegalAction
from quarterdeck.games.piratoons import notation, outlook
from quarterdeck.games.piratoons.state import State

from .helpers import (
    GAME,
    KIT,
    do,
    do_all,
    legal,
    node,
    position,
    refit_of,
    refusal,
    seen_by,
    state_of,
    to_act,
)


@pytest.mark.rule("PT-24")
def test_every_part_is_built_in_anywhere() -> None:
    state = refit_of(["p5", "p24"], "p1")
    for order in ("p1 p5 p24", "p24 p1 p5", "p5 p24 p1"):
        assert refusal(state, 0, f"refit {order}") is None
    assert refusal(state, 0, "refit p1 p5") == "PT-24"
    assert refusal(state, 0, "refit -") == "PT-24"
    assert refusal(state, 0, "refit p1 p5 p24 p2") == "PT-24"
    assert position(do(state, 0, "refit p24 p1 p5"))["ships"][0] == "p24 p1 p5"


@pytest.mark.rule("PT-24")
def test_nothing_that_is_not_ones_own() -> None:
    state = refit_of(["p5", "port-a1"])
    assert refusal(state, 0, "refit p5(port-a2)") == "PT-24"
    assert refusal(state, 0, "refit p5(deck-c3,port-a1)") == "PT-24"


@pytest.mark.rule("PT-25")
@pytest.mark.parametrize(
    ("tile", "part", "is_fine"),
    [
        ("deck-a1", "p1", True), ("deck-a1", "p18", True), ("port-a1", "p5", True),
        ("port-a1", "p7", False), ("gun-a1", "p7", True), ("gun-a1", "p5", False),
        ("quart-a1", "p9", True), ("quart-a1", "p1", False), ("sail-1", "p1", True),
        ("sail-1", "p11", True),
    ],
)  # fmt: skip
def test_add_ons_go_on_a_field_of_their_kind(tile: str, part: str, is_fine: bool) -> None:
    state = refit_of([tile, part])
    assert refusal(state, 0, f"refit {part}({tile})") == (None if is_fine else "PT-25")


@pytest.mark.rule("PT-25")
def test_a_field_takes_one() -> None:
    state = refit_of(["p5", "port-a1", "port-a2", "deck-a1", "deck-b1"])
    assert refusal(state, 0, "refit p5(port-a1,port-a2)") == "PT-25"
    assert refusal(state, 0, "refit p5(deck-a1,deck-b1)") == "PT-25"
    assert refusal(state, 0, "refit p5(deck-b1,port-a2)") is None
    two = refit_of(["p14", "port-a1", "port-a2"])
    assert refusal(two, 0, "refit p14(port-a1,port-a2)") is None


@pytest.mark.rule("PT-25")
def test_a_mast_takes_sails_or_one_deck_tile() -> None:
    state = refit_of(["p1", "deck-a1", "sail-1"])
    assert refusal(state, 0, "refit p1(deck-a1,sail-1)") == "PT-25"
    assert refusal(state, 0, "refit p1(sail-1)") is None
    assert refusal(state, 0, "refit p1(deck-a1)") is None


@pytest.mark.rule("PT-26")
@pytest.mark.parametrize(("part", "most"), [("p1", 3), ("p5", 2), ("p11", 1), ("p18", 0)])
def test_how_many_sails_a_mast_carries(part: str, most: int) -> None:
    sails = [f"sail-{n}" for n in range(1, 5)]
    state = refit_of([part, *sails])
    for count in range(1, 5):
        refused = refusal(state, 0, f"refit {part}({','.join(sails[:count])})")
        expected = None if count == most else "PT-26" if count > most else "PT-R4"
        assert refused == expected
    if most == 0:
        assert refusal(state, 0, f"refit {part}") is None


@pytest.mark.rule("PT-27")
def test_what_fits_nowhere_goes_overboard_and_floats() -> None:
    state = refit_of(["p7", "port-a1", "quart-a1"])
    assert legal(state, 0) == ["refit p7", "show"]
    told = position(do(state, 0, "refit p7"))
    assert {"port-a1", "quart-a1"} <= set(told["floating"])
    assert told["won"][0] == []


@pytest.mark.rule("PT-27")
def test_equipment_without_a_ship() -> None:
    state = refit_of(["port-a1"])
    assert legal(state, 0) == ["refit -", "show"]
    told = position(do(state, 0, "refit -"))
    assert "port-a1" in told["floating"]
    assert told["ships"][0] == "-"


@pytest.mark.rule("PT-28")
def test_everything_may_be_rearranged_or_replaced() -> None:
    state = refit_of(["p1", "deck-a1"], "p5(deck-b1,port-a1) p7")
    state = do(state, 0, "refit p7(deck-b1) p1(deck-a1) p5(port-a1)")
    assert position(state)["ships"][0] == "p7(deck-b1) p1(deck-a1) p5(port-a1)"
    state = refit_of(["port-b1"], "p5(port-a1)")
    told = position(do(state, 0, "refit p5(port-b1)"))
    assert told["ships"][0] == "p5(port-b1)"
    assert "port-a1" in told["floating"]


@pytest.mark.rule("PT-R4")
def test_equipment_with_a_place_is_not_left_out() -> None:
    state = refit_of(["p1", "p5", "port-a1", "sail-1"])
    assert refusal(state, 0, "refit p1 p5(port-a1)") == "PT-R4"
    assert refusal(state, 0, "refit p1(sail-1) p5") == "PT-R4"
    assert refusal(state, 0, "refit p1(sail-1) p5(port-a1)") is None


@pytest.mark.rule("PT-R4")
def test_all_declare_at_once_and_nothing_shows_before() -> None:
    state = state_of(3, phase="refit", won=[["p1"], ["p5"], []])
    assert (node(state), to_act(state)) == (SEALED, [0, 1])  # seat 2 has nothing to lay out
    state = do(state, 1, "refit p5")
    assert refusal(state, 1, "refit p5") == "PT-R4"
    assert position(state)["refits"] == [None, "p5", None]
    assert position(state)["ships"] == ["-", "-", "-"]
    assert seen_by(state, 0)["refits"] == [None, "?", None]
    state = do(state, 0, "refit p1")
    assert position(state)["ships"] == ["p1", "p5", "-"]
    assert position(state)["phase"] == "fill"


@pytest.mark.rule("PT-R4")
def test_no_tiles_no_refit() -> None:
    chest = ["deck-a1", "gun-a1", "port-a1", "quart-a1", "sail-1", "sail-2", "p1", "p5", "p11"]
    state = state_of(2, phase="auction", chest=chest)
    state = do_all(state, (0, "bid 0"), (1, "bid 0"))
    told = position(state)
    assert (told["phase"], told["round"], told["captain"]) == ("fill", 2, 1)


@pytest.mark.rule("PT-R4")
def test_auto_is_written_to_the_log_as_the_layout_it_found() -> None:
    start = position(refit_of(["p1", "sail-1", "sail-2"], "p5(port-a1)"))
    match = Match(GAME, {"players": 2}, position=start)
    best, _ = match.legal(0)
    match.act(0, "refit auto")
    assert match.log[-1].do == best == "refit p1(sail-1) p5(port-a1,sail-2)"
    with pytest.raises(IllegalAction):
        match.act(1, "refit auto")


@pytest.mark.rule("PT-R4")
def test_auto_in_an_old_log_is_the_same() -> None:
    state = refit_of(["p1", "sail-1", "sail-2"], "p5(port-a1)")
    assert do(state, 0, "refit auto").tobytes() == do(state, 0, legal(state, 0)[0]).tobytes()


@pytest.mark.rule("PT-R4")
def test_points_before_sails() -> None:
    """A deck tile that makes three alike is kept rather than a sail, where only one has room."""
    state = refit_of(["deck-a3", "sail-1"], "p18(deck-a1) p19(deck-a2) p11")
    assert legal(state, 0)[0] == "refit p11(deck-a1) p18(deck-a2) p19(deck-a3)"
    state = refit_of(["deck-b3", "sail-1"], "p18(deck-a1) p11")
    assert "p11(sail-1)" in legal(state, 0)[0]


# Previews ------------------------------------------------------------------------------------


def preview(state: State, text: str, seat: int = 0) -> Any:
    return outlook.preview(KIT, state, seat, notation.parse(KIT, text))


def test_a_preview_tells_what_a_layout_would_come_to() -> None:
    state = refit_of(["p1", "p7", "port-b1", "sail-1"], "p5(port-a1)")
    told = preview(state, "refit p5(port-a1) p7 p1(sail-1)")
    assert told["layout"] == "p5(port-a1) p7 p1(sail-1)"
    assert told["refused"] is None
    assert told["connections"] == [True, True, False, True]
    assert (told["sails"], told["barrels"]) == (1, 3)
    assert told["empty"] == {"deck": 2, "quart": 0, "gun": 1, "port": 0, "all": 3}
    assert told["points"] == {"connections": 4, "sets": 0}
    assert told["overboard"] == ["port-b1"]
    assert told["places"] == {"port-a1": [], "port-b1": [], "sail-1": ["p5", "p7"]}


def test_a_preview_of_what_is_refused() -> None:
    state = refit_of(["p1", "p7", "sail-1"])
    told = preview(state, "refit p7 p1")
    assert told["refused"] == "PT-R4"
    assert told["places"] == {"sail-1": ["p1", "p7"]}
    told = preview(state, "refit p1(sail-1)")
    assert told["refused"] == "PT-24"
    assert told["connections"] == [True, True]
    told = preview(state, "refit p9 p7(sail-1,sail-2) p1")
    assert (told["refused"], told["layout"]) == ("PT-24", "p7(sail-1) p1")


def test_there_is_nothing_to_preview_elsewhere() -> None:
    start = position(refit_of(["p1"], "-"))
    match = Match(GAME, {"players": 2}, position=start)
    assert match.preview(0, "refit auto")["layout"] == "p1"
    with pytest.raises(IllegalAction):
        match.preview(0, "bid 1")
    with pytest.raises(IllegalAction):
        match.preview(1, "refit p1")
    with pytest.raises(BadNotation):
        match.preview(0, "refit p99")
    assert len(match.log) == 0

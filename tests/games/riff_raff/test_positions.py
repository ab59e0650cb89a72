"""Positions: every reachable state comes back, and what cannot occur is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from quarterdeck.contract import BadPosition
from quarterdeck.games.riff_raff.positions import INVARIANTS

from .helpers import PLAYERS, SHAPES, position, random_game, state_of, turn

RAT: dict[str, Any] = {
    "id": 24, "piece": "rat", "area": 3, "at": [0.01, 0.0, 0.03], "turn": [1.0, 0.0, 0.0, 0.0]
}  # fmt: skip
POSES: dict[str, Any] = {"ship": [0.01, -0.02], "pieces": [RAT]}


@pytest.mark.parametrize("players", PLAYERS)
def test_every_position_comes_back(players: int) -> None:
    for state, _, _ in random_game(players, 77):
        back = state_of(players, world="fitted", **position(state))
        assert back.tobytes() == state.tobytes()


@pytest.mark.parametrize(
    ("given", "phase"),
    [
        ({}, "start"),
        ({"captain": 1}, "card"),
        ({"captain": 1, "played": [3, None]}, "card"),
        ({"captain": 1, "played": [3, 3]}, "captain"),
        ({"played": [3, 4]}, "take"),
        ({"played": [3, 4], "hand": "rat"}, "settle"),
        ({"played": [7, 4], "aboard": {"7": ["rat"]}}, "announce"),
        ({"played": [7, 4], "aboard": {"7": ["rat"]}, "announced": 2}, "take"),
    ],
)
def test_what_a_position_leaves_out_follows(given: dict[str, Any], phase: str) -> None:
    assert position(state_of(2, **given))["phase"] == phase


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"supply": [["rat"] * 5, ["boat"]]}, "RR-C2"),
        ({"aboard": {"11": ["rat"]}}, "RR-C1"),
        ({"aboard": {"1": ["cat"]}}, "RR-C2"),
        ({"captain": 0, "played": [11, None]}, "RR-C2"),
        ({"captain": 0, "cards": [[1, 1], [1, 2]]}, "RR-C2"),
        ({"captain": 0, "cards": [[1, 2, 3], [1, 2]]}, "RR-3"),
        ({"captain": 0, "cards": [[1, 2, 3], [1, 2, 3]], "round": 2}, "RR-6"),
        ({"played": [3, 4], "last": [1, 2]}, "RR-6"),
        ({"played": [3, 4], "captain": 0, "active": 0}, "RR-4"),
        ({"played": [3, 4], "order": [0, 1]}, "RR-5"),
        ({"played": [3, 3]}, "RR-4"),
        ({"phase": "order", "played": [3, 4]}, "RR-5"),
        ({"phase": "captain", "played": [3, 4], "captain": 0}, "RR-4"),
        ({"phase": "card"}, "RR-2"),
        ({"phase": "take", "captain": 0}, "RR-3"),
        ({"played": [3, 4], "announced": 2}, "RR-R7"),
        ({"played": [7, 4], "aboard": {"7": ["rat"]}, "phase": "take", "announced": None}, "RR-9"),
        ({"played": [7, 4], "aboard": {"7": ["rat"]}, "announced": 1, "loaded": 1}, "RR-9"),
        ({"played": [3, 4], "phase": "settle"}, "RR-8"),
        ({"captain": 0, "supply": [[], ["rat"]]}, "RR-17"),
        ({"played": [3, 4], "phase": "over"}, "RR-18"),
        ({"played": [3, 4], "poses": {"ship": [0, 0], "pieces": [RAT]}}, "RR-R8"),
    ],
)  # fmt: skip
def test_positions_that_cannot_be_are_refused(given: dict[str, Any], rule: str) -> None:
    with pytest.raises(BadPosition) as caught:
        state_of(2, **given)
    assert caught.value.rule == rule


@pytest.mark.parametrize(
    "given",
    [
        {"players": 3}, {"wind": 1}, {"round": "1"}, {"phase": "sail"}, {"captain": 5},
        {"supply": {}}, {"aboard": []}, {"cards": [[1]]}, {"captain": True},
        {"played": [3, 4], "poses": []}, {"aboard": {"1": "rat"}},
    ],
)  # fmt: skip
def test_nonsense_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(BadPosition):
        state_of(2, **given)


def test_orders_of_equals_have_to_be_given() -> None:
    with pytest.raises(BadPosition, match="order"):
        state_of(3, played=[9, 4, 4], phase="take")
    state = turn(9, 4, 4, order=[0, 2, 1], active=2)
    assert position(state)["active"] == 2


# What holds in every state -------------------------------------------------------------------

FIVE = [1, 2, 3, 4, 5]
SIXTH: dict[str, Any] = {"round": 6, "captain": 0, "cards": [FIVE, FIVE], "last": [8, 7]}
SECOND: dict[str, Any] = {
    "played": [7, 4], "aboard": {"7": ["rat"], "2": ["boat"]}, "announced": 2, "loaded": 1
}  # fmt: skip
DONE = {"phase": "over", "played": [3, 4], "supply": [["rat"], []], "aboard": {"4": ["boat"]}}
LAST = {"round": 20, "cards": [[], []], "played": [3, 4], "phase": "over"}

CAN_OCCUR: list[dict[str, Any]] = [
    SIXTH,
    SIXTH | {"captain": 1, "last": [8, 8]},
    SIXTH | {"cards": [FIVE, FIVE[1:]], "played": [None, 1]},
    {"round": 11, "captain": 1},
    SECOND,
    SECOND | {"hand": "crate"},
    SECOND | {"supply": [["crate"], ["crate"]]},
    DONE,
    LAST,
    LAST | {"supply": [["rat"], []]},
    DONE | {"aboard": {}},
    {"aboard": {"3": ["rat"]}, "captain": 0, "poses": POSES},
]

CANNOT_OCCUR: list[tuple[str, int, dict[str, Any]]] = [
    # 32 pieces with three players
    ("there are only so many pieces", 3, {"captain": 0, "supply": [
        list(SHAPES), list(SHAPES), [*SHAPES, "rat"]]}),
    ("there are only so many pieces", 3, {"captain": 0, "aboard": {"1": list(SHAPES)},
                                         "supply": [list(SHAPES)] * 3}),
    ("there are only so many pieces", 2, {"captain": 0, "aboard": {"1": ["rat"] * 257}}),
    ("there are only so many pieces", 2, {"captain": 0, "aboard": {"1": ["rat"] * 5}}),
    ("the first captain is drawn", 2, {"phase": "card"}),
    ("the first captain is drawn", 2, {"phase": "start", "captain": 0}),
    ("nobody has a card again", 2, SIXTH | {"last": [5, 7], "captain": 1}),
    ("nobody has a card again", 2, SIXTH | {"cards": [FIVE, FIVE[1:]], "played": [None, 7]}),
    ("everybody has played as often", 2, SIXTH | {"cards": [FIVE, FIVE[1:]]}),
    ("each round costs a card", 2, SIXTH | {"round": 5}),
    ("cards are chosen, then all", 2, {"phase": "card", "captain": 1, "played": [3, 4]}),
    ("cards are chosen, then all", 2, {"phase": "settle", "captain": 0, "hand": "rat"}),
    ("a seat's last card", 2, {**SIXTH, "last": [None, None]}),
    ("a seat's last card", 2, {key: SIXTH[key] for key in SIXTH if key != "last"}),
    ("a seat's last card", 2, SIXTH | {"last": [8, None]}),
    ("a seat's last card", 2, SIXTH | {
        "cards": [[1, 2, 4, 5], [1, 2, 3, 5]], "played": [3, 4], "captain": 1}),
    ("nothing has happened before", 2, {"phase": "start", "aboard": {"1": ["rat"]}}),
    ("the captain in office decides", 2, {"phase": "captain", "captain": 0, "played": [3, 4]}),
    ("the captain has the highest", 2, {"captain": 0, "played": [3, 4], "active": 0}),
    ("the captain has the highest", 2, SIXTH | {"captain": 1}),
    ("the new captain decides", 3, {"phase": "order", "played": [3, 4, 5]}),
    ("the captain goes first", 2, {"played": [3, 4], "order": [0, 1]}),
    ("the captain goes first", 2, {"captain": 0, "order": [0, 1]}),
    ("the captain goes first", 3, {"played": [9, 4, 3], "order": [0, 2, 1]}),
    ("somebody is active in a turn", 2, {"captain": 0, "active": 0}),
    ("somebody is active in a turn", 2, DONE | {"active": 0}),
    ("a piece is in the hand", 2, {"phase": "take", "played": [3, 4], "hand": "rat"}),
    ("a piece is in the hand", 2, {"phase": "settle", "played": [3, 4]}),
    ("who has no piece left", 2, {"captain": 0, "supply": [[], ["rat"]]}),
    ("who has no piece left", 2, {"played": [3, 4], "supply": [[], ["rat"]], "hand": "rat"}),
    # two seats at zero
    ("who has no piece left", 2, DONE | {"supply": [[], []]}),
    ("one says one or two", 2, SECOND | {"announced": 1}),
    ("one says one or two", 2, SECOND | {"announced": None, "phase": "take"}),
    ("one says one or two", 2, SECOND | {"announced": None, "loaded": 0, "phase": "take"}),
    ("one says one or two", 2, DONE | {"announced": 1}),
    ("one says one or two", 2, DONE | {"loaded": 1}),
    ("one or two is asked on a laden", 2, {"played": [3, 4], "announced": 2}),
    ("one or two is asked on a laden", 2, {"played": [7, 4], "phase": "announce"}),
    ("one or two is asked on a laden", 2, SECOND | {
        "loaded": 0, "supply": [["crate"], ["crate"]]}),
    # loaded 1 with an empty area
    ("the first of two pieces", 2, SECOND | {"aboard": {"5": ["rat"], "2": ["boat"]}}),
    ("the first of two pieces", 2, SECOND | {"aboard": {"7": ["rat"]}}),
    ("the first of two pieces", 2, SECOND | {"played": [4, 3], "aboard": {"4": ["rat", "boat"]}}),
    ("a last piece lies where", 2, DONE | {
        "supply": [[*SHAPES, *SHAPES], []], "aboard": {"1": list(SHAPES), "2": list(SHAPES[1:])}}),
    ("it ends when somebody", 2, DONE | {"supply": [["rat"], ["boat"]]}),
]  # fmt: skip


@pytest.mark.parametrize("given", CAN_OCCUR)
def test_what_can_occur_is_accepted(given: dict[str, Any]) -> None:
    state = state_of(2, **given)
    assert state_of(2, **position(state)).tobytes() == state.tobytes()


@pytest.mark.parametrize(("says", "players", "given"), CANNOT_OCCUR)
def test_each_invariant_refuses(says: str, players: int, given: dict[str, Any]) -> None:
    (invariant,) = [each for each in INVARIANTS if each.says.startswith(says)]
    with pytest.raises(BadPosition) as caught:
        state_of(players, **given)
    assert (caught.value.rule, caught.value.message) == (invariant.rule, invariant.says)


def test_no_invariant_is_without_a_test() -> None:
    for invariant in INVARIANTS:
        assert any(invariant.says.startswith(says) for says, _, _ in CANNOT_OCCUR)


@pytest.mark.parametrize(
    "poses",
    [
        {"pieces": [RAT]},
        {"ship": [0, 0]},
        POSES | {"sea": 1},
        POSES | {"ship": [0]},
        POSES | {"ship": [0, "0"]},
        POSES | {"ship": [0, 1]},
        POSES | {"ship": [0, float("nan")]},
        POSES | {"ship": [0, True]},
        POSES | {"pieces": {}},
        POSES | {"pieces": []},
        POSES | {"pieces": [RAT, RAT]},
        POSES | {"pieces": [RAT] * 257},
        POSES | {"pieces": ["rat"]},
        *[POSES | {"pieces": [{k: v for k, v in RAT.items() if k != key}]} for key in RAT],
        *[POSES | {"pieces": [RAT | {key: None}]} for key in RAT],
        *[POSES | {"pieces": [RAT | {"id": id}]} for id in (23, 28, 24.0, "24", 10**30, True)],
        *[POSES | {"pieces": [RAT | {"area": area}]} for area in (0, 2, 11, 3.0, "3", 10**30)],
        POSES | {"pieces": [RAT | {"piece": "cat"}]},
        POSES | {"pieces": [RAT | {"piece": ["rat"]}]},
        POSES | {"pieces": [RAT | {"at": [0, 0]}]},
        POSES | {"pieces": [RAT | {"at": [0, 0, 1e300]}]},
        POSES | {"pieces": [RAT | {"at": [0, 0, 10**400]}]},
        POSES | {"pieces": [RAT | {"turn": [1, 0, 0]}]},
        POSES | {"pieces": [RAT | {"turn": [0, 0, 0, 0]}]},
        POSES | {"pieces": [RAT | {"turn": [1, 1, 0, 0]}]},
    ],
)
def test_poses_are_those_of_what_is_aboard(poses: object) -> None:
    assert state_of(2, captain=0, aboard={"3": ["rat"]}, poses=POSES)
    with pytest.raises(BadPosition) as caught:
        state_of(2, captain=0, aboard={"3": ["rat"]}, poses=poses)
    assert len(caught.value.message) < 300


@pytest.mark.parametrize("junk", [34.0, True, 10**30, -1, "1", "\u0663", [1], {"a": [[]]}])
@pytest.mark.parametrize(
    "keys",
    [
        lambda junk: {"round": junk},
        lambda junk: {"played": [3, 4], "order": [junk, 0]},
        lambda junk: {"played": [3, 4], "order": [[junk], 0]},
        lambda junk: {"played": [3, 4], "order": ["1", "0"], "active": junk},
        lambda junk: {"played": [3, junk]},
        lambda junk: {"played": [3, 4], "last": [junk, 4]},
        lambda junk: {"captain": 0, "cards": [[junk], [1]]},
        lambda junk: {"captain": 0, "supply": [[junk], ["rat"]]},
        lambda junk: {"captain": 0, "supply": [["rat"] * 100_000 + [junk], ["rat"]]},
        lambda junk: {"captain": 0, "aboard": {"1": [junk]}},
        lambda junk: {"captain": 0, "aboard": {str(junk): "rat"}},
        lambda junk: {"played": [3, 4], "hand": junk},
        lambda junk: {"played": [3, 4], "loaded": [junk]},
        lambda junk: {"played": [3, 4], "announced": [junk]},
        lambda junk: {"captain": 0, "poses": junk},
    ],
)
def test_junk_is_refused_in_a_sentence(
    keys: Callable[[object], dict[str, Any]], junk: object
) -> None:
    with pytest.raises(BadPosition) as caught:
        state_of(2, **keys(junk))
    assert len(caught.value.message) < 300

"""`Match`: what it says, what it refuses, and that what is past stays as it was."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from quarterdeck import Match, find_game
from quarterdeck.contract import (
    CHANCE,
    LIVE,
    NATURE,
    OPEN,
    OVER,
    SEALED,
    SEAT,
    SPECTATOR,
    BadNotation,
    BadOption,
    BadPosition,
    IllegalAction,
    NoSuchSeat,
    NotYourTurn,
    QuarterdeckError,
    Range,
    Template,
)
from quarterdeck.engine.fairness import SeededChance
from quarterdeck.engine.record import Entry, GameRecord

from ..toys.plank_race import GAME as TOY

SKULL_KING = find_game("skull-king")

# Seat 0 leads; seat 2 holds a black card and has to follow black
PLAYING = {
    "hand": 3,
    "leader": 0,
    "hands": [["k7", "escape", "mary"], ["y2", "r9", "pirate"], ["k1", "b5", "king"]],
    "bids": [1, 0, 2],
}


def skull_king(**given: Any) -> Match:
    return Match(SKULL_KING, {"players": 3}, **given)


def playing() -> Match:
    return skull_king(position=PLAYING)


def snapshot(match: Match) -> tuple[Any, ...]:
    """Everything a refusal must leave alone."""
    return (
        match.hash,
        match.state.tobytes(),
        match.decision,
        match.position(),
        [(entry.by, entry.do) for entry in match.log],
        [match.knowledge(seat).memory.tobytes() for seat in range(match.players)],
    )


# Who acts, and which decision is open --------------------------------------------------------


def test_a_game_from_its_beginning() -> None:
    match = skull_king(seed=5)
    assert (match.node, match.to_act, match.decision) == (CHANCE, "nature", 0)
    assert match.position()["phase"] == "start"
    assert not match.is_over
    match.draw()
    assert match.position()["phase"] == "deal"
    match.draw_chance()
    assert (match.node, match.to_act, match.decision) == (SEALED, [0, 1, 2], 2)
    assert [entry.by for entry in match.log] == ["nature", "nature"]
    assert match.outcome.winners == []


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_sealed_choices_answer_one_decision_in_any_order(order: tuple[int, ...]) -> None:
    match = skull_king(seed=5)
    match.draw_chance()
    decision = match.decision
    for place, seat in enumerate(order):
        assert match.decision == decision
        assert match.to_act == sorted(order[place:])
        match.act(seat, f"bid {seat % 2}")
    assert match.decision == decision + 3
    assert match.node == SEAT
    assert match.position()["bids"] == [0, 1, 0]
    expected = skull_king(seed=5)
    expected.draw_chance()
    for seat in range(3):
        expected.act(seat, f"bid {seat % 2}")
    assert match.hash == expected.hash


def test_every_turn_of_one_seat_is_a_decision_of_its_own() -> None:
    match = playing()
    for number, (seat, text) in enumerate([(0, "play k7"), (1, "play y2"), (2, "play k1")]):
        assert match.decision == number
        match.act(seat, text)
    assert match.decision == 3


def test_an_open_phase_is_one_decision_until_the_clock_ends_it() -> None:
    match = toy_in_race()
    decision = match.decision
    assert (match.node, match.to_act) == (OPEN, [0, 1])
    for seat in (1, 0, 1):
        match.act(seat, "step")
        assert match.decision == decision
    assert match.to_act == [0]
    match.act(NATURE, "sand", at=30_000)
    assert match.decision == decision + 4
    assert (match.node, match.to_act) == (SEAT, [1])


def toy_in_race() -> Match:
    match = Match(TOY, seed=3)
    match.draw()
    for seat in (0, 1):
        match.act(seat, "wager 2")
    return match


def test_a_toy_through_every_kind_of_node() -> None:
    match = Match(TOY, {"players": 2}, seed=3)
    kinds = [match.node]
    match.draw()
    kinds.append(match.node)
    match.act(1, "wager 2")
    match.act(0, "wager 0")
    kinds.append(match.node)
    match.act(1, "step")
    match.act(1, "step")
    match.act(NATURE, "sand")
    kinds.append(match.node)
    assert match.composites(0) == ()
    water = (Range("x", 0, 9), Range("y", 0, 9))
    assert match.composites(1) == (Template("drop @{x},{y}", water),)
    assert match.legal(1) == ["pass"]
    match.act(1, "drop @4,7")
    kinds.append(match.node)
    to_act = match.to_act
    assert to_act == "nature"

    world = TOY.open_world(match.state, {})
    assert world.seat == 1
    assert world.advance(900) is None
    for _ in range(3):
        world.gesture({"kick": True}, 950)
    assert world.advance(900) is None
    assert world.frame() == b"\x07\x03"
    answer = world.advance(100)
    assert answer is not None
    text, attached = answer
    match.act(NATURE, text, attached=attached)
    kinds.append(match.node)
    assert kinds == [CHANCE, SEALED, OPEN, SEAT, LIVE, OVER]
    assert match.log[-1].attached == {"depth": 0}
    purses = match.position()["purses"]
    assert match.outcome.scores == [purses[0] + 5, purses[1] + 8]
    assert match.to_act == []


# What a seat may see -------------------------------------------------------------------------


def test_views_hide_hands_and_sealed_bids() -> None:
    match = skull_king(position={**PLAYING, "bids": [None, 0, None]})
    assert match.view(0)["hands"] == [["k7", "escape", "mary"], ["?"] * 3, ["?"] * 3]
    assert match.view(0)["bids"] == [None, "?", None]
    assert match.view(1)["bids"] == [None, 0, None]
    watching = match.view(SPECTATOR)
    assert watching["hands"] == [["?"] * 3] * 3
    assert watching["to_act"] == [0, 2]
    assert match.legal(SPECTATOR) == []
    assert match.legal(1) == []
    assert match.legal(0) == ["bid 0", "bid 1", "bid 2", "bid 3"]


def test_a_view_shows_no_score_that_is_still_secret() -> None:
    """A view is computed from what the seat sees, the scores in it too."""
    match = Match(TOY, seed=3)
    match.draw()
    for seat in (0, 1, SPECTATOR):
        view = match.view(seat)
        assert view["scores"] == [0, 0]
        shown = [purse for purse in view["purses"] if purse != "?"]
        assert shown == ([] if seat == SPECTATOR else [match.position()["purses"][seat]])


def test_events_tell_each_seat_its_own() -> None:
    match = playing()
    step = match.act(0, "play k7")
    told = match.events(step, SPECTATOR)
    assert [(event.key, event.values) for event in told] == [
        ("card-played", {"seat": 0, "card": "k7"})
    ]
    match.act(1, "play y2")
    keys = [event.key for event in match.events(match.act(2, "play king"), 1)]
    assert keys == ["card-played", "trick-won"]


def test_knowledge_is_the_same_asked_often_or_once() -> None:
    asked, once = skull_king(seed=9), skull_king(seed=9)
    for match in (asked, once):
        match.draw_chance()
        while match.position()["hand"] < 4:
            if match.to_act == "nature":
                match.draw()
                continue
            seat = match.seats_to_act[0]
            match.act(seat, match.legal(seat)[-1])
            if match is asked:
                match.knowledge(seat)
    for seat in range(3):
        ours, theirs = asked.knowledge(seat), once.knowledge(seat)
        assert ours.memory.tobytes() == theirs.memory.tobytes()
        assert ours.seen.tobytes() == theirs.seen.tobytes()


# States that are handed out ------------------------------------------------------------------


def test_states_are_read_only_and_stay_as_they_were() -> None:
    match = playing()
    states = [match.state]
    copies = [match.state.tobytes()]
    for seat, text in [(0, "play k7"), (1, "play y2"), (2, "play k1"), (0, "play escape")]:
        step = match.act(seat, text)
        assert step.before is states[-1]
        assert step.after is match.state
        states.append(match.state)
        copies.append(match.state.tobytes())
    assert [state.tobytes() for state in states] == copies
    for state in states:
        with pytest.raises(ValueError, match="read-only"):
            state.hand = 4
        with pytest.raises(ValueError, match="read-only"):
            state.bids[0] = 4


def test_what_is_seen_and_known_are_copies() -> None:
    match = playing()
    before = snapshot(match)
    match.seen(0).hands[:] = 0
    match.knowledge(0).memory.played[:] = 1
    match.knowledge(0).seen.hands[:] = 0
    assert snapshot(match) == before


def test_records_given_and_taken_stay_as_they_were() -> None:
    match = skull_king(seed=1)
    match.act(NATURE, "start 1")
    taken = match.record()
    match.act(NATURE, "deal king/y1/b3")
    assert [entry.do for entry in taken.log] == ["start 1"]
    given = GameRecord(
        1, "skull-king", {"players": 2}, [Entry("nature", "deal r2,r1/b2,b1")],
        position={"dealer": 0, "hand": 2},
    )  # fmt: skip
    Match.from_record(given).act(0, "bid 1")
    assert [entry.do for entry in given.log] == ["deal r2,r1/b2,b1"]


def test_an_action_is_kept_in_its_canonical_text() -> None:
    match = skull_king(position={"dealer": 0, "hand": 2})
    match.act(NATURE, "deal king,y1/b3,b2/escape,k13")
    assert match.log[-1].do == "deal y1,king/b2,b3/k13,escape"


# What is refused changes nothing -------------------------------------------------------------

REFUSED = [
    # out of turn
    (1, "play y2", NotYourTurn, "SK-4"),
    (2, "play k1", NotYourTurn, "SK-4"),
    (0, "bid 1", IllegalAction, "SK-R4"),
    (1, "bid 1", NotYourTurn, "SK-R4"),
    # not nature's moment, nor a seat's
    (NATURE, "start 1", NotYourTurn, "SK-R1"),
    (NATURE, "deal y1/y2/y3", NotYourTurn, "SK-1"),
    (NATURE, "play k7", NotYourTurn, "SK-R1"),
    (0, "start 0", IllegalAction, "SK-R1"),
    (0, "deal y1/y2/y3", IllegalAction, "SK-R1"),
    # not possible
    (0, "play mary", IllegalAction, "SK-17"),
    (0, "play y2", IllegalAction, "SK-1"),
    (0, "play king", IllegalAction, "SK-1"),
    (0, "bid 11", IllegalAction, "SK-R4"),
    # no action at all
    (0, "play k14", BadNotation, None),
    (0, "play K7", BadNotation, None),
    (0, "play  k7", BadNotation, None),
    (0, "play k7 ", BadNotation, None),
    (0, "play", BadNotation, None),
    (0, "bid -1", BadNotation, None),
    (0, "bid 100", BadNotation, None),
    (0, "bid 1.5", BadNotation, None),
    (0, "bid ٣", BadNotation, None),
    (0, "", BadNotation, None),
    (0, "\x00\xff", BadNotation, None),
    (0, "play " + "k" * 100_000, BadNotation, None),
    (0, "surrender", BadNotation, None),
    (NATURE, "deal " + "/".join(["y1"] * 7), BadNotation, None),
    (NATURE, "deal " + ",".join(["y1"] * 11), BadNotation, None),
    # nobody there
    (3, "play k7", NoSuchSeat, None),
    (99, "play k7", NoSuchSeat, None),
]


@pytest.mark.parametrize(
    ("actor", "text", "error", "rule"), REFUSED, ids=lambda value: str(value)[:20]
)
def test_a_refusal_names_its_rule_and_changes_nothing(
    actor: int, text: str, error: type[QuarterdeckError], rule: str | None
) -> None:
    match = playing()
    before = snapshot(match)
    with pytest.raises(error) as caught:
        match.act(actor, text)
    assert type(caught.value) is error
    assert caught.value.rule == rule
    assert caught.value.as_json()["error"] == error.code
    assert snapshot(match) == before
    match.act(0, "play k7")  # and the game goes on


def test_following_suit_is_refused_with_its_rule() -> None:
    match = playing()
    match.act(0, "play k7")
    match.act(1, "play r9")
    before = snapshot(match)
    with pytest.raises(IllegalAction, match=r"'play b5' by seat 2: .*suit.*\(SK-5\)") as caught:
        match.act(2, "play b5")
    assert caught.value.rule == "SK-5"
    assert snapshot(match) == before


@pytest.mark.parametrize(
    ("deal", "rule"),
    [
        ("deal y1/y1/y2", "SK-C1"),
        ("deal king/king/y2", "SK-C1"),
        ("deal mary:pirate/y1/y2", "SK-C1"),
        ("deal y1/y2", "SK-1"),
        ("deal y1/y2/y3/y4", "SK-1"),
        ("deal y1,y4/y2/y3", "SK-1"),
        ("start 0", "SK-R1"),
    ],
)
def test_an_impossible_deal_is_refused(deal: str, rule: str) -> None:
    match = skull_king()
    match.act(NATURE, "start 2")
    before = snapshot(match)
    with pytest.raises(IllegalAction) as caught:
        match.act(NATURE, deal)
    assert caught.value.rule == rule
    assert snapshot(match) == before


def test_six_pirates_are_too_many() -> None:
    match = Match(SKULL_KING, {"players": 2}, position={"dealer": 0, "hand": 6})
    before = snapshot(match)
    with pytest.raises(IllegalAction) as caught:
        match.act(NATURE, "deal " + ",".join(["pirate"] * 6) + "/y1,y2,y3,y4,y5,y6")
    assert caught.value.rule == "SK-C1"
    assert snapshot(match) == before
    with pytest.raises(BadPosition) as bad:
        Match(
            SKULL_KING,
            {"players": 2},
            position={"hand": 6, "dealer": 0, "hands": [["pirate"] * 6, ["y1"] * 6]},
        )
    assert bad.value.rule == "SK-C1"


def test_a_sealed_bid_is_final() -> None:
    match = skull_king(seed=2)
    match.draw_chance()
    match.act(1, "bid 1")
    before = snapshot(match)
    for text in ("bid 0", "bid 1"):
        with pytest.raises(NotYourTurn) as caught:
            match.act(1, text)
        assert caught.value.rule == "SK-R4"
    assert snapshot(match) == before


def test_chance_draws_only_when_it_is_due() -> None:
    match = playing()
    before = snapshot(match)
    with pytest.raises(NotYourTurn):
        match.draw()
    assert snapshot(match) == before
    match.draw_chance()
    assert snapshot(match) == before


def test_nothing_happens_after_the_end() -> None:
    match = Match(TOY, seed=1)
    match.draw()
    for seat, text in [(0, "wager 0"), (1, "wager 1"), (NATURE, "sand"), (0, "pass")]:
        match.act(seat, text)
    assert match.is_over
    before = snapshot(match)
    for actor, text in [(0, "pass"), (1, "step"), (NATURE, "sand"), (NATURE, "settle sank")]:
        with pytest.raises(NotYourTurn) as caught:
            match.act(actor, text)
        assert caught.value.rule == "PR-6"
    assert snapshot(match) == before


@pytest.mark.parametrize(
    ("actor", "text", "error", "rule"),
    [
        (0, "drop @3,3", NotYourTurn, "PR-3"),
        (0, "wager 1", IllegalAction, "PR-3"),
        (NATURE, "settle sank", IllegalAction, "PR-3"),
        (0, "sand", IllegalAction, "PR-3"),
        (0, "drop @3", BadNotation, None),
        (0, "drop @-1,3", BadNotation, None),
    ],
)
def test_refusals_in_an_open_phase(
    actor: int, text: str, error: type[QuarterdeckError], rule: str | None
) -> None:
    match = toy_in_race()
    if error is NotYourTurn:
        match.act(0, "step")
        match.act(0, "step")
    before = snapshot(match)
    with pytest.raises(error) as caught:
        match.act(actor, text)
    assert (type(caught.value), caught.value.rule) == (error, rule)
    assert snapshot(match) == before


# Beginnings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{"players": 1}, {"players": 7}, {"players": "4"}, {"players": 4.0}, {"players": True},
     {"players": None}, {"players": [4]}, {"speed": 1}],
    ids=str,
)  # fmt: skip
def test_options_a_game_does_not_take(options: dict[str, Any]) -> None:
    with pytest.raises(BadOption):
        Match(SKULL_KING, options)


def test_options_left_out_have_their_default() -> None:
    assert Match(SKULL_KING).options == {"players": 4}
    assert Match(SKULL_KING).players == 4


def test_the_same_seed_begins_the_same_game() -> None:
    one, same, other = (skull_king(chance=SeededChance(seed)) for seed in (1, 1, 2))
    for match in (one, same, other):
        match.draw_chance()
    assert one.hash == same.hash
    assert one.hash != other.hash
    assert skull_king().chance.proof() != skull_king().chance.proof()


def test_the_hash_tells_states_and_games_apart() -> None:
    match = playing()
    hashes = {match.hash}
    for seat, text in [(0, "play mary:pirate"), (1, "play r9"), (2, "play k1")]:
        match.act(seat, text)
        hashes.add(match.hash)
    other = playing()
    other.act(0, "play mary:escape")
    hashes.add(other.hash)
    assert len(hashes) == 5
    assert Match(TOY, seed=0).hash != Match(TOY, {"players": 3}, seed=0).hash


def test_a_position_is_read_back_from_what_was_written() -> None:
    match = playing()
    match.act(0, "play k7")
    written = match.position()
    extra = {"game", "to_act", "winners"}
    keys = {key: value for key, value in written.items() if key not in extra}
    assert skull_king(position=keys).hash == match.hash
    assert written["to_act"] == [1]
    assert np.array_equal(written["scores"], [0, 0, 0])

"""What a seat is told: events of every kind, and what its memory keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from quarterdeck import Match
from quarterdeck.contract import CHANCE, NATURE, OPEN, SPECTATOR, Rng, below, record, seed_rng
from quarterdeck.engine.match import Step
from quarterdeck.messages import LANGUAGES, Catalogue

from .helpers import CHEST, GAME, INTERPRETED, composed, position, sampled, state_of


def match_at(players: int = 2, **given: Any) -> Match:
    return Match(GAME, {"players": players}, position=position(state_of(players, **given)))


def plundering(players: int = 2, **given: Any) -> Match:
    return match_at(players, **{"phase": "plunder", "chest": CHEST, "opened": True} | given)


def told(match: Match, actor: int, text: str, seat: int = 0) -> list[tuple[str, dict[str, Any]]]:
    return [(event.key, event.values) for event in match.events(match.act(actor, text), seat)]


def test_drops_are_told_with_their_place() -> None:
    match = plundering()
    where = {"seat": 0, "count": 2, "x": 60, "y": 140}
    assert told(match, 0, "drop 2 p1") == [("dropped", where | {"tile": "p1"})]
    joined = told(match, 1, "drop 1 @66,140")
    assert joined == [("dropped", {"seat": 1, "count": 1, "x": 60, "y": 140, "tile": "p1"})]
    assert told(match, 1, "drop 1 @5,5") == [
        ("dropped-astray", {"seat": 1, "count": 1, "x": 5, "y": 5})
    ]
    assert told(match, 1, "drop 1 @15,5") == [
        ("toppled", {"seat": 1, "count": 1}),
        ("dropped-astray", {"seat": 1, "count": 1, "x": 15, "y": 5}),
    ]
    assert told(match, 1, "drop 2 @70,140")[0] == ("clumsy", {"seat": 1, "count": 2})


@pytest.mark.rule("PT-13", "PT-16")
def test_the_loot_is_told_tile_by_tile() -> None:
    match = plundering()
    match.act(0, "drop 2 p1")
    match.act(1, "drop 2 p5")
    match.act(NATURE, "sand")
    events = told(match, 1, "stop")
    assert events[0] == ("stopped", {"seat": 1})
    assert events[1:3] == [
        ("paid", {"seat": 0, "doubloons": 4}),
        ("paid", {"seat": 1, "doubloons": 4}),
    ]
    assert ("tile-won", {"tile": "p1", "field": 7, "stones": [2, 0], "seat": 0}) in events
    assert ("tile-left", {"tile": "p11", "field": 9, "stones": [0, 0]}) in events
    assert len(events) == 3 + 9


@pytest.mark.rule("PT-14", "PT-R1")
def test_a_short_bank_is_told() -> None:
    match = plundering(doubloons=[15, 14])
    match.act(NATURE, "sand")
    keys = [key for key, _ in told(match, 1, "stop")]
    assert keys[:4] == ["stopped", "halved", "paid", "paid"]
    match = plundering(4, doubloons=[0, 1, 0, 39], captain=2)
    match.act(NATURE, "sand")
    events = told(match, 1, "stop")
    assert [key for key, _ in events[:3]] == ["stopped", "halved", "bank-empty"]
    assert events[2][1] == {"seat": 2}


@pytest.mark.rule("PT-1")
def test_the_bank_lies_open_whoever_hides_doubloons() -> None:
    """Whoever can subtract may: of two, each knows what the other has."""
    for given in (
        {"phase": "plunder", "chest": CHEST},
        {"phase": "plunder", "chest": CHEST, "opened": True},
        {"phase": "auction", "chest": CHEST},
        {"phase": "take", "chest": CHEST, "bids": [2, 1]},
        {"phase": "refit", "won": [["p1"], []]},
        {"phase": "fill", "round": 2},
    ):
        match = match_at(doubloons=[5, 7], **given)
        for seat, purses in ((0, [5, "?"]), (1, ["?", 7]), (SPECTATOR, ["?", "?"])):
            assert match.view(seat)["bank"] == 28
            assert match.view(seat)["doubloons"] == purses


@pytest.mark.rule("PT-1")
def test_showing_doubloons_leaves_the_decision_open() -> None:
    """A bid or a layout that others are about to seal cannot come too late by it."""
    for given in (
        {"phase": "plunder", "chest": CHEST},
        {"phase": "auction", "chest": CHEST},
        {"phase": "take", "chest": CHEST, "bids": [2, 1]},
        {"phase": "refit", "won": [["p1"], ["p5"]]},
        {"phase": "refit", "won": [["p1"], []]},
    ):
        match = match_at(**given)
        decision, due = match.decision, match.seats_to_act
        for text, key, purse in (("show", "shown", 3), ("hide", "hidden", "?")):
            step = match.act(0, text)
            for eyes in (0, 1, SPECTATOR):
                assert [event.key for event in match.events(step, eyes)] == [key]
            assert match.view(1)["doubloons"] == [purse, 3]
            assert (match.decision, match.seats_to_act) == (decision, due)


@pytest.mark.rule("PT-R3")
def test_the_drop_that_ends_the_plunder_is_counted() -> None:
    match = plundering()
    match.act(0, "drop 6 p1")
    events = told(match, 1, "drop 6 p5")
    assert [key for key, _ in events[:2]] == ["dropped", "nobody-left"]
    assert ("tile-won", {"tile": "p5", "field": 8, "stones": [0, 6], "seat": 1}) in events


@pytest.mark.rule("PT-19", "PT-20", "PT-23")
def test_the_fists_open_for_everybody() -> None:
    for seat in (0, 1, 2, SPECTATOR):
        match = match_at(3, phase="auction", chest=CHEST)
        assert told(match, 0, "bid 2", seat) == [("bid-sealed", {"seat": 0})]
        match.act(1, "bid 2")
        events = told(match, 2, "bid 0", seat)
        assert events[:3] == [
            ("bid-sealed", {"seat": 2}),
            ("bids-open", {"seats": [0, 1, 2], "bids": [2, 2, 0]}),
            ("bids-tied", {"seats": [0, 1], "bid": 2}),
        ]
        assert [key for key, _ in events[3:]] == ["afloat", "sank"]


@pytest.mark.rule("PT-21", "PT-27")
def test_purchases_and_ships_are_told() -> None:
    match = match_at(2, phase="auction", chest=CHEST)
    match.act(0, "bid 3")
    match.act(1, "bid 1")
    bought = told(match, 0, "take port-a1")
    assert bought == [("tile-bought", {"seat": 0, "tile": "port-a1", "doubloons": 3})]
    assert [key for key, _ in told(match, 1, "take p1")] == ["tile-bought", "afloat", "sank"]
    match.act(0, "refit -")
    events = told(match, 1, "refit p1")
    assert events == [
        ("refit-sealed", {"seat": 1}),
        ("ship-laid-out", {"seat": 0, "layout": "-"}),
        ("overboard", {"seat": 0, "tiles": ["port-a1"]}),
        ("ship-laid-out", {"seat": 1, "layout": "p1"}),
    ]


def random_match(players: int, seed: int) -> Iterator[tuple[Match, Step]]:
    """A whole random game as a match: every step with it."""
    match, rng = Match(GAME, {"players": players}, seed=seed), record(Rng)
    seed_rng(rng, seed, 1, 1, 1)
    while not match.is_over:
        if match.node == CHANCE:
            yield match, match.draw()
        elif match.node == OPEN and below(rng, 9) == 0:
            yield match, match.act(NATURE, sampled(match.state, rng))
        else:
            seat = match.seats_to_act[below(rng, len(match.seats_to_act))]
            texts = match.legal(seat)
            text = composed(match.state, seat, rng) if below(rng, 2) else None
            yield match, match.act(seat, text or texts[below(rng, len(texts))])


@pytest.mark.rule("PT-1")
def test_a_good_memory_knows_all_doubloons() -> None:
    """All that comes and goes is public: what a seat remembers is what everybody has."""
    for seed in range(1 if INTERPRETED else 6):
        for match, _ in random_match(3, seed):
            memory = match.knowledge(1).memory
            if match.state.captain >= 0:
                assert memory.purses[:3].tolist() == match.state.doubloons[:3].tolist()


def test_everything_that_happens_can_be_said() -> None:
    """In random games every event turns up that can; all of it can be said in four languages."""
    keys, says = Counter[str](), [Catalogue(lang, GAME.folder) for lang in LANGUAGES]
    for seed in range(1 if INTERPRETED else 12):
        for match, step in random_match(2 + seed % 3, seed):
            for seat in (0, SPECTATOR):
                for event in match.events(step, seat):
                    keys[event.key] += 1
                    for say in says:
                        say.sentence(f"event.{event.key}", event.values, "ABCD")
    if not INTERPRETED:
        known = {key.removeprefix("event.") for key in says[0].entries if key.startswith("event.")}
        rare = {"halved", "bank-empty", "tie-broken", "game-shared"}
        assert known - rare <= set(keys)

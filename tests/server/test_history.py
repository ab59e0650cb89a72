"""Every ply within reach: during a game as it was shown then, after the end all open."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from quarterdeck.contract import NATURE
from quarterdeck.engine.match import Match
from quarterdeck.engine.record import read_record
from quarterdeck.games import GAME_IDS, find_game
from quarterdeck.server.history import past
from quarterdeck.server.hub import Hub
from quarterdeck.server.limits import Limits
from quarterdeck.server.protocol import MOST_PLIES, encode

from .helpers import Ear, MemoryStorage, begun, in_loop, plan
from .test_hub import new_hub, seated_ear


async def all_plies(ear: Ear, seat: int | None) -> list[dict[str, Any]]:
    """Every ply, asked for piece by piece."""
    found: list[dict[str, Any]] = []
    while True:
        first = len(found)
        told = await ear.ask("history", seat=seat, first=first, last=first + MOST_PLIES - 1)
        assert told["type"] == "history", told
        found += told["past"]
        if len(found) > told["plies"]:
            assert len(found) == told["plies"] + 1
            return found


def shown_of(view: dict[str, Any]) -> dict[str, Any]:
    return {key: view[key] for key in ("to_act", "scores", "winners", "view", "outlook")}


@pytest.mark.parametrize("id", GAME_IDS)
@in_loop
async def test_history_is_what_was_told_on_the_wire(id: str) -> None:
    """At every ply that was told during play; and no ply tells a seat more than that."""
    game, rng = find_game(id), random.Random(id)
    hub = Hub(MemoryStorage(), Limits.unlimited())
    players = game.fill_options({})["players"]
    seated = await begun(hub, plan(*["mine"] * players, game=id, start=True), "here")
    ears = [Ear(hub) for _ in range(players + 1)]
    for ear, tokens in zip(ears, [*([key.token] for key in seated.keys), []], strict=True):
        await ear.ask("attach", table=seated.table, tokens=tokens)
    live = hub.tables[seated.table]
    told: dict[tuple[int | None, int], tuple[Any, Any]] = {}
    for _ in range(25):
        match = live.table.playing
        if not match.seats_to_act:
            break
        actor = rng.choice(match.seats_to_act)
        legal = match.legal(actor)
        if not legal:
            break
        act = {"seat": actor, "decision": match.decision, "do": rng.choice(legal)}
        answer = await ears[actor].ask("act", **act)
        assert answer["type"] == "ok", answer
    eyes: list[int | None] = [*range(players), None]
    for seat, ear in zip(eyes, ears, strict=True):
        for message in map(json.loads, ear.heard):
            if message["type"] == "view":
                own = message["own"][0] if seat is not None else None
                told[seat, message["shown"]["ply"]] = shown_of(message["shown"]), own
    assert len(told) > 20
    for seat, ear in zip(eyes, ears, strict=True):
        plies = await all_plies(ear, seat)
        assert [ply["ply"] for ply in plies] == list(range(len(plies)))
        assert plies[0].get("happened") is None
        assert all("do" not in ply for ply in plies)
        for ply in plies:
            if (seat, ply["ply"]) in told:
                shown, own = told[seat, ply["ply"]]
                assert ply["shown"] == shown
                for key in ("view", "outlook", "to_act", "scores", "winners"):
                    assert (ply.get("own") or {}).get(key) == (own or {}).get(key)
    await hub.close()


@in_loop
async def test_what_was_sealed_stays_sealed_until_the_end() -> None:
    hub, _ = new_hub()
    ear, _ = await seated_ear(hub, "mine", "mine", start=True)
    for seat in (0, 1):
        await ear.act_now(seat, f"bid {seat}")
    plies = await all_plies(ear, 0)
    bids = [
        ((ply.get("own") or {}).get("view") or ply["shown"]["view"])["bids"] for ply in plies[-3:]
    ]
    assert bids == [[None, None], [0, None], [0, 1]]
    plies = await all_plies(ear, None)
    assert [ply["shown"]["view"]["bids"] for ply in plies[-3:]] == [
        [None, None],
        ["?", None],
        [0, 1],
    ]
    await ear.ask("resign", seat=0)
    told = await ear.ask("history", seat=None, first=len(plies) - 2, last=len(plies) - 1)
    assert told["open"] is True
    assert [ply["shown"]["view"]["bids"] for ply in told["past"]] == [[0, None], [0, 1]]
    assert [ply["do"] for ply in told["past"]] == ["bid 0", "bid 1"]
    assert all("?" not in json.dumps(ply["shown"]["view"]) for ply in told["past"])
    await hub.close()


@in_loop
async def test_a_seat_is_shown_its_own_history_only() -> None:
    hub, _ = new_hub()
    seated = await begun(hub, plan("mine", "mine", start=True), "here")
    ear = Ear(hub)
    await ear.ask("attach", table=seated.table, tokens=[seated.keys[0].token])
    assert (await ear.ask("history", seat=1, first=0, last=1))["code"] == "not-your-seat"
    assert (await ear.ask("history", seat=0, first=0, last=1))["type"] == "history"
    for first, last in ((3, 2), (0, MOST_PLIES), (5, 5 + MOST_PLIES)):
        answer = await ear.ask("history", seat=0, first=first, last=last)
        assert answer["code"] == "bad-message"
    told = await ear.ask("history", seat=0, first=10_000, last=10_000)
    assert told["past"] == []
    assert told["plies"] == 2
    await hub.close()


@in_loop
async def test_a_reload_brings_everything_that_happened() -> None:
    hub, storage = new_hub()
    ear, seated = await seated_ear(hub, "mine", "mine", start=True)
    for seat in (0, 1):
        await ear.act_now(seat, "bid 0")
    happened = [past for m in ear.messages if m["type"] == "view" for past in m["happened"]]
    told = {past["ply"]: past for past in happened}
    assert sorted(told) == [1, 2, 3, 4]
    for other in (Ear(hub), Ear(Hub(storage, Limits.unlimited()))):
        await other.ask("attach", table=seated.table)
        assert other.last("view")["happened"] == [told[ply] for ply in sorted(told)]
    await hub.close()


@pytest.mark.parametrize("id", GAME_IDS)
def test_an_open_history_is_that_of_a_replay(id: str) -> None:
    """Ply n is what `quarterdeck replay` reaches after n entries of the log."""
    game = find_game(id)
    options = {**game.worldless}
    match = Match(game, options, seed=5)
    rng = random.Random(5)
    for _ in range(80):
        match.draw_chance()
        if match.is_over or not match.seats_to_act:
            break
        seat = rng.choice(match.seats_to_act)
        legal = match.legal(seat)
        if not legal:
            break
        match.act(seat, rng.choice(legal))
    record = match.record()
    plies = past(match, None, 0, len(match.log), is_open=True)
    assert len(plies) == len(match.log) + 1
    for ply in plies:
        record.log = match.log[: ply.ply]
        record.outcome = None
        again = Match.from_record(read_record(encode(record)))
        assert encode(ply.shown.view) == encode(again.shown_open().view)
        if ply.ply:
            assert ply.happened is not None
            entry = match.log[ply.ply - 1]
            assert ply.do == entry.do
            assert ply.happened.by == (NATURE if entry.by == "nature" else entry.by)


@pytest.mark.parametrize("id", GAME_IDS)
def test_a_ply_is_the_same_wherever_one_begins_to_look(id: str) -> None:
    """History begins at the milestone before what is asked for, however the match came to be."""
    game, rng = find_game(id), random.Random(id)
    match = Match(game, game.worldless, seed=5)
    while not match.is_over and len(match.log) < 110:
        match.draw_chance()
        seats = [seat for seat in match.seats_to_act if match.legal(seat)]
        if match.is_over or (not seats and match.due is None):
            break
        if seats:
            seat = rng.choice(seats)
            match.act(seat, rng.choice(match.legal(seat)))
        else:
            assert match.due is not None
            match.act(NATURE, match.due.do)
    assert len(match.log) > 60
    whole = [encode(ply) for ply in past(match, 0, 0, len(match.log), is_open=False)]
    read = Match.from_record(match.record(["x"] * match.players))
    fresh = Match(game, game.worldless, seed=5)
    (start,) = past(match, None, 0, 0, is_open=True)
    assert encode(start.shown) == encode(fresh.shown_open())
    again, _ = next(match.retrace())
    assert (again.node, again.decision, again.to_act) == (fresh.node, fresh.decision, fresh.to_act)
    for again in (match, read):
        for first in rng.sample(range(len(match.log) + 1), 12):
            told = past(again, 0, first, len(match.log), is_open=False)
            assert [encode(ply) for ply in told] == whole[first:]


def test_looking_back_folds_no_more_than_from_the_milestone_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = Match(find_game("skull-king"), {"players": 4}, seed=3)
    match.draw_chance()
    while not match.is_over:
        seat = match.seats_to_act[0]
        match.act(seat, match.legal(seat)[0])
        match.draw_chance()
    newest = len(match.log)
    assert newest > 250
    past(match, 0, newest, newest, is_open=False)
    folded: list[int] = []
    fold = type(match._loops).fold

    def count(loops: Any, states: Any, actors: Any, *rest: Any) -> int:
        folded.append(len(actors))
        return fold(loops, states, actors, *rest)

    monkeypatch.setattr(type(match._loops), "fold", count)
    past(match, 0, newest - 3, newest, is_open=False)
    assert sum(folded) <= 32 + 4

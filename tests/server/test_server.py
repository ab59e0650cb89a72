"""The server as its clients meet it: a real process, real sockets, whole games."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import to_builtins
from websockets.exceptions import InvalidStatus

from quarterdeck.bots.strength import strengths
from quarterdeck.engine.match import Match
from quarterdeck.engine.receipt import Receipt
from quarterdeck.engine.record import GameRecord, read_record
from quarterdeck.engine.roster import Roster, RosterProof, deal_code, roster_hash
from quarterdeck.engine.verify import verify
from quarterdeck.server import app, journal
from quarterdeck.server.errors import WrongOrigin
from quarterdeck.server.protocol import LARGEST_MESSAGE, LONGEST_CHAT

from ..engine.fair_play import Browser
from .helpers import Player, Seated, Server, actions_in, at, in_loop, new_table, read_journals

WHOLE_AGAIN_S = 2.0


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that the test may end."""
    server = Server(tmp_path / "data", "--unlimited", "--log-level", "debug").start()
    yield server
    server.end()


@pytest.fixture(scope="module")
def strict_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the limits it has in earnest."""
    server = Server(tmp_path_factory.mktemp("strict")).start()
    yield server
    server.end()


def record_of(server: Server, table: str) -> GameRecord:
    """The record of a finished game, which must replay, verify and agree with the journal."""
    answer = server.fetch("GET", f"/api/tables/{table}/record")
    assert answer.status == 200, answer.body
    told = read_record(answer.body)
    match = Match.from_record(told)
    verdict = verify(told)
    assert (verdict.scheme, verdict.flaw) == ("roster", None)
    acted = [entry for entry in server.journal(table) if isinstance(entry, journal.Acted)]
    assert [entry.do for entry in match.log] == [entry.do for entry in acted]
    return told


def of_type(player: Player, type: str) -> list[dict[str, Any]]:
    return [message for message in player.told if message["type"] == type]


async def seated_players(server: Server, seated: Seated, guests: int) -> list[Player]:
    """The maker with all own seats, and guests who join and attach."""
    players = [await server.attached(seated.table, *seated.tokens.values())]
    for number in range(guests):
        guest = server.join(seated.table, f"Guest {number}")
        players.append(await server.attached(seated.table, guest.token))
    return players


# Whole games -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "seats",
    [
        ("mine", "open"),
        ("mine", "open", "open"),
        ("open", "mine", "open", "open"),
        ("mine", "bot", "open", "bot"),
    ],
    ids="-".join,
)
@in_loop
async def test_people_and_bots_play_a_whole_game(server: Server, seats: tuple[str, ...]) -> None:
    seated = server.make(*seats)
    players = await seated_players(server, seated, seats.count("open"))
    async with at(*players) as here:
        assert all(player.status == "waiting" for player in here)
        assert (await here[0].ask("start"))["type"] == "ok"
        rng = random.Random(len(seats))
        await asyncio.gather(*(p.play(lambda view: rng.choice(view["legal"])) for p in here))
        told = record_of(server, seated.table)
        assert told.outcome is not None
        assert all(player.table["winners"] == told.outcome.winners for player in here)
        assert len(told.log) == 1 + 10 + len(seats) * 65
        bots = {seat for seat, kind in enumerate(seats) if kind == "bot"}
        assert {entry.by for entry in told.log if entry.via == "bot"} == bots
        for player in here:
            await player.until_view(player.table["you"][0], len(told.log))
            seqs = [message["seq"] for message in of_type(player, "view")]
            assert seqs == sorted(seqs)
    proof = server.fetch("GET", f"/api/tables/{seated.table}/proof")
    assert read_record(proof.body) == told


@in_loop
async def test_one_browser_plays_several_seats(server: Server) -> None:
    seated = server.make("mine", "mine", "bot", "mine", start=True)
    async with at(server.attached(seated.table, *seated.tokens.values())) as player:
        assert player.table["you"] == [0, 1, 3]
        await player.until_turn(3)
        for seat, view in player.views.items():  # each seat sees its own cards only
            assert ["?" in hand for hand in view["view"]["hands"]] == [
                other != seat for other in range(4)
            ]
        assert set(player.views) == {0, 1, 3}
        await player.play()
    record_of(server, seated.table)


@in_loop
async def test_events_tell_what_happened_since_the_last_view(server: Server) -> None:
    seated = server.make("mine", "mine", start=True)
    async with at(server.attached(seated.table, *seated.tokens.values())) as player:
        await player.play()
        await player.until(lambda: player.views[0]["view"]["phase"] == "over")
        views = [message for message in of_type(player, "view") if message["seat"] == 0]
        keys = [event["key"] for view in views[1:] for event in view["events"]]
        assert keys.count("bid-sealed") == 20
        assert keys.count("card-played") == 2 * 55
        assert keys.count("hand-dealt") == 9  # the first was dealt before anybody looked


@in_loop
async def test_a_spectator_sees_what_is_public_and_nothing_else(server: Server) -> None:
    seated = server.make("mine", "mine", "mine", start=True)
    async with at(
        server.attached(seated.table, *seated.tokens.values()), server.attached(seated.table)
    ) as (player, watcher):
        await watcher.until_view(None)
        assert watcher.table["you"] == []
        await player.until(lambda: player.table["watching"] == 1)
        await player.play()
        await watcher.until(lambda: watcher.status == "over")
        for message in of_type(watcher, "view"):
            view = message["view"]
            assert message["seat"] is None
            assert message["legal"] == message["templates"] == []
            assert {card for hand in view["hands"] for card in hand} <= {"?"}
            if view["phase"] == "bid":
                assert set(view["bids"]) <= {None, "?"}
        assert {message["type"] for message in watcher.told} == {"table", "roster", "view"}
        for request in (
            {"type": "act", "seat": 0, "decision": 1, "do": "bid 0"},
            {"type": "leave", "seat": 0},
            {"type": "resign", "seat": 0},
            {"type": "commit", "seat": 0, "attempt": 0, "hash": "0" * 64},
            {"type": "reveal", "seat": 0, "roster": "0" * 64, "bytes": "0" * 64},
            {"type": "rematch"},
        ):
            assert (await watcher.ask(**request))["code"] == "not-your-seat"
        for request in ({"type": "start"}, {"type": "pause", "paused": True}):
            assert (await watcher.ask(**request))["code"] == "not-host"


# Sealed choices --------------------------------------------------------------------------------


@in_loop
async def test_sealed_choices_come_in_any_order_and_are_never_stale(server: Server) -> None:
    seated = server.make("mine", "mine", "mine", "mine", start=True)
    async with at(*(server.attached(seated.table, t) for t in seated.tokens.values())) as players:
        decisions = []
        for seat, player in enumerate(players):
            decisions.append((await player.until_turn(seat))["decision"])
        assert len(set(decisions)) == 1
        # all have the first view before them, and all answer it at once
        order = [2, 0, 3, 1]
        answers = await asyncio.gather(*(players[s].act(s, "bid 0", decisions[s]) for s in order))
        assert [answer["type"] for answer in answers] == ["ok"] * 4
        late = await players[0].act(0, "bid 1", decisions[0])
        assert late["code"] == "past-decision"
        # a bid is final while the others still think, and one seat's bid tells others nothing
        assert players[0].views[0]["decision"] != decisions[0]


@in_loop
async def test_a_sealed_choice_is_final_and_shows_only_that_it_was_made(server: Server) -> None:
    seated = server.make("mine", "mine", "mine", start=True)
    async with at(*(server.attached(seated.table, t) for t in seated.tokens.values())) as players:
        for seat, player in enumerate(players):
            await player.until_turn(seat)
        assert (await players[1].act(1, "bid 1"))["type"] == "ok"
        again = await players[1].act(1, "bid 0")
        assert (again["code"], again["rule"]) == ("not-your-turn", "SK-R4")
        view = await players[0].until_view(0, players[1].views[1]["seq"])
        assert view["view"]["bids"] == [None, "?", None]
        assert players[1].views[1]["view"]["bids"] == [None, 1, None]


@in_loop
async def test_refused_actions_name_their_rule_and_change_nothing(server: Server) -> None:
    seated = server.make("mine", "mine", start=True)
    async with at(server.attached(seated.table, *seated.tokens.values())) as player:
        await player.until_turn(0)
        before = server.journal(seated.table)
        for do, code in [
            ("bid 9", "illegal-action"),
            ("play king", "illegal-action"),
            ("sing", "bad-notation"),
            ("deal y1/y2", "illegal-action"),
        ]:
            answer = await player.act(0, do)
            assert answer["code"] in (code, "not-your-turn"), answer
        assert (await player.act(5, "bid 0", 0))["code"] == "not-your-seat"
        assert server.journal(seated.table) == before


# Coming back -----------------------------------------------------------------------------------


@in_loop
async def test_a_dropped_client_is_whole_again_within_two_seconds(server: Server) -> None:
    seated = server.make("mine", "mine", "bot", start=True)
    first, second = seated.tokens.values()
    async with at(server.attached(seated.table, second)) as other:
        player = await server.attached(seated.table, first)
        await player.until_turn(0)
        await player.act(0, "bid 1")
        kept = player.views[0]
        player.socket.transport.abort()
        await other.until(lambda: not other.table["seats"][0]["online"])
        started = time.monotonic()
        async with at(server.attached(seated.table, first)) as player:
            view = await player.until_view(0)
            assert time.monotonic() - started < WHOLE_AGAIN_S
            assert view["view"]["hands"][0] == kept["view"]["hands"][0]
            assert view["seq"] >= kept["seq"]
            plies = [past["ply"] for past in view["happened"]]
            assert plies == list(range(1, view["seq"] + 1))  # all that happened is told again
            assert other.table["seats"][0]["stand_in"] is False
            await asyncio.gather(player.play(), other.play())
    record_of(server, seated.table)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@in_loop
async def test_after_a_restart_in_mid_hand_everybody_is_whole_again(
    own_server: Server, number: int
) -> None:
    seated = own_server.make("mine", "mine", "bot")
    tokens = list(seated.tokens.values())
    players = [await own_server.attached(seated.table, token) for token in tokens]
    await players[0].ask("start")

    def is_far(player: Player) -> bool:  # into the third hand
        view = next(iter(player.views.values()))["view"]
        return bool(view["hand"] == 3 and view["phase"] == "play")

    def is_away(player: Player) -> bool:
        return player.is_closed

    for seat, player in enumerate(players):
        await player.until_view(seat)
    await asyncio.gather(*(player.play(until=partial(is_far, player)) for player in players))
    own_server.end(number)
    for player in players:
        await player.until(partial(is_away, player))
        if number == signal.SIGTERM:
            assert of_type(player, "goodbye")[-1]["reason"] == "shutdown"
            assert player.close_code == 1012
        await player.close()
    kept = [player.views[seat]["view"] for seat, player in enumerate(players)]
    own_server.start()
    started = time.monotonic()
    async with at(*(own_server.attached(seated.table, token) for token in tokens)) as again:
        for seat, player in enumerate(again):
            view = (await player.until_view(seat))["view"]
            # a bot or the other player may have gone on meanwhile; the hand is the same
            assert view["hand"] == 3
            assert set(kept[seat]["hands"][seat]) >= set(view["hands"][seat])
        assert time.monotonic() - started < WHOLE_AGAIN_S
        await asyncio.gather(*(player.play() for player in again))
    record_of(own_server, seated.table)
    kinds = [type(entry) for entry in own_server.journal(seated.table)]
    assert journal.Woke in kinds
    assert '"level": "error"' not in own_server.log


@in_loop
async def test_two_tabs_of_one_seat_both_see_and_either_acts(server: Server) -> None:
    seated = server.make("mine", "mine", grace_ms=100)
    async with at(
        server.attached(seated.table, *seated.tokens.values()),
        server.attached(seated.table, seated.tokens[0]),
    ) as (one, other):
        await one.ask("start")
        await other.until_turn(0)
        assert (await other.act(0, "bid 1"))["type"] == "ok"
        view = await one.until_view(0, other.views[0]["seq"])
        assert view["view"] == other.views[0]["view"]
        assert (await one.act(0, "bid 1"))["code"] == "not-your-turn"
        told = len(of_type(one, "table"))
        await other.close()
        await one.until(lambda: len(of_type(one, "table")) > told)
        # the seat has one tab left: nobody is away
        assert one.table["seats"][0]["online"] is True
        await asyncio.sleep(0.3)
        await one.play()
        assert one.status == "over"
        assert one.table["seats"][0]["stand_in"] is False


@in_loop
async def test_a_bot_stands_in_after_the_grace_and_the_seat_is_taken_back(server: Server) -> None:
    seated = server.make("mine", "mine", "mine", grace_ms=400)
    tokens = list(seated.tokens.values())
    async with at(
        server.attached(seated.table, *tokens[:2]), server.attached(seated.table, tokens[2])
    ) as (one, other):
        await one.ask("start")
        await other.until_turn(2)
        await other.close()
        await one.until(lambda: not one.table["seats"][2]["online"])
        assert one.table["seats"][2]["stand_in"] is False  # not at once
        await one.until(lambda: one.table["seats"][2]["stand_in"])
        await one.until(lambda: one.views[0]["view"]["bids"][2] == "?")
        await one.act(0, "bid 0")
        await one.act(1, "bid 0")
        async with at(server.attached(seated.table, tokens[2])) as back:
            assert back.table["seats"][2]["stand_in"] is False
            await asyncio.gather(one.play(), back.play())
    told = record_of(server, seated.table)
    via = [entry.via for entry in told.log if entry.by == 2]
    assert via[0] == "bot"
    assert via.count(None) > 50


@in_loop
async def test_who_is_away_at_the_start_has_a_grace_too(server: Server) -> None:
    seated = server.make("mine", "open", grace_ms=200)
    server.join(seated.table, "Ghost")
    async with at(server.attached(seated.table, seated.token)) as player:
        await player.ask("start")
        await player.until(lambda: player.table["seats"][1]["stand_in"])
        await player.play()
        assert player.status == "over"


@in_loop
async def test_who_looks_on_from_elsewhere_leaves_the_seat_after_the_grace(server: Server) -> None:
    seated = server.make("mine", "mine", start=True, grace_ms=100)
    async with at(server.attached(seated.table, *seated.tokens.values())) as player:
        await player.attach(seated.table, seated.tokens[0])
        assert player.table["you"] == [0]
        await player.until(lambda: player.table["seats"][1]["stand_in"])
        await player.attach(seated.table, seated.tokens[0], seated.tokens[1])
        await player.until(lambda: not player.table["seats"][1]["stand_in"])
        wrong = await player.attach(seated.table, "x" * 32)
        assert wrong["code"] == "not-your-seat"
        assert (await player.ask("ping"))["type"] == "ok"
        assert (await player.attach("zzzzzzzz"))["code"] == "no-such-table"
        await player.play()  # a refused attachment leaves the one before
        assert player.status == "over"


# At the table ----------------------------------------------------------------------------------


@in_loop
async def test_an_invited_guest_joins_and_the_host_may_send_them_away(server: Server) -> None:
    seated = server.make("mine", "open", "open")
    first = server.join(seated.table, " Anne \t Bonny ", seat=2)
    assert list(first.tokens) == [2]
    async with at(
        server.attached(seated.table, seated.token), server.attached(seated.table, first.token)
    ) as (host, guest):
        assert host.table["seats"][2]["name"] == "Anne Bonny"
        assert (await guest.ask("remove", seat=0))["code"] == "not-host"
        assert (await guest.ask("start"))["code"] == "not-host"
        assert (await guest.ask("pause", paused=True))["code"] == "not-host"
        assert (await host.ask("remove", seat=1))["code"] == "no-seat"
        assert (await host.ask("remove", seat=0))["code"] == "no-seat"
        assert (await host.ask("remove", seat=2))["type"] == "ok"
        await guest.until(lambda: of_type(guest, "goodbye"))
        await guest.until(lambda: guest.table["you"] == [])
        assert (await guest.attach(seated.table, first.token))["code"] == "not-your-seat"
        second = server.join(seated.table, "Mary", seat=2)
        assert second.token != first.token
        server.join(seated.table, "Jack")
        full = server.fetch("POST", f"/api/tables/{seated.table}/join", {"name": "Late"})
        assert (full.status, full.json["code"]) == (409, "no-seat")
        assert (await host.ask("leave", seat=0))["code"] == "wrong-time"
        await host.ask("start")
        assert (await host.ask("remove", seat=2))["code"] == "wrong-time"
        late = server.fetch("POST", f"/api/tables/{seated.table}/join", {"name": "Late"})
        assert (late.status, late.json["code"]) == (409, "wrong-time")


@in_loop
async def test_a_guest_leaves_before_and_during_the_game(server: Server) -> None:
    seated = server.make("mine", "open", "bot")
    async with at(server.attached(seated.table, seated.token)) as host:
        guest_key = server.join(seated.table)
        async with at(server.attached(seated.table, guest_key.token)) as guest:
            assert (await guest.ask("leave", seat=1))["type"] == "ok"
            await host.until(lambda: host.table["seats"][1]["kind"] == "open")
        guest_key = server.join(seated.table)
        async with at(server.attached(seated.table, guest_key.token)) as guest:
            await host.ask("start")
            await guest.until_turn(1)
            assert (await guest.ask("leave", seat=1))["type"] == "ok"
            await host.until(lambda: host.table["seats"][1]["kind"] == "bot")
            assert (await guest.ask("act", seat=1, decision=0, do="bid 0"))["code"] == (
                "not-your-seat"
            )
            await host.play()
            await guest.until(lambda: guest.status == "over")  # and may watch the rest
    record_of(server, seated.table)


@in_loop
async def test_the_host_pauses_and_bots_wait(server: Server) -> None:
    seated = server.make("mine", "bot", "bot", start=True, bot_pace_ms=100)
    async with at(server.attached(seated.table, seated.token)) as player:
        await player.until_turn(0)
        assert (await player.ask("pause", paused=True))["type"] == "ok"
        assert player.status == "paused"
        assert player.views[0]["legal"] == []
        assert (await player.act(0, "bid 0"))["code"] == "wrong-time"
        assert (await player.ask("pause", paused=True))["code"] == "wrong-time"
        seq = player.views[0]["seq"]
        await asyncio.sleep(0.4)
        assert player.views[0]["seq"] == seq
        assert (await player.ask("pause", paused=False))["type"] == "ok"
        assert player.views[0]["legal"]
        await player.until_view(0, seq + 2)  # the bots go on by themselves


@in_loop
async def test_bots_keep_the_pace_of_the_table(server: Server) -> None:
    seated = server.make("mine", "bot", start=True, bot_pace_ms=400)
    started = time.monotonic()
    async with at(server.attached(seated.table, seated.token)) as player:
        assert (await player.until_turn(0))["view"]["bids"][1] is None
        await player.until(lambda: player.views[0]["view"]["bids"][1] == "?")
        assert 0.35 < time.monotonic() - started < 5


@in_loop
async def test_resigning_ends_a_game_of_two(server: Server) -> None:
    seated = server.make("mine", "open")
    players = await seated_players(server, seated, 1)
    async with at(*players) as (host, guest):
        await host.ask("start")
        await guest.until_turn(1)
        assert (await guest.ask("resign", seat=0))["code"] == "not-your-seat"
        assert (await guest.ask("resign", seat=1))["type"] == "ok"
        await host.until(lambda: host.status == "over")
        assert (host.table["winners"], host.table["resigned"]) == ([0], 1)
        assert (await guest.ask("resign", seat=1))["code"] == "wrong-time"
        assert (await host.act(0, "bid 0"))["code"] == "wrong-time"
    told = record_of(server, seated.table)
    assert told.outcome is not None
    assert (told.outcome.winners, told.outcome.resigned) == ([0], 1)


@in_loop
async def test_resigning_from_a_larger_game_leaves_the_seat_to_a_bot(server: Server) -> None:
    seated = server.make("mine", "open", "open")
    players = await seated_players(server, seated, 2)
    async with at(*players) as (host, guest, other):
        await host.ask("start")
        await guest.until_turn(1)
        assert (await guest.ask("resign", seat=1))["type"] == "ok"
        assert (await guest.act(1, "bid 0"))["code"] in ("wrong-time", "not-your-turn")
        await host.until(lambda: host.table["seats"][1]["resigned"])
        await asyncio.gather(host.play(), other.play())
    told = record_of(server, seated.table)
    assert {entry.via for entry in told.log if entry.by == 1} == {"bot"}


@in_loop
async def test_a_rematch_is_played_with_the_same_tokens(server: Server) -> None:
    seated = server.make("mine", "open", "bot")
    guest_key = server.join(seated.table)
    async with at(
        server.attached(seated.table, seated.token), server.attached(seated.table, guest_key.token)
    ) as (host, guest):
        assert (await guest.ask("rematch"))["code"] == "wrong-time"
        await host.ask("start")
        await asyncio.gather(host.play(), guest.play())
        answers = await asyncio.gather(guest.ask("rematch"), host.ask("rematch"))
        assert answers[0]["table"] == answers[1]["table"] != seated.table
        rematch = answers[0]["table"]
        await host.until(lambda: host.table["rematch"] == rematch)
        assert (await guest.attach(rematch, guest_key.token))["type"] == "ok"
        assert (await host.attach(rematch, seated.token))["type"] == "ok"
        assert host.table["you"] == [0]
        assert (await guest.ask("start"))["code"] == "not-host"
        await host.ask("start")
        await asyncio.gather(host.play(), guest.play())
    first, second = record_of(server, seated.table), record_of(server, rematch)
    assert first.seats == second.seats
    assert first.fairness != second.fairness


# Clocks ----------------------------------------------------------------------------------------


@in_loop
async def test_a_seat_out_of_time_gets_a_bots_choice(server: Server) -> None:
    clock = {"kind": "bank", "bank_ms": 1000, "increment_ms": 0}
    seated = server.make("mine", "bot", start=True, clock=clock)
    async with at(server.attached(seated.table, seated.token)) as player:
        view = await player.until_turn(0)
        assert view["clocks"]["running"][0] == 0
        assert 0 < view["clocks"]["left_ms"][0] <= 1000
        # without a finger lifted the game comes to its end
        await player.until(lambda: player.views[0]["view"]["phase"] == "over")
        clocks = player.views[0]["clocks"]
        assert (clocks["left_ms"][0], clocks["running"]) == (0, [])
    told = record_of(server, seated.table)
    assert {entry.via for entry in told.log if entry.by == 0} == {"timeout"}


@in_loop
async def test_a_move_has_its_time_and_no_more(server: Server) -> None:
    clock = {"kind": "per-move", "move_ms": 1000}
    seated = server.make("mine", "mine", start=True, clock=clock)
    async with at(server.attached(seated.table, *seated.tokens.values())) as player:
        await player.until_turn(0)
        started = time.monotonic()
        await player.act(0, "bid 1")
        await player.until(lambda: player.views[1]["view"]["phase"] == "play")
        assert 0.5 < time.monotonic() - started < 5
        await player.ask("resign", seat=0)
    by = [(entry.by, entry.via) for entry in record_of(server, seated.table).log]
    assert by[2:4] == [(0, None), (1, "timeout")]


# Chat ------------------------------------------------------------------------------------------


@in_loop
async def test_what_is_said_reaches_all_who_want_to_hear(server: Server) -> None:
    seated = server.make("mine", "open")
    players = await seated_players(server, seated, 1)
    async with at(*players, server.attached(seated.table)) as (host, guest, watcher):
        await host.ask("chat", text="  Ahoy\n\tthere \u202e")
        for player in (host, guest, watcher):
            await player.until(lambda player=player: of_type(player, "chat"))
            (line,) = of_type(player, "chat")[0]["lines"]
            assert (line["seat"], line["name"], line["text"]) == (0, "Maker", "Ahoy there")
        assert (await guest.ask("mute", seat=0, muted=True))["type"] == "ok"
        assert (await guest.ask("mute", seat=None, muted=True))["type"] == "ok"
        await host.ask("chat", text="unheard")
        await watcher.ask("chat", text="from the quay")
        await guest.ask("mute", seat=0, muted=False)
        await host.ask("chat", text="heard")
        await guest.until(lambda: len(of_type(guest, "chat")) == 2)
        assert of_type(guest, "chat")[1]["lines"][0]["text"] == "heard"
        texts = [message["lines"][0]["text"] for message in of_type(host, "chat")]
        assert texts == ["Ahoy there", "unheard", "from the quay", "heard"]
        for text in ("", "   ", "x" * (LONGEST_CHAT + 1), 7, None):
            assert (await host.ask("chat", text=text))["code"] == "bad-message"
        assert (await host.ask("chat", text="x" * LONGEST_CHAT))["type"] == "ok"
    async with at(server.attached(seated.table)) as late:
        await late.until(lambda: of_type(late, "chat"))
        assert len(of_type(late, "chat")[0]["lines"]) == 5


@in_loop
async def test_chat_has_a_limit_of_its_own(strict_server: Server) -> None:
    seated = strict_server.make("mine", "bot")
    async with at(strict_server.attached(seated.table, seated.token)) as player:
        answers = [await player.ask("chat", text=f"{n}") for n in range(8)]
        codes = [answer.get("code") for answer in answers]
        assert codes[:5] == [None] * 5
        assert set(codes[6:]) == {"too-many"}
        assert (await player.ask("ping"))["type"] == "ok"


# Fairness --------------------------------------------------------------------------------------


def receipt_of(player: Player, acts: Sequence[tuple[int, str]]) -> Receipt:
    """What a page would have kept of a game, from all it was told."""
    browser = Browser(player.table["table"], player.table["you"])
    for (table, attempt, seat), data in player.binder.bytes.items() if player.binder else ():
        if table == browser.receipt.table:
            browser.bytes[attempt, seat] = data
    for message in player.wire:
        if message["type"] == "view":
            browser.see(message)
            continue
        roster = msgspec.convert(message["roster"], Roster)
        if message["reveals"] is None:
            browser.reveal(roster, message["names"], message["salts"])
        else:
            browser.confirm(roster.attempt)
            browser.begin(roster.attempt, [(seat, data) for seat, data in message["reveals"]])
    for seat, do in acts:
        browser.sent(seat, do, browser.receipt.seen.ranges[-1][1])
    return browser.receipt


@in_loop
async def test_a_game_is_proven_to_whoever_took_part(server: Server) -> None:
    """Two people who come by link, a program, and somebody who watches."""
    seated = server.make("mine", "open", "open", "bot")
    players = await seated_players(server, seated, 1)
    program = server.join(seated.table, "Robot", kind="program")
    players += [
        await server.attached(seated.table, program.token),
        await server.attached(seated.table),
    ]
    players[2].binder = None  # nobody waits for it
    acts: list[list[tuple[int, str]]] = [[] for _ in players]
    async with at(*players) as here:
        assert (await here[0].ask("start"))["type"] == "ok"
        await asyncio.gather(
            *(
                player.play(acted=lambda seat, decision, do, own=own: own.append((seat, do)))
                for player, own in zip(here[:3], acts, strict=False)
            )
        )
        told = record_of(server, seated.table)
        for player in here:
            await player.until(lambda p=player: p.wire[-1]["shown"]["ply"] == len(told.log))
        assert isinstance(told.fairness, RosterProof)
        assert [seat for seat, _ in told.fairness.reveals] == [0, 1]
        verdicts = [verify(told, receipt_of(*one)) for one in zip(here, acts, strict=True)]
    found = [(verdict.verdict, verdict.deals, verdict.seats) for verdict in verdicts]
    assert found[:2] == [("proven", 1, (0, 1))] * 2
    assert found[2:] == [("consistent", 1, (0, 1))] * 2  # no bytes in it are theirs
    for verdict in verdicts:
        codes = {part.part: part.code for part in verdict.parts}
        assert (codes["log"], codes["views"], codes["draws"]) == ("whole", "as-shown", "draws")
    assert {part.code for part in verdicts[0].parts if part.part == "acts"} == {"acts"}
    codes_told = {deal_code_of(player) for player in here}
    assert len(codes_told) == 1


def deal_code_of(player: Player) -> str:
    """The code that everybody reads aloud."""
    told = next(one for one in player.wire if one["type"] == "roster" and one["reveals"])
    roster = roster_hash(msgspec.convert(told["roster"], Roster))
    return deal_code(roster, [(seat, bytes.fromhex(data)) for seat, data in told["reveals"]])


@in_loop
async def test_one_click_goes_the_same_way(server: Server) -> None:
    seated = server.make("mine", "bot", start=True)
    async with at(server.attached(seated.table, seated.token)) as player:
        await player.until_turn(0)
        await player.ask("resign", seat=0)
        await player.until(lambda: player.status == "over")
        told = record_of(server, seated.table)
        kinds = [(one["type"], one.get("reveals") is None) for one in player.wire]
        assert kinds[:3] == [("roster", True), ("roster", False), ("view", True)]
        verdict = verify(told, receipt_of(player, []))
    assert (verdict.verdict, verdict.seats) == ("proven", (0,))
    assert isinstance(told.fairness, RosterProof)
    assert [fact.do for fact in told.fairness.facts] == ["resigned 0"]


@pytest.mark.parametrize("stage", ["bound", "revealed"])
@in_loop
async def test_a_beginning_outlives_a_kill_at_every_stage(own_server: Server, stage: str) -> None:
    """What was bound or revealed and acknowledged is kept; a page that has kept its bytes goes on
    with them, and the attempt is the same one."""
    seated = own_server.make("mine", "open")
    tokens = [seated.token, own_server.join(seated.table).token]
    players = [await own_server.attached(seated.table, token) for token in tokens]
    async with at(*players) as (host, guest):
        binders = [host.binder, guest.binder]
        assert binders[0] is not None
        assert binders[1] is not None
        await host.until(lambda: all(seat["committed"] for seat in host.table["seats"]))
        if stage == "revealed":
            binders[1].holds_back = True
            await host.ask("start")
            await asyncio.gather(
                *(player.until(lambda p=player: of_type(p, "roster")) for player in (host, guest))
            )
            await host.ask("ping")  # its reveal was answered before
        own_server.kill()
    kinds = [type(entry) for entry in own_server.journal(seated.table)]
    assert kinds.count(journal.Committed) == 2
    assert kinds.count(journal.Revealed) == (stage == "revealed")
    own_server.start()
    binders[1].holds_back = False
    again = [await own_server.player(), await own_server.player()]
    async with at(*again) as (host, guest):
        for player, binder, token in zip((host, guest), binders, tokens, strict=True):
            player.binder = binder
            assert (await player.attach(seated.table, token))["type"] == "ok"
        if stage == "bound":
            assert (await host.ask("start"))["type"] == "ok"
        await asyncio.gather(host.until_view(0), guest.until_view(1))
        assert host.table["attempt"] == 0
        rosters = [told["roster"] for binder in binders if binder for told in binder.rosters]
        assert all(roster == rosters[0] for roster in rosters)
        await guest.ask("resign", seat=1)
        await host.until(lambda: host.status == "over")
        told = record_of(own_server, seated.table)
        verdict = verify(told, receipt_of(host, []))
    assert (verdict.verdict, verdict.deals, verdict.seats) == ("proven", 1, (0, 1))


@in_loop
async def test_whoever_comes_later_is_told_the_roster_before_the_view(server: Server) -> None:
    seated = server.make("mine", "bot", start=True)
    async with at(server.attached(seated.table, seated.token)) as player:
        await player.until_turn(0)
        async with at(server.attached(seated.table)) as late:
            await late.until_view(None)
            assert [one["type"] for one in late.wire] == ["roster", "view"]
            assert late.wire[0] == player.wire[1]


# Over HTTP -------------------------------------------------------------------------------------


def test_games_are_told_with_their_options_and_bots(server: Server) -> None:
    (game,) = (
        game for game in server.fetch("GET", "/api/games").json if game["id"] == "skull-king"
    )
    assert [option["key"] for option in game["options"]] == ["players"]
    assert [level["id"] for level in game["levels"]] == [
        "deckhand", "bosun", "quartermaster", "legend",
    ]  # fmt: skip
    assert game["levels"][1]["strength"] == to_builtins(strengths()["skull-king"]["bosun"])


@in_loop
async def test_listed_tables_are_listed_while_there_is_something_to_see(server: Server) -> None:
    shown = server.make("mine", "bot", name="Shown")
    hidden = server.make("mine", "bot", listed=False)

    def listed() -> dict[str, Any]:
        tables = server.fetch("GET", "/api/tables").json["tables"]
        return {table["table"]: table for table in tables}

    async with at(
        server.attached(shown.table, shown.token), server.attached(hidden.table, hidden.token)
    ) as (player, _):
        assert listed()[shown.table]["status"] == "waiting"
        assert listed()[shown.table]["seats"][0]["name"] == "Shown"
        assert hidden.table not in listed()
        await player.ask("start")
        assert listed()[shown.table]["status"] == "playing"
        await player.ask("resign", seat=0)
        assert shown.table not in listed()


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/api/tables", b"", 400, "bad-message"),
        ("POST", "/api/tables", b"{", 400, "bad-message"),
        ("POST", "/api/tables", b"\xff\xfe", 400, "bad-message"),
        ("POST", "/api/tables", b"[" * 9000, 400, "bad-message"),
        ("POST", "/api/tables", b" " * (LARGEST_MESSAGE + 1), 413, "too-large"),
        ("POST", "/api/tables", b" " * 2_000_000, 413, "too-large"),
        ("POST", "/api/tables", new_table("bot", "bot"), 400, "bad-message"),
        ("POST", "/api/tables", new_table("mine"), 400, "bad-option"),
        ("POST", "/api/tables", new_table("mine", "bot", game="chess"), 400, "unknown-game"),
        ("POST", "/api/tables", new_table("mine", "bot", options={"x": 1}), 400, "bad-option"),
        ("POST", "/api/tables", new_table("mine", "bot", name="\u200b"), 400, "bad-message"),
        ("POST", "/api/tables", new_table("mine", "bot", name="x" * 25), 400, "bad-message"),
        ("POST", "/api/tables", new_table("mine", "bot", host=1), 400, "bad-message"),
        ("POST", "/api/tables", new_table("mine", "bot", bot_pace_ms=-1), 400, "bad-message"),
        ("POST", "/api/tables/zzzzzzzz/join", {"name": "X"}, 404, "no-such-table"),
        ("POST", "/api/tables/%2e%2e/join", {"name": "X"}, 404, "no-such-table"),
        ("POST", "/api/tables/zzzzzzzz/join", {"name": ""}, 400, "bad-message"),
        ("GET", "/api/tables/zzzzzzzz/record", None, 404, "no-such-table"),
        ("GET", "/api/tables/zzzzzzzz/proof", None, 404, "no-such-table"),
    ],
)  # fmt: skip
def test_what_is_refused_says_why(
    server: Server, method: str, path: str, body: Any, status: int, code: str
) -> None:
    answer = server.fetch(method, path, body)
    assert (answer.status, answer.json["code"]) == (status, code)
    assert answer.json["type"] == "error"
    assert answer.headers["content-type"] == "application/json"


def test_other_methods_and_paths_are_refused(server: Server) -> None:
    assert server.fetch("DELETE", "/api/tables").status == 405
    assert server.fetch("PUT", "/healthz", b"").status == 405
    assert server.fetch("GET", "/api/nothing").status == 404
    assert server.fetch("GET", "/../../etc/passwd").status == 404


def test_records_of_running_games_are_not_served(server: Server) -> None:
    seated = server.make("mine", "mine", start=True)
    record = server.fetch("GET", f"/api/tables/{seated.table}/record")
    assert (record.status, record.json["code"]) == (404, "no-such-table")
    proof = server.fetch("GET", f"/api/tables/{seated.table}/proof")
    assert (proof.status, proof.json["code"]) == (404, "no-such-table")


@pytest.mark.parametrize(
    "path", ["/healthz", "/metrics", "/api/games", "/api/tables", "/api/nothing", "/ws"]
)
def test_every_answer_carries_the_usual_protections(server: Server, path: str) -> None:
    headers = server.fetch("GET", path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert not [name for name in headers if name.startswith("access-control")]
    assert "server" not in headers


def test_health_and_figures(server: Server) -> None:
    health = server.fetch("GET", "/healthz").json
    assert health["status"] == "ok"
    page = server.fetch("GET", "/metrics")
    assert page.headers["content-type"].startswith("text/plain; version=0.0.4")
    names = {line.split("{")[0].split(" ")[0] for line in page.body.decode().splitlines()}
    assert {
        "quarterdeck_connections",
        "quarterdeck_tables",
        "quarterdeck_actions_total",
        "quarterdeck_append_seconds_bucket",
    } <= names


def test_pages_of_other_sites_are_refused(server: Server) -> None:
    table = new_table("mine", "bot")
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "http://localhost"):
        answer = server.fetch("POST", "/api/tables", table, {"origin": origin})
        assert (answer.status, answer.json["code"]) == (403, "wrong-origin")
    own = {"origin": f"http://{server.address}"}
    assert server.fetch("POST", "/api/tables", table, own).status == 200


@in_loop
async def test_sockets_of_other_sites_are_refused(server: Server) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await server.player(origin="https://evil.example")
    assert refused.value.response.status_code == 403
    async with at(server.player(origin=f"http://{server.address}")) as player:
        assert (await player.ask("ping"))["type"] == "ok"


def test_the_public_address_is_an_own_site() -> None:
    handlers = app._Handlers(None, "https://pirates.example")  # type: ignore[arg-type]
    handlers.check_origin({"origin": "https://pirates.example", "host": "127.0.0.1:8000"})
    handlers.check_origin({"origin": "http://127.0.0.1:8000", "host": "127.0.0.1:8000"})
    handlers.check_origin({"host": "127.0.0.1:8000"})
    for origin in ("https://pirates.example.evil.example", "https://other.example", "null", ""):
        with pytest.raises(WrongOrigin):
            handlers.check_origin({"origin": origin, "host": "127.0.0.1:8000"})


# Limits ----------------------------------------------------------------------------------------


@in_loop
async def test_frames_too_large_or_not_text(server: Server) -> None:
    async with at(server.player()) as player:
        await player.socket.send(b"\x00\x01")
        await player.until(lambda: player.told)
        assert player.told[0]["code"] == "bad-message"
        assert (await player.ask("ping"))["type"] == "ok"
        await player.socket.send("x" * (LARGEST_MESSAGE + 1))
        async with asyncio.timeout(10):
            await player.socket.wait_closed()
        assert player.socket.close_code == 1009


@in_loop
async def test_who_sends_too_much_is_told_and_then_let_go(strict_server: Server) -> None:
    async with at(strict_server.player()) as player:
        kinds: list[str] = []
        while not player.is_closed:
            asked = (player.ask("ping") for _ in range(20))
            for answer in await asyncio.gather(*asked, return_exceptions=True):
                if not isinstance(answer, BaseException):
                    kinds.append(answer.get("code", answer["type"]))
        assert player.close_code == 1008
        assert kinds[:60] == ["ok"] * 60
        assert "too-many" in kinds
        assert set(kinds) == {"ok", "too-many"}


@in_loop
async def test_one_address_has_so_many_connections(strict_server: Server) -> None:
    players = []
    try:
        for _ in range(50):
            players.append(await strict_server.player())
        with pytest.raises(InvalidStatus) as refused:
            await strict_server.player()
        assert refused.value.response.status_code == 429
    finally:
        for player in players:
            await player.close()
    async with at(strict_server.player()) as player:
        assert (await player.ask("ping"))["type"] == "ok"


def test_one_address_makes_so_many_tables(strict_server: Server) -> None:
    statuses = [
        strict_server.fetch("POST", "/api/tables", new_table("mine", "bot")).status
        for _ in range(32)
    ]
    assert statuses[-1] == 429
    assert statuses.count(200) >= 28


@in_loop
async def test_requests_about_no_table_are_refused(server: Server) -> None:
    async with at(server.player()) as player:
        for request in (
            {"type": "act", "seat": 0, "decision": 0, "do": "bid 0"},
            {"type": "chat", "text": "Ahoy"},
            {"type": "start"},
            {"type": "rematch"},
            {"type": "leave", "seat": 0},
        ):
            assert (await player.ask(**request))["code"] == "not-attached"


@in_loop
async def test_who_never_reads_holds_up_nobody(server: Server) -> None:
    seated = server.make("mine", "mine", start=True)
    async with at(server.attached(seated.table, *seated.tokens.values())) as player:
        deaf = await server.attached(seated.table)
        deaf.socket.transport.pause_reading()
        await player.play()
        deaf.socket.transport.abort()
        await deaf.close()
    record_of(server, seated.table)


# The end ---------------------------------------------------------------------------------------


@in_loop
async def test_a_server_told_to_stop_finishes_what_it_acknowledged(own_server: Server) -> None:
    acknowledged: dict[str, dict[tuple[int, int], str]] = {}

    async def play(bots: int) -> None:
        seated = own_server.make("mine", "mine", *["bot"] * bots, start=True)
        done = acknowledged[seated.table] = {}
        player = await own_server.attached(seated.table, *seated.tokens.values())

        def note(seat: int, decision: int, do: str) -> None:
            done[seat, decision] = do

        try:
            await player.play(acted=note)
        except ConnectionError:
            await player.close()
            assert player.close_code == 1012
        await player.close()

    playing = [asyncio.create_task(play(bots)) for bots in (0, 1, 2, 0, 1, 2)]
    while sum(map(len, acknowledged.values())) < 100:
        await asyncio.sleep(0.01)
        for task in playing:
            assert not task.done() or task.exception() is None
    started = time.monotonic()
    code = await asyncio.to_thread(own_server.end, signal.SIGTERM)
    assert code in (0, -signal.SIGTERM)
    assert time.monotonic() - started < 10
    await asyncio.gather(*playing)
    journals = read_journals(own_server.database)
    for table, done in acknowledged.items():
        stored = actions_in(journals[table])
        assert done.items() <= stored.items()
    lines = [json.loads(line) for line in own_server.log.splitlines()]
    assert not [line for line in lines if line["level"] in ("warning", "error", "critical")]
    assert "closed" in [line["message"] for line in lines]


@in_loop
async def test_tokens_and_secrets_are_in_no_log_and_no_file(own_server: Server) -> None:
    seated = own_server.make("mine", "open")
    guest_key = own_server.join(seated.table)
    tokens = [seated.token, guest_key.token]
    async with at(*(own_server.attached(seated.table, token) for token in tokens)) as players:
        await players[0].ask("start")
        await asyncio.gather(*(player.play() for player in players))
        await players[0].attach(seated.table, "wrong-token-" + "x" * 20)
        told = json.dumps([player.told for player in players])
    made = own_server.journal(seated.table)[0]
    assert isinstance(made, journal.Made)
    secret = made.secret
    own_server.end()
    kept = own_server.database.read_bytes()
    for token in tokens:
        assert token not in own_server.log + told
        assert token.encode() not in kept
    assert "wrong-token" not in own_server.log
    assert secret not in own_server.log + told
    lines = [json.loads(line) for line in own_server.log.splitlines()]  # one JSON object a line
    assert all({"at", "level", "logger", "message"} <= set(line) for line in lines)

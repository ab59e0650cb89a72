"""A table by itself: what may be done at it when, its clocks, and that it is its journal's fold."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from itertools import permutations
from typing import Any, Literal

import pytest

from quarterdeck.contract import (
    CHANCE,
    SEALED,
    BadOption,
    IllegalAction,
    NotYourTurn,
    QuarterdeckError,
    UnknownGame,
)
from quarterdeck.engine.fairness import CommitReveal
from quarterdeck.engine.match import Match
from quarterdeck.engine.record import read_record, write_record
from quarterdeck.engine.roster import Fact, RosterProof, Void, name_hash, seat_hash
from quarterdeck.engine.verify import verify
from quarterdeck.server import journal
from quarterdeck.server.errors import (
    BadMessage,
    NoSeat,
    NotHost,
    NotYourSeat,
    PastDecision,
    WrongTime,
)
from quarterdeck.server.journal import write_entry
from quarterdeck.server.keys import hash_token
from quarterdeck.server.protocol import Clock, NewTable, SeatPlan, encode
from quarterdeck.server.table import KEPT_CHAT, Table, clean_name, clean_text

from .helpers import (
    BANK,
    PER_MOVE,
    fold,
    made_table,
    plan,
    snapshot,
    start,
    started_table,
    view_bytes,
    view_of,
    wait_no_longer,
    without_link,
)

BYTES = "0badcafe" * 8
OTHER = "aa" * 32


def bound(seat: int, data: str = BYTES, attempt: int = 0) -> str:
    """The hash that binds some bytes."""
    return seat_hash("aaaaaaaa", attempt, seat, bytes.fromhex(data))


HASH = bound(0)


def refuses(
    table: Table, error: type[QuarterdeckError], command: Callable[..., object], *given: Any
) -> None:
    """A command is refused with this error, and nothing has changed."""
    before = snapshot(table), len(table.pending)
    with pytest.raises(error):
        command(*given)
    assert (snapshot(table), len(table.pending)) == before


def act_first(table: Table, now: int, **given: Any) -> int:
    """Lets the first seat that is due do the first thing it may; which seat."""
    seat = table.playing.seats_to_act[0]
    table.act(seat, table.playing.legal(seat)[0], now, **given)
    return seat


def status_of(table: Table) -> str:
    """Asked for anew: the type checker takes an attribute to stay what it was."""
    return table.status


def play_out(table: Table, now: int = 5000, seed: int = 0) -> None:
    """Plays a game to its end at random."""
    rng = random.Random(seed)
    while table.status == "playing":
        seat = rng.choice(table.playing.seats_to_act)
        table.act(seat, rng.choice(table.playing.legal(seat)), now)
        now += 10


# Making, joining, leaving ----------------------------------------------------------------------


def test_a_table_has_the_seats_that_were_asked_for() -> None:
    table, tokens = made_table("mine", "open", "bot", "mine")
    assert [seat.kind for seat in table.seats] == ["person", "open", "bot", "person"]
    assert sorted(tokens) == [0, 3]
    assert table.status == "waiting"
    assert table.made.options["players"] == 4
    assert table.made.host == 0


def test_closed_seats_are_left_out() -> None:
    table, tokens = made_table("closed", "mine", "closed", "bot", "closed")
    assert [seat.kind for seat in table.seats] == ["person", "bot"]
    assert list(tokens) == [0]
    assert table.made.options["players"] == 2
    start(table, 1)
    assert table.playing.players == 2


def test_names_are_given_by_seat_or_by_maker() -> None:
    seats = (SeatPlan("mine", name=" Ann\tBonny "), SeatPlan("mine"), SeatPlan("bot"))
    table, _ = Table.make("aaaaaaaa", NewTable("skull-king", seats, "Jack"), 1)
    assert table.names[:2] == ["Ann Bonny", "Jack"]
    assert table.names[2]


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (plan("bot", "open"), BadMessage),
        (plan("closed", "closed"), BadOption),
        (plan("mine"), BadOption),
        (plan(*["mine"] * 7), BadOption),
        (plan("mine", "bot", options={"players": 3}), BadOption),
        (plan("mine", "bot", options={"wind": 3}), BadOption),
        (plan("mine", "bot", options={"players": True}), BadOption),
        (NewTable("chess", (SeatPlan("mine"), SeatPlan("bot")), "X"), UnknownGame),
        (NewTable("skull-king", (SeatPlan("mine"), SeatPlan("bot", "admiral")), "X"), BadOption),
        (NewTable("skull-king", (SeatPlan("mine"), SeatPlan("bot")), "\u200b \n"), BadMessage),
    ],
)
def test_what_cannot_be_a_table_is_refused(
    request_: NewTable, error: type[QuarterdeckError]
) -> None:
    with pytest.raises(error):
        Table.make("aaaaaaaa", request_, 1)


def test_a_guest_takes_the_first_open_seat_or_the_named_one() -> None:
    table, _ = made_table("mine", "open", "open", "open")
    named = table.join("Nan", 2, 1)
    first = table.join("Mo", None, 2)
    assert (named.seat, first.seat) == (2, 1)
    assert table.names[1:3] == ["Mo", "Nan"]
    assert table.seats_of([named.token]) == [2]
    refuses(table, NoSeat, table.join, "X", 2, 3)
    refuses(table, NoSeat, table.join, "X", 0, 3)
    refuses(table, NoSeat, table.join, "X", 9, 3)
    refuses(table, BadMessage, table.join, "\x00", None, 3)
    table.join("Last", None, 3)
    refuses(table, NoSeat, table.join, "X", None, 4)


def test_nobody_joins_a_game_under_way() -> None:
    table = started_table("mine", "open", "bot")
    refuses(table, WrongTime, table.join, "Late", None, 2)


def test_a_guest_leaves_before_the_start_and_the_seat_is_open() -> None:
    table, _ = made_table("mine", "open")
    key = table.join("Nan", None, 1)
    table.commit_bytes(1, 0, bound(1), 2)
    table.leave(1, 3)
    assert table.seats[1].kind == "open"
    assert 1 not in table.beginning.bound
    with pytest.raises(NotYourSeat):
        table.seats_of([key.token])
    refuses(table, WrongTime, table.leave, 0, 4)
    assert table.join("Other", None, 5).token != key.token


def test_who_leaves_during_the_game_gives_the_seat_to_a_bot() -> None:
    table = started_table("mine", "mine", "mine")
    token_hash = table.seats[1].token_hash
    name = table.names[1]
    table.leave(1, 2)
    assert table.seats[1].kind == "bot"
    assert table.names[1] == name
    assert token_hash not in [seat.token_hash for seat in table.seats]
    assert 1 in table.bots_to_act()


def test_the_host_sends_guests_away_before_the_start() -> None:
    table, _ = made_table("mine", "open", "bot")
    key = table.join("Nan", None, 1)
    refuses(table, NotHost, table.remove, [1], 0, 2)
    refuses(table, NotHost, table.remove, [], 1, 2)
    refuses(table, NoSeat, table.remove, [0], 2, 2)
    refuses(table, NoSeat, table.remove, [0], 0, 2)
    refuses(table, NoSeat, table.remove, [0], 15, 2)
    table.remove([0], 1, 3)
    assert table.seats[1].kind == "open"
    with pytest.raises(NotYourSeat):
        table.seats_of([key.token])
    other = table.join("Nan", None, 4)
    table.start([0], 5)
    refuses(table, WrongTime, table.remove, [0], other.seat, 6)


# Start, pause, resign, rematch -----------------------------------------------------------------


def test_the_host_starts_once_and_open_seats_get_bots() -> None:
    table, _ = made_table("mine", "open", "open")
    table.join("Nan", 2, 1)
    refuses(table, NotHost, table.start, [2], 2)
    refuses(table, NotHost, table.start, [], 2)
    start(table, 3)
    assert table.status == "playing"
    assert [seat.kind for seat in table.seats] == ["person", "bot", "person"]
    assert table.playing.node == SEALED
    refuses(table, WrongTime, table.start, [0], 4)
    refuses(table, WrongTime, table.commit_bytes, 0, 0, HASH, 4)


def test_before_the_start_there_is_nothing_to_do_or_see() -> None:
    table, _ = made_table("mine", "bot")
    refuses(table, WrongTime, table.act, 0, "bid 0", 2)
    refuses(table, WrongTime, table.pause, [0], True, 2)
    refuses(table, WrongTime, table.resign, 0, 2)
    refuses(table, WrongTime, table.own, 0)
    refuses(table, WrongTime, table.shown, (), 2)
    refuses(table, WrongTime, table.record)
    refuses(table, WrongTime, table.make_rematch, 2)
    assert table.bots_to_act() == []


def test_an_action_answers_its_decision() -> None:
    table = started_table("mine", "mine", "mine")
    decision = table.playing.decision
    refuses(table, PastDecision, lambda: table.act(0, "bid 0", 2, decision=decision - 1))
    refuses(table, PastDecision, lambda: table.act(0, "bid 0", 2, decision=decision + 1))
    refuses(table, IllegalAction, lambda: table.act(0, "bid 7", 2, decision=decision))
    refuses(table, QuarterdeckError, lambda: table.act(0, "sing", 2, decision=decision))
    for seat in (2, 0, 1):  # in any order; each answers the same decision
        table.act(seat, "bid 0", 3, decision=decision)
    assert table.playing.decision != decision
    refuses(table, PastDecision, lambda: table.act(0, "bid 1", 4, decision=decision))


def test_a_sealed_choice_is_final() -> None:
    table = started_table("mine", "mine")
    table.act(1, "bid 0", 2)
    refuses(table, NotYourTurn, table.act, 1, "bid 1", 3)


def test_after_the_reveal_the_order_of_sealed_choices_is_forgotten() -> None:
    seen = set()
    base = started_table("mine", "mine", "mine")
    for order in permutations(range(3)):
        table = fold(base)
        for seat in order:
            table.act(seat, f"bid {seat % 2}", 2)
        views = [without_link(view_bytes(table, seat)) for seat in (None, 0, 1, 2)]
        seen.add((table.playing.state.tobytes(), *views))
    assert len(seen) == 1


def test_what_chance_owes_is_drawn_in_the_same_breath() -> None:
    table = started_table("mine", "mine")
    for _ in range(60):
        table.pending.clear()
        act_first(table, 2)
        assert table.status == "over" or table.playing.node != CHANCE
        by = [entry.by for entry in table.pending if isinstance(entry, journal.Acted)]
        assert by[0] >= 0
        assert all(actor == -1 for actor in by[1:])


def test_the_host_pauses_and_goes_on() -> None:
    table = started_table("mine", "mine", "bot")
    refuses(table, WrongTime, table.pause, [0], False, 2)
    refuses(table, NotHost, table.pause, [1], True, 2)
    table.pause([0, 1], True, 3)
    assert status_of(table) == "paused"
    assert table.bots_to_act() == []
    assert table.own(0).legal == ()
    assert table.own(0).templates == ()
    refuses(table, WrongTime, table.act, 0, "bid 0", 4)
    refuses(table, WrongTime, table.pause, [0], True, 4)
    refuses(table, NotHost, table.pause, [1], False, 4)
    table.pause([0], False, 5)
    assert status_of(table) == "playing"
    assert table.bots_to_act() == [2]
    assert table.own(0).legal


def test_resigning_ends_a_game_of_two() -> None:
    table = started_table("mine", "mine")
    act_first(table, 2)
    table.resign(1, 3)
    assert table.status == "over"
    assert table.outcome.winners == [0]
    assert table.told((), (), 0).resigned == 1
    assert table.told((), (), 0).winners == (0,)
    refuses(table, WrongTime, table.act, 0, "bid 0", 4)
    refuses(table, WrongTime, table.resign, 0, 4)


@pytest.mark.parametrize("moves", [0, 1, 5, 60])
def test_the_record_of_a_resigned_game_replays_and_verifies(moves: int) -> None:
    table = started_table("mine", "mine")
    for move in range(moves):
        act_first(table, 2 + move)
    table.resign(0, 1000)
    told = read_record(write_record(table.record()))
    assert told.outcome is not None
    assert (told.outcome.resigned, told.outcome.winners) == (0, [1])
    assert Match.from_record(told).log == table.playing.log
    verdict = verify(told)
    assert verdict.scheme == "roster"
    assert verdict.draws >= 2
    assert told.seats == table.names


def test_resigning_from_a_larger_game_leaves_the_seat_to_a_bot() -> None:
    table = started_table("mine", "mine", "mine")
    table.resign(1, 2)
    assert table.status == "playing"
    assert table.bots_to_act() == [1]
    refuses(table, WrongTime, table.resign, 1, 3)
    refuses(table, WrongTime, table.act, 1, "bid 0", 3)
    table.act(1, "bid 0", 4, via="bot")
    table.stand_in(1, 5)
    table.come_back([1], 6)
    assert table.seats[1].resigned
    assert table.told((), (), 0).resigned is None


def test_a_bot_stands_in_for_who_is_away_and_gives_the_seat_back() -> None:
    table = started_table("mine", "mine", "bot")
    table.stand_in(1, 2)
    table.stand_in(2, 2)  # a bot is never away
    assert [seat.stand_in for seat in table.seats] == [False, True, False]
    assert table.bots_to_act() == [1, 2]
    seq = table.seq
    table.stand_in(1, 3)
    assert table.seq == seq
    table.come_back([0, 1], 4)
    assert table.seq == seq + 1
    assert table.bots_to_act() == [2]
    waiting, _ = made_table("mine", "mine")
    waiting.stand_in(1, 2)
    assert not waiting.seats[1].stand_in


def test_a_rematch_has_the_same_people_and_tokens() -> None:
    table, tokens = made_table("mine", "mine", "bot", clock=BANK)
    table.commit_bytes(0, 0, HASH, 1)
    start(table, 1)
    refuses(table, WrongTime, table.make_rematch, 2)
    table.stand_in(1, 2)
    play_out(table)
    other = table.make_rematch(10**6)
    table.announce(other.id, 10**6)
    assert table.rematch == other.id == table.rematch_id
    assert other.status == "waiting"
    assert other.names == table.names
    assert other.made.clock == BANK
    assert other.made.secret != table.made.secret
    assert other.seats_of(tokens.values()) == [0, 1]
    assert other.beginning.bound == {}
    assert not any(seat.stand_in for seat in other.seats)
    refuses(table, WrongTime, table.make_rematch, 10**6)
    assert snapshot(fold(other)) == snapshot(other)


# Fairness --------------------------------------------------------------------------------------


def reveal(table: Table, seat: int, data: str, now: int) -> None:
    table.reveal_bytes(seat, table.beginning.hash.hex(), data, now)


def about_to_reveal(*seats: str) -> Table:
    """A table whose roster is fixed, with the bytes of the first two seats."""
    table, _ = made_table(*seats)
    table.commit_bytes(0, 0, HASH, 1)
    table.commit_bytes(1, 0, bound(1, OTHER), 1)
    table.start([0], 2)
    return table


def test_bound_bytes_are_revealed_after_the_roster_and_before_the_first_draw() -> None:
    table, _ = made_table("mine", "mine", "bot")
    table.commit_bytes(0, 0, HASH, 1)
    refuses(table, WrongTime, table.commit_bytes, 0, 1, HASH, 1)  # no such attempt yet
    table.commit_bytes(1, 0, "0" * 64, 1)
    table.commit_bytes(1, 0, bound(1, OTHER), 1)  # until the roster is fixed it may change
    refuses(table, WrongTime, table.reveal_bytes, 0, "0" * 64, BYTES, 2)
    assert table.roster_told() is None
    table.start([0], 2)
    assert status_of(table) == "revealing"
    told = table.roster_told()
    assert told is not None
    assert told.reveals is None
    assert [seat.bound for seat in told.roster.seats] == [HASH, bound(1, OTHER), None]
    assert [seat.kind for seat in told.roster.seats] == ["person", "person", "bot"]
    for seat, name, salt in zip(told.roster.seats, table.names, told.salts, strict=True):
        assert salt is not None
        assert seat.name == name_hash(bytes.fromhex(salt), name)
    assert table.match is None
    refuses(table, WrongTime, table.act, 0, "bid 0", 3)
    refuses(table, WrongTime, table.commit_bytes, 0, 0, "1" * 64, 3)
    seq = table.seq
    table.commit_bytes(0, 0, HASH, 3)
    assert table.seq == seq
    refuses(table, WrongTime, table.reveal_bytes, 0, "0" * 64, BYTES, 3)  # another roster
    refuses(table, BadMessage, reveal, table, 0, OTHER, 3)  # another's bytes
    refuses(table, BadMessage, reveal, table, 2, BYTES, 3)  # nothing was bound
    reveal(table, 0, BYTES, 4)
    seq = table.seq
    reveal(table, 0, BYTES, 4)
    assert table.seq == seq
    told = table.roster_told()
    assert told is not None
    assert told.reveals is None  # nobody is shown any before all are there
    reveal(table, 1, OTHER, 5)
    assert status_of(table) == "playing"
    told = table.roster_told()
    assert told is not None
    assert told.reveals == ((0, BYTES), (1, OTHER))
    play_out(table)
    proof = table.record().fairness
    assert isinstance(proof, RosterProof)
    assert proof.reveals == ((0, BYTES), (1, OTHER))
    assert verify(table.record()).scheme == "roster"


def test_the_roster_waits_for_people_and_not_for_programs() -> None:
    table, _ = made_table("mine", "open", "open", "bot")
    table.join("Nan", 1, 1)
    table.join("Robot", 2, 1, program=True)
    assert table.contributors == [0, 1]
    table.commit_bytes(0, 0, HASH, 1)
    table.start([0], 2)
    assert table.stage == (0, False)
    table.commit_bytes(2, 0, bound(2), 3)
    assert table.contributors == [0, 1, 2]
    table.commit_bytes(1, 0, bound(1), 3)
    assert table.stage == (0, True)
    assert table.beginning.missing == [0, 1, 2]


def test_who_binds_nothing_in_time_contributes_nothing() -> None:
    table, _ = made_table("mine", "mine")
    table.commit_bytes(0, 0, HASH, 1)
    table.start([0], 2)
    assert table.stage == (0, False)
    table.wait_no_longer((0, True), 3)  # not what it waits for
    assert table.stage == (0, False)
    table.wait_no_longer((0, False), 3)
    assert table.beginning.missing == [0]
    reveal(table, 0, BYTES, 4)
    assert status_of(table) == "playing"


def test_an_attempt_with_a_reveal_missing_is_void_and_counted() -> None:
    table = about_to_reveal("mine", "mine", "bot")
    first = table.beginning.hash
    reveal(table, 0, BYTES, 3)
    table.wait_no_longer((0, True), 4)
    assert (table.beginning.attempt, table.contributors) == (1, [0])
    assert table.beginning.bound == {}
    assert table.roster_told() is None
    refuses(table, WrongTime, table.commit_bytes, 0, 0, HASH, 5)  # of the attempt before
    refuses(table, WrongTime, table.commit_bytes, 1, 1, bound(1, OTHER, 1), 5)  # was missing
    table.commit_bytes(0, 1, bound(0, OTHER, 1), 5)
    refuses(table, WrongTime, table.reveal_bytes, 0, first.hex(), OTHER, 6)
    assert table.beginning.roster is not None
    assert table.beginning.roster.voids == (Void(0, first.hex(), (1,)),)
    assert table.beginning.secret.hex() != table.made.secret
    reveal(table, 0, OTHER, 7)
    assert status_of(table) == "playing"
    assert snapshot(fold(table)) == snapshot(table)


def test_nobody_left_to_contribute_the_game_begins_all_the_same() -> None:
    table = about_to_reveal("mine", "mine")
    table.wait_no_longer((0, True), 4)
    assert status_of(table) == "playing"
    assert table.beginning.roster is not None
    assert table.beginning.roster.voids[0].missing == (0, 1)
    assert table.beginning.roster.contributors == []


def test_who_leaves_without_revealing_voids_the_attempt_at_once() -> None:
    table = about_to_reveal("mine", "mine", "mine")
    table.wait_no_longer((0, False), 3)
    reveal(table, 0, BYTES, 3)
    table.leave(1, 4)
    assert table.stage == (1, False)
    assert table.contributors == [0, 2]


def test_who_leaves_after_revealing_is_in_the_chain() -> None:
    table = about_to_reveal("mine", "mine", "mine")
    table.wait_no_longer((0, False), 3)
    reveal(table, 0, BYTES, 3)
    table.leave(0, 4)
    assert table.stage == (0, True)
    reveal(table, 1, OTHER, 5)
    assert status_of(table) == "playing"
    assert table.facts == [Fact(0, "left 0", 4)]
    assert snapshot(fold(table)) == snapshot(table)


def test_facts_are_bound_while_the_game_goes_on() -> None:
    table = started_table("mine", "mine", "mine")
    assert table.chain is not None
    before = table.chain.n
    table.stand_in(1, 5)
    table.come_back([1], 6)
    table.stand_in(2, 6)
    table.resign(0, 7)
    table.leave(1, 8)
    assert [fact.do for fact in table.facts] == [
        "stood-in 1", "returned 1", "stood-in 2", "resigned 0", "left 1",
    ]  # fmt: skip
    assert table.chain.n == before + 5
    while table.status != "over":
        act_first(table, 10, via="bot")
    assert table.chain is not None
    links = table.chain.n
    table.come_back([2], 10**7)  # after the end nothing is bound any more
    assert not table.seats[2].stand_in
    assert table.chain.n == links
    assert verify(table.record()).scheme == "roster"


def test_every_byte_of_a_browser_changes_the_draws() -> None:
    tables = []
    for data in (BYTES, OTHER):
        table, _ = made_table("mine", "bot")
        table.commit_bytes(0, 0, bound(0, data), 1)
        table.start([0], 2)
        reveal(table, 0, data, 3)
        tables.append(table)
    draws = [[table.playing.chance.rng(draw).tobytes() for draw in range(3)] for table in tables]
    assert not set(draws[0]) & set(draws[1])


def test_a_game_of_before_there_were_rosters_goes_on() -> None:
    """Its journal has hashes of one kind only, and begins with what was revealed."""
    table, _ = made_table("mine", "mine")
    entries: list[journal.JournalEntry] = [
        *table.pending,
        journal.Committed(1, 0, hashlib.sha256(bytes.fromhex("aa")).hexdigest()),
        journal.Committed(1, 1, "0" * 64),
        journal.Revealing(2, ("Maker", "Maker")),
        journal.Revealed(3, 0, "aa"),
    ]
    begun = Table.read([*entries, journal.Started(4)])
    assert (begun.status, begun.chain, begun.roster_told()) == ("playing", None, None)
    begun._draw(5)
    assert begun.shown([], 6).link is None
    play_out(begun)
    verdict = verify(begun.record())
    assert verdict.scheme == "commit-reveal"
    proof = begun.record().fairness
    assert isinstance(proof, CommitReveal)
    assert [part.revealed for part in proof.contributions] == ["aa"]
    # one that was only about to begin does so as any other
    waiting = Table.read(entries)
    assert (waiting.stage, waiting.contributors) == ((0, False), [0, 1])
    waiting.commit_bytes(0, 0, HASH, 5)
    wait_no_longer(waiting, 6)
    assert status_of(waiting) == "playing"
    assert waiting.chain is not None


def test_the_secret_is_told_only_after_the_end() -> None:
    table = started_table("mine", "mine")
    refuses(table, WrongTime, table.record)
    secret = table.made.secret.encode()
    told = [encode(table.told((0,), {0}, 1)), encode(table.line({0}))]
    told += [view_bytes(table, seat, table.steps) for seat in (None, 0, 1)]
    assert not any(secret in data for data in told)
    play_out(table)
    assert secret in write_record(table.record())


# Tokens ----------------------------------------------------------------------------------------


def test_tokens_open_their_own_seats_only() -> None:
    table, tokens = made_table("mine", "open", "bot", "mine")
    key = table.join("Nan", None, 1)
    assert table.seats_of([]) == []
    assert table.seats_of([tokens[3], tokens[0], tokens[3]]) == [0, 3]
    assert table.seats_of([key.token]) == [1]
    for wrong in ("", "x" * 32, key.token + "x", key.token[:-1], hash_token(key.token)):
        with pytest.raises(NotYourSeat):
            table.seats_of([tokens[0], wrong])
    other, _ = made_table("mine", "bot")
    with pytest.raises(NotYourSeat):
        other.seats_of([tokens[0]])


def test_tokens_are_kept_as_hashes_only() -> None:
    table, tokens = made_table("mine", "open", "mine")
    key = table.join("Nan", None, 1)
    start(table, 2)
    play_out(table)
    secrets = [token.encode() for token in (*tokens.values(), key.token)]
    hashes = [hash_token(token.decode()).encode() for token in secrets]
    kept = b"".join(write_entry(entry) for entry in table.pending)
    told = write_record(table.record()) + encode(table.told((0,), {0}, 1)) + encode(table.line([]))
    told += b"".join(view_bytes(table, seat) for seat in (None, 0, 1, 2))
    for token, hashed in zip(secrets, hashes, strict=True):
        assert token not in kept + told
        assert hashed in kept
        assert hashed not in told
    assert len(set(secrets)) == 3
    assert min(map(len, secrets)) >= 32


# Chat ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Ahoy", "Ahoy"),
        ("  a \t b\r\nc ", "a b c"),
        ("a\x00b\x1b[31mc", "a b [31mc"),
        ("left\u202eright", "left right"),
        ("zero\u200bwidth\ufeff", "zero width"),
        ("line\u2028break", "line break"),
        ("über die Planke – ⚓ 🏴", "über die Planke – ⚓ 🏴"),
        ('<b>bold</b> & "q"', '<b>bold</b> & "q"'),
    ],
)
def test_texts_are_cleaned(said: str, kept: str) -> None:
    assert clean_text(said) == kept
    assert clean_name(said) == kept


@pytest.mark.parametrize("empty", ["", " ", "\n\t", "\u200b", "\x00\x01", "\u2029"])
def test_nothing_is_no_name_and_nothing_to_say(empty: str) -> None:
    with pytest.raises(BadMessage):
        clean_name(empty)
    table, _ = made_table("mine", "bot")
    refuses(table, BadMessage, table.say, 0, "Maker", empty, 1)


def test_the_last_lines_of_chat_are_kept() -> None:
    table, _ = made_table("mine", "bot")
    for number in range(KEPT_CHAT + 5):
        line = table.say(None if number % 2 else 0, "Maker", f" say  {number}", number)
        assert (line.text, line.at) == (f"say {number}", number)
    assert len(table.chat) == KEPT_CHAT
    assert [line.text for line in table.chat] == [f"say {n}" for n in range(5, KEPT_CHAT + 5)]
    numbers = [line.number for line in table.chat]
    assert numbers == sorted(set(numbers))
    assert fold(table).chat == table.chat


# Clocks ----------------------------------------------------------------------------------------


def test_without_a_clock_nobody_runs_out() -> None:
    table = started_table("mine", "mine")
    assert table.next_timeout() is None
    assert table.clocks(10**9) is None


def test_a_clock_for_each_move() -> None:
    table = started_table("mine", "mine", now=1000, clock=PER_MOVE)
    assert table.next_timeout() == (31_000, 0)
    clocks = table.clocks(1400)
    assert clocks is not None
    assert (clocks.left_ms, clocks.running) == ((29_600, 29_600), (0, 1))
    table.act(0, "bid 0", 11_000)
    assert table.next_timeout() == (31_000, 1)  # who has chosen waits, the other clock goes on
    clocks = table.clocks(12_000)
    assert clocks is not None
    assert (clocks.left_ms, clocks.running) == ((30_000, 19_000), (1,))
    table.act(1, "bid 0", 20_000)
    deadline, seat = table.next_timeout() or (0, 0)
    assert deadline == 50_000
    assert [seat] == table.playing.seats_to_act
    clocks = table.clocks(60_000)
    assert clocks is not None
    assert clocks.left_ms[seat] == 0


def test_a_bank_with_increment() -> None:
    table = started_table("mine", "mine", now=0, clock=BANK)
    table.act(1, "bid 0", 10_000)
    assert table.left_ms == [60_000, 52_000]
    table.act(0, "bid 0", 59_000)
    assert table.left_ms == [3_000, 52_000]
    (seat,) = table.playing.seats_to_act
    left = table.left_ms[seat]
    assert table.next_timeout() == (59_000 + left, seat)
    act_first(table, 59_000 + left + 500)  # acknowledged late: nothing is left, never less
    assert table.left_ms[seat] == 2_000


@pytest.mark.parametrize("clock", [BANK, PER_MOVE])
def test_an_aside_neither_stops_nor_feeds_a_clock(clock: Clock) -> None:
    """Whoever shows doubloons has still to act, and no more time than before."""
    table = started_table("mine", "mine", game="piratoons", now=0, clock=clock)
    (captain,) = table.playing.seats_to_act
    due = table.next_timeout()
    for at, text in ((1_000, "show"), (2_000, "hide"), (3_000, "show")):
        table.act(captain, text, at)
        assert table.next_timeout() == due
    assert table.next_timeout() == fold(table).next_timeout()
    table.act(captain, "open", 5_000)
    spent = 5_000 - clock.increment_ms if clock is BANK else 0
    assert table.left_ms[captain] == (clock.bank_ms if clock is BANK else clock.move_ms) - spent


def test_a_paused_clock_stands_still() -> None:
    table = started_table("mine", "mine", now=0, clock=BANK)
    table.pause([0], True, 5_000)
    assert table.next_timeout() is None
    clocks = table.clocks(50_000)
    assert clocks is not None
    assert (clocks.left_ms, clocks.running) == ((55_000, 55_000), ())
    table.pause([0], False, 100_000)
    assert table.next_timeout() == (155_000, 0)


def test_a_paused_move_begins_anew_without_a_bank() -> None:
    table = started_table("mine", "mine", now=0, clock=PER_MOVE)
    table.pause([0], True, 29_000)
    table.pause([0], False, 100_000)
    assert table.next_timeout() == (130_000, 0)


def test_the_time_the_server_was_down_runs_on_no_clock() -> None:
    table = started_table("mine", "mine", now=0, clock=BANK)
    table.act(0, "bid 0", 1_000)
    table = fold(table)
    table.wake(500_000)
    assert table.next_timeout() == (560_000, 1)
    table.act(1, "bid 0", 504_000)
    assert table.left_ms[1] == 60_000 - 4_000 + 2_000


def test_waking_a_table_where_no_clock_runs_writes_nothing() -> None:
    for table in (made_table("mine", "bot")[0], started_table("mine", "mine")):
        if table.status == "playing":
            table.pause([0], True, 2)
        seq = table.seq
        table.wake(9)
        assert table.seq == seq


def test_a_clock_that_goes_backwards_gives_no_time() -> None:
    table = started_table("mine", "mine", now=10_000, clock=BANK)
    table.act(0, "bid 0", 4_000)
    assert table.left_ms[0] == 62_000
    clocks = table.clocks(3_000)
    assert clocks is not None
    assert clocks.left_ms[1] == 60_000


def test_a_timeout_is_the_seats_own_action() -> None:
    table = started_table("mine", "mine", clock=Clock("per-move", move_ms=1000))
    table.act(0, "bid 0", 2_000, via="timeout")
    entry = table.playing.log[-1]
    assert (entry.by, entry.do, entry.via, entry.at) == (0, "bid 0", "timeout", 2_000)


def test_the_end_stops_all_clocks() -> None:
    table = started_table("mine", "mine", now=0, clock=BANK)
    table.resign(0, 7_000)
    assert table.next_timeout() is None
    clocks = table.clocks(10**6)
    assert clocks is not None
    assert (clocks.left_ms, clocks.running) == ((53_000, 53_000), ())


# The journal -----------------------------------------------------------------------------------


COMMANDS = (
    *["act"] * 6, "join", "leave", "remove", "start", "commit", "reveal", "begin", "say", "pause",
    "go", "resign", "away", "back", "wake", "bot", "rematch",
)  # fmt: skip


def random_command(table: Table, rng: random.Random, now: int) -> None:
    """Something somebody might do, allowed or not."""
    seats = len(table.seats)
    seat = rng.randrange(seats)
    other = rng.randrange(seats)
    match rng.choice(COMMANDS):
        case "act":
            due = table.playing.seats_to_act or [seat]
            actor = rng.choice([*due, seat])
            do = rng.choice([*table.playing.legal(actor), "bid 3", "play king"])
            vias: list[Literal["timeout"] | None] = [None, None, None, "timeout"]
            table.act(actor, do, now, via=rng.choice(vias))
        case "bot":
            actor = rng.choice(table.bots_to_act())
            table.act(actor, rng.choice(table.playing.legal(actor)), now, via="bot")
        case "join":
            table.join(f"Guest {now}", rng.choice([None, seat]), now)
        case "leave" if rng.random() < 0.3:
            table.leave(seat, now)
        case "remove":
            table.remove([other], seat, now)
        case "start":
            table.start([other], now)
        case "commit":
            attempt = table.beginning.attempt
            hash = rng.choice([bound(seat, BYTES, attempt), "0" * 64])
            table.commit_bytes(seat, rng.choice([attempt, attempt, 0]), hash, now)
        case "reveal":
            reveal(table, seat, BYTES, now)
        case "begin":
            table.wait_no_longer(table.stage or (0, True), now)
        case "say":
            table.say(rng.choice([None, seat]), "Name", "Ahoy", now)
        case "pause":
            table.pause([other], True, now)
        case "go":
            table.pause([other], False, now)
        case "resign" if rng.random() < 0.1:
            table.resign(seat, now)
        case "away":
            table.stand_in(seat, now)
        case "back":
            table.come_back([seat], now)
        case "wake":
            table.wake(now)
        case "rematch":
            table.make_rematch(now)


@pytest.mark.parametrize("seed", range(24))
def test_after_every_command_the_journal_tells_the_same_table(seed: int) -> None:
    rng = random.Random(seed)
    kinds = ["mine", *rng.choices(["mine", "open", "bot"], k=rng.randint(1, 4))]
    clock = rng.choice([Clock(), PER_MOVE, BANK])
    table, _ = made_table(*kinds, clock=clock)
    now, refused = 1000, 0
    for _ in range(250):
        now += rng.randint(0, 4000)
        before, seq = snapshot(table), len(table.pending)
        try:
            random_command(table, rng, now)
        except (QuarterdeckError, IndexError):  # IndexError: no bot to choose from
            refused += 1
            assert (snapshot(table), len(table.pending)) == (before, seq)
            continue
        if len(table.pending) != seq:
            assert snapshot(fold(table)) == snapshot(table)
    assert 0 < refused < 250


def test_what_is_pending_comes_with_its_place() -> None:
    table, _ = made_table("mine", "mine")
    first, entries = table.take_pending()
    assert (first, [type(entry) for entry in entries]) == (0, [journal.Made])
    assert table.take_pending() == (1, [])
    start(table, 2)
    first, more = table.take_pending()
    assert first == 1
    assert snapshot(Table.read(entries + more)) == snapshot(table)


def test_a_table_read_from_its_journal_tells_no_old_events() -> None:
    table = started_table("mine", "mine")
    assert table.take_steps()
    assert table.take_steps() == []
    assert fold(table).take_steps() == []


def test_a_view_is_told_with_its_events() -> None:
    table = started_table("mine", "mine")
    table.take_steps()
    table.act(1, "bid 1", 2)
    steps = table.take_steps()
    other, own, watcher = (view_of(table, seat, steps) for seat in (0, 1, None))
    assert [event["key"] for event in other["events"]] == ["bid-sealed"]
    assert other["seq"] == own["seq"] == watcher["seq"] == len(table.playing.log)
    assert other["legal"] == ["bid 0", "bid 1"]
    assert own["legal"] == watcher["legal"] == []
    assert other["view"]["bids"][1] == watcher["view"]["bids"][1] == "?"
    assert own["view"]["bids"][1] == 1
    assert watcher["seat"] is None
    assert watcher["view"]["hands"] == [["?"], ["?"]]


def test_a_host_who_goes_hands_over_to_the_next_person() -> None:
    table = started_table("mine", "bot", "mine", "mine")
    assert table.host == 0
    table.leave(0, 2000)
    assert table.host == 2
    table.resign(2, 2100)
    assert table.host == 3
    table.pause([3], True, 2200)
    refuses(table, NotHost, table.pause, [2], False, 2300)
    assert fold(table).host == 3

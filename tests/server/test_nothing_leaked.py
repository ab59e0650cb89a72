"""Nothing leaked: what a seat may not see changes no byte it is sent.

Each hand of a game is played through a hub, with clients on seats and one that watches. Then
it is played again in a *twin*: a deal in which one seat, the observer, holds the same cards and all
others, as far as they have not played them, hold different ones, and in which sealed bids are
others too. Up to a chosen moment everything visible happens alike, so up to that moment the
observer and the spectator must be sent the same messages: each byte, hence each size, their number
and their order. Both also ask for things they may not do, because refusals could tell something.

A second test does the same for every single step of games of all kinds, on tables alone.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
from msgspec import structs, to_builtins

from quarterdeck.contract import (
    CHANCE,
    NATURE,
    SEALED,
    Game,
    QuarterdeckError,
    Rng,
    Shown,
    record,
    seed_rng,
)
from quarterdeck.engine.match import Match
from quarterdeck.engine.record import Entry, GameRecord, actor_name
from quarterdeck.games import GAME_IDS, find_game
from quarterdeck.server import hub as hub_module
from quarterdeck.server import journal
from quarterdeck.server import live_table as live_table_module
from quarterdeck.server import table as table_module
from quarterdeck.server.errors import WrongTime
from quarterdeck.server.hub import Hub
from quarterdeck.server.journal import write_entry
from quarterdeck.server.limits import Limits
from quarterdeck.server.live_table import LiveTable
from quarterdeck.server.protocol import Clock, OwnTold
from quarterdeck.server.table import Table

from .helpers import (
    Ear,
    MemoryStorage,
    begun_journal,
    made_table,
    plan,
    start,
    view_bytes,
    without_link,
)

GAMES = int(os.environ.get("QUARTERDECK_LEAK_GAMES", "50"))
SKULL_KING = find_game("skull-king")
CLOCKS = (Clock(), Clock("per-move", move_ms=3_600_000), Clock("bank", bank_ms=3_600_000))
BEGIN_MS = 1_700_000_000_000


class Leak(AssertionError):
    """Somebody was sent something that depends on what they may not see."""


@dataclass
class Script:
    """What chance draws, by the number of the log entry, and what time it is."""

    draws: dict[int, str] = field(default_factory=dict)
    now: int = BEGIN_MS


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    """Chance and time as the test wants them."""
    script = Script()
    monkeypatch.setattr(Match, "next_draw", lambda match: script.draws[len(match.log)])
    monkeypatch.setattr(table_module, "new_salt", lambda: "00" * 16)
    for module in (hub_module, live_table_module):
        monkeypatch.setattr(module, "now_ms", lambda: script.now)
    return script


# A hand, and its twins -------------------------------------------------------------------------


@dataclass
class Move:
    """An action of a seat; without a text, the host's start. `asides` are asked before it."""

    seat: int
    do: str | None
    asides: list[tuple[bool, str, dict[str, Any]]]  # (by the observer?, type, fields)


@dataclass
class Heard:
    """What was sent to whom, and how much of it after so many moves."""

    observer: list[bytes]
    watcher: list[bytes]
    neighbour: list[bytes]
    marks: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class Hand:
    """One hand of a game, and the table it is played at. Its first move brings about the deal."""

    game: Match  # played to the end
    made: Table
    tokens: dict[int, str]
    number: int
    first: int  # the log entry of its first move
    deal: int  # the log entry of its deal
    observer: int
    moves: list[Move]

    def journal(self) -> list[bytes]:
        """The journal up to the first move."""
        entries: list[Any] = [self.made.made]
        if self.number > 1:
            entries = [*begun_journal(self.made.made, BEGIN_MS)]
            log = actions_of(self.game)[: self.first]
            entries += [journal.Acted(BEGIN_MS, by, do) for by, do in log]
        return [write_entry(entry) for entry in entries]


def actions_of(match: Match) -> list[tuple[int, str]]:
    return [(NATURE if entry.by == "nature" else int(entry.by), entry.do) for entry in match.log]


def replayed(game: Match, log: list[tuple[int, str]]) -> Match:
    """The match that another log of the same game makes."""
    entries = [Entry(actor_name(by), do) for by, do in log]
    return Match.from_record(GameRecord(1, game.game.id, game.options, entries))


def random_game(id: str, options: dict[str, Any], seed: int) -> Match:
    """A game played at random."""
    rng = random.Random(f"{id} {options} {seed}")
    match = Match(find_game(id), options, seed=seed)
    while not match.is_over:
        if match.node == CHANCE:
            match.act(NATURE, drawn(match))
        else:
            seat = rng.choice(match.seats_to_act)
            match.act(seat, rng.choice(match.legal(seat)))
    return match


drawn = Match.next_draw


def hands_of(game: Match, rng: random.Random) -> Iterator[Hand]:
    """The hands of a game, each with an observer and what is asked besides."""
    made, tokens = made_table(*["mine"] * game.players, clock=rng.choice(CLOCKS))
    log = actions_of(game)
    deals = [index for index, (_, do) in enumerate(log) if do.startswith("deal")]
    for number, (deal, end) in enumerate(zip(deals, [*deals[1:], len(log)], strict=True), start=1):
        first = deal - 1 if number > 1 else 0
        observer = rng.randrange(game.players)
        moves = [Move(by, do, []) for by, do in log[first:end] if by >= 0]
        if number == 1:
            moves.insert(0, Move(made.made.host, None, []))
        for move in moves[1:]:
            if rng.random() < 0.4:
                move.asides.append(aside(game, observer, rng))
        yield Hand(game, made, tokens, number, first, deal, observer, moves)


def aside(game: Match, observer: int, rng: random.Random) -> tuple[bool, str, dict[str, Any]]:
    """Something that is refused, or changes nothing that is hidden."""
    cards = ["king", "mary:escape", "mermaid", "k13", "y1", "b7"]
    do = rng.choice(["bid 0", "bid 11", "deal k1/k2", "sing", *(f"play {card}" for card in cards)])
    other = rng.choice([seat for seat in range(game.players) if seat != observer])
    asides: list[tuple[bool, str, dict[str, Any]]] = [
        (True, "act", {"seat": observer, "decision": None, "do": do}),
        (True, "act", {"seat": observer, "decision": None, "do": do}),
        (True, "act", {"seat": observer, "decision": 0, "do": do}),
        (True, "act", {"seat": other, "decision": None, "do": do}),
        (False, "act", {"seat": other, "decision": None, "do": do}),
        (True, "chat", {"text": "What have you got?"}),
        (False, "chat", {"text": "Who has the king?"}),
        (True, "ping", {}),
    ]
    return rng.choice(asides)


async def play_hand(hand: Hand, moves: list[Move], script: Script) -> Heard:
    """Plays moves of a hand through a hub, after its journal so far; what was heard.

    The observer and a neighbour have clients. The rest act at the table itself, which saves time.
    """
    storage = MemoryStorage()
    storage.journals[hand.made.id] = hand.journal()
    hub = Hub(storage, Limits.unlimited())
    script.now = BEGIN_MS
    observer, neighbour, watcher = Ear(hub), Ear(hub), Ear(hub)
    ears = {hand.observer: observer, (hand.observer + 1) % hand.game.players: neighbour}
    for seat, ear in ears.items():
        ear.binder = None
        await ear.ask("attach", table=hand.made.id, tokens=[hand.tokens[seat]])
    await watcher.ask("attach", table=hand.made.id)
    live = hub.tables[hand.made.id]
    heard = Heard(observer.heard, watcher.heard, neighbour.heard)
    for move in moves:
        heard.marks.append((len(heard.observer), len(heard.watcher)))
        script.now += 700
        match = live.table.match
        decision = match.decision if match is not None else 0
        for is_observer, kind, fields in move.asides:
            if fields.get("decision", 0) is None:
                fields = fields | {"decision": decision}
            if kind != "act" or match is None or fields["do"] not in match.legal(hand.observer):
                await (observer if is_observer else watcher).ask(kind, **fields)
        await carry_out(live, move, decision, ears.get(move.seat))
        listed = hub.listing.page_bytes()  # told to whoever asks
        watcher.heard.append(b'{"type":"list","list":' + listed + b"}")
    heard.marks.append((len(heard.observer), len(heard.watcher)))
    await hub.search_pool.close()
    return heard


async def carry_out(live: LiveTable, move: Move, decision: int, ear: Ear | None) -> None:
    """Makes a move by the seat's client, if it has one, or at the table itself."""
    do = move.do
    if do is None:
        await live.change(start)
    elif ear is None:
        await live.change(lambda table, now: table.act(move.seat, do, now, decision=decision))
    else:
        answer = await ear.ask("act", seat=move.seat, decision=decision, do=do)
        assert answer["type"] == "ok", answer


def twin_of(hand: Hand, moves: int, rng: random.Random) -> list[tuple[int, str]] | None:
    """The game's log up to so many moves of the hand, with what the observer may not see changed
    at random. None if the world that was imagined is none that the rules allow.
    """
    log = actions_of(hand.game)
    end = hand.deal + moves  # the first move lies before the deal
    log = log[:end]
    match = replayed(hand.game, log)
    # another world that fits what the observer knows
    known = match.knowledge(hand.observer)
    state, generator = record(SKULL_KING.records.State), record(Rng)
    seed_rng(generator, rng.getrandbits(60), 0, 0, 0)
    kit, notation = SKULL_KING.kit, SKULL_KING.notation
    SKULL_KING.bot.imagine(kit, known.seen, known.memory, hand.observer, generator, state)
    held = to_builtins(SKULL_KING.positions.position(kit, state))["hands"]
    for by, do in log[hand.deal + 1 :]:
        if do.startswith("play"):
            held[by].append(do.removeprefix("play ").partition(":")[0])
    deal = "deal " + "/".join(",".join(cards) for cards in held)
    log[hand.deal] = (NATURE, notation.text(kit, notation.parse(kit, deal)))
    if match.node == SEALED:
        # the others have sealed something else
        for index in range(hand.deal + 1, end):
            by, do = log[index]
            if by != hand.observer:
                bid = int(do.removeprefix("bid ")) + rng.randint(1, hand.number)
                log[index] = (by, f"bid {bid % (hand.number + 1)}")
    try:
        replayed(hand.game, log)
    except QuarterdeckError:
        return None
    return log


def compare(who: str, heard: list[bytes], twin: list[bytes]) -> None:
    """Raises `Leak` at the first difference but in links, which are blinded."""
    for number, (data, other) in enumerate(zip(heard, twin, strict=False)):
        if without_link(data) != without_link(other):
            raise Leak(f"{who}, message {number}: {data!r} in one world, {other!r} in the other")
    if len(heard) != len(twin):
        raise Leak(f"{who} is sent {len(heard)} messages in one world, {len(twin)} in the other")


@dataclass
class Count:
    """How much was compared."""

    twins: int = 0
    impossible: int = 0
    different: int = 0  # twins that are not the same world once more
    told_apart: int = 0  # twins in which the neighbour, who may, was sent other things
    messages: int = 0


def check_hand(hand: Hand, script: Script, rng: random.Random, count: Count) -> None:
    """Plays a hand and two twins of it: one up to the reveal of the bids, one up to some card."""
    log = actions_of(hand.game)
    players = hand.game.players
    cuts = (players, rng.randint(players + 1, len(hand.moves) - 1))
    script.draws = {index: do for index, (by, do) in enumerate(log) if by == NATURE}
    real = asyncio.run(play_hand(hand, hand.moves[: max(cuts)], script))
    for cut in cuts:
        twin = twin_of(hand, cut, rng)
        if twin is None:
            count.impossible += 1
            continue
        script.draws = {index: do for index, (by, do) in enumerate(twin) if by == NATURE}
        bids_and_cards = [do for _, do in twin[hand.deal + 1 :]]
        moves = [hand.moves[0]] + [
            Move(move.seat, do, move.asides)
            for move, do in zip(hand.moves[1:cut], bids_and_cards, strict=True)
        ]
        other = asyncio.run(play_hand(hand, moves, script))
        observed, watched = real.marks[cut]
        compare(f"seat {hand.observer}", real.observer[:observed], other.observer)
        compare("the spectator", real.watcher[:watched], other.watcher)
        count.twins += 1
        count.messages += observed + watched
        count.different += twin != log[: len(twin)]
        count.told_apart += not set(other.neighbour) <= set(real.neighbour)


def check_games(games: int, script: Script, seed: int) -> Count:
    """Looks for leaks in so many games, of two to six seats in turn."""
    count = Count()
    for number in range(games):
        rng = random.Random(f"{seed} {number}")
        game = random_game("skull-king", {"players": 2 + number % 5}, seed + number)
        for hand in hands_of(game, rng):
            check_hand(hand, script, rng, count)
    return count


def test_what_a_seat_may_not_see_changes_nothing_it_is_sent(script: Script) -> None:
    count = check_games(GAMES, script, seed=20_000)
    assert count.twins > 19 * GAMES
    assert count.impossible < 0.02 * count.twins
    # late in a hand little is hidden; most twins are another world, and others notice
    assert count.different > 0.85 * count.twins
    assert count.told_apart > 0.8 * count.twins
    print(count)


# A sealed choice of a bot ----------------------------------------------------------------------


async def listen_to_a_bot(cards: str, script: Script) -> tuple[list[bytes], str]:
    """What two people and a spectator are sent while a bot holds these cards and bids; its bid."""
    request = plan("mine", "mine", "bot", bot_pace_ms=20)
    table, keys = Table.make("aaaaaaaa", request, BEGIN_MS)
    made = msgspec.structs.replace(table.made, secret="00" * 32)
    entries: list[Any] = [*begun_journal(made, BEGIN_MS)]
    log = [(NATURE, "start 0"), (NATURE, "deal y2/y3/y4"), (0, "bid 0"), (1, "bid 0")]
    log += [(2, "bid 0"), (1, "play y3"), (2, "play y4"), (0, "play y2")]
    log += [(NATURE, f"deal b2,b3/b5,b6/{cards}")]
    entries += [journal.Acted(BEGIN_MS, by, do) for by, do in log]
    storage = MemoryStorage()
    storage.journals[table.id] = [write_entry(entry) for entry in entries]
    hub = Hub(storage, Limits.unlimited())
    ears = [Ear(hub) for _ in range(3)]
    for ear, tokens in zip(ears, ([keys[0].token], [keys[1].token], []), strict=True):
        await ear.ask("attach", table=table.id, tokens=tokens)
    await ears[1].ask("act", seat=1, decision=ears[1].last("view")["decision"], do="bid 1")
    async with asyncio.timeout(30):
        while ears[0].last("view")["view"]["bids"][2] is None:
            await asyncio.sleep(0.005)
    await hub.search_pool.close()
    (bid,) = (entry.do for entry in hub.tables[table.id].table.playing.log[-2:] if entry.by == 2)
    heard = [data for ear in ears for data in ear.heard]
    return [data.replace(key.token.encode(), b"") for data in heard for key in keys], bid


def test_what_a_bot_holds_and_seals_shows_in_nothing(script: Script) -> None:
    low, bid_low = asyncio.run(listen_to_a_bot("escape,y1", script))
    high, bid_high = asyncio.run(listen_to_a_bot("king,pirate", script))
    assert bid_low != bid_high
    compare("somebody", low, high)


# Every step, in every game ---------------------------------------------------------------------


def table_at(match: Match, players: int) -> Table:
    """A table where this match is under way."""
    table, _ = made_table(*["mine"] * players)
    table.match, table.status = match, "playing"
    return table


def check_step(game: Game, match: Match, actor: int, do: str, observer: int, seed: int) -> bool:
    """Looks at one action with the eyes of a seat and of a spectator, in this world and another
    that fits what the seat knows. False if the other world does not allow the action.
    """
    known = match.knowledge(observer)
    state, rng = record(game.records.State), record(Rng)
    seed_rng(rng, seed, 0, 0, 0)
    game.bot.imagine(game.kit, known.seen, known.memory, observer, rng, state)
    told: list[list[bytes]] = []
    seen = set()
    for world in (match.state, state):
        position = to_builtins(game.positions.position(game.kit, world))
        here = Match(game, match.options, position=position)
        is_sealed, decision = here.node == SEALED, here.decision
        if told and is_sealed and actor != observer:
            do = random.Random(seed).choice(here.legal(actor))
        try:
            step = here.act(actor, do)
        except QuarterdeckError:
            return False
        if is_sealed and here.decision != decision:
            return False  # the reveal may tell the worlds apart
        seen.add(here.knowledge(observer).seen.tobytes())
        table = table_at(here, match.players)
        told.append([view_bytes(table, seat, [step], 1) for seat in (observer, None)])
    if len(seen) > 1:
        return False  # by the rules it shows what was hidden before, such as a chest that opens
    for who, data, other in zip((f"seat {observer}", "the spectator"), *told, strict=True):
        compare(who, [data], [other])
    return True


@pytest.mark.parametrize("id", GAME_IDS)
def test_every_step_looks_alike_in_every_world(id: str) -> None:
    game = find_game(id)
    counts = next(option.values for option in game.options if option.key == "players")
    steps = looked = 0
    for number in range(max(5, GAMES // 10)):
        options = {"players": counts[number % len(counts)], **game.worldless}
        rng = random.Random(f"{id} {number}")
        match = Match(game, options, seed=number)
        for actor, do in actions_of(random_game(id, options, number)):
            if actor != NATURE and rng.random() < 0.5:
                observer = rng.randrange(match.players)
                steps += 1
                looked += check_step(game, match, actor, do, observer, rng.getrandbits(60))
            match.act(actor, do)
    assert steps > 100
    assert looked > 0.4 * steps


# A leak of any kind is found -------------------------------------------------------------------


def leak_in_a_view(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Table.own

    def leaking(table: Table, seat: int) -> OwnTold:
        return structs.replace(own(table, seat), scores=[int(table.playing.state.bids.sum())])

    monkeypatch.setattr(Table, "own", leaking)


def leak_in_what_everybody_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Match.shown

    def leaking(match: Match) -> Shown:
        return structs.replace(shown(match), scores=[int(match.state.bids.sum())])

    monkeypatch.setattr(Match, "shown", leaking)


def leak_in_the_legal_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    legal = Match.legal

    def leaking(match: Match, seat: int) -> list[str]:
        offered = legal(match, seat)
        others = [card for other in match.position().get("hands", []) for card in other]
        return offered[::-1] if "king" in others else offered

    monkeypatch.setattr(Match, "legal", leaking)


def leak_by_size(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Table._attached

    def leaking(table: Table) -> dict[str, Any] | None:
        spaces = " " * (abs(int(table.playing.state.hands.sum())) % 7)
        return {**(told(table) or {}), "pad": spaces}

    monkeypatch.setattr(Table, "_attached", leaking)


def leak_by_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is told once more when somebody bids high."""
    tell = LiveTable._tell

    def leaking(live: LiveTable, is_news: bool, change: Any, **given: Any) -> None:
        tell(live, is_news, change, **given)
        if live.table.match is not None and live.table.playing.state.bids.max() > 2:
            live.tell_table()

    monkeypatch.setattr(LiveTable, "_tell", leaking)


def leak_in_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    act = Table.act

    def leaking(table: Table, seat: int, do: str, now: int, **given: Any) -> None:
        held = [card for hand in table.playing.position().get("hands", []) for card in hand]
        if do.removeprefix("play ") in held and do not in table.playing.legal(seat):
            raise WrongTime("somebody has that")
        act(table, seat, do, now, **given)

    monkeypatch.setattr(Table, "act", leaking)


def leak_in_the_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = Table.clocks
    monkeypatch.setattr(
        Table,
        "clocks",
        lambda table, now: clocks(table, now - max(0, int(table.playing.state.bids.max()))),
    )


def leak_in_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Table.line

    def leaking(table: Table, online: Any) -> Any:
        told = line(table, online)
        if table.match is not None:
            told.options["hands"] = str(table.playing.position().get("hands"))
        return told

    monkeypatch.setattr(Table, "line", leaking)


@pytest.mark.parametrize(
    "leak",
    [
        leak_in_a_view,
        leak_in_what_everybody_sees,
        leak_in_the_legal_actions,
        leak_by_size,
        leak_by_count,
        leak_in_a_refusal,
        leak_in_the_clocks,
        leak_in_the_list,
    ],
)
def test_a_leak_is_found(
    leak: Callable[[pytest.MonkeyPatch], None], script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    with pytest.raises(Leak):
        check_games(6, script, seed=7)

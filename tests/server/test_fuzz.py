"""Bad input: whatever comes over the wire is answered or the line is closed, the process lives, and
no game is changed but by what its own seats may do."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import random
from collections.abc import Iterator
from functools import partial
from typing import Any, AnyStr

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from quarterdeck.contract import QuarterdeckError
from quarterdeck.server import journal
from quarterdeck.server.protocol import LARGEST_MESSAGE, PROTOCOL

from .helpers import CHANGES, PATIENCE_S, Player, Seated, Server, at, folded, read_journals

FRAMES = int(os.environ.get("QUARTERDECK_FRAMES", "5000"))
DRAWN_AT_ONCE = 20
GARBLED = 4 if FRAMES < 100_000 else 24
"""Of each frame that was drawn, so many garbled ones are sent after it."""
FUZZERS = 5
GRACE_MS = 3_600_000  # nobody's seat goes to a bot meanwhile
BODIES = FRAMES // 10
BODIES_AT_ONCE = 10

CLOSE_CODES = {1002, 1003, 1007, 1009}
"""Protocol error, no such data, no UTF-8, too big: all but `internal error` and sudden silence."""

FUZZ = settings(
    deadline=None,
    database=None,
    phases=[Phase.generate],  # what fails is kept on the table anyway; a shrink takes long
    suppress_health_check=list(HealthCheck),
)

OWN_SEAT = 1  # of the tables a fuzzer has a seat at; it is not the host there


def error_codes(kind: type[QuarterdeckError] = QuarterdeckError) -> set[str]:
    """Every code an error of ours can have."""
    return {kind.code}.union(*(error_codes(child) for child in kind.__subclasses__()))


# What is sent ----------------------------------------------------------------------------------


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 20),
    st.sampled_from([2**31, 2**53, 2**63, 2**64, -(2**63) - 1, 10**400]),
    st.floats(allow_nan=True),
    st.text(max_size=20),
    st.sampled_from(["", "\x00", "\ud83c\udff4", "\u202e", "a" * 5000, "-1", "0", "null", "٣"]),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=8,
)
seats = st.integers(0, 15)
ACTIONS = (
    "bid 0", "bid 1", "bid 11", "bid -1", "bid ٣", "bid 1e3", "bid 0 ", "bid ?", "play", "play y1",
    "play king", "play mary", "play \x00", "deal y1/y2/y3", "start 0", "?",
)  # fmt: skip
texts = st.one_of(st.sampled_from(ACTIONS), st.text(max_size=30))


OLD_KEYS = ("0" * 32, "f" * 32)  # of requests that were carried out


class Harbour:
    """Tables in every state that must not change, and what an eavesdropper may know of them."""

    def __init__(self, server: Server) -> None:
        self.server = server
        make = partial(server.make, grace_ms=GRACE_MS)
        self.waiting = make("mine", "mine", "mine")
        self.playing = make("mine", "mine", "mine", start=True)
        self.paused = make("mine", "mine", start=True)
        self.over = make("mine", "mine", start=True)
        self.left = make("mine", "open", "mine")
        self.done = make("mine", "mine", start=True)  # whose tokens the fuzzer has
        self.stale = server.join(self.left.table).token
        self.tables = [
            seated.table
            for seated in (self.waiting, self.playing, self.paused, self.over, self.left)
        ]
        self.old: list[str] = []  # frames the victims have sent
        asyncio.run(self._settle())
        self.before = self.journals()

    async def _settle(self) -> None:
        requests: list[tuple[Seated, str, dict[str, Any]]] = [
            (self.paused, "pause", {"paused": True}),
            (self.over, "resign", {"seat": 0}),
            (self.done, "resign", {"seat": 0}),
            (self.playing, "act", {"seat": 0, "decision": 2, "do": "bid 0"}),
            (self.left, "remove", {"seat": 1}),
        ]
        for seated, type, fields in requests:
            player = await self.server.attached(seated.table, *seated.tokens.values())
            if seated is not self.left:
                await player.until_view(0)
            keyed = {**fields, "key": OLD_KEYS[len(self.old) % len(OLD_KEYS)]}
            assert (await player.ask(type, **keyed))["type"] == "ok"
            self.old.append(json.dumps({"type": type, **keyed, "id": 1}))
            await player.close()

    def journals(self) -> dict[str, list[bytes]]:
        """The journals of the tables, but for what those who watch have said, as they may."""
        stored = read_journals(self.server.database)
        return {
            table: [
                entry
                for entry in stored[table]
                if not isinstance(said := journal.read_entry(entry), journal.Said)
                or said.seat is not None
            ]
            for table in self.tables
        }


@pytest.fixture(scope="module")
def harbour(server: Server) -> Iterator[Harbour]:
    harbour = Harbour(server)
    yield harbour
    assert server.process is not None
    assert server.process.poll() is None, "the process died"
    assert '"level": "error"' not in server.log
    assert harbour.journals() == harbour.before


def frames(harbour: Harbour, own: Seated) -> st.SearchStrategy[str | bytes]:
    """Frames of every kind, by somebody who has a seat at a table of their own."""
    own_tables = [own.table, own.table, harbour.done.table]
    tables = st.sampled_from([*harbour.tables, *own_tables, "zzzzzzzz", "../etc"])
    good, spent = own.token, harbour.done.token
    tokens = st.sampled_from(
        [good, good, spent, harbour.stale, good[:-1], good + "x", good.swapcase(), "x" * 32, ""]
    )
    hashes = st.sampled_from(["0" * 64, "f" * 63, "F" * 64, "0" * 64 + "\n", "", "ab" * 65])
    whole: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        "attach": {
            "table": tables,
            "tokens": st.lists(tokens, max_size=3),
            "protocol": st.sampled_from([PROTOCOL, PROTOCOL, PROTOCOL, 1, -1]),
        },
        "history": {
            "seat": st.one_of(st.none(), seats),
            "first": st.integers(-1, 70),
            "last": st.integers(-1, 70),
        },
        "act": {"seat": seats, "decision": st.integers(-1, 30), "do": texts},
        "chat": {"text": st.text(max_size=350)},
        "mute": {"seat": st.one_of(st.none(), seats), "muted": st.booleans()},
        "commit": {"seat": seats, "attempt": st.integers(-1, 2), "hash": hashes},
        "reveal": {"seat": seats, "roster": hashes, "bytes": hashes},
        "start": {},
        "pause": {"paused": st.booleans()},
        "remove": {"seat": seats},
        "leave": {"seat": seats},
        "resign": {"seat": seats},
        "rematch": {},
        "ping": {},
    }
    ids = st.one_of(st.integers(0, 2**53 - 1), st.integers(0, 9))
    keys = st.integers(0, 2**128 - 1).map("{:032x}".format) | st.sampled_from([*OLD_KEYS, "", "0"])
    for kind in CHANGES:
        whole[kind] = {**whole[kind], "key": keys}
    valid = st.sampled_from(sorted(whole)).flatmap(
        lambda kind: st.fixed_dictionaries({"type": st.just(kind), "id": ids, **whole[kind]})
    )

    def spoil(drawn: tuple[dict[str, Any], Any, Any, int]) -> dict[str, Any]:
        message, key, value, how = drawn
        keys = sorted(message)
        if how == 0:
            message[keys[key % len(keys)]] = value
        elif how == 1:
            del message[keys[key % len(keys)]]
        else:
            message[str(value)[:20]] = value
        return message

    spoilt = st.tuples(valid, st.integers(0, 9), values, st.integers(0, 2)).map(spoil)
    deep = st.tuples(st.sampled_from(["[", '{"a":', '{"type":']), st.integers(2, 5000)).map(
        lambda drawn: (drawn[0] * drawn[1])[: LARGEST_MESSAGE - 1]
    )
    nested = st.integers(1, 4000).map(
        lambda depth: '{"type":"chat","id":1,"text":' + "[" * depth + "]" * depth + "}"
    )
    own_moves = st.fixed_dictionaries(
        {
            "type": st.just("act"),
            "id": ids,
            "seat": st.just(OWN_SEAT),
            "key": keys,
            "decision": st.integers(1, 3),
            "do": st.sampled_from(["bid 0", "bid 1", "bid 1", "play y1"]),
        }
    )
    at_own = st.just(at_table(own))
    return st.one_of(
        valid.map(json.dumps),
        valid.map(json.dumps),
        spoilt.map(json.dumps),
        spoilt.map(json.dumps),
        at_own.map(json.dumps),
        own_moves.map(json.dumps),
        values.map(json.dumps),
        st.text(max_size=60),
        st.binary(max_size=60),
        deep,
        nested,
        st.sampled_from(harbour.old),
        st.sampled_from([LARGEST_MESSAGE - 1, LARGEST_MESSAGE, LARGEST_MESSAGE + 1, 70_000]).map(
            lambda size: '"' + "x" * (size - 2) + '"'
        ),
    )


def at_table(own: Seated) -> dict[str, Any]:
    """What somebody with a seat says first."""
    attach = {"type": "attach", "id": 1, "table": own.table, "tokens": [own.token]}
    return {**attach, "protocol": PROTOCOL}


def garbled(frame: str | bytes, rng: random.Random) -> str | bytes:
    """The frame with a piece of it lost, doubled, moved, or overwritten."""
    noise = "".join(rng.choice('0123456789{}[]",:\\ -.eé\0') for _ in range(rng.randrange(1, 4)))
    if isinstance(frame, str):
        return spoilt(frame, noise, rng)
    return spoilt(frame, noise.encode(), rng)


def spoilt(frame: AnyStr, strange: AnyStr, rng: random.Random) -> AnyStr:
    """The frame with a piece of it lost, doubled, moved, or overwritten by something strange."""
    begin, end = sorted(rng.randrange(len(frame) + 1) for _ in range(2))
    before, piece, after = frame[:begin], frame[begin:end], frame[end:]
    parts = rng.choice(
        [
            [before, after],
            [before, piece, piece[:2000], after],
            [after, piece, before],
            [before, strange, after],
            [before, strange, piece, after],
        ]
    )
    return frame[:0].join(parts)


# Sending it ------------------------------------------------------------------------------------


class Fuzzer:
    """A connection that is opened anew whenever the server has closed it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.socket: ClientConnection | None = None
        self.codes = error_codes()
        self.answered = self.closed = 0

    async def send(self, frame: str | bytes) -> None:
        """Sends a frame. There must be an answer, or a close with a good code."""
        if self.socket is None:
            self.socket = await connect(f"ws://{self.server.address}/ws", max_size=None)
        try:
            await self.socket.send(_sendable(frame))
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    told = json.loads(await self.socket.recv())
                    if told["type"] in ("ok", "error", "history") or "ack" in told:
                        break
        except ConnectionClosed:
            assert self.socket.close_code in CLOSE_CODES, (self.socket.close_code, frame)
            self.socket = None
            self.closed += 1
            return
        if told["type"] == "error":
            assert told["code"] in self.codes, told
            assert told["message"]
        self.answered += 1

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()


def _sendable(frame: str | bytes) -> str | bytes:
    """Text that has no UTF-8 goes out as bytes."""
    if isinstance(frame, str):
        with contextlib.suppress(UnicodeEncodeError):
            frame.encode()
            return frame
        return frame.encode("utf-8", "surrogatepass")
    return frame


def own_actions(entries: list[bytes], length: int) -> int:
    """How often the fuzzer's seat acted. What was added besides is nothing but its right."""
    actions = 0
    for number, (table, entry) in enumerate(folded(entries)):
        if number < length:
            continue
        match entry:
            case journal.Acted() if entry.by == OWN_SEAT and entry.via is None:
                actions += 1
            case journal.Acted() if entry.by == OWN_SEAT and entry.via == "bot":
                assert table.seats[OWN_SEAT].is_played_by_bot
            case journal.Said():
                assert entry.seat in (None, OWN_SEAT)
            case journal.Resigned() | journal.Left():
                assert entry.seat == OWN_SEAT
            case _:
                raise AssertionError(entry)
    return actions


def test_whatever_is_sent_is_answered_and_changes_no_game(harbour: Harbour) -> None:
    server, rng = harbour.server, random.Random(FRAMES)
    frames_sent = actions = 0

    async def run(data: st.DataObject) -> None:
        nonlocal frames_sent, actions
        table = server.make("mine", "open", "mine")
        own = server.join(table.table)
        victim = await server.attached(table.table, *table.tokens.values())
        async with at(server.attached(table.table, own.token)):
            await victim.ask("start")
            await victim.until_view(0)
        length = len(read_journals(server.database, table.table)[table.table])
        strategy = st.lists(frames(harbour, own), min_size=DRAWN_AT_ONCE, max_size=DRAWN_AT_ONCE)

        async def send(fuzzer: Fuzzer, frames: list[str | bytes]) -> None:
            nonlocal frames_sent
            try:
                await fuzzer.send(json.dumps(at_table(own)))
                for frame in frames:
                    await fuzzer.send(frame)
                    for _ in range(GARBLED):
                        await fuzzer.send(garbled(frame, rng))
                    frames_sent += 1 + GARBLED
            finally:
                await fuzzer.close()

        try:
            drawn = data.draw(strategy)
            fuzzers = [Fuzzer(server) for _ in range(FUZZERS)]
            await asyncio.gather(
                *(send(fuzzer, drawn[i::FUZZERS]) for i, fuzzer in enumerate(fuzzers))
            )
            answered = sum(fuzzer.answered for fuzzer in fuzzers)
            assert answered > sum(fuzzer.closed for fuzzer in fuzzers)
            # the others at the table notice nothing, and play on
            await still_playing(victim)
        finally:
            await victim.close()
        actions += own_actions(read_journals(server.database, table.table)[table.table], length)

    @settings(FUZZ, max_examples=100)
    @given(data=st.data())
    def fuzz(data: st.DataObject) -> None:
        asyncio.run(run(data))

    while frames_sent < FRAMES:
        fuzz()
    assert actions > 0  # the right ones among them were heard
    assert harbour.journals() == harbour.before
    assert server.fetch("GET", "/healthz").status == 200


async def still_playing(victim: Player) -> None:
    """Those who sit with the fuzzer have their seats, and may choose as ever."""
    assert (await victim.ask("ping"))["type"] == "ok"
    assert victim.status == "playing"
    assert victim.table["you"] == [0, 2]
    assert victim.views[0]["legal"] == victim.views[2]["legal"] == ["bid 0", "bid 1"]


# Over HTTP -------------------------------------------------------------------------------------


def bodies() -> st.SearchStrategy[bytes]:
    """Bodies of requests, most of them wrong."""
    whole = st.fixed_dictionaries(
        {
            "game": st.sampled_from(["skull-king", "skull-king", "chess", ""]),
            "name": st.text(max_size=26),
            "seats": st.lists(
                st.fixed_dictionaries(
                    {"kind": st.sampled_from(["mine", "open", "bot", "closed", "x"])},
                    optional={
                        "level": st.sampled_from(["bosun", "random", "admiral"]),
                        "name": st.text(max_size=5),
                    },
                ),
                max_size=18,
            ),
        },
        optional={
            "options": st.dictionaries(st.sampled_from(["players", "x"]), values, max_size=2),
            "clock": st.fixed_dictionaries(
                {}, optional={"kind": st.sampled_from(["none", "bank", "x"]), "bank_ms": values}
            ),
            "bot_pace_ms": st.sampled_from([10_000, -1, 10_001, None]),
            "grace_ms": values,
            "listed": st.booleans(),
            "start": st.booleans(),
            "commitment": st.sampled_from([None, "0" * 64, "0" * 63]),
            "extra": values,
        },
    )
    join = st.fixed_dictionaries({"name": st.text(max_size=26)}, optional={"seat": values})
    depth = st.integers(1, 1500).map(
        lambda depth: (
            '{"game":"skull-king","name":"X","seats":[{"kind":"mine"},{"kind":"bot"}],"options":'
            '{"players":' + "[" * depth + "]" * depth + "}}"
        ).encode()
    )
    texts = st.one_of(whole, whole, join, values).map(json.dumps).map(str.encode)
    sizes = st.sampled_from([LARGEST_MESSAGE, LARGEST_MESSAGE + 1, 300_000])
    return st.one_of(
        texts, texts, texts, depth, st.binary(max_size=80), sizes.map(lambda size: b" " * size)
    )


def test_whatever_is_posted_is_answered_and_changes_no_game(harbour: Harbour) -> None:
    server = harbour.server
    paths = ["/api/tables", "/api/tables", *(f"/api/tables/{id}/join" for id in harbour.tables)]
    paths += ["/api/tables/%00/join", "/api/tables/%ff%fe/join", "/api/tables/x%2fy/join", "/ws"]
    paths += ["/api/games", "/metrics", f"/api/tables/{harbour.playing.table}/record", "/t/../x"]
    methods = ["POST"] * 6 + ["GET", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"]
    # the seat that a guest was sent away from is open: whoever takes it, may
    paths.remove(f"/api/tables/{harbour.left.table}/join")
    codes = error_codes()
    sent = 0

    @settings(FUZZ, max_examples=50)
    @given(
        requests=st.lists(
            st.tuples(st.sampled_from(methods), st.sampled_from(paths), bodies()),
            min_size=BODIES_AT_ONCE,
            max_size=BODIES_AT_ONCE,
        )
    )
    def fuzz(requests: list[tuple[str, str, bytes]]) -> None:
        nonlocal sent
        for method, path, body in requests:
            try:
                answer = server.fetch(method, path, body)
            except (ConnectionError, http.client.HTTPException):
                answer = server.fetch(method, path, b"")  # a body it did not wait for
            sent += 1
            assert answer.status < 500, (method, path, body, answer.body)
            is_json = answer.headers.get("content-type") == "application/json"
            if answer.status >= 400 and is_json and method != "HEAD":
                assert answer.json["code"] in codes
            assert "default-src 'self'" in answer.headers["content-security-policy"]

    while sent < BODIES:
        fuzz()
    assert harbour.journals() == harbour.before
    assert server.fetch("GET", "/healthz").status == 200

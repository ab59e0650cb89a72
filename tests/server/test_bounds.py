"""Nobody can tire the server out: one address does its worst, from a process of its own.

Each time, somebody at another address has answers as soon as ever, the server keeps little, and an
honest client gets in.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from quarterdeck.server.addresses import TrustedProxies, address_key
from quarterdeck.server.errors import TooMany
from quarterdeck.server.limits import Addresses, Limits
from quarterdeck.server.protocol import MOST_PLIES, PROTOCOL

from .helpers import PATIENCE_S, Player, Server, at, in_loop, new_table

SLOWEST_MS = 50.0
"""What 95 of 100 pings of a bystander stay under while somebody else attacks."""
BUSY_FACTOR = 4.0
"""On a machine too busy for that, so many times what they take before the attack."""
ATTEMPTS = 3
MOST_MB = 30.0
PINGS, PING_S = 50, 0.012
BYSTANDER, ATTACKER, PROXY = "127.0.0.2", "127.0.0.3", "127.0.0.9"


@pytest.fixture(scope="module")
def fort(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the limits it has in earnest, and all games loaded."""
    yield from started(Server(tmp_path_factory.mktemp("fort"), "--limit", "header_s=1"))


@pytest.fixture(scope="module")
def small_fort(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server behind a proxy, where little is kept for those who do not read, however often they
    ask."""
    limits = {"unread_bytes": 65_536, "close_s": 0.2}
    limits |= {"attach_burst": 100_000, "message_burst": 1000, "messages_per_second": 1000}
    flags = [word for name in limits for word in ("--limit", f"{name}={limits[name]}")]
    proxy = ("--trusted-proxy", PROXY)
    yield from started(Server(tmp_path_factory.mktemp("small"), *flags, *proxy))


def started(server: Server) -> Iterator[Server]:
    server.start()
    until = time.monotonic() + PATIENCE_S
    while not all(game["ready"] for game in server.fetch("GET", "/api/games").json):
        assert time.monotonic() < until
        time.sleep(0.1)
    yield server
    assert not server.is_gone
    assert '"level": "error"' not in server.log
    server.end()


@contextlib.contextmanager
def attack(
    server: Server, kind: str, *more: str, address: str = ATTACKER
) -> Iterator[subprocess.Popen[str]]:
    """An attacker who has begun, killed in the end."""
    script = str(Path(__file__).with_name("attacker.py"))
    host, port = server.address.split(":")
    process = subprocess.Popen(
        [sys.executable, script, kind, host, port, address, *more],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        yield process
        assert process.poll() is None, "the attacker gave up"
    finally:
        process.kill()
        process.communicate()


def memory_mb(server: Server) -> float:
    assert server.process is not None
    pages = Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]
    return int(pages) * 4096 / 1e6


def bounded(server: Server, bound: str) -> float:
    """How often something went past a bound, by the server's own figures."""
    connection = http.client.HTTPConnection(
        server.address, timeout=PATIENCE_S, source_address=(BYSTANDER, 0)
    )
    with contextlib.closing(connection):
        connection.request("GET", "/metrics")
        page = connection.getresponse().read().decode()
    name = f'quarterdeck_bounded_total{{bound="{bound}"}} '
    (line,) = (line for line in page.splitlines() if line.startswith(name))
    return float(line.removeprefix(name))


async def pings_ms(server: Server) -> list[float]:
    """How long a bystander's pings take, sorted."""
    took = []
    async with at(server.player(local_addr=(BYSTANDER, 0))) as player:
        for _ in range(PINGS):
            started = time.perf_counter()
            assert (await player.ask("ping"))["type"] == "ok"
            took.append((time.perf_counter() - started) * 1000)
            await asyncio.sleep(PING_S)
    return sorted(took)


def slow_ms(server: Server) -> float:
    """What 95 of 100 pings stay under."""
    return asyncio.run(pings_ms(server))[PINGS * 95 // 100]


def get_in(server: Server, address: str) -> None:
    """An honest client loads a page, and sits down over a WebSocket."""
    connection = http.client.HTTPConnection(
        server.address, timeout=PATIENCE_S, source_address=(address, 0)
    )
    with contextlib.closing(connection):
        connection.request("GET", "/api/games")
        assert connection.getresponse().status == 200

    async def ping() -> None:
        async with at(server.player(local_addr=(address, 0))) as player:
            assert (await player.ask("ping"))["type"] == "ok"

    asyncio.run(ping())


def check_bystanders(server: Server, calm_ms: float) -> None:
    """While an attack goes on: others have their answers, and get in."""
    allowed = max(SLOWEST_MS, BUSY_FACTOR * calm_ms)
    took: list[float] = []
    while len(took) < ATTEMPTS and min(took, default=allowed) >= allowed:
        took.append(slow_ms(server))
    assert min(took) < allowed, (took, calm_ms)
    get_in(server, BYSTANDER)


@pytest.mark.parametrize(
    ("kind", "bound"),
    [
        ("parts", "frames"),
        ("pongs", "frames"),
        ("pings", "frames"),
        ("half-sent", "half_sent_per_address"),
        ("headers", "header_bytes"),
        ("header", "header_bytes"),
    ],
)
def test_an_attack_tires_out_nobody_else(fort: Server, kind: str, bound: str) -> None:
    calm_ms, before_mb, counted = slow_ms(fort), memory_mb(fort), bounded(fort, bound)
    with attack(fort, kind):
        check_bystanders(fort, calm_ms)
        assert memory_mb(fort) - before_mb < MOST_MB
        assert bounded(fort, bound) > counted
    assert memory_mb(fort) - before_mb < MOST_MB


def test_histories_are_told_while_others_are_answered(fort: Server) -> None:
    """A whole game, asked for piece by piece and far faster than is allowed."""
    table = fort.make(*["mine"] * 4, grace_ms=0, start=True).table  # bots play it
    record = f"/api/tables/{table}/record"
    until = time.monotonic() + PATIENCE_S
    while (found := fort.fetch("GET", record)).status != 200:
        assert time.monotonic() < until
        time.sleep(0.7)
    plies = len(found.json["log"])
    assert plies > 250
    attach = {"type": "attach", "id": 1, "table": table, "protocol": PROTOCOL}
    asked = [
        {"type": "history", "id": 2, "seat": None, "first": first, "last": first + MOST_PLIES - 1}
        for first in (plies - MOST_PLIES, plies - 4 * MOST_PLIES)
    ]
    calm_ms, before_mb, counted = slow_ms(fort), memory_mb(fort), bounded(fort, "histories")
    with attack(fort, "asks", *(json.dumps(message) for message in (attach, *asked))):
        check_bystanders(fort, calm_ms)
        assert memory_mb(fort) - before_mb < MOST_MB
        assert bounded(fort, "histories") > counted


def test_who_shares_an_address_with_half_sent_requests_gets_in(fort: Server) -> None:
    with attack(fort, "half-sent", address="127.0.0.4"):
        get_in(fort, "127.0.0.4")


def test_requests_that_cost_something_are_rationed(fort: Server) -> None:
    seated = fort.make("mine", "open")
    asked = [f"GET:/api/tables/{seated.table}/{what}" for what in ("proof", "record")]
    asked += ["GET:/api/tables", f"POST:/api/tables/{seated.table}/join"]
    bounds = ("proofs", "records", "listings", "joins")
    calm_ms, before_mb = slow_ms(fort), memory_mb(fort)
    counted = {bound: bounded(fort, bound) for bound in bounds}
    with attack(fort, "requests", *asked):
        check_bystanders(fort, calm_ms)
        until = time.monotonic() + PATIENCE_S
        while not all(bounded(fort, bound) > counted[bound] for bound in bounds):
            assert time.monotonic() < until
            time.sleep(0.05)
    assert memory_mb(fort) - before_mb < MOST_MB


@in_loop
async def test_clients_that_never_read_are_let_go(small_fort: Server) -> None:
    server = small_fort
    seated = server.make("mine", "mine", "mine", "mine", start=True)
    calm_ms = (await pings_ms(server))[PINGS * 95 // 100]
    before_mb = memory_mb(server)
    with attack(server, "deaf", seated.table):
        async with asyncio.timeout(PATIENCE_S):
            while not await asyncio.to_thread(bounded, server, "unread_bytes"):
                await asyncio.sleep(0.05)
        await asyncio.to_thread(check_bystanders, server, calm_ms)
        assert memory_mb(server) - before_mb < MOST_MB


def make_from(server: Server, address: str, forwarded_for: str | None = None) -> int:
    """The status of a request for a new table from an address."""
    connection = http.client.HTTPConnection(
        server.address, timeout=PATIENCE_S, source_address=(address, 0)
    )
    headers = {"X-Forwarded-For": forwarded_for} if forwarded_for else {}
    with contextlib.closing(connection):
        body = json.dumps(new_table("mine", "bot"))
        connection.request("POST", "/api/tables", body, headers)
        return connection.getresponse().status


@in_loop
async def test_rematches_count_as_tables(fort: Server) -> None:
    address = "127.0.0.5"
    seated = fort.make("mine", "mine", start=True)
    async with at(fort.player(local_addr=(address, 0))) as player:
        await player.attach(seated.table, *seated.tokens.values())
        await player.until_view(0)
        await player.ask("resign", seat=0)
        make = partial(make_from, fort, address)
        statuses = [await asyncio.to_thread(make) for _ in range(31)]
        assert statuses == [200] * 30 + [429]
        assert (await player.ask("rematch"))["code"] == "too-many"
        await player.until(lambda: player.status == "over")
        assert player.table["rematch"] is None
    async with at(fort.player(local_addr=("127.0.0.6", 0))) as player:
        await player.attach(seated.table, *seated.tokens.values())
        assert (await player.ask("rematch"))["type"] == "ok"


# Whose address it is ------------------------------------------------------------------------------


def test_behind_a_proxy_addresses_are_those_it_names(small_fort: Server) -> None:
    make = partial(make_from, small_fort)
    first = [make(PROXY, "2001:db8::1") for _ in range(15)]
    first += [
        make(PROXY, "6.6.6.6, 2001:db8::9:9") for _ in range(15)
    ]  # what it was told, it tells
    assert first == [200] * 30
    assert make(PROXY, "2001:db8::5:5:5:5") == 429  # one line to the net
    assert make(PROXY, "2001:db8:0:1::1") == 200
    assert make(PROXY, f"192.0.2.1, {PROXY}") == 200


def test_from_nobody_else_an_address_is_believed(small_fort: Server) -> None:
    statuses = [make_from(small_fort, "127.0.0.8", f"192.0.2.{n}") for n in range(31)]
    assert statuses == [200] * 30 + [429]
    assert small_fort.log.count("a proxy that is not named in trusted_proxies") == 1


@in_loop
async def test_sockets_behind_a_proxy_are_counted_by_those_it_names(small_fort: Server) -> None:
    async def player(forwarded_for: str) -> Player:
        headers = {"X-Forwarded-For": forwarded_for}
        return await small_fort.player(local_addr=(PROXY, 0), additional_headers=headers)

    async with at(*(player("192.0.2.1") for _ in range(50)), player("192.0.2.2")) as players:
        with pytest.raises(InvalidStatus) as refused:
            await player("192.0.2.1")
        assert refused.value.response.status_code == 429
        assert (await players[-1].ask("ping"))["type"] == "ok"


def test_addresses_are_read_as_one_line_to_the_net() -> None:
    assert address_key("::ffff:192.0.2.7") == address_key("192.0.2.7") == "192.0.2.7"
    assert address_key("fe80::1%eth0") == address_key("fe80::2") == "fe80::/64"
    assert address_key("2001:db8::1") != address_key("2001:db8:0:1::1")


@pytest.mark.parametrize(
    ("peer", "told", "client"),
    [
        ("192.0.2.9", ["192.0.2.1"], "192.0.2.9"),  # no proxy
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["192.0.2.1"], "192.0.2.1"),
        ("::ffff:10.0.0.1", ["192.0.2.1"], "192.0.2.1"),
        ("10.0.0.1", ["6.6.6.6, 192.0.2.1", "10.9.9.9"], "192.0.2.1"),
        ("10.0.0.1", ["192.0.2.1:4711"], "192.0.2.1"),
        ("10.0.0.1", ["[2001:db8::1]:4711"], "2001:db8::1"),
        ("10.0.0.1", ["10.0.0.7, 10.0.0.8"], "10.0.0.7"),
        ("10.0.0.1", ["192.0.2.1, rubbish"], "10.0.0.1"),
        ("10.0.0.1", ["192.0.2.1, rubbish, 10.0.0.4"], "10.0.0.4"),
    ],
)
def test_the_last_hop_that_is_not_trusted_is_the_client(
    peer: str, told: list[str], client: str
) -> None:
    assert TrustedProxies(["10.0.0.0/8"]).client(peer, told) == client


def test_rates_of_addresses_are_forgotten_when_they_are_full_again() -> None:
    limits = Limits(join_burst=2, joins_per_second=1.0, addresses_remembered=10)
    addresses = Addresses(limits)
    for number in range(10):
        addresses.take("join", f"a{number}", 100.0)
    addresses.take("join", "a0", 100.0)
    with pytest.raises(TooMany) as refused:
        addresses.take("join", "a0", 100.0)
    assert refused.value.bound == "joins"
    addresses.take("attach", "a0", 100.0)  # each thing has a rate of its own
    assert len(addresses.buckets) == 6  # half of those remembered, and the new one
    with pytest.raises(TooMany):
        addresses.take("join", "a0", 100.5)  # the busiest among them
    for number in range(5, 10):
        addresses.take("join", f"a{number}", 200.0)
    assert len(addresses.buckets) <= 10
    addresses.take("join", "a0", 200.0)
    for number in range(40):
        addresses.make_table(f"b{number}", 300.0)
    assert len(addresses.tables) <= 10


# HTTP by the byte --------------------------------------------------------------------------------


def raw(server: Server, data: bytes, address: str = "127.0.0.7") -> bytes:
    """All that the server answers to some bytes, until it closes the connection."""
    host, port = server.address.split(":")
    with socket.create_connection((host, int(port)), PATIENCE_S, (address, 0)) as line:
        line.sendall(data)
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while chunk := line.recv(65_536):
                answer += chunk
        return answer


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 20_000 + b"\r\n\r\n", 431),
        (b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", 408),
        (b"ahoy\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: [\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        (b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", 411),
    ],
)
def test_a_request_that_is_none_is_answered_and_closed(
    fort: Server, data: bytes, status: int
) -> None:
    answer = raw(fort, data)
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer
    assert b"default-src 'self'" in answer
    assert b"connection: close" in answer


def test_a_silent_connection_is_closed_without_a_word(fort: Server) -> None:
    started = time.monotonic()
    assert raw(fort, b"") == b""
    assert time.monotonic() - started < 10


def test_many_requests_at_once_on_one_connection(fort: Server) -> None:
    one = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    last = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    assert raw(fort, one * 6 + last).count(b"HTTP/1.1 200") == 7
    before = bounded(fort, "pipelined")
    assert raw(fort, one * 500).count(b"HTTP/1.1 200") < 20
    assert bounded(fort, "pipelined") == before + 1


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//", "http://", "\xe9"])
def test_an_origin_that_is_none_is_refused(fort: Server, origin: str) -> None:
    headers = {"origin": origin}
    answer = fort.fetch("POST", "/api/tables", new_table("mine", "bot"), headers)
    assert (answer.status, answer.json["code"]) == (403, "wrong-origin")
    upgrade = (
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    )
    origin_line = b"Origin: " + origin.encode("latin-1") + b"\r\n\r\n"
    assert raw(fort, upgrade + origin_line).startswith(b"HTTP/1.1 403 ")


def test_a_level_that_is_offered_to_nobody_is_refused(fort: Server) -> None:
    table = new_table("mine", "bot")
    table["seats"][1]["level"] = "random"
    answer = fort.fetch("POST", "/api/tables", table)
    assert (answer.status, answer.json["code"]) == (400, "bad-option")
    assert "deckhand" in answer.json["message"]


def test_a_table_cannot_be_guessed(fort: Server) -> None:
    table = fort.make("mine", "bot").table
    assert 31 ** len(table) > 2**64

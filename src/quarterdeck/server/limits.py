"""How much one client, and one address, may make the server do or hold.

Every bound is a field of `Limits`, with a default and a sentence; the settings file has a table of
them (`docs/hosting.md`), and what goes past one is counted in `quarterdeck_bounded_total`. Counts
are in memory: they are courtesy, not accounting.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Annotated, Any, Final, NamedTuple, get_type_hints

from msgspec import Meta, Struct

from .errors import TooMany
from .protocol import LARGEST_MESSAGE

Count = Annotated[int, Meta(ge=1)]
PerSecond = Annotated[float, Meta(ge=0)]
Seconds = Annotated[float, Meta(gt=0)]
Bytes = Annotated[int, Meta(ge=1024)]

NO_LIMIT: Final = 10**9


class Limits(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The bounds of a server. A rate is so many a second, and so many at once (`…_burst`)."""

    connections: Count = 8000
    """Open connections of all addresses together. If the system allows fewer open files, that many
    less a few for the server itself."""
    connections_per_address: Count = 100
    """Open connections of one address; one more is closed at once. Named proxies are exempt: for
    them, the requests under way are counted by the address they were sent for."""
    sockets_per_address: Count = 50
    """WebSockets of one address; one more is refused with status 429."""
    half_sent_per_address: Count = 20
    """Connections of one address whose request is not yet complete; one more closes the oldest."""
    header_bytes: Bytes = 16_384
    """The line and the headers of a request; more are refused with status 431."""
    header_s: Seconds = 10.0
    """How long a request may take to bring its headers, from the connection or its first byte."""
    body_s: Seconds = 20.0
    """How long a request may take to bring its body."""
    response_s: Seconds = 120.0
    """How long a client may take to read an answer."""
    keep_alive_s: Seconds = 5.0
    """How long a connection is kept open for another request."""
    pipelined: Count = 8
    """Requests sent on one connection before the answer to the first."""

    message_bytes: Bytes = LARGEST_MESSAGE
    """The body of a request, and a WebSocket message however it is cut into frames. A larger body
    is refused with status 413, a larger message closes the connection with 1009."""
    frames_per_second: PerSecond = 120.0
    """WebSocket frames of any kind from one connection: messages, parts of them, pings, pongs.
    What comes faster is not read until its time has come."""
    frame_burst: Count = 240
    """As many frames at once."""
    frames_a_turn: Count = 16
    """Frames of one connection that are read before it is others' turn."""
    flood_s: Seconds = 5.0
    """How long a connection may send more frames than are read before it is closed with 1008."""
    unread_bytes: Bytes = 1_048_576
    """What is kept for a connection that does not read; past it, it is closed with 1013."""
    unread_bytes_per_address: Bytes = 8_388_608
    """The same for all connections of an address together."""
    ping_s: Seconds = 20.0
    """How long a WebSocket may be silent before it is sent a ping."""
    pong_s: Seconds = 20.0
    """How long it may then still be silent before it is closed with 1011."""
    close_s: Seconds = 3.0
    """How long a client may take to close a connection that the server closes."""

    messages_per_second: PerSecond = 20.0
    """Requests over one WebSocket, but for gestures. One too many is refused; as many refusals as
    the burst has, and the connection is closed with 1008."""
    message_burst: Count = 60
    """As many requests at once."""
    waiting_requests: Count = 64
    """Requests of one WebSocket that wait for the one before them."""
    gestures_per_second: PerSecond = 60.0
    """Gestures in a live world, of one WebSocket."""
    gesture_burst: Count = 120
    """As many gestures at once."""
    chats_per_second: PerSecond = 0.5
    """Things said at a table, of one WebSocket."""
    chat_burst: Count = 5
    """As many things said at once."""
    hints_per_second: PerSecond = 0.5
    """Hints asked for, of one WebSocket."""
    hint_burst: Count = 5
    """As many hints at once."""

    requests_per_second: PerSecond = 40.0
    """HTTP requests of any kind from one address, files of the client included."""
    request_burst: Count = 1200
    """As many requests at once."""
    joins_per_second: PerSecond = 1.0
    """Seats taken (`join`) from one address."""
    join_burst: Count = 60
    """As many seats at once."""
    attaches_per_second: PerSecond = 5.0
    """Tables attached to (`attach`) from one address."""
    attach_burst: Count = 150
    """As many tables at once."""
    listings_per_second: PerSecond = 10.0
    """Lists of tables sent to one address."""
    listing_burst: Count = 100
    """As many lists at once."""
    proofs_per_second: PerSecond = 0.5
    """Proofs sent to one address."""
    proof_burst: Count = 10
    """As many proofs at once."""
    records_per_second: PerSecond = 2.0
    """Records sent to one address."""
    record_burst: Count = 40
    """As many records at once."""
    histories_per_second: PerSecond = 10.0
    """Pieces of a game's history sent to one address."""
    history_burst: Count = 100
    """As many pieces at once."""
    rematches_per_second: PerSecond = 0.5
    """Rematches asked for from one address."""
    rematch_burst: Count = 30
    """As many rematches at once."""
    tables_per_address: Count = 30
    """New tables of one address within `tables_window_s`, rematches included."""
    tables_window_s: Seconds = 3600.0
    """How long a new table is remembered for `tables_per_address`."""
    addresses_remembered: Count = 20_000
    """Rates of addresses that are kept; past it, those with most to spare are forgotten."""
    worlds: Count = 48
    """Games with live worlds under way; one more is refused as `too-many-worlds`."""

    @classmethod
    def unlimited(cls, **given: Any) -> Limits:
        """Limits that nobody reaches, for load tests from one address: counts and rates are lifted,
        sizes and times are not, and what is given stays as it is."""
        lifted = {
            name: NO_LIMIT
            for name, kind in KINDS.items()
            if kind in (Count, PerSecond) and name != "frames_a_turn"  # that one is for fairness
        }
        return cls(**lifted | given)


KINDS: Final[dict[str, Any]] = get_type_hints(Limits, include_extras=True)
"""The type of each limit, by name."""


class Rate(NamedTuple):
    """The two limits of something that has a rate, and the bound its refusals are counted under."""

    per_second: str
    burst: str
    bound: str


BY_ADDRESS: Final = {
    "request": Rate("requests_per_second", "request_burst", "requests"),
    "join": Rate("joins_per_second", "join_burst", "joins"),
    "attach": Rate("attaches_per_second", "attach_burst", "attaches"),
    "listing": Rate("listings_per_second", "listing_burst", "listings"),
    "proof": Rate("proofs_per_second", "proof_burst", "proofs"),
    "record": Rate("records_per_second", "record_burst", "records"),
    "history": Rate("histories_per_second", "history_burst", "histories"),
    "rematch": Rate("rematches_per_second", "rematch_burst", "rematches"),
}
"""What an address has a rate of, by the word for `Addresses.take`."""

BY_CLIENT: Final = ("messages", "gestures", "chats", "hints", "frames")
"""What a connection has a rate of: the names of its bounds."""

_RATES = {name for name, kind in KINDS.items() if kind is PerSecond or name.endswith("_burst")}
BOUNDS: Final = (
    *(rate.bound for rate in BY_ADDRESS.values()),
    *BY_CLIENT,
    *(
        name
        for name in KINDS
        if name not in _RATES and name not in ("tables_window_s", "addresses_remembered", "ping_s")
    ),
)
"""What `quarterdeck_bounded_total` tells apart. A rate and its burst are one bound; two limits only
say how long something is remembered, and a ping bounds nothing."""


class Bucket:
    """A token bucket: so many at once, so many a second."""

    __slots__ = ("at", "burst", "per_second", "tokens")

    def __init__(self, per_second: float, burst: int, now: float) -> None:
        self.per_second = per_second
        self.burst = burst
        self.tokens = float(burst)
        self.at = now

    def refill(self, now: float) -> float:
        """How many are allowed now."""
        self.tokens = min(self.burst, self.tokens + (now - self.at) * self.per_second)
        self.at = now
        return self.tokens

    def take(self, now: float) -> bool:
        """Whether one more is allowed now."""
        if self.refill(now) < 1:
            return False
        self.tokens -= 1
        return True


class Addresses:
    """What each address holds and how fast it asks. An address is a word of `address_key`."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.connections: dict[str, int] = {}
        self.sockets: dict[str, int] = {}
        self.tables: dict[str, deque[float]] = {}
        self.buckets: dict[tuple[str, str], Bucket] = {}
        self._rates = {
            what: (getattr(limits, rate.per_second), getattr(limits, rate.burst))
            for what, rate in BY_ADDRESS.items()
        }

    # What it holds ---------------------------------------------------------------------------

    def connect(self, address: str) -> None:
        """Counts a connection. Raises `TooMany`."""
        if self.connections.get(address, 0) >= self.limits.connections_per_address:
            raise TooMany("too many connections from your address", "connections_per_address")
        self.connections[address] = self.connections.get(address, 0) + 1

    def disconnect(self, address: str) -> None:
        """Counts a connection no more that was counted."""
        _give_back(self.connections, address)

    def open_socket(self, address: str) -> None:
        """Counts a WebSocket. Raises `TooMany`."""
        if self.sockets.get(address, 0) >= self.limits.sockets_per_address:
            raise TooMany("too many connections from your address", "sockets_per_address")
        self.sockets[address] = self.sockets.get(address, 0) + 1

    def close_socket(self, address: str) -> None:
        """Counts a WebSocket no more that was counted."""
        _give_back(self.sockets, address)

    # How fast it asks ------------------------------------------------------------------------

    def take(self, what: str, address: str, now: float | None = None) -> None:
        """Counts something of `BY_ADDRESS` that an address asks for. Raises `TooMany`.

        >>> Addresses(Limits(join_burst=1)).take("join", "192.0.2.1")
        """
        now = time.monotonic() if now is None else now
        bucket = self.buckets.get((what, address))
        if bucket is None:
            if len(self.buckets) >= self.limits.addresses_remembered:
                self._forget(now)
            bucket = self.buckets[what, address] = Bucket(*self._rates[what], now)
        if not bucket.take(now):
            bound = BY_ADDRESS[what].bound
            raise TooMany(f"too many {bound} from your address; try again later", bound)

    def make_table(self, address: str, now: float | None = None) -> None:
        """Counts a new table, however it is made. Raises `TooMany`."""
        now = time.monotonic() if now is None else now
        recent = self.tables.get(address)
        if recent is None:
            if len(self.tables) >= self.limits.addresses_remembered:
                self._forget(now)
            recent = self.tables[address] = deque()
        edge = now - self.limits.tables_window_s
        while recent and recent[0] < edge:
            recent.popleft()
        if len(recent) >= self.limits.tables_per_address:
            raise TooMany(
                "too many new tables from your address; try again later", "tables_per_address"
            )
        recent.append(now)

    def _forget(self, now: float) -> None:
        """Drops what has no more effect, and of the rest, if it is still too much, what is furthest
        from its bound."""
        edge = now - self.limits.tables_window_s
        self.buckets = {
            key: bucket for key, bucket in self.buckets.items() if bucket.refill(now) < bucket.burst
        }
        self.tables = {key: made for key, made in self.tables.items() if made and made[-1] >= edge}
        most = self.limits.addresses_remembered // 2
        if len(self.buckets) > most:
            busiest = sorted(self.buckets, key=lambda key: self.buckets[key].tokens)
            self.buckets = {key: self.buckets[key] for key in busiest[:most]}
        if len(self.tables) > most:
            busiest_makers = sorted(self.tables, key=lambda key: -len(self.tables[key]))
            self.tables = {key: self.tables[key] for key in busiest_makers[:most]}


def _give_back(counts: dict[str, int], address: str) -> None:
    left = counts.get(address, 0) - 1
    if left > 0:
        counts[address] = left
    else:
        counts.pop(address, None)

"""How much one client may do. Counts by address, in memory; they are courtesy, not accounting."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from .errors import TooMany


@dataclass(frozen=True)
class Limits:
    """The server's limits. Loopback tests and load tests raise them."""

    messages_per_second: float = 20.0
    message_burst: int = 60
    gestures_per_second: float = 60.0
    gesture_burst: int = 120
    chats_per_second: float = 0.5
    chat_burst: int = 5
    hints_per_second: float = 0.5
    hint_burst: int = 5
    connections_per_address: int = 50
    tables_per_address: int = 30
    tables_window_s: float = 3600.0
    backlog: int = 512  # messages waiting for a client that does not read
    worlds: int = 48  # games with live worlds under way

    @classmethod
    def unlimited(cls) -> Limits:
        """Limits that nobody reaches, for load tests from one address."""
        return cls(1e9, 10**9, 1e9, 10**9, 1e9, 10**9, 1e9, 10**9, 10**9, 10**9, 1.0, 10**6, 10**9)


class Bucket:
    """A token bucket: so many at once, so many a second."""

    def __init__(self, per_second: float, burst: int, now: float) -> None:
        self.per_second = per_second
        self.burst = burst
        self.tokens = float(burst)
        self.at = now

    def take(self, now: float) -> bool:
        """Whether one more is allowed now."""
        self.tokens = min(self.burst, self.tokens + (now - self.at) * self.per_second)
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


@dataclass
class Addresses:
    """Connections and new tables by address."""

    limits: Limits
    connections: dict[str, int] = field(default_factory=dict)
    tables: dict[str, deque[float]] = field(default_factory=dict)

    def connect(self, address: str) -> None:
        """Counts a connection. Raises `TooMany`."""
        if self.connections.get(address, 0) >= self.limits.connections_per_address:
            raise TooMany("too many connections from your address")
        self.connections[address] = self.connections.get(address, 0) + 1

    def disconnect(self, address: str) -> None:
        """Counts a connection no more that was counted."""
        left = self.connections.get(address, 0) - 1
        if left > 0:
            self.connections[address] = left
        else:
            self.connections.pop(address, None)

    def make_table(self, address: str, now: float) -> None:
        """Counts a new table. Raises `TooMany`."""
        recent = self.tables.setdefault(address, deque())
        while recent and now - recent[0] > self.limits.tables_window_s:
            recent.popleft()
        if len(recent) >= self.limits.tables_per_address:
            raise TooMany("too many new tables from your address; try again later")
        recent.append(now)

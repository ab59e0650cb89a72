"""Figures for whoever keeps the server, in Prometheus' format."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from quarterdeck.contract import QuarterdeckError

from .errors import PastBound
from .limits import BOUNDS


class Metrics:
    """The figures of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.connections = Gauge(
            "quarterdeck_connections", "Open WebSockets", registry=self.registry
        )
        self.tables = Gauge("quarterdeck_tables", "Tables in memory", registry=self.registry)
        self.actions = Counter(
            "quarterdeck_actions", "Log entries stored", ["by"], registry=self.registry
        )
        self.refused = Counter(
            "quarterdeck_refused", "Requests refused", ["code"], registry=self.registry
        )
        self.bounded = Counter(
            "quarterdeck_bounded", "What went past a bound", ["bound"], registry=self.registry
        )
        self._bounds = {bound: self.bounded.labels(bound) for bound in BOUNDS}
        self.stored = Histogram(
            "quarterdeck_append_seconds",
            "From a change to its being durable",
            buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2),
            registry=self.registry,
        )
        self.searching = Gauge(
            "quarterdeck_searches", "Bots that search or wait for it", registry=self.registry
        )
        self.searched = Histogram(
            "quarterdeck_search_seconds",
            "From a bot's turn to search to its choice",
            buckets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 1.5, 2, 5),
            registry=self.registry,
        )
        self._by = {who: self.actions.labels(who) for who in ("seat", "bot", "timeout", "nature")}

    def count_action(self, by: int, via: str | None) -> None:
        """Counts one log entry by who made it."""
        self._by[via or ("nature" if by < 0 else "seat")].inc()

    def count_bound(self, bound: str) -> None:
        """Counts something that went past one of `limits.BOUNDS`."""
        self._bounds[bound].inc()

    def count_refusal(self, error: QuarterdeckError) -> None:
        """Counts a request that was refused, and the bound it went past, if that is why."""
        self.refused.labels(error.code).inc()
        if isinstance(error, PastBound):
            self.count_bound(error.bound)

    def page(self) -> bytes:
        """The page at `/metrics`."""
        return generate_latest(self.registry)

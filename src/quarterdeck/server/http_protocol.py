"""HTTP connections within bounds, and how one of them becomes a WebSocket.

uvicorn's protocol reads and answers requests; this one besides counts connections by address, gives
every part of a request its time and its size, and finds out whose request it is when a proxy that
is named in the settings hands it on.
"""

from __future__ import annotations

import asyncio
import contextlib
import http
import logging
from typing import Any, ClassVar, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from quarterdeck.contract import QuarterdeckError

from .addresses import TrustedProxies, address_key
from .app import HEADERS
from .errors import BadMessage, HeadersTooLarge, NoLength, ServerError, TooMany, TooSlow
from .hub import Hub
from .origins import check_host, check_origin
from .protocol import Refused, encode
from .sockets import Slow, Socket, accept_key

log = logging.getLogger("quarterdeck.server")

_SCHEMES = {b"http": "http", b"https": "https"}


class Door:
    """What all connections of a server share."""

    def __init__(
        self,
        hub: Hub,
        proxies: TrustedProxies | None = None,
        public_host: str | None = None,
        most_connections: int | None = None,
    ) -> None:
        """`most_connections`: what the system allows, if that is less than the limits do."""
        self.hub = hub
        self.proxies = proxies or TrustedProxies()
        self.public_host = public_host
        self.slow = Slow()
        self.connections = 0
        self.most_connections = min(
            hub.limits.connections, most_connections or hub.limits.connections
        )
        self._half_sent: dict[str, dict[HttpConnection, None]] = {}  # the oldest first
        self._has_warned = False

    def connect(self, address: str | None) -> None:
        """Counts a connection, and that of an address if it is not a proxy's. Raises `TooMany`."""
        if self.connections >= self.most_connections:
            raise TooMany("too many connections", "connections")
        if address is not None:
            self.hub.addresses.connect(address)
        self.connections += 1

    def disconnect(self, address: str | None) -> None:
        """Counts a connection no more that was counted."""
        self.connections -= 1
        if address is not None:
            self.hub.addresses.disconnect(address)

    def warn_of_proxy(self) -> None:
        """Says once that somebody tells of other addresses and is not believed."""
        if not self._has_warned:
            self._has_warned = True
            log.warning("X-Forwarded-For comes from a proxy that is not named in trusted_proxies")

    def begin_request(self, connection: HttpConnection, address: str) -> None:
        """Counts a request that is not complete; if there are too many, the oldest is given up."""
        waiting = self._half_sent.setdefault(address, {})
        waiting[connection] = None
        if len(waiting) > self.hub.limits.half_sent_per_address:
            oldest = next(iter(waiting))
            del waiting[oldest]
            self.hub.metrics.count_bound("half_sent_per_address")
            oldest.transport.abort()

    def end_request(self, connection: HttpConnection, address: str) -> None:
        """Counts a request no more that is complete, or given up."""
        waiting = self._half_sent.get(address)
        if waiting is not None:
            waiting.pop(connection, None)
            if not waiting:
                del self._half_sent[address]


class HttpConnection(HttpToolsProtocol):
    """One connection. A class of its own for each server has the server's `door`."""

    door: ClassVar[Door]

    # What is known of it before and after it was counted
    _is_counted = False
    _is_refused = False
    _timer: asyncio.TimerHandle | None = None
    _header_bytes = 0
    _is_in_headers = False
    _is_complete = True  # the request that was begun last
    _sent_for: str | None = None  # the address a proxy has sent the request under way for

    @classmethod
    def behind(cls, door: Door) -> type[HttpConnection]:
        """The class for the connections of one server."""
        return type(cls.__name__, (cls,), {"door": door})

    # Beginning and end -----------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.limits = self.door.hub.limits
        self.timeout_keep_alive = cast(int, self.limits.keep_alive_s)  # any number will do
        self.peer = self.client[0] if self.client else ""
        self.is_proxy = self.peer in self.door.proxies
        self.address = address_key(self.peer)
        try:
            self.door.connect(None if self.is_proxy else self.address)
        except TooMany as error:
            self.door.hub.metrics.count_refusal(error)
            self._is_refused = True
            transport.abort()
            return
        self._is_counted = True
        self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._end()
        self._set_timer(None)
        self._release()

    def _release(self) -> None:
        if self._is_counted:
            self._is_counted = False
            self.door.disconnect(None if self.is_proxy else self.address)

    def _close(self) -> None:
        """Closes it, at the latest when what is unread has had its time."""
        if not self.transport.is_closing():
            self.transport.close()
        self._set_timer("close_s")

    def timeout_keep_alive_handler(self) -> None:
        self.door.hub.metrics.count_bound("keep_alive_s")
        self._close()

    # The time things may take ----------------------------------------------------------------

    def _set_timer(self, bound: str | None) -> None:
        """Gives what is awaited the time of this limit; none: nothing is."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if bound is not None:
            seconds: float = getattr(self.limits, bound)
            self._timer = self.loop.call_later(seconds, self._be_late, bound)

    def _be_late(self, bound: str) -> None:
        self._timer = None
        if bound in ("header_s", "body_s") and not self._is_complete and self._is_unanswered:
            self._refuse(TooSlow("a request did not come within its time", bound))
        else:
            self.door.hub.metrics.count_bound(bound)
            self.transport.abort()

    def _begin(self) -> None:
        """A request is awaited, or has begun."""
        self._set_timer("header_s")
        if not self.is_proxy:
            self.door.begin_request(self, self.address)

    def _end(self) -> None:
        """The request is complete, or will never be."""
        self.door.end_request(self, self.address)
        if self._sent_for is not None:
            self.door.hub.addresses.disconnect(self._sent_for)
            self._sent_for = None

    # Reading ---------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return  # it is being closed
        self._unset_keepalive_if_required()
        was_in_headers = self._is_in_headers
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():  # else it is a request like others
                self.handle_websocket_upgrade()
            return
        except httptools.HttpParserError as error:
            reason = error.__context__
            is_ours = isinstance(reason, QuarterdeckError)
            self._refuse(reason if is_ours else BadMessage("this is no HTTP request"))
            return
        if self._is_in_headers and was_in_headers:
            self._header_bytes += len(data)
            if self._header_bytes > self.limits.header_bytes:
                self._refuse(HeadersTooLarge("too many headers", "header_bytes"))

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_in_headers, self._is_complete = True, False
        self._header_bytes = 0
        self._sizes = 0
        self._begin()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._count_header(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value or b"")
        self._count_header(len(name) + len(value or b"") + 4)

    def _count_header(self, size: int) -> None:
        self._sizes += size
        if self._sizes > self.limits.header_bytes:
            raise HeadersTooLarge("too many headers", "header_bytes")

    def on_headers_complete(self) -> None:
        self._is_in_headers = False
        self._check_request()
        super().on_headers_complete()
        self._set_timer("body_s")

    def _check_request(self) -> None:
        """Raises what refuses a request before anything is done for it."""
        door = self.door
        hosts = [value.decode("latin-1") for name, value in self.headers if name == b"host"]
        if hosts or self.parser.get_http_version() != "1.0":
            check_host(hosts)
        if any(name == b"transfer-encoding" for name, _ in self.headers):
            raise NoLength("a request says how long it is")
        sender = self.peer
        if self.is_proxy:
            sender = self._take_from_proxy()
        elif any(name == b"x-forwarded-for" for name, _ in self.headers):
            door.warn_of_proxy()
        door.hub.addresses.take("request", address_key(sender))
        if len(self.pipeline) >= self.limits.pipelined:
            raise TooMany("too many requests at once", "pipelined")

    def _take_from_proxy(self) -> str:
        """Whose request it is that a proxy hands on; it counts as a connection of theirs."""
        told = [value.decode("latin-1") for key, value in self.headers if key == b"x-forwarded-for"]
        sender = self.door.proxies.client(self.peer, told)
        for key, value in self.headers:
            if key == b"x-forwarded-proto" and value in _SCHEMES:
                self.scope["scheme"] = cast(Any, _SCHEMES[value])
        self.scope["client"] = (sender, 0)
        if self._sent_for is None:
            address = address_key(sender)
            self.door.hub.addresses.connect(address)
            self._sent_for = address
        return sender

    def on_message_complete(self) -> None:
        super().on_message_complete()
        if self.parser.should_upgrade() and self._should_upgrade():
            return
        self._is_complete = True
        self.door.end_request(self, self.address)
        self._set_timer(None if self.cycle.response_complete else "response_s")

    def on_response_complete(self) -> None:
        has_more = bool(self.pipeline)
        super().on_response_complete()
        if self.transport.is_closing():
            self._set_timer("close_s")
        elif has_more:
            self._set_timer("response_s")
        elif self._is_complete:
            self._set_timer(None)
        if not has_more and self._is_complete:
            self._end()

    @property
    def _is_unanswered(self) -> bool:
        """Whether nothing is being sent, so that an answer can be."""
        return self.cycle is None or self.cycle.response_complete

    # Refusing --------------------------------------------------------------------------------

    def _refuse(self, error: BaseException | None) -> None:
        """Answers a request that goes no further, and closes the connection."""
        assert isinstance(error, QuarterdeckError)
        self.door.hub.metrics.count_refusal(error)
        self._is_refused = True
        self._end()
        if not self._is_unanswered or self.transport.is_closing():
            self.transport.abort()  # in the middle of another answer
            return
        status = error.status if isinstance(error, ServerError) else 400
        body = encode(Refused(None, error.code, error.message))
        lines = [b"HTTP/1.1 %d %s" % (status, http.HTTPStatus(status).phrase.encode())]
        lines += [b"%s: %s" % header for header in HEADERS]
        lines += [
            b"content-type: application/json",
            b"cache-control: no-store",
            b"content-length: %d" % len(body),
            b"connection: close",
        ]
        self.transport.write(b"\r\n".join(lines) + b"\r\n\r\n" + body)
        # What still comes is read and dropped, or the system would take back the answer.
        with contextlib.suppress(OSError, RuntimeError):
            self.transport.write_eof()
        self._set_timer("close_s")

    # WebSockets ------------------------------------------------------------------------------

    def handle_websocket_upgrade(self) -> None:
        """The connection becomes a WebSocket, or is refused to."""
        hub = self.door.hub
        headers = dict(self.headers)
        address = self._sent_for or self.address
        try:
            accept = accept_key(self.scope["method"], self.url, headers)
            origin = headers.get(b"origin")
            check_origin(
                None if origin is None else origin.decode("latin-1"),
                headers.get(b"host", b"").decode("latin-1"),
                self.door.public_host,
            )
            hub.addresses.open_socket(address)
        except QuarterdeckError as error:
            self._refuse(error)
            return
        self._end()
        self._set_timer(None)
        self.connections.discard(self)

        def lost() -> None:
            hub.addresses.close_socket(address)
            self._release()

        connections = cast("set[Socket]", self.connections)
        Socket(hub, address, self.door.slow, connections, lost).begin(self.transport, accept)

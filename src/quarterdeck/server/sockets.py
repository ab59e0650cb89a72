"""One WebSocket: frames in, requests to the hub, messages out, and bounds on all of it.

Frames are read and written here; what is masked is unmasked by the compiled function of the
`websockets` package. Measured side by side, in microseconds of CPU for one message of 400 bytes in
and five of 1.5 kB out, 400 connections, uvloop, medians of three: here 33, picows 31, the protocol
of `websockets` without its own input and output 40, wsproto 57 (through Starlette and uvicorn it
was more than 100). Nearly all that is left is the system's. For two microseconds picows would have
to be constructed through a class it does not publish, hands over every frame of a buffer before one
can stop it, keeps no rule about reserved bits, and refuses browsers that say `keep-alive, Upgrade`.

Nothing here waits. A client that sends faster than its frames are allowed is not read for a while,
so that the net holds it up and not the server; one that does not read is closed before much is kept
for it. Codes of closing: 1002 against the protocol, 1007 no UTF-8, 1008 too much for too long, 1009
too large, 1011 silent, 1012 the server goes down, 1013 too much unread.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import hashlib
import socket
import time
from collections.abc import Callable, Mapping
from typing import Final

from websockets.speedups import apply_mask

from .errors import BadMessage, NoSocket, NoSuchTable, TooMany
from .hub import Hub
from .limits import Bucket
from .live_table import Client
from .protocol import FRAME, Refused, encode, id_of, is_gesture

PATH: Final = b"/ws"
_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3

_CONTINUATION, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0, 1, 2, 8, 9, 10
_FINAL = 0x80
_UNSENT_BYTES = 65_536  # that the system keeps besides, twice over

AGAINST_PROTOCOL, NOT_UTF8, TOO_MUCH, TOO_LARGE = 1002, 1007, 1008, 1009
SILENT, RESTART, UNREAD = 1011, 1012, 1013
_CODES_HEARD = frozenset({1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014})


def accept_key(method: str, path: bytes, headers: Mapping[bytes, bytes]) -> bytes:
    """What a handshake is answered with. Raises an error with the status that refuses it.

    >>> accept_key("GET", b"/ws", {b"sec-websocket-key": b"dGhlIHNhbXBsZSBub25jZQ==",
    ...                            b"sec-websocket-version": b"13"})
    b's3pPLMBiTxaQ9kYGzzhZRbK+xOo='
    """
    if path.partition(b"?")[0] != PATH:
        raise NoSuchTable("WebSockets are at /ws")
    if method != "GET":
        raise BadMessage("a WebSocket begins with GET")
    if headers.get(b"sec-websocket-version") != b"13":
        raise NoSocket("of WebSockets, version 13 is spoken here")
    key = headers.get(b"sec-websocket-key", b"")
    try:
        length = len(base64.b64decode(key, validate=True))
    except binascii.Error:
        length = 0
    if length != 16:
        raise BadMessage("a WebSocket has a key of 16 bytes")
    return base64.b64encode(hashlib.sha1(key + _MAGIC, usedforsecurity=False).digest())


def framed(opcode: int, data: bytes) -> bytes:
    """A whole message as a server's frame.

    >>> framed(1, b"ahoy")
    b'\\x81\\x04ahoy'
    """
    size = len(data)
    if size < 126:
        return bytes((_FINAL | opcode, size)) + data
    if size < 65_536:
        return bytes((_FINAL | opcode, 126)) + size.to_bytes(2, "big") + data
    return bytes((_FINAL | opcode, 127)) + size.to_bytes(8, "big") + data


class Slow:
    """The sockets that have something unread, by address."""

    def __init__(self) -> None:
        self._sockets: dict[str, set[Socket]] = {}

    def add(self, slow: Socket) -> None:
        self._sockets.setdefault(slow.address, set()).add(slow)

    def discard(self, slow: Socket) -> None:
        others = self._sockets.get(slow.address, set())
        others.discard(slow)
        if not others:
            self._sockets.pop(slow.address, None)

    def unread_bytes(self, address: str) -> int:
        """What is kept for the connections of an address."""
        return sum(slow.unread_bytes for slow in self._sockets.get(address, ()))


class Socket(asyncio.Protocol):
    """One WebSocket, from the handshake on."""

    transport: asyncio.Transport

    def __init__(
        self,
        hub: Hub,
        address: str,
        slow: Slow,
        connections: set[Socket],
        lost: Callable[[], None],
    ) -> None:
        """`connections` are those that uvicorn shuts down; `lost` is called when it is gone."""
        now = time.monotonic()
        limits = hub.limits
        self.hub = hub
        self.limits = limits
        self.address = address
        self.client = Client(self.post, limits, address)
        self.slow = slow
        self.connections = connections
        self.lost = lost
        self.is_closing = False
        self._frames = Bucket(limits.frames_per_second, limits.frame_burst, now)
        self._rest = b""  # of what came: the beginning of a frame, or what has to wait
        self._parts: bytearray | None = None  # of a message that comes in several frames
        self._is_text = True
        self._is_held = False
        self._is_deaf = False  # what comes is of no more use
        self._flooding_since: float | None = None
        self._refusals = 0
        self._is_slow = False
        self._heard_at = now
        self._pinged_at: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    # Beginning and end -----------------------------------------------------------------------

    def begin(self, transport: asyncio.Transport, accept: bytes) -> None:
        """Answers the handshake; from now on the client is the hub's."""
        self.transport = transport
        self.connections.add(self)
        transport.set_protocol(self)
        kept: socket.socket = transport.get_extra_info("socket")
        kept.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _UNSENT_BYTES)
        transport.write(
            b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            b"sec-websocket-accept: " + accept + b"\r\n\r\n"
        )
        self.hub.clients.add(self.client)
        self.hub.metrics.connections.inc()
        self._timer = self._loop.call_later(self.limits.ping_s, self._watch)

    def close(self, code: int) -> None:
        """Tells the client that it is over, and why; it has a while to agree."""
        if not self.is_closing:
            self._part(code.to_bytes(2, "big"))

    def shutdown(self) -> None:
        """Closes it because the server goes down; uvicorn calls this."""
        self.close(RESTART)
        self.transport.close()

    def _part(self, payload: bytes) -> None:
        self.is_closing = True
        self._parts = None
        if not self.transport.is_closing():
            self.transport.write(framed(_CLOSE, payload))
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(self.limits.close_s, self._cut)
        # Not at once: the hub may just be telling everybody something.
        self._loop.call_soon(self.hub.disconnect, self.client)

    def _cut(self) -> None:
        self.hub.metrics.count_bound("close_s")
        self.transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self.is_closing = True
        if self._timer is not None:
            self._timer.cancel()
        self.slow.discard(self)
        self.connections.discard(self)
        self.hub.disconnect(self.client)
        self.hub.metrics.connections.dec()
        self.lost()

    def _watch(self) -> None:
        """Sends a ping to a client that is silent, and gives up one that stays so."""
        now = time.monotonic()
        limits = self.limits
        if self._pinged_at is not None and self._heard_at < self._pinged_at:
            self.hub.metrics.count_bound("pong_s")
            self.close(SILENT)
            return
        self._pinged_at = None
        wait = self._heard_at + limits.ping_s - now
        if wait <= 0:
            self._pinged_at = now
            self.transport.write(framed(_PING, b""))
            wait = limits.pong_s
        self._timer = self._loop.call_later(wait, self._watch)

    # Out -------------------------------------------------------------------------------------

    def post(self, data: bytes) -> None:
        """Sends a message; a client that reads nothing is let go."""
        if not self.is_closing:
            self._send(_BINARY if data[0] == FRAME else _TEXT, data)

    def _send(self, opcode: int, data: bytes) -> None:
        self.transport.write(framed(opcode, data))
        if self._is_slow:
            self._check_unread()

    @property
    def unread_bytes(self) -> int:
        """What is kept until the client reads it."""
        return self.transport.get_write_buffer_size()

    def pause_writing(self) -> None:
        self._is_slow = True
        self.slow.add(self)

    def resume_writing(self) -> None:
        self._is_slow = False
        self.slow.discard(self)

    def _check_unread(self) -> None:
        limits = self.limits
        if self.unread_bytes > limits.unread_bytes:
            bound = "unread_bytes"
        elif self.slow.unread_bytes(self.address) > limits.unread_bytes_per_address:
            bound = "unread_bytes_per_address"
        else:
            return
        self.hub.metrics.count_bound(bound)
        self.close(UNREAD)

    # In --------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self._is_deaf:
            return
        now = self._heard_at = time.monotonic()
        if self._rest:
            data = self._rest + data
        if self._is_held:
            self._rest = data
            return
        if self._flooding_since is not None and self._frames.refill(now) > self._frames.burst / 2:
            self._flooding_since = None
        self._read(data, now)

    def _read(self, data: bytes, now: float) -> bool:
        """Reads the frames in some bytes, as many as it is its turn for; whether these were all."""
        limits, frames = self.limits, self._frames
        turn = limits.frames_a_turn
        start, end = 0, len(data)
        while end - start >= 6:  # no frame of a client is shorter
            first, second = data[start], data[start + 1]
            size, mask_at = second & 0x7F, start + 2
            if size == 126:
                if end - start < 8:
                    break
                size = int.from_bytes(data[mask_at : mask_at + 2], "big")
                mask_at += 2
            elif size == 127:
                if end - start < 14:
                    break
                size = int.from_bytes(data[mask_at : mask_at + 8], "big")
                mask_at += 8
            # Bits that are reserved, no mask, a control frame that is long or in parts
            if first & 0x70 or second < 0x80 or (first & 8 and (size > 125 or first < 0x80)):
                self._fail(AGAINST_PROTOCOL)
                return False
            if size > limits.message_bytes:
                self.hub.metrics.count_bound("message_bytes")
                self._fail(TOO_LARGE)
                return False
            stop = mask_at + 4 + size
            if stop > end:
                break
            if not turn or not frames.take(now):
                self._hold(data[start:], now, is_flood=bool(turn))
                return False
            turn -= 1
            start = stop
            self._take(
                first & 0x0F,
                first >= _FINAL,
                apply_mask(data[mask_at + 4 : stop], data[mask_at : mask_at + 4]),
                now,
            )
            if self._is_deaf:
                return False
        self._rest = data[start:]
        return True

    def _hold(self, rest: bytes, now: float, *, is_flood: bool) -> None:
        """Reads on when it is this connection's turn again, and nothing from the net until then."""
        if not self._is_held:
            self._is_held = True
            with contextlib.suppress(RuntimeError):  # it is closing
                self.transport.pause_reading()
        self._rest = rest
        if not is_flood:
            self.hub.metrics.count_bound("frames_a_turn")
            self._loop.call_soon(self._go_on)
            return
        limits = self.limits
        self.hub.metrics.count_bound("frames")
        if self._flooding_since is None:
            self._flooding_since = now
        elif now - self._flooding_since > limits.flood_s:
            self.hub.metrics.count_bound("flood_s")
            self.close(TOO_MUCH)
            return  # and nothing more is read
        if limits.frames_per_second > 0:
            wait = limits.frames_a_turn / limits.frames_per_second
            self._loop.call_later(wait, self._go_on)

    def _go_on(self) -> None:
        if self.transport.is_closing():
            return
        if self._read(self._rest, time.monotonic()) or self._is_deaf:
            self._is_held = False
            with contextlib.suppress(RuntimeError):  # it is closing
                self.transport.resume_reading()

    def _fail(self, code: int) -> None:
        """Closes it because of what came; nothing after that can be understood.

        What still comes is read and dropped, or the system would take back the code of closing.
        """
        self._is_deaf = True
        self._rest = b""
        self.close(code)
        self.transport.write_eof()

    def _take(self, opcode: int, is_final: bool, payload: bytes, now: float) -> None:
        """Deals with one frame."""
        if opcode == _CLOSE:
            self._take_close(payload)
        elif self.is_closing:
            return
        elif opcode in (_TEXT, _BINARY):
            if self._parts is not None:
                self._fail(AGAINST_PROTOCOL)
            elif is_final:
                self._take_message(payload, opcode == _TEXT, now)
            else:
                self._parts = bytearray(payload)
                self._is_text = opcode == _TEXT
        elif opcode == _CONTINUATION:
            self._take_part(payload, is_final, now)
        elif opcode == _PING:
            self._send(_PONG, payload)
        elif opcode != _PONG:
            self._fail(AGAINST_PROTOCOL)

    def _take_part(self, payload: bytes, is_final: bool, now: float) -> None:
        if self._parts is None:
            self._fail(AGAINST_PROTOCOL)
            return
        self._parts += payload
        if len(self._parts) > self.limits.message_bytes:
            self.hub.metrics.count_bound("message_bytes")
            self._fail(TOO_LARGE)
        elif is_final:
            message, self._parts = bytes(self._parts), None
            self._take_message(message, self._is_text, now)

    def _take_close(self, payload: bytes) -> None:
        """The client's word that it is over: an answer to ours, or to be answered."""
        if not self.is_closing:
            code = int.from_bytes(payload[:2], "big")
            is_known = code in _CODES_HEARD or 3000 <= code < 5000
            if payload and (len(payload) == 1 or not is_known):
                payload = AGAINST_PROTOCOL.to_bytes(2, "big")
            elif not _is_utf8(payload[2:]):
                payload = NOT_UTF8.to_bytes(2, "big")
            self._part(payload[:2])
        self._is_deaf = True
        self.transport.close()

    def _take_message(self, data: bytes, is_text: bool, now: float) -> None:
        if is_text and not _is_utf8(data):
            self._fail(NOT_UTF8)
            return
        client = self.client
        is_quick = is_text and is_gesture(data)
        bucket = client.gestures if is_quick else client.messages
        if not bucket.take(now):
            self._refuse(data, TooMany("slow down", "gestures" if is_quick else "messages"))
        elif is_text:
            self.hub.receive(client, data)
        else:
            self._refuse(b"", BadMessage("messages are text"))

    def _refuse(self, data: bytes, error: BadMessage | TooMany) -> None:
        """Answers what the hub is not asked at all."""
        self.hub.metrics.count_refusal(error)
        self.post(encode(Refused(id_of(data), error.code, error.message)))
        if isinstance(error, TooMany) and error.bound == "messages":
            self._refusals += 1
            if self._refusals > self.limits.message_burst:
                self.close(TOO_MUCH)


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True

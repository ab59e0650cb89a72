"""One WebSocket without a net: frames by the byte, and every bound on them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast
from unittest.mock import Mock

import pytest
from prometheus_client import generate_latest
from websockets.frames import Close, Frame, Opcode
from websockets.streams import StreamReader

from quarterdeck.contract import QuarterdeckError
from quarterdeck.server.errors import ServerError
from quarterdeck.server.hub import Hub
from quarterdeck.server.limits import Limits
from quarterdeck.server.protocol import PROTOCOL
from quarterdeck.server.sockets import Slow, Socket, accept_key

from .helpers import MemoryStorage, in_loop

SOON_S = 3.0

TEXT, BINARY, PART = Opcode.TEXT, Opcode.BINARY, Opcode.CONT
PING, PONG, CLOSE = Opcode.PING, Opcode.PONG, Opcode.CLOSE


class Wire:
    """A transport that keeps what is sent, and has as much unread as it is told."""

    def __init__(self) -> None:
        self.written = b""
        self.is_paused = self.is_closed = self.is_aborted = self.has_ended = False
        self.unread = 0

    def write(self, data: bytes) -> None:
        assert not self.is_closed
        self.written += data

    def write_eof(self) -> None:
        self.has_ended = True

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_closed = self.is_aborted = True

    def is_closing(self) -> bool:
        return self.is_closed

    def pause_reading(self) -> None:
        assert not self.is_paused
        self.is_paused = True

    def resume_reading(self) -> None:
        assert self.is_paused
        self.is_paused = False

    def set_protocol(self, protocol: object) -> None:
        pass

    def get_extra_info(self, name: str) -> Any:
        return Mock()

    def get_write_buffer_size(self) -> int:
        return self.unread

    def frames(self) -> list[Frame]:
        """The frames that were sent since the handshake, read by another library."""
        reader = StreamReader()
        reader.feed_data(self.written.partition(b"\r\n\r\n")[2])
        reader.feed_eof()
        frames = []
        while True:
            try:
                reading = Frame.parse(reader.read_exact, mask=False)
                while True:
                    next(reading)
            except StopIteration as done:
                frames.append(done.value)
            except EOFError:
                return frames

    def told(self) -> list[dict[str, Any]]:
        return [json.loads(bytes(frame.data)) for frame in self.frames() if frame.opcode is TEXT]

    def count(self, opcode: Opcode) -> int:
        return sum(frame.opcode is opcode for frame in self.frames())

    @property
    def code(self) -> int | None:
        """What it was closed with."""
        for frame in self.frames():
            if frame.opcode is CLOSE:
                return Close.parse(frame.data).code
        return None


class Line:
    """A socket, its wire and its hub."""

    def __init__(self, limits: Limits) -> None:
        self.hub = Hub(cast(Any, MemoryStorage()), limits)
        self.wire = Wire()
        self.slow = Slow()
        self.is_lost = False
        self.socket = Socket(self.hub, "192.0.2.1", self.slow, set(), self._lose)
        self.socket.begin(cast(asyncio.Transport, self.wire), b"key")

    def _lose(self) -> None:
        self.is_lost = True

    def send(self, *frames: bytes) -> None:
        """What comes from the net at once."""
        self.socket.data_received(b"".join(frames))

    def counted(self, bound: str) -> float:
        """How often something went past a bound."""
        name = f'quarterdeck_bounded_total{{bound="{bound}"}} '
        page = generate_latest(self.hub.metrics.registry).decode()
        (line,) = (line for line in page.splitlines() if line.startswith(name))
        return float(line.removeprefix(name))

    async def until(self, is_so: Any) -> None:
        async with asyncio.timeout(SOON_S):
            while not is_so():
                await asyncio.sleep(0.002)


@asynccontextmanager
async def line(**limits: Any) -> AsyncIterator[Line]:
    """A socket with these limits and no others."""
    here = Line(Limits.unlimited(**limits))
    yield here
    here.socket.connection_lost(None)
    assert here.is_lost
    assert not here.hub.clients
    await here.hub.close()


def frame(opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    """A client's frame."""
    return Frame(opcode, data, fin).serialize(mask=True)


def ask(id: int = 1) -> bytes:
    return json.dumps({"type": "ping", "id": id}).encode()


# The handshake -----------------------------------------------------------------------------------

KEY = {b"sec-websocket-key": b"dGhlIHNhbXBsZSBub25jZQ==", b"sec-websocket-version": b"13"}


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", b"/elsewhere", KEY, 404),
        ("POST", b"/ws", KEY, 400),
        ("GET", b"/ws", {**KEY, b"sec-websocket-version": b"8"}, 426),
        ("GET", b"/ws", {b"sec-websocket-version": b"13"}, 400),
        ("GET", b"/ws", {**KEY, b"sec-websocket-key": b"c2hvcnQ="}, 400),
        ("GET", b"/ws", {**KEY, b"sec-websocket-key": b"\xff not base64"}, 400),
    ],
)
def test_a_handshake_that_is_none(
    method: str, path: bytes, headers: dict[bytes, bytes], status: int
) -> None:
    with pytest.raises(QuarterdeckError) as refused:
        accept_key(method, path, headers)
    assert isinstance(refused.value, ServerError)
    assert refused.value.status == status


# Frames ------------------------------------------------------------------------------------------


@in_loop
async def test_a_request_is_answered_however_its_bytes_arrive() -> None:
    bytes_of_all = b"".join(frame(TEXT, ask(id)) for id in range(3))
    for size in (1, 2, 5, 7, 40, len(bytes_of_all)):
        async with line() as here:
            for start in range(0, len(bytes_of_all), size):
                here.send(bytes_of_all[start : start + size])
            await here.until(lambda here=here: len(here.wire.told()) == 3)
            assert [answer["id"] for answer in here.wire.told()] == [0, 1, 2]


@in_loop
async def test_a_message_in_parts_is_put_together_and_pings_may_come_between() -> None:
    async with line() as here:
        message = ask(7)
        here.send(frame(TEXT, message[:5], fin=False), frame(PING, b"between"))
        here.send(frame(PART, b"", fin=False), frame(PART, message[5:9], fin=False))
        assert [bytes(told.data) for told in here.wire.frames()] == [b"between"]
        here.send(frame(PART, message[9:]))
        await here.until(here.wire.told)
        assert here.wire.told() == [{"type": "ok", "id": 7, "table": None}]


@in_loop
async def test_messages_of_all_sizes_go_out_as_text_and_frames_of_worlds_as_bytes() -> None:
    async with line() as here:
        sizes = (2, 125, 126, 65_535, 65_536, 200_000)
        for size in sizes:
            here.socket.post(b"{" + b"x" * (size - 1))
        here.socket.post(b"\x01world")
        frames = here.wire.frames()
        assert [len(told.data) for told in frames] == [*sizes, 6]
        assert [told.opcode for told in frames] == [TEXT] * len(sizes) + [BINARY]


@in_loop
async def test_bytes_are_refused_and_the_connection_goes_on() -> None:
    async with line() as here:
        here.send(frame(BINARY, b"\x00\x01"), frame(TEXT, ask()))
        await here.until(lambda: len(here.wire.told()) == 2)
        assert [answer.get("code") for answer in here.wire.told()] == ["bad-message", None]


def spoilt(data: bytes, at: int, value: int) -> bytes:
    return data[:at] + bytes([value]) + data[at + 1 :]


WRONG = {
    "no mask": (Frame(TEXT, b"{} plain").serialize(mask=False), 1002),
    "a reserved bit": (spoilt(frame(TEXT, b"{}"), 0, 0xC1), 1002),
    "an unknown kind": (spoilt(frame(TEXT, b"{}"), 0, 0x83), 1002),
    "an unknown control frame": (spoilt(frame(PING, b"{}"), 0, 0x8B), 1002),
    "a ping in parts": (spoilt(frame(PING, b"{}"), 0, 0x09), 1002),
    "a long ping": (spoilt(frame(TEXT, b"x" * 126), 0, 0x89), 1002),
    "a part of nothing": (frame(PART, b"x"), 1002),
    "a message within another": (frame(TEXT, b"{", fin=False) + frame(TEXT, b"{}"), 1002),
    "no UTF-8": (frame(TEXT, b'{"type":"\xff\xfe"}'), 1007),
    "half a sign": (frame(TEXT, b"\xe2\x82", fin=False) + frame(PART, b""), 1007),
    "too large": (frame(TEXT, b"x" * 1025), 1009),
    "announced too large": (frame(TEXT, b"x" * 70_000)[:14], 1009),
    "too large in parts": (
        frame(TEXT, b"x" * 600, fin=False) + frame(PART, b"x" * 600, fin=False),
        1009,
    ),
    "an empty code": (frame(CLOSE, b"\x03"), 1002),
    "a code nobody may send": (frame(CLOSE, (1005).to_bytes(2, "big")), 1002),
    "a reason that is no UTF-8": (frame(CLOSE, (1000).to_bytes(2, "big") + b"\xff"), 1007),
}


@pytest.mark.parametrize("wrong", WRONG)
@in_loop
async def test_what_is_against_the_protocol_is_closed_with_its_code(wrong: str) -> None:
    data, code = WRONG[wrong]
    async with line(message_bytes=1024, close_s=0.05) as here:
        here.send(data + frame(TEXT, ask()))
        assert here.wire.code == code
        await asyncio.sleep(0)
        assert here.wire.told() == []  # nothing after it is heard
        assert not here.hub.clients
        here.send(frame(PING, b"still there?"))
        assert here.wire.count(PONG) == 0
        await here.until(lambda: here.wire.is_closed)  # whatever the client does


@in_loop
async def test_who_says_goodbye_is_told_goodbye() -> None:
    async with line() as here:
        here.send(frame(CLOSE, (1001).to_bytes(2, "big") + b"off to sea"))
        assert here.wire.code == 1001
        assert here.wire.is_closed
    async with line() as here:
        here.send(frame(CLOSE))
        assert here.wire.frames()[-1].data == b""


# Bounds ------------------------------------------------------------------------------------------

FLOODS = {
    "pings": [frame(PING)],
    "pongs": [frame(PONG)],
    "empty parts": [frame(TEXT, fin=False), *[frame(PART, fin=False)] * 9],
    "messages": [frame(TEXT, ask())],
}


@pytest.mark.parametrize("flood", FLOODS)
@in_loop
async def test_frames_of_every_kind_have_a_rate(flood: str) -> None:
    frames = (FLOODS[flood] * 10)[:10]
    async with line(frame_burst=4, frames_per_second=200.0) as here:
        here.send(*frames)
        assert here.wire.is_paused  # the net holds the rest up
        assert here.counted("frames") == 1
        await here.until(lambda: not here.wire.is_paused)
        assert here.counted("frames") > 1
        assert here.wire.code is None


@in_loop
async def test_a_connection_takes_turns_with_the_others() -> None:
    async with line(frames_a_turn=5) as here:
        here.send(*[frame(PING)] * 12)
        assert here.wire.count(PONG) == 5
        here.send(frame(PING))  # what was on its way when it was held up
        assert here.wire.count(PONG) == 5
        turns = []
        while here.wire.is_paused:
            await asyncio.sleep(0)
            turns.append(here.wire.count(PONG))
        assert turns[-1] == 13
        assert 10 in turns


@in_loop
async def test_a_flood_that_goes_on_is_closed() -> None:
    limits = {"frame_burst": 4, "frames_per_second": 500.0, "flood_s": 0.1, "close_s": 0.1}
    async with line(**limits) as here:
        while here.wire.code is None:
            if not here.wire.is_paused:
                here.send(*[frame(PONG)] * 100)
            await asyncio.sleep(0.001)
        assert here.wire.code == 1008
        assert here.counted("flood_s") == 1
        await here.until(lambda: here.wire.is_aborted)
        assert here.counted("close_s") == 1


@in_loop
async def test_floods_that_are_far_apart_are_forgiven() -> None:
    async with line(frame_burst=4, frames_per_second=100.0, flood_s=0.05) as here:
        for _ in range(3):
            here.send(*[frame(PONG)] * 6)
            await here.until(lambda: not here.wire.is_paused)
            await asyncio.sleep(0.06)
        assert here.wire.code is None


@in_loop
async def test_requests_past_their_rate_are_refused_and_then_closed() -> None:
    async with line(messages_per_second=0.0, message_burst=3) as here:
        here.send(*(frame(TEXT, ask(id)) for id in range(3)))
        await here.until(lambda: len(here.wire.told()) == 3)
        here.send(*(frame(TEXT, ask(id)) for id in range(3, 8)))
        answers = [(answer["id"], answer.get("code")) for answer in here.wire.told()]
        assert answers == [(id, None if id < 3 else "too-many") for id in range(7)]
        assert here.wire.code == 1008
        assert here.counted("messages") == 4


@in_loop
async def test_requests_wait_in_a_queue_that_has_an_end() -> None:
    async with line(waiting_requests=3) as here:
        attach = {"type": "attach", "id": 0, "table": "zzzzzzzz", "protocol": PROTOCOL}
        here.send(frame(TEXT, json.dumps(attach).encode()))  # takes its time, and others wait
        here.send(*(frame(TEXT, ask(id)) for id in range(1, 6)))
        assert [answer["id"] for answer in here.wire.told()] == [4, 5]
        await here.until(lambda: len(here.wire.told()) == 6)
        assert [answer["id"] for answer in here.wire.told()] == [4, 5, 0, 1, 2, 3]
        assert here.counted("waiting_requests") == 2


@in_loop
async def test_who_does_not_read_is_closed_and_then_cut_off() -> None:
    async with line(unread_bytes=2000, close_s=0.05) as here:
        here.socket.pause_writing()
        here.wire.unread = 2000
        here.socket.post(b"{}")
        assert not here.socket.is_closing
        here.wire.unread = 2001
        here.socket.post(b"{}")
        assert here.wire.code == 1013
        assert here.counted("unread_bytes") == 1
        sent = here.wire.written
        here.socket.post(b"{}")
        assert here.wire.written == sent  # nothing more is kept for it
        await here.until(lambda: here.wire.is_aborted)
        assert not here.hub.clients


@in_loop
async def test_an_address_has_so_much_unread_on_all_its_connections() -> None:
    async with line(unread_bytes_per_address=5000) as here:
        others = [Socket(here.hub, "192.0.2.1", here.slow, set(), lambda: None) for _ in range(2)]
        stranger = Socket(here.hub, "192.0.2.2", here.slow, set(), lambda: None)
        for socket in (*others, stranger):
            socket.begin(cast(asyncio.Transport, Wire()), b"key")
        for socket in (here.socket, *others, stranger):
            cast(Wire, socket.transport).unread = 2000
            socket.pause_writing()
        stranger.post(b"{}")
        assert not stranger.is_closing
        here.socket.post(b"{}")
        assert here.wire.code == 1013
        assert here.counted("unread_bytes_per_address") == 1
        for socket in (*others, stranger):
            socket.connection_lost(None)
        assert here.slow.unread_bytes("192.0.2.2") == 0


@in_loop
async def test_who_is_silent_is_pinged_and_then_closed() -> None:
    async with line(ping_s=0.05, pong_s=0.05) as here:
        for _ in range(3):
            count = here.wire.count(PING)
            await here.until(lambda count=count: here.wire.count(PING) > count)
            here.send(frame(PONG))
        assert here.wire.code is None
        await here.until(lambda: here.wire.code == 1011)
        assert here.counted("pong_s") == 1


@in_loop
async def test_a_server_that_goes_down_says_so() -> None:
    async with line() as here:
        here.socket.shutdown()
        assert here.wire.code == 1012
        assert here.wire.is_closed

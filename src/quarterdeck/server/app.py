"""HTTP and WebSocket: the way to the tables from outside."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from quarterdeck.bots.levels import LEVELS
from quarterdeck.bots.strength import strengths
from quarterdeck.contract import CHANCE, NATURE, QuarterdeckError
from quarterdeck.engine.match import Match
from quarterdeck.games import find_game, games, kit_path

from .errors import BadMessage, NoSuchTable, ServerError, TooLarge, WrongOrigin
from .hub import Hub
from .live_table import Client
from .protocol import (
    FRAME,
    LARGEST_MESSAGE,
    Draw,
    GameInfo,
    JoinTable,
    Level,
    NewTable,
    Proof,
    Refused,
    TableList,
    encode,
)

log = logging.getLogger("quarterdeck.server")

STATIC = Path(__file__).parent / "static"
_PAGES = ("/", "/t/{table}")
_TOO_MANY_CLOSE, _ORIGIN_CLOSE, _RESTART_CLOSE = 1008, 1008, 1012

HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        b"connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; "
        b"form-action 'none'; object-src 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]

S = TypeVar("S", bound=msgspec.Struct)


def make_app(hub: Hub, public_url: str | None = None) -> ASGIApp:
    """The application. `public_url` is an origin allowed besides the one that was asked for."""
    handlers = _Handlers(hub, public_url)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await hub.open()
        log.info("open", extra={"tables": len(hub.tables)})
        yield
        await hub.close()
        log.info("closed")

    routes: list[Any] = [
        Route("/api/games", handlers.as_json(handlers.games)),
        Route("/api/games/{game}/kit", handlers.as_json(handlers.kit)),
        Route("/api/tables", handlers.as_json(handlers.list_tables)),
        Route("/api/tables", handlers.as_json(handlers.make_table), methods=["POST"]),
        Route("/api/tables/{table}/join", handlers.as_json(handlers.join), methods=["POST"]),
        Route("/api/tables/{table}/record", handlers.as_json(handlers.record)),
        Route("/api/tables/{table}/proof", handlers.as_json(handlers.proof)),
        Route("/healthz", handlers.as_json(handlers.health)),
        Route("/metrics", handlers.metrics),
        WebSocketRoute("/ws", handlers.websocket),
    ]
    if (STATIC / "index.html").exists():
        routes += [Route(path, _page) for path in _PAGES]
        routes.append(Mount("/", StaticFiles(directory=STATIC)))
    return _with_headers(Starlette(routes=routes, lifespan=lifespan))


async def _page(request: Request) -> Response:
    page = await asyncio.to_thread((STATIC / "index.html").read_bytes)
    return Response(page, media_type="text/html", headers={"cache-control": "no-cache"})


def _with_headers(app: ASGIApp) -> ASGIApp:
    """Puts the usual protections on every answer; built files may be kept for ever."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return

        async def send_more(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *HEADERS]
                if scope["path"].startswith("/assets/"):
                    message["headers"].append(
                        (b"cache-control", b"public, max-age=31536000, immutable")
                    )
            await send(message)

        await app(scope, receive, send_more)

    return wrapped


class _Handlers:
    """What answers each route."""

    def __init__(self, hub: Hub, public_url: str | None) -> None:
        self.hub = hub
        self.public_host = urlsplit(public_url).netloc if public_url else None

    def as_json(
        self, handler: Callable[[Request], Awaitable[Any]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """The handler with its answer as JSON, and its errors as `Refused`."""

        async def answer(request: Request) -> Response:
            try:
                if request.method != "GET":
                    self.check_origin(request.headers)
                told = await handler(request)
                data, status = told if isinstance(told, bytes) else encode(told), 200
            except QuarterdeckError as error:
                self.hub.metrics.refused.labels(error.code).inc()
                status = error.status if isinstance(error, ServerError) else 400
                data = encode(Refused(None, error.code, error.message, error.rule))
            return Response(
                data, status, {"cache-control": "no-store"}, media_type="application/json"
            )

        return answer

    def check_origin(self, headers: Any) -> None:
        """Raises `WrongOrigin` for a page of another site; programs send no origin."""
        origin = headers.get("origin")
        if origin is None:
            return
        host = urlsplit(origin).netloc
        if host != headers.get("host") and host != self.public_host:
            raise WrongOrigin(f"not from {origin!r}")

    # HTTP ------------------------------------------------------------------------------------

    async def games(self, request: Request) -> list[GameInfo]:
        names = [name for name in LEVELS if name != "random"]
        infos = []
        for game in games():
            shown = strengths().get(game.id, {})
            levels = tuple(Level(name, shown.get(name)) for name in names)
            options = tuple(option for option in game.options if option.at_tables)
            is_ready = self.hub.preparation.is_ready(game.id)
            infos.append(GameInfo(game.id, game.name, options, levels, is_ready))
        return infos

    async def kit(self, request: Request) -> dict[str, Any]:
        path = kit_path(find_game(request.path_params["game"]))
        text = await asyncio.to_thread(path.read_text, "utf-8")
        return tomllib.loads(text)

    async def list_tables(self, request: Request) -> TableList:
        return TableList(await self.hub.list_tables())

    async def make_table(self, request: Request) -> Any:
        return await self.hub.make(await _body(request, NewTable), _address(request))

    async def join(self, request: Request) -> Any:
        body = await _body(request, JoinTable)
        return await self.hub.join(request.path_params["table"], body)

    async def record(self, request: Request) -> bytes:
        record = await self.hub.storage.record(request.path_params["table"])
        if record is None:
            raise NoSuchTable("no game was finished at that table")
        return record

    async def proof(self, request: Request) -> Proof:
        live = await self.hub.get(request.path_params["table"])
        fairness = live.table.fairness()
        return Proof(fairness, tuple(_draws(live.table.playing)))

    async def health(self, request: Request) -> dict[str, Any]:
        return {"status": "ok", "tables": len(self.hub.tables), "clients": len(self.hub.clients)}

    async def metrics(self, request: Request) -> Response:
        return Response(self.hub.metrics.page(), media_type="text/plain; version=0.0.4")

    # WebSocket -------------------------------------------------------------------------------

    async def websocket(self, socket: WebSocket) -> None:
        address = socket.client.host if socket.client else ""
        try:
            self.check_origin(socket.headers)
            self.hub.addresses.connect(address)
        except QuarterdeckError as error:
            self.hub.metrics.refused.labels(error.code).inc()
            await socket.close(_ORIGIN_CLOSE)
            return
        try:
            await socket.accept()
            await _Connection(self.hub, socket).run()
        finally:
            self.hub.addresses.disconnect(address)


class _Connection:
    """One WebSocket: a reader that hands requests over in order, and a writer that never waits."""

    def __init__(self, hub: Hub, socket: WebSocket) -> None:
        self.hub = hub
        self.socket = socket
        self.outbox: asyncio.Queue[bytes | None] = asyncio.Queue()  # None: the end
        self.client = Client(self.post, hub.limits)
        self.refusals = 0

    def post(self, data: bytes) -> None:
        """Queues a message; a client that reads nothing is let go."""
        if self.outbox.qsize() < self.hub.limits.backlog:
            self.outbox.put_nowait(data)
        elif self.outbox.qsize() == self.hub.limits.backlog:
            self.outbox.put_nowait(None)

    async def run(self) -> None:
        self.hub.clients.add(self.client)
        self.hub.metrics.connections.inc()
        writer = asyncio.create_task(self._write())
        try:
            await self._read()
        finally:
            self.hub.disconnect(self.client)
            self.hub.metrics.connections.dec()
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError, RuntimeError):
                await writer

    async def _read(self) -> None:
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            data = text.encode() if text is not None else message.get("bytes") or b""
            if len(data) > LARGEST_MESSAGE:
                await self._close(1009)
                return
            if text is None:
                error = BadMessage("messages are text")
                self.post(encode(Refused(None, error.code, error.message)))
            else:
                self.hub.receive(self.client, data)
            if self.client.messages.tokens < 1:
                self.refusals += 1
                if self.refusals > self.hub.limits.message_burst:
                    self.outbox.put_nowait(None)
                    while (await self.socket.receive())["type"] != "websocket.disconnect":
                        pass  # until the answers are out and it is closed
                    return

    async def _write(self) -> None:
        while True:
            data = await self.outbox.get()
            if data is None:
                await self._close(_TOO_MANY_CLOSE)
                return
            try:
                if data[0] == FRAME:
                    await self.socket.send({"type": "websocket.send", "bytes": data})
                else:
                    await self.socket.send({"type": "websocket.send", "text": data.decode()})
            except (RuntimeError, OSError, WebSocketDisconnect):
                return  # it is gone; the reader will notice

    async def _close(self, code: int) -> None:
        with contextlib.suppress(RuntimeError, OSError):
            await self.socket.close(code)


def _draws(match: Match) -> list[Draw]:
    """Every draw of a game with the pool it came from."""
    again = Match(match.game, match.options, position=match.start_position)
    draws = []
    for index, entry in enumerate(match.log):
        if entry.by == "nature" and again.node == CHANCE:
            pool = match.game.notation.pool(match.game.kit, again.state)
            draws.append(Draw(index, tuple(pool), entry.do))
        again.act(NATURE if entry.by == "nature" else entry.by, entry.do)
    return draws


async def _body(request: Request, kind: type[S]) -> S:
    """The body of a request, read up to a limit."""
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > LARGEST_MESSAGE:
            raise TooLarge(f"a request has at most {LARGEST_MESSAGE} bytes")
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(f"this is no {kind.__name__}: {error}") from error


def _address(request: Request) -> str:
    return request.client.host if request.client else ""

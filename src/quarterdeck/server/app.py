"""HTTP: the way to the tables from outside. WebSockets are in `sockets`."""

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
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quarterdeck.bots.levels import LEVELS
from quarterdeck.bots.strength import strengths
from quarterdeck.contract import BadOption, QuarterdeckError
from quarterdeck.games import find_game, games, kit_path

from .addresses import address_key
from .errors import BadMessage, NoSocket, NoSuchTable, ServerError, TooLarge
from .hub import Hub
from .origins import check_origin
from .protocol import (
    GameInfo,
    JoinTable,
    Level,
    NewTable,
    Refused,
    encode,
)

log = logging.getLogger("quarterdeck.server")

STATIC = Path(__file__).parent / "static"
_PAGES = ("/", "/t/{table}")

OFFERED_LEVELS = tuple(name for name in LEVELS if name != "random")
"""The bots one may play with. `random` is for simulations."""

HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        b"connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
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
        Route("/ws", handlers.as_json(handlers.no_socket)),
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
                self.hub.metrics.count_refusal(error)
                status = error.status if isinstance(error, ServerError) else 400
                data = encode(Refused(None, error.code, error.message, error.rule))
            return Response(
                data, status, {"cache-control": "no-store"}, media_type="application/json"
            )

        return answer

    def check_origin(self, headers: Any) -> None:
        """Raises `WrongOrigin` for a page of another site; programs send no origin."""
        check_origin(headers.get("origin"), headers.get("host"), self.public_host)

    def take(self, what: str, request: Request) -> None:
        """Counts what an address asks for. Raises `TooMany`."""
        self.hub.addresses.take(what, _address(request))

    async def body(self, request: Request, kind: type[S]) -> S:
        """The body of a request, read up to a limit."""
        most = self.hub.limits.message_bytes
        data = b""
        async for chunk in request.stream():
            data += chunk
            if len(data) > most:
                raise TooLarge(f"a request has at most {most} bytes", "message_bytes")
        try:
            return msgspec.json.decode(data, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadMessage(f"this is no {kind.__name__}: {error}") from error

    # HTTP ------------------------------------------------------------------------------------

    async def games(self, request: Request) -> list[GameInfo]:
        infos = []
        for game in games():
            shown = strengths().get(game.id, {})
            levels = tuple(Level(name, shown.get(name)) for name in OFFERED_LEVELS)
            options = tuple(option for option in game.options if option.at_tables)
            is_ready = self.hub.preparation.is_ready(game.id)
            infos.append(GameInfo(game.id, game.name, options, levels, is_ready))
        return infos

    async def kit(self, request: Request) -> dict[str, Any]:
        path = kit_path(find_game(request.path_params["game"]))
        text = await asyncio.to_thread(path.read_text, "utf-8")
        return tomllib.loads(text)

    async def list_tables(self, request: Request) -> bytes:
        self.take("listing", request)
        return self.hub.listing.page_bytes()

    async def make_table(self, request: Request) -> Any:
        body = await self.body(request, NewTable)
        for plan in body.seats:
            if plan.kind == "bot" and plan.level not in OFFERED_LEVELS:
                offered = ", ".join(OFFERED_LEVELS)
                raise BadOption(f"no bot {plan.level!r} plays at tables; there is {offered}")
        return await self.hub.make(body, _address(request))

    async def join(self, request: Request) -> Any:
        self.take("join", request)
        body = await self.body(request, JoinTable)
        return await self.hub.join(request.path_params["table"], body)

    async def record(self, request: Request) -> bytes:
        self.take("record", request)
        return await self._record(request)

    async def proof(self, request: Request) -> bytes:
        self.take("proof", request)
        return await self._record(request)

    async def _record(self, request: Request) -> bytes:
        record = await self.hub.storage.record(request.path_params["table"])
        if record is None:
            raise NoSuchTable("no game was finished at that table")
        return record

    async def no_socket(self, request: Request) -> None:
        raise NoSocket("this is a WebSocket")

    async def health(self, request: Request) -> dict[str, Any]:
        return {"status": "ok", "tables": len(self.hub.tables), "clients": len(self.hub.clients)}

    async def metrics(self, request: Request) -> Response:
        return Response(self.hub.metrics.page(), media_type="text/plain; version=0.0.4")


def _address(request: Request) -> str:
    return address_key(request.client.host) if request.client else ""

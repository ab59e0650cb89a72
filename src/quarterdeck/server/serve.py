"""`quarterdeck serve`: logs, and the process itself."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import socket
import sys
import threading
import time
import webbrowser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn

from quarterdeck import __version__
from quarterdeck.contract import BadOption
from quarterdeck.games import games

from .addresses import TrustedProxies
from .app import STATIC, make_app
from .control import ControlServer, StatusTold
from .http_protocol import Door, HttpConnection
from .hub import Hub
from .lock import locked
from .settings import Settings
from .sockets import Socket
from .storage import SqliteStorage

SWITCH_SECONDS = 0.0005
SHUTDOWN_SECONDS = 5
GOODBYE_SECONDS = 0.1  # for a message to leave
FILES_OF_OUR_OWN = 128
MOST_FILES = 65_536


def serve(settings: Settings) -> int:
    """Runs the server until it is told to stop; returns the exit code."""
    _set_up_logs(settings.log_level)
    with locked(settings.database_path):
        return _serve(settings)


def _serve(settings: Settings) -> int:
    hub = Hub(SqliteStorage(settings.database_path), settings.limits, games())
    try:
        listener = _listen(settings.host, settings.port)
    except OSError as error:
        where = f"{settings.host}:{settings.port}"
        raise BadOption(f"cannot listen on {where}: {error.strerror}") from error
    url = settings.public_url or f"http://{_name(settings.host)}:{listener.getsockname()[1]}"
    public_host = urlsplit(settings.public_url).netloc if settings.public_url else None
    proxies = TrustedProxies(settings.trusted_proxies)
    door = Door(hub, proxies, public_host, _most_files() - FILES_OF_OUR_OWN)
    config = uvicorn.Config(
        make_app(hub, settings.public_url),
        loop="uvloop",
        http=HttpConnection.behind(door),
        ws=Socket,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        proxy_headers=False,  # the door knows whom to believe
    )
    # Compiled rules are for ever and tables hold no cycles: look for garbage seldom.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    # Live worlds take short turns of Python between steps of physics: nobody waits long for his.
    sys.setswitchinterval(SWITCH_SECONDS)
    _announce(settings, url)
    if settings.open_browser and _has_browser():
        threading.Timer(0.5, webbrowser.open, [url]).start()
    _Server(config, hub, settings.database_path).run(sockets=[listener])
    return 0


class _Server(uvicorn.Server):
    """A server that answers commands while it runs, and says goodbye to its clients before their
    connections are closed."""

    def __init__(self, config: uvicorn.Config, hub: Hub, database: Path) -> None:
        super().__init__(config)
        self.hub = hub
        self.control = ControlServer(database, hub.storage, self.status)
        self.started_at = time.monotonic()

    def status(self) -> StatusTold:
        """How the server fares, for who asks on its machine."""
        up_seconds = round(time.monotonic() - self.started_at)
        return StatusTold(
            __version__, os.getpid(), len(self.hub.tables), len(self.hub.clients), up_seconds
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            await self.control.open()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.control.close()
        self.hub.say_goodbye()
        await asyncio.sleep(GOODBYE_SECONDS)
        await super().shutdown(sockets)


def _most_files() -> int:
    """How many files and connections the system lets us have open, once we have asked for more."""
    if sys.platform == "win32":
        return MOST_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(soft, wanted)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.listen(1024)
    return listener


def _name(host: str) -> str:
    """The host as a person would type it."""
    if host in ("0.0.0.0", "::"):
        return local_address()
    return f"[{host}]" if ":" in host else host


def local_address() -> str:
    """This machine's address in its own network. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address; UDP connects silently
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _announce(settings: Settings, url: str) -> None:
    print(f"Quarterdeck is at {url}", flush=True)
    if not (STATIC / "index.html").exists():
        print("(The client is not built: only the API is served.)", flush=True)
    if settings.host in ("0.0.0.0", "::") or settings.public_url:
        import segno

        segno.make(url, error="m").terminal(compact=True)
        print("Others scan the code or type the address. Ctrl-C stops the server.", flush=True)


def _has_browser() -> bool:
    """Whether a browser can be expected to open: a screen, and somebody before it."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return False
    return sys.stdout.isatty()


class _JsonLines(logging.Formatter):
    """One JSON object a line. Only fields named here are written, so no secret slips in."""

    FIELDS = ("tables", "code", "table", "seat")

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {key: getattr(record, key) for key in self.FIELDS if hasattr(record, key)}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def _set_up_logs(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("uvicorn.access").disabled = True

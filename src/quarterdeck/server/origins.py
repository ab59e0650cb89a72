"""Which pages may speak to the server, and which names it may be called by."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from .errors import BadMessage, WrongOrigin

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~-]+)(:[0-9]{1,5})?")


def check_host(hosts: list[str]) -> None:
    """Raises `BadMessage` unless a request has one `Host`, and that is a name and a port."""
    if len(hosts) != 1 or not _HOST.fullmatch(hosts[0]):
        raise BadMessage("a request has one Host, a name and perhaps a port")


def check_origin(origin: str | None, host: str | None, public_host: str | None) -> None:
    """Raises `WrongOrigin` for a page of another site; programs send no origin."""
    if origin is None:
        return
    try:
        of_page = urlsplit(origin).netloc
    except ValueError as error:
        raise WrongOrigin(f"not from {origin!r}") from error
    if not of_page or of_page not in (host, public_host):
        raise WrongOrigin(f"not from {origin!r}")

"""A server for each module of tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .helpers import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without limits, ended after the last test of the module."""
    server = Server(tmp_path_factory.mktemp("harbour"), "--unlimited").start()
    yield server
    server.end()

"""Servers for the tests. Most tests share one server because starting takes seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.serving.served import Served, User

pytest.importorskip("starlette", reason="the page is not installed: accord[page]")
httpx = pytest.importorskip("httpx")


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    started = Served.start(tmp_path_factory.mktemp("serving"), "--workers", "2", "--max-upload", "60")
    yield started
    started.stop()


@pytest.fixture
def server(running: Served) -> Iterator[Served]:
    yield running
    running.leave()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """`start("--waiting", "2")` starts a separate server that ends with the test."""
    servers: list[Served] = []

    def started(*options: str) -> Served:
        servers.append(Served.start(tmp_path, *options))
        return servers[-1]

    yield started
    for one in servers:
        one.stop()


@pytest.fixture
def user(server: Served) -> User:
    return server.user()

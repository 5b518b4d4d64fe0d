"""Work on other machines, by way of Dask's `distributed`: what is computed never depends on it.

there.py runs on workers, sending.py sends tasks and takes what comes back, host.py is a cluster on this machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from accord.core.errors import SpecError, quoted

if TYPE_CHECKING:
    from accord.core.clusters.sending import Cluster

_PLACE = re.compile(r"(?:[a-z]+://)?(?:\[[0-9a-fA-F:.]+\]|[^\s/:@]+):\d{1,5}")
_LOCAL = re.compile(r"local(?::(?P<workers>\d{1,4}))?")
_CURRENT: ContextVar[Cluster | None] = ContextVar("cluster", default=None)


def check_address(address: object) -> int | None:
    """Of a scheduler, or the number of workers on this machine, 0 for one a core."""
    local = _LOCAL.fullmatch(address) if isinstance(address, str) else None
    if local is None:
        if isinstance(address, str) and _PLACE.fullmatch(address):
            return None
        raise SpecError(f"a cluster is tcp://HOST:PORT of a Dask scheduler, or local:4, not {quoted(address)}")
    if local["workers"] is None:
        return 0
    if not 1 <= int(local["workers"]) <= 1024:
        raise SpecError(f"a cluster on this machine has from 1 to 1,024 workers, not {local['workers']}")
    return int(local["workers"])


def current() -> Cluster | None:
    """Where work goes; None: it stays here."""
    return _CURRENT.get()


def cluster(address: str) -> AbstractContextManager[None]:
    """Long work within it is done by the workers of a Dask scheduler, or by some that are started: "local:4".

        with accord.cluster("tcp://scheduler:8786"):
            accord.score("spans.csv", "gamma")

    The digits are the same as without it. Workers need this version of accord, NumPy and SciPy.
    """
    check_address(address)
    return _sent_there(address)


@contextmanager
def _sent_there(address: str) -> Iterator[None]:
    from accord.core.clusters.sending import connected

    with connected(address) as found:
        token = _CURRENT.set(found)
        try:
            yield
        finally:
            _CURRENT.reset(token)


@contextmanager
def stay_here() -> Iterator[None]:
    """What a task itself spreads is done where the task is."""
    token = _CURRENT.set(None)
    try:
        yield
    finally:
        _CURRENT.reset(token)

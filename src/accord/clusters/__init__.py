"""Work on other machines, by way of Dask's `distributed`: what is computed never depends on it.

there.py runs on workers, sending.py sends tasks and takes what comes back, host.py is a cluster on this machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.clusters.sending import Cluster

_CURRENT: ContextVar[Cluster | None] = ContextVar("cluster", default=None)


def current() -> Cluster | None:
    """Where work goes; None: it stays here."""
    return _CURRENT.get()


@contextmanager
def cluster(address: str) -> Iterator[None]:
    """Long work within it is done by the workers of a Dask scheduler, or by some that are started: "local:4".

        with accord.cluster("tcp://scheduler:8786"):
            accord.score("spans.csv", "gamma")

    The digits are the same as without it. Workers need this version of accord, NumPy and SciPy.
    """
    from accord.clusters.sending import connected

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

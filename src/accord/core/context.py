"""The context of a computation: seed, number of workers, progress callback, and resources."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.core.errors import SpecError, quoted

if TYPE_CHECKING:
    from accord.core.checkpoints import Checkpoint
    from accord.core.clusters import Cluster

Progress = Callable[[str, int, int], None]
# Callbacks for the start and end of compiling, which happens where no Run is available.
COMPILING: list[Callable[[bool], None]] = []


def silent(task: str, done: int, total: int) -> None:
    """Ignore progress."""


@dataclass(frozen=True)
class Run:
    """Settings of a run. Results depend only on `seed`, not on `progress(task, done, total)` or `jobs`."""

    seed: int = 0
    progress: Progress = silent  # None: silent
    jobs: int | None = None  # None: one per core

    def __post_init__(self) -> None:
        if not _is_whole(self.seed) or self.seed < 0:
            raise SpecError("option-value", f"seed must be a whole number, at least 0, not {quoted(self.seed)}")
        if self.jobs is not None and (not _is_whole(self.jobs) or self.jobs < 1):
            raise SpecError("option-value", f"jobs must be a number of workers, at least 1, not {quoted(self.jobs)}")
        watcher: Any = self.progress
        if watcher is None:
            object.__setattr__(self, "progress", silent)
        elif not callable(watcher):
            raise SpecError(
                "option-value", f"progress must be a function of (task, done, total), not {quoted(watcher)}"
            )
        object.__setattr__(self, "seed", int(self.seed))

    def rng(self, *purpose: int) -> np.random.Generator:
        """Return a generator for a purpose; draws for one purpose do not affect draws for another."""
        return np.random.default_rng([self.seed, *purpose])


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


@dataclass(frozen=True)
class Resources:
    """Resources of long computations: a cluster that computes tasks, a checkpoint that stores results."""

    cluster: Cluster | None = None
    checkpoint: Checkpoint | None = None


_NONE = Resources()
_RESOURCES: ContextVar[Resources] = ContextVar("resources", default=_NONE)


def resources() -> Resources:
    """Return the resources of the current `accord.cluster` and `accord.checkpoint`."""
    return _RESOURCES.get()


@contextmanager
def using(given: Resources) -> Iterator[None]:
    token = _RESOURCES.set(given)
    try:
        yield
    finally:
        _RESOURCES.reset(token)

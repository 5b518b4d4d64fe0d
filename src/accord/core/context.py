"""What every computation is given: the seed, the number of workers, who watches its progress, and resources."""

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
# Functions that are told when compiling machine code begins and ends: it happens where no Run is at hand.
COMPILING: list[Callable[[bool], None]] = []


def silent(task: str, done: int, total: int) -> None:
    """Progress that is not shown."""


@dataclass(frozen=True)
class Run:
    """Results depend on `seed` only: `progress(task, done, total)` watches, and `jobs` makes it faster."""

    seed: int = 0
    progress: Progress = silent  # None is the same
    jobs: int | None = None  # None: as many as there are cores

    def __post_init__(self) -> None:
        if not _is_whole(self.seed) or self.seed < 0:
            raise SpecError("option-value", f"the seed is a whole number from 0, not {quoted(self.seed)}")
        if self.jobs is not None and (not _is_whole(self.jobs) or self.jobs < 1):
            raise SpecError("option-value", f"jobs is the number of workers, 1 at least, not {quoted(self.jobs)}")
        watcher: Any = self.progress
        if watcher is None:
            object.__setattr__(self, "progress", silent)
        elif not callable(watcher):
            raise SpecError("option-value", f"progress is a function of (task, done, total), not {quoted(watcher)}")
        object.__setattr__(self, "seed", int(self.seed))

    def rng(self, *purpose: int) -> np.random.Generator:
        """A generator for each purpose, so that draws for one never shift those for another."""
        return np.random.default_rng([self.seed, *purpose])


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


@dataclass(frozen=True)
class Resources:
    """What long work uses beyond this machine: a cluster that computes tasks, a checkpoint that keeps results."""

    cluster: Cluster | None = None
    checkpoint: Checkpoint | None = None


_NONE = Resources()
_RESOURCES: ContextVar[Resources] = ContextVar("resources", default=_NONE)


def resources() -> Resources:
    """The resources of the context that `accord.cluster` and `accord.checkpoint` have made."""
    return _RESOURCES.get()


@contextmanager
def using(given: Resources) -> Iterator[None]:
    token = _RESOURCES.set(given)
    try:
        yield
    finally:
        _RESOURCES.reset(token)

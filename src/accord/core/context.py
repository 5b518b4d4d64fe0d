"""What a computation may know of its surroundings: the seed, how many workers, and who watches its progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.core.errors import SpecError, quoted

Progress = Callable[[str, int, int], None]
# Who wants to know when machine code is being compiled, and when that is over: it happens deeper than any Run comes.
COMPILING: list[Callable[[bool], None]] = []


def silent(task: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True)
class Run:
    """Results depend on `seed` alone; `progress(task, done, total)` only watches, `jobs` only makes it faster."""

    seed: int = 0
    progress: Progress = silent  # None is as good
    jobs: int | None = None  # None: as many as there are cores

    def __post_init__(self) -> None:
        if not _is_whole(self.seed) or self.seed < 0:
            raise SpecError(f"the seed is a whole number from 0, not {quoted(self.seed)}")
        if self.jobs is not None and (not _is_whole(self.jobs) or self.jobs < 1):
            raise SpecError(f"jobs is the number of workers, 1 at least, not {quoted(self.jobs)}")
        watcher: Any = self.progress
        if watcher is None:
            object.__setattr__(self, "progress", silent)
        elif not callable(watcher):
            raise SpecError(f"progress is a function of (task, done, total), not {quoted(watcher)}")
        object.__setattr__(self, "seed", int(self.seed))

    def rng(self, *purpose: int) -> np.random.Generator:
        """A generator of its own for each purpose, so that one never shifts another."""
        return np.random.default_rng([self.seed, *purpose])


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)

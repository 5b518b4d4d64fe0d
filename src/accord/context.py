"""What a computation may know of its surroundings: the seed, how many workers, and whom to tell how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


def silent(task: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True)
class Run:
    """Results depend on `seed` alone; `progress(task, done, total)` only watches, `jobs` only makes it faster."""

    seed: int = 0
    progress: Callable[[str, int, int], None] = silent
    jobs: int | None = None  # None: as many as there are cores

    def rng(self, *purpose: int) -> np.random.Generator:
        """A generator of its own for each purpose, so that one never shifts another."""
        return np.random.default_rng([self.seed, *purpose])

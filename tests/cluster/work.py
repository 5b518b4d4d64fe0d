"""Tasks that the tests send to workers."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from accord.core.errors import DataError


@dataclass(frozen=True)
class Work:
    """Draw the same numbers in every process. Record which processes unpack the data and run each task."""

    folder: Path
    seconds: float = 0.0
    refused: tuple[int, ...] = ()
    deadly: tuple[int, ...] = ()
    megabytes: int = 0
    ballast: bytes = b""

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        with (self.folder / "unpacked").open("a") as file:
            file.write(f"{os.getpid()}\n")

    def __call__(self, task: int) -> list[float]:
        with (self.folder / "begun").open("a") as file:
            file.write(f"{task} {os.getpid()}\n")
        if task in self.refused:
            time.sleep(0.3 / (task + 1))  # later tasks fail sooner
            raise DataError("usage", f"task {task}")
        if task in self.deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        filled = np.ones(max(1, self.megabytes << 17))
        time.sleep(self.seconds)
        return (np.random.default_rng([7, task]).normal(size=50) * filled[-1]).tolist()

    def lines(self, name: str) -> list[str]:
        path = self.folder / name
        return path.read_text().split("\n")[:-1] if path.exists() else []

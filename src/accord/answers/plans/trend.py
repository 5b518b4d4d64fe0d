"""`accord trend`: does agreement change from round to round?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from accord.answers.plans.base import Plan
from accord.answers.scoring import kinds_of
from accord.answers.trend import Trend, trend
from accord.core.context import Run
from accord.core.errors import SpecError
from accord.data.door import opened


@dataclass(frozen=True)
class TrendPlan(Plan):
    """The values of a column, one after the other."""

    command: ClassVar[str] = "trend"
    example: ClassVar[str] = "labels.csv --by round"

    by: str | None = None
    measures: tuple[str, ...] = ()
    interval: str = "default"
    level: float = 0.95
    replicates: int = 2000

    def answer(self, run: Run) -> Trend:
        self.check_named()
        if self.by is None:
            raise SpecError(f"--by: which column names the rounds? accord trend {self.example}")
        return trend(
            opened(list(self.paths), replace(self.reading, by=(self.by,)), kinds_of(*self.measures), run),
            self.by,
            self.measures or None,
            interval=self.interval,
            level=self.level,
            replicates=self.replicates,
            seed=run.seed,
            progress=run.progress,
            jobs=run.jobs,
        )

"""`accord check`: thresholds that a corpus has to hold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from accord.answers.checks import Checks, check_data, columns_in, read_baseline, threshold
from accord.answers.plans.base import Plan
from accord.core.context import Run
from accord.data.door import opened
from accord.measures.intervals.methods import Settings


@dataclass(frozen=True)
class CheckPlan(Plan):
    """`SPEC=VALUE` each: at least, or at most."""

    command: ClassVar[str] = "check"
    example: ClassVar[str] = "ratings.csv --min alpha=0.8"

    minimum: tuple[str, ...] = ()
    maximum: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    baseline: str | None = None
    use: str = "value"
    interval: str = "default"
    level: float = 0.95
    replicates: int = 2000

    def answer(self, run: Run) -> Checks:
        asked = [threshold(text, "min") for text in self.minimum] + [threshold(text, "max") for text in self.maximum]
        settings = Settings(self.interval, self.level, self.replicates)
        before = () if self.baseline is None else read_baseline(self.baseline)
        self.check_named()
        kinds = [*(one.measure.data for one in asked), *(one.measure.data for one in before)]
        data = opened(list(self.paths), replace(self.reading, by=columns_in(self.by)), kinds, run)
        return check_data(data, asked, self.use, settings, run, self.by, before)

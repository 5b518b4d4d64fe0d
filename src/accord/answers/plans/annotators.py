"""`accord annotators`: who is reliable?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from accord.answers.annotators import Annotators, annotators
from accord.answers.plans.base import Plan
from accord.core.context import Run
from accord.data.door import opened


@dataclass(frozen=True)
class AnnotatorsPlan(Plan):
    """Every annotator held against the others."""

    command: ClassVar[str] = "annotators"
    example: ClassVar[str] = "labels.csv"

    time: str | None = None
    duration: str | None = None
    fit: bool | None = None
    replicates: int | None = None
    level: float = 0.95

    def answer(self, run: Run) -> Annotators:
        self.check_named()
        apart = () if self.time is None else (self.time,)
        kept = () if self.duration is None else (self.duration,)
        return annotators(
            opened(list(self.paths), replace(self.reading, by=apart, keep=kept), run=run),
            time=self.time,
            duration=self.duration,
            fit=self.fit,
            replicates=self.replicates,
            level=self.level,
            seed=run.seed,
            progress=run.progress,
            jobs=run.jobs,
        )

"""`accord align`: the best alignment itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from accord.answers.align import align
from accord.answers.plans.base import Plan
from accord.core.context import Run
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments


@dataclass(frozen=True)
class AlignPlan(Plan):
    """Units, or texts side by side."""

    command: ClassVar[str] = "align"
    example: ClassVar[str] = "spans.csv -o alignment.csv"

    measure: str | None = None

    def answer(self, run: Run) -> UnitaryAlignments | TextAlignments:
        return align(self.opened(run, self.measure), self.measure, progress=run.progress, jobs=run.jobs)

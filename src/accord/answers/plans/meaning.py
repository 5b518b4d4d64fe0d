"""`accord meaning`: which errors, of which size, would give a value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from accord.answers.plans.base import Plan
from accord.answers.plans.shuffle import of_annotator
from accord.answers.scoring import kinds_of
from accord.answers.simulate.errors import error_type
from accord.answers.simulate.meaning import Meaning, meaning
from accord.answers.simulate.shuffle import kinds_of_errors
from accord.core.context import Run
from accord.core.errors import SpecError
from accord.data.door import opened


@dataclass(frozen=True)
class MeaningPlan(Plan):
    """A measure, the errors to try, and perhaps a gold standard."""

    command: ClassVar[str] = "meaning"
    example: ClassVar[str] = "spans.csv -m gamma"

    measure: str | None = None
    error: tuple[str, ...] = ()
    gold: str | None = None
    reference: str | None = None
    step: float = 0.1
    sets: int = 20

    def inputs(self) -> list[Path]:
        return [*super().inputs(), *([] if self.gold is None else [Path(self.gold)])]

    def answer(self, run: Run) -> Meaning:
        if not self.paths:
            raise SpecError("name the data whose agreement is to be explained: accord meaning spans.csv -m gamma")
        if self.reference is not None and self.gold is None:
            raise SpecError("--reference chooses an annotator of the gold standard: say --gold TABLE as well")
        errors = [error_type(spec) for spec in self.error]
        data = opened(list(self.paths), self.reading, kinds_of_errors(errors) or kinds_of(self.measure), run)
        standard = None
        if self.gold is not None:
            everybody = replace(self.reading, annotators=())  # the gold standard has an annotator of its own
            standard = of_annotator(opened(self.gold, everybody, (data.kind.name,), run), self.reference)
        return meaning(
            data,
            self.measure,
            gold=standard,
            errors=errors or None,
            step=self.step,
            sets=self.sets,
            seed=run.seed,
            progress=run.progress,
            jobs=run.jobs,
        )

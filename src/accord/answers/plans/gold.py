"""`accord gold`: one version from what several annotators said; `accord disagreements`: where they differ."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from accord.answers.disagreements import Disagreements, disagreements
from accord.answers.gold.decisions import read_decisions
from accord.answers.gold.gold import gold
from accord.answers.gold.settled import Gold, apply_decisions
from accord.answers.plans.base import Plan
from accord.core.context import Run


@dataclass(frozen=True)
class GoldPlan(Plan):
    """A gold standard, with decisions that a person took."""

    command: ClassVar[str] = "gold"
    example: ClassVar[str] = "ratings.csv -o gold.csv"

    method: str | None = None
    boundaries: str = "median"
    threshold: float = 0.5
    measure: str | None = None
    decisions: str | None = None

    def answer(self, run: Run) -> Gold:
        made = gold(
            self.opened(run, self.measure),
            method=self.method,
            boundaries=self.boundaries,
            threshold=self.threshold,
            measure=self.measure,
            seed=run.seed,
            progress=run.progress,
            jobs=run.jobs,
        )
        return made if self.decisions is None else apply_decisions(made, read_decisions(Path(self.decisions)))


@dataclass(frozen=True)
class DisagreementsPlan(Plan):
    """What annotators did not agree on."""

    command: ClassVar[str] = "disagreements"
    example: ClassVar[str] = "ratings.csv"

    measure: str | None = None

    def answer(self, run: Run) -> Disagreements:
        data = self.opened(run, self.measure)
        return disagreements(data, measure=self.measure, seed=run.seed, progress=run.progress, jobs=run.jobs)

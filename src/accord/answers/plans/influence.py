"""`accord influence`: who, and what, pulls the value down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from accord.answers.influence import WHAT, Influence, influence
from accord.answers.plans.base import Plan, names_in, one_measure
from accord.core.context import Run


@dataclass(frozen=True)
class InfluencePlan(Plan):
    """What is left out, one at a time."""

    command: ClassVar[str] = "influence"
    example: ClassVar[str] = "ratings.csv -m alpha"

    measures: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    leave_out: str | None = None
    level: float = 0.95
    replicates: int = 500

    def answer(self, run: Run) -> Influence:
        spec = one_measure(self.measures, self.command)
        return influence(
            self.opened(run, spec),
            spec,
            of=self.of or WHAT,
            annotators=names_in(self.leave_out),
            level=self.level,
            replicates=self.replicates,
            seed=run.seed,
            progress=run.progress,
            jobs=run.jobs,
        )

"""`accord intra`: how well annotators agree with themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from accord.answers.intra import Intra, intra
from accord.answers.plans.base import Plan
from accord.answers.scoring import kinds_of
from accord.core.context import Run
from accord.core.errors import SpecError
from accord.data.kinds import ITEMS


@dataclass(frozen=True)
class IntraPlan(Plan):
    """Items or documents that the same annotator did twice."""

    command: ClassVar[str] = "intra"
    example: ClassVar[str] = "ratings.csv -m alpha"

    measure: str | None = None
    by: tuple[str, ...] = ()
    level: float = 0.95

    def answer(self, run: Run) -> Intra:
        spec = self.measure or ITEMS.main
        if self.reading.repeats not in {"error", "trials"}:
            raise SpecError("--repeats: repetitions are what is compared here; leave it out")
        again = kinds_of(spec) == (ITEMS.name,)
        reading = replace(self.reading, repeats="trials", by=self.by) if again else self.reading
        data = replace(self, reading=reading).opened(run, spec)
        return intra(data, spec, by=self.by, level=self.level, seed=run.seed)

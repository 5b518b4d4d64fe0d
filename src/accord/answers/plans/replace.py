"""`accord replace`: may a model stand in for a person?"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace as copied
from typing import ClassVar

from accord.answers.plans.base import Plan, names_in
from accord.answers.replacement import Replacement, replace
from accord.answers.scoring import kinds_of
from accord.core.context import Run
from accord.core.errors import SpecError
from accord.data.door import opened


@dataclass(frozen=True)
class ReplacePlan(Plan):
    """Models held against people who labelled the same items."""

    command: ClassVar[str] = "replace"
    example: ClassVar[str] = "labels.csv --models gpt,llama"

    models: str | None = None
    kind: str | None = None
    people: str | None = None
    epsilon: str = "experts"
    q: float = 0.05
    score: str | None = None
    least_people: int = 2
    least_items: int = 30
    measure: str | None = None
    level: float = 0.95

    def answer(self, run: Run) -> Replacement:
        named = names_in(self.models)
        if not named and self.kind is None:
            raise SpecError(
                "which of the annotators are models? accord replace labels.csv --models gpt,llama; or --kind COLUMN, "
                "where a column says model or human"
            )
        self.check_named()
        by = () if self.kind is None else (self.kind,)
        return replace(
            opened(list(self.paths), copied(self.reading, by=by), kinds_of(self.measure), run=run),
            named,
            kind=self.kind,
            epsilon=self.epsilon,
            q=self.q,
            score=self.score,
            least_people=self.least_people,
            least_items=self.least_items,
            people=names_in(self.people),
            measure=self.measure,
            level=self.level,
            seed=run.seed,
            progress=run.progress,
            jobs=run.jobs,
        )

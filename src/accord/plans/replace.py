"""`accord replace`: may a model stand in for a person?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from accord.context import Run
from accord.errors import SpecError
from accord.inference.replacement.replace import Replacement, replace
from accord.plans.base import Plan, names_in


@dataclass(frozen=True)
class ReplacePlan(Plan):
    """Models held against people who labelled the same items."""

    command: ClassVar[str] = "replace"
    example: ClassVar[str] = "labels.csv --models gpt,llama"

    models: str | None = None
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
        if not named:
            raise SpecError(
                "--models: which of the annotators are models? accord replace labels.csv --models gpt,llama"
            )
        return replace(
            self.opened(run, self.measure),
            named,
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

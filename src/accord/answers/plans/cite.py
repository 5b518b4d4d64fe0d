"""`accord cite`: how agreement was measured, in a sentence to print, with its references."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from accord.answers.citing import Citation, cited
from accord.answers.plans.base import Plan
from accord.answers.scoring import score_each
from accord.core.context import Run
from accord.core.prose import style_named
from accord.data.door import opened_all
from accord.measures.catalogue import measure
from accord.measures.intervals.methods import Settings


@dataclass(frozen=True)
class CitePlan(Plan):
    """The measures to cite, their intervals, and the style."""

    command: ClassVar[str] = "cite"
    example: ClassVar[str] = "ratings.csv -m alpha"

    measures: tuple[str, ...] = ()
    settings: Settings = field(default_factory=Settings)
    style: str = "plain"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "measures", tuple(str(measure(spec)) for spec in self.measures))
        style_named(self.style)

    def answer(self, run: Run) -> Citation:
        self.check_named()
        asked = tuple(measure(spec) for spec in self.measures)
        found = opened_all(list(self.paths), self.reading, [m.data for m in asked])
        # One measure is enough for a sentence: the main one of such data.
        scores = {
            variable: score_each(data, asked or (measure(data.kind.main),), self.settings, run)
            for variable, data in found.items()
        }
        return cited(scores, style=self.style)

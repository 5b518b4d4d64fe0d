"""`accord report`: all that is worth knowing about data, as a page that one can send."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import tomli_w

from accord.answers.plans.base import Plan
from accord.answers.plans.kept import as_toml
from accord.answers.reporting.findings import ReportOptions
from accord.answers.reporting.reports import Report, gather_report
from accord.core.context import Run
from accord.data.door import opened_all
from accord.measures.catalogue import measure
from accord.measures.intervals.methods import Settings


@dataclass(frozen=True)
class ReportPlan(Plan):
    """Measures, their intervals, and what else the report holds."""

    command: ClassVar[str] = "report"
    example: ClassVar[str] = "ratings.csv -o report.html"

    measures: tuple[str, ...] = ()
    settings: Settings = field(default_factory=Settings)
    by: str | None = None  # the column of rounds
    meaning: bool = False
    text: str | None = None  # the column with the text of items
    title: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "measures", tuple(str(measure(spec)) for spec in self.measures))

    def answer(self, run: Run) -> Report:
        self.check_named()
        asked = ReportOptions(tuple(map(measure, self.measures)), self.settings, self.by, self.meaning, self.text)
        by, keep = ((name,) if name is not None else () for name in (self.by, self.text))
        reading = replace(self.reading, by=by, keep=keep)
        return gather_report(
            opened_all(list(self.paths), reading, [one.data for one in asked.measures], run),
            asked,
            run,
            name=self.title,
            paths=self.paths,
            plan=tomli_w.dumps(as_toml(self)),
        )

"""A report: sections with sentences, tables, figures and views, for each variable, and all that a run depends on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from accord.answers.reporting.findings import Findings
from accord.answers.reporting.saying import Sentence, as_dict
from accord.answers.reporting.verdict import Verdict
from accord.answers.views import Views
from accord.core.errors import Asker
from accord.core.result import ROW, forest, score_table
from accord.core.tables import Cell, Drawing, Interval, Result, Table, plain

_ELSEWHERE = re.compile(
    r"; (--(csv or --)?json|(to_frame\(\) or )?to_dict\(\)) has all(, \S+ shows all of one measure)?$"
)
MOST_FOLDED = 300  # rows of a table that is opened


@dataclass(frozen=True)
class Code:
    """Text for a program: the plan of a run, BibTeX."""

    title: str
    text: str


@dataclass(frozen=True)
class Section:
    """A part of a report, under its own heading."""

    key: str
    title: str
    said: tuple[Sentence, ...] = ()
    tables: tuple[Table, ...] = ()
    folded: tuple[Table, ...] = ()  # longer ones, that are opened to be read
    figures: tuple[Drawing, ...] = ()
    views: Callable[[int | None], Views] | None = None  # of the worst documents, so many of them, or all
    codes: tuple[Code, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "title": self.title,
            "said": [as_dict(one) for one in self.said],
            "tables": [table_as_dict(one) for one in (*self.tables, *self.folded, *self.behind)],
            **({"codes": [asdict(one) for one in self.codes]} if self.codes else {}),
        }

    @property
    def behind(self) -> tuple[Table, ...]:
        """The tables behind the figures."""
        return tuple(behind(figure) for figure in self.figures)

    @property
    def empty(self) -> bool:
        return not (self.said or self.tables or self.folded or self.figures or self.views or self.codes)


@dataclass(frozen=True, eq=False)
class Part:
    """The report of one variable."""

    findings: Findings
    verdict: Verdict
    sections: tuple[Section, ...]

    def to_dict(self) -> dict[str, Any]:
        found = self.findings
        return plain(
            {
                "variable": found.variable,
                "kind": found.data.kind.plural,
                **found.data.summary(),
                "verdict": self.verdict.to_dict(),
                "scores": [score.to_dict() for score in found.scores],
                "sections": [section.to_dict() for section in self.sections],
            }
        )


@dataclass(frozen=True, eq=False, repr=False)
class Report(Result):
    """All that is worth knowing about data. `page()` is it as HTML, `write(path)` writes it."""

    name: str  # of the data, or as the user wants it
    parts: tuple[Part, ...]
    settings: Section  # every setting, and how to repeat the run
    problems: tuple[tuple[str, str], ...] = ()  # variables that cannot be scored, and why
    paths: tuple[str, ...] = field(default=())

    @property
    def title(self) -> str:
        return self.name

    def summary(self) -> str:
        return "; ".join(f"{self._named(part)}{part.findings.score.summary()}" for part in self.parts)

    def facts(self) -> list[str]:
        """The first screen."""
        lines: list[str] = []
        for part in self.parts:
            head, *rest = part.verdict.lines()
            lines += [f"{self._named(part)}{head}", *rest]
        return [*lines, *(f"{name}: {why}" for name, why in self.problems)]

    def _named(self, part: Part) -> str:
        return f"{part.findings.variable}: " if len(self.parts) > 1 else ""

    def tables(self) -> list[Table]:
        several = len(self.parts) > 1
        return [
            replace(
                score_table(part.findings.scores.each, noun=part.findings.data.kind.n),
                title=part.findings.variable if several else "",
            )
            for part in self.parts
        ]

    def closing(self) -> list[str]:
        if not Asker.types:
            return ["path='report.html' writes the page; path='FOLDER' a page for each document as well"]
        return ["-o report.html writes the page; -o FOLDER a page for each document as well"]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        """The scores of a variable, or the main one of each of several."""
        if len(self.parts) == 1:
            return self.parts[0].findings.scores.drawings()
        return {"forest": partial(forest, {p.findings.variable: p.findings.score for p in self.parts}, "", "variable")}

    def overview(self) -> Table:
        """Variables by their main measures."""
        rows: list[tuple[Cell, ...]] = [
            (p.findings.variable, p.findings.score.measure, p.findings.score.value, p.findings.score.interval,
             p.findings.score.n, p.verdict.headline, p.verdict.trust)
            for p in self.parts
        ]  # fmt: skip
        level = next((p.findings.score.interval.level for p in self.parts if p.findings.score.interval), 0.95)
        columns = ("variable", "measure", "value", f"{level * 100:.6g}% interval", "n", "in words", "trust it")
        return Table("variables", columns, tuple(rows), tuple(f"{name}: {why}" for name, why in self.problems))

    def to_dict(self) -> dict[str, Any]:
        return plain(
            {
                "title": self.name,
                "paths": list(self.paths),
                "variables": [part.to_dict() for part in self.parts],
                **({"overview": table_as_dict(self.overview())} if len(self.parts) > 1 else {}),
                "problems": [{"variable": name, "problem": why} for name, why in self.problems],
                "settings": self.settings.to_dict(),
            }
        )

    def flat(self) -> Table:
        """A row for each score of each variable."""
        rows = [(part.findings.variable, *score.row()) for part in self.parts for score in part.findings.scores]
        return Table("", ("variable", *ROW), tuple(rows))

    def sections(self) -> Iterator[Section]:
        for part in self.parts:
            yield from part.sections
        yield self.settings


def table_as_dict(table: Table) -> dict[str, Any]:
    """Whole, in full precision."""
    rows = [[_cell(cell) for cell in row] for row in table.rows]
    return {"title": table.title, "columns": list(table.columns), "rows": rows, "notes": list(table.notes)}


def _cell(cell: Cell) -> Any:
    return asdict(cell) if isinstance(cell, Interval) else cell


def behind(figure: Drawing) -> Table:
    """The numbers that a figure shows."""
    made = cut(figure.drawn(), MOST_FOLDED)
    return replace(made, title=made.title or figure.title or figure.caption)


def cut(table: Table, most: int) -> Table:
    """The first rows, and how many there are; notes speak of this page, not of a screen."""
    table = replace(table, notes=tuple(_ELSEWHERE.sub("", note) for note in table.notes))
    left = len(table.rows) - most
    if left <= 0:
        return table
    return replace(table, rows=table.rows[:most], notes=(*table.notes, f"{left:,} more rows are not in this report"))


def titled(tables: Sequence[Table], title: str) -> tuple[Table, ...]:
    """Tables that have no title of their own get this one: a caption says what is in a table."""
    return tuple(table if table.title else replace(table, title=title) for table in tables)

"""All that a plan gives: scores of every variable and part, their breakdowns, and what was read."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from accord.answers.citing import Citation, cited
from accord.answers.plans.at_a_glance import MOST_LISTED, at_a_glance, facts_of, notes_of_groups
from accord.answers.plans.groups import Group
from accord.answers.plans.printing import printed_scores
from accord.answers.plans.read import in_a_line
from accord.answers.reporting.breakdowns import breakdown, matrix, pair_matrix
from accord.answers.scales import WARNING, Scale, verdict
from accord.core.figures.bars import Forest
from accord.core.prose import Prose
from accord.core.result import ROW, Result, Score, estimate, forest, interval_heading
from accord.core.tables import Cell, Drawing, Printed, Table, percent, plain
from accord.data.kinds import ITEMS
from accord.data.model.data import Data

_FEW = 3  # variables of which each is described


@dataclass(frozen=True, repr=False)
class Results(Result):
    """The whole answer of `accord score`."""

    variables: Mapping[str, Data]
    groups: tuple[Group, ...]
    paths: tuple[str, ...] = ()
    level: float = 0.95  # of the intervals
    notes: tuple[str, ...] = ()
    scales: tuple[Scale, ...] = ()
    parts: tuple[str, ...] = ()  # breakdowns to show
    matrix: bool = False
    marginals: bool = False
    beside: tuple[str, ...] = ()  # further columns in print: se, p
    style: str = "plain"
    cite: bool = False

    @property
    def scores(self) -> tuple[Score, ...]:
        """Of all groups, one after the other."""
        return tuple(score for group in self.groups for score in group.scores)

    @property
    def title(self) -> str:
        return ", ".join(self.paths)

    def summary(self) -> str:
        return f"{self.title}: {', '.join(score.summary() for score in self.scores)}"

    def facts(self) -> list[str]:
        """What was read, and what was left out and why: a line each; what holds for all variables is said once."""
        if len(self.variables) > _FEW:
            return [*facts_of(self.variables), *(f"note: {note}" for note in self.notes)]
        every = [data.notes for data in self.variables.values()]
        shared = [note for note in every[0] if len(every) > 1 and all(note in notes for notes in every)]
        lines: list[str] = []
        for variable, data in self.variables.items():
            name = f"{variable}: " if len(self.variables) > 1 else ""
            how_many, *left_out = data.about()
            own = (note for note in data.notes if note not in shared)
            lines.extend(f"{name}{line}" for line in (how_many, in_a_line(data), *left_out, *own))
        return [*lines, *shared, *(f"note: {note}" for note in self.notes)]

    # -- for papers --------------------------------------------------------------------------------------------------

    @property
    def citation(self) -> Citation:
        """How agreement was measured, in a sentence, and what it cites."""
        return cited({group.name: group.scores for group in self.groups}, style=self.style)

    def prose(self) -> Prose | None:
        return self.citation.prose() if self.cite else None

    def printed(self) -> list[Printed]:
        first = printed_scores(self.groups, self.paths, self.beside, self.style)
        bounded = tuple(score.measure for score in self.scores if score.kind == "agreement")
        rest = []
        for table in self._further():
            caption = (
                f"Agreement {table.title}"
                if table.title.startswith("by ")
                else table.title[:1].upper() + table.title[1:]
            )
            rest.append(Printed(table, caption, style=first.style, bounded=bounded))
        return [first, *rest]

    def beside_captions(self) -> list[str]:
        return [fact for fact in self.facts() if fact.startswith("note: ")]

    # -- tables ------------------------------------------------------------------------------------------------------

    def tables(self) -> list[Table]:
        """The scores, then the breakdowns that were asked for."""
        return [self._overall(), *self._by_variable(), *self._further()]

    def _further(self) -> list[Table]:
        made: list[Table] = []
        scored = [group for group in self.groups if group.scores]
        for part in self.parts:
            made.extend(breakdown(f"by {part}{self._which(g)}", part, g.data, g.scores) for g in scored)
        if self.matrix and "pair" in self.parts:
            made.extend(pair_matrix(self._which(g), g.data, g.scores) for g in scored)
        if self.matrix:
            made.extend(
                matrix(g.name, g.data, g.scores) for g in scored if "pair" not in self.parts or g.data.kind is ITEMS
            )
        if self.marginals:
            made.extend(table for g in scored for table in _marginals(g))
        for g in scored:
            if g.explained is not None:
                costly = g.explained.costly()
                made.append(replace(costly, title=costly.title + self._which(g)))
        return [*made, *(self._on_scale(scale) for scale in self.scales)]

    def _which(self, group: Group) -> str:
        """The group in brackets, where there are several."""
        return f" ({group.name})" if len(self.groups) > 1 else ""

    def _overall(self) -> Table:
        several = len(self.groups) > 1
        noun = next(data.kind.n for data in self.variables.values())
        interval = interval_heading(self.scores, percent(self.level))
        of_table = bool(self.scores) and all("columns" in score.details for score in self.scores)  # Cronbach's α
        counts = ("rows", "columns") if of_table else (noun, "annotators")
        columns = ("measure", "value", interval, "observed", "expected", *counts)
        rows: list[tuple[Cell, ...]] = []
        notes: list[str] = []
        for group in self.groups:
            name = (group.name,) if several else ()
            who = group.data.n_annotators if group.data.identified else None
            if group.problem is not None:
                rows.append((*name, "–", math.nan, None, None, None, group.data.n_items, who))
                notes.append(f"{group.name}: {group.problem}")
            rows += [(*name, s.measure, s.value, s.interval, s.observed, s.expected, s.n, who) for s in group.scores]
        rest = [*notes, *notes_of_groups(self.groups)]
        if several and len(rows) > MOST_LISTED and len({score.measure for score in self.scores}) > 1:
            return at_a_glance(self.groups, self.level, noun, tuple(rest))
        least = (*reversed(counts), "expected", "observed")
        return Table("", ("data", *columns) if several else columns, tuple(rows), tuple(rest), least)

    def _by_variable(self) -> list[Table]:
        """Several variables by several measures: all values at a glance."""
        whole = [group for group in self.groups if not group.where and group.scores]
        measures = tuple(dict.fromkeys(score.measure for group in whole for score in group.scores))
        if len(whole) < 2 or len(measures) < 2 or len(self.scores) > MOST_LISTED:
            return []
        values = [{score.measure: score.value for score in group.scores} for group in whole]
        rows = tuple(
            (group.variable, *(of.get(name) for name in measures)) for group, of in zip(whole, values, strict=True)
        )
        return [Table("by variable", ("variable", *measures), rows)]

    def _on_scale(self, scale: Scale) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (group.name, score.measure, score.value, verdict(scale, score))
            for group in self.groups
            for score in group.scores
            if scale.fits(score.measure)
        ]
        title = f"on the scale of {scale.source}"
        return Table(title, ("data", "measure", "value", "level"), tuple(rows), (WARNING,))

    # -- pictures ----------------------------------------------------------------------------------------------------

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        """All values; and of every variable what its scores can show, by the main measure where it is there."""
        made: dict[str, Callable[[], Drawing]] = {"forest": self._forest}
        whole = [group for group in self.groups if not group.where and group.scores]
        for group in whole:
            main = sorted(group.scores, key=lambda score: score.measure != group.data.kind.main)
            for score in main:
                for kind, make in score.drawings().items():
                    if kind != "forest":
                        made.setdefault(kind + (f" ({group.name})" if len(whole) > 1 else ""), make)
            if group.explained is not None:
                made[f"alignment{self._which(group)}"] = group.explained.drawings()["alignment"]
        return made

    def _forest(self) -> Forest:
        if len(self.groups) == 1:
            return forest({score.measure: score for score in self.scores}, "", "measure")
        several = len({score.measure for score in self.scores}) > 1
        alone = len(self.variables) == 1
        rows = tuple(
            replace(
                estimate(group.part if alone else group.name, score, score.measure if several else ""),
                whole=alone and not group.where,
            )
            for group in self.groups
            for score in group.scores
        )
        columns = {", ".join(group.where) for group in self.groups if group.where}
        what = columns.pop() if alone and len(columns) == 1 else "data"
        first = self.scores[0]
        return Forest("", rows, what, "value" if several else first.symbol or first.measure)

    # -- for programs ------------------------------------------------------------------------------------------------

    def flat(self) -> Table:
        """A row per score, then a row per part that was asked for."""
        rows: list[tuple[Cell, ...]] = []
        for group in self.groups:
            where = ", ".join(f"{k}={v}" for k, v in group.where.items())
            if group.problem is not None:
                rows.append((group.variable, where, None, None, *[None] * 11, group.problem, None))
            for score in group.scores:
                rows.append((group.variable, where, "", "", *score.row()))
                for part in self.parts:
                    for name, piece in score.parts.get(part, {}).items():
                        rows.append((group.variable, where, part, name, *piece.row()))
        return Table("", ("variable", "where", "by", "name", *ROW), tuple(rows))

    def to_dict(self) -> dict[str, Any]:
        """As in docs/output.md."""
        made: dict[str, Any] = {"data": self._data(), "scores": [s for g in self.groups for s in self._scores(g)]}
        problems = [{**g.place, "problem": g.problem} for g in self.groups if g.problem]
        explained = [
            {**g.place, "places": [place.to_dict() for place in g.explained.worst()]}
            for g in self.groups
            if g.explained is not None
        ]
        compared = [{**g.place, **g.marginals.to_dict()} for g in self.groups if g.marginals is not None]
        citation = self.citation.to_dict() if self.cite else {}
        more = {"problems": problems, "explained": explained, "marginals": compared, "citation": citation}
        return plain({**made, **{key: found for key, found in more.items() if found}})

    def _data(self) -> dict[str, Any]:
        kind = next(data.kind.plural for data in self.variables.values())
        made: dict[str, Any] = {"paths": list(self.paths), "kind": kind}
        summaries = {variable: data.summary() for variable, data in self.variables.items()}
        if len(summaries) == 1:
            made |= next(iter(summaries.values()))
        else:
            made["variables"] = summaries
        return {**made, "advice": list(self.notes)}

    def _scores(self, group: Group) -> list[dict[str, Any]]:
        levels = [
            {"scales": {s.name: verdict(s, score) for s in self.scales if s.fits(score.measure)}}
            for score in group.scores
        ]
        return [
            {**score.to_dict(self.parts), **group.place, **(level if self.scales else {})}
            for score, level in zip(group.scores, levels, strict=True)
        ]


def _marginals(group: Group) -> list[Table]:
    made = [] if group.marginals is None else group.marginals.tables()
    return [replace(table, title=f"{table.title} ({group.name})") for table in made]

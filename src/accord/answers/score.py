"""`accord score`: the agreement of annotators by one or several measures."""

from __future__ import annotations

import math
import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from accord.answers import options
from accord.answers.citing import Citation, cited, wording
from accord.answers.levels import level_in_words, notes_on_levels
from accord.answers.marginals import Marginals
from accord.answers.marginals import marginals as marginals_of
from accord.answers.options import LEVEL, OUTPUT, REPLICATES, names_in, paths_in, texts_in
from accord.answers.question import declared_in, question
from accord.answers.read import in_a_line
from accord.answers.reporting.breakdowns import breakdown, pair_matrix
from accord.answers.reporting.breakdowns import matrix as matrix_of
from accord.answers.scales import WARNING, Scale, verdict
from accord.answers.scales import scale as scale_named
from accord.answers.scoring import main_measure, measures_for, score_each
from accord.core.context import Run, silent
from accord.core.errors import DataError, FewLabelsWarning, SpecError, UnknownName, counted, warn
from accord.core.figures.bars import Forest
from accord.core.options import Option
from accord.core.prose import Prose, style_named
from accord.core.result import (
    ROW,
    Result,
    Score,
    Scores,
    about_intervals,
    background_last,
    estimate,
    forest,
    interval_heading,
    legend,
    note_on_intervals,
    notes_of,
)
from accord.core.tables import Background, Cell, Drawing, Estimate, Printed, Table, percent, plain
from accord.data.door import OPTIONS, is_data, opened, opened_all
from accord.data.io.reading import DOCUMENT, PARTS
from accord.data.kinds import ITEMS, TEXTS
from accord.data.label_columns import check_not_one_column
from accord.data.model.corpus import Corpus
from accord.data.model.data import Choice, Data
from accord.data.model.ratings import Ratings
from accord.measures.catalogue import measure as measure_named
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure
from accord.measures.units.unitary import UnitaryAlignments

OF_TEXTS = ("kind",)  # a breakdown of texts; other data may have a column of this name


COLUMNS = {"se": "SE", "p": "p"}  # optional columns of --latex and --markdown


def _check_shown(given: Any) -> Any:
    for name in names_in(given) or ():
        if name not in COLUMNS:
            raise UnknownName("column", name, COLUMNS)
    return given


def _check_style(given: str) -> str:
    style_named(given)
    return given


UsualMeasures = Annotated[
    options.Measures,
    Option(
        "A measure, e.g. `alpha(distance=ordinal)`; repeatable. `alpha` takes the distance of the level of "
        "measurement. Default: percent, s, pi, kappa, alpha, ac for nominal labels, alpha, weighted kappa, icc for "
        "grades and numbers, gamma and gamma_cat for units, others for other data.",
        canonical=options.as_specs,
    ),
]
Scales = Annotated[
    str | Sequence[str],
    Option(
        "Show the level of each value on a scale: landis_koch, krippendorff, krippendorff_2004, neuendorf, altman, "
        "fleiss.",
        heading=OUTPUT, rare=True, complete="scales", shape="texts", formerly=("scales",),
        elsewhere="the value and a scale of your choice",
    ),
]  # fmt: skip
ShowMarginals = Annotated[
    bool,
    Option(
        "Show bias, prevalence and tests of equal marginals.",
        heading=OUTPUT,
        rare=True,
        elsewhere="accord.marginals(data)",
    ),
]
Matrix = Annotated[
    bool,
    Option(
        "Show the confusion matrix of two annotators, or the coincidence matrix of more; with --by pair, one matrix "
        "per pair.",
        heading=OUTPUT,
        elsewhere='score.details["matrix"]',
    ),
]
Explain = Annotated[
    bool,
    Option(
        "For units: show the ten unitary alignments with the highest disorder, in context.",
        heading=OUTPUT,
        elsewhere="accord.align(data)",
    ),
]
Show = Annotated[
    str | Sequence[str] | None,
    Option(
        "Additional columns for --latex and --markdown: se, p.",
        metavar="se,p", heading=OUTPUT, rare=True, shape="names", formerly=("beside", "with"),
        elsewhere="score.se and score.p", canonical=_check_shown,
    ),
]  # fmt: skip
CitedStyle = Annotated[
    str,
    Option(
        "Style of numbers in --latex, --markdown and --cite: plain, or apa (α = .69, 95% CI [.56, .81]).",
        heading=OUTPUT,
        rare=True,
        canonical=_check_style,
    ),
]
Style = Annotated[CitedStyle, Option(elsewhere="accord.cite(data, style=...)")]
Cite = Annotated[
    bool,
    Option(
        "Print a sentence for the methods section, with references as text and BibTeX.",
        heading=OUTPUT,
        rare=True,
        elsewhere="accord.cite(data)",
    ),
]


def _in_python(arguments: dict[str, Any]) -> Any:
    """Return a `Score` for one measure, `Scores` for several. The parts include the columns of `by`."""
    given = arguments.pop("data")
    measures = measures_in(arguments.get("measure"))
    run = Run(arguments.get("seed", 0), arguments.get("progress") or silent, arguments.get("jobs"))
    reading = {name: arguments.pop(name) for name in list(arguments) if name in OPTIONS and name != "by"}
    by = texts_in(arguments.get("by", ()))
    columns = tuple(name for name in by if name not in PARTS) if not is_data(given) else ()
    if not is_data(given) and all(one.data == ITEMS.name for one in measures):
        check_not_one_column(given, measures[0].name if measures else "kappa")
    data = opened(given, reading | ({"by": columns} if columns else {}), [one.data for one in measures], run)
    answer: Results = declared_in(score).function(data, **arguments)
    whole = answer.groups[0].scores
    for name in dict.fromkeys(name for group in answer.groups for name in group.where):
        values = [(group.where[name], group.scores) for group in answer.groups if name in group.where]
        whole = tuple(_with_part(one, name, {v: s[k] for v, s in values if s}) for k, one in enumerate(whole))
    _warn_of_few(whole)
    return whole[0] if isinstance(arguments.get("measure"), str | Measure) else Scores(whole)


def _warn_of_few(scores: Sequence[Score]) -> None:
    """Warn once for each reason, whatever the number of measures it applies to."""
    measures: dict[str, list[str]] = {}
    for one in scores:
        if one.details.get("few"):
            measures.setdefault(one.details["interval"], []).append(one.measure)
    for reason, names in measures.items():
        warn(note_on_intervals(reason, names, len(scores)), FewLabelsWarning)


def _with_part(score: Score, name: str, values: Mapping[str, Score]) -> Score:
    return replace(score, parts=ChainMap({name: values}, score.parts))  # type: ignore[arg-type]


@question(
    "ratings.csv -m 'alpha(distance=ordinal)' --by category --interval bootstrap --seed 1",
    "ratings.csv -m alpha -m pi --latex --show se,p --style apa --cite -o table.tex",
    python=_in_python,
)
def score(
    data: options.Data,
    measure: UsualMeasures = None,
    *,
    interval: options.Interval = "default",
    level: options.Level = LEVEL,
    replicates: options.Replicates = REPLICATES,
    items_population: options.ItemsPopulation = None,
    annotators_population: options.AnnotatorsPopulation = None,
    null: options.Null = None,
    seed: options.Seed = 0,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    by: options.By = (),
    matrix: Matrix = False,
    marginals: ShowMarginals = False,
    scale: Scales = (),
    explain: Explain = False,
    show: Show = None,
    style: Style = "plain",
    cite: Cite = False,
    **reading: Any,
) -> Results:
    """Score the agreement of annotators, with intervals and breakdowns.

    In Python, one measure gives a `Score`. A list of measures, or none for the usual ones, gives `Scores`. If a measure
    does not apply to the data, its value is NaN, and `undefined` has the reason. If `by` names a column, each of its
    values is scored separately: `score("rounds.csv", "alpha", by="round").parts["round"]["1"].value`.

    Returns
    -------
    Score or Scores

    Raises
    ------
    DataError
        If the data are malformed or contain nothing to compare.
    SpecError
        If a measure or an option is wrong.

    Examples
    --------
    >>> accord.score([["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"]], "percent").value
    0.75
    """
    run = Run(seed, progress or silent, jobs)
    settings = Settings(interval, level, replicates, items_population, annotators_population, null)
    asked, scales = measures_in(measure), tuple(scale_named(name) for name in texts_in(scale))
    breakdowns = texts_in(by)
    others = tuple(name for name in breakdowns if name not in PARTS)
    reading |= {"by": others} if others and not is_data(data) else {}
    variables = opened_all(data, reading, [m.data for m in asked], run)
    if marginals:
        _check_marginals(variables)
    columns = _columns(variables, others)
    what = _What(settings, marginals, explain, run)
    groups: list[Group] = []
    for variable, found in variables.items():
        measures = measures_for(asked, found)
        _check_scales(scales, measures)
        groups.append(what.scored(variable, {}, found, measures, strict=not columns and len(variables) == 1))
        for column in columns:
            for value, part in found.by(column).items():
                groups.append(what.scored(variable, {column: value}, part, measures, strict=False))
    if groups and all(group.problem for group in groups):
        raise DataError(groups[0].problem_code, str(groups[0].problem))
    parts = (name for name in breakdowns if name in PARTS)
    more = dict.fromkeys("document" if c in DOCUMENT else c for c in others if c not in columns)
    return Results(
        variables,
        tuple(groups),
        paths=paths_in(data),
        level=level,
        notes=_advice(variables, asked),
        scales=scales,
        parts=(*parts, *more),
        matrix=matrix,
        marginals=marginals,
        beside=tuple(names_in(show) or ()),
        style=style,
        cite=cite,
    )


@dataclass(frozen=True)
class _What:
    """The settings that apply to each set of data."""

    settings: Settings
    marginals: bool
    explain: bool
    run: Run

    def scored(
        self, variable: str, where: Mapping[str, str], data: Data, measures: tuple[Measure, ...], strict: bool
    ) -> Group:
        try:
            scores = score_each(data, measures, self.settings, self.run, alternatives=True)
            explained = _explained(data, measures, self.run) if self.explain else None
        except DataError as error:
            if strict:
                raise
            return Group(variable, where, data, (), problem=str(error), problem_code=error.code)
        compared = marginals_of(data) if self.marginals and isinstance(data, Ratings) and data.identified else None
        return Group(variable, where, data, scores, compared, explained=explained)


def measures_in(given: str | Measure | Iterable[str | Measure] | None) -> tuple[Measure, ...]:
    """Return the named measures, or none for the usual ones."""
    if given is None:
        return ()
    several = (given,) if isinstance(given, str | Measure) else tuple(given)
    if not several:
        raise SpecError("option-value", "the list of measures is empty; leave it out for the usual measures")
    return tuple(measure_named(spec) for spec in several)


def _check_marginals(found: Mapping[str, Data]) -> None:
    """Refuse --marginals for data that have none, before a long computation."""
    data = next(iter(found.values()))
    if data.kind is not ITEMS:
        raise SpecError(
            "option-not-for-data", f"--marginals needs labels of items, and these are {data.kind.words}; leave it out"
        )
    if not data.identified:
        raise DataError(
            "counts-without-annotators",
            "--marginals needs annotators, which counts lack; leave it out",
        )


def _check_scales(scales: tuple[Scale, ...], measures: tuple[Measure, ...]) -> None:
    for one in scales:
        if not any(one.fits(m.name) for m in measures):
            raise SpecError(
                "option-not-for-data",
                f"--scale {one.name} is defined for {', '.join(one.made_for)}, not for "
                f"{', '.join(m.name for m in measures)}; add -m {one.made_for[0]}",
            )


def _columns(found: Mapping[str, Data], by: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns whose values are scored separately. The other names in `by` are breakdowns of the data."""
    in_documents = any(data.kind.noun == "document" for data in found.values())
    of_texts = tuple(
        name for data in found.values() if data.kind is TEXTS for name in (*OF_TEXTS, *data.features_compared)
    )
    columns = tuple(c for c in by if not (in_documents and c in DOCUMENT) and c not in of_texts)
    if of_texts and columns:
        known = ("kind", "category", "annotator", "pair", "document", *of_texts[len(OF_TEXTS) :])
        raise SpecError("option-conflict", f"--by {columns[0]}: texts have no such breakdown; use {', '.join(known)}")
    return columns


def _explained(data: Data, measures: tuple[Measure, ...], run: Run) -> UnitaryAlignments | None:
    """Return the alignment of the first measure that has one."""
    first = next((m for m in measures if m.aligns and m.data == "units"), None)
    if first is None or not isinstance(data, Corpus):
        raise SpecError(
            "option-not-for-data",
            "--explain needs units and a measure with an alignment; add -m gamma, or leave it out",
        )
    found: UnitaryAlignments = first.alignments(data, run)
    return found


def _advice(found: Mapping[str, Data], asked: tuple[Measure, ...]) -> tuple[str, ...]:
    """Return what is assumed about the labels, and advice on measures that suit them better than the ones in use."""
    notes = [*notes_on_levels(found, asked)]
    for variable, data in found.items():
        guessed = next((c for c in data.category_sets.values() if c.guessed_order), None)
        if any(m.by_order for m in asked) and guessed is not None and data.kind is not TEXTS:
            order = " < ".join(guessed.names[:8])
            name = f"{variable}: " if len(found) > 1 else ""
            notes.append(f"{name}accord orders the labels alphabetically ({order}); give their order with --categories")
    return tuple(notes)


# -- scores of a variable, or of a part of it ------------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """The scores of one set of data: a variable, or a part of it by the values of a column."""

    variable: str
    where: Mapping[str, str]
    data: Data
    scores: tuple[Score, ...]
    marginals: Marginals | None = None
    problem: str | None = None  # why this part has no scores
    problem_code: str = ""
    explained: UnitaryAlignments | None = None

    @property
    def name(self) -> str:
        return ", ".join([self.variable, *(f"{k} = {v}" for k, v in self.where.items())])

    @property
    def part(self) -> str:
        """Return the name without the variable, for data with one variable."""
        return ", ".join(f"{k} = {v}" for k, v in self.where.items()) or "all"

    @property
    def place(self) -> dict[str, Any]:
        """Return the keys that locate the scores in JSON."""
        return {"variable": self.variable, "where": dict(self.where)}


# -- all scores, their breakdowns, and facts about the data ----------------------------------------------------------


_FEW = 3  # up to this many variables, each is described


@dataclass(frozen=True, repr=False)
class Results(Result):
    """The result of `accord score`."""

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
        """Return the scores of all groups in order."""
        return tuple(score for group in self.groups for score in group.scores)

    @property
    def title(self) -> str:
        return ", ".join(self.paths)

    def summary(self) -> str:
        return f"{self.title}: {', '.join(score.summary() for score in self.scores)}"

    def facts(self) -> list[str]:
        """Return facts about the data and what was left out. Facts that all variables share occur once."""
        if len(self.variables) > _FEW:
            return [*facts_of(self.variables), *(f"note: {note}" for note in self.notes)]
        every = [data.notes for data in self.variables.values()]
        shared = [note for note in every[0] if len(every) > 1 and all(note in notes for notes in every)]
        lines: list[str] = []
        for variable, data in self.variables.items():
            name = f"{variable}: " if len(self.variables) > 1 else ""
            how_many, *left_out = data.about()
            own = (note for note in data.notes if note not in shared)
            known = data.measurement is not None and data.measurement.known  # a note states what is assumed
            level = [level_in_words(data)] if known and level_in_words(data) else []
            lines.extend(f"{name}{line}" for line in (how_many, in_a_line(data), *level, *left_out, *own))
        return [*lines, *shared, *(f"note: {note}" for note in self.notes)]

    # -- for papers --------------------------------------------------------------------------------------------------

    @property
    def citation(self) -> Citation:
        """Return a sentence on how agreement was measured, with references."""
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
        """Return the scores and the requested breakdowns."""
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
                matrix_of(g.name, g.data, g.scores) for g in scored if "pair" not in self.parts or g.data.kind is ITEMS
            )
        if self.marginals:
            made.extend(table for g in scored for table in _marginals(g))
        for g in scored:
            if g.explained is not None:
                costly = g.explained.costly()
                made.append(replace(costly, title=costly.title + self._which(g)))
        return [*made, *(self._on_scale(scale) for scale in self.scales)]

    def _which(self, group: Group) -> str:
        """Return the group in parentheses if there are several."""
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
            rows += [(*name, s.measure, s.value, s.limits, s.observed, s.expected, s.n, who) for s in group.scores]
        rest = [*notes, *notes_of_groups(self.groups)]
        if several and len(rows) > MOST_LISTED and len({score.measure for score in self.scores}) > 1:
            return at_a_glance(self.groups, self.level, noun, tuple(rest))
        least = (*reversed(counts), "expected", "observed")
        return Table("", ("data", *columns) if several else columns, tuple(rows), tuple(rest), least)

    def _by_variable(self) -> list[Table]:
        """Return a table of variables by measures."""
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
        """Return a forest plot of all values, and the figures of each variable, of its main measure where possible."""
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
        """Return a row per score, followed by a row per requested part."""
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
        """Return the structure of docs/output.md."""
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


# -- many variables: a row for each, with the measures as columns ------------------------------------------------------


MOST_LISTED = 12  # up to this many rows, each measure of each variable has its own
_MOST_NAMED = 4
_MOST_TESTS = 6  # up to this many tests are listed separately


def at_a_glance(groups: Sequence[Group], level: float, noun: str, notes: tuple[str, ...]) -> Table:
    """Return a table with a row for each set of data and the interval of the first measure."""
    if len({tuple(score.measure for score in group.scores) for group in groups if group.scores}) > 1:
        return _main_at_a_glance(groups, level, noun, notes)
    scored = [score for group in groups for score in group.scores]
    measures = tuple(dict.fromkeys(score.measure for score in scored))
    first = [score for score in scored if score.measure == measures[0]]
    heading = interval_heading(first, percent(level))
    rows: list[tuple[Cell, ...]] = []
    for group in groups:
        of = {score.measure: score for score in group.scores}
        one = of.get(measures[0])
        n = next((score.n for score in group.scores), group.data.n_items)
        who = group.data.n_annotators if group.data.identified else None
        values = [math.nan if group.problem is not None else None if m not in of else of[m].value for m in measures]
        rows.append((group.name, values[0], one.limits if one else None, *values[1:], n, who))
    columns = ("data", measures[0], heading, *measures[1:], noun, "annotators")
    more = f"the interval belongs to {measures[0]}; --json has the others, with observed and expected agreement"
    return Table("", columns, tuple(rows), (more, *notes), ("annotators", noun, heading))


def _main_at_a_glance(groups: Sequence[Group], level: float, noun: str, notes: tuple[str, ...]) -> Table:
    """Return a row for each set of data with its main measure, where levels of measurement give them different ones."""
    mains = [_main_score(group) for group in groups]
    heading = interval_heading([one for one in mains if one is not None], percent(level))
    rows: list[tuple[Cell, ...]] = []
    for group, one in zip(groups, mains, strict=True):
        who = group.data.n_annotators if group.data.identified else None
        n = group.data.n_items if one is None else one.n
        shown = ("–", math.nan, None) if one is None else (one.measure, one.value, one.interval)
        rows.append((group.name, *shown, n, who))
    more = "the main measure of each level of measurement; --json has the others"
    columns = ("data", "measure", "value", heading, noun, "annotators")
    return Table("", columns, tuple(rows), (more, *notes), ("annotators", noun, heading))


def _main_score(group: Group) -> Score | None:
    """Return the score by the main measure of the data, or the first one."""
    main = str(main_measure(None, group.data))
    return next((one for one in group.scores if one.measure == main), next(iter(group.scores), None))


def notes_of_groups(groups: Sequence[Group]) -> list[str]:
    """Return the notes on scores, each once with the data that it applies to, the most important first."""
    scored = [group for group in groups if group.scores]
    scores = [score for group in scored for score in group.scores]
    tests = {score.tested: score for score in scores if score.tested}
    brief = len(groups) > 1 and len(tests) > _MOST_TESTS
    groups_of: dict[str, list[str]] = {}
    for group in scored:
        for note in [*_undefined(group.scores), *about_intervals(group.scores), *notes_of(group.scores)]:
            if not note.startswith("interval: ") and not (brief and any(note.endswith(test) for test in tests)):
                groups_of.setdefault(note, []).append(group.name)
    several = len(groups) > 1
    made = [
        note if not several or len(names) == len(scored) else _with_groups(note, names)
        for note, names in groups_of.items()
    ]
    methods = [note for note in about_intervals(scores) if note.startswith("interval: ")]
    summary = [Background(_tested(list(tests.values())))] if brief else []
    return list(background_last([*made, *legend(scores), *summary, *methods]))


def _with_groups(note: str, names: Sequence[str]) -> str:
    """Return a note with the data that it applies to; a background note stays one."""
    return (note if isinstance(note, Background) else note.removesuffix(".")) + f" ({some(names)})"


def _undefined(scores: Iterable[Score]) -> list[str]:
    return [f"{score.measure} is undefined: {score.undefined}" for score in scores if score.undefined]


def _tested(scores: Sequence[Score]) -> str:
    """Return a line with the smallest and the largest p of many tests."""
    known = [score.p for score in scores if score.p is not None]
    of = {score.details["test"]["of"] or 0 for score in scores}
    what = "no agreement" if of == {0} else f"a value of {min(of):g}" if len(of) == 1 else "the tested values"
    least = "< 0.001" if min(known) < 0.001 else f"{min(known):.3f}"
    return f"p for {what}: {least} to {max(known):.3f}; --json has each test"


def facts_of(variables: Mapping[str, Data]) -> list[str]:
    """Return counts and omissions of many variables, and the first item of the first variable as an example."""
    whose: dict[str, list[str]] = {}
    for variable, data in variables.items():
        for line in (*data.about(), *data.notes):
            whose.setdefault(line, []).append(variable)
    first, data = next(iter(variables.items()))
    shared = [line for line, names in whose.items() if len(names) == len(variables)]
    apart = [f"{some(names)}: {line}" for line, names in whose.items() if line not in shared]
    return [*shared, f"{first}: {in_a_line(data)}", *apart]


def some(names: Sequence[str]) -> str:
    """Return the first names and the number of the others."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


# -- tables for LaTeX and Markdown, with captions ----------------------------------------------------------------------


_MOST_FILES = 3  # files named in a caption


def printed_scores(groups: Sequence[Group], paths: Sequence[str], beside: Sequence[str], style: str) -> Printed:
    """Return a row for each measure; with several sets of data, a row for each and a column for each measure."""
    scores = [score for group in groups for score in group.scores]
    notes = [f"{group.name}: {group.problem}" for group in groups if group.problem is not None]
    # The caption names the method of the intervals, and p is shown on request.
    tests = [score.tested for score in scores if score.tested]
    elsewhere = ("interval: ", "p for ")
    every = notes_of_groups(groups)
    notes += [n for n in every if not n.startswith(elsewhere) and not any(test in n for test in tests)]
    notes += _tests(scores) if "p" in beside else []
    if len(groups) == 1:
        table, unbounded = _by_measure(groups[0], beside, (*notes, *_noted(groups[0])))
        caption = [_about_one(groups[0], paths), *_left_out(groups[0])]
    else:
        table, unbounded = _by_data(groups, beside, (*notes, *_of_each(groups)))
        several = "sets of data" if any(group.where for group in groups) else "variables"
        caption = [f"Agreement on {len(groups)} {several}{_files(paths)}: {_shown(scores)}."]
    bounded = tuple(name for name in table.columns if name not in unbounded)
    return Printed(table, " ".join(caption), style=style_named(style), bounded=bounded)


def heading(score: Score) -> str:
    """Return the symbol with options: α (distance=ordinal). ICC(2,1) includes its form."""
    made = measure_named(score.measure)
    sign = wording.NAMES["percent"] if made.name == "percent" else wording.symbol(made)
    options = score.measure.removeprefix(made.name)[1:-1]
    return f"{sign} ({options.replace(',', ', ')})" if options and made.name != "icc" else sign


def _beside(score: Score | None, name: str) -> float | None:
    """Return the standard error or p; percent agreement has no p."""
    untested = score is None or (name == "p" and measure_named(score.measure).name == "percent")
    return None if untested else getattr(score, name)


# -- one set of data -------------------------------------------------------------------------------------------------


def _by_measure(group: Group, beside: Sequence[str], notes: tuple[str, ...]) -> tuple[Table, set[str]]:
    scores = group.scores
    level = next((wording.interval_named(s.interval) for s in scores if s.interval), "")
    counts = len({score.n for score in scores}) > 1
    observed = any(score.observed is not None for score in scores)
    columns = ["measure", "value", *[level] * bool(level), *(COLUMNS[name] for name in beside)]
    columns += [*["observed", "expected"] * observed, *[group.data.kind.n] * counts]
    rows = []
    for score in scores:
        row: list[Cell] = [heading(score), score.value, *[score.interval] * bool(level)]
        row += [_beside(score, name) for name in beside]
        row += [*[score.observed, score.expected] * observed, *[score.n] * counts]
        rows.append(tuple(row))
    unbounded = {group.data.kind.n}
    if any(score.kind == "error" for score in scores):
        unbounded |= {"value", level, "SE"}
    if any("chance" in score.details for score in scores):  # disorders
        unbounded |= {"observed", "expected"}
    return Table("", tuple(columns), tuple(rows), notes), unbounded


def _about_one(group: Group, paths: Sequence[str]) -> str:
    how_many = group.data.about()[0]
    variable = "" if group.variable == "label" else f" on {group.name}"
    return f"Agreement{variable}{_files(paths)} ({how_many}): {_shown(group.scores)}."


def _left_out(group: Group) -> list[str]:
    """Return sentences on what was left out and why."""
    chosen = [note for note in group.data.notes if isinstance(note, Choice)]
    return [f"{line[:1].upper()}{line[1:]}." for line in (*group.data.about()[1:], *chosen)]


def _noted(group: Group) -> list[str]:
    """Return the other notes of reading."""
    return [note for note in group.data.notes if not isinstance(note, Choice)]


def _tests(scores: Sequence[Score]) -> list[str]:
    """Return what p tests and by which test, each once with its measures."""
    whose: dict[str, dict[str, None]] = {}
    for score in scores:
        if test := score.details.get("test"):
            by = re.sub(r", z = \S+|, where the value.*", "", test["by"])
            of = f"a value of {test['of']:g}" if test["of"] else "no agreement"
            whose.setdefault(f"p of {of}: {by}", {})[heading(score)] = None
    return [f"{', '.join(names)}: {test}" for test, names in whose.items()]


# -- several ---------------------------------------------------------------------------------------------------------


def _by_data(groups: Sequence[Group], beside: Sequence[str], notes: tuple[str, ...]) -> tuple[Table, set[str]]:
    heads = {score.measure: heading(score) for group in groups for score in group.scores}
    noun, who = groups[0].data.kind.n, "annotators"
    columns = ["data" if any(group.where for group in groups) else "variable", noun, who]
    unbounded = {*columns}
    for head in heads.values():
        columns += [head, *(f"{head} {COLUMNS[name]}" for name in beside)]
    rows = []
    for group in groups:
        found = {score.measure: score for score in group.scores}
        n = next((score.n for score in group.scores), group.data.n_items)
        row: list[Cell] = [group.name, n, group.data.n_annotators if group.data.identified else None]
        for spec in heads:
            score = found.get(spec)
            row.append(None if score is None else Estimate(score.value, score.interval))
            row += [_beside(score, name) for name in beside]
        rows.append(tuple(row))
    errors = {heads[score.measure] for group in groups for score in group.scores if score.kind == "error"}
    unbounded |= {column for column in columns for head in errors if column in {head, f"{head} SE"}}
    return Table("", tuple(columns), tuple(rows), notes), unbounded


def _of_each(groups: Sequence[Group]) -> list[str]:
    """Return omissions and notes, each once with the data that it applies to."""
    whose: dict[str, list[str]] = {}
    for group in groups:
        for line in (*_left_out(group), *_noted(group)):
            whose.setdefault(line, []).append(group.name)
    return [line if len(names) == len(groups) else f"{', '.join(names)}: {line}" for line, names in whose.items()]


# -- captions --------------------------------------------------------------------------------------------------------


def _files(paths: Sequence[str]) -> str:
    names = [Path(path).name for path in paths if path != "-"]
    if not names:
        return ""
    others = len(names) - _MOST_FILES
    more = f" and {counted(others, 'other file')}" if others > 0 else ""
    return f" in {', '.join(names[:_MOST_FILES])}{more}"


def _shown(scores: Sequence[Score]) -> str:
    """Return what the table shows: values, and intervals with their level and method."""
    hows: dict[str, str] = {}
    for score in scores:
        if score.interval is not None:
            hows.setdefault(wording.method(score), wording.interval_named(score.interval))
    if not hows:
        return "values without intervals"
    return f"values with {' or '.join(dict.fromkeys(hows.values()))} by {'; or by '.join(hows)}"

"""Data → report: every question that one would ask about them, and its answer in a section."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from accord._version import __version__
from accord.answers.citing import cited
from accord.answers.gold.settled import GoldRow, table_for_people
from accord.answers.reporting.breakdowns import breakdown
from accord.answers.reporting.findings import Asked, Findings, found_in
from accord.answers.reporting.reports import MOST_FOLDED, Code, Part, Report, Section, cut, titled
from accord.answers.reporting.saying import Sentence
from accord.answers.reporting.verdict import verdict
from accord.answers.views import Views, views_of
from accord.core.context import Run
from accord.core.errors import AccordError, DataError
from accord.core.result import Score, score_table
from accord.core.tables import Cell, Drawing, Result, Table
from accord.data.kinds import ITEMS
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments

MOST_PLACES = 30  # of the worst, with their text
MOST_ROWS = 50  # of a table that is in the page as it is
_BESIDE = 10  # columns that fit beside each other
_BREAKDOWNS = ("category", "pair", "annotator", "document")


def gathered(
    found: Mapping[str, Data],
    asked: Asked,
    run: Run,
    *,
    name: str | None = None,
    paths: Sequence[str] = (),
    plan: str = "",
    reading: Mapping[str, Any] | None = None,
) -> Report:
    """A part for each variable that can be scored; what cannot is named, with the reason."""
    parts: list[Part] = []
    problems: list[tuple[str, str]] = []
    for variable, data in found.items():
        try:
            about = found_in(variable, data, asked, run)
        except DataError as error:
            if len(found) == 1:
                raise
            problems.append((variable, str(error)))
            continue
        sections = tuple(one for one in _sections(about, asked) if not one.empty)
        parts.append(Part(about, verdict(about, run), sections))
    if not parts:
        raise DataError(problems[0][1])
    title = name or ", ".join(paths) or "Agreement"
    settings = _settings(parts, asked, run, plan, reading or {})
    return Report(title, tuple(parts), settings, tuple(problems), tuple(paths))


def _sections(found: Findings, asked: Asked) -> Iterator[Section]:
    yield _read(found)
    yield _scores(found)
    if asked.meaning:
        yield _of_result("meaning", "What the value means on these data", found.meaning, found)
    yield _disagreement(found)
    yield _influence(found)
    yield _places(found, asked.text)
    yield _documents(found)
    yield _of_result("annotators", "Annotators", found.annotators, found)
    if asked.rounds:
        yield _of_result("rounds", f"From round to round ({asked.rounds})", found.trend, found)


def figures_of(result: Result | None, *kinds: str) -> tuple[Drawing, ...]:
    """The pictures that a result has of itself; those of some kinds, where kinds are named."""
    known = {} if result is None else result.drawings()
    return tuple(make() for kind, make in known.items() if not kinds or kind in kinds)


def _plain(lines: Sequence[str]) -> tuple[Sentence, ...]:
    return tuple((line,) for line in lines if line.strip())


def _of_result(key: str, title: str, result: Result | None, found: Findings) -> Section:
    """A result as it shows itself; or why there is none."""
    if result is None:
        return Section(key, title, _plain([found.missing[key]] if key in found.missing else []))
    tables = titled([cut(table, MOST_ROWS) for table in result.tables()], title)
    said = _plain(
        [line for line in (*result.facts(), *result.closing()) if line not in found.data.notes]
    )  # read says them
    return Section(key, title, said, tables, figures=figures_of(result))


def _influence(found: Findings) -> Section:
    """Without the line about the value: its interval rests on other replicates than that of the scores."""
    made = _of_result("influence", "What pulls the value down", found.influence, found)
    return made if found.influence is None else replace(made, said=_plain(found.influence.closing()))


def _read(found: Findings) -> Section:
    """What was read, and what is left out."""
    data = found.data
    rows = (*data.described(), ("digest", data.digest))
    table = Table("how the data were understood", ("what", "fact"), tuple(rows))
    shown = _upright(Table(f"the first {data.kind.things}", *data.first(5)))
    return Section("read", "What was read and left out", _plain([*data.about(), *data.notes]), (table,), (shown,))


def _upright(table: Table) -> Table:
    """A row for each column where these are too many for a page: of annotators who stand side by side."""
    if len(table.columns) <= _BESIDE:
        return table
    first, *others = zip(table.columns, *table.rows, strict=True)
    corner = f"annotator \\ {first[0]}"
    return cut(Table(table.title, (corner, *map(str, first[1:])), tuple(others)), MOST_ROWS)


def _scores(found: Findings) -> Section:
    scores = found.scores.each
    table = replace(score_table(scores, noun=found.data.kind.n), title="scores")
    rows: list[tuple[Cell, ...]] = [
        (s.measure, s.se, s.p, s.interval.method if s.interval else "", s.signature) for s in scores
    ]
    more = Table(
        "errors, tests and signatures", ("measure", "standard error", "p", "interval", "signature"), tuple(rows)
    )
    return Section("scores", "Scores", (), (table,), (more,), figures_of(found.scores))


def _disagreement(found: Findings) -> Section:
    """By category, pair, annotator, document; which labels are confused; what disorder is made of."""
    said: list[str] = []
    listed: dict[str, Table] = {}
    for part in (part for part in _BREAKDOWNS if part in found.score.parts):
        try:
            listed[part] = breakdown(f"by {part}", part, found.data, (found.score,))
        except AccordError as error:  # a crowd makes too many pairs: the rest of the report goes on
            said.append(str(error))
    tables = [_causes(found.alignment)] if isinstance(found.alignment, UnitaryAlignments) else []
    folded = [cut(_worst_first(table, found), MOST_FOLDED) for table in listed.values()]
    valued = None if math.isnan(found.score.value) else found.score
    pictures = (
        *figures_of(found.alignment, "disorder", "disorder by document"),
        *((found.categories,) if found.categories is not None and not tables else ()),
        *(() if tables else figures_of(valued, "forest by document")),
        *figures_of(_with_matrix(found), "confusion"),
        *figures_of(found.disagreements),
        *(figures_of(valued, "pairs") if "pair" in listed else ()),
    )
    return Section("disagreement", "Where the disagreement sits", _plain(said), tuple(tables), tuple(folded), pictures)


def _with_matrix(found: Findings) -> Score | None:
    """The score on the first screen, or the first that has a matrix."""
    return next((score for score in (found.score, *found.scores) if "matrix" in score.details), None)


def _worst_first(table: Table, found: Findings) -> Table:
    """By their share of the disorder, where it is known; else by their value."""
    if "share of disorder" in table.columns:
        k, sign = table.columns.index("share of disorder"), -1.0
    else:
        k, sign = len(table.columns) - 1, 1.0 if found.score.kind == "agreement" else -1.0

    def rank(row: tuple[Cell, ...]) -> float:
        cell = row[k]
        return math.inf if not isinstance(cell, int | float) or math.isnan(cell) else sign * cell

    return replace(table, rows=tuple(sorted(table.rows, key=rank)))


def _causes(alignment: UnitaryAlignments) -> Table:
    """What disorder is made of: units at other places, under other labels, or missing."""
    total = float(alignment.disorder.sum())
    rows: list[tuple[Cell, ...]] = []
    for cause, costs in alignment.causes.items():
        of_it = float(costs.sum())
        rows.append((cause, of_it, of_it / total if total else math.nan))
    return Table("what the disorder is made of", ("cause", "disorder", "share of disorder"), tuple(rows))


def texts_of_items(data: Data, column: str | None) -> dict[str, str]:
    """What a column says of each item, where it says it first; nothing where there is no such column."""
    if column is None or not isinstance(data, Ratings) or column not in data.features:
        return {}
    texts = data.features[column]
    return {str(data.items[i]): texts.name(k) for k, i in reversed(list(enumerate(data.item.tolist())))}


def _with_text(rows: tuple[GoldRow, ...], data: Data, column: str | None) -> tuple[GoldRow, ...]:
    """Items with their text, if a column has it."""
    texts = texts_of_items(data, column)
    return tuple(replace(row, text=texts[row.name]) if row.name in texts else row for row in rows)


def _places(found: Findings, text: str | None) -> Section:
    """The worst places with their text, as far as they are known."""
    title, missing = "The worst places", found.missing.get("places")
    said = _plain([missing] if missing else [])
    tables: list[Table] = []
    if isinstance(found.alignment, UnitaryAlignments):
        tables.append(_words_first(found.alignment.costly(MOST_PLACES)))
    elif isinstance(found.alignment, TextAlignments):
        tables.append(_worst_tokens(found.alignment))
    elif found.disagreements is not None:
        gold = found.disagreements.found
        said = (*said, *_plain(found.disagreements.facts()))
        listed = table_for_people(_with_text(gold.disputed[:MOST_FOLDED], found.data, text), gold.people, gold.in_units)
        listed = replace(_words_first(listed), title="items on which annotators differ, worst first")
        tables.append(cut(listed, MOST_PLACES))
    return Section("places", title, said, tuple(_without_empty(table) for table in tables))


def _documents(found: Findings) -> Section:
    """To look at: the worst documents, or the items."""
    title = "Items to look at" if found.data.kind is ITEMS else "Documents to look at"
    return Section("documents", title, views=partial(_viewed, found.data, found.alignment))


def _viewed(data: Data, alignment: UnitaryAlignments | TextAlignments | None, most: int | None) -> Views:
    return views_of(
        data, alignment, most=None if data.kind is ITEMS else most
    )  # items are one view: it has its own limit


def _worst_tokens(alignment: TextAlignments) -> Table:
    """Of those that cost the same, one of each document after the other: else all would be of the first."""
    ranked = sorted((row for row in alignment if row.differs), key=lambda row: -row.cost)
    before: Counter[tuple[float, str]] = Counter()
    turns = []
    for row in ranked:
        turns.append((-row.cost, before[row.cost, row.doc]))
        before[row.cost, row.doc] += 1
    rows = [row for _, row in sorted(zip(turns, ranked, strict=True), key=lambda one: one[0])][:MOST_PLACES]
    cells: list[tuple[Cell, ...]] = []
    for row in rows:
        said = "; ".join(f"{who}: {'–' if side is None else side.text}" for who, side in row.sides.items())
        cells.append((row.doc, said, row.difference, row.cost))
    return Table("tokens that differ most", ("document", "texts", "difference", "cost"), tuple(cells))


def _words_first(table: Table) -> Table:
    """What was said where, before what it costs: a narrow screen shows the first columns."""
    words = [table.columns.index(name) for name in ("text", "annotators") if name in table.columns]
    order = [0, *words, *(k for k in range(1, len(table.columns)) if k not in words)]
    rows = tuple(tuple(row[k] for k in order) for row in table.rows)
    return replace(table, columns=tuple(table.columns[k] for k in order), rows=rows)


def _without_empty(table: Table) -> Table:
    """Without columns in which nothing stands."""
    kept = [k for k in range(len(table.columns)) if any(row[k] not in {"", None} for row in table.rows)]
    return replace(
        table,
        columns=tuple(table.columns[k] for k in kept),
        rows=tuple(tuple(row[k] for k in kept) for row in table.rows),
    )


def _settings(parts: Sequence[Part], asked: Asked, run: Run, plan: str, reading: Mapping[str, Any]) -> Section:
    """Every setting, so that the run can be repeated."""
    rows: list[tuple[Cell, ...]] = [("accord", __version__), ("seed", str(run.seed))]
    rows += [
        (f"interval: {f.name}", _said(getattr(asked.settings, f.name))) for f in dataclasses.fields(asked.settings)
    ]
    measures = {str(m): m for part in parts for m in (asked.measures or (part.findings.measure,))}
    for spec, one in measures.items():
        rows += [(f"{spec}: {f.name}", _said(getattr(one, f.name))) for f in dataclasses.fields(one)]
    rows += [(f"reading: {name}", _said(value)) for name, value in reading.items() if value not in (None, (), False)]
    signatures = [(score.signature,) for part in parts for score in part.findings.scores]
    listed = (
        Table("every setting", ("setting", "value"), tuple(rows)),
        Table("signatures", ("signature",), tuple(signatures)),
    )
    named = {part.findings.variable: _shown_first(part, asked) for part in parts}
    found = cited(named)
    works = Table("references", ("key", "reference"), tuple((one.key, one.text) for one in found.references))
    codes = [Code("The references as BibTeX", found.bibtex)]
    if plan:
        codes.append(Code("The plan of this run, for accord report --run plan.toml", plan))
    return Section("methods", "Methods and settings", ((found.sentence,),), (works,), listed, codes=tuple(codes))


def _shown_first(part: Part, asked: Asked) -> list[Score]:
    """What a methods section would name: the measures that were asked for, or the one of the first screen."""
    return list(part.findings.scores) if asked.measures else [part.findings.score]


def _said(value: Any) -> str:
    return "default" if value is None else str(value)

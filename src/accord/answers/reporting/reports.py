"""A report: sections with sentences, tables, figures and views for each variable, and all settings of the run.

`gather_report` computes every result that the data allow and puts each into a section.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from accord._version import __version__
from accord.answers.citing import cited, full_name
from accord.answers.citing.wording import number_of
from accord.answers.gold.settled import GoldRow, table_for_people
from accord.answers.levels import notes_on_levels
from accord.answers.reporting.assessment import Assessment, assess
from accord.answers.reporting.breakdowns import breakdown
from accord.answers.reporting.findings import Findings, ReportOptions, find_answers
from accord.answers.reporting.pictures import picture_of
from accord.answers.reporting.sentences import Sentence, sentence_as_dict
from accord.answers.reporting.verdicts import about_monte_carlo, sampling_interval
from accord.answers.views import Views, views_of
from accord.core.context import Run
from accord.core.errors import AccordError, DataError, Interface, SpecError, counted, for_interface
from accord.core.result import ROW, Score, forest, score_table
from accord.core.tables import Cell, Drawing, Interval, Result, Table, plain
from accord.data.kinds import ITEMS
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments

_ELSEWHERE = re.compile(
    r"; (use )?(--(csv or --)?json|(to_frame\(\) or )?to_dict\(\)) (has|for) all(, \S+ for one measure)?$"
)
MOST_FOLDED = 300  # rows of a folded table


@dataclass(frozen=True)
class Code:
    """Machine-readable text: the plan of a run, BibTeX."""

    title: str
    text: str


@dataclass(frozen=True)
class Section:
    """A section of a report."""

    key: str
    title: str
    said: tuple[Sentence, ...] = ()
    tables: tuple[Table, ...] = ()
    folded: tuple[Table, ...] = ()  # longer tables, folded by default
    figures: tuple[Drawing, ...] = ()
    views: Callable[[int | None], Views] | None = None  # documents with most disagreement; at most this number, or all
    codes: tuple[Code, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "title": self.title,
            "said": [sentence_as_dict(one) for one in self.said],
            "tables": [table_as_dict(one) for one in (*self.tables, *self.folded, *self.numbers_behind)],
            **({"codes": [asdict(one) for one in self.codes]} if self.codes else {}),
        }

    @property
    def numbers_behind(self) -> tuple[Table, ...]:
        """Tables of the numbers in the figures."""
        return tuple(numbers_behind(figure) for figure in self.figures)

    @property
    def empty(self) -> bool:
        return not (self.said or self.tables or self.folded or self.figures or self.views or self.codes)


@dataclass(frozen=True)
class FirstLines:
    """What a report says about the value beside the verdict: measure, data, interval, methods sentence."""

    name: str  # of the measure, with its options in words
    level: str  # of measurement; empty if the data do not record it
    counts: tuple[tuple[str, int], ...]  # compared items, and annotators
    data: str  # the counts in words: 53 of 54 items, 3 annotators
    without_interval: str  # why the value has no interval; empty if it has one
    methods: str  # a sentence for a methods section

    def to_dict(self) -> dict[str, Any]:
        return {
            "measure": self.name,
            "measurement": self.level,
            "counts": dict(self.counts),
            "data": self.data,
            "no_interval": self.without_interval,
            "methods": self.methods,
        }


def first_lines(found: Findings) -> FirstLines:
    score, data = found.score, found.data
    counts = [(found.measured.noun, found.measured.n)]
    if data.identified:
        counts.append(("annotator", data.n_annotators))
    try:
        name, methods = full_name(score), cited(score).sentence
    except SpecError:  # a measure of the user
        name, methods = score.measure, ""
    first = name.partition(" ")[0]
    name = name[:1].upper() + name[1:] if first.isascii() and first.isalpha() else name  # not tγ or κ
    words = ", ".join([number_of(score) or counted(*counts[0][::-1]), *(counted(n, noun) for noun, n in counts[1:])])
    return FirstLines(name, _level_line(found), tuple(counts), words, _without_interval(found), methods)


def _level_line(found: Findings) -> str:
    """State the level of measurement, and how to state it if it is assumed; empty if measures do not depend on it."""
    level = found.data.measurement
    if level is None:
        return ""
    if level.known:
        return f"Level of measurement: {level.in_words()}"
    named = "" if found.variable == "label" else f"{found.variable}="
    how = for_interface(f"--measurement {named}{level.level}")
    return f"Level of measurement not stated; {level.level} assumed because {level.reason}. State it: {how}"


def _without_interval(found: Findings) -> str:
    score = found.score
    if math.isnan(score.value) or sampling_interval(score) is not None:
        return ""
    return about_monte_carlo(score, found.measured.noun) or "no interval"


@dataclass(frozen=True, eq=False)
class Part:
    """The report of one variable."""

    findings: Findings
    verdict: Assessment
    sections: tuple[Section, ...]
    about: FirstLines
    picture: Drawing | None = None

    def to_dict(self) -> dict[str, Any]:
        found = self.findings
        return plain(
            {
                "variable": found.variable,
                "kind": found.data.kind.plural,
                **found.data.summary(),
                "about": self.about.to_dict(),
                "verdict": self.verdict.to_dict(),
                "picture": None if self.picture is None else table_as_dict(numbers_behind(self.picture)),
                "scores": [score.to_dict() for score in found.scores],
                "sections": [section.to_dict() for section in self.sections],
            }
        )


@dataclass(frozen=True, eq=False, repr=False)
class Report(Result):
    """Report on data: scores, limitations, next steps and details. `accord.report(data, path)` writes it as a page."""

    name: str  # title given by the user, or the names of the files
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
        """The summary of each variable."""
        lines: list[str] = []
        for part in self.parts:
            head, *rest = part.verdict.lines()
            measured = [f"{part.about.name}; {part.about.data}", *filter(None, [part.about.level])]
            lines += [f"{self._named(part)}{head}", *measured, *rest]
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
        if not Interface.command_line:
            return ["path='report.html' writes the page; path='FOLDER' also writes a page for each document"]
        return ["-o report.html writes the page; -o FOLDER also writes a page for each document"]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        """The scores of one variable, or the main score of each of several variables."""
        if len(self.parts) == 1:
            return self.parts[0].findings.scores.drawings()
        return {"forest": partial(forest, {p.findings.variable: p.findings.score for p in self.parts}, "", "variable")}

    def overview(self) -> Table:
        """Table of the variables with their main scores."""
        rows: list[tuple[Cell, ...]] = [
            (p.findings.variable, p.findings.score.measure, p.findings.score.value, p.findings.score.limits,
             p.findings.score.n, p.verdict.headline, p.verdict.trust)
            for p in self.parts
        ]  # fmt: skip
        level = next((p.findings.score.interval.level for p in self.parts if p.findings.score.interval), 0.95)
        columns = ("variable", "measure", "value", f"{level * 100:.6g}% interval", "n", "in words", "assessment")
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
        """Table with a row for each score of each variable."""
        rows = [(part.findings.variable, *score.row()) for part in self.parts for score in part.findings.scores]
        return Table("", ("variable", *ROW), tuple(rows))

    def sections(self) -> Iterator[Section]:
        for part in self.parts:
            yield from part.sections
        yield self.settings


def table_as_dict(table: Table) -> dict[str, Any]:
    """Return a table as plain data, in full precision."""
    rows = [[_cell(cell) for cell in row] for row in table.rows]
    return {"title": table.title, "columns": list(table.columns), "rows": rows, "notes": list(table.notes)}


def _cell(cell: Cell) -> Any:
    return asdict(cell) if isinstance(cell, Interval) else cell


def numbers_behind(figure: Drawing) -> Table:
    """Table of the numbers in a figure."""
    made = cut_rows(figure.drawn(), MOST_FOLDED)
    return replace(made, title=made.title or figure.title or figure.caption)


def cut_rows(table: Table, most: int) -> Table:
    """Keep the first rows and add a note with the number of omitted rows. Remove notes about the command line."""
    table = replace(table, notes=tuple(_ELSEWHERE.sub("", note) for note in table.notes))
    left = len(table.rows) - most
    if left <= 0:
        return table
    return replace(table, rows=table.rows[:most], notes=(*table.notes, f"{left:,} more rows are not shown"))


def add_titles(tables: Sequence[Table], title: str) -> tuple[Table, ...]:
    """Give this title to tables without one."""
    return tuple(table if table.title else replace(table, title=title) for table in tables)


# -- data → report -----------------------------------------------------------------------------------------------------


MOST_PLACES = 30  # places with most disagreement, with their text
MOST_ROWS = 50  # rows of a table that is not folded
_BESIDE = 10  # columns that fit side by side
_BREAKDOWNS = ("category", "pair", "annotator", "document")


def gather_report(
    found: Mapping[str, Data],
    asked: ReportOptions,
    run: Run,
    *,
    name: str | None = None,
    paths: Sequence[str] = (),
    plan: str = "",
    reading: Mapping[str, Any] | None = None,
) -> Report:
    """Make a report with a part for each variable that can be scored, and the reason for each that cannot."""
    parts: list[Part] = []
    problems: list[tuple[str, DataError]] = []
    for variable, data in found.items():
        try:
            about = find_answers(variable, data, asked, run)
        except DataError as error:
            if len(found) == 1:
                raise
            problems.append((variable, error))
            continue
        picture = picture_of(about)
        sections = tuple(_without(one, picture) for one in _sections(about, asked) if not one.empty)
        parts.append(Part(about, assess(about, run), sections, first_lines(about), picture))
    if not parts:
        raise problems[0][1]
    title = name or ", ".join(without_folders(paths)) or "Agreement"
    settings = _settings(parts, asked, run, plan, reading or {})
    return Report(title, tuple(parts), settings, tuple((name, str(error)) for name, error in problems), tuple(paths))


def without_folders(paths: Sequence[str]) -> list[str]:
    """Return the names of files without their folders. Names that are equal keep what tells them apart."""
    parts = [[part for part in re.split(r"[/\\\\]", path) if part] or [path] for path in paths]
    most = max(map(len, parts), default=1)
    for many in range(1, most + 1):
        names = ["/".join(one[-many:]) for one in parts]
        if len(set(names)) == len(set(paths)):
            break
    return names if paths else []


def _without(section: Section, picture: Drawing | None) -> Section:
    """Leave out the figure that the first screen shows."""
    return replace(section, figures=tuple(figure for figure in section.figures if figure != picture))


def _sections(found: Findings, asked: ReportOptions) -> Iterator[Section]:
    yield _read(found)
    yield _scores(found)
    if asked.meaning:
        yield _of_result("meaning", "Meaning of the value for these data", found.meaning, found)
    yield _disagreement(found)
    yield _influence(found)
    yield _places(found, asked.text)
    yield _documents(found)
    yield _of_result("annotators", "Annotators", found.annotators, found)
    if asked.rounds:
        yield _of_result("rounds", f"Change over rounds ({asked.rounds})", found.trend, found)


def figures_of(result: Result | None, *kinds: str) -> tuple[Drawing, ...]:
    """Return the figures of a result, optionally only some kinds."""
    known = {} if result is None else result.drawings()
    return tuple(make() for kind, make in known.items() if not kinds or kind in kinds)


def _plain(lines: Sequence[str]) -> tuple[Sentence, ...]:
    return tuple((line,) for line in lines if line.strip())


def _of_result(key: str, title: str, result: Result | None, found: Findings) -> Section:
    """Return a section with the tables and figures of a result, or with the reason why there is no result."""
    if result is None:
        return Section(key, title, _plain([found.missing[key]] if key in found.missing else []))
    tables = add_titles([cut_rows(table, MOST_ROWS) for table in result.tables()], title)
    # The section on the data lists their notes, and the summary states an assumed level.
    known = {*found.data.notes, *notes_on_levels({found.data.variable: found.data}, ())}
    lines = (*result.facts(), *result.closing())
    said = _plain([line for line in lines if line.removeprefix("note: ") not in known])
    return Section(key, title, said, tables, figures=figures_of(result))


def _influence(found: Findings) -> Section:
    """Return the section on influence, without the value: its interval uses other replicates than the scores."""
    made = _of_result("influence", "Influence on the value", found.influence, found)
    return made if found.influence is None else replace(made, said=_plain(found.influence.closing()))


def _read(found: Findings) -> Section:
    """Describe the data that were read and excluded."""
    data = found.data
    rows = (*data.described(), ("digest", data.digest))
    table = Table("interpretation of the data", ("what", "fact"), tuple(rows))
    shown = _upright(Table(f"the first {data.kind.things}", *data.first(5)))
    return Section("read", "Data read and excluded", _plain([*data.about(), *data.notes]), (table,), (shown,))


def _upright(table: Table) -> Table:
    """Transpose a table with many annotators as columns."""
    if len(table.columns) <= _BESIDE:
        return table
    first, *others = zip(table.columns, *table.rows, strict=True)
    corner = f"annotator \\ {first[0]}"
    return cut_rows(Table(table.title, (corner, *map(str, first[1:])), tuple(others)), MOST_ROWS)


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
    """Return breakdowns by category, pair, annotator and document, confusions, and components of the disorder."""
    said: list[str] = []
    listed: dict[str, Table] = {}
    without = {"category"} if found.numeric else set()  # numbers on a scale are no categories
    for part in (part for part in _BREAKDOWNS if part in found.score.parts and part not in without):
        try:
            listed[part] = breakdown(f"by {part}", part, found.data, (found.score,))
        except AccordError as error:  # a crowd makes too many pairs; the other breakdowns remain
            said.append(str(error))
    tables = [_causes(found.alignment)] if isinstance(found.alignment, UnitaryAlignments) else []
    folded = [cut_rows(_worst_first(table, found), MOST_FOLDED) for table in listed.values()]
    valued = None if math.isnan(found.score.value) else found.score
    pictures = (
        *figures_of(found.alignment, "disorder", "disorder by document"),
        *((found.categories,) if found.categories is not None and not tables else ()),
        *(() if tables else figures_of(valued, "forest by document")),
        *(() if found.numeric else figures_of(found.with_matrix, "confusion")),
        *figures_of(found.disagreements),
        *(figures_of(valued, "pairs") if "pair" in listed else ()),
    )
    return Section("disagreement", "Sources of disagreement", _plain(said), tuple(tables), tuple(folded), pictures)


def _worst_first(table: Table, found: Findings) -> Table:
    """Sort rows by share of the disorder if the table has it, or else by value."""
    if "share of disorder" in table.columns:
        k, sign = table.columns.index("share of disorder"), -1.0
    else:
        k, sign = len(table.columns) - 1, 1.0 if found.score.kind == "agreement" else -1.0

    def rank(row: tuple[Cell, ...]) -> float:
        cell = row[k]
        return math.inf if not isinstance(cell, int | float) or math.isnan(cell) else sign * cell

    return replace(table, rows=tuple(sorted(table.rows, key=rank)))


def _causes(alignment: UnitaryAlignments) -> Table:
    """Table of the components of the disorder: positions, labels, missing units."""
    total = float(alignment.disorder.sum())
    rows: list[tuple[Cell, ...]] = []
    for cause, costs in alignment.causes.items():
        of_it = float(costs.sum())
        rows.append((cause, of_it, of_it / total if total else math.nan))
    return Table("components of the disorder", ("cause", "disorder", "share of disorder"), tuple(rows))


def texts_of_items(data: Data, column: str | None) -> dict[str, str]:
    """Return the text of each item from the first row of the item; empty if the column does not exist."""
    if column is None or not isinstance(data, Ratings) or column not in data.features:
        return {}
    texts = data.features[column]
    return {str(data.items[i]): texts.name(k) for k, i in reversed(list(enumerate(data.item.tolist())))}


def _with_text(rows: tuple[GoldRow, ...], data: Data, column: str | None) -> tuple[GoldRow, ...]:
    """Add the texts of the items to the rows, if a column has them."""
    texts = texts_of_items(data, column)
    return tuple(replace(row, text=texts[row.name]) if row.name in texts else row for row in rows)


def _places(found: Findings, text: str | None) -> Section:
    """Return the places with most disagreement, with their text if it is known."""
    title, missing = "Largest disagreements", found.missing.get("places")
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
        listed = replace(_words_first(listed), title="items on which annotators differ, most disagreement first")
        tables.append(cut_rows(listed, MOST_PLACES))
    return Section("places", title, said, tuple(_without_empty(table) for table in tables))


def _documents(found: Findings) -> Section:
    """Return the documents or items to review, most disagreement first."""
    title = "Items to review" if found.data.kind is ITEMS else "Documents to review"
    return Section("documents", title, views=partial(_viewed, found.data, found.alignment))


def _viewed(data: Data, alignment: UnitaryAlignments | TextAlignments | None, most: int | None) -> Views:
    # All items are in one view, which has its own limit.
    return views_of(data, alignment, most=None if data.kind is ITEMS else most)


def _worst_tokens(alignment: TextAlignments) -> Table:
    """Table of the tokens with the highest cost. Documents alternate among tokens of equal cost."""
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
    return Table("tokens with the largest differences", ("document", "texts", "difference", "cost"), tuple(cells))


def _words_first(table: Table) -> Table:
    """Move the texts before the costs, because a narrow screen shows only the first columns."""
    words = [table.columns.index(name) for name in ("text", "annotators") if name in table.columns]
    order = [0, *words, *(k for k in range(1, len(table.columns)) if k not in words)]
    return table.only_columns(order)


def _without_empty(table: Table) -> Table:
    """Remove columns that are empty in every row."""
    return table.only_columns(
        [k for k in range(len(table.columns)) if any(row[k] not in {"", None} for row in table.rows)]
    )


def _settings(parts: Sequence[Part], asked: ReportOptions, run: Run, plan: str, reading: Mapping[str, Any]) -> Section:
    """Return the section with all settings, which allows a user to repeat the run."""
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
        Table("all settings", ("setting", "value"), tuple(rows)),
        Table("signatures", ("signature",), tuple(signatures)),
    )
    named = {part.findings.variable: _shown_first(part, asked) for part in parts}
    found = cited(named)
    works = Table("references", ("key", "reference"), tuple((one.key, one.text) for one in found.references))
    codes = [Code("The references as BibTeX", found.bibtex)]
    if plan:
        codes.append(Code("The plan of this run (save it as plan.toml and use accord report --run plan.toml)", plan))
    return Section("methods", "Methods and settings", ((found.sentence,),), (works,), listed, codes=tuple(codes))


def _shown_first(part: Part, asked: ReportOptions) -> list[Score]:
    """Return the scores for the methods section: the requested ones, or the main score."""
    return list(part.findings.scores) if asked.measures else [part.findings.score]


def _said(value: Any) -> str:
    return "default" if value is None else str(value)

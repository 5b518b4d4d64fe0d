"""Second and third lines of a header, as survey tools write them: recognised, left out, and said."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from accord.core.errors import DataError, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.cleaning import LIKE_MISSING
from accord.data.io.tables.columns import Column, PooledNames
from accord.data.io.tables.delimited import DelimitedTable
from accord.data.io.tables.roles import ANNOTATOR, ITEM, first_of
from accord.data.io.tables.sources import Source
from accord.data.model.data import Fact

_NOTED = 4  # columns of Qualtrics that show that an export is one
LOOKED_AT = 1_000  # rows that show whether a line is one of the header
_SURVEY_MONKEY = {"Response", "Open-Ended Response"}
_IMPORT = re.compile(r"""\{\s*["']ImportId["']""")
# What Qualtrics notes about a response, and is no answer.
QUALTRICS = ("StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)", "Finished",
             "RecordedDate", "ResponseId", "RecipientLastName", "RecipientFirstName", "RecipientEmail",
             "ExternalReference", "LocationLatitude", "LocationLongitude", "DistributionChannel",
             "UserLanguage")  # fmt: skip


@dataclass(frozen=True)
class HeaderLines:
    """How many lines below the first belong to the header, and what they are."""

    number: int = 0
    what: str = ""

    def note(self, name: str, first: int, line: str) -> str:
        """`first`: the line of the header itself."""
        lines = f"{line} {first + 1}" if self.number == 1 else f"{line}s {first + 1} and {first + 2}"
        return f"{name}: {lines} left out: {self.what}"


def header_lines(header: Sequence[str], rows: Sequence[Sequence[object]]) -> HeaderLines:
    """What the first rows are: import ids of Qualtrics, its questions, or any text above columns of numbers."""
    for k, row in enumerate(rows[:2]):
        cells = [str(cell) for cell in row if cell not in {None, ""}]
        if cells and all(map(_IMPORT.match, cells)):
            what = "the questions and import ids of Qualtrics" if k else "the import ids of Qualtrics"
            return HeaderLines(k + 1, what)
    if not rows:
        return HeaderLines()
    if ("ResponseId", "Response ID") in zip(header, rows[0], strict=False):
        return HeaderLines(1, "the questions of Qualtrics")
    if titles := _titles(header, rows):
        return HeaderLines(1, f"it describes the columns ({', '.join(map(quoted, titles[:2]))} …), which hold numbers")
    if {str(cell) for cell in rows[0] if cell not in {None, ""}} <= _SURVEY_MONKEY and "Respondent ID" in header:
        return HeaderLines(1, "what SurveyMonkey writes above answers")
    return HeaderLines()


def _titles(header: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """The texts of a row above columns that hold nothing but numbers, if they can be no labels."""
    first, *rest = rows
    rest = [row for row in rest if len(row) == len(header)]
    if len(rest) < 3 or len(first) != len(header) or any(map(_is_number, first)):
        return []
    below = [[row[k] for row in rest if row[k] not in {None, ""}] for k in range(len(header))]
    numbers = [k for k, cells in enumerate(below) if cells and all(map(_is_number, cells))]
    titles = [str(first[k] if first[k] is not None else "").strip() for k in range(len(header))]
    above = [titles[k] for k in numbers]
    if not above or any(not title or title.casefold() in LIKE_MISSING for title in above):
        return []
    if any(titles[k] and titles[k] in map(str, cells) for k, cells in enumerate(below)):
        return []  # a label, or an item, that comes again
    plain = len(set(above)) == len(above) and any(" " in title for title in above)
    return above if plain or not titles[0] or 0 in numbers else []


def _is_number(cell: object) -> bool:
    try:
        return math.isfinite(float(cell))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False


@dataclass
class Below:
    """A table without the first of its rows, which belong to its header."""

    source: Source
    lines: HeaderLines
    hidden: tuple[str, ...] = ()  # columns that are no part of the data

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def is_file(self) -> bool:
        return self.source.is_file

    @property
    def notes(self) -> tuple[str, ...]:
        notes = self.source.notes
        if self.lines.number:
            above = self.source.above if isinstance(self.source, DelimitedTable) else 1
            notes = (*notes, self.lines.note(self.name, above, "line"))
        if self.hidden:
            listed = ", ".join(self.hidden[:4]) + (" …" if len(self.hidden) > 4 else "")
            notes = (*notes, Fact(f"{self.name}: set aside, as no answers: {listed}"))
        return notes

    @property
    def header(self) -> tuple[str, ...]:
        return tuple(name for name in self.source.header if name not in self.hidden)

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> tuple[dict[str, Column], Column | None]:
        columns, inside = self.source.load(wanted, cells)
        first = self.lines.number
        fewer = {name: _without_first(column, first) for name, column in columns.items()}
        return fewer, None if inside is None else _without_first(inside, first * len(cells))

    def place(self, row: int) -> str:
        return self.source.place(row + self.lines.number)


def _without_first(column: Column, rows: int) -> Column:
    """The column from a row on; a name that stands above it alone is none."""
    codes = column.codes[rows:]
    gone = np.setdiff1d(column.codes[:rows], codes)
    gone = gone[gone >= 0]
    if not len(gone):
        return Column(codes, column.names)
    fewer = (codes - np.searchsorted(gone, codes)).astype(codes.dtype)
    if isinstance(column.names, PooledNames):
        return Column(fewer, PooledNames(column.names.pool, np.delete(column.names.order, gone)))
    lost = set(gone.tolist())
    return Column(fewer, [name for k, name in enumerate(column.names) if k not in lost])


def below_header(table: DelimitedTable) -> Source:
    """The table, without further lines of its header if there are any."""
    if table.named is not None:
        return table
    with table.path.open(encoding="utf-8-sig", newline="", errors="replace") as file:
        try:
            rows = list(islice(csv.reader(islice(file, table.blank, None), delimiter=table.separator), LOOKED_AT))[1:]
        except csv.Error:
            return table  # whoever reads it says what is wrong
    lines = header_lines(table.header, [row for row in rows if row])
    return Below(table, lines) if lines.number else table


def answers_alone(source: Source, how: Reading) -> Source:
    """An export of Qualtrics without what it notes about responses. A row is a response: annotators must be named."""
    noted = [name for name in source.header if name in QUALTRICS]
    if len(noted) < _NOTED:
        return source
    said = {how.item, how.annotator, how.doc, how.start, how.end, *how.label, *how.needed}
    answers = Below(source, HeaderLines(), tuple(name for name in noted if name not in said))
    known = first_of(answers.header, ANNOTATOR) and first_of(answers.header, ITEM)
    if not known and not (how.annotator or how.annotators_in or how.layout or how.columns or how.start):
        raise DataError(
            f"{source.name}: an export of Qualtrics, where a row is a response: say --annotators-in rows if "
            "respondents are the annotators and questions the items, or name the columns: --item, --annotator, --label"
        )
    return answers

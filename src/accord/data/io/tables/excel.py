"""Excel and OpenDocument workbooks: which sheets hold the table, and which were passed over."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from accord.core.errors import DataError, counted, first_words, quoted
from accord.data.io.tables import old_workbook
from accord.data.io.tables.header_lines import LOOKED_AT, HeaderLines, header_lines
from accord.data.io.tables.headerless import NO_HEADER, ROW, UNCLEAR, first_line, header_in_two, titles_above
from accord.data.io.tables.old_workbook import Page
from accord.data.io.tables.roles import ANNOTATOR, ASIDE, ITEM, START, first_of, plain_name
from accord.data.io.tables.sources import MemorySource, refuse_empty
from accord.data.io.tables.workbook_size import refuse_too_large
from accord.data.model.labels import as_number, label_name

_ERROR = re.compile(rb'<c r="([A-Z]+\d+)"[^>]*\bt="e"[^>]*>(?:<f[^>]*>[^<]*</f>|<f[^>]*/>)?<v>(#[^<]+)</v>')


@dataclass(frozen=True)
class Sheet:
    """A sheet as it stands: rows of cells, and the row of the sheet that the first of them is."""

    book: str
    name: str
    rows: Sequence[Sequence[object]]
    top: int
    bare: bool = False  # it is said that the first row is none of names
    titles: tuple[str, ...] = ()  # what stood above
    as_text: int = 0  # cells whose number is stored as text

    @classmethod
    def of(cls, book: str, name: str, rows: Sequence[Sequence[object]], top: int, *, bare: bool) -> Sheet:
        """A sheet as Excel shows it: what stands above the table is no row, and a number as text is a number."""
        texts = [_texts(row) for row in rows[:LOOKED_AT]]
        above = titles_above(texts)
        titles = tuple(cell for row in texts[:above] for cell in row if cell)
        stored = [[_number(cell) for cell in row] for row in rows[above:]]
        as_text = sum(a is not b for mine, row in zip(stored, rows[above:], strict=True)
                      for a, b in zip(mine, row, strict=True))  # fmt: skip
        return cls(book, name, stored, top + above, bare, titles, as_text)

    @cached_property
    def _first(self) -> str:
        """What the first row is: names, a row, or unclear."""
        return ROW if self.bare else first_line([_texts(row) for row in self.rows[:LOOKED_AT]])

    @cached_property
    def header(self) -> tuple[str, ...]:
        first = self.rows[0] if self.rows else []
        if self._first == ROW:
            return tuple(f"column {k + 1}" for k in range(len(first)))
        return tuple(cell or f"column {k + 1}" for k, cell in enumerate(_texts(first)))

    @property
    def is_table(self) -> bool:
        return len(self.rows) > 1 and len(self.header) > 1

    @property
    def notes(self) -> tuple[str, ...]:
        where = f"{self.book}, sheet {quoted(self.name)}"
        bare = (f"{where}: {NO_HEADER}",) if self._first == ROW and not self.bare else ()
        above = (f"{where}: left out above the table: {quoted(' '.join(self.titles))}",) if self.titles else ()
        cells = counted(self.as_text, "cell")
        return (
            *bare,
            *above,
            *((f"{where}: {cells} with a number stored as text: read as numbers",) if self.as_text else ()),
        )

    @cached_property
    def further(self) -> HeaderLines:
        """Lines of the header below its first."""
        return HeaderLines() if self._first == ROW else header_lines(self.header, self.rows[1 : 1 + LOOKED_AT])

    @property
    def is_known(self) -> bool:
        """Whether the names of its columns say what it holds."""
        return any(first_of(self.header, names) is not None for names in (ITEM, ANNOTATOR, START))

    @property
    def key(self) -> tuple[str, ...]:
        """The same for sheets of the same columns; and for an item and one column of labels, whatever its name."""
        named = sorted({plain_name(h) for h in self.header} - set(ASIDE))
        item = first_of(self.header, ITEM)
        if len(named) < 2:  # texts, say, which nobody labelled
            return ("", *self.header)
        return (plain_name(item),) if item is not None and len(named) == 2 and not self._has_annotator else tuple(named)

    @property
    def _has_annotator(self) -> bool:
        return first_of(self.header, ANNOTATOR) is not None

    def shares_labels(self, other: Sheet) -> bool:
        """Whether the two have columns in common beside those that say which item, or where."""
        known = {*ITEM, *ASIDE, *ANNOTATOR, *START}
        mine, others = ({plain_name(h) for h in sheet.header} - known for sheet in (self, other))
        return bool(mine & others) and first_of(self.header, ITEM) == first_of(other.header, ITEM)

    def source(self, *, named: bool) -> MemorySource:
        """Its table; `named`: a place in it is said with the sheet."""
        if not self.rows:
            raise DataError(f"{self.book}: the sheet is empty")
        bare = self._first == ROW
        if _filled(self.rows[0]) == 1 and any(_filled(row) > 1 for row in self.rows[1:6]) and not bare:
            title = quoted(next(filter(None, _texts(self.rows[0]))))
            raise DataError(
                f"{self._called(named)}: row {self.top + 1} has one cell, {title}: is it a title? "
                "the header must be the first row; take out what stands above it"
            )
        if not bare and (two := header_in_two([_texts(row) for row in self.rows[:LOOKED_AT]])):
            raise DataError(
                f"{self._called(named)}: row {self.top + 1}: the header has two rows ({two}): write one, with a name "
                "of its own for each column, e.g. tone_A"
            )
        if len(set(self.header)) < len(self.header):
            raise DataError(
                f"{self._called(named)}: row {self.top + 1}: a column name occurs twice; "
                "if this row is one of labels already, say --no-header"
            )
        if len(self.rows) < 2:
            raise DataError(f"{self._called(named)}: there is a header, but no rows below it")
        below = 0 if bare else 1 + self.further.number
        columns = {column: [row[k] for row in self.rows[below:]] for k, column in enumerate(self.header)}
        notes = (self.further.note(self._called(named), self.top + 1, "row"),) if self.further.number else ()
        source = MemorySource(columns, self.book, first_row=self.top + 1 + below, is_file=True)
        unclear = self._first == UNCLEAR
        return replace(source, part=self.name if named else None, notes=(*self.notes, *notes), unclear=unclear)

    def _called(self, named: bool) -> str:
        return f"{self.book}, sheet {quoted(self.name)}" if named else self.book


def _texts(row: Sequence[object]) -> list[str]:
    return [label_name(cell).strip() if cell is not None else "" for cell in row]


def _number(cell: object) -> object:
    """A number that is stored as text, as it is where cells were pasted: nobody sees the difference. 007 is a name."""
    if not isinstance(cell, str) or not cell[-1:].isdigit() or label_name(number := as_number(cell)) != cell:
        return cell
    return number


def _filled(row: Sequence[object]) -> int:
    return sum(bool(str(cell).strip()) for cell in row)


def sheets_of(path: Path, name: str, only: str | None = None, bare: bool = False) -> tuple[list[Sheet], list[str]]:
    """The visible sheets of a workbook in their order, or the one that is named; and the names of hidden ones."""
    refuse_empty(path, name)
    try:
        if old_workbook.is_old(path):
            pages = old_workbook.pages(path, name)
        else:
            refuse_too_large(path, name)
            pages = _pages(path)
        names = [page.name for page in pages]
        if only is not None and only not in names:
            raise DataError(f"{name}: no sheet {quoted(only)}; there are: {', '.join(map(quoted, names))}")
        if not names:
            raise DataError(f"{name}: there is no sheet in it")
        hidden = [page.name for page in pages if not page.visible]
        wanted = [only] if only is not None else [s for s in names if s not in hidden] or names
        found = [Sheet.of(name, page.name, *page.read(), bare=bare) for page in pages if page.name in wanted]
    except (DataError, MemoryError):
        raise
    except Exception as error:  # libraries raise many kinds for a damaged file
        raise DataError(
            f"{name}: cannot be read as an Excel file: {first_words(error)}; save it again, or the table as CSV"
        ) from error
    return found, [sheet for sheet in hidden if sheet not in wanted]


def _pages(path: Path) -> list[Page]:
    from python_calamine import CalamineWorkbook, SheetVisibleEnum

    book = CalamineWorkbook.from_path(str(path))

    def read(name: str) -> tuple[Sequence[Sequence[object]], int]:
        sheet = book.get_sheet_by_name(name)
        rows = sheet.to_python(skip_empty_area=True)  # a table may begin anywhere on its sheet
        return rows, sheet.start[0] if sheet.start else 0

    return [Page(s.name, s.visible == SheetVisibleEnum.Visible, partial(read, s.name)) for s in book.sheets_metadata]


def one_sheet(path: Path, name: str, only: str | None = None, bare: bool = False) -> MemorySource:
    """The sheet that is named, else the first that is a table of known columns, else the first."""
    sheets, hidden = sheets_of(path, name, only, bare)
    chosen = _chosen(sheets)[0]
    source = chosen.source(named=False)
    source.notes += _errors(path, name)
    source.notes += _passed_over(name, [s for s in sheets if s is not chosen], hidden)
    return source


def sheets_together(
    path: Path, name: str, only: str | None = None, *, everybody: bool = False, bare: bool = False
) -> list[MemorySource]:
    """All sheets that are of one piece, by their columns. `everybody`: each sheet is an annotator's, it is said."""
    sheets, hidden = sheets_of(path, name, only, bare)
    chosen = _chosen(sheets)
    rest = [s for s in sheets if s not in chosen and s.is_table]
    alike = [s for s in rest if s.shares_labels(chosen[0])]
    if everybody:
        chosen = [s for s in sheets if s in chosen or s in alike]
    elif alike and len(chosen[0].key) > 1:
        raise DataError(
            f"{name}: sheets {quoted(chosen[0].name)} and {quoted(alike[0].name)} have some columns in common, but not "
            "all: say --annotators-in sheets if each is one annotator's, or --sheet NAME to read one"
        )
    sources = [sheet.source(named=len(chosen) > 1) for sheet in chosen]
    sources[0].notes += _errors(path, name)
    sources[0].notes += _passed_over(name, [s for s in sheets if s not in chosen], hidden)
    return sources


def _errors(path: Path, name: str) -> tuple[str, ...]:
    """Cells that hold an error, as Excel writes it: for the reader of workbooks they are empty."""
    found: list[tuple[str, str]] = []
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for entry in archive.namelist():
                if entry.startswith("xl/worksheets/") and entry.endswith(".xml"):
                    found += [(where.decode(), what.decode()) for where, what in _ERROR.findall(archive.read(entry))]
    if not found:
        return ()
    kinds = ", ".join(dict.fromkeys(what for _, what in found))
    return (f"{name}: {counted(len(found), 'cell')} with an error of Excel ({kinds}), e.g. {found[0][0]}: left empty",)


def _chosen(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The largest group of sheets with the same columns, those with known columns before others; else the first."""
    groups: dict[tuple[str, ...], list[Sheet]] = {}
    for sheet in sheets:
        if sheet.is_table:
            groups.setdefault(sheet.key, []).append(sheet)
    if not groups:
        return [sheets[0]]
    first = next(iter(groups.values()))
    best = max(groups.values(), key=lambda group: (group[0].is_known, len(group)))
    if best is not first and len(best) == 1 and len(first[0].header) > 2:
        one, other = quoted(first[0].name), quoted(best[0].name)
        raise DataError(
            f"{first[0].book}: sheets {one} and {other} have different columns: say --sheet NAME to read one"
        )
    return best


def _passed_over(name: str, sheets: Sequence[Sheet], hidden: Sequence[str]) -> tuple[str, ...]:
    """Sheets that hold something and were not read."""
    others = [quoted(s.name) for s in sheets if s.rows] + [f"{quoted(s)} (hidden)" for s in hidden]
    if not others:
        return ()
    more = " …" if len(others) > 5 else ""
    return (f"{name}: not read: sheet{'s' * (len(others) > 1)} {', '.join(others[:5])}{more} (--sheet reads one)",)

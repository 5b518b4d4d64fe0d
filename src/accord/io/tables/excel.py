"""Excel and OpenDocument workbooks: which sheets hold the table, and which were passed over."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from accord.errors import DataError, quoted
from accord.io.tables.header_lines import LOOKED_AT, HeaderLines, header_lines
from accord.io.tables.roles import ANNOTATOR, ASIDE, ITEM, START, first_of, plain_name
from accord.io.tables.sources import MemorySource, refuse_empty

_LARGEST_SHEET = 1 << 30  # bytes of an Excel file once unpacked


@dataclass(frozen=True)
class Sheet:
    """A sheet as it stands: rows of cells, and the row of the sheet that the first of them is."""

    book: str
    name: str
    rows: Sequence[Sequence[object]]
    top: int

    @property
    def header(self) -> tuple[str, ...]:
        first = self.rows[0] if self.rows else []
        return tuple(str(cell).strip() or f"column {k + 1}" for k, cell in enumerate(first))

    @property
    def is_table(self) -> bool:
        return len(self.rows) > 1 and len(self.header) > 1

    @cached_property
    def further(self) -> HeaderLines:
        """Lines of the header below its first."""
        return header_lines(self.header, self.rows[1 : 1 + LOOKED_AT])

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
        if _filled(self.rows[0]) == 1 and any(_filled(row) > 1 for row in self.rows[1:6]):
            raise DataError(
                f"{self._called(named)}: row {self.top + 1} has one cell, {quoted(self.rows[0][0])}: is it a title? "
                "the header must be the first row; take out what stands above it"
            )
        if len(set(self.header)) < len(self.header):
            raise DataError(f"{self._called(named)}: row {self.top + 1}: a column name occurs twice")
        if len(self.rows) < 2:
            raise DataError(f"{self._called(named)}: there is a header, but no rows below it")
        below = 1 + self.further.number
        columns = {column: [row[k] for row in self.rows[below:]] for k, column in enumerate(self.header)}
        notes = (self.further.note(self._called(named), self.top + 1, "row"),) if self.further.number else ()
        part = self.name if named else None
        return MemorySource(columns, self.book, first_row=self.top + 1 + below, is_file=True, part=part, notes=notes)

    def _called(self, named: bool) -> str:
        return f"{self.book}, sheet {quoted(self.name)}" if named else self.book


def _filled(row: Sequence[object]) -> int:
    return sum(bool(str(cell).strip()) for cell in row)


def sheets_of(path: Path, name: str, only: str | None = None) -> tuple[list[Sheet], list[str]]:
    """The visible sheets of a workbook in their order, or the one that is named; and the names of hidden ones."""
    from python_calamine import CalamineWorkbook, SheetVisibleEnum

    refuse_empty(path)
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _LARGEST_SHEET:
                raise DataError(f"{name}: unpacks to more than {_LARGEST_SHEET >> 30} GB; save the sheet as CSV")
    try:
        book = CalamineWorkbook.from_path(str(path))
        if only is not None and only not in book.sheet_names:
            raise DataError(f"{name}: no sheet {quoted(only)}; there are: {', '.join(map(quoted, book.sheet_names))}")
        hidden = [s.name for s in book.sheets_metadata if s.visible != SheetVisibleEnum.Visible]
        wanted = [only] if only is not None else [s for s in book.sheet_names if s not in hidden] or book.sheet_names
        found = []
        for sheet in wanted:
            page = book.get_sheet_by_name(sheet)
            rows = page.to_python(skip_empty_area=True)  # a table may begin anywhere on its sheet
            found.append(Sheet(name, sheet, rows, page.start[0] if page.start else 0))
    except DataError:
        raise
    except Exception as error:  # noqa: BLE001 - the library raises many kinds for a damaged file
        raise DataError(f"{name}: cannot be read as an Excel file: {str(error).splitlines()[0]}") from None
    return found, [sheet for sheet in hidden if sheet not in wanted]


def one_sheet(path: Path, name: str, only: str | None = None) -> MemorySource:
    """The sheet that is named, else the first that is a table of known columns, else the first."""
    sheets, hidden = sheets_of(path, name, only)
    chosen = _chosen(sheets)[0]
    source = chosen.source(named=False)
    source.notes += _passed_over(name, [s for s in sheets if s is not chosen], hidden)
    return source


def sheets_together(path: Path, name: str, only: str | None = None, everybody: bool = False) -> list[MemorySource]:
    """All sheets that are of one piece, by their columns. `everybody`: each sheet is an annotator's, it is said."""
    sheets, hidden = sheets_of(path, name, only)
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
    sources[0].notes += _passed_over(name, [s for s in sheets if s not in chosen], hidden)
    return sources


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

"""Excel and OpenDocument workbooks: choose the sheets with the table and report the others.

The libraries trust the sizes in a file, so a damaged file of a few kilobytes could make them allocate gigabytes.
accord measures new workbooks before reading them (`refuse_too_large`). xlrd reads old ones (.xls), because the reader
of new ones creates billions of cells for a damaged old one, or follows its blocks in a circle.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import IO, Any

from accord.core.errors import DataError, counted, first_words, quoted
from accord.data.io.formats.files import cannot_unpack, read_windows
from accord.data.io.tables.delimited import no_rows
from accord.data.io.tables.header import (
    LOOKED_AT,
    NO_HEADER,
    ROW,
    UNCLEAR,
    Header,
    HeaderLines,
    first_line,
    header_lines,
    name_columns,
    titles_above,
)
from accord.data.io.tables.roles import ANNOTATOR, ASIDE, ITEM, START, first_of, plain_name
from accord.data.io.tables.sources import MemorySource, refuse_empty
from accord.data.model.labels import as_number, label_name

_ERROR = re.compile(rb'<c r="([A-Z]+\d+)"[^>]*\bt="e"[^>]*>(?:<f[^>]*>[^<]*</f>|<f[^>]*/>)?<v>(#[^<]+)</v>')


@dataclass(frozen=True)
class Page:
    """A sheet of a workbook. `read` returns the rectangle around its filled cells and its first row, counted from 0."""

    name: str
    visible: bool
    read: Callable[[], tuple[Sequence[Sequence[object]], int]]


@dataclass(frozen=True)
class Sheet:
    """The rows of a sheet, and the row number of the first."""

    book: str
    name: str
    rows: Sequence[Sequence[object]]
    top: int
    bare: bool = False  # the user declared that there is no header row
    titles: tuple[str, ...] = ()  # text above the table
    as_text: int = 0  # cells with a number stored as text

    @classmethod
    def of(cls, book: str, name: str, rows: Sequence[Sequence[object]], top: int, *, bare: bool) -> Sheet:
        """Return the sheet without text above the table and with numbers for numbers stored as text."""
        texts = [_texts(row) for row in rows[:LOOKED_AT]]
        above = titles_above(texts)
        titles = tuple(cell for row in texts[:above] for cell in row if cell)
        stored = [[_number(cell) for cell in row] for row in rows[above:]]
        as_text = sum(a is not b for mine, row in zip(stored, rows[above:], strict=True)
                      for a, b in zip(mine, row, strict=True))  # fmt: skip
        return cls(book, name, stored, top + above, bare, titles, as_text)

    @cached_property
    def _first(self) -> str:
        """What the first row is: names, data, or unclear."""
        return ROW if self.bare else first_line([_texts(row) for row in self.rows[:LOOKED_AT]])

    @cached_property
    def header(self) -> tuple[str, ...]:
        first = self.rows[0] if self.rows else []
        if self._first == ROW:
            return tuple(f"column {k + 1}" for k in range(len(first)))
        try:
            return self._names.names
        except DataError:  # `source` raises it if the sheet is read
            return tuple(cell or f"column {k + 1}" for k, cell in enumerate(_texts(first)))

    @cached_property
    def _names(self) -> Header:
        place = f"{self.book}, sheet {quoted(self.name)}, row {self.top + 1}"
        return name_columns([_texts(row) for row in self.rows[:LOOKED_AT]], place)

    @property
    def is_table(self) -> bool:
        return len(self.rows) > 1 and len(self.header) > 1

    @property
    def notes(self) -> tuple[str, ...]:
        where = f"{self.book}, sheet {quoted(self.name)}"
        bare = (f"{where}: {NO_HEADER}",) if self._first == ROW and not self.bare else ()
        above = (f"{where}: text above the table left out: {quoted(' '.join(self.titles))}",) if self.titles else ()
        cells = counted(self.as_text, "cell")
        return (
            *bare,
            *above,
            *((f"{where}: {cells} with numbers stored as text are read as numbers",) if self.as_text else ()),
        )

    @cached_property
    def further(self) -> HeaderLines:
        """The lines of the header below the first."""
        if self._first == ROW:
            return HeaderLines()
        return header_lines(self.header, self.rows[self._names.rows : self._names.rows + LOOKED_AT])

    @property
    def is_known(self) -> bool:
        """Whether names of columns show the content."""
        return any(first_of(self.header, names) is not None for names in (ITEM, ANNOTATOR, START))

    @property
    def key(self) -> tuple[str, ...]:
        """A key that sheets with the same columns share. It ignores the name of a single column of labels."""
        named = sorted({plain_name(h) for h in self.header} - set(ASIDE))
        item = first_of(self.header, ITEM)
        if len(named) < 2:  # for example texts without labels
            return ("", *self.header)
        return (plain_name(item),) if item is not None and len(named) == 2 and not self._has_annotator else tuple(named)

    @property
    def _has_annotator(self) -> bool:
        return first_of(self.header, ANNOTATOR) is not None

    def shares_labels(self, other: Sheet) -> bool:
        """Whether two sheets share columns other than items, positions and annotators."""
        known = {*ITEM, *ASIDE, *ANNOTATOR, *START}
        mine, others = ({plain_name(h) for h in sheet.header} - known for sheet in (self, other))
        return bool(mine & others) and first_of(self.header, ITEM) == first_of(other.header, ITEM)

    def source(self, *, named: bool) -> MemorySource:
        """Return the table of the sheet. `named`: include the sheet name in locations."""
        if not self.rows:
            raise DataError(
                "file-empty",
                f"{self.book}: sheet {quoted(self.name)} is empty; fill it, or use --sheet NAME to read another one",
            )
        bare = self._first == ROW
        if _filled(self.rows[0]) == 1 and any(_filled(row) > 1 for row in self.rows[1:6]) and not bare:
            title = quoted(next(filter(None, _texts(self.rows[0]))))
            raise DataError(
                "header-row",
                f"{self._called(named)}: row {self.top + 1} has only one cell, {title}, but the first row must be the "
                "header row; delete the rows above the header row",
            )
        if len(self.rows) < 2 and not bare:
            raise no_rows(self._called(named))
        below = 0 if bare else self._names.rows + self.further.number
        columns = {column: [row[k] for row in self.rows[below:]] for k, column in enumerate(self.header)}
        lines = self.further.note(self._called(named), self.top + 1, "row") if self.further.number else ""
        notes = filter(None, [lines, "" if bare else self._names.note])
        source = MemorySource(columns, self.book, first_row=self.top + 1 + below, is_file=True)
        unclear = self._first == UNCLEAR
        return replace(source, part=self.name if named else None, notes=(*self.notes, *notes), unclear=unclear)

    def _called(self, named: bool) -> str:
        return f"{self.book}, sheet {quoted(self.name)}" if named else self.book


def _texts(row: Sequence[object]) -> list[str]:
    return [label_name(cell).strip() if cell is not None else "" for cell in row]


def _number(cell: object) -> object:
    """Convert a number stored as text, which looks the same in Excel. 007 stays text."""
    if not isinstance(cell, str) or not cell[-1:].isdigit() or label_name(number := as_number(cell)) != cell:
        return cell
    return number


def _filled(row: Sequence[object]) -> int:
    return sum(bool(str(cell).strip()) for cell in row)


def open_sheets(path: Path, name: str, only: str | None = None, bare: bool = False) -> tuple[list[Sheet], list[str]]:
    """Return the visible sheets of a workbook, or the named one, and the names of hidden sheets."""
    refuse_empty(path, name)
    try:
        if _is_old(path):
            pages = _old_pages(path, name)
        else:
            refuse_too_large(path, name)
            pages = _pages(path)
        names = [page.name for page in pages]
        if only is not None and only not in names:
            raise DataError(
                "several-sheets",
                f"{name}: there is no sheet {quoted(only)}; use --sheet with one of: {', '.join(map(quoted, names))}",
            )
        if not names:
            raise DataError(
                "file-empty", f"{name}: the workbook has no sheet with cells; save the table again, or as CSV"
            )
        hidden = [page.name for page in pages if not page.visible]
        wanted = [only] if only is not None else [s for s in names if s not in hidden] or names
        found = [Sheet.of(name, page.name, *page.read(), bare=bare) for page in pages if page.name in wanted]
    except (DataError, MemoryError):
        raise
    except Exception as error:  # libraries raise many exceptions for damaged files
        raise DataError(
            "file-damaged",
            f"{name}: the file cannot be read as an Excel file ({first_words(error)}); save it again, or save the "
            "table as CSV",
        ) from error
    return found, [sheet for sheet in hidden if sheet not in wanted]


def _pages(path: Path) -> list[Page]:
    from python_calamine import CalamineWorkbook, SheetVisibleEnum

    book = CalamineWorkbook.from_path(str(path))

    def read(name: str) -> tuple[Sequence[Sequence[object]], int]:
        sheet = book.get_sheet_by_name(name)
        rows = sheet.to_python(skip_empty_area=True)  # a table may begin in any cell
        return rows, sheet.start[0] if sheet.start else 0

    return [Page(s.name, s.visible == SheetVisibleEnum.Visible, partial(read, s.name)) for s in book.sheets_metadata]


def read_sheet(path: Path, name: str, only: str | None = None, bare: bool = False) -> MemorySource:
    """Read the named sheet. Default: the first sheet with known columns, or else the first."""
    sheets, hidden = open_sheets(path, name, only, bare)
    chosen = _chosen(sheets)[0]
    source = chosen.source(named=False)
    source.notes += _errors(path, name)
    source.notes += _passed_over(name, [s for s in sheets if s is not chosen], hidden)
    return source


def read_sheets(
    path: Path, name: str, only: str | None = None, *, everybody: bool = False, bare: bool = False
) -> list[MemorySource]:
    """Read all sheets of one group. `everybody`: the user declared that each sheet is one annotator."""
    sheets, hidden = open_sheets(path, name, only, bare)
    chosen = _chosen(sheets)
    rest = [s for s in sheets if s not in chosen and s.is_table]
    alike = [s for s in rest if s.shares_labels(chosen[0])]
    if everybody:
        chosen = [s for s in sheets if s in chosen or s in alike]
    elif alike and len(chosen[0].key) > 1:
        raise DataError(
            "several-sheets",
            f"{name}: sheets {quoted(chosen[0].name)} and {quoted(alike[0].name)} share some columns, but not all; use "
            "--annotators-in sheets if each sheet is one annotator, or --sheet NAME to read one sheet",
        )
    sources = [sheet.source(named=len(chosen) > 1) for sheet in chosen]
    sources[0].notes += _errors(path, name)
    sources[0].notes += _passed_over(name, [s for s in sheets if s not in chosen], hidden)
    return sources


def _errors(path: Path, name: str) -> tuple[str, ...]:
    """Return a note on cells with Excel errors, which the reader leaves empty."""
    found: list[tuple[str, str]] = []
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for entry in archive.namelist():
                if entry.startswith("xl/worksheets/") and entry.endswith(".xml"):
                    found += [(where.decode(), what.decode()) for where, what in _ERROR.findall(archive.read(entry))]
    if not found:
        return ()
    kinds = ", ".join(dict.fromkeys(what for _, what in found))
    return (f"{name}: {counted(len(found), 'cell')} with an Excel error ({kinds}), e.g. {found[0][0]}, read as empty",)


_EXPLAINS = re.compile(
    r"(?:variable |coding )?(?:code[ _\-]?book|read[ _\-]?me|legende?|(?:data )?dictionary|instructions?|guidelines?|"
    r"documentation|codeplan|codierplan|anleitung)",
    re.IGNORECASE,
)


def _chosen(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return the largest group of sheets with the same columns, preferring known columns; else the first sheet."""
    groups: dict[tuple[str, ...], list[Sheet]] = {}
    for sheet in [s for s in sheets if not _EXPLAINS.fullmatch(s.name.strip())] or sheets:
        if sheet.is_table:
            groups.setdefault(sheet.key, []).append(sheet)
    if not groups:
        return [sheets[0]]
    first = next(iter(groups.values()))
    best = max(groups.values(), key=lambda group: (group[0].is_known, len(group)))
    if best is not first and len(best) == 1 and len(first[0].header) > 2:
        one, other = quoted(first[0].name), quoted(best[0].name)
        raise DataError(
            "several-sheets",
            f"{first[0].book}: sheets {one} and {other} have different columns; use --sheet NAME to read one",
        )
    return best


def _passed_over(name: str, sheets: Sequence[Sheet], hidden: Sequence[str]) -> tuple[str, ...]:
    """Return a note on sheets that have cells but were not read."""
    others = [quoted(s.name) for s in sheets if s.rows] + [f"{quoted(s)} (hidden)" for s in hidden]
    if not others:
        return ()
    more = " …" if len(others) > 5 else ""
    return (f"{name}: not read: sheet{'s' * (len(others) > 1)} {', '.join(others[:5])}{more} (use --sheet NAME)",)


# -- Old workbooks (.xls) --

_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NO_WORKBOOK = "Can't find workbook"  # part of the library's message


def _is_old(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _old_pages(path: Path, name: str) -> list[Page]:
    """Return all sheets. Excel errors become empty cells."""
    import xlrd

    try:
        book = xlrd.open_workbook(path, logfile=io.StringIO(), use_mmap=False, ragged_rows=True)
    except xlrd.XLRDError as error:
        if _NO_WORKBOOK not in str(error):
            raise
        raise DataError(
            "file-damaged",
            f"{name}: the file contains no readable workbook, because it is damaged or has a password; save it as "
            ".xlsx without a password",
        ) from error
    return [Page(sheet.name, sheet.visibility == 0, partial(_cells, sheet, book.datemode)) for sheet in book.sheets()]


def _cells(sheet: Any, datemode: int) -> tuple[Sequence[Sequence[object]], int]:
    rows = [[_value(cell, datemode) for cell in sheet.row(k)] for k in range(sheet.nrows)]
    filled = [k for k, row in enumerate(rows) if any(cell != "" for cell in row)]
    if not filled:
        return [], 0
    rows = rows[filled[0] : filled[-1] + 1]
    columns = {k for row in rows for k, cell in enumerate(row) if cell != ""}
    left, right = min(columns), max(columns) + 1
    return [row[left:right] + [""] * (right - max(len(row), left)) for row in rows], filled[0]


def _value(cell: Any, datemode: int) -> object:
    import xlrd

    match cell.ctype:
        case xlrd.XL_CELL_TEXT | xlrd.XL_CELL_NUMBER:
            return cell.value
        case xlrd.XL_CELL_BOOLEAN:
            return bool(cell.value)
        case xlrd.XL_CELL_DATE:
            moment = xlrd.xldate.xldate_as_datetime(cell.value, datemode)
            if cell.value < 1:
                return moment.time()
            return moment if cell.value % 1 else moment.date()
    return ""


# -- Size of a new workbook in memory --
#
# The sizes in a zip archive may be wrong, so accord counts bytes while unpacking. A sheet is read as a rectangle, so
# one cell in the last corner makes 17 billion cells.

_LARGEST_BOOK = 1 << 30  # bytes of all files, unpacked
_LARGEST_AREA = 50_000_000  # cells of a sheet, including empty ones
_SMALL_AREA = 2_000_000  # a sheet of this size may be almost empty
_FEWEST = 20  # in a larger sheet, one in 20 cells must be filled
_REFERENCE = re.compile(rb"""r\s*=\s*["']([A-Za-z]*)(\d+)""")  # reference of a cell or row
_LONGEST_REFERENCE = 32
_ROW, _CELLS = "table-row", ("table-cell", "covered-table-cell")


@dataclass
class _Area:
    """The rectangle around the filled cells of a sheet."""

    cells: int = 0
    top: int = 1 << 62
    left: int = 1 << 62
    bottom: int = 0
    right: int = 0

    def add(self, row: int, column: int, rows: int = 1, columns: int = 1) -> None:
        """Add a block of cells that ends at this row and column."""
        self.cells += 1
        self.top, self.left = min(self.top, row - rows + 1), min(self.left, column - columns + 1)
        self.bottom, self.right = max(self.bottom, row), max(self.right, column)

    @property
    def rows(self) -> int:
        return max(0, self.bottom - self.top + 1)

    @property
    def columns(self) -> int:
        return max(0, self.right - self.left + 1)

    @property
    def is_too_large(self) -> bool:
        area = self.rows * self.columns
        return area > _LARGEST_AREA or area > max(_SMALL_AREA, _FEWEST * self.cells)


def refuse_too_large(path: Path, name: str) -> None:
    """Refuse a workbook that needs too much memory: too many bytes, or cells far apart."""
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        left = _LARGEST_BOOK
        for entry in archive.infolist():
            if reason := cannot_unpack(entry):
                raise DataError(
                    "unsafe-file",
                    f"{name}: {quoted(entry.filename)} is {reason}; save the workbook again as an ordinary .xlsx file",
                )
            looked = _looking_at(entry.filename.lower())
            entry.file_size = 1 << 62  # the stated size would end the stream early
            for window in read_windows(archive, entry):
                left -= len(window)
                if left < 0:
                    raise DataError(
                        "file-too-large",
                        f"{name}: the workbook unpacks to more than {_LARGEST_BOOK >> 20:,} MB; save the sheet as CSV",
                    )
                if looked is not None:
                    looked.take(window)
            if looked is None or not looked.is_strange:
                continue
            with archive.open(entry) as stream:
                area = _exactly(looked, stream, f"{name}, {quoted(entry.filename)}")
            _refuse(area, f"{name}, {quoted(entry.filename)}")


def _refuse(area: _Area, where: str) -> None:
    if area.is_too_large:
        raise DataError(
            "file-too-large",
            f"{where}: {counted(area.cells, 'cell')} spread over {area.rows:,} rows × {area.columns:,} columns, up to "
            f"{_letters(area.right)}{area.bottom}; delete cells far from the table, or save the table as CSV",
        )


def _exactly(looked: _References | _Repeats, stream: IO[bytes], where: str) -> _Area:
    """Refuse invalid XML, because the reader of workbooks handles it unpredictably."""
    from lxml import etree

    try:
        return looked.exactly(stream)
    except etree.XMLSyntaxError as error:
        raise DataError(
            "file-damaged", f"{where}: the XML is damaged; save the workbook again, or save the table as CSV"
        ) from error


def _looking_at(entry: str) -> _References | _Repeats | None:
    if "worksheets/" in entry and entry.endswith(".xml"):
        return _References()
    return _Repeats() if entry == "content.xml" else None


class _References:
    """Cells of Excel, with references: `<c r="B7">`."""

    def __init__(self) -> None:
        self.cells = 0
        self.columns: set[bytes] = set()
        self.last = 0
        self.rest = b""

    def take(self, window: bytes) -> None:
        text = self.rest + window
        found = _REFERENCE.findall(text)
        self.cells += sum(1 for letters, _ in found if letters)
        self.columns.update(letters for letters, _ in found)
        self.last = max(self.last, max((int(number[:9]) for _, number in found), default=0))
        self.rest = text[-_LONGEST_REFERENCE:]

    @property
    def is_strange(self) -> bool:
        width = max((_column_number(letters) for letters in self.columns), default=0)
        return _Area(self.cells, 1, 1, self.last, width).is_too_large

    def exactly(self, stream: IO[bytes]) -> _Area:
        """Measure the area. Cells without a value are skipped, as by the reader of workbooks."""
        area = _Area()
        row = column = 0
        for event, element in _elements(stream):
            what = element.tag.rpartition("}")[2]
            if what == "row" and event == "start":
                row, column = _int(element.get("r")) or row + 1, 0
            elif what == "row":
                element.clear()
            elif what == "c" and event == "end":
                place = re.fullmatch(r"([A-Za-z]+)(\d+)", element.get("r") or "")
                column = _column_number(place[1].encode()) if place else column + 1
                if len(element):
                    area.add(_int(place[2]) if place else row, column)
        return area


class _Repeats:
    """Cells of OpenDocument, without references: `table:number-columns-repeated="16000"`."""

    is_strange = True  # always parsed, because the reader never returns on a truncated file

    def take(self, window: bytes) -> None:
        """Do nothing, because positions depend on all cells before."""

    def exactly(self, stream: IO[bytes]) -> _Area:
        """Return the area of the first sheet that is too large, else of the last."""
        area = _Area()
        row = column = rows = 0
        for event, element in _elements(stream):
            what = element.tag.rpartition("}")[2]
            if what == "table" and event == "start":
                if area.is_too_large:
                    break
                area, row = _Area(), 0
            elif what == _ROW and event == "start":
                rows, column = _repeated(element, "rows"), 0
                row += rows
            elif what in _CELLS and event == "end":
                columns = _repeated(element, "columns")
                column += columns
                if len(element) or any(name.endswith("}value-type") for name in element.attrib):
                    area.add(row, column, rows, columns)
            elif what == _ROW:
                element.clear()
        return area


def _elements(stream: IO[bytes]) -> Iterator[tuple[str, Any]]:
    from lxml import etree

    return etree.iterparse(
        stream, events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True,
        remove_pis=True, remove_comments=True,
    )  # fmt: skip


def _repeated(element: Any, what: str) -> int:
    return max(1, next((_int(n) for key, n in element.attrib.items() if key.endswith(f"}}number-{what}-repeated")), 1))


def _int(text: str | None) -> int:
    return int(text[:12]) if text and text.isdecimal() else 0


def _column_number(letters: bytes) -> int:
    """A is 1, Z is 26, AA is 27."""
    number = 0
    for letter in letters.upper()[:8]:
        number = 26 * number + letter - 64
    return number


def _letters(column: int) -> str:
    letters = ""
    while column > 0:
        column, digit = divmod(column - 1, 26)
        letters = chr(65 + digit) + letters
    return letters
